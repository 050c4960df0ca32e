/* SPDX-License-Identifier: MIT
 *
 * One connection: connecting, logging in, pipelining, breaking off.
 */
#include "bed.h"

#include <netinet/in.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static rl_conn *conn_to_server(const server *s, const char *login, const char *query)
{
    char dsn[256];

    snprintf(dsn, sizeof(dsn), "unix://%s%s%s", login, s->path, query);
    return conn_to(dsn);
}

/* Sends a command and waits for the answer: up to so many ms for the connection, and 100 more in all. */
static void ask_for(rl_conn *conn, rl_call *call, const char *command, const char *arg, int64_t ms)
{
    memset(call, 0, sizeof(*call));
    rl_request_add(&call->request, BYTES(command));
    if (arg != NULL) {
        rl_request_add(&call->request, BYTES(arg));
    }
    rl_conn_submit(conn, call, platform_now() + MS(ms));
    rl_call_wait(call, platform_now() + MS(ms + 100), NULL);
}

static void ask(rl_conn *conn, rl_call *call, const char *command, const char *arg)
{
    ask_for(conn, call, command, arg, 5000);
}

static void check_error(rl_conn *conn, rl_failure kind, const char *code, const char *part)
{
    rl_call call;
    int64_t start = platform_now();

    ask_for(conn, &call, "PING", NULL, 200);
    CHECK_INT(call.error.kind, kind);
    CHECK_TEXT(call.error.code, code);
    if (strstr(call.error.text, part) == NULL) {
        test_fail(__FILE__, __LINE__, "the error says: %s", call.error.text);
    }
    CHECK(strstr(call.error.text, "hunter2") == NULL);
    CHECK(ms_since(start) <= 350 + held_up());
    rl_call_reset(&call);
    rl_conn_free(conn);
}

TEST(connection_nobody_listens)
{
    check_error(conn_to("unix:///nowhere/redis.sock"), RL_UNREACHABLE, "", "No such file");
    check_error(conn_to("redis://127.0.0.1:1"), RL_UNREACHABLE, "", "refused");
    check_error(conn_to("redis://no-such-host.invalid"), RL_UNREACHABLE, "", "");
}

TEST(connection_is_made_to_the_address_where_the_endpoint_has_one)
{
    static const lie pong = LIE("+PONG\r\n", LIE_SEND);
    rl_endpoint endpoint;
    rl_call call;
    liar l;
    char dsn[128], why[128];

    liar_start(&l, true, &pong, 1);
    snprintf(dsn, sizeof(dsn), "redis://no-such-host.invalid%s", strrchr(l.dsn, ':'));
    CHECK(rl_endpoint_parse(&endpoint, dsn, strlen(dsn), why, sizeof(why)));
    CHECK(prepare_at(&endpoint, "127.0.0.1", why, sizeof(why)));
    rl_conn *conn = rl_conn_new(&endpoint, NULL, NULL);
    rl_endpoint_free(&endpoint);
    ask(conn, &call, "PING", NULL);
    CHECK_INT(call.error.kind, RL_OK);
    CHECK_TEXT(call.reply->str, "PONG");
    rl_call_reset(&call);
    rl_conn_free(conn);
    liar_stop(&l);
}

TEST(connection_is_not_made_where_the_address_is_not_known)
{
    rl_endpoint endpoint;
    rl_call call;
    char why[128];

    CHECK(rl_endpoint_parse(&endpoint, "redis://localhost:1", 19, why, sizeof(why)));
    CHECK(!rl_endpoint_prepare(&endpoint, NULL, why, sizeof(why)));
    rl_conn *conn = rl_conn_new(&endpoint, NULL, NULL);
    ask(conn, &call, "PING", NULL);
    CHECK_INT(call.error.kind, RL_UNREACHABLE);
    CHECK_TEXT(call.error.text, "the server's address is not known");
    rl_call_reset(&call);
    rl_conn_free(conn);
    rl_endpoint_free(&endpoint);
}

TEST(connection_does_not_serve_where_the_server_has_another_address_now)
{
    rl_endpoint before, now;
    char why[128];

    CHECK(rl_endpoint_parse(&before, "redis://h.invalid", 17, why, sizeof(why)));
    CHECK(prepare_at(&before, "192.0.2.1", why, sizeof(why)));
    rl_endpoint_copy(&now, &before);
    rl_conn *conn = rl_conn_new(&before, NULL, NULL);
    CHECK(rl_conn_serves(conn, &now));
    CHECK(prepare_at(&now, "192.0.2.2", why, sizeof(why)));
    CHECK(!rl_conn_serves(conn, &now));
    rl_conn_free(conn);
    rl_endpoint_free(&before);
    rl_endpoint_free(&now);
}

static void check_no_address(void *arg)
{
    rl_hosts hosts = {0};

    rl_conn_hosts(arg, &hosts);
    CHECK_INT(hosts.count, 0);
    rl_hosts_free(&hosts);
}

static void check_address(rl_conn *conn, const char *host, const char *address)
{
    rl_hosts hosts = {0};

    rl_conn_hosts(conn, &hosts);
    CHECK_INT(hosts.count, 1);
    CHECK_TEXT(hosts.list[0].name, host);
    CHECK_TEXT(hosts.list[0].address, address);
    rl_hosts_free(&hosts);
}

TEST(connection_tells_the_address_that_it_leads_to)
{
    static const lie pong = LIE("+PONG\r\n", LIE_SEND);
    rl_call call;
    liar l;

    liar_start(&l, true, &pong, 1);
    rl_conn *conn = conn_to(l.dsn);
    check_no_address(conn); /* not connected yet */
    ask(conn, &call, "PING", NULL);
    CHECK_INT(call.error.kind, RL_OK);
    check_address(conn, "127.0.0.1", "127.0.0.1");
    process_join(process_start(check_no_address, conn)); /* inherited */
    rl_call_reset(&call);
    rl_conn_break(conn, RL_LOST, "");
    check_no_address(conn);
    rl_conn_free(conn);
    liar_stop(&l);
}

TEST(connection_tells_an_address_of_ipv6)
{
    struct sockaddr_in6 at = {.sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT};
    socklen_t size = sizeof(at);
    int fd = socket(AF_INET6, SOCK_STREAM, 0);
    char dsn[64];
    rl_call call;

    if (fd < 0 || bind(fd, (struct sockaddr *)&at, size) != 0) {
        note("this machine has no IPv6");
        return;
    }
    CHECK(listen(fd, 8) == 0 && getsockname(fd, (struct sockaddr *)&at, &size) == 0);
    snprintf(dsn, sizeof(dsn), "redis://[::1]:%d", ntohs(at.sin6_port));
    rl_conn *conn = conn_to(dsn);
    ask_for(conn, &call, "PING", NULL, 200);
    CHECK_INT(call.error.kind, RL_TIMED_OUT); /* connected, and nobody answers */
    check_address(conn, "::1", "::1");
    rl_call_reset(&call);
    rl_conn_free(conn);
    close(fd);
}

TEST(connection_to_a_unix_socket_has_no_address)
{
    rl_call call;

    SERVER(s, NULL);
    rl_conn *conn = conn_to_server(&s, "", "");
    ask(conn, &call, "PING", NULL);
    CHECK_INT(call.error.kind, RL_OK);
    check_no_address(conn);
    rl_call_reset(&call);
    rl_conn_free(conn);
}

TEST(connection_is_made_by_its_deadline_or_not_at_all)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof(address);
    int fd = socket(AF_INET, SOCK_STREAM, 0), fillers[8];
    char dsn[64];

    /* If the listen backlog is full, the kernel drops connection attempts: the connection hangs. */
    CHECK(bind(fd, (struct sockaddr *)&address, size) == 0 && listen(fd, 0) == 0);
    CHECK(getsockname(fd, (struct sockaddr *)&address, &size) == 0);
    for (int i = 0; i < 8; i++) {
        fillers[i] = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
        (void)!connect(fillers[i], (struct sockaddr *)&address, size);
    }
    snprintf(dsn, sizeof(dsn), "redis://127.0.0.1:%d", ntohs(address.sin_port));
    int64_t start = platform_now();
    check_error(conn_to(dsn), RL_UNREACHABLE, "", "not made in time");
    CHECK_RANGE(195, ms_since(start), 250 + held_up());
    for (int i = 0; i < 8; i++) {
        close(fillers[i]);
    }
    close(fd);
}

TEST(connection_full_backlog_of_a_unix_socket_is_waited_for)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM, 0), filler[2];
    char dsn[128];

    snprintf(address.sun_path, sizeof(address.sun_path), "%s/full.sock", test_folder());
    CHECK(bind(fd, (struct sockaddr *)&address, sizeof(address)) == 0 && listen(fd, 0) == 0);
    for (int i = 0; i < 2; i++) {
        filler[i] = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
        (void)!connect(filler[i], (struct sockaddr *)&address, sizeof(address));
    }
    snprintf(dsn, sizeof(dsn), "unix://%s", address.sun_path);
    check_error(conn_to(dsn), RL_UNREACHABLE, "", "not made in time");

    rl_conn *conn = conn_to(dsn);
    rl_call call = {0};
    rl_request_add(&call.request, RL_LITERAL("PING"));
    rl_conn_submit(conn, &call, platform_now() + MS(5000));
    rl_call_wait(&call, platform_now() + MS(50), NULL);
    CHECK_INT(call.error.kind, RL_UNREACHABLE); /* given up, nothing sent */
    close(accept(fd, NULL, NULL));              /* makes room in the listen backlog */
    call.error.kind = RL_OK;
    rl_wait(&conn, 1, platform_now() + MS(50), NULL);
    CHECK_INT(accept(fd, NULL, NULL) >= 0, 1);
    rl_call_reset(&call);
    rl_conn_free(conn);
    close(filler[0]);
    close(filler[1]);
    close(fd);
}

TEST(connection_logs_in_and_selects)
{
    rl_call call;

    SERVER(s, "--requirepass hunter2");
    say(&s, "AUTH hunter2");
    say(&s, "ACL SETUSER joe on >joes ~* &* +@all");
    rl_conn *conn = conn_to_server(&s, ":hunter2@", "?db=3");
    ask(conn, &call, "CLIENT", "INFO");
    CHECK_INT(call.error.kind, RL_OK);
    CHECK(strstr(call.reply->str, "db=3") != NULL);
    CHECK(strstr(call.reply->str, "user=default") != NULL);
    CHECK(rl_conn_is_idle(conn));
    rl_call_reset(&call);
    rl_conn_free(conn);

    conn = conn_to_server(&s, "joe:joes@", "");
    ask(conn, &call, "CLIENT", "INFO");
    CHECK_INT(call.error.kind, RL_OK);
    CHECK(strstr(call.reply->str, "user=joe") != NULL);
    rl_call_reset(&call);
    rl_conn_free(conn);

    check_error(conn_to_server(&s, ":nothunter2@", ""), RL_REFUSED, "WRONGPASS", "login was refused");
    check_error(conn_to_server(&s, "joe:hunter2@", "?db=1"), RL_REFUSED, "WRONGPASS", "login was refused");
    check_error(conn_to_server(&s, "", "?db=1"), RL_REFUSED, "NOAUTH", "password is needed");
    check_error(conn_to_server(&s, ":hunter2@", "?db=99"), RL_REFUSED, "ERR", "database 99 was refused");
    check_error(conn_to_server(&s, "", ""), RL_REFUSED, "NOAUTH", "password is needed");
}

TEST(connection_password_without_need_is_refused)
{
    SERVER(s, NULL);
    check_error(conn_to_server(&s, "joe:hunter2@", ""), RL_REFUSED, "WRONGPASS", "login was refused");
}

TEST(connection_pipeline_is_answered_in_order)
{
    enum { COUNT = 500, SIZE = 2000 };
    rl_call *calls = platform_zalloc(COUNT * sizeof(*calls));
    char *args = platform_zalloc(COUNT * SIZE);

    SERVER(s, NULL);
    rl_conn *conn = conn_to_server(&s, "", "");
    for (int i = 0; i < COUNT; i++) { /* together more bytes than a socket takes at once */
        char *arg = args + i * SIZE;
        memset(arg, 'x', SIZE - 1);
        arg[sprintf(arg, "%d", i)] = ' ';
        rl_request_add(&calls[i].request, RL_LITERAL("ECHO"));
        rl_request_add(&calls[i].request, BYTES(arg));
        rl_conn_submit(conn, &calls[i], platform_now() + MS(5000));
    }
    CHECK(!rl_conn_is_idle(conn));
    for (int i = 0; i < COUNT; i++) {
        rl_call_wait(&calls[i], platform_now() + MS(5000), NULL);
        CHECK_INT(calls[i].error.kind, RL_OK);
        CHECK(memcmp(calls[i].reply->str, args + i * SIZE, SIZE - 1) == 0);
        rl_call_reset(&calls[i]);
    }
    CHECK(rl_conn_is_idle(conn));
    rl_conn_free(conn);
    free(calls);
    free(args);
}

TEST(connection_call_that_is_paired_again_leaves_its_old_twin)
{
    rl_call call = {0}, first = {.detached = true}, second = {.detached = true};

    rl_call_pair(&call, &first);
    rl_call_pair(&call, &second);
    CHECK(first.twin == NULL && call.twin == &second && second.twin == &call);
    rl_call_reset(&call);
    CHECK(second.twin == NULL);
}

TEST(connection_breaks_when_a_call_is_given_up)
{
    rl_call blocked = {0}, behind = {0};

    SERVER(s, NULL);
    rl_conn *conn = conn_to_server(&s, "", "");
    rl_request_add(&blocked.request, RL_LITERAL("BLPOP"));
    rl_request_add(&blocked.request, RL_LITERAL("list"));
    rl_request_add(&blocked.request, RL_LITERAL("0"));
    rl_conn_submit(conn, &blocked, platform_now() + MS(5000));
    rl_request_add(&behind.request, RL_LITERAL("PING"));
    rl_conn_submit(conn, &behind, platform_now() + MS(5000));
    rl_call_wait(&blocked, platform_now() + MS(30), NULL);
    CHECK(!blocked.answered);
    CHECK_INT(blocked.error.kind, RL_TIMED_OUT);
    rl_call_reset(&blocked);
    CHECK(behind.answered);
    CHECK_INT(behind.error.kind, RL_LOST);
    CHECK(!rl_conn_is_idle(conn));
    rl_call_reset(&behind);

    ask(conn, &behind, "PING", NULL); /* connects anew */
    CHECK_INT(behind.error.kind, RL_OK);
    CHECK_TEXT(behind.reply->str, "PONG");
    rl_call_reset(&behind);
    rl_conn_free(conn);
}

TEST(connection_that_died_while_it_was_kept_is_an_error_of_the_sender)
{
    rl_call call;

    SERVER(s, NULL);
    rl_conn *conn = conn_to_server(&s, "", "");
    ask(conn, &call, "PING", NULL);
    CHECK_TEXT(call.reply->str, "PONG");
    rl_call_reset(&call);
    server_kill(&s);
    ask(conn, &call, "PING", NULL); /* nothing has read from the socket before it is written to */
    CHECK(call.answered);
    CHECK_INT(call.error.kind, RL_LOST);
    rl_call_reset(&call);
    rl_conn_free(conn);
}

TEST(connection_wait_ends_when_something_happened_and_not_before)
{
    rl_call blocked = {0};
    int woken = 0;

    SERVER(s, NULL);
    rl_conn *conn = conn_to_server(&s, "", "");
    rl_request_add(&blocked.request, RL_LITERAL("BLPOP"));
    rl_request_add(&blocked.request, RL_LITERAL("list"));
    rl_request_add(&blocked.request, RL_LITERAL("0.5"));
    rl_conn_submit(conn, &blocked, platform_now() + MS(5000));
    while (!blocked.answered) {
        CHECK_INT(rl_wait(&conn, 1, platform_now() + MS(5000), NULL), RL_WAKE_EVENT);
        woken++;
    }
    CHECK_INT(blocked.error.kind, RL_OK);
    CHECK_RANGE(1, woken, 3); /* once when connected, once when answered */
    rl_call_reset(&blocked);
    rl_conn_free(conn);
}

TEST(connection_closes_after_a_last_request_behind_what_is_under_way)
{
    rl_call blocked = {0};
    rl_request last = {0};

    SERVER(s, NULL);
    rl_conn *conn = conn_to_server(&s, "", "");
    rl_request_add(&last, RL_LITERAL("RPUSH"));
    rl_request_add(&last, RL_LITERAL("left"));
    rl_request_add(&last, RL_LITERAL("1"));
    rl_conn_close_after(conn, &last, platform_now() + MS(20)); /* nothing was sent, so there is nothing to undo */
    sleep_ms(20);
    CHECK_TEXT(say(&s, "LLEN left"), "0");

    rl_request_add(&blocked.request, RL_LITERAL("SET"));
    rl_request_add(&blocked.request, RL_LITERAL("k"));
    rl_request_add(&blocked.request, RL_LITERAL("v"));
    process_freeze(s.pid);
    rl_conn_submit(conn, &blocked, platform_now() + MS(5000));
    rl_conn_close_after(conn, &last, platform_now() + MS(20));
    CHECK_INT(blocked.error.kind, RL_LOST);
    rl_call_reset(&blocked);
    kill(s.pid, SIGCONT);
    for (int64_t start = platform_now(); say_number(&s, "LLEN left") != 1;) {
        CHECK(ms_since(start) < 5000);
        sleep_ms(1);
    }
    CHECK_TEXT(say(&s, "GET k"), "v");
    rl_conn_free(conn);
}

static bool count_and_stop_at_three(void *arg)
{
    return ++*(int *)arg == 3;
}

TEST(connection_closes_in_time_after_a_server_that_never_stops_talking)
{
    static char much[32768]; /* sent in one piece, so that the flood is faster than its reader */
    liar l;

    for (size_t i = 0; i < sizeof(much); i++) {
        much[i] = "+x\r\n"[i % 4];
    }
    liar_start(&l, true, &(lie){much, sizeof(much), LIE_FLOOD}, 1);
    for (int i = 0; i < 30; i++) { /* several times, since the flood sometimes pauses on a busy machine */
        rl_conn *conn = conn_to(l.dsn);
        rl_call call = {0};
        rl_request last = {0};
        rl_request_add(&call.request, BYTES("PING"));
        rl_request_add(&last, BYTES("PING"));
        rl_conn_submit(conn, &call, platform_now() + MS(200));
        while (rl_conn_ready_since(conn) == PLATFORM_NEVER) {
            rl_wait(&conn, 1, platform_now() + MS(200), NULL);
        }
        sleep_ms(10); /* the flood begins */
        int64_t start = platform_now();
        rl_conn_close_after(conn, &last, start + MS(20));
        CHECK_RANGE(0, ms_since(start), 20 + SLACK);
        rl_conn_free(conn);
    }
    liar_stop(&l);
}

TEST(connection_wait_asks_the_hook_each_second_and_obeys)
{
    int asked = 0;
    rl_hook hook = {.interrupted = count_and_stop_at_three, .arg = &asked};
    int64_t start = platform_now();

    CHECK_INT(rl_wait(NULL, 0, PLATFORM_NEVER, &hook), RL_WAKE_HOOK);
    CHECK_INT(asked, 3);
    CHECK_RANGE(1990, ms_since(start), 2100 + held_up());
    start = platform_now();
    CHECK_INT(rl_wait(NULL, 0, start + MS(30), NULL), RL_WAKE_DEADLINE);
    CHECK_RANGE(30, ms_since(start), 60 + held_up());
}

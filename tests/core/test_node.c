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

static redis_node *node_to(const char *dsn)
{
    redis_endpoint endpoint;
    char why[128];

    CHECK(redis_endpoint_parse(&endpoint, dsn, strlen(dsn), why, sizeof(why)));
    redis_node *node = redis_node_new(&endpoint, NULL, NULL);
    redis_endpoint_free(&endpoint);
    return node;
}

static redis_node *node_to_server(const server *s, const char *login, const char *query)
{
    char dsn[256];

    snprintf(dsn, sizeof(dsn), "unix://%s%s%s", login, s->path, query);
    return node_to(dsn);
}

/* Asks and waits: up to 200 ms for the connection, 300 ms in all. */
static void ask(redis_node *node, redis_call *call, const char *command, const char *arg)
{
    memset(call, 0, sizeof(*call));
    redis_request_add(&call->request, BYTES(command));
    if (arg != NULL) {
        redis_request_add(&call->request, BYTES(arg));
    }
    redis_node_submit(node, call, platform_now() + MS(200));
    redis_call_wait(call, platform_now() + MS(300), NULL);
}

static void check_error(redis_node *node, redis_failure kind, const char *code, const char *part)
{
    redis_call call;
    int64_t start = platform_now();

    ask(node, &call, "PING", NULL);
    CHECK_INT(call.error.kind, kind);
    CHECK_TEXT(call.error.code, code);
    if (strstr(call.error.text, part) == NULL) {
        test_fail(__FILE__, __LINE__, "the error says: %s", call.error.text);
    }
    CHECK(strstr(call.error.text, "hunter2") == NULL);
    CHECK(ms_since(start) <= 350 + held_up());
    redis_call_reset(&call);
    redis_node_free(node);
}

TEST(node_nobody_listens)
{
    check_error(node_to("unix:///nowhere/redis.sock"), REDIS_UNREACHABLE, "", "No such file");
    check_error(node_to("redis://127.0.0.1:1"), REDIS_UNREACHABLE, "", "refused");
    check_error(node_to("redis://no-such-host.invalid"), REDIS_UNREACHABLE, "", "");
}

TEST(node_connects_by_its_deadline_or_not_at_all)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof(address);
    int fd = socket(AF_INET, SOCK_STREAM, 0), fillers[8];
    char dsn[64];

    /* A full backlog drops what knocks: the connection hangs. */
    CHECK(bind(fd, (struct sockaddr *)&address, size) == 0 && listen(fd, 0) == 0);
    CHECK(getsockname(fd, (struct sockaddr *)&address, &size) == 0);
    for (int i = 0; i < 8; i++) {
        fillers[i] = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
        (void)!connect(fillers[i], (struct sockaddr *)&address, size);
    }
    snprintf(dsn, sizeof(dsn), "redis://127.0.0.1:%d", ntohs(address.sin_port));
    int64_t start = platform_now();
    check_error(node_to(dsn), REDIS_UNREACHABLE, "", "not made in time");
    CHECK_RANGE(195, ms_since(start), 250 + held_up());
    for (int i = 0; i < 8; i++) {
        close(fillers[i]);
    }
    close(fd);
}

TEST(node_full_backlog_of_a_unix_socket_is_waited_for)
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
    check_error(node_to(dsn), REDIS_UNREACHABLE, "", "not made in time");

    redis_node *node = node_to(dsn);
    redis_call call = {0};
    redis_request_add(&call.request, REDIS_LITERAL("PING"));
    redis_node_submit(node, &call, platform_now() + MS(1000));
    redis_call_wait(&call, platform_now() + MS(50), NULL);
    CHECK_INT(call.error.kind, REDIS_UNREACHABLE); /* given up, nothing sent */
    close(accept(fd, NULL, NULL));                 /* makes room */
    call.error.kind = REDIS_FINE;
    redis_wait(&node, 1, platform_now() + MS(50), NULL);
    CHECK_INT(accept(fd, NULL, NULL) >= 0, 1);
    redis_call_reset(&call);
    redis_node_free(node);
    close(filler[0]);
    close(filler[1]);
    close(fd);
}

TEST(node_logs_in_and_selects)
{
    redis_call call;

    SERVER(s, "--requirepass hunter2");
    say(&s, "AUTH hunter2");
    say(&s, "ACL SETUSER joe on >joes ~* &* +@all");
    redis_node *node = node_to_server(&s, ":hunter2@", "?db=3");
    ask(node, &call, "CLIENT", "INFO");
    CHECK_INT(call.error.kind, REDIS_FINE);
    CHECK(strstr(call.reply->str, "db=3") != NULL);
    CHECK(strstr(call.reply->str, "user=default") != NULL);
    CHECK(redis_node_is_idle(node));
    redis_call_reset(&call);
    redis_node_free(node);

    node = node_to_server(&s, "joe:joes@", "");
    ask(node, &call, "CLIENT", "INFO");
    CHECK_INT(call.error.kind, REDIS_FINE);
    CHECK(strstr(call.reply->str, "user=joe") != NULL);
    redis_call_reset(&call);
    redis_node_free(node);

    check_error(node_to_server(&s, ":nothunter2@", ""), REDIS_REFUSED, "WRONGPASS", "login was refused");
    check_error(node_to_server(&s, "joe:hunter2@", "?db=1"), REDIS_REFUSED, "WRONGPASS", "login was refused");
    check_error(node_to_server(&s, "", "?db=1"), REDIS_REFUSED, "NOAUTH", "password is needed");
    check_error(node_to_server(&s, ":hunter2@", "?db=99"), REDIS_REFUSED, "ERR", "database 99 was refused");
    check_error(node_to_server(&s, "", ""), REDIS_REFUSED, "NOAUTH", "password is needed");
}

TEST(node_password_without_need_is_refused)
{
    SERVER(s, NULL);
    check_error(node_to_server(&s, "joe:hunter2@", ""), REDIS_REFUSED, "WRONGPASS", "login was refused");
}

TEST(node_pipeline_is_answered_in_order)
{
    enum { COUNT = 500, SIZE = 2000 };
    redis_call *calls = platform_zalloc(COUNT * sizeof(*calls));
    char *args = platform_zalloc(COUNT * SIZE);

    SERVER(s, NULL);
    redis_node *node = node_to_server(&s, "", "");
    for (int i = 0; i < COUNT; i++) { /* together more than a socket takes at once */
        char *arg = args + i * SIZE;
        memset(arg, 'x', SIZE - 1);
        arg[sprintf(arg, "%d", i)] = ' ';
        redis_request_add(&calls[i].request, REDIS_LITERAL("ECHO"));
        redis_request_add(&calls[i].request, BYTES(arg));
        redis_node_submit(node, &calls[i], platform_now() + MS(1000));
    }
    CHECK(!redis_node_is_idle(node));
    for (int i = 0; i < COUNT; i++) {
        redis_call_wait(&calls[i], platform_now() + MS(5000), NULL);
        CHECK_INT(calls[i].error.kind, REDIS_FINE);
        CHECK(memcmp(calls[i].reply->str, args + i * SIZE, SIZE - 1) == 0);
        redis_call_reset(&calls[i]);
    }
    CHECK(redis_node_is_idle(node));
    redis_node_free(node);
    free(calls);
    free(args);
}

TEST(node_call_given_up_breaks_the_connection)
{
    redis_call blocked = {0}, behind = {0};

    SERVER(s, NULL);
    redis_node *node = node_to_server(&s, "", "");
    redis_request_add(&blocked.request, REDIS_LITERAL("BLPOP"));
    redis_request_add(&blocked.request, REDIS_LITERAL("list"));
    redis_request_add(&blocked.request, REDIS_LITERAL("0"));
    redis_node_submit(node, &blocked, platform_now() + MS(1000));
    redis_request_add(&behind.request, REDIS_LITERAL("PING"));
    redis_node_submit(node, &behind, platform_now() + MS(1000));
    redis_call_wait(&blocked, platform_now() + MS(30), NULL);
    CHECK(!blocked.answered);
    CHECK_INT(blocked.error.kind, REDIS_TIMED_OUT);
    redis_call_reset(&blocked);
    CHECK(behind.answered);
    CHECK_INT(behind.error.kind, REDIS_LOST);
    CHECK(!redis_node_is_idle(node));
    redis_call_reset(&behind);

    ask(node, &behind, "PING", NULL); /* it connects anew */
    CHECK_INT(behind.error.kind, REDIS_FINE);
    CHECK_TEXT(behind.reply->str, "PONG");
    redis_call_reset(&behind);
    redis_node_free(node);
}

TEST(node_connection_that_died_while_it_was_kept_is_an_error_of_who_sends)
{
    redis_call call;

    SERVER(s, NULL);
    redis_node *node = node_to_server(&s, "", "");
    ask(node, &call, "PING", NULL);
    CHECK_TEXT(call.reply->str, "PONG");
    redis_call_reset(&call);
    server_kill(&s);
    ask(node, &call, "PING", NULL); /* nobody looked at the socket before it is written to */
    CHECK(call.answered);
    CHECK_INT(call.error.kind, REDIS_LOST);
    redis_call_reset(&call);
    redis_node_free(node);
}

TEST(node_wait_ends_when_something_happened_and_not_before)
{
    redis_call blocked = {0};
    int woken = 0;

    SERVER(s, NULL);
    redis_node *node = node_to_server(&s, "", "");
    redis_request_add(&blocked.request, REDIS_LITERAL("BLPOP"));
    redis_request_add(&blocked.request, REDIS_LITERAL("list"));
    redis_request_add(&blocked.request, REDIS_LITERAL("0.5"));
    redis_node_submit(node, &blocked, platform_now() + MS(1000));
    while (!blocked.answered) {
        CHECK_INT(redis_wait(&node, 1, platform_now() + MS(5000), NULL), REDIS_WOKEN);
        woken++;
    }
    CHECK_INT(blocked.error.kind, REDIS_FINE);
    CHECK_RANGE(1, woken, 3); /* it connects, and is answered */
    redis_call_reset(&blocked);
    redis_node_free(node);
}

TEST(node_parts_with_a_last_request_behind_what_is_under_way)
{
    redis_call blocked = {0};
    redis_request last = {0};

    SERVER(s, NULL);
    redis_node *node = node_to_server(&s, "", "");
    redis_request_add(&last, REDIS_LITERAL("RPUSH"));
    redis_request_add(&last, REDIS_LITERAL("left"));
    redis_request_add(&last, REDIS_LITERAL("1"));
    redis_node_part(node, &last, platform_now() + MS(20)); /* nothing was sent: nothing to undo */
    sleep_ms(20);
    CHECK_TEXT(say(&s, "LLEN left"), "0");

    redis_request_add(&blocked.request, REDIS_LITERAL("SET"));
    redis_request_add(&blocked.request, REDIS_LITERAL("k"));
    redis_request_add(&blocked.request, REDIS_LITERAL("v"));
    process_freeze(s.pid);
    redis_node_submit(node, &blocked, platform_now() + MS(1000));
    redis_node_part(node, &last, platform_now() + MS(20));
    CHECK_INT(blocked.error.kind, REDIS_LOST);
    redis_call_reset(&blocked);
    kill(s.pid, SIGCONT);
    sleep_ms(20);
    CHECK_TEXT(say(&s, "LLEN left"), "1");
    CHECK_TEXT(say(&s, "GET k"), "v");
    redis_node_free(node);
}

static bool count_and_stop_at_three(void *arg)
{
    return ++*(int *)arg == 3;
}

TEST(node_parts_in_time_with_a_server_that_never_stops_talking)
{
    static char much[32768]; /* at a time, so that it is faster than who reads it */
    liar l;

    for (size_t i = 0; i < sizeof(much); i++) {
        much[i] = "+x\r\n"[i % 4];
    }
    liar_start(&l, true, &(lie){much, sizeof(much), LIE_FLOOD}, 1);
    for (int i = 0; i < 30; i++) { /* now and then it pauses, on a busy machine */
        redis_node *node = node_to(l.dsn);
        redis_call call = {0};
        redis_request last = {0};
        redis_request_add(&call.request, BYTES("PING"));
        redis_request_add(&last, BYTES("PING"));
        redis_node_submit(node, &call, platform_now() + MS(200));
        while (redis_node_ready_since(node) == PLATFORM_NEVER) {
            redis_wait(&node, 1, platform_now() + MS(200), NULL);
        }
        sleep_ms(10); /* the flood comes */
        int64_t start = platform_now();
        redis_node_part(node, &last, start + MS(20));
        CHECK_RANGE(0, ms_since(start), 20 + SLACK);
        redis_node_free(node);
    }
    liar_stop(&l);
}

TEST(node_wait_asks_the_hook_each_second_and_obeys)
{
    int asked = 0;
    redis_hook hook = {count_and_stop_at_three, &asked};
    int64_t start = platform_now();

    CHECK_INT(redis_wait(NULL, 0, PLATFORM_NEVER, &hook), REDIS_HOOK_SAYS);
    CHECK_INT(asked, 3);
    CHECK_RANGE(1990, ms_since(start), 2100 + held_up());
    start = platform_now();
    CHECK_INT(redis_wait(NULL, 0, start + MS(30), NULL), REDIS_TIME_IS_UP);
    CHECK_RANGE(30, ms_since(start), 60 + held_up());
}

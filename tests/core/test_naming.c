/* SPDX-License-Identifier: MIT
 *
 * Connections name themselves: in the write of their first request, and only if the server takes names.
 */
#include "bed.h"

#include <stdio.h>
#include <unistd.h>
#include <linux/tcp.h> /* that of the C library lacks tcpi_data_segs_in */
#include <netinet/in.h>
#include <sys/socket.h>

#include "redis/naming.h"

/* ---- what is known of servers ---- */

static uint64_t server_at(const char *host, int port, char *username)
{
    rl_endpoint endpoint = {.username = username};

    return rl_naming_server(&endpoint, host, port);
}

TEST(naming_is_off_until_it_is_started)
{
    CHECK_INT(server_at("a", 1, NULL), 0);
    CHECK(!rl_naming_wants(0, true));
    rl_naming_tell(0, RL_NAME_REFUSED);
    rl_naming_start();
    CHECK(server_at("a", 1, NULL) != 0);
}

TEST(naming_tells_servers_and_users_apart)
{
    rl_endpoint unix_socket = {.path = "/a"};
    uint64_t numbers[6];

    rl_naming_start();
    numbers[0] = server_at("a", 1, NULL);
    numbers[1] = server_at("b", 1, NULL);
    numbers[2] = server_at("a", 2, NULL);
    numbers[3] = server_at("a", 1, "a");
    numbers[4] = server_at("a", 1, "b");
    numbers[5] = rl_naming_server(&unix_socket, NULL, 0);
    for (int i = 0; i < 6; i++) {
        CHECK((numbers[i] & 7) == 0); /* where the state stands */
        for (int k = 0; k < i; k++) {
            CHECK(numbers[i] != numbers[k]);
        }
    }
    CHECK(numbers[4] == server_at("a", 1, "b"));
}

/* What is known once these outcomes were told, one after another, to a server that has been asked. */
typedef enum known { WANTS, LEAVES_OUT, ASKS } known;

static void check_known(const rl_naming_outcome *outcomes, size_t count, known wanted)
{
    static int port;
    uint64_t server = server_at("host", ++port, NULL);

    CHECK(rl_naming_wants(server, true));
    CHECK(!rl_naming_wants(server, true)); /* one asks, the others leave it out */
    for (size_t i = 0; i < count; i++) {
        rl_naming_tell(server, outcomes[i]);
    }
    CHECK(rl_naming_wants(server, false) == (wanted == WANTS)); /* does not ask */
    CHECK(rl_naming_wants(server, true) == (wanted != LEAVES_OUT));
    CHECK(rl_naming_wants(server, true) == (wanted == WANTS));
}

#define CHECK_KNOWN(wanted, ...)                                                                                       \
    do {                                                                                                               \
        static const rl_naming_outcome outcomes[] = {__VA_ARGS__};                                                     \
        check_known(outcomes, sizeof(outcomes) / sizeof(*outcomes), wanted);                                           \
    } while (0)

TEST(naming_goes_by_what_one_connection_has_learned)
{
    rl_naming_start();
    CHECK_KNOWN(WANTS, RL_NAME_TAKEN);
    CHECK_KNOWN(WANTS, RL_NAME_TAKEN, RL_NAME_UNANSWERED);
    CHECK_KNOWN(WANTS, RL_NAME_TAKEN, RL_NAME_CLOSED_WITHOUT);
    CHECK_KNOWN(LEAVES_OUT, RL_NAME_REFUSED);
    CHECK_KNOWN(LEAVES_OUT, RL_NAME_TAKEN, RL_NAME_REFUSED);
    CHECK_KNOWN(LEAVES_OUT, RL_NAME_REFUSED, RL_NAME_UNANSWERED);
    CHECK_KNOWN(LEAVES_OUT, RL_NAME_REFUSED, RL_NAME_CLOSED_WITHOUT);
    CHECK_KNOWN(LEAVES_OUT, RL_NAME_CLOSED);
    CHECK_KNOWN(LEAVES_OUT, RL_NAME_CLOSED, RL_NAME_UNANSWERED);
    CHECK_KNOWN(LEAVES_OUT, RL_NAME_TAKEN, RL_NAME_CLOSED);
    CHECK_KNOWN(ASKS, RL_NAME_UNANSWERED);
    CHECK_KNOWN(ASKS, RL_NAME_CLOSED, RL_NAME_CLOSED_WITHOUT);
}

/* Those that refuse are never forgotten, so that none of them has a second entry in its ACL LOG. */
TEST(naming_knows_a_bounded_number_of_servers)
{
    rl_naming_start();
    for (int i = 0; i < RL_NAMING_SERVERS; i++) {
        uint64_t server = server_at("host", i, NULL);
        CHECK(rl_naming_wants(server, true));
        rl_naming_tell(server, i == 0 ? RL_NAME_TAKEN : RL_NAME_REFUSED);
    }
    uint64_t one = server_at("one more", 0, NULL), another = server_at("another", 0, NULL);
    CHECK(rl_naming_wants(one, true)); /* in place of the one that takes names */
    rl_naming_tell(one, RL_NAME_REFUSED);
    CHECK(!rl_naming_wants(another, true));
    CHECK(!rl_naming_wants(server_at("host", 0, NULL), true));
    for (int i = 1; i < RL_NAMING_SERVERS; i++) {
        CHECK(!rl_naming_wants(server_at("host", i, NULL), true));
    }
}

static void check_in_a_child(void *arg)
{
    const uint64_t *servers = arg;

    CHECK(rl_naming_wants(servers[0], true)); /* the parent's connection is none of the child's */
    CHECK(!rl_naming_wants(servers[0], true));
    CHECK(rl_naming_wants(servers[1], true));
    CHECK(rl_naming_wants(servers[1], true));
    CHECK(!rl_naming_wants(servers[2], true));
}

TEST(naming_in_a_child_goes_by_what_its_parent_has_learned)
{
    uint64_t servers[3];

    rl_naming_start();
    for (int i = 0; i < 3; i++) {
        servers[i] = server_at("host", i, NULL);
        CHECK(rl_naming_wants(servers[i], true));
    }
    rl_naming_tell(servers[1], RL_NAME_TAKEN);
    rl_naming_tell(servers[2], RL_NAME_REFUSED);
    process_join(process_start(check_in_a_child, servers));
    CHECK(!rl_naming_wants(servers[0], true));
}

static atomic_int asking[100];
static pthread_barrier_t together;

static void *ask_in_a_thread(void *arg)
{
    for (int i = 0; i < 100; i++) {
        pthread_barrier_wait(&together);
        asking[i] += rl_naming_wants(server_at("host", i, NULL), true);
    }
    return arg;
}

TEST(naming_of_many_threads_one_asks)
{
    pthread_t threads[8];

    rl_naming_start();
    pthread_barrier_init(&together, NULL, 8);
    for (int i = 0; i < 8; i++) {
        threads[i] = thread_start(ask_in_a_thread, NULL);
    }
    for (int i = 0; i < 8; i++) {
        thread_join(threads[i]);
    }
    for (int i = 0; i < 100; i++) {
        CHECK_INT(asking[i], 1);
    }
}

/* ---- connections ---- */

/* Sends a command and waits for the answer. `once`: it is not sent again. */
static void ask_as(rl_conn *conn, rl_call *call, const char *command, const char *arg, bool once)
{
    memset(call, 0, sizeof(*call));
    rl_request_begin(&call->request, NULL);
    rl_request_add(&call->request, BYTES(command));
    if (arg != NULL) {
        rl_request_add(&call->request, BYTES(arg));
    }
    call->request.once = once;
    rl_conn_submit(conn, call, platform_now() + MS(5000));
    rl_call_wait(call, platform_now() + MS(3000), NULL);
}

/* The name of the connection, as its server knows it. Overwritten by the next call. */
static const char *name_of(rl_conn *conn)
{
    static char name[128];
    rl_call call;

    ask_as(conn, &call, "CLIENT", "GETNAME", false);
    CHECK_INT(call.error.kind, RL_OK);
    snprintf(name, sizeof(name), "%s", call.reply->str != NULL ? call.reply->str : "");
    rl_call_reset(&call);
    return name;
}

/* Opens a connection, asks for its name over it, and closes it. */
static const char *name_at(const char *dsn)
{
    rl_conn *conn = conn_to(dsn);
    const char *name = name_of(conn);

    rl_conn_free(conn);
    return name;
}

/* Opens a connection, pings, and closes it. */
static void check_ping(const char *dsn, bool once, rl_failure kind, const char *code)
{
    rl_conn *conn = conn_to(dsn);
    rl_call call;

    ask_as(conn, &call, "PING", NULL, once);
    CHECK_INT(call.error.kind, kind);
    CHECK_TEXT(call.error.code, code);
    rl_call_reset(&call);
    rl_conn_free(conn);
}

/* The name of this process. Overwritten by the next call. */
static const char *own_name(void)
{
    static char name[RL_NAME_SIZE + 1];
    rl_bytes bytes = rl_naming_name(name);

    name[bytes.len] = '\0';
    return name;
}

static const char *dsn_of(const char *path, const char *login, const char *query)
{
    static char dsn[256];

    snprintf(dsn, sizeof(dsn), "unix://%s%s%s", login, path, query);
    return dsn;
}

static void check_name_of_a_child(void *arg)
{
    const server *s = arg;

    CHECK_TEXT(name_at(dsn_of(s->path, "", "")), own_name());
}

TEST(naming_is_by_host_and_pid)
{
    char host[256], wanted[300], parent[128];

    SERVER(s, NULL);
    CHECK_TEXT(name_at(dsn_of(s.path, "", "")), "");
    rl_naming_start();
    CHECK(gethostname(host, sizeof(host)) == 0);
    snprintf(wanted, sizeof(wanted), "redislock:%.*s:%ld", PLATFORM_HOST_MAX, host, (long)getpid());
    snprintf(parent, sizeof(parent), "%s", name_at(dsn_of(s.path, "", "")));
    CHECK_TEXT(parent, wanted);
    process_join(process_start(check_name_of_a_child, &s));
    CHECK_TEXT(name_at(dsn_of(s.path, "", "")), wanted);
}

TEST(naming_comes_behind_the_login)
{
    SERVER(s, "--requirepass hunter2");
    say(&s, "AUTH hunter2");
    rl_naming_start();
    check_ping(dsn_of(s.path, "", ""), false, RL_REFUSED, "NOAUTH"); /* which is no word about the name */
    CHECK_TEXT(name_at(dsn_of(s.path, ":hunter2@", "?db=3")), own_name());
    CHECK_INT(strstr(say(&s, "ACL LOG"), "setname") == NULL, 1);
}

/* Listens for one connection, and answers a name and a PING. What is written at once comes in one segment of TCP. */
typedef struct segments {
    int listener;
    unsigned count; /* which brought the two */
} segments;

static void *count_segments(void *arg)
{
    segments *s = arg;
    struct tcp_info info = {0};
    socklen_t size = sizeof(info);
    char request[512];
    size_t len = 0;
    ssize_t n;
    int fd = accept(s->listener, NULL, NULL);

    do {
        n = recv(fd, request + len, sizeof(request) - len - 1, 0);
        len += n > 0 ? (size_t)n : 0;
        request[len] = '\0';
    } while (n > 0 && strstr(request, "PING") == NULL);
    CHECK(strstr(request, "SETNAME") != NULL);
    CHECK(getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &size) == 0);
    s->count = info.tcpi_data_segs_in;
    CHECK(send(fd, "+OK\r\n+PONG\r\n", 12, 0) == 12);
    CHECK(recv(fd, request, 1, 0) == 0);
    close(fd);
    return NULL;
}

TEST(naming_goes_in_the_segment_of_the_first_request)
{
    segments s = {.listener = socket(AF_INET, SOCK_STREAM, 0)};
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof(at);
    char dsn[64];

    CHECK(bind(s.listener, (struct sockaddr *)&at, sizeof(at)) == 0 && listen(s.listener, 1) == 0);
    CHECK(getsockname(s.listener, (struct sockaddr *)&at, &size) == 0);
    snprintf(dsn, sizeof(dsn), "redis://127.0.0.1:%d", ntohs(at.sin_port));
    rl_naming_start();
    pthread_t thread = thread_start(count_segments, &s);
    check_ping(dsn, false, RL_OK, "");
    thread_join(thread);
    CHECK_INT(s.count, 1);
    close(s.listener);
}

TEST(naming_goes_once_for_each_connection)
{
    rl_call call;

    SERVER(s, NULL);
    RELAY(r, &s);
    rl_naming_start();
    rl_conn *conn = conn_to(dsn_of(r.path, "", ""));
    for (int i = 1; i <= 3; i++) {
        ask_as(conn, &call, "PING", NULL, false);
        CHECK_INT(call.error.kind, RL_OK);
        CHECK_INT(r.control->requests, i);
        rl_call_reset(&call);
    }
    CHECK_INT(r.control->connections, 1);
    CHECK_INT(server_calls(&s, "client|setname"), 1);
    rl_conn_free(conn);
}

TEST(naming_that_is_refused_is_one_entry_and_no_error)
{
    SERVER(s, NULL);
    say(&s, "ACL SETUSER joe on >joes ~* &* +@all -client");
    RELAY(r, &s);
    rl_naming_start();
    for (int i = 0; i < 3; i++) {
        check_ping(dsn_of(r.path, "joe:joes@", ""), false, RL_OK, "");
    }
    CHECK_INT(r.control->requests, 6); /* a login and a request each */
    CHECK_TEXT(name_at(dsn_of(s.path, "", "")), own_name());
    redisReply *log = redisCommand(s.raw, "ACL LOG");
    CHECK_INT(log->elements, 1);
    CHECK_TEXT(log->element[0]->element[0]->str, "count"); /* of entries that are alike */
    CHECK_INT(log->element[0]->element[1]->integer, 1);
    freeReplyObject(log);
}

/* A proxy that does not know CLIENT closes the connection. */
TEST(naming_that_closes_the_connection_is_left_out)
{
    PUPPET(p);
    puppet_answers(&p, "PING", "+PONG\r\n");
    puppet_breaks(&p, "SETNAME");
    rl_naming_start();
    check_ping(p.liar.dsn, true, RL_OK, ""); /* not over a request that is not sent again */
    check_ping(p.liar.dsn, false, RL_LOST, "");
    check_ping(p.liar.dsn, false, RL_OK, "");
    check_ping(p.liar.dsn, true, RL_OK, "");
    CHECK_INT(puppet_connections(&p), 4);
}

TEST(naming_is_not_blamed_where_the_server_closes_every_connection)
{
    PUPPET(p);
    puppet_breaks(&p, "SETNAME");
    puppet_breaks(&p, "PING");
    rl_naming_start();
    check_ping(p.liar.dsn, false, RL_LOST, "");
    check_ping(p.liar.dsn, false, RL_LOST, ""); /* without a name, and so it is not its fault */
    puppet_answers(&p, "PING", "+PONG\r\n");
    check_ping(p.liar.dsn, false, RL_LOST, ""); /* with a name */
    check_ping(p.liar.dsn, false, RL_OK, "");
    check_ping(p.liar.dsn, false, RL_OK, "");
}

TEST(naming_that_closes_the_connection_is_no_error_of_a_lock)
{
    client c;

    PUPPET(p);
    puppet_answers(&p, "EVALSHA", "*2\r\n:1\r\n:1\r\n");
    puppet_breaks(&p, "SETNAME");
    rl_naming_start();
    client_open_dsn(&c, p.liar.dsn);
    CHECK_INT(take(&c, "x", 5000, 0), LOCK_YES);
    CHECK_INT(puppet_connections(&p), 2);
    client_close(&c);
}

/* What refuses a connection as a whole comes in answer to the name, and is the caller's to see. */
TEST(naming_hides_no_refusal_of_the_connection)
{
    static const struct {
        lie lie;
        rl_failure kind;
        const char *code;
    } refusals[] = {
        {LIE("-ERR max number of clients reached\r\n", LIE_CLOSE), RL_REFUSED, "ERR"},
        {LIE("-DENIED Redis is running in protected mode\r\n", LIE_CLOSE), RL_ERROR_REPLY, "DENIED"},
    };

    rl_naming_start();
    for (size_t i = 0; i < sizeof(refusals) / sizeof(*refusals); i++) {
        liar l;
        liar_start(&l, true, &refusals[i].lie, 1);
        check_ping(l.dsn, false, refusals[i].kind, refusals[i].code);
        l.control->lies[0] = (lie)LIE("+OK\r\n", LIE_SEND);
        rl_conn *conn = conn_to(l.dsn);
        rl_call call;
        int before = l.control->requests;
        ask_as(conn, &call, "PING", NULL, false);
        CHECK_INT(call.error.kind, RL_OK);
        CHECK_INT(l.control->requests - before, 2); /* with a name: nobody has refused that */
        rl_call_reset(&call);
        rl_conn_free(conn);
        liar_stop(&l);
    }
}

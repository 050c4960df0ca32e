/* SPDX-License-Identifier: MIT
 *
 * A connection that asks sentinels where its server is: how they decide, whatever they say, and what becomes of it when
 * it is given up on the way. The calls over such connections are in test_failover.c.
 */
#define _GNU_SOURCE /* RTLD_NEXT */
#include "bed.h"

#include <dirent.h>
#include <dlfcn.h>
#include <netdb.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "redis/sentinel.h"

#define ROLE_OF_MASTER "*3\r\n$6\r\nmaster\r\n:0\r\n*0\r\n"

/* ---- names that are resolved ---- */

static atomic_int resolved; /* how often a name that is no address was looked up */

/* A host that has addresses of both families, of which the C library tells that of IPv6 first, as it mostly does. */
#define OF_BOTH_FAMILIES "both.invalid"

/* Stands in front of the C library's. */
int getaddrinfo(const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **found)
{
    int (*real)(const char *, const char *, const struct addrinfo *, struct addrinfo **) =
        (int (*)(const char *, const char *, const struct addrinfo *, struct addrinfo **))dlsym(RTLD_NEXT,
                                                                                                "getaddrinfo");
    struct addrinfo numeric = {.ai_flags = AI_NUMERICHOST}, *unused;

    if ((hints == NULL || (hints->ai_flags & AI_NUMERICHOST) == 0) && node != NULL) {
        if (real(node, NULL, &numeric, &unused) == 0) {
            freeaddrinfo(unused);
        } else {
            atomic_fetch_add(&resolved, 1);
        }
    }
    if (node != NULL && strcmp(node, OF_BOTH_FAMILIES) == 0) {
        int family = hints != NULL ? hints->ai_family : AF_UNSPEC;
        int problem = real(family == AF_INET ? "127.0.0.1" : "::1", service, hints, found);
        return problem != 0 || family != AF_UNSPEC ? problem : real("127.0.0.1", service, hints, &(*found)->ai_next);
    }
    return real(node, service, hints, found);
}

/* The renewing thread is to find a server where the calling thread found it: there, hiredis tries IPv4 first. */
TEST(hosts_have_the_address_that_is_connected_to)
{
    static const lie pong = LIE("+PONG\r\n", LIE_SEND);
    rl_hosts connected = {0}, looked_up = {0};
    rl_endpoint endpoint;
    rl_call call = {0};
    char why[128];
    liar l;

    liar_start(&l, true, &pong, 1);
    CHECK(rl_endpoint_parse(&endpoint, "redis://" OF_BOTH_FAMILIES, strlen("redis://" OF_BOTH_FAMILIES), why,
                            sizeof(why)));
    endpoint.port = atoi(strrchr(l.dsn, ':') + 1);
    rl_conn *conn = rl_conn_new(&endpoint, NULL, NULL);
    rl_request_add(&call.request, RL_LITERAL("PING"));
    rl_conn_submit(conn, &call, platform_now() + MS(5000));
    rl_call_wait(&call, platform_now() + MS(5000), NULL);
    CHECK_INT(call.error.kind, RL_OK);
    rl_conn_hosts(conn, &connected);
    rl_hosts_expect(&looked_up, OF_BOTH_FAMILIES);
    rl_hosts_resolve(&looked_up);
    CHECK_TEXT(rl_hosts_find(&connected, OF_BOTH_FAMILIES), "127.0.0.1");
    CHECK_TEXT(rl_hosts_find(&looked_up, OF_BOTH_FAMILIES), "127.0.0.1");
    rl_call_reset(&call);
    rl_conn_free(conn);
    rl_endpoint_free(&endpoint);
    rl_hosts_free(&connected);
    rl_hosts_free(&looked_up);
    liar_stop(&l);
}

/* ---- asking ---- */

/* Opens a client of the master "m", with a login or "", of sentinels at these ports. */
static void open_client(client *c, const char *login, const int *ports, int count, const char *database)
{
    char dsn[512];
    int len = snprintf(dsn, sizeof(dsn), "redis-sentinel://%s", login);

    for (int i = 0; i < count; i++) {
        len += snprintf(dsn + len, sizeof(dsn) - (size_t)len, "%s127.0.0.1:%d", i > 0 ? "," : "", ports[i]);
    }
    snprintf(dsn + len, sizeof(dsn) - (size_t)len, "/m%s", database);
    client_open_dsn(c, dsn);
}

#define MOST 16

/* Some sentinels, and a client of them. */
typedef struct watch {
    int count;
    puppet sentinels[MOST];
    client c;
} watch;

static void watch_open(watch *w, int count)
{
    int ports[MOST];

    w->count = count;
    for (int i = 0; i < count; i++) {
        puppet_start(&w->sentinels[i]);
        ports[i] = w->sentinels[i].port;
    }
    open_client(&w->c, "", ports, count, "");
}

static void watch_close(watch *w)
{
    client_close(&w->c);
    for (int i = 0; i < w->count; i++) {
        puppet_stop(&w->sentinels[i]);
    }
}

#define WATCH(w, count)                                                                                                \
    CLOSED_BY(watch_close) watch w;                                                                                    \
    watch_open(&(w), count)

static void submit(rl_conn *conn, rl_call *call, const char *command, int64_t ms)
{
    memset(call, 0, sizeof(*call));
    rl_request_add(&call->request, BYTES(command));
    rl_conn_submit(conn, call, platform_now() + MS(ms));
}

/* Sends a PING over the connection, which may take `ms` to be made. */
static rl_failure ping(rl_conn *conn, int64_t ms, rl_error *error)
{
    rl_call call;

    submit(conn, &call, "PING", ms);
    rl_call_wait(&call, platform_now() + MS(ms + 500), NULL);
    *error = call.error;
    rl_failure kind = call.error.kind;
    CHECK(memchr(error->text, '\0', sizeof(error->text)) != NULL);
    rl_call_reset(&call);
    return kind;
}

/* The same over a new connection. */
static rl_failure ask(watch *w, int64_t ms)
{
    rl_conn *conn = rl_pool_take(&w->c.pool, &w->c.endpoint);
    rl_failure kind = ping(conn, ms, &w->c.error);

    rl_conn_free(conn);
    return kind;
}

static void check_part(const char *text, const char *part)
{
    if (strstr(text, part) == NULL) {
        test_fail(__FILE__, __LINE__, "\"%s\" is not in: %s", part, text);
    }
}

/* ---- deciding ---- */

/* Does the client come to this master, and not to another one? */
static void check_led_to(watch *w, const puppet *to, const puppet *other, int64_t ms)
{
    int before = puppet_connections(to), elsewhere = puppet_connections(other);

    if (ask(w, ms) != RL_OK) {
        test_fail(__FILE__, __LINE__, "%s", w->c.error.text);
    }
    CHECK_INT(puppet_connections(to), before + 1);
    CHECK_INT(puppet_connections(other), elsewhere);
}

TEST(sentinel_highest_epoch_of_a_majority_wins)
{
    PUPPET(old);
    PUPPET(new);
    puppet_is_master(&old);
    puppet_is_master(&new);
    WATCH(w, 5); /* two are silent, so that the majority is known */
    puppet_names(&w.sentinels[0], "127.0.0.1", old.port, 7);
    puppet_names(&w.sentinels[2], "127.0.0.1", old.port, 7);
    puppet_names(&w.sentinels[4], "127.0.0.1", new.port, 8);
    check_led_to(&w, &new, &old, 10000);
}

TEST(sentinel_among_equal_epochs_the_most_named_wins)
{
    PUPPET(one);
    PUPPET(other);
    puppet_is_master(&one);
    puppet_is_master(&other);
    WATCH(w, 5);
    puppet_names(&w.sentinels[1], "127.0.0.1", one.port, 3);
    puppet_names(&w.sentinels[2], "127.0.0.1", other.port, 3);
    puppet_names(&w.sentinels[3], "127.0.0.1", other.port, 3);
    check_led_to(&w, &other, &one, 10000);
}

TEST(sentinel_minority_is_believed_from_half_of_the_time_on)
{
    PUPPET(master);
    puppet_is_master(&master);
    WATCH(w, 3);
    puppet_names(&w.sentinels[1], "127.0.0.1", master.port, 1);
    int64_t start = platform_now();
    CHECK_INT(ask(&w, 4000), RL_OK);
    CHECK_RANGE(1999, ms_since(start), 2500 + held_up());
}

TEST(sentinel_search_that_was_given_up_is_begun_anew)
{
    rl_call call;

    PUPPET(master);
    puppet_is_master(&master);
    WATCH(w, 2);
    rl_conn *conn = rl_pool_take(&w.c.pool, &w.c.endpoint);
    submit(conn, &call, "PING", 2000);
    rl_call_wait(&call, platform_now() + MS(10), NULL);
    CHECK(!call.answered);
    rl_call_reset(&call);
    puppet_names(&w.sentinels[0], "127.0.0.1", master.port, 1);
    CHECK_INT(ping(conn, 3000, &w.c.error), RL_OK);
    rl_conn_free(conn);
}

/* One that refuses connections, one that hangs, one that sends garbage, and two that know. */
TEST(sentinel_majority_is_enough_whatever_the_others_do)
{
    PUPPET(master);
    puppet_is_master(&master);
    WATCH(w, 5);
    puppet_kill(&w.sentinels[0]);
    puppet_answers(&w.sentinels[2], "MASTER", "what?\r\n");
    for (int i = 1; i < 5; i++) {
        if (i != 2) {
            puppet_names(&w.sentinels[i], "127.0.0.1", master.port, 1);
        }
    }
    int64_t start = platform_now();
    CHECK_INT(ask(&w, 10000), RL_OK);
    CHECK_RANGE(0, ms_since(start), 4000);
}

/* All have answered, or will not, so there is nothing to wait for. */
TEST(sentinel_minority_is_believed_at_once_where_the_others_refuse)
{
    PUPPET(master);
    puppet_is_master(&master);
    WATCH(w, 3);
    puppet_kill(&w.sentinels[0]);
    puppet_kill(&w.sentinels[2]);
    puppet_names(&w.sentinels[1], "127.0.0.1", master.port, 1);
    int64_t start = platform_now();
    CHECK_INT(ask(&w, 10000), RL_OK);
    CHECK_RANGE(0, ms_since(start), 4000);
}

TEST(sentinel_that_refuses_is_an_error_at_once)
{
    WATCH(w, 3);
    for (int i = 0; i < 3; i++) {
        puppet_kill(&w.sentinels[i]);
    }
    int64_t start = platform_now();
    CHECK_INT(ask(&w, 10000), RL_UNREACHABLE);
    CHECK_RANGE(0, ms_since(start), 4000);
    check_part(w.c.error.text, "no sentinel could be asked; 127.0.0.1:");
    check_part(w.c.error.text, "refused");
}

TEST(sentinel_that_hangs_is_an_error_in_time)
{
    WATCH(w, 3);
    int64_t start = platform_now();
    CHECK_INT(ask(&w, 200), RL_UNREACHABLE);
    CHECK_RANGE(199, ms_since(start), 200 + SLACK);
    CHECK_TEXT(w.c.error.text, "no sentinel has answered in time");
}

TEST(sentinel_majority_that_is_missing_is_told)
{
    WATCH(w, 5);
    puppet_answers(&w.sentinels[0], "GET-MASTER-ADDR-BY-NAME", "*-1\r\n");
    puppet_answers(&w.sentinels[0], "MASTER", "-ERR No such master with that name\r\n");
    CHECK_INT(ask(&w, 200), RL_UNREACHABLE);
    CHECK_TEXT(w.c.error.text, "too few sentinels have answered in time, and none of them watches a master named 'm'");
}

TEST(sentinel_unknown_master_is_an_error_at_once)
{
    WATCH(w, 3);
    for (int i = 0; i < 2; i++) {
        puppet_answers(&w.sentinels[i], "GET-MASTER-ADDR-BY-NAME", "*-1\r\n");
        puppet_answers(&w.sentinels[i], "MASTER", "-ERR No such master with that name\r\n");
    }
    int64_t start = platform_now();
    CHECK_INT(ask(&w, 10000), RL_REFUSED);
    CHECK_RANGE(0, ms_since(start), 4000);
    CHECK_TEXT(w.c.error.text, "the sentinels watch no master named 'm'");
}

TEST(sentinel_of_which_one_question_is_refused_answers_by_the_other)
{
    PUPPET(master);
    PUPPET(old);
    puppet_is_master(&master);
    puppet_is_master(&old);
    WATCH(w, 2);
    puppet_names(&w.sentinels[0], "127.0.0.1", master.port, 5);
    puppet_names(&w.sentinels[1], "127.0.0.1", old.port, 9); /* without its epoch, that is the lower one */
    puppet_answers(&w.sentinels[0], "GET-MASTER-ADDR-BY-NAME", "-NOPERM this user has no permissions\r\n");
    puppet_answers(&w.sentinels[1], "MASTER", "-NOPERM this user has no permissions\r\n");
    check_led_to(&w, &master, &old, 10000);
}

TEST(sentinel_refusal_is_told)
{
    static const struct {
        const char *reply, *part;
    } cases[] = {
        {"-NOAUTH Authentication required.\r\n", "a password is needed (NOAUTH)"},
        {"-NOPERM this user has no permissions to run the 'sentinel' command\r\n", "NOPERM"},
        {"-ERR max number of clients reached\r\n", "max number of clients"},
        {"-ERR unknown command 'SENTINEL', with args beginning with: 'MASTER' 'm'\r\n", "unknown command 'SENTINEL'"},
    };

    WATCH(w, 3);
    for (size_t k = 0; k < sizeof(cases) / sizeof(*cases); k++) {
        for (int i = 0; i < 3; i++) {
            puppet_answers(&w.sentinels[i], "GET-MASTER-ADDR-BY-NAME", cases[k].reply);
            puppet_answers(&w.sentinels[i], "MASTER", cases[k].reply);
        }
        int64_t start = platform_now();
        CHECK_INT(ask(&w, 10000), RL_REFUSED);
        CHECK_RANGE(0, ms_since(start), 4000);
        check_part(w.c.error.text, cases[k].part);
        CHECK(strstr(w.c.error.text, "with args") == NULL);
    }
}

/* What one sentinel says tells more than that another is gone; but that one may come back. */
TEST(sentinel_refusal_is_told_where_others_are_gone)
{
    WATCH(w, 3);
    puppet_kill(&w.sentinels[0]);
    puppet_kill(&w.sentinels[1]);
    puppet_answers(&w.sentinels[2], "GET-MASTER-ADDR-BY-NAME", "-NOAUTH Authentication required.\r\n");
    puppet_answers(&w.sentinels[2], "MASTER", "-NOAUTH Authentication required.\r\n");
    CHECK_INT(ask(&w, 10000), RL_UNREACHABLE);
    check_part(w.c.error.text, "a password is needed (NOAUTH)");
}

/* ---- a real one ---- */

static void run_sentinel(void *config)
{
    const char *binary = getenv("REDISLOCK_TEST_SERVER");

    binary = binary != NULL && *binary != '\0' ? binary : "redis-server";
    execlp(binary, binary, (char *)config, "--sentinel", (char *)NULL);
}

/* Starts a sentinel that watches the master of this port under the name "m". */
static pid_t start_sentinel(int port, int master)
{
    static char config[128];
    FILE *file;

    snprintf(config, sizeof(config), "%s/sentinel.conf", test_folder());
    file = fopen(config, "w");
    CHECK(file != NULL);
    fprintf(file, "port %d\nbind 127.0.0.1\ndir %s\nlogfile /dev/null\nsentinel monitor m 127.0.0.1 %d 1\n", port,
            test_folder(), master);
    fclose(file);
    return process_start(run_sentinel, config);
}

TEST(sentinel_real_one_names_its_master)
{
    char options[64], dsn[96];
    int ports[] = {free_port(), free_port()};
    client c;

    snprintf(options, sizeof(options), "--port %d", ports[1]);
    SERVER(s, options);
    pid_t sentinel = start_sentinel(ports[0], ports[1]);
    open_client(&c, "", ports, 1, "");
    int64_t start = platform_now();
    while (take(&c, "a", 5000, 0) != LOCK_YES) { /* it takes a moment to start */
        CHECK_INT(c.error.kind, RL_UNREACHABLE);
        CHECK(ms_since(start) < 20000);
        sleep_ms(20);
    }
    CHECK_TEXT(say(&s, "GET lock:a"), token_of(&c));
    CHECK_INT(drop(&c, "a"), LOCK_YES);
    client_close(&c);
    snprintf(dsn, sizeof(dsn), "redis-sentinel://127.0.0.1:%d/other", ports[0]);
    client_open_dsn(&c, dsn);
    CHECK_INT(take(&c, "a", 5000, 0), LOCK_FAILED);
    CHECK_INT(c.error.kind, RL_REFUSED);
    CHECK_TEXT(c.error.text, "the sentinels watch no master named 'other'");
    client_close(&c);
    snprintf(dsn, sizeof(dsn), "redis-sentinel://127.0.0.1:%d/m", ports[1]); /* that is no sentinel */
    client_open_dsn(&c, dsn);
    CHECK_INT(take(&c, "a", 5000, 0), LOCK_FAILED);
    CHECK_INT(c.error.kind, RL_REFUSED);
    check_part(c.error.text, "unknown command");
    client_close(&c);
    process_kill(sentinel);
}

/* ---- whatever they say ---- */

static char *filled(char *text, size_t size, const char *begin, char with, size_t count, const char *end)
{
    size_t len = strlen(begin);

    CHECK(len + count + strlen(end) < size);
    memcpy(text, begin, len);
    memset(text + len, with, count);
    memcpy(text + len + count, end, strlen(end) + 1);
    return text;
}

TEST(sentinel_that_says_where_nothing_can_be_is_not_believed)
{
    static char long_host[1024], line[1024];
    const char *places[] = {
        ":1\r\n",
        "$3\r\nabc\r\n",
        "+OK\r\n",
        "*0\r\n",
        "*1\r\n$9\r\n127.0.0.1\r\n",
        "*3\r\n$9\r\n127.0.0.1\r\n$1\r\n1\r\n$1\r\n1\r\n",
        "*2\r\n$9\r\n127.0.0.1\r\n$1\r\n0\r\n",
        "*2\r\n$9\r\n127.0.0.1\r\n$5\r\n65536\r\n",
        "*2\r\n$9\r\n127.0.0.1\r\n$20\r\n18446744073709551617\r\n",
        "*2\r\n$9\r\n127.0.0.1\r\n$2\r\n-1\r\n",
        "*2\r\n$9\r\n127.0.0.1\r\n$2\r\n 1\r\n",
        "*2\r\n$9\r\n127.0.0.1\r\n$2\r\n1x\r\n",
        "*2\r\n$9\r\n127.0.0.1\r\n$4\r\nport\r\n",
        "*2\r\n$9\r\n127.0.0.1\r\n$0\r\n\r\n",
        "*2\r\n$9\r\n127.0.0.1\r\n$-1\r\n",
        "*2\r\n$9\r\n127.0.0.1\r\n:6379\r\n",
        "*2\r\n$9\r\n127.0.0.1\r\n*1\r\n$1\r\n1\r\n",
        "*2\r\n$-1\r\n$1\r\n1\r\n",
        "*2\r\n$0\r\n\r\n$1\r\n1\r\n",
        "*2\r\n*0\r\n$1\r\n1\r\n",
        "*2\r\n$9\r\nlocal\nhos\r\n$1\r\n1\r\n",
        "*2\r\n$9\r\nlocal hos\r\n$1\r\n1\r\n",
        "*2\r\n$9\r\nlocal\033[m\x7f\r\n$1\r\n1\r\n",
        "*2\r\n$9\r\nlocal\xc2\x9b" /* what ESC [ is, to some terminals */ "2J\r\n$1\r\n1\r\n",
        filled(long_host, sizeof(long_host), "*2\r\n$256\r\n", 'h', 256, "\r\n$1\r\n1\r\n"),
        filled(line, sizeof(line), "+", 'h', 900, "\r\n"),
    };

    WATCH(w, 1);
    puppet_answers(&w.sentinels[0], "MASTER", "*0\r\n");
    for (size_t k = 0; k < sizeof(places) / sizeof(*places); k++) {
        puppet_answers(&w.sentinels[0], "GET-MASTER-ADDR-BY-NAME", places[k]);
        int64_t start = platform_now();
        rl_failure kind = ask(&w, 5000);
        if (kind != RL_UNREACHABLE || strstr(w.c.error.text, "does not answer as a sentinel does") == NULL) {
            test_fail(__FILE__, __LINE__, "place %zu: %s", k, w.c.error.text);
        }
        CHECK_RANGE(0, ms_since(start), 2000);
    }
}

/* A host with a null byte in its middle is another one to C. */
TEST(sentinel_that_names_a_host_with_a_null_byte_is_not_believed)
{
    static const lie lies[] = {
        LIE("*0\r\n", LIE_SEND),
        LIE("*2\r\n$11\r\n127.0.0.1\0x\r\n$1\r\n1\r\n", LIE_SEND),
    };
    client c;
    liar l;
    int port;

    liar_start(&l, true, lies, 2);
    port = atoi(strrchr(l.dsn, ':') + 1);
    open_client(&c, "", &port, 1, "");
    rl_conn *conn = rl_pool_take(&c.pool, &c.endpoint);
    CHECK_INT(ping(conn, 5000, &c.error), RL_UNREACHABLE);
    check_part(c.error.text, "does not answer as a sentinel does");
    rl_conn_free(conn);
    client_close(&c);
    liar_stop(&l);
}

/* Only the description is of a strange form: where the master is was said. */
TEST(sentinel_that_describes_its_master_strangely_is_believed_where_it_is)
{
    static char many[PUPPET_TEXT / 2];
    char *end = many + sprintf(many, "*8000\r\n");
    for (int i = 0; i < 8000; i++) {
        end += sprintf(end, "$1\r\nx\r\n");
    }
    const char *descriptions[] = {
        "*-1\r\n",
        "$-1\r\n",
        ":1\r\n",
        "*0\r\n",
        "*1\r\n$12\r\nconfig-epoch\r\n",
        "*2\r\n$12\r\nconfig-epoch\r\n*0\r\n",
        "*2\r\n$12\r\nconfig-epoch\r\n$-1\r\n",
        "*2\r\n$12\r\nconfig-epoch\r\n$20\r\n99999999999999999999\r\n",
        "*2\r\n*1\r\n:1\r\n*1\r\n:1\r\n",
        "*3\r\n:1\r\n:1\r\n:1\r\n",
        many,
    };

    PUPPET(master);
    puppet_is_master(&master);
    WATCH(w, 1);
    puppet_names(&w.sentinels[0], "127.0.0.1", master.port, 1);
    for (size_t k = 0; k < sizeof(descriptions) / sizeof(*descriptions); k++) {
        puppet_answers(&w.sentinels[0], "MASTER", descriptions[k]);
        if (ask(&w, 5000) != RL_OK) {
            test_fail(__FILE__, __LINE__, "description %zu: %s", k, w.c.error.text);
        }
    }
}

/* Replies without a bound, and such as break the protocol. */
TEST(sentinel_that_floods_or_breaks_the_protocol_is_left)
{
    static char flood[1 << 16];
    static const lie lies[] = {
        LIE("*1000000\r\n", LIE_SEND),
        LIE("$2000000\r\n", LIE_SEND),
        LIE("", LIE_TREE),
        LIE("x\r\n", LIE_SEND),
        LIE("", LIE_CLOSE),
        LIE("*2\r\n$9\r\n127.0", LIE_CLOSE),
        LIE("*2\r\n", LIE_RESET),
    };

    memset(flood, 'x', sizeof(flood));
    for (size_t i = 0; i <= sizeof(lies) / sizeof(*lies); i++) {
        lie answer = i < sizeof(lies) / sizeof(*lies) ? lies[i] : (lie){flood, sizeof(flood), LIE_FLOOD};
        client c;
        liar l;
        int port;

        liar_start(&l, true, &answer, 1);
        port = atoi(strrchr(l.dsn, ':') + 1);
        open_client(&c, "", &port, 1, "");
        rl_conn *conn = rl_pool_take(&c.pool, &c.endpoint);
        int64_t start = platform_now();
        CHECK_INT(ping(conn, 1000, &c.error), RL_UNREACHABLE);
        CHECK_RANGE(0, ms_since(start), 1000 + SLACK);
        rl_conn_free(conn);
        client_close(&c);
        liar_stop(&l);
    }
}

/* ---- coming to the master ---- */

/* Lets a master answer to ROLE so, and returns what becomes of a connection to it. */
static rl_failure role_of(watch *w, puppet *master, const char *role)
{
    puppet_answers(master, "ROLE", role);
    return ask(w, 5000);
}

TEST(sentinel_master_must_say_that_it_is_one)
{
    static char replicas[4096];
    char *end = replicas + sprintf(replicas, "*3\r\n$6\r\nmaster\r\n:7\r\n*40\r\n");
    for (int i = 0; i < 40; i++) {
        end += sprintf(end, "*3\r\n$9\r\n127.0.0.1\r\n$1\r\n1\r\n$1\r\n7\r\n");
    }

    PUPPET(master);
    puppet_is_master(&master);
    WATCH(w, 1);
    puppet_names(&w.sentinels[0], "127.0.0.1", master.port, 1);
    CHECK_INT(role_of(&w, &master, replicas), RL_OK); /* a master of many replicas */
    CHECK_INT(role_of(&w, &master, "-NOPERM this user has no permissions to run the 'role' command\r\n"), RL_OK);
    CHECK_INT(role_of(&w, &master, "-ERR unknown command 'ROLE'\r\n"), RL_OK);
    CHECK_INT(role_of(&w, &master, "*5\r\n$5\r\nslave\r\n$9\r\n127.0.0.1\r\n:1\r\n$9\r\nconnected\r\n:7\r\n"),
              RL_UNREACHABLE);
    check_part(w.c.error.text, "127.0.0.1:");
    check_part(w.c.error.text, "this is a replica, not the master");
    CHECK_INT(role_of(&w, &master, "-NOAUTH Authentication required.\r\n"), RL_REFUSED);
    check_part(w.c.error.text, "a password is needed (NOAUTH)");
    CHECK_INT(role_of(&w, &master, "-ERR max number of clients reached\r\n"), RL_REFUSED);
}

TEST(sentinel_master_that_says_nothing_of_its_role_is_none)
{
    static const char *const roles[] = {"*0\r\n",  "*-1\r\n",          "$-1\r\n", "*1\r\n:1\r\n", "*1\r\n*0\r\n",
                                        "+OK\r\n", "$6\r\nmaster\r\n", ":1\r\n",  "x\r\n"};

    PUPPET(master);
    puppet_is_master(&master);
    WATCH(w, 1);
    puppet_names(&w.sentinels[0], "127.0.0.1", master.port, 1);
    for (size_t k = 0; k < sizeof(roles) / sizeof(*roles); k++) {
        if (role_of(&w, &master, roles[k]) != RL_UNREACHABLE) {
            test_fail(__FILE__, __LINE__, "role %zu is taken for that of a master", k);
        }
        check_part(w.c.error.text, "malformed");
    }
}

/* The replies are of different kinds, so that each fits only to its own request. */
TEST(sentinel_master_is_logged_in_at_before_its_role_is_asked)
{
    static const lie lies[] = {LIE("+OK\r\n", LIE_SEND), LIE("+OK\r\n", LIE_SEND), LIE(ROLE_OF_MASTER, LIE_SEND),
                               LIE("+PONG\r\n", LIE_SEND)};
    liar master;
    client c;

    liar_start(&master, true, lies, 4);
    PUPPET(s);
    puppet_names(&s, "127.0.0.1", atoi(strrchr(master.dsn, ':') + 1), 1);
    open_client(&c, "user:hunter2@", &s.port, 1, "/3");
    rl_conn *conn = rl_pool_take(&c.pool, &c.endpoint);
    if (ping(conn, 5000, &c.error) != RL_OK) {
        test_fail(__FILE__, __LINE__, "%s", c.error.text);
    }
    rl_conn_free(conn);
    client_close(&c);
    liar_stop(&master);
}

TEST(sentinel_real_master_is_logged_in_at)
{
    char options[64], dsn[128];
    client c;
    server s;
    int port = free_port();

    snprintf(options, sizeof(options), "--port %d --requirepass hunter2", port);
    server_start(&s, options);
    PUPPET(sentinel);
    puppet_names(&sentinel, "127.0.0.1", port, 1);
    snprintf(dsn, sizeof(dsn), "redis-sentinel://:hunter2@127.0.0.1:%d/m/3", sentinel.port);
    client_open_dsn(&c, dsn);
    CHECK_INT(take(&c, "a", 5000, 0), LOCK_YES);
    CHECK_INT(drop(&c, "a"), LOCK_YES);
    client_close(&c);
    snprintf(dsn, sizeof(dsn), "redis-sentinel://:hunter3@127.0.0.1:%d/m", sentinel.port);
    client_open_dsn(&c, dsn);
    CHECK_INT(take(&c, "a", 5000, 0), LOCK_FAILED);
    CHECK_INT(c.error.kind, RL_REFUSED);
    check_part(c.error.text, "the login was refused (WRONGPASS)");
    CHECK(strstr(c.error.text, "hunter3") == NULL);
    client_close(&c);
    server_stop(&s);
}

/* A login at the sentinels, which is another one than that at the master. */
TEST(sentinel_is_logged_in_at)
{
    static const lie lies[] = {LIE("-WRONGPASS of hunter2\r\n", LIE_SEND)};
    liar l;
    client c;
    int port;

    liar_start(&l, true, lies, 1);
    port = atoi(strrchr(l.dsn, ':') + 1);
    open_client(&c, "", &port, 1, "");
    rl_endpoint_sentinel_login(&c.endpoint, "user", "hunter2", 7);
    rl_conn *conn = rl_pool_take(&c.pool, &c.endpoint);
    CHECK_INT(ping(conn, 5000, &c.error), RL_REFUSED);
    check_part(c.error.text, "the login was refused (WRONGPASS)");
    CHECK(strstr(c.error.text, "hunter2") == NULL);
    rl_conn_free(conn);
    client_close(&c);
    liar_stop(&l);
}

TEST(sentinel_master_of_a_long_name_is_told_within_bounds)
{
    static char host[600], reply[1024];
    rl_conn *conn;

    WATCH(w, 1);
    filled(host, sizeof(host), "", 'h', 255, "");
    snprintf(reply, sizeof(reply), "*2\r\n$255\r\n%s\r\n$1\r\n1\r\n", host);
    puppet_answers(&w.sentinels[0], "MASTER", "*0\r\n");
    puppet_answers(&w.sentinels[0], "GET-MASTER-ADDR-BY-NAME", reply);
    puppet_answers(&w.sentinels[0], "REPLICAS", "*0\r\n");
    conn = rl_pool_take(&w.c.pool, &w.c.endpoint);
    CHECK_INT(ping(conn, 5000, &w.c.error), RL_UNREACHABLE); /* no such host */
    check_part(w.c.error.text, "hhhh:1: ");
    rl_conn_free(conn);
}

/* ---- a server that is no longer the master ---- */

static void check_made_anew(client *c, puppet *master, const char *error, int connections)
{
    rl_conn *conn = rl_pool_take(&c->pool, &c->endpoint);
    rl_error ignored;
    int before = puppet_connections(master);

    puppet_answers(master, "PING", "+PONG\r\n");
    CHECK_INT(ping(conn, 5000, &ignored), RL_OK);
    CHECK_INT(ping(conn, 5000, &ignored), RL_OK);
    CHECK_INT(puppet_connections(master), before + 1);
    puppet_answers(master, "PING", error);
    CHECK_INT(ping(conn, 5000, &ignored), RL_ERROR_REPLY);
    CHECK_INT(puppet_connections(master), before + 1);
    CHECK(rl_conn_may_be_kept(conn) == (connections == 1));
    puppet_answers(master, "PING", "+PONG\r\n");
    CHECK_INT(ping(conn, 5000, &ignored), RL_OK);
    CHECK_INT(puppet_connections(master), before + connections);
    rl_conn_free(conn);
}

TEST(sentinel_connection_to_what_is_no_master_is_made_anew)
{
    static const struct {
        const char *reply;
        int connections;
    } cases[] = {
        {"-READONLY You can't write against a read only replica.\r\n", 2},
        {"-LOADING Redis is loading the dataset in memory\r\n", 2},
        {"-MASTERDOWN Link with MASTER is down\r\n", 2},
        {"-UNBLOCKED force unblock from blocking operation\r\n", 2},
        {"-NOREPLICAS Not enough good replicas to write.\r\n", 2},
        {"-OOM command not allowed\r\n", 1},
        {"-BUSY Redis is busy running a script\r\n", 1},
    };
    client plain;

    PUPPET(master);
    puppet_is_master(&master);
    WATCH(w, 1);
    puppet_names(&w.sentinels[0], "127.0.0.1", master.port, 1);
    client_open_dsn(&plain, master.liar.dsn);
    for (size_t k = 0; k < sizeof(cases) / sizeof(*cases); k++) {
        check_made_anew(&w.c, &master, cases[k].reply, cases[k].connections);
        bool may_be_cut_off = strstr(cases[k].reply, "NOREPLICAS") != NULL; /* which only sentinels know */
        check_made_anew(&plain, &master, cases[k].reply, may_be_cut_off ? 1 : cases[k].connections);
    }
    client_close(&plain);
}

/* What a minority says is enough to find a server, but not to leave one: it may have been cut off with an old master. */
TEST(sentinel_minority_does_not_move_a_connection_that_is_kept)
{
    for (int k = 0; k < 2; k++) {
        PUPPET(master);
        PUPPET(old);
        puppet_is_master(&master);
        puppet_is_master(&old);
        puppet_answers(&master, "PING", "+PONG\r\n");
        WATCH(w, 3);
        for (int i = 0; i < 3; i++) {
            puppet_names(&w.sentinels[i], "127.0.0.1", master.port, 2);
        }
        rl_conn *conn = rl_pool_take(&w.c.pool, &w.c.endpoint);
        CHECK_INT(ping(conn, 5000, &w.c.error), RL_OK);
        puppet_names(&w.sentinels[0], "127.0.0.1", old.port, 1);
        for (int i = 1; i < 3; i++) {
            if (k == 0) {
                puppet_answers(&w.sentinels[i], "MASTER", "");
                puppet_answers(&w.sentinels[i], "GET-MASTER-ADDR-BY-NAME", "");
            } else {
                puppet_kill(&w.sentinels[i]);
            }
        }
        sleep_ms(1100);
        CHECK_INT(ping(conn, 5000, &w.c.error), RL_OK);
        CHECK_INT(puppet_connections(&master), 1);
        CHECK_INT(puppet_connections(&old), 0);
        rl_conn_free(conn);
    }
}

/* A unix socket leads to the same server for ever. */
TEST(connection_of_a_unix_socket_outlives_an_error_of_a_replica)
{
    static const lie lies[] = {LIE("-READONLY You can't write\r\n", LIE_SEND), LIE("+PONG\r\n", LIE_SEND)};
    rl_error error;
    client c;
    liar l;

    liar_start(&l, false, lies, 2);
    client_open_dsn(&c, l.dsn);
    rl_conn *conn = rl_pool_take(&c.pool, &c.endpoint);
    CHECK_INT(ping(conn, 5000, &error), RL_ERROR_REPLY);
    CHECK(rl_conn_may_be_kept(conn));
    CHECK_INT(ping(conn, 5000, &error), RL_OK);
    CHECK_INT(atomic_load(&l.control->connections), 1);
    rl_conn_free(conn);
    client_close(&c);
    liar_stop(&l);
}

/* ---- the pool ---- */

static rl_conn *made(watch *w)
{
    rl_conn *conn = rl_conn_new(&w->c.endpoint, NULL, NULL);
    rl_error error;

    rl_conn_route(conn, &rl_sentinel_router);
    if (ping(conn, 5000, &error) != RL_OK) {
        test_fail(__FILE__, __LINE__, "%s", error.text);
    }
    return conn;
}

TEST(sentinel_idle_connections_are_closed_where_one_leads_elsewhere)
{
    PUPPET(old);
    PUPPET(new);
    puppet_is_master(&old);
    puppet_is_master(&new);
    WATCH(w, 1);
    puppet_names(&w.sentinels[0], "127.0.0.1", old.port, 1);
    rl_conn *first = made(&w), *second = made(&w);
    puppet_names(&w.sentinels[0], "127.0.0.1", new.port, 2);
    rl_conn *third = made(&w), *fourth = made(&w);
    CHECK(!rl_conn_parts_from(first, second));
    CHECK(rl_conn_parts_from(first, third));
    CHECK(!rl_conn_parts_from(third, fourth));
    rl_pool_give(&w.c.pool, first);
    rl_pool_give(&w.c.pool, second);
    CHECK_INT(w.c.pool.count, 2);
    rl_pool_give(&w.c.pool, third);
    CHECK_INT(w.c.pool.count, 0);
    rl_pool_give(&w.c.pool, fourth);
    CHECK_INT(w.c.pool.count, 1);
}

/* Some sentinels may announce a host by its name, and some by its address. */
TEST(sentinel_connections_to_one_server_by_two_names_do_not_part)
{
    PUPPET(master);
    puppet_is_master(&master);
    WATCH(w, 1);
    puppet_answers(&w.sentinels[0], "REPLICAS", "*0\r\n");
    puppet_names(&w.sentinels[0], "127.0.0.1", master.port, 1);
    rl_conn *one = made(&w);
    puppet_names(&w.sentinels[0], "localhost", master.port, 1);
    rl_conn *other = made(&w);
    CHECK(!rl_conn_parts_from(one, other));
    rl_conn_free(one);
    rl_conn_free(other);
}

TEST(sentinel_idle_connections_are_closed_where_one_cannot_be_kept)
{
    client plain;

    PUPPET(master);
    puppet_is_master(&master);
    WATCH(w, 1);
    puppet_names(&w.sentinels[0], "127.0.0.1", master.port, 1);
    rl_conn *first = made(&w), *second = made(&w);
    rl_pool_give(&w.c.pool, first);
    client_open_dsn(&plain, master.liar.dsn);
    rl_conn *other = rl_pool_take(&plain.pool, &plain.endpoint);
    rl_error error;
    CHECK_INT(ping(other, 5000, &error), RL_OK);
    rl_pool_give(&w.c.pool, other); /* to another endpoint */
    CHECK_INT(w.c.pool.count, 2);
    rl_conn_break(second, RL_LOST, "");
    rl_pool_give(&w.c.pool, second);
    CHECK_INT(w.c.pool.count, 1);
    CHECK(w.c.pool.idle[0] == other);
    client_close(&plain);
}

static void use_in_child(void *arg)
{
    watch *w = arg;
    rl_error error;

    CHECK(rl_conn_is_inherited(w->c.pool.idle[0]));
    CHECK_INT(ask(w, 5000), RL_OK);
    rl_conn *conn = rl_pool_take(&w->c.pool, &w->c.endpoint);
    CHECK_INT(ping(conn, 5000, &error), RL_OK);
    rl_pool_give(&w->c.pool, conn);
    rl_pool_clear(&w->c.pool);
}

TEST(sentinel_connection_of_the_parent_is_left_alone_by_a_child)
{
    rl_error error;

    PUPPET(master);
    puppet_is_master(&master);
    WATCH(w, 2);
    puppet_names(&w.sentinels[0], "127.0.0.1", master.port, 1);
    puppet_names(&w.sentinels[1], "127.0.0.1", master.port, 1);
    rl_pool_give(&w.c.pool, made(&w));
    process_join(process_start(use_in_child, &w));
    CHECK_INT(w.c.pool.count, 1);
    CHECK(rl_conn_is_idle(w.c.pool.idle[0]));
    CHECK_INT(ping(w.c.pool.idle[0], 5000, &error), RL_OK);
}

typedef struct routing {
    watch *w;
    rl_conn *conn;
} routing;

static void free_in_child(void *arg)
{
    rl_conn_free(((routing *)arg)->conn);
}

static void submit_in_child(void *arg)
{
    routing *r = arg;
    rl_error error;

    CHECK_INT(ping(r->conn, 5000, &error), RL_OK);
    rl_conn_free(r->conn);
}

/* The child asks over connections of its own, and the parent gets the answers to its own questions. */
TEST(sentinel_fork_on_the_way_leaves_the_parents_questions_alone)
{
    static void (*const uses[])(void *) = {free_in_child, submit_in_child};
    rl_call call;

    PUPPET(master);
    puppet_is_master(&master);
    for (int i = 0; i < 2; i++) {
        WATCH(w, 2);
        rl_conn *conn = rl_pool_take(&w.c.pool, &w.c.endpoint);
        submit(conn, &call, "PING", 20000);
        rl_call_wait(&call, platform_now() + MS(30), NULL); /* one question is under way */
        puppet_names(&w.sentinels[1], "127.0.0.1", master.port, 1);
        puppet_names(&w.sentinels[0], "127.0.0.1", master.port, 1);
        routing r = {&w, conn};
        call.error.kind = RL_OK;
        process_join(process_start(uses[i], &r));
        CHECK(!call.answered);
        CHECK(!rl_conn_is_inherited(conn));
        rl_call_reset(&call);
        CHECK_INT(ping(conn, 5000, &w.c.error), RL_OK);
        rl_conn_free(conn);
    }
}

/* ---- given up on the way ---- */

TEST(sentinel_call_may_be_given_up_on_the_way)
{
    rl_request last = {0};
    rl_call call, other;
    rl_error error;

    PUPPET(master);
    puppet_is_master(&master);
    WATCH(w, 2);
    rl_conn *conn = rl_pool_take(&w.c.pool, &w.c.endpoint);
    rl_request_add(&last, RL_LITERAL("PING"));

    submit(conn, &call, "PING", 5000);
    rl_call_wait(&call, platform_now() + MS(20), NULL);
    CHECK_INT(call.error.kind, RL_UNREACHABLE); /* not even sent */
    rl_call_reset(&call);

    submit(conn, &call, "PING", 5000);
    submit(conn, &other, "PING", 5000);
    CHECK(!rl_conn_close_after(conn, &last, platform_now() + MS(5000)));
    CHECK(call.answered && other.answered);
    CHECK_INT(call.error.kind, RL_UNREACHABLE);
    rl_call_reset(&call);
    rl_call_reset(&other);

    submit(conn, &call, "PING", 5000);
    CHECK(rl_call_detach(&call, false) == NULL); /* nobody waits for it, and it was not sent */
    CHECK(call.conn == NULL);
    rl_pool_give(&w.c.pool, conn);
    CHECK_INT(w.c.pool.count, 1); /* it is on its way */
    conn = rl_pool_take(&w.c.pool, &w.c.endpoint);
    CHECK_INT(w.c.pool.count, 0);
    rl_call_reset(&call);

    submit(conn, &call, "PING", 5000);
    CHECK(rl_call_detach(&call, true) != NULL); /* goes out as soon as there is a connection */
    puppet_names(&w.sentinels[0], "127.0.0.1", master.port, 1);
    puppet_names(&w.sentinels[1], "127.0.0.1", master.port, 1);
    rl_conn_break(conn, RL_LOST, "");
    CHECK_INT(ping(conn, 5000, &error), RL_OK);
    rl_call_reset(&call);
    rl_conn_free(conn);
}

TEST(sentinel_connection_with_a_call_may_be_freed_on_the_way)
{
    rl_call call;

    WATCH(w, 3);
    rl_conn *conn = rl_pool_take(&w.c.pool, &w.c.endpoint);
    submit(conn, &call, "PING", 5000);
    rl_wait(&conn, 1, platform_now() + MS(20), NULL);
    rl_conn_free(conn);
    CHECK(call.answered);
    CHECK_INT(call.error.kind, RL_UNREACHABLE);
    rl_call_reset(&call);
}

static bool interrupt(void *arg)
{
    int *left = arg;

    return --*left < 0;
}

TEST(sentinel_search_is_ended_by_the_hook)
{
    int left = 2;
    rl_hook hook = {.interrupted = interrupt, .arg = &left};
    rl_call call;

    WATCH(w, 3);
    rl_conn *conn = rl_pool_take(&w.c.pool, &w.c.endpoint);
    int64_t start = platform_now();
    submit(conn, &call, "PING", 60000);
    rl_call_wait(&call, platform_now() + MS(60000), &hook);
    CHECK_INT(call.error.kind, RL_INTERRUPTED);
    CHECK_RANGE(0, ms_since(start), 10000);
    rl_call_reset(&call);
    rl_conn_free(conn);
}

static int64_t processor_ms(void)
{
    struct timespec used;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return used.tv_sec * 1000 + used.tv_nsec / 1000000;
}

/* What the sentinels did not answer in the time of the first call, they are asked once more. */
TEST(sentinel_search_goes_on_for_the_longest_of_its_calls)
{
    rl_call call, other;

    PUPPET(master);
    puppet_is_master(&master);
    WATCH(w, 2);
    rl_conn *conn = rl_pool_take(&w.c.pool, &w.c.endpoint);
    int64_t start = platform_now();
    submit(conn, &call, "PING", 300);
    submit(conn, &other, "PING", 20000);
    rl_call_wait(&call, platform_now() + MS(50), NULL);
    CHECK(!call.answered);
    puppet_names(&w.sentinels[0], "127.0.0.1", master.port, 1);
    puppet_names(&w.sentinels[1], "127.0.0.1", master.port, 1);
    rl_call_wait(&other, platform_now() + MS(20000), NULL);
    CHECK_INT(other.error.kind, RL_OK);
    CHECK(call.answered);
    CHECK_RANGE(299 - held_up(), ms_since(start), 9000); /* earlier if they come to read only what they know by then */
    rl_call_reset(&call);
    rl_call_reset(&other);
    rl_conn_free(conn);
}

TEST(sentinel_search_does_not_go_round_in_circles)
{
    rl_call call, other;

    WATCH(w, 2);
    rl_conn *conn = rl_pool_take(&w.c.pool, &w.c.endpoint);
    submit(conn, &call, "PING", 50);
    submit(conn, &other, "PING", 20000);
    int64_t used = processor_ms();
    rl_call_wait(&call, platform_now() + MS(500), NULL);
    CHECK(!call.answered);
    CHECK_RANGE(0, processor_ms() - used, 200);
    CHECK_INT(puppet_requests(&w.sentinels[0]), 4);
    rl_call_reset(&call);
    rl_call_reset(&other);
    rl_conn_free(conn);
}

/* ---- over which connections ---- */

static int open_descriptors(void)
{
    DIR *all = opendir("/proc/self/fd");
    int count = 0;

    CHECK(all != NULL);
    while (readdir(all) != NULL) {
        count++;
    }
    closedir(all);
    return count;
}

TEST(sentinel_is_asked_again_over_the_same_connection)
{
    rl_error error;

    PUPPET(master);
    puppet_kill(&master); /* named, and gone */
    PUPPET(next);
    puppet_is_master(&next);
    WATCH(w, 1);
    puppet_names(&w.sentinels[0], "127.0.0.1", master.port, 1);
    int before = open_descriptors();
    rl_conn *conn = rl_pool_take(&w.c.pool, &w.c.endpoint);
    for (int i = 1; i <= 10; i++) {
        CHECK_INT(ping(conn, 5000, &error), RL_UNREACHABLE);
        CHECK_INT(puppet_requests(&w.sentinels[0]), 2 * i);
    }
    CHECK_INT(puppet_connections(&w.sentinels[0]), 1);
    puppet_names(&w.sentinels[0], "127.0.0.1", next.port, 2);
    CHECK_INT(ping(conn, 5000, &error), RL_OK);
    CHECK_INT(puppet_connections(&w.sentinels[0]), 1);
    CHECK_INT(open_descriptors(),
              before + 2); /* to the master, and to the sentinel, which is asked again now and then */
    rl_conn_free(conn);
    CHECK_INT(open_descriptors(), before);
}

/* ---- a connection that is kept ---- */

/* Waits until a connection that was just used is to make sure of its server. */
static void grow_old(void)
{
    rl_wait(NULL, 0, platform_now() + RL_ROUTE_AGE, NULL);
}

TEST(sentinel_kept_connection_makes_sure_of_its_master_once_a_second)
{
    rl_error error;

    PUPPET(master);
    puppet_is_master(&master);
    WATCH(w, 1);
    puppet_names(&w.sentinels[0], "127.0.0.1", master.port, 1);
    rl_conn *conn = made(&w);
    for (int second = 1; second <= 2; second++) {
        int asked = puppet_requests(&w.sentinels[0]);
        grow_old();
        for (int i = 0; i < 10; i++) {
            CHECK_INT(ping(conn, 5000, &error), RL_OK);
        }
        int more = puppet_requests(&w.sentinels[0]) - asked;
        CHECK(more >= 2 && more <= 2 + 2 * (int)(held_up() / 1000));
    }
    CHECK_RANGE(1, puppet_connections(&w.sentinels[0]),
                1 + held_up() / 100); /* one that gave no answer in time is made anew */
    CHECK_INT(puppet_connections(&master), 1);
    rl_conn_free(conn);
}

TEST(sentinel_kept_connection_leaves_a_master_that_was_replaced)
{
    rl_error error;

    PUPPET(old);
    PUPPET(new);
    puppet_is_master(&old); /* it does not know */
    puppet_is_master(&new);
    WATCH(w, 3);
    for (int i = 0; i < 3; i++) {
        puppet_names(&w.sentinels[i], "127.0.0.1", old.port, 1);
    }
    rl_conn *conn = made(&w);
    int64_t generation = rl_conn_generation(conn);
    puppet_names(&w.sentinels[0], "127.0.0.1", new.port, 2);
    puppet_names(&w.sentinels[1], "127.0.0.1", new.port, 2);
    grow_old();
    CHECK_INT(ping(conn, 5000, &error), RL_OK);
    CHECK_INT(puppet_connections(&new), 1);
    CHECK(rl_conn_generation(conn) != generation);
    rl_conn_free(conn);
}

/* A call whose time is short gets its answer too. */
TEST(sentinel_kept_connection_is_used_on_where_no_sentinel_answers)
{
    rl_error error;

    PUPPET(master);
    puppet_is_master(&master);
    WATCH(w, 2);
    puppet_names(&w.sentinels[0], "127.0.0.1", master.port, 1);
    puppet_names(&w.sentinels[1], "127.0.0.1", master.port, 1);
    rl_conn *conn = made(&w);
    puppet_answers(&w.sentinels[0], "SENTINEL", ""); /* silent */
    puppet_kill(&w.sentinels[1]);
    for (int ms = 5; ms <= 5000; ms *= 10) {
        grow_old();
        CHECK_INT(ping(conn, ms, &error), RL_OK);
    }
    CHECK_INT(puppet_connections(&master), 1);
    rl_conn_free(conn);
}

/* A reply that is owed would be lost if the connection were made anew. */
TEST(sentinel_kept_connection_with_a_call_under_way_is_left_alone)
{
    rl_call blocked, other;

    PUPPET(old);
    PUPPET(new);
    puppet_is_master(&old);
    puppet_is_master(&new);
    WATCH(w, 1);
    puppet_names(&w.sentinels[0], "127.0.0.1", old.port, 1);
    rl_conn *conn = made(&w);
    puppet_answers(&old, "BLOCK", "");
    submit(conn, &blocked, "BLOCK", 5000);
    puppet_names(&w.sentinels[0], "127.0.0.1", new.port, 2);
    grow_old();
    int asked = puppet_requests(&w.sentinels[0]);
    submit(conn, &other, "PING", 5000);
    rl_call_wait(&other, platform_now() + MS(100), NULL);
    CHECK_INT(puppet_requests(&w.sentinels[0]), asked);
    CHECK_INT(puppet_connections(&new), 0);
    rl_call_reset(&blocked);
    rl_call_reset(&other);
    rl_conn_free(conn);
}

/* One that went away meanwhile, and came back, is asked over a new connection. */
TEST(sentinel_connection_that_died_between_two_questions_does_not_cost_an_answer)
{
    rl_error error;
    char(*texts)[256] = shared(2 * 256);
    lie lies[2];
    liar l;
    client c;
    int port, gone = free_port(), n;

    PUPPET(master);
    puppet_is_master(&master);
    n = sprintf(texts[0], "*0\r\n");
    lies[0] = (lie){texts[0], (size_t)n, LIE_SEND};
    n = sprintf(texts[1], "*2\r\n$9\r\n127.0.0.1\r\n$5\r\n%d\r\n", gone);
    lies[1] = (lie){texts[1], (size_t)n, LIE_CLOSE};
    liar_start(&l, true, lies, 2);
    port = atoi(strrchr(l.dsn, ':') + 1);
    open_client(&c, "", &port, 1, "");
    rl_conn *conn = rl_pool_take(&c.pool, &c.endpoint);
    CHECK_INT(ping(conn, 5000, &error), RL_UNREACHABLE);
    check_part(error.text, "refused");
    sprintf(texts[1], "*2\r\n$9\r\n127.0.0.1\r\n$5\r\n%d\r\n", master.port);
    sleep_ms(20);
    if (ping(conn, 5000, &error) != RL_OK) {
        test_fail(__FILE__, __LINE__, "%s", error.text);
    }
    CHECK_INT(atomic_load(&l.control->connections), 2);
    rl_conn_free(conn);
    client_close(&c);
    liar_stop(&l);
}

/* Does another search fit into the time? On a busy machine each takes long. */
static bool goes_on(int done, int64_t start)
{
    return done < 10 || (done < 500 && ms_since(start) < 5000);
}

TEST(sentinel_failed_searches_leave_no_descriptor)
{
    rl_error error;

    PUPPET(gone);
    puppet_kill(&gone);
    WATCH(w, 3);
    puppet_kill(&w.sentinels[0]);
    puppet_names(&w.sentinels[1], "127.0.0.1", gone.port, 1);
    puppet_names(&w.sentinels[2], "127.0.0.1", gone.port, 1);
    int before = open_descriptors();
    int64_t start = platform_now();
    for (int i = 0; goes_on(i, start); i++) {
        CHECK_INT(ask(&w, 5000), RL_UNREACHABLE);
    }
    CHECK_INT(open_descriptors(), before);
    rl_conn *conn = rl_pool_take(&w.c.pool, &w.c.endpoint);
    start = platform_now();
    for (int i = 0; goes_on(i, start); i++) {
        CHECK_INT(ping(conn, 5000, &error), RL_UNREACHABLE);
    }
    CHECK_RANGE(before, open_descriptors(), before + 3);
    rl_conn_free(conn);
    CHECK_INT(open_descriptors(), before);
}

TEST(sentinel_there_may_be_sixteen)
{
    PUPPET(master);
    puppet_is_master(&master);
    WATCH(w, 16);
    for (int i = 0; i < 9; i++) {
        puppet_names(&w.sentinels[i], "127.0.0.1", master.port, 1);
    }
    CHECK_INT(ask(&w, 30000), RL_OK);
}

TEST(sentinel_two_connections_may_be_made_in_one_wait)
{
    rl_call calls[2];
    rl_conn *conns[2];

    PUPPET(master);
    puppet_is_master(&master);
    WATCH(w, 16);
    for (int i = 0; i < 2; i++) {
        conns[i] = rl_pool_take(&w.c.pool, &w.c.endpoint);
        submit(conns[i], &calls[i], "PING", 30000);
    }
    CHECK_INT(rl_poll_size(conns, 2), 34);
    CHECK_INT(rl_wait(conns, 2, platform_now() + MS(100), NULL), RL_WAKE_DEADLINE);
    for (int i = 0; i < 2; i++) {
        rl_call_reset(&calls[i]);
    }
    for (int i = 0; i < 9; i++) {
        puppet_names(&w.sentinels[i], "127.0.0.1", master.port, 1);
    }
    for (int i = 0; i < 2; i++) {
        submit(conns[i], &calls[i], "PING", 30000);
    }
    int64_t until = platform_now() + MS(30000);
    while (!(calls[0].answered && calls[1].answered)) {
        CHECK_INT(rl_wait(conns, 2, until, NULL), RL_WAKE_EVENT);
    }
    for (int i = 0; i < 2; i++) {
        CHECK_INT(calls[i].error.kind, RL_OK);
        rl_call_reset(&calls[i]);
        rl_conn_free(conns[i]);
    }
}

/* ---- hosts that have names ---- */

TEST(sentinel_replicas_are_asked_for_only_where_hosts_have_names)
{
    rl_hosts hosts = {0};
    rl_error error;

    PUPPET(master);
    puppet_is_master(&master);
    WATCH(w, 1);
    puppet_names(&w.sentinels[0], "127.0.0.1", master.port, 1);
    CHECK_INT(ask(&w, 5000), RL_OK);
    CHECK_INT(puppet_requests(&w.sentinels[0]), 2);
    CHECK_INT(atomic_load(&resolved), 0);

    puppet_names(&w.sentinels[0], "localhost", master.port, 1);
    puppet_answers(&w.sentinels[0], "REPLICAS",
                   "*3\r\n*4\r\n$2\r\nip\r\n$9\r\nlocalhost\r\n$4\r\nport\r\n$1\r\n1\r\n"
                   "*4\r\n$2\r\nip\r\n$20\r\nno-such-host.invalid\r\n$4\r\nport\r\n$1\r\n1\r\n:1\r\n");
    rl_conn *conn = rl_pool_take(&w.c.pool, &w.c.endpoint);
    CHECK_INT(ping(conn, 5000, &error), RL_OK);
    CHECK_INT(puppet_requests(&w.sentinels[0]), 5);
    CHECK_RANGE(1, atomic_load(&resolved), 2); /* only the master, by the connect, which may try IPv6 too */
    rl_conn_hosts(conn, &hosts);
    CHECK_TEXT(rl_hosts_find(&hosts, "localhost"), "127.0.0.1");
    CHECK(rl_hosts_find(&hosts, "no-such-host.invalid") == NULL);

    /* That a name is not known costs time, so it is looked up once. */
    int before = atomic_load(&resolved);
    for (int i = 0; i < 3; i++) {
        rl_conn_hosts(conn, &hosts);
    }
    CHECK_INT(atomic_load(&resolved), before);

    /* Over the next connection it is looked up again: it may be known by now. */
    rl_conn_break(conn, RL_LOST, "");
    CHECK_INT(ping(conn, 5000, &error), RL_OK);
    before = atomic_load(&resolved);
    rl_conn_hosts(conn, &hosts);
    CHECK_INT(atomic_load(&resolved), before + 2);
    rl_conn_free(conn);
    rl_hosts_free(&hosts);
}

TEST(sentinel_replicas_that_are_not_told_do_not_hold_up_the_connection)
{
    PUPPET(master);
    puppet_is_master(&master);
    WATCH(w, 1);
    puppet_names(&w.sentinels[0], "localhost", master.port, 1); /* it is silent about the replicas */
    int64_t start = platform_now();
    CHECK_INT(ask(&w, 4000), RL_OK); /* half of which is kept for the server */
    CHECK_RANGE(0, ms_since(start), 3600);
    puppet_answers(&w.sentinels[0], "REPLICAS", "-NOPERM no\r\n");
    CHECK_INT(ask(&w, 5000), RL_OK);
    puppet_answers(&w.sentinels[0], "REPLICAS", "*1\r\n*1\r\n");
    CHECK_INT(ask(&w, 5000), RL_OK);
}

/* A sentinel that lies must not let us look up names without end. */
TEST(sentinel_names_of_replicas_are_bounded)
{
    static char many[PUPPET_TEXT - 1000];
    rl_hosts hosts = {0};
    rl_error error;
    char *end = many + sprintf(many, "*1500\r\n");

    for (int i = 0; i < 1500; i++) {
        end += sprintf(end, "*4\r\n$2\r\nip\r\n$12\r\nh%04d.localh\r\n$4\r\nport\r\n$1\r\n1\r\n", i);
    }
    PUPPET(master);
    puppet_is_master(&master);
    WATCH(w, 1);
    puppet_names(&w.sentinels[0], "localhost", master.port, 1);
    puppet_answers(&w.sentinels[0], "REPLICAS", many);
    rl_conn *conn = rl_pool_take(&w.c.pool, &w.c.endpoint);
    for (int i = 0; i < 3; i++) {
        CHECK_INT(ping(conn, 5000, &error), RL_OK);
        rl_conn_break(conn, RL_LOST, "");
    }
    CHECK_INT(ping(conn, 5000, &error), RL_OK);
    int before = atomic_load(&resolved);
    rl_conn_hosts(conn, &hosts);
    CHECK_RANGE(1, atomic_load(&resolved) - before, 64);
    CHECK_RANGE(1, (int64_t)hosts.count, 70);
    rl_conn_free(conn);
    rl_hosts_free(&hosts);
}

/* If each new server has a name of its own, a process that lives long sees many. */
TEST(sentinel_names_of_closed_connections_are_bounded)
{
    char replicas[4096];
    rl_error error;

    PUPPET(master);
    puppet_is_master(&master);
    WATCH(w, 1);
    puppet_names(&w.sentinels[0], "localhost", master.port, 1);
    for (int round = 0; round < 4; round++) {
        char *end = replicas + sprintf(replicas, "*30\r\n");
        for (int i = 0; i < 30; i++) {
            end += sprintf(end, "*4\r\n$2\r\nip\r\n$12\r\nh%04d.localh\r\n$4\r\nport\r\n$1\r\n1\r\n", round * 30 + i);
        }
        puppet_answers(&w.sentinels[0], "REPLICAS", replicas);
        rl_conn *conn = rl_pool_take(&w.c.pool, &w.c.endpoint);
        CHECK_INT(ping(conn, 5000, &error), RL_OK);
        rl_conn_break(conn, RL_LOST, "");
        rl_pool_give(&w.c.pool, conn);
        CHECK_RANGE(31, (int64_t)w.c.pool.hosts.count, 60);
    }
}

TEST(sentinel_prepared_endpoint_resolves_nothing)
{
    rl_endpoint copy;
    rl_hosts hosts = {0};
    rl_error error;
    char why[128];

    PUPPET(master);
    puppet_is_master(&master);
    WATCH(w, 1);
    puppet_names(&w.sentinels[0], "some.invalid", master.port, 1);
    rl_hosts_note(&hosts, "some.invalid", "127.0.0.1");
    rl_endpoint_copy(&copy, &w.c.endpoint);
    CHECK(rl_endpoint_prepare(&copy, &hosts, why, sizeof(why)));
    rl_conn *conn = rl_pool_take(&w.c.pool, &copy);
    if (ping(conn, 5000, &error) != RL_OK) {
        test_fail(__FILE__, __LINE__, "%s", error.text);
    }
    CHECK_INT(puppet_requests(&w.sentinels[0]), 2); /* it has no use for more names */
    puppet_names(&w.sentinels[0], "other.invalid", master.port, 1);
    rl_conn_break(conn, RL_LOST, "");
    CHECK_INT(ping(conn, 5000, &error), RL_UNREACHABLE);
    check_part(error.text, "other.invalid");
    check_part(error.text, "the server's address is not known");
    CHECK_INT(atomic_load(&resolved), 0);

    /* An idle connection with the old table does not serve where more is known. */
    rl_hosts_note(&hosts, "other.invalid", "127.0.0.1");
    puppet_names(&w.sentinels[0], "some.invalid", master.port, 1);
    CHECK_INT(ping(conn, 5000, &error), RL_OK);
    CHECK(rl_conn_serves(conn, &copy));
    CHECK(rl_endpoint_prepare(&copy, &hosts, why, sizeof(why)));
    CHECK(!rl_conn_serves(conn, &copy));
    rl_conn_free(conn);
    rl_endpoint_free(&copy);
    rl_hosts_free(&hosts);
}

/* Of a host that cannot be found, it is known at once that neither question can be asked. */
TEST(sentinel_whose_name_is_not_known_is_looked_up_once)
{
    static const char *const servers[] = {"redis://no-such-host.invalid", "redis-sentinel://no-such-host.invalid/m"};
    int once = 0;

    for (int i = 0; i < 2; i++) {
        rl_error error;
        client c;
        client_open_dsn(&c, servers[i]);
        rl_conn *conn = rl_pool_take(&c.pool, &c.endpoint);
        CHECK_INT(ping(conn, 5000, &error), RL_UNREACHABLE);
        once = i == 0 ? atomic_load(&resolved) : once;
        CHECK_INT(atomic_load(&resolved), once * (i + 1)); /* as often as by any other connection */
        rl_conn_free(conn);
        client_close(&c);
    }
}

/* SPDX-License-Identifier: MIT
 *
 * Idle connections: which are used again, and which must not be.
 */
#include "bed.h"

#include <stdio.h>

static void ping(rl_conn *conn)
{
    rl_call call = {0};

    rl_request_add(&call.request, RL_LITERAL("PING"));
    rl_conn_submit(conn, &call, platform_now() + MS(5000));
    rl_call_wait(&call, platform_now() + MS(5000), NULL);
    CHECK_INT(call.error.kind, RL_OK);
    CHECK_TEXT(call.reply->str, "PONG");
    rl_call_reset(&call);
}

static long long connections(server *s)
{
    const char *stats = say(s, "INFO stats");

    return atoll(strstr(stats, "total_connections_received:") + 27);
}

TEST(pool_idle_connection_is_used_again)
{
    SERVER(s, NULL);
    CLIENT(c, s.path);
    CHECK_INT(take(&c, "a", 5000, 0), LOCK_YES);
    long long before = connections(&s);
    for (int i = 0; i < 10; i++) {
        CHECK_INT(drop(&c, "a"), LOCK_YES);
        CHECK_INT(take(&c, "a", 5000, 0), LOCK_YES);
    }
    CHECK_INT(connections(&s), before);
    CHECK_INT(c.pool.count, 1);
    rl_conn *first = rl_pool_take(&c.pool, &c.endpoint), *second = rl_pool_take(&c.pool, &c.endpoint);
    CHECK(first != second);
    ping(second);
    rl_pool_give(&c.pool, first);
    rl_pool_give(&c.pool, second);
    CHECK(rl_pool_take(&c.pool, &c.endpoint) == second); /* the one that is connected */
    rl_conn_free(second);
    rl_pool_give(&c.pool, NULL);
}

TEST(pool_serves_only_the_same_endpoint)
{
    client other;
    char dsn[128];

    SERVER(s, NULL);
    CLIENT(one, s.path);
    snprintf(dsn, sizeof(dsn), "unix://%s?db=2", s.path);
    client_open_dsn(&other, dsn);
    rl_conn *conn = rl_pool_take(&one.pool, &one.endpoint);
    ping(conn);
    rl_pool_give(&one.pool, conn);
    rl_conn *elsewhere = rl_pool_take(&one.pool, &other.endpoint);
    CHECK(elsewhere != conn);
    CHECK_INT(one.pool.count, 1);
    rl_conn_free(elsewhere);
    client_close(&other);
}

TEST(pool_dead_connection_is_replaced)
{
    SERVER(s, NULL);
    CLIENT(c, s.path);
    CHECK_INT(take(&c, "a", 5000, 0), LOCK_YES);
    say(&s, "CLIENT KILL TYPE normal SKIPME yes");
    CHECK_INT(drop(&c, "a"), LOCK_YES);
    server_kill(&s);
    server_restart(&s);
    CHECK_INT(take(&c, "a", 5000, 0), LOCK_YES);
    CHECK_INT(drop(&c, "a"), LOCK_YES);
}

TEST(pool_keeps_no_more_than_its_bound)
{
    client c;
    rl_conn *conns[RL_POOL_MAX_PLAIN + 4];

    SERVER(s, NULL);
    client_open(&c, s.path);
    for (int i = 0; i < RL_POOL_MAX_PLAIN + 4; i++) {
        conns[i] = rl_pool_take(&c.pool, &c.endpoint);
        ping(conns[i]);
    }
    for (int i = 0; i < RL_POOL_MAX_PLAIN + 4; i++) {
        rl_pool_give(&c.pool, conns[i]);
    }
    CHECK_INT(c.pool.count, RL_POOL_MAX_PLAIN);
    CHECK(c.pool.idle[0] == conns[4]); /* the connections that were idle longest were closed */
    CHECK(c.pool.idle[RL_POOL_MAX_PLAIN - 1] == conns[RL_POOL_MAX_PLAIN + 3]);
    rl_conn *fresh = rl_conn_new(&c.endpoint, NULL, NULL); /* never connected: not worth keeping */
    rl_pool_give(&c.pool, fresh);
    CHECK_INT(c.pool.count, RL_POOL_MAX_PLAIN);
    client_close(&c);
    sleep_ms(20);
    CHECK_TEXT(say(&s, "EVAL %s 0", "return #redis.call('KEYS','*')"), "0");
    CHECK(strstr(say(&s, "INFO clients"), "connected_clients:1\r") != NULL);
}

TEST(pool_connection_that_owes_a_reply_is_not_kept)
{
    rl_call call = {0};

    SERVER(s, NULL);
    CLIENT(c, s.path);
    rl_conn *conn = rl_pool_take(&c.pool, &c.endpoint);
    rl_request_add(&call.request, RL_LITERAL("PING"));
    rl_conn_submit(conn, &call, platform_now() + MS(5000));
    rl_pool_give(&c.pool, conn);
    CHECK_INT(c.pool.count, 0);
    CHECK(call.answered);
    CHECK_INT(call.error.kind, RL_LOST);
    rl_call_reset(&call);
}

TEST(pool_tells_where_the_server_was_found)
{
    static const lie pong = LIE("+PONG\r\n", LIE_SEND);
    rl_hosts hosts = {0};
    char dsn[160];
    client c, other;
    liar l;

    liar_start(&l, true, &pong, 1);
    client_open_dsn(&c, l.dsn);
    snprintf(dsn, sizeof(dsn), "%s/2", l.dsn);
    client_open_dsn(&other, dsn);
    rl_pool_hosts(&c.pool, &c.endpoint, &hosts);
    CHECK_INT(hosts.count, 0);
    rl_conn *conn = rl_pool_take(&c.pool, &c.endpoint);
    ping(conn);
    rl_pool_give(&c.pool, conn);
    rl_pool_hosts(&c.pool, &other.endpoint, &hosts);
    CHECK_INT(hosts.count, 0);
    rl_pool_hosts(&c.pool, &c.endpoint, &hosts);
    CHECK_INT(hosts.count, 1);
    CHECK_TEXT(rl_hosts_find(&hosts, "127.0.0.1"), "127.0.0.1");
    CHECK_INT(c.pool.count, 1);
    rl_hosts_free(&hosts);
    client_close(&other);
    client_close(&c);
    liar_stop(&l);
}

TEST(pool_tells_where_the_server_was_found_of_a_connection_that_is_not_kept)
{
    static const lie answers[] = {LIE("-LOADING Redis is loading the dataset in memory\r\n", LIE_SEND),
                                  LIE("+PONG\r\n", LIE_SEND)};
    rl_call refused = {.corked = true};
    rl_hosts hosts = {0};
    client c;
    liar l;

    liar_start(&l, true, answers, 2);
    client_open_dsn(&c, l.dsn);
    rl_conn *conn = rl_pool_take(&c.pool, &c.endpoint);
    rl_request_add(&refused.request, RL_LITERAL("PING"));
    rl_conn_submit(conn, &refused, platform_now() + MS(5000));
    ping(conn);
    CHECK_INT(refused.error.kind, RL_ERROR_REPLY);
    rl_pool_give(&c.pool, conn);
    CHECK_INT(c.pool.count, 0);
    rl_pool_hosts(&c.pool, &c.endpoint, &hosts);
    CHECK_INT(hosts.count, 1);
    CHECK_TEXT(rl_hosts_find(&hosts, "127.0.0.1"), "127.0.0.1");
    rl_hosts_free(&hosts);
    rl_call_reset(&refused);
    client_close(&c);
    liar_stop(&l);
}

/* Checks that a connection is not used again when the server has sent more than it was asked for. */
static void check_surplus(const lie *answer, int64_t pause)
{
    liar l;
    client c;

    liar_start(&l, false, answer, 1);
    client_open_dsn(&c, l.dsn);
    rl_conn *conn = rl_pool_take(&c.pool, &c.endpoint);
    ping(conn);
    rl_pool_give(&c.pool, conn);
    sleep_ms(pause);
    conn = rl_pool_take(&c.pool, &c.endpoint);
    ping(conn);
    rl_conn_free(conn);
    CHECK_INT(atomic_load(&l.control->connections), 2);
    client_close(&c);
    liar_stop(&l);
}

TEST(pool_surplus_reply_makes_a_connection_useless)
{
    static const lie whole = LIE("+PONG\r\n+STALE\r\n", LIE_SEND);
    static const lie dripped = LIE("+PONG\r\n+STALE\r\n", LIE_DRIP);

    check_surplus(&whole, 0);
    check_surplus(&dripped, 30);
}

TEST(pool_beginning_of_a_surplus_reply_makes_a_connection_useless)
{
    static const lie part = LIE("+PONG\r\n+ST", LIE_SEND);

    check_surplus(&part, 0);
}

static void use_in_child(void *arg)
{
    client *c = arg;
    rl_conn *parents = c->pool.idle[0];

    CHECK(rl_conn_is_inherited(parents));
    CHECK(!rl_conn_is_idle(parents));
    CHECK_INT(take(c, "child", 5000, 0), LOCK_YES);
    CHECK_INT(drop(c, "child"), LOCK_YES);
    CHECK_INT(c->pool.count, 1);
    CHECK(!rl_conn_is_inherited(c->pool.idle[0]));
    rl_pool_clear(&c->pool);
}

static void clear_in_child(void *arg)
{
    rl_pool_clear(&((client *)arg)->pool);
}

static void submit_in_child(void *arg)
{
    ping(((client *)arg)->pool.idle[0]); /* makes a connection of its own */
}

TEST(pool_fork_leaves_the_parents_connection_alone)
{
    static void (*const uses[])(void *) = {use_in_child, clear_in_child, submit_in_child};

    SERVER(s, NULL);
    CLIENT(c, s.path);
    CHECK_INT(take(&c, "parent", 5000, 0), LOCK_YES);
    rl_conn *mine = c.pool.idle[0];
    for (size_t i = 0; i < 3; i++) {
        process_join(process_start(uses[i], &c));
        CHECK(c.pool.idle[0] == mine && rl_conn_is_idle(mine));
        ping(mine);
    }
    CHECK_INT(drop(&c, "parent"), LOCK_YES);
}

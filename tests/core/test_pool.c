/* SPDX-License-Identifier: MIT
 *
 * Idle connections: which are used again, which must not be.
 */
#include "bed.h"

#include <stdio.h>

static void ping(redis_node *node)
{
    redis_call call = {0};

    redis_request_add(&call.request, REDIS_LITERAL("PING"));
    redis_node_submit(node, &call, platform_now() + MS(1000));
    redis_call_wait(&call, platform_now() + MS(1000), NULL);
    CHECK_INT(call.error.kind, REDIS_FINE);
    CHECK_TEXT(call.reply->str, "PONG");
    redis_call_reset(&call);
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
    redis_node *first = redis_pool_take(&c.pool, &c.endpoint), *second = redis_pool_take(&c.pool, &c.endpoint);
    CHECK(first != second);
    ping(second);
    redis_pool_give(&c.pool, first);
    redis_pool_give(&c.pool, second);
    CHECK(redis_pool_take(&c.pool, &c.endpoint) == second); /* the warm one */
    redis_node_free(second);
    redis_pool_give(&c.pool, NULL);
}

TEST(pool_serves_only_the_same_endpoint)
{
    client other;
    char dsn[128];

    SERVER(s, NULL);
    CLIENT(one, s.path);
    snprintf(dsn, sizeof(dsn), "unix://%s?db=2", s.path);
    client_open_dsn(&other, dsn);
    redis_node *node = redis_pool_take(&one.pool, &one.endpoint);
    ping(node);
    redis_pool_give(&one.pool, node);
    redis_node *elsewhere = redis_pool_take(&one.pool, &other.endpoint);
    CHECK(elsewhere != node);
    CHECK_INT(one.pool.count, 1);
    redis_node_free(elsewhere);
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
    redis_node *nodes[REDIS_POOL_MAX + 4];

    SERVER(s, NULL);
    client_open(&c, s.path);
    for (int i = 0; i < REDIS_POOL_MAX + 4; i++) {
        nodes[i] = redis_pool_take(&c.pool, &c.endpoint);
        ping(nodes[i]);
    }
    for (int i = 0; i < REDIS_POOL_MAX + 4; i++) {
        redis_pool_give(&c.pool, nodes[i]);
    }
    CHECK_INT(c.pool.count, REDIS_POOL_MAX);
    CHECK(c.pool.idle[0] == nodes[4]); /* those that were idle longest went */
    CHECK(c.pool.idle[REDIS_POOL_MAX - 1] == nodes[REDIS_POOL_MAX + 3]);
    redis_node *fresh = redis_node_new(&c.endpoint, NULL, NULL); /* never connected: not worth keeping */
    redis_pool_give(&c.pool, fresh);
    CHECK_INT(c.pool.count, REDIS_POOL_MAX);
    client_close(&c);
    sleep_ms(20);
    CHECK_TEXT(say(&s, "EVAL %s 0", "return #redis.call('KEYS','*')"), "0");
    CHECK(strstr(say(&s, "INFO clients"), "connected_clients:1\r") != NULL);
}

TEST(pool_connection_that_owes_a_reply_is_not_kept)
{
    redis_call call = {0};

    SERVER(s, NULL);
    CLIENT(c, s.path);
    redis_node *node = redis_pool_take(&c.pool, &c.endpoint);
    redis_request_add(&call.request, REDIS_LITERAL("PING"));
    redis_node_submit(node, &call, platform_now() + MS(1000));
    redis_pool_give(&c.pool, node);
    CHECK_INT(c.pool.count, 0);
    CHECK(call.answered);
    CHECK_INT(call.error.kind, REDIS_LOST);
    redis_call_reset(&call);
}

/* A server that says one thing more than it was asked for. */
static void check_surplus(const lie *answer, int64_t pause)
{
    liar l;
    client c;

    liar_start(&l, false, answer, 1);
    client_open_dsn(&c, l.dsn);
    redis_node *node = redis_pool_take(&c.pool, &c.endpoint);
    ping(node);
    redis_pool_give(&c.pool, node);
    sleep_ms(pause);
    node = redis_pool_take(&c.pool, &c.endpoint);
    ping(node);
    redis_node_free(node);
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
    redis_node *parents = c->pool.idle[0];

    CHECK(redis_node_is_inherited(parents));
    CHECK(!redis_node_is_idle(parents));
    CHECK_INT(take(c, "child", 5000, 0), LOCK_YES);
    CHECK_INT(drop(c, "child"), LOCK_YES);
    CHECK_INT(c->pool.count, 1);
    CHECK(!redis_node_is_inherited(c->pool.idle[0]));
    redis_pool_clear(&c->pool);
}

static void clear_in_child(void *arg)
{
    redis_pool_clear(&((client *)arg)->pool);
}

static void submit_in_child(void *arg)
{
    ping(((client *)arg)->pool.idle[0]); /* connects for itself */
}

TEST(pool_fork_leaves_the_parents_connection_alone)
{
    static void (*const uses[])(void *) = {use_in_child, clear_in_child, submit_in_child};

    SERVER(s, NULL);
    CLIENT(c, s.path);
    CHECK_INT(take(&c, "parent", 5000, 0), LOCK_YES);
    redis_node *mine = c.pool.idle[0];
    for (size_t i = 0; i < 3; i++) {
        process_join(process_start(uses[i], &c));
        CHECK(c.pool.idle[0] == mine && redis_node_is_idle(mine));
        ping(mine);
    }
    CHECK_INT(drop(&c, "parent"), LOCK_YES);
}

/* SPDX-License-Identifier: MIT
 *
 * Several servers asked at once. One is the common case and is tested everywhere else.
 */
#include "bed.h"

#include "redis_quorum.h"

typedef struct trio {
    server servers[3];
    client c; /* with three endpoints */
    redis_endpoint endpoints[3];
} trio;

static void trio_open(trio *t)
{
    for (int i = 0; i < 3; i++) {
        client one;
        server_start(&t->servers[i], NULL);
        client_open(&one, t->servers[i].path);
        t->endpoints[i] = one.endpoint;
    }
    client_open(&t->c, t->servers[0].path);
    t->c.lock.endpoints = t->endpoints;
    t->c.lock.count = 3;
}

static void trio_close(trio *t)
{
    for (int i = 0; i < 3; i++) {
        redis_endpoint_free(&t->endpoints[i]);
        server_stop(&t->servers[i]);
    }
    client_close(&t->c);
}

TEST(quorum_majority)
{
    redis_quorum quorum;

    for (size_t n = 1; n <= 5; n++) {
        quorum.count = n;
        CHECK_INT(redis_quorum_majority(&quorum), n / 2 + 1);
    }
}

static void ask(trio *t, redis_quorum *quorum, int64_t ms)
{
    redis_request request = {0};

    redis_request_add(&request, REDIS_LITERAL("INCR"));
    redis_request_add(&request, REDIS_LITERAL("n"));
    int64_t now = platform_now();
    redis_quorum_open(quorum, &t->c.pool, t->endpoints, 3, MS(1000));
    redis_quorum_prepare(quorum, &request);
    redis_quorum_ask(quorum, now + MS(ms), now + MS(ms), NULL, NULL, NULL);
}

TEST(quorum_asks_all_at_once_and_waits_for_all)
{
    trio t;
    redis_quorum quorum;

    trio_open(&t);
    for (int round = 1; round <= 3; round++) {
        ask(&t, &quorum, 1000);
        for (int i = 0; i < 3; i++) {
            CHECK_INT(quorum.calls[i].error.kind, REDIS_FINE);
            CHECK_INT(quorum.calls[i].reply->integer, round);
        }
        redis_quorum_close(&quorum);
        CHECK_INT(t.c.pool.count, 3);
    }
    trio_close(&t);
}

TEST(quorum_each_node_fails_for_itself)
{
    trio t;
    redis_quorum quorum;
    redis_request undo = {0};

    trio_open(&t);
    server_kill(&t.servers[0]);
    process_freeze(t.servers[1].pid);
    int64_t start = platform_now();
    ask(&t, &quorum, 100);
    CHECK_RANGE(99, ms_since(start), 140);
    CHECK_INT(quorum.calls[0].error.kind, REDIS_UNREACHABLE);
    CHECK_INT(quorum.calls[1].error.kind, REDIS_TIMED_OUT);
    CHECK_INT(quorum.calls[2].error.kind, REDIS_FINE);
    redis_request_add(&undo, REDIS_LITERAL("DEL"));
    redis_request_add(&undo, REDIS_LITERAL("n"));
    redis_quorum_part(&quorum, &undo, platform_now() + MS(20));
    redis_quorum_close(&quorum);
    CHECK_INT(t.c.pool.count, 1);

    kill(t.servers[1].pid, SIGCONT);
    sleep_ms(20);
    CHECK_TEXT(say(&t.servers[1], "GET n"), "(nil)");
    CHECK_INT(say_number(&t.servers[1], "EVAL %s 0", "return redis.call('DBSIZE')"), 0);
    CHECK_TEXT(say(&t.servers[2], "GET n"), "1");
    trio_close(&t);
}

TEST(quorum_lock_lives_on_two_of_three)
{
    trio t;

    trio_open(&t);
    server_kill(&t.servers[2]);
    CHECK_INT(take(&t.c, "a", 5000, 0), LOCK_YES);
    CHECK_TEXT(say(&t.servers[0], "GET lock:a"), token_of(&t.c));
    CHECK_TEXT(say(&t.servers[1], "GET lock:a"), token_of(&t.c));
    CHECK_INT(extend(&t.c, "a", 9000), LOCK_YES);
    CHECK_INT(drop(&t.c, "a"), LOCK_YES);
    CHECK_NO_KEY(&t.servers[0]);
    CHECK_NO_KEY(&t.servers[1]);
    server_kill(&t.servers[1]);
    CHECK_INT(take(&t.c, "a", 5000, 0), LOCK_FAILED);
    CHECK_INT(t.c.error.kind, REDIS_UNREACHABLE);
    trio_close(&t);
}

TEST(quorum_answers_are_read_from_a_node_that_gave_one)
{
    trio t;
    lock_lease holder = {0};

    trio_open(&t);
    CHECK_INT(take(&t.c, "a", 5000, 0), LOCK_YES);
    server_kill(&t.servers[0]);
    CHECK_INT(waiters(&t.c, "a"), 0);
    CHECK_INT(lock_holder(&t.c.lock, BYTES("a"), &holder, &t.c.error), LOCK_YES);
    lock_lease_free(&holder);
    trio_close(&t);
}

/* SPDX-License-Identifier: MIT
 *
 * Requests to several servers at once. A single server is the common case, and is tested everywhere else.
 */
#include "bed.h"

#include "redis/session.h"

TEST(session_majority)
{
    rl_session session;

    for (size_t n = 1; n <= 5; n++) {
        session.nodes = n;
        CHECK_INT(rl_session_majority(&session), n / 2 + 1);
    }
}

static const rl_policy all = {.judge = rl_judge_count};

static void ask(const client *c, rl_session *session, int64_t ms)
{
    rl_clock clock = {0};
    int64_t now = platform_now();

    rl_session_open(session, &c->lock.target, 3, 1, 0);
    rl_request *request = rl_session_request(session, 0);
    rl_request_begin(request, NULL);
    rl_request_add(request, RL_LITERAL("INCR"));
    rl_request_add(request, RL_LITERAL("n"));
    rl_session_spread(session, 0);
    rl_clock_ask_by(&clock, now, now + MS(ms));
    rl_session_round(session, &clock, &all);
}

TEST(session_asks_all_at_once_and_waits_for_all)
{
    rl_session session;

    RING(r, 3, NULL);
    RING_CLIENT(c, &r);
    for (int round = 1; round <= 3; round++) {
        ask(&c, &session, 1000);
        for (int i = 0; i < 3; i++) {
            CHECK_INT(session.calls[i].error.kind, RL_OK);
            CHECK_INT(session.calls[i].reply->integer, round);
        }
        rl_session_close(&session);
        CHECK_INT(c.pool.count, 3);
    }
}

TEST(session_each_node_fails_for_itself)
{
    rl_session session;
    rl_request undo = {0};

    RING(r, 3, NULL);
    RING_CLIENT(c, &r);
    server_kill(&r.servers[0]);
    process_freeze(r.servers[1].pid);
    int64_t start = platform_now();
    ask(&c, &session, 100);
    CHECK_RANGE(99, ms_since(start), 140 + held_up());
    CHECK_INT(session.calls[0].error.kind, RL_UNREACHABLE);
    CHECK_INT(session.calls[1].error.kind, RL_TIMED_OUT);
    CHECK_INT(session.calls[2].error.kind, RL_OK);
    rl_request_add(&undo, RL_LITERAL("DEL"));
    rl_request_add(&undo, RL_LITERAL("n"));
    rl_session_close_after(&session, &undo, platform_now() + MS(20));
    rl_session_close(&session);
    CHECK_INT(c.pool.count, 1);

    kill(r.servers[1].pid, SIGCONT);
    sleep_ms(20);
    CHECK_TEXT(say(&r.servers[1], "GET n"), "(nil)");
    CHECK_INT(say_number(&r.servers[1], "EVAL %s 0", "return redis.call('DBSIZE')"), 0);
    CHECK_TEXT(say(&r.servers[2], "GET n"), "1");
}

TEST(quorum_lock_lives_on_two_of_three)
{
    RING(r, 3, NULL);
    RING_CLIENT(c, &r);
    server_kill(&r.servers[2]);
    CHECK_INT(take(&c, "a", 5000, 0), LOCK_YES);
    CHECK_TEXT(say(&r.servers[0], "GET lock:a"), token_of(&c));
    CHECK_TEXT(say(&r.servers[1], "GET lock:a"), token_of(&c));
    CHECK_INT(extend(&c, "a", 9000), LOCK_YES);
    CHECK_INT(drop(&c, "a"), LOCK_YES);
    CHECK_NO_KEY(&r.servers[0]);
    CHECK_NO_KEY(&r.servers[1]);
    server_kill(&r.servers[1]);
    CHECK_INT(take(&c, "a", 5000, 0), LOCK_FAILED);
    CHECK_INT(c.error.kind, RL_UNREACHABLE);
}

TEST(quorum_answers_are_read_from_a_node_that_gave_one)
{
    lock_lease holder = {0};

    RING(r, 3, NULL);
    RING_CLIENT(c, &r);
    CHECK_INT(take(&c, "a", 5000, 0), LOCK_YES);
    server_kill(&r.servers[0]);
    CHECK_INT(waiters(&c, "a"), 0);
    CHECK_INT(lock_holder(&c.lock, BYTES("a"), &holder, &c.error), LOCK_YES);
    lock_lease_free(&holder);
}

/* A question whose answer takes the server 40 ms: by its processor's clock, since TIME stands still in a script from Redis 7.2
 * on, or by TIME if there is no other. The key `name` counts how often it was asked. The question is so long that the server
 * does not read two of them at once: it answers what it reads at once together. */
static void ask_slow_question(rl_request *request, const char *name, rl_bytes padding)
{
    rl_request_begin(request, NULL);
    rl_request_add(request, RL_LITERAL("EVAL"));
    rl_request_add(
        request,
        RL_LITERAL("local os = rawget(_G, 'os') local function now() if os then return os.clock() * 1000 end "
                   "local t = redis.call('TIME') return t[1] * 1000 + t[2] / 1000 end "
                   "redis.call('INCR', KEYS[1]) local began = now() repeat until now() - began >= 40 return 1"));
    rl_request_add(request, RL_LITERAL("1"));
    rl_request_add(request, BYTES(name));
    rl_request_add(request, padding);
}

TEST(session_nodes_that_go_on_answering_are_not_given_up)
{
    enum { QUESTIONS = 40 };
    static char padding[40000];
    static const rl_policy patient = {.judge = rl_judge_flag, .decided = rl_session_vote_is_decided};
    rl_clock clock = rl_clock_budget(platform_now(), MS(60000));
    rl_session session;
    rl_error error;

    memset(padding, 'x', sizeof(padding));
    RING(r, 3, NULL);
    RING_CLIENT(c, &r);
    c.lock.target.connect_timeout = c.lock.target.read_timeout = MS(60000);
    c.lock.target.node_timeout = MS(1500); /* for all questions that is too little, for one it is much */
    rl_session_open(&session, &c.lock.target, 3, QUESTIONS, 0);
    for (size_t i = 0; i < QUESTIONS; i++) {
        ask_slow_question(rl_session_request(&session, i), "count", (rl_bytes){padding, sizeof(padding)});
    }
    int64_t start = platform_now();
    CHECK(rl_session_ask(&session, &clock, &patient, &error));
    CHECK_RANGE(40 * QUESTIONS, ms_since(start), 60000);
    rl_session_close(&session);
}

/* Of two questions to three nodes, the first is decided without the silent node. The second is asked again, since its reply
 * from another node was lost. The silent node gets the first question once, and answers when the session is closed. */
TEST(session_repeat_does_not_send_again_what_is_decided)
{
    static char padding[40000];
    static const rl_policy releasing = {.judge = rl_judge_flag, .decided = rl_session_vote_is_decided, .repeats = true};
    rl_clock clock = rl_clock_budget(platform_now(), MS(30000));
    rl_session session;
    rl_error error;

    memset(padding, 'x', sizeof(padding));
    RING(r, 3, NULL);
    RELAY(lossy, &r.servers[1]);
    CLIENT(behind, lossy.path);
    RING_CLIENT(c, &r);
    rl_endpoint endpoints[] = {r.endpoints[0], behind.endpoint, r.endpoints[2]};
    c.lock.target.endpoints = endpoints;
    c.lock.target.node_timeout = MS(3000);
    CHECK_INT(waiters(&c, "warm"), 0);
    rl_session_open(&session, &c.lock.target, 3, 2, 0);
    for (size_t i = 0; i < 2; i++) {
        ask_slow_question(rl_session_request(&session, i), i == 0 ? "first" : "second",
                          (rl_bytes){padding, sizeof(padding)});
    }
    atomic_store(&lossy.control->swallow, 2);
    server_freeze(&r.servers[2]);
    CHECK(rl_session_ask(&session, &clock, &releasing, &error));
    CHECK_INT(atomic_load(&lossy.control->swallowed), 1);
    rl_session_close(&session);
    server_thaw(&r.servers[2]);
    int64_t start = platform_now();
    while (strcmp(say(&r.servers[2], "GET second"), "2") != 0) {
        CHECK_RANGE(0, ms_since(start), 5000 + held_up());
        sleep_ms(1);
    }
    CHECK_TEXT(say(&r.servers[2], "GET first"), "1");
}

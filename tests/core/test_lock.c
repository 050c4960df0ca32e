/* SPDX-License-Identifier: MIT
 *
 * The lock itself, without waiting: taking, releasing, extending, asking, and what Redis may refuse.
 */
#include "bed.h"

#include <stdio.h>

#include "redis/scripts.h"

#define BATON "rl:baton:00000000000000000000000000000000"

typedef struct pair {
    server s;
    client a, b;
} pair;

static void pair_open(pair *p)
{
    server_start(&p->s, NULL);
    client_open(&p->a, p->s.path);
    client_open(&p->b, p->s.path);
}

static void pair_close(pair *p)
{
    client_close(&p->a);
    client_close(&p->b);
    server_stop(&p->s);
}

#define PAIR(p)                                                                                                        \
    CLOSED_BY(pair_close) pair p;                                                                                      \
    pair_open(&(p))

/* ---- leases ---- */

static int64_t left(int64_t lasts, int64_t sent, int64_t now)
{
    lock_lease lease = {.sent = sent, .duration = lasts};

    return lock_lease_validity(&lease, now);
}

TEST(lock_lease_counts_from_the_sending_less_drift)
{
    CHECK_INT(left(MS(10000), 0, 0), MS(10000 - 100 - 2));
    CHECK_INT(left(MS(10000), MS(500), MS(1500)), MS(10000 - 100 - 2 - 1000));
    CHECK_INT(left(MS(10000), 0, MS(9898)), 0);
    CHECK_INT(left(MS(10000), 0, MS(9898) - 1), 1);
    CHECK_INT(left(MS(10000), 0, INT64_MAX), 0);
    CHECK_INT(left(MS(10), 0, 0), MS(8) - 100);
    CHECK_INT(left(PLATFORM_NEVER, 0, INT64_MAX - 1), PLATFORM_NEVER);
}

/* ---- taking and giving back ---- */

TEST(lock_is_a_plain_string_with_its_token_and_lease)
{
    PAIR(p);
    int64_t before = platform_now();
    CHECK_INT(take(&p.a, "a", 5000, 0), LOCK_YES);
    CHECK(p.a.lease.sent >= before && p.a.lease.sent <= platform_now());
    CHECK_INT(p.a.lease.duration, MS(5000));
    CHECK_INT(p.a.lease.token_len, LOCK_TOKEN_LEN);
    CHECK_TEXT(say(&p.s, "KEYS *"), "lock:a");
    CHECK_TEXT(say(&p.s, "GET lock:a"), token_of(&p.a));
    CHECK_RANGE(4900 - held_up(), say_number(&p.s, "PTTL lock:a"), 5000);
    CHECK_INT(drop(&p.a, "a"), LOCK_YES);
    CHECK_NO_KEY(&p.s);
    CHECK_INT(drop(&p.a, "a"), LOCK_NOT_OWNED);
}

TEST(lock_costs_one_request)
{
    PAIR(p);
    CHECK_INT(take(&p.a, "warm", 5000, 1000), LOCK_YES);
    CHECK_INT(drop(&p.a, "warm"), LOCK_YES);
    say(&p.s, "CONFIG RESETSTAT");
    CHECK_INT(take(&p.a, "a", 5000, 1000), LOCK_YES);
    CHECK_INT(drop(&p.a, "a"), LOCK_YES);
    CHECK_INT(server_calls(&p.s, "evalsha"), 2);
    CHECK_INT(server_calls(&p.s, "eval"), 0);
    CHECK_INT(server_calls(&p.s, "blpop"), 0);
    CHECK_INT(server_calls(&p.s, "set"), 1); /* by the script */
}

/* Releases a lock, so that this connection knows that it has the right to. */
static void warm_up(client *c)
{
    CHECK_INT(take(c, "warm", 5000, 0), LOCK_YES);
    CHECK_INT(drop(c, "warm"), LOCK_YES);
}

/* A client that does not wait needs no script, neither for a free lock nor for one that is held. */
TEST(lock_without_a_wait_is_one_set)
{
    PAIR(p);
    warm_up(&p.a);
    warm_up(&p.b);
    say(&p.s, "CONFIG RESETSTAT");
    CHECK_INT(take(&p.a, "a", 5000, 0), LOCK_YES);
    CHECK_TEXT(say(&p.s, "GET lock:a"), token_of(&p.a));
    CHECK_RANGE(4900 - held_up(), say_number(&p.s, "PTTL lock:a"), 5000);
    CHECK_INT(take(&p.b, "a", 5000, 0), LOCK_BUSY);
    CHECK_TEXT(say(&p.s, "GET lock:a"), token_of(&p.a));
    CHECK_INT(server_calls(&p.s, "set"), 2);
    CHECK_INT(server_calls(&p.s, "eval") + server_calls(&p.s, "evalsha"), 0);
}

/* A lock without a wait is still taken by a plain SET. */
#define CHECK_PLAIN(p)                                                                                                 \
    do {                                                                                                               \
        long long before = server_calls(&(p).s, "evalsha");                                                            \
        CHECK_INT(take(&(p).a, "plain", 5000, 0), LOCK_YES);                                                           \
        CHECK_INT(server_calls(&(p).s, "evalsha"), before);                                                            \
    } while (0)

/* If the plain SET finds a baton or a key of another type, the script is asked. Only it knows that a lock whose baton lies in
 * the list is free, and that a key of another type is held. */
TEST(lock_without_a_wait_takes_a_baton_that_lies_there)
{
    PAIR(p);
    warm_up(&p.a);
    say(&p.s, "SET lock:a rl:baton:x PX 1000");
    CHECK_INT(take(&p.a, "a", 5000, 0), LOCK_BUSY); /* the baton is with a waiter */
    say(&p.s, "RPUSH {lock:a}:rl:baton rl:baton:x");
    CHECK_INT(take(&p.a, "a", 5000, 0), LOCK_YES);
    CHECK_TEXT(say(&p.s, "GET lock:a"), token_of(&p.a));
    say(&p.s, "LPUSH lock:list x");
    CHECK_INT(take(&p.a, "list", 5000, 0), LOCK_BUSY);
    CHECK_PLAIN(p);
}

/* A plain SET with GET answers with the whole value. If that is too large for a reply, the script is asked. */
TEST(lock_without_a_wait_may_find_megabytes_there)
{
    PAIR(p);
    warm_up(&p.a);
    for (int size = 1000; size <= 8000000; size *= 20) {
        say(&p.s, "SETRANGE lock:a %d x", size);
        CHECK_INT(take(&p.a, "a", 5000, 0), LOCK_BUSY);
        CHECK_INT(take_as(&p.a, "a", "mine", 5000, 0), LOCK_BUSY);
    }
    say(&p.s, "DEL lock:a");
    CHECK_INT(take(&p.a, "a", 5000, 0), LOCK_YES);
    CHECK_PLAIN(p);
}

/* A client that may acquire but not release must get the refusal from its first acquire, which leaves no lock. Only the
 * script makes sure of that. */
TEST(lock_asks_the_script_until_it_has_released_one)
{
    PAIR(p);
    CHECK_INT(take(&p.a, "a", 5000, 0), LOCK_YES);
    CHECK_INT(take(&p.a, "b", 5000, 0), LOCK_YES);
    CHECK_INT(server_calls(&p.s, "evalsha"), 2);
    CHECK_INT(server_calls(&p.s, "eval"), 1);
}

/* Redis before 7.0 gives no version to scripts, and takes no NX together with GET. */
TEST(lock_acquire_script_at_a_server_before_redis_7)
{
    static const char hide[] = "local redis = {call = redis.call, pcall = redis.pcall, sha1hex = redis.sha1hex}\n%s";
    static const char acquire[] = "EVAL %s 3 lock:a {lock:a}:rl:baton {lock:a}:rl:wait %s 5000 %s %s";
    char script[16384];
    SERVER(s, NULL);

    CHECK(snprintf(script, sizeof(script), hide, rl_script_acquire.text) < (int)sizeof(script));
    CHECK_TEXT(say(&s, acquire, script, "rl:first", "one", "1000"), "taken");
    CHECK_INT(server_calls(&s, "get"), 1); /* by a command of its own */
    CHECK_TEXT(say(&s, "GET lock:a"), "rl:first");
    CHECK_RANGE(4000 - held_up(), say_number(&s, "PTTL lock:a"), 5000);
    CHECK_TEXT(say(&s, acquire, script, "rl:second", "two", "1000"), "0 200");
    CHECK_TEXT(say(&s, "ZRANGE {lock:a}:rl:wait 0 -1"), "two");
    say(&s, "DEL lock:a");
    CHECK_TEXT(say(&s, acquire, script, "rl:third", "three", "1000"), "0 200"); /* lets the first one go first */
    CHECK(lock_token_is_baton(BYTES(say(&s, "GET lock:a"))));
    say(&s, "FLUSHALL");
    CHECK_TEXT(say(&s, acquire, script, "rl:fourth", "", "0"), "taken");
}

TEST(lock_server_that_knows_no_nx_with_get_is_asked_so_once)
{
    static const lie answers[] = {LIE("*2\r\n:1\r\n:0\r\n", LIE_SEND), LIE(":1\r\n", LIE_SEND),
                                  LIE("-ERR syntax error\r\n", LIE_SEND), LIE("*2\r\n:1\r\n:0\r\n", LIE_SEND),
                                  LIE("*2\r\n:1\r\n:0\r\n", LIE_SEND)};
    client c;
    liar l;

    liar_start(&l, false, answers, 5);
    client_open_dsn(&c, l.dsn);
    warm_up(&c);
    CHECK_INT(take(&c, "a", 5000, 0), LOCK_YES);
    CHECK_INT(atomic_load(&l.control->requests), 4);
    CHECK_INT(take(&c, "b", 5000, 0), LOCK_YES);
    CHECK_INT(atomic_load(&l.control->requests), 5);
    CHECK_INT(atomic_load(&l.control->connections), 1);
    client_close(&c);
    liar_stop(&l);
}

TEST(lock_held_by_another_is_no)
{
    PAIR(p);
    CHECK_INT(take(&p.a, "a", 5000, 0), LOCK_YES);
    CHECK_INT(take(&p.b, "a", 60000, 0), LOCK_BUSY);
    CHECK_INT(p.b.error.kind, RL_OK);
    CHECK_TEXT(say(&p.s, "GET lock:a"), token_of(&p.a));
    CHECK_RANGE(4900 - held_up(), say_number(&p.s, "PTTL lock:a"), 5000);
    CHECK_TEXT(say(&p.s, "KEYS *"), "lock:a");
    CHECK_INT(take(&p.b, "b", 5000, 0), LOCK_YES);
}

TEST(lock_by_its_own_token_is_held_like_any_other)
{
    PAIR(p);
    CHECK_INT(take_as(&p.a, "a", "mine", 5000, 0), LOCK_YES);
    CHECK_TEXT(say(&p.s, "GET lock:a"), "mine");
    CHECK_INT(take_as(&p.b, "a", "mine", 60000, 0), LOCK_BUSY);
    CHECK_RANGE(4900 - held_up(), say_number(&p.s, "PTTL lock:a"), 5000);
}

TEST(lock_lease_without_end)
{
    PAIR(p);
    CHECK_INT(take(&p.a, "a", PLATFORM_NEVER, 0), LOCK_YES);
    CHECK_TEXT(say(&p.s, "PTTL lock:a"), "-1");
    CHECK_INT(lock_lease_validity(&p.a.lease, platform_now()), PLATFORM_NEVER);
    CHECK_INT(lock_holder(&p.b.lock, BYTES("a"), &p.b.lease, &p.b.error), LOCK_YES);
    CHECK_INT(p.b.lease.duration, PLATFORM_NEVER);
    CHECK_INT(extend(&p.a, "a", 3000), LOCK_YES);
    CHECK_RANGE(2900 - held_up(), say_number(&p.s, "PTTL lock:a"), 3000);
    CHECK_INT(extend(&p.a, "a", PLATFORM_NEVER), LOCK_YES);
    CHECK_TEXT(say(&p.s, "PTTL lock:a"), "-1");
}

TEST(lock_release_by_another_does_nothing)
{
    PAIR(p);
    CHECK_INT(take(&p.a, "a", 5000, 0), LOCK_YES);
    CHECK_INT(take(&p.b, "b", 5000, 0), LOCK_YES);
    CHECK_INT(drop(&p.b, "a"), LOCK_NOT_OWNED);
    CHECK_INT(extend(&p.b, "a", 60000), LOCK_NOT_OWNED);
    CHECK_TEXT(say(&p.s, "GET lock:a"), token_of(&p.a));
    CHECK_RANGE(4900 - held_up(), say_number(&p.s, "PTTL lock:a"), 5000);
}

TEST(lock_expired_then_taken_is_left_alone)
{
    PAIR(p);
    CHECK_INT(take(&p.a, "a", 300, 0), LOCK_YES);
    sleep_ms(310);
    CHECK_INT(extend(&p.a, "a", 60000), LOCK_NOT_OWNED);
    CHECK_NO_KEY(&p.s); /* never resurrected */
    CHECK_INT(drop(&p.a, "a"), LOCK_NOT_OWNED);
    CHECK_INT(take(&p.b, "a", 5000, 0), LOCK_YES);
    CHECK_INT(extend(&p.a, "a", 60000), LOCK_NOT_OWNED);
    CHECK_INT(drop(&p.a, "a"), LOCK_NOT_OWNED);
    CHECK_TEXT(say(&p.s, "GET lock:a"), token_of(&p.b));
    CHECK_RANGE(4800 - held_up(), say_number(&p.s, "PTTL lock:a"), 5000);
}

TEST(lock_names_and_tokens_may_hold_any_byte)
{
    static const char *const pieces[] = {"a\0b", "\r\n$3\r\n", "{", "}", "{x}", " ", "\xff\xfe"};
    static const size_t lens[] = {3, 7, 1, 1, 3, 1, 2};
    char *big = platform_alloc(100000);

    PAIR(p);
    memset(big, 'n', 100000);
    for (size_t i = 0; i < 8; i++) {
        rl_bytes name = i < 7 ? (rl_bytes){pieces[i], lens[i]} : (rl_bytes){big, 100000};
        CHECK_INT(lock_acquire(&p.a.lock, name, &name, MS(5000), 0, &p.a.lease, NULL, &p.a.error), LOCK_YES);
        CHECK_INT(lock_acquire(&p.b.lock, name, NULL, MS(5000), 0, &p.b.lease, NULL, &p.b.error), LOCK_BUSY);
        CHECK_INT(lock_holder(&p.b.lock, name, &p.b.lease, &p.b.error), LOCK_YES);
        CHECK(p.b.lease.token_len == name.len && memcmp(p.b.lease.token, name.at, name.len) == 0);
        lock_lease_free(&p.b.lease);
        CHECK_INT(lock_release(&p.a.lock, name, &p.a.lease, MS(1000), &p.a.error), LOCK_YES);
        lock_lease_free(&p.a.lease);
        CHECK_NO_KEY(&p.s);
    }
    free(big);
}

/* ---- extending ---- */

TEST(lock_extend_sets_the_remaining_lease)
{
    PAIR(p);
    CHECK_INT(take(&p.a, "a", 5000, 0), LOCK_YES);
    int64_t before = platform_now();
    CHECK_INT(extend(&p.a, "a", 9000), LOCK_YES);
    CHECK_RANGE(8900 - held_up(), say_number(&p.s, "PTTL lock:a"), 9000);
    CHECK(p.a.lease.sent >= before);
    CHECK_INT(p.a.lease.duration, MS(9000));
    CHECK_INT(extend(&p.a, "a", 1000), LOCK_YES);
    CHECK_RANGE(900 - held_up(), say_number(&p.s, "PTTL lock:a"), 1000);
    CHECK_INT(p.a.lease.duration, MS(1000));
}

TEST(lock_extend_of_unknown_outcome_counts_as_the_shorter)
{
    PAIR(p);
    p.a.lock.target.connect_timeout = p.a.lock.target.read_timeout = MS(50);
    CHECK_INT(take(&p.a, "a", 5000, 0), LOCK_YES);
    process_freeze(p.s.pid);
    CHECK_INT(extend(&p.a, "a", 60000), LOCK_FAILED);
    CHECK_INT(p.a.error.kind, RL_TIMED_OUT);
    CHECK_INT(p.a.lease.duration, MS(5000));
    CHECK_INT(extend(&p.a, "a", 2000), LOCK_FAILED);
    CHECK_INT(p.a.lease.duration, MS(2000));
    kill(p.s.pid, SIGCONT);
}

/* ---- asking, forcing ---- */

TEST(lock_holder_is_told)
{
    PAIR(p);
    CHECK_INT(lock_holder(&p.b.lock, BYTES("a"), &p.b.lease, &p.b.error), LOCK_NOT_OWNED);
    CHECK_INT(take(&p.a, "a", 5000, 0), LOCK_YES);
    CHECK_INT(lock_holder(&p.b.lock, BYTES("a"), &p.b.lease, &p.b.error), LOCK_YES);
    CHECK_TEXT(token_of(&p.b), token_of(&p.a));
    CHECK_RANGE(MS(4900), p.b.lease.duration, MS(5000));
    lock_lease_free(&p.b.lease);
    say(&p.s, "SET lock:a " BATON);
    CHECK_INT(lock_holder(&p.b.lock, BYTES("a"), &p.b.lease, &p.b.error), LOCK_NOT_OWNED);
}

TEST(lock_force_takes_it_from_whoever_has_it)
{
    PAIR(p);
    CHECK_INT(lock_force_release(&p.b.lock, BYTES("a"), &p.b.error), LOCK_NOT_OWNED);
    CHECK_INT(take(&p.a, "a", 5000, 0), LOCK_YES);
    CHECK_INT(lock_force_release(&p.b.lock, BYTES("a"), &p.b.error), LOCK_YES);
    CHECK_NO_KEY(&p.s);
    say(&p.s, "SET lock:a " BATON); /* the lock is being handed to a waiter: nobody holds it */
    CHECK_INT(lock_force_release(&p.b.lock, BYTES("a"), &p.b.error), LOCK_NOT_OWNED);
    CHECK_TEXT(say(&p.s, "GET lock:a"), BATON);
}

TEST(lock_waiters_are_counted_without_the_dead)
{
    PAIR(p);
    CHECK_INT(waiters(&p.a, "a"), 0);
    long long now = say_number(&p.s, "EVAL %s 0", "return redis.call('TIME')[1] * 1000");
    say(&p.s, "ZADD {lock:a}:rl:wait %lld dead %lld living", now - 1000, now + 60000);
    CHECK_INT(waiters(&p.a, "a"), 1);
    CHECK_TEXT(say(&p.s, "ZRANGE {lock:a}:rl:wait 0 -1"), "living");
}

/* ---- batons ---- */

TEST(lock_parked_baton_counts_as_free)
{
    PAIR(p);
    say(&p.s, "SET lock:a " BATON " PX 1000");
    CHECK_INT(take(&p.a, "a", 5000, 0), LOCK_BUSY); /* the baton was served to a waiter */
    say(&p.s, "RPUSH {lock:a}:rl:baton " BATON);
    CHECK_INT(take(&p.a, "a", 5000, 0), LOCK_YES);
    CHECK_TEXT(say(&p.s, "KEYS *"), "lock:a");
    CHECK_INT(drop(&p.a, "a"), LOCK_YES);
    say(&p.s, "SET lock:a " BATON " PX 1000");
    say(&p.s, "RPUSH {lock:a}:rl:baton stale");
    CHECK_INT(take(&p.a, "a", 5000, 0), LOCK_BUSY);
}

TEST(lock_release_hands_over_with_a_grace)
{
    PAIR(p);
    CHECK_INT(take(&p.a, "a", 60000, 0), LOCK_YES);
    long long now = say_number(&p.s, "EVAL %s 0", "return redis.call('TIME')[1] * 1000");
    say(&p.s, "ZADD {lock:a}:rl:wait %lld somebody", now + 60000);
    say(&p.s, "RPUSH {lock:a}:rl:baton stale staler");
    CHECK_INT(drop(&p.a, "a"), LOCK_YES);
    CHECK(lock_token_is_baton(BYTES(say(&p.s, "GET lock:a"))));
    CHECK_TEXT(say(&p.s, "LRANGE {lock:a}:rl:baton 0 -1"), say(&p.s, "GET lock:a"));
    CHECK_RANGE(800 - held_up(), say_number(&p.s, "PTTL lock:a"), 1000);
    CHECK_RANGE(1800 - held_up(), say_number(&p.s, "PTTL {lock:a}:rl:baton"), 2000);

    say(&p.s, "FLUSHALL");
    CHECK_INT(take(&p.a, "a", 60000, 0), LOCK_YES);
    say(&p.s, "ZADD {lock:a}:rl:wait %lld somebody", now - 1000); /* dead, and a waiter that lived longer has left */
    CHECK_INT(drop(&p.a, "a"), LOCK_YES);
    CHECK_INT(take(&p.b, "a", 60000, 0), LOCK_YES);
    CHECK_TEXT(say(&p.s, "KEYS *"), "lock:a");
}

/* ---- foreign types ---- */

TEST(lock_name_that_is_no_string)
{
    static const char *const makers[] = {"RPUSH lock:a x", "SADD lock:a x", "ZADD lock:a 1 x", "HSET lock:a x y",
                                         "XADD lock:a * x y"};

    PAIR(p);
    CHECK_INT(take(&p.a, "other", 60000, 0), LOCK_YES); /* a lease, for the calls that need one */
    for (size_t i = 0; i < sizeof(makers) / sizeof(*makers); i++) {
        say(&p.s, "DEL lock:a");
        say(&p.s, makers[i]);
        CHECK_INT(take(&p.b, "a", 5000, 0), LOCK_BUSY);
        CHECK_BUSY(PLATFORM_NEVER, take(&p.b, "a", 5000, 60));
        CHECK_INT(drop(&p.a, "a"), LOCK_NOT_OWNED);
        CHECK_INT(extend(&p.a, "a", 5000), LOCK_NOT_OWNED);
        p.a.lease.duration = PLATFORM_NEVER;
        CHECK_INT(lock_holder(&p.b.lock, BYTES("a"), &p.b.lease, &p.b.error), LOCK_FAILED);
        CHECK_INT(p.b.error.kind, RL_ERROR_REPLY);
        CHECK_TEXT(p.b.error.code, "WRONGTYPE");
        CHECK_INT(lock_force_release(&p.b.lock, BYTES("a"), &p.b.error), LOCK_FAILED);
        CHECK_TEXT(p.b.error.code, "WRONGTYPE");
        CHECK_TEXT(say(&p.s, "EXISTS lock:a"), "1");
        CHECK_TEXT(say(&p.s, "PTTL lock:a"), "-1");
    }
}

TEST(lock_side_keys_of_another_type_leave_nothing_locked)
{
    static const char *const sides[] = {"baton", "wait", "fence"};

    PAIR(p);
    p.a.lock.fencing = p.b.lock.fencing = true;
    for (size_t i = 0; i < 3; i++) {
        say(&p.s, "FLUSHALL");
        say(&p.s, "HSET {lock:a}:rl:%s x y", sides[i]);
        for (int timeout = 0; timeout <= 60; timeout += 60) { /* the lock is free; without and with a wait */
            lock_outcome outcome = take(&p.a, "a", 5000, timeout);
            if (outcome == LOCK_YES) {
                outcome = drop(&p.a, "a"); /* it is released, but a refusal is reported */
            }
            CHECK(outcome == LOCK_YES || (outcome == LOCK_FAILED && strcmp(p.a.error.code, "WRONGTYPE") == 0));
            CHECK_TEXT(say(&p.s, "EXISTS lock:a"), "0");
        }
        /* The lock is held, another client waits in vain, then the lock is released. */
        say(&p.s, "SET lock:a mine");
        lock_outcome outcome = take(&p.b, "a", 5000, 60);
        CHECK(outcome == LOCK_BUSY || (outcome == LOCK_FAILED && strcmp(p.b.error.code, "WRONGTYPE") == 0));
        lock_lease mine = {.token = "mine", .token_len = 4, .sent = platform_now(), .duration = MS(5000)};
        outcome = lock_release(&p.a.lock, BYTES("a"), &mine, MS(1000), &p.a.error);
        CHECK(outcome == LOCK_YES || (outcome == LOCK_FAILED && strcmp(p.a.error.code, "WRONGTYPE") == 0));
        CHECK_TEXT(say(&p.s, "EXISTS lock:a"), "0");
    }
}

/* ---- refused commands ---- */

static const char *const commands[] = {"zrem",      "zadd",    "zcard", "zscore", "zremrangebyscore",
                                       "zrevrange", "zcount",  "set",   "rpush",  "lindex",
                                       "blpop",     "pexpire", "pttl",  "get",    "persist"};

static void allow_all_but(server *s, const char *command)
{
    say(s, "ACL SETUSER half reset on >pw ~* +@all -%s", command);
}

static void open_half(client *c, const server *s)
{
    char dsn[256];

    snprintf(dsn, sizeof(dsn), "unix://half:pw@%s", s->path);
    client_open_dsn(c, dsn);
    c->lock.fencing = true;
}

static void check_refusal(const char *command, const char *what, lock_outcome outcome, const rl_error *error)
{
    if (outcome == LOCK_FAILED && was_held_up(error, HELD_UP_MS)) {
        return; /* it had no answer in time, which might have been a refusal */
    }
    if (outcome == LOCK_FAILED && (error->kind != RL_ERROR_REPLY || strcmp(error->code, "NOPERM") != 0)) {
        test_fail(__FILE__, __LINE__, "without %s %s: %s '%s'", command, what, error->code, error->text);
    }
    if (outcome != LOCK_FAILED && outcome != LOCK_YES && outcome != LOCK_BUSY && outcome != LOCK_NOT_OWNED) {
        test_fail(__FILE__, __LINE__, "without %s %s: outcome %d", command, what, outcome);
    }
}

static void check_free(server *s, const char *command, const char *what)
{
    const char *holds = say(s, "GET lock:a");

    /* A lock whose baton lies in the list is as good as free. */
    if (strcmp(holds, "(nil)") != 0 && strcmp(say(s, "LINDEX {lock:a}:rl:baton 0"), holds) != 0) {
        test_fail(__FILE__, __LINE__, "without %s %s: locked by %s", command, what, holds);
    }
    say(s, "FLUSHALL");
}

static void check_without(const char *command)
{
    client half;

    PAIR(p);
    allow_all_but(&p.s, command);
    open_half(&half, &p.s);
    for (int timeout = 0; timeout <= 50; timeout += 50) {
        lock_outcome outcome = take(&half, "a", 5000, timeout);
        check_refusal(command, "take", outcome, &half.error);
        CHECK(outcome != LOCK_BUSY);
        if (outcome == LOCK_YES) {
            say(&p.s, "DEL lock:a");
        }
        check_free(&p.s, command, "take");
    }

    /* The lock is held by another client, whose release must not suffer from what the refused client left behind. */
    CHECK_INT(take(&p.a, "a", 5000, 0), LOCK_YES);
    lock_outcome outcome = take(&half, "a", 5000, 50);
    check_refusal(command, "wait", outcome, &half.error);
    CHECK(outcome != LOCK_YES);
    CHECK_TEXT(say(&p.s, "GET lock:a"), token_of(&p.a));
    CHECK_INT(drop(&p.a, "a"), LOCK_YES);
    check_free(&p.s, command, "wait");

    /* The refused client releases a lock that it holds, first while nobody waits, then while a client does. */
    for (int waiting = 0; waiting <= 1; waiting++) {
        lock_lease mine = {.token = "mine", .token_len = 4, .sent = platform_now(), .duration = MS(5000)};
        say(&p.s, "SET lock:a mine");
        if (waiting) {
            say(&p.s, "ZADD {lock:a}:rl:wait 9999999999999 somebody");
        }
        outcome = lock_release(&half.lock, BYTES("a"), &mine, MS(1000), &half.error);
        check_refusal(command, "release", outcome, &half.error);
        CHECK(outcome != LOCK_NOT_OWNED);
        if (strcmp(command, "get") != 0) { /* without GET the script cannot tell whose lock it is */
            check_free(&p.s, command, waiting ? "hand over" : "release");
        }
        say(&p.s, "FLUSHALL");
    }
    client_close(&half);
}

TEST(lock_right_to_one_command_missing_leaves_nothing_locked)
{
    for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++) {
        check_without(commands[i]);
    }
}

TEST(lock_right_to_time_missing_leaves_nothing_locked)
{
    check_without("time");
}

/* The holder goes on to believe in the lease that it had, so that must still be there. */
TEST(lock_right_to_persist_missing_leaves_the_lease_as_it_was)
{
    const struct {
        const rl_script *script;
        const char *args; /* behind the number of keys */
    } extensions[] = {
        {&rl_script_extend, "4 lock:a {lock:a}:rl:baton {lock:a}:rl:wait {lock:a}:rl:note mine 0 ab 1 0"},
        {&rl_script_extend_all, "4 lock:a {lock:a}:rl:baton {lock:a}:rl:wait {lock:a}:rl:note 0 ab 1 0 mine"},
        {&rl_script_extend_alone, "1 lock:a mine 0 ab 1 0"},
        {&rl_script_renew_one, "2 lock:a {lock:a}:rl:note 1 mine 0 ab 0"},
        {&rl_script_renew_alone, "1 lock:a 1 mine 0 ab 0"},
    };

    PAIR(p);
    allow_all_but(&p.s, "persist");
    say(&p.s, "AUTH half pw");
    for (size_t i = 0; i < sizeof(extensions) / sizeof(*extensions); i++) {
        char format[160];
        say(&p.s, "SET lock:a mine PX 60000");
        snprintf(format, sizeof(format), "EVAL %%s %s", extensions[i].args);
        const char *reply = say(&p.s, format, extensions[i].script->text);
        bool is_refused = strstr(reply, "can't run this command") != NULL || strstr(reply, "ACL failure") != NULL;
        note("%s: %s", extensions[i].script->name, reply);
        CHECK(is_refused); /* in the words of Redis 7, or of later servers */
        CHECK_RANGE(30000, say_number(&p.s, "PTTL lock:a"), 60000);
    }
}

/* A full queue turns a waiter away before the script tests whether it may leave a queue, so it does not prove that. What
 * is known of a connection is the sum of its answers: a lock that is had without a wait proves the right to release. */
TEST(lock_right_to_leave_is_not_proved_by_a_queue_that_is_full)
{
    client half;

    PAIR(p);
    allow_all_but(&p.s, "zrem");
    open_half(&half, &p.s);
    half.lock.fencing = false;
    half.lock.max_waiters = 1;
    CHECK_INT(take(&p.a, "a", 20000, 0), LOCK_YES);
    say(&p.s, "ZADD {lock:a}:rl:wait 9999999999999 somebody");
    CHECK_INT(take(&half, "a", 5000, 1000), LOCK_BUSY);
    CHECK_INT(take(&half, "free", 5000, 0), LOCK_YES);
    half.lock.max_waiters = 2;
    int64_t start = platform_now();
    CHECK_INT(take(&half, "a", 5000, 1000), LOCK_FAILED);
    CHECK_TEXT(half.error.code, "NOPERM");
    CHECK_RANGE(0, ms_since(start), 400 + held_up());
    CHECK_TEXT(say(&p.s, "ZRANGE {lock:a}:rl:wait 0 -1"), "somebody");
    client_close(&half);
}

/* ---- memory ---- */

TEST(lock_out_of_memory_is_an_error_and_leaves_nothing)
{
    PAIR(p);
    CHECK_INT(take(&p.b, "held", 60000, 0), LOCK_YES);
    say(&p.s, "CONFIG SET maxmemory 1");
    for (int fencing = 0; fencing <= 1; fencing++) {
        p.a.lock.fencing = fencing == 1;
        CHECK_INT(take(&p.a, "a", 5000, 0), LOCK_FAILED);
        CHECK_INT(p.a.error.kind, RL_ERROR_REPLY);
        CHECK_TEXT(p.a.error.code, "OOM");
        CHECK_TEXT(say(&p.s, "KEYS *"), "lock:held");
    }
    /* The script first takes a client that is ready to wait out of the queue. After that write the server allows all
     * others. */
    CHECK_INT(take(&p.a, "a", 5000, 5000), LOCK_YES);
    CHECK_INT(drop(&p.a, "a"), LOCK_YES);
    say(&p.s, "DEL {lock:a}:rl:fence");
    lock_outcome outcome = take(&p.a, "held", 5000, 100);
    CHECK(outcome == LOCK_BUSY || (outcome == LOCK_FAILED && strcmp(p.a.error.code, "OOM") == 0));
    CHECK_INT(extend(&p.b, "held", 50000), LOCK_YES);
    CHECK_INT(drop(&p.b, "held"), LOCK_YES);
    say(&p.s, "CONFIG SET maxmemory 0");
    CHECK_NO_KEY(&p.s);
}

static void *wait_for_a(void *arg)
{
    client *c = arg;

    CHECK_INT(take(c, "a", 5000, 10000), LOCK_YES);
    return NULL;
}

TEST(lock_release_works_out_of_memory)
{
    PAIR(p);
    CHECK_INT(take(&p.a, "a", 60000, 0), LOCK_YES);
    pthread_t waiter = thread_start(wait_for_a, &p.b);
    until_waiting(&p.s, "a", 1);
    say(&p.s, "CONFIG SET maxmemory 1");
    int64_t start = platform_now();
    CHECK_INT(drop(&p.a, "a"), LOCK_YES);
    /* The lock was handed over. The claim, which sets the new owner's token, is refused until there is memory again. */
    sleep_ms(30);
    CHECK(strcmp(say(&p.s, "GET lock:a"), token_of(&p.a)) != 0);
    say(&p.s, "CONFIG SET maxmemory 0");
    pthread_join(waiter, NULL);
    note("held again after %lld ms", (long long)ms_since(start));
    CHECK_INT(drop(&p.b, "a"), LOCK_YES);
    CHECK_NO_KEY(&p.s);
}

/* ---- a "no" comes from a master ---- */

TEST(lock_replica_says_readonly)
{
    PAIR(p);
    CHECK_INT(take(&p.a, "a", 60000, 0), LOCK_YES);
    say(&p.s, "REPLICAOF 127.0.0.1 1");
    CHECK_INT(take(&p.b, "a", 5000, 0), LOCK_FAILED);
    CHECK_TEXT(p.b.error.code, "READONLY");
    CHECK_INT(take(&p.b, "b", 5000, 0), LOCK_FAILED);
    CHECK_TEXT(p.b.error.code, "READONLY");
    CHECK_INT(lock_holder(&p.b.lock, BYTES("a"), &p.b.lease, &p.b.error), LOCK_FAILED);
    CHECK_TEXT(p.b.error.code, "READONLY");
    CHECK_INT(lock_force_release(&p.b.lock, BYTES("b"), &p.b.error), LOCK_FAILED);
    CHECK_TEXT(p.b.error.code, "READONLY");
    lock_lease other = {.token = "x", .token_len = 1, .sent = platform_now(), .duration = MS(5000)};
    CHECK_INT(lock_release(&p.b.lock, BYTES("a"), &other, MS(1000), &p.b.error), LOCK_FAILED);
    CHECK_TEXT(p.b.error.code, "READONLY");
    CHECK_INT(lock_extend(&p.b.lock, BYTES("a"), &other, MS(9000), lock_budget(&p.b.lock), &p.b.error), LOCK_FAILED);
    CHECK_TEXT(p.b.error.code, "READONLY");
    say(&p.s, "REPLICAOF NO ONE");
    CHECK_INT(drop(&p.a, "a"), LOCK_YES);
}

/* ---- fencing ---- */

TEST(lock_fence_only_grows)
{
    int64_t last = 0;

    PAIR(p);
    CHECK_INT(take(&p.a, "a", 5000, 0), LOCK_YES);
    CHECK_INT(p.a.lease.fence, 0);
    CHECK_INT(drop(&p.a, "a"), LOCK_YES);
    p.a.lock.fencing = true;
    for (int i = 0; i < 1000; i++) {
        CHECK_INT(take(&p.a, "a", 5000, 0), LOCK_YES);
        CHECK(p.a.lease.fence > last);
        last = p.a.lease.fence;
        CHECK_INT(drop(&p.a, "a"), LOCK_YES);
        if (i % 10 == 3) {
            say(&p.s, "FLUSHALL");
        } else if (i % 10 == 7) {
            say(&p.s, "DEL {lock:a}:rl:fence");
        }
    }
    CHECK_RANGE(29 * 86400000LL, say_number(&p.s, "PTTL {lock:a}:rl:fence"), 30 * 86400000LL);
    /* A fence that is ahead of the clock grows by one each time. */
    int64_t ahead = last + INT64_C(100000000000);
    say(&p.s, "SET {lock:a}:rl:fence %lld", (long long)ahead);
    for (int i = 1; i <= 3; i++) {
        CHECK_INT(take(&p.a, "a", 5000, 0), LOCK_YES);
        CHECK_INT(p.a.lease.fence, ahead + i);
        CHECK_INT(lock_holder(&p.a.lock, BYTES("a"), &p.b.lease, &p.a.error), LOCK_YES);
        CHECK_INT(p.b.lease.fence, ahead + i);
        lock_lease_free(&p.b.lease);
        CHECK_INT(drop(&p.a, "a"), LOCK_YES);
    }
}

TEST(lock_fence_survives_a_restart)
{
    PAIR(p);
    p.a.lock.fencing = p.b.lock.fencing = true;
    CHECK_INT(take(&p.a, "a", 5000, 0), LOCK_YES);
    server_kill(&p.s);
    server_restart(&p.s);
    CHECK_INT(take(&p.b, "a", 5000, 0), LOCK_YES);
    CHECK(p.b.lease.fence > p.a.lease.fence);
}

/* ---- many at once ---- */

TEST(lock_release_all_is_one_round_trip)
{
    enum { COUNT = 1000 };
    lock_release_failures failures;
    lock_release_item *items = platform_zalloc(COUNT * sizeof(*items));
    lock_lease *leases = platform_zalloc(COUNT * sizeof(*leases));
    char(*names)[16] = platform_alloc(COUNT * sizeof(*names));

    PAIR(p);
    for (int i = 0; i < COUNT; i++) {
        snprintf(names[i], sizeof(names[i]), "n%d", i);
        items[i] = (lock_release_item){.name = BYTES(names[i]), .lease = &leases[i]};
        CHECK_INT(lock_acquire(&p.a.lock, items[i].name, NULL, MS(60000), 0, &leases[i], NULL, &p.a.error), LOCK_YES);
    }
    say(&p.s, "DEL lock:n7");
    say(&p.s, "SET lock:n8 another");
    say(&p.s, "ZADD {lock:n9}:rl:wait 9999999999999 somebody");
    say(&p.s, "SCRIPT FLUSH");
    int64_t start = platform_now();
    lock_release_all(&p.a.lock, items, COUNT, MS(1000), PLATFORM_NEVER, &failures);
    note("%lld ms for %d", (long long)ms_since(start), COUNT);
    for (int i = 0; i < COUNT; i++) {
        CHECK_INT(items[i].outcome, i == 7 || i == 8 ? LOCK_NOT_OWNED : LOCK_YES);
        lock_lease_free(&leases[i]);
    }
    CHECK_INT(server_calls(&p.s, "eval"), 1 + 1); /* the first acquire, and the first release */
    CHECK(lock_token_is_baton(BYTES(say(&p.s, "GET lock:n9"))));
    CHECK_INT(say_number(&p.s, "DBSIZE"), 4);
    free(items);
    free(leases);
    free(names);
}

/* SPDX-License-Identifier: MIT
 *
 * Faults of the wire and of the server: replies that are lost, late, malformed, endless, or answers to another request.
 */
#include "bed.h"

#include <stdio.h>

typedef struct broken_wire {
    server s;
    relay r;
    client c;     /* connects through the relay */
    client other; /* connects to the server itself */
} broken_wire;

static void wire_open(broken_wire *w)
{
    server_start(&w->s, NULL);
    relay_start(&w->r, &w->s);
    client_open(&w->c, w->r.path);
    client_open(&w->other, w->s.path);
    /* Makes every script known to the server, so that no NOSCRIPT comes first and a lost reply is that of the
     * script. */
    w->c.lock.fencing = true;
    CHECK_INT(take(&w->c, "warm", 5000, 1000), LOCK_YES);
    w->c.lock.fencing = false;
    CHECK_INT(extend(&w->c, "warm", 5000), LOCK_YES);
    CHECK_INT(lock_holder(&w->c.lock, BYTES("warm"), &w->other.lease, &w->c.error), LOCK_YES);
    lock_lease_free(&w->other.lease);
    CHECK_INT(waiters(&w->c, "warm"), 0);
    CHECK_INT(lock_force_release(&w->c.lock, BYTES("warm"), &w->c.error), LOCK_YES);
    CHECK_INT(drop(&w->c, "warm"), LOCK_NOT_OWNED);
    lock_lease_free(&w->c.lease);
    say(&w->s, "FLUSHALL SYNC");
}

static void wire_close(broken_wire *w)
{
    client_close(&w->c);
    client_close(&w->other);
    relay_stop(&w->r);
    server_stop(&w->s);
}

#define BROKEN_WIRE(w)                                                                                                 \
    CLOSED_BY(wire_close) broken_wire w;                                                                               \
    wire_open(&(w))

static void lose_reply(broken_wire *w, int which)
{
    atomic_store(&w->r.control->swallowed, 0);
    atomic_store(&w->r.control->swallow, which);
}

static void check_lost(broken_wire *w)
{
    CHECK_INT(atomic_load(&w->r.control->swallowed), 1);
}

/* ---- lost replies ---- */

TEST(fault_reply_to_acquire_lost)
{
    BROKEN_WIRE(w);
    for (int fencing = 0; fencing <= 1; fencing++) {
        for (int timeout = 0; timeout <= 1000; timeout += 1000) {
            w.c.lock.fencing = fencing == 1;
            lose_reply(&w, 1);
            int64_t before = platform_now();
            CHECK_INT(take(&w.c, "a", 5000, timeout), LOCK_YES);
            check_lost(&w);
            CHECK_TEXT(say(&w.s, "GET lock:a"), token_of(&w.c));
            /* The lease counts from the repeated request, which set it anew. */
            CHECK(w.c.lease.sent >= before);
            int64_t believed_end = w.c.lease.sent + w.c.lease.duration;
            int64_t left = MS(say_number(&w.s, "PTTL lock:a") + 1);
            CHECK(platform_now() + left >= believed_end); /* platform_now() is read after the PTTL */
            CHECK_INT(drop(&w.c, "a"), LOCK_YES);
            CHECK_TEXT(say(&w.s, "EXISTS lock:a {lock:a}:rl:wait {lock:a}:rl:baton"), "0");
        }
    }
}

TEST(fault_reply_to_acquire_with_the_callers_token_lost)
{
    BROKEN_WIRE(w);
    lose_reply(&w, 1);
    CHECK_INT(take_as(&w.c, "a", "mine", 5000, 0), LOCK_YES); /* a token is used once: the one in Redis is ours */
    check_lost(&w);
    CHECK_TEXT(say(&w.s, "GET lock:a"), "mine");
    CHECK_INT(drop(&w.c, "a"), LOCK_YES);

    CHECK_INT(take(&w.other, "a", 60000, 0), LOCK_YES);
    lose_reply(&w, 1);
    CHECK_INT(take_as(&w.c, "a", "again", 5000, 0), LOCK_BUSY);
    check_lost(&w);
    CHECK_TEXT(say(&w.s, "GET lock:a"), token_of(&w.other));
}

TEST(fault_request_lost_before_the_server)
{
    BROKEN_WIRE(w);
    say(&w.s, "CLIENT KILL TYPE normal SKIPME yes"); /* closes the relay's end; the client notices when it sends */
    CHECK_INT(take(&w.c, "a", 5000, 0), LOCK_YES);
    say(&w.s, "CLIENT KILL TYPE normal SKIPME yes");
    CHECK_INT(drop(&w.c, "a"), LOCK_YES);
    CHECK_NO_KEY(&w.s);
}

TEST(fault_reply_to_a_no_lost)
{
    BROKEN_WIRE(w);
    CHECK_INT(take(&w.other, "a", 60000, 0), LOCK_YES);
    lose_reply(&w, 1);
    CHECK_INT(take(&w.c, "a", 5000, 0), LOCK_BUSY);
    check_lost(&w);
    CHECK_TEXT(say(&w.s, "GET lock:a"), token_of(&w.other));
}

TEST(fault_reply_to_release_lost)
{
    BROKEN_WIRE(w);
    CHECK_INT(take(&w.c, "a", 60000, 0), LOCK_YES);
    lose_reply(&w, 1);
    CHECK_INT(drop(&w.c, "a"), LOCK_YES); /* the lock is gone, and was ours when the release was first sent */
    check_lost(&w);
    CHECK_NO_KEY(&w.s);

    lose_reply(&w, 1);
    w.c.lease.duration = MS(10); /* the lease has ended: that the lock is gone proves nothing */
    w.c.lease.sent = platform_now() - MS(20);
    CHECK_INT(drop(&w.c, "a"), LOCK_NOT_OWNED);
    check_lost(&w);

    CHECK_INT(take(&w.c, "a", 60000, 0), LOCK_YES);
    say(&w.s, "DEL lock:a");
    CHECK_INT(take(&w.other, "a", 60000, 0), LOCK_YES);
    lose_reply(&w, 1);
    drop(&w.c, "a");
    check_lost(&w);
    CHECK_TEXT(say(&w.s, "GET lock:a"), token_of(&w.other)); /* whatever the outcome, the other's lock stays */
}

TEST(fault_reply_to_extend_lost)
{
    BROKEN_WIRE(w);
    CHECK_INT(take(&w.c, "a", 5000, 0), LOCK_YES);
    lose_reply(&w, 1);
    CHECK_INT(extend(&w.c, "a", 60000), LOCK_YES);
    check_lost(&w);
    CHECK_RANGE(59000 - held_up(), say_number(&w.s, "PTTL lock:a"),
                60000 + MARK); /* the repeat finds the end that it would set */
    CHECK_INT(w.c.lease.duration, MS(60000));
    say(&w.s, "SET lock:a another");
    lose_reply(&w, 1);
    CHECK_INT(extend(&w.c, "a", 1000), LOCK_NOT_OWNED);
    check_lost(&w);
    CHECK_TEXT(say(&w.s, "PTTL lock:a"), "-1");
}

TEST(fault_reply_to_a_question_lost)
{
    BROKEN_WIRE(w);
    CHECK_INT(take(&w.other, "a", 60000, 0), LOCK_YES);
    lose_reply(&w, 1);
    CHECK_INT(lock_holder(&w.c.lock, BYTES("a"), &w.c.lease, &w.c.error), LOCK_YES);
    check_lost(&w);
    CHECK_TEXT(token_of(&w.c), token_of(&w.other));
    lose_reply(&w, 1);
    CHECK_INT(waiters(&w.c, "a"), 0);
    check_lost(&w);
    lose_reply(&w, 1);
    CHECK_INT(lock_force_release(&w.c.lock, BYTES("a"), &w.c.error),
              LOCK_FAILED); /* a repeat might hit the next holder */
    check_lost(&w);
    CHECK_INT(w.c.error.kind, RL_LOST);
    CHECK_NO_KEY(&w.s);
}

static void *wait_for_a(void *arg)
{
    client *c = arg;

    CHECK_INT(take(c, "a", 30000, 10000), LOCK_YES);
    return NULL;
}

/* Loses the reply number `which` after the waiter has blocked: 1 is the baton, 2 the reply to the claim. The waiter
 * must hold the lock within so many ms. */
static void lose_while_waiting(int which, int64_t within)
{
    BROKEN_WIRE(w);
    CHECK_INT(take(&w.other, "a", 60000, 0), LOCK_YES);
    pthread_t waiter = thread_start(wait_for_a, &w.c);
    until_waiting(&w.s, "a", 1);
    sleep_ms(30);
    lose_reply(&w, which);
    int64_t start = platform_now();
    CHECK_INT(drop(&w.other, "a"), LOCK_YES);
    thread_join(waiter);
    check_lost(&w);
    note("%lld ms", (long long)ms_since(start));
    CHECK_RANGE(0, ms_since(start), within + held_up());
    CHECK_TEXT(say(&w.s, "GET lock:a"), token_of(&w.c));
    CHECK_RANGE(28000 - held_up(), say_number(&w.s, "PTTL lock:a"), 30000);
    CHECK_INT(drop(&w.c, "a"), LOCK_YES);
    CHECK_NO_KEY(&w.s);
}

TEST(fault_baton_lost_on_its_way)
{
    lose_while_waiting(1, 1000 + 250);
}

TEST(fault_reply_to_claim_lost)
{
    lose_while_waiting(2, 100 + SLACK);
}

TEST(fault_reply_to_look_lost)
{
    BROKEN_WIRE(w);
    CHECK_INT(take(&w.other, "a", 700, 0), LOCK_YES); /* the lease ends without a release */
    int64_t start = platform_now();
    lose_reply(&w, 2); /* of the look: the first is that of acquire, and the BLPOP has none */
    CHECK_INT(take(&w.c, "a", 30000, 5000), LOCK_YES);
    check_lost(&w);
    CHECK_RANGE(690, ms_since(start), 700 + 250 + SLACK);
    CHECK_INT(drop(&w.c, "a"), LOCK_YES);
}

/* ---- late requests ---- */

/* Hands the lock to a waiter whose claim is then held back: from now on, nothing passes over the connection on which it
 * blocks. */
static pthread_t hold_up_claim(broken_wire *w, void *(*wait)(void *))
{
    CHECK_INT(take(&w->other, "a", 60000, 0), LOCK_YES);
    int first = atomic_load(&w->r.control->connections);
    pthread_t waiter = thread_start(wait, &w->c);
    until_waiting(&w->s, "a", 1);
    sleep_ms(30);
    atomic_store(&w->r.control->hold, first);
    CHECK_INT(drop(&w->other, "a"), LOCK_YES);
    return waiter;
}

/* A try that got no answer is undone on its own connection, at some later time. So its token must not be tried again
 * over another connection: the late undo would release a lock whose holder believes in it. */
static void *wait_impatiently_as_mine(void *arg)
{
    client *c = arg;

    c->lock.target.connect_timeout = c->lock.target.read_timeout = MS(100);
    CHECK_INT(take_as(c, "a", "mine", 30000, 10000), LOCK_FAILED);
    CHECK_INT(c->error.kind, RL_REFUSED);
    return NULL;
}

TEST(fault_claim_with_the_callers_token_that_arrives_late_is_undone_behind_it)
{
    BROKEN_WIRE(w);
    pthread_t waiter = hold_up_claim(&w, wait_impatiently_as_mine);
    int64_t start = platform_now();
    thread_join(waiter);
    CHECK_RANGE(0, ms_since(start), 2000 + held_up());
    atomic_store(&w.r.control->hold, 0);
    until_no_key(&w.s);
    CHECK_NO_KEY(&w.s);
}

static void *wait_impatiently(void *arg)
{
    client *c = arg;

    c->lock.target.connect_timeout = c->lock.target.read_timeout = MS(100);
    CHECK_INT(take(c, "a", 30000, 10000), LOCK_YES);
    return NULL;
}

TEST(fault_claim_that_arrives_after_its_repeat_does_not_undo_it)
{
    BROKEN_WIRE(w);
    pthread_t waiter = hold_up_claim(&w, wait_impatiently);
    thread_join(waiter); /* the claim got no answer, and was repeated over a new connection */
    CHECK_TEXT(say(&w.s, "GET lock:a"), token_of(&w.c));
    atomic_store(&w.r.control->hold, 0);
    sleep_ms(100);
    CHECK_TEXT(say(&w.s, "GET lock:a"), token_of(&w.c));
}

/* ---- silence ---- */

TEST(fault_silent_server_ends_every_call_in_time_and_locks_for_nobody)
{
    SERVER(s, NULL);
    CLIENT(c, s.path);
    c.lock.target.connect_timeout = MS(100);
    c.lock.target.read_timeout = MS(150);
    int64_t over = 0;
    for (int warm = 0; warm <= 1; warm++) {
        for (int timeout = 0; timeout <= 400; timeout += 100) {
            process_freeze(s.pid);
            int64_t start = platform_now();
            bool random = timeout % 200 == 0;
            CHECK_INT(random ? take(&c, "a", 60000, timeout) : take_as(&c, "a", "mine", 60000, timeout), LOCK_FAILED);
            int64_t took = platform_now() - start;
            int64_t budget = timeout > 0 && timeout < 150 ? timeout : 150;
            CHECK_INT(c.error.kind, RL_TIMED_OUT);
            CHECK_RANGE(MS(budget), took, MS(budget + 50 + SLACK));
            over = took - MS(budget) > over ? took - MS(budget) : over;
            kill(s.pid, SIGCONT);
            until_no_key(&s);
            CHECK_NO_KEY(&s); /* the acquire ran, and the release that undoes it ran behind it */
        }
        CHECK_INT(take(&c, "warm", 1000, 0), LOCK_YES);
        CHECK_INT(drop(&c, "warm"), LOCK_YES);
    }
    CHECK_INT(take(&c, "a", 60000, 0), LOCK_YES);
    process_freeze(s.pid);
    int64_t start = platform_now();
    CHECK_INT(extend(&c, "a", 60000), LOCK_FAILED);
    CHECK_RANGE(150, ms_since(start), 200 + SLACK);
    start = platform_now();
    CHECK_INT(lock_holder(&c.lock, BYTES("a"), &c.lease, &c.error), LOCK_FAILED);
    CHECK_RANGE(150, ms_since(start), 200 + SLACK);
    start = platform_now();
    CHECK_INT(lock_release(&c.lock, BYTES("a"), &c.lease, MS(70), &c.error), LOCK_FAILED);
    CHECK_INT(c.error.kind, RL_TIMED_OUT);
    CHECK_RANGE(70, ms_since(start), 120 + SLACK);
    kill(s.pid, SIGCONT);
    until_no_key(&s);
    note("%.1f ms over the budget at worst", (double)over / 1000);
    CHECK_NO_KEY(&s); /* the release was carried out late */
    CHECK_INT(c.pool.count, 0);
}

static void thaw_later(void *arg)
{
    sleep_ms(80);
    kill(((server *)arg)->pid, SIGCONT);
}

TEST(fault_answer_that_comes_when_the_lease_is_over_is_no_lock)
{
    SERVER(s, NULL);
    CLIENT(c, s.path);
    CHECK_INT(take(&c, "warm", 1000, 0), LOCK_YES);
    CHECK_INT(drop(&c, "warm"), LOCK_YES);
    process_freeze(s.pid);
    pid_t thawer = process_start(thaw_later, &s);
    CHECK_INT(take(&c, "a", 60, 0), LOCK_LATE);
    process_join(thawer);
    CHECK_NO_KEY(&s);

    process_freeze(s.pid); /* a call that may wait tries again */
    thawer = process_start(thaw_later, &s);
    CHECK_INT(take(&c, "a", 60, 1000), LOCK_YES);
    CHECK(lock_lease_validity(&c.lease, platform_now()) > 0);
    process_join(thawer);
}

TEST(fault_nobody_there)
{
    char path[128];

    snprintf(path, sizeof(path), "%s/nobody.sock", test_folder());
    CLIENT(c, path);
    int64_t start = platform_now();
    CHECK_INT(take(&c, "a", 5000, 0), LOCK_FAILED);
    CHECK_INT(c.error.kind, RL_UNREACHABLE);
    CHECK_INT(take(&c, "a", 5000, 5000), LOCK_FAILED);
    CHECK_INT(c.error.kind, RL_UNREACHABLE);
    CHECK(ms_since(start) <= 50 + SLACK);
}

/* ---- leaving ---- */

static bool is_over(void *until)
{
    return platform_now() >= *(int64_t *)until;
}

/* The lock stays, whatever its value is: also this waiter's own token, which it did not set, or an empty string. */
TEST(fault_waiter_that_is_interrupted_releases_no_lock)
{
    static const char *const held_by[] = {"", "rl:nobody", "mine", "other"};

    SERVER(s, NULL);
    for (size_t i = 0; i < sizeof(held_by) / sizeof(*held_by); i++) {
        CLIENT(c, s.path);
        int64_t until = platform_now() + MS(100);
        say(&s, "SET lock:a %s", held_by[i]);
        c.lock.target.hook = (rl_hook){.interrupted = is_over, .arg = &until};
        CHECK_INT(take_as(&c, "a", "mine", 5000, 20000), LOCK_INTERRUPTED);
        client_close(&c);
        for (int64_t start = platform_now(); say_number(&s, "ZCARD {lock:a}:rl:wait") > 0;) {
            CHECK_RANGE(0, ms_since(start), 5000 + held_up());
            sleep_ms(1);
        }
        sleep_ms(20); /* the request that is written behind its BLPOP runs now */
        CHECK_TEXT(say(&s, "GET lock:a"), held_by[i]);
    }
}

/* ---- servers that lie ---- */

#define BUDGET 60 /* ms */

typedef enum call_kind {
    CALL_TAKE,
    CALL_WAIT,
    CALL_DROP,
    CALL_EXTEND,
    CALL_HOLDER,
    CALL_WAITERS,
    CALL_FORCE,
    CALL_COUNT,
} call_kind;

static const char *const call_names[] = {"take", "wait", "drop", "extend", "holder", "waiters", "force"};

/* Makes the call, which may take `ms`. */
static lock_outcome call(client *c, call_kind kind, int64_t ms)
{
    lock_lease lease = {.token = "x", .token_len = 1, .sent = platform_now(), .duration = MS(60000)};
    lock_lease holder = {0};
    lock_outcome outcome;
    int64_t count;

    c->lock.target.connect_timeout = c->lock.target.read_timeout = MS(ms);
    switch (kind) {
    case CALL_TAKE:
        return take(c, "a", 5000, 0);
    case CALL_WAIT:
        return take(c, "a", 5000, ms);
    case CALL_DROP:
        return lock_release(&c->lock, BYTES("a"), &lease, MS(ms), &c->error);
    case CALL_EXTEND:
        return lock_extend(&c->lock, BYTES("a"), &lease, MS(5000), lock_budget(&c->lock), &c->error);
    case CALL_HOLDER:
        outcome = lock_holder(&c->lock, BYTES("a"), &holder, &c->error);
        lock_lease_free(&holder);
        return outcome;
    case CALL_WAITERS:
        return lock_waiters(&c->lock, BYTES("a"), &count, &c->error);
    default:
        return lock_force_release(&c->lock, BYTES("a"), &c->error);
    }
}

/* An answer to every request, and what calls make of it. */
typedef struct lying_case {
    const char *what;
    lie answer;
    bool tcp;
    rl_failure kind;  /* what each call must end in; RL_OK: any failure */
    const char *fits; /* the calls for which it is a well-formed answer, by their first letters; "" none */
} lying_case;

static void check_lie(const lying_case *l, call_kind kind)
{
    liar liar;
    client c;
    char where[160];

    snprintf(where, sizeof(where), "%s, answered with %s", call_names[kind], l->what);
    liar_start(&liar, l->tcp, &l->answer, 1);
    client_open_dsn(&c, liar.dsn);
    /* If the answer itself ends the call, the budget is larger, so that a busy machine has time to give the answer. */
    int64_t budget = l->kind == RL_MALFORMED ? 10 * BUDGET : l->kind == RL_LOST ? 5 * BUDGET : BUDGET;
    int64_t start = platform_now(), before = held_up() + budget / 2;
    lock_outcome outcome = call(&c, kind, budget);
    int64_t took = platform_now() - start;
    if (strchr(l->fits, call_names[kind][0]) == NULL) {
        if (outcome != LOCK_FAILED) {
            test_fail(__FILE__, __LINE__, "%s: outcome %d", where, outcome);
        }
        /* A request that was lost is sent again until the time is up, and the last one may be under way then. */
        bool is_repeated = l->kind == RL_LOST && liar.control->connections > 1;
        bool in_time = c.error.kind != RL_TIMED_OUT || !(is_repeated || was_held_up(&c.error, before));
        if (l->kind != RL_OK && c.error.kind != l->kind && in_time) {
            test_fail(__FILE__, __LINE__, "%s: error %d, not %d: %s", where, c.error.kind, l->kind, c.error.text);
        }
    }
    if (took > MS(budget + 50 + SLACK)) {
        test_fail(__FILE__, __LINE__, "%s: took %lld ms", where, (long long)took / 1000);
    }
    client_close(&c);
    liar_stop(&liar);
}

static void check_lies(const lying_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        for (int kind = 0; kind < CALL_COUNT; kind++) {
            check_lie(&cases[i], kind);
        }
    }
}

#define CHECK_LIES(cases) check_lies(cases, sizeof(cases) / sizeof(*(cases)))

TEST(fault_replies_of_the_wrong_type)
{
    static const lying_case cases[] = {
        {"a status", LIE("+OK\r\n", LIE_SEND), false, RL_MALFORMED, ""},
        {"a number", LIE(":1\r\n", LIE_SEND), false, RL_MALFORMED, "dewf"},
        {"a string", LIE("$1\r\n1\r\n", LIE_SEND), false, RL_MALFORMED, ""},
        {"nil", LIE("$-1\r\n", LIE_SEND), false, RL_MALFORMED, ""},
        {"a nil array", LIE("*-1\r\n", LIE_SEND), false, RL_MALFORMED, ""},
        {"an empty array", LIE("*0\r\n", LIE_SEND), false, RL_MALFORMED, ""},
        {"one too few", LIE("*1\r\n:1\r\n", LIE_SEND), false, RL_MALFORMED, ""},
        {"strings for numbers", LIE("*2\r\n$1\r\n1\r\n$1\r\n0\r\n", LIE_SEND), false, RL_MALFORMED, ""},
        {"nils for numbers", LIE("*2\r\n$-1\r\n$-1\r\n", LIE_SEND), false, RL_MALFORMED, ""},
        {"a negative number", LIE("*2\r\n:1\r\n:-1\r\n", LIE_SEND), false, RL_MALFORMED, ""},
        {"an unknown status", LIE("*2\r\n:99\r\n:0\r\n", LIE_SEND), false, RL_MALFORMED, ""},
        {"numbers for the holder", LIE("*3\r\n:1\r\n:1\r\n:1\r\n", LIE_SEND), false, RL_MALFORMED, ""},
        {"nested arrays", LIE("*2\r\n*1\r\n:1\r\n*1\r\n:0\r\n", LIE_SEND), false, RL_MALFORMED, ""},
        {"an error inside", LIE("*2\r\n-ERR x\r\n:0\r\n", LIE_SEND), false, RL_MALFORMED, ""},
    };

    CHECK_LIES(cases);
}

TEST(fault_connection_is_not_kept_after_an_answer_to_another_question)
{
    static const lie answer = LIE("+OK\r\n", LIE_SEND);

    for (int kind = 0; kind < CALL_COUNT; kind++) {
        liar l;
        client c;
        liar_start(&l, false, &answer, 1);
        client_open_dsn(&c, l.dsn);
        CHECK_INT(call(&c, kind, 1000), LOCK_FAILED);
        if (c.pool.count != 0) {
            test_fail(__FILE__, __LINE__, "%s keeps the connection", call_names[kind]);
        }
        client_close(&c);
        liar_stop(&l);
    }
}

TEST(fault_replies_that_are_no_protocol)
{
    static const lying_case cases[] = {
        {"garbage", LIE("HTTP/1.1 400 Bad Request\r\n\r\n", LIE_SEND), false, RL_MALFORMED, ""},
        {"zeros", LIE("\0\0\0\0\0\0\0\0", LIE_SEND), false, RL_MALFORMED, ""},
        {"no number", LIE(":x\r\n", LIE_SEND), false, RL_MALFORMED, ""},
        {"a huge number", LIE(":99999999999999999999999\r\n", LIE_SEND), false, RL_MALFORMED, "dewf"},
        {"a huge array", LIE("*2147483647\r\n", LIE_SEND), false, RL_MALFORMED, ""},
        {"a larger array", LIE("*4294967295\r\n:1\r\n", LIE_SEND), false, RL_MALFORMED, ""},
        {"the largest array", LIE("*9223372036854775807\r\n:1\r\n", LIE_SEND), false, RL_MALFORMED, ""},
        {"a long array", LIE("*65\r\n:1\r\n", LIE_SEND), false, RL_MALFORMED, ""},
        {"a negative array", LIE("*-2\r\n", LIE_SEND), false, RL_OK, ""},
        {"a negative bulk", LIE("$-2\r\n", LIE_SEND), false, RL_OK, ""},
        {"deep arrays", LIE("*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n:1\r\n", LIE_SEND),
         false, RL_MALFORMED, ""},
    };

    CHECK_LIES(cases);
}

TEST(fault_replies_that_end_too_soon)
{
    static const lying_case cases[] = {
        {"half an array", LIE("*2\r\n:1\r\n", LIE_SEND), false, RL_TIMED_OUT, ""},
        {"half a line", LIE("*2\r", LIE_SEND), false, RL_TIMED_OUT, ""},
        {"a huge bulk's header", LIE("$2147483647\r\nabc", LIE_SEND), false, RL_OK, ""},
        {"nothing", LIE("", LIE_SEND), false, RL_TIMED_OUT, ""},
        {"half an array and an end", LIE("*2\r\n:1\r\n", LIE_CLOSE), false, RL_LOST, ""},
        {"an end", LIE("", LIE_CLOSE), false, RL_LOST, ""},
        {"a reset", LIE("", LIE_RESET), true, RL_OK, ""},
        {"half an array and a reset", LIE("*2\r\n:1\r\n", LIE_RESET), true, RL_OK, ""},
    };

    CHECK_LIES(cases);
}

TEST(fault_replies_without_end)
{
    static const lying_case cases[] = {
        {"an endless line", LIE("+xxxxxxxxxxxxxxxxxxxxxxxxxxxxx", LIE_FLOOD), false, RL_OK, ""},
        {"arrays in arrays", LIE("*64\r\n:1\r\n:1\r\n", LIE_FLOOD), false, RL_OK, ""},
        {"one reply after another", LIE("+OK\r\n+OK\r\n+OK\r\n", LIE_FLOOD), false, RL_OK, ""},
    };

    CHECK_LIES(cases);
}

TEST(fault_reply_of_small_parts_without_end)
{
    static const lying_case cases[] = {
        {"a tree without end", LIE("", LIE_TREE), false, RL_OK, ""},
    };

    CHECK_LIES(cases);
}

TEST(fault_reply_is_bounded_as_a_whole)
{
    static const lie tree = LIE("", LIE_TREE);
    liar l;
    client c;

    liar_start(&l, false, &tree, 1);
    client_open_dsn(&c, l.dsn);
    c.lock.target.connect_timeout = c.lock.target.read_timeout = MS(BUDGET);
    CHECK_INT(take(&c, "a", 5000, 0), LOCK_FAILED);
    sleep_ms(20);
    note("%lld KB", (long long)atomic_load(&l.control->sent) / 1024);
    CHECK_RANGE(0, atomic_load(&l.control->sent), 3 * RL_MAX_REPLY_BYTES);
    client_close(&c);
    liar_stop(&l);
}

TEST(fault_replies_that_drip_are_read_all_the_same)
{
    static const lie taken[] = {LIE("*2\r\n:1\r\n:0\r\n", LIE_DRIP), LIE(":1\r\n", LIE_DRIP), LIE("$-1\r\n", LIE_DRIP),
                                LIE(":1\r\n", LIE_DRIP)};
    liar l;
    client c;

    liar_start(&l, false, taken, 4);
    client_open_dsn(&c, l.dsn);
    CHECK_INT(take(&c, "a", 5000, 1000), LOCK_YES);
    CHECK_INT(drop(&c, "a"), LOCK_YES);
    CHECK_INT(take(&c, "a", 5000, 0), LOCK_YES);
    CHECK_INT(drop(&c, "a"), LOCK_YES);
    CHECK_INT(c.pool.count, 1);
    CHECK_INT(atomic_load(&l.control->connections), 1);
    client_close(&c);
    liar_stop(&l);
}

TEST(fault_reply_that_drips_too_slowly)
{
    static const lie slow[] = {LIE(
        "$10000\r\n...................................................................................................."
        "....................................................................................................."
        "....................................................................................................."
        ".....................................................................................................",
        LIE_DRIP)};
    liar l;
    client c;

    liar_start(&l, false, slow, 1);
    client_open_dsn(&c, l.dsn);
    c.lock.target.connect_timeout = c.lock.target.read_timeout = MS(100);
    int64_t start = platform_now();
    CHECK_INT(take(&c, "a", 5000, 0), LOCK_FAILED);
    CHECK_INT(c.error.kind, RL_TIMED_OUT);
    CHECK_RANGE(100, ms_since(start), 150 + SLACK);
    client_close(&c);
    liar_stop(&l);
}

TEST(fault_reply_that_trickles_without_end)
{
    static const lying_case cases[] = {
        {"a trickle", LIE("$1000000\r\nx", LIE_TRICKLE), false, RL_OK, ""},
    };

    CHECK_LIES(cases);
}

TEST(fault_lies_during_a_wait)
{
    static const lie blocks[][3] = {
        {LIE("*2\r\n:0\r\n:60000\r\n", LIE_SEND), LIE(":1\r\n", LIE_SEND), LIE("*2\r\n:0\r\n:60000\r\n", LIE_SEND)},
        {LIE("*2\r\n:0\r\n:60000\r\n", LIE_SEND), LIE("*2\r\n$1\r\nx\r\n:5\r\n", LIE_SEND),
         LIE("*2\r\n:0\r\n:60000\r\n", LIE_SEND)},
        {LIE("*2\r\n:0\r\n:60000\r\n", LIE_SEND), LIE("*-1\r\n", LIE_SEND), LIE("*2\r\n:0\r\n:60000\r\n", LIE_SEND)},
        {LIE("*2\r\n:0\r\n:0\r\n", LIE_SEND), LIE("", LIE_SEND), LIE("", LIE_SEND)},
        {LIE("*2\r\n:0\r\n:9223372036854775807\r\n", LIE_SEND), LIE("", LIE_SEND), LIE("", LIE_SEND)},
        {LIE("*2\r\n:0\r\n:60000\r\n", LIE_SEND), LIE("garbage\r\n", LIE_SEND), LIE("garbage\r\n", LIE_SEND)},
        {LIE("*2\r\n:0\r\n:60000\r\n", LIE_SEND), LIE("", LIE_CLOSE), LIE("", LIE_CLOSE)},
        {LIE("*2\r\n:0\r\n:10\r\n", LIE_SEND), LIE("+x", LIE_FLOOD), LIE("+x", LIE_FLOOD)},
    };

    for (size_t i = 0; i < sizeof(blocks) / sizeof(*blocks); i++) {
        liar l;
        client c;
        liar_start(&l, false, blocks[i], 3);
        client_open_dsn(&c, l.dsn);
        c.lock.target.connect_timeout = c.lock.target.read_timeout = MS(100);
        int64_t start = platform_now();
        lock_outcome outcome = take(&c, "a", 5000, 300);
        int64_t took = ms_since(start);
        CHECK(outcome == LOCK_BUSY || outcome == LOCK_FAILED);
        if (took > 350 + SLACK) {
            test_fail(__FILE__, __LINE__, "lie %zu: %lld ms", i, (long long)took);
        }
        client_close(&c);
        liar_stop(&l);
    }
}

/* ---- error replies ---- */

typedef struct error_case {
    const char *reply;
    const char *code;
    const char *text; /* a part of it */
} error_case;

TEST(fault_error_replies_by_their_code)
{
    static const error_case cases[] = {
        {"-READONLY You can't write against a read only replica.\r\n", "READONLY", "read only replica"},
        {"-OOM command not allowed when used memory > 'maxmemory'. script: 724303ae, on @user_script:7.\r\n", "OOM",
         "command not allowed"},
        {"-ERR Error running script (call to f_724303): @user_script:7: @user_script: 7: -OOM command not allowed\r\n",
         "OOM", "command not allowed"},
        {"-ERR Error running script (call to f_7): @user_script:7: -READONLY You can't write\r\n", "READONLY", "write"},
        {"-NOPERM this user has no permissions to run the 'evalsha' command\r\n", "NOPERM", "permissions"},
        {"-ERR The user executing the script can't run this command or subcommand script: 7, on @user_script:1.\r\n",
         "NOPERM", "can't run this command"},
        {"-LOADING Redis is loading the dataset in memory\r\n", "LOADING", "loading"},
        {"-lower case\r\n", "ERR", "lower case"},
        {"-\r\n", "ERR", ""},
        {"-ERR unknown command 'EVALSHA', with args beginning with: 'hunter2' 'x'\r\n", "ERR", "unknown command"},
        {"-THISCODEISMUCHTOOLONGTOBEONEOFREDISANDMUSTBECUTOFFSOMEWHERE x\r\n", NULL, ""},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        for (int kind = 0; kind < CALL_COUNT; kind++) {
            lie answer = {cases[i].reply, strlen(cases[i].reply), LIE_SEND};
            liar l;
            client c;
            liar_start(&l, false, &answer, 1);
            client_open_dsn(&c, l.dsn);
            CHECK_INT(call(&c, kind, 1000), LOCK_FAILED);
            CHECK_INT(c.error.kind, RL_ERROR_REPLY);
            if (cases[i].code != NULL) {
                CHECK_TEXT(c.error.code, cases[i].code);
            }
            if (strstr(c.error.text, cases[i].text) == NULL || strstr(c.error.text, "hunter2") != NULL) {
                test_fail(__FILE__, __LINE__, "%s: %s", cases[i].reply, c.error.text);
            }
            client_close(&c);
            liar_stop(&l);
        }
    }
}

TEST(fault_login_errors_tell_no_secret)
{
    static const lie answers[] = {
        LIE("-ERR invalid password hunter2\r\n", LIE_SEND),
        LIE("-HUNTER hunter2\r\n", LIE_SEND),
        LIE("-hunter2\r\n", LIE_SEND),
        LIE("$7\r\nhunter2\r\n", LIE_SEND),
        LIE("hunter2\r\n", LIE_SEND),
        LIE(":1\r\n", LIE_SEND),
        LIE("-ERR unknown command 'AUTH', with args beginning with: 'joe' 'hunter2'\r\n", LIE_SEND),
        LIE("", LIE_CLOSE),
        LIE("", LIE_SEND),
        LIE("+OK", LIE_FLOOD),
    };

    for (size_t i = 0; i < sizeof(answers) / sizeof(*answers); i++) {
        liar l;
        client c;
        liar_start(&l, false, &answers[i], 1);
        client_open_dsn(&c, l.dsn);
        rl_endpoint_login(&c.endpoint, "joe", "hunter2", 7, 3);
        c.lock.target.connect_timeout = c.lock.target.read_timeout = MS(BUDGET);
        int64_t start = platform_now();
        CHECK_INT(take(&c, "a", 5000, 0), LOCK_FAILED);
        if (c.error.kind != RL_REFUSED && c.error.kind != RL_UNREACHABLE) {
            test_fail(__FILE__, __LINE__, "answer %zu: error %d: %s", i, c.error.kind, c.error.text);
        }
        CHECK_RANGE(0, ms_since(start), BUDGET + 50 + SLACK);
        CHECK(strstr(c.error.text, "hunter2") == NULL);
        CHECK(strstr(c.error.code, "hunter2") == NULL);
        CHECK_INT(atomic_load(&l.control->requests) <= 2, 1); /* AUTH and SELECT; no request of the lock is sent */
        client_close(&c);
        liar_stop(&l);
    }
}

/* SPDX-License-Identifier: MIT
 *
 * A value that one client builds while the others wait for it.
 */
#include "bed.h"

#include <unistd.h>

#include "cache/cache.h"

typedef struct asker {
    client c;
    cache_fetch_params params;
    cache_answer answer;
    char path[104];
    cache_outcome outcome; /* of an ask() that runs in a thread */
    int64_t took;          /* ms that this ask() took */
    atomic_int done;
} asker;

static void asker_open(asker *a, const server *s, int64_t timeout)
{
    memset(a, 0, sizeof(*a));
    client_open(&a->c, s->path);
    a->params = (cache_fetch_params){
        .name = RL_LITERAL("k"),
        .kept_here = true,
        .duration = MS(10000),
        .timeout = timeout == PLATFORM_NEVER ? timeout : MS(timeout),
    };
}

static void asker_close(asker *a)
{
    free(a->answer.value);
    lock_lease_free(&a->answer.lease);
    client_close(&a->c);
}

#define ASKER(a, s, timeout)                                                                                           \
    CLOSED_BY(asker_close) asker a;                                                                                    \
    asker_open(&(a), s, timeout)

static cache_outcome ask(asker *a)
{
    free(a->answer.value);
    lock_lease_free(&a->answer.lease);
    return cache_fetch(&a->c.lock, &a->params, &a->answer);
}

static void *ask_in_thread(void *arg)
{
    asker *a = arg;
    int64_t start = platform_now();

    a->outcome = ask(a);
    a->took = ms_since(start);
    atomic_store(&a->done, 1);
    return NULL;
}

/* Fails unless the asker got this value. */
static void check_value(const asker *a, const char *wanted)
{
    CHECK(a->answer.value != NULL);
    CHECK_TEXT(a->answer.value, wanted);
    CHECK_INT(a->answer.value_len, strlen(wanted));
}

static lock_outcome store(asker *a, const char *value, int64_t fresh, int64_t stale)
{
    cache_value v = {BYTES(value), fresh == PLATFORM_NEVER ? fresh : MS(fresh), MS(stale)};

    return cache_store(&a->c.lock, a->params.name, &a->answer.lease, &v, &a->c.error);
}

static lock_outcome give_up(asker *a)
{
    return lock_release(&a->c.lock, a->params.name, &a->answer.lease, MS(1000), &a->c.error);
}

TEST(cache_one_builds_and_all_have_it)
{
    SERVER(s, NULL);
    ASKER(a, &s, 0);
    ASKER(b, &s, 0);
    CHECK_INT(ask(&a), CACHE_TURN);
    CHECK_INT(ask(&b), CACHE_NONE);
    CHECK_INT(store(&a, "value", 5000, 0), LOCK_YES);
    CHECK_INT(ask(&b), CACHE_FRESH);
    check_value(&b, "value");
    CHECK_INT(ask(&a), CACHE_FRESH);
    CHECK_TEXT(say(&s, "KEYS *"), "{lock:k}:rl:value");
    CHECK_RANGE(4000 - held_up(), say_number(&s, "PTTL {lock:k}:rl:value"), 5000);
}

TEST(cache_hit_is_one_request_that_writes_nothing)
{
    SERVER(s, NULL);
    ASKER(a, &s, 100);
    CHECK_INT(ask(&a), CACHE_TURN);
    CHECK_INT(store(&a, "", PLATFORM_NEVER, 0), LOCK_YES);
    CHECK_TEXT(say(&s, "PTTL {lock:k}:rl:value"), "-1");
    say(&s, "CONFIG RESETSTAT");
    say(&s, "CONFIG SET min-replicas-to-write 1"); /* every write is refused */
    CHECK_INT(ask(&a), CACHE_FRESH);
    check_value(&a, "");
    CHECK_INT(server_calls(&s, "evalsha"), 1);
}

TEST(cache_waiter_is_woken_by_the_value)
{
    SERVER(s, NULL);
    ASKER(a, &s, 0);
    ASKER(b, &s, 20000);
    CHECK_INT(ask(&a), CACHE_TURN);
    say(&s, "CONFIG RESETSTAT");
    pthread_t thread = thread_start(ask_in_thread, &b);
    until_waiting(&s, "k", 1);
    CHECK_INT(store(&a, "value", 5000, 0), LOCK_YES);
    thread_join(thread);
    CHECK_INT(b.outcome, CACHE_FRESH);
    check_value(&b, "value");
    /* The waiter sent a script and a BLPOP, the builder one script. */
    CHECK_INT(server_calls(&s, "evalsha") + server_calls(&s, "blpop"), 3);
}

TEST(cache_large_value_is_fetched_when_it_is_there)
{
    enum { SIZE = CACHE_MAX_VALUE };
    asker b[5];
    pthread_t threads[5];
    char *large = platform_zalloc(SIZE + 1);

    memset(large, 'x', SIZE);
    SERVER(s, NULL);
    ASKER(a, &s, 0);
    CHECK_INT(ask(&a), CACHE_TURN);
    for (int i = 0; i < 5; i++) {
        asker_open(&b[i], &s, 20000);
        threads[i] = thread_start(ask_in_thread, &b[i]);
        until_waiting(&s, "k", i + 1);
    }
    CHECK_INT(store(&a, large, 5000, 0), LOCK_YES);
    for (int i = 0; i < 5; i++) {
        thread_join(threads[i]);
        CHECK_INT(b[i].outcome, CACHE_FRESH);
        CHECK_INT(b[i].answer.value_len, SIZE);
        CHECK_INT(memcmp(b[i].answer.value, large, SIZE), 0);
        asker_close(&b[i]);
    }
    free(large);
}

TEST(cache_turn_goes_to_the_next_when_the_first_gives_up)
{
    asker b[3];
    pthread_t threads[3];

    SERVER(s, NULL);
    ASKER(a, &s, 0);
    CHECK_INT(ask(&a), CACHE_TURN);
    for (int i = 0; i < 3; i++) {
        asker_open(&b[i], &s, 20000);
        threads[i] = thread_start(ask_in_thread, &b[i]);
        until_waiting(&s, "k", i + 1);
    }
    CHECK_INT(give_up(&a), LOCK_YES);
    thread_join(threads[0]);
    CHECK_INT(b[0].outcome, CACHE_TURN);
    sleep_ms(50);
    CHECK_INT(atomic_load(&b[1].done) + atomic_load(&b[2].done), 0);
    CHECK_INT(store(&b[0], "value", 5000, 0), LOCK_YES);
    for (int i = 1; i < 3; i++) {
        thread_join(threads[i]);
        CHECK_INT(b[i].outcome, CACHE_FRESH);
    }
    CHECK_TEXT(say(&s, "KEYS *"), "{lock:k}:rl:value");
    for (int i = 0; i < 3; i++) {
        asker_close(&b[i]);
    }
}

TEST(cache_turn_passes_on_when_the_builder_dies)
{
    SERVER(s, NULL);
    ASKER(a, &s, 0);
    ASKER(b, &s, 20000);
    a.params.duration = MS(400);
    CHECK_INT(ask(&a), CACHE_TURN);
    CHECK_INT(ask(&b), CACHE_TURN); /* 400 ms later */
    CHECK_INT(store(&a, "old", 5000, 0), LOCK_NOT_OWNED);
    CHECK_TEXT(say(&s, "EXISTS {lock:k}:rl:value"), "0");
    CHECK_INT(store(&b, "new", 5000, 0), LOCK_YES);
    CHECK_INT(store(&a, "old", 5000, 0), LOCK_NOT_OWNED);
    CHECK_INT(ask(&a), CACHE_FRESH);
    check_value(&a, "new");
}

TEST(cache_stale_value_is_taken_by_all_but_the_builder)
{
    SERVER(s, NULL);
    ASKER(a, &s, 2000);
    ASKER(b, &s, 2000);
    CHECK_INT(ask(&a), CACHE_TURN);
    CHECK_INT(store(&a, "old", 30, 60000), LOCK_YES);
    CHECK_RANGE(50000, say_number(&s, "PTTL {lock:k}:rl:value"), 60030);
    sleep_ms(60);
    CHECK_INT(ask(&a), CACHE_TURN);
    b.params.stale = MS(60000);
    int64_t start = platform_now();
    CHECK_INT(ask(&b), CACHE_STALE);
    CHECK_RANGE(0, ms_since(start), 500 + held_up());
    check_value(&b, "old");
    b.params.stale = PLATFORM_NEVER;
    CHECK_INT(ask(&b), CACHE_STALE);
    b.params.stale = MS(1); /* the value is past its end for longer than that */
    b.params.timeout = MS(100);
    CHECK_INT(ask(&b), CACHE_NONE);
    CHECK_INT(store(&a, "new", 5000, 0), LOCK_YES);
    CHECK_INT(ask(&b), CACHE_FRESH);
    check_value(&b, "new");
}

TEST(cache_wait_ends_in_time_and_leaves_nothing)
{
    SERVER(s, NULL);
    ASKER(a, &s, 0);
    ASKER(b, &s, 300);
    CHECK_INT(ask(&a), CACHE_TURN);
    int64_t start = platform_now();
    CHECK_INT(ask(&b), CACHE_NONE);
    CHECK_RANGE(300 - EARLY, ms_since(start), 300 + SLACK);
    CHECK_INT(give_up(&a), LOCK_YES);
    CHECK_NO_KEY(&s);
}

TEST(cache_too_many_waiters_are_refused)
{
    SERVER(s, NULL);
    ASKER(a, &s, 0);
    ASKER(b, &s, 20000);
    ASKER(c, &s, 20000);
    c.c.lock.max_waiters = 1;
    CHECK_INT(ask(&a), CACHE_TURN);
    pthread_t thread = thread_start(ask_in_thread, &b);
    until_waiting(&s, "k", 1);
    CHECK_INT(ask(&c), CACHE_NONE);
    CHECK_INT(store(&a, "value", 5000, 0), LOCK_YES);
    thread_join(thread);
    CHECK_INT(b.outcome, CACHE_FRESH);
}

TEST(cache_kept_elsewhere_wakes_all_to_read_it_there)
{
    asker b[2];
    pthread_t threads[2];

    SERVER(s, NULL);
    ASKER(a, &s, 0);
    a.params.kept_here = false;
    CHECK_INT(ask(&a), CACHE_TURN);
    for (int i = 0; i < 2; i++) {
        asker_open(&b[i], &s, 20000);
        b[i].params.kept_here = false;
        threads[i] = thread_start(ask_in_thread, &b[i]);
        until_waiting(&s, "k", i + 1);
    }
    CHECK_INT(cache_store(&a.c.lock, a.params.name, &a.answer.lease, NULL, &a.c.error), LOCK_YES);
    for (int i = 0; i < 2; i++) {
        thread_join(threads[i]);
        CHECK_INT(b[i].outcome, CACHE_BUILT);
    }
    CHECK_NO_KEY(&s);
    asker_close(&b[0]);
    asker_close(&b[1]);
}

TEST(cache_who_waits_for_the_lock_alone_gets_it_after_the_value)
{
    SERVER(s, NULL);
    ASKER(a, &s, 0);
    ASKER(b, &s, 20000);
    CLIENT(c, s.path);
    CHECK_INT(take(&c, "k", 20000, 0), LOCK_YES);
    pthread_t thread = thread_start(ask_in_thread, &b);
    until_waiting(&s, "k", 1);
    CHECK_INT(drop(&c, "k"), LOCK_YES);
    thread_join(thread);
    CHECK_INT(b.outcome, CACHE_TURN);

    atomic_store(&a.done, 0);
    a.params.timeout = MS(20000);
    thread = thread_start(ask_in_thread, &a);
    until_waiting(&s, "k", 1);
    say(&s, "ZADD {lock:k}:rl:wait 9999999999999 somebody");
    CHECK_INT(store(&b, "value", 5000, 0), LOCK_YES);
    thread_join(thread);
    CHECK_INT(a.outcome, CACHE_FRESH);
    /* The lock is handed to the waiter "somebody", who does not exist. */
    CHECK_TEXT(say(&s, "ZRANGE {lock:k}:rl:wait 0 -1"), "somebody");
    CHECK_INT(memcmp(say(&s, "GET lock:k"), LOCK_BATON_PREFIX, 9), 0);
}

/* A client that waits for the value asks rarely from its second question on, so its entry must live longer than that
 * of a waiter for the lock. */
TEST(cache_waiter_is_not_forgotten_after_one_for_the_lock_has_gone)
{
    SERVER(s, NULL);
    ASKER(a, &s, 0);
    ASKER(b, &s, 20000);
    CLIENT(c, s.path);
    a.params.duration = MS(60000);
    CHECK_INT(ask(&a), CACHE_TURN);
    pthread_t thread = thread_start(ask_in_thread, &b);
    until_waiting(&s, "k", 1);
    int64_t start = platform_now();
    while (say_number(&s, "PTTL {lock:k}:rl:wait") < 10000 && ms_since(start) < 5000) {
        sleep_ms(10);
    }
    CHECK_INT(take(&c, "k", 1000, 50), LOCK_BUSY);
    CHECK_RANGE(10000, say_number(&s, "PTTL {lock:k}:rl:wait"), 13500);
    CHECK_INT(store(&a, "value", 5000, 0), LOCK_YES);
    thread_join(thread);
    CHECK_INT(b.outcome, CACHE_FRESH);
}

TEST(cache_forgotten_value_is_not_kept_by_who_was_building_it)
{
    SERVER(s, NULL);
    ASKER(a, &s, 0);
    ASKER(b, &s, 20000);
    CLIENT(c, s.path);
    CHECK_INT(cache_forget(&c.lock, BYTES("k"), NULL, &c.error), LOCK_NOT_OWNED);
    CHECK_INT(ask(&a), CACHE_TURN);
    pthread_t thread = thread_start(ask_in_thread, &b);
    until_waiting(&s, "k", 1);
    CHECK_INT(cache_forget(&c.lock, BYTES("k"), NULL, &c.error), LOCK_NOT_OWNED);
    thread_join(thread);
    CHECK_INT(b.outcome, CACHE_TURN);
    CHECK_INT(store(&a, "out of date", 5000, 0), LOCK_NOT_OWNED);
    CHECK_INT(store(&b, "value", 5000, 0), LOCK_YES);
    CHECK_INT(cache_forget(&c.lock, BYTES("k"), NULL, &c.error), LOCK_YES);
    CHECK_NO_KEY(&s);

    /* A lock that was taken for another purpose is left alone. */
    CHECK_INT(take(&c, "k", 20000, 0), LOCK_YES);
    CHECK_INT(cache_forget(&b.c.lock, BYTES("k"), NULL, &b.c.error), LOCK_NOT_OWNED);
    CHECK_INT(drop(&c, "k"), LOCK_YES);
}

TEST(cache_forgets_only_the_value_that_its_reader_cannot_use)
{
    SERVER(s, NULL);
    ASKER(a, &s, 0);
    ASKER(b, &s, 0);
    const rl_bytes old = RL_LITERAL("old"), new = RL_LITERAL("new");
    CHECK_INT(ask(&a), CACHE_TURN);
    CHECK_INT(store(&a, "old", 1, 5000), LOCK_YES);
    sleep_ms(5);
    b.params.stale = MS(5000);
    CHECK_INT(ask(&b), CACHE_TURN);
    /* A client that builds a new value goes on, and the value that it stores is not the one that the reader found. */
    CHECK_INT(cache_forget(&a.c.lock, BYTES("k"), &old, &a.c.error), LOCK_YES);
    CHECK_INT(store(&b, "new", 5000, 0), LOCK_YES);
    CHECK_INT(cache_forget(&a.c.lock, BYTES("k"), &old, &a.c.error), LOCK_NOT_OWNED);
    CHECK_INT(ask(&a), CACHE_FRESH);
    CHECK_INT(cache_forget(&a.c.lock, BYTES("k"), &new, &a.c.error), LOCK_YES);
    CHECK_INT(cache_forget(&a.c.lock, BYTES("k"), &new, &a.c.error), LOCK_NOT_OWNED);
    CHECK_NO_KEY(&s);
}

/* ---- faults ---- */

TEST(cache_after_lost_replies)
{
    asker a;

    SERVER(s, NULL);
    RELAY(r, &s);
    asker_open(&a, &s, 2000);
    client_close(&a.c);
    client_open(&a.c, r.path);
    CHECK_INT(ask(&a), CACHE_TURN);
    CHECK_INT(store(&a, "value", 5000, 0), LOCK_YES);
    for (int timeout = 0; timeout <= 2000; timeout += 2000) {
        say(&s, "DEL {lock:k}:rl:value");
        a.params.timeout = MS(timeout);
        atomic_store(&r.control->swallow, 1);
        CHECK_INT(ask(&a), CACHE_TURN);
        atomic_store(&r.control->swallow, 1);
        CHECK_INT(store(&a, "value", 5000, 0), LOCK_YES);
        atomic_store(&r.control->swallow, 1);
        CHECK_INT(ask(&a), CACHE_FRESH);
        check_value(&a, "value");
        CHECK_TEXT(say(&s, "KEYS *"), "{lock:k}:rl:value");
    }
    CHECK_INT(atomic_load(&r.control->swallowed), 6);
    asker_close(&a);
}

TEST(cache_wait_goes_on_after_its_connection_was_cut)
{
    SERVER(s, NULL);
    ASKER(a, &s, 0);
    ASKER(b, &s, 20000);
    CHECK_INT(ask(&a), CACHE_TURN);
    pthread_t thread = thread_start(ask_in_thread, &b);
    for (int i = 0; i < 3; i++) {
        until_waiting(&s, "k", 1);
        say(&s, "CLIENT KILL TYPE normal SKIPME yes");
        sleep_ms(20);
    }
    until_waiting(&s, "k", 1);
    CHECK_INT(store(&a, "value", 5000, 0), LOCK_YES);
    thread_join(thread);
    CHECK_INT(b.outcome, CACHE_FRESH);
    CHECK_TEXT(say(&s, "KEYS *"), "{lock:k}:rl:value");
}

/* The lease of the turn ends at a server that has stopped, and the question that asks for that turn, before the deadline, has
 * no answer by then. */
static cache_outcome ask_until_the_server_is_slow(int64_t read_timeout)
{
    SERVER(s, NULL);
    ASKER(a, &s, 0);
    ASKER(b, &s, 1000);
    a.params.duration = MS(700);
    b.c.lock.target.connect_timeout = b.c.lock.target.read_timeout = MS(read_timeout);
    CHECK_INT(ask(&a), CACHE_TURN);
    pthread_t thread = thread_start(ask_in_thread, &b);
    until_waiting(&s, "k", 1);
    server_freeze(&s);
    thread_join(thread);
    server_thaw(&s);
    CHECK_RANGE(1000 - EARLY, b.took, 1050 + SLACK);
    return b.outcome;
}

TEST(cache_server_that_is_slow_at_the_deadline_is_no_failure)
{
    CHECK_INT(ask_until_the_server_is_slow(2000), CACHE_NONE);
}

TEST(cache_server_that_is_silent_for_longer_than_its_timeout_is_a_failure)
{
    CHECK_INT(ask_until_the_server_is_slow(100), CACHE_FAILED);
}

TEST(cache_at_a_server_that_stands_still_locks_for_nobody)
{
    SERVER(s, NULL);
    ASKER(a, &s, 0);
    a.c.lock.target.connect_timeout = a.c.lock.target.read_timeout = MS(100);
    CHECK_INT(ask(&a), CACHE_TURN);
    CHECK_INT(give_up(&a), LOCK_YES);
    for (int timeout = 0; timeout <= 150; timeout += 150) {
        a.params.timeout = MS(timeout);
        process_freeze(s.pid);
        CHECK_INT(ask(&a), CACHE_FAILED);
        kill(s.pid, SIGCONT);
        say(&s, "PING");
        until_no_key(&s);
        CHECK_NO_KEY(&s);
    }
    CHECK_INT(ask(&a), CACHE_TURN);
    process_freeze(s.pid);
    CHECK_INT(store(&a, "value", 5000, 0), LOCK_FAILED);
    kill(s.pid, SIGCONT);
    say(&s, "PING");
    sleep_ms(100);
    CHECK_TEXT(say(&s, "KEYS *"), "{lock:k}:rl:value");
}

TEST(cache_keys_of_another_type)
{
    SERVER(s, NULL);
    ASKER(a, &s, 100);
    say(&s, "HSET {lock:k}:rl:value f v");
    CHECK_INT(ask(&a), CACHE_FAILED);
    CHECK_TEXT(a.answer.error.code, "WRONGTYPE");
    say(&s, "SET {lock:k}:rl:value nonsense");
    CHECK_INT(ask(&a), CACHE_TURN);
    CHECK_INT(store(&a, "value", 5000, 0), LOCK_YES);
    CHECK_INT(cache_forget(&a.c.lock, BYTES("k"), NULL, &a.c.error), LOCK_YES);
    say(&s, "HSET {lock:k}:rl:wake f v");
    say(&s, "HSET {lock:k}:rl:baton f v");
    CHECK_INT(ask(&a), CACHE_TURN);
    say(&s, "HSET {lock:k}:rl:wake f v");
    asker b;
    asker_open(&b, &s, 20000);
    CHECK_INT(ask(&b), CACHE_FAILED);
    CHECK_TEXT(b.answer.error.code, "WRONGTYPE");
    asker_close(&b);
    CHECK_INT(store(&a, "value", 5000, 0), LOCK_YES);
    CHECK_TEXT(say(&s, "EXISTS lock:k"), "0");
}

TEST(cache_lies_are_no_answers)
{
    static const lie lies[] = {
        LIE("*2\r\n:1\r\n$5\r\nshort\r\n", LIE_SEND), LIE("*2\r\n:1\r\n:5\r\n", LIE_SEND),  LIE(":1\r\n", LIE_SEND),
        LIE("*2\r\n:9\r\n:0\r\n", LIE_SEND),          LIE("*2\r\n:3\r\n:-1\r\n", LIE_SEND), LIE("+OK\r\n", LIE_SEND),
    };

    for (size_t i = 0; i < sizeof(lies) / sizeof(*lies); i++) {
        liar l;
        asker a;
        liar_start(&l, false, &lies[i], 1);
        memset(&a, 0, sizeof(a));
        client_open_dsn(&a.c, l.dsn);
        a.params = (cache_fetch_params){.name = RL_LITERAL("k"), .kept_here = true, .duration = MS(1000)};
        CHECK_INT(ask(&a), CACHE_FAILED);
        CHECK_INT(a.answer.error.kind, RL_MALFORMED);
        asker_close(&a);
        liar_stop(&l);
    }
}

/* ---- a crowd ---- */

enum { CROWD_PROCESSES = 4, CROWD_THREADS = 250, CROWD = CROWD_PROCESSES * CROWD_THREADS };

typedef struct crowd {
    server *s;
    struct crowd_shared {
        atomic_int next;
        atomic_int turns;
        atomic_int wrong;
        int64_t had_at[CROWD];
    } * shared;
} crowd;

static void *be_one(void *arg)
{
    crowd *c = arg;

    ASKER(a, c->s, 60000);
    int i = atomic_fetch_add(&c->shared->next, 1);
    cache_outcome outcome = ask(&a);
    c->shared->had_at[i] = platform_now();
    atomic_fetch_add(&c->shared->turns, outcome == CACHE_TURN);
    atomic_fetch_add(&c->shared->wrong, outcome != CACHE_FRESH || strcmp(a.answer.value, "value") != 0);
    return NULL;
}

static void be_many(void *arg)
{
    pthread_t threads[CROWD_THREADS];

    for (int i = 0; i < CROWD_THREADS; i++) {
        threads[i] = thread_start(be_one, arg);
    }
    for (int i = 0; i < CROWD_THREADS; i++) {
        thread_join(threads[i]);
    }
}

TEST(cache_crowd_has_it_soon_and_asks_little)
{
    pid_t pids[CROWD_PROCESSES];
    int64_t latest = 0;

    SERVER(s, NULL);
    crowd c = {&s, shared(sizeof(struct crowd_shared))};
    ASKER(a, &s, 0);
    CHECK_INT(ask(&a), CACHE_TURN);
    say(&s, "CONFIG RESETSTAT");
    for (int i = 0; i < CROWD_PROCESSES; i++) {
        pids[i] = process_start(be_many, &c);
    }
    until_waiting(&s, "k", CROWD);
    int64_t start = platform_now();
    CHECK_INT(store(&a, "value", 60000, 0), LOCK_YES);
    for (int i = 0; i < CROWD_PROCESSES; i++) {
        process_join(pids[i]);
    }
    for (int i = 0; i < CROWD; i++) {
        latest = platform_later(latest, c.shared->had_at[i]);
    }
    CHECK_INT(atomic_load(&c.shared->turns), 0);
    CHECK_INT(atomic_load(&c.shared->wrong), 0);
    long long requests = server_calls(&s, "evalsha") + server_calls(&s, "eval") + server_calls(&s, "blpop");
    /* Each asks and blocks, and does both once more if the crowd takes longer than a second to gather. */
    CHECK_RANGE(2 * CROWD, requests, 4 * CROWD);
    CHECK_RANGE(0, (latest - start) / 1000, 2000 + held_up());
    note("the last of %d had it after %.1f ms; %.2f requests each", CROWD, (double)(latest - start) / 1000,
         (double)requests / CROWD);
    CHECK_TEXT(say(&s, "EXISTS lock:k {lock:k}:rl:wait"), "0");
}

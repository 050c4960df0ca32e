/* SPDX-License-Identifier: MIT
 *
 * Many locks at once: all or none, taken in one order by every client, and none kept after a no or a fault.
 */
#include "bed.h"

#include <unistd.h>

#include "lock/all.h"
#include "lock/attempt.h"

#define MOST 12

typedef struct set {
    lock_all_item items[MOST];
    size_t count;
} set;

static set set_of(const char *names)
{
    set s = {0};

    for (; *names != '\0'; names++) {
        s.items[s.count++].name = (rl_bytes){names, 1};
    }
    return s;
}

/* Takes the locks whose names are the letters of `names`. */
static lock_outcome take_all(client *c, const char *names, int64_t lease, int64_t timeout, set *s)
{
    size_t about = 0;

    *s = set_of(names);
    return lock_acquire_all(&c->lock, s->items, s->count, lease, timeout, &about, &c->error);
}

static lock_outcome drop_all(client *c, set *s)
{
    lock_outcome worst = LOCK_YES;

    for (size_t i = 0; i < s->count; i++) {
        lock_outcome outcome = lock_release(&c->lock, s->items[i].name, &s->items[i].lease, MS(1000), &c->error);
        worst = outcome != LOCK_YES ? outcome : worst;
        lock_lease_free(&s->items[i].lease);
    }
    return worst;
}

TEST(all_are_taken_by_one_request)
{
    set mine, none;

    SERVER(s, NULL);
    CLIENT(c, s.path);
    CLIENT(other, s.path);
    CHECK_INT(take_all(&c, "warm", MS(5000), 0, &mine), LOCK_YES);
    CHECK_INT(drop_all(&c, &mine), LOCK_YES);
    say(&s, "CONFIG RESETSTAT");
    CHECK_INT(take_all(&c, "cab", MS(5000), 0, &mine), LOCK_YES);
    CHECK_INT(server_calls(&s, "evalsha"), 1);
    CHECK_INT(server_calls(&s, "eval"), 0);
    for (size_t i = 0; i < 3; i++) {
        CHECK_INT(mine.items[i].name.at[0], "abc"[i]);
        CHECK_INT(memcmp(say(&s, "GET lock:%b", &"abc"[i], (size_t)1), mine.items[i].lease.token, LOCK_TOKEN_LEN), 0);
        CHECK_RANGE(4000 - held_up(), say_number(&s, "PTTL lock:%b", &"abc"[i], (size_t)1), 5000);
    }
    CHECK(memcmp(mine.items[0].lease.token, mine.items[1].lease.token, LOCK_TOKEN_LEN) != 0);

    say(&s, "CONFIG RESETSTAT");
    CHECK_INT(take_all(&other, "xyc", MS(5000), 0, &none), LOCK_BUSY);
    CHECK_INT(server_calls(&s, "evalsha"), 1);
    CHECK_TEXT(say(&s, "EXISTS lock:x lock:y"), "0");
    CHECK_INT(drop_all(&c, &mine), LOCK_YES);
    CHECK_NO_KEY(&s);
}

TEST(all_have_the_next_fence_of_all)
{
    set mine;

    SERVER(s, NULL);
    CLIENT(c, s.path);
    c.lock.fencing = true;
    say(&s, "SET {lock:b}:rl:fence 5000000000000000");
    CHECK_INT(take_all(&c, "ab", MS(5000), 0, &mine), LOCK_YES);
    CHECK_INT(mine.items[0].lease.fence, 5000000000000001);
    CHECK_INT(mine.items[1].lease.fence, 5000000000000001);
    CHECK_TEXT(say(&s, "GET {lock:a}:rl:fence"), "5000000000000001");
    CHECK_INT(drop_all(&c, &mine), LOCK_YES);

    say(&s, "HSET {lock:c}:rl:fence f v");
    CHECK_INT(take_all(&c, "abc", MS(5000), 0, &mine), LOCK_FAILED);
    CHECK_TEXT(c.error.code, "WRONGTYPE");
    CHECK_INT(take_all(&c, "abc", MS(5000), MS(100), &mine), LOCK_FAILED);
    CHECK_TEXT(say(&s, "EXISTS lock:a lock:b lock:c"), "0");
}

typedef struct taker {
    char path[104];
    const ring *ring; /* NULL: the one server at `path` */
    const char *names;
    int64_t lease;
    int64_t timeout;
    _Atomic lock_outcome outcome; /* filled by the taker */
    int64_t took;                 /* ms until then; filled by the taker */
    atomic_int has;
    atomic_int go_on; /* set to let the taker release the locks */
} taker;

static void *take_and_drop(void *arg)
{
    taker *t = arg;
    set mine;
    CLOSED_BY(client_close) client c;

    if (t->ring != NULL) {
        ring_client(&c, t->ring);
        c.lock.target.node_timeout = c.lock.target.read_timeout = MS(4000);
    } else {
        client_open(&c, t->path);
    }
    int64_t start = platform_now();
    t->outcome = take_all(&c, t->names, t->lease, t->timeout, &mine);
    t->took = ms_since(start);
    atomic_store(&t->has, 1);
    if (t->outcome == LOCK_YES) {
        while (!atomic_load(&t->go_on)) {
            usleep(200);
        }
        CHECK_INT(drop_all(&c, &mine), LOCK_YES);
    }
    return NULL;
}

static pthread_t start_taker(taker *t, const server *s, const char *names, int64_t lease, int64_t timeout)
{
    memset(t, 0, sizeof(*t));
    memcpy(t->path, s->path, sizeof(t->path));
    t->names = names;
    t->lease = lease;
    t->timeout = timeout;
    return thread_start(take_and_drop, t);
}

/* Waits until the taker has all its locks. */
static void check_taken(taker *t)
{
    while (!atomic_load(&t->has)) {
        usleep(200);
    }
    CHECK_INT(t->outcome, LOCK_YES);
}

TEST(all_wait_for_the_first_that_is_held_and_keep_those_before_it)
{
    taker t;

    SERVER(s, NULL);
    CLIENT(c, s.path);
    CHECK_INT(take(&c, "b", 20000, 0), LOCK_YES);
    pthread_t thread = start_taker(&t, &s, "cab", MS(10000), MS(8000));
    until_waiting(&s, "b", 1);
    CHECK_TEXT(say(&s, "EXISTS lock:a"), "1");
    CHECK_TEXT(say(&s, "EXISTS lock:c"), "0");
    CHECK_INT(drop(&c, "b"), LOCK_YES);
    check_taken(&t);
    CHECK_TEXT(say(&s, "EXISTS lock:a lock:b lock:c"), "3");
    atomic_store(&t.go_on, 1);
    thread_join(thread);
    CHECK_NO_KEY(&s);
}

/* A call whose time is over keeps none of these keys. If the machine held it up, what it sent last may still be on its way, or
 * goes ahead of the next call; that is long before a lease ends. `before`: held_up() before the call. */
static void check_given_back(server *s, client *c, const char *keys, int64_t before)
{
    char command[64];

    snprintf(command, sizeof(command), "EXISTS %s", keys);
    CHECK(say_number(s, command) == 0 || held_up() > before);
    for (int64_t start = platform_now(); say_number(s, command) > 0;) {
        CHECK(ms_since(start) < 2000);
        CHECK(waiters(c, "b") >= 0);
        sleep_ms(1);
    }
}

TEST(all_keep_nothing_when_the_time_is_over)
{
    set none;

    SERVER(s, NULL);
    CLIENT(c, s.path);
    CHECK_INT(take(&c, "b", 20000, 0), LOCK_YES);
    say(&s, "SET lock:y foreign");
    for (int i = 0; i < 2; i++) {
        int64_t start = platform_now(), before = held_up();
        CHECK_INT(take_all(&c, i == 0 ? "abc" : "xyz", MS(5000), MS(200), &none), LOCK_BUSY);
        CHECK_RANGE(200 - EARLY, ms_since(start), 200 + SLACK);
        check_given_back(&s, &c, "lock:a lock:c lock:x lock:z", before);
    }
    CHECK_INT(drop(&c, "b"), LOCK_YES);
    say(&s, "DEL lock:y");
    CHECK_NO_KEY(&s);
}

TEST(all_go_behind_those_who_wait_if_they_wait_themselves)
{
    set mine;

    SERVER(s, NULL);
    CLIENT(c, s.path);
    /* A waiter stands in the queue of b, which is free. */
    say(&s, "ZADD {lock:b}:rl:wait 9999999999999 somebody");
    CHECK_INT(take_all(&c, "ab", MS(5000), 0, &mine), LOCK_YES);
    CHECK_INT(drop_all(&c, &mine), LOCK_YES);
    say(&s, "DEL {lock:b}:rl:baton lock:b");
    CHECK_INT(take_all(&c, "ab", MS(5000), MS(150), &mine), LOCK_YES);
    CHECK_INT(c.stats.contended, 1);
    CHECK_INT(drop_all(&c, &mine), LOCK_YES);
}

TEST(all_live_on_while_the_next_is_waited_for)
{
    taker t;

    SERVER(s, NULL);
    CLIENT(c, s.path);
    CHECK_INT(take(&c, "b", 20000, 0), LOCK_YES);
    pthread_t thread = start_taker(&t, &s, "ab", MS(1500), MS(8000));
    until_waiting(&s, "b", 1);
    for (int i = 0; i < 100; i++) {
        sleep_ms(25);
        CHECK_TEXT(say(&s, "EXISTS lock:a"), "1");
    }
    CHECK_INT(drop(&c, "b"), LOCK_YES);
    check_taken(&t);
    CHECK_RANGE(1000 - held_up(), say_number(&s, "PTTL lock:a"),
                1509); /* an extension sets an end apart from that which it finds */
    atomic_store(&t.go_on, 1);
    thread_join(thread);
}

TEST(all_begin_again_when_one_is_taken_away_meanwhile)
{
    taker t;

    SERVER(s, NULL);
    CLIENT(c, s.path);
    CHECK_INT(take(&c, "b", 20000, 0), LOCK_YES);
    pthread_t thread = start_taker(&t, &s, "ab", MS(400), MS(8000));
    until_waiting(&s, "b", 1);
    CHECK_INT(lock_force_release(&c.lock, BYTES("a"), &c.error), LOCK_YES);
    say(&s, "SET lock:a foreign");
    until_waiting(&s, "a", 1);
    CHECK_TEXT(say(&s, "GET lock:a"), "foreign");
    CHECK_INT(drop(&c, "b"), LOCK_YES);
    say(&s, "DEL lock:a");
    check_taken(&t);
    atomic_store(&t.go_on, 1);
    thread_join(thread);
    CHECK_NO_KEY(&s);
}

/* In the order that the takers name, they would wait for each other in a circle. The locks are taken in the order of
 * their bytes, in which there is no circle. */
TEST(all_in_any_order_do_not_wait_for_each_other)
{
    static const char *const wants[] = {"ab", "bc", "ca", "abc", "cba", "bac"};
    enum { TAKERS = 6 };
    taker takers[TAKERS];
    pthread_t threads[TAKERS];

    SERVER(s, NULL);
    for (int round = 0; round < 10; round++) {
        for (int i = 0; i < TAKERS; i++) {
            threads[i] = start_taker(&takers[i], &s, wants[i], MS(10000), MS(20000));
            atomic_store(&takers[i].go_on, 1);
        }
        for (int i = 0; i < TAKERS; i++) {
            thread_join(threads[i]);
            CHECK_INT(takers[i].outcome, LOCK_YES);
        }
        CHECK_NO_KEY(&s);
    }
}

TEST(all_with_too_many_waiting_fail_at_once)
{
    set none;

    SERVER(s, NULL);
    CLIENT(c, s.path);
    CHECK_INT(take(&c, "b", 20000, 0), LOCK_YES);
    say(&s, "ZADD {lock:b}:rl:wait 9999999999999 somebody");
    c.lock.max_waiters = 1;
    int64_t start = platform_now();
    CHECK_INT(take_all(&c, "abc", MS(1000), MS(5000), &none), LOCK_BUSY);
    CHECK_RANGE(0, ms_since(start), 400 + held_up());
    CHECK_TEXT(say(&s, "EXISTS lock:a lock:c"), "0");
}

TEST(all_after_a_lost_reply)
{
    set mine;

    SERVER(s, NULL);
    RELAY(r, &s);
    CLIENT(c, r.path);
    CHECK_INT(take_all(&c, "abc", MS(5000), 0, &mine), LOCK_YES);
    CHECK_INT(drop_all(&c, &mine), LOCK_YES);
    for (int timeout = 0; timeout <= 500; timeout += 500) {
        atomic_store(&r.control->swallowed, 0);
        atomic_store(&r.control->swallow, 1);
        CHECK_INT(take_all(&c, "abc", MS(5000), MS(timeout), &mine), LOCK_YES);
        CHECK_INT(atomic_load(&r.control->swallowed), 1);
        CHECK_INT(drop_all(&c, &mine), LOCK_YES);
        until_no_key(&s);
        CHECK_NO_KEY(&s);
    }
}

TEST(all_at_a_server_that_stands_still_are_not_taken_when_it_goes_on)
{
    set none;

    SERVER(s, NULL);
    CLIENT(c, s.path);
    c.lock.target.read_timeout = c.lock.target.connect_timeout = MS(100);
    CHECK_INT(take_all(&c, "w", MS(5000), 0, &none), LOCK_YES);
    CHECK_INT(drop_all(&c, &none), LOCK_YES);
    for (int timeout = 0; timeout <= 150; timeout += 150) {
        process_freeze(s.pid);
        int64_t start = platform_now();
        CHECK_INT(take_all(&c, "abc", MS(5000), MS(timeout), &none), LOCK_FAILED);
        CHECK_RANGE(90, ms_since(start), 200 + SLACK);
        kill(s.pid, SIGCONT);
        say(&s, "PING");
        until_no_key(&s);
        CHECK_NO_KEY(&s);
    }
}

/* It takes scripts over one lock only, as is known, so that none is sent. That is no sign that it is well. */
TEST(all_at_a_proxy_that_stands_still_fail)
{
    set none;

    SERVER(s, NULL);
    CLIENT(c, s.path);
    CHECK_INT(take_all(&c, "w", MS(5000), 0, &none), LOCK_YES);
    CHECK_INT(drop_all(&c, &none), LOCK_YES);
    CHECK_INT(c.pool.count, 1);
    rl_conn_note(c.pool.idle[0], LOCK_CONN_SPLITS_MANY);
    process_freeze(s.pid);
    CHECK_INT(take_all(&c, "abc", MS(5000), MS(150), &none), LOCK_FAILED);
    CHECK_INT(c.error.kind, RL_TIMED_OUT);
    kill(s.pid, SIGCONT);
    say(&s, "PING");
    until_no_key(&s);
}

TEST(all_given_up_at_a_server_that_stands_still_are_released_when_it_goes_on)
{
    taker t;

    SERVER(s, NULL);
    CLIENT(holder, s.path);
    CHECK_INT(take(&holder, "b", 20000, 0), LOCK_YES);
    pthread_t thread = start_taker(&t, &s, "ab", MS(20000), MS(300));
    until_waiting(&s, "b", 1);
    process_freeze(s.pid);
    thread_join(thread);
    CHECK(t.outcome != LOCK_YES);
    kill(s.pid, SIGCONT);
    CHECK_INT(drop(&holder, "b"), LOCK_YES);
    until_no_key(&s);
    CHECK_NO_KEY(&s);
}

/* Replaces the first lies as soon as the liar has been asked three times: the next connection begins with a release that
 * was left to the backlog, and goes on with that of the locks. */
static void *answer_releases_then(void *arg)
{
    struct liar_control *control = arg;

    while (atomic_load(&control->requests) < 3) {
        usleep(200);
    }
    control->lies[0] = control->lies[1] = (lie)LIE(":1\r\n", LIE_SEND);
    return NULL;
}

/* The server falls silent long before the deadline: when the next lock is waited for, or, if that was had, when the rest is to
 * be taken. */
TEST(all_at_a_server_that_falls_silent_long_before_the_deadline_fail)
{
    static const lie lies[] = {LIE("*2\r\n:0\r\n:0\r\n", LIE_SEND), LIE("$5\r\ntaken\r\n", LIE_SEND),
                               LIE("", LIE_SEND)};
    set none;

    for (int had = 0; had <= 1; had++) {
        liar l;
        client c;
        liar_start(&l, false, (const lie[]){lies[0], lies[had ? 1 : 2], lies[2]}, 3);
        client_open_dsn(&c, l.dsn);
        client_gives_up_after(&c, 1000);
        pthread_t thread = thread_start(answer_releases_then, l.control);
        int64_t start = platform_now();
        CHECK_INT(take_all(&c, "ab", MS(300000), MS(60000), &none), LOCK_FAILED);
        CHECK_INT(c.error.kind, RL_TIMED_OUT);
        CHECK_RANGE(1000, ms_since(start), 30000);
        atomic_store(&l.control->requests, 3);
        thread_join(thread);
        client_close(&c);
        liar_stop(&l);
    }
}

/* Of three servers, one has lost the first lock and another is silent, so the extension of that lock is not decided, and
 * would be waited for as long as read_timeout. */
TEST(all_over_several_servers_extend_no_longer_than_they_may_wait)
{
    taker t = {.names = "ab", .lease = MS(600), .timeout = MS(1500)};

    RING(r, 3, NULL);
    RING_CLIENT(holder, &r);
    CHECK_INT(take(&holder, "b", 20000, 0), LOCK_YES);
    t.ring = &r;
    pthread_t thread = thread_start(take_and_drop, &t);
    until_waiting(&r.servers[0], "b", 1);
    server_freeze(&r.servers[1]);
    say(&r.servers[2], "DEL lock:a");
    thread_join(thread);
    CHECK_INT(t.outcome, LOCK_BUSY);
    CHECK_RANGE(1500 - EARLY, t.took, 1500 + 50 + SLACK);
    server_thaw(&r.servers[1]);
}

/* Three servers, all but the first one behind relays. */
typedef struct relayed {
    ring ring;
    relay relays[2];
    client behind[2]; /* have the addresses of the relays */
    int64_t timeout;
    bool all_frozen;       /* all servers are stopped at first, not only the first one */
    atomic_bool has_begun; /* filled by the taker, as what follows */
    lock_outcome outcome;
    int64_t took; /* ms */
} relayed;

static void relayed_open(relayed *w)
{
    memset(w, 0, sizeof(*w));
    ring_open(&w->ring, 3, NULL);
    for (int i = 0; i < 2; i++) {
        relay_start(&w->relays[i], &w->ring.servers[i + 1]);
        client_open(&w->behind[i], w->relays[i].path);
    }
}

static void relayed_close(relayed *w)
{
    for (int i = 0; i < 2; i++) {
        client_close(&w->behind[i]);
        relay_stop(&w->relays[i]);
    }
    ring_close(&w->ring);
}

#define RELAYED(w)                                                                                                     \
    CLOSED_BY(relayed_close) relayed w;                                                                                \
    relayed_open(&(w))

/* Waits until a client has connected, and has all its replies. */
static void until_quiet(const relay *r)
{
    for (int requests = -1;
         atomic_load(&r->control->connections) == 0 || requests != atomic_load(&r->control->requests);) {
        requests = atomic_load(&r->control->requests);
        sleep_ms(50);
    }
}

/* Takes a and b. The replies of the relays for b are lost, and what is sent on new connections is kept back. The first
 * server is stopped, so both relays have passed on their reply for a before b is asked for. */
static void *take_where_replies_are_lost(void *arg)
{
    relayed *w = arg;
    set mine;
    rl_endpoint endpoints[] = {w->ring.endpoints[0], w->behind[0].endpoint, w->behind[1].endpoint};
    CLIENT(c, w->relays[0].path);

    c.lock.target.endpoints = endpoints;
    c.lock.target.count = 3;
    c.lock.target.node_timeout = MS(4000);
    c.lock.target.read_timeout = c.lock.target.connect_timeout = MS(2000);
    CHECK_INT(take(&c, "w", 5000, 0), LOCK_YES);
    CHECK_INT(drop(&c, "w"), LOCK_YES);
    for (int i = 0; i < 2; i++) {
        until_quiet(&w->relays[i]);
        atomic_store(&w->relays[i].control->hold, atomic_load(&w->relays[i].control->connections) + 1);
        atomic_store(&w->relays[i].control->swallow, 2);
    }
    for (int i = 0; i < (w->all_frozen ? 3 : 1); i++) {
        server_freeze(&w->ring.servers[i]);
    }
    atomic_store(&w->has_begun, true);
    int64_t start = platform_now();
    w->outcome = take_all(&c, "ab", MS(20000), w->timeout, &mine);
    w->took = ms_since(start);
    return NULL;
}

static void until_begun(const relayed *w)
{
    while (!atomic_load(&w->has_begun)) {
        usleep(200);
    }
}

static void until_replies_are_lost(const relayed *w)
{
    until_begun(w);
    for (int i = 0; i < 2; i++) {
        while (atomic_load(&w->relays[i].control->swallowed) == 0) {
            usleep(200);
        }
    }
}

/* The lock that came first is taken away before the next one is taken by a repeated request. */
TEST(all_over_several_servers_are_checked_behind_a_repeat)
{
    RELAYED(w);
    w.timeout = MS(1000);
    pthread_t thread = thread_start(take_where_replies_are_lost, &w);
    until_replies_are_lost(&w);
    server_thaw(&w.ring.servers[0]);
    for (int i = 0; i < 3; i++) {
        say(&w.ring.servers[i], "SET lock:a another");
    }
    atomic_store(&w.relays[0].control->hold, 0);
    atomic_store(&w.relays[1].control->hold, 0);
    thread_join(thread);
    CHECK_INT(w.outcome, LOCK_BUSY);
}

/* The first lock takes most of the time, and the next one would take all of it again. */
TEST(all_over_several_servers_that_do_not_wait_have_one_time_budget)
{
    RELAYED(w);
    w.all_frozen = true;
    pthread_t thread = thread_start(take_where_replies_are_lost, &w);
    until_begun(&w);
    sleep_ms(1400);
    server_thaw(&w.ring.servers[1]);
    server_thaw(&w.ring.servers[2]);
    until_replies_are_lost(&w);
    thread_join(thread);
    server_thaw(&w.ring.servers[0]);
    CHECK_INT(w.outcome, LOCK_FAILED);
    CHECK_RANGE(1400, w.took, 2000 + 50 + SLACK);
}

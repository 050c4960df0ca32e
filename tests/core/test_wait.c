/* SPDX-License-Identifier: MIT
 *
 * Waiting for one's turn: no waiter is forgotten, the first to come is the first to be served, and a waiter that leaves
 * leaves nothing behind.
 */
#include "bed.h"
#include "lock/all.h"

#include <sys/time.h>

#include <sys/wait.h>
#include <unistd.h>

#include "lock/wait.h"
#include "redis/connection.h"

/* ---- order ---- */

typedef struct queue {
    server s;
    client holder;
    struct {
        atomic_int next;
        int order[64];
        section inside;
        atomic_int taken[64];
        atomic_llong at[64];             /* when waiter number n got the lock, a time of platform_now() */
        int64_t lease, timeout, section; /* ms, for each waiter */
    } * shared;
} queue;

typedef struct waiter_arg {
    queue *q;
    int number;
} waiter_arg;

static void queue_open(queue *q)
{
    server_start(&q->s, NULL);
    client_open(&q->holder, q->s.path);
    q->shared = shared(sizeof(*q->shared));
    q->shared->lease = 10000;
    q->shared->timeout = 20000;
    q->shared->section = 5;
}

static void queue_close(queue *q)
{
    client_close(&q->holder);
    server_stop(&q->s);
}

#define QUEUE(q)                                                                                                       \
    CLOSED_BY(queue_close) queue q;                                                                                    \
    queue_open(&(q))

static void wait_in_queue(void *arg)
{
    waiter_arg *w = arg;
    queue *q = w->q;

    CLIENT(c, q->s.path);
    CHECK_INT(take(&c, "a", q->shared->lease, q->shared->timeout), LOCK_YES);
    atomic_store(&q->shared->at[w->number], platform_now());
    int place = section_enter(&q->shared->inside, &c.lease);
    q->shared->order[atomic_fetch_add(&q->shared->next, 1)] = w->number;
    sleep_ms(q->shared->section);
    section_leave(&q->shared->inside, place);
    CHECK_INT(drop(&c, "a"), LOCK_YES);
}

/* Starts the waiter of this number, and waits until `count` waiters stand in line. */
static pid_t join_queue(queue *q, int number, int count)
{
    waiter_arg arg = {q, number};
    pid_t pid = process_start(wait_in_queue, &arg);

    until_waiting(&q->s, "a", count);
    return pid;
}

/* Returns how many ms after `start` the waiter of this number got the lock. */
static int64_t got_after(const queue *q, int number, int64_t start)
{
    int64_t at = atomic_load(&q->shared->at[number]);

    CHECK(at != 0);
    return (at - start) / PLATFORM_MSEC;
}

TEST(wait_first_come_first_served)
{
    pid_t pids[8];

    QUEUE(q);
    for (int round = 0; round < 3; round++) {
        atomic_store(&q.shared->next, 0);
        CHECK_INT(take(&q.holder, "a", 60000, 1000), LOCK_YES);
        for (int i = 0; i < 8; i++) {
            pids[i] = join_queue(&q, i, i + 1);
            sleep_ms(30);
        }
        CHECK_INT(drop(&q.holder, "a"), LOCK_YES);
        for (int i = 0; i < 8; i++) {
            process_join(pids[i]);
        }
        for (int i = 0; i < 8; i++) {
            CHECK_INT(q.shared->order[i], i);
        }
        CHECK_NO_KEY(&q.s);
    }
}

TEST(wait_order_survives_a_killed_holder)
{
    pid_t pids[8];

    QUEUE(q);
    int64_t start = platform_now();
    CHECK_INT(take(&q.holder, "a", 700, 0), LOCK_YES); /* the holder never releases it */
    for (int i = 0; i < 8; i++) {
        pids[i] = join_queue(&q, i, i + 1);
        sleep_ms(20);
    }
    for (int i = 0; i < 8; i++) {
        process_join(pids[i]);
    }
    for (int i = 0; i < 8; i++) {
        CHECK_INT(q.shared->order[i], i);
    }
    CHECK_RANGE(700, got_after(&q, 0, start), 700 + 250 + held_up());
    note("first served %lld ms after the lease", (long long)got_after(&q, 0, start) - 700);
    CHECK_NO_KEY(&q.s);
}

static void hold_and_die(void *arg)
{
    client c;

    client_open(&c, ((queue *)arg)->s.path);
    CHECK_INT(take(&c, "a", 300, 5000), LOCK_YES);
    raise(SIGKILL);
}

TEST(wait_holder_killed_costs_its_lease)
{
    int64_t worst = 0;

    QUEUE(q);
    for (int i = 0; i < 5; i++) {
        pid_t holder = process_start(hold_and_die, &q);
        while (strcmp(say(&q.s, "EXISTS lock:a"), "1") != 0) {
            sleep_ms(1);
        }
        int64_t ends = platform_now() + MS(say_number(&q.s, "PTTL lock:a"));
        waiter_arg arg = {&q, 0};
        pid_t waiter = process_start(wait_in_queue, &arg);
        process_kill(holder);
        process_join(waiter);
        worst = got_after(&q, 0, ends) > worst ? got_after(&q, 0, ends) : worst;
    }
    note("%lld ms after the lease at worst", (long long)worst);
    CHECK_RANGE(0, worst, 250 + held_up());
}

TEST(wait_successor_killed_with_a_shorter_lease)
{
    QUEUE(q);
    CHECK_INT(take(&q.holder, "a", 60000, 0), LOCK_YES);
    pid_t successor = process_start(hold_and_die, &q);
    until_waiting(&q.s, "a", 1);
    pid_t waiter = join_queue(&q, 0, 2);
    sleep_ms(500); /* until both look by their usual timetable */
    int64_t released = platform_now();
    CHECK_INT(drop(&q.holder, "a"), LOCK_YES);
    CHECK(waitpid(successor, NULL, 0) == successor); /* it has killed itself while it held the lock */
    process_join(waiter);
    note("%lld ms after its lease", (long long)got_after(&q, 0, released) - 300);
    CHECK_RANGE(290, got_after(&q, 0, released), 300 + 250 + held_up());
}

TEST(wait_holder_shortened_its_lease_and_died)
{
    QUEUE(q);
    CHECK_INT(take(&q.holder, "a", 60000, 0), LOCK_YES);
    pid_t waiter = join_queue(&q, 0, 1);
    sleep_ms(300);
    int64_t start = platform_now();
    CHECK_INT(extend(&q.holder, "a", 100), LOCK_YES);
    process_join(waiter);
    CHECK_RANGE(99, got_after(&q, 0, start), 100 + 250 + held_up());
}

/* Acquires the lock while a dead waiter's entry may still live. A release hands over to the dead waiter, so for a
 * moment the lock cannot be acquired without waiting. */
static void take_after_the_dead(queue *q)
{
    int64_t start = platform_now();

    while (take(&q->holder, "a", 60000, 0) != LOCK_YES) {
        CHECK(ms_since(start) < 800 + held_up());
        sleep_ms(5);
    }
}

TEST(wait_served_waiter_killed_before_its_claim_is_passed_over)
{
    QUEUE(q);
    CHECK_INT(take(&q.holder, "a", 60000, 0), LOCK_YES);
    pid_t served = join_queue(&q, 0, 1);
    pid_t next = join_queue(&q, 1, 2);
    process_freeze(served);
    CHECK_INT(drop(&q.holder, "a"), LOCK_YES);
    int64_t released = platform_now();
    process_kill(served);
    process_join(next);
    note("%lld ms", (long long)got_after(&q, 1, released));
    CHECK_RANGE(290, got_after(&q, 1, released), 300 + 250 + held_up());
    take_after_the_dead(&q);
}

TEST(wait_claim_that_comes_after_the_next_one_takes_nothing)
{
    QUEUE(q);
    q.shared->section = 600;
    CHECK_INT(take(&q.holder, "a", 60000, 0), LOCK_YES);
    pid_t late = join_queue(&q, 0, 1);
    pid_t next = join_queue(&q, 1, 2);
    process_freeze(late);
    CHECK_INT(drop(&q.holder, "a"), LOCK_YES); /* the baton is in the socket of the frozen waiter */
    while (atomic_load(&q.shared->next) == 0) {
        sleep_ms(5);
    }
    kill(late, SIGCONT);
    process_join(next);
    process_join(late);
    CHECK_INT(q.shared->order[0], 1);
    CHECK_INT(q.shared->order[1], 0);
}

TEST(wait_waiter_killed_while_it_waits_delays_nobody)
{
    QUEUE(q);
    CHECK_INT(take(&q.holder, "a", 60000, 0), LOCK_YES);
    pid_t killed = join_queue(&q, 0, 1);
    pid_t next = join_queue(&q, 1, 2);
    process_kill(killed);
    sleep_ms(20);
    int64_t released = platform_now();
    CHECK_INT(drop(&q.holder, "a"), LOCK_YES);
    process_join(next);
    CHECK_RANGE(0, got_after(&q, 1, released), 10 + SLACK);
}

TEST(wait_forced_release_wakes_the_next)
{
    QUEUE(q);
    CLIENT(other, q.s.path);
    CHECK_INT(take(&q.holder, "a", 60000, 0), LOCK_YES);
    pid_t waiter = join_queue(&q, 0, 1);
    CHECK_INT(waiters(&other, "a"), 1);
    int64_t start = platform_now();
    CHECK_INT(lock_force_release(&other.lock, BYTES("a"), &other.error), LOCK_YES);
    process_join(waiter);
    CHECK_RANGE(0, got_after(&q, 0, start), 10 + SLACK);
    CHECK_INT(drop(&q.holder, "a"), LOCK_NOT_OWNED);
}

static client *in_front, *passer_by;

static void hand_over_while_somebody_passes(void)
{
    int64_t start = platform_now();

    CHECK_INT(drop(in_front, "a"), LOCK_YES);
    if (take(passer_by, "a", 60000, 0) == LOCK_YES) {
        CHECK(ms_since(start) > 250); /* possible only if the machine hung for that long */
        CHECK_INT(drop(passer_by, "a"), LOCK_YES);
    }
}

TEST(wait_lock_handed_over_before_it_blocks_is_for_nobody_else)
{
    SERVER(s, NULL);
    CLIENT(holder, s.path);
    CLIENT(other, s.path);
    CLIENT(w, s.path);
    in_front = &holder;
    passer_by = &other;
    CHECK_INT(take(&holder, "a", 60000, 0), LOCK_YES);
    lock_wait_before_blocking = hand_over_while_somebody_passes;
    CHECK_INT(take(&w, "a", 10000, 5000), LOCK_YES);
    lock_wait_before_blocking = NULL;
    CHECK_INT(drop(&w, "a"), LOCK_YES);
    CHECK_NO_KEY(&s);
}

TEST(wait_without_end)
{
    QUEUE(q);
    q.shared->timeout = PLATFORM_NEVER;
    CHECK_INT(take(&q.holder, "a", PLATFORM_NEVER, 0), LOCK_YES);
    pid_t waiter = join_queue(&q, 0, 1);
    sleep_ms(700);
    int64_t start = platform_now();
    CHECK_INT(drop(&q.holder, "a"), LOCK_YES);
    process_join(waiter);
    CHECK_RANGE(0, got_after(&q, 0, start), 10 + SLACK);
    CHECK_NO_KEY(&q.s);
}

TEST(wait_foreign_holder_that_gives_no_signal)
{
    int64_t worst = 0;

    QUEUE(q);
    for (int i = 0; i < 5; i++) {
        say(&q.s, "SET lock:a foreign NX PX 60000");
        pid_t waiter = join_queue(&q, 0, 1);
        sleep_ms(150 + 23 * i);
        int64_t start = platform_now();
        say(&q.s, "DEL lock:a");
        process_join(waiter);
        worst = got_after(&q, 0, start) > worst ? got_after(&q, 0, start) : worst;
    }
    note("%lld ms at worst, looking each 100 ms", (long long)worst);
    CHECK_RANGE(0, worst, 100 + 20 + SLACK);
}

/* ---- giving up ---- */

typedef struct giver_up {
    pthread_t thread;
    const char *path;
    int64_t timeout;
    int64_t took; /* µs of the longest try */
    int rounds;
} giver_up;

static void *give_up(void *arg)
{
    giver_up *g = arg;
    client c;

    client_open(&c, g->path);
    for (int i = 0; i < g->rounds; i++) {
        int64_t start = platform_now();
        lock_outcome outcome = take(&c, "a", 10000, g->timeout);
        /* It is no fault if a busy machine does not answer within so few ms. */
        bool busy = outcome == LOCK_FAILED && c.error.kind == RL_TIMED_OUT && g->timeout < 100;
        if (outcome != LOCK_BUSY && !busy) {
            test_fail(__FILE__, __LINE__, "after %lld ms of %lld: outcome %d, error %d: %s", (long long)ms_since(start),
                      (long long)g->timeout, outcome, c.error.kind, c.error.text);
        }
        int64_t took = platform_now() - start;
        g->took = took > g->took ? took : g->took;
        CHECK_RANGE(MS(g->timeout - EARLY), took, MS(g->timeout + 50 + SLACK));
    }
    client_close(&c);
    return NULL;
}

TEST(wait_gives_up_at_its_deadline_and_leaves_nothing)
{
    int64_t worst = 0;

    SERVER(s, NULL);
    CLIENT(c, s.path);
    CHECK_INT(take(&c, "a", 60000, 0), LOCK_YES);
    for (int64_t timeout = 1; timeout < 600; timeout = timeout * 3 + 1) { /* one client, on an idle server */
        giver_up one = {.path = s.path, .timeout = timeout, .rounds = 2};
        give_up(&one);
        worst = one.took - MS(timeout) > worst ? one.took - MS(timeout) : worst;
        until_only_key(&s, "lock:a"); /* a try that was given up may still be under way */
    }
    note("%.1f ms late at worst", (double)worst / 1000);
    CHECK_RANGE(0, worst, MS(50 + held_up()));
    CHECK_INT(drop(&c, "a"), LOCK_YES);
    CHECK_NO_KEY(&s);
}

static pid_t frozen_server;

static void thaw_soon(void *arg)
{
    sleep_ms(20);
    kill(*(pid_t *)arg, SIGCONT);
}

static void freeze_for_20_ms(void)
{
    process_freeze(frozen_server);
    process_start(thaw_soon, &frozen_server);
}

static void on_tick(int number)
{
    (void)number;
}

TEST(wait_deadline_holds_under_a_timer_that_strikes_a_thousand_times_a_second)
{
    struct sigaction action = {.sa_handler = on_tick}; /* without SA_RESTART */
    struct itimerval tick = {{0, 1000}, {0, 1000}}, none = {0};
    int64_t worst = 0;

    SERVER(s, NULL);
    CLIENT(c, s.path);
    CLIENT(w, s.path);
    CHECK_INT(take(&c, "a", 60000, 0), LOCK_YES);
    CHECK(sigaction(SIGALRM, &action, NULL) == 0);
    for (int i = 0; i < 4; i++) {
        CHECK(setitimer(ITIMER_REAL, &tick, NULL) == 0);
        int64_t start = platform_now();
        CHECK_INT(take(&w, "a", 10000, 500), LOCK_BUSY);
        int64_t took = platform_now() - start;
        CHECK(setitimer(ITIMER_REAL, &none, NULL) == 0);
        CHECK_RANGE(MS(500 - EARLY), took, MS(550 + SLACK));
        worst = platform_later(worst, took - MS(500));
    }
    note("%.1f ms late at worst", (double)worst / 1000);
    CHECK_INT(drop(&c, "a"), LOCK_YES);
    CHECK_NO_KEY(&s);
}

/* A server that was busy when the BLPOP arrived begins to block late, and so would end the BLPOP too late for the last
 * try. */
TEST(wait_gives_up_in_time_although_it_was_blocked_late)
{
    int64_t worst = 0;

    SERVER(s, NULL);
    CLIENT(c, s.path);
    CLIENT(w, s.path);
    CHECK_INT(take(&c, "a", 60000, 0), LOCK_YES);
    frozen_server = s.pid;
    lock_wait_before_blocking = freeze_for_20_ms;
    for (int i = 0; i < 10; i++) {
        int64_t start = platform_now();
        CHECK_INT(take(&w, "a", 10000, 150 + 17 * i), LOCK_BUSY);
        int64_t late = platform_now() - start - MS(150 + 17 * i);
        worst = late > worst ? late : worst;
        for (start = platform_now(); say_number(&s, "DBSIZE") > 1 && ms_since(start) < 500; sleep_ms(5)) {
        }
        CHECK_TEXT(say(&s, "KEYS *"), "lock:a");
    }
    lock_wait_before_blocking = NULL;
    note("%.1f ms late at worst", (double)worst / 1000);
    CHECK_RANGE(0, worst, MS(50 + SLACK));
}

typedef struct slow_claim {
    client *holder;
    relay *r;
    int64_t at;
} slow_claim;

static void drop_and_keep_the_claim_back(void *arg)
{
    slow_claim *slow = arg;

    rl_wait(NULL, 0, slow->at, NULL);
    atomic_store(&slow->r->control->hold, 1);
    CHECK_INT(drop(slow->holder, "a"), LOCK_YES);
}

/* The claim is not answered by the deadline. That is a no, as for a last try that is answered too late: the server has
 * answered a moment ago, so it is slow, not gone. */
TEST(wait_claim_that_is_slow_at_the_deadline_is_a_no)
{
    SERVER(s, NULL);
    RELAY(r, &s);
    CLIENT(holder, s.path);
    CLIENT(c, r.path);
    CHECK_INT(take(&holder, "a", 60000, 0), LOCK_YES);
    int64_t start = platform_now();
    slow_claim slow = {&holder, &r, start + MS(380)};
    pid_t dropping = process_start(drop_and_keep_the_claim_back, &slow);
    CHECK_INT(take(&c, "a", 60000, 400), LOCK_BUSY);
    CHECK_RANGE(MS(400 - EARLY), platform_now() - start, MS(450 + SLACK));
    process_join(dropping);
    atomic_store(&r.control->hold, 0);
    until_no_key(&s);
    CHECK_NO_KEY(&s);
}

TEST(wait_a_thousand_given_up_leave_no_key)
{
    enum { THREADS = 25 };
    giver_up g[THREADS];

    SERVER(s, NULL);
    CLIENT(c, s.path);
    CHECK_INT(take(&c, "a", 60000, 0), LOCK_YES);
    for (int i = 0; i < THREADS; i++) {
        g[i] = (giver_up){.path = s.path, .timeout = 10 + i, .rounds = 40};
        g[i].thread = thread_start(give_up, &g[i]);
    }
    for (int i = 0; i < THREADS; i++) {
        thread_join(g[i].thread);
    }
    CHECK_TEXT(say(&s, "KEYS *"), "lock:a");
    CHECK_INT(drop(&c, "a"), LOCK_YES);
    CHECK_NO_KEY(&s); /* free at once: no baton for waiters that have left */
}

static void *try_once(void *arg)
{
    client *c = arg;
    lock_outcome outcome = take(c, "a", 60000, 20);

    /* RL_TIMED_OUT is allowed: if the machine hangs for longer than a call may overrun, no answer comes in time. */
    if (outcome != LOCK_YES && outcome != LOCK_BUSY && c->error.kind != RL_TIMED_OUT) {
        test_fail(__FILE__, __LINE__, "outcome %d, error %d: %s", outcome, c->error.kind, c->error.text);
    }
    return (void *)(intptr_t)outcome;
}

/* The release comes as near to the waiter's deadline as it can: a little later than the last one if that was taken, a little
 * earlier if not. So it finds the deadline also if a thread is slow to start. */
TEST(wait_release_at_the_deadline_is_taken_or_leaves_it_free)
{
    enum { STEP_US = 200 };
    int counts[LOCK_INTERRUPTED + 1] = {0};
    int64_t after = MS(14); /* of the 20 ms for which try_once() waits */

    SERVER(s, NULL);
    CLIENT(holder, s.path);
    CLIENT(waiter, s.path);
    for (int i = 0; i < 200; i++) {
        void *outcome;
        CHECK_INT(take(&holder, "a", 60000, 0), LOCK_YES);
        int64_t start = platform_now();
        pthread_t thread = thread_start(try_once, &waiter);
        while (platform_now() < start + after) {
            usleep(100);
        }
        CHECK_INT(drop(&holder, "a"), LOCK_YES);
        CHECK_INT(pthread_join(thread, &outcome), 0);
        counts[(intptr_t)outcome]++;
        after += (intptr_t)outcome == LOCK_YES ? STEP_US : -STEP_US;
        if ((intptr_t)outcome == LOCK_YES) {
            CHECK_TEXT(say(&s, "GET lock:a"), token_of(&waiter));
            CHECK_INT(drop(&waiter, "a"), LOCK_YES);
        }
        if ((intptr_t)outcome == LOCK_FAILED) {
            until_no_key(&s); /* until the try that was given up is undone */
        }
        CHECK_NO_KEY(&s);
    }
    note("taken %d, not %d, no answer %d", counts[LOCK_YES], counts[LOCK_BUSY], counts[LOCK_FAILED]);
    CHECK(counts[LOCK_YES] >= 20 && counts[LOCK_BUSY] >= 20 && counts[LOCK_FAILED] <= 10);
}

/* ---- interrupted ---- */

typedef struct interruption {
    client c;
    atomic_bool wanted;
    atomic_llong ended;
    lock_outcome outcome;
    client *release_when_asked; /* the holder, which the hook releases; NULL: none */
} interruption;

static bool is_wanted(void *arg)
{
    interruption *i = arg;

    if (!atomic_load(&i->wanted)) {
        return false;
    }
    if (i->release_when_asked != NULL) {
        client *holder = i->release_when_asked;
        i->release_when_asked = NULL;
        CHECK_INT(drop(holder, "a"), LOCK_YES);
        sleep_ms(5); /* the baton is in the waiter's socket then */
    }
    return true;
}

static void nothing(int signal)
{
    (void)signal;
}

static void *wait_interruptibly(void *arg)
{
    interruption *i = arg;

    i->outcome = take(&i->c, "a", 60000, 20000);
    atomic_store(&i->ended, platform_now());
    return NULL;
}

static pthread_t start_interruptible(interruption *i, const server *s)
{
    memset(i, 0, sizeof(*i));
    client_open(&i->c, s->path);
    i->c.lock.target.pool = &i->c.pool;
    i->c.lock.target.hook = (rl_hook){.interrupted = is_wanted, .arg = i};
    struct sigaction action = {.sa_handler = nothing};
    sigaction(SIGUSR1, &action, NULL);
    return thread_start(wait_interruptibly, i);
}

TEST(wait_interrupted_ends_at_once_and_leaves_nothing)
{
    interruption i;

    QUEUE(q);
    CHECK_INT(take(&q.holder, "a", 60000, 0), LOCK_YES);
    pthread_t thread = start_interruptible(&i, &q.s);
    until_waiting(&q.s, "a", 1);
    for (int n = 0; n < 200; n++) { /* signals without a reason do not end the wait */
        pthread_kill(thread, SIGUSR1);
        usleep(500);
    }
    CHECK_INT(atomic_load(&i.ended), 0);
    int64_t start = platform_now();
    atomic_store(&i.wanted, true);
    pthread_kill(thread, SIGUSR1);
    thread_join(thread);
    CHECK_INT(i.outcome, LOCK_INTERRUPTED);
    note("%.1f ms", (double)(i.ended - start) / 1000);
    CHECK_RANGE(0, i.ended - start, MS(20 + SLACK));
    CHECK_TEXT(say(&q.s, "KEYS *"), "lock:a");
    CHECK_INT(drop(&q.holder, "a"), LOCK_YES);
    CHECK_NO_KEY(&q.s);
    client_close(&i.c);
}

TEST(wait_interrupted_when_just_served_hands_the_baton_on)
{
    interruption i;

    QUEUE(q);
    CLIENT(holder, q.s.path);
    for (int behind = 1; behind >= 0; behind--) {
        CHECK_INT(take(&holder, "a", 60000, 0), LOCK_YES);
        pthread_t thread = start_interruptible(&i, &q.s);
        until_waiting(&q.s, "a", 1);
        pid_t next = behind ? join_queue(&q, 0, 2) : 0;
        i.release_when_asked = &holder;
        int64_t start = platform_now();
        atomic_store(&i.wanted, true);
        pthread_kill(thread, SIGUSR1);
        thread_join(thread);
        CHECK_INT(i.outcome, LOCK_INTERRUPTED);
        if (behind) {
            process_join(next);
            note("the next got it %lld ms later", (long long)got_after(&q, 0, start));
            CHECK_RANGE(0, got_after(&q, 0, start), 50 + SLACK);
        }
        CHECK_NO_KEY(&q.s);
        client_close(&i.c);
    }
}

static bool use_the_client(void *arg)
{
    static _Thread_local bool inside;
    client *c = arg;
    lock_lease lease;
    rl_error error;

    if (!inside) {
        inside = true;
        CHECK_INT(lock_acquire(&c->lock, BYTES("b"), NULL, MS(5000), 0, &lease, NULL, &error), LOCK_YES);
        CHECK_INT(lock_release(&c->lock, BYTES("b"), &lease, MS(1000), &error), LOCK_YES);
        lock_lease_free(&lease);
        inside = false;
    }
    return false;
}

TEST(wait_hook_may_use_the_same_client)
{
    SERVER(s, NULL);
    CLIENT(holder, s.path);
    CLIENT(c, s.path);
    c.lock.target.hook = (rl_hook){.interrupted = use_the_client, .arg = &c};
    CHECK_INT(take(&holder, "a", 400, 0), LOCK_YES);
    CHECK_INT(take(&c, "a", 5000, 5000), LOCK_YES);
    CHECK_INT(drop(&c, "a"), LOCK_YES);
    CHECK_NO_KEY(&s);
}

/* ---- late looks ---- */

/* A waiter whose look finds that the queue has dropped it. Its next look, which enters it anew, is held back until the
 * wait is over. */
typedef struct late_look {
    server s;
    relay r;
    long long calls;
    int step;
    pid_t letting_go;
} late_look;

static void let_look_go(void *arg)
{
    late_look *l = arg;

    while (server_calls(&l->s, "evalsha") == l->calls) {
        usleep(100);
    }
    atomic_store(&l->r.control->hold, 0);
}

static bool keep_look_back(void *arg)
{
    late_look *l = arg;

    if (l->step == 0 && say_number(&l->s, "DEL {lock:a}:rl:wait") == 1) {
        l->calls = server_calls(&l->s, "evalsha");
        l->step = 1;
    } else if (l->step == 1 && server_calls(&l->s, "evalsha") > l->calls) {
        l->calls = server_calls(&l->s, "evalsha");
        atomic_store(&l->r.control->hold, atomic_load(&l->r.control->connections));
        l->letting_go = process_start(let_look_go, l);
        l->step = 2;
    }
    return false;
}

TEST(wait_look_that_enters_anew_after_the_end_leaves_nothing)
{
    late_look l = {0};

    server_start(&l.s, NULL);
    relay_start(&l.r, &l.s);
    CLIENT(holder, l.s.path);
    CLIENT(warm, l.s.path);
    CHECK_INT(take(&holder, "a", 60000, 0), LOCK_YES);
    CHECK_INT(take(&warm, "a", 1000, 300), LOCK_BUSY); /* now the server knows the scripts */
    for (int n = 0; n < 10;) {
        CLIENT(c, l.r.path);
        c.lock.target.hook = (rl_hook){.interrupted = keep_look_back, .arg = &l};
        l.step = 0;
        int64_t before = held_up();
        CHECK_INT(take(&c, "a", 60000, 600), LOCK_BUSY);
        if (l.step < 2 && held_up() > before) {
            continue; /* it had no time for two looks */
        }
        CHECK_INT(l.step, 2);
        n++;
        process_join(l.letting_go);
        for (int64_t start = platform_now(); say_number(&l.s, "DBSIZE") > 1 && ms_since(start) < 1000 + held_up();
             sleep_ms(5)) {
        }
        CHECK_TEXT(say(&l.s, "KEYS *"), "lock:a");
    }
    relay_stop(&l.r);
    server_stop(&l.s);
}

/* ---- servers that go away ---- */

TEST(wait_goes_on_when_its_connections_are_cut)
{
    static const char *const cuts[] = {"CLIENT KILL TYPE normal SKIPME yes", "SCRIPT FLUSH"};

    QUEUE(q);
    for (size_t i = 0; i < 2; i++) {
        CHECK_INT(take(&q.holder, "a", 60000, 0), LOCK_YES);
        pid_t waiter = join_queue(&q, 0, 1);
        sleep_ms(250);
        say(&q.s, cuts[i]);
        sleep_ms(300);
        until_waiting(&q.s, "a", 1);
        int64_t start = platform_now();
        CHECK_INT(drop(&q.holder, "a"), LOCK_YES);
        process_join(waiter);
        CHECK_RANGE(0, got_after(&q, 0, start), 10 + SLACK);
        CHECK_NO_KEY(&q.s);
    }
}

TEST(wait_goes_on_after_an_unblock_and_a_demotion)
{
    QUEUE(q);
    CHECK_INT(take(&q.holder, "a", 60000, 0), LOCK_YES);
    pid_t waiter = join_queue(&q, 0, 1);
    say(&q.s, "REPLICAOF 127.0.0.1 1"); /* ends the BLPOP with UNBLOCKED, then answers READONLY */
    sleep_ms(200);
    say(&q.s, "REPLICAOF NO ONE");
    until_waiting(&q.s, "a", 1);
    int64_t start = platform_now();
    CHECK_INT(drop(&q.holder, "a"), LOCK_YES);
    process_join(waiter);
    CHECK_RANGE(0, got_after(&q, 0, start), 10 + SLACK);
    take_after_the_dead(&q); /* entries that the replica refused to remove live on for a while */
}

TEST(wait_goes_on_after_a_restart)
{
    QUEUE(q);
    CHECK_INT(take(&q.holder, "a", 60000, 0), LOCK_YES);
    pid_t waiter = join_queue(&q, 0, 1);
    server_kill(&q.s);
    sleep_ms(400);
    server_restart(&q.s);
    int64_t start = platform_now();
    process_join(waiter); /* the holder's lock went down with the server */
    note("%lld ms", (long long)got_after(&q, 0, start));
    CHECK_RANGE(-50, got_after(&q, 0, start), 500 + held_up());
    CHECK_NO_KEY(&q.s);
}

static void *take_one(void *arg)
{
    CLIENT(c, ((server *)arg)->path);
    c.lock.target.read_timeout = c.lock.target.connect_timeout =
        MS(5000); /* more than a busy machine needs to kill the server */
    CHECK_INT(take(&c, "a", 5000, 10000), LOCK_YES);
    return NULL;
}

static void *take_many(void *arg)
{
    CLIENT(c, ((server *)arg)->path);
    c.lock.target.read_timeout = c.lock.target.connect_timeout =
        MS(5000); /* more than a busy machine needs to kill the server */
    lock_all_item item = {.name = BYTES("a")};
    size_t about;
    CHECK_INT(lock_acquire_all(&c.lock, &item, 1, MS(5000), MS(10000), &about, &c.error), LOCK_YES);
    lock_lease_free(&item.lease);
    return NULL;
}

/* The first request is lost with its server, which comes back three seconds later. */
static void take_from_a_server_that_comes_back(void *(*take_it)(void *))
{
    SERVER(s, NULL);
    server_freeze(&s);
    pthread_t thread = thread_start(take_it, &s);
    sleep_ms(200);
    server_kill(&s);
    sleep_ms(3000);
    server_restart(&s);
    int64_t start = platform_now();
    thread_join(thread);
    note("%lld ms", (long long)ms_since(start));
    CHECK_RANGE(0, ms_since(start), 500 + held_up());
}

TEST(wait_for_a_server_that_comes_back)
{
    take_from_a_server_that_comes_back(take_one);
}

TEST(wait_for_many_from_a_server_that_comes_back)
{
    take_from_a_server_that_comes_back(take_many);
}

/* A server that is to be killed, in memory that processes share. */
typedef struct doomed {
    char path[104];
    atomic_llong given_up_at;
} doomed;

static void wait_for_a_dead_server(void *arg)
{
    doomed *server = arg;

    CLIENT(c, server->path);
    CHECK_INT(take(&c, "a", 10000, PLATFORM_NEVER), LOCK_FAILED);
    atomic_store(&server->given_up_at, platform_now()); /* its end may take longer, while it is searched for leaks */
    CHECK_INT(c.error.kind, RL_UNREACHABLE);
}

TEST(wait_gives_a_dead_server_ten_seconds)
{
    QUEUE(q);
    doomed *server = shared(sizeof(*server));
    snprintf(server->path, sizeof(server->path), "%s", q.s.path);
    CHECK_INT(take(&q.holder, "a", PLATFORM_NEVER, 0), LOCK_YES);
    pid_t waiter = process_start(wait_for_a_dead_server, server);
    until_waiting(&q.s, "a", 1);
    int64_t start = platform_now();
    server_kill(&q.s);
    process_join(waiter);
    int64_t took = (atomic_load(&server->given_up_at) - start) / PLATFORM_MSEC;
    note("%lld ms", (long long)took);
    CHECK_RANGE(9000, took, 10100 + held_up());
}

/* A server that is to fall silent, in memory that processes share. */
typedef struct frozen {
    pid_t pid;
    atomic_llong at; /* when that was */
} frozen;

static void freeze_soon(void *arg)
{
    frozen *server = arg;

    sleep_ms(50);
    kill(server->pid, SIGSTOP);
    atomic_store(&server->at, platform_now());
}

TEST(wait_on_a_silent_server_ends_in_time)
{
    QUEUE(q);
    CLIENT(c, q.s.path);
    frozen *server = shared(sizeof(*server));
    server->pid = q.s.pid;
    CHECK_INT(take(&q.holder, "a", 60000, 0), LOCK_YES);
    for (int timeout = 100; timeout <= 900; timeout += 400) {
        pid_t freezer = process_start(freeze_soon, server);
        int64_t start = platform_now();
        lock_outcome outcome = take(&c, "a", 10000, timeout);
        int64_t took = platform_now() - start;
        process_join(freezer);
        CHECK(outcome == LOCK_BUSY || outcome == LOCK_FAILED);
        note("%d ms: %.1f", timeout, (double)took / 1000);
        /* On a busy machine it may still have answered the last try, which is sent before the deadline. */
        bool was_silent = atomic_load(&server->at) < start + MS(timeout - EARLY - 10);
        CHECK_RANGE(was_silent ? MS(timeout) : MS(timeout - EARLY), took, MS(timeout + 50 + SLACK));
        kill(q.s.pid, SIGCONT);
        sleep_ms(30);
        CHECK_TEXT(say(&q.s, "GET lock:a"), token_of(&q.holder));
    }
    /* Redis has dropped the waiters' connections and with them their places in the queue. Their entries live on a
     * little. */
    CHECK_INT(drop(&q.holder, "a"), LOCK_YES);
    CHECK_INT(take(&q.holder, "a", 60000, 0), LOCK_YES);
    sleep_ms(2000);
    CHECK_INT(waiters(&q.holder, "a"), 0);
    CHECK_INT(drop(&q.holder, "a"), LOCK_YES);
    CHECK_NO_KEY(&q.s);
}

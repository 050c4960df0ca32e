/* SPDX-License-Identifier: MIT
 *
 * Waiting for a lock on several servers: waiters stand in line at the first node that answers, go past it when it is of
 * no use, and none waits for ever.
 */
#include "bed.h"

typedef struct crowd {
    ring r;
    client holder;
    struct {
        section inside;
        atomic_int served, ready;
        atomic_bool over;
        atomic_llong last_at; /* when the last waiter was served, a time of platform_now() */
        bool own_tokens;
        int64_t section; /* ms for which each holds the lock */
        int64_t timeout; /* ms for which each waits at most */
        int turns;
    } * shared;
} crowd;

static void crowd_open(crowd *w, const char *options)
{
    ring_open(&w->r, 5, options);
    ring_client(&w->holder, &w->r);
    w->shared = shared(sizeof(*w->shared));
    w->shared->section = 1;
    w->shared->timeout = 20000;
    w->shared->turns = 1;
}

static void crowd_close(crowd *w)
{
    ring_is_clean(&w->r);
    client_close(&w->holder);
    ring_close(&w->r);
}

static void take_turns(void *arg)
{
    crowd *w = arg;

    RING_CLIENT(c, &w->r);
    client_gives_up_after(&c, 1000);
    for (int i = 0; i < w->shared->turns; i++) {
        char token[LOCK_WAITER_LEN + 1] = {0};
        lock_random_waiter(token);
        lock_outcome outcome = w->shared->own_tokens ? take_as(&c, "a", token, 10000, w->shared->timeout)
                                                     : take(&c, "a", 10000, w->shared->timeout);
        if (outcome != LOCK_YES) {
            test_fail(__FILE__, __LINE__, "outcome %d: %s", outcome, c.error.text);
        }
        atomic_store(&w->shared->last_at, platform_now());
        int place = section_enter(&w->shared->inside, &c.lease);
        atomic_fetch_add(&w->shared->served, 1);
        sleep_ms(w->shared->section);
        section_leave(&w->shared->inside, place);
        CHECK_INT(drop(&c, "a"), LOCK_YES);
    }
}

/* Waits until at least `count` clients are blocked, at all nodes together. */
static void until_blocked(ring *r, int count)
{
    for (int64_t start = platform_now();;) {
        int sum = 0;
        for (int i = 0; i < r->count; i++) {
            const char *blocked =
                r->servers[i].raw != NULL ? strstr(say(&r->servers[i], "INFO clients"), "blocked_clients:") : NULL;
            sum += blocked != NULL ? atoi(blocked + 16) : 0;
        }
        if (sum >= count) {
            return;
        }
        CHECK_RANGE(0, ms_since(start), 20000 + held_up());
        sleep_ms(1);
    }
}

static void contend(bool own_tokens)
{
    enum { PROCESSES = 6, TURNS = 25 };
    crowd w;
    pid_t pids[PROCESSES];

    crowd_open(&w, NULL);
    w.shared->turns = TURNS;
    w.shared->own_tokens = own_tokens;
    int64_t start = platform_now();
    for (int i = 0; i < PROCESSES; i++) {
        pids[i] = process_start(take_turns, &w);
    }
    for (int i = 0; i < PROCESSES; i++) {
        process_join(pids[i]);
    }
    note("%.1f ms a turn", (double)ms_since(start) / (PROCESSES * TURNS));
    CHECK_INT(w.shared->served, PROCESSES * TURNS);
    crowd_close(&w);
}

TEST(redlock_contenders_never_overlap_and_are_all_served)
{
    contend(false);
}

TEST(redlock_contenders_with_tokens_of_their_own_are_all_served)
{
    contend(true);
}

TEST(redlock_waiter_is_woken_by_the_release)
{
    crowd w;

    crowd_open(&w, NULL);
    int64_t longest = 0;
    for (int i = 0; i < 5; i++) {
        CHECK_INT(take(&w.holder, "a", 10000, 0), LOCK_YES);
        pid_t pid = process_start(take_turns, &w);
        until_blocked(&w.r, 1);
        int64_t start = platform_now();
        CHECK_INT(drop(&w.holder, "a"), LOCK_YES);
        process_join(pid);
        longest = platform_later(longest, (w.shared->last_at - start) / PLATFORM_MSEC);
    }
    note("%lld ms at most", (long long)longest);
    CHECK_RANGE(0, longest, 150 + SLACK);
    crowd_close(&w);
}

/* ---- the queue node ---- */

/* Holds the lock, lets three clients wait at the queue node, does `what` there, and releases the lock 100 ms later. All
 * three must be served soon. Ends with `after` (NULL: nothing). */
static void without_queue_node(void (*what)(server *), void (*after)(server *))
{
    crowd w;
    pid_t pids[3];
    server *queue_node = &w.r.servers[0];

    crowd_open(&w, NULL);
    CHECK_INT(take(&w.holder, "a", 10000, 0), LOCK_YES);
    for (int i = 0; i < 3; i++) {
        pids[i] = process_start(take_turns, &w);
    }
    until_blocked(&w.r, 3);
    what(queue_node);
    sleep_ms(100);
    CHECK_INT(atomic_load(&w.shared->served), 0);
    int64_t start = platform_now();
    CHECK_INT(drop(&w.holder, "a"), LOCK_YES);
    for (int i = 0; i < 3; i++) {
        process_join(pids[i]);
    }
    note("the last of three after %lld ms", (long long)(w.shared->last_at - start) / PLATFORM_MSEC);
    CHECK_RANGE(0, (w.shared->last_at - start) / PLATFORM_MSEC, 5000 + held_up());
    if (after != NULL) {
        after(queue_node);
    }
    crowd_close(&w);
}

static void kill_and_restart(server *s)
{
    server_kill(s);
    server_restart(s);
}

TEST(redlock_queue_node_killed_while_they_wait)
{
    without_queue_node(server_kill, NULL);
}

TEST(redlock_queue_node_restarted_empty_while_they_wait)
{
    without_queue_node(kill_and_restart, NULL);
}

TEST(redlock_queue_node_silent_while_they_wait)
{
    without_queue_node(server_freeze, server_thaw);
}

static void put_stale(server *s)
{
    say(s, "SET lock:a rl:stale PX 60000");
}

static void remove_stale(server *s)
{
    CHECK_TEXT(say(s, "GET lock:a"), "rl:stale");
    say(s, "DEL lock:a");
}

/* The queue node has a stale lock of which the other nodes know nothing: waiters go past it. */
TEST(redlock_stale_lock_at_the_queue_node)
{
    without_queue_node(put_stale, remove_stale);
}

TEST(redlock_waiters_of_a_dead_holder_get_it_when_its_lease_ends)
{
    crowd w;
    pid_t pids[3];

    crowd_open(&w, NULL);
    CHECK_INT(take(&w.holder, "a", 400, 0), LOCK_YES); /* the holder never releases it */
    int64_t start = w.holder.lease.sent;
    for (int i = 0; i < 3; i++) {
        pids[i] = process_start(take_turns, &w);
    }
    for (int i = 0; i < 3; i++) {
        process_join(pids[i]);
    }
    CHECK_RANGE(380, (w.shared->last_at - start) / PLATFORM_MSEC, 3000 + held_up());
    crowd_close(&w);
}

/* ---- giving up ---- */

TEST(redlock_waiter_that_gives_up_leaves_nothing)
{
    crowd w;

    crowd_open(&w, NULL);
    RING_CLIENT(c, &w.r);
    CHECK_INT(take(&w.holder, "a", 30000, 0), LOCK_YES);
    for (int round = 0; round < 3; round++) {
        int64_t start = platform_now();
        CHECK_INT(take(&c, "a", 5000, 150), LOCK_BUSY);
        CHECK_RANGE(150 - EARLY, ms_since(start), 150 + 50 + SLACK);
        CHECK_INT(waiters(&c, "a"), 0);
    }
    CHECK_INT(drop(&w.holder, "a"), LOCK_YES);
    ring_is_clean(&w.r);

    for (int dead = 1; dead <= 2; dead++) { /* the queue node is among the dead */
        server_kill(&w.r.servers[dead - 1]);
        CHECK_INT(take(&w.holder, "a", 30000, 0), LOCK_YES);
        int64_t start = platform_now();
        lock_outcome outcome = take(&c, "a", 5000, 150);
        if (outcome != LOCK_BUSY) {
            test_fail(__FILE__, __LINE__, "%d: %s", outcome, c.error.text);
        }
        CHECK_RANGE(150 - EARLY, ms_since(start), 150 + 50 + SLACK);
        CHECK_INT(drop(&w.holder, "a"), LOCK_YES);
        ring_is_clean(&w.r);
    }
    crowd_close(&w);
}

typedef struct murder {
    client c;
    int64_t took;
    lock_outcome outcome;
} murder;

static void *wait_in_vain(void *arg)
{
    murder *m = arg;
    int64_t start = platform_now();

    m->outcome = take(&m->c, "a", 5000, 1500);
    m->took = ms_since(start);
    return NULL;
}

/* The majority dies before the first try, or during the wait. */
TEST(redlock_majority_that_dies_under_a_waiter)
{
    for (int during = 0; during <= 1; during++) {
        crowd w;
        murder m = {.took = 0};
        pthread_t thread;
        crowd_open(&w, NULL);
        ring_client(&m.c, &w.r);
        CHECK_INT(take(&w.holder, "a", 30000, 0), LOCK_YES);
        if (during) {
            thread = thread_start(wait_in_vain, &m);
            until_blocked(&w.r, 1);
        }
        for (int i = 2; i < 5; i++) {
            server_kill(&w.r.servers[i]);
        }
        if (!during) {
            thread = thread_start(wait_in_vain, &m);
        }
        thread_join(thread);
        CHECK_INT(m.outcome, LOCK_FAILED);
        CHECK_INT(m.c.error.kind, RL_UNREACHABLE);
        CHECK_RANGE(0, m.took, 1500 + 50 + SLACK);
        CHECK_INT(drop(&w.holder, "a"), LOCK_FAILED);
        client_close(&m.c);
        crowd_close(&w);
    }
}

/* Servers to which connections are neither made nor refused are waited for as long as read_timeout: also by a try that
 * bypasses the queue node, but not past the deadline of the wait. */
TEST(redlock_majority_that_vanishes_under_a_waiter)
{
    murder m = {.took = 0};

    RING(r, 3, NULL);
    RING_CLIENT(holder, &r);
    ring_client(&m.c, &r);
    m.c.lock.target.read_timeout = m.c.lock.target.connect_timeout = MS(4000);
    CHECK_INT(take(&holder, "a", 30000, 0), LOCK_YES);
    pthread_t thread = thread_start(wait_in_vain, &m);
    until_blocked(&r, 1);
    server_vanish(&r.servers[1]);
    server_vanish(&r.servers[2]);
    thread_join(thread);
    CHECK(m.outcome != LOCK_YES);
    CHECK_RANGE(1500 - EARLY, m.took, 1500 + 50 + SLACK);
    client_close(&m.c);
}

/* ---- interrupted ---- */

typedef struct interruption {
    client c;
    atomic_bool wanted;
    lock_outcome outcome;
    atomic_llong ended;
} interruption;

static bool is_wanted(void *arg)
{
    return atomic_load(&((interruption *)arg)->wanted);
}

static void *wait_interruptibly(void *arg)
{
    interruption *i = arg;

    i->outcome = take(&i->c, "a", 60000, 20000);
    atomic_store(&i->ended, platform_now());
    return NULL;
}

static void nothing(int signal)
{
    (void)signal;
}

/* Runs with no node dead, with the queue node dead, and with one more. */
TEST(redlock_wait_that_is_interrupted_ends_and_leaves_nothing)
{
    crowd w;

    crowd_open(&w, NULL);
    sigaction(SIGUSR1, &(struct sigaction){.sa_handler = nothing}, NULL);
    for (int dead = 0; dead <= 2; dead++) {
        interruption i = {.wanted = false};
        if (dead > 0) {
            server_kill(&w.r.servers[dead - 1]);
        }
        CHECK_INT(take(&w.holder, "a", 30000, 0), LOCK_YES);
        ring_client(&i.c, &w.r);
        i.c.lock.target.hook = (rl_hook){.interrupted = is_wanted, .arg = &i};
        pthread_t thread = thread_start(wait_interruptibly, &i);
        until_blocked(&w.r, 1);
        int64_t start = platform_now();
        atomic_store(&i.wanted, true);
        pthread_kill(thread, SIGUSR1);
        thread_join(thread);
        CHECK_INT(i.outcome, LOCK_INTERRUPTED);
        CHECK_RANGE(0, i.ended - start, MS(60 + SLACK));
        CHECK_INT(drop(&w.holder, "a"), LOCK_YES);
        ring_is_clean(&w.r);
        client_close(&i.c);
    }
    crowd_close(&w);
}

/* The try is interrupted while its outcome is open. Rounds: three nodes silent; also one that answers with an error;
 * two silent and one dead. */
TEST(redlock_try_that_is_interrupted_is_undone)
{
    crowd w;
    interruption i = {.wanted = false};

    crowd_open(&w, NULL);
    ring_client(&i.c, &w.r);
    i.c.lock.target.node_timeout = MS(5000);
    i.c.lock.target.hook = (rl_hook){.interrupted = is_wanted, .arg = &i};
    sigaction(SIGUSR1, &(struct sigaction){.sa_handler = nothing}, NULL);
    for (int round = 0; round < 3; round++) {
        atomic_store(&i.wanted, false);
        server_freeze(&w.r.servers[1]);
        server_freeze(&w.r.servers[2]);
        if (round < 2) {
            server_freeze(&w.r.servers[3]);
        }
        if (round == 1) {
            say(&w.r.servers[0], "CONFIG SET maxmemory 1");
        } else if (round == 2) {
            server_kill(&w.r.servers[0]);
        }
        pthread_t thread = thread_start(wait_interruptibly, &i);
        sleep_ms(50);
        atomic_store(&i.wanted, true);
        pthread_kill(thread, SIGUSR1);
        thread_join(thread);
        CHECK_INT(i.outcome, LOCK_INTERRUPTED);
        for (int n = 1; n < 4; n++) {
            server_thaw(&w.r.servers[n]);
        }
        if (round == 1) {
            say(&w.r.servers[0], "CONFIG SET maxmemory 0");
        }
        ring_is_clean(&w.r);
    }
    client_close(&i.c);
    crowd_close(&w);
}

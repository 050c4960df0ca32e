/* SPDX-License-Identifier: MIT
 *
 * Waking up: a release reaches its waiter at once, and no release is missed.
 */
#include "bed.h"

#include <unistd.h>

#include "lock/wait.h"

typedef struct handshake {
    const char *path;
    atomic_int round;      /* the last round in which the waiter has found the lock held */
    atomic_int released;   /* the last round in which the holder has released the lock */
    atomic_llong at;       /* when the holder released it last */
    atomic_int done;       /* the last round in which the waiter had the lock; 0: the holder has taken it again */
    int late;              /* whether the waiter blocks only after the release */
    int64_t latency[1000]; /* µs until the waiter had the lock, from the release or from `went_on` if that is later */
} handshake;

static handshake *meeting;
static _Thread_local bool is_waiter;
static _Thread_local int64_t went_on;

static void spin_until(atomic_int *what, int value)
{
    while (atomic_load(what) < value) {
        usleep(20);
    }
}

static void between_held_and_blocked(void)
{
    if (is_waiter) {
        int round = atomic_fetch_add(&meeting->round, 1) + 1;
        if (meeting->late) {
            spin_until(&meeting->released, round);
        } else {
            usleep((useconds_t)(round * 37 % 1500)); /* to block before, during or after the release */
        }
        went_on = platform_now();
    }
}

static void *wait_a_thousand_times(void *arg)
{
    handshake *m = arg;
    client c;

    is_waiter = true;
    client_open(&c, m->path);
    for (int i = 0; i < 1000; i++) {
        CHECK_INT(take(&c, "a", 60000, 10000), LOCK_YES);
        int64_t now = platform_now(), released = atomic_load(&m->at);
        m->latency[i] = now - (released > went_on ? released : went_on);
        CHECK_INT(drop(&c, "a"), LOCK_YES);
        atomic_store(&m->done, i + 1);
        if (i < 999) {
            spin_until(&m->released, i + 1);
            while (atomic_load(&m->done) == i + 1) { /* until the holder has taken it again and sets 0 */
                usleep(20);
            }
        }
    }
    client_close(&c);
    return NULL;
}

static int compare_times(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

static void release_a_thousand_times(bool late)
{
    static handshake m;

    SERVER(s, NULL);
    CLIENT(c, s.path);
    m = (handshake){.path = s.path, .late = late};
    meeting = &m;
    lock_wait_before_blocking = between_held_and_blocked;
    CHECK_INT(take(&c, "a", 60000, 0), LOCK_YES);
    pthread_t waiter = thread_start(wait_a_thousand_times, &m);
    for (int i = 1; i <= 1000; i++) {
        spin_until(&m.round, i);
        usleep(late ? 0 : (useconds_t)(i * 61 % 1500));
        atomic_store(&m.at, platform_now());
        CHECK_INT(drop(&c, "a"), LOCK_YES);
        atomic_store(&m.released, i);
        spin_until(&m.done, i);
        if (i < 1000) {
            CHECK_INT(take(&c, "a", 60000, 0), LOCK_YES);
            atomic_store(&m.done, 0);
        }
    }
    thread_join(waiter);
    lock_wait_before_blocking = NULL;
    qsort(m.latency, 1000, sizeof(*m.latency), compare_times);
    note("p50 %.2f, p99 %.2f, max %.2f ms", (double)m.latency[500] / 1000, (double)m.latency[990] / 1000,
         (double)m.latency[999] / 1000);
    CHECK_RANGE(0, m.latency[990], MS(10 + SLACK));
    CHECK_RANGE(0, m.latency[999], MS(50 + SLACK));
    CHECK_NO_KEY(&s);
}

TEST(wait_release_before_blocking_wakes_a_thousand_of_a_thousand)
{
    release_a_thousand_times(true);
}

TEST(wait_release_around_blocking_wakes_a_thousand_of_a_thousand)
{
    release_a_thousand_times(false);
}

static void take_and_keep(void *arg)
{
    client c;

    client_open(&c, ((server *)arg)->path);
    CHECK_INT(take(&c, "a", 60000, 5000), LOCK_YES);
}

TEST(wait_wake_up_costs_two_round_trips)
{
    SERVER(s, NULL);
    CLIENT(c, s.path);
    CHECK_INT(take(&c, "warm", 60000, 5000), LOCK_YES);
    CHECK_INT(drop(&c, "warm"), LOCK_YES);
    CHECK_INT(take(&c, "a", 60000, 0), LOCK_YES);
    say(&s, "CONFIG RESETSTAT");
    pid_t waiter = process_start(take_and_keep, &s);
    until_waiting(&s, "a", 1);
    CHECK_INT(drop(&c, "a"), LOCK_YES);
    process_join(waiter);
    CHECK_INT(server_calls(&s, "blpop"), 1);
    CHECK_INT(server_calls(&s, "evalsha"), 3); /* the try, the release and the claim; a look would come after 200 ms */
}

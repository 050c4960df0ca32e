/* SPDX-License-Identifier: MIT
 *
 * Crowds: many waiters send few requests, are served in order, and no more than allowed enter the queue.
 */
#include "bed.h"

#include <sys/wait.h>
#include <unistd.h>

#include "lock/wait.h"

typedef struct crowd {
    char path[104];
    int threads;
} crowd;

static void *wait_long(void *arg)
{
    client c;

    client_open(&c, ((crowd *)arg)->path);
    c.lock.target.connect_timeout = c.lock.target.read_timeout = MS(30000); /* so many clients slow each other down */
    take(&c, "a", 10000, 60000);
    return NULL;
}

static void be_crowd(void *arg)
{
    crowd *c = arg;

    for (int i = 0; i < c->threads; i++) {
        thread_start(wait_long, c);
        usleep(1000);
    }
    for (;;) {
        pause();
    }
}

/* Returns how many requests a second so many waiters send together while the lock stays held. Measured for `span` ms,
 * after `settle` ms. */
static double requests_of(int processes, int threads, int64_t settle, int64_t span)
{
    server s;
    client holder;
    pid_t pids[16];
    crowd c = {.threads = threads};

    server_start(&s, NULL);
    client_open(&holder, s.path);
    CHECK_INT(take(&holder, "a", 120000, 0), LOCK_YES);
    memcpy(c.path, s.path, sizeof(c.path));
    for (int i = 0; i < processes; i++) {
        pids[i] = process_start(be_crowd, &c);
    }
    until_waiting(&s, "a", processes * threads);
    sleep_ms(settle);
    say(&s, "CONFIG RESETSTAT");
    int64_t start = platform_now();
    sleep_ms(span);
    long long calls = server_calls(&s, "evalsha") + server_calls(&s, "eval") + server_calls(&s, "blpop");
    double rate = (double)calls * 1000 / (double)ms_since(start); /* the time until all of them were counted */
    CHECK_INT(waiters(&holder, "a"), processes * threads);
    for (int i = 0; i < processes; i++) {
        process_kill(pids[i]);
    }
    client_close(&holder);
    server_stop(&s);
    return rate;
}

TEST(wait_eight_look_no_more_than_eight_times_a_second)
{
    double rate = requests_of(2, 4, 1000, 3000);

    note("%.1f requests a second", rate);
    CHECK_RANGE(2, (int64_t)rate, 8);
}

TEST(wait_five_hundred_look_no_more_than_110_times_a_second)
{
    double rate = requests_of(10, 50, 5500, 5000);

    note("%.1f requests a second", rate);
    CHECK_RANGE(5, (int64_t)rate, 110);
}

typedef struct pusher {
    client c;
    pthread_t thread;
    lock_outcome outcome;
    int64_t took;
    lock_refusal refusal;
} pusher;

static void *push_in(void *arg)
{
    pusher *p = arg;
    int64_t start = platform_now();

    p->outcome = lock_acquire(&p->c.lock, BYTES("a"), NULL, MS(10000), MS(2000), &p->c.lease, &p->refusal, &p->c.error);
    p->took = platform_now() - start;
    return NULL;
}

TEST(wait_no_more_than_max_waiters)
{
    enum { THREADS = 40, LIMIT = 5 };
    pusher *p = platform_zalloc(THREADS * sizeof(*p));
    int at_once = 0;

    SERVER(s, NULL);
    CLIENT(holder, s.path);
    CHECK_INT(take(&holder, "a", 60000, 0), LOCK_YES);
    for (int i = 0; i < THREADS; i++) {
        client_open(&p[i].c, s.path);
        p[i].c.lock.max_waiters = LIMIT;
        /* Longer than the wait: a waiter that got no answer for its read_timeout takes a late last answer for an
         * outage. */
        p[i].c.lock.target.read_timeout = MS(5000);
    }
    for (int i = 0; i < THREADS; i++) {
        p[i].thread = thread_start(push_in, &p[i]);
    }
    for (int64_t start = platform_now(); ms_since(start) < 500;) {
        CHECK_RANGE(0, say_number(&s, "ZCARD {lock:a}:rl:wait"), LIMIT);
    }
    CHECK_INT(waiters(&holder, "a"), LIMIT);
    for (int i = 0; i < THREADS; i++) {
        thread_join(p[i].thread);
        CHECK_INT(p[i].outcome, LOCK_BUSY);
        /* The refusal mostly comes within ms. Waiters leave up to half of their timeout earlier if answers are slow. */
        CHECK(p[i].refusal.full ? p[i].took < MS(1000 + held_up())
                                : p[i].took >= MS(platform_later(1000, 2000 - EARLY)));
        at_once += p[i].refusal.full;
        CHECK_RANGE(p[i].refusal.full ? LIMIT : 0, p[i].refusal.waiting, p[i].refusal.full ? LIMIT : LIMIT - 1);
        client_close(&p[i].c);
    }
    CHECK_INT(at_once, THREADS - LIMIT);
    until_only_key(&s, "lock:a");
    free(p);
}

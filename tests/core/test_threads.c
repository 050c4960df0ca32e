/* SPDX-License-Identifier: MIT
 *
 * What a background thread needs of the operating system.
 */
#include <unistd.h>

#include "bed.h"
#include "threads.h"

/* Sleeps until `until`, with no other descriptors, and returns for how many ms. */
static int64_t sleep_until(const threads_alarm *alarm, int64_t until)
{
    struct pollfd interests[THREADS_ALARM_FDS];
    int64_t start = platform_now();

    threads_sleep(alarm, interests, 0, until);
    return ms_since(start);
}

static void *ring_soon(void *arg)
{
    sleep_ms(50);
    threads_ring(arg);
    return NULL;
}

TEST(threads_sleep_ends_in_time_and_not_before)
{
    threads_alarm alarm;
    CHECK_INT(threads_alarm_open(&alarm), 0);
    for (int i = 0; i < 20; i++) {
        int64_t until = platform_now() + MS(10) + i * 77;
        sleep_until(&alarm, until);
        CHECK_RANGE(0, platform_now() - until, MS(SLACK));
    }
    CHECK_RANGE(0, sleep_until(&alarm, platform_now() - MS(10)), SLACK);
    CHECK_RANGE(0, sleep_until(&alarm, 0), SLACK);
    threads_alarm_close(&alarm);
}

TEST(threads_sleep_ends_in_time_without_a_timer)
{
    threads_alarm alarm;
    CHECK_INT(threads_alarm_open(&alarm), 0);
    close(alarm.timer);
    alarm.timer = -1;
    CHECK_RANGE(50, sleep_until(&alarm, platform_now() + MS(50)), 50 + SLACK);
    threads_ring(&alarm);
    CHECK_RANGE(0, sleep_until(&alarm, PLATFORM_NEVER), SLACK);
    threads_alarm_close(&alarm);
}

TEST(threads_sleep_ends_when_somebody_rings)
{
    threads_alarm alarm;
    CHECK_INT(threads_alarm_open(&alarm), 0);
    sleep_until(&alarm, platform_now()); /* this timer has rung, and is set anew */
    int64_t start = platform_now();
    pthread_t ringer = thread_start(ring_soon, &alarm);
    sleep_until(&alarm, PLATFORM_NEVER);
    CHECK_RANGE(50, ms_since(start), 50 + SLACK);
    thread_join(ringer);
    threads_alarm_close(&alarm);
}

TEST(threads_ring_is_not_missed_before_the_sleep_and_ends_only_one)
{
    threads_alarm alarm;
    CHECK_INT(threads_alarm_open(&alarm), 0);
    for (int i = 0; i < 1000; i++) {
        threads_ring(&alarm);
    }
    CHECK_RANGE(0, sleep_until(&alarm, platform_now() + MS(5000)), SLACK);
    CHECK_RANGE(50, sleep_until(&alarm, platform_now() + MS(50)), 50 + SLACK);
    for (int i = 0; i < 100000; i++) {
        threads_ring(&alarm); /* also of a bell that takes no more */
    }
    CHECK_RANGE(0, sleep_until(&alarm, PLATFORM_NEVER), SLACK);
    CHECK_RANGE(50, sleep_until(&alarm, platform_now() + MS(50)), 50 + SLACK);
    threads_alarm_close(&alarm);
}

TEST(threads_sleep_tells_what_happened_on_other_descriptors)
{
    struct pollfd interests[2 + THREADS_ALARM_FDS];
    threads_alarm alarm;
    int ends[2];
    CHECK_INT(threads_alarm_open(&alarm), 0);
    CHECK_INT(pipe(ends), 0);
    interests[0] = (struct pollfd){.fd = -1, .revents = POLLERR};
    interests[1] = (struct pollfd){.fd = ends[0], .events = POLLIN, .revents = POLLERR};
    threads_sleep(&alarm, interests, 2, platform_now() + MS(10));
    CHECK_INT(interests[0].revents, 0);
    CHECK_INT(interests[1].revents, 0);
    CHECK_INT(write(ends[1], "x", 1), 1);
    threads_sleep(&alarm, interests, 2, PLATFORM_NEVER);
    CHECK_INT(interests[0].revents, 0);
    CHECK_INT(interests[1].revents, POLLIN);
    close(ends[0]);
    close(ends[1]);
    threads_alarm_close(&alarm);
}

static void close_in_child(void *alarm)
{
    threads_alarm_close(alarm);
}

TEST(threads_alarm_is_whole_when_a_child_has_closed_its_copy)
{
    threads_alarm alarm;
    CHECK_INT(threads_alarm_open(&alarm), 0);
    process_join(process_start(close_in_child, &alarm));
    CHECK_RANGE(30, sleep_until(&alarm, platform_now() + MS(30)), 30 + SLACK);
    threads_ring(&alarm);
    CHECK_RANGE(0, sleep_until(&alarm, PLATFORM_NEVER), SLACK);
    threads_alarm_close(&alarm);
}

TEST(threads_wait_ends_in_time_and_not_before)
{
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t condition;
    threads_condition_init(&condition);
    pthread_mutex_lock(&mutex);
    for (int i = 0; i < 10; i++) {
        int64_t until = platform_now() + MS(10);
        while (threads_wait(&condition, &mutex, until)) {
        }
        CHECK_RANGE(0, platform_now() - until, MS(SLACK));
    }
    CHECK(!threads_wait(&condition, &mutex, platform_now() - PLATFORM_SEC));
    CHECK(!threads_wait(&condition, &mutex, 0));
    pthread_mutex_unlock(&mutex);
    pthread_cond_destroy(&condition);
}

static void *blocks_signals(void *arg)
{
    sigset_t mask;

    pthread_sigmask(SIG_BLOCK, NULL, &mask);
    *(bool *)arg = sigismember(&mask, SIGTERM) == 1 && sigismember(&mask, SIGALRM) == 1;
    return NULL;
}

TEST(threads_start_leaves_the_mask_of_its_caller)
{
    pthread_t thread;
    sigset_t mask;
    bool blocked = false;
    CHECK_INT(threads_start(&thread, blocks_signals, &blocked), 0);
    thread_join(thread);
    CHECK(blocked);
    pthread_sigmask(SIG_BLOCK, NULL, &mask);
    CHECK_INT(sigismember(&mask, SIGTERM), 0);
}

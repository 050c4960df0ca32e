/* SPDX-License-Identifier: MIT
 *
 * What a background thread needs of the operating system.
 */
#include <unistd.h>

#include "bed.h"
#include "platform/threads.h"

/* Sleeps until `until`, with no other descriptors, and returns for how many ms. */
static int64_t sleep_until(const threads_waker *waker, int64_t until)
{
    struct pollfd interests[THREADS_WAKER_FDS];
    int64_t start = platform_now();

    threads_sleep(waker, interests, 0, until);
    return ms_since(start);
}

static void *wake_soon(void *arg)
{
    sleep_ms(50);
    threads_wake(arg);
    return NULL;
}

TEST(threads_sleep_ends_in_time_and_not_before)
{
    threads_waker waker;
    CHECK_INT(threads_waker_open(&waker), 0);
    for (int i = 0; i < 20; i++) {
        int64_t until = platform_now() + MS(10) + i * 77;
        sleep_until(&waker, until);
        CHECK_RANGE(0, platform_now() - until, MS(SLACK));
    }
    CHECK_RANGE(0, sleep_until(&waker, platform_now() - MS(10)), SLACK);
    CHECK_RANGE(0, sleep_until(&waker, 0), SLACK);
    threads_waker_close(&waker);
}

TEST(threads_sleep_ends_in_time_without_a_timer)
{
    threads_waker waker;
    CHECK_INT(threads_waker_open(&waker), 0);
    close(waker.timer);
    waker.timer = -1;
    CHECK_RANGE(50, sleep_until(&waker, platform_now() + MS(50)), 50 + SLACK);
    threads_wake(&waker);
    CHECK_RANGE(0, sleep_until(&waker, PLATFORM_NEVER), SLACK);
    threads_waker_close(&waker);
}

TEST(threads_sleep_ends_when_somebody_wakes_the_thread)
{
    threads_waker waker;
    CHECK_INT(threads_waker_open(&waker), 0);
    sleep_until(&waker, platform_now()); /* this timer is over, and is set anew */
    int64_t start = platform_now();
    pthread_t other = thread_start(wake_soon, &waker);
    sleep_until(&waker, PLATFORM_NEVER);
    CHECK_RANGE(50, ms_since(start), 50 + SLACK);
    thread_join(other);
    threads_waker_close(&waker);
}

TEST(threads_wake_is_not_missed_before_the_sleep_and_ends_only_one)
{
    threads_waker waker;
    CHECK_INT(threads_waker_open(&waker), 0);
    for (int i = 0; i < 1000; i++) {
        threads_wake(&waker);
    }
    CHECK_RANGE(0, sleep_until(&waker, platform_now() + MS(5000)), SLACK);
    CHECK_RANGE(50, sleep_until(&waker, platform_now() + MS(50)), 50 + SLACK);
    for (int i = 0; i < 100000; i++) {
        threads_wake(&waker); /* also if the pipe takes no more */
    }
    CHECK_RANGE(0, sleep_until(&waker, PLATFORM_NEVER), SLACK);
    CHECK_RANGE(50, sleep_until(&waker, platform_now() + MS(50)), 50 + SLACK);
    threads_waker_close(&waker);
}

TEST(threads_sleep_tells_what_happened_on_other_descriptors)
{
    struct pollfd interests[2 + THREADS_WAKER_FDS];
    threads_waker waker;
    int ends[2];
    CHECK_INT(threads_waker_open(&waker), 0);
    CHECK_INT(pipe(ends), 0);
    interests[0] = (struct pollfd){.fd = -1, .revents = POLLERR};
    interests[1] = (struct pollfd){.fd = ends[0], .events = POLLIN, .revents = POLLERR};
    threads_sleep(&waker, interests, 2, platform_now() + MS(10));
    CHECK_INT(interests[0].revents, 0);
    CHECK_INT(interests[1].revents, 0);
    CHECK_INT(write(ends[1], "x", 1), 1);
    threads_sleep(&waker, interests, 2, PLATFORM_NEVER);
    CHECK_INT(interests[0].revents, 0);
    CHECK_INT(interests[1].revents, POLLIN);
    close(ends[0]);
    close(ends[1]);
    threads_waker_close(&waker);
}

static void close_in_child(void *waker)
{
    threads_waker_close(waker);
}

TEST(threads_waker_is_whole_when_a_child_has_closed_its_copy)
{
    threads_waker waker;
    CHECK_INT(threads_waker_open(&waker), 0);
    process_join(process_start(close_in_child, &waker));
    CHECK_RANGE(30, sleep_until(&waker, platform_now() + MS(30)), 30 + SLACK);
    threads_wake(&waker);
    CHECK_RANGE(0, sleep_until(&waker, PLATFORM_NEVER), SLACK);
    threads_waker_close(&waker);
}

TEST(threads_wait_ends_in_time_and_not_before)
{
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t condition;
    threads_condition_init(&condition);
    threads_lock(&mutex);
    for (int i = 0; i < 10; i++) {
        int64_t until = platform_now() + MS(10);
        while (threads_wait(&condition, &mutex, until)) {
        }
        CHECK_RANGE(0, platform_now() - until, MS(SLACK));
    }
    CHECK(!threads_wait(&condition, &mutex, platform_now() - PLATFORM_SEC));
    CHECK(!threads_wait(&condition, &mutex, 0));
    CHECK(threads_holds(&mutex));
    threads_unlock(&mutex);
    pthread_cond_destroy(&condition);
}

static pthread_mutex_t held_by_main = PTHREAD_MUTEX_INITIALIZER;

static void *asks_whether_it_holds(void *arg)
{
    *(bool *)arg = threads_holds(&held_by_main);
    return NULL;
}

TEST(threads_know_which_mutexes_they_hold)
{
    pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;
    bool does_other_thread = true;

    CHECK(!threads_holds(&held_by_main));
    threads_lock(&held_by_main);
    threads_lock(&other);
    thread_join(thread_start(asks_whether_it_holds, &does_other_thread));
    CHECK(!does_other_thread);
    threads_unlock(&held_by_main);
    CHECK(!threads_holds(&held_by_main));
    CHECK(threads_holds(&other));
    threads_unlock(&other);
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

/* SPDX-License-Identifier: MIT
 *
 * threads: see platform/threads.h. This is what POSIX systems have.
 */
#include "platform/threads.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>
/* A timer on the clock of platform_now(), which goes on while the machine is suspended. */
#if defined(__linux__) && defined(CLOCK_BOOTTIME)
#define WITH_TIMER 1
#include <sys/timerfd.h>
#endif

#include "invariant.h"
#include "platform/platform.h"

/* musl's default is 128 kB; the buffers of a connection and of TLS nest to some 50 kB. */
#define STACK_SIZE (512 * 1024)

/* The longest that one poll() sleeps if there is no timer, so that the time fits into its int. */
#define LONGEST_SLEEP (600 * PLATFORM_SEC)

/* If the thread-local variables of the program leave too little of such a stack, the system's own size is used. */
int threads_start(threads_thread *thread, void *(*run)(void *), void *arg)
{
    pthread_attr_t attributes;
    sigset_t all, before;
    int problem = pthread_attr_init(&attributes);

    if (problem != 0) {
        return problem;
    }
    pthread_attr_setstacksize(&attributes, STACK_SIZE);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before); /* the new thread inherits the mask */
    problem = pthread_create(thread, &attributes, run, arg);
    if (problem == EINVAL) {
        problem = pthread_create(thread, NULL, run, arg);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return problem;
}

void threads_join(threads_thread thread)
{
    pthread_join(thread, NULL);
}

void threads_mutex_init(threads_mutex *mutex)
{
    pthread_mutex_init(mutex, NULL);
}

void threads_mutex_destroy(threads_mutex *mutex)
{
    pthread_mutex_destroy(mutex);
}

void threads_lock(threads_mutex *mutex)
{
    RL_INVARIANT(!threads_holds(mutex));
    pthread_mutex_lock(mutex);
    threads_note_locked(mutex);
}

void threads_unlock(threads_mutex *mutex)
{
    RL_INVARIANT(threads_holds(mutex));
    threads_note_unlocked(mutex);
    pthread_mutex_unlock(mutex);
}

void threads_condition_destroy(threads_condition *condition)
{
    pthread_cond_destroy(condition);
}

void threads_broadcast(threads_condition *condition)
{
    pthread_cond_broadcast(condition);
}

/* macOS has conditions of the wall clock only, but waits for a span. */
#ifdef __APPLE__

void threads_condition_init(threads_condition *condition)
{
    pthread_cond_init(condition, NULL);
}

bool threads_wait(threads_condition *condition, threads_mutex *mutex, int64_t until)
{
    int64_t left = platform_later(until - platform_now(), 0);
    struct timespec span = {.tv_sec = left / PLATFORM_SEC, .tv_nsec = left % PLATFORM_SEC * 1000};

    return pthread_cond_timedwait_relative_np(condition, mutex, &span) != ETIMEDOUT;
}

#else

void threads_condition_init(threads_condition *condition)
{
    pthread_condattr_t attributes;

    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(condition, &attributes);
    pthread_condattr_destroy(&attributes);
}

/* platform_now() may be another clock than those that a condition knows. */
bool threads_wait(threads_condition *condition, threads_mutex *mutex, int64_t until)
{
    int64_t left = platform_later(until - platform_now(), 0);
    struct timespec when;

    clock_gettime(CLOCK_MONOTONIC, &when);
    int64_t nanoseconds = when.tv_nsec + left % PLATFORM_SEC * 1000;
    when.tv_sec += (time_t)(left / PLATFORM_SEC + nanoseconds / 1000000000);
    when.tv_nsec = nanoseconds % 1000000000;
    return pthread_cond_timedwait(condition, mutex, &when) != ETIMEDOUT;
}

#endif

void threads_run_once(threads_once *once, void (*run)(void))
{
    pthread_once(once, run);
}

void threads_at_fork(void (*before)(void), void (*in_parent)(void), void (*in_child)(void))
{
    pthread_atfork(before, in_parent, in_child);
}

/* ---- the waker ---- */

static void set_up_pipe_end(int fd)
{
    fcntl(fd, F_SETFD, FD_CLOEXEC);
    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
}

int threads_waker_open(threads_waker *waker)
{
    if (pipe(waker->ends) != 0) {
        return errno;
    }
    set_up_pipe_end(waker->ends[0]);
    set_up_pipe_end(waker->ends[1]);
#ifdef WITH_TIMER
    waker->timer = timerfd_create(CLOCK_BOOTTIME, TFD_NONBLOCK | TFD_CLOEXEC);
#else
    waker->timer = SOCKETS_NONE;
#endif
    return 0;
}

void threads_waker_close(threads_waker *waker)
{
    close(waker->ends[0]);
    close(waker->ends[1]);
    if (waker->timer != SOCKETS_NONE) {
        close(waker->timer);
    }
}

/* A pipe that is full wakes anyway. */
void threads_wake(const threads_waker *waker)
{
    while (write(waker->ends[1], "", 1) < 0 && errno == EINTR) {
    }
}

/* Sets the timer to a time of platform_now(), which has the same clock. Returns for how many ms poll() is to sleep: -1 if the
 * timer ends it. A time of 0 would stop the timer. */
static int set_timer(const threads_waker *waker, int64_t until)
{
#ifdef WITH_TIMER
    int64_t when = until == PLATFORM_NEVER ? 0 : platform_later(until, 1);
    struct itimerspec at = {.it_value = {.tv_sec = when / PLATFORM_SEC, .tv_nsec = when % PLATFORM_SEC * 1000}};

    if (waker->timer != SOCKETS_NONE && timerfd_settime(waker->timer, TFD_TIMER_ABSTIME, &at, NULL) == 0) {
        return -1;
    }
#else
    (void)waker;
#endif
    return platform_poll_ms(platform_earlier(until, platform_now() + LONGEST_SLEEP));
}

/* The timer need not be read: when it is set anew, it forgets that it was over. The pipe is read until it is empty, since one
 * sleep answers to all wakes before it. */
void threads_sleep(const threads_waker *waker, struct pollfd *interests, size_t count, int64_t until)
{
    char written[64];

    interests[count] = (struct pollfd){.fd = waker->ends[0], .events = POLLIN};
    interests[count + 1] = (struct pollfd){.fd = waker->timer, .events = POLLIN};
    if (poll(interests, (nfds_t)(count + THREADS_WAKER_FDS), set_timer(waker, until)) <= 0) {
        for (size_t i = 0; i < count; i++) {
            interests[i].revents = 0;
        }
        return;
    }
    while (interests[count].revents != 0 &&
           read(waker->ends[0], written, sizeof(written)) == (ssize_t)sizeof(written)) {
    }
}

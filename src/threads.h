/* SPDX-License-Identifier: MIT
 *
 * threads: what a background thread of the core needs of the operating system. All that a thread may wait for is called
 * by a function of this file, so that the simulator can put another one in its place.
 */
#ifndef REDISLOCK_THREADS_H
#define REDISLOCK_THREADS_H

#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/* Starts a thread that runs `run`, with a stack of 512 kB if that is enough. It blocks all signals, so that each reaches a
 * thread of the program's own, whose handlers know nothing of this one. Returns 0, or an errno. */
int threads_start(pthread_t *thread, void *(*run)(void *), void *arg);

void threads_join(pthread_t thread);

void threads_lock(pthread_mutex_t *mutex);
void threads_unlock(pthread_mutex_t *mutex);

/* Does this thread hold the mutex, by threads_lock()? Only for an RL_INVARIANT(): other builds do not know. */
bool threads_holds(const pthread_mutex_t *mutex);

/* Initializes a condition for threads_wait(). */
void threads_condition_init(pthread_cond_t *condition);

/* Waits for the condition, until `until` at most, a time of platform_now() and not PLATFORM_NEVER. Returns false when
 * that has come. As with pthread_cond_timedwait(), true does not mean that what is waited for has come about. */
bool threads_wait(pthread_cond_t *condition, pthread_mutex_t *mutex, int64_t until);

/* Lets all go on that wait for the condition. */
void threads_broadcast(pthread_cond_t *condition);

/* What ends the sleep of a thread in poll(): another thread that wakes it, or a time of platform_now(). A sleep ends in time
 * also if the machine was suspended meanwhile, if the system has a timer that does. */
typedef struct threads_waker {
    int pipe[2]; /* the thread polls the first end, and others write to the second */
    int timer;   /* -1: the system has no such timer, and poll() itself ends the sleep */
} threads_waker;

#define THREADS_WAKER_FDS 2 /* the descriptors that threads_sleep() polls beside those of its caller */

/* Opens the waker. Returns 0, or an errno. */
int threads_waker_open(threads_waker *waker);

/* Closes its descriptors. May be called in a forked child, which must not wake its parent's thread. */
void threads_waker_close(threads_waker *waker);

/* Ends the present sleep, or the next one. */
void threads_wake(const threads_waker *waker);

/* Sleeps in poll() until something happens on one of the `count` descriptors, somebody wakes the thread, or `until` has come;
 * or, now and then, for no reason. `interests` must have room for THREADS_WAKER_FDS more. Their `revents` are valid afterwards,
 * all 0 if nothing happened. */
void threads_sleep(const threads_waker *waker, struct pollfd *interests, size_t count, int64_t until);

#endif

/* SPDX-License-Identifier: MIT
 *
 * threads: what a background thread of the core needs of the operating system. All that a thread may wait for is called
 * by a function of this header, so that the simulator can put another one in its place.
 */
#ifndef REDISLOCK_PLATFORM_THREADS_H
#define REDISLOCK_PLATFORM_THREADS_H

#include <stdbool.h>
#include <stdint.h>

#include "platform/held.h"
#include "platform/sockets.h"

#ifdef _WIN32

#include <windows.h>

typedef HANDLE threads_thread;
typedef SRWLOCK threads_mutex;
typedef CONDITION_VARIABLE threads_condition;
typedef INIT_ONCE threads_once;
#define THREADS_MUTEX_INIT SRWLOCK_INIT
#define THREADS_ONCE_INIT  INIT_ONCE_STATIC_INIT

#else

#include <pthread.h>

typedef pthread_t threads_thread;
typedef pthread_mutex_t threads_mutex;
typedef pthread_cond_t threads_condition;
typedef pthread_once_t threads_once;
#define THREADS_MUTEX_INIT PTHREAD_MUTEX_INITIALIZER
#define THREADS_ONCE_INIT  PTHREAD_ONCE_INIT

#endif

/* Starts a thread that runs `run`, with a stack of 512 kB if that is enough. It blocks all signals, so that each reaches a
 * thread of the program's own, whose handlers know nothing of this one. Returns 0, or the system's number of the error. */
int threads_start(threads_thread *thread, void *(*run)(void *), void *arg);

void threads_join(threads_thread thread);

/* A mutex that is initialized by THREADS_MUTEX_INIT needs neither of these two. */
void threads_mutex_init(threads_mutex *mutex);
void threads_mutex_destroy(threads_mutex *mutex);

void threads_lock(threads_mutex *mutex);
void threads_unlock(threads_mutex *mutex);

void threads_condition_init(threads_condition *condition);
void threads_condition_destroy(threads_condition *condition);

/* Waits for the condition, until `until` at most, a time of platform_now() and not PLATFORM_NEVER. Returns false when
 * that has come. As with pthread_cond_timedwait(), true does not mean that what is waited for has come about. */
bool threads_wait(threads_condition *condition, threads_mutex *mutex, int64_t until);

/* Lets all go on that wait for the condition. */
void threads_broadcast(threads_condition *condition);

/* Calls the function, unless that was done for `once` before; returns when it has been done. */
void threads_run_once(threads_once *once, void (*run)(void));

/* Has the functions called at each fork of this process, as pthread_atfork() does. Nothing on a system without fork(). */
void threads_at_fork(void (*before)(void), void (*in_parent)(void), void (*in_child)(void));

/* What ends the sleep of a thread in sockets_poll(): another thread that wakes it, or a time of platform_now(). A sleep ends in
 * time also if the machine was suspended meanwhile, if the system has a timer that does. */
typedef struct threads_waker {
    /* Of a pipe, or twice a socket that is connected to itself: the thread polls the first, and others write to the second. */
    sockets_fd ends[2];
    sockets_fd timer; /* SOCKETS_NONE: the system has no such timer, and sockets_poll() itself ends the sleep */
} threads_waker;

#define THREADS_WAKER_FDS 2 /* the descriptors that threads_sleep() polls beside those of its caller */

/* Opens the waker. Returns 0, or the system's number of the error. */
int threads_waker_open(threads_waker *waker);

/* Closes its descriptors. May be called in a forked child, which must not wake its parent's thread. */
void threads_waker_close(threads_waker *waker);

/* Ends the present sleep, or the next one. */
void threads_wake(const threads_waker *waker);

/* Sleeps in sockets_poll() until something happens on one of the `count` sockets, somebody wakes the thread, or `until` has
 * come; or, now and then, for no reason. `interests` must have room for THREADS_WAKER_FDS more. Their `revents` are valid
 * afterwards, all 0 if nothing happened. */
void threads_sleep(const threads_waker *waker, struct pollfd *interests, size_t count, int64_t until);

#endif

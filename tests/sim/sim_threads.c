/* SPDX-License-Identifier: MIT
 *
 * sim_threads: see sim_threads.h. The linker puts these functions in the place of those of platform/threads.h (--wrap).
 */
#include "sim_threads.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "net.h"
#include "platform/platform.h"
#include "platform/threads.h"

#define MOST 16 /* of each kind, in all processes together */

#define DEAD_NAP MSEC /* for which the thread of a process that was killed lets the other one run */

typedef struct thread {
    sim_task *task; /* NULL: there is none */
    void *(*run)(void *);
    void *arg;
    bool done;
} thread;

/* A task that waits for a mutex, a condition, or a thread to end. */
typedef struct waiting {
    sim_task *task; /* NULL: none */
    const void *what;
} waiting;

typedef struct waker_state {
    bool open, woken;
    sim_task *sleeper; /* NULL: nobody sleeps until it is used */
} waker_state;

static struct {
    thread threads[MOST];
    const pthread_mutex_t *held[MOST]; /* mutexes that somebody has; NULL: none */
    const sim_task *holders[MOST];     /* who has them; NULL: what runs outside of any task */
    waiting waits[MOST];
    waker_state wakers[MOST];
} all;

void sim_threads_begin(void)
{
    memset(&all, 0, sizeof(all));
}

/* There is no room for one more: the run is of no use. */
static void overflow(const char *what)
{
    violated("setup", "there are too many %s", what);
    world_wait(NEVER);
}

/* ---- waits ---- */

static void await(const void *what, int64_t until)
{
    for (size_t i = 0; i < MOST; i++) {
        if (all.waits[i].task == NULL) {
            all.waits[i] = (waiting){world.running, what};
            world_wait(until);
            all.waits[i].task = NULL;
            return;
        }
    }
    overflow("tasks that wait");
}

static void wake_all(const void *what)
{
    for (size_t i = 0; i < MOST; i++) {
        if (all.waits[i].task != NULL && all.waits[i].what == what) {
            world_wake(all.waits[i].task);
        }
    }
}

/* The true time of what the process calls `until`. */
static int64_t true_time(const sim_process *process, int64_t until)
{
    if (until == PLATFORM_NEVER) {
        return NEVER;
    }
    return world.now +
           platform_later(clock_true_span(&process->clock, until - clock_at(&process->clock, world.now)), 0);
}

/* ---- threads ---- */

int __wrap_threads_start(pthread_t *made, void *(*run)(void *), void *arg);
void __wrap_threads_join(pthread_t joined);
void __wrap_threads_lock(pthread_mutex_t *mutex);
void __wrap_threads_unlock(pthread_mutex_t *mutex);
bool __wrap_threads_holds(const pthread_mutex_t *mutex);
void __wrap_threads_condition_init(pthread_cond_t *condition);
bool __wrap_threads_wait(pthread_cond_t *condition, pthread_mutex_t *mutex, int64_t until);
void __wrap_threads_broadcast(pthread_cond_t *condition);
int __wrap_threads_waker_open(threads_waker *waker);
void __wrap_threads_waker_close(threads_waker *waker);
void __wrap_threads_wake(const threads_waker *waker);
void __wrap_threads_sleep(const threads_waker *waker, struct pollfd *interests, size_t count, int64_t until);
int __wrap_pthread_atfork(void (*before)(void), void (*parent)(void), void (*child)(void));

static void thread_main(sim_process *process)
{
    size_t i = 0;

    (void)process;
    while (all.threads[i].task != world.running) {
        i++;
    }
    all.threads[i].run(all.threads[i].arg);
    all.threads[i].done = true;
    wake_all(&all.threads[i]);
}

int __wrap_threads_start(pthread_t *made, void *(*run)(void *), void *arg)
{
    size_t i = 0;

    while (i < MOST && all.threads[i].task != NULL) {
        i++;
    }
    if (i == MOST) {
        return EAGAIN;
    }
    all.threads[i] = (thread){.task = world_spawn_thread(world_process(), thread_main), .run = run, .arg = arg};
    *made = (pthread_t)i;
    world_count_call();
    return 0;
}

void __wrap_threads_join(pthread_t joined)
{
    const thread *one = &all.threads[(size_t)joined];

    world_count_call();
    while (!one->done) {
        await(one, NEVER);
    }
}

/* ---- mutexes and conditions ---- */

static size_t place_of(const pthread_mutex_t *mutex)
{
    size_t i = 0;

    while (i < MOST && all.held[i] != mutex) {
        i++;
    }
    return i;
}

/* Also outside of any task, where nobody can have the mutex. */
void __wrap_threads_lock(pthread_mutex_t *mutex)
{
    world_count_call();
    while (place_of(mutex) < MOST) {
        await(mutex, NEVER);
    }
    size_t i = place_of(NULL);
    if (i == MOST) {
        overflow("mutexes");
    }
    all.held[i] = mutex;
    all.holders[i] = world.running;
}

bool __wrap_threads_holds(const pthread_mutex_t *mutex)
{
    size_t i = place_of(mutex);

    return i < MOST && all.holders[i] == world.running;
}

static void let_go(const pthread_mutex_t *mutex)
{
    size_t i = place_of(mutex);

    if (i == MOST) {
        violated("threads", "a mutex is unlocked that nobody has");
        return;
    }
    all.held[i] = NULL;
    wake_all(mutex);
}

void __wrap_threads_unlock(pthread_mutex_t *mutex)
{
    let_go(mutex);
    world_count_call();
}

void __wrap_threads_condition_init(pthread_cond_t *condition)
{
    memset(condition, 0, sizeof(*condition));
}

/* The clock of a process that was killed leaps, so that its time is over at once. */
bool __wrap_threads_wait(pthread_cond_t *condition, pthread_mutex_t *mutex, int64_t until)
{
    const sim_process *process = world_process();
    int64_t end = true_time(process, until);

    let_go(mutex);
    if (!process->dead && world.now < end) {
        await(condition, end);
    }
    bool in_time = !process->dead && world.now < end;
    __wrap_threads_lock(mutex);
    return in_time;
}

void __wrap_threads_broadcast(pthread_cond_t *condition)
{
    wake_all(condition);
}

/* ---- wakers ---- */

int __wrap_threads_waker_open(threads_waker *waker)
{
    int i = 0;

    while (i < MOST && all.wakers[i].open) {
        i++;
    }
    if (i == MOST) {
        return EMFILE;
    }
    all.wakers[i] = (waker_state){.open = true};
    waker->ends[0] = waker->ends[1] = i;
    waker->timer = -1;
    return 0;
}

void __wrap_threads_waker_close(threads_waker *waker)
{
    all.wakers[waker->ends[0]].open = false;
}

void __wrap_threads_wake(const threads_waker *waker)
{
    waker_state *one = &all.wakers[waker->ends[0]];

    world_count_call();
    if (!one->open) {
        violated("threads", "a waker is used that is closed");
    }
    one->woken = true;
    world_wake(one->sleeper);
}

/* Is there a reason to end the sleep? Now and then there is none. */
static bool is_over(const waker_state *one, struct pollfd *interests, size_t count, int64_t end)
{
    return net_look(interests, count) > 0 || one->woken || world.now >= end || chance_once_in(&world.chance, 200);
}

void __wrap_threads_sleep(const threads_waker *waker, struct pollfd *interests, size_t count, int64_t until)
{
    sim_process *process = world_process();
    waker_state *one = &all.wakers[waker->ends[0]];
    int64_t end = true_time(process, until);

    world_count_call();
    while (!process->dead && !is_over(one, interests, count, end)) {
        one->sleeper = world.running;
        net_await(interests, count, end);
        one->sleeper = NULL;
    }
    if (process->dead) {
        for (size_t i = 0; i < count; i++) {
            interests[i].revents = 0;
        }
        world_wait(world.now + DEAD_NAP);
    }
    one->woken = false;
}

/* No process of a world forks by itself, and a client whose leases are renewed forks in none of its histories. */
int __wrap_pthread_atfork(void (*before)(void), void (*parent)(void), void (*child)(void))
{
    (void)before, (void)parent, (void)child;
    return 0;
}

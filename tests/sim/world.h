/* SPDX-License-Identifier: MIT
 *
 * world: the simulator's ground: time, chance, events, and processes that run as coroutines.
 *
 * Everything happens in one thread. An event is a function that is called at a point of the true time, in µs; nothing
 * else lets time pass. A task is a coroutine of a process. It runs until it waits, and so a run depends on nothing but
 * its seed.
 */
#ifndef SIM_WORLD_H
#define SIM_WORLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__SANITIZE_ADDRESS__)
#define WITH_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WITH_ASAN 1
#endif
#endif

#define MSEC  INT64_C(1000)
#define SEC   INT64_C(1000000)
#define NEVER INT64_MAX

#define MAX_PROCESSES 8
#define MAX_PLACES    8 /* servers */

/* ---- chance ---- */

/* A stream of random numbers. The same seed gives the same numbers. */
typedef struct sim_chance {
    uint64_t state;
    bool steady; /* only chance_draw() is random: see wire.h */
} sim_chance;

uint64_t chance_draw(sim_chance *chance);
/* A number from `from` to `to`, both included; of a steady stream always `to`. */
int64_t chance_between(sim_chance *chance, int64_t from, int64_t to);
/* True once in `n` times; never for n == 0, nor of a steady stream. */
bool chance_once_in(sim_chance *chance, uint64_t n);

/* ---- processes ---- */

typedef struct sim_process sim_process;

/* A coroutine. A process has one, or several as threads would be. */
typedef struct sim_task sim_task;

/* A clock that does not run as the true time does: it had another start, and is `ppm` millionths too fast. */
typedef struct sim_clock {
    int64_t start;
    int64_t ppm;
    bool is_shared; /* processes compare what they read: it never goes back */
} sim_clock;

/* Draws a clock that had its start from `least` to `most`. That of a steady world runs as the true time does. */
sim_clock clock_draw(int64_t least, int64_t most);
int64_t clock_at(const sim_clock *clock, int64_t true_time);
/* How much true time passes while the clock counts `span`. */
int64_t clock_true_span(const sim_clock *clock, int64_t span);

/* A time for which a process, or one of its coroutines, did nothing although it had something to do. */
typedef struct sim_idle {
    int64_t from, until; /* true times */
} sim_idle;

#define IDLES 64 /* so many are known: those that ended last, or have not ended yet */

struct sim_process {
    int index;
    int machine; /* on which it shares memory with others, counted from 1; 0: it shares none */
    int place;   /* the container there that it is in: it sees that one's network and files */
    int64_t pid;
    sim_clock clock;
    int64_t stopped_until; /* does not run before; 0: runs */
    int64_t held_up;       /* µs for which it was stopped, or its first coroutine gave way, all in all */
    sim_idle idles[IDLES]; /* in any order */
    size_t idle_count;
    bool dead;          /* was killed: nothing that it does has an effect, and its clock runs to the end of days */
    int64_t dead_clock; /* its clock then */
    int64_t told_at[MAX_PLACES]; /* true time at which it read last that a server is a replica; 0: it has not */
    int64_t heard_at;            /* true time at which it read an answer last that is no error; 0: it has not */
    int64_t broken_at;           /* true time at which a connection of it was ended or reset last */
    int64_t unread_at;           /* true time at which it gave up what a server that was stopped had not read last */
    bool lost_bytes;             /* something that it had sent was dropped on its way to a server */
    int64_t unmade_since;        /* true time since when it made a connection that it gave up unmade; 0: it has not */
    unsigned signals;            /* that have come and were not handled yet */
    unsigned calls;              /* to the system since it last waited: see world_count_call() */
    int threads;                 /* background tasks that have not ended */
    struct sim_client *self;     /* what the process is about */
};

/* ---- the world ---- */

typedef struct sim_world {
    int64_t now;           /* the true time, in µs */
    sim_chance chance;     /* of all that is drawn while the world runs */
    sim_task *running;     /* NULL: the scheduler */
    uint64_t steps;        /* events so far */
    bool failed;           /* a property does not hold: the run ends */
    bool tells;            /* the history is printed */
    uint64_t history;      /* a hash of all that was told */
    char problem[400];     /* which property, and how it was broken: "property: words" */
    int64_t pause_one_in;  /* a process is held up at one in so many of its calls to the system; 0: never */
    int64_t pause_most;    /* for so long at most */
    int64_t end_of_faults; /* from then on, nothing that was disturbed before has a reason to be late */
} sim_world;

extern sim_world world;

/* Begins a world, with nothing in it. */
void world_begin(uint64_t seed);
/* Frees what is in the world. */
void world_end(void);

/* Calls `happen` at the true time `when`. */
typedef void sim_event(void *subject, int64_t detail);
void world_at(int64_t when, sim_event *happen, void *subject, int64_t detail);

/* Lets events happen until none is left, `until` has come, or a property fails. */
void world_run(int64_t until);

/* Starts a coroutine of the process. */
sim_task *world_spawn(sim_process *process, void (*body)(sim_process *));

/* Starts another coroutine of a process that has one, as a thread would be. While there is any, each of the process may
 * give way to the others wherever it calls the system. */
sim_task *world_spawn_thread(sim_process *process, void (*body)(sim_process *));

/* Is it a thread of a process that runs? */
bool world_is_thread(void);

/* Returns the process that runs, NULL in the scheduler. */
sim_process *world_process(void);

/* The running task goes on as one of this process. Returns the process that it was one of. */
sim_process *world_enter(sim_process *process);

/* The running task waits until somebody wakes it, until the true time `until` at most. */
void world_wait(int64_t until);
/* Lets the task run again soon. */
void world_wake(sim_task *task);

/* Notes that the running process calls the system, where it may be held up. */
void world_count_call(void);

/* Called when a process was killed; NULL: nobody cares. */
extern void (*world_killed)(sim_process *process);

/* The process does not run for `span` from now on. */
void process_stop(sim_process *process, int64_t span);
/* The process ends at once, whatever it is doing. The caller closes its sockets. */
void process_kill(sim_process *process);
/* For how long was it stopped, or did one of its coroutines give way, since the true time `since`? At least for as long as
 * all of them were kept from going on. */
int64_t process_idled(const sim_process *process, int64_t since);
/* How long was it, or one of its coroutines, kept from going on until this moment? */
int64_t process_just_idled(const sim_process *process);
/* Wakes the process by a signal. */
void process_signal(sim_process *process);

/* All that was begun before now may be late until `until`. */
void world_disturb(int64_t until);

/* Tells what happens, for the history; and world_told(), unless it is NULL. */
extern void (*world_told)(const char *text);
void tell(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* A property does not hold. Only the first of a run counts. */
void violated(const char *property, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Memory that is freed when the world ends. */
void *world_alloc(size_t size);

#endif

/* SPDX-License-Identifier: MIT
 *
 * local_bed: processes that pass locks on to each other, in a segment of the test's own; and what stands there.
 */
#ifndef REDISLOCK_TEST_LOCAL_BED_H
#define REDISLOCK_TEST_LOCAL_BED_H

#include "bed.h"
#include "lock/local/check.h"
#include "lock/local/entry.h"
#include "lock/local/line.h"
#include "lock/local/watch.h"
#include "lock/pass.h"

/* How long a waiter takes at most to see that something has become of the owner: see lock/local/watch.c. */
#define LOOK_MS 40

/* Returns this process among those of the segment, which it joins at the first call; a child of a fork by itself. */
local_host *host_here(void);

/* Lets the client take part. */
void client_joins(client *c, lock_pass_terms *terms);

/* A turn, or what has come of a try to get one. */
typedef struct place {
    lock_turn_verdict verdict;
    lock_turn *turn; /* NULL: none */
    lock_turn_line line;
    rl_error error;
    int64_t took; /* ms */
    int64_t at;   /* by platform_now(): when the call ended */
} place;

/* Enters for the lock, for up to so many ms, with a lease of 10 s and a token of that text. */
place enter(const char *key, const char *token, int64_t wait_ms);
place enter_with(const lock_turn_terms *terms);
lock_turn_terms terms_of(const char *key, const char *token, int64_t wait_ms);

/* Passes the lock on, of a lease of 10 s that began just now. */
bool pass(const place *p, const char *key, const char *token, lock_turn_heir *heir);

/* Waits until so many stand in line at the slot of the turn, and its owner knows that some do. */
void until_in_line(const lock_turn *turn, int64_t count);

/* Waits until the entry is in this state, 5 s at most. */
void until_state(unsigned entry, local_state state);

/* Returns how many entries, and slots, are in use. */
int entries_in_use(void);
int slots_in_use(void);

/* Fails unless all of them are free, within 5 s. */
void check_all_free(void);

/* From now on this process does `act` when it comes to an exchange in the function for the nth time, and then no more. */
void at_step(const char *function, int nth, void (*act)(void));
void at_no_step(void);
void stop_here(void);
void die_here(void);

/* ---- another process in line ---- */

/* What a process is to do when its turn has come. */
typedef enum visit_end { VISIT_LEAVES, VISIT_PASSES, VISIT_STAYS } visit_end;

typedef struct visit {
    const char *key, *token;
    int64_t wait_ms;
    visit_end end;
    const char *stops_in, *dies_in; /* at its nth step in this function */
    const char *lets_take_over;     /* the token of which it lets others take the lock over; NULL: it does not */
    bool takes_over;
    int nth;
    int number;
    atomic_int *order; /* how many have come so far; NULL: nobody counts */
    /* What has come of it. */
    atomic_bool is_over; /* its turn has come */
    atomic_int verdict, came, entry;
    bool ends_well; /* the other process is told to end */
    place place;
    char from[LOCAL_TOKEN_MAX], heir[LOCAL_TOKEN_MAX];
    pid_t pid;
} visit;

/* Starts a process that enters. The visit is in memory that is shared(). */
void visit_start(visit *v);
/* Waits until it has a verdict, 10 s at most, and returns that. */
lock_turn_verdict visit_verdict(visit *v);

#endif

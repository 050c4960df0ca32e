/* SPDX-License-Identifier: MIT
 *
 * machine: what processes of one machine share: memory, waits for a word of it, and the knowledge of who is there.
 *
 * The linker puts these functions in the place of those of platform/futex.h, platform/presence.h and platform/segment.h
 * (--wrap). Each process has a mapping of its own. That of a process that was killed becomes a private copy: its coroutine goes
 * on for a while, and nothing that it does there has an effect.
 */
#ifndef SIM_MACHINE_H
#define SIM_MACHINE_H

#include "lock/local/layout.h"
#include "net.h"

#define MAX_MACHINES 2

/* Functions of the core at whose points a fault may strike, instead of at any point. */
enum {
    PLACE_CLAIMED = 1, /* a process has claimed an entry, and writes into it */
    PLACE_SLOT,        /* the same, and is about to make that the owner of the slot */
    PLACE_CLAIM_ENDS,  /* it is about to end the claim, or has, and is about to wake its owner */
    PLACE_PASSED,      /* it has passed the lock on, and not sent the renaming yet */
    PLACE_ANSWER,      /* it tells the answer */
    PLACE_HEIR,        /* whoever waits is about to take what has become of its entry */
    PLACE_TAKER,       /* it takes a grant from who does not begin */
    PLACE_STEPS_OUT,   /* it has made itself the owner, or its time is over, and it is about to leave the line */
    MACHINE_PLACES
};
extern const char *const machine_places[MACHINE_PLACES];

/* What goes wrong between two exchanges of words in the shared memory. */
typedef struct machine_terms {
    const sim_fault *faults; /* those that happen at points: `piece` is the number of the point */
    size_t fault_count;
    int64_t point_one_in; /* a process stands still at one in so many points; 0: never */
    int64_t point_most;   /* for so long at most */
} machine_terms;

/* Begins with as many machines, whose memory is all zero. With 0, nobody may share any. */
void machines_begin(int count, const machine_terms *terms);
void machines_end(void);

/* Nothing stands still between two exchanges any more. */
void machines_heal(void);

/* The process that has this pid is not there any more, or is not from `until` on: its number is free. */
void machine_leave(const sim_process *process, int64_t pid, int64_t until);

/* The memory of a machine, counted from 1. */
local_segment *machine_segment(int machine);

/* Does a process with this pid have the number? */
bool machine_is_number_of(int machine, unsigned number, int64_t pid);

/* Had another process the number before? */
bool machine_is_inherited(int machine, unsigned number);

/* How many points processes have come to. */
uint32_t machine_points(void);

#endif

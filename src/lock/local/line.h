/* SPDX-License-Identifier: MIT
 *
 * lock/local/line: the line at a slot, which nobody keeps as a list: it follows from the entries that wait and their
 * tickets. So a process that is killed leaves no list half changed.
 */
#ifndef REDISLOCK_LOCK_LOCAL_LINE_H
#define REDISLOCK_LOCK_LOCAL_LINE_H

#include "lock/local/host.h"
#include "lock/local/status.h"

/* An entry that waits, as it was found. */
typedef struct local_waiter {
    local_entry *entry; /* NULL: nobody waits */
    unsigned index;
    uint64_t status, ticket;
} local_waiter;

static inline local_entry *local_turn_entry(const lock_turn *turn)
{
    return &turn->host->segment->entries[turn->entry];
}

static inline local_slot *local_turn_slot(const lock_turn *turn)
{
    return &turn->host->segment->slots[turn->slot];
}

static inline atomic_ullong *local_turn_owner(const lock_turn *turn)
{
    return &turn->host->segment->owners[turn->slot];
}

/* The status that an entry has while it is in this state for the turn. */
static inline uint64_t local_turn_status(const lock_turn *turn, local_state state)
{
    return local_status(turn->count, turn->host->number, state);
}

/* Notes in the slot that an entry may wait there, or does not any more. */
void local_line_enter(local_slot *slot, unsigned index);
void local_line_leave(local_slot *slot, unsigned index);

/* Finds the first that waits at the slot. */
local_waiter local_line_first(local_host *host, unsigned slot);

/* Finds the first, of those with this ticket or a higher one, that has not slept for much longer than it said it would: one
 * that has stands still. */
local_waiter local_line_first_awake(local_host *host, unsigned slot, uint64_t from);

/* Finds the first whose process is there. The places of those before it are freed. */
local_waiter local_line_first_alive(local_host *host, unsigned slot);

/* Frees the places of all whose processes are gone: each look costs a system call. */
void local_line_drop_dead(local_host *host, unsigned slot);

/* Wakes the first at the slot that does not stand still, which is to look after the owner, unless it will do so soon: it may
 * have looked last when many stood before it, and those look rarely. */
void local_line_wake_first(local_host *host, unsigned slot);

/* Would one that sleeps until then be woken to look? */
bool local_line_sleeps_long(int64_t until);

/* Returns how many wait at the slot, of those with a ticket below `before`. */
int64_t local_line_count(local_host *host, unsigned slot, uint64_t before);

/* Tells whoever owns the slot that others have come; false: nobody does. */
bool local_line_tell(atomic_ullong *owner);

/* Claims one that waits, or is granted the lock: until local_line_release(), nobody else changes its entry. */
bool local_line_claim(const local_host *host, const local_waiter *waiter);

/* Ends a claim. False: the waiter has gone meanwhile, and left its entry to us, which is free now. */
bool local_line_release(const local_host *host, const local_waiter *waiter, local_state state);

/* Takes the turn's entry back from the line, if nobody has claimed it. Another one may be the first then. */
bool local_line_step_out(const lock_turn *turn);

/* Frees the turn's entry. */
void local_turn_free(lock_turn *turn);

#endif

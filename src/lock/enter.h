/* SPDX-License-Identifier: MIT
 *
 * lock/enter: an attempt takes its turn among the processes of this machine, before it asks Redis: see lock/pass.h.
 */
#ifndef REDISLOCK_LOCK_ENTER_H
#define REDISLOCK_LOCK_ENTER_H

#include "lock/attempt.h"
#include "lock/lease.h"
#include "lock/local/turn.h"

/* May the attempt have a turn among the processes of this machine? */
static inline bool lock_enter_is_for(const lock_acquire_params *params)
{
    return params->client->pass != NULL && params->token == NULL && params->duration != PLATFORM_NEVER;
}

/* Enters for the lock. LOCK_TURN_GRANTED: the lease is filled, and has the turn. LOCK_TURN_HEAD and LOCK_TURN_ALONE: Redis
 * is to be asked, with the attempt's token as it is then. If there is a turn then, the caller ends it by
 * lock_enter_close(). With LOCK_TURN_FAILED attempt->error says why; the other verdicts are as in lock/local/turn.h. */
lock_turn_verdict lock_enter(lock_attempt *attempt, lock_lease *lease, lock_turn **turn, lock_turn_line *line);

/* Ends an attempt with a turn that has asked Redis, with this outcome: the lease has the turn then, or it is over. If
 * Redis could not be asked at all, those in line hear of it too, instead of finding it out one after another; not at the
 * attempt's deadline. */
void lock_enter_close(lock_attempt *attempt, lock_turn *turn, lock_outcome outcome, lock_lease *lease);

/* Returns how many processes of this machine wait for the lock behind the head, which stands in Redis' line. */
int64_t lock_enter_waiting(const lock_client *client, rl_bytes name);

#endif

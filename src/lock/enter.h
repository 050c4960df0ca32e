/* SPDX-License-Identifier: MIT
 *
 * lock/enter: an attempt takes its turn among the processes of this machine, before it asks Redis: see lock/pass.h.
 */
#ifndef REDISLOCK_LOCK_ENTER_H
#define REDISLOCK_LOCK_ENTER_H

#include "lock/attempt.h"
#include "lock/lease.h"
#include "lock/local/turn.h"
#include "lock/pass.h"

/* May the attempt have a turn among the processes of this machine? */
static inline bool lock_enter_is_for(const lock_acquire_params *params)
{
    return params->client->pass != NULL && params->token == NULL && params->duration != PLATFORM_NEVER;
}

/* Enters where no other process of this machine has the lock or wants it: Redis is to be asked. False: one may, and
 * lock_enter() is to be called. */
static inline bool lock_enter_alone(lock_attempt *attempt)
{
    const lock_pass_terms *pass = attempt->params->client->pass;

    attempt->turn = lock_turn_begin_alone(pass->host, attempt->room->keys.lock, pass->identity);
    if (attempt->turn != NULL) {
        attempt->turn->takes_over = pass->takes_over;
    }
    return attempt->turn != NULL;
}

/* Enters for the lock. LOCK_TURN_GRANTED: the lease is filled, and has the turn. LOCK_TURN_HEAD and LOCK_TURN_ALONE: Redis
 * is to be asked, with the attempt's token as it is then. If there is a turn then, the caller ends it by
 * lock_enter_adopt() or lock_enter_give_up(). With LOCK_TURN_FAILED attempt->error says why; the other verdicts are as in
 * lock/local/turn.h. */
lock_turn_verdict lock_enter(lock_attempt *attempt, lock_lease *lease, lock_turn_line *line);

/* Gives the attempt's turn to the lease that Redis has granted, or is to grant. */
static inline void lock_enter_adopt(const lock_attempt *attempt, lock_lease *lease)
{
    const lock_acquire_params *params = attempt->params;
    lock_turn *turn = attempt->turn;

    lease->turn = turn;
    turn->lease = params->duration;
    turn->ends_by_lease = !params->client->renews;
    lock_pass_note_end(lease);
    if (turn->takes_over) {
        lock_turn_let_take_over(turn, lock_lease_token(lease), params->duration);
    }
}

/* Ends the turn of an attempt that has asked Redis in vain. If Redis could not be asked at all, those in line hear of it too,
 * instead of finding it out one after another; not at the attempt's deadline. */
void lock_enter_give_up(lock_attempt *attempt, lock_outcome outcome);

/* Returns how many processes of this machine wait for the lock behind the head, which stands in Redis' line. */
int64_t lock_enter_waiting(const lock_client *client, rl_bytes name);

#endif

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
#include "platform/platform.h"

/* May the attempt have a turn among the processes of this machine? */
static inline bool lock_enter_is_for(const lock_acquire_params *params)
{
    return params->client->pass != NULL && params->token == NULL && params->duration != PLATFORM_NEVER;
}

/* Enters where no other process of this machine has the lock or wants it: Redis is to be asked. NULL: one may, and lock_enter()
 * is to be called. */
static inline lock_turn *lock_enter_alone(const lock_attempt *attempt)
{
    const lock_pass_terms *pass = attempt->params->client->pass;
    lock_turn *turn = lock_turn_begin_alone(pass->host, attempt->room->keys.lock, pass->identity);

    if (turn != NULL) {
        turn->takes_over = pass->takes_over;
    }
    return turn;
}

/* Enters for the lock. LOCK_TURN_GRANTED: the lease is filled, and has the turn. LOCK_TURN_HEAD and LOCK_TURN_ALONE: Redis
 * is to be asked, with the attempt's token as it is then. If there is a turn then, the caller ends it by
 * lock_enter_adopt() or lock_enter_give_up(). With LOCK_TURN_FAILED attempt->error says why; the other verdicts are as in
 * lock/local/turn.h. */
lock_turn_verdict lock_enter(lock_attempt *attempt, lock_lease *lease, lock_turn **turn, lock_turn_line *line);

/* Gives the turn to a lease of `duration`, which Redis has granted or is to grant. */
static inline void lock_enter_adopt(const lock_client *client, lock_turn *turn, lock_lease *lease, int64_t duration)
{
    lease->turn = turn;
    turn->lease = duration;
    turn->ends_by_lease = !client->renews;
    lock_turn_hold(turn, client->renews ? 0 : platform_after(lease->sent, lease->duration));
    if (turn->takes_over) {
        lock_turn_let_take_over(turn, lock_lease_token(lease), duration);
    }
}

/* Ends a turn that has asked Redis in vain. If Redis could not be asked at all, those in line hear of it too, instead of
 * finding it out one after another; not at the attempt's deadline. */
void lock_enter_give_up(lock_attempt *attempt, lock_turn *turn, lock_outcome outcome);

/* Returns how many processes of this machine wait for the lock behind the head, which stands in Redis' line. */
int64_t lock_enter_waiting(const lock_client *client, rl_bytes name);

#endif

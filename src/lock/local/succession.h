/* SPDX-License-Identifier: MIT
 *
 * lock/local/succession: how a turn ends, for the next one in line: see lock/local/turn.h.
 */
#ifndef REDISLOCK_LOCK_LOCAL_SUCCESSION_H
#define REDISLOCK_LOCK_LOCAL_SUCCESSION_H

#include "lock/local/host.h"
#include "redis/request.h"

/* Ends the turn if no other has come since it began. False: one has, or it is another process'. */
bool lock_turn_leave_alone(lock_turn *turn);

/* Ends the turn: if others wait in line, the first is the head now. */
void lock_turn_leave(lock_turn *turn);

/* Tells all in line what has kept the head from asking Redis. They stand in line no more. */
void lock_turn_fail(lock_turn *turn, const rl_error *error);

/* What is passed on: a lock that is held, which the holder does not believe to be its own any more. */
typedef struct lock_turn_offer {
    rl_bytes key, token;
    int64_t sent, duration; /* of its lease: see lock_lease */
    int64_t since_ms;       /* now, by the wall clock: the token of the heir is to tell it */
} lock_turn_offer;

/* To whom: for the request to Redis, which the caller sends at once, and lock_turn_answer() for what comes of it. */
typedef struct lock_turn_heir {
    unsigned entry, slot;
    uint64_t count;
    int64_t lease;
    int64_t sent; /* from when on its lease counts */
    uint32_t token_len;
    char token[LOCAL_TOKEN_MAX];
} lock_turn_heir;

/* Passes the lock on to the first in line, which ends the turn. False: there is none to whom it can be passed. */
bool lock_turn_pass(lock_turn *turn, const lock_turn_offer *offer, lock_turn_heir *heir);

/* Tells the heir what Redis has said: LOCAL_YES, LOCAL_REFUSED or LOCAL_UNKNOWN. `waiting`: of other machines, in Redis' line.
 * False: the heir did not wait for it, or another has taken its place, and asks Redis by itself, or has. */
bool lock_turn_answer(local_host *host, const lock_turn_heir *heir, local_answer answer, int64_t fence,
                      int64_t waiting);

/* Returns what Redis has said to the passing of the lock to this turn: one of those three, or LOCAL_PENDING if that is not
 * known yet. */
local_answer lock_turn_look(const lock_turn *turn, int64_t *fence);

/* Notes how long Redis has taken to answer: in this process, whose next answers are likely to take as long. */
void lock_turn_note_answer_time(local_host *host, int64_t took);

/* Waits for it, until `until` at most: if it is not known then, it is LOCAL_UNKNOWN, and nobody will tell any more. */
local_answer lock_turn_await(lock_turn *turn, int64_t until, int64_t *fence);

#endif

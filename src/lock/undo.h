/* SPDX-License-Identifier: MIT
 *
 * lock/undo: what undoes a try to take a lock, or gives the lock back.
 */
#ifndef REDISLOCK_LOCK_UNDO_H
#define REDISLOCK_LOCK_UNDO_H

#include "lock/attempt.h"

/* Makes `undo` the request that gives back whatever this attempt may have been given: the lock, a baton, its place in
 * the queue. `served`: see lock/release.h. */
void lock_attempt_undo_request(lock_attempt *attempt, rl_bytes served, rl_request *undo);

/* Like lock_attempt_undo_request(), but gives back only a baton and the place in the queue: the lock may be ours by
 * now. */
void lock_attempt_leave_request(lock_attempt *attempt, rl_bytes served, rl_request *leave);

/* If an earlier try with the token was not answered, leaves its release to the backlog: the undo may not have been
 * sent, or not been carried out. In a forked child the token is the parent's. */
void lock_attempt_release_later(const lock_attempt *attempt);

/* To be called after an undo was sent on a connection to the queue node that is closed since. The undo may arrive
 * late, behind what is sent on a new connection by then, and must not find there what it undoes. So the waiter id and
 * the token are drawn anew. A token of the caller's stays: if the undo releases it, it is not tried at that node
 * again. */
void lock_attempt_draw_anew(lock_attempt *attempt);

/* Gives back a lock that was taken, but too late to be of use, or with too few replicas that have it. */
void lock_attempt_give_back(lock_attempt *attempt);

/* Undoes what the failed try may have done on the one node, and closes the connection behind it. */
void lock_attempt_undo_single(lock_attempt *attempt);

/* With several nodes: undoes what the try left if it is of no use, behind the try and without waiting for the reply.
 * `bypasses`: the place in line goes on. */
void lock_attempt_clean_up(lock_attempt *attempt, bool bypasses, lock_answer *answer);

/* With several nodes: undoes at each of them the try that has taken the lock, and draws new ids. What was sent last may have
 * run at some of them. Returns whether a majority has answered that. */
bool lock_attempt_undo_everywhere(lock_attempt *attempt, bool bypasses);

/* Excludes the nodes where an undo of the caller's token may still arrive late. */
void lock_attempt_skip_undone(lock_attempt *attempt);

/* Clears the notes of undos for the nodes that replied: what was sent on the same connection before has run. */
void lock_attempt_note_answered(lock_attempt *attempt);

#endif

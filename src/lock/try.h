/* SPDX-License-Identifier: MIT
 *
 * lock/try: one try to take a lock, on all nodes.
 */
#ifndef REDISLOCK_LOCK_TRY_H
#define REDISLOCK_LOCK_TRY_H

#include "lock/attempt.h"

/* How one try is made. */
typedef struct lock_try {
    int64_t wait_ms;     /* for how many ms the waiter will still wait: -1 is without end, 0 is not any longer */
    bool by_script;      /* not by a plain SET, even if that would do */
    bool leaves;         /* the queue is left behind this try: the caller undoes what it may have done at a lone node */
    rl_conn *bypass;     /* stands in for the connection to the queue node, where the waiter stays in line; or NULL */
    const rl_hook *hook; /* may end the try; NULL: nothing does */
} lock_try;

/* Tries to take the lock on all nodes by an ordinary try, sent at `now`: if a baton was served, by claiming with it. What the
 * try did that is of no use is undone. */
lock_answer lock_attempt_try(lock_attempt *attempt, int64_t now);

/* Tries once, as `how` says. The caller sets the times of the request in the attempt's clock before. */
lock_answer lock_attempt_try_once(lock_attempt *attempt, const lock_try *how);

/* Returns whether a majority would have answered the last try, had there been more time. */
bool lock_attempt_ran_out_of_time(const lock_attempt *attempt);

/* Reads a reply of the acquire, acquire_alone or look script: {status from -1 to 2, number not negative}. Returns false if the
 * reply is malformed. */
bool lock_answer_read(const redisReply *reply, long long *status, long long *number);

#endif

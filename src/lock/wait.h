/* SPDX-License-Identifier: MIT
 *
 * lock/wait: waiting for one's turn, first come first served, woken by the server.
 *
 * The waiter blocks in one BLPOP on the lock's baton list until its deadline: Redis serves blocked clients in order of
 * arrival and forgets those that disconnect, so its own queue is the fair queue. Blocking again would lose the place,
 * so the waiter blocks only once. From a second connection it looks now and then (see lua/inc/watch.lua) whether
 * the holder died. If the server refuses that connection, it goes on waiting, and tries to connect again. A baton is
 * only a hint: the lock is ours when the claim says so.
 */
#ifndef REDISLOCK_LOCK_WAIT_H
#define REDISLOCK_LOCK_WAIT_H

#include "lock/attempt.h"

/* Waits for the lock after a try that found it held: `first` is what came of that. Returns what came of the last try:
 * ATTEMPT_ACQUIRED; ATTEMPT_BUSY at the deadline or ATTEMPT_QUEUE_FULL, after giving up the place in the queue; or
 * ATTEMPT_FAILED with attempt->error. */
lock_answer lock_wait(lock_attempt *attempt, lock_answer first);

#ifdef REDISLOCK_TEST
/* Called between a try that found the lock held and the BLPOP, to show that no release is missed in between. */
extern void (*lock_wait_before_blocking)(void);
#endif

#endif

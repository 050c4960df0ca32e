/* SPDX-License-Identifier: MIT
 *
 * lock/batch: the leases that one request renews: those of a group that are due together.
 */
#ifndef REDISLOCK_LOCK_BATCH_H
#define REDISLOCK_LOCK_BATCH_H

#include "lock/renewal_table.h"

/* Moves the renewals that are due from the schedule into the batch. Under the mutex. A batch that is not answered gives way to
 * the next one when a third of the lease of that has passed since it was due. */
void batch_fill(renewal_group *group, int64_t now);

/* Sends the request of a batch. It is given up after a third of the shortest lease, so that there is time for another one, over
 * a new connection. */
void batch_send(renewal_group *group, int64_t now);

/* Returns until when the answers to a batch are awaited; 0: no longer. */
int64_t batch_await_until(renewal_group *group, int64_t now);

/* Ends a batch whose answers have come, or were awaited for long enough. */
void batch_settle(lock_renewer *renewer, renewal_group *group, int64_t now);

/* Gives up what was sent, and frees what the request needed. */
void batch_close(renewal_group *group);

#endif

/* SPDX-License-Identifier: MIT
 *
 * lock/tally: counts what became of locks, in the stats and the metrics of a client, and tells of slow ones. It reads no clock:
 * the times are those that the calls have taken.
 */
#ifndef REDISLOCK_LOCK_TALLY_H
#define REDISLOCK_LOCK_TALLY_H

#include "invariant.h"
#include "lock/lease.h"
#include "metrics/metrics.h"

/* Returns the group of the lock, which the lease is told for next time. NULL: none is known. */
static inline unsigned lock_tally_group(const lock_client *client, rl_bytes name, lock_lease *lease)
{
    unsigned group = lease != NULL ? lease->group : 0;

    RL_INVARIANT(client->metrics != NULL);
    if (group == 0) {
        group = client->group != 0 ? client->group : metrics_group_of(client->metrics, name.at, name.len);
    }
    if (lease != NULL) {
        lease->group = (unsigned char)group;
    }
    return group;
}

/* Tells of a wait or hold that took that long. */
static inline void lock_tally_slow(const lock_client *client, rl_bytes name, lock_slow what, int64_t span)
{
    const lock_slow_terms *slow = client->slow;

    if (slow != NULL && span >= (what == LOCK_SLOW_HOLD ? slow->hold : slow->wait)) {
        slow->tell(slow->arg, name, what, span);
    }
}

/* Counts a lock that was acquired, by a call that began at `began`. `waited`: it was held by another at first. */
static inline void lock_tally_acquired(const lock_client *client, rl_bytes name, lock_lease *lease, int64_t began,
                                       bool waited)
{
    lock_tally_slow(client, name, LOCK_SLOW_WAIT, lease->acquired_at - began);
    if (client->metrics != NULL) {
        unsigned group = lock_tally_group(client, name, lease);
        metrics_observe(client->metrics, group, METRICS_WAIT, lease->acquired_at - began);
        if (waited) {
            metrics_add(client->metrics, group, METRICS_WAITED, 1);
        }
    }
}

/* Returns as what a call counts that has acquired nothing. */
static inline metrics_count lock_tally_failure(lock_outcome outcome, bool full, bool waited)
{
    if (outcome == LOCK_BUSY) {
        return full ? METRICS_REFUSED_FULL : waited ? METRICS_TIMED_OUT : METRICS_REFUSED_HELD;
    }
    return outcome == LOCK_INTERRUPTED ? METRICS_INTERRUPTED : METRICS_FAILED;
}

/* Counts one thing that came of a lock. `lease` may be NULL. */
static inline void lock_tally(const lock_client *client, rl_bytes name, lock_lease *lease, metrics_count count)
{
    if (client->metrics != NULL) {
        metrics_add(client->metrics, lock_tally_group(client, name, lease), count, 1);
    }
}

/* Counts a release with this outcome, requested at `at`. */
static inline void lock_tally_released(const lock_client *client, rl_bytes name, lock_lease *lease, int64_t at,
                                       lock_outcome outcome)
{
    client->stats->released += outcome == LOCK_YES;
    client->stats->lost += outcome == LOCK_NOT_OWNED;
    if (lease->acquired_at != 0 && outcome != LOCK_FAILED) {
        lock_tally_slow(client, name, LOCK_SLOW_HOLD, at - lease->acquired_at);
    }
    if (client->metrics == NULL || outcome == LOCK_FAILED) {
        return;
    }
    unsigned group = lock_tally_group(client, name, lease);
    if (outcome == LOCK_YES && lease->acquired_at != 0) {
        metrics_observe(client->metrics, group, METRICS_HOLD, at - lease->acquired_at);
    } else {
        metrics_add(client->metrics, group, outcome == LOCK_YES ? METRICS_UNTIMED : METRICS_LOST, 1);
    }
}

#endif

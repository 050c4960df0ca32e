/* SPDX-License-Identifier: MIT
 *
 * lock/query: one question about a lock to all nodes, as a script with the lock's keys.
 */
#ifndef REDISLOCK_LOCK_QUERY_H
#define REDISLOCK_LOCK_QUERY_H

#include "lock/client.h"
#include "lock/keys.h"
#include "redis/session.h"

/* A question to all nodes, and what it needs while it is under way. */
typedef struct lock_query {
    rl_clock clock;
    rl_request *request;
    lock_keys keys;
    char baton[LOCK_BATON_LEN];
    char digits[RL_DIGITS];
    rl_session session;
} lock_query;

/* Opens a question of the script, which may take `budget`. The caller adds the arguments to `request`. */
void lock_query_open(lock_query *query, const lock_client *client, rl_bytes name, const rl_script *script, bool fence,
                     int64_t budget);
void lock_query_close(lock_query *query);

/* How a question is asked that each node answers by 1 or 0. No hook ends it: the request is short, and one that is cut
 * off would leave the caller with an unknown outcome. */
extern const rl_policy lock_query_voting;

/* Asks what stands in `request`, or what the caller has put in its place. LOCK_YES: a majority of ones. LOCK_NOT_OWNED: there
 * can be none. LOCK_FAILED with the error: that depends on nodes that gave no good answer. */
lock_outcome lock_query_vote(lock_query *query, const rl_policy *policy, rl_error *error);

#endif

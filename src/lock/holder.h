/* SPDX-License-Identifier: MIT
 *
 * lock/holder: who holds a lock, by what servers answer to rl_script_owner.
 */
#ifndef REDISLOCK_LOCK_HOLDER_H
#define REDISLOCK_LOCK_HOLDER_H

#include "lock/client.h"
#include "redis/session.h"

/* The answer of a node: {token or nil, ms, fence or nil [, waiters]}. */
typedef struct lock_node_holder {
    rl_bytes token; /* points into the reply; .at is NULL: nobody holds the lock there */
    int64_t left;   /* µs left of the lease; PLATFORM_NEVER: it has no end */
    int64_t fence;  /* 0: none */
    int64_t waiters;
    size_t fence_nodes; /* of the holder by a majority: how many nodes have this fence */
} lock_node_holder;

/* Reads the answer to a call. Returns false, with `out` undefined, if there is no good one. */
bool lock_holder_read(const rl_call *call, lock_node_holder *out);

/* Determines the holder from the answers of the nodes. LOCK_YES: a majority names the same token; `out` has it, the
 * time for which a majority will still keep the lock, and the highest fence. LOCK_NOT_OWNED: no token can have a
 * majority. LOCK_FAILED: it depends on the nodes that have not answered. */
lock_outcome lock_holder_by_majority(const rl_session *session, lock_node_holder *out);

/* For a policy: each well-formed answer is a yes; and it is decided when that function knows the holder, or cannot any more. */
rl_vote lock_holder_judge(const rl_call *call);
bool lock_holder_is_decided(const rl_session *session, size_t i, const rl_policy *policy);

#endif

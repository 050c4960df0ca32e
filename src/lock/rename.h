/* SPDX-License-Identifier: MIT
 *
 * lock/rename: the request by which a lock passes from its holder's token to that of the next holder in one step, and the
 * answer to it. For one server that is no cluster.
 */
#ifndef REDISLOCK_LOCK_RENAME_H
#define REDISLOCK_LOCK_RENAME_H

#include "lock/keys.h"
#include "redis/session.h"

/* The arguments of lua/rename.lua. `from2` is another token under which the lock may stand as well, since an earlier rename was
 * not answered. */
typedef struct lock_rename_args {
    rl_bytes from;          /* the token that holds the lock */
    rl_bytes to;            /* the one that takes its place */
    rl_bytes from2;         /* "": none */
    int64_t lease;          /* µs for which `to` holds it; PLATFORM_NEVER: without end */
    bool fences;            /* `to` gets a fencing token */
    char digits[RL_DIGITS]; /* written by lock_rename_request() */
} lock_rename_args;

/* Makes `request` the one that renames. It may be sent again: a repeat begins no lease anew, so the lease counts from before
 * the first one was sent. One that comes late, when the lock has passed on, changes nothing. The keys must be complete, and
 * they, the arguments and their bytes outlive the request. There must be no note of extensions, since it might outlive the next
 * lease: a holder with an extension whose answer was lost releases. */
void lock_rename_request(rl_request *request, const lock_keys *keys, lock_rename_args *args);

/* RL_VOTE_NO: the lock is none of these tokens', and nothing was changed. RL_VOTE_NONE: the reply is malformed, or there is
 * none. */
typedef struct lock_rename_answer {
    rl_vote vote;
    int64_t waiting; /* with a yes: how many waiters stand in line at the server */
    int64_t fence;   /* with a yes: the fencing token of `to`; 0: none was asked for */
} lock_rename_answer;

/* Reads the answer to a request of lock_rename_request(). */
lock_rename_answer lock_rename_read(const rl_call *call);

/* The same, of the vote alone, for an rl_policy. */
rl_vote lock_rename_judge(const rl_call *call);

#endif

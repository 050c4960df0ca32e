/* SPDX-License-Identifier: MIT
 *
 * lock/replicas: whether enough replicas have a lease that the server has just set.
 *
 * Redis replicates behind its answer, so a replica that is promoted may lack what the master has said yes to. WAIT asks
 * the master how many replicas have acknowledged all that was written over the same connection.
 */
#ifndef REDISLOCK_LOCK_REPLICAS_H
#define REDISLOCK_LOCK_REPLICAS_H

#include "lock/client.h"
#include "redis/session.h"

/* A lease that the server has just set, and how long its replication may take: until `deadline`, but no longer than
 * read_timeout and half of the lease; a millisecond in any case. */
typedef struct lock_replicated {
    const char *what;    /* the subject of the error's text, such as "the lock" */
    int64_t sent;        /* time just before the request that has set it was sent */
    int64_t duration;    /* µs of the lease */
    int64_t deadline;    /* when the caller's time is over */
    const rl_hook *hook; /* may end the wait; NULL: nothing does */
} lock_replicated;

/* Waits until as many replicas as the client asks for have what the questions of the session have just written: of a single
 * server, or of each node of a cluster that has answered one. Resets the session's calls. Breaks a connection over which the
 * WAIT is not answered.
 *
 * LOCK_YES: they have it. LOCK_FAILED: `error` says why; too few is RL_TOO_FEW, with the code NOREPLICAS.
 * LOCK_INTERRUPTED: the hook wants an end. The lease stays in the server all the same: a caller that has no use for it undoes
 * it. */
lock_outcome lock_replicas_ask(rl_session *session, const lock_client *client, const lock_replicated *lease,
                               rl_error *error);

/* The same, but LOCK_YES at once for a client that asks for no replicas. */
static inline lock_outcome lock_replicas_await(rl_session *session, const lock_client *client,
                                               const lock_replicated *lease, rl_error *error)
{
    return client->replicas == 0 ? LOCK_YES : lock_replicas_ask(session, client, lease, error);
}

#endif

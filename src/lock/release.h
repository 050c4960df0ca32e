/* SPDX-License-Identifier: MIT
 *
 * lock/release: the request that releases a lock, or gives back what an attempt to take it may have been given.
 */
#ifndef REDISLOCK_LOCK_RELEASE_H
#define REDISLOCK_LOCK_RELEASE_H

#include "lock/keys.h"
#include "redis/backlog.h"

/* The arguments of lua/release.lua. */
typedef struct lock_release_args {
    rl_bytes note;   /* key of the note of extensions, which goes with the lock; .at is NULL: there is none */
    rl_bytes token;  /* "" releases no lock */
    rl_bytes baton;  /* by which the lock is handed to the next waiter; "": the one that the token makes, one of ours */
    bool leaves;     /* a waiter, or one that may have become one, gives back its place in the queue */
    rl_bytes waiter; /* the waiter's id, "" where it has none */
    rl_bytes served; /* the baton that it was served and hands on; "*": it may have been served any; "": none */
} lock_release_args;

/* Makes `request` the release. The keys must be complete, and the bytes outlive the request. */
void lock_release_request(rl_request *request, const lock_keys *keys, const lock_release_args *args);

/* Leaves to the backlog what undoes an attempt to take the lock with this token, at one server (NULL: it has no backlog).
 * The keys must be complete. For the rest see rl_backlog_add(). */
void lock_release_undo_later(rl_backlog_server *server, const lock_keys *keys, rl_bytes token,
                             const rl_backlog_terms *terms, rl_call *carrier);

#endif

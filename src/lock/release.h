/* SPDX-License-Identifier: MIT
 *
 * lock/release: releases locks, many of them in one round trip, and leaves failed releases to the backlog; and the request
 * that does it, or gives back what an attempt to take a lock may have been given.
 */
#ifndef REDISLOCK_LOCK_RELEASE_H
#define REDISLOCK_LOCK_RELEASE_H

#include "lock/keys.h"
#include "lock/lease.h"
#include "redis/backlog.h"

/* Releases the lock of `lease` and hands it to the next waiter. From the call on, the lease counts as over.
 * LOCK_NOT_OWNED: the token did not own the lock any more. The release may have to be repeated because its reply was
 * lost, in this call or by another call for the same lease. A repeat that finds the token gone counts as done if the
 * lease still ran when its release was first requested. Takes no longer than `budget`.
 *
 * After LOCK_FAILED the release is in the pool's backlog. It is sent again when the server is reached, as long as
 * Redis may keep the lock. */
lock_outcome lock_release(const lock_client *client, rl_bytes name, lock_lease *lease, int64_t budget, rl_error *error);

/* Notes that a release was requested, but could not be sent since the server to ask is not known. The lease counts as
 * over from now on. A later lock_release() counts as the first one, as nothing was sent. */
void lock_release_mark_unsent(lock_lease *lease);

/* One of many locks to release. */
typedef struct lock_release_item {
    rl_bytes name;
    lock_lease *lease;
    lock_outcome outcome; /* filled by lock_release_all() */
} lock_release_item;

/* The releases that failed, of many. */
typedef struct lock_release_failures {
    size_t count;
    size_t repeated;        /* how many of them are in the backlog, which has room for so many only */
    lock_release_item last; /* the one that was first requested last; .name.at is NULL: none has failed */
    rl_error error;         /* why that failed */
} lock_release_failures;

/* Releases all items, LOCK_RELEASE_BATCH of them in one round trip. `budget` is how long it goes on without an answer:
 * it starts anew with each batch that is answered. So a server that goes on to answer releases them all, and from one
 * that falls silent the call returns in time: what is left is not sent then, but goes to the backlog as far as there is
 * room. `until` is a time at which the call ends in any case; PLATFORM_NEVER: there is none.
 *
 * With a budget of 0, and when `until` has come, one more batch is sent, but nobody waits for the replies: the outcomes
 * are LOCK_FAILED. With a budget below 0 none is sent. */
void lock_release_all(const lock_client *client, lock_release_item *items, size_t count, int64_t budget, int64_t until,
                      lock_release_failures *failures);

#define LOCK_RELEASE_BATCH 1000 /* locks: it keeps Redis busy for some milliseconds */

/* Puts the release into the pool's backlog without sending it now: after a failure that shows that no server would
 * answer. */
void lock_release_later(const lock_client *client, rl_bytes name, lock_lease *lease);

/* Does the same for a token under which a request without a reply may have taken the lock, for `duration`. The token
 * must not be used again. `is_drawn`: it was drawn here; otherwise it is the caller's, who may pass it to another call. */
void lock_release_token_later(const lock_client *client, rl_bytes name, rl_bytes token, bool is_drawn,
                              int64_t duration);

/* Does the same for the tokens before that of a turn to which the lock was passed on, if Redis does not say whose it is:
 * it may stand under one of them. */
void lock_release_before_later(const lock_client *client, rl_bytes name, const struct lock_turn *turn);

/* ---- the request ---- */

/* The arguments of lua/release.lua. */
typedef struct lock_release_args {
    rl_bytes note;   /* key of the note of extensions, which goes with the lock; .at is NULL: there is none */
    rl_bytes token;  /* "" releases no lock */
    rl_bytes baton;  /* by which the lock is handed to the next waiter; "": the one that the token makes, one of ours */
    bool leaves;     /* a waiter, or one that may have become one, gives back its place in the queue */
    rl_bytes waiter; /* the waiter's id, "" if it has none */
    rl_bytes served; /* the baton that it was served and hands on; "*": it may have been served any; "": none */
} lock_release_args;

/* Makes `request` the release. The keys must be complete, and the bytes outlive the request. */
void lock_release_request(rl_request *request, const lock_keys *keys, const lock_release_args *args);

/* Leaves to the backlog what undoes an attempt to take the lock with this token, at one server (NULL: it has no backlog).
 * The keys must be complete. For the rest see rl_backlog_add(). */
void lock_release_undo_later(rl_backlog_server *server, const lock_keys *keys, rl_bytes token,
                             const rl_backlog_terms *terms, rl_call *carrier);

#endif

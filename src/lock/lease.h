/* SPDX-License-Identifier: MIT
 *
 * lock/lease: a lock that was taken, for as long as its owner may count on it; and what is noted of its extensions.
 */
#ifndef REDISLOCK_LOCK_LEASE_H
#define REDISLOCK_LOCK_LEASE_H

#include "lock/client.h"

/* A lock that was taken, as far as its owner knows. lock_lease_free() frees what it has. */
typedef struct lock_lease {
    char *token;
    size_t token_len;
    int64_t sent;        /* time just before the command that acquired or extended the lock was sent */
    int64_t duration;    /* µs from `sent` on; PLATFORM_NEVER: without end */
    int64_t fence;       /* fencing token; 0 if there is none */
    int64_t acquired_at; /* when the answer came that filled the lease; 0: another process acquired it */

    /* Until when Redis may keep the lock, unanswered extensions included; 0: unknown. */
    int64_t server_expires_by;

    /* When the release was first requested, which ends the lease for its owner; 0: not yet. */
    int64_t release_requested_at;

    int64_t longest;     /* µs: the longest duration that Redis was asked for, whether it has answered or not */
    bool is_noted;       /* an extension may have left a note beside the lock: see lock_lease_may_have_note() */
    bool is_doubted;     /* an extension of the lease has had no answer, and may still arrive */
    bool is_unsure;      /* it was passed on, and its release asked for before it was known what Redis says to that */
    bool release_unsent; /* the release was requested but sent to no server: see lock_release_mark_unsent() */
    bool is_drawn;       /* the token was drawn here, and no caller knows it: nobody else takes a lock with it */
    bool makes_baton;    /* the token is known to be as lock_token_makes_baton() asks, since it was drawn here */
    bool has_slot;       /* it was taken in a cluster: `slot` is that of its key */
    unsigned char group; /* in which the metrics count the lock; 0: not known yet */
    unsigned slot;       /* for the release, which need not compute it again */
    unsigned spared;     /* a bit for each server that was never asked for the lock: it is not there */
    unsigned unheard;    /* and for each that was asked and has not answered: it may have taken the lock late */

    struct lock_turn *turn; /* among the processes of this machine: see lock/pass.h; NULL: none */
} lock_lease;

/* The owner token, which points into the lease. */
static inline rl_bytes lock_lease_token(const lock_lease *lease)
{
    return (rl_bytes){lease->token, lease->token_len};
}

/* Returns the validity of the lease that is left at `now`, in µs: the lease less 1 % and 2 ms for clock drift, as in
 * Redlock, and less a step of our clock. 0 when it is over or its release was requested, PLATFORM_NEVER when it does not
 * end. */
int64_t lock_lease_validity(const lock_lease *lease, int64_t now);

/* Fills `lease` for a lock that Redis has confirmed by `now` to be this token's, and copies the token. For `sent` and
 * `duration` see lock_lease_set(). */
void lock_lease_fill(lock_lease *lease, rl_bytes token, int64_t now, int64_t sent, int64_t duration, int64_t fence);

/* Sets the lease to count for `duration` from `sent` on, as Redis has confirmed by `now`. */
void lock_lease_set(lock_lease *lease, int64_t now, int64_t sent, int64_t duration);

/* Notes that Redis may keep the lock for `duration` from `now` on, whatever becomes of the lease. It may have begun to count
 * at any time since the request was sent, so the latest is assumed. */
void lock_lease_note_server_expiry(lock_lease *lease, int64_t now, int64_t duration);

/* The slot of the lock's key if the servers are a cluster, else 0: computed unless the lease tells. */
static inline unsigned lock_lease_slot(const lock_lease *lease, const lock_client *client, rl_bytes key)
{
    return lease->has_slot ? lease->slot : rl_target_slot(&client->target, key);
}

/* May a note of extensions stand beside the lock, as far as the lease and the client know? It is to go with the lock. */
bool lock_lease_may_have_note(const lock_lease *lease, const lock_client *client);

/* By how many ms whoever counts on a lease that another one has set moves its end: as in lua/inc/mark.lua. */
#define LOCK_MARK_MS 5

/* By how many ms an end is moved at most: an extension whose end would come less than a mark before the one that it finds moves
 * it a mark behind that. */
#define LOCK_MARK_MOST_MS (2 * LOCK_MARK_MS - 1)

/* Returns until when Redis may keep a lock whose lease of `duration` it has set by `now`: by our clock, from which its own
 * differs by as much as lock_lease_validity() allows for. The end may have been marked. */
int64_t lock_lease_ends_by(int64_t now, int64_t duration);

/* Returns for how many µs Redis may still keep a lock whose release has failed; PLATFORM_NEVER if the lease does not end. */
int64_t lock_lease_server_remaining(const lock_lease *lease, int64_t now);

/* Also ends its turn. */
void lock_lease_free(lock_lease *lease);

/* ---- extensions ---- */

/* One extension, as it is passed to the scripts. */
typedef struct lock_extension {
    rl_bytes source; /* lock_extensions.source */
    int64_t at;      /* when it was first requested: a repeat has the same */
    bool doubts;     /* an earlier extension, whose reply was lost, may still arrive */
} lock_extension;

/* Returns what a script needs to know of an extension that is requested now. */
lock_extension lock_extension_begin(const lock_client *client);

/* Notes that the reply to an extension was lost. */
void lock_extension_doubt(lock_extensions *extensions);

/* Returns whether an extension of this process, whose reply was lost, may still arrive. */
bool lock_extension_is_doubted(const lock_client *client);

#endif

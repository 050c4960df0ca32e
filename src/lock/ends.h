/* SPDX-License-Identifier: MIT
 *
 * lock/ends: when leases end by the clocks of their servers, as the answers to renewals tell it.
 *
 * A renewal only makes a lease longer. So a lease stays long when its server's clock is set back, also when its holder has
 * died. But the renewal knows the end that it has set last on each server. If that is farther off than a lease lasts, the
 * clock was set back, and the next renewal may make the lease short again, as long as that is its end: nobody else has set it
 * since, and counts on it.
 */
#ifndef REDISLOCK_LOCK_ENDS_H
#define REDISLOCK_LOCK_ENDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "platform/hiredis.h"

/* A server's reply to the renewal of many leases: see lua/renew.lua. */
typedef struct lock_renew_reply {
    const char *words; /* one character for each lease: 1, 0, + or - */
    int64_t began_ms;  /* the server's time when it had the request, in ms since 1970 */
    int64_t took_ms;   /* ms that passed by its clock until it was done */
    const char *lefts; /* the numbers that have not been read yet: what is left of each lease with a + */
    int64_t left_ms;   /* ms of the lease that was noted last, on this server; -1: it has no end */
} lock_renew_reply;

/* Reads the reply to the renewal of `count` leases. Its words point into the reply. Returns false if it is malformed. */
bool lock_renew_reply_read(lock_renew_reply *out, const redisReply *reply, size_t count);

/* The ends of one lease. All zero at first, but for `at_ms`, which has room for a number of each server. */
typedef struct lock_ends {
    int64_t
        *at_ms; /* the end that the renewal has set there, in ms since 1970; 0: unknown, or another one has set it */
    uint32_t too_far; /* a bit for each server: that end is farther off than the lease lasts */
} lock_ends;

/* Notes what the reply of the n-th server says of the lease, which is its next one: the i-th. `lease_ms`: what was asked for.
 * Returns whether the end turned out to be too far off, and was not before. */
bool lock_ends_note(lock_ends *ends, size_t n, lock_renew_reply *reply, size_t i, int64_t lease_ms);

/* The end that the next renewal may bring closer on the n-th server, in ms since 1970; 0: there is none. */
static inline int64_t lock_ends_too_far_ms(const lock_ends *ends, size_t n)
{
    return (ends->too_far >> n & 1) != 0 ? ends->at_ms[n] : 0;
}

#endif

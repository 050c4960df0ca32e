/* SPDX-License-Identifier: MIT
 *
 * lock/lease: see lock/lease.h.
 */
#include "lock/lease.h"

#include <stdlib.h>
#include <string.h>

#include "invariant.h"
#include "lock/local/succession.h"
#include "platform/platform.h"

#define DRIFT_PERCENT 1
#define DRIFT_MIN     (2 * PLATFORM_MSEC)

/* For how long a failed release is sent again if the lease is unknown, since the token came from elsewhere. */
#define UNKNOWN_LEASE (30 * PLATFORM_SEC)

/* Clock drift: what is taken off a lease for clocks that run at different speeds and for Redis' rounding to milliseconds, as in
 * Redlock. When our clock moves in steps, it may be behind by one. */
static int64_t drift_of(int64_t duration)
{
    return duration / 100 * DRIFT_PERCENT + DRIFT_MIN + platform_clock_step();
}

int64_t lock_lease_validity(const lock_lease *lease, int64_t now)
{
    int64_t left;

    if (lease->release_requested_at != 0) {
        return 0;
    }
    if (lease->duration == PLATFORM_NEVER) {
        return PLATFORM_NEVER;
    }
    left = lease->duration - drift_of(lease->duration) - (now - lease->sent);
    return left > 0 ? left : 0;
}

int64_t lock_lease_ends_by(int64_t now, int64_t duration)
{
    return platform_after(platform_after(now, duration), drift_of(duration) + LOCK_MARK_MOST_MS * PLATFORM_MSEC);
}

int64_t lock_lease_server_remaining(const lock_lease *lease, int64_t now)
{
    int64_t ends_at = lease->server_expires_by != 0 ? lease->server_expires_by
                                                    : platform_after(lease->release_requested_at, UNKNOWN_LEASE);

    return ends_at == PLATFORM_NEVER ? ends_at : platform_later(ends_at - now, 0);
}

bool lock_lease_may_have_note(const lock_lease *lease, const lock_client *client)
{
    return lease->is_noted || lock_extension_is_doubted(client);
}

void lock_lease_free(lock_lease *lease)
{
    if (lease->turn != NULL) {
        lock_turn_leave(lease->turn);
    }
    free(lease->token);
    memset(lease, 0, sizeof(*lease));
}

void lock_lease_note_server_expiry(lock_lease *lease, int64_t now, int64_t duration)
{
    lease->server_expires_by = platform_later(lease->server_expires_by, lock_lease_ends_by(now, duration));
    lease->longest = platform_later(lease->longest, duration);
}

void lock_lease_set(lock_lease *lease, int64_t now, int64_t sent, int64_t duration)
{
    RL_INVARIANT(sent <= now && duration >= 0); /* L9 */
    lease->sent = sent;
    lease->duration = duration;
    lock_lease_note_server_expiry(lease, now, duration);
}

void lock_lease_fill(lock_lease *lease, rl_bytes token, int64_t now, int64_t sent, int64_t duration, int64_t fence)
{
    *lease = (lock_lease){
        .token = platform_memdup(token.at, token.len), .token_len = token.len, .fence = fence, .acquired_at = now};
    lock_lease_set(lease, now, sent, duration);
}

/* ---- extensions ---- */

/* How long an extension without a reply may still arrive: longer than any network or proxy keeps a request. */
#define LONGEST_DOUBT (3600 * PLATFORM_SEC)

lock_extension lock_extension_begin(const lock_client *client)
{
    lock_extensions *all = client->extensions;
    int64_t process = platform_process();

    if (all->process != process) {
        platform_random_hex(all->source, LOCK_SOURCE_LEN / 2);
        all->process = process;
        all->doubt_until = 0;
    }
    return (lock_extension){{all->source, LOCK_SOURCE_LEN}, platform_now(), lock_extension_is_doubted(client)};
}

bool lock_extension_is_doubted(const lock_client *client)
{
    return client->extensions->doubt_until != 0 && platform_now() < client->extensions->doubt_until;
}

void lock_extension_doubt(lock_extensions *extensions)
{
    extensions->doubt_until = platform_now() + LONGEST_DOUBT;
}

/* SPDX-License-Identifier: MIT
 *
 * check_notice: the properties of what a holder is told while it works. See check.h.
 */
#include <inttypes.h>

#include "check.h"
#include "notice.h"
#include "platform/platform.h"

/* How long what has to be done at once may take, beside the time for which the process was held up. */
#define AT_ONCE (3 * MSEC)

/* After this time a notice that was put off is looked at again. */
#define TRIED_AGAIN (2 * MSEC)

/* By how many µs at most a simulated clock that is slow goes back at the end of each ms: see clock_at() and clock_draw().
 * Whoever was interrupted just then was so by what the clock had shown before. */
#define GOES_BACK 3

/* The lease as it is published now, with its duration also if it is lost. */
static lock_renewal_state read_lease(const sim_notice *notice, lock_lease *lease)
{
    lock_renewal_state state = LOCK_RENEWAL_ON;

    *lease = (lock_lease){.sent = notice->sent, .duration = notice->duration};
    if (notice->renewal != NULL) {
        state = lock_renewal_read(notice->renewal, lease, 0);
    }
    lease->duration = notice->duration;
    return state;
}

/* Is the lease neither lost nor within its margin? */
static bool is_fine(const sim_notice *notice, const lock_lease *lease, int64_t now)
{
    return lease->duration != 0 && lock_lease_validity(lease, now) > notice->margin;
}

static bool is_late(const sim_notice *notice, int64_t since)
{
    return world.now - since > AT_ONCE + process_idled(&notice->client->process, since);
}

/* Was the holder interrupted for the loss of this lease, or told of it? It is told without an interrupt of its own if an answer
 * came too late, between the one for the lease before and the look at it. */
static bool has_heard_of(const sim_notice *notice, const lock_lease *lease)
{
    return notice->interrupted_for == lease->sent || notice->told_of == lease->sent;
}

/* A lease whose margin has begun, which was not renewed, has interrupted its holder. One that the server refuses is seen to by
 * check_renewal_refused(). */
static void check_margin(const sim_notice *notice)
{
    lock_lease lease;
    lock_renewal_state state = read_lease(notice, &lease);

    if (notice->margin == 0 || state == LOCK_RENEWAL_REFUSED || has_heard_of(notice, &lease)) {
        return;
    }
    const sim_clock *clock = &notice->client->process.clock;
    int64_t margin_at = lease.sent + lock_lease_validity(&lease, lease.sent) - notice->margin;
    int64_t late = clock_true_span(clock, clock_at(clock, world.now) - margin_at);
    if (late > 0 && is_late(notice, platform_later(world.now - late, notice->settled_at))) {
        violated("told in time", "client %d is not told that %s ends, for which it had asked %" PRId64 " ms ago",
                 notice->client->process.index, lock_text(notice->lock), late / MSEC);
    }
}

/* Has the reminder gone with the renewal of its lock, which another client is just ending, in attach()? The client is
 * interrupted when that has ended. */
static bool awaits_an_end(const sim_client *client)
{
    return client->reminded >= 0 && client->held[client->reminded].renewal == NULL;
}

/* A notice that was put off interrupts again. */
static void check_put_off(const sim_notice *notice)
{
    const sim_client *client = notice->client;

    if (lock_renewal_has_notice(notice->renewal) && !client->has_notice && !awaits_an_end(client) &&
        is_late(notice, client->listened_at + TRIED_AGAIN)) {
        violated("told in time", "a notice of %s for client %d, which was put off, is forgotten",
                 lock_text(notice->lock), client->process.index);
    }
}

/* A holder hears also that its lease is no longer renewed. */
static void check_too_long(sim_notice *notice)
{
    lock_lease lease;

    if (read_lease(notice, &lease) != LOCK_RENEWAL_TOO_LONG || notice->gave_too_long) {
        return;
    }
    if (notice->too_long_for == 0) {
        notice->too_long_for = world.now;
    }
    if (!lock_renewal_has_notice(notice->renewal) && is_late(notice, notice->too_long_for)) {
        violated("told in time", "client %d is not told that it holds %s for too long", notice->client->process.index,
                 lock_text(notice->lock));
    }
}

void check_notice_due(sim_notice *notice)
{
    if (notice->renewal != NULL && !notice->stopped && !notice->client->process.dead) {
        check_margin(notice);
        check_put_off(notice);
        check_too_long(notice);
    }
}

void check_interrupted(sim_notice *notice)
{
    lock_lease lease;

    if (notice->client->process.dead) {
        return;
    }
    if (notice->ended) {
        violated("told no more", "client %d is interrupted for %s, whose renewing has ended",
                 notice->client->process.index, lock_text(notice->lock));
        return;
    }
    if (!notice->stopped) {
        check_margin(notice);
    }
    bool is_lost = read_lease(notice, &lease) == LOCK_RENEWAL_REFUSED;
    if (is_lost || !is_fine(notice, &lease, clock_at(&notice->client->process.clock, world.now) + GOES_BACK)) {
        notice->is_due |= notice->interrupted_for != lease.sent;
        notice->interrupted_for = lease.sent;
    }
}

void check_refused_is_told(const sim_notice *notice)
{
    lock_lease lease;

    read_lease(notice, &lease);
    if (notice->margin > 0 && notice->renewal != NULL && !notice->stopped && !has_heard_of(notice, &lease)) {
        violated("told in time", "client %d is not told that the server refuses to renew %s",
                 notice->client->process.index, lock_text(notice->lock));
    }
}

void check_notices(sim_notice *notice, const lock_lease *lease, unsigned notices, int64_t now)
{
    int client = notice->client->process.index;

    if (notice->client->process.dead) {
        return;
    }
    if ((notices & LOCK_NOTICE_LOSS) != 0) {
        if (notice->margin == 0 || is_fine(notice, lease, now)) {
            violated("told of nothing", "client %d is told that it loses %s, of which it has %" PRId64 " µs", client,
                     lock_text(notice->lock), lock_lease_validity(lease, now));
        } else if (!notice->is_due && !notice->reminds) {
            violated("told once", "client %d is told twice that it loses %s", client, lock_text(notice->lock));
        }
        notice->is_due = false;
        notice->told_of = lease->sent;
    }
    if ((notices & LOCK_NOTICE_TOO_LONG) != 0) {
        if (now < notice->hold_until || notice->gave_too_long) {
            violated(notice->gave_too_long ? "told once" : "told of nothing",
                     "client %d is told that it holds %s for too long", client, lock_text(notice->lock));
        }
        notice->gave_too_long = true;
    }
}

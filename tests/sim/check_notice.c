/* SPDX-License-Identifier: MIT
 *
 * check_notice: the properties of what a holder is told while it works. See check.h.
 */
#include <inttypes.h>

#include "check.h"
#include "notice.h"
#include "platform.h"

/* How long what has to be done at once may take, beside the time for which the process was held up. */
#define AT_ONCE (3 * MSEC)

/* After this time a notice that was put off is looked at again. */
#define TRIED_AGAIN (2 * MSEC)

/* The lease as it is published now, with its duration also if it is lost. */
static lock_renewal_state read_lease(const sim_alarm *alarm, lock_lease *lease)
{
    lock_renewal_state state = LOCK_RENEWAL_ON;

    *lease = (lock_lease){.sent = alarm->sent, .duration = alarm->duration};
    if (alarm->renewal != NULL) {
        state = lock_renewal_read(alarm->renewal, lease, 0);
    }
    lease->duration = alarm->duration;
    return state;
}

/* Is the lease neither lost nor within its margin? */
static bool is_fine(const sim_alarm *alarm, const lock_lease *lease, int64_t now)
{
    return lease->duration != 0 && lock_lease_validity(lease, now) > alarm->margin;
}

static bool is_late(const sim_alarm *alarm, int64_t since)
{
    return world.now - since > AT_ONCE + process_idled(&alarm->client->process, since);
}

/* Was the holder rung for the loss of this lease, or told of it? It is told without such a ring if an answer came too late,
 * between a ring for the lease before and the look at it. */
static bool has_heard_of(const sim_alarm *alarm, const lock_lease *lease)
{
    return alarm->rung_of == lease->sent || alarm->told_of == lease->sent;
}

/* A lease whose margin has begun, which was not renewed, has rung. One that the server refuses is seen to by
 * check_renewal_refused(). */
static void check_margin(const sim_alarm *alarm)
{
    lock_lease lease;
    lock_renewal_state state = read_lease(alarm, &lease);

    if (alarm->margin == 0 || state == LOCK_RENEWAL_REFUSED || has_heard_of(alarm, &lease)) {
        return;
    }
    const sim_clock *clock = &alarm->client->process.clock;
    int64_t margin_at = lease.sent + lock_lease_validity(&lease, lease.sent) - alarm->margin;
    int64_t late = clock_true_span(clock, clock_at(clock, world.now) - margin_at);
    if (late > 0 && is_late(alarm, platform_later(world.now - late, alarm->settled_at))) {
        violated("told in time", "client %d is not told that %s ends, for which it had asked %" PRId64 " ms ago",
                 alarm->client->process.index, lock_text(alarm->lock), late / MSEC);
    }
}

/* Has the reminder gone with the renewal of its lock, which another client is just ending, in attach()? The bell rings when
 * that has ended. */
static bool awaits_an_end(const sim_client *client)
{
    return client->reminded >= 0 && client->held[client->reminded].renewal == NULL;
}

/* A notice that was put off rings again. */
static void check_put_off(const sim_alarm *alarm)
{
    const sim_client *client = alarm->client;

    if (lock_renewal_has_notice(alarm->renewal) && !client->rung && !awaits_an_end(client) &&
        is_late(alarm, client->listened_at + TRIED_AGAIN)) {
        violated("told in time", "a notice of %s for client %d, which was put off, is forgotten",
                 lock_text(alarm->lock), client->process.index);
    }
}

/* A holder hears also that its lease is renewed no more. */
static void check_too_long(sim_alarm *alarm)
{
    lock_lease lease;

    if (read_lease(alarm, &lease) != LOCK_RENEWAL_TOO_LONG || alarm->gave_too_long) {
        return;
    }
    if (alarm->too_long_for == 0) {
        alarm->too_long_for = world.now;
    }
    if (!lock_renewal_has_notice(alarm->renewal) && is_late(alarm, alarm->too_long_for)) {
        violated("told in time", "client %d is not told that it holds %s for too long", alarm->client->process.index,
                 lock_text(alarm->lock));
    }
}

void check_alarm(sim_alarm *alarm)
{
    if (alarm->renewal != NULL && !alarm->stopped && !alarm->client->process.dead) {
        check_margin(alarm);
        check_put_off(alarm);
        check_too_long(alarm);
    }
}

void check_rung(sim_alarm *alarm)
{
    lock_lease lease;

    if (alarm->client->process.dead) {
        return;
    }
    if (alarm->ended) {
        violated("told no more", "client %d is rung for %s, whose renewing has ended", alarm->client->process.index,
                 lock_text(alarm->lock));
        return;
    }
    if (!alarm->stopped) {
        check_margin(alarm);
    }
    bool is_lost = read_lease(alarm, &lease) == LOCK_RENEWAL_REFUSED;
    if (is_lost || !is_fine(alarm, &lease, clock_at(&alarm->client->process.clock, world.now))) {
        alarm->is_due |= alarm->rung_of != lease.sent;
        alarm->rung_of = lease.sent;
    }
}

void check_refused_is_told(const sim_alarm *alarm)
{
    lock_lease lease;

    read_lease(alarm, &lease);
    if (alarm->margin > 0 && alarm->renewal != NULL && !alarm->stopped && !has_heard_of(alarm, &lease)) {
        violated("told in time", "client %d is not told that the server refuses to renew %s",
                 alarm->client->process.index, lock_text(alarm->lock));
    }
}

void check_notices(sim_alarm *alarm, const lock_lease *lease, unsigned notices, int64_t now)
{
    int client = alarm->client->process.index;

    if (alarm->client->process.dead) {
        return;
    }
    if ((notices & LOCK_NOTICE_LOSS) != 0) {
        if (alarm->margin == 0 || is_fine(alarm, lease, now)) {
            violated("told of nothing", "client %d is told that it loses %s, of which it has %" PRId64 " µs", client,
                     lock_text(alarm->lock), lock_lease_validity(lease, now));
        } else if (!alarm->is_due && !alarm->reminds) {
            violated("told once", "client %d is told twice that it loses %s", client, lock_text(alarm->lock));
        }
        alarm->is_due = false;
        alarm->told_of = lease->sent;
    }
    if ((notices & LOCK_NOTICE_TOO_LONG) != 0) {
        if (now < alarm->hold_until || alarm->gave_too_long) {
            violated(alarm->gave_too_long ? "told once" : "told of nothing",
                     "client %d is told that it holds %s for too long", client, lock_text(alarm->lock));
        }
        alarm->gave_too_long = true;
    }
}

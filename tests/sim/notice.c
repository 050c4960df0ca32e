/* SPDX-License-Identifier: MIT
 *
 * notice: see notice.h. What is done here is what src/php/redislock/notice.c does.
 */
#include "notice.h"

#include "check.h"
#include "lock/renewal_table.h"
#include "platform/platform.h"

/* After this time a notice that could not be given is tried again. */
#define TRY_AGAIN (2 * MSEC)

/* ---- interrupts ---- */

static void interrupt(sim_client *client)
{
    client->has_notice = true;
    world_wake(client->napper);
}

/* Called by the renewing thread, too. */
static void on_notice(void *arg)
{
    sim_notice *notice = arg;

    check_interrupted(notice);
    interrupt(notice->client);
}

/* As in src/php/redislock/hold.c. */
static int64_t margin_of(const lock_lease *lease)
{
    return platform_earlier(platform_later(lease->duration / 6, 50 * MSEC), lease->duration / 3);
}

lock_renewal_terms notice_terms(sim_client *client, int lock, held_lock *held)
{
    sim_notice *notice = world_alloc(sizeof(*notice));

    *notice = (sim_notice){.client = client,
                           .lock = lock,
                           .settled_at = world.now,
                           .sent = held->lease.sent,
                           .duration = held->lease.duration,
                           .margin = held->hears ? margin_of(&held->lease) : 0,
                           .hold_until = held->hold_until};
    held->notice = notice;
    return (lock_renewal_terms){.hold_until = held->hold_until,
                                .stats = &client->renewals,
                                .margin = notice->margin,
                                .on_notice = on_notice,
                                .arg = notice};
}

void __wrap_renewal_set_notice_due(lock_renewal *renewal);
void __real_renewal_set_notice_due(lock_renewal *renewal);

/* When its notice is due is first set as a renewal begins. The thread may renew the lease and interrupt before the holder's
 * call that begins it returns. */
void __wrap_renewal_set_notice_due(lock_renewal *renewal)
{
    sim_notice *notice = renewal->terms.arg;

    if (!notice->ended) {
        notice->renewal = renewal;
    }
    __real_renewal_set_notice_due(renewal);
}

void notice_stop(held_lock *held)
{
    check_notice_due(held->notice);
    held->notice->stopped = true;
}

/* Other notices may wait for the reminder of this lock. */
void notice_ended(sim_client *client, held_lock *held)
{
    if (client->reminded == held->notice->lock) {
        client->reminded = -1;
        interrupt(client);
    }
    held->notice->renewal = NULL;
    held->notice->ended = true;
    held->notice = NULL;
}

/* ---- giving ---- */

static bool has_notice(const sim_client *client, int lock)
{
    return client->held[lock].renewal != NULL && lock_renewal_has_notice(client->held[lock].renewal);
}

/* What began behind the acquisition may have to end first, as a `finally` does. */
static bool may_be_given(sim_client *client)
{
    if (world.now >= client->held_back_until && chance_once_in(&world.chance, 3)) {
        int64_t most = chance_once_in(&world.chance, 3) ? 400 * MSEC : 60 * MSEC;
        client->held_back_until = world.now + chance_between(&world.chance, MSEC, most);
        tell("client %d: must not be interrupted for %d ms", client->process.index,
             (int)((client->held_back_until - world.now) / MSEC));
    }
    return world.now >= client->held_back_until;
}

/* What is told once of a lease is not told again. */
static void give(sim_client *client, int lock)
{
    held_lock *held = &client->held[lock];
    int64_t now = platform_now();
    unsigned notices = lock_renewal_take_notices(held->renewal, &held->lease, now);

    check_notices(held->notice, &held->lease, notices, now);
    if ((notices & LOCK_NOTICE_LOSS) != 0 && held->told != held->lease.sent) {
        held->told = held->lease.sent;
        tally.notices++;
        tell("client %d: is told that it loses %s", client->process.index, lock_text(lock));
    } else if ((notices & LOCK_NOTICE_TOO_LONG) != 0) {
        tell("client %d: is told that it holds %s for too long", client->process.index, lock_text(lock));
    }
}

/* One reminder is enough for all: an interrupt is for all. */
static void put_off_notices(sim_client *client)
{
    client->reminded = -1;
    client->listened_at = world.now;
    for (int lock = 0; lock < LOCKS; lock++) {
        if (client->reminded < 0 && has_notice(client, lock)) {
            client->reminded = lock;
            client->held[lock].notice->reminds = true;
            tally.notices_put_off++;
            lock_renewal_remind(client->held[lock].renewal, platform_now() + TRY_AGAIN);
        }
    }
}

void notice_look(sim_client *client)
{
    for (int lock = 0; lock < LOCKS; lock++) {
        if (client->held[lock].renewal != NULL && !client->process.dead) {
            check_notice_due(client->held[lock].notice);
        }
    }
    if (client->has_notice && !client->process.dead) {
        client->has_notice = false;
        client->listened_at = world.now; /* the process may be stopped before they are given */
        for (int lock = 0; lock < LOCKS; lock++) {
            if (has_notice(client, lock) && may_be_given(client)) {
                give(client, lock);
            }
        }
        put_off_notices(client);
    }
}

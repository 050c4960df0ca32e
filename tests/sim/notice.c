/* SPDX-License-Identifier: MIT
 *
 * notice: see notice.h. What is done here is what src/php/redislock/notice.c does.
 */
#include "notice.h"

#include "check.h"
#include "lock/renewal_table.h"
#include "platform.h"

/* After this time a notice that could not be given is tried again. */
#define TRY_AGAIN (2 * MSEC)

/* ---- rings ---- */

static void ring(sim_client *client)
{
    client->rung = true;
    world_wake(client->napper);
}

/* Called by the renewing thread, too. */
static void on_ring(void *arg)
{
    sim_alarm *alarm = arg;

    check_rung(alarm);
    ring(alarm->client);
}

/* As in src/php/redislock/hold.c. */
static int64_t margin_of(const lock_lease *lease)
{
    return platform_earlier(platform_later(lease->duration / 6, 50 * MSEC), lease->duration / 3);
}

lock_renewal_terms notice_terms(sim_client *client, int lock, held_lock *held)
{
    sim_alarm *alarm = world_alloc(sizeof(*alarm));

    *alarm = (sim_alarm){.client = client,
                         .lock = lock,
                         .settled_at = world.now,
                         .sent = held->lease.sent,
                         .duration = held->lease.duration,
                         .margin = held->hears ? margin_of(&held->lease) : 0,
                         .hold_until = held->hold_until};
    held->alarm = alarm;
    return (lock_renewal_terms){.hold_until = held->hold_until,
                                .stats = &client->renewals,
                                .margin = alarm->margin,
                                .tell = on_ring,
                                .arg = alarm};
}

void __wrap_renewal_set_notice_due(lock_renewal *renewal);
void __real_renewal_set_notice_due(lock_renewal *renewal);

/* With its first alarm, a renewal begins. The thread may renew the lease and ring before the holder's call that begins it
 * returns. */
void __wrap_renewal_set_notice_due(lock_renewal *renewal)
{
    sim_alarm *alarm = renewal->terms.arg;

    if (!alarm->ended) {
        alarm->renewal = renewal;
    }
    __real_renewal_set_notice_due(renewal);
}

void notice_stop(held_lock *held)
{
    check_alarm(held->alarm);
    held->alarm->stopped = true;
}

/* Other notices may wait for the reminder of this lock. */
void notice_ended(sim_client *client, held_lock *held)
{
    if (client->reminded == held->alarm->lock) {
        client->reminded = -1;
        ring(client);
    }
    held->alarm->renewal = NULL;
    held->alarm->ended = true;
    held->alarm = NULL;
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

    check_notices(held->alarm, &held->lease, notices, now);
    if ((notices & LOCK_NOTICE_LOSS) != 0 && held->told != held->lease.sent) {
        held->told = held->lease.sent;
        tally.notices++;
        tell("client %d: is told that it loses %s", client->process.index, lock_text(lock));
    } else if ((notices & LOCK_NOTICE_TOO_LONG) != 0) {
        tell("client %d: is told that it holds %s for too long", client->process.index, lock_text(lock));
    }
}

/* One reminder is enough for all: the bell rings for all. */
static void put_off_notices(sim_client *client)
{
    client->reminded = -1;
    client->listened_at = world.now;
    for (int lock = 0; lock < LOCKS; lock++) {
        if (client->reminded < 0 && has_notice(client, lock)) {
            client->reminded = lock;
            client->held[lock].alarm->reminds = true;
            tally.notices_put_off++;
            lock_renewal_remind(client->held[lock].renewal, platform_now() + TRY_AGAIN);
        }
    }
}

void notice_look(sim_client *client)
{
    for (int lock = 0; lock < LOCKS; lock++) {
        if (client->held[lock].renewal != NULL && !client->process.dead) {
            check_alarm(client->held[lock].alarm);
        }
    }
    if (client->rung && !client->process.dead) {
        client->rung = false;
        client->listened_at = world.now; /* the process may be stopped before they are given */
        for (int lock = 0; lock < LOCKS; lock++) {
            if (has_notice(client, lock) && may_be_given(client)) {
                give(client, lock);
            }
        }
        put_off_notices(client);
    }
}

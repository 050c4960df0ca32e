/* SPDX-License-Identifier: MIT
 *
 * lock/renewal_table: see lock/renewal_table.h.
 */
#include "lock/renewal_table.h"

#include <stdlib.h>

#include "platform.h"

static lock_renewal *of_turn(heap_entry *turn)
{
    return (lock_renewal *)((char *)turn - offsetof(lock_renewal, turn));
}

/* Returns the renewal whose turn comes first; NULL: there is none. */
lock_renewal *renewal_first_scheduled(const renewer_group *group)
{
    heap_entry *turn = heap_first(&group->line);

    return turn != NULL ? of_turn(turn) : NULL;
}

/* lock_renewal_begin() has made room for every renewal of the group. */
void renewal_schedule(lock_renewal *renewal, int64_t due_at)
{
    renewal->place = RENEWAL_IN_LINE;
    heap_add(&renewal->group->line, &renewal->turn, due_at);
}

void renewal_unschedule(lock_renewal *renewal)
{
    renewal->place = RENEWAL_OUT;
    heap_remove(&renewal->group->line, &renewal->turn);
}

void renewal_forget(lock_renewal *renewal)
{
    heap_remove(&renewal->renewer->alarms, &renewal->alarm);
    renewal->renewer->watched -= renewal->terms.tell != NULL;
    if (renewal->group != NULL) {
        renewal->group->renewals--;
    }
    free(renewal);
}

int64_t renewal_due_at(const lock_renewal *renewal, int64_t sent)
{
    return sent + renewal->duration / RENEWAL_DUE_PART;
}

/* ---- what becomes of a renewal; all under the mutex ---- */

bool renewal_is_on(const lock_renewal *renewal)
{
    return atomic_load(&renewal->state) == LOCK_RENEWAL_ON;
}

/* Leaves a notice for the holder, if it is not 0, and lets it know that there is one. */
void renewal_notify(lock_renewal *renewal, unsigned notice)
{
    if (!renewal->stopped && renewal->terms.tell != NULL) {
        atomic_fetch_or(&renewal->notices, notice);
        renewal->terms.tell(renewal->terms.arg);
    }
}

void renewal_tally(const lock_renewal *renewal, metrics_count count)
{
    if (renewal->metrics != NULL) {
        metrics_add(renewal->metrics, renewal->metrics_group, count, 1);
    }
}

/* A lease that is held for too long keeps its alarm, since it is lost only when it ends. One that was only watched does not
 * count as lost: its end was known from the start. */
void renewal_set_state(lock_renewal *renewal, lock_renewal_state state)
{
    if (!renewal_is_on(renewal)) {
        return;
    }
    atomic_store(&renewal->state, state);
    if (state == LOCK_RENEWAL_TOO_LONG) {
        renewal_notify(renewal, LOCK_NOTICE_TOO_LONG);
        return;
    }
    if (renewal->alarm.is_in) { /* otherwise the holder was told when the lease was nearly over */
        heap_remove(&renewal->renewer->alarms, &renewal->alarm);
        renewal_notify(renewal, LOCK_NOTICE_LOSS);
    }
    if (renewal->stats != NULL && renewal->group != NULL && !renewal->stopped) {
        renewal->stats->lost_while_held++;
        renewal_tally(renewal, METRICS_LOST_WHILE_HELD);
    }
}

void renewal_end_with(lock_renewal *renewal, lock_renewal_state state)
{
    renewal->place = RENEWAL_OUT;
    renewal_set_state(renewal, state);
}

bool renewal_is_lost(lock_renewal_state state)
{
    return state != LOCK_RENEWAL_ON && state != LOCK_RENEWAL_TOO_LONG;
}

static lock_lease lease_of(const lock_renewal *renewal)
{
    return (lock_lease){.sent = atomic_load(&renewal->sent), .duration = renewal->duration};
}

/* When its validity ends: now, if the holder was told that it has. */
int64_t renewal_ends_at(const lock_renewal *renewal, int64_t now)
{
    lock_lease lease = lease_of(renewal);

    return renewal_is_on(renewal) ? now + lock_lease_validity(&lease, now) : now;
}

/* When the margin begins, also of a lease that is renewed no more; PLATFORM_NEVER: it has none, or is lost already. */
int64_t renewal_margin_at(const lock_renewal *renewal)
{
    lock_lease lease = lease_of(renewal);

    if (renewal->terms.margin == 0 || renewal_is_lost((lock_renewal_state)atomic_load(&renewal->state))) {
        return PLATFORM_NEVER;
    }
    return lease.sent + lock_lease_validity(&lease, lease.sent) - renewal->terms.margin;
}

void renewal_set_notice_due(lock_renewal *renewal)
{
    heap *alarms = &renewal->renewer->alarms;

    heap_remove(alarms, &renewal->alarm);
    renewal->reminds = false;
    if (renewal_margin_at(renewal) != PLATFORM_NEVER && !renewal->stopped) {
        heap_add(alarms, &renewal->alarm, renewal_margin_at(renewal));
    }
}

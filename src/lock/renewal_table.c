/* SPDX-License-Identifier: MIT
 *
 * lock/renewal_table: see lock/renewal_table.h.
 */
#include "lock/renewal_table.h"

#include <stdlib.h>

#include "invariant.h"
#include "platform/platform.h"

static bool is_under_mutex(const lock_renewal *renewal)
{
    return threads_holds(&renewal->renewer->mutex);
}

static lock_renewal *of_due(heap_entry *due)
{
    return (lock_renewal *)((char *)due - offsetof(lock_renewal, due));
}

lock_renewal *renewal_first_scheduled(const renewal_group *group)
{
    heap_entry *due = heap_first(&group->schedule);

    return due != NULL ? of_due(due) : NULL;
}

void renewal_schedule(lock_renewal *renewal, int64_t due_at)
{
    RL_INVARIANT(is_under_mutex(renewal) && renewal->stage != RENEWAL_SCHEDULED && !renewal->stopped);
    RL_INVARIANT(renewal->group->schedule.count < renewal->group->renewals);
    renewal->stage = RENEWAL_SCHEDULED;
    heap_add(&renewal->group->schedule, &renewal->due, due_at);
}

void renewal_unschedule(lock_renewal *renewal)
{
    RL_INVARIANT(is_under_mutex(renewal) && renewal->stage == RENEWAL_SCHEDULED && renewal->due.is_in);
    renewal->stage = RENEWAL_IDLE;
    heap_remove(&renewal->group->schedule, &renewal->due);
}

void renewal_forget(lock_renewal *renewal)
{
    RL_INVARIANT(is_under_mutex(renewal) && renewal->stage == RENEWAL_IDLE && !renewal->due.is_in);
    heap_remove(&renewal->renewer->notices_due, &renewal->notice_due);
    renewal->renewer->watched -= renewal->terms.on_notice != NULL;
    if (renewal->group != NULL) {
        RL_INVARIANT(renewal->group->renewals > 0);
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

void renewal_notify(lock_renewal *renewal, unsigned notice)
{
    RL_INVARIANT(is_under_mutex(renewal));
    if (!renewal->stopped && renewal->terms.on_notice != NULL) {
        atomic_fetch_or(&renewal->notices, notice);
        renewal->terms.on_notice(renewal->terms.arg);
    }
}

void renewal_tally(const lock_renewal *renewal, metrics_count count)
{
    if (renewal->metrics != NULL) {
        metrics_add(renewal->metrics, renewal->metrics_group, count, 1);
    }
}

/* A lease that is held for too long keeps its due notice, since it is lost only when it ends. One that was only watched does
 * not count as lost: its end was known from the start. */
void renewal_set_state(lock_renewal *renewal, lock_renewal_state state)
{
    RL_INVARIANT(is_under_mutex(renewal) && state != LOCK_RENEWAL_ON);
    if (!renewal_is_on(renewal)) {
        return;
    }
    atomic_store(&renewal->state, state);
    if (state == LOCK_RENEWAL_TOO_LONG) {
        renewal_notify(renewal, LOCK_NOTICE_TOO_LONG);
        return;
    }
    if (renewal->notice_due.is_in) { /* otherwise the holder was told when the lease was nearly over */
        heap_remove(&renewal->renewer->notices_due, &renewal->notice_due);
        renewal_notify(renewal, LOCK_NOTICE_LOSS);
    }
    if (renewal->stats != NULL && renewal->group != NULL && !renewal->stopped) {
        renewal->stats->lost_while_held++;
        renewal_tally(renewal, METRICS_LOST_WHILE_HELD);
    }
}

void renewal_end_with(lock_renewal *renewal, lock_renewal_state state)
{
    RL_INVARIANT(!renewal->due.is_in);
    renewal->stage = RENEWAL_IDLE;
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

int64_t renewal_ends_at(const lock_renewal *renewal, int64_t now)
{
    lock_lease lease = lease_of(renewal);

    return renewal_is_on(renewal) ? now + lock_lease_validity(&lease, now) : now;
}

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
    heap *notices_due = &renewal->renewer->notices_due;

    RL_INVARIANT(is_under_mutex(renewal));
    heap_remove(notices_due, &renewal->notice_due);
    renewal->reminds = false;
    if (renewal_margin_at(renewal) != PLATFORM_NEVER && !renewal->stopped) {
        RL_INVARIANT(renewal->terms.on_notice != NULL && notices_due->count < renewal->renewer->watched);
        heap_add(notices_due, &renewal->notice_due, renewal_margin_at(renewal));
    }
}

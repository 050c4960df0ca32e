/* SPDX-License-Identifier: MIT
 *
 * lock/renewer: see lock/renewer.h.
 */
#include "lock/renewer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "invariant.h"
#include "lock/batch.h"
#include "lock/renewal_group.h"
#include "platform/platform.h"

/* ---- the loop ---- */

/* Notifies the holders of the leases that are nearly over, or are over; and those who are to be reminded. */
static void give_due_notices(lock_renewer *renewer, int64_t now)
{
    RL_INVARIANT(threads_holds(&renewer->mutex));
    while (heap_first_at(&renewer->notices_due) <= now) {
        lock_renewal *renewal = renewal_of_notice_due(heap_first(&renewer->notices_due));
        heap_remove(&renewer->notices_due, &renewal->notice_due);
        renewal->reminds = false;
        if (renewal_margin_at(renewal) <= now) {
            renewal_notify(renewal, LOCK_NOTICE_LOSS);
        } else {
            renewal_notify(renewal, 0);
            renewal_set_notice_due(renewal);
        }
    }
}

/* Finds out what is due at `now`, and sets until when the thread may sleep otherwise. Returns false if it is to end; otherwise
 * `groups` is the list as it is now. */
static bool look_at_table(lock_renewer *renewer, int64_t now, renewal_group **groups)
{
    renewal_group *dropped;
    bool goes_on;

    RL_INVARIANT(threads_holds(&renewer->gate));
    threads_lock(&renewer->mutex);
    renewer->published = renewer->traffic;
    dropped = renewal_groups_drop_idle(renewer);
    give_due_notices(renewer, now);
    renewer->wakes_at = heap_first_at(&renewer->notices_due);
    for (renewal_group *group = renewer->groups; group != NULL; group = group->next) {
        if (group->batch_count == 0) {
            batch_fill(group, now);
        }
        if (group->batch_count == 0) {
            renewer->wakes_at = platform_earlier(renewer->wakes_at, heap_first_at(&group->schedule));
        }
    }
    *groups = renewer->groups;
    goes_on = !renewer->stopping;
    threads_unlock(&renewer->mutex);
    renewal_groups_free(dropped);
    return goes_on;
}

/* Sends the batches that are new, and returns until when the thread may sleep: 0 if one can be settled at once. `conns`, the
 * connections of all batches, are counted. */
static int64_t send_batches(renewal_group *groups, int64_t now, size_t *conns)
{
    int64_t until = PLATFORM_NEVER;

    *conns = 0;
    for (renewal_group *group = groups; group != NULL; group = group->next) {
        if (group->batch_count == 0) {
            continue;
        }
        if (!group->is_sent) {
            batch_send(group, now);
        }
        until = platform_earlier(until, batch_await_until(group, now));
        *conns += group->session.nodes;
    }
    return until;
}

static void settle_batches(lock_renewer *renewer, renewal_group *groups, int64_t now)
{
    for (renewal_group *group = groups; group != NULL; group = group->next) {
        if (group->is_sent && batch_await_until(group, now) <= now) {
            batch_settle(renewer, group, now);
        }
    }
}

/* The room counts only when it is there: the end of memory may come in between. */
static void make_room_for_conns(lock_renewer *renewer, size_t count)
{
    size_t room = 2 * count;

    if (count > renewer->conns_room) {
        renewer->conns = platform_realloc(renewer->conns, room * sizeof(*renewer->conns));
        renewer->conns_room = room;
    }
}

static void make_room_for_interests(lock_renewer *renewer, size_t count)
{
    size_t room = 2 * count;

    if (renewer->interests == NULL || count > renewer->interests_room) {
        renewer->interests =
            platform_realloc(renewer->interests, (room + THREADS_WAKER_FDS) * sizeof(*renewer->interests));
        renewer->interests_room = room;
    }
}

/* Sleeps outside of the gate, until `until` at most, or something happens on a connection of a batch. */
static void sleep_outside(lock_renewer *renewer, renewal_group *groups, size_t count, int64_t until)
{
    size_t n = 0, interests;

    make_room_for_conns(renewer, count);
    for (renewal_group *group = groups; group != NULL; group = group->next) {
        if (group->is_sent) {
            memcpy(renewer->conns + n, group->session.conns, group->session.nodes * sizeof(*renewer->conns));
            n += group->session.nodes;
        }
    }
    interests = rl_poll_size(renewer->conns, count);
    make_room_for_interests(renewer, interests);
    until = platform_earlier(until, rl_poll_begin(renewer->conns, count, renewer->interests));
    threads_unlock(&renewer->gate);
    threads_sleep(&renewer->waker, renewer->interests, interests, until);
    RL_INVARIANT(!threads_holds(&renewer->mutex)); /* the gate comes first */
    threads_lock(&renewer->gate);
    rl_poll_end(renewer->conns, count, renewer->interests);
}

/* Only this thread takes groups out of the list, so that what look_at_table() returns stays valid for the round. */
static void renew_until_stopped(lock_renewer *renewer)
{
    renewal_group *groups;
    size_t conns;
    int64_t now = platform_now();

    while (look_at_table(renewer, now, &groups)) {
        int64_t until = send_batches(groups, now, &conns);
        if (until > 0) {
            sleep_outside(renewer, groups, conns, platform_earlier(until, renewer->wakes_at));
        }
        now = platform_now();
        settle_batches(renewer, groups, now);
    }
}

/* Settles the batches without an answer, so that nobody waits for them. */
static void abandon_batches(lock_renewer *renewer)
{
    for (renewal_group *group = renewer->groups; group != NULL; group = group->next) {
        if (group->is_sent) {
            batch_settle(renewer, group, platform_now());
        }
    }
}

/* After a failure in the midst of something: no lease is renewed any more, and the next one to begin starts another
 * thread. The connections are left as they are, open. */
static void give_up(lock_renewer *renewer)
{
    RL_INVARIANT(threads_holds(&renewer->gate) && !threads_holds(&renewer->mutex));
    threads_lock(&renewer->mutex);
    for (renewal_group *group = renewer->groups; group != NULL; group = group->next) {
        for (lock_renewal *renewal; (renewal = renewal_first_scheduled(group)) != NULL;) {
            renewal_unschedule(renewal);
            renewal_end_with(renewal, LOCK_RENEWAL_BROKEN);
        }
        for (size_t i = 0; i < group->batch_count; i++) {
            group->batch[i]->unanswered = true;
            renewal_end_with(group->batch[i], LOCK_RENEWAL_BROKEN);
            if (group->batch[i]->is_abandoned) {
                renewal_forget(group->batch[i]);
            }
        }
        group->batch_count = 0;
        group->is_sent = false;
    }
    for (heap_entry *due; (due = heap_first(&renewer->notices_due)) != NULL;) {
        heap_remove(&renewer->notices_due, due); /* of a lease that was only watched, or is no longer renewed */
        renewal_set_state(renewal_of_notice_due(due), LOCK_RENEWAL_BROKEN);
        renewal_notify(renewal_of_notice_due(due), LOCK_NOTICE_LOSS);
    }
    renewer->pool.count = 0;
    renewer->gave_up = true;
    threads_broadcast(&renewer->settled);
    threads_unlock(&renewer->mutex);
}

/* A failure is met with the gate, and never with the mutex: nothing is allocated under that. */
static void *run(void *arg)
{
    lock_renewer *renewer = arg;
    jmp_buf failure;

    threads_lock(&renewer->gate);
    if (setjmp(failure) == 0) {
        platform_escape_to(&failure);
        renew_until_stopped(renewer);
        abandon_batches(renewer);
    } else {
        give_up(renewer);
    }
    platform_escape_to(NULL);
    threads_unlock(&renewer->gate);
    return NULL;
}

/* ---- the thread ---- */

/* Frees the groups of the parents of this process. Nobody else frees the abandoned renewals in their batches. */
static void free_inherited(lock_renewer *renewer)
{
    for (renewal_group *group = renewer->inherited; group != NULL; group = group->next) {
        for (size_t i = 0; i < group->batch_count; i++) {
            free(group->batch[i]);
        }
    }
    renewal_groups_free(renewer->inherited);
    renewer->inherited = NULL;
}

/* Waits for the end of the thread, which is to end or has given up. */
static void join_thread(lock_renewer *renewer)
{
    threads_join(renewer->thread);
    threads_waker_close(&renewer->waker);
    renewer->running = renewer->gave_up = false;
}

/* Starts the thread if there is none: under the mutex. Returns false, with the error set, if it cannot. A child that starts one
 * frees what it has inherited first, so that this does not add up from one generation to the next. */
bool renewer_start(lock_renewer *renewer, rl_error *error)
{
    int problem;

    RL_INVARIANT(threads_holds(&renewer->mutex));
    if (renewer->gave_up) {
        join_thread(renewer); /* it needs no mutex any more */
    }
    if (renewer->running) {
        return true;
    }
    free_inherited(renewer);
    problem = threads_waker_open(&renewer->waker);
    if (problem == 0) {
        renewer->wakes_at = 0; /* until it has looked at the table */
        problem = threads_start(&renewer->thread, run, renewer);
        if (problem != 0) {
            threads_waker_close(&renewer->waker);
        }
    }
    renewer->running = problem == 0;
    if (problem != 0) {
        *error = (rl_error){.kind = RL_UNREACHABLE};
        snprintf(error->text, sizeof(error->text), "cannot start the thread that renews or watches leases (error %d)",
                 problem);
    }
    return renewer->running;
}

static void stop_thread(lock_renewer *renewer)
{
    threads_lock(&renewer->mutex);
    bool running = renewer->running;
    renewer->stopping = true;
    if (running) {
        threads_wake(&renewer->waker);
    }
    threads_unlock(&renewer->mutex);
    if (running) {
        join_thread(renewer);
    }
}

/* Wakes the thread if it would sleep for longer than until `when`: under the mutex. */
void renewer_wake_for(lock_renewer *renewer, int64_t when)
{
    RL_INVARIANT(threads_holds(&renewer->mutex));
    if (renewer->running && when < renewer->wakes_at) {
        threads_wake(&renewer->waker);
    }
}

/* ---- forks ---- */

/* All renewers of this process. Forks go through it, and the mutex guards it. */
static threads_mutex renewers_mutex = THREADS_MUTEX_INIT;
static lock_renewer *renewers;

static void before_fork(void)
{
    threads_lock(&renewers_mutex);
    for (lock_renewer *renewer = renewers; renewer != NULL; renewer = renewer->next) {
        RL_INVARIANT(!threads_holds(&renewer->mutex));
        threads_lock(&renewer->gate);
        threads_lock(&renewer->mutex);
    }
}

static void let_go_on(void)
{
    for (lock_renewer *renewer = renewers; renewer != NULL; renewer = renewer->next) {
        threads_unlock(&renewer->mutex);
        threads_unlock(&renewer->gate);
    }
    threads_unlock(&renewers_mutex);
}

/* Puts a group of the parent's aside. Renewals that were ended while their request was under way stay in it, to be freed with
 * it; the others are freed by their holders. */
static void inherit(lock_renewer *renewer, renewal_group *group)
{
    size_t abandoned = 0;

    for (size_t i = 0; i < group->batch_count; i++) {
        if (group->batch[i]->is_abandoned) {
            group->batch[abandoned++] = group->batch[i];
        }
    }
    group->batch_count = abandoned;
    group->next = renewer->inherited;
    renewer->inherited = group;
}

/* The child has no renewing thread, and none of the leases is its own. Nothing is freed here, in the midst of a fork: the
 * groups are freed with the renewer, or when the child starts a thread. Idle connections close when the pool finds that
 * they are the parent's. */
static void begin_child(void)
{
    for (lock_renewer *renewer = renewers; renewer != NULL; renewer = renewer->next) {
        if (renewer->running) {
            threads_waker_close(&renewer->waker);
            renewer->running = renewer->gave_up = false;
        }
        for (renewal_group *group = renewer->groups, *next; group != NULL; group = next) {
            next = group->next;
            inherit(renewer, group);
        }
        renewer->groups = NULL;
        heap_clear(&renewer->notices_due);
        renewer->watched = 0;
        threads_condition_init(&renewer->settled); /* nobody waits for it here */
    }
    let_go_on();
}

static void watch_forks(void)
{
    threads_at_fork(before_fork, let_go_on, begin_child);
}

/* ---- the renewer ---- */

/* Forks are watched from the first renewer on: a process without one pays nothing for them. */
lock_renewer *lock_renewer_new(void)
{
    static threads_once watched = THREADS_ONCE_INIT;
    lock_renewer *renewer = platform_zalloc(sizeof(*renewer));

    threads_mutex_init(&renewer->gate);
    threads_mutex_init(&renewer->mutex);
    threads_condition_init(&renewer->settled);
    renewer->pool.traffic = &renewer->traffic;
    threads_run_once(&watched, watch_forks);
    threads_lock(&renewers_mutex);
    renewer->next = renewers;
    renewers = renewer;
    threads_unlock(&renewers_mutex);
    return renewer;
}

/* It leaves the list first, so that no fork takes its mutexes while they are destroyed. */
void lock_renewer_free(lock_renewer *renewer)
{
    threads_lock(&renewers_mutex);
    for (lock_renewer **at = &renewers; *at != NULL; at = &(*at)->next) {
        if (*at == renewer) {
            *at = renewer->next;
            break;
        }
    }
    threads_unlock(&renewers_mutex);
    stop_thread(renewer);
    RL_INVARIANT(renewer->watched == 0);
    renewal_groups_free(renewer->groups);
    free_inherited(renewer);
    rl_pool_clear(&renewer->pool);
    heap_free(&renewer->notices_due);
    free(renewer->interests);
    free(renewer->conns);
    threads_condition_destroy(&renewer->settled);
    threads_mutex_destroy(&renewer->mutex);
    threads_mutex_destroy(&renewer->gate);
    free(renewer);
}

rl_traffic lock_renewer_traffic(lock_renewer *renewer)
{
    threads_lock(&renewer->mutex);
    rl_traffic copy = renewer->published;
    threads_unlock(&renewer->mutex);
    return copy;
}

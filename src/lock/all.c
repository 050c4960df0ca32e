/* SPDX-License-Identifier: MIT
 *
 * lock/all: see lock/all.h.
 */
#include "lock/all.h"

#include <string.h>

#include "invariant.h"
#include "lock/acquire.h"
#include "lock/extend.h"
#include "lock/release.h"
#include "lock/tally.h"
#include "platform/platform.h"
#include "redis/repeat.h"

/* One lock_acquire_all() under way. */
typedef struct all_op {
    lock_groups groups;
    rl_clock clock;
    int64_t last_good; /* when a server last gave a good answer; 0: not yet */
    bool waited;       /* the call has waited for a lock: those taken before may have been lost meanwhile */
    bool lost;         /* a lock that was taken before is lost */
    bool full;         /* too many wait already for the lock that was asked for last */
} all_op;

/* Returns whether a call that waits has no answer only since the server is slow now that the time is over, at `end`. What was
 * sent last is undone behind it. */
static bool all_is_only_slow(const all_op *all, int64_t end)
{
    const lock_groups *g = &all->groups;

    return g->waits && g->error->kind == RL_TIMED_OUT && rl_clock_is_only_slow(&g->client->target, all->last_good, end);
}

/* Returns the earliest time at which `part` of the lease of one of our locks is over; PLATFORM_NEVER if leases do not end. */
static int64_t all_worn_at(const all_op *all, int64_t part)
{
    const lock_groups *g = &all->groups;
    int64_t first = PLATFORM_NEVER;

    for (size_t n = 0; g->duration != PLATFORM_NEVER && n < g->group_count; n++) {
        for (size_t i = g->groups[n].from; i < g->groups[n].taken; i++) {
            first = platform_earlier(first, g->items[i].lease.sent + part);
        }
    }
    return first;
}

/* ---- releasing ---- */

/* Releases the locks that are ours of the groups from the `first` on, within the budget of a call, by the hard deadline at the
 * latest. With no time left, the releases are sent only. */
static lock_outcome all_release(all_op *all, size_t first)
{
    int64_t now = platform_now();
    int64_t until = platform_earlier(all->clock.hard_deadline - RL_FINAL_REPLY_GRACE,
                                     platform_after(now, lock_budget(all->groups.client)));

    return lock_groups_give_back(&all->groups, first, platform_later(until - now, 0), until);
}

/* Gives back what is ours behind this group, for which the caller is about to wait: nobody waits for a lock while it has a
 * later one. */
static void all_release_behind(all_op *all, const lock_group *group)
{
    const lock_group *behind = group + 1, *end = all->groups.groups + all->groups.group_count;

    while (behind < end && behind->taken == behind->from) {
        behind++;
    }
    if (behind < end) {
        rl_error why = *all->groups.error;
        all_release(all, lock_group_number(&all->groups, behind)); /* what fails is left to the backlog */
        *all->groups.error = why;
        lock_groups_draw_tokens(&all->groups);
    }
}

/* ---- extending ---- */

/* Returns until when an extension that begins at `now` may take, less the grace for the final reply. At the deadline
 * there is still time for one reply, but for no more than the call may take in all. */
static int64_t all_extend_deadline(const all_op *all, int64_t now)
{
    int64_t deadline = platform_later(
        platform_earlier(all->clock.deadline, platform_after(now, lock_budget(all->groups.client))), now);

    return platform_earlier(deadline, platform_after(all->clock.deadline, RL_CLEANUP_BUDGET - RL_FINAL_REPLY_GRACE));
}

/* Extends the i-th lock by itself. */
static lock_outcome all_extend_one(all_op *all, size_t i)
{
    lock_groups *g = &all->groups;
    int64_t now = platform_now(), deadline = all_extend_deadline(all, now);

    g->about = i;
    if (now > deadline) {
        *g->error = (rl_error){RL_TIMED_OUT, "", "no answer in time"};
        return LOCK_FAILED;
    }
    return lock_extend(g->client, g->items[i].name, &g->items[i].lease, g->duration, deadline - now, g->error);
}

/* Renews the leases of the locks that are ours: by scripts, and if there is none, one after another. LOCK_LATE: one of them was
 * lost. */
static lock_outcome all_extend_taken(all_op *all)
{
    lock_groups *g = &all->groups;
    int64_t now = platform_now();
    rl_clock clock = {.deadline = all_extend_deadline(all, now), .hard_deadline = all->clock.hard_deadline};
    lock_outcome outcome = lock_groups_extend(g, &clock, now);

    if (outcome == LOCK_YES && g->asked_count > 0) {
        all->last_good = platform_now();
    }
    for (const lock_group *group = g->groups; group < g->groups + g->group_count; group++) {
        for (size_t i = group->from; outcome == LOCK_YES && !group->is_extended && i < group->taken; i++) {
            outcome = all_extend_one(all, i);
        }
    }
    all->lost = outcome == LOCK_NOT_OWNED;
    return all->lost ? LOCK_LATE : outcome;
}

/* The same. LOCK_BUSY: it failed only since the server is slow now that the time is over. */
static lock_outcome all_keep_taken(all_op *all)
{
    lock_outcome kept = all_extend_taken(all);

    return kept == LOCK_FAILED && all_is_only_slow(all, all->clock.deadline) ? LOCK_BUSY : kept;
}

/* ---- taking ---- */

/* Does what the scripts have said last settle the round, whatever became of those that have failed? For a call that waits, it
 * does if the first lock that is not ours is held. */
static bool all_knows_enough(const all_op *all)
{
    const lock_group *open = lock_groups_first_open(&all->groups);

    return open != NULL && (all->groups.waits ? open->is_refused : lock_groups_any_is_refused(&all->groups));
}

/* Does a call that waits ask once more, though it knows for which lock it will wait? A script behind that one may have taken
 * locks without telling, and its undo may not have come through. Asking again takes them, so that they are given back before
 * the wait, or sends what the backlog holds. A node that stands still gets the undo of both. */
static bool all_asks_once_more(const all_op *all, bool has_asked_again)
{
    return all->groups.waits && all->groups.is_in_doubt && !has_asked_again && platform_now() < all->clock.deadline;
}

/* Takes what is free of the remaining locks, by scripts: see lock_groups_take(). Again after a lost reply as long as there is
 * time; while a node is away, no longer than for a part of the leases that are ours. LOCK_BUSY: the server is only slow. */
static lock_outcome all_take_free(all_op *all)
{
    lock_groups *g = &all->groups;
    const rl_target *target = &g->client->target;
    bool has_asked_again = false;
    rl_repeat repeat;

    rl_repeat_begin(&repeat, RL_REPEAT_LOST, target, all->clock.deadline, &target->hook);
    for (;; has_asked_again = true) {
        lock_outcome outcome = lock_groups_take(g, &all->clock);
        if (outcome == LOCK_YES || (outcome == LOCK_FAILED && !g->lacks_replicas && all_knows_enough(all))) {
            all->last_good = g->asked_count > 0 ? platform_now() : all->last_good;
            if (!all_asks_once_more(all, has_asked_again)) {
                return LOCK_YES;
            }
            continue;
        }
        if (outcome == LOCK_INTERRUPTED || g->lacks_replicas) {
            return outcome;
        }
        if (all_is_only_slow(all, all->clock.deadline)) {
            return LOCK_BUSY;
        }
        if (g->group_count > 1) {
            repeat.deadline = platform_earlier(all->clock.deadline, all_worn_at(all, g->duration / 4));
        }
        if (!rl_repeat_again(&repeat, g->error)) {
            return g->error->kind == RL_INTERRUPTED ? LOCK_INTERRUPTED : LOCK_FAILED;
        }
    }
}

/* Acquires the next lock of the group by itself, waiting for it for up to `timeout`. A call that does not wait has one time
 * budget for all locks. `refusal` is filled with LOCK_BUSY. What a script may have taken without telling would be found held by
 * another: the backlog sends its release before. */
static lock_outcome all_acquire_next(all_op *all, lock_group *group, int64_t now, int64_t timeout,
                                     lock_refusal *refusal)
{
    lock_groups *g = &all->groups;
    lock_all_item *item = &g->items[group->taken];
    lock_stats before = *g->client->stats;
    lock_acquire_params params = {.client = g->client,
                                  .name = item->name,
                                  .began = g->began,
                                  .duration = g->duration,
                                  .timeout = timeout,
                                  .budget = platform_later(all->clock.deadline - now, 0),
                                  .replicas_by =
                                      platform_earlier(all->clock.deadline, all_worn_at(all, g->duration / 4 * 3))};

    RL_INVARIANT(group->taken < group->to);
    g->about = group->taken;
    if (group->outcome_unknown) {
        lock_groups_draw_tokens(g);
    }
    lock_outcome outcome = lock_acquire_with(&params, &item->lease, refusal, g->error);
    if (outcome == LOCK_FAILED && all_is_only_slow(all, platform_after(now, timeout))) {
        outcome = LOCK_BUSY;
    }
    /* Behind a try that was repeated, too, the locks before this one are older than one round trip. */
    all->waited |= group->is_refused || g->client->stats->contended > before.contended ||
                   g->client->stats->repeated > before.repeated;
    group->taken += outcome == LOCK_YES;
    all->last_good = outcome == LOCK_YES || outcome == LOCK_BUSY ? platform_now() : all->last_good;
    return outcome;
}

/* Acquires the next lock of the group, waiting in line for it until the deadline, and renews the leases of those before it
 * meanwhile. LOCK_LATE: one of those was lost. */
static lock_outcome all_wait_for_next(all_op *all, lock_group *group)
{
    lock_refusal refusal = {0};

    all_release_behind(all, group);
    for (;;) {
        int64_t now = platform_now();
        int64_t deadline = platform_earlier(all->clock.deadline, all_worn_at(all, all->groups.duration / 2));
        int64_t timeout = deadline == PLATFORM_NEVER ? deadline : platform_later(deadline - now, 0);

        if (now >= all->clock.deadline) {
            return LOCK_BUSY;
        }
        if (timeout > 0) {
            lock_outcome outcome = all_acquire_next(all, group, now, timeout, &refusal);
            all->full = outcome == LOCK_BUSY && refusal.full;
            if (outcome != LOCK_BUSY || deadline == all->clock.deadline || all->full) {
                return outcome;
            }
        }
        lock_outcome kept = all_keep_taken(all);
        if (kept != LOCK_YES) {
            return kept;
        }
    }
}

/* Takes all locks that are not ours yet. Returns LOCK_YES when all are, otherwise why it stopped: the caller gives back those
 * that are. */
static lock_outcome all_collect(all_op *all)
{
    lock_groups *g = &all->groups;
    lock_outcome outcome = LOCK_YES;
    lock_refusal ignored;
    lock_group *open;

    while (outcome == LOCK_YES && (open = lock_groups_first_open(g)) != NULL) {
        if (g->waits && open->is_refused) {
            outcome = all_wait_for_next(all, open);
            open->is_refused = false;
        } else if (!lock_group_is_split(g, open)) {
            outcome = all_take_free(all);
            if (outcome == LOCK_YES && !g->waits && lock_groups_any_is_refused(g)) {
                g->client->stats->contended++;
                outcome = LOCK_BUSY;
            }
        } else if (g->waits) {
            outcome = all_wait_for_next(all, open);
        } else {
            outcome = all_acquire_next(all, open, platform_now(), 0, &ignored);
        }
    }
    return outcome;
}

/* ---- the end ---- */

/* Did one request without a wait take all locks? */
static bool all_were_taken_at_once(const all_op *all)
{
    const lock_groups *g = &all->groups;
    bool same = !g->waits;

    for (size_t i = 1; i < g->count; i++) {
        same &= g->items[i].lease.sent == g->items[0].lease.sent;
    }
    return same;
}

/* After all locks were taken: renews their leases if that took a while, so that all last equally long, and checks
 * that none was lost. LOCK_LATE: a lock was lost, or its lease is over. */
static lock_outcome all_even_out(all_op *all)
{
    const lock_groups *g = &all->groups;
    bool at_once = all_were_taken_at_once(all);

    if (all->waited || (!at_once && platform_now() >= all_worn_at(all, g->duration / 10))) {
        lock_outcome kept = all_keep_taken(all);
        if (kept != LOCK_YES) {
            return kept;
        }
    }
    for (size_t i = 0; i < g->count; i++) {
        if (lock_lease_validity(&g->items[i].lease, platform_now()) == 0) {
            return LOCK_LATE;
        }
    }
    return LOCK_YES;
}

/* Releases the locks that are ours; in a forked child they stay, being the parent's. Returns the outcome of the call:
 * LOCK_FAILED instead of LOCK_BUSY if a release failed, otherwise `outcome` with its own error. */
static lock_outcome all_give_back(all_op *all, lock_outcome outcome)
{
    lock_groups *g = &all->groups;
    rl_error why = *g->error;
    size_t about = g->about;

    if (all_release(all, 0) == LOCK_FAILED && outcome == LOCK_BUSY && !all_is_only_slow(all, all->clock.deadline)) {
        return LOCK_FAILED;
    }
    *g->error = why;
    g->about = about;
    return outcome;
}

/* Is there time to begin again, with new tokens? That is worth it if a lock was lost on the way; and if another server takes
 * over, since a wait goes on until then. A call that does not wait has repeated what failed by itself, but not if it was only
 * the replicas that could not be asked. */
static bool all_begins_again(const all_op *all, lock_outcome outcome)
{
    const lock_groups *g = &all->groups;
    bool passes = outcome == LOCK_FAILED && rl_target_may_take_over(&g->client->target, g->error);
    bool is_worth_it = g->waits ? outcome == LOCK_LATE || passes : passes && g->lacks_replicas;

    return is_worth_it && platform_now() < all->clock.deadline;
}

/* A lost lock that is not acquired again is reported as held: another owner has it. A call that fails counts once in the
 * metrics. */
lock_outcome lock_acquire_all(const lock_client *client, lock_all_item *items, size_t count, int64_t duration,
                              int64_t timeout, size_t *about, rl_error *error)
{
    lock_outcome outcome;
    int64_t began = platform_now();
    all_op all = {.groups = {.client = client,
                             .items = items,
                             .count = count,
                             .began = began,
                             .duration = duration,
                             .waits = timeout > 0,
                             .error = error},
                  .clock = rl_clock_wait(began, timeout, lock_budget(client))};

    *error = (rl_error){0};
    lock_groups_open(&all.groups);
    do {
        lock_groups_draw_tokens(&all.groups);
        all.groups.about = count;
        all.lost = false;
        outcome = all_collect(&all);
        if (outcome == LOCK_YES) {
            outcome = all_even_out(&all);
        }
        if (outcome != LOCK_YES) {
            outcome = all_give_back(&all, outcome);
        }
    } while (all_begins_again(&all, outcome));
    if (outcome == LOCK_LATE && all.lost) {
        outcome = LOCK_BUSY; /* the lost lock is held by another owner */
    }
    lock_groups_release_untold_later(&all.groups); /* an undo that could not be sent */
    *about = all.groups.about;
    if (outcome != LOCK_YES) {
        rl_bytes name = items[*about < count ? *about : 0].name;
        lock_tally(client, name, NULL, lock_tally_failure(outcome, all.full, timeout > 0));
        if (outcome == LOCK_BUSY && timeout > 0 && client->slow != NULL) {
            lock_tally_slow(client, name, LOCK_SLOW_IN_VAIN, platform_now() - began);
        }
    }
    lock_groups_close(&all.groups);
    return outcome;
}

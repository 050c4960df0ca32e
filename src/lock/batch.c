/* SPDX-License-Identifier: MIT
 *
 * lock/batch: see lock/batch.h.
 */
#include "lock/batch.h"

#include <stdlib.h>
#include <string.h>

#include "invariant.h"
#include "platform/platform.h"
#include "redis/scripts.h"

/* A request takes leases with it that are due soon, from a quarter of them on: so leases that were taken at different times
 * come to be renewed by few requests. */
#define SOON_PART 12

/* The pause before a renewal is tried again grows from the first of these to the second, or, for long leases, to a
 * thirtieth of the lease. There is none after the first failure: mostly an idle connection had broken unnoticed. */
#define PAUSE         (20 * PLATFORM_MSEC)
#define LONGEST_PAUSE (200 * PLATFORM_MSEC)
#define PAUSE_PART    30

/* For how long the leases of a slot are renewed one by one behind the last sign that it moves. */
#define MOVES_FOR PLATFORM_SEC

/* ---- filling ---- */

/* Was the slot seen to move a short while ago? */
static bool slot_moves(const renewal_group *group, unsigned slot, int64_t now)
{
    for (size_t i = 0; i < MOVING_SLOTS; i++) {
        if (group->moving[i].slot == slot && now < group->moving[i].until) {
            return true;
        }
    }
    return false;
}

/* Can this lease be renewed by the same script as those of the batch? In a cluster, all keys must be of one slot; and while
 * that moves, the leases are renewed one by one. */
static bool fits_in(const renewal_group *group, const lock_renewal *renewal, int64_t now)
{
    return group->batch_count == 0 ||
           (group->batch[0]->slot == renewal->slot && !slot_moves(group, renewal->slot, now));
}

/* A lease that is over, or is held for too long, leaves the schedule for good. */
void batch_fill(renewal_group *group, int64_t now)
{
    bool any_due = heap_first_at(&group->schedule) <= now;
    lock_renewal *renewal;

    RL_INVARIANT(group->batch_count == 0 && !group->is_sent && group->size.most >= 1 && group->size.most <= BATCH_MOST);
    while (any_due && group->batch_count < group->size.most && (renewal = renewal_first_scheduled(group)) != NULL &&
           renewal->due.at - renewal->duration / SOON_PART <= now && fits_in(group, renewal, now)) {
        renewal_unschedule(renewal);
        if (renewal_ends_at(renewal, now) == now) {
            renewal_end_with(renewal, LOCK_RENEWAL_ENDED);
        } else if (now >= renewal->terms.hold_until) {
            renewal_end_with(renewal, LOCK_RENEWAL_TOO_LONG);
        } else {
            renewal->stage = RENEWAL_IN_BATCH;
            group->batch[group->batch_count++] = renewal;
        }
    }
    renewal = renewal_first_scheduled(group);
    group->settle_by = renewal != NULL ? renewal->due.at + renewal->duration / RENEWAL_DUE_PART : PLATFORM_NEVER;
}

/* ---- votes ---- */

static rl_vote judge_batch(const rl_call *call)
{
    lock_renew_reply unused;

    return lock_renew_reply_read(&unused, call->reply, call->request.keys / 2) ? RL_VOTE_YES : RL_VOTE_NONE;
}

/* Returns the node's vote on the i-th lease of a batch. It is asked for each lease at each event, so it does not judge the
 * whole reply. */
static rl_vote vote_on(const rl_call *call, size_t i)
{
    const redisReply *reply = call->reply;

    if (!call->answered) {
        return RL_VOTE_OPEN;
    }
    if (call->error.kind != RL_OK || reply->type != REDIS_REPLY_STRING || (size_t)reply->len < call->request.keys / 2) {
        return RL_VOTE_NONE;
    }
    switch (reply->str[i]) {
    case '1':
    case '+':
        return RL_VOTE_YES;
    case '0':
        return RL_VOTE_NO;
    default:
        return RL_VOTE_NONE;
    }
}

static rl_votes votes_on(const rl_session *session, size_t i)
{
    rl_votes votes = {0};

    for (size_t n = 0; n < session->nodes; n++) {
        rl_votes_count(&votes, vote_on(&session->calls[n], i));
    }
    return votes;
}

/* Can no node that has not answered change what becomes of a lease of the batch? */
static bool batch_is_decided(const rl_session *session, size_t question, const rl_policy *policy)
{
    const renewal_group *group = policy->arg;

    (void)question;
    for (size_t i = 0; i < group->batch_count; i++) {
        if (!rl_votes_are_decided(votes_on(session, i), session->nodes)) {
            return false;
        }
    }
    return true;
}

/* Is it certain of each lease of the batch that a majority has renewed it, or that none can own the lock? */
static bool all_are_certain(const renewal_group *group)
{
    for (size_t i = 0; i < group->batch_count; i++) {
        if (!rl_votes_are_certain(votes_on(&group->session, i), group->session.nodes)) {
            return false;
        }
    }
    return true;
}

static bool all_are_renewed(const renewal_group *group)
{
    for (size_t i = 0; i < group->batch_count; i++) {
        if (!rl_votes_say_yes(votes_on(&group->session, i), group->session.nodes)) {
            return false;
        }
    }
    return true;
}

static rl_policy batch_policy(const renewal_group *group)
{
    return (rl_policy){.judge = judge_batch, .decided = batch_is_decided, .arg = group, .repeats = true};
}

/* ---- sending ---- */

/* Fills the request for the leases of the batch. All that it names stays while the batch is under way. */
static void make_request(renewal_group *group, rl_request *request, int64_t now)
{
    rl_bytes *arg = group->args;

    for (size_t i = 0; i < group->batch_count; i++) {
        *arg++ = group->batch[i]->lock;
        *arg++ = group->batch[i]->note;
    }
    *arg++ = rl_decimal(now, group->now_digits);
    for (size_t i = 0; i < group->batch_count; i++) {
        const lock_renewal *renewal = group->batch[i];
        *arg++ = renewal->token;
        *arg++ = renewal->lease_ms;
        *arg++ = (rl_bytes){renewal->source, LOCK_SOURCE_LEN};
        *arg++ = renewal->doubts ? RL_LITERAL("1") : RL_LITERAL("0");
    }
    RL_INVARIANT((size_t)(arg - group->args) <= sizeof(group->args) / sizeof(*group->args));
    *request = (rl_request){
        .script = group->batch_count == 1 ? &rl_script_renew_one : &rl_script_renew,
        .alone = group->batch_count == 1 ? &rl_script_renew_alone : NULL,
        .keys = (unsigned)(2 * group->batch_count),
        .more = group->args,
        .more_count = (size_t)(arg - group->args),
        .preload = true,
    };
}

/* Tells a node the ends that it may bring closer. Nearly always there is none, and all nodes get the same request. */
static void tell_ends(renewal_group *group, size_t n)
{
    rl_request *request = &rl_session_calls(&group->session, 0)[n].request;
    rl_bytes *args;
    char *digits;
    bool any = false;

    for (size_t i = 0; i < group->batch_count && !any; i++) {
        any = lock_ends_too_far_ms(&group->batch[i]->ends, n) != 0;
    }
    if (!any) {
        return;
    }
    args = platform_alloc((request->more_count + group->batch_count) * sizeof(*args) + group->batch_count * RL_DIGITS);
    digits = (char *)(args + request->more_count + group->batch_count);
    memcpy(args, request->more, request->more_count * sizeof(*args));
    for (size_t i = 0; i < group->batch_count; i++) {
        args[request->more_count + i] =
            rl_decimal(lock_ends_too_far_ms(&group->batch[i]->ends, n), digits + i * RL_DIGITS);
    }
    request->more = group->own_args[n] = args;
    request->more_count += group->batch_count;
}

/* Tells the thread's map of a cluster what the holders' map knew: the seeds, with which it begins, may be gone. */
static void tell_map(renewal_group *group)
{
    rl_cluster *cluster = rl_pool_cluster(group->target.pool, group->target.endpoints);

    if (cluster == NULL) {
        return;
    }
    rl_cluster_add_nodes(cluster, group->map_nodes, group->map_count);
    free(group->map_nodes);
    group->map_nodes = NULL;
    group->map_count = 0;
    rl_cluster_expect_owner(cluster, group->batch[0]->slot, group->node);
}

/* No longer than a third of the shortest lease, so that there is time for another request. */
void batch_send(renewal_group *group, int64_t now)
{
    int64_t budget = platform_earlier(rl_target_budget(&group->target), group->settle_by - now);
    rl_policy policy = batch_policy(group);

    for (size_t i = 0; i < group->batch_count; i++) {
        budget = platform_earlier(budget, group->batch[i]->duration / RENEWAL_DUE_PART);
    }
    RL_INVARIANT(group->batch_count > 0 && group->batch_count <= BATCH_MOST && !group->is_sent);
    group->clock = rl_clock_budget(now, platform_later(budget, 0));
    tell_map(group);
    rl_session_open(&group->session, &group->target, group->target.count, 1, group->batch[0]->slot);
    make_request(group, rl_session_request(&group->session, 0), now);
    rl_session_spread(&group->session, 0);
    for (size_t n = 0; n < group->session.nodes; n++) {
        tell_ends(group, n);
    }
    group->linger_until = 0;
    rl_clock_ask(&group->clock, &group->target, now);
    rl_session_send(&group->session, &group->clock, &policy);
    group->is_sent = true;
}

/* ---- awaiting ---- */

/* Of several nodes, those that are a little later than the majority are still heard: otherwise it would not be known when the
 * lease ends there. They are not waited for so long that another renewal, or a holder that ends its own, is held up; nor so
 * long that a holder is told of a loss although the majority has renewed its lease. */
#define LINGER (20 * PLATFORM_MSEC)

static bool any_is_open(const rl_session *session)
{
    for (size_t n = 0; n < session->nodes; n++) {
        if (!session->calls[n].answered) {
            return true;
        }
    }
    return false;
}

/* Returns until when a lease that was renewed may wait for that to be published. */
static int64_t linger_at_most(const lock_renewal *renewal, int64_t now)
{
    int64_t until = platform_earlier(renewal_ends_at(renewal, now), renewal_margin_at(renewal));

    return platform_earlier(until, now + renewal->duration / SOON_PART);
}

/* Answers that are not needed are lingered for: see LINGER. */
int64_t batch_await_until(renewal_group *group, int64_t now)
{
    rl_policy policy = batch_policy(group);

    rl_session_follow(&group->session, &group->clock);
    int64_t until = rl_session_reply_by(&group->session, &group->clock, &policy);

    if (until > 0 || !any_is_open(&group->session) || !all_are_renewed(group)) {
        return until;
    }
    if (group->linger_until == 0) {
        group->linger_until = platform_earlier(now + LINGER, group->clock.reply_by);
        for (size_t i = 0; i < group->batch_count; i++) {
            group->linger_until = platform_earlier(group->linger_until, linger_at_most(group->batch[i], now));
        }
    }
    return group->linger_until;
}

/* ---- settling ---- */

/* Returns for how long to pause before a renewal of this lease is tried again. */
static int64_t pause_for(const renewal_group *group, const lock_renewal *renewal)
{
    int64_t longest = platform_later(LONGEST_PAUSE, renewal->duration / PAUSE_PART);

    if (group->failures <= 1) {
        return 0;
    }
    return group->failures > 10 ? longest : platform_earlier(longest, PAUSE << (group->failures - 2));
}

/* Schedules the next renewal for `when`, or for when the lease ends if that is earlier. */
static void try_again(lock_renewal *renewal, int64_t when, int64_t now)
{
    if (renewal->stopped) {
        renewal->stage = RENEWAL_IDLE;
    } else {
        renewal_schedule(renewal, platform_earlier(when, renewal_ends_at(renewal, now)));
    }
}

/* A server keeps the lock for so long from now on. */
static void note_server_expiry(lock_renewal *renewal, int64_t now, int64_t duration)
{
    atomic_store(&renewal->server_expires_by,
                 platform_later(atomic_load(&renewal->server_expires_by), lock_lease_ends_by(now, duration)));
}

/* Makes the lease longer. The new due notice takes the place of a reminder, which is given now instead: notices of other leases
 * may wait for it too. */
static void make_longer(lock_renewal *renewal, int64_t sent)
{
    bool reminds = renewal->reminds;

    atomic_store(&renewal->sent, sent);
    renewal_set_notice_due(renewal);
    if (reminds) {
        renewal_notify(renewal, 0);
    }
}

/* Notes when the leases of the batch end on each node that has answered. What is left of a longer one matters to a release that
 * has to be sent again. */
static void note_ends(renewal_group *group, int64_t now)
{
    lock_renew_reply reply;

    for (size_t i = 0; i < group->batch_count; i++) {
        group->batch[i]->hurries = false;
    }
    for (size_t n = 0; n < group->session.nodes; n++) {
        const rl_call *call = &group->session.calls[n];
        if (!call->answered || call->error.kind != RL_OK ||
            !lock_renew_reply_read(&reply, call->reply, group->batch_count)) {
            continue;
        }
        for (size_t i = 0; i < group->batch_count; i++) {
            lock_renewal *renewal = group->batch[i];
            int64_t lease_ms = rl_span_ms(renewal->duration);
            renewal->hurries |= lock_ends_note(&renewal->ends, n, &reply, i, lease_ms);
            if (reply.left_ms != lease_ms) {
                note_server_expiry(renewal, now, reply.left_ms == -1 ? PLATFORM_NEVER : reply.left_ms * PLATFORM_MSEC);
            }
        }
    }
}

/* Settles the i-th lease of a batch. A lease whose holder was told that it is lost stays lost, although Redis has made it
 * longer: the holder may have given up the work by now. */
static void settle_lease(renewal_group *group, size_t i, int64_t now)
{
    lock_renewal *renewal = group->batch[i];
    rl_votes votes = votes_on(&group->session, i);
    size_t nodes = group->session.nodes;
    bool certain = rl_votes_are_certain(votes, nodes), renewed = certain && votes.yes > votes.no;
    bool unanswered = votes.yes + votes.no < nodes;

    RL_INVARIANT(threads_holds(&renewal->renewer->mutex) && renewal->stage == RENEWAL_IN_BATCH);
    renewal->unanswered |= unanswered;
    if (renewed || unanswered) {
        note_server_expiry(renewal, now, renewal->duration);
    }
    if (renewal->stats != NULL) {
        renewal->stats->renewed += renewed;
        renewal->stats->failures += !certain;
        if (renewed || !certain) {
            renewal_tally(renewal, renewed ? METRICS_RENEWED : METRICS_RENEWAL_FAILED);
        }
    }
    if (renewed && renewal_is_on(renewal)) {
        make_longer(renewal, group->clock.sent_at);
        try_again(renewal, renewal->hurries ? now : renewal_due_at(renewal, group->clock.sent_at), now);
    } else if (certain && !renewed) {
        renewal_end_with(renewal, LOCK_RENEWAL_REFUSED);
    } else {
        try_again(renewal, now + pause_for(group, renewal), now);
    }
    RL_INVARIANT(renewal->stage != RENEWAL_IN_BATCH && (!renewal->is_abandoned || renewal->stopped));
    if (renewal->is_abandoned) {
        renewal_forget(renewal);
    }
}

/* Closes the connections to servers that are no longer masters, or not yet: another one may be found where they were. */
static void leave_transient(const rl_session *session)
{
    for (size_t n = 0; n < session->nodes; n++) {
        const rl_error *error = &session->calls[n].error;
        if (error->kind == RL_ERROR_REPLY && rl_error_is_transient(error) && !rl_error_is_of_moving_slot(error)) {
            rl_conn_break(session->conns[n], RL_LOST, "the server cannot renew leases at present");
        }
    }
}

/* Notes whether the slot of the batch moves, in place of what was noted of it before, or of the one that was noted first. */
static void note_moving(renewal_group *group, int64_t now)
{
    rl_cluster *cluster = group->session.cluster;
    unsigned slot = group->batch[0]->slot;
    moving_slot *mark = group->moving;

    if (cluster == NULL || !rl_cluster_is_moving(cluster, group->batch[0]->lock)) {
        return;
    }
    for (moving_slot *one = mark; one < group->moving + MOVING_SLOTS; one++) {
        if (one->slot == slot && one->until != 0) {
            mark = one;
            break;
        }
        mark = one->until < mark->until ? one : mark;
    }
    *mark = (moving_slot){slot, now + MOVES_FOR};
}

void batch_close(renewal_group *group)
{
    rl_session_close(&group->session);
    for (size_t n = 0; n < group->session.nodes; n++) {
        free(group->own_args[n]);
        group->own_args[n] = NULL;
    }
    group->is_sent = false;
}

/* What is settled at once: sizes, ends and connections; then, under the mutex, each lease. */
void batch_settle(lock_renewer *renewer, renewal_group *group, int64_t now)
{
    rl_policy policy = batch_policy(group);
    bool good;

    RL_INVARIANT(group->is_sent && threads_holds(&renewer->gate) && !threads_holds(&renewer->mutex));
    rl_session_settle(&group->session, &policy);
    good = all_are_certain(group);
    batch_size_learn(&group->size, &group->session, group->batch_count, good);
    note_ends(group, now);
    note_moving(group, now);
    leave_transient(&group->session);
    group->failures = good ? 0 : group->failures + 1;
    threads_lock(&renewer->mutex);
    for (size_t i = 0; i < group->batch_count; i++) {
        settle_lease(group, i, now);
    }
    group->batch_count = 0;
    threads_broadcast(&renewer->settled);
    threads_unlock(&renewer->mutex);
    batch_close(group);
}

/* SPDX-License-Identifier: MIT
 *
 * lock/renewer: see lock/renewer.h. This is the renewing thread.
 */
#include "lock/renewer.h"

#include <stdlib.h>
#include <string.h>

#include "platform.h"
#include "redis/scripts.h"

/* A lease is due when a third of it is over. A request takes others with it that are due soon, from a quarter on: so
 * leases that were taken at different times come to be renewed by few requests. */
#define DUE_PART  3
#define SOON_PART 12

/* The pause before a renewal is tried again grows from the first of these to the second, or, for long leases, to a
 * thirtieth of the lease. There is none after the first failure: mostly an idle connection had broken unnoticed. */
#define PAUSE         (20 * PLATFORM_MSEC)
#define LONGEST_PAUSE (200 * PLATFORM_MSEC)
#define PAUSE_PART    30

/* For how long the leases of a slot are renewed one by one behind the last sign that it moves. */
#define MOVES_FOR PLATFORM_SEC

/* How many groups without a lease are kept, so that the next lease at the same servers finds its own. */
#define IDLE_GROUPS 16

/* ---- the line, and the alarms ---- */

static lock_renewal *of_turn(heap_entry *turn)
{
    return (lock_renewal *)((char *)turn - offsetof(lock_renewal, turn));
}

static lock_renewal *of_alarm(heap_entry *alarm)
{
    return (lock_renewal *)((char *)alarm - offsetof(lock_renewal, alarm));
}

/* Returns the renewal whose turn comes first; NULL: there is none. */
static lock_renewal *first_in_line(const renewer_group *group)
{
    heap_entry *turn = heap_first(&group->line);

    return turn != NULL ? of_turn(turn) : NULL;
}

/* lock_renewal_begin() has made room for every renewal of the group. */
void renewer_line_up(lock_renewal *renewal, int64_t due_at)
{
    renewal->place = RENEWAL_IN_LINE;
    heap_add(&renewal->group->line, &renewal->turn, due_at);
}

void renewer_take_out(lock_renewal *renewal)
{
    renewal->place = RENEWAL_OUT;
    heap_remove(&renewal->group->line, &renewal->turn);
}

void renewer_forget(lock_renewal *renewal)
{
    heap_remove(&renewal->renewer->alarms, &renewal->alarm);
    renewal->renewer->watched -= renewal->terms.tell != NULL;
    if (renewal->group != NULL) {
        renewal->group->renewals--;
    }
    free(renewal);
}

static void close_flight(renewer_group *group)
{
    rl_session_close(&group->session);
    for (size_t n = 0; n < group->session.nodes; n++) {
        free(group->own_args[n]);
        group->own_args[n] = NULL;
    }
    group->is_sent = false;
}

void renewer_group_free(renewer_group *group)
{
    if (group->is_sent) {
        close_flight(group);
    }
    for (size_t i = 0; i < group->target.count; i++) {
        rl_endpoint_free((rl_endpoint *)&group->target.endpoints[i]);
    }
    free((rl_endpoint *)group->target.endpoints);
    free(group->node);
    free(group->known);
    heap_free(&group->line);
    free(group);
}

void renewer_groups_free(renewer_group *first)
{
    for (renewer_group *group = first, *next; group != NULL; group = next) {
        next = group->next;
        renewer_group_free(group);
    }
}

int64_t renewer_due_at(const lock_renewal *renewal, int64_t sent)
{
    return sent + renewal->duration / DUE_PART;
}

/* ---- what becomes of a renewal; all under the mutex ---- */

static bool is_on(const lock_renewal *renewal)
{
    return atomic_load(&renewal->state) == LOCK_RENEWAL_ON;
}

/* Leaves a notice for the holder, if it is not 0, and lets it know that there is one. */
static void notify(lock_renewal *renewal, unsigned notice)
{
    if (!renewal->stopped && renewal->terms.tell != NULL) {
        atomic_fetch_or(&renewal->notices, notice);
        renewal->terms.tell(renewal->terms.arg);
    }
}

static void tally(const lock_renewal *renewal, metrics_count count)
{
    if (renewal->metrics != NULL) {
        metrics_add(renewal->metrics, renewal->metrics_group, count, 1);
    }
}

/* A lease that is held for too long keeps its alarm, since it is lost only when it ends. One that was only watched does not
 * count as lost: its end was known from the start. */
void renewer_set_state(lock_renewal *renewal, lock_renewal_state state)
{
    if (!is_on(renewal)) {
        return;
    }
    atomic_store(&renewal->state, state);
    if (state == LOCK_RENEWAL_TOO_LONG) {
        notify(renewal, LOCK_NOTICE_TOO_LONG);
        return;
    }
    if (renewal->alarm.is_in) { /* otherwise the holder was told when the lease was nearly over */
        heap_remove(&renewal->renewer->alarms, &renewal->alarm);
        notify(renewal, LOCK_NOTICE_LOSS);
    }
    if (renewal->stats != NULL && renewal->group != NULL && !renewal->stopped) {
        renewal->stats->lost_while_held++;
        tally(renewal, METRICS_LOST_WHILE_HELD);
    }
}

static void end_with(lock_renewal *renewal, lock_renewal_state state)
{
    renewal->place = RENEWAL_OUT;
    renewer_set_state(renewal, state);
}

bool renewer_is_lost(lock_renewal_state state)
{
    return state != LOCK_RENEWAL_ON && state != LOCK_RENEWAL_TOO_LONG;
}

static lock_lease lease_of(const lock_renewal *renewal)
{
    return (lock_lease){.sent = atomic_load(&renewal->sent), .duration = renewal->duration};
}

/* When its validity ends: now, if the holder was told that it has. */
static int64_t ends_at(const lock_renewal *renewal, int64_t now)
{
    lock_lease lease = lease_of(renewal);

    return is_on(renewal) ? now + lock_lease_validity(&lease, now) : now;
}

/* When the margin begins, also of a lease that is renewed no more; PLATFORM_NEVER: it has none, or is lost already. */
static int64_t margin_at(const lock_renewal *renewal)
{
    lock_lease lease = lease_of(renewal);

    if (renewal->terms.margin == 0 || renewer_is_lost((lock_renewal_state)atomic_load(&renewal->state))) {
        return PLATFORM_NEVER;
    }
    return lease.sent + lock_lease_validity(&lease, lease.sent) - renewal->terms.margin;
}

void renewer_set_alarm(lock_renewal *renewal)
{
    heap *alarms = &renewal->renewer->alarms;

    heap_remove(alarms, &renewal->alarm);
    renewal->reminds = false;
    if (margin_at(renewal) != PLATFORM_NEVER && !renewal->stopped) {
        heap_add(alarms, &renewal->alarm, margin_at(renewal));
    }
}

/* Lets a renewal have its next turn at `when`, or when its lease ends if that is earlier. */
static void try_again(lock_renewal *renewal, int64_t when, int64_t now)
{
    if (renewal->stopped) {
        renewal->place = RENEWAL_OUT;
    } else {
        renewer_line_up(renewal, platform_earlier(when, ends_at(renewal, now)));
    }
}

/* A server keeps the lock for so long from now on. */
static void note_server_expiry(lock_renewal *renewal, int64_t now, int64_t lasts)
{
    atomic_store(&renewal->server_expires_by,
                 platform_later(atomic_load(&renewal->server_expires_by), lock_lease_ends_by(now, lasts)));
}

/* ---- taking off ---- */

/* Was the slot seen to move a short while ago? */
static bool slot_moves(const renewer_group *group, unsigned slot, int64_t now)
{
    for (size_t i = 0; i < RENEWER_MOVING; i++) {
        if (group->moving[i].slot == slot && now < group->moving[i].until) {
            return true;
        }
    }
    return false;
}

/* Can this lease be renewed by the same script as those of the flight? In a cluster, all keys must be of one slot; and while
 * that moves, the leases are renewed one by one. */
static bool fits_in(const renewer_group *group, const lock_renewal *renewal, int64_t now)
{
    return group->flying == 0 || (group->flight[0]->slot == renewal->slot && !slot_moves(group, renewal->slot, now));
}

/* Moves the renewals that are due from the line into the flight. A flight that is not answered gives way to the next one
 * when a third of the lease of that has passed since it was due. */
static void board(renewer_group *group, int64_t now)
{
    bool any_due = heap_first_at(&group->line) <= now;
    lock_renewal *renewal;

    while (any_due && group->flying < group->size.most && (renewal = first_in_line(group)) != NULL &&
           renewal->turn.at - renewal->duration / SOON_PART <= now && fits_in(group, renewal, now)) {
        renewer_take_out(renewal);
        if (ends_at(renewal, now) == now) {
            end_with(renewal, LOCK_RENEWAL_ENDED);
        } else if (now >= renewal->terms.hold_until) {
            end_with(renewal, LOCK_RENEWAL_TOO_LONG);
        } else {
            renewal->place = RENEWAL_IN_FLIGHT;
            group->flight[group->flying++] = renewal;
        }
    }
    renewal = first_in_line(group);
    group->land_by = renewal != NULL ? renewal->turn.at + renewal->duration / DUE_PART : PLATFORM_NEVER;
}

static rl_vote judge_batch(const rl_call *call)
{
    lock_renew_reply unused;

    return lock_renew_reply_read(&unused, call->reply, call->request.keys / 2) ? RL_VOTE_YES : RL_VOTE_NONE;
}

/* Returns the node's vote on the i-th lease of a flight. It is asked for each lease at each event, so it does not judge
 * the whole reply. */
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

/* Can no node that has not answered change what becomes of a lease of the flight? */
static bool flight_is_decided(const rl_session *session, size_t question, const rl_policy *policy)
{
    const renewer_group *group = policy->arg;

    (void)question;
    for (size_t i = 0; i < group->flying; i++) {
        if (!rl_votes_are_decided(votes_on(session, i), session->nodes)) {
            return false;
        }
    }
    return true;
}

/* Is it certain of each lease of the flight that a majority has renewed it, or that none can own the lock? */
static bool all_are_certain(const renewer_group *group)
{
    for (size_t i = 0; i < group->flying; i++) {
        if (!rl_votes_are_certain(votes_on(&group->session, i), group->session.nodes)) {
            return false;
        }
    }
    return true;
}

static bool all_are_renewed(const renewer_group *group)
{
    for (size_t i = 0; i < group->flying; i++) {
        if (!rl_votes_say_yes(votes_on(&group->session, i), group->session.nodes)) {
            return false;
        }
    }
    return true;
}

static rl_policy flight_policy(const renewer_group *group)
{
    return (rl_policy){.judge = judge_batch, .decided = flight_is_decided, .arg = group, .repeats = true};
}

/* Fills the request for the leases of the flight. All that it names stays while the flight is under way. */
static void make_request(renewer_group *group, rl_request *request, int64_t now)
{
    rl_bytes *arg = group->args;

    for (size_t i = 0; i < group->flying; i++) {
        *arg++ = group->flight[i]->lock;
        *arg++ = group->flight[i]->note;
    }
    *arg++ = rl_decimal(now, group->at);
    for (size_t i = 0; i < group->flying; i++) {
        const lock_renewal *renewal = group->flight[i];
        *arg++ = renewal->token;
        *arg++ = renewal->lease;
        *arg++ = (rl_bytes){renewal->source, LOCK_SOURCE_LEN};
        *arg++ = renewal->doubts ? RL_LITERAL("1") : RL_LITERAL("0");
    }
    *request = (rl_request){
        .script = group->flying == 1 ? &rl_script_renew_one : &rl_script_renew,
        .alone = group->flying == 1 ? &rl_script_renew_alone : NULL,
        .keys = (unsigned)(2 * group->flying),
        .more = group->args,
        .more_count = (size_t)(arg - group->args),
        .preload = true,
    };
}

/* Tells a node the ends that it may bring closer. Nearly always there is none, and all nodes get the same request. */
static void tell_ends(renewer_group *group, size_t n)
{
    rl_request *request = &rl_session_calls(&group->session, 0)[n].request;
    rl_bytes *args;
    char *digits;
    bool any = false;

    for (size_t i = 0; i < group->flying && !any; i++) {
        any = lock_ends_too_far(&group->flight[i]->ends, n) != 0;
    }
    if (!any) {
        return;
    }
    args = platform_alloc((request->more_count + group->flying) * sizeof(*args) + group->flying * RL_DIGITS);
    digits = (char *)(args + request->more_count + group->flying);
    memcpy(args, request->more, request->more_count * sizeof(*args));
    for (size_t i = 0; i < group->flying; i++) {
        args[request->more_count + i] =
            rl_decimal(lock_ends_too_far(&group->flight[i]->ends, n), digits + i * RL_DIGITS);
    }
    request->more = group->own_args[n] = args;
    request->more_count += group->flying;
}

/* Tells the thread's map of a cluster what the holders' map knew: the seeds, with which it begins, may be gone. */
static void tell_map(renewer_group *group)
{
    rl_cluster *cluster = rl_pool_cluster(group->target.pool, group->target.endpoints);

    if (cluster == NULL) {
        return;
    }
    rl_cluster_add_nodes(cluster, group->known, group->known_count);
    free(group->known);
    group->known = NULL;
    group->known_count = 0;
    rl_cluster_expect_owner(cluster, group->flight[0]->slot, group->node);
}

/* Sends the request of a flight. It is given up after a third of the shortest lease, so that there is time for another
 * one, over a new connection. */
static void take_off(renewer_group *group, int64_t now)
{
    int64_t budget = platform_earlier(rl_target_budget(&group->target), group->land_by - now);
    rl_policy policy = flight_policy(group);

    for (size_t i = 0; i < group->flying; i++) {
        budget = platform_earlier(budget, group->flight[i]->duration / DUE_PART);
    }
    group->clock = rl_clock_budget(now, platform_later(budget, 0));
    tell_map(group);
    rl_session_open(&group->session, &group->target, group->target.count, 1, group->flight[0]->slot);
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

/* ---- landing ---- */

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
    int64_t until = platform_earlier(ends_at(renewal, now), margin_at(renewal));

    return platform_earlier(until, now + renewal->duration / SOON_PART);
}

/* Returns until when the answers to a flight are awaited; 0: no longer. */
static int64_t land_by(renewer_group *group, int64_t now)
{
    rl_policy policy = flight_policy(group);

    rl_session_follow(&group->session, &group->clock);
    int64_t until = rl_session_reply_by(&group->session, &group->clock, &policy);

    if (until > 0 || !any_is_open(&group->session) || !all_are_renewed(group)) {
        return until;
    }
    if (group->linger_until == 0) {
        group->linger_until = platform_earlier(now + LINGER, group->clock.reply_by);
        for (size_t i = 0; i < group->flying; i++) {
            group->linger_until = platform_earlier(group->linger_until, linger_at_most(group->flight[i], now));
        }
    }
    return group->linger_until;
}

/* A connection over which this many batches running were refused, of which each lease alone is renewed, takes no batches. One
 * whose server says that this is for the keys is enough. */
#define REFUSALS_ENOUGH 2

/* Finds the first node that has refused the request for a reason that may lie in its number of keys: in a cluster, or behind
 * some proxies, the keys of one request must belong together. Returns false if none has. */
static bool find_refuser(const rl_session *session, size_t *node)
{
    for (*node = 0; *node < session->nodes; ++*node) {
        const rl_error *error = &session->calls[*node].error;
        if (error->kind == RL_ERROR_REPLY && !rl_error_is_transient(error)) {
            return true;
        }
    }
    return false;
}

/* A new connection may lead to a server, or through a proxy, that takes what the last one did not. */
static void forget_old_connection(renewer_size *size, const rl_session *session)
{
    if (size->refused > 0 && rl_conn_generation(session->conns[size->refused_by]) != size->connection) {
        *size = (renewer_size){.most = RENEWER_BATCH, .lone_refused = size->lone_refused};
    }
}

/* After a refusal, leases are sent one by one. But if one alone is refused too, the number of keys is not the reason: then
 * the next request is a whole one again. */
static void heed_refusal(renewer_size *size, const rl_session *session, size_t leases, size_t node)
{
    if (leases > 1) {
        if (size->refused == 0) {
            size->refused_by = node;
            size->connection = rl_conn_generation(session->conns[node]);
        }
        if (rl_error_refuses_many_keys(&session->calls[node].error)) {
            size->refusals = REFUSALS_ENOUGH;
        }
        size->refused = leases;
        size->most = 1;
    } else {
        size->lone_refused = true;
        size->most = size->refusals < REFUSALS_ENOUGH ? RENEWER_BATCH : 1;
    }
}

/* A refusal that passed before the next request looks like one for the size, so the batch grows again with each good answer,
 * until another one is refused like that. A small batch among many leases does not show that a larger one is taken: its keys
 * may have happened to belong together. */
static void heed_success(renewer_size *size, size_t leases)
{
    if (size->refusals >= REFUSALS_ENOUGH) {
        return;
    }
    if (size->lone_refused) {
        *size = (renewer_size){.most = RENEWER_BATCH};
    } else if (size->most == 1 && ++size->refusals == REFUSALS_ENOUGH) {
        return;
    } else if (leases > 1 && (leases >= size->refused || leases < size->most)) {
        size->refused = size->refusals = 0;
    }
    size->most = size->most < RENEWER_BATCH / 2 ? 2 * size->most : RENEWER_BATCH;
}

static void size_batch(renewer_group *group, bool good)
{
    size_t node;

    forget_old_connection(&group->size, &group->session);
    if (good) {
        heed_success(&group->size, group->flying);
    } else if (find_refuser(&group->session, &node)) {
        heed_refusal(&group->size, &group->session, group->flying, node);
    }
}

/* Returns for how long to pause before a renewal of this lease is tried again. */
static int64_t pause_for(const renewer_group *group, const lock_renewal *renewal)
{
    int64_t longest = platform_later(LONGEST_PAUSE, renewal->duration / PAUSE_PART);

    if (group->failures <= 1) {
        return 0;
    }
    return group->failures > 10 ? longest : platform_earlier(longest, PAUSE << (group->failures - 2));
}

/* Makes the lease longer. The new alarm takes the place of a reminder, which rings now instead: notices of other leases may
 * wait for it too. */
static void make_longer(lock_renewal *renewal, int64_t sent)
{
    bool reminds = renewal->reminds;

    atomic_store(&renewal->sent, sent);
    renewer_set_alarm(renewal);
    if (reminds) {
        notify(renewal, 0);
    }
}

/* Notes when the leases of the flight end on each node that has answered. What is left of a longer one matters to a release
 * that has to be sent again. */
static void note_ends(renewer_group *group, int64_t now)
{
    lock_renew_reply reply;

    for (size_t i = 0; i < group->flying; i++) {
        group->flight[i]->hurries = false;
    }
    for (size_t n = 0; n < group->session.nodes; n++) {
        const rl_call *call = &group->session.calls[n];
        if (!call->answered || call->error.kind != RL_OK ||
            !lock_renew_reply_read(&reply, call->reply, group->flying)) {
            continue;
        }
        for (size_t i = 0; i < group->flying; i++) {
            lock_renewal *renewal = group->flight[i];
            int64_t lasts = rl_span_ms(renewal->duration);
            renewal->hurries |= lock_ends_note(&renewal->ends, n, &reply, i, lasts);
            if (reply.left != lasts) {
                note_server_expiry(renewal, now, reply.left == -1 ? PLATFORM_NEVER : reply.left * PLATFORM_MSEC);
            }
        }
    }
}

/* Settles the i-th lease of a flight: under the mutex. A lease whose holder was told that it is lost stays lost, although
 * Redis has made it longer: the holder may have given up the work by now. */
static void disembark(renewer_group *group, size_t i, int64_t now)
{
    lock_renewal *renewal = group->flight[i];
    rl_votes votes = votes_on(&group->session, i);
    size_t nodes = group->session.nodes;
    bool certain = rl_votes_are_certain(votes, nodes), renewed = certain && votes.yes > votes.no;
    bool unanswered = votes.yes + votes.no < nodes;

    renewal->unanswered |= unanswered;
    if (renewed || unanswered) {
        note_server_expiry(renewal, now, renewal->duration);
    }
    if (renewal->stats != NULL) {
        renewal->stats->renewed += renewed;
        renewal->stats->failures += !certain;
        if (renewed || !certain) {
            tally(renewal, renewed ? METRICS_RENEWED : METRICS_RENEWAL_FAILED);
        }
    }
    if (renewed && is_on(renewal)) {
        make_longer(renewal, group->clock.sent_at);
        try_again(renewal, renewal->hurries ? now : renewer_due_at(renewal, group->clock.sent_at), now);
    } else if (certain && !renewed) {
        end_with(renewal, LOCK_RENEWAL_REFUSED);
    } else {
        try_again(renewal, now + pause_for(group, renewal), now);
    }
    if (renewal->is_orphaned) {
        renewer_forget(renewal);
    }
}

/* Closes the connections to servers that are no masters any more, or not yet: another one may be found where they were. */
static void leave_transient(const rl_session *session)
{
    for (size_t n = 0; n < session->nodes; n++) {
        const rl_error *error = &session->calls[n].error;
        if (error->kind == RL_ERROR_REPLY && rl_error_is_transient(error) && !rl_error_is_of_moving_slot(error)) {
            rl_conn_break(session->conns[n], RL_LOST, "the server cannot renew leases at present");
        }
    }
}

/* Notes whether the slot of the flight moves, in place of what was noted of it before, or of the one that was noted first. */
static void note_moving(renewer_group *group, int64_t now)
{
    rl_cluster *cluster = group->session.cluster;
    unsigned slot = group->flight[0]->slot;
    renewer_moving *mark = group->moving;

    if (cluster == NULL || !rl_cluster_is_moving(cluster, group->flight[0]->lock)) {
        return;
    }
    for (renewer_moving *one = mark; one < group->moving + RENEWER_MOVING; one++) {
        if (one->slot == slot && one->until != 0) {
            mark = one;
            break;
        }
        mark = one->until < mark->until ? one : mark;
    }
    *mark = (renewer_moving){slot, now + MOVES_FOR};
}

/* Ends a flight whose answers have come, or were awaited for long enough. */
static void land(lock_renewer *renewer, renewer_group *group, int64_t now)
{
    rl_policy policy = flight_policy(group);
    bool good;

    rl_session_settle(&group->session, &policy);
    good = all_are_certain(group);
    size_batch(group, good);
    note_ends(group, now);
    note_moving(group, now);
    leave_transient(&group->session);
    group->failures = good ? 0 : group->failures + 1;
    threads_lock(&renewer->mutex);
    for (size_t i = 0; i < group->flying; i++) {
        disembark(group, i, now);
    }
    group->flying = 0;
    threads_wake_all(&renewer->landed);
    threads_unlock(&renewer->mutex);
    close_flight(group);
}

/* ---- the loop ---- */

/* Takes groups without a lease out of the list, but for some, and returns those. Under the mutex. */
static renewer_group *drop_idle_groups(lock_renewer *renewer)
{
    renewer_group *dropped = NULL;
    size_t idle = 0;

    for (renewer_group **at = &renewer->groups, *group; (group = *at) != NULL;) {
        if (group->renewals == 0 && ++idle > IDLE_GROUPS) {
            *at = group->next;
            group->next = dropped;
            dropped = group;
        } else {
            at = &group->next;
        }
    }
    return dropped;
}

/* Notifies the holders of the leases that are nearly over, or are over; and those who are to be reminded. */
static void ring_alarms(lock_renewer *renewer, int64_t now)
{
    while (heap_first_at(&renewer->alarms) <= now) {
        lock_renewal *renewal = of_alarm(heap_first(&renewer->alarms));
        heap_remove(&renewer->alarms, &renewal->alarm);
        renewal->reminds = false;
        if (margin_at(renewal) <= now) {
            notify(renewal, LOCK_NOTICE_LOSS);
        } else {
            notify(renewal, 0);
            renewer_set_alarm(renewal);
        }
    }
}

/* Finds out what is due at `now`, and sets until when the thread may sleep otherwise. Returns false where it is to end;
 * otherwise `groups` is the list as it is now. */
static bool look_at_table(lock_renewer *renewer, int64_t now, renewer_group **groups)
{
    renewer_group *dropped;
    bool goes_on;

    threads_lock(&renewer->mutex);
    renewer->published = renewer->traffic;
    dropped = drop_idle_groups(renewer);
    ring_alarms(renewer, now);
    renewer->wakes_at = heap_first_at(&renewer->alarms);
    for (renewer_group *group = renewer->groups; group != NULL; group = group->next) {
        if (group->flying == 0) {
            board(group, now);
        }
        if (group->flying == 0) {
            renewer->wakes_at = platform_earlier(renewer->wakes_at, heap_first_at(&group->line));
        }
    }
    *groups = renewer->groups;
    goes_on = !renewer->stopping;
    threads_unlock(&renewer->mutex);
    renewer_groups_free(dropped);
    return goes_on;
}

/* Sends the flights that are new, and returns until when the thread may sleep: 0 where one can land at once. `conns`,
 * the connections of all flights, are counted. */
static int64_t send_flights(renewer_group *groups, int64_t now, size_t *conns)
{
    int64_t until = PLATFORM_NEVER;

    *conns = 0;
    for (renewer_group *group = groups; group != NULL; group = group->next) {
        if (group->flying == 0) {
            continue;
        }
        if (!group->is_sent) {
            take_off(group, now);
        }
        until = platform_earlier(until, land_by(group, now));
        *conns += group->session.nodes;
    }
    return until;
}

static void land_flights(lock_renewer *renewer, renewer_group *groups, int64_t now)
{
    for (renewer_group *group = groups; group != NULL; group = group->next) {
        if (group->is_sent && land_by(group, now) <= now) {
            land(renewer, group, now);
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
            platform_realloc(renewer->interests, (room + THREADS_ALARM_FDS) * sizeof(*renewer->interests));
        renewer->interests_room = room;
    }
}

/* Sleeps outside of the gate, until `until` at most, or something happens on a connection of a flight. */
static void sleep_outside(lock_renewer *renewer, renewer_group *groups, size_t count, int64_t until)
{
    size_t n = 0, interests;

    make_room_for_conns(renewer, count);
    for (renewer_group *group = groups; group != NULL; group = group->next) {
        if (group->is_sent) {
            memcpy(renewer->conns + n, group->session.conns, group->session.nodes * sizeof(*renewer->conns));
            n += group->session.nodes;
        }
    }
    interests = rl_poll_size(renewer->conns, count);
    make_room_for_interests(renewer, interests);
    until = platform_earlier(until, rl_poll_begin(renewer->conns, count, renewer->interests));
    threads_unlock(&renewer->gate);
    threads_sleep(&renewer->alarm, renewer->interests, interests, until);
    threads_lock(&renewer->gate);
    rl_poll_end(renewer->conns, count, renewer->interests);
}

/* Only this thread takes groups out of the list, so that what look_at_table() returns stays valid for the turn. */
static void renew_until_stopped(lock_renewer *renewer)
{
    renewer_group *groups;
    size_t conns;
    int64_t now = platform_now();

    while (look_at_table(renewer, now, &groups)) {
        int64_t until = send_flights(groups, now, &conns);
        if (until > 0) {
            sleep_outside(renewer, groups, conns, platform_earlier(until, renewer->wakes_at));
        }
        now = platform_now();
        land_flights(renewer, groups, now);
    }
}

/* Lands the flights without an answer, so that nobody waits for them. */
static void abandon_flights(lock_renewer *renewer)
{
    for (renewer_group *group = renewer->groups; group != NULL; group = group->next) {
        if (group->is_sent) {
            land(renewer, group, platform_now());
        }
    }
}

/* After a failure in the midst of something: no lease is renewed any more, and the next one to begin starts another
 * thread. The connections are left as they are, open. */
static void give_up(lock_renewer *renewer)
{
    threads_lock(&renewer->mutex);
    for (renewer_group *group = renewer->groups; group != NULL; group = group->next) {
        for (lock_renewal *renewal; (renewal = first_in_line(group)) != NULL;) {
            renewer_take_out(renewal);
            end_with(renewal, LOCK_RENEWAL_BROKEN);
        }
        for (size_t i = 0; i < group->flying; i++) {
            group->flight[i]->unanswered = true;
            end_with(group->flight[i], LOCK_RENEWAL_BROKEN);
            if (group->flight[i]->is_orphaned) {
                renewer_forget(group->flight[i]);
            }
        }
        group->flying = 0;
        group->is_sent = false;
    }
    for (heap_entry *alarm; (alarm = heap_first(&renewer->alarms)) != NULL;) {
        heap_remove(&renewer->alarms, alarm); /* of a lease that was only watched, or renewed no more */
        renewer_set_state(of_alarm(alarm), LOCK_RENEWAL_BROKEN);
        notify(of_alarm(alarm), LOCK_NOTICE_LOSS);
    }
    renewer->pool.count = 0;
    renewer->gave_up = true;
    threads_wake_all(&renewer->landed);
    threads_unlock(&renewer->mutex);
}

/* A failure is met with the gate, and never with the mutex: nothing is allocated under that. */
void *renewer_run(void *arg)
{
    lock_renewer *renewer = arg;
    jmp_buf failure;

    threads_lock(&renewer->gate);
    if (setjmp(failure) == 0) {
        platform_escape_to(&failure);
        renew_until_stopped(renewer);
        abandon_flights(renewer);
    } else {
        give_up(renewer);
    }
    platform_escape_to(NULL);
    threads_unlock(&renewer->gate);
    return NULL;
}

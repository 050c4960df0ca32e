/* SPDX-License-Identifier: MIT
 *
 * redis/session: see redis/session.h.
 */
#include "redis/session.h"

#include <stdio.h>
#include <stdlib.h>

#include "invariant.h"
#include "platform/platform.h"
#include "redis/repeat.h"

/* The calls of a single question, which is the common case, need no memory of their own. */
void rl_session_open(rl_session *s, const rl_target *target, size_t nodes, size_t questions, unsigned slot)
{
    RL_INVARIANT(nodes >= 1 && nodes <= target->count && nodes <= RL_MAX_NODES && questions >= 1);
    s->target = target;
    s->nodes = nodes;
    s->questions = questions;
    s->room = nodes * questions;
    s->calls = questions == 1 ? s->single : platform_alloc(s->room * sizeof(*s->calls));
    s->lanes = nodes;
    s->cluster = rl_pool_cluster(target->pool, target->endpoints);
    s->slot = slot;
    s->is_routed = true;
    s->is_guess = false;
    /* Only what is used is initialized: there is room for many nodes, and mostly there is one. */
    if (s->cluster != NULL) {
        s->conns[0] = rl_pool_take_routed(target->pool, target->endpoints, s->cluster, slot, &s->is_guess);
    }
    for (size_t n = 0; n < nodes && s->cluster == NULL; n++) {
        s->conns[n] = rl_pool_take(target->pool, &target->endpoints[n]);
    }
    for (size_t k = 0; k < s->room; k++) {
        rl_call_init(&s->calls[k]);
    }
}

rl_conn *rl_session_take_another(const rl_session *s, size_t node)
{
    bool unused;

    if (s->cluster != NULL) {
        return rl_pool_take_routed(s->target->pool, s->target->endpoints, s->cluster, s->slot, &unused);
    }
    return rl_pool_take(s->target->pool, &s->target->endpoints[node]);
}

/* Sends what the backlog holds to the node that an ASK has named for it. Nothing else may lead there while the slot moves. */
static void send_owed(rl_session *s)
{
    rl_destination to;

    if (rl_cluster_take_owed(s->cluster, &to)) {
        rl_conn *conn = rl_pool_take_node(s->target->pool, s->target->endpoints, s->cluster, &to);
        rl_conn_send_owed(conn, platform_after(platform_now(), s->target->connect_timeout));
        rl_pool_give(s->target->pool, conn);
    }
}

/* What is owed goes out last: it may need a connection that was just given back. */
void rl_session_close(rl_session *s)
{
    for (size_t k = 0; k < s->room; k++) {
        rl_call_reset(&s->calls[k]);
    }
    for (size_t n = 0; n < s->lanes; n++) {
        rl_pool_give(s->target->pool, s->conns[n]);
    }
    if (s->cluster != NULL && rl_cluster_is(s->cluster, RL_MAP_OWES)) {
        send_owed(s);
    }
    if (s->calls != s->single) {
        free(s->calls);
    }
}

rl_request *rl_session_request(rl_session *s, size_t i)
{
    rl_call *calls = rl_session_calls(s, i);

    for (size_t n = 0; n < s->nodes; n++) {
        rl_call_reset(&calls[n]);
    }
    return &calls[0].request;
}

void rl_session_spread(rl_session *s, size_t i)
{
    rl_call *calls = rl_session_calls(s, i);

    for (size_t n = 1; n < s->nodes; n++) {
        calls[n].request = calls[0].request;
    }
}

/* ---- votes ---- */

rl_vote rl_judge_flag(const rl_call *call)
{
    if (call->reply->type != REDIS_REPLY_INTEGER || (call->reply->integer & ~1LL) != 0) {
        return RL_VOTE_NONE;
    }
    return call->reply->integer == 1 ? RL_VOTE_YES : RL_VOTE_NO;
}

rl_vote rl_judge_count(const rl_call *call)
{
    return rl_reply_is_count(call->reply) ? RL_VOTE_YES : RL_VOTE_NONE;
}

/* May the call still be answered in this round? One that an earlier round gave up may not: its detached copy goes on in
 * its place. */
static bool is_open(const rl_call *call)
{
    return !call->answered && call->error.kind == RL_OK;
}

static rl_vote vote_of(const rl_call *call, rl_judge judge)
{
    if (is_open(call)) {
        return RL_VOTE_OPEN;
    }
    return call->error.kind == RL_OK ? judge(call) : RL_VOTE_NONE;
}

rl_votes rl_session_votes(const rl_session *s, size_t i, rl_judge judge)
{
    const rl_call *calls = rl_session_calls(s, i);
    rl_votes votes = {0};

    for (size_t n = 0; n < s->nodes; n++) {
        rl_votes_count(&votes, vote_of(&calls[n], judge));
    }
    return votes;
}

bool rl_session_says_yes(const rl_session *s, size_t i, rl_judge judge)
{
    return rl_votes_say_yes(rl_session_votes(s, i, judge), s->nodes);
}

bool rl_session_vote_is_decided(const rl_session *s, size_t i, const rl_policy *policy)
{
    return rl_votes_are_decided(rl_session_votes(s, i, policy->judge), s->nodes);
}

/* Is the vote on the i-th question certain, yes or no? */
static bool has_outcome(const rl_session *s, size_t i, rl_judge judge)
{
    return rl_votes_are_certain(rl_session_votes(s, i, judge), s->nodes);
}

/* ---- what is sent ---- */

/* The number of nodes that have owed a reply since before `since`, or owe many. */
static size_t count_behind(const rl_session *s, int64_t since)
{
    size_t behind = 0;

    for (size_t n = 0; n < s->nodes; n++) {
        behind += rl_conn_is_behind(s->conns[n], since);
    }
    return behind;
}

/* Reads the replies that have come before it decides which nodes are silent. Skips either all of them or, if too few
 * nodes would be left, none. */
void rl_session_skip_silent(rl_session *s)
{
    int64_t now, since;

    if (rl_session_is_alone(s)) {
        return;
    }
    now = platform_now();
    since = now - s->target->node_timeout;
    if (count_behind(s, since) > 0) {
        rl_wait(s->conns, s->nodes, now, NULL); /* reads what has come, without waiting */
    }
    if (s->nodes - count_behind(s, since) < rl_session_majority(s)) {
        return;
    }
    for (size_t n = 0; n < s->nodes; n++) {
        if (rl_conn_is_behind(s->conns[n], since)) {
            s->calls[n].answered = true;
            s->calls[n].error = (rl_error){RL_UNREACHABLE, "", "an earlier answer is still owed"};
        }
    }
}

/* Sends the open questions to one node. Of several, the first brings its script's text: a server that does not know
 * the script then knows it for the others, and one round trip is enough. Of several nodes, nobody waits for a late
 * NOSCRIPT, so a request may ask for its text to be sent beforehand; a single one is sent it when it asks. */
static void send_to(rl_session *s, size_t n, int64_t connect_by)
{
    bool send_eval = s->questions > 1;

    for (size_t i = 0; i < s->questions; i++) {
        rl_call *call = &rl_session_calls(s, i)[n];
        if (is_open(call)) {
            call->request.preload &= !rl_session_is_alone(s);
            call->send_eval |= send_eval;
            call->corked = i + 1 < s->questions;
            rl_conn_submit(s->conns[n], call, connect_by);
            send_eval = false;
        }
    }
}

/* ---- a cluster ---- */

/* Takes another connection for a single question, unless the one that there is leads to where its key is now. */
static void route_single(rl_session *s)
{
    if (!rl_cluster_leads_to(s->cluster, s->slot, rl_conn_destination(s->conns[0]))) {
        rl_pool_give(s->target->pool, s->conns[0]);
        s->conns[0] = rl_pool_take_routed(s->target->pool, s->target->endpoints, s->cluster, s->slot, &s->is_guess);
    }
}

/* Returns the lane to this node, which is added if need be; -1: there are too many. `at` is the caller's, not the map's. */
static int lane_to(rl_session *s, const rl_destination *at)
{
    size_t lane = 0;

    while (lane < s->lanes && !rl_conn_leads_to(s->conns[lane], at)) {
        lane++;
    }
    if (lane == RL_MAX_LANES) {
        return -1;
    }
    RL_INVARIANT(s->lanes <= RL_MAX_LANES);
    if (lane == s->lanes) {
        s->conns[s->lanes++] = rl_pool_take_node(s->target->pool, s->target->endpoints, s->cluster, at);
    }
    return (int)lane;
}

/* Sends a question behind ASKING to where an ASK has pointed, and nothing else of this session there: the next one goes to the
 * slot's own node again. Returns false if there was no ASK. */
static bool send_asking(rl_session *s, rl_call *call, int64_t connect_by)
{
    bool is_lone = call->request.alone != NULL || rl_request_has_one_key(&call->request);
    rl_destination to;

    if (!rl_cluster_take_ask(s->cluster, rl_request_key(&call->request), is_lone, &to)) {
        return false;
    }
    if (s->questions == 1) {
        s->is_routed = false;
        rl_pool_give(s->target->pool, s->conns[0]);
        s->conns[0] = rl_pool_take_node(s->target->pool, s->target->endpoints, s->cluster, &to);
        call->lane = 0;
    } else {
        int lane = lane_to(s, &to);
        if (lane < 0) {
            return false;
        }
        call->lane = (unsigned char)lane;
    }
    call->is_guess = call->request.preload = false;
    rl_conn_submit_asking(s->conns[call->lane], call, connect_by);
    return true;
}

/* Returns until when the connection to a node that is only a guess may be made: while there are others to ask, it has a part of
 * the time. A node that is gone for good may be the first one that the endpoint names. */
static int64_t guess_by(const rl_session *s, int64_t connect_by)
{
    int64_t now = platform_now();

    return rl_cluster_has_choice(s->cluster) ? now + platform_later(connect_by - now, 0) / 3 : connect_by;
}

static bool has_run(const rl_conn *conn, const rl_request *request)
{
    return request->script != NULL && rl_conn_has_run(conn, request->script);
}

/* Sends one of many questions over the lane to the node that serves its key. The first that a lane brings has its script's
 * text, as in send_to(), unless the script has run there before. */
static void send_over_lane(rl_session *s, rl_call *call, bool *has_text, int64_t connect_by)
{
    rl_route_to to;
    rl_destination at;

    rl_cluster_route(s->cluster, rl_slot_of(rl_request_key(&call->request)), &to);
    bool is_guess = to.is_guess;
    rl_destination_set(&at, to.host, to.port);
    int lane = lane_to(s, &at);

    if (lane < 0) {
        call->answered = true;
        call->error = (rl_error){RL_UNREACHABLE, "", "the keys of the call are at too many nodes at once"};
        return;
    }
    call->request.preload = false; /* somebody waits for the answer */
    call->lane = (unsigned char)lane;
    call->is_guess = is_guess;
    s->is_guess |= is_guess;
    call->corked = true;
    call->send_eval |= !has_text[lane] && !has_run(s->conns[lane], &call->request);
    has_text[lane] = true;
    rl_conn_submit(s->conns[lane], call, is_guess ? guess_by(s, connect_by) : connect_by);
}

/* Is the call to be sent: open, and not under way? */
static bool is_due(const rl_call *call)
{
    return is_open(call) && call->conn == NULL;
}

/* Not inlined, since mostly there is a single question. */
static PLATFORM_NOINLINE void send_over_lanes(rl_session *s, int64_t connect_by)
{
    bool has_text[RL_MAX_LANES] = {false};

    for (rl_call *call = s->calls; call < s->calls + s->questions; call++) {
        if (is_due(call) && !(rl_cluster_is(s->cluster, RL_MAP_MOVING) && send_asking(s, call, connect_by))) {
            send_over_lane(s, call, has_text, connect_by);
        }
    }
}

/* Sends a single question to the node that serves its key. */
static void send_single(rl_session *s, bool corked, int64_t connect_by)
{
    rl_call *call = s->calls;

    if (!is_due(call) || (rl_cluster_is(s->cluster, RL_MAP_MOVING) && send_asking(s, call, connect_by))) {
        return;
    }
    if (!s->is_routed) {
        route_single(s);
    }
    s->is_routed = false;
    call->request.preload = false; /* somebody waits for the answer */
    call->lane = 0;
    call->is_guess = s->is_guess;
    call->corked = corked;
    rl_conn_submit(s->conns[0], call, call->is_guess ? guess_by(s, connect_by) : connect_by);
}

/* Answers the open questions by an error, since the servers are no cluster. */
static void refuse_all(rl_session *s)
{
    for (size_t i = 0; i < s->questions; i++) {
        if (is_open(&s->calls[i])) {
            s->calls[i].answered = true;
            s->calls[i].error = (rl_error){RL_REFUSED, "", "the servers are no cluster: name one as redis://HOST:6379"};
        }
    }
}

/* Sends the open questions that are not under way. The map is asked for behind them, if it is in doubt. What is corked goes out
 * when the connections are waited for. */
static void send_to_cluster(rl_session *s, int64_t connect_by)
{
    bool wants_slots = rl_cluster_is(s->cluster, RL_MAP_IN_DOUBT) && rl_cluster_wants_slots(s->cluster);

    if (rl_cluster_is_none(s->cluster)) {
        refuse_all(s);
    } else if (s->questions == 1) {
        send_single(s, wants_slots, connect_by);
    } else {
        send_over_lanes(s, connect_by);
    }
    for (size_t lane = 0; wants_slots && lane < s->lanes; lane++) {
        rl_conn_ask_slots(s->conns[lane], platform_now());
    }
}

/* How often a question is sent again in a round: a script of several keys, its stand-in, and that behind ASKING; and once more
 * where the slot has just arrived. */
#define MOST_FOLLOWED 3

/* Was the question answered so that it may be carried out if it is sent again at once: by a redirection, or since a script of
 * several keys does not run, for which another stands in? */
static bool is_to_follow(const rl_call *call)
{
    return call->answered && call->followed < MOST_FOLLOWED && rl_error_is_of_moving_slot(&call->error) &&
           (call->error.kind == RL_REDIRECTED || (call->request.alone != NULL && !call->went_alone));
}

/* Nothing ran, so the time of the round is still that of the question: otherwise the last try of a wait would fail, not find
 * the lock held. */
static PLATFORM_NOINLINE void follow(rl_session *s, const rl_clock *clock)
{
    bool any = false;

    s->refusals = rl_cluster_refusals(s->cluster);
    for (rl_call *call = s->calls; call < s->calls + s->questions; call++) {
        if (is_to_follow(call)) {
            unsigned char followed = call->followed;
            bool repeated = call->repeated;
            rl_call_reset(call);
            call->followed = followed + 1;
            call->repeated = repeated;
            any = true;
        }
    }
    if (any) {
        s->sent_at = platform_now();
        send_to_cluster(s, clock->connect_by);
    }
}

void rl_session_follow(rl_session *s, const rl_clock *clock)
{
    if (s->cluster != NULL && rl_cluster_refusals(s->cluster) != s->refusals) {
        follow(s, clock);
    }
}

/* Notes which nodes serve the slots of questions that were answered well, if that was a guess. Not inlined, since mostly none
 * was. */
static PLATFORM_NOINLINE void learn_from_answers(rl_session *s)
{
    for (size_t i = 0; i < s->questions; i++) {
        const rl_call *call = &s->calls[i];
        if (call->is_guess && call->answered && call->error.kind == RL_OK) {
            rl_cluster_learn_owner(s->cluster, rl_slot_of(rl_request_key(&call->request)),
                                   rl_conn_destination(s->conns[call->lane]));
        }
    }
}

/* ---- a round ---- */

/* Returns until when to wait for several nodes, whose answers still matter to an outcome; 0 if none does. This changes
 * while the caller waits, since a connection that becomes ready starts its node's time. */
static int64_t nodes_reply_by(const rl_session *s, const rl_clock *clock, const rl_policy *policy)
{
    bool open[RL_MAX_NODES] = {false}, any = false, enough = true;
    int64_t latest = clock->sent_at;

    for (size_t i = 0; i < s->questions; i++) {
        const rl_call *calls = rl_session_calls(s, i);
        size_t replies = 0;
        if (policy->decided != NULL && policy->decided(s, i, policy)) {
            continue;
        }
        for (size_t n = 0; n < s->nodes; n++) {
            open[n] |= is_open(&calls[n]);
            any |= is_open(&calls[n]);
            replies += calls[n].answered && calls[n].reply != NULL;
        }
        enough &= replies >= rl_session_majority(s);
    }
    for (size_t n = 0; n < s->nodes; n++) {
        int64_t since = rl_conn_ready_since(s->conns[n]);
        if (open[n] && since == PLATFORM_NEVER && !enough) {
            return clock->reply_by;
        }
        if (open[n]) {
            since = since == PLATFORM_NEVER ? clock->sent_at : platform_later(since, clock->sent_at);
            since = s->questions > 1 ? platform_later(since, s->heard_at[n]) : since;
            latest = platform_later(latest, platform_after(since, s->target->node_timeout));
        }
    }
    return any ? platform_earlier(latest, clock->reply_by) : 0;
}

/* Waits for a single node, which answers in order. One that goes on answering is not given up: from each answer on,
 * it has as long for the next one as it had for the first, up to the deadline. */
static rl_wake await_single(rl_session *s, const rl_clock *clock, const rl_hook *hook)
{
    const rl_call *call = s->calls, *end = call + s->questions;
    int64_t reply_by = clock->reply_by;

    for (;;) {
        const rl_call *first = call;
        rl_session_follow(s, clock);
        while (call < end && !is_open(call)) {
            call++;
        }
        if (call == end) {
            return RL_WAKE_EVENT;
        }
        if (call > first) {
            int64_t most = platform_later(platform_after(clock->deadline, RL_FINAL_REPLY_GRACE), clock->reply_by);
            reply_by = platform_earlier(most, platform_now() + (clock->reply_by - clock->sent_at));
        }
        rl_wake woken = rl_wait(s->conns, s->lanes, reply_by, hook);
        if (woken != RL_WAKE_EVENT) {
            return woken;
        }
    }
}

/* Notes which nodes have answered more of many questions. They answer in order. */
static void note_heard(rl_session *s)
{
    int64_t now = platform_now();

    for (size_t n = 0; n < s->nodes; n++) {
        size_t heard = s->heard[n];
        while (heard < s->questions && !is_open(&rl_session_calls(s, heard)[n])) {
            heard++;
        }
        s->heard_at[n] = heard > s->heard[n] ? now : s->heard_at[n];
        s->heard[n] = heard;
    }
}

static rl_wake await_nodes(rl_session *s, const rl_clock *clock, const rl_policy *policy)
{
    rl_wake woken = RL_WAKE_EVENT;
    int64_t reply_by;

    while (woken == RL_WAKE_EVENT && (reply_by = nodes_reply_by(s, clock, policy)) > 0) {
        woken = rl_wait(s->conns, s->nodes, reply_by, policy->hook);
        if (s->questions > 1) {
            note_heard(s);
        }
    }
    return woken;
}

/* All calls are submitted before any is waited for, and they are waited for together: a slow node does not delay the
 * others. */
void rl_session_send(rl_session *s, const rl_clock *clock, const rl_policy *policy)
{
    s->sent_at = clock->sent_at;
    if (s->cluster != NULL) {
        s->refusals = rl_cluster_refusals(s->cluster);
        send_to_cluster(s, clock->connect_by);
        return;
    }
    for (size_t n = 0; n < s->nodes; n++) {
        s->heard[n] = 0;
        s->heard_at[n] = clock->sent_at;
        send_to(s, policy->wakes ? s->nodes - 1 - n : n, clock->connect_by);
    }
}

int64_t rl_session_reply_by(const rl_session *s, const rl_clock *clock, const rl_policy *policy)
{
    if (rl_session_is_alone(s)) {
        return s->calls->answered ? 0 : clock->reply_by;
    }
    return nodes_reply_by(s, clock, policy);
}

static void end_wait(rl_session *s, rl_wake woken)
{
    for (rl_call *call = s->calls, *end = call + s->nodes * s->questions; call < end; call++) {
        if (is_open(call)) {
            rl_call_give_up(call, woken, s->sent_at);
        }
    }
    if (s->is_guess) {
        learn_from_answers(s);
    }
}

void rl_session_round(rl_session *s, const rl_clock *clock, const rl_policy *policy)
{
    rl_session_send(s, clock, policy);
    end_wait(s, rl_session_is_alone(s) ? await_single(s, clock, policy->hook) : await_nodes(s, clock, policy));
}

/* ---- several rounds ---- */

/* Turns replies that are none to their requests into errors. Returns whether all calls have good answers. */
static bool check_replies(rl_session *s, rl_judge judge)
{
    bool good = true;

    RL_INVARIANT(judge != NULL);
    for (rl_call *call = s->calls, *end = call + s->nodes * s->questions; call < end; call++) {
        if (call->answered && call->error.kind == RL_OK && judge(call) == RL_VOTE_NONE) {
            call->error = RL_WRONG_REPLY;
        }
        good &= call->answered && call->error.kind == RL_OK;
    }
    return good;
}

/* Takes the open calls to a single node, or to those of a cluster, off their connections. Unless all that went wrong are error
 * replies, a connection is of no use any more: what is sent on it would be answered behind what is open. */
static void leave_single(rl_session *s, const rl_policy *policy)
{
    bool insists = policy->insists && s->questions == 1 && s->calls[0].conn != NULL;
    bool is_broken[RL_MAX_LANES] = {false};

    for (size_t i = 0; i < s->questions; i++) {
        rl_failure kind = s->calls[i].error.kind;
        bool is_of_use = kind == RL_OK || kind == RL_ERROR_REPLY || kind == RL_REDIRECTED;
        RL_INVARIANT(s->calls[i].lane < s->lanes);
        is_broken[s->calls[i].lane] |= !is_of_use;
        rl_call_detach(&s->calls[i], policy->repeats);
    }
    for (size_t lane = 0; lane < s->lanes; lane++) {
        if (!is_broken[lane]) {
            continue;
        }
        if (insists) {
            rl_conn_close_after(s->conns[lane], &s->calls[0].request, platform_now());
        } else {
            rl_conn_break(s->conns[lane], RL_LOST, "the connection was given up");
        }
    }
}

/* Breaking a connection ends the detached calls on it, so that comes last. */
void rl_session_detach(rl_session *s, bool must_run)
{
    if (rl_session_is_alone(s)) {
        return;
    }
    for (size_t k = 0; k < s->nodes * s->questions; k++) {
        rl_call *detached = rl_call_detach(&s->calls[k], must_run);
        if (detached != NULL) {
            rl_call_pair(&s->calls[k], detached);
        }
    }
    for (size_t k = 0; k < s->nodes * s->questions; k++) {
        if (s->calls[k].error.kind == RL_MALFORMED) {
            rl_conn_break(s->conns[k % s->nodes], RL_LOST, "another reply was malformed");
        }
    }
}

/* Takes the calls off the connections behind a round. Returns whether all have good answers. */
static bool end_round(rl_session *s, const rl_policy *policy)
{
    if (check_replies(s, policy->judge)) {
        return true;
    }
    if (rl_session_is_alone(s)) {
        leave_single(s, policy);
    } else {
        rl_session_detach(s, policy->repeats);
    }
    return false;
}

bool rl_session_ask_once(rl_session *s, const rl_clock *clock, const rl_policy *policy)
{
    rl_session_round(s, clock, policy);
    return end_round(s, policy);
}

bool rl_session_settle(rl_session *s, const rl_policy *policy)
{
    end_wait(s, RL_WAKE_DEADLINE);
    return end_round(s, policy);
}

bool rl_session_is_moving(const rl_session *s, size_t i)
{
    return s->cluster != NULL && rl_cluster_is_moving(s->cluster, rl_request_key(&rl_session_calls(s, i)->request));
}

/* Is the i-th question, which has no outcome, worth sending again after this error of it? Of a target that moves, another
 * server may answer it: also one that may not be carried out twice, if it was not carried out. */
static bool is_worth_repeating(const rl_session *s, size_t i, const rl_policy *policy, const rl_error *error)
{
    if (policy->leaves_moving && rl_error_is_of_moving_slot(error) && rl_session_is_moving(s, i)) {
        return false;
    }
    if (rl_target_moves(s->target)) {
        return policy->repeats ? rl_error_is_transient(error) : rl_error_passed_before_running(error);
    }
    return policy->repeats && rl_error_is_retriable(error, rl_session_was_repeated(s, i));
}

/* Finds the error of the first question without an outcome; RL_OK if all have one. One that is worth sending again comes
 * before the others. Returns whether there is such a one. */
static bool find_error(const rl_session *s, const rl_policy *policy, rl_error *error)
{
    rl_error one;

    error->kind = RL_OK;
    for (size_t i = 0; i < s->questions; i++) {
        if (has_outcome(s, i, policy->judge)) {
            continue;
        }
        rl_session_error(s, i, &one);
        bool again = is_worth_repeating(s, i, policy, &one);
        if (error->kind == RL_OK || again) {
            *error = one;
        }
        if (again) {
            return true;
        }
    }
    return false;
}

/* May one of the calls to a question have been carried out? */
static bool may_have_run(const rl_session *s, const rl_call *calls)
{
    bool may = false;

    for (size_t n = 0; n < s->nodes; n++) {
        may |= calls[n].repeated || calls[n].error.kind == RL_OK || rl_error_is_outcome_unknown(&calls[n].error);
    }
    return may;
}

/* Makes the calls open again of the questions that are worth sending again. */
static void reopen(rl_session *s, const rl_policy *policy)
{
    rl_error error;

    for (size_t i = 0; i < s->questions; i++) {
        rl_call *calls = rl_session_calls(s, i);
        if (has_outcome(s, i, policy->judge)) {
            continue;
        }
        rl_session_error(s, i, &error);
        bool again = is_worth_repeating(s, i, policy, &error), repeated = may_have_run(s, calls);
        for (size_t n = 0; n < s->nodes && again; n++) {
            rl_call_reset(&calls[n]);
            calls[n].repeated = repeated;
        }
    }
}

/* A repeat sends only the questions that have no outcome: what an earlier round carried out stays as it is. */
bool rl_session_ask(rl_session *s, rl_clock *clock, const rl_policy *policy, rl_error *error)
{
    int64_t deadline = policy->repeat_by != 0 ? platform_earlier(policy->repeat_by, clock->deadline) : clock->deadline;
    rl_repeat repeat;

    rl_repeat_begin(&repeat, RL_REPEAT_LOST, s->target, deadline, NULL);
    for (size_t i = 0; i < s->questions; i++) {
        rl_session_calls(s, i)->request.once = !policy->repeats;
        rl_session_spread(s, i);
    }
    for (;;) {
        rl_clock_ask(clock, s->target, platform_now());
        error->kind = RL_OK;
        if (rl_session_ask_once(s, clock, policy)) {
            return true;
        }
        bool again = find_error(s, policy, error);
        if (error->kind == RL_OK || !again || !rl_repeat_again(&repeat, error)) {
            return error->kind == RL_OK;
        }
        reopen(s, policy);
    }
}

/* ---- after a round ---- */

int64_t rl_session_round_trip(const rl_session *s, int64_t sent)
{
    int64_t now = platform_now(), ready = rl_session_is_alone(s) ? rl_conn_ready_since(s->conns[0]) : sent;

    return now - (ready <= now ? platform_later(sent, ready) : sent);
}

/* The call to the i-th question that went over this connection; NULL: none did. */
static rl_call *call_over(const rl_session *s, size_t i, size_t conn)
{
    rl_call *calls = rl_session_calls(s, i);

    if (s->cluster == NULL) {
        return &calls[conn];
    }
    return calls->lane == conn ? calls : NULL;
}

/* Writes what undoes the questions that have failed on this connection behind them, and closes it. */
static bool close_after(rl_session *s, size_t conn, const rl_request *undos, int64_t close_by)
{
    const rl_request *last = NULL;

    for (size_t i = 0; i < s->questions; i++) {
        const rl_call *call = call_over(s, i, conn);
        if (call == NULL || call->error.kind == RL_OK || rl_error_is_of_slot(&call->error) ||
            rl_error_refuses_many_keys(&call->error)) {
            continue; /* nothing ran */
        }
        if (last != NULL) {
            rl_conn_write_behind(s->conns[conn], last);
        }
        last = &undos[i];
    }
    return last != NULL && rl_conn_close_after(s->conns[conn], last, close_by);
}

/* The connections are closed one after the other, and each may wait for its server. `close_by` is a point in time, so
 * it limits all of these waits together. Closing a connection overwrites the error of a call that is still on it, so
 * that is put back. */
bool rl_session_close_after(rl_session *s, const rl_request *undos, int64_t close_by)
{
    size_t count = s->questions * s->nodes;
    rl_error *errors = platform_alloc(count * sizeof(*errors));
    bool sent = false;

    for (size_t k = 0; k < count; k++) {
        errors[k] = s->calls[k].error;
    }
    for (size_t conn = 0; conn < s->lanes; conn++) {
        sent |= close_after(s, conn, undos, close_by);
    }
    for (size_t k = 0; k < count; k++) {
        s->calls[k].error = errors[k];
    }
    free(errors);
    return sent;
}

/* Returns the index of the call whose error says most, or `count` if there is no error. An interruption by the caller
 * comes before all else. An error with which a call ended comes before that of a call which was given up. Among
 * equals, the first node's counts. */
static size_t first_failed(const rl_call *calls, size_t count)
{
    size_t first = count;

    for (size_t i = count; i-- > 0;) {
        if (calls[i].error.kind == RL_INTERRUPTED) {
            return i;
        }
        if (calls[i].error.kind != RL_OK && (calls[i].answered || first == count || !calls[first].answered)) {
            first = i;
        }
    }
    return first;
}

/* How many nodes answered is not said: those that could not change the outcome were not waited for. */
void rl_session_error(const rl_session *s, size_t i, rl_error *error)
{
    const rl_call *calls = rl_session_calls(s, i);
    size_t first = first_failed(calls, s->nodes);

    if (first == s->nodes) {
        return;
    }
    *error = calls[first].error;
    if (!rl_session_is_alone(s)) {
        snprintf(error->text, sizeof(error->text), "too few of %zu servers answered; %s: %.160s", s->nodes,
                 rl_conn_endpoint(s->conns[first])->label, calls[first].error.text);
    }
}

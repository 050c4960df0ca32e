/* SPDX-License-Identifier: MIT
 *
 * lock/undo: see lock/undo.h.
 */
#include "lock/undo.h"

#include "invariant.h"
#include "lock/lease.h"
#include "lock/release.h"
#include "platform/platform.h"

/* Stands for the token in a release that is to release no lock, whatever the lock's value. */
#define NO_TOKEN RL_LITERAL("")

/* Makes `request` the release of `token` that also gives back the place in line of `waiter`, and a baton. */
static void attempt_release_request(lock_attempt *attempt, rl_bytes token, rl_bytes waiter, rl_bytes served,
                                    rl_request *request)
{
    lock_random_baton(attempt->room->baton);
    lock_keys_complete(&attempt->room->keys);
    lock_release_request(request, &attempt->room->keys,
                         &(lock_release_args){.token = token,
                                              .baton = lock_baton_bytes(attempt->room->baton),
                                              .leaves = true,
                                              .waiter = waiter,
                                              .served = served});
    request->preload = true;
}

/* If the outcome of no try is unknown, a lock under the caller's token is an earlier call's, and stays. */
void lock_attempt_undo_request(lock_attempt *attempt, rl_bytes served, rl_request *undo)
{
    attempt_release_request(attempt,
                            lock_attempt_draws_tokens(attempt) || attempt->outcome_unknown ? attempt->token : NO_TOKEN,
                            lock_attempt_waiter(attempt, false), served, undo);
}

void lock_attempt_leave_request(lock_attempt *attempt, rl_bytes served, rl_request *leave)
{
    attempt_release_request(attempt, NO_TOKEN, lock_attempt_waiter(attempt, false), served, leave);
}

#define CLOSED (-1) /* value of undone_on: the undo was sent on a connection that is gone */

void lock_attempt_release_later(const lock_attempt *attempt)
{
    const lock_acquire_params *params = attempt->params;

    if (attempt->outcome_unknown && attempt->process == platform_process()) {
        lock_release_token_later(params->client, params->name, attempt->token, lock_attempt_draws_tokens(attempt),
                                 params->duration);
    }
}

/* Nobody learns whether the undo was carried out: the connection may have broken behind it, and a server that is
 * loading refuses it. So a token that may hold the lock is left to the backlog as well. */
void lock_attempt_draw_anew(lock_attempt *attempt)
{
    if (attempt->outcome_unknown && !lock_attempt_draws_tokens(attempt)) {
        attempt->undone_on[attempt->place.node] = CLOSED;
    } else {
        lock_attempt_release_later(attempt);
    }
    lock_attempt_renew_token(attempt);
    lock_attempt_renew_waiter(attempt);
}

/* A token of the caller's is the same in every try. On the same connection the undo of an earlier try runs before the next try.
 * If that connection is gone, the undo may run after it, and would release a lock that we believe to hold. So such a node is
 * not asked again. */
void lock_attempt_skip_undone(lock_attempt *attempt)
{
    rl_session *session = attempt->session;
    size_t left = session->nodes;
    bool over[RL_MAX_NODES];

    for (size_t i = 0; i < session->nodes; i++) {
        int64_t undone_on = attempt->undone_on[i];
        over[i] = undone_on != 0 && undone_on != rl_conn_generation(session->conns[i]);
        left -= over[i];
    }
    for (size_t i = 0; i < session->nodes; i++) {
        if (over[i]) {
            /* RL_REFUSED is for good. If the other nodes are enough, this one only counts as silent. */
            session->calls[i].answered = true;
            session->calls[i].error =
                (rl_error){left < rl_session_majority(session) ? RL_REFUSED : RL_UNREACHABLE, "",
                           "a reply was lost; a caller-supplied token is not retried on this server"};
        }
    }
}

void lock_attempt_note_answered(lock_attempt *attempt)
{
    for (size_t i = 0; i < attempt->session->nodes; i++) {
        if (attempt->session->calls[i].reply != NULL &&
            attempt->undone_on[i] == rl_conn_generation(attempt->session->conns[i])) {
            attempt->undone_on[i] = 0;
        }
    }
}

/* Does so after an error reply too: a script that failed half way may have left something. */
void lock_attempt_undo_single(lock_attempt *attempt)
{
    rl_session *session = attempt->session;
    rl_request undo;

    RL_INVARIANT(rl_session_is_alone(session));
    lock_attempt_undo_request(attempt, lock_baton_bytes(attempt->place.served), &undo);
    if (rl_session_close_after(session, &undo, rl_clock_cleanup(&attempt->clock))) {
        lock_attempt_draw_anew(attempt);
    }
}

/* Notes on which connection an undo of the caller's token was sent to node `i`. If one may still arrive that was sent on
 * another connection, or on one that has broken since, the node stays closed. */
static void attempt_note_undone(lock_attempt *attempt, size_t i)
{
    int64_t generation = rl_conn_generation(attempt->session->conns[i]), *on = &attempt->undone_on[i];

    if (!lock_attempt_draws_tokens(attempt)) {
        *on = generation != 0 && (*on == 0 || *on == generation) ? generation : CLOSED;
    }
}

/* Leaves the release of our token at node `i` to the backlog: `undo`, which does it (NULL: nothing does), may be lost
 * with its connection. A token of the caller's may hold the lock anew when the backlog is sent. After a fork, all that is
 * the parent's. `is_decided`: a majority has answered. */
static void attempt_undo_later(lock_attempt *attempt, size_t i, bool is_decided, rl_call *undo)
{
    int64_t duration = attempt->params->duration;
    rl_backlog_terms terms = {.until = lock_lease_ends_by(platform_now(), duration),
                              .keeps = lock_lease_ends_by(0, duration),
                              .is_decided = is_decided,
                              .may_have_run = true};

    if (lock_attempt_draws_tokens(attempt) && attempt->process == platform_process()) {
        lock_release_undo_later(rl_conn_backlog(attempt->session->conns[i]), &attempt->room->keys, attempt->token,
                                &terms, undo);
    }
}

/* Sends node `i` the undo of a try, without waiting for the reply: releases `token` (NO_TOKEN: no lock) and gives
 * back a baton and the waiter's place in line. After a fork during the try, all that is the parent's. An undo of the
 * caller's token brings its text: sent again after NOSCRIPT, it would run behind the next try with the same token. */
static void attempt_undo_at(lock_attempt *attempt, size_t i, rl_bytes token, rl_bytes waiter, bool is_decided)
{
    rl_bytes served = lock_baton_bytes(i == attempt->place.node ? attempt->place.served : "");
    rl_request undo;

    if (attempt->process != platform_process()) {
        return;
    }
    attempt_release_request(attempt, token, waiter, served, &undo);
    rl_call *call = rl_detached_call_new(&undo, !lock_attempt_draws_tokens(attempt), true);
    if (token.len > 0) {
        attempt_undo_later(attempt, i, is_decided, call);
    }
    rl_conn_submit(attempt->session->conns[i], call,
                   platform_after(platform_now(), attempt->session->target->connect_timeout));
    if (token.len > 0) {
        attempt_note_undone(attempt, i);
    }
}

/* Such an undo may run late, so its token is not used again, and neither is the waiter id unless it still
 * stands in line. */
void lock_attempt_clean_up(lock_attempt *attempt, bool bypasses, lock_answer *answer)
{
    rl_session *session = attempt->session;
    rl_bytes waiter = lock_attempt_waiter(attempt, bypasses);
    bool undone = false, is_decided = answer->verdict != ATTEMPT_FAILED;

    RL_INVARIANT(!rl_session_is_alone(session));
    rl_session_detach(session, false);
    for (size_t i = 0; i < session->nodes; i++) {
        const rl_call *call = &session->calls[i];
        rl_vote said = attempt->room->said[i];
        if (!lock_attempt_may_have_run(call)) {
            continue;
        }
        if (answer->verdict == ATTEMPT_ACQUIRED) {
            if (i == attempt->place.node && waiter.len > 0 && said != RL_VOTE_YES) {
                attempt_undo_at(attempt, i, NO_TOKEN, waiter, is_decided); /* leaves the queue */
            }
        } else if (said != RL_VOTE_NO) {
            bool may_be_there = said == RL_VOTE_YES || rl_error_is_outcome_unknown(&call->error);
            attempt_undo_at(attempt, i, lock_attempt_draws_tokens(attempt) || may_be_there ? attempt->token : NO_TOKEN,
                            waiter, is_decided);
            undone = true;
        } else if (answer->verdict == ATTEMPT_FAILED && i == attempt->place.node && answer->queued) {
            /* Too few nodes answered: the call does not wait then. */
            attempt_undo_at(attempt, i, NO_TOKEN, waiter, is_decided);
            undone = true;
        }
    }
    answer->queued &= answer->verdict != ATTEMPT_FAILED;
    if (undone) {
        lock_attempt_renew_token(attempt);
    }
    if (undone && !bypasses && !answer->queued) {
        lock_attempt_renew_waiter(attempt);
    }
}

/* Have a majority of the nodes answered? */
static bool most_have_answered(const rl_session *session)
{
    size_t good = 0;

    for (size_t i = 0; i < session->nodes; i++) {
        good += session->calls[i].error.kind == RL_OK;
    }
    return good >= rl_session_majority(session);
}

/* If nothing of the last round ran, the try before it may have taken the lock all the same: its undo goes to the backlog. */
bool lock_attempt_undo_everywhere(lock_attempt *attempt, bool bypasses)
{
    rl_session *session = attempt->session;
    bool is_decided = most_have_answered(session);

    RL_INVARIANT(!rl_session_is_alone(session));
    for (size_t i = 0; i < session->nodes; i++) {
        if (lock_attempt_may_have_run(&session->calls[i])) {
            attempt_undo_at(attempt, i, attempt->token, lock_attempt_waiter(attempt, bypasses), is_decided);
        } else if ((attempt->asked >> i & 1U) != 0) {
            attempt_undo_later(attempt, i, is_decided, NULL);
        }
    }
    lock_attempt_renew_token(attempt);
    if (!bypasses) { /* otherwise the place in line goes on under this id */
        lock_attempt_renew_waiter(attempt);
    }
    return is_decided;
}

/* With several nodes: leaves to the backlog the release at each node that was asked for the lock and has not said that it gave
 * it back. */
static void attempt_give_back_later(lock_attempt *attempt)
{
    rl_session *session = attempt->session;
    bool is_decided = most_have_answered(session);

    for (size_t i = 0; i < session->nodes && !rl_session_is_alone(session); i++) {
        bool was_asked = (attempt->asked >> i & 1U) != 0;
        if (was_asked && rl_error_leaves_open(&session->calls[i].error)) {
            attempt_undo_later(attempt, i, is_decided, session->calls[i].twin);
        }
    }
}

/* Waits only a moment for the replies. A node that has not replied by then must not be asked with a token of the
 * caller's on another connection: see lock_attempt_skip_undone(). */
void lock_attempt_give_back(lock_attempt *attempt)
{
    static const rl_policy undoing = {0};
    rl_session *session = attempt->session;
    int64_t now = platform_now();

    attempt_release_request(attempt, attempt->token, lock_attempt_waiter(attempt, false), RL_LITERAL(""),
                            rl_session_request(session, 0));
    rl_session_spread(session, 0);
    for (size_t i = 0; i < session->nodes; i++) {
        session->calls[i].send_eval = true; /* nobody may be left to send the text later: see also attempt_undo_at() */
    }
    rl_clock_ask_by(&attempt->clock, now,
                    platform_earlier(now + RL_FINAL_REPLY_GRACE,
                                     platform_later(attempt->clock.hard_deadline, now + RL_CLEANUP_GRACE)));
    rl_session_round(session, &attempt->clock, &undoing);
    for (size_t i = 0; i < session->nodes; i++) {
        if (session->calls[i].reply == NULL && lock_attempt_may_have_run(&session->calls[i])) {
            attempt_note_undone(attempt, i);
        }
    }
    rl_session_detach(session, true);
    attempt_give_back_later(attempt);
    if (rl_session_is_alone(session)) {
        attempt->outcome_unknown = session->calls[0].error.kind != RL_OK;
        if (attempt->outcome_unknown) {
            rl_conn_break(session->conns[0], RL_LOST, "the connection was given up");
        }
    }
    lock_attempt_draw_anew(attempt);
}

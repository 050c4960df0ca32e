/* SPDX-License-Identifier: MIT
 *
 * lock/try: see lock/try.h.
 */
#include "lock/try.h"

#include <string.h>

#include "invariant.h"
#include "lock/fence.h"
#include "lock/undo.h"
#include "platform/platform.h"
#include "redis/scripts.h"

/* ---- requests ---- */

/* The retry_interval that the acquire script takes if it is not told another. */
#define USUAL_RETRY (100 * PLATFORM_MSEC)

/* Returns whether each of the connections has run a release, so that whoever is logged in there may release what it
 * locks. */
static bool has_released(const rl_session *session)
{
    for (size_t i = 0; i < session->nodes; i++) {
        if (!rl_conn_has_run(session->conns[i], &rl_script_release)) {
            return false;
        }
    }
    return true;
}

/* Is all of `has` noted of each of the connections, and nothing of `lacks`? */
static bool attempt_is_noted(const lock_attempt *attempt, unsigned has, unsigned lacks)
{
    for (size_t i = 0; i < attempt->session->nodes; i++) {
        if ((rl_conn_notes(attempt->session->conns[i]) & (has | lacks)) != has) {
            return false;
        }
    }
    return true;
}

/* Returns whether the try may be a plain SET. A caller that does not wait takes a free lock with one SET, at half of
 * what a script costs Redis. Its GET returns the holder otherwise, since a baton that nobody took is free too, which
 * only the script can tell. Before a connection has run a release, the script is used: it refuses the lock at once to
 * a user that has no right to release it. A release that handed its lock over has deleted nothing, so it proves less
 * than that: the right to delete must be known as well. */
static bool attempt_may_ask_plainly(const lock_attempt *attempt, const lock_try *how)
{
    const lock_acquire_params *params = attempt->params;

    return !attempt->waits && !attempt->outcome_unknown && !how->by_script && !params->client->fencing &&
           params->duration != PLATFORM_NEVER && has_released(attempt->session) &&
           attempt_is_noted(attempt, LOCK_CONN_MAY_DELETE, LOCK_CONN_LACKS_SET_GET);
}

static void attempt_plain_request(lock_attempt *attempt, rl_request *request)
{
    const rl_bytes set[] = {RL_LITERAL("SET"),
                            attempt->room->keys.lock,
                            attempt->token,
                            RL_LITERAL("NX"),
                            RL_LITERAL("GET"),
                            RL_LITERAL("PX"),
                            rl_decimal(rl_span_ms(attempt->params->duration), attempt->room->digits[0])};

    RL_INVARIANT(!attempt->waits && !attempt->outcome_unknown && has_released(attempt->session)); /* L15 */
    rl_request_begin(request, NULL);
    rl_request_add_all(request, set, sizeof(set) / sizeof(*set));
}

/* Adds the arguments of the acquire script that mostly say nothing: then they are left out, together. */
static void attempt_add_rare_arguments(lock_attempt *attempt, rl_request *request)
{
    const lock_client *client = attempt->params->client;
    rl_bytes served = lock_baton_bytes(attempt->place.served);
    bool tests = !attempt_is_noted(
        attempt, attempt->waits ? LOCK_CONN_MAY_DELETE | LOCK_CONN_MAY_LEAVE : LOCK_CONN_MAY_DELETE, 0);

    if (!attempt->outcome_unknown && served.len == 0 && client->max_waiters == 0 &&
        client->retry_interval == USUAL_RETRY && !tests) {
        return;
    }
    rl_request_add_number(request, client->max_waiters, attempt->room->digits[2]);
    rl_request_add(request, attempt->outcome_unknown ? RL_LITERAL("1") : RL_LITERAL("0"));
    rl_request_add(request, served);
    rl_request_add_number(request, client->retry_interval / PLATFORM_MSEC, attempt->room->digits[3]);
    if (tests) {
        rl_request_add(request, RL_LITERAL("1"));
    }
}

/* Makes `request` the acquire script with the arguments that lua/acquire.lua names. They point into `attempt`, so it
 * serves one try at a time, in which all nodes but one get a wait_ms of 0. */
static void attempt_acquire_request(lock_attempt *attempt, int64_t wait_ms, bool bypasses, rl_request *request)
{
    const lock_client *client = attempt->params->client;

    const rl_bytes common[] = {attempt->token,
                               rl_decimal(rl_span_ms(attempt->params->duration), attempt->room->digits[0]),
                               lock_attempt_waiter(attempt, bypasses),
                               wait_ms == 0 ? RL_LITERAL("0") : rl_decimal(wait_ms, attempt->room->digits[1])};

    rl_request_begin(request, &rl_script_acquire);
    request->preload = true;
    /* A fence and the number of waiters stand in keys of their own. */
    request->alone = client->fencing || (wait_ms != 0 && client->max_waiters > 0) ? NULL : &rl_script_acquire_alone;
    lock_attempt_add_keys(attempt, request, client->fencing);
    rl_request_add_all(request, common, sizeof(common) / sizeof(*common));
    attempt_add_rare_arguments(attempt, request);
}

/* ---- what the nodes say ---- */

/* What a node says to a try. */
typedef struct node_answer {
    rl_vote vote;
    bool full;        /* no, and the queue is full */
    bool asks_again;  /* no, and nobody stands in line, since the slot moves */
    long long number; /* what the script replied with the vote: see lua/acquire.lua; 0 to a plain SET */
} node_answer;

/* Is it the reply of the acquire script that has taken the lock without a fence? */
static bool says_taken(const redisReply *reply)
{
    return reply->type == REDIS_REPLY_STRING &&
           rl_bytes_equal((rl_bytes){reply->str, (size_t)reply->len}, RL_LITERAL("taken"));
}

bool lock_answer_read(const redisReply *reply, long long *status, long long *number)
{
    if (reply->type != REDIS_REPLY_ARRAY || reply->elements != 2 || reply->element[0]->type != REDIS_REPLY_INTEGER ||
        reply->element[1]->type != REDIS_REPLY_INTEGER) {
        return false;
    }
    *status = reply->element[0]->integer;
    *number = reply->element[1]->integer;
    return *status >= -1 && *status <= 2 && *number >= 0;
}

/* Reads the reply of a call that was answered without an error. To a plain SET it is nil, or the token that holds the
 * lock. */
static node_answer read_answer(const rl_call *call)
{
    node_answer answer = {.vote = RL_VOTE_NONE};
    long long status;

    if (call->request.script == NULL) {
        answer.vote = call->reply->type == REDIS_REPLY_NIL      ? RL_VOTE_YES
                      : call->reply->type == REDIS_REPLY_STRING ? RL_VOTE_NO
                                                                : RL_VOTE_NONE;
    } else if (says_taken(call->reply)) {
        answer.vote = RL_VOTE_YES;
    } else if (lock_answer_read(call->reply, &status, &answer.number) && status <= (call->went_alone ? 2 : 1)) {
        answer.vote = status == 1 ? RL_VOTE_YES : RL_VOTE_NO;
        answer.full = status == -1;
        answer.asks_again = status == 2;
    }
    return answer;
}

static rl_vote attempt_judge(const rl_call *call)
{
    return read_answer(call).vote;
}

/* Returns what a node says, RL_VOTE_NONE if it says nothing so far. */
static node_answer answer_of(const rl_call *call)
{
    return call->answered && call->error.kind == RL_OK ? read_answer(call) : (node_answer){.vote = RL_VOTE_NONE};
}

/* A try under way, for attempt_is_decided(). */
typedef struct try_op {
    const lock_attempt *attempt;
    const lock_try *how;
} try_op;

/* Returns whether the try is decided, whatever the open nodes answer: the lock is taken, it is held, or too few nodes
 * answer. Unless the lock is taken, a waiter must also learn from the queue node whether it stands in line, or in the
 * last try that it does not any more. With a token of the caller's, every node that answers is awaited: a node that
 * was not heard is undone as if it had taken the lock, but it might have reported that the token held it before. */
static bool attempt_is_decided(const rl_session *session, size_t i, const rl_policy *policy)
{
    const try_op *op = policy->arg;
    rl_votes votes = rl_session_votes(session, i, policy->judge);
    size_t majority = rl_session_majority(session);
    bool queue_node_counts = op->attempt->waits && op->how->bypass == NULL;

    if (rl_votes_say_yes(votes, session->nodes)) {
        return true;
    }
    if (!lock_attempt_draws_tokens(op->attempt) && votes.open > 0) {
        return false;
    }
    if (votes.yes + votes.open >= majority ||
        (queue_node_counts && !session->calls[op->attempt->place.node].answered)) {
        return false;
    }
    return votes.yes + votes.no >= majority || votes.yes + votes.no + votes.open < majority;
}

bool lock_attempt_ran_out_of_time(const lock_attempt *attempt)
{
    const rl_session *session = attempt->session;
    size_t good = 0, late = 0;

    for (size_t i = 0; i < session->nodes; i++) {
        good += session->calls[i].error.kind == RL_OK;
        late += session->calls[i].error.kind == RL_TIMED_OUT;
    }
    return late > 0 && good + late >= rl_session_majority(session);
}

/* Notes what the answer of node `i` to the script proves: see the last argument of lua/acquire.lua. If the queue is full, the
 * script answers before it tests that argument. The script for a slot that moves tests nothing. */
static void attempt_note_rights(const lock_attempt *attempt, size_t i, const lock_try *how, const node_answer *said)
{
    const rl_call *call = &attempt->session->calls[i];
    bool may_leave = attempt->waits && how->bypass == NULL && !said->full;

    if (call->request.script != NULL && !call->went_alone && said->vote >= RL_VOTE_NO) {
        rl_conn_note(attempt->session->conns[i],
                     (said->vote == RL_VOTE_YES ? LOCK_CONN_MAY_DELETE : 0) | (may_leave ? LOCK_CONN_MAY_LEAVE : 0));
    }
}

/* Reads the answers to the last try, and what a majority says. Turns malformed replies into errors of their calls.
 * After ATTEMPT_FAILED, attempt->error says why. */
static lock_answer attempt_read_answers(lock_attempt *attempt, const lock_try *how)
{
    rl_session *session = attempt->session;
    lock_answer answer = {.verdict = ATTEMPT_FAILED, .look_in = PLATFORM_NEVER};
    node_answer here = {.vote = RL_VOTE_NONE}; /* that of the queue node */
    rl_votes votes = {0};

    attempt->error->kind = RL_OK;
    for (size_t i = 0; i < session->nodes; i++) {
        rl_call *call = &session->calls[i];
        node_answer said = answer_of(call);
        if (said.vote == RL_VOTE_NONE && call->answered && call->error.kind == RL_OK) {
            call->error = RL_WRONG_REPLY;
        }
        attempt_note_rights(attempt, i, how, &said);
        attempt->room->said[i] = said.vote;
        rl_votes_count(&votes, said.vote);
        answer.fence = platform_later(answer.fence, said.vote == RL_VOTE_YES ? said.number : 0);
        here = i == attempt->place.node ? said : here;
    }
    if (here.asks_again) {
        answer.asks_again = true;
    } else if (here.vote == RL_VOTE_NO && !here.full && how->wait_ms != 0) {
        answer.queued = true;
        answer.look_in = lock_span_of_ms(here.number);
    } else if (here.vote == RL_VOTE_NO) {
        answer.waiting = here.number;
    }
    if (rl_votes_say_yes(votes, session->nodes)) {
        answer.verdict = ATTEMPT_ACQUIRED;
    } else if (votes.yes + votes.no >= rl_session_majority(session)) {
        answer.verdict = here.full ? ATTEMPT_QUEUE_FULL : ATTEMPT_BUSY;
    } else {
        rl_session_error(session, 0, attempt->error);
    }
    return answer;
}

/* ---- fencing over several nodes ---- */

/* Has a majority given this fence itself? One that took the lock under it keeps it as the last one given. */
static bool attempt_fence_is_known(const lock_attempt *attempt, int64_t fence)
{
    const rl_session *session = attempt->session;
    size_t given_by = 0;

    for (size_t i = 0; i < session->nodes; i++) {
        node_answer answer = answer_of(&session->calls[i]);
        given_by += answer.vote == RL_VOTE_YES && answer.number == fence;
    }
    return given_by >= rl_session_majority(session);
}

static bool is_written_back(const rl_session *session, size_t i, const rl_policy *policy)
{
    return rl_session_says_yes(session, i, policy->judge);
}

/* Writes the fence, the highest that a majority gave, back to a majority: see lock_fence_write_back(). Returns
 * ATTEMPT_ACQUIRED; or ATTEMPT_BUSY or ATTEMPT_FAILED after undoing the try. */
static lock_verdict attempt_write_fence_back(lock_attempt *attempt, bool bypasses, int64_t fence)
{
    const rl_policy writing = {
        .judge = rl_judge_flag, .decided = is_written_back, .hook = &attempt->session->target->hook};
    rl_session *session = attempt->session;

    lock_fence_write_back(rl_session_request(session, 0), &attempt->room->keys, attempt->token, fence,
                          attempt->room->digits[0]);
    rl_session_spread(session, 0);
    attempt->clock.sent_at = platform_now();
    rl_session_round(session, &attempt->clock, &writing);
    rl_session_detach(session, false);
    if (is_written_back(session, 0, &writing)) {
        return ATTEMPT_ACQUIRED;
    }
    if (lock_attempt_undo_everywhere(attempt, bypasses)) {
        return ATTEMPT_BUSY; /* some nodes have lost the lock meanwhile: another try may acquire it anew */
    }
    rl_session_error(session, 0, attempt->error);
    return ATTEMPT_FAILED;
}

/* ---- a try ---- */

/* A waiter's token tells since when the lock is held, and not since when it waits for it. One that a server may have already
 * stays as it is. */
static void attempt_date_token(lock_attempt *attempt)
{
    if (attempt->waits && !attempt->is_fresh && lock_attempt_draws_tokens(attempt) && !attempt->outcome_unknown) {
        lock_description_date(attempt->room->random + LOCK_TOKEN_LEN, attempt->token.len - LOCK_TOKEN_LEN,
                              lock_description_now_ms(attempt->params->client));
    }
    attempt->is_fresh = false;
}

/* Prepares the try for every node. Only the queue node is told to let the waiter wait; the others get a wait_ms of 0,
 * so each node's request is written for itself. */
static void attempt_prepare(lock_attempt *attempt, const lock_try *how)
{
    rl_session *session = attempt->session;
    rl_request *request = rl_session_request(session, 0);

    attempt_date_token(attempt);
    if (attempt_may_ask_plainly(attempt, how)) {
        attempt_plain_request(attempt, request);
        rl_session_spread(session, 0);
        return;
    }
    for (size_t i = 0; i < session->nodes; i++) {
        attempt_acquire_request(attempt, i == attempt->place.node ? how->wait_ms : 0, how->bypass != NULL,
                                &session->calls[i].request);
    }
}

/* Notes the nodes to which the try may have come, and which of them have answered it. */
static void attempt_note_asked(lock_attempt *attempt)
{
    for (size_t i = 0; i < attempt->session->nodes; i++) {
        const rl_call *call = &attempt->session->calls[i];
        if (lock_attempt_may_have_run(call)) {
            attempt->asked |= 1U << i;
            attempt->heard = call->reply != NULL ? attempt->heard | 1U << i : attempt->heard & ~(1U << i);
        }
    }
}

/* Makes the first node that answered the queue node of the next try. Only for an attempt that does not stand in
 * line. */
static void attempt_choose_queue_node(lock_attempt *attempt)
{
    const rl_session *session = attempt->session;
    size_t i = 0;

    while (i + 1 < session->nodes && !(session->calls[i].answered && session->calls[i].error.kind == RL_OK)) {
        i++;
    }
    attempt->place.node = i;
}

/* Returns whether the script must decide, since a plain SET found a baton, was refused, or found a value that is too
 * long to be read. Redis before 7.0 refuses NX with GET as an ERR: then no plain SET is sent over that connection
 * again. */
static bool attempt_needs_script(const lock_attempt *attempt, lock_verdict verdict)
{
    bool needs = false;

    for (size_t i = 0; i < attempt->session->nodes; i++) {
        const rl_call *call = &attempt->session->calls[i];
        if (call->request.script != NULL || !call->answered) {
            continue;
        }
        if (call->error.kind == RL_MALFORMED || call->error.kind == RL_ERROR_REPLY) {
            if (strcmp(call->error.code, "ERR") == 0) {
                rl_conn_note(attempt->session->conns[i], LOCK_CONN_LACKS_SET_GET);
            }
            needs |= verdict == ATTEMPT_FAILED;
        } else if (call->error.kind == RL_OK && call->reply->type == REDIS_REPLY_STRING) {
            needs |= lock_token_is_baton((rl_bytes){call->reply->str, (size_t)call->reply->len});
        }
    }
    return needs;
}

/* Sends a try and reads what the nodes say to it. The lease counts from before it is sent (L9). */
static lock_answer attempt_ask(lock_attempt *attempt, const lock_try *how)
{
    const rl_policy trying = {
        .judge = attempt_judge, .decided = attempt_is_decided, .arg = &(try_op){attempt, how}, .hook = how->hook};
    rl_session *session = attempt->session;
    lock_answer answer;

    attempt_prepare(attempt, how);
    rl_session_skip_silent(session);
    if (!lock_attempt_draws_tokens(attempt)) {
        lock_attempt_skip_undone(attempt);
    }
    rl_session_round(session, &attempt->clock, &trying);
    if (!lock_attempt_draws_tokens(attempt)) {
        lock_attempt_note_answered(attempt);
    }
    attempt_note_asked(attempt);
    answer = attempt_read_answers(attempt, how);
    answer.sent = attempt->clock.sent_at;
    return answer;
}

/* Undoes what the try left that is of no use; at a lone node only if `undoes`. */
static void attempt_clean_up(lock_attempt *attempt, const lock_try *how, bool undoes, lock_answer *answer)
{
    rl_session *session = attempt->session;

    if (!rl_session_is_alone(session)) {
        lock_attempt_clean_up(attempt, how->bypass != NULL, answer);
        return;
    }
    if (answer->verdict == ATTEMPT_FAILED) {
        attempt->outcome_unknown |= rl_error_is_outcome_unknown(&session->calls[0].error);
        if (undoes) {
            lock_attempt_undo_single(attempt);
        }
    }
}

/* attempt_clean_up() must come before attempt_write_fence_back(), which reuses the calls that it reads. */
static lock_answer attempt_run_try(lock_attempt *attempt, const lock_try *how)
{
    lock_answer answer = attempt_ask(attempt, how);
    bool by_script = answer.verdict != ATTEMPT_ACQUIRED && attempt_needs_script(attempt, answer.verdict);
    attempt_clean_up(attempt, how, !how->leaves && !by_script, &answer);
    if (by_script) {
        RL_INVARIANT(!attempt->waits && how->wait_ms == 0); /* L15: so the script need not wait either */
        attempt->clock.sent_at = platform_now();
        return attempt_run_try(attempt, &(lock_try){.by_script = true, .bypass = how->bypass, .hook = how->hook});
    }
    if (answer.verdict == ATTEMPT_ACQUIRED && answer.fence > 0 && !attempt_fence_is_known(attempt, answer.fence)) {
        answer.verdict = attempt_write_fence_back(attempt, how->bypass != NULL, answer.fence);
        answer.queued = false; /* if it could not be written back, all that the try has left was undone */
    }
    if (answer.verdict != ATTEMPT_FAILED && attempt->waits) {
        attempt->round_trip =
            platform_earlier(attempt->round_trip, rl_session_round_trip(attempt->session, answer.sent));
        attempt->last_try_at =
            rl_clock_last_try_at(&attempt->clock, attempt->params->timeout, attempt->round_trip, RL_FINAL_REPLY_GRACE);
    }
    return answer;
}

/* In a bypass, its connection stands in for the one to the queue node, which is blocked. */
lock_answer lock_attempt_try_once(lock_attempt *attempt, const lock_try *how)
{
    rl_conn **slot = &attempt->session->conns[attempt->place.node], *blocked = *slot;

    if (how->bypass == NULL) {
        return attempt_run_try(attempt, how); /* the session may take another connection meanwhile */
    }
    RL_INVARIANT(attempt->waits && !rl_session_is_alone(attempt->session) && how->bypass != blocked);
    *slot = how->bypass;
    lock_answer answer = attempt_run_try(attempt, how);
    *slot = blocked;
    return answer;
}

/* A served baton is good for one try, whatever comes of it (L13). */
lock_answer lock_attempt_try(lock_attempt *attempt, int64_t now)
{
    const rl_target *target = attempt->session->target;
    const lock_try how = {.wait_ms = lock_attempt_wait_ms(attempt, now), .hook = &target->hook};

    rl_clock_ask(&attempt->clock, target, now);
    lock_answer answer = lock_attempt_try_once(attempt, &how);
    if (!answer.queued) {
        attempt_choose_queue_node(attempt);
    }
    attempt->place.served[0] = '\0';
    return answer;
}

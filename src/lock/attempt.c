/* SPDX-License-Identifier: MIT
 *
 * lock/attempt: see lock/attempt.h.
 */
#include "lock/attempt.h"

#include <string.h>

#include "platform.h"
#include "redis/scripts.h"

int64_t lock_attempt_wait_ms(const lock_attempt *attempt)
{
    int64_t now;

    if (!attempt->waits || (now = platform_now()) >= attempt->last_try_at) {
        return 0;
    }
    return attempt->deadline == PLATFORM_NEVER ? -1 : rl_span_ms(attempt->deadline - now);
}

static rl_bytes baton_bytes(const char *baton)
{
    return (rl_bytes){baton, baton[0] != '\0' ? LOCK_BATON_LEN : 0};
}

static rl_bytes waiter_bytes(const lock_attempt *attempt)
{
    return (rl_bytes){attempt->waiter, attempt->waits && !attempt->bypass ? LOCK_WAITER_LEN : 0};
}

/* No token: nothing is released by it, whatever stands there. */
#define NO_TOKEN RL_LITERAL("")

/* Is it known of these connections that they may release what they lock? */
static bool has_released(const rl_quorum *quorum)
{
    for (size_t i = 0; i < quorum->count; i++) {
        if (!rl_conn_has_run(quorum->conns[i], &rl_script_release)) {
            return false;
        }
    }
    return true;
}

/* Who will not wait takes a free lock with one SET, which costs Redis half of what a script does. It says who has it
 * otherwise, since a baton that nobody took is free too, which only the script knows. Not where nobody has released a lock
 * before: whoever may not shall be told so before there is one, by the script. */
static bool attempt_may_ask_plainly(const lock_attempt *attempt)
{
    const lock_client *client = attempt->client;

    return !attempt->waits && !attempt->outcome_unknown && !attempt->by_script && !*client->by_script &&
           !client->fencing && attempt->lease_ms != 0 && has_released(&attempt->quorum);
}

static void attempt_plain_request(lock_attempt *attempt, rl_request *request)
{
    rl_request_begin(request, NULL);
    rl_request_add(request, RL_LITERAL("SET"));
    rl_request_add(request, attempt->keys.lock);
    rl_request_add(request, attempt->token);
    rl_request_add(request, RL_LITERAL("NX"));
    rl_request_add(request, RL_LITERAL("GET"));
    rl_request_add(request, RL_LITERAL("PX"));
    rl_request_add_number(request, attempt->lease_ms, attempt->digits[0]);
}

/* Most locks are taken by a plain SET, which has no use for the keys beside theirs. */
static void attempt_add_keys(lock_attempt *attempt, rl_request *request, bool fence)
{
    lock_keys_complete(&attempt->keys);
    lock_keys_add(request, &attempt->keys, fence);
}

/* Where it stands among the arguments of acquire. */
#define WAIT_MS_ARG 3

static void attempt_acquire_request(lock_attempt *attempt, int64_t wait_ms, rl_request *request)
{
    const lock_client *client = attempt->client;

    rl_request_begin(request, &rl_script_acquire);
    request->preload = attempt->quorum.count > 1; /* of several nodes, those that are late are not waited for */
    attempt_add_keys(attempt, request, client->fencing);
    rl_request_add(request, attempt->token);
    rl_request_add_number(request, attempt->lease_ms, attempt->digits[0]);
    rl_request_add(request, waiter_bytes(attempt));
    rl_request_add_number(request, wait_ms, attempt->digits[1]);
    rl_request_add_number(request, client->max_waiters, attempt->digits[2]);
    rl_request_add(request, attempt->outcome_unknown ? RL_LITERAL("1") : RL_LITERAL("0"));
    rl_request_add(request, baton_bytes(attempt->served));
    rl_request_add_number(request, client->retry_interval / PLATFORM_MSEC, attempt->digits[3]);
    if (attempt->waits) {
        lock_random_baton(attempt->baton);
    }
    rl_request_add(request, baton_bytes(attempt->baton));
    if (!has_released(&attempt->quorum)) {
        rl_request_add(request, RL_LITERAL("1"));
    }
}

static void attempt_release_request(lock_attempt *attempt, rl_bytes token, rl_bytes served, rl_request *request)
{
    rl_request_begin(request, &rl_script_release);
    request->preload = attempt->quorum.count > 1;
    attempt_add_keys(attempt, request, false);
    rl_request_add(request, token);
    lock_random_baton(attempt->baton);
    rl_request_add(request, baton_bytes(attempt->baton));
    rl_request_add(request, waiter_bytes(attempt));
    rl_request_add(request, served);
}

void lock_attempt_undo_request(lock_attempt *attempt, rl_bytes served, rl_request *undo)
{
    /* A token of the caller's that was answered by a no is from before: then it is not this call's to release. */
    attempt_release_request(attempt, attempt->token_is_ours || attempt->outcome_unknown ? attempt->token : NO_TOKEN,
                            served, undo);
}

void lock_attempt_leave_request(lock_attempt *attempt, rl_bytes served, rl_request *leave)
{
    attempt_release_request(attempt, NO_TOKEN, served, leave);
}

int64_t lock_cleanup_deadline(int64_t hard_deadline)
{
    int64_t now = platform_now();

    /* Late as we may be, Redis gets a moment: what it does not read is not undone. */
    return platform_later(platform_earlier(now + LOCK_CLEANUP_GRACE, hard_deadline), now + LOCK_CLEANUP_GRACE / 4);
}

int64_t lock_span_of_ms(long long ms)
{
    return ms > PLATFORM_NEVER / PLATFORM_MSEC ? PLATFORM_NEVER : ms * PLATFORM_MSEC;
}

bool lock_attempt_read_answer(const redisReply *reply, long long *status, long long *number)
{
    if (reply->type != REDIS_REPLY_ARRAY || reply->elements != 2 || reply->element[0]->type != REDIS_REPLY_INTEGER ||
        reply->element[1]->type != REDIS_REPLY_INTEGER) {
        return false;
    }
    *status = reply->element[0]->integer;
    *number = reply->element[1]->integer;
    return *status >= -1 && *status <= 2 && *number >= 0;
}

/* ---- what the nodes say ---- */

typedef enum vote {
    VOTE_NONE, /* no answer, or an error */
    VOTE_YES,
    VOTE_NO,
    VOTE_FULL, /* no, and the queue is full */
} vote;

/* An answer to attempt_plain_request(): nil, or the token that is there. */
static vote plain_vote(const redisReply *reply)
{
    return reply->type == REDIS_REPLY_NIL ? VOTE_YES : reply->type == REDIS_REPLY_STRING ? VOTE_NO : VOTE_NONE;
}

static vote vote_of(const rl_call *call, long long *number)
{
    long long status;

    *number = 0;
    if (!call->answered || call->error.kind != RL_OK) {
        return VOTE_NONE;
    }
    if (call->request.script == NULL) {
        return plain_vote(call->reply);
    }
    if (!lock_attempt_read_answer(call->reply, &status, number)) {
        return VOTE_NONE;
    }
    switch (status) {
    case 1:
        return VOTE_YES;
    case 0:
        return VOTE_NO;
    case -1:
        return VOTE_FULL;
    default:
        return VOTE_NONE;
    }
}

typedef struct votes {
    size_t yes, no, open;
} votes;

static votes count_votes(const rl_quorum *quorum)
{
    votes sum = {0};

    for (size_t i = 0; i < quorum->count; i++) {
        long long number;
        vote one = vote_of(&quorum->calls[i], &number);
        sum.yes += one == VOTE_YES;
        sum.no += one == VOTE_NO || one == VOTE_FULL;
        sum.open += !quorum->calls[i].answered;
    }
    return sum;
}

/* Who waits must hear from the queue node whether it stands in line, or at last that it does not any more; and who does not get
 * it, whether it is held or too few nodes answer. With a token of the caller's, what a node did that was not heard is
 * undone as if it had taken the lock; but it may say that the token held it before, so all are heard that answer. */
static bool attempt_is_decided(const rl_quorum *quorum, const void *arg)
{
    const lock_attempt *attempt = arg;
    votes sum = count_votes(quorum);
    size_t majority = rl_quorum_majority(quorum);
    bool queue_node_counts = attempt->waits && !attempt->bypass;

    if (sum.yes >= majority) {
        return true;
    }
    if (!attempt->token_is_ours && sum.open > 0) {
        return false;
    }
    if (sum.yes + sum.open >= majority || (queue_node_counts && !quorum->calls[attempt->queue_node].answered)) {
        return false;
    }
    return sum.yes + sum.no >= majority || sum.yes + sum.no + sum.open < majority;
}

bool lock_attempt_ran_out_of_time(const lock_attempt *attempt)
{
    const rl_quorum *quorum = &attempt->quorum;
    size_t good = 0, late = 0;

    if (quorum->count == 1) {
        return attempt->error->kind == RL_TIMED_OUT; /* what undid the call has ended it */
    }
    for (size_t i = 0; i < quorum->count; i++) {
        good += quorum->calls[i].error.kind == RL_OK;
        late += quorum->calls[i].error.kind == RL_TIMED_OUT;
    }
    return late > 0 && good + late >= rl_quorum_majority(quorum);
}

/* An answer that is none, as an error of its call. */
static void check_answer(rl_call *call)
{
    long long number;

    if (call->answered && call->error.kind == RL_OK && vote_of(call, &number) == VOTE_NONE) {
        call->error = RL_WRONG_REPLY;
    }
}

static lock_verdict attempt_read_verdict(lock_attempt *attempt)
{
    rl_quorum *quorum = &attempt->quorum;
    long long number = 0;
    votes sum;
    vote at_queue_node;

    rl_error_clear(attempt->error);
    attempt->fence = 0;
    attempt->look_in = PLATFORM_NEVER;
    attempt->waiting = 0;
    for (size_t i = 0; i < quorum->count; i++) {
        check_answer(&quorum->calls[i]);
        if (vote_of(&quorum->calls[i], &number) == VOTE_YES && number > attempt->fence) {
            attempt->fence = number;
        }
    }
    at_queue_node = vote_of(&quorum->calls[attempt->queue_node], &number);
    attempt->queued &= at_queue_node == VOTE_NO;
    if (attempt->queued) {
        attempt->look_in = lock_span_of_ms(number);
    } else if (at_queue_node == VOTE_NO || at_queue_node == VOTE_FULL) {
        attempt->waiting = number;
    }
    sum = count_votes(quorum);
    if (sum.yes >= rl_quorum_majority(quorum)) {
        return LOCK_TAKEN;
    }
    if (sum.yes + sum.no >= rl_quorum_majority(quorum)) {
        return at_queue_node == VOTE_FULL ? LOCK_FULL : LOCK_HELD;
    }
    rl_quorum_error(quorum, quorum->calls, attempt->error);
    return LOCK_UNKNOWN;
}

/* ---- undoing ---- */

static void attempt_renew_token(lock_attempt *attempt)
{
    if (attempt->token_is_ours) {
        lock_random_token(attempt->random);
        attempt->token = (rl_bytes){attempt->random, LOCK_TOKEN_LEN};
        attempt->outcome_unknown = false;
    }
}

static void attempt_renew_waiter(lock_attempt *attempt)
{
    if (attempt->waits) {
        lock_random_waiter(attempt->waiter);
    }
}

void lock_attempt_begin(lock_attempt *attempt)
{
    attempt_renew_token(attempt);
    attempt_renew_waiter(attempt);
}

#define CLOSED (-1) /* a connection that is gone */

void lock_attempt_renew(lock_attempt *attempt)
{
    if (attempt->outcome_unknown && !attempt->token_is_ours) {
        attempt->undone_on[attempt->queue_node] = CLOSED;
    }
    lock_attempt_begin(attempt);
}

/* A token of the caller's is the same at the next try. What undoes an earlier one arrives before that on the same
 * connection; where that is gone, it may arrive later, and would release a lock that is believed in. So that node is
 * not asked any more. */
static void attempt_skip_undone(lock_attempt *attempt)
{
    rl_quorum *quorum = &attempt->quorum;
    size_t left = quorum->count;
    bool over[RL_MAX_NODES];

    for (size_t i = 0; i < quorum->count; i++) {
        int64_t undone_on = attempt->undone_on[i];
        over[i] = undone_on != 0 && undone_on != rl_conn_generation(quorum->conns[i]);
        left -= over[i];
    }
    for (size_t i = 0; i < quorum->count; i++) {
        if (over[i]) {
            /* Refused is for good; where the others are enough, this one only counts as silent. */
            quorum->calls[i].answered = true;
            quorum->calls[i].error =
                (rl_error){left < rl_quorum_majority(quorum) ? RL_REFUSED : RL_UNREACHABLE, "",
                           "a reply was lost, and a token of the caller's is not tried again there"};
        }
    }
}

/* Whether the call may have done something. A plain SET that was answered by an error has not; a script may have, but not
 * taken the lock. */
static bool may_have_run(const rl_call *call)
{
    bool refused = call->request.script == NULL && call->error.kind == RL_ERROR_REPLY;

    return !refused && call->error.kind != RL_UNREACHABLE && call->error.kind != RL_REFUSED;
}

/* The last try went wrong on the one node: undoes what it may have done. Also behind an error reply: a script that
 * failed half way may have left something. */
static void attempt_undo(lock_attempt *attempt)
{
    rl_quorum *quorum = &attempt->quorum;
    rl_request undo;

    lock_attempt_undo_request(attempt, baton_bytes(attempt->served), &undo);
    if (rl_quorum_close_after(quorum, &undo, lock_cleanup_deadline(attempt->hard_deadline))) {
        lock_attempt_renew(attempt);
    }
}

static void attempt_undo_at(lock_attempt *attempt, size_t i, rl_bytes token)
{
    rl_request undo;

    attempt_release_request(attempt, token, baton_bytes(i == attempt->queue_node ? attempt->served : ""), &undo);
    rl_conn_send_and_forget(attempt->quorum.conns[i], &undo,
                            platform_after(platform_now(), attempt->client->connect_timeout));
    if (token.len > 0 && !attempt->token_is_ours) {
        attempt->undone_on[i] = rl_conn_generation(attempt->quorum.conns[i]);
    }
}

/* With several nodes: what a try left where it is of no use is undone behind it, and not waited for. Such an undo may be
 * late, so its token is never used again; nor is the waiter's id, unless it still stands in line. */
static void attempt_settle(lock_attempt *attempt, lock_verdict verdict)
{
    rl_quorum *quorum = &attempt->quorum;
    bool undone = false;

    rl_quorum_detach(quorum, false);
    for (size_t i = 0; i < quorum->count; i++) {
        const rl_call *call = &quorum->calls[i];
        long long number;
        vote said = vote_of(call, &number);
        bool in_line = i == attempt->queue_node && attempt->queued;
        if (!may_have_run(call)) {
            continue;
        }
        if (verdict == LOCK_TAKEN) {
            if (i == attempt->queue_node && attempt->waits && !attempt->bypass && said != VOTE_YES) {
                attempt_undo_at(attempt, i, NO_TOKEN); /* out of the queue */
            }
        } else if (said == VOTE_YES || said == VOTE_NONE) {
            bool may_be_there = said == VOTE_YES || rl_error_is_outcome_unknown(&call->error);
            attempt_undo_at(attempt, i, attempt->token_is_ours || may_be_there ? attempt->token : NO_TOKEN);
            undone = true;
        } else if (verdict == LOCK_UNKNOWN && in_line) {
            attempt_undo_at(attempt, i, NO_TOKEN); /* too few answered: nobody waits then */
            undone = true;
        }
    }
    attempt->queued &= verdict != LOCK_UNKNOWN;
    if (undone) {
        attempt_renew_token(attempt);
    }
    if (undone && !attempt->bypass && !attempt->queued) {
        attempt_renew_waiter(attempt);
    }
}

void lock_attempt_give_back(lock_attempt *attempt)
{
    rl_quorum *quorum = &attempt->quorum;
    rl_request undo;

    attempt_release_request(attempt, attempt->token, (rl_bytes){"", 0}, &undo);
    rl_quorum_prepare(quorum, &undo);
    rl_quorum_ask(quorum, platform_now(), platform_now() + LOCK_FINAL_REPLY_GRACE, NULL, NULL, NULL);
    for (size_t i = 0; i < quorum->count; i++) {
        if (quorum->calls[i].reply == NULL && !attempt->token_is_ours) {
            attempt->undone_on[i] = rl_conn_generation(quorum->conns[i]);
        }
    }
    rl_quorum_detach(quorum, true);
    if (quorum->count == 1) {
        rl_quorum_close_after(quorum, NULL, 0);
    }
    lock_attempt_begin(attempt);
}

/* ---- fencing over several nodes ---- */

static bool is_written_back(const rl_quorum *quorum, const void *arg)
{
    (void)arg;
    return rl_quorum_count_ones(quorum) >= rl_quorum_majority(quorum);
}

/* The highest number of a majority may stand on one node only, and the next holder's majority be without it. So it is
 * written back to a majority, on nodes where the lock is ours at that moment: the next majority has one of them, and
 * asked it later. */
static lock_verdict attempt_write_fence_back(lock_attempt *attempt, int64_t connect_by, int64_t until)
{
    rl_quorum *quorum = &attempt->quorum;
    rl_request request = {.script = &rl_script_raise_fence};

    attempt_add_keys(attempt, &request, true);
    rl_request_add(&request, attempt->token);
    rl_request_add_number(&request, attempt->fence, attempt->digits[0]);
    rl_quorum_prepare(quorum, &request);
    rl_quorum_ask(quorum, connect_by, until, &attempt->client->hook, is_written_back, NULL);
    rl_quorum_detach(quorum, false);
    if (is_written_back(quorum, NULL)) {
        return LOCK_TAKEN;
    }
    size_t good = 0;
    for (size_t i = 0; i < quorum->count; i++) {
        good += quorum->calls[i].error.kind == RL_OK;
        if (may_have_run(&quorum->calls[i])) {
            attempt_undo_at(attempt, i, attempt->token);
        }
    }
    lock_attempt_begin(attempt);
    if (good >= rl_quorum_majority(quorum)) {
        return LOCK_HELD; /* nodes have lost it meanwhile: it is had anew, or not */
    }
    rl_quorum_error(quorum, quorum->calls, attempt->error);
    return LOCK_UNKNOWN;
}

/* ---- a try ---- */

/* Where a round trip takes a good part of the grace for the final reply, the last try must go out before the deadline. */
static void attempt_set_last_try(lock_attempt *attempt)
{
    int64_t lead = attempt->fastest > LOCK_FINAL_REPLY_GRACE / 3 ? attempt->fastest : 0;

    attempt->last_try_at = attempt->deadline - platform_earlier(lead, attempt->longest_lead);
}

/* Who waits does so at the queue node; elsewhere it will not. */
static void attempt_prepare(lock_attempt *attempt, int64_t wait_ms)
{
    rl_quorum *quorum = &attempt->quorum;
    rl_request request;

    if (attempt_may_ask_plainly(attempt)) {
        attempt_plain_request(attempt, &request);
    } else {
        attempt_acquire_request(attempt, wait_ms, &request);
    }
    rl_quorum_prepare(quorum, &request);
    for (size_t i = 0; i < quorum->count && wait_ms != 0; i++) {
        if (i != attempt->queue_node) {
            quorum->calls[i].request.argv[request.keys + WAIT_MS_ARG] = RL_LITERAL("0");
        }
    }
    attempt->queued = wait_ms != 0;
}

/* Where this was answered, what was sent before it has run. */
static void attempt_note_answered(lock_attempt *attempt)
{
    for (size_t i = 0; i < attempt->quorum.count; i++) {
        if (attempt->quorum.calls[i].reply != NULL) {
            attempt->undone_on[i] = 0;
        }
    }
}

lock_verdict lock_attempt_try_once(lock_attempt *attempt, int64_t wait_ms, int64_t connect_by, int64_t until,
                                   const rl_hook *hook)
{
    rl_quorum *quorum = &attempt->quorum;
    lock_verdict verdict;

    attempt->sent = platform_now();
    attempt_prepare(attempt, wait_ms);
    if (quorum->count > 1) {
        rl_quorum_skip_silent(quorum);
    }
    if (!attempt->token_is_ours) {
        attempt_skip_undone(attempt);
    }
    rl_quorum_ask(quorum, connect_by, until, hook, attempt_is_decided, attempt);
    if (!attempt->token_is_ours) {
        attempt_note_answered(attempt);
    }
    verdict = attempt_read_verdict(attempt);
    if (quorum->count == 1) {
        attempt->outcome_unknown |= rl_error_is_outcome_unknown(&quorum->calls[0].error);
    } else {
        attempt_settle(attempt, verdict);
        if (verdict == LOCK_TAKEN && attempt->client->fencing) {
            verdict = attempt_write_fence_back(attempt, connect_by, until);
        }
    }
    if (verdict != LOCK_UNKNOWN && attempt->waits) {
        attempt->fastest = platform_earlier(attempt->fastest, platform_now() - attempt->sent);
        attempt_set_last_try(attempt);
    }
    return verdict;
}

/* Who is to wait and does not stand in line does so at the first node that answers, next time. */
static void attempt_choose_queue_node(lock_attempt *attempt)
{
    const rl_quorum *quorum = &attempt->quorum;
    size_t i = 0;

    while (i + 1 < quorum->count && !(quorum->calls[i].answered && quorum->calls[i].error.kind == RL_OK)) {
        i++;
    }
    attempt->queue_node = i;
}

/* Is the script to be asked, since a plain question found a baton, or was refused, or what it found was too long to be
 * read? Redis before 7.0 knows no NX with GET: no other one of this process is asked so either, then. */
static bool attempt_needs_script(const lock_attempt *attempt, lock_verdict verdict)
{
    bool needs = false;

    for (size_t i = 0; i < attempt->quorum.count; i++) {
        const rl_call *call = &attempt->quorum.calls[i];
        if (call->request.script != NULL || !call->answered) {
            continue;
        }
        if (call->error.kind == RL_MALFORMED || call->error.kind == RL_ERROR_REPLY) {
            *attempt->client->by_script |= strcmp(call->error.code, "ERR") == 0;
            needs |= verdict == LOCK_UNKNOWN;
        } else if (call->error.kind == RL_OK && call->reply->type == REDIS_REPLY_STRING) {
            needs |= lock_token_is_baton((rl_bytes){call->reply->str, (size_t)call->reply->len});
        }
    }
    return needs;
}

lock_verdict lock_attempt_try(lock_attempt *attempt, int64_t connect_by, int64_t until)
{
    const rl_hook *hook = &attempt->client->hook;
    lock_verdict verdict = lock_attempt_try_once(attempt, lock_attempt_wait_ms(attempt), connect_by, until, hook);

    if (verdict != LOCK_TAKEN && attempt_needs_script(attempt, verdict)) {
        attempt->by_script = true;
        verdict = lock_attempt_try_once(attempt, 0, connect_by, until, hook);
    }
    if (attempt->quorum.count == 1 && verdict == LOCK_UNKNOWN) {
        attempt_undo(attempt);
    } else if (attempt->quorum.count > 1 && !attempt->queued) {
        attempt_choose_queue_node(attempt);
    }
    attempt->served[0] = '\0';
    return verdict;
}

/* SPDX-License-Identifier: MIT
 *
 * lock/try: see lock/try.h.
 */
#include "lock/try.h"

#include <string.h>

#include "platform.h"
#include "redis/scripts.h"

int64_t lock_try_patience(const lock_attempt *attempt)
{
    int64_t now;

    if (!attempt->waits || (now = platform_now()) >= attempt->last_call) {
        return 0;
    }
    return attempt->deadline == PLATFORM_NEVER ? -1 : redis_span_ms(attempt->deadline - now);
}

static redis_bytes baton_bytes(const char *baton)
{
    return (redis_bytes){baton, baton[0] != '\0' ? LOCK_BATON_LEN : 0};
}

static redis_bytes waiter_bytes(const lock_attempt *attempt)
{
    return (redis_bytes){attempt->waiter, attempt->waits && !attempt->aside ? LOCK_WAITER_LEN : 0};
}

/* No token: nothing is released by it, whatever stands there. */
#define NO_TOKEN REDIS_LITERAL("")

/* Is it known of these connections that they may release what they lock? */
static bool has_released(const redis_quorum *quorum)
{
    for (size_t i = 0; i < quorum->count; i++) {
        if (!redis_node_has_run(quorum->nodes[i], &redis_script_release)) {
            return false;
        }
    }
    return true;
}

/* Who will not wait takes a free lock with one SET, which costs Redis half of what a script does. It says who has it
 * otherwise, since a baton that nobody took is free too, which only the script knows. Not where nobody has released a lock
 * before: whoever may not shall be told so before there is one, by the script. */
static bool may_ask_plainly(const lock_attempt *attempt)
{
    const lock_client *client = attempt->client;

    return !attempt->waits && !attempt->unsure && !attempt->by_script && !*client->by_script && !client->fencing &&
           attempt->lease_ms != 0 && has_released(&attempt->quorum);
}

static void plain_request(lock_attempt *attempt, redis_request *request)
{
    redis_request_begin(request, NULL);
    redis_request_add(request, REDIS_LITERAL("SET"));
    redis_request_add(request, attempt->keys.lock);
    redis_request_add(request, attempt->token);
    redis_request_add(request, REDIS_LITERAL("NX"));
    redis_request_add(request, REDIS_LITERAL("GET"));
    redis_request_add(request, REDIS_LITERAL("PX"));
    redis_request_add_number(request, attempt->lease_ms, attempt->digits[0]);
}

/* Most locks are taken by a plain SET, which has no use for the keys beside theirs. */
static void add_keys(lock_attempt *attempt, redis_request *request, bool fence)
{
    lock_keys_complete(&attempt->keys);
    lock_keys_add(request, &attempt->keys, fence);
}

/* Where it stands among the arguments of acquire. */
#define PATIENCE_ARG 3

static void acquire_request(lock_attempt *attempt, int64_t patience, redis_request *request)
{
    const lock_client *client = attempt->client;

    redis_request_begin(request, &redis_script_acquire);
    request->brings = attempt->quorum.count > 1; /* of several nodes, those that are late are not waited for */
    add_keys(attempt, request, client->fencing);
    redis_request_add(request, attempt->token);
    redis_request_add_number(request, attempt->lease_ms, attempt->digits[0]);
    redis_request_add(request, waiter_bytes(attempt));
    redis_request_add_number(request, patience, attempt->digits[1]);
    redis_request_add_number(request, client->max_waiters, attempt->digits[2]);
    redis_request_add(request, attempt->unsure ? REDIS_LITERAL("1") : REDIS_LITERAL("0"));
    redis_request_add(request, baton_bytes(attempt->served));
    redis_request_add_number(request, client->retry_interval / PLATFORM_MSEC, attempt->digits[3]);
    if (attempt->waits) {
        lock_random_baton(attempt->baton);
    }
    redis_request_add(request, baton_bytes(attempt->baton));
    if (!has_released(&attempt->quorum)) {
        redis_request_add(request, REDIS_LITERAL("1"));
    }
}

static void release_request(lock_attempt *attempt, redis_bytes token, redis_bytes served, redis_request *request)
{
    redis_request_begin(request, &redis_script_release);
    request->brings = attempt->quorum.count > 1;
    add_keys(attempt, request, false);
    redis_request_add(request, token);
    lock_random_baton(attempt->baton);
    redis_request_add(request, baton_bytes(attempt->baton));
    redis_request_add(request, waiter_bytes(attempt));
    redis_request_add(request, served);
}

void lock_try_undo(lock_attempt *attempt, redis_bytes served, redis_request *undo)
{
    /* A token of the caller's that was answered by a no is from before: then it is not this call's to release. */
    release_request(attempt, attempt->own_token || attempt->unsure ? attempt->token : NO_TOKEN, served, undo);
}

void lock_try_leave(lock_attempt *attempt, redis_bytes served, redis_request *leave)
{
    release_request(attempt, NO_TOKEN, served, leave);
}

int64_t lock_parting(int64_t over_at)
{
    int64_t now = platform_now();

    /* Late as we may be, Redis gets a moment: what it does not read is not undone. */
    return platform_later(platform_earlier(now + LOCK_PARTING, over_at), now + LOCK_PARTING / 4);
}

int64_t lock_span_of_ms(long long ms)
{
    return ms > PLATFORM_NEVER / PLATFORM_MSEC ? PLATFORM_NEVER : ms * PLATFORM_MSEC;
}

bool lock_try_answer(const redisReply *reply, long long *status, long long *number)
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

/* An answer to plain_request(): nil, or the token that is there. */
static vote plain_vote(const redisReply *reply)
{
    return reply->type == REDIS_REPLY_NIL ? VOTE_YES : reply->type == REDIS_REPLY_STRING ? VOTE_NO : VOTE_NONE;
}

static vote vote_of(const redis_call *call, long long *number)
{
    long long status;

    *number = 0;
    if (!call->answered || call->error.kind != REDIS_FINE) {
        return VOTE_NONE;
    }
    if (call->request.script == NULL) {
        return plain_vote(call->reply);
    }
    if (!lock_try_answer(call->reply, &status, number)) {
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

static votes count_votes(const redis_quorum *quorum)
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

/* Who waits must hear from the gate whether it stands in line, or at last that it does not any more; and who does not get
 * it, whether it is held or too few nodes answer. With a token of the caller's, what a node did that was not heard is
 * undone as if it had taken the lock; but it may say that the token held it before, so all are heard that answer. */
static bool is_decided(const redis_quorum *quorum, const void *arg)
{
    const lock_attempt *attempt = arg;
    votes sum = count_votes(quorum);
    size_t majority = redis_quorum_majority(quorum);
    bool gate_counts = attempt->waits && !attempt->aside;

    if (sum.yes >= majority) {
        return true;
    }
    if (!attempt->own_token && sum.open > 0) {
        return false;
    }
    if (sum.yes + sum.open >= majority || (gate_counts && !quorum->calls[attempt->gate].answered)) {
        return false;
    }
    return sum.yes + sum.no >= majority || sum.yes + sum.no + sum.open < majority;
}

bool lock_try_ran_out_of_time(const lock_attempt *attempt)
{
    const redis_quorum *quorum = &attempt->quorum;
    size_t good = 0, late = 0;

    if (quorum->count == 1) {
        return attempt->error->kind == REDIS_TIMED_OUT; /* what undid the call has ended it */
    }
    for (size_t i = 0; i < quorum->count; i++) {
        good += quorum->calls[i].error.kind == REDIS_FINE;
        late += quorum->calls[i].error.kind == REDIS_TIMED_OUT;
    }
    return late > 0 && good + late >= redis_quorum_majority(quorum);
}

/* An answer that is none, as an error of its call. */
static void check_answer(redis_call *call)
{
    long long number;

    if (call->answered && call->error.kind == REDIS_FINE && vote_of(call, &number) == VOTE_NONE) {
        call->error = REDIS_WRONG_REPLY;
    }
}

static lock_verdict read_verdict(lock_attempt *attempt)
{
    redis_quorum *quorum = &attempt->quorum;
    long long number = 0;
    votes sum;
    vote at_gate;

    redis_error_clear(attempt->error);
    attempt->fence = 0;
    attempt->look_in = PLATFORM_NEVER;
    attempt->waiting = 0;
    for (size_t i = 0; i < quorum->count; i++) {
        check_answer(&quorum->calls[i]);
        if (vote_of(&quorum->calls[i], &number) == VOTE_YES && number > attempt->fence) {
            attempt->fence = number;
        }
    }
    at_gate = vote_of(&quorum->calls[attempt->gate], &number);
    attempt->queued &= at_gate == VOTE_NO;
    if (attempt->queued) {
        attempt->look_in = lock_span_of_ms(number);
    } else if (at_gate == VOTE_NO || at_gate == VOTE_FULL) {
        attempt->waiting = number;
    }
    sum = count_votes(quorum);
    if (sum.yes >= redis_quorum_majority(quorum)) {
        return LOCK_TAKEN;
    }
    if (sum.yes + sum.no >= redis_quorum_majority(quorum)) {
        return at_gate == VOTE_FULL ? LOCK_FULL : LOCK_HELD;
    }
    redis_quorum_error(quorum, quorum->calls, attempt->error);
    return LOCK_UNKNOWN;
}

/* ---- undoing ---- */

static void renew_token(lock_attempt *attempt)
{
    if (attempt->own_token) {
        lock_random_token(attempt->random);
        attempt->token = (redis_bytes){attempt->random, LOCK_TOKEN_LEN};
        attempt->unsure = false;
    }
}

static void renew_waiter(lock_attempt *attempt)
{
    if (attempt->waits) {
        lock_random_waiter(attempt->waiter);
    }
}

void lock_try_begin(lock_attempt *attempt)
{
    renew_token(attempt);
    renew_waiter(attempt);
}

#define CLOSED (-1) /* a connection that is gone */

void lock_try_renew(lock_attempt *attempt)
{
    if (attempt->unsure && !attempt->own_token) {
        attempt->undone_on[attempt->gate] = CLOSED;
    }
    lock_try_begin(attempt);
}

/* A token of the caller's is the same at the next try. What undoes an earlier one arrives before that on the same
 * connection; where that is gone, it may arrive later, and would release a lock that is believed in. So that node is
 * not asked any more. */
static void pass_over_undone(lock_attempt *attempt)
{
    redis_quorum *quorum = &attempt->quorum;
    size_t left = quorum->count;
    bool over[REDIS_MAX_NODES];

    for (size_t i = 0; i < quorum->count; i++) {
        int64_t undone_on = attempt->undone_on[i];
        over[i] = undone_on != 0 && undone_on != redis_node_connection(quorum->nodes[i]);
        left -= over[i];
    }
    for (size_t i = 0; i < quorum->count; i++) {
        if (over[i]) {
            /* Refused is for good; where the others are enough, this one only counts as silent. */
            quorum->calls[i].answered = true;
            quorum->calls[i].error =
                (redis_error){left < redis_quorum_majority(quorum) ? REDIS_REFUSED : REDIS_UNREACHABLE, "",
                              "a reply was lost, and a token of the caller's is not tried again there"};
        }
    }
}

/* Whether the call may have done something. A plain SET that was answered by an error has not; a script may have, but not
 * taken the lock. */
static bool may_have_run(const redis_call *call)
{
    bool refused = call->request.script == NULL && call->error.kind == REDIS_ERROR_REPLY;

    return !refused && call->error.kind != REDIS_UNREACHABLE && call->error.kind != REDIS_REFUSED;
}

/* The last try went wrong on the one node: undoes what it may have done. Also behind an error reply: a script that
 * failed half way may have left something. */
static void undo_try(lock_attempt *attempt)
{
    redis_quorum *quorum = &attempt->quorum;
    redis_request undo;

    lock_try_undo(attempt, baton_bytes(attempt->served), &undo);
    if (redis_quorum_part(quorum, &undo, lock_parting(attempt->over_at))) {
        lock_try_renew(attempt);
    }
}

static void tell(lock_attempt *attempt, size_t i, redis_bytes token)
{
    redis_request undo;

    release_request(attempt, token, baton_bytes(i == attempt->gate ? attempt->served : ""), &undo);
    redis_node_tell(attempt->quorum.nodes[i], &undo, platform_after(platform_now(), attempt->client->connect_timeout));
    if (token.len > 0 && !attempt->own_token) {
        attempt->undone_on[i] = redis_node_connection(attempt->quorum.nodes[i]);
    }
}

/* With several nodes: what a try left where it is of no use is undone behind it, and not waited for. Such an undo may be
 * late, so its token is never used again; nor is the waiter's id, unless it still stands in line. */
static void settle(lock_attempt *attempt, lock_verdict verdict)
{
    redis_quorum *quorum = &attempt->quorum;
    bool undone = false;

    redis_quorum_leave(quorum, false);
    for (size_t i = 0; i < quorum->count; i++) {
        const redis_call *call = &quorum->calls[i];
        long long number;
        vote said = vote_of(call, &number);
        bool in_line = i == attempt->gate && attempt->queued;
        if (!may_have_run(call)) {
            continue;
        }
        if (verdict == LOCK_TAKEN) {
            if (i == attempt->gate && attempt->waits && !attempt->aside && said != VOTE_YES) {
                tell(attempt, i, NO_TOKEN); /* out of the queue */
            }
        } else if (said == VOTE_YES || said == VOTE_NONE) {
            bool may_be_there = said == VOTE_YES || redis_error_is_unknown(&call->error);
            tell(attempt, i, attempt->own_token || may_be_there ? attempt->token : NO_TOKEN);
            undone = true;
        } else if (verdict == LOCK_UNKNOWN && in_line) {
            tell(attempt, i, NO_TOKEN); /* too few answered: nobody waits then */
            undone = true;
        }
    }
    attempt->queued &= verdict != LOCK_UNKNOWN;
    if (undone) {
        renew_token(attempt);
    }
    if (undone && !attempt->aside && !attempt->queued) {
        renew_waiter(attempt);
    }
}

void lock_try_give_back(lock_attempt *attempt)
{
    redis_quorum *quorum = &attempt->quorum;
    redis_request undo;

    release_request(attempt, attempt->token, (redis_bytes){"", 0}, &undo);
    redis_quorum_prepare(quorum, &undo);
    redis_quorum_ask(quorum, platform_now(), platform_now() + LOCK_LAST_WORD, NULL, NULL, NULL);
    for (size_t i = 0; i < quorum->count; i++) {
        if (quorum->calls[i].reply == NULL && !attempt->own_token) {
            attempt->undone_on[i] = redis_node_connection(quorum->nodes[i]);
        }
    }
    redis_quorum_leave(quorum, true);
    if (quorum->count == 1) {
        redis_quorum_part(quorum, NULL, 0);
    }
    lock_try_begin(attempt);
}

/* ---- fencing over several nodes ---- */

static bool is_written_back(const redis_quorum *quorum, const void *arg)
{
    (void)arg;
    return redis_quorum_ones(quorum) >= redis_quorum_majority(quorum);
}

/* The highest number of a majority may stand on one node only, and the next holder's majority be without it. So it is
 * written back to a majority, on nodes where the lock is ours at that moment: the next majority has one of them, and
 * asked it later. */
static lock_verdict write_fence_back(lock_attempt *attempt, int64_t connect_by, int64_t until)
{
    redis_quorum *quorum = &attempt->quorum;
    redis_request request = {.script = &redis_script_raise_fence};

    add_keys(attempt, &request, true);
    redis_request_add(&request, attempt->token);
    redis_request_add_number(&request, attempt->fence, attempt->digits[0]);
    redis_quorum_prepare(quorum, &request);
    redis_quorum_ask(quorum, connect_by, until, &attempt->client->hook, is_written_back, NULL);
    redis_quorum_leave(quorum, false);
    if (is_written_back(quorum, NULL)) {
        return LOCK_TAKEN;
    }
    size_t good = 0;
    for (size_t i = 0; i < quorum->count; i++) {
        good += quorum->calls[i].error.kind == REDIS_FINE;
        if (may_have_run(&quorum->calls[i])) {
            tell(attempt, i, attempt->token);
        }
    }
    lock_try_begin(attempt);
    if (good >= redis_quorum_majority(quorum)) {
        return LOCK_HELD; /* nodes have lost it meanwhile: it is had anew, or not */
    }
    redis_quorum_error(quorum, quorum->calls, attempt->error);
    return LOCK_UNKNOWN;
}

/* ---- a try ---- */

/* Where a round trip takes a good part of the last word's time, the last try must go out before the deadline. */
static void set_last_call(lock_attempt *attempt)
{
    int64_t lead = attempt->fastest > LOCK_LAST_WORD / 3 ? attempt->fastest : 0;

    attempt->last_call = attempt->deadline - platform_earlier(lead, attempt->longest_lead);
}

/* Who waits does so at the gate; elsewhere it will not. */
static void prepare(lock_attempt *attempt, int64_t patience)
{
    redis_quorum *quorum = &attempt->quorum;
    redis_request request;

    if (may_ask_plainly(attempt)) {
        plain_request(attempt, &request);
    } else {
        acquire_request(attempt, patience, &request);
    }
    redis_quorum_prepare(quorum, &request);
    for (size_t i = 0; i < quorum->count && patience != 0; i++) {
        if (i != attempt->gate) {
            quorum->calls[i].request.argv[request.keys + PATIENCE_ARG] = REDIS_LITERAL("0");
        }
    }
    attempt->queued = patience != 0;
}

/* Where this was answered, what was sent before it has run. */
static void note_answered(lock_attempt *attempt)
{
    for (size_t i = 0; i < attempt->quorum.count; i++) {
        if (attempt->quorum.calls[i].reply != NULL) {
            attempt->undone_on[i] = 0;
        }
    }
}

lock_verdict lock_try_once(lock_attempt *attempt, int64_t patience, int64_t connect_by, int64_t until,
                           const redis_hook *hook)
{
    redis_quorum *quorum = &attempt->quorum;
    lock_verdict verdict;

    attempt->sent = platform_now();
    prepare(attempt, patience);
    if (quorum->count > 1) {
        redis_quorum_pass_over_silent(quorum);
    }
    if (!attempt->own_token) {
        pass_over_undone(attempt);
    }
    redis_quorum_ask(quorum, connect_by, until, hook, is_decided, attempt);
    if (!attempt->own_token) {
        note_answered(attempt);
    }
    verdict = read_verdict(attempt);
    if (quorum->count == 1) {
        attempt->unsure |= redis_error_is_unknown(&quorum->calls[0].error);
    } else {
        settle(attempt, verdict);
        if (verdict == LOCK_TAKEN && attempt->client->fencing) {
            verdict = write_fence_back(attempt, connect_by, until);
        }
    }
    if (verdict != LOCK_UNKNOWN && attempt->waits) {
        attempt->fastest = platform_earlier(attempt->fastest, platform_now() - attempt->sent);
        set_last_call(attempt);
    }
    return verdict;
}

/* Who is to wait and does not stand in line does so at the first node that answers, next time. */
static void choose_gate(lock_attempt *attempt)
{
    const redis_quorum *quorum = &attempt->quorum;
    size_t i = 0;

    while (i + 1 < quorum->count && !(quorum->calls[i].answered && quorum->calls[i].error.kind == REDIS_FINE)) {
        i++;
    }
    attempt->gate = i;
}

/* Is the script to be asked, since a plain question found a baton, or was refused, or what it found was too long to be
 * read? Redis before 7.0 knows no NX with GET: no other one of this process is asked so either, then. */
static bool needs_script(const lock_attempt *attempt, lock_verdict verdict)
{
    bool needs = false;

    for (size_t i = 0; i < attempt->quorum.count; i++) {
        const redis_call *call = &attempt->quorum.calls[i];
        if (call->request.script != NULL || !call->answered) {
            continue;
        }
        if (call->error.kind == REDIS_MALFORMED || call->error.kind == REDIS_ERROR_REPLY) {
            *attempt->client->by_script |= strcmp(call->error.code, "ERR") == 0;
            needs |= verdict == LOCK_UNKNOWN;
        } else if (call->error.kind == REDIS_FINE && call->reply->type == REDIS_REPLY_STRING) {
            needs |= lock_token_is_baton((redis_bytes){call->reply->str, (size_t)call->reply->len});
        }
    }
    return needs;
}

lock_verdict lock_try(lock_attempt *attempt, int64_t connect_by, int64_t until)
{
    const redis_hook *hook = &attempt->client->hook;
    lock_verdict verdict = lock_try_once(attempt, lock_try_patience(attempt), connect_by, until, hook);

    if (verdict != LOCK_TAKEN && needs_script(attempt, verdict)) {
        attempt->by_script = true;
        verdict = lock_try_once(attempt, 0, connect_by, until, hook);
    }
    if (attempt->quorum.count == 1 && verdict == LOCK_UNKNOWN) {
        undo_try(attempt);
    } else if (attempt->quorum.count > 1 && !attempt->queued) {
        choose_gate(attempt);
    }
    attempt->served[0] = '\0';
    return verdict;
}

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

/* Stands for the token in a release that is to release no lock, whatever the lock's value. */
#define NO_TOKEN RL_LITERAL("")

/* Returns whether each of these connections has run a release, so that whoever is logged in there may release what it
 * locks. */
static bool has_released(const rl_quorum *quorum)
{
    for (size_t i = 0; i < quorum->count; i++) {
        if (!rl_conn_has_run(quorum->conns[i], &rl_script_release)) {
            return false;
        }
    }
    return true;
}

/* Returns whether the try may be a plain SET. A caller that does not wait takes a free lock with one SET, at half of
 * what a script costs Redis. Its GET returns the holder otherwise, since a baton that nobody took is free too, which
 * only the script can tell. Before a connection has run a release, the script is used: it refuses the lock at once to
 * a user that has no right to release it. */
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

/* Adds the keys of a script. Those beside the lock's key are not built before: most locks are taken by a plain SET,
 * which has no use for them. */
static void attempt_add_keys(lock_attempt *attempt, rl_request *request, bool fence)
{
    lock_keys_complete(&attempt->keys);
    lock_keys_add(request, &attempt->keys, fence);
}

/* Position of wait_ms among the arguments of acquire that follow the keys. */
#define WAIT_MS_ARG 3

/* Makes `request` the acquire script with the arguments that lua/acquire.lua names. They point into `attempt`, so it
 * serves one request at a time. Draws a fresh baton if the attempt waits. */
static void attempt_acquire_request(lock_attempt *attempt, int64_t wait_ms, rl_request *request)
{
    const lock_client *client = attempt->client;

    rl_request_begin(request, &rl_script_acquire);
    request->preload = attempt->quorum.count > 1; /* of several nodes, nobody waits for a late NOSCRIPT */
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
    /* A token of the caller's that stands there although no try is in doubt is from an earlier call, and not this
     * one's to release. */
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

    /* However late the call is, Redis gets a moment to read the undo: what it does not read is not undone. */
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

/* Reads a reply to attempt_plain_request(): nil, or the token that holds the lock. */
static vote plain_vote(const redisReply *reply)
{
    return reply->type == REDIS_REPLY_NIL ? VOTE_YES : reply->type == REDIS_REPLY_STRING ? VOTE_NO : VOTE_NONE;
}

/* Returns a node's vote in the last try. Sets `number` to what the script replied with it, or to 0: see
 * lua/acquire.lua. A missing answer, an error or a malformed reply is VOTE_NONE. */
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

/* Returns whether the try is decided, whatever the open nodes answer: the lock is taken, it is held, or too few nodes
 * answer. Unless the lock is taken, a waiter must also learn from the queue node whether it stands in line, or in the
 * last try that it does not any more. With a token of the caller's, every node that answers is awaited: a node that
 * was not heard is undone as if it had taken the lock, but it might have reported that the token held it before. */
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
        return attempt->error->kind == RL_TIMED_OUT; /* an undo may have overwritten the call's error */
    }
    for (size_t i = 0; i < quorum->count; i++) {
        good += quorum->calls[i].error.kind == RL_OK;
        late += quorum->calls[i].error.kind == RL_TIMED_OUT;
    }
    return late > 0 && good + late >= rl_quorum_majority(quorum);
}

/* Turns a reply that is no answer to the try into an error of its call. */
static void check_answer(rl_call *call)
{
    long long number;

    if (call->answered && call->error.kind == RL_OK && vote_of(call, &number) == VOTE_NONE) {
        call->error = RL_WRONG_REPLY;
    }
}

/* Returns the verdict of a majority on the last try, or ATTEMPT_FAILED with attempt->error. Sets fence, look_in,
 * waiting and queued; turns malformed replies into errors of their calls. */
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
        return ATTEMPT_ACQUIRED;
    }
    if (sum.yes + sum.no >= rl_quorum_majority(quorum)) {
        return at_queue_node == VOTE_FULL ? ATTEMPT_QUEUE_FULL : ATTEMPT_BUSY;
    }
    rl_quorum_error(quorum, quorum->calls, attempt->error);
    return ATTEMPT_FAILED;
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

#define CLOSED (-1) /* value of undone_on: the undo was sent on a connection that is gone */

void lock_attempt_release_later(const lock_attempt *attempt)
{
    const lock_client *client = attempt->client;
    rl_bytes key = attempt->keys.lock;
    rl_bytes name = {key.at + client->prefix.len, key.len - client->prefix.len};

    if (attempt->outcome_unknown && attempt->pid == platform_pid()) {
        lock_release_token_later(client, name, attempt->token,
                                 attempt->lease_ms > 0 ? lock_span_of_ms(attempt->lease_ms) : PLATFORM_NEVER);
    }
}

/* Nobody learns whether the undo was carried out: the connection may have broken behind it, and a server that is
 * loading refuses it. So a token that may hold the lock is left to the backlog as well. */
void lock_attempt_renew(lock_attempt *attempt)
{
    if (attempt->outcome_unknown && !attempt->token_is_ours) {
        attempt->undone_on[attempt->queue_node] = CLOSED;
    } else {
        lock_attempt_release_later(attempt);
    }
    lock_attempt_begin(attempt);
}

/* Excludes the nodes where an undo of the caller's token may still arrive late. A token of the caller's is the same
 * in every try. On the same connection the undo of an earlier try runs before the next try. Where that connection is
 * gone, the undo may run after it, and would release a lock that we believe to hold. So such a node is not asked
 * again. */
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
            /* RL_REFUSED is for good. Where the other nodes are enough, this one only counts as silent. */
            quorum->calls[i].answered = true;
            quorum->calls[i].error =
                (rl_error){left < rl_quorum_majority(quorum) ? RL_REFUSED : RL_UNREACHABLE, "",
                           "a reply was lost, and a token of the caller's is not tried again there"};
        }
    }
}

/* Returns whether the call may have changed something. A plain SET that was answered by an error has not. A script
 * may have, but it has not taken the lock then. */
static bool may_have_run(const rl_call *call)
{
    bool refused = call->request.script == NULL && call->error.kind == RL_ERROR_REPLY;

    return !refused && call->error.kind != RL_UNREACHABLE && call->error.kind != RL_REFUSED;
}

/* Undoes what the failed last try may have done on the one node, and closes the connection behind it. Does so after
 * an error reply too: a script that failed half way may have left something. */
static void attempt_undo_single(lock_attempt *attempt)
{
    rl_quorum *quorum = &attempt->quorum;
    rl_request undo;

    lock_attempt_undo_request(attempt, baton_bytes(attempt->served), &undo);
    if (rl_quorum_close_after(quorum, &undo, lock_cleanup_deadline(attempt->hard_deadline))) {
        lock_attempt_renew(attempt);
    }
}

/* Notes on which connection an undo of the caller's token was sent to node `i`. Where one may still arrive that was sent
 * on another connection, or on one that has broken since, the node stays closed. */
static void attempt_note_undone(lock_attempt *attempt, size_t i)
{
    int64_t generation = rl_conn_generation(attempt->quorum.conns[i]), *on = &attempt->undone_on[i];

    if (!attempt->token_is_ours) {
        *on = generation != 0 && (*on == 0 || *on == generation) ? generation : CLOSED;
    }
}

/* Sends node `i` the undo of the last try, without waiting for the reply: releases `token` (NO_TOKEN: no lock) and
 * gives back a baton and the place in the queue. After a fork during the try, all that is the parent's. An undo of the
 * caller's token brings its text: sent again after NOSCRIPT, it would run behind the next try with the same token. */
static void attempt_undo_at(lock_attempt *attempt, size_t i, rl_bytes token)
{
    rl_request undo;

    if (attempt->pid != platform_pid()) {
        return;
    }
    attempt_release_request(attempt, token, baton_bytes(i == attempt->queue_node ? attempt->served : ""), &undo);
    rl_conn_send_and_forget(attempt->quorum.conns[i], &undo, !attempt->token_is_ours,
                            platform_after(platform_now(), attempt->client->connect_timeout));
    if (token.len > 0) {
        attempt_note_undone(attempt, i);
    }
}

/* With several nodes: undoes what the try left where it is of no use, behind the try and without waiting for the
 * reply. Such an undo may run late, so its token is not used again, and neither is the waiter id unless it still
 * stands in line. */
static void attempt_clean_up_nodes(lock_attempt *attempt, lock_verdict verdict)
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
        if (verdict == ATTEMPT_ACQUIRED) {
            if (i == attempt->queue_node && attempt->waits && !attempt->bypass && said != VOTE_YES) {
                attempt_undo_at(attempt, i, NO_TOKEN); /* leaves the queue */
            }
        } else if (said == VOTE_YES || said == VOTE_NONE) {
            bool may_be_there = said == VOTE_YES || rl_error_is_outcome_unknown(&call->error);
            attempt_undo_at(attempt, i, attempt->token_is_ours || may_be_there ? attempt->token : NO_TOKEN);
            undone = true;
        } else if (verdict == ATTEMPT_FAILED && in_line) {
            attempt_undo_at(attempt, i, NO_TOKEN); /* too few nodes answered: the call does not wait then */
            undone = true;
        }
    }
    attempt->queued &= verdict != ATTEMPT_FAILED;
    if (undone) {
        attempt_renew_token(attempt);
    }
    if (undone && !attempt->bypass && !attempt->queued) {
        attempt_renew_waiter(attempt);
    }
}

/* Waits only a moment for the replies. A node that has not replied by then must not be asked with a token of the
 * caller's on another connection: see attempt_skip_undone(). */
void lock_attempt_give_back(lock_attempt *attempt)
{
    rl_quorum *quorum = &attempt->quorum;
    int64_t now = platform_now();
    int64_t until = platform_earlier(now + LOCK_FINAL_REPLY_GRACE,
                                     platform_later(attempt->hard_deadline, now + LOCK_CLEANUP_GRACE));
    rl_request undo;

    attempt_release_request(attempt, attempt->token, (rl_bytes){"", 0}, &undo);
    rl_quorum_prepare(quorum, &undo);
    for (size_t i = 0; i < quorum->count; i++) {
        quorum->calls[i].send_eval = true; /* nobody may be left to send the text later: see also attempt_undo_at() */
    }
    rl_quorum_ask(quorum, now, until, NULL, NULL, NULL);
    for (size_t i = 0; i < quorum->count; i++) {
        if (quorum->calls[i].reply == NULL && may_have_run(&quorum->calls[i])) {
            attempt_note_undone(attempt, i);
        }
    }
    rl_quorum_detach(quorum, true);
    if (quorum->count == 1) {
        attempt->outcome_unknown = quorum->calls[0].error.kind != RL_OK;
        rl_quorum_close_after(quorum, NULL, 0);
    }
    lock_attempt_renew(attempt);
}

/* ---- fencing over several nodes ---- */

static bool is_written_back(const rl_quorum *quorum, const void *arg)
{
    (void)arg;
    return rl_quorum_count_ones(quorum) >= rl_quorum_majority(quorum);
}

/* Writes the fence, the highest that a majority gave, back to a majority. So far it may stand on one node only, and
 * the next holder's majority may lack that node. It is written on nodes where the lock is ours at that moment. The
 * next majority includes one of them, and asks it later, so its fence is higher. Returns ATTEMPT_ACQUIRED; or
 * ATTEMPT_BUSY or ATTEMPT_FAILED after undoing the try. */
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
        return ATTEMPT_ACQUIRED;
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
        return ATTEMPT_BUSY; /* some nodes have lost the lock meanwhile: another try may acquire it anew */
    }
    rl_quorum_error(quorum, quorum->calls, attempt->error);
    return ATTEMPT_FAILED;
}

/* ---- a try ---- */

/* Sets when the last try is sent. Where a round trip takes a good part of the grace for the final reply, that is
 * before the deadline, since the reply would come too late otherwise. */
static void attempt_set_last_try(lock_attempt *attempt)
{
    int64_t lead = attempt->fastest > LOCK_FINAL_REPLY_GRACE / 3 ? attempt->fastest : 0;

    attempt->last_try_at = attempt->deadline - platform_earlier(lead, attempt->longest_lead);
}

/* Prepares the try for every node. Only the queue node is told to let the waiter wait for `wait_ms`; the others get
 * 0. */
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

/* Clears the notes of undos for the nodes that replied: what was sent on the same connection before has run. */
static void attempt_note_answered(lock_attempt *attempt)
{
    for (size_t i = 0; i < attempt->quorum.count; i++) {
        if (attempt->quorum.calls[i].reply != NULL &&
            attempt->undone_on[i] == rl_conn_generation(attempt->quorum.conns[i])) {
            attempt->undone_on[i] = 0;
        }
    }
}

/* Takes the time before anything is sent, since the lease counts from then. attempt_clean_up_nodes() must come before
 * attempt_write_fence_back(), which reuses the calls that it reads. */
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
        attempt_clean_up_nodes(attempt, verdict);
        if (verdict == ATTEMPT_ACQUIRED && attempt->client->fencing) {
            verdict = attempt_write_fence_back(attempt, connect_by, until);
        }
    }
    if (verdict != ATTEMPT_FAILED && attempt->waits) {
        attempt->fastest = platform_earlier(attempt->fastest, platform_now() - attempt->sent);
        attempt_set_last_try(attempt);
    }
    return verdict;
}

/* Makes the first node that answered the queue node of the next try. Only for an attempt that does not stand in
 * line. */
static void attempt_choose_queue_node(lock_attempt *attempt)
{
    const rl_quorum *quorum = &attempt->quorum;
    size_t i = 0;

    while (i + 1 < quorum->count && !(quorum->calls[i].answered && quorum->calls[i].error.kind == RL_OK)) {
        i++;
    }
    attempt->queue_node = i;
}

/* Returns whether the script must decide, since a plain SET found a baton, was refused, or found a value that is too
 * long to be read. Redis before 7.0 refuses NX with GET as an ERR: then nobody who shares by_script sends a plain SET
 * again. */
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
            needs |= verdict == ATTEMPT_FAILED;
        } else if (call->error.kind == RL_OK && call->reply->type == REDIS_REPLY_STRING) {
            needs |= lock_token_is_baton((rl_bytes){call->reply->str, (size_t)call->reply->len});
        }
    }
    return needs;
}

/* The script that follows a plain SET need not wait (wait_ms 0), since only a caller that does not wait asks plainly.
 * A served baton is good for one try, whatever comes of it. */
lock_verdict lock_attempt_try(lock_attempt *attempt, int64_t connect_by, int64_t until)
{
    const rl_hook *hook = &attempt->client->hook;
    lock_verdict verdict = lock_attempt_try_once(attempt, lock_attempt_wait_ms(attempt), connect_by, until, hook);

    if (verdict != ATTEMPT_ACQUIRED && attempt_needs_script(attempt, verdict)) {
        attempt->by_script = true;
        verdict = lock_attempt_try_once(attempt, 0, connect_by, until, hook);
    }
    if (attempt->quorum.count == 1 && verdict == ATTEMPT_FAILED) {
        attempt_undo_single(attempt);
    } else if (attempt->quorum.count > 1 && !attempt->queued) {
        attempt_choose_queue_node(attempt);
    }
    attempt->served[0] = '\0';
    return verdict;
}

/* SPDX-License-Identifier: MIT
 *
 * lock_core: see lock_core.h.
 */
#include "lock_core.h"

#include <stdlib.h>
#include <string.h>

#include "lock/keys.h"
#include "lock/attempt.h"
#include "lock/replicas.h"
#include "lock/tally.h"
#include "lock/wait.h"
#include "platform.h"
#include "redis/repeat.h"
#include "redis/scripts.h"

/* Clock drift: what is taken off a lease for clocks that run at different speeds and for Redis' rounding to
 * milliseconds, as in Redlock. */
#define DRIFT_PERCENT 1
#define DRIFT_MIN     (2 * PLATFORM_MSEC)

/* For how long a failed release is sent again where the lease is unknown, since the token came from elsewhere. */
#define UNKNOWN_LEASE (30 * PLATFORM_SEC)

int64_t lock_budget(const lock_client *client)
{
    int64_t budget = rl_target_budget(&client->target);

    return budget == PLATFORM_NEVER ? budget : platform_later(budget - client->spent, 0);
}

/* ---- leases ---- */

int64_t lock_lease_validity(const lock_lease *lease, int64_t now)
{
    int64_t left;

    if (lease->release_requested_at != 0) {
        return 0;
    }
    if (lease->duration == PLATFORM_NEVER) {
        return PLATFORM_NEVER;
    }
    left = lease->duration - lease->duration / 100 * DRIFT_PERCENT - DRIFT_MIN - (now - lease->sent);
    return left > 0 ? left : 0;
}

int64_t lock_lease_ends_by(int64_t now, int64_t duration)
{
    int64_t drift = duration / 100 * DRIFT_PERCENT + DRIFT_MIN;

    return platform_after(platform_after(now, duration), drift + LOCK_MARK_MS * PLATFORM_MSEC);
}

int64_t lock_lease_server_remaining(const lock_lease *lease, int64_t now)
{
    int64_t ends_at = lease->server_expires_by != 0 ? lease->server_expires_by
                                                    : platform_after(lease->release_requested_at, UNKNOWN_LEASE);

    return ends_at == PLATFORM_NEVER ? ends_at : platform_later(ends_at - now, 0);
}

bool lock_lease_may_have_note(const lock_lease *lease, const lock_client *client)
{
    return lease->is_noted || lock_extension_is_doubted(client);
}

void lock_lease_free(lock_lease *lease)
{
    free(lease->token);
    memset(lease, 0, sizeof(*lease));
}

/* Notes that Redis may keep the lock for `duration` from now on. It may have begun to count at any time since
 * the request was sent, so the latest is assumed. */
static void lease_note_server_expiry(lock_lease *lease, int64_t now, int64_t duration)
{
    lease->server_expires_by = platform_later(lease->server_expires_by, lock_lease_ends_by(now, duration));
    lease->longest = platform_later(lease->longest, duration);
}

static void lease_set(lock_lease *lease, int64_t now, int64_t sent, int64_t duration)
{
    lease->sent = sent;
    lease->duration = duration;
    lease_note_server_expiry(lease, now, duration);
}

static void lease_fill(lock_lease *lease, rl_bytes token, int64_t now, int64_t sent, int64_t duration, int64_t fence)
{
    *lease = (lock_lease){
        .token = platform_memdup(token.at, token.len), .token_len = token.len, .fence = fence, .acquired_at = now};
    lease_set(lease, now, sent, duration);
}

void lock_lease_set(lock_lease *lease, int64_t sent, int64_t duration)
{
    lease_set(lease, platform_now(), sent, duration);
}

void lock_lease_fill(lock_lease *lease, rl_bytes token, int64_t sent, int64_t duration, int64_t fence)
{
    lease_fill(lease, token, platform_now(), sent, duration, fence);
}

/* ---- one question to all nodes ---- */

/* A question to all nodes, and what it needs while it is under way. */
typedef struct query_op {
    rl_clock clock;
    rl_request *request;
    lock_keys keys;
    char baton[LOCK_BATON_LEN];
    char digits[RL_DIGITS];
    rl_session session;
} query_op;

/* Begins the question as a script, with the lock's keys. */
static void query_begin(query_op *q, const rl_script *script, bool fence)
{
    q->request = rl_session_request(&q->session, 0);
    rl_request_begin(q->request, script);
    lock_keys_add(q->request, &q->keys, fence);
}

static void query_open(query_op *q, const lock_client *client, rl_bytes name, const rl_script *script, bool fence,
                       int64_t budget)
{
    q->clock = rl_clock_budget(platform_now(), budget);
    lock_keys_init(&q->keys, client->prefix, name);
    rl_session_open(&q->session, &client->target, client->target.count, 1,
                    rl_target_slot(&client->target, q->keys.lock));
    query_begin(q, script, fence);
}

static void query_close(query_op *q)
{
    rl_session_close(&q->session);
    lock_keys_free(&q->keys);
}

/* How a question is asked that each node answers by 1 or 0. No hook ends it: the request is short, and one that is cut
 * off would leave the caller with an unknown outcome. */
static const rl_policy voting = {.judge = rl_judge_flag, .decided = rl_session_vote_is_decided, .repeats = true};

/* Asks it. LOCK_YES: a majority of ones. LOCK_NOT_OWNED: there can be none. LOCK_FAILED with the error: that depends on
 * nodes that gave no good answer. */
static lock_outcome query_vote(query_op *q, const rl_policy *policy, rl_error *error)
{
    if (!rl_session_ask(&q->session, &q->clock, policy, error)) {
        return LOCK_FAILED;
    }
    return rl_session_votes(&q->session, 0, policy->judge).yes >= rl_session_majority(&q->session) ? LOCK_YES
                                                                                                   : LOCK_NOT_OWNED;
}

/* ---- acquire ---- */

/* Makes the first try at `now`, again after a lost reply as long as there is time. Returns what came of the last. After
 * ATTEMPT_FAILED, attempt->error is the one that ruled out another try; otherwise the first one, since that tells
 * most. */
static lock_answer attempt_try_until_answered(lock_attempt *attempt, int64_t now)
{
    const lock_client *client = attempt->question->client;
    lock_answer answer = lock_attempt_try(attempt, now);
    rl_repeat repeat;

    if (answer.verdict != ATTEMPT_FAILED) {
        return answer;
    }
    rl_repeat_begin(&repeat, RL_REPEAT_LOST, &client->target, attempt->clock.deadline, &client->target.hook);
    while (answer.verdict == ATTEMPT_FAILED && rl_repeat_again(&repeat, attempt->error)) {
        client->stats->repeated += rl_error_is_outcome_unknown(attempt->error);
        answer = lock_attempt_try(attempt, platform_now());
    }
    return answer;
}

static lock_outcome outcome_of(lock_verdict verdict, const rl_error *error)
{
    switch (verdict) {
    case ATTEMPT_ACQUIRED:
        return LOCK_YES;
    case ATTEMPT_BUSY:
    case ATTEMPT_QUEUE_FULL:
        return LOCK_BUSY;
    default:
        return error->kind == RL_INTERRUPTED ? LOCK_INTERRUPTED : LOCK_FAILED;
    }
}

/* Counts a call that began at `began` and has waited for `waited`. `lease`: with LOCK_YES. */
static void count_acquire(const lock_question *question, lock_outcome outcome, lock_lease *lease, int64_t began,
                          bool contended, bool full, int64_t waited)
{
    lock_stats *stats = question->client->stats;

    if (outcome == LOCK_YES) {
        lock_tally_acquired(question->client, question->name, lease, question->began != 0 ? question->began : began,
                            contended);
    } else if (question->began == 0) {
        lock_tally(question->client, question->name, NULL, lock_tally_failure(outcome, full, waited > 0));
    }
    if (outcome == LOCK_BUSY && waited > 0 && question->began == 0) {
        lock_tally_slow(question->client, question->name, LOCK_SLOW_IN_VAIN, waited);
    }
    stats->acquired += outcome == LOCK_YES;
    stats->contended += contended;
    stats->timed_out += contended && outcome == LOCK_BUSY && waited > 0;
    stats->waited += contended ? waited : 0;
}

/* Waits until enough replicas have the lock that was taken, if its lease is not over. LOCK_LATE: it is, or is now. */
static lock_outcome attempt_await_replicas(lock_attempt *attempt, const lock_lease *lease)
{
    const lock_question *question = attempt->question;
    int64_t deadline = question->replicas_by != 0 ? question->replicas_by : attempt->clock.deadline;
    const lock_replicated taken = {"the lock", lease->sent, lease->duration, deadline, &question->client->target.hook};
    lock_outcome outcome = LOCK_LATE;

    if (lock_lease_validity(lease, platform_now()) > 0) {
        outcome = lock_replicas_ask(&attempt->session, question->client, &taken, attempt->error);
    }
    return outcome == LOCK_YES && lock_lease_validity(lease, platform_now()) == 0 ? LOCK_LATE : outcome;
}

/* Makes the lease that the answer has brought. Returns LOCK_LATE where it is over already, or why too few replicas have the
 * lock: it is given back then, unless a hook has forked, to whose child it does not belong. */
static lock_outcome attempt_take_lease(lock_attempt *attempt, const lock_answer *answer, lock_lease *lease)
{
    int64_t now = platform_now();
    lock_outcome outcome;

    lease_fill(lease, attempt->token, now, answer->sent, attempt->question->duration, answer->fence);
    lease->slot = attempt->session.slot;
    lease->has_slot = attempt->session.cluster != NULL;
    lease->is_drawn = lease->makes_baton = attempt->question->token == NULL;
    lease->spared = ~attempt->asked;
    lease->unheard = attempt->asked & ~attempt->heard;
    if (attempt->question->client->replicas > 0) {
        outcome = attempt_await_replicas(attempt, lease);
    } else {
        outcome = lock_lease_validity(lease, now) > 0 ? LOCK_YES : LOCK_LATE;
    }
    if (outcome != LOCK_YES) {
        lock_lease_free(lease);
        if (attempt->process == platform_process()) {
            lock_attempt_give_back(attempt);
        }
    }
    return outcome;
}

/* Is there time for another try, and is it worth one? That is where the reply came when the lease was over; and where the
 * server went away before it told of its replicas, if another one takes over. A token of the caller's is not tried again
 * then: it may be released late. */
static bool attempt_begins_again(const lock_attempt *attempt, const lock_answer *answer, lock_outcome outcome)
{
    bool passes = outcome == LOCK_FAILED && answer->verdict == ATTEMPT_ACQUIRED && attempt->question->token == NULL &&
                  rl_target_may_take_over(attempt->session.target, attempt->error);

    return (passes || (outcome == LOCK_LATE && attempt->waits)) && platform_now() < attempt->clock.deadline;
}

/* A lock that is given back is acquired anew while there is time: see attempt_begins_again(). After a failed
 * attempt whose outcome is unknown the release goes to the backlog, but not in a forked child: there it is the
 * parent's. */
lock_outcome lock_acquire_question(const lock_question *question, lock_lease *lease, lock_refusal *refusal,
                                   rl_error *error)
{
    bool contended = false, waits = question->timeout > 0;
    int64_t start = platform_now();
    lock_attempt attempt;
    lock_answer answer;
    lock_outcome outcome;

    error->kind = RL_OK;
    lock_attempt_open(&attempt, question, start, error);
    for (int64_t now = start;; now = platform_now()) {
        answer = attempt_try_until_answered(&attempt, now);
        contended |= answer.verdict == ATTEMPT_BUSY || answer.verdict == ATTEMPT_QUEUE_FULL;
        if (answer.verdict == ATTEMPT_BUSY && waits) {
            answer = lock_wait(&attempt, answer);
        }
        outcome = outcome_of(answer.verdict, error);
        if (outcome == LOCK_YES) {
            outcome = attempt_take_lease(&attempt, &answer, lease);
        }
        if (!attempt_begins_again(&attempt, &answer, outcome)) {
            break;
        }
    }
    if (outcome != LOCK_YES) {
        lock_attempt_release_later(&attempt);
    }
    *refusal = (lock_refusal){answer.waiting, answer.verdict == ATTEMPT_QUEUE_FULL};
    count_acquire(question, outcome, lease, start, contended, refusal->full, waits ? platform_now() - start : 0);
    lock_attempt_close(&attempt);
    return outcome;
}

/* A call that does not wait has the client's time budget. */
lock_outcome lock_acquire(const lock_client *client, rl_bytes name, const rl_bytes *token, int64_t duration,
                          int64_t timeout, lock_lease *lease, rl_error *error)
{
    lock_question question = {.client = client,
                              .name = name,
                              .token = token,
                              .duration = duration,
                              .timeout = timeout,
                              .budget = timeout > 0 ? 0 : lock_budget(client)};
    lock_refusal refusal;
    lock_outcome outcome = lock_acquire_question(&question, lease, &refusal, error);

    if (client->refusal != NULL && outcome == LOCK_BUSY) {
        *client->refusal = refusal;
    }
    return outcome;
}

/* ---- extend ---- */

/* How long an extension without a reply may still arrive: longer than any network or proxy keeps a request. */
#define LONGEST_DOUBT (3600 * PLATFORM_SEC)

lock_extension lock_extension_begin(const lock_client *client)
{
    lock_extensions *all = client->extensions;
    int64_t process = platform_process();

    if (all->process != process) {
        platform_random_hex(all->source, LOCK_SOURCE_LEN / 2);
        all->process = process;
        all->doubt_until = 0;
    }
    return (lock_extension){{all->source, LOCK_SOURCE_LEN}, platform_now(), lock_extension_is_doubted(client)};
}

bool lock_extension_is_doubted(const lock_client *client)
{
    return client->extensions->doubt_until != 0 && platform_now() < client->extensions->doubt_until;
}

void lock_extension_doubt(lock_extensions *extensions)
{
    extensions->doubt_until = platform_now() + LONGEST_DOUBT;
}

/* A lease that gets shorter is shortened before the request is sent, since Redis may apply it and the reply be lost.
 * After a repeat, or where a node gave no good answer, a request may still arrive late: later extensions say so. So
 * does the lease stay if too few replicas have the extension: one of the others may be promoted, and knows the old end. */
lock_outcome lock_extend(const lock_client *client, rl_bytes name, lock_lease *lease, int64_t duration, int64_t budget,
                         rl_error *error)
{
    query_op q;
    lock_outcome outcome;
    lock_lease old = *lease;
    lock_extension extension = lock_extension_begin(client);
    int64_t sent = extension.at;
    lock_lease wanted = {.sent = sent, .duration = duration};
    char *memory, at[RL_DIGITS];

    lease->is_noted |= extension.doubts;
    query_open(&q, client, name, &rl_script_extend, false, budget);
    q.request->alone = &rl_script_extend_alone;
    rl_request_add(q.request, lock_note_key(q.keys.lock, &memory));
    q.request->keys++;
    rl_request_add(q.request, (rl_bytes){lease->token, lease->token_len});
    rl_request_add_number(q.request, rl_span_ms(duration), q.digits);
    rl_request_add(q.request, extension.source);
    rl_request_add_number(q.request, extension.at, at);
    rl_request_add(q.request, extension.doubts ? RL_LITERAL("1") : RL_LITERAL("0"));
    if (lock_lease_validity(&wanted, sent) < lock_lease_validity(&old, sent)) {
        lease->sent = sent;
        lease->duration = duration;
    }
    outcome = query_vote(&q, &voting, error);
    rl_votes votes = rl_session_votes(&q.session, 0, rl_judge_flag);
    if (rl_session_was_repeated(&q.session, 0) || votes.yes + votes.no < q.session.nodes) {
        lock_extension_doubt(client->extensions);
    }
    if (outcome == LOCK_YES) {
        const lock_replicated extended = {"the new lease", q.clock.sent_at, duration, q.clock.deadline, NULL};
        outcome = lock_replicas_await(&q.session, client, &extended, error);
    }
    if (outcome == LOCK_YES) {
        lock_lease_set(lease, sent, duration);
    } else {
        lease_note_server_expiry(lease, platform_now(), duration); /* a server may have carried it out all the same */
    }
    if (outcome == LOCK_NOT_OWNED) {
        client->stats->lost++;
        lock_tally(client, name, lease, METRICS_LOST);
    }
    query_close(&q);
    free(memory);
    return outcome;
}

/* ---- the other questions ---- */

/* Converts PTTL's reply to a span. -1 is a key without an end: PLATFORM_NEVER. */
static int64_t span_of_ttl(long long ttl)
{
    return ttl < 0 ? PLATFORM_NEVER : lock_span_of_ms(ttl);
}

/* A node's answer to the question for the holder: {token or nil, ms, fence or nil [, waiters]}. */
typedef struct node_holder {
    rl_bytes token; /* .at is NULL: nobody holds the lock there */
    int64_t left;   /* µs left of the lease */
    int64_t fence;  /* 0: none */
    int64_t waiters;
    size_t known; /* of the holder by a majority: how many nodes have this fence */
} node_holder;

/* Reads a reply of the owner script into `out`. The token points into the reply. Returns false, with `out` undefined,
 * where the reply is malformed. */
static bool read_node_holder(const redisReply *reply, node_holder *out)
{
    if (reply->type != REDIS_REPLY_ARRAY || reply->elements < 3 || reply->elements > 4) {
        return false;
    }
    const redisReply *token = reply->element[0], *ttl = reply->element[1], *fence = reply->element[2];
    *out = (node_holder){0};
    if (token->type == REDIS_REPLY_NIL) {
        return true;
    }
    if (token->type != REDIS_REPLY_STRING || ttl->type != REDIS_REPLY_INTEGER) {
        return false;
    }
    out->token = (rl_bytes){token->str, (size_t)token->len};
    out->left = span_of_ttl(ttl->integer);
    out->fence = fence->type == REDIS_REPLY_STRING ? strtoll(fence->str, NULL, 10) : 0;
    if (reply->elements == 4 && reply->element[3]->type != REDIS_REPLY_INTEGER) {
        return false;
    }
    out->waiters = reply->elements == 4 ? reply->element[3]->integer : 0;
    return true;
}

static bool node_holder_of(const rl_call *call, node_holder *out)
{
    return call->answered && call->error.kind == RL_OK && read_node_holder(call->reply, out);
}

/* Determines the holder from the answers of the nodes. LOCK_YES: a majority names the same token; `out` has it, the
 * time for which a majority will still keep the lock, and the highest fence. LOCK_NOT_OWNED: no token can have a
 * majority. LOCK_FAILED: it depends on the nodes that have not answered. */
static lock_outcome majority_holder(const rl_session *session, node_holder *out)
{
    size_t majority = rl_session_majority(session), good = 0, most = 0;
    node_holder one, other;

    for (size_t i = 0; i < session->nodes; i++) {
        if (!node_holder_of(&session->calls[i], &one)) {
            continue;
        }
        good++;
        size_t same = 0, longer = 0, known = 0;
        int64_t fence = 0;
        for (size_t j = 0; one.token.at != NULL && j < session->nodes; j++) {
            if (node_holder_of(&session->calls[j], &other) && other.token.at != NULL &&
                other.token.len == one.token.len && memcmp(other.token.at, one.token.at, one.token.len) == 0) {
                same++;
                longer += other.left > one.left || (other.left == one.left && j < i);
                known = other.fence > fence ? 1 : known + (other.fence == fence);
                fence = platform_later(fence, other.fence);
            }
        }
        most = same > most ? same : most;
        if (same >= majority && longer == majority - 1) {
            *out = one;
            out->fence = fence;
            out->known = known;
            return LOCK_YES;
        }
    }
    return most + session->nodes - good < majority ? LOCK_NOT_OWNED : LOCK_FAILED;
}

static rl_vote judge_holder(const rl_call *call)
{
    node_holder unused;

    return read_node_holder(call->reply, &unused) ? RL_VOTE_YES : RL_VOTE_NONE;
}

static bool holder_is_decided(const rl_session *session, size_t i, const rl_policy *policy)
{
    rl_votes votes = rl_session_votes(session, i, policy->judge);
    node_holder unused;

    return majority_holder(session, &unused) != LOCK_FAILED || votes.yes + votes.open < rl_session_majority(session);
}

/* Writes holder->fence to a majority before it is reported, so that the next holder is sure to get a higher one. So
 * far it stands on fewer nodes, whose answers nobody may have received before: see attempt_write_fence_back() in
 * lock/attempt.c. Frees `holder` unless it returns LOCK_YES. */
static lock_outcome query_write_fence_back(query_op *q, lock_lease *holder, rl_error *error)
{
    query_begin(q, &rl_script_raise_fence, true);
    rl_request_add(q->request, (rl_bytes){holder->token, holder->token_len});
    rl_request_add_number(q->request, holder->fence, q->digits);
    lock_outcome outcome = query_vote(q, &voting, error);
    if (outcome != LOCK_YES) {
        lock_lease_free(holder);
    }
    return outcome;
}

/* Returns the highest number of waiters: they stand in line at one node. */
static int64_t most_waiters(const rl_session *session)
{
    int64_t most = 0;
    node_holder one;

    for (size_t i = 0; i < session->nodes; i++) {
        if (node_holder_of(&session->calls[i], &one)) {
            most = platform_later(most, one.waiters);
        }
    }
    return most;
}

/* The time is taken before the question is sent, so that the lease reported never outlasts the one in Redis. With
 * several nodes and fencing, a fence is reported only after a majority knows it: see query_write_fence_back(). `adopts`: the
 * token whose lease the caller counts on from now on, if that holds the lock; NULL: none. `waiters`: their number, for which
 * all nodes are awaited, since any of them may be the queue node; NULL: they are not counted. */
static lock_outcome ask_holder(const lock_client *client, rl_bytes name, const rl_bytes *adopts, lock_lease *holder,
                               int64_t *waiters, rl_error *error)
{
    const rl_policy asking = {
        .judge = judge_holder, .decided = waiters == NULL ? holder_is_decided : NULL, .repeats = true};
    query_op q;
    lock_outcome outcome = LOCK_FAILED;
    int64_t sent = platform_now();
    node_holder found = {0};

    query_open(&q, client, name, &rl_script_owner, client->fencing, lock_budget(client));
    q.request->alone = client->fencing ? NULL : &rl_script_owner_alone;
    if (adopts != NULL || waiters != NULL) {
        rl_request_add(q.request, adopts != NULL ? *adopts : RL_LITERAL(""));
    }
    if (waiters != NULL) {
        rl_request_add(q.request, RL_LITERAL("1"));
    }
    if (rl_session_ask(&q.session, &q.clock, &asking, error)) {
        rl_session_error(&q.session, 0, error);
        outcome = majority_holder(&q.session, &found);
    }
    if (outcome == LOCK_YES) {
        lock_lease_fill(holder, found.token, sent, found.left, found.fence);
        if (waiters != NULL) {
            *waiters = most_waiters(&q.session);
        }
        if (found.known < rl_session_majority(&q.session)) {
            outcome = query_write_fence_back(&q, holder, error);
        }
    }
    query_close(&q);
    return outcome;
}

lock_outcome lock_holder(const lock_client *client, rl_bytes name, lock_lease *holder, rl_error *error)
{
    return ask_holder(client, name, NULL, holder, NULL, error);
}

lock_outcome lock_inspect(const lock_client *client, rl_bytes name, lock_lease *holder, int64_t *waiters,
                          rl_error *error)
{
    return ask_holder(client, name, NULL, holder, waiters, error);
}

lock_outcome lock_adopt(const lock_client *client, rl_bytes name, rl_bytes token, lock_lease *lease, rl_error *error)
{
    lock_outcome outcome = ask_holder(client, name, &token, lease, NULL, error);

    if (outcome == LOCK_YES && (lease->token_len != token.len || memcmp(lease->token, token.at, token.len) != 0)) {
        lock_lease_free(lease);
        return LOCK_NOT_OWNED;
    }
    if (outcome == LOCK_YES) {
        lease->acquired_at = 0;
    }
    return outcome;
}

/* Of several nodes, the waiters stand in line at one, so the highest count is the answer, not the sum. All nodes are
 * awaited, since any of them may be the queue node. */
lock_outcome lock_waiters(const lock_client *client, rl_bytes name, int64_t *waiters, rl_error *error)
{
    static const rl_policy asking = {.judge = rl_judge_count, .repeats = true};
    query_op q;

    query_open(&q, client, name, &rl_script_waiters, false, lock_budget(client));
    bool good = rl_session_ask(&q.session, &q.clock, &asking, error);
    *waiters = 0;
    for (size_t i = 0; good && i < q.session.nodes; i++) {
        const rl_call *call = &q.session.calls[i];
        if (call->answered && call->error.kind == RL_OK) {
            *waiters = platform_later(*waiters, call->reply->integer);
        }
    }
    query_close(&q);
    return good ? LOCK_YES : LOCK_FAILED;
}

/* The note of extensions goes with the lock. */
lock_outcome lock_force_release(const lock_client *client, rl_bytes name, rl_error *error)
{
    /* Never repeated: a second request, or a late one, might take the lock from the next holder. */
    static const rl_policy once = {.judge = rl_judge_flag, .decided = rl_session_vote_is_decided};
    query_op q;
    char *memory;

    query_open(&q, client, name, &rl_script_force, false, lock_budget(client));
    q.request->alone = &rl_script_force_alone;
    rl_request_add(q.request, lock_note_key(q.keys.lock, &memory));
    q.request->keys++;
    lock_random_baton(q.baton);
    rl_request_add(q.request, (rl_bytes){q.baton, LOCK_BATON_LEN});
    q.request->preload = true;
    lock_outcome outcome = query_vote(&q, &once, error);
    query_close(&q);
    free(memory);
    return outcome;
}

/* SPDX-License-Identifier: MIT
 *
 * lock_core: see lock_core.h.
 */
#include "lock_core.h"

#include <stdlib.h>
#include <string.h>

#include "lock/keys.h"
#include "lock/attempt.h"
#include "lock/wait.h"
#include "platform.h"
#include "redis/quorum.h"
#include "redis/scripts.h"

/* Clocks that run at different speeds, and the milliseconds to which Redis rounds: as in Redlock. */
#define DRIFT_PERCENT 1
#define DRIFT_MIN     (2 * PLATFORM_MSEC)

/* So long the release of a lock whose lease we do not know is sent again: its token came from elsewhere. */
#define UNKNOWN_LEASE (30 * PLATFORM_SEC)

int64_t lock_budget(const lock_client *client)
{
    return platform_later(client->connect_timeout, client->read_timeout);
}

/* ---- leases ---- */

int64_t lock_lease_left(const lock_lease *lease, int64_t now)
{
    int64_t left;

    if (lease->released != 0) {
        return 0;
    }
    if (lease->duration == PLATFORM_NEVER) {
        return PLATFORM_NEVER;
    }
    left = lease->duration - lease->duration / 100 * DRIFT_PERCENT - DRIFT_MIN - (now - lease->sent);
    return left > 0 ? left : 0;
}

int64_t lock_lease_stays(const lock_lease *lease, int64_t now)
{
    int64_t until = lease->kept_until != 0 ? lease->kept_until : platform_after(lease->released, UNKNOWN_LEASE);

    return until == PLATFORM_NEVER ? until : platform_later(until - now, 0);
}

void lock_lease_free(lock_lease *lease)
{
    free(lease->token);
    memset(lease, 0, sizeof(*lease));
}

/* Redis has begun to count, or may have, between `sent` and now. */
static void lease_may_last(lock_lease *lease, int64_t duration)
{
    lease->kept_until = platform_later(lease->kept_until, platform_after(platform_now(), duration));
}

void lock_lease_set(lock_lease *lease, int64_t sent, int64_t duration)
{
    lease->sent = sent;
    lease->duration = duration;
    lease_may_last(lease, duration);
}

void lock_lease_fill(lock_lease *lease, rl_bytes token, int64_t sent, int64_t duration, int64_t fence)
{
    *lease = (lock_lease){.token = platform_memdup(token.at, token.len), .token_len = token.len, .fence = fence};
    lock_lease_set(lease, sent, duration);
}

/* ---- one question to all nodes ---- */

/* A question and what it needs while it is under way. */
typedef struct query_op {
    const lock_client *client;
    lock_keys keys;
    rl_request request;
    int64_t until;
    bool repeated; /* an earlier time it was asked, its answer was lost: it may have been carried out then */
    char baton[LOCK_BATON_LEN];
    char digits[RL_DIGITS];
    rl_quorum quorum; /* the last: see lock_attempt */
} query_op;

static void query_open(query_op *q, const lock_client *client, rl_bytes name, const rl_script *script, int64_t budget)
{
    memset(q, 0, offsetof(query_op, quorum));
    q->client = client;
    lock_keys_init(&q->keys, client->prefix, name);
    rl_quorum_open(&q->quorum, client->pool, client->endpoints, client->count, client->node_timeout);
    q->request.script = script;
    lock_keys_add(&q->request, &q->keys, false);
    q->until = platform_after(platform_now(), budget);
}

static void query_close(query_op *q)
{
    rl_quorum_close(&q->quorum);
    lock_keys_free(&q->keys);
}

static void query_add_baton(query_op *q)
{
    lock_random_baton(q->baton);
    rl_request_add(&q->request, (rl_bytes){q->baton, LOCK_BATON_LEN});
}

/* What is wanted of the answers. */
typedef struct query_wants {
    bool (*is_good)(const redisReply *reply); /* is it an answer to this question at all? */
    rl_decided decided;                       /* see rl_quorum_ask() */
} query_wants;

/* How many answers are good. */
static size_t count_good(const rl_quorum *quorum, bool (*is_good)(const redisReply *))
{
    size_t good = 0;

    for (size_t i = 0; i < quorum->count; i++) {
        const rl_call *call = &quorum->calls[i];
        good += call->answered && call->error.kind == RL_OK && is_good(call->reply);
    }
    return good;
}

static size_t count_open(const rl_quorum *quorum)
{
    size_t open = 0;

    for (size_t i = 0; i < quorum->count; i++) {
        open += !quorum->calls[i].answered;
    }
    return open;
}

/* Asks, again after a lost reply where the question may be put twice. The hook does not end it: what it asks for is
 * short, and half done it would leave the caller with an unknown outcome. Returns LOCK_YES when a majority answered
 * as is wanted (in quorum.calls), or LOCK_FAILED. */
static lock_outcome query_ask(query_op *q, const query_wants *want, bool repeatable, rl_error *error)
{
    rl_quorum *quorum = &q->quorum;

    for (;;) {
        rl_quorum_prepare(quorum, &q->request);
        rl_quorum_ask(quorum, platform_earlier(q->until, platform_after(platform_now(), q->client->connect_timeout)),
                      platform_after(q->until, LOCK_FINAL_REPLY_GRACE), NULL, want->decided, NULL);
        for (size_t i = 0; i < quorum->count; i++) {
            rl_call *call = &quorum->calls[i];
            if (call->error.kind == RL_OK && !want->is_good(call->reply)) {
                call->error = RL_WRONG_REPLY;
            }
        }
        rl_quorum_detach(quorum, repeatable);
        if (count_good(quorum, want->is_good) >= rl_quorum_majority(quorum)) {
            return LOCK_YES;
        }
        rl_quorum_error(quorum, quorum->calls, error);
        if (quorum->count == 1 && error->kind != RL_ERROR_REPLY) {
            rl_quorum_close_after(quorum, NULL, 0);
        }
        if (!repeatable || !rl_error_is_retriable(error, q->repeated) || platform_now() >= q->until) {
            return LOCK_FAILED;
        }
        if (q->repeated) {
            rl_wait(NULL, 0, platform_earlier(q->until, platform_now() + RL_REPEAT_PAUSE), NULL);
        }
        q->repeated = true;
    }
}

/* A majority of ones is a yes. Whoever did not answer may have been for it: LOCK_FAILED where that matters. */
static lock_outcome count_vote(const rl_quorum *quorum)
{
    size_t ones = rl_quorum_count_ones(quorum), silent = quorum->count - count_good(quorum, rl_reply_is_count);

    if (ones >= rl_quorum_majority(quorum)) {
        return LOCK_YES;
    }
    return ones + silent < rl_quorum_majority(quorum) ? LOCK_NOT_OWNED : LOCK_FAILED;
}

static bool vote_is_decided(const rl_quorum *quorum, const void *arg)
{
    size_t good = count_good(quorum, rl_reply_is_count);

    (void)arg;
    return count_vote(quorum) != LOCK_FAILED || good + count_open(quorum) < rl_quorum_majority(quorum);
}

/* The same, where every answer is a number, for or against. */
static lock_outcome query_vote(query_op *q, bool repeatable, rl_error *error)
{
    static const query_wants vote = {rl_reply_is_count, vote_is_decided};

    if (query_ask(q, &vote, repeatable, error) != LOCK_YES) {
        return LOCK_FAILED;
    }
    rl_quorum_error(&q->quorum, q->quorum.calls, error);
    return count_vote(&q->quorum);
}

/* ---- acquire ---- */

static void attempt_open(lock_attempt *attempt, const lock_client *client, rl_bytes name, const rl_bytes *token,
                         int64_t start, int64_t timeout)
{
    memset(attempt, 0, offsetof(lock_attempt, digits));
    attempt->client = client;
    lock_keys_begin(&attempt->keys, client->prefix, name);
    rl_quorum_open(&attempt->quorum, client->pool, client->endpoints, client->count, client->node_timeout);
    attempt->token_is_ours = token == NULL;
    if (token != NULL) {
        attempt->token = *token;
    }
    attempt->pid = platform_pid();
    attempt->waits = timeout > 0;
    attempt->deadline = attempt->last_try_at = platform_after(start, timeout);
    attempt->longest_lead = timeout / 2;
    attempt->fastest = PLATFORM_NEVER;
    lock_attempt_begin(attempt);
}

/* The first try: again when a reply was lost, as long as there is time. */
static lock_verdict attempt_first_try(lock_attempt *attempt, int64_t now, int64_t until)
{
    const lock_client *client = attempt->client;
    int64_t pause = RL_REPEAT_PAUSE;
    rl_error first;

    rl_error_clear(&first);
    for (;; now = platform_now()) {
        int64_t answer_by = platform_earlier(until, platform_after(now, lock_budget(client)));
        lock_verdict verdict =
            lock_attempt_try(attempt, platform_earlier(until, platform_after(now, client->connect_timeout)),
                             platform_after(answer_by, LOCK_FINAL_REPLY_GRACE));
        if (verdict != LOCK_UNKNOWN || !rl_error_keep_first(attempt->error, &first)) {
            return verdict;
        }
        now = platform_now();
        if (now >= until) {
            return verdict;
        }
        if (rl_wait(NULL, 0, platform_earlier(until, now + pause), &client->hook) == RL_WAKE_HOOK) {
            *attempt->error = RL_INTERRUPTION;
            return LOCK_UNKNOWN;
        }
        pause *= 2;
    }
}

static lock_outcome outcome_of(lock_verdict verdict, const rl_error *error)
{
    switch (verdict) {
    case LOCK_TAKEN:
        return LOCK_YES;
    case LOCK_HELD:
    case LOCK_FULL:
        return LOCK_BUSY;
    default:
        return error->kind == RL_INTERRUPTED ? LOCK_INTERRUPTED : LOCK_FAILED;
    }
}

static void count_acquire(lock_stats *stats, lock_outcome outcome, bool contended, int64_t waited)
{
    stats->acquired += outcome == LOCK_YES;
    stats->contended += contended;
    stats->timed_out += contended && outcome == LOCK_BUSY && waited > 0;
    stats->waited += contended ? waited : 0;
}

lock_outcome lock_acquire(const lock_client *client, rl_bytes name, const rl_bytes *token, int64_t duration,
                          int64_t timeout, lock_lease *lease, rl_error *error)
{
    lock_attempt attempt;
    lock_outcome outcome;
    bool contended = false, full = false;
    int64_t start = platform_now(), now = start;
    int64_t until = platform_after(start, timeout > 0 ? timeout : lock_budget(client));

    attempt_open(&attempt, client, name, token, start, timeout);
    attempt.error = error;
    rl_error_clear(error);
    attempt.lease_ms = rl_span_ms(duration);
    attempt.hard_deadline = platform_after(until, LOCK_CLEANUP_BUDGET);
    do {
        lock_verdict verdict = attempt_first_try(&attempt, now, until);
        if (verdict == LOCK_HELD && attempt.waits) {
            verdict = lock_wait(&attempt);
            contended = true;
        }
        full = verdict == LOCK_FULL;
        contended |= verdict == LOCK_HELD || full;
        outcome = outcome_of(verdict, error);
        if (outcome == LOCK_YES) {
            lock_lease_fill(lease, attempt.token, attempt.sent, duration, attempt.fence);
            if (lock_lease_left(lease, platform_now()) == 0) {
                lock_lease_free(lease);
                lock_attempt_give_back(&attempt);
                outcome = LOCK_LATE;
            }
        }
    } while (outcome == LOCK_LATE && attempt.waits && (now = platform_now()) < until);
    if (outcome != LOCK_YES && attempt.outcome_unknown && attempt.pid == platform_pid()) {
        lock_lease left = {0};
        lock_lease_fill(&left, attempt.token, attempt.sent, duration, 0);
        lock_release_later(client, name, &left); /* nothing could be written that undoes it */
        lock_lease_free(&left);
    }
    count_acquire(client->stats, outcome, contended, attempt.waits ? platform_now() - start : 0);
    if (client->refusal != NULL && outcome == LOCK_BUSY) {
        *client->refusal = (lock_refusal){attempt.waiting, full};
    }
    rl_quorum_close(&attempt.quorum);
    lock_keys_free(&attempt.keys);
    return outcome;
}

/* ---- extend ---- */

/* Longer than a request stays on its way, in a network or a proxy. */
#define LONGEST_DOUBT (3600 * PLATFORM_SEC)

lock_extension lock_extension_begin(const lock_client *client)
{
    lock_extensions *all = client->extensions;
    int64_t pid = platform_pid();

    if (all->pid != pid) {
        platform_random_hex(all->source, LOCK_SOURCE_LEN / 2);
        all->pid = pid;
        all->doubt_until = 0;
    }
    return (lock_extension){{all->source, LOCK_SOURCE_LEN}, platform_now(), lock_extension_is_doubted(client)};
}

bool lock_extension_is_doubted(const lock_client *client)
{
    return client->extensions->doubt_until != 0 && platform_now() < client->extensions->doubt_until;
}

void lock_extension_doubt(const lock_client *client)
{
    client->extensions->doubt_until = platform_now() + LONGEST_DOUBT;
}

lock_outcome lock_extend(const lock_client *client, rl_bytes name, lock_lease *lease, int64_t duration, rl_error *error)
{
    query_op q;
    lock_outcome outcome;
    lock_lease old = *lease;
    lock_extension extension = lock_extension_begin(client);
    int64_t sent = extension.at;
    lock_lease wanted = {.sent = sent, .duration = duration};
    char *memory, at[RL_DIGITS];

    query_open(&q, client, name, &rl_script_extend, lock_budget(client));
    rl_request_add(&q.request, lock_note_key(q.keys.lock, &memory));
    q.request.keys++;
    rl_request_add(&q.request, (rl_bytes){lease->token, lease->token_len});
    rl_request_add_number(&q.request, rl_span_ms(duration), q.digits);
    rl_request_add(&q.request, extension.source);
    rl_request_add_number(&q.request, extension.at, at);
    rl_request_add(&q.request, extension.doubts ? RL_LITERAL("1") : RL_LITERAL("0"));
    if (lock_lease_left(&wanted, sent) < lock_lease_left(&old, sent)) {
        lease->sent = sent;
        lease->duration = duration;
    }
    outcome = query_vote(&q, true, error);
    if (outcome == LOCK_YES) {
        lock_lease_set(lease, sent, duration);
    } else if (outcome == LOCK_FAILED) {
        lease_may_last(lease, duration);
    }
    if (q.repeated || count_good(&q.quorum, rl_reply_is_count) < q.quorum.count) {
        lock_extension_doubt(client);
    }
    client->stats->lost += outcome == LOCK_NOT_OWNED;
    query_close(&q);
    free(memory);
    return outcome;
}

/* ---- the other questions ---- */

/* PTTL's answer as a span: -1 is without end. */
static int64_t span_of_ttl(long long ttl)
{
    return ttl < 0 ? PLATFORM_NEVER : lock_span_of_ms(ttl);
}

/* What a node says of the holder: {token or nil, ms, fence or nil}. */
typedef struct node_holder {
    rl_bytes token; /* .at is NULL: nobody holds it there */
    int64_t left;   /* of the lease, µs */
    int64_t fence;
} node_holder;

static bool read_node_holder(const redisReply *reply, node_holder *out)
{
    if (reply->type != REDIS_REPLY_ARRAY || reply->elements != 3) {
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
    return true;
}

static bool node_holder_of(const rl_call *call, node_holder *out)
{
    return call->answered && call->error.kind == RL_OK && read_node_holder(call->reply, out);
}

/* Puts together who holds the lock by what a majority says: LOCK_YES and `out`; LOCK_NOT_OWNED: nobody does; LOCK_FAILED:
 * the nodes that did not answer make the difference. The lease is what a majority will still keep it for. */
static lock_outcome majority_holder(const rl_quorum *quorum, node_holder *out)
{
    size_t majority = rl_quorum_majority(quorum), good = 0, most = 0;
    node_holder one, other;

    for (size_t i = 0; i < quorum->count; i++) {
        if (!node_holder_of(&quorum->calls[i], &one)) {
            continue;
        }
        good++;
        size_t same = 0, longer = 0;
        int64_t fence = 0;
        for (size_t j = 0; one.token.at != NULL && j < quorum->count; j++) {
            if (node_holder_of(&quorum->calls[j], &other) && other.token.at != NULL &&
                other.token.len == one.token.len && memcmp(other.token.at, one.token.at, one.token.len) == 0) {
                same++;
                longer += other.left > one.left || (other.left == one.left && j < i);
                fence = platform_later(fence, other.fence);
            }
        }
        most = same > most ? same : most;
        if (same >= majority && longer == majority - 1) {
            *out = one;
            out->fence = fence;
            return LOCK_YES;
        }
    }
    return most + quorum->count - good < majority ? LOCK_NOT_OWNED : LOCK_FAILED;
}

static bool is_node_holder(const redisReply *reply)
{
    node_holder unused;

    return read_node_holder(reply, &unused);
}

static bool holder_is_decided(const rl_quorum *quorum, const void *arg)
{
    node_holder unused;

    (void)arg;
    return majority_holder(quorum, &unused) != LOCK_FAILED ||
           count_good(quorum, is_node_holder) + count_open(quorum) < rl_quorum_majority(quorum);
}

/* What is told of a fence must be known to the next holder; it may be that of a node which nobody has heard so far. See
 * lock/attempt.c. */
static lock_outcome query_write_fence_back(query_op *q, lock_lease *holder, rl_error *error)
{
    q->request = (rl_request){.script = &rl_script_raise_fence};
    lock_keys_add(&q->request, &q->keys, true);
    rl_request_add(&q->request, (rl_bytes){holder->token, holder->token_len});
    rl_request_add_number(&q->request, holder->fence, q->digits);
    lock_outcome outcome = query_vote(q, true, error);
    if (outcome != LOCK_YES) {
        lock_lease_free(holder);
    }
    return outcome;
}

lock_outcome lock_holder(const lock_client *client, rl_bytes name, lock_lease *holder, rl_error *error)
{
    query_op q;
    lock_outcome outcome;
    int64_t sent = platform_now();
    node_holder found = {0};

    query_open(&q, client, name, &rl_script_owner, lock_budget(client));
    if (client->fencing) {
        rl_request_add(&q.request, q.keys.fence);
        q.request.keys++;
    }
    outcome = query_ask(&q, &(query_wants){is_node_holder, holder_is_decided}, true, error);
    if (outcome == LOCK_YES) {
        rl_quorum_error(&q.quorum, q.quorum.calls, error);
        outcome = majority_holder(&q.quorum, &found);
    }
    if (outcome == LOCK_YES) {
        lock_lease_fill(holder, found.token, sent, found.left, found.fence);
        outcome = client->fencing && client->count > 1 ? query_write_fence_back(&q, holder, error) : LOCK_YES;
    }
    query_close(&q);
    return outcome;
}

lock_outcome lock_waiters(const lock_client *client, rl_bytes name, int64_t *waiters, rl_error *error)
{
    query_op q;
    lock_outcome outcome;

    query_open(&q, client, name, &rl_script_waiters, lock_budget(client));
    outcome = query_ask(&q, &(query_wants){rl_reply_is_count, NULL}, true, error);
    *waiters = 0;
    for (size_t i = 0; outcome == LOCK_YES && i < q.quorum.count; i++) {
        const rl_call *call = &q.quorum.calls[i];
        if (call->answered && call->error.kind == RL_OK) {
            *waiters = platform_later(*waiters, call->reply->integer); /* of several nodes, they wait at one */
        }
    }
    query_close(&q);
    return outcome;
}

lock_outcome lock_force(const lock_client *client, rl_bytes name, rl_error *error)
{
    query_op q;
    lock_outcome outcome;

    query_open(&q, client, name, &rl_script_force, lock_budget(client));
    query_add_baton(&q);
    /* Never repeated: the second time, or late, it might hit the next holder. */
    q.request.preload = client->count > 1;
    outcome = query_vote(&q, false, error);
    query_close(&q);
    return outcome;
}

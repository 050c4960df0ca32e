/* SPDX-License-Identifier: MIT
 *
 * lock_core: see lock_core.h.
 */
#include "lock_core.h"

#include <stdlib.h>
#include <string.h>

#include "lock_names.h"
#include "lock_try.h"
#include "lock_wait.h"
#include "platform.h"
#include "redis_quorum.h"
#include "redis_scripts.h"

/* Clocks that run at different speeds, and the milliseconds to which Redis rounds: as in Redlock. */
#define DRIFT_PERCENT 1
#define DRIFT_MIN     (2 * PLATFORM_MSEC)

int64_t lock_budget(const lock_client *client)
{
    return platform_later(client->connect_timeout, client->read_timeout);
}

/* ---- leases ---- */

int64_t lock_lease_left(const lock_lease *lease, int64_t now)
{
    int64_t left;

    if (lease->lasts == PLATFORM_NEVER) {
        return PLATFORM_NEVER;
    }
    left = lease->lasts - lease->lasts / 100 * DRIFT_PERCENT - DRIFT_MIN - (now - lease->sent);
    return left > 0 ? left : 0;
}

void lock_lease_free(lock_lease *lease)
{
    free(lease->token);
    memset(lease, 0, sizeof(*lease));
}

static void lease_fill(lock_lease *lease, redis_bytes token, int64_t sent, int64_t lasts, int64_t fence)
{
    lease->token = platform_memdup(token.at, token.len);
    lease->token_len = token.len;
    lease->sent = sent;
    lease->lasts = lasts;
    lease->fence = fence;
}

/* ---- one question to all nodes ---- */

/* A question and what it needs while it is under way. */
typedef struct inquiry {
    const lock_client *client;
    lock_keys keys;
    redis_request request;
    int64_t until;
    bool repeated; /* an earlier time it was asked, its answer was lost: it may have been carried out then */
    char baton[LOCK_BATON_LEN];
    char digits[REDIS_DIGITS];
    redis_quorum quorum; /* the last: see lock_attempt */
} inquiry;

static void inquiry_open(inquiry *q, const lock_client *client, redis_bytes name, const redis_script *script,
                         int64_t budget)
{
    memset(q, 0, offsetof(inquiry, quorum));
    q->client = client;
    lock_keys_init(&q->keys, client->prefix, name);
    redis_quorum_open(&q->quorum, client->pool, client->endpoints, client->count, client->node_timeout);
    q->request.script = script;
    lock_keys_add(&q->request, &q->keys, false);
    q->until = platform_after(platform_now(), budget);
}

static void inquiry_close(inquiry *q)
{
    redis_quorum_close(&q->quorum);
    lock_keys_free(&q->keys);
}

static void inquiry_add_baton(inquiry *q)
{
    lock_random_baton(q->baton);
    redis_request_add(&q->request, (redis_bytes){q->baton, LOCK_BATON_LEN});
}

/* What is wanted of the answers. */
typedef struct inquiry_wants {
    bool (*is_good)(const redisReply *reply); /* is it an answer to this question at all? */
    redis_decided decided;                    /* see redis_quorum_ask() */
} inquiry_wants;

/* How many answers are good. */
static size_t count_good(const redis_quorum *quorum, bool (*is_good)(const redisReply *))
{
    size_t good = 0;

    for (size_t i = 0; i < quorum->count; i++) {
        const redis_call *call = &quorum->calls[i];
        good += call->answered && call->error.kind == REDIS_FINE && is_good(call->reply);
    }
    return good;
}

static size_t count_open(const redis_quorum *quorum)
{
    size_t open = 0;

    for (size_t i = 0; i < quorum->count; i++) {
        open += !quorum->calls[i].answered;
    }
    return open;
}

/* All numbers that our scripts answer with are counts, or yes and no. */
static bool is_number(const redisReply *reply)
{
    return reply->type == REDIS_REPLY_INTEGER && reply->integer >= 0;
}

/* Asks, again after a lost reply where the question may be put twice. The hook does not end it: what it asks for is
 * short, and half done it would leave the caller with an unknown outcome. Returns LOCK_YES when a majority answered
 * as is wanted (in quorum.calls), or LOCK_FAILED. */
static lock_outcome inquiry_ask(inquiry *q, const inquiry_wants *want, bool repeatable, redis_error *error)
{
    redis_quorum *quorum = &q->quorum;

    for (;;) {
        redis_quorum_prepare(quorum, &q->request);
        redis_quorum_ask(quorum, platform_earlier(q->until, platform_after(platform_now(), q->client->connect_timeout)),
                         platform_after(q->until, LOCK_LAST_WORD), NULL, want->decided, NULL);
        for (size_t i = 0; i < quorum->count; i++) {
            redis_call *call = &quorum->calls[i];
            if (call->error.kind == REDIS_FINE && !want->is_good(call->reply)) {
                call->error = REDIS_WRONG_REPLY;
            }
        }
        redis_quorum_leave(quorum, repeatable);
        if (count_good(quorum, want->is_good) >= redis_quorum_majority(quorum)) {
            return LOCK_YES;
        }
        redis_quorum_error(quorum, quorum->calls, error);
        if (quorum->count == 1 && error->kind != REDIS_ERROR_REPLY) {
            redis_quorum_part(quorum, NULL, 0);
        }
        if (!repeatable || !redis_error_is_worth_repeating(error, q->repeated) || platform_now() >= q->until) {
            return LOCK_FAILED;
        }
        if (q->repeated) {
            redis_wait(NULL, 0, platform_earlier(q->until, platform_now() + REDIS_REPEAT_PAUSE), NULL);
        }
        q->repeated = true;
    }
}

/* A majority of ones is a yes. Whoever did not answer may have been for it: LOCK_FAILED where that matters. */
static lock_outcome count_vote(const redis_quorum *quorum)
{
    size_t ones = redis_quorum_ones(quorum), silent = quorum->count - count_good(quorum, is_number);

    if (ones >= redis_quorum_majority(quorum)) {
        return LOCK_YES;
    }
    return ones + silent < redis_quorum_majority(quorum) ? LOCK_NO : LOCK_FAILED;
}

static bool vote_is_decided(const redis_quorum *quorum, const void *arg)
{
    size_t good = count_good(quorum, is_number);

    (void)arg;
    return count_vote(quorum) != LOCK_FAILED || good + count_open(quorum) < redis_quorum_majority(quorum);
}

/* The same, where every answer is a number, for or against. */
static lock_outcome inquiry_vote(inquiry *q, bool repeatable, redis_error *error)
{
    static const inquiry_wants vote = {is_number, vote_is_decided};

    if (inquiry_ask(q, &vote, repeatable, error) != LOCK_YES) {
        return LOCK_FAILED;
    }
    redis_quorum_error(&q->quorum, q->quorum.calls, error);
    return count_vote(&q->quorum);
}

/* ---- acquire ---- */

static void attempt_open(lock_attempt *attempt, const lock_client *client, redis_bytes name, const redis_bytes *token,
                         int64_t start, int64_t timeout)
{
    memset(attempt, 0, offsetof(lock_attempt, digits));
    attempt->client = client;
    lock_keys_begin(&attempt->keys, client->prefix, name);
    redis_quorum_open(&attempt->quorum, client->pool, client->endpoints, client->count, client->node_timeout);
    attempt->own_token = token == NULL;
    if (token != NULL) {
        attempt->token = *token;
    }
    attempt->pid = platform_pid();
    attempt->waits = timeout > 0;
    attempt->deadline = attempt->last_call = platform_after(start, timeout);
    attempt->longest_lead = timeout / 2;
    attempt->fastest = PLATFORM_NEVER;
    lock_try_renew(attempt);
}

/* The first try: again when a reply was lost, as long as there is time. */
static lock_verdict first_try(lock_attempt *attempt, int64_t now, int64_t until)
{
    const lock_client *client = attempt->client;
    int64_t pause = REDIS_REPEAT_PAUSE;
    redis_error first;

    redis_error_clear(&first);
    for (;; now = platform_now()) {
        int64_t answer_by = platform_earlier(until, platform_after(now, lock_budget(client)));
        lock_verdict verdict = lock_try(attempt, platform_earlier(until, platform_after(now, client->connect_timeout)),
                                        platform_after(answer_by, LOCK_LAST_WORD));
        if (verdict != LOCK_UNKNOWN || !redis_error_keep_first(attempt->error, &first)) {
            return verdict;
        }
        now = platform_now();
        if (now >= until) {
            return verdict;
        }
        if (redis_wait(NULL, 0, platform_earlier(until, now + pause), &client->hook) == REDIS_HOOK_SAYS) {
            *attempt->error = REDIS_INTERRUPTION;
            return LOCK_UNKNOWN;
        }
        pause *= 2;
    }
}

/* Gives back what was taken too late to be of use. */
static void give_back(lock_attempt *attempt)
{
    redis_request undo;

    lock_try_leave(attempt, (redis_bytes){"", 0}, &undo);
    /* The token is in Redis because we put it there just now, whoever made it. */
    undo.argv[undo.keys] = attempt->token;
    redis_quorum_prepare(&attempt->quorum, &undo);
    redis_quorum_ask(&attempt->quorum, platform_now(), platform_now() + LOCK_LAST_WORD, NULL, NULL, NULL);
    redis_quorum_leave(&attempt->quorum, true);
    if (attempt->quorum.count == 1) {
        redis_quorum_part(&attempt->quorum, NULL, 0);
    }
    lock_try_renew(attempt);
}

static lock_outcome outcome_of(lock_verdict verdict, const redis_error *error)
{
    switch (verdict) {
    case LOCK_TAKEN:
        return LOCK_YES;
    case LOCK_HELD:
    case LOCK_FULL:
        return LOCK_NO;
    default:
        return error->kind == REDIS_INTERRUPTED ? LOCK_INTERRUPTED : LOCK_FAILED;
    }
}

static void count_acquire(lock_stats *stats, lock_outcome outcome, bool contended, int64_t waited)
{
    stats->acquired += outcome == LOCK_YES;
    stats->contended += contended;
    stats->timed_out += contended && outcome == LOCK_NO && waited > 0;
    stats->waited += contended ? waited : 0;
}

lock_outcome lock_acquire(const lock_client *client, redis_bytes name, const redis_bytes *token, int64_t lasts,
                          int64_t timeout, lock_lease *lease, redis_error *error)
{
    lock_attempt attempt;
    lock_outcome outcome;
    bool contended = false;
    int64_t start = platform_now(), now = start;
    int64_t until = platform_after(start, timeout > 0 ? timeout : lock_budget(client));

    attempt_open(&attempt, client, name, token, start, timeout);
    attempt.error = error;
    redis_error_clear(error);
    attempt.lease_ms = redis_span_ms(lasts);
    attempt.over_at = platform_after(until, LOCK_OVERTIME);
    do {
        lock_verdict verdict = first_try(&attempt, now, until);
        if (verdict == LOCK_HELD && attempt.waits) {
            verdict = lock_wait(&attempt);
            contended = true;
        }
        contended |= verdict == LOCK_HELD || verdict == LOCK_FULL;
        outcome = outcome_of(verdict, error);
        if (outcome == LOCK_YES) {
            lease_fill(lease, attempt.token, attempt.sent, lasts, attempt.fence);
            if (lock_lease_left(lease, platform_now()) == 0) {
                lock_lease_free(lease);
                give_back(&attempt);
                outcome = LOCK_LATE;
            }
        }
    } while (outcome == LOCK_LATE && attempt.waits && (now = platform_now()) < until);
    count_acquire(client->stats, outcome, contended, attempt.waits ? platform_now() - start : 0);
    redis_quorum_close(&attempt.quorum);
    lock_keys_free(&attempt.keys);
    return outcome;
}

/* ---- release ---- */

lock_outcome lock_release(const lock_client *client, redis_bytes name, const lock_lease *lease, int64_t budget,
                          redis_error *error)
{
    lock_release_item item;

    item.name = name;
    item.lease = lease;
    redis_error_clear(&item.error);
    lock_release_all(client, &item, 1, budget);
    redis_error_clear(error);
    if (item.outcome == LOCK_FAILED) {
        *error = item.error;
    }
    return item.outcome;
}

/* Many releases in one round trip: on each node they queue in one pipeline. */
typedef struct release {
    lock_keys keys;
    char baton[LOCK_BATON_LEN];
    bool was_ours;     /* by the clock, when it was first sent */
    bool open;         /* no outcome yet */
    redis_call *calls; /* one a node */
} release;

typedef struct batch {
    const lock_client *client;
    release *releases;
    redis_call *calls;
    lock_release_item *items;
    size_t count;
    bool repeated;
    int64_t sent;
    release the_one;     /* where there is only one, it and its calls stand here and in the quorum */
    redis_quorum quorum; /* its nodes. The last: see lock_attempt */
} batch;

static void batch_open(batch *b, const lock_client *client, lock_release_item *items, size_t count, int64_t now)
{
    memset(b, 0, offsetof(batch, quorum));
    b->client = client;
    b->items = items;
    b->count = count;
    redis_quorum_open(&b->quorum, client->pool, client->endpoints, client->count, client->node_timeout);
    b->releases = count == 1 ? &b->the_one : platform_zalloc(count * sizeof(*b->releases));
    b->calls = count == 1 ? b->quorum.calls : platform_zalloc(count * client->count * sizeof(*b->calls));
    for (size_t i = 0; i < count; i++) {
        release *r = &b->releases[i];
        lock_keys_init(&r->keys, client->prefix, items[i].name);
        lock_baton_of(r->baton, (redis_bytes){items[i].lease->token, items[i].lease->token_len});
        r->was_ours = lock_lease_left(items[i].lease, now) > 0;
        r->open = true;
        r->calls = b->calls + i * client->count;
    }
}

static void batch_close(batch *b)
{
    for (size_t i = 0; i < b->count * b->quorum.count; i++) {
        redis_call_reset(&b->calls[i]);
    }
    for (size_t i = 0; i < b->count; i++) {
        lock_keys_free(&b->releases[i].keys);
    }
    redis_quorum_close(&b->quorum);
    if (b->count > 1) {
        free(b->releases);
        free(b->calls);
    }
}

static void release_request(const release *r, const lock_lease *lease, redis_request *request)
{
    redis_request_begin(request, &redis_script_release);
    lock_keys_add(request, &r->keys, false);
    redis_request_add(request, (redis_bytes){lease->token, lease->token_len});
    redis_request_add(request, (redis_bytes){r->baton, LOCK_BATON_LEN});
}

/* Where there are several, the first brings the script with it: so a server that does not know it yet knows it for
 * the others, and one round trip is enough. The first node, at which those wait who want the lock next, comes last: by
 * the time it wakes one of them, the lock is on its way to be free on the others too. */
static void batch_send(batch *b, int64_t now, int64_t connect_by)
{
    b->sent = now;
    for (size_t n = b->quorum.count; n-- > 0;) {
        bool whole = b->count > 1;
        for (size_t i = 0; i < b->count; i++) {
            release *r = &b->releases[i];
            if (r->open) {
                redis_call_reset(&r->calls[n]);
                release_request(r, b->items[i].lease, &r->calls[n].request);
                r->calls[n].request.brings = b->quorum.count > 1;
                r->calls[n].whole = whole;
                r->calls[n].more = i + 1 < b->count;
                redis_node_submit(b->quorum.nodes[n], &r->calls[n], connect_by);
                whole = false;
            }
        }
    }
}

/* A server that stands still releases when it goes on, also if it does not know the script: then nobody is left to
 * send it. With several locks, the first has brought it; several nodes keep their connections. */
static void part_from_silent(batch *b)
{
    for (size_t n = 0; n < b->quorum.count; n++) {
        redis_call *call = &b->releases[0].calls[n];
        if (b->quorum.count == 1 && b->count == 1 && call->node != NULL) {
            redis_request request = call->request;
            redis_error why = call->error;
            redis_node_part(b->quorum.nodes[n], &request, platform_now());
            call->error = why;
        }
    }
    for (size_t i = 0; i < b->count * b->quorum.count && b->quorum.count > 1; i++) {
        redis_call_disown(&b->calls[i], true);
    }
}

typedef struct counts {
    size_t ones, zeros, open;
} counts;

static counts count_answers(const redis_call *calls, size_t nodes)
{
    counts sum = {0};

    for (size_t n = 0; n < nodes; n++) {
        bool good = calls[n].answered && calls[n].error.kind == REDIS_FINE && is_number(calls[n].reply);
        sum.ones += good && calls[n].reply->integer == 1;
        sum.zeros += good && calls[n].reply->integer != 1;
        sum.open += calls[n].node != NULL;
    }
    return sum;
}

/* Until when to wait for the answers that are still of interest; 0 when there are none. */
static int64_t batch_patience(const batch *b, int64_t until)
{
    size_t majority = redis_quorum_majority(&b->quorum), nodes = b->quorum.count;
    bool open[REDIS_MAX_NODES] = {false}, any = false, enough = true;

    for (size_t i = 0; i < b->count; i++) {
        const redis_call *calls = b->releases[i].calls;
        counts sum = count_answers(calls, nodes);
        if (sum.open == 0 || sum.ones >= majority || sum.zeros > nodes - majority) {
            continue;
        }
        any = true;
        enough &= sum.ones + sum.zeros >= majority;
        for (size_t n = 0; n < nodes; n++) {
            open[n] |= calls[n].node != NULL;
        }
    }
    return any ? redis_quorum_patience(&b->quorum, open, enough, b->sent, until) : 0;
}

static void batch_wait(batch *b, int64_t until)
{
    redis_woken woken = REDIS_WOKEN;
    int64_t limit;

    while (woken == REDIS_WOKEN && (limit = batch_patience(b, until)) > 0) {
        woken = redis_wait(b->quorum.nodes, b->quorum.count, limit, NULL);
    }
    for (size_t i = 0; i < b->count * b->quorum.count; i++) {
        if (b->calls[i].node != NULL) {
            redis_call_give_up(&b->calls[i], woken);
        }
    }
    part_from_silent(b);
}

/* What the nodes said of one lock. The error, if any, is left in the item. */
static lock_outcome tally(batch *b, size_t i)
{
    redis_call *calls = b->releases[i].calls;
    size_t majority = redis_quorum_majority(&b->quorum);
    counts sum = count_answers(calls, b->quorum.count);

    for (size_t n = b->quorum.count; n-- > 0;) {
        if (calls[n].error.kind == REDIS_FINE && !is_number(calls[n].reply)) {
            calls[n].error = REDIS_WRONG_REPLY;
            redis_node_break(b->quorum.nodes[n], REDIS_LOST, "another reply was malformed");
        }
    }
    redis_quorum_error(&b->quorum, calls, &b->items[i].error);
    if (sum.ones >= majority) {
        return LOCK_YES;
    }
    if (sum.zeros > b->quorum.count - majority) {
        return b->repeated && b->releases[i].was_ours ? LOCK_YES : LOCK_NO;
    }
    return LOCK_FAILED;
}

/* Takes the outcomes. True when some are open that may be asked for again: their connection broke. */
static bool batch_tally(batch *b)
{
    bool again = false;

    for (size_t i = 0; i < b->count; i++) {
        release *r = &b->releases[i];
        if (!r->open) {
            continue;
        }
        b->items[i].outcome = tally(b, i);
        r->open = b->items[i].outcome == LOCK_FAILED && redis_error_is_worth_repeating(&b->items[i].error, b->repeated);
        again |= r->open;
        b->client->stats->released += b->items[i].outcome == LOCK_YES;
        b->client->stats->lost += b->items[i].outcome == LOCK_NO;
    }
    return again;
}

void lock_release_all(const lock_client *client, lock_release_item *items, size_t count, int64_t budget)
{
    int64_t now = platform_now(), until = platform_after(now, budget);
    batch b;

    batch_open(&b, client, items, count, now);
    for (;; now = platform_now()) {
        batch_send(&b, now, platform_earlier(until, platform_after(now, client->connect_timeout)));
        batch_wait(&b, budget > 0 ? platform_after(until, LOCK_LAST_WORD) : until);
        if (!batch_tally(&b) || platform_now() >= until) {
            break;
        }
        b.repeated = true;
        redis_wait(NULL, 0, platform_earlier(until, now + REDIS_REPEAT_PAUSE), NULL);
    }
    batch_close(&b);
}

/* ---- the rest ---- */

lock_outcome lock_extend(const lock_client *client, redis_bytes name, lock_lease *lease, int64_t lasts,
                         redis_error *error)
{
    inquiry q;
    lock_outcome outcome;
    lock_lease old = *lease;
    int64_t sent = platform_now();
    lock_lease wanted = {.sent = sent, .lasts = lasts};

    inquiry_open(&q, client, name, &redis_script_extend, lock_budget(client));
    redis_request_add(&q.request, (redis_bytes){lease->token, lease->token_len});
    redis_request_add_number(&q.request, redis_span_ms(lasts), q.digits);
    if (lock_lease_left(&wanted, sent) < lock_lease_left(&old, sent)) {
        lease->sent = sent;
        lease->lasts = lasts;
    }
    outcome = inquiry_vote(&q, true, error);
    if (outcome == LOCK_YES) {
        lease->sent = sent;
        lease->lasts = lasts;
    }
    client->stats->lost += outcome == LOCK_NO;
    inquiry_close(&q);
    return outcome;
}

/* PTTL's answer as a span: -1 is without end. */
static int64_t span_of_ttl(long long ttl)
{
    return ttl < 0 ? PLATFORM_NEVER : lock_span_of_ms(ttl);
}

/* What a node says of the holder: {token or nil, ms, fence or nil}. */
typedef struct holding {
    redis_bytes token; /* .at is NULL: nobody holds it there */
    int64_t left;      /* of the lease, µs */
    int64_t fence;
} holding;

static bool read_holding(const redisReply *reply, holding *out)
{
    if (reply->type != REDIS_REPLY_ARRAY || reply->elements != 3) {
        return false;
    }
    const redisReply *token = reply->element[0], *ttl = reply->element[1], *fence = reply->element[2];
    *out = (holding){0};
    if (token->type == REDIS_REPLY_NIL) {
        return true;
    }
    if (token->type != REDIS_REPLY_STRING || ttl->type != REDIS_REPLY_INTEGER) {
        return false;
    }
    out->token = (redis_bytes){token->str, (size_t)token->len};
    out->left = span_of_ttl(ttl->integer);
    out->fence = fence->type == REDIS_REPLY_STRING ? strtoll(fence->str, NULL, 10) : 0;
    return true;
}

static bool holding_of(const redis_call *call, holding *out)
{
    return call->answered && call->error.kind == REDIS_FINE && read_holding(call->reply, out);
}

/* Puts together who holds the lock by what a majority says: LOCK_YES and `out`; LOCK_NO: nobody does; LOCK_FAILED: those
 * who did not answer make the difference. The lease is what a majority will still keep it for. */
static lock_outcome agree(const redis_quorum *quorum, holding *out)
{
    size_t majority = redis_quorum_majority(quorum), good = 0, most = 0;
    holding one, other;

    for (size_t i = 0; i < quorum->count; i++) {
        if (!holding_of(&quorum->calls[i], &one)) {
            continue;
        }
        good++;
        size_t same = 0, longer = 0;
        int64_t fence = 0;
        for (size_t j = 0; one.token.at != NULL && j < quorum->count; j++) {
            if (holding_of(&quorum->calls[j], &other) && other.token.at != NULL && other.token.len == one.token.len &&
                memcmp(other.token.at, one.token.at, one.token.len) == 0) {
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
    return most + quorum->count - good < majority ? LOCK_NO : LOCK_FAILED;
}

static bool is_holding(const redisReply *reply)
{
    holding unused;

    return read_holding(reply, &unused);
}

static bool is_agreed(const redis_quorum *quorum, const void *arg)
{
    holding unused;

    (void)arg;
    return agree(quorum, &unused) != LOCK_FAILED ||
           count_good(quorum, is_holding) + count_open(quorum) < redis_quorum_majority(quorum);
}

/* What is told of a fence must be known to the next holder; it may be that of a node which nobody has heard so far. See
 * lock_try.c. */
static lock_outcome write_fence_back(inquiry *q, lock_lease *holder, redis_error *error)
{
    q->request = (redis_request){.script = &redis_script_raise_fence};
    lock_keys_add(&q->request, &q->keys, true);
    redis_request_add(&q->request, (redis_bytes){holder->token, holder->token_len});
    redis_request_add_number(&q->request, holder->fence, q->digits);
    lock_outcome outcome = inquiry_vote(q, true, error);
    if (outcome != LOCK_YES) {
        lock_lease_free(holder);
    }
    return outcome;
}

lock_outcome lock_holder(const lock_client *client, redis_bytes name, lock_lease *holder, redis_error *error)
{
    inquiry q;
    lock_outcome outcome;
    int64_t sent = platform_now();
    holding found = {0};

    inquiry_open(&q, client, name, &redis_script_owner, lock_budget(client));
    if (client->fencing) {
        redis_request_add(&q.request, q.keys.fence);
        q.request.keys++;
    }
    outcome = inquiry_ask(&q, &(inquiry_wants){is_holding, is_agreed}, true, error);
    if (outcome == LOCK_YES) {
        redis_quorum_error(&q.quorum, q.quorum.calls, error);
        outcome = agree(&q.quorum, &found);
    }
    if (outcome == LOCK_YES) {
        lease_fill(holder, found.token, sent, found.left, found.fence);
        outcome = client->fencing && client->count > 1 ? write_fence_back(&q, holder, error) : LOCK_YES;
    }
    inquiry_close(&q);
    return outcome;
}

lock_outcome lock_waiters(const lock_client *client, redis_bytes name, int64_t *waiters, redis_error *error)
{
    inquiry q;
    lock_outcome outcome;

    inquiry_open(&q, client, name, &redis_script_waiters, lock_budget(client));
    outcome = inquiry_ask(&q, &(inquiry_wants){is_number, NULL}, true, error);
    *waiters = 0;
    for (size_t i = 0; outcome == LOCK_YES && i < q.quorum.count; i++) {
        const redis_call *call = &q.quorum.calls[i];
        if (call->answered && call->error.kind == REDIS_FINE) {
            *waiters = platform_later(*waiters, call->reply->integer); /* of several nodes, they wait at one */
        }
    }
    inquiry_close(&q);
    return outcome;
}

lock_outcome lock_force(const lock_client *client, redis_bytes name, redis_error *error)
{
    inquiry q;
    lock_outcome outcome;

    inquiry_open(&q, client, name, &redis_script_force, lock_budget(client));
    inquiry_add_baton(&q);
    /* Never repeated: the second time, or late, it might hit the next holder. */
    q.request.brings = client->count > 1;
    outcome = inquiry_vote(&q, false, error);
    inquiry_close(&q);
    return outcome;
}

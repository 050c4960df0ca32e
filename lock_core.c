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

#define REPEAT_PAUSE (20 * PLATFORM_MSEC)

/* Spans go over the wire as whole milliseconds, rounded up; 0 is without end. */
static int64_t lease_ms(int64_t lasts)
{
    return lasts == PLATFORM_NEVER ? 0 : (lasts + PLATFORM_MSEC - 1) / PLATFORM_MSEC;
}

int64_t lock_budget(const lock_client *client)
{
    return client->connect_timeout > client->read_timeout ? client->connect_timeout : client->read_timeout;
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
    char digits[LOCK_DIGITS];
    redis_quorum quorum; /* the last: see lock_attempt */
} inquiry;

static void inquiry_open(inquiry *q, const lock_client *client, redis_bytes name, const redis_script *script,
                         int64_t budget)
{
    memset(q, 0, offsetof(inquiry, quorum));
    q->client = client;
    lock_keys_init(&q->keys, client->prefix, name);
    redis_quorum_open(&q->quorum, client->pool, client->endpoints, client->count);
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

/* Is there still time to ask again after this error? Only a connection that broke can be mended in time. */
static bool worth_repeating(inquiry *q, const redis_error *error)
{
    bool lost = error->kind == REDIS_LOST || (q->repeated && error->kind == REDIS_UNREACHABLE);

    return lost && platform_now() < q->until;
}

/* All numbers that our scripts answer with are counts, or yes and no. */
static bool is_answer(const redisReply *reply, int type)
{
    return reply->type == type && (type != REDIS_REPLY_INTEGER || reply->integer >= 0);
}

/* Asks, again after a lost reply where the question may be put twice. The hook does not end it: what it asks for is
 * short, and half done it would leave the caller with an unknown outcome. Returns LOCK_YES when a majority answered
 * with a reply of `type` (in quorum.calls), or LOCK_FAILED. */
static lock_outcome inquiry_ask(inquiry *q, int type, bool repeatable, redis_error *error)
{
    redis_quorum *quorum = &q->quorum;

    for (;;) {
        size_t good = 0;
        redis_quorum_ask(quorum, &q->request,
                         platform_earlier(q->until, platform_after(platform_now(), q->client->connect_timeout)),
                         platform_after(q->until, LOCK_LAST_WORD), NULL);
        for (size_t i = 0; i < quorum->count; i++) {
            redis_call *call = &quorum->calls[i];
            if (call->error.kind == REDIS_FINE && !is_answer(call->reply, type)) {
                call->error = (redis_error){REDIS_MALFORMED, "", "the reply is not one to this request"};
            }
            if (call->error.kind == REDIS_FINE) {
                good++;
            } else {
                *error = call->error;
            }
        }
        if (good >= redis_quorum_majority(quorum)) {
            return LOCK_YES;
        }
        redis_error why = *error;
        if (why.kind != REDIS_ERROR_REPLY) {
            redis_quorum_part(quorum, NULL, 0);
        }
        if (!repeatable || !worth_repeating(q, &why)) {
            return LOCK_FAILED;
        }
        if (q->repeated) {
            redis_wait(NULL, 0, platform_earlier(q->until, platform_now() + REPEAT_PAUSE), NULL);
        }
        q->repeated = true;
    }
}

/* The answer of a node that gave one; there is one when the question was answered. */
static redis_call *first_answered(redis_quorum *quorum)
{
    size_t i = 0;

    while (quorum->calls[i].error.kind != REDIS_FINE) {
        i++;
    }
    return &quorum->calls[i];
}

/* The same, where every answer is a number and a majority of ones is a yes. */
static lock_outcome inquiry_vote(inquiry *q, bool repeatable, redis_error *error)
{
    size_t ones = 0;

    if (inquiry_ask(q, REDIS_REPLY_INTEGER, repeatable, error) != LOCK_YES) {
        return LOCK_FAILED;
    }
    for (size_t i = 0; i < q->quorum.count; i++) {
        const redis_call *call = &q->quorum.calls[i];
        ones += call->error.kind == REDIS_FINE && call->reply->integer == 1;
    }
    return ones >= redis_quorum_majority(&q->quorum) ? LOCK_YES : LOCK_NO;
}

/* ---- acquire ---- */

static void attempt_open(lock_attempt *attempt, const lock_client *client, redis_bytes name, const redis_bytes *token,
                         int64_t start, int64_t timeout)
{
    memset(attempt, 0, offsetof(lock_attempt, quorum));
    attempt->client = client;
    lock_keys_init(&attempt->keys, client->prefix, name);
    redis_quorum_open(&attempt->quorum, client->pool, client->endpoints, client->count);
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

/* The first try: again when a reply was lost, as long as there is time. When that does not help, the first error tells
 * most: the later ones are of a server that has gone. */
static lock_verdict first_try(lock_attempt *attempt, int64_t until)
{
    const lock_client *client = attempt->client;
    int64_t pause = REPEAT_PAUSE;
    redis_error first = {0};

    for (;;) {
        int64_t now = platform_now();
        int64_t answer_by = platform_earlier(until, platform_after(now, lock_budget(client)));
        lock_verdict verdict = lock_try(attempt, platform_earlier(until, platform_after(now, client->connect_timeout)),
                                        platform_after(answer_by, LOCK_LAST_WORD));
        bool again =
            attempt->error.kind == REDIS_LOST || (first.kind == REDIS_LOST && attempt->error.kind == REDIS_UNREACHABLE);
        if (verdict != LOCK_UNKNOWN) {
            return verdict;
        }
        if (first.kind == REDIS_FINE) {
            first = attempt->error;
        } else if (again) {
            attempt->error = first;
        }
        now = platform_now();
        if (!again || now >= until) {
            return verdict;
        }
        if (redis_wait(NULL, 0, platform_earlier(until, now + pause), &client->hook) == REDIS_HOOK_SAYS) {
            attempt->error = (redis_error){REDIS_INTERRUPTED, "", "interrupted"};
            return LOCK_UNKNOWN;
        }
        pause *= 2;
    }
}

/* Gives back what was taken too late to be of use. */
static void give_back(lock_attempt *attempt)
{
    redis_request undo;

    lock_try_leave(attempt, &undo);
    /* The token is in Redis because we put it there just now, whoever made it. */
    undo.argv[undo.keys] = attempt->token;
    redis_quorum_ask(&attempt->quorum, &undo, platform_now(), platform_now() + LOCK_LAST_WORD, NULL);
    redis_quorum_part(&attempt->quorum, NULL, 0);
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
    int64_t start = platform_now();
    int64_t until = platform_after(start, timeout > 0 ? timeout : lock_budget(client));

    attempt_open(&attempt, client, name, token, start, timeout);
    attempt.lease_ms = lease_ms(lasts);
    attempt.over_at = platform_after(until, LOCK_OVERTIME);
    do {
        lock_verdict verdict = first_try(&attempt, until);
        if (verdict == LOCK_HELD && attempt.waits) {
            verdict = lock_wait(&attempt);
            contended = true;
        }
        contended |= verdict == LOCK_HELD || verdict == LOCK_FULL;
        outcome = outcome_of(verdict, &attempt.error);
        if (outcome == LOCK_YES) {
            lease_fill(lease, attempt.token, attempt.sent, lasts, attempt.fence);
            if (lock_lease_left(lease, platform_now()) == 0) {
                lock_lease_free(lease);
                give_back(&attempt);
                outcome = LOCK_LATE;
            }
        }
    } while (outcome == LOCK_LATE && attempt.waits && platform_now() < until);
    *error = attempt.error;
    count_acquire(client->stats, outcome, contended, attempt.waits ? platform_now() - start : 0);
    redis_quorum_close(&attempt.quorum);
    lock_keys_free(&attempt.keys);
    return outcome;
}

/* ---- release ---- */

lock_outcome lock_release(const lock_client *client, redis_bytes name, const lock_lease *lease, int64_t budget,
                          redis_error *error)
{
    lock_release_item item = {.name = name, .lease = lease};

    lock_release_all(client, &item, 1, budget);
    *error = item.error;
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
    redis_quorum quorum; /* its nodes; its own calls are not used. The last: see lock_attempt */
} batch;

static void batch_open(batch *b, const lock_client *client, lock_release_item *items, size_t count)
{
    int64_t now = platform_now();

    memset(b, 0, offsetof(batch, quorum));
    b->client = client;
    b->items = items;
    b->count = count;
    b->releases = platform_zalloc(count * sizeof(*b->releases));
    b->calls = platform_zalloc(count * client->count * sizeof(*b->calls));
    redis_quorum_open(&b->quorum, client->pool, client->endpoints, client->count);
    for (size_t i = 0; i < count; i++) {
        release *r = &b->releases[i];
        lock_keys_init(&r->keys, client->prefix, items[i].name);
        lock_random_baton(r->baton);
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
    free(b->releases);
    free(b->calls);
}

static void release_request(const release *r, const lock_lease *lease, redis_request *request)
{
    memset(request, 0, sizeof(*request));
    request->script = &redis_script_release;
    lock_keys_add(request, &r->keys, false);
    redis_request_add(request, (redis_bytes){lease->token, lease->token_len});
    redis_request_add(request, (redis_bytes){r->baton, LOCK_BATON_LEN});
    redis_request_add(request, REDIS_LITERAL(""));
    redis_request_add(request, REDIS_LITERAL(""));
}

/* Where there are several, the first brings the script with it: so a server that does not know it yet knows it for
 * the others, and one round trip is enough. */
static void batch_send(batch *b, int64_t connect_by)
{
    for (size_t n = 0; n < b->quorum.count; n++) {
        bool whole = b->count > 1;
        for (size_t i = 0; i < b->count; i++) {
            release *r = &b->releases[i];
            if (r->open) {
                redis_call_reset(&r->calls[n]);
                release_request(r, b->items[i].lease, &r->calls[n].request);
                r->calls[n].whole = whole;
                redis_node_submit(b->quorum.nodes[n], &r->calls[n], connect_by);
                whole = false;
            }
        }
    }
}

/* A server that stands still releases when it goes on, also if it does not know the script: then nobody is left to
 * send it. With several, the first has brought it. */
static void part_from_silent(batch *b)
{
    for (size_t n = 0; n < b->quorum.count && b->count == 1; n++) {
        redis_call *call = &b->releases[0].calls[n];
        if (call->node != NULL) {
            redis_request request = call->request;
            redis_error why = call->error;
            redis_node_part(b->quorum.nodes[n], &request, platform_now());
            call->error = why;
        }
    }
}

static void batch_wait(batch *b, int64_t until)
{
    size_t answered = 0, all = b->count * b->quorum.count;
    redis_woken woken = REDIS_WOKEN;

    while (woken == REDIS_WOKEN) {
        while (answered < all && (b->calls[answered].answered || b->calls[answered].node == NULL)) {
            answered++;
        }
        if (answered == all) {
            return;
        }
        woken = redis_wait(b->quorum.nodes, b->quorum.count, until, NULL);
    }
    for (size_t i = answered; i < all; i++) {
        if (b->calls[i].node != NULL) {
            redis_call_give_up(&b->calls[i], woken);
        }
    }
    part_from_silent(b);
}

/* What the nodes said of one lock. The error, if any, is left in the item. */
static lock_outcome tally(batch *b, size_t i)
{
    size_t ones = 0, zeros = 0;

    for (size_t n = 0; n < b->quorum.count; n++) {
        redis_call *call = &b->releases[i].calls[n];
        if (call->error.kind == REDIS_FINE && !is_answer(call->reply, REDIS_REPLY_INTEGER)) {
            call->error = (redis_error){REDIS_MALFORMED, "", "the reply is not one to this request"};
            redis_node_break(b->quorum.nodes[n], REDIS_LOST, "another reply was malformed");
        }
        if (call->error.kind != REDIS_FINE) {
            b->items[i].error = call->error;
        } else if (call->reply->integer == 1) {
            ones++;
        } else {
            zeros++;
        }
    }
    if (ones >= redis_quorum_majority(&b->quorum)) {
        return LOCK_YES;
    }
    if (zeros > b->quorum.count - redis_quorum_majority(&b->quorum)) {
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
        redis_failure kind = b->items[i].error.kind;
        r->open =
            b->items[i].outcome == LOCK_FAILED && (kind == REDIS_LOST || (b->repeated && kind == REDIS_UNREACHABLE));
        again |= r->open;
        b->client->stats->released += b->items[i].outcome == LOCK_YES;
        b->client->stats->lost += b->items[i].outcome == LOCK_NO;
    }
    return again;
}

void lock_release_all(const lock_client *client, lock_release_item *items, size_t count, int64_t budget)
{
    int64_t until = platform_after(platform_now(), budget);
    batch b;

    batch_open(&b, client, items, count);
    for (;;) {
        int64_t now = platform_now();
        batch_send(&b, platform_earlier(until, platform_after(now, client->connect_timeout)));
        batch_wait(&b, budget > 0 ? platform_after(until, LOCK_LAST_WORD) : until);
        if (!batch_tally(&b) || platform_now() >= until) {
            break;
        }
        b.repeated = true;
        redis_wait(NULL, 0, platform_earlier(until, now + REPEAT_PAUSE), NULL);
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
    redis_request_add_number(&q.request, lease_ms(lasts), q.digits);
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

/* {token or nil, ms, fence or nil}. */
static lock_outcome read_holder(const redisReply *reply, int64_t sent, lock_lease *holder, redis_error *error)
{
    const redisReply *token, *ttl, *fence;

    if (reply->elements == 3) {
        token = reply->element[0];
        ttl = reply->element[1];
        fence = reply->element[2];
        if (token->type == REDIS_REPLY_NIL) {
            return LOCK_NO;
        }
        if (token->type == REDIS_REPLY_STRING && ttl->type == REDIS_REPLY_INTEGER) {
            int64_t number = fence->type == REDIS_REPLY_STRING ? strtoll(fence->str, NULL, 10) : 0;
            lease_fill(holder, (redis_bytes){token->str, (size_t)token->len}, sent, span_of_ttl(ttl->integer), number);
            return LOCK_YES;
        }
    }
    *error = (redis_error){REDIS_MALFORMED, "", "the reply is not one to this request"};
    return LOCK_FAILED;
}

lock_outcome lock_holder(const lock_client *client, redis_bytes name, lock_lease *holder, redis_error *error)
{
    inquiry q;
    lock_outcome outcome;
    int64_t sent = platform_now();

    inquiry_open(&q, client, name, &redis_script_owner, lock_budget(client));
    if (client->fencing) {
        redis_request_add(&q.request, q.keys.fence);
        q.request.keys++;
    }
    outcome = inquiry_ask(&q, REDIS_REPLY_ARRAY, true, error);
    if (outcome == LOCK_YES) {
        redis_call *call = first_answered(&q.quorum);
        outcome = read_holder(call->reply, sent, holder, error);
        if (outcome == LOCK_FAILED) {
            call->error = *error;
            redis_quorum_part(&q.quorum, NULL, 0);
        }
    }
    inquiry_close(&q);
    return outcome;
}

lock_outcome lock_waiters(const lock_client *client, redis_bytes name, int64_t *waiters, redis_error *error)
{
    inquiry q;
    lock_outcome outcome;

    inquiry_open(&q, client, name, &redis_script_waiters, lock_budget(client));
    outcome = inquiry_ask(&q, REDIS_REPLY_INTEGER, true, error);
    if (outcome == LOCK_YES) {
        *waiters = first_answered(&q.quorum)->reply->integer;
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
    /* Never repeated: the second time it might hit the next holder. */
    outcome = inquiry_vote(&q, false, error);
    inquiry_close(&q);
    return outcome;
}

/* SPDX-License-Identifier: MIT
 *
 * lock/release: locks are released, many of them in one round trip; what fails is left to the backlog. See lock_core.h.
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "lock/names.h"
#include "lock/try.h"
#include "lock_core.h"
#include "platform.h"
#include "redis/quorum.h"
#include "redis/scripts.h"

/* Many releases in one round trip: on each node they queue in one pipeline. */
typedef struct release {
    lock_keys keys;
    redis_bytes note;  /* .at is NULL: there is none, as far as we know */
    char *note_memory; /* where its key stands */
    char baton[LOCK_BATON_LEN];
    bool repeats;      /* a release of this lease has failed before */
    bool was_ours;     /* by the clock, when the first one was asked for */
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

/* Also the note that an extension may have left goes with the lock. */
static void release_init(release *r, const lock_client *client, redis_bytes name, const lock_lease *lease)
{
    lock_keys_init(&r->keys, client->prefix, name);
    lock_baton_of(r->baton, (redis_bytes){lease->token, lease->token_len});
    r->note = (redis_bytes){0};
    r->note_memory = NULL;
    if (lock_extension_is_doubted(client)) {
        r->note = lock_note_key(r->keys.lock, &r->note_memory);
    }
}

static void release_free(release *r)
{
    lock_keys_free(&r->keys);
    free(r->note_memory);
}

/* Did the lease run then, whatever was asked for since? */
static bool ran_at(const lock_lease *lease, int64_t when)
{
    lock_lease unasked = *lease;

    unasked.released = 0;
    return lock_lease_left(&unasked, when) > 0;
}

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
        lock_lease *lease = items[i].lease;
        release_init(r, client, items[i].name, lease);
        r->repeats = lease->released != 0 && !(lease->unasked && ran_at(lease, now));
        lease->released = lease->released != 0 ? lease->released : now;
        lease->unasked = false;
        r->was_ours = ran_at(lease, lease->released);
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
        release_free(&b->releases[i]);
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
    if (r->note.at != NULL) {
        redis_request_add(request, r->note);
        request->keys++;
    }
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
        bool good = calls[n].answered && calls[n].error.kind == REDIS_FINE && redis_reply_is_count(calls[n].reply);
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
        if (calls[n].error.kind == REDIS_FINE && !redis_reply_is_count(calls[n].reply)) {
            calls[n].error = REDIS_WRONG_REPLY;
            redis_node_break(b->quorum.nodes[n], REDIS_LOST, "another reply was malformed");
        }
    }
    redis_quorum_error(&b->quorum, calls, &b->items[i].error);
    if (sum.ones >= majority) {
        return LOCK_YES;
    }
    if (sum.zeros > b->quorum.count - majority) {
        return (b->repeated || b->releases[i].repeats) && b->releases[i].was_ours ? LOCK_YES : LOCK_NO;
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
        if (b->items[i].outcome != LOCK_FAILED) {
            b->items[i].lease->lasts = b->items[i].lease->released = 0; /* it is known to be over */
        }
        b->client->stats->released += b->items[i].outcome == LOCK_YES;
        b->client->stats->lost += b->items[i].outcome == LOCK_NO;
    }
    return again;
}

/* ---- releases that are sent again ---- */

/* This call does what the backlog would. What was refused so far, not even sent, or found no lock, is asked for the first
 * time now, so that a lock that is gone was lost; unless its lease has ended meanwhile, which it does by itself. */
static void take_from_backlog(batch *b, int64_t now)
{
    redis_backlog *backlog = b->client->pool->backlog;

    for (size_t i = 0; i < b->count && backlog != NULL && backlog->count > 0; i++) {
        redis_request request;
        size_t undone = 0;
        release_request(&b->releases[i], b->items[i].lease, &request);
        for (size_t n = 0; n < b->quorum.count; n++) {
            undone += redis_backlog_remove(backlog, &b->client->endpoints[n], &request);
        }
        b->releases[i].repeats &= undone < b->quorum.count || !ran_at(b->items[i].lease, now);
    }
}

static void put_into_backlog(const lock_client *client, const release *r, const lock_lease *lease, size_t node,
                             const redis_error *why)
{
    int64_t now = platform_now();
    redis_request request;

    if (client->pool->backlog != NULL) {
        release_request(r, lease, &request);
        redis_backlog_add(client->pool->backlog, &client->endpoints[node], &request, why,
                          platform_after(now, lock_lease_stays(lease, now)));
    }
}

/* Leaves what has failed to the backlog, for every node that did not answer. */
static void note_failures(const batch *b)
{
    for (size_t i = 0; i < b->count; i++) {
        if (b->items[i].outcome != LOCK_FAILED) {
            continue;
        }
        b->client->stats->unreleased++;
        for (size_t n = 0; n < b->quorum.count; n++) {
            if (redis_error_leaves_open(&b->releases[i].calls[n].error)) {
                put_into_backlog(b->client, &b->releases[i], b->items[i].lease, n, &b->releases[i].calls[n].error);
            }
        }
    }
}

void lock_release_unasked(lock_lease *lease)
{
    if (lease->released == 0) {
        lease->released = platform_now();
        lease->unasked = true;
    }
}

void lock_release_later(const lock_client *client, redis_bytes name, lock_lease *lease)
{
    release r;

    release_init(&r, client, name, lease);
    lease->released = lease->released != 0 ? lease->released : platform_now();
    for (size_t n = 0; n < client->count; n++) {
        put_into_backlog(client, &r, lease, n, &(redis_error){REDIS_LOST, "", ""});
    }
    release_free(&r);
}

void lock_release_all(const lock_client *client, lock_release_item *items, size_t count, int64_t budget)
{
    int64_t now = platform_now(), until = platform_after(now, budget);
    batch b;

    batch_open(&b, client, items, count, now);
    take_from_backlog(&b, now);
    for (;; now = platform_now()) {
        batch_send(&b, now, platform_earlier(until, platform_after(now, client->connect_timeout)));
        batch_wait(&b, budget > 0 ? platform_after(until, LOCK_LAST_WORD) : until);
        if (!batch_tally(&b) || platform_now() >= until) {
            break;
        }
        b.repeated = true;
        redis_wait(NULL, 0, platform_earlier(until, now + REDIS_REPEAT_PAUSE), NULL);
    }
    note_failures(&b);
    batch_close(&b);
}

lock_outcome lock_release(const lock_client *client, redis_bytes name, lock_lease *lease, int64_t budget,
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

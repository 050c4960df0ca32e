/* SPDX-License-Identifier: MIT
 *
 * lock/release: releases locks, many of them in one round trip; leaves failed releases to the backlog. See lock_core.h.
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "lock/keys.h"
#include "lock/attempt.h"
#include "lock_core.h"
#include "platform.h"
#include "redis/quorum.h"
#include "redis/scripts.h"

/* One lock of a release_op. */
typedef struct release_entry {
    lock_keys keys;
    rl_bytes note;     /* key of the note of extensions; .at is NULL: as far as we know, there is no note */
    char *note_memory; /* storage of `note` */
    char baton[LOCK_BATON_LEN];
    bool repeats;   /* an earlier release of this lease has failed */
    bool was_ours;  /* by our clock the lease still ran when its first release was requested */
    bool open;      /* no outcome yet */
    rl_call *calls; /* one per node */
} release_entry;

/* Releases of many locks in one round trip: on each node they queue in one pipeline. */
typedef struct release_op {
    const lock_client *client;
    release_entry *entries; /* one per item */
    rl_call *calls;         /* of all entries, on all nodes */
    lock_release_item *items;
    size_t count;  /* of items */
    bool repeated; /* the open releases were sent before, and their connection broke */
    int64_t sent;  /* when the open releases were last sent */

    /* The fields from here on are not zeroed at the start: they are large, and set before they are used. */
    release_entry single; /* the entry of a single item, whose calls stand in `quorum` */
    rl_quorum quorum;
} release_op;

/* Builds the keys and the baton. The note that an extension may have left is to go with the lock, so its key is built
 * too while an extension is in doubt. Freed by release_entry_free(). */
static void release_entry_init(release_entry *r, const lock_client *client, rl_bytes name, const lock_lease *lease)
{
    lock_keys_init(&r->keys, client->prefix, name);
    lock_baton_of(r->baton, (rl_bytes){lease->token, lease->token_len});
    r->note = (rl_bytes){0};
    r->note_memory = NULL;
    if (lock_extension_is_doubted(client)) {
        r->note = lock_note_key(r->keys.lock, &r->note_memory);
    }
}

static void release_entry_free(release_entry *r)
{
    lock_keys_free(&r->keys);
    free(r->note_memory);
}

/* Returns whether the lease ran at `when`, even if its release was requested since. */
static bool lease_ran_at(const lock_lease *lease, int64_t when)
{
    lock_lease release_unsent = *lease;

    release_unsent.release_requested_at = 0;
    return lock_lease_validity(&release_unsent, when) > 0;
}

/* Takes the connections and sets up an entry for each lock; release_op_close() undoes both. Ends the leases for their
 * owner, and notes whether this is the first release of each and whether its lease ran then. */
static void release_op_open(release_op *op, const lock_client *client, lock_release_item *items, size_t count,
                            int64_t now)
{
    memset(op, 0, offsetof(release_op, single));
    op->client = client;
    op->items = items;
    op->count = count;
    rl_quorum_open(&op->quorum, client->pool, client->endpoints, client->count, client->node_timeout);
    op->entries = count == 1 ? &op->single : platform_zalloc(count * sizeof(*op->entries));
    op->calls = count == 1 ? op->quorum.calls : platform_zalloc(count * client->count * sizeof(*op->calls));
    for (size_t i = 0; i < count; i++) {
        release_entry *r = &op->entries[i];
        lock_lease *lease = items[i].lease;
        release_entry_init(r, client, items[i].name, lease);
        r->repeats = lease->release_requested_at != 0 && !(lease->release_unsent && lease_ran_at(lease, now));
        lease->release_requested_at = lease->release_requested_at != 0 ? lease->release_requested_at : now;
        lease->release_unsent = false;
        r->was_ours = lease_ran_at(lease, lease->release_requested_at);
        r->open = true;
        r->calls = op->calls + i * client->count;
    }
}

static void release_op_close(release_op *op)
{
    for (size_t i = 0; i < op->count * op->quorum.count; i++) {
        rl_call_reset(&op->calls[i]);
    }
    for (size_t i = 0; i < op->count; i++) {
        release_entry_free(&op->entries[i]);
    }
    rl_quorum_close(&op->quorum);
    if (op->count > 1) {
        free(op->entries);
        free(op->calls);
    }
}

static void release_entry_request(const release_entry *r, const lock_lease *lease, rl_request *request)
{
    rl_request_begin(request, &rl_script_release);
    lock_keys_add(request, &r->keys, false);
    if (r->note.at != NULL) {
        rl_request_add(request, r->note);
        request->keys++;
    }
    rl_request_add(request, (rl_bytes){lease->token, lease->token_len});
    rl_request_add(request, (rl_bytes){r->baton, LOCK_BATON_LEN});
}

/* Sends the open releases to all nodes. Of several releases, the first brings the script with it: a server that does
 * not know it then knows it for the others, and one round trip is enough. The first node, mostly the queue node,
 * comes last: when it wakes a waiter, the releases are already on their way to the other nodes. */
static void release_op_send(release_op *op, int64_t now, int64_t connect_by)
{
    op->sent = now;
    for (size_t n = op->quorum.count; n-- > 0;) {
        bool send_eval = op->count > 1;
        for (size_t i = 0; i < op->count; i++) {
            release_entry *r = &op->entries[i];
            if (r->open) {
                rl_call_reset(&r->calls[n]);
                release_entry_request(r, op->items[i].lease, &r->calls[n].request);
                r->calls[n].request.preload = op->quorum.count > 1;
                r->calls[n].send_eval = send_eval;
                r->calls[n].corked = i + 1 < op->count;
                rl_conn_submit(op->quorum.conns[n], &r->calls[n], connect_by);
                send_eval = false;
            }
        }
    }
}

/* Leaves the releases that have no reply to their servers: one that hangs carries them out when it goes on. On one
 * node, a single release is written again, whole, since nobody is left to send the script after NOSCRIPT; of several
 * locks the first has brought it. Several nodes keep their connections, and the calls are detached. */
static void release_op_leave_silent(release_op *op)
{
    for (size_t n = 0; n < op->quorum.count; n++) {
        rl_call *call = &op->entries[0].calls[n];
        if (op->quorum.count == 1 && op->count == 1 && call->conn != NULL) {
            rl_request request = call->request;
            rl_error why = call->error;
            rl_conn_close_after(op->quorum.conns[n], &request, platform_now());
            call->error = why;
        }
    }
    for (size_t i = 0; i < op->count * op->quorum.count && op->quorum.count > 1; i++) {
        rl_call_detach(&op->calls[i], true);
    }
}

typedef struct answer_counts {
    size_t ones, zeros, open;
} answer_counts;

static answer_counts count_answers(const rl_call *calls, size_t nodes)
{
    answer_counts sum = {0};

    for (size_t n = 0; n < nodes; n++) {
        bool good = calls[n].answered && calls[n].error.kind == RL_OK && rl_reply_is_count(calls[n].reply);
        sum.ones += good && calls[n].reply->integer == 1;
        sum.zeros += good && calls[n].reply->integer != 1;
        sum.open += calls[n].conn != NULL;
    }
    return sum;
}

/* Returns until when to wait for the replies that still matter to an outcome; 0 when there are none. */
static int64_t release_op_reply_deadline(const release_op *op, int64_t until)
{
    size_t majority = rl_quorum_majority(&op->quorum), nodes = op->quorum.count;
    bool open[RL_MAX_NODES] = {false}, any = false, enough = true;

    for (size_t i = 0; i < op->count; i++) {
        const rl_call *calls = op->entries[i].calls;
        answer_counts sum = count_answers(calls, nodes);
        if (sum.open == 0 || sum.ones >= majority || sum.zeros > nodes - majority) {
            continue;
        }
        any = true;
        enough &= sum.ones + sum.zeros >= majority;
        for (size_t n = 0; n < nodes; n++) {
            open[n] |= calls[n].conn != NULL;
        }
    }
    return any ? rl_quorum_reply_deadline(&op->quorum, open, enough, op->sent, until) : 0;
}

/* Waits, until `until` at most, for the replies that still matter. Calls without a reply have an error afterwards,
 * and are left to their servers. */
static void release_op_wait(release_op *op, int64_t until)
{
    rl_wake woken = RL_WAKE_EVENT;
    int64_t limit;

    while (woken == RL_WAKE_EVENT && (limit = release_op_reply_deadline(op, until)) > 0) {
        woken = rl_wait(op->quorum.conns, op->quorum.count, limit, NULL);
    }
    for (size_t i = 0; i < op->count * op->quorum.count; i++) {
        if (op->calls[i].conn != NULL) {
            rl_call_give_up(&op->calls[i], woken);
        }
    }
    release_op_leave_silent(op);
}

/* Returns the outcome of item `i` from the nodes' replies; leaves the error, if any, in the item. A repeat that finds
 * the lock gone counts as done if the lease ran when the release was first requested. */
static lock_outcome release_op_tally_one(release_op *op, size_t i)
{
    rl_call *calls = op->entries[i].calls;
    size_t majority = rl_quorum_majority(&op->quorum);
    answer_counts sum = count_answers(calls, op->quorum.count);

    for (size_t n = op->quorum.count; n-- > 0;) {
        if (calls[n].error.kind == RL_OK && !rl_reply_is_count(calls[n].reply)) {
            calls[n].error = RL_WRONG_REPLY;
            rl_conn_break(op->quorum.conns[n], RL_LOST, "another reply was malformed");
        }
    }
    rl_quorum_error(&op->quorum, calls, &op->items[i].error);
    if (sum.ones >= majority) {
        return LOCK_YES;
    }
    if (sum.zeros > op->quorum.count - majority) {
        return (op->repeated || op->entries[i].repeats) && op->entries[i].was_ours ? LOCK_YES : LOCK_NOT_OWNED;
    }
    return LOCK_FAILED;
}

/* Sets the outcomes of the open releases. Returns whether some of them stay open since they may be sent again: their
 * connection broke. */
static bool release_op_tally(release_op *op)
{
    bool again = false;

    for (size_t i = 0; i < op->count; i++) {
        release_entry *r = &op->entries[i];
        if (!r->open) {
            continue;
        }
        op->items[i].outcome = release_op_tally_one(op, i);
        r->open = op->items[i].outcome == LOCK_FAILED && rl_error_is_retriable(&op->items[i].error, op->repeated);
        again |= r->open;
        if (op->items[i].outcome != LOCK_FAILED) {
            op->items[i].lease->duration = op->items[i].lease->release_requested_at =
                0; /* the lease is known to be over */
        }
        op->client->stats->released += op->items[i].outcome == LOCK_YES;
        op->client->stats->lost += op->items[i].outcome == LOCK_NOT_OWNED;
    }
    return again;
}

/* ---- releases that are sent again ---- */

/* Takes the releases of these leases out of the backlog, since this call sends them. One that has certainly done
 * nothing on any node, because it was refused, not sent, or found no lock, is not counted: this release is then the
 * first, and a lock that it finds gone was lost. Where the lease has ended meanwhile, it is counted, since the lock
 * goes by itself. */
static void release_op_take_from_backlog(release_op *op, int64_t now)
{
    rl_backlog *backlog = op->client->pool->backlog;

    for (size_t i = 0; i < op->count && backlog != NULL && backlog->count > 0; i++) {
        rl_request request;
        size_t undone = 0;
        release_entry_request(&op->entries[i], op->items[i].lease, &request);
        for (size_t n = 0; n < op->quorum.count; n++) {
            undone += rl_backlog_remove(backlog, &op->client->endpoints[n], &request);
        }
        op->entries[i].repeats &= undone < op->quorum.count || !lease_ran_at(op->items[i].lease, now);
    }
}

static void release_entry_put_into_backlog(const lock_client *client, const release_entry *r, const lock_lease *lease,
                                           size_t node, const rl_error *why)
{
    int64_t now = platform_now();
    rl_request request;

    if (client->pool->backlog != NULL) {
        release_entry_request(r, lease, &request);
        rl_backlog_add(client->pool->backlog, &client->endpoints[node], &request, why,
                       platform_after(now, lock_lease_server_remaining(lease, now)));
    }
}

/* Puts the failed releases into the backlog, for every node that did not answer or could not carry them out just
 * then. */
static void release_op_note_failures(const release_op *op)
{
    for (size_t i = 0; i < op->count; i++) {
        if (op->items[i].outcome != LOCK_FAILED) {
            continue;
        }
        op->client->stats->unreleased++;
        for (size_t n = 0; n < op->quorum.count; n++) {
            if (rl_error_leaves_open(&op->entries[i].calls[n].error)) {
                release_entry_put_into_backlog(op->client, &op->entries[i], op->items[i].lease, n,
                                               &op->entries[i].calls[n].error);
            }
        }
    }
}

void lock_release_mark_unsent(lock_lease *lease)
{
    if (lease->release_requested_at == 0) {
        lease->release_requested_at = platform_now();
        lease->release_unsent = true;
    }
}

void lock_release_later(const lock_client *client, rl_bytes name, lock_lease *lease)
{
    release_entry r;

    release_entry_init(&r, client, name, lease);
    lease->release_requested_at = lease->release_requested_at != 0 ? lease->release_requested_at : platform_now();
    for (size_t n = 0; n < client->count; n++) {
        release_entry_put_into_backlog(client, &r, lease, n, &(rl_error){RL_LOST, "", ""});
    }
    release_entry_free(&r);
}

void lock_release_token_later(const lock_client *client, rl_bytes name, rl_bytes token, int64_t duration)
{
    lock_lease lease;

    lock_lease_fill(&lease, token, platform_now(), duration, 0);
    lock_release_later(client, name, &lease);
    lock_lease_free(&lease);
}

/* Takes older releases of these leases out of the backlog before it sends, so that each is sent from one place only.
 * Repeats only after a broken connection; what still fails then is left to the backlog. */
void lock_release_all(const lock_client *client, lock_release_item *items, size_t count, int64_t budget)
{
    int64_t now = platform_now(), until = platform_after(now, budget);
    release_op op;

    release_op_open(&op, client, items, count, now);
    release_op_take_from_backlog(&op, now);
    for (;; now = platform_now()) {
        release_op_send(&op, now, platform_earlier(until, platform_after(now, client->connect_timeout)));
        release_op_wait(&op, budget > 0 ? platform_after(until, LOCK_FINAL_REPLY_GRACE) : until);
        if (!release_op_tally(&op) || platform_now() >= until) {
            break;
        }
        op.repeated = true;
        rl_wait(NULL, 0, platform_earlier(until, now + RL_REPEAT_PAUSE), NULL);
    }
    release_op_note_failures(&op);
    release_op_close(&op);
}

lock_outcome lock_release(const lock_client *client, rl_bytes name, lock_lease *lease, int64_t budget, rl_error *error)
{
    lock_release_item item;

    item.name = name;
    item.lease = lease;
    rl_error_clear(&item.error);
    lock_release_all(client, &item, 1, budget);
    rl_error_clear(error);
    if (item.outcome == LOCK_FAILED) {
        *error = item.error;
    }
    return item.outcome;
}

/* SPDX-License-Identifier: MIT
 *
 * redis/quorum: see redis/quorum.h.
 */
#include "redis/quorum.h"

#include <stdio.h>

#include "platform.h"

void redis_quorum_open(redis_quorum *quorum, redis_pool *pool, const redis_endpoint *endpoints, size_t count,
                       int64_t node_timeout)
{
    quorum->pool = pool;
    quorum->count = count;
    quorum->node_timeout = node_timeout;
    /* No more than is used: there is room for many nodes, and mostly there is one. */
    for (size_t i = 0; i < count; i++) {
        redis_call_init(&quorum->calls[i]);
        quorum->nodes[i] = redis_pool_take(pool, &endpoints[i]);
    }
}

void redis_quorum_prepare(redis_quorum *quorum, const redis_request *request)
{
    for (size_t i = 0; i < quorum->count; i++) {
        redis_call_reset(&quorum->calls[i]);
        quorum->calls[i].request = *request;
    }
}

static size_t count_behind(const redis_quorum *quorum, int64_t since)
{
    size_t behind = 0;

    for (size_t i = 0; i < quorum->count; i++) {
        behind += redis_node_is_behind(quorum->nodes[i], since);
    }
    return behind;
}

void redis_quorum_pass_over_silent(redis_quorum *quorum)
{
    int64_t now = platform_now(), since = now - quorum->node_timeout;

    if (count_behind(quorum, since) > 0) {
        redis_wait(quorum->nodes, quorum->count, now, NULL); /* what has come by now */
    }
    if (quorum->count - count_behind(quorum, since) < redis_quorum_majority(quorum)) {
        return;
    }
    for (size_t i = 0; i < quorum->count; i++) {
        if (redis_node_is_behind(quorum->nodes[i], since)) {
            quorum->calls[i].answered = true;
            quorum->calls[i].error = (redis_error){REDIS_UNREACHABLE, "", "an earlier answer is still owed"};
        }
    }
}

int64_t redis_quorum_patience(const redis_quorum *quorum, const bool *open, bool enough, int64_t sent, int64_t until)
{
    int64_t limit = sent;

    if (quorum->count == 1) {
        return until;
    }
    for (size_t i = 0; i < quorum->count; i++) {
        int64_t since = redis_node_ready_since(quorum->nodes[i]);
        if (open[i] && since == PLATFORM_NEVER && !enough) {
            return until;
        }
        if (open[i]) {
            since = since == PLATFORM_NEVER ? sent : platform_later(since, sent);
            limit = platform_later(limit, platform_after(since, quorum->node_timeout));
        }
    }
    return platform_earlier(limit, until);
}

/* How long to wait now for those that have not answered; 0 when all have. */
static int64_t patience(const redis_quorum *quorum, int64_t sent, int64_t until)
{
    bool open[REDIS_MAX_NODES], any = false;
    size_t good = 0;

    for (size_t i = 0; i < quorum->count; i++) {
        const redis_call *call = &quorum->calls[i];
        open[i] = !call->answered;
        any |= open[i];
        good += call->answered && call->reply != NULL;
    }
    return any ? redis_quorum_patience(quorum, open, good >= redis_quorum_majority(quorum), sent, until) : 0;
}

void redis_quorum_ask(redis_quorum *quorum, int64_t connect_by, int64_t until, const redis_hook *hook,
                      redis_decided decided, const void *arg)
{
    redis_woken woken = REDIS_WOKEN;
    int64_t sent = platform_now(), limit;

    for (size_t i = 0; i < quorum->count; i++) {
        if (!quorum->calls[i].answered) {
            redis_node_submit(quorum->nodes[i], &quorum->calls[i], connect_by);
        }
    }
    while (woken == REDIS_WOKEN && (limit = patience(quorum, sent, until)) > 0 &&
           (decided == NULL || !decided(quorum, arg))) {
        woken = redis_wait(quorum->nodes, quorum->count, limit, hook);
    }
    for (size_t i = 0; i < quorum->count; i++) {
        redis_call_give_up(&quorum->calls[i], woken);
    }
}

void redis_quorum_leave(redis_quorum *quorum, bool must_run)
{
    for (size_t i = 0; i < quorum->count && quorum->count > 1; i++) {
        redis_call_disown(&quorum->calls[i], must_run);
        if (quorum->calls[i].error.kind == REDIS_MALFORMED) {
            redis_node_break(quorum->nodes[i], REDIS_LOST, "another reply was malformed");
        }
    }
}

bool redis_quorum_part(redis_quorum *quorum, const redis_request *undo, int64_t until)
{
    bool sent = false;

    for (size_t i = 0; i < quorum->count; i++) {
        if (quorum->calls[i].error.kind == REDIS_FINE) {
            continue;
        }
        if (undo != NULL) {
            sent |= redis_node_part(quorum->nodes[i], undo, until);
        } else {
            redis_node_break(quorum->nodes[i], REDIS_LOST, "the connection was given up");
        }
    }
    return sent;
}

size_t redis_quorum_majority(const redis_quorum *quorum)
{
    return quorum->count / 2 + 1;
}

size_t redis_quorum_ones(const redis_quorum *quorum)
{
    size_t ones = 0;

    for (size_t i = 0; i < quorum->count; i++) {
        const redis_call *call = &quorum->calls[i];
        ones += call->answered && call->error.kind == REDIS_FINE && call->reply->type == REDIS_REPLY_INTEGER &&
                call->reply->integer == 1;
    }
    return ones;
}

/* Rather one that a node told than one that was not waited for; but an end that the caller wanted is that. */
static size_t first_failed(const redis_call *calls, size_t count)
{
    size_t first = count;

    for (size_t i = count; i-- > 0;) {
        if (calls[i].error.kind == REDIS_INTERRUPTED) {
            return i;
        }
        if (calls[i].error.kind != REDIS_FINE && (calls[i].answered || first == count || !calls[first].answered)) {
            first = i;
        }
    }
    return first;
}

void redis_quorum_error(const redis_quorum *quorum, const redis_call *calls, redis_error *error)
{
    size_t first = first_failed(calls, quorum->count);

    if (first == quorum->count) {
        return;
    }
    *error = calls[first].error;
    if (quorum->count > 1) {
        /* How many did is not said: those that could not change it were not waited for. */
        snprintf(error->text, sizeof(error->text), "too few of %zu servers answered; %s: %.100s", quorum->count,
                 redis_node_endpoint(quorum->nodes[first])->label, calls[first].error.text);
    }
}

void redis_quorum_close(redis_quorum *quorum)
{
    for (size_t i = 0; i < quorum->count; i++) {
        redis_call_reset(&quorum->calls[i]);
        redis_pool_give(quorum->pool, quorum->nodes[i]);
    }
    quorum->count = 0;
}

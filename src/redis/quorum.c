/* SPDX-License-Identifier: MIT
 *
 * redis/quorum: see redis/quorum.h.
 */
#include "redis/quorum.h"

#include <stdio.h>

#include "platform.h"

void rl_quorum_open(rl_quorum *quorum, rl_pool *pool, const rl_endpoint *endpoints, size_t count, int64_t node_timeout)
{
    quorum->pool = pool;
    quorum->count = count;
    quorum->node_timeout = node_timeout;
    /* Only what is used is initialized: there is room for many nodes, and mostly there is one. */
    for (size_t i = 0; i < count; i++) {
        rl_call_init(&quorum->calls[i]);
        quorum->conns[i] = rl_pool_take(pool, &endpoints[i]);
    }
}

void rl_quorum_prepare(rl_quorum *quorum, const rl_request *request)
{
    for (size_t i = 0; i < quorum->count; i++) {
        rl_call_reset(&quorum->calls[i]);
        quorum->calls[i].request = *request;
    }
}

/* The number of nodes that have owed a reply since before `since`, or owe many. */
static size_t count_behind(const rl_quorum *quorum, int64_t since)
{
    size_t behind = 0;

    for (size_t i = 0; i < quorum->count; i++) {
        behind += rl_conn_is_behind(quorum->conns[i], since);
    }
    return behind;
}

/* Reads the replies that have come before it decides which nodes are silent. Skips either all of them or, if too few
 * nodes would be left, none. */
void rl_quorum_skip_silent(rl_quorum *quorum)
{
    int64_t now = platform_now(), since = now - quorum->node_timeout;

    if (count_behind(quorum, since) > 0) {
        rl_wait(quorum->conns, quorum->count, now, NULL); /* reads what has come, without waiting */
    }
    if (quorum->count - count_behind(quorum, since) < rl_quorum_majority(quorum)) {
        return;
    }
    for (size_t i = 0; i < quorum->count; i++) {
        if (rl_conn_is_behind(quorum->conns[i], since)) {
            quorum->calls[i].answered = true;
            quorum->calls[i].error = (rl_error){RL_UNREACHABLE, "", "an earlier answer is still owed"};
        }
    }
}

/* The result changes while the caller waits, since a connection that becomes ready starts its node's time. So it must
 * be computed anew after each event. */
int64_t rl_quorum_reply_deadline(const rl_quorum *quorum, const bool *open, bool enough, int64_t sent, int64_t until)
{
    int64_t limit = sent;

    if (quorum->count == 1) {
        return until;
    }
    for (size_t i = 0; i < quorum->count; i++) {
        int64_t since = rl_conn_ready_since(quorum->conns[i]);
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

/* Returns until when to wait for the calls that have no answer; 0 if all have one. */
static int64_t reply_deadline(const rl_quorum *quorum, int64_t sent, int64_t until)
{
    bool open[RL_MAX_NODES], any = false;
    size_t good = 0;

    for (size_t i = 0; i < quorum->count; i++) {
        const rl_call *call = &quorum->calls[i];
        open[i] = !call->answered;
        any |= open[i];
        good += call->answered && call->reply != NULL;
    }
    return any ? rl_quorum_reply_deadline(quorum, open, good >= rl_quorum_majority(quorum), sent, until) : 0;
}

/* All calls are submitted before any is waited for, and they are waited for together: a slow node does not delay the
 * others. */
void rl_quorum_ask(rl_quorum *quorum, int64_t connect_by, int64_t until, const rl_hook *hook, rl_decided decided,
                   const void *arg)
{
    rl_wake woken = RL_WAKE_EVENT;
    int64_t sent = platform_now(), limit;

    for (size_t i = 0; i < quorum->count; i++) {
        if (!quorum->calls[i].answered) {
            rl_conn_submit(quorum->conns[i], &quorum->calls[i], connect_by);
        }
    }
    while (woken == RL_WAKE_EVENT && (limit = reply_deadline(quorum, sent, until)) > 0 &&
           (decided == NULL || !decided(quorum, arg))) {
        woken = rl_wait(quorum->conns, quorum->count, limit, hook);
    }
    for (size_t i = 0; i < quorum->count; i++) {
        rl_call_give_up(&quorum->calls[i], woken);
    }
}

void rl_quorum_detach(rl_quorum *quorum, bool must_run)
{
    for (size_t i = 0; i < quorum->count && quorum->count > 1; i++) {
        rl_call_detach(&quorum->calls[i], must_run);
        if (quorum->calls[i].error.kind == RL_MALFORMED) {
            rl_conn_break(quorum->conns[i], RL_LOST, "another reply was malformed");
        }
    }
}

/* The connections are closed one after the other, and each may wait for its server. `until` is a point in time, so it
 * limits all of these waits together. */
bool rl_quorum_close_after(rl_quorum *quorum, const rl_request *undo, int64_t until)
{
    bool sent = false;

    for (size_t i = 0; i < quorum->count; i++) {
        if (quorum->calls[i].error.kind == RL_OK) {
            continue;
        }
        if (undo != NULL) {
            sent |= rl_conn_close_after(quorum->conns[i], undo, until);
        } else {
            rl_conn_break(quorum->conns[i], RL_LOST, "the connection was given up");
        }
    }
    return sent;
}

size_t rl_quorum_majority(const rl_quorum *quorum)
{
    return quorum->count / 2 + 1;
}

size_t rl_quorum_count_ones(const rl_quorum *quorum)
{
    size_t ones = 0;

    for (size_t i = 0; i < quorum->count; i++) {
        const rl_call *call = &quorum->calls[i];
        ones += call->answered && call->error.kind == RL_OK && call->reply->type == REDIS_REPLY_INTEGER &&
                call->reply->integer == 1;
    }
    return ones;
}

/* Returns the index of the call whose error says most, or `count` if there is no error. An interruption by the caller
 * comes before all else. An error with which a call ended comes before that of a call which was given up. Among
 * equals, the first node's counts. */
static size_t first_failed(const rl_call *calls, size_t count)
{
    size_t first = count;

    for (size_t i = count; i-- > 0;) {
        if (calls[i].error.kind == RL_INTERRUPTED) {
            return i;
        }
        if (calls[i].error.kind != RL_OK && (calls[i].answered || first == count || !calls[first].answered)) {
            first = i;
        }
    }
    return first;
}

void rl_quorum_error(const rl_quorum *quorum, const rl_call *calls, rl_error *error)
{
    size_t first = first_failed(calls, quorum->count);

    if (first == quorum->count) {
        return;
    }
    *error = calls[first].error;
    if (quorum->count > 1) {
        /* How many answered is not said: nodes that could not change the outcome were not waited for. */
        snprintf(error->text, sizeof(error->text), "too few of %zu servers answered; %s: %.100s", quorum->count,
                 rl_conn_endpoint(quorum->conns[first])->label, calls[first].error.text);
    }
}

void rl_quorum_close(rl_quorum *quorum)
{
    for (size_t i = 0; i < quorum->count; i++) {
        rl_call_reset(&quorum->calls[i]);
        rl_pool_give(quorum->pool, quorum->conns[i]);
    }
    quorum->count = 0;
}

/* SPDX-License-Identifier: MIT
 *
 * lock_core: see lock_core.h.
 */
#include "lock_core.h"

#include <stdlib.h>

#include "lock/acquire.h"
#include "lock/enter.h"
#include "lock/fence.h"
#include "lock/holder.h"
#include "lock/keys.h"
#include "lock/query.h"
#include "platform/platform.h"
#include "redis/scripts.h"

/* ---- acquire ---- */

/* A call that does not wait has the client's time budget. */
lock_outcome lock_acquire(const lock_client *client, rl_bytes name, const rl_bytes *token, int64_t duration,
                          int64_t timeout, lock_lease *lease, lock_refusal *refusal, rl_error *error)
{
    lock_acquire_params params = {.client = client,
                                  .name = name,
                                  .token = token,
                                  .duration = duration,
                                  .timeout = timeout,
                                  .budget = timeout > 0 ? 0 : lock_budget(client)};
    lock_refusal ignored;

    return lock_acquire_with(&params, lease, refusal != NULL ? refusal : &ignored, error);
}

/* ---- the holder ---- */

/* Writes holder->fence to a majority before it is reported: see lock_fence_write_back(). Nobody may have received the answers
 * of the nodes on which it stands so far. Frees `holder` unless it returns LOCK_YES. */
static lock_outcome query_write_fence_back(lock_query *q, lock_lease *holder, rl_error *error)
{
    lock_fence_write_back(rl_session_request(&q->session, 0), &q->keys, lock_lease_token(holder), holder->fence,
                          q->digits);
    lock_outcome outcome = lock_query_vote(q, &lock_query_voting, error);
    if (outcome != LOCK_YES) {
        lock_lease_free(holder);
    }
    return outcome;
}

/* Returns the highest number of waiters: they stand in line at one node. */
static int64_t most_waiters(const rl_session *session)
{
    int64_t most = 0;
    lock_node_holder one;

    for (size_t i = 0; i < session->nodes; i++) {
        if (lock_holder_read(&session->calls[i], &one)) {
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
        .judge = lock_holder_judge, .decided = waiters == NULL ? lock_holder_is_decided : NULL, .repeats = true};
    lock_query q;
    lock_outcome outcome = LOCK_FAILED;
    int64_t sent = platform_now();
    lock_node_holder found = {0};

    lock_query_open(&q, client, name, &rl_script_owner, client->fencing, lock_budget(client));
    q.request->alone = client->fencing ? NULL : &rl_script_owner_alone;
    if (adopts != NULL || waiters != NULL) {
        rl_request_add(q.request, adopts != NULL ? *adopts : RL_LITERAL(""));
    }
    if (waiters != NULL) {
        rl_request_add(q.request, RL_LITERAL("1"));
    }
    if (rl_session_ask(&q.session, &q.clock, &asking, error)) {
        rl_session_error(&q.session, 0, error);
        outcome = lock_holder_by_majority(&q.session, &found);
    }
    if (outcome == LOCK_YES) {
        lock_lease_fill(holder, found.token, platform_now(), sent, found.left, found.fence);
        if (waiters != NULL) {
            *waiters = most_waiters(&q.session);
        }
        if (found.fence_nodes < rl_session_majority(&q.session)) {
            outcome = query_write_fence_back(&q, holder, error);
        }
    }
    lock_query_close(&q);
    return outcome;
}

lock_outcome lock_holder(const lock_client *client, rl_bytes name, lock_lease *holder, rl_error *error)
{
    return ask_holder(client, name, NULL, holder, NULL, error);
}

lock_outcome lock_inspect(const lock_client *client, rl_bytes name, lock_lease *holder, int64_t *waiters,
                          rl_error *error)
{
    lock_outcome outcome = ask_holder(client, name, NULL, holder, waiters, error);

    *waiters += lock_enter_waiting(client, name);
    return outcome;
}

lock_outcome lock_adopt(const lock_client *client, rl_bytes name, rl_bytes token, lock_lease *lease, rl_error *error)
{
    lock_outcome outcome = ask_holder(client, name, &token, lease, NULL, error);

    if (outcome == LOCK_YES && !rl_bytes_equal(lock_lease_token(lease), token)) {
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
    lock_query q;

    lock_query_open(&q, client, name, &rl_script_waiters, false, lock_budget(client));
    bool good = rl_session_ask(&q.session, &q.clock, &asking, error);
    int64_t most = 0;
    for (size_t i = 0; good && i < q.session.nodes; i++) {
        const rl_call *call = &q.session.calls[i];
        if (call->answered && call->error.kind == RL_OK) {
            most = platform_later(most, call->reply->integer);
        }
    }
    *waiters = most + lock_enter_waiting(client, name);
    lock_query_close(&q);
    return good ? LOCK_YES : LOCK_FAILED;
}

/* The note of extensions goes with the lock. All nodes are awaited: at one that is merely slow, the request would otherwise hit
 * whoever acquires the lock after this call. */
lock_outcome lock_force_release(const lock_client *client, rl_bytes name, rl_error *error)
{
    /* Never repeated: a second request, or a late one, might take the lock from the next holder. */
    static const rl_policy once = {.judge = rl_judge_flag};
    lock_query q;
    char *memory;

    lock_query_open(&q, client, name, &rl_script_force, false, lock_budget(client));
    q.request->alone = &rl_script_force_alone;
    rl_request_add(q.request, lock_note_key(q.keys.lock, &memory));
    q.request->keys++;
    lock_random_baton(q.baton);
    rl_request_add(q.request, (rl_bytes){q.baton, LOCK_BATON_LEN});
    q.request->preload = true;
    lock_outcome outcome = lock_query_vote(&q, &once, error);
    lock_query_close(&q);
    free(memory);
    return outcome;
}

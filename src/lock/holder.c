/* SPDX-License-Identifier: MIT
 *
 * lock/holder: see lock/holder.h.
 */
#include "lock/holder.h"

#include <stdlib.h>

#include "platform/platform.h"

/* Converts PTTL's reply to a span. -1 is a key without an end: PLATFORM_NEVER. */
static int64_t span_of_ttl(long long ttl_ms)
{
    return ttl_ms < 0 ? PLATFORM_NEVER : lock_span_of_ms(ttl_ms);
}

/* The token points into the reply. Returns false, with `out` undefined, if the reply is malformed. */
static bool read_reply(const redisReply *reply, lock_node_holder *out)
{
    if (reply->type != REDIS_REPLY_ARRAY || reply->elements < 3 || reply->elements > 4) {
        return false;
    }
    const redisReply *token = reply->element[0], *ttl = reply->element[1], *fence = reply->element[2];
    *out = (lock_node_holder){0};
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

bool lock_holder_read(const rl_call *call, lock_node_holder *out)
{
    return call->answered && call->error.kind == RL_OK && read_reply(call->reply, out);
}

/* A majority keeps the lock as long as the node does of which one less than a majority keep it longer. */
lock_outcome lock_holder_by_majority(const rl_session *session, lock_node_holder *out)
{
    size_t majority = rl_session_majority(session), good = 0, most = 0;
    lock_node_holder one, other;

    for (size_t i = 0; i < session->nodes; i++) {
        if (!lock_holder_read(&session->calls[i], &one)) {
            continue;
        }
        good++;
        size_t same = 0, longer = 0, fence_nodes = 0;
        int64_t fence = 0;
        for (size_t j = 0; one.token.at != NULL && j < session->nodes; j++) {
            if (lock_holder_read(&session->calls[j], &other) && other.token.at != NULL &&
                rl_bytes_equal(other.token, one.token)) {
                same++;
                longer += other.left > one.left || (other.left == one.left && j < i);
                fence_nodes = other.fence > fence ? 1 : fence_nodes + (other.fence == fence);
                fence = platform_later(fence, other.fence);
            }
        }
        most = same > most ? same : most;
        if (same >= majority && longer == majority - 1) {
            *out = one;
            out->fence = fence;
            out->fence_nodes = fence_nodes;
            return LOCK_YES;
        }
    }
    return most + session->nodes - good < majority ? LOCK_NOT_OWNED : LOCK_FAILED;
}

rl_vote lock_holder_judge(const rl_call *call)
{
    lock_node_holder unused;

    return read_reply(call->reply, &unused) ? RL_VOTE_YES : RL_VOTE_NONE;
}

bool lock_holder_is_decided(const rl_session *session, size_t i, const rl_policy *policy)
{
    rl_votes votes = rl_session_votes(session, i, policy->judge);
    lock_node_holder unused;

    return lock_holder_by_majority(session, &unused) != LOCK_FAILED ||
           votes.yes + votes.open < rl_session_majority(session);
}

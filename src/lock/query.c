/* SPDX-License-Identifier: MIT
 *
 * lock/query: see lock/query.h.
 */
#include "lock/query.h"

#include "platform/platform.h"

void lock_query_open(lock_query *q, const lock_client *client, rl_bytes name, const rl_script *script, bool fence,
                     int64_t budget)
{
    q->clock = rl_clock_budget(platform_now(), budget);
    lock_keys_init(&q->keys, client->prefix, name);
    rl_session_open(&q->session, &client->target, client->target.count, 1,
                    rl_target_slot(&client->target, q->keys.lock));
    q->request = rl_session_request(&q->session, 0);
    rl_request_begin(q->request, script);
    lock_keys_add(q->request, &q->keys, fence);
}

void lock_query_close(lock_query *q)
{
    rl_session_close(&q->session);
    lock_keys_free(&q->keys);
}

const rl_policy lock_query_voting = {.judge = rl_judge_flag, .decided = rl_session_vote_is_decided, .repeats = true};

lock_outcome lock_query_vote(lock_query *q, const rl_policy *policy, rl_error *error)
{
    if (!rl_session_ask(&q->session, &q->clock, policy, error)) {
        return LOCK_FAILED;
    }
    return rl_session_says_yes(&q->session, 0, policy->judge) ? LOCK_YES : LOCK_NOT_OWNED;
}

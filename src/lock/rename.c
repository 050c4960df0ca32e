/* SPDX-License-Identifier: MIT
 *
 * lock/rename: see lock/rename.h.
 */
#include "lock/rename.h"

#include "invariant.h"
#include "redis/scripts.h"

#define KEYS_WITH_FENCE 4 /* as lua/rename.lua has them */

/* Without request->alone: it has no form for a slot of a cluster that moves. */
void lock_rename_request(rl_request *request, const lock_keys *keys, lock_rename_args *args)
{
    RL_INVARIANT(args->lease > 0);
    rl_request_begin(request, &rl_script_rename);
    lock_keys_add(request, keys, args->fences);
    rl_request_add(request, args->from);
    rl_request_add(request, args->to);
    rl_request_add_number(request, rl_span_ms(args->lease), args->digits);
    if (args->from2.len > 0) {
        rl_request_add(request, args->from2);
    }
}

/* Reads the reply as so many numbers. */
static bool read_numbers(const redisReply *reply, size_t count, long long numbers[])
{
    if (reply->type != REDIS_REPLY_ARRAY || reply->elements != count) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (reply->element[i]->type != REDIS_REPLY_INTEGER) {
            return false;
        }
        numbers[i] = reply->element[i]->integer;
    }
    return true;
}

/* A request with the key of the fence is answered by one. */
lock_rename_answer lock_rename_read(const rl_call *call)
{
    bool fences = call->request.keys == KEYS_WITH_FENCE;
    long long said[3] = {0};

    if (!call->answered || call->error.kind != RL_OK) {
        return (lock_rename_answer){.vote = RL_VOTE_NONE};
    }
    if (read_numbers(call->reply, 2, said) && said[0] == 0) {
        return (lock_rename_answer){.vote = RL_VOTE_NO};
    }
    if (read_numbers(call->reply, fences ? 3 : 2, said) && said[0] == 1 && said[1] >= 0 && said[2] >= fences) {
        return (lock_rename_answer){.vote = RL_VOTE_YES, .waiting = said[1], .fence = said[2]};
    }
    return (lock_rename_answer){.vote = RL_VOTE_NONE};
}

rl_vote lock_rename_judge(const rl_call *call)
{
    return lock_rename_read(call).vote;
}

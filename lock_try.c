/* SPDX-License-Identifier: MIT
 *
 * lock_try: see lock_try.h.
 */
#include "lock_try.h"

#include <string.h>

#include "platform.h"
#include "redis_scripts.h"

int64_t lock_try_patience(const lock_attempt *attempt, int64_t now)
{
    if (!attempt->waits || now >= attempt->deadline) {
        return 0;
    }
    if (attempt->deadline == PLATFORM_NEVER) {
        return -1;
    }
    return (attempt->deadline - now + PLATFORM_MSEC - 1) / PLATFORM_MSEC;
}

static redis_bytes baton_bytes(const char *baton)
{
    return (redis_bytes){baton, baton[0] != '\0' ? LOCK_BATON_LEN : 0};
}

static redis_bytes waiter_bytes(const lock_attempt *attempt)
{
    return (redis_bytes){attempt->waiter, attempt->waits ? LOCK_WAITER_LEN : 0};
}

void lock_try_request(lock_attempt *attempt, int64_t patience, redis_request *request)
{
    const lock_client *client = attempt->client;
    int64_t repeat = !attempt->unsure ? 0 : attempt->own_token ? 1 : 2;

    attempt->queued = patience != 0;
    memset(request, 0, sizeof(*request));
    request->script = &redis_script_acquire;
    lock_keys_add(request, &attempt->keys, client->fencing);
    redis_request_add(request, attempt->token);
    redis_request_add_number(request, attempt->lease_ms, attempt->digits[0]);
    redis_request_add(request, waiter_bytes(attempt));
    redis_request_add_number(request, patience, attempt->digits[1]);
    redis_request_add_number(request, client->max_waiters, attempt->digits[2]);
    redis_request_add_number(request, repeat, attempt->digits[3]);
    redis_request_add(request, baton_bytes(attempt->served));
    redis_request_add_number(request, client->retry_interval / PLATFORM_MSEC, attempt->digits[4]);
    if (attempt->waits) {
        lock_random_baton(attempt->baton);
    }
    redis_request_add(request, baton_bytes(attempt->baton));
}

void lock_try_undo(lock_attempt *attempt, redis_bytes served, redis_request *undo)
{
    static const char nobody[] = "rl:nobody";

    memset(undo, 0, sizeof(*undo));
    undo->script = &redis_script_release;
    lock_keys_add(undo, &attempt->keys, false);
    /* A token that the caller brought may have been in Redis before this attempt: then it is not ours to release. */
    redis_request_add(undo, attempt->own_token ? attempt->token : (redis_bytes){nobody, sizeof(nobody) - 1});
    lock_random_baton(attempt->baton);
    redis_request_add(undo, baton_bytes(attempt->baton));
    redis_request_add(undo, waiter_bytes(attempt));
    redis_request_add(undo, served);
}

bool lock_try_answer(const redisReply *reply, long long *status, long long *number)
{
    if (reply->type != REDIS_REPLY_ARRAY || reply->elements != 2 || reply->element[0]->type != REDIS_REPLY_INTEGER ||
        reply->element[1]->type != REDIS_REPLY_INTEGER) {
        return false;
    }
    *status = reply->element[0]->integer;
    *number = reply->element[1]->integer;
    return *number >= 0;
}

lock_verdict lock_try_verdict(lock_attempt *attempt, redis_call *calls, size_t count)
{
    size_t majority = count / 2 + 1, taken = 0, held = 0, full = 0;
    long long status = 0, number = 0;

    attempt->error = (redis_error){0};
    attempt->fence = 0;
    attempt->look_in = PLATFORM_NEVER;
    for (size_t i = 0; i < count; i++) {
        if (calls[i].error.kind == REDIS_FINE && !lock_try_answer(calls[i].reply, &status, &number)) {
            calls[i].error = (redis_error){REDIS_MALFORMED, "", "the reply is not one to this request"};
        }
        if (calls[i].error.kind != REDIS_FINE) {
            attempt->error = calls[i].error;
        } else if (status == 1) {
            taken++;
            attempt->fence = number > attempt->fence ? number : attempt->fence;
        } else if (status == 2) {
            attempt->error = (redis_error){REDIS_MALFORMED, "",
                                           "a reply was lost: whether the token that is there is from this call is "
                                           "unknown"};
        } else {
            held++;
            full += status == -1;
            attempt->look_in = number * PLATFORM_MSEC < attempt->look_in ? number * PLATFORM_MSEC : attempt->look_in;
        }
    }
    if (taken >= majority) {
        return LOCK_TAKEN;
    }
    if (held > count - majority) {
        return full == held ? LOCK_FULL : LOCK_HELD;
    }
    return LOCK_UNKNOWN;
}

lock_verdict lock_try(lock_attempt *attempt, int64_t connect_by, int64_t until)
{
    redis_quorum *quorum = &attempt->quorum;
    redis_request request, undo;
    lock_verdict verdict;

    attempt->sent = platform_now();
    lock_try_request(attempt, lock_try_patience(attempt, attempt->sent), &request);
    redis_quorum_ask(quorum, &request, connect_by, until, &attempt->client->hook);
    verdict = lock_try_verdict(attempt, quorum->calls, quorum->count);
    if (verdict == LOCK_UNKNOWN) {
        /* Also behind an error reply: a script that failed half way may have left something. */
        lock_try_undo(attempt, baton_bytes(attempt->served), &undo);
        for (size_t i = 0; i < quorum->count; i++) {
            if (quorum->calls[i].error.kind != REDIS_UNREACHABLE && quorum->calls[i].error.kind != REDIS_REFUSED) {
                attempt->unsure = true;
            }
        }
        redis_quorum_part(quorum, &undo);
    }
    attempt->served[0] = '\0';
    return verdict;
}

bool lock_error_passes(const redis_error *error)
{
    static const char *const codes[] = {"UNBLOCKED",   "READONLY", "LOADING",    "MASTERDOWN",
                                        "CLUSTERDOWN", "TRYAGAIN", "NOREPLICAS", "BUSY"};

    switch (error->kind) {
    case REDIS_UNREACHABLE:
    case REDIS_TIMED_OUT:
    case REDIS_LOST:
        return true;
    case REDIS_ERROR_REPLY:
        for (size_t i = 0; i < sizeof(codes) / sizeof(*codes); i++) {
            if (strcmp(error->code, codes[i]) == 0) {
                return true;
            }
        }
        return false;
    default:
        return false;
    }
}

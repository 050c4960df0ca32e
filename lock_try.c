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
    if (!attempt->waits || now >= attempt->last_call) {
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

static void release_request(lock_attempt *attempt, redis_bytes token, redis_bytes served, redis_request *request)
{
    memset(request, 0, sizeof(*request));
    request->script = &redis_script_release;
    lock_keys_add(request, &attempt->keys, false);
    redis_request_add(request, token);
    lock_random_baton(attempt->baton);
    redis_request_add(request, baton_bytes(attempt->baton));
    redis_request_add(request, waiter_bytes(attempt));
    redis_request_add(request, served);
}

void lock_try_undo(lock_attempt *attempt, redis_bytes served, redis_request *undo)
{
    /* A token that the caller brought may have been in Redis before this attempt: then it is not ours to release. */
    release_request(attempt, attempt->own_token ? attempt->token : REDIS_LITERAL("rl:nobody"), served, undo);
}

void lock_try_leave(lock_attempt *attempt, redis_request *leave)
{
    release_request(attempt, REDIS_LITERAL("rl:nobody"), (redis_bytes){"", 0}, leave);
}

int64_t lock_try_parting(const lock_attempt *attempt)
{
    int64_t now = platform_now();

    /* Late as we may be, Redis gets a moment: what it does not read is not undone. */
    return platform_later(platform_earlier(now + LOCK_PARTING, attempt->over_at), now + LOCK_PARTING / 4);
}

int64_t lock_span_of_ms(long long ms)
{
    return ms > PLATFORM_NEVER / PLATFORM_MSEC ? PLATFORM_NEVER : ms * PLATFORM_MSEC;
}

bool lock_try_answer(const redisReply *reply, long long *status, long long *number)
{
    if (reply->type != REDIS_REPLY_ARRAY || reply->elements != 2 || reply->element[0]->type != REDIS_REPLY_INTEGER ||
        reply->element[1]->type != REDIS_REPLY_INTEGER) {
        return false;
    }
    *status = reply->element[0]->integer;
    *number = reply->element[1]->integer;
    return *status >= -1 && *status <= 2 && *number >= 0;
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
            attempt->look_in = platform_earlier(attempt->look_in, lock_span_of_ms(number));
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

void lock_try_renew(lock_attempt *attempt)
{
    if (attempt->own_token) {
        lock_random_token(attempt->random);
        attempt->token = (redis_bytes){attempt->random, LOCK_TOKEN_LEN};
    }
    if (attempt->waits) {
        lock_random_waiter(attempt->waiter);
    }
    attempt->unsure = false;
}

/* The last try went wrong: undoes what it may have done. Also behind an error reply: a script that failed half way may
 * have left something. */
static void undo_try(lock_attempt *attempt)
{
    redis_quorum *quorum = &attempt->quorum;
    redis_request undo;

    for (size_t i = 0; i < quorum->count; i++) {
        redis_failure kind = quorum->calls[i].error.kind;
        attempt->unsure |= kind != REDIS_UNREACHABLE && kind != REDIS_REFUSED;
    }
    lock_try_undo(attempt, baton_bytes(attempt->served), &undo);
    if (redis_quorum_part(quorum, &undo, lock_try_parting(attempt))) {
        lock_try_renew(attempt);
    }
}

/* Where a round trip takes a good part of the last word's time, the last try must go out before the deadline. */
static void set_last_call(lock_attempt *attempt)
{
    int64_t lead = attempt->fastest > LOCK_LAST_WORD / 3 ? attempt->fastest : 0;

    attempt->last_call = attempt->deadline - platform_earlier(lead, attempt->longest_lead);
}

lock_verdict lock_try(lock_attempt *attempt, int64_t connect_by, int64_t until)
{
    redis_quorum *quorum = &attempt->quorum;
    redis_request request;
    lock_verdict verdict;

    attempt->sent = platform_now();
    lock_try_request(attempt, lock_try_patience(attempt, attempt->sent), &request);
    redis_quorum_ask(quorum, &request, connect_by, until, &attempt->client->hook);
    verdict = lock_try_verdict(attempt, quorum->calls, quorum->count);
    if (verdict == LOCK_UNKNOWN) {
        undo_try(attempt);
    } else {
        attempt->fastest = platform_earlier(attempt->fastest, platform_now() - attempt->sent);
        set_last_call(attempt);
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

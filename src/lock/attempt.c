/* SPDX-License-Identifier: MIT
 *
 * lock/attempt: see lock/attempt.h.
 */
#include "lock/attempt.h"

#include "invariant.h"
#include "platform/platform.h"

static void draw_token(lock_attempt *attempt, int64_t since_ms)
{
    lock_random_token(attempt->room->random);
    attempt->token = (rl_bytes){attempt->room->random, LOCK_TOKEN_LEN};
    attempt->token.len +=
        lock_description_write(attempt->room->random + LOCK_TOKEN_LEN, attempt->params->client, since_ms);
    attempt->outcome_unknown = false;
    attempt->is_fresh = true;
    attempt->asked = attempt->heard = 0;
}

void lock_attempt_renew_token(lock_attempt *attempt)
{
    if (lock_attempt_draws_tokens(attempt)) {
        draw_token(attempt, lock_description_now_ms(attempt->params->client));
    }
}

/* It tells since when the call waits, also if it lines up anew. */
void lock_attempt_renew_waiter(lock_attempt *attempt)
{
    lock_place *place = &attempt->place;

    if (attempt->waits) {
        lock_random_waiter(place->waiter);
        place->waiter_len = LOCK_WAITER_LEN + lock_description_write(place->waiter + LOCK_WAITER_LEN,
                                                                     attempt->params->client, attempt->since_ms);
    }
}

/* The keys beside the lock's are not built yet: see lock_attempt_add_keys(). */
void lock_attempt_open(lock_attempt *attempt, lock_attempt_room *room, const lock_acquire_params *params, int64_t now,
                       rl_error *error)
{
    const lock_client *client = params->client;

    *attempt = (lock_attempt){.params = params,
                              .waits = params->timeout > 0,
                              .error = error,
                              .clock = rl_clock_wait(now, params->timeout, params->budget),
                              .round_trip = PLATFORM_NEVER,
                              .process = platform_process(),
                              .since_ms = lock_description_now_ms(client),
                              .room = room,
                              .session = &room->session};
    RL_INVARIANT(params->duration > 0 && client->stats != NULL && client->extensions != NULL);
    RL_INVARIANT(client->replicas == 0 || client->target.count == 1);
    attempt->last_try_at = attempt->clock.deadline;
    if (params->token != NULL) {
        attempt->token = *params->token;
    } else {
        draw_token(attempt, attempt->since_ms);
    }
    lock_attempt_renew_waiter(attempt);
    lock_keys_begin(&attempt->room->keys, client->prefix, params->name);
    rl_session_open(attempt->session, &client->target, client->target.count, 1,
                    rl_target_slot(&client->target, attempt->room->keys.lock));
}

void lock_attempt_close(lock_attempt *attempt)
{
    rl_session_close(attempt->session);
    lock_keys_free(&attempt->room->keys);
}

int64_t lock_attempt_wait_ms(const lock_attempt *attempt, int64_t now)
{
    if (!attempt->waits || now >= attempt->last_try_at) {
        return 0;
    }
    return attempt->clock.deadline == PLATFORM_NEVER ? -1 : rl_span_ms(attempt->clock.deadline - now);
}

/* Those beside the lock's key are not built before: most locks are taken by a plain SET, which has no use for them. */
void lock_attempt_add_keys(lock_attempt *attempt, rl_request *request, bool fence)
{
    lock_keys_complete(&attempt->room->keys);
    lock_keys_add(request, &attempt->room->keys, fence);
}

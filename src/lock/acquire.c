/* SPDX-License-Identifier: MIT
 *
 * lock/acquire: see lock/acquire.h.
 */
#include "lock/acquire.h"

#include "lock/enter.h"
#include "lock/replicas.h"
#include "lock/tally.h"
#include "lock/try.h"
#include "lock/undo.h"
#include "lock/wait.h"
#include "platform/platform.h"
#include "redis/repeat.h"

/* Makes the first try at `now`, again after a lost reply as long as there is time. One that `has_waited`, in the line of its
 * machine, goes on as any waiter does while the server is away. Returns what came of the last. After ATTEMPT_FAILED,
 * attempt->error is the one that ruled out another try; otherwise, of one that has not waited, the first one, since that tells
 * most. */
static lock_answer attempt_try_until_answered(lock_attempt *attempt, int64_t now, bool has_waited)
{
    const lock_client *client = attempt->params->client;
    const rl_target *target = &client->target;
    lock_answer answer = lock_attempt_try(attempt, now);
    rl_repeat repeat;

    if (answer.verdict != ATTEMPT_FAILED) {
        return answer;
    }
    if (has_waited) {
        rl_repeat_begin_waiting(&repeat, target, attempt->clock.deadline, now);
    } else {
        rl_repeat_begin(&repeat, RL_REPEAT_LOST, target, attempt->clock.deadline, &target->hook);
    }
    while (answer.verdict == ATTEMPT_FAILED && rl_repeat_again(&repeat, attempt->error)) {
        lock_turn_show_life(attempt->turn);
        client->stats->repeated += rl_error_is_outcome_unknown(attempt->error);
        answer = lock_attempt_try(attempt, platform_now());
    }
    return answer;
}

static lock_outcome outcome_of(lock_verdict verdict, const rl_error *error)
{
    switch (verdict) {
    case ATTEMPT_ACQUIRED:
        return LOCK_YES;
    case ATTEMPT_BUSY:
    case ATTEMPT_QUEUE_FULL:
        return LOCK_BUSY;
    default:
        return error->kind == RL_INTERRUPTED ? LOCK_INTERRUPTED : LOCK_FAILED;
    }
}

/* Counts a call that began at `began` and has waited for `waited`. `lease`: with LOCK_YES. */
static void count_acquire(const lock_acquire_params *params, lock_outcome outcome, lock_lease *lease, int64_t began,
                          bool contended, bool full, int64_t waited)
{
    lock_stats *stats = params->client->stats;

    if (outcome == LOCK_YES) {
        lock_tally_acquired(params->client, params->name, lease, params->began != 0 ? params->began : began, contended);
    } else if (params->began == 0) {
        lock_tally(params->client, params->name, NULL, lock_tally_failure(outcome, full, waited > 0));
    }
    if (outcome == LOCK_BUSY && waited > 0 && params->began == 0) {
        lock_tally_slow(params->client, params->name, LOCK_SLOW_IN_VAIN, waited);
    }
    stats->acquired += outcome == LOCK_YES;
    stats->contended += contended;
    stats->timed_out += contended && outcome == LOCK_BUSY && waited > 0;
    stats->waited += contended ? waited : 0;
}

/* Waits until enough replicas have the lock that was taken, if its lease is not over. LOCK_LATE: it is, or is now. */
static lock_outcome attempt_await_replicas(lock_attempt *attempt, const lock_lease *lease)
{
    const lock_acquire_params *params = attempt->params;
    int64_t deadline = params->replicas_by != 0 ? params->replicas_by : attempt->clock.deadline;
    const lock_replicated taken = {"the lock", lease->sent, lease->duration, deadline, &params->client->target.hook};
    lock_outcome outcome = LOCK_LATE;

    if (lock_lease_validity(lease, platform_now()) > 0) {
        outcome = lock_replicas_ask(attempt->session, params->client, &taken, attempt->error);
    }
    return outcome == LOCK_YES && lock_lease_validity(lease, platform_now()) == 0 ? LOCK_LATE : outcome;
}

/* Makes the lease that the answer has brought. Returns LOCK_LATE if it is over already, or why too few replicas have the lock:
 * it is given back then, unless a hook has forked, to whose child it does not belong. */
static lock_outcome attempt_take_lease(lock_attempt *attempt, const lock_answer *answer, lock_lease *lease)
{
    int64_t now = platform_now();
    lock_outcome outcome;

    lock_lease_fill(lease, attempt->token, now, answer->sent, attempt->params->duration, answer->fence);
    lease->slot = attempt->session->slot;
    lease->has_slot = attempt->session->cluster != NULL;
    lease->is_drawn = lease->makes_baton = attempt->params->token == NULL;
    lease->spared = ~attempt->asked;
    lease->unheard = attempt->asked & ~attempt->heard;
    if (attempt->params->client->replicas > 0) {
        outcome = attempt_await_replicas(attempt, lease);
    } else {
        outcome = lock_lease_validity(lease, now) > 0 ? LOCK_YES : LOCK_LATE;
    }
    if (outcome != LOCK_YES) {
        lock_lease_free(lease);
        if (attempt->process == platform_process()) {
            lock_attempt_give_back(attempt);
        }
    }
    return outcome;
}

/* Is there time for another try, and is it worth one? That is so if the reply came when the lease was over; and if the server
 * went away before it told of its replicas, if another one takes over. A token of the caller's is not tried again then: it may
 * be released late. */
static bool attempt_begins_again(const lock_attempt *attempt, const lock_answer *answer, lock_outcome outcome)
{
    bool passes = outcome == LOCK_FAILED && answer->verdict == ATTEMPT_ACQUIRED && attempt->params->token == NULL &&
                  rl_target_may_take_over(attempt->session->target, attempt->error);

    return (passes || (outcome == LOCK_LATE && attempt->waits)) && platform_now() < attempt->clock.deadline;
}

/* Asks Redis for the lock, and waits in its line. One that is given back is acquired anew while there is time: see
 * attempt_begins_again(). */
static lock_outcome attempt_ask_redis(lock_attempt *attempt, int64_t now, lock_lease *lease, lock_answer *answer,
                                      bool *contended)
{
    lock_outcome outcome;
    bool has_waited = *contended;

    for (;; now = platform_now()) {
        *answer = attempt_try_until_answered(attempt, now, has_waited);
        *contended |= answer->verdict == ATTEMPT_BUSY || answer->verdict == ATTEMPT_QUEUE_FULL;
        if (answer->verdict == ATTEMPT_BUSY && attempt->waits) {
            *answer = lock_wait(attempt, *answer);
        }
        outcome = outcome_of(answer->verdict, attempt->error);
        if (outcome == LOCK_YES) {
            outcome = attempt_take_lease(attempt, answer, lease);
        }
        if (!attempt_begins_again(attempt, answer, outcome)) {
            return outcome;
        }
    }
}

/* Takes a turn among the processes of this machine, of which another one may have the lock. True: Redis is to be asked;
 * otherwise the answer and the outcome say what came of it. */
static PLATFORM_NOINLINE bool attempt_line_up(lock_attempt *attempt, lock_lease *lease, lock_answer *answer,
                                              lock_outcome *outcome, bool *contended)
{
    lock_turn_line line;
    lock_turn_verdict verdict = lock_enter(attempt, lease, &line);
    bool asks = verdict == LOCK_TURN_HEAD || verdict == LOCK_TURN_ALONE;

    *answer = (lock_answer){.verdict = verdict == LOCK_TURN_FULL ? ATTEMPT_QUEUE_FULL : ATTEMPT_BUSY,
                            .waiting = line.waiting};
    *outcome = verdict == LOCK_TURN_GRANTED       ? LOCK_YES
               : verdict == LOCK_TURN_FAILED      ? LOCK_FAILED
               : verdict == LOCK_TURN_INTERRUPTED ? LOCK_INTERRUPTED
                                                  : LOCK_BUSY;
    *contended = line.stood || !asks;
    return asks;
}

/* Takes a turn among the processes of this machine first, if the call has any part in that. Returns as attempt_line_up(). */
static inline bool attempt_take_turn(lock_attempt *attempt, lock_lease *lease, lock_answer *answer,
                                     lock_outcome *outcome, bool *contended)
{
    return !lock_enter_is_for(attempt->params) || lock_enter_alone(attempt) ||
           attempt_line_up(attempt, lease, answer, outcome, contended);
}

/* After a failed attempt whose outcome is unknown the release goes to the backlog, but not in a forked child: there it is the
 * parent's. */
lock_outcome lock_acquire_with(const lock_acquire_params *params, lock_lease *lease, lock_refusal *refusal,
                               rl_error *error)
{
    bool contended = false, waits = params->timeout > 0;
    int64_t start = platform_now();
    lock_attempt_room room;
    lock_attempt attempt;
    lock_answer answer;
    lock_outcome outcome = LOCK_BUSY;

    error->kind = RL_OK;
    lock_attempt_open(&attempt, &room, params, start, error);
    if (attempt_take_turn(&attempt, lease, &answer, &outcome, &contended)) {
        outcome = attempt_ask_redis(&attempt, contended ? platform_now() : start, lease, &answer, &contended);
        if (attempt.turn != NULL && outcome == LOCK_YES) {
            lock_enter_adopt(&attempt, lease);
        } else if (attempt.turn != NULL) {
            lock_enter_give_up(&attempt, outcome);
        }
    }
    if (outcome != LOCK_YES) {
        lock_attempt_release_later(&attempt);
    }
    *refusal = (lock_refusal){answer.waiting, answer.verdict == ATTEMPT_QUEUE_FULL};
    count_acquire(params, outcome, lease, start, contended, refusal->full, waits ? platform_now() - start : 0);
    lock_attempt_close(&attempt);
    return outcome;
}

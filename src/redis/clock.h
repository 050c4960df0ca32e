/* SPDX-License-Identifier: MIT
 *
 * redis/clock: the time limits of a call. Four words are used for them, here and everywhere in the core:
 *
 *   deadline       when the caller's time is over: the end of its wait, or of its time budget
 *   hard_deadline  when the call must have returned, cleaning up included
 *   connect_by     until when a connection may be made
 *   reply_by       until when the reply to a request is awaited
 *
 * Beside these, `..._at` is the time of an event: when something was sent, or is due.
 */
#ifndef REDISLOCK_REDIS_CLOCK_H
#define REDISLOCK_REDIS_CLOCK_H

#include "redis/target.h"

/* By how much a call may exceed its deadline to receive the reply to its last request. */
#define RL_FINAL_REPLY_GRACE (25 * PLATFORM_MSEC)

/* By how much a call may exceed its deadline in all, the final reply and cleaning up included. */
#define RL_CLEANUP_BUDGET (40 * PLATFORM_MSEC)
#define RL_CLEANUP_GRACE  (10 * PLATFORM_MSEC) /* of that budget, for closing one connection */

/* The first three hold for the request under way: rl_clock_ask() sets them. The others hold for the call. */
typedef struct rl_clock {
    int64_t sent_at; /* just before the request is sent */
    int64_t connect_by;
    int64_t reply_by;
    int64_t deadline;
    int64_t hard_deadline;
} rl_clock;

/* Returns the time budget, in µs, of a call that has no timeout of its own. */
static inline int64_t rl_target_budget(const rl_target *target)
{
    return platform_later(target->connect_timeout, target->read_timeout);
}

/* Returns the clock of a call that begins at `now` and may take `budget`; PLATFORM_NEVER is without end. */
rl_clock rl_clock_budget(int64_t now, int64_t budget);

/* The same for a call that waits for up to `timeout`. One with a timeout of 0 does not wait: it may take `budget`. */
rl_clock rl_clock_wait(int64_t now, int64_t timeout, int64_t budget);

/* Sets the times of a request that is sent at `now` and must be answered by `by`, the connection made by then. */
static inline void rl_clock_ask_by(rl_clock *clock, int64_t now, int64_t by)
{
    clock->sent_at = now;
    clock->connect_by = clock->reply_by = by;
}

/* Sets the times of a request that is sent at `now`: it has the target's budget, but no longer than to the deadline,
 * and the grace for a final reply behind that. Behind the deadline it still has the grace, as far as the hard
 * deadline allows, and a moment in any case. */
void rl_clock_ask(rl_clock *clock, const rl_target *target, int64_t now);

/* Returns by how much a last request must be sent before its deadline, if its answer may come `grace` behind that and a round
 * trip takes `round_trip` (PLATFORM_NEVER: nobody knows): not at all, unless the trip takes a good part of the grace. */
static inline int64_t rl_clock_lead(int64_t round_trip, int64_t grace)
{
    return round_trip == PLATFORM_NEVER || round_trip <= grace / 3 ? 0 : round_trip;
}

/* Returns when a call that waits for up to `timeout` sends its last request: at the deadline, or so much earlier, but by half
 * of the timeout at most. */
int64_t rl_clock_last_try_at(const rl_clock *clock, int64_t timeout, int64_t round_trip, int64_t grace);

/* A call has no answer: is that only since the server is slow now that the time is over, at `end`, though it was well a moment
 * ago, at `last_good` (0: never yet)? A server that is silent for longer than read_timeout counts as unreachable instead, as
 * does one that gives no answer while there is time left. */
bool rl_clock_is_only_slow(const rl_target *target, int64_t last_good, int64_t end);

/* Sets the times of a request that cleans up, and returns its reply_by. However late the call is, a server gets a
 * moment to read the request: what it does not read is not undone. */
int64_t rl_clock_cleanup(rl_clock *clock);

#endif

/* SPDX-License-Identifier: MIT
 *
 * redis/repeat: see redis/repeat.h.
 */
#include "redis/repeat.h"

#include "platform/platform.h"

/* The pause before a request is sent again, and the longest that it grows to. */
#define REPEAT_PAUSE  (20 * PLATFORM_MSEC)
#define LONGEST_PAUSE (200 * PLATFORM_MSEC)

/* How long a waiter goes on with a server that gives no good answer. */
#define RECONNECT_WINDOW (10 * PLATFORM_SEC)

void rl_repeat_begin(rl_repeat *repeat, rl_repeat_rule rule, const rl_target *target, int64_t deadline,
                     const rl_hook *hook)
{
    repeat->rule = rule;
    repeat->target = target;
    repeat->deadline = deadline;
    repeat->hook = hook;
    repeat->pause = rule == RL_REPEAT_LOST ? 0 : REPEAT_PAUSE;
    repeat->telling.kind = RL_OK;
}

void rl_repeat_begin_waiting(rl_repeat *repeat, const rl_target *target, int64_t deadline, int64_t last_good)
{
    rl_repeat_begin(repeat, RL_REPEAT_TRANSIENT, target, rl_repeat_waits_until(target, deadline, last_good),
                    &target->hook);
}

/* If another server may take over, that takes longer than any window: with Sentinel's default, 30 seconds at least. */
int64_t rl_repeat_waits_until(const rl_target *target, int64_t deadline, int64_t last_good)
{
    return rl_target_moves(target) ? deadline : platform_earlier(deadline, last_good + RECONNECT_WINDOW);
}

/* Does the error pass? Of a server that is looked for each time, what the last search found out by the end of the time is
 * mostly that the time was over: then the error before that one says more. */
static bool passes(rl_repeat *repeat, rl_error *error, bool over)
{
    bool moves = rl_target_moves(repeat->target);

    if (repeat->rule == RL_REPEAT_LOST && !moves) {
        return rl_error_keep_first(error, &repeat->telling);
    }
    if (over && error->kind == RL_UNREACHABLE && repeat->telling.kind != RL_OK) {
        *error = repeat->telling;
    }
    if (moves) {
        repeat->telling = *error;
    }
    return rl_error_is_transient(error);
}

/* Returns how long to pause. In a cluster many clients may meet the same slot that moves: they do not come back all at once. */
static int64_t pause_of(const rl_repeat *repeat)
{
    uint64_t drawn;

    if (repeat->pause == 0 || !rl_target_is_cluster(repeat->target)) {
        return repeat->pause;
    }
    platform_random(&drawn, sizeof(drawn));
    return repeat->pause / 2 + (int64_t)(drawn % (uint64_t)(repeat->pause / 2 + 1));
}

/* A pause of 0 only asks the hook. */
bool rl_repeat_again(rl_repeat *repeat, rl_error *error)
{
    int64_t now = platform_now();
    bool over = now >= repeat->deadline;

    if (!passes(repeat, error, over) || over) {
        return false;
    }
    if (rl_wait(NULL, 0, platform_earlier(repeat->deadline, now + pause_of(repeat)), repeat->hook) == RL_WAKE_HOOK) {
        *error = RL_INTERRUPTION;
        return false;
    }
    repeat->pause = platform_earlier(platform_later(2 * repeat->pause, REPEAT_PAUSE), LONGEST_PAUSE);
    return true;
}

/* SPDX-License-Identifier: MIT
 *
 * redis/repeat: see redis/repeat.h.
 */
#include "redis/repeat.h"

#include "platform.h"

/* The pause before a request is sent again, and the longest that it grows to. */
#define REPEAT_PAUSE  (20 * PLATFORM_MSEC)
#define LONGEST_PAUSE (200 * PLATFORM_MSEC)

/* How long a waiter goes on with a server that gives no good answer. */
#define RECONNECT_WINDOW (10 * PLATFORM_SEC)

void rl_repeat_begin(rl_repeat *repeat, rl_repeat_rule rule, const rl_target *target, int64_t deadline,
                     const rl_hook *hook)
{
    repeat->rule = rule;
    repeat->moves = rl_target_moves(target);
    repeat->deadline = deadline;
    repeat->hook = hook;
    repeat->pause = rule == RL_REPEAT_LOST ? 0 : REPEAT_PAUSE;
    repeat->first.kind = RL_OK;
}

/* Where another server may take over, that takes longer than any window: with Sentinel's default, 30 seconds at least. */
int64_t rl_repeat_waits_until(const rl_target *target, int64_t deadline, int64_t last_good)
{
    return rl_target_moves(target) ? deadline : platform_earlier(deadline, last_good + RECONNECT_WINDOW);
}

/* A pause of 0 only asks the hook. */
bool rl_repeat_again(rl_repeat *repeat, rl_error *error)
{
    bool passes = repeat->rule == RL_REPEAT_LOST && !repeat->moves ? rl_error_keep_first(error, &repeat->first)
                                                                   : rl_error_is_transient(error);
    int64_t now = platform_now();

    if (!passes || now >= repeat->deadline) {
        return false;
    }
    if (rl_wait(NULL, 0, platform_earlier(repeat->deadline, now + repeat->pause), repeat->hook) == RL_WAKE_HOOK) {
        *error = RL_INTERRUPTION;
        return false;
    }
    repeat->pause = platform_earlier(platform_later(2 * repeat->pause, REPEAT_PAUSE), LONGEST_PAUSE);
    return true;
}

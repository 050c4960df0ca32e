/* SPDX-License-Identifier: MIT
 *
 * redis/repeat: see redis/repeat.h.
 */
#include "redis/repeat.h"

#include "platform.h"

/* The pause before a request is sent again, and the longest that it grows to. */
#define REPEAT_PAUSE  (20 * PLATFORM_MSEC)
#define LONGEST_PAUSE (200 * PLATFORM_MSEC)

void rl_repeat_begin(rl_repeat *repeat, rl_repeat_rule rule, int64_t deadline, const rl_hook *hook)
{
    repeat->rule = rule;
    repeat->deadline = deadline;
    repeat->hook = hook;
    repeat->pause = rule == RL_REPEAT_LOST ? 0 : REPEAT_PAUSE;
    repeat->first.kind = RL_OK;
}

/* A pause of 0 only asks the hook. */
bool rl_repeat_again(rl_repeat *repeat, rl_error *error)
{
    bool passes =
        repeat->rule == RL_REPEAT_LOST ? rl_error_keep_first(error, &repeat->first) : rl_error_is_transient(error);
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

/* SPDX-License-Identifier: MIT
 *
 * redis/clock: see redis/clock.h.
 */
#include "redis/clock.h"

#include "invariant.h"

/* The least time that a request gets, however late the call is. */
#define MOMENT (RL_CLEANUP_GRACE / 4)

rl_clock rl_clock_budget(int64_t now, int64_t budget)
{
    int64_t deadline = platform_after(now, budget);

    return (rl_clock){.deadline = deadline, .hard_deadline = platform_after(deadline, RL_CLEANUP_BUDGET)};
}

rl_clock rl_clock_wait(int64_t now, int64_t timeout, int64_t budget)
{
    return rl_clock_budget(now, timeout > 0 ? timeout : budget);
}

void rl_clock_ask(rl_clock *clock, const rl_target *target, int64_t now)
{
    int64_t by = now;

    RL_INVARIANT(clock->deadline <= clock->hard_deadline);
    if (now < clock->deadline) {
        by = platform_earlier(clock->deadline, platform_after(now, rl_target_budget(target)));
    }
    by = platform_earlier(platform_after(by, RL_FINAL_REPLY_GRACE), clock->hard_deadline);
    clock->reply_by = platform_later(by, now + MOMENT);
    clock->sent_at = now;
    clock->connect_by = platform_earlier(clock->reply_by, platform_after(now, target->connect_timeout));
}

int64_t rl_clock_last_try_at(const rl_clock *clock, int64_t timeout, int64_t round_trip, int64_t grace)
{
    if (clock->deadline == PLATFORM_NEVER) {
        return PLATFORM_NEVER;
    }
    return clock->deadline - platform_earlier(rl_clock_lead(round_trip, grace), timeout / 2);
}

bool rl_clock_is_only_slow(const rl_target *target, int64_t last_good, int64_t end)
{
    if (last_good == 0) {
        return false;
    }
    int64_t now = platform_now();
    return now >= end && now - last_good < target->read_timeout + RL_CLEANUP_BUDGET;
}

int64_t rl_clock_cleanup(rl_clock *clock)
{
    int64_t now = platform_now(), limit = platform_earlier(now + RL_CLEANUP_GRACE, clock->hard_deadline);

    rl_clock_ask_by(clock, now, platform_later(limit, now + MOMENT));
    return clock->reply_by;
}

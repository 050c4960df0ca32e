/* SPDX-License-Identifier: MIT
 *
 * invariant_off: see invariant_off.h.
 */
#undef REDISLOCK_INVARIANTS
#undef NDEBUG
#define NDEBUG 1

#include "invariant_off.h"

#include "invariant.h"

static int times;

/* Only the invariant names it: that counts as a use. */
static bool evaluate(void)
{
    times++;
    return false;
}

int off_times_evaluated(void)
{
    bool only_checked = false; /* as this one */

    RL_INVARIANT(evaluate());
    RL_INVARIANT(only_checked);
    return times;
}

void off_breaks_a_guard(void)
{
    RL_GUARD(times > 0);
}

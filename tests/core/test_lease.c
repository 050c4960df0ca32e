/* SPDX-License-Identifier: MIT
 *
 * What a holder believes of its lease.
 */
#include "bed.h"
#include "lock/lease.h"
#include "platform/platform.h"

#define STEP     15625 /* µs; 64 a second, as Windows counts ticks */
#define DURATION (200 * PLATFORM_MSEC)

/* What a clock shows that moves in steps. */
static int64_t shown(int64_t time)
{
    return time - time % STEP;
}

/* Whenever the request was sent, and whenever the holder looks: its lease is not over at the server, nor within 1 % and
 * 2 ms. */
TEST(lease_is_not_believed_for_longer_if_the_clock_moves_in_steps)
{
    int64_t drift = DURATION / 100 + 2 * PLATFORM_MSEC, believed = 0;

    platform_false_step = STEP;
    CHECK_INT(platform_now() % STEP, 0);
    for (int64_t sent = PLATFORM_SEC; sent < PLATFORM_SEC + STEP; sent += 125) {
        lock_lease lease = {.sent = shown(sent), .duration = DURATION};
        for (int64_t now = sent; now < sent + DURATION + STEP; now += 125) {
            bool holds = lock_lease_validity(&lease, shown(now)) > 0;
            CHECK(!holds || now - sent < DURATION - drift);
            believed += holds;
        }
    }
    CHECK(believed > 0);
    platform_false_step = 0;
}

/* Redis may keep the lock until then, also if the clock is behind: a release that failed is owed for so long. */
TEST(lease_may_last_longer_at_the_server_if_the_clock_moves_in_steps)
{
    platform_false_step = STEP;
    for (int64_t now = PLATFORM_SEC; now < PLATFORM_SEC + 2 * STEP; now += 125) {
        int64_t latest = now + DURATION + DURATION / 100 + 2 * PLATFORM_MSEC;
        CHECK(lock_lease_ends_by(shown(now), DURATION) >= latest);
    }
    platform_false_step = 0;
}

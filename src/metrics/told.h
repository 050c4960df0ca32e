/* SPDX-License-Identifier: MIT
 *
 * metrics/told: whether a reason was told of lately, by this process, its parent, or any other child of that.
 *
 * If workers are replaced all the time, as in PHP-FPM, each would tell anew of what is wrong with the machine. So the time
 * at which a reason was told stands in memory that is made before the first fork, and that all of them share. Its pages are
 * there only once they are written to. What a worker writes there by mistake or malice makes lines come more or less often, no
 * more.
 */
#ifndef REDISLOCK_METRICS_TOLD_H
#define REDISLOCK_METRICS_TOLD_H

#include <stdbool.h>

#include "platform/platform.h"

#define TOLD_EVERY (3600 * PLATFORM_SEC)

typedef struct told told;

/* Makes the memory, which the children of this process will have too. NULL: there is none, so each reason is told each time. */
told *told_new(void);
void told_free(told *t);

/* Should the reason be told at this time? Not if it was within the last TOLD_EVERY; if so, it counts as told. */
bool told_is_due(told *t, const char *reason, int64_t now);

#endif

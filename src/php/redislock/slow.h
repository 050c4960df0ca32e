/* SPDX-License-Identifier: MIT
 *
 * php/redislock/slow: a line in PHP's error log for a lock that had to be waited for, or was held, for longer than an
 * option says.
 */
#ifndef REDISLOCK_PHP_REDISLOCK_SLOW_H
#define REDISLOCK_PHP_REDISLOCK_SLOW_H

#include "php/redislock/state.h"

/* Logs it: see lock_slow_terms. `arg` is the call. */
void php_lock_slow_tell(void *arg, rl_bytes name, lock_slow what, int64_t span);

/* Lets the call log what is slow by `slow_wait` and `slow_hold`. */
static inline void php_lock_slow_prepare(php_lock_call *call, const php_rl_settings *settings)
{
    if (settings->slow_wait != PLATFORM_NEVER || settings->slow_hold != PLATFORM_NEVER) {
        call->slow = (lock_slow_terms){settings->slow_wait, settings->slow_hold, php_lock_slow_tell, call};
        call->client.slow = &call->slow;
    }
}

#endif

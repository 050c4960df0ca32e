/* SPDX-License-Identifier: MIT
 *
 * php/redislock/owner: who this process is and what it works on, as its tokens and waiters' ids tell it: see lock/owner.h.
 */
#ifndef REDISLOCK_PHP_REDISLOCK_OWNER_H
#define REDISLOCK_PHP_REDISLOCK_OWNER_H

#include "php/options.h"
#include "platform/platform.h"

/* Makes the default owner, which is made once for as long as it stays. */
void php_lock_owner_make(int64_t process);

/* Returns what tokens of the object tell of their owner now; "": nothing. Valid until describe() or the options change it. */
static inline rl_bytes php_lock_owner(const php_rl_options *options)
{
    int64_t process = platform_process();

    if (options->owner != NULL) {
        return (rl_bytes){ZSTR_VAL(options->owner), ZSTR_LEN(options->owner)};
    }
    if (RL_G(owner_process) != process) {
        php_lock_owner_make(process);
    }
    return (rl_bytes){RL_G(owner), RL_G(owner_len)};
}

/* Forgets what the last request has said that it works on; at RINIT. */
void php_lock_owner_reset(void);

#endif

/* SPDX-License-Identifier: MIT
 *
 * php/redislock/owner: who this process is and what it works on, as its tokens and waiters' ids tell it: see lock/owner.h.
 */
#ifndef REDISLOCK_PHP_REDISLOCK_OWNER_H
#define REDISLOCK_PHP_REDISLOCK_OWNER_H

#include "php/options.h"

/* Returns what tokens of the object tell of their owner now; "": nothing. Valid until describe() or the options change it. */
rl_bytes php_lock_owner(const php_rl_options *options);

/* Forgets what the last request has said that it works on; at RINIT. */
void php_lock_owner_reset(void);

#endif

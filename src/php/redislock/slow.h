/* SPDX-License-Identifier: MIT
 *
 * php/redislock/slow: a line in PHP's error log for a lock that had to be waited for, or was held, for longer than an
 * option says.
 */
#ifndef REDISLOCK_PHP_REDISLOCK_SLOW_H
#define REDISLOCK_PHP_REDISLOCK_SLOW_H

#include "lock/client.h"

#define PHP_LOCK_SLOW_NAME 200                            /* bytes of a lock's name that are shown */
#define PHP_LOCK_SLOW_LINE (4 * PHP_LOCK_SLOW_NAME + 256) /* of a name, each byte may take four */

/* Is a line due? If not, since one was logged just before, the next one says how many were left out. */
bool php_lock_slow_is_due(void);

/* Writes the line. */
void php_lock_slow_write(char line[PHP_LOCK_SLOW_LINE], rl_bytes name, lock_slow what, int64_t span, rl_bytes owner);

/* Logs the line: for php_rl_call_run(). */
void php_lock_slow_log(void *line);

#endif

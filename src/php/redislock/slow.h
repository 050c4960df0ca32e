/* SPDX-License-Identifier: MIT
 *
 * php/redislock/slow: a line in PHP's error log for a lock that had to be waited for, or was held, for longer than an
 * option says.
 */
#ifndef REDISLOCK_PHP_REDISLOCK_SLOW_H
#define REDISLOCK_PHP_REDISLOCK_SLOW_H

#include "lock/client.h"

#define PHP_LOCK_SLOW_LINE 1056

/* Writes the line. False: none is due, since one was logged just before. */
bool php_lock_slow_line(char line[PHP_LOCK_SLOW_LINE], rl_bytes name, lock_slow what, int64_t span, rl_bytes owner);

/* Logs the line. */
void php_lock_slow_log(const char *line);

#endif

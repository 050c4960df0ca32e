/* SPDX-License-Identifier: MIT
 *
 * php/redislock/lock: class RedisLock.
 */
#ifndef REDISLOCK_PHP_REDISLOCK_LOCK_H
#define REDISLOCK_PHP_REDISLOCK_LOCK_H

#include "php.h"

/* Registers the class; at MINIT. */
void php_lock_register_class(void);

/* Makes `array` an array of what this process, or thread, has done so far. */
void php_lock_stats(zval *array);

#endif

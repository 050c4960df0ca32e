/* SPDX-License-Identifier: MIT
 *
 * php/lock_arguments: checks of the arguments that only RedisLock's methods have.
 */
#ifndef PHP_REDISLOCK_LOCK_ARGUMENTS_H
#define PHP_REDISLOCK_LOCK_ARGUMENTS_H

#include "php/arguments.h"

/* Each function checks one argument, whose number is `arg`. False: an error was thrown. */

/* Checks $name, which is the first argument. */
bool php_lock_check_name(zend_string *name);

/* Checks one element of $names, which is the first argument. */
bool php_lock_check_one_name(zend_string *name);

/* Check $timeout and $expire, and set the time in µs: from `value`, or to `otherwise` if the argument was null. */
bool php_lock_check_timeout(uint32_t arg, bool is_null, double value, int64_t otherwise, int64_t *timeout);
bool php_lock_check_expire(uint32_t arg, bool is_null, double value, int64_t otherwise, int64_t *expire);

/* Checks $token (NULL: not given) and sets `token`, which is NULL if there is none. It must be a string, or may be null
 * if `type` is "?string"; other types are not converted. `instead` is advice for the message: what to write. */
bool php_lock_check_token(uint32_t arg, zval *value, const char *type, const char *instead, zend_string **token);

#endif

/* SPDX-License-Identifier: MIT
 *
 * php_arguments: what the methods' arguments may be.
 */
#ifndef PHP_REDISLOCK_ARGUMENTS_H
#define PHP_REDISLOCK_ARGUMENTS_H

#include "php.h"

#include "redis_script.h"

/* The text's own bytes. */
redis_bytes php_lock_bytes(zend_string *text);

/* Each of these checks one argument, of the number `arg`. False: an error was thrown. */

/* $name, the first one. */
bool php_lock_check_name(zend_string *name);

/* One of $names, the first one. */
bool php_lock_check_one_name(zend_string *name);

/* $timeout and $expire: `value` is what was given, or `otherwise` counts where it was null. In µs. */
bool php_lock_check_timeout(uint32_t arg, bool is_null, double value, int64_t otherwise, int64_t *timeout);
bool php_lock_check_expire(uint32_t arg, bool is_null, double value, int64_t otherwise, int64_t *expire);

/* $token (NULL: not given): a string, or null where `type` is "?string", never made from something else. `instead` is
 * what to write, for the message. */
bool php_lock_check_token(uint32_t arg, zval *value, const char *type, const char *instead, zend_string **token);

#endif

/* SPDX-License-Identifier: MIT
 *
 * php/arguments: what the methods' arguments may be.
 */
#ifndef PHP_REDISLOCK_ARGUMENTS_H
#define PHP_REDISLOCK_ARGUMENTS_H

#include "php.h"

#include "php/options.h"

/* The text's own bytes. */
rl_bytes php_lock_bytes(zend_string *text);

/* Each of these checks one argument, of the number `arg`. False: an error was thrown. */

/* $name, the first one. */
bool php_lock_check_name(zend_string *name);

/* One of $names, the first one. */
bool php_lock_check_one_name(zend_string *name);

/* Neither empty nor longer than PHP_LOCK_MAX_NAME. */
bool php_lock_check_length(uint32_t arg, const zend_string *text);

/* Seconds that follow the rule, in µs. */
bool php_lock_check_time(uint32_t arg, const php_lock_time_rule *rule, double seconds, int64_t *span);

/* $timeout and $expire: `value` is what was given, or `otherwise` counts where it was null. In µs. */
bool php_lock_check_timeout(uint32_t arg, bool is_null, double value, int64_t otherwise, int64_t *timeout);
bool php_lock_check_expire(uint32_t arg, bool is_null, double value, int64_t otherwise, int64_t *expire);

/* $token (NULL: not given): a string, or null where `type` is "?string", never made from something else. `instead` is
 * what to write, for the message. */
bool php_lock_check_token(uint32_t arg, zval *value, const char *type, const char *instead, zend_string **token);

#endif

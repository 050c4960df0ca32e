/* SPDX-License-Identifier: MIT
 *
 * php/arguments: checks of the methods' arguments.
 */
#ifndef PHP_REDISLOCK_ARGUMENTS_H
#define PHP_REDISLOCK_ARGUMENTS_H

#include "php.h"

#include "php/options.h"

/* Returns the bytes of the text, which still owns them. */
rl_bytes php_lock_bytes(zend_string *text);

/* Each function below checks one argument, whose number is `arg`. False: an error was thrown. */

/* Checks $name, which is the first argument. */
bool php_lock_check_name(zend_string *name);

/* Checks one element of $names, which is the first argument. */
bool php_lock_check_one_name(zend_string *name);

/* Checks that the text is neither empty nor longer than PHP_LOCK_MAX_NAME. */
bool php_lock_check_length(uint32_t arg, const zend_string *text);

/* Checks that the seconds follow the rule, and sets `span` to them in µs. */
bool php_lock_check_time(uint32_t arg, const php_lock_time_rule *rule, double seconds, int64_t *span);

/* Check $timeout and $expire, and set the time in µs: from `value`, or to `otherwise` if the argument was null. */
bool php_lock_check_timeout(uint32_t arg, bool is_null, double value, int64_t otherwise, int64_t *timeout);
bool php_lock_check_expire(uint32_t arg, bool is_null, double value, int64_t otherwise, int64_t *expire);

/* Checks $token (NULL: not given) and sets `token`, which is NULL if there is none. It must be a string, or may be null
 * if `type` is "?string"; other types are not converted. `instead` is advice for the message: what to write. */
bool php_lock_check_token(uint32_t arg, zval *value, const char *type, const char *instead, zend_string **token);

#endif

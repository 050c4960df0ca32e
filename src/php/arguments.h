/* SPDX-License-Identifier: MIT
 *
 * php/arguments: checks of the methods' arguments.
 */
#ifndef PHP_REDISLOCK_ARGUMENTS_H
#define PHP_REDISLOCK_ARGUMENTS_H

#include "php.h"

#include "php/options.h"

/* Returns the bytes of the text, which still owns them. */
rl_bytes php_rl_bytes(zend_string *text);

/* Each function below checks one argument, whose number is `arg`. False: an error was thrown. */

/* Checks that the text is neither empty nor longer than PHP_RL_MAX_NAME. */
bool php_rl_check_length(uint32_t arg, const zend_string *text);

/* Checks that the seconds follow the rule, and sets `span` to them in µs. */
bool php_rl_check_time(uint32_t arg, const php_rl_time_rule *rule, double seconds, int64_t *span);

#endif

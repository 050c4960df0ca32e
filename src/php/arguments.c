/* SPDX-License-Identifier: MIT
 *
 * php/arguments: see php/arguments.h.
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "php/arguments.h"

rl_bytes php_rl_bytes(zend_string *text)
{
    return (rl_bytes){ZSTR_VAL(text), ZSTR_LEN(text)};
}

bool php_rl_check_length(uint32_t arg, const zend_string *text)
{
    if (ZSTR_LEN(text) == 0) {
        zend_argument_value_error(arg, "must not be empty");
        return false;
    }
    if (ZSTR_LEN(text) > PHP_RL_MAX_NAME) {
        zend_argument_value_error(arg, "must not be longer than %d bytes", PHP_RL_MAX_NAME);
        return false;
    }
    return true;
}

bool php_rl_check_time(uint32_t arg, const php_rl_time_rule *rule, double seconds, int64_t *span)
{
    if (!php_rl_time(rule, seconds, span)) {
        zend_argument_value_error(arg, "must be %s", rule->range);
        return false;
    }
    return true;
}

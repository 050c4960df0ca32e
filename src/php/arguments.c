/* SPDX-License-Identifier: MIT
 *
 * php/arguments: see php/arguments.h.
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "php/arguments.h"

#include <math.h>

#include "lock/client.h"
#include "platform/platform.h"

rl_bytes php_rl_bytes(zend_string *text)
{
    return (rl_bytes){ZSTR_VAL(text), ZSTR_LEN(text)};
}

/* ---- times ---- */

const php_rl_time_rule php_rl_rule_lease = {LOCK_SHORTEST_LEASE, true, "between 0.01 and 1000000000 seconds, or INF"};
const php_rl_time_rule php_rl_rule_wait = {0, true, "between 0 and 1000000000 seconds, or INF"};

/* The range is checked before the conversion, so that nothing overflows. */
bool php_rl_time(const php_rl_time_rule *rule, double seconds, int64_t *span)
{
    int64_t rounded;

    if (seconds == ZEND_INFINITY) {
        rounded = PLATFORM_NEVER;
    } else if (seconds >= 0 && seconds <= PHP_RL_MAX_SECONDS) {
        /* 1.1 * 1000 is a little more than 1100, which must not be rounded up to 1101. */
        rounded = (int64_t)ceil(seconds * 1000 - 1e-6) * PLATFORM_MSEC;
    } else {
        return false; /* also NAN, for which no comparison is true */
    }
    if (rounded < rule->least || (rounded == PLATFORM_NEVER && !rule->endless)) {
        return false;
    }
    *span = rounded;
    return true;
}

double php_rl_to_seconds(int64_t span)
{
    return span == PLATFORM_NEVER ? ZEND_INFINITY : (double)span / (double)PLATFORM_SEC;
}

const char *php_rl_span_text(char text[PHP_RL_SPAN_TEXT], int64_t span)
{
    size_t len;

    if (span == PLATFORM_NEVER) {
        return "without end";
    }
    len = (size_t)snprintf(text, PHP_RL_SPAN_TEXT, "%.3F", (double)span / (double)PLATFORM_SEC);
    while (text[len - 1] == '0') {
        len--;
    }
    strcpy(text + len - (text[len - 1] == '.'), " s");
    return text;
}

/* ---- checks ---- */

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

/* PHP would convert other types. The 100000 µs of a polling interval, which hand-written lock classes take in this
 * place, or the true that their lock() returns, would become one owner token for a whole fleet. */
bool php_lock_check_token(uint32_t arg, zval *value, const char *type, const char *instead, zend_string **token)
{
    *token = NULL;
    if (value == NULL || (Z_TYPE_P(value) == IS_NULL && *type == '?')) {
        return true;
    }
    if (Z_TYPE_P(value) != IS_STRING) {
        zend_argument_type_error(arg, "must be of type %s, %s given: %s", type, zend_zval_type_name(value), instead);
        return false;
    }
    if (!php_rl_check_length(arg, Z_STR_P(value))) {
        return false;
    }
    *token = Z_STR_P(value);
    return true;
}

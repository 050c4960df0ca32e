/* SPDX-License-Identifier: MIT
 *
 * php/lock_arguments: see php/lock_arguments.h.
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "php/lock_arguments.h"

#include "lock/keys.h"

/* Returns why this cannot be a name, as the end of a sentence that begins with "must not"; NULL: it can be one. */
static const char *fault_of_name(zend_string *name)
{
    if (ZSTR_LEN(name) == 0) {
        return "be empty";
    }
    if (ZSTR_LEN(name) > PHP_RL_MAX_NAME) {
        return "be longer than 65535 bytes";
    }
    if (lock_name_is_reserved(php_rl_bytes(name))) {
        return "end in \":rl:baton\", \":rl:wait\", \":rl:fence\", \":rl:note\", \":rl:value\" or \":rl:wake\"";
    }
    return NULL;
}

bool php_lock_check_name(zend_string *name)
{
    const char *fault = fault_of_name(name);

    if (fault != NULL) {
        zend_argument_value_error(1, "must not %s", fault);
    }
    return fault == NULL;
}

bool php_lock_check_one_name(zend_string *name)
{
    const char *fault = fault_of_name(name);

    if (fault != NULL) {
        zend_argument_value_error(1, "must have names only, and a name must not %s", fault);
    }
    return fault == NULL;
}

bool php_lock_check_timeout(uint32_t arg, bool is_null, double value, int64_t otherwise, int64_t *timeout)
{
    *timeout = otherwise;
    return is_null || php_rl_check_time(arg, &php_rl_rule_wait, value, timeout);
}

bool php_lock_check_expire(uint32_t arg, bool is_null, double value, int64_t otherwise, int64_t *expire)
{
    *expire = otherwise;
    return is_null || php_rl_check_time(arg, &php_rl_rule_lease, value, expire);
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

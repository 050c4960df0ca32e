/* SPDX-License-Identifier: MIT
 *
 * php/redislock/errors: see php/redislock/errors.h.
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "php/redislock/errors.h"

#include "zend_exceptions.h"

#include "php/errors.h"

zend_class_entry *php_lock_exception_ce;
zend_class_entry *php_lock_timeout_exception_ce;
zend_class_entry *php_lock_held_exception_ce;
zend_class_entry *php_lock_lost_exception_ce;

/* ---- warnings ---- */

void php_lock_warn(zend_string *name, const char *server, const char *reason)
{
    zend_string *message = php_rl_message(PHP_LOCK_SUBJECT, reason, name, server);

    php_error_docref(NULL, E_WARNING, "%s", ZSTR_VAL(message));
    php_lock_log_instead(ZSTR_VAL(message));
    zend_string_release(message);
}

void php_lock_log_instead(const char *warning)
{
    if (EG(exception) != NULL && instanceof_function(EG(exception)->ce, zend_ce_error_exception)) {
        zend_clear_exception();
        php_log_err(warning);
    }
}

/* ---- exceptions ---- */

PHP_METHOD(RedisLockException, __construct)
{
    php_rl_exception_construct(INTERNAL_FUNCTION_PARAM_PASSTHRU, false);
}

PHP_METHOD(RedisLockLostException, __construct)
{
    php_rl_exception_construct(INTERNAL_FUNCTION_PARAM_PASSTHRU, true);
}

zend_object *php_lock_lost_exception_create(zend_class_entry *ce)
{
    zend_object *exception = php_rl_exception_create(ce);
    zval *result = php_rl_own_property(exception, PHP_RL_RESULT);

    ZVAL_NULL(result);
    Z_PROP_FLAG_P(result) = 0;
    return exception;
}

void php_lock_throw_timeout(zend_string *name, const char *server, const char *reason)
{
    php_rl_throw(php_lock_timeout_exception_ce, PHP_LOCK_SUBJECT, reason, name, server, "");
}

void php_lock_throw_held(zend_string *name, const char *server)
{
    php_rl_throw(php_lock_held_exception_ce, PHP_LOCK_SUBJECT, "this object holds the lock already", name, server, "");
}

void php_lock_throw(zend_string *name, const char *reason)
{
    php_rl_throw(php_lock_exception_ce, PHP_LOCK_SUBJECT, reason, name, "", "");
}

zend_object *php_lock_lost_object(zend_string *name, const char *server, const char *reason, zval *result)
{
    zend_object *exception = php_rl_exception(php_lock_lost_exception_ce, PHP_LOCK_SUBJECT, reason, name, server, "");

    if (result != NULL) {
        ZVAL_COPY_DEREF(php_rl_own_property(exception, PHP_RL_RESULT), result);
    }
    return exception;
}

bool php_lock_is_loss_of(zend_object *exception, zend_string *name, const char *server)
{
    const zval *lock_name, *lock_server;

    if (!instanceof_function(exception->ce, php_lock_lost_exception_ce)) {
        return false;
    }
    lock_name = php_rl_own_property(exception, PHP_RL_NAME);
    lock_server = php_rl_own_property(exception, PHP_RL_SERVER);
    return zend_string_equals(Z_STR_P(lock_name), name) &&
           zend_string_equals_cstr(Z_STR_P(lock_server), server, strlen(server));
}

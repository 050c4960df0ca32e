/* SPDX-License-Identifier: MIT
 *
 * php_errors: see php_errors.h.
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "php_errors.h"

#include "ext/spl/spl_exceptions.h"
#include "zend_exceptions.h"
#include "zend_smart_str.h"

zend_class_entry *php_lock_exception_ce;
zend_class_entry *php_lock_connection_exception_ce;
zend_class_entry *php_lock_server_exception_ce;
zend_class_entry *php_lock_timeout_exception_ce;
zend_class_entry *php_lock_lost_exception_ce;

static void set_property(zend_object *exception, const char *property, const char *value, size_t len)
{
    zval text;

    ZVAL_STRINGL(&text, value, len);
    zend_update_property(php_lock_exception_ce, exception, property, strlen(property), &text);
    zval_ptr_dtor(&text);
}

/* `reason` at `server`, and which lock it was about. */
static zend_object *make_exception(zend_class_entry *ce, const char *reason, zend_string *name, const char *server,
                                   const char *code)
{
    smart_str message = {0};
    zval exception;

    object_init_ex(&exception, ce);
    if (*server != '\0') {
        smart_str_appends(&message, server);
        smart_str_appends(&message, ": ");
    }
    smart_str_appends(&message, reason);
    if (name != NULL) {
        smart_str_appends(&message, " (lock \"");
        smart_str_append_escaped_truncated(&message, name, 100);
        smart_str_appends(&message, "\")");
    }
    smart_str_0(&message);
    set_property(Z_OBJ(exception), "message", ZSTR_VAL(message.s), ZSTR_LEN(message.s));
    set_property(Z_OBJ(exception), "lockName", name != NULL ? ZSTR_VAL(name) : "", name != NULL ? ZSTR_LEN(name) : 0);
    set_property(Z_OBJ(exception), "server", server, strlen(server));
    set_property(Z_OBJ(exception), "redisError", code, strlen(code));
    smart_str_free(&message);
    return Z_OBJ(exception);
}

static void throw_object(zend_object *exception)
{
    zval zv;

    ZVAL_OBJ(&zv, exception);
    zend_throw_exception_object(&zv);
}

zend_object *php_lock_error_object(const redis_error *error, zend_string *name, const char *server)
{
    zend_class_entry *ce =
        error->kind == REDIS_ERROR_REPLY ? php_lock_server_exception_ce : php_lock_connection_exception_ce;

    return make_exception(ce, error->text, name, server, error->code);
}

void php_lock_throw_error(const redis_error *error, zend_string *name, const char *server)
{
    throw_object(php_lock_error_object(error, name, server));
}

void php_lock_throw_timeout(zend_string *name, const char *server, const char *reason)
{
    throw_object(make_exception(php_lock_timeout_exception_ce, reason, name, server, ""));
}

void php_lock_throw_lost(zend_string *name, const char *server, zval *result)
{
    zend_object *exception =
        make_exception(php_lock_lost_exception_ce, "the lock was lost before the section was over", name, server, "");

    zend_update_property(php_lock_lost_exception_ce, exception, "result", strlen("result"), result);
    throw_object(exception);
}

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
zend_class_entry *php_queue_exception_ce;
zend_class_entry *php_queue_connection_exception_ce;
zend_class_entry *php_queue_server_exception_ce;

/* The exceptions' own properties are readonly, and written here past that: an exception that somebody else makes has
 * them too, empty. */
static zval *own_property(zend_object *exception, const char *name)
{
    zend_property_info *info = zend_hash_str_find_ptr(&exception->ce->properties_info, name, strlen(name));

    return OBJ_PROP(exception, info->offset);
}

static void set_own(zend_object *exception, const char *name, const char *value, size_t len)
{
    zval *slot = own_property(exception, name);

    zval_ptr_dtor(slot);
    ZVAL_STRINGL(slot, value, len);
    Z_PROP_FLAG_P(slot) = 0;
}

static bool is_of_queue(const zend_class_entry *ce)
{
    return php_queue_exception_ce != NULL && instanceof_function(ce, php_queue_exception_ce);
}

/* Which of the two trees names what it is about how. */
static const char *name_property(const zend_class_entry *ce)
{
    return is_of_queue(ce) ? "queueName" : "lockName";
}

static zend_object *create_exception(zend_class_entry *ce)
{
    const char *const names[] = {name_property(ce), "server", "redisError"};
    zend_object *exception = spl_ce_RuntimeException->create_object(ce);

    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        set_own(exception, names[i], "", 0);
    }
    if (instanceof_function(ce, php_lock_lost_exception_ce)) {
        zval *result = own_property(exception, "result");
        ZVAL_NULL(result);
        Z_PROP_FLAG_P(result) = 0;
    }
    return exception;
}

void php_lock_prepare_exceptions(void)
{
    zend_class_entry *const classes[] = {php_lock_exception_ce, php_lock_connection_exception_ce,
                                         php_lock_server_exception_ce, php_lock_timeout_exception_ce,
                                         php_lock_lost_exception_ce};

    for (size_t i = 0; i < sizeof(classes) / sizeof(*classes); i++) {
        classes[i]->create_object = create_exception;
    }
}

void php_queue_prepare_exceptions(void)
{
    php_queue_exception_ce->create_object = create_exception;
    php_queue_connection_exception_ce->create_object = create_exception;
    php_queue_server_exception_ce->create_object = create_exception;
}

/* `reason` at `server`, and which lock or queue it was about. */
static zend_object *make_exception(zend_class_entry *ce, const char *reason, zend_string *name, const char *server,
                                   const char *code)
{
    smart_str message = {0};
    zval exception, text;

    object_init_ex(&exception, ce);
    if (*server != '\0') {
        smart_str_appends(&message, server);
        smart_str_appends(&message, ": ");
    }
    smart_str_appends(&message, reason);
    if (name != NULL) {
        smart_str_appends(&message, is_of_queue(ce) ? " (queue \"" : " (lock \"");
        smart_str_append_escaped_truncated(&message, name, 100);
        smart_str_appends(&message, "\")");
    }
    smart_str_0(&message);
    ZVAL_STR(&text, message.s);
    zend_update_property(zend_ce_exception, Z_OBJ(exception), "message", strlen("message"), &text);
    zval_ptr_dtor(&text);
    set_own(Z_OBJ(exception), name_property(ce), name != NULL ? ZSTR_VAL(name) : "", name != NULL ? ZSTR_LEN(name) : 0);
    set_own(Z_OBJ(exception), "server", server, strlen(server));
    set_own(Z_OBJ(exception), "redisError", code, strlen(code));
    return Z_OBJ(exception);
}

static void throw_object(zend_object *exception)
{
    zval zv;

    ZVAL_OBJ(&zv, exception);
    zend_throw_exception_object(&zv);
}

static void throw_error(zend_class_entry *of_server, zend_class_entry *of_connection, const redis_error *error,
                        zend_string *name, const char *server)
{
    zend_class_entry *ce = error->kind == REDIS_ERROR_REPLY ? of_server : of_connection;

    throw_object(make_exception(ce, error->text, name, server, error->code));
}

void php_lock_throw_error(const redis_error *error, zend_string *name, const char *server)
{
    throw_error(php_lock_server_exception_ce, php_lock_connection_exception_ce, error, name, server);
}

void php_queue_throw_error(const redis_error *error, zend_string *name, const char *server)
{
    throw_error(php_queue_server_exception_ce, php_queue_connection_exception_ce, error, name, server);
}

void php_lock_throw_forked(bool of_queue)
{
    throw_object(of_queue ? make_exception(php_queue_exception_ce,
                                           "the process was forked while its parent waited for a task", NULL, "", "")
                          : make_exception(php_lock_exception_ce,
                                           "the process was forked while its parent waited for a lock", NULL, "", ""));
}

void php_lock_throw_timeout(zend_string *name, const char *server, const char *reason)
{
    throw_object(make_exception(php_lock_timeout_exception_ce, reason, name, server, ""));
}

void php_lock_throw(zend_string *name, const char *reason)
{
    throw_object(make_exception(php_lock_exception_ce, reason, name, "", ""));
}

zend_object *php_lock_lost_object(zend_string *name, const char *server, zval *result)
{
    zend_object *exception =
        make_exception(php_lock_lost_exception_ce, "the lock was lost before the section was over", name, server, "");

    if (result != NULL) {
        ZVAL_COPY_DEREF(own_property(exception, "result"), result);
    }
    return exception;
}

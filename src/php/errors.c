/* SPDX-License-Identifier: MIT
 *
 * php/errors: see php/errors.h.
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "php/errors.h"

#include "ext/spl/spl_exceptions.h"
#include "zend_exceptions.h"
#include "zend_smart_str.h"

zend_class_entry *php_lock_exception_ce;
zend_class_entry *php_lock_connection_exception_ce;
zend_class_entry *php_lock_server_exception_ce;
zend_class_entry *php_lock_timeout_exception_ce;
zend_class_entry *php_lock_held_exception_ce;
zend_class_entry *php_lock_lost_exception_ce;
zend_class_entry *php_queue_exception_ce;
zend_class_entry *php_queue_connection_exception_ce;
zend_class_entry *php_queue_server_exception_ce;

/* ---- texts ---- */

/* Returns the length of the control character that begins at `at`, or 0 if none does. In UTF-8 some have two bytes. */
static size_t control_length(const char *at, const char *end)
{
    unsigned char byte = (unsigned char)*at;

    if (byte < 0x20 || byte == 0x7f) {
        return 1;
    }
    return byte == 0xc2 && end - at > 1 && (unsigned char)at[1] < 0xa0 ? 2 : 0;
}

static void append_printable(smart_str *text, const char *bytes)
{
    for (const char *at = bytes, *end = bytes + strlen(bytes); at < end;) {
        size_t control = control_length(at, end);
        if (control == 0) {
            smart_str_appendc(text, *at++);
        }
        for (; control > 0; control--) {
            smart_str_append_printf(text, "\\x%02X", (unsigned char)*at++);
        }
    }
}

/* Returns a message: the server (may be empty), the reason, and the lock or queue that it is about (NULL: none). */
static zend_string *message_of(const char *reason, zend_string *name, const char *server, bool of_queue)
{
    smart_str message = {0};

    if (*server != '\0') {
        append_printable(&message, server);
        smart_str_appends(&message, ": ");
    }
    append_printable(&message, reason);
    if (name != NULL) {
        smart_str_appends(&message, of_queue ? " (queue \"" : " (lock \"");
        smart_str_append_escaped_truncated(&message, name, 100);
        smart_str_appends(&message, "\")");
    }
    return smart_str_extract(&message);
}

zend_string *php_lock_describe(const rl_error *error, zend_string *name, const char *server)
{
    return message_of(error->text, name, server, false);
}

void php_lock_warn(zend_string *name, const char *server, const char *reason)
{
    zend_string *message = message_of(reason, name, server, false);

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

/* ---- the classes ---- */

/* Returns the slot of one of the exceptions' own properties. They are readonly for PHP code, but are written through
 * the slot. */
static zval *own_property(zend_object *exception, const char *name)
{
    zend_property_info *info = zend_hash_str_find_ptr(&exception->ce->properties_info, name, strlen(name));

    return OBJ_PROP(exception, info->offset);
}

static void set_own(zend_object *exception, const char *name, zend_string *value)
{
    zval *slot = own_property(exception, name);

    zval_ptr_dtor(slot);
    ZVAL_STR_COPY(slot, value);
    Z_PROP_FLAG_P(slot) = 0;
}

static void set_own_text(zend_object *exception, const char *name, const char *value)
{
    smart_str text = {0};
    zend_string *printable;

    append_printable(&text, value);
    printable = smart_str_extract(&text);
    set_own(exception, name, printable);
    zend_string_release(printable);
}

static bool is_of_queue(const zend_class_entry *ce)
{
    return php_queue_exception_ce != NULL && instanceof_function(ce, php_queue_exception_ce);
}

/* Returns which property has the name of the lock or queue: the exceptions of RedisLock and RedisQueue differ in it. */
static const char *name_property(const zend_class_entry *ce)
{
    return is_of_queue(ce) ? "queueName" : "lockName";
}

/* Makes an exception whose own properties are empty instead of uninitialized, so that PHP code can read them in any
 * case. */
static zend_object *create_exception(zend_class_entry *ce)
{
    const char *const names[] = {name_property(ce), "server", "redisError"};
    zend_object *exception = spl_ce_RuntimeException->create_object(ce);

    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        set_own(exception, names[i], ZSTR_EMPTY_ALLOC());
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
    zend_class_entry *const classes[] = {php_lock_exception_ce,        php_lock_connection_exception_ce,
                                         php_lock_server_exception_ce, php_lock_timeout_exception_ce,
                                         php_lock_held_exception_ce,   php_lock_lost_exception_ce};

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

/* Sets a readonly property for the first and last time. False: it was set before, and an Error was thrown. */
static bool set_once(zend_object *exception, const char *name, zval *value)
{
    zval *slot = own_property(exception, name);

    if (Z_TYPE_P(slot) != IS_NULL && !(Z_TYPE_P(slot) == IS_STRING && Z_STRLEN_P(slot) == 0)) {
        zend_throw_error(NULL, "Cannot modify readonly property %s::$%s", ZSTR_VAL(exception->ce->name), name);
        return false;
    }
    zval_ptr_dtor(slot);
    ZVAL_COPY(slot, value);
    return true;
}

/* PHP code may call a constructor again, so own properties are set by set_once(). An empty argument sets nothing: a
 * property that is empty counts as one that was not set. */
void php_lock_exception_construct(INTERNAL_FUNCTION_PARAMETERS, bool has_result)
{
    zend_object *self = Z_OBJ_P(ZEND_THIS);
    const char *const names[] = {name_property(self->ce), "server", "redisError", "result"};
    zend_string *message = NULL, *texts[3] = {NULL};
    zend_long code = 0;
    zval *previous = NULL, *result = NULL, text;

    ZEND_PARSE_PARAMETERS_START(0, has_result ? 7 : 6)
        Z_PARAM_OPTIONAL
        Z_PARAM_STR(message)
        Z_PARAM_LONG(code)
        Z_PARAM_OBJECT_OF_CLASS_OR_NULL(previous, zend_ce_throwable)
        Z_PARAM_STR(texts[0])
        Z_PARAM_STR(texts[1])
        Z_PARAM_STR(texts[2])
        Z_PARAM_ZVAL(result)
    ZEND_PARSE_PARAMETERS_END();

    if (message != NULL && ZSTR_LEN(message) > 0) { /* a subclass may have a default of its own */
        zend_update_property_str(zend_ce_exception, self, "message", strlen("message"), message);
    }
    if (code != 0) {
        zend_update_property_long(zend_ce_exception, self, "code", strlen("code"), code);
    }
    if (previous != NULL) {
        zend_update_property(zend_ce_exception, self, "previous", strlen("previous"), previous);
    }
    for (size_t i = 0; i < 3; i++) {
        if (texts[i] != NULL && ZSTR_LEN(texts[i]) > 0) {
            ZVAL_STR(&text, texts[i]);
            if (!set_once(self, names[i], &text)) {
                RETURN_THROWS();
            }
        }
    }
    if (result != NULL && Z_TYPE_P(result) != IS_NULL) {
        set_once(self, names[3], result);
    }
}

PHP_METHOD(RedisLockException, __construct)
{
    php_lock_exception_construct(INTERNAL_FUNCTION_PARAM_PASSTHRU, false);
}

PHP_METHOD(RedisLockLostException, __construct)
{
    php_lock_exception_construct(INTERNAL_FUNCTION_PARAM_PASSTHRU, true);
}

/* ---- throwing ---- */

static zend_object *make_exception(zend_class_entry *ce, const char *reason, zend_string *name, const char *server,
                                   const char *code)
{
    zval exception, text;

    object_init_ex(&exception, ce);
    ZVAL_STR(&text, message_of(reason, name, server, is_of_queue(ce)));
    zend_update_property(zend_ce_exception, Z_OBJ(exception), "message", strlen("message"), &text);
    zval_ptr_dtor(&text);
    set_own(Z_OBJ(exception), name_property(ce), name != NULL ? name : ZSTR_EMPTY_ALLOC());
    set_own_text(Z_OBJ(exception), "server", server);
    set_own_text(Z_OBJ(exception), "redisError", code);
    return Z_OBJ(exception);
}

static void throw_object(zend_object *exception)
{
    zval zv;

    ZVAL_OBJ(&zv, exception);
    zend_throw_exception_object(&zv);
}

static void throw_error(zend_class_entry *of_server, zend_class_entry *of_connection, const rl_error *error,
                        zend_string *name, const char *server)
{
    zend_class_entry *ce = error->kind == RL_ERROR_REPLY ? of_server : of_connection;

    throw_object(make_exception(ce, error->text, name, server, error->code));
}

void php_lock_throw_error(const rl_error *error, zend_string *name, const char *server)
{
    throw_error(php_lock_server_exception_ce, php_lock_connection_exception_ce, error, name, server);
}

void php_queue_throw_error(const rl_error *error, zend_string *name, const char *server)
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

void php_lock_throw_held(zend_string *name, const char *server)
{
    throw_object(make_exception(php_lock_held_exception_ce, "this object holds the lock already", name, server, ""));
}

void php_lock_throw(zend_string *name, const char *reason)
{
    throw_object(make_exception(php_lock_exception_ce, reason, name, "", ""));
}

zend_object *php_lock_lost_object(zend_string *name, const char *server, const char *reason, zval *result)
{
    zend_object *exception = make_exception(php_lock_lost_exception_ce, reason, name, server, "");

    if (result != NULL) {
        ZVAL_COPY_DEREF(own_property(exception, "result"), result);
    }
    return exception;
}

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

/* A long name is cut: the exception has all of it in a property. */
zend_string *php_rl_message(const char *subject, const char *reason, zend_string *name, const char *server)
{
    smart_str message = {0};

    if (*server != '\0') {
        append_printable(&message, server);
        smart_str_appends(&message, ": ");
    }
    append_printable(&message, reason);
    if (name != NULL) {
        smart_str_append_printf(&message, " (%s \"", subject);
        smart_str_append_escaped_truncated(&message, name, 100);
        smart_str_appends(&message, "\")");
    }
    return smart_str_extract(&message);
}

/* ---- the classes ---- */

zval *php_rl_own_property(zend_object *exception, php_rl_property property)
{
    return OBJ_PROP_NUM(exception, (uint32_t)spl_ce_RuntimeException->default_properties_count + property);
}

static void set_own(zend_object *exception, php_rl_property property, zend_string *value)
{
    zval *slot = php_rl_own_property(exception, property);

    zval_ptr_dtor(slot);
    ZVAL_STR_COPY(slot, value);
    Z_PROP_FLAG_P(slot) = 0;
}

static void set_own_text(zend_object *exception, php_rl_property property, const char *value)
{
    smart_str text = {0};
    zend_string *printable;

    append_printable(&text, value);
    printable = smart_str_extract(&text);
    set_own(exception, property, printable);
    zend_string_release(printable);
}

zend_object *php_rl_exception_create(zend_class_entry *ce)
{
    zend_object *exception = spl_ce_RuntimeException->create_object(ce);

    for (php_rl_property property = PHP_RL_NAME; property <= PHP_RL_REDIS_ERROR; property++) {
        set_own(exception, property, ZSTR_EMPTY_ALLOC());
    }
    return exception;
}

/* Sets a readonly property for the first and last time. False: it was set before, and an Error was thrown. */
static bool set_once(zend_object *exception, php_rl_property property, zval *value)
{
    zval *slot = php_rl_own_property(exception, property);

    if (Z_TYPE_P(slot) != IS_NULL && !(Z_TYPE_P(slot) == IS_STRING && Z_STRLEN_P(slot) == 0)) {
        zend_throw_error(NULL, "Cannot modify readonly property %s::$%s", ZSTR_VAL(exception->ce->name),
                         ZSTR_VAL(zend_get_property_info_for_slot(exception, slot)->name));
        return false;
    }
    zval_ptr_dtor(slot);
    ZVAL_COPY(slot, value);
    return true;
}

/* PHP code may call a constructor again, so own properties are set by set_once(). An empty argument sets nothing: a
 * property that is empty counts as one that was not set. */
void php_rl_exception_construct(INTERNAL_FUNCTION_PARAMETERS, bool has_result)
{
    zend_object *self = Z_OBJ_P(ZEND_THIS);
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
    for (php_rl_property property = PHP_RL_NAME; property <= PHP_RL_REDIS_ERROR; property++) {
        if (texts[property] != NULL && ZSTR_LEN(texts[property]) > 0) {
            ZVAL_STR(&text, texts[property]);
            if (!set_once(self, property, &text)) {
                RETURN_THROWS();
            }
        }
    }
    if (result != NULL && Z_TYPE_P(result) != IS_NULL) {
        set_once(self, PHP_RL_RESULT, result);
    }
}

/* ---- throwing ---- */

const zend_string *php_rl_message_of(zend_object *thrown)
{
    const HashTable *properties = &zend_get_exception_base(thrown)->properties_info;
    const zend_property_info *info = zend_hash_find_ptr(properties, ZSTR_KNOWN(ZEND_STR_MESSAGE));
    zval *message = OBJ_PROP(thrown, info->offset);

    ZVAL_DEREF(message);
    return Z_TYPE_P(message) == IS_STRING ? Z_STR_P(message) : NULL;
}

zend_object *php_rl_exception(zend_class_entry *ce, const char *subject, const char *reason, zend_string *name,
                              const char *server, const char *code)
{
    zval exception, text;

    object_init_ex(&exception, ce);
    ZVAL_STR(&text, php_rl_message(subject, reason, name, server));
    zend_update_property(zend_ce_exception, Z_OBJ(exception), "message", strlen("message"), &text);
    zval_ptr_dtor(&text);
    set_own(Z_OBJ(exception), PHP_RL_NAME, name != NULL ? name : ZSTR_EMPTY_ALLOC());
    set_own_text(Z_OBJ(exception), PHP_RL_SERVER, server);
    set_own_text(Z_OBJ(exception), PHP_RL_REDIS_ERROR, code);
    return Z_OBJ(exception);
}

void php_rl_throw(zend_class_entry *ce, const char *subject, const char *reason, zend_string *name, const char *server,
                  const char *code)
{
    zval exception;

    ZVAL_OBJ(&exception, php_rl_exception(ce, subject, reason, name, server, code));
    zend_throw_exception_object(&exception);
}

/* ---- what is pending ---- */

zend_object *php_rl_set_aside(void)
{
    zend_object *thrown = EG(exception);

    if (thrown != NULL) {
        GC_ADDREF(thrown);
        zend_clear_exception();
    }
    return thrown;
}

/* What was thrown may be no Throwable: exit unwinds the stack by an exception of its own kind, which has no previous
 * one. */
void php_rl_append_previous(zend_object *thrown, zend_object *previous)
{
    if (previous != NULL && instanceof_function(thrown->ce, zend_ce_throwable)) {
        zend_exception_set_previous(thrown, previous);
    } else if (previous != NULL) {
        OBJ_RELEASE(previous);
    }
}

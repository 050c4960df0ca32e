/* SPDX-License-Identifier: MIT
 *
 * php_value: see php_value.h.
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "php_value.h"

#include "ext/standard/php_var.h"
#include "zend_exceptions.h"
#include "zend_smart_str.h"

#include "cache_core.h"
#include "php_errors.h"
#include "php_section.h"

#define AS_IT_IS   's'
#define SERIALIZED 'p'

bool php_lock_value_classes(uint32_t arg, HashTable *names, HashTable *classes)
{
    zval *name;

    zend_hash_init(classes, names != NULL ? zend_hash_num_elements(names) : 0, NULL, NULL, false);
    if (names == NULL) {
        return true;
    }
    ZEND_HASH_FOREACH_VAL(names, name) {
        ZVAL_DEREF(name);
        if (Z_TYPE_P(name) != IS_STRING) {
            zend_argument_type_error(arg, "must be an array of class names, %s given among them",
                                     zend_zval_type_name(name));
            return false;
        }
        /* As a class constant gives it, or as it is written in code. */
        bool is_rooted = Z_STRLEN_P(name) > 0 && *Z_STRVAL_P(name) == '\\';
        zend_string *bare = zend_string_init(Z_STRVAL_P(name) + is_rooted, Z_STRLEN_P(name) - is_rooted, false);
        zend_string *lower = zend_string_tolower(bare);
        zend_hash_add_empty_element(classes, lower);
        zend_string_release(lower);
        zend_string_release(bare);
    }
    ZEND_HASH_FOREACH_END();
    return true;
}

/* ---- what PHP serialized ---- */

/* A text that is read piece by piece, never past its end. */
typedef struct reader {
    const char *at;
    const char *end;
    size_t depth; /* braces that are open */
} reader;

/* Goes past the next `c`. False: there is none. */
static bool skip_past(reader *r, char c)
{
    const char *found = memchr(r->at, c, (size_t)(r->end - r->at));

    r->at = found != NULL ? found + 1 : r->end;
    return found != NULL;
}

static bool skip(reader *r, size_t len)
{
    bool there = (size_t)(r->end - r->at) >= len;

    r->at = there ? r->at + len : r->end;
    return there;
}

static bool open_brace(reader *r)
{
    r->depth++;
    return skip_past(r, '{');
}

/* A number and the colon behind it. */
static bool read_length(reader *r, size_t *len)
{
    const char *begin = r->at;

    for (*len = 0; r->at < r->end && *r->at >= '0' && *r->at <= '9' && *len <= CACHE_MAX_VALUE; r->at++) {
        *len = *len * 10 + (size_t)(*r->at - '0');
    }
    return r->at > begin && r->at < r->end && *r->at++ == ':';
}

/* 5:"bytes" */
static bool read_quoted(reader *r, const char **bytes, size_t *len)
{
    if (!read_length(r, len) || !skip(r, 1)) {
        return false;
    }
    *bytes = r->at;
    return skip(r, *len) && skip(r, 1);
}

/* Takes one piece: of an array or object its head, or the brace that ends it. `name` (NULL: none) is the class that it
 * speaks of. False: this is nothing that PHP has serialized. */
static bool read_piece(reader *r, const char **name, size_t *len)
{
    char type = *r->at;
    const char *bytes;
    size_t inner;

    *name = NULL;
    if (type == '}') {
        return r->depth-- > 0 && skip(r, 1);
    }
    if (!skip(r, 2)) {
        return false;
    }
    switch (type) {
    case 'N':
        return true;
    case 'b':
    case 'i':
    case 'd':
    case 'r':
    case 'R':
        return skip_past(r, ';');
    case 's':
        return read_quoted(r, &bytes, &inner) && skip(r, 1);
    case 'a':
        return open_brace(r);
    case 'O':
        return read_quoted(r, name, len) && open_brace(r);
    case 'C':
        return read_quoted(r, name, len) && skip(r, 1) && read_length(r, &inner) && skip(r, 1) && skip(r, inner + 1);
    case 'E':
        if (!read_quoted(r, name, len) || (bytes = memchr(*name, ':', *len)) == NULL) {
            return false;
        }
        *len = (size_t)(bytes - *name);
        return skip(r, 1);
    default:
        return false;
    }
}

/* The first class in the text that is not among `classes`, or NULL. `good`: PHP may have written the text. */
static zend_string *other_class(const char *text, size_t len, HashTable *classes, bool *good)
{
    reader r = {text, text + len, 0};
    const char *name;
    size_t name_len;

    *good = true;
    while (r.at < r.end) {
        if (!read_piece(&r, &name, &name_len)) {
            *good = false;
            return NULL;
        }
        if (name != NULL) {
            zend_string *class_name = zend_string_init(name, name_len, false);
            zend_string *lower = zend_string_tolower(class_name);
            bool allowed = zend_hash_exists(classes, lower);
            zend_string_release(lower);
            if (!allowed) {
                return class_name;
            }
            zend_string_release(class_name);
        }
    }
    *good = r.depth == 0;
    return NULL;
}

static zend_string *serialize(zval *value)
{
    php_serialize_data_t data;
    smart_str text = {0};

    smart_str_appendc(&text, SERIALIZED);
    PHP_VAR_SERIALIZE_INIT(data);
    php_var_serialize(&text, value, &data);
    PHP_VAR_SERIALIZE_DESTROY(data);
    smart_str_0(&text);
    return text.s;
}

/* False: it could not be, or user code has thrown. */
static bool unserialize(const char *text, size_t len, HashTable *classes, zval *value)
{
    const unsigned char *at = (const unsigned char *)text;
    php_unserialize_data_t data;
    zval *made;
    bool done;

    ZVAL_NULL(value);
    PHP_VAR_UNSERIALIZE_INIT(data);
    php_var_unserialize_set_allowed_classes(data, classes);
    made = var_tmp_var(&data);
    done = php_var_unserialize(made, &at, at + len, &data);
    if (done) {
        ZVAL_COPY(value, made);
    }
    PHP_VAR_UNSERIALIZE_DESTROY(data);
    if (Z_ISREF_P(value)) {
        zend_unwrap_reference(value);
    }
    return done && EG(exception) == NULL;
}

/* ---- are they the same ---- */

static bool is_same(zval *a, zval *b);

static bool is_same_table(HashTable *a, HashTable *b)
{
    zend_ulong number;
    zend_string *key;
    zval *one, *other;

    if (zend_hash_num_elements(a) != zend_hash_num_elements(b)) {
        return false;
    }
    ZEND_HASH_FOREACH_KEY_VAL(a, number, key, one)
    {
        other = key != NULL ? zend_hash_find(b, key) : zend_hash_index_find(b, number);
        if (other == NULL || !is_same(one, other)) {
            return false;
        }
    }
    ZEND_HASH_FOREACH_END();
    return true;
}

/* Of what the object keeps elsewhere than in properties, the serialized text tells. */
static bool is_same_object(zend_object *a, zend_object *b)
{
    if (a == b || a->ce != b->ce || (a->ce->ce_flags & ZEND_ACC_ENUM)) {
        return a == b;
    }
    return is_same_table(zend_std_get_properties(a), zend_std_get_properties(b));
}

/* Type by type, value by value. What it comes back to is taken as the same. */
static bool is_same(zval *a, zval *b)
{
    bool same = true;

    if (Z_TYPE_P(a) == IS_INDIRECT) {
        a = Z_INDIRECT_P(a);
    }
    if (Z_TYPE_P(b) == IS_INDIRECT) {
        b = Z_INDIRECT_P(b);
    }
    ZVAL_DEREF(a);
    ZVAL_DEREF(b);
    if (Z_TYPE_P(a) != Z_TYPE_P(b) || Z_TYPE_P(a) == IS_RESOURCE) {
        return false;
    }
    switch (Z_TYPE_P(a)) {
    case IS_DOUBLE:
        return Z_DVAL_P(a) == Z_DVAL_P(b) || (zend_isnan(Z_DVAL_P(a)) && zend_isnan(Z_DVAL_P(b)));
    case IS_LONG:
        return Z_LVAL_P(a) == Z_LVAL_P(b);
    case IS_STRING:
        return zend_string_equals(Z_STR_P(a), Z_STR_P(b));
    case IS_ARRAY:
    case IS_OBJECT:
        if (Z_IS_RECURSIVE_P(a)) {
            return true;
        }
        if (Z_REFCOUNTED_P(a)) {
            Z_PROTECT_RECURSION_P(a);
        }
        same = Z_TYPE_P(a) == IS_ARRAY ? is_same_table(Z_ARRVAL_P(a), Z_ARRVAL_P(b))
                                       : is_same_object(Z_OBJ_P(a), Z_OBJ_P(b));
        if (Z_REFCOUNTED_P(a)) {
            Z_UNPROTECT_RECURSION_P(a);
        }
        return same;
    default:
        return true; /* null, false, true, a property that has no value yet */
    }
}

/* ---- there and back ---- */

#define CANNOT_BE_KEPT "The value that $rebuild returned cannot be kept: "

/* Throws a ValueError; what PHP has thrown instead is its previous. */
static void refuse(const char *why)
{
    zend_object *previous = php_lock_set_aside();

    if (previous != NULL && !instanceof_function(previous->ce, zend_ce_exception) &&
        !instanceof_function(previous->ce, zend_ce_error)) {
        zend_throw_exception_internal(previous); /* exit */
        return;
    }
    zend_value_error(CANNOT_BE_KEPT "%s", why);
    if (previous != NULL) {
        php_lock_append_previous(EG(exception), previous);
    }
}

/* NULL: it comes back equal. Otherwise why not; what PHP has thrown is pending. */
static const char *fault_of(zval *value, zend_string *text, HashTable *classes)
{
    const char *fault = NULL;
    zval copy;

    if (!unserialize(ZSTR_VAL(text) + 1, ZSTR_LEN(text) - 1, classes, &copy)) {
        fault = "PHP does not unserialize it again";
    } else if (!is_same(value, &copy)) {
        fault = "it would not come back equal";
    } else {
        zend_string *again = serialize(&copy);
        if (EG(exception) != NULL || !zend_string_equals(text, again)) {
            fault = "it would not come back equal";
        }
        zend_string_release(again);
    }
    zval_ptr_dtor(&copy);
    return fault;
}

static bool comes_back(zval *value, zend_string *text, HashTable *classes)
{
    bool good;
    const char *fault;

    if (EG(exception) != NULL) {
        refuse("PHP does not serialize it");
        return false;
    }
    if (ZSTR_LEN(text) > CACHE_MAX_VALUE) {
        refuse("it is longer than 1000000 bytes");
        return false;
    }
    if (Z_TYPE_P(value) == IS_STRING) {
        return true;
    }
    zend_string *other = other_class(ZSTR_VAL(text) + 1, ZSTR_LEN(text) - 1, classes, &good);
    if (other != NULL) {
        zend_value_error(CANNOT_BE_KEPT "it has an object of class %s, which $allowedClasses does not name",
                         ZSTR_VAL(other));
        zend_string_release(other);
        return false;
    }
    fault = good ? fault_of(value, text, classes) : "PHP does not unserialize it again";
    if (fault != NULL) {
        refuse(fault);
    }
    return fault == NULL;
}

zend_string *php_lock_value_encode(zval *value, HashTable *classes)
{
    zend_string *text;

    if (Z_TYPE_P(value) == IS_STRING) {
        text = zend_string_alloc(Z_STRLEN_P(value) + 1, false);
        ZSTR_VAL(text)[0] = AS_IT_IS;
        memcpy(ZSTR_VAL(text) + 1, Z_STRVAL_P(value), Z_STRLEN_P(value) + 1);
    } else {
        text = serialize(value);
    }
    if (!comes_back(value, text, classes)) {
        zend_string_release(text);
        return NULL;
    }
    return text;
}

bool php_lock_value_decode(const char *bytes, size_t len, HashTable *classes, zend_string *name, zval *value)
{
    bool good = len > 0 && (*bytes == AS_IT_IS || *bytes == SERIALIZED);

    ZVAL_NULL(value);
    if (good && *bytes == AS_IT_IS) {
        ZVAL_STRINGL(value, bytes + 1, len - 1);
        return true;
    }
    if (good) {
        zend_string *other = other_class(bytes + 1, len - 1, classes, &good);
        if (other != NULL) {
            zend_value_error("The value that is kept has an object of class %s, which $allowedClasses does not name",
                             ZSTR_VAL(other));
            zend_string_release(other);
            return false;
        }
    }
    if (good && unserialize(bytes + 1, len - 1, classes, value)) {
        return true;
    }
    zval_ptr_dtor(value);
    ZVAL_NULL(value);
    if (EG(exception) == NULL) {
        php_lock_throw(name, "what is kept under this key is no value of remember()");
    }
    return false;
}

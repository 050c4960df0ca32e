/* SPDX-License-Identifier: MIT
 *
 * php/redislock/cache_value: see php/redislock/cache_value.h.
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "php/redislock/cache_value.h"

#include "ext/standard/php_var.h"
#include "zend_exceptions.h"
#include "zend_smart_str.h"

#include "cache/cache.h"
#include "php/errors.h"
#include "php/redislock/section.h"

/* The byte in front of an encoded value, which says how it is encoded. */
#define AS_IT_IS   's'
#define SERIALIZED 'p'

/* The names are kept in the form by which PHP looks allowed classes up when it unserializes. */
bool php_cache_value_classes(uint32_t arg, HashTable *names, HashTable *classes)
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
        /* Name::class has no backslash in front; a name that is written as in code may have one. */
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

/* ---- reading what PHP has serialized ---- */

/* A text that is read piece by piece, never past its end. */
typedef struct reader {
    const char *at;
    const char *end;
    size_t depth;   /* braces that are open */
    size_t deepest; /* the largest depth so far */
} reader;

/* Goes past the next `c`. False: there is none, and the text is at its end. */
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
    r->deepest = r->depth > r->deepest ? r->depth : r->deepest;
    return skip_past(r, '{');
}

/* Reads a number and the colon behind it. False: there is none, or it is so large that it could overflow. */
static bool read_length(reader *r, size_t *len)
{
    const char *begin = r->at;

    for (*len = 0; r->at < r->end && *r->at >= '0' && *r->at <= '9' && *len <= CACHE_MAX_VALUE; r->at++) {
        *len = *len * 10 + (size_t)(*r->at - '0');
    }
    return r->at > begin && r->at < r->end && *r->at++ == ':';
}

/* Reads a string behind its length, such as 5:"bytes". False: there is none. */
static bool read_quoted(reader *r, const char **bytes, size_t *len)
{
    if (!read_length(r, len) || !skip(r, 1)) {
        return false;
    }
    *bytes = r->at;
    return skip(r, *len) && skip(r, 1);
}

/* Reads one piece: a scalar, the head of an array or object, or the brace that ends it. `name` becomes the class that
 * the piece names, or NULL. `closed` tells whether the object is in a form of its class, which no other code can read.
 * False: PHP has not serialized this. */
static bool read_piece(reader *r, const char **name, size_t *len, bool *closed)
{
    char type = *r->at;
    const char *bytes;
    size_t inner;

    *name = NULL;
    *closed = type == 'C';
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
        return read_quoted(r, name, len);
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

#define NOT_UNSERIALIZED "PHP cannot unserialize it"

static zend_string *fault(const char *text)
{
    return zend_string_init(text, strlen(text), false);
}

/* Returns why no object of this class can be in a value; NULL: it can. `closed`: the object is in a form that only the
 * class itself reads, and from which it may make objects of any class. */
static zend_string *fault_of_class(zend_string *name, bool closed, HashTable *classes)
{
    zend_string *lower = zend_string_tolower(name);
    bool allowed = zend_hash_exists(classes, lower);

    zend_string_release(lower);
    if (!allowed) {
        return zend_strpprintf(0, "it has an object of class %s, which $allowedClasses does not name", ZSTR_VAL(name));
    }
    if (closed) {
        return zend_strpprintf(0, "it has an object of class %s, which has no __serialize() and __unserialize()",
                               ZSTR_VAL(name));
    }
    return zend_lookup_class(name) != NULL ? NULL : fault(NOT_UNSERIALIZED);
}

/* Returns why PHP must not unserialize this text; NULL: it may try. */
static zend_string *fault_of_text(const char *text, size_t len, HashTable *classes)
{
    reader r = {text, text + len, 0, 0};
    const char *name;
    size_t name_len;
    bool closed;

    while (r.at < r.end) {
        zend_string *why = NULL;
        if (!read_piece(&r, &name, &name_len, &closed)) {
            return fault(NOT_UNSERIALIZED);
        }
        if (name != NULL) {
            zend_string *class_name = zend_string_init(name, name_len, false);
            why = fault_of_class(class_name, closed, classes);
            zend_string_release(class_name);
        }
        if (why != NULL) {
            return why;
        }
    }
    /* BG() has this too, but at an offset that depends on a compiler option: PHP with threads is built with it, and
     * extensions are not. */
    zend_long most = zend_ini_long("unserialize_max_depth", sizeof("unserialize_max_depth") - 1, 0);
    if (most > 0 && r.deepest > (size_t)most) {
        return zend_strpprintf(0, "it is nested more than %ld deep", (long)most);
    }
    return r.depth == 0 ? NULL : fault(NOT_UNSERIALIZED);
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

/* Unserializes the text into `value`, which the caller frees in any case. False: PHP cannot read the text, or user code
 * has thrown. */
static bool unserialize(const char *text, size_t len, HashTable *classes, zval *value)
{
    const unsigned char *at = (const unsigned char *)text;
    php_unserialize_data_t data;
    zval *unserialized;
    bool done;

    ZVAL_NULL(value);
    PHP_VAR_UNSERIALIZE_INIT(data);
    php_var_unserialize_set_allowed_classes(data, classes);
    unserialized = var_tmp_var(&data);
    done = php_var_unserialize(unserialized, &at, at + len, &data);
    if (done) {
        ZVAL_COPY(value, unserialized);
    }
    PHP_VAR_UNSERIALIZE_DESTROY(data);
    if (Z_ISREF_P(value)) {
        zend_unwrap_reference(value);
    }
    return done && EG(exception) == NULL;
}

/* Does the same as unserialize(), without PHP's own warnings: the caller reports a text that cannot be read, or builds
 * the value anew. */
static bool unserialize_quietly(const char *text, size_t len, HashTable *classes, zval *value)
{
    const int reporting = EG(error_reporting);
    volatile bool done = false, bailed_out = false;

    EG(error_reporting) &= E_FATAL_ERRORS;
    zend_try
    {
        done = unserialize(text, len, classes, value);
    }
    zend_catch
    {
        bailed_out = true; /* such as by memory_limit: error_reporting must be as before in a worker's next request */
    }
    zend_end_try();
    EG(error_reporting) = reporting;
    if (bailed_out) {
        zend_bailout();
    }
    return done;
}

/* ---- comparing values ---- */

static bool is_same(zval *a, zval *b);

/* Returns whether both tables have the same keys with the same values. The order is left to fault_of_copy(), which
 * compares the serialized texts too. */
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

/* Compares the properties of two objects of one class; a case of an enum is the same only as itself. What an object
 * keeps elsewhere than in properties is compared in its serialized text, by fault_of_copy(). */
static bool is_same_object(zend_object *a, zend_object *b)
{
    if (a == b || a->ce != b->ce || (a->ce->ce_flags & ZEND_ACC_ENUM)) {
        return a == b;
    }
    return is_same_table(zend_std_get_properties(a), zend_std_get_properties(b));
}

/* Returns whether two values have the same type and content. A value that contains itself is not followed twice: if it comes
 * back to itself, it is taken as the same. */
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

/* ---- encoding and decoding ---- */

static void append_message(zend_string **why, zend_object *thrown)
{
    const zend_string *message = php_rl_message_of(thrown);

    if (message != NULL) {
        zend_string *both = zend_strpprintf(0, "%s: %s", ZSTR_VAL(*why), ZSTR_VAL(message));
        zend_string_release(*why);
        *why = both;
    }
}

/* Drops the pending exception, if any, and appends its message to `why`; and then what a destructor throws that runs when
 * the exception is freed. False: one is pending again, since it is no Throwable but exit. */
static bool drop_thrown(zend_string **why)
{
    zend_object *thrown;

    while ((thrown = php_rl_set_aside()) != NULL) {
        if (!instanceof_function(thrown->ce, zend_ce_throwable)) {
            zend_throw_exception_internal(thrown);
            return false;
        }
        append_message(why, thrown);
        OBJ_RELEASE(thrown);
    }
    return true;
}

/* Returns why the value would not come back equal from this text; NULL: it would, and no exception is pending. A copy
 * that throws when it is destroyed is no good either. */
static zend_string *fault_of_copy(zval *value, zend_string *text, HashTable *classes)
{
    static const char differs[] = "it would not come back equal";
    zend_string *why = NULL;
    zval copy;

    if (!unserialize_quietly(ZSTR_VAL(text) + 1, ZSTR_LEN(text) - 1, classes, &copy)) {
        why = fault(NOT_UNSERIALIZED);
    } else if (!is_same(value, &copy)) {
        why = fault(differs);
    } else {
        zend_string *again = serialize(&copy);
        if (EG(exception) != NULL || !zend_string_equals(text, again)) {
            why = fault(differs);
        }
        zend_string_release(again);
    }
    zval_ptr_dtor(&copy);
    return why == NULL && EG(exception) != NULL ? fault(differs) : why;
}

/* Returns why the value cannot be kept as this text; NULL: it can, and no exception is pending. */
static zend_string *fault_of_value(zval *value, zend_string *text, HashTable *classes)
{
    zend_string *why;

    if (EG(exception) != NULL) {
        return fault("PHP cannot serialize it");
    }
    if (ZSTR_LEN(text) - 1 > CACHE_MAX_VALUE) {
        return fault("it is longer than 1000000 bytes");
    }
    if (Z_TYPE_P(value) == IS_STRING) {
        return NULL;
    }
    why = fault_of_text(ZSTR_VAL(text) + 1, ZSTR_LEN(text) - 1, classes);
    return why != NULL ? why : fault_of_copy(value, text, classes);
}

/* The text is unserialized and the copy compared before the text is accepted: PHP also serializes values that do not
 * come back equal. Exceptions on the way become a part of `why`. */
zend_string *php_cache_value_encode(zval *value, HashTable *classes, zend_string **why)
{
    zend_string *text;

    if (Z_TYPE_P(value) == IS_STRING) {
        text = zend_string_alloc(Z_STRLEN_P(value) + 1, false);
        ZSTR_VAL(text)[0] = AS_IT_IS;
        memcpy(ZSTR_VAL(text) + 1, Z_STRVAL_P(value), Z_STRLEN_P(value) + 1);
    } else {
        text = serialize(value);
    }
    *why = fault_of_value(value, text, classes);
    if (*why == NULL) {
        return text;
    }
    zend_string_release(text);
    if (!drop_thrown(why)) {
        zend_string_release(*why);
        *why = NULL;
    }
    return NULL;
}

/* The text is checked before PHP reads it, so that objects of allowed classes only are made. What user code throws is
 * dropped, except exit: a value that cannot be read is built anew. */
bool php_cache_value_decode(const char *bytes, size_t len, HashTable *classes, zval *value)
{
    zend_string *why = NULL;

    ZVAL_NULL(value);
    if (len > 0 && *bytes == AS_IT_IS) {
        ZVAL_STRINGL(value, bytes + 1, len - 1);
        return true;
    }
    why = len > 0 && *bytes == SERIALIZED ? fault_of_text(bytes + 1, len - 1, classes) : fault(NOT_UNSERIALIZED);
    if (why == NULL && unserialize_quietly(bytes + 1, len - 1, classes, value)) {
        return true;
    }
    zval_ptr_dtor(value);
    ZVAL_NULL(value);
    why = why != NULL ? why : fault(NOT_UNSERIALIZED);
    drop_thrown(&why);
    zend_string_release(why);
    return false;
}

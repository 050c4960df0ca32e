/* SPDX-License-Identifier: MIT
 *
 * php/object: see php/object.h.
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "php/object.h"

typedef struct php_lock_object {
    php_lock_state *state; /* NULL before the constructor */
    zend_object std;
} php_lock_object;

static zend_object_handlers handlers;

static php_lock_object *from_std(zend_object *object)
{
    return (php_lock_object *)((char *)object - offsetof(php_lock_object, std));
}

static zend_object *create(zend_class_entry *ce)
{
    php_lock_object *object = zend_object_alloc(sizeof(*object), ce);

    object->state = NULL;
    zend_object_std_init(&object->std, ce);
    object_properties_init(&object->std, ce);
    object->std.handlers = &handlers;
    return &object->std;
}

/* Runs when the last reference goes, or when the request ends in good order. After a fatal error only dispose()
 * runs. */
static void destruct(zend_object *std)
{
    zend_objects_destroy_object(std);

    php_lock_state *state = from_std(std)->state;
    if (state != NULL && php_lock_state_releases_with_object(state)) {
        php_lock_state_auto_release(state);
    }
}

static void dispose(zend_object *std)
{
    php_lock_object *object = from_std(std);

    if (object->state != NULL) {
        php_lock_state_dispose(object->state);
        object->state = NULL;
    }
    zend_object_std_dtor(std);
}

/* Makes == of two different objects false: they have no properties, so PHP would take all of them as equal. */
static int compare(zval *a, zval *b)
{
    if (Z_TYPE_P(a) == IS_OBJECT && Z_TYPE_P(b) == IS_OBJECT) {
        return Z_OBJ_P(a) == Z_OBJ_P(b) ? 0 : ZEND_UNCOMPARABLE;
    }
    return zend_std_compare_objects(a, b);
}

void php_lock_object_init_class(zend_class_entry *ce)
{
    ce->create_object = create;
    handlers = std_object_handlers;
    handlers.offset = offsetof(php_lock_object, std);
    handlers.free_obj = dispose;
    handlers.dtor_obj = destruct;
    handlers.clone_obj = NULL;
    handlers.compare = compare;
}

/* PHP code may call a constructor again. That is refused, since the state may hold locks. */
void php_lock_object_construct(INTERNAL_FUNCTION_PARAMETERS, bool of_queue)
{
    zval *servers = NULL;
    HashTable *array = NULL;
    php_lock_object *object = from_std(Z_OBJ_P(ZEND_THIS));
    php_lock_options options;

    ZEND_PARSE_PARAMETERS_START(0, 2)
        Z_PARAM_OPTIONAL
        Z_PARAM_ZVAL(servers)
        Z_PARAM_ARRAY_HT(array)
    ZEND_PARSE_PARAMETERS_END();

    if (object->state != NULL) {
        zend_throw_error(NULL, "%s is already constructed", ZSTR_VAL(object->std.ce->name));
        RETURN_THROWS();
    }
    if (!php_lock_options_init(&options, of_queue, servers, array)) {
        php_lock_options_free(&options);
        RETURN_THROWS();
    }
    object->state = php_lock_state_new(&options);
}

php_lock_state *php_lock_state_of(zend_object *object)
{
    php_lock_state *state = from_std(object)->state;

    if (state == NULL) {
        zend_throw_error(NULL, "%s::__construct() was not called: a subclass must call parent::__construct()",
                         ZSTR_VAL(object->ce->name));
        return NULL;
    }
    php_lock_state_check_fork(state);
    return state;
}

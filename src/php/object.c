/* SPDX-License-Identifier: MIT
 *
 * php/object: see php/object.h.
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "php/object.h"

typedef struct php_rl_object {
    php_rl_base *state; /* NULL before the constructor */
    zend_object std;
} php_rl_object;

static zend_object_handlers handlers;

static php_rl_object *from_std(zend_object *object)
{
    return (php_rl_object *)((char *)object - offsetof(php_rl_object, std));
}

static zend_object *create(zend_class_entry *ce)
{
    php_rl_object *object = zend_object_alloc(sizeof(*object), ce);

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

    php_rl_base *state = from_std(std)->state;
    if (state != NULL && state->kind->destruct != NULL) {
        state->kind->destruct(state);
    }
}

static void dispose(zend_object *std)
{
    php_rl_object *object = from_std(std);

    if (object->state != NULL) {
        object->state->kind->dispose(object->state);
        object->state = NULL;
    }
    zend_object_std_dtor(std);
}

/* Shows the garbage collector the function of the option `on_loss`, which may refer to the object in turn. */
static HashTable *get_gc(zend_object *std, zval **table, int *count)
{
    zend_get_gc_buffer *buffer = zend_get_gc_buffer_create();
    php_rl_base *state = from_std(std)->state;

    if (state != NULL) {
        zend_get_gc_buffer_add_zval(buffer, &state->options.on_loss_function);
    }
    if (std->properties == NULL) {
        for (int i = 0; i < std->ce->default_properties_count; i++) {
            zend_get_gc_buffer_add_zval(buffer, &std->properties_table[i]);
        }
    }
    zend_get_gc_buffer_use(buffer, table, count);
    return std->properties;
}

/* Makes == of two different objects false: they have no properties, so PHP would take all of them as equal. */
static int compare(zval *a, zval *b)
{
    if (Z_TYPE_P(a) == IS_OBJECT && Z_TYPE_P(b) == IS_OBJECT) {
        return Z_OBJ_P(a) == Z_OBJ_P(b) ? 0 : ZEND_UNCOMPARABLE;
    }
    return zend_std_compare_objects(a, b);
}

void php_rl_object_init_class(zend_class_entry *ce)
{
    ce->create_object = create;
    handlers = std_object_handlers;
    handlers.offset = offsetof(php_rl_object, std);
    handlers.free_obj = dispose;
    handlers.dtor_obj = destruct;
    handlers.clone_obj = NULL;
    handlers.compare = compare;
    handlers.get_gc = get_gc;
}

/* Makes a state. How many servers an environment variable holds is not known before it is looked up, so it counts as
 * one. NULL: an exception was thrown. */
static php_rl_base *make_state(const php_rl_kind *kind, const char *prefix, zval *servers, HashTable *array)
{
    php_rl_base *state = ecalloc(1, kind->size);
    php_rl_options *options = &state->options;
    bool good = php_rl_options_init(options, kind->options, prefix, servers, array);

    if (good && kind->one_server != NULL && options->servers.count + options->env_count > 1) {
        zend_argument_value_error(1, "%s", kind->one_server);
        good = false;
    }
    if (!good) {
        php_rl_base_free(state);
        return NULL;
    }
    state->kind = kind;
    state->own_pool.traffic = &RL_G(traffic);
    state->own_pool.backlog = &RL_G(backlog);
    if (kind->init != NULL) {
        kind->init(state);
    }
    return state;
}

/* PHP code may call a constructor again. That is refused, since the state may hold locks. */
void php_rl_object_construct(INTERNAL_FUNCTION_PARAMETERS, const php_rl_kind *kind, const char *prefix)
{
    zval *servers = NULL;
    HashTable *array = NULL;
    php_rl_object *object = from_std(Z_OBJ_P(ZEND_THIS));

    ZEND_PARSE_PARAMETERS_START(0, 2)
        Z_PARAM_OPTIONAL
        Z_PARAM_ZVAL(servers)
        Z_PARAM_ARRAY_HT(array)
    ZEND_PARSE_PARAMETERS_END();

    if (object->state != NULL) {
        zend_throw_error(NULL, "%s is already constructed", ZSTR_VAL(object->std.ce->name));
        RETURN_THROWS();
    }
    object->state = make_state(kind, prefix, servers, array);
}

php_rl_base *php_rl_base_of(zend_object *object)
{
    php_rl_base *state = from_std(object)->state;

    if (state == NULL) {
        zend_throw_error(NULL, "%s::__construct() was not called: a subclass must call parent::__construct()",
                         ZSTR_VAL(object->ce->name));
    }
    return state;
}

void php_rl_base_free(php_rl_base *base)
{
    rl_pool_clear(&base->own_pool);
    php_rl_options_free(&base->options);
    efree(base);
}

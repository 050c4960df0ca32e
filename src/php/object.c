/* SPDX-License-Identifier: MIT
 *
 * php/object: see php/object.h.
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "php/object.h"

#include "lock/keys.h"
#include "php/servers.h"

typedef struct php_rl_object {
    php_rl_base *state; /* NULL before the constructor */
    zend_object std;
} php_rl_object;

static zend_object_handlers handlers;

static php_rl_object *from_std(zend_object *object)
{
    return (php_rl_object *)((char *)object - offsetof(php_rl_object, std));
}

/* Has the engine begun to free the object? PHP code can reach it all the same, while its WeakMap entries go. */
static bool is_being_freed(const zend_object *object)
{
    return (OBJ_FLAGS(object) & IS_OBJ_FREE_CALLED) != 0;
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

/* Runs when the object is gone. Until the engine has cleared the weak references to it, PHP code can still reach it by
 * one, so it is empty before any PHP code runs: a destructor of what a property or a WeakMap holds, or of what the function
 * of `on_loss` has bound, or the error handler that hears of a failed release. A fatal error in a destructor must not jump
 * over the end of the state, whose leases would be renewed for ever. */
static void dispose(zend_object *std)
{
    php_rl_object *object = from_std(std);
    php_rl_base *state = object->state;
    volatile bool bailed_out = false;

    object->state = NULL;
    zend_try
    {
        zend_object_std_dtor(std);
    }
    zend_catch
    {
        bailed_out = true;
    }
    zend_end_try();
    if (state != NULL) {
        state->kind->dispose(state);
    }
    if (bailed_out) {
        zend_bailout();
    }
}

/* Shows the garbage collector what the options `on_loss` and `listener` call, which may refer to the object in turn. */
static HashTable *get_gc(zend_object *std, zval **table, int *count)
{
    zend_get_gc_buffer *buffer = zend_get_gc_buffer_create();
    php_rl_base *state = from_std(std)->state;

    if (state != NULL) {
        zend_get_gc_buffer_add_zval(buffer, &state->options.on_loss_function);
        zend_get_gc_buffer_add_zval(buffer, &state->options.listener);
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

/* Are there no more servers than the class and the options are for? How many an environment variable holds is not known
 * before it is looked up, so it counts as one. False: an error was thrown. */
static bool check_server_count(const php_rl_kind *kind, const php_rl_options *options)
{
    if (options->servers.count + options->env_count <= 1) {
        return true;
    }
    if (kind->one_server != NULL) {
        zend_argument_value_error(1, "%s", kind->one_server);
        return false;
    }
    if (options->settings.replicas > 0) {
        zend_argument_value_error(2, "%s", PHP_RL_REPLICAS_OF_ONE);
        return false;
    }
    return true;
}

/* Is there a name that can be used with the prefix? If the prefix is to blame in a cluster, no hash tag in the name helps.
 * False: an error was thrown. */
static bool check_prefix(const php_rl_options *options)
{
    if (!php_rl_servers_are_cluster(&options->servers) ||
        lock_name_has_one_slot(php_rl_bytes(options->prefix), RL_LITERAL("{tag}"))) {
        return true;
    }
    zend_argument_value_error(2, "option \"prefix\" must not have a \"}\" right behind its "
                                 "first \"{\": a cluster would put the keys of each name into different slots");
    return false;
}

/* The servers come behind the options: what those say of logging in and of TLS is put into each endpoint.
 *
 * Makes a state, which PHP code that runs meanwhile cannot reach. Such code runs, if at all, before the state owns anything but
 * memory of the request: a fatal error there leaves nothing. NULL: an exception was thrown. */
static php_rl_base *make_state(const php_rl_kind *kind, const char *prefix, zval *servers, HashTable *array)
{
    php_rl_base *state = ecalloc(1, kind->size);
    php_rl_options *options = &state->options;

    if (!php_rl_options_init(options, kind->options, prefix, array) || !php_rl_servers_init(options, servers) ||
        !check_server_count(kind, options) || !check_prefix(options)) {
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

/* PHP code may call a constructor again. That is refused, since the state may hold locks. So is a call while the object is
 * being freed: nobody would free the state. False: an Error was thrown. */
static bool check_constructible(const php_rl_object *object)
{
    if (object->state == NULL && !is_being_freed(&object->std)) {
        return true;
    }
    zend_throw_error(NULL, "%s is already %s", ZSTR_VAL(object->std.ce->name),
                     object->state != NULL ? "constructed" : "destroyed");
    return false;
}

/* Reading the options may run PHP code, an autoloader say, which may call the constructor as well, or drop the last
 * reference to the object. So the object is kept alive, and asked again before it gets its state. */
void php_rl_object_construct(INTERNAL_FUNCTION_PARAMETERS, const php_rl_kind *kind, const char *prefix)
{
    zval *servers = NULL;
    HashTable *array = NULL;
    php_rl_object *object = from_std(Z_OBJ_P(ZEND_THIS));
    php_rl_base *state;

    ZEND_PARSE_PARAMETERS_START(0, 2)
        Z_PARAM_OPTIONAL
        Z_PARAM_ZVAL(servers)
        Z_PARAM_ARRAY_HT(array)
    ZEND_PARSE_PARAMETERS_END();

    if (!check_constructible(object)) {
        RETURN_THROWS();
    }
    GC_ADDREF(&object->std);
    state = make_state(kind, prefix, servers, array);
    if (state != NULL && check_constructible(object)) {
        object->state = state;
    } else if (state != NULL) {
        php_rl_base_free(state);
    }
    OBJ_RELEASE(&object->std);
}

php_rl_base *php_rl_base_of(zend_object *object)
{
    php_rl_base *state = from_std(object)->state;

    if (state == NULL && is_being_freed(object)) {
        zend_throw_error(NULL, "%s is already destroyed", ZSTR_VAL(object->ce->name));
    } else if (state == NULL) {
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

/* SPDX-License-Identifier: MIT
 *
 * php/object: the objects of RedisLock and RedisQueue, as far as they are the same.
 */
#ifndef PHP_REDISLOCK_OBJECT_H
#define PHP_REDISLOCK_OBJECT_H

#include "php/options.h"

struct php_rl_base;

/* What RedisLock and RedisQueue differ in, as data for the code that they share. Each has one of these. */
typedef struct php_rl_kind {
    const char *subject;        /* what messages call the thing that has a name */
    const char *one_server;     /* what is said if there are several servers; NULL: there may be several */
    const char *const *options; /* the names of the options that it knows, with NULL at the end */

    zend_class_entry **exception;            /* for other errors; the parent of the next two */
    zend_class_entry **server_exception;     /* for what a server has refused */
    zend_class_entry **connection_exception; /* for a server that could not be asked */

    size_t size; /* of an object's state, which begins with a php_rl_base */

    /* Makes what follows the base, which is all zero. NULL: nothing has to be made. */
    void (*init)(struct php_rl_base *state);

    /* Runs when the object is destructed. NULL: there is nothing to do. */
    void (*destruct)(struct php_rl_base *state);

    /* Runs when the object is gone. Frees what follows the base, and calls php_rl_base_free(), at once or later. */
    void (*dispose)(struct php_rl_base *state);
} php_rl_kind;

/* The base of an object's state. It is kept apart from the PHP object, since a state may outlive it. */
typedef struct php_rl_base {
    const php_rl_kind *kind;
    php_rl_options options;
    rl_pool own_pool; /* of this object alone; used if connections are not persistent */
} php_rl_base;

/* Sets how objects of the class are made, compared and freed; at MINIT. */
void php_rl_object_init_class(zend_class_entry *ce);

/* The constructor of both classes. `prefix` is that of the keys if the options do not give one. */
void php_rl_object_construct(INTERNAL_FUNCTION_PARAMETERS, const php_rl_kind *kind, const char *prefix);

/* Returns the state of the object. NULL: the constructor was not called, and an Error was thrown. */
php_rl_base *php_rl_base_of(zend_object *object);

/* Closes the connections of the state's own, and frees the state. */
void php_rl_base_free(php_rl_base *base);

#endif

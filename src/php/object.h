/* SPDX-License-Identifier: MIT
 *
 * php/object: what a RedisLock and a RedisQueue are as objects: a state, made by the constructor, let go at the end.
 */
#ifndef PHP_REDISLOCK_OBJECT_H
#define PHP_REDISLOCK_OBJECT_H

#include "php/state.h"

/* Makes these the objects of the class; at MINIT. */
void php_lock_object_init_class(zend_class_entry *ce);

/* The constructor. */
void php_lock_object_construct(INTERNAL_FUNCTION_PARAMETERS, bool of_queue);

/* The object's state, for this process; NULL: an Error was thrown, since its constructor was not called. */
php_lock_state *php_lock_state_of(zend_object *object);

#endif

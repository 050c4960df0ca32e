/* SPDX-License-Identifier: MIT
 *
 * php/object: RedisLock and RedisQueue as PHP objects. The constructor makes the state of an object.
 */
#ifndef PHP_REDISLOCK_OBJECT_H
#define PHP_REDISLOCK_OBJECT_H

#include "php/state.h"

/* Sets how objects of the class are made, compared and freed; at MINIT. */
void php_lock_object_init_class(zend_class_entry *ce);

/* The constructor of both classes. `of_queue`: it is that of RedisQueue. */
void php_lock_object_construct(INTERNAL_FUNCTION_PARAMETERS, bool of_queue);

/* Returns the state of the object, without the leases of a parent process. NULL: the constructor was not called, and an
 * Error was thrown. */
php_lock_state *php_lock_state_of(zend_object *object);

#endif

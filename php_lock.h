/* SPDX-License-Identifier: MIT
 *
 * php_lock: class RedisLock.
 */
#ifndef PHP_REDISLOCK_LOCK_H
#define PHP_REDISLOCK_LOCK_H

#include "php_state.h"

/* Registers the class; at MINIT. */
void php_lock_register_class(void);

/* Releases the locks that outlived their objects, by auto_release => 'request'; at RSHUTDOWN. */
void php_lock_release_kept(void);

/* What the methods stand on, in whichever file they are. The object's state, for this process; NULL: an Error was
 * thrown, since its constructor was not called. */
php_lock_state *php_lock_state_of(zend_object *object);

/* Takes the lock into the state. `token` may be NULL. LOCK_FAILED and LOCK_LATE have thrown. */
lock_outcome php_lock_acquire(php_lock_state *state, zend_string *name, zend_string *token, int64_t expire,
                              int64_t timeout);

/* Releases it, and forgets it, unless the outcome is unknown: LOCK_FAILED, which has thrown. `token` may be NULL. */
lock_outcome php_lock_release(php_lock_state *state, zend_string *name, zend_string *token);

#endif

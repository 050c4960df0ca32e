/* SPDX-License-Identifier: MIT
 *
 * php/lock: class RedisLock.
 */
#ifndef PHP_REDISLOCK_LOCK_H
#define PHP_REDISLOCK_LOCK_H

#include "php/state.h"

/* Registers the class; at MINIT. */
void php_lock_register_class(void);

/* What the methods stand on, in whichever file they are. */

/* Takes the lock into the state. `token` may be NULL. LOCK_FAILED and LOCK_LATE have thrown; LOCK_BUSY fills `refusal`,
 * which may be NULL. */
lock_outcome php_lock_acquire(php_lock_state *state, zend_string *name, zend_string *token, int64_t expire,
                              int64_t timeout, lock_refusal *refusal);

/* Releases what was taken although nobody will learn of it: PHP code that ran during the wait has thrown. */
void php_lock_give_back(php_lock_call *call, zend_string *name, lock_lease *lease);

/* Releases it, and forgets it, unless the outcome is unknown: LOCK_FAILED, which has thrown. `token` may be NULL. */
lock_outcome php_lock_release(php_lock_state *state, zend_string *name, zend_string *token);

#endif

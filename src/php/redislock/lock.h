/* SPDX-License-Identifier: MIT
 *
 * php/redislock/lock: class RedisLock.
 */
#ifndef REDISLOCK_PHP_REDISLOCK_LOCK_H
#define REDISLOCK_PHP_REDISLOCK_LOCK_H

#include "php/redislock/state.h"

/* Registers the class; at MINIT. */
void php_lock_register_class(void);

/* The functions below serve all methods of the class, in whichever file of php/ these are. */

/* Sets `renew`, the argument of that number, to the option where it was not given. False: the lease, `expire`, has no end
 * and is to be renewed, and an error was thrown. */
bool php_lock_check_renew(uint32_t arg, const php_lock_state *state, bool is_null, int64_t expire, bool *renew);

/* Acquires the lock and puts it into the state, to be renewed if `renew`. A `token` of NULL stands for a random one. On
 * LOCK_BUSY fills `refusal`, which may be NULL. LOCK_FAILED and LOCK_LATE have thrown. LOCK_INTERRUPTED: an exception is
 * pending, or the engine is about to raise a fatal error. */
lock_outcome php_lock_acquire(php_lock_state *state, zend_string *name, zend_string *token, int64_t expire,
                              int64_t timeout, bool renew, lock_refusal *refusal);

/* Releases a lock whose caller will not learn that it was granted: PHP code that ran during the wait has thrown, or a
 * fatal error has ended it. Frees the lease. */
void php_lock_give_back(php_lock_call *call, zend_string *name, lock_lease *lease);

/* Releases the lock and forgets its lease. A `token` of NULL stands for the one in the state. LOCK_FAILED has thrown,
 * and the state keeps the lease for the next release, as long as Redis may keep the lock. */
lock_outcome php_lock_release(php_lock_state *state, zend_string *name, zend_string *token);

#endif

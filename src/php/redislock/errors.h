/* SPDX-License-Identifier: MIT
 *
 * php/redislock/errors: the exceptions and warnings of RedisLock alone.
 */
#ifndef REDISLOCK_PHP_REDISLOCK_ERRORS_H
#define REDISLOCK_PHP_REDISLOCK_ERRORS_H

#include "php.h"

/* What messages call that which has a name. */
#define PHP_LOCK_SUBJECT "lock"

/* They are registered with RedisLock, from its stub. */
extern zend_class_entry *php_lock_exception_ce;
extern zend_class_entry *php_lock_timeout_exception_ce;
extern zend_class_entry *php_lock_held_exception_ce;
extern zend_class_entry *php_lock_lost_exception_ce;

/* Makes a RedisLockLostException, for its class entry. Its result is null. */
zend_object *php_lock_lost_exception_create(zend_class_entry *ce);

/* Throws a RedisLockTimeoutException. */
void php_lock_throw_timeout(zend_string *name, const char *server, const char *reason);

/* Throws a RedisLockHeldException. */
void php_lock_throw_held(zend_string *name, const char *server);

/* Throws a RedisLockException. */
void php_lock_throw(zend_string *name, const char *reason);

/* Makes a RedisLockLostException without throwing it. `result` is what the section returned, and is copied; NULL if it
 * did not return. */
zend_object *php_lock_lost_object(zend_string *name, const char *server, const char *reason, zval *result);

/* Is it a RedisLockLostException of the lock of that name on these servers? */
bool php_lock_is_loss_of(zend_object *exception, zend_string *name, const char *server);

/* Raises a warning, worded as the exceptions are, for a caller that gets its result all the same. */
void php_lock_warn(zend_string *name, const char *server, const char *reason);

/* Logs a warning of which an error handler has made an ErrorException, and drops the exception: it would take the
 * caller's result away. */
void php_lock_log_instead(const char *warning);

#endif

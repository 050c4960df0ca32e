/* SPDX-License-Identifier: MIT
 *
 * php_errors: from an error of the core to an exception.
 */
#ifndef PHP_REDISLOCK_ERRORS_H
#define PHP_REDISLOCK_ERRORS_H

#include "php.h"

#include "redis_error.h"

/* Registered with the class RedisLock, from its stub. */
extern zend_class_entry *php_lock_exception_ce;
extern zend_class_entry *php_lock_connection_exception_ce;
extern zend_class_entry *php_lock_server_exception_ce;
extern zend_class_entry *php_lock_timeout_exception_ce;
extern zend_class_entry *php_lock_lost_exception_ce;

/* An exception for what the core reports, not thrown yet. `name` is the lock's (NULL: none is concerned), `server`
 * the label of the server, without a secret. */
zend_object *php_lock_error_object(const redis_error *error, zend_string *name, const char *server);

/* The same, thrown. */
void php_lock_throw_error(const redis_error *error, zend_string *name, const char *server);

/* Throws a RedisLockTimeoutException. */
void php_lock_throw_timeout(zend_string *name, const char *server, const char *reason);

/* Throws a RedisLockLostException; `result` is copied. */
void php_lock_throw_lost(zend_string *name, const char *server, zval *result);

#endif

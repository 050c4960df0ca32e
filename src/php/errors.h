/* SPDX-License-Identifier: MIT
 *
 * php/errors: from an error of the core to an exception.
 */
#ifndef PHP_REDISLOCK_ERRORS_H
#define PHP_REDISLOCK_ERRORS_H

#include "php.h"

#include "redis/error.h"

/* Registered with the class RedisLock, from its stub. */
extern zend_class_entry *php_lock_exception_ce;
extern zend_class_entry *php_lock_connection_exception_ce;
extern zend_class_entry *php_lock_server_exception_ce;
extern zend_class_entry *php_lock_timeout_exception_ce;
extern zend_class_entry *php_lock_held_exception_ce;
extern zend_class_entry *php_lock_lost_exception_ce;

/* The same with the class RedisQueue. */
extern zend_class_entry *php_queue_exception_ce;
extern zend_class_entry *php_queue_connection_exception_ce;
extern zend_class_entry *php_queue_server_exception_ce;

/* After the classes were registered; at MINIT. */
void php_lock_prepare_exceptions(void);
void php_queue_prepare_exceptions(void);

/* Their constructor: that of Exception, and the exceptions' own properties behind its arguments, for tests of an
 * application. */
void php_lock_exception_construct(INTERNAL_FUNCTION_PARAMETERS, bool has_result);

/* What the core reports, in words: the server, the reason, the lock. Control bytes are escaped in it, as in all texts that
 * are made here: nothing that a server says, or a lock is called, forges a line of a log, or speaks to a terminal. */
zend_string *php_lock_describe(const rl_error *error, zend_string *name, const char *server);

/* Throws what the core reports. `name` is the lock's (NULL: none is concerned), `server` the label of the server,
 * without a secret. */
void php_lock_throw_error(const rl_error *error, zend_string *name, const char *server);

/* The same of a queue. */
void php_queue_throw_error(const rl_error *error, zend_string *name, const char *server);

/* Throws that the process was forked while its parent waited, for a task or for a lock. */
void php_lock_throw_forked(bool of_queue);

/* Throws a RedisLockTimeoutException. */
void php_lock_throw_timeout(zend_string *name, const char *server, const char *reason);

/* Throws a RedisLockHeldException. */
void php_lock_throw_held(zend_string *name, const char *server);

/* Throws a RedisLockException. */
void php_lock_throw(zend_string *name, const char *reason);

/* A RedisLockLostException, not thrown yet. `result`: what the section returned, copied; NULL: it did not. */
zend_object *php_lock_lost_object(zend_string *name, const char *server, const char *reason, zval *result);

/* A warning, worded as the exceptions are, to a caller that gets its result all the same. */
void php_lock_warn(zend_string *name, const char *server, const char *reason);

/* Where an error handler has made an ErrorException of a warning, which would take the caller's result away, it is logged
 * instead. */
void php_lock_log_instead(const char *warning);

#endif

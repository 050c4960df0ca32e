/* SPDX-License-Identifier: MIT
 *
 * php/errors: turns errors of the core into exceptions.
 */
#ifndef PHP_REDISLOCK_ERRORS_H
#define PHP_REDISLOCK_ERRORS_H

#include "php.h"

#include "redis/error.h"

/* The exceptions of RedisLock. They are registered with that class, from its stub. */
extern zend_class_entry *php_lock_exception_ce;
extern zend_class_entry *php_lock_connection_exception_ce;
extern zend_class_entry *php_lock_server_exception_ce;
extern zend_class_entry *php_lock_timeout_exception_ce;
extern zend_class_entry *php_lock_held_exception_ce;
extern zend_class_entry *php_lock_lost_exception_ce;

/* The exceptions of RedisQueue. They are registered with that class, from its stub. */
extern zend_class_entry *php_queue_exception_ce;
extern zend_class_entry *php_queue_connection_exception_ce;
extern zend_class_entry *php_queue_server_exception_ce;

/* Set how objects of these classes are made; at MINIT, after the classes were registered. */
void php_lock_prepare_exceptions(void);
void php_queue_prepare_exceptions(void);

/* The constructor of the exceptions, by which the tests of an application can make them. It takes the arguments of
 * Exception and then the exceptions' own properties; `has_result`: `result` is one of these. */
void php_lock_exception_construct(INTERNAL_FUNCTION_PARAMETERS, bool has_result);

/* Returns what the core reports, in words: the server, the reason, the lock. As in all texts that are made here,
 * control bytes are escaped, so that neither what a server says nor the name of a lock can forge a line of a log or
 * control a terminal. */
zend_string *php_lock_describe(const rl_error *error, zend_string *name, const char *server);

/* Throws what the core reports about a lock. `name` is the lock's (NULL: none is concerned), `server` the label of the
 * server, without a secret. */
void php_lock_throw_error(const rl_error *error, zend_string *name, const char *server);

/* Throws what the core reports about a queue. `name` is the queue's (NULL: none is concerned), `server` the label of
 * the server, without a secret. */
void php_queue_throw_error(const rl_error *error, zend_string *name, const char *server);

/* Throws, in a child process, that it was forked while its parent waited: for a task if `of_queue`, otherwise for a
 * lock. */
void php_lock_throw_forked(bool of_queue);

/* Throws a RedisLockTimeoutException. */
void php_lock_throw_timeout(zend_string *name, const char *server, const char *reason);

/* Throws a RedisLockHeldException. */
void php_lock_throw_held(zend_string *name, const char *server);

/* Throws a RedisLockException. */
void php_lock_throw(zend_string *name, const char *reason);

/* Makes a RedisLockLostException without throwing it. `result` is what the section returned, and is copied; NULL if it
 * did not return. */
zend_object *php_lock_lost_object(zend_string *name, const char *server, const char *reason, zval *result);

/* Raises a warning, worded as the exceptions are, for a caller that gets its result all the same. */
void php_lock_warn(zend_string *name, const char *server, const char *reason);

/* Logs a warning of which an error handler has made an ErrorException, and drops the exception: it would take the
 * caller's result away. */
void php_lock_log_instead(const char *warning);

#endif

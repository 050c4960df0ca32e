/* SPDX-License-Identifier: MIT
 *
 * php/errors: the exceptions of RedisLock and RedisQueue, as far as they are the same.
 */
#ifndef PHP_REDISLOCK_ERRORS_H
#define PHP_REDISLOCK_ERRORS_H

#include "php.h"

/* The properties that the exceptions have beside those of RuntimeException, in the order of the stubs. */
typedef enum php_rl_property {
    PHP_RL_NAME, /* $lockName or $queueName */
    PHP_RL_SERVER,
    PHP_RL_REDIS_ERROR,
    PHP_RL_RESULT, /* only some have it */
} php_rl_property;

/* Returns the slot of the property. It is readonly for PHP code, but is written through the slot. */
zval *php_rl_own_property(zend_object *exception, php_rl_property property);

/* Makes an object of one of the exceptions, for its class entry. Its texts are empty instead of uninitialized, so that
 * PHP code can read them in any case. */
zend_object *php_rl_exception_create(zend_class_entry *ce);

/* The constructor of the exceptions, by which the tests of an application can make them. It takes the arguments of
 * Exception and then the exceptions' own properties; `has_result`: `result` is one of these. */
void php_rl_exception_construct(INTERNAL_FUNCTION_PARAMETERS, bool has_result);

/* Returns a message: the server (may be empty), the reason, and what it is about: a `subject` and a name (NULL: nothing). As in
 * all texts that are made here, control bytes are escaped, so that neither what a server says nor a name can forge a line of a
 * log or control a terminal. */
zend_string *php_rl_message(const char *subject, const char *reason, zend_string *name, const char *server);

/* Returns the message of any Throwable; NULL: it is no text, since PHP code may have made it something else. Reads the property
 * itself: a class may have unset it, and have a __get() in its place. */
const zend_string *php_rl_message_of(zend_object *thrown);

/* Makes an exception with such a message. `server` is the label of the server, without a secret, `code` that of an
 * error reply; both may be empty. */
zend_object *php_rl_exception(zend_class_entry *ce, const char *subject, const char *reason, zend_string *name,
                              const char *server, const char *code);

/* Throws the exception that php_rl_exception() makes. */
void php_rl_throw(zend_class_entry *ce, const char *subject, const char *reason, zend_string *name, const char *server,
                  const char *code);

/* Clears the pending exception and returns it, with a reference that is the caller's; NULL: none is pending. */
zend_object *php_rl_set_aside(void);

/* Takes `previous` over and appends it to the chain of what was thrown; NULL appends nothing. */
void php_rl_append_previous(zend_object *thrown, zend_object *previous);

#endif

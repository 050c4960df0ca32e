/* SPDX-License-Identifier: MIT
 *
 * php/call: a call to Redis under way, of an object of either class.
 */
#ifndef PHP_REDISLOCK_CALL_H
#define PHP_REDISLOCK_CALL_H

#include "php/object.h"
#include "redis/error.h"

typedef struct php_rl_call {
    php_rl_base *owner;
    rl_target target;        /* the servers to ask, for the client that the core is given */
    php_rl_servers from_env; /* the servers of this call, if some had to be looked up; otherwise all zero */
    zend_string *name;       /* what the call is about, in messages; NULL: nothing that has a name */
    rl_error error;          /* what the core reports, if the call has failed */
    bool bailed_out;         /* a fatal error ended PHP code that ran during the call */
} php_rl_call;

/* Fills the call and looks the servers up. If the environment names a cluster, checks the name, which is the method's first
 * argument then. False: an exception was thrown, and there is nothing to end. `call` must not move, and `name` must stay,
 * until php_rl_call_end(). */
bool php_rl_call_begin(php_rl_call *call, php_rl_base *owner, zend_string *name);

/* Does the same, but throws nothing. False: the environment does not name the servers, and call->error says why. */
bool php_rl_call_fill(php_rl_call *call, php_rl_base *owner);

/* Runs `code`, which may run PHP code, while the call is under way. A fatal error there must not jump over the rest of the
 * call, which owns connections and memory of the process: php_rl_call_end() goes on with it. */
void php_rl_call_run(php_rl_call *call, void (*code)(void *arg), void *arg);

/* Ends the call, and throws its error if it has `failed`. Does not return if a fatal error ended PHP code that ran
 * meanwhile: it goes on with that bail-out. */
void php_rl_call_end(php_rl_call *call, bool failed);

/* Returns whether PHP code that ran during the call has thrown, or was ended by a fatal error. PHP code will not get
 * the result of the call then. */
bool php_rl_call_is_interrupted(const php_rl_call *call);

/* How messages name the servers of the call. One that was looked up is named by its address. */
const char *php_rl_call_server(const php_rl_call *call);

/* Throws an error of the core, about what has that name (may be NULL). */
void php_rl_call_throw(const php_rl_call *call, const rl_error *error, zend_string *name);

/* Does the same, with another text than the error's. */
void php_rl_call_throw_as(const php_rl_call *call, const rl_error *error, const char *text, zend_string *name);

/* Returns whether memory_limit is exceeded and the engine is going to raise the error at the next interrupt. It is
 * false in versions of PHP that raise the error at once. */
bool php_rl_is_out_of_memory(void);

#endif

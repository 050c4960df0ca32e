/* SPDX-License-Identifier: MIT
 *
 * php/state: the options of an object and the locks that it holds, and when these are released. The state is kept apart
 * from the PHP object, since it may outlive it.
 */
#ifndef PHP_REDISLOCK_STATE_H
#define PHP_REDISLOCK_STATE_H

#include "lock_core.h"
#include "php/options.h"

typedef struct php_lock_state {
    php_lock_options options;
    rl_pool own_pool;            /* of this object alone; used where connections are not persistent */
    HashTable held;              /* name => lock_lease* */
    int64_t pid;                 /* of the process that acquired the leases */
    struct php_lock_state *next; /* in the list of states that are kept until the request ends */
} php_lock_state;

/* A call under way: the client that the core is given, and what that client points to. */
typedef struct php_lock_call {
    php_lock_state *state;
    lock_client client;
    php_lock_servers from_env; /* the servers of this call, if some had to be looked up; otherwise all zero */
    bool bailed_out;           /* a fatal error ended PHP code that ran during the wait */
} php_lock_call;

/* Makes a state and takes the options over. It is freed by php_lock_state_dispose(). */
php_lock_state *php_lock_state_new(const php_lock_options *options);

/* In a child process, forgets all leases: they are the parent's. Is to be called before each use of `held`. */
void php_lock_state_check_fork(php_lock_state *state);

/* Makes `array` an array of what this process, or thread, has done so far. */
void php_lock_stats(zval *array);

/* Fills the call and looks the servers up. False: an exception was thrown, about the lock or queue `name` (may be
 * NULL), and there is nothing to end. `call` must not move until php_lock_call_end(). */
bool php_lock_call_begin(php_lock_call *call, php_lock_state *state, zend_string *name);

/* Ends the call. Does not return if a fatal error ended PHP code that ran during the wait: it goes on with that
 * bail-out. */
void php_lock_call_end(php_lock_call *call);

/* Returns whether memory_limit is exceeded and the engine is going to raise the error at the next interrupt. It is
 * false in versions of PHP that raise the error at once. */
bool php_lock_is_out_of_memory(void);

/* How messages name the servers of the state. One that the environment names is "env:NAME". */
const char *php_lock_state_server(const php_lock_state *state);

/* How messages name the servers of the call. One that was looked up is named by its address. */
const char *php_lock_call_server(const php_lock_call *call);

/* Returns the lease of that name, or NULL. A lease that was lost stays in the state, with nothing left of it. So does
 * one whose release has failed, for the next unlock(). */
lock_lease *php_lock_state_find(php_lock_state *state, zend_string *name);

/* Returns the lease of that name, or NULL if there is none or its release was asked for. */
lock_lease *php_lock_state_find_ours(php_lock_state *state, zend_string *name);

/* Returns the lease of that name, or NULL if there is none or nothing of it is left by the local clock. */
lock_lease *php_lock_state_find_live(php_lock_state *state, zend_string *name);

/* Puts the lease into the state, in place of an earlier one of that name, and takes over what it owns. */
void php_lock_state_put(php_lock_state *state, zend_string *name, const lock_lease *lease);

/* Forgets the lease of that name, if there is one, and frees it. */
void php_lock_state_remove(php_lock_state *state, zend_string *name);

/* Forgets the leases whose release has failed and whose locks have ended in Redis by themselves. */
void php_lock_state_forget_over(php_lock_state *state);

/* Warns that a release has failed, unless the request ends. `problem` says which lock and how (php_lock_describe()). */
void php_lock_warn_unreleased(zend_string *problem, const lock_lease *lease);

/* Releases all leases in one round trip and forgets them, except those whose release has failed. Returns whether every
 * lock was released and still owned. `failed` (never NULL) gets the outcome of a release that failed, and is valid
 * until the state changes; `failed->name.at` is NULL if none did. */
bool php_lock_state_release_all(php_lock_state *state, php_lock_call *call, int64_t budget, lock_release_item *failed);

/* Marks all leases as released although no server could be looked up: see lock_release_mark_unsent(). */
void php_lock_state_mark_unsent(php_lock_state *state);

/* Ends the state of an object that is gone. As `auto_release` says, releases its locks at once, keeps them until the
 * request ends, or leaves them to the ends of their leases. Frees the state as soon as it is not needed. */
void php_lock_state_dispose(php_lock_state *state);

/* Releases the locks that php_lock_state_dispose() has kept, and frees their states; at RSHUTDOWN. */
void php_lock_state_dispose_deferred(void);

/* Returns whether the state releases its locks when its object is destructed. */
bool php_lock_state_releases_with_object(const php_lock_state *state);

/* Releases all leases and forgets them, whatever the outcome. A release that fails is sent again later (see
 * lock_release()) and warned of. */
void php_lock_state_auto_release(php_lock_state *state);

#endif

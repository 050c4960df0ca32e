/* SPDX-License-Identifier: MIT
 *
 * php/state: what a RedisLock holds, apart from the object, since it may outlive it; and who releases it, when.
 */
#ifndef PHP_REDISLOCK_STATE_H
#define PHP_REDISLOCK_STATE_H

#include "lock_core.h"
#include "php/options.h"

typedef struct php_lock_state {
    php_lock_options options;
    rl_pool own_pool;            /* where connections are not persistent */
    HashTable held;              /* name => lock_lease* */
    int64_t pid;                 /* whose the leases are */
    struct php_lock_state *next; /* among those kept until the request ends */
} php_lock_state;

/* A call under way: the client that the core is given, and what it stands on. */
typedef struct php_lock_call {
    php_lock_state *state;
    lock_client client;
    php_lock_servers from_env; /* all zero where no server is looked up */
    bool bailed_out;           /* a fatal error ended PHP code that ran during the wait */
} php_lock_call;

/* Takes the options over. */
php_lock_state *php_lock_state_new(const php_lock_options *options);

/* In a process that was forked off: what the parent holds is not ours. Before each use of `held`. */
void php_lock_state_check_fork(php_lock_state *state);

/* Makes an array of what this process did so far. */
void php_lock_stats(zval *array);

/* Looks the server up. False: an exception was thrown, for the lock `name` (may be NULL). Ended by
 * php_lock_call_end(), which goes on with a bail-out that happened meanwhile. `call` must not move. */
bool php_lock_call_begin(php_lock_call *call, php_lock_state *state, zend_string *name);
void php_lock_call_end(php_lock_call *call);

/* Is the engine going to raise the error of memory_limit at the next interrupt? Older ones jump at once. */
bool php_lock_is_out_of_memory(void);

/* How messages name the server; for one that was not looked up, "env:NAME". */
const char *php_lock_state_server(const php_lock_state *state);
const char *php_lock_call_server(const php_lock_call *call);

/* The lease that the state has of that name, or NULL. One that was lost stays, with nothing left; so does one whose
 * release has failed, for the next unlock(). */
lock_lease *php_lock_state_find(php_lock_state *state, zend_string *name);

/* The same, if its release was not asked for. */
lock_lease *php_lock_state_find_ours(php_lock_state *state, zend_string *name);

/* The same, if something of it is left. */
lock_lease *php_lock_state_find_live(php_lock_state *state, zend_string *name);

/* Takes over what the lease owns. Forgets it again. */
void php_lock_state_put(php_lock_state *state, zend_string *name, const lock_lease *lease);
void php_lock_state_remove(php_lock_state *state, zend_string *name);

/* Forgets those whose release has failed and that Redis does not keep any more. */
void php_lock_state_forget_over(php_lock_state *state);

/* Warns, unless the request ends, that a release has failed: `problem` says of which lock and how (php_lock_describe()). */
void php_lock_warn_unreleased(zend_string *problem, const lock_lease *lease);

/* Releases all that is held, in one round trip, and forgets what is not open any more. Returns whether every lock was
 * still ours; where one could not be released, `failed` (never NULL) is its outcome, with `failed->name` not NULL:
 * valid until the state changes. */
bool php_lock_state_release_all(php_lock_state *state, php_lock_call *call, int64_t budget, lock_release_item *failed);

/* All was to be released, and it is not known where: see lock_release_unasked(). */
void php_lock_state_release_unasked(php_lock_state *state);

/* The object is gone: releases what it holds now, or keeps it for the end of the request, as `auto_release` says, and
 * frees the state when it is not needed. */
void php_lock_state_let_go(php_lock_state *state);

/* Releases what was kept so; at RSHUTDOWN. */
void php_lock_state_release_kept(void);

/* Does the state release what it holds when its object is destructed? */
bool php_lock_state_releases_with_object(const php_lock_state *state);

/* Releases all that is held and forgets it, done or not: what could not be released is sent again later, see
 * lock_release(), and a warning. */
void php_lock_state_auto_release(php_lock_state *state);

#endif

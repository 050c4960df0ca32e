/* SPDX-License-Identifier: MIT
 *
 * php/redislock/call: a call of a RedisLock to Redis under way: the client that the core is given, and the lease of a
 * lock that is asked about.
 */
#ifndef REDISLOCK_PHP_REDISLOCK_CALL_H
#define REDISLOCK_PHP_REDISLOCK_CALL_H

#include "lock/pass.h"
#include "lock_core.h"
#include "php/call.h"
#include "php/redislock/state.h"

/* A call under way, and the client that the core is given. */
typedef struct php_lock_call {
    php_rl_call base;
    lock_client client;
    lock_pass_terms pass;       /* of the client, if it takes part by the environment: see php/redislock/local.h */
    lock_slow_terms slow;       /* of the client, if the options ask for it */
    char owner[LOCK_OWNER_MAX]; /* storage of its owner: see php/redislock/owner.h */
} php_lock_call;

/* Does the same as php_rl_call_begin(), and makes the client. php_rl_call_end() ends the call. */
bool php_lock_call_begin(php_lock_call *call, php_lock_state *state, zend_string *name);

/* Does the same, but throws nothing. False: the environment does not name the servers, and call->base.error says why. */
bool php_lock_call_fill(php_lock_call *call, php_lock_state *state);

/* Lets what the call takes tell of its owner, as the options say, and whether it is to be renewed. */
void php_lock_call_tell_owner(php_lock_call *call, const php_lock_state *state, bool renews);

/* Ends the keeping of the lock's lease, if it is kept, so that the call can ask Redis about the lock. The wait for an answer
 * that is under way is part of the call's time budget. */
void php_lock_call_settle(php_lock_call *call, php_lock_hold *hold);

/* Goes on to keep a lease that was settled: see php_lock_hold_keep_on(). If no thread can keep it, there is a warning, whose
 * handler may drop the hold, and the last reference to the object. */
void php_lock_call_keep_on(php_lock_call *call, php_lock_hold *hold);

#endif

/* SPDX-License-Identifier: MIT
 *
 * php/redislock/acquire: takes locks for an object: the terms that a caller may give, the call, and how the object
 * keeps what it took.
 */
#ifndef REDISLOCK_PHP_REDISLOCK_ACQUIRE_H
#define REDISLOCK_PHP_REDISLOCK_ACQUIRE_H

#include "php/redislock/call.h"

/* The arguments of a method that takes locks, as they were parsed. Those that are null are not given: the options count. */
typedef struct php_lock_wishes {
    double timeout, expire; /* seconds */
    bool timeout_null, expire_null;
    bool renew, renew_null;
} php_lock_wishes;

#define PHP_LOCK_NO_WISHES                                                                                             \
    {                                                                                                                  \
        .timeout_null = true, .expire_null = true, .renew_null = true                                                  \
    }

/* On which terms locks are taken. */
typedef struct php_lock_terms {
    int64_t timeout; /* µs to wait at most; 0: not at all */
    int64_t expire;  /* µs that the lease lasts */
    bool renew;      /* it is renewed in the background */
} php_lock_terms;

/* Checks $timeout, which has the number `first`, and $expire, which is the next one. False: an error was thrown. The terms have
 * `renew` as it was passed, for php_lock_check_renew(). */
bool php_lock_check_times(php_lock_terms *terms, const php_lock_wishes *wishes, uint32_t first,
                          const php_lock_state *state);

/* Checks all of them, of which $renew has the number `last`. False: an error was thrown. */
bool php_lock_terms_check(php_lock_terms *terms, const php_lock_wishes *wishes, uint32_t first, uint32_t last,
                          const php_lock_state *state);

/* Sets `renew`, the argument of that number, to the option if it was not given. False: the lease, `expire`, has no end and is
 * to be renewed, and an error was thrown. */
bool php_lock_check_renew(uint32_t arg, const php_lock_state *state, bool is_null, int64_t expire, bool *renew);

/* Acquires the lock and puts it into the state, as the terms say. A `token` of NULL stands for a random one. On
 * LOCK_BUSY fills `refusal`, which may be NULL. LOCK_FAILED and LOCK_LATE have thrown. LOCK_INTERRUPTED: an exception is
 * pending, or the engine is about to raise a fatal error. */
lock_outcome php_lock_acquire(php_lock_state *state, zend_string *name, zend_string *token, const php_lock_terms *terms,
                              lock_refusal *refusal);

/* Puts a lock that was taken into the state and takes its lease over; it is to be renewed if `renew`. False: it cannot be
 * renewed, call->base.error says why, and the lease is still the caller's.
 *
 * Renewing begins last: if PHP has no memory for the state, a fatal error unwinds the stack, and nobody would end what has
 * begun. */
bool php_lock_adopt(php_lock_state *state, php_lock_call *call, zend_string *name, lock_lease *lease, bool renew);

/* Releases a lock whose caller will not learn that it was granted: PHP code that ran during the wait has thrown, or a
 * fatal error has ended it. Frees the lease. */
void php_lock_give_back(php_lock_call *call, zend_string *name, lock_lease *lease);

#endif

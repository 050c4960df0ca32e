/* SPDX-License-Identifier: MIT
 *
 * php/redislock/release: releases locks that an object holds: one, or all of them; and says what could not be released.
 */
#ifndef REDISLOCK_PHP_REDISLOCK_RELEASE_H
#define REDISLOCK_PHP_REDISLOCK_RELEASE_H

#include "php/redislock/call.h"

/* Releases the lock and forgets its lease. A `token` of NULL stands for the one in the state. LOCK_FAILED has thrown,
 * and the state keeps the lease for the next release, as long as Redis may keep the lock. */
lock_outcome php_lock_release(php_lock_state *state, zend_string *name, zend_string *token);

/* Releases all leases and forgets them, except those whose release has failed; for `budget` and `until` see
 * lock_release_all(). Returns whether every lock was released and still owned. The names in `failures` are valid until
 * the state changes. */
bool php_lock_release_all(php_lock_state *state, php_lock_call *call, int64_t budget, int64_t until,
                          lock_release_failures *failures);

/* Marks all leases as released although no server could be looked up: see lock_release_mark_unsent(). */
void php_lock_mark_all_unsent(php_lock_state *state);

/* Ends the keeping of all leases, so that Redis can be asked about the locks. The wait for answers under way is one for all of
 * them. Returns what it leaves of the budget. */
int64_t php_lock_settle_all(php_lock_state *state, int64_t budget);

/* Writes why releases have failed to `text`, and, if there are several, how many. Returns `text`. */
#define PHP_LOCK_FAILURES_TEXT 400
const char *php_lock_failures_text(char text[PHP_LOCK_FAILURES_TEXT], const lock_release_failures *failures);

/* Warns that a release has failed, unless the request ends. `problem` says which lock and how (php_rl_message()). */
void php_lock_warn_unreleased(zend_string *problem, const lock_lease *lease);

/* Whether the request ends. No warning is given then: nobody can act on it any more, and each lock would give one. */
static inline bool php_lock_request_is_ending(void)
{
    return (EG(flags) & EG_FLAGS_IN_SHUTDOWN) != 0;
}

#endif

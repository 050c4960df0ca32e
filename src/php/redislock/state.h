/* SPDX-License-Identifier: MIT
 *
 * php/redislock/state: the state of a RedisLock: the locks that it holds, and when these are released.
 */
#ifndef REDISLOCK_PHP_REDISLOCK_STATE_H
#define REDISLOCK_PHP_REDISLOCK_STATE_H

#include "lock_core.h"
#include "php/call.h"
#include "php/redislock/hold.h"

typedef struct php_lock_state {
    php_rl_base base;
    HashTable held;                /* name => php_lock_hold* */
    uint32_t look_at;              /* when `held` has so many locks, it is looked at for some that can be forgotten */
    int64_t process;               /* of the process that acquired the leases */
    struct php_lock_event *events; /* that the listener is still to be told: see php/redislock/listener.h */
    uint32_t event_count;
    struct php_lock_state *next; /* in the list of states that are kept until the request ends */
} php_lock_state;

/* A call under way, and the client that the core is given. */
typedef struct php_lock_call {
    php_rl_call base;
    lock_client client;
    lock_slow_terms slow;       /* of the client, where the options ask for it */
    char owner[LOCK_OWNER_MAX]; /* storage of its owner: see php/redislock/owner.h */
} php_lock_call;

/* Returns the state of the object, without the leases of a parent process. NULL: the constructor was not called, and an
 * Error was thrown. */
php_lock_state *php_lock_state_of(zend_object *object);

/* Makes `array` an array of what this process, or thread, has done so far. */
void php_lock_stats(zval *array);

/* Does the same as php_rl_call_begin(), and makes the client. php_rl_call_end() ends the call. */
bool php_lock_call_begin(php_lock_call *call, php_lock_state *state, zend_string *name);

/* Ends the keeping of the lock's lease, if it is kept, so that the call can ask Redis about the lock. The wait for an answer
 * that is under way is part of the call's time budget. */
void php_lock_call_settle(php_lock_call *call, php_lock_hold *hold);

/* Goes on to keep a lease that was settled: see php_lock_hold_keep_on(). Where no thread can keep it, there is a warning, whose
 * handler may drop the hold, and the last reference to the object. */
void php_lock_call_keep_on(php_lock_call *call, php_lock_hold *hold);

/* How messages name the servers of the state. One that the environment names is "env:NAME". */
const char *php_lock_state_server(const php_lock_state *state);

/* Returns the lock of that name, its lease up to date, or NULL. One that was lost stays in the state, with nothing left of
 * its lease. So does one whose release has failed, for the next unlock(). Of both, the state forgets the oldest of very
 * many: see php_lock_state_put(). */
php_lock_hold *php_lock_state_find(php_lock_state *state, zend_string *name);

/* Returns the lock of that name, or NULL if there is none or nothing of its lease is left by the local clock. */
php_lock_hold *php_lock_state_find_live(php_lock_state *state, zend_string *name);

/* Does this object hold the lock already, so that nobody can take it by the object? A fiber that is told so is refused: see
 * php/redislock/fibers.h. */
bool php_lock_state_refuses(php_lock_state *state, zend_string *name);

/* Puts a lock that was taken into the state, in place of an earlier one of that name, and takes its lease over. Now and
 * then it forgets locks of whose leases nothing is left, for the sake of objects that live long: the oldest beyond the
 * last PHP_LOCK_LAPSED_KEPT, but none that lapsed within the last minute, that runs a section, or of whose loss its
 * holder is still to be told. */
#define PHP_LOCK_LAPSED_KEPT 1024
php_lock_hold *php_lock_state_put(php_lock_state *state, zend_string *name, const lock_lease *lease);

/* Takes the lock of that name, which must be there, out of the state again. The lease is the caller's. */
lock_lease php_lock_state_take_out(php_lock_state *state, zend_string *name);

/* Puts a lock that was taken into the state and takes its lease over; it is to be renewed if `renew`. False: it cannot be
 * renewed, call->base.error says why, and the lease is still the caller's.
 *
 * Renewing begins last: where PHP has no memory for the state, a fatal error unwinds the stack, and nobody would end
 * what has begun. */
bool php_lock_state_adopt(php_lock_state *state, php_lock_call *call, zend_string *name, lock_lease *lease, bool renew);

/* Forgets the lock of that name, if there is one, and frees it. */
void php_lock_state_remove(php_lock_state *state, zend_string *name);

/* Forgets the locks whose release has failed and which have ended in Redis by themselves. Of very many it does not look
 * for them each time. */
void php_lock_state_forget_over(php_lock_state *state);

/* Warns that a release has failed, unless the request ends. `problem` says which lock and how (php_rl_message()). */
void php_lock_warn_unreleased(zend_string *problem, const lock_lease *lease);

/* Releases all leases and forgets them, except those whose release has failed; for `budget` and `until` see
 * lock_release_all(). Returns whether every lock was released and still owned. The names in `failures` are valid until
 * the state changes. */
bool php_lock_state_release_all(php_lock_state *state, php_lock_call *call, int64_t budget, int64_t until,
                                lock_release_failures *failures);

/* Writes why releases have failed to `text`, and, if there are several, how many. Returns `text`. */
#define PHP_LOCK_FAILURES_TEXT 400
const char *php_lock_failures_text(char text[PHP_LOCK_FAILURES_TEXT], const lock_release_failures *failures);

/* Marks all leases as released although no server could be looked up: see lock_release_mark_unsent(). */
void php_lock_state_mark_unsent(php_lock_state *state);

/* The parts of php_rl_kind. */

/* Makes what follows the base. */
void php_lock_state_init(php_rl_base *base);

/* Releases the locks of an object that is destructed, if its option `auto_release` says so. A release that fails is
 * sent again later (see lock_release()) and warned of. */
void php_lock_state_destruct(php_rl_base *base);

/* Ends the state of an object that is gone. As `auto_release` says, releases its locks at once, keeps them until the
 * request ends, or leaves them to the ends of their leases. Frees the state as soon as it is not needed. */
void php_lock_state_dispose(php_rl_base *base);

/* Releases the locks that php_lock_state_dispose() has kept, and frees their states; at RSHUTDOWN. */
void php_lock_state_dispose_deferred(void);

#endif

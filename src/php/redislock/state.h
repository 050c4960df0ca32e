/* SPDX-License-Identifier: MIT
 *
 * php/redislock/state: the state of a RedisLock: the locks that it holds.
 */
#ifndef REDISLOCK_PHP_REDISLOCK_STATE_H
#define REDISLOCK_PHP_REDISLOCK_STATE_H

#include "lock/pass.h"
#include "php/object.h"
#include "php/redislock/events.h"
#include "php/redislock/hold.h"

typedef struct php_lock_state {
    php_rl_base base;
    HashTable held;         /* name => php_lock_hold* */
    uint32_t look_at;       /* when `held` has so many locks, it is looked at for some that can be forgotten */
    int64_t process;        /* of the process that acquired the leases */
    int64_t passes_in;      /* the process in which `pass` holds; 0: none, or it is asked for anew each time */
    lock_pass_terms pass;   /* how calls take part among the processes of this machine: see php/redislock/local.h */
    php_lock_events events; /* that the listener is still to be told */
    struct php_lock_state *next; /* in the list of states that are kept until the request ends */
} php_lock_state;

/* Returns the state of the object, without the leases of a parent process. NULL: the constructor was not called, and an
 * Error was thrown. */
php_lock_state *php_lock_state_of(zend_object *object);

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

/* What a method works on that takes a name and, maybe, a token. */
typedef struct php_lock_target {
    php_lock_hold *hold;    /* as the state has the lock; NULL: the token is another than that of this object */
    lock_lease *lease;      /* that of the hold, or `token_lease` */
    lock_lease token_lease; /* of the other token, whose bytes it borrows; it has no time */
} php_lock_target;

/* Finds it: without a token, or with its token, the lock in the state, also one whose release has failed. False: there is
 * nothing to work on, since the state has no such lock, or the token is a baton. */
bool php_lock_state_find_target(php_lock_state *state, zend_string *name, zend_string *token, php_lock_target *target);

/* Puts a lock that was taken into the state, in place of an earlier one of that name, and takes its lease over. Now and
 * then it forgets locks of whose leases nothing is left, for the sake of objects that live long: the oldest beyond the
 * last PHP_LOCK_LAPSED_KEPT, but none that lapsed within the last minute, that runs a section, or of whose loss its
 * holder is still to be told. */
#define PHP_LOCK_LAPSED_KEPT 1024
php_lock_hold *php_lock_state_put(php_lock_state *state, zend_string *name, const lock_lease *lease);

/* Takes the lock of that name, which is there, out of the state again. The lease is the caller's. */
lock_lease php_lock_state_take_out(php_lock_state *state, zend_string *name);

/* Forgets the lock of that name, if there is one, and frees it. */
void php_lock_state_remove(php_lock_state *state, zend_string *name);

/* Forgets the locks whose release has failed and which have ended in Redis by themselves. Of very many it does not look
 * for them each time. */
void php_lock_state_forget_over(php_lock_state *state);

/* Takes all locks out of the state, which the caller frees by zend_hash_destroy(). */
HashTable php_lock_state_take_all(php_lock_state *state);

/* In a child process, forgets all locks, and what was noted of them: they are the parent's. Is to be called before `held` is
 * used; php_lock_state_of() has done it. */
void php_lock_state_check_fork(php_lock_state *state);

/* Makes what follows the base: the part `init` of php_rl_kind. */
void php_lock_state_init(php_rl_base *base);

/* Frees the state, and forgets its locks. */
void php_lock_state_free(php_lock_state *state);

#endif

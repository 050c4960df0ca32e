/* SPDX-License-Identifier: MIT
 *
 * php/fibers: the fibers that asked for a lock in vain, since another fiber had taken it through the same object.
 *
 * One object is one owner, whichever fibers use it: a fiber may release what another one has taken. But one that was told that
 * the lock is held does not release it by mistake, as code does that calls unlock() whatever lock() has returned.
 */
#ifndef PHP_REDISLOCK_FIBERS_H
#define PHP_REDISLOCK_FIBERS_H

#include "php/renewal.h"

/* Takes notice of the ends of fibers; at MINIT. */
void php_lock_fibers_startup(void);

/* Notes that the fiber that runs, or the main program, has asked for the lock in vain; not if it took the lock itself. */
void php_lock_fibers_refuse(php_lock_hold *hold);

/* Parts of what follows. */
bool php_lock_fibers_are_refused(const php_lock_refused *refused);
void php_lock_fibers_free_refused(php_lock_refused *refused);

/* Has the fiber that runs, or the main program, asked for the lock in vain since it was taken? */
static inline bool php_lock_fibers_has_refused(const php_lock_hold *hold)
{
    return UNEXPECTED(hold->refused != NULL) && php_lock_fibers_are_refused(hold->refused);
}

/* Frees what was noted of a hold that goes. Mostly that is nothing. */
static inline void php_lock_fibers_forget(php_lock_hold *hold)
{
    if (UNEXPECTED(hold->refused != NULL)) {
        php_lock_fibers_free_refused(hold->refused);
    }
}

#endif

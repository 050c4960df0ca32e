/* SPDX-License-Identifier: MIT
 *
 * php/redislock/fibers: the fibers that a lock names: the one that has taken it, the one that is told of its loss, and
 * those that asked for it in vain, since another fiber had taken it through the same object. A fiber that has ended is
 * not named any more.
 *
 * One object is one owner, whichever fibers use it: a fiber may release what another one has taken. But one that was told that
 * the lock is held does not release it by mistake, as code does that calls unlock() whatever lock() has returned.
 */
#ifndef REDISLOCK_PHP_REDISLOCK_FIBERS_H
#define REDISLOCK_PHP_REDISLOCK_FIBERS_H

#include "php/redislock/hold.h"

/* Takes notice of the ends of fibers; at MINIT. */
void php_lock_fibers_startup(void);

/* Notes that the fiber that runs, or the main program, has asked for the lock in vain; not if it took the lock itself. */
void php_lock_fibers_refuse(php_lock_hold *hold);

/* Parts of what follows. */
void php_lock_fibers_note(php_lock_hold *hold);
bool php_lock_fibers_are_refused(const php_lock_fibers *fibers);
void php_lock_fibers_free(php_lock_fibers *fibers);

/* Is to be called where the hold comes to name the code that runs. If that is a fiber, the hold forgets it when it ends. The
 * main program outlives every hold, and nothing is noted of it. */
static inline void php_lock_fibers_follow(php_lock_hold *hold)
{
    if (UNEXPECTED(EG(current_fiber_context) != EG(main_fiber_context))) {
        php_lock_fibers_note(hold);
    }
}

/* Has the fiber that runs, or the main program, asked for the lock in vain since it was taken? */
static inline bool php_lock_fibers_has_refused(const php_lock_hold *hold)
{
    return UNEXPECTED(hold->fibers != NULL) && php_lock_fibers_are_refused(hold->fibers);
}

/* Frees what was noted of a hold that goes. Mostly that is nothing. */
static inline void php_lock_fibers_forget(php_lock_hold *hold)
{
    if (UNEXPECTED(hold->fibers != NULL)) {
        php_lock_fibers_free(hold->fibers);
    }
}

#endif

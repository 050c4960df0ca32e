/* SPDX-License-Identifier: MIT
 *
 * php/redislock/notice: tells the PHP code that holds a lock of its loss, while it runs: by an exception, or by a
 * function that it has named (option `on_loss`).
 *
 * The renewing thread only sets a flag. The engine looks at that between two opcodes, at function calls and at the end of
 * loops, and calls zend_interrupt_function. A notice is given there if that is safe, and later otherwise.
 */
#ifndef REDISLOCK_PHP_REDISLOCK_NOTICE_H
#define REDISLOCK_PHP_REDISLOCK_NOTICE_H

#include "php/redislock/hold.h"

/* Puts itself before the engine's interrupt function, and takes notice of switches of fibers; at MINIT. */
void php_lock_notice_startup(void);

/* Undoes that, as far as others have not put themselves before it; at MSHUTDOWN. */
void php_lock_notice_shutdown(void);

/* Says which methods give up locks, by their handlers, NULL behind the last; at MINIT. They must be allowed to end, whatever
 * PHP code runs within them: an error handler that hears of a failed release, say. */
void php_lock_notice_set_releases(const zif_handler *handlers);

/* Notes how the holder of a lock that has just been taken is to be told of its loss. Only the fiber that took it is told, and
 * never inside a `finally`, a destructor or a release that may have begun since. */
void php_lock_notice_prepare(php_lock_hold *hold);

#endif

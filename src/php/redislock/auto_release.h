/* SPDX-License-Identifier: MIT
 *
 * php/redislock/auto_release: the release of locks that were not given up, at the end of their object or of the request.
 */
#ifndef REDISLOCK_PHP_REDISLOCK_AUTO_RELEASE_H
#define REDISLOCK_PHP_REDISLOCK_AUTO_RELEASE_H

#include "php/redislock/state.h"

/* The parts of php_rl_kind. */

/* Releases the locks of an object that is destructed, if its option `auto_release` says so. A release that fails is
 * sent again later (see lock_release()) and warned of. */
void php_lock_destruct(php_rl_base *base);

/* Ends the state of an object that is gone. As `auto_release` says, releases its locks at once, keeps them until the
 * request ends, or leaves them to the ends of their leases. Frees the state as soon as it is not needed. */
void php_lock_dispose(php_rl_base *base);

/* Releases the locks that php_lock_dispose() has kept, and frees their states; at RSHUTDOWN. */
void php_lock_dispose_deferred(void);

#endif

/* SPDX-License-Identifier: MIT
 *
 * php/redislock/local: locks that are passed on from process to process on one machine ("local turns", the option `local`): see
 * lock/pass.h.
 */
#ifndef REDISLOCK_PHP_REDISLOCK_LOCAL_H
#define REDISLOCK_PHP_REDISLOCK_LOCAL_H

#include "php/redislock/call.h"

/* Makes what the process needs to pass locks on, but opens nothing; at MINIT. */
void php_lock_local_startup(void);

/* At MSHUTDOWN, when no object is left. */
void php_lock_local_shutdown(void);

void php_lock_local_take_part(php_lock_call *call, php_lock_state *state, bool renew);

/* Lets the call wait among the processes of this machine, or count them, if the option `local` asks for that and it can.
 * `renew`: the lease that it takes is to be renewed. */
static inline void php_lock_local_join(php_lock_call *call, php_lock_state *state, bool renew)
{
    if (state->base.options.settings.local) {
        php_lock_local_take_part(call, state, renew);
    }
}

/* Makes sure of a lock that another process has passed on, before its token or fencing token is told. A lock that turns out to
 * be lost has nothing left of its lease. False: an exception was thrown, since that cannot be known. */
bool php_lock_local_settle(php_lock_state *state, php_lock_hold *hold);

/* Returns why the option `local` has no effect in this process, whatever the servers are; NULL: it has. */
const char *php_lock_local_problem(void);

#endif

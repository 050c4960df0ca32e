/* SPDX-License-Identifier: MIT
 *
 * php/redislock/local: locks that are passed on from process to process on one machine ("local turns", the option `local`): see
 * lock/pass.h.
 */
#ifndef REDISLOCK_PHP_REDISLOCK_LOCAL_H
#define REDISLOCK_PHP_REDISLOCK_LOCAL_H

#include "php/redislock/call.h"
#include "php/redislock/listener.h"

/* Makes what the process needs to pass locks on, but opens nothing; at MINIT. */
void php_lock_local_startup(void);

/* At MSHUTDOWN, when no object is left. */
void php_lock_local_shutdown(void);

/* Returns how the call takes part among the processes of this machine; NULL: it can't. */
const lock_pass_terms *php_lock_local_take_part(php_lock_call *call, php_lock_state *state);

/* Lets the call wait among the processes of this machine, or count them, if the option `local` asks for that and it can.
 * `renew`: the lease that it takes is to be renewed. What renews or watches a lease, for a holder that wants to hear of its
 * loss, begins with one that is sure. */
static inline void php_lock_local_join(php_lock_call *call, php_lock_state *state, bool renew)
{
    const php_rl_options *options = &state->base.options;

    if (options->settings.local) {
        bool is_known = state->passes_in == state->process;
        call->client.pass = is_known ? &state->pass : php_lock_local_take_part(call, state);
        call->client.settles = renew || options->on_loss != ON_LOSS_FLAG || php_lock_is_heard(state);
    }
}

/* Makes sure of a lock that another process has passed on, before its token or fencing token is told. A lock that turns out to
 * be lost has nothing left of its lease. False: an exception was thrown, since that cannot be known. */
bool php_lock_local_settle(php_lock_state *state, php_lock_hold *hold);

/* Returns why the option `local` has no effect in this process, whatever the servers are; NULL: it has. */
const char *php_lock_local_problem(void);

#endif

/* SPDX-License-Identifier: MIT
 *
 * php/redislock/acquire: see php/redislock/acquire.h.
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "php/redislock/acquire.h"

#include "php/redislock/errors.h"
#include "php/redislock/listener.h"
#include "php/redislock/local.h"
#include "php/redislock/notice.h"

bool php_lock_check_renew(uint32_t arg, const php_lock_state *state, bool is_null, int64_t expire, bool *renew)
{
    if (is_null) {
        *renew = state->base.options.settings.renew;
    }
    if (*renew && expire == PLATFORM_NEVER) {
        zend_argument_value_error(arg, "must be false if the lease has no end (expire is INF)");
        return false;
    }
    return true;
}

bool php_lock_check_times(php_lock_terms *terms, const php_lock_wishes *wishes, uint32_t first,
                          const php_lock_state *state)
{
    const php_rl_settings *settings = &state->base.options.settings;

    terms->renew = wishes->renew;
    return php_rl_check_time_or_null(first, &php_rl_rule_wait, wishes->timeout_null, wishes->timeout, settings->timeout,
                                     &terms->timeout) &&
           php_rl_check_time_or_null(first + 1, &php_rl_rule_lease, wishes->expire_null, wishes->expire,
                                     settings->expire, &terms->expire);
}

bool php_lock_terms_check(php_lock_terms *terms, const php_lock_wishes *wishes, uint32_t first, uint32_t last,
                          const php_lock_state *state)
{
    return php_lock_check_times(terms, wishes, first, state) &&
           php_lock_check_renew(last, state, wishes->renew_null, terms->expire, &terms->renew);
}

void php_lock_give_back(php_lock_call *call, zend_string *name, lock_lease *lease)
{
    rl_error ignored;

    lock_release(&call->client, php_rl_bytes(name), lease, lock_budget(&call->client), &ignored);
    lock_lease_free(lease);
}

bool php_lock_adopt(php_lock_state *state, php_lock_call *call, zend_string *name, lock_lease *lease, bool renew)
{
    php_lock_hold *hold = php_lock_state_put(state, name, lease);

    php_lock_notice_prepare(hold);
    if (!php_lock_hold_keep(hold, &call->client, renew, &call->base.error)) {
        *lease = php_lock_state_take_out(state, name);
        return false;
    }
    return true;
}

/* The server may grant the lock just as PHP code that runs during the wait throws, or is ended by a fatal error. Its
 * caller would not learn of the lock then and never release it, so the lock is given back. php_rl_call_end() comes
 * last: after a fatal error it does not return. */
lock_outcome php_lock_acquire(php_lock_state *state, zend_string *name, zend_string *token, const php_lock_terms *terms,
                              lock_refusal *refusal)
{
    rl_bytes own = {0};
    php_lock_call call;
    lock_lease lease;
    lock_outcome outcome;
    php_lock_call_start start;

    php_lock_call_starts(state, &start);
    if (!php_lock_call_begin(&call, state, name)) {
        return LOCK_FAILED;
    }
    if (token != NULL) {
        own = php_rl_bytes(token);
    }
    php_lock_call_tell_owner(&call, state, terms->renew);
    php_lock_local_join(&call, state, terms->renew);
    outcome = lock_acquire(&call.client, php_rl_bytes(name), token != NULL ? &own : NULL, terms->expire, terms->timeout,
                           &lease, refusal, &call.base.error);
    if (outcome == LOCK_YES && php_rl_call_is_interrupted(&call.base)) {
        php_lock_give_back(&call, name, &lease);
        outcome = LOCK_INTERRUPTED;
    }
    if (outcome == LOCK_YES && !php_lock_adopt(state, &call, name, &lease, terms->renew)) {
        php_lock_give_back(&call, name, &lease);
        outcome = LOCK_FAILED;
    } else if (outcome == LOCK_LATE) {
        php_lock_throw_timeout(name, php_rl_call_server(&call.base),
                               "the server's answer came after the end of the lease");
    }
    php_lock_note_outcome(state, name, &start, outcome);
    php_rl_call_end(&call.base, outcome == LOCK_FAILED);
    return outcome;
}

/* SPDX-License-Identifier: MIT
 *
 * php/redislock/call: see php/redislock/call.h.
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "php/redislock/call.h"

#include "php/metrics.h"
#include "php/redislock/errors.h"
#include "php/redislock/owner.h"
#include "php/redislock/slow.h"
#include "platform/platform.h"

/* The call has a copy of the default: PHP code that runs during it may say that it works on something else. */
void php_lock_call_tell_owner(php_lock_call *call, const php_lock_state *state, bool renews)
{
    call->client.renews = renews;
    call->client.owner = php_lock_owner(&state->base.options);
    if (call->client.owner.at == RL_G(owner)) {
        memcpy(call->owner, RL_G(owner), LOCK_OWNER_MAX);
        call->client.owner.at = call->owner;
    }
}

/* Logs a slow lock: see lock_slow_terms. Whoever logs allocates memory of the request. A fatal error there must not jump over
 * the rest of the call. */
static void tell_slow(void *arg, rl_bytes name, lock_slow what, int64_t span)
{
    php_lock_call *call = arg;
    char line[PHP_LOCK_SLOW_LINE];

    if (!php_lock_slow_is_due()) {
        return;
    }
    if (call->client.owner.len == 0) {
        php_lock_call_tell_owner(call, (const php_lock_state *)call->base.owner, false);
    }
    php_lock_slow_write(line, name, what, span, call->client.owner);
    php_rl_call_run(&call->base, php_lock_slow_log, line);
}

/* Makes the client of a call that has its servers. Each call does, so all fields are named: the compiler would zero the whole
 * client first for those that are not. */
static void make_client(php_lock_call *call, php_lock_state *state)
{
    php_rl_options *options = &state->base.options;
    metrics_writer *metrics = php_rl_metrics(state->process);
    bool has_group = options->metrics_group != NULL && metrics != NULL;
    unsigned group = has_group ? php_rl_metrics_group(options, metrics) : 0;

    call->client = (lock_client){
        .target = call->base.target,
        .prefix = {ZSTR_VAL(options->prefix), ZSTR_LEN(options->prefix)},
        .owner = {NULL, 0},
        .renews = false,
        .retry_interval = options->settings.retry_interval,
        .max_waiters = options->settings.max_waiters,
        .fencing = options->fencing,
        .replicas = options->settings.replicas,
        .spent = 0,
        .extensions = &RL_G(extensions),
        .stats = &RL_G(stats),
        .metrics = metrics,
        .slow = NULL,
        .group = group,
        .pass = NULL,
        .settles = false,
    };
    if (options->settings.slow_wait != PLATFORM_NEVER || options->settings.slow_hold != PLATFORM_NEVER) {
        call->slow = (lock_slow_terms){options->settings.slow_wait, options->settings.slow_hold, tell_slow, call};
        call->client.slow = &call->slow;
    }
}

bool php_lock_call_fill(php_lock_call *call, php_lock_state *state)
{
    bool found = php_rl_call_fill(&call->base, &state->base);

    if (found) {
        make_client(call, state);
    }
    return found;
}

/* Only now it is known how many servers the environment names. */
bool php_lock_call_begin(php_lock_call *call, php_lock_state *state, zend_string *name)
{
    if (!php_rl_call_begin(&call->base, &state->base, name)) {
        return false;
    }
    if (state->base.options.settings.replicas > 0 && call->base.target.count > 1) {
        zend_value_error("RedisLock::__construct(): Argument #2 ($options) %s, but the environment names several",
                         PHP_RL_REPLICAS_OF_ONE);
        php_rl_call_end(&call->base, false);
        return false;
    }
    make_client(call, state);
    return true;
}

void php_lock_call_settle(php_lock_call *call, php_lock_hold *hold)
{
    if (hold->renewal == NULL) {
        return;
    }
    int64_t began = platform_now();
    php_lock_hold_settle_by(hold, began + php_lock_answer_time(lock_budget(&call->client)));
    call->client.spent += platform_now() - began;
}

/* What the warning of a lease that is not kept is about. */
typedef struct unkept_lease {
    const php_lock_hold *hold;
    const rl_error *error;
} unkept_lease;

static void warn_of_unkept(void *arg)
{
    const unkept_lease *unkept = arg;

    php_lock_warn(unkept->hold->name, unkept->hold->options->servers.label, unkept->error->text);
}

void php_lock_call_keep_on(php_lock_call *call, php_lock_hold *hold)
{
    rl_error error;

    if (!php_lock_hold_keep_on(hold, &call->client, &error)) {
        php_rl_call_run(&call->base, warn_of_unkept, &(unkept_lease){hold, &error});
    }
}

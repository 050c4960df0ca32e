/* SPDX-License-Identifier: MIT
 *
 * php/redislock/local: see php/redislock/local.h.
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "php/redislock/local.h"

#include "lock/pass.h"
#include "php/redislock/listener.h"
#include "platform/segment.h"

/* Of the whole process. Written before there are threads. */
static lock_local *process_local;

void php_lock_local_startup(void)
{
    process_local = lock_local_new();
}

void php_lock_local_shutdown(void)
{
    lock_local_free(process_local);
    process_local = NULL;
}

/* One server, which stays the same, says what a renaming has done. Servers that the environment names may be others each
 * time. */
static bool is_possible(const lock_client *client)
{
    return client->target.count == 1 && !rl_target_moves(&client->target) && client->replicas == 0;
}

static void identify(const php_lock_call *call, php_rl_options *options, uint64_t identity[2])
{
    if (!options->is_identified) {
        lock_pass_identify(&call->client.target.endpoints[0], options->identity);
        options->is_identified = options->env_count == 0;
    }
    identity[0] = options->identity[0];
    identity[1] = options->identity[1];
}

/* What renews or watches a lease, for a holder that wants to hear of its loss, begins with one that is sure. */
void php_lock_local_take_part(php_lock_call *call, php_lock_state *state, bool renew)
{
    php_rl_options *options = &state->base.options;
    lock_pass_terms *terms = &call->pass;

    terms->host = is_possible(&call->client) ? lock_local_join(process_local, RL_G(shared_memory)) : NULL;
    if (terms->host != NULL) {
        identify(call, options, terms->identity);
        terms->takes_over = state->base.options.takeover;
        terms->settles = renew || options->on_loss != ON_LOSS_FLAG || php_lock_is_heard(state);
        call->client.pass = terms;
    }
}

/* Nothing is asked of Redis, unless nobody else has told what it says. */
bool php_lock_local_settle(php_lock_state *state, php_lock_hold *hold)
{
    php_lock_call call;
    lock_outcome outcome;

    if (!lock_pass_is_open(&hold->lease)) {
        return true;
    }
    if (!php_lock_call_begin(&call, state, hold->name)) {
        return false;
    }
    int64_t budget = lock_budget(&call.client);
    outcome = lock_pass_settle(&call.client, php_rl_bytes(hold->name), &hold->lease, &budget, &call.base.error);
    php_rl_call_end(&call.base, outcome == LOCK_FAILED);
    return outcome != LOCK_FAILED;
}

const char *php_lock_local_problem(void)
{
    return segment_is_known() ? lock_local_problem(process_local) : "shared memory is only known on Linux";
}

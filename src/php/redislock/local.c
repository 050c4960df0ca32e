/* SPDX-License-Identifier: MIT
 *
 * php/redislock/local: see php/redislock/local.h.
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "php/redislock/local.h"

#include "lock/pass.h"
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

/* Servers that the environment names may be others at the next call, so what it is told is the call's. */
const lock_pass_terms *php_lock_local_take_part(php_lock_call *call, php_lock_state *state)
{
    const php_rl_options *options = &state->base.options;
    bool stays = options->env_count == 0;
    lock_pass_terms *terms = stays ? &state->pass : &call->pass;
    local_host *host =
        is_possible(&call->client) ? lock_local_join(process_local, state->process, RL_G(shared_memory)) : NULL;

    if (host == NULL) {
        return NULL;
    }
    terms->host = host;
    terms->takes_over = options->takeover;
    lock_pass_identify(host, &call->client, terms->identity);
    state->passes_in = stays ? state->process : 0;
    return terms;
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

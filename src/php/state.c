/* SPDX-License-Identifier: MIT
 *
 * php/state: see php/state.h.
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "php/state.h"

#include "php/errors.h"
#include "php/servers.h"
#include "platform.h"

/* The time that all releases at the end of a request may take together, whether of one object or of a thousand: Redis
 * may hang, and the leases end by themselves. */
#define REQUEST_END_TIME (400 * PLATFORM_MSEC)

static void free_lease(zval *zv)
{
    lock_lease *lease = Z_PTR_P(zv);

    lock_lease_free(lease);
    efree(lease);
}

php_lock_state *php_lock_state_new(const php_lock_options *options)
{
    php_lock_state *state = ecalloc(1, sizeof(*state));

    state->options = *options;
    state->own_pool.traffic = &RL_G(traffic);
    state->own_pool.backlog = &RL_G(backlog);
    state->pid = platform_pid();
    zend_hash_init(&state->held, 0, NULL, free_lease, false);
    return state;
}

/* Frees the state: closes its own connections and forgets its leases without releasing them. */
static void state_free(php_lock_state *state)
{
    rl_pool_clear(&state->own_pool);
    zend_hash_destroy(&state->held);
    php_lock_options_free(&state->options);
    efree(state);
}

void php_lock_state_check_fork(php_lock_state *state)
{
    int64_t pid = platform_pid();

    if (state->pid != pid) {
        zend_hash_clean(&state->held);
        state->pid = pid;
    }
}

/* ---- held ---- */

lock_lease *php_lock_state_find(php_lock_state *state, zend_string *name)
{
    php_lock_state_check_fork(state);
    return zend_hash_find_ptr(&state->held, name);
}

lock_lease *php_lock_state_find_ours(php_lock_state *state, zend_string *name)
{
    lock_lease *lease = php_lock_state_find(state, name);

    return lease != NULL && lease->release_requested_at == 0 ? lease : NULL;
}

lock_lease *php_lock_state_find_live(php_lock_state *state, zend_string *name)
{
    lock_lease *lease = php_lock_state_find(state, name);

    return lease != NULL && lock_lease_validity(lease, platform_now()) > 0 ? lease : NULL;
}

void php_lock_state_put(php_lock_state *state, zend_string *name, const lock_lease *lease)
{
    lock_lease *copy = emalloc(sizeof(*copy));

    *copy = *lease;
    zend_hash_update_ptr(&state->held, name, copy);
}

/* Tells zend_hash_apply() which leases to forget: those of a failed release that have ended in Redis. A worker that
 * lives long must not accumulate them. */
static int is_past(zval *zv)
{
    const lock_lease *lease = Z_PTR_P(zv);
    bool over = lease->release_requested_at != 0 && lock_lease_server_remaining(lease, platform_now()) == 0;

    return over ? ZEND_HASH_APPLY_REMOVE : ZEND_HASH_APPLY_KEEP;
}

void php_lock_state_forget_over(php_lock_state *state)
{
    zend_hash_apply(&state->held, is_past);
}

void php_lock_state_remove(php_lock_state *state, zend_string *name)
{
    zend_hash_del(&state->held, name);
}

/* ---- calls ---- */

bool php_lock_is_out_of_memory(void)
{
#ifdef ZEND_HAS_OOM
    return ZEND_HAS_OOM();
#else
    return false;
#endif
}

/* The hook of every wait: lets PHP's signal handlers run, as they would between two lines of PHP code. Returns true
 * where the wait is to end: an exception is pending, or a fatal error has come or is about to come. The fatal errors of
 * max_execution_time and memory_limit are left to the engine, which raises them as soon as the call has returned. */
static bool interrupted(void *arg)
{
    php_lock_call *call = arg;

    if (!zend_atomic_bool_load_ex(&EG(vm_interrupt))) {
        return false;
    }
    if (php_lock_is_out_of_memory() || zend_atomic_bool_load_ex(&EG(timed_out))) {
        return true;
    }
    int64_t pid = platform_pid();
    zend_execute_data *frame = EG(current_execute_data);
    zend_atomic_bool_store_ex(&EG(vm_interrupt), false);
    if (zend_interrupt_function != NULL) {
        /* A fatal error must not jump over the core, which owns connections: php_lock_call_end() goes on with it. */
        zend_try
        {
            zend_interrupt_function(frame);
        }
        zend_catch
        {
            call->bailed_out = true;
            EG(current_execute_data) = frame;
        }
        zend_end_try();
    }
    if (pid != platform_pid() && EG(exception) == NULL) {
        php_lock_throw_forked(call->state->options.of_queue);
    }
    return EG(exception) != NULL || call->bailed_out;
}

/* Fills the call and looks the servers up; throws nothing. False: the environment does not name the servers, `problem`
 * says why, and there is nothing to free. */
static bool call_fill(php_lock_call *call, php_lock_state *state, rl_error *problem)
{
    const php_lock_options *options = &state->options;

    call->state = state;
    call->bailed_out = false;
    call->from_env = (php_lock_servers){0};
    call->client = (lock_client){
        .target =
            {
                .pool = options->settings.persistent ? &RL_G(pool) : &state->own_pool,
                .endpoints = options->servers.list,
                .count = options->servers.count,
                .connect_timeout = options->settings.connect_timeout,
                .read_timeout = options->settings.read_timeout,
                .node_timeout = options->settings.node_timeout,
                .hook = {interrupted, call},
            },
        .prefix = {ZSTR_VAL(options->prefix), ZSTR_LEN(options->prefix)},
        .retry_interval = options->settings.retry_interval,
        .max_waiters = options->settings.max_waiters,
        .fencing = options->fencing,
        .extensions = &RL_G(extensions),
        .stats = &RL_G(stats),
    };
    if (options->env_count > 0) {
        *problem = (rl_error){.kind = RL_UNREACHABLE};
        bool found = php_lock_servers_lookup(options, &call->from_env, problem->text, sizeof(problem->text));
        call->client.target.endpoints = call->from_env.list;
        call->client.target.count = call->from_env.count;
        if (!found) {
            php_lock_servers_free(&call->from_env);
        }
        return found;
    }
    return true;
}

bool php_lock_call_begin(php_lock_call *call, php_lock_state *state, zend_string *name)
{
    rl_error problem;

    if (!call_fill(call, state, &problem)) {
        (state->options.of_queue ? php_queue_throw_error : php_lock_throw_error)(&problem, name,
                                                                                 php_lock_state_server(state));
        return false;
    }
    return true;
}

void php_lock_call_end(php_lock_call *call)
{
    bool bailed_out = call->bailed_out;

    if (call->from_env.count > 0) {
        php_lock_servers_free(&call->from_env);
    }
    if (bailed_out) {
        zend_bailout();
    }
}

const char *php_lock_state_server(const php_lock_state *state)
{
    return state->options.servers.label;
}

const char *php_lock_call_server(const php_lock_call *call)
{
    return call->from_env.label != NULL ? call->from_env.label : call->state->options.servers.label;
}

/* `waited` is the only count of a time: it is kept in µs and reported in seconds. */
void php_lock_stats(zval *array)
{
    const lock_stats *stats = &RL_G(stats);
    const rl_traffic *traffic = &RL_G(traffic);
    const struct {
        const char *name;
        uint64_t value;
    } counts[] = {
        {"acquired", stats->acquired},
        {"contended", stats->contended},
        {"timed_out", stats->timed_out},
        {"released", stats->released},
        {"unreleased", stats->unreleased},
        {"lost", stats->lost},
        {"connections", traffic->connections},
        {"reconnects", traffic->reconnects},
        {"script_reloads", traffic->script_reloads},
        {"bytes_sent", traffic->bytes_sent},
        {"bytes_received", traffic->bytes_received},
    };

    array_init(array);
    add_assoc_double(array, "waited", (double)stats->waited / (double)PLATFORM_SEC);
    for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++) {
        add_assoc_long(array, counts[i].name, (zend_long)counts[i].value);
    }
}

/* ---- release ---- */

/* Lists the leases before it forgets any, since forgetting changes the table that is walked. Of several failures it
 * reports the one that was asked for last, so that warn_of_failed() sees a new one if there is any. */
bool php_lock_state_release_all(php_lock_state *state, php_lock_call *call, int64_t budget, lock_release_item *failed)
{
    uint32_t count = zend_hash_num_elements(&state->held), n = 0;
    lock_release_item *items = safe_emalloc(count, sizeof(*items), 0);
    zend_string **names = safe_emalloc(count, sizeof(*names), 0);
    zend_string *name;
    lock_lease *lease;
    bool all = true;

    memset(failed, 0, sizeof(*failed));
    ZEND_HASH_FOREACH_STR_KEY_PTR(&state->held, name, lease) {
        names[n] = name;
        items[n++] = (lock_release_item){.name = {ZSTR_VAL(name), ZSTR_LEN(name)}, .lease = lease};
    }
    ZEND_HASH_FOREACH_END();
    if (count > 0) {
        lock_release_all(&call->client, items, count, budget);
    }
    for (uint32_t i = 0; i < count; i++) {
        all &= items[i].outcome == LOCK_YES;
        if (items[i].outcome != LOCK_FAILED) {
            php_lock_state_remove(state, names[i]);
        } else if (failed->lease == NULL ||
                   items[i].lease->release_requested_at >= failed->lease->release_requested_at) {
            *failed = items[i];
        }
    }
    efree(items);
    efree(names);
    return all;
}

void php_lock_state_mark_unsent(php_lock_state *state)
{
    lock_lease *lease;

    ZEND_HASH_FOREACH_PTR(&state->held, lease)
    {
        lock_release_mark_unsent(lease);
    }
    ZEND_HASH_FOREACH_END();
}

/* Returns the time that an automatic release may take. At the end of a request all releases share a short time. When
 * that is used up, the requests are still sent, but nobody waits for the replies. */
static int64_t auto_release_budget(const lock_client *client)
{
    int64_t left = REQUEST_END_TIME - RL_G(release_time);

    if (!(EG(flags) & EG_FLAGS_IN_SHUTDOWN)) {
        return lock_budget(client);
    }
    return left < 0 ? 0 : platform_earlier(left, lock_budget(client));
}

/* At the end of a request no warning is given: nobody can act on it any more, and each lock would give one. */
static bool is_nobodys_to_act_on(void)
{
    return (EG(flags) & EG_FLAGS_IN_SHUTDOWN) != 0;
}

/* Says for how long the lock may stay; for a lease without end there is no such number. */
void php_lock_warn_unreleased(zend_string *problem, const lock_lease *lease)
{
    int64_t stays = lock_lease_server_remaining(lease, platform_now());

    if (is_nobodys_to_act_on()) {
        return;
    }
    if (stays == PLATFORM_NEVER) {
        php_error_docref(NULL, E_WARNING, "RedisLock could not release a lock, whose lease has no end: %s",
                         ZSTR_VAL(problem));
    } else {
        php_error_docref(NULL, E_WARNING, "RedisLock could not release a lock, which may stay for another %.1f s: %s",
                         php_lock_to_seconds(stays), ZSTR_VAL(problem));
    }
}

/* Warns of a release that an automatic release could not carry out, if `failed` has one. A release that was first asked
 * for before `began` has been reported by an exception or a warning already. */
static void warn_of_failed(const lock_release_item *failed, const char *server, int64_t began)
{
    if (failed->name.at == NULL || failed->lease->release_requested_at < began) {
        return;
    }
    zend_string *name = zend_string_init(failed->name.at, failed->name.len, false);
    zend_string *problem = php_lock_describe(&failed->error, name, server);
    php_lock_warn_unreleased(problem, failed->lease);
    zend_string_release(problem);
    zend_string_release(name);
}

/* Warns that nothing was released, since the environment does not name the servers. */
static void warn_of_nobody_to_ask(const rl_error *problem, const char *server)
{
    zend_string *text = php_lock_describe(problem, NULL, server);

    php_error_docref(NULL, E_WARNING, "RedisLock could not release its locks, which last until their leases end: %s",
                     ZSTR_VAL(text));
    zend_string_release(text);
}

/* Runs where an exception may be on its way, so nothing may be thrown here: php_lock_call_begin() would throw. What it
 * takes at the end of a request is added up, for auto_release_budget(). */
void php_lock_state_auto_release(php_lock_state *state)
{
    lock_release_item failed;
    rl_error problem;
    php_lock_call call;

    php_lock_state_check_fork(state);
    if (zend_hash_num_elements(&state->held) == 0) {
        return;
    }
    if (!call_fill(&call, state, &problem)) {
        if (!is_nobodys_to_act_on()) {
            warn_of_nobody_to_ask(&problem, php_lock_state_server(state));
        }
        zend_hash_clean(&state->held);
        return;
    }
    int64_t began = platform_now();
    php_lock_state_release_all(state, &call, auto_release_budget(&call.client), &failed);
    if (EG(flags) & EG_FLAGS_IN_SHUTDOWN) {
        RL_G(release_time) += platform_now() - began;
    }
    warn_of_failed(&failed, php_lock_call_server(&call), began);
    zend_hash_clean(&state->held);
    php_lock_call_end(&call);
}

bool php_lock_state_releases_with_object(const php_lock_state *state)
{
    return state->options.settings.auto_release == AUTO_RELEASE_OBJECT;
}

/* A state that is kept comes here again from php_lock_state_dispose_deferred(). By then `request_over` is set, so it
 * is not kept a second time. */
void php_lock_state_dispose(php_lock_state *state)
{
    php_lock_state_check_fork(state);
    if (zend_hash_num_elements(&state->held) > 0) {
        if (state->options.settings.auto_release == AUTO_RELEASE_REQUEST && !RL_G(request_over)) {
            state->next = RL_G(deferred);
            RL_G(deferred) = state;
            return;
        }
        if (state->options.settings.auto_release != AUTO_RELEASE_NEVER) {
            php_lock_state_auto_release(state);
        }
    }
    state_free(state);
}

void php_lock_state_dispose_deferred(void)
{
    while (RL_G(deferred) != NULL) {
        php_lock_state *state = RL_G(deferred);
        RL_G(deferred) = state->next;
        php_lock_state_dispose(state);
    }
}

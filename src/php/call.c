/* SPDX-License-Identifier: MIT
 *
 * php/call: see php/call.h.
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "php/call.h"

#include "php/errors.h"
#include "php/metrics.h"
#include "php/names.h"
#include "php/servers.h"
#include "invariant.h"
#include "platform/platform.h"

bool php_rl_is_out_of_memory(void)
{
#ifdef ZEND_HAS_OOM
    return ZEND_HAS_OOM();
#else
    return false;
#endif
}

bool php_rl_call_is_interrupted(const php_rl_call *call)
{
    return EG(exception) != NULL || call->bailed_out;
}

/* The jump has left the frames of that code, so the engine's frame is put back. */
void php_rl_call_run(php_rl_call *call, void (*code)(void *arg), void *arg)
{
    zend_execute_data *frame = EG(current_execute_data);

    zend_try
    {
        code(arg);
    }
    zend_catch
    {
        call->bailed_out = true;
        EG(current_execute_data) = frame;
    }
    zend_end_try();
}

static void run_interrupt_function(void *frame)
{
    zend_interrupt_function(frame);
}

/* The hook of every wait: lets PHP's signal handlers run, as they would between two lines of PHP code. Returns true if the wait
 * is to end: an exception is pending, or a fatal error has come or is about to come. It goes on to return true then, since a
 * step of the call may have gone on all the same. The fatal errors of max_execution_time and memory_limit are left to the
 * engine, which raises them as soon as the call has returned. */
static bool interrupted(void *arg)
{
    php_rl_call *call = arg;

    if (php_rl_call_is_interrupted(call)) {
        return true;
    }
    if (!zend_atomic_bool_load_ex(&EG(vm_interrupt))) {
        return false;
    }
    if (php_rl_is_out_of_memory() || zend_atomic_bool_load_ex(&EG(timed_out))) {
        return true;
    }
    int64_t process = platform_process();
    zend_execute_data *frame = EG(current_execute_data);
    zend_atomic_bool_store_ex(&EG(vm_interrupt), false);
    if (zend_interrupt_function != NULL) {
        php_rl_call_run(call, run_interrupt_function, frame);
    }
    if (process != platform_process() && EG(exception) == NULL) {
        const php_rl_kind *kind = call->owner->kind;
        php_rl_throw(*kind->exception, kind->subject,
                     "a signal handler forked during this call; only the parent goes on with it", NULL, "", "");
    }
    return php_rl_call_is_interrupted(call);
}

/* If the environment names servers, the call has a list of its own, since the next call may find others. */
bool php_rl_call_fill(php_rl_call *call, php_rl_base *owner)
{
    const php_rl_options *options = &owner->options;

    call->owner = owner;
    call->bailed_out = false;
    call->from_env = (php_rl_servers){0};
    call->target = (rl_target){
        .pool = options->settings.persistent ? &RL_G(pool) : &owner->own_pool,
        .endpoints = options->servers.list,
        .count = options->servers.count,
        .connect_timeout = options->settings.connect_timeout,
        .read_timeout = options->settings.read_timeout,
        .node_timeout = options->settings.node_timeout,
        .hook = {.interrupted = interrupted,
                 .arg = call,
                 .is_silent = RL_G(background) != NULL}, /* the renewing thread's notices */
    };
    if (options->env_count > 0) {
        call->error = (rl_error){.kind = RL_UNREACHABLE};
        bool found = php_rl_servers_lookup(options, &call->from_env, call->error.text, sizeof(call->error.text));
        call->target.endpoints = call->from_env.list;
        call->target.count = call->from_env.count;
        if (!found) {
            php_rl_servers_free(&call->from_env);
        }
        RL_INVARIANT(!found || (call->target.count >= 1 && call->target.count <= RL_MAX_NODES));
        return found;
    }
    RL_INVARIANT(call->target.count >= 1 && call->target.count <= RL_MAX_NODES);
    return true;
}

bool php_rl_call_begin(php_rl_call *call, php_rl_base *owner, zend_string *name)
{
    call->name = name;
    if (!php_rl_call_fill(call, owner)) {
        php_rl_call_throw(call, &call->error, name);
        return false;
    }
    if (name != NULL && php_rl_servers_are_cluster(&call->from_env) && !php_rl_check_slot(&owner->options, name)) {
        php_rl_servers_free(&call->from_env);
        return false;
    }
    return true;
}

void php_rl_call_end(php_rl_call *call, bool failed)
{
    if (failed) {
        php_rl_call_throw(call, &call->error, call->name);
    }
    if (call->from_env.count > 0) {
        php_rl_servers_free(&call->from_env);
    }
    if (call->bailed_out) {
        zend_bailout();
    }
}

const char *php_rl_call_server(const php_rl_call *call)
{
    return call->from_env.label != NULL ? call->from_env.label : call->owner->options.servers.label;
}

void php_rl_call_throw_as(const php_rl_call *call, const rl_error *error, const char *text, zend_string *name)
{
    const php_rl_kind *kind = call->owner->kind;
    php_rl_metrics_note_error(error);
    bool was_answered = error->kind == RL_ERROR_REPLY || error->kind == RL_TOO_FEW || error->kind == RL_REDIRECTED;
    zend_class_entry **ce = was_answered ? kind->server_exception : kind->connection_exception;

    php_rl_throw(*ce, kind->subject, text, name, php_rl_call_server(call), error->code);
}

void php_rl_call_throw(const php_rl_call *call, const rl_error *error, zend_string *name)
{
    php_rl_call_throw_as(call, error, error->text, name);
}

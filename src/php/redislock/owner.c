/* SPDX-License-Identifier: MIT
 *
 * php/redislock/owner: see php/redislock/owner.h.
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "php/redislock/owner.h"

#include "SAPI.h"

#include "php/arguments.h"
#include "platform.h"

/* Returns the base name of the script that the command line runs; "" where there is none, or under another SAPI, whose
 * processes run many scripts. */
static rl_bytes script_name(void)
{
    const char *path = SG(request_info).path_translated, *name = path;

    if (strcmp(sapi_module.name, "cli") != 0 || path == NULL || strcmp(path, "-") == 0) {
        return RL_LITERAL("");
    }
    for (const char *at = path; *at != '\0'; at++) {
        name = IS_SLASH(*at) ? at + 1 : name;
    }
    return (rl_bytes){name, strlen(name)};
}

/* Writes who the process is, and what it works on as far as there is room. Too little room cuts the host, and not the pid. */
static size_t write_default(char out[LOCK_OWNER_MAX])
{
    size_t len, host;
    const char *identity = platform_identity(&len);
    rl_bytes work = RL_G(is_described) ? (rl_bytes){RL_G(work), RL_G(work_len)} : script_name();

    for (host = len; identity[host - 1] != ':';) {
        host--;
    }
    rl_bytes pid = {identity + host - 1, len - host + 1};
    host = host - 1 < LOCK_OWNER_MAX - pid.len ? host - 1 : LOCK_OWNER_MAX - pid.len;
    len = lock_owner_append(out, 0, (rl_bytes){identity, host});
    len = lock_owner_append(out, len, pid);
    if (work.len > 0 && len + 1 < LOCK_OWNER_MAX) {
        len = lock_owner_append(out, lock_owner_append(out, len, RL_LITERAL(" ")), work);
    }
    return len;
}

/* The default is made once for as long as it stays. */
rl_bytes php_lock_owner(const php_lock_state *state)
{
    const zend_string *owner = state->base.options.owner;
    int64_t process = platform_process();

    if (owner != NULL) {
        return (rl_bytes){ZSTR_VAL(owner), ZSTR_LEN(owner)};
    }
    if (RL_G(owner_process) != process) {
        RL_G(owner_len) = write_default(RL_G(owner));
        RL_G(owner_process) = process;
    }
    return (rl_bytes){RL_G(owner), RL_G(owner_len)};
}

/* The call has a copy of the default: PHP code that runs during it may say that it works on something else. */
void php_lock_call_tell_owner(php_lock_call *call, const php_lock_state *state, bool renews)
{
    call->client.renews = renews;
    call->client.owner = php_lock_owner(state);
    if (call->client.owner.at == RL_G(owner)) {
        memcpy(call->owner, RL_G(owner), LOCK_OWNER_MAX);
        call->client.owner.at = call->owner;
    }
}

void php_lock_owner_reset(void)
{
    RL_G(is_described) = false;
    RL_G(owner_process) = 0;
}

PHP_METHOD(RedisLock, describe)
{
    zend_string *what;

    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_STR_OR_NULL(what)
    ZEND_PARSE_PARAMETERS_END();

    php_lock_owner_reset();
    if (what != NULL) {
        RL_G(is_described) = true;
        RL_G(work_len) = lock_owner_append(RL_G(work), 0, php_rl_bytes(what));
    }
}

/* Of what the token of another client says, only what a client of ours may have written is told. */
static void tell_holder(zval *array, const lock_lease *holder, int64_t waiters)
{
    lock_description description;
    bool is_described = lock_description_read((rl_bytes){holder->token, holder->token_len}, &description);

    array_init(array);
    if (is_described) {
        add_assoc_stringl(array, "owner", description.owner.at, description.owner.len);
        add_assoc_double(array, "since", (double)description.since / 1000);
    } else {
        add_assoc_null(array, "owner");
        add_assoc_null(array, "since");
    }
    add_assoc_double(array, "lease", php_rl_to_seconds(holder->duration));
    if (is_described) {
        add_assoc_bool(array, "renewed", description.renews);
    } else {
        add_assoc_null(array, "renewed");
    }
    add_assoc_long(array, "waiters", (zend_long)waiters);
}

/* Does not tell the token, by which anybody could release the lock: what this returns is made to be shown. */
PHP_METHOD(RedisLock, holder)
{
    zend_string *name;
    php_lock_state *state;
    php_lock_call call;
    lock_lease holder;
    int64_t waiters = 0;

    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_STR(name)
    ZEND_PARSE_PARAMETERS_END();

    if ((state = php_lock_state_of(Z_OBJ_P(ZEND_THIS))) == NULL || !php_lock_check_name(&state->base.options, name) ||
        !php_lock_call_begin(&call, state, name)) {
        RETURN_THROWS();
    }
    lock_outcome outcome = lock_inspect(&call.client, php_rl_bytes(name), &holder, &waiters, &call.base.error);
    if (outcome == LOCK_YES) {
        tell_holder(return_value, &holder, waiters);
        lock_lease_free(&holder);
    }
    php_rl_call_end(&call.base, outcome == LOCK_FAILED);
}

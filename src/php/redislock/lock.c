/* SPDX-License-Identifier: MIT
 *
 * php/redislock/lock: see php/redislock/lock.h. Each method parses its arguments, calls the core, and maps the outcome
 * to a result or an exception.
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "php/redislock/lock.h"

#include "php.h"
#include "zend_attributes.h"
#include "zend_exceptions.h"
#include "ext/spl/spl_exceptions.h"

#include "invariant.h"
#include "lock/keys.h"
#include "lock/owner.h"
#include "php/arguments.h"
#include "php/errors.h"
#include "php/metrics.h"
#include "php/names.h"
#include "php/redislock/acquire.h"
#include "php/redislock/auto_release.h"
#include "php/redislock/call.h"
#include "php/redislock/errors.h"
#include "php/redislock/fibers.h"
#include "php/redislock/listener.h"
#include "php/redislock/local.h"
#include "php/redislock/notice.h"
#include "php/redislock/owner.h"
#include "php/redislock/release.h"
#include "platform/platform.h"

#include "php/redislock/redislock_arginfo.h"

/* What to write in place of a token of the wrong type, for the error message. */
#define INSTEAD_IN_LOCK                                                                                                \
    "write an owner token that is unique to this acquisition, or leave it out for a random one (no polling interval "  \
    "is needed here: the server wakes a waiter)"
#define INSTEAD_IN_ATTACH "write what token() or detach() returned where the lock was taken"
#define INSTEAD_IN_UNLOCK                                                                                              \
    "leave it out to use the one with which this object took the lock, or write what token() returned"

/* ---- the class ---- */

static zend_class_entry *server_exception_ce, *connection_exception_ce;

/* The options of this class alone. */
#define LOCK_OPTIONS                                                                                                   \
    "owner", "expire", "timeout", "retry_interval", "node_timeout", "max_waiters", "auto_release", "fencing", "renew", \
        "max_hold", "on_loss", "replicas", "metrics_group", "slow_wait", "slow_hold", "local", "takeover", "listener"

static const char *const options[] = {PHP_RL_COMMON_OPTIONS, LOCK_OPTIONS, NULL};

static const php_rl_kind kind = {
    .subject = PHP_LOCK_SUBJECT,
    .options = options,
    .exception = &php_lock_exception_ce,
    .server_exception = &server_exception_ce,
    .connection_exception = &connection_exception_ce,
    .size = sizeof(php_lock_state),
    .init = php_lock_state_init,
    .destruct = php_lock_destruct,
    .dispose = php_lock_dispose,
};

/* A class inherits create_object when it is registered, so a parent's is set before its children are. */
void php_lock_register_class(void)
{
    static const zif_handler releases[] = {ZEND_MN(RedisLock_unlock), ZEND_MN(RedisLock_unlockAll),
                                           ZEND_MN(RedisLock_forceUnlock), ZEND_MN(RedisLock_detach), NULL};

    php_lock_notice_set_releases(releases);
    php_rl_object_init_class(register_class_RedisLock());
    php_lock_exception_ce = register_class_RedisLockException(spl_ce_RuntimeException);
    php_lock_exception_ce->create_object = php_rl_exception_create;
    connection_exception_ce = register_class_RedisLockConnectionException(php_lock_exception_ce);
    server_exception_ce = register_class_RedisLockServerException(php_lock_exception_ce);
    php_lock_timeout_exception_ce = register_class_RedisLockTimeoutException(php_lock_exception_ce);
    php_lock_held_exception_ce = register_class_RedisLockHeldException(php_lock_exception_ce);
    php_lock_lost_exception_ce = register_class_RedisLockLostException(php_lock_exception_ce);
    php_lock_lost_exception_ce->create_object = php_lock_lost_exception_create;
}

PHP_METHOD(RedisLock, __construct)
{
    php_rl_object_construct(INTERNAL_FUNCTION_PARAM_PASSTHRU, &kind, RL_G(prefix));
}

/* ---- the methods ---- */

/* Checks the token of lock(). One that looks like a baton is refused, since a baton never owns a lock. False: an error was
 * thrown. */
static bool check_own_token(uint32_t arg, zval *given, zend_string **token)
{
    if (!php_lock_check_token(arg, given, "?string", INSTEAD_IN_LOCK, token)) {
        return false;
    }
    if (*token != NULL && lock_token_is_baton(php_rl_bytes(*token))) {
        zend_argument_value_error(arg, "must not begin with \"" LOCK_BATON_PREFIX "\"");
        return false;
    }
    return true;
}

/* Checks the arguments in their order. Returns false without asking Redis for a name that this object holds: it would wait for
 * its own release. */
PHP_METHOD(RedisLock, lock)
{
    zend_string *name, *token;
    zval *token_arg = NULL;
    php_lock_wishes wishes = PHP_LOCK_NO_WISHES;
    php_lock_terms terms;
    php_lock_state *state;
    bool taken;

    ZEND_PARSE_PARAMETERS_START(1, 5)
        Z_PARAM_STR(name)
        Z_PARAM_OPTIONAL
        Z_PARAM_DOUBLE_OR_NULL(wishes.timeout, wishes.timeout_null)
        Z_PARAM_DOUBLE_OR_NULL(wishes.expire, wishes.expire_null)
        Z_PARAM_ZVAL(token_arg)
        Z_PARAM_BOOL_OR_NULL(wishes.renew, wishes.renew_null)
    ZEND_PARSE_PARAMETERS_END();

    if ((state = php_lock_state_of(Z_OBJ_P(ZEND_THIS))) == NULL || !php_lock_check_name(&state->base.options, name) ||
        !php_lock_check_times(&terms, &wishes, 2, state) || !check_own_token(4, token_arg, &token) ||
        !php_lock_check_renew(5, state, wishes.renew_null, terms.expire, &terms.renew)) {
        RETURN_THROWS();
    }
    if (php_lock_state_refuses(state, name)) {
        RETURN_FALSE;
    }
    /* PHP code that runs during the wait may drop the last reference to the object. */
    GC_ADDREF(Z_OBJ_P(ZEND_THIS));
    taken = php_lock_acquire(state, name, token, &terms, NULL) == LOCK_YES;
    RETVAL_BOOL(taken);
    php_lock_listener_tell(state);
    OBJ_RELEASE(Z_OBJ_P(ZEND_THIS));
}

/* Marks a lock that this object no longer owns. It stays in the state, with nothing left of its lease, until it is
 * unlocked, so that synchronized() and unlockAll() report the loss. */
static void mark_lost(php_lock_state *state, php_lock_hold *hold)
{
    php_lock_hold_settle_at_once(hold);
    hold->lease.duration = 0;
    lock_pass_look(&hold->lease);
    php_lock_note_lost(state, hold);
}

/* Asks Redis also about a lease that was lost or is over by the local clock: only Redis knows whether the lock was
 * still owned. To a fiber that asked for the lock in vain it is another one's, unless it names the token. */
PHP_METHOD(RedisLock, unlock)
{
    zend_string *name, *token;
    zval *token_arg = NULL;
    php_lock_state *state;

    ZEND_PARSE_PARAMETERS_START(1, 2)
        Z_PARAM_STR(name)
        Z_PARAM_OPTIONAL
        Z_PARAM_ZVAL(token_arg)
    ZEND_PARSE_PARAMETERS_END();

    if ((state = php_lock_state_of(Z_OBJ_P(ZEND_THIS))) == NULL || !php_lock_check_name(&state->base.options, name) ||
        !php_lock_check_token(2, token_arg, "?string", INSTEAD_IN_UNLOCK, &token)) {
        RETURN_THROWS();
    }
    RETVAL_BOOL(php_lock_release(state, name, token) == LOCK_YES);
    php_lock_listener_tell(state);
}

/* Does not extend a lease whose release was asked for, whatever became of the release. A lock that is found lost stays in
 * the state: see mark_lost(). Otherwise a lease that was renewed or watched is so again, with the duration that it has now.
 * The object is kept alive, as in the other methods that call php_lock_call_keep_on(). */
PHP_METHOD(RedisLock, expire)
{
    zend_string *name, *token;
    zval *token_arg = NULL;
    double expire_arg = 0;
    bool expire_null = true;
    int64_t expire;
    php_lock_state *state;
    php_lock_call call;
    php_lock_target target;
    lock_outcome outcome;
    bool was_endless;
    zend_object *self = Z_OBJ_P(ZEND_THIS);

    ZEND_PARSE_PARAMETERS_START(1, 3)
        Z_PARAM_STR(name)
        Z_PARAM_OPTIONAL
        Z_PARAM_DOUBLE_OR_NULL(expire_arg, expire_null)
        Z_PARAM_ZVAL(token_arg)
    ZEND_PARSE_PARAMETERS_END();

    if ((state = php_lock_state_of(Z_OBJ_P(ZEND_THIS))) == NULL || !php_lock_check_name(&state->base.options, name) ||
        !php_rl_check_time_or_null(2, &php_rl_rule_lease, expire_null, expire_arg, state->base.options.settings.expire,
                                   &expire) ||
        !php_lock_check_token(3, token_arg, "?string", INSTEAD_IN_UNLOCK, &token)) {
        RETURN_THROWS();
    }
    if (!php_lock_state_find_target(state, name, token, &target) || target.lease->release_requested_at != 0) {
        RETURN_FALSE;
    }
    if (!php_lock_call_begin(&call, state, name)) {
        RETURN_THROWS();
    }
    GC_ADDREF(self);
    if (target.hold != NULL) {
        php_lock_call_settle(&call, target.hold);
    }
    was_endless = target.lease->duration == PLATFORM_NEVER;
    RL_INVARIANT(target.hold == NULL || target.hold->renewal == NULL); /* L17 */
    outcome = lock_extend(&call.client, php_rl_bytes(name), target.lease, expire, lock_budget(&call.client),
                          &call.base.error);
    if (target.hold != NULL && outcome == LOCK_NOT_OWNED) {
        mark_lost(state, target.hold);
    } else if (target.hold != NULL) {
        if (was_endless && outcome == LOCK_YES) {
            php_lock_notice_prepare(target.hold); /* its fiber may be gone, since nothing was watched */
        }
        php_lock_call_keep_on(&call, target.hold);
    }
    php_rl_call_end(&call.base, outcome == LOCK_FAILED);
    php_lock_listener_tell(state);
    OBJ_RELEASE(self);
    RETURN_BOOL(outcome == LOCK_YES);
}

/* Throws once for all locks: the exception names one of those that could not be released, and says how many there are. If no
 * server can be looked up, all releases count as asked for. */
PHP_METHOD(RedisLock, unlockAll)
{
    php_lock_state *state;
    lock_release_failures failures;
    php_lock_call call;
    bool all;

    ZEND_PARSE_PARAMETERS_NONE();

    if ((state = php_lock_state_of(Z_OBJ_P(ZEND_THIS))) == NULL) {
        RETURN_THROWS();
    }
    if (!php_lock_call_begin(&call, state, NULL)) {
        php_lock_mark_all_unsent(state);
        RETURN_THROWS();
    }
    all = php_lock_release_all(state, &call, lock_budget(&call.client), PLATFORM_NEVER, &failures);
    if (failures.count > 0) {
        char text[PHP_LOCK_FAILURES_TEXT];
        zend_string *name = zend_string_init(failures.last.name.at, failures.last.name.len, false);
        php_rl_call_throw_as(&call.base, &failures.error, php_lock_failures_text(text, &failures), name);
        zend_string_release(name);
    }
    php_rl_call_end(&call.base, false);
    RETVAL_BOOL(all);
    php_lock_listener_tell(state);
}

static bool is_wrong_type(const rl_error *error)
{
    return strcmp(error->code, "WRONGTYPE") == 0;
}

/* Asks Redis who holds the lock, or whether the token `adopts` does, with whose lease the caller goes on; NULL: none. On
 * LOCK_YES fills `holder`, which the caller frees. LOCK_FAILED has thrown. A key of another type than a lock has no owner
 * token: if `lenient` it counts as LOCK_NOT_OWNED, otherwise as a failure (WRONGTYPE). `spent`: µs of the call's time. */
static lock_outcome ask_holder(php_lock_state *state, zend_string *name, zend_string *adopts, bool lenient,
                               int64_t spent, lock_lease *holder)
{
    php_lock_call call;
    lock_outcome outcome;

    if (!php_lock_call_begin(&call, state, name)) {
        return LOCK_FAILED;
    }
    call.client.spent = spent;
    outcome = adopts != NULL
                  ? lock_adopt(&call.client, php_rl_bytes(name), php_rl_bytes(adopts), holder, &call.base.error)
                  : lock_holder(&call.client, php_rl_bytes(name), holder, &call.base.error);
    if (outcome == LOCK_FAILED && lenient && is_wrong_type(&call.base.error)) {
        outcome = LOCK_NOT_OWNED;
    }
    php_rl_call_end(&call.base, outcome == LOCK_FAILED);
    return outcome;
}

/* Asks Redis whether this token holds the lock. On LOCK_YES fills `holder`, which the caller frees, with how it is
 * held. LOCK_FAILED has thrown. */
static lock_outcome ask_whether(php_lock_state *state, zend_string *name, rl_bytes token, int64_t spent,
                                lock_lease *holder)
{
    lock_outcome outcome = ask_holder(state, name, NULL, true, spent, holder);

    if (outcome == LOCK_YES && !rl_bytes_equal(lock_lease_token(holder), token)) {
        lock_lease_free(holder);
        return LOCK_NOT_OWNED;
    }
    return outcome;
}

/* Parses the arguments of a method that takes a name only, checks the name and sets `state`. Returns from the method if
 * an error was thrown. */
#define PARSE_NAME(name, state)                                                                                        \
    ZEND_PARSE_PARAMETERS_START(1, 1)                                                                                  \
        Z_PARAM_STR(name)                                                                                              \
    ZEND_PARSE_PARAMETERS_END();                                                                                       \
    if ((state = php_lock_state_of(Z_OBJ_P(ZEND_THIS))) == NULL || !php_lock_check_name(&state->base.options, name)) { \
        RETURN_THROWS();                                                                                               \
    }

/* Asks Redis also about a lease that is over by the local clock, which allows for clock drift: Redis may still keep the
 * lock. */
PHP_METHOD(RedisLock, isLocking)
{
    zend_string *name;
    php_lock_state *state;
    php_lock_hold *hold;
    lock_lease holder;
    lock_outcome outcome;

    PARSE_NAME(name, state);
    if ((hold = php_lock_state_find(state, name)) == NULL || hold->lease.release_requested_at != 0) {
        RETURN_FALSE;
    }
    int64_t began = platform_now();
    if (!php_lock_local_settle(state, hold)) {
        RETURN_THROWS();
    }
    outcome = ask_whether(state, name, lock_lease_token(&hold->lease), platform_now() - began, &holder);
    if (outcome == LOCK_YES) {
        lock_lease_free(&holder);
    } else if (outcome == LOCK_NOT_OWNED) {
        mark_lost(state, hold);
    }
    RETVAL_BOOL(outcome == LOCK_YES);
    php_lock_listener_tell(state);
}

/* Takes over a lock of which Redis has just reported the holder. The lease is what Redis reports, not what the former holder
 * believed; one that is to be renewed is set to the option `expire`, with which it is renewed.
 *
 * No earlier extension of this process may arrive late and make the lease shorter than that. So if the reply to one was lost,
 * the lease is set to what is left of it, which keeps the earlier extension from being carried out. For the same reason the
 * renewing ends first if this object holds the lock already.
 *
 * `began` is when the method began: both of its questions share its time budget. LOCK_NOT_OWNED: the lock is lost, or nothing
 * of the lease is left. LOCK_FAILED has thrown. What `holder` owns goes to the state, or is freed. */
static lock_outcome take_over(php_lock_state *state, zend_string *name, lock_lease *holder, bool renew, int64_t began)
{
    php_lock_call call;
    php_lock_hold *held;
    lock_outcome outcome = LOCK_YES;

    if (!php_lock_call_begin(&call, state, name)) {
        lock_lease_free(holder);
        return LOCK_FAILED;
    }
    call.client.spent = platform_now() - began;
    held = php_lock_state_find(state, name);
    if (held != NULL) {
        php_lock_call_settle(&call, held);
    }
    RL_INVARIANT(held == NULL || held->renewal == NULL); /* L17 */
    int64_t left = lock_lease_validity(holder, platform_now());
    if (left == 0) {
        outcome = LOCK_NOT_OWNED;
    } else if (renew || lock_extension_is_doubted(&call.client)) {
        int64_t wanted = renew ? state->base.options.settings.expire : left;
        outcome =
            lock_extend(&call.client, php_rl_bytes(name), holder, wanted, lock_budget(&call.client), &call.base.error);
    }
    if (outcome == LOCK_YES && !php_lock_adopt(state, &call, name, holder, renew)) {
        outcome = LOCK_FAILED;
    } else if (outcome != LOCK_YES && held != NULL) {
        php_lock_call_keep_on(&call, held);
    }
    if (outcome != LOCK_YES) {
        lock_lease_free(holder); /* before php_rl_call_end(), which may not return */
    }
    php_rl_call_end(&call.base, outcome == LOCK_FAILED);
    return outcome;
}

/* Asks for the holder first, since what counts is what Redis reports. If the token does not hold the lock, nothing in the state
 * changes. */
PHP_METHOD(RedisLock, attach)
{
    zend_string *name, *token;
    zval *token_arg;
    php_lock_state *state;
    lock_lease holder;
    lock_outcome outcome;
    bool renew = false, renew_null = true;
    int64_t began;
    zend_object *self = Z_OBJ_P(ZEND_THIS);

    ZEND_PARSE_PARAMETERS_START(2, 3)
        Z_PARAM_STR(name)
        Z_PARAM_ZVAL(token_arg)
        Z_PARAM_OPTIONAL
        Z_PARAM_BOOL_OR_NULL(renew, renew_null)
    ZEND_PARSE_PARAMETERS_END();

    if ((state = php_lock_state_of(Z_OBJ_P(ZEND_THIS))) == NULL || !php_lock_check_name(&state->base.options, name) ||
        !php_lock_check_token(2, token_arg, "string", INSTEAD_IN_ATTACH, &token) ||
        !php_lock_check_renew(3, state, renew_null, state->base.options.settings.expire, &renew)) {
        RETURN_THROWS();
    }
    began = platform_now();
    outcome = ask_holder(state, name, token, true, 0, &holder);
    if (outcome != LOCK_YES) {
        RETURN_BOOL(false);
    }
    GC_ADDREF(self);
    outcome = take_over(state, name, &holder, renew, began);
    if (outcome == LOCK_YES) {
        php_lock_note_attached(state, name);
    }
    php_lock_listener_tell(state);
    OBJ_RELEASE(self);
    RETURN_BOOL(outcome == LOCK_YES);
}

/* The token may be that of this object: see token(). */
PHP_METHOD(RedisLock, owner)
{
    zend_string *name;
    php_lock_state *state;
    php_lock_hold *hold;
    lock_lease holder;

    PARSE_NAME(name, state);
    if (ask_holder(state, name, NULL, false, 0, &holder) == LOCK_YES) {
        if ((hold = php_lock_state_find(state, name)) != NULL) {
            lock_pass_tell_token(&hold->lease);
        }
        RETVAL_STRINGL(holder.token, holder.token_len);
        lock_lease_free(&holder);
    }
}

/* After a failure the 0 is returned together with a pending exception, so PHP code never gets it. */
PHP_METHOD(RedisLock, waiters)
{
    zend_string *name;
    php_lock_state *state;
    php_lock_call call;
    lock_outcome outcome;
    int64_t waiters = 0;

    PARSE_NAME(name, state);
    if (!php_lock_call_begin(&call, state, name)) {
        RETURN_THROWS();
    }
    php_lock_local_join(&call, state, false);
    outcome = lock_waiters(&call.client, php_rl_bytes(name), &waiters, &call.base.error);
    php_rl_call_end(&call.base, outcome == LOCK_FAILED);
    RETURN_LONG((zend_long)waiters);
}

/* Forgets the lease also if nobody held the lock, since the object then holds it no longer. After a failure the state keeps the
 * lease: it may still run. */
PHP_METHOD(RedisLock, forceUnlock)
{
    zend_string *name;
    php_lock_state *state;
    php_lock_hold *hold;
    php_lock_call call;
    lock_outcome outcome;
    zend_object *self = Z_OBJ_P(ZEND_THIS);

    PARSE_NAME(name, state);
    if (!php_lock_call_begin(&call, state, name)) {
        RETURN_THROWS();
    }
    GC_ADDREF(self);
    hold = php_lock_state_find(state, name); /* if it is this object that holds the lock */
    if (hold != NULL) {
        php_lock_call_settle(&call, hold);
    }
    outcome = lock_force_release(&call.client, php_rl_bytes(name), &call.base.error);
    if (outcome != LOCK_FAILED) {
        if (hold != NULL) {
            php_lock_note_end(state, hold, outcome == LOCK_NOT_OWNED);
        }
        php_lock_state_remove(state, name);
    } else if (hold != NULL) {
        php_lock_call_keep_on(&call, hold);
    }
    php_rl_call_end(&call.base, outcome == LOCK_FAILED);
    php_lock_listener_tell(state);
    OBJ_RELEASE(self);
    RETURN_BOOL(outcome == LOCK_YES);
}

/* Skips leases that were lost or whose release has failed: the state keeps them, but nothing of them is left. As in
 * every PHP array, a name that is a decimal integer becomes an int key. */
PHP_METHOD(RedisLock, held)
{
    php_lock_state *state;
    zend_string *name;
    php_lock_hold *hold;

    ZEND_PARSE_PARAMETERS_NONE();

    if ((state = php_lock_state_of(Z_OBJ_P(ZEND_THIS))) == NULL) {
        RETURN_THROWS();
    }
    array_init(return_value);
    ZEND_HASH_FOREACH_STR_KEY_PTR(&state->held, name, hold) {
        int64_t left = php_lock_hold_left(hold);
        if (left > 0) {
            zval seconds;
            ZVAL_DOUBLE(&seconds, php_rl_to_seconds(left));
            zend_symtable_update(Z_ARRVAL_P(return_value), name, &seconds);
        }
    }
    ZEND_HASH_FOREACH_END();
}

/* Returns what is left of the lease. 0: nothing is, or the state has no such lock. */
static int64_t left_of(php_lock_hold *hold)
{
    return hold != NULL ? php_lock_hold_left(hold) : 0;
}

PHP_METHOD(RedisLock, remaining)
{
    zend_string *name;
    php_lock_state *state;

    PARSE_NAME(name, state);
    RETURN_DOUBLE(php_rl_to_seconds(left_of(php_lock_state_find(state, name))));
}

/* Is this a lock that was lost? One whose release was asked for is not, whatever became of the release: the caller has
 * given it up. */
static bool is_lost(php_lock_hold *hold)
{
    return hold != NULL && hold->lease.release_requested_at == 0 && left_of(hold) == 0;
}

PHP_METHOD(RedisLock, lost)
{
    zend_string *name;
    php_lock_state *state;

    PARSE_NAME(name, state);
    RETURN_BOOL(is_lost(php_lock_state_find(state, name)));
}

/* Says why nothing is left of a lease. NULL is a lock that the state does not have. */
static const char *why_nothing_is_left(php_lock_hold *hold)
{
    if (hold == NULL) {
        return "this object has not taken the lock, has given it up, or lost it so long ago that it was forgotten";
    }
    return is_lost(hold) ? "the lease is over, or the lock was taken away"
                         : "this object has released the lock, or tried to";
}

/* Throws that the lock is lost, or that less of its lease is left than `at_least`. */
static void throw_too_little(const php_lock_state *state, zend_string *name, php_lock_hold *hold, int64_t left,
                             int64_t at_least)
{
    char wanted[PHP_RL_SPAN_TEXT], has[PHP_RL_SPAN_TEXT], reason[160];

    if (left > 0) {
        snprintf(reason, sizeof(reason), "only %s of the lease are left; asked for: %s", php_rl_span_text(has, left),
                 php_rl_span_text(wanted, at_least));
    } else {
        snprintf(reason, sizeof(reason), "%s", why_nothing_is_left(hold));
    }
    zend_throw_exception_internal(php_lock_lost_object(name, php_lock_state_server(state), reason, NULL));
}

/* A lease that is over counts as too short also for an $atLeast of 0. */
PHP_METHOD(RedisLock, ensure)
{
    zend_string *name;
    php_lock_state *state;
    php_lock_hold *hold;
    double at_least_arg = 0;
    int64_t at_least, left;

    ZEND_PARSE_PARAMETERS_START(1, 2)
        Z_PARAM_STR(name)
        Z_PARAM_OPTIONAL
        Z_PARAM_DOUBLE(at_least_arg)
    ZEND_PARSE_PARAMETERS_END();

    if ((state = php_lock_state_of(Z_OBJ_P(ZEND_THIS))) == NULL || !php_lock_check_name(&state->base.options, name) ||
        !php_rl_check_time(2, &php_rl_rule_wait, at_least_arg, &at_least)) {
        RETURN_THROWS();
    }
    hold = php_lock_state_find(state, name);
    left = left_of(hold);
    if (left == 0 || left < at_least) {
        throw_too_little(state, name, hold, left, at_least);
        if (hold != NULL) {
            /* A second exception, by `on_loss`, would come upon the handling of this one. */
            hold->told_of = hold->lease.sent;
        }
    }
}

/* Returns the lock of that name, if Redis is known to have it under its token, which is to be told. NULL: nothing of it is
 * left, or an exception was thrown. */
static php_lock_hold *find_settled(php_lock_state *state, zend_string *name)
{
    php_lock_hold *hold = php_lock_state_find_live(state, name);

    return hold != NULL && php_lock_local_settle(state, hold) && php_lock_hold_left(hold) > 0 ? hold : NULL;
}

/* A caller that knows the token may take a lock with it: see php_lock_release(). */
PHP_METHOD(RedisLock, token)
{
    zend_string *name;
    php_lock_state *state;
    php_lock_hold *hold;

    PARSE_NAME(name, state);
    if ((hold = find_settled(state, name)) != NULL) {
        lock_pass_tell_token(&hold->lease);
        RETURN_STRINGL(hold->lease.token, hold->lease.token_len);
    }
}

/* Throws without the option `fencing`, since null would look like a lock that is not held. A lock that was acquired
 * without a fencing token and then attached has none either: null. */
PHP_METHOD(RedisLock, fence)
{
    zend_string *name;
    php_lock_state *state;
    php_lock_hold *hold;

    PARSE_NAME(name, state);
    if (!state->base.options.fencing) {
        php_lock_throw(name, "fence() needs the option \"fencing\" => true");
        RETURN_THROWS();
    }
    if ((hold = find_settled(state, name)) != NULL && hold->lease.fence > 0) {
        RETURN_LONG((zend_long)hold->lease.fence);
    }
}

PHP_METHOD(RedisLock, detach)
{
    zend_string *name;
    php_lock_state *state;
    php_lock_hold *hold;

    PARSE_NAME(name, state);
    if ((hold = find_settled(state, name)) != NULL) {
        RETVAL_STRINGL(hold->lease.token, hold->lease.token_len);
    } else if (EG(exception) != NULL) {
        RETURN_THROWS();
    }
    php_lock_state_remove(state, name);
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
        add_assoc_double(array, "since", (double)description.since_ms / 1000);
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
    php_lock_local_join(&call, state, false);
    lock_outcome outcome = lock_inspect(&call.client, php_rl_bytes(name), &holder, &waiters, &call.base.error);
    if (outcome == LOCK_YES) {
        tell_holder(return_value, &holder, waiters);
        lock_lease_free(&holder);
    }
    php_rl_call_end(&call.base, outcome == LOCK_FAILED);
}

/* The int of a 32-bit PHP cannot hold every count. One that is too large becomes a float there. */
static void add_count(zval *array, const char *name, uint64_t count)
{
    if (count > (uint64_t)ZEND_LONG_MAX) {
        add_assoc_double(array, name, (double)count);
    } else {
        add_assoc_long(array, name, (zend_long)count);
    }
}

/* `waited` is the only count of a time: it is kept in µs and reported in seconds. With threads, the connections of the
 * renewing thread count for each of them. */
void php_lock_stats(zval *array)
{
    const lock_stats *stats = &RL_G(stats);
    const lock_renewal_stats renewals = php_lock_renewal_counts();
    const rl_traffic *here = &RL_G(traffic), there = php_lock_renewal_traffic();
    const struct {
        const char *name;
        uint64_t value;
    } counts[] = {
        {"acquired", stats->acquired},
        {"contended", stats->contended},
        {"timed_out", stats->timed_out},
        {"passed_on", stats->passed},
        {"taken_over", stats->taken_over},
        {"released", stats->released},
        {"unreleased", stats->unreleased},
        {"lost", stats->lost},
        {"renewed", renewals.renewed},
        {"renewal_failures", renewals.failures},
        {"lost_while_held", renewals.lost_while_held},
        {"connections", here->connections + there.connections},
        {"reconnects", here->reconnects + there.reconnects},
        {"script_reloads", here->script_reloads + there.script_reloads},
        {"bytes_sent", here->bytes_sent + there.bytes_sent},
        {"bytes_received", here->bytes_received + there.bytes_received},
    };

    array_init(array);
    add_assoc_double(array, "waited", (double)stats->waited / (double)PLATFORM_SEC);
    for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++) {
        add_count(array, counts[i].name, counts[i].value);
    }
}

PHP_METHOD(RedisLock, stats)
{
    ZEND_PARSE_PARAMETERS_NONE();

    php_lock_stats(return_value);
}

/* The number of a user has 32 bits. */
PHP_METHOD(RedisLock, metrics)
{
    zend_long user = 0;
    bool own = true;

    ZEND_PARSE_PARAMETERS_START(0, 1)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG_OR_NULL(user, own)
    ZEND_PARSE_PARAMETERS_END();

    if (user < 0 || (zend_ulong)user > UINT32_MAX) {
        zend_argument_value_error(1, "must be the number of a user");
        RETURN_THROWS();
    }
    php_rl_metrics_read(return_value, own ? segment_user() : (uint32_t)user);
}

/* SPDX-License-Identifier: MIT
 *
 * php/redislock/section: see php/redislock/section.h.
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "php/redislock/section.h"

#include "zend_exceptions.h"
#include "zend_generators.h"

#include "php/arguments.h"
#include "php/errors.h"
#include "php/names.h"
#include "php/redislock/listener.h"
#include "php/redislock/errors.h"
#include "php/redislock/acquire.h"
#include "php/redislock/release.h"
#include "invariant.h"
#include "platform/platform.h"

/* Copies the token: by it php_lock_section_hold() tells this acquisition from a later one under the same name. */
void php_lock_section_begin(php_lock_section *s, php_lock_state *state, zend_string *name)
{
    php_lock_hold *hold = php_lock_state_find(state, name);
    const lock_lease *lease = &hold->lease;

    RL_INVARIANT(hold->section == NULL);
    hold->section = EG(current_execute_data);
    s->state = state;
    s->name = name;
    s->token = estrndup(lease->token, lease->token_len);
    s->token_len = lease->token_len;
    s->process = platform_process();
    s->began = platform_now();
    s->took = 0;
    s->lease_sent = lease->sent;
    s->duration = lease->duration;
    s->thrown = NULL;
}

php_lock_hold *php_lock_section_hold(const php_lock_section *s)
{
    php_lock_hold *hold = php_lock_state_find(s->state, s->name);
    bool is_same = hold != NULL && rl_bytes_equal(lock_lease_token(&hold->lease), (rl_bytes){s->token, s->token_len});

    return is_same ? hold : NULL;
}

/* Returns a copy of an array whose elements are no references. */
static zend_array *without_references(zend_array *array)
{
    zend_array *copy = zend_new_array(zend_hash_num_elements(array));
    zend_ulong index;
    zend_string *key;
    zval *element;

    ZEND_HASH_FOREACH_KEY_VAL(array, index, key, element)
    {
        ZVAL_DEREF(element);
        Z_TRY_ADDREF_P(element);
        if (key != NULL) {
            zend_hash_add_new(copy, key, element);
        } else {
            zend_hash_index_add_new(copy, index, element);
        }
    }
    ZEND_HASH_FOREACH_END();
    return copy;
}

/* Does the code run when it is called? False: it is a generator function, and an error was thrown. */
static bool runs_at_once(uint32_t arg, const php_lock_callable *callable)
{
    const zend_function *function = callable->cache.function_handler;

    if (function != NULL && (function->common.fn_flags & ZEND_ACC_GENERATOR)) {
        zend_argument_value_error(arg, "must not be a generator function: its body would run after the release");
        return false;
    }
    return true;
}

/* The object is kept by an own pointer: the engine writes to `cache` when it resolves the callable anew. */
bool php_lock_keep_callable(uint32_t arg, zval *given, php_lock_callable *callable)
{
    zval named;
    char *error = NULL;

    if (Z_TYPE_P(given) == IS_ARRAY) {
        ZVAL_ARR(&named, without_references(Z_ARRVAL_P(given)));
    } else {
        ZVAL_COPY(&named, given);
    }
    if (zend_fcall_info_init(&named, 0, &callable->info, &callable->cache, NULL, &error) != SUCCESS) {
        zend_wrong_callback_error(arg, error);
        zval_ptr_dtor(&named);
        return false;
    }
    callable->object = callable->cache.object;
    if (callable->object != NULL) {
        GC_ADDREF(callable->object);
    }
    zend_release_fcall_info_cache(&callable->cache);
    if (EG(exception) != NULL || !runs_at_once(arg, callable)) {
        php_lock_drop_callable(callable);
        return false;
    }
    return true;
}

void php_lock_drop_callable(php_lock_callable *callable)
{
    zval_ptr_dtor(&callable->info.function_name);
    if (callable->object != NULL) {
        OBJ_RELEASE(callable->object);
    }
}

/* Releases the lock after a fatal error. The engine is past throwing exceptions, so failures are ignored. Servers that the
 * environment names are not looked up, since that may throw: their locks are left to the automatic release. */
static void release_after_bailout(const php_lock_section *s)
{
    php_lock_hold *hold = php_lock_section_hold(s);
    php_lock_call call;
    rl_error ignored;

    if (hold != NULL && s->state->base.options.env_count == 0 && php_lock_call_begin(&call, s->state, s->name)) {
        php_lock_call_settle(&call, hold);
        lock_release(&call.client, php_rl_bytes(s->name), &hold->lease, lock_budget(&call.client), &ignored);
        php_lock_state_remove(s->state, s->name);
        php_rl_call_end(&call.base, false);
    }
}

/* The engine's frame has to be put back for the release, since the jump has left the frames of the section. */
void php_lock_section_bail_out(const php_lock_section *s, zend_execute_data *frame)
{
    php_lock_hold *hold = php_lock_section_hold(s);

    EG(current_execute_data) = frame;
    if (hold != NULL) {
        hold->section = NULL;
    }
    release_after_bailout(s);
    zend_bailout();
}

/* The listener hears of the lock first; if exit is called there, the code does not run. A fatal error is caught only to release
 * the lock before it goes on. An extension by the section counts: php_lock_section_lost() reports the last lease. */
void php_lock_section_run(php_lock_section *s, php_lock_callable *code, zval *result)
{
    zend_execute_data *frame = EG(current_execute_data);
    volatile bool bailed_out = false; /* changed behind a setjmp() */

    code->info.retval = result;
    zend_try
    {
        php_lock_listener_tell(s->state);
        if (EG(exception) == NULL) {
            zend_call_function(&code->info, &code->cache);
        }
    }
    zend_catch
    {
        bailed_out = true;
    }
    zend_end_try();
    if (bailed_out) {
        php_lock_section_bail_out(s, frame);
    }
    if (Z_ISREF_P(result)) {
        zend_unwrap_reference(result);
    }
    s->thrown = php_rl_set_aside();
    s->took = platform_now() - s->began;
    const php_lock_hold *hold = php_lock_section_hold(s);
    if (hold != NULL && hold->lease.sent > s->lease_sent && hold->lease.duration > 0) {
        s->lease_sent = hold->lease.sent;
        s->duration = hold->lease.duration;
    }
}

zend_object *php_lock_section_lost(const php_lock_section *s, zval *result)
{
    char took[PHP_RL_SPAN_TEXT], duration[PHP_RL_SPAN_TEXT], ago[PHP_RL_SPAN_TEXT], reason[256];
    bool extended = s->lease_sent > s->began;

    snprintf(reason, sizeof(reason),
             extended ? "the lock was lost before the section was over: the section took %s, the lease was %s, set %s "
                        "before its end"
                      : "the lock was lost before the section was over: the section took %s, the lease was %s",
             php_rl_span_text(took, s->took), php_rl_span_text(duration, s->duration),
             php_rl_span_text(ago, s->began + s->took - s->lease_sent));
    return php_lock_lost_object(s->name, php_lock_state_server(s->state), reason, result);
}

void php_lock_section_check_result(const php_lock_section *s, const zval *result)
{
    if (EG(exception) == NULL && Z_TYPE_P(result) == IS_OBJECT && Z_OBJCE_P(result) == zend_ce_generator &&
        ((zend_generator *)Z_OBJ_P(result))->execute_data != NULL) {
        php_lock_warn(s->name, php_lock_state_server(s->state),
                      "the section returned a generator, which will run after the release, without the lock");
    }
}

/* If the release has failed, the lock is still in the state. */
void php_lock_section_end(php_lock_section *s)
{
    php_lock_hold *hold = php_lock_section_hold(s);

    if (hold != NULL) {
        hold->section = NULL;
    }
    efree(s->token);
}

/* ---- synchronized ---- */

void php_lock_section_warn(const php_lock_section *s, zend_object *failure)
{
    const php_lock_hold *hold = php_lock_section_hold(s);
    zval rv, *message;

    /* A child that the section forked holds nothing, and a failed release drops a lease that is over. If a second release has
     * worked, nothing is left to be told. */
    if (hold == NULL || hold->lease.release_requested_at == 0) {
        return;
    }
    message = zend_read_property_ex(zend_ce_exception, failure, ZSTR_KNOWN(ZEND_STR_MESSAGE), true, &rv);
    php_lock_warn_unreleased(Z_STR_P(message), &hold->lease);
    php_lock_log_instead(Z_STRVAL_P(message));
}

void php_lock_section_report(const php_lock_section *s, lock_outcome outcome, bool was_ours, zend_object *failure,
                             zval *result)
{
    if (s->process == platform_process() && (outcome == LOCK_NOT_OWNED || (outcome == LOCK_FAILED && !was_ours))) {
        zend_object *lost = php_lock_section_lost(s, result);
        php_rl_append_previous(lost, failure);
        zend_throw_exception_internal(lost);
    } else if (failure != NULL) {
        php_lock_section_warn(s, failure);
        OBJ_RELEASE(failure);
    }
}

void php_lock_section_clean_up(zval *result)
{
    if (EG(exception) != NULL) {
        zval_ptr_dtor(result);
        ZVAL_UNDEF(result);
    }
}

/* Does what the section threw tell of the loss of this lock already, by itself or by a previous exception? */
static bool tells_of_loss(const php_lock_section *s)
{
    for (zend_object *thrown = s->thrown; thrown != NULL && instanceof_function(thrown->ce, zend_ce_throwable);) {
        zval rv, *previous;
        if (php_lock_is_loss_of(thrown, s->name, php_lock_state_server(s->state))) {
            return true;
        }
        previous =
            zend_read_property_ex(zend_get_exception_base(thrown), thrown, ZSTR_KNOWN(ZEND_STR_PREVIOUS), true, &rv);
        thrown = Z_TYPE_P(previous) == IS_OBJECT ? Z_OBJ_P(previous) : NULL;
    }
    return false;
}

/* Releases the lock and leaves the right exception pending, or none. What the section threw comes first, with a failure
 * of the release as its previous exception. */
static void end_section(php_lock_section *s, zval *result)
{
    php_lock_hold *hold = php_lock_section_hold(s);
    bool was_ours = hold != NULL && php_lock_hold_left(hold) > 0;
    /* A lock that the section gave up by itself, or acquired anew, counts as lost. */
    lock_outcome outcome = hold != NULL ? php_lock_release(s->state, s->name, NULL) : LOCK_NOT_OWNED;
    zend_object *failure = php_rl_set_aside();

    if (s->thrown != NULL) {
        if (outcome == LOCK_NOT_OWNED && s->process == platform_process() && !tells_of_loss(s)) {
            failure = php_lock_section_lost(s, NULL);
        }
        php_rl_append_previous(s->thrown, failure);
        zend_throw_exception_internal(s->thrown);
        return;
    }
    php_lock_section_report(s, outcome, was_ours, failure, result);
    php_lock_section_check_result(s, result);
}

/* Throws why the lock was not acquired. */
static void throw_refused(const php_lock_state *state, zend_string *name, int64_t timeout, const lock_refusal *refusal)
{
    char reason[128] = "somebody else holds the lock", span[PHP_RL_SPAN_TEXT];
    long waiting = (long)refusal->waiting;

    if (refusal->full) {
        snprintf(reason, sizeof(reason), "too many are waiting already: %ld", waiting);
    } else if (timeout > 0) {
        snprintf(reason, sizeof(reason),
                 waiting > 1    ? "not acquired within %s; %ld are waiting"
                 : waiting == 1 ? "not acquired within %s; one other is waiting"
                                : "not acquired within %s",
                 php_rl_span_text(span, timeout), waiting);
    }
    php_lock_throw_timeout(name, php_lock_state_server(state), reason);
}

/* Runs the section under the lock, and ends it. */
static void synchronize(php_lock_state *state, zend_string *name, php_lock_callable *code, zval *result)
{
    php_lock_section s;

    php_lock_section_begin(&s, state, name);
    php_lock_section_run(&s, code, result);
    end_section(&s, result);
    php_lock_section_end(&s);
}

/* Keeps the object alive, and that of the section: PHP code that runs during the wait, and the section itself, may drop the
 * last reference to it. */
PHP_METHOD(RedisLock, synchronized)
{
    zend_string *name;
    zval *code;
    php_lock_callable section;
    php_lock_wishes wishes = PHP_LOCK_NO_WISHES;
    php_lock_terms terms;
    php_lock_state *state;
    lock_refusal refusal = {0};
    zend_object *self = Z_OBJ_P(ZEND_THIS);

    ZEND_PARSE_PARAMETERS_START(2, 5)
        Z_PARAM_STR(name)
        Z_PARAM_ZVAL(code)
        Z_PARAM_OPTIONAL
        Z_PARAM_DOUBLE_OR_NULL(wishes.timeout, wishes.timeout_null)
        Z_PARAM_DOUBLE_OR_NULL(wishes.expire, wishes.expire_null)
        Z_PARAM_BOOL_OR_NULL(wishes.renew, wishes.renew_null)
    ZEND_PARSE_PARAMETERS_END();

    if ((state = php_lock_state_of(self)) == NULL || !php_lock_check_name(&state->base.options, name) ||
        !php_lock_terms_check(&terms, &wishes, 3, 5, state)) {
        RETURN_THROWS();
    }
    GC_ADDREF(self);
    if (php_lock_keep_callable(2, code, &section)) {
        if (php_lock_state_refuses(state, name)) {
            php_lock_throw_held(name, php_lock_state_server(state));
        } else {
            switch (php_lock_acquire(state, name, NULL, &terms, &refusal)) {
            case LOCK_YES:
                synchronize(state, name, &section, return_value);
                break;
            case LOCK_BUSY:
                throw_refused(state, name, terms.timeout, &refusal);
                break;
            default:
                break; /* an exception is pending, or the engine is about to raise a fatal error */
            }
        }
        php_lock_section_clean_up(return_value);
        php_lock_drop_callable(&section);
    }
    php_lock_listener_tell(state);
    OBJ_RELEASE(self);
}

/* SPDX-License-Identifier: MIT
 *
 * php/redislock/cache: RedisLock::remember(), once() and forget(): one caller builds a missing value, and the others
 * wait for it.
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "php.h"
#include "zend_exceptions.h"

#include "invariant.h"
#include "cache/cache.h"
#include "php/arguments.h"
#include "php/names.h"
#include "php/errors.h"
#include "php/redislock/acquire.h"
#include "php/redislock/errors.h"
#include "php/redislock/listener.h"
#include "php/redislock/release.h"
#include "php/redislock/section.h"
#include "php/redislock/cache_value.h"
#include "platform/platform.h"

/* One remember() or once() under way. */
typedef struct cache_op {
    php_lock_state *state;
    zend_string *name;
    bool kept_here;            /* remember(): the value is kept beside the lock; once(): the caller keeps it */
    int64_t fresh;             /* remember(): for how long the value is good */
    int64_t stale;             /* remember(): for how long past that it is returned while a new one is built */
    HashTable classes;         /* remember(): of which the value may have objects; names in lower case */
    int64_t timeout;           /* for waiting */
    int64_t deadline;          /* the end of the wait */
    php_lock_callable read;    /* once(): returns the value that the caller keeps */
    php_lock_callable rebuild; /* builds the value */
} cache_op;

/* ---- asking ---- */

/* Asks several servers, which keep no values: a waiter stands in line for the lock, and reads again once it has
 * acquired it. Fills the lease on CACHE_TURN and the error on CACHE_FAILED; CACHE_NONE: the lock was not acquired. */
static cache_outcome ask_several(const lock_client *client, const cache_fetch_params *params, cache_answer *answer)
{
    lock_refusal refusal = {0};

    memset(answer, 0, sizeof(*answer));
    switch (lock_acquire(client, params->name, NULL, params->duration, params->timeout, &answer->lease, &refusal,
                         &answer->error)) {
    case LOCK_YES:
        return CACHE_TURN;
    case LOCK_FAILED:
        return CACHE_FAILED;
    case LOCK_INTERRUPTED:
        return CACHE_INTERRUPTED;
    default:
        answer->full = refusal.full;
        return CACHE_NONE;
    }
}

static void throw_several(zend_string *name)
{
    php_lock_throw(name, "remember() keeps its values on one server, and this object has several");
}

/* Puts the lock of a turn to build the value into the state. It is renewed if the object's option says so. Returns
 * CACHE_FAILED, with the error, if it cannot be renewed: the lock is given back. */
static cache_outcome take_turn(cache_op *op, php_lock_call *call, cache_answer *answer)
{
    if (php_lock_adopt(op->state, call, op->name, &answer->lease, op->state->base.options.settings.renew)) {
        return CACHE_TURN;
    }
    php_lock_give_back(call, op->name, &answer->lease);
    answer->error = call->base.error;
    return CACHE_FAILED;
}

/* Asks for the value or for the turn to build it, and waits up to `timeout`. CACHE_FAILED has thrown. The value of the answer
 * is the caller's. On CACHE_TURN the state holds the lock. If PHP code that ran during the wait has thrown, a turn is given
 * back: CACHE_INTERRUPTED. */
static cache_outcome cache_op_ask(cache_op *op, int64_t timeout, cache_answer *answer)
{
    const cache_fetch_params params = {
        .name = php_rl_bytes(op->name),
        .kept_here = op->kept_here,
        .stale = op->stale,
        .duration = op->state->base.options.settings.expire,
        .timeout = timeout,
    };
    php_lock_call call;
    cache_outcome outcome;
    php_lock_call_start start;

    php_lock_call_starts(op->state, &start);
    if (!php_lock_call_begin(&call, op->state, op->name)) {
        return CACHE_FAILED;
    }
    php_lock_call_tell_owner(&call, op->state, op->state->base.options.settings.renew);
    if (call.client.target.count == 1) {
        outcome = cache_fetch(&call.client, &params, answer);
    } else if (!op->kept_here) {
        outcome = ask_several(&call.client, &params, answer);
    } else {
        throw_several(op->name);
        php_rl_call_end(&call.base, false);
        return CACHE_FAILED;
    }
    if (outcome == CACHE_TURN && php_rl_call_is_interrupted(&call.base)) {
        php_lock_give_back(&call, op->name, &answer->lease);
        outcome = CACHE_INTERRUPTED;
    }
    if (outcome == CACHE_TURN) {
        outcome = take_turn(op, &call, answer);
    }
    if (outcome == CACHE_TURN) {
        php_lock_note_outcome(op->state, op->name, &start, LOCK_YES);
    }
    call.base.error = answer->error;
    if (call.base.bailed_out) {
        free(answer->value); /* php_rl_call_end() will not return */
    }
    php_rl_call_end(&call.base, outcome == CACHE_FAILED);
    return outcome;
}

/* ---- building ---- */

/* Keeps the value `bytes` (NULL: the caller of once() keeps it), wakes the waiters and releases the lock.
 * LOCK_NOT_OWNED: the lock was lost, and nothing was kept. LOCK_FAILED has thrown. The lease stays in the state:
 * forget_lease() is to follow. */
static lock_outcome cache_op_store(cache_op *op, php_lock_hold *hold, zend_string *bytes)
{
    lock_lease *lease = &hold->lease;
    rl_bytes name = php_rl_bytes(op->name);
    cache_value value = {.fresh = op->fresh, .stale = op->stale};
    php_lock_call call;
    rl_error ignored;
    lock_outcome outcome;

    if (bytes != NULL) {
        value.bytes = php_rl_bytes(bytes);
    }
    if (!php_lock_call_begin(&call, op->state, op->name)) {
        php_lock_hold_settle_at_once(hold);
        lock_release_mark_unsent(lease);
        return LOCK_FAILED;
    }
    int64_t began = platform_now();
    php_lock_call_settle(&call, hold);
    RL_INVARIANT(hold->renewal == NULL); /* L17 */
    outcome = call.client.target.count == 1
                  ? cache_store(&call.client, name, lease, bytes != NULL ? &value : NULL, &call.base.error)
                  : lock_release(&call.client, name, lease, lock_budget(&call.client), &call.base.error);
    if (outcome == LOCK_FAILED && call.base.error.kind == RL_ERROR_REPLY) {
        /* The server has refused, mostly for want of memory. The lock has to be released all the same. */
        call.client.spent = platform_now() - began;
        lock_release(&call.client, name, lease, lock_budget(&call.client), &ignored);
    } else if (outcome != LOCK_FAILED) {
        php_lock_note_end(op->state, hold, outcome == LOCK_NOT_OWNED);
    }
    php_rl_call_end(&call.base, outcome == LOCK_FAILED);
    return outcome;
}

/* Forgets the lease of a section that is over, unless no server could be looked up: the release is still to be sent
 * then, by unlockAll() or the automatic release. */
static void forget_lease(const php_lock_section *s)
{
    const php_lock_hold *hold = php_lock_section_hold(s);

    if (hold != NULL && !hold->lease.release_unsent) {
        php_lock_state_remove(s->state, s->name);
    }
}

/* Releases the lock if there is no value to keep, so that the next waiter can try. */
static void release_unkept(const php_lock_section *s)
{
    if (php_lock_section_hold(s) != NULL) {
        php_lock_release(s->state, s->name, NULL);
    }
}

/* Releases the lock and throws on what the section threw, with a failure of the release as its previous exception. */
static void cache_op_give_up(php_lock_section *s)
{
    release_unkept(s);
    php_rl_append_previous(s->thrown, php_rl_set_aside());
    zend_throw_exception_internal(s->thrown);
    s->thrown = NULL;
}

/* Releases the lock and warns that the value is not kept, and `why`. The caller gets the value all the same, so a
 * failure of the release is no more than a warning either. */
static void finish_unkept(cache_op *op, php_lock_section *s, zend_string *why)
{
    zend_string *reason = zend_strpprintf(0, "the value that $rebuild returned is not kept: %s", ZSTR_VAL(why));
    zend_object *failure;

    release_unkept(s);
    if ((failure = php_rl_set_aside()) != NULL) {
        php_lock_section_warn(s, failure);
        OBJ_RELEASE(failure);
    }
    php_lock_warn(op->name, php_lock_state_server(op->state), ZSTR_VAL(reason));
    zend_string_release(reason);
}

/* Encodes the value: see php_cache_value_encode(). A fatal error in the code that serializes it ends the section as one in
 * $rebuild does. */
static zend_string *encode(cache_op *op, const php_lock_section *s, zval *value, zend_string **why)
{
    zend_execute_data *frame = EG(current_execute_data);
    zend_string *volatile bytes = NULL;
    volatile bool bailed_out = false;

    zend_try
    {
        bytes = php_cache_value_encode(value, &op->classes, why);
    }
    zend_catch
    {
        bailed_out = true;
    }
    zend_end_try();
    if (bailed_out) {
        php_lock_section_bail_out(s, frame);
    }
    return bytes;
}

/* Ends the section of remember(): keeps the value and releases the lock. The caller gets the value also if it cannot be kept or
 * the lock was lost. An exception is left pending if the server fails to keep the value, or if the code that serializes it
 * calls exit. */
static void finish_here(cache_op *op, php_lock_section *s, zval *value)
{
    zend_string *why, *bytes = encode(op, s, value, &why);

    if (bytes != NULL) {
        if (php_lock_section_hold(s) != NULL) {
            cache_op_store(op, php_lock_section_hold(s), bytes);
            forget_lease(s);
        }
        zend_string_release(bytes);
    } else if (why != NULL) {
        finish_unkept(op, s, why);
        zend_string_release(why);
    } else {
        s->thrown = php_rl_set_aside();
        cache_op_give_up(s);
    }
}

/* Ends the section of once(): releases the lock. Nothing but the lock has kept others from building at the same time,
 * so a lost lock is thrown. */
static void finish_elsewhere(cache_op *op, php_lock_section *s, zval *value)
{
    php_lock_hold *hold = php_lock_section_hold(s);
    bool was_ours = hold != NULL && php_lock_hold_left(hold) > 0;
    lock_outcome outcome = hold != NULL ? cache_op_store(op, hold, NULL) : LOCK_NOT_OWNED;
    zend_object *failure = php_rl_set_aside();

    php_lock_section_report(s, outcome, was_ours, failure, value);
    forget_lease(s);
    php_lock_section_check_result(s, value);
}

/* Builds the value under the lock, which the state holds. once() reads again first, since another caller may have built the
 * value meanwhile. May leave an exception pending. */
static void build(cache_op *op, zval *value)
{
    php_lock_section s;

    php_lock_section_begin(&s, op->state, op->name);
    if (!op->kept_here) {
        php_lock_section_run(&s, &op->read, value);
    }
    if (s.thrown == NULL && Z_TYPE_P(value) <= IS_NULL) {
        php_lock_section_run(&s, &op->rebuild, value);
    }
    if (s.thrown != NULL) {
        cache_op_give_up(&s);
    } else if (op->kept_here) {
        finish_here(op, &s, value);
    } else {
        finish_elsewhere(op, &s, value);
    }
    php_lock_section_end(&s);
}

/* ---- the methods ---- */

/* Sets the timeout and the deadline. Without an argument the wait is as long as the object's `timeout`. If that is 0, it is as
 * long as a lease, since whoever builds the value has no longer than that. False: an error was thrown. */
static bool check_timeout(cache_op *op, uint32_t arg, bool is_null, double value)
{
    const php_rl_options *options = &op->state->base.options;
    int64_t timeout;

    if (!php_rl_check_time_or_null(arg, &php_rl_rule_wait, is_null, value,
                                   options->settings.timeout > 0 ? options->settings.timeout : options->settings.expire,
                                   &timeout)) {
        return false;
    }
    op->timeout = timeout;
    op->deadline = platform_after(platform_now(), timeout);
    return true;
}

/* Refuses to renew a lease that has no end, as php_lock_check_renew() does; here both are options. False: an error was
 * thrown. */
static bool check_renew(const cache_op *op)
{
    const php_rl_settings *settings = &op->state->base.options.settings;

    if (settings->renew && settings->expire == PLATFORM_NEVER) {
        zend_value_error("RedisLock::%s(): the option \"renew\" must be false if the lease has no end (expire is INF)",
                         get_active_function_name());
        return false;
    }
    return true;
}

static int64_t time_left(const cache_op *op)
{
    return op->deadline == PLATFORM_NEVER ? op->deadline : platform_later(op->deadline - platform_now(), 0);
}

/* Throws why there is no value: this object holds the lock itself (`held`), too many wait for the value (`full`), or it
 * was not there in time. */
static void cache_op_throw_none(const cache_op *op, bool held, bool full)
{
    const char *server = php_lock_state_server(op->state);
    char reason[128] = "somebody else builds the value", span[PHP_RL_SPAN_TEXT];

    if (held) {
        php_lock_throw_held(op->name, server);
        return;
    }
    if (full) {
        snprintf(reason, sizeof(reason), "too many are waiting for the value already");
    } else if (op->timeout > 0) {
        snprintf(reason, sizeof(reason), "somebody else builds the value, and it was not there within %s",
                 php_rl_span_text(span, op->timeout));
    }
    php_lock_throw_timeout(op->name, server, reason);
}

/* Makes the value of an answer. A value that this caller cannot read was kept by another version of the code: it is
 * removed, so that it is built anew. True: `value` is set or an exception is pending; false: Redis is to be asked
 * again. */
static bool read_value(cache_op *op, const cache_answer *answer, zval *value)
{
    const rl_bytes bytes = {answer->value, answer->value_len};
    php_lock_call call;

    if (EG(exception) != NULL || php_cache_value_decode(bytes.at, bytes.len, &op->classes, value) ||
        EG(exception) != NULL || !php_lock_call_begin(&call, op->state, op->name)) {
        return true;
    }
    lock_outcome outcome = cache_forget(&call.client, php_rl_bytes(op->name), &bytes, &call.base.error);
    php_rl_call_end(&call.base, outcome == LOCK_FAILED);
    return EG(exception) != NULL;
}

/* Does the work of read_value(), and frees the bytes of the answer. These are not request memory, so they must be freed here
 * also if a fatal error in the code that reads them unwinds the stack. */
static bool cache_op_take_value(cache_op *op, cache_answer *answer, zval *value)
{
    volatile bool done = false, bailed_out = false;

    zend_try
    {
        done = read_value(op, answer, value);
    }
    zend_catch
    {
        bailed_out = true;
    }
    zend_end_try();
    free(answer->value);
    if (bailed_out) {
        zend_bailout();
    }
    return done;
}

/* Sets `value`, or leaves an exception pending. An object that holds the lock itself does not wait, since it would wait for its
 * own release. Asks again if a value was there but could not be read. */
static void remember(cache_op *op, zval *value)
{
    bool held = php_lock_state_refuses(op->state, op->name), done = true;

    do {
        cache_answer answer = {0};
        switch (cache_op_ask(op, held ? 0 : time_left(op), &answer)) {
        case CACHE_FRESH:
        case CACHE_STALE:
            done = cache_op_take_value(op, &answer, value);
            break;
        case CACHE_TURN:
            build(op, value);
            done = true;
            break;
        case CACHE_NONE:
            cache_op_throw_none(op, held, answer.full);
            done = true;
            break;
        default:
            done = true; /* an exception is pending, or the engine is about to raise a fatal error */
            break;
        }
    } while (!done);
}

static bool check_spans(cache_op *op, double fresh, double stale)
{
    static const php_rl_time_rule rule_fresh = {PLATFORM_MSEC, true,
                                                "more than 0 and up to 1000000000 seconds, or INF"};

    return php_rl_check_time(3, &rule_fresh, fresh, &op->fresh) &&
           php_rl_check_time(5, &php_rl_rule_wait, stale, &op->stale);
}

/* Keeps the object alive, and that of the callable: see once(). */
PHP_METHOD(RedisLock, remember)
{
    HashTable *classes = NULL;
    zval *rebuild;
    double fresh, timeout = 0, stale = 0;
    bool timeout_null = true;
    zend_object *self = Z_OBJ_P(ZEND_THIS);
    cache_op op = {.kept_here = true};

    ZEND_PARSE_PARAMETERS_START(3, 6)
        Z_PARAM_STR(op.name)
        Z_PARAM_ZVAL(rebuild)
        Z_PARAM_DOUBLE(fresh)
        Z_PARAM_OPTIONAL
        Z_PARAM_DOUBLE_OR_NULL(timeout, timeout_null)
        Z_PARAM_DOUBLE(stale)
        Z_PARAM_ARRAY_HT(classes)
    ZEND_PARSE_PARAMETERS_END();

    if ((op.state = php_lock_state_of(self)) == NULL || !php_lock_check_name(&op.state->base.options, op.name) ||
        !check_spans(&op, fresh, stale) || !check_timeout(&op, 4, timeout_null, timeout) || !check_renew(&op)) {
        RETURN_THROWS();
    }
    GC_ADDREF(self);
    if (php_lock_keep_callable(2, rebuild, &op.rebuild)) {
        if (php_cache_value_classes(6, classes, &op.classes)) {
            remember(&op, return_value);
        }
        zend_hash_destroy(&op.classes); /* also if reading them failed */
        php_lock_section_clean_up(return_value);
        php_lock_drop_callable(&op.rebuild);
    }
    php_lock_listener_tell(op.state);
    OBJ_RELEASE(self);
}

/* Calls $read. True: it returned a value or has thrown; false: it returned null, so there is no value. */
static bool read_elsewhere(cache_op *op, zval *value)
{
    op->read.info.retval = value;
    zend_call_function(&op->read.info, &op->read.cache);
    if (Z_ISREF_P(value)) {
        zend_unwrap_reference(value);
    }
    return EG(exception) != NULL || Z_TYPE_P(value) > IS_NULL;
}

/* Sets `value`, or leaves an exception pending. Reads again each time that another caller has built the value. Looks
 * each time whether this object holds the lock itself: it would wait for its own release. */
static void once(cache_op *op, zval *value)
{
    while (!read_elsewhere(op, value)) {
        cache_answer answer = {0};
        cache_outcome outcome = CACHE_NONE;
        bool held = php_lock_state_refuses(op->state, op->name);
        if (!held) {
            outcome = cache_op_ask(op, time_left(op), &answer);
        }
        if (outcome == CACHE_TURN) {
            build(op, value);
        } else if (outcome == CACHE_NONE) {
            cache_op_throw_none(op, held, answer.full);
        }
        if (outcome != CACHE_BUILT || EG(exception) != NULL) {
            return;
        }
    }
}

/* Keeps the object alive, and those of the callables: PHP code that runs meanwhile, $read and $rebuild included, may drop
 * the last reference to it. */
PHP_METHOD(RedisLock, once)
{
    zval *read, *rebuild;
    double timeout = 0;
    bool timeout_null = true;
    zend_object *self = Z_OBJ_P(ZEND_THIS);
    cache_op op = {0};

    ZEND_PARSE_PARAMETERS_START(3, 4)
        Z_PARAM_STR(op.name)
        Z_PARAM_ZVAL(read)
        Z_PARAM_ZVAL(rebuild)
        Z_PARAM_OPTIONAL
        Z_PARAM_DOUBLE_OR_NULL(timeout, timeout_null)
    ZEND_PARSE_PARAMETERS_END();

    if ((op.state = php_lock_state_of(self)) == NULL || !php_lock_check_name(&op.state->base.options, op.name) ||
        !check_timeout(&op, 4, timeout_null, timeout) || !check_renew(&op)) {
        RETURN_THROWS();
    }
    GC_ADDREF(self);
    if (php_lock_keep_callable(2, read, &op.read)) {
        if (php_lock_keep_callable(3, rebuild, &op.rebuild)) {
            once(&op, return_value);
            php_lock_section_clean_up(return_value);
            php_lock_drop_callable(&op.rebuild);
        }
        php_lock_drop_callable(&op.read);
    }
    php_lock_listener_tell(op.state);
    OBJ_RELEASE(self);
}

/* Several servers are refused only when the call has begun, since the environment may name them. */
PHP_METHOD(RedisLock, forget)
{
    zend_string *name;
    php_lock_state *state;
    php_lock_call call;
    lock_outcome outcome = LOCK_NOT_OWNED;

    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_STR(name)
    ZEND_PARSE_PARAMETERS_END();

    if ((state = php_lock_state_of(Z_OBJ_P(ZEND_THIS))) == NULL || !php_lock_check_name(&state->base.options, name) ||
        !php_lock_call_begin(&call, state, name)) {
        RETURN_THROWS();
    }
    if (call.client.target.count > 1) {
        throw_several(name);
    } else {
        outcome = cache_forget(&call.client, php_rl_bytes(name), NULL, &call.base.error);
    }
    php_rl_call_end(&call.base, outcome == LOCK_FAILED);
    RETURN_BOOL(outcome == LOCK_YES);
}

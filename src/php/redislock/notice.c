/* SPDX-License-Identifier: MIT
 *
 * php/redislock/notice: see php/redislock/notice.h.
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "php/redislock/notice.h"

#include "zend_exceptions.h"
#include "zend_generators.h"
#include "zend_observer.h"

#include "php/arguments.h"
#include "php/errors.h"
#include "php/redislock/fibers.h"
#include "php/redislock/listener.h"
#include "php/redislock/errors.h"

#include "invariant.h"

/* The hook that was installed before ours, which calls it first. Set while there is one thread. */
static void (*next_interrupt)(zend_execute_data *frame);

/* See php_lock_notice_set_releases(). Set while there is one thread. */
static const zif_handler *releases;

/* ---- safe points ---- */

/* Returns where the code is. Behind a notice that was just thrown, of several that are given at once, the engine is to handle
 * an exception there already. */
static const zend_op *opline_of(const zend_execute_data *frame)
{
    return frame == EG(current_execute_data) && EG(exception) != NULL ? EG(opline_before_exception) : frame->opline;
}

/* Is the code in a `finally`? That lasts until its ZEND_FAST_RET, which goes back to what stands behind its ZEND_FAST_CALL.
 * There the engine counts the code as part of the `try` once more: an exception would run the `finally` a second time. Code
 * whose call an exception ends is nowhere; that counts as a `finally`, since nobody knows where it goes on. */
static bool is_in_finally(const zend_execute_data *frame)
{
    const zend_op_array *code = &frame->func->op_array;
    const uint32_t blocks = (uint32_t)code->last_try_catch; /* an int before PHP 8.6 */
    const zend_op *opline = opline_of(frame);
    uint32_t at;

    if (blocks == 0) {
        return false;
    }
    if (opline < code->opcodes || opline >= code->opcodes + code->last) {
        return true;
    }
    at = (uint32_t)(opline - code->opcodes);
    if (at > 0 && code->opcodes[at - 1].opcode == ZEND_FAST_CALL) {
        return true;
    }
    for (uint32_t i = 0; i < blocks; i++) {
        const zend_try_catch_element *try = &code->try_catch_array[i];
        if (try->finally_op != 0 && at >= try->finally_op && at <= try->finally_end) {
            return true;
        }
    }
    return false;
}

/* A class that inherits such a method has a copy of the function, with the same handler. */
static bool is_release(const zend_internal_function *function)
{
    const zif_handler *release = releases;

    while (*release != NULL && *release != function->handler) {
        release++;
    }
    return *release != NULL;
}

/* Must this call, as far as it has come, be carried through? */
static bool has_to_end(const zend_execute_data *frame)
{
    const zend_function *function = frame->func;

    if (function == NULL) {
        return false;
    }
    if (!ZEND_USER_CODE(function->type)) {
        return is_release(&function->internal_function);
    }
    return (function->common.scope != NULL && function->common.scope->destructor == function) || is_in_finally(frame);
}

/* Returns the call that waits for this one to return, or to yield. Also the generators between one that runs and the one
 * that was asked for a value (`yield from`): the engine links them only on request. In a fiber, the outermost call is
 * followed by that of the code that resumes the fiber. NULL: there is none. */
static zend_execute_data *caller_of(const zend_execute_data *frame)
{
    zend_execute_data *caller = frame->prev_execute_data;

    return caller != NULL ? zend_generator_check_placeholder_frame(caller) : NULL;
}

/* Does PHP code run, which could catch what is thrown? None does while the engine reports an exception that nobody has caught,
 * nor in a shutdown function that is written in C. What is thrown there would end the request at once: without that report, and
 * without the shutdown functions that are left. */
static bool runs_php_code(const zend_execute_data *frame)
{
    while (frame != NULL && (frame->func == NULL || !ZEND_USER_CODE(frame->func->type))) {
        frame = caller_of(frame);
    }
    return frame != NULL;
}

/* Goes on from a call towards the outermost one, to the next that has to end, or to `stop`. NULL: there is neither. */
static const zend_execute_data *next_that_has_to_end(const zend_execute_data *frame, const zend_execute_data *stop)
{
    while (frame != NULL && frame != stop && !has_to_end(frame)) {
        frame = caller_of(frame);
    }
    return frame;
}

/* Does the engine clean up what a call leaves behind? While a destructor runs there, the exception that has ended the call is
 * set aside, where nobody sees it; and the engine looks for interrupts once more when the destructor's frame is gone. An
 * exception thrown then would take the place of the other one. */
static bool is_cleaning_up(const zend_execute_data *frame)
{
    if (frame == NULL || frame->func == NULL || !ZEND_USER_CODE(frame->func->type)) {
        return false;
    }
    switch (opline_of(frame)->opcode) {
    case ZEND_DO_FCALL:
    case ZEND_DO_FCALL_BY_NAME:
    case ZEND_DO_ICALL:
    case ZEND_DO_UCALL:
    case ZEND_HANDLE_EXCEPTION:
        return true;
    default:
        return false;
    }
}

/* Would a notice reach PHP code, and leave everything alone that must be carried through, and may have begun after the lock was
 * taken?
 *
 * What was there before cannot be told by its place in memory: the next call of the same function has the same one, and so
 * has the next round of a loop. But while the call of synchronized() that took the lock is under way, what is further out
 * was there before. That holds within a fiber: other code may resume it by now than at that time, and nobody knows which
 * code destroys it. */
static bool is_safe(const php_lock_hold *hold)
{
    const zend_execute_data *frame = EG(current_execute_data);
    const zend_fiber *fiber = EG(active_fiber);

    if (!runs_php_code(frame) || is_cleaning_up(frame)) {
        return false;
    }
    if (fiber != NULL && (fiber->flags & ZEND_FIBER_FLAG_DESTROYED) != 0) {
        return false;
    }
    frame = next_that_has_to_end(frame, hold->section);
    if (frame != NULL && frame == hold->section) {
        frame = fiber != NULL ? next_that_has_to_end(fiber->stack_bottom, NULL) : NULL;
    }
    return frame == NULL;
}

/* Calls a static method that is written in C and takes no arguments. zend_call_function() would look for interrupts behind it,
 * and a signal handler could run. */
static void call_plainly(zend_function *function, zend_class_entry *ce, zval *result)
{
    zend_execute_data *call = zend_vm_stack_push_call_frame(ZEND_CALL_TOP_FUNCTION, function, 0, ce);

    call->prev_execute_data = EG(current_execute_data);
    EG(current_execute_data) = call;
    ZVAL_NULL(result);
    function->internal_function.handler(call, result);
    EG(current_execute_data) = call->prev_execute_data;
    zend_vm_stack_free_call_frame(call);
}

/* Does this class say that one of its coroutines runs? One that is written in PHP is not the extension's, but a stub or a
 * test double. It is not asked: no PHP code may run while the lock is taken and its caller does not know of it yet. */
static bool has_coroutine(const char *name, size_t len)
{
    zend_class_entry *ce = zend_hash_str_find_ptr(EG(class_table), name, len);
    zend_function *getcid;
    zval id;

    if (ce == NULL || ce->type != ZEND_INTERNAL_CLASS) {
        return false;
    }
    getcid = zend_hash_str_find_ptr(&ce->function_table, ZEND_STRL("getcid"));
    if (getcid == NULL || getcid->type != ZEND_INTERNAL_FUNCTION || !(getcid->common.fn_flags & ZEND_ACC_STATIC)) {
        return false;
    }
    call_plainly(getcid, ce, &id);
    return Z_TYPE(id) == IS_LONG && Z_LVAL(id) >= 0;
}

static php_lock_state *state_of(const php_lock_hold *hold)
{
    return (php_lock_state *)((const char *)hold->options - offsetof(php_lock_state, base.options));
}

/* Swoole's coroutines have stacks of their own, and the engine does not know which of them runs. */
static bool is_in_coroutine(void)
{
    return has_coroutine(ZEND_STRL("swoole\\coroutine")) || has_coroutine(ZEND_STRL("openswoole\\coroutine"));
}

void php_lock_notice_prepare(php_lock_hold *hold)
{
    hold->on_loss = hold->options->on_loss;
    hold->is_heard = php_lock_is_heard(state_of(hold));
    if ((hold->on_loss != ON_LOSS_FLAG || hold->is_heard) && is_in_coroutine()) {
        hold->on_loss = ON_LOSS_FLAG;
        hold->is_heard = false;
    }
    hold->fiber = EG(active_fiber);
    php_lock_fibers_follow(hold);
}

/* ---- giving notices ---- */

/* Of so many locks that are lost at once there are exceptions. A longer chain of previous ones is of no use to anybody, and
 * freeing it takes a piece of the stack for each. */
#define MOST_THROWN 100

/* The first is thrown, and the others become its previous exceptions. `thrown` counts them. */
static void throw_loss(const php_lock_hold *hold, int64_t left, unsigned *thrown)
{
    zend_object *lost;
    char span[PHP_RL_SPAN_TEXT], reason[160] = "the lease is over, or the lock was taken away";

    if (++*thrown > MOST_THROWN) {
        return;
    }
    if (left > 0) {
        snprintf(reason, sizeof(reason),
                 hold->renews ? "only %s of the lease are left, and it could not be renewed"
                              : "only %s of the lease are left",
                 php_rl_span_text(span, left));
    }
    lost = php_lock_lost_object(hold->name, hold->options->servers.label, reason, NULL);
    if (EG(exception) != NULL) {
        php_rl_append_previous(EG(exception), lost);
    } else {
        zend_throw_exception_internal(lost);
    }
}

/* Calls the holder's function. It may unlock the lock, and drop the last reference to the object, so nothing of the hold is
 * used behind it. A fatal error goes on when the function counts as left. */
static void call_holder(const php_lock_hold *hold, int64_t left)
{
    zval function, arguments[2], result;
    volatile bool bailed_out = false; /* changed behind a setjmp() */

    ZVAL_COPY(&function, &hold->options->on_loss_function);
    ZVAL_STR_COPY(&arguments[0], hold->name);
    ZVAL_DOUBLE(&arguments[1], php_rl_to_seconds(left));
    ZVAL_UNDEF(&result);
    RL_INVARIANT(!RL_G(giving_notice));
    RL_G(giving_notice) = true;
    zend_fiber_switch_block();
    zend_try
    {
        call_user_function(NULL, NULL, &function, &result, 2, arguments);
    }
    zend_catch
    {
        bailed_out = true;
    }
    zend_end_try();
    zend_fiber_switch_unblock();
    RL_G(giving_notice) = false;
    if (bailed_out) {
        zend_bailout();
    }
    zval_ptr_dtor(&result);
    zval_ptr_dtor(&arguments[0]);
    zval_ptr_dtor(&function);
}

/* The function that runs has nothing to do with it, so the warning does not name it. */
static void warn_of_long_hold(const php_lock_hold *hold)
{
    char span[PHP_RL_SPAN_TEXT], reason[160];
    zend_string *message;

    snprintf(reason, sizeof(reason),
             "the lock has been held for longer than max_hold (%s); its lease is no longer renewed",
             php_rl_span_text(span, hold->options->settings.max_hold));
    message = php_rl_message(PHP_LOCK_SUBJECT, reason, hold->name, hold->options->servers.label);
    zend_error(E_WARNING, "RedisLock: %s", ZSTR_VAL(message));
    php_lock_log_instead(ZSTR_VAL(message));
    zend_string_release(message);
}

/* Gives the notices that there are for a lock. A loss says more than that it was held for too long. What is told once of
 * a lease is not told again, also when the lease, after a release that failed, is kept on. */
static void give(php_lock_hold *hold, unsigned *thrown)
{
    int64_t now = platform_now();
    unsigned notices = lock_renewal_take_notices(hold->renewal, &hold->lease, now);
    int64_t left = lock_lease_validity(&hold->lease, now);

    hold->waits_since = 0;
    if ((notices & LOCK_NOTICE_LOSS) != 0 && hold->told_of != hold->lease.sent) {
        php_lock_state *state = state_of(hold);
        hold->told_of = hold->lease.sent;
        if (left == 0 || hold->on_loss == ON_LOSS_FLAG) {
            php_lock_note_end(state, hold, true);
        }
        if (hold->on_loss == ON_LOSS_CALL) {
            call_holder(hold, left); /* which may end the object: the listener hears of it by the next method */
            return;
        }
        if (hold->on_loss == ON_LOSS_THROW) {
            throw_loss(hold, left, thrown);
        }
        php_lock_listener_tell(state);
    } else if ((notices & LOCK_NOTICE_TOO_LONG) != 0 && EG(exception) == NULL) {
        warn_of_long_hold(hold);
    }
}

/* A notice that could not be given is tried again after so long at least, and at most. */
#define TRY_AGAIN_FIRST (2 * PLATFORM_MSEC)
#define TRY_AGAIN_LAST  (50 * PLATFORM_MSEC)

/* Returns when to try again. The longer a notice has waited, the less it matters when it comes; and a job of minutes may run
 * where it cannot. */
static int64_t next_try(php_lock_hold *hold, int64_t now)
{
    if (hold->waits_since == 0) {
        hold->waits_since = now;
    }
    return now + platform_earlier(platform_later((now - hold->waits_since) / 16, TRY_AGAIN_FIRST), TRY_AGAIN_LAST);
}

/* May the notice be given now? If not, another fiber has to run, or something has to end, or an exception is pending. `lost`
 * is the one that tells of a loss already; NULL: none. */
static bool may_be_given(const php_lock_hold *hold, const zend_object *lost)
{
    return hold->fiber == EG(active_fiber) && EG(exception) == lost &&
           (lost == NULL || hold->on_loss == ON_LOSS_THROW) && is_safe(hold);
}

/* Returns the next lock for which there is a notice that may be given; NULL: there is none. */
static php_lock_hold *next_notice(const zend_object *lost)
{
    php_lock_hold *hold;

    while ((hold = RL_G(look_at_next)) != NULL) {
        RL_INVARIANT(hold->renewal != NULL && *hold->named_by == hold);
        RL_G(look_at_next) = hold->next;
        if (lock_renewal_has_notice(hold->renewal) && may_be_given(hold, lost)) {
            return hold;
        }
    }
    return NULL;
}

/* Notices that cannot be given yet are tried again. One lock of this fiber is enough for that: the interrupt is for all. This
 * must not set vm_interrupt by itself: the engine looks at that before it goes on, and would come back here for ever. */
static void put_off_notices(void)
{
    RL_G(reminder) = NULL;
    for (php_lock_hold *hold = RL_G(background); hold != NULL; hold = hold->next) {
        if (!lock_renewal_has_notice(hold->renewal)) {
            continue;
        }
        if (hold->fiber != EG(active_fiber)) {
            atomic_store(&RL_G(interrupt).pending, true); /* on_fiber_switch() comes back to it */
        } else if (RL_G(reminder) == NULL) {
            RL_G(reminder) = hold;
            lock_renewal_remind(hold->renewal, next_try(hold, platform_now()));
        }
    }
}

/* Looks once at each lock. PHP code that runs meanwhile may take and release locks, which `look_at_next` follows; and a look of
 * its own, which an error handler may come to, leaves nothing to this one. What is new interrupts again. */
static void give_notices(void)
{
    const zend_object *lost = NULL;
    unsigned thrown = 0;
    php_lock_hold *hold;

    RL_G(look_at_next) = RL_G(background);
    while ((hold = next_notice(lost)) != NULL) {
        bool throws = hold->on_loss == ON_LOSS_THROW;
        give(hold, &thrown);
        lost = throws ? EG(exception) : NULL;
    }
}

/* Does this opcode pass an argument by its position? One that is passed by name is counted only once it is in its place. */
static bool passes_by_position(const zend_op *opline)
{
    switch (opline->opcode) {
    case ZEND_SEND_VAL:
    case ZEND_SEND_VAL_EX:
    case ZEND_SEND_VAR:
    case ZEND_SEND_VAR_EX:
    case ZEND_SEND_VAR_NO_REF:
    case ZEND_SEND_VAR_NO_REF_EX:
    case ZEND_SEND_REF:
    case ZEND_SEND_FUNC_ARG:
    case ZEND_SEND_USER:
        return opline->op2_type != IS_CONST;
    default:
        return false;
    }
}

/* The engine interrupts code in front of an opcode, and takes what is thrown there as thrown by that opcode. If that passes an
 * argument, the engine counts it as passed and frees it: whatever an earlier call has left in its place. Code gets there
 * from an internal function whose result is the argument, before PHP 8.4, and by a jump: f($a ? 1 : 2). So the place is
 * emptied, as the engine itself empties that of the opcode's result. */
static void empty_argument(const zend_execute_data *frame)
{
    if (frame == NULL || frame->func == NULL || !ZEND_USER_CODE(frame->func->type) || frame->call == NULL) {
        return;
    }
    const zend_op *opline = opline_of(frame);
    if (passes_by_position(opline)) {
        ZVAL_UNDEF(ZEND_CALL_VAR(frame->call, opline->result.var));
    }
}

/* An exception that was pending before was not thrown by the opcode in front of which the code is now. */
static void give_notices_here(void)
{
    const zend_object *before = EG(exception);

    give_notices();
    if (before == NULL && EG(exception) != NULL) {
        empty_argument(EG(current_execute_data));
    }
}

/* ---- when ---- */

static void on_interrupt(zend_execute_data *frame)
{
    if (next_interrupt != NULL) {
        next_interrupt(frame);
    }
    if (!RL_G(request_over) && atomic_exchange(&RL_G(interrupt).pending, false)) {
        if (!RL_G(giving_notice)) {
            give_notices_here();
        }
        put_off_notices();
    }
}

static void on_fiber_switch(zend_fiber_context *from, zend_fiber_context *to)
{
    (void)from, (void)to;
    if (atomic_load(&RL_G(interrupt).pending)) {
        zend_atomic_bool_store_ex(&EG(vm_interrupt), true);
    }
}

void php_lock_notice_set_releases(const zif_handler *handlers)
{
    releases = handlers;
}

/* The observer stays: it cannot be taken back, and the engine forgets it before it unloads the module. */
void php_lock_notice_startup(void)
{
    next_interrupt = zend_interrupt_function;
    zend_interrupt_function = on_interrupt;
    zend_observer_fiber_switch_register(on_fiber_switch);
}

void php_lock_notice_shutdown(void)
{
    if (zend_interrupt_function == on_interrupt) {
        zend_interrupt_function = next_interrupt;
    }
}

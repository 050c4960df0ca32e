/* SPDX-License-Identifier: MIT
 *
 * php/redislock/listener: see php/redislock/listener.h.
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "php/redislock/listener.h"

#include <stdlib.h>

#include "zend_closures.h"
#include "zend_exceptions.h"
#include "zend_fibers.h"
#include "zend_interfaces.h"

#include "php/arguments.h"
#include "php/errors.h"
#include "php/redislock/errors.h"
#include "php/redislock/owner.h"

#include "invariant.h"

/* How the events are named, and, for a logger, their levels and messages: PSR-3 has placeholders. */
static const struct event_text {
    const char *name, *level, *message;
} event_texts[] = {
    [LOCK_EVENT_ACQUIRED] = {"acquired", "debug", "The lock {name} was acquired"},
    [LOCK_EVENT_WAITED] = {"waited", "info", "The lock {name} was held by another"},
    [LOCK_EVENT_LOST] = {"lost", "warning", "The lock {name} was lost"},
    [LOCK_EVENT_RELEASED] = {"released", "debug", "The lock {name} was released"},
};

/* ---- noting ---- */

/* What a listener does with locks itself is not told, since it would be called for ever. */
static void note(php_lock_state *state, const php_lock_event *event)
{
    if (!RL_G(listening) && !RL_G(request_over)) {
        php_lock_events_add(&state->events, event);
    }
}

/* A call that has met another holder is told of first. */
void php_lock_note_acquired(php_lock_state *state, zend_string *name, const php_lock_call_start *start)
{
    const php_lock_hold *hold = php_lock_state_find(state, name);
    php_lock_event event = {.name = name, .span = hold->lease.acquired_at - start->at, .is_held = true};

    if (RL_G(stats).contended > start->contended) {
        event.kind = LOCK_EVENT_WAITED;
        note(state, &event);
    }
    event.kind = LOCK_EVENT_ACQUIRED;
    event.fence = hold->lease.fence;
    note(state, &event);
}

void php_lock_note_attached(php_lock_state *state, zend_string *name)
{
    if (php_lock_is_heard(state)) {
        note(state, &(php_lock_event){.kind = LOCK_EVENT_ACQUIRED,
                                      .name = name,
                                      .span = LOCK_EVENT_UNTIMED,
                                      .fence = php_lock_state_find(state, name)->lease.fence});
    }
}

void php_lock_note_in_vain(php_lock_state *state, zend_string *name, const php_lock_call_start *start)
{
    note(state, &(php_lock_event){.kind = LOCK_EVENT_WAITED, .name = name, .span = platform_now() - start->at});
}

/* Notes the end of a hold, as the lease tells of it. */
static void note_end(php_lock_state *state, php_lock_event_kind kind, zend_string *name, const lock_lease *lease)
{
    int64_t since = lease->acquired_at;

    note(state, &(php_lock_event){.kind = kind,
                                  .name = name,
                                  .span = since != 0 ? platform_now() - since : LOCK_EVENT_UNTIMED,
                                  .fence = lease->fence});
}

void php_lock_note_released(php_lock_state *state, zend_string *name, const lock_lease *lease)
{
    if (php_lock_is_heard(state)) {
        note_end(state, LOCK_EVENT_RELEASED, name, lease);
    }
}

void php_lock_note_lost(php_lock_state *state, php_lock_hold *hold)
{
    if (php_lock_is_heard(state) && !hold->loss_noted) {
        hold->loss_noted = true;
        note_end(state, LOCK_EVENT_LOST, hold->name, &hold->lease);
    }
}

void php_lock_note_end(php_lock_state *state, php_lock_hold *hold, bool lost)
{
    if (lost) {
        php_lock_note_lost(state, hold);
    } else {
        php_lock_note_released(state, hold->name, &hold->lease);
    }
}

/* ---- telling ---- */

/* Who is told, and what is the same for all events. */
typedef struct listener {
    zval callee;
    bool is_function;
    zend_string *owner, *server;
} listener;

static void listener_init(listener *to, const php_lock_state *state)
{
    rl_bytes owner = php_lock_owner(&state->base.options);
    const char *server = php_lock_state_server(state);

    ZVAL_COPY(&to->callee, &state->base.options.listener);
    to->is_function = Z_OBJCE(to->callee) == zend_ce_closure;
    to->owner = zend_string_init(owner.at, owner.len, false);
    to->server = zend_string_init(server, strlen(server), false);
}

static void listener_free(listener *to)
{
    zend_string_release(to->owner);
    zend_string_release(to->server);
    zval_ptr_dtor(&to->callee);
}

/* What is known of an event beside its name. A logger, which is given nothing else, is told the name and the event as well. */
static void fill_context(zval *context, const listener *to, const php_lock_event *event)
{
    array_init(context);
    if (!to->is_function) {
        add_assoc_string(context, "event", event_texts[event->kind].name);
        add_assoc_str(context, "name", zend_string_copy(event->name));
    }
    if (event->span == LOCK_EVENT_UNTIMED) {
        add_assoc_null(context, "seconds");
    } else {
        add_assoc_double(context, "seconds", php_rl_to_seconds(event->span));
    }
    if (event->kind == LOCK_EVENT_WAITED) {
        add_assoc_bool(context, "acquired", event->is_held);
    }
    if (event->fence > 0) {
        add_assoc_long(context, "fence", (zend_long)event->fence);
    }
    add_assoc_str(context, "owner", zend_string_copy(to->owner));
    add_assoc_str(context, "server", zend_string_copy(to->server));
}

/* Calls $logger->log($level, $message, $context) or $function($event, $name, $context). */
static void call_listener(listener *to, const php_lock_event *event)
{
    const struct event_text *text = &event_texts[event->kind];
    zval arguments[3], result;

    fill_context(&arguments[2], to, event);
    ZVAL_UNDEF(&result);
    if (to->is_function) {
        ZVAL_STRING(&arguments[0], text->name);
        ZVAL_STR_COPY(&arguments[1], event->name);
        call_user_function(NULL, NULL, &to->callee, &result, 3, arguments);
    } else {
        zend_function *log = zend_hash_str_find_ptr(&Z_OBJCE(to->callee)->function_table, ZEND_STRL("log"));
        ZVAL_STRING(&arguments[0], text->level);
        ZVAL_STRING(&arguments[1], text->message);
        zend_call_known_instance_method(log, Z_OBJ(to->callee), &result, 3, arguments);
    }
    zval_ptr_dtor(&result);
    for (size_t i = 0; i < 3; i++) {
        zval_ptr_dtor(&arguments[i]);
    }
}

/* Warns of what the listener has thrown, and takes it back. What the warning's handler throws stays pending: see
 * php_lock_log_instead(). */
static void warn_of_thrown(void)
{
    zend_object *thrown = EG(exception);
    const zend_string *message = php_rl_message_of(thrown);
    zend_string *warning = strpprintf(0, "RedisLock: the listener threw %s%s%s", ZSTR_VAL(thrown->ce->name),
                                      message != NULL ? ": " : "", message != NULL ? ZSTR_VAL(message) : "");

    EG(exception) = NULL;
    zend_error(E_WARNING, "%s", ZSTR_VAL(warning));
    php_lock_log_instead(ZSTR_VAL(warning));
    zend_string_release(warning);
    OBJ_RELEASE(thrown);
}

static bool is_throwable(const zend_object *thrown)
{
    return instanceof_function(thrown->ce, zend_ce_throwable);
}

/* Tells the events one after the other, until one of them leaves something pending that is not to be taken back. */
static void tell_all(listener *to, const php_lock_events *events)
{
    for (uint32_t i = 0; i < events->count && EG(exception) == NULL; i++) {
        call_listener(to, &events->list[i]);
        if (EG(exception) != NULL && is_throwable(EG(exception))) {
            warn_of_thrown();
        }
    }
}

/* The engine's place in the code that an exception is about to leave, which code that runs meanwhile must not change. */
typedef struct exception_place {
    zend_object *exception;
    const zend_op *before, *opline;
} exception_place;

static bool is_user_code(void)
{
    const zend_execute_data *frame = EG(current_execute_data);

    return frame != NULL && frame->func != NULL && ZEND_USER_CODE(frame->func->type);
}

static exception_place set_exception_aside(void)
{
    exception_place place = {EG(exception), EG(opline_before_exception),
                             is_user_code() ? EG(current_execute_data)->opline : NULL};

    EG(exception) = NULL;
    return place;
}

/* What was thrown meanwhile comes first, with the one that was set aside as its previous exception. */
static void take_exception_back(const exception_place *place)
{
    zend_object *thrown = EG(exception);

    if (place->exception == NULL && thrown != NULL) {
        return;
    }
    if (place->opline != NULL) {
        EG(current_execute_data)->opline = place->opline;
    }
    EG(opline_before_exception) = place->before;
    EG(exception) = thrown != NULL ? thrown : place->exception;
    if (thrown != NULL) {
        php_rl_append_previous(thrown, place->exception);
    }
}

/* Code that exit unwinds no longer runs: the destructor of the object tells the rest. */
static bool may_call(void)
{
    return !RL_G(listening) && !RL_G(request_over) && (EG(exception) == NULL || is_throwable(EG(exception)));
}

/* A listener must not switch fibers, as little as a function of `on_loss`: others would go on in the middle of a method. No
 * notice of a loss is given in it, since an exception there would not reach the holder. False: a fatal error has ended it. */
static bool run_listener(listener *to, const php_lock_events *events)
{
    bool was_giving_notice = RL_G(giving_notice);
    volatile bool bailed_out = false; /* changed behind a setjmp() */

    RL_INVARIANT(!RL_G(listening));
    RL_G(listening) = RL_G(giving_notice) = true;
    zend_fiber_switch_block();
    zend_try
    {
        tell_all(to, events);
    }
    zend_catch
    {
        bailed_out = true;
    }
    zend_end_try();
    zend_fiber_switch_unblock();
    RL_G(listening) = false;
    RL_G(giving_notice) = was_giving_notice;
    return !bailed_out;
}

/* The listener may end the object, so nothing of the state is used once it runs. */
void php_lock_listener_call(php_lock_state *state)
{
    php_lock_events events = state->events;
    listener to;

    if (!may_call()) {
        return;
    }
    state->events = (php_lock_events){0};
    listener_init(&to, state);
    exception_place place = set_exception_aside();
    bool ended = run_listener(&to, &events);
    php_lock_events_free(&events);
    if (!ended) {
        zend_bailout();
    }
    listener_free(&to);
    take_exception_back(&place);
}

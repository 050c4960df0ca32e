/* SPDX-License-Identifier: MIT
 *
 * php/redislock/listener: tells a function or a logger, the option `listener`, what becomes of the locks of an object.
 *
 * What there is to tell is noted where it is certain, and told when the method is about to return: then nothing is under way
 * any more that PHP code could disturb.
 */
#ifndef REDISLOCK_PHP_REDISLOCK_LISTENER_H
#define REDISLOCK_PHP_REDISLOCK_LISTENER_H

#include "php/redislock/state.h"
#include "platform.h"

typedef enum php_lock_event_kind {
    LOCK_EVENT_ACQUIRED, /* the object holds the lock */
    LOCK_EVENT_WAITED,   /* the call has met another holder; `is_held`: it has got the lock all the same */
    LOCK_EVENT_LOST,     /* the lock was lost while the object held it */
    LOCK_EVENT_RELEASED,
} php_lock_event_kind;

/* The span of an event of which nobody knows how long it took. */
#define LOCK_EVENT_UNTIMED (-1)

typedef struct php_lock_event {
    php_lock_event_kind kind;
    zend_string *name;
    int64_t span; /* µs that the call has waited, or that the lock was held; LOCK_EVENT_UNTIMED */
    int64_t fence;
    bool is_held;
} php_lock_event;

/* Is there a listener? */
static inline bool php_lock_is_heard(const php_lock_state *state)
{
    return Z_TYPE(state->base.options.listener) != IS_UNDEF;
}

/* When a call began, and how many calls of this process, or thread, had met another holder by then; undefined where nobody
 * hears it. */
typedef struct php_lock_call_start {
    int64_t at;
    uint64_t contended;
} php_lock_call_start;

static inline void php_lock_call_starts(const php_lock_state *state, php_lock_call_start *start)
{
    if (php_lock_is_heard(state)) {
        *start = (php_lock_call_start){platform_now(), RL_G(stats).contended};
    }
}

/* Note an event of an object that is heard: it has acquired a lock, by a call that has started then; or the call has not got
 * it, since another holds it. */
void php_lock_note_acquired(php_lock_state *state, zend_string *name, const php_lock_call_start *start);
void php_lock_note_in_vain(php_lock_state *state, zend_string *name, const php_lock_call_start *start);

/* Note, if somebody hears it: the object goes on with a lock that another has acquired; or a lock was released, or was found
 * `lost`, which is noted once for each hold. */
void php_lock_note_attached(php_lock_state *state, zend_string *name);
void php_lock_note_end(php_lock_state *state, php_lock_hold *hold, bool lost);

/* Notes what came of a call that has asked for a lock, if somebody hears it. */
static inline void php_lock_note_outcome(php_lock_state *state, zend_string *name, const php_lock_call_start *start,
                                         lock_outcome outcome)
{
    if (php_lock_is_heard(state) && outcome == LOCK_YES) {
        php_lock_note_acquired(state, name, start);
    } else if (php_lock_is_heard(state) && outcome == LOCK_BUSY) {
        php_lock_note_in_vain(state, name, start);
    }
}

/* Calls the listener: see php_lock_listener_tell(). */
void php_lock_listener_call(php_lock_state *state);

/* Tells what was noted. Runs PHP code, which may do anything to the object, so nothing of it is used behind this unless the
 * caller has a reference. What the listener throws becomes a warning, since the method's result must reach its caller; what
 * exit throws stays pending. An exception that is pending is set aside meanwhile. */
static inline void php_lock_listener_tell(php_lock_state *state)
{
    if (state->event_count > 0) {
        php_lock_listener_call(state);
    }
}

/* Forgets what was noted. */
void php_lock_listener_forget(php_lock_state *state);

/* Takes the value of the option: a logger of PSR-3, or a callable. False: it is neither, or an exception was thrown. */
bool php_rl_listener_take(zval *listener, zval *value);

#endif

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
#include "platform/platform.h"

/* Is there a listener? */
static inline bool php_lock_is_heard(const php_lock_state *state)
{
    return Z_TYPE(state->base.options.listener) != IS_UNDEF;
}

/* When a call began, and how many calls of this process, or thread, had met another holder by then; undefined if nobody hears
 * it. */
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

/* Notes, if somebody hears it, that the object goes on with a lock that another has acquired. */
void php_lock_note_attached(php_lock_state *state, zend_string *name);

/* Note the end of a lock, if somebody hears it: it was released; or it was found lost, which is noted once for each hold. The
 * last one notes the one or the other. */
void php_lock_note_released(php_lock_state *state, zend_string *name, const lock_lease *lease);
void php_lock_note_lost(php_lock_state *state, php_lock_hold *hold);
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
    if (state->events.count > 0) {
        php_lock_listener_call(state);
    }
}

#endif

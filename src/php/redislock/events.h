/* SPDX-License-Identifier: MIT
 *
 * php/redislock/events: what has become of the locks of an object, and its listener is still to be told: see
 * php/redislock/listener.h.
 */
#ifndef REDISLOCK_PHP_REDISLOCK_EVENTS_H
#define REDISLOCK_PHP_REDISLOCK_EVENTS_H

#include "php.h"

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

/* The list is no request memory: if that is used up, a fatal error would jump over the rest of the call. All zero is an empty
 * one. */
typedef struct php_lock_events {
    php_lock_event *list;
    uint32_t count;
} php_lock_events;

/* Adds an event at the end. */
void php_lock_events_add(php_lock_events *events, const php_lock_event *event);

/* Frees the events, and makes the list an empty one. */
void php_lock_events_free(php_lock_events *events);

#endif

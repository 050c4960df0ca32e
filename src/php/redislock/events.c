/* SPDX-License-Identifier: MIT
 *
 * php/redislock/events: see php/redislock/events.h.
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "php/redislock/events.h"

#include <stdlib.h>
#include <string.h>

#include "platform/platform.h"

void php_lock_events_add(php_lock_events *events, const php_lock_event *event)
{
    uint32_t count = events->count;

    if ((count & (count - 1)) == 0) { /* as many as there is room for */
        events->list = platform_realloc(events->list, (count > 0 ? 2 * (size_t)count : 1) * sizeof(*event));
    }
    events->list[events->count++] = *event;
    zend_string_addref(event->name);
}

void php_lock_events_free(php_lock_events *events)
{
    for (uint32_t i = 0; i < events->count; i++) {
        zend_string_release(events->list[i].name);
    }
    free(events->list);
    *events = (php_lock_events){0};
}

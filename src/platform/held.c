/* SPDX-License-Identifier: MIT
 *
 * platform/held: see platform/held.h.
 */
#include "platform/held.h"

#include <stddef.h>

#include "invariant.h"
#include "platform/compiler.h"

#ifdef REDISLOCK_INVARIANTS

/* The mutexes that this thread holds. A fork takes those of all renewers, of which tests have some. */
static PLATFORM_THREAD_LOCAL const void *held[64];
static PLATFORM_THREAD_LOCAL size_t held_count;

bool threads_holds(const void *mutex)
{
    size_t i = 0;

    while (i < held_count && held[i] != mutex) {
        i++;
    }
    return i < held_count;
}

void threads_note_locked(const void *mutex)
{
    RL_GUARD(held_count < sizeof(held) / sizeof(*held));
    held[held_count++] = mutex;
}

void threads_note_unlocked(const void *mutex)
{
    size_t i = 0;

    while (held[i] != mutex) {
        i++;
    }
    held[i] = held[--held_count];
}

#else

/* Nobody calls it, but without optimization it is named. */
bool threads_holds(const void *mutex)
{
    return mutex != NULL;
}

void threads_note_locked(const void *mutex)
{
    (void)mutex;
}

void threads_note_unlocked(const void *mutex)
{
    (void)mutex;
}

#endif

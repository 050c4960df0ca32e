/* SPDX-License-Identifier: MIT
 *
 * platform/held: which mutexes a thread holds. Only for an RL_INVARIANT(): other builds do not know.
 */
#ifndef REDISLOCK_PLATFORM_HELD_H
#define REDISLOCK_PLATFORM_HELD_H

#include <stdbool.h>

/* Does this thread hold the mutex, by threads_lock()? */
bool threads_holds(const void *mutex);

/* Called by threads_lock() and threads_unlock(), while the mutex is held. */
void threads_note_locked(const void *mutex);
void threads_note_unlocked(const void *mutex);

#endif

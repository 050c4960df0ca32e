/* SPDX-License-Identifier: MIT
 *
 * platform/futex: waiting for a word of memory that processes share, as Linux' futex() does. Where there is none, a wait is a
 * short sleep.
 */
#ifndef REDISLOCK_PLATFORM_FUTEX_H
#define REDISLOCK_PLATFORM_FUTEX_H

#include <stdint.h>

#include "platform/atomics.h"

/* Waits while the low 32 bits of the word are those of `expected`: until another one wakes this one, a signal comes, or
 * `until`, a time of platform_now() that is not PLATFORM_NEVER. May return for no reason. */
void futex_wait(const atomic_ullong *word, uint64_t expected, int64_t until);

/* Wakes all that wait for the word. */
void futex_wake(const atomic_ullong *word);

/* Lets others run that are to have this processor, if there are any: between two looks at a word that is about to change. */
void futex_yield(void);

#endif

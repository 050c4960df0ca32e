/* SPDX-License-Identifier: MIT
 *
 * platform/futex: see platform/futex.h.
 */
#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* for syscall() */
#endif

#include "platform/futex.h"

#include "platform/platform.h"
#include "platform/sockets.h"

#ifdef __linux__

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* The half that changes with each step of a count. */
static const uint32_t *low_half(const atomic_ullong *word)
{
    return (const uint32_t *)(const void *)word + PLATFORM_IS_BIG_ENDIAN;
}

/* Not one of the private ones, which only threads of one process share. */
void futex_wait(const atomic_ullong *word, uint64_t expected, int64_t until)
{
    int64_t left = until - platform_now();
    struct timespec span = {.tv_sec = (time_t)(left / PLATFORM_SEC), .tv_nsec = (long)(left % PLATFORM_SEC) * 1000};

    if (left > 0) {
        syscall(SYS_futex, low_half(word), FUTEX_WAIT, (uint32_t)expected, &span, NULL, 0);
    }
}

void futex_wake(const atomic_ullong *word)
{
    syscall(SYS_futex, low_half(word), FUTEX_WAKE, INT32_MAX, NULL, NULL, 0);
}

#else

void futex_wait(const atomic_ullong *word, uint64_t expected, int64_t until)
{
    if (atomic_load(word) == expected && until > platform_now()) {
        sockets_poll(NULL, 0, 1);
    }
}

void futex_wake(const atomic_ullong *word)
{
    (void)word;
}

#endif

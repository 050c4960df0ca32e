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

#include <limits.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>
#include <sys/syscall.h>

/* As in <linux/futex.h>, which not every system has that PHP modules are built on. Not the private ones: only threads of one
 * process share these. */
#define WAIT 0
#define WAKE 1

/* On 32 bits, the one that takes the C library's timespec. */
#if defined(SYS_futex_time64)
#define SYS_FUTEX (sizeof(time_t) > sizeof(long) ? SYS_futex_time64 : SYS_FUTEX_OLD)
#ifdef SYS_futex
#define SYS_FUTEX_OLD SYS_futex
#else
#define SYS_FUTEX_OLD SYS_futex_time64
#endif
#else
#define SYS_FUTEX SYS_futex
#endif

/* The half that changes with each step of a count. */
static const uint32_t *low_half(const atomic_ullong *word)
{
    return (const uint32_t *)(const void *)word + PLATFORM_IS_BIG_ENDIAN;
}

void futex_wait(const atomic_ullong *word, uint64_t expected, int64_t until)
{
    int64_t left = until - platform_now();
    struct timespec span = {.tv_sec = (time_t)(left / PLATFORM_SEC), .tv_nsec = (long)(left % PLATFORM_SEC) * 1000};

    if (left > 0) {
        syscall(SYS_FUTEX, low_half(word), WAIT, (uint32_t)expected, &span, NULL, 0);
    }
}

void futex_wake(const atomic_ullong *word)
{
    syscall(SYS_FUTEX, low_half(word), WAKE, INT_MAX, NULL, NULL, 0);
}

void futex_yield(void)
{
    sched_yield();
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

void futex_yield(void)
{
}

#endif

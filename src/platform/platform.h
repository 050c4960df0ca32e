/* SPDX-License-Identifier: MIT
 *
 * platform: what the core needs of the operating system and of the C library: a clock, random bytes, memory.
 *
 * What all systems share is in platform/platform.c; the rest is in posix/platform.c and in windows/platform.c.
 */
#ifndef REDISLOCK_PLATFORM_PLATFORM_H
#define REDISLOCK_PLATFORM_PLATFORM_H

#include <limits.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "invariant.h"
#include "platform/compiler.h"

/* Every time in the core, whether a point or a span, is an int64_t in µs, unless its name ends in its unit: `_ms`, as the
 * scripts of locks take it, or `_s`. */
#define PLATFORM_MSEC  INT64_C(1000)
#define PLATFORM_SEC   INT64_C(1000000)
#define PLATFORM_NEVER INT64_MAX /* a point in time that does not come */

/* µs on a monotonic clock with an arbitrary start. It counts the time that the machine was suspended if the system has such a
 * clock: a lease goes on in Redis while we sleep. Can't fail. */
int64_t platform_now(void);

/* How far platform_now() may be behind, in µs, since its clock moves in steps; 0: less than one µs. Can't fail. */
#if defined(_WIN32) || defined(REDISLOCK_TEST)
int64_t platform_clock_step(void);
#else
static inline int64_t platform_clock_step(void)
{
    return 0; /* the kernel reads a counter of the processor, or of the machine, each time that it is asked */
}
#endif

/* µs since 1970 by the system's clock, which may be set: for people to read, and never to count on. Can't fail. */
int64_t platform_wall(void);

/* `when + span`, where PLATFORM_NEVER stays what it is and an overflow becomes it. */
static inline int64_t platform_after(int64_t when, int64_t span)
{
    RL_INVARIANT(span >= 0);
    return span >= PLATFORM_NEVER - when ? PLATFORM_NEVER : when + span;
}

/* The earlier of two points in time. */
static inline int64_t platform_earlier(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* The later of two points in time. */
static inline int64_t platform_later(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* The time from now to `until` in ms, rounded up, as poll() takes it; 0 if `until` is over. */
static inline int platform_poll_ms(int64_t until)
{
    int64_t left = until - platform_now();

    RL_INVARIANT(left <= INT_MAX * PLATFORM_MSEC);
    return left <= 0 ? 0 : (int)((left + PLATFORM_MSEC - 1) / PLATFORM_MSEC);
}

/* Writes the eight lower-case hex digits of the word, the highest one first; no NUL. They are made at once: its nibbles are
 * spread over eight bytes, then '0' is added to each, and more to those that are letters. */
static inline void platform_write_hex(char *out, uint32_t word)
{
    uint64_t nibbles = (word | (uint64_t)word << 16) & UINT64_C(0x0000ffff0000ffff);
    nibbles = (nibbles | nibbles << 8) & UINT64_C(0x00ff00ff00ff00ff);
    nibbles = (nibbles | nibbles << 4) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    uint64_t letters = (nibbles + UINT64_C(0x0606060606060606)) >> 4 & UINT64_C(0x0101010101010101);
    uint64_t digits = nibbles + UINT64_C(0x3030303030303030) + letters * ('a' - '9' - 1);
    digits = PLATFORM_IS_BIG_ENDIAN ? digits : platform_reverse_bytes(digits);
    memcpy(out, &digits, sizeof(digits));
}

/* Fills `buf` with `len` bytes, at most PLATFORM_ENTROPY_MAX, from the system's cryptographic generator. Ends the process if
 * there is none: a guessable owner token is worse than no lock. */
void platform_random(void *buf, size_t len);

/* Fills `buf` as platform_random() does, which calls it. False: the system has no such generator. */
bool platform_entropy(void *buf, size_t len);
#define PLATFORM_ENTROPY_MAX 256 /* what POSIX' getentropy() gives in one call */

/* Writes 2 * `bytes` lower-case hex digits of random bytes to `out`; no NUL. `bytes` is a multiple of 4, at most
 * 32. */
void platform_random_hex(char *out, size_t bytes);

/* Returns a number that this process, or a parent before it was forked, has not been given before; never 0. */
uint64_t platform_unique(void);

/* A number that tells this process from its parent and its children, also from one that has the same pid in a namespace of
 * its own: it is drawn at random. Never 0. */
int64_t platform_process(void);

/* Writes the name of this host to `out`, with a NUL. False: the system does not tell it, or `size` is too small. */
bool platform_host(char *out, size_t size);

#define PLATFORM_HOST_MAX      48                                          /* bytes of the host's name that are told */
#define PLATFORM_IDENTITY_SIZE (PLATFORM_HOST_MAX + sizeof(":4294967295")) /* of an identity with its NUL */

/* Who this process is, as people read it: "<host>:<pid>". The host's name is cut to PLATFORM_HOST_MAX bytes, and what is no
 * printable ASCII in it, or a space, is a '-'. Stays as it is until this thread asks in another process: a child of a fork has
 * its own pid. Cheap once it was asked for. */
const char *platform_identity(size_t *len);

/* Returns a copy of the environment variable's value, which another thread must not change meanwhile; NULL: it is not set. On
 * Windows, name and value are UTF-8. Freed by free(). */
char *platform_getenv(const char *name);

/* As strerror(), but for use by several threads, and also for what sockets_problem() returns: may write to `buf`, and returns
 * the text, there or elsewhere. */
const char *platform_strerror(int problem, char *buf, size_t size);

/* As malloc(), calloc(), realloc() and strdup(), but these can't fail: if there is no memory, they end the process
 * with a message, as PHP's own persistent allocator does. Freed by free(). */
void *platform_alloc(size_t size);
void *platform_zalloc(size_t size);
void *platform_realloc(void *ptr, size_t size);
char *platform_strdup(const char *text);
/* Returns a copy of `len` bytes with a NUL behind it. Can't fail. Freed by free(). */
char *platform_memdup(const void *bytes, size_t len);

/* Returns memory, all zero, that this process shares with all that are forked from it. NULL: there is none, which is so on each
 * system without fork(). */
void *platform_shared_zalloc(size_t size);
void platform_shared_free(void *memory, size_t size);

/* Lets this thread go on at `where`, as longjmp() does with a value of 1, if any of the above would end the process: a
 * background thread must not end the program. What the thread was about stays as it is, and what it owned is lost. NULL: the
 * process is ended, as it is at first. */
void platform_escape_to(jmp_buf *where);

#ifdef REDISLOCK_TEST
/* Asked before each allocation, which fails if it returns true; NULL: all are tried. */
extern bool (*platform_memory_ends)(void);

/* A clock that moves in steps of so many µs, which stands in for that of the system; 0: there is none. */
extern int64_t platform_false_step;
#endif

#endif

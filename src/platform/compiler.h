/* SPDX-License-Identifier: MIT
 *
 * platform/compiler: what compilers say in different ways. GCC and Clang agree; MSVC has words of its own.
 */
#ifndef REDISLOCK_PLATFORM_COMPILER_H
#define REDISLOCK_PLATFORM_COMPILER_H

#include <stdint.h>

#ifdef _MSC_VER

#include <intrin.h>
#include <stdlib.h>

#define PLATFORM_NOINLINE      __declspec(noinline)
#define PLATFORM_ALWAYS_INLINE __forceinline
#define PLATFORM_NORETURN      __declspec(noreturn)
#define PLATFORM_THREAD_LOCAL  __declspec(thread)
#define PLATFORM_PRINTF(text, first)
#define PLATFORM_IS_BIG_ENDIAN 0 /* no Windows is */

static inline uint64_t platform_reverse_bytes(uint64_t word)
{
    return _byteswap_uint64(word);
}

/* Both count the zeros before the first bit that is set; `word` is not 0. There is no such instruction for 64 bits on x86. */

static inline unsigned platform_leading_zeros(uint64_t word)
{
    unsigned long at;

    if (_BitScanReverse(&at, (unsigned long)(word >> 32))) {
        return 31 - at;
    }
    _BitScanReverse(&at, (unsigned long)word);
    return 63 - at;
}

static inline unsigned platform_trailing_zeros(uint64_t word)
{
    unsigned long at;

    if (_BitScanForward(&at, (unsigned long)word)) {
        return at;
    }
    _BitScanForward(&at, (unsigned long)(word >> 32));
    return at + 32;
}

#else

#define PLATFORM_NOINLINE            __attribute__((noinline))
#define PLATFORM_ALWAYS_INLINE       inline __attribute__((always_inline))
#define PLATFORM_NORETURN            __attribute__((noreturn, cold))
#define PLATFORM_THREAD_LOCAL        _Thread_local
#define PLATFORM_PRINTF(text, first) __attribute__((format(printf, text, first)))
#define PLATFORM_IS_BIG_ENDIAN       (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)

static inline uint64_t platform_reverse_bytes(uint64_t word)
{
    return __builtin_bswap64(word);
}

/* Both count the zeros before the first bit that is set; `word` is not 0. */

static inline unsigned platform_leading_zeros(uint64_t word)
{
    return (unsigned)__builtin_clzll(word);
}

static inline unsigned platform_trailing_zeros(uint64_t word)
{
    return (unsigned)__builtin_ctzll(word);
}

#endif

#endif

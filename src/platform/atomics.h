/* SPDX-License-Identifier: MIT
 *
 * platform/atomics: <stdatomic.h>, or as much of it as we use where the compiler has none, as MSVC unless it is told to.
 *
 * There, all comes of one compare-exchange for each size, which is atomic for 64 bits on x86 too, and a full barrier: no order
 * of memory that is asked for is stronger.
 */
#ifndef REDISLOCK_PLATFORM_ATOMICS_H
#define REDISLOCK_PLATFORM_ATOMICS_H

#if !defined(__STDC_NO_ATOMICS__) && !defined(PLATFORM_OWN_ATOMICS)

#include <stdatomic.h>

/* A pointer to `type` that is atomic. */
#define PLATFORM_ATOMIC_POINTER(type) _Atomic(type *)

#else

#include <intrin.h>
#include <stdbool.h>
#include <stdint.h>

#define PLATFORM_ATOMIC_POINTER(type) type *volatile
#define ATOMIC_LLONG_LOCK_FREE        2

typedef volatile long atomic_bool; /* there is no such exchange of a byte on all compilers */
typedef volatile int atomic_int;
typedef volatile unsigned atomic_uint;
typedef volatile long long atomic_llong;
typedef volatile unsigned long long atomic_ullong;

/* A load is a compare-exchange that changes nothing: 0 for 0. */
#define ATOMICS_OF(name, type, word, compare_exchange)                                                                 \
    static inline type atomics_load_##name(volatile type *at)                                                          \
    {                                                                                                                  \
        return (type)compare_exchange((volatile word *)at, 0, 0);                                                      \
    }                                                                                                                  \
    static inline bool atomics_compare_##name(volatile type *at, type *expected, type desired)                         \
    {                                                                                                                  \
        type before = (type)compare_exchange((volatile word *)at, (word)desired, (word)*expected);                     \
        bool was_expected = before == *expected;                                                                       \
        *expected = before;                                                                                            \
        return was_expected;                                                                                           \
    }                                                                                                                  \
    static inline type atomics_exchange_##name(volatile type *at, type desired)                                        \
    {                                                                                                                  \
        type before = atomics_load_##name(at);                                                                         \
        while (!atomics_compare_##name(at, &before, desired)) {                                                        \
        }                                                                                                              \
        return before;                                                                                                 \
    }

#define ATOMICS_OF_NUMBER(name, type, word, compare_exchange)                                                          \
    ATOMICS_OF(name, type, word, compare_exchange)                                                                     \
    static inline type atomics_add_##name(volatile type *at, type more)                                                \
    {                                                                                                                  \
        type before = atomics_load_##name(at);                                                                         \
        while (!atomics_compare_##name(at, &before, before + more)) {                                                  \
        }                                                                                                              \
        return before;                                                                                                 \
    }                                                                                                                  \
    static inline type atomics_and_##name(volatile type *at, type bits)                                                \
    {                                                                                                                  \
        type before = atomics_load_##name(at);                                                                         \
        while (!atomics_compare_##name(at, &before, before & bits)) {                                                  \
        }                                                                                                              \
        return before;                                                                                                 \
    }                                                                                                                  \
    static inline type atomics_or_##name(volatile type *at, type bits)                                                 \
    {                                                                                                                  \
        type before = atomics_load_##name(at);                                                                         \
        while (!atomics_compare_##name(at, &before, before | bits)) {                                                  \
        }                                                                                                              \
        return before;                                                                                                 \
    }

typedef void *atomics_any;

ATOMICS_OF(bool, long, long, _InterlockedCompareExchange)
ATOMICS_OF(pointer, atomics_any, atomics_any, _InterlockedCompareExchangePointer)
ATOMICS_OF_NUMBER(int, int, long, _InterlockedCompareExchange)
ATOMICS_OF_NUMBER(uint, unsigned, long, _InterlockedCompareExchange)
ATOMICS_OF_NUMBER(llong, long long, long long, _InterlockedCompareExchange64)
ATOMICS_OF_NUMBER(ullong, unsigned long long, long long, _InterlockedCompareExchange64)

#define ATOMICS_CASE(operation, name, type)                                                                            \
    type * : atomics_##operation##_##name, const type * : atomics_##operation##_##name
#define ATOMICS_NUMBER(operation)                                                                                      \
    ATOMICS_CASE(operation, int, atomic_int), ATOMICS_CASE(operation, uint, atomic_uint),                              \
        ATOMICS_CASE(operation, llong, atomic_llong), ATOMICS_CASE(operation, ullong, atomic_ullong)
#define ATOMICS_ANY(operation, at)                                                                                     \
    _Generic((at), ATOMICS_NUMBER(operation), ATOMICS_CASE(operation, bool, atomic_bool), default                      \
             : atomics_##operation##_pointer)

#define atomic_load(at)              ATOMICS_ANY(load, at)((void *)(at))
#define atomic_exchange(at, desired) ATOMICS_ANY(exchange, at)((void *)(at), desired)
#define atomic_compare_exchange_strong(at, expected, desired)                                                          \
    ATOMICS_ANY(compare, at)((void *)(at), (void *)(expected), desired)
#define atomic_fetch_add(at, more) _Generic((at), ATOMICS_NUMBER(add))((void *)(at), more)
#define atomic_fetch_and(at, bits) _Generic((at), ATOMICS_NUMBER(and))((void *)(at), bits)
#define atomic_fetch_or(at, bits)  _Generic((at), ATOMICS_NUMBER(or))((void *)(at), bits)

#define atomic_init(at, value)                              ((void)atomic_exchange(at, value))
#define atomic_store(at, value)                             ((void)atomic_exchange(at, value))
#define atomic_compare_exchange_weak(at, expected, desired) atomic_compare_exchange_strong(at, expected, desired)
#define atomic_load_explicit(at, order)                     atomic_load(at)
#define atomic_store_explicit(at, value, order)             atomic_store(at, value)
#define atomic_fetch_add_explicit(at, more, order)          atomic_fetch_add(at, more)

#endif

#endif

/* SPDX-License-Identifier: MIT
 *
 * like_msvc: included in front of each source that is to compile with MSVC too, so that GNU's compiler refuses what that one
 * lacks, as far as it can tell. The headers of the system are read before, since they need a compiler that is GNU's.
 */
#define WIN32_LEAN_AND_MEAN
#include <winsock2.h>
#include <ws2tcpip.h>
#include <windows.h>
#include <bcrypt.h>
#include <process.h>
#include <errno.h>
#include <intrin.h>
#include <inttypes.h>
#include <io.h>
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>

#include <hiredis/hiredis.h>

#define LIKE_MSVC 1 /* from here on, headers that it has not are refused: see .ci/gates/26-windows.sh */

/* VS 2019's, which builds PHP 8.2 and 8.3: it has no atomics of C11. */
#undef __GNUC__
#undef __BYTE_ORDER__
#undef __ORDER_LITTLE_ENDIAN__
#undef __ORDER_BIG_ENDIAN__
#define _MSC_VER 1929
#ifndef __STDC_NO_ATOMICS__
#define __STDC_NO_ATOMICS__ 1
#endif
#undef __forceinline
#define __forceinline inline /* mingw-w64's is extern too */
#undef strcasecmp
#undef strncasecmp
#undef __declspec
#define __declspec(what)

/* Words of the language. */
#pragma GCC poison __attribute__ __attribute __extension__ __typeof__ __typeof typeof __auto_type __asm__ asm __int128
#pragma GCC poison _Atomic _Thread_local __thread _Complex
/* Functions of the compiler. */
#pragma GCC poison __builtin_expect __builtin_bswap32 __builtin_bswap64 __builtin_clz __builtin_clzl __builtin_clzll
#pragma GCC poison __builtin_ctz __builtin_ctzl __builtin_ctzll
#pragma GCC poison __builtin_popcount __builtin_popcountll __builtin_unreachable
#pragma GCC poison __builtin_add_overflow __builtin_mul_overflow __builtin_constant_p __builtin_prefetch
#pragma GCC poison __atomic_load_n __atomic_store_n __atomic_fetch_add __atomic_compare_exchange_n
#pragma GCC poison __sync_fetch_and_add
/* What mingw-w64 has of POSIX. */
#pragma GCC poison ssize_t pid_t useconds_t mode_t strcasecmp strncasecmp strtok_r strndup usleep gettimeofday
#pragma GCC poison clock_gettime nanosleep localtime_r gmtime_r asprintf vasprintf pthread_mutex_t pthread_t

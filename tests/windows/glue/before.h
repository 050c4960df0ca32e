/* SPDX-License-Identifier: MIT
 *
 * What stands before PHP's headers for Windows, which know MSVC, so that mingw-w64 reads them too. For .ci/gates/26-windows.sh.
 */

/* There it is `extern`, and PHP writes `static __forceinline`. */
#include <_mingw.h>
#undef __forceinline
#define __forceinline __inline__ __attribute__((__always_inline__))

/* gcc has no __declspec(thread), by which PHP declares what each thread has of its own. */
#undef __declspec
#define __declspec(what) DECLSPEC_##what
#define DECLSPEC_thread      __thread
#define DECLSPEC_dllexport   __attribute__((dllexport))
#define DECLSPEC_dllimport   __attribute__((dllimport))
#define DECLSPEC_noreturn    __attribute__((noreturn))
#define DECLSPEC_align(size) __attribute__((aligned(size)))

/* PHP has a type of its own. */
#define _PID_T_

/* PHP's functions know what C99's printf() knows. Here gcc takes that word for the one of an old Microsoft library. */
#define printf gnu_printf

/* SPDX-License-Identifier: MIT
 *
 * platform/hiredis: hiredis, as it stands beside PHP's headers too.
 *
 * For MSVC it declares ssize_t, always with 64 bits. PHP has that as a macro for another type, which it would declare anew
 * then: on x86, where that has 32 bits, the compiler refuses it.
 */
#ifndef REDISLOCK_PLATFORM_HIREDIS_H
#define REDISLOCK_PLATFORM_HIREDIS_H

#ifdef _MSC_VER
#pragma push_macro("ssize_t")
#undef ssize_t
#include <hiredis/hiredis.h>
#pragma pop_macro("ssize_t")
#else
#include <hiredis/hiredis.h>
#endif

#endif

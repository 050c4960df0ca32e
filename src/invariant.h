/* SPDX-License-Identifier: MIT
 *
 * invariant: what must be true at a place in the code, said so that the compiler reads it and a test can check it.
 *
 * There are two kinds, and a condition of either has no side effects:
 *
 *   RL_INVARIANT(condition)   says what the code around it relies on. A build for users evaluates nothing of it. It is checked
 *                             where REDISLOCK_INVARIANTS is defined: in the core's tests, the simulator, the fuzzers, under
 *                             sanitizers, and by ./configure --enable-redislock-invariants.
 *   RL_GUARD(condition)       keeps memory whole: a bound of an array, or of a caller's buffer. It is checked in every build,
 *                             also with NDEBUG. Better no process than one that writes past an end.
 *
 * What does not hold is told on stderr, with its place, and the process is aborted.
 */
#ifndef REDISLOCK_INVARIANT_H
#define REDISLOCK_INVARIANT_H

#include <stdbool.h>

#include "platform/compiler.h"

/* Tells what does not hold, and aborts the process. For the two macros. */
PLATFORM_NORETURN void invariant_broken(const char *file, int line, const char *condition);

#define RL_GUARD(condition) ((condition) ? (void)0 : invariant_broken(__FILE__, __LINE__, #condition))

/* Where it is not checked, it is compiled nevertheless: so it cannot rot, and what only it names counts as used. */
#ifdef REDISLOCK_INVARIANTS
#define RL_INVARIANT(condition) RL_GUARD(condition)
#else
#define RL_INVARIANT(condition) ((void)(false && (condition)))
#endif

#endif

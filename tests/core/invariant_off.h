/* SPDX-License-Identifier: MIT
 *
 * invariant_off: what is compiled as for users, without REDISLOCK_INVARIANTS and with NDEBUG.
 */
#ifndef REDISLOCK_TEST_INVARIANT_OFF_H
#define REDISLOCK_TEST_INVARIANT_OFF_H

/* Returns how often the condition of an invariant was evaluated that would not hold. */
int off_times_evaluated(void);

void off_breaks_a_guard(void);

#endif

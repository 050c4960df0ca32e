/* SPDX-License-Identifier: MIT
 *
 * lock/local/status: the words of the segment, which are changed whole: see lock/local/layout.h.
 */
#ifndef REDISLOCK_LOCK_LOCAL_STATUS_H
#define REDISLOCK_LOCK_LOCAL_STATUS_H

#include <stdbool.h>

#include "lock/local/layout.h"

#define LOCAL_STATES    (1U << LOCAL_STATE_BITS)
#define LOCAL_COUNT_AT  (LOCAL_STATE_BITS + LOCAL_PROCESS_BITS)
#define LOCAL_COUNT_MAX (UINT64_MAX >> LOCAL_COUNT_AT)

/* ---- status and answer of an entry ---- */

static inline uint64_t local_status(uint64_t count, unsigned process, local_state state)
{
    return count << LOCAL_COUNT_AT | (uint64_t)process << LOCAL_STATE_BITS | state;
}

static inline local_state local_state_of(uint64_t status)
{
    return (local_state)(status % LOCAL_STATES);
}

static inline unsigned local_process_of(uint64_t status)
{
    return (unsigned)(status >> LOCAL_STATE_BITS) % LOCAL_PROCESSES;
}

static inline uint64_t local_count_of(uint64_t status)
{
    return status >> LOCAL_COUNT_AT;
}

static inline uint64_t local_with_state(uint64_t status, local_state state)
{
    return status / LOCAL_STATES * LOCAL_STATES | state;
}

static inline uint64_t local_answer_word(uint64_t count, local_answer answer)
{
    return count << LOCAL_COUNT_AT | answer;
}

static inline local_answer local_answer_of(uint64_t word)
{
    return (local_answer)(word % LOCAL_STATES);
}

static inline uint64_t local_takeover_word(uint64_t count, local_takeover takeover)
{
    return count << LOCAL_COUNT_AT | takeover;
}

#ifdef REDISLOCK_TEST
/* Called before each exchange, and wherever else a process that stops leaves another state behind; NULL: nothing is. */
extern void (*local_before_step)(const char *function, int line);
#define LOCAL_POINT() (local_before_step != NULL ? local_before_step(__func__, __LINE__) : (void)0)
#else
#define LOCAL_POINT() ((void)0)
#endif

static inline bool local_exchange(atomic_ullong *word, uint64_t from, uint64_t to)
{
    unsigned long long before = from;

    return atomic_compare_exchange_strong(word, &before, to);
}

/* Changes the word, unless it is another than `from` by now. */
#define local_step(word, from, to) (LOCAL_POINT(), local_exchange(word, from, to))

/* ---- the owner of a slot ---- */

static inline uint64_t local_owner(unsigned entry, uint64_t count, uint64_t hash)
{
    uint64_t low_count = count % (UINT64_C(1) << (LOCAL_OWNER_TAG_AT - LOCAL_OWNER_COUNT_AT));

    return hash >> LOCAL_OWNER_TAG_AT << LOCAL_OWNER_TAG_AT | low_count << LOCAL_OWNER_COUNT_AT | LOCAL_OWNER_THERE |
           entry;
}

static inline unsigned local_owner_entry(uint64_t owner)
{
    return (unsigned)owner % LOCAL_ENTRIES;
}

/* Are they owners for the same lock, as far as their words tell? */
static inline bool local_owners_share(uint64_t a, uint64_t b)
{
    return a >> LOCAL_OWNER_TAG_AT == b >> LOCAL_OWNER_TAG_AT;
}

/* Is it the owner's use of its entry that the status tells of? */
static inline bool local_owner_uses(uint64_t owner, uint64_t status)
{
    uint64_t of_status = local_owner(local_owner_entry(owner), local_count_of(status), owner);

    return (owner | LOCAL_OWNER_CONTENDED) == (of_status | LOCAL_OWNER_CONTENDED);
}

#endif

/* SPDX-License-Identifier: MIT
 *
 * lock/local/entry: see lock/local/entry.h.
 */
#include "lock/local/entry.h"

#ifdef REDISLOCK_TEST
void (*local_before_step)(const char *function, int line);
#endif

/* No answer that comes late may find the entry in another use. So one that is still to come is closed, and to who writes
 * it just now the entry is left first, and told then: who has written it meanwhile leaves it to us. */
void local_entry_free(local_entry *entry, uint64_t status)
{
    uint64_t count = local_count_of(status), unknown = local_answer_word(count, LOCAL_UNKNOWN);
    uint64_t written = local_answer_word(count, LOCAL_WRITTEN);
    uint64_t answer = atomic_load(&entry->answer);

    if (answer == local_answer_word(count, LOCAL_PENDING) || answer == local_answer_word(count, LOCAL_AWAITED)) {
        local_step(&entry->answer, answer, unknown);
    }
    if (atomic_load(&entry->answer) == written) {
        uint64_t left = local_status(count, entry->from_process % LOCAL_PROCESSES, LOCAL_LEFT);
        if (!local_step(&entry->status, status, left) ||
            local_step(&entry->answer, written, local_answer_word(count, LOCAL_GIVEN_UP))) {
            return;
        }
        status = left;
    }
    local_step(&entry->status, status, local_with_state(status, LOCAL_FREE));
}

void local_entry_free_left(local_entry *entry, uint64_t count)
{
    uint64_t status = atomic_load(&entry->status);

    if (local_state_of(status) == LOCAL_LEFT && local_count_of(status) == count) {
        local_step(&entry->status, status, local_with_state(status, LOCAL_FREE));
    }
}

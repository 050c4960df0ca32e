/* SPDX-License-Identifier: MIT
 *
 * The heap of what comes next.
 */
#include <stdlib.h>

#include "bed.h"
#include "heap.h"

#define ENTRIES 300

/* The first entry is the earliest of those that are in, after each of many random changes. */
TEST(heap_gives_the_earliest_entry)
{
    heap_entry entries[ENTRIES] = {0};
    heap h = {0};
    unsigned seed = 17;

    CHECK(heap_first(&h) == NULL);
    CHECK_INT(heap_first_at(&h), PLATFORM_NEVER);
    heap_reserve(&h, ENTRIES);
    for (int i = 0; i < 20000; i++) {
        heap_entry *entry = &entries[rand_r(&seed) % ENTRIES];
        heap_remove(&h, entry);
        if (rand_r(&seed) % 3 > 0) {
            heap_add(&h, entry, rand_r(&seed) % 1000);
        }
        int64_t earliest = PLATFORM_NEVER;
        size_t in = 0;
        for (size_t n = 0; n < ENTRIES; n++) {
            in += entries[n].is_in;
            earliest = entries[n].is_in ? platform_earlier(earliest, entries[n].at) : earliest;
        }
        CHECK_INT((int64_t)h.count, (int64_t)in);
        CHECK_INT(heap_first_at(&h), earliest);
        CHECK(in == 0 || (heap_first(&h)->is_in && heap_first(&h)->at == earliest));
    }
    heap_clear(&h);
    for (size_t n = 0; n < ENTRIES; n++) {
        CHECK(!entries[n].is_in);
    }
    CHECK(heap_first(&h) == NULL);
    heap_free(&h);
}

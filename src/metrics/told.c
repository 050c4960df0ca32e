/* SPDX-License-Identifier: MIT
 *
 * told: see metrics/told.h.
 */
#include "metrics/told.h"

#include "platform/atomics.h"

/* A reason names the user, and a PHP-FPM may have a user for each of hundreds of sites. */
#define REASONS 1024

/* All zero at first. */
typedef struct told_reason {
    atomic_uint hash; /* 0: none yet */
    atomic_uint at;   /* second in which it was told, of platform_now() and counted from 1; 0: never */
} told_reason;

struct told {
    told_reason reasons[REASONS];
};

told *told_new(void)
{
    return platform_shared_zalloc(sizeof(told));
}

void told_free(told *t)
{
    if (t != NULL) {
        platform_shared_free(t, sizeof(*t));
    }
}

/* FNV-1a; never 0. */
static unsigned hash_of(const char *text)
{
    unsigned hash = 2166136261U;

    for (; *text != '\0'; text++) {
        hash = (hash ^ (unsigned char)*text) * 16777619U;
    }
    return hash != 0 ? hash : 1;
}

/* Returns the place of the reason, which may be a new one. If all are taken, it shares that of another. */
static told_reason *find_reason(told *t, unsigned hash)
{
    for (size_t i = 0; i < REASONS; i++) {
        told_reason *reason = &t->reasons[(hash + i) % REASONS];
        unsigned there = 0;
        if (atomic_compare_exchange_strong(&reason->hash, &there, hash) || there == hash) {
            return reason;
        }
    }
    return &t->reasons[hash % REASONS];
}

/* Of several that ask at once, one is to tell. Another may have told a moment after `now`. */
bool told_is_due(told *t, const char *reason, int64_t now)
{
    const int32_t every = TOLD_EVERY / PLATFORM_SEC;
    const unsigned second = (unsigned)(now / PLATFORM_SEC) + 1;
    told_reason *found;
    unsigned before;

    if (t == NULL) {
        return true;
    }
    found = find_reason(t, hash_of(reason));
    before = atomic_load(&found->at);
    return (before == 0 || (int32_t)(second - before) >= every) &&
           atomic_compare_exchange_strong(&found->at, &before, second);
}

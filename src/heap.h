/* SPDX-License-Identifier: MIT
 *
 * heap: entries in the order of their times, of which the first can be found at once. An entry is embedded in what it is
 * about. Times are those of platform_now().
 */
#ifndef REDISLOCK_HEAP_H
#define REDISLOCK_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct heap_entry {
    int64_t at;
    size_t index; /* in the heap */
    bool is_in;   /* it is in a heap */
} heap_entry;

/* All zero is an empty heap. */
typedef struct heap {
    heap_entry **entries;
    size_t count, room;
} heap;

/* Makes room for so many entries in all. The other functions allocate nothing. */
void heap_reserve(heap *h, size_t count);

/* Puts an entry into the heap, which has room for it. */
void heap_add(heap *h, heap_entry *entry, int64_t at);

/* Takes the entry out, if it is in. */
void heap_remove(heap *h, heap_entry *entry);

/* Returns the entry with the earliest time; NULL: the heap is empty. */
heap_entry *heap_first(const heap *h);

/* Returns its time; PLATFORM_NEVER: the heap is empty. */
int64_t heap_first_at(const heap *h);

/* Takes all entries out. */
void heap_clear(heap *h);

/* Frees what the heap has allocated, but no entry. */
void heap_free(heap *h);

#endif

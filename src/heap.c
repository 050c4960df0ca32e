/* SPDX-License-Identifier: MIT
 *
 * heap: see heap.h. A binary heap: the children of the i-th entry are those at 2i + 1 and 2i + 2.
 */
#include "heap.h"

#include <stdlib.h>

#include "invariant.h"
#include "platform/platform.h"

static bool is_before(const heap_entry *a, const heap_entry *b)
{
    return a->at < b->at;
}

static void put_at(heap *h, size_t i, heap_entry *entry)
{
    h->entries[i] = entry;
    entry->index = i;
}

/* Moves the entry, whose place is `i`, towards the front as far as it belongs. Returns its place. */
static size_t move_up(heap *h, size_t i, heap_entry *entry)
{
    for (size_t above; i > 0 && is_before(entry, h->entries[above = (i - 1) / 2]); i = above) {
        put_at(h, i, h->entries[above]);
    }
    put_at(h, i, entry);
    return i;
}

static void move_down(heap *h, size_t i, heap_entry *entry)
{
    for (size_t below; (below = 2 * i + 1) < h->count; i = below) {
        if (below + 1 < h->count && is_before(h->entries[below + 1], h->entries[below])) {
            below++;
        }
        if (!is_before(h->entries[below], entry)) {
            break;
        }
        put_at(h, i, h->entries[below]);
    }
    put_at(h, i, entry);
}

void heap_reserve(heap *h, size_t count)
{
    size_t room = 2 * count;

    if (count > h->room) {
        h->entries = platform_realloc(h->entries, room * sizeof(*h->entries));
        h->room = room; /* only now: the end of memory may come in between */
    }
}

void heap_add(heap *h, heap_entry *entry, int64_t at)
{
    RL_INVARIANT(!entry->is_in && h->count < h->room);
    entry->at = at;
    entry->is_in = true;
    move_up(h, h->count++, entry);
}

void heap_remove(heap *h, heap_entry *entry)
{
    if (!entry->is_in) {
        return;
    }
    RL_INVARIANT(entry->index < h->count && h->entries[entry->index] == entry); /* in this heap, and in no other */
    heap_entry *last = h->entries[--h->count];
    entry->is_in = false;
    if (last != entry) {
        move_down(h, move_up(h, entry->index, last), last);
    }
}

heap_entry *heap_first(const heap *h)
{
    return h->count > 0 ? h->entries[0] : NULL;
}

int64_t heap_first_at(const heap *h)
{
    return h->count > 0 ? h->entries[0]->at : PLATFORM_NEVER;
}

void heap_clear(heap *h)
{
    for (size_t i = 0; i < h->count; i++) {
        h->entries[i]->is_in = false;
    }
    h->count = 0;
}

void heap_free(heap *h)
{
    free(h->entries);
    *h = (heap){0};
}

/* SPDX-License-Identifier: MIT
 *
 * metrics: see metrics/metrics.h. What counts; what reads is in metrics/read.c.
 */
#include "metrics/metrics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "metrics/state.h"

/* The bytes of a process' own blocks, and of its names if there is no segment, begin with a cache line. */
#define LINE 64

metrics *metrics_new(void)
{
    metrics *m = platform_zalloc(sizeof(*m));

    m->told = told_new();
    return m;
}

/* ---- joining ---- */

/* A segment whose beginning is neither new nor ours is left alone. */
static bool claim(metrics_names *names, char why[SEGMENT_WHY])
{
    unsigned long long before = 0;

    if (atomic_compare_exchange_strong(&names->magic, &before, METRICS_MAGIC) || before == METRICS_MAGIC) {
        return true;
    }
    snprintf(why, SEGMENT_WHY, "the segment of shared memory does not hold these counters");
    return false;
}

/* Returns the segment; NULL: there is none. */
static metrics_names *open_names(const char *folder, char why[SEGMENT_WHY])
{
#if ATOMIC_LLONG_LOCK_FREE == 2
    metrics_names *names = segment_open(&metrics_own_layout.use, folder, why);

    if (names != NULL && !claim(names, why)) {
        segment_close(&metrics_own_layout.use, names);
        return NULL;
    }
    return names;
#else
    (void)folder;
    snprintf(why, SEGMENT_WHY, "this processor cannot add 64-bit numbers that processes share");
    return NULL;
#endif
}

static metrics_block *stripe_of(metrics_names *names, size_t stripe)
{
    return ((metrics_table *)(void *)names)->stripes[stripe];
}

/* Gives up what a state that nobody uses has. The segment stays mapped if the state of another process, from which this one was
 * forked, has it too. */
static void empty_state(const metrics_state *state, const metrics_state *parent)
{
    if (state->is_shared && (parent == NULL || parent->names != state->names)) {
        segment_close(&metrics_own_layout.use, state->names);
    }
    free(state->memory);
}

/* Makes the state of this process. A child has the segment that its parent has mapped, unless it runs as another user. */
static metrics_state *make_state(const char *folder, metrics_state *parent)
{
    metrics_state *state = platform_zalloc(sizeof(*state));
    size_t blocks = METRICS_BLOCKS * sizeof(metrics_block), names = sizeof(metrics_names);

    state->process = platform_process();
    state->user = segment_user();
    state->parent = parent;
    if (parent != NULL && parent->is_shared && parent->user == state->user) {
        state->names = parent->names;
    } else {
        state->names = open_names(folder, state->why);
    }
    state->is_shared = state->names != NULL;
    state->memory = platform_zalloc(2 * blocks + names + LINE);
    state->own = (metrics_block *)(((uintptr_t)state->memory + LINE - 1) / LINE * LINE);
    if (state->is_shared) {
        unsigned long long turn = atomic_fetch_add_explicit(&state->names->joined, 1, memory_order_relaxed);
        state->user_blocks = stripe_of(state->names, turn % METRICS_STRIPES);
    } else {
        state->user_blocks = state->own + METRICS_BLOCKS;
        state->names = (metrics_names *)(void *)(state->user_blocks + METRICS_BLOCKS);
    }
    return state;
}

/* Of several threads that are the first ones, the state of one becomes that of all. In a forked child they may all find the
 * parent's, and look at it while one of them gives up what that has: so the state itself stays. */
static metrics_state *state_of(metrics *m, const char *folder)
{
    metrics_state *before = atomic_load_explicit(&m->state, memory_order_acquire), *fresh;

    if (before != NULL && before->process == platform_process()) {
        return before;
    }
    fresh = make_state(folder, before);
    if (!atomic_compare_exchange_strong(&m->state, &before, fresh)) {
        empty_state(fresh, before);
        free(fresh);
        return before;
    }
    if (fresh->parent != NULL) {
        empty_state(fresh->parent, fresh);
    }
    return fresh;
}

/* If there is no segment, the threads of a process leave it to the first one to tell. */
bool metrics_join(metrics *m, const char *folder, metrics_writer *writer, char why[SEGMENT_WHY])
{
    metrics_state *state = state_of(m, folder);

    writer->names = state->names;
    writer->user = state->user_blocks;
    writer->own = state->own;
    writer->process = state->process;
    if (state->is_shared || atomic_exchange(&state->was_told, true) ||
        !told_is_due(m->told, state->why, platform_now())) {
        return true;
    }
    memcpy(why, state->why, SEGMENT_WHY);
    return false;
}

void metrics_free(metrics *m)
{
    metrics_state *state = atomic_load(&m->state);

    if (state != NULL) {
        empty_state(state, NULL);
    }
    for (metrics_state *parent; state != NULL; state = parent) {
        parent = state->parent;
        free(state);
    }
    told_free(m->told);
    free(m);
}

/* ---- groups ---- */

/* Names are read by eight bytes, of which those that are not there are 0. So a name and the same with null bytes behind it are
 * one group. */
#define WORD sizeof(uint64_t)

/* The bytes of a word that come first in memory are these of its bits. */
#if PLATFORM_IS_BIG_ENDIAN
#define FIRST_OF(word, bytes)       ((bytes) < WORD ? (word) & ~(UINT64_MAX >> 8 * (bytes)) : (word))
#define BEHIND(word, bytes)         ((word) << 8 * (bytes))
#define FIRST_MARKED(marks)         ((size_t)platform_leading_zeros(marks) / 8)
#define FIRST_BEFORE(word, marks)   FIRST_OF(word, (marks) != 0 ? FIRST_MARKED(marks) : WORD)
#define BOTH_OF(first, last, bytes) ((uint64_t)(first) << 32 | (uint64_t)(last) << 8 * (4 - (bytes)))
#else
#define FIRST_OF(word, bytes)       ((bytes) < WORD ? (word) & ~(UINT64_MAX << 8 * (bytes)) : (word))
#define BEHIND(word, bytes)         ((word) >> 8 * (bytes))
#define FIRST_MARKED(marks)         ((size_t)platform_trailing_zeros(marks) / 8)
#define FIRST_BEFORE(word, marks)   ((word) & ((((marks) & -(marks)) >> 7) - 1))
#define BOTH_OF(first, last, bytes) ((first) | (uint64_t)(last) << 8 * (bytes))
#endif

static uint64_t load(const char *at)
{
    uint64_t word;

    memcpy(&word, at, WORD);
    return word;
}

/* Does so with 4 to 7 bytes, as load() would with zeros behind them. */
static inline uint64_t load_short(const char *at, size_t len)
{
    uint32_t first, last;

    memcpy(&first, at, sizeof(first));
    memcpy(&last, at + len - sizeof(last), sizeof(last));
    return BOTH_OF(first, last, len - sizeof(last));
}

/* Reads the bytes from `i` on, eight at most. Of a name that is long enough it reads some before them, too. */
static inline uint64_t read_word(const char *name, size_t len, size_t i)
{
    char bytes[WORD] = {0};

    if (len - i >= WORD) {
        return load(name + i);
    }
    if (len >= WORD) {
        return BEHIND(load(name + len - WORD), WORD - (len - i));
    }
    for (; i < len; i++) {
        bytes[i] = name[i];
    }
    return load(bytes);
}

/* Marks the highest bit of each byte that is a digit or, right behind these, a colon. */
static inline uint64_t mark_ends(uint64_t word)
{
    uint64_t from_zero = word ^ UINT64_C(0x3030303030303030);
    uint64_t above = (from_zero & UINT64_C(0x7f7f7f7f7f7f7f7f)) + UINT64_C(0x7575757575757575); /* 0x80 - 0x0b */

    return ~(above | from_zero) & UINT64_C(0x8080808080808080);
}

static inline uint64_t hash_word(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 32;
}

/* Writes the name to its place, if it is not there yet. */
static void write_name(metrics_name *place, const char *name, size_t len)
{
    for (size_t i = 0; i < METRICS_NAME / WORD; i++) {
        atomic_store_explicit(&place->name[i], i * WORD < len ? read_word(name, len, i * WORD) : 0,
                              memory_order_relaxed);
    }
    atomic_store_explicit(&place->len, len, memory_order_release);
}

/* Two names of one hash would share their numbers. They are 63 bits, so nobody will see that. 0 is no name. */
static inline uint64_t hash_end(uint64_t hash)
{
    return hash | 1;
}

static inline size_t first_place(uint64_t hash)
{
    return (hash >> 1) % METRICS_NAMES;
}

/* Finds the place of the name, or takes one. */
static PLATFORM_NOINLINE unsigned find_group(metrics_names *names, const char *name, size_t len, uint64_t hash)
{
    for (size_t i = 0; i < METRICS_NAMES; i++) {
        size_t at = (first_place(hash) + i) % METRICS_NAMES;
        metrics_name *place = &names->names[at];
        unsigned long long there = atomic_load_explicit(&place->hash, memory_order_relaxed);
        if (there == 0 && atomic_compare_exchange_strong(&place->hash, &there, hash)) {
            there = hash;
        }
        if (there == hash) {
            if (atomic_load_explicit(&place->len, memory_order_relaxed) == 0) {
                write_name(place, name, len);
            }
            return METRICS_NAMED + (unsigned)at;
        }
    }
    return METRICS_OTHER;
}

unsigned metrics_group_named(const metrics_writer *writer, const char *name, size_t len)
{
    uint64_t hash = 0;

    len = len < METRICS_NAME ? len : METRICS_NAME;
    for (size_t i = 0; i < len; i += WORD) {
        hash = hash_word(hash, read_word(name, len, i));
    }
    return len > 0 ? find_group(writer->names, name, len, hash_end(hash)) : METRICS_OTHER;
}

/* The same in one go with the search for the end. */
static PLATFORM_NOINLINE unsigned find_group_of(const metrics_writer *writer, const char *name, size_t len)
{
    uint64_t hash = 0;

    len = len < METRICS_NAME ? len : METRICS_NAME;
    for (size_t i = 0; i < len; i += WORD) {
        uint64_t word = read_word(name, len, i), ends = mark_ends(word);
        if (ends != 0) {
            len = i + FIRST_MARKED(ends);
            word = FIRST_OF(word, len - i);
        }
        if (len > i) {
            hash = hash_word(hash, word);
        }
    }
    return len > 0 ? find_group(writer->names, name, len, hash_end(hash)) : METRICS_OTHER;
}

/* Is the first place where a name of that hash can be its own, with the name in it? */
static inline bool is_first_place(const metrics_name *place, uint64_t hash)
{
    return atomic_load_explicit(&place->hash, memory_order_relaxed) == hash &&
           atomic_load_explicit(&place->len, memory_order_relaxed) != 0;
}

/* Nearly every lock is one of a group that stands at its first place: that is found with few instructions. */
unsigned metrics_group_of(const metrics_writer *writer, const char *name, size_t len)
{
    uint64_t hash = 0, ends = 0, word = 0;
    size_t i = 0;

    for (; len - i >= WORD && i < METRICS_NAME; i += WORD) {
        word = load(name + i);
        ends = mark_ends(word);
        if (ends != 0) {
            break;
        }
        hash = hash_word(hash, word);
        word = 0;
    }
    if (ends == 0 && i < len && i < METRICS_NAME) {
        word = len < WORD && len >= WORD / 2 ? load_short(name, len) : read_word(name, len, i);
        ends = mark_ends(word);
    }
    if (ends != 0) {
        word = FIRST_BEFORE(word, ends);
    }
    hash = hash_end(word != 0 ? hash_word(hash, word) : hash);
    size_t at = first_place(hash);
    return is_first_place(&writer->names->names[at], hash) ? METRICS_NAMED + (unsigned)at
                                                           : find_group_of(writer, name, len);
}

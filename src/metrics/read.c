/* SPDX-License-Identifier: MIT
 *
 * metrics/read: see metrics/read.h.
 *
 * What is read may be anything, since another program of the user may have written it: no number of it is an offset or a size.
 */
#include "metrics/read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "metrics/state.h"

/* All layouts that a release has had, since older ones may run beside this one. */
static const metrics_layout *const known_layouts[] = {&metrics_own_layout};

static const char other[] = "other";

static void sums_begin(metrics_sums *sums)
{
    memset(sums, 0, sizeof(*sums));
    sums->groups = platform_zalloc(sizeof(*sums->groups));
    sums->count = 1;
    sums->groups[0].name_len = sizeof(other) - 1;
    memcpy(sums->groups[0].name, other, sizeof(other) - 1);
}

void metrics_sums_free(metrics_sums *sums)
{
    free(sums->groups);
    memset(sums, 0, sizeof(*sums));
}

/* Returns the group of that name, which is added if it is not there yet. */
static metrics_group *group_for(metrics_sums *sums, const char *name, size_t len)
{
    for (size_t i = 0; i < sums->count; i++) {
        if (sums->groups[i].name_len == len && memcmp(sums->groups[i].name, name, len) == 0) {
            return &sums->groups[i];
        }
    }
    sums->groups = platform_realloc(sums->groups, (sums->count + 1) * sizeof(*sums->groups));
    metrics_group *group = &sums->groups[sums->count++];
    memset(group, 0, sizeof(*group));
    memcpy(group->name, name, len);
    group->name_len = len;
    return group;
}

/* Adds the i-th block of one stripe to `to`. */
static void add_block(const metrics_layout *layout, const atomic_ullong *stripe, size_t block,
                      uint64_t to[METRICS_COUNTS])
{
    const atomic_ullong *counts = stripe + block * layout->counts;

    for (size_t i = 0; i < layout->counts; i++) {
        size_t count = layout->counts_of != NULL ? layout->counts_of[i] : i;
        to[count] += atomic_load_explicit(&counts[i], memory_order_relaxed);
    }
}

static void add_blocks(const metrics_layout *layout, const atomic_ullong *blocks, size_t block,
                       uint64_t to[METRICS_COUNTS])
{
    for (size_t i = 0; i < layout->stripes; i++) {
        add_block(layout, blocks + i * layout->blocks * layout->counts, block, to);
    }
}

static void add_to(uint64_t to[METRICS_COUNTS], const uint64_t counts[METRICS_COUNTS])
{
    for (size_t i = 0; i < METRICS_COUNTS; i++) {
        to[i] += counts[i];
    }
}

static bool is_zero(const uint64_t counts[METRICS_COUNTS])
{
    static const uint64_t zeros[METRICS_COUNTS];

    return memcmp(counts, zeros, sizeof(zeros)) == 0;
}

/* Copies the name of a group. Returns its length; 0: there is none, or none yet. */
static size_t read_name(const metrics_name *place, char name[METRICS_NAME])
{
    unsigned long long len = atomic_load_explicit(&place->len, memory_order_acquire);

    for (size_t i = 0; i < METRICS_NAME / 8; i++) {
        uint64_t word = atomic_load_explicit(&place->name[i], memory_order_relaxed);
        memcpy(name + 8 * i, &word, sizeof(word));
    }
    return len <= METRICS_NAME ? (size_t)len : METRICS_NAME;
}

/* Adds the numbers in these blocks, of groups with these names. Of a group that has counted nothing here, nothing is told. */
static void add_up(const metrics_layout *layout, const metrics_name *names, const atomic_ullong *blocks,
                   metrics_sums *sums)
{
    char name[METRICS_NAME];

    add_blocks(layout, blocks, METRICS_OVERALL, sums->overall);
    add_blocks(layout, blocks, METRICS_OTHER, sums->groups[0].counts);
    for (size_t i = 0; i < layout->names; i++) {
        uint64_t counts[METRICS_COUNTS] = {0};
        size_t len = read_name(&names[i], name);
        add_blocks(layout, blocks, METRICS_NAMED + i, counts);
        if (len > 0 && !is_zero(counts)) {
            add_to(group_for(sums, name, len)->counts, counts);
        }
    }
}

/* The names are those of the user's groups; this process may have counted in few of them. */
bool metrics_read_own(metrics *m, metrics_sums *sums, char why[SEGMENT_WHY])
{
    metrics_layout layout = metrics_own_layout;
    const metrics_state *state = atomic_load(&m->state);

    sums_begin(sums);
    why[0] = '\0';
    if (state == NULL || state->process != platform_process()) {
        return false;
    }
    layout.stripes = 1;
    add_up(&layout, state->names->names, state->own->counts, sums);
    memcpy(why, state->why, SEGMENT_WHY);
    return true;
}

/* Adds a copy of a segment. Returns false if it is none of ours. One that nobody has counted in yet may be new. */
static bool add_copy(const metrics_layout *layout, const char *copy, metrics_sums *sums)
{
    uint64_t magic;

    memcpy(&magic, copy, sizeof(magic));
    if (magic != layout->magic && magic != 0) {
        return false;
    }
    add_up(layout, (const void *)(copy + layout->names_at), (const void *)(copy + layout->blocks_at), sums);
    return true;
}

/* One that cannot be read is the end: a sum without it would be less than the last one. */
metrics_found metrics_read_layouts(const metrics_layout *const *layouts, size_t count, const char *folder,
                                   uint32_t user, metrics_sums *sums, char why[SEGMENT_WHY])
{
    metrics_found found = METRICS_NONE;

    sums_begin(sums);
    for (size_t i = 0; i < count && found != METRICS_REFUSED; i++) {
        char *copy = platform_alloc(layouts[i]->use.size);
        segment_found here = segment_read(&layouts[i]->use, folder, user, copy, why);
        if (here == SEGMENT_READ && !add_copy(layouts[i], copy, sums)) {
            snprintf(why, SEGMENT_WHY, "the segment of shared memory does not hold these counters");
            here = SEGMENT_REFUSED;
        }
        if (here != SEGMENT_NONE) {
            found = here == SEGMENT_READ ? METRICS_READ : METRICS_REFUSED;
        }
        free(copy);
    }
    return found;
}

metrics_found metrics_read_user(const char *folder, uint32_t user, metrics_sums *sums, char why[SEGMENT_WHY])
{
    return metrics_read_layouts(known_layouts, sizeof(known_layouts) / sizeof(*known_layouts), folder, user, sums, why);
}

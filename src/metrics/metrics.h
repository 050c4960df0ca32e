/* SPDX-License-Identifier: MIT
 *
 * metrics: counts what becomes of locks, by groups of their names: of this process, and of all processes of its user.
 *
 * The numbers of the user stand in a segment (platform/segment.h) and outlive the processes: what a killed one has counted
 * stays. An update is one addition to one number, or two, so a process that is killed in the middle of it loses a part of one
 * operation. No number is ever taken back, and none is worked out by a difference, since what reads them takes a smaller one
 * for a new start.
 *
 * The segment holds no names but those of groups, and no tokens.
 */
#ifndef REDISLOCK_METRICS_METRICS_H
#define REDISLOCK_METRICS_METRICS_H

#include "invariant.h"
#include "metrics/layout.h"
#include "platform/platform.h"
#include "platform/segment.h"

/* The numbers of this process, and the segment. Shared by all threads. */
typedef struct metrics metrics;

/* Makes them; nothing is opened before a thread joins. Children that are forked behind it tell of what is wrong for each other.
 * Can't fail. */
metrics *metrics_new(void);

/* No writer may be used behind that. */
void metrics_free(metrics *m);

/* By which one thread counts. All zero at first. */
typedef struct metrics_writer {
    int64_t process;      /* that has joined; 0: none yet */
    metrics_names *names; /* of the groups */
    metrics_block *user;  /* blocks for all processes of the user; of this process once more if there is no segment */
    metrics_block *own;   /* of this process */
} metrics_writer;

/* Lets the writer count for this process: opens the segment in the folder if nobody has yet, and begins anew in a forked child.
 * Returns false if there is no segment, and that is to be told: `why` then says why. Of the children of one parent, one an hour
 * tells of the same reason. */
bool metrics_join(metrics *m, const char *folder, metrics_writer *writer, char why[SEGMENT_WHY]);

/* Has this process, whose number is passed, joined, and not only its parent? */
static inline bool metrics_has_joined(const metrics_writer *writer, int64_t process)
{
    return writer->process == process;
}

/* A group is a number, never 0. Returns that of a name: what stands before its first colon or digit. Names without it, and all
 * for whose group there is no room any more, are METRICS_OTHER. */
unsigned metrics_group_of(const metrics_writer *writer, const char *name, size_t len);

/* Returns the group of this name itself. */
unsigned metrics_group_named(const metrics_writer *writer, const char *name, size_t len);

/* Adds to one number of a group; or of no group (METRICS_OVERALL), of which metrics_overall are. */
static inline void metrics_add(const metrics_writer *writer, unsigned group, unsigned count, uint64_t n)
{
    RL_INVARIANT(group < METRICS_BLOCKS && count < METRICS_COUNTS);
    atomic_fetch_add_explicit(&writer->user[group].counts[count], n, memory_order_relaxed);
    atomic_fetch_add_explicit(&writer->own[group].counts[count], n, memory_order_relaxed);
}

/* Adds one to a number of no group, if there is a writer (not NULL) and it has joined. */
static inline void metrics_add_overall(const metrics_writer *writer, unsigned count)
{
    if (writer != NULL && writer->own != NULL) {
        metrics_add(writer, METRICS_OVERALL, count, 1);
    }
}

/* Returns in which of METRICS_BUCKETS a span counts: those up to 128 µs in the first one, and each other one has twice as long
 * spans as the one before. */
static inline unsigned metrics_bucket(uint64_t span)
{
    uint64_t below = (span > 0 ? span - 1 : 0) | ((1U << METRICS_FIRST_BITS) - 1);
    unsigned bucket = 64 - METRICS_FIRST_BITS - platform_leading_zeros(below);

    return bucket < METRICS_BUCKETS ? bucket : METRICS_BUCKETS - 1;
}

/* Counts a span of µs in a histogram: METRICS_WAIT or METRICS_HOLD. */
static inline void metrics_observe(const metrics_writer *writer, unsigned group, unsigned histogram, int64_t span)
{
    uint64_t us = span > 0 ? (uint64_t)span : 0;

    metrics_add(writer, group, histogram + metrics_bucket(us), 1);
    metrics_add(writer, group, histogram == METRICS_WAIT ? METRICS_WAIT_SUM : METRICS_HOLD_SUM, us);
}

#endif

/* SPDX-License-Identifier: MIT
 *
 * metrics/layout: where in the segment which number is.
 *
 * Any change here has a new version of the layout, and the one before stays readable: see known_layouts in metrics/read.c.
 */
#ifndef REDISLOCK_METRICS_LAYOUT_H
#define REDISLOCK_METRICS_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

#include "platform/atomics.h"
#include "platform/segment.h"

#define METRICS_VERSION 1

#define METRICS_BUCKETS    22 /* of a histogram: up to 128 µs, 256 µs … 134 s, and longer */
#define METRICS_FIRST_BITS 7  /* the first one goes up to 2^7 µs */
#define METRICS_NAMES      64 /* groups that have a name */
#define METRICS_NAME       48 /* bytes of a name that count */
#define METRICS_STRIPES    8  /* processes take turns at these, so that few write to the same cache line */

/* Groups by their numbers. */
#define METRICS_OVERALL 0 /* what belongs to no name: see metrics_overall */
#define METRICS_OTHER   1
#define METRICS_NAMED   2
#define METRICS_BLOCKS  (METRICS_NAMED + METRICS_NAMES)

/* The numbers of a group. The locks that were acquired are those in the histogram of waits, and those released are in that of
 * holds, but for METRICS_UNTIMED. */
typedef enum metrics_count {
    METRICS_WAITED,          /* acquired, but held by another at first */
    METRICS_TIMED_OUT,       /* not acquired: waited in vain */
    METRICS_REFUSED_HELD,    /* not acquired: held by another, and the caller did not wait */
    METRICS_REFUSED_FULL,    /* not acquired: too many waited already */
    METRICS_FAILED,          /* not acquired: an error, or an answer that came too late */
    METRICS_INTERRUPTED,     /* not acquired: PHP code that ran during the wait has ended it */
    METRICS_UNTIMED,         /* released, but acquired elsewhere: for how long it was held is not known */
    METRICS_UNRELEASED,      /* releases that failed; they are sent again */
    METRICS_LOST,            /* found lost when it was to be released or extended */
    METRICS_RENEWED,         /* each time */
    METRICS_RENEWAL_FAILED,  /* no good answer to a renewal */
    METRICS_LOST_WHILE_HELD, /* found lost by the thread that renews it */
    METRICS_VALUE_FRESH,     /* remember() had the value */
    METRICS_VALUE_STALE,     /* it had one past its end, and another one builds the next */
    METRICS_VALUE_BUILT,     /* once() found that another one has built the value */
    METRICS_VALUE_NONE,      /* the value was not there in time */
    METRICS_WAIT_SUM,        /* µs */
    METRICS_HOLD_SUM,        /* µs */
    METRICS_WAIT = 20,       /* histogram: how long the locks that were acquired had to be waited for */
    METRICS_HOLD = METRICS_WAIT + METRICS_BUCKETS, /* histogram: how long those that were released were held */
    METRICS_COUNTS = METRICS_HOLD + METRICS_BUCKETS
} metrics_count;

/* The numbers of METRICS_OVERALL. Errors begin at METRICS_ERRORS, in the order of rl_failure. */
typedef enum metrics_overall {
    METRICS_CONNECTIONS,
    METRICS_RECONNECTS,
    METRICS_SCRIPT_RELOADS,
    METRICS_ERRORS = 8
} metrics_overall;

typedef struct metrics_block {
    atomic_ullong counts[METRICS_COUNTS];
} metrics_block;

/* A group. Whoever finds no name in its place writes it, since the process that took the place may be killed before it has:
 * all that do so write the same. */
typedef struct metrics_name {
    atomic_ullong hash; /* of the name; 0: the place is free */
    atomic_ullong len;  /* 0: the name is not written yet */
    atomic_ullong name[METRICS_NAME / 8];
} metrics_name;

typedef struct metrics_names {
    atomic_ullong magic;
    atomic_ullong joined; /* processes so far */
    atomic_ullong spare[6];
    metrics_name names[METRICS_NAMES];
} metrics_names;

/* The segment. Of one that only this process has there is one stripe. */
typedef struct metrics_table {
    metrics_names names;
    metrics_block stripes[METRICS_STRIPES][METRICS_BLOCKS];
} metrics_table;

#define METRICS_MAGIC UINT64_C(0x6d65747269637301) /* all zero: new */

/* How a segment is read: one of ours, or that of another release. */
typedef struct metrics_layout {
    segment_use use;
    uint64_t magic;
    size_t stripes, names, blocks;
    size_t names_at, blocks_at;     /* offsets */
    size_t counts;                  /* numbers of a block */
    const unsigned char *counts_of; /* which of our numbers each of them is; NULL: they are in our order */
} metrics_layout;

extern const metrics_layout metrics_own_layout;

#endif

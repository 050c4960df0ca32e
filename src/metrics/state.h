/* SPDX-License-Identifier: MIT
 *
 * metrics/state: what a process has of its metrics, for metrics.c and read.c.
 */
#ifndef REDISLOCK_METRICS_STATE_H
#define REDISLOCK_METRICS_STATE_H

#include "metrics/layout.h"
#include "metrics/told.h"
#include "platform/atomics.h"

/* Does not change while the process lives, but for the numbers. */
typedef struct metrics_state {
    struct metrics_state *parent; /* of the process that was forked: it has nothing any more; or NULL */
    int64_t process;
    uint32_t user;
    bool is_shared; /* `names` is the segment */
    metrics_names *names;
    metrics_block *user_blocks; /* the stripe of this process */
    metrics_block *own;         /* the numbers of this process alone */
    void *memory;               /* of `own`, and of `names` if there is no segment */
    char why[SEGMENT_WHY];      /* why there is none */
    atomic_bool was_told;       /* this process has told of that, or left it to another */
} metrics_state;

struct metrics {
    PLATFORM_ATOMIC_POINTER(metrics_state) state; /* NULL: nobody has joined */
    told *told; /* why some have no segment; shared with all that are forked from here */
};

#endif

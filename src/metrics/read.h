/* SPDX-License-Identifier: MIT
 *
 * metrics/read: adds up what was counted: by this process, or by all processes of a user.
 */
#ifndef REDISLOCK_METRICS_READ_H
#define REDISLOCK_METRICS_READ_H

#include "metrics/metrics.h"

/* The numbers of a group, as they are added up. */
typedef struct metrics_group {
    char name[METRICS_NAME];
    size_t name_len;
    uint64_t counts[METRICS_COUNTS];
} metrics_group;

typedef struct metrics_sums {
    uint64_t overall[METRICS_COUNTS];
    metrics_group *groups; /* the first one is METRICS_OTHER, whose name is "other" */
    size_t count;          /* of groups */
} metrics_sums;

void metrics_sums_free(metrics_sums *sums);

/* Adds up what this process has counted; false: it has not joined. `why` says why it has no segment; "": it has one. */
bool metrics_read_own(metrics *m, metrics_sums *sums, char why[SEGMENT_WHY]);

/* Adds up what the processes of a user have counted, by all layouts that are known. METRICS_NONE: nothing has. METRICS_REFUSED:
 * one of them could not be read, and `why` says why. */
typedef enum metrics_found {
    METRICS_READ,
    METRICS_NONE,
    METRICS_REFUSED,
} metrics_found;
metrics_found metrics_read_user(const char *folder, uint32_t user, metrics_sums *sums, char why[SEGMENT_WHY]);

/* Does the same by these layouts. */
metrics_found metrics_read_layouts(const metrics_layout *const *layouts, size_t count, const char *folder,
                                   uint32_t user, metrics_sums *sums, char why[SEGMENT_WHY]);

#endif

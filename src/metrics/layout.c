/* SPDX-License-Identifier: MIT
 *
 * metrics/layout: see metrics/layout.h.
 */
#include "metrics/layout.h"

const metrics_layout metrics_own_layout = {
    .use = {"metrics", METRICS_VERSION, sizeof(metrics_table)},
    .magic = METRICS_MAGIC,
    .stripes = METRICS_STRIPES,
    .names = METRICS_NAMES,
    .blocks = METRICS_BLOCKS,
    .names_at = offsetof(metrics_names, names),
    .blocks_at = offsetof(metrics_table, stripes),
    .counts = METRICS_COUNTS,
};

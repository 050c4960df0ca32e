/* SPDX-License-Identifier: MIT
 *
 * differential: what the two parts of the differential test share: sequences of steps, drawn from a seed.
 */
#ifndef SIM_DIFFERENTIAL_H
#define SIM_DIFFERENTIAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "redis/scripts.h"

#define LINKS 4 /* connections */

typedef enum step_kind {
    STEP_SEND,      /* `bytes` over a link */
    STEP_TIME,      /* the clock moves by `amount` µs */
    STEP_RECONNECT, /* a link */
    STEP_FULL,      /* `amount`: out of memory or not */
    STEP_READ_ONLY, /* a replica or not */
    STEP_DENY,      /* no right to the command `bytes`; none: all rights again */
    STEP_PASSWORD,  /* a password is needed or not */
    STEP_FLUSH_SCRIPTS,
} step_kind;

typedef struct step {
    step_kind kind;
    unsigned link;
    int64_t amount;
    char *bytes; /* owned; with a NUL behind them */
    size_t len;
    size_t cut; /* in how many bytes the model gets them at first; the rest follows. 0: all at once */
    bool is_left_out;
} step;

#define MOST_STEPS 64

typedef struct sequence {
    uint64_t seed;
    int64_t start;      /* µs since 1970 */
    bool knows_scripts; /* the server knows them at the start */
    size_t count;
    step steps[MOST_STEPS];
} sequence;

/* The scripts of lua/, NULL behind the last. */
extern const rl_script *const scripts[];

void sequence_draw(sequence *s, uint64_t seed);
void sequence_free(sequence *s);

#endif

/* SPDX-License-Identifier: MIT
 *
 * differential: what the two parts of the differential test share: sequences of steps, drawn from a seed.
 */
#ifndef SIM_DIFFERENTIAL_H
#define SIM_DIFFERENTIAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "redis.h"
#include "redis/scripts.h"

#define LINKS 4     /* connections */
#define NODES 2     /* of a cluster */
#define BUS   10000 /* so much above its port, a node of a cluster listens for others */

/* The user of the connection that no step uses. */
#define ADMIN_ACCOUNT "admin"

typedef enum step_kind {
    STEP_SEND,      /* `bytes` over a link */
    STEP_TIME,      /* the clock moves by `amount` µs */
    STEP_RECONNECT, /* a link */
    STEP_FULL,      /* `amount`: out of memory or not */
    STEP_READ_ONLY, /* a replica or not */
    STEP_DENY,      /* no right to the command `bytes`; none: all rights again */
    STEP_PASSWORD,  /* a password is needed or not */
    STEP_FLUSH_SCRIPTS,
    STEP_SLOT, /* of the tag `link`: opens it; or moves keys, closes it, or cancels the move: see cluster_do() */
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

/* The keys that steps name, but for odd ones, with spaces in between. */
extern const char all_keys[];

void sequence_draw(sequence *s, uint64_t seed);
void sequence_free(sequence *s);

/* Draws 64 bits. */
uint64_t sequence_bits(uint64_t *random);

/* ---- both sides ---- */

/* The simulated server that is this node. */
redis *model_of(int node);

/* Asks this node of the real ones, in words that are separated by spaces. Fails if the answer is an error. */
void admin(int node, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- a cluster: see differential_cluster.c ---- */

/* Writes nodes0.conf and so on into the folder, with which the nodes start. */
void cluster_configure(const char *folder, const int ports[NODES]);

/* Tells the models, which are new, of their cluster. */
void cluster_begin(void);

/* Makes the sequence one of a cluster's clients. */
void cluster_draw(sequence *s);

/* Does a step of STEP_SLOT, on both sides. */
void cluster_do(const step *s);

/* The slots that move are those of these tags; and which node owns one. */
#define GROUPS 3
extern const char *const cluster_tags[GROUPS];
int cluster_owner(int group);

/* Closes one of the slots that are open. Returns false if there is none. */
bool cluster_close_one(void);

#endif

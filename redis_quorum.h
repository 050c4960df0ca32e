/* SPDX-License-Identifier: MIT
 *
 * redis_quorum: N servers asked the same thing at once, in one poll loop, under one deadline. One server is N = 1.
 */
#ifndef REDISLOCK_REDIS_QUORUM_H
#define REDISLOCK_REDIS_QUORUM_H

#include <stddef.h>

#include "redis_pool.h"

#define REDIS_MAX_NODES 16

typedef struct redis_quorum {
    redis_pool *pool; /* where the connections come from and go to */
    size_t count;
    redis_node *nodes[REDIS_MAX_NODES];
    redis_call calls[REDIS_MAX_NODES]; /* the last question and its answers */
} redis_quorum;

/* Takes a connection to each endpoint; connects nothing yet. Ended by redis_quorum_close(). `count` is 1 to
 * REDIS_MAX_NODES. */
void redis_quorum_open(redis_quorum *quorum, redis_pool *pool, const redis_endpoint *endpoints, size_t count);

/* Sends the request to every node and waits until each has answered, until `until`, or until the hook wants an end.
 * Afterwards every call has either `answered` set, or an error of REDIS_TIMED_OUT or REDIS_INTERRUPTED. */
void redis_quorum_ask(redis_quorum *quorum, const redis_request *request, int64_t connect_by, int64_t until,
                      const redis_hook *hook);

/* Breaks off the nodes whose answer to the last question is missing or an error; what undoes the question, if not
 * NULL, is written behind it first (see redis_node_part(), also for `until`). The nodes connect anew when they are asked again. Returns whether the undo went
 * out on any. */
bool redis_quorum_part(redis_quorum *quorum, const redis_request *undo, int64_t until);

/* How many make a majority. */
size_t redis_quorum_majority(const redis_quorum *quorum);

/* Gives the connections back. */
void redis_quorum_close(redis_quorum *quorum);

#endif

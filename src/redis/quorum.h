/* SPDX-License-Identifier: MIT
 *
 * redis/quorum: N servers asked the same thing at once, in one poll loop, under one deadline. One server is N = 1.
 */
#ifndef REDISLOCK_REDIS_QUORUM_H
#define REDISLOCK_REDIS_QUORUM_H

#include <stddef.h>

#include "redis/pool.h"

#define REDIS_MAX_NODES 16

typedef struct redis_quorum {
    redis_pool *pool; /* where the connections come from and go to */
    size_t count;
    int64_t node_timeout; /* µs; see redis_quorum_patience() */
    redis_node *nodes[REDIS_MAX_NODES];
    redis_call calls[REDIS_MAX_NODES]; /* the last question and its answers */
} redis_quorum;

/* Is the outcome certain, whatever the nodes say that have not answered yet? */
typedef bool (*redis_decided)(const redis_quorum *quorum, const void *arg);

/* Takes a connection to each endpoint; connects nothing yet. Ended by redis_quorum_close(). `count` is 1 to
 * REDIS_MAX_NODES. */
void redis_quorum_open(redis_quorum *quorum, redis_pool *pool, const redis_endpoint *endpoints, size_t count,
                       int64_t node_timeout);

/* Makes the calls ready for a new question, the same to all; then each may be changed, before it is asked. */
void redis_quorum_prepare(redis_quorum *quorum, const redis_request *request);

/* Answers for the nodes that owe an answer to an earlier question for longer than node_timeout, or many, as
 * REDIS_UNREACHABLE: they are not asked, as long as the others are a majority. For what would have to be undone there. */
void redis_quorum_pass_over_silent(redis_quorum *quorum);

/* Sends what was prepared and waits until each node has answered, until `decided` (NULL: never) says that enough have,
 * until `until`, for as long as the nodes may take, or until the hook wants an end. Afterwards every call has either
 * `answered` set or an error of REDIS_TIMED_OUT, REDIS_UNREACHABLE or REDIS_INTERRUPTED; the latter are still open: see
 * redis_quorum_leave() and redis_quorum_part(). */
void redis_quorum_ask(redis_quorum *quorum, int64_t connect_by, int64_t until, const redis_hook *hook,
                      redis_decided decided, const void *arg);

/* Until when to wait for the nodes in `open`, which were sent something at `sent`; `until` is the longest. One node may
 * take all of that. Of several, each has node_timeout from then on, or from when its connection was made, if that is
 * later; where `enough` have answered, one that is still connecting is not waited for longer either. */
int64_t redis_quorum_patience(const redis_quorum *quorum, const bool *open, bool enough, int64_t sent, int64_t until);

/* Of several nodes, those that did not answer are not waited for any more, and keep their connection: what was sent to
 * them runs, when they come to it; what could not be sent yet goes out later if it `must_run`, see redis_call_disown().
 * Those whose answer was malformed are broken off. With one node nothing is done here. */
void redis_quorum_leave(redis_quorum *quorum, bool must_run);

/* Breaks off the nodes whose answer to the last question is missing or an error; what undoes the question, if not
 * NULL, is written behind it first (see redis_node_part(), also for `until`). The nodes connect anew when they are
 * asked again. Returns whether the undo went out on any. */
bool redis_quorum_part(redis_quorum *quorum, const redis_request *undo, int64_t until);

/* How many make a majority. */
size_t redis_quorum_majority(const redis_quorum *quorum);

/* How many answered the last question with the number 1. */
size_t redis_quorum_ones(const redis_quorum *quorum);

/* The first error among these calls, one a node, if any; of several nodes, it says at which. */
void redis_quorum_error(const redis_quorum *quorum, const redis_call *calls, redis_error *error);

/* Gives the connections back. */
void redis_quorum_close(redis_quorum *quorum);

#endif

/* SPDX-License-Identifier: MIT
 *
 * redis/quorum: N servers asked the same thing at once, in one poll loop, under one deadline. One server is N = 1.
 */
#ifndef REDISLOCK_REDIS_QUORUM_H
#define REDISLOCK_REDIS_QUORUM_H

#include <stddef.h>

#include "redis/pool.h"

#define RL_MAX_NODES 16

typedef struct rl_quorum {
    rl_pool *pool; /* where the connections come from and go to */
    size_t count;
    int64_t node_timeout; /* µs; see rl_quorum_reply_deadline() */
    rl_conn *conns[RL_MAX_NODES];
    rl_call calls[RL_MAX_NODES]; /* the last question and its answers */
} rl_quorum;

/* Is the outcome certain, whatever the nodes say that have not answered yet? */
typedef bool (*rl_decided)(const rl_quorum *quorum, const void *arg);

/* Takes a connection to each endpoint; connects nothing yet. Ended by rl_quorum_close(). `count` is 1 to
 * RL_MAX_NODES. */
void rl_quorum_open(rl_quorum *quorum, rl_pool *pool, const rl_endpoint *endpoints, size_t count, int64_t node_timeout);

/* Makes the calls ready for a new question, the same to all; then each may be changed, before it is asked. */
void rl_quorum_prepare(rl_quorum *quorum, const rl_request *request);

/* Answers for the nodes that have not answered an earlier question for longer than node_timeout, or many, as
 * RL_UNREACHABLE: they are not asked, as long as the others are a majority. For what would have to be undone there. */
void rl_quorum_skip_silent(rl_quorum *quorum);

/* Sends what was prepared and waits until each node has answered, until `decided` (NULL: never) says that enough have,
 * until `until`, for as long as the nodes may take, or until the hook wants an end. Afterwards every call has either
 * `answered` set or an error of RL_TIMED_OUT, RL_UNREACHABLE or RL_INTERRUPTED; the latter are still open: see
 * rl_quorum_detach() and rl_quorum_close_after(). */
void rl_quorum_ask(rl_quorum *quorum, int64_t connect_by, int64_t until, const rl_hook *hook, rl_decided decided,
                   const void *arg);

/* Until when to wait for the nodes in `open`, which were sent something at `sent`; `until` is the longest. One node may
 * take all of that. Of several, each has node_timeout from then on, or from when its connection was made, if that is
 * later; where `enough` have answered, one that is still connecting is not waited for longer either. */
int64_t rl_quorum_reply_deadline(const rl_quorum *quorum, const bool *open, bool enough, int64_t sent, int64_t until);

/* Of several nodes, those that did not answer are not waited for any more, and keep their connection: what was sent to
 * them runs, when they come to it; what could not be sent yet goes out later if it `must_run`, see rl_call_detach().
 * Those whose answer was malformed are broken off. With one node nothing is done here. */
void rl_quorum_detach(rl_quorum *quorum, bool must_run);

/* Breaks off the nodes whose answer to the last question is missing or an error; what undoes the question, if not
 * NULL, is written behind it first (see rl_conn_close_after(), also for `until`). The nodes connect anew when they are
 * asked again. Returns whether the undo went out on any. */
bool rl_quorum_close_after(rl_quorum *quorum, const rl_request *undo, int64_t until);

/* How many make a majority. */
size_t rl_quorum_majority(const rl_quorum *quorum);

/* How many answered the last question with the number 1. */
size_t rl_quorum_count_ones(const rl_quorum *quorum);

/* The first error among these calls, one a node, if any; of several nodes, it says at which. */
void rl_quorum_error(const rl_quorum *quorum, const rl_call *calls, rl_error *error);

/* Gives the connections back. */
void rl_quorum_close(rl_quorum *quorum);

#endif

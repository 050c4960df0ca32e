/* SPDX-License-Identifier: MIT
 *
 * redis/quorum: asks N servers the same thing at once, in one poll loop, under one deadline. One server is N = 1.
 */
#ifndef REDISLOCK_REDIS_QUORUM_H
#define REDISLOCK_REDIS_QUORUM_H

#include <stddef.h>

#include "redis/pool.h"

#define RL_MAX_NODES 16

typedef struct rl_quorum {
    rl_pool *pool;                /* where the connections are taken from and given back to */
    size_t count;                 /* of nodes, from 1 to RL_MAX_NODES */
    int64_t node_timeout;         /* µs; see rl_quorum_reply_deadline() */
    rl_conn *conns[RL_MAX_NODES]; /* one for each node */
    rl_call calls[RL_MAX_NODES];  /* one for each node: the last request and its answer */
} rl_quorum;

/* Returns whether the outcome is certain, whatever the nodes will answer that have not answered yet. */
typedef bool (*rl_decided)(const rl_quorum *quorum, const void *arg);

/* Takes a connection to each endpoint from the pool; connects nothing yet. `count` is 1 to RL_MAX_NODES. The caller
 * ends with rl_quorum_close(). */
void rl_quorum_open(rl_quorum *quorum, rl_pool *pool, const rl_endpoint *endpoints, size_t count, int64_t node_timeout);

/* Resets the calls (see rl_call_reset()) and fills each of them with the request. The caller may then change the calls
 * one by one before it sends them with rl_quorum_ask(). */
void rl_quorum_prepare(rl_quorum *quorum, const rl_request *request);

/* Marks the prepared calls to silent nodes as answered by RL_UNREACHABLE, so that rl_quorum_ask() does not send them.
 * A node is silent if it has not answered an earlier request for longer than node_timeout, or many of them. Does so
 * only if the other nodes are a majority. This is for requests that would have to be undone at a silent node. */
void rl_quorum_skip_silent(rl_quorum *quorum);

/* Sends the prepared calls that are not marked as answered. Waits until every node has answered, `decided` (NULL:
 * never) says that enough have, the nodes' time is up (see rl_quorum_reply_deadline()), or the hook ends the wait.
 * Afterwards every call either has `answered` set, or has an error of RL_TIMED_OUT, RL_UNREACHABLE or RL_INTERRUPTED
 * and is still on its connection: see rl_quorum_detach() and rl_quorum_close_after(). */
void rl_quorum_ask(rl_quorum *quorum, int64_t connect_by, int64_t until, const rl_hook *hook, rl_decided decided,
                   const void *arg);

/* Returns until when to wait for the replies of the nodes in `open`, to which something was sent at `sent`; not later
 * than `until`. A single node has until `until`. Of several nodes, each has node_timeout from `sent`, or from when its
 * connection became ready, if that is later. A node that is still connecting has until `until`; but once `enough`
 * nodes have answered, it has only node_timeout from `sent`. */
int64_t rl_quorum_reply_deadline(const rl_quorum *quorum, const bool *open, bool enough, int64_t sent, int64_t until);

/* Detaches the calls without an answer, so that their connections can be kept. What was sent runs when the node comes
 * to it; what could not be sent yet goes out later if it `must_run`: see rl_call_detach(). Breaks the connections to
 * nodes whose answer was malformed. With a single node this does nothing. */
void rl_quorum_detach(rl_quorum *quorum, bool must_run);

/* Closes the connections to the nodes whose answer to the last request is missing or an error. Writes `undo`, if not
 * NULL, behind the request first: see rl_conn_close_after(), also for `until`. The connections are made anew when the
 * nodes are asked again. Returns whether the undo went out to any node. */
bool rl_quorum_close_after(rl_quorum *quorum, const rl_request *undo, int64_t until);

/* The number of nodes that make a majority. */
size_t rl_quorum_majority(const rl_quorum *quorum);

/* The number of nodes that answered the last request with the number 1. */
size_t rl_quorum_count_ones(const rl_quorum *quorum);

/* Copies the error that says most of those in `calls`, which has one call for each node, to `error`. Leaves `error`
 * alone if there is none. With several nodes, the text names the node. */
void rl_quorum_error(const rl_quorum *quorum, const rl_call *calls, rl_error *error);

/* Gives the connections back to the pool. A call that is still open breaks its connection. */
void rl_quorum_close(rl_quorum *quorum);

#endif

/* SPDX-License-Identifier: MIT
 *
 * redis/node: one connection to one server, never blocking: connect, log in, send, read.
 *
 * It is a pipeline: calls queue on it and are answered in order. redis_wait() drives any number of nodes at once;
 * nothing here waits anywhere else. Times are those of platform_now().
 */
#ifndef REDISLOCK_REDIS_NODE_H
#define REDISLOCK_REDIS_NODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "redis/backlog.h"
#include "redis/endpoint.h"
#include "redis/error.h"
#include "redis/pipeline.h"

/* What no reply to us comes near; a server that sends more is broken or hostile. */
#define REDIS_MAX_REPLY_BYTES    (1024 * 1024)
#define REDIS_MAX_REPLY_ELEMENTS 64 /* in all its arrays together */

/* Called whenever a wait wakes up, at least once a second: true ends the wait. May be NULL. */
typedef struct redis_hook {
    bool (*interrupted)(void *arg);
    void *arg;
} redis_hook;

/* What nodes did, counted by those that share it. */
typedef struct redis_traffic {
    uint64_t connections;
    uint64_t reconnects;     /* of the connections, those that replaced one that was lost */
    uint64_t script_reloads; /* scripts sent whole, since the server did not know them (any more) */
    uint64_t bytes_sent;
    uint64_t bytes_received;
} redis_traffic;

/* A node that is not connected yet; the endpoint is copied. `traffic` (NULL: nobody counts) and `backlog` (NULL: there is
 * none) must outlive it. Freed by redis_node_free(). */
redis_node *redis_node_new(const redis_endpoint *endpoint, redis_traffic *traffic, redis_backlog *backlog);

/* Closes the connection at once; calls that wait on it fail as REDIS_LOST. NULL is fine. */
void redis_node_free(redis_node *node);

const redis_endpoint *redis_node_endpoint(const redis_node *node);

/* Can be used by the next call: made by this process, connected or about to be, nothing heard of the server closing it,
 * and nothing owed to anybody who waits. What nobody waits for (see redis_call_disown()) is read first, if it has come;
 * a server that owes it for longer than 10 s is given up. */
bool redis_node_is_idle(redis_node *node);

/* The same as far as it is known without listening: may it be put by until somebody asks redis_node_is_idle()? */
bool redis_node_may_be_kept(const redis_node *node);

/* Since when requests go out at once; PLATFORM_NEVER while it is not connected and logged in. */
int64_t redis_node_ready_since(const redis_node *node);

/* Tells its connections apart: another number for each that is made, 0 while there is none. */
int64_t redis_node_connection(const redis_node *node);

/* Has this connection run the script, and so whoever is logged in there the right to it? */
bool redis_node_has_run(const redis_node *node, const redis_script *script);

/* Is connected, and owes an answer that nobody waits for since before `since`, or many. */
bool redis_node_is_behind(const redis_node *node, int64_t since);

/* Was made by another process, of which this is a fork: the socket is the parent's. */
bool redis_node_is_inherited(const redis_node *node);

/* Queues the call, behind what the backlog has for the endpoint, and sends it, unless others are to follow. Connects
 * first if need be, by `connect_by`: later than that, the node's calls fail as REDIS_UNREACHABLE. Name resolution happens
 * in here and is bound by no time. */
void redis_node_submit(redis_node *node, redis_call *call, int64_t connect_by);

/* Breaks the connection off: what waits on it fails with `kind` and `text`. */
void redis_node_break(redis_node *node, redis_failure kind, const char *text);

/* Writes a last request behind what is under way and closes, without waiting for replies. Redis runs both in order, also
 * when it comes to them later; but not what it has not read yet when it fails to write a reply. So this ends our half
 * of the connection and lets Redis end the other, until `until` at most. Where nothing was sent there is nothing to
 * undo, and nothing is written. The open calls fail as REDIS_LOST. Returns whether the request went out. */
bool redis_node_part(redis_node *node, const redis_request *last, int64_t until);

/* Takes the call off its node's hands without breaking the node off: what was sent runs, and its answer is dropped when
 * it comes. `must_run`: what was not sent yet still is, and what the server answers with "unknown script" is sent again;
 * otherwise it is not, or only if nothing that must run is behind it. A call that waits on no node is left as it is. */
void redis_call_disown(redis_call *call, bool must_run);

/* Queues a request whose answer nobody waits for. `connect_by`: see redis_node_submit(). The arguments are copied. */
void redis_node_tell(redis_node *node, const redis_request *request, int64_t connect_by);

/* Makes it one that was not submitted; `request` is not touched. */
void redis_call_init(redis_call *call);

/* Gives the call's reply back and takes it off its node's hands, so that it may be filled and submitted anew. A call
 * that was not answered yet breaks its node off, since the reply owed would meet another call. */
void redis_call_reset(redis_call *call);

typedef enum redis_woken {
    REDIS_WOKEN,      /* something happened on a node: look at the calls */
    REDIS_TIME_IS_UP, /* `until` has come */
    REDIS_HOOK_SAYS,  /* the hook wants the wait to end */
} redis_woken;

/* Waits until something happened on one of the nodes (NULLs among them are skipped), or until `until`. */
redis_woken redis_wait(redis_node *const *nodes, size_t count, int64_t until, const redis_hook *hook);

/* Says of a call that has no answer why: the time was up (REDIS_TIMED_OUT, or REDIS_UNREACHABLE where it was not even
 * sent) or the hook wanted an end (REDIS_INTERRUPTED). It stays on its node: see redis_node_part, redis_call_reset. */
void redis_call_give_up(redis_call *call, redis_woken woken);

/* Waits until the call is answered, or gives it up at `until` or when the hook wants an end. */
void redis_call_wait(redis_call *call, int64_t until, const redis_hook *hook);

#endif

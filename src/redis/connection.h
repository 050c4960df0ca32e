/* SPDX-License-Identifier: MIT
 *
 * redis/connection: one connection to one server, never blocking: connect, log in, send, read.
 *
 * It is a pipeline: calls queue on it and are answered in order. rl_wait() drives any number of connections at once;
 * nothing here waits anywhere else. Times are those of platform_now().
 */
#ifndef REDISLOCK_REDIS_CONNECTION_H
#define REDISLOCK_REDIS_CONNECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "redis/backlog.h"
#include "redis/endpoint.h"
#include "redis/error.h"
#include "redis/pipeline.h"

/* What no reply to us comes near; a server that sends more is broken or hostile. */
#define RL_MAX_REPLY_BYTES    (1024 * 1024)
#define RL_MAX_REPLY_ELEMENTS 64 /* in all its arrays together */

/* Called whenever a wait wakes up, at least once a second: true ends the wait. May be NULL. */
typedef struct rl_hook {
    bool (*interrupted)(void *arg);
    void *arg;
} rl_hook;

/* What connections did, counted by those that share it. */
typedef struct rl_traffic {
    uint64_t connections;
    uint64_t reconnects;     /* of the connections, those that replaced one that was lost */
    uint64_t script_reloads; /* scripts sent whole, since the server did not know them (any more) */
    uint64_t bytes_sent;
    uint64_t bytes_received;
} rl_traffic;

/* A connection that is not made yet; the endpoint is copied. `traffic` (NULL: nobody counts) and `backlog` (NULL: there is
 * none) must outlive it. Freed by rl_conn_free(). */
rl_conn *rl_conn_new(const rl_endpoint *endpoint, rl_traffic *traffic, rl_backlog *backlog);

/* Closes the connection at once; calls that wait on it fail as RL_LOST. NULL is fine. */
void rl_conn_free(rl_conn *conn);

const rl_endpoint *rl_conn_endpoint(const rl_conn *conn);

/* Can be used by the next call: made by this process, connected or about to be, nothing heard of the server closing it,
 * and nobody waits for a reply on it. Replies to detached calls (see rl_call_detach()) are read first, if they have come;
 * a server that owes one for longer than 10 s is given up. */
bool rl_conn_is_idle(rl_conn *conn);

/* The same as far as it is known without listening: may it be put by until somebody asks rl_conn_is_idle()? */
bool rl_conn_may_be_kept(const rl_conn *conn);

/* Since when requests go out at once; PLATFORM_NEVER while it is not connected and logged in. */
int64_t rl_conn_ready_since(const rl_conn *conn);

/* Tells its connections apart: another number for each that is made, 0 while there is none. */
int64_t rl_conn_generation(const rl_conn *conn);

/* Has this connection run the script, and so whoever is logged in there the right to it? */
bool rl_conn_has_run(const rl_conn *conn, const rl_script *script);

/* Is connected, and has had detached calls without a reply since before `since`, or many of them. */
bool rl_conn_is_behind(const rl_conn *conn, int64_t since);

/* Was made by another process, of which this is a fork: the socket is the parent's. */
bool rl_conn_is_inherited(const rl_conn *conn);

/* Queues the call, behind what the backlog has for the endpoint, and sends it, unless others are to follow. Connects
 * first if need be, by `connect_by`: later than that, its calls fail as RL_UNREACHABLE. Name resolution happens
 * in here and is bound by no time. */
void rl_conn_submit(rl_conn *conn, rl_call *call, int64_t connect_by);

/* Breaks the connection off: what waits on it fails with `kind` and `text`. */
void rl_conn_break(rl_conn *conn, rl_failure kind, const char *text);

/* Writes a last request behind what is under way and closes, without waiting for replies. Redis runs both in order, also
 * when it comes to them later; but not what it has not read yet when it fails to write a reply. So this ends our half
 * of the connection and lets Redis end the other, until `until` at most. Where nothing was sent there is nothing to
 * undo, and nothing is written. The open calls fail as RL_LOST. Returns whether the request went out. */
bool rl_conn_close_after(rl_conn *conn, const rl_request *last, int64_t until);

/* Takes the call off its connection's hands without breaking that off: what was sent runs, and its answer is dropped when
 * it comes. `must_run`: what was not sent yet still is, and what the server answers with "unknown script" is sent again;
 * otherwise it is not, or only if nothing that must run is behind it. A call that waits on no connection is left as it is. */
void rl_call_detach(rl_call *call, bool must_run);

/* Queues a request whose answer nobody waits for. `connect_by`: see rl_conn_submit(). The arguments are copied. */
void rl_conn_send_and_forget(rl_conn *conn, const rl_request *request, int64_t connect_by);

/* Makes it one that was not submitted; `request` is not touched. */
void rl_call_init(rl_call *call);

/* Gives the call's reply back and takes it off its connection's hands, so that it may be filled and submitted anew. A call
 * that was not answered yet breaks its connection off, since the reply that is still to come would meet another call. */
void rl_call_reset(rl_call *call);

typedef enum rl_wake {
    RL_WAKE_EVENT,    /* something happened on a connection: look at the calls */
    RL_WAKE_DEADLINE, /* `until` has come */
    RL_WAKE_HOOK,     /* the hook wants the wait to end */
} rl_wake;

/* Waits until something happened on one of the connections (NULLs among them are skipped), or until `until`. */
rl_wake rl_wait(rl_conn *const *conns, size_t count, int64_t until, const rl_hook *hook);

/* Says of a call that has no answer why: the time was up (RL_TIMED_OUT, or RL_UNREACHABLE where it was not even
 * sent) or the hook wanted an end (RL_INTERRUPTED). It stays on its connection: see rl_conn_close_after, rl_call_reset. */
void rl_call_give_up(rl_call *call, rl_wake woken);

/* Waits until the call is answered, or gives it up at `until` or when the hook wants an end. */
void rl_call_wait(rl_call *call, int64_t until, const rl_hook *hook);

#endif

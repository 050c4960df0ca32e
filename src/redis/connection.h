/* SPDX-License-Identifier: MIT
 *
 * redis/connection: one connection to one server. It connects, logs in, sends and reads without blocking.
 *
 * A connection is a pipeline: calls queue on it and are answered in order. rl_wait() drives several connections at
 * once. Only rl_wait() and rl_conn_close_after() wait, and name resolution blocks: see rl_conn_submit(). Times are
 * those of platform_now().
 */
#ifndef REDISLOCK_REDIS_CONNECTION_H
#define REDISLOCK_REDIS_CONNECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "metrics/metrics.h"
#include "redis/backlog.h"
#include "redis/cluster.h"
#include "redis/endpoint.h"
#include "redis/error.h"
#include "redis/pipeline.h"
#include "redis/route.h"

/* Limits that no genuine reply comes near. A server that exceeds them is broken or hostile, and its connection is
 * closed. */
#define RL_MAX_REPLY_BYTES    (1024 * 1024)
#define RL_MAX_REPLY_ELEMENTS 64 /* in all arrays of a reply together */

/* How long a connection with a router is used before that is asked again. */
#define RL_ROUTE_AGE PLATFORM_SEC

/* A wait for a server calls its hook whenever it wakes up, and after RL_HOOK_INTERVAL at the latest. A wait in the line of the
 * machine (lock/local) does so if the hook `is_silent`, and otherwise also sleeps for longer, until a signal wakes it. The hook
 * ends the wait by returning true. Both the hook and `interrupted` may be NULL. */
typedef struct rl_hook {
    bool (*interrupted)(void *arg);
    void *arg;
    bool is_silent; /* what it is asked for may come without a signal */
} rl_hook;

/* The longest that one poll() waits, and so the longest that a signal which arrives just before it goes unnoticed. */
#define RL_HOOK_INTERVAL PLATFORM_SEC

/* Counters of what connections did. Several connections may share them. */
typedef struct rl_traffic {
    uint64_t connections;    /* connections that were made, including the login */
    uint64_t reconnects;     /* connections that replaced one that was lost */
    uint64_t script_reloads; /* scripts sent with their text because the server did not know them */
    uint64_t bytes_sent;
    uint64_t bytes_received;
    const metrics_writer *metrics; /* where connections and scripts are counted once more; NULL: nowhere */
} rl_traffic;

/* Returns a connection that is not made yet. Copies the endpoint. `traffic` (NULL: nothing is counted) and `backlog`
 * (NULL: none) must outlive the connection. Freed by rl_conn_free(). */
rl_conn *rl_conn_new(const rl_endpoint *endpoint, rl_traffic *traffic, rl_backlog *backlog);

/* Lets the connection ask the router where it is to lead, each time that it is made. */
void rl_conn_route(rl_conn *conn, const rl_router *router);

/* Lets the connection lead to this node of a cluster. What the node says of slots is noted in the map, which must outlive the
 * connection; while that is in doubt, rl_conn_ask_slots() asks. */
void rl_conn_lead(rl_conn *conn, rl_cluster *cluster, const rl_destination *at);

/* The map; NULL: the connection leads to no cluster. */
rl_cluster *rl_conn_cluster(const rl_conn *conn);

/* Does the connection to a cluster lead to this node? */
bool rl_conn_leads_to(const rl_conn *conn, const rl_destination *at);

/* The id of that node in the map, as the caller has told last; 0: it has not. What the map has forgotten meanwhile, and learned
 * anew, has another id. */
void rl_conn_name_node(rl_conn *conn, uint64_t node);
uint64_t rl_conn_node(const rl_conn *conn);

/* Where it leads. */
const rl_destination *rl_conn_destination(const rl_conn *conn);

/* Of a connection to a cluster: asks for the map behind what was submitted last, without waiting for the answer, if the map
 * wants that. Not over a connection that has failed meanwhile, or was not begun. */
void rl_conn_ask_slots(rl_conn *conn, int64_t connect_by);

/* Submits the call behind ASKING: the node at which a slot arrives carries out only such a request about it. The script's text
 * goes with it, since a NOSCRIPT would use the ASKING up. */
void rl_conn_submit_asking(rl_conn *conn, rl_call *call, int64_t connect_by);

/* Sends what the backlog holds for the server, if anything, without waiting for the answer. Connects first if need be. */
void rl_conn_send_owed(rl_conn *conn, int64_t connect_by);

/* Takes replies of more than RL_MAX_REPLY_ELEMENTS, up to so many. */
void rl_conn_allow_elements(rl_conn *conn, size_t elements);

/* Closes the connection at once and frees it. The calls on it fail as in rl_conn_break(), with RL_LOST. NULL is
 * fine. */
void rl_conn_free(rl_conn *conn);

const rl_endpoint *rl_conn_endpoint(const rl_conn *conn);

/* Does the connection lead where one to this endpoint would, as the same user? It takes over the id of an endpoint that
 * is the same, so that it need not compare the two again. */
bool rl_conn_serves(rl_conn *conn, const rl_endpoint *endpoint);

/* Returns whether the next call can use the connection: this process made it, it is connected or connecting, the
 * server has not closed it as far as is known, and nobody waits for a reply on it. First reads the replies to detached
 * calls (see rl_call_detach()) that have come. A connection on which such a reply has been missing for more than 10 s,
 * or on which too many are missing, cannot be used. */
bool rl_conn_is_idle(rl_conn *conn);

/* As rl_conn_is_idle(), but without reading from the socket: may the connection be kept until rl_conn_is_idle()
 * decides? */
bool rl_conn_may_be_kept(const rl_conn *conn);

/* The time since when requests go out at once; PLATFORM_NEVER while the connection is not connected and logged in. */
int64_t rl_conn_ready_since(const rl_conn *conn);

/* Identifies the present connection to the server: each time it is made it gets another number. 0 while there is
 * none. */
int64_t rl_conn_generation(const rl_conn *conn);

/* Has the script run over the present connection without an error? Then the user that is logged in there has the right
 * to run it. */
bool rl_conn_has_run(const rl_conn *conn, const rl_script *script);

/* What the caller has learned of the present connection, for example of the rights of the user that is logged in: bits
 * that mean something to the caller alone. They are forgotten with the connection. */
unsigned rl_conn_notes(const rl_conn *conn);
void rl_conn_note(rl_conn *conn, unsigned what);

/* Is the connection ready, and has it either a detached call without a reply since before `since`, or many detached
 * calls without a reply? */
bool rl_conn_is_behind(const rl_conn *conn, int64_t since);

/* What is owed to the server, for which the connection holds a reference; NULL: it has no backlog. */
rl_backlog_server *rl_conn_backlog(const rl_conn *conn);

/* Has the connection a router? Then its server may be another one each time that it is made. */
bool rl_conn_is_routed(const rl_conn *conn);

/* Do two connections to the same endpoint, both of which are made, lead to different servers? */
bool rl_conn_parts_from(const rl_conn *conn, const rl_conn *other);

/* Was the connection made by another process, of which this one is a fork? Then the socket is the parent's. */
bool rl_conn_is_inherited(const rl_conn *conn);

/* Notes where the connection has found the hosts of its endpoint, and those that its router was told of. May resolve
 * names, which blocks: of hosts to which the router may lead in future. A connection that is not connected, or belongs to
 * another process, knows nothing: then false is returned. */
bool rl_conn_hosts(rl_conn *conn, rl_hosts *hosts);

/* Notes the same as far as it is known without resolving anything, also of a connection that is not connected any more: what
 * its router was told of hosts. */
void rl_conn_known_hosts(const rl_conn *conn, rl_hosts *hosts);

/* Queues the call and sends it, unless `call->corked` says that others follow. What the backlog holds for the endpoint
 * goes out before it. Connects first if need be: if the connection is not ready by `connect_by`, its calls fail as
 * RL_UNREACHABLE. While a connection is being made, the latest `connect_by` of its calls counts. Name resolution
 * happens in here, or, with a router, while the connection is waited for, unless the endpoint has an address; it blocks,
 * and no deadline bounds it.
 *
 * A connection whose server has said that it is not the master, or not at present, is made anew first: its host's name may
 * lead elsewhere now, or a router knows more. With a router, so is one whose server lacks its replicas (NOREPLICAS). And the
 * router is asked again when the last time was RL_ROUTE_AGE ago: a master that was replaced may not know it yet. If it leads
 * elsewhere, the connection is made anew. */
void rl_conn_submit(rl_conn *conn, rl_call *call, int64_t connect_by);

/* Breaks the connection: closes it, and lets the calls on it fail with `kind` and `text`. If the connection was not
 * ready, nothing of the calls was sent, so they fail as RL_UNREACHABLE instead, unless `kind` is RL_REFUSED. */
void rl_conn_break(rl_conn *conn, rl_failure kind, const char *text);

/* Writes a last request behind the calls under way and closes the connection, without waiting for their replies. Redis
 * runs all of them in order, even if it comes to them only later. But once it fails to write a reply, it does not run
 * what it has not read yet. So this shuts down only our half of the connection and waits for Redis to close the other,
 * until `until` at most. If the connection is not ready, nothing was sent and there is nothing to undo: nothing is
 * written. The open calls fail as in rl_conn_break(), with RL_LOST. Returns whether the request went out. */
bool rl_conn_close_after(rl_conn *conn, const rl_request *last, int64_t until);

/* Writes another request in front of that last one, which comes next. */
void rl_conn_write_behind(rl_conn *conn, const rl_request *request);

/* Takes the call off its connection without breaking that. A detached copy stays there in its place: what was sent
 * runs, and its reply is dropped when it comes. With `must_run`, what was not sent yet is still sent, and a script
 * that the server does not know is sent again. Without it, what was not sent yet is dropped, and an unknown script is
 * sent again only if no call that must run stands behind it. A call that is on no connection is left as it is. Returns
 * the copy, which is freed when it ends; NULL if there is none. */
rl_call *rl_call_detach(rl_call *call, bool must_run);

/* Makes the call and its detached copy each other's twin, as long as neither has ended: until the copy is freed, or
 * rl_call_reset() of the call, which must come before the call's memory is used for anything else. A twin that the call had
 * before is its twin no longer. */
void rl_call_pair(rl_call *call, rl_call *detached);

/* Submits a request as a detached call that must run. Copies the arguments. With `send_eval`, the script's text goes
 * with it; otherwise an unknown script is sent again, behind what was submitted since. For `connect_by` see
 * rl_conn_submit(). */
void rl_conn_send_and_forget(rl_conn *conn, const rl_request *request, bool send_eval, int64_t connect_by);

/* Initializes a call as one that was not submitted. Does not touch `request`. */
void rl_call_init(rl_call *call);

/* Frees the call's reply and takes the call off its connection, so that it can be filled and submitted again. If the
 * call has not been answered yet, this breaks the connection: the reply that is still to come would be taken for that
 * of another call. */
void rl_call_reset(rl_call *call);

struct pollfd;

typedef enum rl_wake {
    RL_WAKE_EVENT,    /* something happened on a connection: check the calls */
    RL_WAKE_DEADLINE, /* `until` has come */
    RL_WAKE_HOOK,     /* the hook wants the wait to end */
} rl_wake;

#define RL_MAX_WAIT_CONNS 255 /* as many as a session has */

/* Sends what is queued on the connections (RL_MAX_WAIT_CONNS at most; NULLs among them are skipped), then waits until something
 * happens on one of them, until `until`, or until the hook ends the wait. Without connections it just sleeps. */
rl_wake rl_wait(rl_conn *const *conns, size_t count, int64_t until, const rl_hook *hook);

/* The parts of rl_wait(), for a caller that polls other descriptors too. rl_poll_begin() fills the first elements of
 * `interests`, as poll() takes them; rl_poll_size() tells their number. NULLs among the connections are skipped. It returns
 * the time at which a connection needs attention even if nothing happens on its socket; PLATFORM_NEVER: none does. Behind
 * poll(), rl_poll_end() reads, sends, and goes on with connecting. It returns whether something happened: check the
 * calls. */
size_t rl_poll_size(rl_conn *const *conns, size_t count);
int64_t rl_poll_begin(rl_conn *const *conns, size_t count, struct pollfd *interests);
bool rl_poll_end(rl_conn *const *conns, size_t count, const struct pollfd *interests);

/* Sets the error of a call that has had no answer since `since`, according to what ended the wait: RL_INTERRUPTED for the hook,
 * otherwise RL_TIMED_OUT, or RL_UNREACHABLE if the call was not even sent. The call stays on its connection: see
 * rl_conn_close_after(), rl_call_detach() and rl_call_reset(). Does nothing to a call that is answered. */
void rl_call_give_up(rl_call *call, rl_wake woken, int64_t since);

/* Waits until the call is answered. Gives it up at `until`, or when the hook ends the wait. */
void rl_call_wait(rl_call *call, int64_t until, const rl_hook *hook);

#endif

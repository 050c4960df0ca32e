/* SPDX-License-Identifier: MIT
 *
 * redis/connection: see redis/connection.h. hiredis connects and parses. Sending, waiting and matching replies to calls
 * is done here, since hiredis' blocking calls retry EINTR for ever, apply their timeout to each system call, and serve
 * one server only.
 */
#include "redis/connection.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "invariant.h"
#include "platform/platform.h"
#include "platform/resolver.h"
#include "platform/sockets.h"
#include "redis/naming.h"
#include "redis/tls.h"

/* Only the connections of a single server are routed, of which a wait has two at most. */
#define MAX_INTERESTS (RL_MAX_WAIT_CONNS + 2 * RL_MAX_ROUTE_CONNS)

#define READ_SIZE (16 * 1024)

/* The pause before another connect() to a unix socket whose listen backlog is full: that fails at once instead of
 * waiting. */
#define LISTEN_QUEUE_PAUSE (2 * PLATFORM_MSEC)

/* How long a server may leave a detached call without a reply, and how many of them, before its connection is given
 * up. The limits are generous, since what the server has not read by then is lost, and with it the requests that undo
 * a lock. Undoing the lock over the next connection is no remedy: the server may read the undo there before it reads
 * the request that takes the lock here. */
#define DETACHED_MAX_AGE (10 * PLATFORM_SEC)
#define DETACHED_MAX     4096

/* With more detached calls than this, a connection is behind: see rl_conn_is_behind(). This many requests, with the
 * scripts that they carry, fit into the 16 kB that Redis reads at once. So it runs all of them before it notices that
 * the client has gone. */
#define DETACHED_MANY 16

/* The reply to ROLE has four elements for each replica. */
#define MAX_ROLE_ELEMENTS 4096

/* The reply to CLUSTER SLOTS, where each slot is a piece of the map by itself: some seven elements, and some hundred bytes, for
 * each node that has it. */
#define MAX_SLOTS_ELEMENTS (1024 * 1024)
#define MAX_SLOTS_BYTES    (16 * 1024 * 1024)

/* How long the router is asked at most whether a connection that is kept still leads to the right server. If it cannot be
 * asked, locks go on as far as they can. */
#define ROUTE_CHECK_TIME (100 * PLATFORM_MSEC)

/* Most answers come at once. So a lone connection is first read from without poll(), by a recv() that waits at most
 * this long. Only an answer that does not come in this time is waited for with poll(). */
#define READ_WAIT (10 * PLATFORM_MSEC)

typedef enum conn_state {
    CONN_DOWN,       /* not connected */
    CONN_PAUSING,    /* not connected; connects again at `retry_at` */
    CONN_ROUTING,    /* the router looks for the server; not connected, or so far to where it led before */
    CONN_CONNECTING, /* connect() is under way, until the socket can be written to */
    CONN_SECURING,   /* the TLS handshake is under way */
    CONN_LOGGING_IN, /* the replies to what is in `login_pending` are awaited */
    CONN_READY,      /* connected and logged in: requests go out at once */
} conn_state;

/* The requests of a login, in their order. */
typedef enum login_step {
    LOGIN_AUTH = 1,
    LOGIN_SELECT = 2,
    LOGIN_ROLE = 4, /* of a routed connection: is it the master? */
} login_step;

#if HIREDIS_MAJOR >= 1
typedef size_t reader_elements;
#else
typedef int reader_elements;
#endif
typedef void *(*reader_create_array)(const redisReadTask *, reader_elements);

struct rl_conn {
    rl_endpoint endpoint;
    const rl_router *router; /* NULL: the endpoint names the server */
    rl_route *route;         /* NULL: nothing was asked so far */
    int64_t routed_at;       /* when the router was asked last */
    rl_cluster *cluster;     /* the map of the cluster of which the server is a node; NULL: it is of none */
    rl_destination found;    /* where the router leads, or which node; the host is "" before it is known */
    uint64_t node;           /* see rl_conn_name_node() */
    rl_hosts hosts;          /* those that the router was told of when it was asked last */
    int64_t route_by;        /* until when it may look for the server */
    bool is_stale;           /* the server is not the one that was looked for: see rl_conn_submit() */
    conn_state state;
    redisContext *context;               /* owns the socket; NULL: there is none */
    redisReplyObjectFunctions functions; /* hiredis' own, except that bounded_array() makes arrays */
    reader_create_array create_array;    /* hiredis' own function, which bounded_array() calls */
    int64_t process;                     /* of the process that made the connection */
    int64_t connect_by;                  /* until when the connection must be ready, while it is being made */
    int64_t retry_at;                    /* while CONN_PAUSING: when to connect again */
    int64_t connected_at;                /* when the socket was opened; 0: there is none. See rl_conn_generation() */
    int64_t ready_since;                 /* valid while CONN_READY */
    unsigned login_pending;              /* while CONN_LOGGING_IN: set of login_step whose replies are still to come */
    rl_tls *tls;                         /* NULL: no TLS, or no session yet */
    rl_buffer plain;                     /* with TLS: holds one request while it is encrypted */
    rl_buffer out;                       /* bytes to send; the first `out_sent` of them have been sent */
    size_t out_sent;                     /* how many bytes of `out` the socket has taken */
    rl_pipeline calls;                   /* calls without an answer; before CONN_READY they are not written either */
    size_t partial_reply_bytes;          /* bytes received since the last complete reply */
    size_t partial_reply_elements;       /* array elements announced since the last complete reply */
    size_t most_elements;                /* how many of them are taken */
    bool has_answered;                   /* a call was answered over the present connection */
    bool was_ready;                      /* was ready at some time, so the next connection replaces one */
    bool may_read_waiting;               /* the socket has a receive timeout of READ_WAIT */
    rl_traffic *traffic;                 /* never NULL */
    rl_traffic own_traffic;              /* what `traffic` points to if the caller gave none */
    rl_backlog_server *backlog;          /* what is owed to the server; NULL: nothing ever is */
    uint64_t preloaded;                  /* set of scripts sent for rl_request.preload over the present connection */
    uint64_t ran;                        /* set of scripts that ran without an error over the present connection */
    bool lacks_evalsha;                  /* the server has only EVAL, as far as the present connection knows */
    unsigned notes;                      /* see rl_conn_note() */
    uint64_t named_at;                   /* see rl_naming_server(); 0: not logged in so far, or nobody has a name */
};

rl_conn *rl_conn_new(const rl_endpoint *endpoint, rl_traffic *traffic, rl_backlog *backlog)
{
    rl_conn *conn = platform_zalloc(sizeof(*conn));

    rl_endpoint_copy(&conn->endpoint, endpoint);
    conn->traffic = traffic != NULL ? traffic : &conn->own_traffic;
    conn->backlog = backlog != NULL ? rl_backlog_join(backlog, endpoint) : NULL;
    conn->process = platform_process();
    conn->most_elements = RL_MAX_REPLY_ELEMENTS;
    return conn;
}

void rl_conn_route(rl_conn *conn, const rl_router *router)
{
    RL_INVARIANT(conn->state == CONN_DOWN && conn->calls.first == NULL);
    conn->router = router;
}

void rl_conn_lead(rl_conn *conn, rl_cluster *cluster, const rl_destination *at)
{
    RL_INVARIANT(conn->state == CONN_DOWN && conn->calls.first == NULL);
    conn->cluster = cluster;
    rl_cluster_count_lead(cluster, 1);
    conn->found = *at;
}

rl_cluster *rl_conn_cluster(const rl_conn *conn)
{
    return conn->cluster;
}

const rl_destination *rl_conn_destination(const rl_conn *conn)
{
    return &conn->found;
}

void rl_conn_name_node(rl_conn *conn, uint64_t node)
{
    conn->node = node;
}

uint64_t rl_conn_node(const rl_conn *conn)
{
    return conn->node;
}

bool rl_conn_leads_to(const rl_conn *conn, const rl_destination *at)
{
    return rl_destination_same(&conn->found, at);
}

void rl_conn_allow_elements(rl_conn *conn, size_t elements)
{
    conn->most_elements = elements;
}

const rl_endpoint *rl_conn_endpoint(const rl_conn *conn)
{
    return &conn->endpoint;
}

/* Have both the same address, or none? A connection to where a server was before does not lead to where it is now. Of
 * endpoints with sentinels or seeds, `a` must know all hosts that `b` knows. */
static bool is_same_address(const rl_endpoint *a, const rl_endpoint *b)
{
    if (a->seeds != NULL && b->seeds != NULL && b->seeds->hosts != NULL) {
        return rl_endpoint_is_current(a, b->seeds->hosts);
    }
    if (a->sentinels != NULL && b->sentinels != NULL && b->sentinels->hosts != NULL) {
        return rl_endpoint_is_current(a, b->sentinels->hosts);
    }
    return a->address == NULL || b->address == NULL ? a->address == b->address : strcmp(a->address, b->address) == 0;
}

bool rl_conn_serves(rl_conn *conn, const rl_endpoint *endpoint)
{
    if (!is_same_address(&conn->endpoint, endpoint)) {
        return false;
    }
    if (conn->endpoint.id == endpoint->id) {
        return true;
    }
    if (!rl_endpoint_same(&conn->endpoint, endpoint)) {
        return false;
    }
    conn->endpoint.id = endpoint->id;
    return true;
}

bool rl_conn_is_inherited(const rl_conn *conn)
{
    return conn->process != platform_process();
}

bool rl_conn_is_routed(const rl_conn *conn)
{
    return conn->router != NULL;
}

/* Does the endpoint not name the server? */
static bool is_found(const rl_conn *conn)
{
    return conn->router != NULL || conn->cluster != NULL;
}

/* The host to connect to, as it is called. */
static const char *conn_host(const rl_conn *conn)
{
    return is_found(conn) ? conn->found.host : conn->endpoint.host;
}

static int conn_port(const rl_conn *conn)
{
    return is_found(conn) ? conn->found.port : conn->endpoint.port;
}

/* Writes the numeric address of the server that the connection leads to. Returns false if there is none. */
static bool conn_address(const rl_conn *conn, char out[RL_ADDRESS_SIZE])
{
    struct sockaddr_storage peer;
    socklen_t peer_size = sizeof(peer);

    return conn->context != NULL && conn->endpoint.path == NULL && !rl_conn_is_inherited(conn) &&
           getpeername(conn->context->fd, (struct sockaddr *)&peer, &peer_size) == 0 &&
           getnameinfo((struct sockaddr *)&peer, peer_size, out, RL_ADDRESS_SIZE, NULL, 0, NI_NUMERICHOST) == 0;
}

/* A server may be named differently by different sentinels: by its host's name, and by its address. */
bool rl_conn_parts_from(const rl_conn *conn, const rl_conn *other)
{
    char one[RL_ADDRESS_SIZE], two[RL_ADDRESS_SIZE];

    if (conn->state != CONN_READY || other->state != CONN_READY) {
        return false;
    }
    if (conn->found.port != other->found.port) {
        return true;
    }
    return !rl_destination_same(&conn->found, &other->found) &&
           !(conn_address(conn, one) && conn_address(other, two) && strcmp(one, two) == 0);
}

void rl_conn_known_hosts(const rl_conn *conn, rl_hosts *hosts)
{
    char address[RL_ADDRESS_SIZE];

    rl_hosts_note_all(hosts, &conn->hosts);
    if (conn_address(conn, address)) {
        rl_hosts_note(hosts, conn_host(conn), address);
    }
}

bool rl_conn_hosts(rl_conn *conn, rl_hosts *hosts)
{
    char address[RL_ADDRESS_SIZE];

    if (!conn_address(conn, address)) {
        return false;
    }
    rl_hosts_resolve(&conn->hosts);
    rl_hosts_note_all(hosts, &conn->hosts);
    rl_hosts_note(hosts, conn_host(conn), address);
    return true;
}

/* ---- calls ---- */

/* Returns an error that is not a server's, so that it has no code. */
static rl_error failure(rl_failure kind, const char *text)
{
    rl_error error = {.kind = kind};

    snprintf(error.text, sizeof(error.text), "%s", text);
    return error;
}

/* The copy goes on as the call would, also behind ASKING if it was not written yet. */
rl_call *rl_call_detach(rl_call *call, bool must_run)
{
    rl_conn *conn = call->conn;
    rl_call *detached = NULL;

    if (conn != NULL) {
        bool goes_on = must_run || conn->state == CONN_READY;
        detached = goes_on ? rl_detached_call_new(&call->request, call->send_eval, must_run) : NULL;
        RL_INVARIANT(conn->state != CONN_READY || detached != NULL); /* R1 */
        rl_pipeline_replace(&conn->calls, call, detached);
    }
    if (detached != NULL) {
        detached->asking = call->asking;
        detached->went_alone = call->went_alone;
    }
    return detached;
}

static void call_unpair(rl_call *call)
{
    if (call->twin != NULL) {
        call->twin->twin = NULL;
        call->twin = NULL;
    }
}

void rl_call_pair(rl_call *call, rl_call *detached)
{
    RL_INVARIANT(detached->detached && detached->twin == NULL);
    call_unpair(call);
    call->twin = detached;
    detached->twin = call;
}

void rl_call_init(rl_call *call)
{
    call->conn = NULL;
    call->next = NULL;
    call->twin = NULL;
    call->reply = NULL;
    call->answered = call->repeated = call->detached = false;
    call->learns = RL_LEARNS_NOTHING;
    call->send_eval = call->corked = call->is_guess = call->asking = call->went_alone = false;
    call->lane = call->followed = 0;
    call->error.kind = RL_OK;
}

void rl_call_reset(rl_call *call)
{
    if (call->conn != NULL) {
        rl_conn_break(call->conn, RL_LOST, "the call was given up");
    }
    if (call->reply != NULL) {
        freeReplyObject(call->reply);
    }
    call_unpair(call);
    rl_call_init(call);
}

/* ---- connecting ---- */

static void conn_end_route(rl_conn *conn)
{
    if (conn->route != NULL) {
        conn->router->close(conn->route);
        conn->route = NULL;
    }
}

/* Closes the socket, if there is one, and resets what belongs to it. The calls stay queued. Nothing is sent, not even
 * QUIT, since after a fork the socket may be the parent's. The route is kept, so that the router asks over the same connections
 * again. */
static void conn_close(rl_conn *conn)
{
    if (conn->context != NULL) {
        redisFree(conn->context);
        conn->context = NULL;
    }
    rl_tls_free(conn->tls);
    conn->tls = NULL;
    conn->state = CONN_DOWN;
    conn->is_stale = false;
    conn->has_answered = false;
    conn->connected_at = 0;
    conn->partial_reply_bytes = conn->partial_reply_elements = 0;
    conn->preloaded = conn->ran = 0;
    conn->lacks_evalsha = false;
    conn->notes = 0;
    conn->out.len = 0;
    conn->out_sent = 0;
}

/* Returns the failure of the calls on a connection that fails with `kind`. Before the connection is ready, no call was
 * sent and so none can have run. */
static rl_failure before_sending(const rl_conn *conn, rl_failure kind)
{
    return conn->state == CONN_READY || kind == RL_REFUSED ? kind : RL_UNREACHABLE;
}

/* Learns the map from the answer to CLUSTER SLOTS, and what that calls the node. The address of the other name stays known. */
static void learn_map(rl_conn *conn, const rl_call *call)
{
    char address[RL_ADDRESS_SIZE] = "";
    rl_destination at = conn->found;

    conn_address(conn, address);
    rl_cluster_learn_slots(conn->cluster, call->reply, &at, address, call->detached_at);
    if (!rl_destination_same(&at, &conn->found)) {
        rl_hosts_note(&conn->hosts, conn->found.host, address);
        conn->found = at;
    }
}

/* Reads the answer to CLUSTER SLOTS. Only a lost one is asked for again. */
static void learn_slots(rl_conn *conn, const rl_call *call)
{
    if (call->error.kind == RL_OK) {
        learn_map(conn, call);
    } else if (rl_error_is_transient(&call->error)) {
        rl_cluster_note_lost(conn->cluster);
    } else {
        rl_cluster_note_refused(conn->cluster, strstr(call->error.text, "cluster support disabled") != NULL);
    }
}

/* Tells whether the server has taken the connection's name. Any error but one that passes is a refusal; if a password is
 * needed, nobody has looked at the name. */
static void tell_named(const rl_conn *conn, const rl_call *call)
{
    rl_naming_outcome outcome = RL_NAME_REFUSED;

    if (call->error.kind == RL_OK) {
        outcome = RL_NAME_TAKEN;
    } else if (call->error.kind == RL_REFUSED || rl_error_is_transient(&call->error)) {
        outcome = RL_NAME_UNANSWERED;
    }
    rl_naming_tell(conn->named_at, outcome);
}

/* Frees a detached call that has ended. Reports its outcome to the backlog first. */
static void detached_call_end(rl_conn *conn, rl_call *call)
{
    RL_INVARIANT(call->detached && call->conn == NULL);
    if (call->learns == RL_LEARNS_SLOTS) {
        learn_slots(conn, call);
    } else if (call->learns == RL_LEARNS_NAMED) {
        tell_named(conn, call);
    }
    if (call->owes != NULL && conn->cluster != NULL && rl_error_is_ask(&call->error)) {
        rl_cluster_note_owed(conn->cluster);
    }
    rl_backlog_report(call, is_found(conn) ? &conn->found : NULL);
    call_unpair(call);
    freeReplyObject(call->reply);
    free(call);
}

/* Adds to the error the server that the router has found, which the endpoint does not name. */
static void name_found(const rl_conn *conn, rl_error *error)
{
    char why[sizeof(error->text)];

    if (conn->found.host[0] != '\0') {
        memcpy(why, error->text, sizeof(why));
        snprintf(error->text, sizeof(error->text), "%.80s:%d: %.140s", conn->found.host, conn->found.port, why);
    }
}

/* Notes that the node of a cluster does not answer, or not as the master of a slot. */
static void note_failed(const rl_conn *conn)
{
    if (conn->cluster != NULL) {
        rl_cluster_note_failed(conn->cluster, &conn->found);
    }
}

/* Notes that the node of a cluster was given up, as it has not answered since then, or the connection was not made in time. */
static void note_silent(const rl_conn *conn, int64_t since)
{
    if (conn->cluster != NULL) {
        rl_cluster_note_silent(conn->cluster, &conn->found, since);
    }
}

/* Is the reply from which this is learned the one that comes next? */
static bool awaits(const rl_conn *conn, rl_learns what)
{
    return conn->calls.first != NULL && conn->calls.first->learns == what;
}

/* Notes that the server has closed the connection. One that has answered before may do so for many reasons: the next connection
 * tells. */
static void note_closed(const rl_conn *conn)
{
    if (!conn->has_answered) {
        note_failed(conn);
        rl_naming_tell(conn->named_at, awaits(conn, RL_LEARNS_NAMED) ? RL_NAME_CLOSED : RL_NAME_CLOSED_WITHOUT);
    }
}

/* Closes the connection, and lets the calls on it fail with this error, as rl_conn_break() does. before_sending() comes
 * first, since it needs the state that conn_close() resets. */
static void conn_fail(rl_conn *conn, rl_error error)
{
    if (error.kind == RL_UNREACHABLE) {
        note_failed(conn);
    }
    error.kind = before_sending(conn, error.kind);
    name_found(conn, &error);
    conn_close(conn);
    for (rl_call *call; (call = rl_pipeline_shift(&conn->calls)) != NULL;) {
        call->error = error;
        call->answered = true;
        if (call->detached) {
            detached_call_end(conn, call);
        }
    }
    RL_INVARIANT(conn->state == CONN_DOWN && conn->calls.first == NULL);
}

void rl_conn_break(rl_conn *conn, rl_failure kind, const char *text)
{
    conn_fail(conn, failure(kind, text));
}

/* As rl_conn_break(), with what the system says of the problem. */
static void conn_break_by_system(rl_conn *conn, rl_failure kind, int problem)
{
    char buf[256];

    note_closed(conn);
    rl_conn_break(conn, kind, platform_strerror(problem, buf, sizeof(buf)));
}

/* The calls end first, since they may report to the map or the backlog. */
void rl_conn_free(rl_conn *conn)
{
    if (conn == NULL) {
        return;
    }
    rl_conn_break(conn, RL_LOST, "the connection was closed");
    conn_end_route(conn);
    if (conn->cluster != NULL) {
        rl_cluster_count_lead(conn->cluster, -1);
    }
    rl_hosts_free(&conn->hosts);
    rl_buffer_free(&conn->plain);
    rl_buffer_free(&conn->out);
    rl_backlog_leave(conn->backlog);
    rl_endpoint_free(&conn->endpoint);
    free(conn);
}

/* Is the reply that comes next the map of a cluster? No other one may be as long. */
static bool conn_awaits_slots(const rl_conn *conn)
{
    return conn->state == CONN_READY && awaits(conn, RL_LEARNS_SLOTS);
}

static size_t conn_most_elements(const rl_conn *conn)
{
    if (conn->state == CONN_LOGGING_IN) {
        return MAX_ROLE_ELEMENTS;
    }
    return conn_awaits_slots(conn) ? MAX_SLOTS_ELEMENTS : conn->most_elements;
}

/* Makes an array for hiredis' reader, or returns NULL, which breaks the connection, if the reply has too many
 * elements. */
static void *bounded_array(const redisReadTask *task, reader_elements elements)
{
    rl_conn *conn = task->privdata;

    RL_INVARIANT(conn->partial_reply_elements <= conn_most_elements(conn)); /* R12 */
    if ((size_t)elements > conn_most_elements(conn) - conn->partial_reply_elements) {
        return NULL;
    }
    conn->partial_reply_elements += (size_t)elements;
    return conn->create_array(task, elements);
}

/* Limits the elements of a reply. hiredis 0.14 has no limit on them, newer versions have one
 * of 2^32. Either allocates the array before its first element has arrived, in whatever size a hostile server
 * announces. */
static void bound_replies(rl_conn *conn)
{
    redisReader *reader = conn->context->reader;

    conn->functions = *reader->fn;
    conn->create_array = conn->functions.createArray;
    conn->functions.createArray = bounded_array;
    reader->fn = &conn->functions;
    reader->privdata = conn;
}

/* Sets the options of a new socket. No failure is reported: a socket without a receive timeout is just never read from
 * in a blocking way. */
static void set_socket_options(rl_conn *conn)
{
    bool is_tcp = conn->endpoint.path == NULL;

    conn->may_read_waiting = sockets_set_up(conn->context->fd, is_tcp, READ_WAIT);
    if (is_tcp) {
        redisEnableKeepAlive(conn->context); /* so that a peer that has vanished ends a long wait */
    }
}

static void conn_send(rl_conn *conn);

/* Appends the request to the bytes to send. Its script's text goes with it if it asks for that, and no earlier one on
 * the connection has brought it. A TLS session that is broken is not noticed here, but by the next read. */
static void conn_write(rl_conn *conn, const rl_request *request, bool send_eval)
{
    RL_INVARIANT(!rl_conn_is_inherited(conn)); /* R5 */
    send_eval |= conn->lacks_evalsha;
    if (request->preload) {
        RL_INVARIANT(request->script != NULL);
        send_eval |= (conn->preloaded & request->script->bit) == 0;
        conn->preloaded |= request->script->bit;
    }
    if (conn->tls == NULL) {
        rl_buffer_request(&conn->out, request, send_eval);
        return;
    }
    conn->plain.len = 0;
    rl_buffer_request(&conn->plain, request, send_eval);
    rl_tls_seal(conn->tls, conn->plain.at, conn->plain.len, &conn->out);
}

/* Does something go out in place of the request? While its slot moves, that is what stands in for it, if there is such a thing.
 * Behind ASKING, the slot moves. */
static bool goes_alone(const rl_conn *conn, const rl_request *request, bool asking)
{
    return conn->cluster != NULL && request->alone != NULL &&
           (asking || (rl_cluster_is(conn->cluster, RL_MAP_MOVING) &&
                       rl_cluster_is_moving(conn->cluster, rl_request_key(request))));
}

/* Writes what stands in for the request. */
static PLATFORM_NOINLINE void conn_write_alone(rl_conn *conn, const rl_request *request, bool send_eval)
{
    rl_request alone;

    rl_request_stand_in(request, &alone);
    conn_write(conn, &alone, send_eval);
}

/* Writes the request, in the form that the slot allows. */
static void conn_write_form(rl_conn *conn, const rl_request *request, bool alone, bool send_eval)
{
    if (alone) {
        conn_write_alone(conn, request, send_eval);
    } else {
        conn_write(conn, request, send_eval);
    }
}

/* Writes ASKING, which lets the next request run at the node where its slot arrives. */
static void conn_push_asking(rl_conn *conn)
{
    rl_request request;

    RL_INVARIANT(conn->state == CONN_READY); /* R3 */
    rl_request_begin(&request, NULL);
    rl_request_add(&request, RL_LITERAL("ASKING"));
    rl_pipeline_push(&conn->calls, conn, rl_detached_call_new(&request, false, true));
    conn_write(conn, &request, false);
}

/* Queues the call behind the others. Writes it too if the connection is ready; otherwise conn_ready() does that
 * later. Nothing may come between an ASKING and its request: it would let another one run. */
static void conn_push(rl_conn *conn, rl_call *call)
{
    if (conn->state != CONN_READY) {
        rl_pipeline_push(&conn->calls, conn, call);
        return;
    }
    if (call->asking) {
        conn_push_asking(conn);
    }
    rl_pipeline_push(&conn->calls, conn, call);
    call->went_alone = goes_alone(conn, &call->request, call->asking);
    conn_write_form(conn, &call->request, call->went_alone, call->send_eval);
}

/* Has the node of a cluster just been named for the key by an ASK, so that it runs requests about it behind ASKING? */
static bool is_asked_here(const rl_conn *conn, rl_bytes key)
{
    return conn->cluster != NULL && rl_cluster_has_asked(conn->cluster, key, &conn->found);
}

/* May what is owed about the key be sent to this server, which the endpoint does not name? A node of a cluster must serve the
 * key, as far as is known. While the key's slot moves, it refuses undos with keys that it lacks. */
static bool fits_here(const void *arg, rl_bytes key, const rl_destination *ran_at)
{
    const rl_conn *conn = arg;

    if (ran_at != NULL && rl_destination_same(ran_at, &conn->found) &&
        !(conn->cluster != NULL && rl_cluster_is_moving(conn->cluster, key))) {
        return false;
    }
    return conn->cluster == NULL || is_asked_here(conn, key) ||
           rl_cluster_may_serve(conn->cluster, rl_slot_of(key), &conn->found);
}

/* Queues what the backlog holds for the server, if the connection is ready. Before that, what is taken out of the
 * backlog for an unreachable server would be put back again. */
static void conn_push_backlog(rl_conn *conn)
{
    rl_backlog_server *backlog = conn->state == CONN_READY ? conn->backlog : NULL;
    rl_call *call;

    while (backlog != NULL && (call = rl_backlog_next(backlog, is_found(conn) ? fits_here : NULL, conn)) != NULL) {
        call->asking = call->send_eval = is_asked_here(conn, rl_request_key(&call->request));
        conn_push(conn, call);
    }
}

/* Makes the connection ready: writes and sends `first` (NULL: nothing), what the backlog holds for the endpoint, then the calls
 * that were queued so far, in their order. Sending may break the connection. */
static void conn_go_on(rl_conn *conn, rl_call *first)
{
    rl_pipeline waiting = conn->calls;
    rl_call *call;

    RL_INVARIANT(conn->context != NULL && conn->login_pending == 0);
    conn->state = CONN_READY;
    conn->ready_since = platform_now();
    conn->calls = (rl_pipeline){0};
    if (first != NULL) {
        conn_push(conn, first);
    }
    conn_push_backlog(conn);
    while ((call = rl_pipeline_shift(&waiting)) != NULL) {
        conn_push(conn, call);
    }
    conn_send(conn);
}

/* May all calls that wait for the connection be sent again? */
static bool conn_may_repeat_all(const rl_conn *conn)
{
    const rl_call *call = conn->calls.first;

    while (call != NULL && !call->request.once) {
        call = call->next;
    }
    return call == NULL;
}

/* Returns a detached call that names the connection; NULL: it is to have no name. */
static rl_call *conn_name(rl_conn *conn)
{
    char name[RL_NAME_SIZE];
    rl_request request;

    conn->named_at = rl_naming_server(&conn->endpoint, conn_host(conn), conn_port(conn));
    if (!rl_naming_wants(conn->named_at, conn_may_repeat_all(conn))) {
        return NULL;
    }
    rl_request_begin(&request, NULL);
    rl_request_add(&request, RL_LITERAL("CLIENT"));
    rl_request_add(&request, RL_LITERAL("SETNAME"));
    rl_request_add(&request, rl_naming_name(name));
    rl_call *call = rl_detached_call_new(&request, false, false);
    call->learns = RL_LEARNS_NAMED;
    return call;
}

/* Called when the connection is logged in. The name goes first: a proxy that closes the connection at it has then passed on
 * nothing else, so that the requests behind it are sent again without harm. */
static void conn_ready(rl_conn *conn)
{
    conn->traffic->connections++;
    metrics_add_overall(conn->traffic->metrics, METRICS_CONNECTIONS);
    if (conn->was_ready) {
        conn->traffic->reconnects++;
        metrics_add_overall(conn->traffic->metrics, METRICS_RECONNECTS);
    }
    conn->was_ready = true;
    conn_go_on(conn, conn_name(conn));
}

/* Sends AUTH and SELECT, as far as the endpoint needs them, and ROLE if a router has led here; without any, the connection is
 * ready. Nothing else goes out before all are granted: it would run as another user, in another database, or on a server that
 * follows the one that is meant. */
static void conn_log_in(rl_conn *conn)
{
    const rl_endpoint *endpoint = &conn->endpoint;
    char digits[24];

    RL_INVARIANT(conn->endpoint.tls == (conn->tls != NULL) && (conn->tls != NULL || conn->out.len == 0)); /* R3 */
    conn->login_pending = 0;
    if (endpoint->password != NULL) {
        rl_request auth = {0};
        rl_request_add(&auth, RL_LITERAL("AUTH"));
        if (endpoint->username != NULL) {
            rl_request_add(&auth, (rl_bytes){endpoint->username, strlen(endpoint->username)});
        }
        rl_request_add(&auth, (rl_bytes){endpoint->password, endpoint->password_len});
        conn_write(conn, &auth, false);
        conn->login_pending |= LOGIN_AUTH;
    }
    if (endpoint->database != 0) {
        rl_request select = {0};
        rl_request_add(&select, RL_LITERAL("SELECT"));
        rl_request_add_number(&select, endpoint->database, digits);
        conn_write(conn, &select, false);
        conn->login_pending |= LOGIN_SELECT;
    }
    if (conn->router != NULL) {
        rl_request role = {0};
        rl_request_add(&role, RL_LITERAL("ROLE"));
        conn_write(conn, &role, false);
        conn->login_pending |= LOGIN_ROLE;
    }
    if (conn->login_pending == 0) {
        conn_ready(conn);
        return;
    }
    conn->state = CONN_LOGGING_IN;
    conn_send(conn);
}

/* Is this a reply to that request of the login, an error apart? */
static bool is_login_reply(login_step step, const redisReply *reply)
{
    if (step != LOGIN_ROLE) {
        return reply->type == REDIS_REPLY_STATUS;
    }
    return reply->type == REDIS_REPLY_ARRAY && reply->elements > 0 && reply->element[0]->type == REDIS_REPLY_STRING;
}

/* Makes the error of a refused login. Of an error reply only the first word is kept: its text may repeat what we sent,
 * including the password. */
static rl_error login_error(const rl_conn *conn, login_step step, const redisReply *reply)
{
    rl_error error;

    rl_error_from_reply(&error, reply->str);
    if (step == LOGIN_AUTH) {
        snprintf(error.text, sizeof(error.text), "the login was refused (%s)", error.code);
    } else if (strcmp(error.code, "NOAUTH") == 0) {
        snprintf(error.text, sizeof(error.text), "a password is needed (NOAUTH)");
    } else if (step == LOGIN_SELECT) {
        bool of_cluster = conn->endpoint.seeds != NULL && strcmp(error.code, "ERR") == 0;
        snprintf(error.text, sizeof(error.text), "database %ld was refused (%s)%s", conn->endpoint.database, error.code,
                 of_cluster ? ": a cluster mostly has database 0 alone" : "");
    }
    error.kind = RL_REFUSED;
    return error;
}

/* Is this a refusal of ROLE alone, which the user may have no right to? Then a READONLY will tell whether the server is a
 * replica. */
static bool lacks_role_only(const redisReply *reply)
{
    rl_error error;

    rl_error_from_reply(&error, reply->str);
    return error.kind == RL_ERROR_REPLY;
}

/* Handles a reply to the first request of the login that has none, which the caller frees. */
static void conn_login_reply(rl_conn *conn, const redisReply *reply)
{
    login_step step = (login_step)(conn->login_pending & -conn->login_pending);
    bool is_error = reply->type == REDIS_REPLY_ERROR;

    RL_INVARIANT(conn->login_pending != 0);
    if (is_error && (step != LOGIN_ROLE || !lacks_role_only(reply))) {
        conn_fail(conn, login_error(conn, step, reply));
        return;
    }
    if (!is_error && !is_login_reply(step, reply)) {
        rl_conn_break(conn, RL_MALFORMED, "the reply to the login is malformed");
        return;
    }
    if (!is_error && step == LOGIN_ROLE && strcmp(reply->element[0]->str, "master") != 0) {
        rl_conn_break(conn, RL_UNREACHABLE, "this is a replica, not the master");
        return;
    }
    conn->login_pending &= ~(unsigned)step;
    if (conn->login_pending == 0) {
        conn_ready(conn);
    }
}

/* Takes the TLS handshake a step further, and logs in when it is done. Nothing is sent through the session before its
 * peer is verified. */
static void conn_shake_hands(rl_conn *conn)
{
    char why[200];
    rl_tls_step step = rl_tls_handshake(conn->tls, &conn->out, why, sizeof(why));

    RL_INVARIANT(conn->state == CONN_SECURING);
    conn_send(conn); /* also an alert that tells the server why we give up */
    if (conn->state != CONN_SECURING || step == RL_TLS_MORE) {
        return;
    }
    if (step == RL_TLS_FAILED) {
        rl_conn_break(conn, RL_UNREACHABLE, why);
    } else {
        conn_log_in(conn);
    }
}

/* Returns a session to the endpoint, or NULL with the reason in `why`. If the endpoint has no context, one is made for
 * this session alone, so that a file of authorities that was replaced counts from the next connection on. */
static rl_tls *new_session(const rl_conn *conn, char *why, size_t size)
{
    const rl_endpoint *endpoint = &conn->endpoint;
    rl_tls_context *context = endpoint->tls_context != NULL
                                  ? rl_tls_context_share(endpoint->tls_context)
                                  : rl_tls_context_new(&endpoint->tls_options, false, why, size);
    rl_tls *tls = context != NULL ? rl_tls_new(context, &endpoint->tls_options, conn_host(conn), why, size) : NULL;

    rl_tls_context_free(context);
    return tls;
}

static void conn_secure(rl_conn *conn)
{
    char why[200];

    conn->tls = new_session(conn, why, sizeof(why));
    if (conn->tls == NULL) {
        rl_conn_break(conn, RL_UNREACHABLE, why);
        return;
    }
    conn->state = CONN_SECURING;
    conn_shake_hands(conn);
}

/* Called when connect() has ended: goes on to TLS or the login, or breaks the connection if connect() failed. */
static void conn_connected(rl_conn *conn)
{
    int problem = sockets_connected(conn->context->fd);

    if (problem != 0) {
        conn_break_by_system(conn, RL_UNREACHABLE, problem);
        return;
    }
    conn->context->flags |= REDIS_CONNECTED;
    if (conn->endpoint.tls) {
        conn_secure(conn);
    } else {
        conn_log_in(conn);
    }
}

/* Has connect() to a unix socket failed because its listen backlog is full? connect() fails with EAGAIN then;
 * `problem` is the errno that it left. The newest hiredis reports no error then, as if the connection were under way,
 * which it never is; but the socket has no peer. */
static bool is_listen_queue_full(const rl_conn *conn, int problem)
{
    struct sockaddr_storage peer;
    socklen_t size = sizeof(peer);

    if (conn->endpoint.path == NULL) {
        return false;
    }
    return conn->context->err != 0 ? problem == EAGAIN
                                   : getpeername(conn->context->fd, (struct sockaddr *)&peer, &size) != 0;
}

/* Returns what to connect to: a numeric address if no name may be resolved, and then NULL if none is known. */
static const char *conn_address_to_try(const rl_conn *conn)
{
    const rl_endpoint *endpoint = &conn->endpoint;

    if (conn->cluster != NULL && endpoint->address != NULL) {
        return NULL; /* see rl_endpoint_prepare() */
    }
    if (is_found(conn)) {
        const rl_hosts *hosts = conn->router != NULL ? endpoint->sentinels->hosts : endpoint->seeds->hosts;
        return hosts != NULL ? rl_hosts_find(hosts, conn->found.host) : conn->found.host;
    }
    if (endpoint->address != NULL) {
        return endpoint->address[0] != '\0' ? endpoint->address : NULL;
    }
    return endpoint->host;
}

/* Opens the socket. Afterwards the connection is on its way, pauses since the listen backlog is full, or is broken. */
static void conn_open(rl_conn *conn)
{
    const rl_endpoint *endpoint = &conn->endpoint;
    const char *host = endpoint->path == NULL ? conn_address_to_try(conn) : NULL;

    RL_INVARIANT(conn->context == NULL);
    if (endpoint->path == NULL && host == NULL) {
        rl_conn_break(conn, RL_UNREACHABLE, "the server's address is not known");
        return;
    }
    conn->named_at = 0;
    errno = 0;
    conn->context =
        endpoint->path != NULL ? redisConnectUnixNonBlock(endpoint->path) : redisConnectNonBlock(host, conn_port(conn));
    if (conn->context == NULL) {
        rl_conn_break(conn, RL_UNREACHABLE, "out of memory");
        return;
    }
    if (is_listen_queue_full(conn, errno)) {
        conn_close(conn);
        conn->state = CONN_PAUSING;
        conn->retry_at = platform_now() + LISTEN_QUEUE_PAUSE;
        return;
    }
    if (conn->context->err != 0) {
        rl_conn_break(conn, RL_UNREACHABLE, conn->context->errstr);
        return;
    }
    bound_replies(conn);
    set_socket_options(conn);
    conn->state = CONN_CONNECTING;
    conn->connected_at = platform_now();
    if (endpoint->path != NULL) {
        conn_connected(conn); /* a unix socket connects at once or not at all */
    }
}

static void conn_ask_router(rl_conn *conn, int64_t by)
{
    conn->route = conn->route != NULL ? conn->route : conn->router->open(&conn->endpoint);
    conn->state = CONN_ROUTING;
    conn->routed_at = platform_now();
    conn->route_by = by;
    conn->router->ask(conn->route, conn->routed_at, by, conn->context != NULL);
}

/* Goes to where the router leads. It may know other hosts now: what a name stands for may have changed. */
static void conn_follow(rl_conn *conn, const rl_destination *found)
{
    conn_close(conn);
    conn->found = *found;
    rl_hosts_free(&conn->hosts);
    conn->router->hosts(conn->route, &conn->hosts);
    conn_open(conn);
}

/* The router has found no server. It is asked anew if its time is over, but not that of a call that came later. A connection
 * that is kept goes on: nobody has said that its server was replaced. Returns whether the search is over. */
static bool conn_end_search(rl_conn *conn, rl_error error)
{
    int64_t now = platform_now();

    if (conn->context != NULL) {
        conn_go_on(conn, NULL);
    } else if (now >= conn->route_by && now < conn->connect_by) {
        conn_ask_router(conn, conn->connect_by);
        return false;
    } else {
        conn_fail(conn, error);
    }
    return true;
}

/* Looks whether the router has found the server, and goes there, unless a connection that is kept leads there. Returns whether
 * the search is over. */
static bool conn_look_for_server(rl_conn *conn)
{
    rl_destination found;
    rl_error error = {0};

    switch (conn->router->look(conn->route, platform_now(), &found, &error)) {
    case RL_ROUTE_OPEN:
        return false;
    case RL_ROUTE_FAILED:
        return conn_end_search(conn, error);
    default:
        if (conn->context != NULL && rl_destination_same(&conn->found, &found)) {
            conn_go_on(conn, NULL);
        } else {
            conn_follow(conn, &found);
        }
        return true;
    }
}

/* Returns until when the router may be asked on behalf of a call that must be sent by `by`. Most of its time is its
 * server's. */
static int64_t check_by(int64_t by)
{
    int64_t now = platform_now();

    return now + platform_earlier(ROUTE_CHECK_TIME, platform_later(by - now, 0) / 4);
}

/* Has the connection been kept for so long that its server may have been replaced, and goes on as if it were not? Not while a
 * reply is owed: then it would not be known whose that is. */
static bool conn_is_in_doubt(const rl_conn *conn)
{
    return conn->router != NULL && conn->state == CONN_READY && conn->calls.first == NULL &&
           platform_now() - conn->routed_at >= RL_ROUTE_AGE;
}

/* Closes what there is, and begins to connect on behalf of the calls that are queued. Afterwards the connection is on
 * its way, pauses since the listen backlog is full, or is broken, and the calls have failed. */
static void conn_connect(rl_conn *conn)
{
    conn_close(conn);
    conn->process = platform_process();
    if (conn->router != NULL) {
        conn->found.host[0] = '\0';
        conn_ask_router(conn, conn->connect_by);
    } else {
        conn_open(conn);
    }
}

/* ---- sending and receiving ---- */

/* Sends as much of `out` as the socket takes without waiting; the rest stays there. An error breaks the connection,
 * which ends its calls, so callers must look at the connection's state afterwards. */
static void conn_send(rl_conn *conn)
{
    RL_INVARIANT(conn->out_sent <= conn->out.len && (conn->out.len == 0 || !rl_conn_is_inherited(conn))); /* R5 */
    while (conn->out_sent < conn->out.len) {
        long n = sockets_send(conn->context->fd, conn->out.at + conn->out_sent, conn->out.len - conn->out_sent);
        int problem = n < 0 ? sockets_problem() : 0;
        if (n < 0 && sockets_may_retry(problem)) {
            return;
        }
        if (n < 0) {
            conn_break_by_system(conn, RL_LOST, problem);
            return;
        }
        conn->out_sent += (size_t)n;
        conn->traffic->bytes_sent += (uint64_t)n;
    }
    conn->out.len = 0;
    conn->out_sent = 0;
}

/* May another server be the master now, after this error? If a router knows of that, also if a master lacks its replicas: it
 * may be cut off from them, or they may follow another one by now. */
static bool may_be_replaced(const rl_conn *conn, const rl_error *error)
{
    if (conn->endpoint.path != NULL) {
        return false;
    }
    return rl_error_is_of_no_master(error) ||
           (conn->router != NULL && error->kind == RL_ERROR_REPLY && strcmp(error->code, "NOREPLICAS") == 0);
}

/* Reads the error reply to a call. What a node of a cluster says of a slot, or of itself, is noted. A script that stopped
 * half way did so since its slot moves, or the node has lost the cluster. */
static void conn_read_error(rl_conn *conn, rl_call *call, const char *reply)
{
    rl_bytes key = rl_request_key(&call->request);
    bool is_lone = call->went_alone || rl_request_has_one_key(&call->request);
    rl_error *error = &call->error;

    rl_error_from_reply(error, reply);
    conn->is_stale |= may_be_replaced(conn, error);
    if (conn->cluster == NULL) {
        rl_error_name_cluster(error);
        return;
    }
    bool runs_not = strcmp(error->code, "TRYAGAIN") == 0 && !call->went_alone; /* else the script itself says so */
    if (runs_not || error->kind == RL_LOST) {
        rl_cluster_note_moving(conn->cluster, key);
    }
    if (rl_cluster_learn_redirection(conn->cluster, reply, key, is_lone, &conn->found,
                                     call->detached ? call->detached_at : PLATFORM_NEVER)) {
        error->kind = RL_REDIRECTED;
    } else if (rl_error_is_of_no_master(error) || strcmp(error->code, "CLUSTERDOWN") == 0) {
        note_failed(conn); /* it may have been cut off from the others, which know more */
    }
    name_found(conn, error);
}

/* Is this an answer to the call's script by its SHA-1 alone, which the script's text would not get? A server without EVALSHA
 * gets nothing but texts from then on. */
static bool conn_wants_text(rl_conn *conn, const rl_call *call, const redisReply *reply)
{
    if (reply->type != REDIS_REPLY_ERROR || call->request.script == NULL || call->send_eval) {
        return false;
    }
    bool is_lacking = rl_command_is_unknown(reply->str, "evalsha");
    conn->lacks_evalsha |= is_lacking;
    return is_lacking || rl_script_is_unknown(reply->str, (size_t)reply->len);
}

/* Returns the call that the error reply is the answer to. If it comes first, and refuses all requests, that is not the name but
 * the next call, whose caller is to see it, as if there were no name. */
static rl_call *conn_refused_call(rl_conn *conn, rl_call *call, const char *reply)
{
    if (call->learns != RL_LEARNS_NAMED || conn->calls.first == NULL || !rl_error_refuses_all(reply)) {
        return call;
    }
    call->error.kind = RL_REFUSED;
    detached_call_end(conn, call);
    return rl_pipeline_shift(&conn->calls);
}

/* Gives the reply to the first call, which then owns it; a detached call is freed at once, with the reply. If the
 * server does not know the call's script, sends it again with its text, behind the other calls, if
 * rl_pipeline_may_repeat() allows that. Sending may break the connection. */
static void conn_answer(rl_conn *conn, redisReply *reply)
{
    rl_call *call = rl_pipeline_shift(&conn->calls);

    RL_INVARIANT(conn->state == CONN_READY && call != NULL);
    if (conn->cluster != NULL && rl_cluster_is(conn->cluster, RL_MAP_TROUBLE)) {
        rl_cluster_note_heard(conn->cluster, &conn->found);
    }
    if (conn_wants_text(conn, call, reply) && rl_pipeline_may_repeat(&conn->calls, call)) {
        freeReplyObject(reply);
        call->send_eval = true;
        conn->traffic->script_reloads++;
        metrics_add_overall(conn->traffic->metrics, METRICS_SCRIPT_RELOADS);
        conn_push(conn, call);
        conn_send(conn);
        return;
    }
    if (reply->type == REDIS_REPLY_ERROR) {
        call = conn_refused_call(conn, call, reply->str);
        conn_read_error(conn, call, reply->str);
    } else if (call->request.script != NULL && !call->went_alone) {
        conn->ran |= call->request.script->bit;
    }
    conn->has_answered = true;
    call->reply = reply;
    call->answered = true;
    call->answered_on = conn->connected_at;
    if (call->detached) {
        detached_call_end(conn, call);
    }
}

/* Passes what was received to the parser. With TLS, the handshake takes it while that is under way, and afterwards it
 * is decrypted first. Returns false if the connection is broken. */
static bool conn_feed(rl_conn *conn, const char *bytes, size_t len)
{
    char plain[READ_SIZE], why[200];
    long n;

    if (conn->tls == NULL) {
        redisReaderFeed(conn->context->reader, bytes, len);
        return true;
    }
    rl_tls_feed(conn->tls, bytes, len);
    if (conn->state == CONN_SECURING) {
        conn_shake_hands(conn);
    }
    if (conn->context == NULL || conn->state == CONN_SECURING) {
        return conn->context != NULL;
    }
    while ((n = rl_tls_open(conn->tls, plain, sizeof(plain), why, sizeof(why))) > 0) {
        redisReaderFeed(conn->context->reader, plain, (size_t)n);
    }
    if (n < 0) {
        note_closed(conn);
        rl_conn_break(conn, RL_LOST, why);
    }
    return n == 0;
}

/* Reads what has come, or, with `waits`, waits for it up to READ_WAIT. Returns false if the connection is broken. */
static bool conn_read(rl_conn *conn, bool waits)
{
    char bytes[READ_SIZE];
    long n = waits ? sockets_receive_waiting(conn->context->fd, bytes, sizeof(bytes))
                   : sockets_receive(conn->context->fd, bytes, sizeof(bytes));
    int problem = n < 0 ? sockets_problem() : 0;

    if (n > 0) {
        conn->traffic->bytes_received += (uint64_t)n;
        conn->partial_reply_bytes += (size_t)n;
        return conn_feed(conn, bytes, (size_t)n);
    }
    if (n < 0 && sockets_may_retry(problem)) {
        return true;
    }
    if (n == 0) {
        note_closed(conn);
        rl_conn_break(conn, RL_LOST, "the server closed the connection");
    } else {
        conn_break_by_system(conn, RL_LOST, problem);
    }
    return false;
}

/* Reads as conn_read() does, and gives the replies to their calls. Returns false if nothing came, and true also if the
 * connection broke. */
static bool conn_receive(rl_conn *conn, bool waits)
{
    uint64_t before = conn->traffic->bytes_received;
    void *reply;

    if (!conn_read(conn, waits)) {
        return true;
    }
    if (conn->traffic->bytes_received == before) {
        return false;
    }
    /* Parses no more replies than are owed: surplus bytes do not show in `pos` once the reader has begun to parse
     * them. */
    while (conn->context != NULL && (conn->calls.first != NULL || conn->state == CONN_LOGGING_IN)) {
        if (redisGetReplyFromReader(conn->context, &reply) != REDIS_OK) {
            rl_conn_break(conn, RL_MALFORMED, "the server's reply is malformed");
            return true;
        }
        if (reply == NULL) {
            break;
        }
        conn->partial_reply_bytes = conn->partial_reply_elements = 0;
        if (conn->state == CONN_LOGGING_IN) {
            conn_login_reply(conn, reply);
            freeReplyObject(reply);
        } else {
            conn_answer(conn, reply);
        }
    }
    if (conn->context != NULL && conn->calls.first == NULL && conn->context->reader->pos < conn->context->reader->len) {
        rl_conn_break(conn, RL_MALFORMED, "unexpected reply: no request was pending");
    }
    size_t most = conn_awaits_slots(conn) ? MAX_SLOTS_BYTES : RL_MAX_REPLY_BYTES;
    if (conn->context != NULL && conn->partial_reply_bytes > most) {
        rl_conn_break(conn, RL_MALFORMED, "the server's reply is too long");
    }
    return true;
}

/* An inherited connection is closed before anything is written (R5): in its socket our bytes would mix with the parent's.
 * The backlog is pushed before the call, so that what it holds runs first. */
void rl_conn_submit(rl_conn *conn, rl_call *call, int64_t connect_by)
{
    RL_INVARIANT(call->conn == NULL && !call->answered);
    if (rl_conn_is_inherited(conn)) {
        rl_conn_break(conn, RL_LOST, "the connection belongs to another process");
    }
    if (conn->is_stale) {
        rl_conn_break(conn, RL_LOST, "the server is not the master");
    }
    if (conn_is_in_doubt(conn)) {
        conn->connect_by = connect_by;
        conn_ask_router(conn, check_by(connect_by));
    }
    conn_push_backlog(conn);
    conn_push(conn, call);
    if (conn->state == CONN_DOWN) {
        conn->connect_by = connect_by;
        conn_connect(conn);
    } else if (conn->state != CONN_READY) {
        conn->connect_by = platform_later(conn->connect_by, connect_by);
    } else if (!call->corked) {
        conn_send(conn);
    }
}

/* The answer is a detached call's: whoever uses the connection next reads it. */
void rl_conn_ask_slots(rl_conn *conn, int64_t connect_by)
{
    rl_request request;

    RL_INVARIANT(conn->cluster != NULL);
    if (conn->state == CONN_DOWN || !rl_cluster_wants_slots(conn->cluster)) {
        return;
    }
    rl_request_begin(&request, NULL);
    rl_request_add(&request, RL_LITERAL("CLUSTER"));
    rl_request_add(&request, RL_LITERAL("SLOTS"));
    rl_call *call = rl_detached_call_new(&request, false, true);
    call->learns = RL_LEARNS_SLOTS;
    rl_cluster_note_asked(conn->cluster);
    rl_conn_submit(conn, call, connect_by);
}

void rl_conn_submit_asking(rl_conn *conn, rl_call *call, int64_t connect_by)
{
    call->asking = call->send_eval = true;
    rl_conn_submit(conn, call, connect_by);
}

void rl_conn_send_owed(rl_conn *conn, int64_t connect_by)
{
    if (rl_conn_is_inherited(conn)) {
        return;
    }
    if (conn->state == CONN_DOWN) {
        conn->connect_by = connect_by;
        conn_connect(conn);
    } else if (conn->state == CONN_READY) {
        conn_push_backlog(conn);
        conn_send(conn);
    }
}

rl_backlog_server *rl_conn_backlog(const rl_conn *conn)
{
    return conn->backlog;
}

void rl_conn_send_and_forget(rl_conn *conn, const rl_request *request, bool send_eval, int64_t connect_by)
{
    rl_conn_submit(conn, rl_detached_call_new(request, send_eval, true), connect_by);
}

int64_t rl_conn_ready_since(const rl_conn *conn)
{
    return conn->state == CONN_READY ? conn->ready_since : PLATFORM_NEVER;
}

int64_t rl_conn_generation(const rl_conn *conn)
{
    return conn->connected_at;
}

bool rl_conn_has_run(const rl_conn *conn, const rl_script *script)
{
    RL_INVARIANT(script->bit != 0);
    return (conn->ran & script->bit) != 0;
}

unsigned rl_conn_notes(const rl_conn *conn)
{
    return conn->notes;
}

void rl_conn_note(rl_conn *conn, unsigned what)
{
    conn->notes |= what;
}

bool rl_conn_is_behind(const rl_conn *conn, int64_t since)
{
    const rl_call *call = rl_pipeline_first_detached(&conn->calls);

    return call != NULL && conn->state == CONN_READY && !rl_conn_is_inherited(conn) &&
           (call->detached_at < since || conn->calls.replies_pending > DETACHED_MANY);
}

bool rl_conn_may_be_kept(const rl_conn *conn)
{
    if (conn->calls.awaited > 0 || conn->state == CONN_DOWN || conn->calls.replies_pending > DETACHED_MAX ||
        rl_conn_is_inherited(conn)) {
        return false;
    }
    if (conn->state != CONN_READY) {
        return true;
    }
    return !conn->is_stale && (conn->calls.replies_pending > 0 ||
                               (conn->out.len == 0 && conn->context->reader->pos == conn->context->reader->len));
}

/* Is there nothing to read on a connection on which no reply is pending? An end of file means that the server has
 * closed it, and a byte is part of a reply that belongs to no call. */
static bool conn_has_no_stray_input(rl_conn *conn)
{
    char byte;
    long n = sockets_peek(conn->context->fd, &byte, 1);

    if (n > 0 && conn->tls != NULL) {
        /* It may be a message of TLS itself, mostly a session ticket. If it is a reply, conn_receive() breaks the
         * connection. */
        conn_receive(conn, false);
        return conn->state == CONN_READY;
    }
    return n < 0 && sockets_may_retry(sockets_problem());
}

/* conn_has_no_stray_input() is asked only when no reply is pending, since it takes any byte for an error. Otherwise
 * rl_wait() reads what has come. */
bool rl_conn_is_idle(rl_conn *conn)
{
    if (!rl_conn_may_be_kept(conn)) {
        return false;
    }
    if (conn->state == CONN_READY && conn->calls.replies_pending == 0) {
        return conn_has_no_stray_input(conn);
    }
    rl_wait(&conn, 1, platform_now(), NULL); /* reads what has come, without waiting */
    RL_INVARIANT(conn->calls.awaited == 0);
    if (conn->calls.replies_pending > 0 && platform_now() - conn->calls.first->detached_at > DETACHED_MAX_AGE) {
        return false;
    }
    return rl_conn_may_be_kept(conn) &&
           (conn->state != CONN_READY || conn->calls.replies_pending > 0 || conn_has_no_stray_input(conn));
}

/* ---- waiting ---- */

/* The time at which the connection needs attention even if nothing happens on its socket. */
static int64_t conn_due_at(const rl_conn *conn)
{
    switch (conn->state) {
    case CONN_PAUSING:
        return platform_earlier(conn->retry_at, conn->connect_by);
    case CONN_ROUTING:
        return conn->router->look_at(conn->route);
    case CONN_CONNECTING:
    case CONN_SECURING:
    case CONN_LOGGING_IN:
        return conn->connect_by;
    default:
        return PLATFORM_NEVER;
    }
}

static struct pollfd conn_interest(const rl_conn *conn)
{
    struct pollfd interest = {.fd = SOCKETS_NONE};

    if (conn != NULL && conn->context != NULL && conn->state != CONN_ROUTING) {
        interest.fd = conn->context->fd;
        if (conn->state == CONN_CONNECTING) {
            interest.events = POLLOUT;
        } else {
            interest.events = (short)(conn->out.len > 0 ? POLLIN | POLLOUT : POLLIN);
        }
    }
    return interest;
}

/* Says why a connection was not made in time. A Redis without TLS takes the handshake for the beginning of a line, and
 * waits in silence for its end. */
static const char *late_connection(const rl_conn *conn)
{
    return conn->state == CONN_SECURING
               ? "TLS: the handshake did not end in time; the server hangs, or does not speak TLS on this port"
               : "the connection was not made in time";
}

/* Handles the events that poll() reported, and what is due by now. Returns whether something happened. */
static bool conn_attend(rl_conn *conn, short events)
{
    if (conn->state == CONN_ROUTING) {
        return conn_look_for_server(conn);
    }
    if (events != 0 && conn->state == CONN_CONNECTING) {
        conn_connected(conn);
        return true;
    }
    if (events & POLLOUT) {
        conn_send(conn);
    }
    if (conn->context != NULL && events & (POLLIN | POLLHUP | POLLERR | POLLNVAL)) {
        conn_receive(conn, false);
    }
    int64_t now = platform_now();
    if (conn_due_at(conn) <= now) {
        if (conn->state == CONN_PAUSING && conn->connect_by > now) {
            conn_open(conn);
        } else {
            note_silent(conn, conn->connected_at);
            rl_conn_break(conn, RL_TIMED_OUT,
                          late_connection(conn)); /* which becomes RL_UNREACHABLE: nothing was sent */
        }
        return true;
    }
    return events != 0;
}

/* Shuts down our half of the connection and waits, until `until` at most, for the server to close its half, which it
 * does when it has run what we sent. Drops the replies. */
static void conn_linger(rl_conn *conn, int64_t until)
{
    struct pollfd interest = {.fd = conn->context->fd, .events = POLLIN};
    char replies[512];
    long n;

    RL_INVARIANT(conn->state == CONN_READY && conn->out.len == 0);
    sockets_end_sending(conn->context->fd);
    do {
        if (sockets_poll(&interest, 1, platform_poll_ms(until)) == 0) {
            return;
        }
        n = sockets_receive(conn->context->fd, replies, sizeof(replies));
    } while ((n > 0 || (n < 0 && sockets_may_retry(sockets_problem()))) && platform_now() < until);
}

/* A script goes out with its text, since nobody is left to learn that the server does not know it (R6). */
void rl_conn_write_behind(rl_conn *conn, const rl_request *request)
{
    if (conn->state != CONN_READY || rl_conn_is_inherited(conn)) {
        return;
    }
    bool asking = is_asked_here(conn, rl_request_key(request)); /* what it undoes went behind ASKING */
    if (asking) {
        conn_push_asking(conn);
    }
    conn_write_form(conn, request, goes_alone(conn, request, asking), true);
}

/* Nothing is waited for if the socket does not take the request whole: it counts as not sent. */
bool rl_conn_close_after(rl_conn *conn, const rl_request *last, int64_t until)
{
    bool sent = false;

    if (conn->state == CONN_READY && !rl_conn_is_inherited(conn)) {
        rl_conn_write_behind(conn, last);
        conn_send(conn);
        sent = conn->state == CONN_READY && conn->out.len == 0; /* the server does not run half a request */
    }
    if (sent) {
        conn_linger(conn, until);
    }
    rl_conn_break(conn, RL_LOST, "the connection was given up");
    return sent;
}

/* Sends what is queued on the connections. Returns whether one of them broke. */
static bool flush_conns(rl_conn *const *conns, size_t count)
{
    bool broke = false;

    for (size_t i = 0; i < count; i++) {
        rl_conn *conn = conns[i]; /* conns[i] may be a call's `conn`, which is NULL once the connection broke */

        if (conn != NULL && conn->out.len > 0) {
            conn_send(conn);
            broke |= conn->state == CONN_DOWN;
        }
    }
    return broke;
}

static void break_conns(rl_conn *const *conns, size_t count, const char *why)
{
    for (size_t i = 0; i < count; i++) {
        if (conns[i] != NULL) {
            rl_conn_break(conns[i], RL_LOST, why);
        }
    }
}

/* Copies the connections over which this one looks for its server to `over`. Returns their number. */
static size_t routed_over(const rl_conn *conn, rl_conn *over[RL_MAX_ROUTE_CONNS])
{
    return conn != NULL && conn->state == CONN_ROUTING ? conn->router->conns(conn->route, over) : 0;
}

size_t rl_poll_size(rl_conn *const *conns, size_t count)
{
    rl_conn *over[RL_MAX_ROUTE_CONNS];
    size_t size = count;

    for (size_t i = 0; i < count; i++) {
        size += routed_over(conns[i], over);
    }
    return size;
}

/* A connection's own interest stands behind those of the connections over which it looks for its server. */
int64_t rl_poll_begin(rl_conn *const *conns, size_t count, struct pollfd *interests)
{
    rl_conn *over[RL_MAX_ROUTE_CONNS];
    int64_t due_at = PLATFORM_NEVER;

    for (size_t i = 0; i < count; i++) {
        size_t routed = routed_over(conns[i], over);
        if (routed > 0) {
            due_at = platform_earlier(due_at, rl_poll_begin(over, routed, interests));
            interests += routed;
        }
        *interests++ = conn_interest(conns[i]);
        due_at = conns[i] != NULL ? platform_earlier(due_at, conn_due_at(conns[i])) : due_at;
    }
    return due_at;
}

/* Attends to the connections over which one looks for its server first, so that it sees what they have brought. */
bool rl_poll_end(rl_conn *const *conns, size_t count, const struct pollfd *interests)
{
    rl_conn *over[RL_MAX_ROUTE_CONNS];
    bool happened = false;

    for (size_t i = 0; i < count; i++) {
        size_t routed = routed_over(conns[i], over);
        if (routed > 0) {
            rl_poll_end(over, routed, interests);
            interests += routed;
        }
        happened |= conns[i] != NULL && conn_attend(conns[i], interests->revents);
        interests++;
    }
    return happened;
}

/* Waits until something happens on one of the connections, until `wake` at most. Returns whether something did. */
static bool poll_conns(rl_conn *const *conns, size_t count, int64_t wake)
{
    struct pollfd interests[MAX_INTERESTS];
    size_t size = rl_poll_size(conns, count);
    char buf[256];

    RL_GUARD(size <= MAX_INTERESTS);
    wake = platform_earlier(wake, rl_poll_begin(conns, count, interests));
    if (sockets_poll(interests, size, platform_poll_ms(wake)) < 0) {
        int problem = sockets_problem();
        if (!sockets_may_retry(problem)) {
            break_conns(conns, count, platform_strerror(problem, buf, sizeof(buf)));
            return true;
        }
        memset(interests, 0, size * sizeof(*interests));
    }
    return rl_poll_end(conns, count, interests);
}

/* Is there nothing to do but to read from this connection, and enough time for a read that waits up to READ_WAIT? */
static bool only_reads(const rl_conn *conn, int64_t left)
{
    return conn != NULL && conn->state == CONN_READY && conn->may_read_waiting && conn->out.len == 0 &&
           left >= 2 * READ_WAIT;
}

/* The first wait for a lone connection is a blocking read, which is cheaper than poll(): see READ_WAIT. No single wait
 * is longer than RL_HOOK_INTERVAL, so that the hook is asked in between. */
rl_wake rl_wait(rl_conn *const *conns, size_t count, int64_t until, const rl_hook *hook)
{
    bool soon = count == 1;

    RL_GUARD(count <= RL_MAX_WAIT_CONNS);
    for (;;) {
        int64_t now = platform_now();
        int64_t wake = platform_earlier(until, now + RL_HOOK_INTERVAL);

        if (hook != NULL && hook->interrupted != NULL && hook->interrupted(hook->arg)) {
            return RL_WAKE_HOOK;
        }
        bool happened = flush_conns(conns, count);
        if (!happened && soon && only_reads(conns[0], wake - now)) {
            happened = conn_receive(conns[0], true);
            soon = false;
        } else if (!happened) {
            happened = poll_conns(conns, count, wake);
        }
        /* The deadline is checked before the event: bytes that trickle in without end must not postpone it. */
        if (platform_now() >= until) {
            return RL_WAKE_DEADLINE;
        }
        if (happened) {
            return RL_WAKE_EVENT;
        }
    }
}

void rl_call_give_up(rl_call *call, rl_wake woken, int64_t since)
{
    if (call->answered) {
        return;
    }
    if (woken == RL_WAKE_HOOK) {
        call->error = RL_INTERRUPTION;
    } else {
        call->error = failure(before_sending(call->conn, RL_TIMED_OUT), "no answer in time");
        note_silent(call->conn, since);
    }
}

void rl_call_wait(rl_call *call, int64_t until, const rl_hook *hook)
{
    int64_t since = platform_now();
    rl_wake woken = RL_WAKE_EVENT;

    while (!call->answered && woken == RL_WAKE_EVENT) {
        woken = rl_wait(&call->conn, 1, until, hook);
    }
    rl_call_give_up(call, woken, since);
}

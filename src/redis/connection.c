/* SPDX-License-Identifier: MIT
 *
 * redis/connection: see redis/connection.h. hiredis connects and parses; sending, waiting and matching replies to calls is
 * ours, since hiredis' blocking calls retry EINTR for ever, count their timeout per system call, and serve one server only.
 */
#include "redis/connection.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include "platform.h"
#include "redis/tls.h"

#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0 /* where it is missing, SO_NOSIGPIPE is set on the socket */
#endif

#define MAX_WAIT_CONNS 32

#define READ_SIZE (16 * 1024)

/* A unix socket whose backlog is full says so at once instead of letting us wait in line. */
#define BACKLOG_PAUSE (2 * PLATFORM_MSEC)

/* So long a server may leave a detached call without a reply, and so many of them, before its connection is given up: no fewer,
 * since what was not read yet then is lost, and with it what undoes a lock; and what undoes it on the next connection may
 * be read before the lock is on this one. */
#define DETACHED_MAX_AGE (10 * PLATFORM_SEC)
#define DETACHED_MAX     4096

/* So many, and the scripts that they bring, are in the 16 kB that Redis reads, and so runs, before it sees us gone. */
#define DETACHED_MANY 16

/* How long a signal that arrived just before poll() may go unnoticed. */
#define HOOK_INTERVAL PLATFORM_SEC

/* Most answers come at once, so a lone connection is read from without asking poll() first, and reading waits so long;
 * what does not come in that time is waited for with poll(). */
#define READ_WAIT (10 * PLATFORM_MSEC)

typedef enum conn_state {
    CONN_DOWN,
    CONN_PAUSING,    /* connects again at `retry_at` */
    CONN_CONNECTING, /* until the socket can be written to */
    CONN_SECURING,   /* the TLS handshake goes on */
    CONN_LOGGING_IN, /* `login_replies_pending` replies to AUTH and SELECT are awaited */
    CONN_READY,
} conn_state;

#if HIREDIS_MAJOR >= 1
typedef size_t reader_elements;
#else
typedef int reader_elements;
#endif
typedef void *(*reader_create_array)(const redisReadTask *, reader_elements);

struct rl_conn {
    rl_endpoint endpoint;
    conn_state state;
    redisContext *context;               /* NULL: not connected */
    redisReplyObjectFunctions functions; /* hiredis' own, with a bound on arrays */
    reader_create_array create_array;    /* the one that is bounded */
    int64_t pid;                         /* whose the socket is */
    int64_t connect_by;
    int64_t retry_at;
    int64_t connected_at; /* 0: not */
    int64_t ready_since;  /* while CONN_READY */
    unsigned login_replies_pending;
    rl_tls *tls;     /* NULL: plain */
    rl_buffer plain; /* with TLS: a request before it is sealed */
    rl_buffer out;   /* of which `out_sent` bytes are on their way */
    size_t out_sent;
    rl_pipeline calls;     /* not answered yet; before CONN_READY not sent yet either */
    size_t unanswered;     /* bytes that came since the last reply was whole, */
    size_t elements;       /* and elements of its arrays */
    bool was_ready;        /* so that the next connection replaces one */
    bool may_read_waiting; /* see READ_WAIT */
    rl_traffic *traffic;
    rl_traffic own_traffic; /* where nobody counts */
    rl_backlog *backlog;    /* NULL: none */

    /* Over this connection: */
    rl_script_set preloaded; /* see rl_request.preload */
    rl_script_set ran;       /* and were not refused */
};

rl_conn *rl_conn_new(const rl_endpoint *endpoint, rl_traffic *traffic, rl_backlog *backlog)
{
    rl_conn *conn = platform_zalloc(sizeof(*conn));

    rl_endpoint_copy(&conn->endpoint, endpoint);
    conn->traffic = traffic != NULL ? traffic : &conn->own_traffic;
    conn->backlog = backlog;
    conn->pid = platform_pid();
    return conn;
}

const rl_endpoint *rl_conn_endpoint(const rl_conn *conn)
{
    return &conn->endpoint;
}

bool rl_conn_is_inherited(const rl_conn *conn)
{
    return conn->pid != platform_pid();
}

/* ---- calls ---- */

static void call_fail(rl_call *call, rl_failure kind, const char *text)
{
    call->error.kind = kind;
    snprintf(call->error.text, sizeof(call->error.text), "%s", text);
}

void rl_call_detach(rl_call *call, bool must_run)
{
    rl_conn *conn = call->conn;

    if (conn != NULL) {
        bool goes_on = must_run || conn->state == CONN_READY;
        rl_pipeline_replace(&conn->calls, call,
                            goes_on ? rl_detached_call_new(&call->request, call->send_eval, must_run) : NULL);
    }
}

void rl_call_init(rl_call *call)
{
    call->conn = NULL;
    call->next = NULL;
    call->reply = NULL;
    call->detached = false;
    rl_call_reset(call);
}

void rl_call_reset(rl_call *call)
{
    if (call->conn != NULL) {
        rl_conn_break(call->conn, RL_LOST, "the call was given up");
    }
    if (call->reply != NULL) {
        freeReplyObject(call->reply);
    }
    call->reply = NULL;
    call->answered = false;
    call->send_eval = call->more = false;
    rl_error_clear(&call->error);
}

/* ---- connecting ---- */

/* Closes the socket, nothing else: no QUIT, since it may be our parent's. */
static void conn_close(rl_conn *conn)
{
    if (conn->context != NULL) {
        redisFree(conn->context);
        conn->context = NULL;
    }
    rl_tls_free(conn->tls);
    conn->tls = NULL;
    conn->state = CONN_DOWN;
    conn->connected_at = 0;
    conn->unanswered = conn->elements = 0;
    conn->preloaded.count = conn->ran.count = 0;
    conn->out.len = 0;
    conn->out_sent = 0;
}

/* What was not sent cannot have happened. */
static rl_failure before_sending(const rl_conn *conn, rl_failure kind)
{
    return conn->state == CONN_READY || kind == RL_REFUSED ? kind : RL_UNREACHABLE;
}

/* Ends a call that nobody waits for. */
static void detached_call_end(rl_call *call)
{
    if (call->backlog != NULL) {
        rl_backlog_settle(call->backlog, call->backlog_id, &call->error, call->reply);
    }
    freeReplyObject(call->reply);
    free(call);
}

void rl_conn_break(rl_conn *conn, rl_failure kind, const char *text)
{
    char reason[sizeof(((rl_error *)NULL)->text)];

    kind = before_sending(conn, kind);
    snprintf(reason, sizeof(reason), "%s", text); /* it may stand in the context that is closed now */
    conn_close(conn);
    for (rl_call *call; (call = rl_pipeline_shift(&conn->calls)) != NULL;) {
        call_fail(call, kind, reason);
        call->answered = true;
        if (call->detached) {
            detached_call_end(call);
        }
    }
}

void rl_conn_free(rl_conn *conn)
{
    if (conn == NULL) {
        return;
    }
    rl_conn_break(conn, RL_LOST, "the connection was closed");
    rl_buffer_free(&conn->plain);
    rl_buffer_free(&conn->out);
    rl_endpoint_free(&conn->endpoint);
    free(conn);
}

static void *bounded_array(const redisReadTask *task, reader_elements elements)
{
    rl_conn *conn = task->privdata;

    if ((size_t)elements > RL_MAX_REPLY_ELEMENTS - conn->elements) {
        return NULL;
    }
    conn->elements += (size_t)elements;
    return conn->create_array(task, elements);
}

/* hiredis 0.14 has no limit on elements, newer ones have one of 2^32: an array of NULLs for a hostile number of them
 * is allocated before the first has arrived. */
static void bound_replies(rl_conn *conn)
{
    redisReader *reader = conn->context->reader;

    conn->functions = *reader->fn;
    conn->create_array = conn->functions.createArray;
    conn->functions.createArray = bounded_array;
    reader->fn = &conn->functions;
    reader->privdata = conn;
}

static void set_socket_options(rl_conn *conn)
{
    int fd = conn->context->fd;

    fcntl(fd, F_SETFD, fcntl(fd, F_GETFD) | FD_CLOEXEC);
    conn->may_read_waiting =
        setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &(struct timeval){.tv_usec = READ_WAIT}, sizeof(struct timeval)) == 0;
#ifdef SO_NOSIGPIPE
    setsockopt(fd, SOL_SOCKET, SO_NOSIGPIPE, &(int){1}, sizeof(int));
#endif
    if (conn->endpoint.path == NULL) {
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int)); /* hiredis 1 leaves it out here */
        redisEnableKeepAlive(conn->context);                              /* a peer that vanished ends a long wait */
    }
}

static void conn_send(rl_conn *conn);

/* Is this the first time that this connection is to bring the script? */
static bool conn_brings(rl_conn *conn, const rl_request *request)
{
    if (!request->preload || rl_script_set_has(&conn->preloaded, request->script)) {
        return false;
    }
    rl_script_set_add(&conn->preloaded, request->script);
    return true;
}

/* Puts the request among what is to be sent. A session that is broken shows when it is read from. */
static void conn_write(rl_conn *conn, const rl_request *request, bool send_eval)
{
    send_eval |= conn_brings(conn, request);
    if (conn->tls == NULL) {
        rl_buffer_request(&conn->out, request, send_eval);
        return;
    }
    conn->plain.len = 0;
    rl_buffer_request(&conn->plain, request, send_eval);
    rl_tls_seal(conn->tls, conn->plain.at, conn->plain.len, &conn->out);
}

/* Puts the call behind the others; what is not written here is when the connection is ready. */
static void conn_push(rl_conn *conn, rl_call *call)
{
    rl_pipeline_push(&conn->calls, conn, call);
    if (conn->state == CONN_READY) {
        conn_write(conn, &call->request, call->send_eval);
    }
}

/* Not before it is ready: where nobody can be reached, the backlog would be gone through for each call. */
static void conn_push_backlog(rl_conn *conn)
{
    rl_backlog *backlog = conn->state == CONN_READY ? conn->backlog : NULL;
    rl_call *call;

    while (backlog != NULL && backlog->count > 0 && (call = rl_backlog_next(backlog, &conn->endpoint)) != NULL) {
        conn_push(conn, call);
    }
}

static void conn_ready(rl_conn *conn)
{
    rl_pipeline waiting = conn->calls;
    rl_call *call;

    conn->state = CONN_READY;
    conn->ready_since = platform_now();
    conn->traffic->connections++;
    conn->traffic->reconnects += conn->was_ready;
    conn->was_ready = true;
    conn->calls = (rl_pipeline){0};
    conn_push_backlog(conn);
    while ((call = rl_pipeline_shift(&waiting)) != NULL) {
        conn_push(conn, call);
    }
    conn_send(conn);
}

/* Nothing else goes out before both are granted: it would run as another user, or in another database. */
static void conn_log_in(rl_conn *conn)
{
    const rl_endpoint *endpoint = &conn->endpoint;
    char digits[24];

    conn->login_replies_pending = 0;
    if (endpoint->password != NULL) {
        rl_request auth = {0};
        rl_request_add(&auth, RL_LITERAL("AUTH"));
        if (endpoint->username != NULL) {
            rl_request_add(&auth, (rl_bytes){endpoint->username, strlen(endpoint->username)});
        }
        rl_request_add(&auth, (rl_bytes){endpoint->password, endpoint->password_len});
        conn_write(conn, &auth, false);
        conn->login_replies_pending++;
    }
    if (endpoint->database != 0) {
        rl_request select = {0};
        rl_request_add(&select, RL_LITERAL("SELECT"));
        rl_request_add_number(&select, endpoint->database, digits);
        conn_write(conn, &select, false);
        conn->login_replies_pending++;
    }
    if (conn->login_replies_pending == 0) {
        conn_ready(conn);
        return;
    }
    conn->state = CONN_LOGGING_IN;
    conn_send(conn);
}

/* The server's text may repeat what we sent, the password with it: only its first word is kept. */
static void conn_login_reply(rl_conn *conn, const redisReply *reply)
{
    bool is_auth = conn->login_replies_pending == 2 || conn->endpoint.database == 0;
    char text[160];
    rl_error error;

    if (reply->type == REDIS_REPLY_STATUS) {
        if (--conn->login_replies_pending == 0) {
            conn_ready(conn);
        }
        return;
    }
    if (reply->type != REDIS_REPLY_ERROR) {
        rl_conn_break(conn, RL_MALFORMED, "the reply to the login is malformed");
        return;
    }
    rl_error_from_reply(&error, reply->str);
    if (is_auth) {
        snprintf(text, sizeof(text), "the login was refused (%s)", error.code);
    } else if (strcmp(error.code, "NOAUTH") == 0) {
        snprintf(text, sizeof(text), "a password is needed (NOAUTH)");
    } else {
        snprintf(text, sizeof(text), "database %ld was refused (%s)", conn->endpoint.database, error.code);
    }
    for (rl_call *call = conn->calls.first; call != NULL; call = call->next) {
        memcpy(call->error.code, error.code, sizeof(error.code));
    }
    rl_conn_break(conn, RL_REFUSED, text);
}

/* Takes the handshake a step further. Nothing is sent through a session whose peer was not checked. */
static void conn_shake_hands(rl_conn *conn)
{
    char why[200];
    rl_tls_step step = rl_tls_handshake(conn->tls, &conn->out, why, sizeof(why));

    conn_send(conn); /* also an alert that says why we go */
    if (conn->state != CONN_SECURING || step == RL_TLS_MORE) {
        return;
    }
    if (step == RL_TLS_FAILED) {
        rl_conn_break(conn, RL_UNREACHABLE, why);
    } else {
        conn_log_in(conn);
    }
}

static void conn_secure(rl_conn *conn)
{
    char why[200];

    conn->tls = rl_tls_new(&conn->endpoint.tls_options, conn->endpoint.host, why, sizeof(why));
    if (conn->tls == NULL) {
        rl_conn_break(conn, RL_UNREACHABLE, why);
        return;
    }
    conn->state = CONN_SECURING;
    conn_shake_hands(conn);
}

static void conn_connected(rl_conn *conn)
{
    int problem = 0;
    socklen_t size = sizeof(problem);

    if (getsockopt(conn->context->fd, SOL_SOCKET, SO_ERROR, &problem, &size) != 0) {
        problem = errno;
    }
    if (problem != 0) {
        rl_conn_break(conn, RL_UNREACHABLE, strerror(problem));
        return;
    }
    conn->context->flags |= REDIS_CONNECTED;
    fcntl(conn->context->fd, F_SETFL, fcntl(conn->context->fd, F_GETFL) & ~O_NONBLOCK); /* see READ_WAIT */
    if (conn->endpoint.tls) {
        conn_secure(conn);
    } else {
        conn_log_in(conn);
    }
}

/* A unix socket says EAGAIN then; the newest hiredis takes that for a connection under way, which it never is. */
static bool is_backlog_full(const rl_conn *conn, int problem)
{
    struct sockaddr_storage peer;
    socklen_t size = sizeof(peer);

    if (conn->endpoint.path == NULL) {
        return false;
    }
    return conn->context->err != 0 ? problem == EAGAIN
                                   : getpeername(conn->context->fd, (struct sockaddr *)&peer, &size) != 0;
}

static void conn_connect(rl_conn *conn)
{
    const rl_endpoint *endpoint = &conn->endpoint;

    conn_close(conn);
    conn->pid = platform_pid();
    errno = 0;
    conn->context = endpoint->path != NULL ? redisConnectUnixNonBlock(endpoint->path)
                                           : redisConnectNonBlock(endpoint->host, endpoint->port);
    if (conn->context == NULL) {
        rl_conn_break(conn, RL_UNREACHABLE, "out of memory");
        return;
    }
    if (is_backlog_full(conn, errno)) {
        conn_close(conn);
        conn->state = CONN_PAUSING;
        conn->retry_at = platform_now() + BACKLOG_PAUSE;
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

/* ---- sending and receiving ---- */

static void conn_send(rl_conn *conn)
{
    while (conn->out_sent < conn->out.len) {
        ssize_t n = send(conn->context->fd, conn->out.at + conn->out_sent, conn->out.len - conn->out_sent,
                         MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
            return;
        }
        if (n < 0) {
            rl_conn_break(conn, RL_LOST, strerror(errno));
            return;
        }
        conn->out_sent += (size_t)n;
        conn->traffic->bytes_sent += (uint64_t)n;
    }
    conn->out.len = 0;
    conn->out_sent = 0;
}

static void conn_answer(rl_conn *conn, redisReply *reply)
{
    rl_call *call = rl_pipeline_shift(&conn->calls);

    if (reply->type == REDIS_REPLY_ERROR && call->request.script != NULL && !call->send_eval &&
        rl_script_is_unknown(reply->str, (size_t)reply->len) && rl_pipeline_may_repeat(&conn->calls, call)) {
        freeReplyObject(reply);
        call->send_eval = true;
        conn->traffic->script_reloads++;
        conn_push(conn, call);
        conn_send(conn);
        return;
    }
    if (reply->type == REDIS_REPLY_ERROR) {
        rl_error_from_reply(&call->error, reply->str);
    } else if (call->request.script != NULL) {
        rl_script_set_add(&conn->ran, call->request.script);
    }
    call->reply = reply;
    call->answered = true;
    if (call->detached) {
        detached_call_end(call);
    }
}

/* Gives what was received to the parser: with TLS after it was opened, and while the handshake goes on to that. False:
 * the connection is broken now. */
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
        rl_conn_break(conn, RL_LOST, why);
    }
    return n == 0;
}

/* Reads what the socket has now, or waits READ_WAIT for it. False: the connection is broken now. */
static bool conn_read(rl_conn *conn, bool waits)
{
    char bytes[READ_SIZE];
    ssize_t n = recv(conn->context->fd, bytes, sizeof(bytes), waits ? 0 : MSG_DONTWAIT);

    if (n > 0) {
        conn->traffic->bytes_received += (uint64_t)n;
        conn->unanswered += (size_t)n;
        return conn_feed(conn, bytes, (size_t)n);
    }
    if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) {
        return true;
    }
    rl_conn_break(conn, RL_LOST, n == 0 ? "the server closed the connection" : strerror(errno));
    return false;
}

/* The same, and answers the calls. False: nothing came. */
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
    /* No further than to what is owed: a reader that has begun with more does not show it. */
    while (conn->context != NULL && (conn->calls.first != NULL || conn->state == CONN_LOGGING_IN)) {
        if (redisGetReplyFromReader(conn->context, &reply) != REDIS_OK) {
            rl_conn_break(conn, RL_MALFORMED, "the server's reply is malformed");
            return true;
        }
        if (reply == NULL) {
            break;
        }
        conn->unanswered = conn->elements = 0;
        if (conn->state == CONN_LOGGING_IN) {
            conn_login_reply(conn, reply);
            freeReplyObject(reply);
        } else {
            conn_answer(conn, reply);
        }
    }
    if (conn->context != NULL && conn->calls.first == NULL && conn->context->reader->pos < conn->context->reader->len) {
        rl_conn_break(conn, RL_MALFORMED, "the server sent what nobody asked for");
    }
    if (conn->context != NULL && conn->unanswered > RL_MAX_REPLY_BYTES) {
        rl_conn_break(conn, RL_MALFORMED, "the server's reply is too long");
    }
    return true;
}

void rl_conn_submit(rl_conn *conn, rl_call *call, int64_t connect_by)
{
    assert(call->conn == NULL && !call->answered);
    if (rl_conn_is_inherited(conn)) {
        rl_conn_break(conn, RL_LOST, "the connection belongs to another process");
    }
    conn_push_backlog(conn);
    conn_push(conn, call);
    if (conn->state == CONN_DOWN) {
        conn->connect_by = connect_by;
        conn_connect(conn);
    } else if (conn->state != CONN_READY) {
        conn->connect_by = platform_later(conn->connect_by, connect_by);
    } else if (!call->more) {
        conn_send(conn);
    }
}

void rl_conn_send_and_forget(rl_conn *conn, const rl_request *request, int64_t connect_by)
{
    rl_conn_submit(conn, rl_detached_call_new(request, false, true), connect_by);
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
    return rl_script_set_has(&conn->ran, script);
}

bool rl_conn_is_behind(const rl_conn *conn, int64_t since)
{
    const rl_call *call = rl_pipeline_first_detached(&conn->calls);

    return call != NULL && conn->state == CONN_READY && !rl_conn_is_inherited(conn) &&
           (call->detached_at < since || conn->calls.replies_pending > DETACHED_MANY);
}

bool rl_conn_may_be_kept(const rl_conn *conn)
{
    if (rl_pipeline_is_awaited(&conn->calls) || conn->state == CONN_DOWN ||
        conn->calls.replies_pending > DETACHED_MAX || rl_conn_is_inherited(conn)) {
        return false;
    }
    return conn->state != CONN_READY || conn->calls.replies_pending > 0 ||
           (conn->out.len == 0 && conn->context->reader->pos == conn->context->reader->len);
}

/* Of one that owes nothing: an end of file is a server that closed, a byte is a reply that belongs to nobody. */
static bool conn_is_silent(rl_conn *conn)
{
    char byte;
    ssize_t n = recv(conn->context->fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT);

    if (n > 0 && conn->tls != NULL) {
        /* TLS has messages of its own, session tickets mostly; a reply breaks the connection off. */
        conn_receive(conn, false);
        return conn->state == CONN_READY;
    }
    return n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR);
}

bool rl_conn_is_idle(rl_conn *conn)
{
    if (!rl_conn_may_be_kept(conn)) {
        return false;
    }
    if (conn->state == CONN_READY && conn->calls.replies_pending == 0) {
        return conn_is_silent(conn);
    }
    rl_wait(&conn, 1, platform_now(), NULL); /* takes what came meanwhile */
    if (conn->calls.replies_pending > 0 && platform_now() - conn->calls.first->detached_at > DETACHED_MAX_AGE) {
        return false;
    }
    return rl_conn_may_be_kept(conn) &&
           (conn->state != CONN_READY || conn->calls.replies_pending > 0 || conn_is_silent(conn));
}

/* ---- waiting ---- */

/* When this connection must be seen to even if nothing happens on its socket. */
static int64_t conn_alarm(const rl_conn *conn)
{
    switch (conn->state) {
    case CONN_PAUSING:
        return platform_earlier(conn->retry_at, conn->connect_by);
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
    struct pollfd interest = {.fd = -1};

    if (conn != NULL && conn->context != NULL) {
        interest.fd = conn->context->fd;
        if (conn->state == CONN_CONNECTING) {
            interest.events = POLLOUT;
        } else {
            interest.events = (short)(conn->out.len > 0 ? POLLIN | POLLOUT : POLLIN);
        }
    }
    return interest;
}

/* A plain Redis takes a handshake for the beginning of a line, and waits in silence for its end. */
static const char *late_connection(const rl_conn *conn)
{
    return conn->state == CONN_SECURING
               ? "TLS: the handshake did not end in time; the server hangs, or does not speak TLS on this port"
               : "the connection was not made in time";
}

/* True when something happened. */
static bool conn_attend(rl_conn *conn, short events)
{
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
    if (conn_alarm(conn) <= platform_now()) {
        if (conn->state == CONN_PAUSING && conn->connect_by > platform_now()) {
            conn_connect(conn);
        } else {
            rl_conn_break(conn, RL_UNREACHABLE, late_connection(conn));
        }
        return true;
    }
    return events != 0;
}

/* Until the server has ended its half, which it does when it has run what we sent. */
static void conn_linger(rl_conn *conn, int64_t until)
{
    struct pollfd interest = {.fd = conn->context->fd, .events = POLLIN};
    char replies[512];
    ssize_t n;

    shutdown(conn->context->fd, SHUT_WR);
    do {
        if (poll(&interest, 1, platform_poll_ms(until)) == 0) {
            return;
        }
        n = recv(conn->context->fd, replies, sizeof(replies), MSG_DONTWAIT);
    } while ((n > 0 || (n < 0 && (errno == EAGAIN || errno == EINTR))) && platform_now() < until);
}

bool rl_conn_close_after(rl_conn *conn, const rl_request *last, int64_t until)
{
    bool sent = false;

    if (conn->state == CONN_READY && !rl_conn_is_inherited(conn)) {
        conn_write(conn, last, true);
        conn_send(conn);
        sent = conn->state == CONN_READY && conn->out.len == 0; /* half a request does not run */
    }
    if (sent) {
        conn_linger(conn, until);
    }
    rl_conn_break(conn, RL_LOST, "the connection was given up");
    return sent;
}

/* Sends what was queued. True when a connection broke on it. */
static bool flush_conns(rl_conn *const *conns, size_t count)
{
    bool broke = false;

    for (size_t i = 0; i < count; i++) {
        rl_conn *conn = conns[i]; /* a connection that breaks takes itself out of its calls, where this may stand */

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

/* True when something happened on one of the connections by `wake`. */
static bool poll_conns(rl_conn *const *conns, size_t count, int64_t wake)
{
    struct pollfd interests[MAX_WAIT_CONNS];
    bool happened = false;

    for (size_t i = 0; i < count; i++) {
        interests[i] = conn_interest(conns[i]);
        wake = conns[i] != NULL ? platform_earlier(wake, conn_alarm(conns[i])) : wake;
    }
    if (poll(interests, (nfds_t)count, platform_poll_ms(wake)) < 0) {
        if (errno != EINTR) {
            break_conns(conns, count, strerror(errno));
            return true;
        }
        memset(interests, 0, count * sizeof(*interests));
    }
    for (size_t i = 0; i < count; i++) {
        happened |= conns[i] != NULL && conn_attend(conns[i], interests[i].revents);
    }
    return happened;
}

/* Is there nothing to do but to read from this connection, and time to wait for it there? */
static bool only_reads(const rl_conn *conn, int64_t left)
{
    return conn != NULL && conn->state == CONN_READY && conn->may_read_waiting && conn->out.len == 0 &&
           left >= 2 * READ_WAIT;
}

rl_wake rl_wait(rl_conn *const *conns, size_t count, int64_t until, const rl_hook *hook)
{
    bool soon = count == 1;

    assert(count <= MAX_WAIT_CONNS);
    for (;;) {
        int64_t now = platform_now();
        int64_t wake = platform_earlier(until, now + HOOK_INTERVAL);

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
        /* Not the other way round: bytes that trickle in without end must not hold the deadline up. */
        if (platform_now() >= until) {
            return RL_WAKE_DEADLINE;
        }
        if (happened) {
            return RL_WAKE_EVENT;
        }
    }
}

void rl_call_give_up(rl_call *call, rl_wake woken)
{
    if (call->answered) {
        return;
    }
    if (woken == RL_WAKE_HOOK) {
        call_fail(call, RL_INTERRUPTED, "interrupted");
    } else {
        call_fail(call, before_sending(call->conn, RL_TIMED_OUT), "no answer in time");
    }
}

void rl_call_wait(rl_call *call, int64_t until, const rl_hook *hook)
{
    rl_wake woken = RL_WAKE_EVENT;

    while (!call->answered && woken == RL_WAKE_EVENT) {
        woken = rl_wait(&call->conn, 1, until, hook);
    }
    rl_call_give_up(call, woken);
}

/* SPDX-License-Identifier: MIT
 *
 * redis/node: see redis/node.h. hiredis connects and parses; sending, waiting and matching replies to calls is ours,
 * since hiredis' blocking calls retry EINTR for ever, count their timeout per system call, and serve one server only.
 */
#include "redis/node.h"

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

#define MAX_WAIT_NODES 32

#define READ_SIZE (16 * 1024)

/* A unix socket whose backlog is full says so at once instead of letting us wait in line. */
#define BACKLOG_PAUSE (2 * PLATFORM_MSEC)

/* So long a server may owe an answer that nobody waits for, and so many, before its connection is given up: no fewer,
 * since what was not read yet then is lost, and with it what undoes a lock; and what undoes it on the next connection may
 * be read before the lock is on this one. */
#define OWED_LONGEST (10 * PLATFORM_SEC)
#define OWED_MOST    4096

/* So many, and the scripts that they bring, are in the 16 kB that Redis reads, and so runs, before it sees us gone. */
#define OWED_MANY 16

/* How long a signal that arrived just before poll() may go unnoticed. */
#define HOOK_INTERVAL PLATFORM_SEC

/* Most answers come at once, so a lone connection is read from without asking poll() first, and reading waits so long;
 * what does not come in that time is waited for with poll(). */
#define READ_WAIT (10 * PLATFORM_MSEC)

typedef enum node_state {
    NODE_DOWN,
    NODE_PAUSING,    /* connects again at `retry_at` */
    NODE_CONNECTING, /* until the socket can be written to */
    NODE_SECURING,   /* the TLS handshake goes on */
    NODE_LOGGING_IN, /* `login_owed` replies to AUTH and SELECT are awaited */
    NODE_READY,
} node_state;

#if HIREDIS_MAJOR >= 1
typedef size_t reader_elements;
#else
typedef int reader_elements;
#endif
typedef void *(*reader_create_array)(const redisReadTask *, reader_elements);

struct redis_node {
    redis_endpoint endpoint;
    node_state state;
    redisContext *context;               /* NULL: not connected */
    redisReplyObjectFunctions functions; /* hiredis' own, with a bound on arrays */
    reader_create_array create_array;    /* the one that is bounded */
    int64_t pid;                         /* whose the socket is */
    int64_t connect_by;
    int64_t retry_at;
    int64_t connected_at; /* 0: not */
    int64_t ready_since;  /* while NODE_READY */
    unsigned login_owed;
    redis_tls *tls;     /* NULL: plain */
    redis_buffer plain; /* with TLS: a request before it is sealed */
    redis_buffer out;   /* of which `out_sent` bytes are on their way */
    size_t out_sent;
    redis_pipeline calls;  /* not answered yet; before NODE_READY not sent yet either */
    size_t unanswered;     /* bytes that came since the last reply was whole, */
    size_t elements;       /* and elements of its arrays */
    bool was_ready;        /* so that the next connection replaces one */
    bool may_read_waiting; /* see READ_WAIT */
    redis_traffic *traffic;
    redis_traffic own_traffic; /* where nobody counts */
    redis_backlog *backlog;    /* NULL: none */

    /* Over this connection: */
    redis_script_set brought; /* see redis_request.brings */
    redis_script_set ran;     /* and were not refused */
};

redis_node *redis_node_new(const redis_endpoint *endpoint, redis_traffic *traffic, redis_backlog *backlog)
{
    redis_node *node = platform_zalloc(sizeof(*node));

    redis_endpoint_copy(&node->endpoint, endpoint);
    node->traffic = traffic != NULL ? traffic : &node->own_traffic;
    node->backlog = backlog;
    node->pid = platform_pid();
    return node;
}

const redis_endpoint *redis_node_endpoint(const redis_node *node)
{
    return &node->endpoint;
}

bool redis_node_is_inherited(const redis_node *node)
{
    return node->pid != platform_pid();
}

/* ---- calls ---- */

static void call_fail(redis_call *call, redis_failure kind, const char *text)
{
    call->error.kind = kind;
    snprintf(call->error.text, sizeof(call->error.text), "%s", text);
}

void redis_call_disown(redis_call *call, bool must_run)
{
    redis_node *node = call->node;

    if (node != NULL) {
        bool goes_on = must_run || node->state == NODE_READY;
        redis_pipeline_replace(&node->calls, call,
                               goes_on ? redis_orphan_new(&call->request, call->whole, must_run) : NULL);
    }
}

void redis_call_init(redis_call *call)
{
    call->node = NULL;
    call->next = NULL;
    call->reply = NULL;
    call->disowned = false;
    redis_call_reset(call);
}

void redis_call_reset(redis_call *call)
{
    if (call->node != NULL) {
        redis_node_break(call->node, REDIS_LOST, "the call was given up");
    }
    if (call->reply != NULL) {
        freeReplyObject(call->reply);
    }
    call->reply = NULL;
    call->answered = false;
    call->whole = call->more = false;
    redis_error_clear(&call->error);
}

/* ---- connecting ---- */

/* Closes the socket, nothing else: no QUIT, since it may be our parent's. */
static void node_close(redis_node *node)
{
    if (node->context != NULL) {
        redisFree(node->context);
        node->context = NULL;
    }
    redis_tls_free(node->tls);
    node->tls = NULL;
    node->state = NODE_DOWN;
    node->connected_at = 0;
    node->unanswered = node->elements = 0;
    node->brought.count = node->ran.count = 0;
    node->out.len = 0;
    node->out_sent = 0;
}

/* What was not sent cannot have happened. */
static redis_failure before_sending(const redis_node *node, redis_failure kind)
{
    return node->state == NODE_READY || kind == REDIS_REFUSED ? kind : REDIS_UNREACHABLE;
}

/* Ends a call that nobody waits for. */
static void orphan_end(redis_call *call)
{
    if (call->backlog != NULL) {
        redis_backlog_settle(call->backlog, call->backlog_id, &call->error, call->reply);
    }
    freeReplyObject(call->reply);
    free(call);
}

void redis_node_break(redis_node *node, redis_failure kind, const char *text)
{
    char reason[sizeof(((redis_error *)NULL)->text)];

    kind = before_sending(node, kind);
    snprintf(reason, sizeof(reason), "%s", text); /* it may stand in the context that is closed now */
    node_close(node);
    for (redis_call *call; (call = redis_pipeline_shift(&node->calls)) != NULL;) {
        call_fail(call, kind, reason);
        call->answered = true;
        if (call->disowned) {
            orphan_end(call);
        }
    }
}

void redis_node_free(redis_node *node)
{
    if (node == NULL) {
        return;
    }
    redis_node_break(node, REDIS_LOST, "the connection was closed");
    redis_buffer_free(&node->plain);
    redis_buffer_free(&node->out);
    redis_endpoint_free(&node->endpoint);
    free(node);
}

static void *bounded_array(const redisReadTask *task, reader_elements elements)
{
    redis_node *node = task->privdata;

    if ((size_t)elements > REDIS_MAX_REPLY_ELEMENTS - node->elements) {
        return NULL;
    }
    node->elements += (size_t)elements;
    return node->create_array(task, elements);
}

/* hiredis 0.14 has no limit on elements, newer ones have one of 2^32: an array of NULLs for a hostile number of them
 * is allocated before the first has arrived. */
static void bound_replies(redis_node *node)
{
    redisReader *reader = node->context->reader;

    node->functions = *reader->fn;
    node->create_array = node->functions.createArray;
    node->functions.createArray = bounded_array;
    reader->fn = &node->functions;
    reader->privdata = node;
}

static void set_socket_options(redis_node *node)
{
    int fd = node->context->fd;

    fcntl(fd, F_SETFD, fcntl(fd, F_GETFD) | FD_CLOEXEC);
    node->may_read_waiting =
        setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &(struct timeval){.tv_usec = READ_WAIT}, sizeof(struct timeval)) == 0;
#ifdef SO_NOSIGPIPE
    setsockopt(fd, SOL_SOCKET, SO_NOSIGPIPE, &(int){1}, sizeof(int));
#endif
    if (node->endpoint.path == NULL) {
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int)); /* hiredis 1 leaves it out here */
        redisEnableKeepAlive(node->context);                              /* a peer that vanished ends a long wait */
    }
}

static void node_send(redis_node *node);

/* Is this the first time that this connection is to bring the script? */
static bool node_brings(redis_node *node, const redis_request *request)
{
    if (!request->brings || redis_script_set_has(&node->brought, request->script)) {
        return false;
    }
    redis_script_set_add(&node->brought, request->script);
    return true;
}

/* Puts the request among what is to be sent. A session that is broken shows when it is read from. */
static void node_write(redis_node *node, const redis_request *request, bool whole)
{
    whole |= node_brings(node, request);
    if (node->tls == NULL) {
        redis_buffer_request(&node->out, request, whole);
        return;
    }
    node->plain.len = 0;
    redis_buffer_request(&node->plain, request, whole);
    redis_tls_seal(node->tls, node->plain.at, node->plain.len, &node->out);
}

/* Puts the call behind the others; what is not written here is when the node is ready. */
static void node_push(redis_node *node, redis_call *call)
{
    redis_pipeline_push(&node->calls, node, call);
    if (node->state == NODE_READY) {
        node_write(node, &call->request, call->whole);
    }
}

/* Not before it is ready: where nobody can be reached, the backlog would be gone through for each call. */
static void node_push_backlog(redis_node *node)
{
    redis_backlog *backlog = node->state == NODE_READY ? node->backlog : NULL;
    redis_call *call;

    while (backlog != NULL && backlog->count > 0 && (call = redis_backlog_next(backlog, &node->endpoint)) != NULL) {
        node_push(node, call);
    }
}

static void node_ready(redis_node *node)
{
    redis_pipeline waiting = node->calls;
    redis_call *call;

    node->state = NODE_READY;
    node->ready_since = platform_now();
    node->traffic->connections++;
    node->traffic->reconnects += node->was_ready;
    node->was_ready = true;
    node->calls = (redis_pipeline){0};
    node_push_backlog(node);
    while ((call = redis_pipeline_shift(&waiting)) != NULL) {
        node_push(node, call);
    }
    node_send(node);
}

/* Nothing else goes out before both are granted: it would run as another user, or in another database. */
static void node_log_in(redis_node *node)
{
    const redis_endpoint *endpoint = &node->endpoint;
    char digits[24];

    node->login_owed = 0;
    if (endpoint->password != NULL) {
        redis_request auth = {0};
        redis_request_add(&auth, REDIS_LITERAL("AUTH"));
        if (endpoint->username != NULL) {
            redis_request_add(&auth, (redis_bytes){endpoint->username, strlen(endpoint->username)});
        }
        redis_request_add(&auth, (redis_bytes){endpoint->password, endpoint->password_len});
        node_write(node, &auth, false);
        node->login_owed++;
    }
    if (endpoint->database != 0) {
        redis_request select = {0};
        redis_request_add(&select, REDIS_LITERAL("SELECT"));
        redis_request_add_number(&select, endpoint->database, digits);
        node_write(node, &select, false);
        node->login_owed++;
    }
    if (node->login_owed == 0) {
        node_ready(node);
        return;
    }
    node->state = NODE_LOGGING_IN;
    node_send(node);
}

/* The server's text may repeat what we sent, the password with it: only its first word is kept. */
static void node_login_reply(redis_node *node, const redisReply *reply)
{
    bool is_auth = node->login_owed == 2 || node->endpoint.database == 0;
    char text[160];
    redis_error error;

    if (reply->type == REDIS_REPLY_STATUS) {
        if (--node->login_owed == 0) {
            node_ready(node);
        }
        return;
    }
    if (reply->type != REDIS_REPLY_ERROR) {
        redis_node_break(node, REDIS_MALFORMED, "the reply to the login is malformed");
        return;
    }
    redis_error_from_reply(&error, reply->str);
    if (is_auth) {
        snprintf(text, sizeof(text), "the login was refused (%s)", error.code);
    } else if (strcmp(error.code, "NOAUTH") == 0) {
        snprintf(text, sizeof(text), "a password is needed (NOAUTH)");
    } else {
        snprintf(text, sizeof(text), "database %ld was refused (%s)", node->endpoint.database, error.code);
    }
    for (redis_call *call = node->calls.first; call != NULL; call = call->next) {
        memcpy(call->error.code, error.code, sizeof(error.code));
    }
    redis_node_break(node, REDIS_REFUSED, text);
}

/* Takes the handshake a step further. Nothing is sent through a session whose peer was not checked. */
static void node_shake_hands(redis_node *node)
{
    char why[200];
    redis_tls_step step = redis_tls_handshake(node->tls, &node->out, why, sizeof(why));

    node_send(node); /* also an alert that says why we go */
    if (node->state != NODE_SECURING || step == REDIS_TLS_MORE) {
        return;
    }
    if (step == REDIS_TLS_FAILED) {
        redis_node_break(node, REDIS_UNREACHABLE, why);
    } else {
        node_log_in(node);
    }
}

static void node_secure(redis_node *node)
{
    char why[200];

    node->tls = redis_tls_new(&node->endpoint.tls_options, node->endpoint.host, why, sizeof(why));
    if (node->tls == NULL) {
        redis_node_break(node, REDIS_UNREACHABLE, why);
        return;
    }
    node->state = NODE_SECURING;
    node_shake_hands(node);
}

static void node_connected(redis_node *node)
{
    int problem = 0;
    socklen_t size = sizeof(problem);

    if (getsockopt(node->context->fd, SOL_SOCKET, SO_ERROR, &problem, &size) != 0) {
        problem = errno;
    }
    if (problem != 0) {
        redis_node_break(node, REDIS_UNREACHABLE, strerror(problem));
        return;
    }
    node->context->flags |= REDIS_CONNECTED;
    fcntl(node->context->fd, F_SETFL, fcntl(node->context->fd, F_GETFL) & ~O_NONBLOCK); /* see READ_WAIT */
    if (node->endpoint.tls) {
        node_secure(node);
    } else {
        node_log_in(node);
    }
}

/* A unix socket says EAGAIN then; the newest hiredis takes that for a connection under way, which it never is. */
static bool is_backlog_full(const redis_node *node, int problem)
{
    struct sockaddr_storage peer;
    socklen_t size = sizeof(peer);

    if (node->endpoint.path == NULL) {
        return false;
    }
    return node->context->err != 0 ? problem == EAGAIN
                                   : getpeername(node->context->fd, (struct sockaddr *)&peer, &size) != 0;
}

static void node_connect(redis_node *node)
{
    const redis_endpoint *endpoint = &node->endpoint;

    node_close(node);
    node->pid = platform_pid();
    errno = 0;
    node->context = endpoint->path != NULL ? redisConnectUnixNonBlock(endpoint->path)
                                           : redisConnectNonBlock(endpoint->host, endpoint->port);
    if (node->context == NULL) {
        redis_node_break(node, REDIS_UNREACHABLE, "out of memory");
        return;
    }
    if (is_backlog_full(node, errno)) {
        node_close(node);
        node->state = NODE_PAUSING;
        node->retry_at = platform_now() + BACKLOG_PAUSE;
        return;
    }
    if (node->context->err != 0) {
        redis_node_break(node, REDIS_UNREACHABLE, node->context->errstr);
        return;
    }
    bound_replies(node);
    set_socket_options(node);
    node->state = NODE_CONNECTING;
    node->connected_at = platform_now();
    if (endpoint->path != NULL) {
        node_connected(node); /* a unix socket connects at once or not at all */
    }
}

/* ---- sending and receiving ---- */

static void node_send(redis_node *node)
{
    while (node->out_sent < node->out.len) {
        ssize_t n = send(node->context->fd, node->out.at + node->out_sent, node->out.len - node->out_sent,
                         MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
            return;
        }
        if (n < 0) {
            redis_node_break(node, REDIS_LOST, strerror(errno));
            return;
        }
        node->out_sent += (size_t)n;
        node->traffic->bytes_sent += (uint64_t)n;
    }
    node->out.len = 0;
    node->out_sent = 0;
}

static void node_answer(redis_node *node, redisReply *reply)
{
    redis_call *call = redis_pipeline_shift(&node->calls);

    if (reply->type == REDIS_REPLY_ERROR && call->request.script != NULL && !call->whole &&
        redis_script_is_unknown(reply->str, (size_t)reply->len) && redis_pipeline_may_repeat(&node->calls, call)) {
        freeReplyObject(reply);
        call->whole = true;
        node->traffic->script_reloads++;
        node_push(node, call);
        node_send(node);
        return;
    }
    if (reply->type == REDIS_REPLY_ERROR) {
        redis_error_from_reply(&call->error, reply->str);
    } else if (call->request.script != NULL) {
        redis_script_set_add(&node->ran, call->request.script);
    }
    call->reply = reply;
    call->answered = true;
    if (call->disowned) {
        orphan_end(call);
    }
}

/* Gives what was received to the parser: with TLS after it was opened, and while the handshake goes on to that. False:
 * the node is broken now. */
static bool node_feed(redis_node *node, const char *bytes, size_t len)
{
    char plain[READ_SIZE], why[200];
    long n;

    if (node->tls == NULL) {
        redisReaderFeed(node->context->reader, bytes, len);
        return true;
    }
    redis_tls_feed(node->tls, bytes, len);
    if (node->state == NODE_SECURING) {
        node_shake_hands(node);
    }
    if (node->context == NULL || node->state == NODE_SECURING) {
        return node->context != NULL;
    }
    while ((n = redis_tls_open(node->tls, plain, sizeof(plain), why, sizeof(why))) > 0) {
        redisReaderFeed(node->context->reader, plain, (size_t)n);
    }
    if (n < 0) {
        redis_node_break(node, REDIS_LOST, why);
    }
    return n == 0;
}

/* Reads what the socket has now, or waits READ_WAIT for it. False: the node is broken now. */
static bool node_read(redis_node *node, bool waits)
{
    char bytes[READ_SIZE];
    ssize_t n = recv(node->context->fd, bytes, sizeof(bytes), waits ? 0 : MSG_DONTWAIT);

    if (n > 0) {
        node->traffic->bytes_received += (uint64_t)n;
        node->unanswered += (size_t)n;
        return node_feed(node, bytes, (size_t)n);
    }
    if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) {
        return true;
    }
    redis_node_break(node, REDIS_LOST, n == 0 ? "the server closed the connection" : strerror(errno));
    return false;
}

/* The same, and answers the calls. False: nothing came. */
static bool node_receive(redis_node *node, bool waits)
{
    uint64_t before = node->traffic->bytes_received;
    void *reply;

    if (!node_read(node, waits)) {
        return true;
    }
    if (node->traffic->bytes_received == before) {
        return false;
    }
    /* No further than to what is owed: a reader that has begun with more does not show it. */
    while (node->context != NULL && (node->calls.first != NULL || node->state == NODE_LOGGING_IN)) {
        if (redisGetReplyFromReader(node->context, &reply) != REDIS_OK) {
            redis_node_break(node, REDIS_MALFORMED, "the server's reply is malformed");
            return true;
        }
        if (reply == NULL) {
            break;
        }
        node->unanswered = node->elements = 0;
        if (node->state == NODE_LOGGING_IN) {
            node_login_reply(node, reply);
            freeReplyObject(reply);
        } else {
            node_answer(node, reply);
        }
    }
    if (node->context != NULL && node->calls.first == NULL && node->context->reader->pos < node->context->reader->len) {
        redis_node_break(node, REDIS_MALFORMED, "the server sent what nobody asked for");
    }
    if (node->context != NULL && node->unanswered > REDIS_MAX_REPLY_BYTES) {
        redis_node_break(node, REDIS_MALFORMED, "the server's reply is too long");
    }
    return true;
}

void redis_node_submit(redis_node *node, redis_call *call, int64_t connect_by)
{
    assert(call->node == NULL && !call->answered);
    if (redis_node_is_inherited(node)) {
        redis_node_break(node, REDIS_LOST, "the connection belongs to another process");
    }
    node_push_backlog(node);
    node_push(node, call);
    if (node->state == NODE_DOWN) {
        node->connect_by = connect_by;
        node_connect(node);
    } else if (node->state != NODE_READY) {
        node->connect_by = platform_later(node->connect_by, connect_by);
    } else if (!call->more) {
        node_send(node);
    }
}

void redis_node_tell(redis_node *node, const redis_request *request, int64_t connect_by)
{
    redis_node_submit(node, redis_orphan_new(request, false, true), connect_by);
}

int64_t redis_node_ready_since(const redis_node *node)
{
    return node->state == NODE_READY ? node->ready_since : PLATFORM_NEVER;
}

int64_t redis_node_connection(const redis_node *node)
{
    return node->connected_at;
}

bool redis_node_has_run(const redis_node *node, const redis_script *script)
{
    return redis_script_set_has(&node->ran, script);
}

bool redis_node_is_behind(const redis_node *node, int64_t since)
{
    const redis_call *call = redis_pipeline_first_owed(&node->calls);

    return call != NULL && node->state == NODE_READY && !redis_node_is_inherited(node) &&
           (call->disowned_at < since || node->calls.owed > OWED_MANY);
}

bool redis_node_may_be_kept(const redis_node *node)
{
    if (redis_pipeline_is_awaited(&node->calls) || node->state == NODE_DOWN || node->calls.owed > OWED_MOST ||
        redis_node_is_inherited(node)) {
        return false;
    }
    return node->state != NODE_READY || node->calls.owed > 0 ||
           (node->out.len == 0 && node->context->reader->pos == node->context->reader->len);
}

/* Of one that owes nothing: an end of file is a server that closed, a byte is a reply that belongs to nobody. */
static bool is_silent(redis_node *node)
{
    char byte;
    ssize_t n = recv(node->context->fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT);

    if (n > 0 && node->tls != NULL) {
        /* TLS has messages of its own, session tickets mostly; a reply breaks the node off. */
        node_receive(node, false);
        return node->state == NODE_READY;
    }
    return n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR);
}

bool redis_node_is_idle(redis_node *node)
{
    if (!redis_node_may_be_kept(node)) {
        return false;
    }
    if (node->state == NODE_READY && node->calls.owed == 0) {
        return is_silent(node);
    }
    redis_wait(&node, 1, platform_now(), NULL); /* takes what came meanwhile */
    if (node->calls.owed > 0 && platform_now() - node->calls.first->disowned_at > OWED_LONGEST) {
        return false;
    }
    return redis_node_may_be_kept(node) && (node->state != NODE_READY || node->calls.owed > 0 || is_silent(node));
}

/* ---- waiting ---- */

/* When this node must be seen to even if nothing happens on its socket. */
static int64_t node_alarm(const redis_node *node)
{
    switch (node->state) {
    case NODE_PAUSING:
        return platform_earlier(node->retry_at, node->connect_by);
    case NODE_CONNECTING:
    case NODE_SECURING:
    case NODE_LOGGING_IN:
        return node->connect_by;
    default:
        return PLATFORM_NEVER;
    }
}

static struct pollfd node_interest(const redis_node *node)
{
    struct pollfd interest = {.fd = -1};

    if (node != NULL && node->context != NULL) {
        interest.fd = node->context->fd;
        if (node->state == NODE_CONNECTING) {
            interest.events = POLLOUT;
        } else {
            interest.events = (short)(node->out.len > 0 ? POLLIN | POLLOUT : POLLIN);
        }
    }
    return interest;
}

/* A plain Redis takes a handshake for the beginning of a line, and waits in silence for its end. */
static const char *late_connection(const redis_node *node)
{
    return node->state == NODE_SECURING
               ? "TLS: the handshake did not end in time; the server hangs, or does not speak TLS on this port"
               : "the connection was not made in time";
}

/* True when something happened. */
static bool node_attend(redis_node *node, short events)
{
    if (events != 0 && node->state == NODE_CONNECTING) {
        node_connected(node);
        return true;
    }
    if (events & POLLOUT) {
        node_send(node);
    }
    if (node->context != NULL && events & (POLLIN | POLLHUP | POLLERR | POLLNVAL)) {
        node_receive(node, false);
    }
    if (node_alarm(node) <= platform_now()) {
        if (node->state == NODE_PAUSING && node->connect_by > platform_now()) {
            node_connect(node);
        } else {
            redis_node_break(node, REDIS_UNREACHABLE, late_connection(node));
        }
        return true;
    }
    return events != 0;
}

/* Until the server has ended its half, which it does when it has run what we sent. */
static void node_linger(redis_node *node, int64_t until)
{
    struct pollfd interest = {.fd = node->context->fd, .events = POLLIN};
    char replies[512];
    ssize_t n;

    shutdown(node->context->fd, SHUT_WR);
    do {
        if (poll(&interest, 1, platform_poll_ms(until)) == 0) {
            return;
        }
        n = recv(node->context->fd, replies, sizeof(replies), MSG_DONTWAIT);
    } while ((n > 0 || (n < 0 && (errno == EAGAIN || errno == EINTR))) && platform_now() < until);
}

bool redis_node_part(redis_node *node, const redis_request *last, int64_t until)
{
    bool sent = false;

    if (node->state == NODE_READY && !redis_node_is_inherited(node)) {
        node_write(node, last, true);
        node_send(node);
        sent = node->state == NODE_READY && node->out.len == 0; /* half a request does not run */
    }
    if (sent) {
        node_linger(node, until);
    }
    redis_node_break(node, REDIS_LOST, "the connection was given up");
    return sent;
}

/* Sends what was queued. True when a node broke on it. */
static bool flush(redis_node *const *nodes, size_t count)
{
    bool broke = false;

    for (size_t i = 0; i < count; i++) {
        redis_node *node = nodes[i]; /* a node that breaks takes itself out of its calls, where this may stand */

        if (node != NULL && node->out.len > 0) {
            node_send(node);
            broke |= node->state == NODE_DOWN;
        }
    }
    return broke;
}

static void break_all(redis_node *const *nodes, size_t count, const char *why)
{
    for (size_t i = 0; i < count; i++) {
        if (nodes[i] != NULL) {
            redis_node_break(nodes[i], REDIS_LOST, why);
        }
    }
}

/* True when something happened on one of the nodes by `wake`. */
static bool watch(redis_node *const *nodes, size_t count, int64_t wake)
{
    struct pollfd interests[MAX_WAIT_NODES];
    bool happened = false;

    for (size_t i = 0; i < count; i++) {
        interests[i] = node_interest(nodes[i]);
        wake = nodes[i] != NULL ? platform_earlier(wake, node_alarm(nodes[i])) : wake;
    }
    if (poll(interests, (nfds_t)count, platform_poll_ms(wake)) < 0) {
        if (errno != EINTR) {
            break_all(nodes, count, strerror(errno));
            return true;
        }
        memset(interests, 0, count * sizeof(*interests));
    }
    for (size_t i = 0; i < count; i++) {
        happened |= nodes[i] != NULL && node_attend(nodes[i], interests[i].revents);
    }
    return happened;
}

/* Is there nothing to do but to read from this node, and time to wait for it there? */
static bool only_reads(const redis_node *node, int64_t left)
{
    return node != NULL && node->state == NODE_READY && node->may_read_waiting && node->out.len == 0 &&
           left >= 2 * READ_WAIT;
}

redis_woken redis_wait(redis_node *const *nodes, size_t count, int64_t until, const redis_hook *hook)
{
    bool soon = count == 1;

    assert(count <= MAX_WAIT_NODES);
    for (;;) {
        int64_t now = platform_now();
        int64_t wake = platform_earlier(until, now + HOOK_INTERVAL);

        if (hook != NULL && hook->interrupted != NULL && hook->interrupted(hook->arg)) {
            return REDIS_HOOK_SAYS;
        }
        bool happened = flush(nodes, count);
        if (!happened && soon && only_reads(nodes[0], wake - now)) {
            happened = node_receive(nodes[0], true);
            soon = false;
        } else if (!happened) {
            happened = watch(nodes, count, wake);
        }
        /* Not the other way round: bytes that trickle in without end must not hold the deadline up. */
        if (platform_now() >= until) {
            return REDIS_TIME_IS_UP;
        }
        if (happened) {
            return REDIS_WOKEN;
        }
    }
}

void redis_call_give_up(redis_call *call, redis_woken woken)
{
    if (call->answered) {
        return;
    }
    if (woken == REDIS_HOOK_SAYS) {
        call_fail(call, REDIS_INTERRUPTED, "interrupted");
    } else {
        call_fail(call, before_sending(call->node, REDIS_TIMED_OUT), "no answer in time");
    }
}

void redis_call_wait(redis_call *call, int64_t until, const redis_hook *hook)
{
    redis_woken woken = REDIS_WOKEN;

    while (!call->answered && woken == REDIS_WOKEN) {
        woken = redis_wait(&call->node, 1, until, hook);
    }
    redis_call_give_up(call, woken);
}

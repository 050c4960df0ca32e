/* SPDX-License-Identifier: MIT
 *
 * wire: the relay, the liar and the puppet of bed.h, each a process of its own.
 */
#define _GNU_SOURCE /* memmem() */
#include "bed.h"

#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static int listen_unix(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

    snprintf(address.sun_path, sizeof(address.sun_path), "%s", path);
    CHECK(bind(fd, (struct sockaddr *)&address, sizeof(address)) == 0 && listen(fd, 128) == 0);
    return fd;
}

static int connect_unix(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

    snprintf(address.sun_path, sizeof(address.sun_path), "%s", path);
    if (connect(fd, (struct sockaddr *)&address, sizeof(address)) != 0) {
        close(fd);
        return -1;
    }
    return fd;
}

/* Returns a socket that is bound to the port, beside others that are; if `*port` is 0, to one of the system's choice. */
static int bind_tcp(int *port)
{
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK), .sin_port = htons((uint16_t)*port)};
    socklen_t size = sizeof(address);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), on = 1;

    CHECK(setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &on, sizeof(on)) == 0);
    CHECK(bind(fd, (struct sockaddr *)&address, sizeof(address)) == 0);
    CHECK(getsockname(fd, (struct sockaddr *)&address, &size) == 0);
    *port = ntohs(address.sin_port);
    return fd;
}

static int listen_tcp(int *port)
{
    *port = 0;
    int fd = bind_tcp(port);

    CHECK(listen(fd, 128) == 0);
    return fd;
}

static void send_all(int fd, const char *bytes, size_t len)
{
    while (len > 0) {
        ssize_t n = send(fd, bytes, len, MSG_NOSIGNAL);
        if (n <= 0) {
            return;
        }
        bytes += n;
        len -= (size_t)n;
    }
}

/* ---- relay ---- */

#define MAX_WIRES 64

/* One connection through the relay. */
typedef struct wire {
    int client, server; /* sockets to both ends; -1: closed */
    int number;         /* counts the connections, from 1 on */
    char *held;         /* requests that are kept back; NULL: none yet */
    size_t held_len;
} wire;

typedef struct relay_state {
    struct relay_control *control;
    wire wires[MAX_WIRES];
    int count;
} relay_state;

static void wire_cut(wire *w)
{
    if (w->client >= 0) {
        close(w->client);
    }
    if (w->server >= 0) {
        close(w->server);
    }
    w->client = w->server = -1;
}

/* Are requests on this connection kept back now? */
static bool is_held(const relay_state *r, const wire *w)
{
    return atomic_load(&r->control->hold) == w->number;
}

/* Is this one of the requests behind which the hold begins? */
static bool passes(const relay_state *r)
{
    return atomic_load(&r->control->pass) > 0 && atomic_fetch_sub(&r->control->pass, 1) > 0;
}

/* Passes on what was kept back, as soon as the connection is no longer held. Called before anything newer is passed on.
 * If the client has gone meanwhile, the connection to the server is then closed as well. */
static void wire_let_go(relay_state *r, wire *w)
{
    if (w->held_len > 0 && !is_held(r, w)) {
        send_all(w->server, w->held, w->held_len);
        w->held_len = 0;
        if (w->client < 0) {
            sleep_ms(20); /* the server is to read the requests before it sees the end, as with the client's own */
            wire_cut(w);
        }
    }
}

/* Is this a request with more arguments than any other than one for several leases has? */
static bool is_for_many(const char *bytes, ssize_t n)
{
    return n > 2 && bytes[0] == '*' && strtol(bytes + 1, NULL, 10) > RL_MAX_ARGS + 1;
}

/* Refuses a whole request, as a server does that may not write just then. Returns false if it is to be passed on. */
static bool wire_refuses(relay_state *r, wire *w, const char *bytes, ssize_t n)
{
    static const char refusal[] = "-MISCONF the relay refuses it\r\n";

    if (atomic_load(&r->control->refuse) == 0 || !is_for_many(bytes, n)) {
        return false;
    }
    atomic_fetch_sub(&r->control->refuse, 1);
    send_all(w->client, refusal, sizeof(refusal) - 1);
    return true;
}

/* Reads from the client, and passes it on or keeps it back. What a client sent before it closed is passed on too. */
static void wire_request(relay_state *r, wire *w)
{
    char bytes[65536];
    ssize_t n = recv(w->client, bytes, sizeof(bytes), 0);

    wire_let_go(r, w);
    if (n <= 0) {
        close(w->client);
        w->client = -1;
        if (!is_held(r, w)) {
            shutdown(w->server, SHUT_WR); /* not close(): the server may not have read everything yet */
        }
        return;
    }
    atomic_fetch_add(&r->control->requests, 1);
    if (is_held(r, w) && !passes(r)) {
        w->held = platform_realloc(w->held, w->held_len + (size_t)n);
        memcpy(w->held + w->held_len, bytes, (size_t)n);
        w->held_len += (size_t)n;
    } else if (!wire_refuses(r, w, bytes, n)) {
        send_all(w->server, bytes, (size_t)n);
    }
}

/* Reads from the server, and passes it on or loses it. */
static void wire_reply(relay_state *r, wire *w)
{
    char bytes[16384];
    ssize_t n = recv(w->server, bytes, sizeof(bytes), 0);

    if (n <= 0) {
        wire_cut(w);
    } else if (atomic_load(&r->control->swallow) > 0 && atomic_fetch_sub(&r->control->swallow, 1) == 1) {
        atomic_fetch_add(&r->control->swallowed, 1); /* before the client can notice */
        wire_cut(w);
    } else if (w->client >= 0) {
        send_all(w->client, bytes, (size_t)n);
    }
}

static void relay_loop(relay_state *r, int listener, const char *upstream)
{
    struct pollfd fds[1 + 2 * MAX_WIRES];

    for (;;) {
        fds[0] = (struct pollfd){.fd = r->count < MAX_WIRES ? listener : -1, .events = POLLIN};
        for (int i = 0; i < r->count; i++) {
            fds[1 + 2 * i] = (struct pollfd){.fd = r->wires[i].client, .events = POLLIN};
            fds[2 + 2 * i] = (struct pollfd){.fd = r->wires[i].server, .events = POLLIN};
        }
        int count = r->count;
        poll(fds, 1 + 2 * (nfds_t)count, 2);
        for (int i = 0; i < count; i++) {
            wire *w = &r->wires[i];
            if (fds[1 + 2 * i].revents != 0 && w->client >= 0) {
                wire_request(r, w);
            }
            if (fds[2 + 2 * i].revents != 0 && w->server >= 0) {
                wire_reply(r, w);
            }
            wire_let_go(r, w);
        }
        if (fds[0].revents != 0) {
            wire *w = &r->wires[r->count++];
            w->client = accept(listener, NULL, NULL);
            w->server = connect_unix(upstream);
            w->number = atomic_fetch_add(&r->control->connections, 1) + 1;
            if (w->server < 0) {
                wire_cut(w);
            }
        }
    }
}

typedef struct relay_start_arg {
    struct relay_control *control;
    int listener;
    const char *upstream;
} relay_start_arg;

static void relay_run(void *arg)
{
    relay_start_arg *start = arg;
    relay_state *r = platform_zalloc(sizeof(*r));

    r->control = start->control;
    relay_loop(r, start->listener, start->upstream);
}

void relay_start(relay *r, const server *s)
{
    static int number;

    snprintf(r->path, sizeof(r->path), "%s/relay-%d.sock", test_folder(), ++number);
    r->control = shared(sizeof(*r->control));
    relay_start_arg start = {r->control, listen_unix(r->path), s->path};
    r->pid = process_start(relay_run, &start);
    close(start.listener);
}

void relay_stop(relay *r)
{
    process_kill(r->pid);
    munmap(r->control, sizeof(*r->control));
}

/* ---- liar ---- */

/* Reads the header line of a bulk string or of an array, which is a type byte and a number. Returns what follows the
 * line, or NULL if not all of it is there yet. */
static const char *read_header(const char *at, const char *end, long *number)
{
    const char *line_end = memchr(at, '\n', (size_t)(end - at));

    if (line_end == NULL) {
        return NULL;
    }
    *number = strtol(at + 1, NULL, 10);
    return line_end + 1;
}

/* Returns the end of the request that begins at `at`, or NULL while a part of it is missing. */
static const char *skip_request(const char *at, const char *end)
{
    long args, len;

    if ((at = read_header(at, end, &args)) == NULL) {
        return NULL;
    }
    while (args-- > 0) {
        if (at >= end || (at = read_header(at, end, &len)) == NULL || end - at < len + 2) {
            return NULL;
        }
        at += len + 2;
    }
    return at;
}

static void reset_connection(int fd)
{
    struct linger at_once = {1, 0};

    setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
}

/* Collects bytes to send many at a time: a flood must be faster than its reader. */
typedef struct outflow {
    struct liar_control *control;
    int fd;
    size_t len;
    char bytes[65536];
} outflow;

static bool flow(outflow *out, const char *bytes, size_t len)
{
    if (out->len + len > sizeof(out->bytes)) {
        for (size_t sent = 0; sent < out->len;) {
            ssize_t n = send(out->fd, out->bytes + sent, out->len - sent, MSG_NOSIGNAL);
            if (n <= 0) {
                return false;
            }
            atomic_fetch_add(&out->control->sent, n);
            sent += (size_t)n;
        }
        out->len = 0;
    }
    memcpy(out->bytes + out->len, bytes, len);
    out->len += len;
    return true;
}

/* Sends an array of 64 arrays of 64 arrays and so on, with numbers at the `depth`-th level below. Each part is small
 * and within every bound. Returns whether the connection stays open. */
static bool tell_tree(outflow *out, int depth)
{
    bool stay = flow(out, "*64\r\n", 5);

    for (int i = 0; stay && i < 64; i++) {
        stay = depth > 0 ? tell_tree(out, depth - 1) : flow(out, ":1\r\n", 4);
    }
    return stay;
}

static bool tell_flood(outflow *out, const lie *l)
{
    while (flow(out, l->bytes, l->len)) {
    }
    return false;
}

/* Answers with the lie. Returns false if the connection is to be closed. */
static bool tell(struct liar_control *control, const lie *l, int fd)
{
    switch (l->how) {
    case LIE_DRIP:
        for (size_t i = 0; i < l->len; i++) {
            send_all(fd, l->bytes + i, 1);
            usleep(500);
        }
        return true;
    case LIE_TRICKLE:
        send_all(fd, l->bytes, l->len);
        while (send(fd, l->bytes + l->len - 1, 1, MSG_NOSIGNAL) == 1) {
        }
        return false;
    case LIE_TREE:
        return tell_tree(&(outflow){.control = control, .fd = fd}, 5);
    case LIE_FLOOD:
        return tell_flood(&(outflow){.control = control, .fd = fd}, l);
    case LIE_RESET:
        send_all(fd, l->bytes, l->len);
        reset_connection(fd);
        return false;
    case LIE_CLOSE:
        send_all(fd, l->bytes, l->len);
        return false;
    default:
        send_all(fd, l->bytes, l->len);
        return true;
    }
}

typedef struct victim {
    struct liar_control *control;
    int fd;
} victim;

/* Is the word an argument of the request? */
static bool has_argument(const char *request, size_t len, const char *word)
{
    char argument[64];
    int n = snprintf(argument, sizeof(argument), "\r\n%s\r\n", word);

    return memmem(request, len, argument, (size_t)n) != NULL;
}

/* Returns the lie that answers the request, which is the `told`-th of its connection. */
static const lie *lie_to(const struct liar_control *control, const char *request, size_t len, size_t told)
{
    for (size_t i = 0; i < control->count; i++) {
        if (control->to[i] != NULL && has_argument(request, len, control->to[i])) {
            return &control->lies[i];
        }
    }
    return &control->lies[told < control->count ? told : control->count - 1];
}

static void *liar_serve(void *arg)
{
    victim *v = arg;
    char buffer[65536];
    size_t len = 0, told = 0;
    bool stay = true;
    ssize_t n;

    while (stay && len < sizeof(buffer) && (n = recv(v->fd, buffer + len, sizeof(buffer) - len, 0)) > 0) {
        const char *at = buffer, *next;
        len += (size_t)n;
        while (stay && at < buffer + len && (next = skip_request(at, buffer + len)) != NULL) {
            const lie *l = lie_to(v->control, at, (size_t)(next - at), told++);
            at = next;
            atomic_fetch_add(&v->control->requests, 1);
            stay = tell(v->control, l, v->fd);
        }
        len -= (size_t)(at - buffer);
        memmove(buffer, at, len);
    }
    close(v->fd);
    free(v);
    return NULL;
}

typedef struct liar_start_arg {
    struct liar_control *control;
    int listener;
} liar_start_arg;

static void liar_run(void *arg)
{
    liar_start_arg *start = arg;

    for (;;) {
        victim *v = platform_alloc(sizeof(*v));
        v->control = start->control;
        v->fd = accept(start->listener, NULL, NULL);
        atomic_fetch_add(&v->control->connections, 1);
        pthread_detach(thread_start(liar_serve, v));
    }
}

void liar_start(liar *l, bool tcp, const lie *lies, size_t count)
{
    static int number;
    liar_start_arg start;
    int port;

    l->control = shared(sizeof(*l->control));
    memcpy(l->control->lies, lies, count * sizeof(*lies));
    l->control->count = count;
    start.control = l->control;
    if (tcp) {
        start.listener = listen_tcp(&port);
        snprintf(l->dsn, sizeof(l->dsn), "redis://127.0.0.1:%d", port);
    } else {
        char path[104];
        snprintf(path, sizeof(path), "%s/liar-%d.sock", test_folder(), ++number);
        start.listener = listen_unix(path);
        snprintf(l->dsn, sizeof(l->dsn), "unix://%s", path);
    }
    l->pid = process_start(liar_run, &start);
    close(start.listener);
}

void liar_stop(liar *l)
{
    if (l->pid != 0) {
        process_kill(l->pid);
    }
    munmap(l->control, sizeof(*l->control));
}

/* ---- puppet ---- */

/* Its last lie is the answer to all for which it has no other. */
void puppet_start(puppet *p)
{
    lie lies[MAX_LIES];

    p->texts = shared(MAX_LIES * PUPPET_TEXT);
    for (size_t i = 0; i < MAX_LIES; i++) {
        lies[i] = (lie){p->texts[i], 0, LIE_SEND};
    }
    liar_start(&p->liar, true, lies, MAX_LIES);
    p->port = atoi(strrchr(p->liar.dsn, ':') + 1);
    p->holds = bind_tcp(&p->port);
}

void puppet_stop(puppet *p)
{
    close(p->holds);
    liar_stop(&p->liar);
    munmap(p->texts, MAX_LIES * PUPPET_TEXT);
}

void puppet_kill(puppet *p)
{
    process_kill(p->liar.pid);
    p->liar.pid = 0;
}

static void puppet_tells(puppet *p, const char *word, const char *reply, lie_how how)
{
    struct liar_control *control = p->liar.control;
    size_t i = 0, len = strlen(reply);

    while (i < MAX_LIES - 1 && control->to[i] != NULL && strcmp(control->to[i], word) != 0) {
        i++;
    }
    CHECK(i < MAX_LIES - 1 && len < PUPPET_TEXT);
    control->lies[i].len = 0; /* while it changes, there is no answer */
    control->lies[i].how = how;
    memcpy(p->texts[i], reply, len + 1);
    control->to[i] = word;
    control->lies[i].len = len;
}

void puppet_answers(puppet *p, const char *word, const char *reply)
{
    puppet_tells(p, word, reply, LIE_SEND);
}

void puppet_breaks(puppet *p, const char *word)
{
    puppet_tells(p, word, "", LIE_CLOSE);
}

void puppet_names(puppet *p, const char *host, int port, int epoch)
{
    char digits[2][16], reply[1024];
    int at[] = {snprintf(digits[0], 16, "%d", port), snprintf(digits[1], 16, "%d", epoch)};

    snprintf(reply, sizeof(reply), "*2\r\n$%zu\r\n%s\r\n$%d\r\n%s\r\n", strlen(host), host, at[0], digits[0]);
    puppet_answers(p, "GET-MASTER-ADDR-BY-NAME", reply);
    snprintf(reply, sizeof(reply),
             "*6\r\n$2\r\nip\r\n$%zu\r\n%s\r\n$4\r\nport\r\n$%d\r\n%s\r\n$12\r\nconfig-epoch\r\n$%d\r\n%s\r\n",
             strlen(host), host, at[0], digits[0], at[1], digits[1]);
    puppet_answers(p, "MASTER", reply);
}

void puppet_is_master(puppet *p)
{
    puppet_answers(p, "AUTH", "+OK\r\n");
    puppet_answers(p, "SELECT", "+OK\r\n");
    puppet_answers(p, "ROLE", "*3\r\n$6\r\nmaster\r\n:0\r\n*0\r\n");
    puppet_answers(p, "PING", "+PONG\r\n");
}

int puppet_requests(const puppet *p)
{
    return atomic_load(&p->liar.control->requests);
}

int puppet_connections(const puppet *p)
{
    return atomic_load(&p->liar.control->connections);
}

/* ---- ports ---- */

/* A socket with a name that stands for the port keeps others from drawing it: it is there until this process has ended, and
 * leaves nothing behind. */
static bool claim_port(int port)
{
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_un name = {.sun_family = AF_UNIX}; /* with a 0 in front, it is no file */
    int len = snprintf(name.sun_path + 1, sizeof(name.sun_path) - 1, "redislock-test-port-%d", port);

    CHECK(fd >= 0);
    bool is_mine =
        bind(fd, (struct sockaddr *)&name, (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + len)) == 0;
    if (!is_mine) {
        close(fd);
    }
    return is_mine;
}

bool port_take(int port)
{
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK), .sin_port = htons((uint16_t)port)};

    CHECK(fd >= 0);
    bool is_free = bind(fd, (struct sockaddr *)&address, sizeof(address)) == 0;
    close(fd);
    return is_free && claim_port(port);
}

/* Below those that the system gives to connections, one of which might take it before it is used. */
int free_port(void)
{
    for (;;) {
        uint16_t drawn;
        platform_random(&drawn, sizeof(drawn));
        int port = 10240 + drawn % 20000;
        if (port_take(port)) {
            return port;
        }
    }
}

/* SPDX-License-Identifier: MIT
 *
 * server: see server.h.
 */
#include "server.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <hiredis/hiredis.h>

#define MAX_CONNECTIONS 2048
#define MAX_REQUEST     16384 /* the longest script and its arguments */
#define MAX_POLLS       100000
#define LEAP            (4 * 1000) /* µs by which a step of the script moves the clock */

/* The server's end of a connection. */
typedef struct connection {
    int fd;         /* -1: closed */
    unsigned owed;  /* requests that were read and not answered, as far as it answers properly */
    bool auth_seen; /* a password came over it */
    size_t len;
    char in[MAX_REQUEST];
} connection;

/* A request that stands in a connection's buffer, as words. */
typedef struct words {
    size_t count;
    size_t used; /* bytes of the buffer */
    const char *at[24];
    size_t len[24];
} words;

static struct {
    const uint8_t *script;
    size_t len;
    size_t at;
    bool honest;
    bool interrupt;
    int refuse;        /* errno of the next connect; 0: it works */
    int64_t clock;     /* µs */
    int64_t owed_leap; /* µs that the script still wants to pass */
    unsigned polls;
    size_t count;
    connection *all[MAX_CONNECTIONS];
} server;

void must_fail(const char *file, int line, const char *what)
{
    fprintf(stderr, "%s:%d: %s does not hold\n", file, line, what);
    abort();
}

/* ---- the script ---- */

uint8_t server_next_byte(void)
{
    return server.at < server.len ? server.script[server.at++] : 0;
}

bool server_has_more(void)
{
    return server.at < server.len;
}

bool server_interrupts(void)
{
    bool interrupt = server.interrupt;

    server.interrupt = false;
    return interrupt;
}

int64_t server_time(void)
{
    return server.clock;
}

static void hang_up(connection *c)
{
    if (c->fd >= 0) {
        close(c->fd);
        c->fd = -1;
    }
}

void server_begin(const uint8_t *script, size_t len)
{
    memset(&server, 0, sizeof(server));
    server.script = script;
    server.len = len;
    server.clock = 1000000;
}

void server_end(void)
{
    for (size_t i = 0; i < server.count; i++) {
        hang_up(server.all[i]);
        free(server.all[i]);
    }
    server.count = 0;
}

/* ---- requests ---- */

/* Reads "*3\r\n" or "$3\r\n". 0: not all of it is there yet. */
static size_t read_header(const char *bytes, size_t len, char type, size_t *number)
{
    const char *end = len > 0 ? memchr(bytes, '\n', len) : NULL;

    if (end == NULL) {
        return 0;
    }
    MUST(bytes[0] == type && end[-1] == '\r');
    *number = strtoul(bytes + 1, NULL, 10);
    return (size_t)(end - bytes) + 1;
}

/* The first request in the buffer. False: it is not whole yet. What we send is always well formed. */
static bool read_request(const connection *c, words *request)
{
    size_t len, header;

    request->used = read_header(c->in, c->len, '*', &request->count);
    if (request->used == 0) {
        return false;
    }
    MUST(request->count > 0 && request->count <= 24);
    for (size_t i = 0; i < request->count; i++) {
        header = read_header(c->in + request->used, c->len - request->used, '$', &len);
        if (header == 0 || c->len - request->used - header < len + 2) {
            return false;
        }
        request->at[i] = c->in + request->used + header;
        request->len[i] = len;
        request->used += header + len + 2;
        MUST(memcmp(request->at[i] + len, "\r\n", 2) == 0);
    }
    return true;
}

/* False: it did not go out, since the client does not read it, or is gone. */
static bool say(connection *c, const char *bytes, size_t len)
{
    return c->fd >= 0 && len > 0 && send(c->fd, bytes, len, MSG_NOSIGNAL | MSG_DONTWAIT) > 0;
}

static bool is_word(const words *request, size_t i, const char *word)
{
    return i < request->count && request->len[i] == strlen(word) && memcmp(request->at[i], word, request->len[i]) == 0;
}

static void answer_honestly(connection *c, const words *request)
{
    static const char master[] = "*2\r\n$6\r\nmaster\r\n$4\r\n6379\r\n", role[] = "*3\r\n$6\r\nmaster\r\n:0\r\n*0\r\n";
    char owner[256], reply[400];

    if (is_word(request, 0, "SENTINEL")) {
        say(c, is_word(request, 1, "MASTER") ? "*0\r\n" : master,
            is_word(request, 1, "MASTER") ? 4 : sizeof(master) - 1);
    } else if (is_word(request, 0, "ROLE")) {
        say(c, role, sizeof(role) - 1);
    } else if (request->count > 3 && request->len[0] >= 4 && memcmp(request->at[0], "EVAL", 4) == 0) {
        int n = snprintf(owner, sizeof(owner), OWNER_OF "%.*s", (int)request->len[3], request->at[3]);
        n = snprintf(reply, sizeof(reply), "*3\r\n$%d\r\n%s\r\n:1000\r\n$-1\r\n", n, owner);
        say(c, reply, (size_t)n);
    } else {
        say(c, "+OK\r\n", 5);
    }
}

/* Reads what the clients have sent. */
static void listen_to_all(void)
{
    words request;

    for (size_t i = 0; i < server.count; i++) {
        connection *c = server.all[i];
        ssize_t n = 1;
        while (c->fd >= 0 && n > 0) {
            MUST(c->len < sizeof(c->in)); /* no request of ours is that long */
            n = recv(c->fd, c->in + c->len, sizeof(c->in) - c->len, MSG_DONTWAIT);
            if (n == 0 || (n < 0 && errno != EAGAIN)) {
                hang_up(c);
            }
            c->len += n > 0 ? (size_t)n : 0;
            while (c->len > 0 && read_request(c, &request)) {
                c->owed++;
                c->auth_seen |= request.len[0] == 4 && memcmp(request.at[0], "AUTH", 4) == 0;
                if (server.honest) {
                    answer_honestly(c, &request);
                }
                c->len -= request.used;
                memmove(c->in, c->in + request.used, c->len);
            }
        }
    }
}

void server_be_honest(void)
{
    listen_to_all(); /* what a reply came for before it was asked */
    server.honest = true;
    server.refuse = 0;
    server.interrupt = false;
    server.owed_leap = 0;
    server.polls = 0;
}

/* ---- actions ---- */

/* The connection that an action is about: the one that was made last, or that was asked first. */
static connection *whom(uint8_t choice)
{
    connection *last = server.count > 0 ? server.all[server.count - 1] : NULL;

    if (choice >= 0x80 && server.count > 0) {
        return server.all[choice % server.count];
    }
    for (size_t i = 0; i < server.count; i++) {
        if (server.all[i]->fd >= 0 && server.all[i]->owed > 0) {
            return server.all[i];
        }
    }
    return last;
}

static void say_raw(connection *c, size_t len)
{
    size_t left = server.len - server.at;

    len = len < left ? len : left;
    say(c, (const char *)server.script + server.at, len);
    server.at += len;
}

static void say_flood(connection *c, uint8_t byte)
{
    static char flood[65536];

    memset(flood, byte, sizeof(flood));
    say(c, flood, sizeof(flood));
}

/* One action: a byte that says what (low bits) and to whom (high bit), and one with a number. */
static void act(void)
{
    uint8_t what = server_next_byte(), number = server_next_byte();
    connection *c = whom(what);

    switch (what & 0x0f) {
    case 0:
        server.owed_leap += (int64_t)number * LEAP;
        return;
    case 1:
        server.refuse = number & 1 ? ECONNREFUSED : EAGAIN;
        return;
    case 2:
        server.interrupt = true;
        return;
    case 3:
        if (c != NULL) {
            hang_up(c);
        }
        return;
    default:
        break;
    }
    if (c == NULL) {
        return;
    }
    c->owed -= c->owed > 0;
    switch (what & 0x0f) {
    case 4:
        say_raw(c, number);
        return;
    case 5:
        say_flood(c, number);
        return;
    case 6: { /* a reply that is cut off */
        size_t i = number % server_reply_count;
        say(c, server_replies[i].at, server_replies[i].len - 1 - number % server_replies[i].len / 2);
        return;
    }
    default: {
        size_t i = number % server_reply_count;
        say(c, server_replies[i].at, server_replies[i].len);
        return;
    }
    }
}

/* ---- where the core is led ---- */

int64_t __wrap_platform_now(void);
void __wrap_platform_random(void *buf, size_t len);
int __real_poll(struct pollfd *fds, nfds_t count, int timeout);
int __wrap_poll(struct pollfd *fds, nfds_t count, int timeout);
ssize_t __real_recv(int fd, void *buf, size_t len, int flags);
ssize_t __wrap_recv(int fd, void *buf, size_t len, int flags);
redisContext *__wrap_redisConnectUnixNonBlock(const char *path);
redisContext *__wrap_redisConnectNonBlock(const char *host, int port);
int __real_getaddrinfo(const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **found);
int __wrap_getaddrinfo(const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **found);

int64_t __wrap_platform_now(void)
{
    return ++server.clock; /* whoever asks again and again gets on */
}

void __wrap_platform_random(void *buf, size_t len)
{
    static uint32_t state = 1;

    for (size_t i = 0; i < len; i++) {
        state = state * 1664525 + 1013904223;
        ((uint8_t *)buf)[i] = (uint8_t)(state >> 24);
    }
}

/* Waits: the server acts until something comes of it or the time is up. */
int __wrap_poll(struct pollfd *fds, nfds_t count, int timeout)
{
    int64_t until = server.clock + (int64_t)timeout * 1000;

    MUST(timeout >= 0);
    MUST(++server.polls < MAX_POLLS); /* else it goes round in circles */
    for (;;) {
        listen_to_all();
        int ready = __real_poll(fds, count, 0);
        if (ready != 0) {
            return ready;
        }
        if (server.owed_leap > 0 || server.honest || server.at >= server.len) {
            int64_t left = until - server.clock;
            if (server.owed_leap >= left || server.honest || server.at >= server.len) {
                server.owed_leap = server.owed_leap > left ? server.owed_leap - left : 0;
                server.clock = until;
                return 0;
            }
            server.clock += server.owed_leap;
            server.owed_leap = 0;
        }
        act();
        if (server.interrupt) {
            errno = EINTR;
            return -1;
        }
    }
}

/* Where the core waits in recv(), the wait is that of poll(), up to the socket's own time-out. */
ssize_t __wrap_recv(int fd, void *buf, size_t len, int flags)
{
    struct timeval patience;
    socklen_t size = sizeof(patience);

    if (!(flags & MSG_DONTWAIT) && !(fcntl(fd, F_GETFL) & O_NONBLOCK)) {
        MUST(getsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, &size) == 0);
        MUST(patience.tv_sec > 0 || patience.tv_usec > 0); /* else it may wait for ever */
        if (__wrap_poll(&(struct pollfd){.fd = fd, .events = POLLIN}, 1,
                        (int)(patience.tv_sec * 1000 + patience.tv_usec / 1000)) < 0) {
            return -1;
        }
    }
    return __real_recv(fd, buf, len, flags | MSG_DONTWAIT);
}

/* Makes a connection, unless the script wants it to be refused. */
static redisContext *accept_client(void)
{
    int ends[2], refused = server.refuse;
    redisContext *context;

    server.refuse = 0;
    MUST(server.count < MAX_CONNECTIONS);
    MUST(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends) == 0);
    context = redisConnectFd(ends[0]);
    MUST(context != NULL);
    context->flags &= ~REDIS_BLOCK;
    if (refused != 0) {
        close(ends[1]);
        context->err = REDIS_ERR_IO;
        snprintf(context->errstr, sizeof(context->errstr), "refused");
        errno = refused;
        return context;
    }
    connection *c = malloc(sizeof(*c));
    c->fd = ends[1];
    c->owed = 0;
    c->auth_seen = false;
    c->len = 0;
    server.all[server.count++] = c;
    errno = 0;
    return context;
}

redisContext *__wrap_redisConnectUnixNonBlock(const char *path)
{
    (void)path;
    return accept_client();
}

redisContext *__wrap_redisConnectNonBlock(const char *host, int port)
{
    MUST(host[0] != '\0' && port > 0 && port < 65536);
    return accept_client();
}

/* No name is known; an address is what it is. */
int __wrap_getaddrinfo(const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **found)
{
    return (hints->ai_flags & AI_NUMERICHOST) != 0 ? __real_getaddrinfo(node, service, hints, found) : EAI_NONAME;
}

/* SPDX-License-Identifier: MIT
 *
 * platform/sockets: see platform/sockets.h. This is what Windows has, by Winsock.
 */
#include "platform/sockets.h"

#include <stdlib.h>
#include <windows.h>
#include <ws2tcpip.h>

#include "platform/platform.h"

static BOOL CALLBACK begin(PINIT_ONCE once, PVOID unused, PVOID *ignored)
{
    WSADATA told;

    (void)once, (void)unused, (void)ignored;
    return WSAStartup(MAKEWORD(2, 2), &told) == 0;
}

/* If it fails, so does all that is done with sockets later, with an error that says so. */
void sockets_begin(void)
{
    static INIT_ONCE begun = INIT_ONCE_STATIC_INIT;

    InitOnceExecuteOnce(&begun, begin, NULL, NULL);
}

int sockets_problem(void)
{
    return WSAGetLastError();
}

bool sockets_may_retry(int problem)
{
    return problem == WSAEWOULDBLOCK || problem == WSAEINTR;
}

/* A socket of Windows waits always or never, and hiredis has made it one that never does. */
bool sockets_set_up(sockets_fd fd, bool is_tcp, int64_t read_wait)
{
    BOOL on = TRUE;

    (void)read_wait;
    SetHandleInformation((HANDLE)fd, HANDLE_FLAG_INHERIT, 0);
    if (is_tcp) {
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, (const char *)&on, sizeof(on)); /* hiredis 1 does not set it here */
    }
    return false;
}

int sockets_connected(sockets_fd fd)
{
    int problem = 0, size = sizeof(problem);

    return getsockopt(fd, SOL_SOCKET, SO_ERROR, (char *)&problem, &size) != 0 ? WSAGetLastError() : problem;
}

static int as_int(size_t len)
{
    return len > INT32_MAX ? INT32_MAX : (int)len;
}

long sockets_send(sockets_fd fd, const void *bytes, size_t len)
{
    return send(fd, bytes, as_int(len), 0);
}

long sockets_receive(sockets_fd fd, void *bytes, size_t size)
{
    return recv(fd, bytes, as_int(size), 0);
}

/* Nobody calls it: see sockets_set_up(). */
long sockets_receive_waiting(sockets_fd fd, void *bytes, size_t size)
{
    return sockets_receive(fd, bytes, size);
}

long sockets_peek(sockets_fd fd, void *bytes, size_t size)
{
    return recv(fd, bytes, as_int(size), MSG_PEEK);
}

void sockets_end_sending(sockets_fd fd)
{
    shutdown(fd, SD_SEND);
}

/* ---- poll ---- */

/* An fd_set of Windows is a count and an array. This one has room for as many sockets as there are. */
typedef struct socket_set {
    u_int count;
    SOCKET sockets[];
} socket_set;

/* What select() is asked: which sockets can be read from and written to, and of which a connect() has failed. */
typedef struct question {
    socket_set *in;
    socket_set *out;
    socket_set *failed;
    bool is_empty; /* there is no socket to ask about, which select() refuses */
} question;

static void add(socket_set *set, SOCKET fd)
{
    set->sockets[set->count++] = fd;
}

static bool is_in(const socket_set *set, SOCKET fd)
{
    for (u_int i = 0; i < set->count; i++) {
        if (set->sockets[i] == fd) {
            return true;
        }
    }
    return false;
}

/* Makes the three sets in one piece of memory, which begins with the first one. */
static question ask(const struct pollfd *interests, size_t count)
{
    size_t size = sizeof(socket_set) + (count > 0 ? count : 1) * sizeof(SOCKET);
    char *memory = platform_zalloc(3 * size);
    question q = {(socket_set *)memory, (socket_set *)(memory + size), (socket_set *)(memory + 2 * size), true};

    for (size_t i = 0; i < count; i++) {
        if (interests[i].fd == INVALID_SOCKET) {
            continue;
        }
        if (interests[i].events & POLLIN) {
            add(q.in, interests[i].fd);
        }
        if (interests[i].events & POLLOUT) {
            add(q.out, interests[i].fd);
        }
        add(q.failed, interests[i].fd);
        q.is_empty = false;
    }
    return q;
}

/* Turns what select() has left in the sets into events. Returns of how many sockets there are some. */
static int read_answer(const question *q, struct pollfd *interests, size_t count)
{
    int ready = 0;

    for (size_t i = 0; i < count; i++) {
        SOCKET fd = interests[i].fd;
        if (fd != INVALID_SOCKET) {
            interests[i].revents = (short)((is_in(q->in, fd) ? POLLIN : 0) | (is_in(q->out, fd) ? POLLOUT : 0) |
                                           (is_in(q->failed, fd) ? POLLERR : 0));
        }
        ready += interests[i].revents != 0;
    }
    return ready;
}

/* By select(): WSAPoll() does not tell of a connect() that fails before Windows 10 2004, refuses a list in which no socket is
 * valid, and reports an error for INVALID_SOCKET. */
int sockets_poll(struct pollfd *interests, size_t count, int ms)
{
    question q = ask(interests, count);
    struct timeval wait = {.tv_sec = ms / 1000, .tv_usec = ms % 1000 * 1000};
    int ready = 0, problem = 0;

    for (size_t i = 0; i < count; i++) {
        interests[i].revents = 0;
    }
    if (q.is_empty) {
        Sleep(ms < 0 ? INFINITE : (DWORD)ms);
    } else {
        ready = select(0, (fd_set *)q.in, (fd_set *)q.out, (fd_set *)q.failed, ms < 0 ? NULL : &wait);
        problem = WSAGetLastError();
    }
    if (ready > 0) {
        ready = read_answer(&q, interests, count);
    }
    free(q.in);
    WSASetLastError(problem);
    return ready;
}

size_t sockets_read_address(const char *text, unsigned char address[SOCKETS_ADDRESS_SIZE])
{
    sockets_begin();
    if (inet_pton(AF_INET, text, address) == 1) {
        return sizeof(struct in_addr);
    }
    return inet_pton(AF_INET6, text, address) == 1 ? sizeof(struct in6_addr) : 0;
}

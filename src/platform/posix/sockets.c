/* SPDX-License-Identifier: MIT
 *
 * platform/sockets: see platform/sockets.h. This is what POSIX systems have.
 */
#include "platform/sockets.h"

#include <errno.h>
#include <fcntl.h>
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/time.h>

#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0 /* if it is missing, SO_NOSIGPIPE is set on the socket */
#endif

void sockets_begin(void)
{
}

int sockets_problem(void)
{
    return errno;
}

bool sockets_may_retry(int problem)
{
    return problem == EAGAIN || problem == EWOULDBLOCK || problem == EINTR;
}

bool sockets_set_up(sockets_fd fd, bool is_tcp, int64_t read_wait)
{
    struct timeval wait = {.tv_usec = (suseconds_t)read_wait};

    fcntl(fd, F_SETFD, fcntl(fd, F_GETFD) | FD_CLOEXEC);
    bool may_wait = setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof(wait)) == 0;
#ifdef SO_NOSIGPIPE
    setsockopt(fd, SOL_SOCKET, SO_NOSIGPIPE, &(int){1}, sizeof(int));
#endif
    if (is_tcp) {
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int)); /* hiredis 1 does not set it here */
    }
    return may_wait;
}

/* From here on the socket is a blocking one, for sockets_receive_waiting(): all others pass MSG_DONTWAIT. */
int sockets_connected(sockets_fd fd)
{
    int problem = 0;
    socklen_t size = sizeof(problem);

    if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &problem, &size) != 0) {
        problem = errno;
    }
    if (problem == 0) {
        fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
    }
    return problem;
}

/* A signal does not end it: where it broke in, the socket may be ready. */
long sockets_send(sockets_fd fd, const void *bytes, size_t len)
{
    ssize_t n;

    do {
        n = send(fd, bytes, len, MSG_NOSIGNAL | MSG_DONTWAIT);
    } while (n < 0 && errno == EINTR);
    return n;
}

long sockets_receive(sockets_fd fd, void *bytes, size_t size)
{
    return recv(fd, bytes, size, MSG_DONTWAIT);
}

long sockets_receive_waiting(sockets_fd fd, void *bytes, size_t size)
{
    return recv(fd, bytes, size, 0);
}

long sockets_peek(sockets_fd fd, void *bytes, size_t size)
{
    return recv(fd, bytes, size, MSG_PEEK | MSG_DONTWAIT);
}

void sockets_end_sending(sockets_fd fd)
{
    shutdown(fd, SHUT_WR);
}

int sockets_poll(struct pollfd *interests, size_t count, int ms)
{
    return poll(interests, (nfds_t)count, ms);
}

size_t sockets_read_address(const char *text, unsigned char address[SOCKETS_ADDRESS_SIZE])
{
    if (inet_pton(AF_INET, text, address) == 1) {
        return sizeof(struct in_addr);
    }
    return inet_pton(AF_INET6, text, address) == 1 ? sizeof(struct in6_addr) : 0;
}

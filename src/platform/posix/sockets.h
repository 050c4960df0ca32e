/* SPDX-License-Identifier: MIT
 *
 * platform/sockets on POSIX systems: what each request calls is inline. Included by platform/sockets.h alone.
 */
#ifndef REDISLOCK_PLATFORM_POSIX_SOCKETS_H
#define REDISLOCK_PLATFORM_POSIX_SOCKETS_H

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/un.h>

typedef int sockets_fd;
#define SOCKETS_NONE          (-1)
#define SOCKETS_UNIX_PATH_MAX (sizeof(((struct sockaddr_un *)NULL)->sun_path) - 1)

#ifdef MSG_NOSIGNAL
#define SOCKETS_NO_SIGNAL MSG_NOSIGNAL
#else
#define SOCKETS_NO_SIGNAL 0 /* sockets_set_up() sets SO_NOSIGPIPE */
#endif

static inline void sockets_begin(void)
{
}

static inline int sockets_problem(void)
{
    return errno;
}

static inline bool sockets_may_retry(int problem)
{
    return problem == EAGAIN || problem == EWOULDBLOCK || problem == EINTR;
}

/* A signal does not end it: when it broke in, the socket may have been ready. */
static inline long sockets_send(sockets_fd fd, const void *bytes, size_t len)
{
    ssize_t n;

    do {
        n = send(fd, bytes, len, SOCKETS_NO_SIGNAL | MSG_DONTWAIT);
    } while (n < 0 && errno == EINTR);
    return (long)n;
}

static inline long sockets_receive(sockets_fd fd, void *bytes, size_t size)
{
    return (long)recv(fd, bytes, size, MSG_DONTWAIT);
}

/* The socket is a blocking one since sockets_connected(), for this call: all others pass MSG_DONTWAIT. */
static inline long sockets_receive_waiting(sockets_fd fd, void *bytes, size_t size)
{
    return (long)recv(fd, bytes, size, 0);
}

static inline long sockets_peek(sockets_fd fd, void *bytes, size_t size)
{
    return (long)recv(fd, bytes, size, MSG_PEEK | MSG_DONTWAIT);
}

static inline int sockets_poll(struct pollfd *interests, size_t count, int ms)
{
    return poll(interests, (nfds_t)count, ms);
}

#endif

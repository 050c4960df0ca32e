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

/* From here on the socket is a blocking one: see sockets_receive_waiting(). */
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

void sockets_end_sending(sockets_fd fd)
{
    shutdown(fd, SHUT_WR);
}

size_t sockets_read_address(const char *text, unsigned char address[SOCKETS_ADDRESS_SIZE])
{
    if (inet_pton(AF_INET, text, address) == 1) {
        return sizeof(struct in_addr);
    }
    return inet_pton(AF_INET6, text, address) == 1 ? sizeof(struct in6_addr) : 0;
}

/* SPDX-License-Identifier: MIT
 *
 * platform/sockets: what the core needs of the system's sockets. hiredis makes and closes them. No call waits, except for
 * sockets_poll() and sockets_receive_waiting(). On POSIX systems, what each request calls is inline.
 */
#ifndef REDISLOCK_PLATFORM_SOCKETS_H
#define REDISLOCK_PLATFORM_SOCKETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef _WIN32

#include <winsock2.h>

typedef SOCKET sockets_fd;
#define SOCKETS_NONE          INVALID_SOCKET
#define SOCKETS_UNIX_PATH_MAX 0 /* neither Redis nor hiredis has them there */

#else

#include "platform/posix/sockets.h"

#endif

/* SOCKETS_UNIX_PATH_MAX: the longest path of a unix socket, in bytes; 0: there are none. */

/* Prepares the use of sockets by this process: before one is made, or a name or an address is read. May be called often. */
void sockets_begin(void);

/* Why the last call on a socket by this thread failed: a number for platform_strerror(). */
int sockets_problem(void);

/* Did it fail only since it would have had to wait, or since a signal came? */
bool sockets_may_retry(int problem);

/* Sets the options of a new socket, which is not passed on to other programs: for TCP, that small requests go out at once.
 * Returns whether sockets_receive_waiting() may be used on it, and waits for `read_wait` µs at most then. */
bool sockets_set_up(sockets_fd fd, bool is_tcp, int64_t read_wait);

/* Returns the outcome of a connect(): 0, or why it failed. If it did not, everything is ready for the calls below. */
int sockets_connected(sockets_fd fd);

/* As send() and recv(): return the number of bytes, or -1. Only the second of those that receive waits, and the third leaves in
 * the socket what it returns. */
long sockets_send(sockets_fd fd, const void *bytes, size_t len);
long sockets_receive(sockets_fd fd, void *bytes, size_t size);
long sockets_receive_waiting(sockets_fd fd, void *bytes, size_t size);
long sockets_peek(sockets_fd fd, void *bytes, size_t size);

/* Tells the peer that nothing more comes from us. */
void sockets_end_sending(sockets_fd fd);

/* As poll(), also if all the sockets are SOCKETS_NONE, or if there are none: then it sleeps. A connect() that failed is an
 * event of its socket. `ms` is -1 for no end. */
int sockets_poll(struct pollfd *interests, size_t count, int ms);

#define SOCKETS_ADDRESS_SIZE 16 /* bytes of an address of IPv6 */

/* Reads an address that is written in numbers. Returns its length: 4 bytes are IPv4, 16 are IPv6; 0: the text is none. */
size_t sockets_read_address(const char *text, unsigned char address[SOCKETS_ADDRESS_SIZE]);

#endif

/* SPDX-License-Identifier: MIT
 *
 * platform/resolver: getaddrinfo() and what belongs to it, which all systems have, each in headers of its own. Windows wants
 * sockets_begin() before.
 */
#ifndef REDISLOCK_PLATFORM_RESOLVER_H
#define REDISLOCK_PLATFORM_RESOLVER_H

#ifdef _WIN32
#include <winsock2.h>
#include <ws2tcpip.h>
#else
#include <netdb.h>
#include <sys/socket.h>
#endif

#endif

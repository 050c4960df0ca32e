/* SPDX-License-Identifier: MIT
 *
 * redis/naming: how connections are called at their servers ("redislock:<host>:<pid>", which CLIENT LIST shows), and what this
 * process knows of which servers take a name.
 *
 * A name is a comfort, so it must cost nobody anything: a server that refuses it writes an entry into its ACL LOG, and a proxy
 * that does not know the command closes the connection. So one connection asks, and the others go by what it has learned; they
 * leave their name out until then.
 *
 * For use by several threads. A child of a fork knows what its parent has learned.
 */
#ifndef REDISLOCK_REDIS_NAMING_H
#define REDISLOCK_REDIS_NAMING_H

#include <stdbool.h>
#include <stdint.h>

#include "redis/endpoint.h"
#include "redis/request.h"

/* How many servers are known at once. */
#define RL_NAMING_SERVERS 256

#define RL_NAME_SIZE (sizeof("redislock:") - 1 + PLATFORM_IDENTITY_SIZE)

/* What became of a name. */
typedef enum rl_naming_outcome {
    RL_NAME_TAKEN,
    RL_NAME_REFUSED,
    RL_NAME_UNANSWERED,     /* nobody knows: another connection asks again */
    RL_NAME_CLOSED,         /* the server closed the connection on which it was, and had answered nothing */
    RL_NAME_CLOSED_WITHOUT, /* the server did so on a connection without a name, so that it is not the name's doing */
} rl_naming_outcome;

/* Lets connections name themselves from now on; before, none does. Before there are threads. */
void rl_naming_start(void);

/* A number for the server at this host and port, or at the endpoint's socket, and for the endpoint's user, by whose rights it
 * goes. 0: connections do not name themselves. */
uint64_t rl_naming_server(const rl_endpoint *endpoint, const char *host, int port);

/* Is a connection that was just made to bring its name? If so, what becomes of that is told. `may_ask`: also if it is not known
 * whether the server closes the connection at the name. */
bool rl_naming_wants(uint64_t server, bool may_ask);
void rl_naming_tell(uint64_t server, rl_naming_outcome outcome);

/* The name, which is written to `out`. */
rl_bytes rl_naming_name(char out[RL_NAME_SIZE]);

#endif

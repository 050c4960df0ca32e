/* SPDX-License-Identifier: MIT
 *
 * redis/route: how a connection finds the server that it is to lead to, if its endpoint does not name one.
 *
 * A connection asks its router each time that it is made, and again while it is kept: see rl_conn_submit().
 */
#ifndef REDISLOCK_REDIS_ROUTE_H
#define REDISLOCK_REDIS_ROUTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "redis/endpoint.h"
#include "redis/error.h"
#include "redis/pipeline.h"

#define RL_HOST_SIZE       256              /* holds any host that is followed */
#define RL_MAX_ROUTE_CONNS RL_MAX_SENTINELS /* connections over which one route asks */

/* Where a route leads. */
typedef struct rl_destination {
    char host[RL_HOST_SIZE];
    int port;
} rl_destination;

static inline void rl_destination_set(rl_destination *at, const char *host, int port)
{
    snprintf(at->host, sizeof(at->host), "%s", host);
    at->port = port;
}

static inline bool rl_destination_same(const rl_destination *a, const rl_destination *b)
{
    return a->port == b->port && strcmp(a->host, b->host) == 0;
}

typedef enum rl_route_state {
    RL_ROUTE_OPEN,   /* answers are awaited */
    RL_ROUTE_FOUND,  /* the destination is known */
    RL_ROUTE_FAILED, /* the error says why it is not */
} rl_route_state;

/* What one connection has asked, and whom. */
typedef struct rl_route rl_route;

/* A way to find servers. */
typedef struct rl_router {
    /* Makes a route that has asked nothing. The endpoint must outlive it. */
    rl_route *(*open)(const rl_endpoint *endpoint);

    /* Asks where the server is, also after an earlier answer. It is to be known by `by`: from then on, looking fails if it is
     * not. `surely`: there is a server already, which is left for another one only if that is certain. */
    void (*ask)(rl_route *route, int64_t now, int64_t by, bool surely);

    /* Looks at the answers that have come by `now`. */
    rl_route_state (*look)(rl_route *route, int64_t now, rl_destination *found, rl_error *error);

    /* Returns the time at which it is to look again, even if no answer comes before. */
    int64_t (*look_at)(const rl_route *route);

    /* Copies the connections that are to be waited for to `conns`, which has room for RL_MAX_ROUTE_CONNS. They are always
     * the same ones. Returns their number. */
    size_t (*conns)(const rl_route *route, rl_conn **conns);

    /* Notes the hosts that were asked or named, with their addresses as far as they are known. */
    void (*hosts)(rl_route *route, rl_hosts *hosts);

    void (*close)(rl_route *route);
} rl_router;

#endif

/* SPDX-License-Identifier: MIT
 *
 * redis/endpoint: where a server is and how to log in there, as a DSN says it:
 *
 *   redis://[user:password@]host[:port][/db]    valkey:// and tcp:// mean the same
 *   rediss://[user:password@]host[:port][/db]   with TLS; valkeys:// and tls:// mean the same
 *   unix://[user:password@]/path[?db=n]
 *   redis-sentinel://[user:password@]host[:port][,host[:port]...]/master[/db]
 *                                               the server is the one that Sentinel names as its master of that name;
 *                                               valkey-sentinel:// means the same
 *   rediss-sentinel://...                       with TLS to the sentinels and the master; valkeys-sentinel:// too
 *   redis-cluster://[user:password@]host[:port][,host[:port]...][/db]
 *                                               the nodes of a cluster, any of which can be asked for the others;
 *                                               valkey-cluster:// means the same
 *   rediss-cluster://...                        with TLS to all nodes; valkeys-cluster:// too
 *
 * The scheme may stand in capital letters. User, password, host, path and the master's name may be percent-encoded. An
 * empty user or password is none. An IPv6 host stands in brackets.
 */
#ifndef REDISLOCK_REDIS_ENDPOINT_H
#define REDISLOCK_REDIS_ENDPOINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "redis/hosts.h"
#include "redis/tls.h"

#define RL_ENDPOINT_PORT         6379
#define RL_SENTINEL_PORT         26379
#define RL_MAX_SENTINELS         16
#define RL_MAX_SEEDS             16
#define RL_ENDPOINT_MAX_DATABASE 2147483647L

typedef struct rl_endpoint rl_endpoint;

/* Whom to ask where a server is. */
typedef struct rl_sentinels {
    rl_endpoint *list; /* plain servers, each with its own login and TLS */
    size_t count;      /* 1 to RL_MAX_SENTINELS */
    char *master;      /* the name under which they watch it */
    rl_hosts *hosts;   /* where the hosts that they name were found: then no name is resolved; NULL: at each connect */
} rl_sentinels;

/* A node of a cluster that the DSN names. */
typedef struct rl_seed {
    char *host;
    int port; /* 1 to 65535 */
} rl_seed;

/* Whom to ask for the nodes of a cluster. Login, database and TLS are those of the endpoint, at each node. */
typedef struct rl_seeds {
    rl_seed *list;
    size_t count;    /* 1 to RL_MAX_SEEDS */
    rl_hosts *hosts; /* where the hosts of the nodes were found: then no name is resolved; NULL: at each connect */
} rl_seeds;

struct rl_endpoint {
    char *host;     /* NULL: a unix socket, a server that sentinels name, or a cluster */
    int port;       /* 1 to 65535; 0 without a host */
    char *path;     /* of the unix socket; NULL: there is none */
    char *username; /* NULL: the default user */
    char *password; /* `password_len` bytes of any value; NULL: no login */
    size_t password_len;
    bool tls;
    rl_tls_options tls_options; /* used with `tls`; both checks are on unless rl_endpoint_secure() says otherwise */
    bool database_given;        /* the DSN names the database */
    long database;              /* 0 to RL_ENDPOINT_MAX_DATABASE */
    char *label;                /* how messages name the server: a DSN without user and password */
    char *address; /* where the host was found, as a numeric address; "": this is not known, and no connection is made;
                      NULL: the host is resolved at each connect. Of a cluster only "" or NULL: seeds->hosts has the
                      addresses */
    rl_tls_context *tls_context; /* made of `tls_options` beforehand; NULL: one is made at each connect */
    rl_sentinels *sentinels;     /* NULL: no sentinel is asked where the server is */
    rl_seeds *seeds;             /* NULL: no cluster */
    uint64_t id; /* endpoints with the same id are the same; those with different ids may be the same too */
};

/* Parses `dsn` into `endpoint`, which the caller frees with rl_endpoint_free(). Returns false if the DSN is malformed:
 * then `why` says how, without quoting it, since it may hold a password, and there is nothing to free. */
bool rl_endpoint_parse(rl_endpoint *endpoint, const char *dsn, size_t len, char *why, size_t why_size);

/* Sets the user, password and database that the DSN left out. NULL, an empty text and a negative database leave them as
 * they are. */
void rl_endpoint_login(rl_endpoint *endpoint, const char *username, const char *password, size_t password_len,
                       long database);

/* Sets how TLS is to be done, with the server, or with each node of a cluster, and with sentinels. Copies the options. Only
 * for an endpoint that has TLS with any of them: see rl_endpoint_has_tls(). */
void rl_endpoint_secure(rl_endpoint *endpoint, const rl_tls_options *options);
bool rl_endpoint_has_tls(const rl_endpoint *endpoint);

/* Sets the user and password with which to log in at the sentinels, and whether they are reached by TLS; without these
 * calls there is no login, and TLS as with the master. NULL is no user or no password. Only for an endpoint that has
 * sentinels. */
void rl_endpoint_sentinel_login(rl_endpoint *endpoint, const char *username, const char *password, size_t password_len);
void rl_endpoint_sentinel_tls(rl_endpoint *endpoint, bool tls);

/* Makes the endpoint ready for a thread that must not resolve names, and read neither files nor the environment: what
 * a connection needs of these is read here. `hosts` tells where hosts were found, see rl_conn_hosts(); NULL knows none. A
 * host that is a numeric address itself need not be in it. An endpoint that was ready gets the new addresses and keeps its
 * TLS context. Returns false if the address of the server, of each sentinel, or of each known node of a cluster is missing, or
 * the TLS options cannot be used: then `why` says so, and no connection to the endpoint is made. */
bool rl_endpoint_prepare(rl_endpoint *endpoint, const rl_hosts *hosts, char *why, size_t why_size);

/* Is each host that the endpoint names still where it was when the endpoint was prepared, as far as `hosts` knows? */
bool rl_endpoint_is_current(const rl_endpoint *endpoint, const rl_hosts *hosts);

/* Makes a deep copy with the same id, which is to be freed like the original. The two share the TLS context. */
void rl_endpoint_copy(rl_endpoint *to, const rl_endpoint *from);

/* Are server, login, database and TLS options the same, so that a connection to one serves for the other? What
 * rl_endpoint_prepare() sets does not count, since it follows from these. */
bool rl_endpoint_same(const rl_endpoint *a, const rl_endpoint *b);

/* Frees what the endpoint owns. Overwrites the password first. An all-zero endpoint is fine. */
void rl_endpoint_free(rl_endpoint *endpoint);

#endif

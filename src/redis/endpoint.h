/* SPDX-License-Identifier: MIT
 *
 * redis/endpoint: where a server is and how to log in there, as a DSN says it:
 *
 *   redis://[user:password@]host[:port][/db]    valkey:// and tcp:// mean the same
 *   rediss://[user:password@]host[:port][/db]   with TLS; valkeys:// and tls:// mean the same
 *   unix://[user:password@]/path[?db=n]
 *
 * The scheme may stand in capital letters. User, password, host and path may be percent-encoded. An empty user or
 * password is none. An IPv6 host stands in brackets.
 */
#ifndef REDISLOCK_REDIS_ENDPOINT_H
#define REDISLOCK_REDIS_ENDPOINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "redis/tls.h"

#define RL_ENDPOINT_PORT         6379
#define RL_ENDPOINT_MAX_DATABASE 2147483647L

typedef struct rl_endpoint {
    char *host;     /* NULL: a unix socket */
    int port;       /* 1 to 65535; 0: a unix socket */
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
                      NULL: the host is resolved at each connect */
    rl_tls_context *tls_context; /* made of `tls_options` beforehand; NULL: one is made at each connect */
    uint64_t id; /* endpoints with the same id are the same; those with different ids may be the same too */
} rl_endpoint;

/* Parses `dsn` into `endpoint`, which the caller frees with rl_endpoint_free(). Returns false if the DSN is malformed:
 * then `why` says how, without quoting it, since it may hold a password, and there is nothing to free. */
bool rl_endpoint_parse(rl_endpoint *endpoint, const char *dsn, size_t len, char *why, size_t why_size);

/* Sets the user, password and database that the DSN left out. NULL, an empty text and a negative database leave them as
 * they are. */
void rl_endpoint_login(rl_endpoint *endpoint, const char *username, const char *password, size_t password_len,
                       long database);

/* Sets how TLS is to be done. Copies the options. Only for an endpoint that has TLS. */
void rl_endpoint_secure(rl_endpoint *endpoint, const rl_tls_options *options);

/* Makes the endpoint ready for a thread that must not resolve names, and read neither files nor the environment: what
 * a connection needs of these is read here. `address` is where the host was found, see rl_conn_address(). It may be
 * NULL for a unix socket, and for a host that is a numeric address itself. An endpoint that was ready gets the new
 * address and keeps its TLS context. Returns false if the address is missing or the TLS options cannot be used: then
 * `why` says so, and no connection to the endpoint is made. */
bool rl_endpoint_prepare(rl_endpoint *endpoint, const char *address, char *why, size_t why_size);

/* Makes a deep copy with the same id, which is to be freed like the original. The two share the TLS context. */
void rl_endpoint_copy(rl_endpoint *to, const rl_endpoint *from);

/* Are server, login, database and TLS options the same, so that a connection to one serves for the other? What
 * rl_endpoint_prepare() sets does not count, since it follows from these. */
bool rl_endpoint_same(const rl_endpoint *a, const rl_endpoint *b);

/* Frees what the endpoint owns. Overwrites the password first. An all-zero endpoint is fine. */
void rl_endpoint_free(rl_endpoint *endpoint);

#endif

/* SPDX-License-Identifier: MIT
 *
 * redis/endpoint: where a server is and how to log in there, as a DSN says it:
 *
 *   redis://[user:password@]host[:port][/db]    tcp:// means the same
 *   rediss://[user:password@]host[:port][/db]   with TLS; tls:// means the same
 *   unix://[user:password@]/path[?db=n]
 *
 * User, password, host and path may be percent-encoded. An IPv6 host stands in brackets.
 */
#ifndef REDISLOCK_REDIS_ENDPOINT_H
#define REDISLOCK_REDIS_ENDPOINT_H

#include <stdbool.h>
#include <stddef.h>

#define RL_ENDPOINT_PORT         6379
#define RL_ENDPOINT_MAX_DATABASE 2147483647L

/* As PHP names them in its SSL context. Strings may be NULL. */
typedef struct rl_tls_options {
    char *cafile; /* of the authorities; without both, the system's */
    char *capath;
    char *local_cert;      /* our own certificate, PEM, */
    char *local_pk;        /* and its key; NULL: it stands in local_cert */
    char *peer_name;       /* whose certificate the server must have; NULL: the host's */
    bool verify_peer;      /* its chain */
    bool verify_peer_name; /* its name */
} rl_tls_options;

typedef struct rl_endpoint {
    char *host;     /* NULL: a unix socket */
    int port;       /* 1 to 65535; 0: a unix socket */
    char *path;     /* of the unix socket, or NULL */
    char *username; /* NULL: the default user */
    char *password; /* NULL: no login. May hold any byte: */
    size_t password_len;
    bool tls;
    rl_tls_options tls_options; /* both checks are on unless rl_endpoint_secure() says otherwise */
    bool database_given;        /* by the DSN */
    long database;              /* 0 to RL_ENDPOINT_MAX_DATABASE */
    char *label;                /* how messages name the server: a DSN without user and password */
} rl_endpoint;

/* Reads `dsn` into `endpoint`, which the caller frees with rl_endpoint_free(). False: it is malformed, `why` says
 * how (without quoting it: it may hold a password), and there is nothing to free. */
bool rl_endpoint_parse(rl_endpoint *endpoint, const char *dsn, size_t len, char *why, size_t why_size);

/* Sets what the DSN did not say; NULL and a negative database leave it as it is. */
void rl_endpoint_login(rl_endpoint *endpoint, const char *username, const char *password, size_t password_len,
                       long database);

/* How TLS is to be done; copied. Only for an endpoint that has TLS. */
void rl_endpoint_secure(rl_endpoint *endpoint, const rl_tls_options *options);

/* A deep copy, to be freed like the original. */
void rl_endpoint_copy(rl_endpoint *to, const rl_endpoint *from);

/* Same server, same login, same database: a connection to one serves for the other. */
bool rl_endpoint_same(const rl_endpoint *a, const rl_endpoint *b);

/* Frees what it owns, the password overwritten first. An all-zero struct is fine. */
void rl_endpoint_free(rl_endpoint *endpoint);

#endif

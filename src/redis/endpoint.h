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

#define REDIS_ENDPOINT_PORT         6379
#define REDIS_ENDPOINT_MAX_DATABASE 2147483647L

/* As PHP names them in its SSL context. Strings may be NULL. */
typedef struct redis_tls_options {
    char *cafile; /* of the authorities; without both, the system's */
    char *capath;
    char *local_cert;      /* our own certificate, PEM, */
    char *local_pk;        /* and its key; NULL: it stands in local_cert */
    char *peer_name;       /* whose certificate the server must have; NULL: the host's */
    bool verify_peer;      /* its chain */
    bool verify_peer_name; /* its name */
} redis_tls_options;

typedef struct redis_endpoint {
    char *host;     /* NULL: a unix socket */
    int port;       /* 1 to 65535; 0: a unix socket */
    char *path;     /* of the unix socket, or NULL */
    char *username; /* NULL: the default user */
    char *password; /* NULL: no login. May hold any byte: */
    size_t password_len;
    bool tls;
    redis_tls_options tls_options; /* both checks are on unless redis_endpoint_secure() says otherwise */
    bool database_given;           /* by the DSN */
    long database;                 /* 0 to REDIS_ENDPOINT_MAX_DATABASE */
    char *label;                   /* how messages name the server: a DSN without user and password */
} redis_endpoint;

/* Reads `dsn` into `endpoint`, which the caller frees with redis_endpoint_free(). False: it is malformed, `why` says
 * how (without quoting it: it may hold a password), and there is nothing to free. */
bool redis_endpoint_parse(redis_endpoint *endpoint, const char *dsn, size_t len, char *why, size_t why_size);

/* Sets what the DSN did not say; NULL and a negative database leave it as it is. */
void redis_endpoint_login(redis_endpoint *endpoint, const char *username, const char *password, size_t password_len,
                          long database);

/* How TLS is to be done; copied. Only for an endpoint that has TLS. */
void redis_endpoint_secure(redis_endpoint *endpoint, const redis_tls_options *options);

/* A deep copy, to be freed like the original. */
void redis_endpoint_copy(redis_endpoint *to, const redis_endpoint *from);

/* Same server, same login, same database: a connection to one serves for the other. */
bool redis_endpoint_same(const redis_endpoint *a, const redis_endpoint *b);

/* Frees what it owns, the password overwritten first. An all-zero struct is fine. */
void redis_endpoint_free(redis_endpoint *endpoint);

#endif

/* SPDX-License-Identifier: MIT
 *
 * redis/tls: TLS between a node and its socket, by OpenSSL. It touches no socket itself: bytes that came in are fed to
 * it, bytes that go out are appended to a buffer, so that one poll loop serves plain and secure nodes alike.
 *
 * The server's certificate is checked by default: its chain, and that it is for the host we meant. hiredis checks no
 * name in any version, which is why its own TLS is not used.
 */
#ifndef REDISLOCK_REDIS_TLS_H
#define REDISLOCK_REDIS_TLS_H

#include <stdbool.h>
#include <stddef.h>

#include "redis/endpoint.h"
#include "redis/script.h"

typedef struct redis_tls redis_tls;

/* Was this built with TLS? Without it redis_tls_new() fails. */
bool redis_tls_is_built_in(void);

/* A session to `host`, client side, not begun. NULL: the options do not work out, and `why` says how. Freed by
 * redis_tls_free(), which tells the peer nothing: after a fork the session is the parent's. */
redis_tls *redis_tls_new(const redis_tls_options *options, const char *host, char *why, size_t why_size);
void redis_tls_free(redis_tls *tls);

/* Bytes that came from the socket. */
void redis_tls_feed(redis_tls *tls, const char *bytes, size_t len);

typedef enum redis_tls_step {
    REDIS_TLS_DONE,   /* the peer is who it shall be */
    REDIS_TLS_MORE,   /* send what is in `out`, feed what comes */
    REDIS_TLS_FAILED, /* `why` says how */
} redis_tls_step;

/* Takes the handshake as far as it goes now. */
redis_tls_step redis_tls_handshake(redis_tls *tls, redis_buffer *out, char *why, size_t why_size);

/* Encrypts and appends to `out`. False: the session is broken. */
bool redis_tls_seal(redis_tls *tls, const char *plain, size_t len, redis_buffer *out);

/* Decrypts up to `size` bytes of what was fed. Returns how many, 0 when there are none now, -1 when the session has
 * ended, and `why` says how. */
long redis_tls_open(redis_tls *tls, char *plain, size_t size, char *why, size_t why_size);

#endif

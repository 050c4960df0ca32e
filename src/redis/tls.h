/* SPDX-License-Identifier: MIT
 *
 * redis/tls: TLS between a connection and its socket, by OpenSSL. It touches no socket itself: bytes that came in are fed to
 * it, bytes that go out are appended to a buffer, so that one poll loop serves plain and secure connections alike.
 *
 * The server's certificate is checked by default: its chain, and that it is for the host we meant. hiredis checks no
 * name in any version, which is why its own TLS is not used.
 */
#ifndef REDISLOCK_REDIS_TLS_H
#define REDISLOCK_REDIS_TLS_H

#include <stdbool.h>
#include <stddef.h>

#include "redis/endpoint.h"
#include "redis/request.h"

typedef struct rl_tls rl_tls;

/* Was this built with TLS? Without it rl_tls_new() fails. */
bool rl_tls_is_built_in(void);

/* A session to `host`, client side, not begun. NULL: the options do not work out, and `why` says how. Freed by
 * rl_tls_free(), which tells the peer nothing: after a fork the session is the parent's. */
rl_tls *rl_tls_new(const rl_tls_options *options, const char *host, char *why, size_t why_size);
void rl_tls_free(rl_tls *tls);

/* Bytes that came from the socket. */
void rl_tls_feed(rl_tls *tls, const char *bytes, size_t len);

typedef enum rl_tls_step {
    RL_TLS_DONE,   /* the peer is who it shall be */
    RL_TLS_MORE,   /* send what is in `out`, feed what comes */
    RL_TLS_FAILED, /* `why` says how */
} rl_tls_step;

/* Takes the handshake as far as it goes now. */
rl_tls_step rl_tls_handshake(rl_tls *tls, rl_buffer *out, char *why, size_t why_size);

/* Encrypts and appends to `out`. False: the session is broken. */
bool rl_tls_seal(rl_tls *tls, const char *plain, size_t len, rl_buffer *out);

/* Decrypts up to `size` bytes of what was fed. Returns how many, 0 when there are none now, -1 when the session has
 * ended, and `why` says how. */
long rl_tls_open(rl_tls *tls, char *plain, size_t size, char *why, size_t why_size);

#endif

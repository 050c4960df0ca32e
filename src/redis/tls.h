/* SPDX-License-Identifier: MIT
 *
 * redis/tls: TLS between a connection and its socket, by OpenSSL. It touches no socket itself: the bytes that come in
 * are fed to it, and the bytes that are to go out are appended to a buffer. So one poll loop serves connections with
 * and without TLS alike.
 *
 * By default the server's certificate is checked: its chain, and that it is for the intended host. hiredis does not
 * check the name in any version, which is why its own TLS is not used.
 */
#ifndef REDISLOCK_REDIS_TLS_H
#define REDISLOCK_REDIS_TLS_H

#include <stdbool.h>
#include <stddef.h>

#include "redis/request.h"

/* The fields have the names of PHP's SSL context options. Strings may be NULL. */
typedef struct rl_tls_options {
    char *cafile;          /* a file of trusted authorities; if this and `capath` are NULL, the system's are used */
    char *capath;          /* a directory of trusted authorities; see also `cafile` */
    char *local_cert;      /* the file of our own certificate, PEM; NULL: none */
    char *local_pk;        /* the file of the key to `local_cert`; NULL: that file holds the key too */
    char *peer_name;       /* the name that the server's certificate must bear; NULL: the host */
    bool verify_peer;      /* is the chain of the server's certificate checked? */
    bool verify_peer_name; /* is the name in the server's certificate checked? */
} rl_tls_options;

/* What is made of the options and of the files that they name, for any number of sessions: OpenSSL's SSL_CTX. It counts
 * who shares it, and threads may share it. */
typedef struct ssl_ctx_st rl_tls_context;

typedef struct rl_tls rl_tls;

/* Was redislock built with TLS? If not, rl_tls_context_new() fails. */
bool rl_tls_is_built_in(void);

/* Returns a context, or NULL if the options cannot be used, and `why` says what is wrong with them. With `at_once`, all
 * authorities are read now, so that the sessions read no file and no environment variable. Without it, a directory of
 * authorities is searched only when a certificate is checked, which is less work for one session. */
rl_tls_context *rl_tls_context_new(const rl_tls_options *options, bool at_once, char *why, size_t why_size);

/* Returns the context to one more owner. Each of them frees it. NULL is fine for both. */
rl_tls_context *rl_tls_context_share(rl_tls_context *context);
void rl_tls_context_free(rl_tls_context *context);

/* Returns the client's side of a session to `host`, whose handshake has not begun. The context is one that was made of
 * the options, and need not outlive this call. Returns NULL if there is no memory, and `why` says so. Freed by
 * rl_tls_free(), which sends nothing to the peer, since after a fork the session may be the parent's. */
rl_tls *rl_tls_new(rl_tls_context *context, const rl_tls_options *options, const char *host, char *why,
                   size_t why_size);
void rl_tls_free(rl_tls *tls);

/* Takes bytes that came from the socket. */
void rl_tls_feed(rl_tls *tls, const char *bytes, size_t len);

typedef enum rl_tls_step {
    RL_TLS_DONE,   /* the peer is verified, as far as the options demand it */
    RL_TLS_MORE,   /* the caller is to send what is in `out`, and feed what comes */
    RL_TLS_FAILED, /* `why` says what went wrong */
} rl_tls_step;

/* Takes the handshake as far as it goes with what was fed. Appends to `out` what is to be sent, in every case. */
rl_tls_step rl_tls_handshake(rl_tls *tls, rl_buffer *out, char *why, size_t why_size);

/* Encrypts the bytes and appends them to `out`. Returns false if the session is broken. */
bool rl_tls_seal(rl_tls *tls, const char *plain, size_t len, rl_buffer *out);

/* Decrypts up to `size` bytes of what was fed. Returns their number, which is 0 if there are none at present. Returns
 * -1 if the session has ended, and `why` says how. */
long rl_tls_open(rl_tls *tls, char *plain, size_t size, char *why, size_t why_size);

#endif

/* SPDX-License-Identifier: MIT
 *
 * redis/tls: see redis/tls.h.
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "redis/tls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platform/authorities.h"
#include "platform/platform.h"
#include "platform/sockets.h"

#ifdef HAVE_REDISLOCK_TLS

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

struct rl_tls {
    SSL *session;
    BIO *in;       /* bytes that came from the socket; owned by the session */
    BIO *out;      /* bytes that are to go to the socket; owned by the session */
    char *name;    /* the host name or address that the server's certificate must bear; NULL: any */
    bool heard;    /* something came from the socket */
    bool is_plain; /* what came first from the socket is not TLS */
};

bool rl_tls_is_built_in(void)
{
    return true;
}

/* Writes `what` to `why`, with OpenSSL's reason if it gives one, and returns false. */
static bool fail(char *why, size_t size, const char *what)
{
    unsigned long code = ERR_get_error();
    const char *reason = code != 0 ? ERR_reason_error_string(code) : NULL;

    ERR_clear_error();
    snprintf(why, size, reason != NULL ? "TLS: %s (%s)" : "TLS: %s", what, reason);
    return false;
}

/* What is to be read at once must not be searched by OpenSSL, which would read later too: so it is not told of the directory
 * then. */
static bool load_authorities(SSL_CTX *context, const rl_tls_options *options, bool at_once, char *why, size_t size)
{
    const char *later = at_once ? NULL : options->capath;

    if (options->cafile == NULL && options->capath == NULL) {
        return authorities_trust_system(context, at_once) ||
               fail(why, size, "no system CA certificates found: name a cafile");
    }
    if (at_once && options->capath != NULL) {
        authorities_load_directories(context, options->capath);
    }
    return (options->cafile == NULL && later == NULL) ||
           SSL_CTX_load_verify_locations(context, options->cafile, later) == 1 ||
           fail(why, size, "cafile or capath cannot be loaded");
}

/* Refuses a key that needs a passphrase, since nobody is there to type it. Without this, OpenSSL asks on the
 * terminal. */
static int no_passphrase(char *buffer, int size, int writing, void *arg)
{
    (void)buffer, (void)size, (void)writing, (void)arg;
    return 0;
}

/* Loads the client's certificate and key, if the options name them. Returns false, with the reason in `why`, if they
 * cannot be loaded or do not belong together. */
static bool load_own_certificate(SSL_CTX *context, const rl_tls_options *options, char *why, size_t size)
{
    const char *key = options->local_pk != NULL ? options->local_pk : options->local_cert;

    if (options->local_cert == NULL) {
        return true;
    }
    SSL_CTX_set_default_passwd_cb(context, no_passphrase);
    if (SSL_CTX_use_certificate_chain_file(context, options->local_cert) != 1) {
        return fail(why, size, "local_cert cannot be loaded");
    }
    if (SSL_CTX_use_PrivateKey_file(context, key, SSL_FILETYPE_PEM) != 1 || SSL_CTX_check_private_key(context) != 1) {
        return fail(why, size, "local_pk cannot be loaded, or does not belong to local_cert");
    }
    return true;
}

static bool is_address(const char *host)
{
    unsigned char address[SOCKETS_ADDRESS_SIZE];

    return sockets_read_address(host, address) > 0;
}

static bool set_up_context(SSL_CTX *context, const rl_tls_options *options, bool at_once, char *why, size_t size)
{
    SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
    SSL_CTX_set_verify(context, options->verify_peer ? SSL_VERIFY_PEER : SSL_VERIFY_NONE, NULL);
    return (!options->verify_peer || load_authorities(context, options, at_once, why, size)) &&
           load_own_certificate(context, options, why, size);
}

rl_tls_context *rl_tls_context_new(const rl_tls_options *options, bool at_once, char *why, size_t why_size)
{
    SSL_CTX *context;

    ERR_clear_error(); /* the error queue is the thread's, and PHP's own use of OpenSSL may have left something in it */
    if ((context = SSL_CTX_new(TLS_client_method())) == NULL) {
        fail(why, why_size, "no session");
    } else if (!set_up_context(context, options, at_once, why, why_size)) {
        SSL_CTX_free(context);
        context = NULL;
    }
    return context;
}

rl_tls_context *rl_tls_context_share(rl_tls_context *context)
{
    if (context != NULL) {
        SSL_CTX_up_ref(context);
    }
    return context;
}

void rl_tls_context_free(rl_tls_context *context)
{
    SSL_CTX_free(context);
}

/* Makes the session, which shares the context. Returns false, with the reason in `why`, on failure: the caller then
 * frees the session, but BIOs that the session does not own yet are freed here. */
static bool set_up(rl_tls *tls, SSL_CTX *context, const char *host, char *why, size_t size)
{
    tls->in = BIO_new(BIO_s_mem());
    tls->out = BIO_new(BIO_s_mem());
    tls->session = SSL_new(context);
    if (tls->in == NULL || tls->out == NULL || tls->session == NULL) {
        BIO_free(tls->in);
        BIO_free(tls->out);
        return fail(why, size, "no session");
    }
    SSL_set_bio(tls->session, tls->in, tls->out);
    SSL_set_connect_state(tls->session);
    if (!is_address(host)) {
        SSL_set_tlsext_host_name(tls->session, host);
    }
    return true;
}

/* `peer_name` also replaces the host in the SNI extension, so that the server can choose the certificate that is
 * checked. */
rl_tls *rl_tls_new(rl_tls_context *context, const rl_tls_options *options, const char *host, char *why, size_t why_size)
{
    rl_tls *tls = platform_zalloc(sizeof(*tls));
    const char *name = options->peer_name != NULL ? options->peer_name : host;

    ERR_clear_error(); /* as in rl_tls_context_new() */
    if (options->verify_peer_name) {
        tls->name = platform_strdup(name);
    }
    if (!set_up(tls, context, name, why, why_size)) {
        rl_tls_free(tls);
        return NULL;
    }
    return tls;
}

void rl_tls_free(rl_tls *tls)
{
    if (tls != NULL) {
        SSL_free(tls->session);
        free(tls->name);
        free(tls);
    }
}

void rl_tls_feed(rl_tls *tls, const char *bytes, size_t len)
{
    if (!tls->heard && len > 0) {
        /* A server that speaks TLS begins with one of these records, even if it rejects us. */
        tls->heard = true;
        tls->is_plain = bytes[0] != SSL3_RT_HANDSHAKE && bytes[0] != SSL3_RT_ALERT;
    }
    BIO_write(tls->in, bytes, (int)len);
}

/* Moves what the session wants to send to `out`. */
static void take_out(rl_tls *tls, rl_buffer *out)
{
    char *bytes;
    long len = BIO_get_mem_data(tls->out, &bytes);

    if (len > 0) {
        rl_buffer_append(out, bytes, (size_t)len);
        (void)BIO_reset(tls->out);
    }
}

/* Is the server's certificate for the intended host? This is checked even if the chain is not. The certificate's
 * alternative names must contain an address as an address, and a name as a DNS name. The common name, which OpenSSL
 * would take if there is no DNS name, does not count: it can have any form and promises nothing (RFC 6125). */
static bool is_named(const rl_tls *tls)
{
    X509 *certificate = SSL_get_peer_certificate(tls->session);
    bool named = false;

    if (certificate != NULL) {
        named = is_address(tls->name)
                    ? X509_check_ip_asc(certificate, tls->name, 0) == 1
                    : X509_check_host(certificate, tls->name, 0, X509_CHECK_FLAG_NEVER_CHECK_SUBJECT, NULL) == 1;
        X509_free(certificate);
    }
    return named;
}

static rl_tls_step handshake_failed(const rl_tls *tls, char *why, size_t size)
{
    long verdict = SSL_get_verify_result(tls->session);

    if (tls->is_plain) {
        snprintf(why, size, "TLS: the server does not speak TLS on this port");
    } else if (verdict != X509_V_OK) {
        fail(why, size, X509_verify_cert_error_string(verdict));
    } else {
        fail(why, size, "the handshake failed");
    }
    return RL_TLS_FAILED;
}

/* SSL_get_error() also looks at the thread's error queue, so that must be empty before. The name is checked here, and
 * not by OpenSSL, for the reasons given at is_named(). */
rl_tls_step rl_tls_handshake(rl_tls *tls, rl_buffer *out, char *why, size_t why_size)
{
    int result, error;

    ERR_clear_error();
    result = SSL_do_handshake(tls->session);
    error = SSL_get_error(tls->session, result);
    take_out(tls, out);
    if (result == 1 && (tls->name == NULL || is_named(tls))) {
        return RL_TLS_DONE;
    }
    if (result == 1) {
        snprintf(why, why_size, "TLS: the certificate is not for %s", tls->name);
        return RL_TLS_FAILED;
    }
    return error == SSL_ERROR_WANT_READ ? RL_TLS_MORE : handshake_failed(tls, why, why_size);
}

bool rl_tls_seal(rl_tls *tls, const char *plain, size_t len, rl_buffer *out)
{
    bool sealed;

    ERR_clear_error();
    sealed = len == 0 || SSL_write(tls->session, plain, (int)len) > 0;
    take_out(tls, out);
    return sealed;
}

/* SSL_ERROR_WANT_READ means here that no complete record was fed, since the session reads from memory. The error queue
 * is emptied for SSL_get_error(), as in rl_tls_handshake(). */
long rl_tls_open(rl_tls *tls, char *plain, size_t size, char *why, size_t why_size)
{
    int result, error;

    ERR_clear_error();
    result = SSL_read(tls->session, plain, (int)size);
    if (result > 0) {
        return result;
    }
    error = SSL_get_error(tls->session, result);
    if (error == SSL_ERROR_WANT_READ) {
        return 0;
    }
    if (error == SSL_ERROR_ZERO_RETURN) {
        snprintf(why, why_size, "the server closed the connection");
    } else {
        fail(why, why_size, "the session broke");
    }
    return -1;
}

#else

bool rl_tls_is_built_in(void)
{
    return false;
}

rl_tls_context *rl_tls_context_new(const rl_tls_options *options, bool at_once, char *why, size_t why_size)
{
    (void)options, (void)at_once;
    snprintf(why, why_size, "this build has no TLS");
    return NULL;
}

/* No context is ever made in this build, so there is none to share or to free, and no session. The functions behind
 * these two are never called. */

rl_tls_context *rl_tls_context_share(rl_tls_context *context)
{
    return context;
}

void rl_tls_context_free(rl_tls_context *context)
{
    (void)context;
}

rl_tls *rl_tls_new(rl_tls_context *context, const rl_tls_options *options, const char *host, char *why, size_t why_size)
{
    (void)context, (void)options, (void)host, (void)why, (void)why_size;
    return NULL;
}

void rl_tls_free(rl_tls *tls)
{
    (void)tls;
}

void rl_tls_feed(rl_tls *tls, const char *bytes, size_t len)
{
    (void)tls, (void)bytes, (void)len;
}

rl_tls_step rl_tls_handshake(rl_tls *tls, rl_buffer *out, char *why, size_t why_size)
{
    (void)tls, (void)out, (void)why, (void)why_size;
    return RL_TLS_FAILED;
}

bool rl_tls_seal(rl_tls *tls, const char *plain, size_t len, rl_buffer *out)
{
    (void)tls, (void)plain, (void)len, (void)out;
    return false;
}

long rl_tls_open(rl_tls *tls, char *plain, size_t size, char *why, size_t why_size)
{
    (void)tls, (void)plain, (void)size, (void)why, (void)why_size;
    return -1;
}

#endif

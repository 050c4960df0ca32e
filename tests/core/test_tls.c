/* SPDX-License-Identifier: MIT
 *
 * TLS to a real server, by an endpoint that was prepared: what is checked, and what is no longer read. How certificates
 * are checked in general is tested in tests/php/tls.
 */
#include "bed.h"

#include "redis/tls.h"

#ifdef HAVE_REDISLOCK_TLS

#include <netinet/in.h>
#include <openssl/ec.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

/* A server that speaks TLS. Its certificate is signed by itself, so that it is its own authority. It is for the host
 * "right.invalid", which is never found, and for 127.0.0.1. */
typedef struct tls_server {
    server server;
    int port;
    char authority[128]; /* the file of the certificate, named as OpenSSL looks for it in a directory */
} tls_server;

static EVP_PKEY *make_key(void)
{
    EVP_PKEY_CTX *maker = EVP_PKEY_CTX_new_id(EVP_PKEY_EC, NULL);
    EVP_PKEY *key = NULL;

    CHECK(EVP_PKEY_keygen_init(maker) == 1 &&
          EVP_PKEY_CTX_set_ec_paramgen_curve_nid(maker, NID_X9_62_prime256v1) == 1 &&
          EVP_PKEY_keygen(maker, &key) == 1);
    EVP_PKEY_CTX_free(maker);
    return key;
}

static X509 *make_certificate(EVP_PKEY *key)
{
    X509 *certificate = X509_new();
    X509_NAME *name = X509_get_subject_name(certificate);
    X509_EXTENSION *names = X509V3_EXT_conf_nid(NULL, NULL, NID_subject_alt_name, "DNS:right.invalid,IP:127.0.0.1");

    CHECK(X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, (const unsigned char *)"server", -1, -1, 0) == 1);
    X509_set_version(certificate, 2);
    ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1);
    X509_gmtime_adj(X509_getm_notBefore(certificate), -3600);
    X509_gmtime_adj(X509_getm_notAfter(certificate), 86400);
    X509_set_issuer_name(certificate, name);
    X509_set_pubkey(certificate, key);
    CHECK(X509_add_ext(certificate, names, -1) == 1 && X509_sign(certificate, key, EVP_sha256()) > 0);
    X509_EXTENSION_free(names);
    return certificate;
}

/* Writes the certificate, and the key too unless that is NULL. */
static void write_pem(const char *path, X509 *certificate, EVP_PKEY *key)
{
    FILE *file = fopen(path, "w");

    CHECK(file != NULL && PEM_write_X509(file, certificate) == 1);
    CHECK(key == NULL || PEM_write_PrivateKey(file, key, NULL, NULL, 0, NULL, NULL) == 1);
    CHECK(fclose(file) == 0);
}

static void tls_server_start(tls_server *s)
{
    EVP_PKEY *key = make_key();
    X509 *certificate = make_certificate(key);
    char own[90], options[256];

    snprintf(own, sizeof(own), "%s/own.pem", test_folder());
    write_pem(own, certificate, key);
    snprintf(s->authority, sizeof(s->authority), "%s/%08lx.0", test_folder(), X509_subject_name_hash(certificate));
    write_pem(s->authority, certificate, NULL);
    s->port = free_port();
    snprintf(options, sizeof(options), "--tls-port %d --tls-cert-file %s --tls-key-file %s --tls-auth-clients no",
             s->port, own, own);
    server_start(&s->server, options);
    X509_free(certificate);
    EVP_PKEY_free(key);
}

static void tls_server_stop(tls_server *s)
{
    server_stop(&s->server);
}

#define TLS_SERVER(s)                                                                                                  \
    CLOSED_BY(tls_server_stop) tls_server s;                                                                           \
    tls_server_start(&(s))

/* Parses an endpoint of the server under the name of `host`. `options` may be NULL. */
static void open_endpoint(rl_endpoint *endpoint, const tls_server *s, const char *host, const rl_tls_options *options)
{
    char dsn[128], why[128];

    snprintf(dsn, sizeof(dsn), "rediss://%s:%d", host, s->port);
    CHECK(rl_endpoint_parse(endpoint, dsn, strlen(dsn), why, sizeof(why)));
    if (options != NULL) {
        rl_endpoint_secure(endpoint, options);
    }
}

static void prepare(rl_endpoint *endpoint)
{
    char why[200];

    if (!prepare_at(endpoint, "127.0.0.1", why, sizeof(why))) {
        test_fail(__FILE__, __LINE__, "%s", why);
    }
}

/* Checks how PING to the endpoint ends: with PONG, or with an error that has `error` in its text. Frees the endpoint. */
static void check_ping(rl_endpoint *endpoint, const char *error)
{
    rl_conn *conn = rl_conn_new(endpoint, NULL, NULL);
    rl_call call = {0};

    rl_endpoint_free(endpoint); /* the connection has its own */
    rl_request_add(&call.request, RL_LITERAL("PING"));
    rl_conn_submit(conn, &call, platform_now() + MS(5000));
    rl_call_wait(&call, platform_now() + MS(5000), NULL);
    if (error == NULL ? call.error.kind != RL_OK : strstr(call.error.text, error) == NULL) {
        test_fail(__FILE__, __LINE__, "the error is: %s", call.error.text);
    }
    if (error == NULL) {
        CHECK_TEXT(call.reply->str, "PONG");
    }
    rl_call_reset(&call);
    rl_conn_free(conn);
}

TEST(tls_certificate_must_be_for_the_host_and_not_for_its_address)
{
    rl_endpoint endpoint;

    TLS_SERVER(s);
    rl_tls_options options = {.cafile = s.authority, .verify_peer = true, .verify_peer_name = true};
    open_endpoint(&endpoint, &s, "right.invalid", &options);
    prepare(&endpoint);
    check_ping(&endpoint, NULL);
    open_endpoint(&endpoint, &s, "wrong.invalid", &options);
    prepare(&endpoint);
    check_ping(&endpoint, "the certificate is not for wrong.invalid");
}

TEST(tls_chain_is_checked_with_a_context_that_was_made_beforehand)
{
    rl_endpoint endpoint;

    TLS_SERVER(s);
    open_endpoint(&endpoint, &s, "right.invalid", NULL); /* the system does not know the authority */
    prepare(&endpoint);
    check_ping(&endpoint, "self");
}

TEST(tls_file_of_authorities_is_read_beforehand)
{
    rl_endpoint endpoint, later;

    TLS_SERVER(s);
    rl_tls_options options = {.cafile = s.authority, .verify_peer = true, .verify_peer_name = true};
    open_endpoint(&endpoint, &s, "127.0.0.1", &options);
    rl_endpoint_copy(&later, &endpoint);
    prepare(&endpoint);
    CHECK_INT(unlink(s.authority), 0);
    check_ping(&endpoint, NULL);
    check_ping(&later, "cafile or capath cannot be loaded");
}

TEST(tls_directory_of_authorities_is_read_beforehand)
{
    rl_endpoint endpoint, later;
    char folders[256];

    TLS_SERVER(s);
    snprintf(folders, sizeof(folders), "/nowhere:%s", test_folder());
    rl_tls_options options = {.capath = folders, .verify_peer = true, .verify_peer_name = true};
    open_endpoint(&endpoint, &s, "127.0.0.1", &options);
    rl_endpoint_copy(&later, &endpoint);
    prepare(&endpoint);
    CHECK_INT(unlink(s.authority), 0);
    check_ping(&endpoint, NULL);
    check_ping(&later, "self");
}

TEST(tls_authorities_of_the_system_are_read_beforehand)
{
    static const char *const variables[] = {"SSL_CERT_FILE", "SSL_CERT_DIR"};
    rl_endpoint endpoints[2];

    TLS_SERVER(s);
    const char *values[] = {s.authority, test_folder()};
    for (int i = 0; i < 2; i++) {
        setenv(variables[i], values[i], 1);
        open_endpoint(&endpoints[i], &s, "127.0.0.1", NULL);
        prepare(&endpoints[i]);
        unsetenv(variables[i]);
    }
    CHECK_INT(unlink(s.authority), 0);
    check_ping(&endpoints[0], NULL);
    check_ping(&endpoints[1], NULL);
}

TEST(tls_options_that_change_need_another_context)
{
    rl_endpoint endpoint;

    TLS_SERVER(s);
    rl_tls_options options = {.cafile = s.authority, .verify_peer = true, .verify_peer_name = true};
    open_endpoint(&endpoint, &s, "right.invalid", &options);
    prepare(&endpoint);
    options.cafile = "/nowhere/authority.pem";
    rl_endpoint_secure(&endpoint, &options);
    check_ping(&endpoint, "cafile or capath cannot be loaded");
}

TEST(tls_options_that_cannot_be_used_are_told_beforehand)
{
    rl_tls_options options = {.cafile = "/nowhere/authority.pem", .verify_peer = true};
    rl_endpoint endpoint;
    char why[200];

    open_endpoint(&endpoint, &(tls_server){.port = 1}, "right.invalid", &options);
    CHECK(!prepare_at(&endpoint, "127.0.0.1", why, sizeof(why)));
    CHECK(strstr(why, "cafile or capath cannot be loaded") != NULL);
    CHECK_TEXT(endpoint.address, "");
    CHECK(endpoint.tls_context == NULL);
    rl_endpoint_free(&endpoint);
}

#endif

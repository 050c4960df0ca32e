/* SPDX-License-Identifier: MIT
 *
 * platform/authorities on Windows: see platform/authorities.h. Its authorities are in no files, but in a store of the system's,
 * of which OpenSSL knows nothing.
 */
#include "platform/authorities.h"

#ifdef HAVE_REDISLOCK_TLS

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <winsock2.h> /* OpenSSL 3.2 wants it, and windows.h alone brings an older one, with which it does not go */
#include <windows.h>

#include <wincrypt.h>

#include <openssl/err.h>
#include <openssl/ssl.h>

#include "platform/platform.h"

/* May the authority vouch for servers? The store may have some for other uses only. */
static bool vouches_for_servers(const CERT_CONTEXT *authority)
{
    DWORD size = 0;
    CERT_ENHKEY_USAGE *uses;
    bool does = false;

    if (!CertGetEnhancedKeyUsage(authority, 0, NULL, &size)) {
        return false;
    }
    uses = platform_alloc(size);
    if (CertGetEnhancedKeyUsage(authority, 0, uses, &size)) {
        /* None is listed if none is allowed, and if all are. */
        does = uses->cUsageIdentifier == 0 && GetLastError() == (DWORD)CRYPT_E_NOT_FOUND;
        for (DWORD i = 0; i < uses->cUsageIdentifier && !does; i++) {
            does = strcmp(uses->rgpszUsageIdentifier[i], szOID_PKIX_KP_SERVER_AUTH) == 0;
        }
    }
    free(uses);
    return does;
}

static void load(SSL_CTX *context, const CERT_CONTEXT *authority)
{
    const unsigned char *bytes = authority->pbCertEncoded;
    X509 *certificate = d2i_X509(NULL, &bytes, (long)authority->cbCertEncoded);

    if (certificate != NULL) {
        X509_STORE_add_cert(SSL_CTX_get_cert_store(context), certificate);
        X509_free(certificate);
    }
}

static bool trusts_any(SSL_CTX *context)
{
    return sk_X509_OBJECT_num(X509_STORE_get0_objects(SSL_CTX_get_cert_store(context))) > 0;
}

/* The store is read at once in any case: that OpenSSL asks for a single authority is not worth a callback. */
bool authorities_trust_system(SSL_CTX *context, bool at_once)
{
    HCERTSTORE store = CertOpenSystemStoreW(0, L"ROOT");

    authorities_load_defaults(context);
    if (store != NULL) {
        for (const CERT_CONTEXT *authority = NULL;
             (authority = CertEnumCertificatesInStore(store, authority)) != NULL;) {
            if (vouches_for_servers(authority)) {
                load(context, authority);
            }
        }
        CertCloseStore(store, 0);
    }
    ERR_clear_error();
    return at_once || trusts_any(context);
}

void authorities_list(const char *directory, void (*found)(const char *name, void *arg), void *arg)
{
    char pattern[MAX_PATH + sizeof("\\*")];
    WIN32_FIND_DATAA file;
    HANDLE search;

    if (strlen(directory) > MAX_PATH) {
        return;
    }
    snprintf(pattern, sizeof(pattern), "%s\\*", directory);
    search = FindFirstFileA(pattern, &file);
    if (search != INVALID_HANDLE_VALUE) {
        do {
            found(file.cFileName, arg);
        } while (FindNextFileA(search, &file));
        FindClose(search);
    }
}

#endif

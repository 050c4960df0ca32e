/* SPDX-License-Identifier: MIT
 *
 * platform/authorities: see platform/authorities.h.
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "platform/authorities.h"

#ifdef HAVE_REDISLOCK_TLS

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <openssl/err.h>
#include <openssl/ssl.h>

#include "platform/platform.h"

/* A directory that is loaded. */
typedef struct loading {
    SSL_CTX *context;
    const char *directory;
} loading;

/* Is this how the file of an authority is named in a directory, as 1a2b3c4d.0? OpenSSL finds no others there. */
static bool is_authority(const char *name)
{
    return strspn(name, "0123456789abcdef") == 8 && name[8] == '.' && name[9] != '\0' &&
           strspn(name + 9, "0123456789") == strlen(name + 9);
}

static void load(const char *name, void *arg)
{
    const loading *to = arg;
    char file[4096];

    if (is_authority(name)) {
        snprintf(file, sizeof(file), "%s/%s", to->directory, name);
        SSL_CTX_load_verify_locations(to->context, file, NULL);
    }
}

/* One after another, each by a name of its own: the list is the caller's, or OpenSSL's. */
void authorities_load_directories(SSL_CTX *context, const char *list)
{
    char *directory = platform_alloc(strlen(list) + 1);

    for (size_t len; *list != '\0'; list += len) {
        list += strspn(list, AUTHORITIES_SEPARATOR);
        len = strcspn(list, AUTHORITIES_SEPARATOR);
        memcpy(directory, list, len);
        directory[len] = '\0';
        if (len > 0) {
            authorities_list(directory, load, &(loading){context, directory});
        }
    }
    free(directory);
    ERR_clear_error();
}

/* Returns the variable's value, or else a copy of the other text. */
static char *variable_or(const char *name, const char *otherwise)
{
    char *value = platform_getenv(name);

    return value != NULL ? value : platform_strdup(otherwise);
}

void authorities_load_defaults(SSL_CTX *context)
{
    char *file = variable_or(X509_get_default_cert_file_env(), X509_get_default_cert_file());
    char *directories = variable_or(X509_get_default_cert_dir_env(), X509_get_default_cert_dir());

    SSL_CTX_load_verify_locations(context, file, NULL);
    authorities_load_directories(context, directories);
    free(file);
    free(directories);
}

#endif

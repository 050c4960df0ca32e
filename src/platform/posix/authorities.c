/* SPDX-License-Identifier: MIT
 *
 * platform/authorities on POSIX systems: see platform/authorities.h. OpenSSL knows where their authorities are.
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "platform/authorities.h"

#ifdef HAVE_REDISLOCK_TLS

#include <dirent.h>
#include <stddef.h>
#include <openssl/ssl.h>

bool authorities_trust_system(SSL_CTX *context, bool at_once)
{
    if (at_once) {
        authorities_load_defaults(context);
        return true;
    }
    return SSL_CTX_set_default_verify_paths(context) == 1;
}

void authorities_list(const char *directory, void (*found)(const char *name, void *arg), void *arg)
{
    DIR *open = opendir(directory);

    for (struct dirent *entry; open != NULL && (entry = readdir(open)) != NULL;) {
        found(entry->d_name, arg);
    }
    if (open != NULL) {
        closedir(open);
    }
}

#endif

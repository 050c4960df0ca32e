/* SPDX-License-Identifier: MIT
 *
 * platform/authorities: whose certificates OpenSSL is to trust: those of the system, and those in directories.
 *
 * OpenSSL cannot load a directory at once: it reads from it each time that a certificate is checked whose authority it has not
 * loaded, also when the directory has no such authority. What is loaded here is read now, and no file later.
 *
 * What all systems share is in platform/authorities.c; the rest is in posix/authorities.c and in windows/authorities.c.
 */
#ifndef REDISLOCK_PLATFORM_AUTHORITIES_H
#define REDISLOCK_PLATFORM_AUTHORITIES_H

#include <stdbool.h>

/* What separates the directories of a list. */
#ifdef _WIN32
#define AUTHORITIES_SEPARATOR ";"
#else
#define AUTHORITIES_SEPARATOR ":"
#endif

/* OpenSSL's SSL_CTX. */
struct ssl_ctx_st;

/* Has the context trust the authorities that the system does. With `at_once`, all are loaded, and there may be none. Returns
 * false if there are none, or it does not know where they are. */
bool authorities_trust_system(struct ssl_ctx_st *context, bool at_once);

/* Loads the authorities in all directories of a list. As OpenSSL does, skips what it cannot read. */
void authorities_load_directories(struct ssl_ctx_st *context, const char *list);

/* For authorities_trust_system(): loads those that are where OpenSSL looks for the system's. There may be none. */
void authorities_load_defaults(struct ssl_ctx_st *context);

/* For authorities_load_directories(): calls `found` with the name of each file in the directory. */
void authorities_list(const char *directory, void (*found)(const char *name, void *arg), void *arg);

#endif

/* SPDX-License-Identifier: MIT
 *
 * redis/hosts: where hosts were found, for a thread that must not resolve their names.
 */
#ifndef REDISLOCK_REDIS_HOSTS_H
#define REDISLOCK_REDIS_HOSTS_H

#include <stdbool.h>
#include <stddef.h>

#define RL_ADDRESS_SIZE 64 /* holds any numeric address; an IPv6 address may have a scope, as in fe80::1%eth0 */

typedef struct rl_host {
    char *name;
    char address[RL_ADDRESS_SIZE]; /* numeric; "": not known */
    bool is_sought;                /* it was looked up, maybe in vain */
} rl_host;

/* All zero is an empty table. */
typedef struct rl_hosts {
    rl_host *list;
    size_t count;
} rl_hosts;

/* Notes where the host was found, in place of where it was found before. */
void rl_hosts_note(rl_hosts *hosts, const char *name, const char *address);

/* Notes all that `from` knows. NULL knows nothing. */
void rl_hosts_note_all(rl_hosts *hosts, const rl_hosts *from);

/* Notes that the host may have to be found some time, unless that is noted. */
void rl_hosts_expect(rl_hosts *hosts, const char *name);

/* Resolves the names whose addresses are not noted, and notes an address of each. That blocks. A name that cannot be
 * found may block for long, so each is looked up once. */
void rl_hosts_resolve(rl_hosts *hosts);

/* Returns the numeric address of the host: the name itself if it is one, or what was noted; NULL: it is not known. */
const char *rl_hosts_find(const rl_hosts *hosts, const char *name);

/* Is the host an address rather than a name? Nothing is resolved. */
bool rl_host_is_numeric(const char *name);

void rl_hosts_free(rl_hosts *hosts);

#endif

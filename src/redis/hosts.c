/* SPDX-License-Identifier: MIT
 *
 * redis/hosts: see redis/hosts.h.
 */
#include "redis/hosts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platform/platform.h"
#include "platform/resolver.h"
#include "platform/sockets.h"

/* There are few, so a list will do. */
static rl_host *entry_of(const rl_hosts *hosts, const char *name)
{
    for (size_t i = 0; hosts != NULL && i < hosts->count; i++) {
        if (strcmp(hosts->list[i].name, name) == 0) {
            return &hosts->list[i];
        }
    }
    return NULL;
}

static rl_host *entry_for(rl_hosts *hosts, const char *name)
{
    rl_host *host = entry_of(hosts, name);

    if (host == NULL) {
        char *copy = platform_strdup(name);
        hosts->list = platform_realloc(hosts->list, (hosts->count + 1) * sizeof(*hosts->list));
        host = &hosts->list[hosts->count++];
        *host = (rl_host){.name = copy};
    }
    return host;
}

void rl_hosts_note(rl_hosts *hosts, const char *name, const char *address)
{
    snprintf(entry_for(hosts, name)->address, RL_ADDRESS_SIZE, "%s", address);
}

void rl_hosts_expect(rl_hosts *hosts, const char *name)
{
    entry_for(hosts, name);
}

void rl_hosts_note_all(rl_hosts *hosts, const rl_hosts *from)
{
    for (size_t i = 0; from != NULL && i < from->count; i++) {
        rl_host *host = entry_for(hosts, from->list[i].name);
        if (from->list[i].address[0] != '\0') {
            memcpy(host->address, from->list[i].address, sizeof(host->address));
        }
        host->is_sought = from->list[i].is_sought;
    }
}

/* Chooses the address that hiredis would connect to: one of IPv6 only if there is none of IPv4. */
static const struct addrinfo *choose(const struct addrinfo *found)
{
    const struct addrinfo *one = found;

    while (one != NULL && one->ai_family != AF_INET) {
        one = one->ai_next;
    }
    return one != NULL ? one : found;
}

/* Looks the name up, which may take long. The address stays "" if there is none. */
static void resolve(rl_host *host)
{
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *found;

    host->is_sought = true;
    sockets_begin();
    if (getaddrinfo(host->name, NULL, &hints, &found) == 0) {
        const struct addrinfo *one = choose(found);
        if (getnameinfo(one->ai_addr, one->ai_addrlen, host->address, sizeof(host->address), NULL, 0, NI_NUMERICHOST) !=
            0) {
            host->address[0] = '\0';
        }
        freeaddrinfo(found);
    }
}

void rl_hosts_resolve(rl_hosts *hosts)
{
    for (size_t i = 0; i < hosts->count; i++) {
        if (hosts->list[i].address[0] == '\0' && !hosts->list[i].is_sought) {
            resolve(&hosts->list[i]);
        }
    }
}

bool rl_host_is_numeric(const char *name)
{
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICHOST}, *found;

    sockets_begin();
    if (getaddrinfo(name, NULL, &hints, &found) != 0) {
        return false;
    }
    freeaddrinfo(found);
    return true;
}

const char *rl_hosts_find(const rl_hosts *hosts, const char *name)
{
    const rl_host *host = entry_of(hosts, name);

    if (host != NULL && host->address[0] != '\0') {
        return host->address;
    }
    return rl_host_is_numeric(name) ? name : NULL;
}

void rl_hosts_free(rl_hosts *hosts)
{
    for (size_t i = 0; i < hosts->count; i++) {
        free(hosts->list[i].name);
    }
    free(hosts->list);
    memset(hosts, 0, sizeof(*hosts));
}

/* SPDX-License-Identifier: MIT
 *
 * php/server_list: see php/server_list.h.
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "php/server_list.h"

#include "platform/platform.h"
#include "platform/sockets.h"

void php_rl_servers_add_label(php_rl_servers *servers, const char *label)
{
    size_t len = servers->label != NULL ? strlen(servers->label) : 0;
    const char *between = len > 0 ? ", " : "";

    servers->label = platform_realloc(servers->label, len + strlen(between) + strlen(label) + 1);
    sprintf(servers->label + len, "%s%s", between, label);
}

/* Compares the paths that remain when links are followed: /run/redis.sock is /var/run/redis.sock too. */
static bool is_same_path(const char *a, const char *b)
{
    char *real_a = realpath(a, NULL), *real_b = realpath(b, NULL);
    bool same = strcmp(real_a != NULL ? real_a : a, real_b != NULL ? real_b : b) == 0;

    free(real_a);
    free(real_b);
    return same;
}

bool php_rl_is_same_host(const char *a, const char *b)
{
    unsigned char x[SOCKETS_ADDRESS_SIZE], y[SOCKETS_ADDRESS_SIZE];

    a = strcasecmp(a, "localhost") == 0 ? "127.0.0.1" : a;
    b = strcasecmp(b, "localhost") == 0 ? "127.0.0.1" : b;
    if (sockets_read_address(a, x) == sizeof(x) && sockets_read_address(b, y) == sizeof(y)) {
        return memcmp(x, y, sizeof(x)) == 0;
    }
    return strcasecmp(a, b) == 0;
}

bool php_rl_is_same_server(const rl_endpoint *a, const rl_endpoint *b)
{
    if (a->path != NULL || b->path != NULL) {
        return a->path != NULL && b->path != NULL && is_same_path(a->path, b->path);
    }
    return a->port == b->port && php_rl_is_same_host(a->host, b->host);
}

/* Why must the endpoint be the only one? A server that Sentinel or a cluster replaces by another, which may lack its last
 * writes, would forget the votes that it has given. NULL: it may stand beside others. */
static const char *must_be_alone(const rl_endpoint *endpoint)
{
    return endpoint->sentinels != NULL ? "one that Sentinel names must be the only one: name all sentinels in it, as "
                                         "redis-sentinel://HOST,HOST/MASTER"
           : endpoint->seeds != NULL
               ? "a cluster must be the only one: name several nodes in it, as redis-cluster://HOST,HOST"
               : NULL;
}

/* May the endpoint stand beside these? A node that is asked twice would have two votes. False: `why` says why. */
static bool may_add(const php_rl_servers *servers, const rl_endpoint *endpoint, char *why, size_t why_size)
{
    const char *alone = servers->count == 0 ? NULL : must_be_alone(endpoint);

    if (servers->count > 0 && alone == NULL) {
        alone = must_be_alone(&servers->list[0]);
    }
    if (alone != NULL) {
        snprintf(why, why_size, "%s", alone);
        return false;
    }
    for (size_t i = 0; i < servers->count; i++) {
        if (php_rl_is_same_server(&servers->list[i], endpoint)) {
            snprintf(why, why_size, "the same server is named twice");
            return false;
        }
    }
    if (servers->count == RL_MAX_NODES) {
        snprintf(why, why_size, "there may be %d at most", RL_MAX_NODES);
    }
    return servers->count < RL_MAX_NODES;
}

bool php_rl_servers_add(php_rl_servers *servers, rl_endpoint *endpoint, char *why, size_t why_size)
{
    if (!may_add(servers, endpoint, why, why_size)) {
        rl_endpoint_free(endpoint);
        return false;
    }
    servers->list = platform_realloc(servers->list, (servers->count + 1) * sizeof(*servers->list));
    servers->list[servers->count++] = *endpoint;
    php_rl_servers_add_label(servers, endpoint->label);
    return true;
}

void php_rl_servers_free(php_rl_servers *servers)
{
    for (size_t i = 0; i < servers->count; i++) {
        rl_endpoint_free(&servers->list[i]);
    }
    free(servers->list);
    free(servers->label);
    memset(servers, 0, sizeof(*servers));
}

/* The blanks in front of the word go with it; those behind it stay for the next call. */
bool php_rl_next_word(rl_bytes *left, rl_bytes *word)
{
    static const char blank[] = " \t\r\n";

    while (left->len > 0 && memchr(blank, *left->at, sizeof(blank) - 1) != NULL) {
        left->at++;
        left->len--;
    }
    *word = (rl_bytes){left->at, 0};
    while (left->len > 0 && memchr(blank, *left->at, sizeof(blank) - 1) == NULL) {
        left->at++;
        left->len--;
        word->len++;
    }
    return word->len > 0;
}

/* A word that is no valid server may be a mistyped one with a password, so an @ in it counts as one. */
bool php_rl_servers_have_password(const zend_string *text)
{
    rl_bytes left = {ZSTR_VAL(text), ZSTR_LEN(text)}, word;
    bool found = false;

    while (php_rl_next_word(&left, &word)) {
        char why[128];
        rl_endpoint endpoint;
        if (rl_endpoint_parse(&endpoint, word.at, word.len, why, sizeof(why))) {
            found |= endpoint.password != NULL;
            rl_endpoint_free(&endpoint);
        } else {
            found |= memchr(word.at, '@', word.len) != NULL;
        }
    }
    return found;
}

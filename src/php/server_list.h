/* SPDX-License-Identifier: MIT
 *
 * php/server_list: a list of servers that all differ.
 */
#ifndef PHP_REDISLOCK_SERVER_LIST_H
#define PHP_REDISLOCK_SERVER_LIST_H

#include "php.h"

#include "redis/endpoint.h"
#include "redis/target.h"

/* Servers, each ready to connect to. All zero is none. */
typedef struct php_rl_servers {
    rl_endpoint *list;
    size_t count;
    char *label; /* how messages name them; NULL if there are none */
} php_rl_servers;

/* A cluster is the only server if there is one. */
static inline bool php_rl_servers_are_cluster(const php_rl_servers *servers)
{
    return servers->count == 1 && servers->list[0].seeds != NULL;
}

/* Adds the endpoint, and takes it over. False: it may not stand beside the others; it is freed, and `why` says so. */
bool php_rl_servers_add(php_rl_servers *servers, rl_endpoint *endpoint, char *why, size_t why_size);

/* Appends the label of another server to those of the others. */
void php_rl_servers_add_label(php_rl_servers *servers, const char *label);

/* Frees what the servers own and makes them all zero. They may be all zero before. */
void php_rl_servers_free(php_rl_servers *servers);

/* Do the two name the same server? */
bool php_rl_is_same_server(const rl_endpoint *a, const rl_endpoint *b);

/* Compares two hosts by their addresses, if they are given as such. Names are not looked up, since their addresses may change;
 * only localhost is taken as 127.0.0.1. */
bool php_rl_is_same_host(const char *a, const char *b);

/* Takes the next word off the text in `left`, in which white space separates words. False: there is none. */
bool php_rl_next_word(rl_bytes *left, rl_bytes *word);

/* Returns whether one of the servers in the text, with white space between them, has a password that can be seen. */
bool php_rl_servers_have_password(const zend_string *text);

#endif

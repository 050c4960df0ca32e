/* SPDX-License-Identifier: MIT
 *
 * php/servers: the servers that a constructor, the INI setting or the environment names.
 */
#ifndef PHP_REDISLOCK_SERVERS_H
#define PHP_REDISLOCK_SERVERS_H

#include "php/options.h"

/* Adds the servers of the constructor's first argument to the options; if it is NULL or null, those of the INI setting. The
 * other options must have been read, since they say how to log in. False: an exception was thrown. */
bool php_rl_servers_init(php_rl_options *options, zval *servers);

/* Fills `found` with all servers, those included that the environment names at this time. False: a variable is not set,
 * or does not hold servers that all differ; `why` says so, without anything of what it holds. Either way
 * php_rl_servers_free() is due. */
bool php_rl_servers_lookup(const php_rl_options *options, php_rl_servers *found, char *why, size_t why_size);

#endif

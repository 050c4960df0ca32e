/* SPDX-License-Identifier: MIT
 *
 * php/servers: the servers that a constructor, the INI setting or the environment names.
 */
#ifndef PHP_REDISLOCK_SERVERS_H
#define PHP_REDISLOCK_SERVERS_H

#include "php/options.h"

/* Reads the constructor's first argument into the options, which say how to log in; where it is NULL or null, the INI
 * setting. False: an exception was thrown. */
bool php_lock_servers_init(php_lock_options *options, zval *servers);

/* All servers, with those that the environment names now. False: it names none, or one twice; `why` says so, with nothing
 * of the variable's content. Either way php_lock_servers_free() is due. */
bool php_lock_servers_lookup(const php_lock_options *options, php_lock_servers *found, char *why, size_t why_size);

/* All zero is fine. */
void php_lock_servers_free(php_lock_servers *servers);

/* Does one of these servers, with spaces between them, have a password that can be seen? */
bool php_lock_servers_have_password(const zend_string *text);

#endif

/* SPDX-License-Identifier: MIT
 *
 * php/names: checks of the names of locks and queues.
 *
 * Each function checks one, of an object with these options. False: an error was thrown.
 */
#ifndef PHP_REDISLOCK_NAMES_H
#define PHP_REDISLOCK_NAMES_H

#include "php/options.h"

/* Checks the $name of a lock, which is the first argument. The options are those of its object. */
bool php_lock_check_name(const php_rl_options *options, zend_string *name);

/* Checks one element of $names, which is the first argument. */
bool php_lock_check_one_name(const php_rl_options *options, zend_string *name);

/* Check whether the $name of a lock or queue, or one element of $names, can be used in a cluster. For calls whose servers
 * the environment names: that it is a cluster is known only then. */
bool php_rl_check_slot(const php_rl_options *options, zend_string *name);
bool php_lock_check_one_slot(const php_rl_options *options, zend_string *name);

#endif

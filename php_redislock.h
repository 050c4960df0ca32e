/* SPDX-License-Identifier: MIT
 *
 * php_redislock: the module, as PHP sees it where it is built in. PHP does not search src/, so nothing there is named.
 */
#ifndef PHP_REDISLOCK_H
#define PHP_REDISLOCK_H

#include "php.h"

extern zend_module_entry redislock_module_entry;
#define phpext_redislock_ptr &redislock_module_entry

#define PHP_REDISLOCK_VERSION "0.1.0"

#endif

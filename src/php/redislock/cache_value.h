/* SPDX-License-Identifier: MIT
 *
 * php/redislock/cache_value: encodes a PHP value as bytes that are kept in Redis, and decodes them. A string is kept as it is,
 * anything else as PHP serializes it, behind one byte that says which.
 */
#ifndef REDISLOCK_PHP_REDISLOCK_CACHE_VALUE_H
#define REDISLOCK_PHP_REDISLOCK_CACHE_VALUE_H

#include "php.h"

/* Initializes `classes`, which the caller destroys in any case, and fills it with the names (NULL: none) in lower case.
 * False: a TypeError about argument `arg` was thrown. */
bool php_cache_value_classes(uint32_t arg, HashTable *names, HashTable *classes);

/* Returns the bytes of the value, which the caller releases. NULL: it is too long, or would not come back equal, since it has
 * something that PHP does not serialize or an object of a class that is not among `classes`. `why` then says so, and the caller
 * releases it; if it is NULL too, the pending exception is to go on. */
zend_string *php_cache_value_encode(zval *value, HashTable *classes, zend_string **why);

/* Makes the value of these bytes. False: this caller cannot, and `value` is null. An exception may then be pending,
 * which is to go on. */
bool php_cache_value_decode(const char *bytes, size_t len, HashTable *classes, zval *value);

#endif

/* SPDX-License-Identifier: MIT
 *
 * php/cache_value: a PHP value as bytes that are kept in Redis, and back. A string is kept as it is, anything else as PHP
 * serializes it, behind one byte that says which.
 */
#ifndef PHP_REDISLOCK_CACHE_VALUE_H
#define PHP_REDISLOCK_CACHE_VALUE_H

#include "php.h"

/* Fills `classes` (initialized here, destroyed by the caller in any case) with the names, in lower case. False: a
 * TypeError about argument `arg` was thrown. */
bool php_cache_value_classes(uint32_t arg, HashTable *names, HashTable *classes);

/* The value's bytes. NULL: it would not come back equal, since it has what PHP does not serialize, or an object of a
 * class that is not among `classes`, or is too long. `why` says so, to be released; where it is NULL too, the pending
 * exception is to go on. */
zend_string *php_cache_value_encode(zval *value, HashTable *classes, zend_string **why);

/* The value of these bytes. False, and it is null: this caller cannot make one of them. There may be an exception that is
 * to go on. */
bool php_cache_value_decode(const char *bytes, size_t len, HashTable *classes, zval *value);

#endif

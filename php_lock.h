/* SPDX-License-Identifier: MIT
 *
 * php_lock: class RedisLock.
 */
#ifndef PHP_REDISLOCK_LOCK_H
#define PHP_REDISLOCK_LOCK_H

/* Registers the class; at MINIT. */
void php_lock_register_class(void);

/* Releases the locks that outlived their objects, by auto_release => 'request'; at RSHUTDOWN. */
void php_lock_release_kept(void);

#endif

/* SPDX-License-Identifier: MIT
 *
 * php/queue: class RedisQueue.
 */
#ifndef PHP_REDISLOCK_QUEUE_H
#define PHP_REDISLOCK_QUEUE_H

/* Registers the class; at MINIT. */
void php_queue_register_class(void);

#endif

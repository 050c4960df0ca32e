/* SPDX-License-Identifier: MIT
 *
 * php/redisqueue/queue: class RedisQueue.
 */
#ifndef REDISLOCK_PHP_REDISQUEUE_QUEUE_H
#define REDISLOCK_PHP_REDISQUEUE_QUEUE_H

/* Registers the class; at MINIT. */
void php_queue_register_class(void);

#endif

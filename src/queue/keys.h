/* SPDX-License-Identifier: MIT
 *
 * queue/keys: the keys of a queue in Redis. See lua/inc/task_keys.lua for what stands in each.
 *
 * The queue's key K is prefix + name. Beside it, in the same cluster slot: {K}:rq:reserved and so on.
 */
#ifndef REDISLOCK_QUEUE_KEYS_H
#define REDISLOCK_QUEUE_KEYS_H

#include <stdbool.h>

#include "redis/request.h"

#define QUEUE_KEYS 8

typedef struct queue_keys {
    rl_bytes all[QUEUE_KEYS]; /* as the scripts want them; the queue itself is the first */
    char *memory;             /* where they stand */
} queue_keys;

/* What the lists are called on which workers block. */
rl_bytes queue_keys_wake(const queue_keys *keys);
rl_bytes queue_keys_timer(const queue_keys *keys);

/* Freed by queue_keys_free(). Any bytes will do. */
void queue_keys_init(queue_keys *keys, rl_bytes prefix, rl_bytes name);
void queue_keys_free(queue_keys *keys);

/* Adds them as the keys of a script. They must outlive the request. */
void queue_keys_add(rl_request *request, const queue_keys *keys);

/* Writes the key at which a client leaves the receipt of the i-th script of a call, i up to 9: see
 * lua/queue_enqueue.lua. It is at most so much longer than the queue's key and the client's id together. */
#define QUEUE_RECEIPT_ROOM 32
rl_bytes queue_receipt_key(char *out, const queue_keys *keys, rl_bytes client, size_t i);

/* Would a queue of this name take a key beside another queue? */
bool queue_name_is_reserved(rl_bytes name);

#endif

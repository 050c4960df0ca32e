/* SPDX-License-Identifier: MIT
 *
 * queue/keys: the keys of a queue in Redis. See lua/inc/task_keys.lua for what each of them holds.
 *
 * The queue's key K is prefix + name. Its side keys, {K}:rq:reserved and so on, are in the same cluster slot.
 */
#ifndef REDISLOCK_QUEUE_KEYS_H
#define REDISLOCK_QUEUE_KEYS_H

#include <stdbool.h>

#include "redis/request.h"

#define QUEUE_KEYS 8

typedef struct queue_keys {
    rl_bytes all[QUEUE_KEYS]; /* in the order of the scripts' KEYS; the first is the queue itself */
    rl_bytes stem;            /* what the others begin with */
    char *memory;             /* holds the bytes of all keys */
} queue_keys;

/* The keys of the lists on which waiting workers block: `wake` for all of them, `timer` for the timekeeper alone. */
rl_bytes queue_keys_wake(const queue_keys *keys);
rl_bytes queue_keys_timer(const queue_keys *keys);

/* Makes the keys of the queue `name`, which may be any bytes. Freed by queue_keys_free(). */
void queue_keys_init(queue_keys *keys, rl_bytes prefix, rl_bytes name);
void queue_keys_free(queue_keys *keys);

/* Adds all keys to a request as the KEYS of its script. `keys` must outlive the request. */
void queue_keys_add(rl_request *request, const queue_keys *keys);

/* Writes to `out` the key at which a client leaves the receipt of the i-th script of an enqueue (see
 * lua/queue_enqueue.lua), and returns it. `i` is at most 9. The key is at most QUEUE_RECEIPT_ROOM bytes longer than the
 * queue's key and the client's id together. */
#define QUEUE_RECEIPT_ROOM 32
rl_bytes queue_receipt_key(char *out, const queue_keys *keys, rl_bytes client, size_t i);

/* Could the key of a queue of this name be the side key of another queue? */
bool queue_name_is_reserved(rl_bytes name);

#endif

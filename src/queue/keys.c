/* SPDX-License-Identifier: MIT
 *
 * queue/keys: see queue/keys.h.
 */
#include "queue/keys.h"

#include <stdlib.h>
#include <string.h>

#include "lock/keys.h"
#include "platform.h"

/* What follows the queue's key in the names of its side keys: {K}:rq:reserved and so on. The order is that in which
 * lua/inc/task_keys.lua takes its KEYS. */
#define FAMILY "rq"
static const char *const ends[QUEUE_KEYS] = {NULL, "reserved", "state", "again", "dead", "wake", "timer", "keeper"};

rl_bytes queue_keys_wake(const queue_keys *keys)
{
    return keys->all[5];
}

rl_bytes queue_keys_timer(const queue_keys *keys)
{
    return keys->all[6];
}

/* All keys stand in one allocation, one behind another. Each side key gets LOCK_SIDE_ROOM bytes more than the queue's,
 * the most that lock_side_key() needs. */
void queue_keys_init(queue_keys *keys, rl_bytes prefix, rl_bytes name)
{
    size_t len = prefix.len + name.len;
    char *out = platform_alloc(len + (QUEUE_KEYS - 1) * (len + LOCK_SIDE_ROOM));

    keys->memory = out;
    memcpy(out, prefix.at, prefix.len);
    memcpy(out + prefix.len, name.at, name.len);
    keys->all[0] = (rl_bytes){out, len};
    out += len;
    for (size_t i = 1; i < QUEUE_KEYS; i++) {
        keys->all[i] = (rl_bytes){out, lock_side_key(out, keys->all[0], FAMILY, ends[i])};
        out += keys->all[i].len;
    }
}

void queue_keys_free(queue_keys *keys)
{
    free(keys->memory);
    memset(keys, 0, sizeof(*keys));
}

rl_bytes queue_receipt_key(char *out, const queue_keys *keys, rl_bytes client, size_t i)
{
    size_t len = lock_side_key(out, keys->all[0], FAMILY, "call:");

    memcpy(out + len, client.at, client.len);
    len += client.len;
    out[len++] = (char)('0' + i);
    return (rl_bytes){out, len};
}

void queue_keys_add(rl_request *request, const queue_keys *keys)
{
    rl_request_add_all(request, keys->all, QUEUE_KEYS);
    request->keys = request->argc;
}

bool queue_name_is_reserved(rl_bytes name)
{
    for (size_t i = 1; i < QUEUE_KEYS; i++) {
        if (lock_ends_as_side_key(name, FAMILY, ends[i])) {
            return true;
        }
    }
    return false;
}

/* SPDX-License-Identifier: MIT
 *
 * queue/keys: see queue/keys.h.
 */
#include "queue/keys.h"

#include <stdlib.h>
#include <string.h>

#include "invariant.h"
#include "lock/keys.h"
#include "platform/platform.h"

/* What follows the queue's key in the names of its side keys: {K}:rq:reserved and so on. The order is that in which
 * lua/inc/task_keys.lua takes its KEYS. */
#define QUEUE_FAMILY "rq"
static const rl_bytes suffixes[QUEUE_KEYS - 1] = {
    LOCK_SIDE_SUFFIX("reserved"), LOCK_SIDE_SUFFIX("state"), LOCK_SIDE_SUFFIX("again"), LOCK_SIDE_SUFFIX("dead"),
    LOCK_SIDE_SUFFIX("wake"),     LOCK_SIDE_SUFFIX("timer"), LOCK_SIDE_SUFFIX("keeper")};

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
    keys->stem = lock_side_stem(out, keys->all[0], QUEUE_FAMILY);
    for (size_t i = 1; i < QUEUE_KEYS; i++) {
        out = lock_side_key(out, keys->stem, suffixes[i - 1], &keys->all[i]);
    }
}

void queue_keys_free(queue_keys *keys)
{
    free(keys->memory);
    memset(keys, 0, sizeof(*keys));
}

rl_bytes queue_receipt_key(char *out, const queue_keys *keys, rl_bytes client, size_t i)
{
    rl_bytes key;
    char *at = lock_side_key(out, keys->stem, RL_LITERAL("call:"), &key);

    RL_INVARIANT(i <= 9);
    memcpy(at, client.at, client.len);
    at += client.len;
    *at++ = (char)('0' + i);
    return (rl_bytes){out, (size_t)(at - out)};
}

void queue_keys_add(rl_request *request, const queue_keys *keys)
{
    rl_request_add_all(request, keys->all, QUEUE_KEYS);
    request->keys = request->argc;
}

bool queue_name_is_reserved(rl_bytes name)
{
    return lock_is_side_key(name, QUEUE_FAMILY, suffixes, sizeof(suffixes) / sizeof(*suffixes));
}

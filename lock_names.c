/* SPDX-License-Identifier: MIT
 *
 * lock_names: see lock_names.h.
 */
#include "lock_names.h"

#include <stdlib.h>
#include <string.h>

#include "platform.h"

static const char *const suffixes[] = {":rl:baton", ":rl:wait", ":rl:fence"};

#define LONGEST_SUFFIX 9

/* Redis Cluster hashes what stands between the first { and the next }, unless that is nothing. Returns the length of
 * the whole tag with its braces, 0 where there is none, and where it begins. */
static size_t hash_tag(redis_bytes key, size_t *begin)
{
    const char *open = memchr(key.at, '{', key.len);
    const char *close = open != NULL ? memchr(open, '}', key.len - (size_t)(open - key.at)) : NULL;

    if (close == NULL || close == open + 1) {
        return 0;
    }
    *begin = (size_t)(open - key.at);
    return (size_t)(close - open) + 1;
}

/* {K}, or K where it has a tag of its own; a K that is nothing but a tag gets a second colon, else the locks "a" and
 * "{a}" would share their waiters. Returns the length. */
static size_t write_stem(char *out, redis_bytes key)
{
    size_t begin = 0;
    size_t tag = hash_tag(key, &begin);

    if (tag > 0) {
        memcpy(out, key.at, key.len);
        out[key.len] = ':';
        return key.len + (tag == key.len ? 1 : 0);
    }
    out[0] = '{';
    memcpy(out + 1, key.at, key.len);
    out[key.len + 1] = '}';
    return key.len + 2;
}

void lock_keys_init(lock_keys *keys, redis_bytes prefix, redis_bytes name)
{
    redis_bytes *const side[] = {&keys->baton, &keys->wait, &keys->fence};
    size_t len = prefix.len + name.len;
    size_t room = len + 2 + LONGEST_SUFFIX;
    char *out = platform_alloc(len + 3 * room);

    keys->memory = out;
    memcpy(out, prefix.at, prefix.len);
    memcpy(out + prefix.len, name.at, name.len);
    keys->lock = (redis_bytes){out, len};
    out += len;
    for (size_t i = 0; i < 3; i++, out += room) {
        size_t stem = write_stem(out, keys->lock);
        size_t suffix = strlen(suffixes[i]);
        memcpy(out + stem, suffixes[i], suffix);
        *side[i] = (redis_bytes){out, stem + suffix};
    }
}

void lock_keys_add(redis_request *request, const lock_keys *keys, bool fence)
{
    redis_request_add(request, keys->lock);
    redis_request_add(request, keys->baton);
    redis_request_add(request, keys->wait);
    if (fence) {
        redis_request_add(request, keys->fence);
    }
    request->keys = request->argc;
}

void lock_keys_free(lock_keys *keys)
{
    free(keys->memory);
    memset(keys, 0, sizeof(*keys));
}

bool lock_name_is_reserved(redis_bytes name)
{
    for (size_t i = 0; i < 3; i++) {
        size_t len = strlen(suffixes[i]);
        if (name.len >= len && memcmp(name.at + name.len - len, suffixes[i], len) == 0) {
            return true;
        }
    }
    return false;
}

bool lock_token_is_baton(redis_bytes token)
{
    size_t len = sizeof(LOCK_BATON_PREFIX) - 1;

    return token.len >= len && memcmp(token.at, LOCK_BATON_PREFIX, len) == 0;
}

void lock_random_token(char out[LOCK_TOKEN_LEN])
{
    memcpy(out, "rl:", 3);
    platform_random_hex(out + 3, 16);
}

void lock_random_baton(char out[LOCK_BATON_LEN])
{
    memcpy(out, LOCK_BATON_PREFIX, 9);
    platform_random_hex(out + 9, 16);
}

void lock_random_waiter(char out[LOCK_WAITER_LEN])
{
    platform_random_hex(out, 12);
}

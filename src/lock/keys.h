/* SPDX-License-Identifier: MIT
 *
 * lock/keys: the keys of a lock in Redis, its tokens, batons and waiter ids.
 *
 * The lock's key K is prefix + name, a plain string whose value is the owner token, so that any client that does
 * SET K token NX PX excludes us and is excluded. Beside it, in the same cluster slot:
 *   {K}:rl:baton   list through which the lock is handed to the waiter that is blocked on it longest
 *   {K}:rl:wait    sorted set of the waiters
 *   {K}:rl:fence   the last fencing token
 *   {K}:rl:note    which extensions come too late, after the answer to one was lost
 * and, where a value is built under the lock (see cache/cache.h):
 *   {K}:rl:value   the value
 *   {K}:rl:wake    list through which those who wait for it are woken
 * Where K has a hash tag of its own, they are K:rl:baton and so on; where it is nothing but one, K:rl:tag:baton.
 */
#ifndef REDISLOCK_LOCK_KEYS_H
#define REDISLOCK_LOCK_KEYS_H

#include <stdbool.h>
#include <stddef.h>

#include "redis/request.h"

#define LOCK_BATON_PREFIX "rl:baton:"

#define LOCK_TOKEN_LEN  35 /* "rl:" and 32 hex digits */
#define LOCK_BATON_LEN  41 /* "rl:baton:" and 32 hex digits */
#define LOCK_WAITER_LEN 24 /* hex digits */

#define LOCK_BUILDER_LEN 41 /* "rl:build:" and 32 hex digits: the token of who builds a value */

typedef struct lock_keys {
    rl_bytes lock;
    rl_bytes baton;
    rl_bytes wait;
    rl_bytes fence;
    char *memory; /* where all four stand */
} lock_keys;

/* Those beside them of a value that is built under the lock. */
typedef struct lock_value_keys {
    rl_bytes value;
    rl_bytes wake;
    char *memory;
} lock_value_keys;

/* Freed by lock_keys_free(). Any bytes will do. */
void lock_keys_init(lock_keys *keys, rl_bytes prefix, rl_bytes name);
void lock_keys_free(lock_keys *keys);

/* The same in two steps, for who may need no more than the key of the lock. The second is nothing the second time. */
void lock_keys_begin(lock_keys *keys, rl_bytes prefix, rl_bytes name);
void lock_keys_complete(lock_keys *keys);

/* The same for a value; `lock` is the lock's key. */
void lock_value_keys_init(lock_value_keys *keys, rl_bytes lock);
void lock_value_keys_free(lock_value_keys *keys);

/* The key of the note beside the lock, which stands in memory that the caller frees. */
rl_bytes lock_note_key(rl_bytes lock, char **memory);

/* Adds them as the keys of a script, the fence only where it is wanted. They must outlive the request. */
void lock_keys_add(rl_request *request, const lock_keys *keys, bool fence);

/* Would a lock of this name take a key that stands beside another lock? */
bool lock_name_is_reserved(rl_bytes name);

/* Is this a baton, which never owns a lock? */
bool lock_token_is_baton(rl_bytes token);

/* Writes a key that stands beside `key` in the same cluster slot, as above but of another family than rl: {key}:rq:wake.
 * Returns its length, at most so much more than the key's. */
#define LOCK_SIDE_ROOM 32
size_t lock_side_key(char *out, rl_bytes key, const char *family, const char *end);

/* Does the name end as such a key does? */
bool lock_ends_as_side_key(rl_bytes name, const char *family, const char *end);

/* Write so many characters of random name, no NUL. */
void lock_random_token(char out[LOCK_TOKEN_LEN]);
void lock_random_baton(char out[LOCK_BATON_LEN]);

/* The baton with which the holder of this token hands the lock over: made of the token where that is one of ours, which
 * is used once, and random otherwise. */
void lock_baton_of(char out[LOCK_BATON_LEN], rl_bytes token);
void lock_random_waiter(char out[LOCK_WAITER_LEN]);
void lock_random_builder(char out[LOCK_BUILDER_LEN]);
/* Of one that waits for a value: it begins with a v. */
void lock_random_value_waiter(char out[LOCK_WAITER_LEN]);

#endif

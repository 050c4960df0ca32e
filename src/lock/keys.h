/* SPDX-License-Identifier: MIT
 *
 * lock/keys: the keys of a lock in Redis, its tokens, batons and waiter ids.
 *
 * The lock's key K is prefix + name, a plain string whose value is the owner token, so that any client that does
 * SET K token NX PX excludes us and is excluded. Beside it, in the same cluster slot:
 *   {K}:rl:baton   list through which the lock is handed to the waiter that is blocked on it longest
 *   {K}:rl:wait    sorted set of the waiters
 *   {K}:rl:fence   the last fencing token
 *   {K}:rl:note    tells which extensions come too late, after the reply to one was lost
 * and, if a value is built under the lock (see cache/cache.h):
 *   {K}:rl:value   the value
 *   {K}:rl:wake    list through which the waiters for the value are woken
 * If K has a hash tag of its own, the keys are K:rl:baton and so on; if K is a hash tag only, K:rl:tag:baton.
 */
#ifndef REDISLOCK_LOCK_KEYS_H
#define REDISLOCK_LOCK_KEYS_H

#include <stdbool.h>
#include <stddef.h>

#include "redis/request.h"

#define LOCK_BATON_PREFIX "rl:baton:"

/* Bytes without a description: see lock/owner.h. A baton has none. */
#define LOCK_TOKEN_LEN  35 /* "rl:" and 32 hex digits */
#define LOCK_BATON_LEN  41 /* "rl:baton:" and 32 hex digits */
#define LOCK_WAITER_LEN 24 /* hex digits */

#define LOCK_KEYS_IN_PLACE 256 /* bytes of all keys of a lock that need no allocation: 40 of prefix and name */

#define LOCK_BUILDER_LEN 41 /* "rl:build:" and 32 hex digits: the owner token of a client that builds a value */

/* The keys of a lock, which point into the struct itself if they are short enough: it must not be moved. */
typedef struct lock_keys {
    rl_bytes lock;
    rl_bytes baton;
    rl_bytes wait;
    rl_bytes fence;
    char *memory;                  /* storage of longer keys; NULL if they stand in `room` */
    char room[LOCK_KEYS_IN_PLACE]; /* storage of short keys, which saves an allocation */
} lock_keys;

/* The keys of a value that is built under the lock. */
typedef struct lock_value_keys {
    rl_bytes value;
    rl_bytes wake;
    char *memory; /* storage of both keys */
} lock_value_keys;

/* Builds the keys of the lock prefix + name, which may be any bytes. Freed by lock_keys_free(). */
void lock_keys_init(lock_keys *keys, rl_bytes prefix, rl_bytes name);
void lock_keys_free(lock_keys *keys);

/* lock_keys_init() in two steps, for callers that may need the lock's key only. A second lock_keys_complete() does
 * nothing. */
void lock_keys_begin(lock_keys *keys, rl_bytes prefix, rl_bytes name);
void lock_keys_complete(lock_keys *keys);

/* Builds the keys of a value. `lock` is the lock's key. Freed by lock_value_keys_free(). */
void lock_value_keys_init(lock_value_keys *keys, rl_bytes lock);
void lock_value_keys_free(lock_value_keys *keys);

/* Returns the key of the note of extensions beside the lock. It stands in `memory`, which the caller frees. */
rl_bytes lock_note_key(rl_bytes lock, char **memory);

/* The same, at `out`, which has room for LOCK_SIDE_ROOM bytes more than the lock's key has. */
rl_bytes lock_note_key_at(char *out, rl_bytes lock);

/* Adds the keys as those of a script, the fence's only if `fence`. They must be complete, and outlive the request. */
void lock_keys_add(rl_request *request, const lock_keys *keys, bool fence);

/* Do the key and all keys that lock_side_key() makes of it stand in one slot of a cluster, as a script needs it? They do if the
 * key has a hash tag, which they have too, or no }, since all of it is their hash tag. Otherwise that tag ends at the key's
 * first }. */
bool lock_key_has_one_slot(rl_bytes key);

/* The same, of the key prefix + name. */
bool lock_name_has_one_slot(rl_bytes prefix, rl_bytes name);

/* Returns whether a lock of this name could take a key that stands beside another lock. */
bool lock_name_is_reserved(rl_bytes name);

/* Returns whether the token is a baton, which never owns a lock. */
bool lock_token_is_baton(rl_bytes token);

/* Writes what the keys that stand beside `key` in the same cluster slot begin with, and returns it: {key}:family: or, if `key`
 * has a hash tag, the same without the braces, as at the top of this file. */
rl_bytes lock_side_stem(char *out, rl_bytes key, const char *family);

/* Writes the key that consists of `stem` and `end`, and sets `key` to it. It is at most LOCK_SIDE_ROOM longer
 * than the key that it stands beside. Returns where the next one may be written. The first may stand where the stem does. */
#define LOCK_SIDE_ROOM 32
char *lock_side_key(char *out, rl_bytes stem, rl_bytes end, rl_bytes *key);

/* An end in a table of them. */
#define LOCK_SIDE_SUFFIX(text)                                                                                         \
    {                                                                                                                  \
        text, sizeof(text) - 1                                                                                         \
    }

/* Does the name end as a key does that lock_side_key() writes with one of these suffixes, of which none has a colon? */
bool lock_is_side_key(rl_bytes name, const char *family, const rl_bytes *suffixes, size_t count);

/* Write a random token, or baton, without a NUL. */
void lock_random_token(char out[LOCK_TOKEN_LEN]);
void lock_random_baton(char out[LOCK_BATON_LEN]);

/* Has the token the form of those that are drawn here, with a description or without? These are used only once, so that
 * lua/release.lua makes the baton, of the digits of such a token, with which its holder hands the lock over. */
bool lock_token_makes_baton(rl_bytes token);

/* Returns behind which byte of the token the digits end that are drawn here, of any owner; 0: it has another form. What
 * follows is a description, which begins with a colon, or nothing. */
size_t lock_token_digits_end(rl_bytes token);

/* Returns how many lower-case hex digits the text begins with. */
size_t lock_hex_digits(rl_bytes text);

/* Write a random waiter id, or the owner token of a client that builds a value, without a NUL. */
void lock_random_waiter(char out[LOCK_WAITER_LEN]);
void lock_random_builder(char out[LOCK_BUILDER_LEN]);

/* Writes the random id of a waiter for a value, without a NUL. It begins with a v, by which the scripts know it. */
void lock_random_value_waiter(char out[LOCK_WAITER_LEN]);

#endif

/* SPDX-License-Identifier: MIT
 *
 * lock/keys: see lock/keys.h.
 */
#include "lock/keys.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "invariant.h"
#include "platform/platform.h"

/* The names of the keys beside a lock's key, as in {K}:rl:baton. */
#define LOCK_FAMILY "rl"
static const rl_bytes suffixes[] = {LOCK_SIDE_SUFFIX("baton"), LOCK_SIDE_SUFFIX("wait"),  LOCK_SIDE_SUFFIX("fence"),
                                    LOCK_SIDE_SUFFIX("note"),  LOCK_SIDE_SUFFIX("value"), LOCK_SIDE_SUFFIX("wake")};

enum { BATON, WAIT, FENCE, NOTE, VALUE, WAKE };

/* Returns the length of the key's hash tag with its braces; 0: it has none. Redis Cluster hashes what stands between
 * the first { and the next }, unless that is empty. */
static size_t hash_tag(rl_bytes key)
{
    const char *open = memchr(key.at, '{', key.len);
    const char *close = open != NULL ? memchr(open, '}', key.len - (size_t)(open - key.at)) : NULL;

    return close == NULL || close == open + 1 ? 0 : (size_t)(close - open) + 1;
}

static char *append(char *out, const char *piece)
{
    size_t len = strlen(piece);

    memcpy(out, piece, len);
    return out + len;
}

/* A key that is a hash tag only gets a stem of its own (":tag:"): otherwise the locks "a" and "{a}" would share their
 * waiters. */
rl_bytes lock_side_stem(char *out, rl_bytes key, const char *family)
{
    size_t tag = hash_tag(key);
    char *at = out;

    if (tag == 0) {
        *at++ = '{';
    }
    memcpy(at, key.at, key.len);
    at += key.len;
    if (tag == 0) {
        *at++ = '}';
    }
    *at++ = ':';
    at = append(at, family);
    at = append(at, tag == key.len ? ":tag:" : ":");
    return (rl_bytes){out, (size_t)(at - out)};
}

char *lock_side_key(char *out, rl_bytes stem, rl_bytes end, rl_bytes *key)
{
    memmove(out, stem.at, stem.len);
    memcpy(out + stem.len, end.at, end.len);
    *key = (rl_bytes){out, stem.len + end.len};
    return out + key->len;
}

static size_t room_for_sides(rl_bytes key, size_t count)
{
    return count * (key.len + LOCK_SIDE_ROOM);
}

void lock_keys_init(lock_keys *keys, rl_bytes prefix, rl_bytes name)
{
    lock_keys_begin(keys, prefix, name);
    lock_keys_complete(keys);
}

static char *storage(lock_keys *keys)
{
    return keys->memory != NULL ? keys->memory : keys->room;
}

void lock_keys_begin(lock_keys *keys, rl_bytes prefix, rl_bytes name)
{
    rl_bytes lock = {NULL, prefix.len + name.len};
    size_t size = lock.len + room_for_sides(lock, 3);

    keys->memory = size <= sizeof(keys->room) ? NULL : platform_alloc(size);
    char *at = storage(keys);
    lock.at = at;
    memcpy(at, prefix.at, prefix.len);
    memcpy(at + prefix.len, name.at, name.len);
    keys->lock = lock;
    keys->baton.at = NULL;
}

void lock_keys_complete(lock_keys *keys)
{
    char *out = storage(keys) + keys->lock.len;

    if (keys->baton.at != NULL) {
        return;
    }
    rl_bytes stem = lock_side_stem(out, keys->lock, LOCK_FAMILY);
    out = lock_side_key(out, stem, suffixes[BATON], &keys->baton);
    out = lock_side_key(out, stem, suffixes[WAIT], &keys->wait);
    lock_side_key(out, stem, suffixes[FENCE], &keys->fence);
}

void lock_value_keys_init(lock_value_keys *keys, rl_bytes lock)
{
    keys->memory = platform_alloc(room_for_sides(lock, 2));
    rl_bytes stem = lock_side_stem(keys->memory, lock, LOCK_FAMILY);
    lock_side_key(lock_side_key(keys->memory, stem, suffixes[VALUE], &keys->value), stem, suffixes[WAKE], &keys->wake);
}

void lock_value_keys_free(lock_value_keys *keys)
{
    free(keys->memory);
    memset(keys, 0, sizeof(*keys));
}

rl_bytes lock_note_key(rl_bytes lock, char **memory)
{
    *memory = platform_alloc(room_for_sides(lock, 1));
    return lock_note_key_at(*memory, lock);
}

rl_bytes lock_note_key_at(char *out, rl_bytes lock)
{
    rl_bytes note;

    lock_side_key(out, lock_side_stem(out, lock, LOCK_FAMILY), suffixes[NOTE], &note);
    return note;
}

void lock_keys_add(rl_request *request, const lock_keys *keys, bool fence)
{
    RL_INVARIANT(keys->baton.at != NULL);
    rl_request_add_all(request, (rl_bytes[]){keys->lock, keys->baton, keys->wait, keys->fence}, fence ? 4 : 3);
    request->keys = request->argc;
}

void lock_keys_free(lock_keys *keys)
{
    free(keys->memory);
    keys->memory = NULL;
    keys->lock.at = keys->baton.at = NULL;
}

/* Cuts `piece` off the end of the text. Returns false, with the text unchanged, if it does not end in it. */
static bool cut_end(rl_bytes *text, const char *piece)
{
    size_t len = strlen(piece);

    if (text->len < len || memcmp(text->at + text->len - len, piece, len) != 0) {
        return false;
    }
    text->len -= len;
    return true;
}

/* No end has a colon, so that one look behind the name's last colon tells of all of them, and mostly that there is none. */
bool lock_is_side_key(rl_bytes name, const char *family, const rl_bytes *sides, size_t count)
{
    rl_bytes end = {name.at + name.len, 0};

    while (end.len < name.len && end.len < LOCK_SIDE_ROOM && end.at[-1] != ':') {
        end.at--;
        end.len++;
    }
    for (size_t i = 0; i < count; i++) {
        if (rl_bytes_equal(end, sides[i])) {
            name.len -= end.len;
            if (!cut_end(&name, ":")) {
                return false;
            }
            cut_end(&name, ":tag");
            return cut_end(&name, family) && cut_end(&name, ":");
        }
    }
    return false;
}

static bool has_close(rl_bytes text)
{
    return text.len > 0 && memchr(text.at, '}', text.len) != NULL;
}

bool lock_key_has_one_slot(rl_bytes key)
{
    return key.len > 0 && (hash_tag(key) > 0 || !has_close(key));
}

/* Hardly any key has a }, so that few are built. */
bool lock_name_has_one_slot(rl_bytes prefix, rl_bytes name)
{
    lock_keys keys;

    if (!has_close(prefix) && !has_close(name)) {
        return prefix.len + name.len > 0;
    }
    lock_keys_begin(&keys, prefix, name);
    bool one = lock_key_has_one_slot(keys.lock);
    lock_keys_free(&keys);
    return one;
}

/* The letters of all of them are 4 or 5, so that mostly two bytes of the name tell. */
bool lock_name_is_reserved(rl_bytes name)
{
    const char *end = name.at + name.len;
    bool may_be = name.len >= 6 && (end[-5] == ':' || end[-6] == ':');

    return may_be && lock_is_side_key(name, LOCK_FAMILY, suffixes, sizeof(suffixes) / sizeof(*suffixes));
}

static bool begins_with(rl_bytes text, const char *piece, size_t len)
{
    return text.len >= len && memcmp(text.at, piece, len) == 0;
}

bool lock_token_is_baton(rl_bytes token)
{
    return begins_with(token, LOCK_BATON_PREFIX, sizeof(LOCK_BATON_PREFIX) - 1);
}

#define TOKEN_PREFIX   "rl:"
#define BUILDER_PREFIX "rl:build:"
#define TOKEN_DIGITS   32

void lock_random_token(char out[LOCK_TOKEN_LEN])
{
    memcpy(out, TOKEN_PREFIX, sizeof(TOKEN_PREFIX) - 1);
    platform_random_hex(out + sizeof(TOKEN_PREFIX) - 1, TOKEN_DIGITS / 2);
}

void lock_random_baton(char out[LOCK_BATON_LEN])
{
    memcpy(out, LOCK_BATON_PREFIX, 9);
    platform_random_hex(out + 9, 16);
}

static bool is_hex(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

size_t lock_hex_digits(rl_bytes text)
{
    size_t count = 0;

    while (count < text.len && is_hex(text.at[count])) {
        count++;
    }
    return count;
}

#define EACH_BYTE(byte) (UINT64_C(0x0101010101010101) * (byte))

/* Tells of eight bytes at once whether all are hex digits, since each release asks. Of a byte below 128, each sum has its
 * highest bit where the byte is at least, or more than, so much; no sum reaches into the next byte. */
static bool are_eight_digits(const char *at)
{
    uint64_t bytes;

    memcpy(&bytes, at, sizeof(bytes));
    uint64_t highest = EACH_BYTE(0x80), low = bytes & ~highest;
    uint64_t decimal = (low + EACH_BYTE(0x80 - '0')) & ~(low + EACH_BYTE(0x7f - '9'));
    uint64_t letter = (low + EACH_BYTE(0x80 - 'a')) & ~(low + EACH_BYTE(0x7f - 'f'));
    return ((decimal | letter) & ~bytes & highest) == highest;
}

static bool are_digits(const char *at)
{
    return are_eight_digits(at) && are_eight_digits(at + 8) && are_eight_digits(at + 16) && are_eight_digits(at + 24);
}

/* Are there the digits behind `len` bytes, and behind those a description or nothing? */
static bool has_digits_behind(rl_bytes token, size_t len)
{
    size_t end = len + TOKEN_DIGITS;

    return token.len >= end && (token.len == end || token.at[end] == ':') && are_digits(token.at + len);
}

bool lock_token_makes_baton(rl_bytes token)
{
    size_t len = sizeof(TOKEN_PREFIX) - 1;

    return begins_with(token, TOKEN_PREFIX, len) && has_digits_behind(token, len);
}

size_t lock_token_digits_end(rl_bytes token)
{
    size_t len = sizeof(BUILDER_PREFIX) - 1;

    if (lock_token_makes_baton(token)) {
        return LOCK_TOKEN_LEN;
    }
    return begins_with(token, BUILDER_PREFIX, len) && has_digits_behind(token, len) ? LOCK_BUILDER_LEN : 0;
}

void lock_random_builder(char out[LOCK_BUILDER_LEN])
{
    memcpy(out, BUILDER_PREFIX, sizeof(BUILDER_PREFIX) - 1);
    platform_random_hex(out + sizeof(BUILDER_PREFIX) - 1, TOKEN_DIGITS / 2);
}

void lock_random_value_waiter(char out[LOCK_WAITER_LEN])
{
    lock_random_waiter(out);
    out[0] = 'v';
}

void lock_random_waiter(char out[LOCK_WAITER_LEN])
{
    platform_random_hex(out, 12);
}

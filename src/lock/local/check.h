/* SPDX-License-Identifier: MIT
 *
 * lock/local/check: numbers that tell texts of the segment apart, and show whether another program has scribbled over them.
 */
#ifndef REDISLOCK_LOCK_LOCAL_CHECK_H
#define REDISLOCK_LOCK_LOCAL_CHECK_H

#include <string.h>

#include "lock/local/layout.h"

/* Cuts a length that was read from the segment to the room there is. */
static inline uint32_t local_cut(uint32_t len, size_t room)
{
    return len < room ? len : (uint32_t)room;
}

/* Copies a token that was read from the segment. Returns its length. */
static inline uint32_t local_copy_token(char room[LOCAL_TOKEN_MAX], const char *token, uint32_t len)
{
    len = local_cut(len, LOCAL_TOKEN_MAX);
    memcpy(room, token, len);
    return len;
}

/* Reads the number once, so that what was checked is what is used: another program may scribble meanwhile. */
static inline int64_t local_read_once(const int64_t *number)
{
    return *(const volatile int64_t *)number;
}

static inline uint64_t local_mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 32;
}

/* Adds the bytes to the hash, by eight at a time. The last eight overlap those before them, since a rest of fewer would be
 * copied byte by byte. */
static inline uint64_t local_hash(uint64_t hash, const char *bytes, size_t len)
{
    uint64_t word = 0;

    hash ^= (uint64_t)len << 56;
    if (len < sizeof(word)) {
        memcpy(&word, bytes, len);
        return local_mix(hash, word);
    }
    for (size_t at = 0; at < len - sizeof(word); at += sizeof(word)) {
        memcpy(&word, bytes + at, sizeof(word));
        hash = local_mix(hash, word);
    }
    memcpy(&word, bytes + len - sizeof(word), sizeof(word));
    return local_mix(hash, word);
}

/* Of what is written into an entry that is granted the lock, in that use of it. */
static inline uint64_t local_check(const local_entry *entry, uint64_t count)
{
    const int64_t times[] = {entry->from_sent, entry->from_duration, entry->sent, entry->since_ms, entry->lease};
    uint64_t hash = local_hash(count, (const char *)times, sizeof(times));

    hash = local_hash(hash, entry->token, local_cut(entry->token_len, sizeof(entry->token)));
    return local_hash(hash, entry->from, local_cut(entry->from_len, sizeof(entry->from)));
}

#endif

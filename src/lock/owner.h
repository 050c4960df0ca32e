/* SPDX-License-Identifier: MIT
 *
 * lock/owner: what a token, or a waiter's id, tells of its owner, for people who ask who holds a lock or waits for it.
 *
 * Behind the random digits may stand a description: ":" F since ":" owner. F is r if the lease is renewed in the background,
 * otherwise -. `since` is since when the lock is held, or waited for, by the client's clock: ms since 1970 as lower-case hex
 * digits. Nothing is decided by a description, here or in lua/: it is for people to read.
 */
#ifndef REDISLOCK_LOCK_OWNER_H
#define REDISLOCK_LOCK_OWNER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lock/client.h"
#include "lock/keys.h"

#define LOCK_OWNER_MAX       50                    /* bytes of an owner's name */
#define LOCK_SINCE_DIGITS    11                    /* enough until the year 2527 */
#define LOCK_DESCRIPTION_MAX (14 + LOCK_OWNER_MAX) /* bytes of a description: the name has 14 in front of it */

/* Room for what is drawn, with a description. */
#define LOCK_TOKEN_ROOM   (LOCK_TOKEN_LEN + LOCK_DESCRIPTION_MAX)
#define LOCK_BUILDER_ROOM (LOCK_BUILDER_LEN + LOCK_DESCRIPTION_MAX)
#define LOCK_WAITER_ROOM  (LOCK_WAITER_LEN + LOCK_DESCRIPTION_MAX)

typedef struct lock_description {
    rl_bytes owner;
    int64_t since_ms; /* ms since 1970, by the owner's clock */
    bool renews;
} lock_description;

/* Is it a name as a description may have it: not empty, not too long, UTF-8, without control characters? Those count too that
 * end a line or turn the direction of writing. */
bool lock_owner_is_valid(rl_bytes name);

/* Appends the text to the first `len` bytes of a name, as far as there is room, cut between two characters. What a name must
 * not have becomes a '?'. Returns the new length. */
size_t lock_owner_append(char name[LOCK_OWNER_MAX], size_t len, rl_bytes text);

/* Returns the time that a description is to tell now; 0, and does not ask the clock, if the client has no name. */
int64_t lock_description_now_ms(const lock_client *client);

/* Writes the client's description, without a NUL, and returns its length: 0 if it has no name. */
size_t lock_description_write(char out[LOCK_DESCRIPTION_MAX], const lock_client *client, int64_t since_ms);

/* Sets the time in one that was written, of `len` bytes; 0: there is none. */
void lock_description_date(char *description, size_t len, int64_t since_ms);

/* Does so in a token that was drawn by any client, if it has a description. */
void lock_token_date(char *token, size_t len, int64_t since_ms);

/* Reads the description of a token of any client. Returns false, with `out` undefined, if it has none, or one that is not as
 * above. The owner's name points into the token. */
bool lock_description_read(rl_bytes token, lock_description *out);

#endif

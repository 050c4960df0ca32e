/* SPDX-License-Identifier: MIT
 *
 * lock/owner: see lock/owner.h.
 */
#include "lock/owner.h"

#include <string.h>

#include "invariant.h"
#include "platform/platform.h"

/* ---- names ---- */

/* Reads the character that the text begins with. Returns how many bytes it has; 0: it is no UTF-8. */
static size_t read_character(rl_bytes text, uint32_t *character)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000}; /* a shorter form would do for less */
    unsigned char first = (unsigned char)text.at[0];
    size_t len = first < 0x80 ? 1 : first < 0xc0 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf8 ? 4 : 0;

    if (len == 0 || len > text.len) {
        return 0;
    }
    *character = len == 1 ? first : first & (0x7fU >> len);
    for (size_t i = 1; i < len; i++) {
        unsigned char next = (unsigned char)text.at[i];
        if ((next & 0xc0) != 0x80) {
            return 0;
        }
        *character = *character << 6 | (next & 0x3fU);
    }
    bool is_surrogate = *character >= 0xd800 && *character < 0xe000;
    return *character < least[len] || is_surrogate || *character > 0x10ffff ? 0 : len;
}

static bool is_control(uint32_t character)
{
    return character < 0x20 || (character >= 0x7f && character < 0xa0) || /* C0, DEL, C1 */
           (character >= 0x2028 && character <= 0x202e) ||                /* ends of lines, directions of writing */
           (character >= 0x2066 && character <= 0x2069) || character == 0x61c || /* directions of writing */
           character == 0x200e || character == 0x200f;
}

/* The text is read character by character, so that a byte of one is not taken for another. */
bool lock_owner_is_valid(rl_bytes name)
{
    uint32_t character;

    if (name.len == 0 || name.len > LOCK_OWNER_MAX) {
        return false;
    }
    for (size_t len; name.len > 0; name.at += len, name.len -= len) {
        len = read_character(name, &character);
        if (len == 0 || is_control(character)) {
            return false;
        }
    }
    return true;
}

/* A byte that is no UTF-8 is replaced by itself, and what follows is read anew. */
size_t lock_owner_append(char name[LOCK_OWNER_MAX], size_t len, rl_bytes text)
{
    while (text.len > 0) {
        uint32_t character;
        size_t read = read_character(text, &character);
        rl_bytes piece = read > 0 && !is_control(character) ? (rl_bytes){text.at, read} : RL_LITERAL("?");
        if (piece.len > LOCK_OWNER_MAX - len) {
            break;
        }
        memcpy(name + len, piece.at, piece.len);
        len += piece.len;
        read = read > 0 ? read : 1;
        text = (rl_bytes){text.at + read, text.len - read};
    }
    return len;
}

/* ---- descriptions ---- */

#define SINCE_AT 2 /* behind ":r" */
#define NAME_AT  (SINCE_AT + LOCK_SINCE_DIGITS + 1)

int64_t lock_description_now_ms(const lock_client *client)
{
    return client->owner.len > 0 ? platform_wall() / PLATFORM_MSEC : 0;
}

/* The first eight digits, and the last eight, which overlap. */
static void write_since(char out[LOCK_SINCE_DIGITS], int64_t since_ms)
{
    size_t last = LOCK_SINCE_DIGITS - 8;

    platform_write_hex(out, (uint32_t)(since_ms >> 4 * last));
    platform_write_hex(out + last, (uint32_t)since_ms);
}

size_t lock_description_write(char out[LOCK_DESCRIPTION_MAX], const lock_client *client, int64_t since_ms)
{
    if (client->owner.len == 0) {
        return 0;
    }
    RL_GUARD(client->owner.len <= LOCK_OWNER_MAX);
    out[0] = ':';
    out[1] = client->renews ? 'r' : '-';
    write_since(out + SINCE_AT, since_ms);
    out[NAME_AT - 1] = ':';
    memcpy(out + NAME_AT, client->owner.at, client->owner.len);
    return NAME_AT + client->owner.len;
}

void lock_description_date(char *description, size_t len, int64_t since_ms)
{
    if (len > 0) {
        write_since(description + SINCE_AT, since_ms);
    }
}

void lock_token_date(char *token, size_t len, int64_t since_ms)
{
    if (len >= LOCK_TOKEN_LEN + NAME_AT) {
        write_since(token + LOCK_TOKEN_LEN + SINCE_AT, since_ms);
    }
}

/* Reads the hex digits that the text begins with, and cuts them off. False: there are none, or too many. */
static bool cut_since(rl_bytes *text, int64_t *since_ms)
{
    size_t digits = lock_hex_digits(*text);

    if (digits == 0 || digits >= 2 * sizeof(*since_ms)) {
        return false;
    }
    *since_ms = 0;
    for (size_t i = 0; i < digits; i++) {
        char c = text->at[i];
        *since_ms = *since_ms << 4 | (c <= '9' ? c - '0' : c - 'a' + 10);
    }
    *text = (rl_bytes){text->at + digits, text->len - digits};
    return true;
}

/* Anybody may have written the token, so nothing of it is taken for granted. */
bool lock_description_read(rl_bytes token, lock_description *out)
{
    size_t end = lock_token_digits_end(token);
    const char *at = token.at + end;

    if (end == 0 || token.len - end < SINCE_AT || (at[1] != 'r' && at[1] != '-')) {
        return false;
    }
    rl_bytes rest = {at + SINCE_AT, token.len - end - SINCE_AT};
    if (!cut_since(&rest, &out->since_ms) || rest.len == 0 || rest.at[0] != ':') {
        return false;
    }
    out->renews = at[1] == 'r';
    out->owner = (rl_bytes){rest.at + 1, rest.len - 1};
    return lock_owner_is_valid(out->owner);
}

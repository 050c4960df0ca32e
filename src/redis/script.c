/* SPDX-License-Identifier: MIT
 *
 * redis/script: see redis/script.h. Requests are written by hand: hiredis' formatting costs more than all the rest of
 * a call on the client's side.
 */
#include "redis/script.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Writes a number that ends before `end`. Returns where it begins: a sign and 19 digits before that at most. */
static char *write_before(char *end, int64_t number)
{
    uint64_t rest = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;

    do {
        *--end = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest > 0);
    if (number < 0) {
        *--end = '-';
    }
    return end;
}

void redis_request_begin(redis_request *request, const redis_script *script)
{
    /* Not the room for the arguments: there is much of it. */
    request->script = script;
    request->keys = request->argc = 0;
    request->more = NULL;
    request->more_count = 0;
    request->brings = false;
}

void redis_request_add_number(redis_request *request, int64_t number, char digits[REDIS_DIGITS])
{
    char *end = digits + REDIS_DIGITS, *at = write_before(end, number);

    redis_request_add(request, (redis_bytes){at, (size_t)(end - at)});
}

void redis_request_add_seconds(redis_request *request, int64_t span, char digits[REDIS_DIGITS])
{
    char *end = digits + REDIS_DIGITS, *at = end;
    int64_t ms = span / PLATFORM_MSEC;

    if (span == PLATFORM_NEVER) {
        redis_request_add(request, REDIS_LITERAL("0"));
        return;
    }
    for (int decimals = 3; decimals-- > 0; ms /= 10) {
        *--at = (char)('0' + ms % 10);
    }
    *--at = '.';
    at = write_before(at, ms);
    redis_request_add(request, (redis_bytes){at, (size_t)(end - at)});
}

int64_t redis_span_ms(int64_t span)
{
    return span == PLATFORM_NEVER ? 0 : (span + PLATFORM_MSEC - 1) / PLATFORM_MSEC;
}

static void reserve(redis_buffer *buffer, size_t more)
{
    if (buffer->size - buffer->len < more) {
        size_t size = buffer->size > 0 ? buffer->size : 512;
        while (size - buffer->len < more) {
            size *= 2;
        }
        buffer->at = platform_realloc(buffer->at, size);
        buffer->size = size;
    }
}

/* What a bulk takes beside its bytes: a type, a length, two line ends. */
#define BULK_ROOM (REDIS_DIGITS + 5)

static size_t room_for(const redis_bytes *args, size_t count)
{
    size_t room = 0;

    for (size_t i = 0; i < count; i++) {
        room += args[i].len + BULK_ROOM;
    }
    return room;
}

/* These write where there is room, and return where they ended. Most numbers have a digit or two. */
static inline char *write_count(char *at, size_t number)
{
    if (number < 10) {
        *at++ = (char)('0' + number);
    } else if (number < 100) {
        *at++ = (char)('0' + number / 10);
        *at++ = (char)('0' + number % 10);
    } else {
        char digits[REDIS_DIGITS], *end = digits + sizeof(digits), *begin = write_before(end, (int64_t)number);
        memcpy(at, begin, (size_t)(end - begin));
        at += end - begin;
    }
    return at;
}

static char *write_header(char *at, char type, size_t number)
{
    *at++ = type;
    at = write_count(at, number);
    *at++ = '\r';
    *at++ = '\n';
    return at;
}

static char *write_bulk(char *at, const char *bytes, size_t len)
{
    at = write_header(at, '$', len);
    if (len > 0) {
        memcpy(at, bytes, len);
        at += len;
    }
    *at++ = '\r';
    *at++ = '\n';
    return at;
}

void redis_buffer_request(redis_buffer *buffer, const redis_request *request, bool whole)
{
    const redis_script *script = request->script;
    char digits[REDIS_DIGITS];
    char *at;

    reserve(buffer, 4 * BULK_ROOM +
                        (script == NULL ? 0
                         : whole        ? script->text_len
                                        : 40) +
                        room_for(request->argv, request->argc) + room_for(request->more, request->more_count));
    at = buffer->at + buffer->len;
    at = write_header(at, '*', request->argc + request->more_count + (script != NULL ? 3 : 0));
    if (script != NULL && whole) {
        at = write_bulk(at, "EVAL", 4);
        at = write_bulk(at, script->text, script->text_len);
    } else if (script != NULL) {
        memcpy(at, script->call, REDIS_SCRIPT_CALL_LEN);
        at += REDIS_SCRIPT_CALL_LEN;
    }
    if (script != NULL) {
        at = write_bulk(at, digits, (size_t)(write_count(digits, request->keys) - digits));
    }
    for (unsigned i = 0; i < request->argc; i++) {
        at = write_bulk(at, request->argv[i].at, request->argv[i].len);
    }
    for (size_t i = 0; i < request->more_count; i++) {
        at = write_bulk(at, request->more[i].at, request->more[i].len);
    }
    buffer->len = (size_t)(at - buffer->at);
}

void redis_buffer_append(redis_buffer *buffer, const char *bytes, size_t len)
{
    reserve(buffer, len);
    if (len > 0) {
        memcpy(buffer->at + buffer->len, bytes, len);
        buffer->len += len;
    }
}

void redis_buffer_free(redis_buffer *buffer)
{
    free(buffer->at);
    memset(buffer, 0, sizeof(*buffer));
}

bool redis_script_set_has(const redis_script_set *set, const redis_script *script)
{
    for (size_t i = 0; i < set->count; i++) {
        if (set->list[i] == script) {
            return true;
        }
    }
    return false;
}

void redis_script_set_add(redis_script_set *set, const redis_script *script)
{
    if (set->count < REDIS_SCRIPTS_MOST && !redis_script_set_has(set, script)) {
        set->list[set->count++] = script;
    }
}

bool redis_script_is_unknown(const char *error_reply, size_t len)
{
    return len >= 8 && memcmp(error_reply, "NOSCRIPT", 8) == 0;
}

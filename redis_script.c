/* SPDX-License-Identifier: MIT
 *
 * redis_script: see redis_script.h. Requests are written by hand: hiredis' formatting costs more than all the rest of
 * a call on the client's side.
 */
#include "redis_script.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "platform.h"

/* Longest piece that append_number() writes: a sign, 19 digits. */
#define NUMBER_SIZE 20

static size_t number_digits(int64_t number, char *out)
{
    char reversed[NUMBER_SIZE];
    size_t n = 0, len = 0;
    uint64_t rest = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;

    do {
        reversed[n++] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest > 0);
    if (number < 0) {
        out[len++] = '-';
    }
    while (n > 0) {
        out[len++] = reversed[--n];
    }
    return len;
}

void redis_request_add(redis_request *request, redis_bytes arg)
{
    assert(request->argc < REDIS_MAX_ARGS);
    request->argv[request->argc++] = arg;
}

void redis_request_add_number(redis_request *request, int64_t number, char *digits)
{
    redis_request_add(request, (redis_bytes){digits, number_digits(number, digits)});
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

/* The caller has reserved the room. */
static void append(redis_buffer *buffer, const char *bytes, size_t len)
{
    if (len > 0) {
        memcpy(buffer->at + buffer->len, bytes, len);
        buffer->len += len;
    }
}

static void append_header(redis_buffer *buffer, char type, size_t number)
{
    buffer->at[buffer->len++] = type;
    buffer->len += number_digits((int64_t)number, buffer->at + buffer->len);
    append(buffer, "\r\n", 2);
}

static void append_bulk(redis_buffer *buffer, const char *bytes, size_t len)
{
    reserve(buffer, len + NUMBER_SIZE + 5);
    append_header(buffer, '$', len);
    append(buffer, bytes, len);
    append(buffer, "\r\n", 2);
}

void redis_buffer_request(redis_buffer *buffer, const redis_request *request, bool whole)
{
    const redis_script *script = request->script;
    char digits[NUMBER_SIZE];

    reserve(buffer, NUMBER_SIZE + 3);
    append_header(buffer, '*', request->argc + request->more_count + (script != NULL ? 3 : 0));
    if (script != NULL && whole) {
        append_bulk(buffer, "EVAL", 4);
        append_bulk(buffer, script->text, script->text_len);
    } else if (script != NULL) {
        append_bulk(buffer, "EVALSHA", 7);
        append_bulk(buffer, script->sha1, 40);
    }
    if (script != NULL) {
        append_bulk(buffer, digits, number_digits(request->keys, digits));
    }
    for (unsigned i = 0; i < request->argc; i++) {
        append_bulk(buffer, request->argv[i].at, request->argv[i].len);
    }
    for (size_t i = 0; i < request->more_count; i++) {
        append_bulk(buffer, request->more[i].at, request->more[i].len);
    }
}

void redis_buffer_append(redis_buffer *buffer, const char *bytes, size_t len)
{
    reserve(buffer, len);
    append(buffer, bytes, len);
}

void redis_buffer_free(redis_buffer *buffer)
{
    free(buffer->at);
    memset(buffer, 0, sizeof(*buffer));
}

bool redis_script_is_unknown(const char *error_reply, size_t len)
{
    return len >= 8 && memcmp(error_reply, "NOSCRIPT", 8) == 0;
}

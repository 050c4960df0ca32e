/* SPDX-License-Identifier: MIT
 *
 * redis/request: see redis/request.h. Requests are not formatted by hiredis, since that costs more than all the rest
 * of a call on the client's side.
 */
#include "redis/request.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "invariant.h"

void rl_request_begin(rl_request *request, const rl_script *script)
{
    /* `argv` is not cleared: it is large, and `argc` says how much of it is in use. */
    request->script = script;
    request->keys = request->argc = 0;
    request->more = NULL;
    request->more_count = 0;
    request->preload = request->once = false;
    request->alone = NULL;
}

rl_bytes rl_request_key(const rl_request *request)
{
    size_t at = request->script == NULL ? 1 : 0;

    if (at < request->argc) {
        return request->argv[at];
    }
    return at < request->argc + request->more_count ? request->more[at - request->argc] : RL_LITERAL("");
}

bool rl_request_has_one_key(const rl_request *request)
{
    if (request->script != NULL) {
        return request->keys == 1;
    }
    return request->argc > 1 && rl_bytes_equal(request->argv[0], RL_LITERAL("SET"));
}

/* The keys of a request stand in `argv`, or all in `more`. */
void rl_request_stand_in(const rl_request *request, rl_request *out)
{
    bool are_more = request->argc == 0;

    RL_GUARD(are_more || request->argc >= request->keys);
    RL_INVARIANT(request->alone != NULL);
    rl_request_begin(out, request->alone);
    out->preload = request->preload;
    out->once = request->once;
    out->keys = 1;
    rl_request_add(out, rl_request_key(request));
    if (!are_more) {
        rl_request_add_all(out, request->argv + request->keys, request->argc - request->keys);
    }
    out->more = are_more ? request->more + request->keys : request->more;
    out->more_count = are_more ? request->more_count - request->keys : request->more_count;
}

void rl_request_add_all(rl_request *request, const rl_bytes *args, size_t count)
{
    RL_GUARD(count <= RL_MAX_ARGS - request->argc);
    memcpy(request->argv + request->argc, args, count * sizeof(*args));
    request->argc += (unsigned)count;
}

rl_bytes rl_decimal(int64_t number, char digits[RL_DIGITS])
{
    uint64_t rest = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    char *end = digits + RL_DIGITS, *at = end;

    do {
        *--at = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest > 0);
    if (number < 0) {
        *--at = '-';
    }
    return (rl_bytes){at, (size_t)(end - at)};
}

void rl_request_add_number(rl_request *request, int64_t number, char digits[RL_DIGITS])
{
    rl_request_add(request, rl_decimal(number, digits));
}

/* Of whole numbers, since printf() writes a fraction with the locale's decimal point. */
void rl_request_add_seconds(rl_request *request, int64_t span, char digits[RL_DIGITS])
{
    int64_t ms = span / PLATFORM_MSEC;
    int len = snprintf(digits, RL_DIGITS, "%" PRId64 ".%03d", ms / 1000, (int)(ms % 1000));

    rl_request_add(request, span == PLATFORM_NEVER ? RL_LITERAL("0") : (rl_bytes){digits, (size_t)len});
}

int64_t rl_span_ms(int64_t span)
{
    return span == PLATFORM_NEVER ? 0 : (span + PLATFORM_MSEC - 1) / PLATFORM_MSEC;
}

/* Makes room for at least `more` bytes behind those in use. May move the buffer's bytes. */
static void reserve(rl_buffer *buffer, size_t more)
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

/* Room for what frames the bytes of a bulk string: a type, a length, two line ends. */
#define BULK_ROOM (RL_DIGITS + 5)

/* Returns the room that the request takes at most. The write functions check nothing, so whatever is written must be
 * counted here: 4 * BULK_ROOM covers the header and the frames of all that comes before the arguments. */
static size_t room_for(const rl_request *request, bool send_eval)
{
    size_t script = request->script == NULL ? 0 : send_eval ? request->script->text_len : RL_SCRIPT_EVALSHA_LEN;
    size_t room = 4 * BULK_ROOM + script + (request->argc + request->more_count) * BULK_ROOM;

    for (size_t i = 0; i < request->argc; i++) {
        room += request->argv[i].len;
    }
    for (size_t i = 0; i < request->more_count; i++) {
        room += request->more[i].len;
    }
    return room;
}

/* The write functions write to `at`, where the caller has made room, and return the end of what they wrote. */
static char *write_header(char *at, char type, size_t number)
{
    char digits[RL_DIGITS];
    rl_bytes decimal = rl_decimal((int64_t)number, digits);

    *at++ = type;
    memcpy(at, decimal.at, decimal.len);
    at += decimal.len;
    *at++ = '\r';
    *at++ = '\n';
    return at;
}

/* Writes the arguments as bulk strings. Most lengths have one or two digits, so these are written without a loop. */
static char *write_bulks(char *at, const rl_bytes *args, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        size_t len = args[i].len;
        if (len < 100) {
            *at++ = '$';
            if (len >= 10) {
                *at++ = (char)('0' + len / 10);
            }
            *at++ = (char)('0' + len % 10);
            *at++ = '\r';
            *at++ = '\n';
        } else {
            at = write_header(at, '$', len);
        }
        if (len > 0) {
            memcpy(at, args[i].at, len);
            at += len;
        }
        *at++ = '\r';
        *at++ = '\n';
    }
    return at;
}

/* Room for the whole request is reserved at once: see room_for(). */
void rl_buffer_request(rl_buffer *buffer, const rl_request *request, bool send_eval)
{
    const rl_script *script = request->script;
    char digits[RL_DIGITS], *at;

    reserve(buffer, room_for(request, send_eval));
    at = buffer->at + buffer->len;
    at = write_header(at, '*', request->argc + request->more_count + (script != NULL ? 3 : 0));
    if (script != NULL && send_eval) {
        at = write_bulks(at, (rl_bytes[]){RL_LITERAL("EVAL"), {script->text, script->text_len}}, 2);
    } else if (script != NULL) {
        memcpy(at, script->evalsha, RL_SCRIPT_EVALSHA_LEN);
        at += RL_SCRIPT_EVALSHA_LEN;
    }
    if (script != NULL) {
        rl_bytes keys = rl_decimal(request->keys, digits);
        at = write_bulks(at, &keys, 1);
    }
    at = write_bulks(at, request->argv, request->argc);
    at = write_bulks(at, request->more, request->more_count);
    buffer->len = (size_t)(at - buffer->at);
}

void rl_buffer_append(rl_buffer *buffer, const char *bytes, size_t len)
{
    reserve(buffer, len);
    if (len > 0) {
        memcpy(buffer->at + buffer->len, bytes, len);
        buffer->len += len;
    }
}

void rl_buffer_free(rl_buffer *buffer)
{
    free(buffer->at);
    memset(buffer, 0, sizeof(*buffer));
}

bool rl_script_is_unknown(const char *error_reply, size_t len)
{
    return len >= 8 && memcmp(error_reply, "NOSCRIPT", 8) == 0;
}

/* Does the text begin with the name, in whatever case? */
static bool begins_with(const char *text, const char *name)
{
    while (*name != '\0' && tolower((unsigned char)*text) == tolower((unsigned char)*name)) {
        text++, name++;
    }
    return *name == '\0';
}

/* Servers repeat the name as it was sent, or in lower case; some proxies call such a command unsupported. */
bool rl_command_is_unknown(const char *error_reply, const char *name)
{
    const char *at = strstr(error_reply, "unknown command");
    size_t len = strlen(name);

    at = at != NULL ? at : strstr(error_reply, "unsupported command");
    if (at == NULL) {
        return false;
    }
    at = strchr(at, 'c') + sizeof("command") - 1;
    at += strspn(at, " :'`\"");
    return begins_with(at, name) && strchr("'`\" ,", at[len]) != NULL;
}

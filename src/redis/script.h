/* SPDX-License-Identifier: MIT
 *
 * redis/script: a request to Redis as bytes: a plain command, or a script by its SHA-1 (EVALSHA) or whole (EVAL).
 */
#ifndef REDISLOCK_REDIS_SCRIPT_H
#define REDISLOCK_REDIS_SCRIPT_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "platform.h"

#define REDIS_MAX_ARGS 15

/* Bytes that somebody else owns. */
typedef struct redis_bytes {
    const char *at;
    size_t len;
} redis_bytes;

#define REDIS_LITERAL(text) ((redis_bytes){text, sizeof(text) - 1})

typedef struct redis_script {
    const char *name;
    const char *text;
    size_t text_len;
    const char *call; /* REDIS_SCRIPT_CALL of the SHA-1 under which Redis caches the text */
} redis_script;

/* Scripts that a connection knows something of: more than there are. All zero is none. */
#define REDIS_SCRIPTS_MOST 32

typedef struct redis_script_set {
    const redis_script *list[REDIS_SCRIPTS_MOST];
    size_t count;
} redis_script_set;

bool redis_script_set_has(const redis_script_set *set, const redis_script *script);
void redis_script_set_add(redis_script_set *set, const redis_script *script);

/* How a call of a script begins, as it is sent. `sha1`: 40 hex digits, a literal. */
#define REDIS_SCRIPT_CALL(sha1) "$7\r\nEVALSHA\r\n$40\r\n" sha1 "\r\n"
#define REDIS_SCRIPT_CALL_LEN   (sizeof(REDIS_SCRIPT_CALL("")) - 1 + 40)

/* A request. What the arguments point to must stay until it is answered, since it may have to be sent again. */
typedef struct redis_request {
    const redis_script *script; /* NULL: a plain command, whose name is the first argument */
    unsigned keys;              /* of a script: how many of the arguments are keys; they come first */
    unsigned argc;
    redis_bytes argv[REDIS_MAX_ARGS];
    const redis_bytes *more; /* arguments that follow those, where that is not enough; the caller's, and as lasting */
    size_t more_count;

    /* The script's text goes along the first time on each connection: where nobody may be there any more to hear that
     * the server does not know it. */
    bool brings;
} redis_request;

/* A growing buffer of bytes to send. All zero is an empty one. */
typedef struct redis_buffer {
    char *at;
    size_t len;
    size_t size;
} redis_buffer;

/* Makes it a request without arguments; `script` NULL: a plain command. */
void redis_request_begin(redis_request *request, const redis_script *script);

/* Room for a number as digits, or for one of seconds. */
#define REDIS_DIGITS 24

/* Appends one argument; for numbers, `digits` is where they are written. */
static inline void redis_request_add(redis_request *request, redis_bytes arg)
{
    assert(request->argc < REDIS_MAX_ARGS);
    request->argv[request->argc++] = arg;
}

void redis_request_add_number(redis_request *request, int64_t number, char digits[REDIS_DIGITS]);

/* The same with a span of µs, as Redis' blocking commands take it: seconds with three decimals, whatever the locale
 * thinks of the point. Without end (INT64_MAX) is 0, and so is less than a millisecond. */
void redis_request_add_seconds(redis_request *request, int64_t span, char digits[REDIS_DIGITS]);

/* The server is to end a BLPOP so much before the caller's deadline: else what is written behind it then waits for the
 * server's next look at its time-outs, which is up to 100 ms away when nothing else happens there. */
#define REDIS_BLOCK_MARGIN (3 * PLATFORM_MSEC)

/* A span of µs as whole milliseconds, rounded up. Without end (INT64_MAX) is 0. */
int64_t redis_span_ms(int64_t span);

/* Appends the request's bytes. `whole`: a script is sent with its text, which also caches it. */
void redis_buffer_request(redis_buffer *buffer, const redis_request *request, bool whole);

/* Appends bytes as they are. */
void redis_buffer_append(redis_buffer *buffer, const char *bytes, size_t len);

void redis_buffer_free(redis_buffer *buffer);

/* Is this error reply the server's word that it does not know the script (any more)? The texts differ among servers
 * and versions, the first word does not. */
bool redis_script_is_unknown(const char *error_reply, size_t len);

#endif

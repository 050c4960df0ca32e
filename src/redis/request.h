/* SPDX-License-Identifier: MIT
 *
 * redis/request: a request to Redis as bytes: a plain command, or a script by its SHA-1 (EVALSHA) or whole (EVAL).
 */
#ifndef REDISLOCK_REDIS_REQUEST_H
#define REDISLOCK_REDIS_REQUEST_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "platform.h"

#define RL_MAX_ARGS 15

/* Bytes that somebody else owns. */
typedef struct rl_bytes {
    const char *at;
    size_t len;
} rl_bytes;

#define RL_LITERAL(text) ((rl_bytes){text, sizeof(text) - 1})

typedef struct rl_script {
    const char *name;
    const char *text;
    size_t text_len;
    const char *call; /* RL_SCRIPT_CALL of the SHA-1 under which Redis caches the text */
} rl_script;

/* Scripts that a connection knows something of: more than there are. All zero is none. */
#define RL_SCRIPTS_MOST 32

typedef struct rl_script_set {
    const rl_script *list[RL_SCRIPTS_MOST];
    size_t count;
} rl_script_set;

bool rl_script_set_has(const rl_script_set *set, const rl_script *script);
void rl_script_set_add(rl_script_set *set, const rl_script *script);

/* How a call of a script begins, as it is sent. `sha1`: 40 hex digits, a literal. */
#define RL_SCRIPT_CALL(sha1) "$7\r\nEVALSHA\r\n$40\r\n" sha1 "\r\n"
#define RL_SCRIPT_CALL_LEN   (sizeof(RL_SCRIPT_CALL("")) - 1 + 40)

/* A request. What the arguments point to must stay until it is answered, since it may have to be sent again. */
typedef struct rl_request {
    const rl_script *script; /* NULL: a plain command, whose name is the first argument */
    unsigned keys;           /* of a script: how many of the arguments are keys; they come first */
    unsigned argc;
    rl_bytes argv[RL_MAX_ARGS];
    const rl_bytes *more; /* arguments that follow those, where that is not enough; the caller's, and as lasting */
    size_t more_count;

    /* The script's text goes along the first time on each connection: where nobody may be there any more to hear that
     * the server does not know it. */
    bool preload;
} rl_request;

/* A growing buffer of bytes to send. All zero is an empty one. */
typedef struct rl_buffer {
    char *at;
    size_t len;
    size_t size;
} rl_buffer;

/* Makes it a request without arguments; `script` NULL: a plain command. */
void rl_request_begin(rl_request *request, const rl_script *script);

/* Room for a number as digits, or for one of seconds. */
#define RL_DIGITS 24

/* Appends one argument; for numbers, `digits` is where they are written. */
static inline void rl_request_add(rl_request *request, rl_bytes arg)
{
    assert(request->argc < RL_MAX_ARGS);
    request->argv[request->argc++] = arg;
}

void rl_request_add_number(rl_request *request, int64_t number, char digits[RL_DIGITS]);

/* The same with a span of µs, as Redis' blocking commands take it: seconds with three decimals, whatever the locale
 * thinks of the point. Without end (INT64_MAX) is 0, and so is less than a millisecond. */
void rl_request_add_seconds(rl_request *request, int64_t span, char digits[RL_DIGITS]);

/* The server is to end a BLPOP so much before the caller's deadline: else what is written behind it then waits for the
 * server's next look at its time-outs, which is up to 100 ms away when nothing else happens there. */
#define RL_BLOCK_MARGIN (3 * PLATFORM_MSEC)

/* A span of µs as whole milliseconds, rounded up. Without end (INT64_MAX) is 0. */
int64_t rl_span_ms(int64_t span);

/* Appends the request's bytes. `send_eval`: a script is sent with its text, which also caches it. */
void rl_buffer_request(rl_buffer *buffer, const rl_request *request, bool send_eval);

/* Appends bytes as they are. */
void rl_buffer_append(rl_buffer *buffer, const char *bytes, size_t len);

void rl_buffer_free(rl_buffer *buffer);

/* Is this error reply the server's word that it does not know the script (any more)? The texts differ among servers
 * and versions, the first word does not. */
bool rl_script_is_unknown(const char *error_reply, size_t len);

#endif

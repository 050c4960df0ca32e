/* SPDX-License-Identifier: MIT
 *
 * redis/request: a request to Redis as bytes: a plain command, or a script, by its SHA-1 (EVALSHA) or its text (EVAL).
 */
#ifndef REDISLOCK_REDIS_REQUEST_H
#define REDISLOCK_REDIS_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "invariant.h"
#include "platform/platform.h"

#define RL_MAX_ARGS 15

/* Bytes that are owned elsewhere. */
typedef struct rl_bytes {
    const char *at;
    size_t len;
} rl_bytes;

#define RL_LITERAL(text) ((rl_bytes){text, sizeof(text) - 1})

/* Are they the same bytes? What is empty may stand nowhere. */
static inline bool rl_bytes_equal(rl_bytes a, rl_bytes b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.at, b.at, a.len) == 0);
}

typedef struct rl_script {
    const char *name;
    const char *text;
    size_t text_len;
    const char *evalsha; /* RL_SCRIPT_EVALSHA() of the text's SHA-1, under which Redis caches it */
    uint64_t bit;        /* stands for this script in a set of scripts; 0: it can be in none */
} rl_script;

/* The bytes with which a call of a script by its SHA-1 begins, behind the number of arguments. `sha1` is a literal of
 * 40 hex digits. */
#define RL_SCRIPT_EVALSHA(sha1) "$7\r\nEVALSHA\r\n$40\r\n" sha1 "\r\n"
#define RL_SCRIPT_EVALSHA_LEN   (sizeof(RL_SCRIPT_EVALSHA("")) - 1 + 40)

/* A request. What its arguments point to must stay valid until it is answered, since it may have to be sent again. */
typedef struct rl_request {
    const rl_script *script; /* NULL: a plain command, whose name is the first argument */
    unsigned keys;           /* of a script: how many of the arguments are keys, which come first */
    unsigned argc;           /* how many arguments `argv` holds */
    rl_bytes argv[RL_MAX_ARGS];
    const rl_bytes *more; /* the arguments behind those in `argv`, if that is too small; owned by the caller */
    size_t more_count;    /* how many arguments `more` holds */

    /* The first such request with this script on a connection carries the script's text. For requests whose reply may
     * come when nobody is left to learn that the server does not know the script. */
    bool preload;

    /* Not sent again after a lost reply. It is not sent behind what might make a server close the connection. */
    bool once;

    /* A script that stands in for this one while the slot of a cluster moves, where no script of several keys runs: it gets the
     * first key, and the arguments behind the keys. NULL: there is none. */
    const rl_script *alone;
} rl_request;

/* A growing buffer of bytes to send. All zero is an empty buffer. */
typedef struct rl_buffer {
    char *at;    /* owned; NULL while `size` is 0 */
    size_t len;  /* bytes in use */
    size_t size; /* bytes allocated */
} rl_buffer;

/* Begins a request without arguments: a script or, with NULL, a plain command, whose name is added as the first
 * argument. */
void rl_request_begin(rl_request *request, const rl_script *script);

/* The key that tells which node of a cluster serves the request: the first one of a script, or the argument behind a command's
 * name. "": it has none. */
rl_bytes rl_request_key(const rl_request *request);

/* Is the request, as it stands here, known to name one key only? */
bool rl_request_has_one_key(const rl_request *request);

/* Makes `out` the call of request->alone, with what it gets of the arguments. These stay where they are. */
void rl_request_stand_in(const rl_request *request, rl_request *out);

/* Room for any number in decimal digits, also for a number of seconds with three decimals. */
#define RL_DIGITS 24

/* Appends an argument. The bytes are not copied. */
static inline void rl_request_add(rl_request *request, rl_bytes arg)
{
    RL_GUARD(request->argc < RL_MAX_ARGS);
    request->argv[request->argc++] = arg;
}

/* Appends `count` arguments. */
void rl_request_add_all(rl_request *request, const rl_bytes *args, size_t count);

/* Returns the number in decimal digits, which are written to `digits`. */
rl_bytes rl_decimal(int64_t number, char digits[RL_DIGITS]);

/* Appends a number. Its digits are written to `digits`, which must stay valid as long as any argument. */
void rl_request_add_number(rl_request *request, int64_t number, char digits[RL_DIGITS]);

/* Appends a span of µs as Redis' blocking commands take it: in seconds with three decimals, and with a point in every
 * locale. 0 makes such a command wait without end. That is what PLATFORM_NEVER becomes, but also any span below a
 * millisecond, which callers must avoid. As with rl_request_add_number(), `digits` must stay valid. */
void rl_request_add_seconds(rl_request *request, int64_t span, char digits[RL_DIGITS]);

/* Returns a span of µs in whole milliseconds, rounded up; 0 for PLATFORM_NEVER. */
int64_t rl_span_ms(int64_t span);

/* Appends the request's bytes. With `send_eval`, a script is sent with its text, which also makes the server cache
 * it. */
void rl_buffer_request(rl_buffer *buffer, const rl_request *request, bool send_eval);

/* Appends bytes as they are. */
void rl_buffer_append(rl_buffer *buffer, const char *bytes, size_t len);

/* Frees the bytes. The buffer is empty then, and may be used again. */
void rl_buffer_free(rl_buffer *buffer);

/* Does this error reply say that the server does not know the script? The text differs among servers and versions, but
 * the first word does not. */
bool rl_script_is_unknown(const char *error_reply, size_t len);

/* Does this error reply say that the server has no such command? `name` in lower case. */
bool rl_command_is_unknown(const char *error_reply, const char *name);

#endif

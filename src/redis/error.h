/* SPDX-License-Identifier: MIT
 *
 * redis/error: what went wrong between us and a server, in a struct that the caller owns.
 */
#ifndef REDISLOCK_REDIS_ERROR_H
#define REDISLOCK_REDIS_ERROR_H

#include <stdbool.h>

#include "platform.h"

typedef enum redis_failure {
    REDIS_FINE = 0,
    REDIS_UNREACHABLE, /* no connection; nothing of the request was sent */
    REDIS_REFUSED,     /* the server refused the login or the database; nothing of the request was sent */
    REDIS_TIMED_OUT,   /* sent, but no answer in time: the outcome is unknown */
    REDIS_LOST,        /* sent, then the connection broke: the outcome is unknown */
    REDIS_MALFORMED,   /* the answer is no reply to the request: the outcome is unknown */
    REDIS_ERROR_REPLY, /* the server answered with an error */
    REDIS_INTERRUPTED, /* the caller's hook ended the wait */
} redis_failure;

typedef struct redis_error {
    redis_failure kind;
    char code[24];  /* first word of an error reply, such as "READONLY"; "" otherwise */
    char text[232]; /* for people; never holds a secret */
} redis_error;

/* Makes an error of a server's error reply: its code, and its text without what the scripts and the request add to it. */
void redis_error_from_reply(redis_error *error, const char *reply);

#define REDIS_WRONG_REPLY  ((redis_error){REDIS_MALFORMED, "", "the reply is not one to this request"})
#define REDIS_INTERRUPTION ((redis_error){REDIS_INTERRUPTED, "", "interrupted"})

/* Makes it none. */
void redis_error_clear(redis_error *error);

/* Is what may be asked twice worth asking again? Where the connection broke; and once it was asked again (`repeated`), also
 * where no other can be made yet. */
bool redis_error_is_worth_repeating(const redis_error *error, bool repeated);

/* The same for a loop, with the error of the first time in `first`, which is none before. That one tells most, and
 * is put into `error` again: later ones are of a server that has gone. */
bool redis_error_keep_first(redis_error *error, redis_error *first);

/* Is this an error after which a waiter reconnects and goes on? Either the connection is gone, or the server is not
 * fit to answer just now: loading, demoted, changing its slots. */
bool redis_error_passes(const redis_error *error);

/* Was it sent, and no answer heard that tells what it did? */
bool redis_error_is_unknown(const redis_error *error);

/* May what was asked still be carried out, when it is asked again later? Not what was done, nor what was refused for good. */
bool redis_error_leaves_open(const redis_error *error);

/* Between one time and the next; who asks more than twice waits twice as long each time, up to the longest, */
#define REDIS_REPEAT_PAUSE  (20 * PLATFORM_MSEC)
#define REDIS_LONGEST_PAUSE (200 * PLATFORM_MSEC)
/* and so long for a server that gives no good answer. */
#define REDIS_PATIENCE (10 * PLATFORM_SEC)

#endif

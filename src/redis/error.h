/* SPDX-License-Identifier: MIT
 *
 * redis/error: what went wrong between us and a server, in a struct that the caller owns.
 */
#ifndef REDISLOCK_REDIS_ERROR_H
#define REDISLOCK_REDIS_ERROR_H

#include <stdbool.h>

#include "platform.h"

typedef enum rl_failure {
    RL_OK = 0,
    RL_UNREACHABLE, /* no connection; nothing of the request was sent */
    RL_REFUSED,     /* the server refused the login or the database; nothing of the request was sent */
    RL_TIMED_OUT,   /* sent, but no answer in time: the outcome is unknown */
    RL_LOST,        /* sent, then the connection broke: the outcome is unknown */
    RL_MALFORMED,   /* the answer is no reply to the request: the outcome is unknown */
    RL_ERROR_REPLY, /* the server answered with an error */
    RL_INTERRUPTED, /* the caller's hook ended the wait */
} rl_failure;

typedef struct rl_error {
    rl_failure kind;
    char code[24];  /* first word of an error reply, such as "READONLY"; "" otherwise */
    char text[232]; /* for people; never holds a secret */
} rl_error;

/* Makes an error of a server's error reply: its code, and its text without what the scripts and the request add to it. */
void rl_error_from_reply(rl_error *error, const char *reply);

#define RL_WRONG_REPLY  ((rl_error){RL_MALFORMED, "", "the reply is not one to this request"})
#define RL_INTERRUPTION ((rl_error){RL_INTERRUPTED, "", "interrupted"})

/* Makes it none. */
void rl_error_clear(rl_error *error);

/* Is what may be asked twice worth asking again? Where the connection broke; and once it was asked again (`repeated`), also
 * where no other can be made yet. */
bool rl_error_is_retriable(const rl_error *error, bool repeated);

/* The same for a loop, with the error of the first time in `first`, which is none before. That one tells most, and
 * is put into `error` again: later ones are of a server that has gone. */
bool rl_error_keep_first(rl_error *error, rl_error *first);

/* Is this an error after which a waiter reconnects and goes on? Either the connection is gone, or the server is not
 * fit to answer just now: loading, demoted, changing its slots. */
bool rl_error_is_transient(const rl_error *error);

/* Was it sent, and no answer heard that tells what it did? */
bool rl_error_is_outcome_unknown(const rl_error *error);

/* May what was asked still be carried out, when it is asked again later? Not what was done, nor what was refused for good. */
bool rl_error_leaves_open(const rl_error *error);

/* Between one time and the next; who asks more than twice waits twice as long each time, up to the longest, */
#define RL_REPEAT_PAUSE  (20 * PLATFORM_MSEC)
#define RL_LONGEST_PAUSE (200 * PLATFORM_MSEC)
/* and so long for a server that gives no good answer. */
#define RL_RECONNECT_WINDOW (10 * PLATFORM_SEC)

#endif

/* SPDX-License-Identifier: MIT
 *
 * redis/error: what went wrong between us and a server, in a struct that the caller owns.
 */
#ifndef REDISLOCK_REDIS_ERROR_H
#define REDISLOCK_REDIS_ERROR_H

#include <stdbool.h>

#include "platform/platform.h"

typedef enum rl_failure {
    RL_OK = 0,
    RL_UNREACHABLE, /* there is no connection; nothing of the request was sent */
    RL_REFUSED,     /* the server refused the login, the database or the client; the request did not run */
    RL_TIMED_OUT,   /* sent, but no answer in time: the outcome is unknown */
    RL_LOST,        /* sent, then the connection broke: the outcome is unknown */
    RL_MALFORMED,   /* the answer is no reply to the request: the outcome is unknown */
    RL_ERROR_REPLY, /* the server answered with an error */
    RL_INTERRUPTED, /* the caller's hook ended the wait */
    RL_TOO_FEW,     /* the request was carried out, and fewer replicas have that than the caller asks for */
    RL_REDIRECTED,  /* a node of a cluster does not serve the key, and has named the one that does: nothing ran */
} rl_failure;

/* With RL_OK, the code and the text mean nothing. */
typedef struct rl_error {
    rl_failure kind;
    char code[24];  /* first word of an error reply, such as "READONLY"; "" otherwise */
    char text[232]; /* for people to read; never holds a secret */
} rl_error;

/* Fills `error` from a server's error reply: with its code, and its text without the place in a script and the
 * request's arguments. */
void rl_error_from_reply(rl_error *error, const char *reply);

/* If the server that has sent this error reply speaks as a node of a cluster, though it was asked as a server of its own, says
 * in the text what to write instead. */
void rl_error_name_cluster(rl_error *error);

#define RL_WRONG_REPLY  ((rl_error){RL_MALFORMED, "", "the reply does not match the request"})
#define RL_INTERRUPTION ((rl_error){RL_INTERRUPTED, "", "interrupted"})

/* Does this error reply refuse the connection, whatever was asked over it? The server closes it behind that. */
bool rl_error_refuses_all(const char *reply);

/* Is a request that may be sent twice worth sending again? It is if the connection broke. Once the request was sent
 * again (`repeated`), it also is if no other connection can be made yet. */
bool rl_error_is_retriable(const rl_error *error, bool repeated);

/* As rl_error_is_retriable(), for a loop. `first` keeps the error of the first time, and must be RL_OK before that. If
 * a later error is worth another try too, `error` becomes the first one again: that says most, as later ones only say
 * that the server has gone. */
bool rl_error_keep_first(rl_error *error, rl_error *first);

/* Is this an error after which a waiter reconnects and goes on? Either the connection is gone, or the server cannot
 * answer at the moment: it loads its data, was demoted, or changes its slots. */
bool rl_error_is_transient(const rl_error *error);

/* Does the server say that it is not the master, or not at present: a replica, or one that loads its data? Then nothing ran
 * there, unless a client was unblocked by the change, and another server may be the master now. */
bool rl_error_is_of_no_master(const rl_error *error);

/* Does a node of a cluster say that it cannot serve the key's slot, or not at present? Nothing ran then, and there is nothing
 * to undo. */
bool rl_error_is_of_slot(const rl_error *error);

/* Does a node of a cluster say that the key's slot has gone to another node, or is on its way there? */
bool rl_error_is_of_moving_slot(const rl_error *error);

/* Is it an ASK: does the node send this one request to another, since the key is not here any more? */
bool rl_error_is_ask(const rl_error *error);

/* Has the request certainly not run, for a reason that passes? */
bool rl_error_passed_before_running(const rl_error *error);

/* Is a script refused for its keys, which belong to several locks: since they lie in different slots, or since its text does
 * not write each as KEYS[<number>]? Nothing ran, and a script for each lock may be taken. */
bool rl_error_refuses_many_keys(const rl_error *error);

/* Was the request sent without an answer that says what it did? */
bool rl_error_is_outcome_unknown(const rl_error *error);

/* Is the request still to be carried out, and may it succeed if it is sent again later? Not if it was carried out, or
 * refused by an RL_ERROR_REPLY that is not transient. */
bool rl_error_leaves_open(const rl_error *error);

#endif

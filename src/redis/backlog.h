/* SPDX-License-Identifier: MIT
 *
 * redis/backlog: requests that a server is still to carry out, although it could not be reached or did not answer.
 *
 * Each request is sent again when anybody next uses a connection to the same endpoint: before what the connection is
 * used for, and in the same write. This is repeated over later connections until the server has answered or the
 * request's time is over. So only requests that may be carried out twice, late, or after their answer was lost belong
 * here: releases, which name their token.
 *
 * A backlog belongs to the process that filled it; in a child of that process it is empty.
 */
#ifndef REDISLOCK_REDIS_BACKLOG_H
#define REDISLOCK_REDIS_BACKLOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "redis/endpoint.h"
#include "redis/pipeline.h"

#define RL_BACKLOG_MAX 1024 /* requests; one more displaces the oldest */

typedef struct rl_backlog_entry rl_backlog_entry;

/* All zero is an empty backlog. It must outlive the connections that it was given to. Not for use by two threads. */
typedef struct rl_backlog {
    rl_backlog_entry *first; /* the oldest request; NULL: there is none */
    size_t count;            /* of requests */
    uint64_t last_id;        /* the id that was given to the newest request */
    int64_t pid;             /* of the process that added the requests */
} rl_backlog;

/* Adds a copy of the request, which is sent to the endpoint until `until`, a time of platform_now(). `why` is the
 * error with which it has failed. Replaces a request that is the same by the rules of rl_backlog_remove(). */
void rl_backlog_add(rl_backlog *backlog, const rl_endpoint *endpoint, const rl_request *request, const rl_error *why,
                    int64_t until);

/* Removes the request that is to be sent to the same endpoint, calls the same script, and has the same first key (the
 * lock) and the same first argument behind the keys (the token). If it is under way, that goes on. Returns whether
 * there was such a request and it has certainly done nothing so far. */
bool rl_backlog_remove(rl_backlog *backlog, const rl_endpoint *endpoint, const rl_request *request);

/* Returns the next request that is to be sent to the endpoint, as a detached call; NULL if there is none. The call
 * belongs to the pipeline that it is put into, and its end must be reported by rl_backlog_report(). */
rl_call *rl_backlog_next(rl_backlog *backlog, const rl_endpoint *endpoint);

/* Reports the outcome of the call that was made from the request `id`: `error`, and `reply`, which is NULL if the
 * server did not answer. If the request may still be carried out (see rl_error_leaves_open()), it is sent again over
 * the next connection. If it found nothing to do, which is a reply of 0, although it cannot have run before, it is not
 * sent again, but kept, so that rl_backlog_remove() can report that it has done nothing. Otherwise it is removed. */
void rl_backlog_report(rl_backlog *backlog, uint64_t id, const rl_error *error, const redisReply *reply);

/* Frees all requests. The backlog is empty then. */
void rl_backlog_free(rl_backlog *backlog);

#endif

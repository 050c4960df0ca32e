/* SPDX-License-Identifier: MIT
 *
 * redis/backlog: requests that a server shall still carry out, although it could not be reached or did not answer.
 *
 * Each is sent again over the next connection to the same endpoint that anybody uses, before what it is used for and in
 * the same write, until the server has answered or the time of the request is over. So only what may be carried out
 * twice, late, or after its answer was lost belongs here: a release, which names its token.
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

#define RL_BACKLOG_MAX 1024 /* requests; with one more, the oldest is given up */

typedef struct rl_backlog_entry rl_backlog_entry;

/* All zero is an empty one. It must outlive the connections that it was given to. Not for use by two threads. */
typedef struct rl_backlog {
    rl_backlog_entry *first; /* the oldest */
    size_t count;
    uint64_t last_id;
    int64_t pid; /* whose requests they are */
} rl_backlog;

/* Adds a copy of the request, to be sent to the endpoint until `until`, a time of platform_now(). `why`: what came of it
 * so far. What matches it is replaced: see rl_backlog_remove(). */
void rl_backlog_add(rl_backlog *backlog, const rl_endpoint *endpoint, const rl_request *request, const rl_error *why,
                    int64_t until);

/* Takes out what is to be sent to the endpoint by the same script with the same first key and the same first argument
 * behind the keys: the lock and the token. What is under way goes on. True: it was there, and has certainly done
 * nothing so far. */
bool rl_backlog_remove(rl_backlog *backlog, const rl_endpoint *endpoint, const rl_request *request);

/* The next request that is to be sent to the endpoint, as a call that nobody waits for; NULL: there is none. It belongs
 * to the pipeline that it is put into, which reports its end by rl_backlog_settle(). */
rl_call *rl_backlog_next(rl_backlog *backlog, const rl_endpoint *endpoint);

/* The call of this entry was answered by `reply`, or was given up without an answer (NULL): `error` is what came of it.
 * Where that is nothing certain, the request is sent again over the next connection. Where it found nothing to do the
 * first time that it ran, which is a 0, it stays for rl_backlog_remove() to tell. */
void rl_backlog_settle(rl_backlog *backlog, uint64_t id, const rl_error *error, const redisReply *reply);

/* Forgets all. */
void rl_backlog_free(rl_backlog *backlog);

#endif

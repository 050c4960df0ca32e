/* SPDX-License-Identifier: MIT
 *
 * redis/talk: one server asked one thing after another, for what is done on one server only.
 */
#ifndef REDISLOCK_REDIS_TALK_H
#define REDISLOCK_REDIS_TALK_H

#include "redis/pool.h"

typedef struct redis_talk {
    redis_pool *pool; /* where the connection comes from and goes to */
    redis_node *node;
    redis_call call; /* the last question and its answer */
} redis_talk;

/* Takes a connection; connects nothing yet. Ended by redis_talk_close(). */
void redis_talk_open(redis_talk *talk, redis_pool *pool, const redis_endpoint *endpoint);

/* Sends the request and waits until it is answered, until `until`, or until the hook wants an end. Afterwards either
 * call.reply is there or call.error says why not; an error reply is an error. Connects first, if need be, by
 * `connect_by`. Returns whether a reply is there. */
bool redis_talk_ask(redis_talk *talk, const redis_request *request, int64_t connect_by, int64_t until,
                    const redis_hook *hook);

/* Marks the answer as none to this question. */
void redis_talk_malformed(redis_talk *talk);

/* Breaks the connection off; `undo`, if not NULL, is written behind the question first: see redis_node_part(). The next
 * question connects anew. Returns whether the undo went out. */
bool redis_talk_part(redis_talk *talk, const redis_request *undo, int64_t until);

/* Gives the connection back. */
void redis_talk_close(redis_talk *talk);

#endif

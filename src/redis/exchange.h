/* SPDX-License-Identifier: MIT
 *
 * redis/exchange: one server asked one thing after another, for what is done on one server only.
 */
#ifndef REDISLOCK_REDIS_EXCHANGE_H
#define REDISLOCK_REDIS_EXCHANGE_H

#include "redis/pool.h"

typedef struct rl_exchange {
    rl_pool *pool; /* where the connection comes from and goes to */
    rl_conn *conn;
    rl_call call; /* the last question and its answer */
} rl_exchange;

/* Takes a connection; connects nothing yet. Ended by rl_exchange_close(). */
void rl_exchange_open(rl_exchange *exchange, rl_pool *pool, const rl_endpoint *endpoint);

/* Sends the request and waits until it is answered, until `until`, or until the hook wants an end. Afterwards either
 * call.reply is there or call.error says why not; an error reply is an error. Connects first, if need be, by
 * `connect_by`. Returns whether a reply is there. */
bool rl_exchange_ask(rl_exchange *exchange, const rl_request *request, int64_t connect_by, int64_t until,
                     const rl_hook *hook);

/* Marks the answer as none to this question. */
void rl_exchange_malformed(rl_exchange *exchange);

/* Breaks the connection off; `undo`, if not NULL, is written behind the question first: see rl_conn_close_after(). The next
 * question connects anew. Returns whether the undo went out. */
bool rl_exchange_close_after(rl_exchange *exchange, const rl_request *undo, int64_t until);

/* Gives the connection back. */
void rl_exchange_close(rl_exchange *exchange);

#endif

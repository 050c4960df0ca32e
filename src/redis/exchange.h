/* SPDX-License-Identifier: MIT
 *
 * redis/exchange: asks one server one thing after another, for what is done on one server only.
 */
#ifndef REDISLOCK_REDIS_EXCHANGE_H
#define REDISLOCK_REDIS_EXCHANGE_H

#include "redis/pool.h"

typedef struct rl_exchange {
    rl_pool *pool; /* where the connection is taken from and given back to */
    rl_conn *conn;
    rl_call call; /* the last request and its answer */
} rl_exchange;

/* Takes a connection from the pool; does not connect yet. The caller ends with rl_exchange_close(). */
void rl_exchange_open(rl_exchange *exchange, rl_pool *pool, const rl_endpoint *endpoint);

/* Sends the request and waits until it is answered, until `until`, or until the hook ends the wait. Connects first if
 * need be, by `connect_by`. Returns whether the server answered without an error: then call.reply is set, otherwise
 * call.error says what went wrong. */
bool rl_exchange_ask(rl_exchange *exchange, const rl_request *request, int64_t connect_by, int64_t until,
                     const rl_hook *hook);

/* Sets call.error to say that the reply is not one to this request. */
void rl_exchange_malformed(rl_exchange *exchange);

/* Closes the connection and leaves call.error as it is. Writes `undo`, if not NULL, behind the request first: see
 * rl_conn_close_after(), also for `until`. The next request connects anew. Returns whether the undo went out. */
bool rl_exchange_close_after(rl_exchange *exchange, const rl_request *undo, int64_t until);

/* Gives the connection back to the pool. A call that is still open breaks it. */
void rl_exchange_close(rl_exchange *exchange);

#endif

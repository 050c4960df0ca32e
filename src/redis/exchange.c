/* SPDX-License-Identifier: MIT
 *
 * redis/exchange: see redis/exchange.h.
 */
#include "redis/exchange.h"

#include <string.h>

void rl_exchange_open(rl_exchange *exchange, rl_pool *pool, const rl_endpoint *endpoint)
{
    memset(exchange, 0, sizeof(*exchange));
    exchange->pool = pool;
    exchange->conn = rl_pool_take(pool, endpoint);
}

bool rl_exchange_ask(rl_exchange *exchange, const rl_request *request, int64_t connect_by, int64_t until,
                     const rl_hook *hook)
{
    rl_call_reset(&exchange->call);
    exchange->call.request = *request;
    rl_conn_submit(exchange->conn, &exchange->call, connect_by);
    rl_call_wait(&exchange->call, until, hook);
    return exchange->call.error.kind == RL_OK;
}

void rl_exchange_malformed(rl_exchange *exchange)
{
    exchange->call.error = RL_WRONG_REPLY;
}

/* Closing the connection overwrites the error of a call that is still on it, so the error is saved and put back. */
bool rl_exchange_close_after(rl_exchange *exchange, const rl_request *undo, int64_t until)
{
    rl_error why = exchange->call.error;
    bool sent = false;

    if (undo != NULL) {
        sent = rl_conn_close_after(exchange->conn, undo, until);
    } else {
        rl_conn_break(exchange->conn, RL_LOST, "the connection was given up");
    }
    exchange->call.error = why;
    return sent;
}

void rl_exchange_close(rl_exchange *exchange)
{
    rl_call_reset(&exchange->call);
    rl_pool_give(exchange->pool, exchange->conn);
    exchange->conn = NULL;
}

/* SPDX-License-Identifier: MIT
 *
 * redis/blpop: a BLPOP under way, by which a waiter is woken.
 */
#ifndef REDISLOCK_REDIS_BLPOP_H
#define REDISLOCK_REDIS_BLPOP_H

#include "redis/connection.h"

/* How long before the caller's deadline the server is to end a BLPOP. Otherwise a request that is written behind the
 * BLPOP at the deadline would wait until the server next checks its timeouts, which takes up to 100 ms if nothing else
 * happens there. */
#define RL_BLOCK_MARGIN (3 * PLATFORM_MSEC)

/* The shortest time that a BLPOP can block: less is sent as 0, which is without end. */
#define RL_BLOCK_SHORTEST PLATFORM_MSEC

/* All zero is one that was not sent. */
typedef struct rl_blpop {
    rl_call call;
    char seconds[RL_DIGITS]; /* the timeout as it is sent */
} rl_blpop;

/* Returns for how long a BLPOP may block that a request is to follow when `left` has passed, if that must be answered soon: the
 * server ends it in time also if its clock is up to 1 % slower than ours, and if the BLPOP gets there 5 ms late. 0: there is no
 * time for a BLPOP. */
int64_t rl_blpop_span(int64_t left);

/* Sends a BLPOP on the keys, which is to end after `span`; PLATFORM_NEVER is without end. What an earlier one has
 * brought is freed. */
void rl_blpop_start(rl_blpop *blpop, rl_conn *conn, const rl_bytes *keys, size_t count, int64_t span);

/* Sets `element` to what the BLPOP has brought, which stays valid until it is started or reset again. Returns false if it has
 * brought nothing: it has no reply yet, failed, or its time was over. */
bool rl_blpop_element(const rl_blpop *blpop, rl_bytes *element);

#endif

/* SPDX-License-Identifier: MIT
 *
 * redis/pool: see redis/pool.h.
 */
#include "redis/pool.h"

#include <string.h>

#include "platform.h"

#define SETTLING (50 * PLATFORM_MSEC)

static redis_node *pool_remove(redis_pool *pool, size_t i)
{
    redis_node *node = pool->idle[i];

    pool->count--;
    memmove(pool->idle + i, pool->idle + i + 1, (pool->count - i) * sizeof(*pool->idle));
    return node;
}

redis_node *redis_pool_take(redis_pool *pool, const redis_endpoint *endpoint)
{
    /* From the end: what was used last is warm, and what is not needed any more grows old at the front. */
    for (size_t i = pool->count; i-- > 0;) {
        if (redis_endpoint_same(redis_node_endpoint(pool->idle[i]), endpoint)) {
            redis_node *node = pool_remove(pool, i);
            if (redis_node_is_idle(node)) {
                return node;
            }
            redis_node_free(node);
            if (pool->traffic != NULL) {
                pool->traffic->reconnects++; /* the new one takes its place */
            }
        }
    }
    return redis_node_new(endpoint, pool->traffic, pool->backlog);
}

void redis_pool_give(redis_pool *pool, redis_node *node)
{
    if (node == NULL || !redis_node_may_be_kept(node)) {
        redis_node_free(node);
        return;
    }
    if (pool->count == REDIS_POOL_MAX) {
        redis_node_free(pool_remove(pool, 0));
    }
    pool->idle[pool->count++] = node;
}

/* Reads what nodes owe to nobody, for a moment. */
static void settle(redis_pool *pool)
{
    int64_t until = platform_now() + SETTLING;
    redis_node *owing[REDIS_POOL_MAX];
    size_t count;

    do {
        count = 0;
        for (size_t i = 0; i < pool->count; i++) {
            if (redis_node_is_behind(pool->idle[i], PLATFORM_NEVER)) {
                owing[count++] = pool->idle[i];
            }
        }
    } while (count > 0 && redis_wait(owing, count, until, NULL) == REDIS_WOKEN);
}

void redis_pool_clear(redis_pool *pool)
{
    settle(pool);
    while (pool->count > 0) {
        redis_node_free(pool_remove(pool, pool->count - 1));
    }
}

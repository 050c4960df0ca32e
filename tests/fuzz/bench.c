/* SPDX-License-Identifier: MIT
 *
 * bench: see bench.h.
 */
#include "bench.h"

#include <stdio.h>
#include <string.h>

#define CALLS 8

static bool interrupted(void *arg)
{
    (void)arg;
    return server_interrupts();
}

static void bench_open(bench *b, uint8_t setup)
{
    memset(b, 0, sizeof(*b));
    b->pool.backlog = &b->backlog;
    b->client = (lock_client){
        .target = {.pool = &b->pool,
                   .endpoints = b->endpoints,
                   .count = 1,
                   .connect_timeout = 40 * PLATFORM_MSEC,
                   .read_timeout = 60 * PLATFORM_MSEC,
                   .node_timeout = 20 * PLATFORM_MSEC,
                   .hook = {.interrupted = interrupted}},
        .prefix = RL_LITERAL("lock:"),
        .retry_interval = 20 * PLATFORM_MSEC,
        .fencing = setup & 8,
        .extensions = &b->extensions,
        .stats = &b->stats,
    };
    bench_set_up(b, setup);
}

static void bench_close(bench *b)
{
    lock_lease_free(&b->lease);
    rl_pool_clear(&b->pool);
    rl_backlog_free(&b->backlog);
    for (size_t i = 0; i < sizeof(b->endpoints) / sizeof(*b->endpoints); i++) {
        rl_endpoint_free(&b->endpoints[i]);
    }
}

void bench_open_endpoint(rl_endpoint *endpoint, const char *dsn)
{
    char why[200];

    MUST(rl_endpoint_parse(endpoint, dsn, strlen(dsn), why, sizeof(why)));
}

void bench_check_outcome(lock_outcome outcome, const rl_error *error, int64_t took, int64_t budget)
{
    MUST(outcome >= LOCK_YES && outcome <= LOCK_INTERRUPTED);
    MUST(took <= budget + GRACE);
    MUST(memchr(error->text, '\0', sizeof(error->text)) != NULL && memchr(error->code, '\0', sizeof(error->code)));
    MUST(outcome != LOCK_FAILED || error->kind != RL_OK);
    MUST(outcome != LOCK_FAILED || error->kind == RL_ERROR_REPLY || error->text[0] != '\0');
    MUST(outcome != LOCK_INTERRUPTED || error->kind == RL_INTERRUPTED);
    MUST(outcome != LOCK_FAILED || error->kind != RL_INTERRUPTED);
}

/* Is an answer owed on a connection that nobody waits for? */
static bool is_owed_one(const rl_pool *pool)
{
    for (size_t i = 0; i < pool->count; i++) {
        if (rl_conn_is_behind(pool->idle[i], PLATFORM_NEVER)) {
            return true;
        }
    }
    return false;
}

/* An honest server's answers must arrive where they belong, whatever the connections went through before. But several
 * nodes keep connections on which answers are owed that nobody waits for, and so does the backlog; and this server never
 * said how many it gave. */
static void check_aftermath(bench *b)
{
    static const char *const names[] = {"alpha", "beta", "gamma"};

    if (b->client.target.count > 1 || is_owed_one(&b->pool)) {
        rl_pool_clear(&b->pool);
    }
    server_be_honest();
    b->client.target.count = 1;
    for (size_t i = 0; i < 3; i++) {
        rl_error error = {0};
        lock_lease holder = {0};
        char expected[64];
        int n = snprintf(expected, sizeof(expected), OWNER_OF "lock:%s", names[i]);
        MUST(lock_holder(&b->client, (rl_bytes){names[i], strlen(names[i])}, &holder, &error) == LOCK_YES);
        MUST(holder.token_len == (size_t)n && memcmp(holder.token, expected, holder.token_len) == 0);
        lock_lease_free(&holder);
    }
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    bench b;

    server_begin(data, size);
    bench_open(&b, server_next_byte());
    for (int i = 0; i < CALLS && server_has_more(); i++) {
        bench_call(&b);
    }
    check_aftermath(&b);
    bench_close(&b);
    server_end();
    return 0;
}

/* SPDX-License-Identifier: MIT
 *
 * bench: a client of the core, whose calls meet what the fuzzer wants its servers to say (server.h). Each target says how the
 * client is set up, and what it calls.
 */
#ifndef REDISLOCK_FUZZ_BENCH_H
#define REDISLOCK_FUZZ_BENCH_H

#include "lock_core.h"
#include "platform/platform.h"
#include "server.h"

#define SECRET "secret-of-the-fuzzer"

typedef struct bench {
    rl_pool pool;
    rl_endpoint endpoints[3]; /* all zero: not used */
    lock_client client;
    lock_extensions extensions;
    rl_backlog backlog;
    lock_stats stats;
    lock_lease lease;
    bool held;
} bench;

/* What a call may exceed its time by. The clock stands still but for waits, so nothing is lost to a busy machine. */
#define GRACE (50 * PLATFORM_MSEC)

/* Each target has its own: sets b->endpoints and what is special of b->client, by the first byte of the input; and makes one
 * call. The bench is all zero before, but for what all clients have. */
void bench_set_up(bench *b, uint8_t setup);
void bench_call(bench *b);

void bench_open_endpoint(rl_endpoint *endpoint, const char *dsn);

/* Checks what holds for the outcome of each call. */
void bench_check_outcome(lock_outcome outcome, const rl_error *error, int64_t took, int64_t budget);

#endif

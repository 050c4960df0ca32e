/* SPDX-License-Identifier: MIT
 *
 * fuzz_reply: any bytes as a server's replies, to the calls of the core. No call may crash, last longer than its time,
 * or leave something for the next call: those that come after meet an honest server and must get its answers.
 */
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "cache/cache.h"
#include "lock/all.h"

const server_reply server_replies[] = {
    REPLY("+OK\r\n"),
    REPLY("*2\r\n:1\r\n:0\r\n"),   /* taken */
    REPLY("*2\r\n:0\r\n:5\r\n"),   /* held, look in 5 ms */
    REPLY("*2\r\n:0\r\n:200\r\n"), /* held */
    REPLY("*2\r\n:-1\r\n:0\r\n"),  /* full */
    REPLY("*2\r\n:2\r\n:0\r\n"),   /* look: not in the queue; acquire: unknown */
    REPLY("*-1\r\n"),              /* BLPOP: its timeout */
    REPLY("*2\r\n$15\r\n{lock:x}:rl:bat\r\n$41\r\nrl:baton:0123456789abcdef0123456789abcdef\r\n"),
    REPLY(":1\r\n"),
    REPLY(":0\r\n"),
    REPLY("*3\r\n$5\r\ntoken\r\n:1000\r\n$1\r\n7\r\n"), /* owner */
    REPLY("*3\r\n$-1\r\n:0\r\n$-1\r\n"),                /* nobody */
    REPLY("-NOSCRIPT No matching script. Please use EVAL.\r\n"),
    REPLY("-READONLY You can't write against a read only replica.\r\n"),
    REPLY("-UNBLOCKED force unblock from blocking operation, instance state changed\r\n"),
    REPLY("-LOADING Redis is loading the dataset in memory\r\n"),
    REPLY("-OOM command not allowed when used memory > 'maxmemory'.\r\n"),
    REPLY("-ERR Error running script (call to f_0): @user_script:7: @user_script: 7: -OOM command not allowed\r\n"),
    REPLY("-NOAUTH Authentication required.\r\n"),
    REPLY("-WRONGPASS invalid username-password pair: secret-of-the-fuzzer\r\n"),
    REPLY("$-1\r\n"),
    REPLY("$1048577\r\n"),
    REPLY("$2147483647\r\n"),
    REPLY("*2147483647\r\n"),
    REPLY("*0\r\n"),
    REPLY("*1\r\n:1\r\n"),
    REPLY("*64\r\n"),
    REPLY("*65\r\n"),
    REPLY("*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n"),
    REPLY("*2\r\n:9223372036854775807\r\n:9223372036854775807\r\n"),
    REPLY("*2\r\n:0\r\n:9223372036854775807\r\n"),
    REPLY("*3\r\n$5\r\ntoken\r\n:9223372036854775807\r\n$1\r\n7\r\n"),
    REPLY("*2\r\n:1\r\n:-9223372036854775808\r\n"),
    REPLY("%1\r\n+a\r\n:1\r\n"), /* RESP3 */
    REPLY(">2\r\n+push\r\n+x\r\n"),
    REPLY("_\r\n#t\r\n,1.5\r\n"),
};
const size_t server_reply_count = sizeof(server_replies) / sizeof(*server_replies);

/* The first byte of the input says how the client is set up. */
void bench_set_up(bench *b, uint8_t setup)
{
    bench_open_endpoint(&b->endpoints[0], setup & 1 ? "unix://user:" SECRET "@/one?db=1" : "unix:///one");
    bench_open_endpoint(&b->endpoints[1], "unix:///two");
    bench_open_endpoint(&b->endpoints[2], "unix:///three");
    b->client.target.count = setup & 2 ? 3 : 1;
    b->client.max_waiters = setup & 4 ? 2 : 0;
}

static void check_outcome(lock_outcome outcome, const rl_error *error, int64_t took, int64_t budget)
{
    bench_check_outcome(outcome, error, took, budget);
    if (error->kind == RL_REFUSED) {
        MUST(strstr(error->text, SECRET) == NULL);
    }
}

/* lock(): with or without a wait, with a token of ours or the caller's. */
static void call_acquire(bench *b, uint8_t how)
{
    static const int64_t timeouts[] = {0, 2, 30, 400};
    rl_bytes name = RL_LITERAL("x"), token = RL_LITERAL("token of the caller");
    rl_error error = {0};
    int64_t lasts = how & 8 ? PLATFORM_NEVER : 200 * PLATFORM_MSEC, start = server_time();
    int64_t timeout = timeouts[how & 3] * PLATFORM_MSEC;
    lock_outcome outcome;

    lock_lease_free(&b->lease);
    outcome = lock_acquire(&b->client, name, how & 4 ? &token : NULL, lasts, timeout, &b->lease, NULL, &error);
    b->held = outcome == LOCK_YES;
    MUST((b->lease.token != NULL) == b->held);
    MUST(!b->held || lock_lease_validity(&b->lease, server_time()) > 0);
    check_outcome(outcome, &error, server_time() - start, timeout > 0 ? timeout : lock_budget(&b->client));
}

static void call_release(bench *b, uint8_t how)
{
    lock_release_item items[3] = {{.name = RL_LITERAL("x")}, {.name = RL_LITERAL("y")}, {.name = RL_LITERAL("z")}};
    int64_t start = server_time(), budget = 50 * PLATFORM_MSEC;
    size_t count = 1 + how % 3;
    lock_release_failures failures;

    for (size_t i = 0; i < count; i++) {
        items[i].lease = &b->lease;
    }
    memset(&failures, 0, sizeof(failures));
    lock_release_all(&b->client, items, count, budget, PLATFORM_NEVER, &failures);
    for (size_t i = 0; i < count; i++) {
        check_outcome(items[i].outcome, &failures.error, server_time() - start, budget);
    }
}

static void call_extend(bench *b, uint8_t how)
{
    int64_t start = server_time(), before = lock_lease_validity(&b->lease, start);
    rl_error error = {0};
    lock_outcome outcome = lock_extend(&b->client, RL_LITERAL("x"), &b->lease, (how + 10) * PLATFORM_MSEC,
                                       lock_budget(&b->client), &error);

    check_outcome(outcome, &error, server_time() - start, lock_budget(&b->client));
    /* Nothing is believed longer than before unless the server said so. */
    MUST(outcome == LOCK_YES || lock_lease_validity(&b->lease, start) <= before);
}

static void call_ask(bench *b, uint8_t what)
{
    rl_bytes name = RL_LITERAL("x");
    rl_error error = {0};
    lock_lease holder = {0};
    int64_t start = server_time(), waiters = -1;
    lock_outcome outcome;

    switch (what % 3) {
    case 0:
        outcome = lock_holder(&b->client, name, &holder, &error);
        MUST((holder.token != NULL) == (outcome == LOCK_YES));
        lock_lease_free(&holder);
        break;
    case 1:
        outcome = lock_waiters(&b->client, name, &waiters, &error);
        break;
    default:
        outcome = lock_force_release(&b->client, name, &error);
    }
    check_outcome(outcome, &error, server_time() - start, lock_budget(&b->client));
}

/* lockAll(): whatever comes back, either all are held or nothing is left to free. */
static void call_acquire_all(bench *b, uint8_t how)
{
    lock_all_item items[3] = {{.name = RL_LITERAL("z")}, {.name = RL_LITERAL("x")}, {.name = RL_LITERAL("y")}};
    int64_t timeout = how & 1 ? 60 * PLATFORM_MSEC : 0, start = server_time();
    int64_t budget = timeout > 0 ? timeout : lock_budget(&b->client);
    rl_error error = {0};
    size_t about = 99;
    lock_outcome outcome = lock_acquire_all(&b->client, items, 3, 100 * PLATFORM_MSEC, timeout, &about, &error);

    MUST(about <= 3);
    for (size_t i = 0; i < 3; i++) {
        MUST((items[i].lease.token != NULL) == (outcome == LOCK_YES));
        lock_lease_free(&items[i].lease);
    }
    /* Several nodes are asked for one lock after another, and each call has its own time to clean up. */
    check_outcome(outcome, &error, server_time() - start, b->client.target.count > 1 ? 3 * budget : budget);
}

static void call_fetch(bench *b, uint8_t how)
{
    cache_fetch_params params = {
        .name = RL_LITERAL("x"),
        .kept_here = !(how & 4),
        .stale = how & 8 ? PLATFORM_NEVER : 0,
        .duration = 100 * PLATFORM_MSEC,
        .timeout = how & 3 ? (how & 3) * 40 * PLATFORM_MSEC : 0,
    };
    cache_value value = {RL_LITERAL("value"), PLATFORM_SEC, 0};
    int64_t start = server_time();
    cache_answer answer;
    rl_error error = {0};
    cache_outcome outcome = cache_fetch(&b->client, &params, &answer);

    MUST(server_time() - start <= (params.timeout > 0 ? params.timeout : lock_budget(&b->client)) + GRACE);
    MUST(outcome >= CACHE_FRESH && outcome <= CACHE_INTERRUPTED);
    MUST((answer.value != NULL) == (outcome == CACHE_FRESH || outcome == CACHE_STALE));
    MUST((answer.lease.token != NULL) == (outcome == CACHE_TURN));
    MUST(outcome != CACHE_FAILED || answer.error.kind != RL_OK);
    MUST(answer.value == NULL || params.kept_here);
    if (outcome == CACHE_TURN) {
        start = server_time();
        lock_outcome stored = cache_store(&b->client, params.name, &answer.lease, how & 4 ? NULL : &value, &error);
        check_outcome(stored, &error, server_time() - start, lock_budget(&b->client));
    }
    free(answer.value);
    lock_lease_free(&answer.lease);
}

static void call_forget(bench *b)
{
    int64_t start = server_time();
    rl_error error = {0};
    lock_outcome outcome = cache_forget(&b->client, RL_LITERAL("x"), NULL, &error);

    check_outcome(outcome, &error, server_time() - start, lock_budget(&b->client));
}

static void call_other(bench *b, uint8_t what)
{
    switch (what % 4) {
    case 0:
        call_ask(b, what >> 2);
        break;
    case 1:
        call_acquire_all(b, what >> 2);
        break;
    case 2:
        call_fetch(b, what >> 2);
        break;
    default:
        call_forget(b);
    }
}

void bench_call(bench *b)
{
    uint8_t what = server_next_byte();

    switch (what & 3) {
    case 0:
        call_acquire(b, what >> 2);
        break;
    case 1:
        if (b->held) {
            call_release(b, what >> 2);
            break;
        }
        call_acquire(b, what >> 2);
        break;
    case 2:
        if (b->held) {
            call_extend(b, what >> 2);
            break;
        }
        call_ask(b, what >> 2);
        break;
    default:
        call_other(b, what >> 2);
    }
}

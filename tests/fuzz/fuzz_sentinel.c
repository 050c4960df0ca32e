/* SPDX-License-Identifier: MIT
 *
 * fuzz_sentinel: any bytes as what sentinels and their masters say, to calls that look for the master. No call may crash,
 * last longer than its time, or tell a password; and those that come after meet honest sentinels and an honest master.
 */
#include <string.h>

#include "bench.h"

#define AT(port) "*2\r\n$9\r\n10.0.0.12\r\n$4\r\n" port "\r\n"
#define ABOUT(port, epoch)                                                                                             \
    "*6\r\n$2\r\nip\r\n$9\r\n10.0.0.12\r\n$4\r\nport\r\n$4\r\n" port "\r\n$12\r\nconfig-epoch\r\n$1\r\n" epoch "\r\n"
#define BOTH(port, epoch) ABOUT(port, epoch) AT(port)

const server_reply server_replies[] = {
    REPLY(BOTH("6379", "1")),
    REPLY(BOTH("6380", "2")),
    REPLY(BOTH("6381", "9")),
    REPLY(AT("6379")),
    REPLY(AT("6380")),
    REPLY(ABOUT("6379", "1")),
    REPLY(ABOUT("6379", "1") "*-1\r\n"),
    REPLY("-ERR No such master with that name\r\n*-1\r\n"),
    REPLY("-NOPERM this user has no permissions\r\n" AT("6379")),
    REPLY("-NOAUTH Authentication required.\r\n-NOAUTH Authentication required.\r\n"),
    REPLY("*3\r\n$6\r\nmaster\r\n:0\r\n*0\r\n"), /* ROLE */
    REPLY("+OK\r\n*3\r\n$6\r\nmaster\r\n:0\r\n*0\r\n"),
    REPLY("+OK\r\n+OK\r\n*3\r\n$6\r\nmaster\r\n:0\r\n*1\r\n*3\r\n$1\r\nh\r\n$1\r\n1\r\n$1\r\n0\r\n"),
    REPLY("*5\r\n$5\r\nslave\r\n$1\r\nh\r\n:1\r\n$9\r\nconnected\r\n:7\r\n"),
    REPLY("*2\r\n$8\r\nsentinel\r\n*0\r\n"),
    REPLY("-NOPERM this user has no permissions to run the 'role' command\r\n"),
    REPLY("*2\r\n$4\r\nhost\r\n$4\r\n6379\r\n"), /* a name: then the replicas are asked for */
    REPLY("*0\r\n*2\r\n$4\r\nhost\r\n$4\r\n6379\r\n"),
    REPLY("*1\r\n*4\r\n$2\r\nip\r\n$5\r\nother\r\n$4\r\nport\r\n$1\r\n1\r\n"),
    REPLY("*2\r\n$9\r\n10.0.0.12\r\n$5\r\n65536\r\n"),
    REPLY("*2\r\n$9\r\n10.0.0.12\r\n$1\r\n0\r\n"),
    REPLY("*2\r\n$9\r\n10.0\0.0.12\r\n$4\r\n6379\r\n"),
    REPLY("*2\r\n:1\r\n*1\r\n:1\r\n"),
    REPLY("*2\r\n:1\r\n:0\r\n"),   /* taken */
    REPLY("*2\r\n:0\r\n:200\r\n"), /* held */
    REPLY("*2\r\n:2\r\n:0\r\n"),   /* look: not in the queue */
    REPLY("*-1\r\n"),
    REPLY(":1\r\n"),
    REPLY(":0\r\n"),
    REPLY("+OK\r\n"),
    REPLY("-NOSCRIPT No matching script. Please use EVAL.\r\n"),
    REPLY("-READONLY You can't write against a read only replica.\r\n"),
    REPLY("-UNBLOCKED force unblock from blocking operation, instance state changed\r\n"),
    REPLY("-LOADING Redis is loading the dataset in memory\r\n"),
    REPLY("-MASTERDOWN Link with MASTER is down\r\n"),
    REPLY("-WRONGPASS invalid username-password pair: " SECRET "\r\n"),
    REPLY("-ERR max number of clients reached\r\n"),
    REPLY("*2147483647\r\n"),
    REPLY("*8192\r\n"),
    REPLY("*8193\r\n"),
    REPLY("%1\r\n+ip\r\n+host\r\n"), /* RESP3 */
};
const size_t server_reply_count = sizeof(server_replies) / sizeof(*server_replies);

/* The first byte of the input says how the client is set up. */
void bench_set_up(bench *b, uint8_t setup)
{
    static const char *const servers[] = {"redis-sentinel://one/m", "redis-sentinel://one,two:7,10.0.0.3/m",
                                          "redis-sentinel://user:" SECRET "@one,two,three,four,five/m/1"};

    bench_open_endpoint(&b->endpoints[0], servers[(setup & 3) % 3]);
    if (setup & 4) {
        rl_endpoint_sentinel_login(&b->endpoints[0], NULL, SECRET, sizeof(SECRET) - 1);
    }
}

static void check_outcome(lock_outcome outcome, const rl_error *error, int64_t took, int64_t budget)
{
    bench_check_outcome(outcome, error, took, budget);
    MUST((outcome == LOCK_INTERRUPTED) == (outcome != LOCK_YES && error->kind == RL_INTERRUPTED));
    if (error->kind == RL_REFUSED && strstr(error->text, "login") != NULL) {
        MUST(strstr(error->text, SECRET) == NULL);
    }
}

/* What the renewing thread would be told of hosts. An endpoint that is prepared by it knows an address of each. */
static void check_hosts(bench *b)
{
    rl_hosts hosts = {0};
    rl_endpoint copy;
    char why[200];

    rl_pool_hosts(&b->pool, &b->endpoints[0], &hosts);
    MUST(hosts.count < 64);
    for (size_t i = 0; i < hosts.count; i++) {
        MUST(hosts.list[i].name[0] != '\0');
    }
    rl_endpoint_copy(&copy, &b->endpoints[0]);
    rl_endpoint_prepare(&copy, &hosts, why, sizeof(why));
    MUST(rl_endpoint_same(&copy, &b->endpoints[0]));
    rl_endpoint_free(&copy);
    rl_hosts_free(&hosts);
}

void bench_call(bench *b)
{
    static const int64_t timeouts[] = {0, 2, 30, 400};
    uint8_t what = server_next_byte();
    rl_bytes name = RL_LITERAL("x");
    int64_t start = server_time(), timeout = timeouts[what >> 2 & 3] * PLATFORM_MSEC;
    int64_t budget = lock_budget(&b->client);
    lock_lease holder = {0};
    rl_error error = {0};
    lock_outcome outcome;

    if (what & 1 && b->lease.token != NULL) {
        outcome = lock_release(&b->client, name, &b->lease, budget, &error);
        lock_lease_free(&b->lease);
    } else if (what & 2) {
        outcome = lock_holder(&b->client, name, &holder, &error);
        lock_lease_free(&holder);
    } else {
        budget = timeout > 0 ? timeout : budget;
        lock_lease_free(&b->lease);
        outcome = lock_acquire(&b->client, name, NULL, 200 * PLATFORM_MSEC, timeout, &b->lease, NULL, &error);
        MUST((b->lease.token != NULL) == (outcome == LOCK_YES));
    }
    check_outcome(outcome, &error, server_time() - start, budget);
    check_hosts(b);
}

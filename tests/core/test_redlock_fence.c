/* SPDX-License-Identifier: MIT
 *
 * Fencing tokens of several servers: each holder's is larger than that of the one before, whichever nodes answer, and
 * whichever node's clock runs ahead. A clock cannot be set here; a node whose last fence is ahead does the same.
 */
#include "bed.h"

#define FENCE "{lock:a}:rl:fence"

static int64_t last_fence;

/* Acquires and releases the lock once. The fence must be larger than the last one. It may take several tries: a node
 * that has just come back may still load its data, carry out what it was sent while it was away, or keep a lock whose
 * release it missed. */
static void hold(client *c)
{
    lock_lease holder = {0};
    int64_t start = platform_now();

    for (lock_outcome outcome; (outcome = take(c, "a", 1000, 0)) != LOCK_YES; sleep_ms(5)) {
        if (ms_since(start) > 5000) {
            test_fail(__FILE__, __LINE__, "outcome %d: %s", outcome, c->error.text);
        }
    }
    if (c->lease.fence <= last_fence) {
        test_fail(__FILE__, __LINE__, "%lld after %lld", (long long)c->lease.fence, (long long)last_fence);
    }
    last_fence = c->lease.fence;
    while (lock_holder(&c->lock, BYTES("a"), &holder, &c->error) != LOCK_YES) {
        CHECK_RANGE(0, ms_since(start), 5000); /* may fail at first: a node that owes an answer is passed over */
        sleep_ms(5);
    }
    CHECK(holder.fence >= c->lease.fence);
    lock_lease_free(&holder);
    CHECK_INT(drop(c, "a"), LOCK_YES);
}

/* Sets the node's last fence ahead of its clock and of the last holder's fence, by `more`. */
static void run_ahead(server *s, long long more)
{
    long long fence = say_number(s, "EVAL %s 0", "return redis.call('TIME')[1] * 1000000");

    say(s, "SET " FENCE " %lld", (fence > last_fence ? fence : last_fence) + more);
}

static void open_fencing(client *c, const ring *r)
{
    ring_client(c, r);
    c->lock.fencing = true;
}

static void freeze_only(ring *r, int which)
{
    for (int i = 0; i < r->count; i++) {
        if (i == which && !r->servers[i].is_frozen) {
            server_freeze(&r->servers[i]);
        } else if (i != which && r->servers[i].is_frozen) {
            server_thaw(&r->servers[i]);
        }
    }
}

/* Three holders in a row of a lock on three nodes, in all combinations of which node's fence is ahead before the
 * first, and which node (or none) is silent while each of them holds the lock. */
TEST(redlock_fence_grows_whichever_nodes_answer)
{
    client c;

    RING(r, 3, NULL);
    open_fencing(&c, &r);
    for (int ahead = 0; ahead < 3; ahead++) {
        for (int silent = 0; silent < 4 * 4 * 4; silent++) {
            freeze_only(&r, -1);
            run_ahead(&r.servers[ahead], 1000000000);
            for (int holder = 0, rest = silent; holder < 3; holder++, rest /= 4) {
                freeze_only(&r, rest % 4);
                hold(&c);
            }
        }
    }
    freeze_only(&r, -1);
    client_close(&c);
    ring_is_clean(&r);
}

/* Nodes fail and come back at random, while a majority is always there and no node forgets anything. */
TEST(redlock_fence_grows_while_nodes_come_and_go)
{
    client c[2];
    unsigned seed = 20261;

    RING(r, 5, "--appendonly yes --appendfsync always");
    open_fencing(&c[0], &r);
    open_fencing(&c[1], &r);
    for (int round = 0; round < 150; round++) {
        server *s = &r.servers[rand_r(&seed) % 5];
        int away = 0;
        for (int i = 0; i < 5; i++) {
            away += r.servers[i].raw == NULL || r.servers[i].is_frozen;
        }
        if (s->raw == NULL) {
            server_restart(s);
        } else if (s->is_frozen) {
            server_thaw(s);
        } else if (rand_r(&seed) % 3 == 0) {
            run_ahead(s, 1 + rand_r(&seed) % 1000000);
        } else if (away < 2 && rand_r(&seed) % 2 == 0) {
            server_kill(s);
        } else if (away < 2) {
            server_freeze(s);
        }
        for (int i = 0; i < 3; i++) {
            hold(&c[rand_r(&seed) % 2]);
        }
    }
    for (int i = 0; i < 5; i++) {
        if (r.servers[i].raw == NULL) {
            server_restart(&r.servers[i]);
        }
        server_thaw(&r.servers[i]);
    }
    client_close(&c[0]);
    client_close(&c[1]);
}

TEST(redlock_fence_that_could_not_be_written_back_is_nobodys)
{
    client c;

    RING(r, 5, "--maxmemory-policy noeviction");
    open_fencing(&c, &r);
    hold(&c);
    for (int i = 0; i < 3; i++) { /* these nodes can read the fence, but not write it */
        say(&r.servers[i], "CONFIG SET maxmemory 1");
    }
    CHECK_INT(take(&c, "a", 20000, 0), LOCK_FAILED);
    CHECK_INT(c.error.kind, RL_ERROR_REPLY);
    ring_is_clean(&r);
    for (int i = 0; i < 3; i++) {
        say(&r.servers[i], "CONFIG SET maxmemory 0");
    }
    hold(&c);
    client_close(&c);
}

/* A fence that a client has learned by looking is also smaller than that of the next holder. */
TEST(redlock_fence_that_was_looked_up_is_known_to_the_next_holder)
{
    client c;
    lock_lease holder = {0};

    RING(r, 3, NULL);
    open_fencing(&c, &r);
    hold(&c);
    CHECK_INT(take(&c, "a", 20000, 0), LOCK_YES);
    last_fence = c.lease.fence;
    freeze_only(&r, 0);
    run_ahead(&r.servers[2], 1000000000); /* as if the answer of this node had come too late */
    CHECK_INT(lock_holder(&c.lock, BYTES("a"), &holder, &c.error), LOCK_YES);
    CHECK(holder.fence > last_fence);
    last_fence = holder.fence;
    lock_lease_free(&holder);
    CHECK_INT(drop(&c, "a"), LOCK_YES);
    freeze_only(&r, 2);
    hold(&c);
    freeze_only(&r, -1);
    client_close(&c);
}

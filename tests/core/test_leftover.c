/* SPDX-License-Identifier: MIT
 *
 * A lock on several servers: a node that was away when a majority had answered gets the release all the same, once it
 * is back and the client talks to it.
 */
#include "bed.h"
#include "lock/all.h"
#include "lock/release.h"
#include "redis/scripts.h"

#include <stdio.h>

/* Three nodes, the last of which is away at times. */
typedef struct trio {
    ring r;
    client c;
    server *away; /* the last node */
} trio;

static void trio_open(trio *t)
{
    ring_open(&t->r, 3, NULL);
    ring_client(&t->c, &t->r);
    t->away = &t->r.servers[2];
}

static void trio_close(trio *t)
{
    client_close(&t->c);
    ring_close(&t->r);
}

#define TRIO(t)                                                                                                        \
    CLOSED_BY(trio_close) trio t;                                                                                      \
    trio_open(&(t))

/* Restarts the node, which then still has the lock, as one that persists every write would. */
static void come_back(trio *t, const char *token)
{
    server_restart(t->away);
    say(t->away, "SET lock:a %s PX 60000", token);
}

/* Takes the lock on all nodes and releases it while the last one is down. The token is still there when that is back. */
static void leave_behind(trio *t, int64_t lease)
{
    char token[LOCK_TOKEN_LEN + 1];

    CHECK_INT(lease > 0 ? take(&t->c, "a", lease, 0)
                        : lock_acquire(&t->c.lock, BYTES("a"), NULL, PLATFORM_NEVER, 0, &t->c.lease, NULL, &t->c.error),
              LOCK_YES);
    while (strcmp(say(t->away, "GET lock:a"), token_of(&t->c)) != 0) {
        sleep_ms(1);
    }
    snprintf(token, sizeof(token), "%s", token_of(&t->c));
    server_kill(t->away);
    CHECK_INT(drop(&t->c, "a"), LOCK_YES);
    come_back(t, token);
}

/* The client asks all nodes something, until nothing is owed any more. Returns how often. */
static int talk(client *c)
{
    int64_t start = platform_now();
    int count = 0;

    do {
        CHECK_INT(waiters(c, "other"), 0);
        CHECK_RANGE(0, ms_since(start), 5000 + held_up());
        count++;
    } while (c->backlog.count > 0);
    return count;
}

/* How many scripts the node has run since CONFIG RESETSTAT. */
static long long scripts_of(server *s)
{
    return server_calls(s, "eval") + server_calls(s, "evalsha");
}

TEST(leftover_release_goes_to_the_node_that_was_down)
{
    TRIO(t);
    leave_behind(&t, 60000);
    CHECK_INT(t.c.backlog.count, 1);
    CHECK_INT(t.c.stats.unreleased, 0); /* the lock is released */
    talk(&t.c);
    until_no_key(t.away);
    CHECK_NO_KEY(t.away);
}

TEST(leftover_of_a_lease_without_end_is_released)
{
    TRIO(t);
    leave_behind(&t, 0);
    talk(&t.c);
    until_no_key(t.away);
    CHECK_NO_KEY(t.away);
}

TEST(leftover_node_counts_again_when_another_goes)
{
    TRIO(t);
    leave_behind(&t, 60000);
    talk(&t.c);
    until_no_key(t.away);
    server_kill(&t.r.servers[0]);
    RING_CLIENT(other, &t.r);
    CHECK_INT(take(&other, "a", 5000, 0), LOCK_YES);
    CHECK_INT(drop(&other, "a"), LOCK_YES);
}

/* The lease was short when it was taken, and was extended since. */
TEST(leftover_is_owed_for_as_long_as_the_extended_lease)
{
    TRIO(t);
    CHECK_INT(take(&t.c, "a", 1000, 0), LOCK_YES);
    CHECK_INT(extend(&t.c, "a", 60000), LOCK_YES);
    server_kill(t.away);
    CHECK_INT(drop(&t.c, "a"), LOCK_YES);
    sleep_ms(1100);
    CHECK_INT(waiters(&t.c, "other"), 0); /* would drop what is owed no longer */
    server_restart(t.away);
    say(t.away, "CONFIG RESETSTAT");
    talk(&t.c);
    CHECK_RANGE(2, scripts_of(t.away), 10); /* the release, and a question */
}

TEST(leftover_is_not_owed_when_the_lease_is_over)
{
    TRIO(t);
    leave_behind(&t, 1000); /* it is released while it runs */
    sleep_ms(1050);
    talk(&t.c);
    CHECK_TEXT(say(t.away, "EXISTS lock:a"), "1");
}

/* Another client may take the lock again under the same token, as owners of Laravel do. */
TEST(leftover_of_a_callers_token_is_not_owed)
{
    TRIO(t);
    CHECK_INT(take_as(&t.c, "a", "mine", 60000, 0), LOCK_YES);
    server_kill(t.away);
    CHECK_INT(drop(&t.c, "a"), LOCK_YES);
    CHECK_INT(t.c.backlog.count, 0);
    come_back(&t, "mine");
    CHECK_INT(waiters(&t.c, "other"), 0);
    CHECK_TEXT(say(t.away, "GET lock:a"), "mine");
}

/* Too few have answered: nobody knows whether the lock is released, and the release is owed whatever the token. */
TEST(leftover_of_a_callers_token_is_owed_while_the_outcome_is_open)
{
    TRIO(t);
    CHECK_INT(take_as(&t.c, "a", "mine", 60000, 0), LOCK_YES);
    server_kill(t.away);
    server_kill(&t.r.servers[1]);
    CHECK_INT(drop(&t.c, "a"), LOCK_FAILED);
    CHECK_INT(t.c.stats.unreleased, 1);
    CHECK_RANGE(2, t.c.backlog.count, 3); /* the first node may not have answered when that was clear */
    come_back(&t, "mine");
    server_restart(&t.r.servers[1]);
    say(&t.r.servers[1], "SET lock:a mine PX 60000");
    talk(&t.c);
    until_no_key(t.away);
    CHECK_NO_KEY(t.away);
}

/* A node that is only slow gets the release once: what was sent to it is not sent again while its answer may come. */
TEST(leftover_release_that_is_under_way_is_not_sent_again)
{
    TRIO(t);
    CHECK_INT(take(&t.c, "a", 60000, 0), LOCK_YES);
    CHECK_INT(waiters(&t.c, "a"), 0);
    while (scripts_of(t.away) < 2) { /* the two requests so far */
        sleep_ms(1);
    }
    say(t.away, "CONFIG RESETSTAT");
    server_freeze(t.away);
    CHECK_INT(drop(&t.c, "a"), LOCK_YES);
    CHECK_INT(t.c.backlog.count, 1);
    CHECK_INT(waiters(&t.c, "b"), 0);
    server_thaw(t.away);
    int asked = talk(&t.c);
    until_no_key(t.away);
    CHECK_NO_KEY(t.away);
    int64_t start = platform_now();
    while (scripts_of(t.away) < 2 + asked) {
        CHECK_RANGE(0, ms_since(start), 5000 + held_up());
        sleep_ms(1);
    }
    CHECK_INT(scripts_of(t.away), 2 + asked); /* one release, and the questions */
}

/* What a try may have taken on a node that did not answer is undone, also if the undo went down with the node. */
TEST(leftover_of_a_try_that_was_refused_is_undone)
{
    TRIO(t);
    RING_CLIENT(other, &t.r);
    CHECK_INT(take(&t.c, "warm", 5000, 0), LOCK_YES);
    CHECK_INT(drop(&t.c, "warm"), LOCK_YES);
    talk(&t.c);
    say(&t.r.servers[0], "SET lock:a foreign");
    say(&t.r.servers[1], "SET lock:a foreign");
    server_freeze(t.away);
    CHECK_INT(take(&t.c, "a", 60000, 0), LOCK_BUSY);
    CHECK_INT(t.c.backlog.count, 1);
    CHECK_INT(t.c.stats.unreleased, 0);
    server_kill(t.away);
    server_restart(t.away);
    say(t.away, "CONFIG RESETSTAT");
    talk(&t.c);
    CHECK_RANGE(2, scripts_of(t.away), 10); /* the release, and a question */
}

/* What was locked and released while the node was down is not there. */
TEST(leftover_of_a_node_that_was_never_asked_is_not_owed)
{
    TRIO(t);
    server_kill(t.away);
    CHECK_INT(take(&t.c, "a", 60000, 0), LOCK_YES);
    CHECK_INT(drop(&t.c, "a"), LOCK_YES);
    CHECK_INT(t.c.backlog.count, 0);
}

/* A server that has just been started knows the script of the release, which somebody else has sent it, but not that of
 * the request in front of it, which nobody waits for any more. Sent again, that would take the lock behind its release. */
TEST(leftover_request_is_not_repeated_behind_its_release)
{
    SERVER(s, NULL);
    CLIENT(c, s.path);
    const rl_bytes key = RL_LITERAL("lock:a"), token = RL_LITERAL("rl:0123456789abcdef0123456789abcdef");
    rl_conn *conn = rl_pool_take(&c.pool, &c.endpoint);
    rl_call acquire = {0}, release = {0};

    say(&s, "SCRIPT LOAD %b", rl_script_release.text, rl_script_release.text_len);
    lock_keys keys;
    lock_keys_init(&keys, BYTES("lock:"), BYTES("a"));
    rl_request_begin(&acquire.request, &rl_script_acquire);
    lock_keys_add(&acquire.request, &keys, false);
    const rl_bytes arguments[] = {token, BYTES("60000"), BYTES(""), BYTES("0")};
    rl_request_add_all(&acquire.request, arguments, 4);
    lock_release_request(&release.request, &keys, &(lock_release_args){.token = token});
    rl_conn_submit(conn, &acquire, platform_now() + MS(5000));
    rl_call_detach(&acquire, false);
    rl_conn_submit(conn, &release, platform_now() + MS(5000));
    rl_call_wait(&release, platform_now() + MS(5000), NULL);
    CHECK_INT(release.error.kind, RL_OK);
    rl_call_reset(&release);
    rl_pool_give(&c.pool, conn);
    CHECK_INT(waiters(&c, "other"), 0); /* on the same connection, behind what may be under way */
    CHECK_TEXT(say(&s, "EXISTS %b", key.at, key.len), "0");
    lock_keys_free(&keys);
}

/* lockAll() took the first lock, found the second one held, and gave the first one back. */
TEST(leftover_of_lock_all_is_given_back)
{
    TRIO(t);
    RING_CLIENT(other, &t.r);
    CHECK_INT(take(&other, "b", 60000, 0), LOCK_YES);
    CHECK_INT(take(&t.c, "warm", 5000, 0), LOCK_YES);
    CHECK_INT(drop(&t.c, "warm"), LOCK_YES);
    talk(&t.c);
    lock_all_item items[] = {{.name = BYTES("a")}, {.name = BYTES("b")}};
    size_t about;
    server_freeze(t.away);
    CHECK_INT(lock_acquire_all(&t.c.lock, items, 2, MS(60000), 0, &about, &t.c.error), LOCK_BUSY);
    CHECK_INT(t.c.stats.unreleased, 0);
    CHECK_RANGE(1, t.c.backlog.count, 2); /* the release of the first, and mostly the undo of the second */
    server_kill(t.away);
    server_restart(t.away);
    say(t.away, "CONFIG RESETSTAT");
    talk(&t.c);
    CHECK_RANGE(2, scripts_of(t.away), 10);
}

static void thaw_two(void *arg)
{
    ring *r = arg;

    sleep_ms(250);
    server_thaw(&r->servers[0]);
    server_thaw(&r->servers[1]);
}

/* The majority answers when the lease is over. What it has given is given back, also if no answer comes. */
TEST(leftover_of_a_grant_that_came_too_late_is_given_back)
{
    TRIO(t);
    t.c.lock.target.node_timeout = MS(5000); /* more than a busy machine needs to let them go on */
    CHECK_INT(take(&t.c, "warm", 5000, 0), LOCK_YES);
    CHECK_INT(drop(&t.c, "warm"), LOCK_YES);
    talk(&t.c);
    for (int i = 0; i < 3; i++) {
        server_freeze(&t.r.servers[i]);
    }
    pid_t waker = process_start(thaw_two, &t.r);
    CHECK_INT(take(&t.c, "a", 200, 0), LOCK_LATE);
    process_join(waker);
    CHECK_RANGE(1, t.c.backlog.count, 3);
}

TEST(leftover_of_a_grant_that_came_too_late_is_not_owed_to_a_node_that_was_never_asked)
{
    TRIO(t);
    t.c.lock.target.node_timeout = MS(5000);
    CHECK_INT(take(&t.c, "warm", 5000, 0), LOCK_YES);
    CHECK_INT(drop(&t.c, "warm"), LOCK_YES);
    talk(&t.c);
    server_kill(t.away);
    for (int i = 0; i < 2; i++) {
        server_freeze(&t.r.servers[i]);
    }
    pid_t waker = process_start(thaw_two, &t.r);
    CHECK_INT(take(&t.c, "a", 200, 0), LOCK_LATE);
    process_join(waker);
    rl_backlog_server *away = rl_backlog_join(&t.c.backlog, &t.r.endpoints[2]);
    CHECK(rl_backlog_next(away, NULL, NULL) == NULL);
    rl_backlog_leave(away);
}

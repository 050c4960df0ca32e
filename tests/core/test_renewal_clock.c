/* SPDX-License-Identifier: MIT
 *
 * Leases that are renewed while the clocks of their servers are set: a lease that has become long by that becomes short
 * again, unless somebody else has asked for that end, or counts on it.
 */
#include "keeper.h"
#include "lock/ends.h"

#define HOUR (3600 * 1000)

/* Waits until the server keeps the lock for `most` ms at most. */
static void until_one_is_short(server *s, const char *name, int64_t most)
{
    for (int64_t start = platform_now(); say_number(s, "PTTL lock:%s", name) > most;) {
        CHECK(ms_since(start) < 20000);
        sleep_ms(2);
    }
}

static void until_short(server *s, int64_t most)
{
    until_one_is_short(s, "a", most);
}

/* Waits until the server has run `count` requests with a script. */
static void until_requested(server *s, long long count)
{
    for (int64_t start = platform_now(); server_calls(s, "evalsha") < count;) {
        CHECK(ms_since(start) < 5000);
        sleep_ms(1);
    }
}

/* Another client that has the token of the keeper's lock "a", as if it had asked for a lease of so many ms now. */
static void share(client *other, const keeper *k, int64_t lease)
{
    int64_t now = platform_now();

    lock_lease_fill(&other->lease, (rl_bytes){k->c.lease.token, k->c.lease.token_len}, now, now, MS(lease), 0);
}

/* Takes the lock "a" for `lease` ms, and waits until its end is known to the renewing. */
static void keep_and_renew(keeper *k, int64_t lease)
{
    take_and_keep(k, "a", lease);
    until_renewed(k, 2);
}

TEST(renewal_makes_a_lease_short_again_after_the_clock_was_set_back)
{
    servers_get_clocks();
    SERVER(s, NULL);
    KEEPER(k, s.path);
    keep_and_renew(&k, 3000);
    for (int i = 0; i < 3; i++) {
        server_turn_clock(&s, -HOUR);
        CHECK(say_number(&s, "PTTL lock:a") > HOUR - 3000);
        until_short(&s, 3000);
        is_kept_for(&k, &s, 2200);
        CHECK_RANGE(1, say_number(&s, "PTTL lock:a"), 3000);
    }
    CHECK_INT((int64_t)counts_of(&k).failures, 0);
    CHECK_INT(keeper_end(&k), LOCK_RENEWAL_ON);
    CHECK_INT(drop(&k.c, "a"), LOCK_YES);
    CHECK_NO_KEY(&s);
}

/* A part of a lease: what a renewal finds then is no longer than what it asks for. */
TEST(renewal_is_right_after_the_clock_was_set_back_a_little)
{
    servers_get_clocks();
    SERVER(s, NULL);
    KEEPER(k, s.path);
    keep_and_renew(&k, 3000);
    for (int i = 0; i < 4; i++) {
        server_turn_clock(&s, -300 * i);
        is_kept_for(&k, &s, 1300);
    }
    until_short(&s, 3000);
    CHECK_INT(keeper_end(&k), LOCK_RENEWAL_ON);
}

/* Waits until the server keeps each of these locks for `most` ms at most. Returns whether it came to that. */
static bool all_become_short(server *s, const held *all, int count, int64_t most)
{
    int64_t start = platform_now();

    for (int i = 0; i < count; i++) {
        while (say_number(s, "PTTL lock:%s", all[i].name) > most) {
            if (ms_since(start) > 3000) {
                return false;
            }
            sleep_ms(2);
        }
    }
    return true;
}

/* An older server does not know to the millisecond when a lease ends, if its clock has gone on for more than 2 ms while the
 * script ran. Then the lease stays long. On a busy machine that happens, so the test begins again; but only then. */
TEST(renewal_makes_many_leases_short_again_in_few_requests)
{
    servers_get_clocks();
    SERVER(s, NULL);
    KEEPER(k, s.path);
    held all[80];
    long long before = 0;
    say(&s, "CONFIG SET slowlog-log-slower-than 2000");
    for (bool short_again = false; !short_again;) {
        say(&s, "SLOWLOG RESET");
        hold_many(&k, all, 80, "n", 3000);
        until_renewed(&k, 2 * 80);
        before = server_calls(&s, "evalsha");
        server_turn_clock(&s, -HOUR);
        short_again = all_become_short(&s, all, 80, 3000);
        CHECK(short_again || say_number(&s, "SLOWLOG LEN") > 0);
        if (!short_again) {
            let_go_many(&k, all, 80);
        }
    }
    until_renewed(&k, 80);
    CHECK_RANGE(2, server_calls(&s, "evalsha") - before, 20 + SLACK / 10);
    let_go_many(&k, all, 80);
    CHECK_NO_KEY(&s);
}

TEST(renewal_does_not_undo_what_another_asked_for_before_the_clock_was_set_back)
{
    servers_get_clocks();
    SERVER(s, NULL);
    KEEPER(k, s.path);
    CLIENT(other, s.path);
    keep_and_renew(&k, 1500);
    share(&other, &k, 60000);
    CHECK_INT(extend(&other, "a", 60000), LOCK_YES);
    until_renewed(&k, 1);
    server_turn_clock(&s, -20000);
    until_renewed(&k, 4);
    CHECK(check_belief(&s, "a", &other.lease) > MS(50000));
    CHECK(say_number(&s, "PTTL lock:a") > 70000);
}

TEST(renewal_does_not_undo_what_another_asked_for_after_the_clock_was_set_back)
{
    servers_get_clocks();
    SERVER(s, NULL);
    KEEPER(k, s.path);
    CLIENT(other, s.path);
    keep_and_renew(&k, 1500);
    share(&other, &k, 60000);
    server_turn_clock(&s, -HOUR);
    CHECK_INT(extend(&other, "a", 60000), LOCK_YES);
    until_renewed(&k, 3);
    CHECK(check_belief(&s, "a", &other.lease) > MS(50000));
}

/* A second one that renews under the same token finds a lease that is longer than its own, and leaves it as it is. */
TEST(renewal_does_not_undo_what_another_renewal_counts_on)
{
    servers_get_clocks();
    SERVER(s, NULL);
    KEEPER(k, s.path);
    KEEPER(other, s.path);
    keep_and_renew(&k, 1500);
    server_turn_clock(&s, -HOUR);
    share(&other.c, &k, 9000);
    other.c.lease.sent -= other.c.lease.duration / 3; /* it is due at once */
    keep_for(&other, "a", 0);
    until_renewed(&other, 1);
    until_renewed(&k, 3);
    CHECK(left(&other) > MS(4000));
    CHECK(check_belief(&s, "a", &other.c.lease) > MS(4000));
}

/* Holds the request back that would make the lease short again: the second one from now on. */
static void hold_the_second(relay *r)
{
    atomic_store(&r->control->pass, 1);
    atomic_store(&r->control->hold, 2); /* the renewing thread's connection */
}

TEST(renewal_that_arrives_late_does_not_undo_what_an_attach_counts_on)
{
    servers_get_clocks();
    SERVER(s, NULL);
    RELAY(r, &s);
    KEEPER(k, r.path);
    CLIENT(other, s.path);
    keep_and_renew(&k, 3000);
    int requests = atomic_load(&r.control->requests);
    hold_the_second(&r);
    server_turn_clock(&s, -60000);
    while (atomic_load(&r.control->requests) < requests + 2) {
        sleep_ms(1);
    }
    keeper_end_by(&k, 10);
    CHECK_INT(lock_adopt(&other.lock, BYTES("a"), BYTES(token_of(&k.c)), &other.lease, &other.error), LOCK_YES);
    long long before = server_calls(&s, "evalsha");
    atomic_store(&r.control->hold, 0);
    until_requested(&s, before + 1);
    CHECK(check_belief(&s, "a", &other.lease) > MS(50000));
}

TEST(renewal_that_arrives_late_does_not_undo_an_extension_after_the_clock_was_set_back)
{
    servers_get_clocks();
    SERVER(s, NULL);
    RELAY(r, &s);
    KEEPER(k, r.path);
    CLIENT(other, s.path);
    keep_and_renew(&k, 3000);
    share(&other, &k, 60000);
    int requests = atomic_load(&r.control->requests);
    hold_the_second(&r);
    server_turn_clock(&s, -60000);
    while (atomic_load(&r.control->requests) < requests + 2) {
        sleep_ms(1);
    }
    CHECK_INT(extend(&other, "a", 60000), LOCK_YES);
    atomic_store(&r.control->hold, 0);
    until_renewed(&k, 2);
    CHECK(check_belief(&s, "a", &other.lease) > MS(50000));
}

/* The reply is lost with which the lease became short; then another one asks for a long one, and the request is repeated. */
TEST(renewal_that_is_repeated_makes_a_lease_short_only_once)
{
    servers_get_clocks();
    SERVER(s, NULL);
    RELAY(r, &s);
    KEEPER(k, r.path);
    CLIENT(other, s.path);
    keep_and_renew(&k, 2000);
    share(&other, &k, 60000);
    atomic_store(&r.control->swallow, 2);
    server_turn_clock(&s, -HOUR);
    until_short(&s, 2000);
    CHECK_INT(extend(&other, "a", 60000), LOCK_YES);
    until_renewed(&k, 3);
    CHECK_INT(atomic_load(&r.control->swallowed), 1);
    CHECK(check_belief(&s, "a", &other.lease) > MS(50000));
    CHECK_INT(state_of(&k), LOCK_RENEWAL_ON);
}

TEST(renewal_makes_a_lease_short_again_at_one_of_five_servers)
{
    servers_get_clocks();
    RING(r, 5, NULL);
    RING_KEEPER(k, &r);
    for (int i = 0; i < 5; i++) {
        server_turn_clock(&r.servers[i], -i * HOUR); /* they agree on nothing */
    }
    keep_and_renew(&k, 3000);
    server_turn_clock(&r.servers[3], -HOUR);
    until_short(&r.servers[3], 3000);
    until_renewed(&k, 2);
    for (int i = 0; i < 5; i++) {
        CHECK_RANGE(1, say_number(&r.servers[i], "PTTL lock:a"), 3000);
    }
    CHECK_INT((int64_t)lock_renewal_counts(k.renewer, &k.stats).failures, 0);
    CHECK_INT(keeper_end(&k), LOCK_RENEWAL_ON);
    CHECK_INT(drop(&k.c, "a"), LOCK_YES);
    ring_is_clean(&r);
}

static bool is_read(const char *text)
{
    redisReply reply = {.type = REDIS_REPLY_STRING, .str = (char *)text, .len = strlen(text)};
    lock_renew_reply out;
    int64_t at = 1700000000000;
    lock_ends ends = {.at_ms = &at};

    if (!lock_renew_reply_read(&out, &reply, 1)) {
        return false;
    }
    lock_ends_note(&ends, 0, &out, 0, 1000);
    return true;
}

TEST(renewal_reply_with_a_number_that_is_too_large_is_malformed)
{
    CHECK(is_read("1 1700000000 0 1700000000 0"));
    CHECK(is_read("+ 1700000000 0 1700000000 0 3600000"));
    CHECK(is_read("+ 1700000000 0 1700000000 0 -1"));
    CHECK(!is_read("+ 1700000000 0 1700000000 0 -2"));
    CHECK(!is_read("+ 1700000000 0 1700000000 0 9223372036854775807"));
    CHECK(!is_read("1 9223372036854775807 0 1700000000 0"));
    CHECK(is_read("+ 2305843009213 0 2305843009213 0 2305843009213693"));
}

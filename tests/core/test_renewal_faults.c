/* SPDX-License-Identifier: MIT
 *
 * Leases that a background thread renews at several servers, at a replica, at one that is full, and without memory.
 */
#include <stdio.h>
#include <sys/resource.h>

#include "keeper.h"

/* ---- several servers ---- */

/* Checks for `span` ms that the holder believes in its lease, and that `most` servers at least keep it for longer. */
static void is_kept_by(keeper *k, ring *r, int most, int64_t span)
{
    int64_t start = platform_now();

    while (ms_since(start) < span) {
        int kept = 0;
        CHECK_INT(state_of(k), LOCK_RENEWAL_ON);
        CHECK(left(k) > 0);
        for (int i = 0; i < r->count; i++) {
            server *s = &r->servers[i];
            int64_t ttl = s->is_frozen ? 0 : MS(say_number(s, "PTTL lock:a"));
            kept += lock_lease_validity(&k->c.lease, platform_now()) <= platform_later(ttl, 0);
        }
        CHECK_SAFE(kept >= most);
        sleep_ms(5);
    }
}

/* Waits until every server keeps the lock for at least as long as the holder believes: one may be late, which was not
 * needed for a majority. */
static void until_all_keep_it(keeper *k, ring *r)
{
    for (int i = 0; i < r->count; i++) {
        for (int64_t start = platform_now();
             platform_later(MS(say_number(&r->servers[i], "PTTL lock:a")), 0) < left(k);) {
            CHECK(ms_since(start) < 5000);
            sleep_ms(1);
        }
    }
}

/* Freezes the first `count` servers, when all have the lock. */
static void freeze_some(keeper *k, ring *r, int count)
{
    until_all_keep_it(k, r);
    for (int i = 0; i < count; i++) {
        server_freeze(&r->servers[i]);
    }
}

TEST(renewal_at_three_servers_does_without_one)
{
    RING(r, 3, NULL);
    RING_KEEPER(k, &r);
    take_and_keep(&k, "a", 1500);
    freeze_some(&k, &r, 1);
    is_kept_by(&k, &r, 2, 2000);
    CHECK_INT((int64_t)lock_renewal_counts(k.renewer, &k.stats).failures, 0);
    server_thaw(&r.servers[0]);
    CHECK_INT(keeper_end(&k), LOCK_RENEWAL_ON);
    CHECK_INT(drop(&k.c, "a"), LOCK_YES);
    ring_is_clean(&r);
}

TEST(renewal_at_five_servers_does_without_two)
{
    RING(r, 5, NULL);
    RING_KEEPER(k, &r);
    take_and_keep(&k, "a", 1500);
    freeze_some(&k, &r, 1);
    server_kill(&r.servers[4]);
    server_restart(&r.servers[4]); /* it says no from now on */
    is_kept_by(&k, &r, 3, 2000);
    CHECK_INT(keeper_end(&k), LOCK_RENEWAL_ON);
    server_thaw(&r.servers[0]);
    CHECK_INT(drop(&k.c, "a"), LOCK_YES);
    ring_is_clean(&r);
}

TEST(renewal_is_refused_where_a_majority_refuses_it)
{
    RING(r, 3, NULL);
    RING_KEEPER(k, &r);
    take_and_keep(&k, "a", 1500);
    until_all_keep_it(&k, &r); /* else one may be deleted before it is there */
    say(&r.servers[0], "SET lock:a other PX 60000");
    say(&r.servers[2], "DEL lock:a");
    int64_t start = platform_now();
    until_over(&k, 5000);
    CHECK_INT(state_of(&k), LOCK_RENEWAL_REFUSED);
    CHECK_RANGE(0, ms_since(start), 500 + SLACK);
    CHECK_INT(left(&k), 0);
    CHECK_INT(keeper_end(&k), LOCK_RENEWAL_REFUSED);
}

TEST(renewal_that_no_majority_confirms_ends_with_its_lease)
{
    RING(r, 3, NULL);
    RING_KEEPER(k, &r);
    take_and_keep(&k, "a", 900);
    freeze_some(&k, &r, 2);
    while (state_of(&k) == LOCK_RENEWAL_ON) {
        CHECK(ms_since(k.c.lease.sent) < 900 + SLACK);
        sleep_ms(1);
    }
    CHECK_INT(state_of(&k), LOCK_RENEWAL_ENDED);
    CHECK_INT(left(&k), 0);
    CHECK_RANGE(900 - 12, ms_since(k.c.lease.sent), 900 + SLACK);
    CHECK_INT((int64_t)lock_renewal_counts(k.renewer, &k.stats).lost_while_held, 1);
}

TEST(renewal_outlasts_a_majority_that_stands_still_for_less_than_the_lease)
{
    RING(r, 3, NULL);
    RING_KEEPER(k, &r);
    take_and_keep(&k, "a", 4500);
    freeze_some(&k, &r, 2);
    sleep_ms(2200);
    server_thaw(&r.servers[0]);
    until_renewed(&k, 1);
    server_thaw(&r.servers[1]);
    is_kept_by(&k, &r, 2, 1);
    CHECK_INT(keeper_end(&k), LOCK_RENEWAL_ON);
    CHECK_INT(drop(&k.c, "a"), LOCK_YES);
    ring_is_clean(&r);
}

TEST(renewal_reaches_a_server_that_is_back)
{
    RING(r, 3, NULL);
    RING_KEEPER(k, &r);
    take_and_keep(&k, "a", 2000);
    freeze_some(&k, &r, 1);
    until_renewed(&k, 1);
    server_thaw(&r.servers[0]);
    until_renewed(&k, 1);
    until_all_keep_it(&k, &r);
    server_freeze(&r.servers[1]); /* so the first one is needed now */
    is_kept_by(&k, &r, 2, 2500);
    server_thaw(&r.servers[1]);
    CHECK_INT(keeper_end(&k), LOCK_RENEWAL_ON);
    CHECK_INT(drop(&k.c, "a"), LOCK_YES);
    ring_is_clean(&r);
}

/* ---- a server that is a replica now, or full ---- */

/* Makes it a replica of a master that is nowhere. */
static void demote(server *s)
{
    CHECK_TEXT(say(s, "REPLICAOF 127.0.0.1 1"), "OK");
}

TEST(renewal_does_not_believe_a_replica_that_has_lost_the_lock)
{
    SERVER(s, NULL);
    KEEPER(k, s.path);
    take_and_keep(&k, "a", 900);
    say(&s, "DEL lock:a");
    demote(&s);
    until_over(&k, 3000);
    CHECK_INT(state_of(&k), LOCK_RENEWAL_ENDED);
    CHECK(ms_since(k.c.lease.sent) >= 900 - 12);
    CHECK(lock_renewal_counts(k.renewer, &k.stats).failures > 0);
}

TEST(renewal_goes_on_when_a_replica_is_a_master_again)
{
    SERVER(s, NULL);
    KEEPER(k, s.path);
    take_and_keep(&k, "a", 1800);
    demote(&s);
    sleep_ms(900);
    CHECK_INT(state_of(&k), LOCK_RENEWAL_ON);
    CHECK(lock_renewal_counts(k.renewer, &k.stats).failures > 0);
    say(&s, "REPLICAOF NO ONE");
    is_kept_for(&k, &s, 1500);
}

TEST(renewal_at_a_replica_ends_with_the_lease)
{
    SERVER(s, NULL);
    KEEPER(k, s.path);
    take_and_keep(&k, "a", 600);
    demote(&s);
    until_over(&k, 3000);
    CHECK_INT(state_of(&k), LOCK_RENEWAL_ENDED);
    CHECK(ms_since(k.c.lease.sent) >= 600 - 8);
    CHECK_INT((int64_t)lock_renewal_counts(k.renewer, &k.stats).renewed, 0);
}

TEST(renewal_goes_on_at_a_full_server)
{
    SERVER(s, NULL);
    KEEPER(k, s.path);
    take_and_keep(&k, "a", 1200);
    CHECK_TEXT(say(&s, "CONFIG SET maxmemory 1 maxmemory-policy noeviction"), "OK");
    CHECK(strstr(say(&s, "SET other value"), "OOM") != NULL);
    is_kept_for(&k, &s, 900);
    CHECK_INT(keeper_end(&k), LOCK_RENEWAL_ON);
    lock_extension_begin(&k.c.lock);
    lock_extension_doubt(&k.c.extensions);
    keep_for(&k, "a", 0);
    is_kept_for(&k, &s, 900);
    CHECK_INT(say_number(&s, "EXISTS {lock:a}:rl:note"), 1);
    CHECK_INT((int64_t)lock_renewal_counts(k.renewer, &k.stats).failures, 0);
    CHECK_INT(keeper_end(&k), LOCK_RENEWAL_ON);
    CHECK_INT(drop(&k.c, "a"), LOCK_YES);
    CHECK_NO_KEY(&s);
}

/* ---- a server that says what is no answer ---- */

/* Begins to renew a lease at a server that nobody took it from. */
static void keep_at_liar(keeper *k, const char *dsn, int64_t lease)
{
    int64_t now = platform_now();

    client_close(&k->c);
    client_open_dsn(&k->c, dsn);
    lock_lease_fill(&k->c.lease, RL_LITERAL("token"), now, now - MS(lease) / 3, MS(lease), 0); /* due at once */
    keep_for(k, "a", 0);
}

/* The liars, who have threads, are forked before there is a thread here. */
TEST(renewal_does_not_take_anything_for_an_answer)
{
    static const lie lies[] = {LIE("$1\r\n2\r\n", LIE_SEND),
                               LIE("$2\r\n11\r\n", LIE_SEND),
                               LIE(":1\r\n", LIE_SEND),
                               LIE("$-1\r\n", LIE_SEND),
                               LIE("*0\r\n", LIE_SEND),
                               LIE("+1\r\n", LIE_SEND),
                               LIE("$1\r\n-\r\n", LIE_SEND),
                               LIE("$0\r\n\r\n", LIE_SEND),
                               LIE("$1\r\n1\r\n", LIE_SEND),
                               LIE("$7\r\n1 1 2 3\r\n", LIE_SEND),
                               LIE("$9\r\n1 1 2 3 x\r\n", LIE_SEND),
                               LIE("$9\r\n+ 1 2 3 4\r\n", LIE_SEND),
                               LIE("$9\r\n1 1 2 3 -\r\n", LIE_SEND),
                               LIE("$11\r\n1 1 2 3 4 5\r\n", LIE_SEND),
                               LIE("$9\r\n1 1 2 3\0004\r\n", LIE_SEND),
                               LIE("$10\r\n1 1 2 3 -4\r\n", LIE_SEND)};
    enum { COUNT = sizeof(lies) / sizeof(*lies) };
    liar liars[COUNT];
    for (int i = 0; i < COUNT; i++) {
        liar_start(&liars[i], false, &lies[i], 1);
    }
    for (int i = 0; i < COUNT; i++) {
        KEEPER(k, "/nowhere");
        int64_t before = held_up();
        keep_at_liar(&k, liars[i].dsn, 600);
        until_over(&k, 5000);
        CHECK_INT(state_of(&k), LOCK_RENEWAL_ENDED);
        /* If the two did not come to run for a while, the lease was over before it could be asked for. */
        CHECK_RANGE(held_up() - before < 200, atomic_load(&liars[i].control->requests), 30);
        CHECK_INT((int64_t)lock_renewal_counts(k.renewer, &k.stats).renewed, 0);
        CHECK(keeper_end(&k) == LOCK_RENEWAL_ENDED && lock_extension_is_doubted(&k.c.lock));
        liar_stop(&liars[i]);
    }
}

/* ---- descriptors that end ---- */

static void allow_descriptors(rlim_t count)
{
    struct rlimit limit;

    CHECK_INT(getrlimit(RLIMIT_NOFILE, &limit), 0);
    limit.rlim_cur = count > 0 ? count : limit.rlim_max;
    CHECK_INT(setrlimit(RLIMIT_NOFILE, &limit), 0);
}

TEST(renewal_without_descriptors_for_its_thread_does_not_begin)
{
    SERVER(s, NULL);
    KEEPER(k, s.path);
    lock_renewal_terms terms = {.hold_until = PLATFORM_NEVER, .stats = &k.stats};
    CHECK_INT(take(&k.c, "a", 900, 0), LOCK_YES);
    allow_descriptors(3);
    CHECK(lock_renewal_begin(k.renewer, &k.c.lock, BYTES("a"), &k.c.lease, &terms, &k.c.error) == NULL);
    CHECK_INT(k.c.error.kind, RL_UNREACHABLE);
    CHECK(strstr(k.c.error.text, "cannot start the thread") != NULL);
    allow_descriptors(0);
    keep_for(&k, "a", 0);
    is_kept_for(&k, &s, 900);
}

TEST(renewal_goes_on_when_there_are_descriptors_again)
{
    SERVER(s, NULL);
    KEEPER(k, s.path);
    take_and_keep(&k, "a", 1800);
    allow_descriptors(3);
    sleep_ms(900);
    CHECK(lock_renewal_counts(k.renewer, &k.stats).failures > 0);
    allow_descriptors(0);
    is_kept_for(&k, &s, 1500);
}

/* ---- memory that ends ---- */

static pthread_t holder;
static atomic_int allocations_left;

/* The thread has memory for so many allocations more, and the holders have enough. */
static bool memory_of_the_thread_ends(void)
{
    return !pthread_equal(pthread_self(), holder) && atomic_fetch_sub(&allocations_left, 1) <= 0;
}

/* The memory of the thread ends after `allocations` more, while it renews the first of three leases. Returns whether it
 * came to that. */
static bool outlive_the_end_of_memory(server *s, int allocations)
{
    KEEPER(k, s->path);
    held h[3];
    int64_t start = platform_now();
    int broken = 0;

    atomic_store(&allocations_left, allocations);
    hold_many(&k, h, 3, "n", 3000);
    hold_again(&k, &h[0]);
    while (held_state(&h[0]) == LOCK_RENEWAL_ON && lock_renewal_counts(k.renewer, &k.stats).renewed == 0) {
        CHECK(ms_since(start) < 5000);
        sleep_ms(1);
    }
    atomic_store(&allocations_left, INT32_MAX);
    for (int i = 0; i < 3; i++) {
        broken += let_go(&k, &h[i]) == LOCK_RENEWAL_BROKEN;
    }
    CHECK((int64_t)lock_renewal_counts(k.renewer, &k.stats).lost_while_held >= broken);
    take_and_keep(&k, "a", 900);
    is_kept_for(&k, s, broken > 0 ? 400 : 1);
    keeper_end(&k);
    CHECK_INT(drop(&k.c, "a"), LOCK_YES);
    return broken > 0;
}

/* Tries every allocation that the thread makes, from its first on. What it had is lost: so this is a process that ends
 * without looking for leaks. */
static void lose_memory(void *arg)
{
    int count = 0;

    holder = pthread_self();
    platform_memory_ends = memory_of_the_thread_ends;
    while (outlive_the_end_of_memory(arg, count)) {
        CHECK(++count < 100);
    }
    note("after each of %d allocations", count);
    CHECK(count > 3);
}

TEST(renewer_outlives_the_end_of_memory)
{
    SERVER(s, NULL);
    process_join(process_start(lose_memory, &s));
}

static void lose_memory_at_once(void *arg)
{
    server *s = arg;

    for (int i = 0; i < 20; i++) {
        KEEPER(k, s->path);
        holder = pthread_self();
        atomic_store(&allocations_left, 0);
        platform_memory_ends = memory_of_the_thread_ends;
        take_and_keep(&k, "a", 3000);
        until_over(&k, 3000);
        CHECK_INT(state_of(&k), LOCK_RENEWAL_BROKEN);
        keeper_end(&k);
        lock_renewer_free(k.renewer); /* right behind the thread's last words */
        k.renewer = lock_renewer_new();
        drop(&k.c, "a");
    }
}

TEST(renewer_that_has_given_up_is_freed_at_once)
{
    SERVER(s, NULL);
    process_join(process_start(lose_memory_at_once, &s));
}

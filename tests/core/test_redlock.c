/* SPDX-License-Identifier: MIT
 *
 * A lock on several servers: whichever of them are healthy, silent or dead, outcomes are right and nothing is left
 * behind. A set of nodes is a bit mask, with the first node as the lowest bit.
 */
#include "bed.h"

/* How many ms a call may take in addition to waiting for silent nodes. */
#define AT_ONCE (150 + held_up())

/* Freezes the nodes in `silent`, and lets the others go on. */
static void freeze(ring *r, unsigned silent)
{
    for (int i = 0; i < r->count; i++) {
        bool is_frozen = r->servers[i].is_frozen;
        if (silent >> i & 1U && !is_frozen) {
            server_freeze(&r->servers[i]);
        } else if (!(silent >> i & 1U) && is_frozen) {
            server_thaw(&r->servers[i]);
        }
    }
}

/* Kills the nodes in `dead`, and restarts the others if they are dead. */
static void bury(ring *r, unsigned dead)
{
    for (int i = 0; i < r->count; i++) {
        bool lives = r->servers[i].raw != NULL;
        if (dead >> i & 1U && lives) {
            server_kill(&r->servers[i]);
        } else if (!(dead >> i & 1U) && !lives) {
            server_restart(&r->servers[i]);
        }
    }
}

static unsigned all_of(const ring *r)
{
    return (1U << r->count) - 1;
}

/* Waits until the client's token holds the lock on the nodes in `which`. */
static void check_held_on(ring *r, const client *c, unsigned which)
{
    int64_t start = platform_now();

    for (int i = 0; i < r->count; i++) {
        while (which >> i & 1U && strcmp(say(&r->servers[i], "GET lock:a"), token_of(c)) != 0) {
            CHECK_RANGE(0, ms_since(start), 1000 + held_up());
            sleep_ms(1);
        }
    }
}

static bool is_ours(client *c)
{
    lock_lease holder = {0};
    lock_outcome outcome = lock_holder(&c->lock, BYTES("a"), &holder, &c->error);
    bool ours = outcome == LOCK_YES && holder.token_len == c->lease.token_len &&
                memcmp(holder.token, c->lease.token, holder.token_len) == 0;

    lock_lease_free(&holder);
    return ours;
}

/* ---- patterns ---- */

/* Takes, extends, looks at and releases a lock while the nodes in `away` are of no use. If these are too many, the lock
 * must fail in time, by `why`. */
static void live_without(ring *r, client *c, unsigned away, rl_failure why)
{
    unsigned here = all_of(r) & ~away;
    bool enough = __builtin_popcount(here) > r->count / 2;
    int64_t start = platform_now();

    c->lock.target.node_timeout = enough ? MS(900) : MS(30);
    CHECK_INT(take(c, "a", 20000, 0), enough ? LOCK_YES : LOCK_FAILED);
    CHECK_RANGE(0, ms_since(start), c->lock.target.node_timeout / PLATFORM_MSEC + AT_ONCE);
    if (!enough) {
        CHECK_INT(c->error.kind, why);
        return;
    }
    check_held_on(r, c, here);
    CHECK_INT(extend(c, "a", 30000), LOCK_YES);
    CHECK(is_ours(c));
    CHECK_INT(drop(c, "a"), LOCK_YES);
}

/* Runs live_without() with a client that has connections already, and with a new client, which is closed soon after. */
static void try_pattern(ring *r, client *lasting, unsigned away, rl_failure why)
{
    live_without(r, lasting, away, why);
    ring_is_clean(r);
    RING_CLIENT(fresh, r);
    live_without(r, &fresh, away, why);
    ring_is_clean(r);
}

/* Reads the answers that thawed servers have sent meanwhile, until none is owed or 5 s have passed: a node that still
 * owes an answer is passed over at first. */
static void read_what_is_owed(client *c)
{
    int64_t start = platform_now();
    bool owing = true;

    while (owing && ms_since(start) < 5000) {
        rl_wait(c->pool.idle, c->pool.count, platform_now() + MS(1), NULL);
        owing = false;
        for (size_t i = 0; i < c->pool.count; i++) {
            owing |= rl_conn_is_behind(c->pool.idle[i], PLATFORM_NEVER);
        }
    }
}

TEST(redlock_every_pattern_of_silent_nodes)
{
    RING(r, 5, NULL);
    RING_CLIENT(c, &r);
    live_without(&r, &c, 0, RL_OK);
    for (unsigned silent = 0; silent < 32; silent++) {
        freeze(&r, silent);
        try_pattern(&r, &c, silent, RL_TIMED_OUT);
        freeze(&r, 0);
        ring_is_clean(&r);
        read_what_is_owed(&c);
    }
}

TEST(redlock_every_pattern_of_dead_nodes)
{
    RING(r, 5, NULL);
    RING_CLIENT(c, &r);
    for (unsigned i = 0; i < 32; i++) {
        unsigned dead = i ^ i >> 1; /* a Gray code: one node dies or comes back each time */
        bury(&r, dead);
        try_pattern(&r, &c, dead, RL_UNREACHABLE);
    }
}

TEST(redlock_one_of_two_is_no_majority_and_two_of_four_neither)
{
    for (int count = 2; count <= 4; count++) {
        ring r;
        client c;
        ring_open(&r, count, NULL);
        ring_client(&c, &r);
        for (unsigned silent = 0; silent < 1U << count; silent++) {
            freeze(&r, silent);
            live_without(&r, &c, silent, RL_TIMED_OUT);
            freeze(&r, 0);
            ring_is_clean(&r);
        }
        client_close(&c);
        ring_close(&r);
    }
}

/* The outcome is decided at once, since the other nodes refuse at once. A request that went out later would hit the
 * next holder. */
TEST(redlock_request_that_too_few_answer_goes_out_at_once_or_never)
{
    RING(r, 3, NULL);
    RING_CLIENT(a, &r);
    RING_CLIENT(b, &r);
    CHECK_INT(take(&a, "warm", 5000, 0), LOCK_YES);
    CHECK_INT(drop(&a, "warm"), LOCK_YES);
    bury(&r, 6);
    CHECK_INT(lock_force_release(&a.lock, BYTES("a"), &a.error), LOCK_FAILED);
    bury(&r, 0);
    CHECK_INT(take(&b, "a", 5000, 0), LOCK_YES);
    check_held_on(&r, &b, all_of(&r));
    CHECK_INT(take(&a, "another", 5000, 0), LOCK_YES);
    CHECK_INT(drop(&a, "another"), LOCK_YES);
    check_held_on(&r, &b, all_of(&r));
}

/* ---- time ---- */

/* Returns how many ms it takes at most, of several times, to lock, extend, look and unlock. */
static int64_t longest_of(client *c, bool connect_anew)
{
    int64_t longest = 0;

    for (int i = connect_anew ? 8 : 0; i < 10; i++) { /* fewer times, since clearing the pool takes a moment */
        int64_t start = platform_now();
        CHECK_INT(take(c, "a", 20000, 0), LOCK_YES);
        CHECK_INT(extend(c, "a", 20000), LOCK_YES);
        CHECK(is_ours(c));
        CHECK_INT(drop(c, "a"), LOCK_YES);
        longest = platform_later(longest, ms_since(start));
        if (connect_anew) {
            rl_pool_clear(&c->pool);
        }
    }
    return longest;
}

TEST(redlock_minority_that_is_silent_costs_no_time)
{
    client c;
    int64_t longest = 0;

    RING(r, 5, NULL);
    ring_client(&c, &r);
    for (unsigned silent = 1; silent < 32; silent++) {
        if (__builtin_popcount(silent) <= 2) {
            freeze(&r, 0);
            ring_is_clean(&r); /* all nodes must have carried out what they were sent */
            freeze(&r, silent);
            longest = platform_later(longest, longest_of(&c, false));
            longest = platform_later(longest, longest_of(&c, true));
        }
    }
    note("lock, extend, look and unlock: %lld ms at most", (long long)longest);
    CHECK_RANGE(0, longest, 450 + held_up());
    freeze(&r, 0);
    client_close(&c);
    ring_is_clean(&r);
}

static void thaw_soon(void *arg)
{
    sleep_ms(210);
    freeze(arg, 0);
}

TEST(redlock_answer_that_is_too_late_is_no_lock_and_is_given_back)
{
    RING(r, 5, NULL);
    RING_CLIENT(c, &r);
    CHECK_INT(take(&c, "a", 5000, 0), LOCK_YES);
    CHECK_INT(drop(&c, "a"), LOCK_YES);
    for (int round = 0; round < 3; round++) {
        freeze(&r, 7);
        pid_t waker = process_start(thaw_soon, &r);
        CHECK_INT(take(&c, "a", 200, 0), LOCK_LATE);
        process_join(waker);
        freeze(&r, 0);
        ring_is_clean(&r);
    }
}

/* Takes the lock and releases it. Returns whether the nodes in `which` had it a moment after it was taken. */
static bool stands_on(ring *r, client *c, unsigned which)
{
    bool stands = true;

    CHECK_INT(take(c, "a", 20000, 0), LOCK_YES);
    sleep_ms(5);
    for (int i = 0; i < r->count; i++) {
        stands &= !(which >> i & 1U) || strcmp(say(&r->servers[i], "GET lock:a"), token_of(c)) == 0;
    }
    CHECK_INT(drop(c, "a"), LOCK_YES);
    return stands;
}

/* A node that falls behind still gets the releases of the locks that were sent to it. A node that is away for long is
 * not sent locks without end. */
TEST(redlock_node_that_falls_behind_keeps_nothing)
{
    static const int64_t away_for[] = {20, 300, 1500};

    RING(r, 5, NULL);
    RING_CLIENT(c, &r);
    for (int i = 0; i < 3; i++) {
        int locks = 0;
        CHECK_INT(take(&c, "a", 20000, 0), LOCK_YES);
        CHECK_INT(drop(&c, "a"), LOCK_YES);
        freeze(&r, 030);
        for (int64_t start = platform_now(); ms_since(start) < away_for[i]; locks++) {
            CHECK_INT(take(&c, "a", 20000, 0), LOCK_YES);
            CHECK_INT(drop(&c, "a"), LOCK_YES);
        }
        note("%d locks", locks);
        freeze(&r, 0);
        ring_is_clean(&r);
        for (int64_t start = platform_now(); !stands_on(&r, &c, 030);) { /* until they have caught up */
            CHECK_RANGE(0, ms_since(start), 5000 + held_up());
        }
        ring_is_clean(&r);
        freeze(&r, 6); /* now the nodes that were behind are needed */
        CHECK_INT(take(&c, "a", 20000, 0), LOCK_YES);
        CHECK_INT(drop(&c, "a"), LOCK_YES);
        freeze(&r, 0);
        ring_is_clean(&r);
    }
}

/* ---- cold caches ---- */

TEST(redlock_servers_that_know_no_script)
{
    RING(r, 5, NULL);
    for (unsigned away = 0; away < 32; away = away * 2 + 1) {
        client c;
        freeze(&r, 0);
        for (int i = 0; i < 5; i++) {
            say(&r.servers[i], "SCRIPT FLUSH SYNC");
        }
        freeze(&r, away);
        ring_client(&c, &r);
        live_without(&r, &c, away, RL_TIMED_OUT);
        /* The nodes must become clean also after the client has gone. */
        client_close(&c);
        ring_is_clean(&r);
        freeze(&r, 0);
        ring_is_clean(&r);
    }
}

/* ---- votes ---- */

static void put(ring *r, unsigned where, const char *token, int ms)
{
    for (int i = 0; i < r->count; i++) {
        if (where >> i & 1U) {
            say(&r->servers[i], "SET lock:a %s PX %d", token, ms);
        }
    }
}

static void forget(ring *r, unsigned where)
{
    for (int i = 0; i < r->count; i++) {
        if (where >> i & 1U) {
            say(&r->servers[i], "DEL lock:a");
        }
    }
}

TEST(redlock_is_had_past_a_minority_and_not_past_a_majority)
{
    RING(r, 5, NULL);
    RING_CLIENT(c, &r);
    for (unsigned foreign = 0; foreign < 32; foreign++) {
        bool is_free = __builtin_popcount(foreign) <= 2;
        put(&r, foreign, "other", 60000);
        CHECK_INT(take(&c, "a", 20000, 0), is_free ? LOCK_YES : LOCK_BUSY);
        if (is_free) {
            check_held_on(&r, &c, all_of(&r) & ~foreign);
            CHECK_INT(drop(&c, "a"), LOCK_YES);
        }
        sleep_ms(2);
        forget(&r, foreign);
        ring_is_clean(&r);
    }
}

/* A no stays a no, and is no error, while a minority of the nodes is dead or silent. */
TEST(redlock_that_is_held_is_held_also_without_a_minority)
{
    RING(r, 5, NULL);
    RING_CLIENT(c, &r);
    RING_CLIENT(holder, &r);
    CHECK_INT(take(&holder, "a", 60000, 0), LOCK_YES);
    check_held_on(&r, &holder, 037);
    for (unsigned away = 0; away < 32; away++) {
        if (__builtin_popcount(away) <= 2) {
            freeze(&r, away);
            for (int i = 0; i < 5; i++) {
                CHECK_INT(take(&c, "a", 20000, 0), LOCK_BUSY);
            }
            freeze(&r, 0);
            read_what_is_owed(&c);
        }
    }
    for (int dead = 0; dead <= 2; dead++) {
        bury(&r, (1U << dead) - 1);
        for (int i = 0; i < 20; i++) {
            CHECK_INT(take(&c, "a", 20000, 0), LOCK_BUSY);
            held_up_from_now();
            lock_outcome outcome = take(&c, "a", 20000, 2);
            CHECK(outcome == LOCK_BUSY || held_up() > 0); /* a busy machine may need longer than 2 ms */
        }
    }
    CHECK_INT(drop(&holder, "a"), LOCK_YES);
    ring_is_clean(&r);
}

TEST(redlock_split_vote_is_nobodys_and_leaves_nothing)
{
    RING(r, 5, NULL);
    RING_CLIENT(c, &r);
    put(&r, 03, "one", 60000);
    put(&r, 014, "two", 60000);
    CHECK_INT(take(&c, "a", 20000, 0), LOCK_BUSY);
    forget(&r, 017);
    ring_is_clean(&r);
}

TEST(redlock_lives_as_long_as_a_majority_keeps_it)
{
    RING(r, 5, NULL);
    RING_CLIENT(c, &r);
    for (unsigned lost = 0; lost < 32; lost++) {
        bool is_ours_still = __builtin_popcount(lost) <= 2;
        CHECK_INT(take(&c, "a", 20000, 0), LOCK_YES);
        check_held_on(&r, &c, all_of(&r));
        forget(&r, lost);
        CHECK_INT(is_ours(&c), is_ours_still);
        CHECK_INT(extend(&c, "a", 30000), is_ours_still ? LOCK_YES : LOCK_NOT_OWNED);
        for (int i = 0; i < 5; i++) { /* an extension does not bring a lost lock back */
            CHECK_INT(say_number(&r.servers[i], "EXISTS lock:a"), !(lost >> i & 1U));
        }
        CHECK_INT(drop(&c, "a"), is_ours_still ? LOCK_YES : LOCK_NOT_OWNED);
        ring_is_clean(&r);
    }
}

TEST(redlock_of_another_is_neither_released_nor_extended)
{
    RING(r, 5, NULL);
    RING_CLIENT(c, &r);
    CHECK_INT(take(&c, "a", 20000, 0), LOCK_YES);
    check_held_on(&r, &c, all_of(&r));
    put(&r, 037, "other", 60000);
    CHECK_INT(extend(&c, "a", 20000), LOCK_NOT_OWNED);
    CHECK(!is_ours(&c));
    CHECK_INT(drop(&c, "a"), LOCK_NOT_OWNED);
    sleep_ms(5);
    for (int i = 0; i < 5; i++) {
        CHECK_TEXT(say(&r.servers[i], "GET lock:a"), "other");
    }
}

TEST(redlock_holder_is_whom_a_majority_names)
{
    lock_lease holder = {0};

    RING(r, 5, NULL);
    RING_CLIENT(c, &r);
    CHECK_INT(lock_holder(&c.lock, BYTES("a"), &holder, &c.error), LOCK_NOT_OWNED);
    put(&r, 034, "other", 9000);
    put(&r, 03, "rest", 60000);
    CHECK_INT(lock_holder(&c.lock, BYTES("a"), &holder, &c.error), LOCK_YES);
    CHECK_INT(holder.token_len, 5);
    CHECK_RANGE(MS(7000), lock_lease_validity(&holder, platform_now()), MS(9000));
    lock_lease_free(&holder);
    say(&r.servers[2], "PEXPIRE lock:a 4000"); /* in 4 s there is no majority left that keeps it */
    CHECK_INT(lock_holder(&c.lock, BYTES("a"), &holder, &c.error), LOCK_YES);
    CHECK_RANGE(MS(2000), lock_lease_validity(&holder, platform_now()), MS(4000));
    lock_lease_free(&holder);

    freeze(&r, 04); /* without its vote there is no majority */
    c.lock.target.node_timeout = MS(100);
    CHECK_INT(lock_holder(&c.lock, BYTES("a"), &holder, &c.error), LOCK_FAILED);
    CHECK_INT(c.error.kind, RL_TIMED_OUT);
    c.lock.target.node_timeout = MS(900);
    freeze(&r, 02); /* without its vote there is one */
    CHECK_INT(lock_holder(&c.lock, BYTES("a"), &holder, &c.error), LOCK_YES);
    lock_lease_free(&holder);
    forget(&r, 030);
    CHECK_INT(lock_holder(&c.lock, BYTES("a"), &holder, &c.error), LOCK_NOT_OWNED);
    freeze(&r, 0);
}

TEST(redlock_force)
{
    RING(r, 5, NULL);
    RING_CLIENT(c, &r);
    RING_CLIENT(holder, &r);
    CHECK_INT(lock_force_release(&c.lock, BYTES("a"), &c.error), LOCK_NOT_OWNED);
    freeze(&r, 05);
    CHECK_INT(take(&holder, "a", 20000, 0), LOCK_YES);
    CHECK_INT(lock_force_release(&c.lock, BYTES("a"), &c.error), LOCK_YES);
    ring_is_clean(&r);
    freeze(&r, 0); /* a thawed node may carry out the force before the acquire */
    CHECK_INT(drop(&holder, "a"), LOCK_NOT_OWNED);
    ring_is_clean(&r);
    put(&r, 01, "rest", 60000); /* on a minority: it is removed, but nobody held the lock */
    CHECK_INT(lock_force_release(&c.lock, BYTES("a"), &c.error), LOCK_NOT_OWNED);
    ring_is_clean(&r);
}

/* Else it would take the lock there from whoever acquires it after this call. */
TEST(redlock_force_awaits_a_slow_minority)
{
    RING(r, 3, NULL);
    RING_CLIENT(c, &r);
    RING_CLIENT(holder, &r);
    CHECK_INT(take(&holder, "a", 20000, 0), LOCK_YES);
    freeze(&r, 4);
    int64_t start = platform_now();
    pid_t waker = process_start(thaw_soon, &r);
    CHECK_INT(lock_force_release(&c.lock, BYTES("a"), &c.error), LOCK_YES);
    CHECK_RANGE(210, ms_since(start), 900 + held_up());
    process_join(waker);
    freeze(&r, 0);
    ring_is_clean(&r);
}

enum { NAMES = 20 };

/* Sets all locks on all nodes. A majority was enough to acquire them, and on a busy machine that may be all that has
 * them. */
static void hold_everywhere(ring *r, const lock_lease *leases, char (*names)[2])
{
    for (int server = 0; server < r->count; server++) {
        for (int i = 0; i < NAMES; i++) {
            say(&r->servers[server], "SET lock:%s %b PX 20000", names[i], leases[i].token, leases[i].token_len);
        }
    }
}

TEST(redlock_many_are_released_at_once)
{
    lock_lease leases[NAMES] = {{0}};
    lock_release_failures failures;
    lock_release_item items[NAMES];
    char names[NAMES][2];

    memset(items, 0, sizeof(items));
    RING(r, 5, NULL);
    RING_CLIENT(c, &r);
    for (int i = 0; i < NAMES; i++) {
        names[i][0] = (char)('a' + i);
        names[i][1] = '\0';
        items[i].name = BYTES(names[i]);
        items[i].lease = &leases[i];
        CHECK_INT(lock_acquire(&c.lock, items[i].name, NULL, MS(20000), 0, &leases[i], NULL, &c.error), LOCK_YES);
    }
    hold_everywhere(&r, leases, names);
    say(&r.servers[0], "DEL lock:b"); /* one node has lost the lock */
    for (int i = 2; i < 5; i++) {
        say(&r.servers[i], "DEL lock:c"); /* a majority has lost the lock */
    }
    freeze(&r, 022);
    c.lock.target.node_timeout = MS(900); /* longer than a slow answer takes on a busy machine */
    int64_t start = platform_now();
    lock_release_all(&c.lock, items, NAMES, MS(5000), PLATFORM_NEVER, &failures);
    CHECK_RANGE(0, ms_since(start), 900 + AT_ONCE); /* one after another, they would take 20 times as long */
    for (int i = 0; i < NAMES; i++) {
        if (i == 1 || i == 2) {
            /* Of the three nodes that answer, two say the same: without the silent nodes there is no majority. */
            CHECK_INT(items[i].outcome, LOCK_FAILED);
        } else {
            CHECK_INT(items[i].outcome, LOCK_YES);
        }
        lock_lease_free(&leases[i]);
    }
    ring_is_clean(&r);
    freeze(&r, 0);
    ring_is_clean(&r);
}

/* Sets so many locks on every node, and fills their leases and items. */
static void hold_very_many(ring *r, lock_release_item *items, lock_lease *leases, char (*names)[16], int count)
{
    for (int server = 0; server < r->count; server++) {
        say(&r->servers[server], "EVAL %s 0 %d",
            "for i = 0, ARGV[1] - 1 do redis.call('SET', 'lock:n' .. i, 't' .. i, 'PX', 60000) end", count);
    }
    for (int i = 0; i < count; i++) {
        int64_t now = platform_now();
        char token[16];
        snprintf(names[i], sizeof(names[i]), "n%d", i);
        snprintf(token, sizeof(token), "t%d", i);
        lock_lease_fill(&leases[i], BYTES(token), now, now, MS(60000), 0);
        items[i] = (lock_release_item){.name = BYTES(names[i]), .lease = &leases[i]};
    }
}

TEST(redlock_very_many_are_released_although_one_node_is_silent)
{
    enum { COUNT = 6 * LOCK_RELEASE_BATCH };
    static lock_release_item items[COUNT];
    static lock_lease leases[COUNT];
    static char names[COUNT][16];
    lock_release_failures failures;

    RING(r, 3, NULL);
    RING_CLIENT(c, &r);
    hold_very_many(&r, items, leases, names, COUNT);
    c.lock.target.node_timeout = MS(1000);
    CHECK_INT(waiters(&c, "other"), 0);
    freeze(&r, 02);
    lock_release_all(&c.lock, items, COUNT, MS(5000), PLATFORM_NEVER, &failures);
    CHECK_INT((int64_t)failures.count, 0);
    CHECK(failures.last.name.at == NULL);
    for (int i = 0; i < COUNT; i++) {
        CHECK_INT(items[i].outcome, LOCK_YES);
        lock_lease_free(&leases[i]);
    }
    CHECK_INT(say_number(&r.servers[0], "DBSIZE"), 0);
    CHECK_INT(say_number(&r.servers[2], "DBSIZE"), 0);
    freeze(&r, 0);
}

TEST(redlock_very_many_of_which_most_are_not_sent)
{
    enum { COUNT = 3 * LOCK_RELEASE_BATCH };
    static lock_release_item items[COUNT];
    static lock_lease leases[COUNT];
    static char names[COUNT][16];
    lock_release_failures failures;

    RING(r, 3, NULL);
    RING_CLIENT(c, &r);
    hold_very_many(&r, items, leases, names, COUNT);
    CHECK_INT(waiters(&c, "other"), 0);
    freeze(&r, 06);
    c.lock.target.node_timeout = MS(300);
    int64_t start = platform_now();
    lock_release_all(&c.lock, items, COUNT, MS(1000), PLATFORM_NEVER, &failures);
    CHECK_RANGE(300, ms_since(start), 300 + AT_ONCE); /* the batches behind the first one wait for nobody */
    CHECK_INT((int64_t)failures.count, COUNT);
    CHECK_RANGE(1, (int64_t)failures.repeated, RL_BACKLOG_MAX / 3);
    CHECK_TEXT(names[COUNT - 1], failures.last.name.at);
    CHECK_INT(failures.error.kind, RL_TIMED_OUT);
    for (int i = 0; i < COUNT; i++) {
        CHECK_INT(items[i].outcome, LOCK_FAILED);
        CHECK_INT(lock_lease_validity(&leases[i], platform_now()), 0);
        lock_lease_free(&leases[i]);
    }
    CHECK_INT(say_number(&r.servers[0], "DBSIZE"), COUNT - LOCK_RELEASE_BATCH);
    freeze(&r, 0);
}

/* The lock is released on the first node. The connection to the second one breaks before the release runs there, by a
 * NOSCRIPT that is lost, and the third one is silent. The repeat finds no lock on the first node and releases it on the
 * second. */
TEST(redlock_release_that_is_repeated_counts_what_it_did_before)
{
    RING(r, 3, NULL);
    RELAY(relay, &r.servers[1]);
    CLIENT(behind, relay.path);
    RING_CLIENT(c, &r);
    rl_endpoint endpoints[] = {r.endpoints[0], behind.endpoint, r.endpoints[2]};
    c.lock.target.endpoints = endpoints;
    c.lock.target.node_timeout = MS(400);
    CHECK_INT(take(&c, "w", 20000, 0), LOCK_YES);
    CHECK_INT(drop(&c, "w"), LOCK_YES);
    CHECK_INT(take(&c, "a", 20000, 0), LOCK_YES);
    check_held_on(&r, &c, all_of(&r));
    freeze(&r, 04);
    say(&r.servers[1], "SCRIPT FLUSH");
    atomic_store(&relay.control->swallow, 1);
    CHECK_INT(drop(&c, "a"), LOCK_YES);
    CHECK_INT(atomic_load(&relay.control->swallowed), 1);
    CHECK_INT(c.stats.unreleased, 0);
    freeze(&r, 0);
    ring_is_clean(&r);
}

/* The first release reaches one of three servers, the next one another. */
TEST(redlock_release_that_is_called_again_counts_what_the_first_call_did)
{
    RING(r, 3, NULL);
    RING_CLIENT(c, &r);
    CHECK_INT(take(&c, "a", 20000, 0), LOCK_YES);
    check_held_on(&r, &c, all_of(&r));
    bury(&r, 06);
    CHECK_INT(drop(&c, "a"), LOCK_FAILED);
    CHECK_TEXT(say(&r.servers[0], "EXISTS lock:a"), "0");
    bury(&r, 04);
    put(&r, 02, token_of(&c), 20000); /* the server kept the lock while it was away */
    CHECK_INT(drop(&c, "a"), LOCK_YES);
    CHECK_TEXT(say(&r.servers[1], "EXISTS lock:a"), "0");
    CHECK_INT(c.stats.lost, 0);
    bury(&r, 0);
}

/* ---- tokens of the caller's, processes ---- */

TEST(redlock_with_the_callers_token)
{
    RING(r, 5, NULL);
    RING_CLIENT(c, &r);
    RING_CLIENT(other, &r);
    CHECK_INT(take_as(&c, "a", "mine", 20000, 0), LOCK_YES);
    check_held_on(&r, &c, 037);
    CHECK_INT(take_as(&other, "a", "mine", 20000, 0), LOCK_BUSY); /* the lock is not reentrant */
    sleep_ms(5);
    check_held_on(&r, &c, 037); /* and undoing the failed try has not released it */
    CHECK_INT(drop(&c, "a"), LOCK_YES);
    ring_is_clean(&r);

    c.lock.target.node_timeout = MS(100);
    freeze(&r, 016); /* a failed try is undone also on nodes that did not answer */
    CHECK_INT(take_as(&c, "a", "mine", 20000, 0), LOCK_FAILED);
    ring_is_clean(&r);
    freeze(&r, 0);
    ring_is_clean(&r);
}

/* A failed try is undone before the next try with the same token, not after it. */
TEST(redlock_tries_with_the_callers_token_are_undone_in_their_order)
{
    RING(r, 3, NULL);
    RING_CLIENT(c, &r);
    CHECK_INT(take(&c, "warm", 20000, 0), LOCK_YES);
    CHECK_INT(drop(&c, "warm"), LOCK_YES);
    for (int i = 0; i < 200; i++) {
        put(&r, i % 2 == 0 ? 3 : 6, "other", 3);
        CHECK_INT(take_as(&c, "a", "mine", 20000, 2000), LOCK_YES);
        sleep_ms(2);
        CHECK(is_ours(&c));
        CHECK_INT(drop(&c, "a"), LOCK_YES);
    }
    ring_is_clean(&r);
}

static void use_in_a_fork(void *arg)
{
    client *c = arg;
    lock_lease mine = c->lease;

    memset(&c->lease, 0, sizeof(c->lease));
    CHECK_INT(take(c, "a", 20000, 0), LOCK_BUSY); /* the parent holds it */
    CHECK_INT(lock_acquire(&c->lock, BYTES("b"), NULL, MS(20000), 0, &c->lease, NULL, &c->error), LOCK_YES);
    CHECK_INT(drop(c, "b"), LOCK_YES);
    client_close(c);
    lock_lease_free(&mine);
}

TEST(redlock_in_a_fork)
{
    RING(r, 5, NULL);
    RING_CLIENT(c, &r);
    CHECK_INT(take(&c, "a", 20000, 0), LOCK_YES);
    for (int i = 0; i < 5; i++) {
        pid_t child = process_start(use_in_a_fork, &c);
        CHECK_INT(extend(&c, "a", 20000), LOCK_YES);
        process_join(child);
        CHECK(is_ours(&c));
    }
    check_held_on(&r, &c, 037);
    CHECK_INT(drop(&c, "a"), LOCK_YES);
    ring_is_clean(&r);
}

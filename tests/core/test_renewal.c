/* SPDX-License-Identifier: MIT
 *
 * Leases that a background thread renews.
 */
#include "bed.h"
#include "lock/renewal.h"

/* A client and its renewer. */
typedef struct keeper {
    client c;
    lock_renewer *renewer;
    lock_renewal_stats stats;
    lock_renewal *renewal; /* of c.lease; NULL: none */
} keeper;

static void keeper_open(keeper *k, const char *socket_path)
{
    memset(k, 0, sizeof(*k));
    client_open(&k->c, socket_path);
    k->renewer = lock_renewer_new();
}

/* Ends the renewal of c.lease, and waits up to 2 s for an answer that is under way. */
static lock_renewal_state keeper_end(keeper *k)
{
    lock_renewal_state state = lock_renewal_end(k->renewal, &k->c.extensions, &k->c.lease, platform_now() + MS(2000));

    k->renewal = NULL;
    return state;
}

static void keeper_close(keeper *k)
{
    if (k->renewal != NULL) {
        keeper_end(k);
    }
    lock_renewer_free(k->renewer);
    client_close(&k->c);
}

#define KEEPER(k, socket_path)                                                                                         \
    CLOSED_BY(keeper_close) keeper k;                                                                                  \
    keeper_open(&(k), socket_path)

/* Begins to renew c.lease until `hold` ms from now; 0: without end. */
static void keep_for(keeper *k, const char *name, int64_t hold)
{
    lock_renewal_terms terms = {hold > 0 ? platform_now() + MS(hold) : PLATFORM_NEVER, &k->stats};

    k->renewal = lock_renewal_begin(k->renewer, &k->c.lock, BYTES(name), &k->c.lease, &terms, &k->c.error);
    CHECK(k->renewal != NULL);
}

/* Takes the lock for `lease` ms and begins to renew it. */
static void take_and_keep(keeper *k, const char *name, int64_t lease)
{
    CHECK_INT(take(&k->c, name, lease, 0), LOCK_YES);
    keep_for(k, name, 0);
}

/* Returns the µs of the lease that are left as far as its holder knows. */
static int64_t left(keeper *k)
{
    lock_renewal_read(k->renewal, &k->c.lease);
    return lock_lease_validity(&k->c.lease, platform_now());
}

static lock_renewal_state state_of(keeper *k)
{
    return lock_renewal_read(k->renewal, &k->c.lease);
}

/* Waits until the renewal is no longer on, `most` ms at most. */
static void until_over(keeper *k, int64_t most)
{
    int64_t start = platform_now();

    while (state_of(k) == LOCK_RENEWAL_ON && ms_since(start) < most) {
        sleep_ms(2);
    }
}

/* Checks for `span` ms that the holder believes in its lease, and that Redis keeps the lock for longer than that. */
static void is_kept_for(keeper *k, server *s, int64_t span)
{
    int64_t start = platform_now();

    while (ms_since(start) < span) {
        int64_t asked = platform_now(), believed = left(k), kept = MS(say_number(s, "PTTL lock:a"));
        CHECK_SAFE(believed <= kept + (platform_now() - asked));
        CHECK(believed > 0);
        sleep_ms(10);
    }
}

TEST(renewal_keeps_the_lock_beyond_its_lease)
{
    SERVER(s, NULL);
    KEEPER(k, s.path);
    take_and_keep(&k, "a", 600);
    is_kept_for(&k, &s, 2000);
    CHECK_INT(keeper_end(&k), LOCK_RENEWAL_ON);
    CHECK_RANGE(6, (int64_t)k.stats.renewed, 12);
    CHECK_INT(drop(&k.c, "a"), LOCK_YES);
    CHECK_NO_KEY(&s);
}

TEST(renewal_sends_nothing_behind_its_end)
{
    SERVER(s, NULL);
    KEEPER(k, s.path);
    take_and_keep(&k, "a", 300);
    sleep_ms(200);
    keeper_end(&k);
    long long before = server_calls(&s, "evalsha") + server_calls(&s, "eval");
    sleep_ms(400);
    CHECK_INT(server_calls(&s, "evalsha") + server_calls(&s, "eval"), before);
    CHECK_NO_KEY(&s);
}

TEST(renewal_ends_when_the_lock_is_another_owners)
{
    SERVER(s, NULL);
    KEEPER(k, s.path);
    take_and_keep(&k, "a", 900);
    say(&s, "SET lock:a other PX 60000");
    int64_t start = platform_now();
    until_over(&k, 2000);
    CHECK_INT(state_of(&k), LOCK_RENEWAL_REFUSED);
    CHECK_RANGE(0, ms_since(start), 300 + SLACK);
    CHECK_INT(left(&k), 0);
    CHECK_RANGE(59000, say_number(&s, "PTTL lock:a"), 60000);
    CHECK_INT(keeper_end(&k), LOCK_RENEWAL_REFUSED);
    CHECK_INT((int64_t)k.stats.lost_while_held, 1);
    CHECK_INT(drop(&k.c, "a"), LOCK_NOT_OWNED);
}

TEST(renewal_does_not_bring_a_lock_back)
{
    SERVER(s, NULL);
    KEEPER(k, s.path);
    take_and_keep(&k, "a", 300);
    say(&s, "DEL lock:a");
    until_over(&k, 2000);
    CHECK_INT(state_of(&k), LOCK_RENEWAL_REFUSED);
    CHECK_NO_KEY(&s);
}

TEST(renewal_outlasts_a_server_that_stands_still_for_less_than_the_lease)
{
    SERVER(s, NULL);
    KEEPER(k, s.path);
    take_and_keep(&k, "a", 2000);
    server_freeze(&s);
    sleep_ms(1200);
    CHECK(left(&k) > 0);
    server_thaw(&s);
    is_kept_for(&k, &s, 2500);
    CHECK_INT(state_of(&k), LOCK_RENEWAL_ON);
}

TEST(renewal_of_a_lease_that_ended_meanwhile_tells_the_loss)
{
    SERVER(s, NULL);
    KEEPER(k, s.path);
    take_and_keep(&k, "a", 400);
    server_freeze(&s);
    until_over(&k, 2000);
    CHECK_INT(state_of(&k), LOCK_RENEWAL_ENDED);
    CHECK_INT(left(&k), 0);
    server_thaw(&s);
    CHECK_INT(keeper_end(&k), LOCK_RENEWAL_ENDED);
    CHECK_INT((int64_t)k.stats.lost_while_held, 1);
    CHECK(k.stats.failures > 0);
}

TEST(renewal_outlasts_the_loss_of_its_connection)
{
    SERVER(s, NULL);
    KEEPER(k, s.path);
    take_and_keep(&k, "a", 600);
    for (int i = 0; i < 20; i++) {
        say(&s, "CLIENT KILL TYPE normal SKIPME yes");
        is_kept_for(&k, &s, 100);
    }
    CHECK_INT(state_of(&k), LOCK_RENEWAL_ON);
}

TEST(renewal_outlasts_a_server_that_forgets_the_script)
{
    SERVER(s, NULL);
    KEEPER(k, s.path);
    take_and_keep(&k, "a", 600);
    for (int i = 0; i < 10; i++) {
        say(&s, "SCRIPT FLUSH");
        is_kept_for(&k, &s, 150);
    }
    CHECK_INT((int64_t)k.stats.failures, 0);
}

TEST(renewal_never_shortens_a_lease)
{
    SERVER(s, NULL);
    KEEPER(k, s.path);
    take_and_keep(&k, "a", 300);
    say(&s, "PEXPIRE lock:a 60000");
    sleep_ms(500);
    CHECK_RANGE(59000, say_number(&s, "PTTL lock:a"), 60000);
    CHECK(left(&k) > 0);
    CHECK(left(&k) < MS(300));
    say(&s, "PERSIST lock:a");
    sleep_ms(300);
    CHECK_INT(say_number(&s, "PTTL lock:a"), -1);
    CHECK(left(&k) > 0);
}

TEST(renewal_ends_where_the_lock_is_held_for_too_long)
{
    SERVER(s, NULL);
    KEEPER(k, s.path);
    CHECK_INT(take(&k.c, "a", 600, 0), LOCK_YES);
    keep_for(&k, "a", 700);
    until_over(&k, 3000);
    CHECK_INT(state_of(&k), LOCK_RENEWAL_TOO_LONG);
    CHECK(left(&k) > 0);
    CHECK_RANGE(1, say_number(&s, "PTTL lock:a"), 600);
    until_no_key(&s);
    CHECK_INT(left(&k), 0);
    CHECK_INT((int64_t)k.stats.lost_while_held, 0);
}

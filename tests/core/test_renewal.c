/* SPDX-License-Identifier: MIT
 *
 * Leases that a background thread renews.
 */
#include "keeper.h"

TEST(renewal_keeps_the_lock_beyond_its_lease)
{
    SERVER(s, NULL);
    KEEPER(k, s.path);
    take_and_keep(&k, "a", 1500);
    is_kept_for(&k, &s, 5000);
    CHECK_INT(keeper_end(&k), LOCK_RENEWAL_ON);
    CHECK_RANGE(6 - held_up() / 500, (int64_t)counts_of(&k).renewed, 12);
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
    take_and_keep(&k, "a", 1500);
    say(&s, "SET lock:a other PX 60000");
    int64_t start = platform_now();
    until_over(&k, 5000);
    CHECK_INT(state_of(&k), LOCK_RENEWAL_REFUSED);
    CHECK_RANGE(0, ms_since(start), 500 + SLACK);
    CHECK_INT(left(&k), 0);
    CHECK_RANGE(59000 - held_up(), say_number(&s, "PTTL lock:a"), 60000);
    CHECK_INT(keeper_end(&k), LOCK_RENEWAL_REFUSED);
    CHECK_INT((int64_t)counts_of(&k).lost_while_held, 1);
    CHECK_INT(drop(&k.c, "a"), LOCK_NOT_OWNED);
}

TEST(renewal_does_not_bring_a_lock_back)
{
    SERVER(s, NULL);
    KEEPER(k, s.path);
    take_and_keep(&k, "a", 1500);
    say(&s, "DEL lock:a");
    until_over(&k, 5000);
    CHECK_INT(state_of(&k), LOCK_RENEWAL_REFUSED);
    CHECK_NO_KEY(&s);
}

TEST(renewal_outlasts_a_server_that_stands_still_for_less_than_the_lease)
{
    SERVER(s, NULL);
    KEEPER(k, s.path);
    take_and_keep(&k, "a", 4000);
    server_freeze(&s);
    sleep_ms(2400);
    CHECK(left(&k) > 0);
    server_thaw(&s);
    is_kept_for(&k, &s, 5000);
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
    CHECK_INT((int64_t)counts_of(&k).lost_while_held, 1);
    CHECK(counts_of(&k).failures > 0);
}

/* The holder looks at a time behind the end of its lease: as it does when the thread is held up for a moment while it
 * tells of an answer in time. */
TEST(renewal_that_was_told_to_be_lost_stays_lost)
{
    SERVER(s, NULL);
    KEEPER(k, s.path);
    take_and_keep(&k, "a", 300);
    CHECK_INT(lock_renewal_read(k.renewal, &k.c.lease, platform_now() + MS(300)), LOCK_RENEWAL_ENDED);
    CHECK_INT(left(&k), 0);
    until_no_key(&s);
    CHECK_INT(left(&k), 0);
    CHECK_INT(keeper_end(&k), LOCK_RENEWAL_ENDED);
    CHECK_INT((int64_t)counts_of(&k).lost_while_held, 1);
}

/* The same while the request is under way: Redis makes the lease longer, for which it is too late. */
TEST(renewal_under_way_does_not_undo_a_loss_that_was_told)
{
    SERVER(s, NULL);
    KEEPER(k, s.path);
    take_and_keep(&k, "a", 3000);
    server_freeze(&s);
    sleep_ms(1300);
    CHECK_INT(lock_renewal_read(k.renewal, &k.c.lease, platform_now() + MS(3000)), LOCK_RENEWAL_ENDED);
    server_thaw(&s);
    until_renewed(&k, 1);
    CHECK_INT(left(&k), 0);
    CHECK_INT(state_of(&k), LOCK_RENEWAL_ENDED);
    until_no_key(&s);
    CHECK_INT((int64_t)counts_of(&k).renewed, 1);
    CHECK_INT((int64_t)counts_of(&k).lost_while_held, 1);
}

TEST(renewal_outlasts_the_loss_of_its_connection)
{
    SERVER(s, NULL);
    KEEPER(k, s.path);
    take_and_keep(&k, "a", 1500);
    for (int i = 0; i < 30; i++) {
        say(&s, "CLIENT KILL TYPE normal SKIPME yes");
        is_kept_for(&k, &s, 100);
    }
    CHECK_INT(state_of(&k), LOCK_RENEWAL_ON);
}

TEST(renewal_outlasts_a_server_that_forgets_the_script)
{
    SERVER(s, NULL);
    KEEPER(k, s.path);
    take_and_keep(&k, "a", 1500);
    for (int i = 0; i < 10; i++) {
        say(&s, "SCRIPT FLUSH");
        is_kept_for(&k, &s, 250);
    }
    CHECK_INT((int64_t)counts_of(&k).failures, 0);
}

TEST(renewal_never_shortens_a_lease)
{
    SERVER(s, NULL);
    KEEPER(k, s.path);
    take_and_keep(&k, "a", 1500);
    int64_t start = platform_now();
    say(&s, "PEXPIRE lock:a 60000");
    until_renewed(&k, 3);
    CHECK_RANGE(60000 - ms_since(start) - 1, say_number(&s, "PTTL lock:a"), 60000);
    CHECK(left(&k) > 0);
    CHECK(left(&k) < MS(1500));
    say(&s, "PERSIST lock:a");
    until_renewed(&k, 2);
    CHECK_INT(say_number(&s, "PTTL lock:a"), -1);
    CHECK(left(&k) > 0);
}

TEST(renewal_ends_where_the_lock_is_held_for_too_long)
{
    SERVER(s, NULL);
    KEEPER(k, s.path);
    CHECK_INT(take(&k.c, "a", 1500, 0), LOCK_YES);
    keep_for(&k, "a", 1600);
    until_over(&k, 5000);
    CHECK_INT(state_of(&k), LOCK_RENEWAL_TOO_LONG);
    CHECK(left(&k) > 0);
    CHECK_RANGE(1, say_number(&s, "PTTL lock:a"), 1500);
    until_no_key(&s);
    CHECK_INT(left(&k), 0);
    CHECK_INT((int64_t)counts_of(&k).lost_while_held, 0);
}

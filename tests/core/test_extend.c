/* SPDX-License-Identifier: MIT
 *
 * Extensions that arrive late, behind one that was requested after them.
 */
#include "bed.h"
#include "redis/scripts.h"

typedef struct late {
    server s;
    relay r;
    client c;
} late;

/* Takes "a" for `lease`, and extends it to `first` and then to `second`. The first request is held back by the relay,
 * the second one is answered. */
static void late_begin(late *l, int64_t lease, int64_t first, int64_t second)
{
    server_start(&l->s, NULL);
    relay_start(&l->r, &l->s);
    client_open(&l->c, l->r.path);
    CHECK_INT(take(&l->c, "a", lease, 0), LOCK_YES);
    CHECK_INT(extend(&l->c, "a", lease), LOCK_YES); /* so that the server knows the script later */
    CHECK_TEXT(say(&l->s, "KEYS *"), "lock:a");
    atomic_store(&l->r.control->hold, atomic_load(&l->r.control->connections));
    client_gives_up_after(&l->c, 150);
    CHECK_INT(extend(&l->c, "a", first), LOCK_FAILED);
    client_gives_up_after(&l->c, 5000);
    CHECK_INT(extend(&l->c, "a", second), LOCK_YES);
}

/* Lets the first extension arrive. */
static void late_arrive(late *l)
{
    long long before = server_calls(&l->s, "evalsha");
    int64_t start = platform_now();

    atomic_store(&l->r.control->hold, 0);
    while (server_calls(&l->s, "evalsha") == before && ms_since(start) < 5000) {
        sleep_ms(5);
    }
    CHECK_INT(server_calls(&l->s, "evalsha"), before + 1);
}

static void late_close(late *l)
{
    client_close(&l->c);
    relay_stop(&l->r);
    server_stop(&l->s);
}

#define LATE(l, lease, first, second)                                                                                  \
    CLOSED_BY(late_close) late l;                                                                                      \
    late_begin(&(l), lease, first, second)

TEST(extend_that_arrives_late_does_not_shorten_what_a_later_one_set)
{
    LATE(l, 10000, 1500, 30000);
    late_arrive(&l);
    CHECK_RANGE(20000, say_number(&l.s, "PTTL lock:a"), 30000);
    CHECK(lock_lease_validity(&l.c.lease, platform_now()) <= MS(say_number(&l.s, "PTTL lock:a")));
}

TEST(extend_without_end_that_arrives_late_leaves_no_key_without_end)
{
    LATE(l, 10000, PLATFORM_NEVER, 5000);
    late_arrive(&l);
    CHECK_RANGE(0, say_number(&l.s, "PTTL lock:a"), 5000);
}

TEST(extend_that_arrives_late_does_nothing_to_the_next_holder)
{
    LATE(l, 10000, 1500, 30000);
    CHECK_INT(drop(&l.c, "a"), LOCK_YES);
    CHECK_INT(take(&l.c, "a", 20000, 0), LOCK_YES);
    late_arrive(&l);
    CHECK_RANGE(10000, say_number(&l.s, "PTTL lock:a"), 20000);
}

TEST(extend_leaves_a_note_only_where_one_was_lost_and_no_longer_than_the_lease)
{
    LATE(l, 10000, 1500, 30000);
    CHECK_RANGE(20000, say_number(&l.s, "PTTL {lock:a}:rl:note"), 30000);
    CHECK_INT(extend(&l.c, "a", 60000), LOCK_YES);
    CHECK_RANGE(50000, say_number(&l.s, "PTTL {lock:a}:rl:note"), 60000);
    late_arrive(&l);
    CHECK_RANGE(50000, say_number(&l.s, "PTTL lock:a"), 60000);
    CHECK_INT(extend(&l.c, "a", PLATFORM_NEVER), LOCK_YES);
    CHECK_INT(say_number(&l.s, "PTTL lock:a"), -1);
    CHECK_RANGE(60000, say_number(&l.s, "PTTL {lock:a}:rl:note"), 86400000);
}

TEST(extend_of_another_process_is_not_taken_for_a_late_one)
{
    LATE(l, 10000, 1500, 30000);
    CLIENT(other, l.s.path);
    rl_bytes token = {l.c.lease.token, l.c.lease.token_len};
    other.lease = (lock_lease){.token = platform_memdup(token.at, token.len), .token_len = token.len};
    CHECK_INT(extend(&other, "a", 40000), LOCK_YES);
    CHECK_RANGE(30000, say_number(&l.s, "PTTL lock:a"), 40000);
    late_arrive(&l);
    CHECK_RANGE(30000, say_number(&l.s, "PTTL lock:a"), 40000);
}

TEST(extend_note_goes_with_the_lock)
{
    LATE(l, 10000, 1500, 30000);
    CHECK_INT(drop(&l.c, "a"), LOCK_YES);
    CHECK_NO_KEY(&l.s);
    late_arrive(&l);
    CHECK_NO_KEY(&l.s);
}

/* An extension whose first answer was lost was repeated, and then answered. Its first request may still be on its
 * way. */
TEST(extend_that_was_repeated_leaves_doubt)
{
    SERVER(s, NULL);
    RELAY(r, &s);
    CLIENT(c, r.path);
    CHECK_INT(take(&c, "a", 10000, 0), LOCK_YES);
    CHECK_INT(extend(&c, "a", 10000), LOCK_YES);
    CHECK_INT(c.extensions.doubt_until, 0);
    atomic_store(&r.control->swallow, 1);
    CHECK_INT(extend(&c, "a", 10000), LOCK_YES);
    CHECK(c.extensions.doubt_until > platform_now());
    CHECK_INT(extend(&c, "a", 30000), LOCK_YES);
    CHECK_INT(say_number(&s, "EXISTS {lock:a}:rl:note"), 1);
}

TEST(extend_in_doubt_works_where_memory_is_short)
{
    LATE(l, 10000, 1500, 30000);
    say(&l.s, "CONFIG SET maxmemory 1");
    CHECK_INT(extend(&l.c, "a", 60000), LOCK_YES);
    CHECK_RANGE(50000, say_number(&l.s, "PTTL lock:a"), 60000);
}

/* lockAll() extends the locks that it holds while it waits for the rest. */
TEST(extend_of_many_that_arrives_late_does_nothing)
{
    LATE(l, 10000, 1500, 30000);
    say(&l.s, "CONFIG RESETSTAT");
    const char *note = say(&l.s, "GET {lock:a}:rl:note");
    char source[LOCK_SOURCE_LEN + 1] = {0};
    memcpy(source, note, LOCK_SOURCE_LEN);
    CHECK_INT(say_number(&l.s, "EVAL %s 4 lock:a {lock:a}:rl:baton {lock:a}:rl:wait {lock:a}:rl:note 1500 %s 1 0 %s",
                         rl_script_extend_all.text, source, token_of(&l.c)),
              0);
    CHECK_RANGE(20000, say_number(&l.s, "PTTL lock:a"), 30000);
}

/* A repeat of the request that took the lock may arrive late as well, from a proxy that has lost the client. */
TEST(extend_is_not_undone_by_a_repeated_acquire_that_arrives_late)
{
    SERVER(s, NULL);
    CLIENT(c, s.path);
    CHECK_INT(take(&c, "a", 1500, 0), LOCK_YES);
    const char *repeat = "EVAL %s 3 lock:a {lock:a}:rl:baton {lock:a}:rl:wait %s 1500 %s 0 0 1 %s 100 %s";
    const char *of_many = "EVAL %s 3 lock:a {lock:a}:rl:baton {lock:a}:rl:wait 1 1500 1 1 %s";
    sleep_ms(600);
    CHECK_TEXT(say(&s, of_many, rl_script_acquire_all.text, token_of(&c)), "1 0");
    CHECK_RANGE(1000, say_number(&s, "PTTL lock:a"), 1500); /* it is not behind an extension: the lease begins anew */
    CHECK_INT(extend(&c, "a", 30000), LOCK_YES);
    CHECK_TEXT(say(&s, repeat, rl_script_acquire.text, token_of(&c), "", "", ""), "1 0");
    CHECK_RANGE(20000, say_number(&s, "PTTL lock:a"), 30000 + 2 * MARK);
    CHECK_TEXT(say(&s, of_many, rl_script_acquire_all.text, token_of(&c)), "1 0");
    CHECK_RANGE(20000, say_number(&s, "PTTL lock:a"), 30000 + 2 * MARK);
    CHECK_INT(extend(&c, "a", PLATFORM_NEVER), LOCK_YES);
    CHECK_TEXT(say(&s, repeat, rl_script_acquire.text, token_of(&c), "", "", ""), "1 0");
    CHECK_INT(say_number(&s, "PTTL lock:a"), -1);
}

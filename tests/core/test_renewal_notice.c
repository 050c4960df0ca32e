/* SPDX-License-Identifier: MIT
 *
 * Leases that a background thread renews or watches: what it tells their holders.
 */
#include "keeper.h"

/* A keeper that is told. */
typedef struct told {
    keeper k;
    atomic_int interrupts;
} told;

static void told_open(told *t, const char *socket_path)
{
    keeper_open(&t->k, socket_path);
    atomic_init(&t->interrupts, 0);
}

static void told_close(told *t)
{
    keeper_close(&t->k);
}

#define TOLD(t, socket_path)                                                                                           \
    CLOSED_BY(told_close) told t;                                                                                      \
    told_open(&(t), socket_path)

static void interrupt_once(void *arg)
{
    atomic_fetch_add((atomic_int *)arg, 1);
}

static lock_renewal_terms terms_of(told *t, int64_t margin)
{
    return (lock_renewal_terms){.hold_until = PLATFORM_NEVER,
                                .stats = &t->k.stats,
                                .margin = MS(margin),
                                .on_notice = interrupt_once,
                                .arg = &t->interrupts};
}

/* Takes the lock "a" for `lease` ms and has it renewed. */
static void renew_and_tell(told *t, int64_t lease, int64_t margin)
{
    lock_renewal_terms terms = terms_of(t, margin);

    CHECK_INT(take(&t->k.c, "a", lease, 0), LOCK_YES);
    t->k.renewal = lock_renewal_begin(t->k.renewer, &t->k.c.lock, BYTES("a"), &t->k.c.lease, &terms, &t->k.c.error);
    CHECK(t->k.renewal != NULL);
}

/* Takes the lock "a" for `lease` ms and has it watched. */
static void watch_and_tell(told *t, int64_t lease, int64_t margin)
{
    lock_renewal_terms terms = terms_of(t, margin);

    CHECK_INT(take(&t->k.c, "a", lease, 0), LOCK_YES);
    t->k.renewal = lock_renewal_watch(t->k.renewer, &t->k.c.lease, &terms, &t->k.c.error);
    CHECK(t->k.renewal != NULL);
}

static void until_interrupted(told *t, int times)
{
    int64_t start = platform_now();

    while (atomic_load(&t->interrupts) < times && ms_since(start) < 5000) {
        sleep_ms(1);
    }
    CHECK(atomic_load(&t->interrupts) >= times);
}

static unsigned take_notices(told *t)
{
    return lock_renewal_take_notices(t->k.renewal, &t->k.c.lease, platform_now());
}

TEST(notice_comes_at_the_margin_of_a_lease_that_cannot_be_renewed)
{
    SERVER(s, NULL);
    TOLD(t, s.path);
    renew_and_tell(&t, 1200, 300);
    server_freeze(&s);
    until_interrupted(&t, 1);
    CHECK_RANGE(850, ms_since(t.k.c.lease.sent), 900 + SLACK);
    CHECK(lock_renewal_has_notice(t.k.renewal));
    CHECK_INT(take_notices(&t), LOCK_NOTICE_LOSS);
    CHECK(!lock_renewal_has_notice(t.k.renewal));
    CHECK_INT(take_notices(&t), 0);
    server_thaw(&s);
}

TEST(notice_is_not_given_of_a_lease_that_is_renewed)
{
    SERVER(s, NULL);
    TOLD(t, s.path);
    renew_and_tell(&t, 1500, 300);
    is_kept_for(&t.k, &s, 3000);
    CHECK_INT(atomic_load(&t.interrupts), 0);
}

TEST(notice_of_a_lock_that_was_taken_away_comes_at_once)
{
    SERVER(s, NULL);
    TOLD(t, s.path);
    renew_and_tell(&t, 1500, 250);
    say(&s, "DEL lock:a");
    int64_t start = platform_now();
    until_interrupted(&t, 1);
    CHECK_RANGE(0, ms_since(start), 500 + SLACK);
    CHECK_INT(take_notices(&t), LOCK_NOTICE_LOSS);
    CHECK_INT(left(&t.k), 0);
    sleep_ms(200);
    CHECK_INT(atomic_load(&t.interrupts), 1);
}

TEST(notice_is_dropped_where_the_lease_was_renewed_after_all)
{
    SERVER(s, NULL);
    TOLD(t, s.path);
    renew_and_tell(&t, 1500, 500);
    server_freeze(&s);
    until_interrupted(&t, 1);
    server_thaw(&s);
    until_renewed(&t.k, 1);
    CHECK_INT(take_notices(&t), 0);
    CHECK(left(&t.k) > MS(500));
    server_freeze(&s);
    until_interrupted(&t, 2);
    CHECK_INT(take_notices(&t), LOCK_NOTICE_LOSS);
    server_thaw(&s);
}

TEST(notice_of_a_lease_that_is_only_watched_comes_at_its_margin)
{
    SERVER(s, NULL);
    TOLD(t, s.path);
    watch_and_tell(&t, 2600, 2000); /* much is left, in which a busy machine looks and releases it */
    long long calls = server_calls(&s, "evalsha") + server_calls(&s, "eval");
    until_interrupted(&t, 1);
    CHECK_RANGE(550, ms_since(t.k.c.lease.sent), 600 + SLACK);
    CHECK_INT(take_notices(&t), LOCK_NOTICE_LOSS);
    CHECK_RANGE(1, left(&t.k), MS(2000));
    CHECK_INT(server_calls(&s, "evalsha") + server_calls(&s, "eval"), calls);
    CHECK_INT(keeper_end(&t.k), LOCK_RENEWAL_ON);
    CHECK_INT(drop(&t.k.c, "a"), LOCK_YES);
}

TEST(notice_is_withdrawn_by_the_end)
{
    SERVER(s, NULL);
    TOLD(t, s.path);
    watch_and_tell(&t, 1000, 100);
    keeper_end(&t.k);
    sleep_ms(1100);
    CHECK_INT(atomic_load(&t.interrupts), 0);
}

TEST(notice_that_cannot_be_taken_yet_comes_again)
{
    SERVER(s, NULL);
    TOLD(t, s.path);
    watch_and_tell(&t, 600, 200);
    until_interrupted(&t, 1);
    for (int i = 2; i < 6; i++) {
        lock_renewal_remind(t.k.renewal, platform_now() + MS(2));
        until_interrupted(&t, i);
    }
    CHECK_INT(take_notices(&t), LOCK_NOTICE_LOSS);
}

/* It waits when the lease ends, and who takes it finds that out. */
TEST(notice_of_a_loss_is_taken_once_although_the_lease_is_over_by_then)
{
    SERVER(s, NULL);
    TOLD(t, s.path);
    watch_and_tell(&t, 400, 200);
    until_interrupted(&t, 1);
    lock_renewal_remind(t.k.renewal, platform_now() + MS(5000));
    sleep_ms(400);
    CHECK_INT(take_notices(&t), LOCK_NOTICE_LOSS);
    CHECK(!lock_renewal_has_notice(t.k.renewal));
    CHECK_INT(take_notices(&t), 0);
}

/* The due notice of the renewed lease takes the reminder's place. It may have been asked for on behalf of other notices. */
TEST(notice_that_cannot_be_taken_yet_comes_again_although_the_lease_is_renewed)
{
    SERVER(s, NULL);
    TOLD(t, s.path);
    renew_and_tell(&t, 1500, 500);
    server_freeze(&s);
    until_interrupted(&t, 1);
    lock_renewal_remind(t.k.renewal, platform_now() + MS(5000));
    server_thaw(&s);
    until_renewed(&t.k, 1);
    until_interrupted(&t, 2);
    CHECK_INT(take_notices(&t), 0);
    CHECK(left(&t.k) > MS(500));
}

/* A reminder puts off neither the due notice nor an earlier reminder. */
TEST(notice_comes_at_the_margin_although_there_is_a_later_reminder)
{
    SERVER(s, NULL);
    TOLD(t, s.path);
    watch_and_tell(&t, 2000, 500);
    lock_renewal_remind(t.k.renewal, platform_now() + MS(20));
    lock_renewal_remind(t.k.renewal, platform_now() + MS(20000));
    until_interrupted(&t, 1);
    CHECK(!lock_renewal_has_notice(t.k.renewal));
    lock_renewal_remind(t.k.renewal, platform_now() + MS(20000));
    until_interrupted(&t, 2);
    CHECK_RANGE(1450, ms_since(t.k.c.lease.sent), 1500 + SLACK);
    CHECK_INT(take_notices(&t), LOCK_NOTICE_LOSS);
}

/* A reminder takes the place of a due notice, and gives it back. */
TEST(notice_comes_at_the_margin_although_there_was_a_reminder)
{
    SERVER(s, NULL);
    TOLD(t, s.path);
    watch_and_tell(&t, 2000, 500);
    lock_renewal_remind(t.k.renewal, platform_now() + MS(20));
    until_interrupted(&t, 1);
    CHECK(!lock_renewal_has_notice(t.k.renewal));
    until_interrupted(&t, 2);
    CHECK_RANGE(1450, ms_since(t.k.c.lease.sent), 1500 + SLACK);
    CHECK_INT(take_notices(&t), LOCK_NOTICE_LOSS);
}

TEST(notice_of_a_lock_that_is_held_for_too_long_precedes_that_of_its_loss)
{
    SERVER(s, NULL);
    TOLD(t, s.path);
    lock_renewal_terms terms = terms_of(&t, 300);
    terms.hold_until = platform_now() + MS(800);
    CHECK_INT(take(&t.k.c, "a", 2000, 0), LOCK_YES);
    t.k.renewal = lock_renewal_begin(t.k.renewer, &t.k.c.lock, BYTES("a"), &t.k.c.lease, &terms, &t.k.c.error);
    until_interrupted(&t, 1);
    lock_renewal_remind(t.k.renewal, platform_now());
    until_interrupted(&t, 2);
    CHECK_INT(take_notices(&t), LOCK_NOTICE_TOO_LONG);
    CHECK(left(&t.k) > MS(300));
    until_interrupted(&t, 3);
    CHECK_INT(take_notices(&t), LOCK_NOTICE_LOSS);
    CHECK_RANGE(1, left(&t.k), MS(300));
}

#define MANY 500

/* The order in which they are told is that of the ends. */
TEST(notice_of_each_of_many_leases_comes_in_time)
{
    SERVER(s, NULL);
    TOLD(t, s.path);
    static held all[MANY];
    lock_renewal_terms terms = terms_of(&t, 100);
    for (int i = 0; i < MANY; i++) {
        all[i].lease = (lock_lease){.sent = platform_now(), .duration = MS(400 + 7 * i % 501)};
        all[i].renewal = lock_renewal_watch(t.k.renewer, &all[i].lease, &terms, &t.k.c.error);
    }
    until_interrupted(&t, MANY);
    for (int i = 0; i < MANY; i++) {
        CHECK_INT(lock_renewal_take_notices(all[i].renewal, &all[i].lease, platform_now()), LOCK_NOTICE_LOSS);
        lock_renewal_end(all[i].renewal, &t.k.c.extensions, &all[i].lease, platform_now());
    }
    CHECK_INT(atomic_load(&t.interrupts), MANY);
}

#ifndef WITHOUT_FORKS
/* The child reads, ends and frees what is its parent's, and watches a lease of its own. */
static void be_a_child(void *arg)
{
    told *t = arg;
    lock_lease lease = t->k.c.lease, own = {.sent = platform_now(), .duration = MS(200)};
    lock_renewal_terms terms = terms_of(t, 50);

    if (CHILDREN_END_AT_ONCE) {
        return;
    }
    atomic_store(&t->interrupts, 0);
    lock_renewal_read(t->k.renewal, &lease, platform_now() + MS(60000));
    lock_renewal_remind(t->k.renewal, platform_now());
    lock_renewal_end(t->k.renewal, &t->k.c.extensions, &lease, platform_now());
    t->k.renewal = lock_renewal_watch(t->k.renewer, &own, &terms, &t->k.c.error);
    atomic_store(&t->interrupts, 0);
    until_interrupted(t, 1);
    CHECK_INT(atomic_load(&t->interrupts), 1);
    lock_renewal_end(t->k.renewal, &t->k.c.extensions, &own, platform_now());
    lock_renewer_free(t->k.renewer);
    client_close(&t->k.c);
}

TEST(notice_is_not_the_childs)
{
    SERVER(s, NULL);
    TOLD(t, s.path);
    renew_and_tell(&t, 1500, 300);
    until_renewed(&t.k, 1); /* a thread that begins takes locks of a sanitizer, which knows nothing of forks */
    process_join(process_start(be_a_child, &t));
    is_kept_for(&t.k, &s, 1000);
    CHECK_INT(atomic_load(&t.interrupts), 0);
}
#endif

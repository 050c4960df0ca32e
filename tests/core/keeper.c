/* SPDX-License-Identifier: MIT
 *
 * keeper: see keeper.h.
 */
#include "keeper.h"

#include <stdio.h>

void keeper_open(keeper *k, const char *socket_path)
{
    memset(k, 0, sizeof(*k));
    client_open(&k->c, socket_path);
    k->renewer = lock_renewer_new();
}

void keeper_open_dsn(keeper *k, const char *dsn)
{
    memset(k, 0, sizeof(*k));
    client_open_dsn(&k->c, dsn);
    k->renewer = lock_renewer_new();
}

void keeper_open_ring(keeper *k, const ring *r)
{
    memset(k, 0, sizeof(*k));
    ring_client(&k->c, r);
    k->renewer = lock_renewer_new();
}

void keeper_close(keeper *k)
{
    if (k->renewal != NULL) {
        keeper_end(k);
    }
    lock_renewer_free(k->renewer);
    client_close(&k->c);
}

static lock_renewal *begin(keeper *k, const char *name, const lock_lease *lease, int64_t hold_until)
{
    lock_renewal_terms terms = {.hold_until = hold_until, .stats = &k->stats};
    lock_renewal *renewal = lock_renewal_begin(k->renewer, &k->c.lock, BYTES(name), lease, &terms, &k->c.error);

    CHECK(renewal != NULL);
    return renewal;
}

/* ---- one lease ---- */

void keep_for(keeper *k, const char *name, int64_t hold)
{
    k->renewal = begin(k, name, &k->c.lease, hold > 0 ? platform_now() + MS(hold) : PLATFORM_NEVER);
}

void take_and_keep(keeper *k, const char *name, int64_t lease)
{
    CHECK_INT(take(&k->c, name, lease, 0), LOCK_YES);
    keep_for(k, name, 0);
}

lock_renewal_state keeper_end_by(keeper *k, int64_t most)
{
    lock_renewal_state state = lock_renewal_end(k->renewal, &k->c.extensions, &k->c.lease, platform_now() + MS(most));

    k->renewal = NULL;
    return state;
}

lock_renewal_state keeper_end(keeper *k)
{
    return keeper_end_by(k, 2000);
}

int64_t left(keeper *k)
{
    int64_t now = platform_now();

    lock_renewal_read(k->renewal, &k->c.lease, now);
    return lock_lease_validity(&k->c.lease, now);
}

lock_renewal_state state_of(keeper *k)
{
    return lock_renewal_read(k->renewal, &k->c.lease, platform_now());
}

void until_over(keeper *k, int64_t most)
{
    int64_t start = platform_now();

    while (state_of(k) == LOCK_RENEWAL_ON && ms_since(start) < most) {
        sleep_ms(2);
    }
}

lock_renewal_stats counts_of(keeper *k)
{
    return lock_renewal_counts(k->renewer, &k->stats);
}

void until_renewed(keeper *k, uint64_t count)
{
    int64_t start = platform_now();

    count += counts_of(k).renewed;
    while (counts_of(k).renewed < count && ms_since(start) < 20000) {
        sleep_ms(1);
    }
}

/* The validity is that of a moment after the answer, so that a pause in between only makes it shorter. */
int64_t check_belief(server *s, const char *name, const lock_lease *lease)
{
    int64_t kept = MS(say_number(s, "PTTL lock:%s", name)), believed = lock_lease_validity(lease, platform_now());

    CHECK_SAFE(believed <= platform_later(kept, 0));
    return believed;
}

void is_kept_for(keeper *k, server *s, int64_t span)
{
    int64_t start = platform_now();

    while (ms_since(start) < span) {
        CHECK_INT(state_of(k), LOCK_RENEWAL_ON);
        CHECK(check_belief(s, "a", &k->c.lease) > 0);
        sleep_ms(10);
    }
}

/* ---- many leases ---- */

/* On a busy machine, the answer to a short lease may come too late. */
static void take_in_time(keeper *k, const char *name, int64_t lease)
{
    int tries = 0;

    while (take(&k->c, name, lease, 0) == LOCK_LATE && tries < 20) {
        tries++;
    }
    CHECK(k->c.lease.token != NULL);
}

void hold(keeper *k, held *h, const char *name, int64_t lease)
{
    take_in_time(k, name, lease);
    snprintf(h->name, sizeof(h->name), "%s", name);
    h->lease = k->c.lease;
    k->c.lease = (lock_lease){0};
    h->renewal = begin(k, name, &h->lease, PLATFORM_NEVER);
}

void hold_again(keeper *k, held *h)
{
    lock_renewal_end(h->renewal, &k->c.extensions, &h->lease, platform_now() + MS(2000));
    CHECK(h->lease.duration > 0); /* it was not lost meanwhile */
    h->lease.sent = platform_now() - h->lease.duration / 3;
    h->renewal = begin(k, h->name, &h->lease, PLATFORM_NEVER);
}

void hold_many(keeper *k, held *all, int count, const char *name, int64_t lease)
{
    char numbered[24];

    for (int i = 0; i < count; i++) {
        snprintf(numbered, sizeof(numbered), "%.8s%d", name, i);
        hold(k, &all[i], numbered, lease);
    }
}

lock_renewal_state held_state(held *h)
{
    return lock_renewal_read(h->renewal, &h->lease, platform_now());
}

int64_t held_left(held *h)
{
    int64_t now = platform_now();

    lock_renewal_read(h->renewal, &h->lease, now);
    return lock_lease_validity(&h->lease, now);
}

lock_renewal_state let_go(keeper *k, held *h)
{
    lock_renewal_state state = lock_renewal_end(h->renewal, &k->c.extensions, &h->lease, platform_now() + MS(2000));

    lock_release(&k->c.lock, BYTES(h->name), &h->lease, lock_budget(&k->c.lock), &k->c.error);
    lock_lease_free(&h->lease);
    return state;
}

void let_go_many(keeper *k, held *all, int count)
{
    for (int i = 0; i < count; i++) {
        lock_renewal_stop(all[i].renewal);
    }
    for (int i = 0; i < count; i++) {
        CHECK_INT(let_go(k, &all[i]), LOCK_RENEWAL_ON);
    }
}

#ifdef UNDER_VALGRIND
/* The lease is long, and due at once. */
static void warm_up(void)
{
    held h;

    SERVER(s, NULL);
    KEEPER(k, s.path);
    k.c.lock.target.connect_timeout = k.c.lock.target.read_timeout = MS(20000);
    hold(&k, &h, "a", 60000);
    hold_again(&k, &h);
    until_renewed(&k, 1);
    check_belief(&s, "a", &h.lease);
    let_go(&k, &h);
}

__attribute__((constructor)) static void register_warm_up(void)
{
    test_warm_up = warm_up;
}
#endif

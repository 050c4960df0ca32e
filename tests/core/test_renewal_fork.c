/* SPDX-License-Identifier: MIT
 *
 * Leases that a background thread renews, and forks: a child has neither the thread nor the leases.
 */
#include <unistd.h>

#include "keeper.h"
#include "lock/renewal_table.h"

#ifndef WITHOUT_FORKS

#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define WITH_LEAK_CHECK
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
#define WITH_LEAK_CHECK
#endif
#ifdef WITH_LEAK_CHECK
#include <sanitizer/lsan_interface.h>
#endif

#define LOCKS 3

typedef struct family {
    keeper k;
    held all[LOCKS];
    held busy; /* gives the thread something to do at each fork */
    server *s;
    int number; /* of the child */
} family;

/* Makes the renewer remember servers at which there is no lease any more. */
static void leave_idle_servers(keeper *k)
{
    held h;

    k->c.lock.target.read_timeout++;
    hold(k, &h, "idle", 1000);
    let_go(k, &h);
    k->c.lock.target.read_timeout--;
}

static void family_open(family *f, server *s, int64_t lease)
{
    keeper_open(&f->k, s->path);
    f->s = s;
    leave_idle_servers(&f->k);
    hold_many(&f->k, f->all, LOCKS, "n", lease);
}

/* Ends the parent's renewals in the child, which leaves the leases alone. */
static void disown(family *f)
{
    for (int i = 0; i < LOCKS; i++) {
        lock_lease *lease = &f->all[i].lease, before = *lease;
        lock_renewal_stop(f->all[i].renewal);
        CHECK_INT(lock_renewal_end(f->all[i].renewal, &f->k.c.extensions, lease, platform_now() + MS(2000)),
                  LOCK_RENEWAL_ON);
        CHECK(memcmp(&before, lease, sizeof(before)) == 0);
    }
    lock_renewal_end(f->busy.renewal, &f->k.c.extensions, &f->busy.lease, 0);
}

/* The child has a lock of its own, whose lease a thread of its own renews, and ends all. */
static void live_on(family *f)
{
    held own[2];

    hold_many(&f->k, own, 2, "own", 30000);
    hold_again(&f->k, &own[0]);
    until_renewed(&f->k, 1);
    let_go_many(&f->k, own, 2);
}

/* Fails if memory is lost, if a sanitizer can tell. */
static void check_leaks(void)
{
#ifdef WITH_LEAK_CHECK
    CHECK_INT(__lsan_do_recoverable_leak_check(), 0);
#endif
}

static void be_a_child(void *arg)
{
    family *f = arg;
    bool ends_first = f->number % 3 > 0;

    if (CHILDREN_END_AT_ONCE) {
        return;
    }
    if (ends_first) {
        disown(f);
    }
    if (f->number % 8 == 0) {
        live_on(f);
    }
    if (!ends_first) {
        disown(f);
    }
    lock_renewer_free(f->k.renewer);
    client_close(&f->k.c);
    if (f->number % 12 == 0) {
        check_leaks(); /* takes long */
    }
}

static void are_believed(family *f)
{
    for (int i = 0; i < LOCKS; i++) {
        CHECK_INT(held_state(&f->all[i]), LOCK_RENEWAL_ON);
        check_belief(f->s, f->all[i].name, &f->all[i].lease);
    }
}

/* Forks again and again while the thread renews leases and, if `server_cuts`, connects anew. */
static void fork_often(server *s, int times, bool server_cuts)
{
    family f = {0};
    unsigned seed = (unsigned)getpid();

    family_open(&f, s, 3000);
    hold(&f.k, &f.busy, "busy", 60000);
    hold_again(&f.k, &f.busy);
    until_renewed(&f.k, 1); /* a thread that begins takes locks of a sanitizer, which knows nothing of forks */
    for (f.number = 1; f.number <= times; f.number++) {
        if (server_cuts) {
            say(s, "CLIENT KILL TYPE normal SKIPME yes");
        }
        hold_again(&f.k, &f.busy);
        for (int64_t until = platform_now() + rand_r(&seed) % 1000; platform_now() < until;) {
        }
        process_join(process_start(be_a_child, &f));
        are_believed(&f);
    }
    until_renewed(&f.k, 2 * LOCKS);
    are_believed(&f);
    let_go(&f.k, &f.busy);
    let_go_many(&f.k, f.all, LOCKS);
    keeper_close(&f.k);
    until_no_key(s);
    CHECK_NO_KEY(s);
}

TEST(renewal_goes_on_in_the_parent_of_many_children)
{
    SERVER(s, NULL);
    fork_often(&s, 150, false);
}

TEST(renewal_goes_on_in_the_parent_while_connections_break)
{
    SERVER(s, NULL);
    fork_often(&s, 150, true);
}

static void free_all(void *arg)
{
    keeper *k = arg;

    if (CHILDREN_END_AT_ONCE) {
        return;
    }
    lock_renewer_free(k->renewer);
    client_close(&k->c);
    check_leaks();
}

TEST(renewal_that_was_ended_under_way_is_freed_in_a_child)
{
    SERVER(s, NULL);
    KEEPER(k, s.path);
    take_and_keep(&k, "a", 1500);
    until_renewed(&k, 1);
    server_freeze(&s);
    sleep_ms(700);
    CHECK_INT(keeper_end_by(&k, 0), LOCK_RENEWAL_ON);
    process_join(process_start(free_all, &k));
}

static int groups_inherited(const keeper *k)
{
    int count = 0;

    for (renewal_group *group = k->renewer->inherited; group != NULL; group = group->next) {
        count++;
    }
    return count;
}

/* Each generation renews a lease, and leaves the next one a lease whose renewal it has ended under way. */
static void be_a_generation(void *arg)
{
    family *f = arg;
    held own;
    char name[16];

    kill(f->s->pid, SIGCONT);
    if (CHILDREN_END_AT_ONCE || ++f->number > 8) {
        return;
    }
    snprintf(name, sizeof(name), "n%d", f->number);
    hold(&f->k, &own, name, 30000);
    hold_again(&f->k, &own);
    until_renewed(&f->k, 1);
    CHECK_INT(groups_inherited(&f->k), 0);
    kill(f->s->pid, SIGSTOP);
    hold_again(&f->k, &own);
    sleep_ms(20);
    lock_renewal_end(own.renewal, &f->k.c.extensions, &own.lease, 0);
    process_join(process_start(be_a_generation, f));
    lock_renewer_free(f->k.renewer);
    lock_lease_free(&own.lease);
    client_close(&f->k.c);
    if (f->number == 8) {
        check_leaks();
    }
}

/* What a child inherits, it frees when it has a thread of its own: a process that forks, and goes on in the child again and
 * again, does not grow. */
TEST(renewal_generations_of_forks_do_not_add_up)
{
    SERVER(s, NULL);
    family f = {.s = &s};

    keeper_open(&f.k, s.path);
    process_join(process_start(be_a_generation, &f));
    keeper_close(&f.k);
}

static void just_live(void *arg)
{
    (void)arg;
    sleep_ms(60000);
}

/* The process that holds the lock stops, and its child lives on. */
static void be_a_holder(void *arg)
{
    family *f = arg;

    family_open(f, f->s, 1500);
    until_renewed(&f->k, LOCKS);
    process_start(just_live, NULL);
    sleep_ms(60000);
}

/* The child of this child ends with it. */
TEST(renewal_is_not_the_childs)
{
    SERVER(s, NULL);
    family f = {.s = &s};
    pid_t holder = process_start(be_a_holder, &f);
    int64_t start = platform_now();
    while (say_number(&s, "DBSIZE") < LOCKS && ms_since(start) < 5000) {
        sleep_ms(1);
    }
    sleep_ms(2000);
    CHECK_INT(say_number(&s, "DBSIZE"), LOCKS);
    process_freeze(holder);
    start = platform_now();
    until_no_key(&s);
    CHECK_RANGE(0, ms_since(start), 1500 + 100 + SLACK); /* Redis removes what has expired ten times a second */
    process_kill(holder);
}

#endif

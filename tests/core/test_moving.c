/* SPDX-License-Identifier: MIT
 *
 * Locks in a slot of a cluster that moves, and stays half-way: the keys that the slot has are at one of two nodes, and neither
 * runs a script of several keys of which some are missing.
 */
#include "cluster_bed.h"

#include "keeper.h"
#include "lock/all.h"
#include "redis/cluster.h"

/* A slot that is open: it was begun to be moved. */
typedef struct open_slot {
    cluster c;
    char name[16], key[32];
    server *from, *to;
} open_slot;

/* Finds a lock of the slot's owner. */
static void name_lock(open_slot *o)
{
    cluster_name(&o->c, o->from, 0, o->name);
    snprintf(o->key, sizeof(o->key), "lock:%s", o->name);
}

static void slot_open(open_slot *o)
{
    cluster_open(&o->c, 2, 0, NEVER_FAILED);
    o->from = &o->c.nodes[0];
    name_lock(o);
    o->to = cluster_other(&o->c, o->from);
}

static void slot_close(open_slot *o)
{
    cluster_close(&o->c);
}

#define OPEN_SLOT(o)                                                                                                   \
    CLOSED_BY(slot_close) open_slot o;                                                                                 \
    slot_open(&(o))

static void begin(open_slot *o)
{
    CHECK(cluster_move_begin(&o->c, o->key, o->to) == o->from);
}

/* Moves all keys, and leaves the slot open. */
static void move_keys(open_slot *o)
{
    cluster_move_keys(&o->c, o->key, o->from, o->to, -1);
}

static void end(open_slot *o)
{
    move_keys(o);
    cluster_move_end(&o->c, o->key, o->from, o->to);
    cluster_agrees(&o->c);
}

/* The value of the lock's key at either node. */
static const char *value_at_either(open_slot *o)
{
    const char *value = say(o->from, "GET %s", o->key);

    if (strncmp(value, "ASK", 3) == 0) {
        say(o->to, "ASKING");
        value = say(o->to, "GET %s", o->key);
    }
    return value;
}

TEST(moving_lock_is_taken_and_released)
{
    OPEN_SLOT(o);
    CLUSTER_CLIENT(one, &o.c);
    CLUSTER_CLIENT(two, &o.c);
    begin(&o);
    for (int round = 0; round < 3; round++) {
        int64_t start = platform_now();
        CHECK_INT(take(&one, o.name, 10000, round == 1 ? 1000 : 0), LOCK_YES);
        CHECK_BUSY(lease_end(&one.lease), take(&two, o.name, 10000, 0));
        CHECK_TEXT(value_at_either(&o), token_of(&one));
        CHECK_INT(extend(&one, o.name, 20000), LOCK_YES);
        CHECK_INT(drop(&one, o.name), LOCK_YES);
        CHECK_TEXT(value_at_either(&o), "(nil)");
        CHECK_INT(drop(&one, o.name), LOCK_NOT_OWNED);
        CHECK_RANGE(0, ms_since(start), 400 + SLACK);
    }
}

/* A lock that was taken before, and stays where it is or goes before its slot does. */
static void is_used(bool goes)
{
    lock_lease seen;

    OPEN_SLOT(o);
    CLUSTER_CLIENT(one, &o.c);
    client_gives_up_after(&one, 1000); /* a shorter lease cannot be set, which it tries until then */
    CLUSTER_CLIENT(two, &o.c);
    CHECK_INT(take(&one, o.name, 10000, 0), LOCK_YES);
    begin(&o);
    if (goes) {
        move_keys(&o);
    }
    CHECK_BUSY(lease_end(&one.lease), take(&two, o.name, 10000, 0));
    CHECK_INT(lock_holder(&two.lock, BYTES(o.name), &seen, &two.error), LOCK_YES);
    CHECK_INT(seen.token_len, one.lease.token_len);
    lock_lease_free(&seen);
    CHECK_INT(extend(&one, o.name, 20000), LOCK_YES);
    CHECK_INT(extend(&one, o.name, 1000), LOCK_FAILED);
    CHECK_TEXT(one.error.code, "TRYAGAIN");
    CHECK_BUSY(lease_end(&one.lease), take(&two, o.name, 10000, 100));

    int64_t start = platform_now();
    CHECK_INT(drop(&one, o.name), LOCK_YES);
    CHECK_RANGE(0, ms_since(start), 200 + SLACK);
    CHECK_TEXT(value_at_either(&o), "(nil)");
    CHECK_INT(take(&two, o.name, 10000, 0), LOCK_YES);
    end(&o);
    CHECK_BUSY(lease_end(&two.lease), take(&one, o.name, 10000, 0));
    CHECK_INT(drop(&two, o.name), LOCK_YES);
}

TEST(moving_lock_at_the_source)
{
    is_used(false);
}

TEST(moving_lock_at_the_target)
{
    is_used(true);
}

TEST(moving_force_takes_it_away)
{
    OPEN_SLOT(o);
    CLUSTER_CLIENT(one, &o.c);
    CHECK_INT(take(&one, o.name, 10000, 0), LOCK_YES);
    begin(&o);
    move_keys(&o);
    CHECK_INT(lock_force_release(&one.lock, BYTES(o.name), &one.error), LOCK_YES);
    CHECK_INT(lock_force_release(&one.lock, BYTES(o.name), &one.error), LOCK_NOT_OWNED);
    CHECK_INT(drop(&one, o.name), LOCK_NOT_OWNED);
}

/* Many waits end at their deadline as ever, whatever the nodes have answered to their last tries. */
TEST(moving_wait_ends_in_time)
{
    OPEN_SLOT(o);
    CLUSTER_CLIENT(one, &o.c);
    CLUSTER_CLIENT(two, &o.c);
    CHECK_INT(take(&one, o.name, 60000, 0), LOCK_YES);
    begin(&o);
    for (int i = 0; i < 40; i++) {
        if (i == 20) {
            move_keys(&o);
        }
        int64_t start = platform_now(), before = held_up();
        lock_outcome outcome = take(&two, o.name, 10000, 60 + 7 * (i % 20));
        CHECK(outcome == LOCK_BUSY || (outcome == LOCK_FAILED && was_held_up(&two.error, before)));
        CHECK_RANGE(60 - EARLY, ms_since(start), 60 + 7 * (i % 20) + 50 + SLACK);
    }
}

/* ---- many names ---- */

static lock_outcome take_all(client *c, lock_all_item items[3], int64_t timeout)
{
    size_t about;

    for (int i = 0; i < 3; i++) {
        items[i] = (lock_all_item){.name = BYTES(i == 0 ? "{t}0" : i == 1 ? "{t}1" : "{t}2")};
    }
    return lock_acquire_all(&c->lock, items, 3, MS(10000), MS(timeout), &about, &c->error);
}

static void drop_all(client *c, lock_all_item items[3])
{
    lock_release_item releases[3];
    lock_release_failures failures;

    for (int i = 0; i < 3; i++) {
        releases[i] = (lock_release_item){.name = items[i].name, .lease = &items[i].lease};
    }
    lock_release_all(&c->lock, releases, 3, MS(1000), PLATFORM_NEVER, &failures);
    for (int i = 0; i < 3; i++) {
        CHECK_INT(releases[i].outcome, LOCK_YES);
        lock_lease_free(&items[i].lease);
    }
}

TEST(moving_locks_of_one_slot_are_taken_together)
{
    lock_all_item items[3], others[3];

    OPEN_SLOT(o);
    CLUSTER_CLIENT(one, &o.c);
    CLUSTER_CLIENT(two, &o.c);
    snprintf(o.key, sizeof(o.key), "lock:{t}");
    o.from = cluster_owner(&o.c, o.key);
    o.to = cluster_other(&o.c, o.from);
    CHECK_INT(take_all(&one, items, 0), LOCK_YES);
    begin(&o);
    cluster_move_keys(&o.c, o.key, o.from, o.to, 1);
    int64_t start = platform_now();
    CHECK_BUSY(lease_end(&items[0].lease), take_all(&two, others, 0));
    CHECK_BUSY(lease_end(&items[0].lease), take_all(&two, others, 200));
    CHECK_RANGE(0, ms_since(start), 500 + SLACK);
    drop_all(&one, items);
    for (int round = 0; round < 2; round++) {
        start = platform_now();
        CHECK_INT(take_all(&two, others, round * 500), LOCK_YES);
        CHECK_BUSY(lease_end(&others[0].lease), take_all(&one, items, 0));
        CHECK_BUSY(lease_end(&others[1].lease), take(&one, "{t}1", 1000, 0));
        drop_all(&two, others);
        CHECK_RANGE(0, ms_since(start), 500 + SLACK);
    }
}

/* ---- ASK ---- */

/* An ASK is followed only by what it says something about. Behind ASKING, a node takes a lone key that it lacks for one that is
 * nowhere: then a lock that is held at the other node would be taken. */
TEST(moving_ask_is_of_its_key)
{
    static const char dsn[] = "redis-cluster://10.0.0.1:1000";
    rl_destination from = {"10.0.0.1", 1000}, to;
    rl_endpoint endpoint;
    char why[200];

    CHECK(rl_endpoint_parse(&endpoint, dsn, strlen(dsn), why, sizeof(why)));
    rl_cluster *cluster = rl_cluster_new(&endpoint);
    CHECK(!rl_cluster_is_moving(cluster, BYTES("{a}1")));
    CHECK(rl_cluster_learn_redirection(cluster, "ASK 15495 10.0.0.2:2000", BYTES("{a}1"), true, &from, PLATFORM_NEVER));
    CHECK(rl_cluster_is_moving(cluster, BYTES("{a}1")) && rl_cluster_is_moving(cluster, BYTES("{a}2")));
    CHECK_SAFE(!rl_cluster_take_ask(cluster, BYTES("{a}2"), true, &to));
    CHECK(rl_cluster_has_asked(cluster, BYTES("{a}1"), &(rl_destination){"10.0.0.2", 2000}));
    CHECK(rl_cluster_take_ask(cluster, BYTES("{a}1"), true, &to));
    CHECK_TEXT(to.host, "10.0.0.2");
    CHECK_SAFE(!rl_cluster_take_ask(cluster, BYTES("{a}1"), true, &to)); /* it was followed */

    /* Redis before 7.0 says so, too, if only another key of the request is missing. */
    CHECK(
        rl_cluster_learn_redirection(cluster, "ASK 15495 10.0.0.2:2000", BYTES("{a}1"), false, &from, PLATFORM_NEVER));
    CHECK_SAFE(!rl_cluster_take_ask(cluster, BYTES("{a}1"), true, &to));
    CHECK_SAFE(!rl_cluster_has_asked(cluster, BYTES("{a}1"), &(rl_destination){"10.0.0.2", 2000}));
    CHECK(rl_cluster_take_ask(cluster, BYTES("{a}1"), false, &to));

    CHECK(rl_cluster_learn_redirection(cluster, "ASK 15495 10.0.0.2:2000", BYTES("{a}1"), true, &from, PLATFORM_NEVER));
    sleep_ms(200);
    CHECK_SAFE(!rl_cluster_take_ask(cluster, BYTES("{a}1"), true, &to)); /* it is out of date */
    CHECK(
        rl_cluster_learn_redirection(cluster, "MOVED 15495 10.0.0.2:2000", BYTES("{a}1"), true, &from, PLATFORM_NEVER));
    CHECK(!rl_cluster_is_moving(cluster, BYTES("{a}1")));
    rl_cluster_free(cluster);
    rl_endpoint_free(&endpoint);
}

/* Nobody reads an answer on an idle connection that was awaited by nobody. By the time that somebody does, the slot may have
 * moved on, and the node that it names may have gone. */
TEST(moving_slot_is_not_where_an_old_answer_says)
{
    static const char dsn[] = "redis-cluster://10.0.0.1:1000";
    rl_destination from = {"10.0.0.1", 1000};
    rl_endpoint endpoint;
    char why[200], owner[300];

    CHECK(rl_endpoint_parse(&endpoint, dsn, strlen(dsn), why, sizeof(why)));
    rl_cluster *cluster = rl_cluster_new(&endpoint);
    CHECK(
        rl_cluster_learn_redirection(cluster, "MOVED 15495 10.0.0.2:2000", BYTES("{a}1"), true, &from, platform_now()));
    CHECK(rl_cluster_learn_redirection(cluster, "MOVED 15495 10.0.0.3:3000", BYTES("{a}1"), true, &from,
                                       platform_now() - 2 * PLATFORM_SEC));
    rl_cluster_name_owner(cluster, 15495, owner, sizeof(owner));
    CHECK_TEXT(owner, "10.0.0.2:2000");
    rl_cluster_free(cluster);
    rl_endpoint_free(&endpoint);
}

/* All keys of the lock are still at the source, so the release runs there, until it makes anew a key that it has deleted: the
 * list, in which a baton of before was left. */
TEST(moving_release_that_stops_half_way)
{
    OPEN_SLOT(o);
    CLUSTER_CLIENT(one, &o.c);
    CHECK_INT(take(&one, o.name, 10000, 0), LOCK_YES);
    say_number(o.from, "RPUSH {%s}:rl:baton rl:baton:stale", o.key);
    say_number(o.from, "ZADD {%s}:rl:wait 99999999999999 waiter", o.key);
    begin(&o);
    say(o.from, "CONFIG RESETSTAT");
    CHECK_INT(drop(&one, o.name), LOCK_YES);
    CHECK_TEXT(value_at_either(&o), "(nil)");
    CHECK(strstr(say(o.from, "INFO errorstats"), "errorstat_ERR") != NULL); /* it has stopped */
    CHECK_INT(take(&one, o.name, 10000, 0), LOCK_YES);
    CHECK_INT(drop(&one, o.name), LOCK_YES);
}

/* What needs several keys says so when the call's time is over. */
static void *cancel_soon(void *arg)
{
    open_slot *o = arg;

    sleep_ms(200);
    CHECK_TEXT(say(o->from, "CLUSTER SETSLOT %d STABLE", cluster_slot(o->key)), "OK");
    CHECK_TEXT(say(o->to, "CLUSTER SETSLOT %d STABLE", cluster_slot(o->key)), "OK");
    return NULL;
}

/* What the stand-in refuses says nothing of the slot: when that stays where it was, the whole script runs in time. */
TEST(moving_shorter_lease_is_set_when_the_move_is_cancelled)
{
    OPEN_SLOT(o);
    CLUSTER_CLIENT(one, &o.c);
    CHECK_INT(take(&one, o.name, 60000, 0), LOCK_YES);
    begin(&o);
    client_gives_up_after(&one, 300);
    CHECK_INT(extend(&one, o.name, 5000), LOCK_FAILED);
    CHECK_TEXT(one.error.code, "TRYAGAIN");
    client_gives_up_after(&one, 5000);
    pthread_t thread = thread_start(cancel_soon, &o);
    CHECK_INT(extend(&one, o.name, 5000), LOCK_YES);
    thread_join(thread);
    CHECK_RANGE(1, say_number(o.from, "PTTL %s", o.key), 5000);
    CHECK_INT(drop(&one, o.name), LOCK_YES);
}

TEST(moving_fence_is_refused)
{
    OPEN_SLOT(o);
    CLUSTER_CLIENT(one, &o.c);
    one.lock.fencing = true;
    begin(&o);
    int64_t start = platform_now();
    CHECK_INT(take(&one, o.name, 10000, 1000), LOCK_FAILED);
    CHECK_TEXT(one.error.code, "TRYAGAIN");
    CHECK_RANGE(900 - held_up(), ms_since(start), 1000 + 50 + SLACK);
    end(&o);
    CHECK_INT(take(&one, o.name, 10000, 5000), LOCK_YES);
    CHECK(one.lease.fence > 0);
    CHECK_INT(drop(&one, o.name), LOCK_YES);
}

/* ---- waiters ---- */

typedef struct line {
    open_slot o;
    struct {
        section inside;
        atomic_int next, order[8];
        atomic_llong at[8]; /* when waiter n got the lock */
    } * shared;
} line;

typedef struct stander {
    line *l;
    int number;
} stander;

static void line_open(line *l)
{
    slot_open(&l->o);
    l->shared = shared(sizeof(*l->shared));
}

static void line_close(line *l)
{
    slot_close(&l->o);
}

#define LINE(l)                                                                                                        \
    CLOSED_BY(line_close) line l;                                                                                      \
    line_open(&(l))

static void stand(void *arg)
{
    stander *s = arg;
    line *l = s->l;

    CLUSTER_CLIENT(c, &l->o.c);
    CHECK_INT(take(&c, l->o.name, 10000, 20000), LOCK_YES);
    atomic_store(&l->shared->at[s->number], platform_now());
    int place = section_enter(&l->shared->inside, &c.lease);
    atomic_store(&l->shared->order[atomic_fetch_add(&l->shared->next, 1)], s->number);
    sleep_ms(20);
    section_leave(&l->shared->inside, place);
    CHECK_INT(drop(&c, l->o.name), LOCK_YES);
}

static pid_t join(line *l, int number)
{
    stander s = {l, number};

    return process_start(stand, &s);
}

/* A waiter stands in line before the slot is opened, and gets a lock that is released while it is open. */
static void waiter_gets_it(bool before, bool goes)
{
    LINE(l);
    CLUSTER_CLIENT(holder, &l.o.c);
    CHECK_INT(take(&holder, l.o.name, 20000, 0), LOCK_YES);
    if (!before) {
        begin(&l.o);
    }
    pid_t pid = join(&l, 0);
    if (before) {
        until_waiting(l.o.from, l.o.name, 1);
        begin(&l.o);
    } else {
        sleep_ms(300);
    }
    if (goes) {
        move_keys(&l.o);
    }
    sleep_ms(before ? 0 : 1300); /* long enough to try whether the slot still moves */
    int64_t start = platform_now();
    CHECK_INT(drop(&holder, l.o.name), LOCK_YES);
    process_join(pid);
    int64_t took = (atomic_load(&l.shared->at[0]) - start) / PLATFORM_MSEC;
    CHECK_RANGE(0, took, (before ? 600 : 200) + SLACK);
    note("%lld ms", (long long)took);
}

TEST(moving_waiter_gets_it)
{
    waiter_gets_it(false, false);
}

TEST(moving_waiter_gets_it_at_the_target)
{
    waiter_gets_it(false, true);
}

TEST(moving_waiter_of_before_gets_it)
{
    waiter_gets_it(true, false);
}

TEST(moving_waiter_of_before_gets_it_at_the_target)
{
    waiter_gets_it(true, true);
}

TEST(moving_order_is_back_at_the_end)
{
    pid_t pids[4];

    LINE(l);
    CLUSTER_CLIENT(holder, &l.o.c);
    CHECK_INT(take(&holder, l.o.name, 60000, 0), LOCK_YES);
    begin(&l.o);
    pids[0] = join(&l, 0);
    sleep_ms(400);
    end(&l.o);
    until_waiting(l.o.to, l.o.name, 1);
    for (int i = 1; i < 4; i++) {
        pids[i] = join(&l, i);
        until_waiting(l.o.to, l.o.name, i + 1);
        sleep_ms(30);
    }
    CHECK_INT(drop(&holder, l.o.name), LOCK_YES);
    for (int i = 0; i < 4; i++) {
        process_join(pids[i]);
    }
    for (int i = 0; i < 4; i++) {
        CHECK_INT(l.shared->order[i], i);
    }
}

/* Many clients and a slot that goes to and fro, key by key. */
TEST(moving_to_and_fro_has_one_holder)
{
    pid_t pids[8];

    LINE(l);
    for (int i = 0; i < 8; i++) {
        pids[i] = join(&l, i);
    }
    for (int round = 0; round < 10; round++) {
        server *from = cluster_owner(&l.o.c, l.o.key), *to = cluster_other(&l.o.c, from);
        cluster_move_begin(&l.o.c, l.o.key, to);
        sleep_ms(20);
        cluster_move_keys(&l.o.c, l.o.key, from, to, 1);
        sleep_ms(20);
        cluster_move_keys(&l.o.c, l.o.key, from, to, -1);
        cluster_move_end(&l.o.c, l.o.key, from, to);
    }
    for (int i = 0; i < 8; i++) {
        process_join(pids[i]);
    }
    CHECK_INT(l.shared->next, 8);
}

/* ---- renewal ---- */

/* Keeps leases for three times as long while their slot is open. Two keys go to the target: of one lease that is its
 * own, of three some stay. */
static void leases_are_kept(int count, bool goes)
{
    held all[3];

    OPEN_SLOT(o);
    CLUSTER_CLIENT(other, &o.c);
    CLOSED_BY(keeper_close) keeper k;
    keeper_open_dsn(&k, o.c.dsn);
    snprintf(o.key, sizeof(o.key), "lock:{t}");
    o.from = cluster_owner(&o.c, o.key);
    o.to = cluster_other(&o.c, o.from);
    hold_many(&k, all, count, "{t}", 1500);
    begin(&o);
    if (goes) {
        cluster_move_keys(&o.c, o.key, o.from, o.to, count == 1 ? 1 : 2);
    }
    for (int64_t start = platform_now(); ms_since(start) < 3 * 1500;) {
        for (int i = 0; i < count; i++) {
            CHECK_BUSY(platform_now() + held_left(&all[i]), take(&other, all[i].name, 600, 0));
        }
        sleep_ms(20);
    }
    let_go_many(&k, all, count);
    for (int i = 0; i < count; i++) {
        CHECK_INT(take(&other, all[i].name, 600, 0), LOCK_YES);
        CHECK_INT(drop(&other, all[i].name), LOCK_YES);
    }
    CHECK(counts_of(&k).lost_while_held == 0);
    note("%d failures", (int)counts_of(&k).failures);
}

TEST(moving_lease_is_renewed_at_the_source)
{
    leases_are_kept(1, false);
}

TEST(moving_lease_is_renewed_at_the_target)
{
    leases_are_kept(1, true);
}

/* Each of two slots has leases that no script can renew together. */
TEST(moving_leases_of_two_slots_at_one_node_are_renewed)
{
    static held all[4];
    char tags[2][16], name[32];

    CLUSTER(c, 2, 0, NEVER_FAILED);
    CLOSED_BY(keeper_close) keeper k;
    keeper_open_dsn(&k, c.dsn);
    for (int found = 0, n = 0; found < 2; n++) {
        snprintf(tags[found], sizeof(tags[found]), "{%d}", n);
        found += cluster_owner(&c, tags[found]) == &c.nodes[0];
    }
    for (int i = 0; i < 4; i++) {
        snprintf(name, sizeof(name), "%s%d", tags[i % 2], i);
        hold(&k, &all[i], name, 1200);
    }
    for (int slot = 0; slot < 2; slot++) {
        CHECK(cluster_move_begin(&c, tags[slot], &c.nodes[1]) == &c.nodes[0]);
    }
    until_renewed(&k, 16);
    for (int i = 0; i < 4; i++) {
        CHECK_INT(held_state(&all[i]), LOCK_RENEWAL_ON);
        let_go(&k, &all[i]);
    }
}

TEST(moving_leases_are_renewed_at_both)
{
    leases_are_kept(3, true);
}

/* ---- the backlog ---- */

/* A release that failed is sent again, and finds the slot open. `uses`: the name that the client uses then. */
static void backlog_releases(bool goes, bool same_slot)
{
    char elsewhere[16];

    OPEN_SLOT(o);
    CLUSTER_CLIENT(one, &o.c);
    CHECK_INT(take(&one, o.name, 20000, 0), LOCK_YES);
    lock_release_later(&one.lock, BYTES(o.name), &one.lease);
    begin(&o);
    if (goes) {
        move_keys(&o);
    }
    cluster_name(&o.c, o.from, 1, elsewhere);
    const char *uses = same_slot ? o.name : elsewhere;
    int64_t start = platform_now();
    while (strcmp(value_at_either(&o), "(nil)") != 0) {
        CHECK_RANGE(0, ms_since(start), 1000 + SLACK);
        if (take(&one, uses, 20000, 0) == LOCK_YES) {
            if (same_slot) {
                break;
            }
            CHECK_INT(drop(&one, uses), LOCK_YES);
        }
        sleep_ms(20);
    }
    note("%lld ms", (long long)ms_since(start));
}

TEST(moving_backlog_at_the_source)
{
    backlog_releases(false, false);
}

TEST(moving_backlog_at_the_target)
{
    backlog_releases(true, false);
}

TEST(moving_backlog_of_the_same_lock_at_the_source)
{
    backlog_releases(false, true);
}

TEST(moving_backlog_of_the_same_lock_at_the_target)
{
    backlog_releases(true, true);
}

/* A client has given up a request for the lock with this token. Its release runs ahead of the request, and finds nothing; then
 * the request comes, and takes the lock. The undo behind it finds nothing either if the lock has gone to another node by
 * then. */
static void take_late(open_slot *o, client *one, const char *token, bool is_drawn)
{
    char elsewhere[16];

    cluster_name(&o->c, o->from, 1, elsewhere);
    lock_release_token_later(&one->lock, BYTES(o->name), BYTES(token), is_drawn, MS(20000));
    CHECK_INT(take(one, elsewhere, 20000, 0), LOCK_YES);
    CHECK_INT(drop(one, elsewhere), LOCK_YES);
    CHECK_TEXT(say(o->from, "SET %s %s PX 20000", o->key, token), "OK");
}

#define LATE_TOKEN "rl:00000000000000000000000000000000"

/* The slot begins to move, and `goes_on` says how far it comes; NULL: no key moves. */
static void release_what_was_taken_late(void (*goes_on)(open_slot *), int64_t timeout)
{
    OPEN_SLOT(o);
    CLUSTER_CLIENT(one, &o.c);
    take_late(&o, &one, LATE_TOKEN, true);
    begin(&o);
    if (goes_on != NULL) {
        goes_on(&o);
    }
    CHECK_INT(take(&one, o.name, 20000, timeout), LOCK_YES);
    CHECK_INT(one.backlog.count, 0);
}

TEST(moving_lock_that_was_taken_late_is_released_where_it_has_arrived)
{
    release_what_was_taken_late(end, 0);
}

/* The undo behind the request is refused (TRYAGAIN), since the slot has none of the lock's other keys. */
TEST(moving_lock_that_was_taken_late_is_released_where_it_still_is)
{
    release_what_was_taken_late(NULL, 5000);
}

TEST(moving_lock_that_was_taken_late_is_released_behind_an_ask)
{
    release_what_was_taken_late(move_keys, 0);
}

/* It is sent once to each node that has the slot, and as long as its lease may last. */
TEST(moving_release_that_runs_ahead_is_sent_once_to_each_node)
{
    OPEN_SLOT(o);
    CLUSTER_CLIENT(one, &o.c);
    take_late(&o, &one, LATE_TOKEN, true);
    for (int i = 0; i < 3; i++) {
        CHECK_INT(take(&one, o.name, 20000, 0), LOCK_BUSY);
    }
    CHECK_TEXT(say(o.from, "DEL %s", o.key), "1");
    begin(&o);
    end(&o);
    CHECK_INT(take(&one, o.name, 20000, 0), LOCK_YES);
    CHECK_INT(drop(&one, o.name), LOCK_YES);
    CHECK_TEXT(say(o.to, "SET %s %s PX 20000", o.key, LATE_TOKEN), "OK");
    for (int i = 0; i < 3; i++) {
        CHECK_INT(take(&one, o.name, 20000, 0), LOCK_BUSY);
    }
    cluster_move(&o.c, o.key, o.from);
    CHECK_INT(take(&one, o.name, 20000, 0), LOCK_YES);
    CHECK_INT(one.backlog.count, 0);
}

/* It may hold the lock anew. */
TEST(moving_release_of_the_callers_token_does_not_follow_the_slot)
{
    OPEN_SLOT(o);
    CLUSTER_CLIENT(one, &o.c);
    take_late(&o, &one, "mine", false);
    CHECK_INT(one.backlog.count, 0);
}

/* The whole way: the requests for the lock are lost, since the node stands still. */
TEST(moving_undo_of_a_lost_request_is_kept)
{
    char elsewhere[16];

    OPEN_SLOT(o);
    CLUSTER_CLIENT(one, &o.c);
    cluster_name(&o.c, o.from, 1, elsewhere);
    CHECK_INT(take(&one, elsewhere, 20000, 0), LOCK_YES);
    one.lock.target.connect_timeout = one.lock.target.read_timeout = MS(300);
    server_freeze(o.from);
    CHECK_INT(take(&one, o.name, 20000, 0), LOCK_FAILED);
    server_thaw(o.from);
    one.lock.target.connect_timeout = one.lock.target.read_timeout = MS(5000);
    CHECK_INT(take(&one, elsewhere, 20000, 0), LOCK_BUSY);
    CHECK_RANGE(1, one.backlog.count, 20); /* and not 0: they wait for the slot to go */
}

TEST(moving_lock_that_was_taken_late_is_released_at_a_new_master)
{
    CLOSED_BY(slot_close) open_slot o = {0};
    cluster_open(&o.c, 1, 1, NEVER_FAILED);
    o.from = &o.c.nodes[0];
    name_lock(&o);
    CLUSTER_CLIENT(one, &o.c);
    take_late(&o, &one, LATE_TOKEN, true);
    cluster_failover(&o.c, cluster_replica(&o.c, o.from));
    CHECK_INT(take(&one, o.name, 20000, 0), LOCK_YES);
    CHECK_INT(one.backlog.count, 0);
}

/* What takes the lock late at the target, behind an ASK, is undone there, although the client asks nothing more. */
TEST(moving_undo_stands_behind_asking)
{
    OPEN_SLOT(o);
    CLUSTER_CLIENT(one, &o.c);
    begin(&o);
    CHECK_INT(take(&one, o.name, 20000, 0), LOCK_YES);
    CHECK_INT(drop(&one, o.name), LOCK_YES);
    one.lock.target.connect_timeout = one.lock.target.read_timeout = MS(300);
    server_freeze(o.to);
    CHECK_INT(take(&one, o.name, 20000, 0), LOCK_FAILED);
    server_thaw(o.to);
    sleep_ms(200);
    CHECK_TEXT(value_at_either(&o), "(nil)");
}

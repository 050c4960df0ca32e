/* SPDX-License-Identifier: MIT
 *
 * Many locks at once in several slots of a cluster: one script a slot, all of them in one round trip, all locks or none.
 */
#include "cluster_bed.h"
#include "lock/all.h"

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#define MOST 12

typedef struct set {
    char names[MOST][16];
    lock_all_item items[MOST];
    size_t count;
    size_t about; /* which item the error of the last call concerns */
} set;

/* Names in `count` slots, on each of the masters in turn. */
static void names_of(cluster *c, int count, set *s)
{
    s->count = (size_t)count;
    for (int i = 0; i < count; i++) {
        cluster_name(c, &c->nodes[i % c->masters], i / c->masters, s->names[i]);
    }
}

/* Takes the locks of all names. */
static lock_outcome take_all(client *c, set *s, int64_t lease, int64_t timeout)
{
    for (size_t i = 0; i < s->count; i++) {
        s->items[i] = (lock_all_item){.name = BYTES(s->names[i])};
    }
    return lock_acquire_all(&c->lock, s->items, s->count, MS(lease), MS(timeout), &s->about, &c->error);
}

static void drop_all(client *c, set *s)
{
    lock_release_item releases[MOST];
    lock_release_failures failures;

    for (size_t i = 0; i < s->count; i++) {
        releases[i] = (lock_release_item){.name = s->items[i].name, .lease = &s->items[i].lease};
    }
    lock_release_all(&c->lock, releases, s->count, MS(2000), PLATFORM_NEVER, &failures);
    for (size_t i = 0; i < s->count; i++) {
        CHECK_INT(releases[i].outcome, LOCK_YES);
        lock_lease_free(&s->items[i].lease);
    }
}

/* When the first lease of them is over. */
static int64_t ends_first(const set *s)
{
    int64_t end = PLATFORM_NEVER;

    for (size_t i = 0; i < s->count; i++) {
        end = platform_earlier(end, lease_end(&s->items[i].lease));
    }
    return end;
}

/* Checks that each lock that was taken has its own token at its node. */
static void check_owned(cluster *c, const set *s)
{
    for (size_t i = 0; i < s->count; i++) {
        char key[32];
        snprintf(key, sizeof(key), "lock:%.*s", (int)s->items[i].name.len, s->items[i].name.at);
        CHECK_SAFE_UNTIL(lease_end(&s->items[i].lease), memcmp(say(cluster_owner(c, key), "GET %s", key),
                                                               s->items[i].lease.token, LOCK_TOKEN_LEN) == 0);
    }
}

static void check_no_key(cluster *c)
{
    for (int i = 0; i < c->masters; i++) {
        CHECK_NO_KEY(&c->nodes[i]);
    }
}

static void until_clean(cluster *c)
{
    for (int i = 0; i < c->masters; i++) {
        until_no_key(&c->nodes[i]);
    }
    check_no_key(c);
}

/* Waits until the replicas of all masters acknowledge at once what is written. */
static void until_replicated(cluster *c)
{
    for (int i = 0; i < c->masters; i++) {
        char name[16], key[32];
        cluster_name(c, &c->nodes[i], 0, name);
        snprintf(key, sizeof(key), "lock:%s", name);
        until_acknowledged(&c->nodes[i], 1, key);
    }
    held_up_from_now();
}

/* How often the node has read something from a client, but for our own question. */
static long long reads(server *s)
{
    const char *at = strstr(say(s, "INFO stats"), "total_reads_processed:");

    CHECK(at != NULL);
    return atoll(at + strlen("total_reads_processed:"));
}

static long long scripts(server *s)
{
    return server_calls(s, "evalsha") + server_calls(s, "eval");
}

/* ---- one round round_trip ---- */

/* Four slots on each of three nodes: the four scripts of a node come with one write. */
TEST(slots_are_asked_in_one_write_a_node)
{
    long long before[3];
    set mine;

    CLUSTER(c, 3, 0, NEVER_FAILED);
    CLUSTER_CLIENT(one, &c);
    CLUSTER_CLIENT(two, &c);
    names_of(&c, 12, &mine);
    CHECK_INT(take_all(&one, &mine, 10000, 0), LOCK_YES); /* connects, and learns where the slots are */
    check_owned(&c, &mine);
    drop_all(&one, &mine);
    for (int i = 0; i < 3; i++) {
        say(&c.nodes[i], "CONFIG RESETSTAT");
        before[i] = reads(&c.nodes[i]);
    }
    CHECK_INT(take_all(&one, &mine, 10000, 0), LOCK_YES);
    for (int i = 0; i < 3; i++) {
        CHECK_INT(reads(&c.nodes[i]) - before[i], 2); /* ours, and the request that asks for this number */
        CHECK_INT(scripts(&c.nodes[i]), 4);
        CHECK_INT(server_calls(&c.nodes[i], "eval"), 0); /* the connection knows that the node knows the script */
    }

    /* The last one of all is held by another: what the others gave comes back, in one write a node, too. */
    set last = {.count = 1};
    snprintf(last.names[0], sizeof(last.names[0]), "%.*s", (int)mine.items[11].name.len, mine.items[11].name.at);
    drop_all(&one, &mine);
    CHECK_INT(take_all(&two, &last, 10000, 0), LOCK_YES);
    for (int i = 0; i < 3; i++) {
        say(&c.nodes[i], "CONFIG RESETSTAT");
        before[i] = reads(&c.nodes[i]);
    }
    CHECK_INT(take_all(&one, &mine, 10000, 0), LOCK_BUSY);
    int given_back = 0;
    for (int i = 0; i < 3; i++) {
        CHECK_INT(reads(&c.nodes[i]) - before[i], 3);
        given_back += (int)scripts(&c.nodes[i]) - 4;
    }
    CHECK_INT(given_back, 11);
    drop_all(&two, &last);
    check_no_key(&c);
}

TEST(slots_with_several_names_have_one_script_each)
{
    set mine = {.count = 9};

    CLUSTER(c, 3, 0, NEVER_FAILED);
    CLUSTER_CLIENT(one, &c);
    for (int i = 0; i < 9; i++) {
        snprintf(mine.names[i], sizeof(mine.names[i]), "{%c}%d", "pqr"[i % 3], i);
    }
    for (int i = 0; i < 3; i++) {
        say(&c.nodes[i], "CONFIG RESETSTAT");
    }
    one.lock.fencing = true;
    CHECK_INT(take_all(&one, &mine, 10000, 0), LOCK_YES);
    check_owned(&c, &mine);
    CHECK_RANGE(3, scripts(&c.nodes[0]) + scripts(&c.nodes[1]) + scripts(&c.nodes[2]),
                5);                               /* two were redirected at most */
    for (size_t i = 0; i + 1 < mine.count; i++) { /* the order: slots, and in them the bytes of the names */
        const lock_all_item *item = &mine.items[i];
        CHECK(item->slot < item[1].slot ||
              (item->slot == item[1].slot && memcmp(item->name.at, item[1].name.at, 4) < 0));
        CHECK(item->lease.fence > 0);
    }
    drop_all(&one, &mine);
}

/* Each of the names is held in turn. */
TEST(slots_are_taken_all_or_none)
{
    set mine, held;

    CLUSTER(c, 3, 0, NEVER_FAILED);
    CLUSTER_CLIENT(one, &c);
    CLUSTER_CLIENT(two, &c);
    names_of(&c, 6, &mine);
    for (int i = 0; i < 6; i++) {
        for (int timeout = 0; timeout <= 100; timeout += 100) {
            held = (set){.count = 1};
            memcpy(held.names[0], mine.names[i], sizeof(held.names[0]));
            CHECK_INT(take_all(&two, &held, 10000, 0), LOCK_YES);
            int64_t start = platform_now();
            CHECK_BUSY(ends_first(&held), take_all(&one, &mine, 10000, timeout));
            CHECK_RANGE(timeout - EARLY, ms_since(start), timeout + 50 + SLACK);
            check_owned(&c, &held);
            drop_all(&two, &held);
            if (one.stats.unreleased == 0) {
                check_no_key(&c);
            } else {
                until_clean(&c); /* it was late, and did not wait for the answers */
            }
        }
    }
    CHECK_INT(one.stats.acquired, one.stats.released + one.stats.unreleased);
}

/* ---- several callers ---- */

typedef struct taker {
    cluster *c;
    set mine;
    int64_t lease, timeout;
    int rounds;
    atomic_int has;               /* rounds in which it got all */
    _Atomic lock_outcome outcome; /* of the last round */
    atomic_int go_on;             /* lets it release the locks */
    const char *error;
} taker;

static void *take_and_drop(void *arg)
{
    taker *t = arg;

    CLUSTER_CLIENT(one, t->c);
    client_gives_up_after(&one, 1000);
    for (int i = 0; i < t->rounds; i++) {
        t->outcome = take_all(&one, &t->mine, t->lease, t->timeout);
        if (t->outcome == LOCK_YES) {
            atomic_fetch_add(&t->has, 1);
            while (!atomic_load(&t->go_on)) {
                usleep(200);
            }
            drop_all(&one, &t->mine);
        }
    }
    return NULL;
}

static void until_has(taker *t)
{
    while (!atomic_load(&t->has)) {
        CHECK(t->outcome != LOCK_FAILED);
        usleep(200);
    }
}

static void cross(int64_t timeout, int rounds, int *got, int *asked)
{
    enum { TAKERS = 5 };
    static const int wants[TAKERS][3] = {{0, 1, 2}, {2, 3, 4}, {4, 5, 0}, {5, 2, 1}, {3, 0, 5}};
    taker takers[TAKERS];
    pthread_t threads[TAKERS];
    set all;

    CLUSTER(c, 3, 0, NEVER_FAILED);
    names_of(&c, 6, &all);
    memset(takers, 0, sizeof(takers));
    for (int i = 0; i < TAKERS; i++) {
        taker *t = &takers[i];
        *t = (taker){.c = &c, .mine.count = 3, .lease = 20000, .timeout = timeout, .rounds = rounds, .go_on = 1};
        for (int n = 0; n < 3; n++) {
            memcpy(t->mine.names[n], all.names[wants[i][n]], sizeof(t->mine.names[n]));
        }
        threads[i] = thread_start(take_and_drop, t);
    }
    *got = 0;
    *asked = TAKERS * rounds;
    for (int i = 0; i < TAKERS; i++) {
        thread_join(threads[i]);
        *got += takers[i].has;
        CHECK(takers[i].outcome == LOCK_YES || takers[i].outcome == LOCK_BUSY);
    }
    check_no_key(&c);
}

/* A circle of callers that waited for each other would last until a deadline. */
TEST(slots_crossing_callers_that_wait_all_get_theirs)
{
    int got, asked;
    int64_t start = platform_now();

    cross(20000, 20, &got, &asked);
    CHECK_INT(got, asked);
    CHECK_RANGE(0, ms_since(start), 15000 + held_up());
    note("%d ms", (int)ms_since(start));
}

TEST(slots_crossing_callers_that_do_not_wait_leave_nothing)
{
    int got, asked;

    cross(0, 60, &got, &asked);
    note("%d of %d", got, asked);
}

/* The first lock in the order is held: the caller waits for it, and has none of the others, on whichever node. */
TEST(slots_behind_the_one_that_is_waited_for_are_free)
{
    set first = {.count = 1};
    taker t = {.lease = 20000, .timeout = 10000, .rounds = 1};

    CLUSTER(c, 3, 0, NEVER_FAILED);
    CLUSTER_CLIENT(holder, &c);
    t.c = &c;
    names_of(&c, 6, &t.mine);
    CHECK_INT(take_all(&holder, &t.mine, 10000, 0), LOCK_YES); /* sorts them */
    snprintf(first.names[0], sizeof(first.names[0]), "%.*s", (int)t.mine.items[0].name.len, t.mine.items[0].name.at);
    drop_all(&holder, &t.mine);
    CHECK_INT(take_all(&holder, &first, 20000, 0), LOCK_YES);
    pthread_t thread = thread_start(take_and_drop, &t);
    char key[32];
    snprintf(key, sizeof(key), "lock:%s", first.names[0]);
    until_waiting(cluster_owner(&c, key), first.names[0], 1);
    for (int i = 0; i < 6; i++) {
        if (strcmp(t.mine.names[i], first.names[0]) != 0) {
            CHECK_INT(say_number(&c.nodes[i % 3], "EXISTS lock:%s", t.mine.names[i]), 0);
        }
    }
    drop_all(&holder, &first);
    until_has(&t);
    atomic_store(&t.go_on, 1);
    thread_join(thread);
    check_no_key(&c);
}

/* Takes the lock of the last slot of `all`, so that a taker of all has the others while it waits. Returns its node. */
static server *hold_the_last(cluster *c, client *holder, set *all, set *last)
{
    char key[32];

    *last = (set){.count = 1};
    CHECK_INT(take_all(holder, all, 10000, 0), LOCK_YES); /* sorts them */
    const lock_all_item *item = &all->items[all->count - 1];
    snprintf(last->names[0], sizeof(last->names[0]), "%.*s", (int)item->name.len, item->name.at);
    snprintf(key, sizeof(key), "lock:%s", last->names[0]);
    drop_all(holder, all);
    CHECK_INT(take_all(holder, last, 60000, 0), LOCK_YES);
    return cluster_owner(c, key);
}

/* The same, and starts a taker of six names, which then waits for the last one. */
static pthread_t start_behind_the_last(cluster *c, client *holder, taker *t, set *last)
{
    t->c = c;
    names_of(c, 6, &t->mine);
    server *node = hold_the_last(c, holder, &t->mine, last);
    pthread_t thread = thread_start(take_and_drop, t);
    until_waiting(node, last->names[0], 1);
    return thread;
}

/* Short leases are extended on each node while the last lock is waited for. */
TEST(slots_in_front_live_on_while_the_next_is_waited_for)
{
    taker t = {.lease = 1500, .timeout = 10000, .rounds = 1};
    set last;

    CLUSTER(c, 3, 0, NEVER_FAILED);
    CLUSTER_CLIENT(holder, &c);
    pthread_t thread = start_behind_the_last(&c, &holder, &t, &last);
    for (int round = 0; round < 100; round++) {
        sleep_ms(25);
        for (int i = 0; i < 6; i++) {
            CHECK_INT(say_number(&c.nodes[i % 3], "EXISTS lock:%s", t.mine.names[i]), 1);
        }
    }
    drop_all(&holder, &last);
    until_has(&t);
    atomic_store(&t.go_on, 1);
    thread_join(thread);
    check_no_key(&c);
}

TEST(slots_begin_again_when_one_is_taken_away_meanwhile)
{
    taker t = {.lease = 400, .timeout = 20000, .rounds = 1};
    set last;

    CLUSTER(c, 3, 0, NEVER_FAILED);
    CLUSTER_CLIENT(holder, &c);
    pthread_t thread = start_behind_the_last(&c, &holder, &t, &last);
    const char *taken = t.mine.names[strcmp(t.mine.names[0], last.names[0]) == 0];
    char key[32];
    snprintf(key, sizeof(key), "lock:%s", taken);
    server *from = cluster_owner(&c, key);
    say(from, "SET %s foreign", key);
    until_waiting(from, taken, 1);
    drop_all(&holder, &last);
    CHECK_SAFE(!atomic_load(&t.has));
    say(from, "DEL %s", key);
    until_has(&t);
    atomic_store(&t.go_on, 1);
    thread_join(thread);
    check_no_key(&c);
}

/* ---- nodes that do not answer ---- */

/* Some scripts have no answer in time, several of them on one connection. Each is undone behind it. */
TEST(slots_of_a_node_that_stands_still_are_not_taken_when_it_goes_on)
{
    set mine;

    CLUSTER(c, 3, 0, NEVER_FAILED);
    CLUSTER_CLIENT(one, &c);
    names_of(&c, 9, &mine);
    CHECK_INT(take_all(&one, &mine, 60000, 0), LOCK_YES);
    drop_all(&one, &mine);
    one.lock.target.read_timeout = one.lock.target.connect_timeout = MS(150);
    for (int timeout = 0; timeout <= 400; timeout += 400) {
        server_freeze(&c.nodes[1]);
        int64_t start = platform_now();
        CHECK_INT(take_all(&one, &mine, 60000, timeout), LOCK_FAILED);
        CHECK_RANGE(140, ms_since(start), platform_later(timeout, 150) + 150 + SLACK);
        server_thaw(&c.nodes[1]);
        until_clean(&c);
    }
}

/* The first replies are lost with their connection, and what was undone behind them does not release what is taken then. */
TEST(slots_after_lost_replies)
{
    taker t = {.lease = 60000, .timeout = 10000, .rounds = 1};

    CLUSTER(c, 3, 0, NEVER_FAILED);
    t.c = &c;
    names_of(&c, 9, &t.mine);
    for (int round = 0; round < 3; round++) {
        t.has = t.go_on = 0;
        server_freeze(&c.nodes[1]);
        pthread_t thread = thread_start(take_and_drop, &t);
        sleep_ms(1300); /* longer than a client waits for an answer */
        server_thaw(&c.nodes[1]);
        until_has(&t);
        sleep_ms(50);
        check_owned(&c, &t.mine);
        atomic_store(&t.go_on, 1);
        thread_join(thread);
        until_clean(&c);
    }
}

TEST(slots_of_a_dead_node_leave_nothing_at_the_others)
{
    set mine;

    CLUSTER(c, 3, 0, NEVER_FAILED);
    CLUSTER_CLIENT(one, &c);
    names_of(&c, 9, &mine);
    one.lock.target.read_timeout = one.lock.target.connect_timeout = MS(300);
    for (int warm = 0; warm < 2; warm++) {
        for (int timeout = 0; timeout <= 600; timeout += 600) {
            if (warm == 1 && timeout == 0) {
                CHECK_INT(take_all(&one, &mine, 60000, 0), LOCK_YES);
                drop_all(&one, &mine);
                server_kill(&c.nodes[2]);
            }
            int64_t start = platform_now();
            CHECK_INT(take_all(&one, &mine, 1000, timeout), warm ? LOCK_FAILED : LOCK_YES);
            CHECK_RANGE(0, ms_since(start), platform_later(timeout, 300) + 200 + SLACK);
            if (!warm) {
                drop_all(&one, &mine);
            }
        }
    }
    CHECK_NO_KEY(&c.nodes[0]);
    CHECK_NO_KEY(&c.nodes[1]);
}

TEST(slots_have_enough_replicas_or_none_is_kept)
{
    set mine;

    CLUSTER(c, 2, 1, NEVER_FAILED);
    CLUSTER_CLIENT(one, &c);
    one.lock.replicas = 1;
    names_of(&c, 6, &mine);
    until_replicated(&c);
    one.lock.target.read_timeout = MS(20000);
    for (int timeout = 0; timeout <= 20000; timeout += 20000) {
        CHECK_INT(take_all(&one, &mine, 10000, timeout), LOCK_YES);
        for (int i = 0; i < 6; i++) {
            server *replica = cluster_replica(&c, &c.nodes[i % 2]);
            char key[32];
            snprintf(key, sizeof(key), "lock:%s", mine.names[i]);
            say(replica, "READONLY");
            CHECK_INT(say_number(replica, "EXISTS %s", key), 1);
        }
        drop_all(&one, &mine);
    }
    server *replica = cluster_replica(&c, &c.nodes[1]);
    server_freeze(replica);
    one.lock.target.read_timeout = MS(1000);
    for (int timeout = 0; timeout <= 500; timeout += 500) {
        CHECK_LACKS_REPLICAS(take_all(&one, &mine, 1000, timeout), &one.error);
        CHECK_TEXT(one.error.code, "NOREPLICAS");
        until_clean(&c);
    }
    server_thaw(replica);
}

/* A lock of one node lacks its replica, and that of another node is held: the call gets nothing whatever the replica does. */
TEST(slots_that_are_refused_need_no_replicas)
{
    set both = {.count = 2}, held = {.count = 1};

    CLUSTER(c, 2, 1, NEVER_FAILED);
    CLUSTER_CLIENT(one, &c);
    CLUSTER_CLIENT(other, &c);
    for (int i = 0; i < 2; i++) {
        cluster_name(&c, &c.nodes[i], 0, both.names[i]);
    }
    memcpy(held.names[0], both.names[1], sizeof(held.names[0]));
    CHECK_INT(take_all(&other, &held, 60000, 0), LOCK_YES);
    server *replica = cluster_replica(&c, &c.nodes[0]);
    server_freeze(replica);
    one.lock.replicas = 1;
    CHECK_INT(take_all(&one, &both, 2000, 0), LOCK_BUSY);
    CHECK_INT(server_calls(&c.nodes[0], "wait"), 0);
    server_thaw(replica);
    drop_all(&other, &held);
    check_no_key(&c);
}

/* One script is refused for good, behind another one of the same node. Its undo closes the connection over which the replicas
 * would be asked. That is not why the call fails. */
TEST(slots_tell_of_the_script_that_was_refused_rather_than_of_the_replicas)
{
    set mine = {.count = 2};

    CLUSTER(c, 2, 1, NEVER_FAILED);
    CLUSTER_CLIENT(one, &c);
    one.lock.replicas = 1;
    one.lock.target.read_timeout = MS(20000);
    for (int i = 0; i < 2; i++) {
        cluster_name(&c, &c.nodes[0], i, mine.names[i]);
    }
    until_replicated(&c);
    CHECK_INT(take_all(&one, &mine, 60000, 0), LOCK_YES);
    char granted[16];
    snprintf(granted, sizeof(granted), "%.*s", (int)mine.items[0].name.len, mine.items[0].name.at);
    drop_all(&one, &mine);
    say(&c.nodes[0], "ACL SETUSER default resetkeys ~lock:%s ~{lock:%s}*", granted, granted);
    for (int timeout = 0; timeout <= 500; timeout += 500) {
        CHECK_INT(take_all(&one, &mine, 60000, timeout), LOCK_FAILED);
        CHECK_TEXT(one.error.code, "NOPERM");
        CHECK_INT(mine.about, 1);
    }
    say(&c.nodes[0], "ACL SETUSER default allkeys");
    check_no_key(&c);
}

/* The replicas are those of all locks, also if a script about one of them has failed. */
TEST(slots_that_lack_replicas_name_no_lock)
{
    set both = {.count = 2};

    CLUSTER(c, 2, 1, NEVER_FAILED);
    CLUSTER_CLIENT(one, &c);
    for (int i = 0; i < 2; i++) {
        cluster_name(&c, &c.nodes[i], 0, both.names[i]);
    }
    CHECK_INT(take_all(&one, &both, 60000, 0), LOCK_YES);
    drop_all(&one, &both);
    server_kill(&c.nodes[1]);
    server *replica = cluster_replica(&c, &c.nodes[0]);
    server_freeze(replica);
    one.lock.replicas = 1;
    CHECK_LACKS_REPLICAS(take_all(&one, &both, 1000, 0), &one.error);
    CHECK_TEXT(one.error.code, "NOREPLICAS");
    CHECK_INT(both.about, 2);
    until_no_key(&c.nodes[0]);
    server_thaw(replica);
}

/* Cuts the connection to one node when that has answered. Another node, which was frozen before the call, goes on only when
 * the client has seen it, and sends its question to the first one, to which the slot has moved meanwhile. */
typedef struct cutter {
    server *cut, *frozen;
    int waits; /* how often the call has waited */
} cutter;

/* A hook. What is sent goes out with the first wait. The second comes behind the answer, the third behind the cut. */
static bool cut_between_answers(void *arg)
{
    cutter *t = arg;

    t->waits++;
    if (t->waits == 2) {
        say(t->cut, "CLIENT KILL TYPE normal SKIPME yes");
    } else if (t->waits == 3) {
        server_thaw(t->frozen);
    }
    return false;
}

/* A node has given the first lock over a connection that was lost, and the second over a new one. WAIT would count replicas
 * that may never have seen the first. */
TEST(slots_answered_over_two_lives_of_a_connection_are_not_believed_to_be_replicated)
{
    set mine = {.count = 2};
    char key[32];

    CLUSTER(c, 2, 1, NEVER_FAILED);
    cluster_name(&c, &c.nodes[0], 0, mine.names[0]);
    cluster_name(&c, &c.nodes[1], 0, mine.names[1]);
    snprintf(key, sizeof(key), "lock:%s", mine.names[1]);
    until_replicated(&c);
    for (int timeout = 0; timeout <= 20000; timeout += 20000) {
        CLUSTER_CLIENT(one, &c);
        one.lock.replicas = 1;
        one.lock.target.read_timeout = one.lock.target.connect_timeout = MS(20000);
        CHECK_INT(take_all(&one, &mine, 60000, 0), LOCK_YES); /* connects, and learns where the slots are */
        drop_all(&one, &mine);
        cluster_move(&c, key, &c.nodes[0]);
        cutter cuts = {.cut = &c.nodes[0], .frozen = &c.nodes[1]};
        server_freeze(&c.nodes[1]);
        one.lock.target.hook = (rl_hook){.interrupted = cut_between_answers, .arg = &cuts};
        CHECK_INT(take_all(&one, &mine, 60000, timeout), LOCK_YES);
        one.lock.target.hook = (rl_hook){0};
        CHECK(cuts.waits >= 3);
        CHECK_INT(one.stats.acquired, 6); /* it has given them back, and begun again */
        check_owned(&c, &mine);
        drop_all(&one, &mine);
        check_no_key(&c);
        cluster_move(&c, key, &c.nodes[1]);
    }
}

/* ---- replies that are lost ---- */

/* Takes away the answer of a node that was frozen before the call, when another one has answered. */
typedef struct thief {
    server *node;
    int port;  /* of the node */
    int waits; /* how often the call has waited */
    cluster *c;
    const char *moves; /* a key whose slot begins to move then; NULL: none */
    atomic_bool done;
} thief;

/* Returns the socket over which an answer of the port is to be read; -1: there is none. */
static int socket_to_read(int port)
{
    struct sockaddr_in peer;
    char byte;

    for (int fd = 3; fd < 256; fd++) {
        socklen_t size = sizeof(peer);
        if (getpeername(fd, (struct sockaddr *)&peer, &size) == 0 && peer.sin_family == AF_INET &&
            ntohs(peer.sin_port) == port && recv(fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) > 0) {
            return fd;
        }
    }
    return -1;
}

/* A hook. The script has run by then, and the client finds its connection closed. */
static bool steal_answer(void *arg)
{
    thief *t = arg;
    char bytes[4096];
    int64_t until = platform_now() + MS(20000);
    int fd;

    if (t->waits++ != 1) { /* what is sent goes out with the first wait; the second comes behind an answer */
        return false;
    }
    server_thaw(t->node);
    while ((fd = socket_to_read(t->port)) < 0 && platform_now() < until) {
        usleep(200);
    }
    CHECK(fd >= 0 && recv(fd, bytes, sizeof(bytes), MSG_DONTWAIT) > 0);
    shutdown(fd, SHUT_RDWR);
    if (t->moves != NULL) {
        cluster_move_begin(t->c, t->moves, cluster_other(t->c, t->node));
    }
    atomic_store(&t->done, true);
    return false;
}

typedef struct watch_op {
    thief *thief;
    server *first_node;
    const char *first;
    const char *last; /* a key */
} watch_op;

/* Checks what the call has while it stands in line. */
static void *watch_line(void *arg)
{
    watch_op *w = arg;

    while (!atomic_load(&w->thief->done)) {
        usleep(200);
    }
    until_waiting(w->first_node, w->first, 1);
    /* No lock is had by two if this fails: a node that is held up may hear late that it is to undo something. */
    CHECK_INT(say_number(w->thief->node, "EXISTS %s", w->last), 0);
    return NULL;
}

/* The first lock in the order is held, and the reply about the last one is lost with the connection over which it would be
 * undone. A caller that has the last one without knowing, and waits for the first, could wait for another caller that waits for
 * it. */
TEST(slots_behind_the_one_that_is_waited_for_are_free_after_a_lost_reply)
{
    set both, first = {.count = 1};
    char first_key[32], last_key[32];

    CLUSTER(c, 2, 0, NEVER_FAILED);
    CLUSTER_CLIENT(holder, &c);
    CLUSTER_CLIENT(one, &c);
    names_of(&c, 2, &both);
    CHECK_INT(take_all(&one, &both, 60000, 0), LOCK_YES); /* connects, and sorts them */
    snprintf(first.names[0], sizeof(first.names[0]), "%.*s", (int)both.items[0].name.len, both.items[0].name.at);
    snprintf(first_key, sizeof(first_key), "lock:%s", first.names[0]);
    snprintf(last_key, sizeof(last_key), "lock:%.*s", (int)both.items[1].name.len, both.items[1].name.at);
    drop_all(&one, &both);
    CHECK_INT(take_all(&holder, &first, 60000, 0), LOCK_YES);
    server *node = cluster_owner(&c, last_key);
    thief t = {.node = node, .port = cluster_port(&c, node)};
    watch_op w = {&t, cluster_owner(&c, first_key), first.names[0], last_key};
    one.lock.target.hook = (rl_hook){.interrupted = steal_answer, .arg = &t};
    one.lock.target.read_timeout = MS(30000);
    pthread_t thread = thread_start(watch_line, &w);
    server_freeze(node);
    CHECK_INT(take_all(&one, &both, 60000, 3000), LOCK_BUSY);
    thread_join(thread);
    drop_all(&holder, &first);
    until_clean(&c);
}

/* The reply is lost as before, and then the slot moves: the lock that nobody has told of does not stand in its own way. */
TEST(slots_that_move_behind_a_lost_reply_are_taken)
{
    set both;
    char key[32];

    CLUSTER(c, 2, 0, NEVER_FAILED);
    CLUSTER_CLIENT(one, &c);
    names_of(&c, 2, &both);
    CHECK_INT(take_all(&one, &both, 60000, 0), LOCK_YES);
    drop_all(&one, &both);
    snprintf(key, sizeof(key), "lock:%.*s", (int)both.items[1].name.len, both.items[1].name.at);
    one.lock.target.read_timeout = MS(30000);
    for (int timeout = 0; timeout <= 5000; timeout += 5000) {
        server *node = cluster_owner(&c, key);
        thief t = {.node = node, .port = cluster_port(&c, node), .c = &c, .moves = key};
        one.lock.target.hook = (rl_hook){.interrupted = steal_answer, .arg = &t};
        server_freeze(node);
        CHECK_INT(take_all(&one, &both, 60000, timeout), LOCK_YES);
        CHECK(atomic_load(&t.done));
        one.lock.target.hook = (rl_hook){0};
        cluster_move_keys(&c, key, node, cluster_other(&c, node), -1);
        cluster_move_end(&c, key, node, cluster_other(&c, node));
        check_owned(&c, &both);
        drop_all(&one, &both);
        until_clean(&c);
    }
}

/* ---- forks ---- */

typedef struct forker {
    server *frozen;
    pid_t child;     /* 0: in the child; -1: it has not forked */
    int64_t fork_at; /* when the other nodes have answered */
} forker;

/* Forks while the answer of one node is awaited; in the child, the call ends. */
static bool fork_once(void *arg)
{
    forker *f = arg;

    if (f->child == -1 && platform_now() >= f->fork_at) {
        f->child = fork();
        if (f->child > 0) {
            process_join(f->child);
            server_thaw(f->frozen);
        }
    }
    return f->child == 0;
}

/* Two of three nodes have answered before the fork: what they gave is the parent's. */
TEST(slots_that_are_taken_before_a_fork_stay_the_parents)
{
    set mine;

    CLUSTER(c, 3, 0, NEVER_FAILED);
    CLUSTER_CLIENT(one, &c);
    forker f = {.frozen = &c.nodes[2]};
    names_of(&c, 6, &mine);
    one.lock.target.read_timeout = MS(5000); /* the hook is asked once a second */
    for (int timeout = 0; timeout <= 5000; timeout += 5000) {
        one.lock.target.hook = (rl_hook){0};
        CHECK_INT(take_all(&one, &mine, 60000, 0), LOCK_YES);
        drop_all(&one, &mine);
        one.lock.target.hook = (rl_hook){.interrupted = fork_once, .arg = &f};
        server_freeze(f.frozen);
        f.child = -1;
        f.fork_at = platform_now() + MS(200);
        lock_outcome outcome = take_all(&one, &mine, 60000, timeout);
        if (f.child == 0) {
            _exit(outcome == LOCK_INTERRUPTED ? 0 : 1);
        }
        CHECK_TEXT(outcome == LOCK_YES ? "" : one.error.text, "");
        CHECK_INT(outcome, LOCK_YES);
        check_owned(&c, &mine);
        drop_all(&one, &mine);
        check_no_key(&c);
    }
}

/* ---- slots that move ---- */

/* One of six slots is open: its lock is asked for by itself, the others by scripts as ever. */
TEST(slots_of_which_one_moves_are_taken_together)
{
    set mine, others;

    CLUSTER(c, 2, 0, NEVER_FAILED);
    CLUSTER_CLIENT(one, &c);
    CLUSTER_CLIENT(two, &c);
    names_of(&c, 6, &mine);
    others = mine;
    for (int which = 0; which < 6; which++) { /* the first in the order, one in the middle, the last */
        char key[32];
        snprintf(key, sizeof(key), "lock:%s", mine.names[which]);
        server *from = cluster_owner(&c, key), *to = cluster_other(&c, from);
        CHECK(cluster_move_begin(&c, key, to) == from);
        for (int goes = 0; goes < 2; goes++) {
            for (int timeout = 0; timeout <= 300; timeout += 300) {
                CHECK_INT(take_all(&one, &mine, 20000, 20 * timeout), LOCK_YES);
                CHECK_BUSY(ends_first(&mine), take_all(&two, &others, 20000, timeout));
                if (goes) {
                    cluster_move_keys(&c, key, from, to, -1);
                }
                CHECK_BUSY(ends_first(&mine), take_all(&two, &others, 20000, timeout));
                drop_all(&one, &mine);
                CHECK_INT(take_all(&two, &others, 20000, 20 * timeout), LOCK_YES);
                drop_all(&two, &others);
            }
        }
        cluster_move_end(&c, key, from, to);
    }
    check_no_key(&c);
}

/* A slot moves to its end while the call waits for another: its lock is extended, and released, where it is then. */
TEST(slots_that_move_between_two_rounds_are_asked_where_they_are)
{
    taker t = {.lease = 1500, .timeout = 20000, .rounds = 1};
    set last;
    char key[32];

    CLUSTER(c, 3, 0, NEVER_FAILED);
    CLUSTER_CLIENT(holder, &c);
    pthread_t thread = start_behind_the_last(&c, &holder, &t, &last);
    for (int i = 0; i < 6; i++) {
        if (strcmp(t.mine.names[i], last.names[0]) == 0) {
            continue;
        }
        snprintf(key, sizeof(key), "lock:%s", t.mine.names[i]);
        cluster_move(&c, key, cluster_other(&c, cluster_owner(&c, key)));
    }
    snprintf(key, sizeof(key), "lock:%s", last.names[0]);
    server *now_at = cluster_other(&c, cluster_owner(&c, key));
    cluster_move(&c, key, now_at);
    until_waiting(now_at, last.names[0], 1);
    drop_all(&holder, &last);
    until_has(&t);
    check_owned(&c, &t.mine);
    atomic_store(&t.go_on, 1);
    thread_join(thread);
    check_no_key(&c);
}

/* SPDX-License-Identifier: MIT
 *
 * Calls about locks in a Redis Cluster: each goes to the node that serves its key by then.
 */
#include "cluster_bed.h"
#include "keeper.h"
#include "lock/all.h"

#include <unistd.h>
#include <stdio.h>

/* How many errors with this code the nodes have given since CONFIG RESETSTAT. */
static long long errors(cluster *c, const char *code)
{
    char field[64];
    long long sum = 0;

    snprintf(field, sizeof(field), "errorstat_%s:count=", code);
    for (int i = 0; i < c->count; i++) {
        const char *at = strstr(say(&c->nodes[i], "INFO errorstats"), field);
        sum += at != NULL ? atoll(at + strlen(field)) : 0;
    }
    return sum;
}

static void reset(cluster *c)
{
    for (int i = 0; i < c->count; i++) {
        say(&c->nodes[i], "CONFIG RESETSTAT");
    }
}

static long long calls(cluster *c, const char *command)
{
    long long sum = 0;

    for (int i = 0; i < c->count; i++) {
        sum += server_calls(&c->nodes[i], command);
    }
    return sum;
}

/* Checks that the key of this lock is at this node. */
static void check_at(server *node, const char *name)
{
    CHECK_INT(say_number(node, "EXISTS lock:%s", name), 1);
}

/* ---- where requests go ---- */

TEST(cluster_key_slots_are_those_of_the_servers)
{
    static const char *const keys[] = {"", "a", "lock:SKU0001", "{a}b", "x{}y{a}", "{", "}{", "a{b{c}d}e", "\xff\xfe"};

    CLUSTER(c, 1, 0, NEVER_FAILED);
    for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
        rl_bytes key = BYTES(keys[i]);
        CHECK_INT(say_number(&c.nodes[0], "CLUSTER KEYSLOT %b", key.at, key.len), rl_slot_of(key));
    }
}

/* The definition: bit by bit. */
static unsigned slot_by_bits(const unsigned char *bytes, size_t len)
{
    unsigned crc = 0;

    for (size_t i = 0; i < len; i++) {
        crc ^= (unsigned)bytes[i] << 8;
        for (int bit = 0; bit < 8; bit++) {
            crc = crc << 1 ^ ((crc & 0x8000) != 0 ? 0x11021 : 0);
        }
    }
    return crc % RL_SLOTS;
}

TEST(cluster_slot_is_that_of_every_byte_at_every_place)
{
    unsigned char key[11];

    for (size_t len = 0; len <= sizeof(key); len++) {
        for (size_t place = 0; place < len; place++) {
            memset(key, 'k', sizeof(key));
            for (int byte = 0; byte < 256; byte++) {
                key[place] = (unsigned char)byte;
                CHECK_INT(rl_slot_of((rl_bytes){(const char *)key, len}), slot_by_bits(key, len));
            }
        }
    }
}

TEST(cluster_locks_are_taken_where_their_slots_are)
{
    char name[16];

    CLUSTER(c, 3, 0, NEVER_FAILED);
    CLUSTER_CLIENT(one, &c);
    CLUSTER_CLIENT(two, &c);
    for (int i = 0; i < 3; i++) {
        cluster_name(&c, &c.nodes[i], 0, name);
        CHECK_INT(take(&one, name, 10000, 0), LOCK_YES);
        check_at(&c.nodes[i], name);
        CHECK_INT(take(&two, name, 10000, 0), LOCK_BUSY);
        CHECK_INT(extend(&one, name, 20000), LOCK_YES);
        CHECK_INT(drop(&one, name), LOCK_YES);
        CHECK_INT(take(&two, name, 10000, 0), LOCK_YES);
        CHECK_INT(drop(&two, name), LOCK_YES);
    }
}

/* Once the map is known, no request goes to a node that does not serve its key. */
TEST(cluster_first_call_of_a_process_learns_where_all_keys_are)
{
    char name[16];

    CLUSTER(c, 3, 0, NEVER_FAILED);
    CLUSTER_CLIENT(one, &c);
    reset(&c);
    cluster_name(&c, &c.nodes[1], 0, name);
    CHECK_INT(take(&one, name, 10000, 0), LOCK_YES); /* the first seed is another node */
    CHECK_INT(drop(&one, name), LOCK_YES);
    CHECK_RANGE(0, errors(&c, "MOVED"), 1);
    for (int i = 0; i < 30; i++) {
        cluster_name(&c, &c.nodes[i % 3], i / 3 + 1, name);
        CHECK_INT(take(&one, name, 10000, 0), LOCK_YES);
        CHECK_INT(drop(&one, name), LOCK_YES);
    }
    CHECK_RANGE(0, errors(&c, "MOVED"), 1);
    CHECK_INT(calls(&c, "cluster|slots"), 1);
    usleep(1200 * 1000); /* by now it might be asked again, if there were a doubt */
    CHECK_INT(take(&one, name, 10000, 0), LOCK_YES);
    CHECK_INT(drop(&one, name), LOCK_YES);
    CHECK_INT(calls(&c, "cluster|slots"), 1);
}

TEST(cluster_that_refuses_its_map_is_known_by_redirections)
{
    char names[9][16];

    CLUSTER(c, 3, 0, NEVER_FAILED);
    for (int i = 0; i < 9; i++) {
        cluster_name(&c, &c.nodes[i % 3], i / 3, names[i]);
    }
    for (int i = 0; i < 3; i++) {
        CHECK_TEXT(say(&c.nodes[i], "ACL SETUSER default -cluster"), "OK");
    }
    CLUSTER_CLIENT(one, &c);
    for (int i = 0; i < 9; i++) {
        CHECK_INT(take(&one, names[i], 10000, 0), LOCK_YES);
        check_at(&c.nodes[i % 3], names[i]);
        CHECK_INT(drop(&one, names[i]), LOCK_YES);
    }
    for (int i = 0; i < 3; i++) {
        CHECK_TEXT(say(&c.nodes[i], "ACL SETUSER default +cluster"), "OK");
    }
}

/* ---- slots that have moved ---- */

TEST(cluster_lock_is_released_where_its_slot_has_moved_to)
{
    char name[16];

    CLUSTER(c, 3, 0, NEVER_FAILED);
    rl_traffic traffic = {0};
    CLUSTER_CLIENT(one, &c);
    one.pool.traffic = &traffic;
    server *from = &c.nodes[0], *to = &c.nodes[1];
    cluster_name(&c, from, 0, name);
    CHECK_INT(take(&one, name, 10000, 0), LOCK_YES);
    char key[32];
    snprintf(key, sizeof(key), "lock:%s", name);
    cluster_move(&c, key, to);
    CHECK_INT(extend(&one, name, 20000), LOCK_YES);
    check_at(to, name);
    CHECK_INT(drop(&one, name), LOCK_YES);
    CHECK_INT(say_number(to, "EXISTS %s", key), 0);
    cluster_move(&c, key, from);
    CHECK_INT(take(&one, name, 10000, 5000), LOCK_YES);
    CHECK_INT(drop(&one, name), LOCK_YES);
    CHECK_INT(traffic.reconnects, 0); /* a redirection costs no connection */
}

typedef struct waiter {
    cluster *c;
    char name[16];
    int64_t timeout;
    lock_outcome outcome;
    char error[256];
    int64_t got_at;
} waiter;

static void *wait_for_it(void *arg)
{
    waiter *w = arg;

    CLUSTER_CLIENT(one, w->c);
    w->outcome = take(&one, w->name, 10000, w->timeout);
    w->got_at = platform_now();
    snprintf(w->error, sizeof(w->error), "%s", w->outcome == LOCK_FAILED ? one.error.text : "");
    if (w->outcome == LOCK_YES) {
        CHECK_INT(drop(&one, w->name), LOCK_YES);
    }
    return NULL;
}

TEST(cluster_waiter_goes_with_the_slot)
{
    char key[32];

    CLUSTER(c, 3, 0, NEVER_FAILED);
    CLUSTER_CLIENT(one, &c);
    waiter w = {.c = &c, .timeout = 20000};
    cluster_name(&c, &c.nodes[0], 0, w.name);
    snprintf(key, sizeof(key), "lock:%s", w.name);
    CHECK_INT(take(&one, w.name, 30000, 0), LOCK_YES);
    pthread_t thread = thread_start(wait_for_it, &w);
    until_waiting(&c.nodes[0], w.name, 1);
    cluster_move(&c, key, &c.nodes[1]);
    until_waiting(&c.nodes[1], w.name, 1);
    int64_t released_at = platform_now();
    CHECK_INT(drop(&one, w.name), LOCK_YES);
    thread_join(thread);
    CHECK_TEXT(w.error, "");
    CHECK_INT(w.outcome, LOCK_YES);
    CHECK_RANGE(0, (w.got_at - released_at) / 1000, 50 + SLACK);
}

/* ---- nodes that take over ---- */

/* Calls go on through a planned failover, and so does a wait. */
TEST(cluster_planned_failover_is_followed)
{
    char key[32];

    CLUSTER(c, 3, 1, NEVER_FAILED);
    CLUSTER_CLIENT(one, &c);
    waiter w = {.c = &c, .timeout = 20000};
    server *old = &c.nodes[0], *replica = cluster_replica(&c, old);
    cluster_name(&c, old, 0, w.name);
    snprintf(key, sizeof(key), "lock:%s", w.name);
    CHECK_INT(take(&one, w.name, 30000, 0), LOCK_YES);
    pthread_t thread = thread_start(wait_for_it, &w);
    until_waiting(old, w.name, 1);
    cluster_failover(&c, replica);
    CHECK_INT(extend(&one, w.name, 30000), LOCK_YES);
    until_waiting(replica, w.name, 1);
    CHECK_INT(drop(&one, w.name), LOCK_YES);
    thread_join(thread);
    CHECK_TEXT(w.error, "");
    CHECK_INT(w.outcome, LOCK_YES);
}

/* A master that is gone, or hangs: within a second of the promotion the lock can be taken at its replica. */
static void check_master_that_fails(bool freezes)
{
    char name[16];

    CLUSTER(c, 3, 1, SOON_FAILED);
    CLUSTER_CLIENT(one, &c);
    one.lock.target.connect_timeout = one.lock.target.read_timeout = MS(500);
    server *old = &c.nodes[0];
    cluster_name(&c, old, 0, name);
    CHECK_INT(take(&one, name, 30000, 0), LOCK_YES);
    CHECK_INT(drop(&one, name), LOCK_YES);
    waiter w = {.c = &c, .timeout = 30000};
    cluster_name(&c, old, 1, w.name);
    (freezes ? server_freeze : server_kill)(old);
    pthread_t thread = thread_start(wait_for_it, &w);
    server *new = cluster_promoted(&c, old);
    int64_t promoted_at = platform_now();
    thread_join(thread);
    CHECK_TEXT(w.error, "");
    CHECK_INT(w.outcome, LOCK_YES);
    CHECK_RANGE(-60000, (w.got_at - promoted_at) / 1000, 1500 + SLACK + held_up());
    note("%d ms", (int)((w.got_at - promoted_at) / 1000));
    CHECK_INT(take(&one, name, 30000, 2000), LOCK_YES);
    check_at(new, name);
    CHECK_INT(drop(&one, name), LOCK_YES);
    if (freezes) {
        server_thaw(old);
    }
}

TEST(cluster_master_that_is_killed_is_replaced)
{
    check_master_that_fails(false);
}

TEST(cluster_master_that_hangs_is_replaced)
{
    check_master_that_fails(true);
}

/* ---- many at once ---- */

TEST(cluster_many_releases_go_out_in_one_write_a_node)
{
    enum { COUNT = 60 };
    lock_lease leases[COUNT];
    lock_release_item items[COUNT];
    lock_release_failures failures;
    char names[COUNT][16];

    CLUSTER(c, 3, 0, NEVER_FAILED);
    CLUSTER_CLIENT(one, &c);
    for (int i = 0; i < COUNT; i++) {
        cluster_name(&c, &c.nodes[i % 3], i / 3, names[i]);
        CHECK_INT(lock_acquire(&one.lock, BYTES(names[i]), NULL, MS(30000), 0, &leases[i], NULL, &one.error), LOCK_YES);
        items[i] = (lock_release_item){.name = BYTES(names[i]), .lease = &leases[i]};
    }
    lock_release_all(&one.lock, items, COUNT, MS(2000), PLATFORM_NEVER, &failures);
    CHECK_INT(failures.count, 0);
    for (int i = 0; i < COUNT; i++) {
        CHECK_INT(items[i].outcome, LOCK_YES);
        lock_lease_free(&leases[i]);
    }
    for (int i = 0; i < 3; i++) {
        CHECK_NO_KEY(&c.nodes[i]);
    }
}

TEST(cluster_all_of_several_slots_are_taken_or_none)
{
    lock_all_item items[3] = {0};
    char names[3][16];
    size_t about;

    CLUSTER(c, 3, 0, NEVER_FAILED);
    CLUSTER_CLIENT(one, &c);
    CLUSTER_CLIENT(two, &c);
    for (int i = 0; i < 3; i++) {
        cluster_name(&c, &c.nodes[i], 0, names[i]);
        items[i].name = BYTES(names[i]);
    }
    CHECK_INT(take(&two, names[2], 30000, 0), LOCK_YES);
    CHECK_INT(lock_acquire_all(&one.lock, items, 3, MS(30000), 0, &about, &one.error), LOCK_BUSY);
    for (int i = 0; i < 2; i++) {
        CHECK_INT(say_number(&c.nodes[i], "EXISTS lock:%s", names[i]), 0);
    }
    CHECK_INT(drop(&two, names[2]), LOCK_YES);
    CHECK_INT(lock_acquire_all(&one.lock, items, 3, MS(30000), MS(1000), &about, &one.error), LOCK_YES);
    for (int i = 0; i < 3; i++) {
        CHECK_INT(lock_release(&one.lock, items[i].name, &items[i].lease, MS(1000), &one.error), LOCK_YES);
        lock_lease_free(&items[i].lease);
    }
}

/* ---- what is owed ---- */

TEST(cluster_backlog_goes_to_the_node_that_serves_the_key_by_then)
{
    char name[16], other[16], key[32];

    CLUSTER(c, 3, 0, NEVER_FAILED);
    CLUSTER_CLIENT(one, &c);
    server *from = &c.nodes[0], *to = &c.nodes[1];
    cluster_name(&c, from, 0, name);
    snprintf(key, sizeof(key), "lock:%s", name);
    CHECK_INT(take(&one, name, 30000, 0), LOCK_YES);
    lock_release_later(&one.lock, BYTES(name), &one.lease);
    cluster_move(&c, key, to);
    for (int i = 0; i < 3; i++) { /* one that goes to the old node, which redirects; then others */
        cluster_name(&c, &c.nodes[i], 1, other);
        CHECK_INT(take(&one, other, 30000, 0), LOCK_YES);
        CHECK_INT(drop(&one, other), LOCK_YES);
        CHECK_INT(drop(&one, other), LOCK_NOT_OWNED);
    }
    until_no_key(to);
    CHECK_NO_KEY(from);
}

/* ---- renewal ---- */

TEST(cluster_renewal_goes_on_where_the_slot_moves)
{
    char key[32];

    char name[16];

    CLUSTER(c, 3, 1, NEVER_FAILED);
    CLOSED_BY(keeper_close) keeper k;
    keeper_open_dsn(&k, c.dsn);
    cluster_name(&c, &c.nodes[0], 0, name);
    snprintf(key, sizeof(key), "lock:%s", name);
    take_and_keep(&k, name, 2000);
    cluster_move(&c, key, &c.nodes[1]);
    until_renewed(&k, 3);
    check_at(&c.nodes[1], name);
    cluster_failover(&c, cluster_replica(&c, &c.nodes[1]));
    until_renewed(&k, 3);
    CHECK_INT(keeper_end(&k), LOCK_RENEWAL_ON);
    CHECK_INT(drop(&k.c, name), LOCK_YES);
}

TEST(cluster_many_leases_are_renewed_at_every_node)
{
    enum { COUNT = 60 };
    static held all[COUNT];
    char name[16];

    CLUSTER(c, 3, 0, NEVER_FAILED);
    CLOSED_BY(keeper_close) keeper k;
    keeper_open_dsn(&k, c.dsn);
    for (int i = 0; i < COUNT; i++) {
        cluster_name(&c, &c.nodes[i % 3], i / 3, name);
        hold(&k, &all[i], name, 1500);
    }
    until_renewed(&k, 3 * COUNT);
    let_go_many(&k, all, COUNT);
    for (int i = 0; i < 3; i++) {
        CHECK_NO_KEY(&c.nodes[i]);
    }
}

/* A node that hangs holds up the leases at the others by nothing. */
TEST(cluster_renewal_at_other_nodes_goes_on_while_one_hangs)
{
    enum { COUNT = 30 };
    static held all[COUNT];
    char name[16];

    CLUSTER(c, 3, 0, NEVER_FAILED);
    CLOSED_BY(keeper_close) keeper k;
    keeper_open_dsn(&k, c.dsn);
    for (int i = 0; i < COUNT; i++) {
        cluster_name(&c, &c.nodes[i % 3], i / 3, name);
        hold(&k, &all[i], name, 2000);
    }
    server_freeze(&c.nodes[0]);
    until_renewed(&k, 4 * COUNT);
    for (int i = 0; i < COUNT; i++) {
        if (i % 3 != 0) {
            CHECK_INT(held_state(&all[i]), LOCK_RENEWAL_ON);
        }
    }
    server_thaw(&c.nodes[0]);
    for (int i = 0; i < COUNT; i++) {
        let_go(&k, &all[i]);
    }
}

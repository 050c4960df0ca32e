/* SPDX-License-Identifier: MIT
 *
 * A Redis Cluster of which parts fail, and nodes that say what they should not.
 */
#include "cluster_bed.h"

#include "keeper.h"

/* Writes a DSN that names one node of the cluster, as this host, behind `more`, which ends with a comma or is "". */
static const char *dsn_of(const cluster *c, const char *more, const char *host)
{
    static char dsn[256];

    snprintf(dsn, sizeof(dsn), "redis-cluster://%s%s:%d", more, host, c->ports[0]);
    return dsn;
}

TEST(cluster_is_found_behind_dead_seeds)
{
    char dead[128];

    CLUSTER(c, 3, 0, NEVER_FAILED);
    snprintf(dead, sizeof(dead), "127.0.0.1:%d,127.0.0.1:%d,127.0.0.1:%d,", free_port(), free_port(), free_port());
    CLOSED_BY(client_close) client one;
    client_open_dsn(&one, dsn_of(&c, dead, "127.0.0.1"));
    int64_t start = platform_now();
    CHECK_INT(take(&one, "a", 60000, 0), LOCK_YES);
    CHECK(ms_since(start) < 500 + SLACK);
    CHECK_INT(drop(&one, "a"), LOCK_YES);
}

/* The nodes name each other by their addresses. */
TEST(cluster_renewal_begins_at_a_seed_with_a_name)
{
    CLUSTER(c, 3, 0, NEVER_FAILED);
    CLOSED_BY(keeper_close) keeper k;
    keeper_open_dsn(&k, dsn_of(&c, "", "localhost"));
    CHECK_INT(take(&k.c, "b", 60000, 0), LOCK_YES); /* by now the map is known */
    CHECK_INT(drop(&k.c, "b"), LOCK_YES);
    take_and_keep(&k, "a", 2000);
    until_renewed(&k, 3);
    CHECK_INT(state_of(&k), LOCK_RENEWAL_ON);
    CHECK_INT(keeper_end(&k), LOCK_RENEWAL_ON);
    CHECK_INT(drop(&k.c, "a"), LOCK_YES);
}

/* How many connections the node has had, but for this test's own. */
static int connections(server *node)
{
    const char *at = strstr(say(node, "INFO stats"), "total_connections_received:");

    CHECK(at != NULL);
    return atoi(at + strlen("total_connections_received:"));
}

/* Takes and releases a lock twice, by a DSN that names the node in another way than it names itself. By two names, it would
 * count as two nodes, and get two connections. */
static void lock_by_another_name(const cluster *c, server *node, const char *host)
{
    CLOSED_BY(client_close) client one;

    client_open_dsn(&one, dsn_of(c, "", host));
    int before = connections(node);
    for (int i = 0; i < 2; i++) {
        CHECK_INT(take(&one, "a", 60000, 0), LOCK_YES);
        CHECK_INT(drop(&one, "a"), LOCK_YES);
    }
    CHECK_INT(connections(node), before + 1);
}

TEST(cluster_node_with_two_names_is_one)
{
    CLUSTER(c, 1, 0, NEVER_FAILED);
    lock_by_another_name(&c, &c.nodes[0], "localhost");
    if (strcmp(say(&c.nodes[0], "CONFIG SET cluster-announce-hostname localhost"), "OK") ==
        0) { /* not before Redis 7 */
        CHECK_TEXT(say(&c.nodes[0], "CONFIG SET cluster-preferred-endpoint-type hostname"), "OK");
        lock_by_another_name(&c, &c.nodes[0], "127.0.0.1");
    }
}

/* A release at the end of a script may have no time left: then nobody awaits its answer. */
TEST(cluster_node_that_was_not_awaited_is_asked_next)
{
    lock_release_failures failures;

    CLUSTER(c, 3, 1, NEVER_FAILED);
    CLUSTER_CLIENT(one, &c);
    CHECK_INT(take(&one, "a", 60000, 0), LOCK_YES);
    CHECK_INT(drop(&one, "a"), LOCK_YES);
    CHECK_INT(take(&one, "a", 60000, 0), LOCK_YES);
    lock_release_item item = {.name = BYTES("a"), .lease = &one.lease};
    lock_release_all(&one.lock, &item, 1, 0, PLATFORM_NEVER, &failures);
    int64_t start = platform_now();
    CHECK_INT(take(&one, "a", 60000, 0), LOCK_YES);
    CHECK(ms_since(start) < SLACK);
}

/* Each password makes another endpoint. None of them is reached. */
TEST(cluster_maps_that_nobody_needs_are_forgotten)
{
    rl_pool pool = {0};
    char dsn[128], why[128];

    for (int i = 0; i < 200; i++) {
        rl_endpoint endpoint;
        bool is_guess;
        snprintf(dsn, sizeof(dsn), "redis-cluster://:secret%d@127.0.0.1:1", i);
        CHECK(rl_endpoint_parse(&endpoint, dsn, strlen(dsn), why, sizeof(why)));
        rl_cluster *cluster = rl_pool_cluster(&pool, &endpoint);
        rl_conn *conn = rl_pool_take_routed(&pool, &endpoint, cluster, 1, &is_guess);
        CHECK(rl_conn_cluster(conn) == cluster && rl_pool_cluster(&pool, &endpoint) == cluster);
        rl_pool_give(&pool, conn);
        rl_endpoint_free(&endpoint);
    }
    CHECK(pool.cluster_count <= 20);
    rl_pool_clear(&pool);
}

/* A map that learns of CLUSTER SLOTS what its test says. */
typedef struct taught_map {
    rl_cluster *cluster;
    rl_endpoint endpoint;
    redisReader *reader;
    void *reply;
} taught_map;

static void taught_map_open_dsn(taught_map *m, const char *dsn, const char *slots, size_t len)
{
    char why[128];

    CHECK(rl_endpoint_parse(&m->endpoint, dsn, strlen(dsn), why, sizeof(why)));
    m->cluster = rl_cluster_new(&m->endpoint);
    m->reader = redisReaderCreate();
    CHECK_INT(redisReaderFeed(m->reader, slots, len), REDIS_OK);
    CHECK_INT(redisReaderGetReply(m->reader, &m->reply), REDIS_OK);
}

static void taught_map_open(taught_map *m, const char *slots, size_t len)
{
    taught_map_open_dsn(m, "redis-cluster://127.0.0.1:7000", slots, len);
}

static void taught_map_close(taught_map *m)
{
    freeReplyObject(m->reply);
    redisReaderFree(m->reader);
    rl_cluster_free(m->cluster);
    rl_endpoint_free(&m->endpoint);
}

static void learn(taught_map *m, int64_t asked_at)
{
    rl_destination from = {.host = "127.0.0.1", .port = 7001};

    rl_cluster_learn_slots(m->cluster, m->reply, &from, "", asked_at);
}

static const char *owner_of(const taught_map *m, unsigned slot)
{
    static char owner[300];

    rl_cluster_name_owner(m->cluster, slot, owner, sizeof(owner));
    return owner;
}

/* A master that stood still while its replica was promoted believes in its slots when it goes on. */
TEST(cluster_map_that_comes_late_is_not_learned)
{
    static const char slots[] = "*1\r\n*3\r\n:0\r\n:16383\r\n*2\r\n$9\r\n127.0.0.1\r\n:7001\r\n";
    CLOSED_BY(taught_map_close) taught_map m;

    taught_map_open(&m, slots, sizeof(slots) - 1);
    learn(&m, platform_now() - 2 * PLATFORM_SEC);
    CHECK_TEXT(owner_of(&m, 5), "");
    CHECK(rl_cluster_wants_slots(m.cluster));
    learn(&m, platform_now());
    CHECK_TEXT(owner_of(&m, 5), "127.0.0.1:7001");
}

/* The port of the node to which a request about the slot goes. */
static int route_of(const taught_map *m, unsigned slot)
{
    rl_route_to to;

    rl_cluster_route(m->cluster, slot, &to);
    return to.port;
}

static const rl_destination one = {.host = "127.0.0.1", .port = 7001}, other = {.host = "127.0.0.1", .port = 7002};

/* The map of two masters: `one` has the lower half of the slots, and `other` the rest. */
static void taught_map_of_two_open(taught_map *m)
{
    static const char slots[] = "*2\r\n*3\r\n:0\r\n:8000\r\n*2\r\n$9\r\n127.0.0.1\r\n:7001\r\n"
                                "*3\r\n:8001\r\n:16383\r\n*2\r\n$9\r\n127.0.0.1\r\n:7002\r\n";

    taught_map_open(m, slots, sizeof(slots) - 1);
    learn(m, platform_now());
}

/* A process that asks only about the slots of one master, and more seldom than others are asked in its place, learns from
 * nothing but its own failure that the master has gone, perhaps for good. */
TEST(cluster_node_that_has_failed_is_passed_over_once_however_late)
{
    CLOSED_BY(taught_map_close) taught_map m;

    taught_map_of_two_open(&m);
    for (int i = 0; i < 2; i++) {
        rl_cluster_note_failed(m.cluster, &one);
        learn(&m, platform_now()); /* the nodes do not know yet */
        sleep_ms(1001);
        CHECK(!rl_cluster_leads_to(m.cluster, 5, &one));
        CHECK_INT(route_of(&m, 5), 7002);
        rl_cluster_note_heard(m.cluster, &other);
        CHECK_INT(route_of(&m, 5), 7002); /* for all questions of a call */
        sleep_ms(1001);
        CHECK(rl_cluster_leads_to(m.cluster, 5, &one));
        CHECK_INT(route_of(&m, 5), 7001);
    }
}

/* Who knows no master yet asks another seed next time, too. */
TEST(cluster_seed_that_has_failed_is_passed_over_however_late)
{
    static const char dsn[] = "redis-cluster://127.0.0.1:7000,127.0.0.1:7001";
    static const rl_destination first = {.host = "127.0.0.1", .port = 7000},
                                second = {.host = "127.0.0.1", .port = 7001};
    CLOSED_BY(taught_map_close) taught_map m;

    taught_map_open_dsn(&m, dsn, "*0\r\n", 4);
    CHECK_INT(route_of(&m, 5), 7000);
    rl_cluster_note_failed(m.cluster, &first);
    sleep_ms(1001);
    CHECK_INT(route_of(&m, 5), 7001);
    rl_cluster_note_failed(m.cluster, &second); /* of two that have failed, the one that has not just done so */
    CHECK_INT(route_of(&m, 5), 7000);
}

/* While any node is in trouble, each answer is looked at. */
TEST(cluster_node_that_failed_and_is_asked_no_more_is_no_trouble_for_ever)
{
    CLOSED_BY(taught_map_close) taught_map m;

    taught_map_of_two_open(&m);
    rl_cluster_note_failed(m.cluster, &one);
    rl_cluster_note_heard(m.cluster, &other);
    CHECK(rl_cluster_is(m.cluster, RL_MAP_TROUBLE));
    sleep_ms(1001);
    rl_cluster_note_heard(m.cluster, &other);
    CHECK(!rl_cluster_is(m.cluster, RL_MAP_TROUBLE));
}

/* A map has room for 255 nodes. */
TEST(cluster_of_more_nodes_than_a_map_holds_has_all_its_masters_there)
{
    enum { MASTERS = 200 };
    static char slots[MASTERS * 100];
    size_t len = (size_t)snprintf(slots, sizeof(slots), "*%d\r\n", MASTERS);
    CLOSED_BY(taught_map_close) taught_map m;
    char expected[32];

    for (int i = 0; i < MASTERS; i++) {
        len += (size_t)snprintf(slots + len, sizeof(slots) - len,
                                "*4\r\n:%d\r\n:%d\r\n*2\r\n$9\r\n127.0.0.1\r\n:%d\r\n*2\r\n$9\r\n127.0.0.1\r\n:%d\r\n",
                                i * 80, i * 80 + 79, 7000 + i, 8000 + i);
    }
    taught_map_open(&m, slots, len);
    learn(&m, platform_now());
    for (int i = 0; i < MASTERS; i++) {
        snprintf(expected, sizeof(expected), "127.0.0.1:%d", 7000 + i);
        CHECK_TEXT(owner_of(&m, (unsigned)(i * 80)), expected);
    }
}

/* The renewing thread has a map of its own, which begins with what the caller's knows. */
TEST(cluster_leases_are_renewed_although_the_only_seed_hangs)
{
    enum { COUNT = 3 };
    static held all[COUNT];
    char name[16];

    CLUSTER(c, 3, 0, NEVER_FAILED);
    CLOSED_BY(keeper_close) keeper k;
    keeper_open_dsn(&k, dsn_of(&c, "", "127.0.0.1"));
    CHECK_INT(take(&k.c, "x", 60000, 0), LOCK_YES); /* by now the map is known */
    CHECK_INT(drop(&k.c, "x"), LOCK_YES);
    for (int i = 0; i < COUNT; i++) {
        cluster_name(&c, &c.nodes[i], 0, name);
        hold(&k, &all[i], name, 1500);
    }
    server_freeze(&c.nodes[0]);
    sleep_ms(2500);
    CHECK_INT(held_state(&all[1]), LOCK_RENEWAL_ON);
    CHECK_INT(held_state(&all[2]), LOCK_RENEWAL_ON);
    server_thaw(&c.nodes[0]);
    for (int i = 0; i < COUNT; i++) {
        let_go(&k, &all[i]);
    }
}

#define LONG_HOST "node-1.of-a-cluster-whose-name-is-long.in-a-department.example.org"

/* Slots may be scattered over the masters one by one: the map has a piece for each then. That is more than any other reply is
 * long. What is not learned is asked for again. */
TEST(cluster_map_of_very_many_pieces_is_learned)
{
    static char command[CLUSTER_SLOTS * 4];
    size_t len = (size_t)snprintf(command, sizeof(command), "CLUSTER DELSLOTS");
    char name[16];

    CLUSTER(c, 1, 0, NEVER_FAILED);
    for (int slot = 1; slot < CLUSTER_SLOTS; slot += 2) {
        len += (size_t)snprintf(command + len, sizeof(command) - len, " %d", slot);
    }
    CHECK_TEXT(say(&c.nodes[0], "CONFIG SET cluster-require-full-coverage no"), "OK");
    CHECK_TEXT(say(&c.nodes[0], "CONFIG SET cluster-announce-hostname %s", LONG_HOST), "OK");
    CHECK_TEXT(say(&c.nodes[0], command), "OK");
    CLUSTER_CLIENT(one, &c);
    cluster_name(&c, &c.nodes[0], 0, name);
    for (int i = 0; i < 3; i++) {
        CHECK_INT(take(&one, name, 10000, 0), LOCK_YES);
        CHECK_INT(drop(&one, name), LOCK_YES);
        sleep_ms(1100);
    }
    CHECK_INT(server_calls(&c.nodes[0], "cluster|slots"), 1);
}

/* SPDX-License-Identifier: MIT
 *
 * A Redis Cluster. First what the other tests here believe: that the bed's cluster moves slots and masters as it says.
 */
#include "cluster_bed.h"

/* The address that a redirection of this kind names. */
static const char *redirection(const cluster *c, const char *kind, const char *key, const server *to)
{
    static char text[64];

    snprintf(text, sizeof(text), "%s %d 127.0.0.1:%d", kind, cluster_slot(key), cluster_port(c, to));
    return text;
}

TEST(cluster_bed_moves_a_slot)
{
    CLUSTER(c, 3, 0, NEVER_FAILED);
    server *from = cluster_owner(&c, "{x}"), *to = cluster_other(&c, from);

    CHECK_INT(say_number(from, "CLUSTER KEYSLOT a{x}b"), cluster_slot("a{x}b"));
    CHECK_INT(say_number(from, "CLUSTER KEYSLOT {}x"), cluster_slot("{}x"));
    CHECK_TEXT(say(from, "MSET {x}1 one {x}2 two"), "OK");
    CHECK(cluster_move_begin(&c, "{x}", to) == from);
    CHECK_INT(cluster_move_keys(&c, "{x}", from, to, 1), 1);
    CHECK_TEXT(say(from, "MGET {x}1 {x}2"), "TRYAGAIN Multiple keys request during rehashing of slot");
    CHECK_TEXT(say(from, "GET {x}3"), redirection(&c, "ASK", "{x}", to));
    CHECK_TEXT(say(to, "GET {x}3"), redirection(&c, "MOVED", "{x}", from));
    say(to, "ASKING");
    CHECK_TEXT(say(to, "GET {x}3"), "(nil)");

    CHECK_INT(cluster_move_keys(&c, "{x}", from, to, -1), 1);
    cluster_move_end(&c, "{x}", from, to);
    cluster_agrees(&c);
    CHECK(cluster_owner(&c, "{x}") == to);
    CHECK_TEXT(say(from, "GET {x}1"), redirection(&c, "MOVED", "{x}", to));
    CHECK_TEXT(say(to, "MGET {x}1 {x}2"), "one two");
    cluster_move(&c, "{x}", from);
    CHECK_TEXT(say(from, "MGET {x}1 {x}2"), "one two");
}

TEST(cluster_bed_fails_over)
{
    char name[16], key[32];

    CLUSTER(c, 3, 1, SOON_FAILED);
    server *old = &c.nodes[0], *replica = cluster_replica(&c, old);
    cluster_name(&c, old, 0, name);
    snprintf(key, sizeof(key), "lock:%s", name);
    CHECK_TEXT(say(old, "SET %s kept", key), "OK");
    cluster_failover(&c, replica);
    CHECK(cluster_owner(&c, key) == replica && cluster_replica(&c, replica) == old);
    CHECK_TEXT(say(old, "GET %s", key), redirection(&c, "MOVED", key, replica));

    server_kill(replica);
    CHECK(cluster_promoted(&c, replica) == old);
    CHECK_TEXT(say(old, "GET %s", key), "kept");
    server_restart(replica);
    cluster_agrees(&c);
    CHECK(cluster_replica(&c, old) == replica);
}

TEST(cluster_bed_has_one_shard)
{
    CLUSTER(c, 1, 0, NEVER_FAILED);
    CHECK(cluster_owner(&c, "x") == &c.nodes[0]);
    CHECK_TEXT(say(&c.nodes[0], "SET x 1"), "OK");
}

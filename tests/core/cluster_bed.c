/* SPDX-License-Identifier: MIT
 *
 * cluster_bed: see cluster_bed.h.
 *
 * Each node starts with the file nodes.conf that it would have written itself, so that all know each other at once. One that
 * starts as a master takes no writes for two seconds. So a master starts as the replica of a node that is not there, and takes
 * its slots over.
 */
#include "cluster_bed.h"

#include <stdarg.h>
#include <stdio.h>

#define BUS        10000 /* nodes talk to each other on a port that is this much higher */
#define LINES_MOST 4096

/* A node that sees a slot without an owner would be down for seconds, so at first it does not demand one for each. */
#define LAST_OPTION "--cluster-require-full-coverage "

/* ---- what nodes say ---- */

/* What a node says of one node. */
typedef struct seen {
    bool is_there;
    bool is_master;
    bool is_good;     /* it is not failed, and linked */
    char master[41];  /* "-": none */
    char slots[1024]; /* ranges, with spaces between; moving slots aside */
    long epoch;
} seen;

static bool answers(const server *node)
{
    return node->raw != NULL && !node->is_frozen;
}

static int number_of(const cluster *c, const server *node)
{
    return (int)(node - c->nodes);
}

/* Fills in what a line of CLUSTER NODES says; its words: id, address, flags, master, ping, pong, epoch, link, slots. */
static void read_line(char *line, seen *s)
{
    char *words[8], *rest = line;

    for (int i = 0; i < 8; i++) {
        words[i] = strsep(&rest, " ");
        CHECK(words[i] != NULL);
    }
    bool is_myself = strstr(words[2], "myself") != NULL;
    *s = (seen){.is_there = true, .is_master = strstr(words[2], "master") != NULL, .epoch = atol(words[6])};
    s->is_good = strstr(words[2], "fail") == NULL && (is_myself || strcmp(words[7], "connected") == 0);
    snprintf(s->master, sizeof(s->master), "%s", words[3]);
    for (char *range = strsep(&rest, " "); range != NULL; range = strsep(&rest, " ")) {
        if (range[0] != '[' && range[0] != '\0') {
            snprintf(s->slots + strlen(s->slots), sizeof(s->slots) - strlen(s->slots), "%s ", range);
        }
    }
}

/* Fills in what a node says of all nodes. Returns how many others than ours it names, those aside that it is only meeting. */
static int look(cluster *c, server *node, seen views[CLUSTER_MOST])
{
    char text[16384], *rest = text;
    int strangers = 0;

    snprintf(text, sizeof(text), "%s", say(node, "CLUSTER NODES"));
    memset(views, 0, sizeof(seen) * CLUSTER_MOST);
    for (char *line = strsep(&rest, "\n"); line != NULL; line = strsep(&rest, "\n")) {
        int i = 0;
        while (i < c->count && strncmp(line, c->ids[i], 40) != 0) {
            i++;
        }
        if (i < c->count) {
            read_line(line, &views[i]);
        } else if (line[0] != '\0' && strstr(line, "handshake") == NULL) {
            strangers++;
        }
    }
    return strangers;
}

static bool has_slot(const char *slots, int slot)
{
    for (const char *at = slots; *at != '\0';) {
        char *end;
        long first = strtol(at, &end, 10), last = *end == '-' ? strtol(end + 1, &end, 10) : first;
        if (first <= slot && slot <= last) {
            return true;
        }
        at = end + 1;
    }
    return false;
}

static bool is_replicating(server *node)
{
    return strstr(say(node, "INFO replication"), "master_link_status:up") != NULL;
}

/* Whether what a node says fits what each one says of itself, and the node works. */
static bool agrees(cluster *c, server *node, const seen own[CLUSTER_MOST])
{
    seen views[CLUSTER_MOST];
    const seen *self = &own[number_of(c, node)];

    const char *info = say(node, "CLUSTER INFO");
    if (look(c, node, views) > 0 || strstr(info, "cluster_state:ok") == NULL ||
        strstr(info, "cluster_slots_assigned:16384") == NULL) {
        return false;
    }
    for (int i = 0; i < c->count; i++) {
        if (answers(&c->nodes[i]) && (!views[i].is_good || strcmp(views[i].master, own[i].master) != 0 ||
                                      strcmp(views[i].slots, own[i].slots) != 0)) {
            return false;
        }
    }
    for (int i = 0; i < c->count && !self->is_master; i++) {
        if (strcmp(c->ids[i], self->master) == 0 && answers(&c->nodes[i])) {
            return is_replicating(node);
        }
    }
    return true;
}

/* Fills in what each node that answers says of itself. */
static void look_around(cluster *c, seen own[CLUSTER_MOST])
{
    seen views[CLUSTER_MOST];

    memset(own, 0, sizeof(seen) * CLUSTER_MOST);
    for (int i = 0; i < c->count; i++) {
        if (answers(&c->nodes[i])) {
            look(c, &c->nodes[i], views);
            own[i] = views[i];
        }
    }
}

static bool all_agree(cluster *c)
{
    seen own[CLUSTER_MOST];

    look_around(c, own);
    for (int i = 0; i < c->count; i++) {
        if (answers(&c->nodes[i]) && !agrees(c, &c->nodes[i], own)) {
            return false;
        }
    }
    return true;
}

/* Lets each node tell all others what it is. By themselves, each talks to one other a second. */
static void let_them_talk(cluster *c)
{
    for (int i = 0; i < c->count; i++) {
        for (int j = 0; j < c->count; j++) {
            if (i != j && answers(&c->nodes[i]) && answers(&c->nodes[j])) {
                say(&c->nodes[i], "CLUSTER MEET 127.0.0.1 %d %d", c->ports[j], c->ports[j] + BUS);
            }
        }
    }
}

void cluster_agrees(cluster *c)
{
    int64_t start = platform_now();

    for (int round = 1; !all_agree(c); round++) {
        if (ms_since(start) > 40000) {
            test_fail(__FILE__, __LINE__, "the nodes do not agree: %s", say(cluster_owner(c, "x"), "CLUSTER NODES"));
        }
        if (round % 20 == 0) {
            let_them_talk(c);
        }
        sleep_ms(10);
    }
}

/* ---- slots ---- */

int cluster_slot(const char *key)
{
    const char *open = strchr(key, '{'), *end = open != NULL ? strchr(open, '}') : NULL;
    unsigned crc = 0;

    if (end == NULL || end == open + 1) {
        open = key - 1;
        end = key + strlen(key);
    }
    for (const char *at = open + 1; at < end; at++) {
        crc ^= (unsigned)(unsigned char)*at << 8;
        for (int bit = 0; bit < 8; bit++) {
            crc = ((crc << 1) ^ ((crc & 0x8000) != 0 ? 0x1021 : 0)) & 0xffff;
        }
    }
    return (int)(crc % CLUSTER_SLOTS);
}

server *cluster_owner(cluster *c, const char *key)
{
    seen own[CLUSTER_MOST];
    int slot = cluster_slot(key), owner = -1;

    look_around(c, own);
    for (int i = 0; i < c->count; i++) {
        if (own[i].is_master && has_slot(own[i].slots, slot) && (owner < 0 || own[i].epoch > own[owner].epoch)) {
            owner = i;
        }
    }
    if (owner < 0) {
        test_fail(__FILE__, __LINE__, "no node owns the slot of %s", key);
    }
    return &c->nodes[owner];
}

server *cluster_other(cluster *c, const server *master)
{
    seen own[CLUSTER_MOST];

    look_around(c, own);
    for (int i = 0; i < c->count; i++) {
        if (own[i].is_master && own[i].slots[0] != '\0' && &c->nodes[i] != master) {
            return &c->nodes[i];
        }
    }
    test_fail(__FILE__, __LINE__, "there is no other master");
}

server *cluster_replica(cluster *c, const server *master)
{
    seen own[CLUSTER_MOST];

    look_around(c, own);
    for (int i = 0; i < c->count; i++) {
        if (own[i].is_there && strcmp(own[i].master, c->ids[number_of(c, master)]) == 0) {
            return &c->nodes[i];
        }
    }
    test_fail(__FILE__, __LINE__, "the master has no replica");
}

void cluster_name(cluster *c, const server *master, int nth, char name[16])
{
    seen own[CLUSTER_MOST];
    char key[32];

    look_around(c, own);
    for (int i = 0; nth >= 0; i++) {
        snprintf(name, 16, "a%d", i);
        snprintf(key, sizeof(key), "lock:%s", name);
        nth -= has_slot(own[number_of(c, master)].slots, cluster_slot(key));
    }
}

int cluster_port(const cluster *c, const server *node)
{
    return c->ports[number_of(c, node)];
}

/* ---- a slot that moves ---- */

static void must_be_ok(const char *reply)
{
    CHECK_TEXT(reply, "OK");
}

void cluster_move(cluster *c, const char *key, server *to)
{
    server *from = cluster_move_begin(c, key, to);

    cluster_move_keys(c, key, from, to, -1);
    cluster_move_end(c, key, from, to);
}

server *cluster_move_begin(cluster *c, const char *key, server *to)
{
    server *from = cluster_owner(c, key);
    int slot = cluster_slot(key);

    CHECK(from != to);
    must_be_ok(say(to, "CLUSTER SETSLOT %d IMPORTING %s", slot, c->ids[number_of(c, from)]));
    must_be_ok(say(from, "CLUSTER SETSLOT %d MIGRATING %s", slot, c->ids[number_of(c, to)]));
    return from;
}

/* Keys one at a time, by their own bytes: a name may have spaces in it. */
int cluster_move_keys(cluster *c, const char *key, server *from, server *to, int count)
{
    int moved = 0;

    while (moved != count) {
        const char *next = say(from, "CLUSTER GETKEYSINSLOT %d 1", cluster_slot(key));
        if (next[0] == '\0') {
            break;
        }
        const char *went = say(from, "MIGRATE 127.0.0.1 %d %s 0 5000", cluster_port(c, to), next);
        CHECK(strcmp(went, "OK") == 0 || strcmp(went, "NOKEY") == 0); /* a client may have deleted it meanwhile */
        moved++;
    }
    return moved;
}

void cluster_move_end(cluster *c, const char *key, server *from, server *to)
{
    const char *id = c->ids[number_of(c, to)];
    int slot = cluster_slot(key);
    seen own[CLUSTER_MOST];

    must_be_ok(say(to, "CLUSTER SETSLOT %d NODE %s", slot, id));
    must_be_ok(say(from, "CLUSTER SETSLOT %d NODE %s", slot, id));
    look_around(c, own);
    for (int i = 0; i < c->count; i++) {
        if (own[i].is_master && &c->nodes[i] != to && &c->nodes[i] != from) {
            must_be_ok(say(&c->nodes[i], "CLUSTER SETSLOT %d NODE %s", slot, id));
        }
    }
}

/* ---- masters that change ---- */

/* Whether a node says itself that it is a master with slots. */
static bool is_master(cluster *c, server *node)
{
    seen views[CLUSTER_MOST];

    look(c, node, views);
    return views[number_of(c, node)].is_master && views[number_of(c, node)].slots[0] != '\0';
}

/* A failover is given up after 5 s, as after a vote that came late. */
void cluster_failover(cluster *c, server *replica)
{
    for (int try = 0; !is_master(c, replica); try++) {
        CHECK(try < 5);
        int64_t start = platform_now();
        must_be_ok(say(replica, "CLUSTER FAILOVER"));
        while (!is_master(c, replica) && ms_since(start) < 6000) {
            sleep_ms(1);
        }
    }
    cluster_agrees(c);
}

server *cluster_promoted(cluster *c, const server *old)
{
    int64_t start = platform_now();

    for (;;) {
        for (int i = number_of(c, old) % c->masters; i < c->count; i += c->masters) {
            if (&c->nodes[i] != old && answers(&c->nodes[i]) && is_master(c, &c->nodes[i])) {
                cluster_agrees(c);
                return &c->nodes[i];
            }
        }
        if (ms_since(start) > 40000) {
            test_fail(__FILE__, __LINE__, "no node is promoted");
        }
        sleep_ms(2);
    }
}

/* ---- the start ---- */

/* Draws a port for a node, with that of its bus. Both are below those that the kernel gives to connections. */
static int draw_port(void)
{
    for (;;) {
        uint16_t drawn;
        platform_random(&drawn, sizeof(drawn));
        int port = 12000 + drawn % 10000;
        if (port_take(port) && port_take(port + BUS)) {
            return port;
        }
    }
}

static void draw_id(char id[41])
{
    unsigned char bytes[20];

    platform_random(bytes, sizeof(bytes));
    for (int i = 0; i < 20; i++) {
        snprintf(id + 2 * i, 3, "%02x", bytes[i]);
    }
}

__attribute__((format(printf, 2, 3))) static void add(char lines[LINES_MOST], const char *format, ...)
{
    size_t len = strlen(lines);
    va_list args;

    va_start(args, format);
    CHECK(vsnprintf(lines + len, LINES_MOST - len, format, args) < (int)(LINES_MOST - len));
    va_end(args);
}

/* Writes the file nodes.conf of node n. The master that is not there, whose slots a master takes over, has no address, so that
 * nobody tells other nodes of it. */
static void write_lines(const cluster *c, int n, const char *ghost, char lines[LINES_MOST])
{
    lines[0] = '\0';
    for (int i = 0; i < c->count; i++) {
        int shard = i % c->masters;
        bool owns = i < c->masters && i != n;
        const char *master = i >= c->masters ? c->ids[shard] : ghost;
        add(lines, "%s 127.0.0.1:%d@%d %s%s %s 0 0 %d connected", c->ids[i], c->ports[i], c->ports[i] + BUS,
            i == n ? "myself," : "", owns ? "master" : "slave", owns ? "-" : master, owns ? shard + 1 : 0);
        if (i < c->masters) {
            if (i == n) {
                add(lines, "\n%s :0@0 master,noaddr - 0 0 0 disconnected", ghost);
            }
            add(lines, " %d-%d", shard * CLUSTER_SLOTS / c->masters, (shard + 1) * CLUSTER_SLOTS / c->masters - 1);
        }
        add(lines, "\n");
    }
    add(lines, "vars currentEpoch %d lastVoteEpoch 0\n",
        c->masters + n); /* each takes its slots over with another one */
}

static void take_over(server *node, const char *ghost)
{
    int64_t start = platform_now();

    while (strstr(say(node, "CLUSTER INFO"), "cluster_state:ok") == NULL) {
        CHECK(ms_since(start) < 20000);
        sleep_ms(1);
    }
    must_be_ok(say(node, "CLUSTER FAILOVER TAKEOVER"));
    must_be_ok(say(node, "CLUSTER FORGET %s", ghost));
}

static void start_node(cluster *c, int n, int node_timeout)
{
    char lines[LINES_MOST], ghost[41], options[512];

    draw_id(ghost);
    write_lines(c, n, ghost, lines);
    snprintf(
        options, sizeof(options),
        "--port %d --bind 127.0.0.1 --cluster-enabled yes --cluster-config-file nodes.conf --cluster-node-timeout %d "
        "--cluster-replica-validity-factor 0 --cluster-allow-replica-migration no --repl-diskless-sync yes "
        "--repl-diskless-sync-delay 0 --repl-ping-replica-period 1 " LAST_OPTION "no",
        c->ports[n], node_timeout);
    server_start_with(&c->nodes[n], options, "nodes.conf", lines);
    if (n < c->masters) {
        take_over(&c->nodes[n], ghost);
    }
}

/* The default, from now on and at its next start. */
static void demand_all_slots(server *node)
{
    char *value = strstr(node->options, LAST_OPTION);

    must_be_ok(say(node, "CONFIG SET cluster-require-full-coverage yes"));
    CHECK(value != NULL);
    strcpy(value + strlen(LAST_OPTION), "yes");
}

void cluster_open(cluster *c, int masters, int replicas, int node_timeout)
{
    memset(c, 0, sizeof(*c));
    c->masters = masters;
    c->count = masters * (1 + replicas);
    CHECK(c->count <= CLUSTER_MOST);
    snprintf(c->dsn, sizeof(c->dsn), "redis-cluster://");
    for (int i = 0; i < c->count; i++) {
        draw_id(c->ids[i]);
        c->ports[i] = draw_port();
        snprintf(c->dsn + strlen(c->dsn), sizeof(c->dsn) - strlen(c->dsn), "%s127.0.0.1:%d", i > 0 ? "," : "",
                 c->ports[i]);
    }
    for (int i = 0; i < c->count; i++) {
        start_node(c, i, node_timeout);
    }
    cluster_agrees(c);
    for (int i = 0; i < c->count; i++) {
        demand_all_slots(&c->nodes[i]);
    }
    held_up_from_now();
}

void cluster_close(cluster *c)
{
    for (int i = 0; i < c->count; i++) {
        server_stop(&c->nodes[i]);
    }
}

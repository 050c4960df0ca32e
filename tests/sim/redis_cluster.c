/* SPDX-License-Identifier: MIT
 *
 * redis_cluster: the simulated Redis as a node of a Redis Cluster: which slots it serves, and what it answers to requests about
 * keys that are elsewhere. As in Redis 7.0, a node goes by what it knows itself; its driver tells it that.
 */
#include "redis_server.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MOST_OPEN 16 /* slots that are open at a time */

/* A slot that moves, as a node sees it. */
typedef struct open_slot {
    unsigned slot;
    int to, from; /* which node it goes to, or comes from; -1: it does not */
} open_slot;

struct redis_cluster {
    int self;
    size_t count;
    redis_node nodes[REDIS_MAX_NODES];
    int8_t owner[REDIS_SLOTS]; /* -1: nobody */
    open_slot open[MOST_OPEN];
    size_t open_count;
    bool is_down;
};

/* ---- slots ---- */

static unsigned crc16(const char *bytes, size_t len)
{
    unsigned crc = 0;

    for (size_t i = 0; i < len; i++) {
        crc ^= (unsigned)(unsigned char)bytes[i] << 8;
        for (int bit = 0; bit < 8; bit++) {
            crc = (crc << 1 ^ ((crc & 0x8000) != 0 ? 0x1021 : 0)) & 0xffff;
        }
    }
    return crc;
}

unsigned redis_slot(const char *key, size_t len)
{
    const char *open = memchr(key, '{', len);
    const char *close = open != NULL ? memchr(open, '}', len - (size_t)(open - key)) : NULL;

    if (close != NULL && close > open + 1) {
        return crc16(open + 1, (size_t)(close - open - 1)) % REDIS_SLOTS;
    }
    return crc16(key, len) % REDIS_SLOTS;
}

/* What is known of a slot that moves; NULL: it does not. */
static open_slot *find_open(const redis_cluster *cluster, unsigned slot)
{
    for (size_t i = 0; i < cluster->open_count; i++) {
        if (cluster->open[i].slot == slot) {
            return (open_slot *)&cluster->open[i];
        }
    }
    return NULL;
}

static int migrating_to(const redis_cluster *cluster, unsigned slot)
{
    const open_slot *open = find_open(cluster, slot);

    return open != NULL ? open->to : -1;
}

static int importing_from(const redis_cluster *cluster, unsigned slot)
{
    const open_slot *open = find_open(cluster, slot);

    return open != NULL ? open->from : -1;
}

/* ---- what its driver tells it ---- */

void redis_join_cluster(redis *server, int self, const redis_node *nodes, size_t count)
{
    redis_cluster *cluster = redis_resize(NULL, sizeof(*cluster));

    if (count > REDIS_MAX_NODES) {
        redis_die("a cluster of %zu nodes is not implemented", count);
    }
    *cluster = (redis_cluster){.self = self, .count = count};
    memcpy(cluster->nodes, nodes, count * sizeof(*nodes));
    memset(cluster->owner, -1, sizeof(cluster->owner));
    free(server->cluster);
    server->cluster = cluster;
}

void redis_set_owner(redis *server, unsigned first, unsigned last, int node)
{
    memset(server->cluster->owner + first, node, last - first + 1);
}

int redis_owner(const redis *server, unsigned slot)
{
    return server->cluster->owner[slot];
}

void redis_open_slot(redis *server, unsigned slot, int to, int from)
{
    redis_cluster *cluster = server->cluster;
    open_slot *open = find_open(cluster, slot);

    if (to < 0 && from < 0) {
        if (open != NULL) {
            *open = cluster->open[--cluster->open_count];
        }
        return;
    }
    if (open == NULL && cluster->open_count == MOST_OPEN) {
        redis_die("more than %d open slots are not implemented", MOST_OPEN);
    }
    open = open != NULL ? open : &cluster->open[cluster->open_count++];
    *open = (open_slot){slot, to, from};
}

void redis_set_master_of(redis *server, int node, int master)
{
    server->cluster->nodes[node].master = master;
}

void redis_set_cluster_down(redis *server, bool on)
{
    server->cluster->is_down = on;
}

static void note_written(redis *server)
{
    server->offset++;
    if (server->wrote != NULL) {
        server->wrote(server->wrote_arg);
    }
}

bool redis_move_key(redis *from, redis *to, const char *key, size_t len)
{
    value *v = map_remove(&from->databases[0].keys, key, len);

    if (v == NULL) {
        return false;
    }
    if (v->expires != NEVER) {
        int64_t left = v->expires - server_ms(from);
        v->expires = server_ms(to) + (left > 0 ? left : 1);
        to->next_expiry = v->expires < to->next_expiry ? v->expires : to->next_expiry;
    }
    void **at = map_put(&to->databases[0].keys, key, len);
    if (*at != NULL) {
        value_free(*at);
    }
    *at = v;
    if (v->type == TYPE_LIST) {
        server_key_ready(to, &to->databases[0], key, len);
        server_go_on(to);
    }
    note_written(from);
    note_written(to);
    return true;
}

size_t redis_keys_in_slot(const redis *server, unsigned slot, const char **first, size_t *first_len)
{
    const map *keys = &server->databases[0].keys;
    size_t count = 0;

    for (size_t i = keys->count; i-- > 0;) {
        const blob *key = keys->at[i].key;
        if (redis_slot(key->at, key->len) == slot) {
            *first = key->at;
            *first_len = key->len;
            count++;
        }
    }
    return count;
}

/* ---- requests ---- */

/* Which arguments of a request are keys. */
typedef struct key_range {
    size_t first, count;
} key_range;

static key_range keys_of(const command *command, size_t argc, const char *const *argv)
{
    key_range none = {0};
    long long count;

    if (command->flags & COMMAND_NO_KEYS) {
        return none;
    }
    if (command->run == run_eval || command->run == run_evalsha) {
        count = strtoll(argv[2], NULL, 10);
        return count > 0 && (unsigned long long)count <= argc - 3 ? (key_range){3, (size_t)count} : none;
    }
    if (command->flags & COMMAND_MANY_KEYS) {
        return (key_range){1, argc - 1 -
                                  (command->flags & COMMAND_NOT_IN_SCRIPTS ? 1 : 0)}; /* BLPOP ends with a timeout */
    }
    return (key_range){1, 1};
}

typedef enum verdict { HERE, CROSS_SLOT, NOBODYS, DOWN, TRY_AGAIN, ASK, MOVED } verdict;

/* Which of several keys are in the server? A key that is named twice counts twice. */
typedef struct presence {
    size_t there, missing;
    bool are_several; /* keys that differ */
} presence;

static bool are_equal(const call *c, size_t i, size_t k)
{
    return c->len[i] == c->len[k] && memcmp(c->argv[i], c->argv[k], c->len[i]) == 0;
}

static presence look_for_keys(const call *c, key_range keys)
{
    presence found = {0};

    for (size_t i = keys.first; i < keys.first + keys.count; i++) {
        bool is_there = map_get(&c->server->databases[0].keys, c->argv[i], c->len[i]) != NULL;
        found.there += is_there;
        found.missing += !is_there;
        found.are_several |= !are_equal(c, i, keys.first);
    }
    return found;
}

/* Does a command run here? Fills in the slot and the node of a redirection. As getNodeByQuery() of Redis does, and in its
 * order. */
static verdict judge(const call *c, const command *command, unsigned *slot, int *node)
{
    const redis_cluster *cluster = c->server->cluster;
    key_range keys = keys_of(command, c->argc, c->argv);

    if (keys.count == 0) {
        return HERE;
    }
    *slot = redis_slot(c->argv[keys.first], c->len[keys.first]);
    *node = cluster->owner[*slot];
    if (*node < 0) {
        return NOBODYS;
    }
    for (size_t i = keys.first + 1; i < keys.first + keys.count; i++) {
        if (redis_slot(c->argv[i], c->len[i]) != *slot) {
            return CROSS_SLOT;
        }
    }
    if (cluster->is_down) {
        return DOWN;
    }
    int to = *node == cluster->self ? migrating_to(cluster, *slot) : -1;
    bool imports = to < 0 && importing_from(cluster, *slot) >= 0;
    presence found = look_for_keys(c, keys);
    if (to >= 0 && found.missing > 0) {
        *node = to;
        return found.there > 0 ? TRY_AGAIN : ASK;
    }
    if (imports && c->link->is_asking) {
        return found.are_several && found.missing > 0 ? TRY_AGAIN : HERE;
    }
    return *node == cluster->self ? HERE : MOVED;
}

static void reply_redirection(buffer *out, const redis_cluster *cluster, const char *word, unsigned slot, int node)
{
    reply_error(out, "%s %u %s:%d", word, slot, cluster->nodes[node].host, cluster->nodes[node].port);
}

bool cluster_refuses(call *c, const command *command)
{
    unsigned slot = 0;
    int node = -1;

    if (c->server->cluster == NULL) {
        return false;
    }
    switch (judge(c, command, &slot, &node)) {
    case HERE:
        return false;
    case CROSS_SLOT:
        reply_error(c->out, "CROSSSLOT Keys in request don't hash to the same slot");
        break;
    case NOBODYS:
        reply_error(c->out, "CLUSTERDOWN Hash slot not served");
        break;
    case DOWN:
        reply_error(c->out, "CLUSTERDOWN The cluster is down");
        break;
    case TRY_AGAIN:
        reply_error(c->out, "TRYAGAIN Multiple keys request during rehashing of slot");
        break;
    case ASK:
        reply_redirection(c->out, c->server->cluster, "ASK", slot, node);
        break;
    default:
        reply_redirection(c->out, c->server->cluster, "MOVED", slot, node);
        break;
    }
    return true;
}

/* Scripts that say nothing of themselves reach all slots of the node. */
const char *cluster_script_refusal(const call *c, const command *command)
{
    unsigned slot;
    int node;
    verdict v = c->server->cluster != NULL ? judge(c, command, &slot, &node) : HERE;

    if (v != HERE) {
        return v == DOWN ? "ERR Script attempted to execute a command while the cluster is down"
                         : "ERR Script attempted to access a non local key in a cluster node";
    }
    return NULL;
}

/* A BLPOP does not stay where its slot has gone from. Redis looks ten times a second. */
void redis_redirect_blocked(redis *server)
{
    const redis_cluster *cluster = server->cluster;
    redis_link *next;

    for (redis_link *link = server->first_blocked; link != NULL; link = next) {
        next = link->next_waiting;
        if (link->awaited > 0) {
            continue;
        }
        unsigned slot = redis_slot(link->blocked_argv[1]->at, link->blocked_argv[1]->len);
        int node = cluster->owner[slot];
        if (cluster->is_down) {
            reply_error(&server->reply, "CLUSTERDOWN The cluster is down");
        } else if (node < 0) {
            reply_error(&server->reply, "CLUSTERDOWN Hash slot not served");
        } else if (node != cluster->self && importing_from(cluster, slot) < 0) {
            reply_redirection(&server->reply, cluster, "MOVED", slot, node);
        } else {
            continue;
        }
        link_end_block(link);
    }
    server_go_on(server);
}

/* ---- commands ---- */

static void reply_no_cluster(call *c)
{
    reply_error(c->out, "ERR This instance has cluster support disabled");
}

/* The next command may be about a key of a slot that this node imports. */
void run_asking(call *c)
{
    if (c->server->cluster == NULL) {
        reply_no_cluster(c);
        return;
    }
    c->link->is_asking = true;
    reply_status(c->out, "OK");
}

static void reply_node(call *c, const redis_node *node)
{
    reply_array(c->out, 4);
    reply_bytes(c->out, node->host, strlen(node->host));
    reply_number(c->out, node->port);
    reply_bytes(c->out, node->id, strlen(node->id));
    reply_array(c->out, 0);
}

/* A master's slots from the first to the last, with the master and its replicas. */
static void reply_piece(call *c, unsigned first, unsigned last, int master)
{
    const redis_cluster *cluster = c->server->cluster;
    size_t replicas = 0;

    for (size_t i = 0; i < cluster->count; i++) {
        replicas += cluster->nodes[i].master == master;
    }
    reply_array(c->out, 3 + replicas);
    reply_number(c->out, first);
    reply_number(c->out, last);
    reply_node(c, &cluster->nodes[master]);
    for (size_t i = 0; i < cluster->count; i++) {
        if (cluster->nodes[i].master == master) {
            reply_node(c, &cluster->nodes[i]);
        }
    }
}

/* Returns the last slot of the run that begins with this one. */
static unsigned last_of_run(const redis_cluster *cluster, unsigned slot)
{
    while (slot + 1 < REDIS_SLOTS && cluster->owner[slot + 1] == cluster->owner[slot]) {
        slot++;
    }
    return slot;
}

static void reply_slots(call *c)
{
    const redis_cluster *cluster = c->server->cluster;
    size_t pieces = 0;

    for (unsigned slot = 0; slot < REDIS_SLOTS; slot = last_of_run(cluster, slot) + 1) {
        pieces += cluster->owner[slot] >= 0;
    }
    reply_array(c->out, pieces);
    for (unsigned slot = 0; slot < REDIS_SLOTS; slot = last_of_run(cluster, slot) + 1) {
        if (cluster->owner[slot] >= 0) {
            reply_piece(c, slot, last_of_run(cluster, slot), cluster->owner[slot]);
        }
    }
}

/* CLUSTER SLOTS alone. */
void run_cluster(call *c)
{
    if (c->server->cluster == NULL) {
        reply_no_cluster(c);
    } else if (strcasecmp(c->argv[1], "SLOTS") == 0 && c->argc == 2) {
        reply_slots(c);
    } else {
        redis_die("CLUSTER %s is not implemented", c->argv[1]);
    }
}

/* SPDX-License-Identifier: MIT
 *
 * redis/cluster: see redis/cluster.h.
 */
#include "redis/cluster.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "invariant.h"
#include "platform/platform.h"

/* How long other nodes are asked in place of one that has failed, from when the first of them is asked. */
#define FAILED_FOR PLATFORM_SEC

/* How long a node may be silent before it counts as one that has failed. A call whose time is over sooner proves nothing. */
#define SILENT_FOR (200 * PLATFORM_MSEC)

/* For how long the silence of a node counts that is no longer asked. */
#define SILENCE_COUNTS_FOR (10 * PLATFORM_SEC)

/* CLUSTER SLOTS is asked this often at most. In between, redirections tell what matters. */
#define ASK_PAUSE PLATFORM_SEC

/* An answer that takes so long is that of a node which stood still, or was not read for so long: it says what was true
 * before. */
#define LATE PLATFORM_SEC

/* For how long a slot counts as moving behind the last sign of it. */
#define MOVES_FOR PLATFORM_SEC

/* For how long an ASK tells where the next request goes: what it says may be wrong when the slot has moved on. Only for what
 * does no harm if the key is elsewhere, it holds as long as the slot counts as moving. */
#define ASKS_FOR (100 * PLATFORM_MSEC)

/* How many slots that move, and how many ASKs, are kept in mind. Slots mostly move one by one. */
#define MOST_MOVING 16
#define MOST_ASKS   16

/* A slot that moves. */
typedef struct moving_slot {
    unsigned slot;
    int64_t until; /* 0: none */
} moving_slot;

/* An ASK. */
typedef struct cluster_ask {
    rl_bytes key; /* the bytes are owned; .at is NULL: none */
    int64_t at;   /* when it came */
    bool is_lone; /* the request was about this key alone */
    bool is_used; /* a request has followed it */
    rl_destination to;
} cluster_ask;

typedef struct cluster_node {
    char *host; /* owned: mostly a short one */
    int port;
    uint64_t id;          /* see rl_route_to */
    uint8_t master;       /* of a replica: the number of its master; 0: it is none, as far as is known */
    int64_t failed_at;    /* when it failed last; 0: never */
    bool is_doubted;      /* it has failed, and no other node was asked in its place since */
    int64_t silent_since; /* since when it has left requests unanswered; 0: it has not */
} cluster_node;

struct rl_cluster {
    rl_cluster_head head;
    size_t leads; /* how many connections lead to its nodes */
    rl_endpoint endpoint;
    uint8_t owner[RL_SLOTS]; /* numbers of nodes, from 1 on; 0: not known */
    cluster_node *nodes;     /* node n is nodes[n - 1] */
    size_t count;
    size_t turn; /* counts the guesses, which go around */

    bool refuses_slots; /* CLUSTER SLOTS was refused: redirections alone tell where to go */
    int64_t asked_at;   /* when it was asked last; 0: never */

    moving_slot moving[MOST_MOVING];
    int64_t moving_until; /* when the last of them stops to count */
    cluster_ask asks[MOST_ASKS];
    const cluster_ask *last_ask; /* NULL: there was none */
    rl_destination owed_to;      /* while RL_MAP_OWES: see rl_cluster_note_owed() */
};

static void set(rl_cluster *cluster, rl_unrest what)
{
    cluster->head.unrest |= what;
}

static void clear(rl_cluster *cluster, rl_unrest what)
{
    cluster->head.unrest &= ~(unsigned)what;
}

/* Has CLUSTER SLOTS asked, unless that was refused before. */
static void doubt(rl_cluster *cluster)
{
    if (!cluster->refuses_slots) {
        set(cluster, RL_MAP_IN_DOUBT);
    }
}

/* ---- slots ---- */

/* The sum, without carries, of those of eight numbers that stand at the bits of the byte, lowest first. */
#define BIT(byte, n, number) (((byte) & (1 << (n))) != 0 ? (number) : 0)
#define SUM(byte, a, b, c, d, e, f, g, h)                                                                              \
    (BIT(byte, 0, a) ^ BIT(byte, 1, b) ^ BIT(byte, 2, c) ^ BIT(byte, 3, d) ^ BIT(byte, 4, e) ^ BIT(byte, 5, f) ^       \
     BIT(byte, 6, g) ^ BIT(byte, 7, h))

/* The sums for so many bytes from this one on, and for all. */
#define SUMS_4(byte, ...)                                                                                              \
    SUM((byte), __VA_ARGS__), SUM((byte) + 1, __VA_ARGS__), SUM((byte) + 2, __VA_ARGS__), SUM((byte) + 3, __VA_ARGS__)
#define SUMS_16(byte, ...)                                                                                             \
    SUMS_4((byte), __VA_ARGS__), SUMS_4((byte) + 4, __VA_ARGS__), SUMS_4((byte) + 8, __VA_ARGS__),                     \
        SUMS_4((byte) + 12, __VA_ARGS__)
#define SUMS_64(byte, ...)                                                                                             \
    SUMS_16((byte), __VA_ARGS__), SUMS_16((byte) + 16, __VA_ARGS__), SUMS_16((byte) + 32, __VA_ARGS__),                \
        SUMS_16((byte) + 48, __VA_ARGS__)
#define SUMS(...)                                                                                                      \
    {                                                                                                                  \
        SUMS_64(0, __VA_ARGS__), SUMS_64(64, __VA_ARGS__), SUMS_64(128, __VA_ARGS__), SUMS_64(192, __VA_ARGS__)        \
    }

/* CRC-16/XMODEM, whose polynomial is x^16 + x^12 + x^5 + 1: four bytes at a time, each by a table of its own ("slicing by 4":
 * M. Kounavis and F. Berry, A Systematic Approach to Building High Performance Software-Based CRC Generators, 2005). What a
 * byte adds to the CRC is the sum of what its bits add: x^16 to x^23 for the last byte, x^24 to x^31 for the one before, and
 * so on, all modulo the polynomial. */
static unsigned crc16(const char *bytes, size_t len)
{
    static const uint16_t last[256] = SUMS(0x1021, 0x2042, 0x4084, 0x8108, 0x1231, 0x2462, 0x48c4, 0x9188);
    static const uint16_t before_1[256] = SUMS(0x3331, 0x6662, 0xccc4, 0x89a9, 0x0373, 0x06e6, 0x0dcc, 0x1b98);
    static const uint16_t before_2[256] = SUMS(0x3730, 0x6e60, 0xdcc0, 0xa9a1, 0x4363, 0x86c6, 0x1dad, 0x3b5a);
    static const uint16_t before_3[256] = SUMS(0x76b4, 0xed68, 0xcaf1, 0x85c3, 0x1ba7, 0x374e, 0x6e9c, 0xdd38);
    const unsigned char *at = (const unsigned char *)bytes, *end = at + len;
    unsigned crc = 0;

    for (; end - at >= 4; at += 4) {
        crc = before_3[at[0] ^ crc >> 8] ^ before_2[at[1] ^ (crc & 0xff)] ^ before_1[at[2]] ^ last[at[3]];
    }
    for (; at < end; at++) {
        crc = last[*at ^ crc >> 8] ^ (crc << 8 & 0xff00);
    }
    return crc;
}

unsigned rl_slot_of(rl_bytes key)
{
    const char *open = memchr(key.at, '{', key.len);
    const char *close = open != NULL ? memchr(open, '}', key.len - (size_t)(open - key.at)) : NULL;

    if (close != NULL && close > open + 1) {
        key = (rl_bytes){open + 1, (size_t)(close - open) - 1};
    }
    return crc16(key.at, key.len) % RL_SLOTS;
}

/* ---- nodes ---- */

static void free_nodes(cluster_node *nodes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(nodes[i].host);
    }
    free(nodes);
}

/* Leaves a map that knows nothing: then the seeds are asked. */
static void forget_nodes(rl_cluster *cluster)
{
    free_nodes(cluster->nodes, cluster->count);
    cluster->nodes = NULL;
    cluster->count = 0;
    memset(cluster->owner, 0, sizeof(cluster->owner));
}

void rl_cluster_free(rl_cluster *cluster)
{
    RL_INVARIANT(cluster->leads == 0); /* no connection has the map any more */
    free_nodes(cluster->nodes, cluster->count);
    for (size_t i = 0; i < MOST_ASKS; i++) {
        free((char *)cluster->asks[i].key.at);
    }
    rl_endpoint_free(&cluster->endpoint);
    free(cluster);
}

void rl_cluster_count_lead(rl_cluster *cluster, int more)
{
    RL_INVARIANT(more > 0 || cluster->leads > 0);
    cluster->leads += (size_t)more;
}

bool rl_cluster_is_in_use(const rl_cluster *cluster)
{
    return cluster->leads > 0;
}

bool rl_cluster_serves(rl_cluster *cluster, const rl_endpoint *endpoint)
{
    if (!rl_cluster_has_id(cluster, endpoint) && !rl_endpoint_same(&cluster->endpoint, endpoint)) {
        return false;
    }
    cluster->head.endpoint_id = endpoint->id;
    return true;
}

static bool is_at(const cluster_node *node, const char *host, int port)
{
    return node->port == port && strcmp(node->host, host) == 0;
}

/* Returns the number of the node; 0: it is not known. */
static uint8_t number_of(const rl_cluster *cluster, const char *host, int port)
{
    for (size_t i = 0; i < cluster->count; i++) {
        if (is_at(&cluster->nodes[i], host, port)) {
            return (uint8_t)(i + 1);
        }
    }
    return 0;
}

/* Returns the number of the node, which is added if it is not known; 0: there is no room. */
static uint8_t add_node(rl_cluster *cluster, const char *host, int port)
{
    uint8_t number = number_of(cluster, host, port);

    if (number != 0 || cluster->count == RL_CLUSTER_NODES) {
        return number;
    }
    cluster->nodes = platform_realloc(cluster->nodes, (cluster->count + 1) * sizeof(*cluster->nodes));
    cluster->nodes[cluster->count] =
        (cluster_node){.host = platform_strdup(host), .port = port, .id = platform_unique()};
    cluster->count++;
    return (uint8_t)cluster->count;
}

/* The seeds are the nodes that are known at first. */
rl_cluster *rl_cluster_new(const rl_endpoint *endpoint)
{
    rl_cluster *cluster = platform_zalloc(sizeof(*cluster));

    rl_endpoint_copy(&cluster->endpoint, endpoint);
    cluster->head.endpoint_id = endpoint->id;
    doubt(cluster);
    for (size_t i = 0; i < endpoint->seeds->count; i++) {
        add_node(cluster, endpoint->seeds->list[i].host, endpoint->seeds->list[i].port);
    }
    return cluster;
}

static cluster_node *node_at(const rl_cluster *cluster, const rl_destination *at)
{
    uint8_t number = number_of(cluster, at->host, at->port);

    return number != 0 ? &cluster->nodes[number - 1] : NULL;
}

static cluster_node *owner_of(const rl_cluster *cluster, unsigned slot)
{
    RL_INVARIANT(slot < RL_SLOTS && cluster->owner[slot] <= cluster->count);
    return cluster->owner[slot] != 0 ? &cluster->nodes[cluster->owner[slot] - 1] : NULL;
}

/* Has it failed a short while ago? */
static bool has_failed(const cluster_node *node)
{
    return node->failed_at != 0 && platform_now() - node->failed_at < FAILED_FOR;
}

/* Is another node to be asked in its place? If time alone decided, a process that asks more seldom than every FAILED_FOR would
 * ask this one again and again, which may be gone for good. */
static bool is_passed_over(const cluster_node *node)
{
    return node->is_doubted || has_failed(node);
}

static void trust(cluster_node *node)
{
    node->failed_at = 0;
    node->is_doubted = false;
}

/* ---- routes ---- */

/* Returns the next node, in turn, that has not failed and is a replica of this master (NULL: any node); NULL: there is none.
 * One that is doubted comes behind all others. */
static const cluster_node *next_node(const rl_cluster *cluster, const cluster_node *master, size_t turn)
{
    const cluster_node *doubted = NULL;

    for (size_t i = 0; i < cluster->count; i++) {
        const cluster_node *node = &cluster->nodes[(turn + i) % cluster->count];
        bool fits = master == NULL || (node->master != 0 && &cluster->nodes[node->master - 1] == master);
        if (!fits || has_failed(node)) {
            continue;
        }
        if (!node->is_doubted) {
            return node;
        }
        doubted = doubted == NULL ? node : doubted;
    }
    return doubted;
}

/* If the owner has failed, every other guess is one of its replicas. */
static const cluster_node *guess(const rl_cluster *cluster, const cluster_node *owner)
{
    const cluster_node *node = NULL;

    if (owner != NULL && cluster->turn % 2 == 0) {
        node = next_node(cluster, owner, cluster->turn / 2);
    }
    return node != NULL ? node : next_node(cluster, NULL, cluster->turn / 2);
}

static void route_to_node(const cluster_node *node, rl_route_to *to)
{
    to->host = node->host;
    to->port = node->port;
    to->node = node->id;
}

/* To one of the seeds, in turn. */
static void route_to_seed(const rl_cluster *cluster, rl_route_to *to)
{
    const rl_seeds *seeds = cluster->endpoint.seeds;
    const rl_seed *seed = &seeds->list[cluster->turn % seeds->count];

    *to = (rl_route_to){.host = seed->host, .port = seed->port};
}

/* A guess is the same until it fails, since its connection is there; but those for an owner that has failed go around. */
static PLATFORM_NOINLINE void route_by_guess(rl_cluster *cluster, cluster_node *owner, rl_route_to *to)
{
    if (owner != NULL && owner->is_doubted) {
        owner->failed_at = platform_now();
        owner->is_doubted = false;
    }
    const cluster_node *node = guess(cluster, owner);

    if (node != NULL) {
        route_to_node(node, to);
    } else {
        route_to_seed(cluster, to);
    }
    to->is_guess = true;
    cluster->turn += owner != NULL;
}

void rl_cluster_route(rl_cluster *cluster, unsigned slot, rl_route_to *to)
{
    cluster_node *owner = owner_of(cluster, slot);

    if (owner == NULL || is_passed_over(owner)) {
        route_by_guess(cluster, owner, to);
        return;
    }
    route_to_node(owner, to);
    to->is_guess = false;
}

bool rl_cluster_leads_to(const rl_cluster *cluster, unsigned slot, const rl_destination *at)
{
    const cluster_node *owner = owner_of(cluster, slot);
    const cluster_node *node = node_at(cluster, at);

    return node != NULL && (owner == NULL || node == owner) && !is_passed_over(node);
}

bool rl_cluster_may_serve(const rl_cluster *cluster, unsigned slot, const rl_destination *at)
{
    const cluster_node *owner = owner_of(cluster, slot);

    return owner == NULL || is_at(owner, at->host, at->port);
}

bool rl_cluster_has_choice(const rl_cluster *cluster)
{
    return cluster->count > 1;
}

void rl_cluster_name_owner(const rl_cluster *cluster, unsigned slot, char *out, size_t size)
{
    const cluster_node *owner = owner_of(cluster, slot);

    out[0] = '\0';
    if (owner != NULL) {
        snprintf(out, size, "%s:%d", owner->host, owner->port);
    }
}

static void forget_moving(rl_cluster *cluster, unsigned slot)
{
    for (size_t i = 0; i < MOST_MOVING; i++) {
        if (cluster->moving[i].slot == slot) {
            cluster->moving[i].until = 0;
        }
    }
}

/* A slot of which nothing was known proves no change, and while the map is on its way, that will tell the rest. */
void rl_cluster_learn_owner(rl_cluster *cluster, unsigned slot, const rl_destination *at)
{
    uint8_t number = add_node(cluster, at->host, at->port);

    if (number == 0) {
        forget_nodes(cluster);
        number = add_node(cluster, at->host, at->port);
    }
    if (cluster->owner[slot] != number) {
        forget_moving(cluster, slot); /* it has arrived */
        if (cluster->owner[slot] != 0 || !rl_cluster_is(cluster, RL_MAP_AWAITED)) {
            doubt(cluster); /* other slots may have moved with this one */
        }
        cluster->owner[slot] = number;
    }
}

/* ---- slots that move ---- */

/* The oldest one makes room for a new one. */
void rl_cluster_note_moving(rl_cluster *cluster, rl_bytes key)
{
    moving_slot *mark = cluster->moving;
    unsigned slot = rl_slot_of(key);

    cluster->head.refusals++;
    for (moving_slot *one = mark; one < cluster->moving + MOST_MOVING; one++) {
        if (one->slot == slot && one->until != 0) {
            mark = one;
            break;
        }
        mark = one->until < mark->until ? one : mark;
    }
    *mark = (moving_slot){.slot = slot, .until = platform_now() + MOVES_FOR};
    cluster->moving_until = mark->until;
    set(cluster, RL_MAP_MOVING);
}

/* Without RL_MAP_MOVING, no slot moves: the key needs no slot then. */
bool rl_cluster_is_moving(rl_cluster *cluster, rl_bytes key)
{
    if (!rl_cluster_is(cluster, RL_MAP_MOVING)) {
        return false;
    }
    int64_t now = platform_now();
    if (now >= cluster->moving_until) {
        clear(cluster, RL_MAP_MOVING);
        return false;
    }
    unsigned slot = rl_slot_of(key);
    for (size_t i = 0; i < MOST_MOVING; i++) {
        if (cluster->moving[i].slot == slot && now < cluster->moving[i].until) {
            return true;
        }
    }
    return false;
}

/* Returns what was noted of the last ASK about this key; NULL: nothing. */
static const cluster_ask *find_ask(const rl_cluster *cluster, rl_bytes key)
{
    for (size_t i = 0; i < MOST_ASKS; i++) {
        const cluster_ask *ask = &cluster->asks[i];
        if (ask->key.at != NULL && rl_bytes_equal(ask->key, key)) {
            return ask;
        }
    }
    return NULL;
}

/* Notes an ASK, in place of an earlier one about the key, or of the oldest one. */
static void note_ask(rl_cluster *cluster, rl_bytes key, bool is_lone, const rl_destination *to)
{
    cluster_ask *ask = (cluster_ask *)find_ask(cluster, key);

    if (ask == NULL) {
        ask = cluster->asks;
        for (cluster_ask *one = ask; one < cluster->asks + MOST_ASKS; one++) {
            ask = one->at < ask->at ? one : ask;
        }
        char *copy = platform_memdup(key.at, key.len);
        free((char *)ask->key.at);
        ask->key = (rl_bytes){copy, key.len};
    }
    ask->at = platform_now();
    ask->is_lone = is_lone;
    ask->is_used = false;
    ask->to = *to;
    cluster->last_ask = ask;
}

bool rl_cluster_take_ask(rl_cluster *cluster, rl_bytes key, bool is_lone, rl_destination *to)
{
    cluster_ask *ask = rl_cluster_is_moving(cluster, key) ? (cluster_ask *)find_ask(cluster, key) : NULL;

    if (ask == NULL || ask->is_used || (is_lone && !ask->is_lone) || platform_now() - ask->at >= ASKS_FOR) {
        return false;
    }
    ask->is_used = true;
    *to = ask->to;
    return true;
}

bool rl_cluster_has_asked(rl_cluster *cluster, rl_bytes key, const rl_destination *at)
{
    const cluster_ask *ask = rl_cluster_is_moving(cluster, key) ? find_ask(cluster, key) : NULL;

    return ask != NULL && ask->is_lone && platform_now() - ask->at < MOVES_FOR && rl_destination_same(&ask->to, at);
}

void rl_cluster_note_owed(rl_cluster *cluster)
{
    if (cluster->last_ask != NULL) {
        set(cluster, RL_MAP_OWES);
        cluster->owed_to = cluster->last_ask->to;
    }
}

bool rl_cluster_take_owed(rl_cluster *cluster, rl_destination *to)
{
    if (!rl_cluster_is(cluster, RL_MAP_OWES)) {
        return false;
    }
    clear(cluster, RL_MAP_OWES);
    *to = cluster->owed_to;
    return true;
}

/* ---- redirections ---- */

/* Reads "host:port" from behind the last colon, as IPv6 addresses have colons too. Returns false if it is malformed. */
static bool read_address(const char *text, const rl_destination *from, rl_destination *to)
{
    const char *colon = strrchr(text, ':');
    size_t len = colon != NULL ? (size_t)(colon - text) : 0;
    char *end;
    long port = colon != NULL ? strtol(colon + 1, &end, 10) : 0;

    if (port < 1 || port > 65535 || (*end != '\0' && *end != ' ') || len >= sizeof(to->host)) {
        return false;
    }
    if (len == 0 || (len == 1 && *text == '?')) {
        memcpy(to->host, from->host, sizeof(to->host));
    } else {
        memcpy(to->host, text, len);
        to->host[len] = '\0';
    }
    to->port = (int)port;
    return true;
}

/* MOVED and ASK look the same but for their first word. */
bool rl_cluster_learn_redirection(rl_cluster *cluster, const char *reply, rl_bytes key, bool is_lone,
                                  const rl_destination *from, int64_t detached_at)
{
    bool moved = strncmp(reply, "MOVED ", 6) == 0, asks = strncmp(reply, "ASK ", 4) == 0;
    rl_destination to;
    char *end;

    if (!moved && !asks) {
        return false;
    }
    long slot = strtol(reply + (moved ? 6 : 4), &end, 10);
    if (slot < 0 || slot >= RL_SLOTS || *end != ' ' || !read_address(end + 1, from, &to)) {
        return false;
    }
    cluster->head.refusals++;
    if (moved && detached_at != PLATFORM_NEVER && platform_now() - detached_at >= LATE) {
        return true; /* the slot may have moved on */
    }
    if (moved) {
        rl_cluster_learn_owner(cluster, (unsigned)slot, &to);
        trust(owner_of(cluster, (unsigned)slot)); /* another node believes in it: it is worth a try */
    } else {
        rl_cluster_note_moving(cluster, key);
        note_ask(cluster, key, is_lone, &to);
    }
    return true;
}

void rl_cluster_note_failed(rl_cluster *cluster, const rl_destination *at)
{
    cluster_node *node = node_at(cluster, at);

    if (node != NULL) {
        node->failed_at = platform_now();
        node->is_doubted = true;
        set(cluster, RL_MAP_TROUBLE);
    } else {
        cluster->turn++; /* it is a seed that is no node any more */
    }
    doubt(cluster);
}

void rl_cluster_note_silent(rl_cluster *cluster, const rl_destination *at, int64_t since)
{
    cluster_node *node = node_at(cluster, at);

    if (node != NULL) {
        node->silent_since = node->silent_since != 0 ? node->silent_since : since;
        since = node->silent_since;
        set(cluster, RL_MAP_TROUBLE);
    }
    if (platform_now() - since >= SILENT_FOR) {
        rl_cluster_note_failed(cluster, at);
    }
}

/* A node that is no longer asked makes no work for ever. */
static void forget_old_silence(cluster_node *node)
{
    if (platform_now() - platform_later(node->silent_since, node->failed_at) >= SILENCE_COUNTS_FOR) {
        node->silent_since = 0;
    }
}

/* The trouble is over when it is that of no other node. */
void rl_cluster_note_heard(rl_cluster *cluster, const rl_destination *at)
{
    cluster_node *node = rl_cluster_is(cluster, RL_MAP_TROUBLE) ? node_at(cluster, at) : NULL;
    bool any = false;

    if (node == NULL) {
        return;
    }
    node->silent_since = 0;
    trust(node);
    for (size_t i = 0; i < cluster->count; i++) {
        forget_old_silence(&cluster->nodes[i]);
        any |= cluster->nodes[i].silent_since != 0 || has_failed(&cluster->nodes[i]);
    }
    if (!any) {
        clear(cluster, RL_MAP_TROUBLE);
    }
}

/* ---- CLUSTER SLOTS ---- */

bool rl_cluster_wants_slots(const rl_cluster *cluster)
{
    return rl_cluster_is(cluster, RL_MAP_IN_DOUBT) &&
           (cluster->asked_at == 0 || platform_now() - cluster->asked_at >= ASK_PAUSE);
}

void rl_cluster_note_asked(rl_cluster *cluster)
{
    clear(cluster, RL_MAP_IN_DOUBT);
    set(cluster, RL_MAP_AWAITED);
    cluster->asked_at = platform_now();
}

void rl_cluster_note_lost(rl_cluster *cluster)
{
    clear(cluster, RL_MAP_AWAITED);
    doubt(cluster);
}

void rl_cluster_note_refused(rl_cluster *cluster, bool is_none)
{
    clear(cluster, RL_MAP_AWAITED);
    clear(cluster, RL_MAP_IN_DOUBT);
    clear(cluster, RL_MAP_NONE);
    if (is_none && cluster->endpoint.seeds->count > 1) {
        set(cluster, RL_MAP_NONE);
    }
    cluster->refuses_slots = true;
}

/* The address that stands with the metadata of a node of the reply; NULL: none does. */
static const char *ip_of(const redisReply *node)
{
    const redisReply *more = node->elements > 3 ? node->element[3] : NULL;

    for (size_t i = 0; more != NULL && more->type == REDIS_REPLY_ARRAY && i + 1 < more->elements; i += 2) {
        const redisReply *name = more->element[i], *value = more->element[i + 1];
        if (name->type == REDIS_REPLY_STRING && value->type == REDIS_REPLY_STRING && strcmp(name->str, "ip") == 0 &&
            value->len > 0) {
            return value->str;
        }
    }
    return NULL;
}

/* The host of a node of the reply: the one that clients are to use; a null is the host that was asked. If the node that was
 * asked does not know it ("?" or ""), its address, else the host that was asked. NULL: none. */
static const char *host_of(const redisReply *node, const rl_destination *from)
{
    const redisReply *host = node->element[0];

    if (host->type == REDIS_REPLY_STRING && host->len > 0 && strcmp(host->str, "?") != 0) {
        return host->str;
    }
    if (host->type == REDIS_REPLY_NIL) {
        return from->host;
    }
    const char *ip = ip_of(node);
    return ip == NULL && host->type == REDIS_REPLY_STRING ? from->host : ip;
}

/* Reads where a node of the reply is to be asked. Returns false if it is malformed. */
static bool read_node(const redisReply *node, const rl_destination *from, rl_destination *to)
{
    if (node->type != REDIS_REPLY_ARRAY || node->elements < 2 || node->element[1]->type != REDIS_REPLY_INTEGER) {
        return false;
    }
    long long port = node->element[1]->integer;
    const char *host = host_of(node, from);
    if (host == NULL || strlen(host) >= sizeof(to->host) || port < 1 || port > 65535) {
        return false;
    }
    strcpy(to->host, host);
    to->port = (int)port;
    return true;
}

/* Adds the node of a piece of the reply, and returns its number; 0: it has no address, or there is no room. */
static uint8_t learn_node(rl_cluster *cluster, const redisReply *node, const rl_destination *from)
{
    rl_destination at;

    return read_node(node, from, &at) ? add_node(cluster, at.host, at.port) : 0;
}

/* Is it a piece of the reply: the first slot, the last one, and the master? */
static bool is_piece(const redisReply *piece)
{
    return piece->type == REDIS_REPLY_ARRAY && piece->elements >= 3 && piece->element[0]->type == REDIS_REPLY_INTEGER &&
           piece->element[1]->type == REDIS_REPLY_INTEGER && piece->element[0]->integer >= 0 &&
           piece->element[0]->integer <= piece->element[1]->integer && piece->element[1]->integer < RL_SLOTS;
}

/* Learns which node serves the slots of a piece of the reply. */
static void learn_master(rl_cluster *cluster, const redisReply *piece, const rl_destination *from)
{
    uint8_t master = learn_node(cluster, piece->element[2], from);
    size_t first = (size_t)piece->element[0]->integer;

    memset(cluster->owner + first, master, (size_t)piece->element[1]->integer - first + 1);
}

/* Learns which nodes are replicas of the master of a piece of the reply. */
static void learn_replicas(rl_cluster *cluster, const redisReply *piece, const rl_destination *from)
{
    uint8_t master = cluster->owner[piece->element[0]->integer];

    for (size_t i = 3; master != 0 && i < piece->elements; i++) {
        uint8_t replica = learn_node(cluster, piece->element[i], from);
        if (replica != 0 && replica != master) {
            cluster->nodes[replica - 1].master = master;
        }
    }
}

/* Finds the node that was asked in a piece of the reply, by its numeric address, and what that calls it. */
static bool find_asked(const redisReply *piece, const char *address, const rl_destination *from, rl_destination *to)
{
    for (size_t i = 2; i < piece->elements; i++) {
        if (read_node(piece->element[i], from, to) && to->port == from->port) {
            const char *ip = ip_of(piece->element[i]);
            if (strcmp(to->host, address) == 0 || (ip != NULL && strcmp(ip, address) == 0)) {
                return true;
            }
        }
    }
    return false;
}

/* If the reply has another name for the node that was asked, that counts from now on. By two names it would be two nodes, and
 * one that has fallen silent would be asked again by its other name. */
static void rename_asked(const rl_cluster *cluster, const redisReply *reply, const char *address, rl_destination *from)
{
    rl_destination to;

    if (number_of(cluster, from->host, from->port) != 0) {
        return;
    }
    for (size_t i = 0; i < reply->elements; i++) {
        if (is_piece(reply->element[i]) && find_asked(reply->element[i], address, from, &to)) {
            *from = to;
            return;
        }
    }
}

/* What the nodes have told since is in the reply, or is told again: it replaces all, but for the ids of nodes, and which have
 * failed. An empty reply is that of a node which has left the cluster, and proves nothing. */
void rl_cluster_learn_slots(rl_cluster *cluster, const redisReply *reply, rl_destination *from, const char *address,
                            int64_t asked_at)
{
    cluster_node *before = cluster->nodes;
    size_t count = cluster->count;

    clear(cluster, RL_MAP_AWAITED);
    if (reply->type != REDIS_REPLY_ARRAY) {
        rl_cluster_note_refused(cluster, false);
        return;
    }
    if (platform_now() - asked_at >= LATE) {
        rl_cluster_note_lost(cluster);
        return;
    }
    if (reply->elements == 0) {
        return;
    }
    cluster->nodes = NULL;
    cluster->count = 0;
    memset(cluster->owner, 0, sizeof(cluster->owner));
    /* Replicas come behind all masters, which are to have room in the map: a slot whose master is not there costs a MOVED each
     * time. */
    for (size_t pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < reply->elements; i++) {
            if (!is_piece(reply->element[i])) {
                continue;
            }
            if (pass == 0) {
                learn_master(cluster, reply->element[i], from);
            } else {
                learn_replicas(cluster, reply->element[i], from);
            }
        }
    }
    for (size_t i = 0; i < count; i++) {
        uint8_t number = number_of(cluster, before[i].host, before[i].port);
        if (number != 0) {
            cluster->nodes[number - 1].id = before[i].id;
            cluster->nodes[number - 1].failed_at = before[i].failed_at;
            cluster->nodes[number - 1].is_doubted = before[i].is_doubted;
            cluster->nodes[number - 1].silent_since = before[i].silent_since;
        }
    }
    free_nodes(before, count);
    rename_asked(cluster, reply, address, from);
}

rl_destination *rl_cluster_copy_nodes(const rl_cluster *cluster, size_t *count)
{
    rl_destination *copy = platform_alloc((cluster->count + 1) * sizeof(*copy));

    *count = cluster->count;
    for (size_t i = 0; i < cluster->count; i++) {
        rl_destination_set(&copy[i], cluster->nodes[i].host, cluster->nodes[i].port);
    }
    return copy;
}

void rl_cluster_add_nodes(rl_cluster *cluster, const rl_destination *nodes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        add_node(cluster, nodes[i].host, nodes[i].port);
    }
}

void rl_cluster_expect_owner(rl_cluster *cluster, unsigned slot, const char *name)
{
    static const rl_destination nowhere = {.host = ""};
    rl_destination at;

    if (cluster->owner[slot] == 0 && read_address(name, &nowhere, &at)) {
        rl_cluster_learn_owner(cluster, slot, &at);
    }
}

void rl_cluster_hosts(const rl_cluster *cluster, rl_hosts *hosts)
{
    const rl_seeds *seeds = cluster->endpoint.seeds;

    for (size_t i = 0; i < seeds->count; i++) {
        rl_hosts_expect(hosts, seeds->list[i].host);
    }
    for (size_t i = 0; i < cluster->count; i++) {
        rl_hosts_expect(hosts, cluster->nodes[i].host);
    }
}

/* SPDX-License-Identifier: MIT
 *
 * cluster: see cluster.h.
 */
#include "cluster.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "platform/platform.h"
#include "replicas.h"

#define MOST_MASTERS 3

/* How long a master goes on whose writes go nowhere any more, before it is dead or silent. */
#define LONGEST_LAG (30 * MSEC)

/* How long the old master of a failover is away at most. */
#define LONGEST_AWAY (10 * SEC)

/* Within this time, a node hears what others know. */
#define HEARS_WITHIN SEC

/* A node looks for BLPOPs whose slot it has lost ten times a second. */
#define LOOKS_EVERY (100 * MSEC)

/* How long what is in the way of a fault is waited for, each time. */
#define PAUSE (10 * MSEC)

/* How long a slot does not move to a node to which a move of it has ended: see docs/guarantees.md. */
#define NOT_AGAIN_FOR (5 * SEC)

/* A master with its slots, and what may take its place. */
typedef struct shard {
    int master, replica; /* nodes; -1: there is none */
    bool is_failing;     /* a failover is under way, or the old master not demoted yet */
} shard;

/* A slot that moves from a shard to another one. */
typedef struct move {
    unsigned slot;
    int from, to;
    int64_t began;             /* true time */
    int64_t keys_before;       /* how many keys move before the pause */
    int64_t stays, stay_until; /* how long the pause takes, and when it ends; 0: it has not begun */
    bool is_cancelled;         /* behind the pause, the slot comes back */
} move;

/* A failover under way. */
typedef struct failover {
    fault_kind kind;
    int shard, from, to;
    int64_t began;
    int64_t back_in; /* when the old master learns of it, after the promotion */
} failover;

/* The slots of what clients use. */
#define MOST_SLOTS (3 * NAMES)

static struct {
    shard shards[MOST_MASTERS];
    int8_t owner[REDIS_SLOTS]; /* the shard */
    unsigned slots[MOST_SLOTS];
    const move *moves[MOST_SLOTS];                 /* NULL: the slot does not move */
    int64_t moved_at[MOST_SLOTS];                  /* true time at which it was open last; 0: never */
    int64_t moved_to_at[MOST_SLOTS][MOST_MASTERS]; /* the same for the moves to each of the shards */
    int64_t known_at;                              /* true time at which all nodes know all of it */
    int64_t failed_at;                             /* true time at which the last failover began; 0: there was none */
} cluster;

void (*cluster_promoted)(const sim_server *from, sim_server *to, bool has_all);

static int64_t draw(int64_t from, int64_t to)
{
    return chance_between(&world.chance, from, to);
}

/* ---- what is the case ---- */

static sim_server *master_of(int shard)
{
    return &net.servers[cluster.shards[shard].master];
}

static int shard_of(const sim_server *server)
{
    return server->index % net.masters;
}

sim_server *cluster_master(const sim_server *server)
{
    return master_of(shard_of(server));
}

/* Which of the slots that are in use is it? -1: none. */
static int find_slot(unsigned slot)
{
    for (int i = 0; i < MOST_SLOTS; i++) {
        if (cluster.slots[i] == slot) {
            return i;
        }
    }
    return -1;
}

sim_server *cluster_home(const char *key, size_t len)
{
    unsigned slot = redis_slot(key, len);
    int i = find_slot(slot);
    const move *m = i >= 0 ? cluster.moves[i] : NULL;

    if (m != NULL && redis_ttl(master_of(m->to)->redis, key, len) != -2) {
        return master_of(m->to);
    }
    return master_of(cluster.owner[slot]);
}

static const move *find_move(unsigned slot)
{
    int i = find_slot(slot);

    return i >= 0 ? cluster.moves[i] : NULL;
}

int64_t cluster_moves_since(unsigned slot)
{
    const move *m = find_move(slot);

    return m != NULL ? m->began : 0;
}

bool cluster_moves_to(unsigned slot, const sim_server *to)
{
    const move *m = find_move(slot);

    return m != NULL && master_of(m->to) == to;
}

int64_t cluster_moved_at(const char *key, size_t len)
{
    int i = find_slot(redis_slot(key, len));

    return i < 0 ? 0 : cluster.moves[i] != NULL ? world.now : cluster.moved_at[i];
}

int64_t cluster_failed_at(void)
{
    return cluster.failed_at;
}

int64_t cluster_known_at(void)
{
    for (int i = 0; i < net.masters; i++) {
        if (cluster.shards[i].is_failing && cluster.shards[i].replica >= 0) {
            return NEVER; /* which is to be promoted */
        }
    }
    return cluster.known_at <= world.now ? cluster.known_at : NEVER;
}

/* ---- what nodes know ---- */

static void look_for_blocked(void *subject, int64_t detail)
{
    sim_server *server = subject;

    (void)detail;
    server_catch_up(server);
    redis_redirect_blocked(server->redis);
    net_close_blocked(server);
}

/* The node knows now who owns what. */
static void take_in(sim_server *server)
{
    unsigned last;

    for (unsigned slot = 0; slot < REDIS_SLOTS; slot = last + 1) {
        for (last = slot; last + 1 < REDIS_SLOTS && cluster.owner[last + 1] == cluster.owner[slot];) {
            last++;
        }
        redis_set_owner(server->redis, slot, last, master_of(cluster.owner[slot])->index);
    }
    for (int i = 0; i < MOST_SLOTS; i++) {
        if (cluster.moves[i] == NULL) {
            redis_open_slot(server->redis, cluster.slots[i], -1, -1);
        }
    }
    for (int i = 0; i < net.data_count; i++) {
        int master = cluster_master(&net.servers[i])->index;
        redis_set_master_of(server->redis, i, master == i ? -1 : master);
    }
    world_at(world.now + draw(0, LOOKS_EVERY), look_for_blocked, server, 0);
}

static void learn(void *subject, int64_t detail)
{
    sim_server *server = subject;
    int64_t until = platform_later(server->stopped_until, net_apart_until(server));

    if (until > world.now) {
        cluster.known_at = platform_later(cluster.known_at, until);
        world_at(until, learn, subject, detail);
    } else {
        take_in(server);
    }
}

/* Tells a node within this time. */
static void tell_node(sim_server *server, int64_t within)
{
    int64_t at = world.now + draw(0, within);

    cluster.known_at = platform_later(cluster.known_at, at + LOOKS_EVERY);
    world_disturb(cluster.known_at);
    world_at(at, learn, server, 0);
}

static void tell_others(const sim_server *one, const sim_server *other)
{
    for (int i = 0; i < net.data_count; i++) {
        if (&net.servers[i] != one && &net.servers[i] != other) {
            tell_node(&net.servers[i], chance_once_in(&world.chance, 3) ? HEARS_WITHIN : 50 * MSEC);
        }
    }
}

/* ---- slots that move ---- */

/* Until when one of the two nodes cannot be reached. */
static int64_t away_until(const move *m)
{
    const sim_server *from = master_of(m->from), *to = master_of(m->to);

    return platform_later(platform_later(from->stopped_until, net_apart_until(from)),
                          platform_later(to->stopped_until, net_apart_until(to)));
}

static void end_move(const move *m)
{
    int i = find_slot(m->slot);

    cluster.moves[i] = NULL;
    cluster.moved_at[i] = cluster.moved_to_at[i][m->to] = world.now;
    world_disturb(world.now);
}

/* All keys are at the new node, which owns the slot from now on. The old one learns that a little later. */
static void close_slot(const move *m)
{
    sim_server *from = master_of(m->from), *to = master_of(m->to);

    tell("slot %u is server %d's", m->slot, to->index);
    end_move(m);
    tally.slots_moved++;
    cluster.owner[m->slot] = (int8_t)m->to;
    take_in(to);
    tell_node(from, 2 * MSEC);
    tell_others(from, to);
}

static bool move_one(const move *m, sim_server *from, sim_server *to)
{
    const char *key;
    size_t len;

    server_catch_up(from);
    server_catch_up(to);
    if (redis_keys_in_slot(from->redis, m->slot, &key, &len) == 0) {
        return false;
    }
    char *copy = platform_memdup(key, len);
    tell("  %.*s moves from server %d to server %d", (int)len, copy, from->index, to->index);
    redis_move_key(from->redis, to->redis, copy, len);
    free(copy);
    net_close_blocked(to);
    return true;
}

/* The slot stays where it was: at once, since a node that gives nothing away takes a key that is away for one that is
 * nowhere. */
static void cancel_move(const move *m)
{
    sim_server *from = master_of(m->from), *to = master_of(m->to);

    tell("slot %u stays server %d's", m->slot, from->index);
    server_catch_up(from); /* what stood behind a BLPOP that is over has run by now */
    redis_open_slot(from->redis, m->slot, -1, -1);
    while (move_one(m, to, from)) {
    }
    end_move(m);
    redis_open_slot(to->redis, m->slot, -1, -1);
    world_at(world.now + draw(0, LOOKS_EVERY), look_for_blocked, to, 0);
    world_disturb(world.now + LOOKS_EVERY);
}

/* Moves the next key, or waits, or closes the slot. */
static void go_on(void *subject, int64_t detail)
{
    move *m = subject;

    if (away_until(m) > world.now) {
        world_at(away_until(m), go_on, m, detail);
        return;
    }
    if (m->keys_before-- == 0) {
        m->stay_until = world.now + m->stays;
    }
    if (m->stay_until > world.now) {
        world_at(m->stay_until, go_on, m, detail);
    } else if (m->stay_until != 0 && m->is_cancelled) {
        cancel_move(m);
    } else if (move_one(m, master_of(m->from), master_of(m->to))) {
        world_at(world.now + draw(100, 2 * MSEC), go_on, m, detail);
    } else if (m->keys_before >= 0) {
        m->keys_before = 0;
        go_on(m, detail);
    } else {
        close_slot(m);
    }
    world_disturb(world.now);
}

/* The new node learns first that the slot moves, so that it takes what the old one sends there. */
static void begin_move(const sim_fault *fault, int i, int to)
{
    move *m = world_alloc(sizeof(*m));
    unsigned slot = cluster.slots[i];

    *m = (move){.slot = slot,
                .from = cluster.owner[slot],
                .to = to,
                .began = world.now,
                .keys_before = fault->kind == FAULT_OPEN_SLOT ? draw(0, 3) : -1,
                .stays = fault->span,
                .is_cancelled = fault->kind == FAULT_OPEN_SLOT && chance_once_in(&world.chance, 3)};
    tell("slot %u moves from server %d to server %d", slot, master_of(m->from)->index, master_of(m->to)->index);
    cluster.moves[i] = m;
    redis_open_slot(master_of(m->to)->redis, slot, -1, master_of(m->from)->index);
    redis_open_slot(master_of(m->from)->redis, slot, master_of(m->to)->index, -1);
    world_at(world.now + draw(100, 2 * MSEC), go_on, m, 0);
}

/* ---- failovers ---- */

/* The old master becomes a replica of the new one. */
static void demote(const failover *f)
{
    sim_server *old = &net.servers[f->from];

    tell("server %d is demoted", f->from);
    server_catch_up(old);
    redis_set_cluster_down(old->redis, false);
    replicas_follow(f->from, f->to);
    replicas_mute(f->from, false);
    take_in(old);
    net_close_blocked(old);
    cluster.shards[f->shard].replica = f->from;
    cluster.shards[f->shard].is_failing = false;
    world_disturb(world.now);
}

/* The old master hears that it is none any more. */
static void tell_old_master(void *subject, int64_t detail)
{
    const failover *f = subject;
    const sim_server *old = &net.servers[f->from];
    int64_t until = platform_later(old->stopped_until, net_apart_until(old));

    if (until > world.now) {
        world_at(until, tell_old_master, subject, detail);
    } else {
        demote(f);
    }
}

static void promote(void *subject, int64_t detail)
{
    const failover *f = subject;
    sim_server *from = &net.servers[f->from], *to = &net.servers[f->to];
    int64_t until = platform_later(to->stopped_until, net_apart_until(to));
    bool has_all = f->kind == FAULT_FAILOVER;

    if (until > world.now) {
        world_at(until, promote, subject, detail);
        return;
    }
    tell("server %d is promoted", f->to);
    server_catch_up(to);
    if (has_all) {
        replicas_take_all(f->to, f->from);
    }
    replicas_promote(f->to);
    cluster.shards[f->shard].master = f->to;
    cluster.shards[f->shard].replica = -1;
    take_in(to);
    net_note_master(from);
    cluster_promoted(from, to, has_all);
    tell_others(from, to);
    net.outage = platform_later(net.outage, cluster.known_at - f->began);
    if (f->kind == FAULT_SPLIT_BRAIN) {
        world_disturb(world.now + f->back_in);
    }
    if (has_all) {
        demote(f); /* before it reads anything more */
    } else {
        world_at(world.now + f->back_in, tell_old_master, subject, 0);
    }
}

/* The old master reads nothing more until the replica has all that it has, and has taken its place. */
static void begin_planned(failover *f, int64_t span)
{
    net_stop(&net.servers[f->from], span + MSEC);
    replicas_mute(f->from, true);
    world_at(world.now + span, promote, f, 0);
}

static void fail(void *subject, int64_t until)
{
    const failover *f = subject;
    sim_server *old = &net.servers[f->from];

    if (f->kind == FAULT_DEAD_MASTER) {
        net_restart(old, until - world.now);
        redis_set_cluster_down(old->redis, true); /* until it has heard of the others */
    } else if (chance_once_in(&world.chance, 2)) {
        net_isolate(old, until);
    } else {
        net_stop(old, until - world.now);
    }
}

/* The writes of the master go nowhere any more. A little later it is dead, or silent; or it goes on as a master until it hears
 * of the others. */
static void begin_unplanned(failover *f, int64_t span)
{
    int64_t lag = chance_once_in(&world.chance, 3) ? draw(0, LONGEST_LAG) : draw(0, 3 * MSEC);
    int64_t away = chance_once_in(&world.chance, 3) ? draw(SEC, LONGEST_AWAY) : draw(0, 2 * SEC);
    int64_t back_at = world.now + lag + span + (f->kind == FAULT_SPLIT_BRAIN ? draw(0, 2 * SEC) : away);

    replicas_mute(f->from, true);
    if (f->kind != FAULT_SPLIT_BRAIN) {
        world_at(world.now + lag, fail, f, back_at);
    }
    f->back_in = back_at + draw(0, 20 * MSEC) - (world.now + lag + span);
    world_at(world.now + lag + span, promote, f, 0);
}

static void begin_failover(const sim_fault *fault, int shard)
{
    failover *f = world_alloc(sizeof(*f));

    *f = (failover){.kind = fault->kind,
                    .shard = shard,
                    .from = cluster.shards[shard].master,
                    .to = cluster.shards[shard].replica,
                    .began = world.now};
    cluster.shards[shard].is_failing = true;
    cluster.failed_at = world.now;
    net.outage = platform_later(net.outage, fault->span + LONGEST_LAG);
    (fault->kind == FAULT_FAILOVER ? begin_planned : begin_unplanned)(f, fault->span);
}

/* ---- faults ---- */

/* Does a slot of the shard move, or does it get one? Then there is no failover: what was moved could be out of reach. */
static bool is_moving(int shard)
{
    for (int i = 0; i < MOST_SLOTS; i++) {
        const move *m = cluster.moves[i];
        if (m != NULL && (m->from == shard || m->to == shard)) {
            return true;
        }
    }
    return false;
}

static bool is_failing(void)
{
    for (int i = 0; i < net.masters; i++) {
        if (cluster.shards[i].is_failing) {
            return true;
        }
    }
    return false;
}

/* Draws one of the slots that have keys now; of all, if none has any. */
static int draw_slot(void)
{
    int from = (int)draw(0, MOST_SLOTS - 1);
    const char *key;
    size_t len;

    for (int k = 0; k < MOST_SLOTS; k++) {
        int i = (from + k) % MOST_SLOTS;
        if (redis_keys_in_slot(master_of(cluster.owner[cluster.slots[i]])->redis, cluster.slots[i], &key, &len) > 0) {
            return i;
        }
    }
    return from;
}

/* May the slot begin to move to this shard? A request that was sent on to it by the last move may still be under way. */
static bool may_move(int i, int to)
{
    int64_t last = cluster.moved_to_at[i][to];

    return cluster.moves[i] == NULL && (last == 0 || world.now - last >= NOT_AGAIN_FOR);
}

/* A slot or a shard is drawn. What is in the way is waited for. */
static void strike_when_free(void *subject, int64_t tries)
{
    const sim_fault *fault = subject;
    int i = draw_slot(), shard = cluster.owner[cluster.slots[i]];
    int to = (shard + (int)draw(1, net.masters - 1)) % net.masters;
    bool moves = fault->kind == FAULT_MOVE_SLOT || fault->kind == FAULT_OPEN_SLOT;
    bool is_free = moves ? may_move(i, to) : !is_moving(shard) && cluster.shards[shard].replica >= 0;

    if (is_free && !is_failing() && cluster.known_at <= world.now) {
        if (moves) {
            begin_move(fault, i, to);
        } else {
            begin_failover(fault, shard);
        }
    } else if (tries < 1000) {
        world_at(world.now + PAUSE, strike_when_free, subject, tries + 1);
    }
}

void cluster_strike(const sim_fault *fault)
{
    strike_when_free((void *)fault, 0);
}

/* ---- life ---- */

/* The slots of the locks, of those of values, and of the queues. */
static void find_slots(void)
{
    for (int i = 0; i < MOST_SLOTS; i++) {
        char key[16];
        int len = i < LOCKS ? snprintf(key, sizeof(key), PREFIX "%s", lock_text(i))
                            : snprintf(key, sizeof(key), PREFIX "q%c", 'A' + i - LOCKS);
        cluster.slots[i] = redis_slot(key, (size_t)len);
    }
}

/* Masters have slots in turn, so that those which are in use are spread. */
void cluster_begin(void)
{
    redis_node nodes[MAX_NODES];

    memset(&cluster, 0, sizeof(cluster));
    find_slots();
    for (unsigned slot = 0; slot < REDIS_SLOTS; slot++) {
        cluster.owner[slot] = (int8_t)((slot * (unsigned)net.masters) / REDIS_SLOTS);
    }
    for (int i = 0; i < net.data_count; i++) {
        shard *of = &cluster.shards[i % net.masters];
        if (i < net.masters) {
            *of = (shard){.master = i, .replica = -1};
        } else {
            of->replica = i;
        }
        nodes[i] =
            (redis_node){.host = REPLICAS_HOST, .port = net_port(i), .master = i < net.masters ? -1 : i % net.masters};
        memset(nodes[i].id, 'a' + i, sizeof(nodes[i].id) - 1);
    }
    replicas_begin(false);
    for (int i = 0; i < net.data_count; i++) {
        redis_join_cluster(net.servers[i].redis, i, nodes, (size_t)net.data_count);
        take_in(&net.servers[i]);
        if (i >= net.masters) {
            replicas_start(i, i % net.masters);
        }
    }
}

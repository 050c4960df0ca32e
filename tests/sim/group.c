/* SPDX-License-Identifier: MIT
 *
 * group: see group.h.
 */
#include "group.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "platform/platform.h"
#include "replicas.h"

/* How long a master goes on whose writes go nowhere any more, before it is dead or silent. */
#define LONGEST_LAG (30 * MSEC)

typedef struct sentinel {
    redis_view view;
    int64_t cut_until; /* learns nothing before */
} sentinel;

/* A failover under way. */
typedef struct failover {
    fault_kind kind;
    int from, to;
    int64_t began;   /* true time */
    int64_t back_in; /* when the old master learns of it, after the promotion */
} failover;

void (*group_promoted)(const sim_server *from, sim_server *to, bool has_all);

static struct {
    sentinel sentinels[MAX_NODES];
    int64_t epoch;
    bool is_busy; /* a failover is under way, or the old master not demoted yet */
} group;

static bool is_there(void)
{
    return net.node_count > net.data_count;
}

bool group_is_apart(const sim_server *server)
{
    return is_there() && server->index < net.data_count && server->index != net.master;
}

static int64_t draw(int64_t from, int64_t to)
{
    return chance_between(&world.chance, from, to);
}

/* ---- what the sentinels know ---- */

static void set_view(sentinel *s, int master, int64_t epoch)
{
    s->view.host = REPLICAS_HOST;
    s->view.port = net_port(master);
    s->view.epoch = epoch;
}

static void learn(void *subject, int64_t epoch)
{
    sentinel *s = subject;

    if (s->cut_until > world.now) {
        world_at(s->cut_until, learn, s, epoch);
    } else if (epoch == group.epoch) { /* of two that are late, the last one counts */
        set_view(s, net.master, epoch);
    }
}

/* One sentinel leads the failover. The others learn of it a little later. Returns when a majority knows, and can be reached. */
static int64_t tell_sentinels(void)
{
    int count = net.node_count - net.data_count, leader = (int)draw(0, count - 1);
    int64_t known[MAX_NODES], least = world.now;

    for (int i = 0; i < count; i++) {
        sentinel *s = &group.sentinels[i];
        int64_t at = world.now + (i == leader                        ? 0
                                  : chance_once_in(&world.chance, 5) ? draw(50 * MSEC, SEC)
                                                                     : draw(0, 50 * MSEC));
        world_at(at, learn, s, group.epoch);
        known[i] = platform_later(platform_later(at, s->cut_until), net_apart_until(&net.servers[net.data_count + i]));
    }
    for (int left = count / 2 + 1; left > 0; left--) {
        int first = 0;
        for (int i = 1; i < count; i++) {
            first = known[i] < known[first] ? i : first;
        }
        least = known[first];
        known[first] = NEVER;
    }
    return least;
}

static void cut_sentinel(int64_t span)
{
    int i = (int)draw(0, net.node_count - net.data_count - 1);
    sentinel *s = &group.sentinels[i];

    s->cut_until = platform_later(s->cut_until, world.now + span);
    if (s->view.epoch < group.epoch) {
        net.known_at = platform_later(net.known_at, s->cut_until);
    }
    if (chance_once_in(&world.chance, 2)) {
        net_isolate(&net.servers[net.data_count + i], world.now + span);
    }
}

/* ---- failovers ---- */

/* The sentinels tell the old master that it is a replica. They also close the connections of its clients. */
static void demote(sim_server *server)
{
    redis_follow(server->redis, REPLICAS_HOST, net_port(net.master));
    net_close_blocked(server);
    if (!chance_once_in(&world.chance, 4)) {
        net_close_links(server);
    }
}

static void end_failover(void *subject, int64_t detail)
{
    const failover *f = subject;
    sim_server *old = &net.servers[f->from];

    (void)detail;
    if (platform_later(old->stopped_until, net_apart_until(old)) > world.now) { /* another fault has hit it */
        world_at(platform_later(old->stopped_until, net_apart_until(old)), end_failover, subject, 0);
        return;
    }
    tell("server %d is demoted", f->from);
    if (f->kind != FAULT_FAILOVER) {
        server_catch_up(old);
        demote(old);
        world_disturb(world.now);
    }
    replicas_follow(f->from, f->to);
    replicas_mute(f->from, false);
    group.is_busy = false;
}

static void promote(void *subject, int64_t detail)
{
    const failover *f = subject;
    sim_server *from = &net.servers[f->from], *to = &net.servers[f->to];

    (void)detail;
    if (platform_later(to->stopped_until, net_apart_until(to)) > world.now) {
        world_at(platform_later(to->stopped_until, net_apart_until(to)), promote, subject, 0);
        return;
    }
    tell("server %d is promoted", f->to);
    server_catch_up(to);
    replicas_promote(f->to);
    redis_set_replicas(to->redis, (size_t)net.data_count);
    net.master = f->to;
    group.epoch++;
    net_note_master(from);
    group_promoted(from, to, f->kind == FAULT_FAILOVER);
    for (int i = 0; i < net.data_count; i++) {
        if (i != f->from && i != f->to) {
            replicas_follow(i, f->to);
        }
    }
    int64_t known_at = tell_sentinels();
    net.known_at = known_at;
    net.outage = platform_later(net.outage, known_at - f->began);
    /* A client that goes on with the old master learns nothing before that does. */
    world_disturb(f->kind == FAULT_SPLIT_BRAIN ? platform_later(known_at, world.now + f->back_in) : known_at);
    world_at(world.now + f->back_in, end_failover, subject, 0);
}

/* The master takes no more writes, and the replica gets all that it has. For a while both are replicas. */
static void begin_planned(failover *f, int64_t span)
{
    sim_server *from = &net.servers[f->from];

    server_catch_up(from);
    redis_follow(from->redis, REPLICAS_HOST, net_port(f->to));
    net_close_blocked(from);
    if (!chance_once_in(&world.chance, 4)) {
        net_close_links(from);
    }
    replicas_mute(f->from, true);
    replicas_take_all(f->to, f->from);
    f->back_in = draw(0, 20 * MSEC);
    world_at(world.now + span, promote, f, 0);
}

static void die(void *subject, int64_t until)
{
    const failover *f = subject;

    net_restart(&net.servers[f->from], until - world.now);
}

static void fall_silent(void *subject, int64_t until)
{
    const failover *f = subject;
    sim_server *old = &net.servers[f->from];

    if (chance_once_in(&world.chance, 2)) {
        net_isolate(old, until);
    } else {
        net_stop(old, until - world.now);
    }
}

/* The writes of the master go nowhere any more. A little later it is dead, or silent; or it goes on. Once it is back, it goes
 * on as a master until it is told. */
static void begin_unplanned(failover *f, int64_t span)
{
    int64_t lag = chance_once_in(&world.chance, 3) ? draw(0, LONGEST_LAG) : draw(0, 3 * MSEC);
    int64_t away = chance_once_in(&world.chance, 3) ? draw(5 * SEC, LONGEST_AWAY) : draw(0, 2 * SEC);
    int64_t back_at = world.now + lag + span + (f->kind == FAULT_SPLIT_BRAIN ? draw(0, 2 * SEC) : away);

    replicas_mute(f->from, true);
    if (f->kind == FAULT_DEAD_MASTER) {
        world_at(world.now + lag, die, f, back_at);
    } else if (f->kind == FAULT_SILENT_MASTER) {
        world_at(world.now + lag, fall_silent, f, back_at);
    }
    int64_t told_at = back_at + (chance_once_in(&world.chance, 2) ? draw(0, SEC) : draw(0, 20 * MSEC));
    f->back_in = told_at - (world.now + lag + span);
    world_at(world.now + lag + span, promote, f, 0);
}

/* Draws which replica is to be promoted; -1: none can be. */
static int draw_replica(void)
{
    int from = (int)draw(0, net.data_count - 1);

    for (int i = 0; i < net.data_count; i++) {
        int replica = (i + from) % net.data_count;
        if (replicas_master(replica) == &net.servers[net.master]) {
            return replica;
        }
    }
    return -1;
}

void group_strike(const sim_fault *fault)
{
    int to = is_there() && !group.is_busy ? draw_replica() : -1;

    if (fault->kind == FAULT_CUT_SENTINEL && is_there()) {
        cut_sentinel(fault->span);
    } else if (to >= 0) {
        failover *f = world_alloc(sizeof(*f));
        *f = (failover){.kind = fault->kind, .from = net.master, .to = to, .began = world.now};
        group.is_busy = true;
        net.outage = platform_later(net.outage, fault->span + LONGEST_LAG);
        (fault->kind == FAULT_FAILOVER ? begin_planned : begin_unplanned)(f, fault->span);
    }
}

/* ---- life ---- */

void group_begin(bool acknowledges)
{
    memset(&group, 0, sizeof(group));
    if (!is_there()) {
        return;
    }
    replicas_begin(acknowledges);
    for (int i = 0; i < net.data_count; i++) {
        if (i != net.master) {
            replicas_start(i, net.master);
        }
    }
    redis_set_replicas(net.servers[net.master].redis, (size_t)net.data_count);
    for (int i = net.data_count; i < net.node_count; i++) {
        sentinel *s = &group.sentinels[i - net.data_count];
        s->view.name = MASTER_NAME;
        s->view.replicas = net.data_count - 1;
        s->view.others = net.node_count - net.data_count - 1;
        set_view(s, net.master, 0);
        redis_watch(net.servers[i].redis, &s->view);
    }
}

/* SPDX-License-Identifier: MIT
 *
 * group: see group.h.
 */
#include "group.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "platform.h"

#define HOST "127.0.0.1"

/* How long a master goes on whose writes go nowhere any more, before it is dead or silent. */
#define LONGEST_LAG (30 * MSEC)

/* All keys of the master behind one of its requests, on their way to a replica. */
typedef struct change {
    struct change *next;
    redis_data *data;
    int64_t arrives;
    uint64_t offset; /* of the request: see redis_offset() */
} change;

/* A node with data. */
typedef struct member {
    const sim_server *master; /* whose writes it gets; NULL: nobody's */
    change *first, *last;
    uint64_t turn; /* counts whose replica it was: what arrives for an earlier turn does not */
    bool mute;     /* its own writes go to nobody any more */
    uint64_t has;  /* the last of the master's requests that has arrived */
} member;

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
    member members[MAX_NODES];
    sentinel sentinels[MAX_NODES];
    int64_t epoch;
    bool acknowledges;
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

/* ---- replication ---- */

static void drop_first(member *m)
{
    change *first = m->first;

    m->first = first->next;
    if (m->first == NULL) {
        m->last = NULL;
    }
    redis_free_data(first->data);
    free(first);
}

static void drop_all(member *m)
{
    while (m->first != NULL) {
        drop_first(m);
    }
}

/* The replica tells its master what it has. */
static void acknowledge(void *subject, int64_t turn)
{
    const sim_server *server = subject;
    const member *m = &group.members[server->index];

    if (m->turn == (uint64_t)turn && m->master != NULL && m->master->stopped_until <= world.now) {
        sim_server *master = &net.servers[m->master->index];
        server_catch_up(master);
        redis_acknowledge(master->redis, (size_t)server->index, m->has);
        net_close_blocked(master); /* what goes on behind a WAIT may block again */
    }
}

static void send_acknowledgement(sim_server *server)
{
    const member *m = &group.members[server->index];
    int64_t apart_until = platform_later(net_apart_until(m->master), net_apart_until(server));

    if (group.acknowledges) {
        world_at(platform_later(world.now + draw(50, MSEC), apart_until), acknowledge, server, (int64_t)m->turn);
    }
}

/* What has arrived at a replica by now takes effect there, unless it is stopped. */
static void catch_up(void *subject, int64_t turn)
{
    sim_server *server = subject;
    member *m = &group.members[server->index];

    if (m->turn != (uint64_t)turn || m->first == NULL) {
        return;
    }
    if (server->stopped_until > world.now) {
        world_at(server->stopped_until, catch_up, server, turn);
        return;
    }
    while (m->first != NULL && m->first->arrives <= world.now) {
        if (m->first->next == NULL || m->first->next->arrives > world.now) {
            server_catch_up(server);
            redis_take_data(server->redis, m->first->data);
            m->has = m->first->offset;
            send_acknowledgement(server);
        }
        drop_first(m);
    }
}

static void send_change(const sim_server *from, int to)
{
    member *m = &group.members[to];
    sim_server *server = &net.servers[to];
    int64_t takes = chance_once_in(&world.chance, 20) ? draw(MSEC, 30 * MSEC) : draw(50, 2 * MSEC);
    change *made = platform_zalloc(sizeof(*made));

    made->data = redis_copy_data(from->redis);
    made->offset = redis_offset(from->redis);
    made->arrives = platform_later(world.now + takes, platform_later(net_apart_until(from), net_apart_until(server)));
    if (m->last != NULL) {
        made->arrives = platform_later(made->arrives, m->last->arrives);
        m->last->next = made;
    } else {
        m->first = made;
    }
    m->last = made;
    world_at(made->arrives, catch_up, server, (int64_t)m->turn);
}

/* A request that has run may have written. */
static void note_write(void *arg)
{
    const sim_server *server = arg;

    for (int i = 0; i < net.data_count && !group.members[server->index].mute; i++) {
        if (group.members[i].master == server) {
            send_change(server, i);
        }
    }
}

/* The node becomes a replica of the master, which sends it all that it has. */
static void follow(int to, int from)
{
    member *m = &group.members[to];

    drop_all(m);
    m->turn++;
    m->master = &net.servers[from];
    redis_follow(net.servers[to].redis, HOST, net_port(from));
    send_change(&net.servers[from], to);
}

/* ---- what the sentinels know ---- */

static void set_view(sentinel *s, int master, int64_t epoch)
{
    s->view.host = HOST;
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
    redis_follow(server->redis, HOST, net_port(net.master));
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
    follow(f->from, f->to);
    group.members[f->from].mute = false;
    group.is_busy = false;
}

static void promote(void *subject, int64_t detail)
{
    const failover *f = subject;
    sim_server *from = &net.servers[f->from], *to = &net.servers[f->to];
    member *m = &group.members[f->to];

    (void)detail;
    if (platform_later(to->stopped_until, net_apart_until(to)) > world.now) {
        world_at(platform_later(to->stopped_until, net_apart_until(to)), promote, subject, 0);
        return;
    }
    tell("server %d is promoted", f->to);
    server_catch_up(to);
    drop_all(m);
    m->turn++;
    m->master = NULL;
    redis_follow(to->redis, NULL, 0);
    redis_set_replicas(to->redis, (size_t)net.data_count);
    net.master = f->to;
    group.epoch++;
    net_note_master(from);
    group_promoted(from, to, f->kind == FAULT_FAILOVER);
    for (int i = 0; i < net.data_count; i++) {
        if (i != f->from && i != f->to) {
            follow(i, f->to);
        }
    }
    int64_t known_at = tell_sentinels();
    net.known_at = known_at;
    net.outage = platform_later(net.outage, known_at - f->began);
    /* Who goes on with the old master learns nothing before that does. */
    world_disturb(f->kind == FAULT_SPLIT_BRAIN ? platform_later(known_at, world.now + f->back_in) : known_at);
    world_at(world.now + f->back_in, end_failover, subject, 0);
}

/* The master takes no more writes, and the replica gets all that it has. For a while both are replicas. */
static void begin_planned(failover *f, int64_t span)
{
    sim_server *from = &net.servers[f->from], *to = &net.servers[f->to];
    redis_data *data;

    server_catch_up(from);
    redis_follow(from->redis, HOST, net_port(f->to));
    net_close_blocked(from);
    if (!chance_once_in(&world.chance, 4)) {
        net_close_links(from);
    }
    group.members[f->from].mute = true;
    data = redis_copy_data(from->redis);
    drop_all(&group.members[f->to]);
    server_catch_up(to);
    redis_take_data(to->redis, data);
    redis_free_data(data);
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

    group.members[f->from].mute = true;
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
        if (group.members[replica].master == &net.servers[net.master]) {
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
    group.acknowledges = acknowledges;
    if (!is_there()) {
        return;
    }
    for (int i = 0; i < net.data_count; i++) {
        redis_on_write(net.servers[i].redis, note_write, &net.servers[i]);
        if (i != net.master) {
            group.members[i].master = &net.servers[net.master];
            redis_follow(net.servers[i].redis, HOST, net_port(net.master));
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

void group_end(void)
{
    for (int i = 0; i < MAX_NODES; i++) {
        drop_all(&group.members[i]);
    }
}

/* SPDX-License-Identifier: MIT
 *
 * replicas: see replicas.h.
 */
#include "replicas.h"

#include <stdlib.h>
#include <string.h>

#include "platform/platform.h"

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

static struct {
    member members[MAX_NODES];
    bool acknowledges;
} all;

static int64_t draw(int64_t from, int64_t to)
{
    return chance_between(&world.chance, from, to);
}

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
    const member *m = &all.members[server->index];

    if (m->turn == (uint64_t)turn && m->master != NULL && m->master->stopped_until <= world.now) {
        sim_server *master = &net.servers[m->master->index];
        server_catch_up(master);
        redis_acknowledge(master->redis, (size_t)server->index, m->has);
        net_close_blocked(master); /* what goes on behind a WAIT may block again */
    }
}

static void send_acknowledgement(sim_server *server)
{
    const member *m = &all.members[server->index];
    int64_t apart_until = platform_later(net_apart_until(m->master), net_apart_until(server));

    if (all.acknowledges) {
        world_at(platform_later(world.now + draw(50, MSEC), apart_until), acknowledge, server, (int64_t)m->turn);
    }
}

/* What has arrived at a replica by now takes effect there, unless it is stopped. */
static void catch_up(void *subject, int64_t turn)
{
    sim_server *server = subject;
    member *m = &all.members[server->index];

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
    member *m = &all.members[to];
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

    for (int i = 0; i < net.data_count && !all.members[server->index].mute; i++) {
        if (all.members[i].master == server) {
            send_change(server, i);
        }
    }
}

void replicas_follow(int to, int from)
{
    member *m = &all.members[to];

    drop_all(m);
    m->turn++;
    m->master = &net.servers[from];
    redis_follow(net.servers[to].redis, REPLICAS_HOST, net_port(from));
    send_change(&net.servers[from], to);
}

void replicas_promote(int to)
{
    member *m = &all.members[to];

    drop_all(m);
    m->turn++;
    m->master = NULL;
    redis_follow(net.servers[to].redis, NULL, 0);
}

void replicas_take_all(int to, int from)
{
    redis_data *data = redis_copy_data(net.servers[from].redis);

    drop_all(&all.members[to]);
    server_catch_up(&net.servers[to]);
    redis_take_data(net.servers[to].redis, data);
    redis_free_data(data);
}

void replicas_mute(int node, bool on)
{
    all.members[node].mute = on;
}

const sim_server *replicas_master(int node)
{
    return all.members[node].master;
}

void replicas_start(int to, int from)
{
    all.members[to].master = &net.servers[from];
    redis_follow(net.servers[to].redis, REPLICAS_HOST, net_port(from));
}

void replicas_begin(bool acknowledges)
{
    memset(&all, 0, sizeof(all));
    all.acknowledges = acknowledges;
    for (int i = 0; i < net.data_count; i++) {
        redis_on_write(net.servers[i].redis, note_write, &net.servers[i]);
    }
}

void replicas_end(void)
{
    for (int i = 0; i < MAX_NODES; i++) {
        drop_all(&all.members[i]);
    }
}

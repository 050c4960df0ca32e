/* SPDX-License-Identifier: MIT
 *
 * net: see net.h. The end of this file stands in for the system calls and the calls of hiredis by which the core
 * reaches the network, the clock and chance; the linker puts them there (--wrap).
 */
#include "net.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <hiredis/hiredis.h>

#include "cluster.h"
#include "group.h"
#include "platform/platform.h"
#include "replicas.h"

#define FIRST_FD    1000000 /* far from any real one */
#define MAX_SOCKETS 8192
#define FIRST_PORT  7000

#define READ_AT_ONCE (16 * 1024) /* what Redis reads from a client before it looks at the next one */

#define READ_KEPT 256 /* bytes: longer than all that stands between a script's name and a token */

#define LOADS_FOR (5 * MSEC) /* how long a server loads its data after a restart */

typedef enum piece_kind { PIECE_DATA, PIECE_END, PIECE_RESET } piece_kind;
enum { TO_SERVER, TO_CLIENT };

typedef struct piece {
    sim_socket *socket;
    int way;
    piece_kind kind;
    size_t len;
    char bytes[];
} piece;

typedef struct buffer {
    char *at;
    size_t len, room;
} buffer;

struct sim_socket {
    int fd;
    sim_process *owner;
    int64_t pid;     /* of the process that made it */
    int64_t made_at; /* true time */
    int64_t used_at; /* true time at which it was made, or sent over last */
    int holders;     /* processes that have it open: two after a fork, while the parent lives */
    sim_server *server;
    redis_link *link; /* NULL: not accepted, or gone */
    sim_task *waiter; /* that polls it, or reads */
    bool local;       /* a unix socket */
    bool connected;
    bool blocks; /* O_NONBLOCK is not set */
    int64_t receive_timeout;
    int problem;           /* errno of the connection; 0: none */
    bool ended;            /* the server has closed its half */
    bool shut;             /* we have shut down our half */
    bool closed;           /* by the process */
    bool cut;              /* nothing goes through any more */
    bool deaf;             /* the client does not hear the server any more */
    bool said_last;        /* what it says from now on does not come to the server, or not whole */
    bool of_thread;        /* made by a thread of the process */
    socket_role role;      /* of the server, as ROLE has answered */
    int64_t clogged_until; /* takes no bytes before */
    int64_t last[2];       /* when the last piece arrives, each way */
    int64_t held[2];       /* nothing arrives before, each way */
    buffer in;             /* arrived at the client, and not read */
    buffer read;           /* by the server, of late */
    buffer pending;        /* arrived at the server, and not read */
    int64_t replied_by;    /* the reply to what a stopped server has read when it went on has come by then */
    bool server_end;       /* the end has arrived behind it */
    bool server_reset;     /* a reset has arrived */
};

sim_net net;
void (*net_after)(sim_socket *by);
void (*net_connects)(const sim_socket *socket);
void (*net_sends)(const sim_socket *socket);
void (*net_wiped)(sim_server *server);
void (*net_answers)(const sim_socket *socket, const char *bytes, size_t len);
void (*net_set_back)(sim_server *server);
void (*net_drops)(sim_server *server, int64_t pid);
void (*net_watch)(const sim_socket *socket, net_event what, const char *bytes, size_t len);

const char *const fault_names[FAULT_KINDS] = {
    "lose",      "cut behind",  "cut within",    "reset",         "hold",
    "partition", "isolate",     "stop client",   "stop server",   "kill client",
    "signal",    "kick",        "restart",       "wipe",          "forget",
    "read only", "loading",     "full",          "deny",          "crowd",
    "set back",  "revoke",      "stop at point", "kill at point", "signal at point",
    "failover",  "dead master", "silent master", "split brain",   "cut sentinel",
    "move slot", "open slot"};

static struct {
    sim_socket *sockets[MAX_SOCKETS];
    int count;
    int64_t apart_until[MAX_PROCESSES]; /* the process reaches no server before */
    int64_t isolated_until[MAX_NODES];
} wires;

static void server_turn(void *subject, int64_t detail);
static void server_set_timeout(sim_server *server);

static void watch(const sim_socket *socket, net_event what, const char *bytes, size_t len)
{
    if (net_watch != NULL) {
        net_watch(socket, what, bytes, len);
    }
}

/* ---- buffers ---- */

/* Half of a piece of one byte is nothing. */
static void buffer_add(buffer *b, const char *bytes, size_t len)
{
    if (len == 0) {
        return;
    }
    if (b->len + len > b->room) {
        b->room = 2 * (b->len + len);
        b->at = platform_realloc(b->at, b->room);
    }
    memcpy(b->at + b->len, bytes, len);
    b->len += len;
}

static void buffer_drop(buffer *b, size_t len)
{
    b->len -= len;
    memmove(b->at, b->at + len, b->len);
}

/* ---- pieces under way ---- */

/* Some take much longer than most. */
#define LONGEST_TRIP(latency) (20 * (latency))

static int64_t draw_latency(void)
{
    int64_t most = chance_once_in(&world.chance, 40) ? LONGEST_TRIP(net.latency) : net.latency;

    return chance_between(&world.chance, 20, most);
}

/* Until when nothing can go between the two ends. */
static int64_t apart_until(const sim_socket *socket)
{
    return platform_later(wires.apart_until[socket->owner->index], wires.isolated_until[socket->server->index]);
}

static void wake_client(sim_socket *socket)
{
    world_wake(socket->waiter);
}

static void send_piece(sim_socket *socket, int way, piece_kind kind, const char *bytes, size_t len);

/* The server learns that the client is gone. A BLPOP of it may be over by now: then it runs first what stands behind that. */
static void server_drops(sim_socket *socket)
{
    if (socket->link != NULL) {
        server_catch_up(socket->server);
        redis_link *link = socket->link;
        socket->link = NULL;
        redis_disconnect(link);
        server_set_timeout(socket->server);
    }
    if (socket->pending.len > 0) {
        socket->owner->lost_bytes = true;
        net_drops(socket->server, socket->pid);
    }
    socket->pending.len = 0;
    socket->server_end = socket->server_reset = false;
}

/* The server closes the connection. */
static void server_closes(sim_socket *socket)
{
    server_drops(socket);
    send_piece(socket, TO_CLIENT, PIECE_END, NULL, 0);
}

static void arrive_at_client(sim_socket *socket, const piece *p)
{
    if (socket->closed) {
        if (p->kind == PIECE_DATA) {
            send_piece(socket, TO_SERVER, PIECE_RESET, NULL, 0);
        }
        return;
    }
    if (p->kind == PIECE_DATA) {
        buffer_add(&socket->in, p->bytes, p->len);
        watch(socket, NET_GETS, p->bytes, p->len);
    } else if (p->kind == PIECE_END) {
        socket->ended = true;
        socket->owner->broken_at = world.now;
        watch(socket, NET_IS_ENDED, NULL, 0);
    } else {
        socket->problem = ECONNRESET;
        socket->owner->broken_at = world.now;
        watch(socket, NET_IS_RESET, NULL, 0);
    }
    wake_client(socket);
}

/* What comes to a node that is not the master any more, an undo perhaps, does not come to the one that is. A replica of a
 * cluster says so, and the client follows. */
static void note_apart(sim_socket *socket)
{
    const sim_server *server = socket->server;

    if (net_is_apart(server) && (net.masters == 0 || redis_is_master(server->redis))) {
        socket->owner->lost_bytes = true;
        net_drops(net_place_of(server), socket->pid);
    }
}

void net_note_master(const sim_server *old)
{
    for (int i = 0; i < wires.count; i++) {
        if (wires.sockets[i]->server == old && wires.sockets[i]->pending.len > 0) {
            note_apart(wires.sockets[i]);
        }
    }
}

static void arrive_at_server(sim_socket *socket, const piece *p)
{
    if (p->kind == PIECE_DATA) {
        note_apart(socket);
        buffer_add(&socket->pending, p->bytes, p->len);
    } else if (p->kind == PIECE_END) {
        socket->server_end = true;
    } else {
        socket->server_reset = true;
    }
    if (socket->server->stopped_until <= world.now) {
        server_turn(socket, 0);
    }
}

/* A piece arrives, unless the connection was cut meanwhile. */
static void arrive(void *subject, int64_t detail)
{
    piece *p = subject;
    sim_socket *socket = p->socket;

    (void)detail;
    if (socket->cut && p->kind != PIECE_RESET) {
        if (p->way == TO_SERVER && p->kind == PIECE_DATA) {
            socket->owner->lost_bytes = true;
            net_drops(socket->server, socket->pid);
        }
        return;
    }
    if (p->way == TO_CLIENT) {
        arrive_at_client(socket, p);
    } else {
        arrive_at_server(socket, p);
    }
}

/* The connection is gone. Either end learns so in a while. The server may take long: it only learns from what it
 * sends, or from its keepalive. */
static void cut(sim_socket *socket)
{
    net.cuts++;
    if (!socket->cut) {
        socket->cut = true;
        socket->owner->lost_bytes |= socket_is_blocked(socket); /* no undo can go behind what waits for the BLPOP */
        socket->last[TO_SERVER] = socket->last[TO_CLIENT] = world.now;
        send_piece(socket, TO_CLIENT, PIECE_RESET, NULL, 0);
        socket->last[TO_SERVER] += chance_once_in(&world.chance, 2) ? chance_between(&world.chance, 0, 2 * SEC) : 0;
        send_piece(socket, TO_SERVER, PIECE_RESET, NULL, 0);
        world_disturb(socket->last[TO_SERVER]);
    }
}

static void cut_now(void *subject, int64_t detail)
{
    (void)detail;
    cut(subject);
}

static piece *make_piece(sim_socket *socket, int way, piece_kind kind, const char *bytes, size_t len)
{
    piece *p = world_alloc(sizeof(*p) + len);

    p->socket = socket;
    p->way = way;
    p->kind = kind;
    p->len = len;
    if (len > 0) {
        memcpy(p->bytes, bytes, len);
    }
    return p;
}

static void put_under_way(sim_socket *socket, int way, piece_kind kind, const char *bytes, size_t len)
{
    int64_t when = platform_later(world.now + draw_latency(), platform_later(socket->held[way], apart_until(socket)));

    when = platform_later(when, socket->last[way]);
    socket->last[way] = when;
    world_at(when, arrive, make_piece(socket, way, kind, bytes, len), 0);
}

/* ---- faults ---- */

/* The commands to which a user may lack the right. Without PEXPIRE, a waiter that is killed leaves its entry behind. */
static const char *draw_command(void)
{
    static const char *const commands[] = {"DEL",   "GET",    "SET",   "ZADD",   "ZREM", "ZCARD", "PTTL",   "TIME",
                                           "RPUSH", "LINDEX", "BLPOP", "ZSCORE", "HSET", "HGET",  "EVALSHA"};

    return commands[chance_between(&world.chance, 0, sizeof(commands) / sizeof(*commands) - 1)];
}

/* Behind sentinels, users lack the right to ask for the role, at all nodes. */
static void deny_role(bool on)
{
    for (int i = 0; i < net.data_count; i++) {
        redis_deny(net.servers[i].redis, on ? "ROLE" : NULL);
    }
}

/* Puts a server into the state that the fault brings, or ends it. */
static void set_state(sim_server *server, fault_kind kind, bool on)
{
    if (kind == FAULT_DENY && net.node_count > net.data_count) {
        deny_role(on);
        return;
    }
    switch (kind) {
    case FAULT_READ_ONLY:
        redis_set_read_only(server->redis, on);
        break;
    case FAULT_LOADING:
        redis_set_loading(server->redis, on);
        break;
    case FAULT_FULL:
        redis_set_full(server->redis, on);
        break;
    default: /* FAULT_DENY, FAULT_REVOKE */
        server->denied = !on ? NULL : kind == FAULT_REVOKE ? "DEL" : draw_command();
        server->denied_at = world.now;
        redis_deny(server->redis, server->denied);
        break;
    }
}

static void end_state(void *subject, int64_t kind)
{
    set_state(subject, (fault_kind)kind, false);
}

/* All that stands in the buffers of a server that goes on is read, in any order of its clients. */
static void server_goes_on(void *subject, int64_t detail)
{
    sim_server *server = subject;
    int from = (int)chance_between(&world.chance, 0, wires.count);

    (void)detail;
    if (server->stopped_until > world.now) {
        return;
    }
    for (int i = 0; i < wires.count; i++) {
        sim_socket *socket = wires.sockets[(i + from) % wires.count];
        if (socket->server == server && (socket->pending.len > 0 || socket->server_end || socket->server_reset)) {
            socket->replied_by = world.now + LONGEST_TRIP(net.latency);
            world_at(world.now + i, server_turn, socket, 0);
        }
    }
    server_set_timeout(server);
}

static void note_away(sim_server *server, int64_t span)
{
    server->away_since = world.now;
    server->away_until = world.now + span;
}

static void server_stop(sim_server *server, int64_t span)
{
    note_away(server, span);
    server->stopped_until = platform_later(server->stopped_until, world.now + span);
    world_disturb(server->stopped_until);
    world_at(server->stopped_until, server_goes_on, server, 0);
}

static void server_restart(sim_server *server, bool keeps_data, int64_t span)
{
    for (int i = 0; i < wires.count; i++) {
        sim_socket *socket = wires.sockets[i];
        if (socket->server == server && !socket->cut) {
            server_drops(socket);
            socket->cut = true;
            socket->last[TO_CLIENT] = world.now;
            send_piece(socket, TO_CLIENT, PIECE_RESET, NULL, 0);
        }
    }
    server_catch_up(server);
    redis_restart(server->redis, keeps_data);
    if (!keeps_data) {
        net_wiped(server);
    }
    server->stopped_until = server->down_until = world.now + span;
    note_away(server, span + LOADS_FOR);
    redis_set_loading(server->redis, true);
    world_at(server->down_until + LOADS_FOR, end_state, server, FAULT_LOADING);
    world_disturb(server->down_until + LOADS_FOR);
}

static void kick(sim_server *server, const sim_process *process)
{
    for (int i = 0; i < wires.count; i++) {
        sim_socket *socket = wires.sockets[i];
        if (socket->server == server && socket->owner == process && !socket->cut && !socket->closed) {
            server_closes(socket);
            world_disturb(socket->last[TO_CLIENT]);
        }
    }
}

/* A server that becomes a replica closes the connections of the clients that were blocked. */
static void close_what_is_closed(const sim_server *server)
{
    for (int i = 0; i < wires.count; i++) {
        sim_socket *socket = wires.sockets[i];
        if (socket->server == server && socket->link != NULL && redis_is_closed(socket->link)) {
            server_closes(socket);
        }
    }
}

/* A fault of a server, and the client whose connection it hit. */
typedef struct server_fault {
    const sim_fault *fault;
    sim_server *server;
    const sim_process *process;
} server_fault;

/* It happens as soon as the server is not in the middle of something. */
static void strike_server(void *subject, int64_t detail)
{
    const server_fault *f = subject;
    int64_t until = world.now + f->fault->span;

    (void)detail;
    net.cuts++;
    net.refused |=
        (f->fault->kind >= FAULT_READ_ONLY && f->fault->kind <= FAULT_DENY) || f->fault->kind == FAULT_REVOKE;
    switch (f->fault->kind) {
    case FAULT_KICK:
        kick(f->server, f->process);
        break;
    case FAULT_RESTART:
    case FAULT_WIPE:
        server_restart(f->server, f->fault->kind == FAULT_RESTART, f->fault->span);
        break;
    case FAULT_FORGET:
        redis_flush_scripts(f->server->redis);
        break;
    case FAULT_FAILOVER:
    case FAULT_DEAD_MASTER:
    case FAULT_SILENT_MASTER:
    case FAULT_SPLIT_BRAIN:
    case FAULT_CUT_SENTINEL:
    case FAULT_MOVE_SLOT:
    case FAULT_OPEN_SLOT:
        (net.masters > 0 ? cluster_strike : group_strike)(f->fault);
        break;
    default:
        set_state(f->server, f->fault->kind, true);
        world_at(until, end_state, f->server, f->fault->kind);
        close_what_is_closed(f->server);
        if (f->fault->kind == FAULT_REVOKE) {
            kick(f->server, f->process);
        }
        break;
    }
}

void net_stop(sim_server *server, int64_t span)
{
    server_stop(server, span);
}

void net_restart(sim_server *server, int64_t span)
{
    server_restart(server, true, span);
}

void net_isolate(sim_server *server, int64_t until)
{
    wires.isolated_until[server->index] = until;
}

int64_t net_apart_until(const sim_server *server)
{
    return wires.isolated_until[server->index];
}

void net_close_links(sim_server *server)
{
    for (int i = 0; i < wires.count; i++) {
        sim_socket *socket = wires.sockets[i];
        if (socket->server == server && socket->link != NULL && !socket->cut) {
            server_closes(socket);
        }
    }
}

void net_close_blocked(sim_server *server)
{
    close_what_is_closed(server);
    server_set_timeout(server);
}

static void server_set_back(sim_server *server, int64_t span)
{
    server->clock.start -= span;
    server->set_back += span;
    net.set_back += span;
    server_catch_up(server);
    server_set_timeout(server);
    net_set_back(server);
}

static void note_trouble(const sim_fault *fault, sim_server *server)
{
    server->troubled = true;
    for (int i = 0; fault->kind == FAULT_PARTITION && i < net.server_count; i++) {
        net.servers[i].troubled = true;
    }
}

/* Lets the fault happen that strikes with this piece. Returns whether the piece still goes on its way by itself. */
static bool strike(const sim_fault *fault, sim_socket *socket, int way, piece_kind kind, const char *bytes, size_t len)
{
    sim_process *process = socket->owner;
    sim_server *server = socket->server;
    int64_t until = world.now + fault->span;
    bool goes_on = true;

    net.fired++;
    net.silences += fault->kind == FAULT_PARTITION || fault->kind == FAULT_ISOLATE ||
                    fault->kind == FAULT_STOP_SERVER || fault->kind >= FAULT_FAILOVER;
    tell("fault: %s (client %d, server %d, %" PRId64 " µs)", fault_names[fault->kind], process->index, server->index,
         fault->span);
    server->silences += fault->kind == FAULT_HOLD || fault->kind == FAULT_RESET;
    world_disturb(world.now);
    note_trouble(fault, server);
    switch (fault->kind) {
    case FAULT_CUT_WITHIN:
        process->lost_bytes |= way == TO_SERVER;
        socket->said_last |= way == TO_SERVER;
        put_under_way(socket, way, kind, bytes, len / 2);
        world_at(socket->last[way], cut_now, socket, 0);
        world_disturb(socket->last[way]);
        return false;
    case FAULT_CUT_BEHIND:
        socket->said_last |= way == TO_SERVER;
        put_under_way(socket, way, kind, bytes, len);
        world_at(socket->last[way], cut_now, socket, 0);
        world_disturb(socket->last[way]);
        return false;
    case FAULT_LOSE:
        process->lost_bytes |= way == TO_SERVER;
        cut(socket);
        return false;
    case FAULT_RESET:
        net.cuts++;
        process->lost_bytes = true; /* no undo can go behind what is still under way */
        socket->held[TO_SERVER] = until;
        put_under_way(socket, TO_CLIENT, PIECE_RESET, NULL, 0);
        socket->deaf = true;
        goes_on = way == TO_SERVER;
        break;
    case FAULT_HOLD:
        socket->held[way] = until;
        break;
    case FAULT_PARTITION:
        wires.apart_until[process->index] = until;
        break;
    case FAULT_ISOLATE:
        note_away(server, fault->span);
        wires.isolated_until[server->index] = until;
        break;
    case FAULT_STOP_CLIENT:
        process_stop(process, fault->span);
        return true;
    case FAULT_STOP_SERVER:
        server_stop(server, fault->span);
        break;
    case FAULT_KILL_CLIENT:
        net_close_all(process);
        process_kill(process);
        break;
    case FAULT_SIGNAL:
        process_signal(process);
        return true;
    case FAULT_CROWD:
        net.cuts++;
        server->full_until = until;
        break;
    case FAULT_SET_BACK:
        server_set_back(server, fault->span);
        return true;
    default: {
        server_fault *f = world_alloc(sizeof(*f));
        *f = (server_fault){fault, server, process};
        world_at(world.now, strike_server, f, 0);
        until = fault->kind == FAULT_OPEN_SLOT ? world.now : until; /* nobody has a reason to be late all the time */
        break;
    }
    }
    world_disturb(until);
    return goes_on;
}

/* Does it happen elsewhere: see machine.h? */
static bool is_of_points(const sim_fault *fault)
{
    return fault->kind >= FAULT_STOP_AT_POINT && fault->kind <= FAULT_SIGNAL_AT_POINT;
}

static void send_piece(sim_socket *socket, int way, piece_kind kind, const char *bytes, size_t len)
{
    bool goes = true;

    if (kind == PIECE_DATA) {
        net.pieces++;
        for (size_t i = 0; i < net.fault_count; i++) {
            if (net.faults[i].piece == net.pieces && !net.faults[i].off && !is_of_points(&net.faults[i])) {
                goes &= strike(&net.faults[i], socket, way, kind, bytes, len);
            }
        }
    }
    if (goes) {
        put_under_way(socket, way, kind, bytes, len);
    }
}

/* ---- servers ---- */

int64_t server_clock(const sim_server *server)
{
    return clock_at(&server->clock, world.now);
}

void server_catch_up(sim_server *server)
{
    if (server->stopped_until <= world.now) {
        server->caught_up = server_clock(server);
        redis_set_time(server->redis, server->caught_up);
    }
}

/* A blocked client's time is over. Redis looks about ten times a second. */
static void server_timeout(void *subject, int64_t detail)
{
    sim_server *server = subject;

    if ((uint64_t)detail == server->timeouts && server->stopped_until <= world.now) {
        server_catch_up(server);
        server_set_timeout(server);
    }
}

static void server_set_timeout(sim_server *server)
{
    int64_t next = redis_next_timeout(server->redis);

    server->timeouts++;
    if (next != NEVER) {
        int64_t in = platform_later(clock_true_span(&server->clock, next - server_clock(server)), 0) + 10;
        world_at(world.now + in + chance_between(&world.chance, 0, 100 * MSEC), server_timeout, server,
                 (int64_t)server->timeouts);
    }
}

/* Gets what the redis answers. */
static void server_says(void *arg, const char *bytes, size_t len)
{
    sim_socket *socket = arg;

    if (len > 19 && memcmp(bytes, "-ERR Protocol error", 19) == 0) {
        violated("protocol", "client %d sent what the server cannot read", socket->owner->index);
    }
    net_answers(socket, bytes, len);
    if (!socket->cut && !socket->deaf) {
        send_piece(socket, TO_CLIENT, PIECE_DATA, bytes, len);
    }
}

/* Keeps what the server reads of a connection while it refuses a command, and what it had read of that just before: a
 * request may have come in pieces. */
static void note_read(sim_socket *socket, const char *bytes, size_t len)
{
    sim_server *server = socket->server;

    buffer_add(&socket->read, bytes, len);
    if (server->denied != NULL) {
        server->refused = platform_realloc(server->refused, server->refused_len + socket->read.len);
        memcpy(server->refused + server->refused_len, socket->read.at, socket->read.len);
        server->refused_len += socket->read.len;
        socket->read.len = 0;
    } else if (socket->read.len > READ_KEPT) {
        buffer_drop(&socket->read, socket->read.len - READ_KEPT);
    }
}

bool server_has_refused(const sim_server *server, const char *text)
{
    return server->refused_len > 0 && memmem(server->refused, server->refused_len, text, strlen(text)) != NULL;
}

static void server_reads(sim_socket *socket)
{
    size_t len = socket->pending.len < READ_AT_ONCE ? socket->pending.len : READ_AT_ONCE;
    char *bytes = platform_alloc(len);

    memcpy(bytes, socket->pending.at, len);
    buffer_drop(&socket->pending, len);
    note_read(socket, bytes, len);
    redis_feed(socket->link, bytes, len);
    free(bytes);
    net_after(socket);
}

/* The server reads from one client. */
static void server_turn(void *subject, int64_t detail)
{
    sim_socket *socket = subject;
    sim_server *server = socket->server;

    (void)detail;
    if (server->stopped_until > world.now || socket->link == NULL) {
        return;
    }
    server_catch_up(server);
    if (socket->server_reset) {
        server_drops(socket);
        return;
    }
    if (socket->pending.len > 0) {
        server_reads(socket);
    }
    if (socket->link == NULL) {
        return; /* it struck while it read */
    }
    if (redis_is_closed(socket->link)) {
        server_closes(socket);
    } else if (socket->pending.len > 0) {
        world_at(world.now + 5, server_turn, socket, 0);
    } else if (socket->server_end) {
        server_closes(socket);
    }
    server_set_timeout(server);
}

/* ---- connections ---- */

static void refuse(sim_socket *socket)
{
    socket->problem = ECONNREFUSED;
    socket->cut = true;
    watch(socket, NET_IS_REFUSED, NULL, 0);
    wake_client(socket);
}

static void client_is_connected(void *subject, int64_t detail)
{
    sim_socket *socket = subject;

    (void)detail;
    if (!socket->cut) {
        socket->connected = true;
        wake_client(socket);
    }
}

/* The first packet of a connection arrives at the server. The kernel accepts it even if the server is stopped. */
static void knock(void *subject, int64_t detail)
{
    sim_socket *socket = subject;
    sim_server *server = socket->server;
    static const char full[] = "-ERR max number of clients reached\r\n";

    (void)detail;
    if (socket->closed || socket->cut) {
        return;
    }
    if (server->down_until > world.now) {
        refuse(socket);
        return;
    }
    world_at(platform_later(world.now + (socket->local ? 0 : draw_latency()), apart_until(socket)), client_is_connected,
             socket, 0);
    if (server->full_until > world.now) {
        send_piece(socket, TO_CLIENT, PIECE_DATA, full, sizeof(full) - 1);
        send_piece(socket, TO_CLIENT, PIECE_END, NULL, 0);
        return;
    }
    socket->link = redis_accept(server->redis, server_says, socket);
}

sim_process *socket_process(const sim_socket *socket)
{
    return socket->owner;
}

int socket_number(const sim_socket *socket)
{
    return socket->fd - FIRST_FD;
}

const sim_server *socket_server(const sim_socket *socket)
{
    return socket->server;
}

int64_t socket_pid(const sim_socket *socket)
{
    return socket->pid;
}

sim_socket *socket_of_link(const redis_link *link)
{
    for (int i = wires.count; i-- > 0;) {
        if (wires.sockets[i]->link == link) {
            return wires.sockets[i];
        }
    }
    return NULL;
}

int64_t socket_used_at(const sim_socket *socket)
{
    return socket->used_at;
}

bool socket_is_of_thread(const sim_socket *socket)
{
    return socket->of_thread;
}

socket_role socket_learnt_role(const sim_socket *socket)
{
    return socket->role;
}

void socket_note_role(sim_socket *socket, bool is_master)
{
    socket->role = is_master ? ROLE_MASTER : ROLE_REPLICA;
}

bool socket_is_heard(const sim_socket *socket)
{
    return !socket->closed && !socket->cut && !socket->deaf;
}

bool socket_is_behind_denial(const sim_socket *socket)
{
    return socket->server->denied != NULL && socket->made_at > socket->server->denied_at;
}

bool socket_is_broken(const sim_socket *socket)
{
    return socket->cut || socket->deaf || socket->said_last;
}

bool socket_is_blocked(const sim_socket *socket)
{
    return socket->link != NULL && redis_is_blocked(socket->link) && !redis_awaits_replicas(socket->link);
}

static sim_socket *make_socket(int server, bool local)
{
    sim_socket *socket = world_alloc(sizeof(*socket));

    if (wires.count == MAX_SOCKETS) {
        violated("progress", "too many connections are made");
        world_wait(NEVER);
    }
    socket->fd = FIRST_FD + wires.count;
    socket->owner = world_process();
    socket->pid = socket->owner->pid;
    socket->holders = 1;
    socket->made_at = world.now;
    socket->used_at = world.now;
    socket->of_thread = world_is_thread();
    socket->server = &net.servers[server];
    socket->local = local;
    wires.sockets[wires.count++] = socket;
    net.open++;
    watch(socket, NET_OPENS, NULL, 0);
    net_connects(socket);
    return socket;
}

/* Nobody has the socket open any more. What arrived and was not read makes it a reset. */
static bool is_out_of_reach(const sim_socket *socket)
{
    return platform_later(apart_until(socket), socket->server->stopped_until) > world.now ||
           platform_later(socket->held[TO_SERVER], socket->held[TO_CLIENT]) > world.now;
}

/* Has the server been stopped when something came over this connection, and the reply to it not come? */
static bool is_left_unread(const sim_socket *socket)
{
    bool is_stopped = socket->server->stopped_until > world.now;

    return is_stopped ? socket->pending.len > 0 : socket->replied_by > world.now;
}

static void socket_ends(sim_socket *socket)
{
    socket->closed = true;
    if (is_left_unread(socket)) {
        socket->owner->unread_at = world.now;
    }
    net.open--;
    watch(socket, NET_CLOSES, NULL, 0);
    net.abandoned += is_out_of_reach(socket);
    socket->said_last |= socket->clogged_until > world.now; /* half an undo is none */
    socket->owner->lost_bytes |= socket->said_last;
    if (!socket->connected) {
        socket->owner->unmade_since = socket->made_at;
    }
    if (!socket->cut) {
        send_piece(socket, TO_SERVER, socket->in.len > 0 ? PIECE_RESET : PIECE_END, NULL, 0);
    }
}

static void socket_close(sim_socket *socket)
{
    socket->waiter = NULL;
    if (!socket->closed && --socket->holders == 0) {
        socket_ends(socket);
    }
}

static sim_socket *socket_of(int fd)
{
    return wires.sockets[fd - FIRST_FD];
}

void net_close_all(sim_process *process)
{
    for (int i = 0; i < wires.count; i++) {
        sim_socket *socket = wires.sockets[i];
        if (socket->owner == process && !socket->closed) {
            socket->holders = 0;
            socket_ends(socket);
        }
    }
}

static void parent_ends(void *subject, int64_t detail)
{
    sim_socket *socket = subject;

    (void)detail;
    socket_close(socket);
}

void net_fork(sim_process *process)
{
    int64_t lives = chance_between(&world.chance, 0, 2 * SEC);

    for (int i = 0; i < wires.count; i++) {
        sim_socket *socket = wires.sockets[i];
        if (socket->owner == process && !socket->closed) {
            socket->holders++;
            world_at(world.now + lives, parent_ends, socket, 0);
        }
    }
    process->pid += 1000;
    net.cuts++; /* the parent does nothing any more, not even with what it is served */
    world_disturb(world.now + lives);
}

void net_heal(void)
{
    memset(wires.apart_until, 0, sizeof(wires.apart_until));
    memset(wires.isolated_until, 0, sizeof(wires.isolated_until));
    net.fault_count = 0;
    net.short_io = false;
    world.pause_one_in = 0;
    for (int i = 0; i < net.node_count; i++) {
        sim_server *server = &net.servers[i];
        server->full_until = 0;
        if (net.node_count == net.data_count && net.masters == 0) {
            redis_set_read_only(server->redis, false);
        }
        redis_set_full(server->redis, false);
        redis_deny(server->redis, NULL);
        server->denied = NULL;
    }
}

sim_server *net_server(int i)
{
    return &net.servers[i + net.master];
}

sim_server *net_home(const char *key, size_t len)
{
    return net.masters > 0 ? cluster_home(key, len) : net_server(0);
}

bool net_is_apart(const sim_server *server)
{
    return net.masters > 0 ? cluster_master(server) != server : group_is_apart(server);
}

sim_server *net_place_of(const sim_server *server)
{
    return net.masters > 0 ? cluster_master(server) : net_server(0);
}

int net_number(const sim_server *server)
{
    return net.server_count == 1 ? 0 : server->index;
}

int net_port(int node)
{
    return FIRST_PORT + node;
}

/* Servers have clocks of their own, but those of a group or a cluster. */
void net_begin(const net_terms *terms)
{
    memset(&wires, 0, sizeof(wires));
    int data = terms->masters > 0 ? terms->masters * (1 + terms->replicas) : terms->servers + terms->replicas;

    net = (sim_net){.server_count = terms->servers,
                    .masters = terms->masters,
                    .data_count = data,
                    .node_count = data + terms->sentinels,
                    .faults = terms->faults,
                    .fault_count = terms->fault_count,
                    .latency = terms->latency,
                    .short_io = terms->short_io};
    for (int i = 0; i < net.node_count; i++) {
        sim_server *server = &net.servers[i];
        server->index = i;
        server->redis = redis_new();
        server->clock = i < net.server_count ? clock_draw(INT64_C(1700000000) * SEC, INT64_C(1700001000) * SEC)
                                             : net.servers[0].clock;
        server_catch_up(server);
    }
    if (net.masters > 0) {
        cluster_begin();
    } else {
        group_begin(terms->acknowledges);
    }
}

void net_end(void)
{
    for (int i = 0; i < wires.count; i++) {
        free(wires.sockets[i]->in.at);
        free(wires.sockets[i]->read.at);
        free(wires.sockets[i]->pending.at);
    }
    for (int i = 0; i < net.node_count; i++) {
        redis_free(net.servers[i].redis);
        free(net.servers[i].refused);
    }
    replicas_end();
    wires.count = 0;
    net.server_count = net.data_count = net.node_count = 0;
}

/* ---- what the core calls ---- */

int64_t __wrap_platform_now(void);
int64_t __wrap_platform_wall(void);
int64_t __wrap_platform_process(void);
int __wrap_getentropy(void *buf, size_t len);
void __wrap_platform_random(void *buf, size_t len);
void __real_platform_random(void *buf, size_t len);
int __wrap_poll(struct pollfd *fds, nfds_t count, int timeout);
ssize_t __wrap_recv(int fd, void *buf, size_t len, int flags);
ssize_t __wrap_send(int fd, const void *buf, size_t len, int flags);
int __wrap_shutdown(int fd, int how);
int __wrap_getsockopt(int fd, int level, int name, void *value, socklen_t *size);
int __wrap_setsockopt(int fd, int level, int name, const void *value, socklen_t size);
int __wrap_getpeername(int fd, struct sockaddr *address, socklen_t *size);
int __wrap_getaddrinfo(const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **found);
int __real_getaddrinfo(const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **found);
int __wrap_fcntl(int fd, int command, ...);
redisContext *__wrap_redisConnectNonBlock(const char *host, int port);
redisContext *__wrap_redisConnectUnixNonBlock(const char *path);
int __wrap_redisEnableKeepAlive(redisContext *context);
int __wrap_redisGetReplyFromReader(redisContext *context, void **reply);
void __wrap_freeReplyObject(void *reply);
int __real_redisGetReplyFromReader(redisContext *context, void **reply);
void __real_freeReplyObject(void *reply);
void __wrap_redisFree(redisContext *context);
void __real_redisFree(redisContext *context);

#define DEAD_STEP SEC /* by which the clock of a process that was killed leaps, so that it ends soon */

static bool is_dead(void)
{
    return world_process() != NULL && world_process()->dead;
}

/* A pause may come before the clock is read or behind it. */
int64_t __wrap_platform_now(void)
{
    sim_process *process = world_process();

    if (process == NULL) {
        return world.now;
    }
    if (process->dead) {
        return process->dead_clock += DEAD_STEP;
    }
    int64_t before = clock_at(&process->clock, world.now);
    world_count_call();
    if (process->dead) {
        return process->dead_clock;
    }
    return chance_once_in(&world.chance, 2) ? before : clock_at(&process->clock, world.now);
}

/* No pause comes here: what a token tells for people to read changes no history. */
int64_t __wrap_platform_wall(void)
{
    sim_process *process = world_process();

    return INT64_C(1700000000) * SEC +
           (process != NULL && !process->dead ? clock_at(&process->clock, world.now) : world.now);
}

int64_t __wrap_platform_process(void)
{
    return world_process() != NULL ? world_process()->pid : 1;
}

int __wrap_getentropy(void *buf, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        ((unsigned char *)buf)[i] = (unsigned char)(chance_draw(&world.chance) >> 32);
    }
    return 0;
}

/* What the core draws for a span of time. The names that it draws do not come by here, since platform.c makes them. */
void __wrap_platform_random(void *buf, size_t len)
{
    if (world.chance.steady) {
        memset(buf, 0, len);
    } else {
        __real_platform_random(buf, len);
    }
}

static bool can_read(const sim_socket *socket)
{
    return socket->in.len > 0 || socket->ended || socket->problem != 0;
}

static bool can_write(const sim_socket *socket)
{
    return socket->problem != 0 || (socket->connected && socket->clogged_until <= world.now);
}

int net_look(struct pollfd *fds, size_t count)
{
    int ready = 0;

    for (size_t i = 0; i < count; i++) {
        fds[i].revents = 0;
        if (fds[i].fd < 0) {
            continue;
        }
        sim_socket *socket = socket_of(fds[i].fd);
        if (can_read(socket) && socket->connected) {
            fds[i].revents |= POLLIN;
        }
        if (can_write(socket)) {
            fds[i].revents |= POLLOUT;
        }
        fds[i].revents &= fds[i].events;
        if (socket->problem != 0) {
            fds[i].revents |= POLLERR | POLLHUP;
        }
        ready += fds[i].revents != 0;
    }
    return ready;
}

/* Has the running task woken by what happens on these sockets, or no longer. Returns when one of them takes bytes
 * again. */
static int64_t attend(struct pollfd *fds, size_t count, bool on)
{
    int64_t clogged = NEVER;

    for (size_t i = 0; i < count; i++) {
        if (fds[i].fd >= 0) {
            sim_socket *socket = socket_of(fds[i].fd);
            socket->waiter = on ? world.running : NULL;
            if (fds[i].events & POLLOUT && socket->clogged_until > world.now && socket->clogged_until < clogged) {
                clogged = socket->clogged_until;
            }
        }
    }
    return clogged;
}

void net_await(struct pollfd *fds, size_t count, int64_t until)
{
    int64_t clogged = attend(fds, count, true);

    world_wait(clogged < until ? clogged : until);
    attend(fds, count, false);
}

int __wrap_poll(struct pollfd *fds, nfds_t count, int timeout)
{
    sim_process *process = world_process();
    int64_t until = world.now + clock_true_span(&process->clock, (int64_t)timeout * MSEC);
    unsigned signals = process->signals;
    int ready;

    world_count_call();
    while (!process->dead && (ready = net_look(fds, count)) == 0 && world.now < until) {
        if (process->signals != signals) {
            errno = EINTR;
            return -1;
        }
        net_await(fds, count, until);
    }
    if (process->dead) {
        process->dead_clock += (int64_t)timeout * MSEC;
        for (nfds_t i = 0; i < count; i++) {
            fds[i].revents = 0;
        }
        return 0;
    }
    return ready;
}

/* Waits for something to read as the socket is set to. Returns false with errno if nothing came. */
static bool await_input(sim_socket *socket)
{
    sim_process *process = world_process();
    int64_t until = world.now + clock_true_span(&process->clock, socket->receive_timeout);
    unsigned signals = process->signals;

    while (!process->dead && !can_read(socket)) {
        if (process->signals != signals || world.now >= until) {
            errno = process->signals != signals ? EINTR : EAGAIN;
            return false;
        }
        socket->waiter = world.running;
        world_wait(until);
        socket->waiter = NULL;
    }
    return true;
}

/* In a child, the bytes and the socket's state are the parent's. */
static void check_owner(const sim_socket *socket, const char *what)
{
    if (socket->pid != world_process()->pid) {
        violated("inherited", "client %d, a child, %s over its parent's connection", world_process()->index, what);
    }
}

/* What comes together with the end of its connection may not be looked at any more. */
static void note_heard(sim_socket *socket, const char *bytes, size_t len)
{
    if (socket->server->away_until <= world.now && len > 0 && bytes[0] != '-') {
        socket->owner->heard_at = world.now;
    }
}

ssize_t __wrap_recv(int fd, void *buf, size_t len, int flags)
{
    sim_socket *socket = socket_of(fd);

    world_count_call();
    if (!is_dead()) {
        check_owner(socket, "reads");
        if (!can_read(socket) && ((flags & MSG_DONTWAIT) != 0 || !socket->blocks)) {
            errno = EAGAIN;
            return -1;
        }
        if (!await_input(socket)) {
            return -1;
        }
    }
    if (is_dead()) {
        errno = ECONNRESET;
        return -1;
    }
    if (socket->in.len > 0) {
        size_t n = len < socket->in.len ? len : socket->in.len;
        memcpy(buf, socket->in.at, n);
        note_heard(socket, buf, n);
        if (!world_is_thread() && memmem(buf, n, "-READONLY", 9) != NULL) {
            socket->owner->told_at[socket->server->index] = world.now;
        }
        if ((flags & MSG_PEEK) == 0) {
            buffer_drop(&socket->in, n);
        }
        return (ssize_t)n;
    }
    if (socket->problem != 0) {
        errno = socket->problem;
        return -1;
    }
    return 0;
}

/* Now and then a socket takes a part only, and nothing more for a while. What it takes goes out in one piece or two. */
ssize_t __wrap_send(int fd, const void *buf, size_t len, int flags)
{
    sim_socket *socket = socket_of(fd);
    const char *bytes = buf;

    (void)flags;
    world_count_call();
    if (is_dead() || socket->problem != 0 || socket->shut) {
        errno = EPIPE;
        return -1;
    }
    check_owner(socket, "writes");
    net_sends(socket);
    socket->used_at = world.now;
    socket->owner->lost_bytes |= socket->cut;
    if (socket->clogged_until > world.now) {
        errno = EAGAIN;
        return -1;
    }
    if (net.short_io && len > 1 && chance_once_in(&world.chance, 200)) {
        len = (size_t)chance_between(&world.chance, 1, (int64_t)len - 1);
        socket->clogged_until = world.now + chance_between(&world.chance, 100, 10 * MSEC);
        net.cuts++; /* an undo may not go out whole */
        socket->server->troubled = true;
    }
    watch(socket, NET_SENDS, bytes, len);
    if (!socket->cut) {
        size_t first = chance_once_in(&world.chance, 10) ? (size_t)chance_between(&world.chance, 1, (int64_t)len) : len;
        send_piece(socket, TO_SERVER, PIECE_DATA, bytes, first);
        if (first < len) {
            send_piece(socket, TO_SERVER, PIECE_DATA, bytes + first, len - first);
        }
    }
    return (ssize_t)len;
}

int __wrap_shutdown(int fd, int how)
{
    sim_socket *socket = socket_of(fd);

    (void)how;
    world_count_call();
    if (is_dead()) {
        return 0;
    }
    check_owner(socket, "shuts down");
    socket->shut = true;
    watch(socket, NET_SHUTS, NULL, 0);
    if (!socket->cut) {
        send_piece(socket, TO_SERVER, PIECE_END, NULL, 0);
    }
    return 0;
}

/* SO_ERROR. */
int __wrap_getsockopt(int fd, int level, int name, void *value, socklen_t *size)
{
    sim_socket *socket = socket_of(fd);

    (void)level, (void)name, (void)size;
    *(int *)value = is_dead() ? ECONNRESET : socket->problem;
    return 0;
}

int __wrap_setsockopt(int fd, int level, int name, const void *value, socklen_t size)
{
    (void)size;
    if (level == SOL_SOCKET && name == SO_RCVTIMEO) {
        const struct timeval *span = value;
        socket_of(fd)->receive_timeout = span->tv_sec * SEC + span->tv_usec;
    }
    return 0;
}

/* A unix socket whose listen backlog is full has no peer. All others have the same: the port tells servers apart. */
int __wrap_getpeername(int fd, struct sockaddr *address, socklen_t *size)
{
    struct sockaddr_in peer = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};

    if (!socket_of(fd)->connected) {
        return -1;
    }
    memcpy(address, &peer, *size < sizeof(peer) ? *size : sizeof(peer));
    *size = sizeof(peer);
    return 0;
}

/* All names are those of the one peer. */
int __wrap_getaddrinfo(const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **found)
{
    bool is_resolved = (hints->ai_flags & AI_NUMERICHOST) == 0;

    return __real_getaddrinfo(is_resolved ? "127.0.0.1" : node, service, hints, found);
}

int __wrap_fcntl(int fd, int command, ...)
{
    if (fd < FIRST_FD) {
        return 0; /* a file of gcov's, which is linked in here too, and locks it */
    }
    sim_socket *socket = socket_of(fd);

    if (command == F_GETFL) {
        return socket->blocks ? 0 : O_NONBLOCK;
    }
    if (command == F_SETFL) {
        socket->blocks = true; /* the core sets nothing else */
    }
    return 0;
}

static redisContext *context_of(const sim_socket *socket)
{
    redisContext *context = redisConnectFd(socket->fd);

    context->flags &= ~(REDIS_BLOCK | REDIS_CONNECTED);
    return context;
}

redisContext *__wrap_redisConnectNonBlock(const char *host, int port)
{
    sim_socket *socket = make_socket(port - FIRST_PORT, false);

    (void)host;
    world_count_call();
    if (!is_dead()) {
        world_at(platform_later(world.now + draw_latency(), apart_until(socket)), knock, socket, 0);
    }
    return context_of(socket);
}

/* A unix socket connects at once or not at all. The path ends with the server's number. Now and then its listen backlog
 * is full. */
redisContext *__wrap_redisConnectUnixNonBlock(const char *path)
{
    sim_socket *socket = make_socket(path[strlen(path) - 1] - '0', true);
    redisContext *context = context_of(socket);
    int problem = 0;

    world_count_call();
    if (is_dead() || socket->server->down_until > world.now) {
        problem = ECONNREFUSED;
    } else if (net.short_io && chance_once_in(&world.chance, 20)) {
        problem = EAGAIN;
    }
    if (problem != 0) {
        socket->cut = true;
        context->err = REDIS_ERR_IO;
        snprintf(context->errstr, sizeof(context->errstr), "%s", strerror(problem));
    } else {
        knock(socket, 0);
        socket->connected = true;
    }
    errno = problem;
    return context;
}

int __wrap_redisEnableKeepAlive(redisContext *context)
{
    (void)context;
    return REDIS_OK;
}

void __wrap_redisFree(redisContext *context)
{
    if (context != NULL && context->fd >= FIRST_FD) {
        socket_close(socket_of(context->fd));
        context->fd = -1;
    }
    __real_redisFree(context);
}

/* Each reply that hiredis makes is to be freed once. */
int __wrap_redisGetReplyFromReader(redisContext *context, void **reply)
{
    int status = __real_redisGetReplyFromReader(context, reply);

    net.replies += status == REDIS_OK && *reply != NULL;
    return status;
}

void __wrap_freeReplyObject(void *reply)
{
    net.replies -= reply != NULL;
    __real_freeReplyObject(reply);
}

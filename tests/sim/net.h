/* SPDX-License-Identifier: MIT
 *
 * net: the simulated network between processes and servers, and what can go wrong with it.
 *
 * A socket carries two streams of bytes. What is sent arrives in order, in pieces of any size, after a while that is
 * drawn for each piece. Nothing is lost in the middle of a stream, as with TCP: it is late, or the connection is cut.
 */
#ifndef SIM_NET_H
#define SIM_NET_H

#include "redis.h"
#include "world.h"

#define MAX_SERVERS 5          /* that clients count as servers of their own */
#define MAX_NODES   MAX_PLACES /* and with those that stand behind sentinels, and these */

typedef struct sim_socket sim_socket;

typedef struct sim_server {
    int index;
    redis *redis;
    sim_clock clock;       /* its wall clock */
    int64_t caught_up;     /* the time that its redis was told last */
    int64_t stopped_until; /* reads nothing before */
    int64_t down_until;    /* refuses connections before */
    int64_t full_until;    /* has no room for more clients before */
    int64_t away_since;    /* true time since when nothing could be asked of it the last time; 0: it was there always */
    int64_t away_until;    /* and until when */
    int64_t set_back;      /* by how much its clock was set back, in all */
    const char *denied;    /* the command to which users have no right there now; NULL: none */
    int64_t denied_at;     /* true time at which that began */
    char *refused;         /* all that it has read while it refused a command for good, and what came just before */
    size_t refused_len;
    bool troubled;     /* a fault has hit it, or a connection to it */
    unsigned silences; /* connections to it over which nothing came for a while, although they stood */
    uint64_t timeouts; /* counts those that were set: an earlier one is over */
} sim_server;

/* What goes wrong when a certain piece is on its way. */
typedef enum fault_kind {
    FAULT_LOSE,        /* the connection is cut, and the piece does not arrive */
    FAULT_CUT_BEHIND,  /* the piece arrives, then the connection is cut */
    FAULT_CUT_WITHIN,  /* half of the piece arrives, then the connection is cut */
    FAULT_RESET,       /* a proxy resets the client's half, and passes on what was sent after `span` */
    FAULT_HOLD,        /* the piece, and what is sent behind it, arrives after `span` */
    FAULT_PARTITION,   /* nothing goes between the client and any server for `span` */
    FAULT_ISOLATE,     /* nothing goes to or from the server for `span` */
    FAULT_STOP_CLIENT, /* for `span` */
    FAULT_STOP_SERVER, /* for `span` */
    FAULT_KILL_CLIENT, /* for good */
    FAULT_SIGNAL,      /* the client's wait is interrupted */
    FAULT_KICK,        /* the server closes all connections of the client */
    FAULT_RESTART,     /* the server is down for `span`, and keeps its data */
    FAULT_WIPE,        /* the same, but it loses its data: outside of what a lease lock can survive */
    FAULT_FORGET,      /* the server forgets its scripts */
    FAULT_READ_ONLY,   /* the server is a replica for `span` */
    FAULT_LOADING,     /* the server answers LOADING for `span` */
    FAULT_FULL,        /* the server has no memory for `span` */
    FAULT_DENY,        /* the client's user lacks the right to a command for `span` */
    FAULT_CROWD,       /* the server refuses new connections for `span` */
    FAULT_SET_BACK,    /* the server's clock is set back by `span` */
    FAULT_REVOKE,      /* the same of DEL, and the server closes all connections of the client, which makes new ones */
    /* These happen where processes share memory, between two exchanges of its words: see machine.h. */
    FAULT_STOP_AT_POINT, /* the client is stopped for `span` */
    FAULT_KILL_AT_POINT,
    FAULT_SIGNAL_AT_POINT,
    /* These happen only behind sentinels: see group.h. */
    FAULT_FAILOVER,      /* a replica is promoted with all writes; the master is demoted `span` before */
    FAULT_DEAD_MASTER,   /* the master dies, and a replica is promoted `span` behind that, without the last writes */
    FAULT_SILENT_MASTER, /* the same, but the master is stopped or cut off, and goes on as a master for a while */
    FAULT_SPLIT_BRAIN,  /* the same, but the master goes on all the time: only sentinels and replicas do not reach it */
    FAULT_CUT_SENTINEL, /* a sentinel learns nothing for `span`; perhaps nobody reaches it either */
    /* These happen only in a cluster, and so do the failovers: see cluster.h. */
    FAULT_MOVE_SLOT, /* a slot moves to another master, key by key */
    FAULT_OPEN_SLOT, /* the same, and it is left open for `span`; it may be that it comes back then */
    FAULT_KINDS
} fault_kind;

typedef struct sim_fault {
    fault_kind kind;
    uint32_t piece; /* the number of the piece, from 1 */
    uint32_t place; /* at points: of those in one function, see machine_places; 0: of all */
    int64_t span;   /* µs */
    bool off;       /* left out, by the search for the shortest story */
} sim_fault;

typedef struct sim_net {
    int server_count; /* that clients count as servers of their own: a cluster is one */
    int masters;      /* of a cluster, at the beginning; 0: it is none */
    int data_count;   /* nodes with data: these, and the replicas behind sentinels or in a cluster */
    int node_count;   /* and the sentinels */
    int master;       /* behind sentinels: the node that clients are to find; else 0 */
    sim_server servers[MAX_NODES];
    sim_fault *faults;
    size_t fault_count;
    int64_t latency;    /* µs that a piece takes at most, mostly */
    bool short_io;      /* now and then a socket takes or gives a part only */
    uint32_t pieces;    /* sent so far */
    unsigned open;      /* sockets that processes have open */
    unsigned fired;     /* faults so far */
    unsigned cuts;      /* connections that broke, were refused, or took a part only */
    unsigned silences;  /* times at which a client could not reach a server */
    unsigned abandoned; /* connections that were given up while nothing went through */
    int replies;        /* that hiredis has made and that were not freed */
    int64_t set_back;   /* by how much clocks of servers were set back, in all: their keys stay for longer */
    int64_t known_at;   /* true time from which on a majority of the sentinels knows the master */
    int64_t outage;     /* for how long there was no master that a majority of the sentinels knew, at most */
    bool refused;       /* a server was in a state in which it refuses requests, at some time */
} sim_net;

extern sim_net net;

/* Names of the kinds of faults. */
extern const char *const fault_names[FAULT_KINDS];

/* What a network is made of. */
typedef struct net_terms {
    int servers;       /* that clients count as servers of their own */
    int replicas;      /* of a single one, */
    int sentinels;     /* which stands behind so many; 0: none */
    int masters;       /* which is a cluster of so many, each with `replicas`; 0: it is none */
    bool acknowledges; /* the replicas tell what they have */
    int64_t latency;
    bool short_io;
    sim_fault *faults;
    size_t fault_count;
} net_terms;

void net_begin(const net_terms *terms);
void net_end(void);

/* The server that clients count as the i-th one: behind sentinels, the node that is the master now. */
sim_server *net_server(int i);

/* The server that has the key, or where it would be made: of a cluster, the one whose key it is. */
sim_server *net_home(const char *key, size_t len);

/* Has another node the place of this one, a master's: for those that find the master by sentinels, or in a cluster?
 * Replicas count as such. And which one? */
bool net_is_apart(const sim_server *server);
sim_server *net_place_of(const sim_server *server);

/* The number under which clients count the server. */
int net_number(const sim_server *server);

int net_port(int node);

/* A process has ended: its sockets are closed. */
void net_close_all(sim_process *process);

/* The process has forked: what it has open, its parent has open too. From now on it is the child. */
void net_fork(sim_process *process);

/* Heals what is broken. */
void net_heal(void);

/* What may befall a server: it is stopped, or dead, for `span`; nothing goes to or from it until `until`; it closes all
 * connections, or those of the clients that were blocked when it became a replica. */
void net_stop(sim_server *server, int64_t span);
void net_restart(sim_server *server, int64_t span);
void net_isolate(sim_server *server, int64_t until);
void net_close_links(sim_server *server);
void net_close_blocked(sim_server *server);

/* Until when nothing goes to or from the server. */
int64_t net_apart_until(const sim_server *server);

/* Another node than this one is the master now: what is under way to this one, an undo perhaps, does not come to that. */
void net_note_master(const sim_server *old);

/* The server's wall clock, in µs. */
int64_t server_clock(const sim_server *server);

/* Has the server read this text while it refused a command for good? */
bool server_has_refused(const sim_server *server, const char *text);

/* Sets the time of the server's redis to its clock, unless the server is stopped. */
void server_catch_up(sim_server *server);

/* The number of the socket among all, from 0, in the order in which they were made. */
int socket_number(const sim_socket *socket);

const sim_server *socket_server(const sim_socket *socket);

/* The process at the other end; NULL if there is none. */
sim_process *socket_process(const sim_socket *socket);

/* The pid of the process that made the connection: after a fork, the parent's. */
int64_t socket_pid(const sim_socket *socket);

/* The socket that belongs to a link of a redis; NULL: none. */
sim_socket *socket_of_link(const redis_link *link);

/* When it was made, or sent over last, and whether a thread of the process has made it. */
int64_t socket_used_at(const sim_socket *socket);
bool socket_is_of_thread(const sim_socket *socket);

/* What ROLE has answered on this connection: true for a master. */
typedef enum socket_role { ROLE_UNKNOWN, ROLE_MASTER, ROLE_REPLICA } socket_role;
socket_role socket_learnt_role(const sim_socket *socket);
void socket_note_role(sim_socket *socket, bool is_master);

/* May the client at the other end still get an answer? */
bool socket_is_heard(const sim_socket *socket);

/* Was the connection made after a command had been denied to its user, as it still is? */
bool socket_is_behind_denial(const sim_socket *socket);

/* Did a fault end the connection for the client, which can send nothing behind what is still under way? */
bool socket_is_broken(const sim_socket *socket);

/* Is the client at the other end blocked by a BLPOP? */
bool socket_is_blocked(const sim_socket *socket);

/* What a client does on a connection, and what becomes of that. */
typedef enum net_event {
    NET_OPENS,
    NET_SENDS, /* some bytes, by one call of send() */
    NET_SHUTS, /* its half, by shutdown() */
    NET_CLOSES,
    NET_GETS, /* some bytes */
    NET_IS_REFUSED,
    NET_IS_ENDED, /* by the server */
    NET_IS_RESET
} net_event;

struct pollfd;

/* Fills `revents` as poll() does, and returns how many are not zero. */
int net_look(struct pollfd *fds, size_t count);

/* The running task waits until something may have happened on one of these, until `until` at most. */
void net_await(struct pollfd *fds, size_t count, int64_t until);

/* Called for each of these; NULL: nobody watches. */
extern void (*net_watch)(const sim_socket *socket, net_event what, const char *bytes, size_t len);

/* Called when a process makes a connection to a server, which may refuse it. */
extern void (*net_connects)(const sim_socket *socket);

/* Called when a process is about to send over a connection. */
extern void (*net_sends)(const sim_socket *socket);

/* Called with each answer of a server to a client. */
extern void (*net_answers)(const sim_socket *socket, const char *bytes, size_t len);

/* Called when a server has lost its data. */
extern void (*net_wiped)(sim_server *server);

/* Called when the clock of a server was set back. */
extern void (*net_set_back)(sim_server *server);
/* Called when bytes of the process are lost on their way to a server, or are not read there when the connection ends. */
extern void (*net_drops)(sim_server *server, int64_t pid);

/* Called when a server has read from a client, and has run what came. */
extern void (*net_after)(sim_socket *by);

#endif

/* SPDX-License-Identifier: MIT
 *
 * redis: a Redis in memory, for the simulator: the commands that the core and the scripts of lua/ use, and the scripts
 * themselves, run by Lua 5.1. It has no clock, no socket and no thread of its own: the caller sets the time, feeds the
 * bytes that a client sent, and gets the bytes of the replies. So a run depends on nothing but its calls.
 *
 * What is not implemented ends the process with a message: a simulation must not go on with a guess.
 */
#ifndef SIM_REDIS_H
#define SIM_REDIS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct redis redis;
typedef struct redis_link redis_link; /* one client's connection */

/* Gets the replies to a client as they are made. `arg` is that of redis_accept(). Must not call the redis. */
typedef void redis_output(void *arg, const char *bytes, size_t len);

/* Sees each command that ran, also those inside of scripts: `link` is the client that caused it. For a script, its
 * EVALSHA or EVAL is seen after the commands that it ran. A BLPOP that blocks is seen when it is served, and not at all
 * if it is not. `argv` as sent. Must not change the redis. */
typedef void redis_observer(void *arg, redis_link *link, size_t argc, const char *const *argv, const size_t *len,
                            bool in_script);

redis *redis_new(void);
void redis_free(redis *server);

/* The server's wall clock, in µs since 1970. May be set back. Keys whose time is over are gone from then on, and
 * BLPOPs whose time is over are answered with nil, WAITs with how many replicas have acknowledged. */
void redis_set_time(redis *server, int64_t now);

/* The earliest time at which a blocked client's time is over; INT64_MAX: no client is blocked, or none has a limit.
 * Whoever drives the redis sets the time then. (A real server notices up to 100 ms late: the driver draws by how
 * much.) */
int64_t redis_next_timeout(const redis *server);

/* Calls `observer` with `arg` from now on; NULL: nobody any more. */
void redis_observe(redis *server, redis_observer *observer, void *arg);

/* Clients that connect from now on must log in, as the user 'default' with this password; NULL: nobody must. */
void redis_set_password(redis *server, const char *password);

/* A client that is blocked on several keys is served from the first of its keys that is a list now, as by Redis 7.2 and
 * newer and by Valkey. Otherwise, as by Redis 7.0, from the list that was pushed to first. */
void redis_set_own_key_order(redis *server, bool on);

/* A client connects. It needs to log in only if redis_set_password() was called. */
redis_link *redis_accept(redis *server, redis_output *output, void *arg);

/* The client sent these bytes. Complete requests run in order, except that behind a BLPOP that blocks they wait until
 * that has ended. A protocol error is answered as Redis does, and closes the link: see redis_is_closed(). */
void redis_feed(redis_link *link, const char *bytes, size_t len);

/* The client has disconnected, or the server kicks it: requests that wait behind a BLPOP are dropped. Frees the
 * link. */
void redis_disconnect(redis_link *link);

/* Has the server closed this link (protocol error)? It is to be disconnected then. */
bool redis_is_closed(const redis_link *link);

/* Is the client blocked, by a BLPOP or a WAIT? */
bool redis_is_blocked(const redis_link *link);

/* Is it a WAIT? */
bool redis_awaits_replicas(const redis_link *link);

/* ---- replication ---- */

/* Makes the server a replica of the one at this address: it refuses to write, answers blocked clients with UNBLOCKED, and
 * closes their links. NULL: it is a master from now on. The driver brings it the data: see redis_take_data(). */
void redis_follow(redis *server, const char *host, int port);

/* Is it a master? */
bool redis_is_master(const redis *server);

/* All keys of a server at one moment. */
typedef struct redis_data redis_data;

redis_data *redis_copy_data(const redis *server);
void redis_free_data(redis_data *data);

/* The server has these keys from now on, and no others. Nobody may be blocked there. */
void redis_take_data(redis *server, const redis_data *data);

#define REDIS_MAX_REPLICAS 16

/* The server has so many replicas from now on, which have acknowledged nothing that is written from now on. */
void redis_set_replicas(redis *server, size_t count);

/* Counts the requests that have perhaps written. */
uint64_t redis_offset(const redis *server);

/* The replica has all that these requests have written, and the server learns of it. A WAIT for that is answered. */
void redis_acknowledge(redis *server, size_t replica, uint64_t offset);

/* Calls `wrote` with `arg` behind each request that may have changed a key, and whoever it has served; NULL: nobody any
 * more. Must not change the redis. */
void redis_on_write(redis *server, void (*wrote)(void *arg), void *arg);

/* ---- clusters ---- */

#define REDIS_SLOTS     16384
#define REDIS_MAX_NODES 8

/* A node of a cluster, as another one knows it. */
typedef struct redis_node {
    char host[64];
    int port;
    char id[41];
    int master; /* whose replica it is, by its number; -1: it is a master */
} redis_node;

/* The slot of a key. */
unsigned redis_slot(const char *key, size_t len);

/* Makes the server the node `self` of these. It knows of no slot so far. What it learns, its driver tells it: who owns slots
 * (-1: nobody), that a slot goes to a node or comes from one (-1: it does not), whose replica a node is, that it has lost the
 * others. */
void redis_join_cluster(redis *server, int self, const redis_node *nodes, size_t count);
void redis_set_owner(redis *server, unsigned first, unsigned last, int node);
int redis_owner(const redis *server, unsigned slot);
void redis_open_slot(redis *server, unsigned slot, int to, int from);
void redis_set_master_of(redis *server, int node, int master);
void redis_set_cluster_down(redis *server, bool on);

/* Answers BLPOPs whose slot is not this node's any more. Whoever drives the redis calls it within a tenth of a second. */
void redis_redirect_blocked(redis *server);

/* Moves a key with its time, as MIGRATE does. False: it is not there. */
bool redis_move_key(redis *from, redis *to, const char *key, size_t len);

/* How many keys of the slot are there; and the first of them in the order of their names, valid until the redis changes. */
size_t redis_keys_in_slot(const redis *server, unsigned slot, const char **first, size_t *first_len);

/* ---- sentinels ---- */

/* What a sentinel knows of the master that it watches. */
typedef struct redis_view {
    const char *name;
    const char *host;
    int port;
    int64_t epoch;        /* of its configuration */
    int others, replicas; /* sentinels beside it that it knows of, and replicas of the master */
} redis_view;

/* Makes the server a sentinel with this view, which answers AUTH, PING, ROLE and SENTINEL alone. `view` must stay until the
 * next call. */
void redis_watch(redis *server, const redis_view *view);

/* Faults. They apply to commands from now on. */
void redis_set_read_only(redis *server, bool on);    /* a replica of a server that is not there; or a master */
void redis_set_loading(redis *server, bool on);      /* answers LOADING */
void redis_set_full(redis *server, bool on);         /* over maxmemory under noeviction: answers OOM */
void redis_deny(redis *server, const char *command); /* ACL: no right to it; NULL: all rights again */
void redis_flush_scripts(redis *server);             /* SCRIPT FLUSH */
void redis_flush_all(redis *server);                 /* FLUSHALL */
void redis_restart(redis *server, bool keeps_data);  /* scripts are forgotten; the driver disconnects all links */

/* Calls `visit` for each key that is there, in the order of their names. `dump` is the value as text that is equal for
 * equal values (string: itself; list, set, hash: elements in order, escaped); `ttl_ms` is -1 without an expiry. */
typedef void redis_visitor(void *arg, const char *key, size_t key_len, const char *type, const char *dump,
                           size_t dump_len, int64_t ttl_ms);
void redis_visit(redis *server, redis_visitor *visit, void *arg);

/* Reads a string key, in whichever database has it: NULL if there is none, or it is of another type. Valid until the
 * redis changes. */
const char *redis_string(redis *server, const char *key, size_t key_len, size_t *len);

/* Is the member in the sorted set at this key, in whichever database that is? */
bool redis_has_member(redis *server, const char *key, const char *member);

/* Reads the member's score in the sorted set at this key, in whichever database that is. False: it is not there. */
bool redis_score(redis *server, const char *key, const char *member, double *score);

/* Reads a field of the hash at this key, in whichever database that is: NULL if there is none. Valid until the redis
 * changes. A NUL is behind it. */
const char *redis_field(redis *server, const char *key, const char *field);

/* For how many ms the key is kept, in whichever database it is: -1 without an end, -2 if there is none. */
int64_t redis_ttl(redis *server, const char *key, size_t key_len);

/* How many keys are there. */
size_t redis_count_keys(redis *server);

/* How many commands ran so far, those in scripts included. */
uint64_t redis_commands_run(const redis *server);

#endif

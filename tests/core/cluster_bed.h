/* SPDX-License-Identifier: MIT
 *
 * cluster_bed: a private Redis Cluster on ports of this machine, and slots and masters that move.
 *
 *     CLUSTER(c, 3, 1, NEVER_FAILED);
 *     CLUSTER_CLIENT(one, &c);
 *     server *from = cluster_owner(&c, "lock:a");
 *     cluster_move(&c, "lock:a", cluster_other(&c, from));
 *     cluster_failover(&c, cluster_replica(&c, from));
 */
#ifndef REDISLOCK_TEST_CLUSTER_BED_H
#define REDISLOCK_TEST_CLUSTER_BED_H

#include "bed.h"

#define CLUSTER_MOST  12
#define CLUSTER_SLOTS 16384

/* ms without an answer after which nodes count one of them as failed: that it never is, since a machine may be busy; or so
 * soon that the replica of a master that was killed is promoted some two to four seconds later. */
#define NEVER_FAILED 60000
#define SOON_FAILED  1500

typedef struct cluster {
    int masters; /* at the start; node n is one of shard n % masters, whose nodes take over from each other */
    int count;
    server nodes[CLUSTER_MOST];
    int ports[CLUSTER_MOST];
    char ids[CLUSTER_MOST][41];
    char dsn[512]; /* names all nodes */
} cluster;

/* Starts a cluster of so many masters, each with so many replicas, and waits until all agree and are linked. `node_timeout`:
 * ms, see NEVER_FAILED. */
void cluster_open(cluster *c, int masters, int replicas, int node_timeout);
void cluster_close(cluster *c);
#define CLUSTER(c, masters, replicas, node_timeout)                                                                    \
    CLOSED_BY(cluster_close) cluster c;                                                                                \
    cluster_open(&(c), masters, replicas, node_timeout)

/* A client of the cluster: see client_open(). */
#define CLUSTER_CLIENT(c, cluster)                                                                                     \
    CLOSED_BY(client_close) client c;                                                                                  \
    client_open_dsn(&(c), (cluster)->dsn)

/* Returns the slot of a key. */
int cluster_slot(const char *key);

/* Returns the master of the key's slot, as it says itself; of those that run and are not frozen, the one of the highest epoch.
 * Fails if there is none. */
server *cluster_owner(cluster *c, const char *key);

/* Returns another master than this one; its replica, the first one that runs. */
server *cluster_other(cluster *c, const server *master);
server *cluster_replica(cluster *c, const server *master);

/* Writes the n-th name, from 0 on, whose lock has its key in a slot of this master. */
void cluster_name(cluster *c, const server *master, int nth, char name[16]);

/* Returns the port on which a node listens. */
int cluster_port(const cluster *c, const server *node);

/* Moves the slot of a key to another master, to its end. */
void cluster_move(cluster *c, const char *key, server *to);

/* The same in steps. The first opens the slot and returns its owner. The second moves `count` of its keys, or all if that is
 * -1, and returns how many went. The third closes the slot. */
server *cluster_move_begin(cluster *c, const char *key, server *to);
int cluster_move_keys(cluster *c, const char *key, server *from, server *to, int count);
void cluster_move_end(cluster *c, const char *key, server *from, server *to);

/* A planned failover, to its end: the replica is the master, the old master its linked replica, and all nodes know. */
void cluster_failover(cluster *c, server *replica);

/* Waits until another node has taken over from this one, which was killed or frozen, and all others know. Returns it. */
server *cluster_promoted(cluster *c, const server *old);

/* Waits until all nodes that run and are not frozen agree on who owns what, take writes and are linked. */
void cluster_agrees(cluster *c);

#endif

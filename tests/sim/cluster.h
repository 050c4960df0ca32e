/* SPDX-License-Identifier: MIT
 *
 * cluster: a Redis Cluster: which node owns which slot, slots that move from one to another, failovers, and what each node
 * knows of all that.
 *
 * The nodes of net.servers are, in this order: the masters, by net.masters, and the replica of each, if there are any. Each
 * node answers by what it knows itself, which may be late.
 */
#ifndef SIM_CLUSTER_H
#define SIM_CLUSTER_H

#include "net.h"

/* Sets up the nodes that net_begin() has made. */
void cluster_begin(void);

/* Lets a failover or a move of a slot begin, as soon as none is under way that is in its way. */
void cluster_strike(const sim_fault *fault);

/* The node that has the key, or would make it: while the slot moves, the one that has it, else the one that gives the slot
 * away. */
sim_server *cluster_home(const char *key, size_t len);

/* The node that is the master in place of this one: itself, if it is one. */
sim_server *cluster_master(const sim_server *server);

/* Since when does the slot move? 0: it does not. And does it move to this node? */
int64_t cluster_moves_since(unsigned slot);
bool cluster_moves_to(unsigned slot, const sim_server *to);

/* When was the key's slot open last? 0: never. */
int64_t cluster_moved_at(const char *key, size_t len);

/* When did the last failover begin? 0: there was none. And since when have all nodes but the old master known how it has ended,
 * and whose each slot is? NEVER: they do not yet. */
int64_t cluster_failed_at(void);
int64_t cluster_known_at(void);

/* Called when a replica has been promoted in place of the old master: with all writes of that, or without the last ones. */
extern void (*cluster_promoted)(const sim_server *from, sim_server *to, bool has_all);

#endif

/* SPDX-License-Identifier: MIT
 *
 * group: behind sentinels, a master and its replicas: replication, failovers, and what each sentinel knows of them.
 *
 * The nodes of net.servers are, in this order: the master and its replicas, by `data_count`, and the sentinels. What the
 * master writes arrives at a replica in order, after a while that is drawn for each request. All nodes have the same clock.
 */
#ifndef SIM_GROUP_H
#define SIM_GROUP_H

#include "net.h"

#define MASTER_NAME "mymaster"

/* How long the old master of a failover is away at most, behind the promotion of another. */
#define LONGEST_AWAY (20 * SEC)

/* Sets up the nodes that net_begin() has made. Without sentinels there is no group, and all other functions do nothing.
 * `acknowledges`: the replicas tell their master what they have, for clients that send WAIT. */
void group_begin(bool acknowledges);

/* Lets one of the faults of FAULT_FAILOVER to FAULT_CUT_SENTINEL happen. While a failover is under way, and until the old
 * master is demoted, there is no other. */
void group_strike(const sim_fault *fault);

/* Is there a group, and is this server one of its nodes with data, but not the master that its clients are to find? */
bool group_is_apart(const sim_server *server);

/* Called when a replica has been promoted in place of the old master: with all writes of that, or without the last ones. */
extern void (*group_promoted)(const sim_server *from, sim_server *to, bool has_all);

#endif

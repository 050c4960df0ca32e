/* SPDX-License-Identifier: MIT
 *
 * replicas: what masters write comes to their replicas, in order, after a while that is drawn for each request. All nodes have
 * the same clock.
 */
#ifndef SIM_REPLICAS_H
#define SIM_REPLICAS_H

#include "net.h"

#define REPLICAS_HOST "127.0.0.1" /* of all nodes */

/* `acknowledges`: the replicas tell their master what they have, for clients that send WAIT. */
void replicas_begin(bool acknowledges);
void replicas_end(void);

/* The node is a replica of that one from the beginning; becomes one, and is sent all that the master has; or is a master
 * from now on, with what has come to it. */
void replicas_start(int to, int from);
void replicas_follow(int to, int from);
void replicas_promote(int to);

/* What the node writes goes to nobody from now on, or to its replicas again. */
void replicas_mute(int node, bool on);

/* Gives the node all that the other one has, at once. */
void replicas_take_all(int to, int from);

/* Whose replica the node is; NULL: nobody's. */
const sim_server *replicas_master(int node);

#endif

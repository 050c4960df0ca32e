/* SPDX-License-Identifier: MIT
 *
 * redis/cluster: which node of a Redis Cluster serves a key.
 *
 * A map is a guess, and a wrong guess does no harm: a node that does not serve a key says so, and mostly names the one that
 * does. So nobody waits for a map. Requests go where it leads; what the nodes answer to them corrects it. See the cluster
 * specification, https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec/.
 */
#ifndef REDISLOCK_REDIS_CLUSTER_H
#define REDISLOCK_REDIS_CLUSTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "platform/hiredis.h"
#include "redis/endpoint.h"
#include "redis/request.h"
#include "redis/route.h"

#define RL_SLOTS 16384

/* How many nodes a map holds: their numbers fit into a byte, and 0 is none. Of a larger cluster it holds what was learned
 * last. */
#define RL_CLUSTER_NODES 255

/* The slot of a key, 0 to RL_SLOTS - 1: of its hash tag if it has one. */
unsigned rl_slot_of(rl_bytes key);

typedef struct rl_cluster rl_cluster;

/* What is out of the ordinary with a map. Nearly always nothing is, and a request looks no further. */
typedef enum rl_unrest {
    RL_MAP_IN_DOUBT = 1, /* CLUSTER SLOTS is to be asked */
    RL_MAP_AWAITED = 2,  /* it was, and the answer may have come, unread so far */
    RL_MAP_TROUBLE = 4,  /* a node has failed, or left requests unanswered */
    RL_MAP_MOVING = 8,   /* a slot moves, or did a short while ago; there may be an ASK */
    RL_MAP_OWES = 16,    /* see rl_cluster_note_owed() */
    RL_MAP_NONE = 32,    /* see rl_cluster_is_none() */
} rl_unrest;

/* What each request looks at: a map begins with it. */
typedef struct rl_cluster_head {
    unsigned unrest;      /* set of rl_unrest */
    unsigned refusals;    /* see rl_cluster_refusals() */
    uint64_t endpoint_id; /* see rl_cluster_serves() */
} rl_cluster_head;

static inline bool rl_cluster_is(const rl_cluster *cluster, rl_unrest what)
{
    return (((const rl_cluster_head *)cluster)->unrest & what) != 0;
}

/* Returns a map that knows nothing but the seeds of the endpoint, which it copies. Freed by rl_cluster_free(). */
rl_cluster *rl_cluster_new(const rl_endpoint *endpoint);
void rl_cluster_free(rl_cluster *cluster);

/* Counts a connection to one of its nodes: 1, or -1 when that ends. Does any lead there? */
void rl_cluster_count_lead(rl_cluster *cluster, int more);
bool rl_cluster_is_in_use(const rl_cluster *cluster);

/* Is it the map of the endpoint that was asked about last? */
static inline bool rl_cluster_has_id(const rl_cluster *cluster, const rl_endpoint *endpoint)
{
    return ((const rl_cluster_head *)cluster)->endpoint_id == endpoint->id;
}

/* Is it the map of this endpoint? It takes over the id of one that is the same: see rl_conn_serves(). */
bool rl_cluster_serves(rl_cluster *cluster, const rl_endpoint *endpoint);

/* Where a request about a key is to go. A node has its id for as long as the map knows it, and no other one has that, also none
 * of another map. */
typedef struct rl_route_to {
    const char *host; /* the map's */
    int port;
    uint64_t node; /* the id; 0: it has none, since it is a seed that is no node */
    bool is_guess; /* the node is not known to serve the key: a good answer is news, see rl_cluster_learn_owner() */
} rl_route_to;

/* Fills where a request about a key of the slot is to go, which holds for as long as nothing is learned. If its node has
 * failed, that is in turn one of its replicas, the other nodes and the seeds: a replica may have been promoted, and the others
 * hear of that. They are asked for a while, and at least once, however long ago the node has failed. */
void rl_cluster_route(rl_cluster *cluster, unsigned slot, rl_route_to *to);

/* May a request about the slot stay at this node: is it the one that serves the slot, or, if none is known, one that has not
 * failed? */
bool rl_cluster_leads_to(const rl_cluster *cluster, unsigned slot, const rl_destination *at);

/* Does this node serve the slot as far as is known, whether it has failed or not? */
bool rl_cluster_may_serve(const rl_cluster *cluster, unsigned slot, const rl_destination *at);

/* Are there several nodes to guess from? */
bool rl_cluster_has_choice(const rl_cluster *cluster);

/* Writes the name of the slot's node, as far as one is known; "" otherwise. */
void rl_cluster_name_owner(const rl_cluster *cluster, unsigned slot, char *out, size_t size);

/* Notes that a node serves the slot. */
void rl_cluster_learn_owner(rl_cluster *cluster, unsigned slot, const rl_destination *at);

/* Reads the text of an error reply that redirects ("MOVED 3999 10.0.0.7:6381", "ASK …"), which the node at `from` has given
 * to a request about the key, alone or (`is_lone` is false) with others: an empty host or ? means its own. MOVED is learned,
 * unless nobody has awaited it since `detached_at` (PLATFORM_NEVER: somebody has), and that is long ago: it may have lain on an
 * idle connection. ASK holds for the next request about that key, and says that the slot moves. Returns false if it is none or
 * is malformed. */
bool rl_cluster_learn_redirection(rl_cluster *cluster, const char *reply, rl_bytes key, bool is_lone,
                                  const rl_destination *from, int64_t detached_at);

/* Was a request about this key just answered by ASK? Then the next one is to go to `to`, behind ASKING. Forgets it. Behind
 * ASKING, a node takes a lone key that it lacks for one that is nowhere. So an old answer does not count, nor one about another
 * key of the slot. Nor does one about several keys, for a request about one (`is_lone`): any of the others may have been the
 * one that was missing. */
bool rl_cluster_take_ask(rl_cluster *cluster, rl_bytes key, bool is_lone, rl_destination *to);

/* ---- slots that move ---- */

/* While a slot moves to another node, key by key, each key is at one of the two. A request about several of them is refused by
 * both nodes, with TRYAGAIN, unless all are at the same one; and a node that gives a slot away makes no new key in it. That
 * lasts for milliseconds or, if a move broke off, until somebody ends it. A request about one key always runs at one of the two
 * nodes. See rl_request.alone. */

/* Notes that an answer to a request about the key has said that its slot moves. */
void rl_cluster_note_moving(rl_cluster *cluster, rl_bytes key);

/* How many answers have redirected a request, or said that a slot moves. */
static inline unsigned rl_cluster_refusals(const rl_cluster *cluster)
{
    return ((const rl_cluster_head *)cluster)->refusals;
}

/* Does the key's slot move, as far as is known? It counts as moving for a second behind the last answer that says so. Then a
 * request about several keys finds out whether it still does. */
bool rl_cluster_is_moving(rl_cluster *cluster, rl_bytes key);

/* Was a request about this key alone answered within the last second by an ASK that names this node? */
bool rl_cluster_has_asked(rl_cluster *cluster, rl_bytes key, const rl_destination *at);

/* Notes that a request which nobody waits for was answered by the last ASK: it is to be sent to the node that the ASK names,
 * which may get no other request soon. The second function forgets it, and returns false if there is none. */
void rl_cluster_note_owed(rl_cluster *cluster);
bool rl_cluster_take_owed(rl_cluster *cluster, rl_destination *to);

/* Notes that a node cannot be reached, or says that it does not serve what it did: others are asked for a while. */
void rl_cluster_note_failed(rl_cluster *cluster, const rl_destination *at);

/* Notes that a node that was asked at `since` was given up without an answer; and that it has answered, so that it has not
 * failed. One that is silent for long has failed, also if each single request was given up early. */
void rl_cluster_note_silent(rl_cluster *cluster, const rl_destination *at, int64_t since);
void rl_cluster_note_heard(rl_cluster *cluster, const rl_destination *at);

/* Is the map in doubt, so that CLUSTER SLOTS is to be asked behind the next request? Not if a server has refused that, and not
 * more often than once a second. */
bool rl_cluster_wants_slots(const rl_cluster *cluster);

/* Notes that CLUSTER SLOTS was sent. What comes of it is one of the others: the map is learned from the reply of the node at
 * `from`, or the request was lost, or refused; `is_none`: since the server is no node of a cluster. A malformed reply is a
 * refusal. One that comes late counts as lost: the node has stood still meanwhile.
 *
 * `from` becomes what the reply calls this node, which is known by its numeric address ("": not known): a DSN mostly names a
 * seed in another way. */
void rl_cluster_note_asked(rl_cluster *cluster);
void rl_cluster_learn_slots(rl_cluster *cluster, const redisReply *reply, rl_destination *from, const char *address,
                            int64_t asked_at);
void rl_cluster_note_lost(rl_cluster *cluster);
void rl_cluster_note_refused(rl_cluster *cluster, bool is_none);

/* Are the seeds no cluster, but several servers that know nothing of each other? Each would give the same lock, so that no
 * request may go there. One such server has all keys. */
static inline bool rl_cluster_is_none(const rl_cluster *cluster)
{
    return rl_cluster_is(cluster, RL_MAP_NONE);
}

/* What one map tells another one of the same cluster: all nodes, which the caller frees; and by its name the node that serves a
 * slot, if the other map does not know that. */
rl_destination *rl_cluster_copy_nodes(const rl_cluster *cluster, size_t *count);
void rl_cluster_add_nodes(rl_cluster *cluster, const rl_destination *nodes, size_t count);
void rl_cluster_expect_owner(rl_cluster *cluster, unsigned slot, const char *name);

/* Notes the hosts of the seeds, from which another map begins, and of all nodes that are known, also of replicas, which may be
 * promoted. */
void rl_cluster_hosts(const rl_cluster *cluster, rl_hosts *hosts);

#endif

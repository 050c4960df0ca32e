/* SPDX-License-Identifier: MIT
 *
 * redis/pool: see redis/pool.h.
 */
#include "redis/pool.h"

#include <stdlib.h>
#include <string.h>

#include "invariant.h"
#include "platform/platform.h"
#include "redis/sentinel.h"

/* How long rl_pool_clear() waits for the replies to detached calls. */
#define DRAIN_TIME (50 * PLATFORM_MSEC)

/* For how many idle connections there is room at first. Mostly there are one or two, and three masters have six. */
#define LEAST_ROOM 8

/* With more hosts than this from closed connections, the older ones are forgotten: sentinels may name ever new ones. */
#define MOST_HOSTS 60

/* With more maps of clusters than this, those that no connection needs are forgotten. */
#define MOST_CLUSTERS 16

/* Takes the connection out of the pool and returns it. The others keep their order. */
static rl_conn *pool_remove(rl_pool *pool, size_t i)
{
    rl_conn *conn = pool->idle[i];

    pool->count--;
    memmove(pool->idle + i, pool->idle + i + 1, (pool->count - i) * sizeof(*pool->idle));
    return conn;
}

/* Closes a connection that turned out not to be usable. The one that is used instead replaces it. */
static void discard(rl_pool *pool, rl_conn *conn)
{
    rl_conn_free(conn);
    if (pool->traffic != NULL) {
        pool->traffic->reconnects++;
        metrics_add_overall(pool->traffic->metrics, METRICS_RECONNECTS);
    }
}

/* Takes an idle connection to the endpoint, and of a cluster to the node `at`; NULL: there is none. One that turns out not to
 * be usable is closed, and the search goes on with the older ones. */
static PLATFORM_ALWAYS_INLINE rl_conn *take_idle(rl_pool *pool, const rl_endpoint *endpoint, const rl_destination *at)
{
    /* From the end: the connection used last is the likeliest to be open, and those that are not needed grow old at
     * the front. */
    for (size_t i = pool->count; i-- > 0;) {
        if ((at == NULL || rl_conn_leads_to(pool->idle[i], at)) && rl_conn_serves(pool->idle[i], endpoint)) {
            rl_conn *conn = pool_remove(pool, i);
            if (rl_conn_is_idle(conn)) {
                return conn;
            }
            discard(pool, conn);
        }
    }
    return NULL;
}

rl_conn *rl_pool_take(rl_pool *pool, const rl_endpoint *endpoint)
{
    rl_conn *conn = take_idle(pool, endpoint, NULL);

    if (conn != NULL) {
        return conn;
    }
    conn = rl_conn_new(endpoint, pool->traffic, pool->backlog);
    if (endpoint->sentinels != NULL) {
        rl_conn_route(conn, &rl_sentinel_router);
    }
    return conn;
}

/* ---- clusters ---- */

/* Forgets the maps of clusters to which no connection leads. */
static void forget_clusters(rl_pool *pool)
{
    size_t kept = 0;

    for (size_t i = 0; i < pool->cluster_count; i++) {
        rl_cluster *cluster = pool->clusters[i];
        if (rl_cluster_is_in_use(cluster)) {
            pool->clusters[kept++] = cluster;
        } else {
            rl_cluster_free(cluster);
        }
    }
    pool->cluster_count = kept;
}

/* Clusters are few, but passwords may change again and again, and each makes another endpoint. A session has a connection as
 * long as it has a map. */
rl_cluster *rl_pool_find_map(rl_pool *pool, const rl_endpoint *endpoint)
{
    for (size_t i = 0; i < pool->cluster_count; i++) {
        if (rl_cluster_serves(pool->clusters[i], endpoint)) {
            return pool->clusters[i];
        }
    }
    if (pool->cluster_count >= MOST_CLUSTERS) {
        forget_clusters(pool);
    }
    rl_cluster *cluster = rl_cluster_new(endpoint);
    pool->clusters = platform_realloc(pool->clusters, (pool->cluster_count + 1) * sizeof(*pool->clusters));
    pool->clusters[pool->cluster_count++] = cluster;
    return cluster;
}

/* Reads what has come on the idle connections to the cluster: the answer to CLUSTER SLOTS may be there, which nobody has waited
 * for. */
static void read_slots(rl_pool *pool, const rl_cluster *cluster)
{
    for (size_t i = pool->count; i-- > 0 && rl_cluster_is(cluster, RL_MAP_AWAITED);) {
        rl_conn *conn = pool->idle[i];
        if (rl_conn_cluster(conn) == cluster && rl_conn_is_behind(conn, PLATFORM_NEVER)) {
            rl_wait(&conn, 1, platform_now(), NULL);
        }
    }
}

rl_conn *rl_pool_take_node(rl_pool *pool, const rl_endpoint *endpoint, rl_cluster *cluster, const rl_destination *at)
{
    rl_conn *conn = take_idle(pool, endpoint, at);

    if (conn == NULL) {
        conn = rl_conn_new(endpoint, pool->traffic, pool->backlog);
        rl_conn_lead(conn, cluster, at);
    }
    return conn;
}

/* Takes an idle connection to the node of this id; NULL: there is none that is known to lead there. It has the endpoint of its
 * map; if that was prepared, it may have been so with other addresses. */
static rl_conn *take_idle_at(rl_pool *pool, const rl_endpoint *endpoint, uint64_t node)
{
    for (size_t i = pool->count; i-- > 0;) {
        if (rl_conn_node(pool->idle[i]) == node &&
            (endpoint->seeds->hosts == NULL || rl_conn_serves(pool->idle[i], endpoint))) {
            return pool_remove(pool, i);
        }
    }
    return NULL;
}

/* If the map is on its way, it is read first. Mostly a connection is there, which is found by the id of its node. If it turns
 * out not to be usable, what it has read may have changed the map. */
rl_conn *rl_pool_take_routed(rl_pool *pool, const rl_endpoint *endpoint, rl_cluster *cluster, unsigned slot,
                             bool *is_guess)
{
    rl_route_to to;

    if (rl_cluster_is(cluster, RL_MAP_AWAITED)) {
        read_slots(pool, cluster);
    }
    rl_cluster_route(cluster, slot, &to);
    *is_guess = to.is_guess;
    rl_conn *conn = to.node != 0 ? take_idle_at(pool, endpoint, to.node) : NULL;
    if (conn != NULL && rl_conn_is_idle(conn)) {
        return conn;
    }
    rl_destination at;
    if (conn != NULL) {
        at = *rl_conn_destination(conn);
        discard(pool, conn);
    } else {
        rl_destination_set(&at, to.host, to.port);
    }
    conn = rl_pool_take_node(pool, endpoint, cluster, &at);
    rl_conn_name_node(conn, to.node);
    return conn;
}

/* Closes the idle connections to the endpoint of this one. */
static void close_others(rl_pool *pool, const rl_conn *conn)
{
    for (size_t i = pool->count; i-- > 0;) {
        if (rl_conn_serves(pool->idle[i], rl_conn_endpoint(conn))) {
            rl_conn_free(pool_remove(pool, i));
        }
    }
}

/* Does an idle connection to the same endpoint lead elsewhere? Then nobody knows here which of the two is right. */
static bool is_in_doubt(const rl_pool *pool, const rl_conn *conn)
{
    for (size_t i = 0; i < pool->count; i++) {
        if (rl_conn_serves(pool->idle[i], rl_conn_endpoint(conn)) && rl_conn_parts_from(pool->idle[i], conn)) {
            return true;
        }
    }
    return false;
}

/* Resolves the hosts of the nodes of a cluster, each once, and notes them. */
static void cluster_hosts(rl_pool *pool, rl_cluster *cluster, rl_hosts *hosts)
{
    rl_cluster_hosts(cluster, &pool->hosts);
    rl_hosts_resolve(&pool->hosts);
    rl_hosts_note_all(hosts, &pool->hosts);
}

/* The connection that was used last tells where the host was found last. */
void rl_pool_hosts(rl_pool *pool, const rl_endpoint *endpoint, rl_hosts *hosts)
{
    if (endpoint->seeds != NULL) {
        cluster_hosts(pool, rl_pool_cluster(pool, endpoint), hosts);
        return;
    }
    for (size_t i = pool->count; i-- > 0;) {
        if (rl_conn_serves(pool->idle[i], endpoint) && rl_conn_hosts(pool->idle[i], hosts)) {
            return;
        }
    }
    if (endpoint->sentinels != NULL) { /* of another one, the address is noted, or nothing */
        rl_hosts_resolve(&pool->hosts);
    }
    rl_hosts_note_all(hosts, &pool->hosts);
}

/* Closes a connection that cannot be kept. What it knows is kept: a lock may just have been taken over it, whose lease is to
 * be renewed. */
static void close_knowing(rl_pool *pool, rl_conn *conn)
{
    rl_hosts known = {0};

    rl_conn_known_hosts(conn, &known);
    if (pool->hosts.count + known.count > MOST_HOSTS) {
        rl_hosts_free(&pool->hosts);
    }
    rl_hosts_note_all(&pool->hosts, &known);
    rl_hosts_free(&known);
    rl_conn_free(conn);
}

/* Closes the connection that was idle longest, of those to clusters or of the others, if there are as many as are kept. Not
 * inlined, since there mostly are not. */
static PLATFORM_NOINLINE void make_room(rl_pool *pool, bool of_cluster, size_t most)
{
    size_t alike = 0, oldest = 0;

    for (size_t i = pool->count; i-- > 0;) {
        if ((rl_conn_cluster(pool->idle[i]) != NULL) == of_cluster) {
            alike++;
            oldest = i;
        }
    }
    if (alike >= most) {
        rl_conn_free(pool_remove(pool, oldest));
    }
}

/* For an invariant: a connection is given back once. */
static bool has(const rl_pool *pool, const rl_conn *conn)
{
    size_t i = 0;

    while (i < pool->count && pool->idle[i] != conn) {
        i++;
    }
    return i < pool->count;
}

/* The end of memory may come before there is more room. */
static void keep(rl_pool *pool, rl_conn *conn)
{
    bool of_cluster = rl_conn_cluster(conn) != NULL;
    size_t most = of_cluster ? RL_POOL_MAX_CLUSTER : RL_POOL_MAX_PLAIN;

    RL_INVARIANT(!has(pool, conn) && rl_conn_may_be_kept(conn)); /* R2 */
    if (pool->count >= most) {
        make_room(pool, of_cluster, most);
    }
    if (pool->count == pool->room) {
        size_t room = pool->room == 0 ? LEAST_ROOM : 2 * pool->room;
        pool->idle = platform_realloc(pool->idle, room * sizeof(*pool->idle));
        pool->room = room;
    }
    pool->idle[pool->count++] = conn;
}

/* One that cannot be kept may have failed because its server has gone, and so have others to it then. Not inlined, since other
 * connections need none of it. */
static PLATFORM_NOINLINE void give_routed(rl_pool *pool, rl_conn *conn)
{
    if (rl_conn_may_be_kept(conn) && !is_in_doubt(pool, conn)) {
        keep(pool, conn);
    } else {
        close_others(pool, conn);
        close_knowing(pool, conn);
    }
}

void rl_pool_give(rl_pool *pool, rl_conn *conn)
{
    if (conn != NULL && rl_conn_is_routed(conn)) {
        give_routed(pool, conn);
    } else if (conn != NULL && rl_conn_may_be_kept(conn)) {
        keep(pool, conn);
    } else if (conn != NULL) {
        close_knowing(pool, conn);
    }
}

/* Reads the replies to detached calls until none is missing, for DRAIN_TIME at most. */
static void pool_drain(rl_pool *pool)
{
    int64_t until = platform_now() + DRAIN_TIME;
    rl_conn *pending[RL_MAX_WAIT_CONNS];
    size_t count;

    do {
        count = 0;
        for (size_t i = 0; i < pool->count && count < RL_MAX_WAIT_CONNS; i++) {
            if (rl_conn_is_behind(pool->idle[i], PLATFORM_NEVER)) {
                pending[count++] = pool->idle[i];
            }
        }
    } while (count > 0 && rl_wait(pending, count, until, NULL) == RL_WAKE_EVENT);
}

/* It can be used again: all zero is an empty pool. */
void rl_pool_clear(rl_pool *pool)
{
    pool_drain(pool);
    while (pool->count > 0) {
        rl_conn_free(pool_remove(pool, pool->count - 1));
    }
    free(pool->idle);
    pool->idle = NULL;
    pool->room = 0;
    for (size_t i = 0; i < pool->cluster_count; i++) {
        rl_cluster_free(pool->clusters[i]);
    }
    free(pool->clusters);
    pool->clusters = NULL;
    pool->cluster_count = 0;
    rl_hosts_free(&pool->hosts);
}

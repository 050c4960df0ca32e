/* SPDX-License-Identifier: MIT
 *
 * lock/renewal_group: see lock/renewal_group.h.
 */
#include "lock/renewal_group.h"

#include <stdlib.h>
#include <string.h>

#include "invariant.h"
#include "lock/batch.h"
#include "platform/platform.h"

/* How many groups without a lease are kept, so that the next lease at the same servers finds its own. */
#define IDLE_GROUPS 16

/* Timeouts count too: a group waits as long for its servers as its clients want. A server that moves, while its name stays,
 * gets a new group. */
static bool is_group_of(const renewal_group *group, const rl_target *target, const char *node, const rl_hosts *hosts)
{
    const rl_target *own = &group->target;

    if (strcmp(group->node, node) != 0) {
        return false;
    }
    if (own->count != target->count || own->connect_timeout != target->connect_timeout ||
        own->read_timeout != target->read_timeout || own->node_timeout != target->node_timeout) {
        return false;
    }
    for (size_t i = 0; i < own->count; i++) {
        const rl_endpoint *a = &own->endpoints[i], *b = &target->endpoints[i];
        if ((a->id != b->id && !rl_endpoint_same(a, b)) || !rl_endpoint_is_current(a, hosts)) {
            return false;
        }
    }
    return true;
}

static renewal_group *find_group(const lock_renewer *renewer, const rl_target *target, const char *node,
                                 const rl_hosts *hosts)
{
    renewal_group *group = renewer->groups;

    while (group != NULL && !is_group_of(group, target, node, hosts)) {
        group = group->next;
    }
    return group;
}

/* Makes a copy of the endpoint for the renewing thread, which resolves no names: it might do so while a fork takes the lock
 * that the resolver holds. Returns false, with `why`, if its server cannot be reached that way. */
static bool prepare_endpoint(rl_endpoint *copy, const rl_endpoint *endpoint, const rl_hosts *hosts, char *why,
                             size_t size)
{
    rl_endpoint_copy(copy, endpoint);
    return rl_endpoint_prepare(copy, hosts, why, size);
}

/* Of several servers, those that cannot be reached do not matter if the others are a majority. Returns NULL, with the error
 * set, if they are not. */
static renewal_group *make_group(lock_renewer *renewer, const rl_target *target, const char *node,
                                 const rl_hosts *hosts, rl_error *error)
{
    renewal_group *group = platform_zalloc(sizeof(*group));
    rl_endpoint *endpoints = platform_alloc(target->count * sizeof(*endpoints));
    size_t good = 0;

    *error = (rl_error){.kind = RL_UNREACHABLE};
    for (size_t i = 0; i < target->count; i++) {
        good += prepare_endpoint(&endpoints[i], &target->endpoints[i], hosts, error->text, sizeof(error->text));
    }
    group->target = *target;
    group->target.endpoints = endpoints;
    group->target.pool = &renewer->pool;
    group->target.hook = (rl_hook){0};
    group->size.most = BATCH_MOST;
    group->node = platform_strdup(node);
    if (rl_target_is_cluster(target)) {
        group->map_nodes = rl_cluster_copy_nodes(rl_pool_cluster(target->pool, target->endpoints), &group->map_count);
    }
    if (good <= target->count / 2) {
        renewal_group_free(group);
        return NULL;
    }
    return group;
}

/* Meanwhile, without the mutex, another thread may have been faster. */
renewal_group *renewal_group_join(lock_renewer *renewer, const rl_target *target, const char *node,
                                  const rl_hosts *hosts, rl_error *error)
{
    renewal_group *group = find_group(renewer, target, node, hosts);

    RL_INVARIANT(threads_holds(&renewer->mutex));
    if (group == NULL) {
        threads_unlock(&renewer->mutex);
        renewal_group *fresh = make_group(renewer, target, node, hosts, error);
        threads_lock(&renewer->mutex);
        if (fresh == NULL) {
            return NULL;
        }
        group = find_group(renewer, target, node, hosts);
        if (group == NULL) {
            fresh->next = renewer->groups;
            renewer->groups = group = fresh;
        } else {
            renewal_group_free(fresh);
        }
    }
    heap_reserve(&group->schedule, ++group->renewals);
    return group;
}

void renewal_group_free(renewal_group *group)
{
    if (group->is_sent) {
        batch_close(group);
    }
    for (size_t i = 0; i < group->target.count; i++) {
        rl_endpoint_free((rl_endpoint *)&group->target.endpoints[i]);
    }
    free((rl_endpoint *)group->target.endpoints);
    free(group->node);
    free(group->map_nodes);
    heap_free(&group->schedule);
    free(group);
}

void renewal_groups_free(renewal_group *first)
{
    for (renewal_group *group = first, *next; group != NULL; group = next) {
        next = group->next;
        renewal_group_free(group);
    }
}

/* The newest of them are kept: they come first. */
renewal_group *renewal_groups_drop_idle(lock_renewer *renewer)
{
    renewal_group *dropped = NULL;
    size_t idle = 0;

    RL_INVARIANT(threads_holds(&renewer->gate) && threads_holds(&renewer->mutex));
    for (renewal_group **at = &renewer->groups, *group; (group = *at) != NULL;) {
        if (group->renewals == 0 && ++idle > IDLE_GROUPS) {
            RL_INVARIANT(group->schedule.count == 0 && group->batch_count == 0 && !group->is_sent);
            *at = group->next;
            group->next = dropped;
            dropped = group;
        } else {
            at = &group->next;
        }
    }
    return dropped;
}

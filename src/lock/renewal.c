/* SPDX-License-Identifier: MIT
 *
 * lock/renewal: see lock/renewal.h. These are the calls of the holders' threads.
 */
#include "lock/renewal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lock/keys.h"
#include "lock/renewer.h"
#include "platform.h"

/* ---- forks ---- */

/* All renewers of this process. Forks go through it, and the mutex guards it. */
static pthread_mutex_t renewers_mutex = PTHREAD_MUTEX_INITIALIZER;
static lock_renewer *renewers;

static void before_fork(void)
{
    threads_lock(&renewers_mutex);
    for (lock_renewer *renewer = renewers; renewer != NULL; renewer = renewer->next) {
        threads_lock(&renewer->gate);
        threads_lock(&renewer->mutex);
    }
}

static void let_go_on(void)
{
    for (lock_renewer *renewer = renewers; renewer != NULL; renewer = renewer->next) {
        threads_unlock(&renewer->mutex);
        threads_unlock(&renewer->gate);
    }
    threads_unlock(&renewers_mutex);
}

/* Puts a group of the parent's aside. Renewals that were ended while their request was under way stay in it, to be freed with
 * it; the others are freed by their holders. */
static void inherit(lock_renewer *renewer, renewer_group *group)
{
    size_t orphans = 0;

    for (size_t i = 0; i < group->flying; i++) {
        if (group->flight[i]->is_orphaned) {
            group->flight[orphans++] = group->flight[i];
        }
    }
    group->flying = orphans;
    group->next = renewer->inherited;
    renewer->inherited = group;
}

/* The child has no renewing thread, and none of the leases is its own. Nothing is freed here, in the midst of a fork: the
 * groups are freed with the renewer, or when the child starts a thread. Idle connections close when the pool finds that
 * they are the parent's. */
static void begin_child(void)
{
    for (lock_renewer *renewer = renewers; renewer != NULL; renewer = renewer->next) {
        if (renewer->running) {
            threads_alarm_close(&renewer->alarm);
            renewer->running = renewer->gave_up = false;
        }
        for (renewer_group *group = renewer->groups, *next; group != NULL; group = next) {
            next = group->next;
            inherit(renewer, group);
        }
        renewer->groups = NULL;
        heap_clear(&renewer->alarms);
        renewer->watched = 0;
        threads_condition_init(&renewer->landed); /* nobody waits for it here */
    }
    let_go_on();
}

static void watch_forks(void)
{
    pthread_atfork(before_fork, let_go_on, begin_child);
}

/* ---- the renewer ---- */

/* Forks are watched from the first renewer on: a process without one pays nothing for them. */
lock_renewer *lock_renewer_new(void)
{
    static pthread_once_t watched = PTHREAD_ONCE_INIT;
    lock_renewer *renewer = platform_zalloc(sizeof(*renewer));

    pthread_mutex_init(&renewer->gate, NULL);
    pthread_mutex_init(&renewer->mutex, NULL);
    threads_condition_init(&renewer->landed);
    renewer->pool.traffic = &renewer->traffic;
    pthread_once(&watched, watch_forks);
    threads_lock(&renewers_mutex);
    renewer->next = renewers;
    renewers = renewer;
    threads_unlock(&renewers_mutex);
    return renewer;
}

/* Waits for the end of the thread, which is to end or has given up. */
static void join_thread(lock_renewer *renewer)
{
    threads_join(renewer->thread);
    threads_alarm_close(&renewer->alarm);
    renewer->running = renewer->gave_up = false;
}

static void stop_thread(lock_renewer *renewer)
{
    threads_lock(&renewer->mutex);
    bool running = renewer->running;
    renewer->stopping = true;
    if (running) {
        threads_ring(&renewer->alarm);
    }
    threads_unlock(&renewer->mutex);
    if (running) {
        join_thread(renewer);
    }
}

/* Frees the groups of the parents of this process. Nobody else frees the orphans among their flights. */
static void free_inherited(lock_renewer *renewer)
{
    for (renewer_group *group = renewer->inherited; group != NULL; group = group->next) {
        for (size_t i = 0; i < group->flying; i++) {
            free(group->flight[i]);
        }
    }
    renewer_groups_free(renewer->inherited);
    renewer->inherited = NULL;
}

/* It leaves the list first, so that no fork takes its mutexes while they are destroyed. */
void lock_renewer_free(lock_renewer *renewer)
{
    threads_lock(&renewers_mutex);
    for (lock_renewer **at = &renewers; *at != NULL; at = &(*at)->next) {
        if (*at == renewer) {
            *at = renewer->next;
            break;
        }
    }
    threads_unlock(&renewers_mutex);
    stop_thread(renewer);
    renewer_groups_free(renewer->groups);
    free_inherited(renewer);
    rl_pool_clear(&renewer->pool);
    heap_free(&renewer->alarms);
    free(renewer->interests);
    free(renewer->conns);
    pthread_cond_destroy(&renewer->landed);
    pthread_mutex_destroy(&renewer->mutex);
    pthread_mutex_destroy(&renewer->gate);
    free(renewer);
}

/* Starts the thread if there is none: under the mutex. Returns false, with the error set, where it cannot. A child that
 * starts one frees what it has inherited first, so that this does not add up from one generation to the next. */
static bool start_thread(lock_renewer *renewer, rl_error *error)
{
    int problem;

    if (renewer->gave_up) {
        join_thread(renewer); /* it needs no mutex any more */
    }
    if (renewer->running) {
        return true;
    }
    free_inherited(renewer);
    problem = threads_alarm_open(&renewer->alarm);
    if (problem == 0) {
        renewer->wakes_at = 0; /* until it has looked at the table */
        problem = threads_start(&renewer->thread, renewer_run, renewer);
        if (problem != 0) {
            threads_alarm_close(&renewer->alarm);
        }
    }
    renewer->running = problem == 0;
    if (problem != 0) {
        *error = (rl_error){.kind = RL_UNREACHABLE};
        snprintf(error->text, sizeof(error->text), "cannot start the thread that renews or watches leases (error %d)",
                 problem);
    }
    return renewer->running;
}

/* ---- groups ---- */

/* Notes what the calling thread knows of where a target's servers are. The caller frees it. */
static rl_hosts find_hosts(const rl_target *target)
{
    rl_hosts hosts = {0};

    for (size_t i = 0; i < target->count; i++) {
        rl_pool_hosts(target->pool, &target->endpoints[i], &hosts);
    }
    return hosts;
}

/* Returns which node of a cluster serves the key, as far as is known: "" otherwise. */
static void find_node(const rl_target *target, rl_bytes key, char out[RENEWER_NODE_SIZE])
{
    rl_cluster *cluster = rl_pool_cluster(target->pool, &target->endpoints[0]);

    out[0] = '\0';
    if (cluster != NULL) {
        rl_cluster_name_owner(cluster, rl_slot_of(key), out, RENEWER_NODE_SIZE);
    }
}

/* Timeouts count too: a group waits as long for its servers as its clients want. A server that moves, while its name stays,
 * gets a new group. */
static bool is_group_of(const renewer_group *group, const rl_target *target, const char *node, const rl_hosts *hosts)
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

static renewer_group *find_group(const lock_renewer *renewer, const rl_target *target, const char *node,
                                 const rl_hosts *hosts)
{
    renewer_group *group = renewer->groups;

    while (group != NULL && !is_group_of(group, target, node, hosts)) {
        group = group->next;
    }
    return group;
}

/* Makes a copy of the endpoint for the renewing thread, which resolves no names: it might do so while a fork takes the
 * lock that the resolver holds. Returns false, with `why`, where its server cannot be reached that way. */
static bool prepare_endpoint(rl_endpoint *copy, const rl_endpoint *endpoint, const rl_hosts *hosts, char *why,
                             size_t size)
{
    rl_endpoint_copy(copy, endpoint);
    return rl_endpoint_prepare(copy, hosts, why, size);
}

/* Of several servers, those that cannot be reached do not matter if the others are a majority. Returns NULL, with the
 * error set, where they are not. */
static renewer_group *make_group(lock_renewer *renewer, const rl_target *target, const char *node,
                                 const rl_hosts *hosts, rl_error *error)
{
    renewer_group *group = platform_zalloc(sizeof(*group));
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
    group->size.most = RENEWER_BATCH;
    group->node = platform_strdup(node);
    if (rl_target_is_cluster(target)) {
        group->known = rl_cluster_copy_nodes(rl_pool_cluster(target->pool, target->endpoints), &group->known_count);
    }
    if (good <= target->count / 2) {
        renewer_group_free(group);
        return NULL;
    }
    return group;
}

/* Returns the group of the target's servers, with room in its line for one renewal more, which it counts already. It
 * enters with the mutex and leaves with it, but may be without it in between: making a group may take a while. NULL: no
 * thread can renew leases there, and the error is set. */
static renewer_group *join_group(lock_renewer *renewer, const rl_target *target, const char *node,
                                 const rl_hosts *hosts, rl_error *error)
{
    renewer_group *group = find_group(renewer, target, node, hosts);

    if (group == NULL) {
        threads_unlock(&renewer->mutex);
        renewer_group *made = make_group(renewer, target, node, hosts, error);
        threads_lock(&renewer->mutex);
        if (made == NULL) {
            return NULL;
        }
        group = find_group(renewer, target, node, hosts); /* another thread may have been faster */
        if (group == NULL) {
            made->next = renewer->groups;
            renewer->groups = group = made;
        } else {
            renewer_group_free(made);
        }
    }
    heap_reserve(&group->line, ++group->renewals);
    return group;
}

/* ---- renewals ---- */

/* Makes a renewal, with room for so many bytes behind it. */
static lock_renewal *make_renewal(lock_renewer *renewer, const lock_lease *lease, const lock_renewal_terms *terms,
                                  size_t bytes)
{
    lock_renewal *renewal = platform_zalloc(sizeof(*renewal) + bytes);

    renewal->renewer = renewer;
    renewal->duration = lease->duration;
    renewal->terms = *terms;
    renewal->stats = terms->stats;
    renewal->process = platform_process();
    renewal->place = RENEWAL_OUT;
    atomic_init(&renewal->sent, lease->sent);
    atomic_init(&renewal->server_expires_by, lease->server_expires_by);
    atomic_init(&renewal->state, LOCK_RENEWAL_ON);
    atomic_init(&renewal->notices, 0);
    return renewal;
}

/* Makes a renewal in one piece of memory with its ends and the bytes that its requests name. */
static lock_renewal *make_renewing(lock_renewer *renewer, const lock_client *client, rl_bytes name,
                                   const lock_lease *lease, const lock_renewal_terms *terms)
{
    size_t key = client->prefix.len + name.len, ends = client->target.count * sizeof(int64_t);
    lock_renewal *renewal = make_renewal(renewer, lease, terms, ends + 2 * key + LOCK_SIDE_ROOM + lease->token_len);
    char *lock = (char *)(renewal + 1) + ends, *token = lock + key, *note = token + lease->token_len;
    lock_extension extension = lock_extension_begin(client);

    memcpy(lock, client->prefix.at, client->prefix.len);
    memcpy(lock + client->prefix.len, name.at, name.len);
    memcpy(token, lease->token, lease->token_len);
    renewal->ends.at = (int64_t *)(renewal + 1);
    renewal->lock = (rl_bytes){lock, key};
    renewal->slot = lock_lease_slot(lease, client, renewal->lock);
    renewal->note = lock_note_key_at(note, renewal->lock);
    renewal->token = (rl_bytes){token, lease->token_len};
    renewal->lease = rl_decimal(rl_span_ms(lease->duration), renewal->digits);
    memcpy(renewal->source, extension.source.at, LOCK_SOURCE_LEN);
    renewal->doubts = extension.doubts;
    renewal->metrics = client->metrics;
    renewal->metrics_group = lease->group != 0 ? lease->group : METRICS_OTHER;
    return renewal;
}

/* Wakes the thread if it would sleep for longer than until `when`: under the mutex. */
static void wake_for(lock_renewer *renewer, int64_t when)
{
    if (renewer->running && when < renewer->wakes_at) {
        threads_ring(&renewer->alarm);
    }
}

/* Lets the thread know of a renewal, for which it starts one if there is none. It need not be woken for a lease for which
 * there is something to do later than it wakes up anyway. Under the mutex. False: no thread can be started, and the
 * renewal is forgotten. */
static bool hand_over(lock_renewal *renewal, int64_t due_at, rl_error *error)
{
    lock_renewer *renewer = renewal->renewer;

    if (!start_thread(renewer, error)) {
        renewer_forget(renewal);
        return false;
    }
    if (renewal->group != NULL) {
        renewer_line_up(renewal, due_at);
    }
    renewer_set_alarm(renewal);
    wake_for(renewer, platform_earlier(due_at, heap_first_at(&renewer->alarms)));
    return true;
}

/* Counts a renewal whose holder is to be told something, and makes room for its alarm. */
static void expect_alarm(const lock_renewal *renewal)
{
    if (renewal->terms.tell != NULL) {
        heap_reserve(&renewal->renewer->alarms, ++renewal->renewer->watched);
    }
}

/* The mutex is given up for a moment where the group is made: see join_group(). */
lock_renewal *lock_renewal_begin(lock_renewer *renewer, const lock_client *client, rl_bytes name,
                                 const lock_lease *lease, const lock_renewal_terms *terms, rl_error *error)
{
    lock_renewal *renewal = make_renewing(renewer, client, name, lease, terms);
    rl_hosts hosts = find_hosts(&client->target);
    char node[RENEWER_NODE_SIZE];
    bool begun = false;

    find_node(&client->target, renewal->lock, node);
    threads_lock(&renewer->mutex);
    renewal->group = join_group(renewer, &client->target, node, &hosts, error);
    if (renewal->group == NULL) {
        free(renewal);
    } else {
        expect_alarm(renewal);
        begun = hand_over(renewal, renewer_due_at(renewal, lease->sent), error);
    }
    threads_unlock(&renewer->mutex);
    rl_hosts_free(&hosts);
    return begun ? renewal : NULL;
}

lock_renewal *lock_renewal_watch(lock_renewer *renewer, const lock_lease *lease, const lock_renewal_terms *terms,
                                 rl_error *error)
{
    lock_renewal *renewal = make_renewal(renewer, lease, terms, 0);

    threads_lock(&renewer->mutex);
    expect_alarm(renewal);
    bool begun = hand_over(renewal, PLATFORM_NEVER, error);
    threads_unlock(&renewer->mutex);
    return begun ? renewal : NULL;
}

/* Updates the lease to what is published. */
static lock_renewal_state read_published(const lock_renewal *renewal, lock_lease *lease)
{
    lock_renewal_state state = (lock_renewal_state)atomic_load(&renewal->state);

    lease->sent = atomic_load(&renewal->sent);
    lease->server_expires_by = atomic_load(&renewal->server_expires_by);
    if (state == LOCK_RENEWAL_REFUSED || state == LOCK_RENEWAL_ENDED) {
        lease->duration = 0;
    }
    return state;
}

static bool is_over(const lock_renewal *renewal, lock_lease *lease, int64_t now)
{
    return read_published(renewal, lease) == LOCK_RENEWAL_ON && lock_lease_validity(lease, now) == 0;
}

/* Where the lease is over, the thread may be about to publish an answer that came in time. It heeds that the holder is
 * told of the loss now. */
lock_renewal_state lock_renewal_read(lock_renewal *renewal, lock_lease *lease, int64_t now)
{
    if (is_over(renewal, lease, now)) {
        threads_lock(&renewal->renewer->mutex);
        if (is_over(renewal, lease, now)) {
            renewer_set_state(renewal, LOCK_RENEWAL_ENDED);
        }
        threads_unlock(&renewal->renewer->mutex);
    }
    return read_published(renewal, lease);
}

/* Of a parent's, a copy of what was left for that may have come with the fork. */
bool lock_renewal_has_notice(const lock_renewal *renewal)
{
    return atomic_load(&renewal->notices) != 0 && renewal->process == platform_process();
}

/* Takes the place of a later alarm, which is set anew when it rings. An earlier one stays, and reminds as well. */
void lock_renewal_remind(lock_renewal *renewal, int64_t when)
{
    lock_renewer *renewer = renewal->renewer;

    if (renewal->process != platform_process()) {
        return;
    }
    threads_lock(&renewer->mutex);
    if (!renewal->alarm.is_in || when < renewal->alarm.at) {
        heap_remove(&renewer->alarms, &renewal->alarm);
        heap_add(&renewer->alarms, &renewal->alarm, when);
        wake_for(renewer, when);
    }
    renewal->reminds = true;
    threads_unlock(&renewer->mutex);
}

/* Takes the notice that came with the news that the lease is lost. Under the mutex, the thread sets the state first, and leaves
 * the notice then. */
static unsigned take_last_notices(lock_renewal *renewal)
{
    threads_lock(&renewal->renewer->mutex);
    unsigned notices = atomic_exchange(&renewal->notices, 0);
    threads_unlock(&renewal->renewer->mutex);
    return notices;
}

/* A lease that was renewed since has an alarm of its own again. One that turns out to be over is told of by a notice more, also
 * where one waits already. */
unsigned lock_renewal_take_notices(lock_renewal *renewal, lock_lease *lease, int64_t now)
{
    unsigned notices = atomic_exchange(&renewal->notices, 0);
    lock_renewal_state state = lock_renewal_read(renewal, lease, now);

    if (renewer_is_lost(state)) {
        notices |= take_last_notices(renewal);
    } else if (lock_lease_validity(lease, now) > renewal->terms.margin) {
        notices &= ~(unsigned)LOCK_NOTICE_LOSS;
    }
    return notices;
}

/* Under the mutex. */
static void stop(lock_renewal *renewal)
{
    renewal->stopped = true;
    heap_remove(&renewal->renewer->alarms, &renewal->alarm);
    if (renewal->place == RENEWAL_IN_LINE) {
        renewer_take_out(renewal);
    }
}

void lock_renewal_stop(lock_renewal *renewal)
{
    if (renewal->process != platform_process()) {
        return;
    }
    threads_lock(&renewal->renewer->mutex);
    stop(renewal);
    threads_unlock(&renewal->renewer->mutex);
}

/* Leaves a renewal to the thread whose request is still under way: it may make the lease longer at any time. */
static void abandon(lock_renewal *renewal, lock_lease *lease)
{
    renewal->is_orphaned = true;
    renewal->stats = NULL;
    lease->server_expires_by =
        platform_later(lease->server_expires_by, lock_lease_ends_by(platform_now(), renewal->duration));
}

/* In a forked child, the group is freed by itself, and no renewal counts there: see inherit(). */
lock_renewal_state lock_renewal_end(lock_renewal *renewal, lock_extensions *extensions, lock_lease *lease,
                                    int64_t until)
{
    lock_renewer *renewer = renewal->renewer;
    lock_renewal_state state = LOCK_RENEWAL_ON;

    if (renewal->process != platform_process()) {
        free(renewal);
        return state;
    }
    lease->is_noted |= renewal->doubts;
    threads_lock(&renewer->mutex);
    stop(renewal);
    while (renewal->place == RENEWAL_IN_FLIGHT && threads_wait(&renewer->landed, &renewer->mutex, until)) {
    }
    state = read_published(renewal, lease);
    if (renewal->unanswered || renewal->place == RENEWAL_IN_FLIGHT) {
        lock_extension_doubt(extensions);
    }
    if (renewal->place == RENEWAL_IN_FLIGHT) {
        abandon(renewal, lease);
    } else {
        renewer_forget(renewal);
    }
    threads_unlock(&renewer->mutex);
    return state;
}

/* ---- counts ---- */

lock_renewal_stats lock_renewal_counts(lock_renewer *renewer, const lock_renewal_stats *stats)
{
    threads_lock(&renewer->mutex);
    lock_renewal_stats copy = *stats;
    threads_unlock(&renewer->mutex);
    return copy;
}

rl_traffic lock_renewer_traffic(lock_renewer *renewer)
{
    threads_lock(&renewer->mutex);
    rl_traffic copy = renewer->published;
    threads_unlock(&renewer->mutex);
    return copy;
}

/* SPDX-License-Identifier: MIT
 *
 * lock/renewal: see lock/renewal.h. These are the calls of the holders' threads.
 */
#include "lock/renewal.h"

#include <stdlib.h>
#include <string.h>

#include "invariant.h"
#include "lock/keys.h"
#include "lock/renewal_group.h"
#include "lock/renewer.h"
#include "platform/platform.h"

/* ---- beginning ---- */

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
static void find_node(const rl_target *target, rl_bytes key, char out[RENEWAL_NODE_SIZE])
{
    rl_cluster *cluster = rl_pool_cluster(target->pool, &target->endpoints[0]);

    out[0] = '\0';
    if (cluster != NULL) {
        rl_cluster_name_owner(cluster, rl_slot_of(key), out, RENEWAL_NODE_SIZE);
    }
}

/* Makes a renewal, with room for so many bytes behind it. */
static lock_renewal *make_renewal(lock_renewer *renewer, const lock_lease *lease, const lock_renewal_terms *terms,
                                  size_t bytes)
{
    lock_renewal *renewal = platform_zalloc(sizeof(*renewal) + bytes);

    RL_INVARIANT(lease->duration > 0 && lease->duration != PLATFORM_NEVER && terms->stats != NULL);
    renewal->renewer = renewer;
    renewal->duration = lease->duration;
    renewal->terms = *terms;
    renewal->stats = terms->stats;
    renewal->process = platform_process();
    renewal->stage = RENEWAL_IDLE;
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
    size_t key_len = client->prefix.len + name.len, ends_size = client->target.count * sizeof(int64_t);
    lock_renewal *renewal =
        make_renewal(renewer, lease, terms, ends_size + 2 * key_len + LOCK_SIDE_ROOM + lease->token_len);
    char *lock = (char *)(renewal + 1) + ends_size, *token = lock + key_len, *note = token + lease->token_len;
    lock_extension extension = lock_extension_begin(client);

    memcpy(lock, client->prefix.at, client->prefix.len);
    memcpy(lock + client->prefix.len, name.at, name.len);
    memcpy(token, lease->token, lease->token_len);
    renewal->ends.at_ms = (int64_t *)(renewal + 1);
    renewal->lock = (rl_bytes){lock, key_len};
    renewal->slot = lock_lease_slot(lease, client, renewal->lock);
    renewal->note = lock_note_key_at(note, renewal->lock);
    renewal->token = (rl_bytes){token, lease->token_len};
    renewal->lease_ms = rl_decimal(rl_span_ms(lease->duration), renewal->lease_digits);
    memcpy(renewal->source, extension.source.at, LOCK_SOURCE_LEN);
    renewal->doubts = extension.doubts;
    renewal->metrics = client->metrics;
    renewal->metrics_group = lease->group != 0 ? lease->group : METRICS_OTHER;
    return renewal;
}

/* Lets the thread know of a renewal, for which it starts one if there is none. It need not be woken for a lease for which
 * there is something to do later than it wakes up anyway. Under the mutex. False: no thread can be started, and the
 * renewal is forgotten. */
static bool schedule_renewal(lock_renewal *renewal, int64_t due_at, rl_error *error)
{
    lock_renewer *renewer = renewal->renewer;

    if (!renewer_start(renewer, error)) {
        renewal_forget(renewal);
        return false;
    }
    if (renewal->group != NULL) {
        renewal_schedule(renewal, due_at);
    }
    renewal_set_notice_due(renewal);
    renewer_wake_for(renewer, platform_earlier(due_at, heap_first_at(&renewer->notices_due)));
    return true;
}

/* Counts a renewal whose holder is to be told something, and makes room for that. */
static void expect_notices(const lock_renewal *renewal)
{
    if (renewal->terms.on_notice != NULL) {
        RL_INVARIANT(threads_holds(&renewal->renewer->mutex));
        heap_reserve(&renewal->renewer->notices_due, ++renewal->renewer->watched);
    }
}

/* The mutex is given up for a moment if the group is made: see renewal_group_join(). */
lock_renewal *lock_renewal_begin(lock_renewer *renewer, const lock_client *client, rl_bytes name,
                                 const lock_lease *lease, const lock_renewal_terms *terms, rl_error *error)
{
    lock_renewal *renewal = make_renewing(renewer, client, name, lease, terms);
    rl_hosts hosts = find_hosts(&client->target);
    char node[RENEWAL_NODE_SIZE];
    bool begun = false;

    find_node(&client->target, renewal->lock, node);
    threads_lock(&renewer->mutex);
    renewal->group = renewal_group_join(renewer, &client->target, node, &hosts, error);
    if (renewal->group == NULL) {
        free(renewal);
    } else {
        expect_notices(renewal);
        begun = schedule_renewal(renewal, renewal_due_at(renewal, lease->sent), error);
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
    expect_notices(renewal);
    bool begun = schedule_renewal(renewal, PLATFORM_NEVER, error);
    threads_unlock(&renewer->mutex);
    return begun ? renewal : NULL;
}

/* ---- reading ---- */

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

/* If the lease is over, the thread may be about to publish an answer that came in time. It heeds that the holder is told of the
 * loss now. */
lock_renewal_state lock_renewal_read(lock_renewal *renewal, lock_lease *lease, int64_t now)
{
    if (is_over(renewal, lease, now)) {
        threads_lock(&renewal->renewer->mutex);
        if (is_over(renewal, lease, now)) {
            renewal_set_state(renewal, LOCK_RENEWAL_ENDED);
        }
        threads_unlock(&renewal->renewer->mutex);
    }
    return read_published(renewal, lease);
}

/* ---- notices ---- */

/* Of a parent's, a copy of what was left for that may have come with the fork. */
bool lock_renewal_has_notice(const lock_renewal *renewal)
{
    return atomic_load(&renewal->notices) != 0 && renewal->process == platform_process();
}

/* Takes the place of a later due notice, which is set anew when the reminder is given. An earlier one stays, and reminds as
 * well. */
void lock_renewal_remind(lock_renewal *renewal, int64_t when)
{
    lock_renewer *renewer = renewal->renewer;

    if (renewal->process != platform_process()) {
        return;
    }
    threads_lock(&renewer->mutex);
    if (!renewal->notice_due.is_in || when < renewal->notice_due.at) {
        heap_remove(&renewer->notices_due, &renewal->notice_due);
        heap_add(&renewer->notices_due, &renewal->notice_due, when);
        renewer_wake_for(renewer, when);
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

/* A lease that was renewed since has a due notice of its own again. If it turns out to be over, there is one notice more, even
 * if one waits already. */
unsigned lock_renewal_take_notices(lock_renewal *renewal, lock_lease *lease, int64_t now)
{
    unsigned notices = atomic_exchange(&renewal->notices, 0);
    lock_renewal_state state = lock_renewal_read(renewal, lease, now);

    if (renewal_is_lost(state)) {
        notices |= take_last_notices(renewal);
    } else if (lock_lease_validity(lease, now) > renewal->terms.margin) {
        notices &= ~(unsigned)LOCK_NOTICE_LOSS;
    }
    return notices;
}

/* ---- ending ---- */

static void stop(lock_renewal *renewal)
{
    RL_INVARIANT(threads_holds(&renewal->renewer->mutex) && renewal->process == platform_process());
    renewal->stopped = true;
    heap_remove(&renewal->renewer->notices_due, &renewal->notice_due);
    if (renewal->stage == RENEWAL_SCHEDULED) {
        renewal_unschedule(renewal);
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
    RL_INVARIANT(renewal->stopped && renewal->stage == RENEWAL_IN_BATCH);
    renewal->is_abandoned = true;
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
    while (renewal->stage == RENEWAL_IN_BATCH && threads_wait(&renewer->settled, &renewer->mutex, until)) {
    }
    state = read_published(renewal, lease);
    if (renewal->unanswered || renewal->stage == RENEWAL_IN_BATCH) {
        lock_extension_doubt(extensions);
        lease->is_doubted = true;
    }
    if (renewal->stage == RENEWAL_IN_BATCH) {
        abandon(renewal, lease);
    } else {
        renewal_forget(renewal);
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

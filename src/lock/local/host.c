/* SPDX-License-Identifier: MIT
 *
 * lock/local/host: see lock/local/host.h.
 */
#include "lock/local/host.h"

#include <stdio.h>
#include <stdlib.h>

#include "lock/local/entry.h"
#include "platform/platform.h"

struct lock_local {
    PLATFORM_ATOMIC_POINTER(local_host) host;
    atomic_llong joining; /* the process of which a thread joins; 0: none does */
};

static const segment_use local_use = {"local", LOCAL_LAYOUT, sizeof(local_segment)};

lock_local *lock_local_new(void)
{
    return platform_zalloc(sizeof(lock_local));
}

/* ---- joining ---- */

/* Takes a number, and ends what a process has left that had it before. Each begins elsewhere, so that a number rests for a
 * while when its process has ended: others may still look for that. */
static bool take_number(local_host *host)
{
    unsigned first = (unsigned)platform_unique() * 61 + (unsigned)host->process;

    for (unsigned i = 0; i < LOCAL_PROCESSES; i++) {
        unsigned number = (first + i) % LOCAL_PROCESSES;
        if (presence_take(host->fd, number)) {
            host->number = number;
            host->is_kept = presence_keep(host->fd, number);
            return true;
        }
    }
    snprintf(host->why, sizeof(host->why), "more than %d processes pass locks on", LOCAL_PROCESSES);
    return false;
}

static bool is_word(atomic_ullong *word, unsigned long long wanted)
{
    unsigned long long before = 0;

    return atomic_compare_exchange_strong(word, &before, wanted) || before == wanted;
}

/* A segment that is neither new nor ours is left alone; and one of processes that read other clocks. */
static bool is_ours(local_host *host)
{
    if (!is_word(&host->segment->magic, LOCAL_MAGIC)) {
        snprintf(host->why, sizeof(host->why), "the segment of shared memory holds something else");
        return false;
    }
    if (!is_word(&host->segment->clocks, presence_clocks())) {
        snprintf(host->why, sizeof(host->why), "the processes of the segment are in another time namespace");
        return false;
    }
    return true;
}

static void open_segment(local_host *host, const char *folder)
{
#if ATOMIC_LLONG_LOCK_FREE == 2
    host->segment = segment_open_file(&local_use, folder, &host->fd, host->why);
    if (host->segment != NULL && !(is_ours(host) && take_number(host))) {
        presence_close(host->fd);
        segment_close(&local_use, host->segment);
        host->segment = NULL;
    }
#else
    (void)folder;
    snprintf(host->why, sizeof(host->why), "this processor cannot exchange 64-bit words that processes share");
#endif
}

/* A child of a fork opens the file anew: what it has of its parent's descriptor would be closed with it. */
static local_host *make_host(const char *folder, local_host *parent)
{
    local_host *host = platform_zalloc(sizeof(*host));

    host->process = platform_process();
    host->parent = parent;
    presence_place(host->place);
    open_segment(host, folder);
    if (host->segment != NULL) {
        local_host_sweep(host, true);
    }
    return host;
}

/* The host of a parent process stays, since leases that a child has copied point to it; nothing of it is used there. NULL:
 * another thread makes that of this process just now. */
static PLATFORM_NOINLINE local_host *renew_host(lock_local *local, int64_t process, const char *folder)
{
    long long joining = atomic_load(&local->joining);
    local_host *host;

    if (joining == process || !atomic_compare_exchange_strong(&local->joining, &joining, process)) {
        return NULL;
    }
    host = atomic_load(&local->host);
    if (host == NULL || host->process != process) {
        host = make_host(folder, host);
        atomic_store(&local->host, host);
    }
    atomic_store(&local->joining, 0);
    return host;
}

local_host *lock_local_join(lock_local *local, int64_t process, const char *folder)
{
    local_host *host = atomic_load(&local->host);

    if (host == NULL || host->process != process) {
        host = renew_host(local, process, folder);
    }
    return host != NULL && host->segment != NULL ? host : NULL;
}

const char *lock_local_problem(const lock_local *local)
{
    const local_host *host = atomic_load(&((lock_local *)local)->host);

    return host != NULL && host->segment == NULL ? host->why : NULL;
}

static void free_host(local_host *host)
{
    if (host->segment != NULL) {
        presence_close(host->fd);
        segment_close(&local_use, host->segment);
    }
    free(host);
}

void lock_local_free(lock_local *local)
{
    for (local_host *host = atomic_load(&local->host), *parent; host != NULL; host = parent) {
        parent = host->parent;
        free_host(host);
    }
    free(local);
}

/* ---- the dead ---- */

/* A process does not see its own presence. */
bool local_host_is_alive(const local_host *host, unsigned number)
{
    return number == host->number || presence_is_taken(host->fd, number);
}

bool local_host_is_proven_dead(const local_host *host, unsigned number)
{
    return !local_host_is_alive(host, number) && !presence_is_kept(host->fd, number);
}

/* Is it the entry of a holder whose lock others may take over? Not one that nobody comes for since its lease is over. */
static bool may_be_taken_over(local_segment *segment, unsigned index, uint64_t status)
{
    local_entry *entry = &segment->entries[index];
    int64_t ends = atomic_load(&entry->ends);
    uint64_t owner = atomic_load(&segment->owners[atomic_load(&entry->slot) % LOCAL_SLOTS]);

    return local_state_of(status) == LOCAL_MINE &&
           atomic_load(&entry->takeover) == local_takeover_word(local_count_of(status), LOCAL_TAKEOVER) &&
           local_owner_entry(owner) == index && local_owner_uses(owner, status) && (ends == 0 || ends > platform_now());
}

/* Frees the slots whose owners are gone. Those in line there find that out. */
static void sweep_slots(local_segment *segment)
{
    for (unsigned i = 0; i < LOCAL_SLOTS; i++) {
        uint64_t owner = atomic_load(&segment->owners[i]);
        uint64_t status = atomic_load(&segment->entries[local_owner_entry(owner)].status);
        local_state state = local_state_of(status);
        if (owner != 0 && (!local_owner_uses(owner, status) || state == LOCAL_FREE || state == LOCAL_LEFT)) {
            local_step(&segment->owners[i], owner, 0);
        }
    }
}

/* Entries are in use by few processes, so each of these is asked for once. */
void local_host_sweep(local_host *host, bool has_joined)
{
    signed char there[LOCAL_PROCESSES] = {0}; /* 1: yes, -1: no, 0: not known yet */

    for (unsigned i = 0; i < LOCAL_ENTRIES; i++) {
        local_entry *entry = &host->segment->entries[i];
        uint64_t status = atomic_load(&entry->status);
        unsigned number = local_process_of(status);
        if (local_state_of(status) == LOCAL_FREE) {
            continue;
        }
        if (there[number] == 0) {
            there[number] = presence_is_taken(host->fd, number) ? 1 : -1;
        }
        if (there[number] < 0 && (has_joined ? number == host->number || !may_be_taken_over(host->segment, i, status)
                                             : number != host->number)) {
            local_entry_free(entry, status);
        }
    }
    sweep_slots(host->segment);
}

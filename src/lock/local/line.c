/* SPDX-License-Identifier: MIT
 *
 * lock/local/line: see lock/local/line.h.
 */
#include "lock/local/line.h"

#include "lock/local/entry.h"
#include "platform/futex.h"
#include "platform/platform.h"

/* ---- the line ---- */

#define WORD 64 /* bits */
#define SOON PLATFORM_SEC
#define LATE (500 * PLATFORM_MSEC)

void local_line_enter(local_slot *slot, unsigned index)
{
    LOCAL_POINT();
    atomic_fetch_or(&slot->waiting[index / WORD], UINT64_C(1) << index % WORD);
}

void local_line_leave(local_slot *slot, unsigned index)
{
    LOCAL_POINT();
    atomic_fetch_and(&slot->waiting[index / WORD], ~(UINT64_C(1) << index % WORD));
}

/* Calls for each that waits at the slot. An entry that is noted there may be in use elsewhere by now. */
static void each_waiter(local_host *host, unsigned slot, void (*visit)(void *arg, const local_waiter *waiter),
                        void *arg)
{
    local_segment *segment = host->segment;

    for (unsigned w = 0; w < LOCAL_ENTRIES / WORD; w++) {
        uint64_t bits = atomic_load(&segment->slots[slot].waiting[w]);
        for (; bits != 0; bits &= bits - 1) {
            unsigned index = w * WORD + (unsigned)platform_trailing_zeros(bits);
            local_entry *entry = &segment->entries[index];
            local_waiter waiter = {entry, index, atomic_load(&entry->status), atomic_load(&entry->ticket)};
            if (local_state_of(waiter.status) == LOCAL_WAITS && atomic_load(&entry->slot) == slot) {
                visit(arg, &waiter);
            }
        }
    }
}

static void note_first(void *arg, const local_waiter *waiter)
{
    local_waiter *first = arg;

    if (first->entry == NULL || waiter->ticket < first->ticket) {
        *first = *waiter;
    }
}

local_waiter local_line_first(local_host *host, unsigned slot)
{
    local_waiter first = {0};

    each_waiter(host, slot, note_first, &first);
    return first;
}

/* A search for the first with a ticket from `from` on whose sleep should not have ended before `late`. */
typedef struct awake_search {
    local_waiter first;
    uint64_t from;
    int64_t late;
} awake_search;

static void note_first_awake(void *arg, const local_waiter *waiter)
{
    awake_search *search = arg;
    int64_t ends = atomic_load(&waiter->entry->ends);

    if (waiter->ticket >= search->from && (ends == 0 || ends > search->late)) {
        note_first(&search->first, waiter);
    }
}

local_waiter local_line_first_awake(local_host *host, unsigned slot, uint64_t from)
{
    awake_search search = {.from = from, .late = platform_now() - LATE};

    each_waiter(host, slot, note_first_awake, &search);
    return search.first;
}

/* Frees the entry of one that waits if its process is dead. What the slot has noted of it stays: another one may use the entry,
 * and stand there, as soon as it is free. One that was only taken for dead is woken, to find that out. */
static bool drop_if_dead(const local_host *host, const local_waiter *waiter)
{
    if (local_host_is_alive(host, local_process_of(waiter->status))) {
        return false;
    }
    local_entry_free(waiter->entry, waiter->status);
    futex_wake(&waiter->entry->status);
    return true;
}

static void visit_to_drop(void *arg, const local_waiter *waiter)
{
    drop_if_dead(arg, waiter);
}

void local_line_drop_dead(local_host *host, unsigned slot)
{
    each_waiter(host, slot, visit_to_drop, host);
}

local_waiter local_line_first_alive(local_host *host, unsigned slot)
{
    for (unsigned dropped = 0; dropped < LOCAL_ENTRIES; dropped++) {
        local_waiter first = local_line_first(host, slot);
        if (first.entry == NULL || !drop_if_dead(host, &first)) {
            return first;
        }
    }
    return (local_waiter){0};
}

bool local_line_sleeps_long(int64_t until)
{
    return until > platform_now() + SOON;
}

void local_line_wake_first(local_host *host, unsigned slot)
{
    local_waiter first = local_line_first_awake(host, slot, 0);

    if (first.entry != NULL && local_line_sleeps_long(atomic_load(&first.entry->ends))) {
        futex_wake(&first.entry->status);
    }
}

typedef struct line_count {
    uint64_t before;
    int64_t count;
} line_count;

static void count_waiter(void *arg, const local_waiter *waiter)
{
    line_count *count = arg;

    count->count += waiter->ticket < count->before;
}

int64_t local_line_count(local_host *host, unsigned slot, uint64_t before)
{
    line_count count = {before, 0};

    each_waiter(host, slot, count_waiter, &count);
    return count.count;
}

bool local_line_tell(atomic_ullong *owner)
{
    uint64_t word = atomic_load(owner);

    while (word != 0 && (word & LOCAL_OWNER_CONTENDED) == 0 && !local_step(owner, word, word | LOCAL_OWNER_CONTENDED)) {
        word = atomic_load(owner);
    }
    return word != 0;
}

/* ---- claims ---- */

/* The status of an entry that this process has claimed: it is in use by the claimer, on whom it depends who may free it. */
static uint64_t claimed(const local_host *host, const local_waiter *waiter)
{
    return local_status(local_count_of(waiter->status), host->number, LOCAL_CLAIMED);
}

bool local_line_claim(const local_host *host, const local_waiter *waiter)
{
    return local_step(&waiter->entry->status, waiter->status, claimed(host, waiter));
}

/* A waiter that has waited too long for the end of its claim has left its entry in one step, so it is free once that was
 * seen. */
bool local_line_release(const local_host *host, const local_waiter *waiter, local_state state)
{
    if (local_step(&waiter->entry->status, claimed(host, waiter), local_with_state(waiter->status, state))) {
        if (state != LOCAL_WAITS) {
            LOCAL_POINT();
            futex_wake(&waiter->entry->status);
        }
        return true;
    }
    local_entry_free_left(waiter->entry, local_count_of(waiter->status));
    return false;
}

/* ---- ends ---- */

bool local_line_step_out(const lock_turn *turn)
{
    if (!local_step(&local_turn_entry(turn)->status, local_turn_status(turn, LOCAL_WAITS),
                    local_turn_status(turn, LOCAL_MINE))) {
        return false;
    }
    local_line_leave(local_turn_slot(turn), turn->entry);
    local_line_wake_first(turn->host, turn->slot);
    return true;
}

/* Another thread may have the turn as soon as it is free. Nobody writes into an entry that has not stood in line. */
void local_turn_free(lock_turn *turn)
{
    local_entry *entry = local_turn_entry(turn);
    uint64_t status = local_turn_status(turn, LOCAL_MINE);
    bool stood = turn->stood;

    atomic_store_explicit(&turn->host->free_hint, turn->entry, memory_order_relaxed);
    atomic_store_explicit(&turn->is_used, false, memory_order_release);
    if (stood) {
        local_entry_free(entry, status);
    } else {
        local_step(&entry->status, status, local_with_state(status, LOCAL_FREE));
    }
}

/* SPDX-License-Identifier: MIT
 *
 * lock/local/succession: see lock/local/succession.h.
 */
#include "lock/local/succession.h"

#include <string.h>

#include "lock/local/check.h"
#include "lock/local/entry.h"
#include "lock/local/line.h"
#include "platform/futex.h"
#include "platform/platform.h"

#define ANSWER_SOON  200                   /* µs since the renaming was sent */
#define YIELDED_LONG 500                   /* µs for which others have run in our place, who bring no answer */
#define CROWDED_TIME (100 * PLATFORM_MSEC) /* for which nobody tries that again */

/* Takes the claimed one out of line. The one behind it is the first then. */
static bool take_out(const lock_turn *turn, const local_waiter *waiter, local_state state)
{
    local_line_leave(local_turn_slot(turn), waiter->index);
    bool released = local_line_release(turn->host, waiter, state);

    local_line_wake_first(turn->host, turn->slot);
    return released;
}

/* Makes the waiter the owner of the turn's slot, with the note that others may wait, or have come unseen. False: the turn
 * does not own it any more. */
static bool hand_slot_to(const lock_turn *turn, const local_waiter *waiter, uint64_t *owner)
{
    *owner = local_owner(waiter->index, local_count_of(waiter->status), turn->owner);
    return local_step(local_turn_owner(turn), turn->owner | LOCAL_OWNER_CONTENDED, *owner | LOCAL_OWNER_CONTENDED);
}

/* ---- ends of a turn ---- */

static bool is_another_process(const lock_turn *turn)
{
    return turn->host->process != platform_process();
}

/* Is the slot still the turn's? */
static bool owns_slot(const lock_turn *turn)
{
    return (atomic_load(local_turn_owner(turn)) | LOCAL_OWNER_CONTENDED) == (turn->owner | LOCAL_OWNER_CONTENDED);
}

/* Leaves the slot to nobody, unless somebody waits. False: somebody does. One who comes meanwhile sees either an owner that has
 * not looked yet, or none. An owner who has come meanwhile does not know of those who wait. */
static bool leave_to_nobody(lock_turn *turn)
{
    if (!local_step(local_turn_owner(turn), turn->owner | LOCAL_OWNER_CONTENDED, 0)) {
        return true; /* it is another's by now */
    }
    if (local_line_first(turn->host, turn->slot).entry == NULL) {
        return true;
    }
    if (local_step(local_turn_owner(turn), 0, turn->owner | LOCAL_OWNER_CONTENDED)) {
        return false;
    }
    local_line_tell(local_turn_owner(turn));
    return true;
}

/* Makes the first in line the head. Returns false if it has gone: then its place as the owner is ours to pass on. */
static bool make_head(lock_turn *turn, const local_waiter *first)
{
    uint64_t owner;

    if (!local_line_claim(turn->host, first)) {
        return false;
    }
    if (!hand_slot_to(turn, first, &owner)) {
        local_line_release(turn->host, first, LOCAL_WAITS);
        return true;
    }
    if (take_out(turn, first, LOCAL_HEAD)) {
        return true;
    }
    turn->owner = owner;
    return false;
}

/* Each turn of the loop finds another first one, or that one has moved. Whoever has taken the slot from us looks after those in
 * line. */
static void leave_to_next(lock_turn *turn)
{
    if (!owns_slot(turn)) {
        return;
    }
    atomic_store(&local_turn_slot(turn)->mark, 0);
    for (unsigned i = 0; i < LOCAL_ENTRIES; i++) {
        local_waiter first = local_line_first_alive(turn->host, turn->slot);
        if (first.entry == NULL ? leave_to_nobody(turn) : make_head(turn, &first)) {
            return;
        }
    }
}

bool lock_turn_leave_alone(lock_turn *turn)
{
    bool left = !is_another_process(turn) && local_step(local_turn_owner(turn), turn->owner, 0);

    if (left) {
        local_turn_free(turn);
    }
    return left;
}

void lock_turn_leave(lock_turn *turn)
{
    if (!lock_turn_leave_alone(turn) && !is_another_process(turn)) {
        leave_to_next(turn);
        local_turn_free(turn);
    }
}

/* Those who come meanwhile are told, too: each turn of the loop takes one out of line. Another head may have better luck. */
void lock_turn_fail(lock_turn *turn, const rl_error *error)
{
    if (is_another_process(turn) || !owns_slot(turn)) {
        return;
    }
    for (unsigned i = 0; i < LOCAL_ENTRIES; i++) {
        local_waiter first = local_line_first(turn->host, turn->slot);
        if (first.entry == NULL) {
            return;
        }
        if (local_line_claim(turn->host, &first)) {
            first.entry->error = *error;
            take_out(turn, &first, LOCAL_FAILED);
        }
    }
}

/* ---- passing on ---- */

/* Does the waiter want this lock, and not one whose key has the same hash? */
static bool wants(const local_entry *entry, const lock_turn *turn, const lock_turn_offer *offer)
{
    return entry->key_len == offer->key.len && memcmp(entry->key, offer->key.at, offer->key.len) == 0 &&
           memcmp(entry->identity, turn->identity, sizeof(entry->identity)) == 0;
}

/* Is enough left of the lease for a waiter to begin with that asks for this one? */
static bool leaves_enough(int64_t lease, const lock_turn_offer *offer, int64_t now)
{
    return offer->sent + offer->duration - now > lease / 2;
}

/* May the first in line go before those in Redis' line? Those may who came before it was known that others wait there. */
static bool goes_first(const lock_turn *turn, const local_waiter *first)
{
    uint64_t mark = atomic_load(&local_turn_slot(turn)->mark);

    return mark == 0 || first->ticket < mark - 1;
}

/* Writes what an heir is to know into its entry, which is claimed, and what we are to know of it. */
static void write_grant(const lock_turn *turn, const local_waiter *first, const lock_turn_offer *offer, int64_t lease,
                        int64_t now, lock_turn_heir *heir)
{
    local_entry *entry = first->entry;

    *heir = (lock_turn_heir){
        .entry = first->index, .slot = turn->slot, .count = local_count_of(first->status), .lease = lease, .sent = now};
    heir->token_len = local_copy_token(heir->token, entry->token, entry->token_len);
    entry->from_process = turn->host->number;
    entry->from_len = (uint32_t)offer->token.len;
    memcpy(entry->from, offer->token.at, offer->token.len);
    entry->from_sent = offer->sent;
    entry->from_duration = offer->duration;
    entry->sent = now;
    entry->since_ms = offer->since_ms;
    entry->check = local_check(entry, heir->count);
    LOCAL_POINT();
    atomic_store(&entry->answer, local_answer_word(heir->count, LOCAL_PENDING));
}

typedef enum passing { PASSED, NOT_PASSED, NEXT } passing;

/* Tries to pass the lock on to the first in line. */
static passing pass_to(lock_turn *turn, const local_waiter *first, const lock_turn_offer *offer, lock_turn_heir *heir)
{
    int64_t now = platform_now(), lease;
    uint64_t owner;

    if (!local_line_claim(turn->host, first)) {
        return NEXT;
    }
    lease = local_read_once(&first->entry->lease);
    if (lease <= 0 || !wants(first->entry, turn, offer)) {
        take_out(turn, first, LOCAL_SENT_AWAY);
        return NEXT;
    }
    if (!leaves_enough(lease, offer, now) || !goes_first(turn, first)) {
        local_line_release(turn->host, first, LOCAL_WAITS);
        return NOT_PASSED;
    }
    write_grant(turn, first, offer, lease, now, heir);
    if (!hand_slot_to(turn, first, &owner)) {
        local_line_release(turn->host, first, LOCAL_WAITS);
        return NOT_PASSED;
    }
    if (take_out(turn, first, LOCAL_GRANTED)) {
        return PASSED;
    }
    turn->owner = owner;
    return NEXT;
}

/* Each turn of the loop finds another first one, or that one has moved. */
bool lock_turn_pass(lock_turn *turn, const lock_turn_offer *offer, lock_turn_heir *heir)
{
    passing passing = NEXT;

    if (is_another_process(turn) || !owns_slot(turn) || offer->token.len > LOCAL_TOKEN_MAX ||
        offer->key.len > LOCAL_KEY_MAX) {
        return false;
    }
    for (unsigned i = 0; passing == NEXT && i < LOCAL_ENTRIES; i++) {
        local_waiter first = local_line_first_alive(turn->host, turn->slot);
        passing = first.entry == NULL ? NOT_PASSED : pass_to(turn, &first, offer, heir);
    }
    if (passing == PASSED) {
        local_turn_free(turn);
    }
    return passing == PASSED;
}

/* ---- what Redis says ---- */

/* Those who have come so far may still go first, as they would have if all stood in Redis' line. */
static void set_mark(local_slot *slot, int64_t waiting)
{
    uint64_t mark = atomic_load(&slot->mark);

    if (waiting == 0) {
        local_step(&slot->mark, mark, 0);
    } else if (mark == 0) {
        local_step(&slot->mark, 0, 1 + atomic_load(&slot->tickets));
    }
}

/* The entry is written to only between two exchanges of the answer: one that its owner has given up is freed by us. */
bool lock_turn_answer(local_host *host, const lock_turn_heir *heir, local_answer answer, int64_t fence, int64_t waiting)
{
    local_entry *entry = &host->segment->entries[heir->entry];
    uint64_t pending = local_answer_word(heir->count, LOCAL_PENDING);
    uint64_t awaited = local_answer_word(heir->count, LOCAL_AWAITED);
    uint64_t written = local_answer_word(heir->count, LOCAL_WRITTEN);
    bool is_awaited = false;

    if (host->process != platform_process()) {
        return false;
    }
    if (answer == LOCAL_YES) {
        set_mark(&host->segment->slots[heir->slot], waiting);
    }
    if (!local_step(&entry->answer, pending, written)) {
        is_awaited = local_step(&entry->answer, awaited, written);
        if (!is_awaited) {
            return false; /* the heir went on without */
        }
    }
    LOCAL_POINT();
    entry->fence = fence;
    if (local_step(&entry->answer, written, local_answer_word(heir->count, answer))) {
        if (is_awaited) {
            LOCAL_POINT();
            futex_wake(&entry->answer);
        }
        return true;
    }
    local_entry_free_left(entry, heir->count);
    return false;
}

/* Reads an answer. What is being written is as good as pending. */
static local_answer read_answer(const lock_turn *turn, uint64_t word, int64_t *fence)
{
    const local_entry *entry = local_turn_entry(turn);

    switch (local_count_of(word) == turn->count ? local_answer_of(word) : LOCAL_UNKNOWN) {
    case LOCAL_PENDING:
    case LOCAL_AWAITED:
    case LOCAL_WRITTEN:
        return LOCAL_PENDING;
    case LOCAL_YES:
        *fence = entry->fence;
        return LOCAL_YES;
    case LOCAL_REFUSED:
        return LOCAL_REFUSED;
    default:
        return LOCAL_UNKNOWN;
    }
}

local_answer lock_turn_look(const lock_turn *turn, int64_t *fence)
{
    return read_answer(turn, atomic_load(&local_turn_entry(turn)->answer), fence);
}

void lock_turn_note_answer_time(local_host *host, int64_t took)
{
    atomic_store_explicit(&host->answered_in, took, memory_order_relaxed);
}

/* Looks for an answer that comes soon, as of a server on this machine: to fall asleep and to be woken would take as long. Those
 * who are to bring it may want this very processor; if it is others who want it, whoever sleeps has it back sooner. Returns
 * whether the answer is there. */
static bool look_awake(const lock_turn *turn, int64_t until)
{
    atomic_llong *crowded_until = &turn->host->segment->crowded_until;
    int64_t took = atomic_load_explicit(&turn->host->answered_in, memory_order_relaxed);
    int64_t now = platform_now(), before, ignored;

    until = platform_earlier(until, platform_after(platform_later(turn->sent, 0), ANSWER_SOON));
    if (took == 0 || took > ANSWER_SOON || now < atomic_load_explicit(crowded_until, memory_order_relaxed)) {
        return false;
    }
    while (lock_turn_look(turn, &ignored) == LOCAL_PENDING) {
        if (now >= until) {
            return false;
        }
        before = now;
        futex_yield();
        now = platform_now();
        if (now - before > YIELDED_LONG) {
            atomic_store_explicit(crowded_until, now + CROWDED_TIME, memory_order_relaxed);
        }
    }
    return true;
}

/* Of what is written just now nobody tells: it comes within microseconds, unless the writer stands still. */
local_answer lock_turn_await(lock_turn *turn, int64_t until, int64_t *fence)
{
    atomic_ullong *at = &local_turn_entry(turn)->answer;
    uint64_t awaited = local_answer_word(turn->count, LOCAL_AWAITED), word;
    local_answer answer;
    int64_t now;

    if (!look_awake(turn, until)) {
        local_step(at, local_answer_word(turn->count, LOCAL_PENDING), awaited);
    }
    while ((answer = read_answer(turn, word = atomic_load(at), fence)) == LOCAL_PENDING) {
        now = platform_now();
        if (now >= until) {
            local_step(at, awaited, local_answer_word(turn->count, LOCAL_UNKNOWN));
            answer = lock_turn_look(turn, fence);
            return answer == LOCAL_PENDING ? LOCAL_UNKNOWN : answer;
        }
        LOCAL_POINT();
        futex_wait(at, word, word == awaited ? until : platform_earlier(until, now + PLATFORM_MSEC));
    }
    return answer;
}

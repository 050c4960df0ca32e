/* SPDX-License-Identifier: MIT
 *
 * lock/local/turn: see lock/local/turn.h. How a turn begins; how it ends is in lock/local/succession.c.
 */
#include "lock/local/turn.h"

#include <string.h>

#include "lock/local/check.h"
#include "lock/local/line.h"
#include "lock/local/succession.h"
#include "lock/local/watch.h"
#include "platform/futex.h"
#include "platform/platform.h"

/* How long an entry may be claimed, which takes microseconds if its process runs; and the same behind the deadline. */
#define CLAIM_TIME      (50 * PLATFORM_MSEC)
#define LAST_CLAIM_TIME (5 * PLATFORM_MSEC)

#define SWEEP_PAUSE PLATFORM_SEC /* between two searches for entries of dead processes, of all or of a full line */

/* ---- entries ---- */

/* Takes the entry, if it is free. NULL: it is not. */
static inline lock_turn *take_entry_at(local_host *host, unsigned index)
{
    atomic_ullong *status = &host->segment->entries[index].status;
    unsigned long long before = atomic_load(status);
    uint64_t count = (local_count_of(before) + 1) & LOCAL_COUNT_MAX;
    lock_turn *turn = &host->turns[index];

    if (local_state_of(before) != LOCAL_FREE || atomic_load(&turn->is_used) ||
        !local_step(status, before, local_status(count, host->number, LOCAL_MINE))) {
        return NULL;
    }
    atomic_store_explicit(&turn->is_used, true, memory_order_relaxed);
    turn->host = host;
    turn->entry = index;
    turn->count = count;
    turn->stood = turn->is_takeover = turn->takes_over = false;
    turn->is_known = true;
    atomic_store_explicit(&local_turn_entry(turn)->ends, 0, memory_order_relaxed);
    return turn;
}

/* Takes the entry that was free not long ago, if it is still. */
static inline lock_turn *take_likely_entry(local_host *host)
{
    return take_entry_at(host, atomic_load_explicit(&host->free_hint, memory_order_relaxed) % LOCAL_ENTRIES);
}

static lock_turn *find_entry(local_host *host)
{
    unsigned first = atomic_load_explicit(&host->free_hint, memory_order_relaxed);
    lock_turn *turn = NULL;

    for (unsigned i = 0; turn == NULL && i < LOCAL_ENTRIES; i++) {
        turn = take_entry_at(host, (first + i) % LOCAL_ENTRIES);
    }
    return turn;
}

/* Is it time for another search for the dead? Only one thread is told so. */
static bool is_due(atomic_llong *searched_at)
{
    long long before = atomic_load(searched_at);
    int64_t now = platform_now();

    return now - before >= SWEEP_PAUSE && atomic_compare_exchange_strong(searched_at, &before, now);
}

/* Looks for what dead processes have left, but not often. Returns whether it has. */
static bool sweep(local_host *host)
{
    bool is_time = is_due(&host->swept_at);

    if (is_time) {
        local_host_sweep(host, false);
    }
    return is_time;
}

/* Takes a free entry. NULL: all are in use. */
static lock_turn *take_entry(local_host *host)
{
    lock_turn *turn = find_entry(host);

    return turn == NULL && sweep(host) ? find_entry(host) : turn;
}

/* ---- slots ---- */

/* Becomes the owner of the slot, if it has none. */
static inline bool own_slot(lock_turn *turn, unsigned slot)
{
    turn->slot = slot;
    return local_step(local_turn_owner(turn), 0, turn->owner);
}

typedef enum slot_found { SLOT_OWNED, SLOT_SHARED, SLOT_NONE } slot_found;

/* Finds the slot of a lock in its bucket, or takes one. That which is tried first is mostly the right one. If two
 * processes take two slots for one lock, there are two lines, both of whose heads stand in that of Redis. */
static slot_found find_slot(lock_turn *turn, uint64_t hash)
{
    unsigned home = (unsigned)hash % LOCAL_SLOTS, bucket = home / LOCAL_BUCKET * LOCAL_BUCKET;
    atomic_ullong *owners = turn->host->segment->owners;

    turn->owner = local_owner(turn->entry, turn->count, hash);
    if (own_slot(turn, home)) {
        return SLOT_OWNED;
    }
    for (unsigned i = 0; i < LOCAL_BUCKET; i++) {
        uint64_t owner = atomic_load(&owners[bucket + (home + i) % LOCAL_BUCKET]);
        if (owner != 0 && local_owners_share(owner, turn->owner)) {
            turn->slot = bucket + (home + i) % LOCAL_BUCKET;
            return SLOT_SHARED;
        }
    }
    for (unsigned i = 0; i < LOCAL_BUCKET; i++) {
        if (own_slot(turn, bucket + (home + i) % LOCAL_BUCKET)) {
            return SLOT_OWNED;
        }
    }
    return SLOT_NONE;
}

static uint64_t hash_of(rl_bytes key, const uint64_t identity[2])
{
    return local_mix(local_hash(identity[0], key.at, key.len), identity[1]);
}

/* The slot is looked at before an entry is taken, since it is another's where the lock is wanted. */
lock_turn *lock_turn_begin_alone(local_host *host, rl_bytes key, const uint64_t identity[2])
{
    uint64_t hash = hash_of(key, identity);
    unsigned slot = (unsigned)hash % LOCAL_SLOTS;
    lock_turn *turn;

    if (key.len > LOCAL_KEY_MAX || atomic_load(&host->segment->owners[slot]) != 0 ||
        (turn = take_likely_entry(host)) == NULL) {
        return NULL;
    }
    turn->identity[0] = identity[0];
    turn->identity[1] = identity[1];
    turn->owner = local_owner(turn->entry, turn->count, hash);
    if (!own_slot(turn, slot)) {
        local_turn_free(turn);
        return NULL;
    }
    return turn;
}

/* ---- in line ---- */

/* Writes what whoever passes the lock on is to know. */
static void write_wishes(const lock_turn *turn, const lock_turn_terms *terms)
{
    local_entry *entry = local_turn_entry(turn);

    entry->token_len = (uint32_t)terms->token.len;
    memcpy(entry->token, terms->token.at, terms->token.len);
    entry->key_len = (uint32_t)terms->key.len;
    memcpy(entry->key, terms->key.at, terms->key.len);
    memcpy(entry->identity, terms->identity, sizeof(entry->identity));
    entry->lease = terms->lease;
    atomic_store(&entry->answer, local_answer_word(turn->count, LOCAL_NO_ANSWER));
}

/* Lines up, so that the owner of the slot sees it: either that is told now that others have come, or there is none any
 * more, and it is found out by local_watch(). */
static void line_up(lock_turn *turn)
{
    local_slot *slot = local_turn_slot(turn);
    local_entry *entry = local_turn_entry(turn);

    turn->stood = true;
    atomic_store(&entry->ticket, atomic_fetch_add(&slot->tickets, 1));
    atomic_store(&entry->slot, turn->slot);
    LOCAL_POINT();
    atomic_store(&entry->status, local_turn_status(turn, LOCAL_WAITS));
    local_line_enter(slot, turn->entry);
    local_line_tell(local_turn_owner(turn));
}

/* Copies what is to be known of a lock that is passed on. False: another program has scribbled over it. */
static bool read_grant(lock_turn *turn)
{
    const local_entry *entry = local_turn_entry(turn);

    turn->from_len = local_copy_token(turn->from, entry->from, entry->from_len);
    turn->heir_len = 0;
    turn->before = 0;
    turn->from_sent = entry->from_sent;
    turn->from_duration = entry->from_duration;
    turn->sent = entry->sent;
    turn->since_ms = entry->since_ms;
    turn->is_known = false;
    return entry->check == local_check(entry, turn->count) && turn->from_duration > 0 && turn->from_sent > 0 &&
           turn->from_sent <= turn->sent && turn->sent <= platform_now();
}

/* A wait in line. */
typedef struct line_wait {
    lock_turn *turn;
    const lock_turn_terms *terms;
    local_watch watch;
    int64_t claimed_since; /* 0: it is not */
} line_wait;

/* Ends a wait without a turn. One that has seized the slot while another had claimed it owns that still. */
static lock_turn_verdict give_up(lock_turn *turn, lock_turn_verdict verdict)
{
    lock_turn_leave(turn);
    return verdict;
}

/* Sleeps, so that others see for how long: whoever makes the turn the first wakes it from a long sleep. One that has become the
 * first before they could see that does not fall asleep, but looks again. */
static void sleep_in_line(const lock_turn *turn, uint64_t status, int64_t until)
{
    local_entry *entry = local_turn_entry(turn);

    atomic_store(&entry->ends, until);
    if (!local_line_sleeps_long(until) || local_line_first_awake(turn->host, turn->slot, 0).entry != entry) {
        futex_wait(&entry->status, status, until);
    }
    atomic_store(&entry->ends, 0);
}

/* Asks Redis whether the owner of the slot holds the lock. That one may pass it on meanwhile: the turn finds that out after the
 * answer, unless the next in line has taken its place by then. */
static void ask_for_holder(line_wait *w)
{
    const lock_turn *turn = w->turn;
    const lock_turn_terms *terms = w->terms;
    const rl_bytes token = {turn->from, turn->from_len}, other = {turn->heir, turn->heir_len};
    int64_t held_for = terms->held_for != NULL ? terms->held_for(terms->arg, token, other) : 0;

    local_watch_hear(&w->watch, held_for, platform_now());
}

/* Does one step of a wait in line, while nothing has come of it: LOCK_TURN_ALONE and `goes_on`. */
static lock_turn_verdict wait_in_line(line_wait *w, uint64_t status, bool *goes_on)
{
    lock_turn *turn = w->turn;
    const rl_hook *hook = w->terms->hook;
    int64_t now = platform_now(), wake_at;
    lock_turn_verdict over = LOCK_TURN_OVER;

    *goes_on = true;
    if (hook != NULL && hook->interrupted != NULL && hook->interrupted(hook->arg)) {
        over = LOCK_TURN_INTERRUPTED;
    }
    if (turn->host->process != platform_process()) {
        *goes_on = false; /* the hook has forked, and the place in line is the parent's */
        return LOCK_TURN_INTERRUPTED;
    }
    if (over == LOCK_TURN_OVER && now < w->terms->deadline) {
        switch (local_watch_look(&w->watch, turn, now, &wake_at)) {
        case LOCAL_WATCH_HEAD:
            *goes_on = false;
            return LOCK_TURN_HEAD;
        case LOCAL_WATCH_TAKEN:
            *goes_on = false;
            return LOCK_TURN_GRANTED;
        case LOCAL_WATCH_ELSEWHERE:
            if (local_line_step_out(turn)) {
                *goes_on = false;
                return give_up(turn, LOCK_TURN_ALONE);
            }
            return LOCK_TURN_ALONE;
        case LOCAL_WATCH_ASK:
            ask_for_holder(w);
            return LOCK_TURN_ALONE;
        case LOCAL_WATCH_MOVED:
            return LOCK_TURN_ALONE;
        default:
            LOCAL_POINT();
            wake_at = platform_earlier(wake_at, w->terms->deadline);
            if (hook != NULL && hook->is_silent) {
                wake_at = platform_earlier(wake_at, now + RL_HOOK_INTERVAL);
            }
            sleep_in_line(turn, status, wake_at);
            return LOCK_TURN_ALONE;
        }
    }
    if (local_line_step_out(turn)) {
        *goes_on = false;
        return give_up(turn, over);
    }
    return LOCK_TURN_ALONE;
}

/* Lets go of an entry that is not the turn's any more. If it has seized the slot meanwhile, nobody owns that from now on. */
static void lose_entry(lock_turn *turn)
{
    local_step(local_turn_owner(turn), turn->owner | LOCAL_OWNER_CONTENDED, 0);
    atomic_store_explicit(&turn->is_used, false, memory_order_release);
}

/* Waits for whoever has claimed the entry to be done; for too long, it stands still, or is dead, and the entry is left to
 * it. What the line has noted of it stays: another one may use the entry, and stand there, as soon as it is left. */
static bool wait_claimed(line_wait *w, uint64_t status)
{
    lock_turn *turn = w->turn;
    int64_t now = platform_now();

    w->claimed_since = w->claimed_since != 0 ? w->claimed_since : now;
    if (now < platform_earlier(w->claimed_since + CLAIM_TIME,
                               platform_after(platform_later(w->claimed_since, w->terms->deadline), LAST_CLAIM_TIME))) {
        futex_wait(&local_turn_entry(turn)->status, status, now + PLATFORM_MSEC);
        return true;
    }
    if (!local_step(&local_turn_entry(turn)->status, status, local_with_state(status, LOCAL_LEFT))) {
        return true;
    }
    lose_entry(turn);
    return false;
}

/* Copies the error, as a valid one. */
static void read_error(const local_entry *entry, rl_error *error)
{
    *error = entry->error;
    error->kind = error->kind > RL_OK && error->kind <= RL_REDIRECTED ? error->kind : RL_UNREACHABLE;
    error->code[sizeof(error->code) - 1] = error->text[sizeof(error->text) - 1] = '\0';
}

/* Waits until something comes of it. Entries of a process that was taken for dead are in use by others by now. */
static lock_turn_verdict stand_in_line(line_wait *w, rl_error *error)
{
    lock_turn *turn = w->turn;
    local_entry *entry = local_turn_entry(turn);
    lock_turn_verdict verdict = LOCK_TURN_ALONE;

    for (bool goes_on = true; goes_on;) {
        uint64_t status = atomic_load(&entry->status), mine = local_turn_status(turn, LOCAL_MINE);
        local_state state = local_state_of(status);
        bool is_claimed = state == LOCAL_CLAIMED && local_count_of(status) == turn->count;
        if (!is_claimed && local_with_state(status, LOCAL_MINE) != mine) {
            lose_entry(turn); /* others have taken this process for dead, or whoever has claimed the entry is */
            return LOCK_TURN_ALONE;
        }
        if (state == LOCAL_WAITS) {
            w->claimed_since = 0;
            verdict = wait_in_line(w, status, &goes_on);
        } else if (state == LOCAL_CLAIMED) {
            goes_on = wait_claimed(w, status);
        } else {
            goes_on = !local_step(&entry->status, status, mine);
            if (goes_on) {
                continue;
            }
            switch (state) {
            case LOCAL_GRANTED:
                return read_grant(turn) ? LOCK_TURN_GRANTED : give_up(turn, LOCK_TURN_ALONE);
            case LOCAL_HEAD:
                return LOCK_TURN_HEAD;
            case LOCAL_FAILED:
                read_error(entry, error);
                return give_up(turn, LOCK_TURN_FAILED);
            default:
                return give_up(turn, LOCK_TURN_ALONE);
            }
        }
    }
    return verdict;
}

static bool fits(const lock_turn_terms *terms)
{
    return terms->key.len <= LOCAL_KEY_MAX && terms->token.len <= LOCAL_TOKEN_MAX;
}

/* Are there as many in line as may be? The dead do not count: only the first in line is looked after otherwise. */
static bool is_full(const lock_turn *turn, int64_t max_waiters, int64_t *waiting)
{
    *waiting = lock_turn_waiting(turn);
    if (max_waiters <= 0 || *waiting < max_waiters) {
        return false;
    }
    if (is_due(&turn->host->dropped_at)) {
        local_line_drop_dead(turn->host, turn->slot);
        *waiting = lock_turn_waiting(turn);
    }
    return *waiting >= max_waiters;
}

/* Whoever does not wait asks Redis by itself if another has the lock here. */
lock_turn_verdict lock_turn_enter(local_host *host, const lock_turn_terms *terms, lock_turn **turn,
                                  lock_turn_line *line, rl_error *error)
{
    lock_turn *fresh = fits(terms) ? take_entry(host) : NULL;
    lock_turn_verdict verdict = LOCK_TURN_ALONE;
    unsigned slot;

    *turn = NULL;
    *line = (lock_turn_line){0};
    if (fresh == NULL) {
        return LOCK_TURN_ALONE;
    }
    memcpy(fresh->identity, terms->identity, sizeof(fresh->identity));
    fresh->takes_over = terms->takes_over;
    uint64_t hash = hash_of(terms->key, terms->identity);
    slot_found found = find_slot(fresh, hash);
    if (found == SLOT_NONE && sweep(host)) {
        found = find_slot(fresh, hash);
    }
    switch (found) {
    case SLOT_OWNED:
        *turn = fresh;
        return LOCK_TURN_HEAD;
    case SLOT_SHARED:
        if (terms->deadline > platform_now()) {
            break;
        }
        /* fall through */
    default:
        return give_up(fresh, LOCK_TURN_ALONE);
    }
    slot = fresh->slot;
    if (is_full(fresh, terms->max_waiters, &line->waiting)) {
        return give_up(fresh, LOCK_TURN_FULL);
    }
    line->stood = true;
    write_wishes(fresh, terms);
    line_up(fresh);
    verdict = stand_in_line(&(line_wait){.turn = fresh, .terms = terms}, error);
    if (verdict == LOCK_TURN_OVER) {
        line->waiting = local_line_count(host, slot, UINT64_MAX); /* by now; the turn may be another thread's */
    }
    *turn = verdict == LOCK_TURN_HEAD || verdict == LOCK_TURN_GRANTED ? fresh : NULL;
    return verdict;
}

/* Is the entry in use by the turn still? Not if others have taken this process for dead. */
static bool is_in_use(const lock_turn *turn)
{
    return turn->host->process == platform_process() &&
           atomic_load(&local_turn_entry(turn)->status) == local_turn_status(turn, LOCAL_MINE);
}

/* It may be killed while it writes, so nobody may take over then, nor read it. */
void lock_turn_let_take_over(lock_turn *turn, rl_bytes token, int64_t lease)
{
    local_entry *entry = local_turn_entry(turn);
    uint32_t from_len = turn->is_known ? 0 : turn->from_len;

    if (!turn->host->is_kept || token.len > LOCAL_TOKEN_MAX || !is_in_use(turn)) {
        return;
    }
    lock_turn_let_nobody_take_over(turn);
    LOCAL_POINT();
    entry->token_len = (uint32_t)token.len;
    memcpy(entry->token, token.at, token.len);
    entry->from_len = from_len;
    memcpy(entry->from, turn->from, from_len);
    entry->lease = turn->is_known ? lease : platform_later(lease, platform_later(turn->from_duration, turn->before));
    entry->check = local_check(entry, turn->count);
    atomic_store(&entry->slot, turn->slot);
    LOCAL_POINT();
    atomic_store(&entry->takeover, local_takeover_word(turn->count, LOCAL_TAKEOVER));
}

void lock_turn_let_nobody_take_over(lock_turn *turn)
{
    if (is_in_use(turn)) {
        atomic_store(&local_turn_entry(turn)->takeover, local_takeover_word(turn->count, LOCAL_NO_TAKEOVER));
    }
}

/* An answer that is written just now would come later, as if to what the caller has by then. */
bool lock_turn_begin_anew(lock_turn *turn)
{
    atomic_ullong *answer = &local_turn_entry(turn)->answer;
    uint64_t refused = local_answer_word(turn->count, LOCAL_REFUSED),
             written = local_answer_word(turn->count, LOCAL_WRITTEN);

    lock_turn_hold(turn, 0);
    lock_turn_let_nobody_take_over(turn);
    local_step(answer, refused, local_answer_word(turn->count, LOCAL_NO_ANSWER));
    uint64_t left = atomic_load(answer);
    return left != written && left != refused;
}

int64_t lock_turn_waiting(const lock_turn *turn)
{
    return local_line_count(turn->host, turn->slot, UINT64_MAX);
}

/* Two lines of one lock are rare, and both count. Whoever asks so does not wait, and has time to look who is dead. */
int64_t lock_turn_waiting_for(local_host *host, rl_bytes key, const uint64_t identity[2])
{
    uint64_t hash = hash_of(key, identity), owner = local_owner(0, 0, hash);
    unsigned bucket = (unsigned)hash % LOCAL_SLOTS / LOCAL_BUCKET * LOCAL_BUCKET;
    int64_t waiting = 0;

    for (unsigned slot = bucket; slot < bucket + LOCAL_BUCKET; slot++) {
        if (local_owners_share(atomic_load(&host->segment->owners[slot]), owner)) {
            local_line_drop_dead(host, slot);
            waiting += local_line_count(host, slot, UINT64_MAX);
        }
    }
    return waiting;
}

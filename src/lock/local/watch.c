/* SPDX-License-Identifier: MIT
 *
 * lock/local/watch: see lock/local/watch.h.
 */
#include "lock/local/watch.h"

#include "lock/local/check.h"
#include "lock/local/entry.h"
#include "lock/local/line.h"
#include "platform/platform.h"

#define LOOK              (40 * PLATFORM_MSEC) /* between two looks of the first in line; times the place for another one */
#define LOOK_LATER        PLATFORM_SEC         /* the same where nothing has moved for long */
#define LOOK_MOST         (10 * PLATFORM_SEC)    /* between two looks of one far behind */
#define LOOK_TO_TAKE_OVER (30 * PLATFORM_MSEC)   /* as LOOK, of the first that takes over from a dead holder */
#define UNSURE_TIME       (100 * PLATFORM_MSEC)  /* within which a holder has written, or children of a dead one end */
#define LOOK_UNSURE       (5 * PLATFORM_MSEC)    /* between two looks whether they have, or it has */
#define UNHEARD_TIME      PLATFORM_SEC           /* until Redis is asked again that did not answer */
#define BEGIN_TIME        (20 * PLATFORM_MSEC)   /* within which whoever is granted a lock begins, if it runs */
#define ANSWER_TIME       PLATFORM_SEC           /* within which it is known what Redis says to that */
#define HEAD_TIME         (100 * PLATFORM_MSEC)  /* within which a head stands up */
#define STUCK_TIME        (1500 * PLATFORM_MSEC) /* within which one that is awake goes to sleep, if it runs */

/* How long the owner of a slot may take, be it that it asks Redis or holds the lock, before another one asks too. It may
 * stand still, and then would hold up all behind it; or the lock was taken from it, of which nobody is told here. A waiter that
 * would take over from a holder only asks whether that has the lock still: in Redis' line it could not take over. */
#define OWNER_TIME (3 * PLATFORM_SEC)

static bool step_turn(const lock_turn *turn, local_state from, local_state to)
{
    return local_step(&local_turn_entry(turn)->status, local_turn_status(turn, from), local_turn_status(turn, to));
}

/* Makes the turn the owner of its slot in place of another, or of none, if nobody claims it meanwhile. */
static local_watch_found seize(lock_turn *turn, uint64_t owner)
{
    if (owner != (turn->owner | LOCAL_OWNER_CONTENDED) &&
        !local_step(local_turn_owner(turn), owner, turn->owner | LOCAL_OWNER_CONTENDED)) {
        return LOCAL_WATCH_MOVED;
    }
    /* Whoever has claimed the turn finds that the slot is ours, and lets go. */
    return local_line_step_out(turn) ? LOCAL_WATCH_HEAD : LOCAL_WATCH_NOTHING;
}

/* Notes what the lock was passed on from, and to whom that did not begin: Redis may have either token. */
static void inherit(lock_turn *turn, const local_entry *heir)
{
    turn->from_len = local_copy_token(turn->from, heir->from, heir->from_len);
    turn->heir_len = local_copy_token(turn->heir, heir->token, heir->token_len);
    turn->since_ms = heir->since_ms;
    turn->before = platform_later(heir->from_duration, heir->lease);
    turn->from_sent = turn->from_duration = turn->sent = 0;
}

/* Takes the slot from its owner, and claims the entry of that. It is out of line first, so that nobody passes another lock on
 * to it meanwhile. LOCAL_WATCH_TAKEN: it has; LOCAL_WATCH_HEAD: the entry has changed, so the turn is the head. */
static local_watch_found take_place(lock_turn *turn, uint64_t owner, const local_waiter *before)
{
    if (!step_turn(turn, LOCAL_WAITS, LOCAL_MINE)) {
        return LOCAL_WATCH_MOVED;
    }
    if (!local_step(local_turn_owner(turn), owner, turn->owner | LOCAL_OWNER_CONTENDED)) {
        step_turn(turn, LOCAL_MINE, LOCAL_WAITS);
        return LOCAL_WATCH_MOVED;
    }
    local_line_leave(local_turn_slot(turn), turn->entry);
    local_line_wake_first(turn->host, turn->slot);
    turn->is_known = !local_line_claim(turn->host, before);
    return turn->is_known ? LOCAL_WATCH_HEAD : LOCAL_WATCH_TAKEN;
}

/* Takes the lock from an owner to which it was passed on and that did not begin. Whoever passed the lock on hears, if it comes
 * at last, that nobody waits for what it knows. */
static local_watch_found take_grant(lock_turn *turn, uint64_t owner, uint64_t status)
{
    unsigned index = local_owner_entry(owner);
    local_entry *entry = &turn->host->segment->entries[index];
    const local_waiter heir = {.entry = entry, .index = index, .status = status};
    uint64_t count = local_count_of(status);
    local_watch_found found = take_place(turn, owner, &heir);

    if (found == LOCAL_WATCH_TAKEN) {
        inherit(turn, entry);
        local_step(&entry->answer, local_answer_word(count, LOCAL_PENDING), local_answer_word(count, LOCAL_UNKNOWN));
        local_line_release(turn->host, &heir, LOCAL_SENT_AWAY);
    }
    return found;
}

/* ---- takeovers ---- */

/* Have both agreed that the turn may take the lock from the owner, a holder, if nobody is left of its process? */
static bool agree(const lock_turn *turn, const local_entry *holder, uint64_t status)
{
    uint64_t word = local_takeover_word(local_count_of(status), LOCAL_TAKEOVER);

    return turn->takes_over && atomic_load(&((local_entry *)holder)->takeover) == word;
}

/* Is it to be seen shortly whether the holder may be taken over? Somebody may be left of a dead one who is about to end,
 * too: the system frees what a process has locked one by one, and children may be killed along with it. One that lives may
 * write just now what it lets others know. */
static bool is_unsure(local_watch *watch, int64_t now, int64_t *again_at)
{
    watch->unsure_since = watch->unsure_since != 0 ? watch->unsure_since : now;
    *again_at = platform_earlier(*again_at, now + LOOK_UNSURE);
    return now - watch->unsure_since < UNSURE_TIME;
}

/* Notes the tokens that the lock may have. False: another program has scribbled over them. */
static bool note_holder(lock_turn *turn, const local_entry *holder, uint64_t count)
{
    turn->from_len = local_copy_token(turn->from, holder->token, holder->token_len);
    turn->heir_len = local_copy_token(turn->heir, holder->from, holder->from_len);
    turn->before = holder->lease;
    turn->from_sent = turn->from_duration = turn->sent = 0;
    return holder->check == local_check(holder, count) && holder->lease > 0;
}

/* Takes the lock over from a holder that is dead. The tokens are read while its entry is claimed: it may be in use by another
 * one otherwise, whose lock is not to be taken. */
static local_watch_found take_over(lock_turn *turn, uint64_t owner, uint64_t status)
{
    unsigned index = local_owner_entry(owner);
    local_entry *entry = &turn->host->segment->entries[index];
    const local_waiter dead = {.entry = entry, .index = index, .status = status};
    uint64_t count = local_count_of(status);
    local_watch_found found = take_place(turn, owner, &dead);

    if (found == LOCAL_WATCH_TAKEN) {
        turn->is_takeover = note_holder(turn, entry, count);
        turn->is_known = !turn->is_takeover;
        local_entry_free(entry, local_status(count, turn->host->number, LOCAL_CLAIMED));
        found = turn->is_takeover ? found : LOCAL_WATCH_HEAD;
    }
    return found;
}

/* Has Redis refused the owner the lock that was passed on to it? One that looks goes on as the head, and has no answer then. */
static bool was_refused(const local_watch *watch)
{
    return watch->answer == local_answer_word(local_count_of(watch->status), LOCAL_REFUSED);
}

/* May Redis be asked whether the holder has the lock still, and would it be taken over otherwise? Not of one of this process,
 * which nobody here outlives. */
static bool may_be_asked_for(const local_watch *watch, const lock_turn *turn)
{
    return turn->takes_over && !watch->is_not_held && !was_refused(watch) &&
           local_process_of(watch->status) != turn->host->number;
}

/* Reads the tokens that the holder may have, which lives, and so may write them just now. False: it does, or lets nobody take
 * over. */
static bool read_holder(lock_turn *turn, const local_entry *holder, uint64_t status)
{
    return agree(turn, holder, status) && note_holder(turn, holder, local_count_of(status)) &&
           agree(turn, holder, status);
}

/* Is it known what Redis said to the passing of the lock? */
static bool is_answered(const local_entry *heir)
{
    local_answer answer = local_answer_of(atomic_load(&((local_entry *)heir)->answer));

    return answer != LOCAL_PENDING && answer != LOCAL_AWAITED && answer != LOCAL_WRITTEN;
}

/* When to look again: each look of many costs, so they become rarer where nothing moves. Of those that take over, the first
 * is to see a death soon, the second is to see soon that it is the first now, and so is one that has just come. Whoever has
 * become the first since it looked is woken if it would sleep for long: see local_line_wake_first(). */
static int64_t next_look(const local_watch *watch, const lock_turn *turn, int64_t since, int64_t now, int64_t before)
{
    int64_t pause = platform_later(LOOK, platform_earlier((now - since) / 4, LOOK_LATER));
    int64_t span = platform_earlier((1 + before) * pause, LOOK_MOST);

    if (turn->takes_over && before < 2) {
        span = platform_earlier(span, (1 + 7 * before) * LOOK_TO_TAKE_OVER);
    }
    if (now - watch->came < PLATFORM_SEC) {
        int64_t most = turn->takes_over ? platform_later(LOOK_TO_TAKE_OVER, (now - watch->came) / 4) : LOOK_LATER;
        span = platform_earlier(span, most);
    }
    return now + span;
}

/* Until when an owner whose entry is in use by it may go on as it does, before another one takes its place. */
static int64_t time_of_owner(const local_watch *watch, const local_entry *entry)
{
    switch (local_state_of(watch->status)) {
    case LOCAL_GRANTED:
        return watch->since + (is_answered(entry) ? BEGIN_TIME : ANSWER_TIME);
    case LOCAL_MINE:
        if (was_refused(watch)) {
            return watch->heard_at + BEGIN_TIME;
        }
        if (watch->holds_until != 0) {
            return watch->holds_until;
        }
        return watch->ends != 0 ? platform_earlier(watch->ends, watch->heard_at + OWNER_TIME)
                                : watch->heard_at + OWNER_TIME;
    default:
        return watch->since + HEAD_TIME;
    }
}

/* Notes the owner, and what is said of it: if that is something else than before, it goes on. */
static void note_owner(local_watch *watch, const lock_turn *turn, int64_t now)
{
    uint64_t owner = atomic_load(local_turn_owner(turn));
    local_entry *entry = &turn->host->segment->entries[local_owner_entry(owner)];
    uint64_t status = atomic_load(&entry->status);
    uint64_t answer = atomic_load(&entry->answer);
    int64_t ends = atomic_load(&entry->ends);

    if (watch->owner != owner || watch->status != status) {
        watch->owner = owner;
        watch->status = status;
        watch->since = now;
        watch->unsure_since = 0;
    } else if (watch->ends == ends && watch->answer == answer) {
        return;
    }
    watch->ends = ends;
    watch->answer = answer;
    watch->heard_at = now;
    watch->holds_until = 0;
    watch->is_unheard = watch->is_not_held = false;
}

/* Redis counts in ms, and the last one may be a part of it. */
void local_watch_hear(local_watch *watch, int64_t held_for, int64_t now)
{
    if (held_for < 0 && !watch->is_unheard) {
        watch->is_unheard = true;
        watch->holds_until = now + UNHEARD_TIME;
        return;
    }
    watch->is_unheard = false;
    watch->is_not_held = held_for <= 0;
    watch->holds_until =
        held_for <= 0 ? 0 : now + platform_earlier(platform_later(held_for, PLATFORM_MSEC), OWNER_TIME);
}

/* Looks at an owner whose entry is in use by it. */
static local_watch_found look_at_owner(local_watch *watch, lock_turn *turn, int64_t now, int64_t *again_at)
{
    const local_entry *entry = &turn->host->segment->entries[local_owner_entry(watch->owner)];
    bool is_alive = local_host_is_alive(turn->host, local_process_of(watch->status));

    int64_t until = time_of_owner(watch, entry);

    *again_at = now > until ? *again_at : platform_earlier(*again_at, until + 1);
    switch (local_state_of(watch->status)) {
    case LOCAL_GRANTED: /* what is still to be answered is awaited of a dead one, too */
        return now > until || (!is_alive && is_answered(entry)) ? take_grant(turn, watch->owner, watch->status)
                                                                : LOCAL_WATCH_NOTHING;
    case LOCAL_MINE:
        if (!is_alive && agree(turn, entry, watch->status)) {
            if (local_host_is_proven_dead(turn->host, local_process_of(watch->status))) {
                return take_over(turn, watch->owner, watch->status);
            }
            if (is_unsure(watch, now, again_at)) {
                return LOCAL_WATCH_NOTHING;
            }
        }
        if (is_alive && now > until && may_be_asked_for(watch, turn)) {
            if (read_holder(turn, entry, watch->status)) {
                watch->unsure_since = 0;
                return LOCAL_WATCH_ASK;
            }
            if (is_unsure(watch, now, again_at)) {
                return LOCAL_WATCH_NOTHING;
            }
        }
        /* fall through */
    case LOCAL_HEAD:
    case LOCAL_CLAIMED:
        return now > until || !is_alive ? seize(turn, watch->owner) : LOCAL_WATCH_NOTHING;
    default:
        return seize(turn, watch->owner);
    }
}

/* Since when has nothing moved: for the first in line the owner of the slot, for another one the time since it came. */
static int64_t unmoved_since(local_watch *watch, int64_t before, int64_t now)
{
    watch->came = watch->came != 0 ? watch->came : now;
    if (before > 0) {
        watch->leads_since = 0;
        return watch->came;
    }
    watch->leads_since = watch->leads_since != 0 ? watch->leads_since : now;
    return platform_later(watch->since, watch->leads_since);
}

/* Has that waiter, which is awake, not gone to sleep for long? Each of its sleeps has another end. */
static bool is_stuck(local_watch *watch, const local_waiter *first, int64_t now)
{
    int64_t sleeps = atomic_load(&first->entry->ends);

    if (watch->first_since == 0 || watch->first != first->ticket || watch->first_sleeps != sleeps) {
        watch->first = first->ticket;
        watch->first_sleeps = sleeps;
        watch->first_since = now;
    }
    return now - watch->first_since > STUCK_TIME;
}

/* Does another one stand in line before the turn that goes on? */
static bool is_led(local_watch *watch, const lock_turn *turn, uint64_t ticket, int64_t now)
{
    local_waiter first = local_line_first_awake(turn->host, turn->slot, watch->stuck);

    if (first.entry != NULL && first.ticket < ticket && is_stuck(watch, &first, now)) {
        watch->stuck = first.ticket + 1;
        first = local_line_first_awake(turn->host, turn->slot, watch->stuck);
    }
    return first.entry != NULL && first.ticket < ticket;
}

/* Returns how many stand in line before the turn; none if they all stand still. Those who come need not look at others: others
 * will. */
static int64_t count_before(local_watch *watch, const lock_turn *turn, int64_t now)
{
    uint64_t ticket = atomic_load(&local_turn_entry(turn)->ticket);
    int64_t before = local_line_count(turn->host, turn->slot, ticket);

    if (before > 0 && watch->came != 0) {
        local_line_first_alive(turn->host, turn->slot);
        local_line_wake_first(turn->host, turn->slot);
        before = is_led(watch, turn, ticket, now) ? local_line_count(turn->host, turn->slot, ticket) : 0;
    }
    return before;
}

/* A head that was seized from finds so when it comes: it is then another one that asks Redis, which does no harm. An owner
 * may not have heard of those in line: see leave_to_nobody(). */
local_watch_found local_watch_look(local_watch *watch, lock_turn *turn, int64_t now, int64_t *again_at)
{
    int64_t before = count_before(watch, turn, now);

    note_owner(watch, turn, now);
    uint64_t owner = watch->owner;
    *again_at = next_look(watch, turn, unmoved_since(watch, before, now), now, before);
    if (owner == 0 || (owner & ~LOCAL_OWNER_CONTENDED) == turn->owner) {
        return seize(turn, owner);
    }
    if (!local_owners_share(owner, turn->owner)) {
        return LOCAL_WATCH_ELSEWHERE;
    }
    if ((owner & LOCAL_OWNER_CONTENDED) == 0) {
        local_line_tell(local_turn_owner(turn));
        return LOCAL_WATCH_MOVED;
    }
    if (before > 0) {
        return LOCAL_WATCH_NOTHING;
    }
    return local_owner_uses(owner, watch->status) ? look_at_owner(watch, turn, now, again_at) : seize(turn, owner);
}

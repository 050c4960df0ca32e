/* SPDX-License-Identifier: MIT
 *
 * lock/all: see lock/all.h.
 */
#include "lock/all.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "lock/attempt.h"
#include "lock/keys.h"
#include "lock/replicas.h"
#include "platform.h"
#include "redis/repeat.h"
#include "redis/scripts.h"
#include "redis/session.h"

/* Room for the arguments of any request: per lock at most 4 keys, a token and a baton; for all together at most 4. */
#define ARGS_EACH 6
#define ARGS_ALL  4

/* A lock that is being taken: its keys, and the token and baton by which a script takes or releases it. */
typedef struct all_entry {
    lock_keys keys;
    char *note_memory; /* storage of the key of its note of extensions; NULL until that is needed */
    char token[LOCK_TOKEN_LEN];
    char baton[LOCK_BATON_LEN];
} all_entry;

/* One lock_acquire_all() under way. */
typedef struct all_op {
    const lock_client *client;
    lock_all_item *items;
    all_entry *entries; /* one per item */
    size_t count;       /* of items */
    size_t taken;       /* how many of the locks are ours: the first ones */
    int64_t duration;
    rl_clock clock;
    int64_t last_good; /* when the server last gave a good answer; 0: not yet */
    bool
        one_server; /* a script takes, extends or releases all locks; otherwise each is acquired for itself: over several
                          servers, in several slots of a cluster, or in a slot that moves */
    bool waits;
    bool waited;          /* the call has waited for a lock: those taken before may have been lost meanwhile */
    bool lost;            /* a lock that was taken before is lost */
    bool reply_lost;      /* the reply to the last request of all_ask(), or to an earlier sending of it, is missing */
    bool outcome_unknown; /* the script may have taken the locks from `taken` on, under their present tokens */
    int64_t process;      /* the process that made the call: PHP code that runs during a wait may fork */
    size_t about;         /* index of the item that the error concerns, or `count` */
    rl_error *error;

    rl_bytes *args;            /* arguments of the request under way */
    size_t argc;               /* how many of `args` are set */
    char digits[2][RL_DIGITS]; /* storage of the numbers among `args` */

    rl_session session; /* with the one server; open only while that is asked. Not zeroed at the start: it is large */
} all_op;

/* ---- requests ---- */

static void all_add(all_op *all, rl_bytes arg)
{
    all->args[all->argc++] = arg;
}

static void all_add_number(all_op *all, int64_t number, char *digits)
{
    all_add(all, rl_decimal(number, digits));
}

/* Begins a request about the locks from `from` up to, but without, `to`: adds their keys and, if `fences`, those of
 * their fences behind them. */
static void all_request_begin(all_op *all, rl_request *request, const rl_script *script, size_t from, size_t to,
                              bool fences)
{
    all->argc = 0;
    for (size_t i = from; i < to; i++) {
        all_add(all, all->entries[i].keys.lock);
        all_add(all, all->entries[i].keys.baton);
        all_add(all, all->entries[i].keys.wait);
    }
    for (size_t i = from; fences && i < to; i++) {
        all_add(all, all->entries[i].keys.fence);
    }
    *request = (rl_request){.script = script, .keys = (unsigned)all->argc, .more = all->args};
}

static void all_request_end(all_op *all, rl_request *request)
{
    request->more_count = all->argc;
}

static rl_bytes all_token_of(const all_op *all, size_t i)
{
    const lock_lease *lease = &all->items[i].lease;

    return i < all->taken ? (rl_bytes){lease->token, lease->token_len}
                          : (rl_bytes){all->entries[i].token, LOCK_TOKEN_LEN};
}

static void all_take_request(all_op *all, rl_request *request)
{
    size_t rest = all->count - all->taken;

    all_request_begin(all, request, &rl_script_acquire_all, all->taken, all->count, all->client->fencing);
    all_add_number(all, (int64_t)rest, all->digits[0]);
    all_add_number(all, rl_span_ms(all->duration), all->digits[1]);
    all_add(all, all->waits ? RL_LITERAL("1") : RL_LITERAL("0"));
    all_add(all, all->outcome_unknown ? RL_LITERAL("1") : RL_LITERAL("0"));
    for (size_t i = all->taken; i < all->count; i++) {
        all_add(all, all_token_of(all, i));
    }
    all_request_end(all, request);
}

/* Adds the keys of the notes of extensions beside the locks from `from` up to, but without, `to`; all_close() frees them. */
static void all_add_notes(all_op *all, rl_request *request, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        free(all->entries[i].note_memory);
        all_add(all, lock_note_key(all->entries[i].keys.lock, &all->entries[i].note_memory));
    }
    request->keys = (unsigned)all->argc;
}

/* Makes `request` the script that extends all locks that are ours. Its arguments stand in all->args until the next
 * request is made; all_close() frees the keys of the notes. */
static void all_extend_request(all_op *all, rl_request *request)
{
    lock_extension extension = lock_extension_begin(all->client);

    for (size_t i = 0; i < all->taken; i++) {
        all->items[i].lease.is_noted |= extension.doubts;
    }
    all_request_begin(all, request, &rl_script_extend_all, 0, all->taken, false);
    all_add_notes(all, request, 0, all->taken);
    all_add_number(all, rl_span_ms(all->duration), all->digits[0]);
    all_add(all, extension.source);
    all_add_number(all, extension.at, all->digits[1]);
    all_add(all, extension.doubts ? RL_LITERAL("1") : RL_LITERAL("0"));
    for (size_t i = 0; i < all->taken; i++) {
        all_add(all, all_token_of(all, i));
    }
    all_request_end(all, request);
}

/* Of the locks that are ours, the first one was extended if any was. */
static bool all_may_have_notes(const all_op *all)
{
    return all->taken > 0 && lock_lease_may_have_note(&all->items[0].lease, all->client);
}

/* Makes `request` the release of the locks from `from` up to, but without, `to`. Those that are not ours yet have no
 * note. */
static void all_release_request(all_op *all, size_t from, size_t to, rl_request *request)
{
    all_request_begin(all, request, &rl_script_release_all, from, to, false);
    if (from < all->taken && all_may_have_notes(all)) {
        all_add_notes(all, request, from, to);
    }
    for (size_t i = from; i < to; i++) {
        all_add(all, all_token_of(all, i));
    }
    for (size_t i = from; i < to; i++) {
        lock_random_baton(all->entries[i].baton);
        all_add(all, (rl_bytes){all->entries[i].baton, LOCK_BATON_LEN});
    }
    all_request_end(all, request);
}

/* Returns whether a call that waits has no answer only since the server is slow now that the time is over, at `end`. What was
 * sent last is undone behind it. */
static bool all_is_only_slow(const all_op *all, int64_t end)
{
    return all->waits && all->error->kind == RL_TIMED_OUT && all->last_good != 0 &&
           rl_clock_is_only_slow(&all->client->target, all->last_good, end);
}

/* Opens a session with the one server, and returns the request to be filled. */
static rl_request *all_session_open(all_op *all)
{
    all->about = all->count;
    rl_session_open(&all->session, &all->client->target, 1, 1, all->entries[0].keys.lock);
    return rl_session_request(&all->session, 0);
}

/* Sends the request of the open session, which may be sent twice and is answered by a number. The caller closes the session.
 * LOCK_YES: `number` is set. LOCK_FAILED: all->error says why. */
static lock_outcome all_ask(all_op *all, int64_t deadline, const rl_policy *policy, long long *number)
{
    rl_clock clock = {.deadline = deadline, .hard_deadline = all->clock.hard_deadline};
    bool good = rl_session_ask(&all->session, &clock, policy, all->error);

    all->reply_lost = !good || rl_session_was_repeated(&all->session, 0);
    if (good) {
        *number = all->session.calls[0].reply->integer;
        all->last_good = platform_now();
    }
    return good ? LOCK_YES : LOCK_FAILED;
}

/* Waits until enough replicas have the leases that the last request of the open session, sent at `sent`, has set. Otherwise the
 * call fails, and gives back all locks. */
static lock_outcome all_await_replicas(all_op *all, int64_t sent)
{
    const lock_replicated set = {"the locks", sent, all->duration, all->clock.deadline, &all->client->target.hook};

    return lock_replicas_await(&all->session, all->client, &set, all->error);
}

/* ---- taking ---- */

/* Leaves to the backlog the release of what the script may have taken without telling. In a forked child it is the
 * parent's. */
static void all_release_untold_later(const all_op *all)
{
    if (!all->outcome_unknown || all->process != platform_process()) {
        return;
    }
    for (size_t i = all->taken; i < all->count; i++) {
        rl_bytes token = {all->entries[i].token, LOCK_TOKEN_LEN};
        lock_release_token_later(all->client, all->items[i].name, token, all->duration);
    }
}

/* Replaces the tokens of the locks that are not ours. Those under which a lock may have been taken go to the backlog,
 * since nobody learns whether their undo was carried out. */
static void all_draw_tokens(all_op *all)
{
    all_release_untold_later(all);
    for (size_t i = all->taken; i < all->count; i++) {
        lock_random_token(all->entries[i].token);
    }
    all->outcome_unknown = false;
}

/* Fills the leases of the locks that the script has taken, and counts them in all->taken. Returns false where the
 * script failed or its reply is malformed. */
static bool all_note_taken(all_op *all, int64_t sent)
{
    rl_call *call = all->session.calls;
    const redisReply *reply = call->reply;
    size_t rest = all->count - all->taken;

    if (call->error.kind != RL_OK) {
        return false;
    }
    if (reply->type != REDIS_REPLY_ARRAY || reply->elements != 2 || reply->element[0]->type != REDIS_REPLY_INTEGER ||
        reply->element[1]->type != REDIS_REPLY_INTEGER || reply->element[0]->integer < 0 ||
        reply->element[0]->integer > (long long)rest || reply->element[1]->integer < 0) {
        call->error = RL_WRONG_REPLY;
        return false;
    }
    all->client->stats->acquired += (uint64_t)reply->element[0]->integer;
    for (long long n = reply->element[0]->integer; n > 0; n--, all->taken++) {
        rl_bytes token = {all->entries[all->taken].token, LOCK_TOKEN_LEN};
        lock_lease_fill(&all->items[all->taken].lease, token, sent, all->duration, reply->element[1]->integer);
        all->items[all->taken].lease.is_drawn = true;
    }
    return true;
}

/* Undoes what the script may have done, behind it on the same connection, and closes that. Does so after an error
 * reply too. The undo may run late, so tokens that it names are replaced. A server that refuses all for a while leaves nothing
 * to the backlog: that would fill up with releases of what was never taken. */
static void all_undo_take(all_op *all)
{
    const rl_error *error = &all->session.calls[0].error;
    rl_request undo;

    all->outcome_unknown |= !rl_error_passed_before_running(error) && error->kind != RL_REFUSED;
    all_release_request(all, all->taken, all->count, &undo);
    if (rl_session_close_after(&all->session, &undo, rl_clock_cleanup(&all->clock))) {
        all_draw_tokens(all);
    }
}

/* Does the work of all_take_free() over the open session. LOCK_YES: the script has answered, and all->taken counts
 * what it took, if anything; or it cannot run since the slot moves, and each lock is asked for by itself from now on. Otherwise
 * what it may have taken without telling is undone: LOCK_BUSY from a server that is only
 * slow, LOCK_INTERRUPTED, or LOCK_FAILED with all->error. */
static lock_outcome all_take_free_on(all_op *all)
{
    const rl_target *target = &all->client->target;
    const rl_policy taking = {.hook = &target->hook};
    rl_repeat repeat;

    rl_repeat_begin(&repeat, RL_REPEAT_LOST, target, all->clock.deadline, &target->hook);
    for (;;) {
        int64_t now = platform_now();
        size_t before = all->taken;
        all_take_request(all, rl_session_request(&all->session, 0));
        rl_clock_ask(&all->clock, target, now);
        rl_session_round(&all->session, &all->clock, &taking);
        if (all_note_taken(all, now)) {
            all->last_good = platform_now();
            return all->taken > before ? all_await_replicas(all, now) : LOCK_YES;
        }
        *all->error = all->session.calls[0].error;
        all_undo_take(all);
        if (rl_error_is_of_moving_slot(all->error) && rl_session_is_moving(&all->session)) {
            all->one_server = false;
            return LOCK_YES;
        }
        if (all_is_only_slow(all, all->clock.deadline)) {
            return LOCK_BUSY;
        }
        if (!rl_repeat_again(&repeat, all->error)) {
            return all->error->kind == RL_INTERRUPTED ? LOCK_INTERRUPTED : LOCK_FAILED;
        }
    }
}

/* Takes the remaining locks by one script: all or none, or, for a call that waits, those before the first that is
 * held. Again after a lost reply as long as there is time. For what it returns see all_take_free_on(). */
static lock_outcome all_take_free(all_op *all)
{
    all_session_open(all);
    lock_outcome outcome = all_take_free_on(all);
    rl_session_close(&all->session);
    return outcome;
}

/* ---- waiting ---- */

/* Returns until when an extension that begins at `now` may take, less the grace for the final reply. At the deadline
 * there is still time for one reply, but for no more than the call may take in all. */
static int64_t all_extend_deadline(const all_op *all, int64_t now)
{
    int64_t deadline =
        platform_later(platform_earlier(all->clock.deadline, platform_after(now, lock_budget(all->client))), now);

    return platform_earlier(deadline, platform_after(all->clock.deadline, RL_CLEANUP_BUDGET - RL_FINAL_REPLY_GRACE));
}

/* Has the script over all locks not run since their slot moves, so that each lock is asked about by itself from now on? */
static bool all_is_left_by_script(const all_op *all, lock_outcome outcome)
{
    return outcome == LOCK_FAILED && rl_error_is_of_moving_slot(all->error) && rl_session_is_moving(&all->session);
}

/* Renews the leases of the locks that are ours. LOCK_LATE: one of them was lost. After an extension without a reply,
 * later ones are told that it may still arrive. */
static lock_outcome all_extend_taken(all_op *all)
{
    static const rl_policy extending = {.judge = rl_judge_count, .repeats = true, .leaves_moving = true};
    int64_t now = platform_now();
    lock_outcome outcome = LOCK_YES;
    long long done = 1;

    if (all->one_server) {
        all_extend_request(all, all_session_open(all));
        outcome = all_ask(all, all_extend_deadline(all, now), &extending, &done);
        all->one_server = !all_is_left_by_script(all, outcome);
        if (all->reply_lost && (all->one_server || rl_session_was_repeated(&all->session, 0))) {
            lock_extension_doubt(all->client->extensions);
        }
        for (size_t i = 0; outcome == LOCK_YES && done && i < all->taken; i++) {
            lock_lease_set(&all->items[i].lease, now, all->duration);
        }
        if (outcome == LOCK_YES && done) {
            outcome = all_await_replicas(all, now); /* otherwise all are given back, by the leases that they have now */
        }
        rl_session_close(&all->session);
        outcome = all->one_server ? outcome : LOCK_YES;
    }
    if (all->one_server) {
        all->lost = outcome == LOCK_YES && !done;
        all->client->stats->lost += all->lost;
        return all->lost ? LOCK_LATE : outcome;
    }
    for (size_t i = 0; outcome == LOCK_YES && i < all->taken; i++) {
        now = platform_now();
        int64_t deadline = all_extend_deadline(all, now);
        all->about = i;
        if (now > deadline) {
            *all->error = (rl_error){RL_TIMED_OUT, "", "no answer in time"};
            return LOCK_FAILED;
        }
        outcome = lock_extend(all->client, all->items[i].name, &all->items[i].lease, all->duration, deadline - now,
                              all->error);
    }
    all->lost = outcome == LOCK_NOT_OWNED;
    return all->lost ? LOCK_LATE : outcome;
}

/* The same. LOCK_BUSY: it failed only since the server is slow now that the time is over. */
static lock_outcome all_keep_taken(all_op *all)
{
    lock_outcome kept = all_extend_taken(all);

    return kept == LOCK_FAILED && all_is_only_slow(all, all->clock.deadline) ? LOCK_BUSY : kept;
}

/* Returns the earliest time at which `part` of the lease of one of our locks is over; PLATFORM_NEVER where leases do
 * not end. */
static int64_t all_worn_at(const all_op *all, int64_t part)
{
    int64_t first = PLATFORM_NEVER;

    for (size_t i = 0; all->duration != PLATFORM_NEVER && i < all->taken; i++) {
        first = platform_earlier(first, all->items[i].lease.sent + part);
    }
    return first;
}

/* Acquires the next lock, waiting for it for up to `timeout`. A call that does not wait has one time budget for all
 * locks. `refusal` is filled with LOCK_BUSY. */
static lock_outcome all_acquire_next(all_op *all, int64_t now, int64_t timeout, lock_refusal *refusal)
{
    lock_all_item *item = &all->items[all->taken];
    lock_stats before = *all->client->stats;
    lock_question question = {.client = all->client,
                              .name = item->name,
                              .duration = all->duration,
                              .timeout = timeout,
                              .budget = platform_later(all->clock.deadline - now, 0),
                              .replicas_by =
                                  platform_earlier(all->clock.deadline, all_worn_at(all, all->duration / 4 * 3))};

    all->about = all->taken;
    lock_outcome outcome = lock_acquire_question(&question, &item->lease, refusal, all->error);
    if (outcome == LOCK_FAILED && all_is_only_slow(all, platform_after(now, timeout))) {
        outcome = LOCK_BUSY;
    }
    /* Behind a try that was repeated, too, the locks before this one are older than one round trip. */
    all->waited |= all->one_server || all->client->stats->contended > before.contended ||
                   all->client->stats->repeated > before.repeated;
    all->taken += outcome == LOCK_YES;
    all->last_good = outcome == LOCK_YES || outcome == LOCK_BUSY ? platform_now() : all->last_good;
    return outcome;
}

/* Acquires the next lock, waiting in line for it until the deadline, and renews the leases of those before it
 * meanwhile. LOCK_LATE: one of those was lost. */
static lock_outcome all_wait_for_next(all_op *all)
{
    lock_refusal refusal = {0};

    for (;;) {
        int64_t now = platform_now();
        int64_t deadline = platform_earlier(all->clock.deadline, all_worn_at(all, all->duration / 2));
        int64_t timeout = deadline == PLATFORM_NEVER ? deadline : platform_later(deadline - now, 0);

        if (!all->waits) {
            return all_acquire_next(all, now, 0, &refusal);
        }
        if (now >= all->clock.deadline) {
            return LOCK_BUSY;
        }
        if (timeout > 0) {
            lock_outcome outcome = all_acquire_next(all, now, timeout, &refusal);
            if (outcome != LOCK_BUSY || deadline == all->clock.deadline || refusal.full) {
                return outcome;
            }
        }
        lock_outcome kept = all_keep_taken(all);
        if (kept != LOCK_YES) {
            return kept;
        }
    }
}

/* Takes all locks that are not ours yet. Returns LOCK_YES when all are, otherwise why it stopped: then the first
 * all->taken are ours, and the caller gives them back. */
static lock_outcome all_collect(all_op *all)
{
    while (all->taken < all->count) {
        if (all->one_server) {
            lock_outcome outcome = all_take_free(all);
            if (outcome != LOCK_YES || all->taken == all->count) {
                return outcome;
            }
            if (all->one_server && !all->waits) {
                all->client->stats->contended++;
                return LOCK_BUSY;
            }
        }
        lock_outcome outcome = all_wait_for_next(all);
        if (outcome != LOCK_YES) {
            return outcome;
        }
    }
    return LOCK_YES;
}

/* ---- the end ---- */

/* After all locks were taken: renews their leases if that took a while, so that all last equally long, and checks
 * that none was lost. LOCK_LATE: a lock was lost, or its lease is over. */
static lock_outcome all_even_out(all_op *all)
{
    bool at_once = all->one_server && !all->waits;

    if (all->waited || (!at_once && platform_now() >= all_worn_at(all, all->duration / 10))) {
        lock_outcome kept = all_keep_taken(all);
        if (kept != LOCK_YES) {
            return kept;
        }
    }
    for (size_t i = 0; i < all->count; i++) {
        if (lock_lease_validity(&all->items[i].lease, platform_now()) == 0) {
            return LOCK_LATE;
        }
    }
    return LOCK_YES;
}

/* Releases the locks that are ours within the budget of a call, by the hard deadline at the latest. LOCK_FAILED: at
 * least one release failed, and all->error says why. With several servers and no time left the releases are sent
 * only: LOCK_YES. Frees no lease and leaves all->taken as it is. */
static lock_outcome all_release_taken(all_op *all)
{
    static const rl_policy releasing = {
        .judge = rl_judge_count, .repeats = true, .insists = true, .leaves_moving = true};
    int64_t now = platform_now();
    int64_t deadline = platform_earlier(all->clock.hard_deadline - RL_FINAL_REPLY_GRACE,
                                        platform_after(now, lock_budget(all->client)));
    lock_outcome outcome = LOCK_YES;
    long long released = 0;

    if (all->one_server) {
        all_release_request(all, 0, all->taken, all_session_open(all));
        outcome = all_ask(all, deadline, &releasing, &released);
        all->one_server = !all_is_left_by_script(all, outcome);
        rl_session_close(&all->session);
        all->client->stats->released += (uint64_t)released;
    }
    if (all->one_server) {
        return outcome;
    }
    lock_release_item *releases = platform_zalloc(all->taken * sizeof(*releases));
    lock_release_failures failures;
    for (size_t i = 0; i < all->taken; i++) {
        releases[i] = (lock_release_item){.name = all->items[i].name, .lease = &all->items[i].lease};
    }
    int64_t budget = platform_later(deadline - now, 0); /* 0: the releases are only sent */
    lock_release_all(all->client, releases, all->taken, budget, deadline, &failures);
    outcome = LOCK_YES;
    for (size_t i = 0; budget > 0 && i < all->taken; i++) {
        if (releases[i].outcome == LOCK_FAILED) {
            all->about = i;
            *all->error = failures.error;
            outcome = LOCK_FAILED;
        }
    }
    free(releases);
    return outcome;
}

/* Leaves the releases that failed to the backlog, each lock by itself. With several servers, lock_release_all() has
 * done so. */
static void all_release_taken_later(all_op *all)
{
    for (size_t i = 0; i < all->taken && all->one_server; i++) {
        all->client->stats->unreleased++;
        lock_release_later(all->client, all->items[i].name, &all->items[i].lease);
    }
}

/* Releases the locks that are ours and frees their leases; in a forked child the locks stay, being the parent's.
 * Returns the outcome of the call: LOCK_FAILED instead of LOCK_BUSY if a release failed, otherwise `outcome` with its
 * own error. */
static lock_outcome all_give_back(all_op *all, lock_outcome outcome)
{
    rl_error why = *all->error;
    size_t about = all->about;

    if (all->taken > 0 && all->process == platform_process()) {
        lock_outcome released = all_release_taken(all);
        if (released == LOCK_FAILED) {
            all_release_taken_later(all);
        }
        if (released == LOCK_FAILED && outcome == LOCK_BUSY && !all_is_only_slow(all, all->clock.deadline)) {
            outcome = LOCK_FAILED;
        } else {
            *all->error = why;
            all->about = about;
        }
    }
    while (all->taken > 0) {
        lock_lease_free(&all->items[--all->taken].lease);
    }
    return outcome;
}

static int by_bytes(const void *a, const void *b)
{
    rl_bytes one = ((const lock_all_item *)a)->name, other = ((const lock_all_item *)b)->name;
    int order = memcmp(one.at, other.at, one.len < other.len ? one.len : other.len);

    return order != 0 ? order : (one.len > other.len) - (one.len < other.len);
}

/* Can a script take all locks? In a cluster only if one slot has all of their keys. */
static bool all_share_server(const all_op *all)
{
    const rl_target *target = &all->client->target;
    unsigned slot = rl_slot_of(all->entries[0].keys.lock);

    if (target->count > 1) {
        return false;
    }
    for (size_t i = 1; rl_target_is_cluster(target) && i < all->count; i++) {
        if (rl_slot_of(all->entries[i].keys.lock) != slot) {
            return false;
        }
    }
    return true;
}

/* Sorts the items, clears their leases, sets the deadlines and builds the keys. all_close() frees what it allocates;
 * the connection is opened later. */
static void all_open(all_op *all, int64_t timeout)
{
    int64_t start = platform_now();

    qsort(all->items, all->count, sizeof(*all->items), by_bytes);
    all->waits = timeout > 0;
    all->clock = rl_clock_wait(start, timeout, lock_budget(all->client));
    all->process = platform_process();
    all->entries = platform_zalloc(all->count * sizeof(*all->entries));
    all->args = platform_zalloc((all->count * ARGS_EACH + ARGS_ALL) * sizeof(*all->args));
    for (size_t i = 0; i < all->count; i++) {
        memset(&all->items[i].lease, 0, sizeof(all->items[i].lease));
        lock_keys_init(&all->entries[i].keys, all->client->prefix, all->items[i].name);
    }
    all->one_server = all_share_server(all);
}

static void all_close(all_op *all)
{
    for (size_t i = 0; i < all->count; i++) {
        lock_keys_free(&all->entries[i].keys);
        free(all->entries[i].note_memory);
    }
    free(all->entries);
    free(all->args);
}

/* Is there time to begin again, with new tokens? That is worth it where a lock was lost on the way; and where another server
 * takes over, since a wait goes on until then. */
static bool all_begins_again(const all_op *all, lock_outcome outcome)
{
    bool passes = outcome == LOCK_FAILED && rl_target_may_take_over(&all->client->target, all->error);

    return (outcome == LOCK_LATE || passes) && all->waits && platform_now() < all->clock.deadline;
}

/* A lost lock that is not acquired again is reported as held: another owner has it. */
lock_outcome lock_acquire_all(const lock_client *client, lock_all_item *items, size_t count, int64_t duration,
                              int64_t timeout, size_t *about, rl_error *error)
{
    lock_outcome outcome;
    all_op all;

    memset(&all, 0, offsetof(all_op, session));
    all.client = client;
    all.items = items;
    all.count = count;
    all.duration = duration;
    all.error = error;
    *error = (rl_error){0};
    all_open(&all, timeout);
    do {
        all_draw_tokens(&all);
        all.about = count;
        all.lost = false;
        outcome = all_collect(&all);
        if (outcome == LOCK_YES) {
            outcome = all_even_out(&all);
        }
        if (outcome != LOCK_YES) {
            outcome = all_give_back(&all, outcome);
        }
    } while (all_begins_again(&all, outcome));
    if (outcome == LOCK_LATE && all.lost) {
        outcome = LOCK_BUSY; /* the lost lock is held by another owner */
    }
    all_release_untold_later(&all); /* an undo that could not be sent */
    *about = all.about;
    all_close(&all);
    return outcome;
}

/* SPDX-License-Identifier: MIT
 *
 * lock/release: see lock/release.h.
 */
#include "lock/release.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "invariant.h"
#include "lock/pass.h"
#include "lock/tally.h"
#include "platform/platform.h"
#include "redis/scripts.h"
#include "redis/session.h"

/* The order is that of lua/release.lua, which tells from their number whether a place in line is given back. */
void lock_release_request(rl_request *request, const lock_keys *keys, const lock_release_args *args)
{
    rl_request_begin(request, &rl_script_release);
    request->alone = &rl_script_release_alone;
    lock_keys_add(request, keys, false);
    if (args->note.at != NULL) {
        rl_request_add(request, args->note);
        request->keys++;
    }
    rl_request_add(request, args->token);
    if (args->baton.len > 0) {
        rl_request_add(request, args->baton);
    }
    if (args->leaves) {
        rl_request_add(request, args->waiter);
        rl_request_add(request, args->served);
    }
}

/* A token that makes its own baton needs no other: see lua/release.lua. */
void lock_release_undo_later(rl_backlog_server *server, const lock_keys *keys, rl_bytes token,
                             const rl_backlog_terms *terms, rl_call *carrier)
{
    char baton[LOCK_BATON_LEN];
    rl_request request;

    if (server == NULL) {
        return;
    }
    lock_random_baton(baton);
    lock_release_request(
        &request, keys,
        &(lock_release_args){.token = token, .baton = {baton, lock_token_makes_baton(token) ? 0 : LOCK_BATON_LEN}});
    rl_backlog_add(server, &request, terms, carrier);
}

/* One lock of a release_op. */
typedef struct release_entry {
    lock_keys keys;
    rl_bytes note;              /* key of the note of extensions; .at is NULL: as far as we know, there is no note */
    char *note_memory;          /* storage of `note` */
    char baton[LOCK_BATON_LEN]; /* of a token that is not one of ours: see lock_token_makes_baton() */
    bool has_baton;
    bool repeats;  /* an earlier release of this lease has failed */
    bool was_ours; /* by our clock the lease still ran when its first release was requested */
    int64_t until; /* until when Redis may keep the lock, as far as the lease tells */
} release_entry;

/* Releases of many locks in one round trip: on each node they queue in one pipeline. */
typedef struct release_op {
    const lock_client *client;
    release_entry *entries; /* one per item */
    lock_release_item *items;
    size_t count;         /* of items */
    release_entry single; /* the entry of a single item */
    rl_session session;   /* the i-th question is about the i-th item */
} release_op;

/* Builds the keys and the baton. The note that an extension may have left is to go with the lock, so its key is built
 * too. Freed by release_entry_free(). */
static void release_entry_init(release_entry *r, const lock_client *client, rl_bytes name, const lock_lease *lease)
{
    lock_keys_init(&r->keys, client->prefix, name);
    r->has_baton = !lease->makes_baton && !lock_token_makes_baton(lock_lease_token(lease));
    if (r->has_baton) {
        lock_random_baton(r->baton);
    }
    r->note = (rl_bytes){0};
    r->note_memory = NULL;
    if (lock_lease_may_have_note(lease, client)) {
        r->note = lock_note_key(r->keys.lock, &r->note_memory);
    }
}

static void release_entry_free(release_entry *r)
{
    lock_keys_free(&r->keys);
    free(r->note_memory);
}

/* Returns whether the lease ran at `when`, even if its release was requested since. */
static bool lease_ran_at(const lock_lease *lease, int64_t when)
{
    lock_lease release_unsent = *lease;

    release_unsent.release_requested_at = 0;
    return lock_lease_validity(&release_unsent, when) > 0;
}

/* Returns the time until which Redis may keep the lock, as far as the lease tells. */
static int64_t redis_keeps_until(const lock_lease *lease, int64_t now)
{
    return platform_after(now, lock_lease_server_remaining(lease, now));
}

/* Returns under what terms a release is left to the backlog now. `until`: when the lease ends in Redis. An extension whose
 * reply was lost, or with `unheard` what took the lock there, may have come as late as now. What is still under way on a
 * connection counts from the end of that. */
static rl_backlog_terms release_terms(const lock_client *client, int64_t until, int64_t longest, bool unheard,
                                      bool may_have_run)
{
    if (unheard || lock_extension_is_doubted(client)) {
        until = platform_later(until, lock_lease_ends_by(platform_now(), longest));
    }
    return (rl_backlog_terms){
        .until = until, .keeps = lock_lease_ends_by(0, longest), .runs_ahead = unheard, .may_have_run = may_have_run};
}

static void release_entry_request(const release_entry *r, const lock_lease *lease, rl_request *request)
{
    lock_release_request(request, &r->keys,
                         &(lock_release_args){.note = r->note,
                                              .token = lock_lease_token(lease),
                                              .baton = {r->baton, r->has_baton ? LOCK_BATON_LEN : 0}});
    request->preload = true;
}

/* Takes the connections and sets up an entry and a question for each lock; release_op_close() undoes that. Ends the
 * leases for their owner, and notes whether this is the first release of each and whether its lease ran then. */
static void release_op_open(release_op *op, const lock_client *client, lock_release_item *items, size_t count,
                            int64_t now)
{
    RL_INVARIANT(count >= 1 && count <= LOCK_RELEASE_BATCH);
    op->client = client;
    op->items = items;
    op->count = count;
    op->entries = count == 1 ? &op->single : platform_alloc(count * sizeof(*op->entries));
    for (size_t i = 0; i < count; i++) {
        release_entry_init(&op->entries[i], client, items[i].name, items[i].lease);
    }
    rl_session_open(&op->session, &client->target, client->target.count, count,
                    lock_lease_slot(items[0].lease, client, op->entries[0].keys.lock));
    for (size_t i = 0; i < count; i++) {
        release_entry *r = &op->entries[i];
        lock_lease *lease = items[i].lease;
        r->repeats = lease->release_requested_at != 0 && !(lease->release_unsent && lease_ran_at(lease, now));
        lease->release_requested_at = lease->release_requested_at != 0 ? lease->release_requested_at : now;
        lease->release_unsent = false;
        r->was_ours = lease_ran_at(lease, lease->release_requested_at);
        r->until = redis_keeps_until(lease, now);
        RL_INVARIANT(lock_lease_validity(lease, now) == 0); /* L10 */
        release_entry_request(r, lease, rl_session_request(&op->session, i));
        rl_session_spread(&op->session, i);
    }
}

static void release_op_close(release_op *op)
{
    rl_session_close(&op->session);
    for (size_t i = 0; i < op->count; i++) {
        release_entry_free(&op->entries[i]);
    }
    if (op->count > 1) {
        free(op->entries);
    }
}

/* Sets the outcome of item `i`. A repeat that finds the lock gone on a node counts as a release
 * there if the lease ran when the release was first requested: an earlier one has mostly done it. */
static void release_op_tally(release_op *op, size_t i)
{
    lock_release_item *item = &op->items[i];
    const release_entry *r = &op->entries[i];
    rl_votes votes = rl_session_votes(&op->session, i, rl_judge_flag);
    size_t nodes = op->session.nodes;
    bool gone_is_done = (rl_session_was_repeated(&op->session, i) || r->repeats) && r->was_ours;

    if (rl_votes_say_yes((rl_votes){.yes = votes.yes + (gone_is_done ? votes.no : 0)}, nodes)) {
        item->outcome = LOCK_YES;
    } else if (rl_votes_say_no(votes, nodes)) {
        item->outcome = gone_is_done ? LOCK_YES : LOCK_NOT_OWNED;
    } else {
        item->outcome = LOCK_FAILED;
    }
    lock_tally_released(op->client, item->name, item->lease, item->lease->release_requested_at, item->outcome);
    if (item->outcome != LOCK_FAILED) {
        item->lease->duration = item->lease->release_requested_at = 0; /* the lease is known to be over */
    }
}

/* ---- releases that are sent again ---- */

/* Takes the releases of these leases out of the backlog, since this call sends them. One that has certainly done nothing on any
 * node, because it was refused, not sent, or found no lock, is not counted: this release is then the first, and a lock that it
 * finds gone was lost. If the lease has ended meanwhile, it is counted, since the lock goes by itself; and if the lock was
 * passed on, and Redis may never have had it for this token. */
static void release_op_take_from_backlog(release_op *op, int64_t now)
{
    for (size_t i = 0; i < op->count; i++) {
        const rl_request *request = &rl_session_calls(&op->session, i)->request;
        size_t undone = 0;
        for (size_t n = 0; n < op->session.nodes; n++) {
            rl_backlog_server *server = rl_conn_backlog(op->session.conns[n]);
            undone += server != NULL && rl_backlog_remove(server, request);
        }
        const lock_lease *lease = op->items[i].lease;
        op->entries[i].repeats &= undone < op->session.nodes || lease->is_unsure || !lease_ran_at(lease, now);
    }
}

/* Did the node find no lock to release? */
static bool found_nothing(const rl_call *call)
{
    return call->error.kind == RL_OK && rl_judge_flag(call) == RL_VOTE_NO;
}

/* Leaves the release of the i-th lock to the backlog, for every node that did not answer or could not carry it out just then;
 * or that found no lock, although a request that takes it may still be under way on another connection. What was sent there
 * goes on. If a majority has decided without such a node, only a token that was drawn here is released there later: one of the
 * caller's may hold the lock anew by then, for somebody else. Nor is one that was never sent there: while a server is down,
 * many locks are taken and released without it. Returns whether there was such a node. */
static bool release_op_put_off(const release_op *op, size_t i, bool is_decided)
{
    const rl_call *calls = rl_session_calls(&op->session, i);
    const lock_lease *lease = op->items[i].lease;
    bool any = false;

    if (is_decided && !lease->is_drawn) {
        return false;
    }
    for (size_t n = 0; n < op->session.nodes; n++) {
        rl_backlog_server *server = rl_conn_backlog(op->session.conns[n]);
        if (is_decided && (lease->spared >> n & 1U) != 0) {
            continue;
        }
        bool unheard = (lease->unheard >> n & 1U) != 0, is_open = rl_error_leaves_open(&calls[n].error);
        if (server != NULL && (is_open || (unheard && found_nothing(&calls[n])))) {
            bool may_have_run = op->entries[i].repeats || rl_error_is_outcome_unknown(&calls[n].error);
            rl_backlog_terms terms =
                release_terms(op->client, op->entries[i].until, lease->longest, unheard, may_have_run);
            terms.runs_ahead &= is_open;
            terms.is_decided = is_decided;
            rl_backlog_add(server, &calls[n].request, &terms, calls[n].twin);
            any = true;
        }
    }
    return any;
}

/* Counts a release that failed. Returns whether it is the one of which the caller is told. */
static bool count_failure(const lock_client *client, const lock_release_item *item, lock_release_failures *failures)
{
    const lock_release_item *last = &failures->last;
    bool later = last->name.at == NULL || item->lease->release_requested_at >= last->lease->release_requested_at;

    client->stats->unreleased++;
    lock_tally(client, item->name, item->lease, METRICS_UNRELEASED);
    failures->count++;
    if (later) {
        failures->last = *item;
    }
    return later;
}

/* Is there room in the backlog for another release of this call? More would displace its own. */
static bool has_room(const lock_client *client, const lock_release_failures *failures)
{
    return client->target.pool->backlog != NULL && (failures->repeated + 1) * client->target.count <= RL_BACKLOG_MAX;
}

/* Leaves to the backlog what the nodes still have to carry out, and counts the releases that failed. */
static void release_op_leave_to_backlog(const release_op *op, lock_release_failures *failures)
{
    for (size_t i = 0; i < op->count; i++) {
        bool is_decided = op->items[i].outcome != LOCK_FAILED;
        if (is_decided && rl_session_is_alone(&op->session)) {
            continue; /* its answer is all that there is to it */
        }
        if (is_decided) {
            release_op_put_off(op, i, true);
            continue;
        }
        if (count_failure(op->client, &op->items[i], failures)) {
            rl_session_error(&op->session, i, &failures->error);
        }
        failures->repeated += has_room(op->client, failures) && release_op_put_off(op, i, false);
    }
}

/* Do the nodes go on to answer? They answer in order, so the last question tells. */
static bool release_op_was_answered(const release_op *op)
{
    const rl_call *calls = rl_session_calls(&op->session, op->count - 1);
    size_t answers = 0;

    for (size_t n = 0; n < op->session.nodes; n++) {
        answers += calls[n].answered && (calls[n].error.kind == RL_OK || calls[n].error.kind == RL_ERROR_REPLY);
    }
    return answers >= rl_session_majority(&op->session);
}

void lock_release_mark_unsent(lock_lease *lease)
{
    if (lease->turn != NULL) {
        lock_turn_leave(lease->turn);
        lease->turn = NULL;
    }
    if (lease->release_requested_at == 0) {
        lease->release_requested_at = platform_now();
        lease->release_unsent = true;
    }
}

/* Puts the release into the backlog, for every node. */
static void put_off(const lock_client *client, rl_bytes name, lock_lease *lease, bool may_have_run)
{
    rl_backlog *backlog = client->target.pool->backlog;
    int64_t now = platform_now();
    release_entry r;
    rl_request request;

    lease->release_requested_at = lease->release_requested_at != 0 ? lease->release_requested_at : now;
    if (backlog == NULL) {
        return;
    }
    release_entry_init(&r, client, name, lease);
    release_entry_request(&r, lease, &request);
    for (size_t n = 0; n < client->target.count; n++) {
        rl_backlog_server *server = rl_backlog_join(backlog, &client->target.endpoints[n]);
        rl_backlog_terms terms = release_terms(client, redis_keeps_until(lease, now), lease->longest,
                                               (lease->unheard >> n & 1U) != 0, may_have_run);
        rl_backlog_add(server, &request, &terms, NULL);
        rl_backlog_leave(server);
    }
    release_entry_free(&r);
}

void lock_release_later(const lock_client *client, rl_bytes name, lock_lease *lease)
{
    put_off(client, name, lease, true); /* an earlier release may have been sent */
}

/* If it runs ahead of that request, a server that takes the lock over gets it too: see rl_backlog_report(). There, a token of
 * the caller's may hold the lock anew. */
void lock_release_token_later(const lock_client *client, rl_bytes name, rl_bytes token, bool is_drawn, int64_t duration)
{
    int64_t sent = platform_now();
    lock_lease lease;

    lock_lease_fill(&lease, token, platform_now(), sent, duration, 0);
    lease.unheard = is_drawn && rl_target_moves(&client->target);
    lock_release_later(client, name, &lease);
    lock_lease_free(&lease);
}

/* Redis does not say whose a lock is that was passed on: so it may stand under one of the tokens before the lease's own.
 * They are released later: nobody else does, and nobody believes to hold it by them. */
void lock_release_before_later(const lock_client *client, rl_bytes name, const lock_turn *turn)
{
    int64_t longest = platform_later(turn->lease, platform_later(turn->from_duration, turn->before));
    const rl_bytes tokens[] = {{turn->from, turn->from_len}, {turn->heir, turn->heir_len}};

    for (size_t i = 0; i < sizeof(tokens) / sizeof(*tokens); i++) {
        if (tokens[i].len > 0) {
            lock_release_token_later(client, name, tokens[i], true, longest);
        }
    }
}

/* Releases one batch: in one round trip, unless the connection breaks. Takes older releases of these leases out of the
 * backlog before it sends, so that each is sent from one place only. What fails is left to the backlog. Returns whether
 * the servers go on to answer. */
static bool release_batch(const lock_client *client, lock_release_item *items, size_t count, int64_t budget,
                          lock_release_failures *failures)
{
    static const rl_policy releasing = {
        .judge = rl_judge_flag, .decided = rl_session_vote_is_decided, .repeats = true, .insists = true, .wakes = true};
    int64_t now = platform_now();
    rl_clock clock = rl_clock_budget(now, budget);
    rl_error ignored;
    release_op op;

    release_op_open(&op, client, items, count, now);
    release_op_take_from_backlog(&op, now);
    if (budget > 0) {
        rl_session_ask(&op.session, &clock, &releasing, &ignored);
    } else {
        rl_clock_ask_by(&clock, now, now);
        rl_session_ask_once(&op.session, &clock, &releasing);
    }
    for (size_t i = 0; i < count; i++) {
        release_op_tally(&op, i);
    }
    release_op_leave_to_backlog(&op, failures);
    bool answered = release_op_was_answered(&op);
    release_op_close(&op);
    return answered;
}

/* The lock was passed on without an answer: then its lease ran, and another looks after it. Nothing is sent. */
static void end_passed_on(lock_release_item *item)
{
    item->outcome = LOCK_YES;
    item->lease->duration = item->lease->release_requested_at = 0;
}

/* How many of the first ones make a batch; 0: the lock of the first was passed on. */
static size_t batch_of(const lock_release_item *items, size_t count)
{
    size_t size = 0;

    while (size < count && size < LOCK_RELEASE_BATCH && items[size].lease->token_len > 0) {
        size++;
    }
    return size;
}

/* Leaves releases that are not sent, since the servers are silent, to the backlog, as far as there is room. */
static void release_unsent(const lock_client *client, lock_release_item *items, size_t count,
                           lock_release_failures *failures)
{
    for (size_t i = 0; i < count; i++) {
        lock_lease *lease = items[i].lease;
        if (lease->token_len == 0) {
            end_passed_on(&items[i]);
            continue;
        }
        bool was_sent = lease->release_requested_at != 0 && !lease->release_unsent;
        items[i].outcome = LOCK_FAILED;
        lock_release_mark_unsent(lease);
        if (has_room(client, failures)) {
            put_off(client, items[i].name, lease, was_sent);
            lease->release_unsent = false;
            failures->repeated++;
        }
        count_failure(client, &items[i], failures);
    }
}

/* ---- leases with a turn among the processes of this machine ---- */

/* Ends the turns of the leases for which nobody else has come. Returns whether one of them has a turn still. */
static inline bool leave_those_alone(lock_release_item *items, size_t count)
{
    bool one_has = false;

    for (size_t i = 0; i < count; i++) {
        one_has |= items[i].lease->turn != NULL && !lock_pass_leave_alone(items[i].lease);
    }
    return one_has;
}

/* Ends the turn of an item, and makes sure of the lock first if it was passed on. Returns whether the lock went to the
 * next one in line, so that nothing is to be released, if that `may_pass`; item->outcome and the error say what came of
 * it. */
static bool release_turn(const lock_client *client, lock_release_item *item, bool may_pass, int64_t *budget,
                         rl_error *error)
{
    bool passed;

    if (*budget > 0) {
        lock_outcome settled = lock_pass_settle(client, item->name, item->lease, budget, error);
        error->kind = settled == LOCK_FAILED ? error->kind : RL_OK;
    }
    if (lock_pass_is_open(item->lease) && item->lease->turn->host->process == platform_process()) {
        lock_release_before_later(client, item->name, item->lease->turn);
        /* What the lock was passed on by may come about only now, or later. */
        item->lease->unheard = 1;
        item->lease->is_unsure = true;
        lock_lease_note_server_expiry(item->lease, platform_now(), item->lease->turn->lease);
    }
    passed = lock_pass_on(client, item->name, item->lease, may_pass ? *budget : 0, &item->outcome, error);
    if (passed) {
        lock_tally_released(client, item->name, item->lease, item->lease->release_requested_at, item->outcome);
    }
    return passed;
}

/* Does it stay open whose the lock of the first lease is, since Redis did not say so in time? `error`: why. Then a release that
 * finds its token gone is no fact: what was owed of the tokens before may have run ahead of it. */
static void note_doubt(const lock_client *client, lock_release_item *item, const rl_error *error,
                       lock_release_failures *failures)
{
    if (error->kind != RL_OK && item->outcome == LOCK_NOT_OWNED) {
        item->outcome = LOCK_FAILED;
        count_failure(client, item, failures);
        failures->error = *error;
    }
}

/* Ends the turns that the leases have still. A single lock may go to the next one in line: then there is nothing else to do,
 * and it returns true. Takes the time off the budget. */
static PLATFORM_NOINLINE bool release_turns(const lock_client *client, lock_release_item *items, size_t count,
                                            int64_t *budget, rl_error *doubt, lock_release_failures *failures)
{
    rl_error error;
    bool passed = false;

    for (size_t i = 0; i < count; i++) {
        if (items[i].lease->turn != NULL) {
            error.kind = RL_OK;
            passed = release_turn(client, &items[i], count == 1, budget, &error);
            *doubt = error;
        }
    }
    if (passed && items->outcome == LOCK_FAILED) {
        count_failure(client, items, failures);
        failures->error = error;
    } else if (passed) {
        items->lease->duration = items->lease->release_requested_at = 0; /* the lease is known to be over */
    }
    return passed;
}

/* The first batch that is not answered ends the sending: each further one would take the budget again. */
void lock_release_all(const lock_client *client, lock_release_item *items, size_t count, int64_t budget, int64_t until,
                      lock_release_failures *failures)
{
    bool answered = budget >= 0;
    rl_error doubt = {.kind = RL_OK};
    size_t done = 0;

    failures->count = failures->repeated = 0;
    failures->last.name.at = NULL;
    failures->error.kind = RL_OK;
    if (leave_those_alone(items, count)) {
        int64_t left = until == PLATFORM_NEVER ? budget : platform_earlier(budget, until - platform_now());
        if (release_turns(client, items, count, &left, &doubt, failures)) {
            return;
        }
        budget = budget > 0 ? platform_later(left, 0) : budget;
    }
    if (!answered) {
        failures->error = (rl_error){RL_UNREACHABLE, "", "not sent, since the time was over"};
    }
    while (answered && done < count) {
        size_t size = batch_of(items + done, count - done);
        if (size == 0) {
            end_passed_on(&items[done++]);
            continue;
        }
        if (until != PLATFORM_NEVER) {
            budget = platform_earlier(budget, platform_later(until - platform_now(), 0));
        }
        answered = release_batch(client, items + done, size, budget, failures);
        done += size;
    }
    release_unsent(client, items + done, count - done, failures);
    if (count == 1) {
        note_doubt(client, items, &doubt, failures);
    }
}

lock_outcome lock_release(const lock_client *client, rl_bytes name, lock_lease *lease, int64_t budget, rl_error *error)
{
    lock_release_item item = {.name = name, .lease = lease};
    lock_release_failures failures;

    lock_release_all(client, &item, 1, budget, PLATFORM_NEVER, &failures);
    error->kind = RL_OK;
    if (failures.count > 0) {
        *error = failures.error;
    }
    return item.outcome;
}

/* SPDX-License-Identifier: MIT
 *
 * lock/pass: see lock/pass.h.
 */
#include "lock/pass.h"

#include <string.h>

#include "invariant.h"
#include "lock/holder.h"
#include "lock/local/check.h"
#include "lock/local/status.h"
#include "lock/owner.h"
#include "lock/query.h"
#include "lock/rename.h"
#include "platform/platform.h"
#include "redis/scripts.h"

/* How long whoever was passed the lock waits for the answer before it asks Redis by itself, or half of the time it has. */
#define ANSWER_TIME (100 * PLATFORM_MSEC)

/* Asks for a renaming. It may be carried out late: it changes nothing when the lock has passed on. */
static const rl_policy renaming = {
    .judge = lock_rename_judge, .decided = rl_session_vote_is_decided, .repeats = true, .insists = true};

static lock_outcome ask_to_rename(lock_query *q, const lock_client *client, rl_bytes name, lock_rename_args *args,
                                  int64_t budget, rl_error *error)
{
    lock_query_open(q, client, name, &rl_script_rename, client->fencing, budget);
    lock_rename_request(q->request, &q->keys, args);
    return lock_query_vote(q, &renaming, error);
}

static uint64_t hash_text(uint64_t hash, const char *text)
{
    return local_hash(hash, text != NULL ? text : "", text != NULL ? strlen(text) : 0);
}

static uint64_t hash_tls(uint64_t hash, const rl_endpoint *endpoint)
{
    const rl_tls_options *tls = &endpoint->tls_options;

    hash = local_mix(hash, (uint64_t)endpoint->tls << 2 | (uint64_t)tls->verify_peer << 1 | tls->verify_peer_name);
    hash = hash_text(hash_text(hash, tls->cafile), tls->capath);
    return hash_text(hash_text(hash_text(hash, tls->local_cert), tls->local_pk), tls->peer_name);
}

/* Few enough bits of the password that whoever reads the segment cannot recover it. Clients whose passwords share them still
 * log in with their own. */
static uint64_t hint_at_password(const rl_endpoint *endpoint)
{
    uint64_t hash = endpoint->password != NULL ? local_hash(1, endpoint->password, endpoint->password_len) : 0;

    return local_mix(hash, 1) & 0xffff;
}

/* In any order, as long as both words depend on all of it. */
void lock_pass_identify(const local_host *host, const lock_client *client, uint64_t identity[2])
{
    const rl_target *target = &client->target;
    const rl_endpoint *endpoint = &target->endpoints[0];

    for (unsigned i = 0; i < 2; i++) {
        uint64_t hash = local_hash(i, (const char *)host->place, sizeof(host->place));
        hash = hash_text(hash, endpoint->host);
        hash = local_mix(hash, (uint64_t)endpoint->port << 32 | (uint64_t)endpoint->database);
        hash = hash_text(hash_text(hash, endpoint->path), endpoint->username);
        hash = local_mix(hash_tls(hash, endpoint), hint_at_password(endpoint));
        hash = local_mix(local_mix(hash, (uint64_t)target->connect_timeout), (uint64_t)target->read_timeout);
        identity[i] = local_mix(hash, client->fencing);
    }
}

/* ---- what the lock was passed on by ---- */

/* A lock without an end is not taken over: neither is it passed on. */
void lock_pass_note_extension(const lock_lease *lease, int64_t duration)
{
    lock_turn *turn = lease->turn;

    if (turn == NULL || !turn->takes_over || !lease->is_drawn || duration <= turn->lease) {
        return;
    }
    if (duration == PLATFORM_NEVER) {
        lock_turn_let_nobody_take_over(turn);
    } else {
        lock_turn_let_take_over(turn, lock_lease_token(lease), duration);
    }
}

void lock_pass_tell_token(lock_lease *lease)
{
    lease->is_drawn = false;
    if (lease->turn != NULL) {
        lock_turn_let_nobody_take_over(lease->turn);
    }
}

/* Notes in the lease what Redis has said. */
static void note_answer(lock_lease *lease, local_answer answer, int64_t fence)
{
    lock_turn *turn = lease->turn;

    RL_INVARIANT(!turn->is_known && (answer == LOCAL_YES || answer == LOCAL_REFUSED));
    turn->is_known = true;
    if (answer == LOCAL_YES) {
        lock_lease_set(lease, platform_now(), turn->sent, turn->lease);
        lease->fence = fence;
    } else {
        lease->duration = 0; /* it has ended */
    }
    lock_pass_note_end(lease);
}

void lock_pass_read(lock_lease *lease)
{
    int64_t fence = 0;
    local_answer answer = lock_turn_look(lease->turn, &fence);

    if (answer == LOCAL_YES || answer == LOCAL_REFUSED) {
        note_answer(lease, answer, fence);
    }
}

/* Asks Redis for what whoever passed the lock on should have asked, or has. */
static lock_outcome rename_oneself(const lock_client *client, rl_bytes name, lock_lease *lease, int64_t budget,
                                   rl_error *error)
{
    lock_turn *turn = lease->turn;

    turn->sent = turn->sent != 0 ? turn->sent : platform_now();
    lock_rename_args args = {.from = {turn->from, turn->from_len},
                             .to = lock_lease_token(lease),
                             .from2 = {turn->heir, turn->heir_len},
                             .lease = turn->lease,
                             .fences = client->fencing};
    lock_query q;
    lock_outcome outcome = ask_to_rename(&q, client, name, &args, budget, error);

    if (outcome != LOCK_FAILED) {
        note_answer(lease, outcome == LOCK_YES ? LOCAL_YES : LOCAL_REFUSED,
                    lock_rename_read(rl_session_calls(&q.session, 0)).fence);
    }
    lock_query_close(&q);
    return outcome;
}

/* Waits until `until` for whoever passed the lock on to tell the answer. False: it does not. */
static bool hear_answer(lock_lease *lease, int64_t until)
{
    int64_t fence = 0;
    local_answer answer = lock_turn_await(lease->turn, until, &fence);

    if (answer != LOCAL_UNKNOWN) {
        note_answer(lease, answer, fence);
    }
    return answer != LOCAL_UNKNOWN;
}

/* What is left of the budget behind what began at `began`; PLATFORM_NEVER stays what it is. */
static int64_t left_of(int64_t budget, int64_t began)
{
    return budget == PLATFORM_NEVER ? budget : platform_later(budget - (platform_now() - began), 0);
}

/* Half of the time is left to ask in. */
lock_outcome lock_pass_settle(const lock_client *client, rl_bytes name, lock_lease *lease, int64_t *budget,
                              rl_error *error)
{
    lock_outcome outcome;
    int64_t began;

    if (!lock_pass_is_open(lease)) {
        return LOCK_YES;
    }
    if (lease->turn->host->process != platform_process()) {
        return LOCK_NOT_OWNED; /* it is the parent's */
    }
    began = platform_now();
    if (hear_answer(lease, began + platform_earlier(ANSWER_TIME, platform_later(*budget, 0) / 2))) {
        outcome = lease->duration > 0 ? LOCK_YES : LOCK_NOT_OWNED;
    } else {
        outcome = rename_oneself(client, name, lease, left_of(*budget, began), error);
    }
    *budget = left_of(*budget, began);
    return outcome;
}

/* No token is sent, so the script marks no end of a lease. */
int64_t lock_pass_held_for(const lock_client *client, rl_bytes name, rl_bytes token, rl_bytes other, int64_t budget)
{
    static const rl_policy asking = {.judge = lock_holder_judge, .repeats = true};
    int64_t held_for = -1;
    lock_node_holder holder;
    rl_error ignored;
    lock_query q;

    lock_query_open(&q, client, name, &rl_script_owner, false, budget);
    if (rl_session_ask(&q.session, &q.clock, &asking, &ignored) &&
        lock_holder_read(rl_session_calls(&q.session, 0), &holder)) {
        bool holds = rl_bytes_equal(holder.token, token) || rl_bytes_equal(holder.token, other);
        held_for = holds && holder.token.len > 0 ? holder.left : 0;
    }
    lock_query_close(&q);
    return held_for;
}

/* ---- passing on ---- */

/* May the lock go to another token? Not if a request may still come that is for this one, or has left a note, or if
 * somebody else knows it. */
static bool may_pass(const lock_lease *lease, int64_t budget)
{
    return budget > 0 && lease->is_drawn && lease->release_requested_at == 0 && lease->duration != PLATFORM_NEVER &&
           lease->unheard == 0 && !lease->is_noted && !lease->is_doubted &&
           lock_lease_validity(lease, platform_now()) > 0;
}

/* Asks for the renaming, and tells the heir. A "no" counts as done if an earlier request may have done it, as that of a release
 * does, or the heir, which did not wait for the answer: it may have passed the lock on since. */
static lock_outcome pass_to(const lock_client *client, rl_bytes name, const lock_lease *lease,
                            const lock_turn_heir *heir, int64_t budget, local_host *host, rl_error *error)
{
    lock_rename_args args = {.from = lock_lease_token(lease),
                             .to = {heir->token, heir->token_len},
                             .lease = heir->lease,
                             .fences = client->fencing};
    lock_query q;
    lock_outcome outcome = ask_to_rename(&q, client, name, &args, budget, error);
    lock_turn_note_answer_time(host, platform_now() - heir->sent);
    lock_rename_answer answer = lock_rename_read(rl_session_calls(&q.session, 0));
    bool is_doubted = outcome == LOCK_NOT_OWNED && rl_session_was_repeated(&q.session, 0);
    local_answer told = outcome == LOCK_FAILED || is_doubted ? LOCAL_UNKNOWN
                        : outcome == LOCK_YES                ? LOCAL_YES
                                                             : LOCAL_REFUSED;

    LOCAL_POINT();
    is_doubted |= !lock_turn_answer(host, heir, told, answer.fence, answer.waiting);
    lock_query_close(&q);
    return outcome == LOCK_NOT_OWNED && is_doubted ? LOCK_YES : outcome;
}

/* The lease is over before the next one can begin. */
bool lock_pass_on(const lock_client *client, rl_bytes name, lock_lease *lease, int64_t budget, lock_outcome *outcome,
                  rl_error *error)
{
    lock_turn *turn = lease->turn;
    local_host *host = turn->host;
    int64_t since_ms = 0;
    lock_turn_heir heir;
    lock_keys keys;
    bool passed = false;

    lease->turn = NULL;
    if (turn->is_known && may_pass(lease, budget)) {
        since_ms = platform_wall() / PLATFORM_MSEC;
        lock_keys_init(&keys, client->prefix, name);
        const lock_turn_offer offer = {.key = keys.lock,
                                       .token = lock_lease_token(lease),
                                       .sent = lease->sent,
                                       .duration = lease->duration,
                                       .since_ms = since_ms};
        lease->release_requested_at = platform_now();
        passed = lock_turn_pass(turn, &offer, &heir);
        lock_keys_free(&keys);
    }
    if (!passed) {
        lease->release_requested_at = 0; /* nobody was told, so the release that follows is the first */
        lock_turn_leave(turn);
        return false;
    }
    lock_token_date(heir.token, heir.token_len, since_ms);
    client->stats->passed++;
    LOCAL_POINT();
    *outcome = pass_to(client, name, lease, &heir, budget, host, error);
    lease->token_len = 0;
    return true;
}

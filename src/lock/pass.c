/* SPDX-License-Identifier: MIT
 *
 * lock/pass: see lock/pass.h.
 */
#include "lock/pass.h"

#include <string.h>

#include "invariant.h"
#include "lock/local/check.h"
#include "lock/local/status.h"
#include "lock/query.h"
#include "lock/release.h"
#include "lock/rename.h"
#include "platform/platform.h"
#include "redis/scripts.h"

/* How long whoever was passed the lock waits for the answer before it asks Redis by itself, or half of the time it has. */
#define ANSWER_TIME (100 * PLATFORM_MSEC)

/* How long it may ask at least, also if the deadline of its wait has come. */
#define SETTLE_LEAST (40 * PLATFORM_MSEC)

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

void lock_pass_identify(const rl_endpoint *endpoint, uint64_t identity[2])
{
    const char *password = endpoint->password != NULL ? endpoint->password : "";

    for (unsigned i = 0; i < 2; i++) {
        uint64_t hash = hash_text(i, endpoint->host);
        hash = local_mix(hash, (uint64_t)endpoint->port << 32 | (uint64_t)endpoint->database);
        hash = hash_text(hash_text(hash, endpoint->path), endpoint->username);
        identity[i] = local_hash(hash, password, endpoint->password_len);
    }
}

/* ---- what the lock was passed on by ---- */

void lock_pass_note_end(const lock_lease *lease)
{
    if (lease->turn != NULL) {
        lock_turn_hold(lease->turn, lease->turn->ends_by_lease ? platform_after(lease->sent, lease->duration) : 0);
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

/* Half of the time is left to ask in. */
lock_outcome lock_pass_settle(const lock_client *client, rl_bytes name, lock_lease *lease, int64_t budget,
                              rl_error *error)
{
    int64_t began = platform_now(), fence = 0, left;
    local_answer answer;

    if (!lock_pass_is_open(lease)) {
        return LOCK_YES;
    }
    if (lease->turn->host->process != platform_process()) {
        return LOCK_NOT_OWNED; /* it is the parent's */
    }
    answer = lock_turn_await(lease->turn, began + platform_earlier(ANSWER_TIME, platform_later(budget, 0) / 2), &fence);
    if (answer == LOCAL_UNKNOWN) {
        left = platform_later(budget - (platform_now() - began), 0);
        return rename_oneself(client, name, lease, left, error);
    }
    note_answer(lease, answer, fence);
    return answer == LOCAL_YES ? LOCK_YES : LOCK_NOT_OWNED;
}

/* ---- entering ---- */

/* Gives the turn to a lease of `duration`. */
static void adopt(const lock_client *client, lock_turn *turn, lock_lease *lease, int64_t duration)
{
    lease->turn = turn;
    turn->lease = duration;
    turn->ends_by_lease = !client->renews;
    lock_pass_note_end(lease);
}

/* Fills the lease that was passed on: of the two that the lock may have in Redis, with the one that ends earlier. Of a lock that
 * was taken from whoever did not begin, nothing counts before Redis has said yes. */
static void fill_granted(const lock_attempt *attempt, lock_turn *turn, lock_lease *lease)
{
    const lock_lease before = {.sent = turn->from_sent, .duration = turn->from_duration};
    const lock_lease after = {.sent = turn->sent, .duration = attempt->params->duration};
    int64_t now = platform_now();
    const lock_lease *first = lock_lease_validity(&before, now) < lock_lease_validity(&after, now) ? &before : &after;

    lock_lease_fill(lease, attempt->token, now, first->sent, first->duration, 0);
    lock_lease_note_server_expiry(lease, now, attempt->params->duration);
    lease->is_drawn = lease->makes_baton = true;
    lease->spared = ~1U;
    adopt(attempt->params->client, turn, lease, attempt->params->duration);
}

/* Is it to be known at once that the lock is held? What renews and watches a lease begins with one that holds, and a fencing token
 * comes with the answer. Neither does a caller begin with little time. */
static bool is_to_be_settled(const lock_attempt *attempt, const lock_lease *lease)
{
    const lock_client *client = attempt->params->client;

    return client->pass->settles || client->fencing ||
           lock_lease_validity(lease, platform_now()) < attempt->params->duration / 4;
}

/* Redis does not say whose a lock is that was passed on: so it may stand under one of the tokens before the lease's own. They are
 * released later: nobody else does, and nobody believes to hold it by them. */
static void release_others_later(const lock_client *client, rl_bytes name, const lock_turn *turn)
{
    int64_t longest = platform_later(turn->lease, turn->from_duration);
    const rl_bytes tokens[] = {{turn->from, turn->from_len}, {turn->heir, turn->heir_len}};

    for (size_t i = 0; i < sizeof(tokens) / sizeof(*tokens); i++) {
        if (tokens[i].len > 0) {
            lock_release_token_later(client, name, tokens[i], true, longest);
        }
    }
}

static lock_turn_verdict attempt_line_up(lock_attempt *attempt, lock_turn **turn, lock_turn_line *line)
{
    const lock_acquire_params *params = attempt->params;
    const lock_client *client = params->client;
    const lock_turn_terms terms = {.key = attempt->room->keys.lock,
                                   .token = attempt->token,
                                   .identity = {client->pass->identity[0], client->pass->identity[1]},
                                   .lease = params->duration,
                                   .deadline = attempt->waits ? attempt->clock.deadline : 0,
                                   .max_waiters = client->max_waiters,
                                   .hook = &client->target.hook};

    return lock_turn_enter(client->pass->host, &terms, turn, line, attempt->error);
}

/* Makes sure of a lock that was just passed on. One that was not, the caller goes on for as the head. */
static lock_turn_verdict attempt_settle(lock_attempt *attempt, lock_lease *lease, lock_turn **turn)
{
    const lock_client *client = attempt->params->client;
    rl_bytes name = attempt->params->name;
    int64_t left = platform_later(attempt->clock.deadline - platform_now(), SETTLE_LEAST);
    lock_outcome outcome =
        lock_pass_settle(client, name, lease, platform_earlier(left, lock_budget(client)), attempt->error);

    if (outcome == LOCK_YES && lock_lease_validity(lease, platform_now()) > 0) {
        return LOCK_TURN_GRANTED;
    }
    if (outcome == LOCK_FAILED) {
        release_others_later(client, name, *turn);
        lock_release_token_later(client, name, attempt->token, true, attempt->params->duration);
        lock_lease_free(lease);
        *turn = NULL;
        return LOCK_TURN_FAILED;
    }
    lease->turn = NULL; /* it goes on */
    lock_turn_hold(*turn, 0);
    lock_lease_free(lease);
    lock_attempt_renew_token(attempt);
    return LOCK_TURN_HEAD;
}

/* A token that stood in line is not used for anything else: somebody may have renamed the lock to it. */
lock_turn_verdict lock_pass_enter(lock_attempt *attempt, lock_lease *lease, lock_turn **turn, lock_turn_line *line)
{
    lock_turn_verdict verdict = attempt_line_up(attempt, turn, line);

    if (verdict == LOCK_TURN_INTERRUPTED) {
        *attempt->error = RL_INTERRUPTION;
    } else if (verdict == LOCK_TURN_GRANTED) {
        fill_granted(attempt, *turn, lease);
        return is_to_be_settled(attempt, lease) ? attempt_settle(attempt, lease, turn) : verdict;
    } else if (line->stood) {
        lock_attempt_renew_token(attempt);
    }
    return verdict;
}

/* What keeps whoever has used up its time from Redis may be over for those who have more. */
void lock_pass_close(lock_attempt *attempt, lock_turn *turn, lock_outcome outcome, lock_lease *lease)
{
    if (outcome == LOCK_YES) {
        adopt(attempt->params->client, turn, lease, attempt->params->duration);
        return;
    }
    if (outcome == LOCK_FAILED && attempt->error->kind != RL_INTERRUPTED && platform_now() < attempt->clock.deadline) {
        lock_turn_fail(turn, attempt->error);
    }
    lock_turn_leave(turn);
}

/* ---- passing on ---- */

/* May the lock go to another token? Not if a request may still come that is for this one, or if somebody else knows it. */
static bool may_pass(const lock_client *client, const lock_lease *lease, int64_t budget)
{
    return budget > 0 && lease->is_drawn && lease->release_requested_at == 0 && lease->duration != PLATFORM_NEVER &&
           lease->unheard == 0 && lock_lease_validity(lease, platform_now()) > 0 &&
           !lock_lease_may_have_note(lease, client);
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

bool lock_pass_leave_alone(lock_lease *lease)
{
    bool left = lease->turn->is_known && lock_turn_leave_alone(lease->turn);

    lease->turn = left ? NULL : lease->turn;
    return left;
}

/* The lease is over before the next one can begin. */
bool lock_pass_on(const lock_client *client, rl_bytes name, lock_lease *lease, int64_t budget, lock_outcome *outcome,
                  rl_error *error)
{
    lock_turn *turn = lease->turn;
    local_host *host = turn->host;
    lock_turn_heir heir;
    lock_keys keys;
    bool passed = false;

    lease->turn = NULL;
    if (!turn->is_known && host->process == platform_process()) {
        release_others_later(client, name, turn);
    } else if (turn->is_known && may_pass(client, lease, budget)) {
        lock_keys_init(&keys, client->prefix, name);
        const lock_turn_offer offer = {
            .key = keys.lock, .token = lock_lease_token(lease), .sent = lease->sent, .duration = lease->duration};
        lease->release_requested_at = platform_now();
        passed = lock_turn_pass(turn, &offer, &heir);
        lock_keys_free(&keys);
    }
    if (!passed) {
        lease->release_requested_at = 0; /* nobody was told, so the release that follows is the first */
        lock_turn_leave(turn);
        return false;
    }
    client->stats->passed++;
    LOCAL_POINT();
    *outcome = pass_to(client, name, lease, &heir, budget, host, error);
    lease->token_len = 0;
    return true;
}

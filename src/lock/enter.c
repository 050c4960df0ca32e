/* SPDX-License-Identifier: MIT
 *
 * lock/enter: see lock/enter.h.
 */
#include "lock/enter.h"

#include "lock/pass.h"
#include "lock/query.h"
#include "lock/release.h"
#include "platform/platform.h"
#include "redis/repeat.h"
#include "redis/scripts.h"

/* How long it may ask at least, also if the deadline of its wait has come: with what a request takes beyond its time, see
 * RL_CLEANUP_BUDGET, 50 ms. */
#define SETTLE_LEAST (10 * PLATFORM_MSEC)

/* How long it may ask whether another one holds the lock, while it stands in line: meanwhile it sees nothing of that. */
#define ASK_TIME (500 * PLATFORM_MSEC)

_Static_assert(LOCK_TOKEN_ROOM <= LOCAL_TOKEN_MAX, "a token fits into the segment");

/* Has the tokens tell since when they have the lock, and not since when they waited for it: the token of an heir as whoever
 * passed the lock on to it has dated it. Those of a dead holder were dated by that. */
static void date_tokens(const lock_attempt *attempt)
{
    lock_turn *turn = attempt->turn;
    int64_t since_ms = turn->since_ms;

    if (turn->is_takeover) {
        since_ms = platform_wall() / PLATFORM_MSEC;
    } else if (turn->heir_len > 0) {
        lock_token_date(turn->heir, turn->heir_len, since_ms);
        since_ms = platform_wall() / PLATFORM_MSEC;
    }
    lock_token_date(attempt->room->random, attempt->token.len, since_ms);
}

/* Fills the lease that was passed on: of the two that the lock may have in Redis, with the one that ends earlier. Of a
 * lock that was taken from whoever did not begin, nothing counts before Redis has said yes. */
static void fill_granted(const lock_attempt *attempt, lock_lease *lease)
{
    const lock_turn *turn = attempt->turn;
    const lock_lease before = {.sent = turn->from_sent, .duration = turn->from_duration};
    const lock_lease after = {.sent = turn->sent, .duration = attempt->params->duration};
    int64_t now = platform_now();
    const lock_lease *first = lock_lease_validity(&before, now) < lock_lease_validity(&after, now) ? &before : &after;

    date_tokens(attempt);
    lock_lease_fill(lease, attempt->token, now, first->sent, first->duration, 0);
    lock_lease_note_server_expiry(lease, now, attempt->params->duration);
    lease->is_drawn = lease->makes_baton = true;
    lease->spared = ~1U;
    lock_enter_adopt(attempt, lease);
}

/* Is it to be known at once that the lock is held? What renews and watches a lease begins with one that holds, and a
 * fencing token comes with the answer. Neither does a caller begin with little time. */
static bool is_to_be_settled(const lock_attempt *attempt, const lock_lease *lease)
{
    const lock_client *client = attempt->params->client;

    return client->settles || client->fencing ||
           lock_lease_validity(lease, platform_now()) < attempt->params->duration / 4;
}

/* Asks for how long the lock still has one of these tokens, which are those of a holder that may stand still. It ends by the
 * deadline of the wait: what comes behind may take the time beyond that. */
static int64_t held_for(void *arg, rl_bytes token, rl_bytes other)
{
    const lock_attempt *attempt = arg;
    const lock_client *client = attempt->params->client;
    int64_t left =
        platform_earlier(attempt->clock.deadline - platform_now() - RL_FINAL_REPLY_GRACE, lock_budget(client));
    int64_t budget = platform_earlier(left, ASK_TIME);

    return budget > 0 ? lock_pass_held_for(client, attempt->params->name, token, other, budget) : -1;
}

/* Enters for the lock with what the attempt asks for. */
static lock_turn_verdict enter_line(lock_attempt *attempt, lock_turn_line *line)
{
    const lock_acquire_params *params = attempt->params;
    const lock_client *client = params->client;
    const lock_turn_terms terms = {.key = attempt->room->keys.lock,
                                   .token = attempt->token,
                                   .identity = {client->pass->identity[0], client->pass->identity[1]},
                                   .lease = params->duration,
                                   .deadline = attempt->waits ? attempt->clock.deadline : 0,
                                   .max_waiters = client->max_waiters,
                                   .takes_over = client->pass->takes_over,
                                   .hook = &client->target.hook,
                                   .held_for = held_for,
                                   .arg = attempt};

    return lock_turn_enter(client->pass->host, &terms, &attempt->turn, line, attempt->error);
}

/* Does this process know where the server is? */
static bool is_in_touch(const lock_client *client)
{
    const rl_endpoint *endpoint = &client->target.endpoints[0];
    rl_hosts hosts = {0};

    rl_pool_hosts(client->target.pool, endpoint, &hosts);
    bool is_known = hosts.count > 0 || endpoint->path != NULL;
    rl_hosts_free(&hosts);
    return is_known;
}

/* What renews a lease resolves no names: it goes where this process has been connected. Whoever is passed its first lock
 * has not been, so it asks something before it lines up. Returns whether it has reached the server. */
static bool get_in_touch(const lock_attempt *attempt)
{
    static const rl_policy asking = {.judge = rl_judge_count, .repeats = true};
    const lock_client *client = attempt->params->client;
    int64_t left = platform_later(attempt->clock.deadline - platform_now(), 0);
    rl_error ignored;
    lock_query q;

    if (is_in_touch(client)) {
        return true;
    }
    lock_query_open(&q, client, attempt->params->name, &rl_script_waiters, false,
                    platform_earlier(left, lock_budget(client)) / 2);
    rl_session_ask(&q.session, &q.clock, &asking, &ignored);
    lock_query_close(&q);
    return is_in_touch(client);
}

/* Lets those in line fail with the attempt's error. What keeps whoever has used up its time from Redis may be over for those
 * who have more. */
static void tell_those_in_line(const lock_attempt *attempt)
{
    if (attempt->error->kind != RL_INTERRUPTED && platform_now() < attempt->clock.deadline) {
        lock_turn_fail(attempt->turn, attempt->error);
    }
}

/* Asks again while the server is away, for as long as any waiter goes on. */
static lock_outcome settle_patiently(lock_attempt *attempt, lock_lease *lease)
{
    const lock_client *client = attempt->params->client;
    int64_t deadline = attempt->clock.deadline;
    lock_outcome outcome;
    rl_repeat repeat;

    rl_repeat_begin_waiting(&repeat, &client->target, deadline, platform_now());
    do {
        lock_turn_show_life(attempt->turn);
        int64_t left = platform_later(deadline - platform_now(), SETTLE_LEAST);
        left = platform_earlier(left, lock_budget(client));
        outcome = lock_pass_settle(client, attempt->params->name, lease, &left, attempt->error);
    } while (outcome == LOCK_FAILED && rl_repeat_again(&repeat, attempt->error));
    return outcome;
}

/* Makes sure of a lock that was just passed on. One that was not, or so late that the lease is over, the caller goes on for as
 * the head: Redis may have that one for a while. In a child of the hook nothing is released: it is the parent's. */
static lock_turn_verdict attempt_settle(lock_attempt *attempt, lock_lease *lease)
{
    const lock_client *client = attempt->params->client;
    rl_bytes name = attempt->params->name;
    lock_outcome outcome = settle_patiently(attempt, lease);

    if (attempt->process != platform_process()) {
        lock_lease_free(lease);
        attempt->turn = NULL;
        return LOCK_TURN_INTERRUPTED;
    }
    if (outcome == LOCK_YES && lock_lease_validity(lease, platform_now()) > 0) {
        client->stats->taken_over += attempt->turn->is_takeover;
        return LOCK_TURN_GRANTED;
    }
    if (outcome == LOCK_FAILED) {
        lock_release_before_later(client, name, attempt->turn);
        lock_release_token_later(client, name, attempt->token, true, attempt->params->duration);
        tell_those_in_line(attempt);
        lock_lease_free(lease);
        attempt->turn = NULL;
        return attempt->error->kind == RL_INTERRUPTED ? LOCK_TURN_INTERRUPTED : LOCK_TURN_FAILED;
    }
    if (outcome == LOCK_YES) {
        lock_release_token_later(client, name, attempt->token, true, attempt->params->duration);
    }
    lease->turn = NULL; /* it goes on */
    lock_lease_free(lease);
    lock_attempt_renew_token(attempt);
    if (lock_turn_begin_anew(attempt->turn)) {
        return LOCK_TURN_HEAD;
    }
    lock_turn_leave(attempt->turn);
    attempt->turn = NULL;
    return LOCK_TURN_ALONE;
}

/* A token that stood in line is not used for anything else: somebody may have renamed the lock to it. */
lock_turn_verdict lock_enter(lock_attempt *attempt, lock_lease *lease, lock_turn_line *line)
{
    bool reaches = !attempt->params->client->renews || !attempt->waits || get_in_touch(attempt);

    *line = (lock_turn_line){0};
    lock_turn_verdict verdict = reaches ? enter_line(attempt, line) : LOCK_TURN_ALONE;

    if (verdict == LOCK_TURN_INTERRUPTED) {
        *attempt->error = RL_INTERRUPTION;
    } else if (verdict == LOCK_TURN_GRANTED) {
        fill_granted(attempt, lease);
        return is_to_be_settled(attempt, lease) ? attempt_settle(attempt, lease) : verdict;
    } else if (line->stood) {
        lock_attempt_renew_token(attempt);
    }
    return verdict;
}

void lock_enter_give_up(lock_attempt *attempt, lock_outcome outcome)
{
    if (outcome == LOCK_FAILED) {
        tell_those_in_line(attempt);
    }
    lock_turn_leave(attempt->turn);
}

int64_t lock_enter_waiting(const lock_client *client, rl_bytes name)
{
    lock_keys keys;
    int64_t waiting = 0;

    if (client->pass != NULL) {
        lock_keys_begin(&keys, client->prefix, name);
        waiting = lock_turn_waiting_for(client->pass->host, keys.lock, client->pass->identity);
        lock_keys_free(&keys);
    }
    return waiting;
}

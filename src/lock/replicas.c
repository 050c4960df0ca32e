/* SPDX-License-Identifier: MIT
 *
 * lock/replicas: see lock/replicas.h.
 */
#include "lock/replicas.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "invariant.h"
#include "platform/platform.h"
#include "redis/blpop.h"

/* What an answer that comes at the last moment leaves for undoing what the WAIT is about. */
#define LAST_ANSWER (RL_CLEANUP_BUDGET - RL_CLEANUP_GRACE)

/* By how much the answer may be late in any case, however late the call is. */
#define SHORTEST_GRACE (RL_CLEANUP_GRACE / 4)

/* Returns the whole ms for which the server may wait from `now` on, so that its answer, which takes `round_trip`, comes in the
 * caller's time. As with a last try, a short round trip does not matter: the answer has the grace of a final reply. */
static int64_t wait_span_ms(const lock_client *client, const lock_replicated *lease, int64_t now, int64_t round_trip)
{
    int64_t most = platform_earlier(client->target.read_timeout, lease->duration / 2);
    int64_t left = lease->deadline - now - rl_clock_lead(round_trip, RL_FINAL_REPLY_GRACE);

    return platform_later(platform_earlier(most, left) / PLATFORM_MSEC, 1);
}

/* Has the server look at its clock, and end a WAIT whose time is over. Otherwise Redis does so when anything else happens, or
 * up to 100 ms later. A WAIT for no replicas is answered at once; nobody waits for that. */
static void nudge(rl_conn *conn)
{
    rl_request request;

    rl_request_begin(&request, NULL);
    rl_request_add(&request, RL_LITERAL("WAIT"));
    rl_request_add(&request, RL_LITERAL("0"));
    rl_request_add(&request, RL_LITERAL("1"));
    rl_conn_send_and_forget(conn, &request, false, platform_now());
}

/* The WAITs under way: one over each connection that has set a lease. The k-th is the k-th call of the session. */
typedef struct replicas_op {
    rl_session *session;
    rl_conn *conns[RL_MAX_LANES];
    int64_t generations[RL_MAX_LANES]; /* over which the leases were set; 0: that connection is lost */
    size_t count;
    rl_clock clock; /* its deadline is when the WAITs are to end */
    char digits[2][RL_DIGITS];
} replicas_op;

/* Finds the connections that have set a lease. One that was lost since, and made anew for another question, counts as lost: the
 * new one may lead to a server that knows nothing of the lease, and need not have written anything. */
static void find_conns(replicas_op *op)
{
    const rl_session *s = op->session;
    bool has_set[RL_MAX_LANES] = {false}, is_lost[RL_MAX_LANES] = {false};

    for (size_t i = 0; i < s->questions; i++) {
        const rl_call *call = rl_session_calls(s, i);
        if (call->answered && call->error.kind == RL_OK) {
            has_set[call->lane] = true;
            is_lost[call->lane] |= call->answered_on != rl_conn_generation(s->conns[call->lane]);
        }
    }
    op->count = 0;
    for (size_t lane = 0; lane < s->lanes; lane++) {
        if (has_set[lane]) {
            op->generations[op->count] = is_lost[lane] ? 0 : rl_conn_generation(s->conns[lane]);
            op->conns[op->count++] = s->conns[lane];
        }
    }
}

/* Sends the WAITs, each of so many ms. */
static void send_waits(replicas_op *op, int64_t replicas, int64_t wait_ms)
{
    for (size_t k = 0; k < op->count; k++) {
        rl_request *request = rl_session_request(op->session, k);
        rl_request_begin(request, NULL);
        rl_request_add(request, RL_LITERAL("WAIT"));
        rl_request_add_number(request, replicas, op->digits[0]);
        rl_request_add_number(request, wait_ms, op->digits[1]);
        if (op->generations[k] != 0) {
            rl_conn_submit(op->conns[k], &op->session->calls[k], op->clock.connect_by);
        }
    }
}

/* Is the k-th WAIT under way? */
static bool is_open(const replicas_op *op, size_t k)
{
    return op->generations[k] != 0 && !op->session->calls[k].answered;
}

static bool any_is_open(const replicas_op *op)
{
    bool any = false;

    for (size_t k = 0; k < op->count; k++) {
        any |= is_open(op, k);
    }
    return any;
}

/* Awaits the answers to the WAITs. The servers may have got them a little late. */
static void await_answers(replicas_op *op, const rl_hook *hook)
{
    int64_t nudge_at = op->clock.deadline + RL_BLOCK_MARGIN, reply_by = op->clock.reply_by;
    rl_wake woken = RL_WAKE_EVENT;

    while (any_is_open(op) && woken != RL_WAKE_HOOK && platform_now() < reply_by) {
        woken = rl_wait(op->conns, op->count, platform_earlier(nudge_at, reply_by), hook);
        if (woken == RL_WAKE_DEADLINE && platform_now() >= nudge_at) {
            for (size_t k = 0; k < op->count; k++) {
                if (is_open(op, k)) {
                    nudge(op->conns[k]);
                }
            }
            nudge_at = platform_now() + 2 * RL_BLOCK_MARGIN;
        }
    }
    for (size_t k = 0; k < op->count; k++) {
        if (is_open(op, k)) {
            rl_call_give_up(&op->session->calls[k], woken, op->clock.sent_at);
        }
    }
}

/* Sets the error of the k-th WAIT, which has ended, and breaks its connection if that cannot be used any more.
 *
 * An undo that is written behind a WAIT would be of no use: Redis does not run it before the WAIT ends, and not at all if the
 * connection is closed before. So a connection without an answer is broken, and the undo goes over another one. */
static void judge(replicas_op *op, size_t k)
{
    rl_call *call = &op->session->calls[k];
    rl_error *error = &call->error;

    if (op->generations[k] == 0 || (error->kind == RL_OK && rl_conn_generation(op->conns[k]) != op->generations[k])) {
        *error = (rl_error){RL_LOST, "", "the connection was lost before the replicas could be asked"};
    } else if (error->kind == RL_OK && !rl_reply_is_count(call->reply)) {
        *error = RL_WRONG_REPLY;
    } else if (error->kind == RL_ERROR_REPLY && strstr(error->text, "WAIT cannot be used with") != NULL) {
        /* It has become a replica, and is treated as one that refuses to write. */
        snprintf(error->code, sizeof(error->code), "READONLY");
    } else if (error->kind == RL_TIMED_OUT) {
        /* Callers take RL_TIMED_OUT at the end of their time for a lock that somebody else holds. This one is ours. */
        *error = (rl_error){RL_LOST, "", "no answer to WAIT in time"};
    }
    if (error->kind != RL_OK && error->kind != RL_ERROR_REPLY) {
        rl_error why = *error;
        rl_conn_break(op->conns[k], RL_LOST, "the connection was given up");
        *error = why;
    }
}

/* The answer must come over the connection that has set the lease: another one has written nothing, so WAIT would count
 * replicas that know nothing of the lease. It takes a round trip more than the WAIT; the one before tells how long that is. */
lock_outcome lock_replicas_ask(rl_session *session, const lock_client *client, const lock_replicated *lease,
                               rl_error *error)
{
    int64_t now = platform_now(), round_trip = rl_session_round_trip(session, lease->sent);
    int64_t wait_ms = wait_span_ms(client, lease, now, round_trip), ends_at = now + wait_ms * PLATFORM_MSEC;
    int64_t by =
        platform_earlier(ends_at + round_trip + RL_FINAL_REPLY_GRACE, platform_after(lease->deadline, LAST_ANSWER));
    long long fewest = LLONG_MAX;
    replicas_op op;

    RL_INVARIANT(rl_session_is_alone(session));
    op.session = session;
    op.clock = rl_clock_budget(now, wait_ms * PLATFORM_MSEC);
    rl_clock_ask_by(&op.clock, now, platform_later(by, ends_at + SHORTEST_GRACE));
    find_conns(&op);
    send_waits(&op, client->replicas, wait_ms);
    await_answers(&op, lease->hook);
    error->kind = RL_OK;
    for (size_t k = 0; k < op.count; k++) {
        const rl_call *call = &session->calls[k];
        judge(&op, k);
        if (call->error.kind != RL_OK && error->kind != RL_INTERRUPTED) {
            *error = call->error;
        } else if (call->error.kind == RL_OK && call->reply->integer < fewest) {
            fewest = call->reply->integer;
        }
    }
    if (error->kind != RL_OK) {
        return error->kind == RL_INTERRUPTED ? LOCK_INTERRUPTED : LOCK_FAILED;
    }
    if (fewest >= client->replicas) {
        return LOCK_YES;
    }
    *error = (rl_error){.kind = RL_TOO_FEW, .code = "NOREPLICAS"};
    snprintf(error->text, sizeof(error->text), "%s reached %lld of %lld replicas within %lld ms", lease->what, fewest,
             (long long)client->replicas, (long long)wait_ms);
    return LOCK_FAILED;
}

/* SPDX-License-Identifier: MIT
 *
 * lock/replicas: see lock/replicas.h.
 */
#include "lock/replicas.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "platform.h"
#include "redis/blpop.h"

/* What an answer that comes at the last moment leaves for undoing what the WAIT is about. */
#define LAST_ANSWER (RL_CLEANUP_BUDGET - RL_CLEANUP_GRACE)

/* By how much the answer may be late in any case, however late the call is. */
#define SHORTEST_GRACE (RL_CLEANUP_GRACE / 4)

/* Returns the whole ms for which the server may wait from `now` on, so that its answer, which takes `trip`, comes in the
 * caller's time. As with a last try, a short trip does not matter: the answer has the grace of a final reply. */
static int64_t wait_ms(const lock_client *client, const lock_replicated *lease, int64_t now, int64_t trip)
{
    int64_t most = platform_earlier(client->target.read_timeout, lease->duration / 2);
    int64_t left = lease->deadline - now - (trip > RL_FINAL_REPLY_GRACE / 3 ? trip : 0);

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

/* Awaits the answer to the WAIT, which is to end at `ends`. The server may have got it a little late. */
static void await_answer(rl_session *session, const rl_clock *clock, int64_t ends, const rl_hook *hook)
{
    int64_t nudge_at = ends + RL_BLOCK_MARGIN;
    rl_wake woken = RL_WAKE_EVENT;

    while (!session->calls->answered && woken != RL_WAKE_HOOK && platform_now() < clock->reply_by) {
        woken = rl_wait(session->conns, 1, platform_earlier(nudge_at, clock->reply_by), hook);
        if (woken == RL_WAKE_DEADLINE && platform_now() >= nudge_at) {
            nudge(session->conns[0]);
            nudge_at = platform_now() + 2 * RL_BLOCK_MARGIN;
        }
    }
    rl_call_give_up(session->calls, woken);
}

/* Sends the WAIT of so many ms, and awaits its answer. Errors are in the call. The answer must come over the connection that
 * has set the lease: another one has written nothing, so WAIT would count replicas that know nothing of the lease.
 *
 * An undo that is written behind a WAIT would be of no use: Redis does not run it before the WAIT ends, and not at all if the
 * connection is closed before. So a connection without an answer is broken, and the undo goes over another one. */
static void ask(rl_session *session, const lock_client *client, const rl_clock *clock, int64_t ms, const rl_hook *hook)
{
    rl_request *request = rl_session_request(session, 0);
    rl_conn *conn = session->conns[0];
    int64_t generation = rl_conn_generation(conn);
    rl_error *error = &session->calls->error;
    char digits[2][RL_DIGITS];

    rl_request_begin(request, NULL);
    rl_request_add(request, RL_LITERAL("WAIT"));
    rl_request_add_number(request, client->replicas, digits[0]);
    rl_request_add_number(request, ms, digits[1]);
    if (generation != 0) {
        rl_conn_submit(conn, session->calls, clock->connect_by);
        await_answer(session, clock, clock->deadline, hook);
    }
    if (generation == 0 || (error->kind == RL_OK && rl_conn_generation(conn) != generation)) {
        *error = (rl_error){RL_LOST, "", "the connection was lost before the replicas could be asked"};
    } else if (error->kind == RL_OK && !rl_reply_is_count(session->calls->reply)) {
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
        rl_conn_break(conn, RL_LOST, "the connection was given up");
        *error = why;
    }
}

/* The answer to a WAIT takes a round trip more than the WAIT, of which the one before tells how long it takes. */
lock_outcome lock_replicas_ask(rl_session *session, const lock_client *client, const lock_replicated *lease,
                               rl_error *error)
{
    const rl_call *call = session->calls;
    int64_t now = platform_now(), trip = rl_session_trip(session, lease->sent);
    int64_t ms = wait_ms(client, lease, now, trip), ends = now + ms * PLATFORM_MSEC;
    int64_t by = platform_earlier(ends + trip + RL_FINAL_REPLY_GRACE, platform_after(lease->deadline, LAST_ANSWER));
    rl_clock clock = rl_clock_budget(now, ms * PLATFORM_MSEC);

    assert(rl_session_is_alone(session));
    rl_clock_ask_by(&clock, now, platform_later(by, ends + SHORTEST_GRACE));
    ask(session, client, &clock, ms, lease->hook);
    if (call->error.kind != RL_OK) {
        *error = call->error;
        return error->kind == RL_INTERRUPTED ? LOCK_INTERRUPTED : LOCK_FAILED;
    }
    if (call->reply->integer >= client->replicas) {
        return LOCK_YES;
    }
    *error = (rl_error){.kind = RL_TOO_FEW, .code = "NOREPLICAS"};
    snprintf(error->text, sizeof(error->text), "%s reached %lld of %lld replicas within %lld ms", lease->what,
             call->reply->integer, (long long)client->replicas, (long long)ms);
    return LOCK_FAILED;
}

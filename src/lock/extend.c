/* SPDX-License-Identifier: MIT
 *
 * lock/extend: see lock/extend.h.
 */
#include "lock/extend.h"

#include <stdlib.h>

#include "lock/pass.h"
#include "lock/query.h"
#include "lock/replicas.h"
#include "lock/tally.h"
#include "platform/platform.h"
#include "redis/scripts.h"

/* A lease that gets shorter is shortened before the request is sent, since Redis may apply it and the reply be lost. After a
 * repeat, or if a node gave no good answer, a request may still arrive late: later extensions say so. So does the lease stay if
 * too few replicas have the extension: one of the others may be promoted, and knows the old end. */
lock_outcome lock_extend(const lock_client *client, rl_bytes name, lock_lease *lease, int64_t duration, int64_t budget,
                         rl_error *error)
{
    lock_outcome outcome = lock_pass_settle(client, name, lease, &budget, error);

    if (outcome != LOCK_YES) {
        return outcome;
    }

    lock_query q;
    lock_lease old = *lease;
    lock_extension extension = lock_extension_begin(client);
    int64_t sent = extension.at;
    lock_lease wanted = {.sent = sent, .duration = duration};
    char *memory, at[RL_DIGITS];

    lease->is_noted |= extension.doubts;
    lock_pass_note_extension(lease, duration);
    lock_query_open(&q, client, name, &rl_script_extend, false, budget);
    q.request->alone = &rl_script_extend_alone;
    rl_request_add(q.request, lock_note_key(q.keys.lock, &memory));
    q.request->keys++;
    rl_request_add(q.request, lock_lease_token(lease));
    rl_request_add_number(q.request, rl_span_ms(duration), q.digits);
    rl_request_add(q.request, extension.source);
    rl_request_add_number(q.request, extension.at, at);
    rl_request_add(q.request, extension.doubts ? RL_LITERAL("1") : RL_LITERAL("0"));
    if (lock_lease_validity(&wanted, sent) < lock_lease_validity(&old, sent)) {
        lease->sent = sent;
        lease->duration = duration;
    }
    outcome = lock_query_vote(&q, &lock_query_voting, error);
    rl_votes votes = rl_session_votes(&q.session, 0, rl_judge_flag);
    if (rl_session_was_repeated(&q.session, 0) || votes.yes + votes.no < q.session.nodes) {
        lock_extension_doubt(client->extensions);
        lease->is_doubted = true;
    }
    if (outcome == LOCK_YES) {
        const lock_replicated extended = {"the new lease", q.clock.sent_at, duration, q.clock.deadline, NULL};
        outcome = lock_replicas_await(&q.session, client, &extended, error);
    }
    if (outcome == LOCK_YES) {
        lock_lease_set(lease, platform_now(), sent, duration);
        lock_pass_note_end(lease);
    } else {
        /* A server may have carried it out all the same. */
        lock_lease_note_server_expiry(lease, platform_now(), duration);
    }
    if (outcome == LOCK_NOT_OWNED) {
        client->stats->lost++;
        lock_tally(client, name, lease, METRICS_LOST);
    }
    lock_query_close(&q);
    free(memory);
    return outcome;
}

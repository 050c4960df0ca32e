/* SPDX-License-Identifier: MIT
 *
 * lock/batch_size: see lock/batch_size.h.
 */
#include "lock/batch_size.h"

/* A connection over which this many batches running were refused, of which each lease alone is renewed, takes no batches. One
 * whose server says that this is for the keys is enough. */
#define REFUSALS_ENOUGH 2

/* Finds the first node that has refused the request for a reason that may lie in its number of keys: in a cluster, or behind
 * some proxies, the keys of one request must belong together. Returns false if none has. */
static bool find_refuser(const rl_session *session, size_t *node)
{
    for (*node = 0; *node < session->nodes; ++*node) {
        const rl_error *error = &session->calls[*node].error;
        if (error->kind == RL_ERROR_REPLY && !rl_error_is_transient(error)) {
            return true;
        }
    }
    return false;
}

/* A new connection may lead to a server, or through a proxy, that takes what the last one did not. */
static void forget_old_connection(batch_size *size, const rl_session *session)
{
    if (size->refused > 0 && rl_conn_generation(session->conns[size->refused_by]) != size->connection) {
        *size = (batch_size){.most = BATCH_MOST, .lone_refused = size->lone_refused};
    }
}

/* After a refusal, leases are sent one by one. But if one alone is refused too, the number of keys is not the reason: then
 * the next request is a whole one again. */
static void heed_refusal(batch_size *size, const rl_session *session, size_t leases, size_t node)
{
    if (leases > 1) {
        if (size->refused == 0) {
            size->refused_by = node;
            size->connection = rl_conn_generation(session->conns[node]);
        }
        if (rl_error_refuses_many_keys(&session->calls[node].error)) {
            size->refusals = REFUSALS_ENOUGH;
        }
        size->refused = leases;
        size->most = 1;
    } else {
        size->lone_refused = true;
        size->most = size->refusals < REFUSALS_ENOUGH ? BATCH_MOST : 1;
    }
}

/* A refusal that passed before the next request looks like one for the size, so the batch grows again with each good answer,
 * until another one is refused like that. A small batch among many leases does not show that a larger one is taken: its keys
 * may have happened to belong together. */
static void heed_success(batch_size *size, size_t leases)
{
    if (size->refusals >= REFUSALS_ENOUGH) {
        return;
    }
    if (size->lone_refused) {
        *size = (batch_size){.most = BATCH_MOST};
    } else if (size->most == 1 && ++size->refusals == REFUSALS_ENOUGH) {
        return;
    } else if (leases > 1 && (leases >= size->refused || leases < size->most)) {
        size->refused = size->refusals = 0;
    }
    size->most = size->most < BATCH_MOST / 2 ? 2 * size->most : BATCH_MOST;
}

void batch_size_learn(batch_size *size, const rl_session *session, size_t leases, bool good)
{
    size_t node;

    forget_old_connection(size, session);
    if (good) {
        heed_success(size, leases);
    } else if (find_refuser(session, &node)) {
        heed_refusal(size, session, leases, node);
    }
}

/* SPDX-License-Identifier: MIT
 *
 * php/redislock/release: see php/redislock/release.h.
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "php/redislock/release.h"

#include <stdlib.h>

#include "php/redislock/fibers.h"
#include "php/redislock/listener.h"
#include "invariant.h"
#include "platform/platform.h"

/* If no server can be looked up, the release still counts as asked for: from then on nothing of the lease is left. */
lock_outcome php_lock_release(php_lock_state *state, zend_string *name, zend_string *token)
{
    php_lock_target target;
    php_lock_call call;
    lock_outcome outcome;

    if (!php_lock_state_find_target(state, name, token, &target) ||
        (token == NULL && php_lock_fibers_has_refused(target.hold))) {
        return LOCK_NOT_OWNED;
    }
    target.lease->is_drawn &= token == NULL; /* a caller that knows the token may take a lock with it */
    if (!php_lock_call_begin(&call, state, name)) {
        if (target.hold != NULL) {
            php_lock_hold_settle_at_once(target.hold);
        }
        lock_release_mark_unsent(target.lease);
        return LOCK_FAILED;
    }
    if (target.hold != NULL) {
        php_lock_call_settle(&call, target.hold);
    }
    RL_INVARIANT(target.hold == NULL || target.hold->renewal == NULL); /* L17 */
    outcome = lock_release(&call.client, php_rl_bytes(name), target.lease, lock_budget(&call.client), &call.base.error);
    if (outcome == LOCK_FAILED) {
        php_lock_state_forget_over(state);
    } else if (target.hold != NULL) {
        php_lock_note_end(state, target.hold, outcome == LOCK_NOT_OWNED);
        php_lock_state_remove(state, name);
    } else if (outcome == LOCK_YES) { /* of what another token holds this object has lost nothing */
        php_lock_note_released(state, name, target.lease);
    }
    php_rl_call_end(&call.base, outcome == LOCK_FAILED);
    return outcome;
}

/* The holds are walked twice: first no other request is sent for any of them, then those under way are awaited. */
int64_t php_lock_settle_all(php_lock_state *state, int64_t budget)
{
    int64_t began = platform_now(), longest = php_lock_answer_time(budget);
    php_lock_hold *hold;

    ZEND_HASH_FOREACH_PTR(&state->held, hold)
    {
        php_lock_hold_stop(hold);
    }
    ZEND_HASH_FOREACH_END();
    ZEND_HASH_FOREACH_PTR(&state->held, hold)
    {
        php_lock_hold_settle_by(hold, began + longest);
    }
    ZEND_HASH_FOREACH_END();
    return budget > 0 ? platform_later(budget - (platform_now() - began), 0) : budget;
}

/* Lists the leases before it forgets any, since forgetting changes the table that is walked. The lists are no request
 * memory: that may be used up when a request ends, and the fatal error would come in place of the releases. */
bool php_lock_release_all(php_lock_state *state, php_lock_call *call, int64_t budget, int64_t until,
                          lock_release_failures *failures)
{
    uint32_t count = zend_hash_num_elements(&state->held), n = 0;
    lock_release_item *items = platform_alloc(count * sizeof(*items));
    zend_string **names = platform_alloc(count * sizeof(*names));
    zend_string *name;
    php_lock_hold *hold;
    bool all = true;

    budget = php_lock_settle_all(state, budget);
    ZEND_HASH_FOREACH_STR_KEY_PTR(&state->held, name, hold) {
        RL_INVARIANT(hold->renewal == NULL); /* L17 */
        names[n] = name;
        items[n++] = (lock_release_item){.name = {ZSTR_VAL(name), ZSTR_LEN(name)}, .lease = &hold->lease};
    }
    ZEND_HASH_FOREACH_END();
    lock_release_all(&call->client, items, count, budget, until, failures);
    for (uint32_t i = 0; i < count; i++) {
        all &= items[i].outcome == LOCK_YES;
        if (items[i].outcome != LOCK_FAILED) {
            php_lock_note_end(state, zend_hash_find_ptr(&state->held, names[i]), items[i].outcome == LOCK_NOT_OWNED);
            php_lock_state_remove(state, names[i]);
        }
    }
    free(items);
    free(names);
    return all;
}

void php_lock_mark_all_unsent(php_lock_state *state)
{
    php_lock_hold *hold;

    php_lock_settle_all(state, 0);
    ZEND_HASH_FOREACH_PTR(&state->held, hold)
    {
        lock_release_mark_unsent(&hold->lease);
    }
    ZEND_HASH_FOREACH_END();
}

/* Releases in the backlog are sent again, so their locks mostly stay for less time than the others. */
const char *php_lock_failures_text(char text[PHP_LOCK_FAILURES_TEXT], const lock_release_failures *failures)
{
    const char *why = failures->error.text;
    size_t repeated = failures->repeated, others = failures->count - repeated;

    if (failures->count == 1) {
        snprintf(text, PHP_LOCK_FAILURES_TEXT, "%s", why);
    } else if (others == 0) {
        snprintf(text, PHP_LOCK_FAILURES_TEXT, "%s; %zu locks may stay until the server is reached again", why,
                 repeated);
    } else if (repeated == 0) {
        snprintf(text, PHP_LOCK_FAILURES_TEXT, "%s; %zu locks may stay until their leases end", why, others);
    } else {
        snprintf(text, PHP_LOCK_FAILURES_TEXT,
                 "%s; %zu locks may stay until their leases end, and %zu until the server is reached again", why,
                 others, repeated);
    }
    return text;
}

/* Says for how long the lock may stay; for a lease without end there is no such number. */
void php_lock_warn_unreleased(zend_string *problem, const lock_lease *lease)
{
    int64_t stays = lock_lease_server_remaining(lease, platform_now());

    if (php_lock_request_is_ending()) {
        return;
    }
    if (stays == PLATFORM_NEVER) {
        php_error_docref(NULL, E_WARNING, "RedisLock could not release a lock; its lease has no end: %s",
                         ZSTR_VAL(problem));
    } else {
        php_error_docref(NULL, E_WARNING,
                         "RedisLock could not release a lock; Redis may keep it for another %.1f s: %s",
                         php_rl_to_seconds(stays), ZSTR_VAL(problem));
    }
}

/* SPDX-License-Identifier: MIT
 *
 * php/redislock/auto_release: see php/redislock/auto_release.h.
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "php/redislock/auto_release.h"

#include "php/errors.h"
#include "php/redislock/errors.h"
#include "php/redislock/listener.h"
#include "php/redislock/release.h"
#include "platform/platform.h"

/* The time that all releases at the end of a request may take together, whether of one object or of a thousand: Redis
 * may hang, and the leases end by themselves. */
#define REQUEST_END_TIME (400 * PLATFORM_MSEC)

/* For so long after that, releases are still sent, but nobody waits for the replies. Of thousands of objects each may have
 * to connect for that. */
#define REQUEST_END_GRACE (50 * PLATFORM_MSEC)

/* Returns what is left of the time that a request may take for its end. */
static int64_t request_end_time_left(void)
{
    return platform_later(REQUEST_END_TIME - RL_G(release_time), 0);
}

/* Adds up what was done since `began` at the end of a request. */
static void count_request_end_time(int64_t began)
{
    if (php_lock_request_is_ending()) {
        RL_G(release_time) += platform_now() - began;
    }
}

/* Returns how long an automatic release may go on without an answer, and sets until when in any case: see
 * lock_release_all(). At the end of a request all releases share a short time. */
static int64_t auto_release_budget(const lock_client *client, int64_t now, int64_t *until)
{
    int64_t left = request_end_time_left();

    *until = PLATFORM_NEVER;
    if (!php_lock_request_is_ending()) {
        return lock_budget(client);
    }
    if (left == 0) {
        return RL_G(release_time) < REQUEST_END_TIME + REQUEST_END_GRACE ? 0 : -1;
    }
    *until = now + left;
    return platform_earlier(left, lock_budget(client));
}

/* What the warning of an automatic release is about. */
typedef struct unreleased {
    const lock_release_failures *failures;
    const char *server;
    int64_t began;
} unreleased;

/* Warns of what an automatic release could not carry out. Releases that were all asked for before it `began` have been
 * reported by an exception or a warning already. */
static void warn_of_failures(void *arg)
{
    const unreleased *what = arg;
    const lock_release_failures *failures = what->failures;
    char text[PHP_LOCK_FAILURES_TEXT];
    const lock_release_item *last = &failures->last;

    if (php_lock_request_is_ending() || failures->count == 0 || last->lease->release_requested_at < what->began) {
        return;
    }
    zend_string *name = zend_string_init(last->name.at, last->name.len, false);
    zend_string *problem = php_rl_message(PHP_LOCK_SUBJECT, php_lock_failures_text(text, failures), name, what->server);
    if (failures->count == 1) {
        php_lock_warn_unreleased(problem, last->lease);
    } else {
        php_error_docref(NULL, E_WARNING, "RedisLock could not release all its locks: %s", ZSTR_VAL(problem));
    }
    zend_string_release(problem);
    zend_string_release(name);
}

/* Warns that nothing was released, since the environment does not name the servers. */
static void warn_of_nobody_to_ask(const rl_error *problem, const char *server)
{
    zend_string *text = php_rl_message(PHP_LOCK_SUBJECT, problem->text, NULL, server);

    php_error_docref(NULL, E_WARNING, "RedisLock could not release its locks; they last until their leases end: %s",
                     ZSTR_VAL(text));
    zend_string_release(text);
}

/* Releases all leases and forgets them, whatever the outcome. Runs where an exception may be on its way, so nothing may
 * be thrown here: php_lock_call_begin() would throw. What it takes at the end of a request is added up, for
 * auto_release_budget(). The leases are forgotten before a warning is raised: its handler may take locks with an object that
 * is being destructed, and these stay. */
static void auto_release(php_lock_state *state)
{
    lock_release_failures failures;
    php_lock_call call;
    HashTable over;

    php_lock_state_check_fork(state);
    if (zend_hash_num_elements(&state->held) == 0) {
        return;
    }
    if (!php_lock_call_fill(&call, state)) {
        zend_hash_clean(&state->held);
        if (!php_lock_request_is_ending()) {
            warn_of_nobody_to_ask(&call.base.error, php_lock_state_server(state));
        }
        return;
    }
    int64_t began = platform_now();
    int64_t until, budget = auto_release_budget(&call.client, began, &until);
    php_lock_release_all(state, &call, budget, until, &failures);
    count_request_end_time(began);
    over = php_lock_state_take_all(state);
    php_rl_call_run(&call.base, warn_of_failures, &(unreleased){&failures, php_rl_call_server(&call.base), began});
    zend_hash_destroy(&over);
    php_rl_call_end(&call.base, false);
}

void php_lock_destruct(php_rl_base *base)
{
    if (base->options.settings.auto_release == AUTO_RELEASE_OBJECT) {
        auto_release((php_lock_state *)base);
    }
    php_lock_listener_tell((php_lock_state *)base);
}

/* ---- states that wait for the end of the request ---- */

/* States whose locks have ended are looked for when there are so many, and then again when there are twice as many. */
#define DEFERRED_LEAST 16

static int has_ended(zval *zv)
{
    bool over = lock_lease_server_remaining(&((php_lock_hold *)Z_PTR_P(zv))->lease, platform_now()) == 0;

    return over ? ZEND_HASH_APPLY_REMOVE : ZEND_HASH_APPLY_KEEP;
}

/* Frees the states all of whose locks have ended in Redis. In a process that lives long, the request may never end. */
static void drop_deferred_that_ended(void)
{
    php_lock_state **link = &RL_G(deferred), *state;

    while ((state = *link) != NULL) {
        php_lock_state_check_fork(state);
        zend_hash_apply(&state->held, has_ended);
        if (zend_hash_num_elements(&state->held) > 0) {
            link = &state->next;
            continue;
        }
        *link = state->next;
        RL_G(deferred_count)--;
        php_lock_state_free(state);
    }
}

/* Keeps the state until the request ends. */
static void defer(php_lock_state *state)
{
    if (RL_G(deferred_count) >= platform_later(RL_G(deferred_look_at), DEFERRED_LEAST)) {
        drop_deferred_that_ended();
        RL_G(deferred_look_at) = 2 * RL_G(deferred_count);
    }
    state->next = RL_G(deferred);
    RL_G(deferred) = state;
    RL_G(deferred_count)++;
}

/* A fatal error in the handler of a warning must not jump over the end of the state, which owns connections and memory of the
 * process. */
static void release_and_free(php_lock_state *state)
{
    volatile bool bailed_out = false;

    zend_try
    {
        auto_release(state);
    }
    zend_catch
    {
        bailed_out = true;
    }
    zend_end_try();
    php_lock_state_free(state);
    if (bailed_out) {
        zend_bailout();
    }
}

/* With auto_release 'request', a state is kept until the request is over. Then php_lock_dispose_deferred() disposes of it here,
 * and `request_over` keeps it from being deferred once more. */
void php_lock_dispose(php_rl_base *base)
{
    php_lock_state *state = (php_lock_state *)base;

    php_lock_state_check_fork(state);
    if (zend_hash_num_elements(&state->held) > 0) {
        if (state->base.options.settings.auto_release == AUTO_RELEASE_REQUEST && !RL_G(request_over)) {
            php_lock_settle_all(state, 0); /* a lock whose object is gone is not renewed */
            defer(state);
            php_rl_options_forget_functions(&state->base.options); /* last, since destructors may run */
            return;
        }
        if (state->base.options.settings.auto_release != AUTO_RELEASE_NEVER) {
            release_and_free(state);
            return;
        }
    }
    php_lock_state_free(state);
}

void php_lock_dispose_deferred(void)
{
    while (RL_G(deferred) != NULL) {
        php_lock_state *state = RL_G(deferred);
        RL_G(deferred) = state->next;
        php_lock_dispose(&state->base);
    }
}

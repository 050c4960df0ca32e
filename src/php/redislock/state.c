/* SPDX-License-Identifier: MIT
 *
 * php/redislock/state: see php/redislock/state.h.
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "php/redislock/state.h"

#include <stdlib.h>

#include "invariant.h"
#include "lock/keys.h"
#include "php/redislock/fibers.h"
#include "platform/platform.h"

/* Makes a hold, which takes over what the lease owns. */
static php_lock_hold *new_hold(zend_string *name, const lock_lease *lease, const php_rl_options *options)
{
    php_lock_hold *hold = emalloc(sizeof(*hold));

    *hold = (php_lock_hold){
        .name = zend_string_copy(name), .options = options, .lease = *lease, .taker = EG(current_fiber_context)};
    php_lock_fibers_follow(hold);
    return hold;
}

/* Ends the renewing and frees the hold. Releases no lock. */
static void free_hold(zval *zv)
{
    php_lock_hold *hold = Z_PTR_P(zv);

    php_lock_hold_settle_at_once(hold);
    php_lock_fibers_forget(hold);
    lock_lease_free(&hold->lease);
    zend_string_release(hold->name);
    efree(hold);
}

static void init_held(php_lock_state *state)
{
    zend_hash_init(&state->held, 0, NULL, free_hold, false);
}

void php_lock_state_init(php_rl_base *base)
{
    php_lock_state *state = (php_lock_state *)base;

    state->process = platform_process();
    state->look_at = 2 * PHP_LOCK_LAPSED_KEPT;
    init_held(state);
}

void php_lock_state_check_fork(php_lock_state *state)
{
    int64_t process = platform_process();

    if (state->process != process) {
        zend_hash_clean(&state->held);
        php_lock_events_free(&state->events);
        state->process = process;
    }
}

php_lock_state *php_lock_state_of(zend_object *object)
{
    php_lock_state *state = (php_lock_state *)php_rl_base_of(object);

    if (state != NULL) {
        php_lock_state_check_fork(state);
    }
    return state;
}

/* ---- held ---- */

static php_lock_hold *look_up(php_lock_state *state, zend_string *name)
{
    php_lock_state_check_fork(state);
    return zend_hash_find_ptr(&state->held, name);
}

php_lock_hold *php_lock_state_find(php_lock_state *state, zend_string *name)
{
    php_lock_hold *hold = look_up(state, name);

    if (hold != NULL) {
        php_lock_hold_refresh(hold);
    }
    return hold;
}

php_lock_hold *php_lock_state_find_live(php_lock_state *state, zend_string *name)
{
    php_lock_hold *hold = look_up(state, name);

    return hold != NULL && php_lock_hold_left(hold) > 0 ? hold : NULL;
}

/* A baton never owns a lock, so as a token it names none. */
bool php_lock_state_find_target(php_lock_state *state, zend_string *name, zend_string *token, php_lock_target *target)
{
    php_lock_hold *hold = php_lock_state_find(state, name);

    if (token == NULL ? hold == NULL : lock_token_is_baton(php_rl_bytes(token))) {
        return false;
    }
    if (token == NULL || (hold != NULL && rl_bytes_equal(lock_lease_token(&hold->lease), php_rl_bytes(token)))) {
        target->hold = hold;
        target->lease = &hold->lease;
        return true;
    }
    target->hold = NULL;
    target->lease = &target->token_lease;
    target->token_lease = (lock_lease){.token = ZSTR_VAL(token), .token_len = ZSTR_LEN(token), .sent = platform_now()};
    return true;
}

bool php_lock_state_refuses(php_lock_state *state, zend_string *name)
{
    php_lock_hold *hold = php_lock_state_find_live(state, name);

    if (hold != NULL) {
        php_lock_fibers_refuse(hold);
    }
    return hold != NULL;
}

/* ---- forgetting ---- */

/* A lock that has lapsed is not forgotten for so long: until then its holder may come to unlock() or lost(). */
#define LAPSED_AGE (60 * PLATFORM_SEC)

/* Failed releases are looked for each time only among fewer locks than this. */
#define LOOK_LEAST (2 * PHP_LOCK_LAPSED_KEPT)

/* The next look is due when there are a quarter more locks, so that a lock costs the same however many there are. */
static void set_next_look(php_lock_state *state)
{
    uint32_t count = zend_hash_num_elements(&state->held), more = count + count / 4;

    state->look_at = more > LOOK_LEAST ? more : LOOK_LEAST;
}

/* Tells zend_hash_apply() which locks to forget: those of a failed release that have ended in Redis. A worker that
 * lives long must not accumulate them. */
static int is_past(zval *zv)
{
    const lock_lease *lease = &((php_lock_hold *)Z_PTR_P(zv))->lease;
    bool over = lease->release_requested_at != 0 && lock_lease_server_remaining(lease, platform_now()) == 0;

    return over ? ZEND_HASH_APPLY_REMOVE : ZEND_HASH_APPLY_KEEP;
}

void php_lock_state_forget_over(php_lock_state *state)
{
    uint32_t count = zend_hash_num_elements(&state->held);

    if (count < LOOK_LEAST || count >= state->look_at) {
        zend_hash_apply(&state->held, is_past);
        set_next_look(state);
    }
}

/* Returns when the lease has ended, which may be later than it was lost. 0: that is not known. */
static int64_t ended_at(const php_lock_hold *hold)
{
    const lock_lease *lease = &hold->lease;
    int64_t duration = lease->duration > 0 ? lease->duration : hold->last_duration;

    if (lease->release_requested_at != 0) {
        return lease->release_requested_at;
    }
    return duration > 0 ? platform_after(lease->sent, duration) : 0;
}

/* Returns since when nothing is left of the lease, or 0 if something is. A lock that was taken away has lapsed when that is
 * noticed. */
static int64_t lapsed_at(php_lock_hold *hold, int64_t now)
{
    if (php_lock_hold_left(hold) > 0) {
        hold->lapsed_at = 0;
    } else if (hold->lapsed_at == 0) {
        int64_t ended = ended_at(hold);
        hold->lapsed_at = ended != 0 ? platform_earlier(ended, now) : now;
    }
    return hold->lapsed_at;
}

static int by_lapse(const void *a, const void *b)
{
    int64_t one = (*(php_lock_hold *const *)a)->lapsed_at, other = (*(php_lock_hold *const *)b)->lapsed_at;

    return (one > other) - (one < other);
}

static bool may_be_forgotten(const php_lock_hold *hold, int64_t now)
{
    return now - hold->lapsed_at >= LAPSED_AGE && hold->section == NULL &&
           (hold->renewal == NULL || !lock_renewal_has_notice(hold->renewal));
}

/* The list is no request memory: if that is used up, a fatal error would come before the lock that was just taken is in the
 * state. */
static void forget_lapsed(php_lock_state *state)
{
    php_lock_hold **lapsed = platform_alloc(zend_hash_num_elements(&state->held) * sizeof(*lapsed)), *hold;
    int64_t now = platform_now();
    size_t count = 0;

    ZEND_HASH_FOREACH_PTR(&state->held, hold)
    {
        if (lapsed_at(hold, now) != 0) {
            lapsed[count++] = hold;
        }
    }
    ZEND_HASH_FOREACH_END();
    qsort(lapsed, count, sizeof(*lapsed), by_lapse);
    for (size_t i = 0; i + PHP_LOCK_LAPSED_KEPT < count; i++) {
        if (may_be_forgotten(lapsed[i], now)) {
            php_lock_state_remove(state, lapsed[i]->name);
        }
    }
    free(lapsed);
    set_next_look(state);
}

/* ---- putting and taking out ---- */

php_lock_hold *php_lock_state_put(php_lock_state *state, zend_string *name, const lock_lease *lease)
{
    if (zend_hash_num_elements(&state->held) >= state->look_at) {
        forget_lapsed(state);
    }
    php_lock_hold *hold = new_hold(name, lease, &state->base.options);
    zend_hash_update_ptr(&state->held, name, hold);
    return hold;
}

lock_lease php_lock_state_take_out(php_lock_state *state, zend_string *name)
{
    php_lock_hold *hold = zend_hash_find_ptr(&state->held, name);
    lock_lease lease;

    RL_INVARIANT(hold != NULL);
    php_lock_hold_settle_at_once(hold);
    lease = hold->lease;
    hold->lease = (lock_lease){0};
    php_lock_state_remove(state, name);
    return lease;
}

void php_lock_state_remove(php_lock_state *state, zend_string *name)
{
    zend_hash_del(&state->held, name);
}

const char *php_lock_state_server(const php_lock_state *state)
{
    return state->base.options.servers.label;
}

HashTable php_lock_state_take_all(php_lock_state *state)
{
    HashTable all = state->held;

    init_held(state);
    return all;
}

void php_lock_state_free(php_lock_state *state)
{
    php_lock_events_free(&state->events);
    zend_hash_destroy(&state->held);
    php_rl_base_free(&state->base);
}

/* SPDX-License-Identifier: MIT
 *
 * php/redislock/hold: see php/redislock/hold.h.
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "php/redislock/hold.h"

#include "invariant.h"
#include "lock/pass.h"
#include "platform/platform.h"

/* Of the whole process: all threads of PHP share the renewing thread. Written before there are threads. */
static lock_renewer *renewer;

void php_lock_renewal_startup(void)
{
    renewer = lock_renewer_new();
}

void php_lock_renewal_shutdown(void)
{
    lock_renewer_free(renewer);
    renewer = NULL;
}

/* ---- keeping ---- */

/* The list's order does not matter. */
static void enter_background(php_lock_hold *hold)
{
    RL_INVARIANT(hold->renewal != NULL);
    hold->next = RL_G(background);
    hold->named_by = &RL_G(background);
    if (hold->next != NULL) {
        hold->next->named_by = &hold->next;
    }
    RL_G(background) = hold;
}

/* Called by the renewing thread, too: the engine calls zend_interrupt_function at its next safe point. */
static void interrupt_php(void *arg)
{
    php_lock_interrupt *interrupt = arg;

    atomic_store(&interrupt->pending, true);
    zend_atomic_bool_store_ex(interrupt->vm_interrupt, true);
}

/* A look at all of them may be under way, and goes on behind it. Other notices may wait for the reminder of this lock. */
static void leave_background(php_lock_hold *hold)
{
    RL_INVARIANT(hold->renewal == NULL && *hold->named_by == hold);
    if (RL_G(look_at_next) == hold) {
        RL_G(look_at_next) = hold->next;
    }
    if (RL_G(reminder) == hold) {
        RL_G(reminder) = NULL;
        interrupt_php(&RL_G(interrupt));
    }
    *hold->named_by = hold->next;
    if (hold->next != NULL) {
        hold->next->named_by = hold->named_by;
    }
}

void php_lock_renewal_end_all(void)
{
    while (RL_G(background) != NULL) {
        php_lock_hold *hold = RL_G(background);
        php_lock_hold_settle_at_once(hold);
        lock_lease_free(&hold->lease);
    }
}

void php_lock_renewal_forget_all(void)
{
    RL_G(background) = RL_G(look_at_next) = RL_G(reminder) = NULL;
    atomic_store(&RL_G(interrupt).pending, false);
}

/* How long before its end the holder is told of a lease that was not renewed. A lease that is renewed is due when a third
 * of it is over, so there must be more time than that. */
static int64_t margin_of(const lock_lease *lease)
{
    int64_t margin = platform_later(lease->duration / 6, 50 * PLATFORM_MSEC);

    return platform_earlier(margin, lease->duration / 3);
}

/* Hands the lease to the renewing thread. There is an interrupt for `max_hold` also if the holder wants to hear of no loss. */
static bool begin(php_lock_hold *hold, const lock_client *client, rl_error *error)
{
    lock_renewal_terms terms = {
        .hold_until = hold->hold_until,
        .stats = &RL_G(renewals),
        .margin = hold->on_loss != ON_LOSS_FLAG ? margin_of(&hold->lease)
                  : hold->is_heard              ? PLATFORM_MSEC
                                                : 0,
        .on_notice = interrupt_php,
        .arg = &RL_G(interrupt),
    };

    RL_INVARIANT(hold->renewal == NULL && hold->lease.duration != PLATFORM_NEVER);
    hold->waits_since = 0;
    RL_G(interrupt).vm_interrupt = &EG(vm_interrupt);
    hold->last_duration = hold->lease.duration;
    hold->renewal = hold->renews
                        ? lock_renewal_begin(renewer, client, php_rl_bytes(hold->name), &hold->lease, &terms, error)
                        : lock_renewal_watch(renewer, &hold->lease, &terms, error);
    if (hold->renewal != NULL) {
        enter_background(hold);
    }
    return hold->renewal != NULL;
}

static bool is_to_be_kept(const php_lock_hold *hold)
{
    return hold->renews || (hold->on_loss != ON_LOSS_FLAG && hold->lease.duration != PLATFORM_NEVER);
}

bool php_lock_hold_keep(php_lock_hold *hold, const lock_client *client, bool renew, rl_error *error)
{
    hold->renews = renew;
    hold->hold_until = platform_after(hold->lease.sent, hold->options->settings.max_hold);
    return !is_to_be_kept(hold) || begin(hold, client, error);
}

bool php_lock_hold_keep_on(php_lock_hold *hold, const lock_client *client, rl_error *error)
{
    hold->renews &= hold->lease.duration != PLATFORM_NEVER;
    return !is_to_be_kept(hold) || lock_lease_validity(&hold->lease, platform_now()) == 0 || begin(hold, client, error);
}

void php_lock_hold_stop(php_lock_hold *hold)
{
    if (hold->renewal != NULL) {
        lock_renewal_stop(hold->renewal);
    }
}

void php_lock_hold_settle_by(php_lock_hold *hold, int64_t until)
{
    if (hold->renewal == NULL) {
        return;
    }
    lock_renewal_end(hold->renewal, &RL_G(extensions), &hold->lease, until);
    hold->renewal = NULL;
    leave_background(hold);
}

void php_lock_hold_settle_at_once(php_lock_hold *hold)
{
    php_lock_hold_settle_by(hold, 0);
}

void php_lock_hold_refresh(php_lock_hold *hold)
{
    if (hold->renewal != NULL) {
        lock_renewal_read(hold->renewal, &hold->lease, platform_now());
    }
    lock_pass_look(&hold->lease);
}

int64_t php_lock_hold_left(php_lock_hold *hold)
{
    int64_t now = platform_now();

    if (hold->renewal != NULL) {
        lock_renewal_read(hold->renewal, &hold->lease, now);
    }
    lock_pass_look(&hold->lease);
    return lock_lease_validity(&hold->lease, now);
}

/* ---- counts ---- */

lock_renewal_stats php_lock_renewal_counts(void)
{
    return lock_renewal_counts(renewer, &RL_G(renewals));
}

rl_traffic php_lock_renewal_traffic(void)
{
    return lock_renewer_traffic(renewer);
}

/* SPDX-License-Identifier: MIT
 *
 * php/renewal: see php/renewal.h.
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "php/renewal.h"

#include "platform.h"

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

php_lock_hold *php_lock_hold_new(const lock_lease *lease)
{
    php_lock_hold *hold = emalloc(sizeof(*hold));

    *hold = (php_lock_hold){.lease = *lease};
    return hold;
}

void php_lock_hold_free(php_lock_hold *hold)
{
    php_lock_hold_settle(hold);
    lock_lease_free(&hold->lease);
    efree(hold);
}

/* ---- renewing ---- */

static bool renew_until(php_lock_hold *hold, const lock_client *client, rl_bytes name, int64_t hold_until,
                        rl_error *error)
{
    lock_renewal_terms terms = {.hold_until = hold_until, .stats = &RL_G(renewals)};

    hold->hold_until = hold_until;
    hold->renewal = lock_renewal_begin(renewer, client, name, &hold->lease, &terms, error);
    return hold->renewal != NULL;
}

bool php_lock_hold_renew(php_lock_hold *hold, const lock_client *client, rl_bytes name, int64_t max_hold,
                         rl_error *error)
{
    return renew_until(hold, client, name, platform_after(hold->lease.sent, max_hold), error);
}

void php_lock_hold_renew_again(php_lock_hold *hold, const lock_client *client, rl_bytes name)
{
    const lock_lease *lease = &hold->lease;
    rl_error ignored;

    if (lease->duration != PLATFORM_NEVER && lock_lease_validity(lease, platform_now()) > 0) {
        renew_until(hold, client, name, hold->hold_until, &ignored);
    }
}

void php_lock_hold_stop(php_lock_hold *hold)
{
    if (hold->renewal != NULL) {
        lock_renewal_stop(hold->renewal);
    }
}

bool php_lock_hold_settle_by(php_lock_hold *hold, int64_t until)
{
    if (hold->renewal == NULL) {
        return false;
    }
    lock_renewal_end(hold->renewal, &RL_G(extensions), &hold->lease, until);
    hold->renewal = NULL;
    return true;
}

bool php_lock_hold_settle(php_lock_hold *hold)
{
    return php_lock_hold_settle_by(hold, platform_now() + PHP_LOCK_ANSWER_TIME);
}

int64_t php_lock_hold_left(php_lock_hold *hold)
{
    int64_t now = platform_now();

    if (hold->renewal != NULL) {
        lock_renewal_read(hold->renewal, &hold->lease, now);
    }
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

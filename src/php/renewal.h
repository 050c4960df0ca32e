/* SPDX-License-Identifier: MIT
 *
 * php/renewal: the locks that a state holds, and the renewing of their leases by the process' one background thread.
 */
#ifndef PHP_REDISLOCK_RENEWAL_H
#define PHP_REDISLOCK_RENEWAL_H

#include "lock/renewal.h"
#include "php/call.h"
#include "platform.h"

/* Makes what the thread needs, but starts none; at MINIT. */
void php_lock_renewal_startup(void);

/* Ends the thread; at MSHUTDOWN, when no object is left. */
void php_lock_renewal_shutdown(void);

/* A lock that a state holds. While its lease is renewed, nothing else may be asked of Redis about it:
 * php_lock_hold_settle() comes first. */
typedef struct php_lock_hold {
    lock_lease lease;
    lock_renewal *renewal; /* NULL: the lease is not renewed */
    int64_t hold_until;    /* until when it is renewed at most; kept while it is settled */
} php_lock_hold;

/* Makes a hold, which takes over what the lease owns. Freed by php_lock_hold_free(). */
php_lock_hold *php_lock_hold_new(const lock_lease *lease);

/* Ends the renewing and frees the hold. Releases no lock. */
void php_lock_hold_free(php_lock_hold *hold);

/* Begins to renew the lease, for `max_hold` since it was set. False: call->error says why that cannot be. */
bool php_lock_hold_renew(php_lock_hold *hold, const lock_client *client, rl_bytes name, int64_t max_hold,
                         rl_error *error);

/* Goes on to renew a lease that was renewed before it was settled, if it has an end. Where that cannot be, the lease ends
 * when it ends. */
void php_lock_hold_renew_again(php_lock_hold *hold, const lock_client *client, rl_bytes name);

/* Stops the renewing without waiting. For many holds, which are settled afterwards. */
void php_lock_hold_stop(php_lock_hold *hold);

/* How long an answer that is under way is waited for before something else is asked about the lock. Mostly it comes within
 * a round trip. Where it does not, nothing is lost by going on: see lock_renewal_end(). */
#define PHP_LOCK_ANSWER_TIME (100 * PLATFORM_MSEC)

/* Ends the renewing, if there is any, so that Redis can be asked about the lock. Waits for an answer that is under way, for
 * PHP_LOCK_ANSWER_TIME at most. Returns whether there was any. */
bool php_lock_hold_settle(php_lock_hold *hold);

/* Does the same, and waits until `until` at most: for many holds, which share the wait. */
bool php_lock_hold_settle_by(php_lock_hold *hold, int64_t until);

/* Updates the lease to what became of it in the background, without waiting, and returns what is left of it by the local
 * clock. Where this has told once that nothing is left of a lease, nothing ever is. */
int64_t php_lock_hold_left(php_lock_hold *hold);

/* What renewing has done for this process, or thread, so far; and the connections of the thread. */
lock_renewal_stats php_lock_renewal_counts(void);
rl_traffic php_lock_renewal_traffic(void);

#endif

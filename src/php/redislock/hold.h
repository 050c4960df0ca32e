/* SPDX-License-Identifier: MIT
 *
 * php/redislock/hold: the locks that a state holds, and the renewing of their leases by the process' one background thread.
 */
#ifndef REDISLOCK_PHP_REDISLOCK_HOLD_H
#define REDISLOCK_PHP_REDISLOCK_HOLD_H

#include "lock/renewal.h"
#include "lock/renewer.h"
#include "php/call.h"
#include "platform/platform.h"
#include "zend_fibers.h"

/* Makes what the thread needs, but starts none; at MINIT. */
void php_lock_renewal_startup(void);

/* Ends the thread; at MSHUTDOWN, when no object is left. */
void php_lock_renewal_shutdown(void);

/* Ends what is still kept behind the end of a request, of which nothing should be: else a lock that nobody can release any
 * more would be renewed. For the leases nothing is asked of Redis. */
void php_lock_renewal_end_all(void);

/* Forgets the locks of the last request, whose memory is gone; at RINIT. */
void php_lock_renewal_forget_all(void);

typedef struct php_lock_fibers php_lock_fibers;

/* A lock that a state holds. Its lease is kept while it is renewed, or watched for its holder's sake, in the background.
 * Meanwhile nothing else may be asked of Redis about it: php_lock_call_settle() comes first. */
typedef struct php_lock_hold {
    zend_string *name;
    const php_rl_options *options; /* of the object */
    lock_lease lease;
    lock_renewal *renewal; /* NULL: the lease is not kept */
    bool renews;           /* it is renewed when it is kept */
    int64_t hold_until;    /* until when, at most */
    int64_t last_duration; /* of the lease when it was last kept: not known any more once it is lost */
    int64_t lapsed_at;     /* since when nothing is left of the lease, as php_lock_state_put() has found; 0: not yet */

    /* How the holder hears of a loss: see php/redislock/notice.h. */
    php_lock_on_loss on_loss;
    const zend_fiber *fiber;          /* that took the lock; NULL: none, or it has ended */
    const zend_execute_data *section; /* the call whose section runs under the lock: see section.h; NULL: none does */
    bool is_heard;       /* the listener hears of it at once if the lease is renewed: see php/redislock/listener.h */
    bool loss_noted;     /* the listener hears of it, or has */
    int64_t told_of;     /* `sent` of the lease of whose loss it was told; 0: none */
    int64_t waits_since; /* since when a notice waits for a place where it can be given; 0: none does */

    /* In RL_G(background), with a renewal. */
    struct php_lock_hold *next;
    struct php_lock_hold **named_by; /* what names this one: the list, or `next` of the one before */

    /* The fiber, or main program, that took or attached the lock; NULL: it has ended. */
    const zend_fiber_context *taker;

    php_lock_fibers *fibers; /* see php/redislock/fibers.h; NULL: nothing is noted */
} php_lock_hold;

/* Begins to renew the lease if `renew`, for the option `max_hold` since it was set; otherwise to watch it, if the holder
 * wants to hear of its loss. False: that cannot be, and the error says why. */
bool php_lock_hold_keep(php_lock_hold *hold, const lock_client *client, bool renew, rl_error *error);

/* Goes on to keep a lease that was settled, as it was kept before. One that has no end by now is not renewed any more. False:
 * that cannot be, and the error says why; the lease ends when it ends. */
bool php_lock_hold_keep_on(php_lock_hold *hold, const lock_client *client, rl_error *error);

/* Stops keeping the lease, without waiting. For many holds, which are settled afterwards. */
void php_lock_hold_stop(php_lock_hold *hold);

/* How long an answer that is under way is waited for before something else is asked about the lock, in a call with so much
 * time: of that, half is left in any case. Mostly the answer comes within a round trip. If it does not, nothing is lost by
 * going on: see lock_renewal_end(). */
static inline int64_t php_lock_answer_time(int64_t budget)
{
    return platform_earlier(100 * PLATFORM_MSEC, platform_later(budget, 0) / 2);
}

/* Ends the keeping, if there is any, so that Redis can be asked about the lock. Waits for an answer that is under way, until
 * `until` at most. */
void php_lock_hold_settle_by(php_lock_hold *hold, int64_t until);

/* Ends the keeping, and waits for nothing: for when nothing is to be asked about the lock. */
void php_lock_hold_settle_at_once(php_lock_hold *hold);

/* Updates the lease to what became of it in the background, without waiting. The second function also returns what is left of
 * it by the local clock: if it has told once that nothing is, nothing ever is. */
void php_lock_hold_refresh(php_lock_hold *hold);
int64_t php_lock_hold_left(php_lock_hold *hold);

/* What renewing has done for this process, or thread, so far; and the connections of the thread. */
lock_renewal_stats php_lock_renewal_counts(void);
rl_traffic php_lock_renewal_traffic(void);

#endif

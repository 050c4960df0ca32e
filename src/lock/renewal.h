/* SPDX-License-Identifier: MIT
 *
 * lock/renewal: leases that a background thread renews while the holder works.
 *
 * The thread makes each lease as long as before when a third of it is over, over connections of its own, and tries again
 * until the lease ends. It starts with the first lease, one for all of them, and sleeps while none is due. The holder
 * reads what became of its lease without waiting.
 *
 * A lease that is renewed must not be extended, released or handed over by another way at the same time: lock_renewal_end()
 * comes first.
 *
 * The functions may be called by any thread, but no two at once for the same renewal.
 */
#ifndef REDISLOCK_LOCK_RENEWAL_H
#define REDISLOCK_LOCK_RENEWAL_H

#include "lock/renewal_terms.h"

/* Begins to renew the lease, which must have an end, with its duration. Copies what it needs of the client, the name and the
 * lease, and no call changes the lease but those to which it is given. Returns NULL, with the error set, if no thread can be
 * started, or the servers cannot be made ready for it. Ended by lock_renewal_end(). */
lock_renewal *lock_renewal_begin(lock_renewer *renewer, const lock_client *client, rl_bytes name,
                                 const lock_lease *lease, const lock_renewal_terms *terms, rl_error *error);

/* Watches a lease that is not renewed, which must have an end: its holder is told when the margin of the terms is left of it.
 * Returns NULL, with the error set, if no thread can be started. Ended by lock_renewal_end(). */
lock_renewal *lock_renewal_watch(lock_renewer *renewer, const lock_lease *lease, const lock_renewal_terms *terms,
                                 rl_error *error);

/* Is there a notice? Does not wait. In a forked child there is none of its parent's. */
bool lock_renewal_has_notice(const lock_renewal *renewal);

/* Lets `on_notice` be called again at `when`, or before, for a notice that the holder cannot take yet. */
void lock_renewal_remind(lock_renewal *renewal, int64_t when);

/* Returns the notices that there are by `now`, as bits, and takes them back: each is returned once. One of a lease that was
 * renewed since, after all, is dropped. Updates the lease as lock_renewal_read() does. */
unsigned lock_renewal_take_notices(lock_renewal *renewal, lock_lease *lease, int64_t now);

/* Updates the lease to what became of it until `now`, without waiting: nothing is left of one that is lost. What this has
 * told once stays so: the lease stays lost, also if an answer in time is on its way from the renewing thread. */
lock_renewal_state lock_renewal_read(lock_renewal *renewal, lock_lease *lease, int64_t now);

/* Stops the renewal: no other request is sent for it. Does not wait for one that is under way. For many leases at once,
 * all of which are stopped before the first is ended. */
void lock_renewal_stop(lock_renewal *renewal);

/* Ends the renewal: stops it, waits for an answer that is under way, until `until` at most, updates the lease as
 * lock_renewal_read() does, and frees the renewal. A request that is not answered by then may still arrive. It
 * makes the lease of this token longer; it makes it shorter only as lock/ends.h says. It undoes no extension that a client with
 * these `extensions`, those of the client that took the lock, requests behind it.
 *
 * In a forked child, where the renewal is the parent's, it is only freed, and the lease is left alone. */
lock_renewal_state lock_renewal_end(lock_renewal *renewal, lock_extensions *extensions, lock_lease *lease,
                                    int64_t until);

/* Reads the counts. */
lock_renewal_stats lock_renewal_counts(lock_renewer *renewer, const lock_renewal_stats *stats);

#endif

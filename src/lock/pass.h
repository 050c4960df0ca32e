/* SPDX-License-Identifier: MIT
 *
 * lock/pass: locks that are passed on from process to process on one machine, and what Redis is asked for that. The order
 * of the processes, and who may go on, is that of lock/local; exclusion is that of Redis alone.
 *
 * Whoever gives up a lock for which another process here waits sends one renaming where it would send its release: the
 * lock goes from its token to that of the other, which begins at once. Until the answer has come, that one counts on no
 * more than what is left of both leases, and neither passes the lock on nor releases or extends it.
 *
 * Each call is for one server that is no cluster, and does nothing for a lease without a turn.
 */
#ifndef REDISLOCK_LOCK_PASS_H
#define REDISLOCK_LOCK_PASS_H

#include "lock/lease.h"
#include "lock/local/succession.h"
#include "lock/local/turn.h"
#include "platform/platform.h"

/* Says who shares a line with the client: those who mean the same server by the same address, with the same login and the same
 * settings. Clients with other timeouts or certificates are not to fail together, and only a client that wants a fencing token
 * passes one on. */
void lock_pass_identify(const local_host *host, const lock_client *client, uint64_t identity[2]);

/* How a client takes part. */
typedef struct lock_pass_terms {
    local_host *host;
    uint64_t identity[2]; /* see lock_pass_identify() */
    bool takes_over;      /* it takes locks over from dead holders with the same wish, as they may take its own */
} lock_pass_terms;

/* Lets the others of this machine know when the lease ends, which has changed. */
static inline void lock_pass_note_end(const lock_lease *lease)
{
    if (lease->turn != NULL) {
        bool ends = lease->turn->ends_by_lease || lease->duration == 0; /* also that of one that is lost */
        lock_turn_hold(lease->turn, ends ? platform_after(lease->sent, lease->duration) : 0);
    }
}

/* Lets others of this machine that take locks over know how long Redis may keep this one, which is to be extended. */
void lock_pass_note_extension(const lock_lease *lease, int64_t duration);

/* Lets nobody take the lock over, and passes it on to nobody: its token is to be told, by which another may hold it. */
void lock_pass_tell_token(lock_lease *lease);

/* Was the lock of the lease passed on, and is it not known yet what Redis says to that? */
static inline bool lock_pass_is_open(const lock_lease *lease)
{
    return lease->turn != NULL && !lease->turn->is_known;
}

/* Looks whether it is known by now what Redis says to the passing of the lock, and notes it in the lease; and lets others
 * have the turn of a lease that is lost. Asks nothing. */
void lock_pass_read(lock_lease *lease);
static inline void lock_pass_look(lock_lease *lease)
{
    if (lock_pass_is_open(lease)) {
        lock_pass_read(lease);
    } else if (lease->turn != NULL && lease->duration == 0) {
        lock_pass_note_end(lease);
    }
}

/* Makes sure of it: waits for it, and asks Redis if nobody tells. Before anything else is asked of Redis about the lock.
 * LOCK_YES: the lease holds. LOCK_NOT_OWNED: nothing is left of it. LOCK_FAILED with the error: that is still not known.
 * Takes the time off the budget. */
lock_outcome lock_pass_settle(const lock_client *client, rl_bytes name, lock_lease *lease, int64_t *budget,
                              rl_error *error);

/* Asks for how long one of the tokens still has the lock: µs, or PLATFORM_NEVER. 0: neither has; -1: that is not known. */
int64_t lock_pass_held_for(const lock_client *client, rl_bytes name, rl_bytes token, rl_bytes other, int64_t budget);

/* Ends the turn of a lease, which has one, if nobody has come meanwhile, so that the lock is to be released. False:
 * somebody has, or it is not known what Redis says to the lease. */
static inline bool lock_pass_leave_alone(lock_lease *lease)
{
    bool left = lease->turn->is_known && lock_turn_leave_alone(lease->turn);

    lease->turn = left ? NULL : lease->turn;
    return left;
}

/* Passes the lock of a settled lease on in place of a release, and says as that what became of it. False: it can be passed
 * on to nobody, and is to be released. In either case the turn is over. A lease that was passed on has no token any more,
 * whatever the outcome: nothing is to be sent for it, since whoever has the lock by now looks after it. */
bool lock_pass_on(const lock_client *client, rl_bytes name, lock_lease *lease, int64_t budget, lock_outcome *outcome,
                  rl_error *error);

#endif

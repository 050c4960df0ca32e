/* SPDX-License-Identifier: MIT
 *
 * check: the properties. They are checked at each step: when a server has run what came, and when an operation begins
 * or ends. See docs/evidence.md for what each of them says.
 */
#ifndef SIM_CHECK_H
#define SIM_CHECK_H

#include "client.h"
#include "redis/scripts.h"

/* What happened in all runs so far. A search in which too little happened has tested nothing. */
typedef struct sim_tally {
    uint64_t stand_ins, slots_moved, asks, stopped_scripts, runs, grants, waited_grants, batons, look_hand_overs,
        repeats, undos, silent_quorums, extensions, releases, failures, interrupted, killed, forked, faults,
        tasks_taken, tasks_acked, values_built, values_awaited, all_taken, quiet_runs, attached, shared, set_back,
        made_short, forced, notes, renewed, renewal_failures, lost_while_held, notices, notices_put_off, owed,
        failovers, lost_grants, points, preempted, passed, open_grants, taken, taken_over, renamed;
} sim_tally;

extern sim_tally tally;

void check_begin(const sim_plan *plan);

/* An operation begins, or has ended. */
void check_began(sim_client *client);
void check_ended(sim_client *client);

/* A part of it begins, which has a limit of its own; and has ended, within so many µs that it may have taken. */
void check_part_began(sim_client *client);
void check_part_ended(sim_client *client, int64_t allowed, const char *what);

/* Its outcome. `counted_until`: true time until which the client could count on the lock when it asked for the release;
 * 0: it could not; -1: it had asked for it before. */
void check_granted(sim_client *client, int lock, lock_lease *lease);
void check_released(sim_client *client, int lock, const lock_lease *lease, lock_outcome outcome, int64_t counted_until);
/* Of a client of a machine that passes locks on. */
void check_extended(const sim_client *client, int lock, const lock_lease *lease, lock_outcome outcome,
                    int64_t counted_until);
void check_failed(sim_client *client, const char *why);
void check_refused(sim_client *client, int lock);
void check_waiters(sim_client *client, int64_t waiters);
/* From now on this client may also release what the token holds. */
void check_token_passed(const sim_client *to, const char *token);
/* It holds the lock together with its owner. */
void check_token_shared(const sim_client *with, const char *token);
/* Whoever has the token does not release what it holds any more. */
void check_token_given_up(const char *token);

/* Finds the script of a call, whose arguments end with a NUL each. NULL: it calls none of ours. What stands in for one
 * while a slot moves counts as that one. */
const rl_script *check_script(size_t argc, const char *const *argv, const size_t *len);

/* All beliefs at this moment. */
void check_beliefs(void);

/* A client has forked: its parent goes on believing. */
void check_forked(void);

/* What a server lost: no lease survives that. */
void check_wiped(sim_server *server);

/* When all clients have ended: what do the servers keep? */
void check_settled_locks(void);

/* At the end, when nothing is under way any more and all leases are over. */
void check_nothing_left(void);

/* For how much true time the server will keep the lock for this token of the client, if its clock runs right: what it was
 * set back since it gave the lock its end does not count. NEVER: without end. 0: the token does not hold it; or nobody told
 * the client: the token has taken it once more by a request that came too late, or is shared with another client, which has
 * set that end. */
int64_t check_kept_for(const sim_client *client, const sim_server *server, int lock, const char *token);

/* ---- local turns ---- */

/* The client comes to the line of its machine, with this token. */
void check_lines_up(sim_client *client, rl_bytes token);
/* The lock of one token was passed on to the other. */
void check_passed_on(rl_bytes from, rl_bytes to);
/* The lock of that token is about to be taken over. */
void check_taken_over(const sim_client *client, rl_bytes from);
/* The process of the client is not there any more from this true time on: it is killed, or it was the parent of the one that
 * goes on. Before anything is forgotten that it has. */
void check_gone(sim_client *client, int64_t from);
/* Is the lock in Redis that of this token? */
bool check_is_in_redis(int lock, const char *token);
/* The client was killed just now: those in line take over what it holds, soon. To be seen at any moment. */
void check_orphaned(sim_client *client);
void check_orphans(const sim_plan *plan);
/* The client gets a lock. */
void check_order_in_line(const sim_client *client);
/* A call for a lock has failed, or has ended. */
void check_fails_with_its_line(sim_client *client);
void check_goes_on_for_long(const sim_client *client);
/* The client has ended, and has left nothing in the memory of its machine. */
void check_has_left(const sim_client *client);
/* So have all, if none was killed. */
void check_machines_left(const sim_plan *plan);

/* ---- renewing ---- */

void check_renewals_begin(const sim_plan *plan);

/* The renewing of a lease that the client has just got cannot begin. */
void check_not_renewable(const sim_client *client, int lock, const char *why);
/* A client is about to renew the lease of this lock. */
void check_renewal_begins(sim_client *client, const held_lock *held);
/* It has ended that, for which it would have waited until `until`. */
void check_renewal_ended(sim_client *client, const lock_lease *lease, int64_t until);
/* It has looked at the lease, which is renewed, and asked what became of it until `now`, by its own clock. */
void check_renewal_read(const sim_client *client, int lock, const held_lock *held, lock_renewal_state state,
                        int64_t now);
/* An extension that it asked for at `when`, by its own clock, is done. */
void check_renewal_extended(const sim_client *client, const lock_lease *lease, int64_t when);
/* Has this client asked for an extension behind its renewal of `when`, and is that done? */
bool check_renewal_is_overtaken(const sim_client *client, const char *token, int64_t when);
/* A server has run a renewal. */
void check_renewal_ran(const sim_server *server, size_t argc, const char *const *argv);
/* With that, the end of a lease has become `end`, by the server's clock. `was`: the end before, if a renewal of this client has
 * set it; 0: another one has. `is_longer`: the lease was left as it is. */
void check_renewal_end(const sim_server *server, const char *token, int64_t was, int64_t end, bool is_longer);

/* Does the script renew leases? */
bool check_is_renewal(const rl_script *script);

/* The token under which this renewal is to lengthen the lock, and the lease that it asks for, in ms; NULL: the renewal is not
 * about it. */
const char *check_renewal_token(int lock, size_t argc, const char *const *argv, int64_t *lease);

/* ---- notices ---- */

/* The holder is interrupted for a notice of a renewal. */
void check_interrupted(sim_notice *notice);
/* Was it for all that there is to be told by now? */
void check_notice_due(sim_notice *notice);
/* The server has refused to renew the lease, and the thread has settled that. */
void check_refused_is_told(const sim_notice *notice);
/* The holder has taken these notices, and knows this of its lease. */
void check_notices(sim_notice *notice, const lock_lease *lease, unsigned notices, int64_t now);

/* ---- queues ---- */

void check_queues_begin(const sim_plan *plan);

void check_enqueuing(sim_client *client, const char *id, int name, int64_t delay);
void check_enqueued(sim_client *client, const char *id, queue_outcome outcome);
/* Returns the id of a task that was enqueued there, which of them is `draw`'s; NULL: none was. */
const char *check_some_task(int name, uint64_t draw);
/* That id is enqueued once more. */
void check_entering_again(const char *id);
void check_entered_again(const sim_client *client, const char *id, bool replaces, queue_outcome outcome);
void check_taken(sim_client *client, const queue_task *task, bool reserved, int64_t visibility);
void check_not_taken(sim_client *client, queue_outcome outcome, bool reserves);
/* Returns until when the task is reserved for the client, by the server's clock; -1: its receipt is not that
 * of the last delivery. */
int64_t check_settling(sim_client *client, const held_task *task, queue_disposition disposition, int64_t span);
void check_settled(sim_client *client, const held_task *task, queue_disposition disposition, int64_t span,
                   int64_t reserved, queue_outcome outcome);
/* A server has run a script of a queue. */
void check_queue_ran(const sim_server *server, const rl_script *script, const char *const *keys,
                     const char *const *arguments);
void check_dequeued(const char *id, queue_outcome outcome);
/* A popped task is put back: before the call, and behind it. */
void check_putting_back(const char *id);
void check_put_back(const sim_client *client, const char *id, queue_outcome outcome);
void check_queue_is_drained(void);
void check_queues_wiped(void);

/* ---- values ---- */

#define ASLEEP_RELEASED                                                                                                \
    (60 * MSEC) /* for so long a waiter may sleep behind a release or a store, if nothing went wrong */

#define VALUE_ROOM 64

void check_values_begin(void);

/* Writes to `text` what a builder finds that builds the value now, which will be fresh for so long. */
void check_source(int name, int64_t fresh, char text[VALUE_ROOM]);
/* The source has changed, and the value is about to be forgotten. Returns the source's version. */
int64_t check_forgetting(int name);
void check_forgotten(int name, int64_t version);
/* The newest version that a reader which begins now may not miss. */
int64_t check_value_floor(int name);
/* `stale`: how long past its end the value will do for this reader. */
void check_value_read(sim_client *client, int name, int64_t floor, int64_t stale, const cache_answer *answer);
void check_value_stored(int name);
/* A server has run a script for a client, or a command. */
void check_values_ran(const sim_server *server, const sim_client *by, const rl_script *script, size_t argc,
                      const char *const *argv);
/* The client has waited for the value, got it or not, and no longer waits. */
void check_value_awaited(const sim_client *client, int name);
/* The client was woken by the word that the value is built, which is kept elsewhere. */
void check_value_woken(const sim_client *client, int name);
/* This server has lost its data. */
void check_values_wiped(const sim_server *server);
/* Another one is the master from now on, with all writes of the old one or without the last. */
void check_values_promoted(bool has_all);

#endif

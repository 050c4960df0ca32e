/* SPDX-License-Identifier: MIT
 *
 * lock/attempt: one attempt to take a lock, and what undoes it.
 */
#ifndef REDISLOCK_LOCK_ATTEMPT_H
#define REDISLOCK_LOCK_ATTEMPT_H

#include "lock/keys.h"
#include "lock_core.h"
#include "redis/quorum.h"

/* What a call may exceed its deadline by to hear the answer to its last question. */
#define LOCK_FINAL_REPLY_GRACE (25 * INT64_C(1000)) /* µs */

/* And what it may then still take to clean up, in all. */
#define LOCK_CLEANUP_BUDGET (40 * INT64_C(1000)) /* µs */
#define LOCK_CLEANUP_GRACE  (10 * INT64_C(1000)) /* µs, of which closing one connection may take so much */

/* One lock() under way. */
typedef struct lock_attempt {
    const lock_client *client;
    lock_keys keys;
    rl_bytes token;
    char random[LOCK_TOKEN_LEN]; /* where it stands, if it is our own: */
    bool token_is_ours;          /* so that another one can be drawn */
    int64_t lease_ms;            /* 0: without end */
    int64_t deadline;            /* for waiting; by it, the last try is answered */
    int64_t hard_deadline;       /* when the call must be over, cleaning up included */
    int64_t longest_lead;        /* half of what the caller would wait */
    int64_t last_try_at;         /* when the last try is sent: then, or a long round trip before */
    bool waits;
    size_t queue_node;    /* where it waits in line; of several nodes the first that answers, so all meet at the same */
    bool bypass;          /* this try leaves its place in line alone */
    int64_t pid;          /* whose attempt it is: PHP code that runs during the wait may fork */
    bool queued;          /* the last try found the lock held at the queue node, and entered the queue there */
    bool outcome_unknown; /* of an earlier try with this token: it may stand in Redis from that one */
    bool by_script;       /* a plain SET could not tell */
    char waiter[LOCK_WAITER_LEN];
    char baton[LOCK_BATON_LEN];  /* a fresh one, for a script that has to hand over */
    char served[LOCK_BATON_LEN]; /* the one that this waiter was served; "" in its first byte: none */

    /* What the last try found. */
    int64_t sent;    /* before it was sent */
    int64_t fastest; /* the shortest round trip so far, µs */
    int64_t fence;
    int64_t look_in;                 /* µs until this waiter shall look */
    int64_t waiting;                 /* so many others wait, as far as the queue node said it */
    int64_t undone_on[RL_MAX_NODES]; /* see attempt_skip_undone() */
    rl_error *error;                 /* the caller's */

    /* From here on not zeroed at the start: what is large, and set when it is used. */
    char digits[4][RL_DIGITS]; /* where the numbers of a request stand while it is under way */
    rl_quorum quorum;
} lock_attempt;

typedef enum lock_verdict {
    LOCK_TAKEN,
    LOCK_HELD,
    LOCK_FULL,   /* held, and too many wait */
    LOCK_UNKNOWN /* or refused: attempt->error says */
} lock_verdict;

/* ms that the waiter will still wait, for the scripts: -1 without end, 0 not any longer. */
int64_t lock_attempt_wait_ms(const lock_attempt *attempt);

/* Tries to take the lock on all nodes, by a claim where a baton was served. What went wrong is undone behind it. */
lock_verdict lock_attempt_try(lock_attempt *attempt, int64_t connect_by, int64_t until);

/* The same, with a `wait_ms` of the caller's; with one node, undoing is left to the caller too. */
lock_verdict lock_attempt_try_once(lock_attempt *attempt, int64_t wait_ms, int64_t connect_by, int64_t until,
                                   const rl_hook *hook);

/* Would a majority have answered the last try, had there been more time? */
bool lock_attempt_ran_out_of_time(const lock_attempt *attempt);

/* Reads an answer of acquire or look: {status from -1 to 2, number not negative}. False: it is no such thing. */
bool lock_attempt_read_answer(const redisReply *reply, long long *status, long long *number);

/* Begins with a token, if it is ours to draw, and a waiter id. */
void lock_attempt_begin(lock_attempt *attempt);

/* After an undo went out on a connection to the queue node that is closed now: it may arrive late, behind what is asked on
 * another one by then, and must not find there what it undoes. So what can be is drawn anew; a token of the caller's is
 * not tried there any more. */
void lock_attempt_renew(lock_attempt *attempt);

/* Fills the request that gives back whatever this attempt may have got: the lock, a baton, its place in the queue.
 * `served`: see lua/release.lua. */
void lock_attempt_undo_request(lock_attempt *attempt, rl_bytes served, rl_request *undo);

/* The same, but only for the place in the queue: the lock may be ours by now. */
void lock_attempt_leave_request(lock_attempt *attempt, rl_bytes served, rl_request *leave);

/* Gives back a lock that was taken too late to be of use. */
void lock_attempt_give_back(lock_attempt *attempt);

/* Until when cleaning up may take that begins now, in a call that is to be over at `hard_deadline`. */
int64_t lock_cleanup_deadline(int64_t hard_deadline);

/* Milliseconds that a server named, as a span; more than there is time for is PLATFORM_NEVER. Not negative. */
int64_t lock_span_of_ms(long long ms);

#endif

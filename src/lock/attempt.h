/* SPDX-License-Identifier: MIT
 *
 * lock/attempt: one attempt to take a lock, and what undoes it.
 */
#ifndef REDISLOCK_LOCK_ATTEMPT_H
#define REDISLOCK_LOCK_ATTEMPT_H

#include "lock/keys.h"
#include "lock_core.h"
#include "redis/session.h"

/* One lock_acquire() under way. */
typedef struct lock_attempt {
    const lock_client *client;
    rl_bytes token;
    char random[LOCK_TOKEN_LEN]; /* storage of `token` where it is drawn here */
    bool token_is_ours;          /* `token` is drawn here, so another may replace it; otherwise it is the caller's */
    int64_t lease_ms;            /* 0: without end */
    rl_clock clock;              /* its reply_by and connect_by are those of the next try, or the one under way */
    int64_t longest_lead; /* how long before the deadline the last try may be sent: half of the caller's timeout */
    int64_t last_try_at;  /* when the last try is sent: at the deadline, or earlier where a round trip is long */
    bool waits;           /* the caller's timeout is not 0 */
    size_t queue_node;    /* index of the queue node: the first node that answers, so that all waiters meet there */
    bool bypass;          /* the try under way leaves the place in the queue alone */
    int64_t pid;          /* the process that made the attempt: PHP code that runs during the wait may fork */
    bool queued;          /* the last try found the lock held at the queue node, and entered the queue there */
    bool outcome_unknown; /* an earlier try with this token was not answered, so Redis may hold the token from then */
    bool by_script;       /* a plain SET could not decide: this attempt uses the script */
    char waiter[LOCK_WAITER_LEN];
    char baton[LOCK_BATON_LEN];  /* a fresh one, for a script that has to hand over */
    char served[LOCK_BATON_LEN]; /* the baton that this waiter was served; its first byte is NUL where there is none */

    int64_t sent;                    /* time just before the last try was sent */
    int64_t fastest;                 /* µs of the shortest round trip so far */
    int64_t fence;                   /* the highest fencing token in the answers to the last try; 0: none */
    int64_t look_in;                 /* µs until this waiter is to look; PLATFORM_NEVER: it is not queued */
    int64_t waiting;                 /* number of other waiters, where the queue node told it in the last try */
    int64_t undone_on[RL_MAX_NODES]; /* on which connection to a node an undo was sent: see attempt_skip_undone() */
    rl_error *error;                 /* the caller's */

    /* The fields from here on are not zeroed at the start: they are large, and set before they are used. */
    lock_keys keys;
    char digits[4][RL_DIGITS]; /* storage of the numbers in the request under way */
    rl_session session;
} lock_attempt;

typedef enum lock_verdict {
    ATTEMPT_ACQUIRED,
    ATTEMPT_BUSY,
    ATTEMPT_QUEUE_FULL, /* held, and the queue is full */
    ATTEMPT_FAILED      /* too few nodes answered, or the server refused: attempt->error says why */
} lock_verdict;

/* Returns for how many ms the waiter will still wait, as the scripts take it: -1 is without end, 0 is not any
 * longer. */
int64_t lock_attempt_wait_ms(const lock_attempt *attempt);

/* Tries to take the lock on all nodes; where a baton was served, by claiming with it. What the try did that is of no
 * use is undone on the same connections. The caller sets connect_by and reply_by of the attempt's clock before. */
lock_verdict lock_attempt_try(lock_attempt *attempt);

/* Like lock_attempt_try(), but with `wait_ms` and `hook` of the caller's, and without asking the script after a plain
 * SET. With one node, undoing is left to the caller. */
lock_verdict lock_attempt_try_once(lock_attempt *attempt, int64_t wait_ms, const rl_hook *hook);

/* Returns whether a majority would have answered the last try, had there been more time. */
bool lock_attempt_ran_out_of_time(const lock_attempt *attempt);

/* Reads a reply of the acquire or look script: {status from -1 to 2, number not negative}. Returns false where the
 * reply is malformed. */
bool lock_attempt_read_answer(const redisReply *reply, long long *status, long long *number);

/* Draws the waiter id and, unless it is the caller's, the token. */
void lock_attempt_begin(lock_attempt *attempt);

/* If an earlier try with the token was not answered, leaves its release to the backlog: the undo may not have been sent,
 * or not been carried out. In a forked child the token is the parent's. */
void lock_attempt_release_later(const lock_attempt *attempt);

/* To be called after an undo was sent on a connection to the queue node that is closed since. The undo may arrive
 * late, behind what is sent on a new connection by then, and must not find there what it undoes. So the waiter id and
 * the token are drawn anew. A token of the caller's stays: if the undo releases it, it is not tried at that node
 * again. */
void lock_attempt_renew(lock_attempt *attempt);

/* Makes `undo` the request that gives back whatever this attempt may have been given: the lock, a baton, its place in
 * the queue. `served`: see lua/release.lua. */
void lock_attempt_undo_request(lock_attempt *attempt, rl_bytes served, rl_request *undo);

/* Like lock_attempt_undo_request(), but gives back only a baton and the place in the queue: the lock may be ours by
 * now. */
void lock_attempt_leave_request(lock_attempt *attempt, rl_bytes served, rl_request *leave);

/* Gives back a lock that was taken too late to be of use. */
void lock_attempt_give_back(lock_attempt *attempt);

/* Converts milliseconds that a server named, not negative, to a span. What does not fit is PLATFORM_NEVER. */
int64_t lock_span_of_ms(long long ms);

#endif

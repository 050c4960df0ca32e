/* SPDX-License-Identifier: MIT
 *
 * lock/try: one attempt to take a lock, and what undoes it.
 */
#ifndef REDISLOCK_LOCK_TRY_H
#define REDISLOCK_LOCK_TRY_H

#include "lock/names.h"
#include "lock_core.h"
#include "redis/quorum.h"

/* What a call may exceed its deadline by to hear the answer to its last question. */
#define LOCK_LAST_WORD (25 * INT64_C(1000)) /* µs */

/* And what it may then still take to clean up, in all. */
#define LOCK_OVERTIME (40 * INT64_C(1000)) /* µs */
#define LOCK_PARTING  (10 * INT64_C(1000)) /* µs, of which one parting may take so much */

/* One lock() under way. */
typedef struct lock_attempt {
    const lock_client *client;
    lock_keys keys;
    redis_bytes token;
    char random[LOCK_TOKEN_LEN]; /* where it stands, if it is our own: */
    bool own_token;              /* so that another one can be drawn */
    int64_t lease_ms;            /* 0: without end */
    int64_t deadline;            /* for waiting; by it, the last try is answered */
    int64_t over_at;             /* when the call must be over, cleaning up included */
    int64_t longest_lead;        /* half of what the caller would wait */
    int64_t last_call;           /* when the last try is sent: then, or a long round trip before */
    bool waits;
    size_t gate; /* the node at which it waits in line. Of several, the first that answers: so all meet at the same */
    bool aside;  /* this try leaves its place in line alone */
    int64_t pid; /* whose attempt it is: PHP code that runs during the wait may fork */
    bool queued; /* the last try found the lock held at the gate, and entered the queue there */
    bool unsure; /* no answer to an earlier try with this token was heard: it may stand there from that one */
    bool by_script; /* a plain SET could not tell */
    char waiter[LOCK_WAITER_LEN];
    char baton[LOCK_BATON_LEN];  /* a fresh one, for a script that has to hand over */
    char served[LOCK_BATON_LEN]; /* the one that this waiter was served; "" in its first byte: none */

    /* What the last try found. */
    int64_t sent;    /* before it was sent */
    int64_t fastest; /* the shortest round trip so far, µs */
    int64_t fence;
    int64_t look_in;                    /* µs until this waiter shall look */
    int64_t waiting;                    /* so many others wait, as far as the gate said it */
    int64_t undone_on[REDIS_MAX_NODES]; /* see pass_over_undone() */
    redis_error *error;                 /* the caller's */

    /* From here on not zeroed at the start: what is large, and set when it is used. */
    char digits[4][REDIS_DIGITS]; /* where the numbers of a request stand while it is under way */
    redis_quorum quorum;
} lock_attempt;

typedef enum lock_verdict {
    LOCK_TAKEN,
    LOCK_HELD,
    LOCK_FULL,   /* held, and too many wait */
    LOCK_UNKNOWN /* or refused: attempt->error says */
} lock_verdict;

/* ms that the waiter will still wait, for the scripts: -1 without end, 0 not any longer. */
int64_t lock_try_patience(const lock_attempt *attempt);

/* Tries to take the lock on all nodes, by a claim where a baton was served. What went wrong is undone behind it. */
lock_verdict lock_try(lock_attempt *attempt, int64_t connect_by, int64_t until);

/* The same, with a patience of the caller's; with one node, undoing is left to the caller too. */
lock_verdict lock_try_once(lock_attempt *attempt, int64_t patience, int64_t connect_by, int64_t until,
                           const redis_hook *hook);

/* Would a majority have answered the last try, had there been more time? */
bool lock_try_ran_out_of_time(const lock_attempt *attempt);

/* Reads an answer of acquire or look: {status from -1 to 2, number not negative}. False: it is no such thing. */
bool lock_try_answer(const redisReply *reply, long long *status, long long *number);

/* Begins with a token, if it is ours to draw, and a waiter id. */
void lock_try_begin(lock_attempt *attempt);

/* After an undo went out on a connection to the gate that is closed now: it may arrive late, behind what is asked on
 * another one by then, and must not find there what it undoes. So what can be is drawn anew; a token of the caller's is
 * not tried there any more. */
void lock_try_renew(lock_attempt *attempt);

/* Fills the request that gives back whatever this attempt may have got: the lock, a baton, its place in the queue.
 * `served`: see lua/release.lua. */
void lock_try_undo(lock_attempt *attempt, redis_bytes served, redis_request *undo);

/* The same, but only for the place in the queue: the lock may be ours by now. */
void lock_try_leave(lock_attempt *attempt, redis_bytes served, redis_request *leave);

/* Gives back a lock that was taken too late to be of use. */
void lock_try_give_back(lock_attempt *attempt);

/* Until when cleaning up may take that begins now, in a call that is to be over at `over_at`. */
int64_t lock_parting(int64_t over_at);

/* Milliseconds that a server named, as a span; more than there is time for is PLATFORM_NEVER. Not negative. */
int64_t lock_span_of_ms(long long ms);

#endif

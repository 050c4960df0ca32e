/* SPDX-License-Identifier: MIT
 *
 * lock/attempt: one attempt to take a lock, and what undoes it.
 */
#ifndef REDISLOCK_LOCK_ATTEMPT_H
#define REDISLOCK_LOCK_ATTEMPT_H

#include "lock/client.h"
#include "lock/keys.h"
#include "lock/owner.h"
#include "redis/session.h"

/* What is asked for. It does not change while the call goes on. */
typedef struct lock_question {
    const lock_client *client;
    rl_bytes name;
    const rl_bytes *token; /* the caller's owner token; NULL: tokens are drawn, and may be drawn anew */
    int64_t duration;      /* of the lease */
    int64_t timeout;       /* for waiting; 0: not at all */
    int64_t budget;        /* what a call may take that does not wait */
    int64_t replicas_by;   /* until when replicas are waited for; 0: until the end of the call's own time */
    int64_t began;         /* when the call for many locks began, which counts its failure itself; 0: it is for one */
} lock_question;

/* The place in line at the queue node. */
typedef struct lock_place {
    size_t node; /* index of the queue node: the first node that answers, so that all waiters meet there */
    size_t waiter_len;
    char waiter[LOCK_WAITER_ROOM];
    char served[LOCK_BATON_LEN]; /* the baton that this waiter was served; its first byte is NUL where there is none */
} lock_place;

/* What an attempt works with. It is large, and set before it is used, so that nobody zeroes it. */
typedef struct lock_attempt_room {
    char random[LOCK_TOKEN_ROOM]; /* a token that is drawn */
    char baton[LOCK_BATON_LEN];   /* a fresh one, for a script that has to hand over */
    char digits[4][RL_DIGITS];    /* the numbers in the request under way */
    lock_keys keys;
    rl_session session;
} lock_attempt_room;

/* One call that acquires a lock, under way. */
typedef struct lock_attempt {
    const lock_question *question;
    bool waits;          /* the caller waits for the lock, if it is held */
    rl_error *error;     /* where the error of a try goes */
    rl_clock clock;      /* its reply_by and connect_by are those of the next try, or the one under way */
    int64_t last_try_at; /* when the last try is sent: at the deadline, or earlier where a round trip is long */
    int64_t trip;        /* the shortest round trip so far; PLATFORM_NEVER: none was measured yet */
    int64_t process;     /* the process that made the attempt: PHP code that runs during the wait may fork */
    int64_t since;       /* when it began, as descriptions tell it: see lock/owner.h */
    lock_place place;
    rl_bytes token;                  /* under which the lock is taken */
    unsigned asked;                  /* a bit for each node to which a try with the token may have come */
    unsigned heard;                  /* and for each that has answered the last such try */
    bool is_fresh;                   /* it was drawn for the next try, and tells the time of that */
    bool outcome_unknown;            /* an earlier try with the token was not answered: Redis may hold it from then */
    int64_t undone_on[RL_MAX_NODES]; /* on which connection to a node an undo was sent: see attempt_skip_undone() */
    lock_attempt_room *room;
    rl_session *session; /* room->session */
} lock_attempt;

/* How one try is made. */
typedef struct lock_try {
    int64_t wait_ms;     /* for how many ms the waiter will still wait: -1 is without end, 0 is not any longer */
    bool by_script;      /* not by a plain SET, even if that would do */
    bool leaves;         /* the queue is left behind this try: the caller undoes what it may have done at a lone node */
    rl_conn *bypass;     /* stands in for the connection to the queue node, where the waiter stays in line; or NULL */
    const rl_hook *hook; /* may end the try; NULL: nothing does */
} lock_try;

typedef enum lock_verdict {
    ATTEMPT_ACQUIRED,
    ATTEMPT_BUSY,
    ATTEMPT_QUEUE_FULL, /* held, and the queue is full */
    ATTEMPT_FAILED      /* too few nodes answered, or the server refused: attempt->error says why */
} lock_verdict;

/* What came of a try. */
typedef struct lock_answer {
    lock_verdict verdict;
    bool queued;     /* with ATTEMPT_BUSY: the waiter stands in line at the queue node */
    bool asks_again; /* with ATTEMPT_BUSY: it stands in no line, since the lock's slot moves, and asks again */
    int64_t sent;    /* time just before the try was sent */
    int64_t fence;   /* the highest fencing token in the answers; 0: none */
    int64_t look_in; /* µs until this waiter is to look; PLATFORM_NEVER: it is not queued */
    int64_t waiting; /* number of other waiters, where the queue node told it */
} lock_answer;

/* Begins an attempt at `now`: takes the connections, draws the waiter id and, unless it is the caller's, the token.
 * The question, its bytes and the room must outlive it. */
void lock_attempt_open(lock_attempt *attempt, lock_attempt_room *room, const lock_question *question, int64_t now,
                       rl_error *error);
void lock_attempt_close(lock_attempt *attempt);

/* Tries to take the lock on all nodes by an ordinary try, sent at `now`: where a baton was served, by claiming with
 * it. What the try did that is of no use is undone. */
lock_answer lock_attempt_try(lock_attempt *attempt, int64_t now);

/* Tries once, as `how` says. The caller sets the times of the request in the attempt's clock before. */
lock_answer lock_attempt_try_once(lock_attempt *attempt, const lock_try *how);

/* Returns for how many ms the waiter will still wait at `now`: see lock_try. */
int64_t lock_attempt_wait_ms(const lock_attempt *attempt, int64_t now);

/* Returns whether a majority would have answered the last try, had there been more time. */
bool lock_attempt_ran_out_of_time(const lock_attempt *attempt);

/* Reads a reply of the acquire, acquire_alone or look script: {status from -1 to 2, number not negative}. Returns false where
 * the reply is malformed. */
bool lock_attempt_read_answer(const redisReply *reply, long long *status, long long *number);

/* Makes `undo` the request that gives back whatever this attempt may have been given: the lock, a baton, its place in
 * the queue. `served`: see lock/release.h. */
void lock_attempt_undo_request(lock_attempt *attempt, rl_bytes served, rl_request *undo);

/* Like lock_attempt_undo_request(), but gives back only a baton and the place in the queue: the lock may be ours by
 * now. */
void lock_attempt_leave_request(lock_attempt *attempt, rl_bytes served, rl_request *leave);

/* If an earlier try with the token was not answered, leaves its release to the backlog: the undo may not have been
 * sent, or not been carried out. In a forked child the token is the parent's. */
void lock_attempt_release_later(const lock_attempt *attempt);

/* To be called after an undo was sent on a connection to the queue node that is closed since. The undo may arrive
 * late, behind what is sent on a new connection by then, and must not find there what it undoes. So the waiter id and
 * the token are drawn anew. A token of the caller's stays: if the undo releases it, it is not tried at that node
 * again. */
void lock_attempt_renew(lock_attempt *attempt);

/* Gives back a lock that was taken, but too late to be of use, or with too few replicas that have it. */
void lock_attempt_give_back(lock_attempt *attempt);

#endif

/* SPDX-License-Identifier: MIT
 *
 * lock/attempt: one call that acquires a lock, under way: what it asks for, under which token, and from which place in line.
 */
#ifndef REDISLOCK_LOCK_ATTEMPT_H
#define REDISLOCK_LOCK_ATTEMPT_H

#include "lock/client.h"
#include "lock/keys.h"
#include "lock/owner.h"
#include "redis/session.h"

/* What is asked for. It does not change while the call goes on. */
typedef struct lock_acquire_params {
    const lock_client *client;
    rl_bytes name;
    const rl_bytes *token; /* the caller's owner token; NULL: tokens are drawn, and may be drawn anew */
    int64_t duration;      /* of the lease */
    int64_t timeout;       /* for waiting; 0: not at all */
    int64_t budget;        /* what a call may take that does not wait */
    int64_t replicas_by;   /* until when replicas are waited for; 0: until the end of the call's own time */
    int64_t began;         /* when the call for many locks began, which counts its failure itself; 0: it is for one */
} lock_acquire_params;

/* The place in line at the queue node. */
typedef struct lock_place {
    size_t node; /* index of the queue node: the first node that answers, so that all waiters meet there */
    size_t waiter_len;
    char waiter[LOCK_WAITER_ROOM];
    char served[LOCK_BATON_LEN]; /* the baton that this waiter was served; its first byte is NUL if there is none */
} lock_place;

/* What an attempt works with. It is large, and set before it is used, so that nobody zeroes it. */
typedef struct lock_attempt_room {
    char random[LOCK_TOKEN_ROOM]; /* a token that is drawn */
    char baton[LOCK_BATON_LEN];   /* a fresh one, for a script that has to hand over */
    char digits[4][RL_DIGITS];    /* the numbers in the request under way */
    rl_vote said[RL_MAX_NODES];   /* what each node has said to the last try */
    lock_keys keys;
    rl_session session;
} lock_attempt_room;

/* One call that acquires a lock, under way. */
typedef struct lock_attempt {
    const lock_acquire_params *params;
    bool waits;          /* the caller waits for the lock, if it is held */
    rl_error *error;     /* where the error of a try goes */
    rl_clock clock;      /* its reply_by and connect_by are those of the next try, or the one under way */
    int64_t last_try_at; /* when the last try is sent: at the deadline, or earlier if a round trip is long */
    int64_t round_trip;  /* the shortest round trip so far; PLATFORM_NEVER: none was measured yet */
    int64_t process;     /* the process that made the attempt: PHP code that runs during the wait may fork */
    int64_t since_ms;    /* when it began, as descriptions tell it: see lock/owner.h */
    lock_place place;
    rl_bytes token;                  /* under which the lock is taken */
    unsigned asked;                  /* a bit for each node to which a try with the token may have come */
    unsigned heard;                  /* and for each that has answered the last such try */
    bool is_fresh;                   /* it was drawn for the next try, and tells the time of that */
    bool outcome_unknown;            /* an earlier try with the token was not answered: Redis may hold it from then */
    int64_t undone_on[RL_MAX_NODES]; /* on which connection an undo was sent: see lock_attempt_skip_undone() */
    lock_attempt_room *room;
    rl_session *session;    /* room->session */
    struct lock_turn *turn; /* among the processes of this machine: see lock/enter.h; NULL: there is none */
} lock_attempt;

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
    int64_t waiting; /* number of other waiters, if the queue node told it */
} lock_answer;

/* Begins an attempt at `now`: takes the connections, draws the waiter id and, unless it is the caller's, the token. The
 * parameters, its bytes and the room must outlive it. */
void lock_attempt_open(lock_attempt *attempt, lock_attempt_room *room, const lock_acquire_params *params, int64_t now,
                       rl_error *error);
void lock_attempt_close(lock_attempt *attempt);

/* Are its tokens drawn here, so that another may take the place of one? Otherwise the token is the caller's. */
static inline bool lock_attempt_draws_tokens(const lock_attempt *attempt)
{
    return attempt->params->token == NULL;
}

/* Draws another token, unless it is the caller's; another waiter id, if the attempt waits. */
void lock_attempt_renew_token(lock_attempt *attempt);
void lock_attempt_renew_waiter(lock_attempt *attempt);

/* The baton as a request passes it: "" if there is none. */
static inline rl_bytes lock_baton_bytes(const char *baton)
{
    return (rl_bytes){baton, baton[0] != '\0' ? LOCK_BATON_LEN : 0};
}

/* The waiter's id as a try passes it, or what undoes it: "" if it is not to touch the place in line. */
static inline rl_bytes lock_attempt_waiter(const lock_attempt *attempt, bool bypasses)
{
    return (rl_bytes){attempt->place.waiter, attempt->waits && !bypasses ? attempt->place.waiter_len : 0};
}

/* Returns for how many ms the waiter will still wait at `now`: see lock/try.h. */
int64_t lock_attempt_wait_ms(const lock_attempt *attempt, int64_t now);

/* Returns whether the call may have changed something. A plain SET that was answered by an error has not. A script
 * may have, but it has not taken the lock then. */
static inline bool lock_attempt_may_have_run(const rl_call *call)
{
    bool refused = call->request.script == NULL && call->error.kind == RL_ERROR_REPLY;

    return !refused && call->error.kind != RL_UNREACHABLE && call->error.kind != RL_REFUSED &&
           call->error.kind != RL_REDIRECTED;
}

/* Adds the keys of a script. */
void lock_attempt_add_keys(lock_attempt *attempt, rl_request *request, bool fence);

#endif

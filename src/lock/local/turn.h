/* SPDX-License-Identifier: MIT
 *
 * lock/local/turn: the turn of a caller at a lock that processes of one machine pass on to each other: see lock/local/layout.h.
 * It knows nothing of Redis: lock/pass does what is asked of that.
 *
 *   enter ──► ALONE: no turn
 *     │  └──► HEAD: ask Redis, then hold, or leave ◄───────────────┐
 *     └─ in line ──► GRANTED: hold ──► pass to the next, or leave ─┤
 *            └─────► OVER, FULL, FAILED, INTERRUPTED: no turn      └─ the next in line, behind whoever leaves
 *
 * Only the thread that has entered may use a turn, in the process in which it has; elsewhere each call does nothing.
 */
#ifndef REDISLOCK_LOCK_LOCAL_TURN_H
#define REDISLOCK_LOCK_LOCAL_TURN_H

#include "lock/local/host.h"
#include "platform/platform.h"
#include "redis/connection.h"

/* Of whoever wants a lock. */
typedef struct lock_turn_terms {
    rl_bytes key, token;  /* the token is one that nobody else knows */
    uint64_t identity[2]; /* of the server, and as whom one is logged in there */
    int64_t lease;        /* µs */
    int64_t deadline;     /* of the wait; now, or earlier: the caller does not wait */
    int64_t max_waiters;  /* 0: no limit */
    bool takes_over;      /* from a holder that is dead, if that has agreed by lock_turn_let_take_over() */
    const rl_hook *hook;  /* may end the wait */
    /* Asks Redis for how long one of these tokens has the lock still, in µs. 0: neither has; -1: nobody knows. It does not run
     * the hook. NULL: nobody asks. */
    int64_t (*held_for)(void *arg, rl_bytes token, rl_bytes other);
    void *arg;
} lock_turn_terms;

typedef enum lock_turn_verdict {
    LOCK_TURN_ALONE,       /* Redis is to be asked, and nothing here */
    LOCK_TURN_HEAD,        /* Redis is to be asked: the others here wait for what comes of that */
    LOCK_TURN_GRANTED,     /* the lock was passed on, or is taken over: turn->from and what follows say from whom */
    LOCK_TURN_OVER,        /* the deadline has come */
    LOCK_TURN_FULL,        /* so many wait already */
    LOCK_TURN_INTERRUPTED, /* the hook has ended the wait */
    LOCK_TURN_FAILED,      /* the head could not ask Redis: for the error */
} lock_turn_verdict;

/* What else comes of it. */
typedef struct lock_turn_line {
    bool stood;      /* the caller stood in line: its token is not to be used for anything else then */
    int64_t waiting; /* how many others stand in line here */
} lock_turn_line;

/* Begins a turn where no other process here has the lock or wants it: LOCK_TURN_HEAD. Most locks are of that kind, so it costs
 * little. NULL: another one may, which lock_turn_enter() finds out. */
lock_turn *lock_turn_begin_alone(local_host *host, rl_bytes key, const uint64_t identity[2]);

/* Enters for the lock: waits in line, if another process has it. There is a turn with LOCK_TURN_HEAD and LOCK_TURN_GRANTED,
 * which ends by lock_turn_pass() or lock_turn_leave(). */
lock_turn_verdict lock_turn_enter(local_host *host, const lock_turn_terms *terms, lock_turn **turn,
                                  lock_turn_line *line, rl_error *error);

/* Notes that the lock is held until `ends`, or, while it is waited for, that the caller goes on by then; from then on another
 * one may ask Redis for it, whatever stands here. 0: it is not known. */
static inline void lock_turn_hold(lock_turn *turn, int64_t ends)
{
    if (turn->host->process == platform_process()) {
        atomic_store_explicit(&turn->host->segment->entries[turn->entry].ends, ends, memory_order_relaxed);
    }
}

/* Lets those in line know that the owner of the turn goes on, which asks Redis again and again: for longer than an owner is
 * trusted that says nothing new (OWNER_TIME in lock/local/watch.c). NULL: there is no turn. */
static inline void lock_turn_show_life(lock_turn *turn)
{
    if (turn != NULL) {
        lock_turn_hold(turn, platform_now() + 4 * PLATFORM_SEC);
    }
}

/* Lets others that ask for it take the lock over once this process is dead, which holds it with this token, and with a
 * lease that is no longer than this one. What the lock was passed on from counts as well, as long as its answer is open. */
void lock_turn_let_take_over(lock_turn *turn, rl_bytes token, int64_t lease);

/* Lets nobody take it over any more: the token is to be told, by which another may hold the lock. */
void lock_turn_let_nobody_take_over(lock_turn *turn);

/* Lets the caller go on as the head: what was passed on to it, or what it took over, is not its own. False: it cannot,
 * and is to leave the turn. */
bool lock_turn_begin_anew(lock_turn *turn);

/* How many wait in line at the turn's slot; and for a lock. */
int64_t lock_turn_waiting(const lock_turn *turn);
int64_t lock_turn_waiting_for(local_host *host, rl_bytes key, const uint64_t identity[2]);

#endif

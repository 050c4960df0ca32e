/* SPDX-License-Identifier: MIT
 *
 * lock/local/watch: what those in line look after: that the owner of their slot is there, and moves. Mostly the first one does;
 * the others look more rarely, in case it has died as well.
 */
#ifndef REDISLOCK_LOCK_LOCAL_WATCH_H
#define REDISLOCK_LOCK_LOCAL_WATCH_H

#include "lock/local/host.h"

typedef enum local_watch_found {
    LOCAL_WATCH_NOTHING,
    LOCAL_WATCH_HEAD, /* the owner was gone: the turn is the head, and out of line */
    LOCAL_WATCH_TAKEN, /* the one that the lock was passed on to did not begin, or its holder is dead: the turn has it, and
                        * is out of line */
    LOCAL_WATCH_ASK, /* the owner has held the lock for long, with one of the tokens turn->from and turn->heir: whether that is
                      * so in Redis is to be told by local_watch_hear() */
    LOCAL_WATCH_ELSEWHERE, /* the slot is in use for another lock */
    LOCAL_WATCH_MOVED      /* something has changed meanwhile: look again at once */
} local_watch_found;

/* What one in line has seen. All zero at first. */
typedef struct local_watch {
    int64_t came;           /* when it first looked */
    int64_t leads_since;    /* since when it is the first that goes on; 0: it is not */
    uint64_t owner, status; /* of the slot, and of its owner's entry */
    int64_t since;          /* when they were first seen */
    uint64_t answer;        /* what Redis has said to that, */
    int64_t ends, heard_at; /* until when it has the lock by its own word, and since when both are so */
    int64_t holds_until;    /* until when Redis' word is trusted that it has the lock; 0: Redis was not asked */
    bool is_unheard;        /* Redis did not answer the last time */
    bool is_not_held;       /* Redis says no, or has not answered twice */
    int64_t unsure_since;   /* since when it is to be seen whether it may be taken over; 0: it is not */
    uint64_t stuck;         /* those in line with lower tickets stand still */
    uint64_t first;         /* the ticket of the first other one */
    int64_t first_sleeps, first_since; /* until when that said it sleeps, and since when it said so; 0: none was seen */
} local_watch;

/* Looks, at `now`, and sets when to look next. */
local_watch_found local_watch_look(local_watch *watch, lock_turn *turn, int64_t now, int64_t *again_at);

/* Notes what Redis has said by `now`: as lock_turn_terms.held_for. */
void local_watch_hear(local_watch *watch, int64_t held_for, int64_t now);

#endif

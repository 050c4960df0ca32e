/* SPDX-License-Identifier: MIT
 *
 * redis/repeat: whether a request that failed is sent again, and after which pause.
 */
#ifndef REDISLOCK_REDIS_REPEAT_H
#define REDISLOCK_REDIS_REPEAT_H

#include "redis/target.h"

typedef enum rl_repeat_rule {
    RL_REPEAT_LOST,      /* while the connection breaks, or cannot be made again: see rl_error_keep_first(). Of a target
                            that moves, as RL_REPEAT_TRANSIENT */
    RL_REPEAT_TRANSIENT, /* while the error passes: see rl_error_is_transient() */
} rl_repeat_rule;

/* One request that may have to be sent again. */
typedef struct rl_repeat {
    rl_repeat_rule rule;
    const rl_target *target;
    int64_t deadline;    /* not sent again from then on */
    const rl_hook *hook; /* may end a pause; NULL: none */
    int64_t pause;       /* before the next time; it doubles each time */
    /* What says most: with RL_REPEAT_LOST, the error of the first time; of a target that moves, the last one before the
     * deadline. */
    rl_error telling;
} rl_repeat;

/* Begins: nothing has failed yet. A lost request is sent again at once for the first time: mostly an idle connection
 * had broken unnoticed. */
void rl_repeat_begin(rl_repeat *repeat, rl_repeat_rule rule, const rl_target *target, int64_t deadline,
                     const rl_hook *hook);

/* Begins for a waiter, which goes on by RL_REPEAT_TRANSIENT until rl_repeat_waits_until(). */
void rl_repeat_begin_waiting(rl_repeat *repeat, const rl_target *target, int64_t deadline, int64_t last_good);

/* Returns until when a waiter goes on with a target that has given no good answer since `last_good`. */
int64_t rl_repeat_waits_until(const rl_target *target, int64_t deadline, int64_t last_good);

/* After a failure: pauses, and returns true if the request is to be sent again. Otherwise `error` says why it failed; if the
 * hook wants an end, RL_INTERRUPTED. */
bool rl_repeat_again(rl_repeat *repeat, rl_error *error);

#endif

/* SPDX-License-Identifier: MIT
 *
 * redis/pipeline: see redis/pipeline.h.
 */
#include "redis/pipeline.h"

#include <string.h>

#include "invariant.h"
#include "platform/platform.h"

/* Its connection is known by now, and it stands in no other pipeline. */
void rl_pipeline_push(rl_pipeline *pipeline, rl_conn *conn, rl_call *call)
{
    RL_INVARIANT(conn != NULL && call->conn == NULL);
    call->conn = conn;
    call->next = NULL;
    call->prev = pipeline->last;
    pipeline->awaited += !call->detached;
    pipeline->replies_pending += call->detached;
    if (pipeline->last != NULL) {
        pipeline->last->next = call;
    } else {
        pipeline->first = call;
    }
    pipeline->last = call;
}

/* Clears `conn` and `next`: others see by `conn` whether a call is still under way. */
rl_call *rl_pipeline_shift(rl_pipeline *pipeline)
{
    rl_call *call = pipeline->first;

    if (call != NULL) {
        RL_INVARIANT(call->prev == NULL && pipeline->awaited + pipeline->replies_pending > 0);
        pipeline->first = call->next;
        if (pipeline->first == NULL) {
            pipeline->last = NULL;
        } else {
            pipeline->first->prev = NULL;
        }
        call->conn = NULL;
        call->next = NULL;
        pipeline->awaited -= !call->detached;
        pipeline->replies_pending -= call->detached;
    }
    RL_INVARIANT((pipeline->first == NULL) == (pipeline->awaited + pipeline->replies_pending == 0));
    return call;
}

/* Replies are matched to calls by their order alone (R1). So a call that was written must leave another one in its place,
 * which takes its reply. */
void rl_pipeline_replace(rl_pipeline *pipeline, rl_call *call, rl_call *other)
{
    rl_call *prev = call->prev, *next = call->next;

    RL_INVARIANT(call->conn != NULL && !call->detached && pipeline->awaited > 0);
    RL_INVARIANT(other == NULL || other->conn == NULL);
    pipeline->awaited--;
    if (other != NULL) {
        other->conn = call->conn;
        other->next = next;
        other->prev = prev;
        pipeline->awaited += !other->detached;
        pipeline->replies_pending += other->detached;
    }
    *(prev != NULL ? &prev->next : &pipeline->first) = other != NULL ? other : next;
    *(next != NULL ? &next->prev : &pipeline->last) = other != NULL ? other : prev;
    call->conn = NULL;
    call->next = NULL;
}

const rl_call *rl_pipeline_first_detached(const rl_pipeline *pipeline)
{
    const rl_call *call = pipeline->first;

    while (call != NULL && !call->detached) {
        call = call->next;
    }
    return call;
}

bool rl_pipeline_may_repeat(const rl_pipeline *pipeline, const rl_call *call)
{
    bool undone = false;

    for (const rl_call *behind = pipeline->first; behind != NULL; behind = behind->next) {
        undone |= !behind->detached || behind->must_run;
    }
    return !call->detached || call->must_run || !undone;
}

/* ---- detached calls ---- */

/* Copies the arguments' bytes to `at` and lets `to` point to them. Returns the end of the copy. */
static char *copy_args(rl_bytes *to, const rl_bytes *from, size_t count, char *at)
{
    for (size_t i = 0; i < count; i++) {
        if (from[i].len > 0) {
            memcpy(at, from[i].at, from[i].len);
        }
        to[i] = (rl_bytes){at, from[i].len};
        at += from[i].len;
    }
    return at;
}

static size_t args_len(const rl_bytes *args, size_t count)
{
    size_t len = 0;

    for (size_t i = 0; i < count; i++) {
        len += args[i].len;
    }
    return len;
}

/* The memory holds the call, then the array `more`, then the bytes of all arguments. The array comes before the bytes
 * since it must be aligned. */
rl_call *rl_detached_call_new(const rl_request *request, bool send_eval, bool must_run)
{
    size_t more_size = request->more_count * sizeof(*request->more);
    size_t len = args_len(request->argv, request->argc) + args_len(request->more, request->more_count);
    rl_call *detached = platform_zalloc(sizeof(*detached) + more_size + len);
    rl_bytes *more = (rl_bytes *)(detached + 1);

    detached->request = *request;
    detached->request.more = more;
    detached->send_eval = send_eval;
    detached->detached = true;
    detached->must_run = must_run;
    detached->detached_at = platform_now();
    char *at = copy_args(detached->request.argv, request->argv, request->argc, (char *)more + more_size);
    copy_args(more, request->more, request->more_count, at);
    return detached;
}

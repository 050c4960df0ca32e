/* SPDX-License-Identifier: MIT
 *
 * redis/pipeline: see redis/pipeline.h.
 */
#include "redis/pipeline.h"

#include <string.h>

#include "platform.h"

void redis_pipeline_push(redis_pipeline *pipeline, redis_node *node, redis_call *call)
{
    call->node = node;
    call->next = NULL;
    pipeline->owed += call->disowned;
    if (pipeline->last != NULL) {
        pipeline->last->next = call;
    } else {
        pipeline->first = call;
    }
    pipeline->last = call;
}

redis_call *redis_pipeline_shift(redis_pipeline *pipeline)
{
    redis_call *call = pipeline->first;

    if (call != NULL) {
        pipeline->first = call->next;
        if (pipeline->first == NULL) {
            pipeline->last = NULL;
        }
        call->node = NULL;
        call->next = NULL;
        pipeline->owed -= call->disowned;
    }
    return call;
}

void redis_pipeline_replace(redis_pipeline *pipeline, redis_call *call, redis_call *other)
{
    redis_call **link = &pipeline->first, *before = NULL;

    while (*link != call) {
        before = *link;
        link = &before->next;
    }
    if (other != NULL) {
        other->node = call->node;
        other->next = call->next;
        pipeline->owed += other->disowned;
    }
    *link = other != NULL ? other : call->next;
    if (pipeline->last == call) {
        pipeline->last = other != NULL ? other : before;
    }
    call->node = NULL;
    call->next = NULL;
}

bool redis_pipeline_is_awaited(const redis_pipeline *pipeline)
{
    for (const redis_call *call = pipeline->first; call != NULL; call = call->next) {
        if (!call->disowned) {
            return true;
        }
    }
    return false;
}

const redis_call *redis_pipeline_first_owed(const redis_pipeline *pipeline)
{
    const redis_call *call = pipeline->first;

    while (call != NULL && !call->disowned) {
        call = call->next;
    }
    return call;
}

bool redis_pipeline_may_repeat(const redis_pipeline *pipeline, const redis_call *call)
{
    bool undone = false;

    for (const redis_call *behind = pipeline->first; behind != NULL; behind = behind->next) {
        undone |= behind->disowned && behind->must_run;
    }
    return !call->disowned || call->must_run || !undone;
}

/* ---- calls that nobody waits for ---- */

static char *copy_args(redis_bytes *to, const redis_bytes *from, size_t count, char *at)
{
    for (size_t i = 0; i < count; i++) {
        if (from[i].len > 0) {
            memcpy(at, from[i].at, from[i].len);
        }
        to[i] = (redis_bytes){at, from[i].len};
        at += from[i].len;
    }
    return at;
}

static size_t args_len(const redis_bytes *args, size_t count)
{
    size_t len = 0;

    for (size_t i = 0; i < count; i++) {
        len += args[i].len;
    }
    return len;
}

redis_call *redis_orphan_new(const redis_request *request, bool whole, bool must_run)
{
    size_t more_size = request->more_count * sizeof(*request->more);
    size_t len = args_len(request->argv, request->argc) + args_len(request->more, request->more_count);
    redis_call *orphan = platform_zalloc(sizeof(*orphan) + more_size + len);
    redis_bytes *more = (redis_bytes *)(orphan + 1);

    orphan->request = *request;
    orphan->request.more = more;
    orphan->whole = whole;
    orphan->disowned = true;
    orphan->must_run = must_run;
    orphan->disowned_at = platform_now();
    char *at = copy_args(orphan->request.argv, request->argv, request->argc, (char *)more + more_size);
    copy_args(more, request->more, request->more_count, at);
    return orphan;
}

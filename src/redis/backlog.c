/* SPDX-License-Identifier: MIT
 *
 * redis/backlog: see redis/backlog.h.
 */
#include "redis/backlog.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "platform.h"

struct redis_backlog_entry {
    redis_backlog_entry *next;
    redis_endpoint endpoint;
    redis_call *call; /* a copy of the request; never submitted itself */
    uint64_t id;
    int64_t until;
    bool under_way;    /* a call of it waits in a pipeline */
    bool may_have_run; /* it was sent, and not answered */
    bool was_vain;     /* it ran, and found nothing to do: it is not sent any more */
};

static void drop(redis_backlog *backlog, redis_backlog_entry **link)
{
    redis_backlog_entry *entry = *link;

    *link = entry->next;
    backlog->count--;
    redis_endpoint_free(&entry->endpoint);
    free(entry->call);
    free(entry);
}

void redis_backlog_free(redis_backlog *backlog)
{
    while (backlog->first != NULL) {
        drop(backlog, &backlog->first);
    }
}

/* What a parent has to release is not ours: its lock may be in use. */
static void drop_inherited(redis_backlog *backlog)
{
    int64_t pid = platform_pid();

    if (backlog->pid != pid) {
        redis_backlog_free(backlog);
        backlog->pid = pid;
    }
}

static bool same_bytes(redis_bytes a, redis_bytes b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.at, b.at, a.len) == 0);
}

static bool matches(const redis_backlog_entry *entry, const redis_endpoint *endpoint, const redis_request *request)
{
    const redis_request *own = &entry->call->request;

    assert(own->argc > own->keys && request->argc > request->keys);
    return own->script == request->script && same_bytes(own->argv[0], request->argv[0]) &&
           same_bytes(own->argv[own->keys], request->argv[request->keys]) &&
           redis_endpoint_same(&entry->endpoint, endpoint);
}

bool redis_backlog_remove(redis_backlog *backlog, const redis_endpoint *endpoint, const redis_request *request)
{
    redis_backlog_entry **link = &backlog->first;
    bool certain = false;

    drop_inherited(backlog);
    while (*link != NULL) {
        if (matches(*link, endpoint, request)) {
            certain = !(*link)->may_have_run && !(*link)->under_way;
            drop(backlog, link);
        } else {
            link = &(*link)->next;
        }
    }
    return certain;
}

void redis_backlog_add(redis_backlog *backlog, const redis_endpoint *endpoint, const redis_request *request,
                       const redis_error *why, int64_t until)
{
    redis_backlog_entry **last = &backlog->first, *entry;

    redis_backlog_remove(backlog, endpoint, request);
    if (backlog->count == REDIS_BACKLOG_MAX) {
        drop(backlog, &backlog->first);
    }
    entry = platform_zalloc(sizeof(*entry));
    redis_endpoint_copy(&entry->endpoint, endpoint);
    entry->call = redis_orphan_new(request, false, true);
    entry->call->request.brings = true; /* nobody is there to hear that the server does not know the script */
    entry->id = ++backlog->last_id;
    entry->until = until;
    entry->may_have_run = redis_error_is_unknown(why);
    while (*last != NULL) {
        last = &(*last)->next;
    }
    *last = entry;
    backlog->count++;
}

redis_call *redis_backlog_next(redis_backlog *backlog, const redis_endpoint *endpoint)
{
    redis_backlog_entry **link = &backlog->first;
    int64_t now = platform_now();

    drop_inherited(backlog);
    while (*link != NULL) {
        redis_backlog_entry *entry = *link;
        if (entry->until <= now) {
            drop(backlog, link);
        } else if (entry->under_way || entry->was_vain || !redis_endpoint_same(&entry->endpoint, endpoint)) {
            link = &entry->next;
        } else {
            redis_call *call = redis_orphan_new(&entry->call->request, false, true);
            call->backlog = backlog;
            call->backlog_id = entry->id;
            entry->under_way = true;
            return call;
        }
    }
    return NULL;
}

void redis_backlog_settle(redis_backlog *backlog, uint64_t id, const redis_error *error, const redisReply *reply)
{
    redis_backlog_entry **link = &backlog->first;
    bool found_nothing = reply != NULL && reply->type == REDIS_REPLY_INTEGER && reply->integer == 0;

    while (*link != NULL && (*link)->id != id) {
        link = &(*link)->next;
    }
    if (*link == NULL) {
        return;
    }
    if (redis_error_leaves_open(error)) {
        (*link)->under_way = false;
        (*link)->may_have_run |= redis_error_is_unknown(error);
    } else if (found_nothing && !(*link)->may_have_run) {
        (*link)->under_way = false;
        (*link)->was_vain = true;
    } else {
        drop(backlog, link);
    }
}

/* SPDX-License-Identifier: MIT
 *
 * redis/backlog: see redis/backlog.h.
 */
#include "redis/backlog.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "platform.h"

struct rl_backlog_entry {
    rl_backlog_entry *next;
    rl_endpoint endpoint;
    rl_call *call; /* a copy of the request; never submitted itself */
    uint64_t id;
    int64_t until;
    bool under_way;    /* a call of it waits in a pipeline */
    bool may_have_run; /* it was sent, and not answered */
    bool was_vain;     /* it ran, and found nothing to do: it is not sent any more */
};

static void drop(rl_backlog *backlog, rl_backlog_entry **link)
{
    rl_backlog_entry *entry = *link;

    *link = entry->next;
    backlog->count--;
    rl_endpoint_free(&entry->endpoint);
    free(entry->call);
    free(entry);
}

void rl_backlog_free(rl_backlog *backlog)
{
    while (backlog->first != NULL) {
        drop(backlog, &backlog->first);
    }
}

/* What a parent has to release is not ours: its lock may be in use. */
static void drop_inherited(rl_backlog *backlog)
{
    int64_t pid = platform_pid();

    if (backlog->pid != pid) {
        rl_backlog_free(backlog);
        backlog->pid = pid;
    }
}

static bool same_bytes(rl_bytes a, rl_bytes b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.at, b.at, a.len) == 0);
}

static bool matches(const rl_backlog_entry *entry, const rl_endpoint *endpoint, const rl_request *request)
{
    const rl_request *own = &entry->call->request;

    assert(own->argc > own->keys && request->argc > request->keys);
    return own->script == request->script && same_bytes(own->argv[0], request->argv[0]) &&
           same_bytes(own->argv[own->keys], request->argv[request->keys]) &&
           rl_endpoint_same(&entry->endpoint, endpoint);
}

bool rl_backlog_remove(rl_backlog *backlog, const rl_endpoint *endpoint, const rl_request *request)
{
    rl_backlog_entry **link = &backlog->first;
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

void rl_backlog_add(rl_backlog *backlog, const rl_endpoint *endpoint, const rl_request *request, const rl_error *why,
                    int64_t until)
{
    rl_backlog_entry **last = &backlog->first, *entry;

    rl_backlog_remove(backlog, endpoint, request);
    if (backlog->count == RL_BACKLOG_MAX) {
        drop(backlog, &backlog->first);
    }
    entry = platform_zalloc(sizeof(*entry));
    rl_endpoint_copy(&entry->endpoint, endpoint);
    entry->call = rl_detached_call_new(request, false, true);
    entry->call->request.preload = true; /* nobody is there to hear that the server does not know the script */
    entry->id = ++backlog->last_id;
    entry->until = until;
    entry->may_have_run = rl_error_is_outcome_unknown(why);
    while (*last != NULL) {
        last = &(*last)->next;
    }
    *last = entry;
    backlog->count++;
}

rl_call *rl_backlog_next(rl_backlog *backlog, const rl_endpoint *endpoint)
{
    rl_backlog_entry **link = &backlog->first;
    int64_t now = platform_now();

    drop_inherited(backlog);
    while (*link != NULL) {
        rl_backlog_entry *entry = *link;
        if (entry->until <= now) {
            drop(backlog, link);
        } else if (entry->under_way || entry->was_vain || !rl_endpoint_same(&entry->endpoint, endpoint)) {
            link = &entry->next;
        } else {
            rl_call *call = rl_detached_call_new(&entry->call->request, false, true);
            call->backlog = backlog;
            call->backlog_id = entry->id;
            entry->under_way = true;
            return call;
        }
    }
    return NULL;
}

void rl_backlog_settle(rl_backlog *backlog, uint64_t id, const rl_error *error, const redisReply *reply)
{
    rl_backlog_entry **link = &backlog->first;
    bool found_nothing = reply != NULL && reply->type == REDIS_REPLY_INTEGER && reply->integer == 0;

    while (*link != NULL && (*link)->id != id) {
        link = &(*link)->next;
    }
    if (*link == NULL) {
        return;
    }
    if (rl_error_leaves_open(error)) {
        (*link)->under_way = false;
        (*link)->may_have_run |= rl_error_is_outcome_unknown(error);
    } else if (found_nothing && !(*link)->may_have_run) {
        (*link)->under_way = false;
        (*link)->was_vain = true;
    } else {
        drop(backlog, link);
    }
}

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
    rl_call *call;     /* holds a copy of the request; never submitted itself */
    uint64_t id;       /* by which the calls made from this entry refer to it */
    int64_t until;     /* when the entry is given up */
    bool under_way;    /* a call made from this entry is in a pipeline */
    bool may_have_run; /* the request was sent at least once with an unknown outcome */
    bool was_vain;     /* the request ran, and found nothing to do: it is not sent again */
};

/* Takes the entry to which `link` points out of the list and frees it. */
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

/* Empties the backlog of a forked child. What the parent has to release is not the child's: the lock may be in use. */
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

/* Is the entry the same as this request by the rules of rl_backlog_remove()? */
static bool matches(const rl_backlog_entry *entry, const rl_endpoint *endpoint, const rl_request *request)
{
    const rl_request *own = &entry->call->request;

    assert(own->argc > own->keys && request->argc > request->keys);
    return own->script == request->script && same_bytes(own->argv[0], request->argv[0]) &&
           same_bytes(own->argv[own->keys], request->argv[request->keys]) &&
           rl_endpoint_same(&entry->endpoint, endpoint);
}

/* The outcome of a call that is under way is not known yet, so it counts as one that may have run. When the call ends,
 * rl_backlog_report() finds no entry, and does nothing. */
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

/* New entries go to the end of the list, so that the first is the oldest, which makes room when the backlog is
 * full. */
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
    entry->call->request.preload = true; /* nobody is there to learn that the server does not know the script */
    entry->id = ++backlog->last_id;
    entry->until = until;
    entry->may_have_run = rl_error_is_outcome_unknown(why);
    while (*last != NULL) {
        last = &(*last)->next;
    }
    *last = entry;
    backlog->count++;
}

/* The call refers to its entry by id, not by pointer: the entry may be removed while the call is under way. Entries
 * whose time is over are dropped on the way. */
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

/* A 0 only proves that there was nothing to release if the request cannot have run before. Otherwise an earlier run,
 * whose reply was lost, may have released the lock. */
void rl_backlog_report(rl_backlog *backlog, uint64_t id, const rl_error *error, const redisReply *reply)
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

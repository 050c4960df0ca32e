/* SPDX-License-Identifier: MIT
 *
 * redis/backlog: see redis/backlog.h.
 */
#include "redis/backlog.h"

#include <stdlib.h>

#include "invariant.h"
#include "platform/platform.h"

/* The lists that an entry is in: that of all requests by age, and one of its server's lists. */
enum { BY_AGE, AT_SERVER, LINKS };

typedef struct entry_link {
    rl_backlog_entry *before, *behind;
} entry_link;

/* A server's lists. An entry that is under way is in none of them. */
enum {
    OPEN,    /* to be sent first: what matters to an outcome */
    DECIDED, /* to be sent behind those */
    VAIN,    /* not sent again: the request ran, and found nothing to do */
    SERVER_LISTS
};

struct rl_backlog_entry {
    entry_link links[LINKS];
    rl_backlog_entry *next_in_bucket;
    rl_backlog_server *server;
    rl_call *call;    /* holds a copy of the request; never submitted itself */
    rl_call *carrier; /* the call under way that does what the request asks for; NULL: none */
    rl_backlog_terms terms;
    rl_destination *ran_at; /* the server where it has run ahead last; NULL: it has not */
    size_t bucket;          /* index in backlog->buckets */
    bool was_vain;          /* see VAIN */
};

struct rl_backlog_server {
    rl_backlog_server *next; /* in backlog->servers */
    rl_backlog *backlog;
    rl_endpoint endpoint;
    rl_backlog_list lists[SERVER_LISTS];
    size_t count;     /* of requests, in the lists and under way */
    size_t under_way; /* how many of them have a carrier */
    size_t references;
};

/* ---- lists ---- */

static void append(rl_backlog_list *list, rl_backlog_entry *entry, int which)
{
    entry->links[which] = (entry_link){.before = list->last};
    *(list->last != NULL ? &list->last->links[which].behind : &list->first) = entry;
    list->last = entry;
}

static void take_out(rl_backlog_list *list, rl_backlog_entry *entry, int which)
{
    const entry_link *own = &entry->links[which];

    *(own->before != NULL ? &own->before->links[which].behind : &list->first) = own->behind;
    *(own->behind != NULL ? &own->behind->links[which].before : &list->last) = own->before;
}

/* The list of its server in which the entry belongs while it is not under way. */
static rl_backlog_list *list_of(const rl_backlog_entry *entry)
{
    return &entry->server->lists[entry->was_vain ? VAIN : entry->terms.is_decided ? DECIDED : OPEN];
}

/* ---- servers ---- */

/* Frees the server's part if nobody needs it. */
static void server_let_go(rl_backlog_server *server)
{
    rl_backlog_server **at = &server->backlog->servers;

    if (server->references > 0 || server->count > 0) {
        return;
    }
    while (*at != server) {
        at = &(*at)->next;
    }
    *at = server->next;
    rl_endpoint_free(&server->endpoint);
    free(server);
}

/* Servers are few, and this happens once a connection. */
rl_backlog_server *rl_backlog_join(rl_backlog *backlog, const rl_endpoint *endpoint)
{
    rl_backlog_server *server = backlog->servers;

    while (server != NULL && !rl_endpoint_same(&server->endpoint, endpoint)) {
        server = server->next;
    }
    if (server == NULL) {
        server = platform_zalloc(sizeof(*server));
        server->backlog = backlog;
        rl_endpoint_copy(&server->endpoint, endpoint);
        server->next = backlog->servers;
        backlog->servers = server;
    }
    server->references++;
    return server;
}

void rl_backlog_leave(rl_backlog_server *server)
{
    if (server != NULL) {
        RL_INVARIANT(server->references > 0);
        server->references--;
        server_let_go(server);
    }
}

/* ---- entries ---- */

/* The entry is under way from now on, by this call. */
static void get_under_way(rl_backlog_entry *entry, rl_call *carrier)
{
    RL_INVARIANT(entry->carrier == NULL && carrier->owes == NULL && carrier->detached);
    entry->carrier = carrier;
    carrier->owes = entry;
    entry->server->under_way++;
}

/* The entry is not under way any more; it is put into none of its server's lists. */
static void get_off(rl_backlog_entry *entry)
{
    RL_INVARIANT(entry->carrier->owes == entry && entry->server->under_way > 0);
    entry->carrier->owes = NULL;
    entry->carrier = NULL;
    entry->server->under_way--;
}

/* Takes the entry out of its bucket. */
static void leave_bucket(rl_backlog *backlog, const rl_backlog_entry *entry)
{
    rl_backlog_entry **at = &backlog->buckets[entry->bucket];

    while (*at != entry) {
        at = &(*at)->next_in_bucket;
    }
    *at = entry->next_in_bucket;
}

/* Removes the entry and frees it. What is under way goes on, and nobody is told of its end. Returns the server's part,
 * which may not be needed any more. */
static rl_backlog_server *unlist(rl_backlog_entry *entry)
{
    rl_backlog_server *server = entry->server;
    rl_backlog *backlog = server->backlog;

    RL_INVARIANT(entry->call->conn == NULL && server->under_way <= server->count);
    if (entry->carrier != NULL) {
        get_off(entry);
    } else {
        take_out(list_of(entry), entry, AT_SERVER);
    }
    take_out(&backlog->by_age[entry->terms.is_decided], entry, BY_AGE);
    leave_bucket(backlog, entry);
    backlog->count--;
    server->count--;
    free(entry->call);
    free(entry->ran_at);
    free(entry);
    return server;
}

static void drop(rl_backlog_entry *entry)
{
    server_let_go(unlist(entry));
}

void rl_backlog_free(rl_backlog *backlog)
{
    for (int decided = 0; decided < 2; decided++) {
        while (backlog->by_age[decided].first != NULL) {
            drop(backlog->by_age[decided].first);
        }
    }
    RL_INVARIANT(backlog->count == 0);
}

/* Empties the backlog of a forked child. What the parent has to release is not the child's: the lock may be in use. */
static void drop_inherited(rl_backlog *backlog)
{
    int64_t process = platform_process();

    if (backlog->process != process) {
        rl_backlog_free(backlog);
        backlog->process = process;
    }
}

/* ---- looking up ---- */

/* The lock and the token, by which a request is told from others to the same server. */
static rl_bytes lock_of(const rl_request *request)
{
    return request->argv[0];
}

static rl_bytes token_of(const rl_request *request)
{
    RL_GUARD(request->argc > request->keys); /* R9 */
    return request->argv[request->keys];
}

static uint32_t mix_in(uint32_t hash, rl_bytes bytes)
{
    for (size_t i = 0; i < bytes.len; i++) {
        hash = (hash ^ (unsigned char)bytes.at[i]) * 16777619U; /* FNV-1a */
    }
    return hash;
}

static size_t bucket_of(const rl_request *request)
{
    return mix_in(mix_in(2166136261U, lock_of(request)), token_of(request)) % RL_BACKLOG_BUCKETS;
}

/* Is the entry the same as this request by the rules of rl_backlog_remove()? */
static bool matches(const rl_backlog_entry *entry, const rl_backlog_server *server, const rl_request *request)
{
    const rl_request *own = &entry->call->request;

    return entry->server == server && own->script == request->script &&
           rl_bytes_equal(token_of(own), token_of(request)) && rl_bytes_equal(lock_of(own), lock_of(request));
}

static rl_backlog_entry *find(const rl_backlog_server *server, const rl_request *request, size_t bucket)
{
    rl_backlog_entry *entry = server->backlog->buckets[bucket];

    while (entry != NULL && !matches(entry, server, request)) {
        entry = entry->next_in_bucket;
    }
    return entry;
}

/* The outcome of a call that is under way is not known yet, so it counts as one that may have run. */
bool rl_backlog_remove(rl_backlog_server *server, const rl_request *request)
{
    if (server->count == 0) {
        return false;
    }
    drop_inherited(server->backlog);
    rl_backlog_entry *entry = find(server, request, bucket_of(request));
    bool certain = entry != NULL && !entry->terms.may_have_run && entry->carrier == NULL;
    if (entry != NULL) {
        unlist(entry);
    }
    return certain;
}

int64_t rl_backlog_until(const rl_backlog_server *server, const rl_request *request)
{
    const rl_backlog_entry *entry = find(server, request, bucket_of(request));

    return entry != NULL && !entry->was_vain ? entry->terms.until : 0;
}

/* ---- adding ---- */

/* Makes room for one more entry. One whose time is over goes before all others. Returns false if what is there counts
 * for more. */
static bool make_room(rl_backlog *backlog, bool for_decided)
{
    rl_backlog_entry *open = backlog->by_age[false].first, *decided = backlog->by_age[true].first;

    if (backlog->count < RL_BACKLOG_MAX) {
        return true;
    }
    if (open != NULL && (open->terms.until <= platform_now() || (decided == NULL && !for_decided))) {
        drop(open);
    } else if (decided != NULL) {
        drop(decided);
    } else {
        return false;
    }
    return true;
}

/* Makes the entry and puts it into its bucket and the list by age; not into one of its server's. */
static rl_backlog_entry *entry_new(rl_backlog_server *server, const rl_request *request, const rl_backlog_terms *terms,
                                   size_t bucket)
{
    rl_backlog_entry *entry = platform_zalloc(sizeof(*entry));
    rl_backlog *backlog = server->backlog;

    entry->server = server;
    entry->call = rl_detached_call_new(request, false, true);
    entry->call->request.preload = true; /* nobody is there to learn that the server does not know the script */
    entry->terms = *terms;
    entry->bucket = bucket;
    entry->next_in_bucket = backlog->buckets[bucket];
    backlog->buckets[bucket] = entry;
    append(&backlog->by_age[terms->is_decided], entry, BY_AGE);
    backlog->count++;
    server->count++;
    RL_INVARIANT(backlog->count <= RL_BACKLOG_MAX);
    return entry;
}

/* An entry that has a carrier is in none of its server's lists: only if the carrier fails is it to be sent. */
void rl_backlog_add(rl_backlog_server *server, const rl_request *request, const rl_backlog_terms *terms,
                    rl_call *carrier)
{
    size_t bucket = bucket_of(request);

    drop_inherited(server->backlog);
    rl_backlog_entry *before = find(server, request, bucket);
    if (before != NULL) {
        unlist(before);
    }
    if (!make_room(server->backlog, terms->is_decided)) {
        return;
    }
    rl_backlog_entry *entry = entry_new(server, request, terms, bucket);
    if (carrier != NULL) {
        get_under_way(entry, carrier);
    } else {
        append(list_of(entry), entry, AT_SERVER);
    }
}

/* ---- sending ---- */

/* Drops those from the front of the list whose time is over, and returns the first one of the others that fits. */
static rl_backlog_entry *first_in_time(rl_backlog_list *list, int64_t now, rl_backlog_fits fits, const void *arg)
{
    while (list->first != NULL && list->first->terms.until <= now) {
        unlist(list->first);
    }
    rl_backlog_entry *entry = list->first;
    while (entry != NULL && fits != NULL && !fits(arg, lock_of(&entry->call->request), entry->ran_at)) {
        entry = entry->links[AT_SERVER].behind;
    }
    return entry;
}

/* Nobody waits for what is decided, so that comes last. Not inlined, since mostly nothing is owed. */
static PLATFORM_NOINLINE rl_call *next_owed(rl_backlog_server *server, rl_backlog_fits fits, const void *arg)
{
    rl_backlog_entry *first[SERVER_LISTS];

    drop_inherited(server->backlog);
    int64_t now = platform_now();
    for (int i = 0; i < SERVER_LISTS; i++) {
        first[i] = first_in_time(&server->lists[i], now, fits, arg);
    }
    rl_backlog_entry *entry = first[OPEN];
    if (entry == NULL && server->under_way < RL_BACKLOG_DECIDED_AHEAD) {
        entry = first[DECIDED];
    }
    if (entry == NULL) {
        return NULL;
    }
    rl_call *call = rl_detached_call_new(&entry->call->request, false, true);
    take_out(list_of(entry), entry, AT_SERVER);
    get_under_way(entry, call);
    return call;
}

rl_call *rl_backlog_next(rl_backlog_server *server, rl_backlog_fits fits, const void *arg)
{
    bool may_be_sent = server->count > 0 && server->under_way < RL_BACKLOG_AHEAD;

    return may_be_sent ? next_owed(server, fits, arg) : NULL;
}

/* If no server takes over from another, it is sent just once more. */
static void note_ran_ahead(rl_backlog_entry *entry, const rl_destination *at)
{
    if (at == NULL) {
        entry->terms.runs_ahead = false;
        return;
    }
    if (entry->ran_at == NULL) {
        entry->ran_at = platform_alloc(sizeof(*at));
    }
    *entry->ran_at = *at;
}

/* A 0 only proves that there was nothing to release if the request cannot have run before. Otherwise an earlier run,
 * whose reply was lost, may have released the lock. */
void rl_backlog_report(rl_call *call, const rl_destination *at)
{
    rl_backlog_entry *entry = call->owes;
    bool found_nothing = call->reply != NULL && call->reply->type == REDIS_REPLY_INTEGER && call->reply->integer == 0;

    if (entry == NULL) {
        return;
    }
    rl_backlog_terms *terms = &entry->terms;
    if (rl_error_leaves_open(&call->error)) {
        terms->until = platform_later(terms->until, platform_after(platform_now(), terms->keeps));
        terms->keeps = 0;
        terms->may_have_run |= rl_error_is_outcome_unknown(&call->error);
        get_off(entry);
        append(list_of(entry), entry, AT_SERVER);
    } else if (found_nothing && terms->runs_ahead) {
        note_ran_ahead(entry, at);
        get_off(entry);
        append(list_of(entry), entry, AT_SERVER);
    } else if (found_nothing && !terms->may_have_run && !terms->is_decided) {
        get_off(entry);
        entry->was_vain = true;
        append(list_of(entry), entry, AT_SERVER);
    } else {
        drop(entry);
    }
}

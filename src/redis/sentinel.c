/* SPDX-License-Identifier: MIT
 *
 * redis/sentinel: see redis/sentinel.h.
 */
#include "redis/sentinel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "invariant.h"
#include "platform/platform.h"
#include "redis/connection.h"
#include "redis/votes.h"

/* A reply that describes all replicas has some fifty elements for each. */
#define MAX_ELEMENTS 8192

/* Of how many replicas the names are noted. Each may take long to be looked up, and a broken sentinel may name any. */
#define MAX_REPLICAS 32

/* One sentinel. It is asked two questions: only the first tells the epoch, and only the second tells of a master that it
 * promotes just now. */
typedef struct sentinel {
    rl_conn *conn;
    rl_call describe; /* SENTINEL MASTER: fields and values, the epoch among them */
    rl_call locate;   /* SENTINEL GET-MASTER-ADDR-BY-NAME: host and port */
} sentinel;

struct rl_route {
    const rl_endpoint *endpoint;
    sentinel *sentinels;
    size_t count;
    bool surely;          /* only a majority decides: see rl_router */
    int64_t decide_at;    /* otherwise, from then on, any number of answers is enough */
    int64_t look_at;      /* see rl_router */
    int64_t by;           /* when the time is over */
    rl_call replicas;     /* SENTINEL REPLICAS, if hosts have names that are to be resolved beforehand */
    bool asks_replicas;   /* that was sent, and the destination is known */
    int64_t replicas_by;  /* until when that is awaited: it is of use only later */
    rl_destination found; /* valid with `asks_replicas` */
};

/* What a sentinel says. */
typedef struct sentinel_answer {
    bool heard; /* it has answered as a sentinel does */
    bool knows; /* it knows a master of that name */
    rl_destination at;
    long long epoch; /* -1: it did not tell */
} sentinel_answer;

/* ---- asking ---- */

static rl_route *sentinel_open(const rl_endpoint *endpoint)
{
    rl_route *route = platform_zalloc(sizeof(*route));

    route->endpoint = endpoint;
    route->count = endpoint->sentinels->count;
    route->sentinels = platform_zalloc(route->count * sizeof(*route->sentinels));
    for (size_t i = 0; i < route->count; i++) {
        sentinel *one = &route->sentinels[i];
        one->conn = rl_conn_new(&endpoint->sentinels->list[i], NULL, NULL);
        rl_conn_allow_elements(one->conn, MAX_ELEMENTS);
    }
    return route;
}

static void sentinel_close(rl_route *route)
{
    for (size_t i = 0; i < route->count; i++) {
        rl_conn_free(route->sentinels[i].conn);
        rl_call_reset(&route->sentinels[i].describe);
        rl_call_reset(&route->sentinels[i].locate);
    }
    rl_call_reset(&route->replicas);
    free(route->sentinels);
    free(route);
}

/* Submits SENTINEL with the subcommand, about the endpoint's master. */
static void submit(const rl_route *route, rl_conn *conn, rl_call *call, rl_bytes subcommand, bool corked)
{
    const char *master = route->endpoint->sentinels->master;

    rl_call_reset(call);
    rl_request_begin(&call->request, NULL);
    rl_request_add(&call->request, RL_LITERAL("SENTINEL"));
    rl_request_add(&call->request, subcommand);
    rl_request_add(&call->request, (rl_bytes){master, strlen(master)});
    call->corked = corked;
    rl_conn_submit(conn, call, route->by);
}

/* A call without an answer breaks its connection, so both are reset before the first is sent. A sentinel may have closed a
 * connection that was idle. One to which no connection can be made is not tried a second time: that may mean to look up a
 * name. */
static void ask_one(const rl_route *route, sentinel *one)
{
    rl_call_reset(&one->describe);
    rl_call_reset(&one->locate);
    if (!rl_conn_is_idle(one->conn)) {
        rl_conn_break(one->conn, RL_LOST, "the connection is of no use");
    }
    submit(route, one->conn, &one->describe, RL_LITERAL("MASTER"), true);
    if (one->describe.answered) {
        one->locate.error = one->describe.error;
        one->locate.answered = true;
    } else {
        submit(route, one->conn, &one->locate, RL_LITERAL("GET-MASTER-ADDR-BY-NAME"), false);
    }
}

static void sentinel_ask(rl_route *route, int64_t now, int64_t by, bool surely)
{
    route->by = by;
    route->surely = surely;
    route->decide_at = surely ? PLATFORM_NEVER : now + (by - now) / 2;
    route->look_at = now; /* no connection may be made: then there is nothing to wait for */
    route->asks_replicas = false;
    rl_call_reset(&route->replicas);
    for (size_t i = 0; i < route->count; i++) {
        ask_one(route, &route->sentinels[i]);
    }
}

/* ---- reading ---- */

static bool is_text(const redisReply *reply)
{
    return reply->type == REDIS_REPLY_STRING || reply->type == REDIS_REPLY_STATUS;
}

/* Reads a whole number from 0 to `max`; returns -1 if the reply is none. */
static long long read_number(const redisReply *reply, long long max)
{
    char *end;
    long long number;

    if (!is_text(reply) || reply->str[0] < '0' || reply->str[0] > '9') {
        return -1;
    }
    number = strtoll(reply->str, &end, 10);
    return end == reply->str + reply->len && number <= max ? number : -1;
}

/* The value of a field in a flat list of fields and values; NULL: there is none. */
static const redisReply *field(const redisReply *list, const char *name)
{
    if (list->type != REDIS_REPLY_ARRAY) {
        return NULL;
    }
    for (size_t i = 0; i + 1 < list->elements; i += 2) {
        if (is_text(list->element[i]) && strcmp(list->element[i]->str, name) == 0) {
            return list->element[i + 1];
        }
    }
    return NULL;
}

/* Is the reply a host that can be followed? It is also told in messages, so it has no bytes that do something to a terminal
 * or a log, as some beyond ASCII do. A name that has other letters is written in ASCII in DNS. */
static bool is_host(const redisReply *reply)
{
    if (!is_text(reply) || reply->len == 0 || (size_t)reply->len >= RL_HOST_SIZE) {
        return false;
    }
    for (size_t i = 0; i < (size_t)reply->len; i++) {
        if ((unsigned char)reply->str[i] <= ' ' || (unsigned char)reply->str[i] >= 0x7f) {
            return false;
        }
    }
    return true;
}

static bool read_destination(const redisReply *host, const redisReply *port, rl_destination *at)
{
    long long number = port != NULL ? read_number(port, 65535) : -1;

    if (host == NULL || !is_host(host) || number <= 0) {
        return false;
    }
    memcpy(at->host, host->str, (size_t)host->len + 1);
    at->port = (int)number;
    return true;
}

static bool is_good(const rl_call *call)
{
    return call->answered && call->error.kind == RL_OK;
}

static bool is_settled(const sentinel *one)
{
    return one->describe.answered && one->locate.answered;
}

/* One that refuses to say where the master is may have described it. */
static sentinel_answer read_answer(const sentinel *one)
{
    const redisReply *about = is_good(&one->describe) ? one->describe.reply : NULL;
    const redisReply *where = is_good(&one->locate) ? one->locate.reply : NULL;
    const redisReply *epoch = about != NULL ? field(about, "config-epoch") : NULL;
    sentinel_answer answer = {.epoch = epoch != NULL ? read_number(epoch, INT64_MAX) : -1};

    if (!is_settled(one)) {
        return answer;
    }
    if (where != NULL && where->type == REDIS_REPLY_ARRAY && where->elements == 2) {
        answer.knows = read_destination(where->element[0], where->element[1], &answer.at);
    } else if (where == NULL && about != NULL) {
        answer.knows = read_destination(field(about, "ip"), field(about, "port"), &answer.at);
    }
    answer.heard = answer.knows || (where != NULL && where->type == REDIS_REPLY_NIL);
    return answer;
}

/* ---- deciding ---- */

/* How many of the answers say the same as this one. */
static size_t count_same(const sentinel_answer *answers, size_t count, const sentinel_answer *as)
{
    size_t same = 0;

    for (size_t i = 0; i < count; i++) {
        same += answers[i].knows && rl_destination_same(&answers[i].at, &as->at);
    }
    return same;
}

/* Returns the index of the answer of the highest epoch, and of those that of most sentinels; `count`: none knows. */
static size_t choose(const sentinel_answer *answers, size_t count)
{
    size_t best = count;

    for (size_t i = 0; i < count; i++) {
        if (!answers[i].knows) {
            continue;
        }
        if (best == count || answers[i].epoch > answers[best].epoch ||
            (answers[i].epoch == answers[best].epoch &&
             count_same(answers, count, &answers[i]) > count_same(answers, count, &answers[best]))) {
            best = i;
        }
    }
    return best;
}

static const rl_error *error_of(const sentinel *one)
{
    return one->locate.error.kind != RL_OK ? &one->locate.error : &one->describe.error;
}

static bool has_refused(const sentinel *one)
{
    return error_of(one)->kind == RL_REFUSED || error_of(one)->kind == RL_ERROR_REPLY;
}

/* How the error of a sentinel is told, as a format: with what is to be done about it. */
static const char *wording_of(const rl_error *why)
{
    if (strcmp(why->code, "NOAUTH") == 0 || strcmp(why->code, "WRONGPASS") == 0) {
        return "no sentinel could be asked; %.80s:%d: %.60s: that of the sentinels is the option sentinel_password";
    }
    return rl_command_is_unknown(why->text, "sentinel")
               ? "no sentinel could be asked; %.80s:%d: %.80s: it is no sentinel"
               : "no sentinel could be asked; %.80s:%d: %.100s";
}

/* Says why no sentinel could be asked, by the error of the first one that has refused to answer; otherwise of the first one. It
 * is final only if all have refused: one that is gone may come back. */
static void say_why(const rl_route *route, rl_error *error)
{
    const sentinel *telling = NULL;
    size_t refused = 0;

    for (size_t i = 0; i < route->count; i++) {
        const sentinel *one = &route->sentinels[i];
        refused += has_refused(one);
        telling = telling == NULL || (has_refused(one) && refused == 1) ? one : telling;
    }
    const rl_endpoint *endpoint = rl_conn_endpoint(telling->conn);
    const rl_error *why = error_of(telling);
    *error = (rl_error){.kind = refused == route->count ? RL_REFUSED : RL_UNREACHABLE};
    snprintf(error->text, sizeof(error->text), wording_of(why), endpoint->host, endpoint->port,
             why->kind != RL_OK ? why->text : "it does not answer as a sentinel does");
}

/* Says that the time is over, and no answer that came until then has helped. */
static void say_late(const rl_route *route, size_t heard, rl_error *error)
{
    *error = (rl_error){.kind = RL_UNREACHABLE};
    if (heard == 0) {
        snprintf(error->text, sizeof(error->text), "no sentinel has answered in time");
    } else {
        snprintf(error->text, sizeof(error->text),
                 "too few sentinels have answered in time, and none of them watches a master named '%.100s'",
                 route->endpoint->sentinels->master);
    }
}

static void say_unknown(const rl_route *route, rl_error *error)
{
    *error = (rl_error){.kind = RL_REFUSED};
    snprintf(error->text, sizeof(error->text), "the sentinels watch no master named '%.100s'",
             route->endpoint->sentinels->master);
}

/* Are there hosts with names, which another thread that resolves none may have to follow? */
static bool names_hosts(const rl_route *route, const rl_destination *found)
{
    return route->endpoint->sentinels->hosts == NULL && !rl_host_is_numeric(found->host);
}

/* Goes on to ask for the replicas if their names are to be known, which is rare. Half of the time that is left is kept for the
 * connection. */
static rl_route_state follow(rl_route *route, size_t i, const rl_destination *at, int64_t now, rl_destination *found)
{
    *found = *at;
    if (!names_hosts(route, at)) {
        return RL_ROUTE_FOUND;
    }
    route->found = *at;
    route->asks_replicas = true;
    route->replicas_by = now + (route->by - now) / 2;
    route->look_at = now; /* as when all were asked */
    submit(route, route->sentinels[i].conn, &route->replicas, RL_LITERAL("REPLICAS"), false);
    return RL_ROUTE_OPEN;
}

/* One that does not know the master counts as heard. A failover needs a majority that agrees to its epoch, so among the answers
 * of any majority there is one that knows of it. A minority may have been cut off with an old master: its word is better than
 * none, but no reason to leave a server. */
static rl_route_state sentinel_look(rl_route *route, int64_t now, rl_destination *found, rl_error *error)
{
    sentinel_answer answers[RL_MAX_SENTINELS];
    size_t heard = 0, settled = 0, majority = rl_majority_of(route->count);

    RL_GUARD(route->count <= RL_MAX_SENTINELS);
    if (route->asks_replicas) {
        *found = route->found;
        route->look_at = route->replicas_by;
        return route->replicas.answered || now >= route->replicas_by ? RL_ROUTE_FOUND : RL_ROUTE_OPEN;
    }
    route->look_at = now < route->decide_at ? platform_earlier(route->decide_at, route->by) : route->by;
    for (size_t i = 0; i < route->count; i++) {
        answers[i] = read_answer(&route->sentinels[i]);
        heard += answers[i].heard;
        settled += is_settled(&route->sentinels[i]);
    }
    bool all = settled == route->count, most = heard >= majority;
    size_t best = choose(answers, route->count);
    if (best < route->count && (most || (!route->surely && (all || now >= route->decide_at)))) {
        return follow(route, best, &answers[best].at, now, found);
    }
    if (!most && !all && now < route->by) {
        return RL_ROUTE_OPEN;
    }
    if (best < route->count || (!most && !all)) {
        say_late(route, heard, error);
    } else if (heard > 0) {
        say_unknown(route, error);
    } else {
        say_why(route, error);
    }
    return RL_ROUTE_FAILED;
}

static int64_t sentinel_look_at(const rl_route *route)
{
    return route->look_at;
}

static size_t sentinel_conns(const rl_route *route, rl_conn **conns)
{
    for (size_t i = 0; i < route->count; i++) {
        conns[i] = route->sentinels[i].conn;
    }
    return route->count;
}

/* A replica is a list of fields, as a master is. Replicas that cannot be told apart by a host are left out. */
static void note_replicas(const redisReply *list, rl_hosts *hosts)
{
    for (size_t i = 0; list->type == REDIS_REPLY_ARRAY && i < list->elements && i < MAX_REPLICAS; i++) {
        rl_destination at;
        if (read_destination(field(list->element[i], "ip"), field(list->element[i], "port"), &at)) {
            rl_hosts_expect(hosts, at.host);
        }
    }
}

/* A sentinel may have answered and gone. If all have, their names are resolved: whoever follows the route later, and resolves
 * none, asks them too. */
static void sentinel_hosts(rl_route *route, rl_hosts *hosts)
{
    size_t known = 0;

    for (size_t i = 0; i < route->count; i++) {
        rl_conn_hosts(route->sentinels[i].conn, hosts);
        known += rl_hosts_find(hosts, rl_conn_endpoint(route->sentinels[i].conn)->host) != NULL;
    }
    for (size_t i = 0; i < route->count && known == 0; i++) {
        rl_hosts_expect(hosts, rl_conn_endpoint(route->sentinels[i].conn)->host);
    }
    if (route->asks_replicas && is_good(&route->replicas)) {
        note_replicas(route->replicas.reply, hosts);
    }
}

const rl_router rl_sentinel_router = {
    .open = sentinel_open,
    .ask = sentinel_ask,
    .look = sentinel_look,
    .look_at = sentinel_look_at,
    .conns = sentinel_conns,
    .hosts = sentinel_hosts,
    .close = sentinel_close,
};

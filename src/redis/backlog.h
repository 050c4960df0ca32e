/* SPDX-License-Identifier: MIT
 *
 * redis/backlog: requests that a server is still to carry out, although it could not be reached or did not answer.
 *
 * Each request is sent again when anybody next uses a connection to the same server: before what the connection is
 * used for, and in the same write. This is repeated over later connections until the server has answered or the
 * request's time is over. So only requests that may be carried out twice, late, or after their answer was lost belong
 * here: releases, which name their token.
 *
 * The requests are listed by server, and a connection knows its server's list. So what is owed to one server costs the
 * calls to another nothing.
 *
 * A backlog belongs to the process that filled it; in a child of that process it is empty.
 */
#ifndef REDISLOCK_REDIS_BACKLOG_H
#define REDISLOCK_REDIS_BACKLOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "redis/endpoint.h"
#include "redis/pipeline.h"
#include "redis/route.h"

#define RL_BACKLOG_MAX     1024 /* requests to all servers; one more displaces one: see rl_backlog_add() */
#define RL_BACKLOG_BUCKETS 256

/* A server is sent no more of them while so many are under way: they delay the request behind them. Fewer of those that
 * are decided: they and the request are to fit into the 16 kB that Redis reads at once, so that a server of several that
 * hangs is no burden (see DETACHED_MANY in redis/connection.c). */
#define RL_BACKLOG_AHEAD         64
#define RL_BACKLOG_DECIDED_AHEAD 16

typedef struct rl_backlog_entry rl_backlog_entry;

/* What is owed to one server. Connections to it hold a reference. */
typedef struct rl_backlog_server rl_backlog_server;

/* Requests in an order. All zero is an empty list. */
typedef struct rl_backlog_list {
    rl_backlog_entry *first, *last;
} rl_backlog_list;

/* All zero is an empty backlog. It must outlive the connections that it was given to. Not for use by two threads. */
typedef struct rl_backlog {
    rl_backlog_server *servers;                    /* to which something is owed, or to which there are connections */
    rl_backlog_list by_age[2];                     /* the oldest first; [1]: those that matter to no outcome any more */
    rl_backlog_entry *buckets[RL_BACKLOG_BUCKETS]; /* the same requests, to be found by what rl_backlog_remove() says */
    size_t count;                                  /* of requests */
    int64_t process;                               /* of the process that added the requests */
} rl_backlog;

/* Returns the server's part of the backlog. The caller holds a reference to it until rl_backlog_leave(), and needs one
 * for each of the functions below. */
rl_backlog_server *rl_backlog_join(rl_backlog *backlog, const rl_endpoint *endpoint);

/* Gives the reference back. What is owed to the server stays. NULL is fine. */
void rl_backlog_leave(rl_backlog_server *server);

/* Under what terms a request is owed. */
typedef struct rl_backlog_terms {
    int64_t until; /* a time of platform_now(), from which on the server has no use for the request any more */
    int64_t keeps; /* µs: if the connection of the carrier ends without an answer, the server may have carried out as
                          late as then what went before it, and has a use for the request for so long from then on */
    /* What it undoes may be under way on another connection, and come behind it: if it finds nothing, it is sent again, as
     * rl_backlog_report() says. */
    bool runs_ahead;
    bool is_decided;   /* a majority of the servers has decided the matter without this one */
    bool may_have_run; /* it was sent before, and its outcome is unknown */
} rl_backlog_terms;

/* Adds a copy of the request, in place of one that is the same by the rules of rl_backlog_remove(). `carrier` is a
 * detached call to that server, under way or about to be submitted, which does what the request asks for; NULL: there is
 * none. The request is sent only if the carrier ends without an answer.
 *
 * If the backlog is full, the oldest request that is decided makes room. If none is, a request that is decided is not
 * added, and any other one displaces the oldest. */
void rl_backlog_add(rl_backlog_server *server, const rl_request *request, const rl_backlog_terms *terms,
                    rl_call *carrier);

/* Removes the request that is to be sent to the same server, calls the same script, and has the same first key (the
 * lock) and the same first argument behind the keys (the token). If it is under way, that goes on. Returns whether
 * there was such a request and it has certainly done nothing so far. */
bool rl_backlog_remove(rl_backlog_server *server, const rl_request *request);

/* Returns until when such a request is owed to the server; 0: it is not, or is not sent again. For tests. */
int64_t rl_backlog_until(const rl_backlog_server *server, const rl_request *request);

/* May a request whose first key is this one be sent now? `ran_at`: the server where it has run ahead last,
 * see rl_backlog_report(); NULL: it has not. */
typedef bool (*rl_backlog_fits)(const void *arg, rl_bytes key, const rl_destination *ran_at);

/* Returns the next request that is to be sent to the server and fits (NULL: any does), as a detached call; NULL if there is
 * none, or if as many are under way as may be. The call belongs to the pipeline that it is put into, and its end must be
 * reported by rl_backlog_report(). */
rl_call *rl_backlog_next(rl_backlog_server *server, rl_backlog_fits fits, const void *arg);

/* Reports the outcome of a detached call: its `error`, and its `reply`, which is NULL if the server did not answer. `at`: that
 * server, if others may take over from it; NULL: none do.
 *
 * If what it owes may still be carried out (see rl_error_leaves_open()), that is sent again. So is what may have run ahead, if
 * it found nothing: once more; or, with `at`, whenever another server has the lock by then, or its slot moves. Otherwise a
 * request that takes the lock late at that server is undone there, by what stands right behind it on its connection.
 *
 * If it found nothing to do, which is a reply of 0, although it cannot have run before, it is not sent again, but kept, so that
 * rl_backlog_remove() can report that it has done nothing; unless it is decided. Otherwise it is removed. Does nothing if the
 * call owes nothing. */
void rl_backlog_report(rl_call *call, const rl_destination *at);

/* Frees all requests. The backlog is empty then. */
void rl_backlog_free(rl_backlog *backlog);

#endif

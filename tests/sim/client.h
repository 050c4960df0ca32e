/* SPDX-License-Identifier: MIT
 *
 * client: a process that uses the core as the extension does: with a pool, a table of the locks that it holds, and the
 * releases that it owes.
 */
#ifndef SIM_CLIENT_H
#define SIM_CLIENT_H

#include "cache/cache.h"
#include "lock/owner.h"
#include "lock/enter.h"
#include "lock/pass.h"
#include "lock/renewal.h"
#include "lock/renewer.h"
#include "lock_core.h"
#include "machine.h"
#include "plan.h"
#include "queue/queue.h"

/* Locks that stand for themselves, then those under which the values are built. */
#define LOCKS (2 * NAMES)

#define PREFIX            "s:"
#define PASSWORD          "secret"
#define SENTINEL_PASSWORD "watched"               /* of the sentinels */
#define SAME_TOKEN        "own:same"              /* which all clients bring */
#define TOKEN_ROOM        (LOCK_BUILDER_ROOM + 1) /* of any token, with a NUL */
#define MAX_TASKS_HELD    4
#define LINES             (1 + 2 * MAX_MACHINES)

typedef struct sim_notice sim_notice; /* see notice.h */

typedef struct held_lock {
    bool there;
    lock_lease lease;
    lock_renewal *renewal; /* NULL: it is neither renewed nor watched */
    sim_notice *notice;    /* the notices of that; NULL: there is none */
    bool renews;           /* the lease is to be renewed */
    bool hears;            /* the holder is to be told of a loss */
    int64_t hold_until;    /* from then on it is no longer renewed */
    int64_t told;          /* `sent` of the lease of whose loss the holder was told */
} held_lock;

typedef struct held_task {
    bool there;
    int name;
    char id[32];
    char receipt[QUEUE_RECEIPT];
    double score;
    int64_t attempts;
} held_task;

/* Behind sentinels: a token of which the client owes the release, and that the master keeps. */
typedef struct owed_token {
    char token[TOKEN_ROOM]; /* "": none */
    int spoken;             /* in how many operations since then has it spoken to the master? */
} owed_token;

/* In how many parts slots are told apart: those in use have parts of their own. */
#define TOLD_TO_ASK 128

/* How often ASK was the answer about a slot. */
typedef struct told_to_ask {
    int64_t since; /* true time at which the move began in which it was */
    int count;
    int astray;      /* how often it has asked that node all the same without ASKING, over one connection */
    int astray_over; /* and which */
} told_to_ask;

/* What a client held when it was killed, and others are to take over. */
typedef struct orphan {
    char token[TOKEN_ROOM]; /* "": nothing, or it is over by now */
    int64_t at;             /* true time */
} orphan;

typedef struct sim_client {
    sim_process process;
    const sim_plan *plan;
    rl_endpoint endpoints[MAX_SERVERS];
    rl_pool pool;
    rl_backlog backlog;
    rl_traffic traffic;
    lock_stats stats;
    lock_extensions extensions;
    int line;                  /* in which it stands on its machine, see plan_line() */
    lock_local *local;         /* the line of its machine; NULL: it takes no part in one */
    int64_t turn_until[LOCKS]; /* true time at which an operation about the lock ended last; 0: none has */
    /* True time from which on the last of its processes is gone that had to do with the lock there, and was killed or whose
     * child has taken its part; 0: none is. And how many are. */
    int64_t gone_at[LOCKS];
    int gone_count[LOCKS];
    orphan orphans[LOCKS];
    int64_t failed_at;     /* true time at which it failed to get a lock last; 0: it has not */
    int64_t lined_up;      /* the order in which its operation has come to that line; 0: it has not */
    lock_renewer *renewer; /* NULL: the client renews no lease in this history */
    lock_renewal_stats renewals;
    int guests;              /* others that end a renewal of this client, or its turn */
    unsigned turns_ending;   /* one bit for each lock: a guest ends its turn there */
    bool has_notice;         /* there may be one */
    sim_task *napper;        /* what an interrupt wakes; NULL: the client does not sleep */
    int reminded;            /* the lock whose renewal interrupts again for all notices that were put off; -1: none */
    int64_t listened_at;     /* true time at which it looked for notices last */
    int64_t held_back_until; /* true time at which something ends that no notice may interrupt */
    bool looks;              /* at its notices and leases, and nobody may end a renewal of it meanwhile */
    queue_caller caller;
    lock_client lock;
    queue_client queue;
    held_lock held[LOCKS];
    const char *carried; /* the token of a lock that it has taken out of `held`, and is not done with; NULL: none */
    held_lock parents[LOCKS]; /* what the parent of this child goes on believing */
    held_task tasks[MAX_TASKS_HELD];
    bool ends; /* gives back what it still has */
    bool done; /* has ended by itself, or was killed */
    bool owed; /* it ended while it owed releases */
    owed_token owed_tokens[LOCKS];
    int64_t unanswered[LOCKS]; /* true time at which its last operation on the lock that had no answer ended; 0: none */
    int64_t told_before;       /* true time at which its last operation began */
    int64_t told_by[MAX_NODES]; /* when the one began in which it read last that a node is a replica; 0: it has not */
    told_to_ask told_to_ask[2][TOLD_TO_ASK]; /* the process, and its thread */
    unsigned has_asked_for;                  /* set of locks of which a server has told it something since then */
    unsigned has_spoken; /* set of masters that have run something for it since its last operation began */

    /* The operation under way. */
    const sim_op *op;                 /* NULL: none */
    int64_t began;                    /* true time */
    int64_t held_up;                  /* process.held_up when it began */
    int64_t part_began, part_held_up; /* the same of its part that is under way */
    int64_t waits_since; /* true time since when it waits in Redis' line, or asks for its own; 0: it does not yet */
    int64_t ends_by;     /* by then it has heard that another one of its line has failed; 0: none has */
    int64_t looked_at;   /* when the server last ran an acquire or a look of it */
    int64_t back_at;     /* when it ran the first one behind the end of an owner */
    uint64_t blocked;    /* the order in which it was blocked by a BLPOP of this operation; 0: not yet */
    int64_t passed_since[LINES];  /* true time at which one of that line first renamed the lock since; 0: none has */
    bool is_served;               /* a server has given it the lock since then */
    const sim_socket *blocked_on; /* on which a BLPOP of this operation was blocked last; NULL: none was */
    int64_t woken_at;             /* true time at which a value was stored that it was blocked for; 0: none was */
    bool in_line;                 /* a script has entered it among the waiters in this operation */
    int64_t asked_apart;          /* true time at which it asked a node last that is not the master; 0: it has not */
    int64_t took_at;              /* true time at which a server last ran its queue_take */
    int64_t take;                 /* the number of that among all that were run */
    bool forked;                  /* PHP code that ran during the operation has forked */
} sim_client;

extern sim_client sim_clients[MAX_CLIENTS]; /* as many as the plan has */

/* How long an answer to a renewal is waited for, as in src/php/redislock/hold.c. */
#define ANSWER_TIME (100 * MSEC)

/* Which lock an operation is about. */
int op_lock(const sim_op *op);

/* Does the client ask for this lock, and for nothing else, by the operation that is under way? */
bool client_asks_for(const sim_client *client, int lock);

/* The name of a lock, as the caller passes it: "A", or "vA" if it is that of a value. */
const char *lock_text(int lock);

/* The lease as its holder knows it at this moment. */
lock_lease held_lease(const held_lock *held);

/* Sets a client up and starts it. */
void client_start(sim_client *client, const sim_plan *plan, int index);

/* Frees what a client has left. */
void client_free(sim_client *client);

#endif

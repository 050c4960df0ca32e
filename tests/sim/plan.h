/* SPDX-License-Identifier: MIT
 *
 * plan: what a history is to be about: the clients' operations, the faults, and the settings. Drawn from a seed. A plan
 * is a list that can be cut down, operation by operation and fault by fault, to find the shortest one that still fails.
 */
#ifndef SIM_PLAN_H
#define SIM_PLAN_H

#include "net.h"

#define MAX_CLIENTS 8
#define MAX_OPS     48
#define MAX_FAULTS  8
#define NAMES       3 /* of locks, of values and of queues, each */

typedef enum op_kind {
    OP_SLEEP,
    OP_LOCK,
    OP_UNLOCK,
    OP_EXTEND,
    OP_IS_LOCKING,
    OP_WAITERS,
    OP_FORCE,  /* forceUnlock() */
    OP_ATTACH, /* detach() in another client, attach() here; with a count of 2, the other one goes on to hold it */
    OP_LOCK_ALL,
    OP_UNLOCK_ALL,
    OP_FORK,
    OP_FOREIGN, /* a client of another kind takes the lock by SET NX PX, and deletes it when `span` is over, if it may; with a
                 * count of 2 it only deletes the lock */
    OP_ENQUEUE,
    OP_ENTER_AGAIN, /* enqueue() of an id that was entered before; with a count of 1 it replaces it */
    OP_POP,
    OP_RESERVE,
    OP_ACK,
    OP_RELEASE_TASK,
    OP_TOUCH,
    OP_PUT_BACK,
    OP_DEQUEUE,
    OP_REQUEUE,
    OP_LOOK_AT_QUEUE, /* stats(), top() and dead() */
    OP_REMEMBER,
    OP_FORGET,
    OP_KINDS
} op_kind;

extern const char *const op_names[OP_KINDS];

typedef struct sim_op {
    op_kind kind;
    int client;
    int name;         /* 0 to NAMES - 1 */
    int64_t think;    /* µs before it */
    int64_t timeout;  /* µs */
    int64_t lease;    /* µs; of a task: for how long it is reserved */
    int64_t span;     /* µs: how long something else takes */
    int64_t fresh;    /* µs: how long a value that is built is fresh; 0: for long */
    bool cannot_read; /* a value that is there, so that it forgets that one */
    int count;        /* of a sleep: 2 if the client is killed at its end */
    bool own_token;   /* the caller brings the token */
    bool same_token;  /* which is the same for all clients, so that one takes the lock again under it; never drawn */
    bool odd_token;   /* and it is "rl:nobody", which looks like one of ours */
    bool renew;       /* the lease is renewed in the background */
    bool hears;       /* its holder is told when it is lost, or nearly over */
    int64_t max_hold; /* µs for which it is renewed; 0: without end */
    bool off;         /* left out */
} sim_op;

/* What two kinds of clients of one machine may differ by, who want the same locks. */
#define KIND_FENCES  1 /* one of them has fencing tokens */
#define KIND_WAITS   2 /* the others have the longer read_timeout */
#define KIND_IS_FROM 4 /* the others are in another container */

typedef struct sim_plan {
    uint64_t seed;
    int servers, clients;
    int replicas, sentinels; /* of a single server that clients find by sentinels; 0: they know where it is */
    int masters;             /* the server is a cluster of so many, each with `replicas`; 0: it is none */
    int machines;            /* whose clients pass locks on to each other: see plan_machine(); 0: none do */
    int64_t plain;           /* a bit for each client that takes no part in that */
    int64_t others;    /* and one for each that is of another kind: they stand in lines of their own, see plan_line() */
    int64_t differ_by; /* in what those differ: KIND_… */
    int64_t takers;    /* and one for each that takes locks over from killed ones that would, too */
    int64_t point_one_in,
        point_most;   /* a client stands still at one in so many points between exchanges: see machine.h */
    int64_t asks_for; /* of these replicas its clients ask for so many to have a lock */
    bool local;       /* unix sockets */
    bool logs_in;     /* with a password, in database 1 */
    bool fencing;
    bool own_key_order; /* servers serve a BLPOP as Redis 7.2 and newer do: see redis_set_own_key_order() */
    bool short_io;      /* now and then a socket takes or gives a part only */
    bool is_clean;      /* no faults and no pauses */
    fault_kind only;    /* the only kind of fault that there is; FAULT_KINDS: any */
    int64_t connect_timeout, read_timeout, node_timeout, retry_interval; /* µs */
    int64_t max_waiters;
    int64_t max_attempts;
    int64_t latency;
    int64_t pause_one_in, pause_most;
    int64_t longest_lease;
    bool owners; /* every second client has a name, which its tokens and ids tell */
    size_t op_count, fault_count;
    sim_op ops[MAX_OPS];
    sim_fault faults[MAX_FAULTS];
} sim_plan;

/* Draws a plan. The same seed gives the same one. With `is_watched`, its server is found by sentinels in any case. The other
 * function draws one whose server is a cluster. */
void plan_draw(sim_plan *plan, uint64_t seed, bool is_watched);
void plan_draw_clustered(sim_plan *plan, uint64_t seed);
/* And one in which clients of a machine pass locks on to each other. */
void plan_draw_local(sim_plan *plan, uint64_t seed);

/* The machine on which the client passes locks on, counted from 1; 0: it does not. */
int plan_machine(const sim_plan *plan, int client);

/* The line of its machine in which it stands, counted from 1: one for each kind of client there; 0: none. */
int plan_line(const sim_plan *plan, int client);

/* What the client differs from others by, which is not of the kind that the plan itself says: a set of KIND_…, or 0. */
int64_t plan_kind(const sim_plan *plan, int client);

#endif

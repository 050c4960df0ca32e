/* SPDX-License-Identifier: MIT
 *
 * plan: see plan.h.
 */
#include "plan.h"

#include <string.h>

#include "machine.h"
#include "platform/platform.h"

const char *const op_names[OP_KINDS] = {
    "sleep",     "lock",     "unlock",  "extend",  "isLocking",         "waiters",  "forceUnlock", "attach", "lockAll",
    "unlockAll", "fork",     "foreign", "enqueue", "enter again",       "pop",      "reserve",     "ack",    "release",
    "touch",     "put back", "dequeue", "requeue", "look at the queue", "remember", "forget"};

/* What the clients of a plan do. */
typedef enum theme {
    THEME_LOCK,
    THEME_CROWD,
    THEME_MANY,
    THEME_REDLOCK,
    THEME_QUEUE,
    THEME_CACHE,
    /* These are directed at what chance alone seldom comes to. */
    THEME_EXTENSIONS, /* a holder extends again and again, and what it sends is late */
    THEME_LOOKOUTS,   /* a lease ends earlier than the waiters know, and some of them leave before */
    THEME_STOPPED,    /* waiters are stopped while they stand in line */
    THEME_REFUSED,    /* a server takes no new connections while clients wait */
    THEME_SIGNALS,    /* waits are interrupted */
    THEME_BARGING,    /* some wait, and some do not */
    THEME_OVERDUE,    /* sections outlive their leases, and the answers to their releases are lost */
    THEME_VANISH,     /* several servers, and a majority of them falls silent while clients wait */
    THEME_TAKEN_AWAY, /* lockAll() waits, and what it has so far is taken away */
    THEME_RENEWALS,   /* lockAll() waits and renews what it has so far, over connections that are reset */
    THEME_SET_BACK,   /* clocks of servers are set back while leases are renewed, and others attach to the locks */
    THEME_HELD,       /* locks are held for longer than their leases, which are renewed in the background */
    THEME_OUTLIVED,   /* clients wait behind a holder, and the master is replaced meanwhile */
    THEME_SERVED,     /* waits are interrupted at the moment at which they are over */
    THEME_HESITANT, /* several servers, and clients that are stopped in the middle of a call with a token of their own */
    THEMES
} theme;

typedef struct drawing {
    sim_plan *plan;
    sim_chance chance;
    int names; /* that are used */
} drawing;

static int64_t between(drawing *d, int64_t from, int64_t to)
{
    return chance_between(&d->chance, from, to);
}

static bool one_in(drawing *d, uint64_t n)
{
    return chance_once_in(&d->chance, n);
}

static int64_t one_of(drawing *d, const int64_t *list, size_t count)
{
    return list[between(d, 0, (int64_t)count - 1)];
}

#define ONE_OF(d, ...)                                                                                                 \
    one_of(d, (const int64_t[]){__VA_ARGS__}, sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t))

static sim_op *add(drawing *d, int client, op_kind kind)
{
    sim_plan *plan = d->plan;
    static sim_op none;

    if (plan->op_count == MAX_OPS) {
        return &none;
    }
    sim_op *op = &plan->ops[plan->op_count++];
    *op = (sim_op){.kind = kind,
                   .client = client,
                   .name = (int)between(d, 0, d->names - 1),
                   .think = one_in(d, 3) ? between(d, 0, 20 * MSEC) : between(d, 0, MSEC),
                   .count = 1};
    return op;
}

static int64_t draw_lease(drawing *d)
{
    return d->plan->is_clean ? 10 * SEC
                             : ONE_OF(d, 30 * MSEC, 100 * MSEC, 100 * MSEC, 300 * MSEC, SEC, 3 * SEC, 10 * SEC);
}

static int64_t draw_timeout(drawing *d)
{
    if (d->plan->is_clean) {
        return ONE_OF(d, 0, 2 * SEC, 5 * SEC, 5 * SEC, 20 * SEC);
    }
    return ONE_OF(d, 0, 0, 5 * MSEC, 50 * MSEC, 200 * MSEC, SEC, 3 * SEC, 3 * SEC, 10 * SEC);
}

/* How long a section takes: mostly less than its lease. */
static int64_t draw_section(drawing *d, int64_t lease)
{
    if (d->plan->is_clean) {
        return between(d, 0, 50 * MSEC);
    }
    return one_in(d, 5) ? between(d, 0, lease + lease / 4) : between(d, 0, lease < SEC ? lease / 2 : 50 * MSEC);
}

/* A lock, what is done under it, and its release. */
static void add_section(drawing *d, int client)
{
    sim_op *op = add(d, client, OP_LOCK);
    int name = op->name;
    int64_t lease = op->lease = draw_lease(d);

    op->timeout = draw_timeout(d);
    op->own_token = one_in(d, 6);
    add(d, client, OP_SLEEP)->span = draw_section(d, lease);
    if (one_in(d, 4)) {
        op = add(d, client, OP_EXTEND);
        op->name = name;
        op->lease = draw_lease(d);
        if (one_in(d, 3)) {
            op = add(d, client, OP_EXTEND);
            op->name = name;
            op->lease = draw_lease(d);
        }
        add(d, client, OP_SLEEP)->span = draw_section(d, op->lease);
    }
    if (!one_in(d, 15)) {
        add(d, client, OP_UNLOCK)->name = name;
        if (!d->plan->is_clean && one_in(d, 8)) {
            add(d, client, OP_UNLOCK)->name = name;
        }
    }
}

/* Something that locks and their holders also meet. */
static void add_odd(drawing *d, int client)
{
    static const op_kind kinds[] = {OP_IS_LOCKING, OP_WAITERS, OP_UNLOCK_ALL, OP_FORK, OP_FOREIGN, OP_FORCE, OP_ATTACH};
    op_kind kind = kinds[between(d, 0, sizeof(kinds) / sizeof(*kinds) - 1)];

    if ((kind == OP_FORCE || kind == OP_FORK || kind == OP_FOREIGN) && (d->plan->is_clean || one_in(d, 2))) {
        kind = OP_IS_LOCKING;
    }
    if (kind == OP_FOREIGN && d->plan->servers > 1) {
        kind = OP_WAITERS;
    }
    sim_op *op = add(d, client, kind);
    op->span = ONE_OF(d, 5 * MSEC, 50 * MSEC, 300 * MSEC);
}

static void add_many(drawing *d, int client)
{
    sim_op *op = add(d, client, OP_LOCK_ALL);

    op->count = (int)between(d, 1, d->names);
    op->timeout = draw_timeout(d);
    op->lease = draw_lease(d);
    int64_t lease = op->lease;
    add(d, client, OP_SLEEP)->span = draw_section(d, lease);
    if (one_in(d, 3)) {
        add(d, client, OP_UNLOCK);
    }
    add(d, client, OP_UNLOCK_ALL);
}

static void add_task(drawing *d, int client)
{
    sim_op *op;
    int name;

    switch (between(d, 0, 9)) {
    case 0:
    case 1:
    case 2:
        op = add(d, client, OP_ENQUEUE);
        op->count = (int)ONE_OF(d, 1, 1, 1, 2, 3);
        op->span = ONE_OF(d, 0, 0, 0, 30 * MSEC, 300 * MSEC, 2 * SEC);
        return;
    case 3:
    case 4:
        op = add(d, client, OP_POP);
        op->count = (int)ONE_OF(d, 1, 1, 3);
        op->timeout = draw_timeout(d);
        return;
    case 5:
    case 6:
    case 7:
        op = add(d, client, OP_RESERVE);
        name = op->name;
        op->count = (int)ONE_OF(d, 1, 1, 3);
        op->timeout = draw_timeout(d);
        op->lease = ONE_OF(d, 30 * MSEC, 300 * MSEC, 2 * SEC);
        add(d, client, OP_SLEEP)->span = one_in(d, 3) ? op->lease : between(d, 0, 20 * MSEC);
        op = add(d, client, (op_kind)ONE_OF(d, OP_ACK, OP_ACK, OP_ACK, OP_RELEASE_TASK, OP_TOUCH));
        op->span = ONE_OF(d, 0, 30 * MSEC, SEC);
        if (op->kind == OP_TOUCH) {
            add(d, client, OP_ACK);
        } else if (op->kind == OP_RELEASE_TASK) {
            op = add(d, client, OP_ENTER_AGAIN); /* by now it may be dead */
            op->name = name;
            op->count = (int)between(d, 0, 1);
        }
        return;
    default:
        op = add(
            d, client,
            (op_kind)ONE_OF(d, OP_PUT_BACK, OP_DEQUEUE, OP_REQUEUE, OP_LOOK_AT_QUEUE, OP_ENTER_AGAIN, OP_ENTER_AGAIN));
        op->count = (int)between(d, 0, 1);
        return;
    }
}

static void add_value(drawing *d, int client)
{
    if (one_in(d, 4)) {
        add(d, client, OP_FORGET);
        return;
    }
    sim_op *op = add(d, client, OP_REMEMBER);
    op->timeout = draw_timeout(d);
    op->lease = draw_lease(d);
    op->span = draw_section(d, op->lease);
    op->count = (int)ONE_OF(d, 0, 0, 0, 1, 2); /* 1: others may get a value past its end; 2: it is kept elsewhere */
}

/* Takes the lock, extends it over and over, and keeps it for a while. */
static void add_extensions(drawing *d, int client)
{
    sim_op *op = add(d, client, OP_LOCK);
    int name = op->name;

    op->timeout = 10 * SEC;
    op->lease = ONE_OF(d, SEC, 3 * SEC);
    for (int64_t left = between(d, 2, 4); left > 0; left--) {
        op = add(d, client, OP_EXTEND);
        op->name = name;
        op->lease = ONE_OF(d, 100 * MSEC, 300 * MSEC, 3 * SEC, 10 * SEC);
    }
    add(d, client, OP_SLEEP)->span = between(d, 0, 900 * MSEC);
    add(d, client, OP_UNLOCK)->name = name;
}

/* One client holds the lock for long and lets it go without a word. Another one waits with patience, the others come
 * and go. */
static void add_lookouts(drawing *d, int client)
{
    sim_op *op = add(d, client, OP_LOCK);

    op->lease = 10 * SEC;
    if (client == 0) {
        op->timeout = 20 * SEC;
        add(d, client, OP_SLEEP)->span = between(d, 800 * MSEC, 4 * SEC);
        add(d, client, OP_EXTEND)->lease = ONE_OF(d, 20 * MSEC, 100 * MSEC);
        add(d, client, OP_SLEEP)->span = 2 * SEC;
        return;
    }
    op->think = between(d, 0, 30 * MSEC);
    op->timeout = client == 1 ? 20 * SEC : between(d, 300 * MSEC, 1200 * MSEC);
    add(d, client, OP_UNLOCK);
}

/* Short sections behind a wait. */
static void add_waits(drawing *d, int client, bool some_do_not)
{
    sim_op *op = add(d, client, OP_LOCK);

    op->timeout = some_do_not && one_in(d, 2) ? 0 : 10 * SEC;
    op->lease = 10 * SEC;
    op->think = between(d, 0, 3 * MSEC);
    add(d, client, OP_SLEEP)->span = between(d, 0, some_do_not ? 3 * MSEC : 300 * MSEC);
    add(d, client, OP_UNLOCK);
}

/* A section under a token of the caller's. */
static void add_hesitant(drawing *d, int client)
{
    sim_op *op = add(d, client, OP_LOCK);

    op->own_token = true;
    op->timeout = ONE_OF(d, 0, 200 * MSEC);
    op->lease = ONE_OF(d, 3 * SEC, 10 * SEC);
    add(d, client, OP_SLEEP)->span = between(d, 0, 300 * MSEC);
    add(d, client, OP_UNLOCK);
}

/* Waits of a second or so behind a holder that stays. */
static void add_vanishing(drawing *d, int client)
{
    sim_op *op;

    if (client > 0 && one_in(d, 2)) {
        op = add(d, client, OP_LOCK_ALL);
        op->name = 0;
        op->count = 2;
    } else {
        op = add(d, client, OP_LOCK);
    }
    op->timeout = client == 0 ? 0 : between(d, 800 * MSEC, 2 * SEC);
    op->lease = 10 * SEC;
    add(d, client, OP_SLEEP)->span = client == 0 ? between(d, SEC, 3 * SEC) : between(d, 0, 30 * MSEC);
    add(d, client, OP_UNLOCK_ALL);
}

/* A section that outlives its lease. */
static void add_overdue(drawing *d, int client)
{
    sim_op *op = add(d, client, OP_LOCK);

    op->timeout = ONE_OF(d, 0, SEC);
    op->lease = ONE_OF(d, 30 * MSEC, 60 * MSEC);
    add(d, client, OP_SLEEP)->span = op->lease + between(d, 0, 40 * MSEC);
    add(d, client, OP_UNLOCK);
}

/* Holds the last of the locks for some time, so that lockAll() has to wait for it. */
static void add_holder_of_the_last(drawing *d, int client, int64_t least, int64_t most)
{
    sim_op *op = add(d, client, OP_LOCK);

    op->name = 2;
    op->lease = 10 * SEC;
    add(d, client, OP_SLEEP)->span = between(d, least, most);
    add(d, client, OP_UNLOCK)->name = 2;
}

/* lockAll() waits for the last of its locks, while another client forces the others. */
static void add_taken_away(drawing *d, int client)
{
    sim_op *op;

    if (client == 0) {
        add_holder_of_the_last(d, client, 50 * MSEC, 400 * MSEC);
    } else if (client == 1) {
        op = add(d, client, OP_FORCE);
        op->name = (int)between(d, 0, 1);
        op->think = between(d, 0, 300 * MSEC);
    } else {
        op = add(d, client, OP_LOCK_ALL);
        op->name = 0;
        op->count = 3;
        op->timeout = 10 * SEC;
        op->lease = ONE_OF(d, 3 * SEC, 10 * SEC);
        add(d, client, OP_SLEEP)->span = between(d, 0, 30 * MSEC);
        add(d, client, OP_UNLOCK_ALL);
    }
}

/* lockAll() waits for the last of its locks, and extends the first ones as soon as it has all. */
static void add_renewals(drawing *d, int client)
{
    sim_op *op;

    if (client == 0) {
        add_holder_of_the_last(d, client, 150 * MSEC, 900 * MSEC);
        return;
    }
    op = add(d, client, OP_LOCK_ALL);
    op->name = 0;
    op->count = 3;
    op->timeout = 10 * SEC;
    op->lease = ONE_OF(d, 300 * MSEC, SEC);
    op = add(d, client, OP_EXTEND);
    op->name = (int)between(d, 0, 1);
    op->lease = ONE_OF(d, 3 * SEC, 10 * SEC);
    add(d, client, OP_SLEEP)->span = between(d, 0, 900 * MSEC);
    add(d, client, OP_UNLOCK_ALL);
}

/* Draws the lease of a lock that is renewed, and for how long that may be. */
static int64_t draw_renewed(drawing *d, sim_op *op)
{
    op->renew = !one_in(d, 6);
    op->lease = ONE_OF(d, 30 * MSEC, 60 * MSEC, 100 * MSEC, 300 * MSEC, 300 * MSEC, SEC);
    op->max_hold = one_in(d, 8) ? between(d, 10 * MSEC, 4 * op->lease) : 0;
    return op->lease;
}

/* For how long a lock is held that is renewed: mostly for more than its lease. */
static int64_t draw_hold(drawing *d, int64_t lease)
{
    return one_in(d, 3) ? between(d, 0, lease) : between(d, lease, platform_earlier(6 * lease, lease + 2 * SEC));
}

/* Something that a holder does before it releases the lock, or that another one does to it. */
static void add_in_between(drawing *d, int client, int name)
{
    static const op_kind kinds[] = {OP_EXTEND, OP_EXTEND, OP_IS_LOCKING, OP_LOCK, OP_WAITERS, OP_FORCE, OP_ATTACH};
    op_kind kind = kinds[between(d, 0, sizeof(kinds) / sizeof(*kinds) - 1)];

    if (kind == OP_FORCE && d->plan->is_clean) {
        kind = OP_EXTEND;
    }
    sim_op *op = add(d, client, kind);
    if (kind != OP_FORCE && kind != OP_ATTACH) {
        op->name = name;
    }
    int64_t lease = draw_renewed(d, op);
    add(d, client, OP_SLEEP)->span = draw_hold(d, lease);
}

/* Holds one lock or all, which are renewed, and does this and that meanwhile. */
static void add_held(drawing *d, int client)
{
    bool many = one_in(d, 5);
    sim_op *op = add(d, client, many ? OP_LOCK_ALL : one_in(d, 8) && d->plan->servers == 1 ? OP_REMEMBER : OP_LOCK);
    int name = op->name;
    int64_t lease = draw_renewed(d, op);

    op->timeout = ONE_OF(d, 0, 200 * MSEC, 3 * SEC, 10 * SEC);
    op->count = many ? (int)between(d, 1, d->names) : 1;
    if (op->kind == OP_REMEMBER) {
        op->count = 0;
        op->span = draw_hold(d, lease);
        return;
    }
    add(d, client, OP_SLEEP)->span = draw_hold(d, lease);
    if (one_in(d, 2)) {
        add_in_between(d, client, name);
    }
    if (!one_in(d, 15)) {
        add(d, client, many ? OP_UNLOCK_ALL : OP_UNLOCK)->name = name;
    }
}

/* A holder, and clients that wait with patience. */
static void add_outlived(drawing *d, int client)
{
    sim_op *op = add(d, client, OP_LOCK);

    op->timeout = 20 * SEC;
    op->lease = ONE_OF(d, 100 * MSEC, SEC, 10 * SEC, 10 * SEC);
    op->own_token = one_in(d, 4);
    add(d, client, OP_SLEEP)->span = client == 0    ? between(d, 100 * MSEC, 6 * SEC)
                                     : one_in(d, 4) ? op->lease + between(d, 0, 20 * MSEC)
                                                    : between(d, 0, 300 * MSEC);
    add(d, client, OP_UNLOCK);
}

/* Holds a lock that is renewed; or attaches to it, counts on the lease that it finds, and asks for longer ones. */
static void add_set_back(drawing *d, int client)
{
    sim_op *op;

    if (client == 0 || one_in(d, 4)) {
        op = add(d, client, OP_LOCK);
        op->timeout = ONE_OF(d, 0, SEC);
        op->lease = ONE_OF(d, 100 * MSEC, 300 * MSEC, SEC);
        op->renew = true;
        add(d, client, OP_SLEEP)->span = between(d, 2 * op->lease, 8 * op->lease);
        if (!one_in(d, 3)) {
            add(d, client, OP_UNLOCK);
        }
        return;
    }
    add(d, client, OP_SLEEP)->span = between(d, 0, SEC);
    op = add(d, client, OP_ATTACH);
    op->count = one_in(d, 3) ? 1 : 2;
    for (int64_t left = between(d, 0, 2); left > 0; left--) {
        add(d, client, OP_SLEEP)->span = between(d, 0, 400 * MSEC);
        add(d, client, OP_EXTEND)->lease = ONE_OF(d, SEC, 3 * SEC, 10 * SEC);
    }
    add(d, client, OP_SLEEP)->span = between(d, 0, 2 * SEC);
}

/* Returns whether the theme is a directed one, after adding its operations. */
static bool add_directed(drawing *d, theme about, int client)
{
    switch (about) {
    case THEME_EXTENSIONS:
        add_extensions(d, client);
        return true;
    case THEME_LOOKOUTS:
        add_lookouts(d, client);
        return true;
    case THEME_SIGNALS:
        if (one_in(d, 2)) {
            add_many(d, client);
            return true;
        }
        add_waits(d, client, false);
        return true;
    case THEME_VANISH:
        add_vanishing(d, client);
        return true;
    case THEME_OVERDUE:
        add_overdue(d, client);
        return true;
    case THEME_HESITANT:
        add_hesitant(d, client);
        return true;
    case THEME_SERVED:
    case THEME_STOPPED:
    case THEME_REFUSED:
    case THEME_BARGING:
        add_waits(d, client, about == THEME_BARGING);
        return true;
    case THEME_TAKEN_AWAY:
        add_taken_away(d, client);
        return true;
    case THEME_RENEWALS:
        add_renewals(d, client);
        return true;
    case THEME_SET_BACK:
        add_set_back(d, client);
        return true;
    case THEME_HELD:
        add_held(d, client);
        return true;
    case THEME_OUTLIVED:
        add_outlived(d, client);
        return true;
    default:
        return false;
    }
}

static void add_operations(drawing *d, theme about, int client)
{
    if (add_directed(d, about, client)) {
        return;
    }

    if (about == THEME_QUEUE) {
        add_task(d, client);
    } else if (about == THEME_CACHE && !one_in(d, 6)) {
        add_value(d, client);
    } else if (about == THEME_MANY && one_in(d, 2)) {
        add_many(d, client);
    } else if (about == THEME_CROWD && one_in(d, 5)) {
        add(d, client, OP_WAITERS);
    } else if (about != THEME_CROWD && one_in(d, 6)) {
        add_odd(d, client);
    } else {
        add_section(d, client);
    }
}

/* Faults of one kind. */
static void draw_faults_of(drawing *d, fault_kind kind, int64_t count, int64_t span)
{
    sim_plan *plan = d->plan;

    for (; count > 0; count--) {
        plan->faults[plan->fault_count++] =
            (sim_fault){.kind = kind, .piece = (uint32_t)between(d, 4, 60), .span = span};
    }
    plan->only = kind;
}

/* A clock is set back, mostly when something is about to be late or lost. */
static void draw_steps(drawing *d)
{
    sim_plan *plan = d->plan;

    for (int64_t left = between(d, 1, 3); left > 0; left--) {
        sim_fault *step = &plan->faults[plan->fault_count++];
        *step = (sim_fault){.kind = FAULT_SET_BACK,
                            .piece = (uint32_t)between(d, 4, 100),
                            .span = ONE_OF(d, 50 * MSEC, 2 * SEC, 20 * SEC, 20 * SEC)};
        if (!one_in(d, 3)) {
            plan->faults[plan->fault_count++] = (sim_fault){.kind = one_in(d, 3) ? FAULT_LOSE : FAULT_HOLD,
                                                            .piece = step->piece + (uint32_t)between(d, 1, 6),
                                                            .span = ONE_OF(d, 50 * MSEC, 400 * MSEC)};
        }
    }
}

/* Returns whether the theme is a directed one, after drawing its faults. */
static bool draw_directed_faults(drawing *d, theme about)
{
    const sim_plan *plan = d->plan;

    switch (about) {
    case THEME_EXTENSIONS:
        draw_faults_of(d, one_in(d, 4) ? FAULT_ISOLATE : FAULT_HOLD, between(d, 1, 4),
                       ONE_OF(d, 300 * MSEC, 700 * MSEC));
        return true;
    case THEME_RENEWALS:
        draw_faults_of(d, FAULT_RESET, between(d, 1, 4), ONE_OF(d, 300 * MSEC, 700 * MSEC, 1200 * MSEC));
        return true;
    case THEME_STOPPED:
        draw_faults_of(d, FAULT_STOP_CLIENT, between(d, 1, 4), 10 * SEC);
        return true;
    case THEME_REFUSED:
        draw_faults_of(d, FAULT_CROWD, 1, ONE_OF(d, 400 * MSEC, 1200 * MSEC, 2500 * MSEC));
        return true;
    case THEME_VANISH:
        draw_faults_of(d, FAULT_ISOLATE, between(d, 2, 4), 6 * SEC);
        return true;
    case THEME_OVERDUE:
        draw_faults_of(d, FAULT_LOSE, between(d, 1, 4), 1);
        return true;
    case THEME_SIGNALS:
        draw_faults_of(d, FAULT_SIGNAL, between(d, 1, 4), 1);
        return true;
    case THEME_SERVED:
        draw_faults_of(d, FAULT_SIGNAL, 4, 1);
        return true;
    case THEME_SET_BACK:
        draw_steps(d);
        return true;
    case THEME_HELD:
        if (plan->pause_one_in == 0 && one_in(d, 2)) {
            draw_faults_of(d, one_in(d, 4) ? FAULT_LOSE : FAULT_HOLD, one_in(d, 3) ? 2 : 1,
                           ONE_OF(d, 400 * MSEC, 1200 * MSEC));
            return true;
        }
        return false;
    default:
        return about >= THEME_EXTENSIONS;
    }
}

static void draw_faults(drawing *d, theme about)
{
    sim_plan *plan = d->plan;

    if (draw_directed_faults(d, about)) {
        return;
    }
    size_t count = (size_t)ONE_OF(d, 1, 1, 2, 3, 5);

    for (size_t i = 0; i < count; i++) {
        sim_fault *fault = &plan->faults[plan->fault_count++];
        fault->kind = (fault_kind)between(d, 0, one_in(d, 3) ? FAULT_CROWD : FAULT_KILL_CLIENT);
        if (fault->kind == FAULT_WIPE && !one_in(d, 4)) {
            fault->kind = FAULT_LOSE;
        }
        if (fault->kind == FAULT_DENY && about == THEME_QUEUE) {
            fault->kind = FAULT_LOSE;
        }
        fault->piece = (uint32_t)between(d, 1, one_in(d, 3) ? 120 : 40);
        fault->span = ONE_OF(d, 2 * MSEC, 20 * MSEC, 110 * MSEC, 400 * MSEC, 1200 * MSEC, 4 * SEC);
    }
}

static void draw_settings(drawing *d, theme about)
{
    sim_plan *plan = d->plan;

    plan->is_clean = one_in(d, 8) || about == THEME_LOOKOUTS || about == THEME_BARGING || about == THEME_TAKEN_AWAY;
    plan->only = FAULT_KINDS;
    plan->servers = about == THEME_VANISH ? 3 : about == THEME_REDLOCK ? (int)ONE_OF(d, 3, 3, 3, 5, 2) : 1;
    if (about == THEME_MANY && one_in(d, 3)) {
        plan->servers = 3;
    }
    plan->clients = about == THEME_RENEWALS                             ? 2
                    : about == THEME_HELD                               ? (int)ONE_OF(d, 2, 3, 4)
                    : about == THEME_SET_BACK                           ? 2
                    : about == THEME_CROWD || about >= THEME_EXTENSIONS ? 5
                                                                        : (int)ONE_OF(d, 2, 3, 4, 4);
    plan->local = one_in(d, 4);
    plan->logs_in = one_in(d, 8);
    plan->fencing = one_in(d, 3);
    plan->own_key_order = one_in(d, 2);
    plan->connect_timeout = ONE_OF(d, 100 * MSEC, 500 * MSEC, 2 * SEC);
    plan->read_timeout = ONE_OF(d, 50 * MSEC, 100 * MSEC, 500 * MSEC, 2 * SEC);
    plan->node_timeout = ONE_OF(d, 10 * MSEC, 50 * MSEC, 100 * MSEC);
    plan->retry_interval = ONE_OF(d, 50 * MSEC, 200 * MSEC);
    plan->max_waiters = one_in(d, about == THEME_CROWD ? 3 : 10) ? between(d, 1, 2) : 0;
    plan->max_attempts = one_in(d, 3) ? between(d, 1, 3) : 0;
    plan->latency = ONE_OF(d, 100, 500, 2 * MSEC);
    plan->is_clean &= about != THEME_EXTENSIONS && about != THEME_RENEWALS && about != THEME_HESITANT;
    if (about == THEME_HELD && one_in(d, 4)) {
        plan->servers = 3;
    }
    if (about == THEME_SET_BACK) {
        plan->is_clean = false;
        plan->servers = (int)ONE_OF(d, 1, 1, 3, 5);
    }
    if (about == THEME_HESITANT) {
        plan->servers = 3;
        plan->clients = 2;
    }
    if (about == THEME_EXTENSIONS) {
        plan->connect_timeout = plan->read_timeout = 50 * MSEC;
        plan->servers = one_in(d, 4) ? 3 : 1;
    } else if (plan->is_clean || (about > THEME_EXTENSIONS && about != THEME_HELD)) {
        plan->latency = about == THEME_BARGING ? ONE_OF(d, 200, 3 * MSEC) : 200;
        plan->connect_timeout = plan->read_timeout = 2 * SEC;
        plan->max_waiters = 0;
    } else if (one_in(d, 2)) {
        plan->pause_one_in = ONE_OF(d, 50, 200, 1000);
        plan->pause_most = ONE_OF(d, 2 * MSEC, 30 * MSEC, 500 * MSEC);
    }
    if (about == THEME_HESITANT) {
        plan->pause_one_in = ONE_OF(d, 20, 50, 200);
        plan->pause_most = 500 * MSEC;
    }
}

/* How many names are used. */
static int names_of(drawing *d, theme about)
{
    if (about == THEME_MANY || about == THEME_SIGNALS || about == THEME_RENEWALS) {
        return 3;
    }
    if (about == THEME_VANISH) {
        return 2;
    }
    if (about == THEME_HELD) {
        return (int)ONE_OF(d, 1, 1, 2, 3);
    }
    return about == THEME_CROWD || about >= THEME_EXTENSIONS ? 1 : (int)ONE_OF(d, 1, 1, 2);
}

/* Lets some of the locks of a plan be renewed, and some be held for longer. */
static void draw_renewing(drawing *d)
{
    sim_plan *plan = d->plan;

    for (size_t i = 0; i < plan->op_count; i++) {
        sim_op *op = &plan->ops[i];
        if (op->kind == OP_LOCK || op->kind == OP_LOCK_ALL || op->kind == OP_REMEMBER || op->kind == OP_ATTACH) {
            op->renew = !one_in(d, 3);
            op->lease = op->kind == OP_ATTACH ? draw_lease(d) : op->lease;
        } else if (op->kind == OP_SLEEP && one_in(d, 3)) {
            op->span = platform_earlier(between(d, 1, 5) * op->span, platform_later(op->span, 3 * SEC));
        }
    }
}

static void draw_plan(drawing *d, theme about)
{
    sim_plan *plan = d->plan;

    draw_settings(d, about);
    d->names = names_of(d, about);
    /* Once round: those who have left do not come again. */
    size_t enough = about == THEME_LOOKOUTS ? 12 : about == THEME_SERVED ? 3 * (size_t)plan->clients : 20;
    for (int next = 0; plan->op_count < enough; next++) {
        bool in_turn =
            about == THEME_LOOKOUTS || about == THEME_TAKEN_AWAY || about == THEME_RENEWALS || about == THEME_SERVED;
        add_operations(d, about, in_turn ? next % plan->clients : (int)between(d, 0, plan->clients - 1));
    }
    if (!plan->is_clean && !one_in(d, 10)) {
        draw_faults(d, about);
        plan->short_io = true;
    }
    for (size_t i = 0; i < plan->op_count && one_in(d, 2); i++) {
        if (plan->ops[i].own_token) {
            plan->ops[i].odd_token = true; /* of one only: a token is unique */
            break;
        }
    }
}

/* Lets some holders be told of losses, also of leases that are not renewed. */
static void draw_hearing(drawing *d)
{
    sim_plan *plan = d->plan;

    for (size_t i = 0; i < plan->op_count; i++) {
        sim_op *op = &plan->ops[i];
        bool keeps = op->kind == OP_LOCK || op->kind == OP_LOCK_ALL || op->kind == OP_REMEMBER || op->kind == OP_ATTACH;
        op->hears = keeps && !one_in(d, 3);
    }
}

/* Draws what was added later, without a change of all that is drawn before: rights that are lost together with a
 * connection, values that are soon over, and values that a reader cannot read. */
static void draw_additions(drawing *d)
{
    sim_plan *plan = d->plan;

    for (size_t i = 0; i < plan->fault_count; i++) {
        if (plan->faults[i].kind == FAULT_DENY && plan->sentinels == 0 && one_in(d, 2)) {
            plan->faults[i].kind = FAULT_REVOKE;
        }
    }
    for (size_t i = 0; i < plan->op_count; i++) {
        sim_op *op = &plan->ops[i];
        if (op->kind == OP_REMEMBER && one_in(d, 2)) {
            op->fresh = ONE_OF(d, 50 * MSEC, 300 * MSEC, SEC, 3 * SEC);
        }
        if (op->kind == OP_DEQUEUE && !plan->is_clean && one_in(d, 2)) {
            op->span = ONE_OF(d, 5 * MSEC, 50 * MSEC, 300 * MSEC);
        }
        op->cannot_read = op->kind == OP_REMEMBER && !plan->is_clean && one_in(d, 8);
    }
}

/* ---- behind sentinels ---- */

/* The kinds of failover that may lose something do not go together with tasks and values, which nobody could judge then. */
static fault_kind draw_failover(drawing *d, theme about)
{
    if (about == THEME_QUEUE || about == THEME_CACHE) {
        return (fault_kind)ONE_OF(d, FAULT_FAILOVER, FAULT_FAILOVER, FAULT_CUT_SENTINEL);
    }
    return (fault_kind)ONE_OF(d, FAULT_FAILOVER, FAULT_FAILOVER, FAULT_DEAD_MASTER, FAULT_DEAD_MASTER,
                              FAULT_SILENT_MASTER, FAULT_SILENT_MASTER, FAULT_SPLIT_BRAIN, FAULT_CUT_SENTINEL);
}

/* What befalls connections and processes besides. */
static fault_kind draw_fault_beside(drawing *d)
{
    return (fault_kind)ONE_OF(d, FAULT_LOSE, FAULT_CUT_BEHIND, FAULT_CUT_WITHIN, FAULT_RESET, FAULT_HOLD,
                              FAULT_PARTITION, FAULT_ISOLATE, FAULT_STOP_CLIENT, FAULT_STOP_SERVER, FAULT_KILL_CLIENT,
                              FAULT_SIGNAL, FAULT_KICK, FAULT_RESTART, FAULT_FORGET, FAULT_LOADING, FAULT_DENY,
                              FAULT_CROWD);
}

static void draw_failovers(drawing *d, theme about)
{
    sim_plan *plan = d->plan;

    for (int64_t left = ONE_OF(d, 1, 1, 2, 3); left > 0; left--) {
        sim_fault *fault = &plan->faults[plan->fault_count++];
        fault->kind = draw_failover(d, about);
        fault->piece = (uint32_t)between(d, 1, one_in(d, 3) ? 500 : 200); /* many are to sentinels */
        fault->span = fault->kind == FAULT_FAILOVER
                          ? ONE_OF(d, 1, 2 * MSEC, 20 * MSEC, 100 * MSEC)
                          : ONE_OF(d, 2 * MSEC, 20 * MSEC, 110 * MSEC, 400 * MSEC, 1200 * MSEC);
    }
    for (int64_t left = one_in(d, 2) ? between(d, 1, 3) : 0; left > 0; left--) {
        plan->faults[plan->fault_count++] =
            (sim_fault){.kind = draw_fault_beside(d),
                        .piece = (uint32_t)between(d, 1, 300),
                        .span = ONE_OF(d, 2 * MSEC, 20 * MSEC, 110 * MSEC, 400 * MSEC, 1200 * MSEC)};
    }
}

/* Waits outlive a failover that takes long. */
static void draw_patience(drawing *d)
{
    sim_plan *plan = d->plan;

    for (size_t i = 0; i < plan->op_count; i++) {
        if (plan->ops[i].timeout > 0 && plan->ops[i].kind != OP_POP && plan->ops[i].kind != OP_RESERVE) {
            plan->ops[i].timeout = 20 * SEC;
        }
    }
    for (size_t i = 0; i < plan->fault_count; i++) {
        if (plan->faults[i].kind == FAULT_DEAD_MASTER || plan->faults[i].kind == FAULT_SILENT_MASTER) {
            plan->faults[i].span = between(d, 10 * SEC, 13 * SEC);
        }
    }
}

/* Turns a plan with one server into one whose server is found by sentinels. */
static void put_behind_sentinels(drawing *d, theme about)
{
    sim_plan *plan = d->plan;

    plan->local = false;
    plan->replicas = (int)ONE_OF(d, 1, 2);
    plan->sentinels = (int)ONE_OF(d, 1, 2, 3, 3, 3);
    plan->fault_count = 0;
    plan->only = FAULT_KINDS;
    if (!plan->is_clean) {
        draw_failovers(d, about);
    }
    if (about == THEME_OUTLIVED && !plan->is_clean && one_in(d, 2)) {
        /* All stand in line by then. */
        plan->faults[0].kind = FAULT_SILENT_MASTER;
        plan->faults[0].piece = (uint32_t)between(d, 80, 200);
        plan->fault_count = 1;
    }
    if (about == THEME_OUTLIVED && !plan->is_clean) {
        plan->connect_timeout = ONE_OF(d, 100 * MSEC, 500 * MSEC);
        plan->read_timeout = ONE_OF(d, 100 * MSEC, 500 * MSEC);
    } else if (one_in(d, 6)) {
        draw_patience(d);
    }
}

/* Of two sentinels, one is cut off when the first connections are made, and nothing else goes wrong. */
static void draw_one_sentinel(drawing *d)
{
    sim_plan *plan = d->plan;

    plan->sentinels = 2;
    plan->fault_count = 1;
    plan->faults[0] = (sim_fault){.kind = FAULT_CUT_SENTINEL, .piece = (uint32_t)between(d, 1, 20), .span = 3 * SEC};
}

/* Has the clients ask for replicas in half of the plans that have some. That is drawn by itself, so that the plans stay what
 * they are. */
static void draw_replicas(sim_plan *plan)
{
    drawing d = {.plan = plan, .chance = {.state = plan->seed ^ UINT64_C(0x94d049bb133111eb)}};

    if (plan->replicas > 0 && one_in(&d, 2)) {
        plan->asks_for = between(&d, 1, plan->replicas);
    }
}

/* In half of the plans clients have names: likewise drawn by itself. */
static void draw_owners(sim_plan *plan)
{
    drawing d = {.plan = plan, .chance = {.state = plan->seed ^ UINT64_C(0xbf58476d1ce4e5b9)}};

    plan->owners = one_in(&d, 2);
}

static void draw_watched(drawing *d)
{
    static const theme themes[] = {THEME_LOCK, THEME_LOCK,  THEME_CROWD, THEME_MANY,     THEME_HELD,
                                   THEME_HELD, THEME_QUEUE, THEME_CACHE, THEME_OUTLIVED, THEME_OUTLIVED};
    theme about = themes[between(d, 0, sizeof(themes) / sizeof(*themes) - 1)];

    do {
        sim_plan *plan = d->plan;
        uint64_t seed = plan->seed;
        memset(plan, 0, sizeof(*plan));
        plan->seed = seed;
        draw_plan(d, about);
    } while (d->plan->servers > 1);
    put_behind_sentinels(d, about);
    if (!d->plan->is_clean && one_in(d, 12)) {
        draw_one_sentinel(d);
    }
    if (about == THEME_HELD) {
        draw_hearing(d);
    }
}

/* The longest of the leases that are asked for. */
static void note_longest_lease(sim_plan *plan)
{
    for (size_t i = 0; i < plan->op_count; i++) {
        plan->longest_lease = platform_later(plan->longest_lease, plan->ops[i].lease);
    }
}

/* How often leases are renewed, clocks set back, servers found by sentinels, and what is rarer than these, is drawn by itself,
 * so that all other plans stay what they are. */
#define RENEWED_ONE_IN  5
#define SET_BACK_ONE_IN 20
#define WATCHED_ONE_IN  8
#define RARE_ONE_IN     40

void plan_draw(sim_plan *plan, uint64_t seed, bool is_watched)
{
    drawing d = {.plan = plan, .chance = {.state = seed}};
    drawing more = {.plan = plan, .chance = {.state = seed ^ UINT64_C(0xa0761d6478bd642f)}};
    drawing clocks = {.plan = plan, .chance = {.state = seed ^ UINT64_C(0xe1ed2fdce053297e)}};
    drawing additions = {.plan = plan, .chance = {.state = seed ^ UINT64_C(0x8ebc6af09c88c6e3)}};
    drawing rare = {.plan = plan, .chance = {.state = seed ^ UINT64_C(0x2127599bf4325c37)}};
    drawing watched = {.plan = plan, .chance = {.state = seed ^ UINT64_C(0xd6e8feb86659fd93)}};
    static const theme themes[] = {THEME_LOCK,     THEME_LOCK,    THEME_LOCK,       THEME_CROWD,   THEME_MANY,
                                   THEME_MANY,     THEME_REDLOCK, THEME_REDLOCK,    THEME_QUEUE,   THEME_QUEUE,
                                   THEME_QUEUE,    THEME_CACHE,   THEME_CACHE,      THEME_CACHE,   THEME_EXTENSIONS,
                                   THEME_LOOKOUTS, THEME_STOPPED, THEME_REFUSED,    THEME_SIGNALS, THEME_BARGING,
                                   THEME_OVERDUE,  THEME_VANISH,  THEME_TAKEN_AWAY, THEME_RENEWALS};
    theme about = themes[between(&d, 0, sizeof(themes) / sizeof(*themes) - 1)];
    bool renews = one_in(&more, RENEWED_ONE_IN), is_held = renews && !one_in(&more, 3);

    memset(plan, 0, sizeof(*plan));
    plan->seed = seed;
    if (one_in(&watched, is_watched ? 1 : WATCHED_ONE_IN)) {
        draw_watched(&watched);
        renews = false;
    } else if (one_in(&rare, RARE_ONE_IN)) {
        draw_plan(&rare, one_in(&rare, 4) ? THEME_HESITANT : THEME_SERVED);
        renews = false;
    } else if (one_in(&clocks, SET_BACK_ONE_IN)) {
        draw_plan(&clocks, THEME_SET_BACK);
        renews = false;
    } else if (is_held) {
        draw_plan(&more, THEME_HELD);
    } else {
        draw_plan(&d, about);
    }
    if (renews && !is_held && about != THEME_QUEUE) {
        draw_renewing(&more);
    }
    if (renews) {
        draw_hearing(&more);
    }
    draw_additions(&additions);
    draw_replicas(plan);
    draw_owners(plan);
    note_longest_lease(plan);
}

/* ---- a cluster ---- */

/* What may lose something does not go together with tasks and values: see draw_failover(). */
static fault_kind draw_cluster_fault(drawing *d, theme about)
{
    bool is_lossless = about == THEME_QUEUE || about == THEME_CACHE;

    if (d->plan->replicas == 0) {
        return (fault_kind)ONE_OF(d, FAULT_MOVE_SLOT, FAULT_OPEN_SLOT);
    }
    if (is_lossless) {
        return (fault_kind)ONE_OF(d, FAULT_MOVE_SLOT, FAULT_OPEN_SLOT, FAULT_FAILOVER);
    }
    return (fault_kind)ONE_OF(d, FAULT_MOVE_SLOT, FAULT_MOVE_SLOT, FAULT_OPEN_SLOT, FAULT_OPEN_SLOT, FAULT_FAILOVER,
                              FAULT_DEAD_MASTER, FAULT_SILENT_MASTER, FAULT_SPLIT_BRAIN);
}

/* What befalls connections, processes and single nodes besides. */
static fault_kind draw_fault_beside_cluster(drawing *d)
{
    return (fault_kind)ONE_OF(d, FAULT_LOSE, FAULT_CUT_BEHIND, FAULT_CUT_WITHIN, FAULT_RESET, FAULT_HOLD,
                              FAULT_PARTITION, FAULT_ISOLATE, FAULT_STOP_CLIENT, FAULT_STOP_SERVER, FAULT_KILL_CLIENT,
                              FAULT_SIGNAL, FAULT_KICK, FAULT_RESTART, FAULT_FORGET, FAULT_LOADING, FAULT_CROWD);
}

static void draw_cluster_faults(drawing *d, theme about)
{
    sim_plan *plan = d->plan;

    for (int64_t left = ONE_OF(d, 1, 2, 3, 4); left > 0; left--) {
        plan->faults[plan->fault_count++] =
            (sim_fault){.kind = draw_cluster_fault(d, about),
                        .piece = (uint32_t)between(d, 1, one_in(d, 3) ? 400 : 120),
                        .span = ONE_OF(d, 2 * MSEC, 20 * MSEC, 110 * MSEC, 400 * MSEC, 1200 * MSEC, 3 * SEC)};
    }
    for (int64_t left = one_in(d, 2) ? between(d, 1, 3) : 0; left > 0; left--) {
        plan->faults[plan->fault_count++] =
            (sim_fault){.kind = draw_fault_beside_cluster(d),
                        .piece = (uint32_t)between(d, 1, 200),
                        .span = ONE_OF(d, 2 * MSEC, 20 * MSEC, 110 * MSEC, 400 * MSEC, 1200 * MSEC)};
    }
}

/* All is quick but for what its faults are. */
static void calm(sim_plan *plan)
{
    plan->pause_one_in = 0;
    plan->short_io = false;
    plan->latency = 200;
    plan->connect_timeout = plan->read_timeout = 2 * SEC;
}

/* Nothing but slots that move. */
static void draw_calm_moves(drawing *d)
{
    sim_plan *plan = d->plan;

    calm(plan);
    for (int64_t left = between(d, 1, 4); left > 0; left--) {
        plan->faults[plan->fault_count++] = (sim_fault){.kind = one_in(d, 2) ? FAULT_MOVE_SLOT : FAULT_OPEN_SLOT,
                                                        .piece = (uint32_t)between(d, 1, 150),
                                                        .span = ONE_OF(d, 20 * MSEC, 400 * MSEC, 1200 * MSEC, 3 * SEC)};
    }
    plan->only = FAULT_MOVE_SLOT;
}

/* The first client takes the lock, and the others stand in line behind it. */
static void add_lock_in_turn(drawing *d, int client)
{
    sim_op *op = add(d, client, OP_LOCK);

    op->think = client == 0 ? 0 : between(d, 5 * MSEC, 50 * MSEC);
    op->timeout = 20 * SEC;
    op->lease = 10 * SEC;
}

/* Some stand in line when the slot of their lock is opened, and nobody wakes them when it is free. */
static void draw_standing(drawing *d)
{
    sim_plan *plan = d->plan;

    draw_calm_moves(d);
    plan->op_count = plan->fault_count = 0;
    plan->fencing = false;
    plan->max_waiters = 0;
    plan->clients = (int)between(d, 2, 3);
    d->names = 1;
    for (int client = 0; client < plan->clients; client++) {
        add_lock_in_turn(d, client);
        add(d, client, OP_SLEEP)->span = client == 0 ? between(d, 200 * MSEC, 2 * SEC) : between(d, 0, 300 * MSEC);
        add(d, client, OP_UNLOCK);
    }
    plan->faults[plan->fault_count++] =
        (sim_fault){.kind = FAULT_OPEN_SLOT, .piece = (uint32_t)between(d, 10, 50), .span = 12 * SEC};
}

/* Locks are held for a moment, their leases are long, and what is said of their releases is lost while their slots are open. */
static void draw_owing(drawing *d)
{
    sim_plan *plan = d->plan;

    plan->op_count = 0;
    plan->pause_one_in = 0;
    plan->latency = ONE_OF(d, 200, 500);
    plan->connect_timeout = plan->read_timeout = ONE_OF(d, 50 * MSEC, 200 * MSEC);
    plan->clients = (int)between(d, 1, 3);
    d->names = 2;
    while (plan->op_count < 36) {
        int client = (int)between(d, 0, plan->clients - 1);
        sim_op *op = add(d, client, OP_LOCK);
        int name = op->name;
        op->timeout = ONE_OF(d, 0, SEC);
        op->lease = 10 * SEC;
        add(d, client, OP_SLEEP)->span = between(d, 0, 30 * MSEC);
        add(d, client, OP_UNLOCK)->name = name;
    }
    for (int64_t left = between(d, 1, 3); left > 0; left--) {
        plan->faults[plan->fault_count++] = (sim_fault){
            .kind = FAULT_OPEN_SLOT, .piece = (uint32_t)between(d, 1, 60), .span = ONE_OF(d, 400 * MSEC, 3 * SEC)};
    }
    for (int64_t left = between(d, 2, 5); left > 0; left--) {
        plan->faults[plan->fault_count++] =
            (sim_fault){.kind = (fault_kind)ONE_OF(d, FAULT_LOSE, FAULT_LOSE, FAULT_CUT_BEHIND, FAULT_KICK, FAULT_HOLD),
                        .piece = (uint32_t)between(d, 20, 200),
                        .span = 400 * MSEC};
    }
}

/* A waiter is killed, and a baton is left for it. When that has expired as the value of the lock, the last holder takes the
 * lock anew, and releases it while its slot is open: the release finds the baton in the list, and the waiter's entry. */
static void draw_left_behind(drawing *d)
{
    sim_plan *plan = d->plan;

    calm(plan);
    plan->op_count = plan->fault_count = 0;
    plan->only = FAULT_KINDS;
    plan->fencing = false;
    plan->max_waiters = 0;
    plan->clients = 2;
    d->names = 1;
    for (int i = 0; i < 2; i++) {
        add(d, 0, OP_LOCK)->lease = 10 * SEC;
        for (int64_t left = i > 0 ? between(d, 0, 2) : 0; left > 0; left--) {
            add(d, 0, OP_IS_LOCKING);
        }
        add(d, 0, OP_SLEEP)->span = between(d, 10 * MSEC, 50 * MSEC);
        add(d, 0, OP_UNLOCK);
        add(d, 0, OP_SLEEP)->span = between(d, 1010 * MSEC, 1600 * MSEC);
    }
    sim_op *op = add(d, 1, OP_LOCK);
    op->think = between(d, 2 * MSEC, 5 * MSEC);
    op->timeout = 20 * SEC;
    op->lease = 10 * SEC;
    plan->faults[plan->fault_count++] = (sim_fault){.kind = FAULT_KILL_CLIENT, .piece = (uint32_t)between(d, 11, 15)};
    plan->faults[plan->fault_count++] = (sim_fault){
        .kind = FAULT_OPEN_SLOT, .piece = (uint32_t)between(d, 15, 26), .span = ONE_OF(d, 400 * MSEC, 3 * SEC)};
}

/* A client asks about one lock alone, and more seldom than every second, so that nothing but its own failure tells it of a
 * master that falls silent. */
static void draw_seldom(drawing *d)
{
    sim_plan *plan = d->plan;

    plan->clients = (int)between(d, 1, 2);
    while (plan->op_count < 24) {
        int client = (int)between(d, 0, plan->clients - 1);
        sim_op *op = add(d, client, OP_LOCK);
        op->timeout = 0;
        op->lease = ONE_OF(d, SEC, 10 * SEC);
        add(d, client, OP_SLEEP)->span = between(d, 0, 1500 * MSEC);
        add(d, client, OP_UNLOCK);
        add(d, client, OP_SLEEP)->span = between(d, 900 * MSEC, 1500 * MSEC);
    }
    plan->faults[plan->fault_count++] = (sim_fault){
        .kind = FAULT_SILENT_MASTER, .piece = (uint32_t)between(d, 4, 20), .span = ONE_OF(d, 2 * MSEC, 400 * MSEC)};
}

/* Clients wait at a master that refuses new connections, and falls silent then: they have paused for longer and longer. */
static void draw_refused_and_silent(drawing *d)
{
    sim_plan *plan = d->plan;

    plan->clients = (int)between(d, 2, 4);
    for (int client = 0; client < plan->clients; client++) {
        add_lock_in_turn(d, client);
        add(d, client, OP_SLEEP)->span = client == 0 ? between(d, SEC, 3 * SEC) : between(d, 0, 300 * MSEC);
        add(d, client, OP_UNLOCK);
    }
    plan->faults[plan->fault_count++] = (sim_fault){
        .kind = FAULT_CROWD, .piece = (uint32_t)between(d, 8, 40), .span = ONE_OF(d, 1200 * MSEC, 2500 * MSEC)};
    plan->faults[plan->fault_count++] = (sim_fault){
        .kind = FAULT_SILENT_MASTER, .piece = (uint32_t)between(d, 10, 60), .span = ONE_OF(d, 2 * MSEC, 400 * MSEC)};
}

/* A master falls silent, and those who ask it are those who hear of that last. */
static void draw_out_of_touch(drawing *d)
{
    sim_plan *plan = d->plan;

    calm(plan);
    plan->op_count = plan->fault_count = 0;
    plan->only = FAULT_KINDS;
    plan->replicas = 1;
    plan->fencing = false;
    plan->max_waiters = 0;
    d->names = 1;
    (one_in(d, 2) ? draw_seldom : draw_refused_and_silent)(d);
}

/* Turns a plan with one server into one whose server is a cluster. Its clients know no other kinds of clients. */
static void make_cluster(drawing *d, theme about)
{
    sim_plan *plan = d->plan;

    plan->local = false;
    plan->masters = (int)ONE_OF(d, 2, 2, 3);
    plan->replicas = (int)ONE_OF(d, 0, 1, 1);
    plan->fault_count = 0;
    plan->only = FAULT_KINDS;
    if (!plan->is_clean && one_in(d, 16)) {
        draw_standing(d);
    } else if (!plan->is_clean && one_in(d, 4)) {
        draw_calm_moves(d);
    } else if (!plan->is_clean && one_in(d, 4)) {
        draw_owing(d);
    } else if (!plan->is_clean) {
        draw_cluster_faults(d, about);
    }
    for (size_t i = 0; i < plan->op_count; i++) {
        plan->ops[i].kind = plan->ops[i].kind == OP_FOREIGN ? OP_WAITERS : plan->ops[i].kind;
    }
}

/* Drawn by themselves, so that all other plans stay what they are. */
#define LEFT_BEHIND_ONE_IN  16
#define OUT_OF_TOUCH_ONE_IN 24

void plan_draw_clustered(sim_plan *plan, uint64_t seed)
{
    static const theme themes[] = {THEME_LOCK,  THEME_LOCK,  THEME_LOCK,       THEME_CROWD,   THEME_MANY,
                                   THEME_MANY,  THEME_HELD,  THEME_HELD,       THEME_HELD,    THEME_QUEUE,
                                   THEME_CACHE, THEME_CACHE, THEME_EXTENSIONS, THEME_OVERDUE, THEME_OUTLIVED};
    drawing d = {.plan = plan, .chance = {.state = seed ^ UINT64_C(0x2545f4914f6cdd1d)}};
    drawing more = {.plan = plan, .chance = {.state = seed ^ UINT64_C(0x9e6c63d0876a9a47)}};
    drawing silent = {.plan = plan, .chance = {.state = seed ^ UINT64_C(0xc2b2ae3d27d4eb4f)}};
    theme about = themes[between(&d, 0, sizeof(themes) / sizeof(*themes) - 1)];

    do {
        memset(plan, 0, sizeof(*plan));
        plan->seed = seed;
        draw_plan(&d, about);
    } while (plan->servers > 1);
    make_cluster(&d, about);
    if (!plan->is_clean && one_in(&more, LEFT_BEHIND_ONE_IN)) {
        draw_left_behind(&more);
    }
    if (!plan->is_clean && one_in(&silent, OUT_OF_TOUCH_ONE_IN)) {
        draw_out_of_touch(&silent);
    }
    if (about == THEME_HELD) {
        draw_hearing(&d);
    }
    draw_owners(plan);
    note_longest_lease(plan);
}

/* ---- local turns ---- */

int plan_machine(const sim_plan *plan, int client)
{
    return plan->machines > 0 && (plan->plain >> client & 1) == 0 ? 1 + client % plan->machines : 0;
}

int64_t plan_kind(const sim_plan *plan, int client)
{
    return (plan->others >> client & 1) != 0 ? plan->differ_by : 0;
}

int plan_line(const sim_plan *plan, int client)
{
    int machine = plan_machine(plan, client);

    return machine > 0 && plan_kind(plan, client) != 0 ? machine + MAX_MACHINES : machine;
}

/* A section of a client that passes the lock on: mostly short, behind a wait. */
static void add_local_section(drawing *d, int client)
{
    sim_op *op = add(d, client, OP_LOCK);
    int name = op->name;
    int64_t lease = op->lease =
        d->plan->is_clean ? 10 * SEC : ONE_OF(d, 30 * MSEC, 60 * MSEC, 100 * MSEC, 300 * MSEC, SEC, 3 * SEC, 10 * SEC);

    op->think = between(d, 0, one_in(d, 4) ? 20 * MSEC : 2 * MSEC);
    op->timeout =
        d->plan->is_clean ? 20 * SEC : ONE_OF(d, 0, 5 * MSEC, 50 * MSEC, 200 * MSEC, SEC, 3 * SEC, 3 * SEC, 10 * SEC);
    op->own_token = !d->plan->is_clean && one_in(d, 20);
    if (!one_in(d, 4)) {
        add(d, client, OP_SLEEP)->span = one_in(d, 8)   ? between(d, 0, lease + lease / 4)
                                         : one_in(d, 2) ? between(d, 0, MSEC)
                                                        : between(d, 0, lease < SEC ? lease / 2 : 50 * MSEC);
    }
    if (one_in(d, 6)) {
        op = add(d, client, one_in(d, 3) ? OP_IS_LOCKING : OP_EXTEND);
        op->name = name;
        op->lease = ONE_OF(d, 30 * MSEC, 100 * MSEC, SEC, 10 * SEC);
    }
    if (d->plan->is_clean || !one_in(d, 20)) {
        add(d, client, OP_UNLOCK)->name = name;
        if (!d->plan->is_clean && one_in(d, 10)) {
            add(d, client, OP_UNLOCK)->name = name;
        }
    }
    if (!d->plan->is_clean && one_in(d, 9)) {
        static const op_kind kinds[] = {OP_FORCE,   OP_FORCE,      OP_FORK,   OP_FOREIGN, OP_FOREIGN,
                                        OP_WAITERS, OP_UNLOCK_ALL, OP_ATTACH, OP_ATTACH,  OP_ATTACH};
        op = add(d, client, kinds[between(d, 0, sizeof(kinds) / sizeof(*kinds) - 1)]);
        op->name = name;
        op->span = ONE_OF(d, 5 * MSEC, 50 * MSEC, 300 * MSEC);
        op->count = op->kind == OP_FOREIGN && one_in(d, 2) ? 2 : 1;
        if (op->kind == OP_ATTACH) {
            add(d, client, OP_SLEEP)->span = between(d, 0, 20 * MSEC);
            add(d, client, OP_UNLOCK)->name = name;
        }
    }
}

/* What befalls connections, processes and the server; and processes between two exchanges of words in their memory. */
static void draw_local_faults(drawing *d)
{
    sim_plan *plan = d->plan;

    for (int64_t left = ONE_OF(d, 0, 1, 1, 2, 3); left > 0; left--) {
        fault_kind kind = (fault_kind)ONE_OF(
            d, FAULT_LOSE, FAULT_LOSE, FAULT_CUT_BEHIND, FAULT_CUT_BEHIND, FAULT_CUT_WITHIN, FAULT_RESET, FAULT_HOLD,
            FAULT_HOLD, FAULT_PARTITION, FAULT_ISOLATE, FAULT_STOP_CLIENT, FAULT_STOP_SERVER, FAULT_KILL_CLIENT,
            FAULT_SIGNAL, FAULT_KICK, FAULT_RESTART, FAULT_WIPE, FAULT_FORGET, FAULT_CROWD);
        plan->faults[plan->fault_count++] =
            (sim_fault){.kind = kind,
                        .piece = (uint32_t)between(d, 1, one_in(d, 3) ? 150 : 60),
                        .span = ONE_OF(d, 2 * MSEC, 20 * MSEC, 60 * MSEC, 110 * MSEC, 400 * MSEC, 1200 * MSEC)};
    }
    for (int64_t left = ONE_OF(d, 0, 1, 2, 3); left > 0; left--) {
        plan->faults[plan->fault_count++] =
            (sim_fault){.kind = (fault_kind)ONE_OF(d, FAULT_STOP_AT_POINT, FAULT_STOP_AT_POINT, FAULT_STOP_AT_POINT,
                                                   FAULT_KILL_AT_POINT, FAULT_SIGNAL_AT_POINT),
                        .piece = (uint32_t)between(d, 1, one_in(d, 3) ? 1000 : 250),
                        .span = ONE_OF(d, 2 * MSEC, 25 * MSEC, 60 * MSEC, 110 * MSEC, 400 * MSEC, 1200 * MSEC)};
    }
}

/* Waits end soon, while locks are passed on. */
static void draw_short_waits(drawing *d)
{
    for (size_t i = 0; i < d->plan->op_count; i++) {
        sim_op *op = &d->plan->ops[i];
        if (op->kind == OP_LOCK && one_in(d, 2)) {
            op->timeout = ONE_OF(d, 5 * MSEC, 10 * MSEC, 20 * MSEC, 50 * MSEC);
        } else if (op->kind == OP_SLEEP) {
            op->span = between(d, 0, 20 * MSEC);
        }
    }
}

/* Those to which locks are passed on do not begin, and what is said of the passing is late or lost. */
static void draw_slow_heirs(drawing *d)
{
    sim_plan *plan = d->plan;

    plan->point_one_in = ONE_OF(d, 5, 10, 20);
    plan->point_most = ONE_OF(d, 30 * MSEC, 60 * MSEC, 150 * MSEC);
    while (plan->fault_count < MAX_FAULTS) {
        plan->faults[plan->fault_count++] =
            (sim_fault){.kind = (fault_kind)ONE_OF(d, FAULT_LOSE, FAULT_CUT_BEHIND, FAULT_HOLD, FAULT_ISOLATE),
                        .piece = (uint32_t)between(d, 1, 120),
                        .span = ONE_OF(d, 20 * MSEC, 60 * MSEC, 110 * MSEC, 400 * MSEC)};
    }
}

/* Processes stop where others wait for what they write, or have just gone on without it. */
static void draw_stops_at_places(drawing *d)
{
    sim_plan *plan = d->plan;

    plan->fault_count = one_in(d, 2) ? 0 : plan->fault_count / 2;
    plan->point_one_in = one_in(d, 2) ? 0 : plan->point_one_in;
    plan->fencing |= one_in(d, 2);
    while (plan->fault_count < MAX_FAULTS) {
        uint32_t place = (uint32_t)between(d, 1, MACHINE_PLACES - 1);
        plan->faults[plan->fault_count++] =
            (sim_fault){.kind = FAULT_STOP_AT_POINT,
                        .place = place,
                        .piece = (uint32_t)between(d, 1, place == PLACE_HEIR ? 40 : 10),
                        .span = ONE_OF(d, 25 * MSEC, 60 * MSEC, 110 * MSEC, 400 * MSEC, 1200 * MSEC)};
    }
}

/* Some take locks over from those that are killed: at any point, or in a section. Others fork in a section, and the parent
 * ends. Last, so that all else is drawn as without. */
static void draw_takers(drawing *d)
{
    sim_plan *plan = d->plan;

    plan->takers = one_in(d, 3) ? 0 : between(d, 0, (1 << plan->clients) - 1) | between(d, 0, (1 << plan->clients) - 1);
    if (plan->takers == 0 || plan->is_clean || one_in(d, 3)) {
        return;
    }
    if (plan->fault_count < MAX_FAULTS && one_in(d, 2)) {
        plan->faults[plan->fault_count++] =
            (sim_fault){.kind = FAULT_KILL_AT_POINT, .piece = (uint32_t)between(d, 1, one_in(d, 3) ? 600 : 250)};
    }
    for (size_t i = 0, left = (size_t)between(d, 1, 2); left > 0 && i < plan->op_count; i++) {
        sim_op *op = &plan->ops[i];
        if (op->kind == OP_SLEEP && (plan->takers >> op->client & 1) != 0 && one_in(d, 4)) {
            op->kind = one_in(d, 4) ? OP_FORK : OP_SLEEP;
            op->count = op->kind == OP_SLEEP ? 2 : 1;
            left--;
        }
    }
}

/* Clients of two kinds want the same locks, so that two lines of a machine and Redis' own compete. */
static void draw_kinds(drawing *d)
{
    sim_plan *plan = d->plan;

    plan->others = between(d, 1, (1 << plan->clients) - 2);
    plan->differ_by = ONE_OF(d, KIND_FENCES, KIND_FENCES, KIND_WAITS, KIND_IS_FROM, KIND_FENCES | KIND_WAITS);
}

/* A section of one that waits with patience. */
static void add_patient(drawing *d, int client)
{
    sim_op *op = add(d, client, OP_LOCK);

    op->timeout = 60 * SEC;
    op->lease = ONE_OF(d, SEC, 3 * SEC, 10 * SEC);
    add(d, client, OP_SLEEP)->span = between(d, 0, one_in(d, 3) ? 300 * MSEC : 5 * MSEC);
    add(d, client, OP_UNLOCK);
}

/* Begins anew with clients of one machine that want one lock and all take part, and with one kind of fault, if any. */
static void begin_line(drawing *d, fault_kind only)
{
    sim_plan *plan = d->plan;

    calm(plan);
    plan->op_count = plan->fault_count = 0;
    plan->is_clean = false;
    plan->only = only;
    plan->machines = d->names = 1;
    plan->clients = (int)between(d, 3, 6);
    plan->plain = plan->takers = plan->point_one_in = plan->max_waiters = 0;
}

/* Many stand in one line, or in two of one machine, and the server is away for long: nothing else goes wrong. */
static void draw_outage(drawing *d)
{
    sim_plan *plan = d->plan;

    begin_line(d, (fault_kind)ONE_OF(d, FAULT_RESTART, FAULT_ISOLATE, FAULT_STOP_SERVER));
    plan->fencing |= one_in(d, 3);
    plan->connect_timeout = ONE_OF(d, 100 * MSEC, 500 * MSEC);
    plan->read_timeout = ONE_OF(d, 100 * MSEC, 500 * MSEC);
    for (int i = 0; i < 3 * plan->clients && i < 12; i++) {
        add_patient(d, i % plan->clients);
    }
    plan->faults[plan->fault_count++] =
        (sim_fault){.kind = plan->only,
                    .piece = (uint32_t)between(d, 4, 70),
                    .span = ONE_OF(d, 2 * SEC, 5 * SEC, 8 * SEC, 9500 * MSEC, 12 * SEC, 15 * SEC, 25 * SEC)};
}

/* A section of one that waits with patience, and may hold the lock for long. It may be killed then. */
static void add_long_section(drawing *d, int client)
{
    sim_op *op = add(d, client, OP_LOCK);
    bool is_long = one_in(d, 3);

    op->timeout = 60 * SEC;
    op->lease = ONE_OF(d, 10 * SEC, 30 * SEC);
    op->renew = one_in(d, 2);
    op = add(d, client, OP_SLEEP);
    op->span = is_long ? between(d, SEC, 9 * SEC) : between(d, 0, 300 * MSEC);
    op->count = is_long && one_in(d, 2) ? 2 : 1;
    add(d, client, OP_UNLOCK);
}

/* Holders hold a lock for long, and are killed: those in line take it over. Nothing else goes wrong, but that somebody may take
 * the lock from a holder; or that processes stand still for ever, as it seems to the others. */
static void draw_long_holds(drawing *d)
{
    sim_plan *plan = d->plan;

    begin_line(d, FAULT_KILL_CLIENT);
    plan->takers = (1 << plan->clients) - 1;
    for (int i = 0; i < 3 * plan->clients; i++) {
        add_long_section(d, i % plan->clients);
        if (one_in(d, 12)) {
            add(d, i % plan->clients, OP_FORCE)->think = between(d, 0, 4 * SEC);
        }
    }
    for (int64_t left = one_in(d, 3) ? between(d, 1, 2) : 0; left > 0; left--) {
        plan->only = FAULT_KINDS;
        plan->faults[plan->fault_count++] = (sim_fault){
            .kind = FAULT_STOP_AT_POINT, .piece = (uint32_t)between(d, 1, one_in(d, 2) ? 1000 : 100), .span = 60 * SEC};
    }
}

/* Drawn by themselves, so that all other plans stay what they are. */
#define LONG_ONE_IN   16
#define KINDS_ONE_IN  6
#define OUTAGE_ONE_IN 16

/* One or two machines with clients of one lock or two, some of which take no part in passing them on. */
void plan_draw_local(sim_plan *plan, uint64_t seed)
{
    drawing d = {.plan = plan, .chance = {.state = seed ^ UINT64_C(0x8a5cd789635d2dff)}};
    drawing kinds = {.plan = plan, .chance = {.state = seed ^ UINT64_C(0x94d049bb133111eb)}};
    drawing outage = {.plan = plan, .chance = {.state = seed ^ UINT64_C(0xaf251af3b0f025b5)}};
    drawing holds = {.plan = plan, .chance = {.state = seed ^ UINT64_C(0x3c79ac492ba7b653)}};

    memset(plan, 0, sizeof(*plan));
    plan->seed = seed;
    plan->servers = 1;
    plan->is_clean = one_in(&d, 8);
    plan->only = FAULT_KINDS;
    plan->machines = (int)ONE_OF(&d, 1, 1, 2);
    plan->clients = plan->machines == 1 ? (int)between(&d, 2, 5) : (int)between(&d, 4, 8);
    plan->plain = one_in(&d, 3) ? between(&d, 0, (1 << plan->clients) - 1) : 0;
    plan->fencing = one_in(&d, 5);
    plan->own_key_order = one_in(&d, 2);
    plan->local = one_in(&d, 4);
    plan->connect_timeout = ONE_OF(&d, 100 * MSEC, 500 * MSEC, 2 * SEC);
    plan->read_timeout = ONE_OF(&d, 50 * MSEC, 100 * MSEC, 500 * MSEC, 2 * SEC);
    plan->node_timeout = 50 * MSEC;
    plan->retry_interval = ONE_OF(&d, 50 * MSEC, 200 * MSEC);
    plan->max_waiters = !plan->is_clean && one_in(&d, 12) ? between(&d, 1, 2) : 0;
    plan->latency = ONE_OF(&d, 100, 500, 2 * MSEC, 10 * MSEC);
    d.names = (int)ONE_OF(&d, 1, 1, 1, 2);
    if (plan->is_clean) {
        plan->latency = 200;
        plan->connect_timeout = plan->read_timeout = 2 * SEC;
    } else {
        plan->point_one_in = ONE_OF(&d, 0, 10, 50, 200);
        plan->point_most = ONE_OF(&d, 200, 3 * MSEC, 30 * MSEC, 150 * MSEC);
        plan->pause_one_in = one_in(&d, 3) ? ONE_OF(&d, 50, 200) : 0;
        plan->pause_most = ONE_OF(&d, 2 * MSEC, 30 * MSEC, 500 * MSEC);
        plan->short_io = one_in(&d, 2);
        draw_local_faults(&d);
    }
    while (plan->op_count < 40) {
        add_local_section(&d, (int)between(&d, 0, plan->clients - 1));
    }
    if (one_in(&d, 5)) {
        draw_renewing(&d);
    }
    if (one_in(&d, 5)) {
        draw_hearing(&d);
    }
    if (!plan->is_clean && one_in(&d, 4)) {
        draw_short_waits(&d);
    }
    if (!plan->is_clean && one_in(&d, 4)) {
        draw_slow_heirs(&d);
    }
    if (!plan->is_clean && one_in(&d, 4)) {
        draw_stops_at_places(&d);
    }
    draw_takers(&d);
    if (one_in(&outage, OUTAGE_ONE_IN)) {
        draw_outage(&outage);
    } else if (one_in(&holds, LONG_ONE_IN)) {
        draw_long_holds(&holds);
    }
    if (one_in(&kinds, KINDS_ONE_IN)) {
        draw_kinds(&kinds);
    }
    draw_owners(plan);
    note_longest_lease(plan);
}

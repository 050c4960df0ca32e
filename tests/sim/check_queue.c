/* SPDX-License-Identifier: MIT
 *
 * check_queue: the properties of the queues. See check.h.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "platform/platform.h"

#define MAX_SEEN_TASKS 128

/* Where a server has a task, and how often it was tried, as far as that counts. */
typedef struct task_place {
    bool queued, reserved, again, dead;
    int64_t attempts;
    double queued_at, again_at; /* its scores there */
} task_place;

/* What is known of a task from the answers that clients got. */
typedef struct seen_task {
    char id[32];
    int name;
    task_place place;    /* after the last script of its queue */
    bool entered;        /* an enqueue said yes */
    bool is_reused;      /* it was enqueued once more: what ended before may have begun anew */
    bool may_have_ended; /* by something whose outcome is unknown */
    int open_put_backs;  /* calls that give it back after a pop, and have not said yes: it may be out of the queue */
    bool acked;          /* true once an ack said yes */
    int64_t acked_at;
    bool popped; /* it was delivered for good */
    int64_t popped_at;
    bool removed;
    int64_t due;                 /* not before, by the server's clock */
    int64_t due_set_at;          /* true time at which `due` became known to be that */
    int64_t requeued_at;         /* true time of the last requeue(), which may have made it due at once */
    int64_t taken_at;            /* true time at which the server delivered it last */
    int64_t take;                /* the number of the queue_take that did */
    int64_t reserved_until;      /* by the server's clock, at least */
    char receipt[QUEUE_RECEIPT]; /* of the last delivery */
} seen_task;

static struct {
    const sim_plan *plan;
    seen_task all[MAX_SEEN_TASKS];
    int count;
    bool pops_lost;    /* a pop has ended without an answer: what it took is nowhere */
    bool settles_lost; /* a settlement has ended without an answer */
    bool wiped;
} seen;

void check_queues_begin(const sim_plan *plan)
{
    memset(&seen, 0, sizeof(seen));
    seen.plan = plan;
}

static seen_task *find(const char *id)
{
    for (int i = 0; i < seen.count; i++) {
        if (strcmp(seen.all[i].id, id) == 0) {
            return &seen.all[i];
        }
    }
    return NULL;
}

/* May it be nowhere, as far as the answers tell? */
static bool may_be_gone(const seen_task *task)
{
    return task->may_have_ended || task->open_put_backs > 0;
}

static int64_t clock_now(void)
{
    return server_clock(net_server(0));
}

/* The server's clock at the true time `then`. */
static int64_t clock_then(int64_t then)
{
    return clock_at(&net_server(0)->clock, then);
}

void check_enqueuing(sim_client *client, const char *id, int name, int64_t delay)
{
    if (seen.count < MAX_SEEN_TASKS) {
        seen_task *task = &seen.all[seen.count++];
        *task = (seen_task){.name = name, .due = clock_then(client->began) + delay};
        snprintf(task->id, sizeof(task->id), "%s", id);
    }
}

void check_enqueued(sim_client *client, const char *id, queue_outcome outcome)
{
    seen_task *task = find(id);

    if (task != NULL && !client->process.dead) {
        task->entered = outcome == QUEUE_YES;
        if (outcome == QUEUE_NO) {
            violated("queue", "task %s is new, and enqueue() says that nothing was new", id);
        }
    }
}

const char *check_some_task(int name, uint64_t draw)
{
    const char *found = NULL;
    uint64_t count = 0;

    for (int i = 0; i < seen.count; i++) {
        if (seen.all[i].name == name && draw % ++count == 0) {
            found = seen.all[i].id;
        }
    }
    return found;
}

/* From now on, what is known of the task from earlier answers says less. */
void check_entering_again(const char *id)
{
    seen_task *task = find(id);

    task->is_reused = true;
    task->may_have_ended = true;
    task->due = 0;
}

void check_entered_again(const sim_client *client, const char *id, bool replaces, queue_outcome outcome)
{
    if (replaces && outcome == QUEUE_NO && !client->process.dead) {
        violated("queue", "client %d replaces task %s, and enqueue() says that it has not", client->process.index, id);
    }
}

/* If nothing goes wrong, a worker that waits gets a task as soon as it is due. */
static void check_punctual(const sim_client *client, const seen_task *task)
{
    int64_t since = platform_later(clock_then(client->began), task->due);
    int64_t late = clock_then(client->took_at) - since;

    if (seen.plan->is_clean && task->taken_at == 0 && !task->is_reused && client->op->count > 0 && late > 400 * MSEC) {
        violated("asleep", "client %d waits for a task, and gets %s %" PRId64 " ms late", client->process.index,
                 task->id, late / MSEC);
    }
}

/* An answer to a reservation may have been lost. What it took comes back, but that was an attempt, perhaps the last one. */
static void note_reservation(bool reserves)
{
    seen.settles_lost |= reserves && seen.plan->max_attempts > 0 && !seen.plan->is_clean;
}

/* What a client gets must be due, not taken for good, not acknowledged, and not reserved by another. */
void check_taken(sim_client *client, const queue_task *got, bool reserved, int64_t visibility)
{
    char id[32];
    seen_task *task;

    if (client->process.dead) {
        return;
    }
    snprintf(id, sizeof(id), "%.*s", (int)got->id.len, got->id.at);
    if ((task = find(id)) == NULL) {
        violated("queue", "client %d gets a task %s, which nobody has enqueued", client->process.index, id);
        return;
    }
    tally.tasks_taken++;
    check_punctual(client, task);
    if (task->name != client->op->name) {
        violated("mix-up", "client %d gets task %s from another queue", client->process.index, id);
    } else if (client->took_at > task->due_set_at && clock_then(client->took_at) + MSEC < task->due) {
        violated("early", "client %d gets task %s %" PRId64 " ms too early", client->process.index, id,
                 (task->due - clock_then(client->took_at)) / MSEC);
    } else if (seen.wiped) {
        /* the server has forgotten what it had delivered, and that an enqueue is a repeat */
    } else if (task->is_reused) {
        /* it may be a new one */
    } else if (task->popped && (!reserved || task->popped_at < client->took_at)) {
        violated("once", "client %d gets task %s, which was popped before", client->process.index, id);
    } else if (task->acked && task->acked_at < client->took_at) {
        violated("once", "client %d gets task %s, which was acknowledged before", client->process.index, id);
    } else if (client->took_at > task->taken_at && task->reserved_until > clock_then(client->took_at) + 2 * MSEC) {
        violated("visibility", "client %d gets task %s, which is reserved for another %" PRId64 " ms",
                 client->process.index, id, (task->reserved_until - clock_then(client->took_at)) / MSEC);
    }
    if (client->take < task->take) {
        return; /* the answer comes late: another has got it since */
    }
    task->taken_at = client->took_at;
    task->take = client->take;
    task->popped |= !reserved;
    task->popped_at = !reserved ? world.now : task->popped_at;
    task->reserved_until = reserved ? clock_then(client->took_at) + visibility : 0;
    note_reservation(reserved);
    memcpy(task->receipt, got->receipt, sizeof(task->receipt));
}

/* In a run with few faults, a worker that gets nothing has left nothing that was due long ago. */
static void check_nothing_due(sim_client *client)
{
    int64_t bound = seen.plan->is_clean ? 600 * MSEC : 5 * SEC;
    int64_t from = platform_later(world.end_of_faults, client->began);

    if (world.now - from < bound || client->process.dead || client->process.held_up - client->held_up > SEC) {
        return;
    }
    for (int i = 0; i < seen.count; i++) {
        const seen_task *task = &seen.all[i];
        if (task->name == client->op->name && task->entered && !task->popped && !task->acked && !task->removed &&
            !may_be_gone(task) && !seen.settles_lost && task->reserved_until == 0 && task->due < clock_now() - bound &&
            !seen.pops_lost && task->receipt[0] == '\0') {
            violated("asleep", "client %d waits for a task, and %s has been due for %" PRId64 " ms",
                     client->process.index, task->id, (clock_now() - task->due) / MSEC);
        }
    }
}

void check_not_taken(sim_client *client, queue_outcome outcome, bool reserves)
{
    note_reservation(reserves);
    if (outcome == QUEUE_NO) {
        check_nothing_due(client);
    } else if (!reserves) {
        seen.pops_lost = true;
    }
}

/* The server may do it long before the answer comes. */
int64_t check_settling(sim_client *client, const held_task *held, queue_disposition disposition, int64_t span)
{
    seen_task *task = find(held->id);
    int64_t until = disposition == QUEUE_TOUCH ? clock_then(client->began) + span : 0, before;

    if (task == NULL || strcmp(task->receipt, held->receipt) != 0) {
        return -1;
    }
    before = task->reserved_until;
    task->reserved_until = until < before ? until : before;
    return before;
}

void check_settled(sim_client *client, const held_task *held, queue_disposition disposition, int64_t span,
                   int64_t reserved, queue_outcome outcome)
{
    seen_task *task = find(held->id);

    if (task == NULL || client->process.dead || seen.wiped) {
        seen.settles_lost = true;
        return;
    }
    if (outcome == QUEUE_FAILED) {
        task->may_have_ended |= disposition == QUEUE_ACK;
        task->reserved_until = 0;
        return;
    }
    if (outcome == QUEUE_YES && reserved < 0) {
        violated("receipt", "client %d settles task %s with a receipt that is over", client->process.index, held->id);
    }
    if (outcome == QUEUE_YES && disposition == QUEUE_ACK) {
        tally.tasks_acked++;
        task->acked = true;
        task->acked_at = world.now;
    } else if (outcome == QUEUE_YES) {
        task->reserved_until = disposition == QUEUE_TOUCH ? clock_then(client->began) + span : 0;
        if (disposition == QUEUE_RELEASE && task->requeued_at < client->began && !task->is_reused) {
            task->due = clock_then(client->began) + span;
            task->due_set_at = world.now;
        }
    } else if (reserved > clock_now() + 2 * MSEC) {
        violated("receipt", "client %d has reserved task %s, and is told that it has not", client->process.index,
                 held->id);
    }
}

/* ---- what the server has ---- */

static bool is_somewhere(const task_place *place)
{
    return place->queued || place->reserved || place->again || place->dead;
}

/* Where the server has the task now. `keys`: see lua/inc/task_keys.lua. */
static task_place find_place(const sim_server *server, const char *id, const char *const *keys)
{
    const char *state = redis_field(server->redis, keys[2], id);
    task_place place = {.reserved = redis_has_member(server->redis, keys[1], id),
                        .dead = redis_has_member(server->redis, keys[4], id),
                        .attempts = state != NULL ? strtoll(state, NULL, 10) : 0};

    place.queued = redis_score(server->redis, keys[0], id, &place.queued_at);
    place.again = redis_score(server->redis, keys[3], id, &place.again_at);
    return place;
}

/* What a script may do to a task of its queue. */
typedef struct task_rights {
    bool begins_anew; /* it makes a new task of one that is dead or was tried */
    bool ends;        /* it takes the task out of the queue for good */
} task_rights;

static task_rights rights_of(const rl_script *script, const char *const *arguments)
{
    bool replaces = script == &rl_script_queue_enqueue && strcmp(arguments[3], "1") == 0;
    bool pops = script == &rl_script_queue_take && strcmp(arguments[1], "0") == 0;
    bool acknowledges = script == &rl_script_queue_settle && strcmp(arguments[0], "ack") == 0;

    return (task_rights){.begins_anew = replaces || script == &rl_script_queue_requeue,
                         .ends = pops || acknowledges || script == &rl_script_queue_dequeue};
}

/* A task that is dead and not in the queue stays so, unless it begins anew. A task that was tried remains so until it
 * ends or begins anew, and none is tried more often than it may be. None is lost, not even one that waits for the
 * reserved one to be done. */
static void check_place(const seen_task *task, const task_place *now, const rl_script *script, task_rights rights)
{
    const task_place *before = &task->place;
    int64_t most = seen.plan->max_attempts;
    bool was_dead = before->dead && !before->queued;

    if (was_dead && !rights.begins_anew && (!now->dead || now->queued || now->reserved || now->again)) {
        violated("dead", "task %s was dead, and %s starts it again", task->id, script->name);
    } else if (is_somewhere(before) && !rights.begins_anew && !rights.ends && now->attempts < before->attempts) {
        violated("dead", "%s forgets that task %s was tried %" PRId64 " times", script->name, task->id,
                 before->attempts);
    } else if (most > 0 && now->attempts > most && !before->dead) {
        violated("dead", "task %s is tried %" PRId64 " times, and may be %" PRId64 " times", task->id, now->attempts,
                 most);
    } else if (is_somewhere(before) && !rights.ends && !is_somewhere(now)) {
        violated("lost", "task %s was in the queue, and is nowhere behind %s", task->id, script->name);
    } else if (now->again && !now->reserved) {
        violated("lost", "task %s was enqueued while it was reserved, and %s leaves it aside", task->id, script->name);
    }
}

/* A dequeue() removes a task only if it has the score still that its caller has seen: eight bytes, big endian. */
static void check_score(const seen_task *task, const task_place *now, const char *seen_score)
{
    const task_place *before = &task->place;
    uint64_t bits = 0;
    double score;

    for (int i = 0; i < 8; i++) {
        bits = bits << 8 | (unsigned char)seen_score[i];
    }
    memcpy(&score, &bits, sizeof(score));
    if ((before->queued && !now->queued && before->queued_at != score) ||
        (before->again && !now->again && before->again_at != score)) {
        violated("outdated", "task %s has another score than the caller of dequeue() has seen, and is removed",
                 task->id);
    }
}

/* A requeue(): what was delivered may have been dead, and is due at once then. */
static void note_requeue(int name)
{
    for (int i = 0; i < seen.count; i++) {
        if (seen.all[i].name == name && seen.all[i].taken_at != 0) {
            seen.all[i].due = 0;
            seen.all[i].requeued_at = world.now;
        }
    }
}

void check_queue_ran(const sim_server *server, const rl_script *script, const char *const *keys,
                     const char *const *arguments)
{
    int name = keys[0][strlen(keys[0]) - 1] - 'A';
    task_rights rights = rights_of(script, arguments);

    if (script == &rl_script_queue_requeue) {
        note_requeue(name);
    }
    for (int i = 0; i < seen.count; i++) {
        seen_task *task = &seen.all[i];
        if (task->name == name) {
            task_place now = find_place(server, task->id, keys);
            check_place(task, &now, script, rights);
            if (script == &rl_script_queue_dequeue) {
                check_score(task, &now, arguments[1]);
            }
            task->place = now;
        }
    }
}

/* ---- what clients are told ---- */

void check_dequeued(const char *id, queue_outcome outcome)
{
    seen_task *task = find(id);

    if (task != NULL) {
        task->removed |= outcome == QUEUE_YES;
        task->may_have_ended |= outcome == QUEUE_FAILED;
    }
}

/* Another client may get the task before the call ends, and end it. */
void check_putting_back(const char *id)
{
    seen_task *task = find(id);

    if (task != NULL) {
        task->popped = false;
        task->open_put_backs++;
    }
}

void check_put_back(const sim_client *client, const char *id, queue_outcome outcome)
{
    seen_task *task = find(id);

    if (task != NULL && outcome == QUEUE_YES && !client->process.dead && !seen.wiped) {
        task->open_put_backs--;
        task->due = platform_later(task->due, clock_now());
        task->due_set_at = world.now;
    }
}

/* ---- the end ---- */

/* Is the text part of what is in the server? */
typedef struct search {
    const char *text;
    bool found;
} search;

static void visit_task(void *arg, const char *key, size_t len, const char *type, const char *dump, size_t dump_len,
                       int64_t ttl_ms)
{
    search *s = arg;

    (void)key, (void)len, (void)type, (void)ttl_ms;
    s->found |= memmem(dump, dump_len, s->text, strlen(s->text)) != NULL;
}

/* Each task that was enqueued has been taken, acknowledged or removed, or is still there. */
void check_queue_is_drained(void)
{
    for (int i = 0; i < seen.count && !seen.wiped; i++) {
        const seen_task *task = &seen.all[i];
        search s = {.text = task->id};
        if (!task->entered || task->acked || task->popped || task->removed || may_be_gone(task) || seen.pops_lost ||
            seen.settles_lost) {
            continue;
        }
        for (int k = 0; k < net.data_count; k++) {
            if (!net_is_apart(&net.servers[k])) {
                redis_visit(net.servers[k].redis, visit_task, &s);
            }
        }
        if (!s.found) {
            violated("lost", "task %s was enqueued, and is nowhere", task->id);
        }
    }
}

void check_queues_wiped(void)
{
    seen.wiped = true;
    for (int i = 0; i < seen.count; i++) {
        seen.all[i].may_have_ended = true;
        seen.all[i].place = (task_place){0};
    }
}

/* SPDX-License-Identifier: MIT
 *
 * queue/take: pop and reserve: takes tasks that are due, and waits while none is.
 *
 * A worker that waits blocks in BLPOP until a task is put before it, or until it shall look (see lua/inc/task_wake.lua).
 * It has one connection: the BLPOP is to end a little before that time, and the script is sent behind it then.
 *
 * What nobody waits for the answer of must not be carried out any more: a task that is popped then is lost. So who gives
 * up in time for its deadline says until when, by the server's clock, which the answers tell. And at the deadline itself a
 * pop only leaves, so that an answer which is late on a busy machine is none that matters.
 */
#include "queue/queue.h"

#include <stdio.h>
#include <string.h>

#include "platform.h"
#include "queue/op.h"
#include "redis/scripts.h"

#define SHORTEST_BLOCK (RL_BLOCK_MARGIN + PLATFORM_MSEC) /* less than a millisecond would be for ever */

#define CLEANUP_GRACE (10 * PLATFORM_MSEC) /* that a wait which was broken off may take to say so */
#define WAY_BACK      (5 * PLATFORM_MSEC)  /* that an answer may take longer than the fastest to get here */
#define LATEST_CLOCK  (INT64_C(1) << 53)   /* that a script can tell */
#define LATE_CONNECT  (25 * PLATFORM_MSEC) /* after the deadline, at most */

#define BASE_LEN   32
#define BASE_ROOM  40
#define WAITER_LEN 24

typedef struct take_op {
    const queue_order *order;
    queue_op op;
    rl_call blpop; /* the BLPOP, in front of what is asked next */
    int64_t deadline;
    int64_t last_try_at;  /* when the last question is put: then, or a long round trip before */
    int64_t look_at;      /* when to ask again */
    int64_t last_good;    /* when the server last gave a good answer */
    int64_t asked;        /* when it was last asked, over a connection that was ready */
    int64_t trip;         /* the shortest round trip so far; PLATFORM_NEVER: none yet */
    int64_t ahead;        /* of our clock, the server's */
    int64_t answer_by;    /* until when the question under way is waited for */
    int64_t pid;          /* whose wait it is: PHP code that runs meanwhile may fork */
    bool is_waiting;      /* it has asked once, and found nothing */
    bool was_last;        /* what it asked last: it will not look again */
    bool is_timekeeper;   /* of the time, for all who wait */
    bool outcome_unknown; /* what was taken last: the answer to a pop is missing */
    rl_error error;
    char waiter[WAITER_LEN];
    char bases[QUEUE_MOST / QUEUE_CHUNK][BASE_ROOM]; /* with which the receipts of each script begin */
    char digits[5][RL_DIGITS];
    char seconds[RL_DIGITS];
} take_op;

static bool take_reserves(const take_op *t)
{
    return t->order->visibility > 0;
}

/* ---- asking ---- */

/* By when, on the server's clock, what is asked now is to be carried out; 0: whenever. The first question has no such
 * limit, since nobody knows that clock yet; it is waited for as long as any other call. */
static int64_t take_valid_until(const take_op *t)
{
    if (t->trip == PLATFORM_NEVER) {
        return 0;
    }
    return t->answer_by - platform_earlier(t->trip / 2 + WAY_BACK, (t->answer_by - t->asked) / 2) + t->ahead;
}

/* Is a question that is put at `now` the last, since there will be no time for another? */
static bool take_is_last(const take_op *t, int64_t now)
{
    return platform_after(now, t->trip == PLATFORM_NEVER ? 0 : t->trip) >= t->last_try_at;
}

/* The i-th script; with `count` 0, a waiting worker leaves by it. Where a call wants more than one script deals with,
 * several are sent, and none of them enters the worker as one that waits. */
static void take_op_request(take_op *t, size_t i, size_t count, bool waits)
{
    rl_request *request = queue_op_script(&t->op, i, &rl_script_queue_take);
    char *digits = t->digits[count == QUEUE_CHUNK ? 0 : 1];
    bool known = t->op.count == 1 && t->order->timeout > 0;

    snprintf(t->bases[i] + BASE_LEN, BASE_ROOM - BASE_LEN, "-%u", (unsigned)i);
    rl_request_add_number(request, (int64_t)count, digits);
    rl_request_add_number(request, t->order->visibility / PLATFORM_MSEC, t->digits[2]);
    rl_request_add(request, (rl_bytes){t->bases[i], strlen(t->bases[i])});
    rl_request_add_number(request, t->op.client->max_attempts, t->digits[3]);
    rl_request_add(request, (rl_bytes){t->waiter, known ? WAITER_LEN : 0});
    rl_request_add(request, known && waits ? RL_LITERAL("1") : RL_LITERAL("0"));
    rl_request_add_number(request, count > 0 ? take_valid_until(t) : 0, t->digits[4]);
}

/* Does it only leave by what it asks now? */
static bool take_only_leaves(const take_op *t)
{
    return t->is_waiting && t->was_last && !take_reserves(t);
}

static void take_op_requests(take_op *t)
{
    size_t left = take_only_leaves(t) ? 0 : t->order->count;
    char base[BASE_LEN];

    platform_random_hex(base, BASE_LEN / 2);
    for (size_t i = 0; i < t->op.count; i++) {
        size_t count = left < QUEUE_CHUNK ? left : QUEUE_CHUNK;
        memcpy(t->bases[i], base, BASE_LEN);
        take_op_request(t, i, count, !t->was_last);
        left -= count;
    }
}

static bool is_number(const redisReply *reply, int64_t most)
{
    return rl_reply_is_count(reply) && reply->integer <= most;
}

/* Learns from an answer that has come just now how long a round trip takes, and what the server's clock says. Where a trip
 * takes a good part of the grace for the final reply, the last question must go out before the deadline. */
static void take_learn(take_op *t, int64_t clock)
{
    int64_t now = platform_now(), sent = platform_later(t->asked, rl_conn_ready_since(t->op.conn));

    if (sent > now) {
        return; /* what was asked behind it has broken the connection */
    }
    t->trip = platform_earlier(t->trip, now - sent);
    t->ahead = clock - (sent + (now - sent) / 2);
    if (t->deadline != PLATFORM_NEVER) {
        int64_t lead = t->trip > QUEUE_FINAL_REPLY_GRACE / 3 ? t->trip : 0;
        t->last_try_at = t->deadline - platform_earlier(lead, t->order->timeout / 2);
    }
}

/* Takes the answer of the i-th script. False: it is none. */
static bool take_read_answer(take_op *t, size_t i, queue_tasks *tasks)
{
    rl_call *call = &t->op.calls[i];
    const redisReply *reply = call->reply;
    size_t first = tasks->count;

    if (reply->type != REDIS_REPLY_ARRAY || reply->elements != 4 || !is_number(reply->element[1], INT64_MAX) ||
        !is_number(reply->element[2], 1) || !is_number(reply->element[3], LATEST_CLOCK) ||
        !queue_tasks_read(tasks, reply->element[0])) {
        tasks->count = first;
        return false;
    }
    for (size_t k = first; k < tasks->count && take_reserves(t); k++) {
        snprintf(tasks->at[k].receipt, QUEUE_RECEIPT, "%s.%zu", t->bases[i], k - first + 1);
    }
    t->look_at = platform_after(platform_now(), reply->element[1]->integer);
    t->is_timekeeper = reply->element[2]->integer != 0;
    take_learn(t, reply->element[3]->integer);
    if (tasks->count > first) {
        queue_tasks_keep(tasks, call);
    }
    return true;
}

/* Asks for tasks. What came counts, whatever happened to the rest. */
static queue_outcome take_ask(take_op *t, int64_t connect_by, queue_tasks *tasks)
{
    int64_t now = platform_now();
    bool good;

    t->asked = now;
    t->answer_by = platform_after(now, queue_budget(t->op.client));
    if (t->is_waiting) {
        t->answer_by = platform_earlier(t->answer_by, platform_after(t->deadline, QUEUE_FINAL_REPLY_GRACE));
    }
    t->was_last = take_is_last(t, now);
    take_op_requests(t);
    good = queue_op_ask(&t->op, take_reserves(t), connect_by, t->answer_by, &t->error);
    t->outcome_unknown = !good && !take_reserves(t) && !take_only_leaves(t) && rl_error_is_outcome_unknown(&t->error);
    for (size_t i = 0; i < t->op.count; i++) {
        if (queue_op_is_good(&t->op, i) && !take_read_answer(t, i, tasks)) {
            queue_op_malformed(&t->op, &t->error);
            t->outcome_unknown = !take_reserves(t);
            good = false;
            break;
        }
    }
    if (good) {
        t->last_good = platform_now();
    }
    return tasks->count > 0 ? QUEUE_YES : good ? QUEUE_NO : QUEUE_FAILED;
}

/* ---- waiting ---- */

static void take_start_blpop(take_op *t, int64_t span)
{
    rl_request *request = &t->blpop.request;

    rl_request_begin(request, NULL);
    rl_request_add(request, RL_LITERAL("BLPOP"));
    if (t->is_timekeeper) {
        rl_request_add(request, queue_keys_timer(&t->op.keys));
    }
    rl_request_add(request, queue_keys_wake(&t->op.keys));
    rl_request_add_seconds(request, span, t->seconds);
    rl_conn_submit(t->op.conn, &t->blpop, platform_now());
}

/* Until a task is put before this worker, or until it shall look. False: t->error says why it broke. Where the BLPOP is
 * not answered yet, it will be, in front of what is asked next. */
static bool take_block(take_op *t)
{
    int64_t until = take_is_last(t, t->look_at) ? t->last_try_at : t->look_at;
    int64_t left = until - platform_now();
    const rl_hook *hook = &t->op.client->hook;
    rl_wake woken = RL_WAKE_EVENT;

    t->error = (rl_error){0};
    rl_call_reset(&t->blpop);
    if (left < SHORTEST_BLOCK) {
        woken = rl_wait(NULL, 0, until, hook);
    } else {
        take_start_blpop(t, left - RL_BLOCK_MARGIN);
        while (woken == RL_WAKE_EVENT && !t->blpop.answered) {
            woken = rl_wait(&t->op.conn, 1, until, hook);
        }
    }
    if (woken == RL_WAKE_HOOK) {
        t->error = RL_INTERRUPTION;
    } else if (t->blpop.answered) {
        t->error = t->blpop.error;
    }
    return t->error.kind == RL_OK;
}

/* Breaks the wait off. A wake-up that came meanwhile goes to the next, and the time is another's to keep. */
static void take_leave(take_op *t)
{
    rl_error ignored;
    rl_request request;

    if (t->pid != platform_pid()) {
        return; /* after a fork during the wait, all that is the parent's */
    }
    t->op.count = 1;
    take_op_request(t, 0, 0, false);
    request = t->op.calls[0].request;
    rl_conn_close_after(t->op.conn, &request, platform_now() + CLEANUP_GRACE);
    if (t->is_timekeeper) {
        /* What was written behind a BLPOP that goes on did not run. */
        queue_op_ask_within(&t->op, false, CLEANUP_GRACE, &ignored);
    }
}

/* Did it break in a way that is worth going on after? */
static bool take_is_transient(const take_op *t)
{
    return !t->outcome_unknown && rl_error_is_transient(&t->error);
}

/* After an error: asks again until that works, the deadline has come, or the server was away for too long. */
static queue_outcome take_recover(take_op *t, queue_tasks *tasks)
{
    const queue_client *client = t->op.client;
    queue_outcome outcome = QUEUE_FAILED;
    int64_t pause = RL_REPEAT_PAUSE;

    rl_conn_break(t->op.conn, RL_LOST, "the connection was given up");
    while (outcome == QUEUE_FAILED && take_is_transient(t)) {
        int64_t now = platform_now();
        int64_t give_up = platform_earlier(t->deadline, t->last_good + RL_RECONNECT_WINDOW);
        if (now >= give_up) {
            break;
        }
        if (rl_wait(NULL, 0, platform_earlier(give_up, now + pause), &client->hook) == RL_WAKE_HOOK) {
            return QUEUE_INTERRUPTED;
        }
        int64_t connect_by = platform_after(platform_now(), client->connect_timeout);
        outcome = take_ask(t, platform_earlier(connect_by, platform_after(give_up, LATE_CONNECT)), tasks);
        pause = platform_earlier(2 * pause, RL_LONGEST_PAUSE);
    }
    return outcome;
}

/* Was the deadline the only reason to give the last question up? A server that owes an answer for less than
 * queue_budget() is slow, not gone; and what it carries out later takes nothing. */
static bool take_is_only_late(const take_op *t)
{
    return !t->outcome_unknown && t->error.kind == RL_TIMED_OUT && t->answer_by - t->asked < queue_budget(t->op.client);
}

static queue_outcome take_wait(take_op *t, queue_tasks *tasks)
{
    queue_outcome outcome = QUEUE_NO;

    t->is_waiting = true;
    while (outcome == QUEUE_NO && !t->was_last && platform_now() < t->last_try_at) {
        if (take_block(t)) {
            outcome = take_ask(t, platform_after(platform_now(), t->op.client->connect_timeout), tasks);
        } else if (t->error.kind == RL_INTERRUPTED) {
            outcome = QUEUE_INTERRUPTED;
        } else {
            outcome = QUEUE_FAILED;
        }
        if (outcome == QUEUE_FAILED) {
            outcome = take_is_only_late(t) ? QUEUE_NO : take_recover(t, tasks);
        }
    }
    if (outcome == QUEUE_INTERRUPTED) {
        take_leave(t);
    }
    if (outcome == QUEUE_NO) {
        rl_wait(NULL, 0, t->deadline, NULL); /* the last question goes out early where the way is long */
    }
    rl_call_reset(&t->blpop);
    return outcome;
}

queue_outcome queue_take(const queue_client *client, rl_bytes name, const queue_order *order, queue_tasks *tasks,
                         rl_error *error)
{
    int64_t now = platform_now();
    queue_outcome outcome;
    take_op t;

    memset(&t, 0, sizeof(t));
    memset(tasks, 0, sizeof(*tasks));
    t.order = order;
    t.deadline = t.last_try_at = platform_after(now, order->timeout);
    t.trip = PLATFORM_NEVER;
    t.look_at = t.last_good = now;
    t.pid = platform_pid();
    platform_random_hex(t.waiter, WAITER_LEN / 2);
    queue_op_open(&t.op, client, name, (order->count + QUEUE_CHUNK - 1) / QUEUE_CHUNK);
    outcome = take_ask(&t, platform_after(now, client->connect_timeout), tasks);
    if (outcome == QUEUE_NO && order->timeout > 0) {
        t.op.count = 1;
        outcome = take_wait(&t, tasks);
    }
    *error = t.error;
    if (outcome != QUEUE_YES) {
        queue_tasks_free(tasks);
    }
    queue_op_close(&t.op);
    return outcome;
}

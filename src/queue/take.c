/* SPDX-License-Identifier: MIT
 *
 * queue/take: pop and reserve: takes tasks that are due, and waits while none is.
 *
 * A waiting worker blocks in BLPOP until a wake-up arrives or until it is to look again (see lua/inc/task_wake.lua). It
 * has one connection. The BLPOP is given a timeout that ends a little before the next look, and the script is then sent
 * behind it.
 *
 * A question must not be carried out when nobody waits for its answer any more: a task that is popped then is lost.
 * Therefore each question but the first says until when it may be carried out, by the server's clock, which the
 * answers report. At the deadline itself a pop takes nothing and only leaves: if that answer is late on a busy
 * machine, nothing is lost with it.
 */
#include "queue/take.h"

#include <stdio.h>
#include <string.h>

#include "invariant.h"
#include "platform/platform.h"
#include "queue/op.h"
#include "redis/blpop.h"
#include "redis/repeat.h"
#include "redis/scripts.h"

#define WAY_BACK     (5 * PLATFORM_MSEC) /* how much longer than the fastest answer an answer may take to get here */
#define LATEST_CLOCK (INT64_C(1) << 53)  /* the greatest time that a script can report: Lua's numbers are doubles */

#define BASE_LEN   32
#define BASE_ROOM  40
#define WAITER_LEN 24

typedef struct take_op {
    const queue_take_params *order;
    rl_blpop blpop; /* may still be open when the next question is sent behind it */
    rl_clock clock;
    int64_t last_try_at;  /* when the last question goes out: at the deadline, or a long round trip before it */
    int64_t look_at;      /* when to ask again if no wake-up comes */
    int64_t last_good;    /* when the server last gave a good answer */
    int64_t round_trip;   /* the shortest round trip so far; PLATFORM_NEVER: none was measured yet */
    int64_t clock_offset; /* the server's clock (Unix time in µs) less ours */
    int64_t process;      /* the process that waits: PHP code that runs during the wait may fork */
    bool is_waiting;      /* the first question found nothing */
    bool was_last;        /* the last question is the final one: there is no time for another */
    bool is_timekeeper;   /* this worker is the timekeeper of the queue */
    bool outcome_unknown; /* the answer to a pop is missing, and it may have taken tasks */
    rl_error error;
    char waiter[WAITER_LEN];                         /* this worker's id among those that wait */
    char bases[QUEUE_MOST / QUEUE_CHUNK][BASE_ROOM]; /* for each script what its receipts begin with */
    char digits[5][RL_DIGITS];                       /* the scripts' numbers as they are sent */
    queue_op *op;
} take_op;

/* Are the tasks reserved, rather than taken for good? */
static bool take_reserves(const take_op *t)
{
    return t->order->visibility > 0;
}

/* ---- asking ---- */

/* Returns until when, by the server's clock, the question may be carried out, 0 if at any time. The first question has
 * no such limit, since that clock is not known yet; its answer is awaited as long as that of any other call. */
static int64_t take_valid_until(const take_op *t)
{
    if (t->round_trip == PLATFORM_NEVER) {
        return 0;
    }
    int64_t reply_by = t->clock.reply_by;
    return reply_by - platform_earlier(t->round_trip / 2 + WAY_BACK, (reply_by - t->clock.sent_at) / 2) +
           t->clock_offset;
}

/* Is a question that is sent at `now` the last one, since there will be no time for another? */
static bool take_is_last(const take_op *t, int64_t now)
{
    return platform_after(now, t->round_trip == PLATFORM_NEVER ? 0 : t->round_trip) >= t->last_try_at;
}

/* Fills the request of the i-th script, which takes up to `count` tasks. With `count` 0 a waiting worker leaves by it.
 * `waits`: the worker goes on waiting if it gets nothing. If several scripts are sent, none of them enters the worker as
 * one that waits. */
static void take_op_request(take_op *t, size_t i, size_t count, bool waits)
{
    rl_request *request = queue_op_script(t->op, i, &rl_script_queue_take);
    char *digits = t->digits[count == QUEUE_CHUNK ? 0 : 1];
    bool is_waiter = t->op->session.questions == 1 && t->order->timeout > 0;

    RL_GUARD(i < sizeof(t->bases) / sizeof(*t->bases));
    RL_INVARIANT(count <= QUEUE_CHUNK);
    snprintf(t->bases[i] + BASE_LEN, BASE_ROOM - BASE_LEN, "-%u", (unsigned)i);
    rl_request_add_number(request, (int64_t)count, digits);
    rl_request_add_number(request, t->order->visibility / PLATFORM_MSEC, t->digits[2]);
    rl_request_add(request, (rl_bytes){t->bases[i], strlen(t->bases[i])});
    rl_request_add_number(request, t->op->client->max_attempts, t->digits[3]);
    rl_request_add(request, (rl_bytes){t->waiter, is_waiter ? WAITER_LEN : 0});
    rl_request_add(request, is_waiter && waits ? RL_LITERAL("1") : RL_LITERAL("0"));
    rl_request_add_number(request, count > 0 ? take_valid_until(t) : 0, t->digits[4]);
}

/* Does the question only leave, without taking tasks? That is so of the last question of a waiting pop: see the top
 * of this file. */
static bool take_only_leaves(const take_op *t)
{
    return t->is_waiting && t->was_last && !take_reserves(t);
}

/* Fills the requests of all scripts, with a new base for their receipts. */
static void take_op_requests(take_op *t)
{
    size_t left = take_only_leaves(t) ? 0 : t->order->count;
    char base[BASE_LEN];

    platform_random_hex(base, BASE_LEN / 2);
    for (size_t i = 0; i < t->op->session.questions; i++) {
        size_t count = left < QUEUE_CHUNK ? left : QUEUE_CHUNK;
        memcpy(t->bases[i], base, BASE_LEN);
        take_op_request(t, i, count, !t->was_last);
        left -= count;
    }
}

/* Is the reply a number from 0 to `most`? */
static bool is_number(const redisReply *reply, int64_t most)
{
    return rl_reply_is_count(reply) && reply->integer <= most;
}

/* Learns from an answer that has just arrived how long a round trip takes and how far the server's clock is ahead.
 * `clock` is what the answer says of it. */
static void take_learn(take_op *t, int64_t clock)
{
    int64_t now = platform_now(), sent = platform_later(t->clock.sent_at, rl_conn_ready_since(t->op->session.conns[0]));

    if (sent > now) {
        return; /* the connection is not ready: a call behind this one has broken it */
    }
    t->round_trip = platform_earlier(t->round_trip, now - sent);
    t->clock_offset = clock - (sent + (now - sent) / 2);
    t->last_try_at = rl_clock_last_try_at(&t->clock, t->order->timeout, t->round_trip, QUEUE_FINAL_REPLY_GRACE);
}

/* Is the reply {packed tasks, µs until the next look, timekeeper or not, the server's clock}? */
static rl_vote judge_taken(const rl_call *call)
{
    const redisReply *reply = call->reply;

    return reply->type == REDIS_REPLY_ARRAY && reply->elements == 4 && queue_tasks_are_packed(reply->element[0]) &&
                   is_number(reply->element[1], INT64_MAX) && is_number(reply->element[2], 1) &&
                   is_number(reply->element[3], LATEST_CLOCK)
               ? RL_VOTE_YES
               : RL_VOTE_NONE;
}

/* Reads the answer of the i-th script: appends its tasks, which keep the reply, and learns when to look again. */
static void take_read_answer(take_op *t, size_t i, queue_tasks *tasks)
{
    rl_call *call = queue_op_call(t->op, i);
    const redisReply *reply = call->reply;
    size_t first = tasks->count;
    int64_t now = platform_now();

    queue_tasks_read(tasks, reply->element[0]);
    for (size_t k = first; k < tasks->count && take_reserves(t); k++) {
        snprintf(tasks->at[k].receipt, QUEUE_RECEIPT, "%s.%zu", t->bases[i], k - first + 1);
    }
    t->look_at = rl_target_check_at(&t->op->client->target, now, platform_after(now, reply->element[1]->integer));
    t->is_timekeeper = reply->element[2]->integer != 0;
    take_learn(t, reply->element[3]->integer);
    if (tasks->count > first) {
        queue_tasks_keep(tasks, call);
    }
}

/* Returns the clock of a question that is sent at `now`. The answer to the first is awaited as long as that of any
 * other call. A wait has nothing to clean up at its end, so all the time for that is for the answer to its last
 * question. */
static rl_clock take_clock(const take_op *t, int64_t now)
{
    rl_clock clock = t->clock;

    if (!t->is_waiting) {
        return rl_clock_budget(now, queue_budget(t->op->client));
    }
    clock.deadline = platform_after(clock.deadline, RL_CLEANUP_BUDGET - RL_FINAL_REPLY_GRACE);
    return clock;
}

/* Asks once for tasks. Returns QUEUE_YES if any came, even if other scripts of the question failed; QUEUE_NO if all
 * scripts answered that there is nothing; else QUEUE_FAILED, with t->error and t->outcome_unknown. */
static queue_outcome take_ask(take_op *t, queue_tasks *tasks)
{
    int64_t now = platform_now();
    /* From then on it is the waiter that asks again, with the hook: a wait may go on for hours. */
    const rl_policy taking = {
        .judge = judge_taken, .repeats = take_reserves(t), .repeat_by = now + queue_budget(t->op->client)};
    rl_clock clock = take_clock(t, now);

    t->was_last = take_is_last(t, now);
    rl_clock_ask(&clock, &t->op->client->target, now);
    t->clock.sent_at = clock.sent_at;
    t->clock.reply_by = clock.reply_by;
    take_op_requests(t);
    bool good = rl_session_ask(&t->op->session, &clock, &taking, &t->error);
    t->outcome_unknown = !good && !take_reserves(t) && !take_only_leaves(t) && rl_error_is_outcome_unknown(&t->error);
    for (size_t i = 0; i < t->op->session.questions; i++) {
        if (queue_op_is_good(t->op, i)) {
            take_read_answer(t, i, tasks);
        }
    }
    if (good) {
        t->last_good = platform_now();
    }
    return tasks->count > 0 ? QUEUE_YES : good ? QUEUE_NO : QUEUE_FAILED;
}

/* ---- waiting ---- */

/* Sends the BLPOP, with a timeout of `span`. The timekeeper also blocks on its own list, which is served first. */
static void take_start_blpop(take_op *t, int64_t span)
{
    const rl_bytes lists[] = {queue_keys_timer(&t->op->keys), queue_keys_wake(&t->op->keys)};
    size_t first = t->is_timekeeper ? 0 : 1;

    rl_blpop_start(&t->blpop, t->op->session.conns[0], lists + first, 2 - first, span);
}

/* Blocks until a wake-up arrives or until this worker is to look again. Returns false, with t->error, if the wait was
 * interrupted or the BLPOP failed. The BLPOP may still be open when this returns: its answer comes in front of the
 * answer to the next question. */
static bool take_block(take_op *t)
{
    int64_t wake_at = take_is_last(t, t->look_at) ? t->last_try_at : t->look_at;
    int64_t span = rl_blpop_span(wake_at - platform_now());
    const rl_hook *hook = &t->op->client->target.hook;
    rl_wake woken = RL_WAKE_EVENT;

    t->error = (rl_error){0};
    rl_call_reset(&t->blpop.call);
    if (span == 0) {
        woken = rl_wait(NULL, 0, wake_at, hook);
    } else {
        take_start_blpop(t, span);
        while (woken == RL_WAKE_EVENT && !t->blpop.call.answered) {
            woken = rl_wait(t->op->session.conns, 1, wake_at, hook);
        }
    }
    if (woken == RL_WAKE_HOOK) {
        t->error = RL_INTERRUPTION;
    } else if (t->blpop.call.answered) {
        t->error = t->blpop.call.error;
    }
    return t->error.kind == RL_OK;
}

/* Leaves an interrupted wait. A wake-up that this worker has received is passed on to the next, and another worker
 * becomes the timekeeper. Closes the connection, whose BLPOP may be open. */
static void take_leave(take_op *t)
{
    static const rl_policy leaving = {.judge = judge_taken};
    rl_session *session = &t->op->session;

    if (t->process != platform_process()) {
        return; /* a fork during the wait: the connection and the wait are the parent's */
    }
    session->questions = 1;
    take_op_request(t, 0, 0, false);
    rl_conn_close_after(session->conns[0], &session->calls[0].request, rl_clock_cleanup(&t->clock));
    if (t->is_timekeeper) {
        /* Redis does not run the request that is written behind a BLPOP that still blocks when the connection is
         * closed. So the timekeeper leaves once more, over a new connection. */
        rl_clock_cleanup(&t->clock);
        rl_session_ask_once(session, &t->clock, &leaving);
    }
}

/* After an error: asks again, with pauses, until that works, the deadline has come, the server has given no good
 * answer for too long, or tasks may have been taken without an answer. Returns what the last question came
 * to, or QUEUE_INTERRUPTED. */
static queue_outcome take_recover(take_op *t, queue_tasks *tasks)
{
    const rl_target *target = &t->op->client->target;
    queue_outcome outcome = QUEUE_FAILED;
    rl_repeat repeat;

    if (t->blpop.call.conn != NULL || !rl_error_is_of_slot(&t->error)) {
        rl_conn_break(t->op->session.conns[0], RL_LOST, "the connection was given up");
    }
    rl_repeat_begin_waiting(&repeat, target, t->clock.deadline, t->last_good);
    while (outcome == QUEUE_FAILED && !t->outcome_unknown && rl_repeat_again(&repeat, &t->error)) {
        outcome = take_ask(t, tasks);
    }
    return outcome == QUEUE_FAILED && t->error.kind == RL_INTERRUPTED ? QUEUE_INTERRUPTED : outcome;
}

/* Was the last question given up only because of the deadline? A server that owes an answer for less than
 * queue_budget() is slow, not gone; and if it carries the question out later, that takes nothing: see
 * take_valid_until(). */
static bool take_is_only_late(const take_op *t)
{
    return !t->outcome_unknown && t->error.kind == RL_TIMED_OUT &&
           t->clock.reply_by - t->clock.sent_at < queue_budget(t->op->client);
}

/* Blocks and asks in turn after a first question that found nothing. Returns QUEUE_YES with tasks; QUEUE_NO at the
 * deadline; QUEUE_INTERRUPTED after leaving the wait; QUEUE_FAILED with t->error. Expects a single question: only
 * then do the scripts know the worker as one that waits. Gives the BLPOP's reply back, and breaks the connection if
 * it has none. */
static queue_outcome take_wait(take_op *t, queue_tasks *tasks)
{
    queue_outcome outcome = QUEUE_NO;

    RL_INVARIANT(t->op->session.questions == 1);
    t->is_waiting = true;
    /* The timekeeper asks once more even when its time is over: by that it leaves. */
    while (outcome == QUEUE_NO && !t->was_last && (t->is_timekeeper || platform_now() < t->last_try_at)) {
        if (take_block(t)) {
            outcome = take_ask(t, tasks);
        } else if (t->error.kind == RL_INTERRUPTED) {
            outcome = QUEUE_INTERRUPTED;
        } else {
            outcome = QUEUE_FAILED;
        }
        if (outcome == QUEUE_FAILED && take_is_only_late(t)) {
            outcome = QUEUE_NO;
            break;
        }
        if (outcome == QUEUE_FAILED) {
            outcome = take_recover(t, tasks);
        }
    }
    if (outcome == QUEUE_INTERRUPTED) {
        take_leave(t);
    }
    if (outcome == QUEUE_NO) {
        rl_wait(NULL, 0, t->clock.deadline, NULL); /* the last question went out early if round trips are long */
    }
    rl_call_reset(&t->blpop.call);
    return outcome;
}

/* The first question goes out as several scripts if `count` is more than one script deals with. A wait sends one script
 * only, so that the worker stands in line once: after a wait it gets QUEUE_CHUNK tasks at most. */
queue_outcome queue_take(const queue_client *client, rl_bytes name, const queue_take_params *order, queue_tasks *tasks,
                         rl_error *error)
{
    int64_t now = platform_now();
    queue_outcome outcome;
    queue_op op; /* apart from the rest, which is zeroed: it is large */
    take_op t = {.order = order,
                 .clock = rl_clock_budget(now, order->timeout),
                 .look_at = now,
                 .last_good = now,
                 .round_trip = PLATFORM_NEVER,
                 .process = platform_process(),
                 .op = &op};

    t.last_try_at = t.clock.deadline;
    *tasks = (queue_tasks){0};
    platform_random_hex(t.waiter, WAITER_LEN / 2);
    queue_op_open(&op, client, name, (order->count + QUEUE_CHUNK - 1) / QUEUE_CHUNK);
    outcome = take_ask(&t, tasks);
    if (outcome == QUEUE_NO && order->timeout > 0) {
        op.session.questions = 1;
        outcome = take_wait(&t, tasks);
    }
    *error = t.error;
    if (outcome != QUEUE_YES) {
        queue_tasks_free(tasks);
    }
    queue_op_close(&op);
    return outcome;
}

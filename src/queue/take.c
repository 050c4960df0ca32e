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
#include "queue/exchange.h"
#include "redis/scripts.h"

#define SHORTEST_BLOCK (REDIS_BLOCK_MARGIN + PLATFORM_MSEC) /* less than a millisecond would be for ever */

#define PARTING      (10 * PLATFORM_MSEC) /* that a wait which was broken off may take to say so */
#define WAY_BACK     (5 * PLATFORM_MSEC)  /* that an answer may take longer than the fastest to get here */
#define LATEST_CLOCK (INT64_C(1) << 53)   /* that a script can tell */
#define LATE_CONNECT (25 * PLATFORM_MSEC) /* after the deadline, at most */

#define BASE_LEN   32
#define BASE_ROOM  40
#define WAITER_LEN 24

typedef struct taking {
    const queue_order *order;
    queue_exchange x;
    redis_call block; /* the BLPOP, in front of what is asked next */
    int64_t deadline;
    int64_t last_call; /* when the last question is put: then, or a long round trip before */
    int64_t look_at;   /* when to ask again */
    int64_t last_good; /* when the server last gave a good answer */
    int64_t asked;     /* when it was last asked, over a connection that was ready */
    int64_t trip;      /* the shortest round trip so far; PLATFORM_NEVER: none yet */
    int64_t ahead;     /* of our clock, the server's */
    int64_t answer_by; /* until when the question under way is waited for */
    int64_t pid;       /* whose wait it is: PHP code that runs meanwhile may fork */
    bool is_waiting;   /* it has asked once, and found nothing */
    bool was_last;     /* what it asked last: it will not look again */
    bool is_keeper;    /* of the time, for all who wait */
    bool may_be_lost;  /* what was taken last: the answer to a pop is missing */
    redis_error error;
    char waiter[WAITER_LEN];
    char bases[QUEUE_MOST / QUEUE_CHUNK][BASE_ROOM]; /* with which the receipts of each script begin */
    char digits[5][REDIS_DIGITS];
    char seconds[REDIS_DIGITS];
} taking;

static bool reserves(const taking *t)
{
    return t->order->visibility > 0;
}

/* ---- asking ---- */

/* By when, on the server's clock, what is asked now is to be carried out; 0: whenever. The first question has no such
 * limit, since nobody knows that clock yet; it is waited for as long as any other call. */
static int64_t valid_until(const taking *t)
{
    if (t->trip == PLATFORM_NEVER) {
        return 0;
    }
    return t->answer_by - platform_earlier(t->trip / 2 + WAY_BACK, (t->answer_by - t->asked) / 2) + t->ahead;
}

/* Is a question that is put at `now` the last, since there will be no time for another? */
static bool is_last(const taking *t, int64_t now)
{
    return platform_after(now, t->trip == PLATFORM_NEVER ? 0 : t->trip) >= t->last_call;
}

/* The i-th script; with `count` 0, a waiting worker leaves by it. Where a call wants more than one script deals with,
 * several are sent, and none of them enters the worker as one that waits. */
static void take_request(taking *t, size_t i, size_t count, bool waits)
{
    redis_request *request = queue_exchange_script(&t->x, i, &redis_script_queue_take);
    char *digits = t->digits[count == QUEUE_CHUNK ? 0 : 1];
    bool known = t->x.count == 1 && t->order->timeout > 0;

    snprintf(t->bases[i] + BASE_LEN, BASE_ROOM - BASE_LEN, "-%u", (unsigned)i);
    redis_request_add_number(request, (int64_t)count, digits);
    redis_request_add_number(request, t->order->visibility / PLATFORM_MSEC, t->digits[2]);
    redis_request_add(request, (redis_bytes){t->bases[i], strlen(t->bases[i])});
    redis_request_add_number(request, t->x.client->max_attempts, t->digits[3]);
    redis_request_add(request, (redis_bytes){t->waiter, known ? WAITER_LEN : 0});
    redis_request_add(request, known && waits ? REDIS_LITERAL("1") : REDIS_LITERAL("0"));
    redis_request_add_number(request, count > 0 ? valid_until(t) : 0, t->digits[4]);
}

/* Does it only leave by what it asks now? */
static bool only_leaves(const taking *t)
{
    return t->is_waiting && t->was_last && !reserves(t);
}

static void take_requests(taking *t)
{
    size_t left = only_leaves(t) ? 0 : t->order->count;
    char base[BASE_LEN];

    platform_random_hex(base, BASE_LEN / 2);
    for (size_t i = 0; i < t->x.count; i++) {
        size_t count = left < QUEUE_CHUNK ? left : QUEUE_CHUNK;
        memcpy(t->bases[i], base, BASE_LEN);
        take_request(t, i, count, !t->was_last);
        left -= count;
    }
}

static bool is_number(const redisReply *reply, int64_t most)
{
    return redis_reply_is_count(reply) && reply->integer <= most;
}

/* Learns from an answer that has come just now how long a round trip takes, and what the server's clock says. Where a trip
 * takes a good part of the last word's time, the last question must go out before the deadline. */
static void learn(taking *t, int64_t clock)
{
    int64_t now = platform_now(), sent = platform_later(t->asked, redis_node_ready_since(t->x.node));

    if (sent > now) {
        return; /* what was asked behind it has broken the connection */
    }
    t->trip = platform_earlier(t->trip, now - sent);
    t->ahead = clock - (sent + (now - sent) / 2);
    if (t->deadline != PLATFORM_NEVER) {
        int64_t lead = t->trip > QUEUE_LAST_WORD / 3 ? t->trip : 0;
        t->last_call = t->deadline - platform_earlier(lead, t->order->timeout / 2);
    }
}

/* Takes the answer of the i-th script. False: it is none. */
static bool read_take(taking *t, size_t i, queue_tasks *tasks)
{
    redis_call *call = &t->x.calls[i];
    const redisReply *reply = call->reply;
    size_t first = tasks->count;

    if (reply->type != REDIS_REPLY_ARRAY || reply->elements != 4 || !is_number(reply->element[1], INT64_MAX) ||
        !is_number(reply->element[2], 1) || !is_number(reply->element[3], LATEST_CLOCK) ||
        !queue_tasks_read(tasks, reply->element[0])) {
        tasks->count = first;
        return false;
    }
    for (size_t k = first; k < tasks->count && reserves(t); k++) {
        snprintf(tasks->at[k].receipt, QUEUE_RECEIPT, "%s.%zu", t->bases[i], k - first + 1);
    }
    t->look_at = platform_after(platform_now(), reply->element[1]->integer);
    t->is_keeper = reply->element[2]->integer != 0;
    learn(t, reply->element[3]->integer);
    if (tasks->count > first) {
        queue_tasks_keep(tasks, call);
    }
    return true;
}

/* Asks for tasks. What came counts, whatever happened to the rest. */
static queue_outcome ask(taking *t, int64_t connect_by, queue_tasks *tasks)
{
    int64_t now = platform_now();
    bool good;

    t->asked = now;
    t->answer_by = platform_after(now, queue_budget(t->x.client));
    if (t->is_waiting) {
        t->answer_by = platform_earlier(t->answer_by, platform_after(t->deadline, QUEUE_LAST_WORD));
    }
    t->was_last = is_last(t, now);
    take_requests(t);
    good = queue_exchange_ask(&t->x, reserves(t), connect_by, t->answer_by, &t->error);
    t->may_be_lost = !good && !reserves(t) && !only_leaves(t) && redis_error_is_unknown(&t->error);
    for (size_t i = 0; i < t->x.count; i++) {
        if (queue_exchange_is_good(&t->x, i) && !read_take(t, i, tasks)) {
            queue_exchange_malformed(&t->x, &t->error);
            t->may_be_lost = !reserves(t);
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

static void start_block(taking *t, int64_t span)
{
    redis_request *request = &t->block.request;

    redis_request_begin(request, NULL);
    redis_request_add(request, REDIS_LITERAL("BLPOP"));
    if (t->is_keeper) {
        redis_request_add(request, queue_keys_timer(&t->x.keys));
    }
    redis_request_add(request, queue_keys_wake(&t->x.keys));
    redis_request_add_seconds(request, span, t->seconds);
    redis_node_submit(t->x.node, &t->block, platform_now());
}

/* Until a task is put before this worker, or until it shall look. False: t->error says why it broke. Where the BLPOP is
 * not answered yet, it will be, in front of what is asked next. */
static bool block(taking *t)
{
    int64_t until = is_last(t, t->look_at) ? t->last_call : t->look_at;
    int64_t left = until - platform_now();
    const redis_hook *hook = &t->x.client->hook;
    redis_woken woken = REDIS_WOKEN;

    t->error = (redis_error){0};
    redis_call_reset(&t->block);
    if (left < SHORTEST_BLOCK) {
        woken = redis_wait(NULL, 0, until, hook);
    } else {
        start_block(t, left - REDIS_BLOCK_MARGIN);
        while (woken == REDIS_WOKEN && !t->block.answered) {
            woken = redis_wait(&t->x.node, 1, until, hook);
        }
    }
    if (woken == REDIS_HOOK_SAYS) {
        t->error = REDIS_INTERRUPTION;
    } else if (t->block.answered) {
        t->error = t->block.error;
    }
    return t->error.kind == REDIS_FINE;
}

/* Breaks the wait off. A wake-up that came meanwhile goes to the next, and the time is another's to keep. */
static void leave(taking *t)
{
    redis_error ignored;
    redis_request request;

    if (t->pid != platform_pid()) {
        return; /* after a fork during the wait, all that is the parent's */
    }
    t->x.count = 1;
    take_request(t, 0, 0, false);
    request = t->x.calls[0].request;
    redis_node_part(t->x.node, &request, platform_now() + PARTING);
    if (t->is_keeper) {
        /* What was written behind a BLPOP that goes on did not run. */
        queue_exchange_ask_within(&t->x, false, PARTING, &ignored);
    }
}

/* Did it break in a way that is worth going on after? */
static bool passes(const taking *t)
{
    return !t->may_be_lost && redis_error_passes(&t->error);
}

/* After an error: asks again until that works, the deadline has come, or the server was away for too long. */
static queue_outcome recover(taking *t, queue_tasks *tasks)
{
    const queue_client *client = t->x.client;
    queue_outcome outcome = QUEUE_FAILED;
    int64_t pause = REDIS_REPEAT_PAUSE;

    redis_node_break(t->x.node, REDIS_LOST, "the connection was given up");
    while (outcome == QUEUE_FAILED && passes(t)) {
        int64_t now = platform_now();
        int64_t give_up = platform_earlier(t->deadline, t->last_good + REDIS_PATIENCE);
        if (now >= give_up) {
            break;
        }
        if (redis_wait(NULL, 0, platform_earlier(give_up, now + pause), &client->hook) == REDIS_HOOK_SAYS) {
            return QUEUE_INTERRUPTED;
        }
        int64_t connect_by = platform_after(platform_now(), client->connect_timeout);
        outcome = ask(t, platform_earlier(connect_by, platform_after(give_up, LATE_CONNECT)), tasks);
        pause = platform_earlier(2 * pause, REDIS_LONGEST_PAUSE);
    }
    return outcome;
}

/* Was the deadline the only reason to give the last question up? A server that owes an answer for less than
 * queue_budget() is slow, not gone; and what it carries out later takes nothing. */
static bool is_only_late(const taking *t)
{
    return !t->may_be_lost && t->error.kind == REDIS_TIMED_OUT && t->answer_by - t->asked < queue_budget(t->x.client);
}

static queue_outcome wait_for_task(taking *t, queue_tasks *tasks)
{
    queue_outcome outcome = QUEUE_NO;

    t->is_waiting = true;
    while (outcome == QUEUE_NO && !t->was_last && platform_now() < t->last_call) {
        if (block(t)) {
            outcome = ask(t, platform_after(platform_now(), t->x.client->connect_timeout), tasks);
        } else if (t->error.kind == REDIS_INTERRUPTED) {
            outcome = QUEUE_INTERRUPTED;
        } else {
            outcome = QUEUE_FAILED;
        }
        if (outcome == QUEUE_FAILED) {
            outcome = is_only_late(t) ? QUEUE_NO : recover(t, tasks);
        }
    }
    if (outcome == QUEUE_INTERRUPTED) {
        leave(t);
    }
    if (outcome == QUEUE_NO) {
        redis_wait(NULL, 0, t->deadline, NULL); /* the last question goes out early where the way is long */
    }
    redis_call_reset(&t->block);
    return outcome;
}

queue_outcome queue_take(const queue_client *client, redis_bytes name, const queue_order *order, queue_tasks *tasks,
                         redis_error *error)
{
    int64_t now = platform_now();
    queue_outcome outcome;
    taking t;

    memset(&t, 0, sizeof(t));
    memset(tasks, 0, sizeof(*tasks));
    t.order = order;
    t.deadline = t.last_call = platform_after(now, order->timeout);
    t.trip = PLATFORM_NEVER;
    t.look_at = t.last_good = now;
    t.pid = platform_pid();
    platform_random_hex(t.waiter, WAITER_LEN / 2);
    queue_exchange_open(&t.x, client, name, (order->count + QUEUE_CHUNK - 1) / QUEUE_CHUNK);
    outcome = ask(&t, platform_after(now, client->connect_timeout), tasks);
    if (outcome == QUEUE_NO && order->timeout > 0) {
        t.x.count = 1;
        outcome = wait_for_task(&t, tasks);
    }
    *error = t.error;
    if (outcome != QUEUE_YES) {
        queue_tasks_free(tasks);
    }
    queue_exchange_close(&t.x);
    return outcome;
}

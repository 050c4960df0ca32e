/* SPDX-License-Identifier: MIT
 *
 * queue/queue: see queue/queue.h; taking, which may wait, is in queue/take.c.
 */
#include "queue/queue.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platform.h"
#include "queue/exchange.h"
#include "redis/scripts.h"

int64_t queue_budget(const queue_client *client)
{
    return platform_later(client->connect_timeout, client->read_timeout);
}

static bool are_counts(const redisReply *reply, size_t count)
{
    if (reply->type != REDIS_REPLY_ARRAY || reply->elements != count) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (!redis_reply_is_count(reply->element[i])) {
            return false;
        }
    }
    return true;
}

/* ---- ids in ---- */

/* How many scripts so many ids take, at least one. */
static size_t chunks(size_t count)
{
    return count == 0 ? 1 : (count + QUEUE_CHUNK - 1) / QUEUE_CHUNK;
}

/* Those of the i-th script. */
static void add_chunk(redis_request *request, const redis_bytes *ids, size_t count, size_t i)
{
    size_t from = i * QUEUE_CHUNK;

    request->more = ids + from;
    request->more_count = count - from < QUEUE_CHUNK ? count - from : QUEUE_CHUNK;
}

/* So long an enqueue is sent again when its answer was lost, at most, */
#define REPEATED_FOR (60 * PLATFORM_SEC)
/* and so much longer its receipt is kept: for a request that arrives late. */
#define RECEIPT_SPARE (5 * PLATFORM_SEC)

#define NUMBER_LEN 20 /* decimal digits, so that the later of two calls is the greater string */
#define TOKEN_LEN  24 /* random */

/* Writes a name for a new call of this client. Two that take each other for the same client, being copies of one process,
 * have other tokens. */
static void name_call(queue_caller *caller, char out[NUMBER_LEN + TOKEN_LEN])
{
    char digits[NUMBER_LEN + 1];

    if (caller->pid != platform_pid()) {
        caller->pid = platform_pid();
        platform_random_hex(caller->id, sizeof(caller->id) / 2);
    }
    snprintf(digits, sizeof(digits), "%020" PRId64, ++caller->calls);
    memcpy(out, digits, NUMBER_LEN);
    platform_random_hex(out + NUMBER_LEN, TOKEN_LEN / 2);
}

/* Asks all scripts of the exchange, which answer with how many tasks they entered, and closes it. */
static queue_outcome enter(queue_exchange *x, bool repeatable, int64_t budget, redis_error *error)
{
    long long entered = 0;
    bool good = queue_exchange_ask_within(x, repeatable, budget, error);

    for (size_t i = 0; i < x->count && good; i++) {
        good = redis_reply_is_count(x->calls[i].reply);
        if (!good) {
            queue_exchange_malformed(x, error);
        } else {
            entered += x->calls[i].reply->integer;
        }
    }
    queue_exchange_close(x);
    return !good ? QUEUE_FAILED : entered > 0 ? QUEUE_YES : QUEUE_NO;
}

queue_outcome queue_enqueue(const queue_client *client, redis_bytes name, const redis_bytes *ids, size_t count,
                            int64_t delay, bool replace, int64_t budget, redis_error *error)
{
    redis_bytes caller = {client->caller->id, sizeof(client->caller->id)};
    queue_exchange x;
    queue_outcome outcome;
    char call[NUMBER_LEN + TOKEN_LEN], digits[2][REDIS_DIGITS];

    name_call(client->caller, call);
    queue_exchange_open(&x, client, name, chunks(count));
    x.repeat_by = platform_now() + REPEATED_FOR;
    size_t room = x.keys.all[0].len + caller.len + QUEUE_RECEIPT_ROOM;
    char *receipts = platform_alloc(x.count * room);
    for (size_t i = 0; i < x.count; i++) {
        redis_request *request = queue_exchange_script(&x, i, &redis_script_queue_enqueue);
        redis_request_add(request, queue_receipt_key(receipts + i * room, &x.keys, caller, i));
        request->keys++;
        redis_request_add(request, (redis_bytes){call, sizeof(call)});
        redis_request_add_number(request, (platform_earlier(budget, REPEATED_FOR) + RECEIPT_SPARE) / PLATFORM_MSEC,
                                 digits[0]);
        redis_request_add_number(request, delay / PLATFORM_MSEC, digits[1]);
        redis_request_add(request, replace ? REDIS_LITERAL("1") : REDIS_LITERAL("0"));
        add_chunk(request, ids, count, i);
    }
    outcome = enter(&x, true, budget, error);
    free(receipts);
    return outcome;
}

queue_outcome queue_put_back(const queue_client *client, redis_bytes name, const queue_tasks *tasks, redis_error *error)
{
    queue_exchange x;

    queue_exchange_open(&x, client, name, tasks->reply_count);
    for (size_t i = 0; i < x.count; i++) {
        const redisReply *packed = tasks->replies[i]->element[0];
        redis_request *request = queue_exchange_script(&x, i, &redis_script_queue_put_back);
        redis_request_add(request, (redis_bytes){packed->str, (size_t)packed->len});
    }
    return enter(&x, false, queue_budget(client), error); /* sent twice, it might enter what was taken in between */
}

/* ---- yes or no ---- */

/* Asks the one script of the exchange, which answers 1 or 0, and closes it. Where a connection was lost it is asked
 * again, and a 1 is then a yes; a 0 may be the answer to what the first one did, so nobody knows. */
static queue_outcome vote(queue_exchange *x, int64_t budget, redis_error *error)
{
    queue_outcome outcome = QUEUE_FAILED;
    redis_error lost = {0};
    int64_t until = platform_after(platform_now(), budget);

    if (!queue_exchange_ask_within(x, false, budget, error) && error->kind == REDIS_LOST) {
        lost = *error;
        queue_exchange_ask_within(x, true, platform_later(until - platform_now(), 1), error);
    }
    if (queue_exchange_is_good(x, 0)) {
        if (!redis_reply_is_count(x->calls[0].reply)) {
            queue_exchange_malformed(x, error);
        } else if (x->calls[0].reply->integer > 0) {
            outcome = QUEUE_YES;
        } else if (lost.kind == REDIS_FINE) {
            outcome = QUEUE_NO;
        } else {
            *error = lost;
        }
    }
    queue_exchange_close(x);
    return outcome;
}

queue_outcome queue_dequeue(const queue_client *client, redis_bytes name, redis_bytes id, double score, int64_t budget,
                            redis_error *error)
{
    queue_exchange x;
    redis_request *request;
    uint64_t bits;
    char bytes[8];

    memcpy(&bits, &score, sizeof(bits));
    for (size_t i = 0; i < sizeof(bytes); i++) {
        bytes[i] = (char)(bits >> (56 - 8 * i));
    }
    queue_exchange_open(&x, client, name, 1);
    request = queue_exchange_script(&x, 0, &redis_script_queue_dequeue);
    redis_request_add(request, id);
    redis_request_add(request, (redis_bytes){bytes, sizeof(bytes)});
    return vote(&x, budget, error);
}

queue_outcome queue_settle(const queue_client *client, redis_bytes name, queue_word word, redis_bytes id,
                           redis_bytes receipt, int64_t span, redis_error *error)
{
    static const char *const words[] = {[QUEUE_ACK] = "ack", [QUEUE_RELEASE] = "release", [QUEUE_TOUCH] = "touch"};
    queue_exchange x;
    redis_request *request;
    char digits[2][REDIS_DIGITS];

    queue_exchange_open(&x, client, name, 1);
    request = queue_exchange_script(&x, 0, &redis_script_queue_settle);
    redis_request_add(request, (redis_bytes){words[word], strlen(words[word])});
    redis_request_add(request, id);
    redis_request_add(request, receipt);
    redis_request_add_number(request, span / PLATFORM_MSEC, digits[0]);
    redis_request_add_number(request, client->max_attempts, digits[1]);
    return vote(&x, queue_budget(client), error);
}

/* ---- looking ---- */

/* Asks the one script of the exchange, which answers with tasks, and closes it. */
static queue_outcome list(queue_exchange *x, queue_tasks *tasks, redis_error *error)
{
    bool good = queue_exchange_ask_within(x, true, queue_budget(x->client), error);

    if (good && !queue_tasks_read(tasks, x->calls[0].reply)) {
        queue_exchange_malformed(x, error);
        queue_tasks_free(tasks);
        good = false;
    }
    if (good) {
        queue_tasks_keep(tasks, &x->calls[0]);
    }
    queue_exchange_close(x);
    return !good ? QUEUE_FAILED : tasks->count > 0 ? QUEUE_YES : QUEUE_NO;
}

queue_outcome queue_top(const queue_client *client, redis_bytes name, size_t count, queue_tasks *tasks,
                        redis_error *error)
{
    queue_exchange x;
    redis_request *request;
    char digits[2][REDIS_DIGITS];

    memset(tasks, 0, sizeof(*tasks));
    queue_exchange_open(&x, client, name, 1);
    request = queue_exchange_script(&x, 0, &redis_script_queue_top);
    redis_request_add_number(request, (int64_t)count, digits[0]);
    redis_request_add_number(request, client->max_attempts, digits[1]);
    return list(&x, tasks, error);
}

queue_outcome queue_dead(const queue_client *client, redis_bytes name, size_t count, queue_tasks *tasks,
                         redis_error *error)
{
    queue_exchange x;
    redis_request *request;
    char digits[REDIS_DIGITS];

    memset(tasks, 0, sizeof(*tasks));
    queue_exchange_open(&x, client, name, 1);
    request = queue_exchange_script(&x, 0, &redis_script_queue_dead);
    redis_request_add_number(request, (int64_t)count, digits);
    return list(&x, tasks, error);
}

queue_outcome queue_stats(const queue_client *client, redis_bytes name, queue_counts *counts, redis_error *error)
{
    queue_exchange x;
    bool good;

    queue_exchange_open(&x, client, name, 1);
    queue_exchange_script(&x, 0, &redis_script_queue_stats);
    good = queue_exchange_ask_within(&x, true, queue_budget(client), error);
    if (good && !are_counts(x.calls[0].reply, 4)) {
        queue_exchange_malformed(&x, error);
        good = false;
    }
    if (good) {
        redisReply **each = x.calls[0].reply->element;
        *counts = (queue_counts){each[0]->integer, each[1]->integer, each[2]->integer, each[3]->integer};
    }
    queue_exchange_close(&x);
    return good ? QUEUE_YES : QUEUE_FAILED;
}

/* ---- dead ones back ---- */

/* One round of requests. Returns how many tasks are dead still, or -1: it failed. */
static int64_t requeue_round(queue_exchange *x, const redis_bytes *ids, size_t count, int64_t *moved,
                             redis_error *error)
{
    int64_t left = 0;
    bool good;

    for (size_t i = 0; i < x->count; i++) {
        redis_request *request = queue_exchange_script(x, i, &redis_script_queue_requeue);
        if (ids != NULL) {
            add_chunk(request, ids, count, i);
        }
    }
    /* Sent twice, it would tell less than it did. */
    good = queue_exchange_ask_within(x, false, queue_budget(x->client), error);
    for (size_t i = 0; i < x->count && queue_exchange_is_good(x, i); i++) {
        const redisReply *reply = x->calls[i].reply;
        if (!are_counts(reply, 2) || reply->element[0]->integer > QUEUE_CHUNK) {
            queue_exchange_malformed(x, error);
            return -1;
        }
        *moved += reply->element[0]->integer;
        left = reply->element[1]->integer;
    }
    return good ? left : -1;
}

/* All that were dead at the first round: tasks may die as fast as they are made due. */
static queue_outcome requeue_all(queue_exchange *x, int64_t *moved, redis_error *error)
{
    int64_t wanted = PLATFORM_NEVER, before, left;

    for (;;) {
        before = *moved;
        left = requeue_round(x, NULL, 0, moved, error);
        if (left < 0) {
            return QUEUE_FAILED;
        }
        if (wanted == PLATFORM_NEVER) {
            wanted = platform_after(*moved, left);
        }
        if (left == 0 || *moved == before || *moved >= wanted) {
            return *moved > 0 ? QUEUE_YES : QUEUE_NO;
        }
        if (redis_wait(NULL, 0, platform_now(), &x->client->hook) == REDIS_HOOK_SAYS) {
            return QUEUE_INTERRUPTED;
        }
    }
}

queue_outcome queue_requeue(const queue_client *client, redis_bytes name, const redis_bytes *ids, size_t count,
                            int64_t *moved, redis_error *error)
{
    queue_exchange x;
    queue_outcome outcome;

    *moved = 0;
    queue_exchange_open(&x, client, name, ids != NULL ? chunks(count) : 1);
    if (ids == NULL) {
        outcome = requeue_all(&x, moved, error);
    } else if (requeue_round(&x, ids, count, moved, error) < 0) {
        outcome = QUEUE_FAILED;
    } else {
        outcome = *moved > 0 ? QUEUE_YES : QUEUE_NO;
    }
    queue_exchange_close(&x);
    return outcome;
}

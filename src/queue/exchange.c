/* SPDX-License-Identifier: MIT
 *
 * queue/exchange: see queue/exchange.h.
 */
#include "queue/exchange.h"

#include <stdlib.h>
#include <string.h>

#include "platform.h"

void queue_exchange_open(queue_exchange *x, const queue_client *client, redis_bytes name, size_t count)
{
    memset(x, 0, sizeof(*x));
    x->client = client;
    x->count = x->room = count;
    x->repeat_by = PLATFORM_NEVER;
    x->calls = platform_zalloc(count * sizeof(*x->calls));
    x->node = redis_pool_take(client->pool, client->endpoint);
    queue_keys_init(&x->keys, client->prefix, name);
}

void queue_exchange_close(queue_exchange *x)
{
    for (size_t i = 0; i < x->room; i++) {
        redis_call_reset(&x->calls[i]);
    }
    redis_pool_give(x->client->pool, x->node);
    free(x->calls);
    queue_keys_free(&x->keys);
}

redis_request *queue_exchange_script(queue_exchange *x, size_t i, const redis_script *script)
{
    redis_request *request = &x->calls[i].request;

    redis_call_reset(&x->calls[i]);
    redis_request_begin(request, script);
    queue_keys_add(request, &x->keys);
    return request;
}

bool queue_exchange_is_good(const queue_exchange *x, size_t i)
{
    return x->calls[i].answered && x->calls[i].error.kind == REDIS_FINE;
}

/* Where there are several, the first brings the script with it: so a server that does not know it yet knows it for the
 * others, and one round trip is enough. */
static void send_open(queue_exchange *x, int64_t connect_by)
{
    bool whole = x->count > 1;

    for (size_t i = 0; i < x->count; i++) {
        if (!queue_exchange_is_good(x, i)) {
            redis_call_reset(&x->calls[i]);
            x->calls[i].whole = whole;
            x->calls[i].more = i + 1 < x->count;
            redis_node_submit(x->node, &x->calls[i], connect_by);
            whole = false;
        }
    }
}

/* Waits for all, up to the first whose connection fails. */
static void await(queue_exchange *x, int64_t until)
{
    for (size_t i = 0; i < x->count; i++) {
        redis_call *call = &x->calls[i];
        int64_t patience = platform_after(platform_now(), queue_budget(x->client));
        redis_call_wait(call, platform_earlier(until, patience), NULL);
        if (call->error.kind != REDIS_FINE && call->error.kind != REDIS_ERROR_REPLY) {
            return;
        }
    }
}

/* The first call's that has no good answer; all fine where every one has. */
static redis_error first_error(const queue_exchange *x)
{
    for (size_t i = 0; i < x->count; i++) {
        if (!queue_exchange_is_good(x, i)) {
            return x->calls[i].error;
        }
    }
    return (redis_error){0};
}

bool queue_exchange_ask(queue_exchange *x, bool repeatable, int64_t connect_by, int64_t until, redis_error *error)
{
    int64_t pause = REDIS_REPEAT_PAUSE;
    redis_error first = {0};

    for (;;) {
        send_open(x, connect_by);
        await(x, until);
        *error = first_error(x);
        if (error->kind == REDIS_FINE) {
            return true;
        }
        if (error->kind != REDIS_ERROR_REPLY) {
            redis_node_break(x->node, REDIS_LOST, "the connection was given up");
        }
        if (!repeatable || !redis_error_keep_first(error, &first) ||
            platform_now() >= platform_earlier(until, x->repeat_by)) {
            return false;
        }
        redis_wait(NULL, 0, platform_earlier(until, platform_now() + pause), NULL);
        pause = platform_earlier(2 * pause, REDIS_LONGEST_PAUSE);
        connect_by = platform_earlier(until, platform_after(platform_now(), x->client->connect_timeout));
    }
}

bool queue_exchange_ask_within(queue_exchange *x, bool repeatable, int64_t budget, redis_error *error)
{
    int64_t now = platform_now();
    int64_t until = platform_after(now, budget);

    return queue_exchange_ask(x, repeatable, platform_earlier(until, platform_after(now, x->client->connect_timeout)),
                              until, error);
}

void queue_exchange_malformed(queue_exchange *x, redis_error *error)
{
    *error = REDIS_WRONG_REPLY;
    redis_node_break(x->node, REDIS_LOST, "another reply was malformed");
}

/* ---- tasks ---- */

#define HEADER 16 /* bytes before each id: score, attempts, length of the id */

static uint64_t big_endian(const char *bytes, size_t len)
{
    uint64_t number = 0;

    for (size_t i = 0; i < len; i++) {
        number = number << 8 | (unsigned char)bytes[i];
    }
    return number;
}

static void add_task(queue_tasks *tasks, const char *header, size_t id_len)
{
    queue_task *task;
    uint64_t score = big_endian(header, 8);

    if ((tasks->count & (tasks->count - 1)) == 0) { /* full at each power of two */
        tasks->at = platform_realloc(tasks->at, (tasks->count > 0 ? 2 * tasks->count : 1) * sizeof(*tasks->at));
    }
    task = &tasks->at[tasks->count++];
    memcpy(&task->score, &score, sizeof(score));
    task->attempts = (int64_t)big_endian(header + 8, 4);
    task->id = (redis_bytes){header + HEADER, id_len};
    task->receipt[0] = '\0';
}

bool queue_tasks_read(queue_tasks *tasks, const redisReply *packed)
{
    const char *at = packed->str, *end;

    if (packed->type != REDIS_REPLY_STRING) {
        return false;
    }
    end = at + packed->len;
    while (at < end) {
        size_t id_len;
        if (end - at < HEADER || (id_len = (size_t)big_endian(at + 12, 4)) > (size_t)(end - at - HEADER)) {
            return false;
        }
        add_task(tasks, at, id_len);
        at += HEADER + id_len;
    }
    return true;
}

void queue_tasks_keep(queue_tasks *tasks, redis_call *call)
{
    tasks->replies = platform_realloc(tasks->replies, (tasks->reply_count + 1) * sizeof(*tasks->replies));
    tasks->replies[tasks->reply_count++] = call->reply;
    call->reply = NULL;
}

void queue_tasks_free(queue_tasks *tasks)
{
    for (size_t i = 0; i < tasks->reply_count; i++) {
        freeReplyObject(tasks->replies[i]);
    }
    free(tasks->replies);
    free(tasks->at);
    memset(tasks, 0, sizeof(*tasks));
}

/* SPDX-License-Identifier: MIT
 *
 * queue/tasks: see queue/tasks.h.
 */
#include "queue/tasks.h"

#include <stdlib.h>
#include <string.h>

#include "invariant.h"
#include "platform/platform.h"

/* Bytes in front of each id, all big endian: the score (8), the attempts (4), the length of the id (4). They are packed
 * by lua/inc/task_pack.lua. */
#define HEADER 16

static uint64_t big_endian(const char *bytes, size_t len)
{
    uint64_t number = 0;

    for (size_t i = 0; i < len; i++) {
        number = number << 8 | (unsigned char)bytes[i];
    }
    return number;
}

/* Appends the task with this header, whose id of `id_len` bytes follows the header and is not copied. */
static void add_task(queue_tasks *tasks, const char *header, size_t id_len)
{
    queue_task *task;
    uint64_t score = big_endian(header, 8);

    if ((tasks->count & (tasks->count - 1)) == 0) { /* the array is full at each power of two */
        tasks->at = platform_realloc(tasks->at, (tasks->count > 0 ? 2 * tasks->count : 1) * sizeof(*tasks->at));
    }
    task = &tasks->at[tasks->count++];
    memcpy(&task->score, &score, sizeof(score));
    task->attempts = (int64_t)big_endian(header + 8, 4);
    task->id = (rl_bytes){header + HEADER, id_len};
    task->receipt[0] = '\0';
}

/* The lengths come from the server, so each is checked against the bytes that are left. */
bool queue_tasks_are_packed(const redisReply *packed)
{
    size_t at = 0, len = (size_t)packed->len;

    if (packed->type != REDIS_REPLY_STRING) {
        return false;
    }
    while (at < len) {
        size_t id_len;
        if (len - at < HEADER || (id_len = (size_t)big_endian(packed->str + at + 12, 4)) > len - at - HEADER) {
            return false;
        }
        at += HEADER + id_len;
    }
    return true;
}

bool queue_tasks_read(queue_tasks *tasks, const redisReply *packed)
{
    size_t at = 0;

    if (!queue_tasks_are_packed(packed)) {
        return false;
    }
    while (at < (size_t)packed->len) {
        size_t id_len = (size_t)big_endian(packed->str + at + 12, 4);
        add_task(tasks, packed->str + at, id_len);
        at += HEADER + id_len;
    }
    return true;
}

void queue_tasks_keep(queue_tasks *tasks, rl_call *call)
{
    RL_INVARIANT(call->reply != NULL);
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

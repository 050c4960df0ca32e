/* SPDX-License-Identifier: MIT
 *
 * queue/queue: see queue/queue.h. queue_take(), which may wait, is in queue/take.c.
 */
#include "queue/queue.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "invariant.h"
#include "platform/platform.h"
#include "queue/op.h"
#include "redis/scripts.h"

/* How scripts are asked that may be carried out twice, and those that may not, with a judge for each kind of reply. */
#define ASK_AGAIN(read) ((rl_policy){.judge = (read), .repeats = true})
#define ASK_ONCE(read)  ((rl_policy){.judge = (read)})

/* Is the reply an array of `count` numbers, none of them negative? */
static bool are_counts(const redisReply *reply, size_t count)
{
    if (reply->type != REDIS_REPLY_ARRAY || reply->elements != count) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (!rl_reply_is_count(reply->element[i])) {
            return false;
        }
    }
    return true;
}

/* ---- ids in ---- */

/* Returns how many scripts it takes to send `count` ids, at least one. */
static size_t chunks(size_t count)
{
    return count == 0 ? 1 : (count + QUEUE_CHUNK - 1) / QUEUE_CHUNK;
}

/* Adds the ids that the i-th script deals with to its request. They are not copied. */
static void add_chunk(rl_request *request, const rl_bytes *ids, size_t count, size_t i)
{
    size_t from = i * QUEUE_CHUNK;

    RL_INVARIANT(from <= count);
    request->more = ids + from;
    request->more_count = count - from < QUEUE_CHUNK ? count - from : QUEUE_CHUNK;
}

/* How long an enqueue whose answer was lost is sent again, at most. */
#define REPEATED_FOR (60 * PLATFORM_SEC)
/* How long the receipt of an enqueue is kept behind the end of the last repeat, for a request that arrives late. */
#define RECEIPT_SPARE (5 * PLATFORM_SEC)

#define NUMBER_LEN 20 /* decimal digits, with leading zeros: the later of two calls has the greater string */
#define TOKEN_LEN  24 /* random hex digits */

/* Writes a name for a new call of this client: its number and a random token. Copies of one process may use the same
 * client id and number without knowing it; the token tells their calls apart. */
static void name_call(queue_caller *caller, char out[NUMBER_LEN + TOKEN_LEN])
{
    char digits[NUMBER_LEN + 1];

    if (caller->process != platform_process()) {
        caller->process = platform_process();
        platform_random_hex(caller->id, sizeof(caller->id) / 2);
    }
    snprintf(digits, sizeof(digits), "%020" PRId64, ++caller->calls);
    memcpy(out, digits, NUMBER_LEN);
    platform_random_hex(out + NUMBER_LEN, TOKEN_LEN / 2);
}

/* Runs the scripts of `op`, each of which answers with the number of tasks that it entered, and closes `op`. Returns
 * QUEUE_YES if any task was entered, QUEUE_NO if none was, QUEUE_FAILED with `error` if any script failed. */
static queue_outcome enter_tasks(queue_op *op, int64_t budget, const rl_policy *policy, rl_error *error)
{
    long long entered = 0;
    bool good = queue_op_ask(op, budget, policy, error);

    for (size_t i = 0; i < op->session.questions && good; i++) {
        entered += queue_op_call(op, i)->reply->integer;
    }
    queue_op_close(op);
    return !good ? QUEUE_FAILED : entered > 0 ? QUEUE_YES : QUEUE_NO;
}

/* Returns for how long the receipt of an enqueue is kept. A repeat that begins just before the repeats end has the
 * target's budget: behind the receipt's time it would enter the tasks a second time. */
static int64_t receipt_life(const queue_client *client, int64_t budget)
{
    return platform_earlier(budget, REPEATED_FOR + queue_budget(client)) + RECEIPT_SPARE;
}

/* May be repeated, since each script leaves a receipt at a key of its own, which outlives the repeats. */
queue_outcome queue_enqueue(const queue_client *client, rl_bytes name, const rl_bytes *ids, size_t count, int64_t delay,
                            bool replace, int64_t budget, rl_error *error)
{
    rl_bytes caller = {client->caller->id, sizeof(client->caller->id)};
    rl_policy entering = ASK_AGAIN(rl_judge_count);
    queue_op op;
    queue_outcome outcome;
    char call[NUMBER_LEN + TOKEN_LEN], digits[2][RL_DIGITS];

    name_call(client->caller, call);
    queue_op_open(&op, client, name, chunks(count));
    entering.repeat_by = platform_now() + REPEATED_FOR;
    size_t room = op.keys.all[0].len + caller.len + QUEUE_RECEIPT_ROOM;
    char *receipts = platform_alloc(op.session.questions * room);
    for (size_t i = 0; i < op.session.questions; i++) {
        rl_request *request = queue_op_script(&op, i, &rl_script_queue_enqueue);
        rl_request_add(request, queue_receipt_key(receipts + i * room, &op.keys, caller, i));
        request->keys++;
        rl_request_add(request, (rl_bytes){call, sizeof(call)});
        rl_request_add_number(request, receipt_life(client, budget) / PLATFORM_MSEC, digits[0]);
        rl_request_add_number(request, delay / PLATFORM_MSEC, digits[1]);
        rl_request_add(request, replace ? RL_LITERAL("1") : RL_LITERAL("0"));
        add_chunk(request, ids, count, i);
    }
    outcome = enter_tasks(&op, budget, &entering, error);
    free(receipts);
    return outcome;
}

/* Sends the packed tasks of each reply back to the server as they came. Not repeated: a repeat might enter tasks that
 * were taken in between. */
queue_outcome queue_put_back(const queue_client *client, rl_bytes name, const queue_tasks *tasks, rl_error *error)
{
    queue_op op;

    queue_op_open(&op, client, name, tasks->reply_count);
    for (size_t i = 0; i < op.session.questions; i++) {
        const redisReply *packed = tasks->replies[i]->element[0];
        rl_request *request = queue_op_script(&op, i, &rl_script_queue_put_back);
        rl_request_add(request, (rl_bytes){packed->str, (size_t)packed->len});
    }
    return enter_tasks(&op, queue_budget(client), &ASK_ONCE(rl_judge_count), error);
}

/* ---- yes or no ---- */

/* Runs the one script of `op`, which answers 1 or 0, and closes `op`. If the connection is lost, the script is sent
 * again. A 1 from a later run means yes. A 0 from it may be due to what the first run did: the outcome is unknown. */
static queue_outcome ask_yes_or_no(queue_op *op, int64_t budget, rl_error *error)
{
    queue_outcome outcome = QUEUE_FAILED;

    if (queue_op_ask(op, budget, &ASK_AGAIN(rl_judge_count), error)) {
        if (queue_op_call(op, 0)->reply->integer > 0) {
            outcome = QUEUE_YES;
        } else if (!rl_session_was_repeated(&op->session, 0)) {
            outcome = QUEUE_NO;
        } else {
            *error = (rl_error){RL_LOST, "", "a reply was lost, so it is not known whether this was done"};
        }
    }
    queue_op_close(op);
    return outcome;
}

/* Sends the score as the eight bytes of a double, so that the script compares exactly the score that the caller saw. */
queue_outcome queue_dequeue(const queue_client *client, rl_bytes name, rl_bytes id, double score, int64_t budget,
                            rl_error *error)
{
    queue_op op;
    rl_request *request;
    uint64_t bits;
    char bytes[8];

    memcpy(&bits, &score, sizeof(bits));
    for (size_t i = 0; i < sizeof(bytes); i++) {
        bytes[i] = (char)(bits >> (56 - 8 * i));
    }
    queue_op_open(&op, client, name, 1);
    request = queue_op_script(&op, 0, &rl_script_queue_dequeue);
    rl_request_add(request, id);
    rl_request_add(request, (rl_bytes){bytes, sizeof(bytes)});
    return ask_yes_or_no(&op, budget, error);
}

/* All three words are one script, since all of them hold or fail by the same check of the receipt. The script ignores
 * the arguments that its word does not need. */
queue_outcome queue_settle(const queue_client *client, rl_bytes name, queue_disposition disposition, rl_bytes id,
                           rl_bytes receipt, int64_t span, rl_error *error)
{
    static const char *const names[] = {[QUEUE_ACK] = "ack", [QUEUE_RELEASE] = "release", [QUEUE_TOUCH] = "touch"};
    queue_op op;
    rl_request *request;
    char digits[2][RL_DIGITS];

    queue_op_open(&op, client, name, 1);
    request = queue_op_script(&op, 0, &rl_script_queue_settle);
    rl_request_add(request, (rl_bytes){names[disposition], strlen(names[disposition])});
    rl_request_add(request, id);
    rl_request_add(request, receipt);
    rl_request_add_number(request, span / PLATFORM_MSEC, digits[0]);
    rl_request_add_number(request, client->max_attempts, digits[1]);
    return ask_yes_or_no(&op, queue_budget(client), error);
}

/* ---- looking ---- */

static rl_vote judge_tasks(const rl_call *call)
{
    return queue_tasks_are_packed(call->reply) ? RL_VOTE_YES : RL_VOTE_NONE;
}

/* Runs the one script of `op`, which answers with packed tasks, appends these to `tasks` and closes `op`. Returns
 * QUEUE_YES, QUEUE_NO if there are no tasks, or QUEUE_FAILED with `error`. */
static queue_outcome list_tasks(queue_op *op, queue_tasks *tasks, rl_error *error)
{
    bool good = queue_op_ask(op, queue_budget(op->client), &ASK_AGAIN(judge_tasks), error);

    if (good) {
        queue_tasks_read(tasks, queue_op_call(op, 0)->reply);
        queue_tasks_keep(tasks, queue_op_call(op, 0));
    }
    queue_op_close(op);
    return !good ? QUEUE_FAILED : tasks->count > 0 ? QUEUE_YES : QUEUE_NO;
}

queue_outcome queue_top(const queue_client *client, rl_bytes name, size_t count, queue_tasks *tasks, rl_error *error)
{
    queue_op op;
    rl_request *request;
    char digits[2][RL_DIGITS];

    memset(tasks, 0, sizeof(*tasks));
    queue_op_open(&op, client, name, 1);
    request = queue_op_script(&op, 0, &rl_script_queue_top);
    rl_request_add_number(request, (int64_t)count, digits[0]);
    rl_request_add_number(request, client->max_attempts, digits[1]);
    return list_tasks(&op, tasks, error);
}

queue_outcome queue_dead(const queue_client *client, rl_bytes name, size_t count, queue_tasks *tasks, rl_error *error)
{
    queue_op op;
    rl_request *request;
    char digits[RL_DIGITS];

    memset(tasks, 0, sizeof(*tasks));
    queue_op_open(&op, client, name, 1);
    request = queue_op_script(&op, 0, &rl_script_queue_dead);
    rl_request_add_number(request, (int64_t)count, digits);
    return list_tasks(&op, tasks, error);
}

static rl_vote judge_stats(const rl_call *call)
{
    return are_counts(call->reply, 4) ? RL_VOTE_YES : RL_VOTE_NONE;
}

/* The order of the four numbers is that of the reply of lua/queue_stats.lua. */
queue_outcome queue_stats(const queue_client *client, rl_bytes name, queue_counts *counts, rl_error *error)
{
    queue_op op;

    queue_op_open(&op, client, name, 1);
    queue_op_script(&op, 0, &rl_script_queue_stats);
    bool good = queue_op_ask(&op, queue_budget(client), &ASK_AGAIN(judge_stats), error);
    if (good) {
        redisReply **each = queue_op_call(&op, 0)->reply->element;
        *counts = (queue_counts){each[0]->integer, each[1]->integer, each[2]->integer, each[3]->integer};
    }
    queue_op_close(&op);
    return good ? QUEUE_YES : QUEUE_FAILED;
}

/* ---- dead ones back ---- */

static rl_vote judge_requeued(const rl_call *call)
{
    return are_counts(call->reply, 2) && call->reply->element[0]->integer <= QUEUE_CHUNK ? RL_VOTE_YES : RL_VOTE_NONE;
}

/* Runs the scripts of `op` once, over `ids`, or with `ids` NULL over the tasks that died first. Adds to `moved` how
 * many tasks were made due. Returns how many tasks are still dead, or -1 with `error` if a script failed. Not repeated:
 * the answer to a repeat would not count the tasks that the first request moved. */
static int64_t requeue_round(queue_op *op, const rl_bytes *ids, size_t count, int64_t *moved, rl_error *error)
{
    int64_t left = 0;

    for (size_t i = 0; i < op->session.questions; i++) {
        rl_request *request = queue_op_script(op, i, &rl_script_queue_requeue);
        if (ids != NULL) {
            add_chunk(request, ids, count, i);
        }
    }
    bool good = queue_op_ask(op, queue_budget(op->client), &ASK_ONCE(judge_requeued), error);
    for (size_t i = 0; i < op->session.questions && queue_op_is_good(op, i); i++) {
        *moved += queue_op_call(op, i)->reply->element[0]->integer;
        left = queue_op_call(op, i)->reply->element[1]->integer;
    }
    return good ? left : -1;
}

/* Makes due as many tasks as were dead at the first round, in rounds. It does not go on until none is dead: tasks may
 * die as fast as they are made due. Outcome and `moved` are those of queue_requeue(). */
static queue_outcome requeue_all(queue_op *op, int64_t *moved, rl_error *error)
{
    int64_t wanted = PLATFORM_NEVER, before, left;

    for (;;) {
        before = *moved;
        left = requeue_round(op, NULL, 0, moved, error);
        if (left < 0) {
            return QUEUE_FAILED;
        }
        if (wanted == PLATFORM_NEVER) {
            wanted = platform_after(*moved, left);
        }
        if (left == 0 || *moved == before || *moved >= wanted) {
            return *moved > 0 ? QUEUE_YES : QUEUE_NO;
        }
        if (rl_wait(NULL, 0, platform_now(), &op->client->target.hook) == RL_WAKE_HOOK) {
            return QUEUE_INTERRUPTED;
        }
    }
}

/* Ids that the caller names fit into one round trip, as several scripts. All dead tasks may not, so
 * requeue_all() sends one script after another over the same connection. */
queue_outcome queue_requeue(const queue_client *client, rl_bytes name, const rl_bytes *ids, size_t count,
                            int64_t *moved, rl_error *error)
{
    queue_op op;
    queue_outcome outcome;

    *moved = 0;
    queue_op_open(&op, client, name, ids != NULL ? chunks(count) : 1);
    if (ids == NULL) {
        outcome = requeue_all(&op, moved, error);
    } else if (requeue_round(&op, ids, count, moved, error) < 0) {
        outcome = QUEUE_FAILED;
    } else {
        outcome = *moved > 0 ? QUEUE_YES : QUEUE_NO;
    }
    queue_op_close(&op);
    return outcome;
}

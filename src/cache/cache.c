/* SPDX-License-Identifier: MIT
 *
 * cache/cache: see cache/cache.h.
 */
#include "cache/cache.h"

#include <stdlib.h>
#include <string.h>

#include "lock/keys.h"
#include "lock/attempt.h"
#include "platform.h"
#include "redis/scripts.h"
#include "redis/exchange.h"

#define HEADER_LEN 15 /* bytes before a value in Redis: digits of the server's time in ms until which it is fresh */

typedef enum fetch_step {
    STEP_DONE,   /* fetch_op.outcome is set */
    STEP_WAIT,   /* another client builds the value */
    STEP_FAILED, /* the error of the answer says why */
} fetch_step;

/* One cache_fetch() under way. */
typedef struct fetch_op {
    const lock_client *client;
    const cache_question *question;
    cache_answer *answer;
    cache_outcome outcome;
    lock_keys keys;
    lock_value_keys value_keys;
    int64_t deadline;      /* when the wait ends; the last question is to be answered by then */
    int64_t last_try_at;   /* when the last question is sent: at `deadline`, or earlier where a round trip is long */
    int64_t until;         /* when everything but the final reply ends */
    int64_t hard_deadline; /* when the call must be over, cleaning up included */
    int64_t pid;           /* the process that made the call: PHP code that runs during the wait may fork */
    bool waits;
    bool asked;           /* a question was sent before */
    bool outcome_unknown; /* the outcome of an earlier question is unknown */
    bool baton_unknown;   /* a BLPOP was broken off, and may have been served a baton */
    bool is_last;         /* the question under way is the last: it enters no queue */
    int64_t last_good;    /* when the server last gave a good answer; 0: not yet */
    int64_t ask_again;    /* when to ask again, if nothing wakes the call before; 0: it has not waited */
    rl_exchange exchange;
    rl_call blpop; /* the BLPOP, in front of the next question */
    char token[LOCK_BUILDER_LEN];
    char waiter[LOCK_WAITER_LEN];
    char baton[LOCK_BATON_LEN];
    char served[LOCK_BATON_LEN]; /* the baton that this call was served; its first byte is NUL where there is none */
    char digits[4][RL_DIGITS];
    char seconds[RL_DIGITS];
} fetch_op;

/* ---- requests ---- */

static void add_value_keys(rl_request *request, const lock_keys *keys, const lock_value_keys *value_keys, bool fence)
{
    lock_keys_add(request, keys, false);
    rl_request_add(request, value_keys->wake);
    rl_request_add(request, value_keys->value);
    if (fence) {
        rl_request_add(request, keys->fence);
    }
    request->keys = request->argc;
}

static rl_bytes served_bytes(const fetch_op *f)
{
    return (rl_bytes){f->served, f->served[0] != '\0' ? LOCK_BATON_LEN : 0};
}

/* Returns the span in ms, rounded up, or `never` for PLATFORM_NEVER. */
static int64_t ms_or(int64_t span, int64_t never)
{
    return span == PLATFORM_NEVER ? never : rl_span_ms(span);
}

/* Makes `request` the question: the script with the arguments that lua/cache_fetch.lua names. They point into `f`, so
 * it serves one request at a time. */
static void fetch_request(fetch_op *f, rl_request *request)
{
    int64_t left = f->deadline == PLATFORM_NEVER ? f->deadline : f->deadline - platform_now();
    /* The script adds it to a time, in floating point: the sum must stay exact. */
    int64_t stale = platform_earlier(ms_or(f->question->stale, INT64_MAX), INT64_C(1000000000000000));

    rl_request_begin(request, &rl_script_cache_fetch);
    add_value_keys(request, &f->keys, &f->value_keys, f->client->fencing);
    rl_request_add(request, (rl_bytes){f->token, LOCK_BUILDER_LEN});
    rl_request_add_number(request, rl_span_ms(f->question->duration), f->digits[0]);
    rl_request_add(request, (rl_bytes){f->waiter, LOCK_WAITER_LEN});
    rl_request_add_number(request, f->is_last ? 0 : ms_or(left, -1), f->digits[1]);
    rl_request_add_number(request, f->client->max_waiters, f->digits[2]);
    rl_request_add(request, f->outcome_unknown ? RL_LITERAL("2") : f->asked ? RL_LITERAL("1") : RL_LITERAL("0"));
    rl_request_add(request, served_bytes(f));
    rl_request_add_number(request, f->question->kept_here ? stale : -1, f->digits[3]);
}

/* Makes `request` the one that gives back whatever this call may have been given: the lock, a baton, its place in the
 * queue. */
static void fetch_undo_request(fetch_op *f, rl_request *request)
{
    rl_request_begin(request, &rl_script_release);
    lock_keys_add(request, &f->keys, false);
    rl_request_add(request, (rl_bytes){f->token, LOCK_BUILDER_LEN});
    lock_random_baton(f->baton);
    rl_request_add(request, (rl_bytes){f->baton, LOCK_BATON_LEN});
    rl_request_add(request, (rl_bytes){f->waiter, LOCK_WAITER_LEN});
    rl_request_add(request, f->baton_unknown ? RL_LITERAL("*") : served_bytes(f));
}

/* Leaves to the backlog the release of what the script may have taken without telling: nobody learns whether an undo
 * was carried out. In a forked child it is the parent's. */
static void fetch_release_untold_later(const fetch_op *f)
{
    if (f->outcome_unknown && f->pid == platform_pid()) {
        lock_release_token_later(f->client, f->question->name, (rl_bytes){f->token, LOCK_BUILDER_LEN},
                                 f->question->duration);
    }
}

static void fetch_draw_token(fetch_op *f)
{
    lock_random_builder(f->token);
    f->outcome_unknown = false;
}

static void fetch_draw_ids(fetch_op *f)
{
    fetch_draw_token(f);
    lock_random_value_waiter(f->waiter);
    f->served[0] = '\0';
}

/* ---- what a BLPOP brings ---- */

/* What an element of the wake list says. */
typedef enum wake_word {
    WAKE_NONE,  /* the BLPOP brought no word */
    WAKE_BUILT, /* the value has been built */
    WAKE_VALUE, /* the value has been built, and came with it: the answer has it, or a newer one */
} wake_word;

static void fetch_keep_value(fetch_op *f, const char *bytes, size_t len)
{
    free(f->answer->value);
    f->answer->value_len = len - HEADER_LEN;
    f->answer->value = platform_memdup(bytes + HEADER_LEN, f->answer->value_len);
}

/* Reads what the BLPOP has brought, if it was answered, and resets it. Returns the word; a baton goes to f->served. A
 * value goes to the answer, unless `fresh`: the answer has a newer one. */
static wake_word fetch_read_blpop(fetch_op *f, bool fresh)
{
    const redisReply *reply = f->blpop.reply;
    wake_word brought = WAKE_NONE;

    if (!f->blpop.answered) {
        return brought;
    }
    if (reply != NULL && reply->type == REDIS_REPLY_ARRAY && reply->elements == 2 &&
        reply->element[1]->type == REDIS_REPLY_STRING) {
        rl_bytes element = {reply->element[1]->str, (size_t)reply->element[1]->len};
        if (element.len == LOCK_BATON_LEN && lock_token_is_baton(element)) {
            memcpy(f->served, element.at, LOCK_BATON_LEN);
        } else if (f->question->kept_here && element.len >= HEADER_LEN) {
            if (!fresh) {
                fetch_keep_value(f, element.at, element.len);
            }
            brought = WAKE_VALUE;
        } else {
            brought = WAKE_BUILT;
        }
    }
    rl_call_reset(&f->blpop);
    return brought;
}

/* ---- leaving ---- */

/* Closes the connection, behind an undo of what was under way. */
static void fetch_close(fetch_op *f)
{
    bool blocked = f->blpop.conn != NULL;
    rl_request undo;

    f->baton_unknown |= blocked;
    fetch_read_blpop(f, true); /* a baton that it has brought is handed on by the undo */
    fetch_undo_request(f, &undo);
    bool sent = rl_exchange_close_after(&f->exchange, &undo, lock_cleanup_deadline(f->hard_deadline));
    bool unknown = f->outcome_unknown && !sent;
    fetch_release_untold_later(f);
    /* The question and its undo may be carried out late, so the token is not used again. What stands behind an open
     * BLPOP does not run if the connection ends first, so the call may still queue under its waiter id. */
    (sent && !blocked ? fetch_draw_ids : fetch_draw_token)(f);
    f->outcome_unknown = unknown;
    rl_call_reset(&f->blpop);
}

/* Leaves the queue, and gives back what this call may have been given. */
static void fetch_leave(fetch_op *f)
{
    int64_t until = lock_cleanup_deadline(f->hard_deadline);
    rl_request undo;

    if (f->pid != platform_pid()) {
        return; /* after a fork during the wait, the place in the queue is the parent's */
    }
    fetch_undo_request(f, &undo);
    if (!rl_exchange_ask(&f->exchange, &undo, until, until, NULL)) {
        rl_exchange_close_after(&f->exchange, &undo, platform_now());
    }
}

/* ---- asking ---- */

static void fetch_take_turn(fetch_op *f, int64_t sent, int64_t fence)
{
    f->outcome = CACHE_TURN;
    lock_lease_fill(&f->answer->lease, (rl_bytes){f->token, LOCK_BUILDER_LEN}, sent, f->question->duration, fence);
}

/* Reads the script's reply. Sets `next`, and with it f->outcome (STEP_DONE) or f->ask_again (STEP_WAIT). Returns
 * false where the reply is malformed. */
static bool fetch_read_answer(fetch_op *f, int64_t sent, fetch_step *next)
{
    const redisReply *reply = f->exchange.call.reply;
    const redisReply *what;
    long long status;

    if (reply->type != REDIS_REPLY_ARRAY || reply->elements != 2 || reply->element[0]->type != REDIS_REPLY_INTEGER) {
        return false;
    }
    status = reply->element[0]->integer;
    what = reply->element[1];
    *next = STEP_DONE;
    if (status == 1 || status == 2) {
        if (what->type != REDIS_REPLY_STRING || (size_t)what->len < HEADER_LEN) {
            return false;
        }
        f->outcome = status == 1 ? CACHE_FRESH : CACHE_STALE;
        fetch_keep_value(f, what->str, (size_t)what->len);
        return true;
    }
    if (what->type != REDIS_REPLY_INTEGER || what->integer < 0 || status < -1 || status > 3) {
        return false;
    }
    if (status == 3) {
        fetch_take_turn(f, sent, what->integer);
    } else if (status == 0 && !f->is_last) {
        *next = STEP_WAIT;
        f->ask_again = platform_earlier(f->last_try_at, platform_after(platform_now(), lock_span_of_ms(what->integer)));
    } else {
        f->outcome = CACHE_NONE;
        f->answer->full = status == -1;
    }
    return true;
}

/* Notes a good answer. Where the first round trip takes a good part of the grace for the final reply, the last
 * question is sent before the deadline, since its reply would come too late otherwise. */
static void fetch_note_answer(fetch_op *f, int64_t sent)
{
    int64_t now = platform_now(), lead = now - sent;

    if (f->last_good == 0 && f->waits && lead > LOCK_FINAL_REPLY_GRACE / 3) {
        f->last_try_at = f->deadline - platform_earlier(lead, f->question->timeout / 2);
    }
    f->last_good = now;
    f->served[0] = '\0';
    f->outcome_unknown = f->baton_unknown = false;
}

/* Sends the question, behind the BLPOP if that has no reply yet, and returns what its answer means. Where the answer
 * before was late, the last question is sent past the deadline, and may take what is left of the call. After
 * STEP_FAILED the connection is closed, and the error is in the answer. */
static fetch_step fetch_ask(fetch_op *f)
{
    const lock_client *client = f->client;
    int64_t now = platform_now();
    int64_t until = platform_later(f->until, now);
    int64_t answer_by =
        platform_after(platform_earlier(until, platform_after(now, lock_budget(client))), LOCK_FINAL_REPLY_GRACE);
    rl_request request;
    fetch_step next = STEP_FAILED;

    f->is_last = !f->waits || now >= f->last_try_at;
    fetch_request(f, &request);
    if (rl_exchange_ask(&f->exchange, &request, platform_earlier(until, platform_after(now, client->connect_timeout)),
                        platform_later(platform_earlier(answer_by, f->hard_deadline), now + LOCK_CLEANUP_GRACE),
                        &client->hook)) {
        if (fetch_read_answer(f, now, &next)) {
            fetch_note_answer(f, now);
        } else {
            rl_exchange_malformed(&f->exchange);
            next = STEP_FAILED;
        }
    }
    f->asked = true;
    if (next == STEP_FAILED) {
        rl_failure kind = f->exchange.call.error.kind;
        f->answer->error = f->exchange.call.error;
        f->outcome_unknown |= kind != RL_UNREACHABLE && kind != RL_REFUSED;
        fetch_close(f);
    }
    return next;
}

/* ---- waiting ---- */

/* Blocks until the call is woken or is to ask again. A BLPOP without a reply stays in front of the next question.
 * Returns false where the hook wants an end. */
static bool fetch_block(fetch_op *f)
{
    rl_request *request = &f->blpop.request;
    int64_t span = f->ask_again - platform_now() - RL_BLOCK_MARGIN;
    rl_wake woken = RL_WAKE_EVENT;

    if (span < PLATFORM_MSEC) { /* less is sent as 0: without end */
        return rl_wait(NULL, 0, f->ask_again, &f->client->hook) != RL_WAKE_HOOK;
    }
    rl_request_begin(request, NULL);
    rl_request_add(request, RL_LITERAL("BLPOP"));
    rl_request_add(request, f->value_keys.wake);
    rl_request_add(request, f->keys.baton);
    rl_request_add_seconds(request, span, f->seconds);
    rl_conn_submit(f->exchange.conn, &f->blpop, platform_now());
    while (!f->blpop.answered && woken == RL_WAKE_EVENT) {
        woken = rl_wait(&f->exchange.conn, 1, f->ask_again, &f->client->hook);
    }
    f->last_good = platform_now(); /* as far as a blocked client can know */
    return woken != RL_WAKE_HOOK;
}

/* After a failure, waits a moment before the server is asked again; doubles `pause`. Returns false, with the error in
 * the answer, where asking again would not help, there is no time, or the hook wants an end. */
static bool fetch_pause(fetch_op *f, int64_t *pause, bool repeated)
{
    rl_error *error = &f->answer->error;
    int64_t now = platform_now(), give_up = f->until;
    bool passes = rl_error_is_retriable(error, repeated);

    if (f->last_good != 0) {
        give_up = platform_earlier(give_up, f->last_good + RL_RECONNECT_WINDOW);
        passes = rl_error_is_transient(error);
    }
    if (!passes || now >= give_up) {
        return false;
    }
    if (rl_wait(NULL, 0, platform_earlier(give_up, now + *pause), &f->client->hook) == RL_WAKE_HOOK) {
        *error = RL_INTERRUPTION;
        return false;
    }
    *pause = platform_earlier(2 * *pause, RL_LONGEST_PAUSE);
    return true;
}

static cache_outcome fetch_give_up(fetch_op *f)
{
    rl_failure kind = f->answer->error.kind;

    /* Otherwise no server was reached, or it refused: nothing of this call is there. */
    if (f->last_good != 0 || f->outcome_unknown) {
        fetch_leave(f);
    }
    if (kind == RL_INTERRUPTED) {
        return CACHE_INTERRUPTED;
    }
    /* A server that was well and is slow at the deadline is no failure. */
    return kind == RL_TIMED_OUT && f->last_good != 0 && f->is_last ? CACHE_NONE : CACHE_FAILED;
}

/* Returns whether the turn to build is of use. If the lease was over when the answer came, gives the lock back and
 * draws new ids. */
static bool fetch_has_turn(fetch_op *f)
{
    rl_error ignored;

    if (lock_lease_validity(&f->answer->lease, platform_now()) > 0) {
        return true;
    }
    lock_release(f->client, f->question->name, &f->answer->lease, LOCK_CLEANUP_GRACE, &ignored);
    lock_lease_free(&f->answer->lease);
    fetch_draw_ids(f);
    return false;
}

/* Returns whether the call is over, after a good answer and what the BLPOP in front of it has brought: then
 * f->outcome is set. Otherwise the question is to be sent again, or the wait goes on. */
static bool fetch_is_over(fetch_op *f, fetch_step next, wake_word brought)
{
    if (next == STEP_DONE && f->outcome == CACHE_TURN) {
        bool late = !fetch_has_turn(f);
        f->outcome = late ? CACHE_NONE : CACHE_TURN;
        return !late || f->is_last;
    }
    if (f->served[0] != '\0') {
        return false; /* the question was sent without this baton */
    }
    if (brought == WAKE_NONE || (brought == WAKE_BUILT && f->question->kept_here)) {
        return next == STEP_DONE;
    }
    if (next == STEP_WAIT) {
        fetch_leave(f); /* the question has entered the queue again */
    }
    f->outcome = brought == WAKE_VALUE ? CACHE_FRESH : CACHE_BUILT;
    return true;
}

/* Asks, blocks and asks again until there is an outcome, and returns it. After CACHE_FAILED and CACHE_INTERRUPTED the
 * error is in the answer and the queue was left. The value in the answer may be of no use to the outcome. */
static cache_outcome fetch_run(fetch_op *f)
{
    int64_t pause = RL_REPEAT_PAUSE;
    bool repeated = false;

    for (;;) {
        fetch_step next = fetch_ask(f);
        wake_word brought = fetch_read_blpop(f, next == STEP_DONE && f->outcome == CACHE_FRESH);
        if (next == STEP_FAILED) {
            if (!fetch_pause(f, &pause, repeated)) {
                return fetch_give_up(f);
            }
            repeated = true;
            continue;
        }
        pause = RL_REPEAT_PAUSE;
        if (fetch_is_over(f, next, brought)) {
            return f->outcome;
        }
        if (next != STEP_WAIT || f->served[0] != '\0') {
            continue;
        }
        if (!fetch_block(f)) {
            f->answer->error = RL_INTERRUPTION;
            if (f->blpop.conn != NULL) {
                fetch_close(f);
            }
            fetch_read_blpop(f, true);
            return fetch_give_up(f);
        }
        if (f->blpop.answered && f->blpop.error.kind != RL_OK) {
            f->answer->error = f->blpop.error;
            rl_call_reset(&f->blpop);
            if (!fetch_pause(f, &pause, true)) {
                return fetch_give_up(f);
            }
            continue;
        }
        brought = fetch_read_blpop(f, false);
        if (brought == WAKE_VALUE) {
            return CACHE_FRESH;
        }
        if (brought == WAKE_BUILT && !f->question->kept_here) {
            return CACHE_BUILT;
        }
    }
}

/* A question or a BLPOP may bring a value before the call takes another turn, so the value is freed here unless the
 * outcome is one that comes with a value. */
cache_outcome cache_fetch(const lock_client *client, const cache_question *question, cache_answer *answer)
{
    int64_t start = platform_now();
    fetch_op f = {.client = client, .question = question, .answer = answer, .pid = platform_pid()};

    memset(answer, 0, sizeof(*answer));
    f.waits = question->timeout > 0;
    f.deadline = f.last_try_at = platform_after(start, question->timeout);
    f.until = f.waits ? f.deadline : platform_after(start, lock_budget(client));
    f.hard_deadline = platform_after(f.until, LOCK_CLEANUP_BUDGET);
    lock_keys_init(&f.keys, client->prefix, question->name);
    lock_value_keys_init(&f.value_keys, f.keys.lock);
    rl_exchange_open(&f.exchange, client->pool, &client->endpoints[0]);
    fetch_draw_ids(&f);

    cache_outcome outcome = fetch_run(&f);
    fetch_release_untold_later(&f); /* an undo that could not be sent */
    if (outcome != CACHE_FRESH && outcome != CACHE_STALE) {
        free(answer->value);
        answer->value = NULL;
    }
    int64_t waited = f.ask_again != 0 ? platform_now() - start : 0;
    client->stats->acquired += outcome == CACHE_TURN;
    client->stats->contended += waited > 0 || outcome == CACHE_NONE;
    client->stats->timed_out += waited > 0 && outcome == CACHE_NONE;
    client->stats->waited += waited;
    rl_call_reset(&f.blpop);
    rl_exchange_close(&f.exchange);
    lock_value_keys_free(&f.value_keys);
    lock_keys_free(&f.keys);
    return outcome;
}

/* ---- keeping and forgetting ---- */

/* A short request about a value, answered by 1 or 0. */
typedef struct value_op {
    const lock_client *client;
    lock_keys keys;
    lock_value_keys value_keys;
    rl_request request;
    rl_exchange exchange;
    bool repeated; /* its reply was lost once: it may have been carried out then */
    char baton[LOCK_BATON_LEN];
    char digits[2][RL_DIGITS];
} value_op;

static void value_op_open(value_op *op, const lock_client *client, rl_bytes name, const rl_script *script)
{
    memset(op, 0, sizeof(*op));
    op->client = client;
    lock_keys_init(&op->keys, client->prefix, name);
    lock_value_keys_init(&op->value_keys, op->keys.lock);
    lock_random_baton(op->baton);
    op->request.script = script;
    add_value_keys(&op->request, &op->keys, &op->value_keys, false);
    rl_exchange_open(&op->exchange, client->pool, &client->endpoints[0]);
}

static void value_op_close(value_op *op)
{
    rl_exchange_close(&op->exchange);
    lock_value_keys_free(&op->value_keys);
    lock_keys_free(&op->keys);
}

/* Sends the request, again after a lost reply. One that has no reply is written once more behind itself before the
 * connection is closed, so that a server that hangs carries it out when it goes on. Returns LOCK_YES for a 1,
 * LOCK_NOT_OWNED for a 0, otherwise LOCK_FAILED with the error. */
static lock_outcome value_op_run(value_op *op, rl_error *error)
{
    const rl_call *call = &op->exchange.call;
    int64_t until = platform_after(platform_now(), lock_budget(op->client));

    for (;;) {
        int64_t connect_by = platform_earlier(until, platform_after(platform_now(), op->client->connect_timeout));
        if (rl_exchange_ask(&op->exchange, &op->request, connect_by, platform_after(until, LOCK_FINAL_REPLY_GRACE),
                            NULL)) {
            if (call->reply->type == REDIS_REPLY_INTEGER && (call->reply->integer & ~1LL) == 0) {
                return call->reply->integer == 1 ? LOCK_YES : LOCK_NOT_OWNED;
            }
            rl_exchange_malformed(&op->exchange);
        }
        *error = call->error;
        if (call->error.kind != RL_ERROR_REPLY) {
            rl_exchange_close_after(&op->exchange, &op->request, platform_now());
        }
        if (!rl_error_is_retriable(error, op->repeated) || platform_now() >= until) {
            return LOCK_FAILED;
        }
        if (op->repeated) {
            rl_wait(NULL, 0, platform_earlier(until, platform_now() + RL_REPEAT_PAUSE), NULL);
        }
        op->repeated = true;
    }
}

/* A repeat that finds the lock gone counts as done if the lease ran at the start: the request whose reply was lost
 * did it. After an error reply the caller releases the lock; any other failure leaves the release to the backlog. */
lock_outcome cache_store(const lock_client *client, rl_bytes name, lock_lease *lease, const cache_value *value,
                         rl_error *error)
{
    bool was_ours = lock_lease_validity(lease, platform_now()) > 0;
    int64_t fresh = value != NULL ? value->fresh : PLATFORM_NEVER;
    int64_t life = value != NULL ? platform_after(fresh, value->stale) : PLATFORM_NEVER;
    value_op op;

    value_op_open(&op, client, name, &rl_script_cache_store);
    rl_request_add(&op.request, (rl_bytes){lease->token, lease->token_len});
    rl_request_add(&op.request, (rl_bytes){op.baton, LOCK_BATON_LEN});
    rl_request_add_number(&op.request, rl_span_ms(fresh), op.digits[0]);
    rl_request_add_number(&op.request, rl_span_ms(life), op.digits[1]);
    if (value != NULL) {
        rl_request_add(&op.request, value->bytes);
    }
    lock_outcome outcome = value_op_run(&op, error);
    if (outcome == LOCK_NOT_OWNED && op.repeated && was_ours) {
        outcome = LOCK_YES;
    }
    client->stats->released += outcome == LOCK_YES;
    client->stats->lost += outcome == LOCK_NOT_OWNED;
    if (outcome == LOCK_FAILED && error->kind != RL_ERROR_REPLY) {
        client->stats->unreleased++;
        lock_release_later(client, name, lease);
    }
    value_op_close(&op);
    return outcome;
}

lock_outcome cache_forget(const lock_client *client, rl_bytes name, const rl_bytes *only, rl_error *error)
{
    value_op op;

    value_op_open(&op, client, name, &rl_script_cache_forget);
    rl_request_add(&op.request, (rl_bytes){op.baton, LOCK_BATON_LEN});
    if (only != NULL) {
        rl_request_add(&op.request, *only);
    }
    lock_outcome outcome = value_op_run(&op, error);
    value_op_close(&op);
    return outcome;
}

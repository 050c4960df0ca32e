/* SPDX-License-Identifier: MIT
 *
 * cache/cache: see cache/cache.h.
 */
#include "cache/cache.h"

#include <stdlib.h>
#include <string.h>

#include "invariant.h"
#include "lock/owner.h"
#include "lock/release.h"
#include "lock/replicas.h"
#include "lock/tally.h"
#include "platform/platform.h"
#include "redis/blpop.h"
#include "redis/repeat.h"
#include "redis/scripts.h"
#include "redis/session.h"

#define HEADER_LEN 15 /* bytes before a value in Redis: digits of the server's time in ms until which it is fresh */

typedef enum fetch_step {
    STEP_DONE,   /* fetch_op.outcome is set */
    STEP_WAIT,   /* another client builds the value */
    STEP_FAILED, /* the error of the answer says why */
} fetch_step;

/* One cache_fetch() under way. */
typedef struct fetch_op {
    const lock_client *client;
    const cache_fetch_params *params;
    cache_answer *answer;
    cache_outcome outcome;
    lock_keys keys;
    lock_value_keys value_keys;
    rl_clock clock;
    int64_t last_try_at; /* when the last question is sent: at the deadline, or earlier if a round trip is long */
    int64_t process;     /* the process that made the call: PHP code that runs during the wait may fork */
    bool waits;
    bool asked;           /* a question was sent before */
    bool outcome_unknown; /* the outcome of an earlier question is unknown */
    bool baton_unknown;   /* a BLPOP was broken off, and may have been served a baton */
    bool is_last;         /* the question under way is the last: it enters no queue */
    int64_t last_good;    /* when the server last gave a good answer; 0: not yet */
    int64_t ask_again;    /* when to ask again, if nothing wakes the call before; 0: it has not waited */
    rl_blpop blpop;       /* in front of the next question */
    int64_t since_ms;     /* when the call began, as descriptions tell it: see lock/owner.h */
    size_t described;     /* how long the description is behind the digits of the token, and of the waiter's id */
    char token[LOCK_BUILDER_ROOM];
    char waiter[LOCK_WAITER_ROOM];
    char baton[LOCK_BATON_LEN];
    char served[LOCK_BATON_LEN]; /* the baton that this call was served; its first byte is NUL if there is none */
    char digits[4][RL_DIGITS];
    rl_session *session;
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

static rl_bytes token_bytes(const fetch_op *f)
{
    return (rl_bytes){f->token, LOCK_BUILDER_LEN + f->described};
}

static rl_bytes waiter_bytes(const fetch_op *f)
{
    return (rl_bytes){f->waiter, LOCK_WAITER_LEN + f->described};
}

/* The token of a turn tells since when the value is built, and not since when it was asked for. One that the server may have
 * already stays as it is. */
static void fetch_date_token(fetch_op *f)
{
    if (f->asked && !f->outcome_unknown) {
        lock_description_date(f->token + LOCK_BUILDER_LEN, f->described, lock_description_now_ms(f->client));
    }
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
    int64_t deadline = f->clock.deadline, left = deadline == PLATFORM_NEVER ? deadline : deadline - platform_now();
    /* The script adds it to a time, in floating point: the sum must stay exact. */
    int64_t stale = platform_earlier(ms_or(f->params->stale, INT64_MAX), INT64_C(1000000000000000));

    fetch_date_token(f);
    rl_request_begin(request, &rl_script_cache_fetch);
    add_value_keys(request, &f->keys, &f->value_keys, f->client->fencing);
    rl_request_add(request, token_bytes(f));
    rl_request_add_number(request, rl_span_ms(f->params->duration), f->digits[0]);
    rl_request_add(request, waiter_bytes(f));
    rl_request_add_number(request, f->is_last ? 0 : ms_or(left, -1), f->digits[1]);
    rl_request_add_number(request, f->client->max_waiters, f->digits[2]);
    rl_request_add(request, f->outcome_unknown ? RL_LITERAL("2") : f->asked ? RL_LITERAL("1") : RL_LITERAL("0"));
    rl_request_add(request, served_bytes(f));
    rl_request_add_number(request, f->params->kept_here ? stale : -1, f->digits[3]);
}

/* Makes `request` the one that gives back whatever this call may have been given: the lock, a baton, its place in the
 * queue. */
static void fetch_undo_request(fetch_op *f, rl_request *request)
{
    lock_random_baton(f->baton);
    lock_release_request(request, &f->keys,
                         &(lock_release_args){.token = token_bytes(f),
                                              .baton = {f->baton, LOCK_BATON_LEN},
                                              .leaves = true,
                                              .waiter = waiter_bytes(f),
                                              .served = f->baton_unknown ? RL_LITERAL("*") : served_bytes(f)});
}

/* Leaves to the backlog the release of what the script may have taken without telling: nobody learns whether an undo
 * was carried out. In a forked child it is the parent's. */
static void fetch_release_untold_later(const fetch_op *f)
{
    if (f->outcome_unknown && f->process == platform_process()) {
        lock_release_token_later(f->client, f->params->name, token_bytes(f), true, f->params->duration);
    }
}

static void fetch_draw_token(fetch_op *f)
{
    lock_random_builder(f->token);
    f->described = lock_description_write(f->token + LOCK_BUILDER_LEN, f->client, f->since_ms);
    f->outcome_unknown = false;
}

static void fetch_draw_ids(fetch_op *f)
{
    fetch_draw_token(f);
    lock_random_value_waiter(f->waiter);
    lock_description_write(f->waiter + LOCK_WAITER_LEN, f->client, f->since_ms);
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
    wake_word brought = WAKE_NONE;
    rl_bytes element;

    if (!f->blpop.call.answered) {
        return brought;
    }
    if (rl_blpop_element(&f->blpop, &element)) {
        if (element.len == LOCK_BATON_LEN && lock_token_is_baton(element)) {
            memcpy(f->served, element.at, LOCK_BATON_LEN);
        } else if (f->params->kept_here && element.len >= HEADER_LEN) {
            if (!fresh) {
                fetch_keep_value(f, element.at, element.len);
            }
            brought = WAKE_VALUE;
        } else {
            brought = WAKE_BUILT;
        }
    }
    rl_call_reset(&f->blpop.call);
    return brought;
}

/* ---- leaving ---- */

/* Closes the connection behind the undo. Returns whether that went out. */
static bool fetch_close_after(fetch_op *f, const rl_request *undo, int64_t close_by)
{
    rl_call_detach(&f->session->calls[0], false); /* its error stays as it is */
    return rl_conn_close_after(f->session->conns[0], undo, close_by);
}

/* Closes the connection, behind an undo of what was under way. */
static void fetch_close(fetch_op *f)
{
    bool blocked = f->blpop.call.conn != NULL;
    rl_request undo;

    f->baton_unknown |= blocked;
    fetch_read_blpop(f, true); /* a baton that it has brought is handed on by the undo */
    fetch_undo_request(f, &undo);
    bool sent = fetch_close_after(f, &undo, rl_clock_cleanup(&f->clock));
    bool unknown = f->outcome_unknown && !sent;
    fetch_release_untold_later(f);
    /* The question and its undo may be carried out late, so the token is not used again. What stands behind an open
     * BLPOP does not run if the connection ends first, so the call may still queue under its waiter id. */
    if (sent && !blocked) {
        fetch_draw_ids(f);
    } else {
        fetch_draw_token(f);
    }
    f->outcome_unknown = unknown;
    rl_call_reset(&f->blpop.call);
}

/* Leaves the queue, and gives back what this call may have been given. */
static void fetch_leave(fetch_op *f)
{
    static const rl_policy leaving = {0};
    rl_request *undo;

    if (f->process != platform_process()) {
        return; /* after a fork during the wait, the place in the queue is the parent's */
    }
    undo = rl_session_request(f->session, 0);
    fetch_undo_request(f, undo);
    rl_clock_cleanup(&f->clock);
    rl_session_round(f->session, &f->clock, &leaving);
    if (f->session->calls[0].error.kind != RL_OK) {
        fetch_close_after(f, undo, platform_now());
    }
}

/* ---- asking ---- */

static void fetch_take_turn(fetch_op *f, int64_t sent, int64_t fence)
{
    f->outcome = CACHE_TURN;
    lock_lease_fill(&f->answer->lease, token_bytes(f), platform_now(), sent, f->params->duration, fence);
    f->answer->lease.is_drawn = true;
}

/* Reads the script's reply. Sets `next`, and with it f->outcome (STEP_DONE) or f->ask_again (STEP_WAIT). Returns false if the
 * reply is malformed. */
static bool fetch_read_answer(fetch_op *f, int64_t sent, fetch_step *next)
{
    const redisReply *reply = f->session->calls[0].reply;
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
        int64_t now = platform_now(), again = platform_after(now, lock_span_of_ms(what->integer));
        f->ask_again = platform_earlier(f->last_try_at, rl_target_check_at(&f->client->target, now, again));
    } else {
        f->outcome = CACHE_NONE;
        f->answer->full = status == -1;
    }
    return true;
}

/* Notes a good answer. The first one tells how long a round trip takes. */
static void fetch_note_answer(fetch_op *f, int64_t sent)
{
    int64_t now = platform_now(), round_trip = rl_session_round_trip(f->session, sent);

    if (f->last_good == 0 && f->waits) {
        f->last_try_at = rl_clock_last_try_at(&f->clock, f->params->timeout, round_trip, RL_FINAL_REPLY_GRACE);
    }
    f->last_good = now;
    f->served[0] = '\0';
    f->outcome_unknown = f->baton_unknown = false;
}

/* Sends the question, behind the BLPOP if that has no reply yet, and returns what its answer means. If the answer before was
 * late, the last question is sent past the deadline, and may take what is left of the call. After STEP_FAILED the connection is
 * closed, and the error is in the answer. */
static fetch_step fetch_ask(fetch_op *f)
{
    const rl_target *target = &f->client->target;
    const rl_policy asking = {.hook = &target->hook};
    rl_call *call = f->session->calls;
    int64_t now = platform_now();
    fetch_step next = STEP_FAILED;

    f->is_last = !f->waits || now >= f->last_try_at;
    fetch_request(f, rl_session_request(f->session, 0));
    rl_clock_ask(&f->clock, target, now);
    rl_session_round(f->session, &f->clock, &asking);
    f->asked = true;
    if (call->error.kind == RL_OK) {
        if (fetch_read_answer(f, now, &next)) {
            fetch_note_answer(f, now);
            return next;
        }
        call->error = RL_WRONG_REPLY;
    }
    f->answer->error = call->error;
    if (rl_error_is_of_slot(&call->error) && f->blpop.call.conn == NULL) {
        return STEP_FAILED; /* nothing is to be undone */
    }
    f->outcome_unknown |= !rl_error_passed_before_running(&call->error) && call->error.kind != RL_REFUSED;
    fetch_close(f);
    return STEP_FAILED;
}

/* ---- waiting ---- */

/* Blocks until the call is woken or is to ask again. A BLPOP without a reply stays in front of the next question. Returns false
 * if the hook wants an end. */
static bool fetch_block(fetch_op *f)
{
    const rl_bytes lists[] = {f->value_keys.wake, f->keys.baton};
    int64_t span = rl_blpop_span(f->ask_again - platform_now());
    const rl_hook *hook = &f->client->target.hook;
    rl_wake woken = RL_WAKE_EVENT;

    if (span == 0) {
        return rl_wait(NULL, 0, f->ask_again, hook) != RL_WAKE_HOOK;
    }
    RL_INVARIANT(f->blpop.call.conn == NULL && !f->is_last);
    rl_blpop_start(&f->blpop, f->session->conns[0], lists, 2, span);
    while (!f->blpop.call.answered && woken == RL_WAKE_EVENT) {
        woken = rl_wait(f->session->conns, 1, f->ask_again, hook);
    }
    f->last_good = platform_now(); /* as far as a blocked client can know */
    return woken != RL_WAKE_HOOK;
}

/* After a failure, waits a moment before the server is asked again. Returns false, with the error in the answer, if asking
 * again would not help, there is no time, or the hook wants an end. */
static bool fetch_again(fetch_op *f, rl_repeat *repeat)
{
    if (f->last_good != 0) {
        repeat->rule = RL_REPEAT_TRANSIENT;
        repeat->deadline = rl_repeat_waits_until(&f->client->target, f->clock.deadline, f->last_good);
    }
    return rl_repeat_again(repeat, &f->answer->error);
}

/* Was the question given up only since the server is slow at the deadline? That is no failure. */
static bool fetch_is_only_slow(const fetch_op *f)
{
    return rl_clock_is_only_slow(&f->client->target, f->last_good, f->last_try_at) &&
           f->answer->error.kind == RL_TIMED_OUT;
}

static cache_outcome fetch_give_up(fetch_op *f)
{
    bool is_interrupted = f->answer->error.kind == RL_INTERRUPTED, is_only_slow = fetch_is_only_slow(f);

    /* Otherwise no server was reached, or it refused: nothing of this call is there. */
    if (f->last_good != 0 || f->outcome_unknown) {
        fetch_leave(f);
    }
    if (is_interrupted) {
        return CACHE_INTERRUPTED;
    }
    return is_only_slow ? CACHE_NONE : CACHE_FAILED;
}

/* Returns whether the turn to build is of use. If the lease was over when the answer came, gives the lock back, in what is
 * left of the call's time, and draws new ids. */
static bool fetch_has_turn(fetch_op *f)
{
    int64_t now = platform_now(), left = f->clock.hard_deadline - RL_FINAL_REPLY_GRACE - now;
    rl_error ignored;

    if (lock_lease_validity(&f->answer->lease, now) > 0) {
        return true;
    }
    lock_release(f->client, f->params->name, &f->answer->lease,
                 platform_later(platform_earlier(left, RL_CLEANUP_GRACE), 0), &ignored);
    lock_lease_free(&f->answer->lease);
    fetch_draw_ids(f);
    return false;
}

/* Waits until enough replicas have the lock of the turn to build, unless its lease is over. If too few have it, gives it back,
 * and sets f->outcome, with the error in the answer. */
static bool fetch_await_replicas(fetch_op *f)
{
    lock_lease *lease = &f->answer->lease;
    const lock_replicated taken = {"the lock", lease->sent, lease->duration, f->clock.deadline,
                                   &f->client->target.hook};
    lock_outcome outcome = LOCK_YES;

    if (f->client->replicas > 0 && lock_lease_validity(lease, platform_now()) > 0) {
        outcome = lock_replicas_ask(f->session, f->client, &taken, &f->answer->error);
    }
    if (outcome == LOCK_YES) {
        return true;
    }
    f->outcome = outcome == LOCK_INTERRUPTED ? CACHE_INTERRUPTED : CACHE_FAILED;
    lock_lease_free(lease);
    fetch_leave(f);
    f->outcome_unknown = f->session->calls[0].error.kind != RL_OK; /* then the release is left to the backlog */
    return false;
}

/* After that: did the server go away before it told of its replicas, and does another one take over in time? Then the call
 * begins again, with new ids. */
static bool fetch_begins_again(fetch_op *f)
{
    bool passes = f->outcome == CACHE_FAILED && rl_target_may_take_over(&f->client->target, &f->answer->error) &&
                  platform_now() < f->clock.deadline;

    if (passes) {
        fetch_release_untold_later(f);
        fetch_draw_ids(f);
    }
    return passes;
}

/* Returns whether the call is over, after a good answer and what the BLPOP in front of it has brought: then
 * f->outcome is set. Otherwise the question is to be sent again, or the wait goes on. */
static bool fetch_is_over(fetch_op *f, fetch_step next, wake_word brought)
{
    if (next == STEP_DONE && f->outcome == CACHE_TURN) {
        if (!fetch_await_replicas(f)) {
            return !fetch_begins_again(f);
        }
        bool late = !fetch_has_turn(f);
        f->outcome = late ? CACHE_NONE : CACHE_TURN;
        return !late || f->is_last || platform_now() >= f->clock.deadline;
    }
    if (f->served[0] != '\0') {
        return false; /* the question was sent without this baton */
    }
    if (brought == WAKE_NONE || (brought == WAKE_BUILT && f->params->kept_here)) {
        return next == STEP_DONE;
    }
    if (next == STEP_WAIT) {
        RL_INVARIANT(f->blpop.call.conn == NULL);
        fetch_leave(f); /* the question has entered the queue again */
    }
    f->outcome = brought == WAKE_VALUE ? CACHE_FRESH : CACHE_BUILT;
    return true;
}

/* Asks, blocks and asks again until there is an outcome, and returns it. After CACHE_FAILED and CACHE_INTERRUPTED the
 * error is in the answer and the queue was left. The value in the answer may be of no use to the outcome. */
static cache_outcome fetch_run(fetch_op *f)
{
    const rl_target *target = &f->client->target;
    rl_repeat repeat;

    rl_repeat_begin(&repeat, RL_REPEAT_LOST, target, f->clock.deadline, &target->hook);
    for (;;) {
        fetch_step next = fetch_ask(f);
        wake_word brought = fetch_read_blpop(f, next == STEP_DONE && f->outcome == CACHE_FRESH);
        if (next == STEP_FAILED) {
            if (!fetch_again(f, &repeat)) {
                return fetch_give_up(f);
            }
            continue;
        }
        rl_repeat_begin(&repeat, RL_REPEAT_TRANSIENT, target, f->clock.deadline, &target->hook);
        if (fetch_is_over(f, next, brought)) {
            return f->outcome;
        }
        if (next != STEP_WAIT || f->served[0] != '\0') {
            continue;
        }
        if (!fetch_block(f)) {
            f->answer->error = RL_INTERRUPTION;
            if (f->blpop.call.conn != NULL) {
                fetch_close(f);
            }
            fetch_read_blpop(f, true);
            return fetch_give_up(f);
        }
        if (f->blpop.call.answered && f->blpop.call.error.kind != RL_OK) {
            f->answer->error = f->blpop.call.error;
            rl_call_reset(&f->blpop.call);
            if (!fetch_again(f, &repeat)) {
                return fetch_give_up(f);
            }
            continue;
        }
        brought = fetch_read_blpop(f, false);
        if (brought == WAKE_VALUE) {
            return CACHE_FRESH;
        }
        if (brought == WAKE_BUILT && !f->params->kept_here) {
            return CACHE_BUILT;
        }
    }
}

/* Counts what came of a call that began at `began`. */
static void tally_fetch(const lock_client *client, rl_bytes name, cache_outcome outcome, cache_answer *answer,
                        int64_t began, int64_t waited)
{
    static const metrics_count counts[] = {
        [CACHE_FRESH] = METRICS_VALUE_FRESH, [CACHE_STALE] = METRICS_VALUE_STALE,
        [CACHE_BUILT] = METRICS_VALUE_BUILT, [CACHE_NONE] = METRICS_VALUE_NONE,
        [CACHE_FAILED] = METRICS_FAILED,     [CACHE_INTERRUPTED] = METRICS_INTERRUPTED,
    };

    if (outcome == CACHE_TURN) {
        lock_tally_acquired(client, name, &answer->lease, began, waited > 0);
    } else {
        if (outcome == CACHE_NONE && waited > 0) {
            lock_tally_slow(client, name, LOCK_SLOW_IN_VAIN, waited);
        }
        lock_tally(client, name, NULL, counts[outcome]);
    }
}

/* A question or a BLPOP may bring a value before the call takes another turn, so the value is freed here unless the
 * outcome is one that comes with a value. */
cache_outcome cache_fetch(const lock_client *client, const cache_fetch_params *params, cache_answer *answer)
{
    int64_t start = platform_now();
    rl_session session; /* apart from the rest, which is zeroed: it is large */
    fetch_op f = {.client = client,
                  .params = params,
                  .answer = answer,
                  .clock = rl_clock_wait(start, params->timeout, lock_budget(client)),
                  .process = platform_process(),
                  .waits = params->timeout > 0,
                  .since_ms = lock_description_now_ms(client),
                  .session = &session};

    RL_INVARIANT(params->duration > 0 && client->stats != NULL);
    f.last_try_at = f.clock.deadline;
    *answer = (cache_answer){0};
    lock_keys_init(&f.keys, client->prefix, params->name);
    lock_value_keys_init(&f.value_keys, f.keys.lock);
    rl_session_open(&session, &client->target, 1, 1, rl_target_slot(&client->target, f.keys.lock));
    fetch_draw_ids(&f);

    cache_outcome outcome = fetch_run(&f);
    fetch_release_untold_later(&f); /* an undo that could not be sent */
    if (outcome != CACHE_FRESH && outcome != CACHE_STALE) {
        free(answer->value);
        answer->value = NULL;
    }
    int64_t waited = f.ask_again != 0 ? platform_now() - start : 0;
    tally_fetch(client, params->name, outcome, answer, start, waited);
    client->stats->acquired += outcome == CACHE_TURN;
    client->stats->contended += waited > 0 || outcome == CACHE_NONE;
    client->stats->timed_out += waited > 0 && outcome == CACHE_NONE;
    client->stats->waited += waited;
    rl_call_reset(&f.blpop.call);
    rl_session_close(&session);
    lock_value_keys_free(&f.value_keys);
    lock_keys_free(&f.keys);
    return outcome;
}

/* ---- keeping and forgetting ---- */

/* A short request about a value, answered by 1 or 0. */
typedef struct value_op {
    lock_keys keys;
    lock_value_keys value_keys;
    rl_clock clock;
    rl_request *request;
    char baton[LOCK_BATON_LEN];
    char digits[2][RL_DIGITS];
    rl_session session;
} value_op;

static void value_op_open(value_op *op, const lock_client *client, rl_bytes name, const rl_script *script)
{
    op->clock = rl_clock_budget(platform_now(), lock_budget(client));
    lock_keys_init(&op->keys, client->prefix, name);
    lock_value_keys_init(&op->value_keys, op->keys.lock);
    lock_random_baton(op->baton);
    rl_session_open(&op->session, &client->target, 1, 1, rl_target_slot(&client->target, op->keys.lock));
    op->request = rl_session_request(&op->session, 0);
    rl_request_begin(op->request, script);
    add_value_keys(op->request, &op->keys, &op->value_keys, false);
}

static void value_op_close(value_op *op)
{
    rl_session_close(&op->session);
    lock_value_keys_free(&op->value_keys);
    lock_keys_free(&op->keys);
}

/* Sends the request, again after a lost reply. Returns LOCK_YES for a 1, LOCK_NOT_OWNED for a 0, otherwise LOCK_FAILED
 * with the error. */
static lock_outcome value_op_run(value_op *op, rl_error *error)
{
    static const rl_policy keeping = {.judge = rl_judge_flag, .repeats = true, .insists = true};

    if (!rl_session_ask(&op->session, &op->clock, &keeping, error)) {
        return LOCK_FAILED;
    }
    return rl_session_says_yes(&op->session, 0, rl_judge_flag) ? LOCK_YES : LOCK_NOT_OWNED;
}

/* A repeat that finds the lock gone counts as done if the lease ran at the start: the request whose reply was lost
 * did it. After an error reply the caller releases the lock; any other failure leaves the release to the backlog. */
lock_outcome cache_store(const lock_client *client, rl_bytes name, lock_lease *lease, const cache_value *value,
                         rl_error *error)
{
    int64_t now = platform_now();
    bool was_ours = lock_lease_validity(lease, now) > 0;
    int64_t fresh = value != NULL ? value->fresh : PLATFORM_NEVER;
    int64_t life = value != NULL ? platform_after(fresh, value->stale) : PLATFORM_NEVER;
    char *note_memory = NULL;
    value_op op;

    RL_INVARIANT(value == NULL || (value->bytes.len <= 1 + CACHE_MAX_VALUE && value->fresh > 0 && value->stale >= 0));
    value_op_open(&op, client, name, &rl_script_cache_store);
    if (lock_lease_may_have_note(lease, client)) {
        rl_request_add(op.request, lock_note_key(op.keys.lock, &note_memory));
        op.request->keys++;
    }
    rl_request_add(op.request, lock_lease_token(lease));
    rl_request_add(op.request, (rl_bytes){op.baton, LOCK_BATON_LEN});
    rl_request_add_number(op.request, rl_span_ms(fresh), op.digits[0]);
    rl_request_add_number(op.request, rl_span_ms(life), op.digits[1]);
    if (value != NULL) {
        rl_request_add(op.request, value->bytes);
    }
    lock_outcome outcome = value_op_run(&op, error);
    if (outcome == LOCK_NOT_OWNED && rl_session_was_repeated(&op.session, 0) && was_ours) {
        outcome = LOCK_YES;
    }
    lock_tally_released(client, name, lease, now, outcome);
    if (outcome == LOCK_FAILED && error->kind != RL_ERROR_REPLY) {
        client->stats->unreleased++;
        lock_tally(client, name, lease, METRICS_UNRELEASED);
        lock_release_later(client, name, lease);
    }
    value_op_close(&op);
    free(note_memory);
    return outcome;
}

lock_outcome cache_forget(const lock_client *client, rl_bytes name, const rl_bytes *only, rl_error *error)
{
    value_op op;

    value_op_open(&op, client, name, &rl_script_cache_forget);
    rl_request_add(op.request, (rl_bytes){op.baton, LOCK_BATON_LEN});
    if (only != NULL) {
        rl_request_add(op.request, *only);
    }
    lock_outcome outcome = value_op_run(&op, error);
    value_op_close(&op);
    return outcome;
}

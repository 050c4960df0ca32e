/* SPDX-License-Identifier: MIT
 *
 * cache/cache: see cache/cache.h.
 */
#include "cache/cache.h"

#include <stdlib.h>
#include <string.h>

#include "lock/names.h"
#include "lock/try.h"
#include "platform.h"
#include "redis/scripts.h"
#include "redis/talk.h"

#define HEADER_LEN 15 /* of a value: digits of the server's time in ms until which it is fresh */

typedef enum step {
    STEP_DONE, /* fetch->outcome says it */
    STEP_WAIT, /* somebody else builds the value */
    STEP_FAILED,
} step;

/* One cache_fetch() under way. */
typedef struct fetch {
    const lock_client *client;
    const cache_question *question;
    cache_answer *answer;
    cache_outcome outcome;
    lock_keys keys;
    lock_value_keys value_keys;
    int64_t deadline;  /* for waiting; by it, the last question is answered */
    int64_t last_call; /* when that is put: then, or a long round trip before */
    int64_t until;     /* for everything but the last word */
    int64_t over_at;   /* when the call must be over, cleaning up included */
    int64_t pid;       /* whose it is: PHP code that runs during the wait may fork */
    bool waits;
    bool asked;        /* at least once */
    bool unsure;       /* the outcome of an earlier question is unknown */
    bool stray;        /* a BLPOP was broken off, and may have been served */
    bool is_last;      /* the question under way is the last: it enters no queue */
    int64_t last_good; /* when the server last gave a good answer; 0: not yet */
    int64_t ask_again; /* when, if nothing wakes it before */
    redis_talk talk;
    redis_call block; /* the BLPOP, in front of the next question */
    char token[LOCK_BUILDER_LEN];
    char waiter[LOCK_WAITER_LEN];
    char baton[LOCK_BATON_LEN];
    char served[LOCK_BATON_LEN]; /* "" in its first byte: none */
    char digits[4][REDIS_DIGITS];
    char seconds[REDIS_DIGITS];
} fetch;

/* ---- requests ---- */

static void add_keys(redis_request *request, const lock_keys *keys, const lock_value_keys *value_keys, bool fence)
{
    lock_keys_add(request, keys, false);
    redis_request_add(request, value_keys->wake);
    redis_request_add(request, value_keys->value);
    if (fence) {
        redis_request_add(request, keys->fence);
    }
    request->keys = request->argc;
}

static redis_bytes served_bytes(const fetch *f)
{
    return (redis_bytes){f->served, f->served[0] != '\0' ? LOCK_BATON_LEN : 0};
}

/* Milliseconds, rounded up, where PLATFORM_NEVER is `never`. */
static int64_t ms_or(int64_t span, int64_t never)
{
    return span == PLATFORM_NEVER ? never : redis_span_ms(span);
}

static void fetch_request(fetch *f, redis_request *request)
{
    int64_t left = f->deadline == PLATFORM_NEVER ? f->deadline : f->deadline - platform_now();
    /* A sum with it must stay exact in the script's floating point. */
    int64_t stale = platform_earlier(ms_or(f->question->stale, INT64_MAX), INT64_C(1000000000000000));

    redis_request_begin(request, &redis_script_cache_fetch);
    add_keys(request, &f->keys, &f->value_keys, f->client->fencing);
    redis_request_add(request, (redis_bytes){f->token, LOCK_BUILDER_LEN});
    redis_request_add_number(request, redis_span_ms(f->question->lasts), f->digits[0]);
    redis_request_add(request, (redis_bytes){f->waiter, LOCK_WAITER_LEN});
    redis_request_add_number(request, f->is_last ? 0 : ms_or(left, -1), f->digits[1]);
    redis_request_add_number(request, f->client->max_waiters, f->digits[2]);
    redis_request_add(request, f->unsure ? REDIS_LITERAL("2") : f->asked ? REDIS_LITERAL("1") : REDIS_LITERAL("0"));
    redis_request_add(request, served_bytes(f));
    redis_request_add_number(request, f->question->kept_here ? stale : -1, f->digits[3]);
}

/* Gives back whatever this call may have got: the lock, a baton, its place in the queue. */
static void undo_request(fetch *f, redis_request *request)
{
    redis_request_begin(request, &redis_script_release);
    lock_keys_add(request, &f->keys, false);
    redis_request_add(request, (redis_bytes){f->token, LOCK_BUILDER_LEN});
    lock_random_baton(f->baton);
    redis_request_add(request, (redis_bytes){f->baton, LOCK_BATON_LEN});
    redis_request_add(request, (redis_bytes){f->waiter, LOCK_WAITER_LEN});
    redis_request_add(request, f->stray ? REDIS_LITERAL("*") : served_bytes(f));
}

static void draw_names(fetch *f)
{
    lock_random_builder(f->token);
    lock_random_value_waiter(f->waiter);
    f->served[0] = '\0';
    f->unsure = false;
}

/* ---- what a BLPOP brings ---- */

/* What an element of the wake list says. */
typedef enum word {
    WORD_NONE,  /* nothing was woken by it */
    WORD_BUILT, /* the value has been built */
    WORD_VALUE, /* and this is it: the answer has it */
} word;

static void keep_value(fetch *f, const char *bytes, size_t len)
{
    free(f->answer->value);
    f->answer->value_len = len - HEADER_LEN;
    f->answer->value = platform_memdup(bytes + HEADER_LEN, f->answer->value_len);
}

/* What the BLPOP has brought, if it was answered: a word, or a baton in `served`. `fresh`: the answer has a value that
 * is newer. */
static word read_block(fetch *f, bool fresh)
{
    const redisReply *reply = f->block.reply;
    word brought = WORD_NONE;

    if (!f->block.answered) {
        return brought;
    }
    if (reply != NULL && reply->type == REDIS_REPLY_ARRAY && reply->elements == 2 &&
        reply->element[1]->type == REDIS_REPLY_STRING) {
        redis_bytes element = {reply->element[1]->str, (size_t)reply->element[1]->len};
        if (element.len == LOCK_BATON_LEN && lock_token_is_baton(element)) {
            memcpy(f->served, element.at, LOCK_BATON_LEN);
        } else if (f->question->kept_here && element.len >= HEADER_LEN) {
            if (!fresh) {
                keep_value(f, element.at, element.len);
            }
            brought = WORD_VALUE;
        } else {
            brought = WORD_BUILT;
        }
    }
    redis_call_reset(&f->block);
    return brought;
}

/* ---- leaving ---- */

/* Breaks the connection off, and undoes behind it what was under way. */
static void part(fetch *f)
{
    bool blocked = f->block.node != NULL;
    redis_request undo;

    f->stray |= blocked;
    read_block(f, true); /* for the baton, which is handed on then */
    undo_request(f, &undo);
    /* What stands behind a BLPOP does not run when the connection ends. */
    if (redis_talk_part(&f->talk, &undo, lock_parting(f->over_at)) && !blocked) {
        draw_names(f);
    }
    redis_call_reset(&f->block);
}

/* Leaves the queue, and gives back what may have been got. */
static void leave(fetch *f)
{
    int64_t until = lock_parting(f->over_at);
    redis_request undo;

    if (f->pid != platform_pid()) {
        return; /* after a fork during the wait, the place in the queue is the parent's */
    }
    undo_request(f, &undo);
    if (!redis_talk_ask(&f->talk, &undo, until, until, NULL)) {
        redis_talk_part(&f->talk, &undo, platform_now());
    }
}

/* ---- asking ---- */

static void take_turn(fetch *f, int64_t sent, int64_t fence)
{
    f->outcome = CACHE_TURN;
    lock_lease_fill(&f->answer->lease, (redis_bytes){f->token, LOCK_BUILDER_LEN}, sent, f->question->lasts, fence);
}

/* Takes the script's answer. False: it is none. */
static bool read_answer(fetch *f, int64_t sent, step *next)
{
    const redisReply *reply = f->talk.call.reply;
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
        keep_value(f, what->str, (size_t)what->len);
        return true;
    }
    if (what->type != REDIS_REPLY_INTEGER || what->integer < 0 || status < -1 || status > 3) {
        return false;
    }
    if (status == 3) {
        take_turn(f, sent, what->integer);
    } else if (status == 0 && !f->is_last) {
        *next = STEP_WAIT;
        f->ask_again = platform_earlier(f->last_call, platform_after(platform_now(), lock_span_of_ms(what->integer)));
    } else {
        f->outcome = CACHE_NONE;
        f->answer->full = status == -1;
    }
    return true;
}

/* Where a round trip takes a good part of the last word's time, the last question must go out before the deadline. */
static void note_good_answer(fetch *f, int64_t sent)
{
    int64_t now = platform_now(), lead = now - sent;

    if (f->last_good == 0 && f->waits && lead > LOCK_LAST_WORD / 3) {
        f->last_call = f->deadline - platform_earlier(lead, f->question->timeout / 2);
    }
    f->last_good = now;
    f->served[0] = '\0';
    f->unsure = f->stray = false;
}

/* Puts the question, behind the BLPOP if that has not been answered yet. Where the answer before was late, the last question
 * goes out past the deadline; it gets what is left of the call then. */
static step ask(fetch *f)
{
    const lock_client *client = f->client;
    int64_t now = platform_now();
    int64_t until = platform_later(f->until, now);
    int64_t answer_by =
        platform_after(platform_earlier(until, platform_after(now, lock_budget(client))), LOCK_LAST_WORD);
    redis_request request;
    step next = STEP_FAILED;

    f->is_last = !f->waits || now >= f->last_call;
    fetch_request(f, &request);
    if (redis_talk_ask(&f->talk, &request, platform_earlier(until, platform_after(now, client->connect_timeout)),
                       platform_later(platform_earlier(answer_by, f->over_at), now + LOCK_PARTING), &client->hook)) {
        if (read_answer(f, now, &next)) {
            note_good_answer(f, now);
        } else {
            redis_talk_malformed(&f->talk);
            next = STEP_FAILED;
        }
    }
    f->asked = true;
    if (next == STEP_FAILED) {
        redis_failure kind = f->talk.call.error.kind;
        f->answer->error = f->talk.call.error;
        f->unsure |= kind != REDIS_UNREACHABLE && kind != REDIS_REFUSED;
        part(f);
    }
    return next;
}

/* ---- waiting ---- */

/* Waits until it is woken, or is to ask again. What was not answered by then stays in front of the next question.
 * False: the hook wants an end. */
static bool block(fetch *f)
{
    redis_request *request = &f->block.request;
    int64_t span = f->ask_again - platform_now() - REDIS_BLOCK_MARGIN;
    redis_woken woken = REDIS_WOKEN;

    if (span < PLATFORM_MSEC) { /* less would be for ever */
        return redis_wait(NULL, 0, f->ask_again, &f->client->hook) != REDIS_HOOK_SAYS;
    }
    redis_request_begin(request, NULL);
    redis_request_add(request, REDIS_LITERAL("BLPOP"));
    redis_request_add(request, f->value_keys.wake);
    redis_request_add(request, f->keys.baton);
    redis_request_add_seconds(request, span, f->seconds);
    redis_node_submit(f->talk.node, &f->block, platform_now());
    while (!f->block.answered && woken == REDIS_WOKEN) {
        woken = redis_wait(&f->talk.node, 1, f->ask_again, &f->client->hook);
    }
    f->last_good = platform_now(); /* as far as one knows who sleeps */
    return woken != REDIS_HOOK_SAYS;
}

/* The server failed: waits a moment before it is asked again. False: that is not worth while. */
static bool pause_before_next(fetch *f, int64_t *pause, bool repeated)
{
    redis_error *error = &f->answer->error;
    int64_t now = platform_now(), give_up = f->until;
    bool passes = redis_error_is_worth_repeating(error, repeated);

    if (f->last_good != 0) {
        give_up = platform_earlier(give_up, f->last_good + REDIS_PATIENCE);
        passes = redis_error_passes(error);
    }
    if (!passes || now >= give_up) {
        return false;
    }
    if (redis_wait(NULL, 0, platform_earlier(give_up, now + *pause), &f->client->hook) == REDIS_HOOK_SAYS) {
        *error = REDIS_INTERRUPTION;
        return false;
    }
    *pause = platform_earlier(2 * *pause, REDIS_LONGEST_PAUSE);
    return true;
}

static cache_outcome give_up(fetch *f)
{
    redis_failure kind = f->answer->error.kind;

    /* Nobody was there, or the server has refused: nothing of ours is there. */
    if (f->last_good != 0 || f->unsure) {
        leave(f);
    }
    if (kind == REDIS_INTERRUPTED) {
        return CACHE_INTERRUPTED;
    }
    /* A server that was well and is slow at the deadline. */
    return kind == REDIS_TIMED_OUT && f->last_good != 0 && f->is_last ? CACHE_NONE : CACHE_FAILED;
}

/* It is our turn, unless the lease was over when the answer came. */
static bool has_turn(fetch *f)
{
    redis_error ignored;

    if (lock_lease_left(&f->answer->lease, platform_now()) > 0) {
        return true;
    }
    lock_release(f->client, f->question->name, &f->answer->lease, LOCK_PARTING, &ignored);
    lock_lease_free(&f->answer->lease);
    draw_names(f);
    return false;
}

/* What a good answer means, and what was brought by the BLPOP in front of it, if anything. False: the question is to be
 * put again, or the wait goes on. */
static bool is_over(fetch *f, step next, word brought)
{
    if (next == STEP_DONE && f->outcome == CACHE_TURN) {
        bool late = !has_turn(f);
        f->outcome = late ? CACHE_NONE : CACHE_TURN;
        return !late || f->is_last;
    }
    if (f->served[0] != '\0') {
        return false; /* the question did not know of it */
    }
    if (brought == WORD_NONE || (brought == WORD_BUILT && f->question->kept_here)) {
        return next == STEP_DONE;
    }
    if (next == STEP_WAIT) {
        leave(f); /* the question has entered the queue once more */
    }
    f->outcome = brought == WORD_VALUE ? CACHE_FRESH : CACHE_BUILT;
    return true;
}

static cache_outcome run(fetch *f)
{
    int64_t pause = REDIS_REPEAT_PAUSE;
    bool repeated = false;

    for (;;) {
        step next = ask(f);
        word brought = read_block(f, next == STEP_DONE && f->outcome == CACHE_FRESH);
        if (next == STEP_FAILED) {
            if (!pause_before_next(f, &pause, repeated)) {
                return give_up(f);
            }
            repeated = true;
            continue;
        }
        pause = REDIS_REPEAT_PAUSE;
        if (is_over(f, next, brought)) {
            return f->outcome;
        }
        if (next != STEP_WAIT || f->served[0] != '\0') {
            continue;
        }
        if (!block(f)) {
            f->answer->error = REDIS_INTERRUPTION;
            if (f->block.node != NULL) {
                part(f);
            }
            read_block(f, true);
            return give_up(f);
        }
        if (f->block.answered && f->block.error.kind != REDIS_FINE) {
            f->answer->error = f->block.error;
            redis_call_reset(&f->block);
            if (!pause_before_next(f, &pause, true)) {
                return give_up(f);
            }
            continue;
        }
        brought = read_block(f, false);
        if (brought == WORD_VALUE) {
            return CACHE_FRESH;
        }
        if (brought == WORD_BUILT && !f->question->kept_here) {
            return CACHE_BUILT;
        }
    }
}

cache_outcome cache_fetch(const lock_client *client, const cache_question *question, cache_answer *answer)
{
    int64_t start = platform_now();
    fetch f = {.client = client, .question = question, .answer = answer, .pid = platform_pid()};

    memset(answer, 0, sizeof(*answer));
    f.waits = question->timeout > 0;
    f.deadline = f.last_call = platform_after(start, question->timeout);
    f.until = f.waits ? f.deadline : platform_after(start, lock_budget(client));
    f.over_at = platform_after(f.until, LOCK_OVERTIME);
    lock_keys_init(&f.keys, client->prefix, question->name);
    lock_value_keys_init(&f.value_keys, f.keys.lock);
    redis_talk_open(&f.talk, client->pool, &client->endpoints[0]);
    draw_names(&f);

    cache_outcome outcome = run(&f);
    if (outcome != CACHE_FRESH && outcome != CACHE_STALE) {
        free(answer->value);
        answer->value = NULL;
    }
    int64_t waited = f.ask_again != 0 ? platform_now() - start : 0;
    client->stats->acquired += outcome == CACHE_TURN;
    client->stats->contended += waited > 0 || outcome == CACHE_NONE;
    client->stats->timed_out += waited > 0 && outcome == CACHE_NONE;
    client->stats->waited += waited;
    redis_call_reset(&f.block);
    redis_talk_close(&f.talk);
    lock_value_keys_free(&f.value_keys);
    lock_keys_free(&f.keys);
    return outcome;
}

/* ---- keeping and forgetting ---- */

/* A short question about a value, answered by a number. */
typedef struct errand {
    const lock_client *client;
    lock_keys keys;
    lock_value_keys value_keys;
    redis_request request;
    redis_talk talk;
    bool repeated; /* its answer was lost once: it may have been carried out then */
    char baton[LOCK_BATON_LEN];
    char digits[2][REDIS_DIGITS];
} errand;

static void errand_open(errand *e, const lock_client *client, redis_bytes name, const redis_script *script)
{
    memset(e, 0, sizeof(*e));
    e->client = client;
    lock_keys_init(&e->keys, client->prefix, name);
    lock_value_keys_init(&e->value_keys, e->keys.lock);
    lock_random_baton(e->baton);
    e->request.script = script;
    add_keys(&e->request, &e->keys, &e->value_keys, false);
    redis_talk_open(&e->talk, client->pool, &client->endpoints[0]);
}

static void errand_close(errand *e)
{
    redis_talk_close(&e->talk);
    lock_value_keys_free(&e->value_keys);
    lock_keys_free(&e->keys);
}

/* Runs it, again when the answer was lost. What is still open then is written once more, behind itself: a server that
 * stands still does it when it goes on. */
static lock_outcome errand_run(errand *e, redis_error *error)
{
    const redis_call *call = &e->talk.call;
    int64_t until = platform_after(platform_now(), lock_budget(e->client));

    for (;;) {
        int64_t connect_by = platform_earlier(until, platform_after(platform_now(), e->client->connect_timeout));
        if (redis_talk_ask(&e->talk, &e->request, connect_by, platform_after(until, LOCK_LAST_WORD), NULL)) {
            if (call->reply->type == REDIS_REPLY_INTEGER && (call->reply->integer & ~1LL) == 0) {
                return call->reply->integer == 1 ? LOCK_YES : LOCK_NO;
            }
            redis_talk_malformed(&e->talk);
        }
        *error = call->error;
        if (call->error.kind != REDIS_ERROR_REPLY) {
            redis_talk_part(&e->talk, &e->request, platform_now());
        }
        if (!redis_error_is_worth_repeating(error, e->repeated) || platform_now() >= until) {
            return LOCK_FAILED;
        }
        if (e->repeated) {
            redis_wait(NULL, 0, platform_earlier(until, platform_now() + REDIS_REPEAT_PAUSE), NULL);
        }
        e->repeated = true;
    }
}

lock_outcome cache_store(const lock_client *client, redis_bytes name, lock_lease *lease, const cache_value *value,
                         redis_error *error)
{
    bool was_ours = lock_lease_left(lease, platform_now()) > 0;
    int64_t fresh = value != NULL ? value->fresh : PLATFORM_NEVER;
    int64_t life = value != NULL ? platform_after(fresh, value->stale) : PLATFORM_NEVER;
    errand e;

    errand_open(&e, client, name, &redis_script_cache_store);
    redis_request_add(&e.request, (redis_bytes){lease->token, lease->token_len});
    redis_request_add(&e.request, (redis_bytes){e.baton, LOCK_BATON_LEN});
    redis_request_add_number(&e.request, redis_span_ms(fresh), e.digits[0]);
    redis_request_add_number(&e.request, redis_span_ms(life), e.digits[1]);
    if (value != NULL) {
        redis_request_add(&e.request, value->bytes);
    }
    lock_outcome outcome = errand_run(&e, error);
    if (outcome == LOCK_NO && e.repeated && was_ours) {
        outcome = LOCK_YES;
    }
    client->stats->released += outcome == LOCK_YES;
    client->stats->lost += outcome == LOCK_NO;
    if (outcome == LOCK_FAILED && error->kind != REDIS_ERROR_REPLY) {
        client->stats->unreleased++;
        lock_release_later(client, name, lease);
    }
    errand_close(&e);
    return outcome;
}

lock_outcome cache_forget(const lock_client *client, redis_bytes name, const redis_bytes *only, redis_error *error)
{
    errand e;

    errand_open(&e, client, name, &redis_script_cache_forget);
    redis_request_add(&e.request, (redis_bytes){e.baton, LOCK_BATON_LEN});
    if (only != NULL) {
        redis_request_add(&e.request, *only);
    }
    lock_outcome outcome = errand_run(&e, error);
    errand_close(&e);
    return outcome;
}

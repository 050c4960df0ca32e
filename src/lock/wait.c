/* SPDX-License-Identifier: MIT
 *
 * lock/wait: see lock/wait.h.
 */
#include "lock/wait.h"

#include <string.h>

#include "platform.h"
#include "redis/scripts.h"

#define LOOK_TIME  (3 * PLATFORM_MSEC)   /* that a wait which is over gives a look under way */
#define LOOK_AGAIN (200 * PLATFORM_MSEC) /* after one that failed; each time twice as long, up to */
#define LOOK_PAUSE PLATFORM_SEC          /* where the server refuses the second connection; for so long: */
#define LOOK_BLIND (3 * PLATFORM_SEC)

/* With several nodes: whose votes were split tries again after a random time, at first up to */
#define FIRST_SPREAD (8 * PLATFORM_MSEC)
/* and who waits at the gate tries past it once in about */
#define ASIDE_INTERVAL PLATFORM_SEC

#ifdef REDISLOCK_TEST
void (*lock_wait_before_blocking)(void);
#endif

typedef struct waiting {
    lock_attempt *attempt;
    redis_node *side;  /* for looks: the main connection is blocked. NULL until the first */
    redis_call block;  /* the BLPOP, on the main connection */
    redis_call look;   /* on the side */
    bool left;         /* the queue, for good */
    bool undone;       /* what this attempt may have done was undone behind it: see lock_try_renew() */
    bool looking;      /* the look is under way */
    bool enter_again;  /* the queue has dropped us: the next look enters us anew */
    int64_t unclaimed; /* since when looks find that whoever was served does not claim the lock; PLATFORM_NEVER: not */
    int64_t look_at;
    int64_t look_by;   /* when the look under way counts as failed */
    int64_t pause;     /* before a look, after one that failed */
    int64_t blind;     /* since when looks are refused; PLATFORM_NEVER: they are not */
    int64_t aside_at;  /* when to try past the gate; PLATFORM_NEVER with one node */
    int64_t spread;    /* the longest pause after the next split vote */
    bool taken;        /* past the gate */
    int64_t last_good; /* when the server last gave a good answer */
    char digits[4][REDIS_DIGITS];
    char seconds[REDIS_DIGITS];
} waiting;

typedef enum block_end {
    BLOCK_BATON,  /* woken: a claim, by attempt->served if that is set, shall find out */
    BLOCK_OVER,   /* at the deadline, the last try was answered */
    BLOCK_BROKEN, /* attempt->error says why */
} block_end;

static redis_node *main_node(const waiting *w)
{
    return w->attempt->quorum.nodes[w->attempt->gate];
}

static redis_node *side_node(waiting *w)
{
    const lock_client *client = w->attempt->client;

    if (w->side == NULL) {
        w->side = redis_pool_take(client->pool, &client->endpoints[w->attempt->gate]);
    }
    return w->side;
}

static void answer_was_good(waiting *w)
{
    w->last_good = platform_now();
}

/* ---- looking ---- */

static void look_request(waiting *w, redis_request *request)
{
    lock_attempt *attempt = w->attempt;

    redis_request_begin(request, &redis_script_look);
    lock_keys_add(request, &attempt->keys, false);
    redis_request_add(request, (redis_bytes){attempt->waiter, LOCK_WAITER_LEN});
    redis_request_add_number(request, lock_try_patience(attempt), w->digits[0]);
    redis_request_add_number(request, attempt->client->retry_interval / PLATFORM_MSEC, w->digits[1]);
    lock_random_baton(attempt->baton);
    redis_request_add(request, (redis_bytes){attempt->baton, LOCK_BATON_LEN});
    redis_request_add_number(request, w->enter_again ? 1 : 0, w->digits[2]);
    redis_request_add_number(request, platform_later(platform_now() - w->unclaimed, 0) / PLATFORM_MSEC, w->digits[3]);
}

static void start_look(waiting *w)
{
    const lock_client *client = w->attempt->client;
    int64_t now = platform_now();

    redis_call_reset(&w->look);
    look_request(w, &w->look.request);
    w->looking = true;
    w->look_by = platform_after(now, client->read_timeout);
    redis_node_submit(side_node(w), &w->look, platform_after(now, client->connect_timeout));
}

/* Takes what the look found. False: it failed in a way that ends the wait. */
static bool end_look(waiting *w)
{
    long long status = 0, ms = 0;

    w->looking = false;
    if (w->look.error.kind == REDIS_FINE && !lock_try_answer(w->look.reply, &status, &ms)) {
        w->look.error = REDIS_WRONG_REPLY;
    }
    if (w->look.error.kind == REDIS_FINE) {
        answer_was_good(w);
        w->enter_again = status == 2;
        w->unclaimed = status == 1 ? platform_earlier(w->unclaimed, platform_now()) : PLATFORM_NEVER;
        w->pause = LOOK_AGAIN;
        w->blind = PLATFORM_NEVER;
        w->look_at = platform_after(platform_now(), w->enter_again ? PLATFORM_MSEC : lock_span_of_ms(ms));
        return true;
    }
    redis_node_free(w->side);
    w->side = NULL;
    w->look_at = platform_now() + w->pause;
    if (w->look.error.kind == REDIS_REFUSED) { /* the server is well, and so is the connection that we wait on */
        w->pause = platform_earlier(2 * w->pause, LOOK_PAUSE);
        w->blind = platform_earlier(w->blind, platform_now());
        answer_was_good(w);
        if (platform_now() - w->blind < LOOK_BLIND) {
            return true;
        }
        /* Nothing keeps our entry alive, so that a release does not see us any more: we line up anew. */
        w->blind = PLATFORM_NEVER;
        *w->attempt->error = w->look.error;
        w->attempt->error->kind = REDIS_LOST;
        return false;
    }
    if (redis_error_passes(&w->look.error) && platform_now() - w->last_good < REDIS_PATIENCE) {
        return true;
    }
    *w->attempt->error = w->look.error;
    return false;
}

/* Starts the look that is due, takes the one that is answered, gives up the one that is not. False: see end_look(). */
static bool attend_look(waiting *w)
{
    int64_t now = platform_now();

    if (!w->looking && now >= w->look_at && now < w->attempt->last_call) {
        start_look(w);
    }
    if (w->looking && !w->look.answered && now >= w->look_by) {
        redis_call_give_up(&w->look, REDIS_TIME_IS_UP);
        return end_look(w);
    }
    return w->looking && w->look.answered ? end_look(w) : true;
}

/* ---- blocking ---- */

static void start_block(waiting *w, int64_t span)
{
    redis_request *request = &w->block.request;

    redis_call_reset(&w->block);
    redis_request_begin(request, NULL);
    redis_request_add(request, REDIS_LITERAL("BLPOP"));
    redis_request_add(request, w->attempt->keys.baton);
    redis_request_add_seconds(request, span, w->seconds);
    redis_node_submit(main_node(w), &w->block, platform_now());
}

/* Did the BLPOP bring a baton? A nil is its timeout; anything else that stood in the list is nobody's baton. */
static bool read_baton(waiting *w)
{
    const redisReply *reply = w->block.reply;

    if (reply == NULL || reply->type != REDIS_REPLY_ARRAY || reply->elements != 2 ||
        reply->element[1]->type != REDIS_REPLY_STRING || reply->element[1]->len != LOCK_BATON_LEN ||
        !lock_token_is_baton((redis_bytes){reply->element[1]->str, LOCK_BATON_LEN})) {
        return false;
    }
    memcpy(w->attempt->served, reply->element[1]->str, LOCK_BATON_LEN);
    return true;
}

/* Says on the side that we wait no more, so that a release that comes now does not hand over to nobody. What we may
 * have been served is handed on by what is written behind the BLPOP. */
static void leave_queue(waiting *w)
{
    int64_t until = lock_parting(w->attempt->over_at), now = platform_now();
    redis_call leave = {0};

    if (w->left || w->attempt->pid != platform_pid()) {
        return; /* after a fork during the wait, the place in the queue is the parent's */
    }
    w->left = true;
    lock_try_undo(w->attempt, (redis_bytes){"", 0}, &leave.request);
    if (w->looking) {
        redis_node_part(w->side, &leave.request, until);
        w->looking = false;
        return;
    }
    if (redis_node_ready_since(side_node(w)) == PLATFORM_NEVER) {
        /* To log in takes a while longer, and so may a call that ends before its time. */
        until = platform_later(until, platform_earlier(now + LOCK_OVERTIME, w->attempt->over_at));
    }
    leave.whole = true; /* nobody may be there any more to hear that the server does not know the script */
    redis_node_submit(side_node(w), &leave, until);
    redis_call_wait(&leave, until, NULL);
    redis_call_reset(&leave);
}

/* Breaks off the main connection, and undoes what may have been under way on it. */
static void part(waiting *w)
{
    redis_request undo;

    lock_try_undo(w->attempt, (redis_bytes){"*", 1}, &undo);
    w->undone |= redis_node_part(main_node(w), &undo, lock_parting(w->attempt->over_at));
}

/* A server that was well a moment ago and is slow now that the deadline has come, or a machine that is busy: what was
 * asked last is undone behind it, so the lock is not ours, and somebody else's as far as we were told. Beyond read_timeout
 * it counts as unreachable. */
static bool is_only_slow(const waiting *w)
{
    const lock_attempt *attempt = w->attempt;
    int64_t now = platform_now();

    return now >= attempt->last_call && lock_try_ran_out_of_time(attempt) &&
           now - w->last_good < attempt->client->read_timeout + LOCK_OVERTIME;
}

/* At the deadline: whatever was handed over meanwhile is taken, or the queue is left. */
static block_end end_of_wait(waiting *w, lock_verdict *verdict)
{
    lock_attempt *attempt = w->attempt;

    redis_wait(NULL, 0, attempt->last_call, NULL); /* a baton that comes now lies there for the last try */
    int64_t now = platform_now();
    int64_t until = platform_after(platform_later(attempt->deadline, now), LOCK_LAST_WORD);
    *verdict = lock_try_once(attempt, 0, now,
                             platform_later(platform_earlier(until, attempt->over_at), now + LOCK_PARTING), NULL);
    if (*verdict == LOCK_TAKEN) {
        return BLOCK_OVER;
    }
    /* The baton came before the last try: that one saw a lock on its way to somebody, to us. */
    if (w->block.answered && read_baton(w)) {
        return BLOCK_BATON;
    }
    if (*verdict != LOCK_UNKNOWN) {
        return BLOCK_OVER;
    }
    if (is_only_slow(w)) {
        leave_queue(w);
        part(w);
        attempt->queued = false;
        *verdict = LOCK_HELD;
        return BLOCK_OVER;
    }
    return BLOCK_BROKEN;
}

/* ---- several nodes ---- */

/* Random, so that clients whose votes were split do not split them again. */
static int64_t random_span(int64_t from, int64_t to)
{
    uint64_t drawn;

    platform_random(&drawn, sizeof(drawn));
    return from + (int64_t)(drawn % (uint64_t)(to - from + 1));
}

static void plan_aside(waiting *w, int64_t look_in)
{
    int64_t about = platform_later(ASIDE_INTERVAL, platform_earlier(look_in, 10 * PLATFORM_SEC));

    w->aside_at = w->attempt->quorum.count == 1 ? PLATFORM_NEVER : platform_now() + random_span(about / 2, about);
}

/* The gate may be held by what a majority does not know: by the rest of a lock whose release never arrived there. So
 * now and then who waits there tries to take the lock past it, without losing its place. */
static void try_aside(waiting *w)
{
    lock_attempt *attempt = w->attempt;
    redis_node **gate = &attempt->quorum.nodes[attempt->gate], *blocked = *gate;
    int64_t now = platform_now(), until = platform_after(now, attempt->client->read_timeout);

    *gate = side_node(w);
    attempt->aside = true;
    lock_verdict verdict = lock_try_once(attempt, 0, until, until, NULL);
    w->taken = verdict == LOCK_TAKEN;
    if (verdict != LOCK_UNKNOWN) {
        answer_was_good(w); /* of the others; the gate may be silent */
    }
    attempt->aside = false;
    attempt->queued = true;
    w->side = *gate;
    *gate = blocked;
    plan_aside(w, 0);
}

/* After a split vote, or one that found the gate free and the others not: again, a little later. */
static lock_verdict try_again(waiting *w)
{
    lock_attempt *attempt = w->attempt;
    const lock_client *client = attempt->client;
    int64_t again = platform_now() + random_span(PLATFORM_MSEC, w->spread);

    w->spread = platform_earlier(2 * w->spread, platform_later(client->retry_interval, FIRST_SPREAD));
    if (redis_wait(NULL, 0, platform_earlier(again, attempt->last_call), &client->hook) == REDIS_HOOK_SAYS) {
        *attempt->error = REDIS_INTERRUPTION;
        return LOCK_UNKNOWN;
    }
    int64_t now = platform_now();
    lock_verdict verdict =
        lock_try(attempt, platform_after(now, client->connect_timeout),
                 platform_after(platform_earlier(attempt->deadline, now + client->read_timeout), LOCK_LAST_WORD));
    w->look_at = platform_after(platform_now(), attempt->look_in);
    plan_aside(w, attempt->look_in);
    return verdict;
}

/* ---- blocking ---- */

/* Waits for the BLPOP to be answered, looking meanwhile. False: it was not, and attempt->error says why, unless it is
 * REDIS_FINE: then the deadline came first. */
static bool watch(waiting *w)
{
    lock_attempt *attempt = w->attempt;

    redis_error_clear(attempt->error);
    while (!w->block.answered && platform_now() < attempt->last_call) {
        if (!attend_look(w)) {
            return false;
        }
        if (!w->looking && platform_now() >= w->aside_at) {
            try_aside(w);
            redis_error_clear(attempt->error);
            if (w->taken) {
                return false;
            }
        }
        redis_node *nodes[] = {main_node(w), w->side};
        int64_t alarm = platform_earlier(attempt->last_call, w->looking ? w->look_by : w->look_at);
        alarm = w->looking ? alarm : platform_earlier(alarm, w->aside_at);
        if (redis_wait(nodes, 2, alarm, &attempt->client->hook) == REDIS_HOOK_SAYS) {
            redis_call_give_up(&w->block, REDIS_HOOK_SAYS);
            *attempt->error = w->block.error;
            return w->block.answered;
        }
    }
    if (w->block.answered) {
        *attempt->error = w->block.error;
    }
    return w->block.answered;
}

/* Stays in line until the baton comes or the deadline does. */
static block_end block(waiting *w, lock_verdict *verdict)
{
    lock_attempt *attempt = w->attempt;
    int64_t left = attempt->last_call - platform_now();

    redis_call_reset(&w->block);
    if (left < REDIS_BLOCK_MARGIN + PLATFORM_MSEC) { /* less than a millisecond would be for ever */
        return end_of_wait(w, verdict);
    }
    start_block(w, attempt->deadline == PLATFORM_NEVER ? PLATFORM_NEVER : left - REDIS_BLOCK_MARGIN);
    bool answered = watch(w);
    if (attempt->error->kind != REDIS_FINE) {
        return BLOCK_BROKEN;
    }
    if (w->taken) {
        *verdict = LOCK_TAKEN;
        return BLOCK_OVER;
    }
    if (answered) {
        answer_was_good(w);
        /* Whatever ended the BLPOP, a try finds out what is true; at the deadline it is the last one. */
        if (read_baton(w) || attempt->last_call - platform_now() > 2 * REDIS_BLOCK_MARGIN) {
            return BLOCK_BATON;
        }
    }
    return end_of_wait(w, verdict);
}

/* ---- ends ---- */

/* After a broken connection or an answer that the server cannot help now: enters the queue anew, at its end, until
 * that works, the deadline has come, or the server was away for too long. */
static lock_verdict recover(waiting *w)
{
    lock_attempt *attempt = w->attempt;
    const lock_client *client = attempt->client;
    redis_error why = *attempt->error;
    int64_t pause = REDIS_REPEAT_PAUSE;

    while (redis_error_passes(&why)) {
        int64_t now = platform_now();
        int64_t give_up = platform_earlier(attempt->deadline, w->last_good + REDIS_PATIENCE);
        if (now >= give_up) {
            break;
        }
        if (redis_wait(NULL, 0, platform_earlier(give_up, now + pause), &client->hook) == REDIS_HOOK_SAYS) {
            why = REDIS_INTERRUPTION;
            break;
        }
        now = platform_now();
        if (w->undone) {
            lock_try_renew(attempt); /* not before: who gives up leaves under the id that queued */
            w->undone = false;
        }
        lock_verdict verdict =
            lock_try(attempt, platform_after(platform_earlier(give_up, now + client->connect_timeout), LOCK_LAST_WORD),
                     platform_after(platform_earlier(give_up, now + client->read_timeout), LOCK_LAST_WORD));
        if (verdict != LOCK_UNKNOWN) {
            answer_was_good(w);
            w->look_at = platform_after(platform_now(), attempt->look_in);
            return verdict;
        }
        why = *attempt->error;
        pause = platform_earlier(2 * pause, REDIS_LONGEST_PAUSE);
    }
    *attempt->error = why;
    return LOCK_UNKNOWN;
}

/* One place in the line: until the baton is claimed, the deadline comes, or something breaks. */
static lock_verdict stay_in_line(waiting *w)
{
    lock_attempt *attempt = w->attempt;
    const lock_client *client = attempt->client;
    lock_verdict verdict = LOCK_UNKNOWN;

    switch (block(w, &verdict)) {
    case BLOCK_OVER:
        return verdict;
    case BLOCK_BATON: {
        int64_t now = platform_now();
        verdict =
            lock_try(attempt, platform_after(now, client->connect_timeout),
                     platform_after(platform_earlier(attempt->deadline, now + client->read_timeout), LOCK_LAST_WORD));
        w->look_at = platform_after(platform_now(), attempt->look_in);
        if (verdict == LOCK_UNKNOWN && is_only_slow(w)) {
            leave_queue(w);
            attempt->queued = false;
            return LOCK_HELD;
        }
        return verdict;
    }
    default:
        /* For good, then: first out of the queue, so that a release that comes now goes past us. */
        if (!redis_error_passes(attempt->error)) {
            leave_queue(w);
        }
        part(w);
        return LOCK_UNKNOWN;
    }
}

static bool may_try_again(const lock_attempt *attempt)
{
    return attempt->quorum.count > 1 && platform_now() < attempt->last_call;
}

lock_verdict lock_wait(lock_attempt *attempt)
{
    waiting w = {.attempt = attempt,
                 .spread = FIRST_SPREAD,
                 .pause = LOOK_AGAIN,
                 .unclaimed = PLATFORM_NEVER,
                 .blind = PLATFORM_NEVER};
    lock_verdict verdict = LOCK_HELD;
    redis_request leave;

    answer_was_good(&w);
    w.look_at = platform_after(platform_now(), attempt->look_in);
    plan_aside(&w, attempt->look_in);
    while (verdict == LOCK_HELD && (attempt->queued || may_try_again(attempt))) {
#ifdef REDISLOCK_TEST
        if (lock_wait_before_blocking != NULL) {
            lock_wait_before_blocking();
        }
#endif
        verdict = attempt->queued ? stay_in_line(&w) : try_again(&w);
        if (verdict == LOCK_UNKNOWN) {
            verdict = recover(&w);
        }
    }
    if (verdict == LOCK_UNKNOWN) {
        leave_queue(&w);
    }
    if (verdict == LOCK_TAKEN && w.block.node != NULL) {
        /* Taken past the gate, where the BLPOP goes on: what it may be served is handed on. But what stands behind it is
         * only run when it ends, so the queue is left on the side. */
        lock_try_leave(attempt, (redis_bytes){"*", 1}, &leave);
        redis_node_part(main_node(&w), &leave, platform_now());
        lock_try_leave(attempt, (redis_bytes){"", 0}, &leave);
        redis_node_tell(side_node(&w), &leave, platform_after(platform_now(), attempt->client->connect_timeout));
    }
    if (w.looking && !w.enter_again) {
        /* Its answer is on its way, mostly; waiting for it keeps the connection. */
        redis_call_wait(&w.look, platform_now() + LOOK_TIME, NULL);
        w.looking = !w.look.answered;
    }
    if (w.looking) {
        /* A look that is to enter us anew must not do so after the claim. */
        lock_try_leave(attempt, (redis_bytes){"", 0}, &leave);
        redis_node_part(w.side, &leave, lock_parting(attempt->over_at));
    }
    redis_call_reset(&w.block);
    redis_call_reset(&w.look);
    redis_pool_give(attempt->client->pool, w.side);
    return verdict;
}

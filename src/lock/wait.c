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
/* and who waits at the queue node tries past it once in about */
#define BYPASS_INTERVAL PLATFORM_SEC

#ifdef REDISLOCK_TEST
void (*lock_wait_before_blocking)(void);
#endif

typedef struct wait_op {
    lock_attempt *attempt;
    rl_conn *side;     /* for looks: the main connection is blocked. NULL until the first */
    rl_call blpop;     /* the BLPOP, on the main connection */
    rl_call look;      /* on the side */
    bool left;         /* the queue, for good */
    bool undone;       /* what this attempt may have done was undone behind it: see lock_attempt_renew() */
    bool looking;      /* the look is under way */
    bool enter_again;  /* the queue has dropped us: the next look enters us anew */
    int64_t unclaimed; /* since when looks find that whoever was served does not claim the lock; PLATFORM_NEVER: not */
    int64_t look_at;
    int64_t look_by;   /* when the look under way counts as failed */
    int64_t pause;     /* before a look, after one that failed */
    int64_t blind;     /* since when looks are refused; PLATFORM_NEVER: they are not */
    int64_t bypass_at; /* when to try past the queue node; PLATFORM_NEVER with one node */
    int64_t spread;    /* the longest pause after the next split vote */
    bool taken;        /* past the queue node */
    int64_t last_good; /* when the server last gave a good answer */
    char digits[4][RL_DIGITS];
    char seconds[RL_DIGITS];
} wait_op;

typedef enum block_end {
    BLOCK_BATON,  /* woken: a claim, by attempt->served if that is set, shall find out */
    BLOCK_OVER,   /* at the deadline, the last try was answered */
    BLOCK_BROKEN, /* attempt->error says why */
} block_end;

static rl_conn *main_conn(const wait_op *w)
{
    return w->attempt->quorum.conns[w->attempt->queue_node];
}

static rl_conn *side_conn(wait_op *w)
{
    const lock_client *client = w->attempt->client;

    if (w->side == NULL) {
        w->side = rl_pool_take(client->pool, &client->endpoints[w->attempt->queue_node]);
    }
    return w->side;
}

static void wait_note_answer(wait_op *w)
{
    w->last_good = platform_now();
}

/* ---- looking ---- */

static void wait_look_request(wait_op *w, rl_request *request)
{
    lock_attempt *attempt = w->attempt;

    rl_request_begin(request, &rl_script_look);
    lock_keys_add(request, &attempt->keys, false);
    rl_request_add(request, (rl_bytes){attempt->waiter, LOCK_WAITER_LEN});
    rl_request_add_number(request, lock_attempt_wait_ms(attempt), w->digits[0]);
    rl_request_add_number(request, attempt->client->retry_interval / PLATFORM_MSEC, w->digits[1]);
    lock_random_baton(attempt->baton);
    rl_request_add(request, (rl_bytes){attempt->baton, LOCK_BATON_LEN});
    rl_request_add_number(request, w->enter_again ? 1 : 0, w->digits[2]);
    rl_request_add_number(request, platform_later(platform_now() - w->unclaimed, 0) / PLATFORM_MSEC, w->digits[3]);
}

static void wait_start_look(wait_op *w)
{
    const lock_client *client = w->attempt->client;
    int64_t now = platform_now();

    rl_call_reset(&w->look);
    wait_look_request(w, &w->look.request);
    w->looking = true;
    w->look_by = platform_after(now, client->read_timeout);
    rl_conn_submit(side_conn(w), &w->look, platform_after(now, client->connect_timeout));
}

/* Takes what the look found. False: it failed in a way that ends the wait. */
static bool wait_end_look(wait_op *w)
{
    long long status = 0, ms = 0;

    w->looking = false;
    if (w->look.error.kind == RL_OK && !lock_attempt_read_answer(w->look.reply, &status, &ms)) {
        w->look.error = RL_WRONG_REPLY;
    }
    if (w->look.error.kind == RL_OK) {
        wait_note_answer(w);
        w->enter_again = status == 2;
        w->unclaimed = status == 1 ? platform_earlier(w->unclaimed, platform_now()) : PLATFORM_NEVER;
        w->pause = LOOK_AGAIN;
        w->blind = PLATFORM_NEVER;
        w->look_at = platform_after(platform_now(), w->enter_again ? PLATFORM_MSEC : lock_span_of_ms(ms));
        return true;
    }
    rl_conn_free(w->side);
    w->side = NULL;
    w->look_at = platform_now() + w->pause;
    if (w->look.error.kind == RL_REFUSED) { /* the server is well, and so is the connection that we wait on */
        w->pause = platform_earlier(2 * w->pause, LOOK_PAUSE);
        w->blind = platform_earlier(w->blind, platform_now());
        wait_note_answer(w);
        if (platform_now() - w->blind < LOOK_BLIND) {
            return true;
        }
        /* Nothing keeps our entry alive, so that a release does not see us any more: we line up anew. */
        w->blind = PLATFORM_NEVER;
        *w->attempt->error = w->look.error;
        w->attempt->error->kind = RL_LOST;
        return false;
    }
    if (rl_error_is_transient(&w->look.error) && platform_now() - w->last_good < RL_RECONNECT_WINDOW) {
        return true;
    }
    *w->attempt->error = w->look.error;
    return false;
}

/* Starts the look that is due, takes the one that is answered, gives up the one that is not. False: see wait_end_look(). */
static bool wait_attend_look(wait_op *w)
{
    int64_t now = platform_now();

    if (!w->looking && now >= w->look_at && now < w->attempt->last_try_at) {
        wait_start_look(w);
    }
    if (w->looking && !w->look.answered && now >= w->look_by) {
        rl_call_give_up(&w->look, RL_WAKE_DEADLINE);
        return wait_end_look(w);
    }
    return w->looking && w->look.answered ? wait_end_look(w) : true;
}

/* ---- blocking ---- */

static void wait_start_blpop(wait_op *w, int64_t span)
{
    rl_request *request = &w->blpop.request;

    rl_call_reset(&w->blpop);
    rl_request_begin(request, NULL);
    rl_request_add(request, RL_LITERAL("BLPOP"));
    rl_request_add(request, w->attempt->keys.baton);
    rl_request_add_seconds(request, span, w->seconds);
    rl_conn_submit(main_conn(w), &w->blpop, platform_now());
}

/* Did the BLPOP bring a baton? A nil is its timeout; anything else that stood in the list is nobody's baton. */
static bool wait_read_baton(wait_op *w)
{
    const redisReply *reply = w->blpop.reply;

    if (reply == NULL || reply->type != REDIS_REPLY_ARRAY || reply->elements != 2 ||
        reply->element[1]->type != REDIS_REPLY_STRING || reply->element[1]->len != LOCK_BATON_LEN ||
        !lock_token_is_baton((rl_bytes){reply->element[1]->str, LOCK_BATON_LEN})) {
        return false;
    }
    memcpy(w->attempt->served, reply->element[1]->str, LOCK_BATON_LEN);
    return true;
}

/* Says on the side that we wait no more, so that a release that comes now does not hand over to nobody. What we may
 * have been served is handed on by what is written behind the BLPOP. */
static void wait_leave_queue(wait_op *w)
{
    int64_t until = lock_cleanup_deadline(w->attempt->hard_deadline), now = platform_now();
    rl_call leave = {0};

    if (w->left || w->attempt->pid != platform_pid()) {
        return; /* after a fork during the wait, the place in the queue is the parent's */
    }
    w->left = true;
    lock_attempt_undo_request(w->attempt, (rl_bytes){"", 0}, &leave.request);
    if (w->looking) {
        rl_conn_close_after(w->side, &leave.request, until);
        w->looking = false;
        return;
    }
    if (rl_conn_ready_since(side_conn(w)) == PLATFORM_NEVER) {
        /* To log in takes a while longer, and so may a call that ends before its time. */
        until = platform_later(until, platform_earlier(now + LOCK_CLEANUP_BUDGET, w->attempt->hard_deadline));
    }
    leave.send_eval = true; /* nobody may be there any more to hear that the server does not know the script */
    rl_conn_submit(side_conn(w), &leave, until);
    rl_call_wait(&leave, until, NULL);
    rl_call_reset(&leave);
}

/* Breaks off the main connection, and undoes what may have been under way on it. */
static void wait_close_main(wait_op *w)
{
    rl_request undo;

    lock_attempt_undo_request(w->attempt, (rl_bytes){"*", 1}, &undo);
    w->undone |= rl_conn_close_after(main_conn(w), &undo, lock_cleanup_deadline(w->attempt->hard_deadline));
}

/* A server that was well a moment ago and is slow now that the deadline has come, or a machine that is busy: what was
 * asked last is undone behind it, so the lock is not ours, and somebody else's as far as we were told. Beyond read_timeout
 * it counts as unreachable. */
static bool wait_is_only_slow(const wait_op *w)
{
    const lock_attempt *attempt = w->attempt;
    int64_t now = platform_now();

    return now >= attempt->last_try_at && lock_attempt_ran_out_of_time(attempt) &&
           now - w->last_good < attempt->client->read_timeout + LOCK_CLEANUP_BUDGET;
}

/* At the deadline: whatever was handed over meanwhile is taken, or the queue is left. */
static block_end wait_end(wait_op *w, lock_verdict *verdict)
{
    lock_attempt *attempt = w->attempt;

    rl_wait(NULL, 0, attempt->last_try_at, NULL); /* a baton that comes now lies there for the last try */
    int64_t now = platform_now();
    int64_t until = platform_after(platform_later(attempt->deadline, now), LOCK_FINAL_REPLY_GRACE);
    *verdict = lock_attempt_try_once(
        attempt, 0, now, platform_later(platform_earlier(until, attempt->hard_deadline), now + LOCK_CLEANUP_GRACE),
        NULL);
    if (*verdict == LOCK_TAKEN) {
        return BLOCK_OVER;
    }
    /* The baton came before the last try: that one saw a lock on its way to somebody, to us. */
    if (w->blpop.answered && wait_read_baton(w)) {
        return BLOCK_BATON;
    }
    if (*verdict != LOCK_UNKNOWN) {
        return BLOCK_OVER;
    }
    if (wait_is_only_slow(w)) {
        wait_leave_queue(w);
        wait_close_main(w);
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

static void wait_plan_bypass(wait_op *w, int64_t look_in)
{
    int64_t about = platform_later(BYPASS_INTERVAL, platform_earlier(look_in, 10 * PLATFORM_SEC));

    w->bypass_at = w->attempt->quorum.count == 1 ? PLATFORM_NEVER : platform_now() + random_span(about / 2, about);
}

/* The queue node may be held by what a majority does not know: by the rest of a lock whose release never arrived there. So
 * now and then who waits there tries to take the lock past it, without losing its place. */
static void wait_try_bypass(wait_op *w)
{
    lock_attempt *attempt = w->attempt;
    rl_conn **slot = &attempt->quorum.conns[attempt->queue_node], *blocked = *slot;
    int64_t now = platform_now(), until = platform_after(now, attempt->client->read_timeout);

    *slot = side_conn(w);
    attempt->bypass = true;
    lock_verdict verdict = lock_attempt_try_once(attempt, 0, until, until, NULL);
    w->taken = verdict == LOCK_TAKEN;
    if (verdict != LOCK_UNKNOWN) {
        wait_note_answer(w); /* of the others; the queue node may be silent */
    }
    attempt->bypass = false;
    attempt->queued = true;
    w->side = *slot;
    *slot = blocked;
    wait_plan_bypass(w, 0);
}

/* After a split vote, or one that found the queue node free and the others not: again, a little later. */
static lock_verdict wait_try_again(wait_op *w)
{
    lock_attempt *attempt = w->attempt;
    const lock_client *client = attempt->client;
    int64_t again = platform_now() + random_span(PLATFORM_MSEC, w->spread);

    w->spread = platform_earlier(2 * w->spread, platform_later(client->retry_interval, FIRST_SPREAD));
    if (rl_wait(NULL, 0, platform_earlier(again, attempt->last_try_at), &client->hook) == RL_WAKE_HOOK) {
        *attempt->error = RL_INTERRUPTION;
        return LOCK_UNKNOWN;
    }
    int64_t now = platform_now();
    lock_verdict verdict = lock_attempt_try(
        attempt, platform_after(now, client->connect_timeout),
        platform_after(platform_earlier(attempt->deadline, now + client->read_timeout), LOCK_FINAL_REPLY_GRACE));
    w->look_at = platform_after(platform_now(), attempt->look_in);
    wait_plan_bypass(w, attempt->look_in);
    return verdict;
}

/* ---- blocking ---- */

/* Waits for the BLPOP to be answered, looking meanwhile. False: it was not, and attempt->error says why, unless it is
 * RL_OK: then the deadline came first. */
static bool wait_watch(wait_op *w)
{
    lock_attempt *attempt = w->attempt;

    rl_error_clear(attempt->error);
    while (!w->blpop.answered && platform_now() < attempt->last_try_at) {
        if (!wait_attend_look(w)) {
            return false;
        }
        if (!w->looking && platform_now() >= w->bypass_at) {
            wait_try_bypass(w);
            rl_error_clear(attempt->error);
            if (w->taken) {
                return false;
            }
        }
        rl_conn *conns[] = {main_conn(w), w->side};
        int64_t alarm = platform_earlier(attempt->last_try_at, w->looking ? w->look_by : w->look_at);
        alarm = w->looking ? alarm : platform_earlier(alarm, w->bypass_at);
        if (rl_wait(conns, 2, alarm, &attempt->client->hook) == RL_WAKE_HOOK) {
            rl_call_give_up(&w->blpop, RL_WAKE_HOOK);
            *attempt->error = w->blpop.error;
            return w->blpop.answered;
        }
    }
    if (w->blpop.answered) {
        *attempt->error = w->blpop.error;
    }
    return w->blpop.answered;
}

/* Stays in line until the baton comes or the deadline does. */
static block_end wait_block(wait_op *w, lock_verdict *verdict)
{
    lock_attempt *attempt = w->attempt;
    int64_t left = attempt->last_try_at - platform_now();

    rl_call_reset(&w->blpop);
    if (left < RL_BLOCK_MARGIN + PLATFORM_MSEC) { /* less than a millisecond would be for ever */
        return wait_end(w, verdict);
    }
    wait_start_blpop(w, attempt->deadline == PLATFORM_NEVER ? PLATFORM_NEVER : left - RL_BLOCK_MARGIN);
    bool answered = wait_watch(w);
    if (attempt->error->kind != RL_OK) {
        return BLOCK_BROKEN;
    }
    if (w->taken) {
        *verdict = LOCK_TAKEN;
        return BLOCK_OVER;
    }
    if (answered) {
        wait_note_answer(w);
        /* Whatever ended the BLPOP, a try finds out what is true; at the deadline it is the last one. */
        if (wait_read_baton(w) || attempt->last_try_at - platform_now() > 2 * RL_BLOCK_MARGIN) {
            return BLOCK_BATON;
        }
    }
    return wait_end(w, verdict);
}

/* ---- ends ---- */

/* After a broken connection or an answer that the server cannot help now: enters the queue anew, at its end, until
 * that works, the deadline has come, or the server was away for too long. */
static lock_verdict wait_recover(wait_op *w)
{
    lock_attempt *attempt = w->attempt;
    const lock_client *client = attempt->client;
    rl_error why = *attempt->error;
    int64_t pause = RL_REPEAT_PAUSE;

    while (rl_error_is_transient(&why)) {
        int64_t now = platform_now();
        int64_t give_up = platform_earlier(attempt->deadline, w->last_good + RL_RECONNECT_WINDOW);
        if (now >= give_up) {
            break;
        }
        if (rl_wait(NULL, 0, platform_earlier(give_up, now + pause), &client->hook) == RL_WAKE_HOOK) {
            why = RL_INTERRUPTION;
            break;
        }
        now = platform_now();
        if (w->undone) {
            lock_attempt_renew(attempt); /* not before: who gives up leaves under the id that queued */
            w->undone = false;
        }
        lock_verdict verdict = lock_attempt_try(
            attempt, platform_after(platform_earlier(give_up, now + client->connect_timeout), LOCK_FINAL_REPLY_GRACE),
            platform_after(platform_earlier(give_up, now + client->read_timeout), LOCK_FINAL_REPLY_GRACE));
        if (verdict != LOCK_UNKNOWN) {
            wait_note_answer(w);
            w->look_at = platform_after(platform_now(), attempt->look_in);
            return verdict;
        }
        why = *attempt->error;
        pause = platform_earlier(2 * pause, RL_LONGEST_PAUSE);
    }
    *attempt->error = why;
    return LOCK_UNKNOWN;
}

/* One place in the line: until the baton is claimed, the deadline comes, or something breaks. */
static lock_verdict wait_stay_in_line(wait_op *w)
{
    lock_attempt *attempt = w->attempt;
    const lock_client *client = attempt->client;
    lock_verdict verdict = LOCK_UNKNOWN;

    switch (wait_block(w, &verdict)) {
    case BLOCK_OVER:
        return verdict;
    case BLOCK_BATON: {
        int64_t now = platform_now();
        verdict = lock_attempt_try(
            attempt, platform_after(now, client->connect_timeout),
            platform_after(platform_earlier(attempt->deadline, now + client->read_timeout), LOCK_FINAL_REPLY_GRACE));
        w->look_at = platform_after(platform_now(), attempt->look_in);
        if (verdict == LOCK_UNKNOWN && wait_is_only_slow(w)) {
            wait_leave_queue(w);
            attempt->queued = false;
            return LOCK_HELD;
        }
        return verdict;
    }
    default:
        /* For good, then: first out of the queue, so that a release that comes now goes past us. */
        if (!rl_error_is_transient(attempt->error)) {
            wait_leave_queue(w);
        }
        wait_close_main(w);
        return LOCK_UNKNOWN;
    }
}

static bool attempt_may_try_again(const lock_attempt *attempt)
{
    return attempt->quorum.count > 1 && platform_now() < attempt->last_try_at;
}

lock_verdict lock_wait(lock_attempt *attempt)
{
    wait_op w = {.attempt = attempt,
                 .spread = FIRST_SPREAD,
                 .pause = LOOK_AGAIN,
                 .unclaimed = PLATFORM_NEVER,
                 .blind = PLATFORM_NEVER};
    lock_verdict verdict = LOCK_HELD;
    rl_request leave;

    wait_note_answer(&w);
    w.look_at = platform_after(platform_now(), attempt->look_in);
    wait_plan_bypass(&w, attempt->look_in);
    while (verdict == LOCK_HELD && (attempt->queued || attempt_may_try_again(attempt))) {
#ifdef REDISLOCK_TEST
        if (lock_wait_before_blocking != NULL) {
            lock_wait_before_blocking();
        }
#endif
        verdict = attempt->queued ? wait_stay_in_line(&w) : wait_try_again(&w);
        if (verdict == LOCK_UNKNOWN) {
            verdict = wait_recover(&w);
        }
    }
    if (verdict == LOCK_UNKNOWN) {
        wait_leave_queue(&w);
    }
    if (verdict == LOCK_TAKEN && w.blpop.conn != NULL) {
        /* Taken past the queue node, where the BLPOP goes on: what it may be served is handed on. But what stands behind it is
         * only run when it ends, so the queue is left on the side. */
        lock_attempt_leave_request(attempt, (rl_bytes){"*", 1}, &leave);
        rl_conn_close_after(main_conn(&w), &leave, platform_now());
        lock_attempt_leave_request(attempt, (rl_bytes){"", 0}, &leave);
        rl_conn_send_and_forget(side_conn(&w), &leave,
                                platform_after(platform_now(), attempt->client->connect_timeout));
    }
    if (w.looking && !w.enter_again) {
        /* Its answer is on its way, mostly; waiting for it keeps the connection. */
        rl_call_wait(&w.look, platform_now() + LOOK_TIME, NULL);
        w.looking = !w.look.answered;
    }
    if (w.looking) {
        /* A look that is to enter us anew must not do so after the claim. */
        lock_attempt_leave_request(attempt, (rl_bytes){"", 0}, &leave);
        rl_conn_close_after(w.side, &leave, lock_cleanup_deadline(attempt->hard_deadline));
    }
    rl_call_reset(&w.blpop);
    rl_call_reset(&w.look);
    rl_pool_give(attempt->client->pool, w.side);
    return verdict;
}

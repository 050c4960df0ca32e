/* SPDX-License-Identifier: MIT
 *
 * lock/wait: see lock/wait.h.
 */
#include "lock/wait.h"

#include <string.h>

#include "invariant.h"
#include "lock/local/turn.h"
#include "lock/try.h"
#include "lock/undo.h"
#include "platform/platform.h"
#include "redis/blpop.h"
#include "redis/repeat.h"
#include "redis/scripts.h"

#define LOOK_TIME  (3 * PLATFORM_MSEC)   /* how long a wait that is over awaits the reply to a look */
#define LOOK_AGAIN (200 * PLATFORM_MSEC) /* pause after a look that failed; doubles while the server refuses looks */
#define LOOK_PAUSE PLATFORM_SEC          /* longest pause while the server refuses the second connection */
#define LOOK_BLIND (3 * PLATFORM_SEC)    /* how long the server may refuse looks before the waiter queues anew */

/* With several nodes: the longest random pause before another try after the first split vote. */
#define FIRST_SPREAD (8 * PLATFORM_MSEC)

/* How long a waiter that stands in no line, since the lock's slot moves, pauses before it asks again. */
#define LEAST_PAUSE (50 * PLATFORM_MSEC)
#define MOST_PAUSE  (100 * PLATFORM_MSEC)

/* How long a head is silent at most, while others of its machine wait for it, and then how much later it may come. */
#define SIGN_OF_LIFE (500 * PLATFORM_MSEC)

/* With several nodes: about the time between two bypasses by a waiter at the queue node. */
#define BYPASS_INTERVAL PLATFORM_SEC

#ifdef REDISLOCK_TEST
void (*lock_wait_before_blocking)(void);
#endif

typedef struct wait_op {
    lock_attempt *attempt;
    lock_answer answer;      /* what came of the last try */
    rl_conn *side;           /* second connection, for looks, as the main one is blocked; NULL until it is needed */
    rl_blpop blpop;          /* on the main connection */
    rl_call look;            /* the look, on the second connection */
    bool is_over;            /* the last try was made and has ended the wait */
    bool left_queue;         /* the queue was left for good */
    bool undone;             /* an undo of what this attempt may have done was sent: see lock_attempt_draw_anew() */
    bool looking;            /* a look is under way */
    bool enter_again;        /* the queue has dropped this waiter: the next look enters it anew */
    int64_t unclaimed_since; /* since when looks find a served baton that is not claimed; PLATFORM_NEVER: they do not */
    int64_t look_at;         /* when the next look is due */
    int64_t looked_at;       /* when the look under way was sent */
    int64_t look_by;         /* when the look under way counts as failed */
    int64_t look_pause;      /* between a look that failed and the next one */
    int64_t blind_since;     /* since when the server refuses the second connection; PLATFORM_NEVER: it does not */
    int64_t bypass_at;       /* when to bypass the queue node; PLATFORM_NEVER if no majority can do without it */
    int64_t spread_most;     /* the longest pause after the next split vote */
    int64_t last_good;       /* when the server last gave a good answer */
    char digits[4][RL_DIGITS];
} wait_op;

typedef enum block_end {
    BLOCK_BATON,  /* the BLPOP has ended: a try finds out who holds the lock, and claims it if a baton was served */
    BLOCK_OVER,   /* the wait is over: the answer says how */
    BLOCK_BROKEN, /* attempt->error says why */
} block_end;

static const rl_target *target_of(const wait_op *w)
{
    return w->attempt->session->target;
}

static rl_conn *main_conn(const wait_op *w)
{
    return w->attempt->session->conns[w->attempt->place.node];
}

static rl_conn *side_conn(wait_op *w)
{
    if (w->side == NULL) {
        w->side = rl_session_take_another(w->attempt->session, w->attempt->place.node);
    }
    return w->side;
}

static void wait_note_answer(wait_op *w)
{
    w->last_good = platform_now();
}

/* Does the second connection lead elsewhere than to the queue's node? */
static bool wait_side_is_elsewhere(const wait_op *w)
{
    if (rl_target_is_cluster(target_of(w))) {
        return !rl_conn_leads_to(w->side, rl_conn_destination(main_conn(w)));
    }
    return !rl_conn_serves(w->side, &target_of(w)->endpoints[w->attempt->place.node]);
}

/* Gives the second connection back if the queue is another node's now. What a look under way may still enter at the old
 * one ends by itself. */
static void wait_follow_queue_node(wait_op *w)
{
    if (w->side != NULL && wait_side_is_elsewhere(w)) {
        rl_call_detach(&w->look, false);
        w->looking = false;
        rl_pool_give(target_of(w)->pool, w->side);
        w->side = NULL;
    }
}

/* Sets when to look next: in `in` µs, or earlier if the server may have been replaced by then. */
static void wait_plan_look(wait_op *w, int64_t in)
{
    int64_t now = platform_now();

    w->look_at = rl_target_check_at(target_of(w), now, platform_after(now, in));
}

/* Notes what came of a try, and when to look next if it has entered the queue. */
static void wait_note_try(wait_op *w, lock_answer answer)
{
    w->answer = answer;
    wait_follow_queue_node(w);
    wait_plan_look(w, answer.look_in);
}

/* ---- looking ---- */

static void wait_look_request(wait_op *w, rl_request *request)
{
    lock_attempt *attempt = w->attempt;

    rl_request_begin(request, &rl_script_look);
    lock_keys_add(request, &attempt->room->keys, false);
    rl_request_add(request, (rl_bytes){attempt->place.waiter, attempt->place.waiter_len});
    rl_request_add_number(request, lock_attempt_wait_ms(attempt, platform_now()), w->digits[0]);
    rl_request_add_number(request, attempt->params->client->retry_interval / PLATFORM_MSEC, w->digits[1]);
    rl_request_add_number(request, w->enter_again ? 1 : 0, w->digits[2]);
    rl_request_add_number(request, platform_later(platform_now() - w->unclaimed_since, 0) / PLATFORM_MSEC,
                          w->digits[3]);
}

/* How long a look may take. If a server is to be found first, that may take half of the time for a connection. */
static int64_t wait_look_time(wait_op *w)
{
    const rl_target *target = target_of(w);
    bool is_found = !rl_target_moves(target) || rl_conn_ready_since(side_conn(w)) != PLATFORM_NEVER;

    return is_found ? target->read_timeout : platform_later(target->read_timeout, target->connect_timeout);
}

static void wait_start_look(wait_op *w)
{
    const rl_target *target = target_of(w);
    int64_t now = platform_now();

    RL_INVARIANT(!w->looking && w->look.conn == NULL);
    rl_call_reset(&w->look);
    wait_look_request(w, &w->look.request);
    w->looking = true;
    w->looked_at = now;
    w->look_by = platform_after(now, wait_look_time(w));
    rl_conn_submit(side_conn(w), &w->look, platform_after(now, target->connect_timeout));
}

/* Closes the second connection; and idle ones like it, if the server may have been replaced. */
static void wait_close_side(wait_op *w)
{
    RL_INVARIANT(w->side != NULL && !w->looking);
    rl_conn_break(w->side, RL_LOST, "the connection was given up");
    rl_pool_give(target_of(w)->pool, w->side);
    w->side = NULL;
}

/* Is the server that has answered the look the one at which the BLPOP blocks? If not, another one has taken over, and the
 * place in line is to be taken there: false, with attempt->error. Which of the two it is, nobody knows here: the second
 * connection may be the one that was left behind, so it is made anew as well. */
static bool wait_is_at_server(wait_op *w)
{
    if (!rl_conn_parts_from(w->side, main_conn(w))) {
        return true;
    }
    wait_close_side(w);
    w->enter_again = false; /* in the line at that server */
    *w->attempt->error = (rl_error){RL_LOST, "", "another server is the master now"};
    return false;
}

/* Evaluates a look that was answered or given up, and sets when the next one is due. Returns false, with attempt->error, if it
 * failed in a way that ends this place in the queue. */
static bool wait_end_look(wait_op *w)
{
    long long status = 0, ms = 0;

    RL_INVARIANT(w->looking);
    w->looking = false;
    if (w->look.error.kind == RL_OK && !lock_answer_read(w->look.reply, &status, &ms)) {
        w->look.error = RL_WRONG_REPLY;
    }
    if (w->look.error.kind == RL_OK) {
        wait_note_answer(w);
        w->enter_again = status == 2;
        w->unclaimed_since = status == 1 ? platform_earlier(w->unclaimed_since, platform_now()) : PLATFORM_NEVER;
        w->look_pause = LOOK_AGAIN;
        w->blind_since = PLATFORM_NEVER;
        wait_plan_look(w, w->enter_again ? PLATFORM_MSEC : lock_span_of_ms(ms));
        return wait_is_at_server(w);
    }
    if (rl_error_is_of_moving_slot(&w->look.error)) {
        /* The BLPOP may go on where nobody hands the lock over any more. */
        *w->attempt->error = w->look.error;
        return false;
    }
    wait_close_side(w);
    if (w->look.error.kind != RL_REFUSED) {
        w->look_pause = LOOK_AGAIN; /* another server may have taken over */
    }
    w->look_at = platform_now() + w->look_pause;
    if (w->look.error.kind == RL_REFUSED) { /* the server is well, and so is the main connection */
        w->look_pause = platform_earlier(2 * w->look_pause, LOOK_PAUSE);
        w->blind_since = platform_earlier(w->blind_since, platform_now());
        wait_note_answer(w);
        if (platform_now() - w->blind_since < LOOK_BLIND) {
            return true;
        }
        /* Nothing keeps the entry alive, so a release does not see this waiter any more. RL_LOST makes it queue
         * anew. */
        w->blind_since = PLATFORM_NEVER;
        *w->attempt->error = w->look.error;
        w->attempt->error->kind = RL_LOST;
        return false;
    }
    if (rl_error_is_transient(&w->look.error) &&
        platform_now() < rl_repeat_waits_until(target_of(w), PLATFORM_NEVER, w->last_good)) {
        return true;
    }
    *w->attempt->error = w->look.error;
    return false;
}

/* Starts a look that is due, evaluates one that was answered, and gives up one whose time is over. Returns false if
 * wait_end_look() does. */
static bool wait_attend_look(wait_op *w)
{
    int64_t now = platform_now();

    if (!w->looking && now >= w->look_at && now < w->attempt->last_try_at) {
        wait_start_look(w);
    }
    if (w->looking && !w->look.answered && now >= w->look_by) {
        rl_call_give_up(&w->look, RL_WAKE_DEADLINE, w->looked_at);
        return wait_end_look(w);
    }
    return w->looking && w->look.answered ? wait_end_look(w) : true;
}

/* ---- blocking ---- */

/* Copies the baton that the BLPOP brought to attempt->served. Returns false if it brought none: a nil is its timeout, and any
 * other element of the list is no baton. */
static bool wait_read_baton(wait_op *w)
{
    rl_bytes element;

    if (!rl_blpop_element(&w->blpop, &element) || element.len != LOCK_BATON_LEN || !lock_token_is_baton(element)) {
        return false;
    }
    memcpy(w->attempt->place.served, element.at, LOCK_BATON_LEN);
    return true;
}

/* Drops a look that was not sent yet: now it never will be. Returns whether there was one. */
static bool wait_drop_unsent_look(wait_op *w)
{
    bool is_unsent = w->looking && rl_conn_ready_since(w->side) == PLATFORM_NEVER;

    if (is_unsent) {
        rl_call_detach(&w->look, false);
        w->looking = false;
    }
    return is_unsent;
}

/* Leaves the queue, on the second connection, so that a release that comes now does not hand the lock to nobody, and
 * hands on the baton that the BLPOP has brought. One that it may still bring is handed on by the undo behind it: see
 * wait_close_main(). */
static void wait_leave_queue(wait_op *w)
{
    if (w->left_queue || w->attempt->process != platform_process()) {
        return; /* after a fork during the wait, the place in the queue is the parent's */
    }
    w->left_queue = true;
    bool served = wait_read_baton(w);
    int64_t reply_by = rl_clock_cleanup(&w->attempt->clock);
    rl_call leave = {0};
    lock_attempt_undo_request(w->attempt, (rl_bytes){w->attempt->place.served, served ? LOCK_BATON_LEN : 0},
                              &leave.request);
    wait_drop_unsent_look(w);
    if (w->looking) {
        rl_conn_close_after(w->side, &leave.request, reply_by);
        w->looking = false;
        return;
    }
    if (rl_conn_ready_since(side_conn(w)) == PLATFORM_NEVER) {
        /* Logging in takes a while longer, and a call that ends before its deadline may take as long. */
        reply_by = platform_later(
            reply_by, platform_earlier(platform_now() + RL_CLEANUP_BUDGET, w->attempt->clock.hard_deadline));
    }
    leave.send_eval = true; /* the text too: nobody may be left to send it after NOSCRIPT */
    rl_conn_submit(side_conn(w), &leave, reply_by);
    rl_call_wait(&leave, reply_by, NULL);
    rl_call_reset(&leave);
}

/* Closes the main connection, behind an undo of what may be under way on it. Not if the slot of a cluster moves: the place in
 * line moves with it, and is this waiter's there too. */
static void wait_close_main(wait_op *w)
{
    rl_request undo;

    if (rl_error_is_of_moving_slot(w->attempt->error)) {
        rl_call_reset(&w->blpop.call);
        return;
    }
    lock_attempt_undo_request(w->attempt, (rl_bytes){"*", 1}, &undo);
    w->undone |= rl_conn_close_after(main_conn(w), &undo, rl_clock_cleanup(&w->attempt->clock));
}

/* Returns whether the last try has no answer only since the server is slow at the deadline, or this machine is busy. What was
 * sent last is undone behind it, so the lock is not ours, and as far as we know somebody else's: that is ATTEMPT_BUSY and no
 * error. */
static bool wait_is_only_slow(const wait_op *w)
{
    const lock_attempt *attempt = w->attempt;

    return rl_clock_is_only_slow(target_of(w), w->last_good, attempt->last_try_at) &&
           lock_attempt_ran_out_of_time(attempt);
}

/* Gives the place in the queue up at the end of the wait: another owner holds the lock. */
static void wait_give_up(wait_op *w)
{
    wait_leave_queue(w);
    w->answer = (lock_answer){.verdict = ATTEMPT_BUSY};
}

/* Ends the wait by the last try, which takes what was handed over meanwhile or leaves the queue. Returns BLOCK_OVER,
 * BLOCK_BATON if the BLPOP brought a baton all the same, or BLOCK_BROKEN. */
static block_end wait_end(wait_op *w)
{
    lock_attempt *attempt = w->attempt;

    RL_INVARIANT(attempt->place.served[0] == '\0'); /* L13 */
    rl_wait(NULL, 0, attempt->last_try_at, NULL);   /* the last try finds a baton that comes until then */
    rl_clock_ask(&attempt->clock, target_of(w), platform_now());
    w->answer = lock_attempt_try_once(attempt, &(lock_try){.leaves = true});
    if (w->answer.verdict == ATTEMPT_ACQUIRED) {
        return BLOCK_OVER;
    }
    if (w->answer.verdict != ATTEMPT_FAILED) {
        /* If the BLPOP was served, that was before the last try ran: it saw a lock on its way to this waiter. */
        return wait_read_baton(w) ? BLOCK_BATON : BLOCK_OVER;
    }
    /* A baton is not claimed while the last try is open: that may take the lock once more, after the claim (L13). Leaving
     * the queue hands the baton on. */
    if (wait_is_only_slow(w)) {
        wait_give_up(w);
        wait_close_main(w);
        return BLOCK_OVER;
    }
    return BLOCK_BROKEN;
}

/* ---- several nodes ---- */

/* Returns a random span, so that clients whose votes were split do not split them again. */
static int64_t random_span(int64_t from, int64_t to)
{
    uint64_t drawn;

    platform_random(&drawn, sizeof(drawn));
    return from + (int64_t)(drawn % (uint64_t)(to - from + 1));
}

static void wait_plan_bypass(wait_op *w, int64_t look_in)
{
    int64_t about = platform_later(BYPASS_INTERVAL, platform_earlier(look_in, 10 * PLATFORM_SEC));

    bool can_do_without = rl_session_majority(w->attempt->session) < w->attempt->session->nodes;

    w->bypass_at = can_do_without ? platform_now() + random_span(about / 2, about) : PLATFORM_NEVER;
}

/* Tries once to take the lock without touching the place in the queue. The queue node may be held by what a majority
 * does not know: the rest of a lock whose release never arrived there. The main connection to that node is blocked,
 * so the second one stands in for it during the try. Returns whether the lock was acquired. */
static bool wait_try_bypass(wait_op *w)
{
    lock_attempt *attempt = w->attempt;
    int64_t now = platform_now();

    RL_INVARIANT(!w->looking && !rl_session_is_alone(attempt->session));
    rl_clock_ask_by(&attempt->clock, now,
                    platform_earlier(platform_after(now, target_of(w)->read_timeout), attempt->last_try_at));
    lock_answer answer = lock_attempt_try_once(attempt, &(lock_try){.bypass = side_conn(w)});
    attempt->error->kind = RL_OK;
    if (answer.verdict == ATTEMPT_ACQUIRED) {
        w->answer = answer;
        return true;
    }
    if (answer.verdict != ATTEMPT_FAILED) {
        wait_note_answer(w); /* the other nodes have answered; the queue node may be silent */
    }
    wait_plan_bypass(w, 0);
    return false;
}

/* Returns for how long to pause before another try. After split votes that is longer each time. */
static int64_t wait_pause(wait_op *w)
{
    int64_t spread = w->spread_most;

    if (w->answer.asks_again) {
        return random_span(LEAST_PAUSE, MOST_PAUSE);
    }
    w->spread_most =
        platform_earlier(2 * w->spread_most, platform_later(w->attempt->params->client->retry_interval, FIRST_SPREAD));
    return random_span(PLATFORM_MSEC, spread);
}

/* Tries again, a little later: after a split vote or one that found the queue node free and the others not; and if nobody
 * stands in line, since the lock's slot moves. */
static void wait_try_again(wait_op *w)
{
    lock_attempt *attempt = w->attempt;
    int64_t again_at = platform_now() + wait_pause(w);

    if (rl_wait(NULL, 0, platform_earlier(again_at, attempt->last_try_at), &target_of(w)->hook) == RL_WAKE_HOOK) {
        *attempt->error = RL_INTERRUPTION;
        w->answer = (lock_answer){.verdict = ATTEMPT_FAILED};
        return;
    }
    wait_note_try(w, lock_attempt_try(attempt, platform_now()));
    wait_plan_bypass(w, w->answer.look_in);
}

/* ---- standing in line ---- */

/* Lets those who wait behind a head on this machine know that it goes on by then. Returns until when it may sleep. */
static int64_t wait_show_life(const wait_op *w, int64_t wake_at)
{
    if (w->attempt->turn == NULL) {
        return wake_at;
    }
    wake_at = platform_earlier(wake_at, platform_now() + SIGN_OF_LIFE);
    lock_turn_hold(w->attempt->turn, wake_at + SIGN_OF_LIFE);
    return wake_at;
}

/* What comes next may take longer. */
static void wait_show_life_no_more(const wait_op *w)
{
    if (w->attempt->turn != NULL) {
        lock_turn_hold(w->attempt->turn, 0);
    }
}

/* Waits for the BLPOP to be answered; looks, and bypasses the queue node, meanwhile. Returns whether it was answered. If not,
 * attempt->error says why; it is RL_OK if the deadline came first or a bypass has acquired the lock. */
static bool wait_watch(wait_op *w)
{
    lock_attempt *attempt = w->attempt;

    attempt->error->kind = RL_OK;
    while (!w->blpop.call.answered && platform_now() < attempt->last_try_at) {
        if (!wait_attend_look(w)) {
            return false;
        }
        if (!w->looking && platform_now() >= w->bypass_at && wait_try_bypass(w)) {
            return false;
        }
        rl_conn *conns[] = {main_conn(w), w->side};
        int64_t wake_at = platform_earlier(attempt->last_try_at, w->looking ? w->look_by : w->look_at);
        wake_at = w->looking ? wake_at : platform_earlier(wake_at, w->bypass_at);
        if (rl_wait(conns, 2, wait_show_life(w, wake_at), &target_of(w)->hook) == RL_WAKE_HOOK) {
            rl_call_give_up(&w->blpop.call, RL_WAKE_HOOK, 0);
            *attempt->error = w->blpop.call.error;
            return w->blpop.call.answered;
        }
    }
    if (w->blpop.call.answered) {
        *attempt->error = w->blpop.call.error;
    }
    return w->blpop.call.answered;
}

/* Blocks until a baton or the deadline comes. The BLPOP makes no allowance for clocks that run at different speeds, as that of
 * rl_blpop_span() does: whoever blocks anew loses its place in line. If it ends late, so does the last try: see
 * wait_is_only_slow(). */
static block_end wait_block(wait_op *w)
{
    lock_attempt *attempt = w->attempt;
    int64_t left = attempt->last_try_at - platform_now();

    rl_call_reset(&w->blpop.call);
    if (left < RL_BLOCK_MARGIN + RL_BLOCK_SHORTEST) {
        return wait_end(w);
    }
    rl_blpop_start(&w->blpop, main_conn(w), &attempt->room->keys.baton, 1,
                   attempt->clock.deadline == PLATFORM_NEVER ? PLATFORM_NEVER : left - RL_BLOCK_MARGIN);
    bool answered = wait_watch(w);
    if (attempt->error->kind != RL_OK) {
        return BLOCK_BROKEN;
    }
    if (w->answer.verdict == ATTEMPT_ACQUIRED) {
        return BLOCK_OVER;
    }
    if (answered) {
        wait_note_answer(w);
        /* Whatever ended the BLPOP, a try finds out who holds the lock; near the deadline it is the last one. */
        if (wait_read_baton(w) || attempt->last_try_at - platform_now() > 2 * RL_BLOCK_MARGIN) {
            return BLOCK_BATON;
        }
    }
    return wait_end(w);
}

/* ---- ends ---- */

/* Gives the second connection up while it is being made, if another server may have taken over: nobody attends to it for a
 * while, and what it has asked is out of date then. */
static void wait_drop_route(wait_op *w)
{
    if (rl_target_moves(target_of(w)) && wait_drop_unsent_look(w)) {
        rl_conn_free(w->side);
        w->side = NULL;
    }
}

/* Enters the queue anew, at its end, after a broken connection or a transient error reply. Repeats that until a try is
 * answered, the deadline has come, or the server has been away for too long. If no try is answered, the answer stays
 * ATTEMPT_FAILED, and attempt->error says why. */
static void wait_recover(wait_op *w)
{
    lock_attempt *attempt = w->attempt;
    rl_repeat repeat;

    wait_drop_route(w);
    rl_repeat_begin_waiting(&repeat, target_of(w), attempt->clock.deadline, w->last_good);
    while (w->answer.verdict == ATTEMPT_FAILED && rl_repeat_again(&repeat, attempt->error)) {
        if (w->undone) {
            lock_attempt_draw_anew(attempt); /* not earlier: a waiter leaves under the id that it queued with */
            w->undone = false;
        }
        lock_turn_show_life(attempt->turn);
        wait_note_try(w, lock_attempt_try(attempt, platform_now()));
    }
    if (w->answer.verdict != ATTEMPT_FAILED) {
        wait_note_answer(w);
    }
}

/* Keeps one place in the queue until a baton is claimed, the deadline comes, or something breaks. After ATTEMPT_BUSY,
 * the answer tells whether a late claim has queued anew. */
static void wait_stay_in_line(wait_op *w)
{
    RL_INVARIANT(w->answer.queued && w->blpop.call.conn == NULL); /* L14 */
    block_end end = wait_block(w);

    wait_show_life_no_more(w);
    switch (end) {
    case BLOCK_OVER:
        w->is_over = true;
        return;
    case BLOCK_BATON:
        wait_note_try(w, lock_attempt_try(w->attempt, platform_now()));
        if (w->answer.verdict == ATTEMPT_FAILED && wait_is_only_slow(w)) {
            wait_give_up(w);
        }
        return;
    default:
        /* An error for good: leaves the queue first, so that a release that comes now passes this waiter by. */
        if (!rl_error_is_transient(w->attempt->error)) {
            wait_leave_queue(w);
        }
        wait_close_main(w);
        w->answer.verdict = ATTEMPT_FAILED;
    }
}

/* Does the wait go on? A waiter that does not stand in line has met a split vote or a slot that moves, and tries again. Not
 * behind its last try, which may have shown that answers come sooner than was expected: the BLPOP of its line may still be
 * under way. */
static bool wait_goes_on(const wait_op *w)
{
    bool may_be_split = !rl_session_is_alone(w->attempt->session) || w->answer.asks_again;

    return !w->is_over && w->answer.verdict == ATTEMPT_BUSY &&
           (w->answer.queued || (may_be_split && platform_now() < w->attempt->last_try_at));
}

/* Ends what may still be under way on the two connections. A BLPOP or a look may act later. The release that is written
 * behind it hands on what the BLPOP is served, or takes the waiter out of the queue that the look has entered it into
 * again. */
static void wait_close(wait_op *w)
{
    lock_attempt *attempt = w->attempt;
    rl_request leave;

    if (w->answer.verdict == ATTEMPT_FAILED) {
        wait_leave_queue(w);
    }
    if (w->answer.verdict == ATTEMPT_ACQUIRED && w->blpop.call.conn != NULL) {
        /* A bypass took the lock, and the BLPOP at the queue node goes on. The release behind it hands on what it may
         * be served. But that runs only when the BLPOP ends, so the queue is left on the second connection. */
        lock_attempt_leave_request(attempt, RL_LITERAL("*"), &leave);
        rl_conn_close_after(main_conn(w), &leave, platform_now());
        lock_attempt_leave_request(attempt, RL_LITERAL(""), &leave);
        rl_conn_send_and_forget(side_conn(w), &leave, false,
                                platform_after(platform_now(), target_of(w)->connect_timeout));
    }
    if (w->looking && !w->enter_again && attempt->process == platform_process()) {
        /* Its reply is mostly on its way, and waiting for it saves the connection. After a fork it is the parent's. */
        rl_call_wait(&w->look, platform_now() + LOOK_TIME, NULL);
        w->looking = !w->look.answered;
    }
    if (w->looking) {
        /* A look that enters this waiter anew may run after the claim: the queue is left behind it. */
        lock_attempt_leave_request(attempt, RL_LITERAL(""), &leave);
        rl_conn_close_after(w->side, &leave, rl_clock_cleanup(&attempt->clock));
    }
    rl_call_reset(&w->blpop.call);
    rl_call_reset(&w->look);
    rl_pool_give(target_of(w)->pool, w->side);
}

/* Stands in line, or tries again after a split vote, until an answer ends the wait. */
lock_answer lock_wait(lock_attempt *attempt, lock_answer first)
{
    wait_op w = {.attempt = attempt,
                 .spread_most = FIRST_SPREAD,
                 .look_pause = LOOK_AGAIN,
                 .unclaimed_since = PLATFORM_NEVER,
                 .blind_since = PLATFORM_NEVER};

    RL_INVARIANT(attempt->waits && first.verdict == ATTEMPT_BUSY);
    wait_note_answer(&w);
    wait_note_try(&w, first);
    wait_plan_bypass(&w, first.look_in);
    while (wait_goes_on(&w)) {
#ifdef REDISLOCK_TEST
        if (lock_wait_before_blocking != NULL) {
            lock_wait_before_blocking();
        }
#endif
        if (w.answer.queued) {
            wait_stay_in_line(&w);
        } else {
            wait_try_again(&w);
        }
        if (w.answer.verdict == ATTEMPT_FAILED) {
            wait_recover(&w);
        }
    }
    wait_close(&w);
    return w.answer;
}

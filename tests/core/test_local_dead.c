/* SPDX-License-Identifier: MIT
 *
 * Processes that pass locks on, and are killed or stand still at some point: the others go on, each within the time that
 * lock/local/watch.c says.
 */
#include "local_bed.h"

#include <unistd.h>
#include <sys/wait.h>

static visit *visits(int count)
{
    visit *v = shared(sizeof(*v) * (size_t)count);

    for (int i = 0; i < count; i++) {
        v[i] = (visit){.key = "a", .token = "other", .wait_ms = 8000};
    }
    return v;
}

/* Starts it as the owner of the slot. */
static void start_owner(visit *v)
{
    v->end = VISIT_STAYS;
    visit_start(v);
    CHECK_INT(visit_verdict(v), LOCK_TURN_HEAD);
}

static void go_on(pid_t pid)
{
    kill(pid, SIGCONT);
}

TEST(local_owner_that_is_killed_is_followed_at_once)
{
    visit *v = visits(1);

    start_owner(v);
    process_kill(v->pid);
    place p = enter("a", "next", 5000);
    CHECK_INT(p.verdict, LOCK_TURN_HEAD);
    CHECK_RANGE(0, p.took, LOOK_MS + SLACK);
    lock_turn_leave(p.turn);
}

typedef struct killing {
    pid_t pid;
    int64_t in_ms;
    int64_t at; /* by platform_now(): not later than the death */
} killing;

static void *kill_later(void *arg)
{
    killing *k = arg;

    sleep_ms(k->in_ms);
    k->at = platform_now();
    kill(k->pid, SIGKILL);
    return NULL;
}

TEST(local_owner_that_is_killed_while_others_wait_is_followed_within_a_look)
{
    visit *v = visits(1);

    start_owner(v);
    killing k = {.pid = v->pid, .in_ms = 100};
    pthread_t thread = thread_start(kill_later, &k);
    place p = enter("a", "next", 5000);
    thread_join(thread);
    CHECK_INT(p.verdict, LOCK_TURN_HEAD);
    CHECK(p.at >= k.at);
    CHECK_RANGE(0, p.took, 100 + LOOK_MS + SLACK);
    lock_turn_leave(p.turn);
}

TEST(local_owner_whose_lease_is_over_is_followed)
{
    visit *v = visits(1);
    place p = enter("a", "first", 0);

    v->wait_ms = 5000;
    visit_start(v);
    int64_t end = platform_now() + MS(150);
    lock_turn_hold(p.turn, end);
    CHECK_INT(visit_verdict(v), LOCK_TURN_HEAD);
    CHECK(v->place.at >= end);
    CHECK_RANGE(0, v->place.took, 150 + LOOK_MS + SLACK);
    process_join(v->pid);
    lock_turn_leave(p.turn);
    check_all_free();
}

/* It may be a head that stands still, or a holder that does, and so does what renews its lease. */
TEST(local_owner_without_an_end_that_takes_long_is_followed_all_the_same)
{
    visit *v = visits(1);
    place p = enter("a", "first", 0);

    v->wait_ms = 8000;
    visit_start(v);
    CHECK_INT(visit_verdict(v), LOCK_TURN_HEAD);
    CHECK_RANGE(2900, v->place.took, 3000 + LOOK_MS + SLACK);
    process_join(v->pid);
    lock_turn_leave(p.turn);
    check_all_free();
}

/* Nobody else frees the place of the first, and only the first looks after the owner. */
TEST(local_dead_in_line_do_not_hide_a_dead_owner)
{
    enum { COUNT = 5 };
    visit *v = visits(COUNT);

    start_owner(&v[0]);
    place first = enter("b", "b", 0); /* so that this process is there */
    for (int i = 1; i < COUNT; i++) {
        visit_start(&v[i]);
        sleep_ms(20);
    }
    sleep_ms(100);
    CHECK_INT(entries_in_use(), COUNT + 1);
    for (int i = 0; i < COUNT; i++) {
        process_kill(v[i].pid);
    }
    place p = enter("a", "next", 5000);
    CHECK_INT(p.verdict, LOCK_TURN_HEAD);
    CHECK_RANGE(0, p.took, 300 + SLACK);
    lock_turn_leave(p.turn);
    lock_turn_leave(first.turn);
    local_host_sweep(host_here(), false);
    check_all_free();
}

/* Nor does one that stands still, who is there: others do not wait for it for ever. */
TEST(local_first_in_line_that_stops_does_not_hide_a_dead_owner)
{
    visit *v = visits(2);

    start_owner(&v[0]);
    place first = enter("b", "b", 0); /* so that this process is there */
    visit_start(&v[1]);
    sleep_ms(100);
    process_freeze(v[1].pid);
    process_kill(v[0].pid);
    place p = enter("a", "next", 9000);
    CHECK_INT(p.verdict, LOCK_TURN_HEAD);
    CHECK_RANGE(400, p.took, 1000 + SLACK);
    go_on(v[1].pid);
    process_kill(v[1].pid);
    lock_turn_leave(p.turn);
    lock_turn_leave(first.turn);
    local_host_sweep(host_here(), false);
    check_all_free();
}

/* ---- takeovers ---- */

/* Enters, as one that takes over if it may. */
static place enter_to_take_over(void)
{
    lock_turn_terms terms = terms_of("a", "next", 5000);

    terms.takes_over = true;
    return enter_with(&terms);
}

/* Starts a holder that lets others take over. */
static void start_holder(visit *v)
{
    v->lets_take_over = "held";
    start_owner(v);
}

/* Ends the test's turn, and what the dead have left. */
static void leave_all(const place *p)
{
    lock_turn_leave(p->turn);
    local_host_sweep(host_here(), false);
    check_all_free();
}

TEST(local_holder_that_is_killed_is_taken_over)
{
    visit *v = visits(1);

    start_holder(v);
    killing k = {.pid = v->pid, .in_ms = 100};
    pthread_t thread = thread_start(kill_later, &k);
    place p = enter_to_take_over();
    thread_join(thread);
    CHECK_INT(p.verdict, LOCK_TURN_GRANTED);
    CHECK(p.turn->is_takeover && !p.turn->is_known);
    CHECK_TEXT(p.turn->from, "held");
    CHECK_INT(p.turn->from_len, 4);
    CHECK_INT(p.turn->heir_len, 0);
    CHECK_INT(p.turn->before, MS(5000));
    CHECK_INT(entries_in_use(), 1);
    CHECK(p.at >= k.at);
    CHECK_RANGE(0, p.took, 100 + LOOK_MS + SLACK);
    leave_all(&p);
}

TEST(local_takeover_takes_two_that_agree)
{
    visit *v = visits(2);

    start_owner(&v[0]); /* does not let others take over */
    process_kill(v[0].pid);
    place p = enter_to_take_over();
    CHECK_INT(p.verdict, LOCK_TURN_HEAD);
    leave_all(&p);

    start_holder(&v[1]);
    process_kill(v[1].pid);
    p = enter("a", "next", 5000);
    CHECK_INT(p.verdict, LOCK_TURN_HEAD);
    CHECK_RANGE(0, p.took, LOOK_MS + SLACK);
    leave_all(&p);
}

/* Nothing comes of it as long as the holder is there: behind a while, another one asks Redis as well. */
TEST(local_holder_that_stands_still_is_not_taken_over)
{
    visit *v = visits(1);

    start_holder(v);
    process_freeze(v->pid);
    place p = enter_to_take_over();
    CHECK_INT(p.verdict, LOCK_TURN_HEAD);
    CHECK_RANGE(2900, p.took, 3000 + LOOK_MS + SLACK);
    go_on(v->pid);
    process_kill(v->pid);
    leave_all(&p);
}

/* What Redis says of a holder, as the test tells it. */
typedef struct saying {
    int64_t held_for;
    int count; /* of the questions */
} saying;

static int64_t say_of_holder(void *arg, rl_bytes token, rl_bytes other)
{
    saying *s = arg;

    CHECK(rl_bytes_equal(token, RL_LITERAL("held")));
    CHECK_INT((int)other.len, 0);
    s->count++;
    return s->held_for;
}

/* Enters, as one that takes over and asks, with a holder that dies in so many ms. */
static place enter_to_ask(saying *s, int64_t ms)
{
    lock_turn_terms terms = terms_of("a", "next", 9000);
    visit *v = visits(1);
    killing k = {.in_ms = ms};

    terms.takes_over = true;
    terms.held_for = say_of_holder;
    terms.arg = s;
    start_holder(v);
    k.pid = v->pid;
    pthread_t thread = thread_start(kill_later, &k);
    place p = enter_with(&terms);
    thread_join(thread);
    process_kill(v->pid);
    return p;
}

TEST(local_holder_that_is_killed_behind_a_long_time_is_taken_over)
{
    saying s = {.held_for = PLATFORM_NEVER};
    place p = enter_to_ask(&s, 6500);

    CHECK_INT(p.verdict, LOCK_TURN_GRANTED);
    CHECK(p.turn->is_takeover);
    CHECK_TEXT(p.turn->from, "held");
    CHECK_RANGE(6400, p.took, 6500 + LOOK_MS + SLACK);
    CHECK_INT(s.count, 2);
    leave_all(&p);
}

TEST(local_holder_of_which_redis_says_nothing_is_trusted_a_second_longer)
{
    saying s = {.held_for = -1};
    place p = enter_to_ask(&s, 6000);

    CHECK_INT(p.verdict, LOCK_TURN_HEAD);
    CHECK_RANGE(3900, p.took, 4000 + LOOK_MS + SLACK);
    CHECK_INT(s.count, 2);
    leave_all(&p);
}

TEST(local_holder_that_has_lost_its_lock_is_followed_in_redis_line)
{
    saying s = {.held_for = 0};
    place p = enter_to_ask(&s, 4000);

    CHECK_INT(p.verdict, LOCK_TURN_HEAD);
    CHECK_RANGE(2900, p.took, 3000 + LOOK_MS + SLACK);
    CHECK_INT(s.count, 1);
    leave_all(&p);
}

static void hold_until_soon(void *arg)
{
    visit *v = arg;

    v->place = enter("a", "first", 0);
    lock_turn_let_take_over(v->place.turn, BYTES("held"), MS(5000));
    lock_turn_hold(v->place.turn, platform_now() + MS(200));
    atomic_store(&v->is_over, true);
    while (true) {
        pause();
    }
}

/* One that was passed the lock, and has not looked at the answer yet, knows of no more than the lease before. */
TEST(local_holder_whose_lease_is_longer_than_it_knows_is_taken_over)
{
    saying s = {.held_for = MS(2000)};
    visit *v = visits(1);
    lock_turn_terms terms = terms_of("a", "next", 9000);

    terms.takes_over = true;
    terms.held_for = say_of_holder;
    terms.arg = &s;
    host_here();
    v->pid = process_start(hold_until_soon, v);
    while (!atomic_load(&v->is_over)) {
        sleep_ms(1);
    }
    killing k = {.pid = v->pid, .in_ms = 1500};
    pthread_t thread = thread_start(kill_later, &k);
    place p = enter_with(&terms);
    thread_join(thread);
    process_kill(v->pid);
    CHECK_INT(p.verdict, LOCK_TURN_GRANTED);
    CHECK(p.turn->is_takeover);
    CHECK_RANGE(1400, p.took, 1500 + LOOK_MS + SLACK);
    CHECK_INT(s.count, 1);
    leave_all(&p);
}

static int64_t count_question(void *arg, rl_bytes token, rl_bytes other)
{
    (void)token;
    (void)other;
    atomic_fetch_add((atomic_int *)arg, 1);
    return PLATFORM_NEVER;
}

static void wait_to_ask(void *arg)
{
    lock_turn_terms terms = terms_of("a", "next", 9000);

    terms.takes_over = true;
    terms.held_for = count_question;
    terms.arg = arg;
    enter_with(&terms);
}

/* One that stands still while it is awake does not make leaders of all behind it. */
TEST(local_holder_is_asked_after_by_one_alone)
{
    enum { COUNT = 6 };
    atomic_int *questions = shared(sizeof(*questions));
    visit *v = visits(1);
    pid_t pids[COUNT];

    place holder = enter("a", "first", 0);
    lock_turn_let_take_over(holder.turn, BYTES("held"), MS(60000));
    v->stops_in = "wait_in_line";
    v->nth = 1;
    visit_start(v);
    until_in_line(holder.turn, 1);
    for (int i = 0; i < COUNT; i++) {
        pids[i] = process_start(wait_to_ask, questions);
        until_in_line(holder.turn, 2 + i);
    }
    sleep_ms(8000);
    CHECK_RANGE(1, atomic_load(questions), 3);
    for (int i = 0; i < COUNT; i++) {
        process_kill(pids[i]);
    }
    process_kill(v->pid);
    leave_all(&holder);
}

/* Nothing is asked of one that would not be taken over: the next one stands in Redis' line for all. */
TEST(local_holder_that_others_may_not_take_over_is_not_asked_after)
{
    lock_turn_terms terms = terms_of("a", "next", 9000);
    saying s = {.held_for = PLATFORM_NEVER};
    visit *v = visits(1);

    terms.takes_over = true;
    terms.held_for = say_of_holder;
    terms.arg = &s;
    start_owner(v);
    place p = enter_with(&terms);
    CHECK_INT(p.verdict, LOCK_TURN_HEAD);
    CHECK_RANGE(2900, p.took, 3100 + LOOK_MS + SLACK); /* it might let them just now */
    CHECK_INT(s.count, 0);
    process_kill(v->pid);
    leave_all(&p);
}

static void fork_then_hold(void *arg)
{
    visit *v = arg;

    v->place = enter("a", "first", 0);
    lock_turn_let_take_over(v->place.turn, BYTES("held"), MS(5000));
    pid_t child = fork();
    if (child != 0) {
        atomic_store(&v->came, (int)child);
    }
    while (true) {
        pause();
    }
}

/* Starts a holder that forks, and is killed. Returns its child, which lives. */
static pid_t start_child_of_killed_holder(visit *v)
{
    host_here();
    v->pid = process_start(fork_then_hold, v);
    while (atomic_load(&v->came) == 0) {
        sleep_ms(1);
    }
    process_kill(v->pid);
    return (pid_t)atomic_load(&v->came);
}

/* The child may go on in the section. When it has ended, too, nobody else comes. */
TEST(local_holder_whose_child_lives_is_not_taken_over)
{
    pid_t child = start_child_of_killed_holder(visits(1));
    place p = enter_to_take_over();

    CHECK_INT(p.verdict, LOCK_TURN_HEAD);
    kill(child, SIGKILL);
    leave_all(&p);
}

static pid_t last_child;

/* Kills it, and waits until nobody is left of the holder. */
static void kill_last_child(void)
{
    const local_entry *holder = &host_here()->segment->entries[0];

    while (local_state_of(atomic_load(&((local_entry *)holder)->status)) != LOCAL_MINE) {
        holder++;
    }
    kill(last_child, SIGKILL);
    for (int64_t start = platform_now();
         !local_host_is_proven_dead(host_here(), local_process_of(atomic_load(&((local_entry *)holder)->status)));
         sleep_ms(1)) {
        CHECK(ms_since(start) < 5000);
    }
}

/* As where a whole group is killed: the child a little later, when a waiter has already seen that the holder is dead. */
TEST(local_holder_whose_child_is_killed_along_is_taken_over)
{
    last_child = start_child_of_killed_holder(visits(1));
    at_step("wait_in_line", 1, kill_last_child);
    place p = enter_to_take_over();
    CHECK_INT(p.verdict, LOCK_TURN_GRANTED);
    CHECK(p.turn->is_takeover);
    at_no_step();
    leave_all(&p);
}

TEST(local_holder_that_has_told_its_token_is_not_taken_over)
{
    visit *v = visits(1);

    start_holder(v);
    local_entry *entry = &host_here()->segment->entries[atomic_load(&v->entry)];
    uint64_t status = atomic_load(&entry->status);
    CHECK(atomic_load(&entry->takeover) == local_takeover_word(local_count_of(status), LOCAL_TAKEOVER));
    atomic_store(&entry->takeover, local_takeover_word(local_count_of(status), LOCAL_NO_TAKEOVER));
    process_kill(v->pid);
    place p = enter_to_take_over();
    CHECK_INT(p.verdict, LOCK_TURN_HEAD);
    leave_all(&p);

    place own = enter("a", "own", 0);
    lock_turn_let_take_over(own.turn, BYTES("own"), MS(5000));
    entry = local_turn_entry(own.turn);
    CHECK(atomic_load(&entry->takeover) == local_takeover_word(own.turn->count, LOCAL_TAKEOVER));
    lock_turn_let_nobody_take_over(own.turn);
    CHECK(atomic_load(&entry->takeover) == local_takeover_word(own.turn->count, LOCAL_NO_TAKEOVER));
    leave_all(&own);
}

/* What is read of the dead may have been scribbled over, or be left half written. */
TEST(local_takeover_by_a_broken_text_is_none)
{
    visit *v = visits(3);

    start_holder(&v[0]);
    host_here()->segment->entries[atomic_load(&v->entry)].token[0] = 'H';
    process_kill(v->pid);
    place p = enter_to_take_over();
    CHECK_INT(p.verdict, LOCK_TURN_HEAD);
    CHECK(!p.turn->is_takeover && p.turn->is_known);
    leave_all(&p);

    for (int nth = 1; nth <= 2; nth++) {
        v[nth].dies_in = "lock_turn_let_take_over";
        v[nth].nth = nth;
        v[nth].lets_take_over = "held";
        v[nth].end = VISIT_STAYS;
        visit_start(&v[nth]);
        waitpid(v[nth].pid, NULL, 0);
        p = enter_to_take_over();
        CHECK_INT(p.verdict, LOCK_TURN_HEAD);
        leave_all(&p);
    }
}

/* Each but the last of its steps leaves the lock to its lease; none holds the next one up. */
TEST(local_taker_that_is_killed_holds_nobody_up)
{
    static const struct {
        const char *function;
        int nth;
    } steps[] = {
        {"step_turn", 1}, {"take_place", 1}, {"local_line_leave", 1}, {"local_line_claim", 1}, {"local_entry_free", 1}};
    visit *v = visits(2);

    host_here();
    for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++) {
        v[0] = v[1] = (visit){.key = "a", .token = "other", .wait_ms = 8000, .end = VISIT_STAYS};
        start_holder(&v[0]);
        v[1].takes_over = true;
        v[1].dies_in = steps[i].function;
        v[1].nth = steps[i].nth;
        process_kill(v[0].pid);
        visit_start(&v[1]);
        waitpid(v[1].pid, NULL, 0);
        place p = enter_to_take_over();
        note("%s: %s", steps[i].function, p.verdict == LOCK_TURN_GRANTED ? "granted" : "head");
        CHECK(p.verdict == (i < 2 ? LOCK_TURN_GRANTED : LOCK_TURN_HEAD));
        CHECK_RANGE(0, p.took, 200 + SLACK);
        leave_all(&p);
    }
}

/* One who joins must not sweep the place from which another one is to take over; one that needs room may. */
TEST(local_holder_that_may_be_taken_over_is_swept_for_room_alone)
{
    visit *v = visits(1);

    start_holder(v);
    process_kill(v->pid);
    host_here(); /* joins now */
    CHECK_INT(entries_in_use(), 1);
    CHECK_INT(slots_in_use(), 1);
    place p = enter_to_take_over();
    CHECK_INT(p.verdict, LOCK_TURN_GRANTED);
    leave_all(&p);

    *v = (visit){.key = "a", .token = "other", .wait_ms = 8000};
    start_holder(v);
    process_kill(v->pid);
    local_host_sweep(host_here(), false);
    check_all_free();
}

static void join_only(void *arg)
{
    (void)arg;
    host_here();
}

/* Then there is nothing to take over. */
TEST(local_holder_that_may_be_taken_over_is_swept_when_its_lease_is_over)
{
    visit *v = visits(1);

    start_holder(v);
    atomic_store(&host_here()->segment->entries[atomic_load(&v->entry)].ends, platform_now() - 1);
    process_kill(v->pid);
    process_join(process_start(join_only, NULL));
    check_all_free();
}

/* ---- the head, and who is granted the lock ---- */

/* Two wait. The first is stopped, the turn goes to it, and it may be killed then. Returns when the second had it, in ms. */
static int64_t time_of_second(visit v[2], bool passes, bool kills)
{
    lock_turn_heir heir;
    place p = enter("a", "first", 0);

    for (int i = 0; i < 2; i++) {
        v[i].wait_ms = 8000;
        visit_start(&v[i]);
        until_in_line(p.turn, i + 1);
    }
    v[0].token = "heir";
    sleep_ms(60);
    process_freeze(v[0].pid);
    int64_t start = platform_now();
    if (passes) {
        CHECK(pass(&p, "a", "first", &heir));
        lock_turn_answer(host_here(), &heir, LOCAL_YES, 0, 0);
    } else {
        lock_turn_leave(p.turn);
    }
    if (kills) {
        process_kill(v[0].pid);
    }
    visit_verdict(&v[1]);
    return ms_since(start);
}

static void end_both(visit v[2], bool killed)
{
    process_join(v[1].pid);
    if (!killed) {
        go_on(v[0].pid);
        visit_verdict(&v[0]);
        process_join(v[0].pid);
    }
    local_host_sweep(host_here(), false);
    check_all_free();
}

TEST(local_head_that_does_not_stand_up_is_followed)
{
    visit *v = visits(2);

    CHECK_RANGE(99, time_of_second(v, false, false), 100 + 2 * LOOK_MS + SLACK);
    CHECK_INT(v[1].verdict, LOCK_TURN_HEAD);
    end_both(v, false);
    CHECK_INT(v[0].verdict, LOCK_TURN_HEAD);
}

TEST(local_head_that_was_killed_is_followed)
{
    visit *v = visits(2);

    CHECK_RANGE(0, time_of_second(v, false, true), 2 * LOOK_MS + SLACK);
    CHECK_INT(v[1].verdict, LOCK_TURN_HEAD);
    end_both(v, true);
}

TEST(local_heir_that_does_not_begin_is_replaced)
{
    visit *v = visits(2);

    CHECK_RANGE(19, time_of_second(v, true, false), 20 + 2 * LOOK_MS + SLACK);
    CHECK_INT(v[1].verdict, LOCK_TURN_GRANTED);
    CHECK_TEXT(v[1].from, "first");
    CHECK_TEXT(v[1].heir, "other");
    end_both(v, false);
    CHECK_INT(v[0].verdict, LOCK_TURN_ALONE);
    CHECK(v[0].place.line.stood);
}

/* It has seen that the lock is its own, and stands still before it says so. */
TEST(local_heir_that_stops_before_it_accepts_is_replaced)
{
    visit *v = visits(2);
    lock_turn_heir heir;
    place p = enter("a", "first", 0);

    v[0].stops_in = "stand_in_line";
    v[0].nth = 1;
    for (int i = 0; i < 2; i++) {
        visit_start(&v[i]);
        until_in_line(p.turn, i + 1);
    }
    CHECK(pass(&p, "a", "first", &heir));
    CHECK(waitpid(v[0].pid, NULL, WUNTRACED) == v[0].pid);
    lock_turn_answer(host_here(), &heir, LOCAL_YES, 0, 0);
    CHECK_INT(visit_verdict(&v[1]), LOCK_TURN_GRANTED);
    end_both(v, false);
    CHECK_INT(v[0].verdict, LOCK_TURN_ALONE);
}

TEST(local_heir_that_was_killed_is_replaced)
{
    visit *v = visits(2);

    CHECK_RANGE(0, time_of_second(v, true, true), 2 * LOOK_MS + SLACK);
    CHECK_INT(v[1].verdict, LOCK_TURN_GRANTED);
    CHECK_TEXT(v[1].heir, "other");
    end_both(v, true);
}

/* Those before the last one are killed, which does not look for long. Returns what has come of its wait. */
static lock_turn_verdict verdict_of_last(visit *v, int count, bool passes)
{
    lock_turn_heir heir;
    place p = enter("a", "first", 0);

    for (int i = 0; i < count; i++) {
        visit_start(&v[i]);
        until_in_line(p.turn, i + 1);
    }
    for (int i = 0; i < count - 1; i++) {
        process_kill(v[i].pid);
    }
    if (passes) {
        CHECK(pass(&p, "a", "first", &heir));
        lock_turn_answer(host_here(), &heir, LOCAL_YES, 0, 0);
    } else {
        lock_turn_leave(p.turn);
    }
    int64_t start = platform_now();
    visit_verdict(&v[count - 1]);
    CHECK_RANGE(0, ms_since(start), SLACK);
    CHECK_TEXT(v[count - 1].heir, "");
    process_join(v[count - 1].pid);
    check_all_free();
    return v[count - 1].verdict;
}

TEST(local_waiters_that_were_killed_are_passed_over)
{
    enum { COUNT = 9 };

    CHECK_INT(verdict_of_last(visits(COUNT), COUNT, true), LOCK_TURN_GRANTED);
    CHECK_INT(verdict_of_last(visits(COUNT), COUNT, false), LOCK_TURN_HEAD);
}

/* Whoever takes the place of an heir asks Redis by itself: so the answer to the first renaming is of no use any more. */
TEST(local_heir_is_not_replaced_before_the_answer_is_there_or_a_second_is_over)
{
    visit *v = visits(2);
    lock_turn_heir heir;
    place p = enter("a", "first", 0);

    for (int i = 0; i < 2; i++) {
        visit_start(&v[i]);
        until_in_line(p.turn, i + 1);
    }
    process_freeze(v[0].pid);
    int64_t start = platform_now();
    CHECK(pass(&p, "a", "first", &heir));
    CHECK_INT(visit_verdict(&v[1]), LOCK_TURN_GRANTED);
    CHECK_RANGE(999, ms_since(start), 1000 + 2 * LOOK_MS + SLACK);
    CHECK(!lock_turn_answer(host_here(), &heir, LOCAL_REFUSED, 0, 0));
    end_both(v, false);
}

/* ---- claims ---- */

/* A process passes its lock on, and is stopped or dies on the way. */
static void pass_and_stop(void *arg)
{
    const visit *v = arg;
    lock_turn_heir heir;
    place p = enter("a", "first", 0);

    atomic_store(v->order, 1);
    until_in_line(p.turn, 2);
    at_step(v->stops_in != NULL ? v->stops_in : v->dies_in, v->nth, v->stops_in != NULL ? stop_here : die_here);
    if (pass(&p, "a", "first", &heir)) {
        lock_turn_answer(host_here(), &heir, LOCAL_YES, 0, 0);
    } else {
        lock_turn_leave(p.turn);
    }
}

/* Starts it, and two that wait. */
static visit *start_passing(const char *function, int nth, bool stops)
{
    visit *v = visits(3);

    v[2].order = shared(sizeof(*v->order));
    *(stops ? &v[2].stops_in : &v[2].dies_in) = function;
    v[2].nth = nth;
    v[2].pid = process_start(pass_and_stop, &v[2]);
    while (!atomic_load(v[2].order)) {
        sleep_ms(1);
    }
    for (int i = 0; i < 2; i++) {
        visit_start(&v[i]);
    }
    return v;
}

/* The first leaves its entry to who has claimed it, and goes on alone; the second is the head then. */
static void check_claimer(const char *function, int nth, bool stops)
{
    visit *v = start_passing(function, nth, stops);
    int64_t start = platform_now();
    int alone = 0;

    for (int i = 0; i < 2; i++) {
        lock_turn_verdict verdict = visit_verdict(&v[i]);
        CHECK(verdict == LOCK_TURN_ALONE || verdict == LOCK_TURN_HEAD);
        alone += verdict == LOCK_TURN_ALONE;
        process_join(v[i].pid);
    }
    note("%s %d: %d alone, %d ms", function, nth, alone, (int)ms_since(start));
    CHECK_RANGE(0, ms_since(start), 3000 + 300 + SLACK);
    if (stops) {
        go_on(v[2].pid);
        process_join(v[2].pid);
    } else {
        process_kill(v[2].pid);
        local_host_sweep(host_here(), false);
    }
    check_all_free();
}

TEST(local_claimer_that_is_killed_holds_nobody_up)
{
    host_here();
    check_claimer("local_line_release", 1, false); /* nobody owns the slot but the dead */
    check_claimer("hand_slot_to", 1, false);
    check_claimer("write_grant", 1, false);
}

TEST(local_claimer_that_stops_holds_nobody_up)
{
    host_here();
    check_claimer("hand_slot_to", 1, true);
    check_claimer("write_grant", 1, true);
    check_claimer("local_line_release", 1, true);
}

/* The entry of one who did not wait for it is in no other use before its claimer has gone on: it would be written to. */
TEST(local_entry_that_is_claimed_stays_until_the_claimer_is_done)
{
    visit *v = start_passing("write_grant", 1, true);
    visit *late = visits(1);

    host_here();
    visit_verdict(&v[0]);
    visit_verdict(&v[1]);
    CHECK_INT(entries_in_use(), 2); /* of the claimer, and of who was claimed */
    process_join(v[0].pid);
    process_join(v[1].pid);
    local_host_sweep(host_here(), false);
    CHECK_INT(entries_in_use(), 2);
    *late = (visit){.key = "b", .token = "late", .end = VISIT_LEAVES};
    visit_start(late); /* a join sweeps too */
    visit_verdict(late);
    process_join(late->pid);
    CHECK_INT(entries_in_use(), 2);
    go_on(v[2].pid);
    process_join(v[2].pid);
    check_all_free();
}

/* ---- answers ---- */

typedef struct passing {
    place p;
    lock_turn_heir heir;
    visit *v;
    local_entry *entry;
} passing;

static passing now;

/* Passes the lock on to another thread's turn of this process. */
static void *take_turn(void *arg)
{
    *(place *)arg = enter("a", "heir", 5000);
    return NULL;
}

static place pass_to_thread(lock_turn_heir *heir)
{
    place p = enter("a", "first", 0), got;
    pthread_t thread = thread_start(take_turn, &got);

    until_in_line(p.turn, 1);
    CHECK(pass(&p, "a", "first", heir));
    thread_join(thread);
    CHECK_INT(got.verdict, LOCK_TURN_GRANTED);
    return got;
}

static void answer_now(void)
{
    CHECK(lock_turn_answer(host_here(), &now.heir, LOCAL_YES, 7, 0));
}

TEST(local_answer_that_comes_just_before_its_receiver_sleeps_is_seen)
{
    int64_t fence = 0, start;

    now.p = pass_to_thread(&now.heir);
    start = platform_now();
    at_step("lock_turn_await", 2, answer_now);
    CHECK_INT(lock_turn_await(now.p.turn, platform_now() + MS(2000), &fence), LOCAL_YES);
    CHECK_INT(fence, 7);
    CHECK_RANGE(0, ms_since(start), 20 + SLACK);
    at_no_step();
    lock_turn_leave(now.p.turn);
    check_all_free();
}

static void leave_now(void)
{
    lock_turn_leave(now.p.turn);
    CHECK_INT(local_state_of(atomic_load(&now.entry->status)), LOCAL_LEFT);
}

/* Whoever leaves while its answer is being written leaves its entry to the writer: no late fence finds it in another use. */
TEST(local_entry_into_which_an_answer_is_written_is_left_to_the_writer)
{
    now.p = pass_to_thread(&now.heir);
    now.entry = local_turn_entry(now.p.turn);
    at_step("lock_turn_answer", 2, leave_now);
    CHECK(!lock_turn_answer(host_here(), &now.heir, LOCAL_YES, 7, 0));
    at_no_step();
    check_all_free();
}

static void finish_answer(void)
{
    atomic_store(&now.entry->answer, local_answer_word(now.heir.count, LOCAL_YES));
}

/* The writer is done just as its reader leaves: then the entry is the reader's to free. */
TEST(local_entry_is_freed_by_whoever_is_last)
{
    now.p = pass_to_thread(&now.heir);
    now.entry = local_turn_entry(now.p.turn);
    atomic_store(&now.entry->answer, local_answer_word(now.heir.count, LOCAL_WRITTEN));
    at_step("local_entry_free", 2, finish_answer);
    lock_turn_leave(now.p.turn);
    at_no_step();
    check_all_free();
}

TEST(local_answer_that_comes_late_changes_nothing)
{
    int64_t fence = 0;
    lock_turn_heir heir;
    place p = pass_to_thread(&heir);
    local_entry *entry = local_turn_entry(p.turn);

    CHECK_INT(lock_turn_look(p.turn, &fence), LOCAL_PENDING);
    int64_t start = platform_now();
    CHECK_INT(lock_turn_await(p.turn, platform_now() + MS(50), &fence), LOCAL_UNKNOWN);
    CHECK_RANGE(49, ms_since(start), 50 + SLACK);
    CHECK(!lock_turn_answer(host_here(), &heir, LOCAL_REFUSED, 7, 0));
    CHECK_INT(lock_turn_look(p.turn, &fence), LOCAL_UNKNOWN);
    lock_turn_leave(p.turn);

    p = pass_to_thread(&heir);
    lock_turn_leave(p.turn); /* without having heard */
    entry->fence = 5;
    CHECK(!lock_turn_answer(host_here(), &heir, LOCAL_YES, 7, 0));
    CHECK_INT(entry->fence, 5);
    CHECK_INT(fence, 0);
    check_all_free();
}

/* The writer stands still: it is not waited for, and the entry is its own until it goes on. */
TEST(local_answer_whose_writer_stands_still_is_unknown)
{
    int64_t fence = 0;

    now.p = pass_to_thread(&now.heir);
    now.entry = local_turn_entry(now.p.turn);
    atomic_store(&now.entry->answer, local_answer_word(now.heir.count, LOCAL_WRITTEN));
    int64_t start = platform_now();
    CHECK_INT(lock_turn_await(now.p.turn, platform_now() + MS(50), &fence), LOCAL_UNKNOWN);
    CHECK_RANGE(49, ms_since(start), 50 + SLACK);
    lock_turn_leave(now.p.turn);
    CHECK_INT(local_state_of(atomic_load(&now.entry->status)), LOCAL_LEFT);
    CHECK_INT(local_process_of(atomic_load(&now.entry->status)), host_here()->number);
    local_entry_free(now.entry, atomic_load(&now.entry->status)); /* as a sweep does when the writer has died */
    check_all_free();
}

static void grant_then_stop(void *arg)
{
    atomic_int *is_there = arg;
    lock_turn_heir heir;
    place p = enter("a", "first", 0);

    atomic_store(is_there, 1);
    until_in_line(p.turn, 1);
    CHECK(pass(&p, "a", "held", &heir));
    sleep_ms(50); /* the heir awaits the answer by now */
    at_step("lock_turn_answer", 3, stop_here);
    lock_turn_answer(host_here(), &heir, LOCAL_REFUSED, 0, 0);
}

/* It would be taken for one to the lock that the heir has by then. */
TEST(local_heir_does_not_begin_anew_while_its_answer_is_written)
{
    atomic_int *is_there = shared(sizeof(*is_there));
    int64_t fence;

    host_here();
    pid_t pid = process_start(grant_then_stop, is_there);
    while (atomic_load(is_there) == 0) {
        sleep_ms(1);
    }
    place p = enter("a", "heir", 5000);
    CHECK_INT(p.verdict, LOCK_TURN_GRANTED);
    CHECK_INT(lock_turn_await(p.turn, platform_now() + MS(200), &fence), LOCAL_UNKNOWN);
    CHECK(!lock_turn_begin_anew(p.turn));
    lock_turn_leave(p.turn);
    go_on(pid);
    process_join(pid);
    check_all_free();
}

TEST(local_answer_is_told_as_it_was_said)
{
    const local_answer said[] = {LOCAL_YES, LOCAL_REFUSED, LOCAL_UNKNOWN};

    for (int i = 0; i < 3; i++) {
        int64_t fence = 0;
        now.p = pass_to_thread(&now.heir);
        CHECK(lock_turn_answer(host_here(), &now.heir, said[i], 40 + i, 0));
        CHECK_INT(lock_turn_look(now.p.turn, &fence), said[i]);
        CHECK_INT(lock_turn_await(now.p.turn, platform_now() + MS(5000), &fence), said[i]);
        CHECK_INT(fence, i == 0 ? 40 : 0);
        lock_turn_leave(now.p.turn);
        check_all_free();
    }
}

/* ---- numbers, entries and slots of the dead ---- */

static void take_all_slots(void *arg)
{
    char key[24];
    int count = 0;

    for (int i = 0; i < 4000; i++) {
        snprintf(key, sizeof(key), "dead%d", i);
        count += enter(key, "dead", 0).verdict == LOCK_TURN_HEAD;
    }
    atomic_store((atomic_int *)arg, count);
    die_here();
}

/* Locks that a killed process held, and for which nobody has come since, would keep their slots for ever. */
TEST(local_slots_of_the_dead_are_found_when_there_is_no_other)
{
    atomic_int *count = shared(sizeof(*count));

    host_here();
    pid_t pid = process_start(take_all_slots, count);
    for (int64_t start = platform_now(); atomic_load(count) == 0; sleep_ms(1)) {
        CHECK(ms_since(start) < 5000);
    }
    process_kill(pid);
    CHECK_INT(*count, LOCAL_SLOTS);
    CHECK_INT(slots_in_use(), LOCAL_SLOTS);
    place p = enter("another", "other", 0);
    CHECK_INT(p.verdict, LOCK_TURN_HEAD);
    lock_turn_leave(p.turn);
    check_all_free();
}

TEST(local_entries_of_the_dead_are_swept_when_a_process_joins)
{
    visit *v = visits(2);

    start_owner(&v[0]);
    process_kill(v[0].pid);
    host_here(); /* joins now */
    check_all_free();
    v[1].wait_ms = 0;
    visit_start(&v[1]);
    CHECK_INT(visit_verdict(&v[1]), LOCK_TURN_HEAD);
    process_join(v[1].pid);
}

TEST(local_entries_of_a_number_are_swept_by_whoever_has_it_next)
{
    local_host *host = host_here();
    local_entry *entry = &host->segment->entries[500];
    unsigned number = (host->number + 9) % LOCAL_PROCESSES;

    atomic_store(&entry->status, local_status(4, number, LOCAL_WAITS));
    host->number = number;
    local_host_sweep(host, false);
    CHECK_INT(local_state_of(atomic_load(&entry->status)), LOCAL_WAITS); /* a turn of this process, as it seems */
    local_host_sweep(host, true);
    check_all_free();
    CHECK_INT(local_count_of(atomic_load(&entry->status)), 4);
}

static unsigned waits_at;

static bool is_swept(void *arg)
{
    local_host *host = arg;

    for (waits_at = 0; waits_at < LOCAL_ENTRIES; waits_at++) {
        atomic_ullong *status = &host->segment->entries[waits_at].status;
        if (local_state_of(atomic_load(status)) == LOCAL_WAITS) {
            const lock_turn *turn = &host->turns[waits_at];
            atomic_store(local_turn_owner(turn),
                         turn->owner | LOCAL_OWNER_CONTENDED); /* it has seized that just before */
            atomic_store(status, local_with_state(atomic_load(status), LOCAL_FREE) + (UINT64_C(1) << LOCAL_COUNT_AT));
            return false;
        }
    }
    return false;
}

/* The descriptor that shows its presence was closed, say. It goes on by itself, and its places are for others, and for it. */
TEST(local_process_that_was_taken_for_dead_goes_on_alone)
{
    visit *v = visits(1);
    const rl_hook hook = {.interrupted = is_swept, .arg = host_here()};
    lock_turn_terms terms = terms_of("a", "other", 8000);

    start_owner(v);
    terms.hook = &hook;
    place p = enter_with(&terms);
    CHECK_INT(p.verdict, LOCK_TURN_ALONE);
    CHECK(p.line.stood);
    CHECK(!atomic_load(&host_here()->turns[waits_at].is_used));
    CHECK_INT(slots_in_use(), 0);
    process_kill(v->pid);
}

static void live_and_end(void *arg)
{
    (void)arg;
    host_here();
    pause();
}

TEST(local_process_is_alive_until_it_ends_also_while_it_is_stopped)
{
    local_host *host = host_here();
    unsigned there = 0;
    pid_t pid = process_start(live_and_end, NULL);

    for (int64_t start = platform_now(); there == 0; sleep_ms(1)) {
        CHECK(ms_since(start) < 5000);
        for (unsigned i = 0; i < LOCAL_PROCESSES; i++) {
            there = i != host->number && local_host_is_alive(host, i) ? i : there;
        }
    }
    process_freeze(pid);
    CHECK(local_host_is_alive(host, there));
    kill(pid, SIGKILL);
    for (int64_t start = platform_now(); local_host_is_alive(host, there); sleep_ms(1)) {
        CHECK(ms_since(start) < 5000); /* it is not reaped yet */
    }
    process_kill(pid);
}

/* ---- an owner that does not know of those in line ---- */

static place newcomer;

static void line_up_now(void)
{
    local_entry *entry = &host_here()->segment->entries[900];

    atomic_store(&entry->slot, now.p.turn->slot);
    atomic_store(&entry->status, local_status(1, host_here()->number, LOCAL_WAITS));
    local_line_enter(local_turn_slot(now.p.turn), 900);
}

static void own_slot_now(void)
{
    newcomer = enter("a", "newcomer", 0);
    CHECK_INT(newcomer.verdict, LOCK_TURN_HEAD);
}

static void line_up_and_own_slot(void)
{
    line_up_now();
    at_step("leave_to_nobody", 1, own_slot_now);
}

/* One lines up while the owner leaves, and another one takes the slot before the owner sees that. */
TEST(local_owner_that_comes_while_another_leaves_learns_that_others_wait)
{
    now.p = enter("a", "first", 0);
    local_line_tell(local_turn_owner(now.p.turn));
    at_step("leave_to_nobody", 1, line_up_and_own_slot);
    lock_turn_leave(now.p.turn);
    at_no_step();
    CHECK(newcomer.turn != NULL);
    CHECK(!lock_turn_leave_alone(newcomer.turn));
    lock_turn_leave(newcomer.turn);
    CHECK_INT(local_state_of(atomic_load(&host_here()->segment->entries[900].status)), LOCAL_HEAD);
}

TEST(local_owner_is_told_by_those_in_line_that_they_wait)
{
    visit *v = visits(1);
    place p = enter("a", "first", 0);

    visit_start(v);
    until_in_line(p.turn, 1);
    sleep_ms(10);
    atomic_fetch_and(local_turn_owner(p.turn), ~LOCAL_OWNER_CONTENDED);
    sleep_ms(3 * LOOK_MS);
    CHECK(!lock_turn_leave_alone(p.turn));
    lock_turn_leave(p.turn);
    CHECK_INT(visit_verdict(v), LOCK_TURN_HEAD);
    process_join(v->pid);
    check_all_free();
}

/* ---- waits without end ---- */

static void nap(void)
{
    sleep_ms(50);
}

static void pass_slowly(void *arg)
{
    atomic_int *owns = arg;
    lock_turn_heir heir;
    place p = enter("a", "holder", 0);

    atomic_store(owns, 1);
    until_in_line(p.turn, 1);
    sleep_ms(10); /* it sleeps, and sees the claim when it looks */
    at_step("write_grant", 1, nap);
    CHECK(pass(&p, "a", "holder", &heir));
    lock_turn_answer(host_here(), &heir, LOCAL_YES, 0, 0);
}

/* A claim is awaited by a wait without a deadline as by any other. */
TEST(local_claim_is_awaited_by_a_wait_without_end)
{
    atomic_int *owns = shared(sizeof(*owns));
    pid_t pid = process_start(pass_slowly, owns);
    lock_turn_terms terms = terms_of("a", "waiter", 1);

    while (!atomic_load(owns)) {
        sleep_ms(1);
    }
    terms.deadline = PLATFORM_NEVER;
    place p = enter_with(&terms);
    CHECK_INT(p.verdict, LOCK_TURN_GRANTED);
    process_join(pid);
    if (p.turn != NULL) {
        lock_turn_leave(p.turn);
    }
}

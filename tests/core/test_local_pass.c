/* SPDX-License-Identifier: MIT
 *
 * Locks that the processes of one machine pass on to each other, with a real Redis: what each holder has there, and what
 * becomes of it when a process or the server is stopped or killed on the way.
 */
#define _GNU_SOURCE
#include "local_bed.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- another process that takes the lock ---- */

/* What it does, step by step, as the test tells it. */
typedef enum order { NOTHING, RELEASE, SETTLE, EXTEND, LOOK, END } order;

typedef struct other {
    const char *path; /* of the server */
    const char *name;
    int64_t lease, timeout; /* ms */
    bool fencing, settles, renews, is_plain, takes_over;
    const char *stops_in, *dies_in; /* at its first step in this function, when it releases */
    int64_t gives_up_ms;            /* 0: when the bed says so */
    int next;                       /* of a chain: how many locks it takes, one after another; it releases each */
    section *inside;
    /* What has come of it. */
    atomic_int is_ready, order, done; /* a number of orders */
    lock_outcome outcome;             /* of the last order, at first of the acquisition */
    int64_t took, left, fence;        /* ms */
    char token[LOCAL_TOKEN_MAX + 1];
    long long passed;
    pid_t pid;
} other;

static void tell(other *o, client *c, lock_outcome outcome, int64_t start)
{
    o->took = ms_since(start);
    o->outcome = outcome;
    o->left = lock_lease_validity(&c->lease, platform_now()) / 1000;
    o->fence = c->lease.fence;
    snprintf(o->token, sizeof(o->token), "%.*s", (int)c->lease.token_len, c->lease.token != NULL ? c->lease.token : "");
    o->passed = (long long)c->stats.passed;
    atomic_fetch_add(&o->done, 1);
}

static lock_outcome obey(other *o, client *c, int order)
{
    int64_t budget = lock_budget(&c->lock);

    switch (order) {
    case RELEASE:
        if (o->stops_in != NULL) {
            at_step(o->stops_in, 1, stop_here);
        } else if (o->dies_in != NULL) {
            at_step(o->dies_in, 1, die_here);
        }
        return drop(c, o->name);
    case SETTLE:
        return lock_pass_settle(&c->lock, BYTES(o->name), &c->lease, &budget, &c->error);
    case EXTEND:
        return extend(c, o->name, 2 * o->lease);
    case LOOK:
        lock_pass_look(&c->lease);
        return lock_pass_is_open(&c->lease) ? LOCK_BUSY : LOCK_YES;
    default:
        return LOCK_YES;
    }
}

static void run_other(void *arg)
{
    other *o = arg;
    lock_pass_terms terms;
    client c;

    client_open(&c, o->path);
    if (o->gives_up_ms != 0) {
        client_gives_up_after(&c, o->gives_up_ms);
    }
    c.lock.fencing = o->fencing;
    c.lock.renews = o->renews;
    if (!o->is_plain) {
        client_joins(&c, &terms);
        c.lock.settles = o->settles;
        terms.takes_over = o->takes_over;
    }
    atomic_store(&o->is_ready, 1);
    int64_t start = platform_now();
    tell(o, &c, take(&c, o->name, o->lease, o->timeout), start);
    for (int order; (order = atomic_exchange(&o->order, NOTHING)) != END; sleep_ms(1)) {
        if (order != NOTHING) {
            start = platform_now();
            tell(o, &c, obey(o, &c, order), start);
        }
    }
    client_close(&c);
}

static other *start_other(const server *s, int64_t lease, int64_t timeout)
{
    other *o = shared(sizeof(*o));

    *o = (other){.path = s->path, .name = "a", .lease = lease, .timeout = timeout};
    return o;
}

static void go(other *o)
{
    o->pid = process_start(run_other, o);
}

static void until_done(other *o, int count)
{
    for (int64_t start = platform_now(); atomic_load(&o->done) < count; sleep_ms(1)) {
        CHECK(ms_since(start) < 20000);
    }
}

/* Returns what has come of the acquisition. */
static lock_outcome taken(other *o)
{
    until_done(o, 1);
    return o->outcome;
}

static void begin(other *o, order order)
{
    atomic_store(&o->order, (int)order);
}

static lock_outcome tells(other *o, order order)
{
    int done = atomic_load(&o->done);

    begin(o, order);
    until_done(o, done + 1);
    return o->outcome;
}

static void end(other *o)
{
    begin(o, END);
    process_join(o->pid);
}

/* ---- this process, which holds the lock first ---- */

typedef struct post {
    server s;
    client c;
    lock_pass_terms terms;
} post;

static void post_open(post *p)
{
    server_start(&p->s, NULL);
    client_open(&p->c, p->s.path);
    client_joins(&p->c, &p->terms);
}

static void post_close(post *p)
{
    client_close(&p->c);
    server_stop(&p->s);
}

#define POST(p)                                                                                                        \
    CLOSED_BY(post_close) post p;                                                                                      \
    post_open(&(p))

/* Takes the lock, and lets the other line up behind it. */
static void hold_before(post *p, other *o, int64_t lease)
{
    CHECK_INT(take(&p->c, "a", lease, 0), LOCK_YES);
    CHECK(p->c.lease.turn != NULL);
    int64_t waiting = lock_turn_waiting(p->c.lease.turn);
    go(o);
    until_in_line(p->c.lease.turn, waiting + 1);
}

static void check_clean(post *p)
{
    lock_lease_free(&p->c.lease);
    until_no_key(&p->s);
    CHECK_NO_KEY(&p->s);
    check_all_free();
}

/* ---- what is asked of Redis ---- */

static long long scripts_run(server *s)
{
    return server_calls(s, "evalsha") + server_calls(s, "eval");
}

TEST(local_pass_asks_redis_once_a_section)
{
    enum { COUNT = 5 };
    other *o[COUNT];

    POST(p);
    for (int i = 0; i < COUNT; i++) {
        o[i] = start_other(&p.s, 10000, 10000);
        if (i == 0) {
            hold_before(&p, o[i], 10000);
        } else {
            go(o[i]);
            until_in_line(p.c.lease.turn, i + 1);
        }
    }
    CHECK_INT(drop(&p.c, "a"), LOCK_YES);
    CHECK_INT(p.c.stats.passed, 1);
    say(&p.s, "CONFIG RESETSTAT"); /* from now on the server knows the script */
    for (int i = 0; i < COUNT; i++) {
        CHECK_INT(taken(o[i]), LOCK_YES);
        CHECK_TEXT(say(&p.s, "GET lock:a"), o[i]->token);
        CHECK_INT(scripts_run(&p.s), i);
        CHECK_INT(server_calls(&p.s, "blpop"), 0);
        CHECK_INT(tells(o[i], RELEASE), LOCK_YES);
        CHECK_INT(o[i]->passed, i < COUNT - 1);
        end(o[i]);
    }
    check_clean(&p);
}

/* A process that sees other files: where we have a server's socket, it has that of another one. */
typedef struct away {
    const char *path;
    int refused; /* why there is none; 0: there is one */
    lock_outcome outcome;
    bool is_held; /* at its own server */
} away;

static void lock_away(void *arg)
{
    away *a = arg;
    lock_pass_terms terms;

    if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0) {
        a->refused = errno;
        return;
    }
    host_here();
    CHECK(mount("tmpfs", test_folder(), "tmpfs", 0, NULL) == 0);
    SERVER(s, NULL);
    CHECK(symlink(s.path, a->path) == 0);
    CLIENT(c, a->path);
    client_joins(&c, &terms);
    a->outcome = take(&c, "a", 10000, 2000);
    a->is_held = a->outcome == LOCK_YES && strcmp(say(&s, "GET lock:a"), token_of(&c)) == 0;
    lock_lease_free(&c.lease);
}

/* Such as in a container of its own, with which it shares no more than the memory. */
TEST(local_pass_leaves_out_those_who_have_another_server_at_the_same_path)
{
    away *a = shared(sizeof(*a));

    POST(p);
    a->path = p.s.path;
    CHECK_INT(take(&p.c, "a", 10000, 0), LOCK_YES);
    process_join(process_start(lock_away, a));
    if (a->refused != 0) {
        note("nothing can be mounted: %s", strerror(a->refused));
    } else {
        CHECK_INT(a->outcome, LOCK_YES);
        CHECK(a->is_held);
    }
    CHECK_INT(drop(&p.c, "a"), LOCK_YES);
    CHECK_INT(p.c.stats.passed, 0);
    check_clean(&p);
}

TEST(local_pass_draws_a_higher_fence_each_time)
{
    enum { COUNT = 3 };
    other *o[COUNT];

    POST(p);
    p.c.lock.fencing = true;
    client_joins(&p.c, &p.terms);
    for (int i = 0; i < COUNT; i++) {
        o[i] = start_other(&p.s, 10000, 10000);
        o[i]->fencing = true;
        if (i == 0) {
            hold_before(&p, o[i], 10000);
        } else {
            go(o[i]);
            until_in_line(p.c.lease.turn, i + 1);
        }
    }
    int64_t last = p.c.lease.fence;
    CHECK(last > 0);
    CHECK_INT(drop(&p.c, "a"), LOCK_YES);
    for (int i = 0; i < COUNT; i++) {
        CHECK_INT(taken(o[i]), LOCK_YES);
        CHECK(o[i]->fence > last);
        last = o[i]->fence;
        CHECK_INT(say_number(&p.s, "GET {lock:a}:rl:fence"), last);
        CHECK_INT(tells(o[i], RELEASE), LOCK_YES);
        end(o[i]);
    }
    CHECK_TEXT(say(&p.s, "KEYS *"), "{lock:a}:rl:fence");
}

/* The granter is stopped before it has sent anything: until there is an answer, the shorter of the two leases counts. */
static void check_belief(int64_t first, int64_t second)
{
    POST(p);
    other *granter = start_other(&p.s, first, 0), *o = start_other(&p.s, second, 10000);

    go(granter);
    CHECK_INT(taken(granter), LOCK_YES);
    granter->stops_in = "lock_pass_on";
    place mine = enter("b", "b", 0);
    go(o);
    while (entries_in_use() < 3) {
        sleep_ms(1);
    }
    sleep_ms(30);
    begin(granter, RELEASE);
    CHECK_INT(taken(o), LOCK_YES);
    CHECK_RANGE((first < second ? first : second) * 7 / 10, o->left, (first < second ? first : second) * 99 / 100);
    CHECK_TEXT(say(&p.s, "GET lock:a"), granter->token);
    CHECK_INT(tells(o, LOOK), LOCK_BUSY);
    CHECK_INT(tells(o, SETTLE), LOCK_YES); /* it asks by itself */
    CHECK_RANGE(95, o->took, 100 + SLACK);
    CHECK_RANGE(second * 8 / 10, o->left, second * 99 / 100);
    CHECK_TEXT(say(&p.s, "GET lock:a"), o->token);
    CHECK_RANGE(second * 7 / 10, say_number(&p.s, "PTTL lock:a"), second);
    kill(granter->pid, SIGCONT);
    until_done(granter, 2);
    CHECK_INT(granter->outcome, LOCK_YES); /* nothing was lost, whoever has asked */
    CHECK_TEXT(say(&p.s, "GET lock:a"), o->token);
    CHECK_INT(tells(o, RELEASE), LOCK_YES);
    end(granter);
    end(o);
    lock_turn_leave(mine.turn);
    check_clean(&p);
}

TEST(local_pass_believes_in_the_shorter_lease_before_the_answer)
{
    check_belief(4000, 6000);
    check_belief(9000, 4000);
}

/* The granter's request comes when its heir, which has asked by itself, has passed the lock on. */
TEST(local_pass_that_is_asked_for_too_late_was_no_loss)
{
    POST(p);
    other *granter = start_other(&p.s, 10000, 0), *o = start_other(&p.s, 10000, 10000);

    go(granter);
    CHECK_INT(taken(granter), LOCK_YES);
    granter->stops_in = "lock_pass_on";
    go(o);
    while (entries_in_use() < 2) {
        sleep_ms(1);
    }
    sleep_ms(30);
    begin(granter, RELEASE);
    CHECK_INT(taken(o), LOCK_YES);
    CHECK_INT(tells(o, RELEASE), LOCK_YES);
    CHECK_TEXT(say(&p.s, "GET lock:a"), "(nil)");
    kill(granter->pid, SIGCONT);
    until_done(granter, 2);
    CHECK_INT(granter->outcome, LOCK_YES);
    end(granter);
    end(o);
    check_clean(&p);
}

TEST(local_pass_has_the_lease_that_was_asked_for_behind_the_answer)
{
    POST(p);
    other *o = start_other(&p.s, 30000, 10000);

    hold_before(&p, o, 20000);
    CHECK_INT(drop(&p.c, "a"), LOCK_YES);
    CHECK_INT(taken(o), LOCK_YES);
    CHECK_INT(tells(o, LOOK), LOCK_YES); /* the answer was there before drop() returned */
    CHECK_RANGE(25000, o->left, 29700);
    CHECK_RANGE(25000, say_number(&p.s, "PTTL lock:a"), 30000);
    CHECK_INT(tells(o, EXTEND), LOCK_YES);
    CHECK_RANGE(50000, say_number(&p.s, "PTTL lock:a"), 60000);
    CHECK_INT(tells(o, RELEASE), LOCK_YES);
    end(o);
    check_clean(&p);
}

/* Whoever has a short lease has too little of it left for one who asks for a long one. */
TEST(local_pass_leaves_a_long_lease_to_redis_behind_a_short_one)
{
    POST(p);
    other *o = start_other(&p.s, 60000, 10000);

    hold_before(&p, o, 5000);
    CHECK_INT(drop(&p.c, "a"), LOCK_YES);
    CHECK_INT(p.c.stats.passed, 0);
    CHECK_INT(taken(o), LOCK_YES);
    CHECK_RANGE(50000, o->left, 59400);
    CHECK_INT(tells(o, RELEASE), LOCK_YES);
    end(o);
    check_clean(&p);
}

/* ---- a lock that is gone ---- */

static void check_lost(const char *command)
{
    POST(p);
    other *o = start_other(&p.s, 10000, 10000);

    hold_before(&p, o, 10000);
    say(&p.s, command);
    CHECK_INT(drop(&p.c, "a"), LOCK_NOT_OWNED);
    CHECK_INT(p.c.stats.passed, 1);
    until_done(o, 1);
    if (o->outcome == LOCK_YES && o->left > 0 && tells(o, LOOK) == LOCK_YES) {
        CHECK_INT(o->left, 0);
        CHECK_INT(tells(o, EXTEND), LOCK_NOT_OWNED);
        CHECK_INT(tells(o, RELEASE), LOCK_NOT_OWNED);
    }
    end(o);
}

TEST(local_pass_of_a_lock_that_is_gone_is_lost_by_both)
{
    check_lost("DEL lock:a");
    check_lost("FLUSHALL");
    check_lost("SET lock:a somebody PX 60000");
    check_lost("SET lock:a rl:baton:00000000000000000000000000000001 PX 60000");
}

/* The heir need not have looked at the answer: the next one has. */
TEST(local_lock_that_was_refused_to_its_heir_is_for_the_next)
{
    POST(p);
    other *heir = start_other(&p.s, 10000, 10000), *next = start_other(&p.s, 10000, 10000);

    hold_before(&p, heir, 10000);
    go(next);
    until_in_line(p.c.lease.turn, 2);
    say(&p.s, "DEL lock:a");
    int64_t start = platform_now();
    CHECK_INT(drop(&p.c, "a"), LOCK_NOT_OWNED);
    CHECK_INT(taken(heir), LOCK_YES);
    CHECK_INT(taken(next), LOCK_YES);
    CHECK_RANGE(0, ms_since(start), 1000 + SLACK);
    CHECK_TEXT(say(&p.s, "GET lock:a"), next->token);
    CHECK_INT(tells(heir, RELEASE), LOCK_NOT_OWNED);
    CHECK_INT(tells(next, RELEASE), LOCK_YES);
    end(heir);
    end(next);
    check_clean(&p);
}

/* What is to be sure before lock() returns is asked for then, and so the heir hears that it has no lock, and gets one. */
TEST(local_pass_of_a_lock_that_is_gone_is_asked_for_anew_by_who_wants_to_be_sure)
{
    POST(p);
    other *o = start_other(&p.s, 10000, 10000);

    o->settles = true;
    hold_before(&p, o, 10000);
    say(&p.s, "DEL lock:a");
    CHECK_INT(drop(&p.c, "a"), LOCK_NOT_OWNED);
    CHECK_INT(taken(o), LOCK_YES);
    CHECK_TEXT(say(&p.s, "GET lock:a"), o->token);
    CHECK_INT(tells(o, RELEASE), LOCK_YES);
    end(o);
    check_clean(&p);
}

/* Whoever asks Redis anew waits there for as long as it takes: nobody else of this machine asks beside it. */
TEST(local_head_that_was_refused_a_lock_has_no_end)
{
    POST(p);
    other *o = start_other(&p.s, 1000, 10000);
    int heads = 0;

    o->settles = true;
    hold_before(&p, o, 10000);
    say(&p.s, "SET lock:a somebody PX 60000");
    CHECK_INT(drop(&p.c, "a"), LOCK_NOT_OWNED);
    until_waiting(&p.s, "a", 1);
    for (unsigned i = 0; i < LOCAL_ENTRIES; i++) {
        local_entry *entry = &p.terms.host->segment->entries[i];
        if (local_state_of(atomic_load(&entry->status)) == LOCAL_MINE) {
            CHECK_RANGE(0, atomic_load(&entry->ends), platform_now() + MS(1000)); /* not that of the lease */
            heads++;
        }
    }
    CHECK_INT(heads, 1);
    process_kill(o->pid);
}

/* ---- the head stands in Redis' line ---- */

/* Starts one that stands in Redis' line for a lock that somebody else holds, and one that waits behind it on this machine. */
static void start_head_and_next(post *p, other *head, other *next)
{
    say(&p->s, "SET lock:a somebody PX 60000");
    go(head);
    until_waiting(&p->s, "a", 1);
    go(next);
    for (int64_t start = platform_now();
         lock_turn_waiting_for(p->terms.host, BYTES("lock:a"), p->terms.identity) == 0;) {
        CHECK(ms_since(start) < 20000);
        sleep_ms(1);
    }
}

TEST(local_head_that_stands_still_in_redis_line_is_followed_soon)
{
    POST(p);
    other *head = start_other(&p.s, 5000, 30000), *next = start_other(&p.s, 5000, 30000);

    start_head_and_next(&p, head, next);
    process_freeze(head->pid);
    int64_t start = platform_now();
    until_waiting(&p.s, "a", 2);
    CHECK_RANGE(0, ms_since(start), 1500 + SLACK);
    say(&p.s, "DEL lock:a");
    process_kill(head->pid);
    CHECK_INT(taken(next), LOCK_YES);
    CHECK_INT(tells(next, RELEASE), LOCK_YES);
    end(next);
}

/* However long it takes: it shows that it goes on. */
TEST(local_head_that_goes_on_stands_in_redis_line_for_all)
{
    POST(p);
    other *head = start_other(&p.s, 5000, 30000), *next = start_other(&p.s, 5000, 30000);

    start_head_and_next(&p, head, next);
    sleep_ms(4000);
    CHECK_INT(say_number(&p.s, "ZCARD {lock:a}:rl:wait"), 1);
    process_kill(head->pid);
    process_kill(next->pid);
}

/* A head whose hook forks, once it has shown that it goes on. */
typedef struct forking_head {
    local_segment *segment;
    pid_t child; /* 0: not yet, or in the child */
    bool is_over;
    int64_t before, after; /* what its entry says of its end */
} forking_head;

/* Returns what the entry of the only one that is here says of its end. */
static int64_t said_of_the_end(const local_segment *segment)
{
    int64_t ends = 0;

    for (unsigned i = 0; i < LOCAL_ENTRIES; i++) {
        local_entry *entry = (local_entry *)&segment->entries[i];
        ends = local_state_of(atomic_load(&entry->status)) == LOCAL_MINE ? atomic_load(&entry->ends) : ends;
    }
    return ends;
}

static bool forks_and_ends_there(void *arg)
{
    forking_head *head = arg;

    if (!head->is_over && (head->before = said_of_the_end(head->segment)) != 0) {
        head->is_over = true;
        head->child = fork();
        if (head->child > 0) {
            process_join(head->child);
            head->after = said_of_the_end(head->segment);
        }
    }
    return head->is_over;
}

TEST(local_child_of_a_head_says_nothing_for_it)
{
    POST(p);
    forking_head head = {.segment = p.terms.host->segment};

    say(&p.s, "SET lock:a somebody PX 60000");
    p.c.lock.target.hook = (rl_hook){.interrupted = forks_and_ends_there, .arg = &head};
    lock_outcome outcome = take(&p.c, "a", 5000, 20000);
    if (head.child == 0) {
        _exit(outcome == LOCK_YES);
    }
    CHECK_INT(outcome, LOCK_INTERRUPTED);
    CHECK_INT(head.after, head.before);
}

/* ---- the granter dies ---- */

/* Waits until the process has killed itself. */
static void until_dead(pid_t pid)
{
    siginfo_t info;

    CHECK(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT) == 0);
    process_kill(pid);
}

static void check_granter_dies(const char *function, bool sent)
{
    POST(p);
    other *granter = start_other(&p.s, 10000, 0), *o = start_other(&p.s, 10000, 10000);

    go(granter);
    CHECK_INT(taken(granter), LOCK_YES);
    granter->dies_in = function;
    place mine = enter("b", "b", 0);
    go(o);
    while (entries_in_use() < 3) {
        sleep_ms(1);
    }
    sleep_ms(30);
    begin(granter, RELEASE);
    CHECK_INT(taken(o), LOCK_YES);
    until_dead(granter->pid);
    CHECK_TEXT(say(&p.s, "GET lock:a"), sent ? o->token : granter->token);
    CHECK_INT(tells(o, RELEASE), LOCK_YES);
    end(o);
    lock_turn_leave(mine.turn);
    local_host_sweep(host_here(), false);
    check_clean(&p);
}

TEST(local_pass_by_who_is_killed_then_is_asked_for_by_the_heir)
{
    check_granter_dies("lock_pass_on", false);
    check_granter_dies("pass_to", true); /* behind the answer */
}

/* ---- an heir that does not begin ---- */

static void check_heir_stops(bool kills, bool sent)
{
    POST(p);
    other *granter = start_other(&p.s, 10000, 0), *heir = start_other(&p.s, 10000, 10000),
          *o = start_other(&p.s, 10000, 10000);

    go(granter);
    CHECK_INT(taken(granter), LOCK_YES);
    granter->dies_in = sent ? "pass_to" : "lock_pass_on";
    place mine = enter("b", "b", 0);
    go(heir);
    while (entries_in_use() < 3) {
        sleep_ms(1);
    }
    sleep_ms(20);
    go(o);
    while (entries_in_use() < 4) {
        sleep_ms(1);
    }
    sleep_ms(60);
    process_freeze(heir->pid);
    begin(granter, RELEASE);
    until_dead(granter->pid);
    if (kills) {
        process_kill(heir->pid);
    }
    CHECK_INT(taken(o), LOCK_YES);
    CHECK_TEXT(say(&p.s, "GET lock:a"), o->token); /* it is sure, whichever token was there */
    CHECK_RANGE(8000, o->left, 9900);
    if (!kills) {
        kill(heir->pid, SIGCONT);
        sleep_ms(100);
        CHECK_INT(atomic_load(&heir->done), 0); /* it waits in Redis' line now */
    }
    CHECK_INT(tells(o, RELEASE), LOCK_YES);
    end(o);
    if (!kills) {
        CHECK_INT(taken(heir), LOCK_YES);
        CHECK_INT(tells(heir, RELEASE), LOCK_YES);
        end(heir);
    }
    lock_turn_leave(mine.turn);
    local_host_sweep(host_here(), false);
    check_clean(&p);
}

TEST(local_pass_to_who_does_not_begin_is_taken_by_the_next)
{
    check_heir_stops(true, true);
    check_heir_stops(true, false);
    check_heir_stops(false, true);
    check_heir_stops(false, false);
}

/* ---- the server stops, or dies ---- */

/* ---- takeovers ---- */

/* Takes the lock over from a holder that is dead, which had it under the token. */
static void take_over(post *p, const char *taken_from)
{
    p->terms.takes_over = true;
    int64_t start = platform_now();
    CHECK_INT(take(&p->c, "a", 9000, 8000), LOCK_YES);
    CHECK_RANGE(0, ms_since(start), 2 * LOOK_MS + SLACK);
    CHECK_INT((int)p->c.stats.taken_over, 1);
    CHECK_TEXT(say(&p->s, "GET lock:a"), p->c.lease.token);
    CHECK(strcmp(p->c.lease.token, taken_from) != 0);
    CHECK(!lock_pass_is_open(&p->c.lease));
    CHECK_RANGE(8000, lock_lease_validity(&p->c.lease, platform_now()) / 1000, 8999);
    CHECK_INT(drop(&p->c, "a"), LOCK_YES);
    local_host_sweep(host_here(), false);
    check_clean(p);
}

/* Starts one that holds the lock, and lets the test take it over. */
static other *start_holder(post *p)
{
    other *o = start_other(&p->s, 60000, 0);

    o->takes_over = p->terms.takes_over = true;
    host_here();
    go(o);
    CHECK_INT(taken(o), LOCK_YES);
    return o;
}

TEST(local_holder_that_was_killed_is_taken_over_by_one_renaming)
{
    POST(p);
    other *o = start_other(&p.s, 60000, 0);

    o->takes_over = o->fencing = p.c.lock.fencing = true;
    client_joins(&p.c, &p.terms);
    host_here();
    go(o);
    CHECK_INT(taken(o), LOCK_YES);
    process_kill(o->pid);
    int64_t ran = scripts_run(&p.s);
    p.terms.takes_over = true;
    CHECK_INT(take(&p.c, "a", 9000, 8000), LOCK_YES);
    CHECK_RANGE(1, scripts_run(&p.s) - ran, 2); /* the server does not know the script yet */
    CHECK(p.c.lease.fence > o->fence);
    CHECK_INT((int)p.c.stats.taken_over, 1);
    CHECK_INT(drop(&p.c, "a"), LOCK_YES);
    check_all_free();
}

/* Nobody has told it whether the lock is its own: so it may stand under either token. */
TEST(local_holder_that_was_killed_before_it_heard_the_answer_is_taken_over)
{
    const char *const dies_in[] = {"lock_pass_on", "pass_to"};

    for (int i = 0; i < 2; i++) {
        POST(p);
        other *granter = start_other(&p.s, 60000, 0), *heir = start_other(&p.s, 60000, 10000);
        host_here();
        heir->takes_over = true;
        granter->dies_in = dies_in[i];
        go(granter);
        CHECK_INT(taken(granter), LOCK_YES);
        go(heir);
        while (entries_in_use() < 2) {
            sleep_ms(1);
        }
        sleep_ms(20);
        begin(granter, RELEASE);
        CHECK_INT(taken(heir), LOCK_YES);
        until_dead(granter->pid);
        process_kill(heir->pid);
        CHECK_TEXT(say(&p.s, "GET lock:a"), i == 0 ? granter->token : heir->token);
        take_over(&p, heir->token);
    }
}

static void *kill_other(void *arg)
{
    sleep_ms(3500);
    process_kill(((other *)arg)->pid);
    return NULL;
}

/* Whoever waits for it asks Redis meanwhile, whether it has its lock still. */
TEST(local_holder_that_was_killed_behind_a_long_time_is_taken_over)
{
    POST(p);
    other *o = start_holder(&p);

    int64_t ran = scripts_run(&p.s);
    pthread_t thread = thread_start(kill_other, o);
    CHECK_INT(take(&p.c, "a", 9000, 8000), LOCK_YES);
    thread_join(thread);
    CHECK_INT((int)p.c.stats.taken_over, 1);
    CHECK_RANGE(2, scripts_run(&p.s) - ran, 4); /* the server does not know either script yet */
    CHECK_INT(drop(&p.c, "a"), LOCK_YES);
    local_host_sweep(host_here(), false);
    check_clean(&p);
}

static void *force_lock(void *arg)
{
    post *p = arg;
    server *s = &p->s;

    sleep_ms(3500);
    say(s, "DEL lock:a");
    return NULL;
}

/* It is not told so: whoever waits finds it out when it asks next. */
TEST(local_holder_that_has_lost_its_lock_behind_a_long_time_is_followed)
{
    POST(p);
    other *o = start_holder(&p);

    pthread_t thread = thread_start(force_lock, &p);
    int64_t start = platform_now();
    CHECK_INT(take(&p.c, "a", 9000, 9000), LOCK_YES);
    CHECK_RANGE(3400, ms_since(start), 6000 + 2 * LOOK_MS + SLACK);
    thread_join(thread);
    CHECK_INT((int)p.c.stats.taken_over, 0);
    CHECK_INT(tells(o, RELEASE), LOCK_NOT_OWNED);
    CHECK_INT(drop(&p.c, "a"), LOCK_YES);
    end(o);
    check_clean(&p);
}

typedef struct releasing {
    other *holder;
    int64_t in_ms;
} releasing;

static void *release_later(void *arg)
{
    const releasing *r = arg;

    sleep_ms(r->in_ms);
    begin(r->holder, RELEASE);
    return NULL;
}

/* Waits behind a holder of long, whose server does not answer, and which releases the lock in so many ms; 0: it does not.
 * Returns for how many ms. */
static int64_t wait_for_silent(int64_t timeout, int64_t released_in, bool settles, lock_outcome expected)
{
    POST(p);
    other *o = start_holder(&p);
    releasing r = {.holder = o, .in_ms = released_in};
    pthread_t thread;

    p.c.lock.settles = settles;
    server_freeze(&p.s);
    int64_t start = platform_now();
    if (released_in != 0) {
        thread = thread_start(release_later, &r);
    }
    CHECK_INT(take(&p.c, "a", 60000, timeout), expected);
    int64_t took = ms_since(start);
    server_thaw(&p.s);
    if (released_in != 0) {
        thread_join(thread);
        until_done(o, 2);
    }
    if (expected == LOCK_YES) {
        CHECK_INT(drop(&p.c, "a"), LOCK_YES);
    }
    end(o);
    lock_lease_free(&p.c.lease);
    return took;
}

/* A server that does not answer does not make the wait longer, also if the lock is passed on meanwhile. */
TEST(local_wait_that_asks_after_the_holder_ends_at_the_deadline)
{
    CHECK_RANGE(3100, wait_for_silent(3150, 0, false, LOCK_BUSY), 3150 + SLACK);
    CHECK_RANGE(3100, wait_for_silent(3150, 3140, true, LOCK_FAILED), 3150 + 50 + SLACK);
}

/* Nor does it keep the waiter from what is passed on to it behind the question. */
TEST(local_holder_is_asked_after_for_a_short_time_only)
{
    CHECK_RANGE(3900, wait_for_silent(20000, 4000, false, LOCK_YES), 4000 + LOOK_MS + SLACK);
}

TEST(local_holder_that_was_killed_when_its_lock_was_lost_is_not_taken_over)
{
    POST(p);
    other *o = start_holder(&p);

    process_kill(o->pid);
    say(&p.s, "SET lock:a another PX 300");
    int64_t start = platform_now();
    CHECK_INT(take(&p.c, "a", 9000, 8000), LOCK_YES);
    CHECK_RANGE(200, ms_since(start), 8000);
    CHECK_INT((int)p.c.stats.taken_over, 0);
    CHECK_INT(drop(&p.c, "a"), LOCK_YES);
    check_clean(&p);
}

/* It asks for longer than it did at first: what a taker cannot reach is released for as long. */
TEST(local_holder_that_was_extended_tells_its_longest_lease)
{
    POST(p);

    p.terms.takes_over = true;
    CHECK_INT(take(&p.c, "a", 5000, 0), LOCK_YES);
    const local_entry *entry = local_turn_entry(p.c.lease.turn);
    atomic_ullong *takeover = &local_turn_entry(p.c.lease.turn)->takeover;
    uint64_t may = local_takeover_word(p.c.lease.turn->count, LOCAL_TAKEOVER);
    CHECK_INT(entry->lease, MS(5000));
    CHECK_INT(extend(&p.c, "a", 3000), LOCK_YES);
    CHECK_INT(entry->lease, MS(5000));
    CHECK_INT(extend(&p.c, "a", 20000), LOCK_YES);
    CHECK_INT(entry->lease, MS(20000));
    CHECK(atomic_load(takeover) == may);
    lock_pass_tell_token(&p.c.lease);
    CHECK(atomic_load(takeover) != may);
    CHECK_INT(extend(&p.c, "a", 30000), LOCK_YES);
    CHECK(atomic_load(takeover) != may);
    CHECK_INT(drop(&p.c, "a"), LOCK_YES);
    check_clean(&p);
}

TEST(local_pass_while_the_server_stands_still_is_unknown_until_it_goes_on)
{
    POST(p);
    other *o = start_other(&p.s, 20000, 10000);

    client_gives_up_after(&p.c, 300);
    client_joins(&p.c, &p.terms);
    o->gives_up_ms = 300;
    hold_before(&p, o, 20000);
    server_freeze(&p.s);
    CHECK_INT(drop(&p.c, "a"), LOCK_FAILED);
    CHECK_INT(taken(o), LOCK_YES);
    CHECK_RANGE(15000, o->left, 19800);
    CHECK_INT(tells(o, SETTLE), LOCK_FAILED);
    CHECK_INT(tells(o, LOOK), LOCK_BUSY);
    server_thaw(&p.s);
    int64_t start = platform_now();
    while (tells(o, SETTLE) != LOCK_YES) {
        CHECK(ms_since(start) < 5000);
    }
    CHECK_TEXT(say(&p.s, "GET lock:a"), o->token);
    CHECK_INT(tells(o, RELEASE), LOCK_YES);
    end(o);
    check_clean(&p);
}

/* Nor does whoever does not know whether it has the lock give it to another. */
TEST(local_lock_of_which_nothing_is_known_is_not_passed_on)
{
    POST(p);
    other *o = start_other(&p.s, 3000, 10000), *next = start_other(&p.s, 3000, 20000);

    client_gives_up_after(&p.c, 300);
    client_joins(&p.c, &p.terms);
    o->gives_up_ms = next->gives_up_ms = 300;
    hold_before(&p, o, 3000);
    go(next);
    until_in_line(p.c.lease.turn, 2);
    server_kill(&p.s); /* so that there is time left after each try */
    CHECK_INT(drop(&p.c, "a"), LOCK_FAILED);
    CHECK_INT(taken(o), LOCK_YES);
    CHECK_INT(tells(o, RELEASE), LOCK_FAILED);
    CHECK_INT(o->passed, 0);
    server_restart(&p.s);
    if (taken(next) == LOCK_YES) {
        CHECK_TEXT(say(&p.s, "GET lock:a"), next->token);
        CHECK_INT(tells(next, RELEASE), LOCK_YES);
    }
    end(o);
    end(next);
    check_clean(&p);
}

/* It comes back empty: nobody has the lock, and the one who was passed it hears so. */
TEST(local_pass_while_the_server_dies_is_lost)
{
    POST(p);
    other *o = start_other(&p.s, 20000, 10000);

    client_gives_up_after(&p.c, 300);
    client_joins(&p.c, &p.terms);
    o->gives_up_ms = 300;
    hold_before(&p, o, 20000);
    server_kill(&p.s);
    CHECK_INT(drop(&p.c, "a"), LOCK_FAILED);
    CHECK_INT(taken(o), LOCK_YES);
    CHECK_INT(tells(o, SETTLE), LOCK_FAILED);
    CHECK_INT(tells(o, RELEASE), LOCK_FAILED);
    server_restart(&p.s);
    end(o);
    check_all_free();
}

TEST(local_pass_that_a_forked_child_ends_is_the_parents)
{
    POST(p);
    other *o = start_other(&p.s, 20000, 10000);

    hold_before(&p, o, 20000);
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        lock_lease_free(&p.c.lease);
        _exit(0);
    }
    process_join(child);
    CHECK_INT(lock_turn_waiting(p.c.lease.turn), 1);
    CHECK_INT(drop(&p.c, "a"), LOCK_YES);
    CHECK_INT(p.c.stats.passed, 1);
    CHECK_INT(taken(o), LOCK_YES);
    CHECK_INT(tells(o, RELEASE), LOCK_YES);
    end(o);
    check_clean(&p);
}

/* ---- what is not passed on ---- */

TEST(local_lock_with_the_callers_token_is_not_passed_on)
{
    POST(p);
    CHECK_INT(take_as(&p.c, "a", "mine", 10000, 0), LOCK_YES);
    CHECK(p.c.lease.turn == NULL);
    CHECK_INT(slots_in_use(), 0);
    CHECK_INT(drop(&p.c, "a"), LOCK_YES);
    check_clean(&p);
}

TEST(local_lock_without_end_is_not_passed_on)
{
    POST(p);
    lock_lease_free(&p.c.lease);
    CHECK_INT(lock_acquire(&p.c.lock, BYTES("a"), NULL, PLATFORM_NEVER, 0, &p.c.lease, NULL, &p.c.error), LOCK_YES);
    CHECK(p.c.lease.turn == NULL);
    CHECK_INT(drop(&p.c, "a"), LOCK_YES);
    check_clean(&p);
}

TEST(local_release_of_many_locks_lets_the_next_ask)
{
    POST(p);
    other *o = start_other(&p.s, 10000, 10000);
    lock_lease leases[2] = {0};
    lock_release_item items[2] = {{.name = BYTES("a"), .lease = &leases[0]}, {.name = BYTES("b"), .lease = &leases[1]}};
    lock_release_failures failures;

    for (int i = 0; i < 2; i++) {
        CHECK_INT(lock_acquire(&p.c.lock, items[i].name, NULL, MS(10000), 0, &leases[i], NULL, &p.c.error), LOCK_YES);
        CHECK(leases[i].turn != NULL);
    }
    go(o);
    until_in_line(leases[0].turn, 1);
    lock_release_all(&p.c.lock, items, 2, MS(5000), PLATFORM_NEVER, &failures);
    CHECK_INT(failures.count, 0);
    CHECK_INT(items[0].outcome, LOCK_YES);
    CHECK_INT(items[1].outcome, LOCK_YES);
    CHECK_INT(p.c.stats.passed, 0);
    CHECK_INT(taken(o), LOCK_YES);
    CHECK_INT(tells(o, RELEASE), LOCK_YES);
    end(o);
    lock_lease_free(&leases[0]);
    lock_lease_free(&leases[1]);
    check_clean(&p);
}

TEST(local_try_that_does_not_wait_finds_a_lock_busy)
{
    POST(p);
    other *o = start_other(&p.s, 10000, 0);

    CHECK_INT(take(&p.c, "a", 10000, 0), LOCK_YES);
    go(o);
    CHECK_INT(taken(o), LOCK_BUSY);
    CHECK_INT(drop(&p.c, "a"), LOCK_YES);
    end(o);
    check_clean(&p);
}

TEST(local_lease_that_was_extended_is_passed_on_with_its_new_end)
{
    POST(p);
    other *o = start_other(&p.s, 20000, 10000);

    hold_before(&p, o, 3000);
    CHECK_INT(extend(&p.c, "a", 30000), LOCK_YES);
    CHECK_INT(drop(&p.c, "a"), LOCK_YES);
    CHECK_INT(p.c.stats.passed, 1);
    CHECK_INT(taken(o), LOCK_YES);
    CHECK_RANGE(15000, o->left, 19800);
    CHECK_INT(tells(o, RELEASE), LOCK_YES);
    end(o);
    check_clean(&p);
}

/* ---- plain clients beside ---- */

/* One of another machine that waits in Redis' line comes before those who line up here behind it. */
TEST(local_pass_lets_a_plain_waiter_go_before_those_that_came_later)
{
    POST(p);
    other *one = start_other(&p.s, 10000, 20000), *plain = start_other(&p.s, 10000, 20000),
          *two = start_other(&p.s, 10000, 20000);

    hold_before(&p, one, 10000);
    plain->is_plain = true;
    go(plain);
    until_waiting(&p.s, "a", 1);
    CHECK_INT(drop(&p.c, "a"), LOCK_YES);
    CHECK_INT(taken(one), LOCK_YES);
    go(two);
    while (entries_in_use() < 2) {
        sleep_ms(1);
    }
    sleep_ms(60);
    CHECK_INT(tells(one, RELEASE), LOCK_YES);
    CHECK_INT(one->passed, 0);
    CHECK_INT(taken(plain), LOCK_YES);
    sleep_ms(50);
    CHECK_INT(atomic_load(&two->done), 0);
    CHECK_INT(tells(plain, RELEASE), LOCK_YES);
    CHECK_INT(taken(two), LOCK_YES);
    CHECK_INT(tells(two, RELEASE), LOCK_YES);
    end(one);
    end(two);
    end(plain);
    check_clean(&p);
}

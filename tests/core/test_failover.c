/* SPDX-License-Identifier: MIT
 *
 * Calls whose server is replaced by another one meanwhile: what they send again, and what waits and renewals do. The
 * sentinels that tell where the master is are puppets; how these are understood is in test_sentinel.c.
 */
#include "keeper.h"

#include <stdio.h>

#include "cache/cache.h"
#include "lock/all.h"
#include "lock/wait.h"
#include "queue/queue.h"
#include "redis/session.h"

static void dsn_of(char dsn[128], const puppet *sentinel)
{
    snprintf(dsn, 128, "redis-sentinel://127.0.0.1:%d/m", sentinel->port);
}

/* ---- another master, a little later ---- */

typedef struct change {
    puppet *sentinel;
    int port; /* of the new master */
    int64_t after_ms;
    server *freezes; /* NULL: no server stands still before */
    puppet *asked;   /* the time begins when this one has had a question behind that for its role; NULL: at once */
} change;

static void *make_change(void *arg)
{
    const change *c = arg;

    for (int64_t start = platform_now(); c->asked != NULL && puppet_requests(c->asked) < 2;) {
        CHECK(ms_since(start) < 10000);
        sleep_ms(1);
    }
    sleep_ms(c->after_ms);
    if (c->freezes != NULL) {
        server_freeze(c->freezes);
    }
    puppet_names(c->sentinel, "127.0.0.1", c->port, 2);
    return NULL;
}

/* ---- what is sent again ---- */

/* A sentinel, an old master and a new one, and a session of `questions`. */
typedef struct stage {
    puppet sentinel, old, new;
    client c;
    rl_session session;
    rl_clock clock;
    rl_error error;
} stage;

static void stage_open(stage *s, size_t questions)
{
    static const char *const words[] = {"ONE", "TWO", "THREE"};
    char dsn[128];

    memset(s, 0, sizeof(*s));
    puppet_start(&s->sentinel);
    puppet_start(&s->old);
    puppet_start(&s->new);
    puppet_is_master(&s->old);
    puppet_is_master(&s->new);
    puppet_names(&s->sentinel, "127.0.0.1", s->old.port, 1);
    dsn_of(dsn, &s->sentinel);
    client_open_dsn(&s->c, dsn);
    rl_session_open(&s->session, &s->c.lock.target, 1, questions, 0);
    for (size_t i = 0; i < questions; i++) {
        rl_request *request = rl_session_request(&s->session, i);
        rl_request_begin(request, NULL);
        rl_request_add(request, BYTES(words[i]));
        puppet_answers(&s->old, words[i], ":1\r\n");
        puppet_answers(&s->new, words[i], ":2\r\n");
    }
}

static void stage_close(stage *s)
{
    rl_session_close(&s->session);
    client_close(&s->c);
    puppet_stop(&s->new);
    puppet_stop(&s->old);
    puppet_stop(&s->sentinel);
}

#define STAGE(s, questions)                                                                                            \
    CLOSED_BY(stage_close) stage s;                                                                                    \
    stage_open(&(s), questions)

/* Asks for up to 10 s, while the new master takes over a moment after the old one was asked, if there is one. */
static bool ask_meanwhile(stage *s, bool repeats)
{
    const rl_policy policy = {.judge = rl_judge_count, .repeats = repeats};
    change soon = {&s->sentinel, s->new.port, 60, NULL, s->old.liar.pid != 0 ? &s->old : NULL};
    pthread_t thread = thread_start(make_change, &soon);

    s->clock = rl_clock_budget(platform_now(), MS(10000));
    bool good = rl_session_ask(&s->session, &s->clock, &policy, &s->error);
    thread_join(thread);
    return good;
}

static long long answer_to(const stage *s, size_t i)
{
    const rl_call *call = rl_session_calls(&s->session, i);

    CHECK(call->answered && call->error.kind == RL_OK);
    return call->reply->integer;
}

TEST(failover_what_a_replica_refuses_is_asked_of_the_new_master)
{
    static const char *const errors[] = {"-READONLY You can't write\r\n", "-LOADING Redis is loading\r\n",
                                         "-MASTERDOWN Link with MASTER is down\r\n",
                                         /* of one that was cut off, or replaced by hand */
                                         "-NOREPLICAS Not enough good replicas to write.\r\n"};

    for (size_t k = 0; k < 8; k++) {
        STAGE(s, 1);
        puppet_answers(&s.old, "ONE", errors[k / 2]);
        CHECK(ask_meanwhile(&s, k % 2 == 0)); /* also what may not be done twice, as it was not done */
        CHECK_INT(answer_to(&s, 0), 2);
        CHECK(!rl_session_was_repeated(&s.session, 0));
    }
}

TEST(failover_what_was_lost_is_asked_again_with_the_mark_of_a_repeat)
{
    STAGE(s, 1);
    puppet_breaks(&s.old, "ONE");
    CHECK(ask_meanwhile(&s, true));
    CHECK_INT(answer_to(&s, 0), 2);
    CHECK(rl_session_was_repeated(&s.session, 0));
}

TEST(failover_what_may_not_be_done_twice_is_not_asked_again_if_it_may_have_been_done)
{
    static const char unblocked[] = "-UNBLOCKED instance state changed\r\n";

    for (int k = 0; k < 2; k++) {
        STAGE(s, 1);
        if (k == 0) {
            puppet_breaks(&s.old, "ONE");
        } else {
            puppet_answers(&s.old, "ONE", unblocked);
        }
        CHECK(!ask_meanwhile(&s, false));
        CHECK_INT(s.error.kind, k == 0 ? RL_LOST : RL_ERROR_REPLY);
        CHECK_INT(puppet_requests(&s.new), 0);
    }
}

TEST(failover_what_found_no_server_is_asked_when_there_is_one)
{
    for (int k = 0; k < 2; k++) {
        STAGE(s, 1);
        puppet_kill(&s.old);
        CHECK(ask_meanwhile(&s, k == 0));
        CHECK_INT(answer_to(&s, 0), 2);
        CHECK(!rl_session_was_repeated(&s.session, 0));
    }
}

TEST(failover_of_several_questions_only_what_failed_is_asked_again)
{
    STAGE(s, 3);
    puppet_answers(&s.old, "TWO", "-READONLY You can't write\r\n");
    CHECK(ask_meanwhile(&s, true));
    CHECK_INT(answer_to(&s, 0), 1);
    CHECK_INT(answer_to(&s, 1), 2);
    CHECK_INT(answer_to(&s, 2), 1);
    CHECK_INT(puppet_requests(&s.new), 2); /* ROLE is the other one */
}

TEST(failover_that_does_not_come_ends_the_call_in_its_time)
{
    const rl_policy policy = {.judge = rl_judge_count, .repeats = true};

    STAGE(s, 1);
    puppet_answers(&s.old, "ONE", "-READONLY You can't write\r\n");
    int64_t start = platform_now();
    s.clock = rl_clock_budget(start, MS(1000));
    CHECK(!rl_session_ask(&s.session, &s.clock, &policy, &s.error));
    CHECK_RANGE(900 - held_up(), ms_since(start), 1040 + SLACK);
    if (s.error.kind != RL_TIMED_OUT) { /* the last request may go out just before the end */
        CHECK_TEXT(s.error.code, "READONLY");
    }
    CHECK_RANGE(3, puppet_connections(&s.old), 100); /* with pauses */
}

TEST(failover_is_not_awaited_of_a_plain_server)
{
    static const lie lies[] = {LIE("-READONLY You can't write\r\n", LIE_SEND)};
    const rl_policy policy = {.judge = rl_judge_count, .repeats = true};
    rl_session session;
    rl_clock clock;
    rl_error error;
    client c;
    liar l;

    liar_start(&l, true, lies, 1);
    client_open_dsn(&c, l.dsn);
    rl_session_open(&session, &c.lock.target, 1, 1, 0);
    rl_request *request = rl_session_request(&session, 0);
    rl_request_begin(request, NULL);
    rl_request_add(request, RL_LITERAL("ONE"));
    clock = rl_clock_budget(platform_now(), MS(10000));
    CHECK(!rl_session_ask(&session, &clock, &policy, &error));
    CHECK_TEXT(error.code, "READONLY");
    CHECK_INT(atomic_load(&l.control->requests), 1);
    rl_session_close(&session);
    client_close(&c);
    liar_stop(&l);
}

/* ---- two real masters ---- */

/* A sentinel that names the first of two servers. */
typedef struct pair {
    puppet sentinel;
    server old, new;
    int ports[2];
    client c;
} pair;

static void start_with_port(server *s, int *port, const char *options)
{
    char text[128];

    *port = free_port();
    snprintf(text, sizeof(text), "--port %d --bind 127.0.0.1 %s", *port, options);
    server_start(s, text);
}

static void pair_open(pair *p)
{
    char dsn[128];

    start_with_port(&p->old, &p->ports[0], "");
    start_with_port(&p->new, &p->ports[1], "");
    puppet_start(&p->sentinel);
    puppet_names(&p->sentinel, "127.0.0.1", p->ports[0], 1);
    dsn_of(dsn, &p->sentinel);
    client_open_dsn(&p->c, dsn);
    p->c.lock.target.connect_timeout = p->c.lock.target.read_timeout = MS(300);
}

static void pair_close(pair *p)
{
    client_close(&p->c);
    puppet_stop(&p->sentinel);
    server_stop(&p->new);
    server_stop(&p->old);
}

#define PAIR(p)                                                                                                        \
    CLOSED_BY(pair_close) pair p;                                                                                      \
    pair_open(&(p))

/* The new master takes over in a moment, from one that stands still. */
static pthread_t fail_over_soon(pair *p, change *soon, int64_t after_ms)
{
    *soon = (change){&p->sentinel, p->ports[1], after_ms, &p->old, NULL};
    return thread_start(make_change, soon);
}

TEST(failover_moves_a_waiter_whose_master_stands_still)
{
    change soon;

    PAIR(p);
    CLIENT(holder, p.old.path);
    CHECK_INT(take(&holder, "a", 60000, 0), LOCK_YES);
    pthread_t thread = fail_over_soon(&p, &soon, 300);
    int64_t start = platform_now();
    CHECK_INT(take(&p.c, "a", 5000, 20000), LOCK_YES);
    CHECK_RANGE(300, ms_since(start), 5000 + held_up());
    thread_join(thread);
    CHECK_TEXT(say(&p.new, "GET lock:a"), token_of(&p.c));
    CHECK_INT(drop(&p.c, "a"), LOCK_YES);
}

/* Waiters stand in line as on any server, though each looks every second. */
TEST(failover_does_not_move_a_waiter_whose_master_is_well)
{
    PAIR(p);
    CLIENT(holder, p.old.path);
    CHECK_INT(take(&holder, "a", 60000, 0), LOCK_YES);
    int64_t start = platform_now();
    CHECK_INT(take(&p.c, "a", 5000, 3500), LOCK_BUSY);
    CHECK_RANGE(3490 - EARLY, ms_since(start), 3540 + SLACK);
    CHECK_INT(server_calls(&p.old, "blpop"), 1); /* one place in line for all the time */
    CHECK_RANGE(2, puppet_connections(&p.sentinel),
                2 + held_up() / 100); /* one that gave no answer in time is made anew */
}

/* A sentinel that is silent holds up the search, which is no round trip: the wait must not end that much earlier. */
TEST(failover_search_that_takes_long_does_not_shorten_the_wait)
{
    cache_fetch_params params = {
        .name = RL_LITERAL("k"), .kept_here = true, .duration = MS(10000), .timeout = MS(2000)};
    cache_answer answer = {0}, first = {0};
    char dsn[128];
    client c;

    PAIR(p);
    PUPPET(silent);
    snprintf(dsn, sizeof(dsn), "redis-sentinel://127.0.0.1:%d,127.0.0.1:%d/m", p.sentinel.port, silent.port);
    client_open_dsn(&c, dsn);
    CLIENT(holder, p.old.path);
    CHECK_INT(take(&holder, "a", 60000, 0), LOCK_YES);
    int64_t start = platform_now();
    CHECK_INT(take(&c, "a", 5000, 2000), LOCK_BUSY);
    CHECK_RANGE(1990 - EARLY, ms_since(start), 2040 + SLACK);
    CHECK_INT(cache_fetch(&holder.lock, &params, &first), CACHE_TURN);
    client_close(&c);
    client_open_dsn(&c, dsn);
    start = platform_now();
    CHECK_INT(cache_fetch(&c.lock, &params, &answer), CACHE_NONE);
    CHECK_RANGE(1990 - EARLY, ms_since(start), 2040 + SLACK);
    lock_lease_free(&first.lease);
    free(answer.value);
    free(first.value);
    client_close(&c);
}

/* The old master stops, and for a long time there is none. */
static void *stop_for_long(void *arg)
{
    pair *p = arg;

    make_change(&(change){&p->sentinel, free_port(), 200, &p->old, NULL});
    make_change(&(change){&p->sentinel, p->ports[1], 11300, NULL, NULL});
    return NULL;
}

/* A waiter for a plain server gives up after 10 s of silence. */
TEST(failover_is_awaited_until_the_waiters_own_timeout)
{
    PAIR(p);
    CLIENT(holder, p.old.path);
    CHECK_INT(take(&holder, "a", 60000, 0), LOCK_YES);
    pthread_t thread = thread_start(stop_for_long, &p);
    int64_t start = platform_now();
    CHECK_INT(take(&p.c, "a", 5000, 30000), LOCK_YES);
    CHECK_RANGE(11400, ms_since(start), 15000 + held_up());
    thread_join(thread);
}

/* Breaks the connection of the waiter when it looks for the second time; before that, another master is named. */
static void *break_blocked(void *arg)
{
    pair *p = arg;

    sleep_ms(1500);
    puppet_names(&p->sentinel, "127.0.0.1", p->ports[1], 2);
    CHECK_INT(say_number(&p->old, "EVAL %s 0", "return 1"), 1);
    const char *clients = say(&p->old, "CLIENT LIST");
    for (const char *line = clients; line != NULL; line = strchr(line, '\n')) {
        char id[24];
        line = strstr(line, "id=");
        if (line == NULL) {
            break;
        }
        snprintf(id, sizeof(id), "%.*s", (int)strcspn(line + 3, " "), line + 3);
        const char *blocked = strstr(line, "cmd=blpop"), *end = strchr(line, '\n');
        if (blocked != NULL && blocked < end) {
            CHECK_INT(say_number(&p->old, "CLIENT KILL ID %s", id), 1);
        }
    }
    return NULL;
}

/* An old master that was cut off, but not from this client, still answers looks over a connection from before. */
TEST(failover_is_not_undone_by_looks_at_the_old_master)
{
    PAIR(p);
    CLIENT(holder, p.old.path);
    CLIENT(next, p.new.path);
    CHECK_INT(take(&holder, "a", 60000, 0), LOCK_YES);
    CHECK_INT(take(&next, "a", 60000, 0), LOCK_YES);
    pthread_t thread = thread_start(break_blocked, &p);
    CHECK_INT(take(&p.c, "a", 5000, 6500), LOCK_BUSY);
    thread_join(thread);
    CHECK_RANGE(0, server_calls(&p.old, "blpop"), 1); /* newer servers do not count one that was killed */
    CHECK_RANGE(1, server_calls(&p.new, "blpop"), 2); /* a look at the old master makes it take its place once more */
}

/* Idle connections to the old master are of no use either: a look that gets no answer closes them. */
static struct {
    pair *p;
    size_t idle;   /* how many idle connections there were when the old master was stopped; 0: it was not yet */
    bool trickled; /* some of them, but not all, were used since */
} watcher;

static void stop_old_master(void)
{
    if (watcher.idle == 0) {
        watcher.idle = watcher.p->c.pool.count;
        server_freeze(&watcher.p->old);
        puppet_names(&watcher.p->sentinel, "127.0.0.1", watcher.p->ports[1], 2);
    }
}

static bool watch_pool(void *arg)
{
    size_t idle = watcher.p->c.pool.count;

    (void)arg;
    watcher.trickled |= idle > 0 && idle + 1 < watcher.idle; /* a look has one of them */
    return false;
}

TEST(failover_of_a_silent_master_is_not_held_up_by_idle_connections)
{
    rl_conn *conns[6];
    rl_call call;

    PAIR(p);
    CLIENT(holder, p.old.path);
    CHECK_INT(take(&holder, "a", 60000, 0), LOCK_YES);
    for (int i = 0; i < 6; i++) {
        conns[i] = rl_pool_take(&p.c.pool, &p.c.endpoint);
        memset(&call, 0, sizeof(call));
        rl_request_add(&call.request, RL_LITERAL("PING"));
        rl_conn_submit(conns[i], &call, platform_now() + MS(5000));
        rl_call_wait(&call, platform_now() + MS(5000), NULL);
        CHECK_INT(call.error.kind, RL_OK);
        rl_call_reset(&call);
    }
    for (int i = 0; i < 6; i++) {
        rl_pool_give(&p.c.pool, conns[i]);
    }
    watcher.p = &p;
    lock_wait_before_blocking = stop_old_master;
    p.c.lock.target.hook = (rl_hook){.interrupted = watch_pool, .arg = NULL};
    CHECK_INT(take(&p.c, "a", 5000, 30000), LOCK_YES);
    CHECK_INT(watcher.idle, 5);
    CHECK(!watcher.trickled);
}

/* ---- queues and values ---- */

typedef struct worker {
    queue_client q;
    queue_caller caller;
    queue_tasks tasks;
    rl_error error;
} worker;

static void worker_open(worker *w, client *c)
{
    memset(w, 0, sizeof(*w));
    w->q = (queue_client){.target = c->lock.target, .caller = &w->caller, .prefix = BYTES("queue:"), .max_attempts = 2};
}

static queue_outcome work(worker *w, int64_t visibility_ms, int64_t timeout_ms)
{
    queue_take_params order = {.count = 1, .visibility = MS(visibility_ms), .timeout = MS(timeout_ms)};

    return queue_take(&w->q, BYTES("x"), &order, &w->tasks, &w->error);
}

TEST(failover_moves_a_worker_whose_master_stands_still)
{
    rl_bytes id = BYTES("task");
    change soon;
    worker w, other;

    PAIR(p);
    CLIENT(enterer, p.new.path);
    worker_open(&other, &enterer);
    CHECK_INT(queue_enqueue(&other.q, BYTES("x"), &id, 1, 0, true, MS(2000), &other.error), QUEUE_YES);
    worker_open(&w, &p.c);
    pthread_t thread = fail_over_soon(&p, &soon, 300);
    int64_t start = platform_now();
    CHECK_INT(work(&w, 5000, 20000), QUEUE_YES);
    CHECK_RANGE(300, ms_since(start), 5000 + held_up());
    thread_join(thread);
    queue_tasks_free(&w.tasks);
}

static bool is_out_of_patience(void *until)
{
    return platform_now() >= *(const int64_t *)until;
}

/* Ends the server as soon as the worker is blocked there, which then loses patience after a while. */
static void *end_server(void *arg)
{
    server *s = arg;
    int64_t start = platform_now();

    while (strstr(say(s, "INFO clients"), "blocked_clients:1") == NULL && ms_since(start) < 10000) {
        sleep_ms(10);
    }
    server_kill(s);
    return NULL;
}

TEST(failover_that_takes_long_leaves_a_worker_interruptible)
{
    int64_t until;
    worker w;

    PAIR(p);
    worker_open(&w, &p.c);
    w.q.target.hook = (rl_hook){.interrupted = is_out_of_patience, .arg = &until};
    until = platform_now() + MS(1500);
    pthread_t thread = thread_start(end_server, &p.old);
    int64_t start = platform_now();
    CHECK_INT(work(&w, 0, 20000), QUEUE_INTERRUPTED);
    CHECK_RANGE(1400, ms_since(start), 5000 + held_up());
    thread_join(thread);
}

/* The same if the server is a plain one, and an answer was lost before. */
TEST(queue_server_that_has_gone_leaves_a_worker_interruptible)
{
    int64_t until;
    worker w;

    SERVER(s, NULL);
    RELAY(r, &s);
    CLIENT(c, r.path);
    c.lock.target.connect_timeout = c.lock.target.read_timeout = MS(300);
    worker_open(&w, &c);
    w.q.target.hook = (rl_hook){.interrupted = is_out_of_patience, .arg = &until};
    until = platform_now() + MS(2500);
    pthread_t thread = thread_start(end_server, &s);
    int64_t start = platform_now();
    CHECK_INT(work(&w, 5000, 8000), QUEUE_INTERRUPTED);
    CHECK_RANGE(2400, ms_since(start), 6000 + held_up());
    thread_join(thread);
}

TEST(failover_moves_who_waits_for_a_value_whose_master_stands_still)
{
    cache_fetch_params params = {
        .name = RL_LITERAL("k"), .kept_here = true, .duration = MS(10000), .timeout = MS(20000)};
    cache_answer answer = {0}, first = {0};
    change soon;

    PAIR(p);
    CLIENT(builder, p.old.path);
    CHECK_INT(cache_fetch(&builder.lock, &params, &first), CACHE_TURN);
    pthread_t thread = fail_over_soon(&p, &soon, 300);
    int64_t start = platform_now();
    CHECK_INT(cache_fetch(&p.c.lock, &params, &answer), CACHE_TURN);
    CHECK_RANGE(300, ms_since(start), 5000 + held_up());
    thread_join(thread);
    lock_lease_free(&answer.lease);
    lock_lease_free(&first.lease);
    free(answer.value);
    free(first.value);
}

/* ---- what was refused ---- */

/* Makes calls that are refused until their time is over. Returns false if one had no answer to its last try, since the machine
 * held it up: that is left in the backlog by right. */
static bool all_is_refused(void)
{
    cache_fetch_params params = {.name = RL_LITERAL("k"), .kept_here = true, .duration = MS(10000)};
    lock_all_item items[2] = {{.name = RL_LITERAL("a")}, {.name = RL_LITERAL("b")}};
    cache_answer answer = {0};
    size_t about = 0;

    STAGE(s, 1);
    puppet_answers(&s.old, "EVALSHA", "-READONLY You can't write\r\n");
    puppet_answers(&s.old, "EVAL", "-READONLY You can't write\r\n");
    client_gives_up_after(&s.c, 1000);
    int64_t before = held_up();
    CHECK_INT(lock_acquire_all(&s.c.lock, items, 2, MS(10000), 0, &about, &s.c.error), LOCK_FAILED);
    CHECK_INT(cache_fetch(&s.c.lock, &params, &answer), CACHE_FAILED);
    free(answer.value);
    if (was_held_up(&s.c.error, before) || was_held_up(&answer.error, before)) {
        return false;
    }
    CHECK_TEXT(s.c.error.code, "READONLY");
    CHECK_TEXT(answer.error.code, "READONLY");
    CHECK_INT(s.c.backlog.count, 0);
    CHECK_INT(take(&s.c, "a", 10000, 0), LOCK_FAILED);
    if (was_held_up(&s.c.error, before)) {
        return false;
    }
    CHECK_INT(s.c.backlog.count, 0);
    return true;
}

/* Nothing ran, so there is nothing to give back later. While a server says so for long, that would fill the backlog. */
TEST(failover_that_refuses_all_leaves_nothing_to_give_back)
{
    while (!all_is_refused()) {
    }
}

/* ---- renewals ---- */

/* A master with a replica, of which both count. */
static void follow(pair *p)
{
    int64_t start = platform_now();

    CHECK_TEXT(say(&p->new, "REPLICAOF 127.0.0.1 %d", p->ports[0]), "OK");
    while (strstr(say(&p->new, "INFO replication"), "master_link_status:up") == NULL) {
        CHECK(ms_since(start) < 20000);
        sleep_ms(10);
    }
}

/* The replica becomes the master as far as `host` is told, and the master is killed. */
static void promote(pair *p, const char *host)
{
    CHECK_INT(say_number(&p->old, "WAIT 1 2000"), 1);
    server_kill(&p->old);
    CHECK_TEXT(say(&p->new, "REPLICAOF NO ONE"), "OK");
    puppet_names(&p->sentinel, host, p->ports[1], 2);
}

/* The thread that holds the lock makes no call meanwhile. */
static void check_renewed_over_failover(const char *host)
{
    keeper k;
    char dsn[128];

    PAIR(p);
    follow(&p);
    puppet_answers(&p.sentinel, "REPLICAS", "*0\r\n");
    puppet_names(&p.sentinel, host, p.ports[0], 1);
    dsn_of(dsn, &p.sentinel);
    keeper_open_dsn(&k, dsn);
    take_and_keep(&k, "a", 6000);
    until_renewed(&k, 1);
    promote(&p, host);
    until_renewed(&k, 2);
    CHECK_INT(state_of(&k), LOCK_RENEWAL_ON);
    CHECK(left(&k) > 0);
    is_kept_for(&k, &p.new, 1500);
    CHECK_INT(keeper_end(&k), LOCK_RENEWAL_ON);
    CHECK_INT(drop(&k.c, "a"), LOCK_YES);
    keeper_close(&k);
    CHECK_INT(say_number(&p.new, "EXISTS lock:a"), 0);
}

TEST(failover_renewal_goes_on_at_the_new_master)
{
    check_renewed_over_failover("127.0.0.1");
}

TEST(failover_renewal_goes_on_at_a_new_master_that_has_a_name)
{
    check_renewed_over_failover("localhost");
}

/* While the thread looks for one master, in vain, leases at other servers come and go. */
TEST(failover_that_takes_long_leaves_other_renewals_alone)
{
    char dsn[128];
    held h[40], first;
    keeper k;

    PAIR(p);
    SERVER(s, NULL);
    dsn_of(dsn, &p.sentinel);
    keeper_open_dsn(&k, dsn);
    client_gives_up_after(&k.c, 2000);
    take_and_keep(&k, "a", 30000);
    hold(&k, &first, "first", 9000); /* is due after 3 s */
    server_kill(&p.old);
    puppet_answers(&p.sentinel, "MASTER", "");
    puppet_answers(&p.sentinel, "GET-MASTER-ADDR-BY-NAME", "");
    rl_endpoint routed = k.c.endpoint;
    client plain;
    client_open(&plain, s.path);
    int64_t start = platform_now();
    while (ms_since(start) < 2500 || counts_of(&k).failures == 0) {
        k.c.endpoint = plain.endpoint;
        hold_many(&k, h, 40, "n", 1500);
        sleep_ms(100);
        let_go_many(&k, h, 40);
    }
    k.c.endpoint = routed;
    CHECK_INT(held_state(&first), LOCK_RENEWAL_ON);
    puppet_kill(&p.sentinel);
    let_go(&k, &first);
    keeper_end_by(&k, 100);
    keeper_close(&k);
    client_close(&plain);
}

/* ---- memory that ends ---- */

static pthread_t holding;
static atomic_int allocations_left;

static bool memory_of_the_thread_ends(void)
{
    return !pthread_equal(pthread_self(), holding) && atomic_fetch_sub(&allocations_left, 1) <= 0;
}

/* The memory of the renewing thread ends after so many allocations, while it looks for the master. Returns whether it came to
 * that. */
static bool outlive(const char *dsn, int allocations)
{
    keeper k;
    held h;
    int64_t start = platform_now();

    keeper_open_dsn(&k, dsn);
    atomic_store(&allocations_left, allocations);
    hold(&k, &h, "a", 3000);
    hold_again(&k, &h);
    while (held_state(&h) == LOCK_RENEWAL_ON && counts_of(&k).renewed == 0) {
        CHECK(ms_since(start) < 5000);
        sleep_ms(1);
    }
    atomic_store(&allocations_left, INT32_MAX);
    bool broken = let_go(&k, &h) == LOCK_RENEWAL_BROKEN;
    hold(&k, &h, "b", 30000);
    hold_again(&k, &h);
    until_renewed(&k, 1);
    CHECK_INT(let_go(&k, &h), LOCK_RENEWAL_ON);
    keeper_close(&k);
    return broken;
}

/* What the thread had is lost: so this is a process that ends without looking for leaks. */
static void lose_memory(void *arg)
{
    int count = 0;

    holding = pthread_self();
    platform_memory_ends = memory_of_the_thread_ends;
    while (outlive(arg, count)) {
        CHECK(++count < 300);
    }
    note("after each of %d allocations", count);
    CHECK(count > 20);
}

TEST(failover_renewer_outlives_the_end_of_memory_while_it_looks_for_the_master)
{
    char dsn[128];

    PAIR(p);
    puppet_answers(&p.sentinel, "REPLICAS", "*0\r\n");
    puppet_names(&p.sentinel, "localhost", p.ports[0], 1);
    dsn_of(dsn, &p.sentinel);
    process_join(process_start(lose_memory, dsn));
}

/* SPDX-License-Identifier: MIT
 *
 * A lock that counts only once enough replicas of its server have it.
 */
#include "bed.h"

#include <stdio.h>
#include <unistd.h>

#include "cache/cache.h"
#include "lock/all.h"
#include "lock/replicas.h"
#include "redis/scripts.h"

/* A master with two replicas, and a client that asks for both of them. */
typedef struct family {
    server master;
    server replicas[2];
    client c;
} family;

static void family_open(family *f)
{
    int port = free_port();
    char options[128];

    snprintf(options, sizeof(options),
             "--port %d --bind 127.0.0.1 --repl-diskless-sync yes --repl-diskless-sync-delay 0", port);
    server_start(&f->master, options);
    for (int i = 0; i < 2; i++) {
        server_start(&f->replicas[i], NULL);
        CHECK_TEXT(say(&f->replicas[i], "REPLICAOF 127.0.0.1 %d", port), "OK");
    }
    until_acknowledged(&f->master, 2, "warm");
    client_open(&f->c, f->master.path);
    f->c.lock.replicas = 2;
    held_up_from_now();
}

static void family_close(family *f)
{
    client_close(&f->c);
    for (int i = 0; i < 2; i++) {
        server_stop(&f->replicas[i]);
    }
    server_stop(&f->master);
}

#define FAMILY(f)                                                                                                      \
    CLOSED_BY(family_close) family f;                                                                                  \
    family_open(&(f))

/* The text of the error that says what has reached one of two replicas; or none, if the machine has held that up for as long as
 * it was awaited. Returns how many ms it says that was. */
static long long check_too_few(const rl_error *error, const char *what)
{
    char format[128];
    long long reached = -1, ms = -1;

    CHECK_INT(error->kind, RL_TOO_FEW);
    CHECK_TEXT(error->code, "NOREPLICAS");
    snprintf(format, sizeof(format), "%s reached %%lld of 2 replicas within %%lld ms", what);
    if (sscanf(error->text, format, &reached, &ms) != 2 || !(reached == 1 || (reached == 0 && ms <= 1 + held_up()))) {
        test_fail(__FILE__, __LINE__, "%s", error->text);
    }
    return ms;
}

/* What was taken is given back: at once, or a little later if the machine was busy. */
static void check_given_back(family *f)
{
    until_no_key(&f->master);
    CHECK(f->c.backlog.count == 0 || held_up() > 0);
}

TEST(replicas_have_a_lock_that_counts)
{
    FAMILY(f);
    CLIENT(plain, f.master.path);
    for (int round = 0; round < 3; round++) {
        say(&f.master, "CONFIG RESETSTAT");
        CHECK_INT(take(&f.c, "a", 60000, 0), LOCK_YES);
        for (int i = 0; i < 2; i++) {
            CHECK_SAFE_UNTIL(lease_end(&f.c.lease), strcmp(say(&f.replicas[i], "GET lock:a"), token_of(&f.c)) == 0);
        }
        CHECK_INT(server_calls(&f.master, "wait"), 1);
        /* By a script at first, by a plain SET once a release is known to be allowed. */
        CHECK_INT(server_calls(&f.master, "eval") + server_calls(&f.master, "evalsha") == 0, round > 0);
        CHECK_INT(drop(&f.c, "a"), LOCK_YES);
    }
    say(&f.master, "CONFIG RESETSTAT");
    CHECK_INT(take(&plain, "a", 60000, 0), LOCK_YES);
    CHECK_INT(server_calls(&f.master, "wait"), 0);
    CHECK_INT(drop(&plain, "a"), LOCK_YES);
    CHECK_NO_KEY(&f.master);
}

TEST(replicas_have_the_fence_too)
{
    FAMILY(f);
    f.c.lock.fencing = true;
    CHECK_INT(take(&f.c, "a", 60000, 0), LOCK_YES);
    for (int i = 0; i < 2; i++) {
        CHECK_SAFE(say_number(&f.replicas[i], "GET {lock:a}:rl:fence") == f.c.lease.fence);
    }
}

TEST(replicas_that_are_too_few_give_the_lock_back)
{
    FAMILY(f);
    CLIENT(other, f.master.path);
    server_freeze(&f.replicas[1]);
    for (int round = 0; round < 2; round++) {
        int64_t start;
        CHECK_LACKS_REPLICAS(
            (start = platform_now(), round == 0 ? take(&f.c, "a", 400, 0) : take_as(&f.c, "a", "mine", 400, 0)),
            &f.c.error);
        CHECK_RANGE(200, ms_since(start), 200 + SLACK); /* half of the lease */
        CHECK_INT(check_too_few(&f.c.error, "the lock"), 200);
        check_given_back(&f);
    }
    CHECK_INT(take(&other, "a", 60000, 0), LOCK_YES);
    CHECK_INT(take(&f.c, "a", 400, 0), LOCK_BUSY);
    CHECK_INT(drop(&other, "a"), LOCK_YES);
    f.c.lock.replicas = 1;
    CHECK_INT(take(&f.c, "a", 60000, 0), LOCK_YES);
}

TEST(replicas_that_acknowledge_late_are_enough)
{
    FAMILY(f);
    server_freeze(&f.replicas[1]);
    f.c.lock.target.read_timeout = MS(10000);
    CHECK_INT(take(&f.c, "other", 10000, 5000), LOCK_FAILED); /* so that the next one is behind */
    pid_t thaws = fork();
    CHECK(thaws >= 0);
    if (thaws == 0) {
        usleep(100000);
        kill(f.replicas[1].pid, SIGCONT);
        _exit(0);
    }
    int64_t start = platform_now();
    CHECK_INT(take(&f.c, "a", 60000, 20000), LOCK_YES);
    int64_t took = platform_now() - start;
    process_join(thaws);
    CHECK_RANGE(0, took, MS(5000 + SLACK));
    /* The lease counts from before: not from when the replicas had it. */
    CHECK(f.c.lease.sent >= start && f.c.lease.sent <= start + MS(90 + SLACK));
    CHECK(lock_lease_validity(&f.c.lease, platform_now()) <= MS(60000) - took + (f.c.lease.sent - start));
    CHECK_SAFE_UNTIL(lease_end(&f.c.lease), strcmp(say(&f.replicas[1], "GET lock:a"), token_of(&f.c)) == 0);
}

TEST(replicas_are_waited_for_within_the_time_of_the_call)
{
    FAMILY(f);
    server_freeze(&f.replicas[1]);
    int64_t start;
    f.c.lock.target.read_timeout = MS(300); /* connect_timeout is longer: it is not by that that the wait is limited */
    CHECK_LACKS_REPLICAS((start = platform_now(), take(&f.c, "a", 60000, 0)), &f.c.error);
    CHECK_RANGE(300 - held_up(), ms_since(start), 300 + SLACK);
    /* A slow round trip before the WAIT is taken off from its time, since its answer will be as slow. */
    CHECK_LACKS_REPLICAS((start = platform_now(), take(&f.c, "a", 60000, 150)), &f.c.error);
    CHECK_RANGE(140 - held_up(), ms_since(start), 150 + SLACK);
    f.c.lock.target.read_timeout = f.c.lock.target.connect_timeout = MS(1);
    char name[16] = "";
    int tries = 0; /* the undo of one that had no answer may come behind the next */
    CHECK_LACKS_REPLICAS((snprintf(name, sizeof(name), "b%d", tries++), take(&f.c, name, 60000, 0)), &f.c.error);
    CHECK_INT(check_too_few(&f.c.error, "the lock"), 1);
    check_given_back(&f);
}

/* It takes long to find the server, but a round trip there is short. */
TEST(replicas_are_waited_for_however_long_the_connection_took)
{
    char dsn[128];
    int port;

    FAMILY(f);
    PUPPET(sentinel);
    PUPPET(silent);
    CHECK_INT(sscanf(say(&f.master, "CONFIG GET port"), "port %d", &port), 1);
    puppet_names(&sentinel, "127.0.0.1", port, 1);
    server_freeze(&f.replicas[1]);
    client_close(&f.c);
    snprintf(dsn, sizeof(dsn), "redis-sentinel://127.0.0.1:%d,127.0.0.1:%d/m", sentinel.port, silent.port);
    client_open_dsn(&f.c, dsn);
    client_gives_up_after(&f.c, 1000);
    f.c.lock.replicas = 2;
    CHECK_LACKS_REPLICAS(take(&f.c, "a", 60000, 0), &f.c.error);
    /* Of a second, the search has taken half. */
    CHECK(check_too_few(&f.c.error, "the lock") > 250 - held_up());
}

/* ---- a waiter ---- */

typedef struct waiter {
    client c;
    int64_t lease;
    int64_t timeout;
    lock_outcome outcome;
} waiter;

static void *wait_in_thread(void *arg)
{
    waiter *w = arg;

    w->outcome = take(&w->c, "a", w->lease, w->timeout);
    return NULL;
}

static pthread_t waiter_start(waiter *w, family *f, int64_t replicas, int64_t lease, int64_t timeout)
{
    memset(w, 0, sizeof(*w));
    client_open(&w->c, f->master.path);
    w->c.lock.target.pool = &w->c.pool;
    w->c.lock.replicas = replicas;
    w->lease = lease;
    w->timeout = timeout;
    return thread_start(wait_in_thread, w);
}

TEST(replicas_have_a_lock_that_was_waited_for)
{
    waiter w;

    FAMILY(f);
    CHECK_INT(take(&f.c, "a", 60000, 0), LOCK_YES);
    pthread_t thread = waiter_start(&w, &f, 2, 60000, 20000);
    until_waiting(&f.master, "a", 1);
    CHECK_INT(drop(&f.c, "a"), LOCK_YES);
    thread_join(thread);
    CHECK_INT(w.outcome, LOCK_YES);
    for (int i = 0; i < 2; i++) {
        CHECK_SAFE_UNTIL(lease_end(&w.c.lease), strcmp(say(&f.replicas[i], "GET lock:a"), token_of(&w.c)) == 0);
    }
    client_close(&w.c);
}

TEST(replicas_that_are_too_few_hand_a_claim_to_the_next_waiter)
{
    waiter first, second;

    FAMILY(f);
    CHECK_INT(take(&f.c, "a", 60000, 0), LOCK_YES);
    pthread_t one = waiter_start(&first, &f, 2, 400, 20000);
    until_waiting(&f.master, "a", 1);
    pthread_t other = waiter_start(&second, &f, 0, 60000, 20000);
    until_waiting(&f.master, "a", 2);
    server_freeze(&f.replicas[1]);
    int64_t before = held_up();
    CHECK_INT(drop(&f.c, "a"), LOCK_YES);
    thread_join(one);
    CHECK_INT(first.outcome, LOCK_FAILED);
    if (!was_held_up(&first.c.error, before)) {
        CHECK_INT(check_too_few(&first.c.error, "the lock"), 200);
    }
    int64_t start = platform_now();
    thread_join(other);
    CHECK_RANGE(0, ms_since(start), 50 + SLACK);
    CHECK_INT(second.outcome, LOCK_YES);
    CHECK_TEXT(say(&f.master, "GET lock:a"), token_of(&second.c));
    client_close(&first.c);
    client_close(&second.c);
}

/* ---- what goes wrong on the way ---- */

/* Something has been written over the connection, which is broken before the WAIT. Over another one, WAIT would count replicas
 * at once: that has written nothing. */
TEST(replicas_are_not_asked_over_another_connection)
{
    FAMILY(f);
    for (int killed = 0; killed < 2; killed++) {
        const lock_replicated lease = {"it", platform_now(), MS(400), platform_now() + MS(1000), NULL};
        rl_clock clock = rl_clock_budget(platform_now(), MS(1000));
        const rl_policy asking = {0};
        rl_session session;
        rl_session_open(&session, &f.c.lock.target, 1, 1, 0);
        rl_request *request = rl_session_request(&session, 0);
        rl_request_begin(request, NULL);
        rl_request_add(request, RL_LITERAL("INCR"));
        rl_request_add(request, RL_LITERAL("lock:n"));
        rl_clock_ask(&clock, &f.c.lock.target, platform_now());
        rl_session_round(&session, &clock, &asking);
        CHECK_INT(session.calls[0].error.kind, RL_OK);
        if (killed) {
            say(&f.master, "CLIENT KILL TYPE normal SKIPME yes");
        } else {
            rl_conn_break(session.conns[0], RL_LOST, "the test breaks it");
        }
        CHECK_INT(lock_replicas_await(&session, &f.c.lock, &lease, &f.c.error), LOCK_FAILED);
        CHECK_INT(f.c.error.kind, RL_LOST);
        rl_session_close(&session);
    }
}

/* The first of two questions has written over a connection that is lost before the second is asked. Over the new one, WAIT
 * would count replicas that may never have seen what the first has written. */
TEST(replicas_are_not_asked_over_a_later_life_of_a_connection)
{
    FAMILY(f);
    const lock_replicated lease = {"it", platform_now(), MS(400), platform_now() + MS(5000), NULL};
    rl_clock clock = rl_clock_budget(platform_now(), MS(5000));
    const rl_policy asking = {0};
    rl_session session;

    rl_session_open(&session, &f.c.lock.target, 1, 2, 0);
    for (session.questions = 1; session.questions <= 2; session.questions++) {
        rl_request *request = rl_session_request(&session, session.questions - 1);
        rl_request_begin(request, NULL);
        rl_request_add(request, RL_LITERAL("INCR"));
        rl_request_add(request, RL_LITERAL("lock:n"));
        rl_clock_ask(&clock, &f.c.lock.target, platform_now());
        rl_session_round(&session, &clock, &asking);
        CHECK_INT(session.calls[session.questions - 1].error.kind, RL_OK);
        if (session.questions == 1) {
            rl_conn_break(session.conns[0], RL_LOST, "the test breaks it");
        }
    }
    session.questions = 2;
    CHECK_INT(say_number(&f.master, "GET lock:n"), 2);
    CHECK_INT(lock_replicas_await(&session, &f.c.lock, &lease, &f.c.error), LOCK_FAILED);
    CHECK_INT(f.c.error.kind, RL_LOST);
    rl_session_close(&session);
}

TEST(replicas_answer_is_lost_with_its_connection)
{
    FAMILY(f);
    RELAY(r, &f.master);
    CLIENT(c, r.path);
    c.lock.replicas = 2;
    CHECK_INT(take(&c, "a", 60000, 0), LOCK_YES);
    CHECK_INT(drop(&c, "a"), LOCK_YES);
    for (int round = 0; round < 2; round++) {
        atomic_store(&r.control->swallow, 2); /* the first one is the yes */
        CHECK_INT(round == 0 ? take(&c, "a", 60000, 0) : take_as(&c, "a", "mine", 60000, 0), LOCK_FAILED);
        CHECK_INT(c.error.kind, RL_LOST);
        CHECK_INT(atomic_load(&r.control->swallowed), round + 1);
        CHECK_NO_KEY(&f.master);
    }
}

/* The release cannot be sent either. It goes out before the client's next request. */
TEST(replicas_cannot_be_asked_and_the_release_is_left_to_the_backlog)
{
    FAMILY(f);
    RELAY(r, &f.master);
    CLIENT(c, r.path);
    c.lock.replicas = 2;
    CHECK_INT(take(&c, "a", 60000, 0), LOCK_YES);
    CHECK_INT(drop(&c, "a"), LOCK_YES);
    atomic_store(&r.control->pass, 1);
    atomic_store(&r.control->hold, atomic_load(&r.control->connections));
    server_freeze(&f.replicas[1]);
    int64_t start = platform_now();
    CHECK_INT(take(&c, "a", 300, 0), LOCK_FAILED);
    CHECK_INT(c.error.kind, RL_LOST);
    CHECK_TEXT(c.error.text, "no answer to WAIT in time");
    CHECK_RANGE(150, ms_since(start), 150 + 50 + SLACK);
    CHECK_NO_KEY(&f.master); /* over a connection of its own */
    atomic_store(&r.control->hold, 0);

    CHECK_INT(take(&c, "warm", 60000, 0), LOCK_FAILED);
    pid_t freezes = fork();
    CHECK(freezes >= 0);
    if (freezes == 0) {
        usleep(100000);
        kill(f.master.pid, SIGSTOP);
        _exit(0);
    }
    CHECK_INT(take(&c, "a", 10000, 400), LOCK_FAILED);
    process_join(freezes);
    CHECK_INT(c.error.kind, RL_LOST);
    CHECK(c.backlog.count > 0);
    server_thaw(&f.master);
    server_thaw(&f.replicas[1]);
    CHECK_INT(take(&c, "b", 60000, 0), LOCK_YES);
    until_only_key(&f.master, "lock:b");
}

TEST(replicas_cannot_be_asked_without_the_right)
{
    char dsn[160];

    FAMILY(f);
    say(&f.master, "ACL SETUSER shop on >secret ~* +@all -wait");
    snprintf(dsn, sizeof(dsn), "unix://shop:secret@%s", f.master.path);
    client c;
    client_open_dsn(&c, dsn);
    c.lock.replicas = 1;
    CHECK_INT(take(&c, "a", 60000, 0), LOCK_FAILED);
    CHECK_TEXT(c.error.code, "NOPERM");
    CHECK_NO_KEY(&f.master);
    c.lock.replicas = 0;
    CHECK_INT(take(&c, "a", 60000, 0), LOCK_YES);
    client_close(&c);
}

static bool is_over(void *arg)
{
    return platform_now() >= *(int64_t *)arg;
}

static void nothing(int signal)
{
    (void)signal;
}

TEST(replicas_wait_is_interrupted_and_gives_the_lock_back)
{
    FAMILY(f);
    server_freeze(&f.replicas[1]);
    CHECK_INT(take(&f.c, "other", 1000, 0), LOCK_FAILED);
    int64_t end = platform_now() + MS(150);
    f.c.lock.target.hook = (rl_hook){.interrupted = is_over, .arg = &end};
    signal(SIGALRM, nothing);
    ualarm(200000, 0);
    CHECK_INT(take(&f.c, "a", 60000, 0), LOCK_INTERRUPTED);
    CHECK_RANGE(0, platform_now() - end, MS(100 + SLACK));
    f.c.lock.target.hook = (rl_hook){0};
    CHECK_NO_KEY(&f.master);
}

/* ---- extending ---- */

TEST(replicas_that_are_too_few_leave_the_shorter_lease)
{
    FAMILY(f);
    CHECK_INT(take(&f.c, "a", 30000, 0), LOCK_YES);
    CHECK_INT(extend(&f.c, "a", 36000), LOCK_YES);
    lock_lease before = f.c.lease;
    server_freeze(&f.replicas[1]);
    f.c.lock.target.read_timeout = MS(100);
    CHECK_LACKS_REPLICAS(extend(&f.c, "a", 60000), &f.c.error);
    CHECK_INT(check_too_few(&f.c.error, "the new lease"), 100);
    CHECK_INT(f.c.lease.sent, before.sent);
    CHECK_INT(f.c.lease.duration, before.duration);
    CHECK(say_number(&f.master, "PTTL lock:a") > 50000);
    CHECK(lock_lease_server_remaining(&f.c.lease, platform_now()) > MS(50000)); /* for a release that fails */

    CHECK_LACKS_REPLICAS(extend(&f.c, "a", 20000), &f.c.error);
    check_too_few(&f.c.error, "the new lease");
    CHECK(lock_lease_validity(&f.c.lease, platform_now()) < MS(20000));
    CHECK_INT(drop(&f.c, "a"), LOCK_YES);
    CHECK_NO_KEY(&f.master);
}

/* How much the master has written for its replicas. */
static long long written(server *s)
{
    const char *at = strstr(say(s, "INFO replication"), "master_repl_offset:");

    CHECK(at != NULL);
    return atoll(at + strlen("master_repl_offset:"));
}

/* The reply to the first request was lost with its connection. The repeat finds all done, and the WAIT behind it counts
 * replicas by what the new connection has written. For newer servers, all replicas have what one that wrote nothing wrote. */
TEST(replicas_are_counted_by_what_a_repeat_writes)
{
    const struct {
        const rl_script *script;
        const char *lease; /* in ms, that is there already; NULL: without end */
        const char *args;  /* behind the number of keys */
        const char *reply;
    } repeats[] = {
        {&rl_script_acquire, NULL, "3 lock:a {lock:a}:rl:baton {lock:a}:rl:wait mine 1500 %s 0 0 1", "1 0"},
        {&rl_script_acquire, "60000", "3 lock:a {lock:a}:rl:baton {lock:a}:rl:wait mine 1500 %s 0 0 1", "1 0"},
        {&rl_script_acquire_alone, NULL, "1 lock:a mine 1500 %s 0 0 1", "1 0"},
        {&rl_script_acquire_alone, "60000", "1 lock:a mine 1500 %s 0 0 1", "1 0"},
        {&rl_script_extend, NULL, "4 lock:a {lock:a}:rl:baton {lock:a}:rl:wait {lock:a}:rl:note mine 0 ab 1 0", "1"},
        {&rl_script_extend_all, NULL, "4 lock:a {lock:a}:rl:baton {lock:a}:rl:wait {lock:a}:rl:note 0 ab 1 0 mine",
         "1"},
        {&rl_script_extend_alone, NULL, "1 lock:a mine 0 ab 1 0", "1"},
        {&rl_script_extend_alone, "60004", "1 lock:a mine 60000 ab 1 0", "1"},
        {&rl_script_rename, NULL, "3 lock:a {lock:a}:rl:baton {lock:a}:rl:wait last mine 1500 %s", "1 0"},
        {&rl_script_rename, "60000", "3 lock:a {lock:a}:rl:baton {lock:a}:rl:wait last mine 1500 %s", "1 0"},
    };

    FAMILY(f);
    for (size_t i = 0; i < sizeof(repeats) / sizeof(*repeats); i++) {
        char format[160];
        say(&f.master, "SET lock:a mine");
        if (repeats[i].lease != NULL) {
            say(&f.master, "PEXPIRE lock:a %s", repeats[i].lease);
        }
        snprintf(format, sizeof(format), "EVAL %%s %s", repeats[i].args);
        long long before = written(&f.master);
        CHECK_TEXT(say(&f.master, format, repeats[i].script->text, ""), repeats[i].reply);
        if (written(&f.master) == before) {
            test_fail(__FILE__, __LINE__, "%s has written nothing", repeats[i].script->name);
        }
        CHECK(repeats[i].lease != NULL || say_number(&f.master, "PTTL lock:a") == -1);
    }
}

/* ---- many locks ---- */

static lock_outcome take_all(client *c, lock_all_item items[2], int64_t lease, int64_t timeout)
{
    size_t about = 0;

    items[0] = (lock_all_item){.name = RL_LITERAL("a")};
    items[1] = (lock_all_item){.name = RL_LITERAL("b")};
    return lock_acquire_all(&c->lock, items, 2, MS(lease), MS(timeout), &about, &c->error);
}

static void free_all(lock_all_item items[2])
{
    lock_lease_free(&items[0].lease);
    lock_lease_free(&items[1].lease);
}

TEST(replicas_have_all_locks_or_none_is_kept)
{
    lock_all_item items[2];

    FAMILY(f);
    CHECK_INT(take_all(&f.c, items, 60000, 0), LOCK_YES);
    for (int i = 0; i < 2; i++) {
        CHECK_SAFE_UNTIL(lease_end(&items[0].lease), say_number(&f.replicas[i], "EXISTS lock:a lock:b") == 2);
    }
    free_all(items);
    say(&f.master, "DEL lock:a lock:b");
    server_freeze(&f.replicas[1]);
    CHECK_LACKS_REPLICAS(take_all(&f.c, items, 400, 0), &f.c.error);
    CHECK_INT(check_too_few(&f.c.error, "the locks"), 200);
    check_given_back(&f);
}

/* As for one lock: another try would only take them from others for a while. */
TEST(replicas_that_are_too_few_for_all_locks_end_a_wait_at_once)
{
    char dsn[128];
    int port;
    lock_all_item items[2];

    FAMILY(f);
    PUPPET(sentinel);
    CHECK_INT(sscanf(say(&f.master, "CONFIG GET port"), "port %d", &port), 1);
    puppet_names(&sentinel, "127.0.0.1", port, 1);
    client_close(&f.c);
    snprintf(dsn, sizeof(dsn), "redis-sentinel://127.0.0.1:%d/m", sentinel.port);
    client_open_dsn(&f.c, dsn);
    f.c.lock.replicas = 2;
    server_freeze(&f.replicas[1]);
    for (int many = 1; many >= 0; many--) {
        int64_t took, before;
        do { /* a call that is held up begins again */
            int64_t start = platform_now();
            before = held_up();
            CHECK_INT(many ? take_all(&f.c, items, 400, 5000) : take(&f.c, "a", 400, 5000), LOCK_FAILED);
            took = ms_since(start);
        } while (was_held_up(&f.c.error, before) || (took > 200 + SLACK && held_up() > before));
        check_too_few(&f.c.error, many ? "the locks" : "the lock");
        CHECK_RANGE(200, took, 200 + SLACK);
    }
    check_given_back(&f);
}

typedef struct collector {
    client c;
    lock_all_item items[2];
    lock_outcome outcome;
} collector;

static void *collect_in_thread(void *arg)
{
    collector *w = arg;

    w->outcome = take_all(&w->c, w->items, 4000, 60000);
    return NULL;
}

static pthread_t collector_start(collector *w, const family *f)
{
    memset(w, 0, sizeof(*w));
    client_open(&w->c, f->master.path);
    w->c.lock.target.pool = &w->c.pool;
    w->c.lock.target.read_timeout = MS(5000);
    w->c.lock.replicas = 2;
    return thread_start(collect_in_thread, w);
}

TEST(replicas_have_all_locks_that_were_waited_for)
{
    collector w;

    FAMILY(f);
    CHECK_INT(take(&f.c, "b", 60000, 0), LOCK_YES);
    pthread_t thread = collector_start(&w, &f);
    until_waiting(&f.master, "b", 1);
    CHECK_INT(drop(&f.c, "b"), LOCK_YES);
    thread_join(thread);
    CHECK_INT(w.outcome, LOCK_YES);
    for (int i = 0; i < 2; i++) {
        CHECK_SAFE_UNTIL(lease_end(&w.items[0].lease), say_number(&f.replicas[i], "EXISTS lock:a lock:b") == 2);
        CHECK(say_number(&f.replicas[i], "PTTL lock:a") > 3000 - held_up());
    }
    free_all(w.items);
    client_close(&w.c);
}

/* The wait for each lock ends when half of a lease is over, so that the others can be renewed. The wait for replicas does
 * not: it has the time of the whole call. */
TEST(replicas_of_the_next_lock_have_the_time_of_the_whole_call)
{
    collector w;

    FAMILY(f);
    CHECK_INT(take(&f.c, "b", 60000, 0), LOCK_YES);
    int64_t start = platform_now();
    pthread_t thread = collector_start(&w, &f);
    until_waiting(&f.master, "b", 1);
    server_freeze(&f.replicas[1]);
    sleep_ms(1500 - ms_since(start));
    int64_t before = held_up();
    CHECK_INT(drop(&f.c, "b"), LOCK_YES);
    thread_join(thread);
    CHECK_INT(w.outcome, LOCK_FAILED);
    if (!was_held_up(&w.c.error, before)) {
        CHECK_RANGE(800 - held_up(), check_too_few(&w.c.error, "the lock"), 2000);
    }
    until_no_key(&f.master);
    client_close(&w.c);
}

/* ---- a turn to build a value ---- */

TEST(replicas_have_the_lock_of_a_turn_or_there_is_none)
{
    const cache_fetch_params params = {.name = RL_LITERAL("k"), .kept_here = true, .duration = MS(400), .timeout = 0};
    cache_answer answer;

    FAMILY(f);
    CLIENT(other, f.master.path);
    CHECK_INT(cache_fetch(&f.c.lock, &params, &answer), CACHE_TURN);
    for (int i = 0; i < 2; i++) {
        CHECK_SAFE_UNTIL(lease_end(&answer.lease),
                         memcmp(say(&f.replicas[i], "GET lock:k"), answer.lease.token, answer.lease.token_len) == 0);
    }
    lock_release(&f.c.lock, params.name, &answer.lease, MS(1000), &f.c.error);
    lock_lease_free(&answer.lease);

    server_freeze(&f.replicas[1]);
    int64_t before;
    do {
        before = held_up();
        CHECK_INT(cache_fetch(&f.c.lock, &params, &answer), CACHE_FAILED);
        CHECK(answer.lease.token == NULL);
    } while (was_held_up(&answer.error, before));
    CHECK_INT(check_too_few(&answer.error, "the lock"), 200);
    check_given_back(&f);
    CHECK_INT(f.c.stats.acquired, 1);
    CHECK_INT(cache_fetch(&other.lock, &params, &answer), CACHE_TURN);
    lock_lease_free(&answer.lease);
}

typedef struct builder {
    client c;
    cache_answer answer;
    cache_outcome outcome;
} builder;

static void *build_in_thread(void *arg)
{
    builder *b = arg;
    const cache_fetch_params params = {
        .name = RL_LITERAL("k"), .kept_here = true, .duration = MS(400), .timeout = MS(20000)};

    b->outcome = cache_fetch(&b->c.lock, &params, &b->answer);
    return NULL;
}

TEST(replicas_that_are_too_few_pass_the_turn_on)
{
    const cache_fetch_params params = {.name = RL_LITERAL("k"), .kept_here = true, .duration = MS(60000)};
    builder builders[2];
    cache_answer answer;
    pthread_t threads[2];

    FAMILY(f);
    CHECK_INT(cache_fetch(&f.c.lock, &params, &answer), CACHE_TURN);
    for (int i = 0; i < 2; i++) {
        client_open(&builders[i].c, f.master.path);
        builders[i].c.lock.target.pool = &builders[i].c.pool;
        builders[i].c.lock.replicas = i == 0 ? 2 : 0;
        threads[i] = thread_start(build_in_thread, &builders[i]);
        until_waiting(&f.master, "k", i + 1);
    }
    server_freeze(&f.replicas[1]);
    int64_t before = held_up();
    CHECK_INT(lock_release(&f.c.lock, params.name, &answer.lease, MS(1000), &f.c.error), LOCK_YES);
    thread_join(threads[0]);
    CHECK_INT(builders[0].outcome, CACHE_FAILED);
    if (!was_held_up(&builders[0].answer.error, before)) {
        check_too_few(&builders[0].answer.error, "the lock");
    }
    thread_join(threads[1]);
    CHECK_INT(builders[1].outcome, CACHE_TURN);
    lock_lease_free(&answer.lease);
    lock_lease_free(&builders[1].answer.lease);
    client_close(&builders[0].c);
    client_close(&builders[1].c);
}

/* SPDX-License-Identifier: MIT
 *
 * Releases that have failed are sent again when their server is reached.
 */
#include "bed.h"
#include "lock/all.h"
#include "redis/scripts.h"

#include <stdio.h>
#include <stdlib.h>

/* A client whose release of "a" has failed since the server was down. outage_end() restarts the server, which then
 * still has the lock, as a server that persists every write would. */
typedef struct outage {
    server s;
    client c;
    char token[LOCK_TOKEN_LEN + 1];
} outage;

static void outage_begin(outage *o, int64_t lease)
{
    server_start(&o->s, NULL);
    client_open(&o->c, o->s.path);
    while (take(&o->c, "a", lease, 0) == LOCK_LATE) {
    }
    CHECK(o->c.lease.token != NULL);
    snprintf(o->token, sizeof(o->token), "%s", token_of(&o->c));
    server_kill(&o->s);
    CHECK_INT(drop(&o->c, "a"), LOCK_FAILED);
}

static void outage_end(outage *o)
{
    server_restart(&o->s);
    say(&o->s, "SET lock:a %s PX 60000", o->token);
}

static void outage_close(outage *o)
{
    client_close(&o->c);
    server_stop(&o->s);
}

#define OUTAGE(o, lease)                                                                                               \
    CLOSED_BY(outage_close) outage o;                                                                                  \
    outage_begin(&(o), lease)

TEST(backlog_release_goes_before_the_next_request)
{
    OUTAGE(o, 60000);
    CHECK_INT(lock_lease_validity(&o.c.lease, platform_now()), 0);
    CHECK_INT(o.c.stats.unreleased, 1);
    CHECK_INT(o.c.backlog.count, 1);
    CHECK_INT(take(&o.c, "a", 5000, 0), LOCK_FAILED); /* the server is still down */
    CHECK_INT(o.c.backlog.count, 1);

    outage_end(&o);
    CHECK_INT(take(&o.c, "a", 5000, 0), LOCK_YES);
    CHECK_TEXT(say(&o.s, "GET lock:a"), token_of(&o.c));
    CHECK_INT(o.c.backlog.count, 0);
    CHECK_INT(drop(&o.c, "a"), LOCK_YES);
    CHECK_NO_KEY(&o.s);
}

TEST(backlog_release_goes_with_a_request_for_another_lock)
{
    OUTAGE(o, 60000);
    outage_end(&o);
    say(&o.s, "CONFIG RESETSTAT");
    CHECK_INT(take(&o.c, "other", 5000, 0), LOCK_YES);
    CHECK_TEXT(say(&o.s, "EXISTS lock:a"), "0");
    CHECK_INT(server_calls(&o.s, "eval"), 2); /* the release, and the request of the call */
}

TEST(backlog_release_goes_over_any_connection_to_the_server)
{
    OUTAGE(o, 60000);
    CLIENT(other, o.s.path);
    other.pool.backlog = &o.c.backlog;
    outage_end(&o);
    CHECK_INT(waiters(&other, "other"), 0);
    CHECK_TEXT(say(&o.s, "EXISTS lock:a"), "0");
    CHECK_INT(o.c.backlog.count, 0);
}

TEST(backlog_release_does_not_go_to_another_server)
{
    OUTAGE(o, 60000);
    SERVER(s, NULL);
    CLIENT(other, s.path);
    other.pool.backlog = &o.c.backlog;
    say(&s, "SET lock:a %s", o.token);
    CHECK_INT(waiters(&other, "other"), 0);
    CHECK_TEXT(say(&s, "EXISTS lock:a"), "1");
    CHECK_INT(o.c.backlog.count, 1);
}

TEST(backlog_release_is_sent_no_longer_than_the_lease)
{
    OUTAGE(o, 100);
    outage_end(&o);
    sleep_ms(150);
    CHECK_INT(waiters(&o.c, "other"), 0);
    CHECK_TEXT(say(&o.s, "EXISTS lock:a"), "1");
    CHECK_INT(o.c.backlog.count, 0);
}

TEST(backlog_next_release_of_the_lease_takes_its_place)
{
    OUTAGE(o, 60000);
    outage_end(&o);
    say(&o.s, "CONFIG RESETSTAT");
    CHECK_INT(drop(&o.c, "a"), LOCK_YES);
    CHECK_INT(server_calls(&o.s, "eval"), 1);
    CHECK_INT(o.c.backlog.count, 0);
    CHECK_NO_KEY(&o.s);
}

TEST(backlog_release_that_was_done_meanwhile_is_a_yes_for_the_next)
{
    OUTAGE(o, 60000);
    outage_end(&o);
    CHECK_INT(waiters(&o.c, "other"), 0);
    CHECK_INT(drop(&o.c, "a"), LOCK_YES);       /* it was ours when its release was first requested */
    CHECK_INT(drop(&o.c, "a"), LOCK_NOT_OWNED); /* this release is a new one, and finds no lock */
}

TEST(backlog_release_that_was_never_sent_does_not_hide_a_loss)
{
    OUTAGE(o, 60000);
    server_restart(&o.s); /* it has forgotten the lock */
    CHECK_INT(drop(&o.c, "a"), LOCK_NOT_OWNED);
    CHECK_INT(o.c.stats.lost, 1);
}

TEST(backlog_release_that_found_nothing_does_not_hide_a_loss)
{
    OUTAGE(o, 60000);
    server_restart(&o.s); /* it has forgotten the lock */
    CHECK_INT(waiters(&o.c, "other"), 0);
    CHECK_INT(drop(&o.c, "a"), LOCK_NOT_OWNED);
    CHECK_INT(o.c.stats.lost, 1);
    CHECK_INT(o.c.backlog.count, 0);
}

TEST(backlog_release_that_found_nothing_is_sent_once)
{
    OUTAGE(o, 60000);
    server_restart(&o.s);
    say(&o.s, "CONFIG RESETSTAT");
    CHECK_INT(waiters(&o.c, "other"), 0);
    CHECK_INT(waiters(&o.c, "other"), 0);
    CHECK_INT(server_calls(&o.s, "eval") + server_calls(&o.s, "evalsha"),
              4); /* the release, a NOSCRIPT, and the two calls */
}

/* A lease that has ended by itself is no loss. */
TEST(backlog_release_after_the_lease_is_a_yes_if_it_ran_when_first_asked_for)
{
    OUTAGE(o, 1000); /* the release is asked for while it runs */
    sleep_ms(1050);
    server_restart(&o.s);
    CHECK_INT(drop(&o.c, "a"), LOCK_YES);
    CHECK_INT(o.c.stats.lost, 0);
}

static void ask_as_child(void *arg)
{
    outage *o = arg;

    CHECK_INT(waiters(&o->c, "other"), 0);
    CHECK_INT(o->c.backlog.count, 0);
}

TEST(backlog_of_the_parent_is_not_the_childs)
{
    OUTAGE(o, 60000);
    outage_end(&o);
    process_join(process_start(ask_as_child, &o));
    CHECK_TEXT(say(&o.s, "EXISTS lock:a"), "1");
    CHECK_INT(o.c.backlog.count, 1);
}

/* Requests more releases than the backlog holds, of n0 and so on. Those from n10 on are left in it. */
static void fill_backlog(client *c)
{
    for (int i = 0; i < RL_BACKLOG_MAX + 10; i++) {
        char name[16], token[16];
        snprintf(name, sizeof(name), "n%d", i);
        snprintf(token, sizeof(token), "t%d", i);
        lock_lease lease = {.token = token, .token_len = strlen(token)};
        CHECK_INT(lock_release(&c->lock, BYTES(name), &lease, MS(1000), &c->error), LOCK_FAILED);
    }
}

/* Sends one request after the other until the backlog is empty. Before each, the server runs a limited number of releases
 * at most. */
static void empty_backlog(server *s, client *c)
{
    while (c->backlog.count > 0) {
        size_t before = c->backlog.count;
        say(s, "CONFIG RESETSTAT");
        CHECK_INT(waiters(c, "other"), 0);
        CHECK_RANGE(2, server_calls(s, "eval") + server_calls(s, "evalsha"), RL_BACKLOG_AHEAD + 2); /* a NOSCRIPT too */
        CHECK_RANGE(1, before - c->backlog.count, RL_BACKLOG_AHEAD);
    }
}

TEST(backlog_is_bounded_and_sent_in_parts)
{
    SERVER(s, NULL);
    CLIENT(c, s.path);
    server_kill(&s);
    fill_backlog(&c);
    CHECK_INT(c.backlog.count, RL_BACKLOG_MAX);
    server_restart(&s);
    for (int i = 9; i < RL_BACKLOG_MAX + 10; i++) {
        say(&s, "SET lock:n%d t%d", i, i); /* n9 was given up for a newer release, n10 is the oldest in the backlog */
    }
    empty_backlog(&s, &c);
    CHECK_TEXT(say(&s, "KEYS *"), "lock:n9");
}

/* Adds the release of a lock, by the name as its token. */
static void owe(rl_backlog_server *server, const char *name, bool is_decided)
{
    rl_backlog_terms terms = {.until = platform_now() + MS(60000), .is_decided = is_decided};
    rl_request request;

    rl_request_begin(&request, &rl_script_release);
    rl_request_add(&request, BYTES(name));
    request.keys = 1;
    rl_request_add(&request, BYTES(name));
    rl_backlog_add(server, &request, &terms, NULL);
}

static void owe_many(rl_backlog_server *server, char kind, int from, int to, bool is_decided)
{
    for (int i = from; i < to; i++) {
        char name[16];
        snprintf(name, sizeof(name), "%c%d", kind, i);
        owe(server, name, is_decided);
    }
}

/* Removes the request, which must have been there exactly if `was_there`. */
static void check_owed(rl_backlog_server *server, const char *name, bool was_there)
{
    rl_request request;

    rl_request_begin(&request, &rl_script_release);
    rl_request_add(&request, BYTES(name));
    request.keys = 1;
    rl_request_add(&request, BYTES(name));
    CHECK_INT(rl_backlog_remove(server, &request), was_there);
}

static void backlog_close(rl_backlog *backlog)
{
    rl_backlog_free(backlog);
    CHECK(backlog->servers == NULL); /* nobody holds one of them any more */
}

static rl_backlog_server *join(rl_backlog *backlog, const char *dsn)
{
    char why[100];
    rl_endpoint endpoint;

    CHECK(rl_endpoint_parse(&endpoint, dsn, strlen(dsn), why, sizeof(why)));
    rl_backlog_server *server = rl_backlog_join(backlog, &endpoint);
    rl_endpoint_free(&endpoint);
    return server;
}

TEST(backlog_displaces_what_is_decided_first)
{
    CLOSED_BY(backlog_close) rl_backlog backlog = {0};
    rl_backlog_server *a = join(&backlog, "redis://a"), *b = join(&backlog, "redis://b");
    owe_many(a, 'o', 0, 4, false);
    owe_many(b, 'd', 0, RL_BACKLOG_MAX - 4, true);
    owe_many(a, 'o', 4, 6, false);
    CHECK_INT(backlog.count, RL_BACKLOG_MAX);
    check_owed(b, "d0", false);
    check_owed(b, "d1", false);
    check_owed(b, "d2", true);
    check_owed(a, "o0", true);
    check_owed(a, "d3", false); /* that is owed to the other server */
    rl_backlog_leave(a);
    rl_backlog_leave(b);
}

TEST(backlog_that_is_full_of_open_outcomes_takes_nothing_that_is_decided)
{
    CLOSED_BY(backlog_close) rl_backlog backlog = {0};
    rl_backlog_server *a = join(&backlog, "redis://a");
    owe_many(a, 'o', 0, RL_BACKLOG_MAX, false);
    owe(a, "d", true);
    check_owed(a, "d", false);
    owe(a, "newest", false);
    CHECK_INT(backlog.count, RL_BACKLOG_MAX);
    check_owed(a, "o0", false);
    check_owed(a, "o1", true);
    check_owed(a, "newest", true);
    rl_backlog_leave(a);
}

TEST(backlog_sends_open_outcomes_first)
{
    CLOSED_BY(backlog_close) rl_backlog backlog = {0};
    rl_backlog_server *a = join(&backlog, "redis://a"), *b = join(&backlog, "redis://b");
    owe(a, "decided", true);
    owe(a, "open", false);
    CHECK(rl_backlog_next(b, NULL, NULL) == NULL);
    rl_call *first = rl_backlog_next(a, NULL, NULL), *second = rl_backlog_next(a, NULL, NULL);
    CHECK(memcmp(first->request.argv[0].at, "open", 4) == 0 && memcmp(second->request.argv[0].at, "decided", 7) == 0);
    CHECK(rl_backlog_next(a, NULL, NULL) == NULL);
    rl_backlog_free(&backlog);
    CHECK(first->owes == NULL && second->owes == NULL); /* they go on, and nobody is told of their ends */
    free(first);
    free(second);
    rl_backlog_leave(a);
    rl_backlog_leave(b);
}

/* Takes what may be sent to the server now. Returns how many calls there are. */
static size_t send_all(rl_backlog_server *server, rl_call **calls)
{
    size_t count = 0;

    while ((calls[count] = rl_backlog_next(server, NULL, NULL)) != NULL) {
        count++;
    }
    return count;
}

TEST(backlog_sends_few_of_what_is_decided_at_once)
{
    CLOSED_BY(backlog_close) rl_backlog backlog = {0};
    rl_backlog_server *a = join(&backlog, "redis://a"), *b = join(&backlog, "redis://b");
    rl_call *calls[2 * RL_BACKLOG_AHEAD];
    size_t count;

    owe_many(a, 'd', 0, 20, true);
    owe_many(a, 'o', 0, 20, false);
    owe_many(b, 'd', 0, 20, true);
    count = send_all(a, calls);
    CHECK_INT(count, 20); /* none of those that are decided */
    CHECK_INT(send_all(b, calls + count), RL_BACKLOG_DECIDED_AHEAD);
    count += RL_BACKLOG_DECIDED_AHEAD;
    rl_backlog_free(&backlog);
    for (size_t i = 0; i < count; i++) {
        free(calls[i]);
    }
    rl_backlog_leave(a);
    rl_backlog_leave(b);
}

/* The first release was sent to a server that hung, and the second one not at all, as that could not be reached. */
TEST(backlog_release_that_may_have_run_counts_behind_one_that_was_not_sent)
{
    SERVER(s, NULL);
    CLIENT(c, s.path);
    client_gives_up_after(&c, 1000);
    char away[300];

    snprintf(away, sizeof(away), "%s.away", s.path);
    CHECK_INT(take(&c, "a", 60000, 0), LOCK_YES);
    server_freeze(&s);
    CHECK_INT(drop(&c, "a"), LOCK_FAILED);
    CHECK_INT(rename(s.path, away), 0);
    CHECK_INT(drop(&c, "a"), LOCK_FAILED);
    CHECK_INT(rename(away, s.path), 0);
    server_thaw(&s);
    while (strcmp(say(&s, "EXISTS lock:a"), "0") != 0) {
        sleep_ms(1);
    }
    CHECK_INT(drop(&c, "a"), LOCK_YES);
    CHECK_INT(c.stats.lost, 0);
}

TEST(backlog_knows_a_server_by_its_endpoint)
{
    CLOSED_BY(backlog_close) rl_backlog backlog = {0};
    rl_backlog_server *a = join(&backlog, "redis://a"), *same = join(&backlog, "redis://a:6379");
    rl_backlog_server *other = join(&backlog, "redis://a:6379/1");
    CHECK(a == same && a != other);
    rl_backlog_leave(a);
    rl_backlog_leave(other);
    owe(same, "x", false);
    rl_backlog_leave(same);
    CHECK(backlog.servers == same); /* as long as something is owed to it */
}

/* While the server is down, the cost of many calls does not grow with the length of the backlog. */
TEST(backlog_that_is_full_costs_nothing_while_the_server_is_away)
{
    SERVER(s, NULL);
    CLIENT(c, s.path);
    lock_release_failures failures;
    lock_release_item items[300];
    lock_lease leases[300];
    char names[300][16];

    server_kill(&s);
    fill_backlog(&c);
    for (int i = 0; i < 300; i++) {
        snprintf(names[i], sizeof(names[i]), "m%d", i);
        leases[i] = (lock_lease){.token = names[i], .token_len = strlen(names[i])};
        items[i] = (lock_release_item){.name = BYTES(names[i]), .lease = &leases[i]};
    }
    int64_t start = platform_now();
    lock_release_all(&c.lock, items, 300, 0, PLATFORM_NEVER, &failures);
    CHECK_RANGE(0, ms_since(start), 1000 + held_up());
}

TEST(backlog_keeps_what_the_server_cannot_do_yet)
{
    SERVER(s, NULL);
    CLIENT(c, s.path);
    CHECK_INT(take(&c, "a", 60000, 0), LOCK_YES);
    say(&s, "REPLICAOF 127.0.0.1 1");
    CHECK_INT(drop(&c, "a"), LOCK_FAILED);
    CHECK_TEXT(c.error.code, "READONLY");
    CHECK_INT(c.backlog.count, 1);
    CHECK_INT(take(&c, "other", 5000, 0), LOCK_FAILED);
    CHECK_INT(c.backlog.count, 1);
    say(&s, "REPLICAOF NO ONE");
    CHECK_INT(waiters(&c, "other"), 0);
    CHECK_INT(c.backlog.count, 0);
    CHECK_NO_KEY(&s);
}

TEST(backlog_does_not_keep_what_the_server_refuses)
{
    SERVER(s, NULL);
    CLIENT(c, s.path);
    CHECK_INT(take(&c, "a", 60000, 0), LOCK_YES);
    say(&s, "ACL SETUSER default -del");
    CHECK_INT(drop(&c, "a"), LOCK_FAILED);
    CHECK_TEXT(c.error.code, "NOPERM");
    CHECK_INT(c.backlog.count, 0);
    CHECK_INT(c.stats.unreleased, 1);
}

/* The call asks again until its time is up. If its last request is under way at that moment, its connection undoes the
 * acquire, and there may be no backlog: then the test tries again. */
TEST(backlog_undoes_an_acquire_that_may_have_run)
{
    static const lie lies[] = {LIE("", LIE_CLOSE)};
    CLOSED_BY(liar_stop) liar l;
    liar_start(&l, false, lies, 1);
    for (int tries = 1;; tries++) {
        CLOSED_BY(client_close) client c;
        client_open_dsn(&c, l.dsn);
        client_gives_up_after(&c, 1000);
        CHECK_INT(take(&c, "a", 60000, 0), LOCK_FAILED);
        CHECK_INT(c.stats.unreleased, 0); /* counts locks, and no lock was acquired */
        if (c.error.kind == RL_LOST) {
            CHECK_INT(c.backlog.count, 1);
            break;
        }
        CHECK(tries < 20);
    }
}

static void *freeze_soon(void *arg)
{
    until_waiting(arg, "b", 1);
    server_freeze(arg);
    return NULL;
}

/* lockAll() acquired the first lock, waited for the second, and could not give the first back. */
TEST(backlog_has_what_lock_all_could_not_give_back)
{
    SERVER(s, NULL);
    CLIENT(c, s.path);
    CLIENT(other, s.path);
    CHECK_INT(take(&other, "b", 60000, 0), LOCK_YES);
    c.lock.target.connect_timeout = c.lock.target.read_timeout = MS(200);
    lock_all_item items[] = {{.name = BYTES("a")}, {.name = BYTES("b")}};
    size_t about;
    pthread_t freezer = thread_start(freeze_soon, &s);
    lock_outcome outcome = lock_acquire_all(&c.lock, items, 2, MS(60000), MS(1500), &about, &c.error);
    thread_join(freezer);
    CHECK(outcome != LOCK_YES);
    CHECK(c.backlog.count >= 1);
    CHECK(c.stats.unreleased >= 1);
    server_thaw(&s);
    client_gives_up_after(&c, 5000);
    CHECK_INT(waiters(&c, "other"), 0);
    CHECK_TEXT(say(&s, "EXISTS lock:a"), "0");
}

/* Stopped server, and the way to it. */
typedef struct stopped {
    server *s;
    relay *r;
} stopped;

/* Lets the server go on, but keeps back what is sent to it from now on. */
static void *answer_late(void *arg)
{
    stopped *it = arg;

    sleep_ms(400);
    atomic_store(&it->r->control->hold, atomic_load(&it->r->control->connections));
    server_thaw(it->s);
    return NULL;
}

TEST(backlog_has_the_release_of_a_grant_that_came_too_late)
{
    SERVER(s, NULL);
    RELAY(r, &s);
    CLIENT(c, r.path);
    stopped it = {&s, &r};
    c.lock.target.read_timeout = c.lock.target.connect_timeout =
        MS(5000); /* more than a busy machine needs to let it go on */
    CHECK_INT(take(&c, "a", 5000, 0), LOCK_YES);
    CHECK_INT(drop(&c, "a"), LOCK_YES);
    server_freeze(&s);
    pthread_t thread = thread_start(answer_late, &it);
    CHECK_INT(take(&c, "a", 300, 0), LOCK_LATE);
    thread_join(thread);
    CHECK_INT(c.backlog.count, 1);
    atomic_store(&r.control->hold, 0);
    CHECK_INT(take(&c, "b", 5000, 0), LOCK_YES);
    CHECK_INT(c.backlog.count, 0);
}

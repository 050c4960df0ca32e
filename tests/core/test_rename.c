/* SPDX-License-Identifier: MIT
 *
 * A lock that passes from one token to the next in one step.
 */
#include "bed.h"

#include <stdio.h>

#include "lock/release.h"
#include "lock/rename.h"
#include "redis/scripts.h"

#define ONE   "rl:00000000000000000000000000000001"
#define TWO   "rl:00000000000000000000000000000002"
#define THREE "rl:00000000000000000000000000000003"
#define BATON "rl:baton:00000000000000000000000000000001"

typedef struct post {
    server s;
    client c;
} post;

static void post_open(post *p)
{
    server_start(&p->s, NULL);
    client_open(&p->c, p->s.path);
}

static void post_close(post *p)
{
    client_close(&p->c);
    server_stop(&p->s);
}

#define POST(p)                                                                                                        \
    CLOSED_BY(post_close) post p;                                                                                      \
    post_open(&(p))

static lock_rename_args from_to(const char *from, const char *to, int64_t lease)
{
    return (lock_rename_args){.from = BYTES(from), .to = BYTES(to), .lease = lease};
}

/* Asks for "a" to be renamed. c->error says why there was no answer. */
static lock_rename_answer ask(client *c, lock_rename_args args)
{
    const rl_policy renaming = {.judge = lock_rename_judge, .decided = rl_session_vote_is_decided, .repeats = true};
    lock_rename_answer answer = {.vote = RL_VOTE_NONE};
    rl_clock clock = rl_clock_budget(platform_now(), MS(5000));
    rl_session session;
    lock_keys keys;

    c->error.kind = RL_OK;
    lock_keys_init(&keys, c->lock.prefix, BYTES("a"));
    rl_session_open(&session, &c->lock.target, 1, 1, 0);
    lock_rename_request(rl_session_request(&session, 0), &keys, &args);
    if (rl_session_ask(&session, &clock, &renaming, &c->error)) {
        answer = lock_rename_read(rl_session_calls(&session, 0));
    }
    rl_session_close(&session);
    lock_keys_free(&keys);
    return answer;
}

static lock_rename_answer ask_with_fence(client *c, lock_rename_args args)
{
    args.fences = true;
    return ask(c, args);
}

/* ---- the next token ---- */

TEST(rename_gives_the_lock_to_the_next_token_with_a_lease_of_its_own)
{
    static const char *const leases[] = {"SET lock:a " ONE " PX 60000", "SET lock:a " ONE " PX 500000",
                                         ("SET lock:a " ONE)};

    POST(p);
    for (size_t i = 0; i < sizeof(leases) / sizeof(*leases); i++) {
        say(&p.s, leases[i]);
        lock_rename_answer answer = ask(&p.c, from_to(ONE, TWO, MS(200000)));
        CHECK_INT(answer.vote, RL_VOTE_YES);
        CHECK_INT(answer.waiting, 0);
        CHECK_INT(answer.fence, 0);
        CHECK_TEXT(say(&p.s, "GET lock:a"), TWO);
        CHECK_RANGE(150000, say_number(&p.s, "PTTL lock:a"), 200000);
        CHECK_TEXT(say(&p.s, "KEYS *"), "lock:a");
    }
}

TEST(rename_gives_a_lease_without_end)
{
    POST(p);
    say(&p.s, "SET lock:a " ONE " PX 60000");
    CHECK_INT(ask(&p.c, from_to(ONE, TWO, PLATFORM_NEVER)).vote, RL_VOTE_YES);
    CHECK_TEXT(say(&p.s, "GET lock:a"), TWO);
    CHECK_INT(say_number(&p.s, "PTTL lock:a"), -1);
}

TEST(rename_finds_the_lock_under_either_of_two_tokens)
{
    static const char *const holders[] = {"SET lock:a " ONE " PX 60000", "SET lock:a " TWO " PX 60000"};

    POST(p);
    for (size_t i = 0; i < 2; i++) {
        say(&p.s, holders[i]);
        lock_rename_args args = from_to(ONE, THREE, MS(200000));
        args.from2 = BYTES(TWO);
        CHECK_INT(ask(&p.c, args).vote, RL_VOTE_YES);
        CHECK_TEXT(say(&p.s, "GET lock:a"), THREE);
        CHECK_RANGE(150000, say_number(&p.s, "PTTL lock:a"), 200000);
    }
}

/* ---- a repeat ---- */

TEST(rename_that_is_repeated_is_a_yes_and_leaves_the_lease_as_it_is)
{
    static const int64_t wanted[] = {MS(1000), MS(500000), PLATFORM_NEVER};

    POST(p);
    for (size_t i = 0; i < sizeof(wanted) / sizeof(*wanted); i++) {
        say(&p.s, "SET lock:a " TWO " PX 60000");
        CHECK_INT(ask(&p.c, from_to(ONE, TWO, wanted[i])).vote, RL_VOTE_YES);
        CHECK_RANGE(30000, say_number(&p.s, "PTTL lock:a"), 60000);
        say(&p.s, "SET lock:a " TWO);
        CHECK_INT(ask(&p.c, from_to(ONE, TWO, wanted[i])).vote, RL_VOTE_YES);
        CHECK_INT(say_number(&p.s, "PTTL lock:a"), -1);
        CHECK_TEXT(say(&p.s, "GET lock:a"), TWO);
    }
}

TEST(rename_to_the_same_token_begins_no_lease_anew)
{
    POST(p);
    say(&p.s, "SET lock:a " ONE " PX 60000");
    CHECK_INT(ask(&p.c, from_to(ONE, ONE, MS(500000))).vote, RL_VOTE_YES);
    CHECK_RANGE(30000, say_number(&p.s, "PTTL lock:a"), 60000);
    CHECK_INT(ask(&p.c, from_to(ONE, ONE, MS(1000))).vote, RL_VOTE_YES);
    CHECK_RANGE(30000, say_number(&p.s, "PTTL lock:a"), 60000);
}

TEST(rename_whose_answer_was_lost_is_repeated)
{
    SERVER(s, NULL);
    RELAY(r, &s);
    CLIENT(c, r.path);
    say(&s, "SET lock:a " ONE " PX 60000");
    CHECK_INT(ask(&c, from_to(ONE, TWO, MS(500000))).vote, RL_VOTE_YES); /* so that the server knows the script */
    say(&s, "CONFIG RESETSTAT");
    atomic_store(&r.control->swallow, 1);
    lock_rename_answer answer = ask_with_fence(&c, from_to(TWO, THREE, MS(200000)));
    CHECK_INT(atomic_load(&r.control->swallowed), 1);
    CHECK_INT(answer.vote, RL_VOTE_YES);
    CHECK_INT(answer.fence, say_number(&s, "GET {lock:a}:rl:fence"));
    CHECK_INT(server_calls(&s, "evalsha"), 2);
    CHECK_TEXT(say(&s, "GET lock:a"), THREE);
    CHECK_RANGE(150000, say_number(&s, "PTTL lock:a"), 200000);
}

/* ---- no ---- */

/* All that is there: keys, values, and from Redis 7.0 on also when they expire. */
static const char *state(server *s)
{
    static const char script[] = "local all, keys = '', redis.call('KEYS', '*')\n"
                                 "table.sort(keys)\n"
                                 "for _, key in ipairs(keys) do\n"
                                 "local ends = redis.pcall('PEXPIRETIME', key)\n"
                                 "all = all .. key .. ' ' .. redis.sha1hex(redis.call('DUMP', key)) .. ' '\n"
                                 ".. (type(ends) == 'number' and ends or '') .. ' '\n"
                                 "end\n"
                                 "return all";

    return say(s, "EVAL %s 0", script);
}

TEST(rename_is_a_no_and_changes_nothing_unless_one_of_the_tokens_holds_the_lock)
{
    static const char *const makers[] = {"DEL lock:a",        "SET lock:a " THREE " PX 60000",
                                         "SET lock:a " THREE, "SET lock:a " BATON " PX 60000",
                                         "SET lock:a mine",   "RPUSH lock:a " ONE,
                                         "SADD lock:a " ONE,  "HSET lock:a " ONE " " TWO};

    POST(p);
    say(&p.s, "SET {lock:a}:rl:fence 5");
    say(&p.s, "ZADD {lock:a}:rl:wait 1 dead 9999999999999 somebody");
    for (size_t i = 0; i < sizeof(makers) / sizeof(*makers); i++) {
        say(&p.s, "DEL lock:a");
        say(&p.s, makers[i]);
        const char *before = state(&p.s);
        for (int fences = 0; fences <= 1; fences++) {
            lock_rename_args args = from_to(ONE, TWO, MS(1000));
            args.fences = fences;
            args.from2 = BYTES("rl:00000000000000000000000000000004");
            lock_rename_answer answer = ask(&p.c, args);
            CHECK_INT(answer.vote, RL_VOTE_NO);
            CHECK_INT(p.c.error.kind, RL_OK);
            CHECK_INT(answer.waiting, 0);
            CHECK_INT(answer.fence, 0);
            CHECK_TEXT(state(&p.s), before);
        }
    }
}

/* What no token may be: as the lock's value, and as what a client asks for. */
TEST(rename_takes_neither_a_baton_nor_an_empty_string_for_a_token)
{
    static const struct {
        const char *holds, *from, *to, *from2;
    } asked[] = {{BATON, BATON, TWO, ""}, {BATON, ONE, TWO, BATON}, {BATON, ONE, BATON, ""},
                 {"", "", TWO, ""},       {"", ONE, TWO, ""},       {"", ONE, "", ""},
                 {ONE, ONE, BATON, ""},   {ONE, ONE, "", ""},       {ONE, TWO, BATON, ONE}};

    POST(p);
    for (size_t i = 0; i < sizeof(asked) / sizeof(*asked); i++) {
        say(&p.s, "SET lock:a %s PX 60000", asked[i].holds);
        const char *before = state(&p.s);
        CHECK_TEXT(say(&p.s, "EVAL %s 3 lock:a {lock:a}:rl:baton {lock:a}:rl:wait %s %s 1000 %s", rl_script_rename.text,
                       asked[i].from, asked[i].to, asked[i].from2),
                   "0 0");
        CHECK_TEXT(state(&p.s), before);
    }
}

TEST(rename_that_arrives_late_does_nothing_to_the_next_holder)
{
    POST(p);
    CHECK_INT(take(&p.c, "a", 60000, 0), LOCK_YES);
    const char *before = state(&p.s);
    CHECK_INT(ask(&p.c, from_to(ONE, TWO, MS(200000))).vote, RL_VOTE_NO);
    CHECK_TEXT(state(&p.s), before);
}

/* ---- the waiters ---- */

TEST(rename_tells_how_many_wait)
{
    POST(p);
    say(&p.s, "ZADD {lock:a}:rl:wait 1 dead 2 lost 9999999999998 one 9999999999999 two");
    for (int repeat = 0; repeat <= 1; repeat++) {
        say(&p.s, "SET lock:a %s PX 60000", repeat ? TWO : ONE);
        CHECK_INT(ask(&p.c, from_to(ONE, TWO, MS(60000))).waiting, 2);
        lock_rename_answer answer = ask_with_fence(&p.c, from_to(TWO, THREE, MS(60000)));
        CHECK_INT(answer.vote, RL_VOTE_YES);
        CHECK_INT(answer.waiting, 2);
    }
    CHECK_TEXT(say(&p.s, "ZRANGE {lock:a}:rl:wait 0 -1"), "one two");
}

TEST(rename_is_three_commands_while_nobody_waits)
{
    POST(p);
    say(&p.s, "SET lock:a " ONE " PX 60000");
    CHECK_INT(ask(&p.c, from_to(ONE, TWO, MS(60000))).vote, RL_VOTE_YES);
    CHECK_INT(server_calls(&p.s, "get"), 1);
    CHECK_INT(server_calls(&p.s, "zcard"), 1);
    CHECK_INT(server_calls(&p.s, "set"), 2); /* one of them is the test's */
    CHECK_INT(server_calls(&p.s, "pexpire"), 0);
    CHECK_INT(server_calls(&p.s, "time"), 0);
    CHECK_INT(server_calls(&p.s, "zremrangebyscore"), 0);
    CHECK_INT(ask_with_fence(&p.c, from_to(TWO, THREE, MS(60000))).vote, RL_VOTE_YES);
    CHECK_INT(server_calls(&p.s, "time"), 1); /* for the fence */
    CHECK_INT(server_calls(&p.s, "zremrangebyscore"), 0);
}

static void *wait_for_lock(void *arg)
{
    CHECK_INT(take(arg, "a", 60000, 20000), LOCK_YES);
    return NULL;
}

/* Somebody waits in Redis, and the lock passes on twice before it is released. */
TEST(rename_leaves_waiters_in_line_until_the_last_token_releases)
{
    POST(p);
    CLIENT(waiter, p.s.path);
    CHECK_INT(take(&p.c, "a", 60000, 0), LOCK_YES);
    pthread_t thread = thread_start(wait_for_lock, &waiter);
    until_waiting(&p.s, "a", 1);
    CHECK_INT(ask(&p.c, from_to(token_of(&p.c), ONE, MS(60000))).waiting, 1);
    CHECK_INT(ask(&p.c, from_to(ONE, TWO, MS(60000))).waiting, 1);
    CHECK_INT(drop(&p.c, "a"), LOCK_NOT_OWNED);
    CHECK_TEXT(say(&p.s, "GET lock:a"), TWO);
    lock_lease two = {.token = TWO, .token_len = LOCK_TOKEN_LEN, .sent = platform_now(), .duration = MS(60000)};
    CHECK_INT(lock_release(&p.c.lock, BYTES("a"), &two, MS(5000), &p.c.error), LOCK_YES);
    thread_join(thread);
    CHECK_TEXT(say(&p.s, "GET lock:a"), token_of(&waiter));
}

/* ---- the fence ---- */

TEST(rename_raises_the_fence)
{
    POST(p);
    int64_t last = 0;
    for (int i = 0; i < 3; i++) {
        say(&p.s, "SET lock:a %s PX 60000", i % 2 ? TWO : ONE);
        lock_rename_answer answer = ask_with_fence(&p.c, from_to(i % 2 ? TWO : ONE, i % 2 ? ONE : TWO, MS(60000)));
        CHECK_INT(answer.vote, RL_VOTE_YES);
        CHECK_SAFE(answer.fence > last);
        CHECK_INT(answer.fence, say_number(&p.s, "GET {lock:a}:rl:fence"));
        CHECK_RANGE(INT64_C(29) * 86400000, say_number(&p.s, "PTTL {lock:a}:rl:fence"), INT64_C(30) * 86400000);
        last = answer.fence;
    }
    say(&p.s, "SET {lock:a}:rl:fence 4000000000000000"); /* ahead of the clock */
    say(&p.s, "SET lock:a " ONE " PX 60000");
    CHECK_INT(ask_with_fence(&p.c, from_to(ONE, TWO, MS(60000))).fence, INT64_C(4000000000000001));
    CHECK_TEXT(say(&p.s, "GET {lock:a}:rl:fence"), "4000000000000001");
}

TEST(rename_that_is_repeated_tells_the_same_fence)
{
    POST(p);
    say(&p.s, "SET lock:a " ONE " PX 60000");
    lock_rename_answer first = ask_with_fence(&p.c, from_to(ONE, TWO, MS(60000)));
    lock_rename_answer again = ask_with_fence(&p.c, from_to(ONE, TWO, MS(60000)));
    CHECK_INT(again.vote, RL_VOTE_YES);
    CHECK_INT(again.fence, first.fence);
    CHECK_INT(again.fence, say_number(&p.s, "GET {lock:a}:rl:fence"));
    say(&p.s, "DEL {lock:a}:rl:fence"); /* lost: another one is greater */
    again = ask_with_fence(&p.c, from_to(ONE, TWO, MS(60000)));
    CHECK_SAFE(again.fence > first.fence);
    CHECK_INT(again.fence, say_number(&p.s, "GET {lock:a}:rl:fence"));
}

/* ---- refused writes ---- */

static void check_refused(client *c, lock_rename_args args, const char *code, const char *what)
{
    lock_rename_answer answer = ask(c, args);

    if (answer.vote != RL_VOTE_NONE || c->error.kind != RL_ERROR_REPLY || strcmp(c->error.code, code) != 0) {
        test_fail(__FILE__, __LINE__, "%s: vote %d, %s '%s'", what, answer.vote, c->error.code, c->error.text);
    }
}

/* Each command that the script calls, and one request in which it does. */
TEST(rename_without_a_right_leaves_the_lock_as_it_was)
{
    static const struct {
        const char *command, *holds;
        bool waiters, fences;
    } lacks[] = {{"get", ONE, false, false},   {"pexpire", ONE, true, false},
                 {"zcard", ONE, false, false}, {"set", ONE, false, false},
                 {"set", ONE, true, true},     {"time", ONE, true, false},
                 {"time", ONE, false, true},   {"zremrangebyscore", ONE, true, false},
                 {"pttl", TWO, false, false},  {"pexpire", TWO, false, true}};
    char dsn[256];

    POST(p);
    say(&p.s, "ACL SETUSER half on >pw ~* +@all");
    snprintf(dsn, sizeof(dsn), "unix://half:pw@%s", p.s.path);
    CLOSED_BY(client_close) client half;
    client_open_dsn(&half, dsn);
    for (size_t i = 0; i < sizeof(lacks) / sizeof(*lacks); i++) {
        lock_rename_args args = from_to(ONE, TWO, MS(1000));
        args.fences = lacks[i].fences;
        say(&p.s, "FLUSHALL");
        say(&p.s, "SET lock:a %s PX 60000", lacks[i].holds);
        say(&p.s, "SET {lock:a}:rl:fence 5");
        if (lacks[i].waiters) {
            say(&p.s, "ZADD {lock:a}:rl:wait 9999999999999 somebody");
        }
        const char *before = state(&p.s);
        say(&p.s, "ACL SETUSER half +@all -%s", lacks[i].command);
        check_refused(&half, args, "NOPERM", lacks[i].command);
        CHECK_TEXT(state(&p.s), before);
        say(&p.s, "ACL SETUSER half +@all");
        CHECK_INT(ask(&half, args).vote, RL_VOTE_YES);
    }
}

/* Side keys of another type are refused before the lock is touched. */
TEST(rename_beside_a_key_of_another_type_leaves_the_lock_as_it_was)
{
    static const char *const sides[] = {"wait", "fence"};

    POST(p);
    for (size_t i = 0; i < 2; i++) {
        lock_rename_args args = from_to(ONE, TWO, MS(1000));
        args.fences = true;
        say(&p.s, "FLUSHALL");
        say(&p.s, "HSET {lock:a}:rl:%s x y", sides[i]);
        say(&p.s, "SET lock:a " ONE " PX 60000");
        const char *before = state(&p.s);
        check_refused(&p.c, args, "WRONGTYPE", sides[i]);
        CHECK_TEXT(state(&p.s), before);
        say(&p.s, "SET lock:a " TWO " PX 60000");
        before = state(&p.s);
        check_refused(&p.c, args, "WRONGTYPE", sides[i]);
        CHECK_TEXT(state(&p.s), before);
    }
}

/* It stands in for a release, which a full server does not refuse either. */
TEST(rename_works_where_memory_is_short)
{
    POST(p);
    for (int waiters = 0; waiters <= 1; waiters++) {
        for (int fences = 0; fences <= 1; fences++) {
            lock_rename_args args = from_to(ONE, TWO, MS(200000));
            args.fences = fences;
            say(&p.s, "CONFIG SET maxmemory 0");
            say(&p.s, "FLUSHALL");
            say(&p.s, "SET lock:a " ONE " PX 60000");
            if (waiters) {
                say(&p.s, "ZADD {lock:a}:rl:wait 9999999999999 somebody");
            }
            say(&p.s, "CONFIG SET maxmemory 1");
            CHECK_INT(take(&p.c, "b", 60000, 0), LOCK_FAILED);
            CHECK_TEXT(p.c.error.code, "OOM");
            lock_rename_answer answer = ask(&p.c, args);
            CHECK_INT(answer.vote, RL_VOTE_YES);
            CHECK((answer.fence > 0) == fences);
            CHECK_TEXT(say(&p.s, "GET lock:a"), TWO);
            CHECK_INT(ask(&p.c, args).vote, RL_VOTE_YES); /* a repeat */
        }
    }
}

TEST(rename_is_answered_by_no_replica)
{
    static const char *const holders[] = {ONE, TWO, THREE};

    POST(p);
    for (size_t i = 0; i < 3; i++) {
        say(&p.s, "REPLICAOF NO ONE");
        say(&p.s, "SET lock:a %s PX 60000", holders[i]);
        const char *before = state(&p.s);
        say(&p.s, "REPLICAOF 127.0.0.1 1");
        check_refused(&p.c, from_to(ONE, TWO, MS(60000)), "READONLY", holders[i]);
        CHECK_TEXT(state(&p.s), before);
    }
}

/* ---- malformed replies ---- */

static rl_vote vote_of(const char *bytes, bool fences)
{
    rl_call call = {.answered = true, .request = {.keys = fences ? 4 : 3}};
    redisReader *reader = redisReaderCreate();
    void *reply = NULL;

    CHECK_INT(redisReaderFeed(reader, bytes, strlen(bytes)), REDIS_OK);
    CHECK_INT(redisReaderGetReply(reader, &reply), REDIS_OK);
    CHECK(reply != NULL);
    call.reply = reply;
    rl_vote vote = lock_rename_judge(&call);
    freeReplyObject(reply);
    redisReaderFree(reader);
    return vote;
}

TEST(rename_takes_no_malformed_reply_for_an_answer)
{
    static const char *const bad[] = {":1\r\n",
                                      "+OK\r\n",
                                      "$-1\r\n",
                                      "*-1\r\n",
                                      "*0\r\n",
                                      "*1\r\n:1\r\n",
                                      "*1\r\n:0\r\n",
                                      "*2\r\n:2\r\n:0\r\n",
                                      "*2\r\n:-1\r\n:0\r\n",
                                      "*2\r\n:1\r\n:-1\r\n",
                                      "*2\r\n:1\r\n$1\r\n0\r\n",
                                      "*2\r\n$1\r\n1\r\n:0\r\n",
                                      "*3\r\n:0\r\n:0\r\n:0\r\n",
                                      "*3\r\n:1\r\n:0\r\n:0\r\n",
                                      "*3\r\n:1\r\n:0\r\n:-7\r\n",
                                      "*3\r\n:1\r\n:0\r\n$1\r\n7\r\n",
                                      "*4\r\n:1\r\n:0\r\n:7\r\n:7\r\n"};

    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
        CHECK_INT(vote_of(bad[i], false), RL_VOTE_NONE);
        CHECK_INT(vote_of(bad[i], true), RL_VOTE_NONE);
    }
    CHECK_INT(vote_of("*2\r\n:1\r\n:3\r\n", false), RL_VOTE_YES);
    CHECK_INT(vote_of("*2\r\n:1\r\n:3\r\n", true), RL_VOTE_NONE); /* its fence is missing */
    CHECK_INT(vote_of("*3\r\n:1\r\n:3\r\n:7\r\n", true), RL_VOTE_YES);
    CHECK_INT(vote_of("*3\r\n:1\r\n:3\r\n:7\r\n", false), RL_VOTE_NONE);
    CHECK_INT(vote_of("*2\r\n:0\r\n:0\r\n", false), RL_VOTE_NO);
    CHECK_INT(vote_of("*2\r\n:0\r\n:0\r\n", true), RL_VOTE_NO);
    CHECK_INT(lock_rename_judge(&(rl_call){.answered = false}), RL_VOTE_NONE);
    CHECK_INT(lock_rename_judge(&(rl_call){.answered = true, .error = {.kind = RL_LOST}}), RL_VOTE_NONE);
}

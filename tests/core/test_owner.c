/* SPDX-License-Identifier: MIT
 *
 * What tokens and waiters' ids tell of their owners, and that a lock is handed over as it is without.
 */
#include "bed.h"

#include <stdio.h>

#include "cache/cache.h"
#include "lock/all.h"
#include "lock/owner.h"

#define DIGITS "0123456789abcdef0123456789abcdef"
#define FIFTY  "12345678901234567890123456789012345678901234567890"

/* ---- names ---- */

TEST(owner_name_is_utf8_without_control_characters)
{
    CHECK(lock_owner_is_valid(BYTES("web-1:4711 import.php")));
    CHECK(lock_owner_is_valid(BYTES("Zürich 東京 🔒")));
    CHECK(lock_owner_is_valid(BYTES(FIFTY)));
    CHECK(!lock_owner_is_valid(BYTES(FIFTY "1")));
    const char *const bad[] = {"",
                               "a\nb",
                               "a\x1b[2J",
                               "\x7f",
                               "\xc2\x9b",     /* CSI in one character */
                               "\xe2\x80\xae", /* turns the direction of writing */
                               "\xe2\x80\xa8", /* ends a line */
                               "\xff",
                               "\x80",
                               "\xc3", /* ends in the middle */
                               "\xc3(",
                               "\xc0\xaf", /* a slash, in a form that is too long */
                               "\xe0\x80\xaf",
                               "\xf0\x80\x80\xaf",
                               "\xed\xa0\x80",     /* half of a pair of UTF-16 */
                               "\xf4\x90\x80\x80", /* beyond the last character */
                               "\xf8\x88\x80\x80\x80"};
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
        CHECK(!lock_owner_is_valid(BYTES(bad[i])));
    }
    CHECK(!lock_owner_is_valid((rl_bytes){"a\0b", 3}));
}

static const char *appended(const char *to, rl_bytes text)
{
    static char name[LOCK_OWNER_MAX + 1];
    size_t len = strlen(to);

    memcpy(name, to, len);
    name[lock_owner_append(name, len, text)] = '\0';
    return name;
}

TEST(owner_name_is_cut_between_two_characters)
{
    CHECK_TEXT(appended("web-1:7", BYTES(" import.php")), "web-1:7 import.php");
    CHECK_TEXT(appended("", BYTES(FIFTY "1")), FIFTY);
    CHECK_TEXT(appended(FIFTY, BYTES("1")), FIFTY);
    CHECK_TEXT(appended("1234567890123456789012345678901234567890123456789", BYTES("é")),
               "1234567890123456789012345678901234567890123456789");
    CHECK_TEXT(appended("123456789012345678901234567890123456789012345678", BYTES("éa")),
               "123456789012345678901234567890123456789012345678é");
    CHECK_TEXT(appended("", (rl_bytes){"a\0b\n\xff\xc3x\xe2\x80\xaeü", 12}), "a?b???x?ü");
}

/* ---- descriptions ---- */

TEST(owner_of_a_token_is_read)
{
    lock_description d;

    CHECK(lock_description_read(BYTES("rl:" DIGITS ":r0192f0c1a2b:web-1:4711 import.php"), &d));
    CHECK(d.renews);
    CHECK_INT(d.since_ms, INT64_C(0x0192f0c1a2b));
    CHECK_INT(d.owner.len, strlen("web-1:4711 import.php"));
    CHECK(memcmp(d.owner.at, "web-1:4711 import.php", d.owner.len) == 0);
    CHECK(lock_description_read(BYTES("rl:build:" DIGITS ":-192f0c1a2b:x"), &d));
    CHECK(!d.renews);
    CHECK_INT(d.since_ms, INT64_C(0x192f0c1a2b));
    const char *const bad[] = {"",
                               "mine",
                               "rl:" DIGITS,
                               "rl:" DIGITS ":",
                               "rl:" DIGITS ":r",
                               "rl:" DIGITS ":r:",
                               "rl:" DIGITS ":r0192f0c1a2b",
                               "rl:" DIGITS ":r0192f0c1a2b:",
                               "rl:" DIGITS ":r:web",
                               "rl:" DIGITS ":r0192F0C1A2B:web",
                               "rl:" DIGITS ":r11112222333344445555:web",
                               "rl:" DIGITS ":x0192f0c1a2b:web",
                               "rl:" DIGITS ":r0192f0c1a2b:we\nb",
                               "rl:" DIGITS ":r0192f0c1a2b:" FIFTY "1",
                               "rl:" DIGITS "0:r0192f0c1a2b:web",
                               "rl:baton:" DIGITS ":r0192f0c1a2b:web",
                               "xl:" DIGITS ":r0192f0c1a2b:web"};
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
        CHECK(!lock_description_read(BYTES(bad[i]), &d));
    }
}

TEST(owner_token_makes_its_baton_of_its_digits)
{
    CHECK(lock_token_makes_baton(BYTES("rl:" DIGITS)));
    CHECK(lock_token_makes_baton(BYTES("rl:" DIGITS ":-0192f0c1a2b:web")));
    CHECK(lock_token_makes_baton(BYTES("rl:" DIGITS ":"))); /* whatever a later release writes there */
    CHECK(!lock_token_makes_baton(BYTES("rl:" DIGITS "0")));
    CHECK(!lock_token_makes_baton(BYTES("rl:build:" DIGITS ":-0192f0c1a2b:web")));
    CHECK(!lock_token_makes_baton(BYTES("rl:0123456789abcdef0123456789abcdeg")));
    CHECK(!lock_token_makes_baton(BYTES("rl:0123456789abcdef:-0192f0c1a2b:web")));
    CHECK(!lock_token_makes_baton(BYTES("rl:nobody")));
}

TEST(owner_token_has_hex_digits_in_each_place)
{
    char token[] = "rl:" DIGITS;

    for (size_t i = 3; i < LOCK_TOKEN_LEN; i++) {
        char before = token[i];
        for (int byte = 0; byte < 256; byte++) {
            bool is_digit = (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'f');
            token[i] = (char)byte;
            CHECK_INT(lock_token_makes_baton((rl_bytes){token, LOCK_TOKEN_LEN}), is_digit);
        }
        token[i] = before;
    }
}

static int64_t wall_ms(void)
{
    return platform_wall() / PLATFORM_MSEC;
}

/* Fails unless the token tells of this owner, since a time between `from` and now. Returns that time. */
static int64_t check_owner(rl_bytes token, const char *owner, bool renews, int64_t from)
{
    lock_description d;

    CHECK(lock_description_read(token, &d));
    CHECK_INT(d.owner.len, strlen(owner));
    CHECK(memcmp(d.owner.at, owner, d.owner.len) == 0);
    CHECK_INT(d.renews, renews);
    CHECK_RANGE(from, d.since_ms, wall_ms());
    return d.since_ms;
}

/* The same of a waiter's id, of which the digits are fewer. */
static int64_t check_waiter(const char *id, const char *owner, int64_t from)
{
    char token[200];

    CHECK(strlen(id) > LOCK_WAITER_LEN);
    snprintf(token, sizeof(token), "rl:" DIGITS "%s", id + LOCK_WAITER_LEN);
    return check_owner(BYTES(token), owner, false, from);
}

static rl_bytes bytes_of(const lock_lease *lease)
{
    return (rl_bytes){lease->token, lease->token_len};
}

TEST(owner_since_is_read_as_it_was_written)
{
    static const int64_t times[] = {0,
                                    1,
                                    INT64_C(0xfff),
                                    INT64_C(0x1000),
                                    INT64_C(0x0192f0c1a2b),
                                    INT64_C(0x7edcba98765),
                                    INT64_C(0xffffffff000),
                                    INT64_C(0xfffffffffff)};
    lock_client client = {.owner = RL_LITERAL("web")};

    for (size_t i = 0; i < sizeof(times) / sizeof(*times); i++) {
        char token[LOCK_TOKEN_ROOM] = "rl:" DIGITS;
        lock_description d;
        size_t len = lock_description_write(token + LOCK_TOKEN_LEN, &client, times[i]);
        CHECK(lock_description_read((rl_bytes){token, LOCK_TOKEN_LEN + len}, &d));
        CHECK_INT(d.since_ms, times[i]);
    }
}

/* ---- locks ---- */

#define OWNED_CLIENT(c, server, name)                                                                                  \
    CLIENT(c, (server).path);                                                                                          \
    (c).lock.owner = RL_LITERAL(name)

TEST(owner_stands_in_the_token)
{
    SERVER(s, NULL);
    OWNED_CLIENT(c, s, FIFTY);
    int64_t from = wall_ms();

    for (int plain = 0; plain < 3; plain++) { /* by the script, then by a plain SET, then by the script of a waiter */
        CHECK_INT(take(&c, "a", 5000, plain == 2 ? 1000 : 0), LOCK_YES);
        CHECK_TEXT(say(&s, "GET lock:a"), token_of(&c));
        CHECK_INT(c.lease.token_len, LOCK_TOKEN_ROOM);
        check_owner(bytes_of(&c.lease), FIFTY, false, from);
        CHECK_INT(extend(&c, "a", 6000), LOCK_YES);
        CHECK_INT(drop(&c, "a"), LOCK_YES);
        CHECK_NO_KEY(&s);
    }
    c.lock.renews = true;
    CHECK_INT(take(&c, "a", 5000, 0), LOCK_YES);
    check_owner(bytes_of(&c.lease), FIFTY, true, from);
    CHECK_INT(take_as(&c, "b", "mine", 5000, 0), LOCK_YES);
    CHECK_TEXT(say(&s, "GET lock:b"), "mine");
}

/* A waiter of an earlier release takes a baton of 41 bytes only, which is made of the digits. */
TEST(owner_is_not_in_the_baton)
{
    char baton[LOCK_BATON_LEN + 1];

    SERVER(s, NULL);
    OWNED_CLIENT(c, s, "web-1:4711");
    CHECK_INT(take(&c, "a", 5000, 0), LOCK_YES);
    snprintf(baton, sizeof(baton), "rl:baton:%.32s", token_of(&c) + 3);
    say(&s, "ZADD {lock:a}:rl:wait %lld w", (long long)wall_ms() + 60000);
    CHECK_INT(drop(&c, "a"), LOCK_YES);
    CHECK_TEXT(say(&s, "GET lock:a"), baton);
    CHECK_TEXT(say(&s, "LPOP {lock:a}:rl:baton"), baton);
}

/* A caller may use a token many times, so its batons are not made of it. */
TEST(owner_with_a_token_of_its_own_hands_over_a_drawn_baton)
{
    static const char *const tokens[] = {"mine", "rl:0123456789abcdef0123456789abcdeg", ("rl:build:" DIGITS)};

    SERVER(s, NULL);
    OWNED_CLIENT(c, s, "web-1:4711");
    for (size_t i = 0; i < sizeof(tokens) / sizeof(*tokens); i++) {
        CHECK_INT(take_as(&c, "a", tokens[i], 5000, 0), LOCK_YES);
        CHECK(!c.lease.makes_baton);
        say(&s, "ZADD {lock:a}:rl:wait %lld w", (long long)wall_ms() + 60000);
        CHECK_INT(drop(&c, "a"), LOCK_YES);
        const char *baton = say(&s, "GET lock:a");
        CHECK_INT(strlen(baton), LOCK_BATON_LEN);
        CHECK(lock_token_is_baton(BYTES(baton)));
        CHECK_INT(lock_hex_digits(BYTES(baton + strlen(LOCK_BATON_PREFIX))), 32);
        say(&s, "DEL lock:a {lock:a}:rl:baton");
    }
}

TEST(owner_of_many_locks)
{
    lock_all_item items[] = {{.name = RL_LITERAL("a")}, {.name = RL_LITERAL("b")}};
    int64_t from = wall_ms();
    size_t about;

    SERVER(s, NULL);
    OWNED_CLIENT(c, s, "web-1:4711");
    CHECK_INT(lock_acquire_all(&c.lock, items, 2, MS(5000), 0, &about, &c.error), LOCK_YES);
    for (int i = 0; i < 2; i++) {
        check_owner(bytes_of(&items[i].lease), "web-1:4711", false, from);
        CHECK_INT(memcmp(say(&s, "GET lock:%s", i == 0 ? "a" : "b"), items[i].lease.token, items[i].lease.token_len),
                  0);
        CHECK_INT(lock_release(&c.lock, items[i].name, &items[i].lease, MS(1000), &c.error), LOCK_YES);
        lock_lease_free(&items[i].lease);
    }
    CHECK_NO_KEY(&s);
}

TEST(owner_of_a_turn_to_build_a_value)
{
    const cache_fetch_params params = {
        .name = RL_LITERAL("k"), .kept_here = true, .duration = MS(5000), .timeout = MS(1000)};
    cache_value value = {RL_LITERAL("v"), MS(1000), 0};
    int64_t from = wall_ms();
    cache_answer answer;

    SERVER(s, NULL);
    OWNED_CLIENT(c, s, "web-1:4711");
    CHECK_INT(cache_fetch(&c.lock, &params, &answer), CACHE_TURN);
    CHECK(memcmp(answer.lease.token, "rl:build:", 9) == 0);
    check_owner(bytes_of(&answer.lease), "web-1:4711", false, from);
    CHECK_TEXT(say(&s, "GET lock:k"), answer.lease.token);
    CHECK_INT(cache_store(&c.lock, params.name, &answer.lease, &value, &c.error), LOCK_YES);
    CHECK_TEXT(say(&s, "KEYS *"), "{lock:k}:rl:value");
    lock_lease_free(&answer.lease);
}

/* ---- waiting ---- */

typedef struct waiting {
    server s;
    client holder, waiter;
    lock_outcome outcome;
    cache_outcome fetched;
} waiting;

static void *take_in_thread(void *arg)
{
    waiting *w = arg;

    w->outcome = take(&w->waiter, "a", 5000, 20000);
    return NULL;
}

static void waiting_open(waiting *w, const char *holder, const char *waiter)
{
    server_start(&w->s, NULL);
    client_open(&w->holder, w->s.path);
    client_open(&w->waiter, w->s.path);
    w->holder.lock.owner = BYTES(holder);
    w->waiter.lock.owner = BYTES(waiter);
}

static void waiting_close(waiting *w)
{
    client_close(&w->holder);
    client_close(&w->waiter);
    server_stop(&w->s);
}

#define WAITING(w, holder, waiter)                                                                                     \
    CLOSED_BY(waiting_close) waiting w;                                                                                \
    waiting_open(&(w), holder, waiter)

/* The lock is handed over between clients of which one has a name and the other has none, in both directions. */
TEST(owner_hands_over_to_one_without_a_name)
{
    for (int named = 0; named < 2; named++) {
        WAITING(w, named ? "web-1:1" : "", named ? "" : "web-2:2");
        int64_t start = platform_now();
        CHECK_INT(take(&w.holder, "a", 60000, 0), LOCK_YES);
        pthread_t thread = thread_start(take_in_thread, &w);
        until_waiting(&w.s, "a", 1);
        CHECK_INT(drop(&w.holder, "a"), LOCK_YES);
        thread_join(thread);
        CHECK_INT(w.outcome, LOCK_YES);
        CHECK_TEXT(say(&w.s, "GET lock:a"), token_of(&w.waiter));
        CHECK_INT(w.waiter.lease.token_len == LOCK_TOKEN_LEN, named);
        CHECK(ms_since(start) < 10000 + held_up());
        CHECK_INT(drop(&w.waiter, "a"), LOCK_YES);
        CHECK_NO_KEY(&w.s);
    }
}

/* The waiter's id tells since when it waits, also if it had to line up anew; its token, since when it holds the lock. */
TEST(owner_tells_since_when_it_waits_and_since_when_it_holds)
{
    WAITING(w, "web-1:1", "web-2:2");
    CHECK_INT(take(&w.holder, "a", 60000, 0), LOCK_YES);
    int64_t from = wall_ms();
    pthread_t thread = thread_start(take_in_thread, &w);
    until_waiting(&w.s, "a", 1);
    int64_t until = wall_ms();
    char first[200], second[200];
    snprintf(first, sizeof(first), "%s", say(&w.s, "ZRANGE {lock:a}:rl:wait 0 0"));
    CHECK_RANGE(from, check_waiter(first, "web-2:2", from), until);

    say(&w.s, "REPLICAOF 127.0.0.1 1"); /* the waiter leaves, and lines up anew behind the answer READONLY */
    sleep_ms(200);
    say(&w.s, "REPLICAOF NO ONE");
    int64_t back = platform_now();
    do {
        sleep_ms(5);
        snprintf(second, sizeof(second), "%s", say(&w.s, "ZREVRANGE {lock:a}:rl:wait 0 0"));
        CHECK(ms_since(back) < 5000 + held_up());
    } while (strlen(second) == 0 || strcmp(first, second) == 0);
    CHECK(memcmp(first, second, LOCK_WAITER_LEN) != 0);
    CHECK_TEXT(second + LOCK_WAITER_LEN, first + LOCK_WAITER_LEN);
    until_waiting(&w.s, "a", 1);

    sleep_ms(20);
    int64_t released = wall_ms();
    CHECK_INT(drop(&w.holder, "a"), LOCK_YES);
    thread_join(thread);
    CHECK_INT(w.outcome, LOCK_YES);
    check_owner(bytes_of(&w.waiter.lease), "web-2:2", false, released);
}

static void *fetch_in_thread(void *arg)
{
    waiting *w = arg;
    const cache_fetch_params params = {
        .name = RL_LITERAL("a"), .kept_here = true, .duration = MS(5000), .timeout = MS(20000)};
    cache_answer answer;

    w->fetched = cache_fetch(&w->waiter.lock, &params, &answer);
    w->waiter.lease = answer.lease;
    free(answer.value);
    return NULL;
}

/* The same of a client that waits for a value, whose id begins with a v. */
TEST(owner_of_a_value_tells_since_when_it_waits_and_since_when_it_builds)
{
    WAITING(w, "web-1:1", "web-2:2");
    CHECK_INT(take(&w.holder, "a", 60000, 0), LOCK_YES);
    int64_t from = wall_ms();
    pthread_t thread = thread_start(fetch_in_thread, &w);
    until_waiting(&w.s, "a", 1);
    int64_t until = wall_ms();
    const char *id = say(&w.s, "ZRANGE {lock:a}:rl:wait 0 0");
    CHECK(id[0] == 'v');
    CHECK_RANGE(from, check_waiter(id, "web-2:2", from), until);
    sleep_ms(20);
    int64_t released = wall_ms();
    CHECK_INT(drop(&w.holder, "a"), LOCK_YES);
    thread_join(thread);
    CHECK_INT(w.fetched, CACHE_TURN);
    check_owner(bytes_of(&w.waiter.lease), "web-2:2", false, released);
}

/* ---- asking ---- */

static lock_outcome inspect(client *c, const char *name, int64_t *waiting)
{
    lock_lease_free(&c->lease);
    return lock_inspect(&c->lock, BYTES(name), &c->lease, waiting, &c->error);
}

TEST(owner_and_waiters_are_told_by_one_request)
{
    int64_t waiting = 0;

    SERVER(s, NULL);
    OWNED_CLIENT(c, s, "web-1:4711");
    CLIENT(asker, s.path);
    CHECK_INT(inspect(&asker, "a", &waiting), LOCK_NOT_OWNED);
    CHECK_INT(take(&c, "a", 5000, 0), LOCK_YES);
    say(&s, "ZADD {lock:a}:rl:wait %lld w %lld v 1 dead", (long long)wall_ms() + 60000, (long long)wall_ms() + 60000);
    say(&s, "CONFIG RESETSTAT");
    CHECK_INT(inspect(&asker, "a", &waiting), LOCK_YES);
    CHECK_TEXT(token_of(&asker), token_of(&c));
    CHECK_INT(waiting, 2);
    CHECK_RANGE(MS(4900 - held_up()), asker.lease.duration, MS(5000));
    CHECK_INT(server_calls(&s, "evalsha") + server_calls(&s, "eval"), 1);
    asker.lock.fencing = true;
    CHECK_INT(inspect(&asker, "a", &waiting), LOCK_YES);
    CHECK_INT(waiting, 2);
    say(&s, "SET {lock:a}:rl:wait x");
    CHECK_INT(inspect(&asker, "a", &waiting), LOCK_FAILED);
    CHECK_TEXT(asker.error.code, "WRONGTYPE");
}

TEST(owner_and_waiters_of_several_servers)
{
    int64_t waiting = 0;

    RING(r, 3, NULL);
    RING_CLIENT(c, &r);
    RING_CLIENT(asker, &r);
    c.lock.owner = RL_LITERAL("web-1:4711");
    CHECK_INT(take(&c, "a", 5000, 0), LOCK_YES);
    CHECK_INT(inspect(&asker, "a", &waiting), LOCK_YES);
    CHECK_INT(waiting, 0);
    say(&r.servers[2], "ZADD {lock:a}:rl:wait %lld w", (long long)wall_ms() + 60000);
    CHECK_INT(inspect(&asker, "a", &waiting), LOCK_YES);
    CHECK_TEXT(token_of(&asker), token_of(&c));
    CHECK_INT(waiting, 1);
    server_kill(&r.servers[0]);
    CHECK_INT(inspect(&asker, "a", &waiting), LOCK_YES);
    CHECK_INT(waiting, 1);
}

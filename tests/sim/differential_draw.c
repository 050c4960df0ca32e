/* SPDX-License-Identifier: MIT
 *
 * differential_draw: draws the sequences of the differential test. Most of what is drawn makes sense, so that sequences
 * reach deep states: few keys, few tokens, the right number of arguments. Some of it does not.
 */
#include "differential.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const rl_script *const scripts[] = {
    &rl_script_acquire,       &rl_script_acquire_all,    &rl_script_cache_fetch,
    &rl_script_cache_forget,  &rl_script_cache_store,    &rl_script_extend,
    &rl_script_extend_all,    &rl_script_force,          &rl_script_look,
    &rl_script_owner,         &rl_script_queue_dead,     &rl_script_queue_dequeue,
    &rl_script_queue_enqueue, &rl_script_queue_put_back, &rl_script_queue_requeue,
    &rl_script_queue_settle,  &rl_script_queue_stats,    &rl_script_queue_take,
    &rl_script_queue_top,     &rl_script_raise_fence,    &rl_script_release,
    &rl_script_release_all,   &rl_script_rename,         &rl_script_waiters,
    &rl_script_acquire_alone, &rl_script_release_alone,  &rl_script_extend_alone,
    &rl_script_force_alone,   &rl_script_owner_alone,    NULL,
};

const char all_keys[] = "L1 L1:b L1:w L1:f L1:n L1:g L1:v L2 L2:b L2:w L2:f L2:n q q:res q:st q:ag q:dead q:wake q:tim "
                        "q:keep q:c1 q:c2 k1 k2 k3 k4";

#define MOST_WORDS 64

typedef struct draw {
    uint64_t random;
    int64_t now;         /* about the time at this step, in µs */
    bool is_mostly_cold; /* scripts must be sent as texts */
    size_t count;        /* of the words of the request that is being made */
    struct {
        char bytes[64];
        size_t len;
        const rl_script *script; /* instead of the bytes */
        const char *text;        /* instead of them, too */
    } words[MOST_WORDS];
    char *out; /* the requests that are made; owned by the step in the end */
    size_t out_len;
} draw;

/* ---- numbers and words ---- */

uint64_t sequence_bits(uint64_t *random)
{
    uint64_t x = *random += UINT64_C(0x9e3779b97f4a7c15);

    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

static uint64_t draw_bits(draw *d)
{
    return sequence_bits(&d->random);
}

static size_t below(draw *d, size_t limit)
{
    return (size_t)(draw_bits(d) % limit);
}

static bool chance(draw *d, unsigned percent)
{
    return below(d, 100) < percent;
}

static void add_bytes(draw *d, const char *bytes, size_t len)
{
    if (d->count == MOST_WORDS || len > sizeof(d->words[0].bytes)) {
        fprintf(stderr, "a request that is too long was drawn\n");
        abort();
    }
    d->words[d->count].len = len;
    d->words[d->count].script = NULL;
    d->words[d->count].text = NULL;
    memcpy(d->words[d->count++].bytes, bytes, len);
}

static void add(draw *d, const char *word)
{
    add_bytes(d, word, strlen(word));
}

static void add_number(draw *d, int64_t number)
{
    char digits[32];

    snprintf(digits, sizeof(digits), "%" PRId64, number);
    add(d, digits);
}

#define PICK(d, ...)                                                                                                   \
    ((const char *const[]){__VA_ARGS__}[below(d, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))])
#define PICK_NUMBER(d, ...)                                                                                            \
    ((const int64_t[]){__VA_ARGS__}[below(d, sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t))])

/* Adds one of the words of a text. */
static void add_one_of(draw *d, const char *words)
{
    size_t count = 1, chosen, len;

    for (const char *p = words; *p != '\0'; p++) {
        count += *p == ' ';
    }
    for (chosen = below(d, count); chosen > 0; chosen--) {
        words = strchr(words, ' ') + 1;
    }
    len = strcspn(words, " ");
    add_bytes(d, words, len);
}

/* Words that are right in few places. */
static void add_odd(draw *d)
{
    static const struct {
        const char *bytes;
        size_t len;
    } odd[] = {{"", 0},
               {"0", 1},
               {"-1", 2},
               {"00", 2},
               {"+1", 2},
               {" 1", 2},
               {"1 ", 2},
               {"1.5", 3},
               {"x", 1},
               {"nan", 3},
               {"inf", 3},
               {"-inf", 4},
               {"(1", 2},
               {"((1", 3},
               {"0x10", 4},
               {"1e3", 3},
               {"1e400", 5},
               {"-0", 2},
               {"\0", 1},
               {"1\0", 2},
               {"\r\n", 2},
               {"-5", 2},
               {"99999999999999999999", 20},
               {"9223372036854775806", 19},
               {"rl:", 3},
               {"*", 1},
               {"9223372036854775", 16},
               {"rl:baton:1", 10},
               {"4294967296", 10},
               {"1e-400", 6}};
    size_t i = below(d, sizeof(odd) / sizeof(*odd));

    add_bytes(d, odd[i].bytes, odd[i].len);
}

static void add_key(draw *d, const char *key)
{
    if (chance(d, 2)) {
        add_one_of(d, all_keys);
    } else {
        add(d, key);
    }
}

/* Adds a word, seldom an odd one. */
static void add_mostly(draw *d, const char *word)
{
    if (chance(d, 1)) {
        add_odd(d);
    } else {
        add(d, word);
    }
}

/* ---- plain commands ---- */

/* The words in small letters of one or two letters are drawn:
 *   k key  v value  i integer  f score  b bound of scores  m member  x field  p ms  pt moment in ms  t seconds
 * A * behind one: one to three of them. */
static const char *const commands[] = {
    "GET k",
    "GET k",
    "SET k v",
    "SET k v",
    "SET k v NX",
    "SET k v XX",
    "SET k v PX p",
    "SET k v NX PX p",
    "SET k v NX GET PX p",
    "SET k v GET",
    "SET k v XX GET",
    "SET k v PX p GET",
    "SET k v PXAT pt",
    "SET k v KEEPTTL",
    "SET k v EX i",
    "SET k v EXAT i",
    "SET k v PX p KEEPTTL",
    "SET k v PX p PX p",
    "SET k v NX XX",
    "SET k v PX",
    "SET k v k",
    "SET k",
    "DEL k*",
    "DEL k",
    "EXISTS k*",
    "TYPE k",
    "EXPIRE k i",
    "PEXPIRE k p",
    "PEXPIRE k p",
    "PEXPIRE k p",
    "PEXPIREAT k pt",
    "PTTL k",
    "PTTL k",
    "TTL k",
    "PERSIST k",
    "INCR k",
    "RPUSH k v*",
    "RPUSH k v*",
    "RPUSH k v",
    "LPUSH k v*",
    "LPOP k",
    "LPOP k",
    "LLEN k",
    "LINDEX k i",
    "LINDEX k 0",
    "LRANGE k i i",
    "BLPOP k t",
    "BLPOP k t",
    "BLPOP k k t",
    "BLPOP k k k t",
    "HSET k x v",
    "HSET k x v x v",
    "HSET k x v x",
    "HGET k x",
    "HMGET k x*",
    "HDEL k x*",
    "HLEN k",
    "ZADD k f m",
    "ZADD k f m",
    "ZADD k f m f m",
    "ZADD k NX f m",
    "ZADD k XX f m",
    "ZADD k CH f m f m",
    "ZADD k NX CH f m f m",
    "ZADD k XX CH f m",
    "ZADD k XX NX f m",
    "ZADD k f m f",
    "ZREM k m*",
    "ZREM k m",
    "ZCARD k",
    "ZSCORE k m",
    "ZMSCORE k m*",
    "ZRANGE k i i",
    "ZRANGE k i i WITHSCORES",
    "ZRANGE k 0 -1 WITHSCORES",
    "ZRANGE k i i v",
    "ZRANGEBYSCORE k b b",
    "ZRANGEBYSCORE k b b WITHSCORES",
    "ZRANGEBYSCORE k b b LIMIT i i",
    "ZRANGEBYSCORE k b b WITHSCORES LIMIT i i",
    "ZRANGEBYSCORE k b b LIMIT i",
    "ZCOUNT k b b",
    "ZREMRANGEBYSCORE k b b",
    "TIME",
    "PING",
    "PING v",
};

/* These are not for scripts. */
static const char *const commands_outside[] = {
    "SELECT 0", "SELECT 0",       "SELECT 1",    "SELECT 16", "SELECT -1",       "SELECT x",  "AUTH v",
    "AUTH v v", "AUTH default v", "AUTH secret", "FLUSHALL",  "SCRIPT EXISTS v", "ROLE",      "WAIT 0 0",
    "WAIT i i", "WAIT 1 20",      "WAIT 1 1000", "WAIT -1 5", "WAIT x 1",        "WAIT 1 -1", "WAIT 1 x",
};

/* Adds a word of a kind: see `commands`. */
static void add_drawn(draw *d, const char *kind)
{
    char score[32];

    switch (kind[0]) {
    case 'k':
        add_one_of(d, chance(d, 85) ? "k1 k2 k3 k4" : all_keys);
        return;
    case 'v':
        add_one_of(d, "a b c 1 41 -7 9223372036854775807 rl:baton:1 rl:tok:1 v w1");
        return;
    case 'i':
        add_number(d, PICK_NUMBER(d, 0, 0, 1, 1, 2, 3, 10, -1, -1, -2, -3, -4, 100));
        return;
    case 'f':
    case 'b':
        snprintf(score, sizeof(score), "%s%s", kind[0] == 'b' && chance(d, 30) ? "(" : "",
                 PICK(d, "0", "1", "1", "1.5", "2", "2", "-1", "-1.25", "3e2", "1700000000000.0078", "0.1", "inf",
                      "-inf", "+inf"));
        add(d, score);
        return;
    case 'm':
        add_one_of(d, "a b c d");
        return;
    case 'x':
        add_one_of(d, "a b c");
        return;
    case 'p':
        if (kind[1] == 't') {
            add_number(d, chance(d, 20) ? 1 : d->now / 1000 + PICK_NUMBER(d, -1, 0, 1, 5, 100, 1000, 20000));
        } else {
            add_number(d, PICK_NUMBER(d, 1, 2, 10, 100, 500, 1000, 2000, 60000, 0, -1));
        }
        return;
    case 't':
        add(d, PICK(d, "0", "0.05", "0.1", "1", "2.5", "0.0004", "1.2345", "1e1"));
        return;
    default:
        fprintf(stderr, "no such kind of word: %s\n", kind);
        abort();
    }
}

/* Draws a command from its pattern. Now and then a word of it is an odd one. */
static void draw_from(draw *d, const char *pattern)
{
    char word[24];
    size_t len;

    for (; *pattern != '\0'; pattern += len + (pattern[len] == ' ')) {
        len = strcspn(pattern, " ");
        snprintf(word, sizeof(word), "%.*s", (int)len, pattern);
        if (word[0] < 'a' || len > 2) {
            add(d, word);
        } else if (chance(d, 2)) {
            add_odd(d);
        } else {
            for (size_t count = word[len - 1] == '*' ? 1 + below(d, 3) : 1; count > 0; count--) {
                add_drawn(d, word);
            }
        }
    }
}

static void draw_command(draw *d, bool in_script)
{
    if (!in_script && chance(d, 3)) {
        draw_from(d, commands_outside[below(d, sizeof(commands_outside) / sizeof(*commands_outside))]);
    } else {
        draw_from(d, commands[below(d, sizeof(commands) / sizeof(*commands))]);
    }
}

/* ---- scripts that are made up ---- */

/* Scripts that take words of commands as ARGV. */
static const char *const runners[] = {
    "return redis.call(unpack(ARGV))",
    "return redis.pcall(unpack(ARGV))",
    "return tostring(redis.pcall(unpack(ARGV)).err)",
    "local a, b = {}, {}\nlocal t = a\nfor _, w in ipairs(ARGV) do if w == '|' then t = b else t[#t + 1] = w end end\n"
    "return {redis.pcall(unpack(a)), redis.pcall(unpack(b))}",
    "local a, b = {}, {}\nlocal t = a\nfor _, w in ipairs(ARGV) do if w == '|' then t = b else t[#t + 1] = w end end\n"
    "redis.call(unpack(a))\nreturn redis.call(unpack(b))",
};

/* Scripts for how values, errors and numbers cross between Lua and Redis. */
static const char *const crossings[] = {
    "return {1, 2.9, -2.9, 'x', false, true, {ok = 'a\\r\\nb'}, {err = 'boom'}, nil, 3}",
    "return {err = 'boom\\r\\nx'}",
    "return {err = 'MY boom', ok = 'x'}",
    "return {{{1}, {}}, {ok = ''}}",
    "return redis.error_reply('boom')",
    "return redis.error_reply('-My boom\\r\\n')",
    "return redis.error_reply('ERR ')",
    "return redis.error_reply(1)",
    "return redis.error_reply()",
    "return redis.status_reply('x y')",
    "return redis.status_reply(ARGV)",
    "error('x')",
    "error({err = 'MY x'})",
    "error()",
    "return error",
    "return {error, redis.call, 1}",
    "return 1e300",
    "return -1e300",
    "return 0 / 0",
    "return 9007199254740993",
    "return 3.99999999999999999",
    "return foo",
    "foo = 1",
    "KEYS = 1",
    "local function f() return redis.call('GET') end\nreturn f()",
    "return redis.call()",
    "return redis.call('GET', {})",
    "return redis.pcall('GET', true)",
    "return redis.call('EVAL', 'return 1', 0)",
    "return redis.call('BLPOP', 'k1', 1)",
    "return redis.call('SET', 'k1', 0.1)",
    "return {redis.call('SET', 'k1', 1e15), redis.call('GET', 'k1')}",
    "return {redis.call('SET', 'k1', 123456789012345678), redis.call('GET', 'k1')}",
    "return {redis.call('SET', 'k1', -0), redis.call('SET', 'k2', 1e100), redis.call('SET', 'k3', 2 ^ 53 + 2)}",
    "return {redis.call('ZADD', 'k4', 1 / 3, 'a'), redis.call('ZSCORE', 'k4', 'a')}",
    "return {struct.unpack('>dI4', ARGV[1] or '123456789012', 1)}",
    "return struct.pack('>dI4I4', 1.5, 7, 4294967295)",
    "return {struct.unpack('>d', '1234')}",
    "return {struct.unpack('>d', '123456789', 0)}",
    "return {struct.unpack('>I4', '123456', 4)}",
    "return string.format('%d', 'x')",
    "return nil + 1",
    "return {...}",
    "return #KEYS * 10 + #ARGV",
    "return {KEYS[1], ARGV[1]}",
    "retur 1",
    "return redis.sha1hex('')",
    "return redis.sha1hex(12)",
    "local t = redis.call('TIME')\nreturn t[1] * 1000000 + t[2]",
    "return redis.pcall('PTTL', 'k1') .. ''",
    "redis.log(redis.LOG_WARNING, 'x')",
    "redis.call('RPUSH', 'k1', 'a', 'b')\nredis.call('RPUSH', 'k2', 'c')\nreturn redis.call('LLEN', 'k1')",
    "redis.call('RPUSH', 'k2', 'c')\nredis.call('DEL', 'k1')\nreturn redis.call('RPUSH', 'k1', 'a')",
    "redis.call('DEL', 'k1')\nredis.call('RPUSH', 'k1', 'a')\nreturn redis.call('DEL', 'k1')",
    "redis.call('DEL', 'k1')\nredis.call('RPUSH', 'k1', 'a')\nerror('x')",
};

/* Draws a script that is made up: a runner with one or two commands, or a crossing. */
static void draw_eval(draw *d)
{
    size_t runner = below(d, 2 * sizeof(runners) / sizeof(*runners));

    add(d, "EVAL");
    add(d, "");
    if (runner < sizeof(runners) / sizeof(*runners)) {
        d->words[1].text = runners[runner];
        add(d, "0");
        draw_command(d, true);
        if (runner >= 3) {
            add(d, "|");
            draw_command(d, true);
        }
    } else {
        d->words[1].text = crossings[below(d, sizeof(crossings) / sizeof(*crossings))];
        add(d, PICK(d, "0", "0", "0", "0", "1", "2", "x", "-1"));
        add(d, "k1");
        add(d, "a");
    }
}

/* ---- the scripts of lua/ ---- */

/* Begins a script: by its SHA-1, or by its text. The number of its keys is set by end_keys(). */
static void begin_script(draw *d, const rl_script *script)
{
    bool as_text = chance(d, d->is_mostly_cold ? 60 : 10);

    add(d, as_text ? "EVAL" : "EVALSHA");
    if (as_text) {
        add(d, "");
        d->words[1].script = script;
    } else {
        add_bytes(d, script->evalsha + sizeof("$7\r\nEVALSHA\r\n$40\r\n") - 1, 40);
    }
    add(d, "");
}

static void end_keys(draw *d)
{
    size_t keys = d->count - 3;

    if (chance(d, 1)) {
        keys += below(d, 3) - 1;
    }
    d->words[2].len = (size_t)snprintf(d->words[2].bytes, sizeof(d->words[2].bytes), "%zd", (ssize_t)keys);
}

static void add_lock_key(draw *d, size_t lock, const char *suffix)
{
    char key[16];

    snprintf(key, sizeof(key), "L%zu%s", lock, suffix);
    add_key(d, key);
}

static void add_lock_keys(draw *d, size_t lock)
{
    add_lock_key(d, lock, "");
    add_lock_key(d, lock, ":b");
    add_lock_key(d, lock, ":w");
}

static void add_token(draw *d)
{
    add_mostly(d, PICK(d, "rl:tok:1", "rl:tok:1", "rl:tok:2", "mine"));
}

static void add_baton(draw *d)
{
    add_mostly(d, PICK(d, "rl:baton:1", "rl:baton:1", "rl:baton:2"));
}

static void add_served(draw *d)
{
    if (chance(d, 50)) {
        add(d, "");
    } else {
        add_baton(d);
    }
}

static void add_waiter(draw *d)
{
    add_mostly(d, PICK(d, "w1", "w2", "w3", "w4", "v1", "v2"));
}

static void add_lease(draw *d)
{
    add_mostly(d, PICK(d, "0", "5", "100", "600", "1000", "30000", "30000"));
}

static void add_patience(draw *d)
{
    add_mostly(d, PICK(d, "0", "-1", "50", "300", "5000", "5000"));
}

static void add_flag(draw *d, unsigned percent)
{
    add_mostly(d, chance(d, percent) ? "1" : "0");
}

/* Of a client that waits or does not, for the first time, again, or with a baton that it was served. */
static void draw_acquire(draw *d, size_t lock)
{
    begin_script(d, &rl_script_acquire);
    add_lock_keys(d, lock);
    if (chance(d, 30)) {
        add_lock_key(d, lock, ":f");
    }
    end_keys(d);
    add_token(d);
    add_lease(d);
    if (chance(d, 40)) {
        add(d, "");
    } else {
        add_waiter(d);
    }
    add_patience(d);
    add_mostly(d, PICK(d, "0", "0", "0", "1", "2"));
    add_flag(d, 20);
    add_served(d);
    add_mostly(d, "100");
    add_baton(d);
    if (chance(d, 20)) {
        add(d, "1");
    }
}

/* Of a holder, or of a waiter that gives up. */
static void draw_release(draw *d, size_t lock)
{
    begin_script(d, &rl_script_release);
    add_lock_keys(d, lock);
    if (chance(d, 20)) {
        add_lock_key(d, lock, ":n");
    }
    end_keys(d);
    if (chance(d, 10)) {
        add(d, "");
    } else {
        add_token(d);
    }
    add_baton(d);
    if (chance(d, 40)) {
        add_waiter(d);
        if (chance(d, 70)) {
            add_mostly(d, PICK(d, "", "*", "*", "rl:baton:1", "rl:baton:2"));
        }
    }
}

static void draw_look(draw *d, size_t lock)
{
    begin_script(d, &rl_script_look);
    add_lock_keys(d, lock);
    end_keys(d);
    add_waiter(d);
    add_patience(d);
    add_mostly(d, "100");
    add_baton(d);
    add_flag(d, 30);
    add_mostly(d, PICK(d, "0", "0", "100", "300", "1600", "3000"));
}

static void draw_extend(draw *d, size_t lock)
{
    begin_script(d, &rl_script_extend);
    add_lock_keys(d, lock);
    add_lock_key(d, lock, ":n");
    end_keys(d);
    add_token(d);
    add_lease(d);
    add_mostly(d, PICK(d, "abc", "def0"));
    add_mostly(d, PICK(d, "5", "6", "70"));
    add_flag(d, 40);
}

/* With few tokens, of which the lock may stand under each: so there are repeats, and what is no token. */
static void draw_rename(draw *d, size_t lock)
{
    begin_script(d, &rl_script_rename);
    add_lock_keys(d, lock);
    if (chance(d, 40)) {
        add_lock_key(d, lock, ":f");
    }
    end_keys(d);
    add_token(d);
    add_mostly(d, PICK(d, "rl:tok:1", "rl:tok:2", "rl:tok:2", "rl:tok:3", "rl:baton:1", ""));
    add_lease(d);
    if (chance(d, 40)) {
        add_mostly(d, PICK(d, "rl:tok:1", "rl:tok:2", "rl:tok:3", "rl:baton:1", ""));
    }
}

static void draw_raise_fence(draw *d, size_t lock)
{
    begin_script(d, &rl_script_raise_fence);
    add_lock_keys(d, lock);
    add_lock_key(d, lock, ":f");
    end_keys(d);
    add_token(d);
    add_mostly(d, PICK(d, "1", "1700000000000000", "2000000000000000"));
}

/* force, owner and waiters. */
static void draw_look_at_lock(draw *d, size_t lock)
{
    const rl_script *script = chance(d, 30) ? &rl_script_force : chance(d, 50) ? &rl_script_owner : &rl_script_waiters;

    begin_script(d, script);
    add_lock_keys(d, lock);
    if (script == &rl_script_force) {
        add_lock_key(d, lock, ":n");
    } else if (script == &rl_script_owner && chance(d, 50)) {
        add_lock_key(d, lock, ":f");
    }
    end_keys(d);
    if (script == &rl_script_force) {
        add_baton(d);
    }
}

/* A client of another kind, that changes the lock's keys by plain commands. */
static void draw_stranger(draw *d, size_t lock)
{
    add(d, PICK(d, "SET", "SET", "DEL", "PEXPIRE", "GET"));
    add_lock_key(d, lock, PICK(d, "", "", "", ":b", ":w", ":f"));
    switch (d->words[0].bytes[0]) {
    case 'S':
        add_token(d);
        add(d, "NX");
        add(d, "GET");
        add(d, "PX");
        add_lease(d);
        break;
    case 'P':
        add_lease(d);
        break;
    default:
        break;
    }
}

/* What a waiter sends: it blocks on the list of batons. */
static void draw_wait(draw *d, size_t lock, const char *first)
{
    add(d, "BLPOP");
    if (first != NULL) {
        add_lock_key(d, lock, first);
    }
    add_lock_key(d, lock, ":b");
    add(d, PICK(d, "0.05", "0.5", "2", "0"));
}

static void draw_lock(draw *d)
{
    static void (*const kinds[])(draw *, size_t) = {draw_acquire,  draw_acquire,     draw_acquire,      draw_release,
                                                    draw_release,  draw_look,        draw_look,         draw_extend,
                                                    draw_stranger, draw_raise_fence, draw_look_at_lock, draw_rename};
    size_t lock = chance(d, 80) ? 1 : 2;
    size_t kind = below(d, sizeof(kinds) / sizeof(*kinds) + 2);

    if (kind >= sizeof(kinds) / sizeof(*kinds)) {
        draw_wait(d, lock, NULL);
    } else {
        kinds[kind](d, lock);
    }
}

/* acquire_all, release_all and extend_all, of one or two locks. */
static void draw_many(draw *d)
{
    size_t count = 1 + below(d, 2), kind = below(d, 3), first = 1 + below(d, 2);
    size_t locks[2] = {first, 3 - first};

    begin_script(d, kind == 0 ? &rl_script_acquire_all : kind == 1 ? &rl_script_release_all : &rl_script_extend_all);
    for (size_t i = 0; i < count; i++) {
        add_lock_keys(d, locks[i]);
    }
    bool more = kind == 2 || (kind == 1 ? chance(d, 50) : count == 2); /* the notes, or the fences */
    for (size_t i = 0; i < count && more; i++) {
        add_lock_key(d, locks[i], kind == 0 ? ":f" : ":n");
    }
    end_keys(d);
    if (kind == 0) {
        add_number(d, (int64_t)count);
        add_lease(d);
        add_flag(d, 50);
        add_flag(d, 20);
    } else if (kind == 2) {
        add_lease(d);
        add(d, PICK(d, "abc", "def0"));
        add(d, PICK(d, "5", "6", "70"));
        add_flag(d, 40);
    }
    for (size_t i = 0; i < count; i++) {
        add(d, PICK(d, "rl:tok:1", "rl:tok:1", "rl:tok:2"));
    }
    for (size_t i = 0; i < count && kind == 1; i++) {
        add_baton(d);
    }
}

static void add_cache_keys(draw *d)
{
    add_lock_keys(d, 1);
    add_lock_key(d, 1, ":g");
    add_lock_key(d, 1, ":v");
}

static void add_builder(draw *d)
{
    add_mostly(d, PICK(d, "rl:build:1", "rl:build:1", "rl:build:2", "rl:tok:1"));
}

/* Of a client that asks for the first time or again, and that may take an old value. */
static void draw_fetch(draw *d)
{
    begin_script(d, &rl_script_cache_fetch);
    add_cache_keys(d);
    if (chance(d, 30)) {
        add_lock_key(d, 1, ":f");
    }
    end_keys(d);
    add_builder(d);
    add_lease(d);
    add_waiter(d);
    add_patience(d);
    add_mostly(d, PICK(d, "0", "0", "1", "2"));
    add_mostly(d, PICK(d, "0", "1", "2"));
    add_served(d);
    add_mostly(d, PICK(d, "-1", "0", "500", "100000"));
}

static void draw_store(draw *d)
{
    begin_script(d, &rl_script_cache_store);
    add_cache_keys(d);
    if (chance(d, 30)) {
        add_lock_key(d, 1, ":n");
    }
    end_keys(d);
    add_builder(d);
    add_baton(d);
    add_mostly(d, PICK(d, "0", "100", "1000", "60000"));
    add_mostly(d, PICK(d, "0", "200", "5000"));
    if (chance(d, 85)) {
        add_mostly(d, PICK(d, "value", "", "other value"));
    }
}

static void draw_forget(draw *d)
{
    begin_script(d, &rl_script_cache_forget);
    add_cache_keys(d);
    end_keys(d);
    add_baton(d);
    if (chance(d, 30)) {
        add_mostly(d, PICK(d, "value", "v"));
    }
}

/* Draws what a client of a cached value sends, or one of the lock below it. */
static void draw_cache(draw *d)
{
    switch (below(d, 8)) {
    case 0:
    case 1:
    case 2:
        draw_fetch(d);
        return;
    case 3:
    case 4:
        draw_store(d);
        return;
    case 5:
        draw_forget(d);
        return;
    case 6:
        draw_wait(d, 1, ":g");
        return;
    default:
        draw_lock(d);
    }
}

static void begin_queue(draw *d, const rl_script *script)
{
    static const char *const keys[] = {"q", "q:res", "q:st", "q:ag", "q:dead", "q:wake", "q:tim", "q:keep"};

    begin_script(d, script);
    for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
        add_key(d, keys[i]);
    }
}

static void add_id(draw *d)
{
    add_mostly(d, PICK(d, "a", "b", "c", "d", "e", "f"));
}

/* Calls have few numbers and tokens, so that there are repeats and late ones. */
static void draw_enqueue(draw *d)
{
    char call[64];

    begin_queue(d, &rl_script_queue_enqueue);
    add_key(d, PICK(d, "q:c1", "q:c2"));
    end_keys(d);
    snprintf(call, sizeof(call), "%020zu%024zx", below(d, 9), below(d, 2));
    add(d, call);
    add_mostly(d, PICK(d, "5000", "65000"));
    add_mostly(d, PICK(d, "0", "0", "0", "100", "1500", "60000"));
    add_flag(d, 30);
    for (size_t count = 1 + below(d, 4); count > 0; count--) {
        add_id(d);
    }
}

/* Takes or reserves tasks, by a worker that may wait. */
static void draw_take(draw *d)
{
    begin_queue(d, &rl_script_queue_take);
    end_keys(d);
    add_mostly(d, PICK(d, "0", "1", "1", "2", "1000"));
    add_mostly(d, PICK(d, "0", "100", "1000", "30000", "30000"));
    add_mostly(d, PICK(d, "r", "s"));
    add_mostly(d, PICK(d, "0", "1", "2", "3"));
    add_mostly(d, PICK(d, "", "w1", "w2", "w3"));
    add_flag(d, 50);
    if (chance(d, 70)) {
        add_mostly(d, "0");
    } else {
        add_number(d, d->now + PICK_NUMBER(d, -1000, 5000, 1000000));
    }
}

static void draw_settle(draw *d)
{
    begin_queue(d, &rl_script_queue_settle);
    end_keys(d);
    add_mostly(d, PICK(d, "ack", "ack", "release", "release", "touch"));
    add_id(d);
    add_mostly(d, PICK(d, "r.1", "r.1", "r.2", "s.1", "s.2"));
    add_mostly(d, PICK(d, "0", "0", "500", "10000"));
    add_mostly(d, PICK(d, "0", "1", "2"));
}

/* A task as bytes: the score, the attempts and the length of its id, then the id, which is one letter. */
static size_t pack_task(draw *d, char *at)
{
    double score = (double)(d->now / 1000000) + (double)below(d, 4) / 4;
    uint32_t attempts = (uint32_t)below(d, 3);
    uint64_t bits;

    memcpy(&bits, &score, sizeof(bits));
    for (size_t i = 0; i < 8; i++) {
        at[i] = (char)(bits >> (56 - 8 * i));
    }
    memcpy(at + 8, (char[]){0, 0, 0, (char)attempts, 0, 0, 0, 1}, 8);
    at[16] = PICK(d, "a", "b", "c", "d")[0];
    return 17;
}

static void draw_put_back(draw *d)
{
    char packed[64];
    size_t len = pack_task(d, packed);

    if (chance(d, 50)) {
        len += pack_task(d, packed + len);
    }
    begin_queue(d, &rl_script_queue_put_back);
    end_keys(d);
    add_bytes(d, packed, chance(d, 3) ? below(d, len) : len);
}

static void draw_dequeue(draw *d)
{
    char packed[64];

    pack_task(d, packed);
    begin_queue(d, &rl_script_queue_dequeue);
    end_keys(d);
    add_id(d);
    add_bytes(d, packed, chance(d, 3) ? below(d, 8) : 8);
}

/* requeue, dead, top and stats. */
static void draw_look_at_queue(draw *d)
{
    size_t kind = below(d, 4);

    begin_queue(d, kind == 0   ? &rl_script_queue_requeue
                   : kind == 1 ? &rl_script_queue_dead
                   : kind == 2 ? &rl_script_queue_top
                               : &rl_script_queue_stats);
    end_keys(d);
    if (kind == 0 && chance(d, 50)) {
        add_id(d);
        add_id(d);
    } else if (kind == 1 || kind == 2) {
        add_mostly(d, PICK(d, "1", "2", "10"));
    }
    if (kind == 2) {
        add_mostly(d, PICK(d, "0", "1", "2"));
    }
}

/* Draws what a client of a queue sends, or the BLPOP of a waiting worker. */
static void draw_queue(draw *d)
{
    static void (*const kinds[])(draw *) = {draw_enqueue, draw_enqueue,  draw_enqueue, draw_take,
                                            draw_take,    draw_take,     draw_settle,  draw_settle,
                                            draw_settle,  draw_put_back, draw_dequeue, draw_look_at_queue};
    size_t kind = below(d, sizeof(kinds) / sizeof(*kinds) + 2);

    if (kind < sizeof(kinds) / sizeof(*kinds)) {
        kinds[kind](d);
        return;
    }
    add(d, "BLPOP");
    if (chance(d, 50)) {
        add_key(d, "q:tim");
    }
    add_key(d, "q:wake");
    add(d, PICK(d, "0.05", "0.5", "2", "0"));
}

/* ---- steps ---- */

static void out_bytes(draw *d, const char *bytes, size_t len)
{
    d->out = realloc(d->out, d->out_len + len + 1);
    if (d->out == NULL) {
        abort();
    }
    memcpy(d->out + d->out_len, bytes, len);
    d->out_len += len;
    d->out[d->out_len] = '\0';
}

static void out_header(draw *d, char type, size_t number)
{
    char header[32];

    out_bytes(d, header, (size_t)snprintf(header, sizeof(header), "%c%zu\r\n", type, number));
}

/* Writes the words as a request, and forgets them. */
static void out_request(draw *d)
{
    out_header(d, '*', d->count);
    for (size_t i = 0; i < d->count; i++) {
        const rl_script *script = d->words[i].script;
        const char *text = d->words[i].text;
        size_t len = script != NULL ? script->text_len : text != NULL ? strlen(text) : d->words[i].len;
        out_header(d, '$', len);
        out_bytes(d, script != NULL ? script->text : text != NULL ? text : d->words[i].bytes, len);
        out_bytes(d, "\r\n", 2);
    }
    d->count = 0;
}

/* Bytes that are no requests, or not quite. */
static const char *const broken[] = {"*1\r\n+PING\r\n",
                                     "*x\r\n",
                                     "*-1\r\n*0\r\n*1\r\n$4\r\nPING\r\n",
                                     "*1\r\n$-1\r\n",
                                     "*1\r\n$x\r\n",
                                     "*99999999999\r\n",
                                     "*01\r\n$4\r\nPING\r\n",
                                     "*1\r\n$04\r\nPING\r\n",
                                     "*2\r\n$4\r\nPING\r\n:1\r\n",
                                     "*1\r\n$4\r\nPING\r\n*1\r\n$999999999999\r\n",
                                     "*1\r\n$4\r\nPINGxx*1\r\n$4\r\nPING\r\n",
                                     "*11\r\n$4\r\nPING\r\n",
                                     "*1\r\n$\r\n",
                                     "*\r\n"};

/* What a sequence is about: how often, of a hundred requests, each kind is drawn. The rest are plain commands. */
typedef struct theme {
    unsigned evals, locks, many, caches, queues;
} theme;

/* Draws a request and writes it out. */
static void draw_request(draw *d, const theme *t)
{
    unsigned at = (unsigned)below(d, 100);

    d->count = 0;
    if (at < t->evals) {
        draw_eval(d);
    } else if ((at -= t->evals) < t->locks) {
        draw_lock(d);
    } else if ((at -= t->locks) < t->many) {
        draw_many(d);
    } else if ((at -= t->many) < t->caches) {
        draw_cache(d);
    } else if ((at -= t->caches) < t->queues) {
        draw_queue(d);
    } else {
        draw_command(d, false);
    }
    out_request(d);
}

/* Redis reads up to 16 KiB at a time. If requests took longer than that, others might go on in between. */
#define ENOUGH 8000

/* Draws a step that sends: mostly one request, some at once, or bytes that are none. */
static void draw_send(draw *d, const theme *t, step *s)
{
    s->kind = STEP_SEND;
    d->out = NULL;
    d->out_len = 0;
    if (chance(d, 1)) {
        const char *bytes = broken[below(d, sizeof(broken) / sizeof(*broken))];
        out_bytes(d, bytes, strlen(bytes));
    } else {
        size_t count = chance(d, 80) ? 1 : 2 + below(d, 3);
        for (size_t i = 0; i < count && (i == 0 || d->out_len < ENOUGH); i++) {
            draw_request(d, t);
        }
        /* More than one request would not be the same in two parts: others might go on in between. */
        if (count == 1 && chance(d, 5)) {
            s->cut = below(d, d->out_len);
        }
    }
    s->bytes = d->out;
    s->len = d->out_len;
}

static char *copy(const char *text)
{
    char *made = malloc(strlen(text) + 1);

    if (made == NULL) {
        abort();
    }
    return strcpy(made, text);
}

/* Draws a state in which servers refuse requests, or its end. */
static void draw_fault(draw *d, step *s)
{
    s->amount = chance(d, 60);
    switch (below(d, 9)) {
    case 0:
    case 1:
    case 2:
        s->kind = STEP_FULL;
        return;
    case 3:
        s->kind = STEP_READ_ONLY;
        return;
    case 4:
        s->kind = STEP_FLUSH_SCRIPTS;
        return;
    case 5:
        s->kind = STEP_PASSWORD;
        return;
    default:
        s->kind = STEP_DENY;
        if (chance(d, 75)) {
            s->bytes = copy(PICK(d, "set", "get", "del", "zadd", "zrem", "zcard", "rpush", "pexpire", "pttl", "blpop",
                                 "eval", "evalsha", "lindex", "time", "zremrangebyscore", "hget", "hset", "role"));
        }
    }
}

/* Moves the clock, seldom back. */
static void draw_time(draw *d, step *s)
{
    s->kind = STEP_TIME;
    s->amount = PICK_NUMBER(d, 1, 999, 1000, 1001, 5000, 50000, 100000, 300000, 301000, 700000, 1000000, 1001000,
                            2000000, 10000000);
    s->amount += chance(d, 50) ? (int64_t)below(d, 1000) : 0;
    s->amount = chance(d, 5) ? -s->amount : s->amount;
    d->now += s->amount;
}

/* Each sequence has a theme, and one in three has faults. */
void sequence_draw(sequence *s, uint64_t seed)
{
    static const theme themes[] = {{10, 0, 0, 0, 0}, {60, 0, 0, 0, 0},  {3, 85, 5, 0, 0},
                                   {3, 85, 5, 0, 0}, {2, 40, 50, 0, 0}, {2, 0, 0, 88, 0},
                                   {2, 0, 0, 0, 90}, {2, 0, 0, 0, 90},  {10, 20, 10, 20, 20}};
    draw d = {.random = seed};
    const theme *t = &themes[below(&d, sizeof(themes) / sizeof(*themes))];
    unsigned faults = chance(&d, 30) ? 10 : 0;

    *s = (sequence){.seed = seed};
    s->start = d.now = INT64_C(1700000000000000) + (int64_t)(draw_bits(&d) % UINT64_C(1000000000000));
    s->knows_scripts = chance(&d, 85);
    d.is_mostly_cold = !s->knows_scripts;
    s->count = 10 + below(&d, 40);
    for (size_t i = 0; i < s->count; i++) {
        step *next = &s->steps[i];
        next->link = (unsigned)below(&d, LINKS);
        if (chance(&d, faults)) {
            draw_fault(&d, next);
        } else if (chance(&d, 12)) {
            draw_time(&d, next);
        } else if (chance(&d, 3)) {
            next->kind = STEP_RECONNECT;
        } else {
            draw_send(&d, t, next);
        }
    }
}

void sequence_free(sequence *s)
{
    for (size_t i = 0; i < s->count; i++) {
        free(s->steps[i].bytes);
    }
}

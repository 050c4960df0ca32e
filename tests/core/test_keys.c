/* SPDX-License-Identifier: MIT
 *
 * Keys, tokens, batons.
 */
#include "bed.h"

#include <stdlib.h>

static bool is(rl_bytes bytes, const char *text)
{
    return bytes.len == strlen(text) && memcmp(bytes.at, text, bytes.len) == 0;
}

static void check_keys(const char *name, const char *lock, const char *baton, const char *wait, const char *fence)
{
    lock_keys keys;

    lock_keys_init(&keys, BYTES("lock:"), BYTES(name));
    if (!is(keys.lock, lock) || !is(keys.baton, baton) || !is(keys.wait, wait) || !is(keys.fence, fence)) {
        test_fail(__FILE__, __LINE__, "%s: %.*s %.*s", name, (int)keys.lock.len, keys.lock.at, (int)keys.baton.len,
                  keys.baton.at);
    }
    lock_keys_free(&keys);
}

TEST(keys_side_keys_share_the_slot_of_the_lock)
{
    check_keys("a", "lock:a", "{lock:a}:rl:baton", "{lock:a}:rl:wait", "{lock:a}:rl:fence");
    check_keys("{a}b", "lock:{a}b", "lock:{a}b:rl:baton", "lock:{a}b:rl:wait", "lock:{a}b:rl:fence");
    check_keys("a{", "lock:a{", "{lock:a{}:rl:baton", "{lock:a{}:rl:wait", "{lock:a{}:rl:fence");
    /* An empty tag is no hash tag. The first } then ends our tag early, so the side keys are in another slot, which
     * does not matter on a single server; in a cluster such a name is refused. */
    check_keys("{}a", "lock:{}a", "{lock:{}a}:rl:baton", "{lock:{}a}:rl:wait", "{lock:{}a}:rl:fence");
}

static void add_all(lock_keys *keys, rl_bytes *all, const char *prefix, const char *name)
{
    lock_keys_init(keys, BYTES(prefix), BYTES(name));
    all[0] = keys->lock;
    all[1] = keys->baton;
    all[2] = keys->wait;
    all[3] = keys->fence;
}

TEST(keys_that_differ_share_no_key)
{
    static const char *const names[] = {"a", "{a}", "{a}:", "{{a}}", "{a", "a}", "{}", "{}a", "{a}{b}", "b{a}", "{a}b"};
    static const char *const prefixes[] = {"", "lock:", "{p}"};
    enum { COUNT = sizeof(names) / sizeof(*names) };

    for (size_t p = 0; p < 3; p++) {
        lock_keys keys[COUNT];
        rl_bytes all[COUNT * 4];
        for (size_t i = 0; i < COUNT; i++) {
            add_all(&keys[i], all + 4 * i, prefixes[p], names[i]);
        }
        for (size_t i = 0; i < COUNT * 4; i++) {
            for (size_t j = 0; j < i; j++) {
                if (all[i].len == all[j].len && memcmp(all[i].at, all[j].at, all[i].len) == 0) {
                    test_fail(__FILE__, __LINE__, "prefix '%s': %s and %s share %.*s", prefixes[p], names[i / 4],
                              names[j / 4], (int)all[i].len, all[i].at);
                }
            }
        }
        for (size_t i = 0; i < COUNT; i++) {
            lock_keys_free(&keys[i]);
        }
    }
}

TEST(keys_may_hold_any_byte)
{
    static const char name[] = "a\0b\r\nc \xff";
    lock_keys keys;

    lock_keys_init(&keys, (rl_bytes){"p\0", 2}, (rl_bytes){name, 8});
    CHECK_INT(keys.lock.len, 10);
    CHECK(memcmp(keys.lock.at, "p\0a\0b\r\nc \xff", 10) == 0);
    CHECK_INT(keys.baton.len, 10 + 2 + 9);
    CHECK(memcmp(keys.baton.at, "{p\0a\0b\r\nc \xff}:rl:baton", keys.baton.len) == 0);
    lock_keys_free(&keys);

    lock_keys_init(&keys, BYTES(""), BYTES(""));
    CHECK_INT(keys.lock.len, 0);
    lock_keys_free(&keys);
}

TEST(keys_of_side_keys_are_reserved)
{
    CHECK(lock_name_is_reserved(BYTES("x:rl:baton")));
    CHECK(lock_name_is_reserved(BYTES(":rl:wait")));
    CHECK(lock_name_is_reserved(BYTES("{x}:rl:fence")));
    CHECK(lock_name_is_reserved(BYTES("x:rl:note")));
    CHECK(lock_name_is_reserved(BYTES("x:rl:tag:value")));
    CHECK(lock_name_is_reserved(BYTES("x:rl:wake")));
    CHECK(!lock_name_is_reserved(BYTES("x:rl:batons")));
    CHECK(!lock_name_is_reserved(BYTES("rl:baton")));
    CHECK(!lock_name_is_reserved(BYTES("x:rl:baton ")));
    CHECK(!lock_name_is_reserved(BYTES(":note")));
    CHECK(!lock_name_is_reserved(BYTES("note")));
    CHECK(!lock_name_is_reserved(BYTES("")));
}

TEST(keys_a_baton_is_known_by_its_prefix)
{
    CHECK(lock_token_is_baton(BYTES("rl:baton:")));
    CHECK(lock_token_is_baton(BYTES("rl:baton:0123")));
    CHECK(!lock_token_is_baton(BYTES("rl:baton")));
    CHECK(!lock_token_is_baton(BYTES("rl:0123")));
    CHECK(!lock_token_is_baton(BYTES("")));
}

static void check_hex(const char *at, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        CHECK((at[i] >= '0' && at[i] <= '9') || (at[i] >= 'a' && at[i] <= 'f'));
    }
}

static int compare_tokens(const void *a, const void *b)
{
    return memcmp(a, b, LOCK_TOKEN_LEN);
}

TEST(keys_random_ones_have_their_form_and_differ)
{
    enum { COUNT = 5000 };
    char(*tokens)[LOCK_TOKEN_LEN] = platform_alloc(COUNT * LOCK_TOKEN_LEN);
    char baton[LOCK_BATON_LEN], waiter[LOCK_WAITER_LEN];

    lock_random_baton(baton);
    CHECK(lock_token_is_baton((rl_bytes){baton, LOCK_BATON_LEN}));
    check_hex(baton + 9, 32);
    lock_random_waiter(waiter);
    check_hex(waiter, LOCK_WAITER_LEN);
    for (size_t i = 0; i < COUNT; i++) {
        lock_random_token(tokens[i]);
        CHECK(memcmp(tokens[i], "rl:", 3) == 0);
        check_hex(tokens[i] + 3, 32);
    }
    qsort(tokens, COUNT, LOCK_TOKEN_LEN, compare_tokens);
    for (size_t i = 1; i < COUNT; i++) {
        CHECK(memcmp(tokens[i - 1], tokens[i], LOCK_TOKEN_LEN) != 0);
    }
    free(tokens);
}

/* ---- slots of a cluster ---- */

/* The specification's hash slot, worked out bit by bit: CRC16 (XMODEM) of the hash tag, or of the whole key. */
static unsigned slot_of(rl_bytes key)
{
    unsigned crc = 0;
    size_t begin = 0, end = key.len;

    for (size_t open = 0; open < key.len; open++) {
        if (key.at[open] == '{') {
            size_t close = open + 1;
            while (close < key.len && key.at[close] != '}') {
                close++;
            }
            if (close < key.len && close > open + 1) {
                begin = open + 1;
                end = close;
            }
            break;
        }
    }
    for (size_t i = begin; i < end; i++) {
        crc ^= (unsigned)(unsigned char)key.at[i] << 8;
        for (int bit = 0; bit < 8; bit++) {
            crc = (crc & 0x8000 ? crc << 1 ^ 0x1021 : crc << 1) & 0xffff;
        }
    }
    return crc % 16384;
}

/* Are the slots of all keys beside the lock prefix + name that of the lock? */
static bool has_one_slot(rl_bytes prefix, rl_bytes name)
{
    lock_keys keys;
    lock_value_keys value_keys;
    char *memory;

    lock_keys_init(&keys, prefix, name);
    lock_value_keys_init(&value_keys, keys.lock);
    rl_bytes beside[] = {keys.baton,       keys.wait,       keys.fence,
                         value_keys.value, value_keys.wake, lock_note_key(keys.lock, &memory)};
    bool one = true;
    for (size_t i = 0; i < sizeof(beside) / sizeof(*beside); i++) {
        one &= slot_of(beside[i]) == slot_of(keys.lock);
    }
    free(memory);
    lock_value_keys_free(&value_keys);
    lock_keys_free(&keys);
    return one;
}

TEST(keys_slots_are_those_of_the_specification)
{
    CHECK_INT(slot_of(BYTES("123456789")), 0x31c3);
    CHECK_INT(slot_of(BYTES("foo")), 12182); /* as redis-server says */
    CHECK_INT(slot_of(BYTES("{user1000}.following")), slot_of(BYTES("user1000")));
    CHECK(slot_of(BYTES("foo{}{bar}")) != slot_of(BYTES("bar")));
    CHECK_INT(slot_of(BYTES("foo{{bar}}zap")), slot_of(BYTES("{bar")));
    CHECK_INT(slot_of(BYTES("foo{bar}{zap}")), slot_of(BYTES("bar")));
}

/* Draws strings of few letters, so that every way in which braces can stand comes up. */
TEST(keys_have_one_slot_as_the_specification_hashes_them)
{
    static const char letters[] = "ab{}:";
    unsigned chance = 0, refused = 0, prefixed = 0;
    uint64_t seed = 1;

    for (int i = 0; i < 50000; i++) {
        char text[12];
        rl_bytes name = {text, 1};
        for (size_t j = 0; j < sizeof(text); j++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            text[j] = letters[(seed >> 33) % (sizeof(letters) - 1)];
            name.len = j == 0 ? 1 + (seed >> 40) % sizeof(text) : name.len;
        }
        rl_bytes prefix = {text, (seed >> 50) % (name.len + 1)};
        rl_bytes rest = {text + prefix.len, name.len - prefix.len};
        bool said = lock_key_has_one_slot(name), is = has_one_slot(BYTES(""), name);
        CHECK_INT(lock_name_has_one_slot(prefix, rest), said);
        CHECK_INT(lock_name_has_one_slot(BYTES(""), name), said);
        CHECK(!said || is);
        refused += !said;
        prefixed += prefix.len > 0 && rest.len > 0;
        chance += !said && is; /* two texts that happen to have one slot */
    }
    CHECK(refused > 10000 && refused < 40000 && prefixed > 10000);
    CHECK(chance < 20); /* of 16384 slots each */
}

TEST(keys_have_no_one_slot_by_a_stray_brace)
{
    static const char *const good[] = {"a",   "lock:a b", "{a}",  "a{b}c", "a{",     "{",
                                       "{{}", "a}{b}",    "{a}}", "{a}{}", "a{b}{c}"};
    static const char *const bad[] = {"",      "}",   "a}",   "{}",  "a{}", "{}a",
                                      "{}{a}", "a}{", "a}{}", "a}b", "}{",  "a}{}{b}"};

    for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++) {
        if (!lock_key_has_one_slot(BYTES(good[i])) || !has_one_slot(BYTES(""), BYTES(good[i]))) {
            test_fail(__FILE__, __LINE__, "%s", good[i]);
        }
    }
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
        if (lock_key_has_one_slot(BYTES(bad[i])) || has_one_slot(BYTES(""), BYTES(bad[i]))) {
            test_fail(__FILE__, __LINE__, "%s", bad[i]);
        }
    }
    CHECK(lock_name_has_one_slot(BYTES("p}"), BYTES("{a}")));
    CHECK(!lock_name_has_one_slot(BYTES("p{"), BYTES("}a")));
    CHECK(lock_name_has_one_slot(BYTES("p{"), BYTES("a}")));
}

/* SPDX-License-Identifier: MIT
 *
 * Requests as bytes, and scripts that the server does not know (any more).
 */
#include "bed.h"

#include <stdio.h>

#include "redis/session.h"
#include "redis/request.h"

static void check_bytes(const char *file, int line, const rl_request *request, bool whole, const char *wanted)
{
    rl_buffer buffer = {0};

    rl_buffer_request(&buffer, request, whole);
    if (buffer.len != strlen(wanted) || memcmp(buffer.at, wanted, buffer.len) != 0) {
        test_fail(file, line, "%.*s, not %s", (int)buffer.len, buffer.at, wanted);
    }
    rl_buffer_free(&buffer);
}

#define CHECK_BYTES(request, whole, wanted) check_bytes(__FILE__, __LINE__, request, whole, wanted)

TEST(request_a_plain_command_is_an_array_of_bulks)
{
    rl_request request = {0};

    rl_request_add(&request, RL_LITERAL("SET"));
    rl_request_add(&request, RL_LITERAL("k"));
    rl_request_add(&request, RL_LITERAL(""));
    CHECK_BYTES(&request, false, "*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$0\r\n\r\n");
}

#define RETURN_1 RL_SCRIPT_EVALSHA("e0e1f9fabfc9d4800c877a703b823ac0578ff8db") /* of the script "return 1" */

TEST(request_goes_by_its_sha1_or_whole)
{
    static const rl_script script = {"s", "return 1", 8, RETURN_1, 0};
    rl_request request = {.script = &script};

    CHECK_BYTES(&request, false,
                "*3\r\n$7\r\nEVALSHA\r\n$40\r\ne0e1f9fabfc9d4800c877a703b823ac0578ff8db\r\n$1\r\n0\r\n");
    rl_request_add(&request, RL_LITERAL("k"));
    request.keys = 1;
    rl_request_add(&request, RL_LITERAL("v"));
    CHECK_BYTES(&request, true, "*5\r\n$4\r\nEVAL\r\n$8\r\nreturn 1\r\n$1\r\n1\r\n$1\r\nk\r\n$1\r\nv\r\n");
    CHECK_BYTES(
        &request, false,
        "*5\r\n$7\r\nEVALSHA\r\n$40\r\ne0e1f9fabfc9d4800c877a703b823ac0578ff8db\r\n$1\r\n1\r\n$1\r\nk\r\n$1\r\nv\r\n");
}

TEST(request_more_arguments_follow_the_others)
{
    static const rl_script script = {"s", "return 1", 8, RETURN_1, 0};
    const rl_bytes more[] = {RL_LITERAL("l"), RL_LITERAL("v")};
    rl_request request = {.script = &script, .keys = 2, .more = more, .more_count = 2};

    rl_request_add(&request, RL_LITERAL("k"));
    CHECK_BYTES(&request, true, "*6\r\n$4\r\nEVAL\r\n$8\r\nreturn 1\r\n$1\r\n2\r\n$1\r\nk\r\n$1\r\nl\r\n$1\r\nv\r\n");
}

static void check_argument(const rl_request *request, const char *text)
{
    char wanted[64];

    snprintf(wanted, sizeof(wanted), "*1\r\n$%zu\r\n%s\r\n", strlen(text), text);
    CHECK_BYTES(request, false, wanted);
}

TEST(request_numbers_are_exact)
{
    static const struct {
        int64_t number;
        const char *text;
    } cases[] = {
        {0, "0"},
        {7, "7"},
        {-1, "-1"},
        {10, "10"},
        {1000000, "1000000"},
        {INT64_MAX, "9223372036854775807"},
        {INT64_MIN, "-9223372036854775808"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        rl_request request = {0};
        char digits[RL_DIGITS];
        rl_request_add_number(&request, cases[i].number, digits);
        check_argument(&request, cases[i].text);
    }
}

TEST(request_seconds_have_three_decimals)
{
    static const struct {
        int64_t span;
        const char *text;
    } cases[] = {
        {0, "0.000"},
        {999, "0.000"},
        {PLATFORM_MSEC, "0.001"},
        {1500 * PLATFORM_MSEC, "1.500"},
        {100 * PLATFORM_SEC - 1, "99.999"},
        {PLATFORM_NEVER - 1, "9223372036854.775"},
        {PLATFORM_NEVER, "0"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        rl_request request = {0};
        char digits[RL_DIGITS];
        rl_request_add_seconds(&request, cases[i].span, digits);
        check_argument(&request, cases[i].text);
    }
}

TEST(request_arguments_may_hold_any_byte_and_be_long)
{
    enum { SIZE = 300000 };
    char *big = platform_alloc(SIZE);
    rl_request request = {0};
    rl_buffer buffer = {0};

    memset(big, 'x', SIZE);
    rl_request_add(&request, (rl_bytes){"a\0\r\n", 4});
    rl_request_add(&request, (rl_bytes){big, SIZE});
    rl_buffer_request(&buffer, &request, false);
    CHECK_INT(buffer.len, 4 + 4 + 6 + 9 + SIZE + 2);
    CHECK(memcmp(buffer.at, "*2\r\n$4\r\na\0\r\n\r\n$300000\r\nxxx", 26) == 0);
    CHECK(memcmp(buffer.at + buffer.len - 4, "xx\r\n", 4) == 0);
    rl_buffer_request(&buffer, &request, false); /* appended to what the buffer holds */
    CHECK_INT(buffer.len, 2 * (4 + 4 + 6 + 9 + SIZE + 2));
    rl_buffer_free(&buffer);
    CHECK_INT(buffer.size, 0);
    free(big);
}

TEST(request_unknown_script_is_told_by_the_first_word)
{
    static const char ours[] = "NOSCRIPT No matching script. Please use EVAL.";

    CHECK(rl_script_is_unknown(ours, sizeof(ours) - 1));
    CHECK(rl_script_is_unknown("NOSCRIPT", 8));
    CHECK(!rl_script_is_unknown("NOSCRIP", 7));
    CHECK(!rl_script_is_unknown("ERR NOSCRIPT", 12));
    CHECK(!rl_script_is_unknown("", 0));
}

TEST(request_knows_that_a_command_is_unknown)
{
    CHECK(rl_command_is_unknown("ERR unknown command 'EVALSHA', with args beginning with: 'x' ", "evalsha"));
    CHECK(rl_command_is_unknown("ERR unknown command `evalsha`, with args beginning with: ", "evalsha"));
    CHECK(rl_command_is_unknown("ERR unknown command: evalsha", "evalsha"));
    CHECK(rl_command_is_unknown("unsupported command 'blpop'", "blpop"));
    CHECK(!rl_command_is_unknown("ERR unknown command 'EVALSHA', with args beginning with: 'eval' ", "eval"));
    CHECK(!rl_command_is_unknown("ERR unknown command 'EVAL_RO'", "eval"));
    CHECK(!rl_command_is_unknown("ERR unknown subcommand 'eval'", "eval"));
    CHECK(!rl_command_is_unknown("NOPERM this user has no permissions to run the 'eval' command", "eval"));
    CHECK(!rl_command_is_unknown("", "eval"));
}

/* Makes a script that counts how often it runs, which the server knows. `call` holds the result's RL_SCRIPT_EVALSHA. */
static rl_script counting_script(server *s, char call[RL_SCRIPT_EVALSHA_LEN + 1])
{
    static const char text[] = "return redis.call('INCR', KEYS[1])";

    snprintf(call, RL_SCRIPT_EVALSHA_LEN + 1, RL_SCRIPT_EVALSHA("%s"), say(s, "SCRIPT LOAD %s", text));
    return (rl_script){"counting", text, sizeof(text) - 1, call, 0};
}

TEST(request_of_a_script_that_was_flushed_is_sent_whole_and_runs_once)
{
    char call[RL_SCRIPT_EVALSHA_LEN + 1];

    SERVER(s, NULL);
    CLIENT(c, s.path);
    rl_script script = counting_script(&s, call);
    for (int i = 1; i <= 6; i++) {
        rl_clock clock = rl_clock_budget(platform_now(), MS(1000));
        rl_session session;
        rl_error error;
        if (i % 2 == 1) {
            say(&s, "SCRIPT FLUSH");
        }
        rl_session_open(&session, &c.lock.target, 1, 1, 0);
        rl_request *request = rl_session_request(&session, 0);
        rl_request_begin(request, &script);
        rl_request_add(request, RL_LITERAL("n"));
        request->keys = 1;
        CHECK(rl_session_ask(&session, &clock, &(rl_policy){.judge = rl_judge_count}, &error));
        CHECK_INT(session.calls[0].reply->integer, i);
        rl_session_close(&session);
    }
    CHECK_TEXT(say(&s, "GET n"), "6");
    CHECK_INT(server_calls(&s, "eval"), 3);
    CHECK_INT(server_calls(&s, "evalsha"), 6);
}

TEST(request_script_cache_may_be_lost_between_any_two_calls)
{
    SERVER(s, NULL);
    CLIENT(c, s.path);
    c.lock.fencing = true;
    for (int i = 0; i < 3; i++) {
        say(&s, "SCRIPT FLUSH");
        CHECK_INT(take(&c, "a", 5000, 500), LOCK_YES);
        say(&s, "SCRIPT FLUSH");
        CHECK_INT(extend(&c, "a", 6000), LOCK_YES);
        say(&s, "SCRIPT FLUSH");
        CHECK_INT(waiters(&c, "a"), 0);
        say(&s, "SCRIPT FLUSH");
        CHECK_INT(take_as(&c, "a", "x", 5000, 0), LOCK_BUSY);
        say(&s, "SCRIPT FLUSH");
        CHECK_INT(lock_force_release(&c.lock, BYTES("a"), &c.error), LOCK_YES);
    }
}

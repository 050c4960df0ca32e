/* SPDX-License-Identifier: MIT
 *
 * harness: tests with names. Each runs in a process of its own, so a crash, a leak or a test that never ends costs one
 * line of the report and nothing else.
 *
 *   TEST(release_by_another_does_nothing)
 *   {
 *       CHECK(2 * 2 == 4);
 *   }
 *
 * The first CHECK that fails ends its test, from whichever thread or child process it was made.
 */
#ifndef REDISLOCK_TEST_HARNESS_H
#define REDISLOCK_TEST_HARNESS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct test {
    const char *name;
    void (*run)(void);
    struct test *next;
    int number;
} test;

/* Called before main() by what TEST() writes. */
void test_register(test *t);

#define TEST(name)                                                                                                     \
    static void name(void);                                                                                            \
    __attribute__((constructor)) static void register_##name(void)                                                     \
    {                                                                                                                  \
        static test t = {#name, name, NULL, 0};                                                                        \
        test_register(&t);                                                                                             \
    }                                                                                                                  \
    static void name(void)

/* Reports the failure and ends the process. */
__attribute__((noreturn, format(printf, 3, 4))) void test_fail(const char *file, int line, const char *format, ...);

/* The same for what no busy machine excuses: it is final, while a test that failed may be tried again. */
__attribute__((noreturn, format(printf, 3, 4))) void test_unsafe(const char *file, int line, const char *format, ...);

/* What a test measured; shown behind its name. */
__attribute__((format(printf, 1, 2))) void note(const char *format, ...);

void check_int(const char *file, int line, const char *what, int64_t is, int64_t wanted);
void check_range(const char *file, int line, const char *what, int64_t low, int64_t is, int64_t high);
void check_text(const char *file, int line, const char *what, const char *is, const char *wanted);

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            test_fail(__FILE__, __LINE__, "%s", #condition);                                                           \
        }                                                                                                              \
    } while (0)
/* Two holders at once, a task done twice: see test_unsafe(). */
#define CHECK_SAFE(condition)                                                                                          \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            test_unsafe(__FILE__, __LINE__, "%s", #condition);                                                         \
        }                                                                                                              \
    } while (0)
#define CHECK_INT(is, wanted)      check_int(__FILE__, __LINE__, #is, is, wanted)
#define CHECK_RANGE(low, is, high) check_range(__FILE__, __LINE__, #is, low, is, high)
#define CHECK_TEXT(is, wanted)     check_text(__FILE__, __LINE__, #is, is, wanted)

/* ms that the processes of this test were ready to run, but others ran: what a busy machine kept from them since the test
 * began, or since held_up_from_now(). To be added to what something may take at most; on an idle machine it is next to
 * nothing. */
int64_t held_up(void);
void held_up_from_now(void);

/* A folder of this test's own, gone when all are done. */
const char *test_folder(void);

#endif

/* SPDX-License-Identifier: MIT
 *
 * harness: runs tests that have names. Each runs in a process of its own, so that a crash, a leak or a test that never
 * ends costs one line of the report and nothing else.
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
#include <sys/types.h>

typedef struct test {
    const char *name;
    void (*run)(void);
    struct test *next;
    int number;
} test;

/* Adds the test to those that run. Called before main() by the constructor that TEST() writes. */
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

/* As test_fail(), for a failure that no busy machine excuses: it is final, while a test that failed may be tried
 * again. */
__attribute__((noreturn, format(printf, 3, 4))) void test_unsafe(const char *file, int line, const char *format, ...);

/* Adds what a test has measured to the report, where it is shown behind the test's name. */
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
/* Checks what no busy machine excuses, such as two holders at once or a task done twice: see test_unsafe(). */
#define CHECK_SAFE(condition)                                                                                          \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            test_unsafe(__FILE__, __LINE__, "%s", #condition);                                                         \
        }                                                                                                              \
    } while (0)
#define CHECK_INT(is, wanted)  check_int(__FILE__, __LINE__, #is, is, wanted)
#define CHECK_TEXT(is, wanted) check_text(__FILE__, __LINE__, #is, is, wanted)
/* The bounds are those of the moment at which the number is there: held_up() in them counts what happened while it was
 * measured. Of the arguments of a function, compilers take the last one first. */
#define CHECK_RANGE(low, is, high)                                                                                     \
    do {                                                                                                               \
        int64_t is_ = (is);                                                                                            \
        check_range(__FILE__, __LINE__, #is, low, is_, high);                                                          \
    } while (0)

/* Returns for how many ms the processes of this test were ready to run while others ran, since the test began or since
 * held_up_from_now(). A test adds it to the upper bound of a time; on an idle machine it is next to nothing. */
int64_t held_up(void);
void held_up_from_now(void);

/* A failure may be the machine's if it has held the test up for so many ms by then: shorter than any lease and any bound that
 * is tested. What fails although nothing kept it from running is final. */
#define HELD_UP_MS 50

/* Keeps count of what a process of this test has waited, which has ended and is not reaped yet; and of a thread of this
 * process, which calls this as the last thing that it does. */
void held_up_keep_process(pid_t pid);
void held_up_keep_thread(void);

#ifdef UNDER_VALGRIND
/* Called before the first test: does once what most tests do. */
extern void (*test_warm_up)(void);

/* The exit status of a process of which helgrind or DRD has reported something: see Makefile. */
#define REPORTED 99
#endif

/* Returns a folder of this test's own, which is removed when the test has ended. */
const char *test_folder(void);

#endif

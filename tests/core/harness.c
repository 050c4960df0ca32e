/* SPDX-License-Identifier: MIT
 *
 * harness: see harness.h. Usage: core_tests [-jRUNNERS] [PART-OF-A-NAME]…
 */
#define _GNU_SOURCE /* nftw */
#include "harness.h"

#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* A test that takes longer than this is taken to hang, and is killed. */
#ifdef UNDER_VALGRIND
#define TEST_SECONDS 300
#else
#define TEST_SECONDS 60
#endif

/* Most tests measure times, for which valgrind is too slow now and then, whatever held them up. So a check that fails there
 * counts as skipped, but not what valgrind reports, nor what no busy machine excuses. */
#ifdef UNDER_VALGRIND
#define TIMES_COUNT false
#else
#define TIMES_COUNT true
#endif

#define UNSAFE "UNSAFE: "

/* How many tests are run again at most: if more have failed, the machine is not to blame. */
#define MOST_AGAIN 8

typedef enum verdict {
    NOT_RUN,
    PASSED,
    HELD_UP, /* a check failed, and the machine had held the test up: see HELD_UP_MS */
    FAILED,  /* another check failed; or a CHECK_SAFE(), a crash, a leak, a hang, which no busy machine excuses */
} verdict;

static test *first, **last = &first;
static char root[64];   /* holds the folders of all tests of this runner */
static char folder[80]; /* of the test that runs */
static int report =
    STDERR_FILENO; /* of a test, pipe to the runner: a letter and a text, 'F' or 'H' (held up) and a failure, 'N' and a note */
static unsigned char *verdicts; /* by the number of a test; shared by the runners */

void test_register(test *t)
{
    *last = t;
    last = &t->next;
}

const char *test_folder(void)
{
    return folder;
}

static void send_report(const char *text)
{
    /* One write, shorter than PIPE_BUF, so that the reports of several processes do not mix. */
    if (write(report, text, strlen(text) + 1) < 0) {
        _exit(2);
    }
}

__attribute__((noreturn)) static void fail(const char *file, int line, bool excusable, const char *format, va_list args)
{
    char text[1024];
    const char *slash = strrchr(file, '/');
    long long held = held_up();
    bool excused = excusable && (held >= HELD_UP_MS || !TIMES_COUNT);
    int n = snprintf(text, sizeof(text), "%c%s%s:%d: ", excused ? 'H' : 'F', excusable ? "" : UNSAFE,
                     slash != NULL ? slash + 1 : file, line);

    n += vsnprintf(text + n, sizeof(text) - 64 - (size_t)n, format, args);
    if (n < (int)sizeof(text) - 64) {
        snprintf(text + n, 64, " (held up for %lld ms)", held);
    }
    send_report(text);
    _exit(1); /* not exit(): what the test still holds would be reported as leaks */
}

void test_fail(const char *file, int line, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    fail(file, line, true, format, args);
}

void test_unsafe(const char *file, int line, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    fail(file, line, false, format, args);
}

void note(const char *format, ...)
{
    char text[512] = "N";
    va_list args;

    va_start(args, format);
    vsnprintf(text + 1, sizeof(text) - 1, format, args);
    va_end(args);
    send_report(text);
}

void check_int(const char *file, int line, const char *what, int64_t is, int64_t wanted)
{
    if (is != wanted) {
        test_fail(file, line, "%s is %lld, not %lld", what, (long long)is, (long long)wanted);
    }
}

void check_range(const char *file, int line, const char *what, int64_t low, int64_t is, int64_t high)
{
    if (is < low || is > high) {
        test_fail(file, line, "%s is %lld, not within %lld to %lld", what, (long long)is, (long long)low,
                  (long long)high);
    }
}

void check_text(const char *file, int line, const char *what, const char *is, const char *wanted)
{
    if (is == NULL || wanted == NULL ? is != wanted : strcmp(is, wanted) != 0) {
        test_fail(file, line, "%s is \"%s\", not \"%s\"", what, is != NULL ? is : "(null)",
                  wanted != NULL ? wanted : "(null)");
    }
}

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
    (void)st, (void)type, (void)ftw;
    return remove(path);
}

static void remove_folder(const char *path)
{
    nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

static void run_in_child(const test *t, pid_t runner)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != runner) {
        _exit(1); /* the runner has ended already */
    }
    alarm(TEST_SECONDS);
    held_up_from_now();
    t->run();
    exit(0); /* not _exit(): LeakSanitizer looks for leaks here */
}

/* Waits for the end of a test, and reads what it reported from the pipe: its first failure and all its notes. Returns the
 * letter of the failure; 0: there is none. */
static char collect(int from, pid_t pid, int *status, char *failure, size_t failure_size, char *notes, size_t size)
{
    static char text[65536];
    size_t len = 0;
    ssize_t n;
    char kind = 0;

    waitpid(pid, status, 0);
    while (len < sizeof(text) - 1 && (n = read(from, text + len, sizeof(text) - 1 - len)) > 0) {
        len += (size_t)n;
    }
    failure[0] = notes[0] = '\0';
    for (size_t i = 0; i < len; i += strlen(text + i) + 1) {
        if (text[i] != 'N' && kind == 0) {
            kind = text[i];
            snprintf(failure, failure_size, "%s", text + i + 1);
        } else if (text[i] == 'N') {
            size_t used = strlen(notes);
            snprintf(notes + used, size - used, "%s%s", used > 0 ? ", " : "  # ", text + i + 1);
        }
    }
    return kind;
}

/* Returns the verdict on a test that has ended, and reported a failure of this kind. Unless it passed, `failure` then says
 * why. */
static verdict judge(int status, char kind, char *failure, size_t size)
{
    if (kind != 0) {
        return kind == 'H' ? HELD_UP : FAILED;
    }
    if (WIFSIGNALED(status)) {
        bool hangs = WTERMSIG(status) == SIGALRM;
        snprintf(failure, size, "%s%s", strsignal(WTERMSIG(status)), hangs ? ": it hangs" : "");
        return hangs && !TIMES_COUNT ? HELD_UP : FAILED;
    }
    if (status != 0) {
        snprintf(failure, size, "exit status %d", WEXITSTATUS(status));
        return FAILED;
    }
    return PASSED;
}

static verdict run_once(const test *t, char *failure, size_t size, char *notes, size_t notes_size)
{
    int ends[2], status;
    pid_t pid, runner = getpid();

    snprintf(folder, sizeof(folder), "%s/t", root);
    if (mkdir(folder, 0700) != 0 || pipe(ends) != 0 || (pid = fork()) < 0) {
        perror("core_tests");
        exit(2);
    }
    if (pid == 0) {
        close(ends[0]);
        report = ends[1];
        run_in_child(t, runner);
    }
    close(ends[1]);
    fcntl(ends[0], F_SETFL, O_NONBLOCK); /* a child that the test left behind must not hold us up */
    char kind = collect(ends[0], pid, &status, failure, size, notes, notes_size);
    close(ends[0]);
    remove_folder(folder);
    return judge(status, kind, failure, size);
}

/* Runs the test once, stores the verdict and prints a line about it. */
static void run(const test *t)
{
    char failure[1024], notes[1024];
    verdict was = run_once(t, failure, sizeof(failure), notes, sizeof(notes));

    verdicts[t->number] = was;
    if (was == PASSED) {
        printf("ok %s%s\n", t->name, notes);
    } else {
        const char *word = was == FAILED ? "not ok" : TIMES_COUNT ? "# failed" : "skip";
        printf("%s %s: %s%s\n", word, t->name, failure, notes);
    }
}

/* Runs a test once more, alone, that failed while the machine held it up. */
static void run_again(const test *t)
{
    char failure[1024], notes[1024];

    verdicts[t->number] = run_once(t, failure, sizeof(failure), notes, sizeof(notes));
    if (verdicts[t->number] == PASSED) {
        printf("ok %s # failed at first, and passed alone\n", t->name);
    } else {
        printf("not ok %s: again, alone: %s%s\n", t->name, failure, notes);
    }
}

static bool is_wanted(const test *t, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (strstr(t->name, argv[i]) != NULL) {
            return true;
        }
    }
    return argc < 2;
}

static void make_root(void)
{
    const char *tmp = getenv("TMPDIR");

    snprintf(root, sizeof(root), "%.40s/redislock-XXXXXX", tmp != NULL && strlen(tmp) <= 40 ? tmp : "/tmp");
    if (mkdtemp(root) == NULL) {
        perror(root);
        exit(2);
    }
}

#ifdef UNDER_VALGRIND
void (*test_warm_up)(void);

/* Valgrind translates code when it runs for the first time, which takes longer than some leases last. What a process has
 * translated is there in those that it forks. */
static void warm_up(void)
{
    snprintf(folder, sizeof(folder), "%s/t", root);
    if (mkdir(folder, 0700) != 0) {
        perror(folder);
        exit(2);
    }
    test_warm_up();
    remove_folder(folder);
}
#endif

/* Runs the share of runner number `mine`: every `runners`-th of the wanted tests, from the `mine`-th on. */
static void run_share(int mine, int runners, int argc, char **argv)
{
    int i = 0;

    make_root();
#ifdef UNDER_VALGRIND
    warm_up();
#endif
    for (const test *t = first; t != NULL; t = t->next) {
        if (is_wanted(t, argc, argv) && i++ % runners == mine) {
            run(t);
        }
    }
    remove_folder(root);
}

/* Runs the wanted tests in several processes side by side: most tests mostly wait. */
static void run_side_by_side(int runners, int argc, char **argv)
{
    for (int i = 0; i < runners; i++) {
        pid_t pid = fork();
        if (pid == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            run_share(i, runners, argc, argv);
            exit(0);
        }
    }
    while (wait(NULL) > 0) {
    }
}

static int count(verdict of, int argc, char **argv)
{
    int n = 0;

    for (const test *t = first; t != NULL; t = t->next) {
        n += is_wanted(t, argc, argv) && verdicts[t->number] == of;
    }
    return n;
}

static void run_failed_again(int argc, char **argv)
{
    bool few = count(HELD_UP, argc, argv) <= MOST_AGAIN;

    make_root();
    for (const test *t = first; t != NULL; t = t->next) {
        if (verdicts[t->number] == HELD_UP && few) {
            run_again(t);
        } else if (verdicts[t->number] == HELD_UP) {
            printf("not ok %s: one of too many to try it again\n", t->name);
        }
    }
    remove_folder(root);
}

static void share_verdicts(void)
{
    int tests = 0;

    for (test *t = first; t != NULL; t = t->next) {
        t->number = tests++;
    }
    verdicts = mmap(NULL, (size_t)(tests + 1), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (verdicts == MAP_FAILED) {
        perror("core_tests");
        exit(2);
    }
}

int main(int argc, char **argv)
{
    int runners = 1, passed, failed, skipped = 0;

    if (argc > 1 && strncmp(argv[1], "-j", 2) == 0) {
        runners = atoi(argv[1] + 2);
        argv++;
        argc--;
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    share_verdicts();
    run_side_by_side(runners, argc, argv);
    if (TIMES_COUNT) {
        run_failed_again(argc, argv);
    } else {
        skipped = count(HELD_UP, argc, argv);
    }
    passed = count(PASSED, argc, argv);
    failed = count(FAILED, argc, argv) + count(HELD_UP, argc, argv) - skipped;
    failed += count(NOT_RUN, argc, argv); /* its runner crashed */
    printf("%d passed, %d failed", passed, failed);
    if (skipped > 0) {
        printf(", %d skipped", skipped);
    }
    putchar('\n');
    return failed > 0 || passed == 0;
}

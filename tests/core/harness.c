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
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* A test that takes longer hangs. */
#define TEST_SECONDS 60

#define MAX_TRIES 3

static test *first, **last = &first;
static char root[64];   /* of the folders of all tests */
static char folder[80]; /* of the one that runs */
static int report = -1; /* a pipe to the runner: 'F' and a failure, 'N' and a note, a NUL behind each */

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
    /* One write, shorter than PIPE_BUF: those of several processes do not mix. */
    if (write(report, text, strlen(text) + 1) < 0) {
        _exit(2);
    }
}

void test_fail(const char *file, int line, const char *format, ...)
{
    char text[1024];
    va_list args;
    const char *slash = strrchr(file, '/');
    int n = snprintf(text, sizeof(text), "F%s:%d: ", slash != NULL ? slash + 1 : file, line);

    va_start(args, format);
    vsnprintf(text + n, sizeof(text) - (size_t)n, format, args);
    va_end(args);
    send_report(text);
    _exit(1); /* not exit(): what the test still holds would be reported as leaks */
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
        _exit(1); /* it has ended already */
    }
    alarm(TEST_SECONDS);
    t->run();
    exit(0); /* where LeakSanitizer looks */
}

/* Waits for the end of a test and takes what it reported. */
static void collect(int from, pid_t pid, int *status, char *failure, size_t failure_size, char *notes, size_t size)
{
    static char text[65536];
    size_t len = 0;
    ssize_t n;

    waitpid(pid, status, 0);
    while (len < sizeof(text) - 1 && (n = read(from, text + len, sizeof(text) - 1 - len)) > 0) {
        len += (size_t)n;
    }
    failure[0] = notes[0] = '\0';
    for (size_t i = 0; i < len; i += strlen(text + i) + 1) {
        if (text[i] == 'F' && failure[0] == '\0') {
            snprintf(failure, failure_size, "%s", text + i + 1);
        } else if (text[i] == 'N') {
            size_t used = strlen(notes);
            snprintf(notes + used, size - used, "%s%s", used > 0 ? ", " : "  # ", text + i + 1);
        }
    }
}

/* Runs the test; false and why in `failure`, if it failed. */
static bool run_once(const test *t, char *failure, size_t size, char *notes, size_t notes_size)
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
    collect(ends[0], pid, &status, failure, size, notes, notes_size);
    close(ends[0]);
    remove_folder(folder);
    if (failure[0] == '\0' && WIFSIGNALED(status)) {
        snprintf(failure, size, "%s%s", strsignal(WTERMSIG(status)), WTERMSIG(status) == SIGALRM ? ": it hangs" : "");
    } else if (failure[0] == '\0' && status != 0) {
        snprintf(failure, size, "exit status %d", WEXITSTATUS(status));
    }
    return failure[0] == '\0';
}

/* Times cannot be kept by a machine on which others run. A test that fails there is tried again, and says so. */
static bool machine_is_busy(void)
{
    double load;

    return getloadavg(&load, 1) == 1 && load > (double)sysconf(_SC_NPROCESSORS_ONLN);
}

static bool run(const test *t)
{
    char failure[1024], notes[1024];
    int tries = 1;
    bool passed = run_once(t, failure, sizeof(failure), notes, sizeof(notes));

    while (!passed && tries < MAX_TRIES && machine_is_busy()) {
        printf("# %s failed on a busy machine: %s%s\n", t->name, failure, notes);
        tries++;
        passed = run_once(t, failure, sizeof(failure), notes, sizeof(notes));
    }
    if (passed) {
        printf("ok %s%s\n", t->name, notes);
    } else {
        printf("not ok %s: %s%s\n", t->name, failure, notes);
    }
    return passed;
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

typedef struct counts {
    unsigned passed, failed;
} counts;

/* Runs every `runners`-th of the wanted tests, from the `mine`-th on. */
static counts run_share(int mine, int runners, int argc, char **argv)
{
    counts sum = {0};
    int i = 0;
    const char *tmp = getenv("TMPDIR");

    snprintf(root, sizeof(root), "%.40s/redislock-XXXXXX", tmp != NULL && strlen(tmp) <= 40 ? tmp : "/tmp");
    if (mkdtemp(root) == NULL) {
        perror(root);
        exit(2);
    }
    for (const test *t = first; t != NULL; t = t->next) {
        if (is_wanted(t, argc, argv) && i++ % runners == mine) {
            bool passed = run(t);
            sum.passed += passed;
            sum.failed += !passed;
        }
    }
    remove_folder(root);
    return sum;
}

/* Most tests mostly wait, so several runners side by side are done sooner. */
static counts run_side_by_side(int runners, int argc, char **argv)
{
    counts all = {0}, one;
    int ends[2];

    if (pipe(ends) != 0) {
        perror("core_tests");
        exit(2);
    }
    for (int i = 0; i < runners; i++) {
        pid_t pid = fork();
        if (pid == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            one = run_share(i, runners, argc, argv);
            exit(write(ends[1], &one, sizeof(one)) == sizeof(one) ? 0 : 2);
        }
    }
    close(ends[1]);
    for (int i = 0; i < runners; i++) {
        if (read(ends[0], &one, sizeof(one)) != sizeof(one)) {
            all.failed++; /* a runner ended badly */
            break;
        }
        all.passed += one.passed;
        all.failed += one.failed;
    }
    while (wait(NULL) > 0) {
    }
    return all;
}

int main(int argc, char **argv)
{
    counts sum;
    int runners = 1;

    if (argc > 1 && strncmp(argv[1], "-j", 2) == 0) {
        runners = atoi(argv[1] + 2);
        argv++;
        argc--;
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    sum = runners > 1 ? run_side_by_side(runners, argc, argv) : run_share(0, 1, argc, argv);
    printf("%u passed, %u failed\n", sum.passed, sum.failed);
    return sum.failed > 0 || sum.passed == 0;
}

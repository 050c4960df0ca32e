/* SPDX-License-Identifier: MIT
 *
 * held_up: for how long a busy machine kept the processes of a test from running, as the kernel counts it in their
 * schedstat; and, on a virtual machine, for how long its host did.
 */
#include "harness.h"

#include <dirent.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* For how many ms at most a thread is waited for that waits for a processor. */
#define MOST_UNCOUNTED 2000

static pid_t root;
static int64_t before;
static atomic_llong ended; /* ns that those have waited which there are no more */

static int64_t of_process(pid_t pid);

static pid_t own_thread(void)
{
    return (pid_t)syscall(SYS_gettid);
}

/* Reads a short file of a thread. Returns false if the thread has ended. */
static bool read_of_thread(pid_t pid, const char *thread, const char *file, char *text, int size)
{
    char path[300];
    FILE *f;

    snprintf(path, sizeof(path), "/proc/%d/task/%s/%s", (int)pid, thread, file);
    if ((f = fopen(path, "r")) == NULL) {
        return false;
    }
    bool is_there = fgets(text, size, f) != NULL;
    fclose(f);
    return is_there;
}

/* Whether the thread is ready to run, or does. */
static bool is_ready(pid_t pid, const char *thread)
{
    char stat[512];

    if (!read_of_thread(pid, thread, "stat", stat, sizeof(stat))) {
        return false;
    }
    const char *state = strrchr(stat, ')'); /* behind the program's name, which may have any */
    return state != NULL && strncmp(state, ") R", 3) == 0;
}

/* The kernel counts a wait when it is over. So whoever waits at the moment for a processor is waited for: a server that a
 * client has just given up, since it did not come to run, has not waited for a moment so far. */
static void await_processor(pid_t pid, const char *thread)
{
    static const struct timespec pause = {.tv_nsec = 1000000};
    char first[128], now[128];

    if (atoi(thread) == own_thread() || !read_of_thread(pid, thread, "schedstat", first, sizeof(first))) {
        return;
    }
    for (int i = 0; i < MOST_UNCOUNTED && is_ready(pid, thread); i++) {
        if (!read_of_thread(pid, thread, "schedstat", now, sizeof(now)) || strcmp(now, first) != 0) {
            return;
        }
        nanosleep(&pause, NULL);
    }
}

/* Returns for how many ns a thread has been ready to run, but waited for a processor. */
static int64_t waited(pid_t pid, const char *thread)
{
    char text[128];
    long long ns;

    await_processor(pid, thread);
    return read_of_thread(pid, thread, "schedstat", text, sizeof(text)) && sscanf(text, "%*d %lld", &ns) == 1 ? ns : 0;
}

/* The same of a thread and the processes that it started. */
static int64_t of_thread(pid_t pid, const char *thread)
{
    char path[300];
    int64_t sum = waited(pid, thread);
    int child;
    FILE *f;

    snprintf(path, sizeof(path), "/proc/%d/task/%s/children", (int)pid, thread);
    if ((f = fopen(path, "r")) != NULL) {
        while (fscanf(f, "%d", &child) == 1) {
            sum += of_process(child);
        }
        fclose(f);
    }
    return sum;
}

static int64_t of_process(pid_t pid)
{
    char path[64];
    int64_t sum = 0;
    DIR *threads;

    snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
    if ((threads = opendir(path)) != NULL) {
        for (struct dirent *entry; (entry = readdir(threads)) != NULL;) {
            if (entry->d_name[0] != '.') {
                sum += of_thread(pid, entry->d_name);
            }
        }
        closedir(threads);
    }
    return sum;
}

/* Returns for how many ns the host of a virtual machine has run something else on its processors ("steal"). */
static int64_t by_the_host(void)
{
    long long ticks = 0;
    FILE *f = fopen("/proc/stat", "r");

    if (f != NULL) {
        if (fscanf(f, "cpu %*d %*d %*d %*d %*d %*d %*d %lld", &ticks) != 1) {
            ticks = 0;
        }
        fclose(f);
    }
    return ticks * (1000000000 / sysconf(_SC_CLK_TCK));
}

static int64_t of_all(void)
{
    return of_process(root) + atomic_load(&ended) + by_the_host();
}

void held_up_keep_process(pid_t pid)
{
    atomic_fetch_add(&ended, of_process(pid));
}

void held_up_keep_thread(void)
{
    char thread[16];

    snprintf(thread, sizeof(thread), "%d", (int)own_thread());
    atomic_fetch_add(&ended, waited(getpid(), thread));
}

void held_up_from_now(void)
{
    root = root != 0 ? root : getpid();
    before = of_all();
}

int64_t held_up(void)
{
    int64_t since = of_all() - before;

    return since > 0 ? since / 1000000 : 0; /* negative: the waits of an ended process are no longer counted */
}

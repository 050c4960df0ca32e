/* SPDX-License-Identifier: MIT
 *
 * held_up: for how long a busy machine kept the processes of a test from running, as the kernel counts it in their
 * schedstat; and, on a virtual machine, for how long its host did.
 */
#include "harness.h"

#include <dirent.h>
#include <stdio.h>
#include <sys/types.h>
#include <unistd.h>

static pid_t root;
static int64_t before;

static int64_t of_process(pid_t pid);

/* Returns for how many ns a thread and the processes that it started were ready to run but waited for a processor. */
static int64_t of_thread(pid_t pid, const char *thread)
{
    char path[300];
    long long waited = 0;
    int child;
    FILE *f;

    snprintf(path, sizeof(path), "/proc/%d/task/%s/schedstat", (int)pid, thread);
    if ((f = fopen(path, "r")) != NULL) {
        if (fscanf(f, "%*d %lld", &waited) != 1) {
            waited = 0; /* the thread has ended */
        }
        fclose(f);
    }
    snprintf(path, sizeof(path), "/proc/%d/task/%s/children", (int)pid, thread);
    if ((f = fopen(path, "r")) != NULL) {
        while (fscanf(f, "%d", &child) == 1) {
            waited += of_process(child);
        }
        fclose(f);
    }
    return waited;
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

void held_up_from_now(void)
{
    root = root != 0 ? root : getpid();
    before = of_process(root) + by_the_host();
}

int64_t held_up(void)
{
    int64_t since = of_process(root) + by_the_host() - before;

    return since > 0 ? since / 1000000 : 0; /* negative: the waits of an ended process are no longer counted */
}

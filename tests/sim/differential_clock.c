/* SPDX-License-Identifier: MIT
 *
 * differential_clock: a wall clock for a server under test, to be preloaded into it. It stands still at the time, in µs
 * since 1970, that is in the file that DIFFERENTIAL_CLOCK names. So the differential test sets the time, and nothing that
 * the server computes from it needs a tolerance. The monotonic clock goes on: it drives the server's own chores.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile const int64_t *shared;

static int64_t now(void)
{
    if (shared == NULL) {
        const char *path = getenv("DIFFERENTIAL_CLOCK");
        int fd = path != NULL ? open(path, O_RDONLY | O_CLOEXEC) : -1;
        void *at = fd >= 0 ? mmap(NULL, sizeof(int64_t), PROT_READ, MAP_SHARED, fd, 0) : MAP_FAILED;
        if (at == MAP_FAILED) {
            abort();
        }
        close(fd);
        shared = at;
    }
    return *shared;
}

int gettimeofday(struct timeval *restrict tv, void *restrict zone)
{
    int64_t us = now();

    (void)zone;
    tv->tv_sec = us / 1000000;
    tv->tv_usec = us % 1000000;
    return 0;
}

time_t time(time_t *into)
{
    time_t seconds = now() / 1000000;

    if (into != NULL) {
        *into = seconds;
    }
    return seconds;
}

/* Only the wall clock is ours. */
int clock_gettime(clockid_t id, struct timespec *ts)
{
    static int (*real)(clockid_t, struct timespec *);

    if (id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE) {
        int64_t us = now();
        ts->tv_sec = us / 1000000;
        ts->tv_nsec = us % 1000000 * 1000;
        return 0;
    }
    if (real == NULL) {
        real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    }
    return real(id, ts);
}

/* SPDX-License-Identifier: MIT
 *
 * clock: a wall clock for a server under test, to be preloaded into it. It differs from the machine's by as many µs as
 * stand in the file that REDISLOCK_TEST_CLOCK names, as a number of 8 bytes. The monotonic clock is the machine's.
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

static volatile const int64_t *ahead;

static const volatile int64_t *find_file(void)
{
    const char *path = getenv("REDISLOCK_TEST_CLOCK");
    int fd = path != NULL ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    void *at = fd >= 0 ? mmap(NULL, sizeof(int64_t), PROT_READ, MAP_SHARED, fd, 0) : MAP_FAILED;

    if (at == MAP_FAILED) {
        abort();
    }
    close(fd);
    return at;
}

static int read_clock(clockid_t id, struct timespec *ts)
{
    static int (*real)(clockid_t, struct timespec *);

    if (real == NULL) {
        real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    }
    return real(id, ts);
}

static int64_t now(void)
{
    struct timespec ts;

    ahead = ahead != NULL ? ahead : find_file();
    read_clock(CLOCK_REALTIME, &ts);
    return (int64_t)ts.tv_sec * 1000000 + ts.tv_nsec / 1000 + *ahead;
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

int clock_gettime(clockid_t id, struct timespec *ts)
{
    int64_t us;

    if (id != CLOCK_REALTIME && id != CLOCK_REALTIME_COARSE) {
        return read_clock(id, ts);
    }
    us = now();
    ts->tv_sec = us / 1000000;
    ts->tv_nsec = us % 1000000 * 1000;
    return 0;
}

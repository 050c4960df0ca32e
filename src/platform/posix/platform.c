/* SPDX-License-Identifier: MIT
 *
 * platform: see platform/platform.h. This is what POSIX systems have.
 */
#include "platform/platform.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <sys/mman.h>
#include <sys/random.h>

#include "platform/compiler.h"

/* CLOCK_MONOTONIC stops on Linux while the machine is suspended, but not on the BSDs and macOS. */
#ifdef CLOCK_BOOTTIME
#define PLATFORM_CLOCK CLOCK_BOOTTIME
#else
#define PLATFORM_CLOCK CLOCK_MONOTONIC
#endif

static int64_t read_clock(clockid_t clock)
{
    struct timespec ts;

    clock_gettime(clock, &ts);
    return (int64_t)ts.tv_sec * PLATFORM_SEC + ts.tv_nsec / 1000;
}

#ifdef REDISLOCK_TEST

int64_t platform_false_step;

int64_t platform_now(void)
{
    int64_t now = read_clock(PLATFORM_CLOCK);

    return platform_false_step > 0 ? now - now % platform_false_step : now;
}

int64_t platform_clock_step(void)
{
    return platform_false_step;
}

#else

int64_t platform_now(void)
{
    return read_clock(PLATFORM_CLOCK);
}

#endif

int64_t platform_wall(void)
{
    return read_clock(CLOCK_REALTIME);
}

bool platform_entropy(void *buf, size_t len)
{
    return getentropy(buf, len) == 0;
}

bool platform_host(char *out, size_t size)
{
    return gethostname(out, size) == 0;
}

void *platform_shared_zalloc(size_t size)
{
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    return memory == MAP_FAILED ? NULL : memory;
}

void platform_shared_free(void *memory, size_t size)
{
    munmap(memory, size);
}

char *platform_getenv(const char *name)
{
    const char *value = getenv(name);

    return value != NULL ? platform_strdup(value) : NULL;
}

/* GNU's strerror_r() returns the text, which may not be in the buffer. The one of POSIX writes it there and returns an
 * int. */
const char *platform_strerror(int problem, char *buf, size_t size)
{
#if defined(__GLIBC__) && defined(_GNU_SOURCE)
    return strerror_r(problem, buf, size);
#else
    (void)strerror_r(problem, buf, size);
    return buf;
#endif
}

/* Draws a number for this process: its pid, and a random number beside it. Keeps it in `kept`, which has had `before`. Of
 * several threads that do so at the same time, one is first, and all get its number. Kept out of platform_process(), which
 * then needs few instructions. */
static PLATFORM_NOINLINE int64_t draw_process(atomic_llong *kept, long long before)
{
    uint32_t beside;

    platform_random(&beside, sizeof(beside));
    long long drawn = (long long)(beside & INT32_MAX) << 32 | (uint32_t)getpid();
    return atomic_compare_exchange_strong(kept, &before, drawn) ? drawn : before;
}

/* If no page tells that this is a child, its pid does. */
static int64_t find_process_by_pid(void)
{
    static atomic_llong own;
    long long number = atomic_load(&own);

    return (uint32_t)number == (uint32_t)getpid() ? number : draw_process(&own, number);
}

#ifdef MADV_WIPEONFORK

/* getpid() is a system call, and each operation on a lock asks for the number of the process several times. So that is kept in
 * a page that the kernel wipes in every child, however that was made. If there is no such page, something else stands for it
 * that is always 0: so the number can be read without a look at where it comes from. */
static atomic_llong no_page_yet;  /* the page is not made yet */
static atomic_llong no_page_ever; /* the system has no such page */
static _Atomic(atomic_llong *) process_page = &no_page_yet;

/* Returns the page of this process, or &no_page_ever. If another thread makes one at the same time, only the first one is kept,
 * and both threads get that. The page is never freed. */
static atomic_llong *make_process_page(void)
{
    size_t size = (size_t)sysconf(_SC_PAGESIZE);
    void *page = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    bool is_made = page != MAP_FAILED && madvise(page, size, MADV_WIPEONFORK) == 0;
    atomic_llong *made = is_made ? page : &no_page_ever, *before = &no_page_yet;
    bool is_first = atomic_compare_exchange_strong(&process_page, &before, made);

    if (page != MAP_FAILED && !(is_made && is_first)) {
        munmap(page, size);
    }
    return is_first ? made : before;
}

/* A number of 0 means that the page is new, or was wiped in a child. Kept out of platform_process(), as draw_process() is. */
static PLATFORM_NOINLINE int64_t find_process(atomic_llong *kept)
{
    if (kept == &no_page_yet) {
        kept = make_process_page();
    }
    return kept != &no_page_ever ? draw_process(kept, 0) : find_process_by_pid();
}

int64_t platform_process(void)
{
    atomic_llong *kept = atomic_load_explicit(&process_page, memory_order_acquire);
    int64_t number = atomic_load_explicit(kept, memory_order_relaxed);

    return number != 0 ? number : find_process(kept);
}

#else

int64_t platform_process(void)
{
    return find_process_by_pid();
}

#endif

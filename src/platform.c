/* SPDX-License-Identifier: MIT
 *
 * platform: see platform.h.
 */
#include "platform.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#include <windows.h>
#include <bcrypt.h>
#include <process.h>
#else
#include <errno.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>
#include <sys/mman.h>
#include <sys/random.h>
#endif

#ifdef _MSC_VER
#define THREAD_LOCAL __declspec(thread)
#else
#define THREAD_LOCAL _Thread_local
#endif

static THREAD_LOCAL jmp_buf *escape; /* NULL: a failure ends the process */

void platform_escape_to(jmp_buf *where)
{
    escape = where;
}

static void die(const char *what)
{
    if (escape != NULL) {
        longjmp(*escape, 1);
    }
    fprintf(stderr, "redislock: %s\n", what);
    exit(1);
}

#ifdef _WIN32

int64_t platform_now(void)
{
    ULONGLONG ticks; /* of 100 ns; they count the time that the machine was suspended */
    QueryInterruptTimePrecise(&ticks);
    return (int64_t)(ticks / 10);
}

#define TICKS_TO_1970 INT64_C(116444736000000000) /* Windows counts from 1601 */

int64_t platform_wall(void)
{
    FILETIME time;

    GetSystemTimePreciseAsFileTime(&time);
    return (int64_t)(((uint64_t)time.dwHighDateTime << 32 | time.dwLowDateTime) - TICKS_TO_1970) / 10;
}

void platform_random(void *buf, size_t len)
{
    if (BCryptGenRandom(NULL, buf, (ULONG)len, BCRYPT_USE_SYSTEM_PREFERRED_RNG) != 0) {
        die("no random bytes");
    }
}

/* No process is a copy of another one there. */
int64_t platform_process(void)
{
    return _getpid();
}

static bool ask_host(char *out, size_t size)
{
    DWORD room = (DWORD)size;

    return GetComputerNameA(out, &room) != 0;
}

uint64_t platform_unique(void)
{
    static volatile LONG64 last;

    return (uint64_t)InterlockedIncrement64(&last);
}

const char *platform_strerror(int problem, char *buf, size_t size)
{
    strerror_s(buf, size, problem);
    return buf;
}

#else

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

int64_t platform_now(void)
{
    return read_clock(PLATFORM_CLOCK);
}

int64_t platform_wall(void)
{
    return read_clock(CLOCK_REALTIME);
}

void platform_random(void *buf, size_t len)
{
    /* getentropy() gives at most 256 bytes in one call, and no caller asks for more. */
    if (len > 256 || getentropy(buf, len) != 0) {
        die("no random bytes");
    }
}

static bool ask_host(char *out, size_t size)
{
    return gethostname(out, size) == 0;
}

static atomic_ullong last_unique;

uint64_t platform_unique(void)
{
    return atomic_fetch_add_explicit(&last_unique, 1, memory_order_relaxed) + 1;
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
static __attribute__((noinline)) int64_t draw_process(atomic_llong *kept, long long before)
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
static __attribute__((noinline)) int64_t find_process(atomic_llong *kept)
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

#endif

/* ---- who this process is ---- */

/* Writes the host's name to `out`, without a NUL, and returns its length. A server that takes a name refuses spaces, and a
 * terminal that prints one obeys control characters. */
static size_t host_name(char out[PLATFORM_HOST_MAX])
{
    char host[256] = ""; /* the longest that POSIX allows */
    size_t len = 0;

    if (!ask_host(host, sizeof(host) - 1) || host[0] == '\0') {
        memcpy(host, "unknown", sizeof("unknown"));
    }
    for (; len < PLATFORM_HOST_MAX && host[len] != '\0'; len++) {
        out[len] = '!' <= host[len] && host[len] <= '~' ? host[len] : '-';
    }
    return len;
}

/* Each thread has a text of its own, so that none needs a lock. It was made in `named_process`; 0: there is none. */
static THREAD_LOCAL char identity[PLATFORM_IDENTITY_SIZE];
static THREAD_LOCAL size_t host_len, identity_len;
static THREAD_LOCAL int64_t named_process;

/* A child of a fork has the host's name already. The lower half of the process's number is its pid. */
static void name_process(int64_t process)
{
    host_len = host_len > 0 ? host_len : host_name(identity);
    identity_len = host_len + (size_t)snprintf(identity + host_len, sizeof(identity) - host_len, ":%lu",
                                               (unsigned long)(uint32_t)process);
    named_process = process;
}

const char *platform_identity(size_t *len)
{
    int64_t process = platform_process();

    if (named_process != process) {
        name_process(process);
    }
    *len = identity_len;
    return identity;
}

void platform_random_hex(char *out, size_t bytes)
{
    uint32_t words[8];

    RL_GUARD(bytes <= sizeof(words));
    RL_INVARIANT(bytes % sizeof(*words) == 0);
    platform_random(words, bytes);
    for (size_t i = 0; i < bytes / sizeof(*words); i++) {
        platform_write_hex(out + i * 2 * sizeof(*words), words[i]);
    }
}

#ifdef REDISLOCK_TEST
bool (*platform_memory_ends)(void);
#endif

/* Lets an allocation fail before it is tried, if a test wants that. */
static void may_allocate(void)
{
#ifdef REDISLOCK_TEST
    if (platform_memory_ends != NULL && platform_memory_ends()) {
        die("out of memory");
    }
#endif
}

/* Returns the pointer, or ends the process if there is none. */
static void *must(void *ptr)
{
    if (ptr == NULL) {
        die("out of memory");
    }
    return ptr;
}

void *platform_alloc(size_t size)
{
    may_allocate();
    return must(malloc(size > 0 ? size : 1));
}

void *platform_zalloc(size_t size)
{
    may_allocate();
    return must(calloc(1, size > 0 ? size : 1));
}

void *platform_realloc(void *ptr, size_t size)
{
    may_allocate();
    return must(realloc(ptr, size > 0 ? size : 1));
}

char *platform_strdup(const char *text)
{
    return platform_memdup(text, strlen(text));
}

char *platform_memdup(const void *bytes, size_t len)
{
    char *copy = platform_alloc(len + 1);

    if (len > 0) {
        memcpy(copy, bytes, len);
    }
    copy[len] = '\0';
    return copy;
}

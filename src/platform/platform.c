/* SPDX-License-Identifier: MIT
 *
 * platform: see platform/platform.h.
 */
#include "platform/platform.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platform/atomics.h"
#include "platform/compiler.h"

static PLATFORM_THREAD_LOCAL jmp_buf *escape; /* NULL: a failure ends the process */

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

/* No caller asks for more bytes than a system gives in one call. */
void platform_random(void *buf, size_t len)
{
    if (len > PLATFORM_ENTROPY_MAX || !platform_entropy(buf, len)) {
        die("no random bytes");
    }
}

uint64_t platform_unique(void)
{
    static atomic_ullong last_unique;

    return atomic_fetch_add_explicit(&last_unique, 1, memory_order_relaxed) + 1;
}

/* ---- who this process is ---- */

/* Writes the host's name to `out`, without a NUL, and returns its length. A server that takes a name refuses spaces, and a
 * terminal that prints one obeys control characters. */
static size_t host_name(char out[PLATFORM_HOST_MAX])
{
    char host[256] = ""; /* the longest that POSIX allows */
    size_t len = 0;

    if (!platform_host(host, sizeof(host) - 1) || host[0] == '\0') {
        memcpy(host, "unknown", sizeof("unknown"));
    }
    for (; len < PLATFORM_HOST_MAX && host[len] != '\0'; len++) {
        out[len] = '!' <= host[len] && host[len] <= '~' ? host[len] : '-';
    }
    return len;
}

/* Each thread has a text of its own, so that none needs a lock. It was made in `named_process`; 0: there is none. */
static PLATFORM_THREAD_LOCAL char identity[PLATFORM_IDENTITY_SIZE];
static PLATFORM_THREAD_LOCAL size_t host_len, identity_len;
static PLATFORM_THREAD_LOCAL int64_t named_process;

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

/* SPDX-License-Identifier: MIT
 *
 * platform: see platform/platform.h. This is what Windows has.
 */
#include "platform/platform.h"

#include <stdio.h>
#include <stdlib.h>
#include <windows.h>
#include <bcrypt.h>

#define TICKS_PER_USEC 10                          /* Windows counts time by 100 ns */
#define TICKS_TO_1970  INT64_C(116444736000000000) /* and from 1601 */

/* ---- the clock ---- */

typedef VOID(WINAPI *interrupt_time)(PULONGLONG ticks);

/* How the clock is read. Found once, by find_clock(). */
static INIT_ONCE clock_found = INIT_ONCE_STATIC_INIT;
static interrupt_time read_interrupt_time; /* NULL: the system is older than Windows 10 */
static int64_t counts_per_sec;             /* of the performance counter, which stands in for it then */
static int64_t clock_step;

/* The time of interrupts goes on while the machine sleeps, and so does the performance counter. */
static int64_t read_clock(void)
{
    ULONGLONG ticks;
    LARGE_INTEGER counts;

    if (read_interrupt_time != NULL) {
        read_interrupt_time(&ticks);
        return (int64_t)(ticks / TICKS_PER_USEC);
    }
    QueryPerformanceCounter(&counts);
    return counts.QuadPart / counts_per_sec * PLATFORM_SEC +
           counts.QuadPart % counts_per_sec * PLATFORM_SEC / counts_per_sec;
}

/* Returns the shortest of some steps: a longer one is a time in which this thread did not run. */
static int64_t measure_step(void)
{
    int64_t shortest = PLATFORM_SEC;

    for (int i = 0; i < 4; i++) {
        int64_t before = read_clock(), after;
        while ((after = read_clock()) == before) {
        }
        shortest = platform_earlier(shortest, after - before);
    }
    return shortest > 1 ? shortest : 0;
}

/* The precise clock is looked up, since a module that names it does not load where it is missing. */
static BOOL CALLBACK find_clock(PINIT_ONCE once, PVOID unused, PVOID *ignored)
{
    HMODULE system = GetModuleHandleA("kernelbase.dll");
    LARGE_INTEGER per_sec;

    (void)once, (void)unused, (void)ignored;
    if (system != NULL) {
        read_interrupt_time = (interrupt_time)(void (*)(void))GetProcAddress(system, "QueryInterruptTimePrecise");
    }
    QueryPerformanceFrequency(&per_sec);
    counts_per_sec = per_sec.QuadPart;
    clock_step = measure_step();
    return TRUE;
}

int64_t platform_now(void)
{
    InitOnceExecuteOnce(&clock_found, find_clock, NULL, NULL);
    return read_clock();
}

int64_t platform_clock_step(void)
{
    InitOnceExecuteOnce(&clock_found, find_clock, NULL, NULL);
    return clock_step;
}

int64_t platform_wall(void)
{
    FILETIME time;

    GetSystemTimeAsFileTime(&time);
    return ((int64_t)((uint64_t)time.dwHighDateTime << 32 | time.dwLowDateTime) - TICKS_TO_1970) / TICKS_PER_USEC;
}

/* ---- the rest ---- */

bool platform_entropy(void *buf, size_t len)
{
    return BCryptGenRandom(NULL, buf, (ULONG)len, BCRYPT_USE_SYSTEM_PREFERRED_RNG) == 0;
}

/* No process is a copy of another one, but a later one may have its pid. */
int64_t platform_process(void)
{
    static volatile LONG64 own;
    int64_t number = InterlockedCompareExchange64(&own, 0, 0);
    uint32_t beside;

    if (number == 0) {
        platform_random(&beside, sizeof(beside));
        number = (int64_t)(beside & INT32_MAX) << 32 | (uint32_t)GetCurrentProcessId();
        int64_t before = InterlockedCompareExchange64(&own, number, 0);
        number = before != 0 ? before : number;
    }
    return number;
}

/* As gethostname() tells it, which wants sockets to be there. NetBIOS' name would be cut after 15 bytes, in capitals. */
bool platform_host(char *out, size_t size)
{
    DWORD room = (DWORD)size;

    return GetComputerNameExA(ComputerNameDnsHostname, out, &room) != 0;
}

/* Asks Windows for the text of an error, in this language. Returns its length; 0: there is none. */
static DWORD ask_for_text(int problem, DWORD language, wchar_t *text, DWORD size)
{
    const DWORD how = FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS | FORMAT_MESSAGE_MAX_WIDTH_MASK;

    return FormatMessageW(how, NULL, (DWORD)problem, language, text, size, NULL);
}

static int utf8_size(const wchar_t *text, DWORD len)
{
    return WideCharToMultiByte(CP_UTF8, 0, text, (int)len, NULL, 0, NULL, NULL);
}

/* strerror() knows nothing of sockets here. As on other systems the text is English, if Windows has it in English; and UTF-8,
 * whatever the code page is. What does not fit is cut off. */
const char *platform_strerror(int problem, char *buf, size_t size)
{
    wchar_t text[512];
    DWORD len = ask_for_text(problem, MAKELANGID(LANG_ENGLISH, SUBLANG_ENGLISH_US), text, sizeof(text) / sizeof(*text));

    len = len > 0 ? len : ask_for_text(problem, 0, text, sizeof(text) / sizeof(*text));
    while (len > 0 && (text[len - 1] == L' ' || text[len - 1] == L'.' || utf8_size(text, len) >= (int)size)) {
        len--;
    }
    int written = WideCharToMultiByte(CP_UTF8, 0, text, (int)len, buf, (int)size - 1, NULL, NULL);
    if (written > 0) {
        buf[written] = '\0';
    } else {
        snprintf(buf, size, "error %d", problem);
    }
    return buf;
}

/* Returns the text in UTF-16. Freed by free(). */
static wchar_t *widen(const char *text)
{
    int size = MultiByteToWideChar(CP_UTF8, 0, text, -1, NULL, 0);
    wchar_t *wide = platform_alloc((size_t)size * sizeof(*wide));

    MultiByteToWideChar(CP_UTF8, 0, text, -1, wide, size);
    return wide;
}

/* Windows' own environment, and not the C library's copy: PHP's putenv() leaves that as it is, where PHP has threads. A
 * variable may grow while it is read. */
char *platform_getenv(const char *name)
{
    wchar_t *key = widen(name), *wide = NULL;
    char *value = NULL;
    DWORD room = 0, len;

    while ((len = GetEnvironmentVariableW(key, wide, room)) > room) {
        wide = platform_realloc(wide, len * sizeof(*wide));
        room = len;
        SetLastError(NO_ERROR); /* an empty value has the length 0, and is no error */
    }
    if (room > 0 && GetLastError() != ERROR_ENVVAR_NOT_FOUND) {
        int size = utf8_size(wide, len);
        value = platform_zalloc((size_t)size + 1);
        WideCharToMultiByte(CP_UTF8, 0, wide, (int)len, value, size, NULL, NULL);
    }
    free(wide);
    free(key);
    return value;
}

/* There is no fork(). */
void *platform_shared_zalloc(size_t size)
{
    (void)size;
    return NULL;
}

void platform_shared_free(void *memory, size_t size)
{
    (void)memory, (void)size;
}

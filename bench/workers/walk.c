/* SPDX-License-Identifier: MIT
 *
 * Notes each function that is entered, for bench/walk: whatever is compiled with -finstrument-functions and linked to
 * this library appends the function's offset in its file to the file that WALK_TRACE names, as 64 bits. Without that
 * variable nothing is noted.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

static int trace = -1;

__attribute__((constructor)) static void open_trace(void)
{
    const char *file = getenv("WALK_TRACE");

    if (file != NULL) {
        trace = open(file, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    }
}

/* At once, so that the reader only needs to know how long the file was before. */
void __cyg_profile_func_enter(void *function, void *from)
{
    int saved = errno;
    Dl_info info;

    (void)from;
    if (trace >= 0 && dladdr(function, &info) != 0) {
        uint64_t offset = (uint64_t)((char *)function - (char *)info.dli_fbase);
        if (write(trace, &offset, sizeof(offset)) != sizeof(offset)) {
            abort();
        }
    }
    errno = saved;
}

void __cyg_profile_func_exit(void *function, void *from)
{
    (void)function, (void)from;
}

/* SPDX-License-Identifier: MIT
 *
 * platform/presence: see platform/presence.h.
 */
#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* for F_OFD_SETLK */
#endif

#include "platform/presence.h"

#ifdef __linux__

#include <fcntl.h>
#include <unistd.h>
#include <sys/stat.h>

#define KEPT (1 << 20) /* behind all numbers: the bytes by which those are kept */

static struct flock byte_at(off_t at)
{
    return (struct flock){.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = at, .l_len = 1};
}

bool presence_take(int fd, unsigned number)
{
    struct flock byte = byte_at((off_t)number);

    return fcntl(fd, F_SETLK, &byte) == 0;
}

/* A question that fails must not make a living process a dead one. */
bool presence_is_taken(int fd, unsigned number)
{
    struct flock byte = byte_at((off_t)number);

    return fcntl(fd, F_GETLK, &byte) != 0 || byte.l_type != F_UNLCK;
}

void presence_close(int fd)
{
    close(fd);
}

unsigned long long presence_clocks(void)
{
    struct stat st;

    return stat("/proc/self/ns/time", &st) == 0 ? (unsigned long long)st.st_ino : 0;
}

#else

bool presence_take(int fd, unsigned number)
{
    (void)fd, (void)number;
    return false;
}

bool presence_is_taken(int fd, unsigned number)
{
    (void)fd, (void)number;
    return true;
}

void presence_close(int fd)
{
    (void)fd;
}

unsigned long long presence_clocks(void)
{
    return 0;
}

#endif

#ifdef F_OFD_SETLK /* by <fcntl.h>, so on Linux alone */

bool presence_keep(int fd, unsigned number)
{
    struct flock byte = byte_at(KEPT + (off_t)number);

    return fcntl(fd, F_OFD_SETLK, &byte) == 0;
}

bool presence_is_kept(int fd, unsigned number)
{
    struct flock byte = byte_at(KEPT + (off_t)number);

    return fcntl(fd, F_OFD_GETLK, &byte) != 0 || byte.l_type != F_UNLCK;
}

#else

bool presence_keep(int fd, unsigned number)
{
    (void)fd, (void)number;
    return false;
}

bool presence_is_kept(int fd, unsigned number)
{
    (void)fd, (void)number;
    return true;
}

#endif

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

/* The number of a namespace of this process; 0: there is none of that kind, or it cannot be seen. */
static unsigned long long namespace_of(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 ? (unsigned long long)st.st_ino : 0;
}

unsigned long long presence_clocks(void)
{
    return namespace_of("/proc/self/ns/time");
}

void presence_place(unsigned long long place[PRESENCE_PLACE])
{
    struct stat root = {0};

    stat("/", &root);
    place[0] = namespace_of("/proc/self/ns/net");
    place[1] = namespace_of("/proc/self/ns/mnt");
    place[2] = (unsigned long long)root.st_dev;
    place[3] = (unsigned long long)root.st_ino;
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

void presence_place(unsigned long long place[PRESENCE_PLACE])
{
    for (int i = 0; i < PRESENCE_PLACE; i++) {
        place[i] = 0;
    }
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

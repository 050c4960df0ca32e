/* SPDX-License-Identifier: MIT
 *
 * platform/presence: see platform/presence.h.
 */
#include "platform/presence.h"

#ifdef __linux__

#include <fcntl.h>
#include <unistd.h>
#include <sys/stat.h>

static struct flock byte_of(unsigned number)
{
    return (struct flock){.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = (off_t)number, .l_len = 1};
}

bool presence_take(int fd, unsigned number)
{
    struct flock byte = byte_of(number);

    return fcntl(fd, F_SETLK, &byte) == 0;
}

/* A question that fails must not make a living process a dead one. */
bool presence_is_taken(int fd, unsigned number)
{
    struct flock byte = byte_of(number);

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

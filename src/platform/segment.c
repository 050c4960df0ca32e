/* SPDX-License-Identifier: MIT
 *
 * segment: see platform/segment.h.
 */
#include "platform/segment.h"

#include <stdarg.h>
#include <stdio.h>

#include "platform/platform.h"

#ifdef __linux__

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>

#define SEGMENT_MODE 0600
#define SEGMENT_PATH 512

/* The file of a segment while it is opened. */
typedef struct segment_file {
    const segment_use *use;
    uint32_t user;
    char path[SEGMENT_PATH];
    int fd;
    char *why;
} segment_file;

static PLATFORM_PRINTF(2, 3) bool refuse(const segment_file *file, const char *format, ...)
{
    char text[128];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    snprintf(file->why, SEGMENT_WHY, "%.120s: %s", file->path, text);
    return false;
}

static bool refuse_by_system(const segment_file *file, const char *what, int problem)
{
    char buf[128];

    return refuse(file, "%s: %s", what, platform_strerror(problem, buf, sizeof(buf)));
}

static bool name_file(segment_file *file, const char *folder)
{
    int len = snprintf(file->path, sizeof(file->path), "%s/redislock.%s.v%u.%u", folder, file->use->name,
                       file->use->layout, file->user);

    return (len > 0 && (size_t)len < sizeof(file->path)) || refuse(file, "the path is too long");
}

/* Opens the file. What stands there instead must not lead elsewhere (a link), nor keep us waiting (a pipe). */
static bool open_file(segment_file *file, int flags)
{
    do {
        file->fd = open(file->path, flags | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, SEGMENT_MODE);
    } while (file->fd < 0 && errno == EINTR);
    return file->fd >= 0;
}

/* Is it a file as we make them? Another user must neither read it nor have put it there, not even as a second name of another
 * file of ours, into which we would write. */
static bool check_file(const segment_file *file)
{
    struct stat st;

    if (fstat(file->fd, &st) != 0) {
        return refuse_by_system(file, "it cannot be looked at", errno);
    }
    if (!S_ISREG(st.st_mode)) {
        return refuse(file, "it is no file");
    }
    if (st.st_uid != file->user) {
        return refuse(file, "it belongs to the user %lu", (unsigned long)st.st_uid);
    }
    if (st.st_nlink > 1) {
        return refuse(file, "it has %lu names", (unsigned long)st.st_nlink);
    }
    if ((st.st_mode & 07777) != SEGMENT_MODE) {
        return refuse(file, "its mode is %04o, not %04o", (unsigned)(st.st_mode & 07777), SEGMENT_MODE);
    }
    return true;
}

/* The system ends a process (SIGXFSZ) that makes a file longer than its limit, instead of refusing it. */
static bool may_grow(const segment_file *file)
{
    struct rlimit most;
    struct stat st;

    return getrlimit(RLIMIT_FSIZE, &most) != 0 || most.rlim_cur >= file->use->size ||
           (fstat(file->fd, &st) == 0 && st.st_size >= (off_t)file->use->size);
}

/* Allocates the space, also if another process has made the file: it may be at this point, too. */
static bool allocate(const segment_file *file)
{
    int problem = may_grow(file) ? EINTR : EFBIG;

    while (problem == EINTR) {
        problem = posix_fallocate(file->fd, 0, (off_t)file->use->size);
    }
    return problem == 0 || refuse_by_system(file, "no space", problem);
}

static void *map_file(const segment_file *file)
{
    void *memory = mmap(NULL, file->use->size, PROT_READ | PROT_WRITE, MAP_SHARED, file->fd, 0);

    if (memory == MAP_FAILED) {
        refuse_by_system(file, "it cannot be mapped", errno);
        return NULL;
    }
    return memory;
}

uint32_t segment_user(void)
{
    return (uint32_t)geteuid();
}

/* Another user's file, or what else stands there, is left as it is. */
void *segment_open_file(const segment_use *use, const char *folder, int *fd, char why[SEGMENT_WHY])
{
    segment_file file = {.use = use, .user = segment_user(), .why = why};
    void *memory = NULL;

    if (!name_file(&file, folder)) {
        return NULL;
    }
    if (!open_file(&file, O_RDWR | O_CREAT)) {
        refuse_by_system(&file, "it cannot be opened", errno);
        return NULL;
    }
    if (check_file(&file) && allocate(&file)) {
        memory = map_file(&file);
    }
    if (memory == NULL) {
        close(file.fd);
    }
    *fd = file.fd;
    return memory;
}

/* The mapping stays when the file is closed. */
void *segment_open(const segment_use *use, const char *folder, char why[SEGMENT_WHY])
{
    int fd;
    void *memory = segment_open_file(use, folder, &fd, why);

    if (memory != NULL) {
        close(fd);
    }
    return memory;
}

void segment_close(const segment_use *use, void *memory)
{
    munmap(memory, use->size);
}

/* Reads the file from its start. A shorter one is as good as none: there was no space for it. */
static segment_found read_file(const segment_file *file, char *copy)
{
    size_t done = 0;

    while (done < file->use->size) {
        ssize_t n = pread(file->fd, copy + done, file->use->size - done, (off_t)done);
        if (n == 0) {
            return SEGMENT_NONE;
        }
        if (n < 0 && errno != EINTR) {
            refuse_by_system(file, "it cannot be read", errno);
            return SEGMENT_REFUSED;
        }
        done += n > 0 ? (size_t)n : 0;
    }
    return SEGMENT_READ;
}

/* A user without a file there may have none at all, or not yet. */
segment_found segment_read(const segment_use *use, const char *folder, uint32_t user, void *copy, char why[SEGMENT_WHY])
{
    segment_file file = {.use = use, .user = user, .why = why};
    segment_found found = SEGMENT_REFUSED;

    if (!name_file(&file, folder)) {
        return SEGMENT_REFUSED;
    }
    if (!open_file(&file, O_RDONLY)) {
        if (errno == ENOENT) {
            return SEGMENT_NONE;
        }
        refuse_by_system(&file, "it cannot be opened", errno);
        return SEGMENT_REFUSED;
    }
    if (check_file(&file)) {
        found = read_file(&file, copy);
    }
    close(file.fd);
    return found;
}

bool segment_is_known(void)
{
    return true;
}

#else

#define UNKNOWN_HERE "shared memory is only known on Linux"

void *segment_open(const segment_use *use, const char *folder, char why[SEGMENT_WHY])
{
    (void)use, (void)folder;
    snprintf(why, SEGMENT_WHY, UNKNOWN_HERE);
    return NULL;
}

void *segment_open_file(const segment_use *use, const char *folder, int *fd, char why[SEGMENT_WHY])
{
    (void)fd;
    return segment_open(use, folder, why);
}

void segment_close(const segment_use *use, void *memory)
{
    (void)use, (void)memory;
}

segment_found segment_read(const segment_use *use, const char *folder, uint32_t user, void *copy, char why[SEGMENT_WHY])
{
    (void)use, (void)folder, (void)user, (void)copy;
    snprintf(why, SEGMENT_WHY, UNKNOWN_HERE);
    return SEGMENT_REFUSED;
}

bool segment_is_known(void)
{
    return false;
}

uint32_t segment_user(void)
{
    return 0;
}

#endif

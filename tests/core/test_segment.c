/* SPDX-License-Identifier: MIT
 *
 * Memory that the processes of a user share: what it is made of, and what is refused in its place.
 */
#define _GNU_SOURCE
#include "bed.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "platform/segment.h"

static const segment_use use = {"test", 3, 100000};

static const char *path_of(uint32_t user)
{
    static char path[400];

    snprintf(path, sizeof(path), "%s/redislock.test.v3.%u", test_folder(), user);
    return path;
}

static bool is_all(const char *bytes, char byte, size_t size)
{
    return bytes[0] == byte && memcmp(bytes, bytes + 1, size - 1) == 0;
}

static void write_in_another_process(void *arg)
{
    char why[SEGMENT_WHY], *memory = segment_open(&use, test_folder(), why);

    (void)arg;
    CHECK(memory != NULL && is_all(memory, 'a', use.size));
    memset(memory, 'b', use.size);
}

TEST(segment_is_zero_at_first_and_shared_from_then_on)
{
    char why[SEGMENT_WHY], *memory = segment_open(&use, test_folder(), why), *copy = malloc(use.size);
    struct stat st;

    CHECK(memory != NULL);
    CHECK(is_all(memory, 0, use.size));
    CHECK(stat(path_of(geteuid()), &st) == 0);
    CHECK_INT(st.st_mode & 07777, 0600);
    CHECK(st.st_blocks * 512 >= (off_t)use.size);
    memset(memory, 'a', use.size);
    process_join(process_start(write_in_another_process, NULL));
    CHECK(is_all(memory, 'b', use.size));
    CHECK_INT(segment_read(&use, test_folder(), geteuid(), copy, why), SEGMENT_READ);
    CHECK(is_all(copy, 'b', use.size));
    CHECK_INT(segment_read(&use, test_folder(), geteuid() + 1, copy, why), SEGMENT_NONE);
    segment_close(&use, memory);
    free(copy);
}

/* A change of the layout has a segment of its own, also while both releases run. */
TEST(segment_of_another_layout_is_another_one)
{
    const segment_use next = {"test", 4, 200000};
    char why[SEGMENT_WHY], *one = segment_open(&use, test_folder(), why),
                           *two = segment_open(&next, test_folder(), why);

    CHECK(one != NULL && two != NULL);
    memset(one, 'a', use.size);
    CHECK(is_all(two, 0, next.size));
    segment_close(&use, one);
    segment_close(&next, two);
}

static void check_refused(const char *wanted)
{
    char why[SEGMENT_WHY] = "", *copy = malloc(use.size);

    CHECK(segment_open(&use, test_folder(), why) == NULL);
    if (strstr(why, wanted) == NULL) {
        test_fail(__FILE__, __LINE__, "it says \"%s\", and not \"%s\"", why, wanted);
    }
    CHECK(strstr(why, path_of(geteuid())) != NULL);
    why[0] = '\0';
    CHECK_INT(segment_read(&use, test_folder(), geteuid(), copy, why), SEGMENT_REFUSED);
    CHECK(strstr(why, wanted) != NULL);
    CHECK(unlink(path_of(geteuid())) == 0 || rmdir(path_of(geteuid())) == 0);
    free(copy);
}

static void make_file(const char *path, mode_t mode)
{
    int fd = open(path, O_CREAT | O_WRONLY | O_EXCL, mode);

    CHECK(fd >= 0 && fchmod(fd, mode) == 0 && close(fd) == 0);
}

/* Whoever puts something else there can lead nobody elsewhere, and stop nobody. */
TEST(segment_is_refused_where_something_else_stands)
{
    char elsewhere[400];
    struct stat st;
    const char *path = path_of(geteuid());

    snprintf(elsewhere, sizeof(elsewhere), "%s/elsewhere", test_folder());
    CHECK(symlink(elsewhere, path) == 0);
    check_refused("Too many levels of symbolic links");
    CHECK(stat(elsewhere, &st) != 0);
    make_file(elsewhere, 0600);
    CHECK(symlink(elsewhere, path) == 0);
    check_refused("Too many levels of symbolic links");
    CHECK(stat(elsewhere, &st) == 0 && st.st_size == 0);
    CHECK(mkfifo(path, 0600) == 0);
    check_refused("it is no file");
    make_file(path, 0644);
    check_refused("its mode is 0644, not 0600");
    make_file(path, 0620);
    check_refused("its mode is 0620, not 0600");
    if (geteuid() == 0) {
        make_file(path, 0600);
        CHECK(chown(path, 12345, 12345) == 0);
        check_refused("it belongs to the user 12345");
    } else {
        note("not as root: no file of another user");
    }
}

static void open_below_a_limit(void *arg)
{
    char why[SEGMENT_WHY] = "";
    const struct rlimit limit = {40000, 40000};

    (void)arg;
    CHECK(setrlimit(RLIMIT_FSIZE, &limit) == 0);
    CHECK(segment_open(&use, test_folder(), why) == NULL);
    CHECK(strstr(why, "no space: File too large") != NULL);
    CHECK(segment_open(&(segment_use){"small", 1, 40000}, test_folder(), why) != NULL);
}

static void open_what_is_there_below_a_limit(void *arg)
{
    char why[SEGMENT_WHY] = "";

    (void)arg;
    CHECK(setrlimit(RLIMIT_FSIZE, &(struct rlimit){0, 0}) == 0);
    CHECK(segment_open(&use, test_folder(), why) != NULL);
}

/* The system would end the process. */
TEST(segment_is_not_made_by_a_process_that_may_not_make_files_so_long)
{
    char why[SEGMENT_WHY] = "";

    test_folder();
    process_join(process_start(open_below_a_limit, NULL));
    void *memory = segment_open(&use, test_folder(), why);
    CHECK(memory != NULL);
    process_join(process_start(open_what_is_there_below_a_limit, NULL));
    segment_close(&use, memory);
}

/* The segment of another user is read only if he has made it. */
TEST(segment_of_another_user_is_his_own)
{
    char why[SEGMENT_WHY], *copy = malloc(use.size);

    if (geteuid() != 0) {
        note("not as root");
        free(copy);
        return;
    }
    make_file(path_of(12345), 0600);
    CHECK_INT(segment_read(&use, test_folder(), 12345, copy, why), SEGMENT_REFUSED);
    CHECK(strstr(why, "it belongs to the user 0") != NULL);
    CHECK(chown(path_of(12345), 12345, 12345) == 0);
    CHECK_INT(segment_read(&use, test_folder(), 12345, copy, why), SEGMENT_NONE); /* there was no space for it */
    CHECK(truncate(path_of(12345), 200000) == 0);
    CHECK_INT(segment_read(&use, test_folder(), 12345, copy, why), SEGMENT_READ);
    free(copy);
}

static void open_in_64_kb(void *arg)
{
    int *refused = arg;
    char why[SEGMENT_WHY] = "";

    if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
        mount("tmpfs", test_folder(), "tmpfs", 0, "size=64k") != 0) {
        *refused = errno;
        return;
    }
    CHECK(segment_open(&use, test_folder(), why) == NULL);
    CHECK(strstr(why, "no space") != NULL);
    CHECK(segment_open(&(segment_use){"small", 1, 40000}, test_folder(), why) != NULL);
}

/* Memory that is promised but not there would kill the process that writes to it. */
TEST(segment_has_its_space_or_there_is_none)
{
    int *refused = shared(sizeof(*refused));

    test_folder();
    process_join(process_start(open_in_64_kb, refused));
    if (*refused != 0) {
        note("nothing can be mounted: %s", strerror(*refused));
    }
}

TEST(segment_needs_its_folder)
{
    char why[SEGMENT_WHY] = "", folder[600];

    CHECK(segment_open(&use, "/nowhere/at/all", why) == NULL);
    CHECK_TEXT(why + strlen(why) - 25, "No such file or directory");
    memset(folder, 'x', sizeof(folder) - 1);
    folder[sizeof(folder) - 1] = '\0';
    CHECK(segment_open(&use, folder, why) == NULL);
    CHECK(strstr(why, "the path is too long") != NULL);
}

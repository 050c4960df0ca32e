/* SPDX-License-Identifier: MIT
 *
 * segment: memory that all processes of one user share, for as long as the machine runs.
 *
 * Each use of it has a segment of its own: a file in a folder of shared memory, whose name has the use, the version of its
 * layout, and the user. So two releases whose layouts differ never meet in one segment. A new segment is all zero, and that
 * must be a good state of it: no process prepares it, so none can be killed meanwhile. The same holds for each change: a
 * process may be killed between any two instructions.
 *
 * What is found under the name is used only if it is a plain file of this user that nobody else may open. The space is
 * allocated before it is used: otherwise a full folder would kill the process that writes there.
 */
#ifndef REDISLOCK_PLATFORM_SEGMENT_H
#define REDISLOCK_PLATFORM_SEGMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SEGMENT_FOLDER "/dev/shm"

/* What a segment is for. */
typedef struct segment_use {
    const char *name;
    unsigned layout; /* version; a change of the layout, or of the size, has a new one */
    size_t size;
} segment_use;

#define SEGMENT_WHY 256

/* Returns the segment of this process' user, which is made if there is none. NULL: there can be none, and `why` says for what
 * reason. Unmapped by segment_close(). A forked child has it too. */
void *segment_open(const segment_use *use, const char *folder, char why[SEGMENT_WHY]);
void segment_close(const segment_use *use, void *memory);

/* Does so, and leaves the file open, for presence_take(): the caller closes it. */
void *segment_open_file(const segment_use *use, const char *folder, int *fd, char why[SEGMENT_WHY]);

typedef enum segment_found {
    SEGMENT_READ,
    SEGMENT_NONE,    /* that user has none */
    SEGMENT_REFUSED, /* it may not be read, or is none of ours: `why` says */
} segment_found;

/* Copies the segment of the user to `copy`, of use->size bytes. Maps nothing, so that its owner can do the reader no harm. */
segment_found segment_read(const segment_use *use, const char *folder, uint32_t user, void *copy,
                           char why[SEGMENT_WHY]);

/* False: this system has no such memory that is known here, whatever the folder. */
bool segment_is_known(void);

/* Returns the user of this process, as which it makes segments. */
uint32_t segment_user(void);

#endif

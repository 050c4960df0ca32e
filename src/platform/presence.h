/* SPDX-License-Identifier: MIT
 *
 * platform/presence: which processes are there. A process takes a number in a file, and has it until it ends, however it ends:
 * then the system gives it up. So a pid that another process has by now deceives nobody, and neither does a zombie.
 *
 * It is a lock on a byte of the file ("record lock"), which a forked child does not have. The process gives all its numbers up
 * when it closes any descriptor of that file, so it opens it once.
 *
 * Another byte is locked for as long as the file is open by that descriptor ("open file description lock"), which whoever was
 * forked from the process has as well, until it ends or runs another program. So only if neither is locked, nobody is left that
 * may go on with what the process did.
 */
#ifndef REDISLOCK_PLATFORM_PRESENCE_H
#define REDISLOCK_PLATFORM_PRESENCE_H

#include <stdbool.h>

/* Where a process is: see presence_place(). */
#define PRESENCE_PLACE 4

/* Takes the number in the file. False: another process has it. */
bool presence_take(int fd, unsigned number);

/* Does another process have the number? To this process its own ones look as if nobody had them. */
bool presence_is_taken(int fd, unsigned number);

/* Has others see that the process is there, or one that was forked from it. False: another has the number for that, or the
 * system knows no such locks. */
bool presence_keep(int fd, unsigned number);

/* Is somebody there for whom the number was kept? Not asked by the process that has it, or was forked from that one. */
bool presence_is_kept(int fd, unsigned number);

/* Gives up all numbers of this process, and closes the file. */
void presence_close(int fd);

/* Tells the namespace by which this process reads clocks: times of one mean nothing in another. 0: there are none. */
unsigned long long presence_clocks(void);

/* Tells where this process is: its network and mount namespaces, and its root. Elsewhere, the same address, name or path may
 * be that of another server. A namespace that cannot be seen, for want of /proc, is 0. */
void presence_place(unsigned long long place[PRESENCE_PLACE]);

#endif

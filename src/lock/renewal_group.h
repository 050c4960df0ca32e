/* SPDX-License-Identifier: MIT
 *
 * lock/renewal_group: the servers of leases: those of one group are renewed by the same requests.
 */
#ifndef REDISLOCK_LOCK_RENEWAL_GROUP_H
#define REDISLOCK_LOCK_RENEWAL_GROUP_H

#include "lock/renewal_table.h"

/* Returns the group of the target's servers, with room in its schedule for one renewal more, which it counts already. It enters
 * with the mutex and leaves with it, but may be without it in between: making a group may take a while. NULL: no thread can
 * renew leases there, and the error is set. */
renewal_group *renewal_group_join(lock_renewer *renewer, const rl_target *target, const char *node,
                                  const rl_hosts *hosts, rl_error *error);

/* Frees a group without a renewal, which is in no list. */
void renewal_group_free(renewal_group *group);

/* Frees a list of such groups. */
void renewal_groups_free(renewal_group *first);

/* Takes groups without a lease out of the list, but for some, and returns those. Under the mutex. */
renewal_group *renewal_groups_drop_idle(lock_renewer *renewer);

#endif

/* SPDX-License-Identifier: MIT
 *
 * lock/local/entry: the end of the use of an entry.
 */
#ifndef REDISLOCK_LOCK_LOCAL_ENTRY_H
#define REDISLOCK_LOCK_LOCAL_ENTRY_H

#include "lock/local/status.h"

/* Frees an entry in this status of its use. If what Redis says is being written into it just now, the writer frees it. */
void local_entry_free(local_entry *entry, uint64_t status);

/* Frees an entry that its owner has left to us in that use of it, if it has. */
void local_entry_free_left(local_entry *entry, uint64_t count);

#endif

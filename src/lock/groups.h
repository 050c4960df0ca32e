/* SPDX-License-Identifier: MIT
 *
 * lock/groups: the locks of a call that takes many, in groups of those that one script takes at once.
 *
 * One server has one group, and a cluster one for each slot, since a script has keys of one slot only. All scripts go out
 * together: in one write to each node, and with one round trip for all. Over several servers there is no such script, while a
 * slot of a cluster moves, none runs there, and some proxies take none: then each lock of the group is asked for by itself,
 * which is the caller's part.
 */
#ifndef REDISLOCK_LOCK_GROUPS_H
#define REDISLOCK_LOCK_GROUPS_H

#include "lock/lease.h"
#include "lock/owner.h"
#include "redis/clock.h"

#define LOCK_ALL_MAX 1000 /* so that a script over them takes Redis some milliseconds at most */

/* One of many locks. */
typedef struct lock_all_item {
    rl_bytes name;
    lock_lease lease; /* filled on LOCK_YES */
    unsigned slot;    /* of its key, in a cluster; filled by the call */
} lock_all_item;

/* A lock of a group: its keys, and the token and baton by which a script takes or releases it. */
typedef struct lock_entry {
    lock_keys keys;
    char *note_memory; /* storage of the key of its note of extensions; NULL until that is needed */
    char token[LOCK_TOKEN_ROOM];
    char baton[LOCK_BATON_LEN];
} lock_entry;

/* The locks of the items `from` up to, but without, `to`. They are taken in this order: those that are ours come first. */
typedef struct lock_group {
    size_t from;
    size_t taken; /* up to this item, they are ours */
    size_t to;
    bool is_refused;      /* when the script was asked last, the first lock that is not ours was held */
    bool is_extended;     /* the extension under way has included it */
    bool outcome_unknown; /* the script may have taken those that are not ours, under their present tokens */

    rl_bytes *args;            /* arguments of the request under way */
    size_t argc;               /* how many of `args` are set */
    char digits[2][RL_DIGITS]; /* storage of the numbers among `args` */
} lock_group;

typedef struct lock_groups {
    const lock_client *client;
    lock_all_item *items;
    lock_entry *entries; /* one per item */
    size_t count;        /* of items */
    lock_group *groups;  /* in the order in which they are waited for */
    size_t group_count;
    lock_group **asked; /* those that the requests under way are about: the i-th question is about the i-th */
    size_t asked_count;
    rl_bytes *args; /* storage of the arguments of all groups */
    int64_t began;  /* when the call was made */
    int64_t duration;
    size_t token_len;    /* of each token */
    bool waits;          /* the caller is ready to wait */
    bool splits_all;     /* the server takes scripts over one lock only */
    bool lacks_replicas; /* too few replicas have locks that are ours */
    bool is_in_doubt;    /* a script that was asked last may have taken locks without telling */
    int64_t process;     /* the process that made the call: PHP code that runs during a wait may fork */
    size_t about;        /* index of the item that the error concerns, or `count` */
    rl_error *error;
} lock_groups;

/* Sorts the items by the slot of their key, and by the bytes of their names; clears their leases, and builds the keys. The
 * caller sets `client`, `items`, `count` and what else it knows before, and draws the tokens. lock_groups_close() frees what
 * this allocates; connections are opened later. */
void lock_groups_open(lock_groups *groups);
void lock_groups_close(lock_groups *groups);

static inline size_t lock_group_number(const lock_groups *groups, const lock_group *group)
{
    return (size_t)(group - groups->groups);
}

/* Is each lock of the group asked for by itself: over several servers, in a slot that moves at present, or if a script over
 * many locks was refused? */
bool lock_group_is_split(const lock_groups *groups, const lock_group *group);

/* Returns the first group of which a lock is not ours; NULL: all are. */
lock_group *lock_groups_first_open(const lock_groups *groups);

/* Was a lock held of any group, when its script was asked last? */
bool lock_groups_any_is_refused(const lock_groups *groups);

/* Replaces the tokens of the locks that are not ours. Those under which a lock may have been taken go to the backlog,
 * since nobody learns whether their undo was carried out. */
void lock_groups_draw_tokens(lock_groups *groups);

/* Leaves to the backlog the release of what scripts may have taken without telling. In a forked child it is the parent's. */
void lock_groups_release_untold_later(const lock_groups *groups);

/* Asks for the locks that are not ours, up to the first group that is split: for all or none of a group or, for a caller that
 * waits, for those before the first that is held. LOCK_YES: the scripts have answered, but for those whose group is split by
 * now. Otherwise, what those without an answer may have done is undone: LOCK_INTERRUPTED, or LOCK_FAILED with the error, that
 * of a group for which asking again is of no use before others. After lacks_replicas, all are to be given back. */
lock_outcome lock_groups_take(lock_groups *groups, rl_clock *clock);

/* Extends the leases that are ours, counted from `now` on, where a script can: the groups are marked by is_extended.
 * LOCK_NOT_OWNED: one of the locks is lost. After an extension without a reply, later ones are told that it may still
 * arrive. */
lock_outcome lock_groups_extend(lock_groups *groups, rl_clock *clock, int64_t now);

/* Releases the locks that are ours of the groups from the `first` on, and frees their leases, within `budget`: see
 * lock_release_all(), also for `until`. In a forked child they stay, being the parent's. LOCK_FAILED: one of the releases
 * failed while there was time. It is left to the backlog, as all are that were sent only. */
lock_outcome lock_groups_give_back(lock_groups *groups, size_t first, int64_t budget, int64_t until);

#endif

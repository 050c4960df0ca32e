/* SPDX-License-Identifier: MIT
 *
 * lock/local/layout: the segment by which the processes of one user on one machine pass locks on to each other.
 *
 * For each lock that they use there is a slot, which names its owner: of these processes the one that holds the lock, or
 * that stands in Redis' line for all others. These wait in line at the slot. Each place is an entry of its own, of whoever
 * holds the lock or waits for it; an entry is changed by its owner alone, unless its state says otherwise.
 *
 * Nothing depends on what stands here but the order, and who asks Redis: exclusion rests on Redis alone. A process may be
 * killed between any two instructions, or stand still for long, and none waits for another for longer than a short while.
 * So there is no mutex: each step is one exchange of an atomic word. What is read may be anything, also what another
 * program has scribbled: indices are cut to their range, and lengths to their room. No pointers.
 */
#ifndef REDISLOCK_LOCK_LOCAL_LAYOUT_H
#define REDISLOCK_LOCK_LOCAL_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

#include "platform/atomics.h"
#include "platform/segment.h"
#include "redis/error.h"

#define LOCAL_SLOTS     256  /* locks that are in use at a time */
#define LOCAL_BUCKET    8    /* slots in which a lock may be: those of a cache line */
#define LOCAL_ENTRIES   1024 /* places: of holders and waiters */
#define LOCAL_PROCESSES 4096
#define LOCAL_TOKEN_MAX 128 /* bytes of an owner token, with what it tells of its owner */
#define LOCAL_KEY_MAX   256 /* bytes of a lock's key; longer ones are not passed on */

/* What an entry is, in its status. */
typedef enum local_state {
    LOCAL_FREE,
    LOCAL_MINE,      /* its owner has it for itself: it holds the lock, goes to Redis for it, or comes or leaves */
    LOCAL_WAITS,     /* it stands in line: whoever owns the slot may claim it */
    LOCAL_CLAIMED,   /* the owner of the slot writes into it */
    LOCAL_GRANTED,   /* the lock is passed on to it */
    LOCAL_HEAD,      /* it is the first in line, nobody holds the lock here, and so it is to ask Redis */
    LOCAL_SENT_AWAY, /* it is to ask Redis by itself, and stands in no line here */
    LOCAL_FAILED,    /* the head could not ask Redis, and the entry has the error */
    LOCAL_LEFT       /* its owner is gone, and has left it to who claimed it: that one frees it */
} local_state;

/* What Redis has said to the renaming of the lock, in entry.answer. */
typedef enum local_answer {
    LOCAL_NO_ANSWER, /* none is to come */
    LOCAL_PENDING,
    LOCAL_AWAITED, /* the same, and the owner of the entry sleeps until it comes */
    LOCAL_WRITTEN, /* whoever has heard it writes it down */
    LOCAL_YES,
    LOCAL_REFUSED,
    LOCAL_UNKNOWN, /* whoever has asked does not know */
    LOCAL_GIVEN_UP /* the owner of the entry went on without, and has left the entry to the writer */
} local_answer;

/* What may become of a lock when its holder is dead, in entry.takeover. */
typedef enum local_takeover {
    LOCAL_NO_TAKEOVER, /* nothing, before its lease ends */
    LOCAL_TAKEOVER     /* another one may take it over */
} local_takeover;

/* A status has a count of the uses of the entry, the process that uses it, and the state; an answer the count, and what was
 * said. So no late step on an earlier use of the entry succeeds. */
#define LOCAL_STATE_BITS   4
#define LOCAL_PROCESS_BITS 12

typedef struct local_entry {
    atomic_ullong status;
    atomic_ullong answer;
    atomic_ullong ticket; /* the place in line */
    atomic_llong ends;    /* of an owner: when its lease is over, as far as it knows; of one that sleeps in line: until
                           * when; 0: neither is known */
    atomic_uint slot;     /* where it stands in line */

    /* Of a holder: by its count, as an answer, whether others may take the lock over when its process is dead. Then it has
     * written its token, and under `from` the one that the lock may still stand under, with the check of both. */
    atomic_ullong takeover;

    /* Written by its owner before it stands in line, and by nobody while it does. */
    uint32_t token_len, key_len;
    int64_t lease; /* µs: the one that is asked for */
    uint64_t identity[2];
    char token[LOCAL_TOKEN_MAX];
    char key[LOCAL_KEY_MAX];

    /* Written by whoever has claimed it. Times are those of platform_now(). */
    uint32_t from_len, from_process;
    int64_t from_sent, from_duration; /* the lease of who passes the lock on, as in lock_lease */
    int64_t sent;                     /* just before the renaming was sent */
    int64_t since_ms;                 /* as in lock_turn_offer */
    char from[LOCAL_TOKEN_MAX];       /* the token of who passes the lock on */
    uint64_t check;                   /* of what was written, since another program may scribble here */

    /* Written while the answer is LOCAL_WRITTEN. */
    int64_t fence;

    rl_error error; /* with LOCAL_FAILED */
} local_entry;

typedef struct local_slot {
    atomic_ullong tickets; /* how many were drawn */
    atomic_ullong mark;    /* 1 + the first ticket that lets others in Redis' line go first; 0: none */
    atomic_ullong waiting[LOCAL_ENTRIES / 64]; /* a bit for each entry that may stand in line here */
} local_slot;

/* The owner of a slot: the entry, the lowest bits of the count of its uses, whether others have come, and a part of the hash of
 * the lock's key. Apart from the slots, so that those of a bucket are read at once. 0: there is none. */
#define LOCAL_OWNER_THERE     (UINT64_C(1) << 10) /* so that no owner is 0 */
#define LOCAL_OWNER_CONTENDED (UINT64_C(1) << 11)
#define LOCAL_OWNER_COUNT_AT  12
#define LOCAL_OWNER_TAG_AT    36

typedef struct local_segment {
    atomic_ullong magic;
    atomic_ullong clocks;       /* presence_clocks() of who made it */
    atomic_llong crowded_until; /* others want the processors: whoever gave its own up for a moment was long without */
    atomic_ullong spare[5];
    atomic_ullong owners[LOCAL_SLOTS];
    local_slot slots[LOCAL_SLOTS];
    local_entry entries[LOCAL_ENTRIES];
} local_segment;

/* What a segment begins with, unless it is new: all zero. Builds whose segments have other sizes stay out of each other's also
 * if the number of the layout is the same. */
#define LOCAL_MAGIC  (UINT64_C(0x6c6f63616c747201) + ((uint64_t)sizeof(local_segment) << 8))
#define LOCAL_LAYOUT 2 /* also of how texts are hashed: see lock/local/check.h */

#endif

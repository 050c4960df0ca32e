/* SPDX-License-Identifier: MIT
 *
 * redis/naming: see redis/naming.h.
 *
 * What is known of a server is one word, its number with a state in place of the lowest bits, so that no thread needs a lock
 * here: a fork might come while another thread has that.
 */
#include "redis/naming.h"

#include <stddef.h>
#include <string.h>

#include "platform/atomics.h"
#include "platform/platform.h"

typedef enum state {
    UNKNOWN, /* not in the table */
    ASKING,  /* a connection has brought its name, and its answer is awaited */
    TAKEN,
    REFUSED,
    DOUBTED, /* the server has closed a connection with a name, and none without one since */
} state;

#define STATE UINT64_C(7)

/* A process that finds no room leaves the name out. */
static atomic_ullong servers[RL_NAMING_SERVERS];
static atomic_llong asked_by; /* the process that is ASKING; negative: it still forgets what its parent was */
static bool is_on;

void rl_naming_start(void)
{
    is_on = true;
    atomic_store(&asked_by, platform_process());
}

/* ---- servers ---- */

/* FNV-1a. */
static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t len)
{
    const unsigned char *at = bytes;

    for (size_t i = 0; i < len; i++) {
        hash = (hash ^ at[i]) * UINT64_C(0x100000001b3);
    }
    return hash;
}

/* With its NUL, so that two texts do not run into each other. NULL counts as "". */
static uint64_t hash_text(uint64_t hash, const char *text)
{
    return hash_bytes(hash, text != NULL ? text : "", text != NULL ? strlen(text) + 1 : 1);
}

uint64_t rl_naming_server(const rl_endpoint *endpoint, const char *host, int port)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);

    if (!is_on) {
        return 0;
    }
    hash = hash_text(hash, endpoint->path != NULL ? endpoint->path : host);
    hash = hash_bytes(hash, &port, sizeof(port));
    hash = hash_text(hash, endpoint->username) & ~STATE;
    return hash != 0 ? hash : STATE + 1;
}

/* ---- what is known of them ---- */

/* Forgets that the parent was asking: the answer comes to its connection. Returns false while another thread does so. */
static bool note_process(void)
{
    long long process = platform_process(), before = atomic_load(&asked_by);

    if (before == process) {
        return true;
    }
    if (before == -process || !atomic_compare_exchange_strong(&asked_by, &before, -process)) {
        return before == process;
    }
    for (size_t i = 0; i < RL_NAMING_SERVERS; i++) {
        unsigned long long word = atomic_load(&servers[i]);
        if ((word & STATE) == ASKING) {
            atomic_compare_exchange_strong(&servers[i], &word, 0);
        }
    }
    atomic_store(&asked_by, process);
    return true;
}

/* Returns where the server stands, but for this place; NULL: nothing is known of it. */
static atomic_ullong *find_beside(uint64_t server, const atomic_ullong *place)
{
    for (size_t i = 0; i < RL_NAMING_SERVERS; i++) {
        if (&servers[i] != place && (atomic_load(&servers[i]) & ~STATE) == server) {
            return &servers[i];
        }
    }
    return NULL;
}

/* Returns room for a server, and what is there: nothing, or one that takes names, of which that can be learned again at no
 * cost. NULL: there is none. */
static atomic_ullong *find_room(unsigned long long *there)
{
    atomic_ullong *room = NULL;

    for (size_t i = 0; i < RL_NAMING_SERVERS; i++) {
        unsigned long long word = atomic_load(&servers[i]);
        if (word == 0 || ((word & STATE) == TAKEN && room == NULL)) {
            room = &servers[i];
            *there = word;
        }
        if (word == 0) {
            break;
        }
    }
    return room;
}

/* Takes room for a server of which nothing was known. False: another thread was faster, with that room or with this server. Two
 * that enter it at once both take it back. */
static bool enter(atomic_ullong *room, unsigned long long there, uint64_t server)
{
    unsigned long long word = server | ASKING;

    if (!atomic_compare_exchange_strong(room, &there, word)) {
        return false;
    }
    if (find_beside(server, room) == NULL) {
        return true;
    }
    atomic_compare_exchange_strong(room, &word, 0);
    return false;
}

/* If another thread was faster, it may have entered this server. */
bool rl_naming_wants(uint64_t server, bool may_ask)
{
    unsigned long long there = 0;
    atomic_ullong *room;

    if (server == 0 || !note_process()) {
        return false;
    }
    do {
        atomic_ullong *known = find_beside(server, NULL);
        if (known != NULL) {
            return atomic_load(known) == (server | TAKEN);
        }
        room = may_ask ? find_room(&there) : NULL;
    } while (room != NULL && !enter(room, there, server));
    return room != NULL;
}

/* Returns the state that the outcome leads to. */
static state next_state(state now, rl_naming_outcome outcome)
{
    switch (outcome) {
    case RL_NAME_TAKEN:
        return TAKEN;
    case RL_NAME_REFUSED:
        return REFUSED;
    case RL_NAME_CLOSED:
        return now != REFUSED ? DOUBTED : now;
    case RL_NAME_CLOSED_WITHOUT:
        return now != DOUBTED ? now : UNKNOWN;
    default:
        return now != ASKING ? now : UNKNOWN;
    }
}

void rl_naming_tell(uint64_t server, rl_naming_outcome outcome)
{
    atomic_ullong *known = server != 0 ? find_beside(server, NULL) : NULL;
    unsigned long long word = known != NULL ? atomic_load(known) : 0;

    while ((word & ~STATE) == server && word != 0) {
        state next = next_state((state)(word & STATE), outcome);
        if (atomic_compare_exchange_weak(known, &word, next != UNKNOWN ? server | next : 0)) {
            return;
        }
    }
}

/* ---- the name ---- */

rl_bytes rl_naming_name(char out[RL_NAME_SIZE])
{
    static const char first[] = "redislock:";
    size_t len;
    const char *identity = platform_identity(&len);

    memcpy(out, first, sizeof(first) - 1);
    memcpy(out + sizeof(first) - 1, identity, len);
    return (rl_bytes){out, sizeof(first) - 1 + len};
}

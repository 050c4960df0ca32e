/* SPDX-License-Identifier: MIT
 *
 * Whatever another program scribbles into the segment, a process neither crashes nor writes elsewhere, and no call takes longer
 * than it may. Under the sanitizers an index or a length that is not cut shows at once.
 */
#define _GNU_SOURCE
#include "local_bed.h"

#include <stdio.h>
#include <unistd.h>
#include <sys/mman.h>

/* How long a call may take beyond its deadline. */
#define LATE_MS 500

static uint64_t state;

/* xorshift64*: the same numbers everywhere. */
static uint64_t draw(void)
{
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return state * UINT64_C(2685821657736338717);
}

static unsigned below(unsigned bound)
{
    return (unsigned)(draw() >> 33) % bound;
}

/* A key of few, so that what stands there is met. */
static const char *draw_key(void)
{
    static const char *const keys[] = {"a", "b", "another key, which is a little longer", "d"};

    return keys[below(4)];
}

/* ---- scribbling ---- */

static uint64_t draw_word(const local_host *host)
{
    static const uint64_t words[] = {0, 1, UINT64_MAX, INT64_MAX, (uint64_t)INT64_MIN, UINT64_C(1) << 32};

    switch (below(4)) {
    case 0:
        return words[below(6)];
    case 1:
        return (uint64_t)platform_now() + draw() % MS(2000) - MS(1000);
    case 2:
        return local_status(below(4), below(2) ? host->number : below(LOCAL_PROCESSES),
                            (local_state)below(LOCAL_STATES));
    default:
        return draw();
    }
}

static void fill(void *at, size_t size)
{
    unsigned char *bytes = at;
    uint64_t word = draw();

    for (size_t i = 0; i < size; i++) {
        if (i % 8 == 0) {
            word = draw();
        }
        bytes[i] = (unsigned char)(word >> i % 8 * 8);
    }
}

/* The next count of an entry's uses, in a state of another process, or in one that this process may be in just now. */
static void scribble_entry(local_host *host, local_entry *entry)
{
    uint64_t status = atomic_load(&entry->status), count = local_count_of(status) + below(2);

    atomic_store(&entry->status,
                 local_status(count, below(4) ? host->number : below(LOCAL_PROCESSES), (local_state)below(10)));
    atomic_store(&entry->answer, local_answer_word(count + below(2), (local_answer)below(9)));
    atomic_store(&entry->slot, below(2) ? below(LOCAL_SLOTS) : (unsigned)draw());
    entry->token_len = below(2) ? below(LOCAL_TOKEN_MAX + 1) : (uint32_t)draw();
    entry->from_len = below(2) ? below(LOCAL_TOKEN_MAX + 1) : (uint32_t)draw();
    entry->key_len = below(2) ? below(LOCAL_KEY_MAX + 1) : (uint32_t)draw();
    entry->from_process = (uint32_t)draw();
    entry->lease = (int64_t)draw_word(host);
    entry->from_sent = (int64_t)draw_word(host);
    entry->from_duration = (int64_t)draw_word(host);
    entry->sent = (int64_t)draw_word(host);
    fill(&entry->error, sizeof(entry->error));
    entry->check = below(2) ? draw() : local_check(entry, count);
}

static void scribble_slot(local_host *host, unsigned index)
{
    local_segment *segment = host->segment;
    unsigned entry = below(LOCAL_ENTRIES);
    uint64_t count = local_count_of(atomic_load(&segment->entries[entry].status));

    atomic_store(&segment->owners[index],
                 below(2) ? local_owner(entry, count, draw()) | below(2) << 11 : draw_word(host));
    atomic_store(&segment->slots[index].mark, draw_word(host));
    atomic_store(&segment->slots[index].tickets, draw_word(host));
    atomic_store(&segment->slots[index].waiting[below(LOCAL_ENTRIES / 64)], draw());
}

/* Leaves most of it empty at times, so that there is a free entry, and a slot. */
static void scribble(local_host *host)
{
    local_segment *segment = host->segment;
    size_t size = sizeof(*segment), at;

    switch (below(64)) {
    case 0:
        fill(segment, size);
        return;
    case 1:
        memset(segment, below(2) ? 0 : (int)draw(), size);
        return;
    case 2:
    case 3:
        at = below((unsigned)size);
        fill((char *)segment + at, below((unsigned)(size - at) + 1) % 4096);
        return;
    default:
        for (unsigned i = below(6); i > 0; i--) {
            scribble_entry(host, &segment->entries[below(below(2) ? 8 : LOCAL_ENTRIES)]);
        }
        for (unsigned i = below(6); i > 0; i--) {
            scribble_slot(host, below(LOCAL_SLOTS));
        }
    }
}

/* ---- what a process does there ---- */

#define TURNS 4

typedef struct user {
    local_host *host;
    lock_turn *turns[TURNS];
    const char *keys[TURNS];
    lock_turn_heir heir;
    bool has_heir;
    long verdicts[LOCK_TURN_FAILED + 1], passed;
} user;

/* While a process waits, another one goes on scribbling: at its steps. */
static local_host *scribbled;

/* Puts one in line at the slot that wants this lock: of a living process in every other case, since the dead are dropped. */
static void plant_waiter(local_host *host, unsigned slot, const char *key)
{
    unsigned index = 8 + below(LOCAL_ENTRIES - 8), process = below(2) ? host->number : below(LOCAL_PROCESSES);
    local_entry *entry = &host->segment->entries[index];
    uint64_t count = local_count_of(atomic_load(&entry->status)) + 1;

    entry->key_len = (uint32_t)strlen(key);
    memcpy(entry->key, key, entry->key_len);
    entry->identity[0] = 1;
    entry->identity[1] = 2;
    entry->token_len = below(2) ? below(LOCAL_TOKEN_MAX + 1) : (uint32_t)draw();
    entry->lease = below(2) ? MS(1000) : (int64_t)draw_word(host);
    atomic_store(&entry->ticket, draw());
    atomic_store(&entry->slot, slot);
    atomic_store(&entry->status, local_status(count, process, LOCAL_WAITS));
    local_line_enter(&host->segment->slots[slot], index);
}

/* Does something with the entry by which this process waits, as whoever owns its slot might. */
static void scribble_waiter(local_host *host)
{
    static const local_state states[] = {LOCAL_GRANTED, LOCAL_GRANTED, LOCAL_GRANTED,   LOCAL_CLAIMED,
                                         LOCAL_FAILED,  LOCAL_FAILED,  LOCAL_SENT_AWAY, LOCAL_HEAD};
    unsigned index = 0;

    while (index < LOCAL_ENTRIES && atomic_load(&host->segment->entries[index].status) !=
                                        local_status(host->turns[index].count, host->number, LOCAL_WAITS)) {
        index++;
    }
    if (index < LOCAL_ENTRIES) {
        local_entry *entry = &host->segment->entries[index];
        uint64_t status = atomic_load(&entry->status);
        scribble_entry(host, entry);
        if (below(2)) {
            entry->sent = platform_now() - (int64_t)below(1000);
            entry->from_sent = below(2) ? entry->sent : (int64_t)draw_word(host);
            entry->from_duration = below(2) ? MS(5000) : (int64_t)draw_word(host);
            entry->check = local_check(entry, local_count_of(status));
        }
        atomic_store(&entry->answer, local_answer_word(local_count_of(status), (local_answer)below(9)));
        atomic_store(&entry->status, local_with_state(status, states[below(8)]));
    }
}

static void scribble_at_step(const char *function, int line)
{
    (void)function, (void)line;
    if (below(8) == 0) {
        if (below(2)) {
            scribble_waiter(scribbled);
        } else if (below(2)) {
            scribble_entry(scribbled, &scribbled->segment->entries[below(8)]);
        } else {
            scribble_slot(scribbled, below(LOCAL_SLOTS));
        }
    }
}

static bool interrupts(void *arg)
{
    (void)arg;
    return below(16) == 0;
}

static void do_enter(user *u, unsigned i)
{
    const rl_hook hook = {.interrupted = interrupts, .arg = NULL};
    lock_turn_line line;
    rl_error error = {.kind = RL_OK};
    lock_turn_terms terms = terms_of(u->keys[i] = draw_key(), "token", 0);
    int64_t wait = below(8) == 0 ? MS(2) : (int64_t)below(300);

    terms.deadline = platform_now() + wait;
    terms.hook = below(2) ? &hook : NULL;
    terms.max_waiters = below(3);
    lock_turn_verdict verdict = lock_turn_enter(u->host, &terms, &u->turns[i], &line, &error);
    u->verdicts[verdict]++;
    CHECK((u->turns[i] != NULL) == (verdict == LOCK_TURN_HEAD || verdict == LOCK_TURN_GRANTED));
    if (verdict == LOCK_TURN_FAILED) {
        CHECK(error.kind > RL_OK && error.kind <= RL_REDIRECTED);
        CHECK(strlen(error.text) < sizeof(error.text) && strlen(error.code) < sizeof(error.code));
    }
    if (verdict == LOCK_TURN_GRANTED) {
        const lock_turn *turn = u->turns[i];
        CHECK(turn->from_len <= sizeof(turn->from) && turn->heir_len <= sizeof(turn->heir));
        CHECK(turn->from_sent >= 0 && turn->from_sent <= platform_now() && turn->sent <= platform_now());
        const lock_lease before = {.sent = turn->from_sent, .duration = turn->from_duration};
        CHECK(lock_lease_validity(&before, platform_now()) >= 0);
    }
}

static void do_pass(user *u, unsigned i)
{
    const lock_turn_offer offer = {.key = BYTES(u->keys[i]),
                                   .token = RL_LITERAL("token of the holder"),
                                   .sent = platform_now(),
                                   .duration = MS(5000)};

    if (lock_turn_pass(u->turns[i], &offer, &u->heir)) {
        CHECK(u->heir.entry < LOCAL_ENTRIES && u->heir.slot < LOCAL_SLOTS);
        CHECK(u->heir.token_len <= sizeof(u->heir.token) && u->heir.lease > 0);
        u->has_heir = true;
        u->passed++;
        u->turns[i] = NULL;
    }
}

static void do_something(user *u)
{
    unsigned i = below(TURNS);
    int64_t fence = 0;

    if (u->turns[i] != NULL && below(3) == 0) {
        plant_waiter(u->host, u->turns[i]->slot, u->keys[i]);
        do_pass(u, i);
    }
    if (u->turns[i] == NULL) {
        do_enter(u, i);
        return;
    }
    switch (below(8)) {
    case 0:
        do_pass(u, i);
        break;
    case 1:
        lock_turn_fail(u->turns[i], &(rl_error){.kind = RL_UNREACHABLE});
        break;
    case 2:
        lock_turn_hold(u->turns[i], (int64_t)draw());
        break;
    case 3:
        lock_turn_await(u->turns[i], platform_now() + below(300), &fence);
        break;
    case 4:
        lock_turn_look(u->turns[i], &fence);
        lock_turn_waiting(u->turns[i]);
        break;
    case 5:
        if (u->has_heir) {
            lock_turn_answer(u->host, &u->heir, (local_answer)(LOCAL_YES + below(3)), 7, below(3));
        }
        break;
    case 6:
        if (lock_turn_leave_alone(u->turns[i])) {
            u->turns[i] = NULL;
        }
        break;
    default:
        lock_turn_leave(u->turns[i]);
        u->turns[i] = NULL;
    }
}

/* Makes a segment of this process alone, at either end of which stands a page that must not be touched. */
static local_segment *make_fenced_segment(void)
{
    size_t size = (sizeof(local_segment) + 4095) / 4096 * 4096;
    char *room = mmap(NULL, size + 2 * 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    CHECK(room != MAP_FAILED);
    CHECK(mprotect(room + 4096, size, PROT_READ | PROT_WRITE) == 0);
    return (local_segment *)(void *)(room + 4096);
}

/* Runs so many rounds, from this seed: each scribbles, and does a few things. */
static void fuzz(uint64_t seed, long rounds)
{
    user u = {.host = host_here()};
    int64_t worst = 0;

    state = seed;
    scribbled = u.host;
    u.host->segment = make_fenced_segment();
    for (long round = 0; round < rounds; round++) {
        scribble(u.host);
        local_before_step = below(2) ? scribble_at_step : NULL;
        for (unsigned i = 1 + below(6); i > 0; i--) {
            int64_t start = platform_now();
            do_something(&u);
            worst = platform_later(worst, platform_now() - start);
        }
        if (below(256) == 0) {
            local_host_sweep(u.host, below(2));
        }
        if (worst > MS(LATE_MS + held_up())) {
            test_fail(__FILE__, __LINE__, "a call took %d ms in round %ld of seed %llu", (int)(worst / 1000), round,
                      (unsigned long long)seed);
        }
    }
    local_before_step = NULL;
    note("%ld rounds from seed %llu, %.1f ms at worst: %ld alone, %ld head, %ld granted, %ld over, %ld full, %ld "
         "interrupted, "
         "%ld failed, %ld passed on",
         rounds, (unsigned long long)seed, (double)worst / 1000, u.verdicts[LOCK_TURN_ALONE],
         u.verdicts[LOCK_TURN_HEAD], u.verdicts[LOCK_TURN_GRANTED], u.verdicts[LOCK_TURN_OVER],
         u.verdicts[LOCK_TURN_FULL], u.verdicts[LOCK_TURN_INTERRUPTED], u.verdicts[LOCK_TURN_FAILED], u.passed);
    for (int i = LOCK_TURN_ALONE; i <= LOCK_TURN_FAILED; i++) {
        CHECK(u.verdicts[i] > 0 || rounds < 1000);
    }
    CHECK(u.passed > 0 || rounds < 1000);
}

typedef struct share {
    uint64_t seed;
    long rounds;
} share;

static void fuzz_share(void *arg)
{
    fuzz(((share *)arg)->seed, ((share *)arg)->rounds);
}

/* Some thousand rounds; a million with REDISLOCK_TEST_LONG=1, by several processes, since they wait for much of the time.
 * REDISLOCK_TEST_SEED: those of one seed again. */
TEST(local_segment_that_is_scribbled_over_harms_nobody)
{
    enum { SHARES = 8 };
    const char *seed = getenv("REDISLOCK_TEST_SEED");
    uint64_t first = seed != NULL ? strtoull(seed, NULL, 10) : (uint64_t)platform_now() | 1;
    pid_t pids[SHARES];

    if (getenv("REDISLOCK_TEST_LONG") == NULL || seed != NULL) {
        fuzz(first, getenv("REDISLOCK_TEST_LONG") == NULL ? 3000 : 125000);
        return;
    }
    alarm(1200);
    for (unsigned i = 0; i < SHARES; i++) {
        pids[i] = process_start(fuzz_share, &(share){first + 2 * i, 125000});
    }
    for (unsigned i = 0; i < SHARES; i++) {
        process_join(pids[i]);
    }
}

/* SPDX-License-Identifier: MIT
 *
 * machine: see machine.h.
 */
#include "machine.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"
#include "platform/futex.h"
#include "platform/platform.h"
#include "platform/presence.h"

const char *const machine_places[MACHINE_PLACES] = {
    [PLACE_CLAIMED] = "write_grant",
    [PLACE_SLOT] = "hand_slot_to",
    [PLACE_CLAIM_ENDS] = "local_line_release",
    [PLACE_PASSED] = "lock_pass_on",
    [PLACE_ANSWER] = "lock_turn_answer",
    [PLACE_HEIR] = "stand_in_line",
    [PLACE_TAKER] = "take_grant",
    [PLACE_STEPS_OUT] = "local_line_step_out",
};

#define MAPPINGS 64 /* in all processes and their children */
#define WAITERS  16
#define FIRST_FD (1 << 20) /* of the files behind mappings; sockets have others */

/* The core calls it before each exchange, if it was compiled for that. */
extern void (*local_before_step)(const char *function, int line) __attribute__((weak));

/* The memory as a process sees it. */
typedef struct mapping {
    char *at; /* NULL: it is not mapped */
    int machine;
    const sim_process *process;
    int64_t pid;
    unsigned number; /* which it may take */
} mapping;

/* Who has a number. */
typedef struct presence {
    const sim_process *process; /* NULL: nobody ever had it */
    int64_t pid, until;
    bool is_inherited; /* another process had it before */
} presence;

/* A task that waits for a word. */
typedef struct waiter {
    sim_task *task; /* NULL: none */
    int machine;
    size_t offset;
} waiter;

static struct {
    int files[MAX_MACHINES]; /* kept from world to world; 0: not made yet */
    char *memory[MAX_MACHINES];
} kept;

static struct {
    int count;
    machine_terms terms;
    mapping mappings[MAPPINGS];
    int mapping_count;
    presence numbers[MAX_MACHINES][LOCAL_PROCESSES];
    unsigned numbers_used;
    waiter waiters[WAITERS];
    uint32_t points, points_at[MACHINE_PLACES]; /* in all, and in each place */
} machines;

static size_t size(void)
{
    return (sizeof(local_segment) + 4095) / 4096 * 4096;
}

static void *map(int machine, int how, void *at)
{
    void *made =
        mmap(at, size(), PROT_READ | PROT_WRITE, how | (at != NULL ? MAP_FIXED : 0), kept.files[machine - 1], 0);

    return made != MAP_FAILED ? made : NULL;
}

/* ---- points ---- */

static void strike(const sim_fault *fault, sim_process *process)
{
    net.fired++;
    tell("fault: %s (client %d, point %" PRIu32 ")", fault_names[fault->kind], process->index, machines.points);
    world_disturb(world.now);
    switch (fault->kind) {
    case FAULT_STOP_AT_POINT:
        process_stop(process, fault->span);
        break;
    case FAULT_KILL_AT_POINT:
        net_close_all(process);
        process_kill(process);
        break;
    default:
        process_signal(process);
    }
}

/* Returns which of the places the function is; 0: none. */
static unsigned place_of(const char *function)
{
    unsigned place = MACHINE_PLACES - 1;

    while (place > 0 && strcmp(machine_places[place], function) != 0) {
        place--;
    }
    return place;
}

static bool is_at_point(const sim_fault *fault, unsigned place)
{
    return fault->kind >= FAULT_STOP_AT_POINT && fault->kind <= FAULT_SIGNAL_AT_POINT && !fault->off &&
           (fault->place == 0 ? fault->piece == machines.points
                              : fault->place == place && fault->piece == machines.points_at[place]);
}

/* A process comes to a place between two exchanges: others may go on there, and it may be stopped or killed. */
static void at_point(const char *function, int line)
{
    sim_process *process = world_process();

    if (process == NULL || process->dead || machines.count == 0) {
        return;
    }
    unsigned place = place_of(function);
    machines.points++;
    machines.points_at[place]++;
    tally.points++;
    for (size_t i = 0; i < machines.terms.fault_count; i++) {
        if (is_at_point(&machines.terms.faults[i], place)) {
            tell("client %d is at %s:%d", process->index, function, line);
            strike(&machines.terms.faults[i], process);
        }
    }
    if (!process->dead && chance_once_in(&world.chance, (uint64_t)machines.terms.point_one_in)) {
        tally.preempted++;
        tell("client %d is at %s:%d", process->index, function, line);
        process_stop(process, chance_between(&world.chance, 1, machines.terms.point_most));
    }
    if (!process->dead && process->stopped_until > world.now) {
        world_wait(process->stopped_until);
    }
    world_count_call();
}

uint32_t machine_points(void)
{
    return machines.points;
}

/* ---- who is there ---- */

void machine_leave(const sim_process *process, int64_t pid, int64_t until)
{
    for (int i = 0; i < machines.count; i++) {
        for (unsigned n = 0; n < LOCAL_PROCESSES; n++) {
            presence *one = &machines.numbers[i][n];
            if (one->process == process && one->pid == pid && one->until > until) {
                one->until = until;
            }
        }
    }
}

bool machine_is_number_of(int machine, unsigned number, int64_t pid)
{
    const presence *one = &machines.numbers[machine - 1][number];

    return one->process != NULL && one->pid == pid;
}

bool machine_is_inherited(int machine, unsigned number)
{
    return machines.numbers[machine - 1][number].is_inherited;
}

static bool is_there(int machine, unsigned number)
{
    const presence *one = &machines.numbers[machine - 1][number];

    return one->process != NULL && one->until > world.now;
}

/* A number that nobody has: now and then that of a process that has ended. */
static unsigned draw_number(int machine)
{
    unsigned wanted = 0;

    if (chance_once_in(&world.chance, 4)) {
        for (unsigned n = 0; n < LOCAL_PROCESSES; n++) {
            if (machines.numbers[machine - 1][n].process != NULL && !is_there(machine, n)) {
                return n;
            }
        }
    }
    do {
        wanted = (1 + machines.numbers_used++ * 61) % LOCAL_PROCESSES;
    } while (is_there(machine, wanted));
    return wanted;
}

/* ---- memory ---- */

static void process_was_killed(sim_process *process)
{
    machine_leave(process, process->pid, world.now);
    check_gone(process->self, world.now);
    check_orphaned(process->self);
    for (int i = 0; i < machines.mapping_count; i++) {
        const mapping *one = &machines.mappings[i];
        if (one->process == process && one->at != NULL) {
            map(one->machine, MAP_PRIVATE, one->at);
        }
    }
}

void machines_begin(int count, const machine_terms *terms)
{
    if (count > 0) {
        memset(&machines, 0, sizeof(machines));
    }
    machines.count = count;
    machines.terms = *terms;
    world_killed = count > 0 ? process_was_killed : NULL;
    if (&local_before_step != NULL) {
        local_before_step = count > 0 ? at_point : NULL;
    }
    for (int i = 0; i < count; i++) {
        if (kept.files[i] == 0) {
            kept.files[i] = memfd_create("machine", MFD_CLOEXEC);
        }
        if (kept.files[i] < 0 || ftruncate(kept.files[i], 0) != 0 || ftruncate(kept.files[i], (off_t)size()) != 0 ||
            (kept.memory[i] = map(i + 1, MAP_SHARED, NULL)) == NULL) {
            violated("setup", "there is no shared memory");
        }
    }
}

void machines_end(void)
{
    for (int i = 0; i < machines.mapping_count; i++) {
        if (machines.mappings[i].at != NULL) {
            munmap(machines.mappings[i].at, size());
        }
    }
    for (int i = 0; i < machines.count; i++) {
        munmap(kept.memory[i], size());
    }
    machines.count = machines.mapping_count = 0;
}

void machines_heal(void)
{
    machines.terms.fault_count = 0;
    machines.terms.point_one_in = 0;
}

local_segment *machine_segment(int machine)
{
    return (local_segment *)(void *)kept.memory[machine - 1];
}

/* ---- what the core calls ---- */

void *__wrap_segment_open_file(const segment_use *use, const char *folder, int *fd, char why[SEGMENT_WHY]);
void __wrap_segment_close(const segment_use *use, void *memory);
bool __wrap_presence_take(int fd, unsigned number);
bool __wrap_presence_is_taken(int fd, unsigned number);
bool __wrap_presence_keep(int fd, unsigned number);
bool __wrap_presence_is_kept(int fd, unsigned number);
void __wrap_presence_close(int fd);
unsigned long long __wrap_presence_clocks(void);
void __wrap_presence_place(unsigned long long place[PRESENCE_PLACE]);
void __wrap_futex_wait(const atomic_ullong *word, uint64_t expected, int64_t until);
void __wrap_futex_wake(const atomic_ullong *word);
void __wrap_futex_yield(void);

void *__wrap_segment_open_file(const segment_use *use, const char *folder, int *fd, char why[SEGMENT_WHY])
{
    const sim_process *process = world_process();
    int i = machines.mapping_count;

    (void)use, (void)folder;
    if (process == NULL || process->machine == 0 || i == MAPPINGS) {
        snprintf(why, SEGMENT_WHY, "it cannot be opened");
        return NULL;
    }
    machines.mapping_count++;
    machines.mappings[i] = (mapping){.at = map(process->machine, process->dead ? MAP_PRIVATE : MAP_SHARED, NULL),
                                     .machine = process->machine,
                                     .process = process,
                                     .pid = process->pid,
                                     .number = draw_number(process->machine)};
    *fd = FIRST_FD + i;
    return machines.mappings[i].at;
}

void __wrap_segment_close(const segment_use *use, void *memory)
{
    (void)use;
    for (int i = 0; i < machines.mapping_count; i++) {
        if (machines.mappings[i].at == memory) {
            munmap(memory, size());
            machines.mappings[i].at = NULL;
        }
    }
}

bool __wrap_presence_take(int fd, unsigned number)
{
    const mapping *one = &machines.mappings[fd - FIRST_FD];

    if (number != one->number) {
        return false;
    }
    if (!one->process->dead) {
        presence *at = &machines.numbers[one->machine - 1][number];
        *at = (presence){one->process, one->pid, NEVER, .is_inherited = at->process != NULL};
    }
    return true;
}

bool __wrap_presence_is_taken(int fd, unsigned number)
{
    const mapping *one = &machines.mappings[fd - FIRST_FD];

    world_count_call();
    return is_there(one->machine, number) && machines.numbers[one->machine - 1][number].pid != one->pid;
}

bool __wrap_presence_keep(int fd, unsigned number)
{
    return machines.mappings[fd - FIRST_FD].number == number;
}

/* A parent's is kept by its child, which goes on in its place. */
bool __wrap_presence_is_kept(int fd, unsigned number)
{
    int machine = machines.mappings[fd - FIRST_FD].machine;
    const presence *one = &machines.numbers[machine - 1][number];

    world_count_call();
    return is_there(machine, number) || (one->process != NULL && !one->process->dead && one->pid != one->process->pid);
}

void __wrap_presence_close(int fd)
{
    const mapping *one = &machines.mappings[fd - FIRST_FD];

    machine_leave(one->process, one->pid, world.now);
}

unsigned long long __wrap_presence_clocks(void)
{
    return 1;
}

void __wrap_presence_place(unsigned long long place[PRESENCE_PLACE])
{
    memset(place, 0, PRESENCE_PLACE * sizeof(*place));
    place[0] = (unsigned long long)world_process()->place;
}

/* Where the word is in the memory of its machine. */
static bool find_word(const void *word, waiter *at)
{
    for (int i = 0; i < machines.mapping_count; i++) {
        const mapping *one = &machines.mappings[i];
        if (one->at != NULL && (const char *)word >= one->at && (const char *)word < one->at + size()) {
            at->machine = one->machine;
            at->offset = (size_t)((const char *)word - one->at);
            return true;
        }
    }
    violated("setup", "a futex is no word of shared memory");
    return false;
}

static waiter *free_place(void)
{
    for (int i = 0; i < WAITERS; i++) {
        if (machines.waiters[i].task == NULL) {
            return &machines.waiters[i];
        }
    }
    return NULL;
}

/* Now and then it comes back for no reason. */
void __wrap_futex_wait(const atomic_ullong *word, uint64_t expected, int64_t until)
{
    const sim_process *process = world_process();
    int64_t left = until - platform_now(), end = world.now + clock_true_span(&process->clock, left);
    waiter me = {.task = world.running};

    at_point(__func__, 0); /* others may go on there, and wait too */
    waiter *place = free_place();
    if (process->dead || left <= 0 || place == NULL || !find_word(word, &me) ||
        (uint32_t)atomic_load((atomic_ullong *)(uintptr_t)word) != (uint32_t)expected ||
        chance_once_in(&world.chance, 100)) {
        return;
    }
    *place = me;
    world_wait(platform_later(end, world.now));
    place->task = NULL;
}

void __wrap_futex_wake(const atomic_ullong *word)
{
    waiter at = {0};

    at_point(__func__, 0);
    if (world_process()->dead || !find_word(word, &at)) {
        return;
    }
    for (int i = 0; i < WAITERS; i++) {
        const waiter *one = &machines.waiters[i];
        if (one->task != NULL && one->machine == at.machine && one->offset == at.offset) {
            world_wake(one->task);
        }
    }
}

void __wrap_futex_yield(void)
{
    at_point(__func__, 0);
    if (!world_process()->dead) {
        world_wait(world.now + 20);
    }
}

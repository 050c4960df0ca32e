/* SPDX-License-Identifier: MIT
 *
 * world: see world.h.
 */
#include "world.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "platform/platform.h"

#ifdef WITH_ASAN
/* As in sanitizer/common_interface_defs.h, which does not always come with the compiler. */
void __sanitizer_start_switch_fiber(void **fake_stack_save, const void *bottom, size_t size);
void __sanitizer_finish_switch_fiber(void *fake_stack_save, const void **bottom_old, size_t *size_old);
#endif

#define STACK_SIZE (256 * 1024)
#define MAX_TASKS  16

/* So many calls to the system without a wait, and a process is in an endless loop. */
#define ENDLESS 20000

/* So many events, and the world is in one. */
#define MOST_STEPS 400000

/* How long a task gives way to the others of its process: mostly, and now and then. */
#define WAY_SHORT 100
#define WAY_LONG  (20 * MSEC)

/* How long a woken process takes to run again. */
#define WAKE_LEAST 2
#define WAKE_MOST  60

struct sim_task {
    ucontext_t context;
    sim_process *process;
    void (*body)(sim_process *);
    uint64_t turn; /* counts how often it ran: an event for an earlier turn is over */
    bool waits;
    bool done;
    bool is_thread;
    int stack;
    const void *stack_bottom; /* of the one that resumed it, for the address sanitizer */
    size_t stack_size;
    void *fake_stack;
};

typedef struct event {
    int64_t when;
    uint64_t order; /* of two at the same time, the one that was planned first happens first */
    sim_event *happen;
    void *subject;
    int64_t detail;
} event;

/* A block of memory that lives as long as the world. */
typedef struct block {
    struct block *next;
    max_align_t bytes[];
} block;

sim_world world;
void (*world_told)(const char *text);
void (*world_killed)(sim_process *process);

static struct {
    event *heap;
    size_t count, room;
    uint64_t order;
    sim_task tasks[MAX_TASKS];
    int task_count;
    void *stacks[MAX_TASKS]; /* kept from world to world */
    ucontext_t scheduler;
    void *scheduler_fake_stack;
    block *blocks;
} ground;

/* ---- chance ---- */

/* splitmix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", 2014). */
uint64_t chance_draw(sim_chance *chance)
{
    uint64_t z = chance->state += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

int64_t chance_between(sim_chance *chance, int64_t from, int64_t to)
{
    return chance->steady ? to : from + (int64_t)(chance_draw(chance) % (uint64_t)(to - from + 1));
}

bool chance_once_in(sim_chance *chance, uint64_t n)
{
    return n != 0 && !chance->steady && chance_draw(chance) % n == 0;
}

/* ---- clocks ---- */

sim_clock clock_draw(int64_t least, int64_t most)
{
    int64_t start = chance_between(&world.chance, least, most);

    return (sim_clock){.start = start, .ppm = world.chance.steady ? 0 : chance_between(&world.chance, -3000, 3000)};
}

static int64_t drifted(const sim_clock *clock, int64_t true_time)
{
    return clock->start + true_time + true_time / 1000 * clock->ppm / 1000;
}

/* What a slow clock is behind is taken off it once a ms. One that is shared stands still then, until it is right again. */
int64_t clock_at(const sim_clock *clock, int64_t true_time)
{
    int64_t at = drifted(clock, true_time);

    return clock->is_shared ? platform_later(at, drifted(clock, true_time / 1000 * 1000 - 1)) : at;
}

int64_t clock_true_span(const sim_clock *clock, int64_t span)
{
    return span - span / 1000 * clock->ppm / 1000;
}

/* ---- events ---- */

static bool is_before(const event *a, const event *b)
{
    return a->when != b->when ? a->when < b->when : a->order < b->order;
}

static void swap(event *a, event *b)
{
    event kept = *a;
    *a = *b;
    *b = kept;
}

void world_at(int64_t when, sim_event *happen, void *subject, int64_t detail)
{
    if (ground.count == ground.room) {
        ground.room = ground.room > 0 ? 2 * ground.room : 256;
        ground.heap = platform_realloc(ground.heap, ground.room * sizeof(*ground.heap));
    }
    size_t i = ground.count++;
    ground.heap[i] = (event){when > world.now ? when : world.now, ++ground.order, happen, subject, detail};
    while (i > 0 && is_before(&ground.heap[i], &ground.heap[(i - 1) / 2])) {
        swap(&ground.heap[i], &ground.heap[(i - 1) / 2]);
        i = (i - 1) / 2;
    }
}

static event take_first(void)
{
    event first = ground.heap[0];
    size_t i = 0;

    ground.heap[0] = ground.heap[--ground.count];
    for (;;) {
        size_t least = i, left = 2 * i + 1, right = left + 1;
        if (left < ground.count && is_before(&ground.heap[left], &ground.heap[least])) {
            least = left;
        }
        if (right < ground.count && is_before(&ground.heap[right], &ground.heap[least])) {
            least = right;
        }
        if (least == i) {
            return first;
        }
        swap(&ground.heap[i], &ground.heap[least]);
        i = least;
    }
}

void world_run(int64_t until)
{
    while (ground.count > 0 && ground.heap[0].when <= until && !world.failed) {
        event next = take_first();
        world.now = next.when;
        if (++world.steps > MOST_STEPS) {
            violated("progress", "the run does not end");
            return;
        }
        next.happen(next.subject, next.detail);
    }
    if (!world.failed && until != NEVER && world.now < until) {
        world.now = until;
    }
}

/* ---- tasks ---- */

static void before_switch(void **fake_stack, const void *bottom, size_t size)
{
#ifdef WITH_ASAN
    __sanitizer_start_switch_fiber(fake_stack, bottom, size);
#else
    (void)fake_stack, (void)bottom, (void)size;
#endif
}

static void after_switch(void *fake_stack, const void **bottom, size_t *size)
{
#ifdef WITH_ASAN
    __sanitizer_finish_switch_fiber(fake_stack, bottom, size);
#else
    (void)fake_stack, (void)bottom, (void)size;
#endif
}

/* The first function of each coroutine. */
static void task_main(void)
{
    sim_task *task = world.running;

    after_switch(NULL, &task->stack_bottom, &task->stack_size);
    task->body(task->process);
    task->done = true;
    task->process->threads -= task->is_thread;
    before_switch(NULL, task->stack_bottom, task->stack_size);
    setcontext(&ground.scheduler);
}

/* Runs the task until it waits or ends. A process that is stopped runs when it is let go on. */
static void resume(void *subject, int64_t turn)
{
    sim_task *task = subject;
    sim_process *process = task->process;

    if (task->done || task->turn != (uint64_t)turn) {
        return;
    }
    if (process->stopped_until > world.now && !process->dead) {
        world_at(process->stopped_until, resume, task, turn);
        return;
    }
    task->turn++;
    task->waits = false;
    process->calls = 0;
    world.running = task;
    before_switch(&ground.scheduler_fake_stack, ground.stacks[task->stack], STACK_SIZE);
    swapcontext(&ground.scheduler, &task->context);
    after_switch(ground.scheduler_fake_stack, NULL, NULL);
    world.running = NULL;
}

void world_wait(int64_t until)
{
    sim_task *task = world.running;

    task->waits = true;
    if (until != NEVER) {
        world_at(until, resume, task, (int64_t)task->turn);
    }
    before_switch(&task->fake_stack, task->stack_bottom, task->stack_size);
    swapcontext(&task->context, &ground.scheduler);
    after_switch(task->fake_stack, &task->stack_bottom, &task->stack_size);
}

void world_wake(sim_task *task)
{
    if (task != NULL && task->waits && !task->done) {
        int64_t soon = world.chance.steady ? 0 : chance_between(&world.chance, WAKE_LEAST, WAKE_MOST);
        world_at(world.now + soon, resume, task, (int64_t)task->turn);
    }
}

/* Below each stack is a page that nobody may touch, so that an overflow shows. */
sim_task *world_spawn(sim_process *process, void (*body)(sim_process *))
{
    int i = ground.task_count++;
    sim_task *task = &ground.tasks[i];

    if (ground.stacks[i] == NULL) {
        char *memory = mmap(NULL, STACK_SIZE + 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        mprotect(memory, 4096, PROT_NONE);
        ground.stacks[i] = memory + 4096;
    }
    memset(task, 0, sizeof(*task));
    task->process = process;
    task->body = body;
    task->stack = i;
    task->waits = true;
    getcontext(&task->context);
    task->context.uc_stack.ss_sp = ground.stacks[i];
    task->context.uc_stack.ss_size = STACK_SIZE;
    task->context.uc_link = NULL;
    makecontext(&task->context, task_main, 0);
    world_at(world.now, resume, task, 0);
    return task;
}

sim_task *world_spawn_thread(sim_process *process, void (*body)(sim_process *))
{
    sim_task *task = world_spawn(process, body);

    task->is_thread = true;
    process->threads++;
    return task;
}

bool world_is_thread(void)
{
    return world.running != NULL && world.running->is_thread;
}

sim_process *world_process(void)
{
    return world.running != NULL ? world.running->process : NULL;
}

sim_process *world_enter(sim_process *process)
{
    sim_process *before = world.running->process;

    world.running->process = process;
    return before;
}

/* Where another one can be noted: in the place of the one that ended first, if there is no room left. So a long one is known
 * as long as it lasts. */
static sim_idle *place_for_idle(sim_process *process)
{
    sim_idle *first = &process->idles[0];

    if (process->idle_count < IDLES) {
        return &process->idles[process->idle_count++];
    }
    for (size_t i = 1; i < IDLES; i++) {
        if (process->idles[i].until < first->until) {
            first = &process->idles[i];
        }
    }
    return first;
}

static void note_idle(sim_process *process, int64_t until)
{
    *place_for_idle(process) = (sim_idle){world.now, until};
}

static void idle(const sim_task *task, int64_t most)
{
    int64_t until = world.now + chance_between(&world.chance, 1, most);

    note_idle(task->process, until);
    task->process->held_up += task->is_thread ? 0 : until - world.now;
    world_wait(until);
}

/* The task gives way to the others of its process. A thread may do so for as long as a pause of the process takes: the
 * others go on meanwhile. */
static void give_way(const sim_task *task)
{
    if (task->is_thread && chance_once_in(&world.chance, (uint64_t)world.pause_one_in)) {
        idle(task, world.pause_most);
    } else if (chance_once_in(&world.chance, 6)) {
        idle(task, chance_once_in(&world.chance, 100) && world.pause_one_in > 0 ? WAY_LONG : WAY_SHORT);
    }
}

/* A pause that hits a process anywhere is drawn here, so that every gap between two calls to the system is tried. */
void world_count_call(void)
{
    sim_process *process = world_process();

    if (process == NULL || process->dead) {
        return;
    }
    if (++process->calls > ENDLESS) {
        violated("progress", "client %d is in an endless loop", process->index);
        world_wait(NEVER);
    }
    if (chance_once_in(&world.chance, (uint64_t)world.pause_one_in)) {
        process_stop(process, chance_between(&world.chance, 1, world.pause_most));
        world_wait(process->stopped_until);
    }
    if (process->threads > 0) {
        give_way(world.running);
    }
}

/* ---- processes ---- */

void process_stop(sim_process *process, int64_t span)
{
    int64_t until = world.now + span;

    if (process->dead || until <= process->stopped_until) {
        return;
    }
    process->held_up += until - (process->stopped_until > world.now ? process->stopped_until : world.now);
    note_idle(process, until);
    process->stopped_until = until;
    world_disturb(world.now);
    tell("client %d is stopped for %" PRId64 " µs", process->index, span);
}

int64_t process_just_idled(const sim_process *process)
{
    int64_t longest = 0;

    for (size_t i = 0; i < process->idle_count; i++) {
        const sim_idle *idle = &process->idles[i];
        longest = idle->until == world.now ? platform_later(longest, idle->until - idle->from) : longest;
    }
    return longest;
}

int64_t process_idled(const sim_process *process, int64_t since)
{
    int64_t all = 0;

    for (size_t i = 0; i < process->idle_count; i++) {
        int64_t from = platform_later(process->idles[i].from, since);
        all += platform_later(platform_earlier(process->idles[i].until, world.now) - from, 0);
    }
    return all;
}

static void wake_all_of(sim_process *process)
{
    for (int i = 0; i < ground.task_count; i++) {
        if (ground.tasks[i].process == process && ground.tasks[i].waits) {
            world_at(world.now, resume, &ground.tasks[i], (int64_t)ground.tasks[i].turn);
        }
    }
}

void process_kill(sim_process *process)
{
    if (!process->dead) {
        process->dead = true;
        process->dead_clock = clock_at(&process->clock, world.now);
        tell("client %d is killed", process->index);
        world_disturb(world.now);
        wake_all_of(process);
        if (world_killed != NULL) {
            world_killed(process);
        }
    }
}

void process_signal(sim_process *process)
{
    process->signals++;
    tell("client %d gets a signal", process->index);
    wake_all_of(process);
}

/* ---- the world ---- */

void world_disturb(int64_t until)
{
    if (until > world.end_of_faults) {
        world.end_of_faults = until;
    }
}

void world_begin(uint64_t seed)
{
    world = (sim_world){.chance = {.state = seed}};
    ground.count = 0;
    ground.order = 0;
    ground.task_count = 0;
}

void world_end(void)
{
    for (block *next; ground.blocks != NULL; ground.blocks = next) {
        next = ground.blocks->next;
        free(ground.blocks);
    }
}

void *world_alloc(size_t size)
{
    block *made = platform_zalloc(sizeof(*made) + size);

    made->next = ground.blocks;
    ground.blocks = made;
    return made->bytes;
}

/* Adds the text to the hash of the history (FNV-1a). */
static void remember(const char *text)
{
    for (; *text != '\0'; text++) {
        world.history = (world.history ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    }
}

void tell(const char *format, ...)
{
    char text[600];
    va_list args;

    if (!world.tells && world_told == NULL) {
        return;
    }
    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    if (world_told != NULL) {
        world_told(text);
    }
    if (world.tells) {
        remember(text);
        printf("%10.3f  %s\n", (double)world.now / 1000, text);
    }
}

void violated(const char *property, const char *format, ...)
{
    va_list args;
    size_t used;

    if (world.failed) {
        return;
    }
    world.failed = true;
    used = (size_t)snprintf(world.problem, sizeof(world.problem), "%s: ", property);
    va_start(args, format);
    vsnprintf(world.problem + used, sizeof(world.problem) - used, format, args);
    va_end(args);
    tell("VIOLATED %s", world.problem);
}

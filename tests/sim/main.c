/* SPDX-License-Identifier: MIT
 *
 * main: runs histories, and looks for the shortest one that fails.
 *
 *     sim --seed N                   one history, told
 *     sim --history FILE …           histories that were written down
 *     sim --from N --count N         so many of them
 *     sim --from N --seconds N       as many as go into the time
 *     --sentinel                     in each of these, the server is found by sentinels
 *     --cluster                      in each of these, the server is a cluster
 *     --local                        in each of these, clients pass locks on to each other on their machine
 *     --twice                        each one twice: both must be equal
 *     --keep-going                   does not end with the first that fails
 *     --tell                         tells each step of each history
 *     --no-story                     does not look for a shorter story
 *     --write FILE                   writes the shortest history that fails as the first one does
 *     --wire                         prints what goes over the connections of each history: see wire.h
 *     --minimums                     fails also if too little happened in all of them together
 *
 * The last line says how many histories held all properties, and how many did not.
 */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "group.h"
#include "history.h"
#include "machine.h"
#include "sim_threads.h"
#include "wire.h"

/* The time that a history may take all in all, and how long after it everything must have ended. */
#define LONGEST_RUN (600 * SEC)
#define SETTLES     (10 * SEC)

typedef struct options {
    uint64_t from, count;
    double seconds;
    bool tells, twice, keeps_going, no_story, wires, minimums, is_watched, is_clustered, is_local;
    const char *write_to; /* NULL: nowhere */
    char **histories;     /* paths; NULL: histories are drawn from seeds */
} options;

/* What is printed of a history. */
typedef enum telling { IS_SILENT, TELLS, WIRES } telling;

static uint64_t current_seed;
static uint64_t last_history;

/* The command that runs the present history again. */
static char again[300];

/* ---- one history ---- */

static bool all_done(const sim_plan *plan)
{
    for (int i = 0; i < plan->clients; i++) {
        if (!sim_clients[i].done) {
            return false;
        }
    }
    return true;
}

static void run_clients(const sim_plan *plan)
{
    for (int i = 0; i < plan->clients; i++) {
        client_start(&sim_clients[i], plan, i);
    }
    while (!world.failed && !all_done(plan) && world.now < LONGEST_RUN) {
        world_run(world.now + SEC);
    }
    if (!world.failed && !all_done(plan)) {
        violated("progress", "a client does not end");
    }
}

/* How long a failover may still take. */
static int64_t longest_failover(const sim_plan *plan)
{
    int64_t longest = 0;

    for (size_t i = 0; i < plan->fault_count; i++) {
        const sim_fault *fault = &plan->faults[i];
        longest = fault->kind >= FAULT_FAILOVER && fault->span > longest ? fault->span : longest;
    }
    return plan->sentinels + plan->masters > 0 ? longest + LONGEST_AWAY : 0;
}

/* Heals what is broken, and waits until all that is under way has arrived and all leases are over. */
static void settle(const sim_plan *plan)
{
    net_heal();
    machines_heal();
    for (int i = 0; i < 20 && !world.failed; i++) {
        world_run(world.now + 100 * MSEC);
        check_settled_locks();
    }
    int64_t back_in = platform_later(net_server(0)->away_until - world.now, 0);
    world_run(world.now + back_in + plan->longest_lease + net.set_back + longest_failover(plan) + SETTLES);
    if (!world.failed) {
        check_nothing_left();
        check_machines_left(plan);
        check_queue_is_drained();
    }
}

static void count_run(const sim_plan *plan)
{
    tally.runs++;
    tally.faults += net.fired;
    tally.quiet_runs += plan->is_clean;
    for (int i = 0; i < plan->clients; i++) {
        tally.killed += sim_clients[i].process.dead;
    }
}

/* Runs the plan. Returns whether all properties held; world.problem says which did not. */
static bool run_plan(sim_plan *plan, telling how)
{
    current_seed = plan->seed;
    world_begin(plan->seed ^ UINT64_C(0x5851f42d4c957f2d));
    world.tells = how == TELLS;
    world.chance.steady = how == WIRES;
    world.pause_one_in = plan->pause_one_in;
    world.pause_most = plan->pause_most;
    net_begin(&(net_terms){.servers = plan->servers,
                           .replicas = plan->replicas,
                           .sentinels = plan->sentinels,
                           .masters = plan->masters,
                           .acknowledges = plan->asks_for > 0,
                           .latency = plan->latency,
                           .short_io = plan->short_io,
                           .faults = plan->faults,
                           .fault_count = plan->fault_count});
    machines_begin(plan->machines, &(machine_terms){.faults = plan->faults,
                                                    .fault_count = plan->fault_count,
                                                    .point_one_in = plan->point_one_in,
                                                    .point_most = plan->point_most});
    sim_threads_begin();
    check_begin(plan);
    if (how == WIRES) {
        wire_begin();
    }
    for (int i = 0; i < net.node_count; i++) {
        const char *password = i < net.data_count ? PASSWORD : SENTINEL_PASSWORD;
        redis_set_password(net.servers[i].redis, plan->logs_in ? password : NULL);
        redis_set_own_key_order(net.servers[i].redis, plan->own_key_order);
    }
    run_clients(plan);
    if (!world.failed) {
        settle(plan);
    }
    bool held = !world.failed;
    count_run(plan);
    last_history = world.history ^ world.steps ^ (uint64_t)world.now << 20 ^ world.chance.state;
    for (int i = 0; i < plan->clients; i++) {
        client_free(&sim_clients[i]);
    }
    machines_end();
    wire_end();
    net_end();
    world_end();
    return held;
}

/* ---- the shortest story ---- */

/* What a run in a process of its own leaves: it may also crash. */
typedef struct verdict {
    bool failed;
    char problem[400];
} verdict;

/* Runs the plan in a child, since a broken core may take the process with it. */
static void try_plan(sim_plan *plan, verdict *out)
{
    int status;

    out->failed = true;
    snprintf(out->problem, sizeof(out->problem), "crash: the process has ended");
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        freopen("/dev/null", "w", stderr);
        alarm(20);
        out->failed = !run_plan(plan, IS_SILENT);
        snprintf(out->problem, sizeof(out->problem), "%s", world.problem);
        _exit(0);
    }
    waitpid(pid, &status, 0);
}

/* Is it the same property that fails? */
static bool same_property(const char *a, const char *b)
{
    size_t len = strcspn(a, ":");

    return strncmp(a, b, len + 1) == 0;
}

/* Leaves `what` out if the plan then fails in the same way. Returns whether it did. */
static bool leave_out(sim_plan *plan, bool *off, verdict *v, const char *problem)
{
    if (*off) {
        return false;
    }
    *off = true;
    try_plan(plan, v);
    if (v->failed && same_property(problem, v->problem)) {
        return true;
    }
    *off = false;
    return false;
}

/* Leaves out faults and operations, from the last one on, until none can be left out any more. */
static void shorten(sim_plan *plan, const char *problem)
{
    verdict *v = mmap(NULL, sizeof(*v), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    bool got_shorter = true;

    while (got_shorter) {
        got_shorter = false;
        for (size_t i = plan->fault_count; i-- > 0;) {
            got_shorter |= leave_out(plan, &plan->faults[i].off, v, problem);
        }
        for (size_t i = plan->op_count; i-- > 0;) {
            got_shorter |= leave_out(plan, &plan->ops[i].off, v, problem);
        }
    }
    munmap(v, sizeof(*v));
}

static size_t count_left(const sim_plan *plan)
{
    size_t left = 0;

    for (size_t i = 0; i < plan->op_count; i++) {
        left += !plan->ops[i].off;
    }
    for (size_t i = 0; i < plan->fault_count; i++) {
        left += !plan->faults[i].off;
    }
    return left;
}

static void write_history(const sim_plan *plan, const char *path)
{
    FILE *to = fopen(path, "w");

    if (to == NULL) {
        perror(path);
        exit(2);
    }
    history_write(plan, to);
    fclose(to);
}

static void tell_story(sim_plan *plan, const char *problem, const char *write_to)
{
    size_t all = count_left(plan);

    shorten(plan, problem);
    printf("Of %zu operations and faults, %zu are enough for it:\n", all, count_left(plan));
    history_write(plan, stdout);
    if (write_to != NULL) {
        write_history(plan, write_to);
    }
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        run_plan(plan, TELLS);
        fflush(stdout);
        _exit(0);
    }
    waitpid(pid, &(int){0}, 0);
}

/* ---- many histories ---- */

/* Says in which history it was, also if somebody else has had enough of it. */
static void on_signal(int signal)
{
    bool is_ended = signal == SIGTERM || signal == SIGINT;
    char text[100 + sizeof(again)];
    int len = snprintf(text, sizeof(text), "\n%s: signal %d in the history of seed %" PRIu64 "\nagain: %s\n",
                       is_ended ? "ended" : "crash", signal, current_seed, again);

    (void)!write(1, text, (size_t)len);
    _exit(3);
}

static double seconds(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

/* Runs the plan, which is called `name` if it fails. Returns whether all properties held. */
static bool examine(sim_plan *plan, const char *name, const options *opts)
{
    if (opts->tells) {
        history_write(plan, stdout);
    }
    telling how = opts->wires ? WIRES : opts->tells ? TELLS : IS_SILENT;
    if (how == WIRES && opts->count > 1) {
        printf("== %s\n", name);
    }
    bool held = run_plan(plan, how);
    if (held && opts->twice) {
        uint64_t first = last_history;
        run_plan(plan, how);
        if (first != last_history) {
            snprintf(world.problem, sizeof(world.problem), "determinism: two runs of a seed differ");
            held = false;
        }
    }
    if (!held) {
        printf("%s: %s\nagain: %s\n", name, world.problem, again);
        char problem[sizeof(world.problem)];
        memcpy(problem, world.problem, sizeof(problem));
        if (!opts->keeps_going && how == IS_SILENT && !opts->no_story) {
            tell_story(plan, problem, opts->write_to);
        }
    }
    return held;
}

/* Runs the history with this number: of a seed, or of a file. Returns whether all properties held. */
static bool run_one(uint64_t i, const options *opts)
{
    char name[40];
    sim_plan plan;

    if (opts->histories != NULL) {
        history_read(&plan, opts->histories[i]);
        snprintf(again, sizeof(again), "tests/sim/run --history %s", opts->histories[i]);
        return examine(&plan, opts->histories[i], opts);
    }
    current_seed = opts->from + i;
    snprintf(again, sizeof(again), "tests/sim/run --seed=%" PRIu64 "%s", current_seed,
             opts->is_local       ? " --local"
             : opts->is_clustered ? " --cluster"
             : opts->is_watched   ? " --sentinel"
                                  : "");
    if (opts->is_local) {
        plan_draw_local(&plan, opts->from + i);
    } else if (opts->is_clustered) {
        plan_draw_clustered(&plan, opts->from + i);
    } else {
        plan_draw(&plan, opts->from + i, opts->is_watched);
    }
    snprintf(name, sizeof(name), "seed %" PRIu64, opts->from + i);
    return examine(&plan, name, opts);
}

struct counted {
    const char *name;
    const uint64_t *count;
    unsigned one_in; /* at least once in so many histories */
};

static const struct counted counts[] = {
    {"grants", &tally.grants, 1},
    {"grants after a wait", &tally.waited_grants, 4},
    {"batons claimed", &tally.batons, 4},
    {"hand-overs by a look", &tally.look_hand_overs, 40},
    {"repeats of an acquire", &tally.repeats, 40},
    {"undos and leaves", &tally.undos, 4},
    {"grants by a part of the servers", &tally.silent_quorums, 20},
    {"extensions", &tally.extensions, 10},
    {"extensions behind a lost one", &tally.notes, 200},
    {"releases", &tally.releases, 2},
    {"releases that are owed", &tally.owed, 20},
    {"calls that failed", &tally.failures, 4},
    {"calls that were interrupted", &tally.interrupted, 100},
    {"clients killed", &tally.killed, 50},
    {"forks", &tally.forked, 50},
    {"faults", &tally.faults, 2},
    {"locks taken by lockAll()", &tally.all_taken, 20},
    {"locks shared", &tally.shared, 1000},
    {"clocks set back", &tally.set_back, 200},
    {"leases made short again", &tally.made_short, 400},
    {"locks attached", &tally.attached, 400},
    {"locks forced", &tally.forced, 400},
    {"tasks taken", &tally.tasks_taken, 4},
    {"tasks acknowledged", &tally.tasks_acked, 20},
    {"values built", &tally.values_built, 20},
    {"values read after a wait", &tally.values_awaited, 100},
    {"leases renewed", &tally.renewed, 1},
    {"renewals without an answer", &tally.renewal_failures, 40},
    {"leases lost while they were renewed", &tally.lost_while_held, 40},
    {"notices of a loss", &tally.notices, 40},
    {"notices put off", &tally.notices_put_off, 40},
    {"failovers", &tally.failovers, 20},
    {"grants that a failover has lost", &tally.lost_grants, 200},
    {"histories without a fault", &tally.quiet_runs, 20},
};

/* The same in histories whose server is a cluster. */
static const struct counted clustered_counts[] = {
    {"grants", &tally.grants, 1},
    {"grants after a wait", &tally.waited_grants, 4},
    {"batons claimed", &tally.batons, 4},
    {"repeats of an acquire", &tally.repeats, 40},
    {"undos and leaves", &tally.undos, 20},
    {"releases", &tally.releases, 2},
    {"releases that are owed", &tally.owed, 20},
    {"locks taken by lockAll()", &tally.all_taken, 20},
    {"tasks taken", &tally.tasks_taken, 10},
    {"values built", &tally.values_built, 10},
    {"leases renewed", &tally.renewed, 1},
    {"failovers", &tally.failovers, 8},
    {"grants that a failover has lost", &tally.lost_grants, 100},
    {"slots moved", &tally.slots_moved, 2},
    {"calls by a lock's key alone", &tally.stand_ins, 2},
    {"redirections by ASK", &tally.asks, 2},
    {"scripts that stopped half-way", &tally.stopped_scripts, 1000},
};

/* The same in histories in which clients pass locks on. */
static const struct counted local_counts[] = {
    {"grants", &tally.grants, 1},
    {"grants after a wait", &tally.waited_grants, 10},
    {"locks passed on", &tally.passed, 1},
    {"passed on without Redis' answer", &tally.open_grants, 4},
    {"taken from who did not begin", &tally.taken, 100},
    {"taken over from the killed", &tally.taken_over, 20},
    {"renamings", &tally.renamed, 1},
    {"releases", &tally.releases, 1},
    {"extensions", &tally.extensions, 10},
    {"calls that failed", &tally.failures, 10},
    {"calls that were interrupted", &tally.interrupted, 100},
    {"clients killed", &tally.killed, 10},
    {"forks", &tally.forked, 40},
    {"faults", &tally.faults, 2},
    {"locks forced", &tally.forced, 40},
    {"locks attached", &tally.attached, 100},
    {"leases renewed", &tally.renewed, 4},
    {"points between exchanges", &tally.points, 1},
    {"stops there", &tally.preempted, 1},
    {"histories without a fault", &tally.quiet_runs, 20},
};

#define COUNTS(list) list, sizeof(list) / sizeof(*(list))

/* Prints what happened. Returns whether it was enough to have tested something. */
static bool print_tally(const struct counted *list, size_t count, bool minimums)
{
    bool enough = true;

    printf("%" PRIu64 " histories:", tally.runs);
    for (size_t i = 0; i < count; i++) {
        printf("%s %" PRIu64 " %s", i > 0 ? "," : "", *list[i].count, list[i].name);
    }
    printf("\n");
    for (size_t i = 0; minimums && i < count; i++) {
        if (*list[i].count * list[i].one_in < tally.runs) {
            printf("too few %s: %" PRIu64 "\n", list[i].name, *list[i].count);
            enough = false;
        }
    }
    return enough;
}

static uint64_t number(const char *text)
{
    char *end;
    uint64_t value = strtoull(text, &end, 10);

    if (*text == '\0' || *end != '\0') {
        fprintf(stderr, "'%s' is not a number\n", text);
        exit(2);
    }
    return value;
}

static options read_options(int argc, char **argv)
{
    options opts = {.from = 1, .count = 1000};

    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : "";
        if (strcmp(argv[i], "--twice") == 0) {
            opts.twice = true;
        } else if (strcmp(argv[i], "--sentinel") == 0) {
            opts.is_watched = true;
        } else if (strcmp(argv[i], "--cluster") == 0) {
            opts.is_clustered = true;
        } else if (strcmp(argv[i], "--local") == 0) {
            opts.is_local = true;
        } else if (strcmp(argv[i], "--keep-going") == 0) {
            opts.keeps_going = true;
        } else if (strcmp(argv[i], "--tell") == 0) {
            opts.tells = true;
        } else if (strcmp(argv[i], "--no-story") == 0) {
            opts.no_story = true;
        } else if (strcmp(argv[i], "--wire") == 0) {
            opts.wires = true;
        } else if (strcmp(argv[i], "--minimums") == 0) {
            opts.minimums = true;
        } else if (strcmp(argv[i], "--seed") == 0) {
            opts.from = number(value), opts.count = 1, opts.tells = true, i++;
        } else if (strcmp(argv[i], "--from") == 0) {
            opts.from = number(value), i++;
        } else if (strcmp(argv[i], "--count") == 0) {
            opts.count = number(value), i++;
        } else if (strcmp(argv[i], "--write") == 0) {
            opts.write_to = value, i++;
        } else if (strcmp(argv[i], "--history") == 0) {
            opts.histories = argv + i + 1, opts.count = (uint64_t)(argc - i - 1), i = argc;
        } else if (strcmp(argv[i], "--seconds") == 0) {
            opts.seconds = (double)number(value), opts.count = UINT64_MAX, i++;
        } else {
            fprintf(stderr, "unknown option %s\n", argv[i]);
            exit(2);
        }
    }
    return opts;
}

int main(int argc, char **argv)
{
    options opts = read_options(argc, argv);
    uint64_t passed = 0, failed = 0;
    double began = seconds();

    setvbuf(stdout, NULL, _IOLBF, 0); /* what fails is seen at once */
#ifndef WITH_ASAN
    signal(SIGSEGV, on_signal);
    signal(SIGBUS, on_signal);
#endif
    signal(SIGABRT, on_signal);
    signal(SIGTERM, on_signal);
    signal(SIGINT, on_signal);
    for (uint64_t i = 0; i < opts.count; i++) {
        if (opts.seconds > 0 && seconds() - began > opts.seconds) {
            break;
        }
        if (run_one(i, &opts)) {
            passed++;
        } else if (++failed == 1 && !opts.keeps_going) {
            break;
        }
    }
    if (opts.wires) {
        return failed == 0 ? 0 : 1; /* the transcript is all that is printed */
    }
    bool enough = opts.is_local       ? print_tally(COUNTS(local_counts), opts.minimums)
                  : opts.is_clustered ? print_tally(COUNTS(clustered_counts), opts.minimums)
                                      : print_tally(COUNTS(counts), opts.minimums);
    printf("%.0f histories a minute\n", (double)(passed + failed) / (seconds() - began) * 60);
    printf("%" PRIu64 " passed, %" PRIu64 " failed\n", passed, failed + !enough);
    return failed == 0 && enough ? 0 : 1;
}

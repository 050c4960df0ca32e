/* SPDX-License-Identifier: MIT
 *
 * What counts locks, in the memory that the processes of a user share: nothing is counted twice or lost, and a process that is
 * killed at any point harms nobody else.
 */
#define _GNU_SOURCE
#include "bed.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "metrics/metrics.h"
#include "metrics/read.h"
#include "metrics/told.h"

/* Joins the segment in the test's folder. */
static metrics *join(metrics_writer *writer)
{
    char why[SEGMENT_WHY];
    metrics *m = metrics_new();

    memset(writer, 0, sizeof(*writer));
    CHECK(!metrics_has_joined(writer, platform_process()));
    CHECK(metrics_join(m, test_folder(), writer, why));
    CHECK(metrics_has_joined(writer, platform_process()));
    return m;
}

static unsigned group_of(metrics_writer *writer, const char *name)
{
    return metrics_group_of(writer, name, strlen(name));
}

static metrics_sums read_all(void)
{
    metrics_sums sums;
    char why[SEGMENT_WHY];

    CHECK_INT(metrics_read_user(test_folder(), geteuid(), &sums, why), METRICS_READ);
    return sums;
}

/* NULL: there is no such group. */
static const metrics_group *find(const metrics_sums *sums, const char *name)
{
    for (size_t i = 0; i < sums->count; i++) {
        const metrics_group *group = &sums->groups[i];
        if (group->name_len == strlen(name) && memcmp(group->name, name, group->name_len) == 0) {
            return group;
        }
    }
    return NULL;
}

static void check_count(const char *name, unsigned count, uint64_t wanted)
{
    metrics_sums sums = read_all();
    const metrics_group *group = find(&sums, name);

    if (group == NULL) {
        test_fail(__FILE__, __LINE__, "no group %s", name);
    }
    CHECK_INT((int64_t)group->counts[count], (int64_t)wanted);
    metrics_sums_free(&sums);
}

TEST(metrics_groups_end_before_a_colon_or_digit)
{
    static const struct {
        const char *name, *group;
    } names[] = {
        {"stock:SKU1", "stock"},
        {"SKU0001", "SKU"},
        {"stock:SKU2", "stock"},
        {"stock", "stock"},
        {"stocks", "stocks"},
        {"stock9", "stock"},
        {"a", "a"},
        {"ab", "ab"},
        {"ab:1", "ab"},
        {"a1", "a"},
        {"{user}:7", "{user}"},
        {"42", "other"},
        {":x", "other"},
        {"other:1", "other"},
        {"\xff\xfe:1", "\xff\xfe"},
    };
    metrics_writer writer;
    metrics *m = join(&writer);

    for (int round = 0; round < 3; round++) {
        for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
            metrics_add(&writer, group_of(&writer, names[i].name), METRICS_WAITED, 1);
        }
    }
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        uint64_t same = 0;
        for (size_t j = 0; j < sizeof(names) / sizeof(*names); j++) {
            same += strcmp(names[i].group, names[j].group) == 0;
        }
        check_count(names[i].group, METRICS_WAITED, 3 * same);
    }
    CHECK_INT(metrics_group_named(&writer, "", 0), METRICS_OTHER);
    CHECK(metrics_group_named(&writer, "job7", 4) != group_of(&writer, "job7"));
    metrics_free(m);
}

/* Behind the 64th, all groups are one. Names of any length have a group. */
TEST(metrics_groups_are_bounded)
{
    char name[100], longest[300], longer[300];
    metrics_writer writer;
    metrics *m = join(&writer);

    memset(longest, 'x', sizeof(longest) - 1);
    memset(longer, 'x', sizeof(longer) - 1);
    longest[sizeof(longest) - 1] = longer[sizeof(longer) - 1] = '\0';
    longer[200] = 'y';
    CHECK_INT(group_of(&writer, longest), group_of(&writer, longer)); /* the first bytes count */
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 100; i++) {
            snprintf(name, sizeof(name), "g%c%c:1", 'a' + i % 26, 'a' + i / 26);
            unsigned group = group_of(&writer, name);
            CHECK((group != METRICS_OTHER) == (i < METRICS_NAMES - 1));
            metrics_add(&writer, group, METRICS_WAITED, 1);
        }
    }
    check_count("other", METRICS_WAITED, (uint64_t)2 * (100 - (METRICS_NAMES - 1)));
    check_count("gaa", METRICS_WAITED, 2);
    metrics_free(m);
}

TEST(metrics_buckets_double)
{
    metrics_writer writer;
    metrics *m = join(&writer);
    uint64_t bound = 128;

    CHECK_INT(metrics_bucket(0), 0);
    CHECK_INT(metrics_bucket(1), 0);
    for (unsigned i = 0; i + 1 < METRICS_BUCKETS; i++, bound *= 2) {
        CHECK_INT(metrics_bucket(bound), i);
        CHECK_INT(metrics_bucket(bound + 1), i + 1);
    }
    CHECK_INT(metrics_bucket(UINT64_MAX), METRICS_BUCKETS - 1);
    metrics_observe(&writer, METRICS_OTHER, METRICS_WAIT, 300);
    metrics_observe(&writer, METRICS_OTHER, METRICS_WAIT, -5); /* a clock that went back */
    metrics_observe(&writer, METRICS_OTHER, METRICS_HOLD, INT64_MAX / 2);
    check_count("other", METRICS_WAIT + 2, 1);
    check_count("other", METRICS_WAIT, 1);
    check_count("other", METRICS_WAIT_SUM, 300);
    check_count("other", METRICS_HOLD + METRICS_BUCKETS - 1, 1);
    check_count("other", METRICS_HOLD_SUM, INT64_MAX / 2);
    metrics_free(m);
}

#define PROCESSES 12 /* more than there are stripes */
#define ROUNDS    5000

static void count_in_a_process(void *arg)
{
    char name[20], why[SEGMENT_WHY];
    metrics_writer writer;
    metrics *m = join(&writer);
    metrics_sums own;

    (void)arg;
    for (int i = 0; i < ROUNDS; i++) {
        snprintf(name, sizeof(name), "%c:%d", 'a' + i % 10, i);
        metrics_add(&writer, group_of(&writer, name), METRICS_TIMED_OUT, 1);
    }
    CHECK(metrics_read_own(m, &own, why));
    CHECK_INT((int64_t)own.count, 11);
    CHECK_INT((int64_t)find(&own, "j")->counts[METRICS_TIMED_OUT], ROUNDS / 10);
    metrics_sums_free(&own);
    metrics_free(m);
}

TEST(metrics_of_processes_add_up_and_outlive_them)
{
    pid_t pids[PROCESSES];

    for (int i = 0; i < PROCESSES; i++) {
        pids[i] = process_start(count_in_a_process, NULL);
    }
    for (int i = 0; i < PROCESSES; i++) {
        process_join(pids[i]);
    }
    for (char group[] = "a"; group[0] <= 'j'; group[0]++) {
        check_count(group, METRICS_TIMED_OUT, PROCESSES * (ROUNDS / 10));
    }
}

typedef struct thread_arg {
    metrics *m;
    int number;
} thread_arg;

static void *count_in_a_thread(void *arg)
{
    const thread_arg *a = arg;
    char name[20], why[SEGMENT_WHY];
    metrics_writer writer = {0};

    CHECK(metrics_join(a->m, test_folder(), &writer, why));
    for (int i = 0; i < ROUNDS; i++) {
        snprintf(name, sizeof(name), "%c:%d", 'a' + i % 10, i);
        metrics_add(&writer, group_of(&writer, name), METRICS_TIMED_OUT, 1);
    }
    return NULL;
}

TEST(metrics_of_threads_add_up)
{
    char why[SEGMENT_WHY];
    metrics *m = metrics_new();
    thread_arg args[4];
    pthread_t threads[4];
    metrics_sums own;

    for (int i = 0; i < 4; i++) {
        args[i] = (thread_arg){m, i};
        threads[i] = thread_start(count_in_a_thread, &args[i]); /* the first ones to join */
    }
    for (int i = 0; i < 4; i++) {
        thread_join(threads[i]);
    }
    CHECK(metrics_read_own(m, &own, why));
    for (char group[] = "a"; group[0] <= 'j'; group[0]++) {
        check_count(group, METRICS_TIMED_OUT, 4 * (ROUNDS / 10));
        CHECK_INT((int64_t)find(&own, group)->counts[METRICS_TIMED_OUT], 4 * (ROUNDS / 10));
    }
    metrics_sums_free(&own);
    metrics_free(m);
}

/* A child counts in the same segment, but its own numbers begin anew. */
TEST(metrics_of_a_forked_child_begin_anew)
{
    char why[SEGMENT_WHY];
    metrics_writer writer;
    metrics *m = join(&writer);

    metrics_add(&writer, METRICS_OTHER, METRICS_WAITED, 5);
    pid_t child = fork();
    if (child == 0) {
        metrics_sums own;
        CHECK(!metrics_has_joined(&writer, platform_process()));
        CHECK(!metrics_read_own(m, &own, why));
        metrics_sums_free(&own);
        CHECK(metrics_join(m, test_folder(), &writer, why));
        metrics_add(&writer, METRICS_OTHER, METRICS_WAITED, 2);
        CHECK(metrics_read_own(m, &own, why));
        CHECK_INT((int64_t)own.groups[0].counts[METRICS_WAITED], 2);
        metrics_sums_free(&own);
        metrics_free(m);
        _exit(0);
    }
    process_join(child);
    metrics_add(&writer, METRICS_OTHER, METRICS_WAITED, 1);
    check_count("other", METRICS_WAITED, 8);
    metrics_free(m);
}

typedef struct child_thread {
    metrics *m;
    pthread_barrier_t *begin;
} child_thread;

static void *join_in_a_child(void *arg)
{
    const child_thread *a = arg;
    char why[SEGMENT_WHY];
    metrics_writer writer = {0};

    pthread_barrier_wait(a->begin);
    CHECK(metrics_join(a->m, test_folder(), &writer, why));
    metrics_add(&writer, METRICS_OTHER, METRICS_WAITED, 1);
    return NULL;
}

/* The threads of a child are the first ones to join, while what was the parent's is there. */
static void join_in_threads(void *arg)
{
    metrics *m = arg;
    char why[SEGMENT_WHY];
    pthread_barrier_t begin;
    pthread_t threads[4];
    metrics_sums own;

    CHECK_INT(pthread_barrier_init(&begin, NULL, 4), 0);
    child_thread a = {m, &begin};
    for (int i = 0; i < 4; i++) {
        threads[i] = thread_start(join_in_a_child, &a);
    }
    for (int i = 0; i < 4; i++) {
        thread_join(threads[i]);
    }
    CHECK(metrics_read_own(m, &own, why));
    CHECK_INT((int64_t)own.groups[0].counts[METRICS_WAITED], 4);
    metrics_sums_free(&own);
    pthread_barrier_destroy(&begin);
    metrics_free(m);
}

TEST(metrics_of_the_first_threads_of_a_child_add_up)
{
    metrics_writer writer;
    metrics *m = join(&writer);

    for (int i = 0; i < 20; i++) {
        process_join(process_start(join_in_threads, m));
    }
    check_count("other", METRICS_WAITED, 80);
    metrics_free(m);
}

/* A folder that any user may write to; the test's own is within one of ours. */
static char open_folder[] = "/tmp/redislock-metrics-XXXXXX";

static void remove_segment(uint32_t user)
{
    char path[100];

    snprintf(path, sizeof(path), "%s/redislock.metrics.v%d.%u", open_folder, METRICS_VERSION, user);
    CHECK(unlink(path) == 0);
}

static uint64_t waited_of(uint32_t user)
{
    char why[SEGMENT_WHY];
    metrics_sums sums;

    CHECK_INT(metrics_read_user(open_folder, user, &sums, why), METRICS_READ);
    uint64_t waited = sums.groups[0].counts[METRICS_WAITED];
    metrics_sums_free(&sums);
    return waited;
}

static void join_as_another_user(metrics *m, metrics_writer *writer)
{
    char why[SEGMENT_WHY];

    CHECK(setgid(12345) == 0 && setuid(12345) == 0);
    CHECK(!metrics_has_joined(writer, platform_process()));
    CHECK(metrics_join(m, open_folder, writer, why));
    metrics_add(writer, METRICS_OTHER, METRICS_WAITED, 2);
    metrics_free(m);
    _exit(0);
}

/* A child that has become another user's counts in the segment of that user. */
TEST(metrics_of_a_child_of_another_user_are_that_users)
{
    char why[SEGMENT_WHY];
    metrics_writer writer = {0};

    if (geteuid() != 0) {
        note("not as root");
        return;
    }
    CHECK(mkdtemp(open_folder) != NULL && chmod(open_folder, 01777) == 0);
    metrics *m = metrics_new();
    CHECK(metrics_join(m, open_folder, &writer, why));
    metrics_add(&writer, METRICS_OTHER, METRICS_WAITED, 5);
    pid_t child = fork();
    if (child == 0) {
        join_as_another_user(m, &writer);
    }
    process_join(child);
    CHECK_INT((int64_t)waited_of(0), 5);
    CHECK_INT((int64_t)waited_of(12345), 2);
    metrics_free(m);
    remove_segment(0);
    remove_segment(12345);
    CHECK(rmdir(open_folder) == 0);
}

typedef struct victim {
    volatile uint64_t done; /* operations that were over before the kill */
} victim;

/* Counts for ever, in groups that it makes, too. */
static void count_until_killed(void *arg)
{
    victim *v = arg;
    char name[20];
    metrics_writer writer;

    join(&writer);
    for (unsigned i = 0;; i++) {
        snprintf(name, sizeof(name), "%c%c:", 'a' + i % 5, 'a' + i / 5 % 5);
        unsigned group = group_of(&writer, name);
        metrics_observe(&writer, group, METRICS_WAIT, 1000);
        v->done++;
    }
}

static uint64_t count_all(const metrics_sums *sums, unsigned count, unsigned counts)
{
    uint64_t all = 0;

    for (size_t i = 0; i < sums->count; i++) {
        for (unsigned j = 0; j < counts; j++) {
            all += sums->groups[i].counts[count + j];
        }
    }
    return all;
}

#define KILLS 60

TEST(metrics_survive_processes_that_are_killed)
{
    victim *victims = shared(KILLS * sizeof(*victims));
    uint64_t done = 0;

    for (int i = 0; i < KILLS; i++) {
        pid_t pid = fork();
        if (pid == 0) {
            count_until_killed(&victims[i]);
        }
        while (victims[i].done == 0) {
            usleep(100);
        }
        usleep((unsigned)(i * 53 % 1000));
        kill(pid, SIGKILL);
        CHECK(waitpid(pid, NULL, 0) == pid);
        done += victims[i].done;
    }
    metrics_sums sums = read_all();
    uint64_t counted = count_all(&sums, METRICS_WAIT, METRICS_BUCKETS);
    CHECK_RANGE((int64_t)done, (int64_t)counted, (int64_t)done + KILLS);
    CHECK_RANGE((int64_t)(counted - KILLS) * 1000, (int64_t)count_all(&sums, METRICS_WAIT_SUM, 1),
                (int64_t)counted * 1000);
    CHECK_INT((int64_t)sums.count, 26);
    note("%llu operations", (unsigned long long)done);
    metrics_sums_free(&sums);
    process_join(process_start(count_in_a_process, NULL)); /* the next one goes on */
}

/* The process that takes the place of a group may be killed before it has written its name. */
TEST(metrics_name_that_was_not_written_is_written_by_the_next)
{
    metrics_writer writer, next;
    metrics *m = join(&writer), *other;
    unsigned group = group_of(&writer, "stock:1");
    metrics_name *place = &writer.names->names[group - METRICS_NAMED];

    metrics_add(&writer, group, METRICS_WAITED, 1);
    atomic_store(&place->len, 0);
    atomic_store(&place->name[0], 0);
    metrics_sums sums = read_all();
    CHECK(find(&sums, "stock") == NULL);
    metrics_sums_free(&sums);
    other = join(&next);
    CHECK_INT(group_of(&next, "stock:2"), group);
    check_count("stock", METRICS_WAITED, 1);
    metrics_free(other);
    metrics_free(m);
}

/* Without a segment, a process counts for itself, and one of its threads is told. */
TEST(metrics_without_a_segment_are_of_the_process)
{
    char why[SEGMENT_WHY] = "";
    metrics *m = metrics_new();
    metrics_writer one = {0}, two = {0};
    metrics_sums sums;

    CHECK(!metrics_join(m, "/nowhere/at/all", &one, why));
    CHECK(strstr(why, "/nowhere/at/all") != NULL);
    CHECK(metrics_join(m, "/nowhere/at/all", &two, why));
    metrics_add(&one, group_of(&one, "stock:1"), METRICS_WAITED, 1);
    metrics_add(&two, group_of(&two, "stock:2"), METRICS_WAITED, 1);
    CHECK(metrics_read_own(m, &sums, why));
    CHECK(strstr(why, "/nowhere/at/all") != NULL);
    CHECK_INT((int64_t)find(&sums, "stock")->counts[METRICS_WAITED], 2);
    metrics_sums_free(&sums);
    CHECK_INT(metrics_read_user("/nowhere/at/all", geteuid(), &sums, why), METRICS_NONE);
    metrics_sums_free(&sums);
    metrics_free(m);
}

/* What is under our name and in our mode, but has something else in it, is left as it is. */
/* Joins in a child where there is no segment. Returns whether it is to tell. */
static bool child_tells(metrics *m, const char *folder)
{
    char why[SEGMENT_WHY];
    int status;
    pid_t child = fork();

    if (child == 0) {
        metrics_writer writer = {0};
        _exit(metrics_join(m, folder, &writer, why) ? 0 : 1);
    }
    CHECK(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status));
    return WEXITSTATUS(status) == 1;
}

TEST(metrics_of_many_children_tell_a_reason_once)
{
    metrics *m = metrics_new();

    CHECK(child_tells(m, "/nowhere/at/all"));
    for (int i = 0; i < 5; i++) {
        CHECK(!child_tells(m, "/nowhere/at/all"));
    }
    CHECK(child_tells(m, "/nowhere/else"));
    CHECK(!child_tells(m, "/nowhere/at/all"));
    metrics_free(m);
    m = metrics_new();
    CHECK(child_tells(m, "/nowhere/at/all"));
    metrics_free(m);
}

TEST(metrics_tell_a_reason_again_after_an_hour)
{
    told *t = told_new();
    char reason[20];

    for (int64_t now = 0; now < 10 * TOLD_EVERY; now += 2 * TOLD_EVERY) {
        CHECK(told_is_due(t, "a", now));
        CHECK(!told_is_due(t, "a", now));
        CHECK(!told_is_due(t, "a", now + TOLD_EVERY - PLATFORM_SEC));
        CHECK(told_is_due(t, "b", now + PLATFORM_SEC));
        CHECK(!told_is_due(t, "b", now)); /* asked before the other told */
    }
    /* More than there is room for: each is told at first, or another that shares its place. */
    for (int i = 0; i < 1000; i++) {
        snprintf(reason, sizeof(reason), "reason %d", i);
        CHECK(told_is_due(t, reason, 20 * TOLD_EVERY));
        CHECK(!told_is_due(t, reason, 20 * TOLD_EVERY));
    }
    for (int i = 1000; i < 2000; i++) {
        snprintf(reason, sizeof(reason), "reason %d", i);
        told_is_due(t, reason, 20 * TOLD_EVERY);
        CHECK(!told_is_due(t, reason, 20 * TOLD_EVERY));
    }
    told_free(t);
    CHECK(told_is_due(NULL, "a", 0) && told_is_due(NULL, "a", 0)); /* if there is no memory */
}

static told *shared_told;

static void *tell_in_thread(void *due)
{
    for (int64_t now = 0; now < 2000 * TOLD_EVERY; now += TOLD_EVERY) {
        *(int64_t *)due += told_is_due(shared_told, "a", now);
    }
    return NULL;
}

TEST(metrics_of_threads_tell_a_reason_once)
{
    pthread_t threads[4];
    int64_t due[4] = {0};

    shared_told = told_new();
    for (size_t i = 0; i < 4; i++) {
        CHECK_INT(pthread_create(&threads[i], NULL, tell_in_thread, &due[i]), 0);
    }
    for (size_t i = 0; i < 4; i++) {
        pthread_join(threads[i], NULL);
    }
    CHECK(due[0] + due[1] + due[2] + due[3] <= 2000 && due[0] + due[1] + due[2] + due[3] > 0);
    told_free(shared_told);
}

TEST(metrics_leave_a_segment_alone_that_is_not_theirs)
{
    char why[SEGMENT_WHY] = "", *memory = segment_open(&metrics_own_layout.use, test_folder(), why);
    metrics *m = metrics_new();
    metrics_writer writer = {0};
    metrics_sums sums;

    CHECK(memory != NULL);
    memset(memory, 'x', metrics_own_layout.use.size);
    CHECK(!metrics_join(m, test_folder(), &writer, why));
    CHECK(strstr(why, "does not hold these counters") != NULL);
    metrics_observe(&writer, group_of(&writer, "stock:1"), METRICS_WAIT, 1);
    for (size_t i = 0; i < metrics_own_layout.use.size; i++) {
        CHECK(memory[i] == 'x');
    }
    CHECK_INT(metrics_read_user(test_folder(), geteuid(), &sums, why), METRICS_REFUSED);
    metrics_sums_free(&sums);
    segment_close(&metrics_own_layout.use, memory);
    metrics_free(m);
}

/* A segment may hold anything, but what is read stays what it can be. */
TEST(metrics_read_any_bytes)
{
    char why[SEGMENT_WHY], *memory = segment_open(&metrics_own_layout.use, test_folder(), why);
    unsigned seed = 5;

    CHECK(memory != NULL);
    for (int round = 0; round < 20; round++) {
        metrics_sums sums;
        uint64_t magic = METRICS_MAGIC;
        for (size_t i = 0; i < metrics_own_layout.use.size; i++) {
            memory[i] = (char)(round == 0 ? 0xff : rand_r(&seed) >> 7);
        }
        memcpy(memory, &magic, sizeof(magic));
        CHECK_INT(metrics_read_user(test_folder(), geteuid(), &sums, why), METRICS_READ);
        CHECK(sums.count <= METRICS_NAMES + 1);
        for (size_t i = 0; i < sums.count; i++) {
            CHECK(sums.groups[i].name_len > 0 && sums.groups[i].name_len <= METRICS_NAME);
        }
        metrics_sums_free(&sums);
    }
    segment_close(&metrics_own_layout.use, memory);
}

/* As another release might have it: fewer stripes, groups and numbers, in another order. */
static const unsigned char other_counts[] = {METRICS_TIMED_OUT, METRICS_HOLD_SUM, METRICS_WAITED};

static const metrics_layout other_layout = {
    .use = {"metrics", 77, 4096},
    .magic = 7777,
    .stripes = 2,
    .names = 3,
    .blocks = 5,
    .names_at = 128,
    .blocks_at = 1024,
    .counts = 3,
    .counts_of = other_counts,
};

TEST(metrics_of_two_releases_add_up)
{
    const metrics_layout *const layouts[] = {&metrics_own_layout, &other_layout};
    char why[SEGMENT_WHY], *memory = segment_open(&other_layout.use, test_folder(), why);
    metrics_name *names = (void *)(memory + other_layout.names_at);
    uint64_t *counts = (void *)(memory + other_layout.blocks_at), magic = other_layout.magic;
    metrics_writer writer;
    metrics *m = join(&writer);
    metrics_sums sums;

    memcpy(memory, &magic, sizeof(magic));
    memcpy((void *)names[0].name, "stock", 5);
    atomic_store(&names[0].len, 5);
    memcpy((void *)names[2].name, "old", 3);
    atomic_store(&names[2].len, 3);
    for (size_t stripe = 0; stripe < 2; stripe++) {
        uint64_t *blocks = counts + stripe * other_layout.blocks * other_layout.counts;
        blocks[METRICS_OTHER * 3 + 2] = 1;
        blocks[METRICS_NAMED * 3] = 10;
        blocks[METRICS_NAMED * 3 + 1] = 100;
        blocks[(METRICS_NAMED + 2) * 3 + 2] = 1000;
    }
    metrics_add(&writer, group_of(&writer, "stock:1"), METRICS_TIMED_OUT, 3);
    CHECK_INT(metrics_read_layouts(layouts, 2, test_folder(), geteuid(), &sums, why), METRICS_READ);
    CHECK_INT((int64_t)sums.count, 3);
    CHECK_INT((int64_t)find(&sums, "other")->counts[METRICS_WAITED], 2);
    CHECK_INT((int64_t)find(&sums, "stock")->counts[METRICS_TIMED_OUT], 23);
    CHECK_INT((int64_t)find(&sums, "stock")->counts[METRICS_HOLD_SUM], 200);
    CHECK_INT((int64_t)find(&sums, "old")->counts[METRICS_WAITED], 2000);
    metrics_sums_free(&sums);
    CHECK_INT(metrics_read_layouts(layouts + 1, 1, test_folder(), geteuid(), &sums, why), METRICS_READ);
    CHECK_INT((int64_t)find(&sums, "stock")->counts[METRICS_TIMED_OUT], 20);
    metrics_sums_free(&sums);
    segment_close(&other_layout.use, memory);
    metrics_free(m);
}

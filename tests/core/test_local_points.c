/* SPDX-License-Identifier: MIT
 *
 * Processes that pass a lock on to each other, one of which is killed, stopped, or held up for a while at each point
 * between two exchanges, one point after another: no two believe in the lock at once, and the others go on.
 */
#include "local_bed.h"

#include <stdio.h>
#include <unistd.h>
#include <sys/wait.h>

#define WORKERS 6
#define POINTS  160

/* What befalls the process, or the server. */
typedef enum deed { KILLS, STOPS, SLEEPS, FREEZES, DEEDS } deed;

static const char *const deed_names[] = {"killed", "stopped", "asleep", "the server stopped"};

typedef struct point {
    char function[40];
    int line;
} point;

typedef struct world {
    section inside;
    char path[104]; /* of the server */
    point points[POINTS];
    atomic_int count;        /* of the points that were seen so far */
    atomic_int known;        /* of those whose names are written */
    atomic_int target, deed; /* -1: none */
    atomic_int hit;          /* the process that came to it; 0: none yet */
    atomic_bool over;
    atomic_llong sections, passed, lost;
} world;

static world *w;

/* ---- the workers ---- */

static int find_point(const char *function, int line)
{
    int known = atomic_load(&w->known);

    for (int i = 0; i < known; i++) {
        if (w->points[i].line == line && strcmp(w->points[i].function, function) == 0) {
            return i;
        }
    }
    return -1;
}

/* Two processes may note a point twice, which does no harm. */
static void note_point(const char *function, int line)
{
    int index = atomic_load(&w->known);

    if (index < POINTS && atomic_compare_exchange_strong(&w->count, &index, index + 1)) {
        snprintf(w->points[index].function, sizeof(w->points[index].function), "%s", function);
        w->points[index].line = line;
        atomic_store(&w->known, index + 1);
    }
}

/* Where this worker is inside, if others may take its lock over when it is dead: then it counts on nothing. -1: nowhere. */
static int taken_over_place = -1;

static void come_to_point(const char *function, int line)
{
    int index = find_point(function, line);

    if (index < 0) {
        note_point(function, line);
    } else if (index == atomic_load(&w->target) && atomic_compare_exchange_strong(&w->target, &index, -1)) {
        atomic_store(&w->hit, (int)getpid());
        switch (atomic_load(&w->deed)) {
        case KILLS:
            if (taken_over_place >= 0) {
                section_leave(&w->inside, taken_over_place);
            }
            raise(SIGKILL);
            break;
        case STOPS:
            raise(SIGSTOP);
            break;
        default:
            sleep_ms(30);
        }
    }
}

/* Is inside for a while: some until shortly before the end that they believe in, some with a lease that they extend. */
static void be_inside(client *c, int64_t lease, unsigned *seed)
{
    int place = section_enter(&w->inside, &c->lease);

    taken_over_place = c->lock.pass->takes_over ? place : -1;
    come_to_point("inside", 0);
    taken_over_place = -1;
    int64_t left = lease_end(&c->lease) - platform_now();
    usleep(rand_r(seed) % 64 == 0 && left > 0 ? (unsigned)left : 300);
    section_leave(&w->inside, place);
    if (rand_r(seed) % 8 == 0 && extend(c, "a", lease) == LOCK_YES) {
        place = section_enter(&w->inside, &c->lease);
        usleep(300);
        section_leave(&w->inside, place);
    }
}

/* Leases of several lengths follow each other. */
static void work(void *arg)
{
    unsigned seed = (unsigned)getpid() * 2654435761U;
    lock_pass_terms terms;
    client c;

    (void)arg;
    client_open(&c, w->path);
    client_joins(&c, &terms);
    terms.takes_over = rand_r(&seed) % 4 != 0;
    local_before_step = come_to_point;
    while (!atomic_load(&w->over)) {
        int64_t lease = 100 + rand_r(&seed) % 300;
        if (take(&c, "a", lease, 4000) == LOCK_YES) {
            be_inside(&c, lease, &seed);
            atomic_fetch_add(&w->lost, drop(&c, "a") != LOCK_YES);
            atomic_fetch_add(&w->sections, 1);
        }
        usleep(rand_r(&seed) % 1000);
    }
    local_before_step = NULL;
    atomic_fetch_add(&w->passed, (long long)c.stats.passed);
    client_close(&c);
}

/* ---- the shots ---- */

static int64_t until_sections(int64_t wanted, int64_t most_ms)
{
    int64_t start = platform_now();

    while (atomic_load(&w->sections) < wanted && ms_since(start) < most_ms) {
        sleep_ms(2);
    }
    return ms_since(start);
}

static void replace(pid_t pids[WORKERS], pid_t dead)
{
    process_kill(dead);
    for (int i = 0; i < WORKERS; i++) {
        pids[i] = pids[i] == dead ? process_start(work, NULL) : pids[i];
    }
}

/* Lets one process come to the point, and do the deed there. False: none has come in so many ms. */
static bool shoot(server *s, pid_t pids[WORKERS], int index, deed deed, int64_t most_ms)
{
    int64_t start = platform_now(), took;

    atomic_store(&w->hit, 0);
    atomic_store(&w->deed, (int)deed);
    atomic_store(&w->target, index);
    while (atomic_load(&w->hit) == 0 && ms_since(start) < most_ms) {
        sleep_ms(1);
    }
    if (atomic_load(&w->hit) == 0 && atomic_exchange(&w->target, -1) == index) {
        return false;
    }
    for (start = platform_now(); atomic_load(&w->hit) == 0; sleep_ms(1)) {
        CHECK(ms_since(start) < 5000);
    }
    pid_t pid = atomic_load(&w->hit);
    if (deed == FREEZES) {
        server_freeze(s);
        sleep_ms(200);
        server_thaw(s);
    }
    took = until_sections(atomic_load(&w->sections) + WORKERS, 300);
    if (deed == KILLS) {
        replace(pids, pid);
    } else if (deed == STOPS) {
        sleep_ms(took < 300 ? 300 - took : 0);
        kill(pid, SIGCONT);
    }
    took += until_sections(atomic_load(&w->sections) + WORKERS, 8000);
    if (took > 4500 + SLACK) {
        test_fail(__FILE__, __LINE__, "%s at %s:%d: %d ms without a section", deed_names[deed],
                  w->points[index].function, w->points[index].line, (int)took);
    }
    return true;
}

/* Goes through the points, some of which are seen only on the way, for so many ms: the first time around, all that are
 * hit; then those that were not. */
static void shoot_all(server *s, pid_t pids[WORKERS], unsigned first, int64_t most_ms, int hits[DEEDS])
{
    static bool was_hit[POINTS][DEEDS];
    int64_t start = platform_now();

    for (unsigned i = 0; ms_since(start) < most_ms; i++) {
        unsigned index = (first + i) % (unsigned)atomic_load(&w->known), round = i / (unsigned)atomic_load(&w->known);
        deed deed = (index + round + first) % DEEDS;
        if (!was_hit[index][deed] && shoot(s, pids, (int)index, deed, round < DEEDS ? 100 : 500)) {
            was_hit[index][deed] = true;
            hits[deed]++;
        }
    }
}

static void run_workers(unsigned first, int64_t most_ms)
{
    pid_t pids[WORKERS];
    int hits[DEEDS] = {0};

    SERVER(s, NULL);
    w = shared(sizeof(*w));
    strcpy(w->path, s.path);
    atomic_store(&w->target, -1);
    host_here();
    for (int i = 0; i < WORKERS; i++) {
        pids[i] = process_start(work, NULL);
    }
    until_sections(100, 5000);
    CHECK(atomic_load(&w->known) > 0);
    shoot_all(&s, pids, first, most_ms, hits);
    atomic_store(&w->over, true);
    for (int i = 0; i < WORKERS; i++) {
        process_join(pids[i]);
    }
    local_host_sweep(host_here(), false);
    check_all_free();
    note("%d points, %d killed, %d stopped, %d asleep, %d times the server stopped, %lld sections, %lld passed on, "
         "%lld lost",
         w->known, hits[KILLS], hits[STOPS], hits[SLEEPS], hits[FREEZES], w->sections, w->passed, w->lost);
    CHECK(hits[KILLS] + hits[STOPS] + hits[SLEEPS] + hits[FREEZES] > 0);
}

/* Begins anywhere, and comes to some of the points: to nearly all in a minute, with REDISLOCK_TEST_LONG=1. */
TEST(local_process_that_stops_between_two_exchanges_leaves_no_two_holders)
{
    run_workers((unsigned)(platform_now() / 7), getenv("REDISLOCK_TEST_LONG") != NULL ? 45000 : 4000);
}

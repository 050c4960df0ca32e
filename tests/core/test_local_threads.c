/* SPDX-License-Identifier: MIT
 *
 * Threads of one process that pass locks on to each other, over one host: for SANITIZE=thread. (The tools of valgrind do not
 * know exchanges of atomic words, and see races in them; so the names are none of those that run under them.)
 */
#include "local_bed.h"

#include <stdio.h>
#include <unistd.h>

#define THREADS 6

typedef struct crowd {
    const char *path; /* of the server; NULL: there is none */
    section inside;
    atomic_bool over;
    atomic_llong sections, passed, alone;
    atomic_int holders; /* of the turn, without a server */
} crowd;

static void until_enough(crowd *c, int64_t sections)
{
    for (int64_t start = platform_now(); atomic_load(&c->sections) < sections; sleep_ms(5)) {
        CHECK(ms_since(start) < 30000);
    }
    atomic_store(&c->over, true);
}

static void run_threads(crowd *c, void *(*run)(void *), int64_t sections)
{
    pthread_t threads[THREADS];

    host_here();
    for (int i = 0; i < THREADS; i++) {
        threads[i] = thread_start(run, c);
    }
    until_enough(c, sections);
    for (int i = 0; i < THREADS; i++) {
        thread_join(threads[i]);
    }
    check_all_free();
    note("%lld sections, %lld passed on, %lld alone", atomic_load(&c->sections), atomic_load(&c->passed),
         atomic_load(&c->alone));
}

/* ---- without Redis ---- */

static void *take_turns(void *arg)
{
    crowd *c = arg;
    lock_turn_heir heir;
    int64_t fence;

    while (!atomic_load(&c->over)) {
        place p = enter("a", "token", 3000);
        if (p.turn == NULL) {
            CHECK(p.verdict == LOCK_TURN_ALONE || p.verdict == LOCK_TURN_OVER);
            atomic_fetch_add(&c->alone, 1);
            continue;
        }
        if (p.verdict == LOCK_TURN_GRANTED && atomic_load(&c->sections) % 3 == 0) {
            lock_turn_await(p.turn, platform_now() + MS(100), &fence);
        }
        atomic_fetch_add(&c->sections, 1);
        lock_turn_hold(p.turn, platform_now() + MS(10000));
        usleep(50); /* so that others come and wait, also on a machine that runs one thread at a time */
        if (pass(&p, "a", "token", &heir)) {
            lock_turn_answer(host_here(), &heir, LOCAL_YES, 1, 0);
            atomic_fetch_add(&c->passed, 1);
        } else {
            lock_turn_leave(p.turn);
        }
    }
    return NULL;
}

TEST(local_turns_are_taken_by_many_threads)
{
    static crowd c;

    run_threads(&c, take_turns, 3000);
    CHECK(atomic_load(&c.passed) > 0);
}

/* ---- with Redis ---- */

static void *lock_and_unlock(void *arg)
{
    crowd *c = arg;
    lock_pass_terms terms;
    client cl;

    client_open(&cl, c->path);
    client_joins(&cl, &terms);
    while (!atomic_load(&c->over)) {
        CHECK_INT(take(&cl, "a", 10000, 10000), LOCK_YES);
        int place = section_enter(&c->inside, &cl.lease);
        lock_pass_look(&cl.lease);
        usleep(100);
        section_leave(&c->inside, place);
        CHECK_INT(drop(&cl, "a"), LOCK_YES);
        atomic_fetch_add(&c->sections, 1);
    }
    atomic_fetch_add(&c->passed, (long long)cl.stats.passed);
    client_close(&cl);
    return NULL;
}

TEST(local_lock_passes_between_threads)
{
    static crowd c;

    SERVER(s, NULL);
    c.path = s.path;
    run_threads(&c, lock_and_unlock, 500);
    CHECK(atomic_load(&c.passed) > 0);
    until_no_key(&s);
}

/* ---- joining ---- */

static void *join(void *arg)
{
    for (int64_t start = platform_now(); lock_local_join(arg, platform_process(), test_folder()) == NULL;) {
        CHECK(ms_since(start) < 5000);
    }
    return NULL;
}

TEST(local_host_is_one_for_all_threads)
{
    pthread_t threads[THREADS];
    lock_local *local = lock_local_new();

    for (int i = 0; i < THREADS; i++) {
        threads[i] = thread_start(join, local);
    }
    for (int i = 0; i < THREADS; i++) {
        thread_join(threads[i]);
    }
    CHECK(lock_local_join(local, platform_process(), test_folder()) ==
          lock_local_join(local, platform_process(), test_folder()));
    CHECK(lock_local_problem(local) == NULL);
    lock_local_free(local);
}

/* SPDX-License-Identifier: MIT
 *
 * Many clients that contend for one lock: no two hold it at once, and each gets its share.
 */
#include "bed.h"

#include <stdlib.h>
#include <unistd.h>

typedef struct contender {
    pthread_t thread;
    const char *path;
    section *inside;
    atomic_bool *over;
    atomic_int sections;
} contender;

static void *contend(void *arg)
{
    contender *c = arg;
    client cl;

    client_open(&cl, c->path);
    while (!atomic_load(c->over)) {
        lock_outcome outcome = take(&cl, "a", 10000, 5000);
        CHECK_INT(outcome, LOCK_YES);
        int place = section_enter(c->inside, &cl.lease);
        usleep(200);
        section_leave(c->inside, place);
        CHECK_INT(drop(&cl, "a"), LOCK_YES);
        atomic_fetch_add(&c->sections, 1);
    }
    client_close(&cl);
    return NULL;
}

/* Has each had enough of them, on average, for a share to say something? Of a few, one more or less is a large part. */
static bool are_enough(contender *c, int count)
{
    int sum = 0;

    for (int i = 0; i < count; i++) {
        sum += atomic_load(&c[i].sections);
    }
    return sum >= 20 * count;
}

TEST(wait_contenders_never_overlap_and_share_fairly)
{
    enum { THREADS = 16 };
    contender c[THREADS];
    section inside = {0};
    atomic_bool over = false;
    double sum = 0, squares = 0;

    SERVER(s, NULL);
    for (int i = 0; i < THREADS; i++) {
        c[i] = (contender){.path = s.path, .inside = &inside, .over = &over};
        c[i].thread = thread_start(contend, &c[i]);
    }
    sleep_ms(getenv("REDISLOCK_TEST_LONG") != NULL ? 30000 : 2000);
    while (!are_enough(c, THREADS)) {
        sleep_ms(10);
    }
    atomic_store(&over, true);
    for (int i = 0; i < THREADS; i++) {
        thread_join(c[i].thread);
        sum += c[i].sections;
        squares += (double)c[i].sections * c[i].sections;
    }
    note("%.0f sections, Jain %.4f", sum, sum * sum / (THREADS * squares));
    CHECK(sum * sum / (THREADS * squares) >= 0.98);
    CHECK_NO_KEY(&s);
}

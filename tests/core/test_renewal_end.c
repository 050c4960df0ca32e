/* SPDX-License-Identifier: MIT
 *
 * Leases that a background thread renews: what comes behind the end, and in what state servers may be then.
 */
#include <dirent.h>
#include <stdio.h>
#include <unistd.h>

#include "keeper.h"
#include "lock/renewal_table.h"

/* Keeps back what the renewing thread, whose connection is the relay's second, sends from now on, and waits until it
 * has sent something. */
static void hold_next_request(relay *r)
{
    int64_t start = platform_now();

    CHECK_INT(atomic_load(&r->control->connections), 2);
    atomic_store(&r->control->hold, 2);
    int before = atomic_load(&r->control->requests);
    while (atomic_load(&r->control->requests) == before && ms_since(start) < 5000) {
        sleep_ms(1);
    }
}

static void *let_it_pass_soon(void *arg)
{
    relay *r = arg;

    sleep_ms(100);
    atomic_store(&r->control->hold, 0);
    return NULL;
}

/* Waits until the thread has freed what was left to it. */
static void until_forgotten(keeper *k)
{
    int64_t start = platform_now();
    size_t renewals = 1;

    while (renewals > 0 && ms_since(start) < 5000) {
        pthread_mutex_lock(&k->renewer->mutex);
        renewals = k->renewer->groups->renewals;
        pthread_mutex_unlock(&k->renewer->mutex);
        sleep_ms(1);
    }
    CHECK_INT((int64_t)renewals, 0);
}

static bool has_note(server *s)
{
    return say_number(s, "EXISTS {lock:a}:rl:note") == 1;
}

TEST(renewal_end_waits_for_an_answer_under_way)
{
    SERVER(s, NULL);
    RELAY(r, &s);
    KEEPER(k, r.path);
    take_and_keep(&k, "a", 1500);
    until_renewed(&k, 1);
    hold_next_request(&r);
    pthread_t helper = thread_start(let_it_pass_soon, &r);
    int64_t start = platform_now();
    CHECK_INT(keeper_end(&k), LOCK_RENEWAL_ON);
    CHECK_RANGE(50, ms_since(start), 110 + SLACK);
    CHECK_RANGE(1200 - SLACK, check_belief(&s, "a", &k.c.lease) / PLATFORM_MSEC, 1500);
    thread_join(helper);
    CHECK_INT((int64_t)counts_of(&k).renewed, 2);
    CHECK_INT(extend(&k.c, "a", 500), LOCK_YES);
    CHECK(!has_note(&s));
    CHECK_INT(drop(&k.c, "a"), LOCK_YES);
}

TEST(renewal_end_waits_no_longer_than_it_is_told)
{
    SERVER(s, NULL);
    RELAY(r, &s);
    KEEPER(k, r.path);
    take_and_keep(&k, "a", 1500);
    until_renewed(&k, 1);
    hold_next_request(&r);
    int64_t start = platform_now();
    CHECK_INT(keeper_end_by(&k, 150), LOCK_RENEWAL_ON);
    CHECK_RANGE(150, ms_since(start), 150 + SLACK);
    int64_t kept = (k.c.lease.server_expires_by - platform_now()) / PLATFORM_MSEC;
    CHECK_RANGE(1400 - held_up(), kept, 1530); /* with what clocks may differ by, and a mark */
    CHECK_INT((int64_t)lock_renewal_counts(k.renewer, &k.stats).renewed, 1);
    until_forgotten(&k);
    CHECK_INT((int64_t)counts_of(&k).renewed, 1);
}

TEST(renewal_end_does_not_wait_where_nothing_is_under_way)
{
    SERVER(s, NULL);
    KEEPER(k, s.path);
    take_and_keep(&k, "a", 1500);
    server_freeze(&s);
    int64_t start = platform_now();
    CHECK_INT(keeper_end(&k), LOCK_RENEWAL_ON);
    CHECK_RANGE(0, ms_since(start), SLACK);
    server_thaw(&s);
    CHECK_INT(drop(&k.c, "a"), LOCK_YES);
}

TEST(renewal_that_arrives_late_does_not_undo_an_extension)
{
    SERVER(s, NULL);
    RELAY(r, &s);
    KEEPER(k, r.path);
    take_and_keep(&k, "a", 1500);
    until_renewed(&k, 1);
    hold_next_request(&r);
    CHECK_INT(keeper_end_by(&k, 50), LOCK_RENEWAL_ON);
    CHECK_INT(extend(&k.c, "a", 900), LOCK_YES);
    CHECK(has_note(&s));
    long long before = server_calls(&s, "evalsha");
    atomic_store(&r.control->hold, 0);
    int64_t start = platform_now();
    while (server_calls(&s, "evalsha") == before && ms_since(start) < 3000) {
        sleep_ms(1);
    }
    CHECK(server_calls(&s, "evalsha") > before);
    CHECK_SAFE(say_number(&s, "PTTL lock:a") <= 900);
    check_belief(&s, "a", &k.c.lease);
    until_forgotten(&k);
    CHECK_INT(drop(&k.c, "a"), LOCK_YES);
    CHECK_NO_KEY(&s);
}

TEST(renewal_begins_again_behind_an_extension)
{
    SERVER(s, NULL);
    KEEPER(k, s.path);
    take_and_keep(&k, "a", 900);
    until_renewed(&k, 1);
    CHECK_INT(keeper_end(&k), LOCK_RENEWAL_ON);
    CHECK_INT(extend(&k.c, "a", 1500), LOCK_YES);
    keep_for(&k, "a", 0);
    is_kept_for(&k, &s, 2000);
    CHECK(!has_note(&s));
    CHECK_INT(keeper_end(&k), LOCK_RENEWAL_ON);
    CHECK_INT(drop(&k.c, "a"), LOCK_YES);
    CHECK_NO_KEY(&s);
}

TEST(renewal_leaves_a_note_where_one_before_it_may_still_arrive)
{
    SERVER(s, NULL);
    RELAY(r, &s);
    KEEPER(k, r.path);
    take_and_keep(&k, "a", 1500);
    until_renewed(&k, 1);
    hold_next_request(&r);
    CHECK_INT(keeper_end_by(&k, 0), LOCK_RENEWAL_ON);
    keep_for(&k, "a", 0);
    CHECK(!has_note(&s));
    until_renewed(&k, 1);
    CHECK(has_note(&s));
    is_kept_for(&k, &s, 600);
    CHECK_INT(keeper_end(&k), LOCK_RENEWAL_ON);
    CHECK_INT(drop(&k.c, "a"), LOCK_YES);
    CHECK_NO_KEY(&s);
}

TEST(renewal_tells_the_holder_that_a_request_had_no_answer)
{
    SERVER(s, NULL);
    RELAY(r, &s);
    KEEPER(k, r.path);
    take_and_keep(&k, "a", 2000);
    until_renewed(&k, 1);
    atomic_store(&r.control->swallow, 1);
    until_renewed(&k, 1);
    CHECK_INT(atomic_load(&r.control->swallowed), 1);
    CHECK_INT((int64_t)lock_renewal_counts(k.renewer, &k.stats).failures, 1);
    CHECK_INT(keeper_end(&k), LOCK_RENEWAL_ON);
    CHECK_INT(extend(&k.c, "a", 500), LOCK_YES);
    CHECK(has_note(&s));
    CHECK_INT(drop(&k.c, "a"), LOCK_YES);
    CHECK_NO_KEY(&s);
}

/* ---- the end of the thread ---- */

/* Waits until a request is under way, by what the renewer knows of it. */
static void until_under_way(keeper *k)
{
    int64_t start = platform_now();
    size_t flying = 0;

    while (flying == 0 && ms_since(start) < 5000) {
        pthread_mutex_lock(&k->renewer->mutex);
        flying = k->renewer->groups->batch_count;
        pthread_mutex_unlock(&k->renewer->mutex);
        sleep_ms(1);
    }
    CHECK(flying > 0);
}

/* Ends the renewer while a request is under way, and checks that this takes next to no time. */
static void check_that_it_ends_soon(keeper *k)
{
    until_under_way(k);
    int64_t start = platform_now();
    keeper_end_by(k, 0);
    lock_renewer_free(k->renewer);
    CHECK_RANGE(0, ms_since(start), 100 + SLACK);
    k->renewer = lock_renewer_new();
}

TEST(renewer_ends_soon_while_a_server_stands_still)
{
    SERVER(s, NULL);
    KEEPER(k, s.path);
    take_and_keep(&k, "a", 1500);
    until_renewed(&k, 1);
    server_freeze(&s);
    check_that_it_ends_soon(&k);
}

TEST(renewer_ends_soon_while_a_server_is_not_reached)
{
    SERVER(s, NULL);
    KEEPER(k, s.path);
    take_and_keep(&k, "a", 1500);
    until_renewed(&k, 1);
    server_vanish(&s);
    check_that_it_ends_soon(&k);
}

TEST(renewer_ends_soon_while_several_servers_stand_still)
{
    RING(r, 3, NULL);
    RING_KEEPER(k, &r);
    take_and_keep(&k, "a", 1500);
    until_renewed(&k, 1);
    server_freeze(&r.servers[0]);
    server_freeze(&r.servers[2]);
    check_that_it_ends_soon(&k);
}

/* ---- the thread ---- */

/* Finds a thread beside this one, and copies its id. Returns how many there are. */
static int other_threads(char id[32])
{
    DIR *tasks = opendir("/proc/self/task");
    char own[32];
    int count = 0;

    snprintf(own, sizeof(own), "%d", (int)getpid());
    CHECK(tasks != NULL);
    for (struct dirent *task; (task = readdir(tasks)) != NULL;) {
        if (task->d_name[0] != '.' && strcmp(task->d_name, own) != 0) {
            snprintf(id, 32, "%.31s", task->d_name);
            count++;
        }
    }
    closedir(tasks);
    return count;
}

/* Copies what a thread's status says behind `word`. */
static void status_of(const char *id, const char *word, char value[64])
{
    char path[64], line[256];
    size_t len = strlen(word);

    snprintf(path, sizeof(path), "/proc/self/task/%s/status", id);
    FILE *f = fopen(path, "r");
    CHECK(f != NULL);
    value[0] = '\0';
    while (fgets(line, sizeof(line), f) != NULL) {
        if (strncmp(line, word, len) == 0) {
            snprintf(value, 64, "%.63s", line + len + strspn(line + len, ": \t"));
        }
    }
    fclose(f);
    CHECK(value[0] != '\0');
}

static void *do_nothing(void *arg)
{
    return arg;
}

/* Waits until there are so many threads beside this one: one that has been joined may still be seen for a moment. */
static void until_threads(int count)
{
    int64_t start = platform_now();
    char id[32];

    while (other_threads(id) != count && ms_since(start) < 2000) {
        sleep_ms(1);
    }
    CHECK_INT(other_threads(id), count);
}

/* A sanitizer may have a thread of its own, which begins with the first other one. */
TEST(renewer_has_a_thread_only_from_the_first_lease_on)
{
    char id[32];
    thread_join(thread_start(do_nothing, NULL));
    SERVER(s, NULL);
    sleep_ms(20);
    int before = other_threads(id);
    KEEPER(k, s.path);
    CHECK_INT(take(&k.c, "a", 900, 0), LOCK_YES);
    until_threads(before);
    keep_for(&k, "a", 0);
    until_threads(before + 1);
    keeper_end(&k);
    keep_for(&k, "a", 0);
    until_threads(before + 1);
    keeper_end(&k);
    lock_renewer_free(k.renewer);
    until_threads(before);
    k.renewer = lock_renewer_new();
}

/* Takes a lock and begins to renew it. Sets `id` to that of the renewing thread, which has begun to work. Returns false if that
 * cannot be told from a sanitizer's own. */
static bool find_thread(keeper *k, char id[32])
{
    char other[32];
    int before = other_threads(other);

    CHECK_INT(take(&k->c, "a", 3000, 0), LOCK_YES);
    k->c.lease.sent -= MS(1000); /* it is due at once */
    keep_for(k, "a", 0);
    until_renewed(k, 1);
    return other_threads(id) == 1 && before == 0;
}

/* Checks that there comes a time in which the thread does not wake up at all. */
static void check_that_it_sleeps(const char *id)
{
    char before[64], after[64];

    for (int tries = 0; tries < 6; tries++) {
        status_of(id, "voluntary_ctxt_switches", before);
        sleep_ms(400);
        status_of(id, "voluntary_ctxt_switches", after);
        if (strcmp(before, after) == 0) {
            return;
        }
    }
    CHECK_TEXT(after, before);
}

/* It may wake up once more, when the lease would have been due. */
TEST(renewer_sleeps_while_there_is_no_lease)
{
    char id[32];
    SERVER(s, NULL);
    KEEPER(k, s.path);
    if (find_thread(&k, id)) {
        keeper_end(&k);
        sleep_ms(1050);
        check_that_it_sleeps(id);
    }
}

TEST(renewer_sleeps_while_no_lease_is_due)
{
    char id[32];
    SERVER(s, NULL);
    KEEPER(k, s.path);
    if (find_thread(&k, id)) {
        keeper_end(&k);
        CHECK_INT(extend(&k.c, "a", 60000), LOCK_YES);
        keep_for(&k, "a", 0);
        sleep_ms(1050);
        check_that_it_sleeps(id);
    }
}

TEST(renewer_leaves_all_signals_to_other_threads)
{
    char id[32], blocked[64];
    SERVER(s, NULL);
    KEEPER(k, s.path);
    if (!find_thread(&k, id)) {
        return;
    }
    status_of(id, "SigBlk", blocked);
    uint64_t mask = strtoull(blocked, NULL, 16);
    for (int number = 1; number < 32; number++) {
        CHECK(number == SIGKILL || number == SIGSTOP || (mask >> (number - 1) & 1) == 1);
    }
}

/* SPDX-License-Identifier: MIT
 *
 * The line of the processes of one machine, without Redis: its order, and how a wait there ends.
 */
#define _GNU_SOURCE
#include "local_bed.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static visit *visits(int count)
{
    visit *v = shared(sizeof(*v) * (size_t)count);

    for (int i = 0; i < count; i++) {
        v[i] = (visit){.key = "a", .token = "other", .wait_ms = 8000, .number = i};
    }
    return v;
}

TEST(local_passes_on_in_the_order_in_which_they_came)
{
    enum { COUNT = 5 };
    visit *v = visits(COUNT);
    atomic_int *order = shared(sizeof(*order));
    lock_turn_heir heir;
    place p = enter("a", "first", 0);

    CHECK_INT(p.verdict, LOCK_TURN_HEAD);
    CHECK(!p.line.stood);
    for (int i = 0; i < COUNT; i++) {
        v[i].order = order;
        v[i].end = VISIT_PASSES;
        visit_start(&v[i]);
        until_in_line(p.turn, i + 1);
    }
    CHECK(pass(&p, "a", "first", &heir));
    CHECK_INT(heir.token_len, 5);
    CHECK(memcmp(heir.token, "other", 5) == 0);
    lock_turn_answer(host_here(), &heir, LOCAL_YES, 0, 0);
    for (int i = 0; i < COUNT; i++) {
        CHECK_INT(visit_verdict(&v[i]), LOCK_TURN_GRANTED);
        CHECK_INT(v[i].came, i + 1);
        CHECK_TEXT(v[i].from, i == 0 ? "first" : "other");
        process_join(v[i].pid);
    }
    check_all_free();
}

TEST(local_next_is_the_head_when_an_owner_leaves)
{
    enum { COUNT = 3 };
    visit *v = visits(COUNT);
    atomic_int *order = shared(sizeof(*order));
    place p = enter("a", "first", 0);

    for (int i = 0; i < COUNT; i++) {
        v[i].order = order;
        visit_start(&v[i]);
        until_in_line(p.turn, i + 1);
    }
    lock_turn_leave(p.turn);
    for (int i = 0; i < COUNT; i++) {
        CHECK_INT(visit_verdict(&v[i]), LOCK_TURN_HEAD);
        CHECK_INT(v[i].came, i + 1);
        process_join(v[i].pid);
    }
    check_all_free();
}

TEST(local_wait_ends_at_the_deadline)
{
    visit *v = visits(1);
    place p = enter("a", "first", 0);

    v->wait_ms = 100;
    visit_start(v);
    CHECK_INT(visit_verdict(v), LOCK_TURN_OVER);
    CHECK(v->place.line.stood);
    CHECK_RANGE(99, v->place.took, 100 + SLACK);
    process_join(v->pid);
    CHECK_INT(entries_in_use(), 1);
    CHECK_INT(lock_turn_waiting(p.turn), 0);
    lock_turn_leave(p.turn);
    check_all_free();
}

TEST(local_caller_that_does_not_wait_asks_by_itself)
{
    visit *v = visits(1);
    place p = enter("a", "first", 0);

    v->wait_ms = 0;
    visit_start(v);
    CHECK_INT(visit_verdict(v), LOCK_TURN_ALONE);
    CHECK(!v->place.line.stood);
    process_join(v->pid);
    lock_turn_leave(p.turn);
    check_all_free();
}

TEST(local_wait_that_is_over_tells_how_many_wait_by_then)
{
    visit *v = visits(3);
    place p = enter("a", "first", 0);

    v[0].wait_ms = 2000;
    for (int i = 0; i < 3; i++) {
        visit_start(&v[i]);
        until_in_line(p.turn, i + 1);
    }
    CHECK_INT(visit_verdict(&v[0]), LOCK_TURN_OVER);
    CHECK_INT(v[0].place.line.waiting, 2);
    lock_turn_leave(p.turn);
    for (int i = 0; i < 3; i++) {
        visit_verdict(&v[i]);
        process_join(v[i].pid);
    }
    check_all_free();
}

static bool says_yes(void *arg)
{
    return --*(int *)arg < 0;
}

/* Checks that the hook ends a wait after `least` ms, or a second at most. */
static void check_hook_ends(const rl_hook *hook, int64_t least)
{
    lock_turn_terms terms = terms_of("a", "other", 8000);

    terms.hook = hook;
    place p = enter_with(&terms);
    CHECK_INT(p.verdict, LOCK_TURN_INTERRUPTED);
    CHECK_RANGE(least, p.took, 1000 + SLACK);
}

static void wait_until_hook(void *arg)
{
    int calls = 1;

    (void)arg;
    check_hook_ends(&(rl_hook){.interrupted = says_yes, .arg = &calls}, 0);
}

TEST(local_hook_ends_a_wait)
{
    place p = enter("a", "first", 0);

    process_join(process_start(wait_until_hook, NULL));
    CHECK_INT(entries_in_use(), 1);
    lock_turn_leave(p.turn);
    check_all_free();
}

/* Puts so many in line before all others, as if of this process. */
static void crowd(const lock_turn *turn, unsigned count, bool stays)
{
    local_segment *segment = host_here()->segment;

    for (unsigned index = 100; index < 100 + count; index++) {
        local_entry *entry = &segment->entries[index];
        atomic_store(&entry->slot, turn->slot);
        atomic_store(&entry->ticket, atomic_fetch_add(&local_turn_slot(turn)->tickets, 1));
        atomic_store(&entry->status, local_status(1, host_here()->number, stays ? LOCAL_WAITS : LOCAL_FREE));
        (stays ? local_line_enter : local_line_leave)(local_turn_slot(turn), index);
    }
}

static bool says_yes_later(void *arg)
{
    return platform_now() > *(const int64_t *)arg;
}

static void wait_far_behind(void *arg)
{
    int64_t from = platform_now() + MS(300);

    (void)arg;
    check_hook_ends(&(rl_hook){.interrupted = says_yes_later, .arg = &from, .is_silent = true}, 300);
}

/* Whoever stands far behind looks rarely. */
TEST(local_silent_hook_ends_a_wait_within_a_second)
{
    place p = enter("a", "first", 0);

    crowd(p.turn, 60, true);
    process_join(process_start(wait_far_behind, NULL));
    crowd(p.turn, 60, false);
    lock_turn_leave(p.turn);
    check_all_free();
}

/* The slot that the entry owns. */
static unsigned slot_of(unsigned entry)
{
    for (unsigned slot = 0; slot < LOCAL_SLOTS; slot++) {
        uint64_t owner = atomic_load(&host_here()->segment->owners[slot]);
        if (owner != 0 && local_owner_entry(owner) == entry) {
            return slot;
        }
    }
    test_fail(__FILE__, __LINE__, "entry %u owns no slot", entry);
}

/* A waiter with many before it sleeps for long; when these are gone, it is the first, and the owner is killed. It may stop
 * where it has looked for the second time, and others do not know yet that it is about to sleep. */
static void check_looks_soon(const char *stops_in)
{
    visit *v = visits(3);

    v[0].end = VISIT_STAYS;
    visit_start(&v[0]);
    CHECK_INT(visit_verdict(&v[0]), LOCK_TURN_HEAD);
    lock_turn slot = {.host = host_here(), .slot = slot_of((unsigned)atomic_load(&v[0].entry))};
    crowd(&slot, 60, true);
    v[1].stops_in = stops_in;
    v[1].nth = 2;
    visit_start(&v[1]);
    until_in_line(&slot, 61);
    if (stops_in != NULL) {
        CHECK_INT(waitpid(v[1].pid, NULL, WUNTRACED), v[1].pid);
    } else {
        sleep_ms(1500); /* its last look was with 60 before it: the next one comes after more than 10 s */
    }
    v[2].wait_ms = 100;
    visit_start(&v[2]);
    until_in_line(&slot, 62);
    crowd(&slot, 60, false);
    CHECK_INT(visit_verdict(&v[2]), LOCK_TURN_OVER); /* it leaves, and wakes the first */
    kill(v[1].pid, SIGCONT);
    sleep_ms(stops_in != NULL ? 100 : 0);
    int64_t start = platform_now();
    process_kill(v[0].pid);
    CHECK_INT(visit_verdict(&v[1]), LOCK_TURN_HEAD);
    CHECK_RANGE(0, ms_since(start), 1000 + SLACK);
    process_join(v[1].pid);
    process_join(v[2].pid);
    local_host_sweep(host_here(), false);
    check_all_free();
}

TEST(local_waiter_that_has_become_the_first_looks_soon)
{
    check_looks_soon(NULL);
}

TEST(local_waiter_that_becomes_the_first_just_before_it_sleeps_looks_soon)
{
    check_looks_soon("wait_in_line");
}

/* ---- a fork in a wait, and beside a turn ---- */

typedef struct forked {
    atomic_int verdict; /* of the child */
    bool says;          /* what the hook says there */
    pid_t child;
} forked;

static bool forks(void *arg)
{
    forked *f = arg;

    if (f->child == 0) {
        pid_t child = fork();
        CHECK(child >= 0);
        if (child == 0) {
            f->child = -1;
            return f->says;
        }
        f->child = child;
    }
    return false;
}

static void wait_and_fork(void *arg)
{
    forked mine = {.says = ((forked *)arg)->says};
    const rl_hook hook = {.interrupted = forks, .arg = &mine};
    lock_turn_terms terms = terms_of("a", "other", 8000);

    terms.hook = &hook;
    place p = enter_with(&terms);
    if (mine.child == -1) {
        atomic_store(&((forked *)arg)->verdict, (int)p.verdict);
        _exit(0);
    }
    CHECK_INT(waitpid(mine.child, NULL, 0), mine.child);
    CHECK_INT(p.verdict, LOCK_TURN_HEAD);
    lock_turn_leave(p.turn);
}

static void check_hook_forks(bool says)
{
    forked *f = shared(sizeof(*f));
    place p = enter("a", "first", 0);

    f->says = says;
    atomic_store(&f->verdict, -1);
    pid_t pid = process_start(wait_and_fork, f);
    for (int64_t start = platform_now(); atomic_load(&f->verdict) == -1 && ms_since(start) < 3000; sleep_ms(1)) {
    }
    CHECK_INT(atomic_load(&f->verdict), LOCK_TURN_INTERRUPTED);
    CHECK_INT(lock_turn_waiting(p.turn), 1);
    lock_turn_leave(p.turn);
    process_join(pid);
    check_all_free();
}

TEST(local_place_in_line_is_the_parents_if_the_hook_forks)
{
    check_hook_forks(true);
    check_hook_forks(false);
}

static void touch_the_parents_turn(void *arg)
{
    place p = *(place *)arg;
    lock_turn_heir heir;
    local_host *host = host_here();

    CHECK(host != p.turn->host && host->number != p.turn->host->number);
    CHECK(!pass(&p, "a", "first", &heir));
    CHECK(!lock_turn_leave_alone(p.turn));
    lock_turn_fail(p.turn, &(rl_error){.kind = RL_UNREACHABLE});
    lock_turn_leave(p.turn);
    place own = enter("a", "child", 3000);
    CHECK_INT(own.verdict, LOCK_TURN_GRANTED);
    lock_turn_leave(own.turn);
}

TEST(local_child_of_a_fork_has_turns_of_its_own)
{
    lock_turn_heir heir;
    place p = enter("a", "first", 0);
    pid_t child = process_start(touch_the_parents_turn, &p);

    until_in_line(p.turn, 1);
    CHECK_INT(entries_in_use(), 2);
    CHECK(pass(&p, "a", "first", &heir));
    process_join(child);
    check_all_free();
}

/* ---- limits ---- */

/* Has so many others line up behind the place. */
static visit *line_up_behind(const place *p, int count)
{
    visit *v = visits(count);

    for (int i = 0; i < count; i++) {
        visit_start(&v[i]);
    }
    until_in_line(p->turn, count);
    return v;
}

TEST(local_line_is_full_at_max_waiters)
{
    place p = enter("a", "first", 0);
    lock_turn_terms terms = terms_of("a", "third", 5000);

    visit *v = line_up_behind(&p, 2);
    terms.max_waiters = 2;
    place third = enter_with(&terms);
    CHECK_INT(third.verdict, LOCK_TURN_FULL);
    CHECK(!third.line.stood);
    CHECK_INT(third.line.waiting, 2);
    lock_turn_leave(p.turn);
    for (int i = 0; i < 2; i++) {
        CHECK_INT(visit_verdict(&v[i]), LOCK_TURN_HEAD);
        process_join(v[i].pid);
    }
    check_all_free();
}

/* Of the line that they stand in, only the first one looks who is dead. */
TEST(local_dead_do_not_fill_the_line)
{
    place p = enter("a", "first", 0);
    lock_turn_terms terms = terms_of("a", "third", 200);

    visit *v = line_up_behind(&p, 2);
    for (int i = 0; i < 2; i++) {
        process_kill(v[i].pid);
    }
    terms.max_waiters = 2;
    place third = enter_with(&terms);
    CHECK_INT(third.verdict, LOCK_TURN_OVER);
    CHECK_INT(third.line.waiting, 0);
    lock_turn_leave(p.turn);
    check_all_free();
}

TEST(local_dead_are_not_counted_as_waiters)
{
    place p = enter("a", "first", 0);
    visit *v = line_up_behind(&p, 1);

    CHECK_INT(lock_turn_waiting_for(host_here(), BYTES("a"), terms_of("a", "", 0).identity), 1);
    process_kill(v->pid);
    CHECK_INT(lock_turn_waiting_for(host_here(), BYTES("a"), terms_of("a", "", 0).identity), 0);
    lock_turn_leave(p.turn);
    check_all_free();
}

static place enter_nth(int n)
{
    char key[16];

    snprintf(key, sizeof(key), "key%d", n);
    return enter(key, "token", 0);
}

/* Of 256 names not all find a slot in their bucket; whoever finds none asks by itself. */
TEST(local_slots_are_enough_for_many_names_and_are_free_again)
{
    lock_turn *held[LOCAL_SLOTS];
    int count = 0;

    for (int round = 0; round < 32; round++) {
        for (int i = 0; i < 1000; i++) {
            place p = enter_nth(round * 1000 + i);
            CHECK_INT(p.verdict, LOCK_TURN_HEAD);
            lock_turn_leave(p.turn);
        }
        CHECK_INT(entries_in_use(), 0);
    }
    for (int i = 0; i < LOCAL_SLOTS; i++) {
        place p = enter_nth(i);
        CHECK(p.verdict == LOCK_TURN_HEAD || p.verdict == LOCK_TURN_ALONE);
        held[count] = p.turn;
        count += p.turn != NULL;
    }
    CHECK_INT(slots_in_use(), count);
    CHECK_INT(entries_in_use(), count);
    CHECK_RANGE(200, count, LOCAL_SLOTS);
    for (int i = 0; i < count; i++) {
        lock_turn_leave(held[i]);
    }
    check_all_free();
}

TEST(local_entries_that_are_all_in_use_leave_callers_alone)
{
    local_host *host = host_here();

    for (unsigned i = 0; i < LOCAL_ENTRIES; i++) {
        atomic_store(&host->segment->entries[i].status, local_status(1, host->number, LOCAL_MINE));
    }
    CHECK_INT(enter("a", "token", 100).verdict, LOCK_TURN_ALONE);
    atomic_store(&host->segment->entries[77].status, local_status(1, host->number, LOCAL_FREE));
    place p = enter("a", "token", 100);
    CHECK_INT(p.verdict, LOCK_TURN_HEAD);
    CHECK_INT(p.turn->entry, 77);
}

TEST(local_key_that_is_too_long_is_left_alone)
{
    char key[LOCAL_KEY_MAX + 2] = {0}, token[LOCAL_TOKEN_MAX + 2] = {0};

    memset(key, 'k', LOCAL_KEY_MAX + 1);
    memset(token, 't', LOCAL_TOKEN_MAX + 1);
    CHECK_INT(enter(key, "token", 0).verdict, LOCK_TURN_ALONE);
    CHECK_INT(enter("a", token, 0).verdict, LOCK_TURN_ALONE);
    key[LOCAL_KEY_MAX] = token[LOCAL_TOKEN_MAX] = '\0';
    place p = enter(key, token, 0);
    CHECK_INT(p.verdict, LOCK_TURN_HEAD);
    lock_turn_leave(p.turn);
    check_all_free();
}

/* ---- keys of one hash ---- */

typedef struct hashed {
    uint64_t word; /* the slot, and what an owner has of the hash */
    int n;
} hashed;

static int by_word(const void *a, const void *b)
{
    uint64_t x = ((const hashed *)a)->word, y = ((const hashed *)b)->word;

    return x < y ? -1 : x > y;
}

/* Finds two keys with one slot that its owner's word does not tell apart: they are hashed as in lock/local/turn.c. */
static void find_pair(char one[16], char two[16])
{
    enum { KEYS = 1000000 };
    hashed *all = malloc(sizeof(*all) * KEYS);
    int i;

    for (i = 0; i < KEYS; i++) {
        int len = snprintf(one, 16, "k%d", i);
        uint64_t hash = local_mix(local_hash(1, one, (size_t)len), 2);
        all[i] = (hashed){hash >> LOCAL_OWNER_TAG_AT << 8 | hash % LOCAL_SLOTS, i};
    }
    qsort(all, KEYS, sizeof(*all), by_word);
    for (i = 1; i < KEYS && all[i].word != all[i - 1].word; i++) {
    }
    CHECK(i < KEYS);
    snprintf(one, 16, "k%d", all[i - 1].n);
    snprintf(two, 16, "k%d", all[i].n);
    free(all);
}

TEST(local_lock_is_not_passed_on_to_who_wants_another_of_the_same_hash)
{
    char *one = shared(16), *two = shared(16);
    visit *v = visits(2);
    lock_turn_heir heir;

    find_pair(one, two);
    place p = enter(one, "first", 0);
    v[0].key = two;
    v[1].key = one;
    for (int i = 0; i < 2; i++) {
        visit_start(&v[i]);
        until_in_line(p.turn, i + 1);
    }
    CHECK(pass(&p, one, "first", &heir));
    CHECK_INT(visit_verdict(&v[0]), LOCK_TURN_ALONE);
    CHECK(v[0].place.line.stood);
    CHECK_INT(visit_verdict(&v[1]), LOCK_TURN_GRANTED);
    process_join(v[0].pid);
    process_join(v[1].pid);
    check_all_free();
}

TEST(local_wait_for_a_lock_of_another_user_is_not_passed_on_to)
{
    visit *v = visits(1);
    lock_turn_heir heir;
    place p = enter("a", "first", 0);

    visit_start(v);
    until_in_line(p.turn, 1);
    p.turn->identity[1]++;
    CHECK(!pass(&p, "a", "first", &heir));
    CHECK_INT(visit_verdict(v), LOCK_TURN_ALONE);
    lock_turn_leave(p.turn);
    process_join(v->pid);
    check_all_free();
}

/* ---- what the head says ---- */

TEST(local_error_of_the_head_is_told_to_all_in_line)
{
    enum { COUNT = 4 };
    visit *v = visits(COUNT);
    place p = enter("a", "first", 0);

    for (int i = 0; i < COUNT; i++) {
        visit_start(&v[i]);
    }
    until_in_line(p.turn, COUNT);
    lock_turn_fail(p.turn, &(rl_error){RL_UNREACHABLE, "", "no route"});
    lock_turn_leave(p.turn);
    for (int i = 0; i < COUNT; i++) {
        CHECK_INT(visit_verdict(&v[i]), LOCK_TURN_FAILED);
        CHECK_INT(v[i].place.error.kind, RL_UNREACHABLE);
        CHECK_TEXT(v[i].place.error.text, "no route");
        process_join(v[i].pid);
    }
    check_all_free();
}

static void claims_one(void)
{
    CHECK(!"somebody in line is claimed");
}

/* Whoever has taken the slot asks Redis too, and may be answered. Nobody else claims those in line, not even for a moment. */
TEST(local_owner_that_has_lost_its_slot_leaves_those_in_line_alone)
{
    lock_turn_heir heir;
    visit *v = visits(2);
    place p = enter("a", "first", 0);

    lock_turn_hold(p.turn, platform_now() - 1);
    v[0].end = VISIT_STAYS;
    visit_start(&v[0]);
    CHECK_INT(visit_verdict(&v[0]), LOCK_TURN_HEAD);
    visit_start(&v[1]);
    until_in_line(p.turn, 1);
    at_step("local_line_claim", 1, claims_one);
    lock_turn_fail(p.turn, &(rl_error){RL_UNREACHABLE, "", "no route"});
    CHECK(!pass(&p, "a", "first", &heir));
    lock_turn_leave(p.turn);
    at_no_step();
    sleep_ms(20);
    CHECK(!v[1].is_over);
    CHECK_INT(entries_in_use(), 2);
    process_kill(v[0].pid);
    CHECK_INT(visit_verdict(&v[1]), LOCK_TURN_HEAD);
    process_join(v[1].pid);
}

/* ---- the segment ---- */

static const char *segment_path(void)
{
    static char path[400];

    snprintf(path, sizeof(path), "%s/redislock.local.v%d.%u", test_folder(), LOCAL_LAYOUT, segment_user());
    return path;
}

static void check_not_joined(const char *why)
{
    lock_local *local = lock_local_new();

    CHECK(lock_local_problem(local) == NULL);
    CHECK(lock_local_join(local, platform_process(), test_folder()) == NULL);
    CHECK_TEXT(lock_local_problem(local), why);
    CHECK(lock_local_join(local, platform_process(), test_folder()) == NULL);
    lock_local_free(local);
}

static void join_segment_of_other_clocks(void *arg)
{
    (void)arg;
    check_not_joined("the processes of the segment are in another time namespace");
}

static void join_segment_of_others(void *arg)
{
    (void)arg;
    check_not_joined("the segment of shared memory holds something else");
}

TEST(local_segment_of_others_is_left_alone)
{
    local_segment *segment = host_here()->segment;
    struct stat st;

    CHECK(stat(segment_path(), &st) == 0);
    CHECK_INT(st.st_size, sizeof(local_segment));
    atomic_fetch_add(&segment->clocks, 1);
    process_join(process_start(join_segment_of_other_clocks, NULL));
    atomic_fetch_add(&segment->magic, 1);
    process_join(process_start(join_segment_of_others, NULL));
    CHECK_INT(segment->magic, LOCAL_MAGIC + 1);
}

/* ---- places ---- */

/* What a client is known by here that is another one's but for what `change` does to it. */
typedef struct described {
    rl_endpoint server;
    lock_client client;
    uint64_t identity[2];
} described;

static described describe(void (*change)(described *))
{
    described d = {.server = {.host = "redis", .port = 6379}, .client = {.target = {.count = 1, .read_timeout = 5}}};

    if (change != NULL) {
        change(&d);
    }
    d.client.target.endpoints = &d.server;
    lock_pass_identify(host_here(), &d.client, d.identity);
    return d;
}

/* A process that goes elsewhere. */
typedef struct elsewhere {
    int kind; /* of the namespace that it makes, as for unshare() */
    described described;
    int refused; /* why it may not go; 0: it may */
} elsewhere;

static void go_elsewhere(void *arg)
{
    elsewhere *e = arg;

    if (e->kind != 0 && unshare(e->kind) != 0 && unshare(CLONE_NEWUSER | e->kind) != 0) {
        e->refused = errno;
        return;
    }
    e->described = describe(NULL);
}

/* Are both in one line? */
static bool share_a_line(const described *a, const described *b)
{
    CHECK((a->identity[0] == b->identity[0]) == (a->identity[1] == b->identity[1]));
    return a->identity[0] == b->identity[0];
}

/* Does a process in a new namespace of this kind share a line with this one? */
static bool shares_from_elsewhere(int kind)
{
    elsewhere *e = shared(sizeof(*e));
    described here = describe(NULL);

    e->kind = kind;
    process_join(process_start(go_elsewhere, e));
    if (e->refused != 0) {
        note("no namespaces: %s", strerror(e->refused));
        return kind == CLONE_NEWUTS;
    }
    return share_a_line(&here, &e->described);
}

/* Containers may share memory, and reach other servers by the same name. */
TEST(local_server_is_another_in_another_network_or_mount_namespace)
{
    CHECK(shares_from_elsewhere(0));
    CHECK(!shares_from_elsewhere(CLONE_NEWNET));
    CHECK(!shares_from_elsewhere(CLONE_NEWNS));
    CHECK(shares_from_elsewhere(CLONE_NEWUTS));
}

static void have_another_port(described *d)
{
    d->server.port++;
}

static void have_another_user(described *d)
{
    d->server.username = "shop";
}

static void have_tls(described *d)
{
    d->server.tls = true;
}

static void have_another_authority(described *d)
{
    d->server.tls_options.cafile = "/etc/ssl/shop.pem";
}

static void wait_longer_for_answers(described *d)
{
    d->client.target.read_timeout++;
}

static void connect_for_longer(described *d)
{
    d->client.target.connect_timeout++;
}

static void ask_for_fences(described *d)
{
    d->client.fencing = true;
}

TEST(local_clients_that_differ_have_lines_of_their_own)
{
    void (*const changes[])(described *) = {have_another_port,      have_another_user,       have_tls,
                                            have_another_authority, wait_longer_for_answers, connect_for_longer,
                                            ask_for_fences};
    described plain = describe(NULL), same = describe(NULL);

    CHECK(share_a_line(&plain, &same));
    for (size_t i = 0; i < sizeof(changes) / sizeof(*changes); i++) {
        described other = describe(changes[i]);
        CHECK(!share_a_line(&plain, &other));
    }
}

static char password[16];

static void have_a_password(described *d)
{
    d->server.password = password;
    d->server.password_len = strlen(password);
}

/* Whoever reads the segment must not be able to tell the password from what stands there: a few bits of it do. */
TEST(local_password_is_not_to_be_found_out)
{
    enum { COUNT = 100 };
    uint64_t seen[COUNT];
    int count = 0, same = 0;

    for (int i = 0; same == 0 && i < 1000 * COUNT; i++) {
        snprintf(password, sizeof(password), "secret %d", i);
        uint64_t identity = describe(have_a_password).identity[0];
        for (int j = 0; j < count; j++) {
            same += seen[j] == identity;
        }
        if (count < COUNT) {
            seen[count++] = identity;
        }
    }
    CHECK_INT(same, 1); /* among 100 000 passwords, with 16 bits */
    CHECK_INT(count, COUNT);
}

/* ---- joining ---- */

static lock_local *joined;
static pid_t forked_child;

static void fork_here(void)
{
    forked_child = fork();
    CHECK(forked_child >= 0);
    if (forked_child == 0) {
        at_no_step();
        _exit(lock_local_join(joined, platform_process(), test_folder()) != NULL ? 0 : 1);
    }
}

/* Another thread may be about to join when a process forks. In the child there is no such thread. */
TEST(local_child_joins_although_its_parent_was_about_to)
{
    local_entry *entry = &host_here()->segment->entries[7];

    joined = lock_local_new();
    atomic_store(&entry->status, local_status(1, host_here()->number ^ 1, LOCAL_MINE));
    at_step("local_entry_free", 1, fork_here);
    CHECK(lock_local_join(joined, platform_process(), test_folder()) != NULL);
    at_no_step();
    process_join(forked_child);
    lock_local_free(joined);
}

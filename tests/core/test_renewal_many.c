/* SPDX-License-Identifier: MIT
 *
 * Many leases that a background thread renews: how they share requests, and how little they share their fate.
 */
#include <stdio.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "keeper.h"

#define MANY 1000

/* Returns how many requests with a script have reached the server. */
static long long requests(server *s)
{
    return server_calls(s, "evalsha") + server_calls(s, "eval");
}

static held *held_new(size_t count)
{
    return platform_zalloc(count * sizeof(held));
}

/* Checks for `span` ms that every holder believes in its lease, and none for longer than Redis does. */
static void are_kept_for(server *s, held *all, int count, int64_t span)
{
    int64_t start = platform_now();

    while (ms_since(start) < span) {
        for (int i = 0; i < count; i++) {
            held_left(&all[i]);
            CHECK(check_belief(s, all[i].name, &all[i].lease) > 0);
        }
        sleep_ms(5);
    }
}

TEST(renewal_of_a_thousand_leases_takes_few_requests)
{
    SERVER(s, NULL);
    KEEPER(k, s.path);
    held *all = held_new(MANY);
    hold_many(&k, all, MANY, "n", 3000);
    until_renewed(&k, 2 * MANY);
    CHECK_RANGE(5, requests(&s) - MANY, 40 + SLACK / 10);
    are_kept_for(&s, all, MANY, 1);
    let_go_many(&k, all, MANY);
    CHECK_NO_KEY(&s);
    CHECK_INT((int64_t)counts_of(&k).lost_while_held, 0);
    free(all);
}

TEST(renewal_of_leases_that_began_at_different_times_comes_to_share_requests)
{
    SERVER(s, NULL);
    KEEPER(k, s.path);
    held all[60];
    for (int i = 0; i < 60; i++) {
        char name[16];
        snprintf(name, sizeof(name), "n%d", i);
        hold(&k, &all[i], name, 1500);
        sleep_ms(8);
    }
    until_renewed(&k, 60); /* from now on they have met */
    long long before = requests(&s);
    until_renewed(&k, 180);
    CHECK_RANGE(1, requests(&s) - before, 30);
    let_go_many(&k, all, 60);
    CHECK_NO_KEY(&s);
}

TEST(renewal_of_one_lease_is_refused_and_the_others_of_the_request_are_renewed)
{
    SERVER(s, NULL);
    KEEPER(k, s.path);
    held all[20];
    hold_many(&k, all, 20, "n", 2000);
    say(&s, "SET lock:n7 other PX 60000");
    say(&s, "DEL lock:n11 lock:n13");
    say(&s, "RPUSH lock:n13 a list");
    until_renewed(&k, 40);
    for (int i = 0; i < 20; i++) {
        bool lost = i == 7 || i == 11 || i == 13;
        CHECK_INT(held_state(&all[i]), lost ? LOCK_RENEWAL_REFUSED : LOCK_RENEWAL_ON);
        CHECK(lost ? held_left(&all[i]) == 0 : held_left(&all[i]) > 0);
        let_go(&k, &all[i]);
    }
    CHECK_INT((int64_t)counts_of(&k).lost_while_held, 3);
    CHECK_INT((int64_t)counts_of(&k).failures, 0);
    CHECK_TEXT(say(&s, "GET lock:n7"), "other");
    CHECK_TEXT(say(&s, "LRANGE lock:n13 0 -1"), "a list");
}

TEST(renewal_of_a_key_that_is_no_lock_any_more_is_refused)
{
    SERVER(s, NULL);
    KEEPER(k, s.path);
    take_and_keep(&k, "a", 1500);
    say(&s, "DEL lock:a");
    say(&s, "HSET lock:a field value");
    until_over(&k, 5000);
    CHECK_INT(state_of(&k), LOCK_RENEWAL_REFUSED);
    CHECK_TEXT(say(&s, "HGET lock:a field"), "value");
}

TEST(renewal_keeps_short_and_long_leases_side_by_side)
{
    static const int64_t leases[] = {60, 100, 300, 1000, 5000};
    SERVER(s, NULL);
    KEEPER(k, s.path);
    held all[5];
    int64_t start = platform_now();

    for (int i = 0; i < 5; i++) {
        char name[16];
        snprintf(name, sizeof(name), "n%d", i);
        hold(&k, &all[i], name, leases[i]);
    }
    while (ms_since(start) < 1200) {
        for (int i = 0; i < 5; i++) {
            held_left(&all[i]);
            check_belief(&s, all[i].name, &all[i].lease);
        }
        sleep_ms(5);
    }
    for (int i = 0; i < 5; i++) {
        lock_renewal_state state = let_go(&k, &all[i]);
        CHECK(state == LOCK_RENEWAL_ON || (state == LOCK_RENEWAL_ENDED && leases[i] <= 300 + held_up()));
    }
    until_no_key(&s);
    CHECK_NO_KEY(&s);
}

TEST(renewal_of_a_lease_that_is_over_tells_that_at_once)
{
    SERVER(s, NULL);
    KEEPER(k, s.path);
    CHECK_INT(take(&k.c, "a", 2000, 0), LOCK_YES);
    k.c.lease.sent -= MS(2000);
    long long before = requests(&s);
    keep_for(&k, "a", 0);
    until_over(&k, 2000);
    CHECK_INT(state_of(&k), LOCK_RENEWAL_ENDED);
    CHECK_INT(left(&k), 0);
    CHECK_INT(requests(&s), before);
    CHECK_INT(keeper_end(&k), LOCK_RENEWAL_ENDED);
}

TEST(renewal_knows_names_of_any_bytes_and_length)
{
    SERVER(s, NULL);
    KEEPER(k, s.path);
    char bytes[1000];
    rl_bytes names[2] = {{bytes, sizeof(bytes)}, {"a\0}{b\r\n", 8}};
    lock_lease leases[2] = {{0}};
    lock_renewal *renewals[2];
    lock_renewal_terms terms = {.hold_until = PLATFORM_NEVER, .stats = &k.stats};

    for (size_t i = 0; i < sizeof(bytes); i++) {
        bytes[i] = (char)i;
    }
    for (int i = 0; i < 2; i++) {
        CHECK_INT(lock_acquire(&k.c.lock, names[i], NULL, MS(600), 0, &leases[i], NULL, &k.c.error), LOCK_YES);
        renewals[i] = lock_renewal_begin(k.renewer, &k.c.lock, names[i], &leases[i], &terms, &k.c.error);
    }
    until_renewed(&k, 8);
    for (int i = 0; i < 2; i++) {
        CHECK_INT(lock_renewal_end(renewals[i], &k.c.extensions, &leases[i], platform_now() + MS(2000)),
                  LOCK_RENEWAL_ON);
        CHECK(lock_lease_validity(&leases[i], platform_now()) > 0);
        CHECK_INT(lock_release(&k.c.lock, names[i], &leases[i], MS(1000), &k.c.error), LOCK_YES);
        lock_lease_free(&leases[i]);
    }
    CHECK_NO_KEY(&s);
}

/* ---- a server that refuses locks which do not belong together ---- */

/* Opens a socket at this port, 0: at any that is free, and sets `port` to it. Returns false if it is in use. */
static bool try_port(int *port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)*port)};
    socklen_t size = sizeof(address);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    bool is_free = bind(fd, (struct sockaddr *)&address, sizeof(address)) == 0 &&
                   getsockname(fd, (struct sockaddr *)&address, &size) == 0;
    *port = ntohs(address.sin_port);
    close(fd);
    return is_free;
}

/* Starts a cluster of one node. It listens at a port, and at 10000 more than that. */
static void start_cluster(server *s)
{
    char options[128];
    int port, other;

    do {
        port = 0;
    } while (!try_port(&port) || port > 55000 || (other = port + 10000, !try_port(&other)));
    snprintf(options, sizeof(options), "--cluster-enabled yes --bind 127.0.0.1 --port %d", port);
    server_start(s, options);
}

/* Gives the only node all slots. */
static void give_slots(server *s)
{
    int64_t start = platform_now();

    for (int first = 0; first < 16384; first += 512) { /* CLUSTER ADDSLOTSRANGE is unknown before Redis 7 */
        char slots[512 * 6 + 32] = "CLUSTER ADDSLOTS";
        size_t len = strlen(slots);
        for (int i = first; i < first + 512; i++) {
            len += (size_t)snprintf(slots + len, sizeof(slots) - len, " %d", i);
        }
        CHECK_TEXT(say(s, slots), "OK");
    }
    while (strstr(say(s, "CLUSTER INFO"), "cluster_state:ok") == NULL && ms_since(start) < 10000) {
        sleep_ms(5);
    }
    held_up_from_now();
}

/* Returns how many requests the cluster has refused since their keys do not belong together. */
static int64_t refusals(server *s)
{
    const char *count = strstr(say(s, "INFO errorstats"), "errorstat_CROSSSLOT:count=");

    return count != NULL ? strtoll(strchr(count, '=') + 1, NULL, 10) : 0;
}

TEST(renewal_at_a_cluster_goes_on_one_by_one)
{
    CLOSED_BY(server_stop) server s;
    start_cluster(&s);
    KEEPER(k, s.path);
    held all[20];
    give_slots(&s);
    hold_many(&k, all, 20, "n", 3000);
    until_renewed(&k, 60);
    are_kept_for(&s, all, 20, 1);
    uint64_t failures = lock_renewal_counts(k.renewer, &k.stats).failures;
    CHECK_RANGE(1, (int64_t)failures, 40);
    until_renewed(&k, 40);
    CHECK_INT((int64_t)lock_renewal_counts(k.renewer, &k.stats).failures, (int64_t)failures);
    let_go_many(&k, all, 20);
    CHECK_NO_KEY(&s);
}

TEST(renewal_shares_requests_again_after_a_refusal_that_passes)
{
    SERVER(s, NULL);
    KEEPER(k, s.path);
    held all[20];
    hold_many(&k, all, 20, "n", 2000);
    say(&s, "ACL SETUSER default -pexpire");
    sleep_ms(900);
    CHECK(lock_renewal_counts(k.renewer, &k.stats).failures > 0);
    say(&s, "ACL SETUSER default +pexpire");
    until_renewed(&k, 20);
    long long before = requests(&s);
    until_renewed(&k, 40);
    CHECK_RANGE(1, requests(&s) - before, 12);
    let_go_many(&k, all, 20);
}

TEST(renewal_shares_requests_again_after_one_refusal)
{
    SERVER(s, NULL);
    RELAY(r, &s);
    KEEPER(k, r.path);
    held all[100];
    hold_many(&k, all, 100, "n", 3000);
    atomic_store(&r.control->refuse, 1);
    long long before = requests(&s);
    until_renewed(&k, 500);
    CHECK_INT(atomic_load(&r.control->refuse), 0);
    CHECK_RANGE(10, requests(&s) - before, 50 + SLACK / 10);
    CHECK_RANGE(2, (int64_t)counts_of(&k).failures, 100);
    let_go_many(&k, all, 100);
    CHECK_NO_KEY(&s);
}

/* The server says that it is for the keys. A small batch whose keys belong together by chance does not make the next one try
 * all at once. */
TEST(renewal_at_a_cluster_is_refused_once_a_connection)
{
    CLOSED_BY(server_stop) server s;
    start_cluster(&s);
    KEEPER(k, s.path);
    held all[40];
    give_slots(&s);
    for (int i = 0; i < 40; i++) {
        char name[16];
        snprintf(name, sizeof(name), "{%u}%u", (unsigned)i / 4 % 100, (unsigned)i % 100);
        hold(&k, &all[i], name, 3000);
    }
    until_renewed(&k, 120);
    CHECK_INT(refusals(&s), 1);
    say(&s, "CLIENT KILL TYPE normal");
    until_renewed(&k, 120);
    CHECK_INT(refusals(&s), 2);
    let_go_many(&k, all, 40);
    CHECK_NO_KEY(&s);
}

/* ---- many threads ---- */

#define THREADS 8

typedef struct worker {
    lock_renewer *renewer;
    const char *path;
    int number;
} worker;

/* Holds some locks at a time, begins to renew them, reads and ends, all over again. */
static void *work(void *arg)
{
    worker *w = arg;
    keeper k = {.renewer = w->renewer};
    held all[10];
    char name[16];

    client_open(&k.c, w->path);
    snprintf(name, sizeof(name), "t%d-", w->number);
    for (int round = 0; round < 12; round++) {
        hold_many(&k, all, 10, name, round % 3 == 0 ? 150 : 900);
        for (int i = 0; i < 100; i++) {
            held_left(&all[i % 10]);
            lock_renewal_counts(k.renewer, &k.stats);
            lock_renewer_traffic(k.renewer);
            if (i % 20 == 0) {
                sleep_ms(round);
            }
        }
        for (int i = 0; i < 10; i++) {
            let_go(&k, &all[i]);
        }
    }
    client_close(&k.c);
    return NULL;
}

TEST(renewal_serves_many_threads)
{
    SERVER(s, NULL);
    pthread_t threads[THREADS];
    worker workers[THREADS];
    lock_renewer *renewer = lock_renewer_new();

    for (int i = 0; i < THREADS; i++) {
        workers[i] = (worker){renewer, s.path, i};
        threads[i] = thread_start(work, &workers[i]);
    }
    for (int i = 0; i < THREADS; i++) {
        thread_join(threads[i]);
    }
    lock_renewer_free(renewer);
    until_no_key(&s);
    CHECK_NO_KEY(&s);
}

/* Clients with timeouts of their own have their own groups, of which the renewer keeps some when they are idle. */
TEST(renewal_forgets_servers_without_a_lease)
{
    SERVER(s, NULL);
    KEEPER(k, s.path);
    held h;
    for (int i = 0; i < 60; i++) {
        k.c.lock.target.read_timeout = MS(1000) + i;
        hold(&k, &h, "a", 2000);
        if (i % 4 == 0) {
            hold_again(&k, &h);
            until_renewed(&k, 1);
        }
        CHECK_INT(let_go(&k, &h), LOCK_RENEWAL_ON);
    }
    CHECK_NO_KEY(&s);
}

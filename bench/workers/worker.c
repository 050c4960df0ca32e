/* SPDX-License-Identifier: MIT */
/*
 * The limit: what a lock costs if nothing but its two round trips is done. SET NX PX, and EVALSHA of compare-and-delete,
 * by redisCommandArgv() on a blocking context of hiredis. What it is told and what it answers stands in worker.php; of
 * that, it knows `pairs`, with `hold`, the µs to sleep between lock and unlock, which do not count; `names`; and more:
 *
 *     {"do": "ping", servers, count, pause, file}   PING; pause: µs before each; file: ns of each -> {"ns": of all}
 *     {"do": "nodes", servers}                      connects to several, anew
 *     {"do": "majority", name, count, file}         pairs on those: to all at once, until most have answered
 *     {"do": "crowd", first, processes, hold, folder}   as in worker.php, but no server is asked: a baton goes round in shared
 *         memory, first come first served, which is the most that this machine allows
 */
#define _GNU_SOURCE
#include <hiredis/hiredis.h>
#include <linux/futex.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>

static const char release_script[] =
    "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else return 0 end";
static const char token[] = "0123456789abcdef0123456789abcdef";

static char release_sha[41];
static redisContext *redis;
static char connected_to[300];

static _Noreturn void fail(const char *what)
{
    printf("{\"error\": \"%s\"}\n", what);
    exit(1);
}

static int64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

/* Returns how many ns it really took. */
static int64_t sleep_for(long us)
{
    struct timespec time = {us / 1000000, us % 1000000 * 1000};
    int64_t start = now();

    nanosleep(&time, NULL);
    return now() - start;
}

/* The value of a key in a flat JSON object whose strings need no escapes; a list's first string. "" if there is none. */
static const char *value(const char *order, const char *key)
{
    static char found[300];
    char quoted[64];
    const char *at;
    size_t length;

    snprintf(quoted, sizeof quoted, "\"%s\":", key);
    at = strstr(order, quoted);
    if (at == NULL) {
        return "";
    }
    at += strlen(quoted);
    at += strspn(at, " [\"");
    length = strcspn(at, ",\"]}");
    snprintf(found, sizeof found, "%.*s", (int)length, at);
    return found;
}

static redisContext *connection_to(const char *server)
{
    redisContext *context = NULL;
    char host[64];
    int port;
    redisReply *reply;

    if (strncmp(server, "unix://", 7) == 0) {
        context = redisConnectUnix(server + 7);
    } else if (sscanf(server, "redis://%63[^:]:%d", host, &port) == 2) {
        context = redisConnect(host, port);
    } else {
        fail("no such server");
    }
    if (context == NULL || context->err) {
        fail("cannot connect");
    }
    reply = redisCommand(context, "SCRIPT LOAD %s", release_script);
    if (reply == NULL || reply->type != REDIS_REPLY_STRING) {
        fail("cannot load the script");
    }
    snprintf(release_sha, sizeof release_sha, "%s", reply->str);
    freeReplyObject(reply);
    return context;
}

static void connect_to(const char *server)
{
    if (strcmp(server, connected_to) == 0) {
        return;
    }
    snprintf(connected_to, sizeof connected_to, "%s", server);
    if (redis != NULL) {
        redisFree(redis);
    }
    redis = connection_to(server);
}

static void lock(const char *name)
{
    const char *argv[] = {"SET", name, token, "NX", "PX", "30000"};
    const size_t length[] = {3, strlen(name), sizeof token - 1, 2, 2, 5};
    redisReply *reply = redisCommandArgv(redis, 6, argv, length);

    if (reply == NULL || reply->type != REDIS_REPLY_STATUS) {
        fail("could not lock");
    }
    freeReplyObject(reply);
}

static void unlock(const char *name)
{
    const char *argv[] = {"EVALSHA", release_sha, "1", name, token};
    const size_t length[] = {7, 40, 1, strlen(name), sizeof token - 1};
    redisReply *reply = redisCommandArgv(redis, 5, argv, length);

    if (reply == NULL || reply->type != REDIS_REPLY_INTEGER || reply->integer != 1) {
        fail("could not release");
    }
    freeReplyObject(reply);
}

static void ping(void)
{
    const char *argv[] = {"PING"};
    const size_t length[] = {4};
    redisReply *reply = redisCommandArgv(redis, 1, argv, length);

    if (reply == NULL || reply->type != REDIS_REPLY_STATUS) {
        fail("no answer to PING");
    }
    freeReplyObject(reply);
}

static void save(const char *path, const int64_t *times, size_t count)
{
    FILE *file;

    if (*path == '\0') {
        return;
    }
    file = fopen(path, "wb");
    if (file == NULL || fwrite(times, sizeof *times, count, file) != count || fclose(file) != 0) {
        fail("cannot write the times");
    }
}

static void time_pairs(const char *order, void (*take)(const char *name), void (*release)(const char *name))
{
    size_t count = strtoul(value(order, "count"), NULL, 10);
    long hold = atol(value(order, "hold"));
    int64_t *times = calloc(count + 1, sizeof *times);
    char name[64];
    int64_t start, last;

    snprintf(name, sizeof name, "%.60s", value(order, "name"));
    start = last = now();
    for (size_t i = 0; i < count; i++) {
        int64_t time;

        take(name);
        if (hold > 0) {
            last += sleep_for(hold);
        }
        release(name);
        time = now();
        times[i] = time - last;
        last = time;
    }
    save(value(order, "file"), times, count);
    free(times);
    printf("{\"ns\": %lld}\n", (long long)(last - start));
}

static void measure_pairs(const char *order)
{
    time_pairs(order, lock, unlock);
}

static void measure_pings(const char *order)
{
    size_t count = strtoul(value(order, "count"), NULL, 10);
    long pause = atol(value(order, "pause"));
    int64_t *times = calloc(count + 1, sizeof *times);
    int64_t sum = 0;

    for (size_t i = 0; i < count; i++) {
        int64_t start;

        if (pause > 0) {
            sleep_for(pause);
        }
        start = now();
        ping();
        times[i] = now() - start;
        sum += times[i];
    }
    save(value(order, "file"), times, count);
    free(times);
    printf("{\"ns\": %lld}\n", (long long)sum);
}

static void measure_names(const char *order)
{
    size_t count = strtoul(value(order, "count"), NULL, 10);
    char name[32];
    int64_t start = now(), locked;

    for (size_t i = 0; i < count; i++) {
        snprintf(name, sizeof name, "many:%zu", i);
        lock(name);
    }
    locked = now();
    for (size_t i = 0; i < count; i++) {
        snprintf(name, sizeof name, "many:%zu", i);
        unlock(name);
    }
    printf("{\"lock\": %lld, \"unlock\": %lld}\n", (long long)(locked - start), (long long)(now() - locked));
}

/* ---- several servers ---- */

#define NODES_MOST 8

typedef struct node {
    redisContext *context;
    unsigned owed; /* requests that were sent and not answered yet */
} node;

static node nodes[NODES_MOST];
static size_t node_count;

static void connect_to_all(const char *order)
{
    const char *at = strstr(order, "\"servers\":");
    char server[300];

    while (node_count > 0) {
        redisFree(nodes[--node_count].context);
    }
    for (at += strcspn(at, "["); node_count == 0 || *at == ','; node_count++) {
        at += 1 + strspn(at + 1, " \"");
        snprintf(server, sizeof server, "%.*s", (int)strcspn(at, "\""), at);
        at += strlen(server) + 1;
        if (node_count == NODES_MOST) {
            fail("too many servers");
        }
        nodes[node_count] = (node){connection_to(server), 0};
    }
    printf("{\"nodes\": %zu}\n", node_count);
}

static void send_to(node *to, int argc, const char **argv, const size_t *length)
{
    int done = 0;

    redisAppendCommandArgv(to->context, argc, argv, length);
    while (!done) {
        if (redisBufferWrite(to->context, &done) != REDIS_OK) {
            fail("cannot send");
        }
    }
    to->owed++;
}

static void read_from(node *from)
{
    void *reply = NULL;

    if (redisBufferRead(from->context) != REDIS_OK) {
        fail("cannot read");
    }
    while (redisGetReplyFromReader(from->context, &reply) == REDIS_OK && reply != NULL) {
        if (((redisReply *)reply)->type == REDIS_REPLY_ERROR) {
            fail("a server refuses");
        }
        freeReplyObject(reply);
        from->owed--;
    }
}

/* Until so many have answered everything. */
static void await(size_t wanted)
{
    struct pollfd ready[NODES_MOST];

    for (;;) {
        size_t good = 0;
        for (size_t i = 0; i < node_count; i++) {
            good += nodes[i].owed == 0;
            ready[i] = (struct pollfd){nodes[i].context->fd, POLLIN, 0};
        }
        if (good >= wanted) {
            return;
        }
        if (poll(ready, node_count, 5000) <= 0) {
            fail("no majority answers");
        }
        for (size_t i = 0; i < node_count; i++) {
            if (ready[i].revents != 0) {
                read_from(&nodes[i]);
            }
        }
    }
}

static void ask_majority(int argc, const char **argv, const size_t *length)
{
    for (size_t i = 0; i < node_count; i++) {
        send_to(&nodes[i], argc, argv, length);
    }
    await(node_count / 2 + 1);
}

static void lock_most(const char *name)
{
    const char *argv[] = {"SET", name, token, "NX", "PX", "30000"};
    const size_t length[] = {3, strlen(name), sizeof token - 1, 2, 2, 5};

    ask_majority(6, argv, length);
}

static void unlock_most(const char *name)
{
    const char *argv[] = {"EVALSHA", release_sha, "1", name, token};
    const size_t length[] = {7, 40, 1, strlen(name), sizeof token - 1};

    ask_majority(5, argv, length);
}

static void measure_majority(const char *order)
{
    time_pairs(order, lock_most, unlock_most);
}

/* ---- the machine's own limit ---- */

#define TURNS 1024 /* more than there are processes */

/* Each turn has a word of its own, on which only the one sleeps whose turn it is: the number of its turn, plus 1. */
typedef struct baton {
    atomic_uint drawn;
    atomic_uint turns[TURNS];
} baton;

static unsigned take_baton(baton *b)
{
    unsigned turn = atomic_fetch_add(&b->drawn, 1), seen;
    atomic_uint *word = &b->turns[turn % TURNS];

    while ((seen = atomic_load(word)) != turn + 1) {
        syscall(SYS_futex, word, FUTEX_WAIT, seen, NULL, NULL, 0);
    }
    return turn;
}

static void pass_baton(baton *b, unsigned turn)
{
    atomic_uint *word = &b->turns[(turn + 1) % TURNS];

    atomic_store(word, turn + 2);
    if (atomic_load(&b->drawn) != turn + 1) {
        syscall(SYS_futex, word, FUTEX_WAKE, 1, NULL, NULL, 0);
    }
}

typedef struct section {
    int64_t asked, got, released, done;
} section;

/* As visit() in worker.php, to which it writes the same file. */
static void visit(baton *b, const char *file, long hold, int64_t from, int64_t until)
{
    size_t count = 0, room = 1 << 12;
    section *all = malloc(room * sizeof *all);

    sleep_for((long)((from - now()) / 1000) + 1);
    do {
        section one = {.asked = now()};
        unsigned turn = take_baton(b);
        one.got = now();
        if (hold > 0 && one.got < until) {
            sleep_for(hold);
        }
        one.released = now();
        pass_baton(b, turn);
        one.done = now();
        if (count == room) {
            room *= 2;
            all = realloc(all, room * sizeof *all);
        }
        all[count++] = one;
    } while (now() < until);
    save(file, (const int64_t *)all, count * (sizeof *all / sizeof(int64_t)));
}

static void gather_crowd(const char *order)
{
    int first = atoi(value(order, "first")), processes = atoi(value(order, "processes"));
    long hold = atol(value(order, "hold"));
    baton *b = mmap(NULL, sizeof *b, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    char folder[300], file[320], go[200] = "";
    int64_t from, until;

    snprintf(folder, sizeof folder, "%s", value(order, "folder"));
    b->turns[0] = 1;
    printf("{\"ready\": []}\n");
    fflush(stdout);
    if (fgets(go, sizeof go, stdin) == NULL) {
        exit(1);
    }
    from = atoll(value(go, "from"));
    until = atoll(value(go, "until"));
    for (int i = first; i < first + processes; i++) {
        if (fork() == 0) {
            snprintf(file, sizeof file, "%s/%d", folder, i);
            visit(b, file, hold, from, until);
            _exit(0);
        }
    }
    while (wait(NULL) > 0) {
    }
    munmap(b, sizeof *b);
    printf("{\"done\": true}\n");
}

static void follow(const char *order)
{
    static const struct {
        const char *what;
        void (*measure)(const char *order);
        bool on_one;
    } all[] = {{"pairs", measure_pairs, true},   {"names", measure_names, true},        {"ping", measure_pings, true},
               {"nodes", connect_to_all, false}, {"majority", measure_majority, false}, {"crowd", gather_crowd, false}};
    char what[16];

    snprintf(what, sizeof what, "%s", value(order, "do"));
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (strcmp(what, all[i].what) == 0) {
            if (all[i].on_one) {
                connect_to(value(order, "servers"));
            }
            all[i].measure(order);
            return;
        }
    }
    printf("{\"error\": \"the limit knows no %s\"}\n", what);
}

int main(void)
{
    char order[4096];

    while (fgets(order, sizeof order, stdin) != NULL) {
        follow(order);
        fflush(stdout);
    }
    return 0;
}

/* SPDX-License-Identifier: MIT */
/*
 * The limit: what a lock costs if nothing but its two round trips is done. SET NX PX, and EVALSHA of compare-and-delete,
 * by redisCommandArgv() on a blocking context of hiredis. What it is told and what it answers stands in worker.php; of
 * that, it knows `pairs`, with `hold`, the µs to sleep between lock and unlock, which do not count; `names`; and one more:
 *
 *     {"do": "ping", servers, count, pause, file}   PING; pause: µs before each; file: ns of each -> {"ns": of all}
 */
#define _GNU_SOURCE
#include <hiredis/hiredis.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
#include <time.h>

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

/* The value of a key in a flat JSON object whose strings need no escapes; a list's first string. "" where there is none. */
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

static void connect_to(const char *server)
{
    char host[64];
    int port;
    redisReply *reply;

    if (strcmp(server, connected_to) == 0) {
        return;
    }
    snprintf(connected_to, sizeof connected_to, "%s", server);
    if (redis != NULL) {
        redisFree(redis);
    }
    if (strncmp(server, "unix://", 7) == 0) {
        redis = redisConnectUnix(server + 7);
    } else if (sscanf(server, "redis://%63[^:]:%d", host, &port) == 2) {
        redis = redisConnect(host, port);
    } else {
        fail("no such server");
    }
    if (redis == NULL || redis->err) {
        fail("cannot connect");
    }
    reply = redisCommand(redis, "SCRIPT LOAD %s", release_script);
    if (reply == NULL || reply->type != REDIS_REPLY_STRING) {
        fail("cannot load the script");
    }
    snprintf(release_sha, sizeof release_sha, "%s", reply->str);
    freeReplyObject(reply);
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

static void measure_pairs(const char *order)
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

        lock(name);
        if (hold > 0) {
            last += sleep_for(hold);
        }
        unlock(name);
        time = now();
        times[i] = time - last;
        last = time;
    }
    save(value(order, "file"), times, count);
    free(times);
    printf("{\"ns\": %lld}\n", (long long)(last - start));
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

int main(void)
{
    char order[4096];

    while (fgets(order, sizeof order, stdin) != NULL) {
        const char *what;

        connect_to(value(order, "servers"));
        what = value(order, "do");
        if (strcmp(what, "pairs") == 0) {
            measure_pairs(order);
        } else if (strcmp(what, "names") == 0) {
            measure_names(order);
        } else if (strcmp(what, "ping") == 0) {
            measure_pings(order);
        } else {
            printf("{\"error\": \"the limit knows no %s\"}\n", what);
        }
        fflush(stdout);
    }
    return 0;
}

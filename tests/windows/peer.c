/* SPDX-License-Identifier: MIT
 *
 * peer: a process that takes locks by the core alone, as it is told: a line for each call on its standard input, a line for
 * each answer on its standard output. It is built for Windows and for this system, so that it is either side of a scenario: see
 * scenarios.inc. An answer is its outcome, what goes with it (name=number …), and behind a colon a text.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <hiredis/hiredis.h>

#include "lock_core.h"
#include "lock/renewal.h"
#include "lock/renewer.h"
#include "platform/threads.h"

#define MS(n) ((int64_t)(n)*PLATFORM_MSEC)

#define MOST_HELD  64
#define MOST_WORDS 8

/* A lock that is held, or was. */
typedef struct held {
    char name[32]; /* "": the place is free */
    lock_lease lease;
    lock_renewal *renewal; /* NULL: it is not renewed */
} held;

static lock_client client;
static rl_pool pool;
static rl_backlog backlog;
static rl_endpoint endpoint;
static lock_extensions extensions;
static lock_stats stats;
static lock_renewal_stats renewal_stats;
static lock_renewer *renewer;
static held all_held[MOST_HELD];
static volatile int64_t
    notified; /* how often on_notice was called: by the renewing thread, and here it is only shown */

static const char *outcome_word(lock_outcome outcome)
{
    static const char *const words[] = {"yes", "busy", "not-owned", "late", "failed", "interrupted"};

    return words[outcome];
}

static rl_bytes bytes(const char *text)
{
    return (rl_bytes){text, strlen(text)};
}

static int64_t ms_since(int64_t start)
{
    return (platform_now() - start) / PLATFORM_MSEC;
}

static void broken(const char *why)
{
    printf("broken : %s\n", why);
    fflush(stdout);
    exit(3);
}

/* Returns the lock of that name, or a free place for it. */
static held *find(const char *name)
{
    held *place = NULL;

    for (int i = 0; i < MOST_HELD; i++) {
        if (strcmp(all_held[i].name, name) == 0) {
            return &all_held[i];
        }
        if (place == NULL && all_held[i].name[0] == '\0') {
            place = &all_held[i];
        }
    }
    if (place == NULL || strlen(name) >= sizeof(place->name)) {
        broken("too many locks, or too long a name");
    }
    strcpy(place->name, name);
    return place;
}

/* ---- a client ---- */

static void close_client(void)
{
    for (int i = 0; i < MOST_HELD; i++) {
        if (all_held[i].renewal != NULL) {
            lock_renewal_end(all_held[i].renewal, &extensions, &all_held[i].lease, platform_now() + MS(100));
        }
        lock_lease_free(&all_held[i].lease);
    }
    memset(all_held, 0, sizeof(all_held));
    rl_pool_clear(&pool);
    rl_backlog_free(&backlog);
    rl_endpoint_free(&endpoint);
    memset(&endpoint, 0, sizeof(endpoint));
}

/* open DSN CONNECT-MS READ-MS */
static void open_client(char **words)
{
    char why[128];

    close_client();
    if (!rl_endpoint_parse(&endpoint, words[1], strlen(words[1]), why, sizeof(why))) {
        memset(&endpoint, 0, sizeof(endpoint));
        printf("bad : %s\n", why);
        return;
    }
    pool.backlog = &backlog;
    client = (lock_client){
        .target = {.pool = &pool,
                   .endpoints = &endpoint,
                   .count = 1,
                   .connect_timeout = MS(atoi(words[2])),
                   .read_timeout = MS(atoi(words[3])),
                   .node_timeout = MS(200)},
        .prefix = {"lock:", 5},
        .retry_interval = MS(100),
        .fencing = true,
        .extensions = &extensions,
        .stats = &stats,
    };
    printf("ok\n");
}

/* ---- calls ---- */

static void tell(lock_outcome outcome, int64_t start, const held *h, const rl_error *error)
{
    printf("%s ms=%" PRId64 " kind=%d fence=%" PRId64 " lasts=%" PRId64 " : %s\n", outcome_word(outcome),
           ms_since(start), (int)error->kind, h->lease.fence, h->lease.duration / PLATFORM_MSEC,
           error->kind == RL_OK ? "" : error->text);
}

static lock_outcome take(held *h, int64_t lease, int64_t wait, rl_error *error)
{
    lock_lease_free(&h->lease);
    memset(&h->lease, 0, sizeof(h->lease));
    return lock_acquire(&client, bytes(h->name), NULL, MS(lease), MS(wait), &h->lease, NULL, error);
}

static lock_outcome drop(held *h, rl_error *error)
{
    return lock_release(&client, bytes(h->name), &h->lease, lock_budget(&client), error);
}

/* take NAME LEASE-MS WAIT-MS */
static void take_it(char **words)
{
    int64_t start = platform_now();
    rl_error error = {.kind = RL_OK};
    held *h = find(words[1]);

    tell(take(h, strtoll(words[2], NULL, 10), strtoll(words[3], NULL, 10), &error), start, h, &error);
}

/* drop NAME */
static void drop_it(char **words)
{
    int64_t start = platform_now();
    rl_error error = {.kind = RL_OK};
    held *h = find(words[1]);

    tell(drop(h, &error), start, h, &error);
}

/* extend NAME LEASE-MS */
static void extend_it(char **words)
{
    int64_t start = platform_now();
    rl_error error = {.kind = RL_OK};
    held *h = find(words[1]);

    tell(lock_extend(&client, bytes(h->name), &h->lease, MS(strtoll(words[2], NULL, 10)), lock_budget(&client), &error),
         start, h, &error);
}

/* owed: how many releases failed that are still to be sent. */
static void tell_owed(char **words)
{
    (void)words;
    printf("owed count=%d\n", (int)backlog.count);
}

/* ---- renewal ---- */

static void note_notice(void *arg)
{
    (void)arg;
    notified++;
}

static void begin_renewal(held *h)
{
    lock_renewal_terms terms = {
        .hold_until = PLATFORM_NEVER, .stats = &renewal_stats, .margin = MS(50), .on_notice = note_notice};
    rl_error error = {.kind = RL_OK};

    h->renewal = lock_renewal_begin(renewer, &client, bytes(h->name), &h->lease, &terms, &error);
    if (h->renewal == NULL) {
        broken(error.text);
    }
}

static const char *state_word(lock_renewal_state state)
{
    static const char *const words[] = {"on", "refused", "ended", "broken", "too-long"};

    return words[state];
}

/* renew NAME */
static void renew_it(char **words)
{
    begin_renewal(find(words[1]));
    printf("ok\n");
}

/* state NAME: what became of its renewal, without waiting. */
static void tell_state(char **words)
{
    held *h = find(words[1]);
    int64_t now = platform_now();
    lock_renewal_state state = lock_renewal_read(h->renewal, &h->lease, now);
    lock_renewal_stats counts = lock_renewal_counts(renewer, &renewal_stats);

    printf("%s left=%" PRId64 " renewed=%" PRIu64 " failures=%" PRIu64 " notified=%" PRId64 "\n", state_word(state),
           lock_lease_validity(&h->lease, now) / PLATFORM_MSEC, counts.renewed, counts.failures, (int64_t)notified);
}

/* end NAME MOST-MS: ends its renewal, and waits so long at most for an answer that is under way. */
static void end_it(char **words)
{
    held *h = find(words[1]);
    int64_t start = platform_now();
    lock_renewal_state state = lock_renewal_end(h->renewal, &extensions, &h->lease, start + MS(atoi(words[2])));

    h->renewal = NULL;
    printf("%s ms=%" PRId64 "\n", state_word(state), ms_since(start));
}

/* Gives a renewed lock back and takes it again, unless it was lost meanwhile: then prints so, and returns false. */
static bool take_anew(held *h, int64_t lease, int turn)
{
    rl_error error = {.kind = RL_OK};
    lock_outcome outcome = LOCK_YES;

    if (h->renewal != NULL) {
        lock_renewal_state state = lock_renewal_end(h->renewal, &extensions, &h->lease, platform_now() + MS(2000));
        h->renewal = NULL;
        outcome = state == LOCK_RENEWAL_ON ? drop(h, &error) : LOCK_NOT_OWNED;
    }
    if (outcome == LOCK_YES) {
        outcome = take(h, lease, 0, &error);
    }
    if (outcome != LOCK_YES) {
        printf("%s turns=%d : %s, %s\n", outcome_word(outcome), turn, h->name, error.text);
        return false;
    }
    begin_renewal(h);
    return true;
}

/* churn LEASE-MS FOR-MS: holds as many renewed locks as there are places. Takes every other one anew all the time, so that this
 * thread and the renewing one change what they share; the others are renewed. */
static void churn(char **words)
{
    int64_t lease = atoi(words[1]), until = platform_now() + MS(atoi(words[2]));
    int turn = 0;

    for (; turn < MOST_HELD || platform_now() < until; turn++) {
        char name[32];
        int place = turn < MOST_HELD ? turn : turn * 2 % MOST_HELD;
        snprintf(name, sizeof(name), "churn%d", place);
        if (!take_anew(find(name), lease, turn)) {
            return;
        }
    }
    for (int i = 0; i < MOST_HELD; i++) {
        if (lock_renewal_read(all_held[i].renewal, &all_held[i].lease, platform_now()) != LOCK_RENEWAL_ON) {
            printf("lost turns=%d : %s\n", turn, all_held[i].name);
            return;
        }
    }
    printf("ok turns=%d renewed=%" PRIu64 "\n", turn, lock_renewal_counts(renewer, &renewal_stats).renewed);
}

/* ---- threads ---- */

#define THREADS 4

/* Watches leases and ends that again for so many ms, with nothing to wait for. Several of these and the renewing thread change
 * what they share at the same time. */
static void *watch_leases(void *arg)
{
    int64_t until = platform_now() + MS(*(int *)arg);
    lock_renewal_terms terms = {
        .hold_until = PLATFORM_NEVER, .stats = &renewal_stats, .margin = MS(5), .on_notice = note_notice};
    lock_renewal *watched[16] = {NULL};
    lock_lease leases[16];
    lock_extensions own = {0};
    rl_error error = {.kind = RL_OK};

    for (unsigned turn = 0; platform_now() < until; turn++) {
        unsigned i = turn % 16;
        if (watched[i] != NULL) {
            lock_renewal_end(watched[i], &own, &leases[i], until);
            lock_lease_free(&leases[i]);
        }
        memset(&leases[i], 0, sizeof(leases[i]));
        lock_lease_fill(&leases[i], bytes("token"), platform_now(), platform_now(), MS(10 + turn * 7 % 200), 0);
        watched[i] = lock_renewal_watch(renewer, &leases[i], &terms, &error);
        if (watched[i] == NULL) {
            broken(error.text);
        }
    }
    for (unsigned i = 0; i < 16; i++) {
        if (watched[i] != NULL) {
            lock_renewal_end(watched[i], &own, &leases[i], until);
            lock_lease_free(&leases[i]);
        }
    }
    return NULL;
}

/* threads FOR-MS */
static void run_threads(char **words)
{
    threads_thread threads[THREADS];
    int ms = atoi(words[1]);

    for (int i = 0; i < THREADS; i++) {
        if (threads_start(&threads[i], watch_leases, &ms) != 0) {
            broken("no thread");
        }
    }
    for (int i = 0; i < THREADS; i++) {
        threads_join(threads[i]);
    }
    printf("ok notified=%" PRId64 "\n", (int64_t)notified);
}

/* ---- contention ---- */

/* The reply to the next command that was appended, as a number. */
static long long raw_number(redisContext *raw)
{
    void *reply = NULL;

    if (redisGetReply(raw, &reply) != REDIS_OK || ((redisReply *)reply)->type == REDIS_REPLY_ERROR) {
        broken(raw->err != 0 ? raw->errstr : ((redisReply *)reply)->str);
    }
    redisReply *it = reply;
    long long number = it->type == REDIS_REPLY_STRING ? strtoll(it->str, NULL, 10) : it->integer;
    freeReplyObject(reply);
    return number;
}

/* Adds one to a number in Redis by GET and SET, which two at once would spoil, and notes when it enters and leaves. */
static void section(redisContext *raw, long long fence)
{
    redisAppendCommand(raw, "RPUSH log enter:%lld", fence);
    redisAppendCommand(raw, "GET counter");
    raw_number(raw);
    long long number = raw_number(raw);
    redisAppendCommand(raw, "SET counter %lld", number + 1);
    redisAppendCommand(raw, "RPUSH log leave:%lld", fence);
    raw_number(raw);
    raw_number(raw);
}

/* contend NAME SECTIONS: over a second connection, so many sections under the lock. */
static void contend(char **words)
{
    held *h = find(words[1]);
    int sections = atoi(words[2]);
    int64_t start = platform_now(), longest = 0;
    rl_error error = {.kind = RL_OK};
    redisContext *raw = redisConnect(endpoint.host, endpoint.port);

    if (raw == NULL || raw->err != 0) {
        broken(raw == NULL ? "no memory" : raw->errstr);
    }
    for (int i = 0; i < sections; i++) {
        int64_t asked = platform_now();
        lock_outcome outcome = take(h, 30000, 60000, &error);
        longest = platform_later(longest, ms_since(asked));
        if (outcome == LOCK_YES) {
            section(raw, h->lease.fence);
            outcome = drop(h, &error);
        }
        if (outcome != LOCK_YES) {
            printf("%s sections=%d : %s\n", outcome_word(outcome), i, error.text);
            return;
        }
    }
    redisFree(raw);
    printf("yes sections=%d ms=%" PRId64 " longest=%" PRId64 "\n", sections, ms_since(start), longest);
}

/* ---- the clock ---- */

/* clock FOR-MS: looks at it all the time. */
static void look_at_clock(char **words)
{
    int64_t start = platform_now(), until = start + MS(atoi(words[1])), last = start, least = INT64_MAX, steps = 0,
            back = 0;

    while (last < until) {
        int64_t now = platform_now();
        if (now < last) {
            back++;
        } else if (now > last) {
            least = platform_earlier(least, now - last);
            steps++;
        }
        last = now;
    }
    printf("clock us=%" PRId64 " least=%" PRId64 " steps=%" PRId64 " back=%" PRId64 " wall=%" PRId64 "\n", last, least,
           steps, back, platform_wall());
}

/* ---- what is asked ---- */

static const struct {
    const char *word;
    int more; /* words behind it */
    void (*run)(char **words);
} commands[] = {
    {"open", 3, open_client}, {"take", 3, take_it},    {"drop", 1, drop_it},        {"extend", 2, extend_it},
    {"owed", 0, tell_owed},   {"renew", 1, renew_it},  {"state", 1, tell_state},    {"end", 2, end_it},
    {"churn", 2, churn},      {"contend", 2, contend}, {"clock", 1, look_at_clock}, {"threads", 1, run_threads},
};

static void run_line(char *line)
{
    char *words[MOST_WORDS] = {0};
    int count = 0;

    for (char *word = strtok(line, " \r\n"); word != NULL && count < MOST_WORDS; word = strtok(NULL, " \r\n")) {
        words[count++] = word;
    }
    for (size_t i = 0; count > 0 && i < sizeof(commands) / sizeof(*commands); i++) {
        if (strcmp(words[0], commands[i].word) == 0 && count == 1 + commands[i].more) {
            commands[i].run(words);
            fflush(stdout);
            return;
        }
    }
    broken("no such call");
}

int main(void)
{
    char line[512];

    renewer = lock_renewer_new();
    printf("ready\n");
    fflush(stdout);
    while (fgets(line, sizeof(line), stdin) != NULL) {
        run_line(line);
    }
    close_client();
    lock_renewer_free(renewer);
    return 0;
}

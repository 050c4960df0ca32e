/* SPDX-License-Identifier: MIT
 *
 * The queue: entering, taking, settling and waiting; and servers that send nonsense.
 */
#include "bed.h"

#include <stdio.h>

#include "queue/queue.h"
#include "queue/op.h"
#include "queue/keys.h"

typedef struct queue {
    server s; /* pid 0: it has no server of its own */
    client c; /* of which the pool and the endpoint are used */
    queue_client q;
    queue_caller caller;
    queue_tasks tasks;
    rl_error error;
} queue;

static void queue_reach(queue *u, const char *dsn)
{
    u->s.pid = 0;
    client_open_dsn(&u->c, dsn);
    u->caller = (queue_caller){.process = 0};
    u->q = (queue_client){
        .target = {.pool = &u->c.pool,
                   .endpoints = &u->c.endpoint,
                   .count = 1,
                   .connect_timeout = MS(5000),
                   .read_timeout = MS(5000)},
        .caller = &u->caller,
        .prefix = BYTES("queue:"),
        .max_attempts = 2,
    };
    memset(&u->tasks, 0, sizeof(u->tasks));
}

static void queue_open(queue *u)
{
    char dsn[128];

    server s;

    server_start(&s, NULL);
    snprintf(dsn, sizeof(dsn), "unix://%s", s.path);
    queue_reach(u, dsn);
    u->s = s;
}

static void queue_close(queue *u)
{
    queue_tasks_free(&u->tasks);
    client_close(&u->c);
    if (u->s.pid != 0) {
        server_stop(&u->s);
    }
}

#define QUEUE(u)                                                                                                       \
    CLOSED_BY(queue_close) queue u;                                                                                    \
    queue_open(&(u))

static queue_outcome enter(queue *u, const char *id, int64_t delay_ms)
{
    rl_bytes bytes = BYTES(id);

    return queue_enqueue(&u->q, BYTES("x"), &bytes, 1, MS(delay_ms), true, MS(2000), &u->error);
}

/* Waits until the server has no keys but receipts, which stay for a while. 5 s at most. */
static void until_only_receipts(queue *u)
{
    int64_t start = platform_now();

    while (strcmp(say(&u->s, "KEYS *:rq:call:*"), say(&u->s, "KEYS *")) != 0 && ms_since(start) < 5000) {
        sleep_ms(5);
    }
    CHECK_TEXT(say(&u->s, "KEYS *:rq:call:*"), say(&u->s, "KEYS *"));
}

static queue_outcome take_some(queue *u, size_t count, int64_t visibility_ms, int64_t timeout_ms)
{
    queue_take_params order = {.count = count, .visibility = MS(visibility_ms), .timeout = MS(timeout_ms)};

    queue_tasks_free(&u->tasks);
    return queue_take(&u->q, BYTES("x"), &order, &u->tasks, &u->error);
}

static bool took(const queue *u, size_t i, const char *id)
{
    rl_bytes is = i < u->tasks.count ? u->tasks.at[i].id : (rl_bytes){"", 0};

    return is.len == strlen(id) && memcmp(is.at, id, is.len) == 0;
}

static queue_outcome settle(queue *u, queue_disposition disposition, int64_t ms)
{
    const queue_task *task = &u->tasks.at[0];

    return queue_settle(&u->q, BYTES("x"), disposition, task->id, BYTES(task->receipt), MS(ms), &u->error);
}

TEST(queue_keys_share_the_slot)
{
    static const struct {
        const char *name, *queue, *wake;
    } cases[] = {
        {"a", "q:a", "{q:a}:rq:wake"},
        {"{a}b", "q:{a}b", "q:{a}b:rq:wake"},
        {"a{", "q:a{", "{q:a{}:rq:wake"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        queue_keys keys;
        char text[64];
        queue_keys_init(&keys, BYTES("q:"), BYTES(cases[i].name));
        snprintf(text, sizeof(text), "%.*s", (int)keys.all[0].len, keys.all[0].at);
        CHECK_TEXT(text, cases[i].queue);
        snprintf(text, sizeof(text), "%.*s", (int)queue_keys_wake(&keys).len, queue_keys_wake(&keys).at);
        CHECK_TEXT(text, cases[i].wake);
        queue_keys_free(&keys);
    }
    CHECK(queue_name_is_reserved(BYTES("x:rq:wake")));
    CHECK(queue_name_is_reserved(BYTES(":rq:tag:reserved")));
    CHECK(!queue_name_is_reserved(BYTES("rq:wake")));
    CHECK(!queue_name_is_reserved(BYTES("wake")));
    CHECK(!queue_name_is_reserved(BYTES("x:rl:wake")));
}

TEST(queue_pops_in_order_once)
{
    QUEUE(u);
    CHECK_INT(take_some(&u, 1, 0, 0), QUEUE_NO);
    CHECK_INT(enter(&u, "a", 0), QUEUE_YES);
    CHECK_INT(enter(&u, "b", 0), QUEUE_YES);
    CHECK_INT(take_some(&u, 10, 0, 0), QUEUE_YES);
    CHECK_INT((int64_t)u.tasks.count, 2);
    CHECK(took(&u, 0, "a") && took(&u, 1, "b"));
    CHECK_TEXT(u.tasks.at[0].receipt, "");
    CHECK_INT(take_some(&u, 1, 0, 0), QUEUE_NO);
}

TEST(queue_dequeues_by_the_exact_score)
{
    QUEUE(u);
    enter(&u, "a", 0);
    CHECK_INT(queue_top(&u.q, BYTES("x"), 1, &u.tasks, &u.error), QUEUE_YES);
    double score = u.tasks.at[0].score;
    CHECK_INT(queue_dequeue(&u.q, BYTES("x"), BYTES("a"), score + 1e-6, MS(1000), &u.error), QUEUE_NO);
    CHECK_INT(queue_dequeue(&u.q, BYTES("x"), BYTES("a"), score, MS(1000), &u.error), QUEUE_YES);
    CHECK_INT(queue_dequeue(&u.q, BYTES("x"), BYTES("a"), score, MS(1000), &u.error), QUEUE_NO);
}

TEST(queue_reserves_and_settles)
{
    queue_counts counts;
    int64_t moved;

    QUEUE(u);
    enter(&u, "a", 0);
    CHECK_INT(take_some(&u, 1, 10000, 0), QUEUE_YES);
    CHECK_INT(u.tasks.at[0].attempts, 1);
    CHECK_INT(settle(&u, QUEUE_TOUCH, 20000), QUEUE_YES);
    CHECK_INT(settle(&u, QUEUE_RELEASE, 0), QUEUE_YES);
    CHECK_INT(settle(&u, QUEUE_ACK, 0), QUEUE_NO);
    CHECK_INT(take_some(&u, 1, 10000, 0), QUEUE_YES);
    CHECK_INT(u.tasks.at[0].attempts, 2);
    CHECK_INT(settle(&u, QUEUE_RELEASE, 0), QUEUE_YES); /* max_attempts: dead */
    CHECK_INT(queue_stats(&u.q, BYTES("x"), &counts, &u.error), QUEUE_YES);
    CHECK_INT(counts.dead, 1);
    CHECK_INT(counts.due + counts.delayed + counts.reserved, 0);
    queue_tasks_free(&u.tasks);
    CHECK_INT(queue_dead(&u.q, BYTES("x"), 10, &u.tasks, &u.error), QUEUE_YES);
    CHECK_INT(u.tasks.at[0].attempts, 2);
    CHECK_INT(queue_requeue(&u.q, BYTES("x"), NULL, 0, &moved, &u.error), QUEUE_YES);
    CHECK_INT(moved, 1);
    CHECK_INT(take_some(&u, 1, 10000, 0), QUEUE_YES);
    CHECK_INT(settle(&u, QUEUE_ACK, 0), QUEUE_YES);
    until_only_receipts(&u);
}

TEST(queue_waits_for_what_is_delayed)
{
    QUEUE(u);
    int64_t start = platform_now(); // before the server takes the time
    enter(&u, "a", 150);
    CHECK_INT(take_some(&u, 1, 0, 10000), QUEUE_YES);
    CHECK_RANGE(150 - 1, ms_since(start), 150 + 10 * SLACK);
    start = platform_now();
    CHECK_INT(take_some(&u, 1, 0, 100), QUEUE_NO);
    CHECK_RANGE(100, ms_since(start), 100 + 10 * SLACK);
}

/* Wakes a worker again and again without a task, and then with one. */
static void wake_often(void *arg)
{
    server *s = arg;

    s->raw = redisConnectUnix(s->path); /* not the parent's */
    for (int i = 0; i < 20; i++) {
        say(s, "RPUSH {queue:x}:rq:wake 1");
        sleep_ms(10);
    }
    say(s, "ZADD queue:x 1 a");
    say(s, "RPUSH {queue:x}:rq:wake 1");
}

TEST(queue_wait_keeps_no_answer_without_a_task)
{
    QUEUE(u);
    pid_t pid = process_start(wake_often, &u.s);
    CHECK_INT(take_some(&u, 1, 0, 20000), QUEUE_YES);
    CHECK_INT((int64_t)u.tasks.reply_count, 1);
    process_join(pid);
}

TEST(queue_wait_gets_what_a_dead_worker_leaves)
{
    QUEUE(u);
    enter(&u, "a", 0);
    CHECK_INT(take_some(&u, 1, 100, 0), QUEUE_YES);
    CHECK_INT(take_some(&u, 1, 100, 10000), QUEUE_YES);
    CHECK_INT(u.tasks.at[0].attempts, 2);
}

static bool ends_at_once(void *arg)
{
    (void)arg;
    return true;
}

TEST(queue_wait_ends_by_the_hook_and_leaves_nothing)
{
    QUEUE(u);
    u.q.target.hook = (rl_hook){.interrupted = ends_at_once, .arg = NULL};
    CHECK_INT(take_some(&u, 1, 0, 10000), QUEUE_INTERRUPTED);
    until_no_key(&u.s);
    u.q.target.hook = (rl_hook){.interrupted = NULL, .arg = NULL};
    enter(&u, "a", 0);
    CHECK_INT(take_some(&u, 1, 0, 10000), QUEUE_YES);
}

enum { MANY = 2500 };

TEST(queue_of_many_ids_goes_in_portions)
{
    queue u;
    rl_bytes *ids = platform_alloc(MANY * sizeof(*ids));
    char(*text)[8] = platform_alloc(MANY * sizeof(*text));

    queue_open(&u);
    for (int i = 0; i < MANY; i++) {
        ids[i] = (rl_bytes){text[i], (size_t)snprintf(text[i], sizeof(text[i]), "%d", i)};
    }
    CHECK_INT(queue_enqueue(&u.q, BYTES("x"), ids, MANY, 0, true, MS(5000), &u.error), QUEUE_YES);
    CHECK_INT(queue_enqueue(&u.q, BYTES("x"), ids, MANY, 0, false, MS(5000), &u.error), QUEUE_NO);
    CHECK_INT(take_some(&u, QUEUE_MOST, 10000, 1000), QUEUE_YES);
    CHECK_INT((int64_t)u.tasks.count, MANY);
    for (int i = 0; i < MANY; i++) {
        CHECK(took(&u, (size_t)i, text[i]));
        CHECK(i == 0 || strcmp(u.tasks.at[i].receipt, u.tasks.at[i - 1].receipt) != 0);
    }
    CHECK_INT(settle(&u, QUEUE_ACK, 0), QUEUE_YES);
    queue_close(&u);
    free(ids);
    free(text);
}

TEST(queue_repeats_what_may_be_repeated)
{
    queue u, w;
    relay r;
    char dsn[128];

    queue_open(&u);
    relay_start(&r, &u.s);
    snprintf(dsn, sizeof(dsn), "unix://%s", r.path);
    queue_reach(&w, dsn);
    CHECK_INT(enter(&w, "a", 0), QUEUE_YES);
    CHECK_INT(enter(&w, "b", 0), QUEUE_YES);
    atomic_store(&r.control->swallow, 1);
    CHECK_INT(enter(&w, "c", 0), QUEUE_YES);
    CHECK_INT(atomic_load(&r.control->swallowed), 1);
    CHECK_INT(take_some(&w, 1, 10000, 0), QUEUE_YES);
    CHECK_INT(settle(&w, QUEUE_TOUCH, 10000), QUEUE_YES); /* the server knows the script from now on */
    atomic_store(&r.control->swallow, 1);
    CHECK_INT(settle(&w, QUEUE_ACK, 0), QUEUE_FAILED); /* done at first; the 0 of the repeat does not say so */
    CHECK_INT(w.error.kind, RL_LOST);
    atomic_store(&r.control->swallow, 1);
    CHECK_INT(take_some(&w, 1, 0, 5000), QUEUE_FAILED); /* one task was popped, and is lost with the answer */
    CHECK_INT(take_some(&w, 10, 0, 0), QUEUE_YES);
    CHECK_INT((int64_t)w.tasks.count, 1);
    relay_stop(&r);
    queue_close(&w);
    queue_close(&u);
}

TEST(queue_enters_once_what_is_sent_twice)
{
    queue u, w;
    relay r;
    char dsn[128];
    rl_bytes ids[] = {BYTES("a"), BYTES("b")};
    queue_counts counts;

    queue_open(&u);
    relay_start(&r, &u.s);
    snprintf(dsn, sizeof(dsn), "unix://%s", r.path);
    queue_reach(&w, dsn);
    CHECK_INT(enter(&w, "warm", 0), QUEUE_YES); /* the server knows the script from now on */
    atomic_store(&r.control->swallow, 1);
    CHECK_INT(queue_enqueue(&w.q, BYTES("x"), ids, 2, 0, false, MS(2000), &w.error), QUEUE_YES); /* not QUEUE_NO */
    CHECK_INT(atomic_load(&r.control->swallowed), 1);
    CHECK_INT(queue_stats(&u.q, BYTES("x"), &counts, &u.error), QUEUE_YES);
    CHECK_INT(counts.due, 3);
    relay_stop(&r);
    queue_close(&w);
    queue_close(&u);
}

TEST(queue_puts_back_what_cannot_be_delivered)
{
    QUEUE(u);
    enter(&u, "a", 0);
    CHECK_INT(take_some(&u, 1, 10000, 0), QUEUE_YES);
    CHECK_INT(settle(&u, QUEUE_RELEASE, 0), QUEUE_YES); /* now it has one attempt */
    enter(&u, "b", 0);
    enter(&u, "c", 0);
    CHECK_INT(take_some(&u, 3, 0, 0), QUEUE_YES);
    CHECK(took(&u, 0, "a") && took(&u, 1, "b") && took(&u, 2, "c"));
    double score = u.tasks.at[0].score;
    enter(&u, "b", 0); /* anew, so that it is now behind the others */
    CHECK_INT(queue_put_back(&u.q, BYTES("x"), &u.tasks, &u.error), QUEUE_YES);
    CHECK_INT(queue_put_back(&u.q, BYTES("x"), &u.tasks, &u.error), QUEUE_NO);
    CHECK_INT(take_some(&u, 10, 10000, 0), QUEUE_YES);
    CHECK_INT((int64_t)u.tasks.count, 3);
    CHECK(took(&u, 0, "a") && took(&u, 1, "c") && took(&u, 2, "b"));
    CHECK(u.tasks.at[0].score == score);
    CHECK_INT(u.tasks.at[0].attempts, 2);
    CHECK_INT(u.tasks.at[1].attempts, 1);
}

TEST(queue_puts_back_nothing_that_is_dead_by_now)
{
    queue_counts counts;
    queue_tasks popped;
    QUEUE(u);
    enter(&u, "a", 0);
    CHECK_INT(take_some(&u, 1, 0, 0), QUEUE_YES);
    popped = u.tasks;
    memset(&u.tasks, 0, sizeof(u.tasks));
    enter(&u, "a", 0); /* anew; and it fails as often as it may */
    for (int i = 0; i < 2; i++) {
        CHECK_INT(take_some(&u, 1, 10000, 0), QUEUE_YES);
        CHECK_INT(settle(&u, QUEUE_RELEASE, 0), QUEUE_YES);
    }
    CHECK_INT(queue_put_back(&u.q, BYTES("x"), &popped, &u.error), QUEUE_NO);
    queue_tasks_free(&popped);
    CHECK_INT(queue_stats(&u.q, BYTES("x"), &counts, &u.error), QUEUE_YES);
    CHECK_INT(counts.dead, 1);
    CHECK_INT(counts.due, 0);
}

/* For what another process does while a worker waits over the relay's first connection. */
typedef struct meanwhile {
    server *s;
    relay *r;
} meanwhile;

static void hold_and_enter(void *arg)
{
    const meanwhile *m = arg;
    char dsn[128];
    queue u;

    m->s->raw = redisConnectUnix(m->s->path); /* not the parent's */
    while (strstr(say(m->s, "INFO clients"), "blocked_clients:1") == NULL) {
        sleep_ms(5);
    }
    atomic_store(&m->r->control->hold, 1);
    snprintf(dsn, sizeof(dsn), "unix://%s", m->s->path);
    queue_reach(&u, dsn);
    CHECK_INT(enter(&u, "a", 0), QUEUE_YES);
    queue_close(&u);
}

/* The worker is woken, and the question that it then sends arrives after it has gone. */
static void ask_too_late(int64_t visibility, queue_outcome wanted)
{
    queue u, w;
    relay r;
    char dsn[128];

    queue_open(&u);
    relay_start(&r, &u.s);
    snprintf(dsn, sizeof(dsn), "unix://%s", r.path);
    queue_reach(&w, dsn);
    CHECK_INT(take_some(&w, 1, visibility, 0), QUEUE_NO); /* the server knows the script from now on */
    pid_t pid = process_start(hold_and_enter, &(meanwhile){&u.s, &r});
    int64_t start = platform_now();
    CHECK_INT(take_some(&w, 1, visibility, 800), wanted);
    CHECK_RANGE(800, ms_since(start), 800 + 50 + SLACK);
    process_join(pid);
    long long asked = server_calls(&u.s, "evalsha");
    atomic_store(&r.control->hold, 0);
    while (server_calls(&u.s, "evalsha") == asked) {
        sleep_ms(5);
    }
    CHECK_INT(take_some(&u, 1, 10000, 0), QUEUE_YES);
    CHECK_INT(u.tasks.at[0].attempts, 1);
    relay_stop(&r);
    queue_close(&w);
    queue_close(&u);
}

TEST(queue_pop_that_is_late_takes_nothing)
{
    ask_too_late(0, QUEUE_FAILED); /* for all the worker knows, the pop was carried out in time */
}

TEST(queue_reservation_that_is_late_takes_nothing)
{
    ask_too_late(10000, QUEUE_NO);
}

TEST(queue_requeue_of_all_has_an_end)
{
    /* The answers are those of a server on which tasks die as fast as they are made due. */
    static const lie lies[] = {LIE("*2\r\n:1000\r\n:2000\r\n", LIE_SEND)};
    liar l;
    queue u;
    int64_t moved;

    liar_start(&l, false, lies, 1);
    queue_reach(&u, l.dsn);
    CHECK_INT(queue_requeue(&u.q, BYTES("x"), NULL, 0, &moved, &u.error), QUEUE_YES);
    CHECK_INT(moved, 3000);
    u.q.target.hook = (rl_hook){.interrupted = ends_at_once, .arg = NULL};
    CHECK_INT(queue_requeue(&u.q, BYTES("x"), NULL, 0, &moved, &u.error), QUEUE_INTERRUPTED);
    CHECK_INT(moved, 1000);
    queue_close(&u);
    liar_stop(&l);
}

/* Checks that every call fails at a server that answers all requests with these bytes. */
static void against(const char *bytes, size_t len)
{
    lie lies[] = {{bytes, len, LIE_SEND}};
    rl_bytes ids[] = {BYTES("a"), BYTES("b")};
    liar l;
    queue u;
    queue_counts counts;
    int64_t moved;

    liar_start(&l, false, lies, 1);
    queue_reach(&u, l.dsn);
    u.q.target.read_timeout = u.q.target.connect_timeout = MS(100);
    CHECK_INT(queue_enqueue(&u.q, BYTES("x"), ids, 2, 0, true, MS(100), &u.error), QUEUE_FAILED);
    CHECK_INT(queue_dequeue(&u.q, BYTES("x"), ids[0], 1.5, MS(100), &u.error), QUEUE_FAILED);
    CHECK_INT(take_some(&u, 1, 0, 0), QUEUE_FAILED);
    CHECK_INT(take_some(&u, 1500, 1000, 0), QUEUE_FAILED);
    CHECK_INT(take_some(&u, 1, 0, 50), QUEUE_FAILED);
    CHECK_INT(queue_top(&u.q, BYTES("x"), 1, &u.tasks, &u.error), QUEUE_FAILED);
    CHECK_INT(queue_dead(&u.q, BYTES("x"), 1, &u.tasks, &u.error), QUEUE_FAILED);
    CHECK_INT(queue_settle(&u.q, BYTES("x"), QUEUE_ACK, ids[0], BYTES("r"), 0, &u.error), QUEUE_FAILED);
    CHECK_INT(queue_stats(&u.q, BYTES("x"), &counts, &u.error), QUEUE_FAILED);
    CHECK_INT(queue_requeue(&u.q, BYTES("x"), ids, 2, &moved, &u.error), QUEUE_FAILED);
    CHECK_INT(queue_requeue(&u.q, BYTES("x"), NULL, 0, &moved, &u.error), QUEUE_FAILED);
    queue_close(&u);
    liar_stop(&l);
}

#define AGAINST(text) against(text, sizeof(text) - 1)

TEST(queue_takes_no_nonsense_from_a_server)
{
    AGAINST("+OK\r\n");
    AGAINST(":-1\r\n");
    AGAINST("$-1\r\n");
    AGAINST("*0\r\n");
    AGAINST("*-1\r\n");
    AGAINST("$3\r\nabc\r\n");
    AGAINST("-ERR no\r\n");
    AGAINST("*3\r\n$0\r\n\r\n:0\r\n:0\r\n");
    AGAINST("*4\r\n$1\r\nx\r\n:0\r\n:0\r\n:1\r\n");
    AGAINST("*4\r\n:1\r\n:2\r\n:3\r\n$1\r\n4\r\n");
    AGAINST("*4\r\n$0\r\n\r\n:-5\r\n:0\r\n:1\r\n");
    AGAINST("*4\r\n$0\r\n\r\n$1\r\n1\r\n:0\r\n:1\r\n");
    AGAINST("*4\r\n$0\r\n\r\n:5\r\n:0\r\n:9223372036854775807\r\n");
    AGAINST("*2\r\n:1001\r\n:0\r\n");
    AGAINST("*4\r\n:1\r\n:2\r\n:3\r\n:-4\r\n");
    AGAINST("*2\r\n:-1\r\n:0\r\n");
    /* A task whose id is longer than the rest of the string. */
    AGAINST("*4\r\n$17\r\n01234567\0\0\0\1\0\0\0\2a\r\n:0\r\n:0\r\n:1\r\n");
    AGAINST("*4\r\n$17\r\n01234567\0\0\0\1\377\377\377\377a\r\n:0\r\n:0\r\n:1\r\n");
}

static bool reads(const char *bytes, size_t len, size_t count)
{
    queue_tasks tasks = {0};
    redisReply reply = {.type = REDIS_REPLY_STRING, .str = (char *)bytes, .len = len};
    bool good = queue_tasks_read(&tasks, &reply);

    good = good && tasks.count == count;
    queue_tasks_free(&tasks);
    return good;
}

#define TASK "\x3f\xf8\0\0\0\0\0\0\0\0\0\2\0\0\0\1z"

TEST(queue_reads_packed_tasks)
{
    queue_tasks tasks = {0};
    redisReply reply = {.type = REDIS_REPLY_STRING, .str = (char *)TASK, .len = sizeof(TASK) - 1};

    CHECK(queue_tasks_read(&tasks, &reply));
    CHECK(tasks.at[0].score == 1.5);
    CHECK_INT(tasks.at[0].attempts, 2);
    CHECK(tasks.at[0].id.len == 1 && tasks.at[0].id.at[0] == 'z');
    queue_tasks_free(&tasks);

    CHECK(reads("", 0, 0));
    CHECK(reads(TASK TASK TASK, 3 * (sizeof(TASK) - 1), 3));
    for (size_t len = 1; len < sizeof(TASK) - 1; len++) {
        CHECK(!reads(TASK, len, 1));
    }
}

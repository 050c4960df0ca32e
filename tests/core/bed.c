/* SPDX-License-Identifier: MIT
 *
 * bed: see bed.h; the relay, the liar and the puppet are in wire.c.
 */
#include "bed.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int64_t ms_since(int64_t start)
{
    return (platform_now() - start) / PLATFORM_MSEC;
}

void sleep_ms(int64_t ms)
{
    struct timespec left = {ms / 1000, ms % 1000 * 1000000};

    while (nanosleep(&left, &left) != 0 && errno == EINTR) {
    }
}

/* Returns memory for a short text: one of eight pieces in turn, of which each thread has its own. */
static char *next_text(size_t size)
{
    static _Thread_local char texts[8][65536];
    static _Thread_local unsigned turn;

    CHECK(size <= sizeof(texts[0]));
    return texts[turn++ % 8];
}

/* Makes this process die with `parent`, which has started it, or at once if the parent has ended already. */
static void die_with(pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) {
        _exit(1);
    }
}

/* ---- a real server ---- */

static bool have_clocks;

void servers_get_clocks(void)
{
    have_clocks = true;
}

static void clock_path(const char *server, char path[128])
{
    snprintf(path, 128, "%s.clock", server);
}

static void write_clock(const server *s)
{
    char path[128];

    clock_path(s->path, path);
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    CHECK(fd >= 0 && pwrite(fd, &s->clock_offset, sizeof(s->clock_offset), 0) == sizeof(s->clock_offset));
    close(fd);
}

void server_turn_clock(server *s, int64_t ms)
{
    CHECK(have_clocks);
    s->clock_offset += MS(ms);
    write_clock(s);
}

/* Sanitizers have no part in what is preloaded into a server. */
static void preload_clock(const char *server)
{
    char path[128];

    clock_path(server, path);
    setenv("REDISLOCK_TEST_CLOCK", path, 1);
    setenv("LD_PRELOAD", CLOCK_LIBRARY, 1);
}

/* Fills in the server's own folder, since some are told to write their data to files, and makes it. */
static void make_folder(const server *s, char folder[128])
{
    snprintf(folder, 128, "%s.d", s->path);
    mkdir(folder, 0700);
}

static void server_exec(server *s)
{
    const char *binary = getenv("REDISLOCK_TEST_SERVER");
    char folder[128];
    const char *args[60] = {binary != NULL && *binary != '\0' ? binary : "redis-server",
                            "--port",
                            "0",
                            "--unixsocket",
                            s->path,
                            "--save",
                            "",
                            "--appendonly",
                            "no",
                            "--dir",
                            folder,
                            "--logfile",
                            "/dev/null",
                            "--maxclients",
                            "4000"};
    size_t n = 15;

    make_folder(s, folder);
    for (char *word = strtok(s->options, " "); word != NULL && n < 59; word = strtok(NULL, " ")) {
        args[n++] = word;
    }
    if (have_clocks) {
        preload_clock(s->path);
    }
    execvp(args[0], (char **)args);
    perror(args[0]);
    _exit(127);
}

static void server_spawn(server *s)
{
    int64_t start = platform_now();

    if (have_clocks) {
        write_clock(s);
    }
    pid_t self = getpid();
    s->pid = fork();
    CHECK(s->pid >= 0);
    if (s->pid == 0) {
        die_with(self);
        server_exec(s);
    }
    for (;;) {
        s->raw = redisConnectUnix(s->path);
        CHECK(s->raw != NULL);
        redisReply *pong = s->raw->err == 0 ? redisCommand(s->raw, "PING") : NULL;
        bool is_up = pong != NULL && strncmp(pong->str, "LOADING", 7) != 0; /* -NOAUTH is an answer too */
        if (pong != NULL) {
            freeReplyObject(pong);
        }
        if (is_up) {
            return;
        }
        redisFree(s->raw);
        if (ms_since(start) > 30000) {
            test_fail(__FILE__, __LINE__, "the server does not start");
        }
        sleep_ms(2);
    }
}

void server_start(server *s, const char *options)
{
    server_start_with(s, options, NULL, NULL);
}

void server_start_with(server *s, const char *options, const char *file, const char *text)
{
    static int number;
    char path[256];

    memset(s, 0, sizeof(*s));
    snprintf(s->path, sizeof(s->path), "%s/redis-%d.sock", test_folder(), ++number);
    CHECK((size_t)snprintf(s->options, sizeof(s->options), "%s", options != NULL ? options : "") < sizeof(s->options));
    if (file != NULL) {
        make_folder(s, path);
        snprintf(path + strlen(path), 64, "/%s", file);
        FILE *out = fopen(path, "we");
        CHECK(out != NULL && fputs(text, out) >= 0 && fclose(out) == 0);
    }
    server_spawn(s);
    held_up_from_now(); /* the start of the server does not count */
}

void server_kill(server *s)
{
    server_thaw(s);
    process_kill(s->pid);
    redisFree(s->raw);
    s->raw = NULL;
}

static void server_fill_hole(server *s)
{
    if (s->hole != 0) {
        close(s->hole);
        s->hole = 0;
    }
}

/* Nobody accepts what connects to the hole, so its queue is full after the first few connections. */
void server_vanish(server *s)
{
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    int fd, failed = 0;

    server_kill(s);
    unlink(s->path);
    snprintf(at.sun_path, sizeof(at.sun_path), "%s", s->path);
    s->hole = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    CHECK(s->hole > 0 && bind(s->hole, (struct sockaddr *)&at, sizeof(at)) == 0 && listen(s->hole, 0) == 0);
    for (int i = 0; i < 8 && failed == 0; i++) {
        fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
        CHECK(fd > 0);
        failed = connect(fd, (struct sockaddr *)&at, sizeof(at));
        close(fd);
    }
    CHECK(failed != 0);
}

void server_restart(server *s)
{
    server_fill_hole(s);
    unlink(s->path);
    server_spawn(s);
}

void server_freeze(server *s)
{
    process_freeze(s->pid);
    s->is_frozen = true;
}

void server_thaw(server *s)
{
    kill(s->pid, SIGCONT);
    s->is_frozen = false;
}

void server_stop(server *s)
{
    if (s->raw != NULL) {
        server_kill(s);
    }
    server_fill_hole(s);
    unlink(s->path);
}

static size_t render(const redisReply *reply, char *out, size_t size)
{
    size_t len = 0;

    switch (reply->type) {
    case REDIS_REPLY_INTEGER:
        return (size_t)snprintf(out, size, "%lld", reply->integer);
    case REDIS_REPLY_NIL:
        return (size_t)snprintf(out, size, "(nil)");
    case REDIS_REPLY_ARRAY:
        out[0] = '\0';
        for (size_t i = 0; i < reply->elements && len < size; i++) {
            if (i > 0) {
                out[len++] = ' ';
            }
            len += render(reply->element[i], out + len, size - len);
        }
        return len;
    default:
        return (size_t)snprintf(out, size, "%s", reply->str);
    }
}

static const char *say_list(server *s, const char *format, va_list args)
{
    char *text = next_text(65536);
    redisReply *reply = redisvCommand(s->raw, format, args);

    if (reply == NULL) {
        test_fail(__FILE__, __LINE__, "%s: %s", format, s->raw->errstr);
    }
    render(reply, text, 65536);
    freeReplyObject(reply);
    return text;
}

const char *say(server *s, const char *format, ...)
{
    va_list args;
    const char *text;

    va_start(args, format);
    text = say_list(s, format, args);
    va_end(args);
    return text;
}

long long say_number(server *s, const char *format, ...)
{
    va_list args;
    const char *text;
    char *end;

    va_start(args, format);
    text = say_list(s, format, args);
    va_end(args);
    long long number = strtoll(text, &end, 10);
    if (end == text || *end != '\0') {
        test_fail(__FILE__, __LINE__, "%s: %s", format, text);
    }
    return number;
}

bool was_held_up(const rl_error *error, int64_t before)
{
    bool has_no_answer = error->kind == RL_LOST || error->kind == RL_TIMED_OUT || error->kind == RL_UNREACHABLE;
    bool is_late = (has_no_answer && strstr(error->text, "in time") != NULL) || strcmp(error->code, "ASK") == 0;

    return is_late && held_up() > before;
}

int64_t lease_end(const lock_lease *lease)
{
    int64_t now = platform_now();

    return now + lock_lease_validity(lease, now);
}

/* It is there itself before it looks at the others, so that of two that enter at once one sees the other. */
int section_enter(section *s, const lock_lease *lease)
{
    long long end = lease_end(lease), nobody = 0;
    int place = 0;

    while (!atomic_compare_exchange_strong(&s->ends[place], &nobody, end)) {
        place = (place + 1) % SECTION_PLACES;
        nobody = 0;
    }
    for (int i = 0; i < SECTION_PLACES; i++) {
        long long other = i == place ? 0 : atomic_load(&s->ends[i]), now = platform_now();
        CHECK_SAFE(other <= now || end <= now);
    }
    return place;
}

void section_leave(section *s, int place)
{
    atomic_store(&s->ends[place], 0);
}

/* Redis may overlook the first request for an acknowledgement of a new replica, which then comes a second later. */
void until_acknowledged(server *master, int replicas, const char *key)
{
    int64_t start = platform_now();

    for (int quick = 0; quick < 3;) {
        CHECK(ms_since(start) < 20000);
        say(master, "SET %s up", key);
        say(master, "DEL %s", key);
        quick = say_number(master, "WAIT %d 500", replicas) == replicas ? quick + 1 : 0;
    }
}

void until_no_key(server *s)
{
    int64_t start = platform_now();

    while (say_number(s, "DBSIZE") > 0 && ms_since(start) < 5000) {
        sleep_ms(5);
    }
}

long long server_calls(server *s, const char *command)
{
    const char *stats = say(s, "INFO commandstats");
    char wanted[64];

    snprintf(wanted, sizeof(wanted), "cmdstat_%s:calls=", command);
    const char *found = strstr(stats, wanted);
    return found != NULL ? strtoll(found + strlen(wanted), NULL, 10) : 0;
}

void until_only_key(server *s, const char *key)
{
    int64_t start = platform_now();

    while (strcmp(say(s, "KEYS *"), key) != 0) {
        if (ms_since(start) > 1000 + held_up()) {
            test_fail(__FILE__, __LINE__, "there are %s", say(s, "KEYS *"));
        }
        sleep_ms(1);
    }
}

rl_conn *conn_to(const char *dsn)
{
    rl_endpoint endpoint;
    char why[128];

    CHECK(rl_endpoint_parse(&endpoint, dsn, strlen(dsn), why, sizeof(why)));
    rl_conn *conn = rl_conn_new(&endpoint, NULL, NULL);
    rl_endpoint_free(&endpoint);
    return conn;
}

/* ---- a client of ours ---- */

void client_open_dsn(client *c, const char *dsn)
{
    char why[128];

    memset(c, 0, sizeof(*c));
    if (!rl_endpoint_parse(&c->endpoint, dsn, strlen(dsn), why, sizeof(why))) {
        test_fail(__FILE__, __LINE__, "%s", why);
    }
    c->pool.backlog = &c->backlog;
    c->lock = (lock_client){
        .target = {.pool = &c->pool,
                   .endpoints = &c->endpoint,
                   .count = 1,
                   .connect_timeout = MS(5000),
                   .read_timeout = MS(5000),
                   .node_timeout = MS(200)},
        .prefix = RL_LITERAL("lock:"),
        .retry_interval = MS(100),
        .extensions = &c->extensions,
        .stats = &c->stats,
    };
}

void client_open(client *c, const char *socket_path)
{
    char dsn[128];

    snprintf(dsn, sizeof(dsn), "unix://%s", socket_path);
    client_open_dsn(c, dsn);
}

void client_gives_up_after(client *c, int64_t ms)
{
    c->lock.target.connect_timeout = c->lock.target.read_timeout = MS(ms);
}

void client_close(client *c)
{
    lock_lease_free(&c->lease);
    rl_pool_clear(&c->pool);
    rl_backlog_free(&c->backlog);
    rl_endpoint_free(&c->endpoint);
}

/* Converts ms to the core's unit. PLATFORM_NEVER stays what it is. */
static int64_t span(int64_t ms)
{
    return ms == PLATFORM_NEVER ? PLATFORM_NEVER : MS(ms);
}

lock_outcome take(client *c, const char *name, int64_t lease, int64_t timeout)
{
    lock_lease_free(&c->lease);
    return lock_acquire(&c->lock, BYTES(name), NULL, span(lease), span(timeout), &c->lease, NULL, &c->error);
}

lock_outcome take_as(client *c, const char *name, const char *token, int64_t lease, int64_t timeout)
{
    rl_bytes bytes = BYTES(token);

    lock_lease_free(&c->lease);
    return lock_acquire(&c->lock, BYTES(name), &bytes, span(lease), span(timeout), &c->lease, NULL, &c->error);
}

lock_outcome drop(client *c, const char *name)
{
    return lock_release(&c->lock, BYTES(name), &c->lease, lock_budget(&c->lock), &c->error);
}

lock_outcome extend(client *c, const char *name, int64_t lease)
{
    return lock_extend(&c->lock, BYTES(name), &c->lease, span(lease), lock_budget(&c->lock), &c->error);
}

int64_t waiters(client *c, const char *name)
{
    int64_t count = -1;

    CHECK_INT(lock_waiters(&c->lock, BYTES(name), &count, &c->error), LOCK_YES);
    return count;
}

const char *token_of(const client *c)
{
    char *text = next_text(c->lease.token_len + 1);

    memcpy(text, c->lease.token, c->lease.token_len);
    text[c->lease.token_len] = '\0';
    return text;
}

void until_waiting(server *s, const char *name, int count)
{
    int64_t start = platform_now();

    for (;;) {
        const char *blocked = strstr(say(s, "INFO clients"), "blocked_clients:");
        if (blocked != NULL && atoi(blocked + 16) >= count && say_number(s, "ZCARD {lock:%s}:rl:wait", name) >= count) {
            return;
        }
        if (ms_since(start) > 40000) {
            test_fail(__FILE__, __LINE__, "%d waiters do not come", count);
        }
        sleep_ms(1);
    }
}

/* ---- several servers ---- */

void ring_open(ring *r, int count, const char *options)
{
    client one;

    CHECK(count <= RING_MOST);
    r->count = count;
    for (int i = 0; i < count; i++) {
        server_start(&r->servers[i], options);
        client_open(&one, r->servers[i].path);
        r->endpoints[i] = one.endpoint;
    }
}

void ring_close(ring *r)
{
    for (int i = 0; i < r->count; i++) {
        server_stop(&r->servers[i]);
        rl_endpoint_free(&r->endpoints[i]);
    }
}

void ring_client(client *c, const ring *r)
{
    client_open(c, r->servers[0].path);
    c->lock.target.endpoints = r->endpoints;
    c->lock.target.count = (size_t)r->count;
    c->lock.target.node_timeout = MS(900); /* longer than a slow answer takes on a busy machine */
}

/* Returns the server's keys without the fences, which stay by design. */
static const char *passing_keys(server *s)
{
    return say(s, "EVAL %s 0",
               "local keys = {} "
               "for _, key in ipairs(redis.call('KEYS', '*')) do "
               "if not string.find(key, ':rl:fence', 1, true) then keys[#keys + 1] = key end end "
               "return keys");
}

void ring_is_clean(ring *r)
{
    int64_t start = platform_now();

    for (int i = 0; i < r->count; i++) {
        server *s = &r->servers[i];
        while (s->raw != NULL && !s->is_frozen && passing_keys(s)[0] != '\0') {
            if (ms_since(start) > 5000) {
                test_fail(__FILE__, __LINE__, "server %d keeps %s (%s)", i, passing_keys(s), say(s, "GET lock:a"));
            }
            sleep_ms(2);
        }
    }
}

/* ---- others ---- */

pid_t process_start(void (*run)(void *), void *arg)
{
    pid_t self = getpid();
    pid_t pid = fork();

    CHECK(pid >= 0);
    if (pid == 0) {
        die_with(self);
        run(arg);
        _exit(0);
    }
    return pid;
}

/* Waits until the process has ended, and keeps count of what it has waited. Returns its status. */
static int reap(pid_t pid)
{
    siginfo_t info;
    int status;

    CHECK(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT) == 0);
    held_up_keep_process(pid);
    CHECK(waitpid(pid, &status, 0) == pid);
    return status;
}

void process_join(pid_t pid)
{
    int status = reap(pid);

#ifdef UNDER_VALGRIND
    CHECK_SAFE(!WIFEXITED(status) || WEXITSTATUS(status) != REPORTED);
#endif
    if (status != 0) {
        test_fail(__FILE__, __LINE__, "a process ended with status %d", status);
    }
}

void process_kill(pid_t pid)
{
    kill(pid, SIGKILL);
    reap(pid);
}

void process_freeze(pid_t pid)
{
    kill(pid, SIGSTOP);
    CHECK(waitpid(pid, NULL, WUNTRACED) == pid);
}

void *shared(size_t size)
{
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    CHECK(memory != MAP_FAILED);
    return memory;
}

typedef struct started {
    void *(*run)(void *);
    void *arg;
} started;

static void *run_thread(void *arg)
{
    started task = *(started *)arg;

    free(arg);
    void *result = task.run(task.arg);
    held_up_keep_thread();
    return result;
}

pthread_t thread_start(void *(*run)(void *), void *arg)
{
    started *task = malloc(sizeof(*task));
    pthread_t thread;

    CHECK(task != NULL);
    *task = (started){run, arg};
    CHECK_INT(pthread_create(&thread, NULL, run_thread, task), 0);
    return thread;
}

void thread_join(pthread_t thread)
{
    CHECK_INT(pthread_join(thread, NULL), 0);
}

bool prepare_at(rl_endpoint *endpoint, const char *address, char *why, size_t size)
{
    rl_hosts hosts = {0};

    if (address != NULL) {
        rl_hosts_note(&hosts, endpoint->host, address);
    }
    bool good = rl_endpoint_prepare(endpoint, &hosts, why, size);
    rl_hosts_free(&hosts);
    return good;
}

/* SPDX-License-Identifier: MIT
 *
 * differential: is the simulated Redis like a real one? Sends the same random requests to both, over several
 * connections, and compares the replies after each step, byte for byte, and all keys in the end. The real server runs
 * with a clock that this program sets (differential_clock.c), so both have the same time.
 *
 *     differential --server=PROGRAM --clock=LIBRARY --folder=FOLDER [--cluster] [--seed=N] [--sequences=N] [--seconds=S]
 *                  [--stop]
 *
 * With --cluster, there are two servers, the nodes of a cluster: see differential_cluster.c.
 * Each sequence has a seed of its own; they count up from N. A sequence in which the two differ is shortened as long as
 * they still differ, and told. With --stop that ends the test. If the server is another one than Redis 7.0, the texts
 * of errors are compared by their first word only, and scores as numbers, also if a script has put one into a text;
 * and a few steps are left out: see depends_on_server(). The last line counts.
 */
#define _GNU_SOURCE /* memmem() */

#include "differential.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <netinet/in.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "redis_data.h"

#define PATIENCE_MS   30000              /* for a reply of the server: a busy machine may stop it for seconds */
#define SHORT_MS      100                /* the same while a sequence is shortened */
#define START_MS      60000              /* for a server to start, or a cluster to work */
#define MOST_ENDS     64                 /* of BLPOPs, at which a step of the clock stops */
#define MOST_SHOWN    10                 /* differences that are told */
#define LARGEST_WHOLE 9007199254740992.0 /* 2^53 */

/* A connection, on both sides. */
typedef struct both {
    int fd;
    redis_link *link;
    buffer real;
    buffer model;
    bool real_closed;
} both;

static struct {
    const char *program, *clock_library, *folder;
    uint64_t first_seed, sequences;
    int64_t seconds;
    bool stops, is_cluster;
} options = {.first_seed = 1, .sequences = 2000, .seconds = 3600};

/* A server, on both sides. */
typedef struct server {
    pid_t pid;
    struct sockaddr_un address;
    redis *model;
    both admin; /* the connection that no step uses */
} server;

static struct {
    server servers[NODES];
    int count; /* of them; a step's link leads to one after the other */
    volatile int64_t *clock;
    bool is_exact;      /* the servers are those that the model is made after */
    bool is_tainted;    /* their configuration is not as it was */
    bool knows_scripts; /* they know those of lua/ */
    bool is_read_only;
    bool is_chance;           /* what the server does from here on */
    bool were_blocked[LINKS]; /* before the step */
    bool is_hasty;            /* its replies are not waited for as long as else */
    both links[LINKS];
    char what[64];  /* differs */
    unsigned where; /* the link on which it does */
    buffer real_state, model_state;
} bed;

static void fail(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

static void fail(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    fputs("differential: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    exit(2);
}

static int64_t monotonic_ms(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_MONOTONIC, &ts);
    return ts.tv_sec * INT64_C(1000) + ts.tv_nsec / 1000000;
}

/* ---- the real server ---- */

redis *model_of(int node)
{
    return bed.servers[node].model;
}

/* The server that a link leads to. */
static server *server_of(unsigned link)
{
    return &bed.servers[link % (unsigned)bed.count];
}

static void connect_real(both *b, const server *to)
{
    b->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (b->fd < 0 || connect(b->fd, (const struct sockaddr *)&to->address, sizeof(to->address)) != 0) {
        fail("no connection to the server: %s", strerror(errno));
    }
    b->real.len = b->model.len = 0;
    b->real_closed = false;
}

/* Waits up to `wait_ms` for bytes, and appends them. */
static void read_real(both *b, int wait_ms)
{
    char bytes[65536];
    ssize_t got;

    if (b->real_closed || (wait_ms > 0 && poll(&(struct pollfd){b->fd, POLLIN, 0}, 1, wait_ms) == 0)) {
        return;
    }
    got = recv(b->fd, bytes, sizeof(bytes), MSG_DONTWAIT);
    if (got > 0) {
        buffer_add(&b->real, bytes, (size_t)got);
    } else if (got == 0 || (errno != EAGAIN && errno != EWOULDBLOCK)) {
        b->real_closed = true;
    }
}

static void send_real(both *b, const char *bytes, size_t len)
{
    while (len > 0 && !b->real_closed) {
        ssize_t sent = send(b->fd, bytes, len, MSG_NOSIGNAL);
        if (sent < 0 && errno == EPIPE) {
            b->real_closed = true;
        } else if (sent < 0) {
            fail("the server takes no bytes: %s", strerror(errno));
        } else {
            bytes += sent;
            len -= (size_t)sent;
        }
    }
}

/* Returns the length of the first reply in the bytes; 0 if it is not complete. */
static size_t reply_len(const char *bytes, size_t len)
{
    const char *end = memchr(bytes, '\n', len);
    size_t at;
    long long number;

    if (end == NULL) {
        return 0;
    }
    at = (size_t)(end + 1 - bytes);
    number = bytes[0] == '$' || bytes[0] == '*' ? strtoll(bytes + 1, NULL, 10) : 0;
    if (bytes[0] == '$' && number >= 0) {
        return at + (size_t)number + 2 <= len ? at + (size_t)number + 2 : 0;
    }
    for (; bytes[0] == '*' && number > 0; number--) {
        size_t next = at < len ? reply_len(bytes + at, len - at) : 0;
        if (next == 0) {
            return 0;
        }
        at += next;
    }
    return at;
}

static void add_bulk(buffer *request, const char *bytes, size_t len)
{
    buffer_add_text(request, "$");
    buffer_add_number(request, (int64_t)len);
    buffer_add_text(request, "\r\n");
    buffer_add(request, bytes, len);
    buffer_add_text(request, "\r\n");
}

/* Sends a request, which is freed, over the connection that no step uses, and reads the reply into its buffer. Fails if
 * that is an error. */
static void ask(int node, buffer *request)
{
    both *b = &bed.servers[node].admin;
    int64_t until = monotonic_ms() + PATIENCE_MS;

    b->real.len = 0;
    send_real(b, request->at, request->len);
    while (b->real.len == 0 || reply_len(b->real.at, b->real.len) == 0) {
        read_real(b, PATIENCE_MS);
        if (b->real_closed || monotonic_ms() > until) {
            fail("the server does not answer %.*s", (int)request->len, request->at);
        }
    }
    if (b->real.at[0] == '-') {
        fail("%.*s: %.*s", (int)request->len, request->at, (int)b->real.len, b->real.at);
    }
    buffer_free(request);
}

void admin(int node, const char *format, ...)
{
    char line[1024];
    buffer request = {0};
    size_t count = 1, len;
    va_list args;

    va_start(args, format);
    vsnprintf(line, sizeof(line), format, args);
    va_end(args);
    for (const char *p = line; *p != '\0'; p++) {
        count += *p == ' ';
    }
    buffer_add_text(&request, "*");
    buffer_add_number(&request, (int64_t)count);
    buffer_add_text(&request, "\r\n");
    for (const char *p = line; count > 0; count--, p += len + 1) {
        len = strcspn(p, " ");
        add_bulk(&request, p, len);
    }
    ask(node, &request);
}

/* Asks all servers. */
static void __attribute__((format(printf, 1, 2))) admin_all(const char *format, ...)
{
    char line[1024];
    va_list args;

    va_start(args, format);
    vsnprintf(line, sizeof(line), format, args);
    va_end(args);
    for (int i = 0; i < bed.count; i++) {
        admin(i, "%s", line);
    }
}

/* Waits until the server has read what was sent before, and has ended what is over by now. A round of its event loop
 * does either, and answers only behind both. */
static void settle(void)
{
    admin_all("PING");
    admin_all("PING");
}

static bool is_up(const server *s)
{
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool up = connect(fd, (const struct sockaddr *)&s->address, sizeof(s->address)) == 0;

    close(fd);
    return up;
}

static void open_clock(char path[256])
{
    int fd;

    snprintf(path, 256, "%s/clock", options.folder);
    fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0 || ftruncate(fd, sizeof(int64_t)) != 0) {
        fail("%s: %s", path, strerror(errno));
    }
    bed.clock = mmap(NULL, sizeof(int64_t), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (bed.clock == MAP_FAILED) {
        fail("%s: %s", path, strerror(errno));
    }
    close(fd);
    *bed.clock = INT64_C(1700000000000000);
}

static bool is_free(int port)
{
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK), .sin_port = htons((uint16_t)port)};
    bool was_free = bind(fd, (struct sockaddr *)&address, sizeof(address)) == 0;

    close(fd);
    return was_free;
}

/* Finds ports for the nodes of a cluster, below those that the kernel gives to connections. */
static void find_ports(int ports[NODES])
{
    int port = 12000 + getpid() % 9000;

    for (int i = 0; i < NODES; i++) {
        do {
            port++;
        } while (!is_free(port) || !is_free(port + BUS));
        ports[i] = port;
    }
}

/* The background thread of jemalloc would never rest: the time that it waits for is over by the kernel's clock. A node of a
 * cluster does not find the others silent, as far as the clock may leap. */
static void run_server(int i, int port, const char *clock)
{
    char number[16], config[32], log[32];
    const char *path = bed.servers[i].address.sun_path;

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setenv("DIFFERENTIAL_CLOCK", clock, 1);
    setenv("LD_PRELOAD", options.clock_library, 1);
    snprintf(number, sizeof(number), "%d", port);
    snprintf(config, sizeof(config), "nodes%d.conf", i);
    snprintf(log, sizeof(log), "log%d", i);
    execlp(options.program, options.program, "--port", number, "--unixsocket", path, "--save", "", "--dir",
           options.folder, "--logfile", log, "--jemalloc-bg-thread", "no", "--enable-debug-command", "yes", "--bind",
           "127.0.0.1", options.is_cluster ? "--cluster-enabled" : NULL, "yes", "--cluster-config-file", config,
           "--cluster-node-timeout", "2000000000", "--hz", "500", NULL);
    _exit(127);
}

/* Shows what the server has said: nobody can read that later. */
static void show_log(int i)
{
    char path[256], line[1024];
    snprintf(path, sizeof(path), "%s/log%d", options.folder, i);
    FILE *log = fopen(path, "r");

    while (log != NULL && fgets(line, sizeof(line), log) != NULL) {
        fputs(line, stderr);
    }
    if (log != NULL) {
        fclose(log);
    }
}

static void start_servers(void)
{
    char clock[256];
    int ports[NODES] = {0}, status;
    int64_t until = monotonic_ms() + START_MS;

    open_clock(clock);
    if (options.is_cluster) {
        find_ports(ports);
        cluster_configure(options.folder, ports);
    }
    for (int i = 0; i < bed.count; i++) {
        server *s = &bed.servers[i];
        s->address.sun_family = AF_UNIX;
        snprintf(s->address.sun_path, sizeof(s->address.sun_path), "%s/socket%d", options.folder, i);
        s->pid = fork();
        if (s->pid == 0) {
            run_server(i, ports[i], clock);
        }
    }
    for (int i = 0; i < bed.count;) {
        if (is_up(&bed.servers[i])) {
            i++;
        } else if (waitpid(bed.servers[i].pid, &status, WNOHANG) != 0) {
            show_log(i);
            fail("%s ends as it starts", options.program);
        } else if (monotonic_ms() > until) {
            show_log(i);
            fail("%s does not start in %d s", options.program, START_MS / 1000);
        } else {
            usleep(10000);
        }
    }
}

static void stop_servers(void)
{
    for (int i = 0; i < bed.count; i++) {
        if (bed.servers[i].pid > 0) {
            kill(bed.servers[i].pid, SIGKILL);
            waitpid(bed.servers[i].pid, NULL, 0);
        }
    }
}

/* A cluster works two seconds after its nodes have started. */
static void await_cluster(int node)
{
    both *b = &bed.servers[node].admin;
    int64_t until = monotonic_ms() + START_MS;

    for (;;) {
        admin(node, "CLUSTER INFO");
        buffer_add(&b->real, "", 1);
        if (strstr(b->real.at, "cluster_state:ok") != NULL) {
            return;
        }
        if (monotonic_ms() > until) {
            fail("the cluster does not work: %s", b->real.at);
        }
        *bed.clock += 100000;
        usleep(10000);
    }
}

/* The connection that no step uses has a user of its own, so that it keeps its rights. The server's own search for keys
 * that are over rests: that of Redis 8 ends a key a millisecond before a command would, whenever it happens to run. */
static void open_admin(int node)
{
    both *b = &bed.servers[node].admin;

    connect_real(b, &bed.servers[node]);
    admin(node, "ACL SETUSER " ADMIN_ACCOUNT " on >" ADMIN_ACCOUNT " ~* &* +@all");
    admin(node, "AUTH " ADMIN_ACCOUNT " " ADMIN_ACCOUNT);
    admin(node, "DEBUG SET-ACTIVE-EXPIRE 0");
    admin(node, "INFO server");
    buffer_add(&b->real, "", 1);
    bed.is_exact = strstr(b->real.at, "redis_version:7.0.") != NULL && strstr(b->real.at, "valkey") == NULL;
    if (options.is_cluster) {
        await_cluster(node);
    }
}

/* ---- both sides ---- */

static void model_output(void *arg, const char *bytes, size_t len)
{
    buffer_add(&((both *)arg)->model, bytes, len);
}

/* The server accepts the connection before it gets the next order: when it accepts, it notes whether one has to log in. */
static void reconnect(unsigned link)
{
    both *b = &bed.links[link];

    close(b->fd);
    redis_disconnect(b->link);
    connect_real(b, server_of(link));
    b->link = redis_accept(server_of(link)->model, model_output, b);
    settle();
}

static void set_time(int64_t now)
{
    *bed.clock = now;
    for (int i = 0; i < bed.count; i++) {
        redis_set_time(bed.servers[i].model, now);
    }
}

/* Lets both sides of a server, which know no scripts, know those of lua/; or only the model. */
static void load_scripts(int node, bool only_model)
{
    both *b = &bed.servers[node].admin;

    b->link = redis_accept(bed.servers[node].model, model_output, b);
    for (size_t i = 0; scripts[i] != NULL; i++) {
        buffer request = {0};
        buffer_add_text(&request, "*3\r\n$6\r\nSCRIPT\r\n$4\r\nLOAD\r\n");
        add_bulk(&request, scripts[i]->text, scripts[i]->text_len);
        redis_feed(b->link, request.at, request.len);
        if (only_model) {
            buffer_free(&request);
        } else {
            ask(node, &request);
        }
    }
    redis_disconnect(b->link);
    b->model.len = 0;
}

/* Makes both sides as new, for the sequence. */
static void begin(const sequence *s)
{
    for (size_t i = 0; i < LINKS; i++) {
        close(bed.links[i].fd);
    }
    settle();
    if (bed.is_tainted) {
        if (!options.is_cluster) {
            admin_all("REPLICAOF NO ONE");
        }
        admin_all("CONFIG SET maxmemory 0");
        admin_all("ACL SETUSER default on nopass +@all ~* &*");
        bed.is_tainted = false;
    }
    bed.is_chance = bed.is_read_only = false;
    admin_all("FLUSHALL");
    if (!bed.knows_scripts || !s->knows_scripts) {
        admin_all("SCRIPT FLUSH");
    }
    for (int i = 0; i < bed.count; i++) {
        bed.servers[i].model = redis_new();
        redis_set_own_key_order(bed.servers[i].model, !bed.is_exact);
        if (s->knows_scripts) {
            load_scripts(i, bed.knows_scripts);
        }
    }
    if (options.is_cluster) {
        cluster_begin();
    }
    bed.knows_scripts = s->knows_scripts;
    set_time(s->start);
    for (unsigned i = 0; i < LINKS; i++) {
        connect_real(&bed.links[i], server_of(i));
        bed.links[i].link = redis_accept(server_of(i)->model, model_output, &bed.links[i]);
    }
    settle();
}

static void note_blocked(bool are_blocked[LINKS])
{
    for (size_t i = 0; i < LINKS; i++) {
        are_blocked[i] = redis_is_blocked(bed.links[i].link);
    }
}

/* Notes whether it is chance what comes next. If several BLPOPs have ended at once and requests wait behind them, Redis goes on
 * with these in the order of addresses. */
static void note_ends(const bool were_blocked[LINKS])
{
    unsigned ended = 0, went_on = 0;

    for (size_t i = 0; i < LINKS; i++) {
        const both *b = &bed.links[i];
        bool has_ended = were_blocked[i] && b->model.len > 0;
        bool is_alone = has_ended && reply_len(b->model.at, b->model.len) == b->model.len && !redis_is_blocked(b->link);
        ended += has_ended;
        went_on += has_ended && !is_alone;
    }
    bed.is_chance = bed.is_chance || (ended > 1 && went_on > 0);
}

/* Sets the time, and sees to it that the real server notices. */
static void do_moment(int64_t now)
{
    bool were_blocked[LINKS];

    note_blocked(were_blocked);
    set_time(now);
    settle();
    note_ends(were_blocked);
}

/* When the time of a BLPOP is over first. */
static int64_t next_timeout(void)
{
    int64_t next = INT64_MAX;

    for (int i = 0; i < bed.count; i++) {
        int64_t own = redis_next_timeout(bed.servers[i].model);
        next = own < next ? own : next;
    }
    return next;
}

/* Moves the clock, from one end of a BLPOP to the next. */
static void do_time(int64_t now)
{
    int64_t next;

    /* A key that is gone stays so: the real server must have noticed before its time comes again. A replica never
     * does. */
    if (now < *bed.clock && bed.is_read_only) {
        return;
    }
    if (now < *bed.clock) {
        admin_all("SCAN 0 COUNT 1000");
    }
    if (now < *bed.clock && !options.is_cluster) {
        admin_all("SELECT 1");
        admin_all("SCAN 0 COUNT 1000");
        admin_all("SELECT 0");
    }
    for (int ends = 0; ends < MOST_ENDS && (next = next_timeout()) < now && !bed.is_chance; ends++) {
        do_moment(next);
    }
    do_moment(now);
}

/* Puts the model into a state in which it refuses requests, or out of it. */
static void set_model(redis *model, const step *s)
{
    switch (s->kind) {
    case STEP_FULL:
        redis_set_full(model, s->amount);
        break;
    case STEP_READ_ONLY:
        redis_set_read_only(model, s->amount);
        break;
    case STEP_DENY:
        redis_deny(model, s->bytes);
        break;
    case STEP_PASSWORD:
        redis_set_password(model, s->amount ? "secret" : NULL);
        break;
    default:
        redis_flush_scripts(model);
    }
}

/* The same on both sides. */
static void do_fault(const step *s)
{
    bed.is_tainted = true;
    switch (s->kind) {
    case STEP_FULL:
        admin_all("CONFIG SET maxmemory %d", (int)s->amount);
        break;
    case STEP_READ_ONLY:
        admin_all("REPLICAOF %s", s->amount ? "127.0.0.1 1" : "NO ONE");
        bed.is_read_only = s->amount;
        break;
    case STEP_DENY:
        if (s->bytes != NULL) {
            admin_all("ACL SETUSER default -%s", s->bytes);
        } else {
            admin_all("ACL SETUSER default +@all");
        }
        break;
    case STEP_PASSWORD:
        admin_all("ACL SETUSER default %s", s->amount ? "resetpass >secret" : "nopass");
        break;
    default:
        admin_all("SCRIPT FLUSH");
        bed.knows_scripts = false;
    }
    for (int i = 0; i < bed.count; i++) {
        set_model(bed.servers[i].model, s);
    }
}

static bool has_text(const char *bytes, size_t len, const char *text)
{
    return memmem(bytes, len, text, strlen(text)) != NULL;
}

/* Does a count in the form that all clients write stand here, behind the mark? */
static bool is_count(const char *bytes, char mark)
{
    return bytes[0] == mark && isdigit((unsigned char)bytes[1]) && (bytes[1] != '0' || bytes[2] == '\r');
}

/* Are these whole requests in that form? */
static bool is_well_formed(const char *bytes, size_t len)
{
    size_t next;

    for (; len > 0; bytes += next, len -= next) {
        next = reply_len(bytes, len);
        if (next == 0 || !is_count(bytes, '*')) {
            return false;
        }
        for (size_t at = strcspn(bytes, "\n") + 1; at < next; at += reply_len(bytes + at, next - at)) {
            if (!is_count(bytes + at, '$')) {
                return false;
            }
        }
    }
    return true;
}

/* Do servers differ in what they make of this step, which sends? Redis 7.0 alone refuses BLPOP in a script (others do
 * not let it block), takes so long a timeout for it, lets a key live that is set with this very millisecond as its end,
 * turns these numbers of Lua, and scores as large, into texts that are no integers, and tells that AUTH has failed even
 * if other replies are under way. Redis 8 takes no score behind a space or in hex, says what is wrong with malformed
 * bytes behind a BLPOP when more comes, and lets the requests behind a FLUSHALL wait for a thread of its own. The core
 * sends none of these. */
static bool sending_depends_on_server(const step *s)
{
    static const char *const texts[] = {"\r\nEXAT\r\n",
                                        "\r\nPXAT\r\n",
                                        "\r\n 1\r\n",
                                        "\r\n0x10\r\n",
                                        "'k1', -0)",
                                        "'k1', 123456789012345678)",
                                        "\r\n99999999999999999999\r\n"};
    bool is_blocked = redis_is_blocked(bed.links[s->link].link);
    bool depends = is_blocked && (!is_well_formed(s->bytes, s->len) || has_text(s->bytes, s->len, "FLUSHALL"));

    if (has_text(s->bytes, s->len, "BLPOP")) {
        depends = depends || has_text(s->bytes, s->len, "\r\nEVAL\r\n") ||
                  has_text(s->bytes, s->len, "\r\n9223372036854775\r\n");
    }
    if (has_text(s->bytes, s->len, "\r\nAUTH\r\n")) {
        depends = depends || is_blocked || reply_len(s->bytes, s->len) < s->len;
    }
    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
        depends = depends || has_text(s->bytes, s->len, texts[i]);
    }
    return depends;
}

static bool any_is_blocked(void)
{
    bool any = false;

    for (size_t i = 0; i < LINKS; i++) {
        any = any || redis_is_blocked(bed.links[i].link);
    }
    return any;
}

/* The same of any step. A client that has lost the right to its BLPOP meanwhile is refused when it is served, but not
 * by Redis 7.0, which serves it; what it is served with stays in the list then. */
static bool depends_on_server(const step *s)
{
    switch (s->kind) {
    case STEP_SEND:
        return sending_depends_on_server(s);
    case STEP_DENY:
        return s->bytes != NULL && strcmp(s->bytes, "blpop") == 0 && any_is_blocked();
    default:
        return false;
    }
}

/* Does a step on both sides. The model has answered then, the server not yet. */
static void do_step(const step *next)
{
    both *b = &bed.links[next->link];

    note_blocked(bed.were_blocked);
    if (!bed.is_exact && depends_on_server(next)) {
        return;
    }
    switch (next->kind) {
    case STEP_SEND:
        redis_feed(b->link, next->bytes, next->cut);
        redis_feed(b->link, next->bytes + next->cut, next->len - next->cut);
        send_real(b, next->bytes, next->len);
        break;
    case STEP_TIME:
        do_time(*bed.clock + next->amount);
        break;
    case STEP_RECONNECT:
        reconnect(next->link);
        break;
    case STEP_SLOT:
        cluster_do(next);
        note_ends(bed.were_blocked);
        break;
    default:
        do_fault(next);
    }
}

/* ---- comparing ---- */

/* Appends a run of bytes so that it can be read. */
static void show(buffer *out, const char *bytes, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        char code[8];
        unsigned char c = (unsigned char)bytes[i];
        if (c >= ' ' && c < 0x7f) {
            buffer_add(out, &bytes[i], 1);
        } else {
            buffer_add(out, code,
                       (size_t)snprintf(code, sizeof(code),
                                        c == '\n'   ? "\\n"
                                        : c == '\r' ? "\\r"
                                                    : "\\x%02x",
                                        c));
        }
    }
}

/* Returns the length of the first word, with what separates it from the next one: a space, which dump_text may have
 * written as its code, the end of the line or the = behind a name. */
static size_t word_len(const char *text)
{
    static const char space[] = "\\x20";
    size_t len = strcspn(text, " \n=\\");

    while (text[len] == '\\' && strncmp(text + len, space, sizeof(space) - 1) != 0) {
        len += 1 + strcspn(text + len + 1, " \n=\\");
    }
    return len + (text[len] == '\\' ? sizeof(space) - 1 : 1);
}

/* Reduces a text to what servers have in common: errors to their first word, also those that a script has made a text
 * of, and numbers with a fraction, or beyond the whole ones of a double, to one spelling. The lengths of bulk strings go,
 * since they depend on either. */
static void reduce(buffer *b)
{
    buffer reduced = {0};
    size_t len;

    buffer_add(b, "", 1);
    b->len--;
    for (size_t at = 0; at < b->len; at += len) {
        const char *line = b->at + at;
        char *end;
        double number;
        bool is_first = at == 0 || line[-1] == '\n';
        len = word_len(line);
        len = len > b->len - at ? b->len - at : len;
        number = strtod(line, &end);
        if (is_first && ((line[0] == '-' && isalpha((unsigned char)line[1])) || strncmp(line, "ERR ", 4) == 0)) {
            len = strcspn(line, "\n") + 1;
            buffer_add(&reduced, line, strcspn(line, " \r\n"));
            buffer_add(&reduced, "\n", 1);
        } else if (is_first && line[0] == '$') {
            buffer_add(&reduced, line, strtol(line + 1, NULL, 10) < 0 ? 2 : 1);
        } else if (end != line && end <= line + len &&
                   (strcspn(line, ".e") < (size_t)(end - line) || fabs(number) > LARGEST_WHOLE)) {
            char text[NUMBER_ROOM];
            buffer_add(&reduced, text, write_double(text, number));
            buffer_add(&reduced, end, (size_t)(line + len - end));
        } else {
            buffer_add(&reduced, line, len);
        }
    }
    buffer_free(b);
    *b = reduced;
}

static bool are_same_bytes(const buffer *a, const buffer *b)
{
    return a->len == b->len && (a->len == 0 || memcmp(a->at, b->at, a->len) == 0);
}

/* Replaces what stands from `at` to `to` in the buffer by this text. Returns where that ends. */
static char *put_text(buffer *b, char *at, char *to, const char *text)
{
    size_t len = strlen(text), behind = (size_t)(b->at + b->len - to);

    memmove(at + len, to, behind); /* the text is never longer than what it replaces */
    memcpy(at, text, len);
    b->len = (size_t)(at - b->at) + len + behind;
    return at + len;
}

/* What ROLE tells of the stream of replication is chance: how far it has come, and whether a connection to a server that is
 * not there is being tried. */
static void reduce_role(buffer *b)
{
    static const char master[] = "*3\r\n$6\r\nmaster\r\n:", slave[] = "*5\r\n$5\r\nslave\r\n";
    static const char tries[] = "$10\r\nconnecting\r\n";
    char *at = b->at;

    while (at != NULL && (at = memmem(at, (size_t)(b->at + b->len - at), master, sizeof(master) - 1)) != NULL) {
        at += sizeof(master) - 1;
        char *end = memchr(at, '\r', (size_t)(b->at + b->len - at));
        at = end != NULL ? put_text(b, at, end, "0") : NULL;
    }
    at = b->len > 0 ? memmem(b->at, b->len, slave, sizeof(slave) - 1) : NULL;
    while (at != NULL && (at = memmem(at, (size_t)(b->at + b->len - at), tries, sizeof(tries) - 1)) != NULL) {
        at = put_text(b, at, at + sizeof(tries) - 1, "$7\r\nconnect\r\n");
    }
}

static bool are_equal(buffer *real, buffer *model)
{
    reduce_role(real);
    if (!bed.is_exact && !are_same_bytes(real, model)) {
        reduce(real);
        reduce(model);
    }
    return are_same_bytes(real, model);
}

/* Has the server sent as much as the model? */
static bool has_all(const both *b)
{
    const char *at = b->real.at;
    size_t len = b->real.len, model_len = b->model.len, next;

    if (bed.is_exact) {
        return len >= model_len;
    }
    /* As many replies: their lengths may differ. */
    for (const char *p = b->model.at; model_len > 0; p += next, model_len -= next) {
        size_t real_next = len > 0 ? reply_len(at, len) : 0;
        next = reply_len(p, model_len);
        if (real_next == 0 || next == 0) {
            return false;
        }
        at += real_next;
        len -= real_next;
    }
    return true;
}

/* Reads what the server answers to a step. Waits only for what the model has answered, too. */
static void collect(both *b)
{
    int patience = bed.is_hasty ? SHORT_MS : PATIENCE_MS;
    int64_t until = monotonic_ms() + patience;

    while (!b->real_closed && monotonic_ms() < until &&
           (b->model.len > b->real.len || !has_all(b) || redis_is_closed(b->link))) {
        size_t before = b->real.len;
        read_real(b, patience);
        if (b->real.len == before && b->real_closed) {
            break;
        }
        if (!bed.is_exact && has_all(b) && !redis_is_closed(b->link)) {
            break;
        }
    }
}

/* Redis 7.0 serves a client that is blocked on several keys, whatever has become of those that do not serve it. Others
 * run its BLPOP again, which one of these refuses if it has become no list. */
static bool is_refused_for_another_key(unsigned link)
{
    static const char refused[] = "-WRONGTYPE";
    const buffer *real = &bed.links[link].real;

    return !bed.is_exact && bed.were_blocked[link] && real->len >= sizeof(refused) &&
           memcmp(real->at, refused, sizeof(refused) - 1) == 0;
}

/* Compares what the links have answered to a step. Returns false, with bed.what and bed.where, if that differs, and not
 * by chance. */
static bool compare_step(void)
{
    bool any = false;

    for (size_t i = 0; i < LINKS; i++) {
        any = any || bed.links[i].model.len > 0;
    }
    if (!any) {
        settle();
    }
    for (unsigned i = 0; i < LINKS; i++) {
        both *b = &bed.links[i];
        if (b->model.len > 0 || redis_is_closed(b->link)) {
            collect(b);
        }
        read_real(b, 0);
        bed.where = i;
        if (!are_equal(&b->real, &b->model)) {
            bed.is_chance = is_refused_for_another_key(i);
            snprintf(bed.what, sizeof(bed.what), "the reply");
            return bed.is_chance;
        }
        if (b->real_closed != redis_is_closed(b->link)) {
            snprintf(bed.what, sizeof(bed.what), "the real server has %s the link", b->real_closed ? "closed" : "left");
            return false;
        }
        b->real.len = b->model.len = 0;
        if (b->real_closed) {
            reconnect(i);
        }
    }
    return true;
}

/* Lists the keys of a pattern as redis_visit() does: a line of name, type, TTL and value each. */
static const char dump_text[] =
    "local function hex(c) return string.format('\\\\x%02x', string.byte(c)) end "
    "local function esc(s) return (string.gsub(string.gsub(s, '[\\\\=]', hex), '[^%w%p]', hex)) end "
    "local keys, out = redis.call('KEYS', ARGV[1]), {} "
    "table.sort(keys) "
    "for _, k in ipairs(keys) do "
    "  local t, v = redis.call('TYPE', k).ok, {} "
    "  if t == 'string' then v[1] = redis.call('GET', k) "
    "  elseif t == 'list' then for i, e in ipairs(redis.call('LRANGE', k, 0, -1)) do v[i] = esc(e) end "
    "  elseif t == 'hash' then "
    "    local f = redis.call('HKEYS', k) table.sort(f) "
    "    for i, e in ipairs(f) do v[i] = esc(e) .. '=' .. esc(redis.call('HGET', k, e)) end "
    "  else "
    "    local z = redis.call('ZRANGE', k, 0, -1, 'WITHSCORES') "
    "    for i = 1, #z, 2 do v[#v + 1] = esc(z[i]) .. '=' .. z[i + 1] end "
    "  end "
    "  out[#out + 1] = esc(k) .. ' ' .. t .. ' ' .. string.format('%.0f ', redis.call('PTTL', k)) .. table.concat(v, ' "
    "') .. '\\n' "
    "end "
    "return table.concat(out)";

/* What is compared of the keys in the end. */
typedef struct part {
    buffer *out;
    const char *tag; /* with which their names begin */
} part;

/* Appends a key of the model, as dump_text has it. `arg`: the part. */
static void visit_model(void *arg, const char *key, size_t key_len, const char *type, const char *dump, size_t dump_len,
                        int64_t ttl_ms)
{
    const part *of = arg;
    buffer *out = of->out;
    char ttl[NUMBER_ROOM];

    if (key_len < strlen(of->tag) || memcmp(key, of->tag, strlen(of->tag)) != 0) {
        return;
    }

    for (size_t i = 0; i < key_len; i++) {
        char code[8];
        unsigned char c = (unsigned char)key[i];
        bool is_plain = c > ' ' && c < 0x7f && c != '\\' && c != '=';
        buffer_add(out, code, (size_t)snprintf(code, sizeof(code), is_plain ? "%c" : "\\x%02x", c));
    }
    buffer_add_text(out, " ");
    buffer_add_text(out, type);
    buffer_add_text(out, " ");
    buffer_add(out, ttl, (size_t)snprintf(ttl, sizeof(ttl), "%.0f", (double)ttl_ms)); /* as Lua has it */
    buffer_add_text(out, " ");
    buffer_add(out, dump, dump_len);
    buffer_add_text(out, "\n");
}

/* Appends the keys of the real server's present database that begin with this tag: a script of a cluster reaches one slot. */
static void dump_real(int node, const char *tag)
{
    both *b = &bed.servers[node].admin;
    buffer request = {0};
    char pattern[16];
    size_t header;

    buffer_add_text(&request, tag[0] != '\0' ? "*5\r\n$4\r\nEVAL\r\n" : "*4\r\n$4\r\nEVAL\r\n");
    add_bulk(&request, dump_text, sizeof(dump_text) - 1);
    add_bulk(&request, tag[0] != '\0' ? "1" : "0", 1);
    if (tag[0] != '\0') {
        add_bulk(&request, tag, strlen(tag));
    }
    snprintf(pattern, sizeof(pattern), "%s*", tag);
    add_bulk(&request, pattern, strlen(pattern));
    ask(node, &request);
    if (b->real.at[0] != '$') {
        fail("the server does not tell its keys: %.*s", (int)b->real.len, b->real.at);
    }
    header = strcspn(b->real.at, "\n") + 1;
    buffer_add(&bed.real_state, b->real.at + header, b->real.len - header - 2);
}

static bool compare_slots(void)
{
    for (int group = 0; group < GROUPS; group++) {
        int node = cluster_owner(group);
        redis_visit(bed.servers[node].model, visit_model, &(part){&bed.model_state, cluster_tags[group]});
        dump_real(node, cluster_tags[group]);
    }
    return are_equal(&bed.real_state, &bed.model_state);
}

static bool compare_state(void)
{
    bed.real_state.len = bed.model_state.len = 0;
    if (options.is_cluster) {
        return compare_slots();
    }
    redis_visit(bed.servers[0].model, visit_model, &(part){&bed.model_state, ""});
    dump_real(0, "");
    admin(0, "SELECT 1");
    dump_real(0, "");
    admin(0, "SELECT 0");
    return are_equal(&bed.real_state, &bed.model_state);
}

/* ---- running, shortening, telling ---- */

/* Closes the slots that are open. Returns false if that makes a difference, and not by chance. */
static bool close_slots(void)
{
    bool is_same = true;

    note_blocked(bed.were_blocked);
    while (cluster_close_one()) {
        note_ends(bed.were_blocked);
        is_same = is_same && (bed.is_chance || compare_step());
        note_blocked(bed.were_blocked);
    }
    return is_same;
}

/* Runs a sequence. Returns after how many steps the two differ, the number of all steps and one if their keys do in the
 * end; 0 if they do not differ. */
static size_t run(const sequence *s)
{
    size_t differs = 0;

    begin(s);
    for (size_t i = 0; i < s->count && differs == 0 && !bed.is_chance; i++) {
        if (!s->steps[i].is_left_out) {
            do_step(&s->steps[i]);
            differs = bed.is_chance || compare_step() ? 0 : i + 1;
        }
    }
    if (options.is_cluster) {
        differs = close_slots() || differs != 0 ? differs : s->count;
    }
    if (differs == 0 && !bed.is_chance && !compare_state()) {
        differs = s->count + 1;
        snprintf(bed.what, sizeof(bed.what), "the keys in the end");
    }
    for (int i = 0; i < bed.count; i++) {
        redis_free(bed.servers[i].model);
    }
    return differs;
}

/* Leaves out steps, first many at a time, as long as the two still differ. */
static size_t shorten(sequence *s, size_t differs)
{
    bed.is_hasty = true;
    for (size_t size = s->count; size > 0; size /= 2) {
        for (size_t from = 0; from < s->count; from += size) {
            bool were_left_out[MOST_STEPS];
            size_t still;
            for (size_t i = 0; i < s->count; i++) {
                were_left_out[i] = s->steps[i].is_left_out;
                s->steps[i].is_left_out |= (i >= from && i < from + size) || i >= differs;
            }
            still = run(s);
            for (size_t i = 0; i < s->count && still == 0; i++) {
                s->steps[i].is_left_out = were_left_out[i];
            }
            differs = still != 0 ? still : differs;
        }
    }
    bed.is_hasty = false;
    return run(s);
}

static const char *script_name(const char *text, size_t len)
{
    for (size_t i = 0; scripts[i] != NULL; i++) {
        if ((len == scripts[i]->text_len && memcmp(text, scripts[i]->text, len) == 0) ||
            (len == 40 && memcmp(text, scripts[i]->evalsha + RL_SCRIPT_EVALSHA_LEN - 42, 40) == 0)) {
            return scripts[i]->name;
        }
    }
    return NULL;
}

/* Appends requests as words; bytes that are none, as they are. */
static void show_requests(buffer *out, const char *bytes, size_t len)
{
    size_t next;

    for (size_t at = 0; at < len; at += next) {
        const char *p = strchr(bytes + at, '\n');
        next = reply_len(bytes + at, len - at);
        if (next == 0 || bytes[at] != '*' || p == NULL) {
            show(out, bytes + at, len - at);
            return;
        }
        for (p++; p < bytes + at + next;) {
            size_t word = (size_t)strtol(p + 1, NULL, 10);
            const char *name;
            if (*p != '$' || word >= (size_t)(bytes + at + next - p)) {
                show(out, p, (size_t)(bytes + at + next - p));
                break;
            }
            p = strchr(p, '\n') + 1;
            name = script_name(p, word);
            buffer_add_text(out, name != NULL ? " " : " \"");
            show(out, name != NULL ? name : p, name != NULL ? strlen(name) : word);
            buffer_add_text(out, name != NULL ? "" : "\"");
            p += word + 2;
        }
        buffer_add_text(out, at + next < len ? " ;" : "");
    }
}

/* Appends a step as a line. */
static void show_step(buffer *out, const step *s)
{
    static const char *const kinds[] = {"",     "time",     "reconnect",     "full", "read only",
                                        "deny", "password", "flush scripts", "slot"};

    buffer_add_text(out, "  ");
    if (s->kind == STEP_SEND || s->kind == STEP_RECONNECT || s->kind == STEP_SLOT) {
        buffer_add_text(out, s->kind == STEP_SLOT ? "tag " : "link ");
        buffer_add_number(out, s->link);
        buffer_add_text(out, ":");
    }
    if (s->kind == STEP_SEND) {
        show_requests(out, s->bytes, s->len);
    } else {
        buffer_add_text(out, kinds[s->kind]);
        buffer_add_text(out, " ");
        if (s->kind == STEP_DENY) {
            buffer_add_text(out, s->bytes != NULL ? s->bytes : "nothing");
        } else {
            buffer_add_number(out, s->amount);
        }
    }
    buffer_add_text(out, "\n");
}

static void tell_side(const char *side, const buffer *bytes)
{
    buffer text = {0};

    show(&text, bytes->at, bytes->len);
    printf("  %s %.*s\n", side, (int)text.len, text.at != NULL ? text.at : "");
    buffer_free(&text);
}

/* Prints the steps of a sequence up to the one at which the two differ, and what each of them answered. */
static void tell(const sequence *s, size_t differs)
{
    bool is_state = differs == s->count + 1;
    buffer text = {0};

    for (size_t i = 0; i < s->count && i < differs; i++) {
        if (!s->steps[i].is_left_out) {
            show_step(&text, &s->steps[i]);
        }
    }
    printf("seed %" PRIu64 ": the server and the model differ in this: %s", s->seed, bed.what);
    if (!is_state) {
        printf(", on link %u", bed.where);
    }
    printf(". The clock begins at %" PRId64 "%s.\n%.*s", s->start, s->knows_scripts ? "" : ", no script is known",
           (int)text.len, text.at != NULL ? text.at : "");
    tell_side("server:", is_state ? &bed.real_state : &bed.links[bed.where].real);
    tell_side("model: ", is_state ? &bed.model_state : &bed.links[bed.where].model);
    fflush(stdout);
    buffer_free(&text);
}

/* If the two do not differ again, they did so by chance: then the sequence is told as it was. */
static void tell_shortened(sequence *s, size_t differs)
{
    bool is_state = differs == s->count + 1;
    unsigned where = bed.where;
    buffer *sides[2] = {is_state ? &bed.real_state : &bed.links[where].real,
                        is_state ? &bed.model_state : &bed.links[where].model};
    buffer kept[2] = {{0}, {0}};
    char what[sizeof(bed.what)];
    size_t still;

    memcpy(what, bed.what, sizeof(what));
    for (size_t i = 0; i < 2; i++) {
        buffer_add(&kept[i], sides[i]->at, sides[i]->len);
    }
    still = shorten(s, differs);
    if (still == 0) {
        printf("not again:\n");
        memcpy(bed.what, what, sizeof(what));
        bed.where = where;
        for (size_t i = 0; i < s->count; i++) {
            s->steps[i].is_left_out = false;
        }
    }
    for (size_t i = 0; i < 2; i++) {
        buffer_free(still == 0 ? sides[i] : &kept[i]);
        if (still == 0) {
            *sides[i] = kept[i];
        }
    }
    tell(s, still != 0 ? still : differs);
}

/* ---- options ---- */

static int64_t number_option(const char *name, const char *text)
{
    char *end;
    long long number = strtoll(text, &end, 10);

    if (*text == '\0' || *end != '\0' || number < 0) {
        fail("--%s must be a whole number, not \"%s\"", name, text);
    }
    return number;
}

/* Reads the command line into `options`. Ends the process if it is wrong. */
static void read_options(int argc, char **argv)
{
    static const struct option known[] = {{"server", required_argument, NULL, 'p'},
                                          {"clock", required_argument, NULL, 'c'},
                                          {"folder", required_argument, NULL, 'f'},
                                          {"seed", required_argument, NULL, 's'},
                                          {"sequences", required_argument, NULL, 'n'},
                                          {"seconds", required_argument, NULL, 't'},
                                          {"stop", no_argument, NULL, 'x'},
                                          {"cluster", no_argument, NULL, 'k'},
                                          {0}};
    int option;

    while ((option = getopt_long(argc, argv, "", known, NULL)) != -1) {
        switch (option) {
        case 'p':
            options.program = optarg;
            break;
        case 'c':
            options.clock_library = optarg;
            break;
        case 'f':
            options.folder = optarg;
            break;
        case 's':
            options.first_seed = (uint64_t)number_option("seed", optarg);
            break;
        case 'n':
            options.sequences = (uint64_t)number_option("sequences", optarg);
            break;
        case 't':
            options.seconds = number_option("seconds", optarg);
            break;
        case 'x':
            options.stops = true;
            break;
        case 'k':
            options.is_cluster = true;
            break;
        default:
            exit(2);
        }
    }
    if (options.program == NULL || options.clock_library == NULL || options.folder == NULL) {
        fail("--server, --clock and --folder are needed");
    }
}

/* Draws and runs one sequence after the other, until there are enough or the time is over. */
int main(int argc, char **argv)
{
    uint64_t passed = 0, failed = 0;
    int64_t until;

    read_options(argc, argv);
    until = monotonic_ms() + options.seconds * 1000;
    bed.count = options.is_cluster ? NODES : 1;
    start_servers();
    atexit(stop_servers);
    for (int i = 0; i < bed.count; i++) {
        open_admin(i);
    }
    for (unsigned i = 0; i < LINKS; i++) {
        connect_real(&bed.links[i], server_of(i));
    }
    for (uint64_t i = 0; i < options.sequences && monotonic_ms() < until; i++) {
        sequence s;
        size_t differs;
        sequence_draw(&s, options.first_seed + i);
        if (options.is_cluster) {
            cluster_draw(&s);
        }
        differs = run(&s);
        passed += differs == 0;
        failed += differs != 0;
        if (differs != 0 && failed <= MOST_SHOWN) {
            tell_shortened(&s, differs);
        }
        sequence_free(&s);
        if (failed > 0 && options.stops) {
            break;
        }
    }
    for (size_t i = 0; i < LINKS; i++) {
        buffer_free(&bed.links[i].real);
        buffer_free(&bed.links[i].model);
    }
    for (int i = 0; i < bed.count; i++) {
        buffer_free(&bed.servers[i].admin.real);
        buffer_free(&bed.servers[i].admin.model);
    }
    buffer_free(&bed.real_state);
    buffer_free(&bed.model_state);
    printf("%" PRIu64 " passed, %" PRIu64 " failed\n", passed, failed);
    return failed > 0;
}

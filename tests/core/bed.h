/* SPDX-License-Identifier: MIT
 *
 * bed: the fixtures of the core's tests: private servers, clients, processes that can be killed, a relay that loses
 * replies, a server that lies. All processes among them end with the test.
 */
#ifndef REDISLOCK_TEST_BED_H
#define REDISLOCK_TEST_BED_H

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include <hiredis/hiredis.h>

#include "harness.h"
#include "lock_core.h"
#include "lock/keys.h"
#include "platform/platform.h"

#define MS(n) ((int64_t)(n)*PLATFORM_MSEC)

/* Declares a variable that is closed by `close` at the end of its block. */
#define CLOSED_BY(close) __attribute__((cleanup(close)))

/* By how many ms a script moves the end of a lease that it marks: see lua/inc/mark.lua. */
#define MARK 5

/* A string literal or a C string as bytes. */
#define BYTES(text) ((rl_bytes){text, strlen(text)})

/* Returns how many ms ago `start` was, a time of platform_now(). */
int64_t ms_since(int64_t start);
void sleep_ms(int64_t ms);

/* ---- a real server ---- */

typedef struct server {
    pid_t pid;
    char path[104];        /* of its unix socket */
    redisContext *raw;     /* for say(); NULL while the server is dead */
    atomic_bool is_frozen; /* see server_freeze() */
    int hole;              /* see server_vanish(); 0: there is none */
    int64_t clock_offset;  /* µs that its clock is ahead of the machine's, if it has one of its own */
    char options[512];     /* for its command line, at each start */
} server;

/* Starts a server and waits until it answers. `options`: more words for its command line, such as "--requirepass x";
 * may be NULL. */
void server_start(server *s, const char *options);
/* The same with a file of this name and text in the server's folder. */
void server_start_with(server *s, const char *options, const char *file, const char *text);
/* From now on, servers that are started have clocks of their own. server_turn_clock() then sets such a clock forward by so
 * many ms; back if they are negative. */
void servers_get_clocks(void);
void server_turn_clock(server *s, int64_t ms);
/* Kills the server by SIGKILL, as a crash does. server_restart() then starts it empty on the same socket. */
void server_kill(server *s);
void server_restart(server *s);
/* Kills the server and leaves a socket in its place to which connections are neither made nor refused, as if its host
 * were gone. server_restart() ends that. */
void server_vanish(server *s);
void server_stop(server *s);
#define SERVER(s, options)                                                                                             \
    CLOSED_BY(server_stop) server s;                                                                                   \
    server_start(&(s), options)

/* Stops the server by SIGSTOP: the kernel still accepts connections and bytes for it, and it answers nothing. Lets it
 * go on by SIGCONT. */
void server_freeze(server *s);
void server_thaw(server *s);

/* Sends a command, formatted as by redisCommand(), and returns the reply as text: "(nil)" for nil, an array's elements
 * with spaces between. The text is overwritten by the eighth call after this one. */
const char *say(server *s, const char *format, ...);
long long say_number(server *s, const char *format, ...);

/* Returns how often the server has run this command (such as "evalsha") since CONFIG RESETSTAT. */
long long server_calls(server *s, const char *command);

/* Waits until the server has no key, 5 s at most, so that what was sent to it can be carried out. */
void until_no_key(server *s);

/* Waits until the server has this key and no other. Fails if that takes longer than a second: the keys of a wait expire
 * later than that, so they must have been deleted. */
void until_only_key(server *s, const char *key);

/* Fails unless there is no key in the server at all. */
#define CHECK_NO_KEY(s) CHECK_TEXT(say(s, "KEYS *"), "")

/* Returns a connection of our own to where the DSN leads, which is made when it is first used. Freed by rl_conn_free(). */
rl_conn *conn_to(const char *dsn);

/* ---- a client of ours ---- */

typedef struct client {
    lock_client lock;
    rl_pool pool;
    rl_backlog backlog;
    rl_endpoint endpoint;
    lock_extensions extensions;
    lock_stats stats;
    rl_error error;   /* of the last call */
    lock_lease lease; /* of the last acquire */
} client;

/* Opens a client of the server at this socket, which may take 5 s each to connect and to read, as a busy machine may, and looks
 * every 100 ms at a holder that is none of ours. It has no limits of its own beside these. */
void client_open(client *c, const char *socket_path);
void client_open_dsn(client *c, const char *dsn);
/* Lets it take only so many ms each to connect and to read, if a test waits until they are over. */
void client_gives_up_after(client *c, int64_t ms);
void client_close(client *c);
#define CLIENT(c, socket_path)                                                                                         \
    CLOSED_BY(client_close) client c;                                                                                  \
    client_open(&(c), socket_path)

/* The calls of lock_core, on c->lease, which is freed when a lock is taken anew. Times are ms. */
lock_outcome take(client *c, const char *name, int64_t lease, int64_t timeout);
lock_outcome take_as(client *c, const char *name, const char *token, int64_t lease, int64_t timeout);
lock_outcome drop(client *c, const char *name);
lock_outcome extend(client *c, const char *name, int64_t lease);
int64_t waiters(client *c, const char *name);
/* Returns the token of c->lease as a C string, which is overwritten by the eighth call after this one. */
const char *token_of(const client *c);

/* Waits until at least `count` clients wait for the lock, and are blocked. */
void until_waiting(server *s, const char *name, int count);

/* ---- several servers ---- */

#define RING_MOST 5

typedef struct ring {
    int count;
    server servers[RING_MOST];
    rl_endpoint endpoints[RING_MOST];
} ring;

/* Starts `count` servers, which know nothing of each other. `options`: see server_start(). */
void ring_open(ring *r, int count, const char *options);
void ring_close(ring *r);
#define RING(r, count, options)                                                                                        \
    CLOSED_BY(ring_close) ring r;                                                                                      \
    ring_open(&(r), count, options)

/* A client of all of them. */
void ring_client(client *c, const ring *r);
#define RING_CLIENT(c, ring)                                                                                           \
    CLOSED_BY(client_close) client c;                                                                                  \
    ring_client(&(c), ring)

/* Waits until no server that runs has any key but fences. Fails if that takes longer than 5 s. */
void ring_is_clean(ring *r);

/* ---- others ---- */

/* Starts a process that runs `run` and ends. It is killed when the process that started it ends. */
pid_t process_start(void (*run)(void *), void *arg);
/* Waits for the end of the process. Fails unless its exit status is 0. */
void process_join(pid_t pid);
void process_kill(pid_t pid);
/* Stops the process by SIGSTOP and waits until it has stopped. */
void process_freeze(pid_t pid);

/* Returns zeroed memory that forked processes share. */
void *shared(size_t size);

pthread_t thread_start(void *(*run)(void *), void *arg);
void thread_join(pthread_t thread);

/* ---- a relay between a client and a server ---- */

typedef struct relay {
    char path[104]; /* where it listens */
    pid_t pid;
    struct relay_control {
        atomic_int swallow;     /* n: the n-th reply from now on is lost, and its connection cut; 0: none is */
        atomic_int refuse;      /* n: the next n requests that are about many locks are refused; 0: none */
        atomic_int hold;        /* the number of a connection, from 1 on, whose requests are kept back; 0: none */
        atomic_int pass;        /* n: the next n requests are passed on all the same, and the hold begins behind them */
        atomic_int connections; /* accepted so far */
        atomic_int requests;    /* chunks of bytes that came from clients so far */
        atomic_int swallowed;   /* replies that were lost so far */
    } * control;
} relay;

void relay_start(relay *r, const server *s);
void relay_stop(relay *r);
#define RELAY(r, server)                                                                                               \
    CLOSED_BY(relay_stop) relay r;                                                                                     \
    relay_start(&(r), server)

/* ---- a server that says what the test wants ---- */

/* How the bytes of a lie are sent. */
typedef enum lie_how {
    LIE_SEND,    /* at once */
    LIE_DRIP,    /* one byte at a time, with pauses */
    LIE_TRICKLE, /* at once, then the last byte again and again, one at a time without pauses */
    LIE_CLOSE,   /* at once; then the connection is closed */
    LIE_RESET,   /* at once; then the connection is reset (TCP) */
    LIE_TREE,    /* not at all; instead an array of arrays of arrays of numbers, too large to end during the test */
    LIE_FLOOD,   /* again and again, as fast as possible */
} lie_how;

/* One answer of a liar. The n-th lie answers the n-th request on a connection, the last one also all that follow. */
typedef struct lie {
    const char *bytes;
    size_t len;
    lie_how how;
} lie;

#define LIE(text, how)                                                                                                 \
    {                                                                                                                  \
        text, sizeof(text) - 1, how                                                                                    \
    }
#define MAX_LIES 8

typedef struct liar {
    char dsn[128]; /* its address */
    pid_t pid;
    struct liar_control {
        atomic_int connections;
        atomic_int requests;
        atomic_llong sent; /* bytes of LIE_TREE and LIE_FLOOD so far */
        lie lies[MAX_LIES];
        const char *to[MAX_LIES]; /* the lie answers only requests with this argument; NULL: see lie */
        size_t count;
    } * control;
} liar;

void liar_start(liar *l, bool tcp, const lie *lies, size_t count);
void liar_stop(liar *l);

/* ---- a server that answers each request as the test wants it at the moment ---- */

#define PUPPET_TEXT 262144

typedef struct puppet {
    liar liar;
    int port;
    int holds;                  /* a socket that keeps the port from others, also when the puppet is dead */
    char (*texts)[PUPPET_TEXT]; /* of its lies */
} puppet;

/* Starts one that listens on a TCP port and answers nothing. */
void puppet_start(puppet *p);
void puppet_stop(puppet *p);
#define PUPPET(p)                                                                                                      \
    CLOSED_BY(puppet_stop) puppet p;                                                                                   \
    puppet_start(&(p))

/* From now on, it answers requests that have the word among their arguments by these bytes; "": not at all. The word is a
 * literal. Up to MAX_LIES words. */
void puppet_answers(puppet *p, const char *word, const char *reply);

/* Closes the connection over which such a request comes, without an answer. */
void puppet_breaks(puppet *p, const char *word);

/* Lets it refuse connections from now on, and breaks those that there are. No other server gets its port meanwhile. */
void puppet_kill(puppet *p);

/* Lets it answer as a sentinel, of a master at this address with this epoch; and as that master, which takes any login. */
void puppet_names(puppet *p, const char *host, int port, int epoch);
void puppet_is_master(puppet *p);

/* How often it was asked, and over how many connections. */
int puppet_requests(const puppet *p);
int puppet_connections(const puppet *p);

/* How much a sanitizer or a busy machine may add to a time, in ms; under valgrind, where all is slow, ten times as much. */
#ifdef UNDER_VALGRIND
#define SLACK (600 + held_up())
#else
#define SLACK (60 + held_up())
#endif

/* Waits until the replicas of a server acknowledge at once what is written. Writes and deletes the key. */
void until_acknowledged(server *master, int replicas, const char *key);

/* Has a call failed for want of an answer, while the machine held the test up? What a WAIT says when its time is over counts
 * only if it comes at once, for which a busy machine may be too slow. Nor is it an answer that another node is to be asked, for
 * which no time was left. `before`: held_up() before the call. */
bool was_held_up(const rl_error *error, int64_t before);

/* Makes a call that is to fail by what the server says of its replicas. One that was held up has said nothing of that, and
 * is made again, as often as there is time in the test. */
#define CHECK_LACKS_REPLICAS(call, error)                                                                              \
    do {                                                                                                               \
        int64_t before_ = held_up();                                                                                   \
        CHECK_INT(call, LOCK_FAILED);                                                                                  \
        if (!was_held_up(error, before_)) {                                                                            \
            break;                                                                                                     \
        }                                                                                                              \
    } while (true)

/* How many ms before its deadline a call may end: its last try is sent early enough for the answer to arrive in time. If
 * answers came late since the machine was busy, that is earlier still. */
#define EARLY (15 + held_up())

/* Takes a TCP port of this machine for a server to come. Returns false if somebody listens there, or another test has taken it.
 * The port is given back when this process ends. */
bool port_take(int port);

/* Returns a port that was free, and is taken. */
int free_port(void);

/* Prepares the endpoint, whose host was found at `address`; NULL: it was not found. */
bool prepare_at(rl_endpoint *endpoint, const char *address, char *why, size_t size);

/* ---- what is safe only as long as a lease runs ---- */

/* Until when the lease runs, as its holder believes: a time of platform_now(). */
int64_t lease_end(const lock_lease *lease);

/* Checks what no busy machine excuses before `end`, which lease_end() has told. Later it may be that the lease was over, since
 * the test was held up. */
#define CHECK_SAFE_UNTIL(end, condition)                                                                               \
    do {                                                                                                               \
        int64_t end_ = (end);                                                                                          \
        if (!(condition)) {                                                                                            \
            (platform_now() < end_ ? test_unsafe : test_fail)(__FILE__, __LINE__, "%s", #condition);                   \
        }                                                                                                              \
    } while (0)

/* Somebody else holds the lock, until `end`. A second holder is what no busy machine excuses, but no answer in time is: whoever
 * was held up meanwhile is asked again, as often as there is time in the test. */
#define CHECK_BUSY(end, taken)                                                                                         \
    do {                                                                                                               \
        int64_t until_ = (end), before_ = held_up();                                                                   \
        lock_outcome outcome_ = (taken);                                                                               \
        CHECK_SAFE_UNTIL(until_, outcome_ != LOCK_YES);                                                                \
        if (outcome_ == LOCK_FAILED && held_up() - before_ >= HELD_UP_MS) {                                            \
            continue;                                                                                                  \
        }                                                                                                              \
        CHECK_INT(outcome_, LOCK_BUSY);                                                                                \
        break;                                                                                                         \
    } while (true)

#define SECTION_PLACES 64

/* The section that a lock guards. In memory that is shared() if processes enter it. */
typedef struct section {
    atomic_llong ends[SECTION_PLACES]; /* until when each of those inside believes that it holds the lock; 0: nobody */
} section;

/* Enters the section with a lease, and checks that of those inside nobody else believes in one now. Returns the place that
 * section_leave() takes. Whoever is killed inside is believed to hold the lock until its lease is over. */
int section_enter(section *s, const lock_lease *lease);
void section_leave(section *s, int place);

#endif

/* SPDX-License-Identifier: MIT
 *
 * bed: what the tests of the core stand on: private servers, clients, processes that can be killed, a relay that loses
 * replies, a server that lies. All of it dies with the test.
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
#include "platform.h"

#define MS(n) ((int64_t)(n)*PLATFORM_MSEC)

/* Declares what is closed by itself at the end of the block. */
#define CLOSED_BY(close) __attribute__((cleanup(close)))

/* A string literal or a C string as bytes. */
#define BYTES(text) ((rl_bytes){text, strlen(text)})

/* ms since a time of platform_now(). */
int64_t ms_since(int64_t start);
void sleep_ms(int64_t ms);

/* ---- a real server ---- */

typedef struct server {
    pid_t pid;
    char path[104];    /* of its unix socket */
    redisContext *raw; /* for say(); NULL while it is dead */
    bool is_frozen;
} server;

/* Starts one and waits until it answers. `options`: more words for its command line, such as "--requirepass x". */
void server_start(server *s, const char *options);
/* SIGKILL, as a crash. After it, server_restart() starts it empty on the same socket. */
void server_kill(server *s);
void server_restart(server *s);
void server_stop(server *s);
#define SERVER(s, options)                                                                                             \
    CLOSED_BY(server_stop) server s;                                                                                   \
    server_start(&(s), options)

/* SIGSTOP: it accepts what the kernel takes for it, and answers nothing; SIGCONT. */
void server_freeze(server *s);
void server_thaw(server *s);

/* Sends a command, formatted as by redisCommand(), and returns the reply as text: (nil) for nothing, an array's
 * elements with spaces between. The text is good until eight calls later. */
const char *say(server *s, const char *format, ...);
long long say_number(server *s, const char *format, ...);

/* How often the server was sent this command ("evalsha"), since CONFIG RESETSTAT. */
long long server_calls(server *s, const char *command);

/* Gives what was sent to it time to be carried out: until there is no key, for 5 s at most. */
void until_no_key(server *s);

/* Waits until there is this key and no other; fails if that takes longer than a second: the keys of a wait have more. */
void until_only_key(server *s, const char *key);

/* Fails unless there is no key in the server at all. */
#define CHECK_NO_KEY(s) CHECK_TEXT(say(s, "KEYS *"), "")

/* ---- a client of ours ---- */

typedef struct client {
    lock_client lock;
    rl_pool pool;
    rl_backlog backlog;
    rl_endpoint endpoint;
    bool by_script; /* see lock_client */
    lock_extensions extensions;
    lock_stats stats;
    rl_error error;   /* of the last call */
    lock_lease lease; /* of the last acquire */
} client;

/* Without time limits of its own: connect and read within 1 s, retry_interval 100 ms. */
void client_open(client *c, const char *socket_path);
void client_open_dsn(client *c, const char *dsn);
void client_close(client *c);
#define CLIENT(c, socket_path)                                                                                         \
    CLOSED_BY(client_close) client c;                                                                                  \
    client_open(&(c), socket_path)

/* The calls of lock_core on c->lease, which is freed when it is released or taken anew. Times in ms. */
lock_outcome take(client *c, const char *name, int64_t lease, int64_t timeout);
lock_outcome take_as(client *c, const char *name, const char *token, int64_t lease, int64_t timeout);
lock_outcome drop(client *c, const char *name);
lock_outcome extend(client *c, const char *name, int64_t lease);
int64_t waiters(client *c, const char *name);
/* c->lease's token, as a C string good until eight calls later. */
const char *token_of(const client *c);

/* Waits until so many wait for the lock, and are blocked. */
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

/* Waits until none of those that run has a key but fences; fails if that takes longer than a second. */
void ring_is_clean(ring *r);

/* ---- others ---- */

/* A process that runs `run` and ends. It dies with the process that started it. */
pid_t process_start(void (*run)(void *), void *arg);
/* Fails unless it ended well. */
void process_join(pid_t pid);
void process_kill(pid_t pid);
/* Stops it and waits until it has. */
void process_freeze(pid_t pid);

/* Zeroed memory that forked processes share. */
void *shared(size_t size);

pthread_t thread_start(void *(*run)(void *), void *arg);
void thread_join(pthread_t thread);

/* ---- a relay between a client and a server ---- */

typedef struct relay {
    char path[104]; /* where it listens */
    pid_t pid;
    struct relay_control {
        atomic_int swallow; /* n: the n-th reply from now on is lost, and its connection cut */
        atomic_int hold;    /* the number of a connection, from 1 on, whose requests are kept back while it is set */
        atomic_int connections; /* accepted so far */
        atomic_int requests;    /* chunks of bytes that came from clients */
        atomic_int swallowed;
    } * control;
} relay;

void relay_start(relay *r, const server *s);
void relay_stop(relay *r);
#define RELAY(r, server)                                                                                               \
    CLOSED_BY(relay_stop) relay r;                                                                                     \
    relay_start(&(r), server)

/* ---- a server that says what the test wants ---- */

typedef enum lie_how {
    LIE_SEND,
    LIE_DRIP,    /* one byte at a time, with pauses */
    LIE_TRICKLE, /* the last byte again and again, one at a time, without */
    LIE_CLOSE,   /* and hang up */
    LIE_RESET,   /* and reset the connection (TCP) */
    LIE_TREE,    /* and an array of arrays of arrays of numbers that will not end in our time */
    LIE_FLOOD,   /* again and again, as fast as it goes */
} lie_how;

/* What the n-th request on a connection is answered with; the last answers all that follow. */
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
    char dsn[128];
    pid_t pid;
    struct liar_control {
        atomic_int connections;
        atomic_int requests;
        atomic_llong sent; /* bytes */
        lie lies[MAX_LIES];
        size_t count;
    } * control;
} liar;

void liar_start(liar *l, bool tcp, const lie *lies, size_t count);
void liar_stop(liar *l);

/* What a sanitizer or a busy machine may add to a time in ms. */
#define SLACK (60 + held_up())

/* The last try is sent a little before the deadline, so that its answer comes by then; on a busy machine earlier still. */
#define EARLY 15

#endif

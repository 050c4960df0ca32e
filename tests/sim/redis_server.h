/* SPDX-License-Identifier: MIT
 *
 * redis_server: what the parts of the simulated Redis know of each other. Its users include redis.h only.
 *
 *   redis_link.c      connections: requests out of bytes, what is blocked, faults, time
 *   redis_commands.c  the commands
 *   redis_script.c    the scripts
 *   redis_cluster.c   slots: what a node of a cluster serves
 *   redis_data.c      the data
 */
#ifndef SIM_REDIS_SERVER_H
#define SIM_REDIS_SERVER_H

#include "redis.h"
#include "redis_data.h"

#define DATABASES 16

typedef struct redis_cluster redis_cluster;

typedef struct database {
    map keys; /* of value. None of them has expired: see redis_set_time() */
} database;

/* A key in a database: pushed to while clients are blocked on it. */
typedef struct ready_key {
    database *db;
    blob *key; /* owned */
} ready_key;

struct redis {
    int64_t now;         /* µs since 1970 */
    int64_t next_expiry; /* ms since 1970: no key expires earlier */
    database databases[DATABASES];
    char *password;     /* owned; NULL: none */
    bool own_key_order; /* see redis_set_own_key_order() */
    bool is_read_only;
    char master_host[64]; /* valid while `is_read_only`: whose replica it is */
    int master_port;
    const redis_view *view; /* what it knows as a sentinel; NULL: it is none */
    redis_cluster *cluster; /* owned; NULL: it is no node of one */
    bool is_loading;
    bool is_full;
    uint64_t denied; /* a bit for each command: see command_find() */
    uint64_t *knows; /* a bit for each script of the process that was sent to this server; owned */
    size_t knows_room;

    redis_link *links;         /* all */
    redis_link *first_blocked; /* in the order in which they were blocked */
    redis_link *last_blocked;
    redis_link *first_resumed; /* no longer blocked: requests may wait behind the BLPOP */
    redis_link *last_resumed;
    ready_key *ready;
    size_t ready_count;
    size_t ready_room;

    buffer reply;        /* to the request at hand */
    buffer script_reply; /* to the command that a script runs */
    bool in_script;
    bool was_full;     /* when the script started */
    bool script_wrote; /* the script has run a command that may write */
    uint64_t commands_run;
    bool was_written;                          /* by the request at hand, perhaps */
    uint64_t offset;                           /* counts the requests that have perhaps written */
    uint64_t acknowledged[REDIS_MAX_REPLICAS]; /* by each replica: up to which of them it has what they have written */
    size_t replicas;
    void (*wrote)(void *arg);
    void *wrote_arg;
    redis_observer *observer;
    void *observer_arg;
};

struct redis_link {
    redis *server;
    redis_link *next, *previous; /* of all links */
    redis_output *output;
    void *output_arg;
    database *db;
    bool is_logged_in;
    bool is_asking; /* the last request was ASKING */
    bool is_closed;
    buffer in;         /* bytes that no request was made of yet */
    const char **argv; /* the arguments of the request at hand; they point into `in` */
    size_t *argv_len;
    size_t argv_room;

    uint64_t offset; /* the last of its own requests that has perhaps written: see redis.offset */

    bool is_blocked;
    bool is_resumed;
    int64_t block_until; /* in ms; NEVER */
    int64_t awaited;     /* how many replicas a WAIT that blocks is for; 0: it is a BLPOP that blocks */
    blob **blocked_argv; /* the BLPOP or WAIT that blocks */
    size_t blocked_argc;
    redis_link *next_waiting, *previous_waiting; /* of the blocked links, or of the resumed ones */
};

/* A command that is to be run. Its reply goes to `out`. */
typedef struct call {
    redis *server;
    redis_link *link; /* who has sent it, or the script that runs it */
    database *db;
    size_t argc;
    const char *const *argv; /* each with a NUL behind it */
    const size_t *len;
    buffer *out;
} call;

enum {
    COMMAND_WRITES = 1,       /* refused by a replica */
    COMMAND_NEEDS_MEMORY = 2, /* refused when there is none */
    COMMAND_WHILE_LOADING = 4,
    COMMAND_BEFORE_LOGIN = 8,
    COMMAND_NOT_IN_SCRIPTS = 16,
    COMMAND_OF_SENTINELS = 32, /* also, or only */
    COMMAND_NO_KEYS = 64,
    COMMAND_MANY_KEYS = 128, /* all arguments are keys, but the timeout of BLPOP */
};

typedef struct command {
    const char *name; /* in small letters */
    int arity;        /* how many words, the name included; negative: at least so many */
    unsigned flags;
    void (*run)(call *c);
} command;

/* Returns the command of this name, in capitals or not; NULL if there is none. */
const command *command_find(const char *name, size_t len);
bool command_fits_arity(const command *command, size_t argc);
bool command_is_denied(const redis *server, const command *command);

/* A sentinel knows few of the commands, and one that no other server knows. */
bool command_is_known(const redis *server, const command *command);

/* Runs a command that was found to be allowed. */
void command_run(const command *command, call *c);

/* Deletes the keys whose time is over. */
void server_expire(redis *server);

/* Notes that a list came to be at this key. */
void server_key_ready(redis *server, database *db, const char *key, size_t len);

/* Blocks the client that sent this BLPOP or WAIT, until `until` (in ms). `awaited`: see redis_link. */
void link_block(call *c, int64_t until, int64_t awaited);

/* Sends the blocked client the reply that has been made. It goes on when server_go_on() is called. */
void link_end_block(redis_link *link);

/* Serves who is blocked on lists that have got something, and lets those go on that are not blocked any more. */
void server_go_on(redis *server);

/* Refuses the command if its keys are not this node's, and answers it then. */
bool cluster_refuses(call *c, const command *command);

/* The same of a command that a script runs; returns why. */
const char *cluster_script_refusal(const call *c, const command *command);

/* How many replicas have acknowledged what this client has written? */
int64_t link_acknowledged(const redis_link *link);

/* The commands for scripts. */
void run_eval(call *c);
void run_evalsha(call *c);
void run_script(call *c);

/* The commands of clusters. */
void run_asking(call *c);
void run_cluster(call *c);

/* Replies. An error is without the dash. */
void reply_status(buffer *out, const char *status);
void reply_error(buffer *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
void reply_unknown(call *c); /* that no such command is known */
void reply_number(buffer *out, int64_t number);
void reply_bytes(buffer *out, const char *bytes, size_t len);
void reply_nil(buffer *out);
void reply_nil_array(buffer *out);
void reply_array(buffer *out, size_t count);

static inline int64_t server_ms(const redis *server)
{
    return server->now / 1000;
}

#endif

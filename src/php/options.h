/* SPDX-License-Identifier: MIT
 *
 * php/options: the servers and options of a constructor, and the INI settings.
 */
#ifndef PHP_REDISLOCK_OPTIONS_H
#define PHP_REDISLOCK_OPTIONS_H

#include "php/arguments.h"
#include "php/globals.h"
#include "php/server_list.h"

/* How a holder hears that its lock is lost. */
typedef enum php_lock_on_loss {
    ON_LOSS_FLAG,  /* it has to ask: lost() */
    ON_LOSS_THROW, /* an exception is thrown into the code that runs */
    ON_LOSS_CALL   /* a function is called */
} php_lock_on_loss;

/* What the constructor was given: where to lock or to queue, and how. */
typedef struct php_rl_options {
    php_rl_servers servers;         /* given by address; the label also has the names of `env` */
    zend_string *env[RL_MAX_NODES]; /* names of the environment variables that hold further servers */
    size_t env_count;
    zend_string *username;          /* for servers whose address has none; NULL: not given */
    zend_string *password;          /* for servers whose address has none; NULL: not given */
    zend_long database;             /* for servers whose address has none; -1: not given */
    zend_string *sentinel_username; /* with which to log in at sentinels; NULL: not given */
    zend_string *sentinel_password; /* NULL: not given */
    bool has_sentinel_tls;          /* the option `sentinel_tls` was given */
    bool sentinel_tls;              /* are sentinels reached by TLS? */
    bool has_tls;                   /* the option `tls` was given, so every server must have TLS */
    rl_tls_options tls;             /* its strings are owned by `tls_strings` */
    zend_string *tls_strings[5];    /* NULL: not given */
    zend_string *prefix;
    zend_string *owner; /* what tokens tell of their owner; NULL: the default, see php/redislock/owner.h */
    bool prefix_closes; /* has the prefix a "}"? */
    php_rl_settings settings;
    zend_long max_attempts; /* of a queue */
    bool fencing;
    bool is_local_given;        /* the option `local` was given */
    bool takeover;              /* locks are taken over from killed holders: see php/redislock/local.h */
    zend_string *metrics_group; /* in which the metrics count all locks; NULL: in that of each lock's name */
    unsigned metrics_number;    /* of that group, in the process `metrics_process` */
    int64_t metrics_process;    /* 0: it was not looked up yet */
    php_lock_on_loss on_loss;
    zval on_loss_function; /* a Closure, with ON_LOSS_CALL; otherwise undefined */
    zval listener;         /* a Closure or a logger: see php/redislock/listener.h; undefined: there is none */
} php_rl_options;

/* What the option `replicas` must be. */
#define PHP_RL_REPLICAS_OF_ONE                                                                                         \
    "option \"replicas\" (or the INI setting redislock.replicas) must be 0 unless there is one server"

/* The names of the options that both classes know. */
#define PHP_RL_COMMON_OPTIONS                                                                                          \
    "prefix", "persistent", "username", "password", "database", "tls", "sentinel_username", "sentinel_password",       \
        "sentinel_tls", "connect_timeout", "read_timeout"

/* Reads the second argument of the constructor, which may be NULL; the servers are read behind it: see php/servers.h. What it
 * does not say comes from the INI settings; `prefix` is used if it gives none. `known` has the names of the options that there
 * are, and NULL at its end. False: an exception was thrown. Either way php_rl_options_free() is due. */
bool php_rl_options_init(php_rl_options *options, const char *const *known, const char *prefix, HashTable *array);
void php_rl_options_free(php_rl_options *options);

/* Frees what the options `on_loss` and `listener` call, before the other options. */
void php_rl_options_forget_functions(php_rl_options *options);

#endif

/* SPDX-License-Identifier: MIT
 *
 * php/options: the servers and options of a constructor, the INI settings, seconds.
 */
#ifndef PHP_REDISLOCK_OPTIONS_H
#define PHP_REDISLOCK_OPTIONS_H

#include "php/globals.h"
#include "redis/endpoint.h"
#include "redis/quorum.h"

/* Servers, each ready to connect to. All zero: none. */
typedef struct php_lock_servers {
    rl_endpoint *list;
    size_t count;
    char *label; /* how messages name them; NULL for none */
} php_lock_servers;

/* Where to lock or to queue and how, as the constructor was told. */
typedef struct php_lock_options {
    bool of_queue;                  /* of a RedisQueue, which knows fewer */
    php_lock_servers servers;       /* its label names also those of: */
    zend_string *env[RL_MAX_NODES]; /* the environment variables that hold further servers */
    size_t env_count;
    zend_string *username; /* these three fill what a server does not say */
    zend_string *password;
    zend_long database; /* -1: not given */
    bool has_tls;       /* the option was given: only for a server that has TLS */
    rl_tls_options tls; /* its strings are those of: */
    zend_string *tls_strings[5];
    zend_string *prefix;
    php_lock_settings settings;
    zend_long max_attempts; /* of a queue */
    bool fencing;
} php_lock_options;

/* Reads the constructor's two arguments, each may be NULL; what they do not say comes from the INI settings. False: an
 * exception was thrown. Either way php_lock_options_free() is due. */
bool php_lock_options_init(php_lock_options *options, bool of_queue, zval *servers, HashTable *array);
void php_lock_options_free(php_lock_options *options);

/* How long a time may be. */
#define PHP_LOCK_MAX_SECONDS 1000000000.0
typedef struct php_lock_time_rule {
    int64_t least;     /* µs */
    bool endless;      /* INF will do */
    const char *range; /* what it must be, in words */
} php_lock_time_rule;

extern const php_lock_time_rule php_lock_rule_lease;
extern const php_lock_time_rule php_lock_rule_wait;

/* Seconds to µs, rounded up to whole milliseconds; INF is PLATFORM_NEVER. False, and `span` is as it was: they do not
 * follow the rule. */
bool php_lock_time(const php_lock_time_rule *rule, double seconds, int64_t *span);

/* µs to seconds; PLATFORM_NEVER is INF. */
double php_lock_to_seconds(int64_t span);

/* The same in words, such as "0.25 s". */
#define PHP_LOCK_SPAN_TEXT 40
const char *php_lock_span_text(char text[PHP_LOCK_SPAN_TEXT], int64_t span);

/* Bytes that a name, a token, an id or a receipt may have. */
#define PHP_LOCK_MAX_NAME 65535

/* Registers the INI settings; at MINIT, and takes them back at MSHUTDOWN. */
void php_lock_register_ini(int module_number);
void php_lock_unregister_ini(int module_number);

#endif

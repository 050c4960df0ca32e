/* SPDX-License-Identifier: MIT
 *
 * php/globals: the settings, and what the module keeps a request and a process long.
 */
#ifndef PHP_REDISLOCK_GLOBALS_H
#define PHP_REDISLOCK_GLOBALS_H

#include "php.h"

#include "lock_core.h"
#include "queue/queue.h"

typedef enum php_lock_auto_release {
    AUTO_RELEASE_NEVER,
    AUTO_RELEASE_REQUEST, /* at the end of the request */
    AUTO_RELEASE_OBJECT,  /* when the last reference to the object goes, and then too */
} php_lock_auto_release;

/* What the INI settings say, unless an option of the same name says otherwise. Times are µs, as the core has them. */
typedef struct php_lock_settings {
    int64_t expire;
    int64_t timeout;
    int64_t retry_interval;
    int64_t connect_timeout;
    int64_t read_timeout;
    int64_t node_timeout;
    zend_long max_waiters;
    php_lock_auto_release auto_release;
    bool persistent;
} php_lock_settings;

struct php_lock_state;

ZEND_BEGIN_MODULE_GLOBALS(redislock)
    char *servers;
    char *prefix;
    php_lock_settings settings;
    bool servers_refused; /* the setting held a password and was not taken */

    bool by_script;             /* see lock_client */
    lock_extensions extensions; /* the same */
    lock_stats stats;           /* since the process, or thread, began */
    rl_traffic traffic;
    rl_backlog backlog;          /* releases that have failed, of all objects */
    rl_pool pool;                /* persistent connections of this process, or thread */
    queue_caller queue_caller;   /* as whom it enters tasks */
    struct php_lock_state *kept; /* locks whose objects are gone, to be released when the request ends */
    bool request_over;           /* RSHUTDOWN has run; objects are still being freed */
    int64_t releasing;           /* µs that releases took since this request began to end */
ZEND_END_MODULE_GLOBALS(redislock)

ZEND_EXTERN_MODULE_GLOBALS(redislock)

#define RL_G(v) ZEND_MODULE_GLOBALS_ACCESSOR(redislock, v)

#if defined(ZTS) && defined(COMPILE_DL_REDISLOCK)
ZEND_TSRMLS_CACHE_EXTERN()
#endif

#endif

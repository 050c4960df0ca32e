/* SPDX-License-Identifier: MIT
 *
 * php/globals: the INI settings, and what the module keeps for the time of a request or of a process.
 */
#ifndef PHP_REDISLOCK_GLOBALS_H
#define PHP_REDISLOCK_GLOBALS_H

#include "php.h"

#include "lock/owner.h"
#include "lock/renewal.h"
#include "lock_core.h"
#include "metrics/metrics.h"
#include "php/settings.h"
#include "queue/queue.h"

struct php_lock_state;
struct php_lock_hold;

/* By which the renewing thread lets a thread of PHP know that there are notices for it: see lock_renewal_terms. */
typedef struct php_lock_interrupt {
    atomic_bool pending;            /* there may be notices */
    zend_atomic_bool *vm_interrupt; /* of the thread */
} php_lock_interrupt;

ZEND_BEGIN_MODULE_GLOBALS(redislock)
    char *servers;       /* the INI setting */
    char *prefix;        /* the INI setting */
    char *owner_setting; /* the INI setting; NULL: there is none, and the default is made: see php/redislock/owner.h */
    php_rl_settings settings;
    bool counts;                     /* the INI setting `metrics` */
    char *shared_memory;             /* the INI setting */
    bool servers_refused;            /* `servers` of a pool held a password and was not taken */
    bool servers_refused_in_request; /* `servers` of a folder did: of this request only */
    bool servers_taken;              /* the value that was last to be set as `servers` was taken */

    lock_extensions extensions;         /* see lock_client */
    lock_stats stats;                   /* since the process, or thread, began */
    lock_renewal_stats renewals;        /* since the process, or thread, began: see php_lock_renewal_counts() */
    rl_traffic traffic;                 /* since the process, or thread, began */
    int64_t slow_logged_at;             /* when a slow lock was last logged: see php/redislock/slow.h; 0: none was */
    uint64_t slow_left_out;             /* how many were not, since that was just before */
    metrics_writer metrics;             /* by which this thread counts: see php/metrics.h */
    rl_backlog backlog;                 /* releases that have failed, of all objects */
    rl_pool pool;                       /* persistent connections of this process, or thread */
    queue_caller queue_caller;          /* as which this process, or thread, enters tasks */
    struct php_lock_hold *background;   /* the locks whose leases are renewed or watched */
    struct php_lock_hold *look_at_next; /* of those, the one that is looked at next for a notice */
    struct php_lock_hold *reminder; /* of those, the one whose reminder brings notices back that could not be given */

    struct php_lock_fibers *fibers; /* of the locks that name fibers: see php/redislock/fibers.h */

    char owner[LOCK_OWNER_MAX]; /* the default of the option `owner`: see php/redislock/owner.h */
    size_t owner_len;           /* of that */
    int64_t owner_process;      /* the process that it names; 0: it is to be made anew */
    char work[LOCK_OWNER_MAX];  /* what describe() was told */
    size_t work_len;            /* of that */
    bool is_described;          /* describe() was told something */

    php_lock_interrupt interrupt;
    bool giving_notice;              /* a notice is being given: see php/redislock/notice.h */
    bool listening;                  /* a listener runs: see php/redislock/listener.h */
    struct php_lock_state *deferred; /* states whose objects are gone; their locks are released when the request ends */
    uint32_t deferred_count;         /* of them */
    uint32_t deferred_look_at;       /* when there are so many, some may be over: see php/redislock/state.c */
    bool request_over;               /* RSHUTDOWN has begun; objects are freed after it too */
    int64_t release_time;            /* µs that releases have taken since the end of this request began */
ZEND_END_MODULE_GLOBALS(redislock)

ZEND_EXTERN_MODULE_GLOBALS(redislock)

#define RL_G(v) ZEND_MODULE_GLOBALS_ACCESSOR(redislock, v)

#if defined(ZTS) && defined(COMPILE_DL_REDISLOCK)
ZEND_TSRMLS_CACHE_EXTERN()
#endif

#endif

/* SPDX-License-Identifier: MIT
 *
 * redislock: the PHP module: its start, its end, and phpinfo().
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "php_redislock.h"

#include "ext/standard/info.h"

#include "php/redislock/lock.h"
#include "php/redislock/fibers.h"
#include "php/metrics.h"
#include "php/redislock/notice.h"
#include "php/ini.h"
#include "php/redislock/owner.h"
#include "php/redisqueue/queue.h"
#include "php/redislock/hold.h"
#include "php/redislock/local.h"
#include "php/redislock/auto_release.h"
#include "redis/naming.h"
#include "redis/tls.h"

static PHP_GINIT_FUNCTION(redislock)
{
#if defined(ZTS) && defined(COMPILE_DL_REDISLOCK)
    ZEND_TSRMLS_CACHE_UPDATE();
#endif
    memset(redislock_globals, 0, sizeof(*redislock_globals));
    redislock_globals->traffic.metrics = &redislock_globals->metrics;
    redislock_globals->pool.traffic = &redislock_globals->traffic;
    redislock_globals->pool.backlog = &redislock_globals->backlog;
}

/* Runs at the end of the process, or of the thread. In a child process it closes only the child's copies of the
 * sockets. At the end of the process the metrics are gone already, and an answer that is still read counts there no more. */
static PHP_GSHUTDOWN_FUNCTION(redislock)
{
    redislock_globals->traffic.metrics = NULL;
    rl_pool_clear(&redislock_globals->pool);
    rl_backlog_free(&redislock_globals->backlog);
}

static PHP_MINIT_FUNCTION(redislock)
{
    (void)type;
    rl_naming_start();
    php_rl_register_ini(module_number);
    php_rl_metrics_startup();
    php_lock_local_startup();
    php_lock_renewal_startup();
    php_lock_notice_startup();
    php_lock_fibers_startup();
    php_lock_register_class();
    php_queue_register_class();
    return SUCCESS;
}

static PHP_MSHUTDOWN_FUNCTION(redislock)
{
    (void)type;
    php_lock_notice_shutdown();
    php_lock_renewal_shutdown();
    php_lock_local_shutdown();
    php_rl_metrics_shutdown();
    php_rl_unregister_ini(module_number);
    return SUCCESS;
}

/* Forgets what the last request has left, which may have ended anywhere. */
static PHP_RINIT_FUNCTION(redislock)
{
    (void)type, (void)module_number;
#if defined(ZTS) && defined(COMPILE_DL_REDISLOCK)
    ZEND_TSRMLS_CACHE_UPDATE();
#endif
    RL_G(request_over) = false;
    RL_G(release_time) = 0;
    RL_G(giving_notice) = false;
    php_lock_owner_reset();
    RL_G(deferred) = NULL; /* a fatal error may have cut the last RSHUTDOWN short, and the states are freed since */
    RL_G(fibers) = NULL;   /* likewise */
    RL_G(deferred_count) = RL_G(deferred_look_at) = 0;
    php_lock_renewal_forget_all();
    return SUCCESS;
}

/* PHP frees the remaining objects after this: see php/object.c. */
static PHP_RSHUTDOWN_FUNCTION(redislock)
{
    (void)type, (void)module_number;
    RL_G(request_over) = true;
    RL_G(servers_refused_in_request) = false; /* before the next RINIT a request may set it already */
    php_lock_dispose_deferred();
    return SUCCESS;
}

/* Runs when every object is gone, and while the memory of the request is there still. */
static ZEND_MODULE_POST_ZEND_DEACTIVATE_D(redislock)
{
    php_lock_renewal_end_all();
    return SUCCESS;
}

/* Prints what this process, or thread, has done so far. */
static void print_stats(void)
{
    zval stats, *count;
    zend_string *name;

    php_lock_stats(&stats);
    php_info_print_table_start();
    php_info_print_table_header(2, "Since the process started", "");
    ZEND_HASH_FOREACH_STR_KEY_VAL(Z_ARRVAL(stats), name, count) {
        zend_string *text = zval_get_string(count);
        php_info_print_table_row(2, ZSTR_VAL(name), ZSTR_VAL(text));
        zend_string_release(text);
    }
    ZEND_HASH_FOREACH_END();
    php_info_print_table_end();
    zval_ptr_dtor(&stats);
}

/* The version of hiredis is the one of the headers; that of a shared library may differ. */
static PHP_MINFO_FUNCTION(redislock)
{
    char hiredis[32];

    snprintf(hiredis, sizeof(hiredis), "%d.%d.%d", HIREDIS_MAJOR, HIREDIS_MINOR, HIREDIS_PATCH);
    php_info_print_table_start();
    php_info_print_table_row(2, "redislock support", "enabled");
    php_info_print_table_row(2, "Version", PHP_REDISLOCK_VERSION);
    php_info_print_table_row(2, "hiredis (compiled)", hiredis);
    php_info_print_table_row(2, "TLS (OpenSSL)", rl_tls_is_built_in() ? "yes" : "no");
    php_info_print_table_row(2, "Local turns",
                             php_lock_local_problem() != NULL ? php_lock_local_problem() : "possible");
    php_info_print_table_end();
    print_stats();
    DISPLAY_INI_ENTRIES();
    (void)zend_module;
}

zend_module_entry redislock_module_entry = {
    STANDARD_MODULE_HEADER,
    "redislock",
    NULL,
    PHP_MINIT(redislock),
    PHP_MSHUTDOWN(redislock),
    PHP_RINIT(redislock),
    PHP_RSHUTDOWN(redislock),
    PHP_MINFO(redislock),
    PHP_REDISLOCK_VERSION,
    PHP_MODULE_GLOBALS(redislock),
    PHP_GINIT(redislock),
    PHP_GSHUTDOWN(redislock),
    ZEND_MODULE_POST_ZEND_DEACTIVATE_N(redislock),
    STANDARD_MODULE_PROPERTIES_EX,
};

#ifdef COMPILE_DL_REDISLOCK
ZEND_GET_MODULE(redislock)
#endif

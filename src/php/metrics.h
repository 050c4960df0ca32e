/* SPDX-License-Identifier: MIT
 *
 * php/metrics: what becomes of locks is counted, for this process and for all of its user: see metrics/metrics.h.
 */
#ifndef PHP_REDISLOCK_METRICS_H
#define PHP_REDISLOCK_METRICS_H

#include "php/options.h"
#include "redis/error.h"

/* Makes what counts, but opens nothing; at MINIT. */
void php_rl_metrics_startup(void);

/* At MSHUTDOWN, when no object is left, and no thread renews leases. */
void php_rl_metrics_shutdown(void);

/* Lets this thread count for this process: opens the segment, or logs why there is none, if no process of the pool did so
 * lately. */
void php_rl_metrics_join(void);

/* Returns by what this thread of the process counts; NULL: nothing is counted. A worker of PHP-FPM joins with its first lock,
 * when it runs as the user of its pool. */
static inline metrics_writer *php_rl_metrics(int64_t process)
{
    if (!RL_G(counts)) {
        return NULL;
    }
    if (!metrics_has_joined(&RL_G(metrics), process)) {
        php_rl_metrics_join();
    }
    return &RL_G(metrics);
}

/* Returns the group of all locks of an object, by its option `metrics_group`; 0: there is none. */
unsigned php_rl_metrics_group(php_rl_options *options, const metrics_writer *writer);

/* Makes `array` what RedisLock::metrics() returns, with the numbers of this user. */
void php_rl_metrics_read(zval *array, uint32_t user);

/* Counts an error of which a caller is told. */
void php_rl_metrics_note_error(const rl_error *error);

#endif

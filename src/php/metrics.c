/* SPDX-License-Identifier: MIT
 *
 * php/metrics: see php/metrics.h, and RedisLock::metrics().
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "php/metrics.h"

#include "php.h"

#include "metrics/read.h"
#include "php/errors.h"
#include "platform/platform.h"

/* Of the whole process. Written before there are threads. */
static metrics *process_metrics;

void php_rl_metrics_startup(void)
{
    process_metrics = metrics_new();
}

void php_rl_metrics_shutdown(void)
{
    metrics_free(process_metrics);
    process_metrics = NULL;
}

/* No notice of PHP's, whose handler might throw while a lock is taken; and none at all where no configuration would help. */
void php_rl_metrics_join(void)
{
    char why[SEGMENT_WHY], text[SEGMENT_WHY + 100];

    if (!metrics_join(process_metrics, RL_G(shared_memory), &RL_G(metrics), why) && segment_is_known()) {
        snprintf(text, sizeof(text), "redislock: the metrics of this process are not added to those of the machine: %s",
                 why);
        php_log_err_with_severity(text, LOG_NOTICE);
    }
}

unsigned php_rl_metrics_group(php_rl_options *options, const metrics_writer *writer)
{
    if (options->metrics_process != writer->process) {
        const zend_string *name = options->metrics_group;
        options->metrics_number = metrics_group_named(writer, ZSTR_VAL(name), ZSTR_LEN(name));
        options->metrics_process = writer->process;
    }
    return options->metrics_number;
}

void php_rl_metrics_note_error(const rl_error *error)
{
    metrics_add_overall(php_rl_metrics(platform_process()), METRICS_ERRORS + (unsigned)error->kind);
}

/* ---- RedisLock::metrics() ---- */

/* The int of a 32-bit PHP cannot hold every count. */
static void add_count(zval *array, const char *name, uint64_t count)
{
    if (count > (uint64_t)ZEND_LONG_MAX) {
        add_assoc_double(array, name, (double)count);
    } else {
        add_assoc_long(array, name, (zend_long)count);
    }
}

static uint64_t sum_of(const uint64_t *buckets)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < METRICS_BUCKETS; i++) {
        sum += buckets[i];
    }
    return sum;
}

/* Adds a histogram: its sum in seconds, and how many spans are in each bucket. */
static void add_histogram(zval *array, const char *name, const uint64_t *buckets, uint64_t sum)
{
    zval histogram, counts;

    array_init(&counts);
    for (size_t i = 0; i < METRICS_BUCKETS; i++) {
        add_next_index_long(&counts, (zend_long)buckets[i]);
    }
    array_init(&histogram);
    add_assoc_double(&histogram, "sum", (double)sum / (double)PLATFORM_SEC);
    add_assoc_zval(&histogram, "counts", &counts);
    add_assoc_zval(array, name, &histogram);
}

/* Makes `array` what is known of a group. */
static void make_group(zval *array, const uint64_t *counts)
{
    static const struct {
        const char *name;
        metrics_count count;
    } names[] = {
        {"waited", METRICS_WAITED},
        {"timed_out", METRICS_TIMED_OUT},
        {"held", METRICS_REFUSED_HELD},
        {"full", METRICS_REFUSED_FULL},
        {"failed", METRICS_FAILED},
        {"interrupted", METRICS_INTERRUPTED},
        {"unreleased", METRICS_UNRELEASED},
        {"lost", METRICS_LOST},
        {"lost_while_held", METRICS_LOST_WHILE_HELD},
        {"renewed", METRICS_RENEWED},
        {"renewal_failures", METRICS_RENEWAL_FAILED},
        {"value_fresh", METRICS_VALUE_FRESH},
        {"value_stale", METRICS_VALUE_STALE},
        {"value_built", METRICS_VALUE_BUILT},
        {"value_none", METRICS_VALUE_NONE},
    };

    array_init(array);
    add_count(array, "acquired", sum_of(counts + METRICS_WAIT));
    add_count(array, "released", sum_of(counts + METRICS_HOLD) + counts[METRICS_UNTIMED]);
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        add_count(array, names[i].name, counts[names[i].count]);
    }
    add_histogram(array, "wait", counts + METRICS_WAIT, counts[METRICS_WAIT_SUM]);
    add_histogram(array, "hold", counts + METRICS_HOLD, counts[METRICS_HOLD_SUM]);
}

/* An interruption is no error that a caller is told of. */
static void add_errors(zval *array, const uint64_t *overall)
{
    static const char *const kinds[] = {[RL_UNREACHABLE] = "unreachable", [RL_REFUSED] = "refused",
                                        [RL_TIMED_OUT] = "timed_out",     [RL_LOST] = "lost",
                                        [RL_MALFORMED] = "malformed",     [RL_ERROR_REPLY] = "reply",
                                        [RL_INTERRUPTED] = "interrupted", [RL_TOO_FEW] = "too_few_replicas",
                                        [RL_REDIRECTED] = "redirected"};
    zval errors;

    array_init(&errors);
    for (size_t i = RL_UNREACHABLE; i < sizeof(kinds) / sizeof(*kinds); i++) {
        if (i != RL_INTERRUPTED) {
            add_count(&errors, kinds[i], overall[METRICS_ERRORS + i]);
        }
    }
    add_assoc_zval(array, "errors", &errors);
}

/* Makes `array` of the sums, and frees them. */
static void make_sums(zval *array, metrics_sums *sums)
{
    zval groups, group;

    array_init(array);
    add_count(array, "connections", sums->overall[METRICS_CONNECTIONS]);
    add_count(array, "reconnects", sums->overall[METRICS_RECONNECTS]);
    add_count(array, "script_reloads", sums->overall[METRICS_SCRIPT_RELOADS]);
    add_errors(array, sums->overall);
    array_init(&groups);
    for (size_t i = 0; i < sums->count; i++) {
        make_group(&group, sums->groups[i].counts);
        add_assoc_zval_ex(&groups, sums->groups[i].name, sums->groups[i].name_len, &group);
    }
    add_assoc_zval(array, "groups", &groups);
    metrics_sums_free(sums);
}

/* The ends of the buckets in seconds; the last one has none. */
static void add_bounds(zval *array)
{
    zval bounds;

    array_init(&bounds);
    for (unsigned i = 0; i + 1 < METRICS_BUCKETS; i++) {
        add_next_index_double(&bounds, (double)(UINT64_C(1) << (METRICS_FIRST_BITS + i)) / (double)PLATFORM_SEC);
    }
    add_assoc_zval(array, "bounds", &bounds);
}

/* Adds the numbers of the user, or null, and in that case why. `problem`: why this process does not count there. */
static void add_user(zval *array, uint32_t user, char problem[SEGMENT_WHY])
{
    char why[SEGMENT_WHY] = "";
    metrics_sums sums;
    zval numbers;

    if (metrics_read_user(RL_G(shared_memory), user, &sums, why) == METRICS_READ) {
        make_sums(&numbers, &sums);
    } else {
        metrics_sums_free(&sums);
        ZVAL_NULL(&numbers);
    }
    add_assoc_zval(array, "machine", &numbers);
    if (why[0] != '\0') {
        memcpy(problem, why, SEGMENT_WHY);
    }
}

/* Adds the numbers of this process; null: it counts nothing. */
static void add_process(zval *array, char problem[SEGMENT_WHY])
{
    metrics_sums sums;
    zval numbers;

    if (metrics_read_own(process_metrics, &sums, problem)) {
        make_sums(&numbers, &sums);
    } else {
        metrics_sums_free(&sums);
        ZVAL_NULL(&numbers);
    }
    add_assoc_zval(array, "process", &numbers);
}

/* Nothing is opened for that: who only reads does not count. */
void php_rl_metrics_read(zval *array, uint32_t user)
{
    char problem[SEGMENT_WHY] = "";

    array_init(array);
    add_assoc_long(array, "user", (zend_long)user);
    add_bounds(array);
    add_process(array, problem);
    if (RL_G(counts)) {
        add_user(array, user, problem);
    } else {
        add_assoc_null(array, "machine");
        snprintf(problem, sizeof(problem), "redislock.metrics is off");
    }
    if (problem[0] == '\0') {
        add_assoc_null(array, "problem");
    } else {
        add_assoc_string(array, "problem", problem);
    }
}

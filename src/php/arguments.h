/* SPDX-License-Identifier: MIT
 *
 * php/arguments: what PHP code passes, as the core takes it: times, names, owner tokens; and checks of arguments.
 */
#ifndef PHP_REDISLOCK_ARGUMENTS_H
#define PHP_REDISLOCK_ARGUMENTS_H

#include "php.h"

#include "redis/request.h"

/* Returns the bytes of the text, which still owns them. */
rl_bytes php_rl_bytes(zend_string *text);

/* ---- times ---- */

/* The longest time in seconds that is not INF. */
#define PHP_RL_MAX_SECONDS 1000000000.0

/* Which times an argument, an option or a setting may have. */
typedef struct php_rl_time_rule {
    int64_t least;     /* the shortest time, µs */
    bool endless;      /* INF is allowed */
    const char *range; /* the allowed times in words, for error messages */
} php_rl_time_rule;

extern const php_rl_time_rule php_rl_rule_lease;
extern const php_rl_time_rule php_rl_rule_wait;

/* Converts seconds to µs, rounded up to whole milliseconds; INF becomes PLATFORM_NEVER. False: they do not follow the
 * rule, and `span` is unchanged. */
bool php_rl_time(const php_rl_time_rule *rule, double seconds, int64_t *span);

/* Converts µs to seconds; PLATFORM_NEVER becomes INF. */
double php_rl_to_seconds(int64_t span);

/* Returns µs in words, such as "0.25 s". `text` is the memory for them. */
#define PHP_RL_SPAN_TEXT 40
const char *php_rl_span_text(char text[PHP_RL_SPAN_TEXT], int64_t span);

/* ---- checks ----
 *
 * Each function checks one argument, whose number is `arg`. False: an error was thrown. */

/* The most bytes that a name, a token, an id or a receipt may have. */
#define PHP_RL_MAX_NAME 65535

/* Checks that the text is neither empty nor longer than PHP_RL_MAX_NAME. */
bool php_rl_check_length(uint32_t arg, const zend_string *text);

/* Checks that the seconds follow the rule, and sets `span` to them in µs. */
bool php_rl_check_time(uint32_t arg, const php_rl_time_rule *rule, double seconds, int64_t *span);

/* Does the same with an argument that may be null: `span` becomes `otherwise` then. */
static inline bool php_rl_check_time_or_null(uint32_t arg, const php_rl_time_rule *rule, bool is_null, double seconds,
                                             int64_t otherwise, int64_t *span)
{
    *span = otherwise;
    return is_null || php_rl_check_time(arg, rule, seconds, span);
}

/* Checks $token (NULL: not given) and sets `token`, which is NULL if there is none. It must be a string, or may be null
 * if `type` is "?string"; other types are not converted. `instead` is advice for the message: what to write. */
bool php_lock_check_token(uint32_t arg, zval *value, const char *type, const char *instead, zend_string **token);

#endif

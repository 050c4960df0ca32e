/* SPDX-License-Identifier: MIT
 *
 * php/settings: the values that INI settings and options have in common, and the rules by which they are read.
 */
#ifndef PHP_REDISLOCK_SETTINGS_H
#define PHP_REDISLOCK_SETTINGS_H

#include "php.h"

#include "php/arguments.h"

typedef enum php_lock_auto_release {
    AUTO_RELEASE_NEVER,
    AUTO_RELEASE_REQUEST, /* at the end of the request */
    AUTO_RELEASE_OBJECT,  /* when the last reference to the object goes, at the latest at the end of the request */
} php_lock_auto_release;

/* The INI settings. Each object has a copy, in which its options override them. Times are µs, as in the core. */
typedef struct php_rl_settings {
    int64_t expire;
    int64_t timeout;
    int64_t retry_interval;
    int64_t connect_timeout;
    int64_t read_timeout;
    int64_t node_timeout;
    int64_t max_hold;  /* how long a lease is renewed */
    int64_t slow_wait; /* from which on a wait is logged */
    int64_t slow_hold; /* and a hold */
    zend_long max_waiters;
    zend_long replicas; /* of a lock */
    php_lock_auto_release auto_release;
    bool persistent;
    bool renew;
    bool local; /* locks are passed on from process to process: see php/redislock/local.h */
} php_rl_settings;

/* The largest value of settings that count something, such as waiters or attempts. */
#define PHP_RL_MAX_COUNT 1000000000

/* The most replicas that a lock can be made to wait for. */
#define PHP_RL_MAX_REPLICAS 16

typedef struct php_rl_time_setting {
    const char *name;
    const php_rl_time_rule *rule;
    size_t offset; /* of the int64_t in php_rl_settings */
} php_rl_time_setting;

/* Returns the setting, or option, of that name that is a time; NULL: there is none. */
const php_rl_time_setting *php_rl_time_setting_find(const char *name, size_t len);

/* Sets the time of the setting. False: the seconds do not follow its rule, and nothing is set. */
bool php_rl_time_setting_set(php_rl_settings *settings, const php_rl_time_setting *setting, double seconds);

/* Reads a switch, in any of the words by which PHP's INI files turn one on or off. False: it is none of them. */
bool php_rl_switch(const zend_string *value, bool *on);

/* Has the text a null byte, at which C would end it? */
bool php_rl_has_null(const zend_string *value);

/* What the owner of an object must be. */
#define PHP_RL_OWNER_MUST "at most 50 bytes of UTF-8 without control characters"

/* Is it an owner's name, or the empty one that is none? */
bool php_rl_is_owner(zend_string *text);

#endif

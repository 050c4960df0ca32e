/* SPDX-License-Identifier: MIT
 *
 * php/settings: see php/settings.h.
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "php/settings.h"

#include <stddef.h>

#include "lock/owner.h"
#include "platform/platform.h"

static const php_rl_time_rule rule_io = {PLATFORM_MSEC, false, "between 0.001 and 1000000000 seconds"};

static const php_rl_time_rule rule_slow = {PLATFORM_MSEC, true, "between 0.001 and 1000000000 seconds, or INF"};

static const php_rl_time_setting time_settings[] = {
    {"expire", &php_rl_rule_lease, offsetof(php_rl_settings, expire)},
    {"timeout", &php_rl_rule_wait, offsetof(php_rl_settings, timeout)},
    {"retry_interval", &rule_io, offsetof(php_rl_settings, retry_interval)},
    {"connect_timeout", &rule_io, offsetof(php_rl_settings, connect_timeout)},
    {"read_timeout", &rule_io, offsetof(php_rl_settings, read_timeout)},
    {"node_timeout", &rule_io, offsetof(php_rl_settings, node_timeout)},
    {"max_hold", &php_rl_rule_lease, offsetof(php_rl_settings, max_hold)},
    {"slow_wait", &rule_slow, offsetof(php_rl_settings, slow_wait)},
    {"slow_hold", &rule_slow, offsetof(php_rl_settings, slow_hold)},
};

const php_rl_time_setting *php_rl_time_setting_find(const char *name, size_t len)
{
    for (size_t i = 0; i < sizeof(time_settings) / sizeof(*time_settings); i++) {
        if (strlen(time_settings[i].name) == len && memcmp(time_settings[i].name, name, len) == 0) {
            return &time_settings[i];
        }
    }
    return NULL;
}

bool php_rl_time_setting_set(php_rl_settings *settings, const php_rl_time_setting *setting, double seconds)
{
    return php_rl_time(setting->rule, seconds, (int64_t *)((char *)settings + setting->offset));
}

/* A text with a null byte is no word, whatever stands in front of that. */
bool php_rl_switch(const zend_string *value, bool *on)
{
    static const struct {
        const char *text;
        bool on;
    } words[] = {
        {"1", true},  {"on", true},   {"yes", true}, {"true", true},  {"", false},
        {"0", false}, {"off", false}, {"no", false}, {"none", false}, {"false", false},
    };

    for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
        if (strcasecmp(ZSTR_VAL(value), words[i].text) == 0 && !php_rl_has_null(value)) {
            *on = words[i].on;
            return true;
        }
    }
    return false;
}

bool php_rl_has_null(const zend_string *value)
{
    return strlen(ZSTR_VAL(value)) != ZSTR_LEN(value);
}

bool php_rl_is_owner(zend_string *text)
{
    return ZSTR_LEN(text) == 0 || lock_owner_is_valid(php_rl_bytes(text));
}

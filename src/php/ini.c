/* SPDX-License-Identifier: MIT
 *
 * php/ini: see php/ini.h.
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "php/ini.h"

#include "php.h"
#include "zend_ini.h"

#include "php/globals.h"
#include "php/server_list.h"
#include "php/settings.h"
#include "platform/segment.h"

/* Warns that a value of a setting is not taken, and returns FAILURE. At start-up nothing else would show it. */
static int refuse_ini(const zend_ini_entry *entry, const char *must)
{
    php_error_docref(NULL, E_WARNING, "%s must be %s; the value is unchanged", ZSTR_VAL(entry->name), must);
    return FAILURE;
}

/* Returns whether `end`, up to which a number was read, is the end of a value that is not empty. A null byte is not
 * always the end: more may follow it. */
static bool is_end(const zend_string *value, const char *end)
{
    return ZSTR_LEN(value) > 0 && end == ZSTR_VAL(value) + ZSTR_LEN(value);
}

/* One handler serves all times, by the name of the setting. A value that is no number becomes NAN, which follows no
 * rule. */
static ZEND_INI_MH(on_update_time)
{
    size_t before = strlen("redislock.");
    const php_rl_time_setting *setting =
        php_rl_time_setting_find(ZSTR_VAL(entry->name) + before, ZSTR_LEN(entry->name) - before);
    const char *end;
    double seconds;

    if (zend_string_equals_literal_ci(new_value, "INF")) {
        seconds = ZEND_INFINITY;
    } else {
        seconds = zend_strtod(ZSTR_VAL(new_value), &end);
        if (!is_end(new_value, end)) {
            seconds = ZEND_NAN;
        }
    }
    return php_rl_time_setting_set(&RL_G(settings), setting, seconds) ? SUCCESS
                                                                      : refuse_ini(entry, setting->rule->range);
}

static ZEND_INI_MH(on_update_auto_release)
{
    bool on;

    if (php_rl_switch(new_value, &on)) {
        RL_G(settings).auto_release = on ? AUTO_RELEASE_OBJECT : AUTO_RELEASE_NEVER;
    } else if (zend_string_equals_literal_ci(new_value, "request")) {
        RL_G(settings).auto_release = AUTO_RELEASE_REQUEST;
    } else {
        return refuse_ini(entry, "on, off or \"request\"");
    }
    return SUCCESS;
}

static ZEND_INI_MH(on_update_persistent)
{
    return php_rl_switch(new_value, &RL_G(settings).persistent) ? SUCCESS : refuse_ini(entry, "on or off");
}

static ZEND_INI_MH(on_update_renew)
{
    return php_rl_switch(new_value, &RL_G(settings).renew) ? SUCCESS : refuse_ini(entry, "on or off");
}

static ZEND_INI_MH(on_update_local)
{
    return php_rl_switch(new_value, &RL_G(settings).local) ? SUCCESS : refuse_ini(entry, "on or off");
}

static ZEND_INI_MH(on_update_prefix)
{
    if (php_rl_has_null(new_value)) {
        return refuse_ini(entry, "a text without null bytes: write such a prefix as the option \"prefix\"");
    }
    if (ZSTR_LEN(new_value) > PHP_RL_MAX_NAME) {
        return refuse_ini(entry, "at most 65535 bytes long");
    }
    return OnUpdateString(entry, new_value, mh_arg1, mh_arg2, mh_arg3, stage);
}

/* If it is not set at all, the default is made: an empty one is none. */
static ZEND_INI_MH(on_update_owner)
{
    if (new_value != NULL && !php_rl_is_owner(new_value)) {
        return refuse_ini(entry, PHP_RL_OWNER_MUST);
    }
    return OnUpdateString(entry, new_value, mh_arg1, mh_arg2, mh_arg3, stage);
}

/* The workers of a pool may each have another current folder. */
static ZEND_INI_MH(on_update_shared_memory)
{
    if (ZSTR_VAL(new_value)[0] != '/') {
        return refuse_ini(entry, "a folder's path that begins with \"/\"");
    }
    return OnUpdateString(entry, new_value, mh_arg1, mh_arg2, mh_arg3, stage);
}

/* Reads a whole number from 0 to `max`. False: it is none. */
static bool ini_count(const zend_string *value, zend_long max, zend_long *count)
{
    char *end;
    zend_long number = ZEND_STRTOL(ZSTR_VAL(value), &end, 10);

    if (!is_end(value, end) || number < 0 || number > max) {
        return false;
    }
    *count = number;
    return true;
}

static ZEND_INI_MH(on_update_max_waiters)
{
    return ini_count(new_value, PHP_RL_MAX_COUNT, &RL_G(settings).max_waiters)
               ? SUCCESS
               : refuse_ini(entry, "a whole number from 0 to 1000000000");
}

static ZEND_INI_MH(on_update_replicas)
{
    return ini_count(new_value, PHP_RL_MAX_REPLICAS, &RL_G(settings).replicas)
               ? SUCCESS
               : refuse_ini(entry, "a whole number from 0 to 16");
}

#define DEFAULT_SERVERS "redis://127.0.0.1:6379"

/* Whether php.ini holds a password there, so that the setting has its default. Of the whole process, since threads are
 * only told the default; written before there are threads. */
static bool servers_refused_at_startup;

/* Returns whether the setting's value was given by the script, or by a .user.ini. PHP sets `modified` before it asks
 * on_update_servers(), so an attempt that was refused sets it too. If all were, the value is still the original one. It is the
 * same string also if the script has set the very text of the default, which PHP has only once: then the last attempt was
 * taken. */
static bool is_set_by_request(const zend_ini_entry *entry)
{
    return entry->modified && (entry->value != entry->orig_value || RL_G(servers_taken));
}

bool php_rl_servers_setting_is_refused(void)
{
    const zend_ini_entry *entry = zend_hash_str_find_ptr(EG(ini_directives), ZEND_STRL("redislock.servers"));
    bool is_default = strcmp(RL_G(servers), DEFAULT_SERVERS) == 0;

    return !is_set_by_request(entry) &&
           (RL_G(servers_refused) || RL_G(servers_refused_in_request) || (servers_refused_at_startup && is_default));
}

/* Remembers for whom a value was refused: for the process, as php.ini and a pool of PHP-FPM set it, or for one request,
 * as .user.ini and the folders of a web server do. PHP marks as modified what it restores when the request ends. A
 * script that sets a value learns by itself that it was refused. */
static void note_refused_servers(const zend_ini_entry *entry, int stage)
{
    if (stage == ZEND_INI_STAGE_STARTUP) {
        servers_refused_at_startup = true;
    } else if (stage == ZEND_INI_STAGE_ACTIVATE || stage == ZEND_INI_STAGE_HTACCESS) {
        *(entry->modified ? &RL_G(servers_refused_in_request) : &RL_G(servers_refused)) = true;
    }
}

/* Refuses passwords, since phpinfo() and ini_get() show what is set here. */
static ZEND_INI_MH(on_update_servers)
{
    RL_G(servers_taken) = false;
    if (php_rl_has_null(new_value)) {
        return refuse_ini(entry, "a text without null bytes");
    }
    if (php_rl_servers_have_password(new_value)) {
        note_refused_servers(entry, stage);
        return refuse_ini(entry, "a server without a password, since it can be seen: write env:NAME and set the "
                                 "environment variable NAME");
    }
    RL_G(servers_taken) = OnUpdateString(entry, new_value, mh_arg1, mh_arg2, mh_arg3, stage) == SUCCESS;
    return RL_G(servers_taken) ? SUCCESS : FAILURE;
}

PHP_INI_BEGIN()
    STD_PHP_INI_ENTRY("redislock.servers", DEFAULT_SERVERS, PHP_INI_ALL, on_update_servers, servers,
                      zend_redislock_globals, redislock_globals)
    STD_PHP_INI_BOOLEAN("redislock.metrics", "1", PHP_INI_SYSTEM, OnUpdateBool, counts, zend_redislock_globals,
                        redislock_globals)
    STD_PHP_INI_ENTRY("redislock.shared_memory", SEGMENT_FOLDER, PHP_INI_SYSTEM, on_update_shared_memory, shared_memory,
                      zend_redislock_globals, redislock_globals)
    STD_PHP_INI_ENTRY("redislock.prefix", "lock:", PHP_INI_ALL, on_update_prefix, prefix, zend_redislock_globals,
                      redislock_globals)
    STD_PHP_INI_ENTRY("redislock.owner", NULL, PHP_INI_ALL, on_update_owner, owner_setting, zend_redislock_globals,
                      redislock_globals)
    PHP_INI_ENTRY("redislock.expire", "30", PHP_INI_ALL, on_update_time)
    PHP_INI_ENTRY("redislock.timeout", "0", PHP_INI_ALL, on_update_time)
    PHP_INI_ENTRY("redislock.retry_interval", "0.1", PHP_INI_ALL, on_update_time)
    PHP_INI_ENTRY("redislock.connect_timeout", "1", PHP_INI_ALL, on_update_time)
    PHP_INI_ENTRY("redislock.read_timeout", "1", PHP_INI_ALL, on_update_time)
    PHP_INI_ENTRY("redislock.node_timeout", "0.05", PHP_INI_ALL, on_update_time)
    PHP_INI_ENTRY("redislock.max_waiters", "0", PHP_INI_ALL, on_update_max_waiters)
    PHP_INI_ENTRY("redislock.replicas", "0", PHP_INI_ALL, on_update_replicas)
    PHP_INI_ENTRY("redislock.auto_release", "1", PHP_INI_ALL, on_update_auto_release)
    PHP_INI_ENTRY("redislock.max_hold", "3600", PHP_INI_ALL, on_update_time)
    PHP_INI_ENTRY("redislock.slow_wait", "INF", PHP_INI_ALL, on_update_time)
    PHP_INI_ENTRY("redislock.slow_hold", "INF", PHP_INI_ALL, on_update_time)
    PHP_INI_ENTRY_EX("redislock.local", "0", PHP_INI_SYSTEM, on_update_local, zend_ini_boolean_displayer_cb)
    PHP_INI_ENTRY_EX("redislock.renew", "0", PHP_INI_ALL, on_update_renew, zend_ini_boolean_displayer_cb)
    PHP_INI_ENTRY_EX("redislock.persistent", "1", PHP_INI_ALL, on_update_persistent, zend_ini_boolean_displayer_cb)
PHP_INI_END()

void php_rl_register_ini(int module_number)
{
    servers_refused_at_startup = false;
    zend_register_ini_entries(ini_entries, module_number);
}

void php_rl_unregister_ini(int module_number)
{
    zend_unregister_ini_entries(module_number);
}

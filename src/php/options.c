/* SPDX-License-Identifier: MIT
 *
 * php/options: see php/options.h.
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "php/options.h"

#include <math.h>
#include <stddef.h>

#include "zend_closures.h"
#include "zend_ini.h"
#include "zend_interfaces.h"

#include "lock/owner.h"
#include "lock_core.h"
#include "php/settings.h"
#include "platform/platform.h"

/* ---- the options array ---- */

#define OPTION_ERROR(name, ...) zend_argument_value_error(2, "option \"" name "\" must " __VA_ARGS__)

static bool wrong_type(const char *name, const char *type, zval *value)
{
    zend_argument_type_error(2, "option \"%s\" must be of type %s, %s given", name, type, zend_zval_type_name(value));
    return false;
}

/* Reads a number. Numeric strings and INF are accepted, since environment variables give nothing else. False: a
 * TypeError was thrown, which names `type`. */
static bool number_option(const char *name, const char *type, zval *value, double *number)
{
    zend_long integer;

    switch (Z_TYPE_P(value)) {
    case IS_LONG:
        *number = (double)Z_LVAL_P(value);
        return true;
    case IS_DOUBLE:
        *number = Z_DVAL_P(value);
        return true;
    case IS_STRING:
        switch (is_numeric_string(Z_STRVAL_P(value), Z_STRLEN_P(value), &integer, number, false)) {
        case IS_LONG:
            *number = (double)integer;
            return true;
        case IS_DOUBLE:
            return true;
        }
        if (zend_string_equals_literal_ci(Z_STR_P(value), "INF")) {
            *number = ZEND_INFINITY;
            return true;
        }
        ZEND_FALLTHROUGH;
    default:
        return wrong_type(name, type, value);
    }
}

static bool time_option(php_rl_options *options, const php_rl_time_setting *setting, zval *value)
{
    double seconds;

    if (!number_option(setting->name, "float", value, &seconds)) {
        return false;
    }
    if (!php_rl_time_setting_set(&options->settings, setting, seconds)) {
        zend_argument_value_error(2, "option \"%s\" must be %s", setting->name, setting->rule->range);
        return false;
    }
    return true;
}

static bool count_option(const char *name, zval *value, zend_long max, zend_long *count)
{
    double number;

    if (!number_option(name, "int", value, &number)) {
        return false;
    }
    if (!(number >= 0 && number <= (double)max && floor(number) == number)) {
        zend_argument_value_error(2, "option \"%s\" must be a whole number from 0 to " ZEND_LONG_FMT, name, max);
        return false;
    }
    *count = (zend_long)number;
    return true;
}

/* Reads a switch. The words of INI settings are accepted, and 0 and 1, since environment variables give no bool. False: it
 * is something else. */
static bool read_switch(const zval *value, bool *on)
{
    switch (Z_TYPE_P(value)) {
    case IS_TRUE:
    case IS_FALSE:
        *on = Z_TYPE_P(value) == IS_TRUE;
        return true;
    case IS_LONG:
        *on = Z_LVAL_P(value) == 1;
        return *on || Z_LVAL_P(value) == 0;
    case IS_STRING:
        return php_rl_switch(Z_STR_P(value), on);
    default:
        return false;
    }
}

/* What an int or a string that stands for a switch must be. */
#define SWITCH "true or false, or a word for it: 1, on, yes or true; 0, off, no or false"

static bool has_words(const zval *value)
{
    return Z_TYPE_P(value) == IS_LONG || Z_TYPE_P(value) == IS_STRING;
}

static bool bool_option(const char *name, zval *value, bool *flag)
{
    if (read_switch(value, flag)) {
        return true;
    }
    if (!has_words(value)) {
        return wrong_type(name, "bool", value);
    }
    zend_argument_value_error(2, "option \"%s\" must be " SWITCH, name);
    return false;
}

static bool string_option(const char *name, zval *value, zend_string **text)
{
    if (Z_TYPE_P(value) != IS_STRING) {
        return wrong_type(name, "string", value);
    }
    if (*text != NULL) {
        zend_string_release(*text);
    }
    *text = zend_string_copy(Z_STR_P(value));
    return true;
}

/* Reads a path or a name into options->tls_strings[i]. OpenSSL takes it up to the first null byte, so it must have
 * none. False: an error was thrown. */
static bool tls_string_option(php_rl_options *options, zend_string *key, size_t i, zval *value)
{
    if (Z_TYPE_P(value) != IS_STRING) {
        zend_argument_type_error(2, "option \"tls\" must have a string as \"%s\", %s given", ZSTR_VAL(key),
                                 zend_zval_type_name(value));
        return false;
    }
    if (Z_STRLEN_P(value) == 0 || php_rl_has_null(Z_STR_P(value))) {
        zend_argument_value_error(2, "option \"tls\" must have a \"%s\" that is not empty and has no null bytes",
                                  ZSTR_VAL(key));
        return false;
    }
    options->tls_strings[i] = zend_string_copy(Z_STR_P(value));
    return true;
}

/* A variable that is left empty must not turn off a check of whom a password is sent to, so the empty string is no word
 * here. */
static bool tls_flag_option(zend_string *key, zval *value, bool *flag)
{
    bool is_empty = Z_TYPE_P(value) == IS_STRING && Z_STRLEN_P(value) == 0;

    if (!is_empty && read_switch(value, flag)) {
        return true;
    }
    if (has_words(value)) {
        zend_argument_value_error(2, "option \"tls\" must have \"%s\" as " SWITCH, ZSTR_VAL(key));
    } else {
        zend_argument_type_error(2, "option \"tls\" must have a bool as \"%s\", %s given", ZSTR_VAL(key),
                                 zend_zval_type_name(value));
    }
    return false;
}

/* Takes one element of the option `tls`. The order of `strings` is that of options->tls_strings and of `fields` in
 * tls_option(). False: an error was thrown. */
static bool take_tls_option(php_rl_options *options, zend_string *key, zval *value)
{
    static const char *const strings[] = {"cafile", "capath", "local_cert", "local_pk", "peer_name"};

    for (size_t i = 0; i < sizeof(strings) / sizeof(*strings); i++) {
        if (zend_string_equals_cstr(key, strings[i], strlen(strings[i]))) {
            return tls_string_option(options, key, i, value);
        }
    }
    if (zend_string_equals_literal(key, "verify_peer")) {
        return tls_flag_option(key, value, &options->tls.verify_peer);
    }
    if (zend_string_equals_literal(key, "verify_peer_name")) {
        return tls_flag_option(key, value, &options->tls.verify_peer_name);
    }
    zend_argument_value_error(2, "option \"tls\" has an unknown \"%s\"", ZSTR_VAL(key));
    return false;
}

/* Takes the option `tls`. Its keys are the names of PHP's SSL context, and null leaves one at its default. Points
 * options->tls to the strings in options->tls_strings. False: an error was thrown. */
static bool tls_option(php_rl_options *options, zval *value)
{
    rl_tls_options *tls = &options->tls;
    zend_string *key;
    zval *entry;

    if (Z_TYPE_P(value) != IS_ARRAY) {
        return wrong_type("tls", "array", value);
    }
    ZEND_HASH_FOREACH_STR_KEY_VAL(Z_ARRVAL_P(value), key, entry) {
        ZVAL_DEREF(entry);
        if (key == NULL) {
            OPTION_ERROR("tls", "have names of PHP's SSL context as its keys");
            return false;
        }
        if (Z_TYPE_P(entry) != IS_NULL && !take_tls_option(options, key, entry)) {
            return false;
        }
    }
    ZEND_HASH_FOREACH_END();
    char **const fields[] = {&tls->cafile, &tls->capath, &tls->local_cert, &tls->local_pk, &tls->peer_name};
    for (size_t i = 0; i < 5; i++) {
        *fields[i] = options->tls_strings[i] != NULL ? ZSTR_VAL(options->tls_strings[i]) : NULL;
    }
    options->has_tls = true;
    return true;
}

static bool auto_release_option(php_rl_options *options, zval *value)
{
    bool on;

    if (read_switch(value, &on)) {
        options->settings.auto_release = on ? AUTO_RELEASE_OBJECT : AUTO_RELEASE_NEVER;
    } else if (Z_TYPE_P(value) == IS_STRING && zend_string_equals_literal_ci(Z_STR_P(value), "request")) {
        options->settings.auto_release = AUTO_RELEASE_REQUEST;
    } else {
        OPTION_ERROR("auto_release", "be true, false or \"request\"");
        return false;
    }
    return true;
}

static bool prefix_option(php_rl_options *options, zval *value)
{
    if (!string_option("prefix", value, &options->prefix)) {
        return false;
    }
    if (ZSTR_LEN(options->prefix) > PHP_RL_MAX_NAME) {
        OPTION_ERROR("prefix", "not be longer than 65535 bytes");
        return false;
    }
    return true;
}

static bool owner_option(php_rl_options *options, zval *value)
{
    if (!string_option("owner", value, &options->owner)) {
        return false;
    }
    if (!php_rl_is_owner(options->owner)) {
        OPTION_ERROR("owner", "be " PHP_RL_OWNER_MUST);
        return false;
    }
    return true;
}

static bool name_option(const char *name, zval *value, zend_string **text)
{
    if (!string_option(name, value, text)) {
        return false;
    }
    if (php_rl_has_null(*text)) {
        zend_argument_value_error(2, "option \"%s\" must be a name without null bytes", name);
        return false;
    }
    return true;
}

static bool username_option(php_rl_options *options, zval *value)
{
    return name_option("username", value, &options->username);
}

static bool sentinel_username_option(php_rl_options *options, zval *value)
{
    return name_option("sentinel_username", value, &options->sentinel_username);
}

static bool sentinel_password_option(php_rl_options *options, zval *value)
{
    return string_option("sentinel_password", value, &options->sentinel_password);
}

/* As with the checks of `tls`, an empty text says nothing: it must not turn off what the server's scheme has turned on. */
static bool sentinel_tls_option(php_rl_options *options, zval *value)
{
    bool is_none = Z_TYPE_P(value) == IS_STRING && Z_STRLEN_P(value) == 0;

    options->has_sentinel_tls = !is_none;
    return is_none || bool_option("sentinel_tls", value, &options->sentinel_tls);
}

static bool password_option(php_rl_options *options, zval *value)
{
    return string_option("password", value, &options->password);
}

/* As with the user and the password, an empty text is none: an .env file gives it. */
static bool database_option(php_rl_options *options, zval *value)
{
    bool is_none = Z_TYPE_P(value) == IS_STRING && Z_STRLEN_P(value) == 0;

    return is_none || count_option("database", value, RL_ENDPOINT_MAX_DATABASE, &options->database);
}

static bool max_attempts_option(php_rl_options *options, zval *value)
{
    return count_option("max_attempts", value, PHP_RL_MAX_COUNT, &options->max_attempts);
}

static bool max_waiters_option(php_rl_options *options, zval *value)
{
    return count_option("max_waiters", value, PHP_RL_MAX_COUNT, &options->settings.max_waiters);
}

static bool replicas_option(php_rl_options *options, zval *value)
{
    return count_option("replicas", value, PHP_RL_MAX_REPLICAS, &options->settings.replicas);
}

/* A fencing token has up to 53 bits. The int of a 32-bit PHP would cut it, and cut ones do not grow. */
static bool fencing_option(php_rl_options *options, zval *value)
{
    if (!bool_option("fencing", value, &options->fencing)) {
        return false;
    }
    if (options->fencing && sizeof(zend_long) < sizeof(int64_t)) {
        OPTION_ERROR("fencing", "be false on a 32-bit PHP, whose int cannot hold a fencing token");
        return false;
    }
    return true;
}

static bool metrics_group_option(php_rl_options *options, zval *value)
{
    return string_option("metrics_group", value, &options->metrics_group);
}

static bool persistent_option(php_rl_options *options, zval *value)
{
    return bool_option("persistent", value, &options->settings.persistent);
}

static bool renew_option(php_rl_options *options, zval *value)
{
    return bool_option("renew", value, &options->settings.renew);
}

static bool local_option(php_rl_options *options, zval *value)
{
    options->is_local_given = true;
    return bool_option("local", value, &options->settings.local);
}

static bool takeover_option(php_rl_options *options, zval *value)
{
    return bool_option("takeover", value, &options->takeover);
}

/* Makes a Closure of the function, so that it can be called from anywhere later, also if it is private where it is named
 * here. */
static bool on_loss_option(php_rl_options *options, zval *value)
{
    if (Z_TYPE_P(value) == IS_STRING && zend_string_equals_literal(Z_STR_P(value), "flag")) {
        options->on_loss = ON_LOSS_FLAG;
    } else if (Z_TYPE_P(value) == IS_STRING && zend_string_equals_literal(Z_STR_P(value), "throw")) {
        options->on_loss = ON_LOSS_THROW;
    } else if (zend_is_callable(value, 0, NULL) && EG(exception) == NULL) {
        zend_call_method_with_1_params(NULL, zend_ce_closure, NULL, "fromcallable", &options->on_loss_function, value);
        options->on_loss = ON_LOSS_CALL;
    } else if (EG(exception) == NULL) {
        OPTION_ERROR("on_loss", "be \"flag\", \"throw\" or a callable");
    }
    return EG(exception) == NULL;
}

static bool is_logger(const zval *value)
{
    static const char name[] = "Psr\\Log\\LoggerInterface";
    zend_string *class_name;
    zend_class_entry *logger;

    if (Z_TYPE_P(value) != IS_OBJECT) {
        return false;
    }
    class_name = zend_string_init(name, sizeof(name) - 1, false);
    logger = zend_lookup_class_ex(class_name, NULL, ZEND_FETCH_CLASS_NO_AUTOLOAD);
    zend_string_release(class_name);
    return logger != NULL && instanceof_function(Z_OBJCE_P(value), logger);
}

/* Takes a logger of PSR-3, or a callable. False: it is neither, or an exception was thrown. A callable is made a
 * Closure, so that it can be called from anywhere later, also if it is private where it is named here. */
static bool take_listener(zval *listener, zval *value)
{
    if (is_logger(value)) {
        ZVAL_COPY(listener, value);
    } else if (zend_is_callable(value, 0, NULL) && EG(exception) == NULL) {
        zend_call_method_with_1_params(NULL, zend_ce_closure, NULL, "fromcallable", listener, value);
    }
    return EG(exception) == NULL && Z_TYPE_P(listener) == IS_OBJECT;
}

static bool listener_option(php_rl_options *options, zval *value)
{
    if (!take_listener(&options->listener, value) && EG(exception) == NULL) {
        OPTION_ERROR("listener", "be a callable or a Psr\\Log\\LoggerInterface");
    }
    return EG(exception) == NULL;
}

/* The options that are not times. */
static const struct option {
    const char *name;
    bool (*take)(php_rl_options *options, zval *value);
} other_options[] = {
    {"prefix", prefix_option},
    {"owner", owner_option},
    {"max_waiters", max_waiters_option},
    {"replicas", replicas_option},
    {"max_attempts", max_attempts_option},
    {"auto_release", auto_release_option},
    {"fencing", fencing_option},
    {"metrics_group", metrics_group_option},
    {"persistent", persistent_option},
    {"renew", renew_option},
    {"local", local_option},
    {"takeover", takeover_option},
    {"on_loss", on_loss_option},
    {"listener", listener_option},
    {"username", username_option},
    {"password", password_option},
    {"database", database_option},
    {"tls", tls_option},
    {"sentinel_username", sentinel_username_option},
    {"sentinel_password", sentinel_password_option},
    {"sentinel_tls", sentinel_tls_option},
};

static bool is_one_of(const char *const *names, const zend_string *key)
{
    while (*names != NULL && !zend_string_equals_cstr(key, *names, strlen(*names))) {
        names++;
    }
    return *names != NULL;
}

/* Takes one option. null leaves it at its default, since configuration files say "not set" by it. False: an error was
 * thrown. */
static bool take_option(php_rl_options *options, const char *const *known, zend_string *key, zval *value)
{
    const php_rl_time_setting *setting = php_rl_time_setting_find(ZSTR_VAL(key), ZSTR_LEN(key));
    const struct option *option = other_options;

    if (!is_one_of(known, key)) {
        zend_argument_value_error(2, "option \"%s\" is unknown", ZSTR_VAL(key));
        return false;
    }
    if (Z_TYPE_P(value) == IS_NULL) {
        return true;
    }
    if (setting != NULL) {
        return time_option(options, setting, value);
    }
    while (!zend_string_equals_cstr(key, option->name, strlen(option->name))) {
        option++;
    }
    return option->take(options, value);
}

/* Takes all options of the array. A value may be a reference, and PHP code that runs while it is taken may assign to it, so
 * each is copied. False: an error was thrown, and the options that were taken before it are still to be freed. */
static bool take_options(php_rl_options *options, const char *const *known, HashTable *array)
{
    zend_string *key;
    zval *value, copy;
    bool good = true;

    ZEND_HASH_FOREACH_STR_KEY_VAL(array, key, value) {
        if (key == NULL) {
            zend_argument_value_error(2, "must have option names as its keys");
            return false;
        }
        ZVAL_COPY_DEREF(&copy, value);
        good = take_option(options, known, key, &copy);
        zval_ptr_dtor(&copy);
        if (!good) {
            break;
        }
    }
    ZEND_HASH_FOREACH_END();
    return good;
}

/* What the settings say counts if no option does; so they are copied first. */
bool php_rl_options_init(php_rl_options *options, const char *const *known, const char *prefix, HashTable *array)
{
    memset(options, 0, sizeof(*options));
    options->settings = RL_G(settings);
    options->database = -1;
    options->tls.verify_peer = options->tls.verify_peer_name = true;
    options->prefix = zend_string_init(prefix, strlen(prefix), false);
    if (RL_G(owner_setting) != NULL) {
        options->owner = zend_string_init(RL_G(owner_setting), strlen(RL_G(owner_setting)), false);
    }
    options->max_attempts = 5;
    if (array != NULL && !take_options(options, known, array)) {
        return false;
    }
    if (options->takeover && options->is_local_given && !options->settings.local) {
        OPTION_ERROR("takeover", "be false if the option \"local\" is");
        return false;
    }
    options->prefix_closes = memchr(ZSTR_VAL(options->prefix), '}', ZSTR_LEN(options->prefix)) != NULL;
    return true;
}

void php_rl_options_forget_functions(php_rl_options *options)
{
    zval function, listener;

    ZVAL_COPY_VALUE(&function, &options->on_loss_function);
    ZVAL_COPY_VALUE(&listener, &options->listener);
    ZVAL_UNDEF(&options->on_loss_function);
    ZVAL_UNDEF(&options->listener);
    options->on_loss = ON_LOSS_FLAG;
    zval_ptr_dtor(&function);
    zval_ptr_dtor(&listener);
}

/* options->tls has no strings of its own: they are in tls_strings. The functions come last: what they have bound may have a
 * destructor, and a fatal error in that jumps over what follows. */
void php_rl_options_free(php_rl_options *options)
{
    zend_string *strings[] = {options->username,          options->password, options->sentinel_username,
                              options->sentinel_password, options->prefix,   options->owner,
                              options->metrics_group};

    for (size_t i = 0; i < sizeof(strings) / sizeof(*strings); i++) {
        if (strings[i] != NULL) {
            zend_string_release(strings[i]);
        }
    }
    for (size_t i = 0; i < sizeof(options->tls_strings) / sizeof(*options->tls_strings); i++) {
        if (options->tls_strings[i] != NULL) {
            zend_string_release(options->tls_strings[i]);
        }
    }
    for (size_t i = 0; i < options->env_count; i++) {
        zend_string_release(options->env[i]);
    }
    php_rl_servers_free(&options->servers);
    php_rl_options_forget_functions(options);
    memset(options, 0, sizeof(*options));
}

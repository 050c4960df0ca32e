/* SPDX-License-Identifier: MIT
 *
 * php/servers: see php/servers.h.
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "php/servers.h"

#include "SAPI.h"

#include "php/ini.h"
#include "platform/platform.h"

/* ---- from the options ---- */

static void log_in(const php_rl_options *options, rl_endpoint *endpoint)
{
    rl_endpoint_login(endpoint, options->username != NULL ? ZSTR_VAL(options->username) : NULL,
                      options->password != NULL ? ZSTR_VAL(options->password) : NULL,
                      options->password != NULL ? ZSTR_LEN(options->password) : 0, (long)options->database);
}

/* Copies the text to `why`, and returns false. */
static bool refuse(char *why, size_t why_size, const char *text)
{
    snprintf(why, why_size, "%s", text);
    return false;
}

static bool is_given(const zend_string *text)
{
    return text != NULL && ZSTR_LEN(text) > 0; /* an .env file gives an empty text for none */
}

/* The same node twice is a mistake: the list was to name another one, to be asked if the first has gone. */
static bool check_seeds(const rl_endpoint *endpoint, char *why, size_t why_size)
{
    const rl_seeds *seeds = endpoint->seeds;

    for (size_t i = 0; seeds != NULL && i < seeds->count; i++) {
        for (size_t j = 0; j < i; j++) {
            if (seeds->list[i].port == seeds->list[j].port &&
                php_rl_is_same_host(seeds->list[i].host, seeds->list[j].host)) {
                return refuse(why, why_size, "the same node is named twice");
            }
        }
    }
    return true;
}

/* A sentinel that is named twice would count as two of the majority. */
static bool check_sentinels(const rl_endpoint *endpoint, char *why, size_t why_size)
{
    const rl_sentinels *sentinels = endpoint->sentinels;

    for (size_t i = 0; sentinels != NULL && i < sentinels->count; i++) {
        for (size_t j = 0; j < i; j++) {
            if (php_rl_is_same_server(&sentinels->list[i], &sentinels->list[j])) {
                return refuse(why, why_size, "the same sentinel is named twice");
            }
        }
    }
    return true;
}

/* Sets how the sentinels are reached, if the options say so. */
static bool set_sentinels(const php_rl_options *options, rl_endpoint *endpoint, char *why, size_t why_size)
{
    const zend_string *username = options->sentinel_username, *password = options->sentinel_password;
    bool any = is_given(username) || is_given(password) || options->has_sentinel_tls;

    if (any && endpoint->sentinels == NULL) {
        return refuse(why, why_size,
                      "the options \"sentinel_...\" need a server that Sentinel names: redis-sentinel://");
    }
    if (is_given(username) && !is_given(password)) {
        return refuse(why, why_size, "the option \"sentinel_username\" needs \"sentinel_password\"");
    }
    if (options->has_sentinel_tls && options->sentinel_tls && !rl_tls_is_built_in()) {
        return refuse(why, why_size, "the option \"sentinel_tls\" needs a build with TLS");
    }
    if (is_given(password)) {
        rl_endpoint_sentinel_login(endpoint, is_given(username) ? ZSTR_VAL(username) : NULL, ZSTR_VAL(password),
                                   ZSTR_LEN(password));
    }
    if (options->has_sentinel_tls) {
        rl_endpoint_sentinel_tls(endpoint, options->sentinel_tls);
    }
    return true;
}

static bool set_tls(const php_rl_options *options, rl_endpoint *endpoint, char *why, size_t why_size)
{
    if (options->has_tls && !rl_endpoint_has_tls(endpoint)) {
        return refuse(why, why_size,
                      endpoint->sentinels != NULL ? "the option \"tls\" needs a server with TLS: rediss-sentinel://"
                      : endpoint->seeds != NULL   ? "the option \"tls\" needs a server with TLS: rediss-cluster://"
                                                  : "the option \"tls\" needs a server with TLS: rediss://");
    }
    if (options->has_tls) {
        rl_endpoint_secure(endpoint, &options->tls);
    }
    return true;
}

static bool check_login(const rl_endpoint *endpoint, char *why, size_t why_size)
{
    return endpoint->username == NULL || endpoint->password != NULL ||
           refuse(why, why_size, "a user needs a password: user:password@, or the option \"password\"");
}

/* Makes an endpoint that is ready to connect to, from a DSN and the options. False: `why` says why, and there is
 * nothing to free. */
static bool parse_server(const php_rl_options *options, const char *dsn, size_t len, rl_endpoint *endpoint, char *why,
                         size_t why_size)
{
    if (!rl_endpoint_parse(endpoint, dsn, len, why, why_size)) {
        return false;
    }
    log_in(options, endpoint);
    if (check_sentinels(endpoint, why, why_size) && check_seeds(endpoint, why, why_size) &&
        set_sentinels(options, endpoint, why, why_size) && set_tls(options, endpoint, why, why_size) &&
        check_login(endpoint, why, why_size)) {
        return true;
    }
    rl_endpoint_free(endpoint);
    return false;
}

/* Adds a server to the options, by its DSN, or the name of the variable that will name it (env:NAME). False: an error
 * was thrown. */
static bool take_server(php_rl_options *options, const char *text, size_t len)
{
    char why[160];
    rl_endpoint endpoint;

    if (len >= 4 && zend_binary_strcasecmp(text, 4, ZEND_STRL("env:")) == 0) {
        if (len == 4 || memchr(text, '\0', len) != NULL || memchr(text, '=', len) != NULL) {
            zend_argument_value_error(1, "must name an environment variable after \"env:\"");
            return false;
        }
        if (options->env_count == RL_MAX_NODES) {
            zend_argument_value_error(1, "must not name more than %d environment variables", RL_MAX_NODES);
            return false;
        }
        zend_string *name = zend_string_init(text + 4, len - 4, false);
        options->env[options->env_count++] = name;
        char label[4 + 100 + 1];
        snprintf(label, sizeof(label), "env:%s", ZSTR_VAL(name));
        php_rl_servers_add_label(&options->servers, label);
        return true;
    }
    if (!parse_server(options, text, len, &endpoint, why, sizeof(why))) {
        zend_argument_value_error(1, "must be a server: %s", why);
        return false;
    }
    if (!php_rl_servers_add(&options->servers, &endpoint, why, sizeof(why))) {
        zend_argument_value_error(1, "must be a list of different servers: %s", why);
        return false;
    }
    return true;
}

/* Adds the servers of the list to the options. False: an error was thrown; those before it stay added. */
static bool take_list(php_rl_options *options, HashTable *servers)
{
    zval *server;

    if (zend_hash_num_elements(servers) == 0) {
        zend_argument_value_error(1, "must not be empty");
        return false;
    }
    ZEND_HASH_FOREACH_VAL(servers, server) {
        ZVAL_DEREF(server);
        if (Z_TYPE_P(server) != IS_STRING) {
            zend_argument_type_error(1, "must be a list of strings, %s given", zend_zval_type_name(server));
            return false;
        }
        if (!take_server(options, Z_STRVAL_P(server), Z_STRLEN_P(server))) {
            return false;
        }
    }
    ZEND_HASH_FOREACH_END();
    return true;
}

/* Adds the servers of the INI setting to the options. An empty setting is an error, as an empty DSN is. So is one that
 * was refused, since RL_G(servers) then has the default, which nobody has named. False: an error was thrown. */
static bool take_setting(php_rl_options *options)
{
    rl_bytes left = {RL_G(servers), strlen(RL_G(servers))}, word;

    if (php_rl_servers_setting_is_refused()) {
        zend_argument_value_error(1, "must be given, since the INI setting redislock.servers holds a password and was "
                                     "not taken: write env:NAME there and set the environment variable NAME");
        return false;
    }
    if (!php_rl_next_word(&left, &word)) {
        return take_server(options, "", 0);
    }
    do {
        if (!take_server(options, word.at, word.len)) {
            return false;
        }
    } while (php_rl_next_word(&left, &word));
    return true;
}

bool php_rl_servers_init(php_rl_options *options, zval *servers)
{
    switch (servers != NULL ? Z_TYPE_P(servers) : IS_NULL) {
    case IS_NULL:
        return take_setting(options);
    case IS_ARRAY:
        return take_list(options, Z_ARRVAL_P(servers));
    case IS_STRING:
        return take_server(options, Z_STRVAL_P(servers), Z_STRLEN_P(servers));
    default:
        zend_argument_type_error(1, "must be of type array|string|null, %s given", zend_zval_type_name(servers));
        return false;
    }
}

/* ---- from the environment ---- */

/* Adds the servers that the text names. False: it names none or a bad one, and `why` says so. `variable`: see look_up(). */
static bool add_servers(const php_rl_options *options, php_rl_servers *found, const char *variable, const char *text,
                        char *why, size_t why_size)
{
    rl_bytes left = {text, strlen(text)}, word;
    char problem[160] = "";
    size_t before = found->count;
    bool good = true;

    while (good && php_rl_next_word(&left, &word)) {
        rl_endpoint endpoint;
        good = parse_server(options, word.at, word.len, &endpoint, problem, sizeof(problem)) &&
               php_rl_servers_add(found, &endpoint, problem, sizeof(problem));
    }
    if (!good) {
        snprintf(why, why_size, "the environment variable%s must hold a server: %s", variable, problem);
    } else if (found->count == before) {
        snprintf(why, why_size, "the environment variable%s must hold a server", variable);
        good = false;
    }
    return good;
}

/* Adds the servers that the variable holds; the environment of the request comes before that of the process. False: it
 * is not set or holds no servers, and `why` says so. */
static bool look_up(const php_rl_options *options, zend_string *name, php_rl_servers *found, char *why, size_t why_size)
{
    char *of_request = sapi_getenv(ZSTR_VAL(name), ZSTR_LEN(name)), *of_process = NULL;
    const char *value;
    char variable[1 + 100 + 1] = ""; /* its name and a space before it, if it is not clear which one is meant */
    bool good = false;

    if (options->servers.count + options->env_count > 1) {
        snprintf(variable, sizeof(variable), " %s", ZSTR_VAL(name));
    }
    if (of_request == NULL) {
        tsrm_env_lock(); /* putenv() in another thread could free the value */
        of_process = platform_getenv(ZSTR_VAL(name));
        tsrm_env_unlock();
    }
    value = of_request != NULL ? of_request : of_process;
    if (value == NULL || *value == '\0') {
        snprintf(why, why_size, "the environment variable%s is not set", variable);
    } else {
        good = add_servers(options, found, variable, value, why, why_size);
    }
    if (of_request != NULL) {
        efree(of_request);
    }
    free(of_process);
    return good;
}

/* Each call looks the variables up, so that a changed environment counts. The servers that were given by address come
 * first, so that a variable that names one of them again is refused. */
bool php_rl_servers_lookup(const php_rl_options *options, php_rl_servers *found, char *why, size_t why_size)
{
    memset(found, 0, sizeof(*found));
    for (size_t i = 0; i < options->servers.count; i++) {
        rl_endpoint endpoint;
        rl_endpoint_copy(&endpoint, &options->servers.list[i]);
        php_rl_servers_add(found, &endpoint, why,
                           why_size); /* it cannot fail, since the constructor has added it so before */
    }
    for (size_t i = 0; i < options->env_count; i++) {
        if (!look_up(options, options->env[i], found, why, why_size)) {
            return false;
        }
    }
    return true;
}

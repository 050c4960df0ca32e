/* SPDX-License-Identifier: MIT
 *
 * redis/endpoint: see redis/endpoint.h.
 */
#include "redis/endpoint.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platform/platform.h"
#include "platform/sockets.h"

/* How a server that sentinels name is written. */
#define SENTINEL_FORM "redis-sentinel://HOST:26379/MASTER"

/* How a cluster is written. */
#define CLUSTER_FORM "redis-cluster://HOST:6379"

#define SCHEMES                                                                                                        \
    "redis, rediss, redis-sentinel, rediss-sentinel, redis-cluster, rediss-cluster, valkey, valkeys, tcp, tls or unix"

/* A piece of the DSN: from `at` up to, not including, `end`. */
typedef struct span {
    const char *at;
    const char *end;
} span;

static size_t span_len(span s)
{
    return (size_t)(s.end - s.at);
}

/* Is the span this text, which has small letters, in capital or small ones? Whatever the locale is. */
static bool span_is(span s, const char *text)
{
    bool same = span_len(s) == strlen(text);

    for (const char *p = s.at; p < s.end && same; p++, text++) {
        same = (*p >= 'A' && *p <= 'Z' ? *p | 0x20 : *p) == *text;
    }
    return same;
}

/* The last `c` in the span, or NULL. */
static const char *span_last(span s, char c)
{
    for (const char *p = s.end; p > s.at; p--) {
        if (p[-1] == c) {
            return p - 1;
        }
    }
    return NULL;
}

/* The first `c` in the span, or NULL. */
static const char *span_first(span s, char c)
{
    return span_len(s) > 0 ? memchr(s.at, c, span_len(s)) : NULL;
}

/* Copies the text to `why` and returns false. */
static bool fail(char *why, size_t size, const char *text)
{
    snprintf(why, size, "%s", text);
    return false;
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Returns the span with each %XX decoded and a NUL behind it, which the caller frees, and its length in `len`. Returns
 * NULL if two hex digits are missing behind a %. */
static char *decode(span s, size_t *len)
{
    char *text = platform_alloc(span_len(s) + 1);
    char *out = text;

    for (const char *p = s.at; p < s.end; p++) {
        if (*p != '%') {
            *out++ = *p;
            continue;
        }
        int high = s.end - p > 2 ? hex_digit(p[1]) : -1;
        int low = s.end - p > 2 ? hex_digit(p[2]) : -1;
        if (high < 0 || low < 0) {
            free(text);
            return NULL;
        }
        *out++ = (char)(high << 4 | low);
        p += 2;
    }
    *out = '\0';
    *len = (size_t)(out - text);
    return text;
}

/* As decode(), for text that the C library takes as a string: returns NULL also if it is empty or holds a NUL. */
static char *decode_text(span s)
{
    size_t len;
    char *text = decode(s, &len);

    if (text != NULL && (len == 0 || strlen(text) != len)) {
        free(text);
        return NULL;
    }
    return text;
}

/* Reads a decimal number from 0 to `max`, of at most ten digits. Returns false, and leaves `number` alone, if the span
 * is anything else. */
static bool parse_number(span s, long max, long *number)
{
    int64_t n = 0; /* a long may be too small for ten digits */

    if (span_len(s) == 0 || span_len(s) > 10) {
        return false;
    }
    for (const char *p = s.at; p < s.end; p++) {
        if (*p < '0' || *p > '9') {
            return false;
        }
        n = n * 10 + (*p - '0');
    }
    if (n > max) {
        return false;
    }
    *number = (long)n;
    return true;
}

/* Reads [user][:password], which stands before the @. Either may be left out, since an option may set it. */
static bool parse_login(rl_endpoint *ep, span s, char *why, size_t size)
{
    const char *colon = span_first(s, ':');
    span user = {s.at, colon != NULL ? colon : s.end};

    if (span_len(user) > 0 && (ep->username = decode_text(user)) == NULL) {
        return fail(why, size, "the user name is not properly percent-encoded");
    }
    if (colon != NULL && colon + 1 < s.end) { /* an empty password counts as none */
        span password = {colon + 1, s.end};
        if ((ep->password = decode(password, &ep->password_len)) == NULL) {
            return fail(why, size, "the password is not properly percent-encoded");
        }
    }
    return true;
}

static bool parse_database(rl_endpoint *ep, span s, char *why, size_t size)
{
    if (!parse_number(s, RL_ENDPOINT_MAX_DATABASE, &ep->database)) {
        return fail(why, size, "the database must be a whole number, 0 or more");
    }
    ep->database_given = true;
    return true;
}

/* Reads what stands behind the ?: nothing, or db=NUMBER, which is the only parameter there is. */
static bool parse_query(rl_endpoint *ep, span s, char *why, size_t size)
{
    if (span_len(s) == 0) {
        return true;
    }
    if (span_len(s) < 3 || memcmp(s.at, "db=", 3) != 0 || span_first(s, '&') != NULL) {
        return fail(why, size, "the only parameter after '?' is db=NUMBER");
    }
    return parse_database(ep, (span){s.at + 3, s.end}, why, size);
}

/* A system without unix sockets refuses them here, before anything waits for one. */
static bool parse_unix(rl_endpoint *ep, span s, char *why, size_t size)
{
    if (SOCKETS_UNIX_PATH_MAX == 0) {
        return fail(why, size, "a unix socket needs a system other than Windows: use redis://HOST:6379");
    }
    if (span_len(s) == 0 || *s.at != '/') {
        return fail(why, size, "a unix socket needs an absolute path: unix:///path/to/redis.sock");
    }
    if ((ep->path = decode_text(s)) == NULL) {
        return fail(why, size, "the path of the socket is not properly percent-encoded");
    }
    if (strlen(ep->path) > SOCKETS_UNIX_PATH_MAX) { /* it would be cut off silently on its way to connect() */
        snprintf(why, size, "the path of the socket is longer than %d bytes", (int)SOCKETS_UNIX_PATH_MAX);
        return false;
    }
    return true;
}

/* White space is what a list that was written with spaces leaves in its hosts. */
static bool has_blank(const char *text)
{
    return strpbrk(text, " \t\r\n") != NULL;
}

/* Decodes the host. `form` shows a server of this kind. */
static bool parse_host_name(rl_endpoint *ep, span s, const char *form, char *why, size_t size)
{
    if (span_len(s) == 0) {
        snprintf(why, size, "the host is missing: %s", form);
        return false;
    }
    if ((ep->host = decode_text(s)) == NULL) {
        return fail(why, size, "the host is not properly percent-encoded");
    }
    return !has_blank(ep->host) || fail(why, size, "the host must have no spaces");
}

/* Reads HOST[:PORT], with an IPv6 address in brackets. Without a colon the port is the given one; a colon without a
 * port is an error. `form` shows a server of this kind. Returns false, with the reason in `why`, on an error; the caller
 * frees what was read. */
static bool parse_host(rl_endpoint *ep, span s, long number, const char *form, char *why, size_t size)
{
    span host = s;
    span port = {s.end, s.end};

    if (span_first(s, ',') != NULL) {
        return fail(why, size,
                    "the host must be one: several are redis-cluster://HOST,HOST or redis-sentinel://HOST,HOST/MASTER");
    }
    if (span_len(s) > 0 && *s.at == '[') {
        const char *close = span_first(s, ']');
        if (close == NULL || (close + 1 < s.end && close[1] != ':')) {
            return fail(why, size, "an IPv6 address stands in brackets: redis://[::1]:6379");
        }
        host = (span){s.at + 1, close};
        port.at = close + 1 < s.end ? close + 2 : s.end;
    } else {
        const char *colon = span_first(s, ':');
        if (colon != NULL && colon != span_last(s, ':')) {
            return fail(why, size, "an IPv6 address stands in brackets: redis://[::1]:6379");
        }
        if (colon != NULL) {
            host.end = colon;
            port.at = colon + 1;
        }
    }
    if (!parse_host_name(ep, host, form, why, size)) {
        return false;
    }
    if (port.at != s.end || (s.end > s.at && s.end[-1] == ':')) {
        if (!parse_number(port, 65535, &number) || number == 0) {
            return fail(why, size, "the port must be a whole number from 1 to 65535");
        }
    }
    ep->port = (int)number;
    return true;
}

/* Reads [/DB], which ends the DSN. `slash` is where it begins; NULL: it is left out. */
static bool parse_db_part(rl_endpoint *ep, const char *slash, const char *end, char *why, size_t size)
{
    return slash == NULL || slash + 1 == end || parse_database(ep, (span){slash + 1, end}, why, size);
}

static bool parse_tcp(rl_endpoint *ep, span s, char *why, size_t size)
{
    const char *slash = span_first(s, '/');
    span host = {s.at, slash != NULL ? slash : s.end};

    return parse_host(ep, host, RL_ENDPOINT_PORT, "redis://HOST:6379", why, size) &&
           parse_db_part(ep, slash, s.end, why, size);
}

/* Appends a host and its port to the label, with a comma before them if there is a text already. */
static char *add_host_label(char *label, const char *host, int port)
{
    size_t len = label != NULL ? strlen(label) : 0;
    size_t size = len + strlen(host) + 16;

    label = platform_realloc(label, size);
    snprintf(label + len, size - len, strchr(host, ':') != NULL ? "%s[%s]:%d" : "%s%s:%d", len > 0 ? "," : "", host,
             port);
    return label;
}

static char *sentinel_label(const rl_endpoint *ep)
{
    const rl_sentinels *sentinels = ep->sentinels;
    char *hosts = NULL;

    for (size_t i = 0; i < sentinels->count; i++) {
        hosts = add_host_label(hosts, sentinels->list[i].host, sentinels->list[i].port);
    }
    size_t size = strlen(hosts) + strlen(sentinels->master) + 64;
    char *label = platform_alloc(size);
    snprintf(label, size, "redis%s-sentinel://%s/%s/%ld", ep->tls ? "s" : "", hosts, sentinels->master, ep->database);
    free(hosts);
    return label;
}

static char *cluster_label(const rl_endpoint *ep)
{
    char *hosts = NULL;

    for (size_t i = 0; i < ep->seeds->count; i++) {
        hosts = add_host_label(hosts, ep->seeds->list[i].host, ep->seeds->list[i].port);
    }
    size_t size = strlen(hosts) + 64;
    char *label = platform_alloc(size);
    snprintf(label, size, "redis%s-cluster://%s/%ld", ep->tls ? "s" : "", hosts, ep->database);
    free(hosts);
    return label;
}

static char *host_label(const rl_endpoint *ep)
{
    const char *format = strchr(ep->host, ':') != NULL ? "redis%s://[%s]:%d/%ld" : "redis%s://%s:%d/%ld";
    size_t size = strlen(ep->host) + 64;
    char *label = platform_alloc(size);

    snprintf(label, size, format, ep->tls ? "s" : "", ep->host, ep->port, ep->database);
    return label;
}

static char *path_label(const rl_endpoint *ep)
{
    size_t size = strlen(ep->path) + 64;
    char *label = platform_alloc(size);

    snprintf(label, size, ep->database != 0 ? "unix://%s?db=%ld" : "unix://%s", ep->path, ep->database);
    return label;
}

/* Makes the label from the other fields, in place of the one there is. It must never hold the user or the password. */
static void make_label(rl_endpoint *ep)
{
    free(ep->label);
    ep->label = ep->path != NULL        ? path_label(ep)
                : ep->host != NULL      ? host_label(ep)
                : ep->sentinels != NULL ? sentinel_label(ep)
                                        : cluster_label(ep);
}

/* Adds a sentinel to those of the endpoint. */
static bool parse_sentinel(rl_endpoint *ep, span s, char *why, size_t size)
{
    rl_sentinels *sentinels = ep->sentinels;
    rl_endpoint one = {.tls = ep->tls, .tls_options = ep->tls_options};

    if (sentinels->count == RL_MAX_SENTINELS) {
        snprintf(why, size, "there may be %d sentinels at most", RL_MAX_SENTINELS);
        return false;
    }
    if (!parse_host(&one, s, RL_SENTINEL_PORT, SENTINEL_FORM, why, size)) {
        rl_endpoint_free(&one);
        return false;
    }
    one.id = platform_unique();
    make_label(&one);
    sentinels->list = platform_realloc(sentinels->list, (sentinels->count + 1) * sizeof(*sentinels->list));
    sentinels->list[sentinels->count++] = one;
    return true;
}

/* Reads MASTER[/DB], which stands behind the slash. */
static bool parse_master(rl_endpoint *ep, span s, char *why, size_t size)
{
    const char *slash = span_first(s, '/');
    span name = {s.at, slash != NULL ? slash : s.end};

    if (span_len(name) == 0) {
        return fail(why, size, "the name of the master is missing: " SENTINEL_FORM);
    }
    if ((ep->sentinels->master = decode_text(name)) == NULL) {
        return fail(why, size, "the name of the master is not properly percent-encoded");
    }
    return parse_db_part(ep, slash, s.end, why, size);
}

/* Adds a node to those of the cluster. */
static bool parse_seed(rl_endpoint *ep, span s, char *why, size_t size)
{
    rl_seeds *seeds = ep->seeds;
    rl_endpoint one = {0};

    if (seeds->count == RL_MAX_SEEDS) {
        snprintf(why, size, "there may be %d nodes at most, and one is enough", RL_MAX_SEEDS);
        return false;
    }
    if (!parse_host(&one, s, RL_ENDPOINT_PORT, CLUSTER_FORM, why, size)) {
        rl_endpoint_free(&one);
        return false;
    }
    seeds->list = platform_realloc(seeds->list, (seeds->count + 1) * sizeof(*seeds->list));
    seeds->list[seeds->count++] = (rl_seed){one.host, one.port};
    return true;
}

/* Reads HOST[:PORT][,HOST[:PORT]...], each by `parse_one`. */
static bool parse_list(rl_endpoint *ep, span s, bool (*parse_one)(rl_endpoint *, span, char *, size_t), char *why,
                       size_t size)
{
    const char *comma;

    do {
        comma = span_first(s, ',');
        if (!parse_one(ep, (span){s.at, comma != NULL ? comma : s.end}, why, size)) {
            return false;
        }
        s.at = comma != NULL ? comma + 1 : s.end;
    } while (comma != NULL);
    return true;
}

/* Reads HOST[:PORT][,HOST[:PORT]...]/MASTER[/DB]. */
static bool parse_sentinels(rl_endpoint *ep, span s, char *why, size_t size)
{
    const char *slash = span_first(s, '/');

    ep->sentinels = platform_zalloc(sizeof(*ep->sentinels));
    return parse_list(ep, (span){s.at, slash != NULL ? slash : s.end}, parse_sentinel, why, size) &&
           parse_master(ep, (span){slash != NULL ? slash + 1 : s.end, s.end}, why, size);
}

/* Reads HOST[:PORT][,HOST[:PORT]...][/DB]. */
static bool parse_cluster(rl_endpoint *ep, span s, char *why, size_t size)
{
    const char *slash = span_first(s, '/');

    ep->seeds = platform_zalloc(sizeof(*ep->seeds));
    return parse_list(ep, (span){s.at, slash != NULL ? slash : s.end}, parse_seed, why, size) &&
           parse_db_part(ep, slash, s.end, why, size);
}

/* The schemes, each with what reads the rest of the DSN. */
static const struct scheme {
    const char *name;
    bool tls;
    bool (*parse)(rl_endpoint *ep, span s, char *why, size_t size);
} schemes[] = {
    {"redis", false, parse_tcp},
    {"valkey", false, parse_tcp},
    {"tcp", false, parse_tcp},
    {"rediss", true, parse_tcp},
    {"valkeys", true, parse_tcp},
    {"tls", true, parse_tcp},
    {"unix", false, parse_unix},
    {"redis-sentinel", false, parse_sentinels},
    {"valkey-sentinel", false, parse_sentinels},
    {"rediss-sentinel", true, parse_sentinels},
    {"valkeys-sentinel", true, parse_sentinels},
    {"redis-cluster", false, parse_cluster},
    {"valkey-cluster", false, parse_cluster},
    {"rediss-cluster", true, parse_cluster},
    {"valkeys-cluster", true, parse_cluster},
};

/* Returns the scheme of this name, or NULL. */
static const struct scheme *find_scheme(span name)
{
    for (size_t i = 0; i < sizeof(schemes) / sizeof(*schemes); i++) {
        if (span_is(name, schemes[i].name)) {
            return &schemes[i];
        }
    }
    return NULL;
}

/* Reads the DSN into an all-zero endpoint, except for the label. Returns false, with the reason in `why`, if it is
 * malformed: the caller then frees the part that was read. */
static bool parse(rl_endpoint *ep, span dsn, char *why, size_t size)
{
    const char *colon = span_first(dsn, ':');
    const struct scheme *scheme;

    if (colon == NULL || dsn.end - colon < 3 || colon[1] != '/' || colon[2] != '/') {
        return fail(why, size, "a server is written redis://host:6379, unix:///path or env:NAME");
    }
    scheme = find_scheme((span){dsn.at, colon});
    if (scheme == NULL) {
        return fail(why, size, "the scheme must be " SCHEMES);
    }
    ep->tls = scheme->tls;
    ep->tls_options.verify_peer = ep->tls_options.verify_peer_name = true;
    if (ep->tls && !rl_tls_is_built_in()) {
        return fail(why, size, "this build has no TLS: install OpenSSL's development files and build it again");
    }

    span rest = {colon + 3, dsn.end};
    const char *query = span_first(rest, '?');
    span parameters = {query != NULL ? query + 1 : rest.end, rest.end};
    rest.end = query != NULL ? query : rest.end;

    /* A password may hold an @ that is not encoded, so the last @ counts; but an @ in the path does not. */
    const char *slash = span_first(rest, '/');
    span authority = {rest.at, slash != NULL ? slash : rest.end};
    const char *at = span_last(authority, '@');
    if (at != NULL) {
        if (!parse_login(ep, (span){rest.at, at}, why, size)) {
            return false;
        }
        rest.at = at + 1;
    }
    return scheme->parse(ep, rest, why, size) && parse_query(ep, parameters, why, size);
}

bool rl_endpoint_parse(rl_endpoint *endpoint, const char *dsn, size_t len, char *why, size_t why_size)
{
    memset(endpoint, 0, sizeof(*endpoint));
    endpoint->id = platform_unique();
    if (!parse(endpoint, (span){dsn, dsn + len}, why, why_size)) {
        rl_endpoint_free(endpoint);
        return false;
    }
    make_label(endpoint);
    return true;
}

/* Overwrites the secret. `volatile` keeps the compiler from leaving that out. */
static void wipe(char *secret, size_t len)
{
    volatile char *p = secret;

    while (len-- > 0) {
        *p++ = 0;
    }
}

/* What the DSN says is never replaced. As in a DSN, an empty user or password counts as none. The label names the
 * database, so it is made again with it. */
void rl_endpoint_login(rl_endpoint *endpoint, const char *username, const char *password, size_t password_len,
                       long database)
{
    endpoint->id = platform_unique();
    if (username != NULL && *username != '\0' && endpoint->username == NULL) {
        endpoint->username = platform_strdup(username);
    }
    if (password != NULL && password_len > 0 && endpoint->password == NULL) {
        endpoint->password = platform_memdup(password, password_len);
        endpoint->password_len = password_len;
    }
    if (database >= 0 && !endpoint->database_given) {
        endpoint->database = database;
        make_label(endpoint);
    }
}

/* Lists the addresses of all strings in the options, for what is done to each of them alike. */
static void tls_strings(rl_tls_options *options, char **strings[5])
{
    strings[0] = &options->cafile;
    strings[1] = &options->capath;
    strings[2] = &options->local_cert;
    strings[3] = &options->local_pk;
    strings[4] = &options->peer_name;
}

static char *copy_or_null(const char *text)
{
    return text != NULL ? platform_strdup(text) : NULL;
}

static void free_tls_options(rl_tls_options *options)
{
    char **strings[5];

    tls_strings(options, strings);
    for (size_t i = 0; i < 5; i++) {
        free(*strings[i]);
    }
}

static void copy_tls_options(rl_tls_options *to, const rl_tls_options *from)
{
    char **strings[5];

    *to = *from;
    tls_strings(to, strings);
    for (size_t i = 0; i < 5; i++) {
        *strings[i] = copy_or_null(*strings[i]);
    }
}

static bool same_text(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

static bool same_tls_options(const rl_tls_options *a, const rl_tls_options *b)
{
    return a->verify_peer == b->verify_peer && a->verify_peer_name == b->verify_peer_name &&
           same_text(a->cafile, b->cafile) && same_text(a->capath, b->capath) &&
           same_text(a->local_cert, b->local_cert) && same_text(a->local_pk, b->local_pk) &&
           same_text(a->peer_name, b->peer_name);
}

static size_t sentinel_count(const rl_endpoint *endpoint)
{
    return endpoint->sentinels != NULL ? endpoint->sentinels->count : 0;
}

void rl_endpoint_secure(rl_endpoint *endpoint, const rl_tls_options *options)
{
    endpoint->id = platform_unique();
    free_tls_options(&endpoint->tls_options);
    copy_tls_options(&endpoint->tls_options, options);
    rl_tls_context_free(endpoint->tls_context);
    endpoint->tls_context = NULL;
    for (size_t i = 0; i < sentinel_count(endpoint); i++) {
        rl_endpoint_secure(&endpoint->sentinels->list[i], options);
    }
}

bool rl_endpoint_has_tls(const rl_endpoint *endpoint)
{
    return endpoint->tls || (endpoint->sentinels != NULL && endpoint->sentinels->list[0].tls);
}

void rl_endpoint_sentinel_login(rl_endpoint *endpoint, const char *username, const char *password, size_t password_len)
{
    endpoint->id = platform_unique();
    for (size_t i = 0; i < endpoint->sentinels->count; i++) {
        rl_endpoint_login(&endpoint->sentinels->list[i], username, password, password_len, -1);
    }
}

void rl_endpoint_sentinel_tls(rl_endpoint *endpoint, bool tls)
{
    endpoint->id = platform_unique();
    for (size_t i = 0; i < endpoint->sentinels->count; i++) {
        endpoint->sentinels->list[i].tls = tls;
        make_label(&endpoint->sentinels->list[i]);
    }
}

/* Prepares the TLS context, if one is needed. */
static bool prepare_tls(rl_endpoint *endpoint, char *why, size_t why_size)
{
    if (endpoint->tls && endpoint->tls_context == NULL) {
        endpoint->tls_context = rl_tls_context_new(&endpoint->tls_options, true, why, why_size);
    }
    return !endpoint->tls || endpoint->tls_context != NULL;
}

/* If it fails, "" as the address keeps every connection from being made: a thread that resolves would be worse. */
static bool prepare_host(rl_endpoint *endpoint, const rl_hosts *hosts, char *why, size_t why_size)
{
    const char *numeric = rl_hosts_find(hosts, endpoint->host);
    bool good = (numeric != NULL || fail(why, why_size, "the server's address is not known")) &&
                prepare_tls(endpoint, why, why_size);

    free(endpoint->address);
    endpoint->address = platform_strdup(good ? numeric : "");
    return good;
}

/* Adds what `hosts` knows to the table, which is made first if there is none. */
static void note_hosts(rl_hosts **table, const rl_hosts *hosts)
{
    if (*table == NULL) {
        *table = platform_zalloc(sizeof(**table));
    }
    rl_hosts_note_all(*table, hosts);
}

/* One sentinel that can be reached is enough, as far as is known now. */
static bool prepare_sentinels(rl_endpoint *endpoint, const rl_hosts *hosts, char *why, size_t why_size)
{
    rl_sentinels *sentinels = endpoint->sentinels;
    bool good = false;

    for (size_t i = 0; i < sentinels->count; i++) {
        good |= prepare_host(&sentinels->list[i], hosts, why, why_size);
    }
    note_hosts(&sentinels->hosts, hosts);
    return good && prepare_tls(endpoint, why, why_size);
}

/* Can any node of the cluster be reached? One of them is enough, since it names the others. */
static bool knows_a_node(const rl_seeds *seeds)
{
    for (size_t i = 0; i < seeds->count; i++) {
        if (rl_hosts_find(seeds->hosts, seeds->list[i].host) != NULL) {
            return true;
        }
    }
    for (size_t i = 0; i < seeds->hosts->count; i++) {
        if (rl_hosts_find(seeds->hosts, seeds->hosts->list[i].name) != NULL) {
            return true;
        }
    }
    return false;
}

static bool prepare_cluster(rl_endpoint *endpoint, const rl_hosts *hosts, char *why, size_t why_size)
{
    rl_seeds *seeds = endpoint->seeds;
    bool good;

    note_hosts(&seeds->hosts, hosts);
    good = (knows_a_node(seeds) || fail(why, why_size, "the server's address is not known")) &&
           prepare_tls(endpoint, why, why_size);
    free(endpoint->address);
    endpoint->address = good ? NULL : platform_strdup("");
    return good;
}

bool rl_endpoint_prepare(rl_endpoint *endpoint, const rl_hosts *hosts, char *why, size_t why_size)
{
    return endpoint->path != NULL    ? true
           : endpoint->host != NULL  ? prepare_host(endpoint, hosts, why, why_size)
           : endpoint->seeds != NULL ? prepare_cluster(endpoint, hosts, why, why_size)
                                     : prepare_sentinels(endpoint, hosts, why, why_size);
}

/* Has `known` each host that `hosts` has found, at the same address? */
static bool knows_all(const rl_hosts *known, const rl_hosts *hosts)
{
    for (size_t i = 0; hosts != NULL && i < hosts->count; i++) {
        const char *found = rl_hosts_find(hosts, hosts->list[i].name);
        const char *address = rl_hosts_find(known, hosts->list[i].name);
        if (found != NULL && (address == NULL || strcmp(address, found) != 0)) {
            return false;
        }
    }
    return true;
}

/* Sentinels and the nodes of a cluster name hosts that the endpoint does not: one that was unknown when the endpoint was
 * prepared may be followed from now on, so it counts as well. */
bool rl_endpoint_is_current(const rl_endpoint *endpoint, const rl_hosts *hosts)
{
    bool current = true;

    if (endpoint->host != NULL && endpoint->address != NULL) {
        const char *found = rl_hosts_find(hosts, endpoint->host);
        return found == NULL || strcmp(found, endpoint->address) == 0;
    }
    for (size_t i = 0; i < sentinel_count(endpoint); i++) {
        current &= rl_endpoint_is_current(&endpoint->sentinels->list[i], hosts);
    }
    return current && (endpoint->sentinels == NULL || knows_all(endpoint->sentinels->hosts, hosts)) &&
           (endpoint->seeds == NULL || knows_all(endpoint->seeds->hosts, hosts));
}

/* Makes a deep copy. */
static rl_sentinels *copy_sentinels(const rl_sentinels *from)
{
    rl_sentinels *to = platform_zalloc(sizeof(*to));

    to->count = from->count;
    to->master = platform_strdup(from->master);
    to->list = platform_alloc(from->count * sizeof(*to->list));
    for (size_t i = 0; i < from->count; i++) {
        rl_endpoint_copy(&to->list[i], &from->list[i]);
    }
    if (from->hosts != NULL) {
        note_hosts(&to->hosts, from->hosts);
    }
    return to;
}

/* Makes a deep copy. */
static rl_seeds *copy_seeds(const rl_seeds *from)
{
    rl_seeds *to = platform_zalloc(sizeof(*to));

    to->count = from->count;
    to->list = platform_alloc(from->count * sizeof(*to->list));
    for (size_t i = 0; i < from->count; i++) {
        to->list[i] = (rl_seed){platform_strdup(from->list[i].host), from->list[i].port};
    }
    if (from->hosts != NULL) {
        note_hosts(&to->hosts, from->hosts);
    }
    return to;
}

static void free_hosts(rl_hosts *hosts)
{
    if (hosts != NULL) {
        rl_hosts_free(hosts);
    }
    free(hosts);
}

static void free_seeds(rl_seeds *seeds)
{
    for (size_t i = 0; i < seeds->count; i++) {
        free(seeds->list[i].host);
    }
    free_hosts(seeds->hosts);
    free(seeds->list);
    free(seeds);
}

static void free_sentinels(rl_sentinels *sentinels)
{
    for (size_t i = 0; i < sentinels->count; i++) {
        rl_endpoint_free(&sentinels->list[i]);
    }
    free_hosts(sentinels->hosts);
    free(sentinels->list);
    free(sentinels->master);
    free(sentinels);
}

/* Are both none, or the same ones in the same order, for the same master? */
static bool same_sentinels(const rl_sentinels *a, const rl_sentinels *b)
{
    if (a == NULL || b == NULL) {
        return a == b;
    }
    if (a->count != b->count || !same_text(a->master, b->master)) {
        return false;
    }
    for (size_t i = 0; i < a->count; i++) {
        if (!rl_endpoint_same(&a->list[i], &b->list[i])) {
            return false;
        }
    }
    return true;
}

/* Are both none, or the same nodes in the same order? */
static bool same_seeds(const rl_seeds *a, const rl_seeds *b)
{
    if (a == NULL || b == NULL) {
        return a == b;
    }
    bool same = a->count == b->count;
    for (size_t i = 0; same && i < a->count; i++) {
        same = a->list[i].port == b->list[i].port && same_text(a->list[i].host, b->list[i].host);
    }
    return same;
}

void rl_endpoint_copy(rl_endpoint *to, const rl_endpoint *from)
{
    *to = *from;
    to->host = copy_or_null(from->host);
    to->path = copy_or_null(from->path);
    to->username = copy_or_null(from->username);
    to->password = from->password != NULL ? platform_memdup(from->password, from->password_len) : NULL;
    to->label = platform_strdup(from->label);
    to->address = copy_or_null(from->address);
    copy_tls_options(&to->tls_options, &from->tls_options);
    to->tls_context = rl_tls_context_share(from->tls_context);
    to->sentinels = from->sentinels != NULL ? copy_sentinels(from->sentinels) : NULL;
    to->seeds = from->seeds != NULL ? copy_seeds(from->seeds) : NULL;
}

bool rl_endpoint_same(const rl_endpoint *a, const rl_endpoint *b)
{
    return a->port == b->port && a->tls == b->tls && (!a->tls || same_tls_options(&a->tls_options, &b->tls_options)) &&
           a->database == b->database && same_text(a->host, b->host) && same_text(a->path, b->path) &&
           same_text(a->username, b->username) && (a->password == NULL) == (b->password == NULL) &&
           a->password_len == b->password_len &&
           (a->password == NULL || memcmp(a->password, b->password, a->password_len) == 0) &&
           same_sentinels(a->sentinels, b->sentinels) && same_seeds(a->seeds, b->seeds);
}

/* The endpoint is all zero afterwards, so that it can be freed once more. */
void rl_endpoint_free(rl_endpoint *endpoint)
{
    if (endpoint->password != NULL) {
        wipe(endpoint->password, endpoint->password_len);
    }
    free(endpoint->host);
    free(endpoint->path);
    free(endpoint->username);
    free(endpoint->password);
    free(endpoint->label);
    free(endpoint->address);
    free_tls_options(&endpoint->tls_options);
    rl_tls_context_free(endpoint->tls_context);
    if (endpoint->sentinels != NULL) {
        free_sentinels(endpoint->sentinels);
    }
    if (endpoint->seeds != NULL) {
        free_seeds(endpoint->seeds);
    }
    memset(endpoint, 0, sizeof(*endpoint));
}

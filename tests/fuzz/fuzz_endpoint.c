/* SPDX-License-Identifier: MIT
 *
 * fuzz_endpoint: any bytes as a DSN. What is accepted must be usable and must not show its password.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sys/un.h>

#include "redis/endpoint.h"

#define MUST(condition)                                                                                                \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition);                              \
            abort();                                                                                                   \
        }                                                                                                              \
    } while (0)

/* Where user and password stand in the DSN, the @ included; false: it has none. */
static bool find_login(const char *dsn, size_t size, size_t *from, size_t *to)
{
    const char *colon = memchr(dsn, ':', size);
    const char *start = colon + 3, *end = dsn + size, *query, *slash;

    query = memchr(start, '?', (size_t)(end - start));
    end = query != NULL ? query : end;
    slash = memchr(start, '/', (size_t)(end - start));
    end = slash != NULL ? slash : end;
    while (end > start && end[-1] != '@') {
        end--;
    }
    *from = (size_t)(start - dsn);
    *to = (size_t)(end - dsn);
    return end > start;
}

/* What names the server in messages must be the same without the login. */
static void check_label(const rl_endpoint *ep, const char *dsn, size_t size)
{
    size_t from, to;
    char why[200];
    rl_endpoint bare;

    if (find_login(dsn, size, &from, &to)) {
        char *rest = malloc(size);
        memcpy(rest, dsn, from);
        memcpy(rest + from, dsn + to, size - to);
        MUST(rl_endpoint_parse(&bare, rest, size - (to - from), why, sizeof(why)));
        MUST(strcmp(bare.label, ep->label) == 0 && bare.password == NULL && bare.username == NULL);
        rl_endpoint_free(&bare);
        free(rest);
    } else {
        MUST(ep->password == NULL && ep->username == NULL);
    }
}

/* One of them is a plain server, whose login is not in the DSN. */
static void check_sentinels(const rl_sentinels *sentinels)
{
    MUST(sentinels->count >= 1 && sentinels->count <= RL_MAX_SENTINELS);
    MUST(sentinels->master != NULL && sentinels->master[0] != '\0');
    for (size_t i = 0; i < sentinels->count; i++) {
        const rl_endpoint *one = &sentinels->list[i];
        MUST(one->sentinels == NULL && one->path == NULL && one->host != NULL && one->host[0] != '\0');
        MUST(one->port >= 1 && one->port <= 65535 && one->database == 0);
        MUST(one->label != NULL && one->label[0] != '\0');
    }
}

static void check_seeds(const rl_seeds *seeds)
{
    MUST(seeds->count >= 1 && seeds->count <= RL_MAX_SEEDS);
    for (size_t i = 0; i < seeds->count; i++) {
        MUST(seeds->list[i].host[0] != '\0' && seeds->list[i].port >= 1 && seeds->list[i].port <= 65535);
    }
}

static void check_parsed(const rl_endpoint *ep)
{
    MUST((ep->host != NULL) + (ep->path != NULL) + (ep->sentinels != NULL) + (ep->seeds != NULL) == 1);
    if (ep->sentinels != NULL) {
        MUST(ep->port == 0);
        check_sentinels(ep->sentinels);
    } else if (ep->seeds != NULL) {
        MUST(ep->port == 0);
        check_seeds(ep->seeds);
    } else if (ep->host != NULL) {
        MUST(ep->host[0] != '\0' && ep->port >= 1 && ep->port <= 65535);
    } else {
        MUST(ep->path[0] == '/' && strlen(ep->path) < sizeof(((struct sockaddr_un *)NULL)->sun_path) && ep->port == 0);
    }
    MUST(ep->database >= 0 && ep->database <= RL_ENDPOINT_MAX_DATABASE);
    MUST(ep->username == NULL || ep->username[0] != '\0');
    MUST(ep->password != NULL || ep->password_len == 0);
    MUST(ep->label != NULL && ep->label[0] != '\0');
}

/* What holds for the sentinels of a copy is the copy's alone. */
static void check_sentinel_options(const rl_endpoint *ep)
{
    rl_tls_options options = {.cafile = "ca.pem", .verify_peer = true};
    rl_endpoint copy;

    rl_endpoint_copy(&copy, ep);
    rl_endpoint_sentinel_login(&copy, "somebody", "some\0thing", 10);
    MUST(!rl_endpoint_same(&copy, ep) && copy.sentinels->list[0].password_len == 10);
    rl_endpoint_sentinel_tls(&copy, true);
    rl_endpoint_secure(&copy, &options);
    MUST(rl_endpoint_has_tls(&copy) && strcmp(copy.label, ep->label) == 0);
    check_parsed(&copy);
    rl_endpoint_free(&copy);
}

/* No name is resolved, so the server is known or not by what stands in the DSN. */
static void check_prepared(const rl_endpoint *ep)
{
    rl_hosts hosts = {0};
    rl_endpoint copy;
    char why[200] = "";

    rl_endpoint_copy(&copy, ep);
    if (!rl_endpoint_has_tls(&copy)) { /* a TLS context takes long to make */
        bool good = rl_endpoint_prepare(&copy, &hosts, why, sizeof(why));
        MUST(good || why[0] != '\0');
        MUST(rl_endpoint_same(&copy, ep) && rl_endpoint_is_current(&copy, &hosts));
    }
    rl_endpoint_free(&copy);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    rl_endpoint ep, copy;
    char why[200] = "";
    char *dsn = malloc(size); /* exactly as long: a read behind its end is seen */

    if (size > 0) {
        memcpy(dsn, data, size);
    }
    if (!rl_endpoint_parse(&ep, dsn, size, why, sizeof(why))) {
        MUST(why[0] != '\0' && strlen(why) < sizeof(why) - 1);
        rl_endpoint_free(&ep); /* there is nothing to free, and it does no harm */
    } else {
        check_parsed(&ep);
        check_label(&ep, dsn, size);
        rl_endpoint_copy(&copy, &ep);
        MUST(rl_endpoint_same(&copy, &ep));
        rl_endpoint_login(&copy, "somebody", "some\0thing", 10, 3);
        check_parsed(&copy);
        MUST(copy.username != NULL && copy.password != NULL && copy.database == (ep.database_given ? ep.database : 3));
        MUST(rl_endpoint_same(&copy, &ep) ==
             (ep.username != NULL && ep.password != NULL && copy.database == ep.database));
        rl_endpoint_free(&copy);
        if (ep.sentinels != NULL) {
            check_sentinel_options(&ep);
        }
        check_prepared(&ep);
        rl_endpoint_free(&ep);
    }
    free(dsn);
    return 0;
}

/* SPDX-License-Identifier: MIT
 *
 * Server addresses: every form that is accepted, and every form that is refused and why.
 */
#include "bed.h"

#include <sys/un.h>

typedef struct dsn_case {
    const char *dsn;
    const char *host;
    int port;
    const char *path;
    const char *username;
    const char *password;
    long database;
    const char *label;
} dsn_case;

TEST(endpoint_reads_every_form)
{
    static const dsn_case cases[] = {
        {"redis://h", "h", 6379, NULL, NULL, NULL, 0, "redis://h:6379/0"},
        {"redis://h/", "h", 6379, NULL, NULL, NULL, 0, "redis://h:6379/0"},
        {"redis://h:1", "h", 1, NULL, NULL, NULL, 0, "redis://h:1/0"},
        {"redis://h:65535/15", "h", 65535, NULL, NULL, NULL, 15, "redis://h:65535/15"},
        {"redis://h?db=3", "h", 6379, NULL, NULL, NULL, 3, "redis://h:6379/3"},
        {"redis://h/?db=3", "h", 6379, NULL, NULL, NULL, 3, "redis://h:6379/3"},
        {"redis://h/2147483647", "h", 6379, NULL, NULL, NULL, 2147483647, "redis://h:6379/2147483647"},
        {"tcp://h:7000/2", "h", 7000, NULL, NULL, NULL, 2, "redis://h:7000/2"},
        {"valkey://h:7000/2", "h", 7000, NULL, NULL, NULL, 2, "redis://h:7000/2"},
        {"REDIS://H", "H", 6379, NULL, NULL, NULL, 0, "redis://H:6379/0"},
        {"ValKey://h", "h", 6379, NULL, NULL, NULL, 0, "redis://h:6379/0"},
        {"TCP://h", "h", 6379, NULL, NULL, NULL, 0, "redis://h:6379/0"},
        {"UNIX:///run/R.sock", NULL, 0, "/run/R.sock", NULL, NULL, 0, "unix:///run/R.sock"},
        {"redis://:@h", "h", 6379, NULL, NULL, NULL, 0, "redis://h:6379/0"},
        {"redis://u:p@h:7000", "h", 7000, NULL, "u", "p", 0, "redis://h:7000/0"},
        {"redis://:p@h", "h", 6379, NULL, NULL, "p", 0, "redis://h:6379/0"},
        {"redis://u@h", "h", 6379, NULL, "u", NULL, 0, "redis://h:6379/0"},
        {"redis://u:@h", "h", 6379, NULL, "u", NULL, 0, "redis://h:6379/0"}, /* an empty password is none */
        {"redis://@h", "h", 6379, NULL, NULL, NULL, 0, "redis://h:6379/0"},
        {"redis://u:a@b@h", "h", 6379, NULL, "u", "a@b", 0, "redis://h:6379/0"},
        {"redis://u:a:b@h", "h", 6379, NULL, "u", "a:b", 0, "redis://h:6379/0"},
        {"redis://u%40x:%2F%3a%25@h%2d1", "h-1", 6379, NULL, "u@x", "/:%", 0, "redis://h-1:6379/0"},
        {"redis://127.0.0.1:7001", "127.0.0.1", 7001, NULL, NULL, NULL, 0, "redis://127.0.0.1:7001/0"},
        {"redis://[::1]", "::1", 6379, NULL, NULL, NULL, 0, "redis://[::1]:6379/0"},
        {"redis://u:p@[fe80::1]:7001/4", "fe80::1", 7001, NULL, "u", "p", 4, "redis://[fe80::1]:7001/4"},
        {"unix:///run/r.sock", NULL, 0, "/run/r.sock", NULL, NULL, 0, "unix:///run/r.sock"},
        {"unix:///run/r.sock?db=5", NULL, 0, "/run/r.sock", NULL, NULL, 5, "unix:///run/r.sock?db=5"},
        {"unix://u:p@/run/r@2.sock", NULL, 0, "/run/r@2.sock", "u", "p", 0, "unix:///run/r@2.sock"},
        {"unix:///run/a%20b%3F.sock", NULL, 0, "/run/a b?.sock", NULL, NULL, 0, "unix:///run/a b?.sock"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        const dsn_case *c = &cases[i];
        rl_endpoint ep;
        char why[128] = "";
        if (!rl_endpoint_parse(&ep, c->dsn, strlen(c->dsn), why, sizeof(why))) {
            test_fail(__FILE__, __LINE__, "%s: %s", c->dsn, why);
        }
        CHECK_TEXT(ep.label, c->label);
        CHECK_TEXT(ep.host, c->host);
        CHECK_INT(ep.port, c->port);
        CHECK_TEXT(ep.path, c->path);
        CHECK_TEXT(ep.username, c->username);
        CHECK_TEXT(ep.password, c->password);
        CHECK_INT(ep.database, c->database);
        rl_endpoint_free(&ep);
    }
}

TEST(endpoint_with_tls_where_it_is_built_in)
{
    static const char *const dsns[] = {"rediss://u:p@h:7000/2", "tls://u:p@h:7000/2",     "valkeys://u:p@h:7000/2",
                                       "REDISS://u:p@h:7000/2", "Valkeys://u:p@h:7000/2", "TLS://u:p@h:7000/2"};
    rl_endpoint ep, plain, unnamed;
    char why[128] = "";

    for (size_t i = 0; i < sizeof(dsns) / sizeof(*dsns); i++) {
        if (!rl_tls_is_built_in()) {
            CHECK(!rl_endpoint_parse(&ep, dsns[i], strlen(dsns[i]), why, sizeof(why)));
            CHECK(strstr(why, "TLS") != NULL);
            continue;
        }
        CHECK(rl_endpoint_parse(&ep, dsns[i], strlen(dsns[i]), why, sizeof(why)));
        CHECK(ep.tls && ep.tls_options.verify_peer && ep.tls_options.verify_peer_name);
        CHECK_TEXT(ep.label, "rediss://h:7000/2");
        CHECK(rl_endpoint_parse(&plain, "redis://u:p@h:7000/2", 20, why, sizeof(why)));
        CHECK(!plain.tls && !rl_endpoint_same(&ep, &plain));

        rl_endpoint_copy(&unnamed, &ep);
        rl_tls_options options = {.cafile = "ca.pem", .verify_peer = true};
        rl_endpoint_secure(&unnamed, &options);
        CHECK_TEXT(unnamed.tls_options.cafile, "ca.pem");
        CHECK(!rl_endpoint_same(&ep, &unnamed)); /* a connection whose server was checked less must not be used */
        rl_endpoint_free(&unnamed);
        rl_endpoint_free(&plain);
        rl_endpoint_free(&ep);
    }
}

TEST(endpoint_password_holds_any_byte)
{
    rl_endpoint ep;
    char why[128];

    CHECK(rl_endpoint_parse(&ep, "redis://:a%00b%0D%0Ac@h", 23, why, sizeof(why)));
    CHECK_INT(ep.password_len, 6);
    CHECK(memcmp(ep.password, "a\0b\r\nc", 6) == 0);
    rl_endpoint_free(&ep);
}

TEST(endpoint_scheme_holds_no_nul)
{
    static const char dsn[] = "redis\0\0\0\0://h";
    char why[128];
    rl_endpoint ep;

    CHECK(!rl_endpoint_parse(&ep, dsn, sizeof(dsn) - 1, why, sizeof(why)));
    CHECK(strstr(why, "scheme") != NULL);
}

/* Checks that these DSNs are refused, each with a reason that has the second text, and none that tells the password. */
static void check_refused(const char *const (*cases)[2], size_t count)
{
    for (size_t i = 0; i < count; i++) {
        rl_endpoint ep;
        char why[128] = "";
        if (rl_endpoint_parse(&ep, cases[i][0], strlen(cases[i][0]), why, sizeof(why))) {
            test_fail(__FILE__, __LINE__, "%s was taken", cases[i][0]);
        }
        if (strstr(why, cases[i][1]) == NULL) {
            test_fail(__FILE__, __LINE__, "%s: %s", cases[i][0], why);
        }
        CHECK(strstr(why, "hunter2") == NULL);
    }
}

TEST(endpoint_refuses_with_a_reason)
{
    static const char *const cases[][2] = {
        {"", "a server is written"},
        {"h:6379", "a server is written"},
        {"redis:/h", "a server is written"},
        {"//h", "a server is written"},
        {"http://h", "scheme"},
        {"redi://h", "scheme"},
        {"redisx://h", "scheme"},
        {"redis\x01://h", "scheme"},
        {"VALKEYSS://h", "scheme"},
        {"://h", "scheme"},
        {"redis://", "host is missing"},
        {"redis:///1", "host is missing"},
        {"redis://:7000", "host is missing"},
        {"redis://hunter2:hunter2@", "host is missing"},
        {"redis://h%00x", "host is not properly percent-encoded"},
        {"redis://h%", "host is not properly percent-encoded"},
        {"redis://h:", "whole number from 1 to 65535"},
        {"redis://h:1.5", "whole number from 1 to 65535"},
        {"redis://h/1.5", "whole number, 0 or more"},
        {"redis://h:0", "port"},
        {"redis://h:65536", "port"},
        {"redis://h:-1", "port"},
        {"redis://h:7x", "port"},
        {"redis://h:99999999999", "port"},
        {"redis://h:4294973675", "port"}, /* 6379 in 32 bits */
        {"redis://[::1]:", "port"},
        {"redis://::1", "brackets"},
        {"redis://[::1", "brackets"},
        {"redis://h h", "no spaces"},
        {"redis://h%20", "no spaces"},
        {"redis://[::1]7000", "brackets"},
        {"redis://h/x", "database"},
        {"redis://h/-1", "database"},
        {"redis://h/2147483648", "database"},
        {"redis://h/4294967297", "database"}, /* 1 in 32 bits */
        {"redis://h/1/2", "database"},
        {"redis://h?db=", "database"},
        {"redis://h?db=x", "database"},
        {"redis://h?timeout=3", "parameter"},
        {"redis://h?db=1&x=2", "parameter"},
        {"unix://", "absolute path"},
        {"unix://run/r.sock", "absolute path"},
        {"unix:///run/%zz", "path"},
        {"unix:///run/%00", "path"},
        {"redis://u%2:hunter2@h", "user name"},
        {"redis://u%00:hunter2@h", "user name"},
        {"redis://u:hunter2%@h", "password"},
        {"redis://u:hunter2%4@h", "password"},
        {"redis://u:hunter2%g1@h", "password"},
    };

    check_refused(cases, sizeof(cases) / sizeof(*cases));
}

TEST(endpoint_refuses_a_path_that_does_not_fit)
{
    const size_t most = sizeof(((struct sockaddr_un *)NULL)->sun_path) - 1;
    rl_endpoint ep;
    char why[128], dsn[160], number[16];

    memset(dsn, 'x', sizeof(dsn));
    memcpy(dsn, "unix:///", 8);
    CHECK(rl_endpoint_parse(&ep, dsn, 7 + most, why, sizeof(why)));
    CHECK_INT(strlen(ep.path), most);
    rl_endpoint_free(&ep);
    CHECK(!rl_endpoint_parse(&ep, dsn, 7 + most + 1, why, sizeof(why)));
    snprintf(number, sizeof(number), " %zu ", most);
    CHECK(strstr(why, number) != NULL);
}

TEST(endpoint_label_tells_no_secret)
{
    rl_endpoint ep;
    char why[128];
    const char *dsn = "redis://root:hunter2@h:1/2";

    CHECK(rl_endpoint_parse(&ep, dsn, strlen(dsn), why, sizeof(why)));
    CHECK(strstr(ep.label, "hunter2") == NULL && strstr(ep.label, "root") == NULL);
    rl_endpoint_login(&ep, NULL, NULL, 0, 7); /* the DSN's database stays */
    CHECK_TEXT(ep.label, "redis://h:1/2");
    rl_endpoint_free(&ep);
}

TEST(endpoint_options_fill_what_the_dsn_left_out)
{
    rl_endpoint ep, same;
    char why[128];

    CHECK(rl_endpoint_parse(&ep, "unix:///s", 9, why, sizeof(why)));
    rl_endpoint_login(&ep, "", "", 0, -1); /* as in a DSN, these are none */
    CHECK(ep.username == NULL && ep.password == NULL);
    rl_endpoint_login(&ep, "u", "p\0q", 3, 9);
    CHECK_TEXT(ep.username, "u");
    CHECK_INT(ep.password_len, 3);
    CHECK_TEXT(ep.label, "unix:///s?db=9");
    rl_endpoint_login(&ep, "other", "other", 5, -1);
    CHECK_TEXT(ep.username, "u");
    CHECK_INT(ep.password_len, 3);
    CHECK_INT(ep.database, 9);

    CHECK(rl_endpoint_parse(&same, "redis://h/0", 11, why, sizeof(why)));
    rl_endpoint_login(&same, NULL, NULL, 0, 9); /* the DSN says 0, so it stays */
    CHECK_INT(same.database, 0);
    rl_endpoint_free(&same);

    rl_endpoint_copy(&same, &ep);
    CHECK(rl_endpoint_same(&ep, &same));
    same.password[2] = 'r';
    CHECK(!rl_endpoint_same(&ep, &same));
    rl_endpoint_free(&same);
    rl_endpoint_free(&ep);
    rl_endpoint_free(&ep); /* an all-zero one */
}

TEST(endpoint_same_compares_everything)
{
    static const char *const different[] = {
        "redis://u:p@h:1/2", "redis://u:p@h:1/3", "redis://u:p@h:2/2",  "redis://u:p@i:1/2",
        "redis://v:p@h:1/2", "redis://u:q@h:1/2", "redis://u:pp@h:1/2", "redis://u@h:1/2",
        "redis://:p@h:1/2",  "redis://h:1/2",     "unix:///h?db=2",     "unix:///i?db=2",
    };
    enum { COUNT = sizeof(different) / sizeof(*different) };
    rl_endpoint eps[COUNT];
    char why[128];

    for (size_t i = 0; i < COUNT; i++) {
        CHECK(rl_endpoint_parse(&eps[i], different[i], strlen(different[i]), why, sizeof(why)));
    }
    for (size_t i = 0; i < COUNT; i++) {
        for (size_t j = 0; j < COUNT; j++) {
            CHECK(rl_endpoint_same(&eps[i], &eps[j]) == (i == j));
        }
    }
    for (size_t i = 0; i < COUNT; i++) {
        rl_endpoint_free(&eps[i]);
    }
}

TEST(endpoint_is_prepared_only_with_a_numeric_address)
{
    static const char *const cases[][3] = {
        /* the DSN, the address that is given, and the one that the endpoint then has; "": it cannot be prepared */
        {"redis://h.invalid", NULL, ""},
        {"redis://127.0.0.1.invalid", NULL, ""},
        {"redis://h.invalid", "192.0.2.1", "192.0.2.1"},
        {"redis://h.invalid", "fe80::1%1", "fe80::1%1"},
        {"redis://192.0.2.2", NULL, "192.0.2.2"},
        {"redis://[::1]", NULL, "::1"},
        {"redis://192.0.2.2", "192.0.2.1", "192.0.2.1"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        rl_endpoint ep;
        char why[128] = "";
        CHECK(rl_endpoint_parse(&ep, cases[i][0], strlen(cases[i][0]), why, sizeof(why)));
        CHECK_INT(prepare_at(&ep, cases[i][1], why, sizeof(why)), *cases[i][2] != '\0');
        CHECK_TEXT(ep.address, cases[i][2]);
        CHECK_TEXT(why, *cases[i][2] != '\0' ? "" : "the server's address is not known");
        rl_endpoint_free(&ep);
    }
}

TEST(endpoint_of_a_unix_socket_needs_no_address)
{
    rl_endpoint ep;
    char why[128];

    CHECK(rl_endpoint_parse(&ep, "unix:///s", 9, why, sizeof(why)));
    CHECK(rl_endpoint_prepare(&ep, NULL, why, sizeof(why)));
    CHECK_TEXT(ep.address, NULL);
    rl_endpoint_free(&ep);
}

TEST(endpoint_that_was_prepared_is_the_same_and_can_be_prepared_again)
{
    rl_endpoint ep, prepared;
    char why[128];

    CHECK(rl_endpoint_parse(&ep, "redis://h", 9, why, sizeof(why)));
    rl_endpoint_copy(&prepared, &ep);
    CHECK(prepare_at(&prepared, "192.0.2.1", why, sizeof(why)));
    CHECK(rl_endpoint_same(&ep, &prepared));
    CHECK_TEXT(prepared.label, "redis://h:6379/0");
    rl_endpoint_free(&ep);
    rl_endpoint_copy(&ep, &prepared);
    CHECK(prepare_at(&prepared, "192.0.2.2", why, sizeof(why)));
    CHECK_TEXT(ep.address, "192.0.2.1");
    CHECK_TEXT(prepared.address, "192.0.2.2");
    rl_endpoint_free(&ep);
    rl_endpoint_free(&prepared);
}

/* ---- servers that sentinels name ---- */

/* Parses a DSN that must be good. */
static rl_endpoint parsed(const char *dsn)
{
    rl_endpoint ep;
    char why[128];

    if (!rl_endpoint_parse(&ep, dsn, strlen(dsn), why, sizeof(why))) {
        test_fail(__FILE__, __LINE__, "%s: %s", dsn, why);
    }
    return ep;
}

TEST(endpoint_reads_every_form_of_sentinels)
{
    static const struct sentinel_case {
        const char *dsn;
        size_t count;
        const char *first; /* the label of the first sentinel, and of the last one */
        const char *last;
        const char *master;
        const char *username;
        const char *password;
        const char *label;
    } cases[] = {
        {"redis-sentinel://s/m", 1, "redis://s:26379/0", "redis://s:26379/0", "m", NULL, NULL,
         "redis-sentinel://s:26379/m/0"},
        {"redis-sentinel://s/m/", 1, "redis://s:26379/0", "redis://s:26379/0", "m", NULL, NULL,
         "redis-sentinel://s:26379/m/0"},
        {"redis-sentinel://s1:1,s2,s3:65535/my-master/15", 3, "redis://s1:1/0", "redis://s3:65535/0", "my-master", NULL,
         NULL, "redis-sentinel://s1:1,s2:26379,s3:65535/my-master/15"},
        {"redis-sentinel://[::1],[fe80::2]:7/m", 2, "redis://[::1]:26379/0", "redis://[fe80::2]:7/0", "m", NULL, NULL,
         "redis-sentinel://[::1]:26379,[fe80::2]:7/m/0"},
        {"REDIS-SENTINEL://S1,s2/M", 2, "redis://S1:26379/0", "redis://s2:26379/0", "M", NULL, NULL,
         "redis-sentinel://S1:26379,s2:26379/M/0"},
        {"valkey-sentinel://s/m/1", 1, "redis://s:26379/0", "redis://s:26379/0", "m", NULL, NULL,
         "redis-sentinel://s:26379/m/1"},
        {"Valkey-Sentinel://s/m/?db=2", 1, "redis://s:26379/0", "redis://s:26379/0", "m", NULL, NULL,
         "redis-sentinel://s:26379/m/2"},
        {"redis-sentinel://s/m?db=3", 1, "redis://s:26379/0", "redis://s:26379/0", "m", NULL, NULL,
         "redis-sentinel://s:26379/m/3"},
        {"redis-sentinel://u:p@s1,s2/m", 2, "redis://s1:26379/0", "redis://s2:26379/0", "m", "u", "p",
         "redis-sentinel://s1:26379,s2:26379/m/0"},
        {"redis-sentinel://:a@b@s1,s2/m", 2, "redis://s1:26379/0", "redis://s2:26379/0", "m", NULL, "a@b",
         "redis-sentinel://s1:26379,s2:26379/m/0"},
        {"redis-sentinel://u%40:%2C%2f@s%2d1/m%2F%40%20x", 1, "redis://s-1:26379/0", "redis://s-1:26379/0", "m/@ x",
         "u@", ",/", "redis-sentinel://s-1:26379/m/@ x/0"},
        {"redis-sentinel://a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p/q", 16, "redis://a:26379/0", "redis://p:26379/0", "q", NULL,
         NULL,
         "redis-sentinel://a:26379,b:26379,c:26379,d:26379,e:26379,f:26379,g:26379,h:26379,i:26379,j:26379,k:26379,"
         "l:26379,m:26379,n:26379,o:26379,p:26379/q/0"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        const struct sentinel_case *c = &cases[i];
        rl_endpoint ep = parsed(c->dsn);
        CHECK(ep.sentinels != NULL);
        CHECK_INT(ep.sentinels->count, c->count);
        CHECK_TEXT(ep.sentinels->list[0].label, c->first);
        CHECK_TEXT(ep.sentinels->list[c->count - 1].label, c->last);
        CHECK_TEXT(ep.sentinels->master, c->master);
        CHECK_TEXT(ep.username, c->username);
        CHECK_TEXT(ep.password, c->password);
        CHECK_TEXT(ep.label, c->label);
        CHECK(ep.host == NULL && ep.path == NULL && ep.port == 0);
        for (size_t j = 0; j < c->count; j++) { /* the login is the master's */
            CHECK(ep.sentinels->list[j].username == NULL && ep.sentinels->list[j].password == NULL);
        }
        rl_endpoint_free(&ep);
    }
}

TEST(endpoint_of_sentinels_refuses_with_a_reason)
{
    static const char *const cases[][2] = {
        {"redis-sentinel://", "the host is missing: redis-sentinel://HOST:26379/MASTER"},
        {"redis-sentinel:///m", "host is missing"},
        {"redis-sentinel://,/m", "host is missing"},
        {"redis-sentinel://,s/m", "host is missing"},
        {"redis-sentinel://s,/m", "host is missing"},
        {"redis-sentinel://s,,t/m", "host is missing"},
        {"redis-sentinel://:hunter2@/m", "host is missing"},
        {"redis-sentinel://s,t u/m", "no spaces"},
        {"redis-sentinel://s, t/m", "no spaces"},
        {"redis-sentinel://s%zz/m", "host is not properly percent-encoded"},
        {"redis-sentinel://s,t%00/m", "host is not properly percent-encoded"},
        {"redis-sentinel://s", "name of the master is missing"},
        {"redis-sentinel://s/", "name of the master is missing"},
        {"redis-sentinel://s//0", "name of the master is missing"},
        {"redis-sentinel://s?db=1", "name of the master is missing"},
        {"redis-sentinel://s/?db=1", "name of the master is missing"},
        {"redis-sentinel://s/m%", "name of the master is not properly percent-encoded"},
        {"redis-sentinel://s/%00", "name of the master is not properly percent-encoded"},
        {"redis-sentinel://s:/m", "whole number from 1 to 65535"},
        {"redis-sentinel://s:0/m", "whole number from 1 to 65535"},
        {"redis-sentinel://s,t:65536/m", "whole number from 1 to 65535"},
        {"redis-sentinel://s:x,t/m", "whole number from 1 to 65535"},
        {"redis-sentinel://::1/m", "brackets"},
        {"redis-sentinel://[::1/m", "brackets"},
        {"redis-sentinel://[::1]x,t/m", "brackets"},
        {"redis-sentinel://s/m/x", "whole number, 0 or more"},
        {"redis-sentinel://s/m/1/2", "whole number, 0 or more"},
        {"redis-sentinel://s/m/-1", "whole number, 0 or more"},
        {"redis-sentinel://s/m?db=x", "whole number, 0 or more"},
        {"redis-sentinel://s/m?master=n", "only parameter"},
        {"redis-sentinel://a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q/r", "16 sentinels at most"},
        {"redis-sentinel://u%:hunter2@s/m", "user name"},
        {"redis-sentinel://:hunter2%@s/m", "password"},
        {"redis-sentinels://s/m", "scheme"},
        {"sentinel://s/m", "scheme"},
        {"redis-sentinel:/s/m", "a server is written"},
    };

    check_refused(cases, sizeof(cases) / sizeof(*cases));
}

TEST(endpoint_of_sentinels_has_tls_for_either_side)
{
    rl_endpoint ep = parsed("redis-sentinel://s1,s2/m");
    rl_tls_options options = {.cafile = "ca.pem", .verify_peer = true};

    CHECK(!rl_endpoint_has_tls(&ep));
    rl_endpoint_sentinel_tls(&ep, true);
    CHECK(rl_endpoint_has_tls(&ep) && !ep.tls && ep.sentinels->list[0].tls && ep.sentinels->list[1].tls);
    CHECK_TEXT(ep.label, "redis-sentinel://s1:26379,s2:26379/m/0"); /* the scheme says what holds for the master */
    CHECK_TEXT(ep.sentinels->list[1].label, "rediss://s2:26379/0");
    rl_endpoint_secure(&ep, &options);
    CHECK_TEXT(ep.tls_options.cafile, "ca.pem");
    CHECK_TEXT(ep.sentinels->list[1].tls_options.cafile, "ca.pem");
    rl_endpoint_free(&ep);
    if (!rl_tls_is_built_in()) {
        char why[128];
        CHECK(!rl_endpoint_parse(&ep, "rediss-sentinel://s/m", 21, why, sizeof(why)));
        CHECK(strstr(why, "this build has no TLS") != NULL);
        return;
    }
    static const char *const dsns[] = {"rediss-sentinel://s/m", "valkeys-sentinel://s/m", "VALKEYS-Sentinel://s/m"};
    for (size_t i = 0; i < sizeof(dsns) / sizeof(*dsns); i++) {
        ep = parsed(dsns[i]);
        CHECK(ep.tls && ep.sentinels->list[0].tls && ep.sentinels->list[0].tls_options.verify_peer_name);
        CHECK_TEXT(ep.label, "rediss-sentinel://s:26379/m/0");
        rl_endpoint_sentinel_tls(&ep, false);
        CHECK(ep.tls && !ep.sentinels->list[0].tls && rl_endpoint_has_tls(&ep));
        rl_endpoint_free(&ep);
    }
}

TEST(endpoint_of_sentinels_tells_no_secret)
{
    rl_endpoint ep = parsed("redis-sentinel://root:hunter2@s1,s2/m");

    rl_endpoint_sentinel_login(&ep, "warden", "hunter3", 7);
    CHECK_TEXT(ep.label, "redis-sentinel://s1:26379,s2:26379/m/0");
    CHECK_TEXT(ep.sentinels->list[1].label, "redis://s2:26379/0");
    CHECK_TEXT(ep.sentinels->list[1].username, "warden");
    CHECK_INT(ep.sentinels->list[1].password_len, 7);
    CHECK_TEXT(ep.username, "root"); /* that at the master is another one */
    rl_endpoint_login(&ep, "other", "other", 5, 7);
    CHECK_TEXT(ep.username, "root");
    CHECK_TEXT(ep.label, "redis-sentinel://s1:26379,s2:26379/m/7");
    CHECK_INT(ep.sentinels->list[1].database, 0); /* a sentinel has no databases */
    rl_endpoint_free(&ep);
}

TEST(endpoint_of_sentinels_same_compares_everything)
{
    static const char *const dsns[] = {
        "redis-sentinel://s1,s2/m",    "redis-sentinel://s1,s2/n",
        "redis-sentinel://s1/m",       "redis-sentinel://s1,s2,s3/m",
        "redis-sentinel://s2,s1/m",    "redis-sentinel://s1,s2:1/m",
        "redis-sentinel://s1,s2/m/1",  "redis-sentinel://:p@s1,s2/m",
        "redis-sentinel://:q@s1,s2/m", "redis://s1:26379",
    };
    enum { PARSED = sizeof(dsns) / sizeof(*dsns), COUNT = PARSED + 4 };
    rl_endpoint eps[COUNT];

    for (size_t i = 0; i < COUNT; i++) {
        eps[i] = parsed(dsns[i < PARSED ? i : 0]);
    }
    rl_endpoint_sentinel_login(&eps[PARSED], NULL, "p", 1);
    rl_endpoint_sentinel_login(&eps[PARSED + 1], NULL, "q", 1);
    rl_endpoint_sentinel_login(&eps[PARSED + 2], "u", "q", 1);
    rl_endpoint_sentinel_tls(&eps[PARSED + 3], true);
    for (size_t i = 0; i < COUNT; i++) {
        for (size_t j = 0; j < COUNT; j++) {
            if (rl_endpoint_same(&eps[i], &eps[j]) != (i == j)) {
                test_fail(__FILE__, __LINE__, "%zu and %zu", i, j);
            }
        }
    }
    for (size_t i = 0; i < COUNT; i++) {
        rl_endpoint_free(&eps[i]);
    }
}

TEST(endpoint_of_sentinels_is_copied_with_all_that_it_owns)
{
    rl_endpoint ep = parsed("redis-sentinel://u:p@192.0.2.1,s2/m/3"), copy;
    rl_hosts hosts = {0};
    char why[128];

    rl_endpoint_sentinel_login(&ep, "w", "q", 1);
    rl_hosts_note(&hosts, "master.invalid", "192.0.2.9");
    CHECK(rl_endpoint_prepare(&ep, &hosts, why, sizeof(why)));
    rl_endpoint_copy(&copy, &ep);
    CHECK(rl_endpoint_same(&copy, &ep));
    rl_endpoint_free(&ep); /* the sanitizers see what the two have in common */
    CHECK_TEXT(copy.sentinels->master, "m");
    CHECK_INT(copy.sentinels->count, 2);
    CHECK_TEXT(copy.sentinels->list[1].host, "s2");
    CHECK_TEXT(copy.sentinels->list[1].username, "w");
    CHECK_TEXT(copy.sentinels->list[0].address, "192.0.2.1");
    CHECK_TEXT(rl_hosts_find(copy.sentinels->hosts, "master.invalid"), "192.0.2.9");
    rl_endpoint_free(&copy);
    rl_endpoint_free(&copy);
    rl_hosts_free(&hosts);
}

TEST(endpoint_of_sentinels_is_prepared_if_one_of_them_has_an_address)
{
    static const char *const cases[][3] = {
        /* the DSN, and the addresses that the two sentinels then have; "": it has none */
        {"redis-sentinel://192.0.2.1,[::1]/m", "192.0.2.1", "::1"},
        {"redis-sentinel://known.invalid,192.0.2.2/m", "192.0.2.7", "192.0.2.2"},
        {"redis-sentinel://s1.invalid,known.invalid/m", "", "192.0.2.7"},
        {"redis-sentinel://s1.invalid,s2.invalid/m", "", ""},
    };
    rl_hosts hosts = {0};

    rl_hosts_note(&hosts, "known.invalid", "192.0.2.7");
    rl_hosts_expect(&hosts, "s2.invalid"); /* not resolved */
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        rl_endpoint ep = parsed(cases[i][0]);
        char why[128] = "";
        bool good = *cases[i][1] != '\0' || *cases[i][2] != '\0';
        CHECK_INT(rl_endpoint_prepare(&ep, &hosts, why, sizeof(why)), good);
        CHECK_TEXT(ep.sentinels->list[0].address, cases[i][1]);
        CHECK_TEXT(ep.sentinels->list[1].address, cases[i][2]);
        CHECK_TEXT(rl_hosts_find(ep.sentinels->hosts, "known.invalid"),
                   "192.0.2.7"); /* the master may have this name */
        if (!good) {
            CHECK_TEXT(why, "the server's address is not known");
        }
        rl_endpoint_free(&ep);
    }
    rl_hosts_free(&hosts);
}

TEST(endpoint_of_sentinels_that_was_prepared_takes_new_addresses)
{
    rl_endpoint ep = parsed("redis-sentinel://s1.invalid/m"), other = parsed("redis-sentinel://s1.invalid/m");
    rl_hosts first = {0}, second = {0};
    char why[128];

    rl_hosts_note(&first, "s1.invalid", "192.0.2.1");
    rl_hosts_note(&first, "master.invalid", "192.0.2.3");
    rl_hosts_note(&second, "s1.invalid", "192.0.2.2");
    CHECK(rl_endpoint_prepare(&ep, &first, why, sizeof(why)));
    CHECK(rl_endpoint_same(&ep, &other)); /* what is prepared does not count */
    CHECK(rl_endpoint_prepare(&ep, &second, why, sizeof(why)));
    CHECK_TEXT(ep.sentinels->list[0].address, "192.0.2.2");
    CHECK_TEXT(rl_hosts_find(ep.sentinels->hosts, "master.invalid"), "192.0.2.3"); /* it is not forgotten */
    rl_hosts_free(&first);
    rl_hosts_free(&second);
    rl_endpoint_free(&other);
    rl_endpoint_free(&ep);
}

TEST(endpoint_is_current_as_long_as_its_hosts_stay_where_they_are)
{
    rl_endpoint ep = parsed("redis://h.invalid");
    rl_hosts hosts = {0};
    char why[128];

    CHECK(rl_endpoint_is_current(&ep, NULL)); /* it resolves its host itself */
    rl_hosts_note(&hosts, "h.invalid", "192.0.2.1");
    CHECK(rl_endpoint_is_current(&ep, &hosts));
    CHECK(rl_endpoint_prepare(&ep, &hosts, why, sizeof(why)));
    CHECK(rl_endpoint_is_current(&ep, &hosts) && rl_endpoint_is_current(&ep, NULL));
    rl_hosts_note(&hosts, "h.invalid", "192.0.2.2");
    CHECK(!rl_endpoint_is_current(&ep, &hosts));
    rl_hosts_free(&hosts);
    rl_endpoint_free(&ep);
}

TEST(endpoint_of_sentinels_is_current_as_long_as_all_hosts_stay_where_they_are)
{
    rl_endpoint ep = parsed("redis-sentinel://192.0.2.1,s2.invalid/m");
    rl_hosts prepared = {0}, hosts = {0};
    char why[128];

    rl_hosts_note(&prepared, "s2.invalid", "192.0.2.2");
    rl_hosts_note(&prepared, "master.invalid", "192.0.2.3");
    CHECK(rl_endpoint_prepare(&ep, &prepared, why, sizeof(why)));
    CHECK(rl_endpoint_is_current(&ep, NULL));
    CHECK(rl_endpoint_is_current(&ep, &hosts));
    CHECK(rl_endpoint_is_current(&ep, &prepared));

    rl_hosts_expect(&hosts, "replica.invalid"); /* nobody knows where it is */
    CHECK(rl_endpoint_is_current(&ep, &hosts));
    rl_hosts_note(&hosts, "master.invalid", "192.0.2.4"); /* another server has the name */
    CHECK(!rl_endpoint_is_current(&ep, &hosts));
    rl_hosts_note(&hosts, "master.invalid", "192.0.2.3");
    CHECK(rl_endpoint_is_current(&ep, &hosts));
    rl_hosts_note(&hosts, "s2.invalid", "192.0.2.5"); /* a sentinel has moved */
    CHECK(!rl_endpoint_is_current(&ep, &hosts));
    rl_hosts_note(&hosts, "s2.invalid", "192.0.2.2");
    rl_hosts_note(&hosts, "replica.invalid", "192.0.2.6"); /* a server that it could not follow so far */
    CHECK(!rl_endpoint_is_current(&ep, &hosts));
    rl_hosts_free(&prepared);
    rl_hosts_free(&hosts);
    rl_endpoint_free(&ep);
}

/* ---- clusters ---- */

TEST(endpoint_reads_every_form_of_a_cluster)
{
    static const struct cluster_case {
        const char *dsn;
        size_t count;
        rl_seed first, last;
        const char *username;
        const char *password;
        long database;
        const char *label;
    } cases[] = {
        {"redis-cluster://h", 1, {"h", 6379}, {"h", 6379}, NULL, NULL, 0, "redis-cluster://h:6379/0"},
        {"redis-cluster://h/", 1, {"h", 6379}, {"h", 6379}, NULL, NULL, 0, "redis-cluster://h:6379/0"},
        {"redis-cluster://h:1,i,j:65535/15",
         3,
         {"h", 1},
         {"j", 65535},
         NULL,
         NULL,
         15,
         "redis-cluster://h:1,i:6379,j:65535/15"},
        {"redis-cluster://h?db=3", 1, {"h", 6379}, {"h", 6379}, NULL, NULL, 3, "redis-cluster://h:6379/3"},
        {"redis-cluster://h,i/?db=3", 2, {"h", 6379}, {"i", 6379}, NULL, NULL, 3, "redis-cluster://h:6379,i:6379/3"},
        {"redis-cluster://[::1],[fe80::2]:7/1",
         2,
         {"::1", 6379},
         {"fe80::2", 7},
         NULL,
         NULL,
         1,
         "redis-cluster://[::1]:6379,[fe80::2]:7/1"},
        {"REDIS-CLUSTER://H,i", 2, {"H", 6379}, {"i", 6379}, NULL, NULL, 0, "redis-cluster://H:6379,i:6379/0"},
        {"valkey-cluster://h", 1, {"h", 6379}, {"h", 6379}, NULL, NULL, 0, "redis-cluster://h:6379/0"},
        {"Valkey-Cluster://h", 1, {"h", 6379}, {"h", 6379}, NULL, NULL, 0, "redis-cluster://h:6379/0"},
        {"redis-cluster://u:p@h,i/2", 2, {"h", 6379}, {"i", 6379}, "u", "p", 2, "redis-cluster://h:6379,i:6379/2"},
        {"redis-cluster://:a@b@h", 1, {"h", 6379}, {"h", 6379}, NULL, "a@b", 0, "redis-cluster://h:6379/0"},
        {"redis-cluster://u%40:%2C%2f@h%2d1,i",
         2,
         {"h-1", 6379},
         {"i", 6379},
         "u@",
         ",/",
         0,
         "redis-cluster://h-1:6379,i:6379/0"},
        {"redis-cluster://a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p",
         16,
         {"a", 6379},
         {"p", 6379},
         NULL,
         NULL,
         0,
         "redis-cluster://a:6379,b:6379,c:6379,d:6379,e:6379,f:6379,g:6379,h:6379,i:6379,j:6379,k:6379,l:6379,m:6379,"
         "n:6379,o:6379,p:6379/0"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        const struct cluster_case *c = &cases[i];
        rl_endpoint ep = parsed(c->dsn);
        CHECK(ep.seeds != NULL && ep.seeds->hosts == NULL);
        CHECK_INT(ep.seeds->count, c->count);
        CHECK_TEXT(ep.seeds->list[0].host, c->first.host);
        CHECK_INT(ep.seeds->list[0].port, c->first.port);
        CHECK_TEXT(ep.seeds->list[c->count - 1].host, c->last.host);
        CHECK_INT(ep.seeds->list[c->count - 1].port, c->last.port);
        CHECK_TEXT(ep.username, c->username);
        CHECK_TEXT(ep.password, c->password);
        CHECK_INT(ep.database, c->database);
        CHECK_TEXT(ep.label, c->label);
        CHECK(ep.host == NULL && ep.path == NULL && ep.port == 0 && ep.sentinels == NULL && !rl_endpoint_has_tls(&ep));
        rl_endpoint_free(&ep);
    }
}

TEST(endpoint_of_a_cluster_refuses_with_a_reason)
{
    static const char *const cases[][2] = {
        {"redis-cluster://", "the host is missing: redis-cluster://HOST:6379"},
        {"redis-cluster:///1", "host is missing"},
        {"redis-cluster://,", "host is missing"},
        {"redis-cluster://,h/1", "host is missing"},
        {"redis-cluster://h,/1", "host is missing"},
        {"redis-cluster://h,,i", "host is missing"},
        {"redis-cluster://:7000", "host is missing"},
        {"redis-cluster://:hunter2@", "host is missing"},
        {"redis-cluster://h, i", "no spaces"},
        {"redis-cluster://h,i%zz", "host is not properly percent-encoded"},
        {"redis-cluster://h,i%00", "host is not properly percent-encoded"},
        {"redis-cluster://h:,i", "whole number from 1 to 65535"},
        {"redis-cluster://h,i:0", "whole number from 1 to 65535"},
        {"redis-cluster://h,i:65536", "whole number from 1 to 65535"},
        {"redis-cluster://::1", "brackets"},
        {"redis-cluster://[::1", "brackets"},
        {"redis-cluster://h,[::1]x", "brackets"},
        {"redis-cluster://h/x", "whole number, 0 or more"},
        {"redis-cluster://h/1/2", "whole number, 0 or more"},
        {"redis-cluster://h/-1", "whole number, 0 or more"},
        {"redis-cluster://h?db=x", "whole number, 0 or more"},
        {"redis-cluster://h?nodes=i", "only parameter"},
        {"redis-cluster://a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q", "there may be 16 nodes at most"},
        {"redis-cluster://u%:hunter2@h", "user name"},
        {"redis-cluster://:hunter2%@h", "password"},
        {"redis-clusters://h", "redis-cluster, rediss-cluster"},
        {"cluster://h", "redis-cluster, rediss-cluster"},
        {"redis-cluster:/h", "a server is written"},
    };

    check_refused(cases, sizeof(cases) / sizeof(*cases));
}

TEST(endpoint_of_a_cluster_has_tls_to_all_nodes)
{
    static const char *const dsns[] = {"rediss-cluster://h,i:7", "valkeys-cluster://h,i:7", "VALKEYS-Cluster://h,i:7"};

    for (size_t i = 0; i < sizeof(dsns) / sizeof(*dsns); i++) {
        rl_endpoint ep, plain = parsed("redis-cluster://h,i:7");
        char why[128];
        if (!rl_tls_is_built_in()) {
            CHECK(!rl_endpoint_parse(&ep, dsns[i], strlen(dsns[i]), why, sizeof(why)));
            CHECK(strstr(why, "this build has no TLS") != NULL);
            rl_endpoint_free(&plain);
            continue;
        }
        ep = parsed(dsns[i]);
        CHECK(ep.tls && ep.tls_options.verify_peer && ep.tls_options.verify_peer_name && rl_endpoint_has_tls(&ep));
        CHECK_TEXT(ep.label, "rediss-cluster://h:6379,i:7/0");
        CHECK(!rl_endpoint_same(&ep, &plain));
        rl_tls_options options = {.cafile = "ca.pem", .verify_peer = true};
        rl_endpoint_secure(&ep, &options);
        CHECK_TEXT(ep.tls_options.cafile, "ca.pem");
        rl_endpoint_free(&plain);
        rl_endpoint_free(&ep);
    }
}

TEST(endpoint_of_a_cluster_takes_a_login_and_tells_no_secret)
{
    rl_endpoint ep = parsed("redis-cluster://h,i");

    rl_endpoint_login(&ep, "root", "hunter2", 7, 4);
    CHECK_TEXT(ep.username, "root");
    CHECK_INT(ep.password_len, 7);
    CHECK_TEXT(ep.label, "redis-cluster://h:6379,i:6379/4");
    rl_endpoint_login(&ep, "other", "other", 5, -1);
    CHECK_TEXT(ep.username, "root");
    rl_endpoint_free(&ep);
}

TEST(endpoint_of_a_cluster_same_compares_everything)
{
    static const char *const dsns[] = {
        "redis-cluster://h,i",
        "redis-cluster://h",
        "redis-cluster://h,i,j",
        "redis-cluster://i,h",
        "redis-cluster://h,i:1",
        "redis-cluster://h,j",
        "redis-cluster://h,i/1",
        "redis-cluster://:p@h,i",
        "redis-cluster://:q@h,i",
        "redis-cluster://u:q@h,i",
        "redis://h",
        "unix:///h",
        "redis-sentinel://h,i/m",
    };
    enum { COUNT = sizeof(dsns) / sizeof(*dsns) };

    for (size_t i = 0; i < COUNT; i++) {
        for (size_t j = 0; j < COUNT; j++) {
            rl_endpoint a = parsed(dsns[i]), b = parsed(dsns[j]);
            if (rl_endpoint_same(&a, &b) != (i == j)) {
                test_fail(__FILE__, __LINE__, "%s and %s", dsns[i], dsns[j]);
            }
            rl_endpoint_free(&a);
            rl_endpoint_free(&b);
        }
    }
}

TEST(endpoint_of_a_cluster_is_copied_with_all_that_it_owns)
{
    rl_endpoint ep = parsed("redis-cluster://u:p@192.0.2.1,i:7/3"), copy;
    rl_hosts hosts = {0};
    char why[128];

    rl_hosts_note(&hosts, "node.invalid", "192.0.2.9");
    CHECK(rl_endpoint_prepare(&ep, &hosts, why, sizeof(why)));
    rl_endpoint_copy(&copy, &ep);
    CHECK(rl_endpoint_same(&copy, &ep));
    rl_endpoint_free(&ep); /* the sanitizers see what the two have in common */
    CHECK_INT(copy.seeds->count, 2);
    CHECK_TEXT(copy.seeds->list[1].host, "i");
    CHECK_INT(copy.seeds->list[1].port, 7);
    CHECK_TEXT(copy.label, "redis-cluster://192.0.2.1:6379,i:7/3");
    CHECK_TEXT(rl_hosts_find(copy.seeds->hosts, "node.invalid"), "192.0.2.9");
    rl_endpoint_free(&copy);
    rl_endpoint_free(&copy);
    rl_hosts_free(&hosts);
}

TEST(endpoint_of_a_cluster_is_prepared_if_any_node_has_an_address)
{
    static const struct prepare_case {
        const char *dsn;
        const char *known; /* a host whose address is known; NULL: none is */
        bool good;
    } cases[] = {
        {"redis-cluster://192.0.2.1", NULL, true},
        {"redis-cluster://h.invalid,[::1]", NULL, true},
        {"redis-cluster://h.invalid,i.invalid", "i.invalid", true},
        {"redis-cluster://h.invalid", "node.invalid", true}, /* the node of another name has told it */
        {"redis-cluster://h.invalid,i.invalid", NULL, false},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        rl_endpoint ep = parsed(cases[i].dsn);
        rl_hosts hosts = {0};
        char why[128] = "";
        rl_hosts_expect(&hosts, "h.invalid"); /* not resolved */
        if (cases[i].known != NULL) {
            rl_hosts_note(&hosts, cases[i].known, "192.0.2.7");
        }
        CHECK_INT(rl_endpoint_prepare(&ep, &hosts, why, sizeof(why)), cases[i].good);
        CHECK(ep.seeds->hosts != NULL); /* so that no name is resolved */
        CHECK_TEXT(ep.address, cases[i].good ? NULL : "");
        CHECK_TEXT(why, cases[i].good ? "" : "the server's address is not known");
        if (cases[i].known != NULL) {
            CHECK_TEXT(rl_hosts_find(ep.seeds->hosts, cases[i].known), "192.0.2.7");
        }
        rl_hosts_note(&hosts, "h.invalid", "192.0.2.8");
        CHECK(rl_endpoint_prepare(&ep, &hosts, why, sizeof(why))); /* it can be mended */
        CHECK_TEXT(ep.address, NULL);
        rl_hosts_free(&hosts);
        rl_endpoint_free(&ep);
    }
}

TEST(endpoint_of_a_cluster_whose_tls_options_cannot_be_used_is_not_prepared)
{
    rl_tls_options options = {.cafile = "/nonexistent/ca.pem", .verify_peer = true, .verify_peer_name = true};
    char why[128] = "";

    if (rl_tls_is_built_in()) {
        rl_endpoint ep = parsed("rediss-cluster://192.0.2.1");
        CHECK(rl_endpoint_prepare(&ep, NULL, why, sizeof(why)));
        CHECK(ep.tls_context != NULL);
        rl_endpoint_secure(&ep, &options);
        CHECK(!rl_endpoint_prepare(&ep, NULL, why, sizeof(why)));
        CHECK(strstr(why, "cafile or capath cannot be loaded") != NULL);
        CHECK_TEXT(ep.address, "");
        rl_endpoint_free(&ep);
    }
}

TEST(endpoint_of_a_cluster_that_was_prepared_takes_new_addresses)
{
    rl_endpoint ep = parsed("redis-cluster://h.invalid"), other = parsed("redis-cluster://h.invalid");
    rl_hosts first = {0}, second = {0};
    char why[128];

    rl_hosts_note(&first, "h.invalid", "192.0.2.1");
    rl_hosts_note(&first, "node.invalid", "192.0.2.3");
    rl_hosts_note(&second, "h.invalid", "192.0.2.2");
    CHECK(rl_endpoint_prepare(&ep, &first, why, sizeof(why)));
    CHECK(rl_endpoint_same(&ep, &other)); /* what is prepared does not count */
    CHECK(rl_endpoint_prepare(&ep, &second, why, sizeof(why)));
    CHECK_TEXT(rl_hosts_find(ep.seeds->hosts, "h.invalid"), "192.0.2.2");
    CHECK_TEXT(rl_hosts_find(ep.seeds->hosts, "node.invalid"), "192.0.2.3"); /* it is not forgotten */
    rl_hosts_free(&first);
    rl_hosts_free(&second);
    rl_endpoint_free(&other);
    rl_endpoint_free(&ep);
}

TEST(endpoint_of_a_cluster_is_current_as_long_as_all_hosts_stay_where_they_are)
{
    rl_endpoint ep = parsed("redis-cluster://192.0.2.1,i.invalid");
    rl_hosts prepared = {0}, hosts = {0};
    char why[128];

    CHECK(rl_endpoint_is_current(&ep, NULL));
    rl_hosts_note(&prepared, "i.invalid", "192.0.2.2");
    CHECK(!rl_endpoint_is_current(&ep, &prepared)); /* it was not prepared at all */
    CHECK(rl_endpoint_prepare(&ep, &prepared, why, sizeof(why)));
    CHECK(rl_endpoint_is_current(&ep, NULL));
    CHECK(rl_endpoint_is_current(&ep, &hosts));
    CHECK(rl_endpoint_is_current(&ep, &prepared));

    rl_hosts_expect(&hosts, "node.invalid"); /* nobody knows where it is */
    CHECK(rl_endpoint_is_current(&ep, &hosts));
    rl_hosts_note(&hosts, "node.invalid", "192.0.2.3"); /* a node that it could not follow so far */
    CHECK(!rl_endpoint_is_current(&ep, &hosts));
    CHECK(rl_endpoint_prepare(&ep, &hosts, why, sizeof(why)));
    CHECK(rl_endpoint_is_current(&ep, &hosts));
    rl_hosts_note(&hosts, "i.invalid", "192.0.2.5"); /* it has moved */
    CHECK(!rl_endpoint_is_current(&ep, &hosts));
    rl_hosts_free(&prepared);
    rl_hosts_free(&hosts);
    rl_endpoint_free(&ep);
}

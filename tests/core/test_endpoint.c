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
        {"redis://h%00x", "host"},
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

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
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

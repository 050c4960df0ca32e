/* SPDX-License-Identifier: MIT
 *
 * wire: see wire.h.
 */
#include "wire.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <hiredis/hiredis.h>

#include "check.h"
#include "platform/platform.h"

/* A connection. Requests are replies too, as to their form: arrays of strings. */
typedef struct wire_link {
    int client, server, number;
    redisReader *sent, *got;
} wire_link;

/* Something that has a name: what it is, and the bytes. */
typedef struct wire_name {
    const char *kind;
    char bytes[48];
    size_t len;
    int number;
} wire_name;

static struct {
    wire_link *links; /* by the number of the socket */
    int link_count, link_room;
    wire_name *names;
    size_t name_count, name_room;
} wire;

/* ---- names ---- */

static void print_name(const char *kind, const char *bytes, size_t len)
{
    int number = 1;

    for (size_t i = 0; i < wire.name_count; i++) {
        const wire_name *name = &wire.names[i];
        if (strcmp(name->kind, kind) == 0) {
            if (name->len == len && memcmp(name->bytes, bytes, len) == 0) {
                printf("%s%d", kind, name->number);
                return;
            }
            number++;
        }
    }
    if (wire.name_count == wire.name_room) {
        wire.name_room = wire.name_room > 0 ? 2 * wire.name_room : 64;
        wire.names = platform_realloc(wire.names, wire.name_room * sizeof(*wire.names));
    }
    wire_name *made = &wire.names[wire.name_count++];
    *made = (wire_name){.kind = kind, .len = len, .number = number};
    memcpy(made->bytes, bytes, len);
    printf("%s%d", kind, number);
}

static bool is_hex(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

static size_t hex_digits(const char *at, size_t left)
{
    size_t len = 0;

    while (len < left && is_hex(at[len])) {
        len++;
    }
    return len;
}

static size_t decimal_digits(const char *at, size_t left)
{
    size_t len = 0;

    while (len < left && isdigit((unsigned char)at[len])) {
        len++;
    }
    return len;
}

/* Does the text begin with `opening` and just so many hex digits behind it? */
static bool opens_with(const char *at, size_t left, const char *opening, size_t digits)
{
    size_t len = strlen(opening);

    for (size_t i = 0; i < len; i++) {
        if (i >= left || (opening[i] == '0' ? !isdigit((unsigned char)at[i]) : at[i] != opening[i])) {
            return false;
        }
    }
    return hex_digits(at + len, left - len) == digits;
}

/* A number of at least 10^9 that is no random word is a time. A value without an end is marked by 15 nines. */
static bool is_clock(const char *at, size_t len)
{
    size_t zeros = strspn(at, "0");

    return len >= zeros + 10 && len <= 16 && strspn(at, "9") < 15 && (len < 16 || memcmp(at, "17", 2) == 0);
}

/* The id of a task of the simulator's: t, the queue, a random number, its place. Returns its length; 0: it is none. */
static size_t task_id(const char *at, size_t left)
{
    size_t len = left > 3 && at[0] == 't' && isdigit((unsigned char)at[1]) && at[2] == ':' ? 3 : 0;
    size_t digits = len > 0 ? hex_digits(at + len, left - len) : 0;

    len += digits;
    return digits > 0 && left > len + 1 && at[len] == ':' && isdigit((unsigned char)at[len + 1]) ? len + 2 : 0;
}

/* Prints the word that begins here by its name, if it has one. Returns how many bytes that was. */
static size_t print_named(const char *at, size_t left)
{
    static const struct {
        const char *kind, *opening; /* a 0 in `opening` stands for any digit */
        size_t digits, kept;        /* `kept` bytes are printed as they are */
    } forms[] = {
        {"token", "rl:", 32, 0},  {"baton", "rl:baton:", 32, 0}, {"builder", "rl:build:", 32, 0},
        {"own", "own:0:", 16, 0}, {"vwaiter", "v", 23, 0},       {"caller", "call:", 25, 5},
        {"base", "", 32, 0},      {"call", "", 44, 20},          {"waiter", "", 24, 0},
        {"source", "", 16, 0},
    };
    size_t digits = decimal_digits(at, left), len = task_id(at, left);

    if (len > 0) {
        print_name("task", at, len);
        return len;
    }
    if (digits == hex_digits(at, left) && is_clock(at, digits)) {
        print_name("clock", at, digits);
        return digits;
    }
    for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
        if (opens_with(at, left, forms[i].opening, forms[i].digits)) {
            size_t kept = forms[i].kept;
            len = strlen(forms[i].opening) + forms[i].digits;
            printf("%.*s", (int)kept, at);
            print_name(forms[i].kind, at + kept, len - kept);
            return len;
        }
    }
    return 0;
}

/* ---- words ---- */

static void print_byte(char c)
{
    if (c == '\n' || c == '\r' || c == '\\' || !isprint((unsigned char)c)) {
        printf("\\x%02x", (unsigned char)c);
    } else {
        putchar(c);
    }
}

static uint64_t big_endian(const char *at, size_t len)
{
    uint64_t value = 0;

    for (size_t i = 0; i < len; i++) {
        value = value << 8 | (unsigned char)at[i];
    }
    return value;
}

#define TASK_HEAD 16 /* bytes of a packed task in front of its id: see lua/inc/task_pack.lua */

/* Are these packed tasks? */
static bool is_packed(const char *at, size_t left)
{
    bool any = false;

    while (left >= TASK_HEAD && big_endian(at + 12, 4) <= left - TASK_HEAD) {
        size_t len = TASK_HEAD + (size_t)big_endian(at + 12, 4);
        any = true;
        at += len;
        left -= len;
    }
    return any && left == 0;
}

static void print_text(const char *at, size_t len);

/* The score, which is a time, the attempts and the id of each. */
static void print_packed(const char *at, size_t left)
{
    while (left > 0) {
        size_t len = (size_t)big_endian(at + 12, 4);
        putchar('{');
        print_name("score", at, 8);
        printf(" %u ", (unsigned)big_endian(at + 8, 4));
        print_text(at + TASK_HEAD, len);
        putchar('}');
        at += TASK_HEAD + len;
        left -= TASK_HEAD + len;
    }
}

/* Prints bytes, with names for what is random in them. A name begins where a word does. */
static void print_text(const char *at, size_t len)
{
    bool inside = false;

    if (is_packed(at, len)) {
        print_packed(at, len);
        return;
    }
    if (len == 8 && !isprint((unsigned char)at[1])) {
        print_name("score", at, 8);
        return;
    }
    while (len > 0) {
        size_t named = inside ? 0 : print_named(at, len);
        if (named == 0) {
            print_byte(*at);
            named = 1;
        }
        inside = isalnum((unsigned char)at[named - 1]);
        at += named;
        len -= named;
    }
}

/* A word of a request stands in quotes if it could not be told from others. */
static void print_word(const char *at, size_t len)
{
    bool quoted = len == 0 || memchr(at, ' ', len) != NULL;

    printf(quoted ? " '" : " ");
    print_text(at, len);
    printf(quoted ? "'" : "");
}

static bool is_request(const redisReply *what)
{
    if (what->type != REDIS_REPLY_ARRAY || what->elements == 0) {
        return false;
    }
    for (size_t i = 0; i < what->elements; i++) {
        if (what->element[i]->type != REDIS_REPLY_STRING) {
            return false;
        }
    }
    return true;
}

/* Prints the words of a request. The script's name stands for its SHA-1 or text. */
static void print_request(const redisReply *request)
{
    size_t words = request->elements, at = 0;

    if (strncmp(request->element[0]->str, "EVAL", 4) == 0) {
        const char *argv[2] = {request->element[0]->str, words > 1 ? request->element[1]->str : ""};
        size_t len[2] = {request->element[0]->len, words > 1 ? request->element[1]->len : 0};
        const rl_script *script = check_script(words, argv, len);
        if (script == NULL) {
            violated("wire", "a script is called that is none of ours");
            return;
        }
        printf(" %s %s", argv[0], script->name);
        at = 2;
    }
    for (; at < words; at++) {
        print_word(request->element[at]->str, request->element[at]->len);
    }
}

static void print_reply(const redisReply *reply)
{
    switch (reply->type) {
    case REDIS_REPLY_ARRAY:
        putchar('[');
        for (size_t i = 0; i < reply->elements; i++) {
            printf(i > 0 ? " " : "");
            print_reply(reply->element[i]);
        }
        putchar(']');
        break;
    case REDIS_REPLY_STRING:
        putchar('"');
        print_text(reply->str, reply->len);
        putchar('"');
        break;
    case REDIS_REPLY_INTEGER: {
        char digits[32];
        print_text(digits, (size_t)snprintf(digits, sizeof(digits), "%lld", reply->integer));
        break;
    }
    case REDIS_REPLY_NIL:
        printf("nil");
        break;
    default:
        putchar(reply->type == REDIS_REPLY_ERROR ? '-' : '+');
        print_text(reply->str, reply->len);
        break;
    }
}

/* ---- what happens ---- */

static void begin_line(const wire_link *link)
{
    printf("%10.3f  c%d s%d #%d ", (double)world.now / 1000, link->client, link->server, link->number);
}

/* Prints what these bytes complete, one line each. */
static void print_stream(const wire_link *link, redisReader *reader, const char *bytes, size_t len)
{
    bool sends = reader == link->sent;
    const char *sign = sends ? ">" : "<";
    void *next = NULL;

    redisReaderFeed(reader, bytes, len);
    while (redisReaderGetReply(reader, &next) == REDIS_OK && next != NULL) {
        begin_line(link);
        printf("%s", sign);
        if (sends && is_request(next)) {
            print_request(next);
            sign = "+";
        } else if (!sends) {
            putchar(' ');
            print_reply(next);
        } else {
            violated("wire", "client %d sent what is no request", link->client);
        }
        putchar('\n');
        reader->fn->freeObject(next);
    }
    if (reader->err != 0) {
        violated("wire", "what goes between client %d and server %d is no protocol", link->client, link->server);
    } else if (reader->pos < reader->len) {
        begin_line(link);
        printf("%s a part\n", sign);
    }
}

static void add_link(const sim_socket *socket)
{
    wire_link made = {.client = socket_process(socket)->index, .server = socket_server(socket)->index, .number = 1};

    for (int i = 0; i < wire.link_count; i++) {
        made.number += wire.links[i].client == made.client && wire.links[i].server == made.server;
    }
    made.sent = redisReaderCreate();
    made.got = redisReaderCreate();
    if (wire.link_count == wire.link_room) {
        wire.link_room = wire.link_room > 0 ? 2 * wire.link_room : 16;
        wire.links = platform_realloc(wire.links, (size_t)wire.link_room * sizeof(*wire.links));
    }
    wire.links[wire.link_count++] = made;
}

/* Nobody sees what a client does that was killed. */
static void see(const sim_socket *socket, net_event what, const char *bytes, size_t len)
{
    static const char *const words[] = {
        [NET_OPENS] = "opens",           [NET_SHUTS] = "shuts down",  [NET_CLOSES] = "closes",
        [NET_IS_REFUSED] = "is refused", [NET_IS_ENDED] = "is ended", [NET_IS_RESET] = "is reset"};

    if (what == NET_OPENS) {
        add_link(socket);
    }
    if (socket_process(socket)->dead) {
        return;
    }
    const wire_link *link = &wire.links[socket_number(socket)];
    if (what == NET_SENDS || what == NET_GETS) {
        print_stream(link, what == NET_SENDS ? link->sent : link->got, bytes, len);
    } else {
        begin_line(link);
        printf("%s\n", words[what]);
    }
}

/* What the checks tell of the servers is indented; it follows from the rest. */
static void hear(const char *text)
{
    if (text[0] != ' ') {
        printf("%10.3f  # %s\n", (double)world.now / 1000, text);
    }
}

void wire_begin(void)
{
    net_watch = see;
    world_told = hear;
}

void wire_end(void)
{
    net_watch = NULL;
    world_told = NULL;
    for (int i = 0; i < wire.link_count; i++) {
        redisReaderFree(wire.links[i].sent);
        redisReaderFree(wire.links[i].got);
    }
    free(wire.links);
    free(wire.names);
    memset(&wire, 0, sizeof(wire));
}

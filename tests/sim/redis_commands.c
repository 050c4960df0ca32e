/* SPDX-License-Identifier: MIT
 *
 * redis_commands: the commands of the simulated Redis, as in Redis 7.0. What a command checks first shows in its reply,
 * so the order is that of Redis.
 */
#include "redis_server.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define WRONG_TYPE "WRONGTYPE Operation against a key holding the wrong kind of value"
#define NO_INTEGER "ERR value is not an integer or out of range"
#define SYNTAX     "ERR syntax error"

/* ---- replies ---- */

void reply_status(buffer *out, const char *status)
{
    buffer_add(out, "+", 1);
    buffer_add_text(out, status);
    buffer_add(out, "\r\n", 2);
}

/* Line ends become spaces, as in Redis. */
void reply_error(buffer *out, const char *format, ...)
{
    va_list args;
    size_t from, len;

    va_start(args, format);
    len = (size_t)vsnprintf(NULL, 0, format, args);
    va_end(args);
    buffer_add(out, "-", 1);
    from = out->len;
    out->at = redis_grow(out->at, &out->size, from + len + 3, 1);
    va_start(args, format);
    vsnprintf(out->at + from, len + 1, format, args);
    va_end(args);
    while (len > 0 && (out->at[from + len - 1] == '\r' || out->at[from + len - 1] == '\n')) {
        len--;
    }
    for (size_t i = from; i < from + len; i++) {
        out->at[i] = out->at[i] == '\r' || out->at[i] == '\n' ? ' ' : out->at[i];
    }
    out->len += len;
    buffer_add(out, "\r\n", 2);
}

/* Redis repeats the arguments as far as 128 bytes go. */
void reply_unknown(call *c)
{
    char arguments[160];
    size_t len = 0;

    for (size_t i = 1; i < c->argc && len < 128; i++) {
        int room = (int)(128 - len), size = (int)c->len[i];
        len += (size_t)snprintf(arguments + len, sizeof(arguments) - len, "'%.*s' ", size < room ? size : room,
                                c->argv[i]);
    }
    reply_error(c->out, "ERR unknown command '%.128s', with args beginning with: %.*s", c->argv[0], (int)len,
                arguments);
}

static void reply_header(buffer *out, char type, int64_t number)
{
    char text[1 + NUMBER_ROOM + 2];
    size_t len = 1 + write_integer(text + 1, number);

    text[0] = type;
    text[len++] = '\r';
    text[len++] = '\n';
    buffer_add(out, text, len);
}

void reply_number(buffer *out, int64_t number)
{
    reply_header(out, ':', number);
}

void reply_bytes(buffer *out, const char *bytes, size_t len)
{
    reply_header(out, '$', (int64_t)len);
    buffer_add(out, bytes, len);
    buffer_add(out, "\r\n", 2);
}

static void reply_blob(buffer *out, const blob *b)
{
    reply_bytes(out, b->at, b->len);
}

static void reply_double(buffer *out, double number)
{
    char text[NUMBER_ROOM];

    reply_bytes(out, text, write_double(text, number));
}

static void reply_text(buffer *out, const char *text)
{
    reply_bytes(out, text, strlen(text));
}

void reply_nil(buffer *out)
{
    buffer_add(out, "$-1\r\n", 5);
}

void reply_nil_array(buffer *out)
{
    buffer_add(out, "*-1\r\n", 5);
}

void reply_array(buffer *out, size_t count)
{
    reply_header(out, '*', (int64_t)count);
}

/* ---- arguments ---- */

static bool is_word(const call *c, size_t i, const char *word)
{
    return strcasecmp(c->argv[i], word) == 0;
}

/* Reads an integer as strictly as Redis: no plus sign, no leading zeros, no spaces. */
static bool to_integer(const char *text, size_t len, int64_t *number)
{
    char again[NUMBER_ROOM];
    char *end;

    if (len == 0 || len >= 21) {
        return false;
    }
    errno = 0;
    *number = strtoll(text, &end, 10);
    return errno == 0 && write_integer(again, *number) == len && memcmp(again, text, len) == 0;
}

/* Reads an integer argument. Answers with an error and returns false if it is none. */
static bool read_integer(call *c, size_t i, int64_t *number)
{
    if (!to_integer(c->argv[i], c->len[i], number)) {
        reply_error(c->out, NO_INTEGER);
        return false;
    }
    return true;
}

static bool to_double(const char *text, size_t len, double *number)
{
    char *end;

    errno = 0;
    *number = strtod(text, &end);
    return len > 0 && !isspace((unsigned char)text[0]) && end == text + len && !isnan(*number) &&
           !(errno == ERANGE && (fabs(*number) == HUGE_VAL || *number == 0));
}

/* Reads where a range of scores begins or ends. Redis takes here what strtod() takes. */
static bool to_bound(const char *text, bound *b)
{
    char *end;

    b->is_exclusive = text[0] == '(';
    b->score = strtod(text + b->is_exclusive, &end);
    return *end == '\0' && !isnan(b->score);
}

static bool read_bounds(call *c, size_t i, bound *min, bound *max)
{
    if (!to_bound(c->argv[i], min) || !to_bound(c->argv[i + 1], max)) {
        reply_error(c->out, "ERR min or max is not a float");
        return false;
    }
    return true;
}

/* ---- keys ---- */

static value *key_get(const call *c, size_t i)
{
    return map_get(&c->db->keys, c->argv[i], c->len[i]);
}

static bool key_delete(const call *c, size_t i)
{
    value *v = map_remove(&c->db->keys, c->argv[i], c->len[i]);

    if (v == NULL) {
        return false;
    }
    value_free(v);
    return true;
}

static value *key_create(const call *c, size_t i, value_type type)
{
    value *v = value_new(type);

    *map_put(&c->db->keys, c->argv[i], c->len[i]) = v;
    if (type == TYPE_LIST) {
        server_key_ready(c->server, c->db, c->argv[i], c->len[i]);
    }
    return v;
}

/* Finds the key of a type, the first argument; NULL if there is none. Answers with an error and returns false if it is
 * of another type. */
static bool key_find(const call *c, value_type type, value **found)
{
    *found = key_get(c, 1);
    if (*found != NULL && (*found)->type != type) {
        reply_error(c->out, WRONG_TYPE);
        return false;
    }
    return true;
}

static void key_set_expiry(const call *c, value *v, int64_t ms)
{
    v->expires = ms;
    if (ms < c->server->next_expiry) {
        c->server->next_expiry = ms;
    }
}

static void run_del(call *c)
{
    int64_t deleted = 0;

    for (size_t i = 1; i < c->argc; i++) {
        deleted += key_delete(c, i);
    }
    reply_number(c->out, deleted);
}

static void run_exists(call *c)
{
    int64_t found = 0;

    for (size_t i = 1; i < c->argc; i++) {
        found += key_get(c, i) != NULL;
    }
    reply_number(c->out, found);
}

static void run_type(call *c)
{
    const value *v = key_get(c, 1);

    reply_status(c->out, v != NULL ? value_type_name(v) : "none");
}

/* Answers PTTL, or with a `unit` of 1000 ms TTL, which rounds. */
static void reply_left(call *c, int64_t unit)
{
    const value *v = key_get(c, 1);
    int64_t left;

    if (v == NULL || v->expires == NEVER) {
        reply_number(c->out, v == NULL ? -2 : -1);
        return;
    }
    left = v->expires - server_ms(c->server);
    reply_number(c->out, (left + unit / 2) / unit);
}

static void run_pttl(call *c)
{
    reply_left(c, 1);
}

static void run_ttl(call *c)
{
    reply_left(c, 1000);
}

static void run_persist(call *c)
{
    value *v = key_get(c, 1);
    bool expires = v != NULL && v->expires != NEVER;

    if (expires) {
        v->expires = NEVER;
    }
    reply_number(c->out, expires);
}

/* Computes when a time that was given in units of so many ms, from `base` on, is over. Returns false if that is beyond
 * all numbers. */
static bool to_moment(int64_t number, int64_t unit, int64_t base, int64_t *moment)
{
    return !__builtin_mul_overflow(number, unit, moment) && !__builtin_add_overflow(*moment, base, moment);
}

/* The EXPIRE commands. `unit`: of the time, in ms; `base`: what it counts from, in ms since 1970. */
static void expire(call *c, int64_t unit, int64_t base)
{
    int64_t number, moment;
    value *v;

    if (c->argc > 3) {
        redis_die("options of %s are not implemented", c->argv[0]);
    }
    if (!read_integer(c, 2, &number)) {
        return;
    }
    if (!to_moment(number, unit, base, &moment)) {
        char name[16] = {0};
        for (size_t i = 0; i < sizeof(name) - 1 && i < c->len[0]; i++) {
            name[i] = (char)tolower((unsigned char)c->argv[0][i]);
        }
        reply_error(c->out, "ERR invalid expire time in '%s' command", name);
        return;
    }
    v = key_get(c, 1);
    if (v != NULL && moment <= server_ms(c->server)) {
        key_delete(c, 1);
    } else if (v != NULL) {
        key_set_expiry(c, v, moment);
    }
    reply_number(c->out, v != NULL);
}

static void run_expire(call *c)
{
    expire(c, 1000, server_ms(c->server));
}

static void run_pexpire(call *c)
{
    expire(c, 1, server_ms(c->server));
}

static void run_pexpireat(call *c)
{
    expire(c, 1, 0);
}

static void run_flushall(call *c)
{
    if (c->argc > 1) {
        redis_die("options of FLUSHALL are not implemented");
    }
    redis_flush_all(c->server);
    reply_status(c->out, "OK");
}

/* ---- strings ---- */

static void run_get(call *c)
{
    value *v;

    if (!key_find(c, TYPE_STRING, &v)) {
        return;
    }
    if (v == NULL) {
        reply_nil(c->out);
    } else {
        reply_blob(c->out, v->string);
    }
}

typedef struct set_options {
    bool only_new, only_old, gets, keeps_ttl;
    size_t time;     /* which argument is the time; 0: none */
    int64_t unit;    /* of the time, in ms */
    bool is_moment;  /* the time counts from 1970 */
    int64_t expires; /* in ms since 1970, NEVER */
} set_options;

/* Reads an option of SET that takes a time. Returns false if it is none, or stands beside another one. Of two of a kind
 * the last counts. */
static bool set_read_time_option(const call *c, size_t i, set_options *options)
{
    static const struct {
        const char *word;
        int64_t unit;
        bool is_moment;
    } words[] = {{"EX", 1000, false}, {"PX", 1, false}, {"EXAT", 1000, true}, {"PXAT", 1, true}};

    for (size_t k = 0; k < sizeof(words) / sizeof(*words); k++) {
        bool fits = options->time == 0 || (options->unit == words[k].unit && options->is_moment == words[k].is_moment);
        if (is_word(c, i, words[k].word) && fits && !options->keeps_ttl && i + 1 < c->argc) {
            options->unit = words[k].unit;
            options->is_moment = words[k].is_moment;
            options->time = i + 1;
            return true;
        }
    }
    return false;
}

/* Returns false if the options of SET are wrong, or do not go together. */
static bool set_read_options(const call *c, set_options *options)
{
    *options = (set_options){.expires = NEVER};
    for (size_t i = 3; i < c->argc; i++) {
        if (is_word(c, i, "NX") && !options->only_old) {
            options->only_new = true;
        } else if (is_word(c, i, "XX") && !options->only_new) {
            options->only_old = true;
        } else if (is_word(c, i, "GET")) {
            options->gets = true;
        } else if (is_word(c, i, "KEEPTTL") && options->time == 0) {
            options->keeps_ttl = true;
        } else if (set_read_time_option(c, i, options)) {
            i++;
        } else {
            return false;
        }
    }
    return true;
}

/* Reads the time of SET. Answers with an error and returns false if it is none. */
static bool set_read_time(call *c, set_options *options)
{
    int64_t number;

    if (options->time == 0) {
        return true;
    }
    if (!read_integer(c, options->time, &number)) {
        return false;
    }
    if (number <= 0 ||
        !to_moment(number, options->unit, options->is_moment ? 0 : server_ms(c->server), &options->expires)) {
        reply_error(c->out, "ERR invalid expire time in 'set' command");
        return false;
    }
    return true;
}

/* Gives the key its new value. Redis may keep a key that expires at once for a moment, but nobody can see it. */
static void set_store(call *c, const set_options *options, const value *old)
{
    int64_t kept = options->keeps_ttl && old != NULL ? old->expires : NEVER;
    value *v;

    key_delete(c, 1);
    if (options->expires < server_ms(c->server)) {
        return;
    }
    v = key_create(c, 1, TYPE_STRING);
    v->string = blob_new(c->argv[2], c->len[2]);
    key_set_expiry(c, v, options->time != 0 ? options->expires : kept);
}

/* With GET the reply is the old value, whether the key is set or not. */
static void run_set(call *c)
{
    set_options options;
    value *old;

    if (!set_read_options(c, &options)) {
        reply_error(c->out, SYNTAX);
        return;
    }
    if (!set_read_time(c, &options)) {
        return;
    }
    old = key_get(c, 1);
    if (options.gets) {
        run_get(c);
        if (old != NULL && old->type != TYPE_STRING) {
            return;
        }
    }
    if ((options.only_new && old != NULL) || (options.only_old && old == NULL)) {
        if (!options.gets) {
            reply_nil(c->out);
        }
        return;
    }
    set_store(c, &options, old);
    if (!options.gets) {
        reply_status(c->out, "OK");
    }
}

/* The key keeps its time. */
static void run_incr(call *c)
{
    char text[NUMBER_ROOM];
    int64_t number = 0;
    value *v;

    if (!key_find(c, TYPE_STRING, &v)) {
        return;
    }
    if (v != NULL && !to_integer(v->string->at, v->string->len, &number)) {
        reply_error(c->out, NO_INTEGER);
        return;
    }
    if (number == INT64_MAX) {
        reply_error(c->out, "ERR increment or decrement would overflow");
        return;
    }
    if (v == NULL) {
        v = key_create(c, 1, TYPE_STRING);
    } else {
        free(v->string);
    }
    v->string = blob_new(text, write_integer(text, number + 1));
    reply_number(c->out, number + 1);
}

/* ---- lists ---- */

/* A client that is blocked on the list is served once the request is done, not here. */
static void push(call *c, bool in_front)
{
    value *v;

    if (!key_find(c, TYPE_LIST, &v)) {
        return;
    }
    if (v == NULL) {
        v = key_create(c, 1, TYPE_LIST);
    }
    for (size_t i = 2; i < c->argc; i++) {
        list_push(&v->list, in_front, c->argv[i], c->len[i]);
    }
    reply_number(c->out, (int64_t)v->list.count);
}

static void run_rpush(call *c)
{
    push(c, false);
}

static void run_lpush(call *c)
{
    push(c, true);
}

/* A list that is empty is gone. */
static void run_lpop(call *c)
{
    value *v;
    blob *popped;

    if (c->argc > 2) {
        redis_die("the count of LPOP is not implemented");
    }
    if (!key_find(c, TYPE_LIST, &v)) {
        return;
    }
    if (v == NULL) {
        reply_nil(c->out);
        return;
    }
    popped = list_pop(&v->list, true);
    reply_blob(c->out, popped);
    free(popped);
    if (v->list.count == 0) {
        key_delete(c, 1);
    }
}

static void run_llen(call *c)
{
    value *v;

    if (key_find(c, TYPE_LIST, &v)) {
        reply_number(c->out, v != NULL ? (int64_t)v->list.count : 0);
    }
}

/* Redis looks at the index only if there is a list. */
static void run_lindex(call *c)
{
    int64_t index;
    value *v;

    if (!key_find(c, TYPE_LIST, &v)) {
        return;
    }
    if (v == NULL) {
        reply_nil(c->out);
        return;
    }
    if (!read_integer(c, 2, &index)) {
        return;
    }
    index += index < 0 ? (int64_t)v->list.count : 0;
    if (index < 0 || index >= (int64_t)v->list.count) {
        reply_nil(c->out);
    } else {
        reply_blob(c->out, v->list.at[v->list.first + (size_t)index]);
    }
}

/* Turns the indexes of a range, which may count from the end, into the first index and a count. */
static void to_range(int64_t from, int64_t to, size_t count, size_t *first, size_t *found)
{
    int64_t length = (int64_t)count;

    from += from < 0 ? length : 0;
    to += to < 0 ? length : 0;
    from = from < 0 ? 0 : from;
    to = to >= length ? length - 1 : to;
    *first = (size_t)from;
    *found = from > to ? 0 : (size_t)(to - from + 1);
}

/* Redis looks at the indexes first. */
static void run_lrange(call *c)
{
    int64_t from, to;
    size_t first, count;
    value *v;

    if (!read_integer(c, 2, &from) || !read_integer(c, 3, &to) || !key_find(c, TYPE_LIST, &v)) {
        return;
    }
    to_range(from, to, v != NULL ? v->list.count : 0, &first, &count);
    reply_array(c->out, count);
    for (size_t i = 0; i < count; i++) {
        reply_blob(c->out, v->list.at[v->list.first + first + i]);
    }
}

/* Reads the timeout of BLPOP, in seconds. Answers with an error and returns false if it is none. */
static bool read_timeout(call *c, int64_t *until)
{
    const char *text = c->argv[c->argc - 1];
    size_t len = c->len[c->argc - 1];
    long double seconds;
    char *end;

    errno = 0;
    seconds = strtold(text, &end);
    if (len == 0 || isspace((unsigned char)text[0]) || end != text + len || isnan((double)seconds) || errno == ERANGE) {
        reply_error(c->out, "ERR timeout is not a float or out of range");
        return false;
    }
    seconds = ceill(seconds * 1000);
    if (seconds < 0 || seconds >= (long double)INT64_MAX) {
        reply_error(c->out, "ERR timeout is negative"); /* also for what is too large to be converted */
        return false;
    }
    if (seconds == 0 || __builtin_add_overflow((int64_t)seconds, server_ms(c->server), until)) {
        *until = NEVER;
    }
    return true;
}

/* Pops from the first key that has a list, or blocks the client. A key of another type in front of that is an error. */
static void run_blpop(call *c)
{
    int64_t until;

    if (!read_timeout(c, &until)) {
        return;
    }
    for (size_t i = 1; i + 1 < c->argc; i++) {
        value *v = key_get(c, i);
        if (v != NULL && v->type != TYPE_LIST) {
            reply_error(c->out, WRONG_TYPE);
            return;
        }
        if (v != NULL) {
            blob *popped = list_pop(&v->list, true);
            reply_array(c->out, 2);
            reply_bytes(c->out, c->argv[i], c->len[i]);
            reply_blob(c->out, popped);
            free(popped);
            if (v->list.count == 0) {
                key_delete(c, i);
            }
            return;
        }
    }
    link_block(c, until, 0);
}

/* ---- hashes ---- */

/* Redis looks at the number of arguments before it looks at the key. */
static void run_hset(call *c)
{
    int64_t added = 0;
    value *v;

    if (c->argc % 2 != 0) {
        reply_error(c->out, "ERR wrong number of arguments for 'hset' command");
        return;
    }
    if (!key_find(c, TYPE_HASH, &v)) {
        return;
    }
    if (v == NULL) {
        v = key_create(c, 1, TYPE_HASH);
    }
    for (size_t i = 2; i < c->argc; i += 2) {
        void **field = map_put(&v->hash, c->argv[i], c->len[i]);
        added += *field == NULL;
        free(*field);
        *field = blob_new(c->argv[i + 1], c->len[i + 1]);
    }
    reply_number(c->out, added);
}

static void reply_field(call *c, const value *v, size_t i)
{
    const blob *field = v != NULL ? map_get(&v->hash, c->argv[i], c->len[i]) : NULL;

    if (field == NULL) {
        reply_nil(c->out);
    } else {
        reply_blob(c->out, field);
    }
}

static void run_hget(call *c)
{
    value *v;

    if (key_find(c, TYPE_HASH, &v)) {
        reply_field(c, v, 2);
    }
}

static void run_hmget(call *c)
{
    value *v;

    if (!key_find(c, TYPE_HASH, &v)) {
        return;
    }
    reply_array(c->out, c->argc - 2);
    for (size_t i = 2; i < c->argc; i++) {
        reply_field(c, v, i);
    }
}

/* A hash that is empty is gone. */
static void run_hdel(call *c)
{
    int64_t deleted = 0;
    value *v;

    if (!key_find(c, TYPE_HASH, &v)) {
        return;
    }
    for (size_t i = 2; i < c->argc && v != NULL; i++) {
        blob *field = map_remove(&v->hash, c->argv[i], c->len[i]);
        deleted += field != NULL;
        free(field);
    }
    if (v != NULL && v->hash.count == 0) {
        key_delete(c, 1);
    }
    reply_number(c->out, deleted);
}

static void run_hlen(call *c)
{
    value *v;

    if (key_find(c, TYPE_HASH, &v)) {
        reply_number(c->out, v != NULL ? (int64_t)v->hash.count : 0);
    }
}

/* ---- sorted sets ---- */

typedef struct zadd_options {
    bool only_new, only_old, counts_changes;
    size_t first; /* the first score */
} zadd_options;

/* Reads the options of ZADD. Answers with an error and returns false if they are wrong. */
static bool zadd_read_options(call *c, zadd_options *options)
{
    size_t i = 2;

    *options = (zadd_options){0};
    for (; i < c->argc; i++) {
        if (is_word(c, i, "NX")) {
            options->only_new = true;
        } else if (is_word(c, i, "XX")) {
            options->only_old = true;
        } else if (is_word(c, i, "CH")) {
            options->counts_changes = true;
        } else if (is_word(c, i, "GT") || is_word(c, i, "LT") || is_word(c, i, "INCR")) {
            redis_die("the option %s of ZADD is not implemented", c->argv[i]);
        } else {
            break;
        }
    }
    options->first = i;
    if (i == c->argc || (c->argc - i) % 2 != 0) {
        reply_error(c->out, SYNTAX);
        return false;
    }
    if (options->only_new && options->only_old) {
        reply_error(c->out, "ERR XX and NX options at the same time are not compatible");
        return false;
    }
    return true;
}

/* Enters a member, as far as the options let it. Returns 1 if that counts, else 0. */
static int64_t zadd_member(const call *c, const zadd_options *options, value *v, size_t i)
{
    const member *m = sorted_set_get(&v->sorted_set, c->argv[i + 1], c->len[i + 1]);
    double score = 0;
    bool is_new = m == NULL, changes;

    to_double(c->argv[i], c->len[i], &score);
    score += 0.0; /* small sets have no -0 in Redis */
    changes = is_new ? !options->only_old : !options->only_new && m->score != score;
    if (changes) {
        sorted_set_put(&v->sorted_set, c->argv[i + 1], c->len[i + 1], score);
    }
    return changes && (is_new || options->counts_changes);
}

/* All scores are read before anything is changed. */
static void run_zadd(call *c)
{
    zadd_options options;
    int64_t count = 0;
    double score;
    value *v;

    if (!zadd_read_options(c, &options)) {
        return;
    }
    for (size_t i = options.first; i < c->argc; i += 2) {
        if (!to_double(c->argv[i], c->len[i], &score)) {
            reply_error(c->out, "ERR value is not a valid float");
            return;
        }
    }
    if (!key_find(c, TYPE_SORTED_SET, &v)) {
        return;
    }
    if (v == NULL && !options.only_old) {
        v = key_create(c, 1, TYPE_SORTED_SET);
    }
    for (size_t i = options.first; i < c->argc && v != NULL; i += 2) {
        count += zadd_member(c, &options, v, i);
    }
    reply_number(c->out, count);
}

/* A sorted set that is empty is gone. */
static void run_zrem(call *c)
{
    int64_t removed = 0;
    value *v;

    if (!key_find(c, TYPE_SORTED_SET, &v)) {
        return;
    }
    for (size_t i = 2; i < c->argc && v != NULL; i++) {
        removed += sorted_set_remove(&v->sorted_set, c->argv[i], c->len[i]);
    }
    if (v != NULL && v->sorted_set.members.count == 0) {
        key_delete(c, 1);
    }
    reply_number(c->out, removed);
}

static void run_zcard(call *c)
{
    value *v;

    if (key_find(c, TYPE_SORTED_SET, &v)) {
        reply_number(c->out, v != NULL ? (int64_t)v->sorted_set.members.count : 0);
    }
}

static void reply_score(call *c, const value *v, size_t i)
{
    const member *m = v != NULL ? sorted_set_get(&v->sorted_set, c->argv[i], c->len[i]) : NULL;

    if (m == NULL) {
        reply_nil(c->out);
    } else {
        reply_double(c->out, m->score);
    }
}

static void run_zscore(call *c)
{
    value *v;

    if (key_find(c, TYPE_SORTED_SET, &v)) {
        reply_score(c, v, 2);
    }
}

static void run_zmscore(call *c)
{
    value *v;

    if (!key_find(c, TYPE_SORTED_SET, &v)) {
        return;
    }
    reply_array(c->out, c->argc - 2);
    for (size_t i = 2; i < c->argc; i++) {
        reply_score(c, v, i);
    }
}

/* Answers with `count` members from the `first` on. */
static void reply_members(call *c, const value *v, size_t first, size_t count, bool with_scores)
{
    reply_array(c->out, with_scores ? 2 * count : count);
    for (size_t i = 0; i < count; i++) {
        const member *m = v->sorted_set.by_score[first + i];
        reply_blob(c->out, m->name);
        if (with_scores) {
            reply_double(c->out, m->score);
        }
    }
}

/* By rank only. */
static void run_zrange(call *c)
{
    bool with_scores = false;
    int64_t from, to;
    size_t first, count;
    value *v;

    for (size_t i = 4; i < c->argc; i++) {
        if (is_word(c, i, "BYSCORE") || is_word(c, i, "BYLEX") || is_word(c, i, "REV") || is_word(c, i, "LIMIT")) {
            redis_die("the option %s of ZRANGE is not implemented", c->argv[i]);
        }
        if (!is_word(c, i, "WITHSCORES")) {
            reply_error(c->out, SYNTAX);
            return;
        }
        with_scores = true;
    }
    if (!read_integer(c, 2, &from) || !read_integer(c, 3, &to) || !key_find(c, TYPE_SORTED_SET, &v)) {
        return;
    }
    to_range(from, to, v != NULL ? v->sorted_set.members.count : 0, &first, &count);
    reply_members(c, v, first, count, with_scores);
}

/* Finds the members in a range: which one is the first, and how many there are. */
static size_t range_find(const value *v, bound min, bound max, size_t *first)
{
    size_t end;

    if (v == NULL) {
        return *first = 0;
    }
    *first = sorted_set_below(&v->sorted_set, min);
    end = sorted_set_up_to(&v->sorted_set, max);
    return end > *first ? end - *first : 0;
}

/* Reads the options of ZRANGEBYSCORE. Answers with an error and returns false if they are wrong. */
static bool range_read_options(call *c, bool *with_scores, int64_t *offset, int64_t *limit)
{
    for (size_t i = 4; i < c->argc; i++) {
        if (is_word(c, i, "WITHSCORES")) {
            *with_scores = true;
        } else if (is_word(c, i, "LIMIT") && i + 2 < c->argc) {
            if (!read_integer(c, i + 1, offset) || !read_integer(c, i + 2, limit)) {
                return false;
            }
            i += 2;
        } else {
            reply_error(c->out, SYNTAX);
            return false;
        }
    }
    return true;
}

/* A negative offset leaves nothing, a negative limit is none. */
static void run_zrangebyscore(call *c)
{
    bool with_scores = false;
    int64_t offset = 0, limit = -1;
    size_t first, count;
    bound min, max;
    value *v;

    if (!range_read_options(c, &with_scores, &offset, &limit) || !read_bounds(c, 2, &min, &max) ||
        !key_find(c, TYPE_SORTED_SET, &v)) {
        return;
    }
    count = range_find(v, min, max, &first);
    if (offset < 0 || (uint64_t)offset > count) {
        offset = (int64_t)count;
    }
    first += (size_t)offset;
    count -= (size_t)offset;
    count = limit >= 0 && (uint64_t)limit < count ? (size_t)limit : count;
    reply_members(c, v, first, count, with_scores);
}

static void run_zcount(call *c)
{
    size_t first;
    bound min, max;
    value *v;

    if (read_bounds(c, 2, &min, &max) && key_find(c, TYPE_SORTED_SET, &v)) {
        reply_number(c->out, (int64_t)range_find(v, min, max, &first));
    }
}

/* The last of the members goes first, so that the others keep their places. */
static void run_zremrangebyscore(call *c)
{
    size_t first, count;
    bound min, max;
    value *v;

    if (!read_bounds(c, 2, &min, &max) || !key_find(c, TYPE_SORTED_SET, &v)) {
        return;
    }
    count = range_find(v, min, max, &first);
    for (size_t i = count; i-- > 0;) {
        blob *name = v->sorted_set.by_score[first + i]->name;
        sorted_set_remove(&v->sorted_set, name->at, name->len);
    }
    if (v != NULL && v->sorted_set.members.count == 0) {
        key_delete(c, 1);
    }
    reply_number(c->out, (int64_t)count);
}

/* ---- connections ---- */

static void run_ping(call *c)
{
    if (c->argc > 2) {
        reply_error(c->out, "ERR wrong number of arguments for 'ping' command");
    } else if (c->argc == 2) {
        reply_bytes(c->out, c->argv[1], c->len[1]);
    } else {
        reply_status(c->out, "PONG");
    }
}

/* There is one user, 'default'. Without a password it may log in with any. */
static void run_auth(call *c)
{
    const char *password = c->server->password, *given = c->argv[c->argc - 1];

    if (c->argc > 3) {
        reply_error(c->out, SYNTAX);
    } else if (c->argc == 2 && password == NULL) {
        reply_error(c->out, "ERR AUTH <password> called without any password configured for the default user. Are you "
                            "sure your configuration is correct?");
    } else if ((c->argc == 3 && strcmp(c->argv[1], "default") != 0) ||
               (password != NULL &&
                (strlen(password) != c->len[c->argc - 1] || memcmp(password, given, strlen(password)) != 0))) {
        reply_error(c->out, "WRONGPASS invalid username-password pair or user is disabled.");
    } else {
        c->link->is_logged_in = true;
        reply_status(c->out, "OK");
    }
}

/* Redis words it differently when a number is too large for an int. */
static void run_select(call *c)
{
    int64_t index;

    if (c->server->in_script) {
        redis_die("SELECT in a script is not implemented");
    }
    if (!read_integer(c, 1, &index)) {
        return;
    }
    if (index < INT_MIN || index > INT_MAX) {
        reply_error(c->out, "ERR value is out of range, value must between %d and %d", INT_MIN, INT_MAX);
        return;
    }
    if (c->server->cluster != NULL && index != 0) {
        reply_error(c->out, "ERR SELECT is not allowed in cluster mode");
        return;
    }
    if (index < 0 || index >= DATABASES) {
        reply_error(c->out, "ERR DB index is out of range");
        return;
    }
    c->link->db = &c->server->databases[index];
    reply_status(c->out, "OK");
}

/* ROLE of a master has no list of replicas here, and that of a replica is never connected: nobody reads either. */
static void run_role(call *c)
{
    const redis *server = c->server;

    if (server->view != NULL) {
        reply_array(c->out, 2);
        reply_text(c->out, "sentinel");
        reply_array(c->out, 1);
        reply_text(c->out, server->view->name);
    } else if (server->is_read_only) {
        reply_array(c->out, 5);
        reply_text(c->out, "slave");
        reply_text(c->out, server->master_host);
        reply_number(c->out, server->master_port);
        reply_text(c->out, "connect");
        reply_number(c->out, -1);
    } else {
        reply_array(c->out, 3);
        reply_text(c->out, "master");
        reply_number(c->out, 0);
        reply_array(c->out, 0);
    }
}

/* ---- sentinels ---- */

static void reply_pair(call *c, const char *field, const char *text)
{
    reply_text(c->out, field);
    reply_text(c->out, text);
}

static void reply_counted(call *c, const char *field, int64_t number)
{
    char text[NUMBER_ROOM];

    write_integer(text, number);
    reply_pair(c, field, text);
}

/* The fields of SENTINEL MASTER, in the order in which Redis 7.0 has them. */
static void reply_view(call *c, const redis_view *view)
{
    static const char *const times[] = {"last-ping-sent", "last-ok-ping-reply", "last-ping-reply"};

    reply_array(c->out, 40);
    reply_pair(c, "name", view->name);
    reply_pair(c, "ip", view->host);
    reply_counted(c, "port", view->port);
    reply_pair(c, "runid", "0000000000000000000000000000000000000000");
    reply_pair(c, "flags", "master");
    reply_counted(c, "link-pending-commands", 0);
    reply_counted(c, "link-refcount", 1);
    for (size_t i = 0; i < sizeof(times) / sizeof(*times); i++) {
        reply_counted(c, times[i], 0);
    }
    reply_counted(c, "down-after-milliseconds", 30000);
    reply_counted(c, "info-refresh", 0);
    reply_pair(c, "role-reported", "master");
    reply_counted(c, "role-reported-time", 0);
    reply_counted(c, "config-epoch", view->epoch);
    reply_counted(c, "num-slaves", view->replicas);
    reply_counted(c, "num-other-sentinels", view->others);
    reply_counted(c, "quorum", view->others / 2 + 1);
    reply_counted(c, "failover-timeout", 180000);
    reply_counted(c, "parallel-syncs", 1);
}

/* SENTINEL MASTER and SENTINEL GET-MASTER-ADDR-BY-NAME. */
static void run_sentinel(call *c)
{
    const redis_view *view = c->server->view;
    bool is_known = c->argc == 3 && strcmp(c->argv[2], view->name) == 0;
    char port[NUMBER_ROOM];

    if (c->argc != 3) {
        redis_die("SENTINEL %s with %zu words is not implemented", c->argv[1], c->argc);
    }
    if (is_word(c, 1, "master") && is_known) {
        reply_view(c, view);
    } else if (is_word(c, 1, "master")) {
        reply_error(c->out, "ERR No such master with that name");
    } else if (!is_word(c, 1, "get-master-addr-by-name")) {
        redis_die("SENTINEL %s is not implemented", c->argv[1]);
    } else if (is_known) {
        reply_array(c->out, 2);
        reply_text(c->out, view->host);
        reply_bytes(c->out, port, write_integer(port, view->port));
    } else {
        reply_nil_array(c->out);
    }
}

/* Reads the timeout of WAIT, in ms. Answers with an error and returns false if it is none. */
static bool read_wait_timeout(call *c, int64_t *until)
{
    int64_t ms;

    if (!to_integer(c->argv[2], c->len[2], &ms)) {
        reply_error(c->out, "ERR timeout is not an integer or out of range");
        return false;
    }
    if (ms < 0) {
        reply_error(c->out, "ERR timeout is negative");
        return false;
    }
    if (ms > 0 && __builtin_add_overflow(ms, server_ms(c->server), until)) {
        reply_error(c->out, "ERR timeout is out of range");
        return false;
    }
    if (ms == 0) {
        *until = NEVER;
    }
    return true;
}

/* Answers with how many replicas have acknowledged what this client has written, or blocks it until so many have. */
static void run_wait(call *c)
{
    int64_t count, until;

    if (c->server->is_read_only) {
        reply_error(c->out,
                    "ERR WAIT cannot be used with replica instances. Please also note that since Redis 4.0 if a "
                    "replica is configured to be writable (which is not the default) writes to replicas are "
                    "just local and are not propagated.");
        return;
    }
    if (!read_integer(c, 1, &count) || !read_wait_timeout(c, &until)) {
        return;
    }
    if (link_acknowledged(c->link) >= count) {
        reply_number(c->out, link_acknowledged(c->link));
        return;
    }
    link_block(c, until, count);
}

static void run_time(call *c)
{
    char text[NUMBER_ROOM];

    reply_array(c->out, 2);
    reply_bytes(c->out, text, write_integer(text, c->server->now / 1000000));
    reply_bytes(c->out, text, write_integer(text, c->server->now % 1000000));
}

/* ---- the table ---- */

#define WRITES  COMMAND_WRITES
#define STORES  (COMMAND_WRITES | COMMAND_NEEDS_MEMORY)
#define OUTSIDE COMMAND_NOT_IN_SCRIPTS
#define WATCHES COMMAND_OF_SENTINELS
#define KEYLESS COMMAND_NO_KEYS
#define SEVERAL COMMAND_MANY_KEYS

static const command commands[] = {
    {"asking", 1, KEYLESS, run_asking},
    {"auth", -2, COMMAND_WHILE_LOADING | COMMAND_BEFORE_LOGIN | OUTSIDE | WATCHES | KEYLESS, run_auth},
    {"blpop", -3, WRITES | OUTSIDE | SEVERAL, run_blpop},
    {"cluster", -2, COMMAND_WHILE_LOADING | OUTSIDE | KEYLESS, run_cluster},
    {"del", -2, WRITES | SEVERAL, run_del},
    {"eval", -3, OUTSIDE, run_eval},
    {"evalsha", -3, OUTSIDE, run_evalsha},
    {"exists", -2, SEVERAL, run_exists},
    {"expire", -3, WRITES, run_expire},
    {"flushall", -1, WRITES | KEYLESS, run_flushall},
    {"get", 2, 0, run_get},
    {"hdel", -3, WRITES, run_hdel},
    {"hget", 3, 0, run_hget},
    {"hlen", 2, 0, run_hlen},
    {"hmget", -3, 0, run_hmget},
    {"hset", -4, STORES, run_hset},
    {"incr", 2, STORES, run_incr},
    {"lindex", 3, 0, run_lindex},
    {"llen", 2, 0, run_llen},
    {"lpop", -2, WRITES, run_lpop},
    {"lpush", -3, STORES, run_lpush},
    {"lrange", 4, 0, run_lrange},
    {"persist", 2, WRITES, run_persist},
    {"pexpire", -3, WRITES, run_pexpire},
    {"pexpireat", -3, WRITES, run_pexpireat},
    {"ping", -1, WATCHES | KEYLESS, run_ping},
    {"pttl", 2, 0, run_pttl},
    {"role", 1, COMMAND_WHILE_LOADING | OUTSIDE | WATCHES | KEYLESS, run_role},
    {"rpush", -3, STORES, run_rpush},
    {"script", -2, OUTSIDE | KEYLESS, run_script},
    {"select", 2, COMMAND_WHILE_LOADING | KEYLESS, run_select},
    {"sentinel", -2, COMMAND_WHILE_LOADING | OUTSIDE | WATCHES | KEYLESS, run_sentinel},
    {"set", -3, STORES, run_set},
    {"time", 1, COMMAND_WHILE_LOADING | KEYLESS, run_time},
    {"ttl", 2, 0, run_ttl},
    {"type", 2, 0, run_type},
    {"wait", 3, OUTSIDE | KEYLESS, run_wait},
    {"zadd", -4, STORES, run_zadd},
    {"zcard", 2, 0, run_zcard},
    {"zcount", 4, 0, run_zcount},
    {"zmscore", -3, 0, run_zmscore},
    {"zrange", -4, 0, run_zrange},
    {"zrangebyscore", -4, 0, run_zrangebyscore},
    {"zrem", -3, WRITES, run_zrem},
    {"zremrangebyscore", 4, WRITES, run_zremrangebyscore},
    {"zscore", 3, 0, run_zscore},
};

#define COMMANDS (sizeof(commands) / sizeof(*commands))

_Static_assert(COMMANDS <= 64, "redis.denied has a bit for each command");

/* A binary search: the table is in order. */
const command *command_find(const char *name, size_t len)
{
    size_t low = 0, high = COMMANDS;

    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = strcasecmp(name, commands[middle].name);
        if (order == 0) {
            return strlen(commands[middle].name) == len ? &commands[middle] : NULL;
        }
        if (order < 0) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return NULL;
}

bool command_fits_arity(const command *command, size_t argc)
{
    return command->arity >= 0 ? argc == (size_t)command->arity : argc >= (size_t)-command->arity;
}

bool command_is_denied(const redis *server, const command *command)
{
    return server->denied >> (command - commands) & 1;
}

bool command_is_known(const redis *server, const command *command)
{
    return server->view != NULL ? command->flags & COMMAND_OF_SENTINELS : command->run != run_sentinel;
}

void redis_deny(redis *server, const char *name)
{
    const command *denied;

    if (name == NULL) {
        server->denied = 0;
        return;
    }
    denied = command_find(name, strlen(name));
    if (denied == NULL) {
        redis_die("the command %s, which is to be denied, is not implemented", name);
    }
    server->denied |= UINT64_C(1) << (denied - commands);
}

void command_run(const command *command, call *c)
{
    redis *server = c->server;

    server->commands_run++;
    server->was_written |= (command->flags & COMMAND_WRITES) != 0;
    command->run(c);
    if (server->observer != NULL && !c->link->is_blocked) {
        server->observer(server->observer_arg, c->link, c->argc, c->argv, c->len, server->in_script);
    }
}

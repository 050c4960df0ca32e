/* SPDX-License-Identifier: MIT
 *
 * redis_link: the simulated Redis as its driver sees it: see redis.h. Here are the server's life, its time and its
 * faults, and the connections: requests out of bytes, and clients that are blocked.
 */
#include "redis_server.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MAX_BULK         (512 * 1024 * 1024)
#define MAX_ARGS_UNKNOWN 10 /* of a request of a client that has not logged in */
#define MAX_BULK_UNKNOWN 16384
#define MAX_HEADER       (64 * 1024)

/* ---- the clients that wait: blocked ones, and those that are to go on ---- */

static void queue_add(redis_link *link, redis_link **first, redis_link **last)
{
    link->next_waiting = NULL;
    link->previous_waiting = *last;
    *(*last != NULL ? &(*last)->next_waiting : first) = link;
    *last = link;
}

static void queue_remove(redis_link *link, redis_link **first, redis_link **last)
{
    *(link->previous_waiting != NULL ? &link->previous_waiting->next_waiting : first) = link->next_waiting;
    *(link->next_waiting != NULL ? &link->next_waiting->previous_waiting : last) = link->previous_waiting;
    link->next_waiting = link->previous_waiting = NULL;
}

void link_block(call *c, int64_t until, int64_t awaited)
{
    redis_link *link = c->link;

    link->is_blocked = true;
    link->awaited = awaited;
    link->block_until = until;
    link->blocked_argc = c->argc;
    link->blocked_argv = redis_resize(NULL, c->argc * sizeof(*link->blocked_argv));
    for (size_t i = 0; i < c->argc; i++) {
        link->blocked_argv[i] = blob_new(c->argv[i], c->len[i]);
    }
    queue_add(link, &link->server->first_blocked, &link->server->last_blocked);
}

/* Forgets what blocks. */
static void link_unblock(redis_link *link)
{
    for (size_t i = 0; i < link->blocked_argc; i++) {
        free(link->blocked_argv[i]);
    }
    free(link->blocked_argv);
    link->blocked_argv = NULL;
    link->blocked_argc = 0;
    link->is_blocked = false;
    queue_remove(link, &link->server->first_blocked, &link->server->last_blocked);
}

/* Sends the reply that has been made, and lets a blocked client go on with the requests that wait behind its BLPOP. */
void link_end_block(redis_link *link)
{
    redis *server = link->server;

    link_unblock(link);
    link->is_resumed = true;
    queue_add(link, &server->first_resumed, &server->last_resumed);
    link->output(link->output_arg, server->reply.at, server->reply.len);
    server->reply.len = 0;
}

static bool link_waits_for(const redis_link *link, const ready_key *ready)
{
    for (size_t i = 1; link->awaited == 0 && link->db == ready->db && i + 1 < link->blocked_argc; i++) {
        const blob *key = link->blocked_argv[i];
        if (key->len == ready->key->len && memcmp(key->at, ready->key->at, key->len) == 0) {
            return true;
        }
    }
    return false;
}

/* Lists only matter that somebody is blocked on. A key stands in the line once. */
void server_key_ready(redis *server, database *db, const char *key, size_t len)
{
    if (server->first_blocked == NULL) {
        return;
    }
    for (size_t i = 0; i < server->ready_count; i++) {
        const ready_key *ready = &server->ready[i];
        if (ready->db == db && ready->key->len == len && memcmp(ready->key->at, key, len) == 0) {
            return;
        }
    }
    server->ready = redis_grow(server->ready, &server->ready_room, server->ready_count + 1, sizeof(*server->ready));
    server->ready[server->ready_count++] = (ready_key){db, blob_new(key, len)};
}

/* Tells the observer of a BLPOP that was served, or a WAIT that was answered. */
static void observe_served(redis_link *link)
{
    redis *server = link->server;
    const char *argv[link->blocked_argc];
    size_t len[link->blocked_argc];

    if (server->observer == NULL) {
        return;
    }
    for (size_t i = 0; i < link->blocked_argc; i++) {
        argv[i] = link->blocked_argv[i]->at;
        len[i] = link->blocked_argv[i]->len;
    }
    server->observer(server->observer_arg, link, link->blocked_argc, argv, len, false);
}

/* The list at the key; NULL: it is none. */
static list *list_at(database *db, const blob *key)
{
    value *v = map_get(&db->keys, key->at, key->len);

    return v != NULL && v->type == TYPE_LIST ? &v->list : NULL;
}

/* From which list is the client served, that waits for one which is ready? */
static const blob *key_to_serve(const redis_link *link, const ready_key *ready)
{
    for (size_t i = 1; link->server->own_key_order && i + 1 < link->blocked_argc; i++) {
        if (list_at(ready->db, link->blocked_argv[i]) != NULL) {
            return link->blocked_argv[i];
        }
    }
    return ready->key;
}

static void serve_link(redis_link *link, database *db, const blob *key)
{
    redis *server = link->server;
    list *from = list_at(db, key);
    blob *popped = list_pop(from, true);

    reply_array(&server->reply, 2);
    reply_bytes(&server->reply, key->at, key->len);
    reply_bytes(&server->reply, popped->at, popped->len);
    free(popped);
    if (from->count == 0) {
        value_free(map_remove(&db->keys, key->at, key->len));
    }
    observe_served(link);
    link_end_block(link);
}

/* Gives the elements of a list to the clients that are blocked on it, the one that was blocked first in front. */
static void serve_key(redis *server, const ready_key *ready)
{
    redis_link *next;

    for (redis_link *link = server->first_blocked; link != NULL; link = next) {
        next = link->next_waiting;
        if (list_at(ready->db, ready->key) == NULL) {
            return;
        }
        if (link_waits_for(link, ready)) {
            serve_link(link, ready->db, key_to_serve(link, ready));
        }
    }
}

/* Serves what a request has pushed. */
static void serve_ready(redis *server)
{
    for (size_t i = 0; i < server->ready_count; i++) {
        serve_key(server, &server->ready[i]);
        free(server->ready[i].key);
    }
    server->ready_count = 0;
}

/* ---- requests ---- */

static bool must_log_in(const redis_link *link)
{
    return link->server->password != NULL && !link->is_logged_in;
}

/* Returns why a command is refused before it runs, NULL if it is not. */
static const char *refusal(const redis_link *link, const command *command)
{
    const redis *server = link->server;

    if (server->is_full && !server->is_read_only && command->flags & COMMAND_NEEDS_MEMORY) {
        return "OOM command not allowed when used memory > 'maxmemory'.";
    }
    if (server->is_read_only && command->flags & COMMAND_WRITES) {
        return "READONLY You can't write against a read only replica.";
    }
    if (server->is_loading && !(command->flags & COMMAND_WHILE_LOADING)) {
        return "LOADING Redis is loading the dataset in memory";
    }
    return NULL;
}

/* Runs the request in link->argv or refuses it, sends the reply, and serves whom it has pushed to. */
static void run_request(redis_link *link, size_t argc)
{
    redis *server = link->server;
    call c = {server, link, link->db, argc, link->argv, link->argv_len, &server->reply};
    const command *command = command_find(c.argv[0], c.len[0]);

    if (command == NULL && server->view == NULL) {
        redis_die("the command %s is not implemented", c.argv[0]);
    }
    if (command == NULL || !command_is_known(server, command)) {
        reply_unknown(&c);
    } else if (!command_fits_arity(command, argc)) {
        reply_error(c.out, "ERR wrong number of arguments for '%s' command", command->name);
    } else if (must_log_in(link) && !(command->flags & COMMAND_BEFORE_LOGIN)) {
        reply_error(c.out, "NOAUTH Authentication required.");
    } else if (command_is_denied(server, command) && !(command->flags & COMMAND_BEFORE_LOGIN)) {
        reply_error(c.out, "NOPERM this user has no permissions to run the '%s' command", command->name);
    } else if (cluster_refuses(&c, command)) {
        /* it is answered */
    } else if (refusal(link, command) != NULL) {
        reply_error(c.out, "%s", refusal(link, command));
    } else {
        command_run(command, &c);
    }
    if (server->reply.len > 0) {
        link->output(link->output_arg, server->reply.at, server->reply.len);
        server->reply.len = 0;
    }
    link->is_asking = command != NULL && command->run == run_asking && link->is_asking;
    serve_ready(server);
    if (server->was_written) {
        link->offset = ++server->offset;
    }
    if (server->was_written && server->wrote != NULL) {
        server->wrote(server->wrote_arg);
    }
    server->was_written = false;
}

static void protocol_error(redis_link *link, const char *what)
{
    buffer *reply = &link->server->reply;

    reply_error(reply, "ERR Protocol error: %s", what);
    link->is_closed = true;
    link->output(link->output_arg, reply->at, reply->len);
    reply->len = 0;
}

typedef enum parse_result { PARSE_GOOD, PARSE_INCOMPLETE, PARSE_BROKEN } parse_result;

/* Reads the number of a header line at `*at`, behind its type, and moves `*at` behind the line. */
static parse_result parse_number(const redis_link *link, size_t *at, int64_t most, int64_t *number)
{
    const char *from = link->in.at + *at + 1, *end = link->in.at + link->in.len;
    const char *line_end = memchr(from, '\r', (size_t)(end - from));
    const char *p = from;
    bool is_negative;

    if (line_end == NULL || line_end + 1 == end) {
        return line_end == NULL && (size_t)(end - from) > MAX_HEADER ? PARSE_BROKEN : PARSE_INCOMPLETE;
    }
    *at = (size_t)(line_end + 2 - link->in.at);
    is_negative = *p == '-';
    p += is_negative;
    if (p == line_end || line_end - p > 10 || (*p == '0' && (is_negative || line_end - p > 1))) {
        return PARSE_BROKEN;
    }
    *number = 0;
    for (; p < line_end; p++) {
        if (!isdigit((unsigned char)*p)) {
            return PARSE_BROKEN;
        }
        *number = 10 * *number + (*p - '0');
    }
    *number = is_negative ? -*number : *number;
    return *number > most ? PARSE_BROKEN : PARSE_GOOD;
}

/* Reads an argument at `*at`, and moves `*at` behind it. Answers what is no argument with an error. */
static parse_result parse_argument(redis_link *link, size_t *at, const char **bytes, size_t *bytes_len)
{
    char unexpected[] = "expected '$', got ' '";
    parse_result result;
    int64_t len = 0;

    if (*at == link->in.len) {
        return PARSE_INCOMPLETE;
    }
    if (link->in.at[*at] != '$') {
        /* Redis notices this only once it has the line. */
        if (memchr(link->in.at + *at, '\r', link->in.len - *at) == NULL) {
            return PARSE_INCOMPLETE;
        }
        unexpected[sizeof(unexpected) - 3] = link->in.at[*at];
        protocol_error(link, unexpected);
        return PARSE_BROKEN;
    }
    result = parse_number(link, at, MAX_BULK, &len);
    if (result == PARSE_BROKEN || (result == PARSE_GOOD && len < 0)) {
        protocol_error(link, "invalid bulk length");
        return PARSE_BROKEN;
    }
    if (result == PARSE_GOOD && must_log_in(link) && len > MAX_BULK_UNKNOWN) {
        protocol_error(link, "unauthenticated bulk length");
        return PARSE_BROKEN;
    }
    if (result == PARSE_INCOMPLETE || link->in.len - *at < (size_t)len + 2) {
        return PARSE_INCOMPLETE;
    }
    *bytes = link->in.at + *at;
    *bytes_len = (size_t)len;
    *at += (size_t)len + 2;
    return PARSE_GOOD;
}

/* Reads a request at `*at` into link->argv, and moves `*at` behind it. Puts a NUL behind each argument, in place of the
 * line end, once all are there. */
static parse_result parse_request(redis_link *link, size_t *at, size_t *argc)
{
    size_t end = *at;
    int64_t count;
    parse_result result;

    if (link->in.at[end] != '*') {
        redis_die("a request that is no array is not implemented");
    }
    result = parse_number(link, &end, INT_MAX, &count);
    if (result == PARSE_BROKEN) {
        protocol_error(link, "invalid multibulk length");
    } else if (result == PARSE_GOOD && must_log_in(link) && count > MAX_ARGS_UNKNOWN) {
        protocol_error(link, "unauthenticated multibulk length");
        result = PARSE_BROKEN;
    }
    *argc = 0;
    while (result == PARSE_GOOD && (int64_t)*argc < count) {
        if (*argc == link->argv_room) {
            link->argv = redis_grow(link->argv, &link->argv_room, *argc + 1, sizeof(*link->argv));
            link->argv_len = redis_resize(link->argv_len, link->argv_room * sizeof(*link->argv_len));
        }
        result = parse_argument(link, &end, &link->argv[*argc], &link->argv_len[*argc]);
        *argc += result == PARSE_GOOD;
    }
    if (result == PARSE_GOOD) {
        *at = end;
        for (size_t i = 0; i < *argc; i++) {
            link->in.at[link->argv[i] - link->in.at + (ptrdiff_t)link->argv_len[i]] = '\0';
        }
    }
    return result;
}

/* Runs the requests that are there, until one blocks. */
static void run_requests(redis_link *link)
{
    size_t at = 0, argc;

    while (at < link->in.len && !link->is_blocked && !link->is_closed &&
           parse_request(link, &at, &argc) == PARSE_GOOD) {
        if (argc > 0) {
            run_request(link, argc);
        }
    }
    link->in.len -= at;
    memmove(link->in.at, link->in.at + at, link->in.len);
}

void redis_set_own_key_order(redis *server, bool on)
{
    server->own_key_order = on;
}

/* The clients that are no longer blocked go on, with what waits behind their BLPOPs. As in Redis they do so once the
 * requests are done that the serving client had sent. */
static void run_resumed(redis *server)
{
    redis_link *link;

    while ((link = server->first_resumed) != NULL) {
        queue_remove(link, &server->first_resumed, &server->last_resumed);
        link->is_resumed = false;
        if (link->in.len > 0) {
            run_requests(link);
        }
    }
}

void server_go_on(redis *server)
{
    serve_ready(server);
    run_resumed(server);
}

void redis_feed(redis_link *link, const char *bytes, size_t len)
{
    if (link->is_closed || len == 0) {
        return;
    }
    buffer_add(&link->in, bytes, len);
    if (!link->is_blocked) {
        run_requests(link);
        run_resumed(link->server);
    }
}

/* The link begins in the first database. */
redis_link *redis_accept(redis *server, redis_output *output, void *arg)
{
    redis_link *link = redis_resize(NULL, sizeof(*link));

    *link = (redis_link){.server = server,
                         .next = server->links,
                         .output = output,
                         .output_arg = arg,
                         .db = &server->databases[0],
                         .is_logged_in = server->password == NULL};
    if (server->links != NULL) {
        server->links->previous = link;
    }
    server->links = link;
    return link;
}

/* Takes the link out of all lists. */
void redis_disconnect(redis_link *link)
{
    redis *server = link->server;

    if (link->is_blocked) {
        link_unblock(link);
    }
    if (link->is_resumed) {
        queue_remove(link, &server->first_resumed, &server->last_resumed);
    }
    *(link->previous != NULL ? &link->previous->next : &server->links) = link->next;
    if (link->next != NULL) {
        link->next->previous = link->previous;
    }
    buffer_free(&link->in);
    free(link->argv);
    free(link->argv_len);
    free(link);
}

bool redis_is_closed(const redis_link *link)
{
    return link->is_closed;
}

bool redis_is_blocked(const redis_link *link)
{
    return link->is_blocked;
}

bool redis_awaits_replicas(const redis_link *link)
{
    return link->is_blocked && link->awaited > 0;
}

/* ---- time ---- */

/* Also finds out when the next key expires. */
void server_expire(redis *server)
{
    server->next_expiry = NEVER;
    for (size_t i = 0; i < DATABASES; i++) {
        map *keys = &server->databases[i].keys;
        for (size_t k = keys->count; k-- > 0;) {
            value *v = keys->at[k].value;
            if (v->expires < server_ms(server)) {
                value_free(map_remove(keys, keys->at[k].key->at, keys->at[k].key->len));
            } else if (v->expires < server->next_expiry) {
                server->next_expiry = v->expires;
            }
        }
    }
}

/* Returns the blocked client whose time is over first, NULL if no blocked client has a limit. */
static redis_link *first_to_time_out(const redis *server)
{
    redis_link *first = NULL;

    for (redis_link *link = server->first_blocked; link != NULL; link = link->next_waiting) {
        if (link->block_until < (first != NULL ? first->block_until : NEVER)) {
            first = link;
        }
    }
    return first;
}

int64_t redis_next_timeout(const redis *server)
{
    const redis_link *link = first_to_time_out(server);

    return link == NULL || link->block_until >= INT64_MAX / 1000 - 1 ? INT64_MAX : (link->block_until + 1) * 1000;
}

void redis_set_time(redis *server, int64_t now)
{
    redis_link *link;

    server->now = now;
    if (server->next_expiry < server_ms(server)) {
        server_expire(server);
    }
    while ((link = first_to_time_out(server)) != NULL && link->block_until < server_ms(server)) {
        if (link->awaited > 0) {
            reply_number(&server->reply, link_acknowledged(link));
        } else {
            reply_nil_array(&server->reply);
        }
        link_end_block(link);
    }
    run_resumed(server);
}

/* ---- faults ---- */

void redis_set_password(redis *server, const char *password)
{
    free(server->password);
    server->password = NULL;
    if (password != NULL) {
        server->password = redis_resize(NULL, strlen(password) + 1);
        strcpy(server->password, password);
    }
}

/* A server that becomes a replica answers the clients that are blocked, and closes their connections. */
void redis_follow(redis *server, const char *host, int port)
{
    server->is_read_only = host != NULL;
    snprintf(server->master_host, sizeof(server->master_host), "%s", host != NULL ? host : "");
    server->master_port = port;
    while (host != NULL && server->first_blocked != NULL) {
        redis_link *link = server->first_blocked;
        reply_error(&server->reply, "UNBLOCKED force unblock from blocking operation, instance state changed "
                                    "(master -> replica?)");
        link->is_closed = true;
        link_end_block(link);
    }
    run_resumed(server);
}

void redis_set_read_only(redis *server, bool on)
{
    redis_follow(server, on ? "127.0.0.1" : NULL, on ? 1 : 0);
}

bool redis_is_master(const redis *server)
{
    return !server->is_read_only;
}

void redis_watch(redis *server, const redis_view *view)
{
    server->view = view;
}

void redis_set_loading(redis *server, bool on)
{
    server->is_loading = on;
}

void redis_set_full(redis *server, bool on)
{
    server->is_full = on;
}

void redis_flush_scripts(redis *server)
{
    for (size_t i = 0; i < server->knows_room; i++) {
        server->knows[i] = 0;
    }
}

void redis_flush_all(redis *server)
{
    for (size_t i = 0; i < DATABASES; i++) {
        map_free(&server->databases[i].keys, value_free);
    }
    server->next_expiry = NEVER;
}

void redis_restart(redis *server, bool keeps_data)
{
    redis_flush_scripts(server);
    if (!keeps_data) {
        redis_flush_all(server);
    }
}

/* ---- replication ---- */

struct redis_data {
    map keys[DATABASES]; /* of value */
};

static void copy_keys(map to[DATABASES], const map *const from[DATABASES])
{
    for (size_t i = 0; i < DATABASES; i++) {
        for (size_t k = 0; k < from[i]->count; k++) {
            const map_entry *entry = &from[i]->at[k];
            *map_put(&to[i], entry->key->at, entry->key->len) = value_copy(entry->value);
        }
    }
}

redis_data *redis_copy_data(const redis *server)
{
    redis_data *data = redis_resize(NULL, sizeof(*data));
    const map *from[DATABASES];

    *data = (redis_data){0};
    for (size_t i = 0; i < DATABASES; i++) {
        from[i] = &server->databases[i].keys;
    }
    copy_keys(data->keys, from);
    return data;
}

void redis_free_data(redis_data *data)
{
    for (size_t i = 0; data != NULL && i < DATABASES; i++) {
        map_free(&data->keys[i], value_free);
    }
    free(data);
}

/* What was over when it was copied, or is by now, goes. */
void redis_take_data(redis *server, const redis_data *data)
{
    map to[DATABASES] = {0};
    const map *from[DATABASES];

    for (size_t i = 0; i < DATABASES; i++) {
        from[i] = &data->keys[i];
    }
    copy_keys(to, from);
    redis_flush_all(server);
    for (size_t i = 0; i < DATABASES; i++) {
        server->databases[i].keys = to[i];
    }
    server_expire(server);
}

void redis_set_replicas(redis *server, size_t count)
{
    server->replicas = count;
    for (size_t i = 0; i < count; i++) {
        server->acknowledged[i] = server->offset;
    }
}

uint64_t redis_offset(const redis *server)
{
    return server->offset;
}

int64_t link_acknowledged(const redis_link *link)
{
    const redis *server = link->server;
    int64_t count = 0;

    for (size_t i = 0; i < server->replicas; i++) {
        count += server->acknowledged[i] >= link->offset;
    }
    return count;
}

void redis_acknowledge(redis *server, size_t replica, uint64_t offset)
{
    redis_link *next;

    server->acknowledged[replica] = offset;
    for (redis_link *link = server->first_blocked; link != NULL; link = next) {
        next = link->next_waiting;
        if (link->awaited > 0 && link_acknowledged(link) >= link->awaited) {
            reply_number(&server->reply, link_acknowledged(link));
            observe_served(link);
            link_end_block(link);
        }
    }
    run_resumed(server);
}

void redis_on_write(redis *server, void (*wrote)(void *arg), void *arg)
{
    server->wrote = wrote;
    server->wrote_arg = arg;
}

/* ---- life, and a look inside ---- */

redis *redis_new(void)
{
    redis *server = redis_resize(NULL, sizeof(*server));

    *server = (redis){.next_expiry = NEVER};
    return server;
}

void redis_free(redis *server)
{
    while (server->links != NULL) {
        redis_disconnect(server->links);
    }
    redis_flush_all(server);
    buffer_free(&server->reply);
    buffer_free(&server->script_reply);
    free(server->ready);
    free(server->knows);
    free(server->password);
    free(server->cluster);
    free(server);
}

void redis_observe(redis *server, redis_observer *observer, void *arg)
{
    server->observer = observer;
    server->observer_arg = arg;
}

/* The databases come one after the other. */
void redis_visit(redis *server, redis_visitor *visit, void *arg)
{
    buffer dump = {0};

    for (size_t i = 0; i < DATABASES; i++) {
        const map *keys = &server->databases[i].keys;
        for (size_t k = 0; k < keys->count; k++) {
            const value *v = keys->at[k].value;
            const blob *key = keys->at[k].key;
            dump.len = 0;
            value_dump(v, &dump);
            visit(arg, key->at, key->len, value_type_name(v), dump.at != NULL ? dump.at : "", dump.len,
                  v->expires == NEVER ? -1 : v->expires - server_ms(server));
        }
    }
    buffer_free(&dump);
}

/* Finds the key in whichever database has it. */
static const value *find_anywhere(const redis *server, const char *key, size_t key_len)
{
    const value *found = NULL;

    for (size_t i = 0; i < DATABASES && found == NULL; i++) {
        const map *keys = &server->databases[i].keys;
        found = keys->count > 0 ? map_get(keys, key, key_len) : NULL;
    }
    return found;
}

const char *redis_string(redis *server, const char *key, size_t key_len, size_t *len)
{
    const value *v = find_anywhere(server, key, key_len);

    if (v == NULL || v->type != TYPE_STRING) {
        return NULL;
    }
    *len = v->string->len;
    return v->string->at;
}

bool redis_has_member(redis *server, const char *key, const char *member)
{
    const value *v = find_anywhere(server, key, strlen(key));

    return v != NULL && v->type == TYPE_SORTED_SET && sorted_set_get(&v->sorted_set, member, strlen(member)) != NULL;
}

bool redis_score(redis *server, const char *key, const char *member, double *score)
{
    if (!redis_has_member(server, key, member)) {
        return false;
    }
    *score = sorted_set_get(&find_anywhere(server, key, strlen(key))->sorted_set, member, strlen(member))->score;
    return true;
}

const char *redis_field(redis *server, const char *key, const char *field)
{
    const value *v = find_anywhere(server, key, strlen(key));
    const blob *found = v != NULL && v->type == TYPE_HASH ? map_get(&v->hash, field, strlen(field)) : NULL;

    return found != NULL ? found->at : NULL;
}

int64_t redis_ttl(redis *server, const char *key, size_t key_len)
{
    const value *v = find_anywhere(server, key, key_len);

    if (v == NULL) {
        return -2;
    }
    return v->expires == NEVER ? -1 : v->expires - server_ms(server);
}

size_t redis_count_keys(redis *server)
{
    size_t count = 0;

    for (size_t i = 0; i < DATABASES; i++) {
        count += server->databases[i].keys.count;
    }
    return count;
}

uint64_t redis_commands_run(const redis *server)
{
    return server->commands_run;
}

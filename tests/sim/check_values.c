/* SPDX-License-Identifier: MIT
 *
 * check_values: the properties of values that one client builds for all. See check.h.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "platform/platform.h"

#define MOST_BUILDS 256
#define END_LEN     15 /* characters in front of a value in the server: see lua/cache_store.lua */

/* A value that was built. */
typedef struct build {
    int64_t fresh;     /* µs */
    int64_t stored_at; /* true time at which the server got it; 0: it has not */
} build;

/* What the values are built from: each forget() follows a change of it. */
static struct {
    int64_t version[NAMES];   /* of the source */
    int64_t floor[NAMES];     /* the version at the last forget() that has ended well */
    int64_t stored_at[NAMES]; /* true time of the last store; 0: none, or forgotten since */
    int builds;
    build of[MOST_BUILDS];
    char in_server[NAMES][VALUE_ROOM + END_LEN]; /* what the server had when a command had run last; "": nothing */
    int64_t ends_at[NAMES];                      /* true time at which that ends by itself */
    bool is_lossy;                               /* a failover may have lost a forget() that has ended well */
    bool unblocked[NAMES];                       /* waiters may have been woken while one was not blocked yet */
} source;

void check_values_begin(void)
{
    memset(&source, 0, sizeof(source));
}

void check_source(int name, int64_t fresh, char text[VALUE_ROOM])
{
    int n = source.builds++ % MOST_BUILDS;

    tally.values_built++;
    source.of[n] = (build){fresh, 0};
    snprintf(text, VALUE_ROOM, "value %d of version %" PRId64 ", build %d", name, source.version[name], n);
}

int64_t check_forgetting(int name)
{
    source.stored_at[name] = 0;
    return ++source.version[name];
}

void check_forgotten(int name, int64_t version)
{
    if (version > source.floor[name]) {
        source.floor[name] = version;
    }
    source.stored_at[name] = 0;
}

int64_t check_value_floor(int name)
{
    return source.floor[name];
}

/* Could the client get this value, which was to be fresh, or to have been so until `stale` before? */
static void check_age(const sim_client *client, int name, const build *made, int64_t stale)
{
    int64_t life = made->fresh + stale;
    int64_t late = client->began - (made->stored_at + life + life / 100 + 5 * MSEC);

    if (made->stored_at != 0 && late > 0) {
        violated("stale", "client %d gets value %d, %" PRId64 " ms after that will do no more", client->process.index,
                 name, late / MSEC);
    }
}

void check_value_read(sim_client *client, int name, int64_t floor, int64_t stale, const cache_answer *answer)
{
    char copy[VALUE_ROOM];
    int of, n;
    int64_t version;

    snprintf(copy, sizeof(copy), "%.*s", (int)answer->value_len, answer->value);
    if (client->process.dead) {
        return;
    }
    if (sscanf(copy, "value %d of version %" SCNd64 ", build %d", &of, &version, &n) != 3 || of != name) {
        violated("mix-up", "client %d asks for value %d and gets '%s'", client->process.index, name, copy);
        return;
    }
    if (version < floor && client->asked_apart < client->began && !source.is_lossy) {
        violated("stale", "client %d gets version %" PRId64 " of value %d, and version %" PRId64 " was forgotten",
                 client->process.index, version, name, floor - 1);
    }
    check_age(client, name, &source.of[n], stale);
    tally.values_awaited += client->blocked != 0 || world.now > client->began + 5 * MSEC;
}

/* Reads what the server has whose value it is. Returns the true time at which that ends by itself. */
static int64_t read_value(int name, char out[VALUE_ROOM + END_LEN])
{
    char key[32];
    size_t len;
    size_t key_len = (size_t)snprintf(key, sizeof(key), "{%sv%c}:rl:value", PREFIX, 'A' + name);
    const sim_server *server = net_home(key, key_len);
    const char *value = redis_string(server->redis, key, key_len, &len);

    snprintf(out, VALUE_ROOM + END_LEN, "%.*s", value != NULL ? (int)len : 0, value != NULL ? value : "");
    return world.now + clock_true_span(&server->clock, redis_ttl(server->redis, key, key_len) * MSEC);
}

/* Is an operation under way that waits for the value, or for the word that it is built? Both are woken through one list. */
static bool awaits(const sim_client *client, int name)
{
    const sim_op *op = client->op;

    return op != NULL && op->kind == OP_REMEMBER && op->name == name && !client->process.dead;
}

/* Is the client blocked at the server, so that a wake-up gets to it? */
static bool is_blocked(const sim_client *client)
{
    return client->blocked_on != NULL && socket_is_blocked(client->blocked_on);
}

/* A script has run for the value's lock, `by` this client, and may have woken the waiters. One that had asked, and was not
 * blocked yet, may block when its wake-up is gone, and take that of another one: see FIRST in lua/cache_fetch.lua. */
static void note_unblocked(const sim_client *by, int name)
{
    for (int i = 0; i < by->plan->clients; i++) {
        const sim_client *client = &sim_clients[i];
        source.unblocked[name] |= client != by && awaits(client, name) && !is_blocked(client);
    }
}

/* The value was stored `by` this client: whoever is blocked for it is woken. */
static void note_woken(const sim_client *by, int name)
{
    for (int i = 0; by != NULL && i < by->plan->clients; i++) {
        sim_client *client = &sim_clients[i];
        if (client != by && awaits(client, name) && is_blocked(client) && !source.unblocked[name] &&
            client->woken_at == 0) {
            client->woken_at = world.now;
        }
    }
}

/* Is this the lock of the value? */
static bool is_lock_of(const char *key, int name)
{
    char lock[32];

    snprintf(lock, sizeof(lock), "%sv%c", PREFIX, 'A' + name);
    return strcmp(key, lock) == 0;
}

/* The value is another one than before, or is gone. If it is to be gone only if it is a certain one, it was that. */
static void check_value_changed(int name, const char *before, const char *now, const sim_client *by,
                                const rl_script *script, const char *only)
{
    int n;

    if (now[0] != '\0' && sscanf(now + END_LEN, "value %*d of version %*d, build %d", &n) == 1) {
        source.of[n].stored_at = world.now;
        note_woken(by, name);
    } else if (now[0] == '\0' && script == &rl_script_cache_forget && only[0] != '\0' &&
               world.now + 2 * MSEC < source.ends_at[name]) {
        if (strcmp(before + END_LEN, only) != 0) {
            violated("forgotten", "'%s' was to be forgotten, and '%s' is", only, before + END_LEN);
        }
        source.stored_at[name] = 0;
    }
}

/* The argument of cache_forget.lua that says which value is to be forgotten stands behind a baton. */
void check_values_ran(const sim_server *server, const sim_client *by, const rl_script *script, size_t argc,
                      const char *const *argv)
{
    size_t at = script == &rl_script_cache_forget ? 3 + (size_t)atoi(argv[2]) + 1 : argc;
    const char *only = at < argc ? argv[at] : "";
    bool counts = net.masters > 0 ? !net_is_apart(server) : server == net_server(0);
    char now[VALUE_ROOM + END_LEN];

    for (int name = 0; name < NAMES && counts; name++) {
        if (by != NULL && script != NULL && script != &rl_script_cache_fetch && argc > 3 && is_lock_of(argv[3], name)) {
            note_unblocked(by, name);
        }
        int64_t ends_at = read_value(name, now);
        if (strcmp(source.in_server[name], now) != 0) {
            check_value_changed(name, source.in_server[name], now, by, script, only);
            memcpy(source.in_server[name], now, sizeof(now));
        }
        source.ends_at[name] = ends_at;
    }
}

void check_values_wiped(const sim_server *server)
{
    if (server == net_server(0)) {
        memset(source.in_server, 0, sizeof(source.in_server));
    }
}

/* A store or a forget() that has ended well may be lost. */
void check_values_promoted(bool has_all)
{
    char has[VALUE_ROOM + END_LEN];

    source.is_lossy |= !has_all;
    for (int name = 0; name < NAMES; name++) {
        source.ends_at[name] = read_value(name, has);
        if (strcmp(has, source.in_server[name]) != 0) {
            memcpy(source.in_server[name], has, sizeof(has));
            source.stored_at[name] = 0;
        }
    }
}

void check_value_stored(int name)
{
    source.stored_at[name] = world.now;
}

/* Does the server have a value that is fresh? */
static bool is_kept(int name)
{
    int n;

    return sscanf(source.in_server[name] + END_LEN, "value %*d of version %*d, build %d", &n) == 1 &&
           world.now < source.of[n].stored_at + source.of[n].fresh - 50 * MSEC;
}

/* Whoever was blocked for a value when it was stored gets it at once, or the word of it. */
void check_value_woken(const sim_client *client, int name)
{
    int64_t late = world.now - client->woken_at;

    if (client->woken_at != 0 && client->plan->is_clean && client->plan->latency <= 200 && late > ASLEEP_RELEASED) {
        violated("asleep", "client %d was blocked for value %d when it was stored, and goes on %" PRId64 " ms later",
                 client->process.index, name, late / MSEC);
    }
}

/* Nobody waits for long, or in vain, for a value that is there. */
void check_value_awaited(const sim_client *client, int name)
{
    int64_t from = source.stored_at[name], bound = client->plan->is_clean ? 2500 * MSEC : 13 * SEC;

    check_value_woken(client, name);
    if (from == 0 || client->op->timeout == 0 || client->process.dead || client->process.stopped_until > world.now) {
        return;
    }
    if (!is_kept(name)) {
        return;
    }
    from = platform_later(from, client->began);
    from = platform_later(from, world.end_of_faults);
    from = platform_later(from, client->process.stopped_until);
    if (world.now - from > bound) {
        violated("asleep", "client %d waits for value %d, which was stored %" PRId64 " ms ago", client->process.index,
                 name, (world.now - source.stored_at[name]) / MSEC);
    }
}

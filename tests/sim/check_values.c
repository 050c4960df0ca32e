/* SPDX-License-Identifier: MIT
 *
 * check_values: the properties of values that one client builds for all. See check.h.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "platform.h"

/* What the values are built from: each forget() follows a change of it. */
static struct {
    int64_t version[NAMES];   /* of the source */
    int64_t floor[NAMES];     /* the version at the last forget() that has ended well */
    int64_t stored_at[NAMES]; /* true time of the last store; 0: none, or forgotten since */
} source;

void check_values_begin(void)
{
    memset(&source, 0, sizeof(source));
}

void check_source(int name, char text[64])
{
    tally.values_built++;
    snprintf(text, 64, "value %d of version %" PRId64, name, source.version[name]);
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

void check_value_read(sim_client *client, int name, int64_t floor, const char *text, size_t len)
{
    char copy[64];
    int of;
    int64_t version;

    snprintf(copy, sizeof(copy), "%.*s", (int)len, text);
    if (client->process.dead) {
        return;
    }
    if (sscanf(copy, "value %d of version %" SCNd64, &of, &version) != 2 || of != name) {
        violated("mix-up", "client %d asks for value %d and gets '%s'", client->process.index, name, copy);
    } else if (version < floor) {
        violated("stale", "client %d gets version %" PRId64 " of value %d, and version %" PRId64 " was forgotten",
                 client->process.index, version, name, floor - 1);
    }
    tally.values_awaited += client->blocked != 0 || world.now > client->began + 5 * MSEC;
}

void check_value_stored(int name)
{
    source.stored_at[name] = world.now;
}

/* Nobody waits in vain for a value that is there. */
void check_value_missed(sim_client *client, int name)
{
    int64_t from = source.stored_at[name], bound = client->plan->is_clean ? 2500 * MSEC : 13 * SEC;

    if (from == 0 || client->op->timeout == 0 || client->process.dead || client->process.stopped_until > world.now) {
        return;
    }
    from = platform_later(from, client->began);
    from = platform_later(from, world.end_of_faults);
    from = platform_later(from, client->process.stopped_until);
    if (world.now - from > bound) {
        violated("asleep", "client %d gets no value %d, which was stored %" PRId64 " ms ago", client->process.index,
                 name, (world.now - source.stored_at[name]) / MSEC);
    }
}

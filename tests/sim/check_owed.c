/* SPDX-License-Identifier: MIT
 *
 * check_owed: checks that a release stays in the backlog for as long as the server may keep the lock. What is put there is
 * seen on its way; the linker puts the function at the end of this file there (--wrap).
 */
#include "check.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "platform/platform.h"

/* The client's number of this server. */
static int number_of(sim_client *client, const rl_backlog_server *server)
{
    int i = 0;

    for (;; i++) {
        rl_backlog_server *at = rl_backlog_join(&client->backlog, &client->endpoints[i]);
        rl_backlog_leave(at);
        if (at == server) {
            return i;
        }
    }
}

/* The lock that the release is about. */
static int lock_of(const rl_request *release)
{
    int lock = 0;

    while (strlen(lock_text(lock)) != release->argv[0].len - strlen(PREFIX) ||
           memcmp(lock_text(lock), release->argv[0].at + strlen(PREFIX), strlen(lock_text(lock))) != 0) {
        lock++;
    }
    return lock;
}

/* A release is owed for as long as the server keeps the lock by what it has run so far. An extension that is still under way
 * may keep it for longer. So may a request that came late while the process was stopped, behind its look at the clock. */
static void check_until(const sim_client *client, sim_server *server, const rl_request *release, int64_t until)
{
    int64_t now = clock_at(&client->process.clock, world.now), owed = until;
    int lock = lock_of(release);
    char token[TOKEN_ROOM];

    snprintf(token, sizeof(token), "%.*s", (int)release->argv[release->keys].len, release->argv[release->keys].at);
    if (until != PLATFORM_NEVER) {
        owed = clock_true_span(&client->process.clock, platform_later(until - now, 0)) +
               process_just_idled(&client->process);
    }
    int64_t keeps = check_kept_for(client, server, lock, token);
    if (owed < keeps) {
        violated("owed",
                 "client %d owes the release of %s on server %d for %" PRId64 " µs, and %s is kept there for %" PRId64,
                 client->process.index, lock_text(lock), server->index, owed, token, keeps);
    }
}

void __wrap_rl_backlog_add(rl_backlog_server *server, const rl_request *request, const rl_backlog_terms *terms,
                           rl_call *carrier);
void __real_rl_backlog_add(rl_backlog_server *server, const rl_request *request, const rl_backlog_terms *terms,
                           rl_call *carrier);

void __wrap_rl_backlog_add(rl_backlog_server *server, const rl_request *request, const rl_backlog_terms *terms,
                           rl_call *carrier)
{
    sim_process *process = world_process();

    if (!process->dead && carrier == NULL) {
        sim_client *client = process->self;
        rl_bytes key = request->argv[0];
        sim_server *at = net.server_count > 1 ? net_server(number_of(client, server)) : net_home(key.at, key.len);
        server_catch_up(at);
        check_until(client, at, request, terms->until);
        tally.owed++;
    }
    __real_rl_backlog_add(server, request, terms, carrier);
}

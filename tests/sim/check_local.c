/* SPDX-License-Identifier: MIT
 *
 * check_local: see check.h. This file checks those that pass locks on to each other on their machine: their order, and what
 * they leave in the memory that they share.
 */
#include <inttypes.h>

#include "check.h"
#include "lock/local/status.h"
#include "lock/local/succession.h"
#include "machine.h"

/* ---- order ---- */

/* By how much a BLPOP ends before its deadline (RL_BLOCK_MARGIN), with a round trip; and by how much two clocks drift apart. */
#define ENDS_EARLY   (4 * MSEC)
#define DRIFTS(span) ((span) / 1000 * 6)

/* Is its time nearly over? Whoever stands in Redis' line has its place there as long as its BLPOP blocks, which Redis ends by
 * its own clock: if that is too fast, it blocks anew then, behind the others. */
static bool is_on_its_way_out(const sim_client *client)
{
    int64_t timeout = client->op->timeout;
    int64_t left = client->began + clock_true_span(&client->process.clock, timeout) - world.now;

    return left <= ENDS_EARLY + (client->blocked != 0 ? DRIFTS(timeout) : 0);
}

/* If nothing goes wrong, those of a machine get a lock in the order in which they came to its line; of two that come at
 * once, any may be the first. */
void check_order_in_line(const sim_client *client)
{
    const sim_plan *plan = client->plan;

    for (int i = 0; i < plan->clients && plan->is_clean && client->lined_up != 0; i++) {
        const sim_client *other = &sim_clients[i];
        if (other != client && other->line == client->line && client_asks_for(other, op_lock(client->op)) &&
            other->lined_up != 0 && other->lined_up + MSEC < client->lined_up &&
            !other->held[op_lock(other->op)].there && !is_on_its_way_out(other)) {
            violated("order in line",
                     "client %d gets %s before client %d, which came first to the line of their machine",
                     client->process.index, lock_text(op_lock(client->op)), i);
        }
    }
}

/* A line hears of those in that of Redis with the answer to the next renaming: within this time, if nothing goes wrong. */
#define HEARS_WITHIN (5 * MSEC)

/* If nothing goes wrong, one that stands in Redis' line is overtaken by those of another line only who have come to that before
 * it could be known there. */
static void check_overtaken(const sim_client *client)
{
    int lock = op_lock(client->op);

    for (int i = 0; i < client->plan->clients && client->plan->is_clean; i++) {
        const sim_client *other = &sim_clients[i];
        int64_t known_since = other->passed_since[client->line];
        if (other->line != client->line && client_asks_for(other, lock) && other->blocked != 0 && !other->is_served &&
            known_since != 0 && client->lined_up > known_since + HEARS_WITHIN && !is_on_its_way_out(other)) {
            violated("order", "client %d is passed %s, and client %d stands in Redis' line since before it came",
                     client->process.index, lock_text(lock), i);
        }
    }
}

/* ---- the line ---- */

lock_turn_verdict __wrap_lock_turn_enter(local_host *host, const lock_turn_terms *terms, lock_turn **turn,
                                         lock_turn_line *line, rl_error *error);
lock_turn_verdict __real_lock_turn_enter(local_host *host, const lock_turn_terms *terms, lock_turn **turn,
                                         lock_turn_line *line, rl_error *error);

/* What a lock was passed on from is known before whoever has it now believes in it. */
lock_turn_verdict __wrap_lock_turn_enter(local_host *host, const lock_turn_terms *terms, lock_turn **turn,
                                         lock_turn_line *line, rl_error *error)
{
    sim_client *client = world_process()->self;

    check_lines_up(client, terms->token);
    lock_turn_verdict verdict = __real_lock_turn_enter(host, terms, turn, line, error);
    client->waits_since = line->stood && *turn != NULL ? world.now : 0;
    if (verdict == LOCK_TURN_GRANTED && !client->process.dead && (*turn)->is_takeover) {
        tally.taken_over++;
        check_taken_over(client, (rl_bytes){(*turn)->from, (*turn)->from_len});
        tell("client %d takes %s over from one that was killed", client->process.index, lock_text(op_lock(client->op)));
    } else if (verdict == LOCK_TURN_GRANTED && !client->process.dead) {
        tally.passed++;
        tally.taken += (*turn)->heir_len > 0;
        check_overtaken(client);
        check_passed_on((rl_bytes){(*turn)->from, (*turn)->from_len}, terms->token);
        tell("client %d is granted %s by its machine%s", client->process.index, lock_text(op_lock(client->op)),
             (*turn)->heir_len > 0 ? ", in place of another" : "");
    }
    return verdict;
}

bool __wrap_lock_turn_pass(lock_turn *turn, const lock_turn_offer *offer, lock_turn_heir *heir);
bool __real_lock_turn_pass(lock_turn *turn, const lock_turn_offer *offer, lock_turn_heir *heir);

/* To whom a lock was passed on is known also if that one was killed, and never finds out. What is called by a process that was
 * killed comes to nothing. */
bool __wrap_lock_turn_pass(lock_turn *turn, const lock_turn_offer *offer, lock_turn_heir *heir)
{
    bool passed = __real_lock_turn_pass(turn, offer, heir);

    if (passed && !world_process()->dead) {
        check_passed_on(offer->token, (rl_bytes){heir->token, heir->token_len});
    }
    return passed;
}

/* ---- outages ---- */

#define GOES_ON  (10 * SEC)   /* for which a waiter asks again while the server is away, by its own clock */
#define TOGETHER (50 * MSEC)  /* within which those in line hear that their head has failed */
#define PAUSES   (200 * MSEC) /* between two tries */

/* Is the only thing that goes wrong that the server is away? */
static bool is_only_an_outage(const sim_plan *plan)
{
    return plan->machines > 0 &&
           (plan->only == FAULT_RESTART || plan->only == FAULT_ISOLATE || plan->only == FAULT_STOP_SERVER);
}

/* Has another one of its line just failed, for all that stand there? */
static bool fails_with_another(const sim_client *client)
{
    for (int i = 0; i < client->plan->clients; i++) {
        const sim_client *other = &sim_clients[i];
        if (other != client && other->line == client->line && other->failed_at != 0 &&
            world.now - other->failed_at <= TOGETHER) {
            return true;
        }
    }
    return false;
}

/* One that asks for its line, and has waited, goes on for as long as any waiter, and so do those behind it: one that has not
 * may fail at once, or go on for longer. */
void check_fails_with_its_line(sim_client *client)
{
    int64_t in_vain = world.now - platform_later(client->waits_since, client->process.heard_at);

    if (!is_only_an_outage(client->plan) || client->op->kind != OP_LOCK) {
        return;
    }
    if (client->waits_since != 0 && in_vain < GOES_ON - DRIFTS(GOES_ON) && !fails_with_another(client)) {
        violated("gives up", "client %d has asked for %s in vain for %" PRId64 " ms, and fails", client->process.index,
                 lock_text(op_lock(client->op)), in_vain / MSEC);
    }
    client->failed_at = world.now;
    for (int i = 0; i < client->plan->clients; i++) {
        sim_client *other = &sim_clients[i];
        if (other != client && other->line == client->line && client_asks_for(other, op_lock(client->op)) &&
            other->lined_up != 0 && other->lined_up < world.now && other->ends_by == 0) {
            other->ends_by = world.now + TOGETHER;
        }
    }
}

/* Nobody goes on alone whose line has failed; nor for longer than a waiter does, once it has waited: what it has tried by then
 * may take its time. */
void check_goes_on_for_long(const sim_client *client)
{
    const rl_target *target = &client->lock.target;
    const sim_server *server = net_server(0);

    if (!is_only_an_outage(client->plan) || client->op->kind != OP_LOCK) {
        return;
    }
    if (client->ends_by != 0 && world.now > client->ends_by) {
        violated("together", "client %d goes on for %" PRId64 " ms, and another one of its line has failed",
                 client->process.index, (world.now - client->ends_by + TOGETHER) / MSEC);
    }
    int64_t from = platform_later(server->away_since, client->waits_since);
    int64_t until = from + GOES_ON + DRIFTS(GOES_ON) + PAUSES + target->connect_timeout + target->read_timeout;
    if (client->waits_since != 0 && platform_earlier(world.now, server->away_until) > until) {
        violated("together", "client %d has gone on for %" PRId64 " ms, and the server was away", client->process.index,
                 (platform_earlier(world.now, server->away_until) - from) / MSEC);
    }
}

/* ---- takeovers ---- */

#define TAKEN_OVER  (50 * MSEC) /* within which the first in line has the lock of a holder that was killed */
#define LOOKS_OFTEN SEC         /* for which it has been the first, so that it looks often */

/* Do all of the machine take over from each other, and is the only thing that goes wrong that they are killed? */
static bool is_only_deaths(const sim_plan *plan)
{
    return plan->machines == 1 && plan->only == FAULT_KILL_CLIENT && plan->takers == (1 << plan->clients) - 1;
}

/* Has another one of its line waited for the lock since then, and goes on? */
static bool has_successor(const sim_client *client, int lock, int64_t since)
{
    for (int i = 0; i < client->plan->clients; i++) {
        const sim_client *other = &sim_clients[i];
        if (other != client && other->line == client->line && !other->process.dead && client_asks_for(other, lock) &&
            other->lined_up != 0 && other->lined_up < since && !is_on_its_way_out(other) &&
            other->began + other->op->timeout > world.now + SEC) {
            return true;
        }
    }
    return false;
}

void check_orphaned(sim_client *client)
{
    int64_t since = world.now - LOOKS_OFTEN;

    for (int lock = 0; lock < LOCKS && is_only_deaths(client->plan); lock++) {
        const held_lock *held = &client->held[lock];
        int64_t held_for = clock_at(&client->process.clock, world.now) - held->lease.acquired_at;
        if (held->there && held->lease.turn != NULL && held_for > LOOKS_OFTEN && has_successor(client, lock, since) &&
            check_is_in_redis(lock, held->lease.token)) {
            orphan *one = &client->orphans[lock];
            snprintf(one->token, sizeof(one->token), "%s", held->lease.token);
            one->at = world.now;
        }
    }
}

void check_orphans(const sim_plan *plan)
{
    for (int i = 0; i < plan->clients && is_only_deaths(plan); i++) {
        for (int lock = 0; lock < LOCKS; lock++) {
            orphan *one = &sim_clients[i].orphans[lock];
            if (one->token[0] == '\0') {
                continue;
            }
            if (world.now > one->at + TAKEN_OVER) {
                violated("takeover", "client %d was killed %" PRId64 " ms ago, and nobody has taken %s over from it", i,
                         (world.now - one->at) / MSEC, lock_text(lock));
            }
            if (!check_is_in_redis(lock, one->token)) {
                one->token[0] = '\0';
            }
        }
    }
}

/* ---- the memory ---- */

/* May the entry be that of a process which was killed, and whose number another one has? That one frees what is left of it
 * as it joins, but does not see an entry that is claimed just then. It stays in use for as long as the other one lives. */
static bool may_be_of_the_dead(int machine, unsigned long long status)
{
    return machine_is_inherited(machine, local_process_of(status)) && local_state_of(status) != LOCAL_MINE &&
           local_state_of(status) != LOCAL_CLAIMED;
}

void check_has_left(const sim_client *client)
{
    int machine = client->process.machine;
    local_segment *segment = machine_segment(machine);

    for (unsigned i = 0; i < LOCAL_ENTRIES && !client->process.dead; i++) {
        unsigned long long status = atomic_load(&segment->entries[i].status);
        if (local_state_of(status) != LOCAL_FREE && local_state_of(status) != LOCAL_LEFT &&
            !may_be_of_the_dead(machine, status) &&
            machine_is_number_of(machine, local_process_of(status), client->process.pid)) {
            violated("left in line", "client %d has ended, and has an entry in the state %d", client->process.index,
                     (int)local_state_of(status));
        }
    }
}

/* A bit of a slot says who may wait there: it may stay behind when processes stand still at the wrong moment. */
static void check_machine_left(int machine, bool is_clean)
{
    local_segment *segment = machine_segment(machine);

    for (unsigned i = 0; i < LOCAL_ENTRIES; i++) {
        if (local_state_of(atomic_load(&segment->entries[i].status)) != LOCAL_FREE) {
            violated("left in line", "all have ended, and entry %u of machine %d is in the state %d", i, machine,
                     (int)local_state_of(atomic_load(&segment->entries[i].status)));
        }
    }
    for (unsigned i = 0; i < LOCAL_SLOTS; i++) {
        if (atomic_load(&segment->owners[i]) != 0) {
            violated("left in line", "all have ended, and slot %u of machine %d has an owner", i, machine);
        }
        for (unsigned w = 0; w < LOCAL_ENTRIES / 64 && is_clean; w++) {
            if (atomic_load(&segment->slots[i].waiting[w]) != 0) {
                violated("left in line", "all have ended, and somebody waits at slot %u of machine %d", i, machine);
            }
        }
    }
}

void check_machines_left(const sim_plan *plan)
{
    for (int i = 0; i < plan->clients; i++) {
        const sim_client *client = &sim_clients[i];
        if (client->process.dead || client->process.pid >= 1000) {
            return; /* what a killed process has, or a parent, stays there until somebody needs it */
        }
    }
    for (int machine = 1; machine <= plan->machines; machine++) {
        check_machine_left(machine, plan->is_clean);
    }
}

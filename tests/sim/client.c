/* SPDX-License-Identifier: MIT
 *
 * client: see client.h. What is done around the core is what src/php/ does: see lock(), unlock(), expire(), attach(),
 * remember() there.
 */
#include "client.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "group.h"
#include "lock/all.h"
#include "lock/keys.h"
#include "machine.h"
#include "notice.h"
#include "platform/platform.h"
#include "replicas.h"

#define FOREIGN_LEASE "400" /* ms */

sim_client sim_clients[MAX_CLIENTS];

int op_lock(const sim_op *op)
{
    return op->kind == OP_REMEMBER || op->kind == OP_FORGET ? op->name + NAMES : op->name;
}

bool client_asks_for(const sim_client *client, int lock)
{
    return client->op != NULL && client->op->kind == OP_LOCK && op_lock(client->op) == lock;
}

const char *lock_text(int lock)
{
    static const char *const texts[LOCKS] = {"A", "B", "C", "vA", "vB", "vC"};

    return texts[lock];
}

static rl_bytes bytes_of(const char *text)
{
    return (rl_bytes){text, strlen(text)};
}

static rl_bytes name_of(int lock)
{
    return bytes_of(lock_text(lock));
}

static rl_bytes queue_name(int name)
{
    static const char *const texts[NAMES] = {"qA", "qB", "qC"};

    return bytes_of(texts[name]);
}

static const char *outcome_text(lock_outcome outcome)
{
    static const char *const texts[] = {"yes", "busy", "not owned", "late", "failed", "interrupted"};

    return texts[outcome];
}

static void tell_outcome(sim_client *client, const char *outcome, const rl_error *error, bool failed)
{
    if (failed) {
        check_failed(client, error->text);
    }
    tell("client %d: %s %s: %s%s%s", client->process.index, op_names[client->op->kind], lock_text(op_lock(client->op)),
         outcome, failed ? ": " : "", failed ? error->text : "");
}

static void tell_lock_outcome(sim_client *client, lock_outcome outcome, const rl_error *error)
{
    tally.failures += outcome == LOCK_FAILED;
    tally.interrupted += outcome == LOCK_INTERRUPTED;
    tell_outcome(client, outcome_text(outcome), error, outcome == LOCK_FAILED);
}

/* ---- renewing: see src/php/redislock/hold.c ---- */

/* As lock_pass_look() does, which would note it. */
static void look_at_pass(lock_lease *lease)
{
    int64_t fence;
    local_answer answer = lock_turn_look(lease->turn, &fence);

    if (answer == LOCAL_YES) {
        lease->sent = lease->turn->sent;
        lease->duration = lease->turn->lease;
    } else if (answer == LOCAL_REFUSED) {
        lease->duration = 0;
    }
}

lock_lease held_lease(const held_lock *held)
{
    lock_lease lease = held->lease;

    if (held->renewal != NULL) {
        lock_renewal_read(held->renewal, &lease, 0); /* this is no look of the holder's, which would be told */
    }
    if (lock_pass_is_open(&lease)) {
        look_at_pass(&lease);
    }
    return lease;
}

/* The holder looks at what became of its lease. */
static void look_at_renewal(const sim_client *client, int lock, held_lock *held)
{
    if (held->renewal != NULL && !client->process.dead) {
        int64_t now = clock_at(&client->process.clock, world.now);
        lock_renewal_state state = lock_renewal_read(held->renewal, &held->lease, now);
        if (held->renews) {
            check_renewal_read(client, lock, held, state, now);
        }
    }
    if (held->there && !client->process.dead) {
        lock_pass_look(&held->lease);
    }
}

/* Lets the thread renew the lease, or watch it. */
static bool watch(sim_client *client, int lock, held_lock *held, rl_error *error)
{
    lock_renewal_terms terms = notice_terms(client, lock, held);

    if (held->renews) {
        check_renewal_begins(client, held);
    }
    held->renewal = held->renews
                        ? lock_renewal_begin(client->renewer, &client->lock, name_of(lock), &held->lease, &terms, error)
                        : lock_renewal_watch(client->renewer, &held->lease, &terms, error);
    return held->renewal != NULL;
}

static void watch_again(sim_client *client, int lock, held_lock *held)
{
    rl_error ignored;

    if (held->lease.duration != PLATFORM_NEVER && lock_lease_validity(&held->lease, platform_now()) > 0) {
        watch(client, lock, held, &ignored);
    }
}

/* Ends the renewing. Meanwhile the holder counts on what it has read last. */
static bool settle_by(sim_client *client, held_lock *held, int64_t until)
{
    lock_renewal *renewal = held->renewal;
    lock_lease lease;

    if (renewal == NULL) {
        return false;
    }
    notice_stop(held);
    lock_renewal_read(renewal, &held->lease, clock_at(&client->process.clock, world.now));
    held->renewal = NULL;
    lease = held->lease;
    lock_renewal_end(renewal, &client->extensions, &lease, until);
    held->lease = lease;
    notice_ended(client, held);
    if (held->renews) {
        check_renewal_ended(client, &lease, until);
    }
    return true;
}

static bool settle(sim_client *client, held_lock *held)
{
    return held->renewal != NULL && settle_by(client, held, platform_now() + ANSWER_TIME);
}

/* All renewing is stopped before any is settled. */
static void settle_all(sim_client *client)
{
    int64_t until = 0;

    for (int i = 0; i < LOCKS; i++) {
        if (client->held[i].renewal != NULL) {
            notice_stop(&client->held[i]);
            lock_renewal_stop(client->held[i].renewal);
            until = platform_now() + ANSWER_TIME;
        }
    }
    for (int i = 0; i < LOCKS; i++) {
        settle_by(client, &client->held[i], until);
    }
}

/* ---- the table of locks ---- */

static bool is_live(const held_lock *held)
{
    if (!held->there) {
        return false;
    }
    lock_lease lease = held_lease(held);
    return lock_lease_validity(&lease, platform_now()) > 0;
}

/* The true time until which the client may count on the lock; 0: it may not; -1: it has asked for its release before. */
static int64_t counts_until(const sim_client *client, const held_lock *held)
{
    int64_t left = held->there ? lock_lease_validity(&held->lease, clock_at(&client->process.clock, world.now)) : 0;

    if (held->there && held->lease.release_requested_at != 0) {
        return -1;
    }
    return left > 0 ? platform_after(world.now, clock_true_span(&client->process.clock, left)) : 0;
}

static void forget_lock(held_lock *held)
{
    if (held->there) {
        lock_lease_free(&held->lease);
        *held = (held_lock){0};
    }
}

static void put_lock(sim_client *client, int lock, const held_lock *held)
{
    held_lock before = client->held[lock];

    if (before.there) {
        check_token_given_up(before.lease.token);
    }
    client->held[lock] = *held;
    check_granted(client, lock, &client->held[lock].lease);
    settle(client, &before);
    forget_lock(&before);
}

/* Keeps a lock that was taken, and renews it if the operation says so. */
static void keep_lock(sim_client *client, const sim_op *op, int lock, lock_lease *lease)
{
    held_lock held = {.there = true, .lease = *lease};
    rl_error error;

    held.hold_until = op->max_hold > 0 ? lease->sent + op->max_hold : PLATFORM_NEVER;
    held.renews = op->renew;
    held.hears = op->hears;
    if ((op->renew || op->hears) && client->renewer != NULL && !watch(client, lock, &held, &error)) {
        check_not_renewable(client, lock, error.text);
        lock_release(&client->lock, name_of(lock), lease, lock_budget(&client->lock), &error);
        lock_lease_free(lease);
        return;
    }
    put_lock(client, lock, &held);
}

/* ---- forks and signals ---- */

/* From now on the process is the child. The parent lives on and believes in its leases, but does nothing any more. */
static void become_child(sim_client *client)
{
    tell("client %d forks, and is the child from now on", client->process.index);
    int64_t parent = client->process.pid;
    net_fork(&client->process);
    if (client->local != NULL) {
        int64_t until = world.now + chance_between(&world.chance, 0, 2 * SEC);
        machine_leave(&client->process, parent, until);
        check_gone(client, until);
    }
    check_forked();
    for (int i = 0; i < LOCKS; i++) {
        if (client->held[i].there) {
            forget_lock(&client->parents[i]);
            client->parents[i] = client->held[i];
            client->held[i] = (held_lock){0};
        }
    }
    memset(client->tasks, 0, sizeof(client->tasks));
}

/* A handler of PHP runs during a wait: it uses the same connections, forks, or throws. */
static bool handle_signal(sim_client *client)
{
    int64_t waiters;
    rl_error error;

    switch (chance_between(&world.chance, 0, 5)) {
    case 0:
        if (client->renewer == NULL) {
            become_child(client);
            client->forked = true;
        }
        return true;
    case 1:
    case 2:
        lock_waiters(&client->lock, name_of(op_lock(client->op)), &waiters, &error);
        return false;
    case 3:
        return false;
    default:
        return true;
    }
}

static bool interrupted(void *arg)
{
    sim_client *client = arg;

    if (client->process.dead || client->forked) {
        return true;
    }
    if (client->process.signals == 0) {
        return false;
    }
    client->process.signals--;
    int64_t began = world.now, held_up = client->process.held_up;
    bool ends = handle_signal(client);
    client->process.held_up = held_up + (world.now - began); /* what the handler takes is not the call's time */
    return ends;
}

static bool renews_any(const sim_client *client)
{
    for (int i = 0; i < LOCKS; i++) {
        if (client->held[i].renewal != NULL) {
            return true;
        }
    }
    return false;
}

static void look_at_renewals(sim_client *client)
{
    for (int i = 0; i < LOCKS; i++) {
        look_at_renewal(client, i, &client->held[i]);
    }
}

/* The code comes to a point at which it may be interrupted. It is told of losses before it looks by itself. */
static void come_up_for_air(sim_client *client)
{
    client->looks = true;
    notice_look(client);
    look_at_renewals(client);
    client->looks = false;
}

/* When a holder that works looks at its lease next. */
static int64_t next_look(int64_t until)
{
    return platform_earlier(until, world.now + chance_between(&world.chance, MSEC, 20 * MSEC));
}

static void nap(sim_client *client, int64_t span)
{
    int64_t until = world.now + span;

    while (world.now < until && !client->process.dead) {
        client->napper = world.running;
        world_wait(renews_any(client) ? next_look(until) : until);
        client->napper = NULL;
        come_up_for_air(client);
    }
}

/* ---- locks ---- */

/* Lets the next call pass locks on, as the extension does for lock(). */
static void join_line(sim_client *client, lock_pass_terms *terms)
{
    terms->host = client->local != NULL ? lock_local_join(client->local, platform_process(), SEGMENT_FOLDER) : NULL;
    if (terms->host != NULL) {
        lock_pass_identify(terms->host, &client->lock, terms->identity);
        terms->takes_over = (client->plan->takers >> client->process.index & 1) != 0;
        client->lock.pass = terms;
        client->lock.renews = client->op->renew;
    }
}

static void do_lock(sim_client *client, const sim_op *op)
{
    char token[40];
    rl_bytes own = {token, 0};
    lock_lease lease;
    rl_error error;

    if (is_live(&client->held[op->name])) {
        return;
    }
    if (op->odd_token) {
        own = RL_LITERAL("rl:nobody");
    } else if (op->same_token) {
        own = RL_LITERAL(SAME_TOKEN);
    } else if (op->own_token) {
        own.len = (size_t)snprintf(token, sizeof(token), "own:%d:%016" PRIx64, client->process.index,
                                   chance_draw(&world.chance));
    }
    lock_pass_terms terms = {0};
    join_line(client, &terms);
    client->lock.settles = op->renew || op->hears;
    lock_outcome outcome = lock_acquire(&client->lock, name_of(op->name), op->own_token ? &own : NULL, op->lease,
                                        op->timeout, &lease, NULL, &error);
    client->lock.pass = NULL;
    tell_lock_outcome(client, outcome, &error);
    if (outcome == LOCK_YES) {
        keep_lock(client, op, op->name, &lease);
    } else if (outcome == LOCK_BUSY) {
        check_refused(client, op->name);
    }
}

static void do_unlock(sim_client *client, const sim_op *op)
{
    held_lock *held = &client->held[op->name];
    rl_error error;

    if (!held->there) {
        return;
    }
    settle(client, held);
    int64_t counted = counts_until(client, held);
    lock_outcome outcome =
        lock_release(&client->lock, name_of(op->name), &held->lease, lock_budget(&client->lock), &error);
    tell_lock_outcome(client, outcome, &error);
    check_released(client, op->name, &held->lease, outcome, counted);
    if (outcome != LOCK_FAILED || lock_lease_server_remaining(&held->lease, platform_now()) == 0) {
        forget_lock(held);
    }
}

static void do_extend(sim_client *client, const sim_op *op)
{
    held_lock *held = &client->held[op->name];
    rl_error error;

    if (!held->there || held->lease.release_requested_at != 0) {
        return;
    }
    bool watched = settle(client, held);
    int64_t asked = clock_at(&client->process.clock, world.now), counted = counts_until(client, held);
    lock_outcome outcome =
        lock_extend(&client->lock, name_of(op->name), &held->lease, op->lease, lock_budget(&client->lock), &error);
    if (outcome == LOCK_YES) {
        check_renewal_extended(client, &held->lease, asked);
    }
    tally.extensions += outcome == LOCK_YES;
    check_extended(client, op->name, &held->lease, outcome, counted);
    if (outcome == LOCK_NOT_OWNED) {
        held->lease.duration = 0;
        lock_pass_look(&held->lease);
    } else if (watched) {
        watch_again(client, op->name, held);
    }
    tell_lock_outcome(client, outcome, &error);
}

/* Asks who holds the lock. Returns whether this token does; then `holder` is to be freed. */
static bool asks_whether_holds(sim_client *client, int lock, const lock_lease *mine, lock_lease *holder)
{
    rl_error error;

    check_part_began(client);
    lock_outcome outcome = lock_holder(&client->lock, name_of(lock), holder, &error);
    check_part_ended(client, lock_budget(&client->lock), "the look at the holder");
    tell_lock_outcome(client, outcome, &error);
    if (outcome != LOCK_YES) {
        return false;
    }
    if (holder->token_len == mine->token_len && memcmp(holder->token, mine->token, mine->token_len) == 0) {
        return true;
    }
    lock_lease_free(holder);
    return false;
}

static rl_bytes token_of(const lock_lease *lease)
{
    return (rl_bytes){lease->token, lease->token_len};
}

/* Asks whether this token holds the lock, to go on with its lease. Returns whether it does; then `lease` is to be freed. */
static bool adopts(sim_client *client, int lock, const lock_lease *token, lock_lease *lease)
{
    rl_error error;
    lock_outcome outcome = lock_adopt(&client->lock, name_of(lock), token_of(token), lease, &error);

    tell_lock_outcome(client, outcome, &error);
    return outcome == LOCK_YES;
}

/* Makes sure of a lock that was passed on, before anything else is asked about it. */
static bool knows_answer(sim_client *client, int lock, held_lock *held)
{
    rl_error error;

    if (!lock_pass_is_open(&held->lease)) {
        return true;
    }
    check_part_began(client);
    int64_t budget = lock_budget(&client->lock);
    lock_outcome outcome = lock_pass_settle(&client->lock, name_of(lock), &held->lease, &budget, &error);
    check_part_ended(client, lock_budget(&client->lock), "the look at a lock that was passed on");
    tell_lock_outcome(client, outcome, &error);
    return outcome != LOCK_FAILED;
}

static void do_is_locking(sim_client *client, const sim_op *op)
{
    held_lock *held = &client->held[op->name];
    lock_lease holder;

    if (!held->there || held->lease.release_requested_at != 0) {
        return;
    }
    int64_t began = platform_now();
    if (!knows_answer(client, op->name, held)) {
        return;
    }
    client->lock.spent = platform_now() - began;
    if (asks_whether_holds(client, op->name, &held->lease, &holder)) {
        lock_lease_free(&holder);
    }
    client->lock.spent = 0;
}

/* Does it hold the lock, and is not using it right now? */
static bool has_idle(const sim_client *client, int lock)
{
    bool is_busy = client->ends || client->looks || (client->op != NULL && client->op->kind != OP_SLEEP);

    return client->held[lock].there && !is_busy;
}

/* A client that holds the lock, has Redis' word for it, and is not using it right now; NULL: none. */
static sim_client *find_other_holder(const sim_client *client, int lock)
{
    for (int i = 0; i < client->plan->clients; i++) {
        sim_client *other = &sim_clients[i];
        /* This client may be held up at each look at the clock, and the other one go on meanwhile. */
        if (other != client && has_idle(other, lock) && is_live(&other->held[lock]) &&
            !lock_pass_is_open(&other->held[lock].lease) && !lock_extension_is_doubted(&other->lock) &&
            has_idle(other, lock)) {
            return other;
        }
    }
    return NULL;
}

/* Makes sure that no earlier extension shortens the lease, and that a lease that is to be renewed has its duration, as
 * attach() does. */
static lock_outcome take_over(sim_client *client, const sim_op *op, lock_lease *holder)
{
    bool renews = op->renew && client->renewer != NULL;
    int64_t left = lock_lease_validity(holder, platform_now());
    rl_error error;

    if (left == 0) {
        return LOCK_NOT_OWNED;
    }
    if (!renews && !lock_extension_is_doubted(&client->lock)) {
        return LOCK_YES;
    }
    check_part_began(client);
    lock_outcome outcome = lock_extend(&client->lock, name_of(op->name), holder, renews ? op->lease : left,
                                       lock_budget(&client->lock), &error);
    check_part_ended(client, lock_budget(&client->lock), "the extension of attach");
    return outcome;
}

/* Takes the lock out of the table of its holder, which is another client: what has to be done for that is done in the
 * holder's process. The next one of its machine is the head then. */
static lock_lease detach(sim_client *from, int lock)
{
    held_lock held = from->held[lock];

    from->held[lock] = (held_lock){0};
    if (held.renewal != NULL || held.lease.turn != NULL) {
        sim_process *own = world_enter(&from->process);
        from->guests++;
        from->turns_ending |= 1u << lock;
        settle(from, &held);
        if (held.lease.turn != NULL) {
            lock_pass_tell_token(&held.lease);
            lock_turn_leave(held.lease.turn);
            held.lease.turn = NULL;
            from->turn_until[lock] = world.now;
        }
        from->turns_ending &= ~(1u << lock);
        from->guests--;
        world_enter(own);
    }
    return held.lease;
}

/* This client attaches a lock that another one holds and goes on to renew, by a token that both have. */
static void do_share(sim_client *client, const sim_op *op)
{
    const sim_client *with = find_other_holder(client, op->name);
    lock_lease token, lease;

    if (with == NULL || client->held[op->name].there) {
        return;
    }
    check_token_shared(client, with->held[op->name].lease.token);
    lock_lease_fill(&token, token_of(&with->held[op->name].lease), platform_now(), 0, 0, 0);
    if (adopts(client, op->name, &token, &lease)) {
        tally.shared++;
        keep_lock(client, op, op->name, &lease);
    }
    lock_lease_free(&token);
}

/* Another client detaches the lock, and this one attaches it, as with a token in a job's payload. */
static void do_attach(sim_client *client, const sim_op *op)
{
    sim_client *from = find_other_holder(client, op->name);
    lock_lease token, holder;

    if (from == NULL || client->held[op->name].there) {
        return;
    }
    check_token_passed(client, from->held[op->name].lease.token);
    client->carried = from->held[op->name].lease.token;
    token = detach(from, op->name);
    if (adopts(client, op->name, &token, &holder)) {
        if (take_over(client, op, &holder) == LOCK_YES) {
            tally.attached++;
            keep_lock(client, op, op->name, &holder);
        } else {
            lock_lease_free(&holder);
        }
    }
    if (!client->held[op->name].there) {
        check_token_given_up(token.token); /* the caller has it still, and does nothing with it */
    }
    client->carried = NULL;
    lock_lease_free(&token);
}

static void do_waiters(sim_client *client, const sim_op *op)
{
    int64_t waiters = 0;
    rl_error error;
    lock_outcome outcome = lock_waiters(&client->lock, name_of(op->name), &waiters, &error);

    tell_lock_outcome(client, outcome, &error);
    if (outcome == LOCK_YES) {
        check_waiters(client, waiters);
    }
}

static void do_force(sim_client *client, const sim_op *op)
{
    held_lock *held = &client->held[op->name];
    bool watched = settle(client, held);
    rl_error error;
    lock_outcome outcome = lock_force_release(&client->lock, name_of(op->name), &error);

    tally.forced += outcome == LOCK_YES;
    tell_lock_outcome(client, outcome, &error);
    if (watched && outcome == LOCK_FAILED) {
        watch_again(client, op->name, held);
    } else if (watched) {
        check_token_given_up(held->lease.token);
        forget_lock(held);
    }
}

static void do_lock_all(sim_client *client, const sim_op *op)
{
    lock_all_item items[NAMES];
    rl_error error;
    size_t about;

    for (int i = 0; i < op->count; i++) {
        int lock = (op->name + i) % NAMES;
        if (is_live(&client->held[lock])) {
            return;
        }
        items[i] = (lock_all_item){.name = name_of(lock)};
    }
    lock_outcome outcome =
        lock_acquire_all(&client->lock, items, (size_t)op->count, op->lease, op->timeout, &about, &error);
    tell_lock_outcome(client, outcome, &error);
    for (int i = 0; outcome == LOCK_YES && i < op->count; i++) {
        tally.all_taken++;
        keep_lock(client, op, items[i].name.at[0] - 'A', &items[i].lease);
    }
}

/* Releases all locks that are held, in one round trip. With a budget of 0 nobody waits for the answers. */
static void release_all(sim_client *client, int64_t budget, bool forgets_all)
{
    lock_release_item items[LOCKS];
    int locks[LOCKS], count = 0;
    int64_t counted[LOCKS];
    lock_release_failures failures;

    settle_all(client);
    for (int i = 0; i < LOCKS; i++) {
        if (client->held[i].there) {
            counted[count] = counts_until(client, &client->held[i]);
            locks[count] = i;
            items[count++] = (lock_release_item){.name = name_of(i), .lease = &client->held[i].lease};
        }
    }
    if (count == 0) {
        return;
    }
    lock_release_all(&client->lock, items, (size_t)count, budget, PLATFORM_NEVER, &failures);
    for (int i = 0; i < count; i++) {
        tell("client %d: releases %s: %s", client->process.index, lock_text(locks[i]), outcome_text(items[i].outcome));
        check_released(client, locks[i], items[i].lease, items[i].outcome, counted[i]);
        if (items[i].outcome != LOCK_FAILED || forgets_all) {
            forget_lock(&client->held[locks[i]]);
        }
    }
}

/* ---- a client of another kind ---- */

static void foreign_output(void *arg, const char *bytes, size_t len)
{
    if (len > 0 && bytes[0] == '+') {
        *(bool *)arg = true;
    }
}

/* Sends a command, whose words are apart by spaces. Returns whether the answer is a good status. */
static bool foreign_command(sim_server *server, redis_link *link, bool *ok, const char *text)
{
    char request[300];
    int len = 0, words = 1;

    for (const char *p = text; *p != '\0'; p++) {
        words += *p == ' ';
    }
    len = snprintf(request, sizeof(request), "*%d\r\n", words);
    for (const char *p = text; words > 0; words--) {
        int word = (int)strcspn(p, " ");
        len += snprintf(request + len, sizeof(request) - (size_t)len, "$%d\r\n%.*s\r\n", word, word, p);
        p += word + 1;
    }
    *ok = false;
    server_catch_up(server);
    redis_feed(link, request, (size_t)len);
    return *ok;
}

static bool is_foreign_of(const sim_client *client, const char *value, size_t len)
{
    return value != NULL && len > 8 && memcmp(value, "foreign:", 8) == 0 && atoi(value + 8) == client->process.index;
}

/* SET key value NX PX; what it sends takes no time. Its lock ends by a DEL, if it is still its own, or by itself. With a count
 * of 2 there is the DEL alone, whosever lock that is. */
static void do_foreign(sim_client *client, const sim_op *op)
{
    sim_server *server = net_server(0);
    bool ok = false;
    redis_link *link = redis_accept(server->redis, foreign_output, &ok);
    char text[160];
    size_t len = 0;

    if (client->plan->logs_in) {
        foreign_command(server, link, &ok, "AUTH " PASSWORD);
        foreign_command(server, link, &ok, "SELECT 1");
    }
    snprintf(text, sizeof(text), "SET %s%s foreign:%d NX PX %s", PREFIX, lock_text(op->name), client->process.index,
             FOREIGN_LEASE);
    bool takes = op->count != 2, taken = takes && foreign_command(server, link, &ok, text);
    tell("client %d: as another kind of client: %s", client->process.index,
         !takes  ? "deletes it"
         : taken ? "yes"
                 : "busy");
    nap(client, takes ? op->span : 0);
    server_catch_up(server);
    snprintf(text, sizeof(text), "%s%s", PREFIX, lock_text(op->name));
    const char *value = redis_string(server->redis, text, strlen(text), &len);
    if (!takes || (taken && is_foreign_of(client, value, len))) {
        snprintf(text, sizeof(text), "DEL %s%s", PREFIX, lock_text(op->name));
        foreign_command(server, link, &ok, text);
    }
    redis_disconnect(link);
}

/* ---- queues ---- */

#define PACKED_TASK (16 + sizeof(((held_task *)0)->id))

static const char *queue_text(queue_outcome outcome)
{
    static const char *const texts[] = {"yes", "no", "failed", "interrupted"};

    return texts[outcome];
}

static void tell_queue_outcome(sim_client *client, queue_outcome outcome, const rl_error *error)
{
    tally.failures += outcome == QUEUE_FAILED;
    tell_outcome(client, queue_text(outcome), error, outcome == QUEUE_FAILED);
}

static void do_enqueue(sim_client *client, const sim_op *op)
{
    char texts[4][32];
    rl_bytes ids[4];
    rl_error error;

    for (int i = 0; i < op->count; i++) {
        snprintf(texts[i], sizeof(texts[i]), "t%d:%" PRIx64 ":%d", op->name, chance_draw(&world.chance) & 0xffffff, i);
        ids[i] = bytes_of(texts[i]);
        check_enqueuing(client, texts[i], op->name, op->span);
    }
    queue_outcome outcome = queue_enqueue(&client->queue, queue_name(op->name), ids, (size_t)op->count, op->span, true,
                                          queue_budget(&client->queue), &error);
    tell_queue_outcome(client, outcome, &error);
    for (int i = 0; i < op->count; i++) {
        check_enqueued(client, texts[i], outcome);
    }
}

/* The id is drawn from all that were entered into this queue, whatever became of them. */
static void do_enter_again(sim_client *client, const sim_op *op)
{
    const char *drawn = check_some_task(op->name, chance_draw(&world.chance));
    bool replaces = op->count > 0;
    rl_error error;

    if (drawn == NULL) {
        return;
    }
    rl_bytes id = bytes_of(drawn);
    check_entering_again(drawn);
    queue_outcome outcome = queue_enqueue(&client->queue, queue_name(op->name), &id, 1, op->span, replaces,
                                          queue_budget(&client->queue), &error);
    tell_queue_outcome(client, outcome, &error);
    check_entered_again(client, drawn, replaces, outcome);
}

static void keep_task(sim_client *client, int name, const queue_task *task)
{
    for (int i = 0; i < MAX_TASKS_HELD; i++) {
        held_task *held = &client->tasks[i];
        if (!held->there) {
            *held = (held_task){.there = true, .name = name, .score = task->score, .attempts = task->attempts};
            snprintf(held->id, sizeof(held->id), "%.*s", (int)task->id.len, task->id.at);
            memcpy(held->receipt, task->receipt, sizeof(held->receipt));
            return;
        }
    }
}

static void do_take(sim_client *client, const sim_op *op)
{
    bool reserves = op->kind == OP_RESERVE;
    queue_take_params params = {(size_t)op->count, reserves ? op->lease : 0, op->timeout};
    queue_tasks tasks = {0};
    rl_error error;
    queue_outcome outcome = queue_take(&client->queue, queue_name(op->name), &params, &tasks, &error);

    tell_queue_outcome(client, outcome, &error);
    if (outcome == QUEUE_YES) {
        for (size_t i = 0; i < tasks.count; i++) {
            check_taken(client, &tasks.at[i], reserves, op->lease);
            keep_task(client, op->name, &tasks.at[i]);
        }
    } else {
        check_not_taken(client, outcome, reserves);
    }
    queue_tasks_free(&tasks);
}

/* A task that the client holds, reserved or taken for good. */
static held_task *find_task(sim_client *client, bool reserved)
{
    for (int i = 0; i < MAX_TASKS_HELD; i++) {
        if (client->tasks[i].there && (client->tasks[i].receipt[0] != '\0') == reserved) {
            return &client->tasks[i];
        }
    }
    return NULL;
}

static void do_settle(sim_client *client, const sim_op *op)
{
    held_task *task = find_task(client, true);
    queue_disposition disposition = op->kind == OP_ACK ? QUEUE_ACK : op->kind == OP_TOUCH ? QUEUE_TOUCH : QUEUE_RELEASE;
    int64_t span = disposition == QUEUE_ACK ? 0 : op->span;
    rl_error error;

    if (task == NULL) {
        return;
    }
    if (disposition == QUEUE_TOUCH && span == 0) {
        span = 30 * MSEC;
    }
    int64_t reserved = check_settling(client, task, disposition, span);
    queue_outcome outcome = queue_settle(&client->queue, queue_name(task->name), disposition, bytes_of(task->id),
                                         bytes_of(task->receipt), span, &error);
    tell_queue_outcome(client, outcome, &error);
    check_settled(client, task, disposition, span, reserved, outcome);
    task->there = disposition == QUEUE_TOUCH;
}

/* Writes a task as the script of take packs it: see lua/inc/task_pack.lua. Returns the length. */
static size_t pack_task(const held_task *task, char out[PACKED_TASK])
{
    size_t len = strlen(task->id);
    uint64_t score;

    memcpy(&score, &task->score, sizeof(score));
    for (size_t i = 0; i < 8; i++) {
        out[i] = (char)(score >> (56 - 8 * i));
    }
    for (size_t i = 0; i < 4; i++) {
        out[8 + i] = (char)((uint64_t)task->attempts >> (24 - 8 * i));
        out[12 + i] = (char)(len >> (24 - 8 * i));
    }
    memcpy(out + 16, task->id, len);
    return 16 + len;
}

/* Puts one task back that was popped, perhaps with others: the reply that brought it may be gone, so one like it that has
 * this task alone takes its place. */
static void do_put_back(sim_client *client)
{
    held_task *task = find_task(client, false);
    char bytes[PACKED_TASK];
    rl_error error;

    if (task == NULL) {
        return;
    }
    redisReply packed = {.type = REDIS_REPLY_STRING, .str = bytes, .len = pack_task(task, bytes)};
    redisReply *element = &packed;
    redisReply taken = {.type = REDIS_REPLY_ARRAY, .elements = 1, .element = &element}, *reply = &taken;
    queue_task one = {.id = bytes_of(task->id), .score = task->score};
    queue_tasks tasks = {.at = &one, .count = 1, .replies = &reply, .reply_count = 1};

    check_putting_back(task->id);
    queue_outcome outcome = queue_put_back(&client->queue, queue_name(task->name), &tasks, &error);
    tell_queue_outcome(client, outcome, &error);
    check_put_back(client, task->id, outcome);
    task->there = false;
}

static void do_dequeue(sim_client *client, const sim_op *op)
{
    queue_tasks tasks = {0};
    rl_error error;

    if (queue_top(&client->queue, queue_name(op->name), 1, &tasks, &error) == QUEUE_YES) {
        char id[32];
        snprintf(id, sizeof(id), "%.*s", (int)tasks.at[0].id.len, tasks.at[0].id.at);
        nap(client, op->span); /* meanwhile the task may be taken, and come again */
        check_part_began(client);
        queue_outcome outcome = queue_dequeue(&client->queue, queue_name(op->name), bytes_of(id), tasks.at[0].score,
                                              queue_budget(&client->queue), &error);
        check_part_ended(client, queue_budget(&client->queue), "dequeue");
        tell_queue_outcome(client, outcome, &error);
        check_dequeued(id, outcome);
    }
    queue_tasks_free(&tasks);
}

static void do_requeue(sim_client *client, const sim_op *op)
{
    int64_t moved;
    rl_error error;

    queue_outcome outcome = queue_requeue(&client->queue, queue_name(op->name), NULL, 0, &moved, &error);

    tell_queue_outcome(client, outcome, &error);
}

static void do_look_at_queue(sim_client *client, const sim_op *op)
{
    queue_counts counts;
    queue_tasks tasks = {0};
    rl_error error;

    if (op->count == 0) {
        tell_queue_outcome(client, queue_stats(&client->queue, queue_name(op->name), &counts, &error), &error);
    } else {
        tell_queue_outcome(client, queue_dead(&client->queue, queue_name(op->name), 10, &tasks, &error), &error);
        queue_tasks_free(&tasks);
    }
}

/* ---- values ---- */

static int64_t fresh_for(const sim_op *op)
{
    return op->fresh > 0 ? op->fresh : 20 * SEC;
}

static int64_t stale_for(const sim_op *op)
{
    return op->count == 1 ? 5 * SEC : 0;
}

/* Stores what was built, and gives the lock back. If the server refuses, the lock is given back alone, in what is left of the
 * time budget. */
static lock_outcome store(sim_client *client, const sim_op *op, lock_lease *lease, const char *text)
{
    rl_bytes name = name_of(op_lock(op));
    cache_value value = {.bytes = bytes_of(text), .fresh = fresh_for(op), .stale = stale_for(op)};
    rl_error error;
    int64_t began = platform_now();
    lock_outcome outcome = cache_store(&client->lock, name, lease, op->count == 2 ? NULL : &value, &error);

    if (outcome == LOCK_YES && op->count != 2) {
        check_value_stored(op->name);
    } else if (outcome == LOCK_FAILED && error.kind == RL_ERROR_REPLY && lease->release_requested_at == 0) {
        client->lock.spent = platform_now() - began;
        outcome = lock_release(&client->lock, name, lease, lock_budget(&client->lock), &error);
        client->lock.spent = 0;
    }
    return outcome;
}

/* Builds the value under the lock that the answer brought, and stores it. Now and then the builder fails. From when it
 * is done, it does not count on the lock any more. */
static void build(sim_client *client, const sim_op *op, cache_answer *answer)
{
    int lock = op_lock(op);
    held_lock *held = &client->held[lock], done;
    char text[VALUE_ROOM];
    rl_error error;
    lock_outcome outcome;

    keep_lock(client, op, lock, &answer->lease);
    if (!held->there) {
        return; /* it could not be renewed, and was given back */
    }
    check_source(op->name, fresh_for(op), text);
    nap(client, op->span);
    settle(client, held);
    int64_t counted = counts_until(client, held);
    bool fails = chance_once_in(&world.chance, 8);
    done = *held;
    *held = (held_lock){0};
    client->carried = done.lease.token;
    check_part_began(client);
    if (fails) {
        outcome = lock_release(&client->lock, name_of(lock), &done.lease, lock_budget(&client->lock), &error);
    } else {
        outcome = store(client, op, &done.lease, text);
    }
    check_part_ended(client, lock_budget(&client->lock), fails ? "the end of a turn" : "the store");
    tell("client %d: %s %s: %s", client->process.index, fails ? "gives up building" : "stores", text,
         outcome_text(outcome));
    if (fails) {
        check_released(client, lock, &done.lease, outcome, counted);
    }
    client->carried = NULL;
    forget_lock(&done);
}

static const char *cache_text(cache_outcome outcome)
{
    static const char *const texts[] = {"fresh", "stale", "turn", "built", "none", "failed", "interrupted"};

    return texts[outcome];
}

/* The value is there, and means nothing to this client: another one may have stored a new one since. */
static void forget_only(sim_client *client, const sim_op *op, const cache_answer *answer)
{
    const rl_bytes only = {answer->value, answer->value_len};
    rl_error error;

    check_part_began(client);
    lock_outcome outcome = cache_forget(&client->lock, name_of(op_lock(op)), &only, &error);
    check_part_ended(client, lock_budget(&client->lock), "forgetting what cannot be read");
    tell("client %d: cannot read %.*s, and forgets that: %s", client->process.index, (int)only.len, only.at,
         outcome_text(outcome));
}

static void do_remember(sim_client *client, const sim_op *op)
{
    bool kept_here = op->count != 2;
    cache_fetch_params params = {.name = name_of(op_lock(op)),
                                 .kept_here = kept_here,
                                 .stale = stale_for(op),
                                 .duration = op->lease,
                                 .timeout = op->timeout};
    cache_answer answer = {0};
    int64_t floor = check_value_floor(op->name);

    if (is_live(&client->held[op_lock(op)])) {
        return;
    }
    check_part_began(client);
    cache_outcome outcome = cache_fetch(&client->lock, &params, &answer);
    check_part_ended(client, op->timeout > 0 ? op->timeout : lock_budget(&client->lock), "remember");
    tell_outcome(client, cache_text(outcome), &answer.error, outcome == CACHE_FAILED);
    tally.failures += outcome == CACHE_FAILED;
    switch (outcome) {
    case CACHE_TURN:
        build(client, op, &answer);
        break;
    case CACHE_FRESH:
    case CACHE_STALE:
        check_value_awaited(client, op->name);
        check_value_read(client, op->name, floor, outcome == CACHE_STALE ? stale_for(op) : 0, &answer);
        if (op->cannot_read) {
            forget_only(client, op, &answer);
        }
        free(answer.value);
        break;
    case CACHE_BUILT:
        check_value_woken(client, op->name);
        break;
    case CACHE_NONE:
        if (kept_here) {
            check_value_awaited(client, op->name);
        }
        break;
    default:
        break;
    }
}

static void do_forget(sim_client *client, const sim_op *op)
{
    rl_error error;

    int64_t version = check_forgetting(op->name);
    lock_outcome outcome = cache_forget(&client->lock, name_of(op_lock(op)), NULL, &error);
    tell_lock_outcome(client, outcome, &error);
    if (outcome != LOCK_FAILED) {
        check_forgotten(op->name, version);
    }
}

/* ---- a client's life ---- */

static void perform(sim_client *client, const sim_op *op)
{
    switch (op->kind) {
    case OP_SLEEP:
        nap(client, op->span);
        if (op->count > 1 && !client->process.dead) {
            net_close_all(&client->process);
            process_kill(&client->process);
        }
        break;
    case OP_LOCK:
        do_lock(client, op);
        break;
    case OP_UNLOCK:
        do_unlock(client, op);
        break;
    case OP_EXTEND:
        do_extend(client, op);
        break;
    case OP_IS_LOCKING:
        do_is_locking(client, op);
        break;
    case OP_WAITERS:
        do_waiters(client, op);
        break;
    case OP_FORCE:
        do_force(client, op);
        break;
    case OP_ATTACH:
        (op->count == 2 ? do_share : do_attach)(client, op);
        break;
    case OP_LOCK_ALL:
        do_lock_all(client, op);
        break;
    case OP_UNLOCK_ALL:
        release_all(client, lock_budget(&client->lock), false);
        break;
    case OP_FORK:
        if (client->renewer == NULL) {
            become_child(client);
        }
        break;
    case OP_FOREIGN:
        do_foreign(client, op);
        break;
    case OP_ENQUEUE:
        do_enqueue(client, op);
        return;
    case OP_ENTER_AGAIN:
        do_enter_again(client, op);
        return;
    case OP_POP:
    case OP_RESERVE:
        do_take(client, op);
        break;
    case OP_ACK:
    case OP_RELEASE_TASK:
    case OP_TOUCH:
        do_settle(client, op);
        break;
    case OP_PUT_BACK:
        do_put_back(client);
        break;
    case OP_DEQUEUE:
        do_dequeue(client, op);
        break;
    case OP_REQUEUE:
        do_requeue(client, op);
        break;
    case OP_LOOK_AT_QUEUE:
        do_look_at_queue(client, op);
        break;
    case OP_REMEMBER:
        do_remember(client, op);
        break;
    case OP_FORGET:
        do_forget(client, op);
        break;
    default:
        break;
    }
}

/* Is there a release that was not sent yet? It ends with the process. */
static bool owes_releases(const sim_client *client)
{
    bool owes = client->backlog.count > 0;

    for (size_t i = 0; i < client->pool.count; i++) {
        owes |= rl_conn_ready_since(client->pool.idle[i]) == PLATFORM_NEVER;
    }
    return owes;
}

/* Ends the renewing thread, when nobody is about to end one of its renewals any more. */
static void end_renewing(sim_client *client)
{
    while (client->guests > 0) {
        world_wait(world.now + MSEC);
    }
    if (client->renewer != NULL) {
        lock_renewer_free(client->renewer);
        client->renewer = NULL;
        tally.renewed += client->renewals.renewed;
        tally.renewal_failures += client->renewals.failures;
        tally.lost_while_held += client->renewals.lost_while_held;
    }
}

static void client_main(sim_process *process)
{
    sim_client *client = process->self;

    for (size_t i = 0; i < client->plan->op_count && !process->dead; i++) {
        const sim_op *op = &client->plan->ops[i];
        if (op->client != process->index || op->off) {
            continue;
        }
        nap(client, op->think);
        if (process->dead) {
            break;
        }
        client->op = op;
        client->forked = false;
        check_began(client);
        come_up_for_air(client);
        perform(client, op);
        check_ended(client);
        client->op = NULL;
    }
    client->ends = true;
    check_part_began(client);
    release_all(client, lock_budget(&client->lock), true);
    check_part_ended(client, lock_budget(&client->lock) + ANSWER_TIME, "the end");
    end_renewing(client);
    client->owed = owes_releases(client);
    rl_pool_clear(&client->pool);
    if (client->local != NULL) {
        check_has_left(client);
        machine_leave(process, process->pid, world.now);
    }
    client->done = true;
    tell("client %d has ended", process->index);
}

/* The one server is whatever the sentinels say, which stand behind the nodes with data. */
static void set_watched_endpoint(sim_client *client, const sim_plan *plan)
{
    int first = 1 + plan->replicas, len = snprintf(NULL, 0, "redis-sentinel://");
    char dsn[128] = "redis-sentinel://", why[100];

    for (int i = 0; i < plan->sentinels; i++) {
        len += snprintf(dsn + len, sizeof(dsn) - (size_t)len, "%ssentinel%d:%d", i > 0 ? "," : "", first + i,
                        net_port(first + i));
    }
    len += snprintf(dsn + len, sizeof(dsn) - (size_t)len, "/%s%s", MASTER_NAME, plan->logs_in ? "/1" : "");
    if (!rl_endpoint_parse(&client->endpoints[0], dsn, (size_t)len, why, sizeof(why))) {
        violated("setup", "%s: %s", dsn, why);
    } else if (plan->logs_in) {
        rl_endpoint_login(&client->endpoints[0], NULL, PASSWORD, strlen(PASSWORD), -1);
        rl_endpoint_sentinel_login(&client->endpoints[0], NULL, SENTINEL_PASSWORD, strlen(SENTINEL_PASSWORD));
    }
}

/* The one server is a cluster. Its nodes call each other by their address, so that a client knows some by two names. */
static void set_clustered_endpoint(sim_client *client, const sim_plan *plan)
{
    int len = snprintf(NULL, 0, "redis-cluster://");
    char dsn[128] = "redis-cluster://", why[100];

    for (int i = 0; i < plan->masters; i++) {
        len += snprintf(dsn + len, sizeof(dsn) - (size_t)len, "%s%s:%d", i > 0 ? "," : "",
                        plan->own_key_order ? "server" : REPLICAS_HOST, net_port(i));
    }
    if (!rl_endpoint_parse(&client->endpoints[0], dsn, (size_t)len, why, sizeof(why))) {
        violated("setup", "%s: %s", dsn, why);
    } else if (plan->logs_in) {
        rl_endpoint_login(&client->endpoints[0], NULL, PASSWORD, strlen(PASSWORD), -1);
    }
}

static void set_endpoints(sim_client *client, const sim_plan *plan)
{
    char dsn[64], why[100];

    if (plan->masters > 0) {
        set_clustered_endpoint(client, plan);
        return;
    }
    if (plan->sentinels > 0) {
        set_watched_endpoint(client, plan);
        return;
    }
    for (int i = 0; i < plan->servers; i++) {
        int len = plan->local
                      ? snprintf(dsn, sizeof(dsn), "unix:///server%d%s", i, plan->logs_in ? "?db=1" : "")
                      : snprintf(dsn, sizeof(dsn), "redis://server%d:%d%s", i, 7000 + i, plan->logs_in ? "/1" : "");
        if (!rl_endpoint_parse(&client->endpoints[i], dsn, (size_t)len, why, sizeof(why))) {
            violated("setup", "%s: %s", dsn, why);
            return;
        }
        if (plan->logs_in) {
            rl_endpoint_login(&client->endpoints[i], NULL, PASSWORD, strlen(PASSWORD), -1);
        }
    }
}

static bool has_renewals(const sim_plan *plan, int client)
{
    for (size_t i = 0; i < plan->op_count; i++) {
        const sim_op *op = &plan->ops[i];
        if (op->client == client && (op->renew || op->hears) && !op->off) {
            return true;
        }
    }
    return false;
}

void client_start(sim_client *client, const sim_plan *plan, int index)
{
    *client = (sim_client){.plan = plan, .reminded = -1};
    client->process = (sim_process){.index = index, .pid = 100 + index, .self = client};
    client->process.clock = clock_draw(1000 * SEC, 100000 * SEC);
    int64_t kind = plan_kind(plan, index);
    client->process.machine = plan_machine(plan, index);
    client->process.place = (kind & KIND_IS_FROM) != 0;
    client->line = plan_line(plan, index);
    client->process.clock.is_shared = plan->machines > 0;
    if (plan->machines > 0 && index >= plan->machines) {
        client->process.clock = sim_clients[index % plan->machines].process.clock; /* of its machine */
    }
    client->local = client->process.machine > 0 ? lock_local_new() : NULL;
    set_endpoints(client, plan);
    client->pool = (rl_pool){.traffic = &client->traffic, .backlog = &client->backlog};
    client->lock = (lock_client){.target = {.pool = &client->pool,
                                            .endpoints = client->endpoints,
                                            .count = (size_t)plan->servers,
                                            .connect_timeout = plan->connect_timeout,
                                            .read_timeout = plan->read_timeout * ((kind & KIND_WAITS) != 0 ? 2 : 1),
                                            .node_timeout = plan->node_timeout,
                                            .hook = {.interrupted = interrupted, .arg = client}},
                                 .prefix = bytes_of(PREFIX),
                                 .owner = bytes_of(plan->owners && index % 2 == 1 ? "web-1:4711 import.php" : ""),
                                 .retry_interval = plan->retry_interval,
                                 .max_waiters = plan->max_waiters,
                                 .fencing = plan->fencing != ((kind & KIND_FENCES) != 0),
                                 .replicas = plan->asks_for,
                                 .extensions = &client->extensions,
                                 .stats = &client->stats};
    client->queue = (queue_client){.target = client->lock.target,
                                   .caller = &client->caller,
                                   .prefix = bytes_of(PREFIX),
                                   .max_attempts = plan->max_attempts};
    if (has_renewals(plan, index)) {
        client->renewer = lock_renewer_new();
    }
    world_spawn(&client->process, client_main);
}

void client_free(sim_client *client)
{
    for (int i = 0; i < LOCKS; i++) {
        forget_lock(&client->held[i]);
        forget_lock(&client->parents[i]);
    }
    if (client->local != NULL) {
        lock_local_free(client->local);
    }
    rl_backlog_free(&client->backlog);
    for (int i = 0; i < client->plan->servers; i++) {
        rl_endpoint_free(&client->endpoints[i]);
    }
}

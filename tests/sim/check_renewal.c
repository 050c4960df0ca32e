/* SPDX-License-Identifier: MIT
 *
 * check_renewal: checks the renewing of leases. What is sent, and what is made of the answers, is seen between the
 * renewing thread and its sessions; the linker puts the functions at the end of this file there (--wrap).
 */
#include "check.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "notice.h"
#include "platform/platform.h"
#include "redis/session.h"

#define MOST_TOKENS   1024
#define MOST_REQUESTS 16
#define MOST_LEASES   LOCKS /* in one request */

/* The end of a lease on a server, by that server's clock, in ms. */
typedef struct node_end {
    int64_t told;          /* the own end that the client was told last; 0: none */
    int64_t was, is;       /* the own end before the last renewal, and the end behind it; 0: there was none */
    bool was_longer;       /* that left the lease as it was */
    unsigned was_too_long; /* how many renewals running have found the own end, and have left it */
} node_end;

/* A lease that was renewed at some time. */
typedef struct renewed {
    char token[TOKEN_ROOM];
    const sim_client *client;
    sim_notice *notice;
    unsigned turn;   /* counts how often its renewing began */
    bool active;     /* it has not ended again */
    bool abandoned;  /* the end did not wait for a request, which may be sent and answered later */
    bool unanswered; /* a request was given up, and may come late */
    int under_way;   /* requests that were sent, and neither answered nor given up */
    bool has_time;   /* the lease is long, and most of it was left when its renewing began */
    bool is_over;    /* the holder was told that it is lost */
    int64_t hold_until;
    const sim_client *extended_by; /* who has extended it last */
    int64_t extended_at;           /* when that was asked for, by its clock */
    node_end nodes[MAX_SERVERS];
} renewed;

/* A request under way. */
typedef struct renew_request {
    const rl_session *session; /* NULL: none */
    size_t count;
    struct {
        renewed *lease;
        unsigned turn;
        bool is_refused; /* no majority has it any more */
    } leases[MOST_LEASES];
} renew_request;

static struct {
    const sim_plan *plan;
    renewed leases[MOST_TOKENS];
    int count;
    renew_request requests[MOST_REQUESTS];
} renewals;

void check_renewals_begin(const sim_plan *plan)
{
    renewals.plan = plan;
    renewals.count = 0;
    memset(renewals.requests, 0, sizeof(renewals.requests));
}

static renewed *find_lease(const char *token, size_t len)
{
    for (int i = renewals.count; i-- > 0;) {
        renewed *lease = &renewals.leases[i];
        if (strlen(lease->token) == len && memcmp(lease->token, token, len) == 0) {
            return lease;
        }
    }
    return NULL;
}

/* ---- what the holder does ---- */

void check_renewal_begins(sim_client *client, const held_lock *held)
{
    const lock_lease *lease = &held->lease;
    renewed *one = find_lease(lease->token, lease->token_len);
    int64_t now = clock_at(&client->process.clock, world.now);

    if (one == NULL && renewals.count < MOST_TOKENS) {
        one = &renewals.leases[renewals.count++];
        *one = (renewed){0};
        snprintf(one->token, sizeof(one->token), "%.*s", (int)lease->token_len, lease->token);
    }
    if (one != NULL) {
        one->client = client;
        one->turn++;
        one->active = true;
        one->is_over = false;
        memset(one->nodes, 0, sizeof(one->nodes));
        one->notice = held->notice;
        one->hold_until = held->hold_until;
        one->has_time = lease->duration >= 300 * MSEC && lock_lease_validity(lease, now) >= lease->duration / 3 * 2;
    }
    tell("  client %d begins to renew %s", client->process.index, lease->token);
}

/* Whoever has asked sentinels has found them before. */
void check_not_renewable(const sim_client *client, int lock, const char *why)
{
    bool is_well = renewals.plan->sentinels > 0 || (renewals.plan->machines > 0 && renewals.plan->is_clean);

    tell("client %d: cannot have the lease of %s renewed: %s", client->process.index, lock_text(lock), why);
    if (is_well && !client->process.dead) {
        violated("renewed", "client %d cannot have the lease of %s renewed: %s", client->process.index, lock_text(lock),
                 why);
    }
}

/* Unless it did not wait for long enough, nothing is under way any more. */
void check_renewal_ended(sim_client *client, const lock_lease *lease, int64_t until)
{
    renewed *one = find_lease(lease->token, lease->token_len);

    if (one == NULL || client->process.dead) {
        return;
    }
    tell("  client %d has ended the renewing of %s", client->process.index, lease->token);
    one->active = false;
    if (clock_at(&client->process.clock, world.now) >= until - MSEC) { /* to the ms, since clocks are rounded */
        one->abandoned = true; /* also a request that was about to be sent may still be */
    } else if (one->under_way > 0 && !one->abandoned) {
        violated("ended", "client %d has ended the renewing of %s, and a request is under way", client->process.index,
                 lease->token);
    }
}

/* Does the fault hit one connection and nothing else? */
static bool hits_a_connection(fault_kind kind)
{
    return kind <= FAULT_HOLD || kind == FAULT_SIGNAL || kind == FAULT_KICK || kind == FAULT_FORGET;
}

/* Is this a failover whose end whoever renews leases learns of at once? */
static bool is_short(fault_kind kind)
{
    return kind == FAULT_FAILOVER || kind == FAULT_DEAD_MASTER;
}

/* Has a server left two requests without an answer, or more? Each gets a third of the lease and a grace, and the first one is
 * sent when a third is over: nothing of the lease is left for one more. */
static bool was_silent_twice(void)
{
    for (int i = 0; i < net.node_count; i++) {
        if (net.servers[i].silences >= 2) {
            return true;
        }
    }
    return false;
}

/* Has so little gone wrong that there was time to try again? Of several servers, one may have lost the lock besides. While an
 * extension waits for replicas, which may take half of a lease, it is not renewed. */
static bool must_be_renewed(const renewed *one, const held_lock *held)
{
    const sim_plan *plan = renewals.plan;
    unsigned harmless = 0; /* slots that move, which may be any number */

    if (plan->asks_for > 0 && held->lease.duration < 300 * MSEC) {
        return false;
    }
    if (held->hold_until != PLATFORM_NEVER || plan->is_clean) {
        return plan->is_clean && held->hold_until == PLATFORM_NEVER;
    }
    for (size_t i = 0; i < plan->fault_count; i++) {
        bool moves = plan->faults[i].kind >= FAULT_MOVE_SLOT;
        harmless += moves;
        if (!plan->faults[i].off && !moves && !hits_a_connection(plan->faults[i].kind) &&
            !(is_short(plan->faults[i].kind) && net.outage <= held->lease.duration / 4)) {
            return false;
        }
    }
    return net.server_count == 1 && net.fired <= (plan->sentinels + plan->masters > 0 ? 2 : 1) + harmless &&
           plan->pause_one_in == 0 && plan->latency <= 500 && one->has_time && !was_silent_twice();
}

/* Once the holder was told that a lease is lost, it stays lost. While hardly anything goes wrong, none ends. */
void check_renewal_read(const sim_client *client, int lock, const held_lock *held, lock_renewal_state state,
                        int64_t now)
{
    renewed *one = find_lease(held->lease.token, held->lease.token_len);
    int64_t left = lock_lease_validity(&held->lease, now);
    bool is_lost = left == 0 || (state != LOCK_RENEWAL_ON && state != LOCK_RENEWAL_TOO_LONG);

    if (one == NULL) {
        return;
    }
    if (one->is_over && !is_lost) {
        violated("lost for good", "client %d was told that it has lost %s, and is now told that it has it",
                 client->process.index, lock_text(lock));
    }
    if (is_lost && !one->is_over) {
        tell("client %d: learns that it has lost %s", client->process.index, lock_text(lock));
    }
    if (is_lost && state != LOCK_RENEWAL_REFUSED && must_be_renewed(one, held)) {
        violated("renewed", "client %d has lost %s, which is renewed, and there was time to try again",
                 client->process.index, lock_text(lock));
    }
    one->is_over |= is_lost;
}

/* With several servers, the extension may not have come to each of them. */
void check_renewal_extended(const sim_client *client, const lock_lease *lease, int64_t when)
{
    renewed *one = find_lease(lease->token, lease->token_len);

    if (one != NULL && net.server_count == 1) {
        one->extended_by = client;
        one->extended_at = when;
    }
}

bool check_renewal_is_overtaken(const sim_client *client, const char *token, int64_t when)
{
    const renewed *one = find_lease(token, strlen(token));

    return one != NULL && one->extended_by == client && when < one->extended_at;
}

/* ---- what a server does ---- */

/* The i-th argument behind the keys. */
static const char *argument(const char *const *argv, int i)
{
    return argv[3 + atoi(argv[2]) + i];
}

bool check_is_renewal(const rl_script *script)
{
    return script == &rl_script_renew || script == &rl_script_renew_one;
}

const char *check_renewal_token(int lock, size_t argc, const char *const *argv, int64_t *lease)
{
    char key[16];

    (void)argc;
    snprintf(key, sizeof(key), "%s%s", PREFIX, lock_text(lock));
    for (int i = 0; i < (atoi(argv[2]) + 1) / 2; i++) {
        if (strcmp(argv[3 + 2 * i], key) == 0) {
            *lease = strtoll(argument(argv, 2 + 4 * i), NULL, 10);
            return argument(argv, 1 + 4 * i);
        }
    }
    return NULL;
}

static bool may_come_late(const renewed *lease)
{
    return lease->unanswered || lease->abandoned || lease->client->process.dead;
}

/* A renewal that has ended is not carried out any more, unless a request may come late. */
void check_renewal_ran(const sim_server *server, size_t argc, const char *const *argv)
{
    (void)argc;
    for (int i = 0; i < (atoi(argv[2]) + 1) / 2; i++) {
        const char *token = argument(argv, 1 + 4 * i);
        const renewed *one = find_lease(token, strlen(token));
        if (one == NULL || (!one->active && !may_come_late(one))) {
            violated("ended", "server %d renews %s, whose renewing has ended", server->index, token);
        }
    }
}

void check_renewal_end(const sim_server *server, const char *token, int64_t was, int64_t end, bool is_longer)
{
    renewed *one = find_lease(token, strlen(token));

    if (one != NULL) {
        one->nodes[net_number(server)].was = was;
        one->nodes[net_number(server)].is = end;
        one->nodes[net_number(server)].was_longer = is_longer;
    }
}

/* The client is told how a renewal came out on a server. If that has left the lease long although it is the client's own doing,
 * since the clock was set back, the next one must not. */
static void check_end_told(renewed *lease, size_t n, char word)
{
    node_end *node = &lease->nodes[n];
    bool is_own = node->told != 0 && node->was == node->told;

    if (word == '1' && !node->was_longer) {
        node->told = node->is;
        node->was_too_long = 0;
    } else if (word == '+' && node->was_longer && is_own) {
        node->told = node->is;
        node->was_too_long++;
    } else {
        node->told = node->was_too_long = 0;
    }
    if (node->was_too_long > 1) {
        violated("short again", "client %d leaves %s long on server %zu, whose clock was set back",
                 lease->client->process.index, lease->token, n);
    }
}

/* ---- what the renewing thread does ---- */

void __wrap_rl_session_send(rl_session *session, const rl_clock *clock, const rl_policy *policy);
bool __wrap_rl_session_settle(rl_session *session, const rl_policy *policy);
void __wrap_rl_session_close(rl_session *session);
void __real_rl_session_send(rl_session *session, const rl_clock *clock, const rl_policy *policy);
bool __real_rl_session_settle(rl_session *session, const rl_policy *policy);
void __real_rl_session_close(rl_session *session);

static renew_request *request_of(const rl_session *session)
{
    for (int i = 0; i < MOST_REQUESTS; i++) {
        if (renewals.requests[i].session == session) {
            return &renewals.requests[i];
        }
    }
    return NULL;
}

static void check_sent(renewed *lease, const rl_clock *clock)
{
    int client = lease->client->process.index;

    if (!lease->active && !lease->abandoned) {
        violated("ended", "client %d sends a renewal of %s, whose renewing has ended", client, lease->token);
    }
    if (lease->under_way++ > 0 && !lease->abandoned) {
        violated("two at once", "client %d sends a renewal of %s, and has one under way", client, lease->token);
    }
    if (clock->sent_at >= lease->hold_until) {
        violated("held too long", "client %d renews %s, which it is to hold no longer", client, lease->token);
    }
}

/* Notes the leases of a request. Their tokens stand behind the keys and the time. */
static void note_request(const rl_session *session, const rl_clock *clock)
{
    const rl_request *request = &session->calls[0].request;
    renew_request *one = request_of(NULL);

    if (one == NULL || request->keys / 2 > MOST_LEASES) {
        violated("setup", "there are too many renewals at once");
        return;
    }
    *one = (renew_request){.session = session};
    for (size_t i = 0; i < request->keys / 2; i++) {
        rl_bytes token = request->more[request->keys + 1 + 4 * i];
        renewed *lease = find_lease(token.at, token.len);
        if (lease != NULL) {
            check_sent(lease, clock);
            tell("  client %d sends a renewal of %s", lease->client->process.index, lease->token);
        }
        one->leases[i].lease = lease;
        one->leases[i].turn = lease != NULL ? lease->turn : 0;
        one->count++;
    }
}

void __wrap_rl_session_send(rl_session *session, const rl_clock *clock, const rl_policy *policy)
{
    if (check_is_renewal(session->calls[0].request.script) && !world_process()->dead) {
        note_request(session, clock);
    }
    __real_rl_session_send(session, clock, policy);
}

/* How many nodes have answered with one of these characters for the i-th lease. */
static size_t count_answers(const rl_session *session, size_t i, const char *words)
{
    size_t count = 0;

    for (size_t n = 0; n < session->nodes; n++) {
        const rl_call *call = &session->calls[n];
        count += call->answered && call->error.kind == RL_OK && call->reply != NULL &&
                 call->reply->type == REDIS_REPLY_STRING && call->reply->len > i &&
                 strchr(words, call->reply->str[i]) != NULL;
    }
    return count;
}

static void check_ends_told(const rl_session *session, const renew_request *one, size_t i)
{
    renewed *lease = one->leases[i].lease;

    for (size_t n = 0; n < session->nodes && lease->active && lease->turn == one->leases[i].turn; n++) {
        const rl_call *call = &session->calls[n];
        if (call->answered && call->error.kind == RL_OK) {
            check_end_told(lease, n, call->reply->str[i]);
        }
    }
}

bool __wrap_rl_session_settle(rl_session *session, const rl_policy *policy)
{
    bool good = __real_rl_session_settle(session, policy);
    renew_request *one = request_of(session);

    for (size_t i = 0; one != NULL && i < one->count; i++) {
        size_t no = count_answers(session, i, "0"), answers = count_answers(session, i, "01+");
        one->leases[i].is_refused = no > session->nodes - rl_session_majority(session);
        if (one->leases[i].lease != NULL) {
            one->leases[i].lease->under_way--;
            one->leases[i].lease->notice->settled_at = world.now;
            tell("  client %d has %zu of %zu answers to a renewal of %s", world_process()->index, answers,
                 session->nodes, one->leases[i].lease->token);
            one->leases[i].lease->unanswered |= answers < session->nodes;
            check_ends_told(session, one, i);
        }
    }
    return good;
}

/* A holder learns what the servers have said as soon as they have said it. */
static void check_told(const renewed *lease)
{
    for (int i = 0; i < LOCKS; i++) {
        const held_lock *held = &lease->client->held[i];
        lock_lease copy = held->lease;
        if (held->renewal == NULL || !held->renews || strcmp(held->lease.token, lease->token) != 0) {
            continue;
        }
        if (lock_renewal_read(held->renewal, &copy, 0) == LOCK_RENEWAL_ON) {
            violated("told", "client %d is not told that it has lost %s", lease->client->process.index, lock_text(i));
        }
        check_refused_is_told(lease->notice);
    }
}

/* If another one goes on with the token, this one's renewal may still be under way, and says nothing of the other's. */
void __wrap_rl_session_close(rl_session *session)
{
    renew_request *one = request_of(session);

    for (size_t i = 0; one != NULL && i < one->count; i++) {
        const renewed *lease = one->leases[i].lease;
        if (lease != NULL && one->leases[i].is_refused && lease->turn == one->leases[i].turn && lease->active &&
            lease->client == world_process()->self && !lease->client->process.dead) {
            check_told(lease);
        }
    }
    if (one != NULL) {
        one->session = NULL;
    }
    __real_rl_session_close(session);
}

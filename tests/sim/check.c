/* SPDX-License-Identifier: MIT
 *
 * check: see check.h. This file checks the locks.
 */
#include "check.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cluster.h"
#include "group.h"
#include "platform/platform.h"
#include "redis/clock.h"
#include "redis/scripts.h"

#define MAX_TOKENS 4096

/* By how much a call may exceed its timeout. */
#define LATE (51 * MSEC) /* the grace of 50 ms, and what is left of a millisecond */

/* How long a waiter may sleep beside a free lock, if it was not released: see ASLEEP_RELEASED for that. */
#define ASLEEP_ENDED    (600 * MSEC)  /* whose lease has ended, and nothing went wrong */
#define ASLEEP_RELIEVED (450 * MSEC)  /* the same for each client, for one that was relieved of looking */
#define ASLEEP_SIGNALS  (150 * MSEC)  /* after a signal */
#define ASLEEP_STOPPED  (1500 * MSEC) /* behind two waiters that are stopped, and half of that for each other */
#define ASLEEP_FAULTY   (3500 * MSEC) /* after anything else */
#define ASLEEP_WATCHED  (1500 * MSEC) /* after a failover, besides its timeouts */
#define ASLEEP_MOVING   (6500 * MSEC) /* whose slot is open, so that nobody is woken: until it looks next */
#define ASLEEP_BEHIND   (1200 * MSEC) /* longer behind a holder of its machine that has lost the lock */
#define ASLEEP_STILL    (3 * SEC)     /* longer for each of its machine that stands still in line, but the first */

/* Within this time behind the end of an owner, a waiter that was not relieved of looking looks. */
#define LOOKS_WITHIN (700 * MSEC)

/* How long a request that nobody waits for may be under way. */
#define STRAY (200 * MSEC)

/* How long it may take until a lock that was passed on to who does not begin is taken by another one of its machine: that
 * waits for the answer for up to a second. */
#define TAKEN_OVER (1500 * MSEC)

/* How long a waiter may take to find out that those of its machine are gone who were at the lock: as in lock/local/. */
#define LOOKS_AT_FIRST (40 * MSEC) /* the pause between two looks of one that has just come, for each place in line */
#define LOOKS_AT_LAST  SEC         /* the same of one that has waited for long */
#define LOOKS_AT_MOST  (10 * SEC)  /* the longest pause, in whatever place */
#define CLAIMED        (50 * MSEC) /* more, if one of them has claimed the waiter */
#define ANSWERED       SEC /* more, if one of them has passed the lock on to another of them, and told no answer */

#define FOREIGN 0 /* the owner of tokens of no client */

sim_tally tally;

/* Who may release what a token holds. */
typedef struct known_token {
    char text[TOKEN_ROOM];
    int64_t owner;       /* the pid of the process that took the lock with it */
    int64_t other;       /* the pid of one to which it was passed; 0: none */
    int64_t learned_at;  /* true time at which it held a lock first */
    unsigned seen_on;    /* a bit for each server where it has held a lock */
    unsigned late_on;    /* a bit for each server where it took or extended a lock by a request that came too late */
    unsigned again_on;   /* and for each where it took a lock once more by such a request */
    unsigned behind_on;  /* and for each where it did so behind its own release: only an undo is still to come */
    bool is_given_up;    /* the caller has the token, and does nothing with it any more */
    int64_t gone_at;     /* true time at which it lost a lock last; 0: it has not */
    int64_t stray_since; /* true time since when it holds a lock and nobody knows of it; 0: it does not */
    const struct known_token *from; /* the one from which its lock was passed on; NULL: none */
    bool stood;                     /* it has come to the line of its machine */
    bool is_shared;      /* both hold it: when one of them releases it, the other one is not wrong who believes in it */
    bool taken_away;     /* by a script whose task that is, or by a fault: nobody is wrong who believes in it */
    int64_t asked_apart; /* true time at which an old master was asked about it last; 0: it was not */
    bool is_lost; /* the master does not have it: a failover has lost it, or an old master has granted it behind one */
    bool is_shortened; /* the master has it for less time than an old master: a failover has lost an extension */
} known_token;

static known_token tokens[MAX_TOKENS]; /* kept out of `checks`, which is cleared for each run */
static int token_count;

/* A release of a token that held nothing yet. */
typedef struct early_release {
    char token[TOKEN_ROOM];
    int server;
} early_release;

#define EARLY_RELEASES 16 /* so many are remembered */

/* What held a lock on a server when a command had run there last. */
typedef struct last_state {
    char token[TOKEN_ROOM]; /* "": nothing */
    int64_t until;          /* true time at which it ends by itself */
    int64_t end;            /* the same by the server's clock, in ms */
    int64_t set_back;       /* by how much that clock had been set back in all when it was given that end */
    int64_t set_by;         /* the pid of the process that gave it that end */
    const sim_client *by; /* whose renewal has set that end; NULL: something else has, or somebody else counts on it */
} last_state;

static struct {
    const sim_plan *plan;
    last_state last[MAX_NODES][LOCKS];
    int home[LOCKS];             /* of a cluster: the server that had the lock when it was looked at last */
    int64_t lost_until[LOCKS];   /* true time until which something had it on a server that has lost its data then */
    int64_t owned_until[LOCKS];  /* true time until which an owner's token holds it, on server 0 */
    int64_t parked_since[LOCKS]; /* true time since when it is handed over to nobody; 0: it is not */
    bool was_released[LOCKS];    /* and it ended by a release, not by itself */
    int64_t handed_at[LOCKS];    /* true time at which it became a baton last */
    uint64_t blocked;            /* counts the waiters that were blocked */
    int64_t fence[LOCKS];        /* the highest one that was granted */
    bool taken_away;             /* a script that ran in this turn takes a lock from whoever has it, by its task */
    bool asks_for_right;         /* the script that ran takes a lock only if the caller may also release it */
    bool is_broken;              /* the connection of what ran is: nothing can come behind that */
    bool is_unheard;             /* and its client has closed it, or it is broken */
    bool is_repeat;              /* what ran is a request for a lock that says that it was asked for before */
    bool renews_alone;           /* it is a renewal by the lock's key alone, without the note of extensions */
    int64_t undone_at;           /* true time of the last undo */
    early_release early[EARLY_RELEASES]; /* the last ones */
    int early_count;                     /* counts all of them */
    int64_t takes;                       /* counts the queue_takes that were heard of */
    bool wiped;                          /* a server has lost its data */
    int64_t promoted_at;                 /* true time of the last failover; 0: there was none */
    bool forked;                         /* a client has forked, and its parent may stand in line */
    bool pushed;                         /* a script that runs has pushed to a list */
    bool role_is_denied;                 /* at some time in the history, users lack the right to ask for it */
    int64_t renewed_at;                  /* when that was asked for, by the client's clock */
    int64_t asks_for[LOCKS];             /* the lease that it asks for, in ms */
    const char *renews[LOCKS]; /* the token under which the script that ran is to renew the lock; NULL: none */
} checks;

/* ---- what is in the servers ---- */

static size_t key_of(int lock, char out[16])
{
    return (size_t)snprintf(out, 16, "%s%s", PREFIX, lock_text(lock));
}

/* Reads what holds the lock, "" if nothing does. */
static void read_lock(const sim_server *server, int lock, char out[TOKEN_ROOM])
{
    char key[16];
    size_t len, key_len = key_of(lock, key);
    const char *value = redis_string(server->redis, key, key_len, &len);

    snprintf(out, TOKEN_ROOM, "%.*s", value != NULL ? (int)len : 0, value != NULL ? value : "");
}

/* For how much true time the server will keep the lock; NEVER: without end. */
static int64_t server_keeps(const sim_server *server, int lock)
{
    char key[16];
    size_t key_len = key_of(lock, key);
    int64_t ms = redis_ttl(server->redis, key, key_len);

    return ms < 0 ? NEVER : clock_true_span(&server->clock, ms * MSEC - (server_clock(server) - server->caught_up));
}

/* The server that has the lock, or would give it. */
static sim_server *home_of(int lock)
{
    char key[16];
    size_t key_len = key_of(lock, key);

    return net_home(key, key_len);
}

/* The same of the i-th server that clients count. */
static sim_server *server_of(int i, int lock)
{
    return net.server_count > 1 ? net_server(i) : home_of(lock);
}

static bool is_baton(const char *token)
{
    return strncmp(token, "rl:baton:", 9) == 0;
}

static bool is_owner(const char *token)
{
    return token[0] != '\0' && !is_baton(token);
}

/* One that stands in line for a lock gets another time when the lock is passed on. */
static bool is_token(const known_token *known, const char *text)
{
    return strcmp(known->text, text) == 0 || (known->stood && strncmp(known->text, text, LOCK_TOKEN_LEN) == 0);
}

static known_token *find_token(const char *text)
{
    for (int i = token_count; i-- > 0;) {
        if (is_token(&tokens[i], text)) {
            return &tokens[i];
        }
    }
    return NULL;
}

static known_token *learn_token(const char *text, int64_t owner)
{
    known_token *known = find_token(text);

    if (known == NULL && token_count < MAX_TOKENS) {
        known = &tokens[token_count++];
        *known = (known_token){.owner = owner, .learned_at = world.now};
        snprintf(known->text, sizeof(known->text), "%s", text);
    }
    return known;
}

void check_token_passed(const sim_client *to, const char *token)
{
    known_token *known = find_token(token);

    if (known != NULL) {
        known->other = to->process.pid;
    }
}

bool check_is_in_redis(int lock, const char *token)
{
    char holder[TOKEN_ROOM];

    read_lock(server_of(0, lock), lock, holder);
    return strcmp(holder, token) == 0;
}

void check_lines_up(sim_client *client, rl_bytes token)
{
    char text[TOKEN_ROOM];

    snprintf(text, sizeof(text), "%.*s", (int)token.len, token.at);
    known_token *known = learn_token(text, client->process.pid);
    if (known != NULL) {
        known->stood = true;
    }
    client->lined_up = world.now;
}

/* The client that has, or had, this pid. NULL: none has. */
static const sim_client *client_of(int64_t pid)
{
    int64_t index = pid % 1000 - 100;

    return pid != FOREIGN && index >= 0 && index < checks.plan->clients ? &sim_clients[index] : NULL;
}

/* Do both stand in one line of their machine, in which locks are passed on? */
static bool are_neighbours(int64_t pid, int64_t other)
{
    const sim_client *a = client_of(pid), *b = client_of(other);

    return a != NULL && b != NULL && a->line > 0 && a->line == b->line;
}

void check_passed_on(rl_bytes from, rl_bytes to)
{
    char text[TOKEN_ROOM];

    snprintf(text, sizeof(text), "%.*s", (int)from.len, from.at);
    const known_token *before = find_token(text);
    snprintf(text, sizeof(text), "%.*s", (int)to.len, to.at);
    known_token *known = find_token(text);
    if (known != NULL) {
        known->from = before;
    }
    if (known != NULL && before != NULL && !are_neighbours(known->owner, before->owner)) {
        violated("line", "process %" PRId64 " passes a lock on to process %" PRId64 ", which is not in its line",
                 before->owner, known->owner);
    }
}

/* One whose process is there, or a child of that, may go on with what it does under the lock. */
void check_taken_over(const sim_client *client, rl_bytes from)
{
    char text[TOKEN_ROOM];

    snprintf(text, sizeof(text), "%.*s", (int)from.len, from.at);
    const known_token *known = find_token(text);
    for (int i = 0; known != NULL && i < checks.plan->clients; i++) {
        const sim_client *other = &sim_clients[i];
        for (int lock = 0; lock < LOCKS && !other->process.dead; lock++) {
            const held_lock *all[] = {&other->held[lock], &other->parents[lock]};
            for (size_t n = 0; n < 2; n++) {
                if (all[n]->there && is_token(known, all[n]->lease.token)) {
                    violated("takeover", "client %d takes %s over from client %d, which lives", client->process.index,
                             lock_text(lock), i);
                }
            }
        }
    }
}

void check_token_shared(const sim_client *with, const char *token)
{
    known_token *known = find_token(token);

    check_token_passed(with, token);
    if (known != NULL) {
        known->is_shared = true;
    }
}

void check_token_given_up(const char *token)
{
    known_token *known = find_token(token);

    if (known != NULL) {
        known->is_given_up = true;
    }
}

/* Has the token taken a lock there once more, by a request that came too late? Then what its owner does about the lock is
 * over. */
static bool was_taken_again(const sim_server *server, const char *token)
{
    const known_token *known = find_token(token);

    return known != NULL && (known->again_on >> server->index & 1) != 0;
}

/* Of two that hold a lock together, does this one not know until when the other one has asked the server to keep it? */
static bool is_kept_for_another(const sim_client *client, const last_state *last)
{
    const known_token *known = find_token(last->token);

    return known != NULL && known->is_shared && last->set_by != client->process.pid;
}

int64_t check_kept_for(const sim_client *client, const sim_server *server, int lock, const char *token)
{
    const last_state *last = &checks.last[server->index][lock];
    char holds[TOKEN_ROOM];

    read_lock(server, lock, holds);
    if (strcmp(holds, token) != 0 || was_taken_again(server, token) || is_kept_for_another(client, last)) {
        return 0;
    }
    int64_t keeps = server_keeps(server, lock);
    int64_t set_back = clock_true_span(&server->clock, server->set_back - last->set_back);
    return keeps == NEVER ? NEVER : platform_later(keeps - set_back, 0);
}

/* ---- beliefs ---- */

static int64_t validity(const sim_client *client, const held_lock *held)
{
    if (!held->there) {
        return 0;
    }
    lock_lease lease = held_lease(held);
    int64_t left = lock_lease_validity(&lease, clock_at(&client->process.clock, world.now));
    return left == NEVER ? left : clock_true_span(&client->process.clock, left);
}

/* Does the master still have it, for less time than an old master had it? */
static bool is_shortened(const lock_lease *lease)
{
    const known_token *known = find_token(lease->token);

    return known != NULL && known->is_shortened;
}

/* Does nothing on the master hold a lock by this token? */
static bool is_gone(const char *token)
{
    char holds[TOKEN_ROOM];

    for (int lock = 0; lock < LOCKS; lock++) {
        read_lock(home_of(lock), lock, holds);
        if (strcmp(holds, token) == 0) {
            return false;
        }
    }
    return true;
}

/* Is the token's lock gone for a reason that no lease lock survives? Of a lease that a failover has made shorter, the end is
 * such a reason. */
static bool is_voided(const lock_lease *lease)
{
    const known_token *known = find_token(lease->token);

    /* A lock that was passed on, and that no server has had by this token yet, is gone with that of the token before. */
    while (known != NULL && known->seen_on == 0 && known->from != NULL) {
        known = known->from;
    }
    return known != NULL && (known->taken_away || known->is_lost || (known->is_shortened && is_gone(lease->token)));
}

/* Does this token hold the lock for the lease? Until it is known what Redis says to the passing of the lock, the one
 * before does too, if no server has had the lock by its own. */
static bool is_for(const char *token, const lock_lease *lease)
{
    const known_token *known = find_token(lease->token);
    bool is_before =
        known != NULL && known->seen_on == 0 && known->from != NULL && strcmp(token, known->from->text) == 0;

    return strcmp(token, lease->token) == 0 || is_before;
}

/* A lease is believed only as long as a majority of the servers keep the lock. */
static void check_belief(const sim_client *client, int lock, const held_lock *held, int64_t left)
{
    int keep = 0;
    char token[TOKEN_ROOM];

    for (int i = 0; i < net.server_count; i++) {
        read_lock(server_of(i, lock), lock, token);
        keep += is_for(token, &held->lease) &&
                (server_keeps(server_of(i, lock), lock) >= left || is_shortened(&held->lease));
    }
    if (keep <= net.server_count / 2) {
        read_lock(server_of(0, lock), lock, token);
        violated("belief",
                 "client %d believes for %" PRId64 " µs that it holds %s with %s, and %d of %d servers keep that; "
                 "server 0 has %s for %" PRId64 " µs",
                 client->process.index, left, lock_text(lock), held->lease.token, keep, net.server_count, token,
                 server_keeps(server_of(0, lock), lock));
    }
}

static bool is_shared(const lock_lease *lease)
{
    const known_token *known = find_token(lease->token);

    return known != NULL && known->is_shared;
}

/* Adds a belief to those in the lock, and checks it. */
static void count_belief(const sim_client *client, int lock, const held_lock *held, int *believers)
{
    int64_t left = validity(client, held);

    if (left > 0 && !is_voided(&held->lease)) {
        check_belief(client, lock, held, left);
        *believers += *believers == 0 || !is_shared(&held->lease);
        if (*believers > 1) {
            violated("exclusion", "client %d believes that it holds %s, and so does another", client->process.index,
                     lock_text(lock));
        }
    }
}

void check_beliefs(void)
{
    for (int i = 0; i < net.data_count; i++) {
        server_catch_up(&net.servers[i]);
    }
    for (int lock = 0; lock < LOCKS; lock++) {
        int believers = 0;
        for (int i = 0; i < checks.plan->clients; i++) {
            if (!sim_clients[i].process.dead) {
                count_belief(&sim_clients[i], lock, &sim_clients[i].held[lock], &believers);
                count_belief(&sim_clients[i], lock, &sim_clients[i].parents[lock], &believers);
            }
        }
    }
}

/* Of each lock, only the token that held it on this server is concerned. */
void check_wiped(sim_server *server)
{
    checks.wiped = true;
    for (int lock = 0; lock < LOCKS; lock++) {
        known_token *known = find_token(checks.last[server->index][lock].token);
        if (known != NULL) {
            known->taken_away = true;
        }
        checks.lost_until[lock] =
            checks.last[server->index][lock].until > world.now ? world.now : checks.lost_until[lock];
    }
    memset(checks.last[server->index], 0, sizeof(checks.last[server->index]));
    check_queues_wiped();
    check_values_wiped(server);
}

void check_forked(void)
{
    tally.forked++;
    checks.forked = true; /* the parent does nothing any more, not even with what it is served */
}

/* ---- what a server does ---- */

/* Is this the script of the call? */
static bool calls(const rl_script *script, const char *const *argv, const size_t *len)
{
    bool by_text = len[1] == script->text_len && memcmp(argv[1], script->text, len[1]) == 0;

    return by_text || (len[1] == 40 && strstr(script->evalsha, argv[1]) != NULL);
}

const rl_script *check_script(size_t argc, const char *const *argv, const size_t *len)
{
    static const rl_script *const all[] = {
        &rl_script_acquire,       &rl_script_acquire_all,    &rl_script_cache_fetch,   &rl_script_cache_forget,
        &rl_script_cache_store,   &rl_script_extend,         &rl_script_extend_all,    &rl_script_force,
        &rl_script_look,          &rl_script_owner,          &rl_script_queue_dead,    &rl_script_queue_dequeue,
        &rl_script_queue_enqueue, &rl_script_queue_put_back, &rl_script_queue_requeue, &rl_script_queue_settle,
        &rl_script_queue_stats,   &rl_script_queue_take,     &rl_script_queue_top,     &rl_script_raise_fence,
        &rl_script_release,       &rl_script_release_all,    &rl_script_rename,        &rl_script_renew,
        &rl_script_renew_one,     &rl_script_waiters};
    static const struct {
        const rl_script *alone, *of;
    } stand_ins[] = {{&rl_script_acquire_alone, &rl_script_acquire}, {&rl_script_release_alone, &rl_script_release},
                     {&rl_script_extend_alone, &rl_script_extend},   {&rl_script_renew_alone, &rl_script_renew_one},
                     {&rl_script_owner_alone, &rl_script_owner},     {&rl_script_force_alone, &rl_script_force}};

    for (size_t i = 0; argc > 2 && i < sizeof(all) / sizeof(*all); i++) {
        if (calls(all[i], argv, len)) {
            return all[i];
        }
    }
    for (size_t i = 0; argc > 2 && i < sizeof(stand_ins) / sizeof(*stand_ins); i++) {
        if (calls(stand_ins[i].alone, argv, len)) {
            tally.stand_ins++;
            return stand_ins[i].of;
        }
    }
    return NULL;
}

/* The argument behind the keys, "" if there is none. Arguments may hold any bytes, but ours hold no NUL. */
static const char *argument(size_t argc, const char *const *argv, size_t i)
{
    size_t at = argc > 2 ? 3 + (size_t)atoi(argv[2]) + i : argc;

    return at < argc ? argv[at] : "";
}

static void tell_script(const sim_server *server, const sim_client *by, const rl_script *script, size_t argc,
                        const char *const *argv)
{
    char client[40] = "nobody";

    if (by != NULL) {
        snprintf(client, sizeof(client), "client %d", by->process.index);
    }
    tell("  server %d runs %s for %s: %.20s, %.40s%s", server->index, script->name, client, argv[3],
         argument(argc, argv, 0), checks.pushed ? ", and pushes to a list" : "");
}

/* Is it a request for a lock that says that an earlier one may have run? */
static bool is_repeat(const rl_script *script, size_t argc, const char *const *argv)
{
    return script == &rl_script_acquire && strcmp(argument(argc, argv, 5), "1") == 0;
}

static void observe_script(const rl_script *script, size_t argc, const char *const *argv)
{
    if (script == &rl_script_look && checks.pushed) {
        tally.look_hand_overs++;
    } else if (is_repeat(script, argc, argv)) {
        tally.repeats++;
    } else if (script == &rl_script_rename) {
        tally.renamed++;
    } else if (script == &rl_script_release && argument(argc, argv, 2)[0] != '\0') {
        tally.undos++;
        checks.undone_at = world.now;
    } else if (script == &rl_script_extend && strcmp(argument(argc, argv, 4), "1") == 0) {
        tally.notes++;
    }
}

/* A server that stood still may read a connection that was made later first: the release of a token finds nothing, and the
 * request for the lock is read behind it, over the connection that was given up. Then the undo on that connection releases the
 * lock. If a replica refuses the undo, only the lease ends it: nobody hears of that refusal. */
static void note_release(sim_server *server, const char *token)
{
    known_token *known = find_token(token);
    unsigned here = 1U << server->index;

    if (known == NULL) {
        early_release *early = &checks.early[checks.early_count++ % EARLY_RELEASES];
        snprintf(early->token, sizeof(early->token), "%s", token);
        early->server = server->index;
    } else if (checks.is_unheard && (known->behind_on & here) != 0 && !redis_is_master(server->redis)) {
        known->late_on |= here;
    }
}

static bool was_released_early(const sim_server *server, const char *token)
{
    for (int i = 0; i < EARLY_RELEASES; i++) {
        if (checks.early[i].server == server->index && strcmp(checks.early[i].token, token) == 0) {
            return true;
        }
    }
    return false;
}

/* What a token holds is released by its owner, or if that is the script's task; or by one to which its lock was passed on. */
static void check_end_of(int64_t by, const char *token)
{
    known_token *known = find_token(token);

    bool is_neighbour = known != NULL && are_neighbours(by, known->owner);

    if (known != NULL && (checks.taken_away || known->is_shared)) {
        known->taken_away = true;
    } else if (known != NULL && by != known->owner && by != known->other && !is_neighbour) {
        violated("owner only", "process %" PRId64 " ends what the token %s holds, which process %" PRId64 " has taken",
                 by, token, known->owner);
    }
}

/* A parked baton is for those who stand in line, and they come first for a while. */
static void check_barging(const sim_client *by, int lock, const char *before)
{
    bool waits = by->op != NULL && by->op->timeout > 0;

    if (!checks.plan->is_clean || waits || !is_baton(before) || world.now - checks.handed_at[lock] > 200 * MSEC) {
        return;
    }
    for (int i = 0; i < checks.plan->clients; i++) {
        const sim_client *other = &sim_clients[i];
        if (other != by && client_asks_for(other, lock) && other->in_line &&
            other->began + other->op->timeout > world.now + 500 * MSEC) {
            violated("order", "client %d, which does not wait, takes %s, which was handed over to a waiter",
                     by->process.index, lock_text(lock));
        }
    }
}

/* Does nothing befall the clients but slots that move? */
static bool is_only_moves(void)
{
    const sim_plan *plan = checks.plan;
    bool only = plan->masters > 0 && plan->pause_one_in == 0;

    for (size_t i = 0; i < plan->fault_count; i++) {
        only &= plan->faults[i].off || plan->faults[i].kind >= FAULT_MOVE_SLOT;
    }
    return only;
}

/* Does the order of waiters count again, or still? While the slot moves, nobody stands in line; within a second all do. */
static bool is_in_line_again(int lock)
{
    char key[16];
    int64_t moved_at = cluster_moved_at(key, key_of(lock, key));

    return moved_at == 0;
}

/* How long before its deadline a waiter may block anew, behind the others: Redis ends its BLPOP by its own clock, and the
 * two may drift apart by 6 ms a second. */
static int64_t blocks_anew_before_end(const sim_client *client)
{
    return platform_later(100 * MSEC, client->op->timeout / 1000 * 6 + 10 * MSEC);
}

/* If nothing goes wrong, those that block first are served first. With its last try, at its deadline by its clock, a waiter may
 * take a lock whose lease has just ended; and one that undoes a try of that kind may hand over twice, so that whoever is served
 * first blocks anew. A waiter that was served, and whose lease is over or was ended before the reply comes, is behind the
 * others. */
static void check_order(const sim_client *client, int lock)
{
    bool counts = checks.plan->is_clean || (is_only_moves() && is_in_line_again(lock));

    if (client->op == NULL || !counts || net.server_count > 1 || client->op->kind != OP_LOCK ||
        client->op->timeout == 0) {
        return;
    }
    if (client->began + clock_true_span(&client->process.clock, client->op->timeout) - world.now < 10 * MSEC) {
        return;
    }
    for (int i = 0; i < checks.plan->clients; i++) {
        const sim_client *other = &sim_clients[i];
        if (other != client && client_asks_for(other, lock) && other->blocked != 0 && !other->is_served &&
            (client->blocked == 0 || other->blocked < client->blocked) && checks.undone_at < other->began &&
            other->began + clock_true_span(&other->process.clock, other->op->timeout) >
                world.now + blocks_anew_before_end(other)) {
            violated("order", "client %d gets %s before client %d, which came first", client->process.index,
                     lock_text(lock), i);
        }
    }
}

static void check_new_owner(sim_server *server, sim_client *by, int64_t pid, int lock, const char *before,
                            const char *token)
{
    known_token *known = learn_token(token, pid);
    int64_t keeps = server_keeps(server, lock);

    if (known != NULL) {
        unsigned here = 1U << server->index;
        snprintf(known->text, sizeof(known->text), "%s", token);
        bool comes_again = checks.is_unheard && (known->seen_on & here) != 0;
        bool comes_behind = known->other != 0 && known->gone_at != 0; /* and the release, which is another process's */
        known->late_on |= checks.is_broken || comes_again || comes_behind ? here : 0;
        known->again_on |= comes_again ? here : 0;
        known->behind_on |= checks.is_unheard && was_released_early(server, token) ? here : 0;
        known->seen_on |= here;
        if (strcmp(token, SAME_TOKEN) == 0) {
            known->owner = pid; /* whoever took a lock with it last */
            known->learned_at = world.now;
            known->stray_since = 0;
        }
    }
    if (known != NULL && server == server_of(0, lock)) {
        known->is_lost = known->is_shortened = false;
    }
    tally.batons += is_baton(before);
    if (net.server_count == 1 && checks.asks_for_right && server->denied != NULL &&
        strcmp(server->denied, "DEL") == 0) {
        violated("rights", "process %" PRId64 " takes %s, and has no right to release it", pid, lock_text(lock));
    }
    if (by != NULL && net.server_count == 1) {
        check_barging(by, lock, before);
        check_order(by, lock);
        by->is_served |= client_asks_for(by, lock);
    }
    if (by != NULL &&
        (keeps == NEVER || keeps > checks.plan->longest_lease + checks.plan->longest_lease / 100 + MSEC)) {
        violated("lease", "the server keeps %s with %s for %" PRId64 " µs, longer than any lease", lock_text(lock),
                 token, keeps);
    }
}

/* Does the client do something at present that it may have drawn the token for, or that gives it up? */
static bool is_busy_with(const sim_client *client, const known_token *known)
{
    bool is_drawing = client->op != NULL && client->op->kind != OP_SLEEP && known->learned_at >= client->began;

    return is_drawing || (client->carried != NULL && strcmp(client->carried, known->text) == 0);
}

/* Does the client owe this server the release of the token? */
static bool owes(sim_client *client, int server, int lock, const char *token)
{
    rl_backlog_server *at = rl_backlog_join(&client->backlog, &client->endpoints[net_number(&net.servers[server])]);
    char key[16];
    size_t key_len = key_of(lock, key);
    rl_request release;

    rl_request_begin(&release, &rl_script_release);
    rl_request_add(&release, (rl_bytes){key, key_len});
    release.keys = 1;
    rl_request_add(&release, (rl_bytes){token, strlen(token)});
    int64_t until = rl_backlog_until(at, &release);
    rl_backlog_leave(at);
    return until != 0;
}

/* Has the client that has, or had, this pid come to its end? Its connections ended with it, also one that was being made. */
static bool has_ended(int64_t pid)
{
    for (int i = 0; i < checks.plan->clients; i++) {
        if (sim_clients[i].process.pid == pid && sim_clients[i].ends) {
            return true;
        }
    }
    return false;
}

/* Several servers leave a release to the lease at one that did not answer, if a caller has the token: see docs/redlock.md. */
static bool is_left_to_the_lease(const known_token *known, int server)
{
    bool is_callers =
        known->other != 0 || strncmp(known->text, "own:", 4) == 0 || strcmp(known->text, "rl:nobody") == 0;

    return net.server_count > 1 && is_callers &&
           (net.servers[server].troubled || has_ended(known->other != 0 ? known->other : known->owner));
}

/* Of two that hold a lock together, any may be the one that knows of it. What a server keeps for longer than its lease, since
 * its clock was set back, nobody knows any more. */
static bool may_be_unknown(const known_token *known, const sim_server *server)
{
    return known->is_shared || server->set_back > 0;
}

/* Does another client of the same machine know of it, which has taken the lock over? */
static bool is_known_to_neighbour(sim_client *client, int server, int lock, const known_token *known)
{
    const held_lock *held = &client->held[lock];
    const known_token *own = held->there ? find_token(held->lease.token) : NULL;

    return (own != NULL && lock_pass_is_open(&held->lease) && own->from == known) ||
           owes(client, server, lock, known->text);
}

/* Does a client of the token's machine wait for the lock, so that it may take it over? */
static bool is_awaited_by_neighbour(const known_token *known, int lock)
{
    for (int i = 0; i < checks.plan->clients; i++) {
        const sim_client *client = &sim_clients[i];
        if (are_neighbours(client->process.pid, known->owner) && client_asks_for(client, lock)) {
            return true;
        }
    }
    return false;
}

/* Is the process gone: killed, or the parent of the one that goes on? */
static bool is_gone_process(int64_t pid)
{
    const sim_client *client = client_of(pid);

    return client != NULL && (client->process.dead || client->process.pid != pid);
}

/* Was its lock passed on to one that is gone? If the renaming was lost, too, the lock has the token before, and stays
 * as that of a holder that was killed. */
static bool is_passed_on_to_the_gone(const known_token *known)
{
    for (int i = 0; i < token_count; i++) {
        if (tokens[i].from == known && is_gone_process(tokens[i].owner)) {
            return true;
        }
    }
    return false;
}

/* Does the process know of the token: it holds the lock, is about to, or owes its release? */
static bool is_known_to_owner(const known_token *known, int server, int lock)
{
    int64_t owner = known->other != 0 ? known->other : known->owner;

    if ((known->late_on >> server & 1) != 0 || server_has_refused(&net.servers[server], known->text) ||
        may_be_unknown(known, &net.servers[server]) || is_passed_on_to_the_gone(known)) {
        return true;
    }
    for (int i = 0; i < checks.plan->clients; i++) {
        sim_client *client = &sim_clients[i];
        const held_lock *all[] = {&client->held[lock], &client->parents[lock]};
        if (client->process.pid % 1000 != owner % 1000) {
            if (are_neighbours(client->process.pid, owner) && is_known_to_neighbour(client, server, lock, known)) {
                return true;
            }
            continue;
        }
        if (client->process.dead || client->process.pid != owner || owes(client, server, lock, known->text) ||
            is_busy_with(client, known)) {
            return true;
        }
        for (int k = 0; k < 2; k++) {
            if (all[k]->there && strcmp(all[k]->lease.token, known->text) == 0) {
                return true;
            }
        }
    }
    return owner == FOREIGN || known->is_given_up || is_left_to_the_lease(known, server);
}

/* No lock is held by a token of which nobody knows, for longer than what is under way takes. */
static void check_stray(int server, int lock)
{
    const last_state *last = &checks.last[server][lock];
    known_token *known = is_owner(last->token) && last->until > world.now ? find_token(last->token) : NULL;

    if (known == NULL) {
        return;
    }
    if (is_known_to_owner(known, server, lock)) {
        known->stray_since = 0;
        return;
    }
    int64_t *since = &known->stray_since;
    *since = *since == 0 ? world.now : *since;
    int64_t from = platform_later(*since, world.end_of_faults);
    if (world.now - from > (is_awaited_by_neighbour(known, lock) ? TAKEN_OVER : STRAY)) {
        violated("nobody", "%s is held by %s on server %d, of which nobody has known for %" PRId64 " ms",
                 lock_text(lock), known->text, server, (world.now - *since) / MSEC);
    }
}

/* With several servers, what is undone or released is lost with a connection that breaks, and if none can be made: the other
 * servers are enough, and the lease ends on this one. */
static void check_strays(void)
{
    for (int i = 0; i < net.server_count; i++) {
        for (int lock = 0; lock < LOCKS; lock++) {
            check_stray(server_of(i, lock)->index, lock);
        }
    }
}

/* Does any client wait for this lock, or is about to have it? */
static bool is_asked_for(int lock)
{
    for (int i = 0; i < checks.plan->clients; i++) {
        const sim_client *client = &sim_clients[i];
        if (client->process.dead || client->process.lost_bytes) {
            return true; /* its place in line may be left */
        }
        if (client->op != NULL && client->op->kind != OP_SLEEP &&
            (client->op->kind == OP_LOCK_ALL || op_lock(client->op) == lock)) {
            return true;
        }
    }
    return false;
}

/* With one server, and as long as no connection broke: no lock is handed over to nobody for longer than what is under
 * way takes. */
static void check_parked(void)
{
    bool all_come = net.server_count == 1 && net.cuts + net.silences == 0 && net.set_back == 0;

    for (int lock = 0; lock < LOCKS && all_come; lock++) {
        const last_state *last = &checks.last[home_of(lock)->index][lock];
        if (!is_baton(last->token) || last->until <= world.now || is_asked_for(lock)) {
            checks.parked_since[lock] = 0;
            continue;
        }
        int64_t *since = &checks.parked_since[lock];
        *since = *since == 0 ? world.now : *since;
        int64_t from = platform_later(*since, world.end_of_faults);
        if (world.now - from > STRAY) {
            violated("nobody", "%s is handed over to nobody for %" PRId64 " ms", lock_text(lock),
                     (world.now - from) / MSEC);
        }
    }
}

/* The number of clients that are stopped while they wait for the lock. */
static int count_stopped(int lock)
{
    int count = 0;

    for (int i = 0; i < checks.plan->clients; i++) {
        const sim_client *client = &sim_clients[i];
        count += client->process.stopped_until > world.now && client->op != NULL && op_lock(client->op) == lock;
    }
    return count;
}

/* How long a waiter may sleep because it was relieved of looking. Three waiters look often. They may all be served behind
 * the last look of a fourth, and let the lease end or be stopped. */
static int64_t relieved_for(const sim_client *client, int lock)
{
    bool may_be = checks.plan->clients > 3 && client->looked_at <= checks.handed_at[lock];

    return may_be ? checks.plan->clients * ASLEEP_RELIEVED : 0;
}

/* How long behind `from` a waiter looked again that had been relieved of looking; 0: it has not, or was not relieved. Nobody
 * else may have looked meanwhile, and the look may hand the lock over to a waiter that is stopped. */
static int64_t back_after(const sim_client *client, int64_t from)
{
    int64_t after = client->back_at - from;

    return checks.plan->clients > 3 && after > LOOKS_WITHIN ? after : 0;
}

/* Do only failovers befall the clients, and nothing else? */
static bool is_only_failovers(void)
{
    const sim_plan *plan = checks.plan;
    bool only = plan->sentinels + plan->masters > 0 && plan->pause_one_in == 0;

    for (size_t i = 0; i < plan->fault_count; i++) {
        only &= plan->faults[i].off || plan->faults[i].kind >= FAULT_FAILOVER;
    }
    return only;
}

/* `from`: since when it could have had the lock. */
static int64_t asleep_bound(const sim_client *client, int lock, int64_t from)
{
    const sim_plan *plan = checks.plan;

    if (plan->is_clean) {
        return checks.was_released[lock] && plan->latency <= 200
                   ? ASLEEP_RELEASED
                   : platform_later(ASLEEP_ENDED, relieved_for(client, lock));
    }
    if (is_only_moves() && !is_in_line_again(lock)) {
        return ASLEEP_MOVING;
    }
    if (plan->sentinels > 0 && is_only_failovers()) {
        return ASLEEP_WATCHED + plan->read_timeout + plan->connect_timeout;
    }
    if (checks.forked || net.cuts > 0) {
        return ASLEEP_FAULTY;
    }
    if (plan->pause_one_in == 0 && plan->only == FAULT_SIGNAL && checks.was_released[lock] && plan->latency <= 200) {
        return ASLEEP_SIGNALS;
    }
    if (plan->pause_one_in == 0 && plan->only == FAULT_STOP_CLIENT) {
        int stopped = count_stopped(lock);
        int64_t bound =
            ASLEEP_STOPPED + (stopped > 2 ? (stopped - 2) * ASLEEP_STOPPED / 2 : 0) + back_after(client, from);
        return platform_earlier(platform_later(bound, relieved_for(client, lock)), ASLEEP_FAULTY);
    }
    return ASLEEP_FAULTY;
}

/* Has the client to do with the lock in the line of its machine: does it ask for it, has it the turn, or may it be about to let
 * go of that? */
static bool is_at(const sim_client *client, int lock)
{
    const sim_op *op = client->op;
    bool lets_go = client->ends || (op != NULL && op->kind == OP_UNLOCK_ALL);
    bool asks = op != NULL && op_lock(op) == lock && op->kind != OP_SLEEP;

    return lets_go || asks || client->held[lock].lease.turn != NULL || (client->turns_ending >> lock & 1) != 0;
}

void check_gone(sim_client *client, int64_t from)
{
    for (int lock = 0; lock < LOCKS; lock++) {
        if (is_at(client, lock)) {
            client->gone_at[lock] = platform_later(client->gone_at[lock], from);
            client->gone_count[lock]++;
        }
    }
}

/* Does another client of its machine stand in line for the lock, or has it the turn there, or had it since this one asks?
 * Behind that one others wait, whatever has become of the lock in Redis. */
static bool has_neighbour(const sim_client *client, int lock)
{
    for (int i = 0; i < checks.plan->clients && client->process.machine > 0; i++) {
        const sim_client *other = &sim_clients[i];
        bool had_it = other->turn_until[lock] >= client->began; /* also if it has ended */
        bool is_there =
            other != client ? had_it || (is_at(other, lock) && !other->done) : client->held[lock].lease.turn != NULL;
        if (are_neighbours(client->process.pid, other->process.pid) && !other->process.dead && is_there) {
            return true;
        }
    }
    return false;
}

/* Since the last of those of its machine is gone that were at the lock, was there too little time for the client to find out
 * that they are, and to ask Redis? The longer nothing has moved, the more seldom it looks for that, and the further behind it
 * stands: see docs/local.md. It looks at once if it comes later. */
static bool waits_for_the_gone(const sim_client *client, int lock)
{
    int64_t gone_at = 0, count = 0;

    for (int i = 0; i < checks.plan->clients && client->process.machine > 0; i++) {
        const sim_client *other = &sim_clients[i];
        if (are_neighbours(client->process.pid, other->process.pid)) {
            gone_at = platform_later(gone_at, other->gone_at[lock]);
            count += other->gone_count[lock];
        }
    }
    int64_t since = platform_later(client->began, gone_at);
    int64_t pause = platform_later(LOOKS_AT_FIRST, platform_earlier((since - client->began) / 4, LOOKS_AT_LAST));
    int64_t span = platform_earlier(count * pause, LOOKS_AT_MOST) + CLAIMED + (count > 1 ? ANSWERED : 0);
    return count > 0 && world.now - since - process_idled(&client->process, since) <= span + span / 50;
}

#define LETS_GO (20 * MSEC) /* within which those behind one that has let go of a lock ask Redis for it */

/* Is it about to let go of the lock, or has it just done so? */
static bool lets_go_of(const sim_client *client, int lock)
{
    const sim_op *op = client->op;

    return world.now - client->turn_until[lock] < LETS_GO ||
           (op != NULL && op_lock(op) == lock && op->kind == OP_UNLOCK && !client->process.dead);
}

/* Does another client of its machine hold the lock, which was taken away from it, and has not learnt that, or for longer
 * than its lease? Those behind it trust it for 3 s from when the first of them saw it, or until the lease ends; and one
 * that has become the first since may look 1 s later. */
static bool has_lost_neighbour(const sim_client *client, int lock)
{
    for (int i = 0; i < checks.plan->clients; i++) {
        const sim_client *other = &sim_clients[i];
        const held_lock *held = &other->held[lock];
        bool is_over = lock_lease_validity(&held->lease, clock_at(&other->process.clock, world.now)) <= 0;
        bool holds = held->lease.turn != NULL && (is_over || is_voided(&held->lease));
        if (are_neighbours(client->process.pid, other->process.pid) && (holds || lets_go_of(other, lock))) {
            return true;
        }
    }
    return false;
}

/* Does the plan have processes of a machine stand still for as long as anybody waits? */
static bool has_stops_for_ever(const sim_plan *plan)
{
    bool has = false;

    for (size_t i = 0; i < plan->fault_count && plan->machines > 0; i++) {
        has |= plan->faults[i].kind == FAULT_STOP_AT_POINT && plan->faults[i].span >= 60 * SEC;
    }
    return has;
}

/* For how much longer may a client sleep because of what others of its machine do, or do not? */
static int64_t held_up_by_neighbours(const sim_client *client, int lock)
{
    int stopped = has_stops_for_ever(checks.plan) ? count_stopped(lock) : 0;

    return (has_lost_neighbour(client, lock) ? ASLEEP_BEHIND : 0) + (stopped > 1 ? (stopped - 1) * ASLEEP_STILL : 0);
}

/* Is an operation under way that waits for this lock, and was nothing in its way for so long? */
static bool is_asleep(const sim_client *client, int lock, int64_t *since)
{
    int64_t from = checks.owned_until[lock];

    if (client->op == NULL || client->op->kind != OP_LOCK || op_lock(client->op) != lock || client->process.dead ||
        client->op->timeout == 0 || client->began + client->op->timeout < world.now) {
        return false;
    }
    from = platform_later(from, client->began);
    from = platform_later(from, world.end_of_faults);
    from = platform_later(from, client->process.stopped_until);
    if (checks.plan->fencing || checks.plan->max_waiters > 0) { /* which need more than the key of the lock */
        char key[16];
        from = platform_later(from, net.masters > 0 ? cluster_moved_at(key, key_of(lock, key)) : 0);
    }
    *since = world.now - from;
    return *since > asleep_bound(client, lock, from) + held_up_by_neighbours(client, lock);
}

/* With one server: nobody sleeps beside a lock that is free. */
static void check_sleepers(void)
{
    int64_t since;

    for (int lock = 0; lock < NAMES && net.server_count == 1 && net.set_back == 0; lock++) {
        for (int i = 0; i < checks.plan->clients && checks.owned_until[lock] <= world.now; i++) {
            if (is_asleep(&sim_clients[i], lock, &since)) {
                violated("asleep", "client %d waits for %s, which has been nobody's for %" PRId64 " ms", i,
                         lock_text(lock), since / MSEC);
            }
        }
    }
}

static void note_owned(const sim_server *server, int lock, const char *token)
{
    int64_t *until = &checks.owned_until[lock];

    if (server != server_of(0, lock)) {
        return;
    }
    if (is_owner(token)) {
        int64_t keeps = server_keeps(server, lock);
        *until = keeps == NEVER ? NEVER : world.now + keeps;
        checks.was_released[lock] = false;
    } else if (*until > world.now) {
        *until = world.now;
        checks.was_released[lock] = true;
    }
}

/* Notes that a waiter blocks, or is served at once, which is its place in line. One that was given the lock since has a new
 * place. */
static void note_in_line(sim_client *by)
{
    if (by->op != NULL && by->op->kind == OP_LOCK && (by->blocked == 0 || by->is_served)) {
        memset(by->passed_since, 0, sizeof(by->passed_since));
        by->blocked = ++checks.blocked;
        by->waits_since = by->waits_since != 0 ? by->waits_since : world.now;
        by->is_served = false;
    }
}

/* Notes that a lock goes to another one of the line, while others stand in that of Redis. */
static void note_renaming(const sim_client *by, const char *key)
{
    for (int i = 0; i < checks.plan->clients; i++) {
        sim_client *other = &sim_clients[i];
        char own[16];
        if (other->op != NULL && other->op->kind == OP_LOCK && other->blocked != 0 && !other->is_served &&
            key_of(op_lock(other->op), own) > 0 && strcmp(own, key) == 0 && other->passed_since[by->line] == 0) {
            other->passed_since[by->line] = world.now;
        }
    }
}

/* By how many ms a mark moves the end of a lease, which stays the same one: see lua/inc/mark.lua. */
#define MARKED 6

/* A renewal makes the lease of its token longer, and leaves all else alone. It makes it shorter only if it has set that itself,
 * before the server's clock was set back. One that comes late undoes no extension, but where the move of the slot, for which it
 * was sent, was cancelled just then. */
static void check_renewed(const sim_server *server, const sim_client *by, int lock, const char *before,
                          const char *token, int64_t kept, int64_t keeps, bool may_shorten)
{
    bool is_own = strcmp(before, checks.renews[lock]) == 0;
    bool marks =
        keeps > checks.asks_for[lock] * MSEC && keeps - kept <= MARKED * MSEC; /* a longer lease, which stays */

    if (strcmp(before, token) != 0) {
        violated("owner only", "a renewal of %s makes %s of %s", lock_text(lock), token, before);
    } else if (keeps < kept - 3 * MSEC && may_shorten) {
        tally.made_short++;
    } else if (keeps < kept - 3 * MSEC) {
        violated("shorter", "a renewal leaves %" PRId64 " µs of %s, which had %" PRId64, keeps, lock_text(lock), kept);
    } else if (keeps > kept + 3 * MSEC && !marks && check_renewal_is_overtaken(by, token, checks.renewed_at) &&
               !was_taken_again(server, token) && !net_is_apart(server) && !checks.renews_alone) {
        violated("undone", "a renewal of %s undoes an extension that was asked for behind it", lock_text(lock));
    } else if (!is_own && keeps > kept + 3 * MSEC) {
        violated("owner only", "a renewal of %s for %s lengthens the lease of %s", lock_text(lock), checks.renews[lock],
                 before);
    }
}

/* The end of a lease by the server's clock, in ms; 0: there is none. */
static int64_t end_of(const sim_server *server, int lock)
{
    char key[16];
    int64_t ms = redis_ttl(server->redis, key, key_of(lock, key));

    return ms < 0 ? 0 : server->caught_up / MSEC + ms;
}

/* By how many ms two ends differ at most that are the same one to a renewal: see MOST_TAKEN in src/lock/ends.c. If another has
 * set one of them before the clock was set back, it counts on less than the renewal leaves when it makes that short. */
#define SAME_END 2

/* Notes who has set the end of a lease. A renewal that finds a longer lease marks its end: if that is its own, it stays so. */
static void note_end(const sim_server *server, const sim_client *by, int64_t pid, int lock, last_state *last)
{
    int64_t was = last->by == by ? last->end : 0, end = end_of(server, lock);
    bool renews = by != NULL && checks.renews[lock] != NULL && strcmp(checks.renews[lock], last->token) == 0;
    bool is_longer = renews && end != server->caught_up / MSEC + checks.asks_for[lock];
    bool is_same = end == last->end || (llabs(end - last->end) <= SAME_END && last->set_back == server->set_back);

    if (renews) {
        check_renewal_end(server, last->token, was, end, is_longer);
        last->by = is_longer && was == 0 ? NULL : by;
    } else if (!is_same) {
        last->by = NULL;
    }
    if (llabs(end - last->end) > MARKED) {
        last->set_back = server->set_back;
        last->set_by = pid;
    }
    last->end = end;
}

/* ---- failovers ---- */

/* Does it hold for each connection that all sentinels which can be reached answer in half of its time? */
static bool sentinels_answer_in_time(void)
{
    return is_only_failovers() && checks.plan->latency * 80 <= checks.plan->connect_timeout / 2;
}

/* For how long a majority of the sentinels has known that another node is the master, if all can be reached; 0 if that cannot
 * be said. */
static int64_t known_for(const sim_server *server)
{
    bool all_answer = sentinels_answer_in_time();

    for (int i = net.data_count; i < net.node_count; i++) {
        all_answer &= net_apart_until(&net.servers[i]) == 0;
    }
    return group_is_apart(server) && all_answer && net.known_at != 0 ? world.now - net.known_at : 0;
}

/* Do the old masters of all failovers go on all the time, so that nothing comes to them late? */
static bool old_masters_go_on(void)
{
    bool all = true;

    for (size_t i = 0; i < checks.plan->fault_count; i++) {
        const sim_fault *fault = &checks.plan->faults[i];
        all &= fault->off || fault->kind == FAULT_SPLIT_BRAIN || fault->kind == FAULT_FAILOVER;
    }
    return all;
}

/* If another node is known to be the master, a connection that was kept is left when it has made sure of its server. A call at
 * its end has no time for that if messages take long. */
static void check_grant_apart(const sim_server *server, const char *token)
{
    int64_t known = known_for(server);

    if (old_masters_go_on() && checks.plan->latency <= MSEC &&
        known > RL_ROUTE_AGE + 20 * MSEC + 160 * checks.plan->latency) {
        violated("route",
                 "server %d grants %s, and a majority of the sentinels has known for %" PRId64
                 " ms that server %d is the master",
                 server->index, token, known / MSEC, net.master);
    }
}

/* The master does not have what an old master has granted to this token. */
static void note_lost(const char *token)
{
    known_token *known = find_token(token);

    if (known != NULL && !known->is_lost) {
        known->is_lost = true;
        known->gone_at = world.now;
        tally.lost_grants++;
        tell("  the failover has lost what %s holds", token);
    }
}

/* An old master goes on as one. The master knows nothing of that: of grants, extensions and releases. */
static void note_apart(const sim_server *old, int lock, const char *before, const char *token)
{
    int place = net_place_of(old)->index;
    const last_state *there = &checks.last[place][lock];
    bool is_known = there->until > world.now && strcmp(there->token, token) == 0;
    known_token *known = find_token(token), *ended = find_token(before);

    if (is_owner(token) && strcmp(before, token) != 0) {
        check_grant_apart(old, token);
    }
    if (is_owner(token) && !is_known) {
        note_lost(token);
    } else if (is_owner(token) && known != NULL && end_of(old, lock) > there->end) {
        known->is_shortened = true;
    }
    if (is_owner(before) && strcmp(before, token) != 0 && ended != NULL) {
        ended->late_on |= 1U << place;
    }
}

/* An old master, or a replica, is asked about these tokens. What it says is not what the master would have said; and what it
 * has released, the master goes on keeping. */
static void note_asked_apart(const sim_server *old, sim_client *by, const rl_script *script, size_t argc,
                             const char *const *argv)
{
    bool releases =
        script == &rl_script_release || script == &rl_script_release_all || script == &rl_script_cache_store;

    if (by != NULL) {
        by->asked_apart = world.now;
    }
    for (size_t i = 3; script != NULL && i < argc; i++) {
        known_token *known = find_token(argv[i]);
        if (known != NULL) {
            known->asked_apart = world.now;
            known->late_on |= releases ? 1U << net_place_of(old)->index : 0;
        }
    }
}

/* What the new master has is what has come to it. The rest is lost: what the old one has granted, extended and released. */
static void check_promoted_lock(const sim_server *from, sim_server *to, int lock, bool has_all)
{
    const last_state *old = &checks.last[from->index][lock];
    last_state *last = &checks.last[to->index][lock];
    const char *had = old->until > world.now ? old->token : "";
    bool had_time = old->until > world.now + (has_all ? 3 * MSEC : 0); /* to the ms: both may see the end alike */
    int64_t had_end = old->end;

    read_lock(to, lock, last->token);
    int64_t keeps = last->token[0] != '\0' ? server_keeps(to, lock) : 0;
    last->until = keeps == NEVER ? NEVER : world.now + keeps;
    last->end = end_of(to, lock);
    last->set_back = to->set_back;
    last->set_by = old->set_by;
    last->by = NULL;
    known_token *known = find_token(last->token);
    bool is_same = strcmp(had, last->token) == 0;
    if (is_owner(had) && !is_same && had_time) {
        note_lost(had);
    }
    if (known != NULL) {
        known->late_on |= !is_same || (known->late_on >> from->index & 1) != 0 ? 1U << to->index : 0;
        known->again_on |= (known->again_on >> from->index & 1) != 0 ? 1U << to->index : 0;
    }
    if (is_owner(had) && is_same && known != NULL) {
        known->is_shortened |= last->end < had_end;
        known->again_on |= last->end > had_end ? 1U << to->index : 0;
    }
    checks.owned_until[lock] = world.now;
    note_owned(to, lock, last->token);
}

/* Notes that the lock is at another server than before: its slot moves. What is known of its holder goes with it. */
static void follow_lock(int lock, int to)
{
    int from = checks.home[lock];
    known_token *known = find_token(checks.last[from][lock].token);

    if (from == to) {
        return;
    }
    checks.last[to][lock] = checks.last[from][lock];
    checks.last[from][lock] = (last_state){0};
    checks.home[lock] = to;
    if (known != NULL) {
        known->seen_on |= (known->seen_on >> from & 1U) << to;
        known->late_on |= (known->late_on >> from & 1U) << to;
        known->again_on |= (known->again_on >> from & 1U) << to;
    }
}

static void check_promoted(const sim_server *from, sim_server *to, bool has_all)
{
    uint64_t lost = tally.lost_grants;

    tally.failovers++;
    checks.promoted_at = world.now;
    server_catch_up(to);
    for (int lock = 0; lock < LOCKS; lock++) {
        if (home_of(lock) == to) {
            if (net.masters > 0) {
                follow_lock(lock, from->index); /* its slot may have come back there since it was looked at */
            }
            check_promoted_lock(from, to, lock, has_all);
            checks.home[lock] = to->index;
        }
    }
    if (has_all && tally.lost_grants != lost) {
        violated("failover", "a planned failover has lost a grant");
    }
    if (!has_all) {
        check_queues_wiped();
    }
    check_values_promoted(has_all);
}

/* Nothing is sent to a server before it has said that it is the master. */
static void check_role(const sim_server *server, const sim_socket *socket, const char *command)
{
    if (net.node_count == net.data_count || checks.role_is_denied) {
        return;
    }
    if (socket_learnt_role(socket) == ROLE_UNKNOWN) {
        violated("role", "client %d sends %s to server %d, and has not asked for its role",
                 socket_process(socket)->index, command, server->index);
    } else if (socket_learnt_role(socket) == ROLE_REPLICA) {
        violated("role", "client %d sends %s to server %d, which has said that it is a replica",
                 socket_process(socket)->index, command, server->index);
    }
}

/* The token has taken the lock anew when its lease had just ended, or has it for longer by a request that was repeated. */
static void note_taken_again(const sim_server *server, const char *token)
{
    known_token *known = find_token(token);

    if (known != NULL && checks.is_unheard) {
        known->again_on |= 1U << server->index;
        known->late_on |= 1U << server->index;
    }
}

/* A command of this client has run: what became of the locks? */
static void check_change(sim_server *server, sim_client *by, int64_t pid, int lock)
{
    last_state *last = &checks.last[server->index][lock];
    char token[TOKEN_ROOM];

    read_lock(server, lock, token);
    /* It may have ended by itself meanwhile. */
    const char *before = last->until > world.now || strcmp(last->token, token) == 0 ? last->token : "";
    if (before[0] == '\0' && is_owner(last->token) && find_token(last->token) != NULL) {
        find_token(last->token)->gone_at = last->until;
    }
    if (is_owner(token) && strcmp(last->token, token) == 0 && last->until <= world.now) {
        note_taken_again(server, token);
    }
    if (strcmp(before, token) != 0) {
        tell("  server %d: %s: %s -> %s", server->index, lock_text(lock), before, token);
        if (is_owner(before) && (by != NULL || checks.taken_away)) {
            check_end_of(pid, before);
        }
        if (is_owner(before) && find_token(before) != NULL) {
            find_token(before)->gone_at = world.now;
        }
        if (is_baton(token)) {
            checks.handed_at[lock] = world.now;
        }
        if (is_owner(token)) {
            check_new_owner(server, by, pid, lock, before, token);
        }
    }
    int64_t keeps = token[0] != '\0' ? server_keeps(server, lock) : 0;
    if (checks.renews[lock] != NULL && before[0] != '\0') {
        check_renewed(server, by, lock, before, token, last->until == NEVER ? NEVER : last->until - world.now, keeps,
                      net.set_back > 0 && last->by == by);
    }
    bool is_renewed = strcmp(before, token) == 0 && is_owner(token) && end_of(server, lock) > last->end;
    if (is_renewed && checks.is_repeat) {
        note_taken_again(server, token);
    }
    last->until = keeps == NEVER ? NEVER : world.now + keeps;
    if (net_is_apart(server)) {
        note_apart(server, lock, before, token);
    } else if (is_renewed && find_token(token) != NULL) {
        find_token(token)->is_shortened = false;
    }
    memcpy(last->token, token, TOKEN_ROOM);
    note_end(server, by, pid, lock, last);
    note_owned(server, lock, token);
}

static void follow_locks(void)
{
    for (int lock = 0; lock < LOCKS && net.masters > 0; lock++) {
        follow_lock(lock, home_of(lock)->index);
    }
}

/* A command of this client has run on the server: what became of all locks? In a cluster, the key of a lock may be elsewhere
 * behind it. What a replica has changes by itself. */
static void check_changes(sim_server *server, sim_client *by, int64_t pid)
{
    bool is_apart = net_is_apart(server);

    follow_locks();
    for (int lock = 0; lock < LOCKS && !(is_apart && !redis_is_master(server->redis)); lock++) {
        if (net.masters == 0 || (is_apart && net_place_of(server) == home_of(lock))) {
            check_change(server, by, pid, lock);
        } else if (!is_apart) {
            check_change(home_of(lock), by, pid, lock);
        }
    }
}

/* What the server has stays for longer, also what was over and not deleted yet. */
static void check_set_back(sim_server *server)
{
    char token[TOKEN_ROOM];

    tally.set_back++;
    for (int lock = 0; lock < LOCKS; lock++) {
        last_state *last = &checks.last[server->index][lock];
        read_lock(server, lock, token);
        if (token[0] != '\0' && strcmp(token, last->token) == 0 && last->until != NEVER) {
            last->until = world.now + server_keeps(server, lock);
            note_owned(server, lock, last->token);
        }
    }
}

/* An extension came over a connection that its client has given up, or what came behind it was dropped, an undo perhaps: this
 * server may keep what the process holds there for longer than anybody can know. */
static void note_late(sim_server *server, int64_t pid)
{
    for (int lock = 0; lock < LOCKS; lock++) {
        known_token *known = find_token(checks.last[server->index][lock].token);
        if (known != NULL && known->owner == pid) {
            known->late_on |= 1U << server->index;
        }
    }
}

/* A look, or an acquire. */
static void note_look(sim_client *client)
{
    if (client->op != NULL && client->op->kind == OP_LOCK &&
        client->looked_at <= checks.owned_until[op_lock(client->op)]) {
        client->back_at = world.now;
    }
    client->looked_at = world.now;
}

/* May a reply be lost to the client's operation? The old master of a planned failover reads nothing meanwhile, which may take
 * longer than the client waits. */
static bool may_lose_a_reply(const sim_client *client)
{
    const sim_plan *plan = checks.plan;
    bool may = client->process.broken_at >= client->began || client->process.unread_at >= client->began;

    for (size_t i = 0; i < plan->fault_count; i++) {
        may |= !plan->faults[i].off && plan->faults[i].kind != FAULT_FAILOVER &&
               plan->faults[i].kind != FAULT_CUT_SENTINEL;
    }
    return may;
}

/* Notes of which lock a server has told the client something. */
static void note_asked_for(sim_client *by, const rl_script *script, const char *const *argv)
{
    char key[16];

    for (int lock = 0; script != NULL && lock < LOCKS; lock++) {
        key_of(lock, key);
        by->has_asked_for |= strcmp(argv[3], key) == 0 ? 1U << lock : 0;
    }
}

/* A request says that an earlier one may have run only if that is so: what was answered by READONLY has not. */
static void check_mark(const sim_client *by, const rl_script *script, size_t argc, const char *const *argv)
{
    if (is_repeat(script, argc, argv) && is_only_failovers() && by->op != NULL && !may_lose_a_reply(by) &&
        checks.plan->latency * 80 <= checks.plan->read_timeout) {
        violated("mark", "client %d says that an earlier request may have run, and it was answered each of them",
                 by->process.index);
    }
}

/* How often an undo may go there of what was not run, over the connection on which that was refused, and which ends with it. */
#define UNDOS_ASTRAY 2

static int count_astray(told_to_ask *told, const sim_socket *socket)
{
    if (told->astray_over != socket_number(socket)) {
        told->astray_over = socket_number(socket);
        told->astray = 0;
    }
    return ++told->astray;
}

/* A client that was told by ASK where a key is goes there behind ASKING, as long as the slot moves. If nothing fails, it has
 * hardly another reason to ask that node, which does not own the slot; but at first it may not know which one does. */
static void check_answer(const sim_socket *socket, const char *bytes, size_t len)
{
    bool asks = len > 5 && memcmp(bytes, "-ASK ", 5) == 0, moved = len > 7 && memcmp(bytes, "-MOVED ", 7) == 0;
    sim_client *client = socket_process(socket)->self;
    const sim_server *server = socket_server(socket);

    tally.stopped_scripts += len > 24 && memcmp(bytes, "-ERR Script attempted to", 24) == 0;
    if (!asks && !moved) {
        return;
    }
    unsigned slot = (unsigned)strtoul(bytes + (asks ? 5 : 7), NULL, 10);
    told_to_ask *told = &client->told_to_ask[socket_is_of_thread(socket)][slot % TOLD_TO_ASK];
    int64_t since = cluster_moves_since(slot);
    if (told->since != since) {
        *told = (told_to_ask){.since = since};
    }
    if (asks) {
        told->count++;
        tally.asks++;
    } else if (is_only_moves() && cluster_moves_to(slot, server) && told->count > 1 &&
               count_astray(told, socket) > UNDOS_ASTRAY) {
        violated("asking", "client %d asks server %d about slot %u without ASKING, and knows that this moves there",
                 client->process.index, server->index, slot);
    }
}

/* Sees each command that a server has run. A script's own name comes behind the commands that it has run. */
static void observe(void *arg, redis_link *link, size_t argc, const char *const *argv, const size_t *len,
                    bool in_script)
{
    sim_server *server = arg;
    sim_socket *socket = socket_of_link(link);
    sim_client *by = socket != NULL ? socket_process(socket)->self : NULL; /* NULL: of another kind */

    if (in_script) {
        checks.pushed |= len[0] == 5 && memcmp(argv[0], "RPUSH", 5) == 0;
        return;
    }
    const rl_script *script = check_script(argc, argv, len);
    if (socket != NULL && strcasecmp(argv[0], "ROLE") == 0) {
        socket_note_role(socket, redis_is_master(server->redis));
    } else if (socket != NULL && strcasecmp(argv[0], "AUTH") != 0 && strcasecmp(argv[0], "SELECT") != 0) {
        check_role(server, socket, script != NULL ? script->name : argv[0]);
    }
    if (by != NULL && !net_is_apart(server) && socket_is_heard(socket)) {
        by->has_spoken |=
            script != NULL ? 1U << server->index : 0; /* ROLE, say, runs also while the server loads its data */
        check_mark(by, script, argc, argv);
        note_asked_for(by, script, argv);
    }
    if (by != NULL && script == &rl_script_queue_take && socket_is_heard(socket)) {
        by->took_at = world.now;
        by->take = ++checks.takes;
    }
    checks.is_broken = socket != NULL && socket_is_broken(socket);
    checks.is_unheard = socket != NULL && !socket_is_heard(socket);
    checks.is_repeat = is_repeat(script, argc, argv);
    checks.renews_alone = script == &rl_script_renew_one && calls(&rl_script_renew_alone, argv, len);
    checks.asks_for_right = script == &rl_script_acquire && (strcmp(argument(argc, argv, 8), "1") == 0 ||
                                                             (socket != NULL && socket_is_behind_denial(socket)));
    checks.taken_away = script == &rl_script_force ||
                        (script == &rl_script_cache_forget && argument(argc, argv, 1)[0] == '\0') ||
                        (socket == NULL && strcmp(argv[0], "DEL") == 0);
    if (script != NULL) {
        tell_script(server, by, script, argc, argv);
        observe_script(script, argc, argv);
    }
    if (script == &rl_script_release) {
        note_release(server, argument(argc, argv, 0));
    }
    for (int lock = 0; lock < LOCKS; lock++) {
        checks.renews[lock] =
            check_is_renewal(script) ? check_renewal_token(lock, argc, argv, &checks.asks_for[lock]) : NULL;
    }
    if (checks.is_unheard &&
        (script == &rl_script_extend || script == &rl_script_extend_all || check_is_renewal(script))) {
        note_late(server, socket_pid(socket));
    }
    if (check_is_renewal(script)) {
        checks.renewed_at = strtoll(argument(argc, argv, 0), NULL, 10);
        check_renewal_ran(server, argc, argv);
    }
    if (net_is_apart(server)) {
        note_asked_apart(server, by, script, argc, argv);
    } else if (script != NULL && strncmp(script->name, "queue_", 6) == 0) {
        check_queue_ran(server, script, argv + 3, argv + 3 + atoi(argv[2]));
    }
    check_values_ran(server, by, script, argc, argv);
    checks.pushed = false;
    if (by != NULL && script == &rl_script_acquire && strcmp(argument(argc, argv, 3), "0") != 0) {
        by->in_line = true;
    }
    if (by != NULL && (script == &rl_script_acquire || script == &rl_script_look)) {
        note_look(by);
    }
    if (by != NULL && strcmp(argv[0], "BLPOP") == 0) {
        note_in_line(by);
    }
    if (by != NULL && script == &rl_script_rename) {
        note_renaming(by, argv[3]);
    }
    check_changes(server, by, socket != NULL ? socket_pid(socket) : FOREIGN);
}

/* Checks all that may be wrong at any moment. */
static void check_moment(void)
{
    follow_locks();
    check_sleepers();
    check_strays();
    check_parked();
    check_beliefs();
    check_orphans(checks.plan);
}

static void check_after(sim_socket *socket)
{
    if (socket_is_blocked(socket)) {
        sim_client *client = socket_process(socket)->self;
        note_in_line(client);
        client->blocked_on = socket;
    }
    check_moment();
}

/* ---- how long keys live ---- */

static bool ends_with(const char *key, size_t len, const char *end)
{
    size_t end_len = strlen(end);

    return len >= end_len && memcmp(key + len - end_len, end, end_len) == 0;
}

/* In ms, by the servers' clocks, with what a script may add and what rounding takes. */
#define LIFE_SLACK     INT64_C(100)
#define LIFE_OF_BATON  INT64_C(1000)  /* in the lock's place; longer than the lock of a foreign client */
#define LIFE_OF_LIST   INT64_C(2000)  /* of batons, or of what wakes those that wait for a value */
#define LIFE_OF_LINE   INT64_C(7400)  /* of a waiter for a lock: it looks every 5.9 s, and may be 1.5 s late */
#define LIFE_OF_READER INT64_C(13500) /* of one for a value: every 12 s */
#define LIFE_OF_VALUE  INT64_C(25000) /* see store() in client.c */

/* How long a key may live that one of ours has written just now; -1: without end, or it is one of a queue. */
static int64_t life_of(const char *key, size_t len)
{
    bool is_value = key[2] == 'v' || key[3] == 'v'; /* "s:vA", "{s:vA}:rl:wait" */

    if (memmem(key, len, "q", 1) != NULL || ends_with(key, len, ":rl:fence")) {
        return -1;
    }
    if (ends_with(key, len, ":rl:baton") || ends_with(key, len, ":rl:wake")) {
        return LIFE_OF_LIST;
    }
    if (ends_with(key, len, ":rl:wait")) {
        return is_value ? LIFE_OF_READER : LIFE_OF_LINE;
    }
    if (ends_with(key, len, ":rl:value")) {
        return LIFE_OF_VALUE;
    }
    return platform_later(checks.plan->longest_lease / MSEC, LIFE_OF_BATON); /* a lock, or its note */
}

static void visit_life(void *arg, const char *key, size_t len, const char *type, const char *dump, size_t dump_len,
                       int64_t ttl_ms)
{
    const sim_server *server = arg;
    int64_t life = life_of(key, len), set_back = server->set_back / MSEC;

    (void)type, (void)dump, (void)dump_len;
    if (life >= 0 && (ttl_ms < 0 || ttl_ms > life + set_back + LIFE_SLACK)) {
        violated("lives too long",
                 "the key %.*s lives for %" PRId64 " ms, and no such key may live for more than %" PRId64, (int)len,
                 key, ttl_ms, life);
    }
}

/* No key lives for longer than what it is for, but for the time by which the server's clock was set back. */
static void check_lives(void)
{
    for (int i = 0; i < net.data_count; i++) {
        server_catch_up(&net.servers[i]);
        redis_visit(net.servers[i].redis, visit_life, &net.servers[i]);
    }
}

/* If another node is known to be the master, no new connection leads there. One that was asked for before is made a little
 * later. */
static void check_route(const sim_socket *socket)
{
    const sim_server *server = socket_server(socket);
    int64_t known = known_for(server);

    if (known > 20 * MSEC + 160 * checks.plan->latency) {
        violated("route",
                 "client %d connects to server %d, and a majority of the sentinels has known for %" PRId64
                 " ms that server %d is the master",
                 socket_process(socket)->index, server->index, known / MSEC, net.master);
    }
}

/* Once the process has read that a node is no master, it uses no connection to that any more which was idle. */
static void check_sends(const sim_socket *socket)
{
    const sim_server *server = socket_server(socket);
    const sim_client *client = socket_process(socket)->self;
    int64_t told_at = client->told_by[server->index]; /* in which operation, that is by when that had begun */

    if (group_is_apart(server) && told_at != 0 && client->op != NULL && told_at < client->began &&
        socket_used_at(socket) < told_at && !socket_is_of_thread(socket) && !world_is_thread()) {
        violated("route", "client %d uses an old connection to server %d, and has read that this is not the master",
                 client->process.index, server->index);
    }
}

/* ---- operations ---- */

/* Has the client spoken to the server that has the lock since its last operation began? In a cluster it may not know which one
 * that is, but from what it has asked about the lock. */
static bool has_spoken(const sim_client *client, int lock, int home)
{
    return net.masters > 0 ? (client->has_asked_for >> lock & 1U) != 0 : (client->has_spoken >> home & 1U) != 0;
}

/* Has the token taken the lock there behind its own release? Then that is not sent again, and only an undo is still to come:
 * the one that stands right behind on the connection. */
static bool came_behind_its_release(int server, const char *token)
{
    const known_token *known = find_token(token);

    return known != NULL && (known->behind_on >> server & 1) != 0;
}

/* A release whose outcome is open takes effect at the master, whichever that is by then, when the process speaks to it next:
 * with the second operation at the latest, since the master may not know the script yet. */
static void check_owed_at_master(sim_client *client)
{
    follow_locks();
    for (int lock = 0; lock < LOCKS && checks.plan->sentinels + checks.plan->masters > 0; lock++) {
        int home = home_of(lock)->index;
        const last_state *last = &checks.last[home][lock];
        owed_token *owed = &client->owed_tokens[lock];
        bool is_owed = is_owner(last->token) && last->until > world.now && owes(client, home, lock, last->token) &&
                       !came_behind_its_release(home, last->token);
        if (!is_owed || strcmp(owed->token, last->token) != 0) {
            *owed = (owed_token){0};
            snprintf(owed->token, sizeof(owed->token), "%s", is_owed ? last->token : "");
        } else if (has_spoken(client, lock, home) && ++owed->spoken > 2) {
            violated("owed", "client %d has spoken to server %d, and still owes it the release of %s by %s",
                     client->process.index, home, lock_text(lock), owed->token);
        }
    }
    client->has_spoken = client->has_asked_for = 0;
}

void check_began(sim_client *client)
{
    client->began = world.now;
    /* If it is stopped at this moment, that counts already. */
    client->held_up = client->process.held_up - platform_later(client->process.stopped_until - world.now, 0);
    client->blocked = 0;
    client->is_served = false;
    client->blocked_on = NULL;
    client->woken_at = 0;
    client->in_line = false;
    client->lined_up = client->waits_since = client->ends_by = 0;
    check_owed_at_master(client);
    for (int i = 0; i < net.data_count; i++) {
        client->told_by[i] =
            client->process.told_at[i] >= client->told_before ? client->told_before : client->told_by[i];
    }
    client->told_before = world.now;
    tell("client %d: %s %s …", client->process.index, op_names[client->op->kind], lock_text(op_lock(client->op)));
}

/* How long the operation may take beside what it asks for: it may have to wait for the answer to a renewal. */
static int64_t time_for_renewals(const sim_client *client)
{
    switch (client->op->kind) {
    case OP_LOCK:
    case OP_LOCK_ALL:
    case OP_UNLOCK:
    case OP_UNLOCK_ALL:
    case OP_EXTEND:
    case OP_FORCE:
        return client->renewer != NULL ? client->op->count * ANSWER_TIME : 0;
    default:
        return 0;
    }
}

/* How long the operation may take; NEVER: the simulation itself decides. */
static int64_t time_allowed(const sim_client *client)
{
    int64_t budget = lock_budget(&client->lock), timeout = client->op->timeout;

    switch (client->op->kind) {
    case OP_LOCK:
    case OP_LOCK_ALL:
        return timeout > 0 ? timeout : budget;
    case OP_POP:
    case OP_RESERVE:
        return timeout > budget ? timeout : budget;
    case OP_UNLOCK:
    case OP_UNLOCK_ALL:
    case OP_EXTEND:
    case OP_IS_LOCKING:
    case OP_WAITERS:
    case OP_FORCE:
    case OP_ENQUEUE:
    case OP_PUT_BACK:
    case OP_REQUEUE:
    case OP_LOOK_AT_QUEUE:
    case OP_ENTER_AGAIN:
    case OP_ACK:
    case OP_TOUCH:
    case OP_RELEASE_TASK:
    case OP_FORGET:
        return budget;
    default: /* what is checked by its parts, or what the simulation itself decides */
        return NEVER;
    }
}

static void check_deadline(const sim_client *client, int64_t took, int64_t allowed, const char *what)
{
    if (!client->process.dead && allowed != NEVER && took > allowed + allowed / 100 + LATE) {
        violated("deadline", "%s of client %d took %" PRId64 " ms, and has %" PRId64, what, client->process.index,
                 took / MSEC, allowed / MSEC);
    }
}

/* A waiter leaves the line over a second connection, which it may have to make for that. If it is held up, or comes back as
 * late as it may by its clock, it has a moment left for both, and its place may stay. */
static void note_left_in_line(sim_client *client, int64_t took, int64_t allowed)
{
    int64_t since = client->process.unmade_since;
    bool is_late =
        allowed != NEVER && took >= clock_true_span(&client->process.clock, platform_after(allowed, RL_CLEANUP_BUDGET));
    bool was_hurried = is_late || process_idled(&client->process, since) > MSEC;

    client->process.lost_bytes |= since > client->began && was_hurried;
}

void check_ended(sim_client *client)
{
    int64_t allowed = platform_after(time_allowed(client), time_for_renewals(client)), took = world.now - client->began;

    client->turn_until[op_lock(client->op)] = world.now;
    check_moment();
    check_lives();
    check_goes_on_for_long(client);
    check_deadline(client, took - (client->process.held_up - client->held_up), allowed, op_names[client->op->kind]);
    note_left_in_line(client, took, time_allowed(client)); /* which has nothing to do with what is renewed */
}

/* If it is stopped at this moment, that counts already. */
void check_part_began(sim_client *client)
{
    client->part_began = world.now;
    client->part_held_up = client->process.held_up - platform_later(client->process.stopped_until - world.now, 0);
}

void check_part_ended(sim_client *client, int64_t allowed, const char *what)
{
    int64_t took = world.now - client->part_began - (client->process.held_up - client->part_held_up);

    check_deadline(client, took, allowed, what);
}

/* On how many servers has the token held a lock? */
static int known_on(const lock_lease *lease)
{
    const known_token *known = find_token(lease->token);

    return known != NULL ? __builtin_popcount(known->seen_on) : 0;
}

/* The lock must have had this token on a majority at some time. */
static void check_seen(const sim_client *client, int lock, const lock_lease *lease)
{
    const known_token *known = find_token(lease->token);
    const known_token *holds = known != NULL && lock_pass_is_open(lease) && known->from != NULL ? known->from : known;
    int count = holds != NULL ? __builtin_popcount(holds->seen_on) : 0;

    if (count <= net.server_count / 2) {
        violated("belief", "client %d was granted %s with %s, which %d servers have seen", client->process.index,
                 lock_text(lock), lease->token, count);
    }
}

/* Fences grow from holder to holder, and no two are equal. */
static void check_fence(sim_client *client, int lock, const lock_lease *lease)
{
    if (!client->lock.fencing || client->op->kind == OP_ATTACH) {
        return;
    }
    if (lease->fence == 0) {
        violated("fence", "client %d was granted %s without a fence", client->process.index, lock_text(lock));
        return;
    }
    bool counts = lock_lease_validity(lease, clock_at(&client->process.clock, world.now)) > 0 && !is_voided(lease) &&
                  !(checks.wiped && net.server_count > 1); /* the clocks of servers may be apart */

    if (counts && lease->fence <= checks.fence[lock]) {
        violated("fence", "client %d got %" PRId64 " for %s, after %" PRId64, client->process.index, lease->fence,
                 lock_text(lock), checks.fence[lock]);
    }
    if (lease->fence > checks.fence[lock] && !is_voided(lease)) {
        checks.fence[lock] = lease->fence;
    }
}

/* lockAll() says yes only if none of its locks was lost while it waited for another one. A short lease may end on one of
 * several servers, while the others keep it. */
static void check_kept(const sim_client *client, int lock, const lock_lease *lease)
{
    const known_token *known = find_token(lease->token);

    if (client->op->kind == OP_LOCK_ALL && checks.plan->is_clean &&
        (net.server_count == 1 || lease->duration >= 10 * SEC) && known != NULL && known->gone_at != 0 &&
        world.now - known->gone_at > 20 * MSEC) {
        violated("kept", "client %d is told that it has %s, which it lost %" PRId64 " ms ago", client->process.index,
                 lock_text(lock), (world.now - known->gone_at) / MSEC);
    }
}

/* A lock that is granted is on as many replicas as the client asks for. A failover since the call began may have given the
 * replicas other data. */
static void check_replicated(const sim_client *client, int lock, const lock_lease *lease)
{
    bool is_over = lock_lease_validity(lease, clock_at(&client->process.clock, world.now)) == 0; /* it was stopped */
    int64_t have = 0;

    for (int i = 0; i < net.data_count; i++) {
        char holds[TOKEN_ROOM];
        read_lock(&net.servers[i], lock, holds);
        have += i != home_of(lock)->index && strcmp(holds, lease->token) == 0;
    }
    if (client->op->kind != OP_ATTACH && have < client->lock.replicas && checks.promoted_at < client->began &&
        !is_over && !checks.wiped && !is_voided(lease)) {
        violated("replicated", "client %d is granted %s, which %" PRId64 " of %" PRId64 " replicas have",
                 client->process.index, lock_text(lock), have, client->lock.replicas);
    }
}

void check_granted(sim_client *client, int lock, lock_lease *lease)
{
    if (client->process.dead) {
        return;
    }
    check_replicated(client, lock, lease);
    check_kept(client, lock, lease);
    if (client->op->kind != OP_ATTACH && checks.plan->pause_one_in == 0 && client->process.held_up == client->held_up &&
        lock_lease_validity(lease, clock_at(&client->process.clock, world.now)) == 0) {
        violated("late", "client %d is granted %s when its lease is over", client->process.index, lock_text(lock));
    }
    tally.grants++;
    tally.silent_quorums += known_on(lease) < net.server_count;
    tally.waited_grants += client->blocked != 0;
    tally.open_grants += lock_pass_is_open(lease);
    check_order_in_line(client);
    check_seen(client, lock, lease);
    check_fence(client, lock, lease);
    check_beliefs();
}

/* A release that says yes ended a lease that was still ours; one that says no found that it was not. */
void check_released(sim_client *client, int lock, const lock_lease *lease, lock_outcome outcome, int64_t counted_until)
{
    char token[TOKEN_ROOM];

    if (client->process.dead || lease->token == NULL) {
        return; /* it may have no lease, since that could not be renewed */
    }
    tally.releases += outcome == LOCK_YES;
    if (lock_lease_validity(lease, platform_now()) != 0) {
        violated("belief", "client %d has released %s and goes on believing", client->process.index, lock_text(lock));
    }
    const known_token *known = find_token(lease->token);
    bool was_asked_apart = known != NULL && known->asked_apart != 0 && known->asked_apart >= client->began;
    if (outcome == LOCK_NOT_OWNED && counted_until > world.now && !is_voided(lease) && !was_asked_apart) {
        violated("release", "client %d held %s, and its release says no", client->process.index, lock_text(lock));
    }
    bool was_gone = known != NULL && known->gone_at != 0 && known->gone_at < client->began - 5 * MSEC; /* to the ms */
    bool is_back = known != NULL && (known->late_on >> home_of(lock)->index & 1) != 0; /* a failover has lost its end */
    if (outcome == LOCK_YES && net.server_count == 1 && counted_until == 0 && was_gone && client->op != NULL &&
        !is_back && !is_voided(lease)) {
        violated("release", "client %d had lost %s before it asked for the release, which says yes",
                 client->process.index, lock_text(lock));
    }
    /* It was passed on, and nobody answered: whoever has it now makes sure of it. */
    bool is_with_heir = counted_until < 0 && lease->token_len == 0;
    if (is_with_heir && outcome != LOCK_YES) {
        violated("release", "client %d has passed %s on, and its second release does not say yes",
                 client->process.index, lock_text(lock));
    }
    read_lock(server_of(0, lock), lock, token);
    if (outcome == LOCK_YES && net.server_count == 1 && strcmp(token, lease->token) == 0 &&
        !client->process.lost_bytes && !is_back && !is_with_heir) {
        violated("release", "client %d has released %s, and it stays", client->process.index, lock_text(lock));
    }
}

/* An extension that says no found that the lock was not ours. One to a shorter lease has made it short before it was sent. */
void check_extended(const sim_client *client, int lock, const lock_lease *lease, lock_outcome outcome,
                    int64_t counted_until)
{
    if (client->process.machine > 0 && !client->process.dead && outcome == LOCK_NOT_OWNED &&
        counted_until > world.now && !is_voided(lease) &&
        lock_lease_validity(lease, clock_at(&client->process.clock, world.now)) > 0) {
        violated("extension", "client %d held %s, and its extension says no", client->process.index, lock_text(lock));
    }
}

/* Did it stand still, on its way into the line of its machine, for all the time that it had? Then it asks for nothing. */
static bool has_slept_through(const sim_client *client)
{
    return client->process.machine > 0 && client->op->timeout > 0 &&
           process_idled(&client->process, client->began) >= client->op->timeout;
}

/* With one server, a caller is refused only what somebody else has had meanwhile, or what another one of its machine
 * asks for in place of all. */
void check_refused(sim_client *client, int lock)
{
    bool was_held = platform_later(checks.owned_until[lock], checks.lost_until[lock]) >= client->began;

    for (int i = 0; i < net.data_count; i++) {
        was_held |= checks.last[i][lock].until >= client->began;
    }

    if (net.server_count == 1 && !client->process.dead && !was_held && !has_neighbour(client, lock) &&
        !waits_for_the_gone(client, lock) && !has_slept_through(client)) {
        violated("refusal", "client %d is refused %s, which nobody has had since it asked", client->process.index,
                 lock_text(lock));
    }
}

/* Do fewer replicas have what the client asked for than it asks for? They may be slow. */
static bool asks_in_vain(const sim_client *client, const char *why)
{
    return client->lock.replicas > 0 && strstr(why, " replicas within ") != NULL;
}

/* Is the only thing that befalls the clients a sentinel that is cut off, while others can be reached? */
static bool is_only_a_sentinel(void)
{
    const sim_plan *plan = checks.plan;
    int cut = 0;

    for (size_t i = 0; i < plan->fault_count; i++) {
        cut += plan->faults[i].off ? 0 : plan->faults[i].kind == FAULT_CUT_SENTINEL ? 1 : 2;
    }
    return cut == 1 && plan->sentinels > 1 && sentinels_answer_in_time();
}

/* A waiter goes on until its own timeout, however long a failover takes. Any call goes on for as long as it may take if a
 * server has answered that it is a replica, or a node of a cluster that a script has stopped half-way. A token of the caller's
 * is not tried again behind a reply that was lost, nor if it may have been. */
static void check_gives_up(const sim_client *client, const char *why)
{
    const sim_op *op = client->op;
    int64_t allowed = time_allowed(client);
    bool waits = op->timeout > 0 && (op->kind == OP_LOCK || op->kind == OP_LOCK_ALL || op->kind == OP_REMEMBER);
    bool goes_on = (waits && !op->own_token && !asks_in_vain(client, why)) || strstr(why, "READONLY") != NULL;
    bool has_stopped = !op->own_token && strstr(why, "Script attempted to") != NULL;

    if (op->kind == OP_REMEMBER && client->held[op_lock(op)].there) {
        return; /* what has failed is the store */
    }
    if (allowed == NEVER || (op->timeout > 0 && (op->kind == OP_POP || op->kind == OP_RESERVE))) {
        allowed = op->timeout;
    }
    bool is_early = world.now < client->began + allowed - allowed / 100 - 50 * MSEC; /* clocks differ */
    if (((goes_on && is_only_failovers()) || has_stopped) && is_early) {
        violated("gives up", "%s of client %d has failed before its time: %s", op_names[op->kind],
                 client->process.index, why);
    }
    if (is_only_failovers() && op->own_token && op->lease >= SEC && strstr(why, "a reply was lost") != NULL &&
        !may_lose_a_reply(client)) {
        violated("mark", "%s of client %d has failed, and no reply was lost: %s", op_names[op->kind],
                 client->process.index, why);
    }
    if ((!waits || is_early) && !op->own_token && client->lock.replicas == 0 &&
        allowed >= checks.plan->connect_timeout && is_only_a_sentinel()) {
        violated("gives up", "%s of client %d has failed, and the other sentinels can be reached: %s",
                 op_names[op->kind], client->process.index, why);
    }
}

/* A node of a cluster that leaves a call of this length without an answer counts as failed for certain. */
#define CERTAINLY_SILENT (400 * MSEC)

/* Did a server leave the client's operation, which is about this lock alone and does not wait, without an answer for all of its
 * time, and is that long enough for the server to count as failed? */
static bool is_unanswered(const sim_client *client, const char *why)
{
    bool is_silence =
        strstr(why, "no answer in time") != NULL || strstr(why, "the connection was not made in time") != NULL;

    switch (client->op->kind) {
    case OP_LOCK:
    case OP_UNLOCK:
    case OP_EXTEND:
    case OP_IS_LOCKING:
    case OP_WAITERS:
    case OP_FORCE:
        return is_silence && client->op->timeout == 0 && time_for_renewals(client) == 0 &&
               lock_budget(&client->lock) >= CERTAINLY_SILENT;
    default:
        return false;
    }
}

/* Behind a failover of a cluster, one operation about a lock may be sent to the old master, which does not answer. Then the
 * next one finds the new master, however much later it comes: all other nodes know that. */
static void check_leaves_silent_node(sim_client *client, const char *why)
{
    int lock = op_lock(client->op);
    int64_t failed_at = net.masters > 0 ? cluster_failed_at() : 0;

    if (failed_at == 0 || !is_only_failovers() || !is_unanswered(client, why)) {
        return;
    }
    if (client->unanswered[lock] > failed_at && client->began > cluster_known_at()) {
        violated("route", "%s of client %d has failed, as did one before, and %s has another master: %s",
                 op_names[client->op->kind], client->process.index, lock_text(lock), why);
    }
    client->unanswered[lock] = world.now;
}

/* If nothing goes wrong, no call fails, but for replicas that are slow. */
void check_failed(sim_client *client, const char *why)
{
    if (!client->process.dead) {
        check_fails_with_its_line(client);
        check_gives_up(client, why);
        check_leaves_silent_node(client, why);
    }
    bool stood_in_line = checks.plan->only == FAULT_CROWD && client->op->kind == OP_LOCK && client->blocked != 0;

    if ((checks.plan->is_clean || stood_in_line) && !asks_in_vain(client, why) && !client->process.dead) {
        violated("error", "%s of client %d has failed: %s", op_names[client->op->kind], client->process.index, why);
    }
}

void check_waiters(sim_client *client, int64_t waiters)
{
    int64_t limit = checks.plan->max_waiters;

    if (limit > 0 && waiters > limit) {
        violated("waiters", "client %d is told of %" PRId64 " waiters, and %" PRId64 " may wait", client->process.index,
                 waiters, limit);
    }
    if (waiters > checks.plan->clients - 1 && checks.plan->is_clean) {
        violated("waiters", "client %d is told of %" PRId64 " waiters", client->process.index, waiters);
    }
}

/* ---- the end ---- */

void check_settled_locks(void)
{
    check_moment();
    check_lives();
}

/* What may be there at the end: fences, values, and what is in the queues. */
static void visit_left(void *arg, const char *key, size_t len, const char *type, const char *dump, size_t dump_len,
                       int64_t ttl_ms)
{
    bool is_queue = len > 3 && (key[2] == 'q' || key[3] == 'q');

    (void)arg, (void)type;
    if (is_queue || ends_with(key, len, ":rl:fence") || ends_with(key, len, ":rl:value")) {
        return;
    }
    violated("left", "the key %.*s is left: %.*s, for %" PRId64 " ms", (int)len, key, (int)dump_len, dump, ttl_ms);
}

void check_nothing_left(void)
{
    for (int i = 0; i < net.data_count; i++) {
        server_catch_up(&net.servers[i]);
        redis_visit(net.servers[i].redis, visit_left, NULL);
    }
    if (net.open > 0) {
        violated("leak", "%u connections are left open", net.open);
    }
    if (net.replies != 0) {
        violated("leak", "%d replies were not freed", net.replies);
    }
}

void check_begin(const sim_plan *plan)
{
    memset(&checks, 0, sizeof(checks));
    token_count = 0;
    checks.plan = plan;
    net_after = check_after;
    net_wiped = check_wiped;
    net_set_back = check_set_back;
    net_drops = note_late;
    group_promoted = cluster_promoted = check_promoted;
    net_connects = check_route;
    net_sends = check_sends;
    net_answers = check_answer;
    for (int i = 0; i < net.data_count; i++) {
        redis_observe(net.servers[i].redis, observe, &net.servers[i]);
    }
    for (int lock = 0; lock < LOCKS; lock++) {
        checks.home[lock] = home_of(lock)->index;
    }
    for (size_t i = 0; i < plan->fault_count; i++) {
        checks.role_is_denied |= plan->faults[i].kind == FAULT_DENY && !plan->faults[i].off;
    }
    check_queues_begin(plan);
    check_values_begin();
    check_renewals_begin(plan);
}

/* SPDX-License-Identifier: MIT
 *
 * lock/groups: see lock/groups.h.
 */
#include "lock/groups.h"

#include <stdlib.h>
#include <string.h>

#include "invariant.h"
#include "lock/release.h"
#include "lock/replicas.h"
#include "lock/tally.h"
#include "platform/platform.h"
#include "redis/scripts.h"
#include "redis/session.h"

/* Room for the arguments of any request: per lock at most 4 keys and a token, or 3 keys, a token and a baton; for the group at
 * most 4. */
#define ARGS_EACH  5
#define ARGS_GROUP 4

/* ---- requests ---- */

static void add(lock_group *group, rl_bytes arg)
{
    RL_INVARIANT(group->argc < (group->to - group->from) * ARGS_EACH + ARGS_GROUP);
    group->args[group->argc++] = arg;
}

static void add_flag(lock_group *group, bool flag)
{
    add(group, flag ? RL_LITERAL("1") : RL_LITERAL("0"));
}

/* Begins a request about the locks of the group from `from` up to, but without, `to`. It is made in the group's arguments,
 * which stand there until the next one is made. */
static void request_begin(const lock_groups *g, lock_group *group, size_t from, size_t to)
{
    RL_INVARIANT(group->from <= from && from < to && to <= group->to);
    group->argc = 0;
    for (size_t i = from; i < to; i++) {
        add(group, g->entries[i].keys.lock);
        add(group, g->entries[i].keys.baton);
        add(group, g->entries[i].keys.wait);
    }
}

/* Behind the keys: begins the other arguments. */
static void request_keys_end(const lock_group *group, const rl_script *script, rl_request *request)
{
    *request = (rl_request){.script = script, .keys = (unsigned)group->argc, .more = group->args};
}

static void request_end(const lock_group *group, rl_request *request)
{
    request->more_count = group->argc;
}

static void add_tokens(const lock_groups *g, lock_group *group, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        add(group, (rl_bytes){g->entries[i].token, g->token_len});
    }
}

/* Behind a wait, the tokens tell since when the locks are held, and not since when the call began. Those that a server may have
 * already stay as they are. */
static void date_tokens(const lock_groups *g, const lock_group *group)
{
    int64_t since_ms = lock_description_now_ms(g->client);

    for (size_t i = group->taken; g->waits && !group->outcome_unknown && i < group->to; i++) {
        lock_description_date(g->entries[i].token + LOCK_TOKEN_LEN, g->token_len - LOCK_TOKEN_LEN, since_ms);
    }
}

/* Makes `request` the script that takes the locks of the group that are not ours. */
static void take_request(const lock_groups *g, lock_group *group, rl_request *request)
{
    date_tokens(g, group);
    request_begin(g, group, group->taken, group->to);
    for (size_t i = group->taken; g->client->fencing && i < group->to; i++) {
        add(group, g->entries[i].keys.fence);
    }
    request_keys_end(group, &rl_script_acquire_all, request);
    add(group, rl_decimal((int64_t)(group->to - group->taken), group->digits[0]));
    add(group, rl_decimal(rl_span_ms(g->duration), group->digits[1]));
    add_flag(group, g->waits);
    add_flag(group, group->outcome_unknown);
    add_tokens(g, group, group->taken, group->to);
    request_end(group, request);
}

/* Makes `request` the release of the locks of the group that are not ours: it undoes what may have taken them. */
static void undo_request(const lock_groups *g, lock_group *group, rl_request *request)
{
    request_begin(g, group, group->taken, group->to);
    request_keys_end(group, &rl_script_release_all, request);
    add_tokens(g, group, group->taken, group->to);
    for (size_t i = group->taken; i < group->to; i++) {
        lock_random_baton(g->entries[i].baton);
        add(group, (rl_bytes){g->entries[i].baton, LOCK_BATON_LEN});
    }
    request_end(group, request);
}

/* Makes `request` the script that extends the locks of the group that are ours. */
static void extend_request(const lock_groups *g, lock_group *group, const lock_extension *extension,
                           rl_request *request)
{
    request_begin(g, group, group->from, group->taken);
    for (size_t i = group->from; i < group->taken; i++) {
        free(g->entries[i].note_memory);
        add(group, lock_note_key(g->entries[i].keys.lock, &g->entries[i].note_memory));
        g->items[i].lease.is_noted |= extension->doubts;
    }
    request_keys_end(group, &rl_script_extend_all, request);
    add(group, rl_decimal(rl_span_ms(g->duration), group->digits[0]));
    add(group, extension->source);
    add(group, rl_decimal(extension->at, group->digits[1]));
    add_flag(group, extension->doubts);
    for (size_t i = group->from; i < group->taken; i++) {
        const lock_lease *lease = &g->items[i].lease;
        add(group, lock_lease_token(lease));
    }
    request_end(group, request);
}

/* Opens a session with a question for each group that is asked. Returns false, and leaves none open, if there is none; or if a
 * connection is known to lead to a server that takes no script over many locks: then none is asked. */
static bool open_session(lock_groups *g, rl_session *session)
{
    if (g->asked_count == 0) {
        return false;
    }
    rl_session_open(session, &g->client->target, 1, g->asked_count, g->items[g->asked[0]->from].slot);
    for (size_t n = 0; n < session->lanes; n++) {
        g->splits_all |= (rl_conn_notes(session->conns[n]) & LOCK_CONN_SPLITS_MANY) != 0;
    }
    if (g->splits_all) {
        rl_session_close(session);
        g->asked_count = 0;
    }
    return !g->splits_all;
}

/* Has the script of the i-th question not run since its slot moves, or for its many keys, so that its group is split from now
 * on? The latter is noted of the connection too, so that it is learned once. */
static bool is_left_by_script(lock_groups *g, rl_session *session, size_t i)
{
    const rl_call *call = rl_session_calls(session, i);

    if (rl_error_refuses_many_keys(&call->error)) {
        g->splits_all = true;
        rl_conn_note(session->conns[call->lane], LOCK_CONN_SPLITS_MANY);
        return true;
    }
    return rl_error_is_of_moving_slot(&call->error) && rl_session_is_moving(session, i);
}

/* Waits until enough replicas have the leases that the scripts of the session, sent at `sent`, have set. */
static lock_outcome await_replicas(const lock_groups *g, rl_session *session, const rl_clock *clock, int64_t sent)
{
    const lock_replicated set = {"the locks", sent, g->duration, clock->deadline, &g->client->target.hook};

    return lock_replicas_await(session, g->client, &set, g->error);
}

/* ---- tokens ---- */

void lock_groups_release_untold_later(const lock_groups *g)
{
    for (const lock_group *group = g->groups; group < g->groups + g->group_count; group++) {
        for (size_t i = group->taken; group->outcome_unknown && i < group->to && g->process == platform_process();
             i++) {
            rl_bytes token = {g->entries[i].token, g->token_len};
            lock_release_token_later(g->client, g->items[i].name, token, true, g->duration);
        }
    }
}

void lock_groups_draw_tokens(lock_groups *g)
{
    int64_t since_ms = lock_description_now_ms(g->client);

    lock_groups_release_untold_later(g);
    for (lock_group *group = g->groups; group < g->groups + g->group_count; group++) {
        for (size_t i = group->taken; i < group->to; i++) {
            char *token = g->entries[i].token;
            lock_random_token(token);
            g->token_len = LOCK_TOKEN_LEN + lock_description_write(token + LOCK_TOKEN_LEN, g->client, since_ms);
        }
        group->outcome_unknown = false;
    }
}

/* ---- taking ---- */

/* Fills the leases of the locks of the group that the script has taken, and counts them. Returns false if the script failed or
 * its reply is malformed. */
static bool note_taken(const lock_groups *g, lock_group *group, rl_call *call, int64_t sent)
{
    const redisReply *reply = call->reply;

    if (call->error.kind != RL_OK) {
        return false;
    }
    if (reply->type != REDIS_REPLY_ARRAY || reply->elements != 2 || reply->element[0]->type != REDIS_REPLY_INTEGER ||
        reply->element[1]->type != REDIS_REPLY_INTEGER || reply->element[0]->integer < 0 ||
        reply->element[0]->integer > (long long)(group->to - group->taken) || reply->element[1]->integer < 0) {
        call->error = RL_WRONG_REPLY;
        return false;
    }
    g->client->stats->acquired += (uint64_t)reply->element[0]->integer;
    for (long long n = reply->element[0]->integer; n > 0; n--, group->taken++) {
        lock_lease *lease = &g->items[group->taken].lease;
        rl_bytes token = {g->entries[group->taken].token, g->token_len};
        lock_lease_fill(lease, token, platform_now(), sent, g->duration, reply->element[1]->integer);
        lease->is_drawn = lease->makes_baton = true;
        lock_tally_acquired(g->client, g->items[group->taken].name, lease, g->began, false);
    }
    RL_INVARIANT(group->taken <= group->to);
    group->is_refused = group->taken < group->to;
    return true;
}

/* Finds the groups that are to be asked for what is not ours. */
static void find_open(lock_groups *g)
{
    g->asked_count = 0;
    for (lock_group *group = g->groups; group < g->groups + g->group_count; group++) {
        group->is_refused = false;
    }
    for (lock_group *group = g->groups; group < g->groups + g->group_count; group++) {
        if (group->taken < group->to && lock_group_is_split(g, group)) {
            break;
        }
        if (group->taken < group->to) {
            g->asked[g->asked_count++] = group;
        }
    }
}

/* Notes that the script of a group has failed. */
static void note_failed(lock_groups *g, lock_group *group, const rl_error *error)
{
    bool is_first = g->error->kind == RL_OK, is_final = !rl_error_is_transient(error);

    group->outcome_unknown |= !rl_error_passed_before_running(error) && error->kind != RL_REFUSED;
    g->is_in_doubt |= error->kind == RL_TIMED_OUT || error->kind == RL_LOST;
    if (is_first || (g->error->kind != RL_INTERRUPTED && is_final && rl_error_is_transient(g->error))) {
        *g->error = *error;
        g->about = g->group_count > 1 ? group->taken : g->count;
    }
}

/* Undoes what the scripts without a good answer may have done, behind them on the same connections, and closes those. Does so
 * after an error reply too. The undo may run late, so tokens that it names are replaced. A server that refuses all for a while
 * leaves nothing to the backlog: that would fill up with releases of what was never taken. */
static void undo_failed(lock_groups *g, rl_session *session, rl_clock *clock)
{
    rl_request *undos = platform_zalloc(g->asked_count * sizeof(*undos));

    for (size_t i = 0; i < g->asked_count; i++) {
        if (rl_session_calls(session, i)->error.kind != RL_OK) {
            undo_request(g, g->asked[i], &undos[i]);
        }
    }
    if (rl_session_close_after(session, undos, rl_clock_cleanup(clock))) {
        lock_groups_draw_tokens(g);
    }
    free(undos);
}

/* Waits until enough replicas have what the scripts, sent at `sent`, have taken. Returns `outcome`, that of the scripts, if
 * they have. Otherwise all is to be given back, and the error is about all locks. But the undo of a script that has failed
 * closes its connection, over which no replicas can be asked then: that script's error says more. */
static lock_outcome await_taken(lock_groups *g, rl_session *session, const rl_clock *clock, int64_t sent,
                                lock_outcome outcome)
{
    rl_error why = *g->error;
    lock_outcome replicated = await_replicas(g, session, clock, sent);

    g->lacks_replicas = replicated != LOCK_YES;
    if (!g->lacks_replicas || (outcome == LOCK_FAILED && g->error->kind == RL_LOST)) {
        *g->error = why;
        return outcome;
    }
    g->about = g->count;
    return replicated;
}

/* Reads the answers to the scripts. Those that have none, or an error, are undone before replicas are waited for. A call that
 * gives back what it has, since it does not wait and a lock is held, needs no replicas. */
static lock_outcome read_answers(lock_groups *g, rl_session *session, rl_clock *clock)
{
    int64_t sent = clock->sent_at;
    bool all_good = true, any_taken = false;
    lock_outcome outcome = LOCK_YES;

    g->error->kind = RL_OK;
    for (size_t i = 0; i < g->asked_count; i++) {
        lock_group *group = g->asked[i];
        rl_call *call = rl_session_calls(session, i);
        size_t before = group->taken;
        bool good = note_taken(g, group, call, sent);
        any_taken |= group->taken > before;
        all_good &= good;
        if (!good && !is_left_by_script(g, session, i)) {
            note_failed(g, group, &call->error);
            outcome = g->error->kind == RL_INTERRUPTED ? LOCK_INTERRUPTED : LOCK_FAILED;
        }
    }
    if (!all_good) {
        undo_failed(g, session, clock);
    }
    if (!any_taken || outcome == LOCK_INTERRUPTED || (!g->waits && lock_groups_any_is_refused(g))) {
        return outcome;
    }
    return await_taken(g, session, clock, sent, outcome);
}

/* The clock of the leases begins before the scripts are sent. */
lock_outcome lock_groups_take(lock_groups *g, rl_clock *clock)
{
    const rl_policy taking = {.hook = &g->client->target.hook};
    rl_session session;

    g->about = g->count;
    g->lacks_replicas = g->is_in_doubt = false;
    find_open(g);
    if (!open_session(g, &session)) {
        return LOCK_YES;
    }
    for (size_t i = 0; i < g->asked_count; i++) {
        take_request(g, g->asked[i], rl_session_request(&session, i));
    }
    rl_clock_ask(clock, &g->client->target, platform_now());
    rl_session_round(&session, clock, &taking);
    lock_outcome outcome = read_answers(g, &session, clock);
    rl_session_close(&session);
    return outcome;
}

/* ---- extending ---- */

/* Finds the groups whose locks that are ours a script can extend. */
static void find_ours(lock_groups *g)
{
    g->asked_count = 0;
    for (lock_group *group = g->groups; group < g->groups + g->group_count; group++) {
        group->is_extended = false;
        if (group->taken > group->from && !lock_group_is_split(g, group)) {
            g->asked[g->asked_count++] = group;
        }
    }
}

/* Notes the answer to the i-th extension, requested at `now`. */
static lock_outcome note_extended(lock_groups *g, rl_session *session, size_t i, int64_t now)
{
    const rl_call *call = rl_session_calls(session, i);
    lock_group *group = g->asked[i];
    bool good = call->answered && call->error.kind == RL_OK, is_left = !good && is_left_by_script(g, session, i);

    if ((!good && !is_left) || rl_session_was_repeated(session, i)) {
        lock_extension_doubt(g->client->extensions);
    }
    if (!good) {
        if (!is_left) {
            *g->error = call->error;
        }
        return is_left ? LOCK_YES : LOCK_FAILED;
    }
    group->is_extended = true;
    if (call->reply->integer == 0) {
        g->client->stats->lost++;
        lock_tally(g->client, g->items[group->from].name, &g->items[group->from].lease, METRICS_LOST);
        return LOCK_NOT_OWNED;
    }
    for (size_t n = group->from; n < group->taken; n++) {
        lock_lease_set(&g->items[n].lease, platform_now(), now, g->duration);
    }
    return LOCK_YES;
}

/* Asks for the extensions over the open session. If too few replicas have them, all are given back, by the leases that they
 * have then. */
static lock_outcome extend_over(lock_groups *g, rl_session *session, rl_clock *clock, int64_t now)
{
    static const rl_policy extending = {.judge = rl_judge_flag, .repeats = true, .leaves_moving = true};
    lock_outcome outcome = LOCK_YES;

    rl_session_ask(session, clock, &extending, g->error);
    for (size_t i = 0; i < g->asked_count; i++) {
        lock_outcome noted = note_extended(g, session, i, now);
        outcome = outcome == LOCK_NOT_OWNED || noted == LOCK_YES ? outcome : noted;
    }
    return outcome == LOCK_YES ? await_replicas(g, session, clock, now) : outcome;
}

/* What is not extended here, the caller extends lock by lock. */
lock_outcome lock_groups_extend(lock_groups *g, rl_clock *clock, int64_t now)
{
    lock_extension extension = lock_extension_begin(g->client);
    rl_session session;

    g->about = g->count;
    find_ours(g);
    if (!open_session(g, &session)) {
        return LOCK_YES;
    }
    for (size_t i = 0; i < g->asked_count; i++) {
        extend_request(g, g->asked[i], &extension, rl_session_request(&session, i));
    }
    lock_outcome outcome = extend_over(g, &session, clock, now);
    rl_session_close(&session);
    return outcome;
}

/* ---- giving back ---- */

/* Forgets that the locks of the groups from the `first` on are ours. */
static void forget_taken(lock_groups *g, size_t first)
{
    for (lock_group *group = g->groups + first; group < g->groups + g->group_count; group++) {
        while (group->taken > group->from) {
            lock_lease_free(&g->items[--group->taken].lease);
        }
    }
}

/* One request a lock, as for any other release: the answer tells of each by itself, and what fails is left to the backlog. */
lock_outcome lock_groups_give_back(lock_groups *g, size_t first, int64_t budget, int64_t until)
{
    lock_release_item *releases = platform_alloc(g->count * sizeof(*releases));
    lock_outcome outcome = LOCK_YES;
    size_t count = 0;

    for (const lock_group *group = g->groups + first; group < g->groups + g->group_count; group++) {
        for (size_t i = group->from; i < group->taken; i++) {
            releases[count++] = (lock_release_item){.name = g->items[i].name, .lease = &g->items[i].lease};
        }
    }
    if (count > 0 && g->process == platform_process()) {
        lock_release_failures failures;
        lock_release_all(g->client, releases, count, budget, until, &failures);
        for (size_t i = 0; budget > 0 && i < count; i++) {
            if (releases[i].outcome == LOCK_FAILED) {
                g->about =
                    (size_t)((const char *)releases[i].lease - (const char *)&g->items[0].lease) / sizeof(*g->items);
                *g->error = failures.error;
                outcome = LOCK_FAILED;
            }
        }
    }
    free(releases);
    forget_taken(g, first);
    return outcome;
}

/* ---- the groups ---- */

bool lock_group_is_split(const lock_groups *g, const lock_group *group)
{
    const rl_target *target = &g->client->target;

    return target->count > 1 || g->splits_all || rl_target_slot_moves(target, g->entries[group->from].keys.lock);
}

lock_group *lock_groups_first_open(const lock_groups *g)
{
    for (lock_group *group = g->groups; group < g->groups + g->group_count; group++) {
        if (group->taken < group->to) {
            return group;
        }
    }
    return NULL;
}

bool lock_groups_any_is_refused(const lock_groups *g)
{
    bool any = false;

    for (const lock_group *group = g->groups; group < g->groups + g->group_count; group++) {
        any |= group->is_refused;
    }
    return any;
}

static int by_slot_and_bytes(const void *a, const void *b)
{
    const lock_all_item *one = a, *other = b;
    size_t shorter = one->name.len < other->name.len ? one->name.len : other->name.len;
    int order = (one->slot > other->slot) - (one->slot < other->slot);

    order = order != 0 ? order : memcmp(one->name.at, other->name.at, shorter);
    return order != 0 ? order : (one->name.len > other->name.len) - (one->name.len < other->name.len);
}

/* Returns the slot of the lock's key; of a server that is no cluster, 0. */
static unsigned slot_of(const lock_client *client, rl_bytes name)
{
    unsigned slot = 0;

    if (rl_target_is_cluster(&client->target)) {
        lock_keys keys;
        lock_keys_begin(&keys, client->prefix, name);
        slot = rl_slot_of(keys.lock);
        lock_keys_free(&keys);
    }
    return slot;
}

/* Makes the groups of the items, which are sorted: over several servers, of one each. */
static void make_groups(lock_groups *g)
{
    bool is_alone = g->client->target.count > 1;

    g->group_count = 1;
    for (size_t i = 1; i < g->count; i++) {
        g->group_count += is_alone || g->items[i].slot != g->items[i - 1].slot;
    }
    g->groups = platform_zalloc(g->group_count * sizeof(*g->groups));
    g->asked = platform_alloc(g->group_count * sizeof(*g->asked));
    g->args = platform_alloc((g->count * ARGS_EACH + g->group_count * ARGS_GROUP) * sizeof(*g->args));
    rl_bytes *args = g->args;
    for (size_t i = 0, n = 0; n < g->group_count; n++) {
        lock_group *group = &g->groups[n];
        group->from = group->taken = i;
        group->args = args;
        do {
            i++;
        } while (i < g->count && !is_alone && g->items[i].slot == g->items[i - 1].slot);
        group->to = i;
        args += (group->to - group->from) * ARGS_EACH + ARGS_GROUP;
    }
}

/* The keys are built behind the sorting, since they must stay where they are. */
void lock_groups_open(lock_groups *g)
{
    RL_INVARIANT(g->count >= 1);
    for (size_t i = 0; i < g->count; i++) {
        g->items[i].slot = slot_of(g->client, g->items[i].name);
        memset(&g->items[i].lease, 0, sizeof(g->items[i].lease));
    }
    qsort(g->items, g->count, sizeof(*g->items), by_slot_and_bytes);
    g->entries = platform_zalloc(g->count * sizeof(*g->entries));
    for (size_t i = 0; i < g->count; i++) {
        lock_keys_init(&g->entries[i].keys, g->client->prefix, g->items[i].name);
    }
    make_groups(g);
    g->process = platform_process();
    g->about = g->count;
}

void lock_groups_close(lock_groups *g)
{
    for (size_t i = 0; i < g->count; i++) {
        lock_keys_free(&g->entries[i].keys);
        free(g->entries[i].note_memory);
    }
    free(g->entries);
    free(g->groups);
    free(g->asked);
    free(g->args);
}

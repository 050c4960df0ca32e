/* SPDX-License-Identifier: MIT
 *
 * php/redislock/state: see php/redislock/state.h.
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "php/redislock/state.h"

#include <stdlib.h>

#include "php/errors.h"
#include "php/redislock/fibers.h"
#include "php/redislock/listener.h"
#include "php/redislock/errors.h"
#include "php/metrics.h"
#include "php/redislock/notice.h"
#include "php/redislock/slow.h"
#include "platform.h"

/* The time that all releases at the end of a request may take together, whether of one object or of a thousand: Redis
 * may hang, and the leases end by themselves. */
#define REQUEST_END_TIME (400 * PLATFORM_MSEC)

/* For so long after that, releases are still sent, but nobody waits for the replies. Of thousands of objects each may have
 * to connect for that. */
#define REQUEST_END_GRACE (50 * PLATFORM_MSEC)

static void free_hold(zval *zv)
{
    php_lock_hold_free(Z_PTR_P(zv));
}

static void init_held(php_lock_state *state)
{
    zend_hash_init(&state->held, 0, NULL, free_hold, false);
}

void php_lock_state_init(php_rl_base *base)
{
    php_lock_state *state = (php_lock_state *)base;

    state->process = platform_process();
    state->look_at = 2 * PHP_LOCK_LAPSED_KEPT;
    init_held(state);
}

/* In a child process, forgets all locks, and what was noted of them: they are the parent's. Is to be called before each use
 * of `held`. */
static void check_fork(php_lock_state *state)
{
    int64_t process = platform_process();

    if (state->process != process) {
        zend_hash_clean(&state->held);
        php_lock_listener_forget(state);
        state->process = process;
    }
}

php_lock_state *php_lock_state_of(zend_object *object)
{
    php_lock_state *state = (php_lock_state *)php_rl_base_of(object);

    if (state != NULL) {
        check_fork(state);
    }
    return state;
}

/* ---- held ---- */

static php_lock_hold *look_up(php_lock_state *state, zend_string *name)
{
    check_fork(state);
    return zend_hash_find_ptr(&state->held, name);
}

php_lock_hold *php_lock_state_find(php_lock_state *state, zend_string *name)
{
    php_lock_hold *hold = look_up(state, name);

    if (hold != NULL) {
        php_lock_hold_refresh(hold);
    }
    return hold;
}

php_lock_hold *php_lock_state_find_live(php_lock_state *state, zend_string *name)
{
    php_lock_hold *hold = look_up(state, name);

    return hold != NULL && php_lock_hold_left(hold) > 0 ? hold : NULL;
}

bool php_lock_state_refuses(php_lock_state *state, zend_string *name)
{
    php_lock_hold *hold = php_lock_state_find_live(state, name);

    if (hold != NULL) {
        php_lock_fibers_refuse(hold);
    }
    return hold != NULL;
}

/* ---- forgetting ---- */

/* A lock that has lapsed is not forgotten for so long: until then its holder may come to unlock() or lost(). */
#define LAPSED_AGE (60 * PLATFORM_SEC)

/* Failed releases are looked for each time only among fewer locks than this. */
#define LOOK_LEAST (2 * PHP_LOCK_LAPSED_KEPT)

/* The next look is due when there are a quarter more locks, so that a lock costs the same however many there are. */
static void set_next_look(php_lock_state *state)
{
    uint32_t count = zend_hash_num_elements(&state->held), more = count + count / 4;

    state->look_at = more > LOOK_LEAST ? more : LOOK_LEAST;
}

/* Tells zend_hash_apply() which locks to forget: those of a failed release that have ended in Redis. A worker that
 * lives long must not accumulate them. */
static int is_past(zval *zv)
{
    const lock_lease *lease = &((php_lock_hold *)Z_PTR_P(zv))->lease;
    bool over = lease->release_requested_at != 0 && lock_lease_server_remaining(lease, platform_now()) == 0;

    return over ? ZEND_HASH_APPLY_REMOVE : ZEND_HASH_APPLY_KEEP;
}

void php_lock_state_forget_over(php_lock_state *state)
{
    uint32_t count = zend_hash_num_elements(&state->held);

    if (count < LOOK_LEAST || count >= state->look_at) {
        zend_hash_apply(&state->held, is_past);
        set_next_look(state);
    }
}

/* Returns when the lease has ended, which may be later than it was lost. 0: that is not known. */
static int64_t ended_at(const php_lock_hold *hold)
{
    const lock_lease *lease = &hold->lease;
    int64_t duration = lease->duration > 0 ? lease->duration : hold->kept_for;

    if (lease->release_requested_at != 0) {
        return lease->release_requested_at;
    }
    return duration > 0 ? platform_after(lease->sent, duration) : 0;
}

/* Returns since when nothing is left of the lease, or 0 if something is. A lock that was taken away has lapsed when that is
 * noticed. */
static int64_t lapsed_at(php_lock_hold *hold, int64_t now)
{
    if (php_lock_hold_left(hold) > 0) {
        hold->lapsed_at = 0;
    } else if (hold->lapsed_at == 0) {
        int64_t ended = ended_at(hold);
        hold->lapsed_at = ended != 0 ? platform_earlier(ended, now) : now;
    }
    return hold->lapsed_at;
}

static int by_lapse(const void *a, const void *b)
{
    int64_t one = (*(php_lock_hold *const *)a)->lapsed_at, other = (*(php_lock_hold *const *)b)->lapsed_at;

    return (one > other) - (one < other);
}

static bool may_be_forgotten(const php_lock_hold *hold, int64_t now)
{
    return now - hold->lapsed_at >= LAPSED_AGE && hold->section == NULL &&
           (hold->renewal == NULL || !lock_renewal_has_notice(hold->renewal));
}

/* The list is no request memory: where that is used up, a fatal error would come before the lock that was just taken is
 * in the state. */
static void forget_lapsed(php_lock_state *state)
{
    php_lock_hold **lapsed = platform_alloc(zend_hash_num_elements(&state->held) * sizeof(*lapsed)), *hold;
    int64_t now = platform_now();
    size_t count = 0;

    ZEND_HASH_FOREACH_PTR(&state->held, hold)
    {
        if (lapsed_at(hold, now) != 0) {
            lapsed[count++] = hold;
        }
    }
    ZEND_HASH_FOREACH_END();
    qsort(lapsed, count, sizeof(*lapsed), by_lapse);
    for (size_t i = 0; i + PHP_LOCK_LAPSED_KEPT < count; i++) {
        if (may_be_forgotten(lapsed[i], now)) {
            php_lock_state_remove(state, lapsed[i]->name);
        }
    }
    free(lapsed);
    set_next_look(state);
}

/* ---- putting and taking out ---- */

php_lock_hold *php_lock_state_put(php_lock_state *state, zend_string *name, const lock_lease *lease)
{
    if (zend_hash_num_elements(&state->held) >= state->look_at) {
        forget_lapsed(state);
    }
    php_lock_hold *hold = php_lock_hold_new(name, lease, &state->base.options);
    zend_hash_update_ptr(&state->held, name, hold);
    return hold;
}

lock_lease php_lock_state_take_out(php_lock_state *state, zend_string *name)
{
    php_lock_hold *hold = zend_hash_find_ptr(&state->held, name);
    lock_lease lease;

    php_lock_hold_settle_at_once(hold);
    lease = hold->lease;
    hold->lease = (lock_lease){0};
    php_lock_state_remove(state, name);
    return lease;
}

bool php_lock_state_adopt(php_lock_state *state, php_lock_call *call, zend_string *name, lock_lease *lease, bool renew)
{
    php_lock_hold *hold = php_lock_state_put(state, name, lease);

    php_lock_notice_prepare(hold);
    if (!php_lock_hold_keep(hold, &call->client, renew, &call->base.error)) {
        *lease = php_lock_state_take_out(state, name);
        return false;
    }
    return true;
}

void php_lock_state_remove(php_lock_state *state, zend_string *name)
{
    zend_hash_del(&state->held, name);
}

/* ---- calls ---- */

/* Makes the client of a call that has its servers. Each call does, so all fields are named: the compiler would zero the whole
 * client first for those that are not. */
static void make_client(php_lock_call *call, php_lock_state *state)
{
    php_rl_options *options = &state->base.options;
    metrics_writer *metrics = php_rl_metrics(state->process);
    bool has_group = options->metrics_group != NULL && metrics != NULL;
    unsigned group = has_group ? php_rl_metrics_group(options, metrics) : 0;

    call->client = (lock_client){
        .target = call->base.target,
        .prefix = {ZSTR_VAL(options->prefix), ZSTR_LEN(options->prefix)},
        .owner = {NULL, 0},
        .renews = false,
        .retry_interval = options->settings.retry_interval,
        .max_waiters = options->settings.max_waiters,
        .fencing = options->fencing,
        .replicas = options->settings.replicas,
        .spent = 0,
        .extensions = &RL_G(extensions),
        .stats = &RL_G(stats),
        .metrics = metrics,
        .slow = NULL,
        .group = group,
    };
    php_lock_slow_prepare(call, &options->settings);
}

/* Only now it is known how many servers the environment names. */
bool php_lock_call_begin(php_lock_call *call, php_lock_state *state, zend_string *name)
{
    if (!php_rl_call_begin(&call->base, &state->base, name)) {
        return false;
    }
    if (state->base.options.settings.replicas > 0 && call->base.target.count > 1) {
        zend_value_error("RedisLock::__construct(): Argument #2 ($options) %s, but the environment names several",
                         PHP_RL_REPLICAS_OF_ONE);
        php_rl_call_end(&call->base, false);
        return false;
    }
    make_client(call, state);
    return true;
}

void php_lock_call_settle(php_lock_call *call, php_lock_hold *hold)
{
    if (hold->renewal == NULL) {
        return;
    }
    int64_t began = platform_now();
    php_lock_hold_settle_by(hold, began + php_lock_answer_time(lock_budget(&call->client)));
    call->client.spent += platform_now() - began;
}

/* What the warning of a lease that is not kept is about. */
typedef struct unkept_lease {
    const php_lock_hold *hold;
    const rl_error *error;
} unkept_lease;

static void warn_of_unkept(void *arg)
{
    const unkept_lease *unkept = arg;

    php_lock_warn(unkept->hold->name, unkept->hold->options->servers.label, unkept->error->text);
}

void php_lock_call_keep_on(php_lock_call *call, php_lock_hold *hold)
{
    rl_error error;

    if (!php_lock_hold_keep_on(hold, &call->client, &error)) {
        php_rl_call_run(&call->base, warn_of_unkept, &(unkept_lease){hold, &error});
    }
}

const char *php_lock_state_server(const php_lock_state *state)
{
    return state->base.options.servers.label;
}

/* The int of a 32-bit PHP cannot hold every count. One that is too large becomes a float there. */
static void add_count(zval *array, const char *name, uint64_t count)
{
    if (count > (uint64_t)ZEND_LONG_MAX) {
        add_assoc_double(array, name, (double)count);
    } else {
        add_assoc_long(array, name, (zend_long)count);
    }
}

/* `waited` is the only count of a time: it is kept in µs and reported in seconds. With threads, the connections of the
 * renewing thread count for each of them. */
void php_lock_stats(zval *array)
{
    const lock_stats *stats = &RL_G(stats);
    const lock_renewal_stats renewals = php_lock_renewal_counts();
    const rl_traffic *here = &RL_G(traffic), there = php_lock_renewal_traffic();
    const struct {
        const char *name;
        uint64_t value;
    } counts[] = {
        {"acquired", stats->acquired},
        {"contended", stats->contended},
        {"timed_out", stats->timed_out},
        {"released", stats->released},
        {"unreleased", stats->unreleased},
        {"lost", stats->lost},
        {"renewed", renewals.renewed},
        {"renewal_failures", renewals.failures},
        {"lost_while_held", renewals.lost_while_held},
        {"connections", here->connections + there.connections},
        {"reconnects", here->reconnects + there.reconnects},
        {"script_reloads", here->script_reloads + there.script_reloads},
        {"bytes_sent", here->bytes_sent + there.bytes_sent},
        {"bytes_received", here->bytes_received + there.bytes_received},
    };

    array_init(array);
    add_assoc_double(array, "waited", (double)stats->waited / (double)PLATFORM_SEC);
    for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++) {
        add_count(array, counts[i].name, counts[i].value);
    }
}

/* ---- release ---- */

/* Whether the request ends. No warning is given then: nobody can act on it any more, and each lock would give one. */
static bool request_is_ending(void)
{
    return (EG(flags) & EG_FLAGS_IN_SHUTDOWN) != 0;
}

/* Returns what is left of the time that a request may take for its end. */
static int64_t request_end_time_left(void)
{
    return platform_later(REQUEST_END_TIME - RL_G(release_time), 0);
}

/* Adds up what was done since `began` at the end of a request. */
static void count_request_end_time(int64_t began)
{
    if (request_is_ending()) {
        RL_G(release_time) += platform_now() - began;
    }
}

/* All renewing is stopped before any is settled, and the wait for answers under way is one for all of them. Returns what it
 * leaves of the budget. */
static int64_t settle_all(php_lock_state *state, int64_t budget)
{
    int64_t began = platform_now(), longest = php_lock_answer_time(budget);
    php_lock_hold *hold;

    ZEND_HASH_FOREACH_PTR(&state->held, hold)
    {
        php_lock_hold_stop(hold);
    }
    ZEND_HASH_FOREACH_END();
    ZEND_HASH_FOREACH_PTR(&state->held, hold)
    {
        php_lock_hold_settle_by(hold, began + longest);
    }
    ZEND_HASH_FOREACH_END();
    return budget > 0 ? platform_later(budget - (platform_now() - began), 0) : budget;
}

/* Lists the leases before it forgets any, since forgetting changes the table that is walked. The lists are no request
 * memory: that may be used up when a request ends, and the fatal error would come in place of the releases. */
bool php_lock_state_release_all(php_lock_state *state, php_lock_call *call, int64_t budget, int64_t until,
                                lock_release_failures *failures)
{
    uint32_t count = zend_hash_num_elements(&state->held), n = 0;
    lock_release_item *items = platform_alloc(count * sizeof(*items));
    zend_string **names = platform_alloc(count * sizeof(*names));
    zend_string *name;
    php_lock_hold *hold;
    bool all = true;

    budget = settle_all(state, budget);
    ZEND_HASH_FOREACH_STR_KEY_PTR(&state->held, name, hold) {
        names[n] = name;
        items[n++] = (lock_release_item){.name = {ZSTR_VAL(name), ZSTR_LEN(name)}, .lease = &hold->lease};
    }
    ZEND_HASH_FOREACH_END();
    lock_release_all(&call->client, items, count, budget, until, failures);
    for (uint32_t i = 0; i < count; i++) {
        all &= items[i].outcome == LOCK_YES;
        if (items[i].outcome != LOCK_FAILED) {
            php_lock_note_end(state, zend_hash_find_ptr(&state->held, names[i]), items[i].outcome == LOCK_NOT_OWNED);
            php_lock_state_remove(state, names[i]);
        }
    }
    free(items);
    free(names);
    return all;
}

void php_lock_state_mark_unsent(php_lock_state *state)
{
    php_lock_hold *hold;

    settle_all(state, 0);
    ZEND_HASH_FOREACH_PTR(&state->held, hold)
    {
        lock_release_mark_unsent(&hold->lease);
    }
    ZEND_HASH_FOREACH_END();
}

/* Releases in the backlog are sent again, so their locks mostly stay for less time than the others. */
const char *php_lock_failures_text(char text[PHP_LOCK_FAILURES_TEXT], const lock_release_failures *failures)
{
    const char *why = failures->error.text;
    size_t repeated = failures->repeated, others = failures->count - repeated;

    if (failures->count == 1) {
        snprintf(text, PHP_LOCK_FAILURES_TEXT, "%s", why);
    } else if (others == 0) {
        snprintf(text, PHP_LOCK_FAILURES_TEXT, "%s; %zu locks may stay until the server is reached again", why,
                 repeated);
    } else if (repeated == 0) {
        snprintf(text, PHP_LOCK_FAILURES_TEXT, "%s; %zu locks may stay until their leases end", why, others);
    } else {
        snprintf(text, PHP_LOCK_FAILURES_TEXT,
                 "%s; %zu locks may stay until their leases end, and %zu until the server is reached again", why,
                 others, repeated);
    }
    return text;
}

/* Returns how long an automatic release may go on without an answer, and sets until when in any case: see
 * lock_release_all(). At the end of a request all releases share a short time. */
static int64_t auto_release_budget(const lock_client *client, int64_t now, int64_t *until)
{
    int64_t left = request_end_time_left();

    *until = PLATFORM_NEVER;
    if (!request_is_ending()) {
        return lock_budget(client);
    }
    if (left == 0) {
        return RL_G(release_time) < REQUEST_END_TIME + REQUEST_END_GRACE ? 0 : -1;
    }
    *until = now + left;
    return platform_earlier(left, lock_budget(client));
}

/* Says for how long the lock may stay; for a lease without end there is no such number. */
void php_lock_warn_unreleased(zend_string *problem, const lock_lease *lease)
{
    int64_t stays = lock_lease_server_remaining(lease, platform_now());

    if (request_is_ending()) {
        return;
    }
    if (stays == PLATFORM_NEVER) {
        php_error_docref(NULL, E_WARNING, "RedisLock could not release a lock, whose lease has no end: %s",
                         ZSTR_VAL(problem));
    } else {
        php_error_docref(NULL, E_WARNING, "RedisLock could not release a lock, which may stay for another %.1f s: %s",
                         php_rl_to_seconds(stays), ZSTR_VAL(problem));
    }
}

/* What the warning of an automatic release is about. */
typedef struct unreleased {
    const lock_release_failures *failures;
    const char *server;
    int64_t began;
} unreleased;

/* Warns of what an automatic release could not carry out. Releases that were all asked for before it `began` have been
 * reported by an exception or a warning already. */
static void warn_of_failures(void *arg)
{
    const unreleased *what = arg;
    const lock_release_failures *failures = what->failures;
    char text[PHP_LOCK_FAILURES_TEXT];
    const lock_release_item *last = &failures->last;

    if (request_is_ending() || failures->count == 0 || last->lease->release_requested_at < what->began) {
        return;
    }
    zend_string *name = zend_string_init(last->name.at, last->name.len, false);
    zend_string *problem = php_rl_message(PHP_LOCK_NOUN, php_lock_failures_text(text, failures), name, what->server);
    if (failures->count == 1) {
        php_lock_warn_unreleased(problem, last->lease);
    } else {
        php_error_docref(NULL, E_WARNING, "RedisLock could not release all its locks: %s", ZSTR_VAL(problem));
    }
    zend_string_release(problem);
    zend_string_release(name);
}

/* Warns that nothing was released, since the environment does not name the servers. */
static void warn_of_nobody_to_ask(const rl_error *problem, const char *server)
{
    zend_string *text = php_rl_message(PHP_LOCK_NOUN, problem->text, NULL, server);

    php_error_docref(NULL, E_WARNING, "RedisLock could not release its locks, which last until their leases end: %s",
                     ZSTR_VAL(text));
    zend_string_release(text);
}

/* Releases all leases and forgets them, whatever the outcome. Runs where an exception may be on its way, so nothing may
 * be thrown here: php_lock_call_begin() would throw. What it takes at the end of a request is added up, for
 * auto_release_budget(). The leases are forgotten before a warning is raised: its handler may take locks with an object that
 * is being destructed, and these stay. */
static void auto_release(php_lock_state *state)
{
    lock_release_failures failures;
    php_lock_call call;
    HashTable over;

    check_fork(state);
    if (zend_hash_num_elements(&state->held) == 0) {
        return;
    }
    if (!php_rl_call_fill(&call.base, &state->base)) {
        zend_hash_clean(&state->held);
        if (!request_is_ending()) {
            warn_of_nobody_to_ask(&call.base.error, php_lock_state_server(state));
        }
        return;
    }
    make_client(&call, state);
    int64_t began = platform_now();
    int64_t until, budget = auto_release_budget(&call.client, began, &until);
    php_lock_state_release_all(state, &call, budget, until, &failures);
    count_request_end_time(began);
    over = state->held;
    init_held(state);
    php_rl_call_run(&call.base, warn_of_failures, &(unreleased){&failures, php_rl_call_server(&call.base), began});
    zend_hash_destroy(&over);
    php_rl_call_end(&call.base, false);
}

void php_lock_state_destruct(php_rl_base *base)
{
    if (base->options.settings.auto_release == AUTO_RELEASE_OBJECT) {
        auto_release((php_lock_state *)base);
    }
    php_lock_listener_tell((php_lock_state *)base);
}

/* ---- states that wait for the end of the request ---- */

/* States whose locks have ended are looked for when there are so many, and then again when there are twice as many. */
#define DEFERRED_LEAST 16

static void free_state(php_lock_state *state)
{
    php_lock_listener_forget(state);
    zend_hash_destroy(&state->held);
    php_rl_base_free(&state->base);
}

static int has_ended(zval *zv)
{
    bool over = lock_lease_server_remaining(&((php_lock_hold *)Z_PTR_P(zv))->lease, platform_now()) == 0;

    return over ? ZEND_HASH_APPLY_REMOVE : ZEND_HASH_APPLY_KEEP;
}

/* Frees the states all of whose locks have ended in Redis. In a process that lives long, the request may never end. */
static void drop_deferred_that_ended(void)
{
    php_lock_state **link = &RL_G(deferred), *state;

    while ((state = *link) != NULL) {
        check_fork(state);
        zend_hash_apply(&state->held, has_ended);
        if (zend_hash_num_elements(&state->held) > 0) {
            link = &state->next;
            continue;
        }
        *link = state->next;
        RL_G(deferred_count)--;
        free_state(state);
    }
}

/* Keeps the state until the request ends. */
static void defer(php_lock_state *state)
{
    if (RL_G(deferred_count) >= platform_later(RL_G(deferred_look_at), DEFERRED_LEAST)) {
        drop_deferred_that_ended();
        RL_G(deferred_look_at) = 2 * RL_G(deferred_count);
    }
    state->next = RL_G(deferred);
    RL_G(deferred) = state;
    RL_G(deferred_count)++;
}

/* A fatal error in the handler of a warning must not jump over the end of the state, which owns connections and memory of the
 * process. */
static void release_and_free(php_lock_state *state)
{
    volatile bool bailed_out = false;

    zend_try
    {
        auto_release(state);
    }
    zend_catch
    {
        bailed_out = true;
    }
    zend_end_try();
    free_state(state);
    if (bailed_out) {
        zend_bailout();
    }
}

/* A state that is kept comes here again from php_lock_state_dispose_deferred(). By then `request_over` is set, so it
 * is not kept a second time. */
void php_lock_state_dispose(php_rl_base *base)
{
    php_lock_state *state = (php_lock_state *)base;

    check_fork(state);
    if (zend_hash_num_elements(&state->held) > 0) {
        if (state->base.options.settings.auto_release == AUTO_RELEASE_REQUEST && !RL_G(request_over)) {
            settle_all(state, 0); /* a lock whose object is gone is not renewed */
            defer(state);
            php_rl_options_forget_functions(&state->base.options); /* last, since destructors may run */
            return;
        }
        if (state->base.options.settings.auto_release != AUTO_RELEASE_NEVER) {
            release_and_free(state);
            return;
        }
    }
    free_state(state);
}

void php_lock_state_dispose_deferred(void)
{
    while (RL_G(deferred) != NULL) {
        php_lock_state *state = RL_G(deferred);
        RL_G(deferred) = state->next;
        php_lock_state_dispose(&state->base);
    }
}

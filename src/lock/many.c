/* SPDX-License-Identifier: MIT
 *
 * lock/many: see lock/many.h.
 */
#include "lock/many.h"

#include <stdlib.h>
#include <string.h>

#include "lock/names.h"
#include "lock/try.h"
#include "platform.h"
#include "redis/scripts.h"
#include "redis/talk.h"

/* Each lock is at most 4 keys, a token and a baton; all together have at most 4 numbers. */
#define ARGS_EACH 6
#define ARGS_ALL  4

/* A lock that is being taken: its keys, and what one script is to take or release it by. */
typedef struct one {
    lock_keys keys;
    char *note_memory; /* where its note's key stands; NULL until it is wanted */
    char token[LOCK_TOKEN_LEN];
    char baton[LOCK_BATON_LEN];
} one;

/* One lockAll() under way. */
typedef struct many {
    const lock_client *client;
    lock_many_item *items;
    one *ones;
    size_t count;
    size_t taken; /* so many are ours, from the first on */
    int64_t lasts;
    int64_t deadline;  /* for waiting */
    int64_t until;     /* for everything but cleaning up */
    int64_t last_good; /* when the server last gave a good answer; 0: not yet */
    bool waits;
    bool waited; /* for one of them: those before it may have been lost meanwhile */
    bool lost;   /* one of them was */
    bool unsure; /* the script may have taken the others under the tokens that they have now */
    int64_t pid; /* whose they are: PHP code that runs during a wait may fork */
    size_t about;
    redis_error *error;
    redis_talk talk; /* with one server, while it is asked */

    /* The arguments of the request under way. */
    redis_bytes *args;
    size_t argc;
    char digits[2][REDIS_DIGITS];
} many;

/* ---- requests ---- */

static void add(many *m, redis_bytes arg)
{
    m->args[m->argc++] = arg;
}

static void add_number(many *m, int64_t number, char *digits)
{
    redis_request written = {0};

    redis_request_add_number(&written, number, digits);
    add(m, written.argv[0]);
}

/* Begins a request about the locks from `from` up to `to`. */
static void begin(many *m, redis_request *request, const redis_script *script, size_t from, size_t to, bool fences)
{
    m->argc = 0;
    for (size_t i = from; i < to; i++) {
        add(m, m->ones[i].keys.lock);
        add(m, m->ones[i].keys.baton);
        add(m, m->ones[i].keys.wait);
    }
    for (size_t i = from; fences && i < to; i++) {
        add(m, m->ones[i].keys.fence);
    }
    *request = (redis_request){.script = script, .keys = (unsigned)m->argc, .more = m->args};
}

static void end(many *m, redis_request *request)
{
    request->more_count = m->argc;
}

static redis_bytes token_of(const many *m, size_t i)
{
    const lock_lease *lease = &m->items[i].lease;

    return i < m->taken ? (redis_bytes){lease->token, lease->token_len}
                        : (redis_bytes){m->ones[i].token, LOCK_TOKEN_LEN};
}

static void take_request(many *m, redis_request *request)
{
    size_t rest = m->count - m->taken;

    begin(m, request, &redis_script_acquire_all, m->taken, m->count, m->client->fencing);
    add_number(m, (int64_t)rest, m->digits[0]);
    add_number(m, redis_span_ms(m->lasts), m->digits[1]);
    add(m, m->waits ? REDIS_LITERAL("1") : REDIS_LITERAL("0"));
    add(m, m->unsure ? REDIS_LITERAL("1") : REDIS_LITERAL("0"));
    for (size_t i = m->taken; i < m->count; i++) {
        add(m, token_of(m, i));
    }
    end(m, request);
}

static void extend_request(many *m, redis_request *request)
{
    lock_extension extension = lock_extension_begin(m->client);

    begin(m, request, &redis_script_extend_all, 0, m->taken, false);
    for (size_t i = 0; i < m->taken; i++) {
        free(m->ones[i].note_memory);
        add(m, lock_note_key(m->ones[i].keys.lock, &m->ones[i].note_memory));
    }
    request->keys = (unsigned)m->argc;
    add_number(m, redis_span_ms(m->lasts), m->digits[0]);
    add(m, extension.source);
    add_number(m, extension.at, m->digits[1]);
    add(m, extension.doubts ? REDIS_LITERAL("1") : REDIS_LITERAL("0"));
    for (size_t i = 0; i < m->taken; i++) {
        add(m, token_of(m, i));
    }
    end(m, request);
}

static void release_request(many *m, size_t from, size_t to, redis_request *request)
{
    begin(m, request, &redis_script_release_all, from, to, false);
    for (size_t i = from; i < to; i++) {
        add(m, token_of(m, i));
    }
    for (size_t i = from; i < to; i++) {
        lock_random_baton(m->ones[i].baton);
        add(m, (redis_bytes){m->ones[i].baton, LOCK_BATON_LEN});
    }
    end(m, request);
}

static lock_outcome ask_on(many *m, const redis_request *request, int64_t until, bool insist, long long *number)
{
    const redis_call *call = &m->talk.call;

    for (bool repeated = false;; repeated = true) {
        int64_t answer_by = platform_after(until, LOCK_LAST_WORD);
        int64_t connect_by = platform_earlier(answer_by, platform_after(platform_now(), m->client->connect_timeout));
        if (redis_talk_ask(&m->talk, request, connect_by, answer_by, NULL)) {
            if (redis_reply_is_count(call->reply)) {
                *number = call->reply->integer;
                m->last_good = platform_now();
                return LOCK_YES;
            }
            redis_talk_malformed(&m->talk);
        }
        *m->error = call->error;
        if (request->script == &redis_script_extend_all) {
            lock_extension_doubt(m->client);
        }
        if (call->error.kind != REDIS_ERROR_REPLY) {
            redis_talk_part(&m->talk, insist ? request : NULL, platform_now());
        }
        if (!redis_error_is_worth_repeating(m->error, repeated) || platform_now() >= until) {
            return LOCK_FAILED;
        }
        if (repeated) {
            redis_wait(NULL, 0, platform_earlier(until, platform_now() + REDIS_REPEAT_PAUSE), NULL);
        }
    }
}

/* A server that was well a moment ago, and is slow now that the time is over: what was asked last is undone behind it.
 * Beyond read_timeout it counts as unreachable. */
static bool is_only_slow(const many *m)
{
    return m->waits && m->error->kind == REDIS_TIMED_OUT && m->last_good != 0 &&
           platform_now() - m->last_good < m->client->read_timeout + LOCK_OVERTIME;
}

/* Asks what may be asked twice and is answered by a number. What is still open then is written once more, behind
 * itself, where `insist`: so a server that stands still does it when it goes on. */
static lock_outcome ask(many *m, const redis_request *request, int64_t until, bool insist, long long *number)
{
    m->about = m->count;
    redis_talk_open(&m->talk, m->client->pool, &m->client->endpoints[0]);
    lock_outcome outcome = ask_on(m, request, until, insist, number);
    redis_talk_close(&m->talk);
    return outcome;
}

/* ---- taking ---- */

static void draw_tokens(many *m)
{
    for (size_t i = m->taken; i < m->count; i++) {
        lock_random_token(m->ones[i].token);
    }
    m->unsure = false;
}

/* Notes what the script has taken. False: it failed, or this is no answer of it. */
static bool note_taken(many *m, int64_t sent)
{
    const redisReply *reply = m->talk.call.reply;
    size_t rest = m->count - m->taken;

    if (m->talk.call.error.kind != REDIS_FINE) {
        return false;
    }
    if (reply->type != REDIS_REPLY_ARRAY || reply->elements != 2 || reply->element[0]->type != REDIS_REPLY_INTEGER ||
        reply->element[1]->type != REDIS_REPLY_INTEGER || reply->element[0]->integer < 0 ||
        reply->element[0]->integer > (long long)rest || reply->element[1]->integer < 0) {
        redis_talk_malformed(&m->talk);
        return false;
    }
    m->client->stats->acquired += (uint64_t)reply->element[0]->integer;
    for (long long n = reply->element[0]->integer; n > 0; n--, m->taken++) {
        redis_bytes token = {m->ones[m->taken].token, LOCK_TOKEN_LEN};
        lock_lease_fill(&m->items[m->taken].lease, token, sent, m->lasts, reply->element[1]->integer);
    }
    return true;
}

/* What the script may have done is undone behind it, also where it says that it failed. */
static void undo_take(many *m)
{
    redis_failure kind = m->talk.call.error.kind;
    redis_request undo;

    m->unsure |= kind != REDIS_UNREACHABLE && kind != REDIS_REFUSED;
    release_request(m, m->taken, m->count, &undo);
    if (redis_talk_part(&m->talk, &undo, platform_now() + LOCK_PARTING)) {
        draw_tokens(m);
    }
}

static lock_outcome take_free_on(many *m)
{
    const lock_client *client = m->client;
    int64_t pause = REDIS_REPEAT_PAUSE;
    redis_error first = {0};

    for (;;) {
        int64_t now = platform_now();
        int64_t answer_by = platform_earlier(m->until, platform_after(now, lock_budget(client)));
        redis_request request;

        take_request(m, &request);
        redis_talk_ask(&m->talk, &request, platform_earlier(m->until, platform_after(now, client->connect_timeout)),
                       platform_after(answer_by, LOCK_LAST_WORD), &client->hook);
        if (note_taken(m, now)) {
            m->last_good = platform_now();
            return LOCK_YES;
        }
        *m->error = m->talk.call.error;
        undo_take(m);
        if (is_only_slow(m)) {
            return LOCK_NO;
        }
        if (m->error->kind == REDIS_INTERRUPTED) {
            return LOCK_INTERRUPTED;
        }
        bool again = redis_error_keep_first(m->error, &first);
        now = platform_now();
        if (!again || now >= m->until) {
            return LOCK_FAILED;
        }
        if (redis_wait(NULL, 0, platform_earlier(m->until, now + pause), &client->hook) == REDIS_HOOK_SAYS) {
            *m->error = REDIS_INTERRUPTION;
            return LOCK_INTERRUPTED;
        }
        pause *= 2;
    }
}

/* By one script: all; or, for who waits, those before the first that is held. Again when a reply was lost, as long as
 * there is time. */
static lock_outcome take_free(many *m)
{
    m->about = m->count;
    redis_talk_open(&m->talk, m->client->pool, &m->client->endpoints[0]);
    lock_outcome outcome = take_free_on(m);
    redis_talk_close(&m->talk);
    return outcome;
}

/* ---- waiting ---- */

/* Sets the leases of those that are ours anew. LOCK_LATE: one was lost. */
static lock_outcome keep(many *m)
{
    int64_t now = platform_now();
    lock_outcome outcome = LOCK_YES;
    long long done = 1;
    redis_request request;

    if (m->client->count == 1) {
        extend_request(m, &request);
        /* At the deadline there is time for one answer, but no more than the call may take in all. */
        int64_t until = platform_later(platform_earlier(m->until, platform_after(now, lock_budget(m->client))), now);
        until = platform_earlier(until, platform_after(m->until, LOCK_OVERTIME - LOCK_LAST_WORD));
        outcome = ask(m, &request, until, false, &done);
        for (size_t i = 0; outcome == LOCK_YES && done && i < m->taken; i++) {
            lock_lease_set(&m->items[i].lease, now, m->lasts);
        }
        m->lost = outcome == LOCK_YES && !done;
        m->client->stats->lost += m->lost;
        return m->lost ? LOCK_LATE : outcome;
    }
    for (size_t i = 0; outcome == LOCK_YES && i < m->taken; i++) {
        m->about = i;
        outcome = lock_extend(m->client, m->items[i].name, &m->items[i].lease, m->lasts, m->error);
    }
    m->lost = outcome == LOCK_NO;
    return m->lost ? LOCK_LATE : outcome;
}

/* When so much of a lease is over of those that are ours. */
static int64_t worn_at(const many *m, int64_t part)
{
    int64_t first = PLATFORM_NEVER;

    for (size_t i = 0; m->lasts != PLATFORM_NEVER && i < m->taken; i++) {
        first = platform_earlier(first, m->items[i].lease.sent + part);
    }
    return first;
}

/* Takes the next one, waiting in line for it until the deadline, and keeps the others alive meanwhile. */
static lock_outcome wait_for_next(many *m)
{
    lock_many_item *item = &m->items[m->taken];

    for (;;) {
        int64_t now = platform_now();
        int64_t until = platform_earlier(m->deadline, worn_at(m, m->lasts / 2));
        int64_t timeout = until == PLATFORM_NEVER ? until : platform_later(until - now, 0);

        if (m->waits && now >= m->deadline) {
            return LOCK_NO;
        }
        if (!m->waits || timeout > 0) {
            uint64_t contended = m->client->stats->contended;
            m->about = m->taken;
            lock_outcome outcome =
                lock_acquire(m->client, item->name, NULL, m->lasts, m->waits ? timeout : 0, &item->lease, m->error);
            if (outcome == LOCK_FAILED && is_only_slow(m)) {
                outcome = LOCK_NO;
            }
            m->waited |= m->client->count == 1 || m->client->stats->contended > contended;
            m->taken += outcome == LOCK_YES;
            m->last_good = outcome == LOCK_YES || outcome == LOCK_NO ? platform_now() : m->last_good;
            /* A wait ends half way at the earliest; before that, a no means that too many wait. */
            bool full = m->client->max_waiters > 0 && platform_now() - now < timeout / 2;
            if (outcome != LOCK_NO || until == m->deadline || !m->waits || full) {
                return outcome;
            }
        }
        lock_outcome kept = keep(m);
        if (kept != LOCK_YES) {
            return kept;
        }
    }
}

static lock_outcome collect(many *m)
{
    while (m->taken < m->count) {
        if (m->client->count == 1) {
            lock_outcome outcome = take_free(m);
            if (outcome != LOCK_YES || m->taken == m->count) {
                return outcome;
            }
            if (!m->waits) {
                m->client->stats->contended++;
                return LOCK_NO;
            }
        }
        lock_outcome outcome = wait_for_next(m);
        if (outcome != LOCK_YES) {
            return outcome;
        }
    }
    return LOCK_YES;
}

/* ---- the end ---- */

/* All were taken: those that were taken first shall last as long as the others, and none of them be lost by now. */
static lock_outcome even_out(many *m)
{
    bool at_once = m->client->count == 1 && !m->waits;

    if (m->waited || (!at_once && platform_now() >= worn_at(m, m->lasts / 10))) {
        lock_outcome kept = keep(m);
        if (kept != LOCK_YES) {
            return kept == LOCK_FAILED && is_only_slow(m) ? LOCK_NO : kept;
        }
    }
    for (size_t i = 0; i < m->count; i++) {
        if (lock_lease_left(&m->items[i].lease, platform_now()) == 0) {
            return LOCK_LATE;
        }
    }
    return LOCK_YES;
}

static lock_outcome release_taken(many *m, int64_t until)
{
    lock_outcome outcome;
    long long released = 0;

    if (m->client->count == 1) {
        redis_request request;
        release_request(m, 0, m->taken, &request);
        outcome = ask(m, &request, until, true, &released);
        m->client->stats->released += (uint64_t)released;
        return outcome;
    }
    lock_release_item *releases = platform_zalloc(m->taken * sizeof(*releases));
    for (size_t i = 0; i < m->taken; i++) {
        releases[i] = (lock_release_item){.name = m->items[i].name, .lease = &m->items[i].lease};
    }
    int64_t budget = platform_later(until - platform_now(), 0); /* with none, they are sent and not waited for */
    lock_release_all(m->client, releases, m->taken, budget);
    outcome = LOCK_YES;
    for (size_t i = 0; budget > 0 && i < m->taken; i++) {
        if (releases[i].outcome == LOCK_FAILED) {
            m->about = i;
            *m->error = releases[i].error;
            outcome = LOCK_FAILED;
        }
    }
    free(releases);
    return outcome;
}

/* Until when giving back may take, less the last word. Late as we may be, Redis gets a moment. */
static int64_t end_of_giving_back(const many *m)
{
    int64_t now = platform_now();
    int64_t over =
        platform_earlier(platform_after(m->until, LOCK_OVERTIME), platform_after(now, lock_budget(m->client)));

    return platform_later(over, now + LOCK_PARTING / 4) - LOCK_LAST_WORD;
}

/* What could not be released is left to the backlog, each lock by itself. Several servers have done so. */
static void release_taken_later(many *m)
{
    for (size_t i = 0; i < m->taken && m->client->count == 1; i++) {
        m->client->stats->unreleased++;
        lock_release_later(m->client, m->items[i].name, &m->items[i].lease);
    }
}

/* Gives back what is ours so far. What `outcome` says to the caller then. */
static lock_outcome give_back(many *m, lock_outcome outcome)
{
    redis_error why = *m->error;
    size_t about = m->about;

    if (m->taken > 0 && m->pid == platform_pid()) {
        lock_outcome released = release_taken(m, end_of_giving_back(m));
        if (released == LOCK_FAILED) {
            release_taken_later(m);
        }
        if (released == LOCK_FAILED && outcome == LOCK_NO && !is_only_slow(m)) {
            outcome = LOCK_FAILED;
        } else {
            *m->error = why;
            m->about = about;
        }
    }
    while (m->taken > 0) {
        lock_lease_free(&m->items[--m->taken].lease);
    }
    return outcome;
}

static int by_bytes(const void *a, const void *b)
{
    redis_bytes one = ((const lock_many_item *)a)->name, other = ((const lock_many_item *)b)->name;
    int order = memcmp(one.at, other.at, one.len < other.len ? one.len : other.len);

    return order != 0 ? order : (one.len > other.len) - (one.len < other.len);
}

static void open_many(many *m, int64_t timeout)
{
    int64_t start = platform_now();

    qsort(m->items, m->count, sizeof(*m->items), by_bytes);
    m->waits = timeout > 0;
    m->deadline = platform_after(start, timeout);
    m->until = m->waits ? m->deadline : platform_after(start, lock_budget(m->client));
    m->pid = platform_pid();
    m->ones = platform_zalloc(m->count * sizeof(*m->ones));
    m->args = platform_zalloc((m->count * ARGS_EACH + ARGS_ALL) * sizeof(*m->args));
    for (size_t i = 0; i < m->count; i++) {
        memset(&m->items[i].lease, 0, sizeof(m->items[i].lease));
        lock_keys_init(&m->ones[i].keys, m->client->prefix, m->items[i].name);
    }
}

static void close_many(many *m)
{
    for (size_t i = 0; i < m->count; i++) {
        lock_keys_free(&m->ones[i].keys);
        free(m->ones[i].note_memory);
    }
    free(m->ones);
    free(m->args);
}

lock_outcome lock_acquire_all(const lock_client *client, lock_many_item *items, size_t count, int64_t lasts,
                              int64_t timeout, size_t *about, redis_error *error)
{
    many m = {.client = client, .items = items, .count = count, .lasts = lasts, .error = error};
    lock_outcome outcome;

    *error = (redis_error){0};
    open_many(&m, timeout);
    do {
        draw_tokens(&m);
        m.about = count;
        m.lost = false;
        outcome = collect(&m);
        if (outcome == LOCK_YES) {
            outcome = even_out(&m);
        }
        if (outcome != LOCK_YES) {
            outcome = give_back(&m, outcome);
        }
    } while (outcome == LOCK_LATE && m.waits && platform_now() < m.until);
    if (outcome == LOCK_LATE && m.lost) {
        outcome = LOCK_NO; /* whoever has it now holds it */
    }
    *about = m.about;
    close_many(&m);
    return outcome;
}

/* SPDX-License-Identifier: MIT
 *
 * local_bed: see local_bed.h.
 */
#include "local_bed.h"

#include <stdio.h>
#include <unistd.h>

/* ---- this process ---- */

static lock_local *here;

static void leave_segment(void)
{
    lock_local_free(here);
}

local_host *host_here(void)
{
    if (here == NULL) {
        here = lock_local_new();
        atexit(leave_segment);
    }
    local_host *host = lock_local_join(here, platform_process(), test_folder());
    if (host == NULL) {
        test_fail(__FILE__, __LINE__, "%s", lock_local_problem(here));
    }
    return host;
}

void client_joins(client *c, lock_pass_terms *terms)
{
    *terms = (lock_pass_terms){.host = host_here()};
    lock_pass_identify(terms->host, &c->lock, terms->identity);
    c->lock.pass = terms;
}

lock_turn_terms terms_of(const char *key, const char *token, int64_t wait_ms)
{
    return (lock_turn_terms){.key = BYTES(key),
                             .token = BYTES(token),
                             .identity = {1, 2},
                             .lease = MS(10000),
                             .deadline = wait_ms > 0 ? platform_now() + MS(wait_ms) : 0};
}

place enter_with(const lock_turn_terms *terms)
{
    place p = {.error = {.kind = RL_OK}};
    int64_t start = platform_now();

    p.verdict = lock_turn_enter(host_here(), terms, &p.turn, &p.line, &p.error);
    p.took = ms_since(start);
    p.at = platform_now();
    CHECK((p.turn != NULL) == (p.verdict == LOCK_TURN_HEAD || p.verdict == LOCK_TURN_GRANTED));
    return p;
}

place enter(const char *key, const char *token, int64_t wait_ms)
{
    const lock_turn_terms terms = terms_of(key, token, wait_ms);

    return enter_with(&terms);
}

bool pass(const place *p, const char *key, const char *token, lock_turn_heir *heir)
{
    const lock_turn_offer offer = {
        .key = BYTES(key), .token = BYTES(token), .sent = platform_now(), .duration = MS(10000)};

    return lock_turn_pass(p->turn, &offer, heir);
}

/* Does the owner of the turn's slot know that somebody has lined up? */
static bool knows_of_others(const lock_turn *turn)
{
    return (atomic_load(local_turn_owner(turn)) & LOCAL_OWNER_CONTENDED) != 0;
}

void until_in_line(const lock_turn *turn, int64_t count)
{
    for (int64_t start = platform_now(); lock_turn_waiting(turn) != count || (count > 0 && !knows_of_others(turn));
         sleep_ms(1)) {
        CHECK(ms_since(start) < 5000);
    }
}

void until_state(unsigned entry, local_state state)
{
    atomic_ullong *status = &host_here()->segment->entries[entry].status;

    for (int64_t start = platform_now(); local_state_of(atomic_load(status)) != state; sleep_ms(1)) {
        CHECK(ms_since(start) < 5000);
    }
}

int entries_in_use(void)
{
    int count = 0;

    for (unsigned i = 0; i < LOCAL_ENTRIES; i++) {
        count += local_state_of(atomic_load(&host_here()->segment->entries[i].status)) != LOCAL_FREE;
    }
    return count;
}

int slots_in_use(void)
{
    int count = 0;

    for (unsigned i = 0; i < LOCAL_SLOTS; i++) {
        count += atomic_load(&host_here()->segment->owners[i]) != 0;
    }
    return count;
}

void check_all_free(void)
{
    for (int64_t start = platform_now(); entries_in_use() + slots_in_use() > 0 && ms_since(start) < 5000; sleep_ms(5)) {
    }
    CHECK_INT(entries_in_use(), 0);
    CHECK_INT(slots_in_use(), 0);
}

/* ---- steps ---- */

static struct {
    const char *function;
    int nth;
    void (*act)(void);
} step;

static void before_step(const char *function, int line)
{
    (void)line;
    if (step.act != NULL && strcmp(function, step.function) == 0 && --step.nth == 0) {
        void (*act)(void) = step.act;
        step.act = NULL;
        act();
    }
}

void at_step(const char *function, int nth, void (*act)(void))
{
    step.function = function;
    step.nth = nth;
    step.act = act;
    local_before_step = before_step;
}

void at_no_step(void)
{
    local_before_step = NULL;
}

void stop_here(void)
{
    raise(SIGSTOP);
}

void die_here(void)
{
    raise(SIGKILL);
}

/* ---- another process ---- */

static void visit_run(void *arg)
{
    visit *v = arg;
    lock_turn_heir heir;

    if (v->stops_in != NULL) {
        at_step(v->stops_in, v->nth, stop_here);
    } else if (v->dies_in != NULL) {
        at_step(v->dies_in, v->nth, die_here);
    }
    lock_turn_terms terms = terms_of(v->key, v->token, v->wait_ms);
    terms.takes_over = v->takes_over;
    v->place = enter_with(&terms);
    if (v->place.turn != NULL) {
        if (v->lets_take_over != NULL) {
            lock_turn_let_take_over(v->place.turn, BYTES(v->lets_take_over), MS(5000));
        }
        memcpy(v->from, v->place.turn->from, v->place.turn->from_len);
        memcpy(v->heir, v->place.turn->heir, v->place.turn->heir_len);
        atomic_store(&v->entry, (int)v->place.turn->entry);
    }
    if (v->order != NULL) {
        atomic_store(&v->came, 1 + atomic_fetch_add(v->order, 1));
    }
    atomic_store(&v->verdict, (int)v->place.verdict);
    atomic_store(&v->is_over, true);
    if (v->place.turn == NULL) {
        return;
    }
    while (v->end == VISIT_STAYS) {
        pause();
    }
    if (v->end == VISIT_LEAVES || !pass(&v->place, v->key, v->token, &heir)) {
        lock_turn_leave(v->place.turn);
    } else {
        lock_turn_answer(host_here(), &heir, LOCAL_YES, 0, 0);
    }
}

void visit_start(visit *v)
{
    v->pid = process_start(visit_run, v);
}

lock_turn_verdict visit_verdict(visit *v)
{
    for (int64_t start = platform_now(); !atomic_load(&v->is_over); sleep_ms(1)) {
        CHECK(ms_since(start) < 10000);
    }
    return (lock_turn_verdict)atomic_load(&v->verdict);
}

/* SPDX-License-Identifier: MIT
 *
 * history: see history.h.
 */
#include "history.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "machine.h"

/* A number of 1, 4 or 8 bytes that is never negative. */
typedef struct field {
    const char *name;
    size_t offset, size;
} field;

/* clang-format off */
#define FIELD(structure, member) {#member, offsetof(structure, member), sizeof(((structure *)NULL)->member)}

static const field settings[] = {
    FIELD(sim_plan, seed),            FIELD(sim_plan, servers),         FIELD(sim_plan, clients),
    FIELD(sim_plan, local),           FIELD(sim_plan, logs_in),         FIELD(sim_plan, fencing),
    FIELD(sim_plan, own_key_order),   FIELD(sim_plan, short_io),        FIELD(sim_plan, is_clean),
    FIELD(sim_plan, connect_timeout), FIELD(sim_plan, read_timeout),    FIELD(sim_plan, node_timeout),
    FIELD(sim_plan, retry_interval),  FIELD(sim_plan, max_waiters),     FIELD(sim_plan, max_attempts),
    FIELD(sim_plan, latency),         FIELD(sim_plan, pause_one_in),    FIELD(sim_plan, pause_most),
    FIELD(sim_plan, longest_lease),   FIELD(sim_plan, replicas),        FIELD(sim_plan, sentinels),
    FIELD(sim_plan, asks_for),        FIELD(sim_plan, masters),         FIELD(sim_plan, owners),
    FIELD(sim_plan, machines),        FIELD(sim_plan, plain),           FIELD(sim_plan, point_one_in),
    FIELD(sim_plan, point_most),      FIELD(sim_plan, takers),          FIELD(sim_plan, others),
    FIELD(sim_plan, differ_by),
    {NULL, 0, 0},
};

static const field op_fields[] = {
    FIELD(sim_op, client), FIELD(sim_op, name), FIELD(sim_op, think), FIELD(sim_op, timeout),   FIELD(sim_op, lease),
    FIELD(sim_op, span),   FIELD(sim_op, count), FIELD(sim_op, own_token), FIELD(sim_op, odd_token),
    FIELD(sim_op, same_token),
    FIELD(sim_op, renew), FIELD(sim_op, hears), FIELD(sim_op, max_hold), FIELD(sim_op, fresh),
    FIELD(sim_op, cannot_read), {NULL, 0, 0},
};

static const field fault_fields[] = {FIELD(sim_fault, piece), FIELD(sim_fault, place), FIELD(sim_fault, span), {NULL, 0, 0}};
/* clang-format on */

/* ---- writing ---- */

static uint64_t get(const void *structure, const field *f)
{
    const char *at = (const char *)structure + f->offset;

    switch (f->size) {
    case 1:
        return *(const uint8_t *)at;
    case 4:
        return *(const uint32_t *)at;
    default:
        return *(const uint64_t *)at;
    }
}

static void write_fields(const void *structure, const field *fields, FILE *to)
{
    for (const field *f = fields; f->name != NULL; f++) {
        if (get(structure, f) != 0) {
            fprintf(to, " %s=%" PRIu64, f->name, get(structure, f));
        }
    }
    fprintf(to, "\n");
}

void history_write(const sim_plan *plan, FILE *to)
{
    fprintf(to, "set");
    write_fields(plan, settings, to);
    if (plan->only != FAULT_KINDS) {
        fprintf(to, "only %s:\n", fault_names[plan->only]);
    }
    for (size_t i = 0; i < plan->op_count; i++) {
        if (!plan->ops[i].off) {
            fprintf(to, "op %s:", op_names[plan->ops[i].kind]);
            write_fields(&plan->ops[i], op_fields, to);
        }
    }
    for (size_t i = 0; i < plan->fault_count; i++) {
        if (!plan->faults[i].off) {
            fprintf(to, "fault %s:", fault_names[plan->faults[i].kind]);
            write_fields(&plan->faults[i], fault_fields, to);
        }
    }
}

/* ---- reading ---- */

typedef struct source {
    const char *path;
    int line;
    char *at; /* what is left of the line */
} source;

static void give_up(const source *in, const char *why)
{
    fprintf(stderr, "%s, line %d: %s\n", in->path, in->line, why);
    exit(2);
}

/* Takes the word off the line if it comes next. */
static bool takes(source *in, const char *word)
{
    size_t len = strlen(word);

    if (strncmp(in->at, word, len) != 0) {
        return false;
    }
    in->at += len;
    return true;
}

static void set(void *structure, const field *f, uint64_t value)
{
    char *at = (char *)structure + f->offset;

    switch (f->size) {
    case 1:
        *(uint8_t *)at = value != 0;
        return;
    case 4:
        *(uint32_t *)at = (uint32_t)value;
        return;
    default:
        *(uint64_t *)at = value;
        return;
    }
}

static void read_field(source *in, void *structure, const field *fields)
{
    char *equals = strchr(in->at, '='), *end;

    if (equals == NULL) {
        give_up(in, "name=number is expected");
    }
    *equals = '\0';
    for (const field *f = fields; f->name != NULL; f++) {
        if (strcmp(in->at, f->name) == 0) {
            set(structure, f, strtoull(equals + 1, &end, 10));
            if (end == equals + 1 || (*end != ' ' && *end != '\0')) {
                give_up(in, "this is not a number");
            }
            in->at = end;
            return;
        }
    }
    give_up(in, "there is no field of this name");
}

/* Reads the fields up to the end of the line. */
static void read_fields(source *in, void *structure, const field *fields)
{
    while (takes(in, " ")) {
        read_field(in, structure, fields);
    }
    if (*in->at != '\0') {
        give_up(in, "a space is expected between two fields");
    }
}

/* Reads a name that ends with a colon, and returns which of these it is. */
static int read_name(source *in, const char *const *names, int count)
{
    for (int i = 0; i < count; i++) {
        size_t len = strlen(names[i]);
        if (strncmp(in->at, names[i], len) == 0 && in->at[len] == ':') {
            in->at += len + 1;
            return i;
        }
    }
    give_up(in, "there is nothing of this name");
    return 0;
}

static void read_line(source *in, sim_plan *plan)
{
    if (takes(in, "#")) {
        return;
    }
    if (takes(in, "set")) {
        read_fields(in, plan, settings);
    } else if (takes(in, "only ")) {
        plan->only = (fault_kind)read_name(in, fault_names, FAULT_KINDS);
    } else if (plan->op_count < MAX_OPS && takes(in, "op ")) {
        sim_op *op = &plan->ops[plan->op_count++];
        op->kind = (op_kind)read_name(in, op_names, OP_KINDS);
        read_fields(in, op, op_fields);
    } else if (plan->fault_count < MAX_FAULTS && takes(in, "fault ")) {
        sim_fault *fault = &plan->faults[plan->fault_count++];
        fault->kind = (fault_kind)read_name(in, fault_names, FAULT_KINDS);
        read_fields(in, fault, fault_fields);
    } else {
        give_up(in, "this is no line of a history, or there are too many of its kind");
    }
}

/* What the simulator takes as array indices must be in range. */
static void check_ranges(source *in, const sim_plan *plan)
{
    bool right = plan->servers >= 1 && plan->servers <= MAX_SERVERS && plan->clients >= 1 &&
                 plan->clients <= MAX_CLIENTS && plan->latency > 0;

    right &= plan->masters == 0 || (plan->servers == 1 && !plan->local && plan->sentinels == 0 && plan->replicas <= 1 &&
                                    plan->masters > 1 && plan->masters * (1 + plan->replicas) <= MAX_NODES);
    right &= plan->masters > 0 || (plan->sentinels == 0) == (plan->replicas == 0);
    right &= plan->sentinels + plan->replicas < MAX_NODES &&
             (plan->sentinels == 0 || (plan->servers == 1 && !plan->local)) && plan->asks_for <= plan->replicas;

    right &=
        plan->machines <= MAX_MACHINES && (plan->machines == 0 || plan->servers + plan->sentinels + plan->masters == 1);
    for (size_t i = 0; i < plan->fault_count; i++) {
        right &= plan->faults[i].place < MACHINE_PLACES;
    }
    for (size_t i = 0; i < plan->op_count; i++) {
        right &= plan->ops[i].client < plan->clients && plan->ops[i].name < NAMES;
    }
    if (!right) {
        give_up(in, "a number of servers, clients or names is out of range, or the latency is missing");
    }
}

void history_read(sim_plan *plan, const char *path)
{
    FILE *from = fopen(path, "r");
    source in = {.path = path};
    char line[1000];

    memset(plan, 0, sizeof(*plan));
    plan->only = FAULT_KINDS;
    if (from == NULL) {
        give_up(&in, "the file cannot be read");
    }
    while (fgets(line, sizeof(line), from) != NULL) {
        in.line++;
        in.at = line;
        line[strcspn(line, "\n")] = '\0';
        read_line(&in, plan);
    }
    fclose(from);
    check_ranges(&in, plan);
}

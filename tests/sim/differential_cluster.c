/* SPDX-License-Identifier: MIT
 *
 * differential_cluster: with --cluster, there are two nodes of a cluster on either side. Here, slots are opened, their keys are
 * moved, and they are closed or the move is cancelled; and what is drawn for one server becomes what a client of a cluster
 * sends: keys have hash tags, some requests stand behind ASKING, and some scripts are those that stand in for others while a
 * slot moves.
 */
#include "differential.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "redis_data.h"

/* The slots that move: those of these tags. */
const char *const cluster_tags[GROUPS] = {"{a}", "{b}", "{c}"};

static struct {
    redis_node nodes[NODES];
    int owner[GROUPS]; /* stays from one sequence to the next */
    bool is_open[GROUPS];
} slots;

/* ---- what a client of a cluster sends ---- */

typedef struct word {
    const char *at;
    size_t len;
} word;

#define MOST_WORDS 96

/* Reads a request in the form that clients write. Returns its length; 0: it is none. */
static size_t read_request(const char *bytes, size_t len, word words[MOST_WORDS], size_t *count)
{
    const char *p = bytes, *end = bytes + len;
    char *next;

    if (len < 4 || *p != '*') {
        return 0;
    }
    long many = strtol(p + 1, &next, 10);
    if (many < 1 || many > MOST_WORDS || strncmp(next, "\r\n", 2) != 0) {
        return 0;
    }
    p = next + 2;
    for (*count = 0; *count < (size_t)many; (*count)++) {
        long size = p < end && *p == '$' ? strtol(p + 1, &next, 10) : -1;
        if (size < 0 || strncmp(next, "\r\n", 2) != 0 || end - next < size + 4) {
            return 0;
        }
        words[*count] = (word){next + 2, (size_t)size};
        p = next + 2 + size + 2;
    }
    return (size_t)(p - bytes);
}

static bool is_text(const word *w, const char *text)
{
    return w->len == strlen(text) && memcmp(w->at, text, w->len) == 0;
}

/* Is it one of the keys that are drawn? */
static bool is_key(const word *w)
{
    const char *p = all_keys;

    while (*p != '\0') {
        size_t len = strcspn(p, " ");
        if (len == w->len && memcmp(p, w->at, len) == 0) {
            return true;
        }
        p += len + (p[len] == ' ');
    }
    return false;
}

/* The tag of a key: queues have one of their own, and what has a 2 in its name another one than the rest, unless all are in one
 * slot. */
static const char *tag_of(const word *w, bool in_one)
{
    if (w->at[0] == 'q') {
        return cluster_tags[2];
    }
    return cluster_tags[!in_one && memchr(w->at, '2', w->len) != NULL];
}

static void out_word(buffer *out, const char *prefix, const char *at, size_t len)
{
    char header[32];

    buffer_add(out, header, (size_t)snprintf(header, sizeof(header), "$%zu\r\n", strlen(prefix) + len));
    buffer_add_text(out, prefix);
    buffer_add(out, at, len);
    buffer_add_text(out, "\r\n");
}

static void out_header(buffer *out, size_t words)
{
    char header[32];

    buffer_add(out, header, (size_t)snprintf(header, sizeof(header), "*%zu\r\n", words));
}

/* The script that stands in for the one that these words call; NULL: there is none. */
static const rl_script *stand_in(const word *words, size_t count)
{
    static const struct {
        const rl_script *of, *in;
    } pairs[] = {{&rl_script_acquire, &rl_script_acquire_alone},
                 {&rl_script_release, &rl_script_release_alone},
                 {&rl_script_extend, &rl_script_extend_alone},
                 {&rl_script_force, &rl_script_force_alone},
                 {&rl_script_owner, &rl_script_owner_alone}};

    for (size_t i = 0; count > 3 && i < sizeof(pairs) / sizeof(*pairs); i++) {
        bool by_text =
            words[1].len == pairs[i].of->text_len && memcmp(words[1].at, pairs[i].of->text, words[1].len) == 0;
        bool by_sha1 =
            words[1].len == 40 && memcmp(words[1].at, pairs[i].of->evalsha + RL_SCRIPT_EVALSHA_LEN - 42, 40) == 0;
        if (by_text || by_sha1) {
            return pairs[i].in;
        }
    }
    return NULL;
}

/* Writes the request as one of a cluster's client. */
static void out_request(buffer *out, const word *words, size_t count, bool in_one, bool alone)
{
    const rl_script *script = alone ? stand_in(words, count) : NULL;
    size_t keys = script != NULL ? (size_t)strtoul(words[2].at, NULL, 10) : 0, left_out = keys > 0 ? keys - 1 : 0;

    if (script != NULL && (keys < 1 || keys > count - 3)) {
        script = NULL;
    }
    out_header(out, script != NULL ? count - left_out : count);
    for (size_t i = 0; i < count; i++) {
        if (script != NULL && i == 0) {
            out_word(out, "", "EVAL", 4);
        } else if (script != NULL && i == 1) {
            out_word(out, "", script->text, script->text_len);
        } else if (script != NULL && i == 2) {
            out_word(out, "", "1", 1);
        } else if (script == NULL || i == 3 || i >= 3 + keys) {
            out_word(out, is_key(&words[i]) ? tag_of(&words[i], in_one) : "", words[i].at, words[i].len);
        }
    }
}

/* Rewrites the requests of a step. What is malformed stays. */
static void rewrite(step *s, uint64_t *random, bool in_one)
{
    word words[MOST_WORDS];
    size_t count, len;
    buffer out = {0};

    for (size_t at = 0; at < s->len; at += len) {
        len = read_request(s->bytes + at, s->len - at, words, &count);
        if (len == 0) {
            buffer_add(&out, s->bytes + at, s->len - at);
            break;
        }
        unsigned dice = (unsigned)(sequence_bits(random) % 100);
        if (dice < 35 && !is_text(&words[0], "BLPOP")) {
            buffer_add_text(&out, "*1\r\n$6\r\nASKING\r\n");
        } else if (dice < 45) {
            buffer_add_text(&out, "*1\r\n$6\r\nASKING\r\n");
        } else if (dice < 47) {
            buffer_add_text(&out, "*2\r\n$7\r\nCLUSTER\r\n$5\r\nSLOTS\r\n");
        }
        out_request(&out, words, count, in_one, sequence_bits(random) % 100 < 35);
    }
    buffer_add(&out, "", 1);
    s->len = out.len - 1;
    s->cut = 0;
    free(s->bytes);
    s->bytes = redis_resize(NULL, out.len);
    memcpy(s->bytes, out.at, out.len);
    buffer_free(&out);
}

void cluster_draw(sequence *s)
{
    uint64_t random = s->seed ^ UINT64_C(0x5bf03635);
    bool in_one = sequence_bits(&random) % 3 > 0;

    for (size_t i = 0; i < s->count; i++) {
        step *next = &s->steps[i];
        if (next->kind == STEP_READ_ONLY || next->kind == STEP_FULL) {
            /* A replica of a cluster follows another node of it, and what is full takes no keys. */
            next->kind = STEP_FLUSH_SCRIPTS;
        } else if (next->kind == STEP_SEND && sequence_bits(&random) % 100 < 25) {
            free(next->bytes);
            *next = (step){.kind = STEP_SLOT,
                           .link = (unsigned)(sequence_bits(&random) % (GROUPS + 1)) % GROUPS, /* mostly the first */
                           .amount = (int64_t)(sequence_bits(&random) % 8)};
        } else if (next->kind == STEP_SEND) {
            rewrite(next, &random, in_one);
        }
    }
}

/* ---- slots that move ---- */

static unsigned slot_of(int group)
{
    return redis_slot(cluster_tags[group], strlen(cluster_tags[group]));
}

static void open_slot(int group)
{
    int from = slots.owner[group], to = 1 - from;
    unsigned slot = slot_of(group);

    admin(to, "CLUSTER SETSLOT %u IMPORTING %s", slot, slots.nodes[from].id);
    admin(from, "CLUSTER SETSLOT %u MIGRATING %s", slot, slots.nodes[to].id);
    redis_open_slot(model_of(to), slot, -1, from);
    redis_open_slot(model_of(from), slot, to, -1);
    slots.is_open[group] = true;
}

/* Moves up to so many keys. */
static void move_keys(int group, int from, int to, size_t most)
{
    const char *first;
    size_t len;

    for (; most > 0 && redis_keys_in_slot(model_of(from), slot_of(group), &first, &len) > 0; most--) {
        char key[64];
        snprintf(key, sizeof(key), "%.*s", (int)len, first);
        admin(from, "MIGRATE 127.0.0.1 %d %s 0 5000 REPLACE AUTH2 " ADMIN_ACCOUNT " " ADMIN_ACCOUNT,
              slots.nodes[to].port, key);
        redis_move_key(model_of(from), model_of(to), key, len);
    }
}

/* The new owner first, as others tell it to be done. The server has keys that are over until it looks at them. */
static void close_slot(int group)
{
    int from = slots.owner[group], to = 1 - from;
    unsigned slot = slot_of(group);

    move_keys(group, from, to, SIZE_MAX);
    admin(from, "SCAN 0 COUNT 1000");
    admin(to, "CLUSTER SETSLOT %u NODE %s", slot, slots.nodes[to].id);
    admin(from, "CLUSTER SETSLOT %u NODE %s", slot, slots.nodes[to].id);
    for (int node = 0; node < NODES; node++) {
        redis_open_slot(model_of(node), slot, -1, -1);
        redis_set_owner(model_of(node), slot, slot, to);
    }
    redis_redirect_blocked(model_of(from));
    slots.owner[group] = to;
    slots.is_open[group] = false;
}

/* What has gone to the other node comes back. */
static void cancel_move(int group)
{
    int from = slots.owner[group], to = 1 - from;
    unsigned slot = slot_of(group);

    admin(from, "CLUSTER SETSLOT %u STABLE", slot);
    redis_open_slot(model_of(from), slot, -1, -1);
    move_keys(group, to, from, SIZE_MAX);
    admin(to, "CLUSTER SETSLOT %u STABLE", slot);
    redis_open_slot(model_of(to), slot, -1, -1);
    redis_redirect_blocked(model_of(to));
    slots.is_open[group] = false;
}

void cluster_do(const step *s)
{
    int group = (int)s->link;

    if (!slots.is_open[group]) {
        open_slot(group);
    } else if (s->amount < 5) {
        move_keys(group, slots.owner[group], 1 - slots.owner[group], s->amount < 3 ? 1 : 100);
    } else if (s->amount < 7) {
        close_slot(group);
    } else {
        cancel_move(group);
    }
}

int cluster_owner(int group)
{
    return slots.owner[group];
}

bool cluster_close_one(void)
{
    for (int group = 0; group < GROUPS; group++) {
        if (slots.is_open[group]) {
            close_slot(group);
            return true;
        }
    }
    return false;
}

/* ---- the nodes ---- */

static int first_owner(unsigned slot)
{
    return slot >= REDIS_SLOTS / NODES;
}

void cluster_begin(void)
{
    for (int node = 0; node < NODES; node++) {
        redis *model = model_of(node);
        redis_join_cluster(model, node, slots.nodes, NODES);
        redis_set_owner(model, 0, REDIS_SLOTS / NODES - 1, 0);
        redis_set_owner(model, REDIS_SLOTS / NODES, REDIS_SLOTS - 1, 1);
        for (int group = 0; group < GROUPS; group++) {
            redis_set_owner(model, slot_of(group), slot_of(group), slots.owner[group]);
        }
    }
}

/* A port on which nobody listens, so that nodes do not talk to each other: what one of them says late of who owns a slot would
 * undo what another one was told since. */
#define NOWHERE 1

/* The file of the nodes that each of them knows when it starts. */
void cluster_configure(const char *folder, const int ports[NODES])
{
    for (int node = 0; node < NODES; node++) {
        slots.nodes[node] = (redis_node){.host = "127.0.0.1", .port = ports[node], .master = -1};
        memset(slots.nodes[node].id, 'a' + node, sizeof(slots.nodes[node].id) - 1);
    }
    for (int group = 0; group < GROUPS; group++) {
        slots.owner[group] = first_owner(slot_of(group));
    }
    for (int node = 0; node < NODES; node++) {
        char path[256];
        snprintf(path, sizeof(path), "%s/nodes%d.conf", folder, node);
        FILE *to = fopen(path, "w");
        if (to == NULL) {
            perror(path);
            exit(2);
        }
        for (int other = 0; other < NODES; other++) {
            int first = other * REDIS_SLOTS / NODES;
            fprintf(to, "%s 127.0.0.1:%d@%d %smaster - 0 0 %d connected %d-%d\n", slots.nodes[other].id, ports[other],
                    other == node ? ports[other] + BUS : NOWHERE, other == node ? "myself," : "", other + 1, first,
                    first + REDIS_SLOTS / NODES - 1);
        }
        fprintf(to, "vars currentEpoch %d lastVoteEpoch 0\n", NODES);
        fclose(to);
    }
}

/* SPDX-License-Identifier: MIT
 *
 * redis/error: see redis/error.h.
 */
#include "redis/error.h"

#include <stdio.h>
#include <string.h>

#include "redis/request.h"

/* What a node of a cluster says to a client that asks it as a server of its own, by the code of its reply, and how that is
 * told. */
static const struct {
    const char *code, *what;
} clusters_words[] = {
    {"MOVED", "the server is a node of a cluster, and another node has this key: write the servers as"},
    {"ASK", "the server is a node of a cluster, and another node has this key: write the servers as"},
    {"TRYAGAIN", "the server is a node of a cluster, and this key is on its way to another node: write the servers as"},
    {"CLUSTERDOWN", "the server is a node of a cluster that is down: write the servers as"},
};

#define NO_SCRIPTS "the server runs no Lua scripts, which this extension needs: EVAL is missing (%.*s)"
#define NO_WAIT    "the server has no WAIT, which the option replicas needs (%.*s)"
#define NO_BLPOP   "the server has no BLPOP, which wakes waiters (%.*s)"

/* Returns the part of an error reply that begins with the code. This matters for an error that a script met: Redis 7
 * begins with the code and puts the place in the script behind it, but older servers put the place in front, and
 * sometimes a second dash before the code:
 *   ERR Error running script (call to f_…): @user_script:7: @user_script: 7: -OOM command not allowed … */
static const char *without_script_place(const char *text)
{
    static const char place[] = "@user_script";
    const char *rest = text;

    if (strncmp(text, place, sizeof(place) - 1) != 0 && strncmp(text, "ERR Error running script", 24) != 0) {
        return text;
    }
    for (const char *p = text; (p = strstr(p, place)) != NULL; p += sizeof(place) - 1) {
        const char *after = p + sizeof(place) - 1;
        after += strspn(after, ": 0123456789");
        rest = after;
    }
    return *rest == '-' ? rest + 1 : rest;
}

/* Does the text report a missing right? Scripts word that differently from plain commands, and older servers
 * differently again. */
static bool speaks_of_rights(const char *text)
{
    return strstr(text, "ACL failure in script") != NULL || strstr(text, "can't run this command") != NULL ||
           strstr(text, "can't access at least one of the keys") != NULL;
}

/* Has a slot moved, or the cluster gone down, while a script ran? The script has stopped half-way. None of these texts has a
 * code of its own. */
static bool speaks_of_half_run_script(const char *text)
{
    return strstr(text, "Script attempted to access a non local key") != NULL ||
           strstr(text, "keys were accessed during rehashing of the slot") != NULL || /* newer Redis */
           (strstr(text, "Script attempted to execute a") != NULL && strstr(text, "the cluster is down") != NULL);
}

/* Returns how an error reply is told, as a format. */
static const char *wording_of(const char *text)
{
    if (rl_command_is_unknown(text, "eval") || strstr(text, "has Lua scripting support disabled") != NULL) {
        return NO_SCRIPTS;
    }
    if (rl_command_is_unknown(text, "wait")) {
        return NO_WAIT;
    }
    return rl_command_is_unknown(text, "blpop") ? NO_BLPOP : "%.*s";
}

static bool speaks_of_too_many_clients(const char *text)
{
    return strstr(text, "max number of clients") != NULL;
}

/* DENIED comes from a server in protected mode. */
bool rl_error_refuses_all(const char *reply)
{
    return speaks_of_too_many_clients(reply) || strncmp(reply, "DENIED ", 7) == 0;
}

/* The special cases come before the general one, since the first word of their text may be a mere ERR. An error whose
 * first word is not a code, in capitals, counts as ERR. */
void rl_error_from_reply(rl_error *error, const char *reply)
{
    const char *text = without_script_place(reply);
    size_t len = strcspn(text, " ");
    /* The text is cut off here: what follows repeats the request's arguments, which may be secrets, or names the
     * script. */
    const char *end = strstr(text, ", with args");
    const char *script = strstr(text, " script: ");

    error->kind = RL_ERROR_REPLY;
    end = end != NULL ? end : script != NULL ? script : text + strlen(text);
    snprintf(error->text, sizeof(error->text), wording_of(text), (int)(end - text), text);
    if (strncmp(text, "NOAUTH", 6) == 0 || strstr(text, "unauthenticated") != NULL) {
        /* Redis words it differently when it refuses a long request of a client that is not logged in. */
        error->kind = RL_REFUSED;
        snprintf(error->code, sizeof(error->code), "NOAUTH");
        snprintf(error->text, sizeof(error->text), "a password is needed (NOAUTH)");
    } else if (speaks_of_too_many_clients(text)) {
        error->kind = RL_REFUSED; /* the reply to whatever a new connection asks, before Redis closes it */
        snprintf(error->code, sizeof(error->code), "ERR");
    } else if (speaks_of_half_run_script(text)) {
        error->kind = RL_LOST; /* as if the reply were lost: nobody knows what was done */
        error->code[0] = '\0';
    } else if (speaks_of_rights(text)) {
        snprintf(error->code, sizeof(error->code), "NOPERM");
    } else if (len > 0 && strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == len) {
        snprintf(error->code, sizeof(error->code), "%.*s", (int)len, text);
    } else {
        snprintf(error->code, sizeof(error->code), "ERR");
    }
}

void rl_error_name_cluster(rl_error *error)
{
    char said[sizeof(error->text)];

    for (size_t i = 0; i < sizeof(clusters_words) / sizeof(*clusters_words); i++) {
        if (error->kind == RL_ERROR_REPLY && strcmp(error->code, clusters_words[i].code) == 0) {
            memcpy(said, error->text, sizeof(said));
            snprintf(error->text, sizeof(error->text), "%s redis-cluster://HOST:6379 (%.90s)", clusters_words[i].what,
                     said);
        }
    }
}

bool rl_error_is_retriable(const rl_error *error, bool repeated)
{
    return error->kind == RL_LOST || (repeated && error->kind == RL_UNREACHABLE);
}

bool rl_error_keep_first(rl_error *error, rl_error *first)
{
    bool repeated = first->kind != RL_OK;
    bool again = rl_error_is_retriable(error, repeated);

    if (!repeated) {
        *first = *error;
    } else if (again) {
        *error = *first;
    }
    return again;
}

static bool has_code(const rl_error *error, const char *const *codes)
{
    for (; error->kind == RL_ERROR_REPLY && *codes != NULL; codes++) {
        if (strcmp(error->code, *codes) == 0) {
            return true;
        }
    }
    return false;
}

bool rl_error_is_of_no_master(const rl_error *error)
{
    static const char *const codes[] = {"READONLY", "MASTERDOWN", "LOADING", "UNBLOCKED", NULL};

    return has_code(error, codes);
}

/* The codes are those of states that pass without any change to the request, the server's configuration or its
 * users. */
bool rl_error_is_transient(const rl_error *error)
{
    static const char *const codes[] = {"CLUSTERDOWN", "TRYAGAIN", "NOREPLICAS", "BUSY", NULL};

    return error->kind == RL_UNREACHABLE || error->kind == RL_TIMED_OUT || error->kind == RL_LOST ||
           error->kind == RL_REDIRECTED || rl_error_is_of_no_master(error) || has_code(error, codes);
}

bool rl_error_is_of_slot(const rl_error *error)
{
    static const char *const codes[] = {"CLUSTERDOWN", "TRYAGAIN", NULL};

    return error->kind == RL_REDIRECTED || has_code(error, codes);
}

bool rl_error_is_of_moving_slot(const rl_error *error)
{
    static const char *const codes[] = {"TRYAGAIN", NULL};

    return error->kind == RL_REDIRECTED || has_code(error, codes);
}

bool rl_error_is_ask(const rl_error *error)
{
    return error->kind == RL_REDIRECTED && strcmp(error->code, "ASK") == 0;
}

bool rl_error_passed_before_running(const rl_error *error)
{
    return error->kind == RL_UNREACHABLE || error->kind == RL_REDIRECTED ||
           (error->kind == RL_ERROR_REPLY && rl_error_is_transient(error) && strcmp(error->code, "UNBLOCKED") != 0);
}

/* The texts are those of proxies in front of a cluster, which have no code for it. */
bool rl_error_refuses_many_keys(const rl_error *error)
{
    static const char *const codes[] = {"CROSSSLOT", NULL};

    return has_code(error, codes) ||
           (error->kind == RL_ERROR_REPLY && (strstr(error->text, "bad lua script for redis cluster") != NULL ||
                                              strstr(error->text, "keys must be in same slot") != NULL ||
                                              strstr(error->text, "keys must in same slot") != NULL));
}

bool rl_error_is_outcome_unknown(const rl_error *error)
{
    return error->kind == RL_TIMED_OUT || error->kind == RL_LOST || error->kind == RL_MALFORMED ||
           error->kind == RL_INTERRUPTED;
}

bool rl_error_leaves_open(const rl_error *error)
{
    return error->kind == RL_ERROR_REPLY ? rl_error_is_transient(error) : error->kind != RL_OK;
}

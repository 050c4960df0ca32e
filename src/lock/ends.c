/* SPDX-License-Identifier: MIT
 *
 * lock/ends: see lock/ends.h.
 */
#include "lock/ends.h"

#include <stdlib.h>
#include <string.h>

#include "invariant.h"
#include "lock/lease.h"

/* The clock of an older server goes on while a script runs. So an end is known to within as many ms as that took, which must
 * be less than half of the mark. */
#define MOST_TAKEN 2

/* Numbers are at most so large: then neither sums nor differences of some of them overflow, in ms and in µs. */
#define LARGEST (INT64_MAX / 4000)

/* Reads a space and a number, and moves `*at` behind them. Returns false if they are not there, or it is too large. */
static bool read_number(const char **at, int64_t *number)
{
    char *end;

    if ((*at)[0] != ' ' || (*at)[1] == '\0' || strchr("-0123456789", (*at)[1]) == NULL) {
        return false;
    }
    *number = strtoll(*at + 1, &end, 10);
    *at = end;
    return *number >= -1 && *number <= LARGEST;
}

/* Reads a time in s and µs as one in ms, rounded down as Redis does. */
static bool read_time(const char **at, int64_t *ms)
{
    int64_t s, us;

    if (!read_number(at, &s) || !read_number(at, &us) || s <= 0 || s > LARGEST / 1000 || us < 0 || us >= 1000000) {
        return false;
    }
    *ms = s * 1000 + us / 1000;
    return true;
}

/* Is there a number for each + of the words, and nothing else? */
static bool has_lefts(const char *words, size_t count, const char *at)
{
    int64_t ignored;

    for (size_t i = 0; i < count; i++) {
        if (words[i] == '+' && !read_number(&at, &ignored)) {
            return false;
        }
    }
    return *at == '\0';
}

/* What is behind a NUL, which belongs into no reply, would not be seen. */
bool lock_renew_reply_read(lock_renew_reply *out, const redisReply *reply, size_t count)
{
    const char *at;
    int64_t ended_ms;

    if (reply->type != REDIS_REPLY_STRING || strlen(reply->str) != (size_t)reply->len ||
        strspn(reply->str, "10+-") != count) {
        return false;
    }
    out->words = reply->str;
    at = reply->str + count;
    if (!read_time(&at, &out->began_ms) || !read_time(&at, &ended_ms)) {
        return false;
    }
    out->took_ms = ended_ms - out->began_ms;
    out->lefts = at;
    return has_lefts(out->words, count, at);
}

/* Is this the end that the renewal has set there itself? Of one that another has set, or counts on, the mark is the least
 * distance. */
static bool is_own(const lock_ends *ends, size_t n, int64_t end_ms)
{
    return ends->at_ms[n] != 0 && llabs(end_ms - ends->at_ms[n]) <= MOST_TAKEN;
}

/* A lease that was left as it is, since it is longer, was marked. Its new end is as much the renewal's own as the old one. */
bool lock_ends_note(lock_ends *ends, size_t n, lock_renew_reply *reply, size_t i, int64_t lease_ms)
{
    bool is_exact = reply->took_ms >= 0 && reply->took_ms <= MOST_TAKEN, was_far = (ends->too_far >> n & 1) != 0,
         is_far = false;
    int64_t left_ms = lease_ms;

    RL_INVARIANT(ends->at_ms != NULL && n < RL_MAX_NODES);
    if (reply->words[i] == '+') {
        read_number(&reply->lefts, &left_ms);
        is_far = is_exact && left_ms > 0 && is_own(ends, n, reply->began_ms + left_ms - LOCK_MARK_MS);
    }
    reply->left_ms = left_ms;
    ends->at_ms[n] = is_far || (is_exact && reply->words[i] == '1') ? reply->began_ms + left_ms : 0;
    ends->too_far = is_far ? ends->too_far | 1U << n : ends->too_far & ~(1U << n);
    return is_far && !was_far;
}

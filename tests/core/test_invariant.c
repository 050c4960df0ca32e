/* SPDX-License-Identifier: MIT
 *
 * What must be true, and what comes of it if it is not: see src/invariant.h.
 */
#include "invariant.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>
#include <sys/wait.h>

#include "bed.h"
#include "heap.h"
#include "invariant_off.h"

static void breaks_an_invariant(void)
{
    RL_INVARIANT(2 * 2 == 5);
}

static void breaks_a_guard(void)
{
    RL_GUARD(2 * 2 == 6);
}

/* A heap that has made no room for its entry. */
static void adds_without_room(void)
{
    heap_entry entry = {0};
    heap h = {0};

    heap_add(&h, &entry, 1);
}

/* Calls the function in another process. Returns whether that was aborted, and said this on stderr. */
static bool aborts(void (*call)(void), const char *what)
{
    char said[512] = "";
    size_t len = 0;
    ssize_t got;
    int ends[2], status;

    CHECK(pipe(ends) == 0);
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        call();
        _exit(0);
    }
    close(ends[1]);
    while (len < sizeof(said) - 1 && (got = read(ends[0], said + len, sizeof(said) - 1 - len)) > 0) {
        len += (size_t)got;
    }
    close(ends[0]);
    CHECK(waitpid(child, &status, 0) == child);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT && strstr(said, what) != NULL;
}

TEST(invariant_that_is_broken_aborts)
{
    CHECK(aborts(breaks_an_invariant, "does not hold: 2 * 2 == 5"));
    CHECK(aborts(adds_without_room, "does not hold: !entry->is_in && h->count < h->room"));
}

TEST(invariant_that_holds_says_nothing)
{
    bool is_evaluated = false;

    RL_INVARIANT((is_evaluated = true));
    CHECK(is_evaluated);
    RL_GUARD(is_evaluated);
}

/* invariant_off.c is compiled as for users, and with NDEBUG. */
TEST(invariant_is_not_evaluated_for_users)
{
    CHECK_INT(off_times_evaluated(), 0);
}

TEST(invariant_guard_stays_for_users)
{
    CHECK(aborts(breaks_a_guard, "does not hold: 2 * 2 == 6"));
    CHECK(aborts(off_breaks_a_guard, "does not hold: times > 0"));
}

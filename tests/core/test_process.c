/* SPDX-License-Identifier: MIT
 *
 * A process is told from its children, however they were made.
 */
#define _GNU_SOURCE
#include "bed.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/wait.h>

/* What two processes have found out about themselves. */
typedef struct pair {
    pid_t pids[2];
    int64_t processes[2];
    int64_t still; /* the first one's number, behind the second one */
    int refused;   /* why no namespaces could be made; 0: they were */
} pair;

static void look(pair *p, int i)
{
    p->pids[i] = getpid();
    p->processes[i] = platform_process();
}

TEST(process_stays_the_same_and_a_child_is_another)
{
    pair *p = shared(sizeof(*p));
    look(p, 0);
    pid_t child = fork();
    if (child == 0) {
        look(p, 1);
        _exit(platform_process() == p->processes[1] ? 0 : 1);
    }
    process_join(child);
    CHECK(p->processes[0] != 0 && p->processes[1] != 0);
    CHECK(p->processes[0] != p->processes[1]);
    CHECK_INT(platform_process(), p->processes[0]);
}

static void *own_process(void *arg)
{
    *(int64_t *)arg = platform_process();
    return NULL;
}

static void ask_in_threads(void *arg)
{
    int64_t numbers[8];
    pthread_t threads[8];

    (void)arg;
    for (int i = 0; i < 8; i++) {
        threads[i] = thread_start(own_process, &numbers[i]); /* the first ones to ask in this process */
    }
    for (int i = 0; i < 8; i++) {
        thread_join(threads[i]);
        CHECK_INT(numbers[i], platform_process());
    }
}

TEST(process_is_the_same_in_all_threads)
{
    platform_process();
    for (int i = 0; i < 20; i++) {
        process_join(process_start(ask_in_threads, NULL));
    }
}

/* Forks into a pid namespace of its own, where the child is number 1, and waits for its end. */
static int fork_into_namespace(void (*run)(pair *), pair *p)
{
    if (unshare(CLONE_NEWPID) != 0 && unshare(CLONE_NEWUSER | CLONE_NEWPID) != 0) {
        return errno;
    }
    pid_t child = fork();
    if (child == 0) {
        run(p);
        _exit(0);
    }
    return child > 0 && waitpid(child, NULL, 0) == child ? 0 : errno;
}

static void second_of_namespaces(pair *p)
{
    look(p, 1);
}

static void first_of_namespaces(pair *p)
{
    look(p, 0);
    p->refused = fork_into_namespace(second_of_namespaces, p);
    p->still = platform_process();
}

static void make_namespaces(void *arg)
{
    pair *p = arg;
    int refused = fork_into_namespace(first_of_namespaces, p);

    p->refused = refused != 0 ? refused : p->refused;
}

/* In containers, a process and its child may both be number 1. If the system lets nobody make such, there is nothing to see. */
TEST(process_in_a_new_pid_namespace_is_another)
{
    pair *p = shared(sizeof(*p));
    process_join(process_start(make_namespaces, p));
    if (p->refused != 0) {
        note("no namespaces: %s", strerror(p->refused));
        return;
    }
    CHECK_INT(p->pids[0], p->pids[1]);
    CHECK(p->processes[0] != p->processes[1]);
    CHECK_INT(p->still, p->processes[0]);
}

/* Checks that the text is "<host>:<pid>" of this process, with nothing that a server would refuse in a name. */
static void check_identity(void)
{
    char pid[24];
    size_t len, again;
    const char *text = platform_identity(&len);
    size_t tail = (size_t)snprintf(pid, sizeof(pid), ":%ld", (long)getpid());

    CHECK_INT(len, strlen(text));
    CHECK(len > tail && len <= PLATFORM_HOST_MAX + tail);
    CHECK(strcmp(text + len - tail, pid) == 0);
    for (const char *c = text; *c != '\0'; c++) {
        CHECK('!' <= *c && *c <= '~');
    }
    CHECK(platform_identity(&again) == text && again == len);
}

static void *check_identity_in_a_thread(void *arg)
{
    check_identity();
    return arg;
}

static void check_identity_in_a_child(void *arg)
{
    (void)arg;
    check_identity();
    thread_join(thread_start(check_identity_in_a_thread, NULL));
}

TEST(process_is_told_by_its_host_and_its_pid)
{
    check_identity();
    process_join(process_start(check_identity_in_a_child, NULL)); /* it has its parent's text at first */
    thread_join(thread_start(check_identity_in_a_thread, NULL));
    check_identity();
}

/* What a process in a namespace of its own, where the host is called so, is told by. */
typedef struct naming {
    const char *host;
    bool is_made;
    char told[PLATFORM_IDENTITY_SIZE];
} naming;

static void tell_under_a_name(void *arg)
{
    naming *n = arg;
    size_t len;

    n->is_made = (unshare(CLONE_NEWUTS) == 0 || unshare(CLONE_NEWUSER | CLONE_NEWUTS) == 0) &&
                 sethostname(n->host, strlen(n->host)) == 0;
    if (n->is_made) {
        snprintf(n->told, sizeof(n->told), "%s", platform_identity(&len));
    }
}

/* Checks what a process is told by at a host of this name, up to its pid. If the system lets nobody make such a host, there is
 * nothing to see. */
static void check_host(const char *host, const char *told)
{
    naming *n = shared(sizeof(*n));

    n->host = host;
    process_join(process_start(tell_under_a_name, n));
    if (!n->is_made) {
        note("no namespaces");
        return;
    }
    CHECK(strncmp(n->told, told, strlen(told)) == 0 && n->told[strlen(told)] == ':');
}

TEST(process_at_a_host_of_any_name_is_told_in_printable_bytes)
{
    check_host("web-1.example", "web-1.example");
    check_host("a host\twith \x1b[31m\xc3\xa4 in it", "a-host-with--[31m---in-it");
    check_host("", "unknown");
    check_host("a123456789b123456789c123456789d123456789e123456789f123456789",
               "a123456789b123456789c123456789d123456789e1234567");
}

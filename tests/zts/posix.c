/* SPDX-License-Identifier: MIT
 *
 * system: see system.h. This is what POSIX systems have.
 */
#include "system.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct system_thread {
    pthread_t id;
    void (*run)(void *arg);
    void *arg;
};

static pthread_barrier_t start;

void system_begin(void)
{
    signal(SIGPIPE, SIG_IGN);
}

static void *begin_thread(void *arg)
{
    system_thread *thread = arg;

    thread->run(thread->arg);
    return NULL;
}

system_thread *system_start(void (*run)(void *arg), void *arg)
{
    system_thread *thread = malloc(sizeof(*thread));

    *thread = (system_thread){.run = run, .arg = arg};
    if (pthread_create(&thread->id, NULL, begin_thread, thread) != 0) {
        free(thread);
        return NULL;
    }
    return thread;
}

void system_join(system_thread *thread)
{
    pthread_join(thread->id, NULL);
    free(thread);
}

void system_expect(unsigned count)
{
    pthread_barrier_init(&start, NULL, count);
}

void system_meet(void)
{
    pthread_barrier_wait(&start);
}

/* PHP itself would load it with RTLD_DEEPBIND, which the runtime of the thread sanitizer refuses. */
struct _zend_module_entry *system_load(const char *extension)
{
    void *library = dlopen(extension, RTLD_NOW | RTLD_LOCAL);
    void *address = library != NULL ? dlsym(library, "get_module") : NULL;
    struct _zend_module_entry *(*get_module)(void);

    if (address == NULL) {
        fprintf(stderr, "host: %s\n", dlerror());
        exit(2);
    }
    memcpy(&get_module, &address, sizeof(get_module));
    return get_module();
}

const char system_setting[] = "";

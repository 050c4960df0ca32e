/* SPDX-License-Identifier: MIT
 *
 * system: see system.h. This is what Windows has.
 */
#include "system.h"

#include <fcntl.h>
#include <io.h>
#include <process.h>
#include <stdio.h>
#include <stdlib.h>
#include <windows.h>

struct system_thread {
    HANDLE handle;
    void (*run)(void *arg);
    void *arg;
};

static SRWLOCK start = SRWLOCK_INIT;
static CONDITION_VARIABLE all_are_there = CONDITION_VARIABLE_INIT;
static unsigned expected;

/* Lines are to end as on other systems. */
void system_begin(void)
{
    _setmode(_fileno(stdout), _O_BINARY);
}

static unsigned __stdcall begin_thread(void *arg)
{
    system_thread *thread = arg;

    thread->run(thread->arg);
    return 0;
}

system_thread *system_start(void (*run)(void *arg), void *arg)
{
    system_thread *thread = malloc(sizeof(*thread));

    *thread = (system_thread){.run = run, .arg = arg};
    thread->handle = (HANDLE)_beginthreadex(NULL, 0, begin_thread, thread, 0, NULL);
    if (thread->handle == NULL) {
        free(thread);
        return NULL;
    }
    return thread;
}

void system_join(system_thread *thread)
{
    WaitForSingleObject(thread->handle, INFINITE);
    CloseHandle(thread->handle);
    free(thread);
}

void system_expect(unsigned count)
{
    expected = count;
}

void system_meet(void)
{
    AcquireSRWLockExclusive(&start);
    expected--;
    while (expected > 0) {
        SleepConditionVariableSRW(&all_are_there, &start, INFINITE, 0);
    }
    ReleaseSRWLockExclusive(&start);
    WakeAllConditionVariable(&all_are_there);
}

/* So PHP unloads it at its end too. */
struct _zend_module_entry *system_load(const char *extension)
{
    (void)extension;
    return NULL;
}

const char system_setting[] = "extension=\"%s\"\n";

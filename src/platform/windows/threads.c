/* SPDX-License-Identifier: MIT
 *
 * threads: see platform/threads.h. This is what Windows has.
 */
#include "platform/threads.h"

#include <process.h>
#include <stdlib.h>
#include <windows.h>

#include "invariant.h"
#include "platform/platform.h"

#define STACK_SIZE (512 * 1024)

/* A wait of Windows does not count the time that the machine was suspended, so each is a short one. */
#define LONGEST_SLEEP PLATFORM_SEC

/* ---- threads ---- */

typedef struct thread_start {
    void *(*run)(void *);
    void *arg;
} thread_start;

static unsigned __stdcall begin_thread(void *arg)
{
    thread_start start = *(thread_start *)arg;

    free(arg);
    start.run(start.arg);
    return 0;
}

int threads_start(threads_thread *thread, void *(*run)(void *), void *arg)
{
    thread_start *start = platform_alloc(sizeof(*start));

    *start = (thread_start){run, arg};
    *thread = (HANDLE)_beginthreadex(NULL, STACK_SIZE, begin_thread, start, STACK_SIZE_PARAM_IS_A_RESERVATION, NULL);
    if (*thread == NULL) {
        free(start);
        /* platform_strerror() knows Windows' numbers, and no errno. */
        return _doserrno != 0 ? (int)_doserrno : ERROR_NOT_ENOUGH_MEMORY;
    }
    return 0;
}

void threads_join(threads_thread thread)
{
    WaitForSingleObject(thread, INFINITE);
    CloseHandle(thread);
}

/* ---- mutexes and conditions ---- */

void threads_mutex_init(threads_mutex *mutex)
{
    InitializeSRWLock(mutex);
}

void threads_mutex_destroy(threads_mutex *mutex)
{
    (void)mutex;
}

void threads_lock(threads_mutex *mutex)
{
    RL_INVARIANT(!threads_holds(mutex));
    AcquireSRWLockExclusive(mutex);
    threads_note_locked(mutex);
}

void threads_unlock(threads_mutex *mutex)
{
    RL_INVARIANT(threads_holds(mutex));
    threads_note_unlocked(mutex);
    ReleaseSRWLockExclusive(mutex);
}

void threads_condition_init(threads_condition *condition)
{
    InitializeConditionVariable(condition);
}

void threads_condition_destroy(threads_condition *condition)
{
    (void)condition;
}

bool threads_wait(threads_condition *condition, threads_mutex *mutex, int64_t until)
{
    int64_t by = platform_earlier(until, platform_now() + LONGEST_SLEEP);

    return SleepConditionVariableSRW(condition, mutex, (DWORD)platform_poll_ms(by), 0) || platform_now() < until;
}

void threads_broadcast(threads_condition *condition)
{
    WakeAllConditionVariable(condition);
}

static BOOL CALLBACK run_once(PINIT_ONCE once, PVOID run, PVOID *unused)
{
    (void)once, (void)unused;
    (*(void (**)(void))run)();
    return TRUE;
}

void threads_run_once(threads_once *once, void (*run)(void))
{
    InitOnceExecuteOnce(once, run_once, &run, NULL);
}

void threads_at_fork(void (*before)(void), void (*in_parent)(void), void (*in_child)(void))
{
    (void)before, (void)in_parent, (void)in_child;
}

/* ---- the waker ---- */

/* Makes a UDP socket of the loopback that is connected to itself, so that nobody else can write to it. */
static SOCKET open_loop(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET};
    int size = sizeof(address);
    u_long on = 1;
    SOCKET fd = socket(AF_INET, SOCK_DGRAM, IPPROTO_UDP);

    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (fd != INVALID_SOCKET && bind(fd, (struct sockaddr *)&address, size) == 0 &&
        getsockname(fd, (struct sockaddr *)&address, &size) == 0 &&
        connect(fd, (struct sockaddr *)&address, size) == 0 && ioctlsocket(fd, FIONBIO, &on) == 0) {
        SetHandleInformation((HANDLE)fd, HANDLE_FLAG_INHERIT, 0);
        return fd;
    }
    if (fd != INVALID_SOCKET) {
        int problem = WSAGetLastError();
        closesocket(fd);
        WSASetLastError(problem);
    }
    return INVALID_SOCKET;
}

int threads_waker_open(threads_waker *waker)
{
    sockets_begin();
    waker->ends[0] = waker->ends[1] = open_loop();
    waker->timer = SOCKETS_NONE;
    return waker->ends[0] != INVALID_SOCKET ? 0 : WSAGetLastError();
}

void threads_waker_close(threads_waker *waker)
{
    closesocket(waker->ends[0]);
}

/* A socket whose buffer is full wakes anyway. */
void threads_wake(const threads_waker *waker)
{
    send(waker->ends[1], "", 1, 0);
}

/* The socket is read until it is empty, since one sleep answers to all wakes before it. */
void threads_sleep(const threads_waker *waker, struct pollfd *interests, size_t count, int64_t until)
{
    int64_t by = platform_earlier(until, platform_now() + LONGEST_SLEEP);
    char written[64];

    interests[count] = (struct pollfd){.fd = waker->ends[0], .events = POLLIN};
    if (sockets_poll(interests, count + 1, platform_poll_ms(by)) <= 0) {
        for (size_t i = 0; i < count; i++) {
            interests[i].revents = 0;
        }
        return;
    }
    while (interests[count].revents != 0 && recv(waker->ends[0], written, sizeof(written), 0) > 0) {
    }
}

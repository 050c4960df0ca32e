/* SPDX-License-Identifier: MIT */
/*
 * A network between the web servers and Redis: passes bytes on in both directions, each after a delay.
 *
 *     proxy SOCKET-TO-LISTEN-ON SOCKET-OF-THE-SERVER
 *
 * Says "ready" on its standard output. Each line of its standard input is the delay from then on, in microseconds; at first
 * there is none. It ends when its input does. One thread, one epoll; since all is delayed by the same time, what is on its
 * way is one queue in order of arrival: what comes just after the delay was shortened waits for what came before.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

/* One end of a link; the other is its peer. */
typedef struct end {
    int fd;
    int on_the_way; /* parcels that are to be written here */
    int closed;     /* nothing more is read here */
    struct end *peer;
} end;

typedef struct parcel {
    struct parcel *next;
    end *to;
    int64_t due;   /* ns */
    size_t length; /* 0: the sender has closed */
    char bytes[];
} parcel;

static int poller, timer, listener;
static const char *upstream;
static int64_t delay;
static parcel *first, **last = &first;

static _Noreturn void die(const char *what)
{
    perror(what);
    exit(1);
}

static int64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

static struct sockaddr_un address(const char *path)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    snprintf(name.sun_path, sizeof name.sun_path, "%s", path);
    return name;
}

static void watch(int fd, void *what)
{
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = what};
    if (epoll_ctl(poller, EPOLL_CTL_ADD, fd, &event) != 0) {
        die("epoll_ctl");
    }
}

/* False: there are no more orders. */
static bool take_order(void)
{
    char line[32];
    ssize_t length = read(STDIN_FILENO, line, sizeof line - 1);

    if (length > 0) {
        line[length] = '\0';
        delay = atol(line) * 1000;
    }
    return length > 0;
}

static void set_timer(void)
{
    struct itimerspec at = {0};
    if (first != NULL) {
        at.it_value.tv_sec = first->due / 1000000000;
        at.it_value.tv_nsec = first->due % 1000000000;
    }
    timerfd_settime(timer, TFD_TIMER_ABSTIME, &at, NULL);
}

static void take_link(void)
{
    struct sockaddr_un name = address(upstream);
    int client = accept(listener, NULL, NULL), server = socket(AF_UNIX, SOCK_STREAM, 0);
    end *ends;

    if (client < 0 || server < 0) {
        die("accept");
    }
    if (connect(server, (struct sockaddr *)&name, sizeof name) != 0) {
        close(client);
        close(server);
        return;
    }
    ends = calloc(2, sizeof *ends);
    ends[0] = (end){.fd = client, .peer = &ends[1]};
    ends[1] = (end){.fd = server, .peer = &ends[0]};
    watch(client, &ends[0]);
    watch(server, &ends[1]);
}

static void take_bytes(end *from)
{
    char bytes[65536];
    ssize_t length = read(from->fd, bytes, sizeof bytes);
    parcel *new;

    if (length <= 0) {
        length = 0;
        from->closed = 1;
        epoll_ctl(poller, EPOLL_CTL_DEL, from->fd, NULL);
    }
    new = malloc(sizeof *new + (size_t)length);
    *new = (parcel){.to = from->peer, .due = now() + delay, .length = (size_t)length};
    memcpy(new->bytes, bytes, (size_t)length);
    *last = new;
    last = &new->next;
    from->peer->on_the_way++;
}

static void deliver(parcel *it)
{
    end *to = it->to;

    to->on_the_way--;
    if (it->length == 0) {
        shutdown(to->fd, SHUT_WR);
    }
    for (size_t sent = 0; sent < it->length;) {
        ssize_t written = send(to->fd, it->bytes + sent, it->length - sent, MSG_NOSIGNAL);
        if (written < 0 && errno != EINTR) {
            break; /* it is gone; reading will tell */
        }
        sent += written > 0 ? (size_t)written : 0;
    }
    if (to->closed && to->peer->closed && to->on_the_way == 0 && to->peer->on_the_way == 0) {
        close(to->fd);
        close(to->peer->fd);
        free(to < to->peer ? to : to->peer);
    }
}

static void deliver_due(void)
{
    while (first != NULL && first->due <= now()) {
        parcel *it = first;
        first = it->next;
        if (first == NULL) {
            last = &first;
        }
        deliver(it);
        free(it);
    }
}

static void prepare(const char *path)
{
    struct sockaddr_un name = address(path);
    struct rlimit files;

    getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
    prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0);
    /* A network does not wait for a processor: before all others, where we may. */
    sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){.sched_priority = 1});
    poller = epoll_create1(0);
    timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
    listener = socket(AF_UNIX, SOCK_STREAM, 0);
    if (bind(listener, (struct sockaddr *)&name, sizeof name) != 0 || listen(listener, 1024) != 0) {
        die(path);
    }
    watch(timer, &timer);
    watch(listener, &listener);
    watch(STDIN_FILENO, &poller);
}

int main(int argc, char **argv)
{
    struct epoll_event events[64];

    if (argc != 3) {
        fprintf(stderr, "proxy SOCKET-TO-LISTEN-ON SOCKET-OF-THE-SERVER\n");
        return 2;
    }
    upstream = argv[2];
    prepare(argv[1]);
    puts("ready");
    fflush(stdout);
    for (;;) {
        int count = epoll_wait(poller, events, 64, -1);
        for (int i = 0; i < count; i++) {
            void *what = events[i].data.ptr;
            uint64_t ticks;
            if (what == &poller) {
                if (!take_order()) {
                    return 0;
                }
            } else if (what == &listener) {
                take_link();
            } else if (what != &timer) {
                take_bytes(what);
            } else if (read(timer, &ticks, sizeof ticks) < 0 && errno != EAGAIN) {
                die("timer");
            }
        }
        deliver_due();
        set_timer();
    }
}

/* SPDX-License-Identifier: MIT
 *
 * server: a server that says what the fuzzer wants, and a clock that stands still while nobody waits.
 *
 * Both live in the process: the linker leads the core's connect, poll(), recv() and clock here (see ./run). A wait takes no
 * time, so thousands of calls with deadlines of their own are made a second, and each run is the same.
 */
#ifndef REDISLOCK_FUZZ_SERVER_H
#define REDISLOCK_FUZZ_SERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MUST(condition)                                                                                                \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            must_fail(__FILE__, __LINE__, #condition);                                                                 \
        }                                                                                                              \
    } while (0)

__attribute__((noreturn)) void must_fail(const char *file, int line, const char *what);

/* Begins anew: no connection, and what the server will do. Two bytes and more an action, see server.c. */
void server_begin(const uint8_t *script, size_t len);

/* Closes what is open on the server's side. */
void server_end(void);

/* What the server says where the script chooses among whole replies. Each target has its own. */
typedef struct server_reply {
    const char *at;
    size_t len;
} server_reply;

extern const server_reply server_replies[];
extern const size_t server_reply_count;
#define REPLY(text)                                                                                                    \
    {                                                                                                                  \
        text, sizeof(text) - 1                                                                                         \
    }

/* From now on it is a good server, a good sentinel, and a master: each owner() is answered with OWNER_OF + the lock's key.
 * Requests that came before are not answered any more: nobody may still wait for them. */
void server_be_honest(void);
#define OWNER_OF "owner of "

/* Next byte of the script, for who else has to be told what to do; 0 behind its end. */
uint8_t server_next_byte(void);

/* Is there more of the script? */
bool server_has_more(void);

/* Does the script say that the running call is to be interrupted? */
bool server_interrupts(void);

/* µs of the standing clock. */
int64_t server_time(void);

#endif

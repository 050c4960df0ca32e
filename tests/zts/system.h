/* SPDX-License-Identifier: MIT
 *
 * system: what host.c needs of the operating system; posix.c or windows.c has it.
 */
#ifndef REDISLOCK_ZTS_SYSTEM_H
#define REDISLOCK_ZTS_SYSTEM_H

typedef struct system_thread system_thread;

/* To be called first. */
void system_begin(void);

/* Returns NULL if no thread starts. */
system_thread *system_start(void (*run)(void *arg), void *arg);

/* Waits for the thread's end. */
void system_join(system_thread *thread);

/* Waits until as many threads wait here as system_expect() was told. */
void system_expect(unsigned count);
void system_meet(void);

/* Loads the extension and returns its module. NULL: PHP is to load it, by this line of its settings, in which %s stands for
 * the path. */
struct _zend_module_entry *system_load(const char *extension);
extern const char system_setting[];

#endif

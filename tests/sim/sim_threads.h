/* SPDX-License-Identifier: MIT
 *
 * sim_threads: stands in for platform/threads.h, all by which a thread of the core waits or is started. A thread is a task of
 * its process. Mutexes, conditions and wakers are waits of the world.
 */
#ifndef SIM_THREADS_H
#define SIM_THREADS_H

/* Begins a world: no thread runs, and nobody has a mutex. */
void sim_threads_begin(void);

#endif

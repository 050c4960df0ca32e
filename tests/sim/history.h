/* SPDX-License-Identifier: MIT
 *
 * history: a plan as text. What seeds mean changes with the drawing of plans; a plan that was written down stays.
 *
 *     # What it shows.
 *     set seed=88027 servers=1 clients=4 read_timeout=100000
 *     op lock: client=0 name=1 timeout=1000000 lease=30000
 *     fault isolate: piece=51 span=6000000
 *
 * The names are those of the fields of sim_plan, sim_op and sim_fault, the times are in µs, and a field that is 0 is
 * left out. What happens is still drawn from the seed while the plan runs.
 */
#ifndef SIM_HISTORY_H
#define SIM_HISTORY_H

#include <stdio.h>

#include "plan.h"

/* Writes the plan without what is left out of it. */
void history_write(const sim_plan *plan, FILE *to);

/* Reads a plan. Ends the process, with a message that names the line, if the file is none. */
void history_read(sim_plan *plan, const char *path);

#endif

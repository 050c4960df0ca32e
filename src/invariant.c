/* SPDX-License-Identifier: MIT
 *
 * invariant: see invariant.h.
 */
#include "invariant.h"

#include <stdio.h>
#include <stdlib.h>

void invariant_broken(const char *file, int line, const char *condition)
{
    fprintf(stderr, "redislock: %s:%d: does not hold: %s\n", file, line, condition);
    abort();
}

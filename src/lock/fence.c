/* SPDX-License-Identifier: MIT
 *
 * lock/fence: see lock/fence.h.
 */
#include "lock/fence.h"

#include "invariant.h"
#include "redis/scripts.h"

void lock_fence_write_back(rl_request *request, const lock_keys *keys, rl_bytes token, int64_t fence,
                           char digits[RL_DIGITS])
{
    RL_INVARIANT(fence > 0);
    rl_request_begin(request, &rl_script_raise_fence);
    lock_keys_add(request, keys, true);
    rl_request_add(request, token);
    rl_request_add_number(request, fence, digits);
}

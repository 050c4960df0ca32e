/* SPDX-License-Identifier: MIT
 *
 * php/redislock/owner: see php/redislock/owner.h.
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "php/redislock/owner.h"

#include "SAPI.h"

#include "php/arguments.h"
#include "platform/platform.h"

/* Returns the base name of the script that the command line runs; "" if there is none, or under another SAPI, whose processes
 * run many scripts. */
static rl_bytes script_name(void)
{
    const char *path = SG(request_info).path_translated, *name = path;

    if (strcmp(sapi_module.name, "cli") != 0 || path == NULL || strcmp(path, "-") == 0) {
        return RL_LITERAL("");
    }
    for (const char *at = path; *at != '\0'; at++) {
        name = IS_SLASH(*at) ? at + 1 : name;
    }
    return (rl_bytes){name, strlen(name)};
}

/* Writes who the process is, and what it works on as far as there is room. Too little room cuts the host, and not the pid. */
static size_t write_default(char out[LOCK_OWNER_MAX])
{
    size_t len, host;
    const char *identity = platform_identity(&len);
    rl_bytes work = RL_G(is_described) ? (rl_bytes){RL_G(work), RL_G(work_len)} : script_name();

    for (host = len; identity[host - 1] != ':';) {
        host--;
    }
    rl_bytes pid = {identity + host - 1, len - host + 1};
    host = host - 1 < LOCK_OWNER_MAX - pid.len ? host - 1 : LOCK_OWNER_MAX - pid.len;
    len = lock_owner_append(out, 0, (rl_bytes){identity, host});
    len = lock_owner_append(out, len, pid);
    if (work.len > 0 && len + 1 < LOCK_OWNER_MAX) {
        len = lock_owner_append(out, lock_owner_append(out, len, RL_LITERAL(" ")), work);
    }
    return len;
}

void php_lock_owner_make(int64_t process)
{
    RL_G(owner_len) = write_default(RL_G(owner));
    RL_G(owner_process) = process;
}

void php_lock_owner_reset(void)
{
    RL_G(is_described) = false;
    RL_G(owner_process) = 0;
}

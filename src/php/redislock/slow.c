/* SPDX-License-Identifier: MIT
 *
 * php/redislock/slow: see php/redislock/slow.h.
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "php/redislock/slow.h"

#include <inttypes.h>

#include "php.h"

#include "php/arguments.h"
#include "php/globals.h"
#include "platform/platform.h"

/* A process logs one slow lock in so long; of the others, the next line says how many there were. If locks are slow, all of
 * them are. */
#define SLOW_EVERY PLATFORM_SEC

/* Writes the name so that it does no harm in a log: no control characters, and not too long. Returns `shown`. */
static const char *show_name(char shown[4 * PHP_LOCK_SLOW_NAME + 4], rl_bytes name)
{
    char *to = shown;

    for (size_t i = 0; i < name.len && i < PHP_LOCK_SLOW_NAME; i++) {
        unsigned char byte = (unsigned char)name.at[i];
        if (byte < 0x20 || byte == 0x7f || byte == '\\') {
            to += snprintf(to, 5, "\\x%02x", byte);
        } else {
            *to++ = (char)byte;
        }
    }
    strcpy(to, name.len > PHP_LOCK_SLOW_NAME ? "..." : "");
    return shown;
}

bool php_lock_slow_is_due(void)
{
    int64_t now = platform_now();

    if (RL_G(slow_logged_at) != 0 && now - RL_G(slow_logged_at) < SLOW_EVERY) {
        RL_G(slow_left_out)++;
        return false;
    }
    RL_G(slow_logged_at) = now;
    return true;
}

/* Says how many were left out since the last line. */
void php_lock_slow_write(char line[PHP_LOCK_SLOW_LINE], rl_bytes name, lock_slow what, int64_t span, rl_bytes owner)
{
    static const char *const was[] = {[LOCK_SLOW_WAIT] = "was acquired after",
                                      [LOCK_SLOW_IN_VAIN] = "was not acquired within",
                                      [LOCK_SLOW_HOLD] = "was held for"};
    char shown[4 * PHP_LOCK_SLOW_NAME + 4], took[PHP_RL_SPAN_TEXT], more[64] = "";

    if (RL_G(slow_left_out) > 0) {
        snprintf(more, sizeof(more), "; %" PRIu64 " slow ones before it were not logged", RL_G(slow_left_out));
    }
    owner = owner.len > 0 ? owner : RL_LITERAL("?");
    snprintf(line, PHP_LOCK_SLOW_LINE, "redislock: slow: the lock \"%s\" %s %s by %.*s%s", show_name(shown, name),
             was[what], php_rl_span_text(took, span), (int)owner.len, owner.at, more);
    RL_G(slow_left_out) = 0;
}

void php_lock_slow_log(void *line)
{
    php_log_err_with_severity(line, LOG_WARNING);
}

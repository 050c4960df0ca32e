/* SPDX-License-Identifier: MIT
 *
 * php/ini: the INI settings.
 */
#ifndef PHP_REDISLOCK_INI_H
#define PHP_REDISLOCK_INI_H

#include <stdbool.h>

/* Register the INI settings at MINIT, and unregister them at MSHUTDOWN. */
void php_rl_register_ini(int module_number);
void php_rl_unregister_ini(int module_number);

/* Returns whether redislock.servers was refused, since it held a password, and nothing else was set in its place.
 * Nobody has named the value that it has then, so it must not be connected to. */
bool php_rl_servers_setting_is_refused(void);

#endif

/* SPDX-License-Identifier: MIT
 *
 * php/section: PHP code that runs under a lock, which is released however it ends; and RedisLock::synchronized().
 */
#ifndef PHP_REDISLOCK_SECTION_H
#define PHP_REDISLOCK_SECTION_H

#include "php/state.h"

/* What is known when the section is over. */
typedef struct php_lock_section {
    php_lock_state *state;
    zend_string *name;
    char *token; /* of this acquisition; the section may have unlocked and locked again */
    size_t token_len;
    int64_t pid; /* that took it: a child that the section forked has nothing to release */
    int64_t began;
    int64_t took;
    int64_t set; /* when its lease was set last, which then was to last: */
    int64_t duration;
    zend_object *thrown; /* by the section, or NULL; whoever runs it throws it on, or releases it */
} php_lock_section;

/* For a lock that the state holds. Ended by php_lock_section_end(), which releases no lock. */
void php_lock_section_begin(php_lock_section *section, php_lock_state *state, zend_string *name);
void php_lock_section_end(php_lock_section *section);

/* Calls the code. What it throws is set aside in `thrown`. A fatal error releases the lock and goes on from here. */
void php_lock_section_run(php_lock_section *section, zend_fcall_info *fci, zend_fcall_info_cache *fcc, zval *result);

/* A RedisLockLostException that tells how long the section took, not thrown yet. `result` may be NULL. */
zend_object *php_lock_section_lost(const php_lock_section *section, zval *result);

/* The code that is to run under a lock, as argument `arg`: false, and an error was thrown, where it is a generator
 * function. Its body would run when the lock has been released. */
bool php_lock_check_section(uint32_t arg, const zend_fcall_info_cache *fcc);

/* Warns of a result whose body goes on after the release, since it is a generator all the same. */
void php_lock_section_check_result(const php_lock_section *section, const zval *result);

/* The section has done its work, so its caller gets what it returned, and a warning of the release that failed. */
void php_lock_section_warn(const php_lock_section *section, zend_object *failure);

/* The lease of this acquisition; NULL: the section has given it up by itself. */
lock_lease *php_lock_section_lease(const php_lock_section *section);

/* Sets the pending exception aside and gives back which it was; NULL: none. */
zend_object *php_lock_set_aside(void);

/* Appends `previous` (NULL: nothing), which it takes over, to what was thrown. */
void php_lock_append_previous(zend_object *thrown, zend_object *previous);

#endif

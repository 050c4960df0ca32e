/* SPDX-License-Identifier: MIT
 *
 * php/redislock/section: a section is PHP code that runs under a lock, which is released however the code ends. Also
 * RedisLock::synchronized().
 */
#ifndef REDISLOCK_PHP_REDISLOCK_SECTION_H
#define REDISLOCK_PHP_REDISLOCK_SECTION_H

#include "php/redislock/state.h"

/* A section, and what is known of it when it is over. */
typedef struct php_lock_section {
    php_lock_state *state;
    zend_string *name;
    char *token; /* the owner token of this acquisition: the section may release the lock and acquire it again */
    size_t token_len;
    int64_t process;     /* the process that acquired the lock: a child that the section forks has nothing to release */
    int64_t began;       /* when the code was about to run */
    int64_t took;        /* from `began` to the end of the code; 0 before that */
    int64_t lease_sent;  /* when the lease was last set: at the acquisition or by an extension */
    int64_t duration;    /* of the lease, from `lease_sent` on */
    zend_object *thrown; /* what the code threw, or NULL; the caller throws it on or releases it */
} php_lock_section;

/* A callable that a method was given. */
typedef struct php_lock_callable {
    zend_fcall_info info;
    zend_fcall_info_cache cache; /* has no function if the method is reached by __call() or such: it is resolved anew */
    zend_object *object;         /* that was kept; NULL: none */
} php_lock_callable;

/* Begins a section under a lock that the state holds. Ended by php_lock_section_end(). `name` must outlive the
 * section. */
void php_lock_section_begin(php_lock_section *section, php_lock_state *state, zend_string *name);

/* Frees what the section owns. Neither releases the lock nor what was thrown. */
void php_lock_section_end(php_lock_section *section);

/* Calls the code. `result` gets what it returns, and `thrown` what it throws. After a fatal error the lock is released
 * and this does not return: it goes on with the bail-out. */
void php_lock_section_run(php_lock_section *section, php_lock_callable *code, zval *result);

/* Goes on with the bail-out of a fatal error that has ended PHP code under the lock, and releases that first. `frame` is
 * where the method is. Does not return. */
ZEND_NORETURN void php_lock_section_bail_out(const php_lock_section *section, zend_execute_data *frame);

/* Makes a RedisLockLostException, without throwing it, that says how long the section took. `result` is what the
 * section returned; NULL if it did not return. */
zend_object *php_lock_section_lost(const php_lock_section *section, zval *result);

/* Keeps argument `arg`, the code that is to run under a lock, as it is now, and its object alive, until the method ends that
 * was given it. An array with a callable may have references, and PHP code that runs before the call, or within it, may assign
 * to their variables. The engine keeps neither that object nor the one whose method it calls; and a method that __call()
 * stands for is looked up in the array for each call. So the method is given the argument as a mere value: PHP code that other
 * arguments run could free what a callable that is resolved already points to. May run PHP code, an autoloader. False: it
 * cannot be called, or is a generator function, whose body would run after the release; an error was thrown. */
bool php_lock_keep_callable(uint32_t arg, zval *given, php_lock_callable *callable);
void php_lock_drop_callable(php_lock_callable *callable);

/* Warns if the section has returned a generator that is not finished: its body would go on after the release. */
void php_lock_section_check_result(const php_lock_section *section, const zval *result);

/* Warns of a release that failed with the exception `failure`. The section has done its work, so its caller gets the
 * result and no exception. */
void php_lock_section_warn(const php_lock_section *section, zend_object *failure);

/* Tells what became of the lock after a section that returned. A lost lock is thrown, also if the release failed and the lease
 * was over by then (not `was_ours`); any other failure, which is taken over, is only warned of. */
void php_lock_section_report(const php_lock_section *section, lock_outcome outcome, bool was_ours, zend_object *failure,
                             zval *result);

/* Drops the result if an exception is pending, since PHP code does not get both. */
void php_lock_section_clean_up(zval *result);

/* Returns the lock as the state holds it from this acquisition on. NULL: the section has given it up by itself, or this
 * is a child that it forked. */
php_lock_hold *php_lock_section_hold(const php_lock_section *section);

#endif

/* SPDX-License-Identifier: MIT
 *
 * php/redislock/fibers: see php/redislock/fibers.h.
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "php/redislock/fibers.h"

#include "zend_observer.h"

#include "php/globals.h"

#include "invariant.h"

/* What is noted of the fibers of one lock. */
struct php_lock_fibers {
    php_lock_hold *hold;
    HashTable refused;                        /* the addresses of the contexts of those that asked for it in vain */
    struct php_lock_fibers *next, **named_by; /* in RL_G(fibers): the next one, and what names this one */
};

/* The main program has a context too. When a fiber has ended, another one may get the same address. */
static zend_ulong key_of(const zend_fiber_context *context)
{
    return (zend_ulong)(uintptr_t)context;
}

/* What there is already is kept. The list's order does not matter. */
void php_lock_fibers_note(php_lock_hold *hold)
{
    php_lock_fibers *fibers = hold->fibers;

    if (fibers != NULL) {
        return;
    }
    fibers = hold->fibers = emalloc(sizeof(*fibers));
    fibers->hold = hold;
    zend_hash_init(&fibers->refused, 0, NULL, NULL, false);
    fibers->next = RL_G(fibers);
    fibers->named_by = &RL_G(fibers);
    if (fibers->next != NULL) {
        fibers->next->named_by = &fibers->next;
    }
    RL_G(fibers) = fibers;
}

void php_lock_fibers_free(php_lock_fibers *fibers)
{
    RL_INVARIANT(fibers->hold->fibers == fibers && *fibers->named_by == fibers);
    fibers->hold->fibers = NULL;
    *fibers->named_by = fibers->next;
    if (fibers->next != NULL) {
        fibers->next->named_by = fibers->named_by;
    }
    zend_hash_destroy(&fibers->refused);
    efree(fibers);
}

void php_lock_fibers_refuse(php_lock_hold *hold)
{
    if (hold->taker == EG(current_fiber_context)) {
        return;
    }
    php_lock_fibers_note(hold);
    zend_hash_index_add_empty_element(&hold->fibers->refused, key_of(EG(current_fiber_context)));
}

bool php_lock_fibers_are_refused(const php_lock_fibers *fibers)
{
    return zend_hash_index_exists(&fibers->refused, key_of(EG(current_fiber_context)));
}

/* Does the lock still name a fiber whose end is to be noticed? */
static bool names_a_fiber(const php_lock_fibers *fibers)
{
    const php_lock_hold *hold = fibers->hold;

    return hold->fiber != NULL || (hold->taker != NULL && hold->taker != EG(main_fiber_context)) ||
           zend_hash_num_elements(&fibers->refused) > 0;
}

/* Another fiber may come to the place in memory of one that ends. It has not taken the lock, it is not refused, and it is
 * not told of the loss. That holds whether the lease is kept just now or not: it may be kept on later. */
static void forget_fiber(php_lock_fibers *fibers, const zend_fiber_context *context)
{
    php_lock_hold *hold = fibers->hold;

    zend_hash_index_del(&fibers->refused, key_of(context));
    if (hold->taker == context) {
        hold->taker = NULL;
    }
    if (hold->fiber != NULL && &hold->fiber->context == context) {
        hold->fiber = NULL;
        hold->on_loss = ON_LOSS_FLAG;
    }
    if (!names_a_fiber(fibers)) {
        php_lock_fibers_free(fibers);
    }
}

static void on_fiber_end(zend_fiber_context *context)
{
    php_lock_fibers *fibers = RL_G(fibers);

    while (fibers != NULL) {
        php_lock_fibers *next = fibers->next;
        forget_fiber(fibers, context);
        fibers = next;
    }
}

/* It stays: it cannot be taken back, and the engine forgets it before it unloads the module. */
void php_lock_fibers_startup(void)
{
    zend_observer_fiber_destroy_register(on_fiber_end);
}

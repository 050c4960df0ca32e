/* SPDX-License-Identifier: MIT
 *
 * php/fibers: see php/fibers.h.
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "php/fibers.h"

#include "zend_observer.h"

#include "php/globals.h"

/* Those of one lock. */
struct php_lock_refused {
    HashTable fibers;                      /* the addresses of their contexts */
    struct php_lock_refused *next, **link; /* in RL_G(refused) */
};

/* Also the main program has a context. That of a fiber which has ended may be another one's later. */
static zend_ulong key_of(const zend_fiber_context *context)
{
    return (zend_ulong)(uintptr_t)context;
}

static php_lock_refused *refused_new(void)
{
    php_lock_refused *refused = emalloc(sizeof(*refused));

    zend_hash_init(&refused->fibers, 0, NULL, NULL, false);
    refused->next = RL_G(refused);
    refused->link = &RL_G(refused);
    if (refused->next != NULL) {
        refused->next->link = &refused->next;
    }
    RL_G(refused) = refused;
    return refused;
}

void php_lock_fibers_free_refused(php_lock_refused *refused)
{
    *refused->link = refused->next;
    if (refused->next != NULL) {
        refused->next->link = refused->link;
    }
    zend_hash_destroy(&refused->fibers);
    efree(refused);
}

void php_lock_fibers_refuse(php_lock_hold *hold)
{
    if (hold->taker == EG(current_fiber_context)) {
        return;
    }
    if (hold->refused == NULL) {
        hold->refused = refused_new();
    }
    zend_hash_index_add_empty_element(&hold->refused->fibers, key_of(EG(current_fiber_context)));
}

bool php_lock_fibers_are_refused(const php_lock_refused *refused)
{
    return zend_hash_index_exists(&refused->fibers, key_of(EG(current_fiber_context)));
}

static void on_fiber_end(zend_fiber_context *context)
{
    for (php_lock_refused *refused = RL_G(refused); refused != NULL; refused = refused->next) {
        zend_hash_index_del(&refused->fibers, key_of(context));
    }
}

/* It stays: it cannot be taken back, and the engine forgets it before it unloads the module. */
void php_lock_fibers_startup(void)
{
    zend_observer_fiber_destroy_register(on_fiber_end);
}

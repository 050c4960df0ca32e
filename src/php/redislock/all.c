/* SPDX-License-Identifier: MIT
 *
 * php/redislock/all: RedisLock::lockAll().
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "lock/all.h"
#include "php/arguments.h"
#include "php/names.h"
#include "php/redislock/acquire.h"
#include "php/redislock/errors.h"
#include "php/redislock/listener.h"

/* Fills `items` with the names. False: an error was thrown. `items` borrows the bytes from `kept`, which takes the
 * names as its keys: the array may have references, and PHP code that runs during the wait may assign to their
 * variables. */
static bool read_names(const php_rl_options *options, HashTable *names, lock_all_item *items, HashTable *kept)
{
    zval *name;
    size_t n = 0;

    ZEND_HASH_FOREACH_VAL(names, name) {
        ZVAL_DEREF(name);
        if (Z_TYPE_P(name) != IS_STRING) {
            zend_argument_type_error(1, "must be an array of strings, %s given among them", zend_zval_type_name(name));
            return false;
        }
        if (!php_lock_check_one_name(options, Z_STR_P(name))) {
            return false;
        }
        if (zend_hash_add_empty_element(kept, Z_STR_P(name)) == NULL) {
            zend_argument_value_error(1, "must not contain a name twice");
            return false;
        }
        items[n++] = (lock_all_item){.name = php_rl_bytes(Z_STR_P(name))};
    }
    ZEND_HASH_FOREACH_END();
    return true;
}

/* Looks at each name, since a fiber is refused all that are held. */
static bool holds_one(php_lock_state *state, HashTable *names)
{
    zend_string *name;
    bool holds = false;

    ZEND_HASH_FOREACH_STR_KEY(names, name)
    {
        holds |= php_lock_state_refuses(state, name);
    }
    ZEND_HASH_FOREACH_END();
    return holds;
}

/* Releases locks whose caller will not learn that they were granted: PHP code that ran during the wait has thrown, or a
 * fatal error has ended it. Frees the leases. */
static void give_back_all(php_lock_call *call, lock_all_item *items, size_t count)
{
    lock_release_item *releases = safe_emalloc(count, sizeof(*releases), 0);
    lock_release_failures ignored;

    for (size_t i = 0; i < count; i++) {
        releases[i] = (lock_release_item){.name = items[i].name, .lease = &items[i].lease};
    }
    lock_release_all(&call->client, releases, count, lock_budget(&call->client), PLATFORM_NEVER, &ignored);
    for (size_t i = 0; i < count; i++) {
        lock_lease_free(&items[i].lease);
    }
    efree(releases);
}

/* Takes the first `count` locks out of the state again. Their leases are the caller's then. */
static void take_out(php_lock_state *state, lock_all_item *items, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        zend_string *name = zend_string_init(items[i].name.at, items[i].name.len, false);
        items[i].lease = php_lock_state_take_out(state, name);
        zend_string_release(name);
    }
}

/* Puts all locks into the state, to be renewed if `renew`: see php_lock_adopt(). False: one cannot be renewed, and
 * call->base.error says why. Nothing is put then, and the leases are still the caller's. */
static bool put_all(php_lock_state *state, php_lock_call *call, lock_all_item *items, size_t count, bool renew)
{
    for (size_t i = 0; i < count; i++) {
        zend_string *name = zend_string_init(items[i].name.at, items[i].name.len, false);
        bool adopted = php_lock_adopt(state, call, name, &items[i].lease, renew);
        zend_string_release(name);
        if (!adopted) {
            take_out(state, items, i);
            return false;
        }
    }
    return true;
}

/* Checks the names if the servers of the call, which the environment has named, are a cluster. False: an error was thrown. */
static bool check_slots(const php_lock_call *call, const php_rl_options *options, HashTable *names)
{
    zend_string *name;

    if (!php_rl_servers_are_cluster(&call->base.from_env)) {
        return true;
    }
    ZEND_HASH_FOREACH_STR_KEY(names, name)
    {
        if (!php_lock_check_one_slot(options, name)) {
            return false;
        }
    }
    ZEND_HASH_FOREACH_END();
    return true;
}

/* Notes for the listener what came of the call, of each lock. */
static void note_all(php_lock_state *state, HashTable *names, const php_lock_call_start *start, lock_outcome outcome)
{
    zend_string *name;

    ZEND_HASH_FOREACH_STR_KEY(names, name)
    {
        php_lock_note_outcome(state, name, start, outcome);
    }
    ZEND_HASH_FOREACH_END();
}

/* Acquires all locks and puts them into the state. `names` has their names once more. False: another holds one of them, or
 * an exception is pending, or the engine is about to raise a fatal error; no lock is held then. */
static bool acquire_all(php_lock_state *state, HashTable *names, lock_all_item *items, size_t count,
                        const php_lock_terms *terms)
{
    php_lock_call call;
    lock_outcome outcome;
    zend_string *name = NULL;
    size_t about;
    php_lock_call_start start;

    php_lock_call_starts(state, &start);
    if (!php_lock_call_begin(&call, state, NULL)) {
        return false;
    }
    if (!check_slots(&call, &state->base.options, names)) {
        php_rl_call_end(&call.base, false);
        return false;
    }
    php_lock_call_tell_owner(&call, state, terms->renew);
    outcome = lock_acquire_all(&call.client, items, count, terms->expire, terms->timeout, &about, &call.base.error);
    if (outcome == LOCK_YES && php_rl_call_is_interrupted(&call.base)) {
        give_back_all(&call, items, count);
        outcome = LOCK_INTERRUPTED;
    }
    if (outcome == LOCK_YES && !put_all(state, &call, items, count, terms->renew)) {
        give_back_all(&call, items, count);
        outcome = LOCK_FAILED;
    }
    if (outcome == LOCK_FAILED && about < count) {
        call.base.name = name = zend_string_init(items[about].name.at, items[about].name.len, false);
    } else if (outcome == LOCK_LATE) {
        php_lock_throw_timeout(NULL, php_rl_call_server(&call.base), "the leases ended before all locks were taken");
    }
    note_all(state, names, &start, outcome);
    php_rl_call_end(&call.base, outcome == LOCK_FAILED);
    if (name != NULL) {
        zend_string_release(name);
    }
    return outcome == LOCK_YES;
}

/* Returns false without asking Redis if this object holds one of the locks: it would wait for its own release. */
PHP_METHOD(RedisLock, lockAll)
{
    HashTable *names, kept;
    php_lock_wishes wishes = PHP_LOCK_NO_WISHES;
    php_lock_terms terms;
    lock_all_item *items;
    php_lock_state *state;
    zend_object *self = Z_OBJ_P(ZEND_THIS);

    ZEND_PARSE_PARAMETERS_START(1, 4)
        Z_PARAM_ARRAY_HT(names)
        Z_PARAM_OPTIONAL
        Z_PARAM_DOUBLE_OR_NULL(wishes.timeout, wishes.timeout_null)
        Z_PARAM_DOUBLE_OR_NULL(wishes.expire, wishes.expire_null)
        Z_PARAM_BOOL_OR_NULL(wishes.renew, wishes.renew_null)
    ZEND_PARSE_PARAMETERS_END();

    uint32_t count = zend_hash_num_elements(names);
    if ((state = php_lock_state_of(self)) == NULL) {
        RETURN_THROWS();
    }
    if (count == 0 || count > LOCK_ALL_MAX) {
        zend_argument_value_error(1, count == 0 ? "must not be empty" : "must not have more than %d names",
                                  LOCK_ALL_MAX);
        RETURN_THROWS();
    }
    items = safe_emalloc(count, sizeof(*items), 0);
    zend_hash_init(&kept, count, NULL, NULL, false);
    if (read_names(&state->base.options, names, items, &kept) && php_lock_terms_check(&terms, &wishes, 2, 4, state)) {
        /* PHP code that runs during the wait may drop the last reference to the object. */
        GC_ADDREF(self);
        RETVAL_BOOL(!holds_one(state, &kept) && acquire_all(state, &kept, items, count, &terms));
        php_lock_listener_tell(state);
        OBJ_RELEASE(self);
    }
    zend_hash_destroy(&kept);
    efree(items);
}

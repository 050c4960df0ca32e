/* SPDX-License-Identifier: MIT
 *
 * php/names: see php/names.h.
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "php/names.h"

#include "lock/keys.h"

/* Returns why a key of this name cannot be used in a cluster, in the words of fault_of_name(). */
static const char *fault_of_slot(const php_rl_options *options, zend_string *name)
{
    if (lock_name_has_one_slot(php_rl_bytes(options->prefix), php_rl_bytes(name))) {
        return NULL;
    }
    return "have a \"}\" in its key (prefix and name) unless the first \"{\" there begins a hash tag, such as "
           "\"{tag}\": "
           "a cluster would put the keys of such a name into different slots";
}

/* Returns why this cannot be a name, as the end of a sentence that begins with "must not"; NULL: it can be one. */
static const char *fault_of_name(const php_rl_options *options, zend_string *name)
{
    if (ZSTR_LEN(name) == 0) {
        return "be empty";
    }
    if (ZSTR_LEN(name) > PHP_RL_MAX_NAME) {
        return "be longer than 65535 bytes";
    }
    if (lock_name_is_reserved(php_rl_bytes(name))) {
        return "end in \":rl:baton\", \":rl:wait\", \":rl:fence\", \":rl:note\", \":rl:value\" or \":rl:wake\"";
    }
    if (!php_rl_servers_are_cluster(&options->servers) ||
        (!options->prefix_closes && memchr(ZSTR_VAL(name), '}', ZSTR_LEN(name)) == NULL)) {
        return NULL; /* hardly any name has a } */
    }
    return fault_of_slot(options, name);
}

/* Throws the fault, if there is one. */
static bool refuse_name(const char *fault)
{
    if (fault != NULL) {
        zend_argument_value_error(1, "must not %s", fault);
    }
    return fault == NULL;
}

static bool refuse_one_name(const char *fault)
{
    if (fault != NULL) {
        zend_argument_value_error(1, "must contain only valid names: a name must not %s", fault);
    }
    return fault == NULL;
}

bool php_lock_check_name(const php_rl_options *options, zend_string *name)
{
    return refuse_name(fault_of_name(options, name));
}

bool php_lock_check_one_name(const php_rl_options *options, zend_string *name)
{
    return refuse_one_name(fault_of_name(options, name));
}

bool php_rl_check_slot(const php_rl_options *options, zend_string *name)
{
    return refuse_name(fault_of_slot(options, name));
}

bool php_lock_check_one_slot(const php_rl_options *options, zend_string *name)
{
    return refuse_one_name(fault_of_slot(options, name));
}

/* SPDX-License-Identifier: MIT
 *
 * php/redisqueue/queue: see php/redisqueue/queue.h. Each method parses its arguments, calls the core, and maps the
 * outcome to a result or an exception.
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "php/redisqueue/queue.h"

#include "php.h"
#include "zend_attributes.h"
#include "ext/spl/spl_exceptions.h"

#include "php/arguments.h"
#include "php/names.h"
#include "php/errors.h"
#include "php/globals.h"
#include "php/call.h"
#include "platform/platform.h"
#include "queue/keys.h"
#include "queue/queue.h"

#include "php/redisqueue/redisqueue_arginfo.h"

static const php_rl_time_rule rule_delay = {0, false, "between 0 and 1000000000 seconds"};
static const php_rl_time_rule rule_visibility = {10 * PLATFORM_MSEC, false, "between 0.01 and 1000000000 seconds"};

/* ---- the class ---- */

static zend_class_entry *exception_ce, *server_exception_ce, *connection_exception_ce;

static const char *const options[] = {PHP_RL_COMMON_OPTIONS, "max_attempts", NULL};

static const php_rl_kind kind = {
    .subject = "queue",
    .one_server = "must name one server: a queue is on one",
    .options = options,
    .exception = &exception_ce,
    .server_exception = &server_exception_ce,
    .connection_exception = &connection_exception_ce,
    .size = sizeof(php_rl_base),
    .dispose = php_rl_base_free,
};

/* A class inherits create_object when it is registered, so a parent's is set before its children are. */
void php_queue_register_class(void)
{
    php_rl_object_init_class(register_class_RedisQueue());
    exception_ce = register_class_RedisQueueException(spl_ce_RuntimeException);
    exception_ce->create_object = php_rl_exception_create;
    connection_exception_ce = register_class_RedisQueueConnectionException(exception_ce);
    server_exception_ce = register_class_RedisQueueServerException(exception_ce);
}

PHP_METHOD(RedisQueueException, __construct)
{
    php_rl_exception_construct(INTERNAL_FUNCTION_PARAM_PASSTHRU, false);
}

PHP_METHOD(RedisQueue, __construct)
{
    php_rl_object_construct(INTERNAL_FUNCTION_PARAM_PASSTHRU, &kind, "queue:");
}

/* ---- ids ---- */

/* The ids of a call. All zero is an empty list. */
typedef struct id_list {
    rl_bytes *at;        /* the ids, as the core takes them */
    zend_string **texts; /* the strings that `at` points into */
    size_t count;
} id_list;

static void ids_free(id_list *ids)
{
    for (size_t i = 0; i < ids->count; i++) {
        zend_string_release(ids->texts[i]);
    }
    if (ids->at != NULL) {
        efree(ids->at);
        efree(ids->texts);
    }
}

/* Appends an id. Only ints and strings are accepted: as ids, true and 1.0 would be 1. False: an error was thrown;
 * `must` is the text of the error for another type. */
static bool ids_add(id_list *ids, uint32_t arg, zval *value, const char *must)
{
    zend_string *text;

    ZVAL_DEREF(value);
    if (Z_TYPE_P(value) == IS_LONG) {
        text = zend_long_to_str(Z_LVAL_P(value));
    } else if (Z_TYPE_P(value) == IS_STRING) {
        if (Z_STRLEN_P(value) == 0 || Z_STRLEN_P(value) > PHP_RL_MAX_NAME) {
            zend_argument_value_error(arg, Z_STRLEN_P(value) == 0 ? "must not be an empty id"
                                                                  : "must not be an id longer than 65535 bytes");
            return false;
        }
        text = zend_string_copy(Z_STR_P(value));
    } else {
        zend_argument_type_error(arg, "%s, %s given", must, zend_zval_type_name(value));
        return false;
    }
    ids->texts[ids->count] = text;
    ids->at[ids->count++] = php_rl_bytes(text);
    return true;
}

/* Reads one id, or also a list of ids if `lists`. `must` is the text of the error for another type. False: an error was
 * thrown, and there is nothing to free. */
static bool ids_from(id_list *ids, uint32_t arg, zval *value, bool lists, const char *must)
{
    bool is_list = lists && Z_TYPE_P(value) == IS_ARRAY;
    uint32_t room = is_list ? zend_hash_num_elements(Z_ARRVAL_P(value)) : 1;
    bool good = true;
    zval *each;

    if (room == 0 || room > QUEUE_MOST) {
        zend_argument_value_error(arg, room == 0 ? "must not be an empty list" : "must not have more than %d ids",
                                  QUEUE_MOST);
        return false;
    }
    ids->at = safe_emalloc(room, sizeof(*ids->at), 0);
    ids->texts = safe_emalloc(room, sizeof(*ids->texts), 0);
    ids->count = 0;
    if (!is_list) {
        good = ids_add(ids, arg, value, must);
    } else {
        ZEND_HASH_FOREACH_VAL(Z_ARRVAL_P(value), each) {
            good = good && ids_add(ids, arg, each, "must be a list of int and string");
        }
        ZEND_HASH_FOREACH_END();
    }
    if (!good) {
        ids_free(ids);
    }
    return good;
}

#define ID         "must be of type string|int"
#define ID_OR_LIST "must be of type string|int|array"

/* Adds the id to the array of a task. An id that is a canonical decimal number becomes an int, as a key of a PHP array
 * does. */
static void add_id(zval *array, rl_bytes id)
{
    zend_ulong number;

    if (ZEND_HANDLE_NUMERIC_STR(id.at, id.len, number)) {
        add_assoc_long(array, "id", (zend_long)number);
    } else {
        add_assoc_stringl(array, "id", id.at, id.len);
    }
}

/* ---- calls ---- */

/* A call under way: the client that the core is given, and what that client points to. */
typedef struct queue_call {
    php_rl_call base;
    queue_client client;
    zend_object *self; /* kept alive: PHP code that runs during a wait may drop the last reference to it */
    id_list ids;       /* of the tasks that the call is about: filled before it begins, freed when it ends */
} queue_call;

/* Begins a call, after check_queue(). All of `call` but the ids must be zero. False: an exception was thrown, and the
 * ids are freed. `call` must not move until call_end(). */
static bool call_begin(queue_call *call, zval *this, zend_string *name)
{
    php_rl_base *state = php_rl_base_of(Z_OBJ_P(this));

    if (!php_rl_call_begin(&call->base, state, name)) {
        ids_free(&call->ids);
        return false;
    }
    if (call->base.target.count > 1) {
        zend_value_error("%s::__construct(): Argument #1 ($servers) must name one server, but the environment names "
                         "several",
                         ZSTR_VAL(Z_OBJCE_P(this)->name));
        php_rl_call_end(&call->base, false);
        ids_free(&call->ids);
        return false;
    }
    call->client = (queue_client){
        .target = call->base.target,
        .caller = &RL_G(queue_caller),
        .prefix = php_rl_bytes(state->options.prefix),
        .max_attempts = state->options.max_attempts,
    };
    call->self = Z_OBJ_P(this);
    GC_ADDREF(call->self);
    return true;
}

/* Ends a call and frees its ids. On QUEUE_FAILED throws its error. Like php_rl_call_end() it does not return if a
 * fatal error ended PHP code that ran during the wait. */
static void call_end(queue_call *call, queue_outcome outcome)
{
    zend_object *self = call->self;

    ids_free(&call->ids);
    php_rl_call_end(&call->base, outcome == QUEUE_FAILED);
    OBJ_RELEASE(self);
}

/* ---- arguments ---- */

/* Checks what every method needs: a constructed object, and a name that a queue may have. False: an error was
 * thrown. */
static bool check_queue(zval *this, zend_string *name)
{
    const php_rl_base *state = php_rl_base_of(Z_OBJ_P(this));

    if (state == NULL) {
        return false;
    }
    if (!php_rl_check_length(1, name)) {
        return false;
    }
    if (queue_name_is_reserved(php_rl_bytes(name))) {
        zend_argument_value_error(1, "must not end in \":rq:\" and the name of a key beside a queue");
        return false;
    }
    return !php_rl_servers_are_cluster(&state->options.servers) || php_rl_check_slot(&state->options, name);
}

static bool check_count(uint32_t arg, zend_long count)
{
    if (count < 1 || count > QUEUE_MOST) {
        zend_argument_value_error(arg, "must be between 1 and %d", QUEUE_MOST);
        return false;
    }
    return true;
}

/* ---- results ---- */

/* Which elements the array of a task has: see make_task(). */
typedef enum shape {
    SHAPE_TAKEN,
    SHAPE_RESERVED,
    SHAPE_DEAD,
} shape;

/* Makes the array of a task. The score of a dead task is the time at which it was given up. */
static void make_task(zval *array, const queue_task *task, shape shape)
{
    array_init_size(array, 4);
    add_id(array, task->id);
    if (shape != SHAPE_DEAD) {
        add_assoc_double(array, "score", task->score);
    }
    if (shape != SHAPE_TAKEN) {
        add_assoc_long(array, "attempts", (zend_long)task->attempts);
    }
    if (shape == SHAPE_RESERVED) {
        add_assoc_string(array, "receipt", task->receipt);
    }
    if (shape == SHAPE_DEAD) {
        add_assoc_double(array, "died", task->score);
    }
}

/* Makes the list of the tasks. Stops when memory_limit is exceeded, since at twice the limit the engine ends the
 * process. */
static void make_list(zval *list, const queue_tasks *tasks, shape shape)
{
    zval task;

    array_init_size(list, (uint32_t)tasks->count);
    for (size_t i = 0; i < tasks->count && !php_rl_is_out_of_memory(); i++) {
        make_task(&task, &tasks->at[i], shape);
        add_next_index_zval(list, &task);
    }
}

/* Sets return_value: if `one`, to one task, or to false if there is none; otherwise to a list. Returns whether PHP code will
 * get it: false if memory_limit or max_execution_time ends the script. */
static bool return_tasks(zval *return_value, queue_call *call, const queue_tasks *tasks, bool one, shape shape)
{
    zval result;

    ZVAL_FALSE(&result);
    zend_try
    {
        if (!one) {
            make_list(&result, tasks, shape);
        } else if (tasks->count > 0) {
            make_task(&result, &tasks->at[0], shape);
        }
    }
    zend_catch
    {
        call->base.bailed_out = true; /* call_end() goes on with it */
    }
    zend_end_try();
    if (call->base.bailed_out) {
        return false;
    }
    RETVAL_COPY_VALUE(&result);
    return !php_rl_is_out_of_memory() && !zend_atomic_bool_load_ex(&EG(timed_out));
}

/* ---- entering and removing tasks ---- */

/* The ids are read last: from then on they have to be freed, which call_begin() does if it fails. A timeout of 0 stands
 * for the time that calls without a timeout may take. */
PHP_METHOD(RedisQueue, enqueue)
{
    zend_string *name;
    zval *id;
    double timeout_arg = 10, after_arg = 0;
    bool replace = true;
    int64_t timeout, after;
    queue_call call = {0};
    queue_outcome outcome;

    ZEND_PARSE_PARAMETERS_START(2, 5)
        Z_PARAM_STR(name)
        Z_PARAM_ZVAL(id)
        Z_PARAM_OPTIONAL
        Z_PARAM_DOUBLE(timeout_arg)
        Z_PARAM_DOUBLE(after_arg)
        Z_PARAM_BOOL(replace)
    ZEND_PARSE_PARAMETERS_END();

    if (!check_queue(ZEND_THIS, name) || !php_rl_check_time(3, &php_rl_rule_wait, timeout_arg, &timeout) ||
        !php_rl_check_time(4, &rule_delay, after_arg, &after) || !ids_from(&call.ids, 2, id, true, ID_OR_LIST) ||
        !call_begin(&call, ZEND_THIS, name)) {
        RETURN_THROWS();
    }
    outcome = queue_enqueue(&call.client, php_rl_bytes(name), call.ids.at, call.ids.count, after, replace,
                            timeout > 0 ? timeout : queue_budget(&call.client), &call.base.error);
    call_end(&call, outcome);
    RETURN_BOOL(outcome == QUEUE_YES);
}

/* The id is read last, as in enqueue(). A score that is not finite is an error of the caller, not a task that is
 * gone. */
PHP_METHOD(RedisQueue, dequeue)
{
    zend_string *name;
    zval *id;
    double score, timeout_arg = 10;
    int64_t timeout;
    queue_call call = {0};
    queue_outcome outcome;

    ZEND_PARSE_PARAMETERS_START(3, 4)
        Z_PARAM_STR(name)
        Z_PARAM_ZVAL(id)
        Z_PARAM_DOUBLE(score)
        Z_PARAM_OPTIONAL
        Z_PARAM_DOUBLE(timeout_arg)
    ZEND_PARSE_PARAMETERS_END();

    if (!zend_finite(score)) {
        zend_argument_value_error(3, "must be a finite number");
        RETURN_THROWS();
    }
    if (!check_queue(ZEND_THIS, name) || !php_rl_check_time(4, &php_rl_rule_wait, timeout_arg, &timeout) ||
        !ids_from(&call.ids, 2, id, false, ID) || !call_begin(&call, ZEND_THIS, name)) {
        RETURN_THROWS();
    }
    outcome = queue_dequeue(&call.client, php_rl_bytes(name), call.ids.at[0], score,
                            timeout > 0 ? timeout : queue_budget(&call.client), &call.base.error);
    call_end(&call, outcome);
    RETURN_BOOL(outcome == QUEUE_YES);
}

/* ---- taking tasks ---- */

/* Takes tasks for pop() and reserve(), and sets return_value or leaves an exception pending. Tasks that were popped but
 * do not reach PHP code, since the script is about to end, are put back. Reserved ones need not be: they are due again
 * when their visibility ends. */
static void take_tasks(INTERNAL_FUNCTION_PARAMETERS, zend_string *name, const queue_take_params *order)
{
    queue_call call = {0};
    queue_tasks tasks;
    queue_outcome outcome;

    (void)execute_data;
    if (!call_begin(&call, ZEND_THIS, name)) {
        RETURN_THROWS();
    }
    outcome = queue_take(&call.client, php_rl_bytes(name), order, &tasks, &call.base.error);
    if (outcome != QUEUE_YES && outcome != QUEUE_NO) {
        RETVAL_FALSE; /* if max_execution_time ended the wait, no error was raised yet */
    } else if (!return_tasks(return_value, &call, &tasks, order->count == 1,
                             order->visibility > 0 ? SHAPE_RESERVED : SHAPE_TAKEN) &&
               outcome == QUEUE_YES && order->visibility == 0) {
        rl_error ignored; /* the error that ends the script is on its way */
        queue_put_back(&call.client, php_rl_bytes(name), &tasks, &ignored);
    }
    queue_tasks_free(&tasks);
    call_end(&call, outcome);
}

/* order.visibility stays 0, which takes the tasks for good. */
PHP_METHOD(RedisQueue, pop)
{
    zend_string *name;
    zend_long count = 1;
    double timeout = 0;
    queue_take_params order = {0};

    ZEND_PARSE_PARAMETERS_START(1, 3)
        Z_PARAM_STR(name)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG(count)
        Z_PARAM_DOUBLE(timeout)
    ZEND_PARSE_PARAMETERS_END();

    if (!check_queue(ZEND_THIS, name) || !check_count(2, count) ||
        !php_rl_check_time(3, &php_rl_rule_wait, timeout, &order.timeout)) {
        RETURN_THROWS();
    }
    order.count = (size_t)count;
    take_tasks(INTERNAL_FUNCTION_PARAM_PASSTHRU, name, &order);
}

/* The visibility is at least 10 ms, so it is never the 0 that would take the tasks for good. */
PHP_METHOD(RedisQueue, reserve)
{
    zend_string *name;
    zend_long count = 1;
    double visibility = 30, timeout = 0;
    queue_take_params order = {0};

    ZEND_PARSE_PARAMETERS_START(1, 4)
        Z_PARAM_STR(name)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG(count)
        Z_PARAM_DOUBLE(visibility)
        Z_PARAM_DOUBLE(timeout)
    ZEND_PARSE_PARAMETERS_END();

    if (!check_queue(ZEND_THIS, name) || !check_count(2, count) ||
        !php_rl_check_time(3, &rule_visibility, visibility, &order.visibility) ||
        !php_rl_check_time(4, &php_rl_rule_wait, timeout, &order.timeout)) {
        RETURN_THROWS();
    }
    order.count = (size_t)count;
    take_tasks(INTERNAL_FUNCTION_PARAM_PASSTHRU, name, &order);
}

/* Lists tasks, `count` if the argument does not say how many. With `one_alone` a list that was to have one task is that
 * task. */
static void list_tasks(INTERNAL_FUNCTION_PARAMETERS, zend_long count, bool one_alone, shape shape,
                       queue_outcome (*list)(const queue_client *client, rl_bytes name, size_t count,
                                             queue_tasks *tasks, rl_error *error))
{
    zend_string *name;
    queue_call call = {0};
    queue_tasks tasks;
    queue_outcome outcome;

    ZEND_PARSE_PARAMETERS_START(1, 2)
        Z_PARAM_STR(name)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG(count)
    ZEND_PARSE_PARAMETERS_END();

    if (!check_queue(ZEND_THIS, name) || !check_count(2, count) || !call_begin(&call, ZEND_THIS, name)) {
        RETURN_THROWS();
    }
    outcome = list(&call.client, php_rl_bytes(name), (size_t)count, &tasks, &call.base.error);
    if (outcome != QUEUE_FAILED) {
        return_tasks(return_value, &call, &tasks, one_alone && count == 1, shape);
        queue_tasks_free(&tasks);
    }
    call_end(&call, outcome);
}

/* It does not matter whether the result reaches PHP code, since nothing was taken. */
PHP_METHOD(RedisQueue, top)
{
    list_tasks(INTERNAL_FUNCTION_PARAM_PASSTHRU, 1, true, SHAPE_TAKEN, queue_top);
}

/* ---- settling reserved tasks ---- */

/* Does ack(), release() and touch(): `disposition` says what becomes of a reserved task. `span` is the delay or the visibility,
 * 0 for ack(). Sets return_value or leaves an exception pending. */
static void settle_task(INTERNAL_FUNCTION_PARAMETERS, zend_string *name, queue_disposition disposition, zval *id,
                        zend_string *receipt, int64_t span)
{
    queue_call call = {0};
    queue_outcome outcome;

    (void)execute_data;
    if (!check_queue(ZEND_THIS, name) || !php_rl_check_length(3, receipt) || !ids_from(&call.ids, 2, id, false, ID) ||
        !call_begin(&call, ZEND_THIS, name)) {
        RETURN_THROWS();
    }
    outcome = queue_settle(&call.client, php_rl_bytes(name), disposition, call.ids.at[0], php_rl_bytes(receipt), span,
                           &call.base.error);
    call_end(&call, outcome);
    RETURN_BOOL(outcome == QUEUE_YES);
}

PHP_METHOD(RedisQueue, ack)
{
    zend_string *name, *receipt;
    zval *id;

    ZEND_PARSE_PARAMETERS_START(3, 3)
        Z_PARAM_STR(name)
        Z_PARAM_ZVAL(id)
        Z_PARAM_STR(receipt)
    ZEND_PARSE_PARAMETERS_END();

    settle_task(INTERNAL_FUNCTION_PARAM_PASSTHRU, name, QUEUE_ACK, id, receipt, 0);
}

/* The delay is checked before the other arguments, whose checks settle_task() shares. */
PHP_METHOD(RedisQueue, release)
{
    zend_string *name, *receipt;
    zval *id;
    double delay_arg = 0;
    int64_t delay;

    ZEND_PARSE_PARAMETERS_START(3, 4)
        Z_PARAM_STR(name)
        Z_PARAM_ZVAL(id)
        Z_PARAM_STR(receipt)
        Z_PARAM_OPTIONAL
        Z_PARAM_DOUBLE(delay_arg)
    ZEND_PARSE_PARAMETERS_END();

    if (!php_rl_check_time(4, &rule_delay, delay_arg, &delay)) {
        RETURN_THROWS();
    }
    settle_task(INTERNAL_FUNCTION_PARAM_PASSTHRU, name, QUEUE_RELEASE, id, receipt, delay);
}

/* The visibility is checked before the other arguments, whose checks settle_task() shares. */
PHP_METHOD(RedisQueue, touch)
{
    zend_string *name, *receipt;
    zval *id;
    double visibility_arg;
    int64_t visibility;

    ZEND_PARSE_PARAMETERS_START(4, 4)
        Z_PARAM_STR(name)
        Z_PARAM_ZVAL(id)
        Z_PARAM_STR(receipt)
        Z_PARAM_DOUBLE(visibility_arg)
    ZEND_PARSE_PARAMETERS_END();

    if (!php_rl_check_time(4, &rule_visibility, visibility_arg, &visibility)) {
        RETURN_THROWS();
    }
    settle_task(INTERNAL_FUNCTION_PARAM_PASSTHRU, name, QUEUE_TOUCH, id, receipt, visibility);
}

/* ---- inspection and upkeep ---- */

/* A failure leaves return_value null, which PHP code does not get: an exception is pending. */
PHP_METHOD(RedisQueue, stats)
{
    zend_string *name;
    queue_call call = {0};
    queue_counts counts;
    queue_outcome outcome;

    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_STR(name)
    ZEND_PARSE_PARAMETERS_END();

    if (!check_queue(ZEND_THIS, name) || !call_begin(&call, ZEND_THIS, name)) {
        RETURN_THROWS();
    }
    outcome = queue_stats(&call.client, php_rl_bytes(name), &counts, &call.base.error);
    if (outcome == QUEUE_YES) {
        array_init(return_value);
        add_assoc_long(return_value, "due", (zend_long)counts.due);
        add_assoc_long(return_value, "delayed", (zend_long)counts.delayed);
        add_assoc_long(return_value, "reserved", (zend_long)counts.reserved);
        add_assoc_long(return_value, "dead", (zend_long)counts.dead);
    }
    call_end(&call, outcome);
}

/* The result is a list also if `count` is 1, unlike those of pop(), reserve() and top(). */
PHP_METHOD(RedisQueue, dead)
{
    list_tasks(INTERNAL_FUNCTION_PARAM_PASSTHRU, 10, false, SHAPE_DEAD, queue_dead);
}

/* null leaves the list of ids empty, which for the core means all dead tasks. An empty array must not mean that too,
 * and is refused by ids_from(). */
PHP_METHOD(RedisQueue, requeue)
{
    zend_string *name;
    zval *id = NULL;
    queue_call call = {0};
    queue_outcome outcome;
    int64_t moved;

    ZEND_PARSE_PARAMETERS_START(1, 2)
        Z_PARAM_STR(name)
        Z_PARAM_OPTIONAL
        Z_PARAM_ZVAL(id)
    ZEND_PARSE_PARAMETERS_END();

    bool all = id == NULL || Z_TYPE_P(id) == IS_NULL;
    if (!check_queue(ZEND_THIS, name) || (!all && !ids_from(&call.ids, 2, id, true, ID_OR_LIST "|null")) ||
        !call_begin(&call, ZEND_THIS, name)) {
        RETURN_THROWS();
    }
    outcome = queue_requeue(&call.client, php_rl_bytes(name), call.ids.at, call.ids.count, &moved, &call.base.error);
    call_end(&call, outcome);
    RETURN_LONG((zend_long)moved);
}

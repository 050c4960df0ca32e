/* SPDX-License-Identifier: MIT
 *
 * host: serves PHP requests in threads, as FrankenPHP does, for tests/zts/threads.
 *
 *     host EXTENSION SCRIPT FOLDER SERVER THREADS REQUESTS
 *
 * PHP is started twice, as by Apache, which reads its configuration twice. In the first one, the script runs once with
 * $_SERVER['PHASE'] = 'before'. In the other, it runs once with 'prepare'; then in each thread as often as REQUESTS says,
 * each time as a request of its own ('request'); then, when the threads are gone, once more ('check'), whose exit status is
 * this program's. In the middle, each thread ends, and another takes its place while the others work. SERVER is the address
 * of a Redis.
 *
 * handle_request() gives a script what frankenphp_handle_request() gives a worker. After end_untold(), PHP is not told of the
 * thread's end, as Apache on Windows does not tell it.
 */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "php.h"

#include "SAPI.h"
#include "php_main.h"
#include "php_output.h"
#include "php_variables.h"
#include "zend_exceptions.h"

#include "system.h"

#ifndef ZTS
#error "this needs a PHP with threads"
#endif

/* What the script is told of the request that it serves. */
typedef struct request {
    const char *phase;
    long thread;
    long number;
    long first;       /* that this very thread served */
    long handled;     /* by handle_request(), within this one */
    bool ends_untold; /* its thread */
} request;

ZEND_TSRMLS_CACHE_DEFINE()

static const char *extension, *script, *folder, *address;
static long thread_count, request_count;
static atomic_long failed;  /* requests that ended by an error */
static atomic_long printed; /* bytes that requests printed: mostly warnings */

static __thread request *current;

static void die(const char *what)
{
    fprintf(stderr, "host: %s\n", what);
    exit(2);
}

/* ---- the server that PHP sees ---- */

static size_t write_output(const char *text, size_t length)
{
    if (strcmp(current->phase, "request") == 0) {
        atomic_fetch_add(&printed, (long)length);
    }
    return fwrite(text, 1, length, stdout);
}

static int send_headers(sapi_headers_struct *headers)
{
    (void)headers;
    return SAPI_HEADER_SENT_SUCCESSFULLY;
}

static char *read_cookies(void)
{
    return NULL;
}

static void set(const char *name, long number, zval *into)
{
    char text[32];

    snprintf(text, sizeof(text), "%ld", number);
    php_register_variable(name, text, into);
}

static void server_variables(zval *into)
{
    php_register_variable("PHASE", current->phase, into);
    php_register_variable("FOLDER", folder, into);
    php_register_variable("SERVER", address, into);
    set("THREADS", thread_count, into);
    set("REQUESTS", request_count, into);
    set("THREAD", current->thread, into);
    set("REQUEST", current->number, into);
    set("FIRST", current->first, into);
    set("HANDLED", current->handled, into);
    set("FAILED", atomic_load(&failed), into);
    set("PRINTED", atomic_load(&printed), into);
}

static int start_up(sapi_module_struct *module)
{
    return php_module_startup(module, system_load(extension));
}

/* Settings of the extension are there for what threads find of them, and so that a busy machine is no failure. */
static const char settings[] =
    "display_errors=1\nhtml_errors=0\nlog_errors=0\nerror_reporting=-1\nmax_execution_time=0\n"
    "opcache.enable=0\n"
    "redislock.servers=\"%s\"\nredislock.expire=77\n"
    "redislock.connect_timeout=60\nredislock.read_timeout=60\n";

static sapi_module_struct server = {
    .name = "redislock-host",
    .pretty_name = "Threads for the tests of redislock",
    .startup = start_up,
    .shutdown = php_module_shutdown_wrapper,
    .ub_write = write_output,
    .sapi_error = php_error,
    .send_headers = send_headers,
    .read_cookies = read_cookies,
    .register_server_variables = server_variables,
    .php_ini_ignore = 1,
};

/* ---- worker mode ---- */

/* What FrankenPHP ends between two requests of a worker: the output and the server's part. Of the modules, only `filter`
 * is told. */
static void end_handled(void)
{
    zend_module_entry *filter = zend_hash_str_find_ptr(&module_registry, ZEND_STRL("filter"));

    php_output_end_all();
    if (filter != NULL) {
        filter->request_shutdown_func(filter->type, filter->module_number);
    }
    php_output_deactivate();
    sapi_deactivate();
    zend_set_memory_limit(PG(memory_limit));
}

static void begin_handled(void)
{
    zend_module_entry *filter = zend_hash_str_find_ptr(&module_registry, ZEND_STRL("filter"));
    zend_auto_global *global;

    current->handled++;
    SG(server_context) = current;
    php_output_activate();
    PG(header_is_being_sent) = 0;
    PG(connection_status) = PHP_CONNECTION_NORMAL;
    sapi_activate();
    ZEND_HASH_FOREACH_PTR(CG(auto_globals), global)
    {
        if (zend_string_equals_literal(global->name, "_SERVER") ||
            (!global->jit && global->auto_global_callback != NULL &&
             !zend_string_equals_literal(global->name, "_ENV"))) {
            global->armed = global->auto_global_callback(global->name);
        }
    }
    ZEND_HASH_FOREACH_END();
    if (filter != NULL && filter->request_startup_func != NULL) {
        filter->request_startup_func(filter->type, filter->module_number);
    }
    SG(sapi_started) = 1;
}

ZEND_BEGIN_ARG_INFO_EX(handle_request_arguments, 0, 0, 1)
ZEND_ARG_INFO(0, handler)
ZEND_END_ARG_INFO()

/* Serves the next request by the handler. An exception that it lets pass is reported, and the worker goes on; exit() and a
 * fatal error end the script. */
static ZEND_FUNCTION(handle_request)
{
    zend_fcall_info call;
    zend_fcall_info_cache cache;
    zval result;

    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_FUNC(call, cache)
    ZEND_PARSE_PARAMETERS_END();

    if (current->handled == 0) {
        end_handled(); /* the request that started the worker */
    }
    begin_handled();
    ZVAL_UNDEF(&result);
    call.retval = &result;
    zend_call_function(&call, &cache);
    zval_ptr_dtor(&result);
    if (EG(exception) != NULL) {
        if (zend_is_unwind_exit(EG(exception)) || zend_is_graceful_exit(EG(exception))) {
            zend_bailout();
        }
        zend_exception_error(EG(exception), E_ERROR);
    }
    end_handled();
}

ZEND_BEGIN_ARG_INFO_EX(end_untold_arguments, 0, 0, 0)
ZEND_END_ARG_INFO()

static ZEND_FUNCTION(end_untold)
{
    ZEND_PARSE_PARAMETERS_NONE();
    current->ends_untold = true;
}

static const zend_function_entry functions[] = {ZEND_FE(handle_request, handle_request_arguments)
                                                    ZEND_FE(end_untold, end_untold_arguments) ZEND_FE_END};

/* ---- requests ---- */

/* Returns the script's exit status. */
static int serve(request *served)
{
    zend_file_handle file;
    int status;

    current = served;
    SG(server_context) = served;
    if (php_request_startup() != SUCCESS) {
        die("a request does not start");
    }
    zend_stream_init_filename(&file, script);
    file.primary_script = 1;
    EG(exit_status) = 0;
    php_execute_script(&file);
    zend_destroy_file_handle(&file);
    status = EG(exit_status);
    php_request_shutdown(NULL);
    SG(server_context) = NULL;
    return status;
}

/* Serves the requests of one place until the middle, or from there on. */
static void thread(void *arg)
{
    const request *first = arg;
    request served = *first;
    long end = first->number == 0 ? (request_count + 1) / 2 : request_count;

    (void)ts_resource(0);
    ZEND_TSRMLS_CACHE_UPDATE();
    if (first->number == 0) {
        system_meet();
    }
    for (; served.number < end; served.number++) {
        served.handled = 0;
        if (serve(&served) != 0) {
            atomic_fetch_add(&failed, 1);
        }
    }
    if (!served.ends_untold) {
        ts_free_thread();
    }
}

static system_thread *start_thread(void (*run)(void *arg), void *arg)
{
    system_thread *started = system_start(run, arg);

    if (started == NULL) {
        die("a thread does not start");
    }
    return started;
}

/* One thread after the other, in one place. */
static void place(void *arg)
{
    request first = {.phase = "request", .thread = (long)(intptr_t)arg};

    for (; first.number < request_count; first.number += (request_count + 1) / 2) {
        first.first = first.number;
        system_join(start_thread(thread, &first));
    }
}

static void serve_in_threads(void)
{
    system_thread **places = calloc((size_t)thread_count, sizeof(*places));

    system_expect((unsigned)thread_count);
    for (long i = 0; i < thread_count; i++) {
        places[i] = start_thread(place, (void *)(intptr_t)i);
    }
    for (long i = 0; i < thread_count; i++) {
        system_join(places[i]);
    }
    free(places);
}

/* Runs the script in this thread. */
static int phase(const char *name)
{
    request served = {.phase = name};

    return serve(&served);
}

static int before(void)
{
    return phase("before");
}

static int all_phases(void)
{
    int status = phase("prepare");

    if (status == 0) {
        serve_in_threads();
        status = phase("check");
    }
    return status;
}

/* Starts PHP with these settings, has it do that, and shuts it down. */
static int live(char *ini, int (*work)(void))
{
    int status;

    php_tsrm_startup();
    ZEND_TSRMLS_CACHE_UPDATE();
    zend_signal_startup();
    sapi_startup(&server);
    server.ini_entries = ini; /* sapi_startup() has set it to NULL */
    if (server.startup(&server) != SUCCESS) {
        die("PHP does not start");
    }
    status = work();
    php_module_shutdown();
    sapi_shutdown();
    tsrm_shutdown();
    return status;
}

int main(int argc, char **argv)
{
    static char ini[4096];
    int status, length;

    if (argc != 7) {
        die("host EXTENSION SCRIPT FOLDER SERVER THREADS REQUESTS");
    }
    extension = argv[1];
    script = argv[2];
    folder = argv[3];
    address = argv[4];
    thread_count = strtol(argv[5], NULL, 10);
    request_count = strtol(argv[6], NULL, 10);

    system_begin();
    length = snprintf(ini, sizeof(ini), settings, address);
    snprintf(ini + length, sizeof(ini) - (size_t)length, system_setting, extension);
    server.additional_functions = functions;
    status = live(ini, before);
    return status == 0 ? live(ini, all_phases) : status;
}

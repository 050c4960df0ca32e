#include <php.h>
#include <hiredis/hiredis.h>

ZEND_BEGIN_ARG_INFO_EX(arginfo, 0, 0, 1)
ZEND_ARG_INFO(0, path)
ZEND_END_ARG_INFO()

static ZEND_FUNCTION(neighbour_ping)
{
    char *path;
    size_t length;
    if (zend_parse_parameters(ZEND_NUM_ARGS(), "s", &path, &length) == FAILURE) {
        return;
    }
    redisContext *context = redisConnectUnix(path);
    redisReply *reply = context && !context->err ? redisCommand(context, "PING %b", path, length) : NULL;
    RETVAL_BOOL(reply && reply->type == REDIS_REPLY_STRING && reply->len == length);
    freeReplyObject(reply);
    redisFree(context);
}

static const zend_function_entry functions[] = {ZEND_FE(neighbour_ping, arginfo) ZEND_FE_END};
static zend_module_entry module = {STANDARD_MODULE_HEADER,    "neighbour", functions, NULL, NULL, NULL, NULL, NULL, "1",
                                   STANDARD_MODULE_PROPERTIES};

ZEND_DLEXPORT zend_module_entry *get_module(void)
{
    return &module;
}

/* SPDX-License-Identifier: MIT
 *
 * redis_script: the scripts of the simulated Redis: what Redis 7.0 gives to a script, as far as those of lua/ use it.
 *
 * All servers of the process share one Lua, in which each script is compiled once. A server runs a script by its SHA-1
 * only if the script was sent to it. Nothing that a script leaves behind is seen by the next one: it has no globals of
 * its own. In the libraries of Redis (struct, redis), what the scripts do not use ends the process.
 */
#include "redis_server.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <openssl/sha.h>

#define SHA1_DIGITS 40

typedef struct script {
    char sha1[SHA1_DIGITS + 1];
    int function; /* in Lua's registry */
    size_t index; /* its bit in redis.knows */
} script;

/* The process' Lua. */
static struct {
    lua_State *state;
    map scripts; /* of script, by their SHA-1 */
    int handler; /* what makes an error of Lua one of Redis; this and the next are in the registry */
    int globals;
    redis *server; /* whose script runs */
    redis_link *link;
    const char **argv; /* of the command that the script runs */
    size_t *len;
    char (*digits)[NUMBER_ROOM]; /* of those arguments that are numbers */
    size_t room;
} lua;

/* ---- from Redis to Lua ---- */

static const char *push_reply(lua_State *L, const char *at);

/* Reads the number behind the type of a reply, and moves `*at` behind its line. */
static int64_t reply_read_number(const char **at)
{
    char *end;
    int64_t number = strtoll(*at + 1, &end, 10);

    *at = end + 2;
    return number;
}

/* Pushes a table with one field, the text of a line. Returns where the next reply begins. */
static const char *push_line(lua_State *L, const char *field, const char *at)
{
    const char *end = strchr(at, '\r');

    lua_createtable(L, 0, 1);
    lua_pushlstring(L, at + 1, (size_t)(end - at - 1));
    lua_setfield(L, -2, field);
    return end + 2;
}

/* Pushes an array as a table, a nil array as false. Returns where the next reply begins. */
static const char *push_array(lua_State *L, const char *at)
{
    int64_t count = reply_read_number(&at);

    if (count < 0) {
        lua_pushboolean(L, false);
        return at;
    }
    lua_createtable(L, (int)count, 0);
    for (int64_t i = 1; i <= count; i++) {
        at = push_reply(L, at);
        lua_rawseti(L, -2, (int)i);
    }
    return at;
}

/* Pushes what a reply is in Lua. Returns where the next one begins. */
static const char *push_reply(lua_State *L, const char *at)
{
    int64_t number;

    switch (*at) {
    case ':':
        lua_pushnumber(L, (lua_Number)reply_read_number(&at));
        return at;
    case '$':
        number = reply_read_number(&at);
        if (number < 0) {
            lua_pushboolean(L, false);
            return at;
        }
        lua_pushlstring(L, at, (size_t)number);
        return at + number + 2;
    case '+':
        return push_line(L, "ok", at);
    case '-':
        return push_line(L, "err", at);
    default:
        return push_array(L, at);
    }
}

/* ---- from Lua to Redis ---- */

static void reply_lua(lua_State *L, buffer *out);

/* Replies with the field of the table on the top, if it is a string: as an error or as a status. */
static bool reply_field_of(lua_State *L, const char *field, buffer *out)
{
    bool is_there;

    lua_getfield(L, -1, field);
    is_there = lua_type(L, -1) == LUA_TSTRING;
    if (is_there && strcmp(field, "err") == 0) {
        reply_error(out, "%s", lua_tostring(L, -1));
    } else if (is_there) {
        buffer status = {0};
        buffer_add(&status, lua_tostring(L, -1), strlen(lua_tostring(L, -1)) + 1);
        for (char *p = status.at; *p != '\0'; p++) {
            *p = *p == '\r' || *p == '\n' ? ' ' : *p;
        }
        reply_status(out, status.at);
        buffer_free(&status);
    }
    lua_pop(L, 1);
    return is_there;
}

/* Replies with the table on the top. Its elements are counted first: they end at the first nil. */
static void reply_table(lua_State *L, buffer *out)
{
    int count = 0;

    if (reply_field_of(L, "err", out) || reply_field_of(L, "ok", out)) {
        return;
    }
    for (bool is_nil = false; !is_nil; count += !is_nil) {
        lua_rawgeti(L, -1, count + 1);
        is_nil = lua_isnil(L, -1);
        lua_pop(L, 1);
    }
    reply_array(out, (size_t)count);
    for (int i = 1; i <= count; i++) {
        lua_rawgeti(L, -1, i);
        reply_lua(L, out);
        lua_pop(L, 1);
    }
}

/* Replies with the value on the top. A number loses its fraction. */
static void reply_lua(lua_State *L, buffer *out)
{
    const char *bytes;
    lua_Number number;
    size_t len;

    switch (lua_type(L, -1)) {
    case LUA_TSTRING:
        bytes = lua_tolstring(L, -1, &len);
        reply_bytes(out, bytes, len);
        break;
    case LUA_TNUMBER:
        number = lua_tonumber(L, -1);
        reply_number(out, fabs(number) < 9.2e18 ? (int64_t)number : INT64_MIN);
        break;
    case LUA_TTABLE:
        luaL_checkstack(L, 4, "a reply that is too deep");
        reply_table(L, out);
        break;
    default:
        if (lua_isboolean(L, -1) && lua_toboolean(L, -1)) {
            reply_number(out, 1);
        } else {
            reply_nil(out);
        }
    }
}

/* ---- redis.call ---- */

/* Takes the arguments of redis.call from the stack. Returns false if one is neither string nor number. */
static bool take_arguments(lua_State *L, int argc)
{
    if ((size_t)argc > lua.room) {
        lua.argv = redis_grow(lua.argv, &lua.room, (size_t)argc, sizeof(*lua.argv));
        lua.len = redis_resize(lua.len, lua.room * sizeof(*lua.len));
        lua.digits = redis_resize(lua.digits, lua.room * sizeof(*lua.digits));
    }
    for (int i = 0; i < argc; i++) {
        switch (lua_type(L, i + 1)) {
        case LUA_TSTRING:
            lua.argv[i] = lua_tolstring(L, i + 1, &lua.len[i]);
            break;
        case LUA_TNUMBER:
            lua.argv[i] = lua.digits[i];
            lua.len[i] = write_double(lua.digits[i], lua_tonumber(L, i + 1));
            break;
        default:
            return false;
        }
    }
    return true;
}

/* Returns why a command of a script is refused before it runs, NULL if it is not. After a first write, a script is not
 * refused any more for lack of memory: it would end half done. */
static const char *script_refusal(const redis *server, const command *command, size_t argc)
{
    if (command->flags & COMMAND_NOT_IN_SCRIPTS) {
        return "ERR This Redis command is not allowed from script";
    }
    if (!command_fits_arity(command, argc)) {
        return "ERR Wrong number of args calling Redis command from script";
    }
    if (command_is_denied(server, command)) {
        return "ERR The user executing the script can't run this command or subcommand";
    }
    if (command->flags & COMMAND_WRITES && server->is_read_only) {
        return "READONLY You can't write against a read only replica.";
    }
    if (command->flags & COMMAND_NEEDS_MEMORY && server->was_full && !server->script_wrote) {
        return "OOM command not allowed when used memory > 'maxmemory'.";
    }
    return NULL;
}

/* Runs the command whose arguments are on the stack; its reply is in server->script_reply then. */
static void run_command(lua_State *L)
{
    redis *server = lua.server;
    call c = {server, lua.link, lua.link->db, (size_t)lua_gettop(L), NULL, NULL, &server->script_reply};
    const command *command;
    const char *refused;

    server->script_reply.len = 0;
    if (c.argc == 0) {
        reply_error(c.out, "ERR Please specify at least one argument for this redis lib call");
    } else if (!take_arguments(L, (int)c.argc)) {
        reply_error(c.out, "ERR Lua redis lib command arguments must be strings or integers");
    } else {
        c.argv = lua.argv;
        c.len = lua.len;
        command = command_find(c.argv[0], c.len[0]);
        if (command == NULL) {
            redis_die("the command %s, which a script runs, is not implemented", c.argv[0]);
        }
        refused = script_refusal(server, command, c.argc);
        server->script_wrote |= refused == NULL && (command->flags & COMMAND_WRITES) != 0;
        refused = refused != NULL ? refused : cluster_script_refusal(&c, command);
        if (refused != NULL) {
            reply_error(c.out, "%s", refused);
        } else {
            command_run(command, &c);
        }
    }
    buffer_add(&server->script_reply, "", 1);
}

static int redis_pcall(lua_State *L)
{
    run_command(L);
    lua_settop(L, 0);
    push_reply(L, lua.server->script_reply.at);
    return 1;
}

static int redis_call(lua_State *L)
{
    redis_pcall(L);
    return lua.server->script_reply.at[0] == '-' ? lua_error(L) : 1;
}

/* ---- the rest of the library redis ---- */

static void push_error(lua_State *L, const char *text)
{
    lua_createtable(L, 0, 1);
    lua_pushstring(L, text);
    lua_setfield(L, -2, "err");
}

/* The first word is the code, with a dash before it or not; a text of one word gets the code ERR. Line ends behind it
 * are cut off. */
static int redis_error_reply(lua_State *L)
{
    const char *text;
    size_t len;

    if (lua_gettop(L) != 1 || lua_type(L, 1) != LUA_TSTRING) {
        push_error(L, "ERR wrong number or type of arguments");
        return 1;
    }
    text = lua_tostring(L, 1);
    text += *text == '-';
    for (len = strlen(text); len > 0 && (text[len - 1] == '\r' || text[len - 1] == '\n');) {
        len--;
    }
    lua_pushlstring(L, text, len);
    push_error(L, lua_pushfstring(L, "%s%s", strchr(text, ' ') == NULL ? "ERR " : "", lua_tostring(L, -1)));
    return 1;
}

static int redis_status_reply(lua_State *L)
{
    if (lua_gettop(L) != 1 || lua_type(L, 1) != LUA_TSTRING) {
        push_error(L, "ERR wrong number or type of arguments");
        return 1;
    }
    lua_createtable(L, 0, 1);
    lua_pushvalue(L, 1);
    lua_setfield(L, -2, "ok");
    return 1;
}

static void write_sha1(char hex[SHA1_DIGITS + 1], const char *bytes, size_t len)
{
    static const char digits[] = "0123456789abcdef";
    unsigned char sha1[SHA_DIGEST_LENGTH];

    SHA1((const unsigned char *)bytes, len, sha1);
    for (size_t i = 0; i < sizeof(sha1); i++) {
        hex[2 * i] = digits[sha1[i] >> 4];
        hex[2 * i + 1] = digits[sha1[i] & 15];
    }
    hex[SHA1_DIGITS] = '\0';
}

/* Of whatever becomes a string. */
static int redis_sha1hex(lua_State *L)
{
    char hex[SHA1_DIGITS + 1];
    const char *bytes;
    size_t len;

    if (lua_gettop(L) != 1) {
        push_error(L, "ERR wrong number of arguments");
        return lua_error(L);
    }
    bytes = lua_tolstring(L, 1, &len);
    write_sha1(hex, bytes != NULL ? bytes : "", len);
    lua_pushstring(L, hex);
    return 1;
}

static int redis_log(lua_State *L)
{
    (void)L;
    return 0;
}

/* ---- the library struct: only the formats that lua/ uses: big endian, d and I4 ---- */

/* Reads the next letter of a format: 'd' or 'I', 0 at its end. */
static char next_format(const char **format)
{
    char letter = **format;

    if (letter == '\0') {
        return 0;
    }
    (*format)++;
    if (letter == 'I' && **format == '4') {
        (*format)++;
    } else if (letter != 'd') {
        redis_die("the format %c%s of struct is not implemented", letter, *format);
    }
    return letter;
}

static const char *open_format(lua_State *L)
{
    const char *format = luaL_checkstring(L, 1);

    if (*format != '>') {
        redis_die("the format %s of struct is not implemented", format);
    }
    return format + 1;
}

static void put_big_endian(char *at, size_t size, uint64_t bits)
{
    for (size_t i = 0; i < size; i++) {
        at[i] = (char)(bits >> (8 * (size - 1 - i)));
    }
}

/* A number that does not fit into I4 is cut by Redis; no script relies on that. */
static int struct_pack(lua_State *L)
{
    const char *format = open_format(L);
    luaL_Buffer packed;
    char letter, bytes[8];

    luaL_buffinit(L, &packed);
    for (int arg = 2; (letter = next_format(&format)) != 0; arg++) {
        lua_Number number = luaL_checknumber(L, arg);
        uint64_t bits;
        if (letter == 'd') {
            memcpy(&bits, &number, sizeof(bits));
        } else if (number >= 0 && number <= UINT32_MAX) {
            bits = (uint64_t)number;
        } else {
            redis_die("struct.pack of %g as I4 is not implemented", number);
        }
        put_big_endian(bytes, letter == 'd' ? 8 : 4, bits);
        luaL_addlstring(&packed, bytes, letter == 'd' ? 8 : 4);
    }
    luaL_pushresult(&packed);
    return 1;
}

/* Returns the values, and where in the string the next one would begin. */
static int struct_unpack(lua_State *L)
{
    const char *format = open_format(L);
    size_t len, at;
    const char *bytes = luaL_checklstring(L, 2, &len);
    lua_Integer from = luaL_optinteger(L, 3, 1);
    char letter;

    luaL_argcheck(L, from > 0, 3, "offset must be 1 or greater");
    at = (size_t)from - 1;
    lua_settop(L, 2);
    while ((letter = next_format(&format)) != 0) {
        size_t size = letter == 'd' ? 8 : 4;
        uint64_t bits = 0;
        lua_Number number;
        luaL_argcheck(L, size <= len && at <= len - size, 2, "data string too short");
        luaL_checkstack(L, 2, "too many results");
        for (size_t i = 0; i < size; i++) {
            bits = bits << 8 | (unsigned char)bytes[at++];
        }
        memcpy(&number, &bits, sizeof(number));
        lua_pushnumber(L, letter == 'd' ? number : (lua_Number)bits);
    }
    lua_pushnumber(L, (lua_Number)(at + 1));
    return lua_gettop(L) - 2;
}

/* ---- the process' Lua ---- */

/* What scripts see of Lua. What else Redis shows to them is in `missing`. math.random differs from run to run there. */
static const char *const visible[] = {"assert",   "error",    "ipairs", "math",   "next",   "pairs",
                                      "rawequal", "rawget",   "rawset", "select", "string", "table",
                                      "tonumber", "tostring", "type",   "unpack"};
static const char *const missing[] = {
    "_G",     "_VERSION", "bit",          "cjson",        "cmsgpack", "collectgarbage", "coroutine",
    "gcinfo", "load",     "getmetatable", "setmetatable", "pcall",    "loadstring",     "xpcall",
};

/* Makes an error a table, with the place where it was raised; as Redis does. */
static const char handler_text[] = "local getinfo = ...\n"
                                   "return function(err)\n"
                                   "  local i = getinfo(2, 'nSl')\n"
                                   "  if i and i.what == 'C' then\n"
                                   "    i = getinfo(3, 'nSl')\n"
                                   "  end\n"
                                   "  if type(err) ~= 'table' then\n"
                                   "    err = {err = 'ERR ' .. tostring(err)}\n"
                                   "  end\n"
                                   "  if i then\n"
                                   "    err.source = i.source\n"
                                   "    err.line = i.currentline\n"
                                   "  end\n"
                                   "  return err\n"
                                   "end\n";

static int missing_global(lua_State *L)
{
    const char *name = lua_tostring(L, 2);

    for (size_t i = 0; name != NULL && i < sizeof(missing) / sizeof(*missing); i++) {
        if (strcmp(name, missing[i]) == 0) {
            redis_die("the global %s of scripts is not implemented", name);
        }
    }
    return luaL_error(L, "Script attempted to access nonexistent global variable '%s'", name != NULL ? name : "?");
}

static int refuse_random(lua_State *L)
{
    (void)L;
    redis_die("random numbers in scripts are not implemented");
}

static int refuse_global(lua_State *L)
{
    return luaL_error(L, "Attempt to modify a readonly table");
}

static void open_library(lua_State *L, const char *name, lua_CFunction open)
{
    lua_pushcfunction(L, open);
    lua_pushstring(L, name);
    lua_call(L, 1, 0);
}

/* Sets a field of the table on the top. */
static void set_function(lua_State *L, const char *name, lua_CFunction function)
{
    lua_pushcfunction(L, function);
    lua_setfield(L, -2, name);
}

/* Gives the table on the top a metatable that only has `name`, which is on the stack above it and is taken. */
static void set_meta(lua_State *L, const char *name)
{
    lua_createtable(L, 0, 2);
    lua_insert(L, -2);
    lua_setfield(L, -2, name);
    lua_setmetatable(L, -2);
}

/* Pushes the table `redis`. */
static void push_redis_library(lua_State *L)
{
    lua_newtable(L);
    set_function(L, "call", redis_call);
    set_function(L, "pcall", redis_pcall);
    set_function(L, "error_reply", redis_error_reply);
    set_function(L, "status_reply", redis_status_reply);
    set_function(L, "sha1hex", redis_sha1hex);
    set_function(L, "log", redis_log);
    lua_pushinteger(L, 0x00070000); /* 7.0.0 */
    lua_setfield(L, -2, "REDIS_VERSION_NUM");
    for (int level = 0; level < 4; level++) {
        static const char *const names[] = {"LOG_DEBUG", "LOG_VERBOSE", "LOG_NOTICE", "LOG_WARNING"};
        lua_pushinteger(L, level);
        lua_setfield(L, -2, names[level]);
    }
}

/* Fills the table on the top with the globals of scripts. */
static void fill_globals(lua_State *L)
{
    for (size_t i = 0; i < sizeof(visible) / sizeof(*visible); i++) {
        lua_getglobal(L, visible[i]);
        lua_setfield(L, -2, visible[i]);
    }
    lua_getfield(L, -1, "math");
    set_function(L, "random", refuse_random);
    set_function(L, "randomseed", refuse_random);
    lua_pop(L, 1);
    lua_newtable(L);
    set_function(L, "pack", struct_pack);
    set_function(L, "unpack", struct_unpack);
    lua_setfield(L, -2, "struct");
    push_redis_library(L);
    lua_setfield(L, -2, "redis");
    lua_pushcfunction(L, missing_global);
    set_meta(L, "__index");
}

static void make_handler(lua_State *L)
{
    if (luaL_loadbuffer(L, handler_text, sizeof(handler_text) - 1, "@handler") != 0) {
        redis_die("%s", lua_tostring(L, -1));
    }
    lua_getglobal(L, "debug");
    lua_getfield(L, -1, "getinfo");
    lua_remove(L, -2);
    lua_call(L, 1, 1);
    lua.handler = luaL_ref(L, LUA_REGISTRYINDEX);
}

static void free_script(void *script)
{
    free(script);
}

static void close_lua(void)
{
    lua_close(lua.state);
    map_free(&lua.scripts, free_script);
    free(lua.argv);
    free(lua.len);
    free(lua.digits);
}

/* Lua is started when it is first needed, and ends with the process. */
static lua_State *get_lua(void)
{
    lua_State *L;

    if (lua.state != NULL) {
        return lua.state;
    }
    L = lua.state = luaL_newstate();
    if (L == NULL) {
        redis_die("no memory for Lua");
    }
    atexit(close_lua);
    open_library(L, "", luaopen_base);
    open_library(L, LUA_TABLIBNAME, luaopen_table);
    open_library(L, LUA_STRLIBNAME, luaopen_string);
    open_library(L, LUA_MATHLIBNAME, luaopen_math);
    open_library(L, LUA_DBLIBNAME, luaopen_debug);
    make_handler(L);
    lua_newtable(L);
    fill_globals(L);
    lua.globals = luaL_ref(L, LUA_REGISTRYINDEX);
    return L;
}

/* Gives the function on the top an environment of its own, which shows the globals and takes no new ones. */
static void set_environment(lua_State *L)
{
    lua_newtable(L);
    lua_createtable(L, 0, 2);
    lua_rawgeti(L, LUA_REGISTRYINDEX, lua.globals);
    lua_setfield(L, -2, "__index");
    set_function(L, "__newindex", refuse_global);
    lua_setmetatable(L, -2);
    lua_setfenv(L, -2);
}

/* ---- scripts ---- */

static script *find_script(const char *sha1)
{
    return map_get(&lua.scripts, sha1, SHA1_DIGITS);
}

/* Returns the script of this text, which is compiled if it is new. Answers with an error and returns NULL if it does
 * not compile. */
static script *make_script(const char *text, size_t len, buffer *out)
{
    lua_State *L = get_lua();
    char sha1[SHA1_DIGITS + 1];
    script *s;

    write_sha1(sha1, text, len);
    s = find_script(sha1);
    if (s != NULL) {
        return s;
    }
    if (len >= 2 && memcmp(text, "#!", 2) == 0) {
        redis_die("scripts that begin with #! are not implemented");
    }
    if (luaL_loadbuffer(L, text, len, "@user_script") != 0) {
        reply_error(out, "ERR Error compiling script (new function): %s", lua_tostring(L, -1));
        lua_pop(L, 1);
        return NULL;
    }
    set_environment(L);
    s = redis_resize(NULL, sizeof(*s));
    s->index = lua.scripts.count;
    s->function = luaL_ref(L, LUA_REGISTRYINDEX);
    memcpy(s->sha1, sha1, sizeof(sha1));
    *map_put(&lua.scripts, sha1, SHA1_DIGITS) = s;
    return s;
}

static bool server_knows(const redis *server, const script *s)
{
    return s->index / 64 < server->knows_room && server->knows[s->index / 64] >> s->index % 64 & 1;
}

static void server_learn(redis *server, const script *s)
{
    size_t before = server->knows_room;

    server->knows = redis_grow(server->knows, &server->knows_room, s->index / 64 + 1, sizeof(*server->knows));
    for (; before < server->knows_room; before++) {
        server->knows[before] = 0;
    }
    server->knows[s->index / 64] |= UINT64_C(1) << s->index % 64;
}

/* Sets KEYS or ARGV, to `count` arguments from the `first` on. The table of the globals is on the top. */
static void set_arguments(lua_State *L, const call *c, const char *name, size_t first, size_t count)
{
    lua_createtable(L, (int)count, 0);
    for (size_t i = 0; i < count; i++) {
        lua_pushlstring(L, c->argv[first + i], c->len[first + i]);
        lua_rawseti(L, -2, (int)i + 1);
    }
    lua_setfield(L, -2, name);
}

/* Replies with the error on the top, which the handler made. */
static void reply_script_error(lua_State *L, const script *s, buffer *out)
{
    if (!lua_istable(L, -1)) {
        redis_die("a script failed beyond its error handler: %s", lua_tostring(L, -1));
    }
    lua_getfield(L, -1, "err");
    lua_getfield(L, -2, "source");
    lua_getfield(L, -3, "line");
    if (lua_type(L, -3) != LUA_TSTRING) {
        redis_die("a script has raised a table without a text, which Redis 7.0 does not survive");
    }
    if (lua_isnil(L, -2) || lua_isnil(L, -1)) {
        reply_error(out, "%s", lua_tostring(L, -3));
    } else {
        reply_error(out, "%s script: %s, on %s:%s.", lua_tostring(L, -3), s->sha1, lua_tostring(L, -2),
                    lua_tostring(L, -1));
    }
    lua_pop(L, 3);
}

/* Runs a script, whose KEYS begin at the third argument. */
static void run_lua(call *c, const script *s, size_t keys)
{
    lua_State *L = get_lua();
    redis *server = c->server;

    lua_settop(L, 0);
    lua_rawgeti(L, LUA_REGISTRYINDEX, lua.handler);
    lua_rawgeti(L, LUA_REGISTRYINDEX, s->function);
    lua_rawgeti(L, LUA_REGISTRYINDEX, lua.globals);
    set_arguments(L, c, "KEYS", 3, keys);
    set_arguments(L, c, "ARGV", 3 + keys, c->argc - 3 - keys);
    lua_pop(L, 1);
    lua.server = server;
    lua.link = c->link;
    server->in_script = true;
    server->was_full = server->is_full && !server->is_read_only;
    server->script_wrote = false;
    if (lua_pcall(L, 0, 1, 1) != 0) {
        reply_script_error(L, s, c->out);
    } else {
        reply_lua(L, c->out);
    }
    server->in_script = false;
    lua_settop(L, 0);
}

/* Reads how many keys a script gets. Answers with an error and returns false if that is wrong. */
static bool read_keys(call *c, size_t *keys)
{
    char *end;
    long long count = strtoll(c->argv[2], &end, 10);

    if (c->len[2] == 0 || c->len[2] > 18 || *end != '\0' || isspace((unsigned char)c->argv[2][0])) {
        reply_error(c->out, "ERR value is not an integer or out of range");
        return false;
    }
    if (count > (long long)c->argc - 3) {
        reply_error(c->out, "ERR Number of keys can't be greater than number of args");
        return false;
    }
    if (count < 0) {
        reply_error(c->out, "ERR Number of keys can't be negative");
        return false;
    }
    *keys = (size_t)count;
    return true;
}

void run_eval(call *c)
{
    size_t keys;
    script *s;

    if (!read_keys(c, &keys)) {
        return;
    }
    s = make_script(c->argv[1], c->len[1], c->out);
    if (s != NULL) {
        server_learn(c->server, s);
        run_lua(c, s, keys);
    }
}

/* Returns the script of a SHA-1, in small letters or capitals, if it was sent to this server; else NULL. */
static const script *known_script(const call *c, size_t i)
{
    char sha1[SHA1_DIGITS + 1] = {0};
    const script *s;

    if (c->len[i] != SHA1_DIGITS) {
        return NULL;
    }
    for (size_t k = 0; k < SHA1_DIGITS; k++) {
        sha1[k] = (char)tolower((unsigned char)c->argv[i][k]);
    }
    s = find_script(sha1);
    return s != NULL && server_knows(c->server, s) ? s : NULL;
}

void run_evalsha(call *c)
{
    const script *s = known_script(c, 1);
    size_t keys;

    if (c->len[1] == SHA1_DIGITS && !read_keys(c, &keys)) {
        return;
    }
    if (s == NULL) {
        reply_error(c->out, "NOSCRIPT No matching script. Please use EVAL.");
    } else {
        run_lua(c, s, keys);
    }
}

/* SCRIPT LOAD, EXISTS and FLUSH. */
void run_script(call *c)
{
    const char *word = c->argv[1];
    script *s;

    if (strcasecmp(word, "LOAD") == 0 && c->argc == 3) {
        s = make_script(c->argv[2], c->len[2], c->out);
        if (s != NULL) {
            server_learn(c->server, s);
            reply_bytes(c->out, s->sha1, SHA1_DIGITS);
        }
    } else if (strcasecmp(word, "EXISTS") == 0 && c->argc > 2) {
        reply_array(c->out, c->argc - 2);
        for (size_t i = 2; i < c->argc; i++) {
            reply_number(c->out, known_script(c, i) != NULL);
        }
    } else if (strcasecmp(word, "FLUSH") == 0 && c->argc == 2) {
        redis_flush_scripts(c->server);
        reply_status(c->out, "OK");
    } else {
        redis_die("SCRIPT %s of %zu words is not implemented", word, c->argc);
    }
}

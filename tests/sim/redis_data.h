/* SPDX-License-Identifier: MIT
 *
 * redis_data: what the Redis of the simulator keeps: bytes, maps, lists, sorted sets, and the keys of a database. All
 * maps are arrays in order: a simulated server has few keys, and what is in order depends on no address and no seed.
 */
#ifndef SIM_REDIS_DATA_H
#define SIM_REDIS_DATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Ends the process with a message. */
void redis_die(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

/* Memory, as realloc(); ends the process when there is none. */
void *redis_resize(void *memory, size_t size);

/* Makes room in an array for `count` elements of `size` bytes. `room`: for how many there is room. */
void *redis_grow(void *array, size_t *room, size_t count, size_t size);

/* A growing run of bytes. All zero is an empty one. */
typedef struct buffer {
    char *at; /* owned; NULL while `size` is 0 */
    size_t len;
    size_t size;
} buffer;

void buffer_add(buffer *b, const void *bytes, size_t len);
void buffer_add_text(buffer *b, const char *text);
void buffer_add_number(buffer *b, int64_t number);
void buffer_free(buffer *b);

/* Room for any number as text. */
#define NUMBER_ROOM 32

/* Write a number as text, with a NUL behind it, and return its length. A double is written as by %.17g. */
size_t write_integer(char text[NUMBER_ROOM], int64_t number);
size_t write_double(char text[NUMBER_ROOM], double number);

/* Bytes that do not change, with a NUL behind them. */
typedef struct blob {
    size_t len;
    char at[];
} blob;

blob *blob_new(const char *bytes, size_t len);

/* A map from bytes to anything, in the order of the keys. All zero is an empty one. */
typedef struct map_entry {
    blob *key; /* owned */
    void *value;
} map_entry;

typedef struct map {
    map_entry *at;
    size_t count;
    size_t room;
} map;

/* Returns the value at a key, NULL if there is none. */
void *map_get(const map *m, const char *key, size_t len);

/* Returns where the value at a key stands, which is NULL for a key that was not there: the caller sets it. Valid until
 * the map changes. */
void **map_put(map *m, const char *key, size_t len);

/* Removes a key and returns its value, NULL if there was none. */
void *map_remove(map *m, const char *key, size_t len);

/* Frees the map, and its values by `free_value`. */
void map_free(map *m, void (*free_value)(void *value));

/* The elements are at[first] to at[first + count - 1]. */
typedef struct list {
    blob **at;
    size_t first;
    size_t count;
    size_t room;
} list;

void list_push(list *l, bool in_front, const char *bytes, size_t len);
blob *list_pop(list *l, bool in_front);

typedef struct member {
    double score;
    blob *name; /* owned by the map of the members */
} member;

typedef struct sorted_set {
    map members;       /* of member */
    member **by_score; /* as many, in order of their scores, equal scores in that of their names */
    size_t room;
} sorted_set;

/* Where a range of scores begins or ends. */
typedef struct bound {
    double score;
    bool is_exclusive;
} bound;

const member *sorted_set_get(const sorted_set *set, const char *name, size_t len);

/* Enters a member, or gives it another score. */
void sorted_set_put(sorted_set *set, const char *name, size_t len, double score);
bool sorted_set_remove(sorted_set *set, const char *name, size_t len);

/* Returns how many members have a score below the range that begins with `min`. */
size_t sorted_set_below(const sorted_set *set, bound min);

/* Returns how many members have a score in the range that ends with `max`, or below it. */
size_t sorted_set_up_to(const sorted_set *set, bound max);

typedef enum value_type { TYPE_STRING, TYPE_LIST, TYPE_HASH, TYPE_SORTED_SET } value_type;

#define NEVER INT64_MAX /* also the last millisecond of all, which Redis tells apart */

typedef struct value {
    value_type type;
    int64_t expires; /* in ms since 1970: the key is gone later than that; NEVER: without end */
    union {
        blob *string;
        list list;
        map hash; /* of blob */
        sorted_set sorted_set;
    };
} value;

value *value_new(value_type type);
void value_free(void *v);
value *value_copy(const value *v);
const char *value_type_name(const value *v);

/* Appends the value as text: strings as they are; of all others the elements, escaped, with spaces in between: those of
 * a list in order, field=value of a hash in the order of the fields, member=score of a sorted set in that of the
 * scores. */
void value_dump(const value *v, buffer *out);

#endif

/* SPDX-License-Identifier: MIT
 *
 * redis_data: see redis_data.h.
 */
#include "redis_data.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void redis_die(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    fputs("simulated redis: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    abort();
}

void *redis_resize(void *memory, size_t size)
{
    memory = realloc(memory, size);
    if (memory == NULL) {
        redis_die("no memory for %zu bytes", size);
    }
    return memory;
}

void *redis_grow(void *array, size_t *room, size_t count, size_t size)
{
    if (count > *room) {
        *room = count > 2 * *room ? count : 2 * *room;
        *room = *room < 8 ? 8 : *room;
        array = redis_resize(array, *room * size);
    }
    return array;
}

/* ---- bytes and numbers ---- */

void buffer_add(buffer *b, const void *bytes, size_t len)
{
    if (b->size - b->len < len) {
        b->at = redis_grow(b->at, &b->size, b->len + len, 1);
    }
    if (len > 0) {
        memcpy(b->at + b->len, bytes, len);
        b->len += len;
    }
}

void buffer_add_text(buffer *b, const char *text)
{
    buffer_add(b, text, strlen(text));
}

void buffer_add_number(buffer *b, int64_t number)
{
    char text[NUMBER_ROOM];

    buffer_add(b, text, write_integer(text, number));
}

void buffer_free(buffer *b)
{
    free(b->at);
    *b = (buffer){0};
}

/* By hand, since printf() would be a good part of the costs of a script. */
size_t write_integer(char text[NUMBER_ROOM], int64_t number)
{
    char digits[NUMBER_ROOM], *at = digits + sizeof(digits);
    uint64_t rest = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    size_t len;

    *--at = '\0';
    do {
        *--at = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest > 0);
    if (number < 0) {
        *--at = '-';
    }
    len = (size_t)(digits + sizeof(digits) - at);
    memcpy(text, at, len);
    return len - 1;
}

size_t write_double(char text[NUMBER_ROOM], double number)
{
    if (fabs(number) < 1e15 && number == (double)(int64_t)number && !(number == 0 && signbit(number))) {
        return write_integer(text, (int64_t)number);
    }
    return (size_t)snprintf(text, NUMBER_ROOM, "%.17g", number);
}

blob *blob_new(const char *bytes, size_t len)
{
    blob *b = redis_resize(NULL, sizeof(*b) + len + 1);

    b->len = len;
    memcpy(b->at, bytes, len);
    b->at[len] = '\0';
    return b;
}

static int compare(const blob *a, const char *bytes, size_t len)
{
    int order = memcmp(a->at, bytes, a->len < len ? a->len : len);

    return order != 0 ? order : a->len < len ? -1 : a->len > len;
}

/* ---- map ---- */

/* Returns where the key stands, or would stand. */
static size_t map_find(const map *m, const char *key, size_t len, bool *found)
{
    size_t low = 0, high = m->count;

    *found = false;
    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = compare(m->at[middle].key, key, len);
        if (order == 0) {
            *found = true;
            return middle;
        }
        if (order < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

void *map_get(const map *m, const char *key, size_t len)
{
    bool found;
    size_t i = map_find(m, key, len, &found);

    return found ? m->at[i].value : NULL;
}

void **map_put(map *m, const char *key, size_t len)
{
    bool found;
    size_t i = map_find(m, key, len, &found);

    if (!found) {
        m->at = redis_grow(m->at, &m->room, m->count + 1, sizeof(*m->at));
        memmove(m->at + i + 1, m->at + i, (m->count - i) * sizeof(*m->at));
        m->at[i] = (map_entry){blob_new(key, len), NULL};
        m->count++;
    }
    return &m->at[i].value;
}

/* `key` may be the map's own: nothing reads it any more once that is freed. */
void *map_remove(map *m, const char *key, size_t len)
{
    bool found;
    size_t i = map_find(m, key, len, &found);
    void *value;

    if (!found) {
        return NULL;
    }
    value = m->at[i].value;
    free(m->at[i].key);
    m->count--;
    memmove(m->at + i, m->at + i + 1, (m->count - i) * sizeof(*m->at));
    return value;
}

void map_free(map *m, void (*free_value)(void *value))
{
    for (size_t i = 0; i < m->count; i++) {
        free(m->at[i].key);
        free_value(m->at[i].value);
    }
    free(m->at);
    *m = (map){0};
}

/* ---- list ---- */

/* An array that has no room in front moves its elements to its end, and grows first if it is more than half full. */
void list_push(list *l, bool in_front, const char *bytes, size_t len)
{
    if (in_front && l->first == 0) {
        size_t first;
        l->at = redis_grow(l->at, &l->room, 2 * (l->count + 1), sizeof(*l->at));
        first = l->room - l->count;
        memmove(l->at + first, l->at, l->count * sizeof(*l->at));
        l->first = first;
    }
    if (in_front) {
        l->at[--l->first] = blob_new(bytes, len);
    } else {
        l->at = redis_grow(l->at, &l->room, l->first + l->count + 1, sizeof(*l->at));
        l->at[l->first + l->count] = blob_new(bytes, len);
    }
    l->count++;
}

blob *list_pop(list *l, bool in_front)
{
    blob *b = l->at[in_front ? l->first : l->first + l->count - 1];

    l->first += in_front;
    l->count--;
    return b;
}

/* ---- sorted set ---- */

/* Returns how many members stand before one of this score and name. */
static size_t rank_of(const sorted_set *set, double score, const char *name, size_t len)
{
    size_t low = 0, high = set->members.count;

    while (low < high) {
        size_t middle = (low + high) / 2;
        const member *m = set->by_score[middle];
        if (m->score < score || (m->score == score && compare(m->name, name, len) < 0)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

const member *sorted_set_get(const sorted_set *set, const char *name, size_t len)
{
    return map_get(&set->members, name, len);
}

bool sorted_set_remove(sorted_set *set, const char *name, size_t len)
{
    member *m = map_get(&set->members, name, len);
    size_t rank;

    if (m == NULL) {
        return false;
    }
    rank = rank_of(set, m->score, name, len);
    memmove(set->by_score + rank, set->by_score + rank + 1, (set->members.count - rank - 1) * sizeof(*set->by_score));
    map_remove(&set->members, name, len);
    free(m);
    return true;
}

/* A member that is there already is removed first, since it stands elsewhere by its new score. */
void sorted_set_put(sorted_set *set, const char *name, size_t len, double score)
{
    size_t rank, count;
    member *m;
    bool found;

    sorted_set_remove(set, name, len);
    m = redis_resize(NULL, sizeof(*m));
    count = set->members.count;
    rank = rank_of(set, score, name, len);
    set->by_score = redis_grow(set->by_score, &set->room, count + 1, sizeof(*set->by_score));
    memmove(set->by_score + rank + 1, set->by_score + rank, (count - rank) * sizeof(*set->by_score));
    set->by_score[rank] = m;
    *map_put(&set->members, name, len) = m;
    *m = (member){score, set->members.at[map_find(&set->members, name, len, &found)].key};
}

/* Returns how many members have a score below this one, or with `and_equal` up to it. */
static size_t count_below(const sorted_set *set, double score, bool and_equal)
{
    size_t low = 0, high = set->members.count;

    while (low < high) {
        size_t middle = (low + high) / 2;
        double at = set->by_score[middle]->score;
        if (at < score || (and_equal && at == score)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

size_t sorted_set_below(const sorted_set *set, bound min)
{
    return count_below(set, min.score, min.is_exclusive);
}

size_t sorted_set_up_to(const sorted_set *set, bound max)
{
    return count_below(set, max.score, !max.is_exclusive);
}

/* ---- value ---- */

value *value_new(value_type type)
{
    value *v = redis_resize(NULL, sizeof(*v));

    *v = (value){.type = type, .expires = NEVER};
    return v;
}

/* Frees the value with all that is in it. Takes any pointer, as map_free() needs it. */
void value_free(void *memory)
{
    value *v = memory;

    switch (v->type) {
    case TYPE_STRING:
        free(v->string);
        break;
    case TYPE_LIST:
        while (v->list.count > 0) {
            free(list_pop(&v->list, true));
        }
        free(v->list.at);
        break;
    case TYPE_HASH:
        map_free(&v->hash, free);
        break;
    case TYPE_SORTED_SET:
        map_free(&v->sorted_set.members, free);
        free(v->sorted_set.by_score);
        break;
    }
    free(v);
}

static blob *blob_copy(const blob *b)
{
    return blob_new(b->at, b->len);
}

static void copy_elements(value *to, const value *from)
{
    switch (from->type) {
    case TYPE_STRING:
        to->string = blob_copy(from->string);
        break;
    case TYPE_LIST:
        for (size_t i = 0; i < from->list.count; i++) {
            const blob *element = from->list.at[from->list.first + i];
            list_push(&to->list, false, element->at, element->len);
        }
        break;
    case TYPE_HASH:
        for (size_t i = 0; i < from->hash.count; i++) {
            const blob *field = from->hash.at[i].key;
            *map_put(&to->hash, field->at, field->len) = blob_copy(from->hash.at[i].value);
        }
        break;
    case TYPE_SORTED_SET:
        for (size_t i = 0; i < from->sorted_set.members.count; i++) {
            const member *m = from->sorted_set.by_score[i];
            sorted_set_put(&to->sorted_set, m->name->at, m->name->len, m->score);
        }
        break;
    }
}

value *value_copy(const value *v)
{
    value *copy = value_new(v->type);

    copy->expires = v->expires;
    copy_elements(copy, v);
    return copy;
}

const char *value_type_name(const value *v)
{
    static const char *const names[] = {"string", "list", "hash", "zset"};

    return names[v->type];
}

/* Appends a space, unless it is the first element, and the bytes; other bytes than visible ASCII, and the backslash and
 * the equals sign, as \xNN. */
static void dump_element(buffer *out, const blob *b, char before, bool is_first)
{
    if (!is_first) {
        buffer_add(out, &before, 1);
    }
    for (size_t i = 0; i < b->len; i++) {
        unsigned char c = (unsigned char)b->at[i];
        char code[8];
        if (c > ' ' && c < 0x7f && c != '\\' && c != '=') {
            buffer_add(out, &c, 1);
        } else {
            buffer_add(out, code, (size_t)snprintf(code, sizeof(code), "\\x%02x", c));
        }
    }
}

static void dump_sorted_set(const sorted_set *set, buffer *out)
{
    char score[NUMBER_ROOM];

    for (size_t i = 0; i < set->members.count; i++) {
        dump_element(out, set->by_score[i]->name, ' ', i == 0);
        buffer_add(out, "=", 1);
        buffer_add(out, score, write_double(score, set->by_score[i]->score));
    }
}

/* See redis_data.h. Two values of a type are equal exactly if their texts are. */
void value_dump(const value *v, buffer *out)
{
    switch (v->type) {
    case TYPE_STRING:
        buffer_add(out, v->string->at, v->string->len);
        break;
    case TYPE_LIST:
        for (size_t i = 0; i < v->list.count; i++) {
            dump_element(out, v->list.at[v->list.first + i], ' ', i == 0);
        }
        break;
    case TYPE_HASH:
        for (size_t i = 0; i < v->hash.count; i++) {
            dump_element(out, v->hash.at[i].key, ' ', i == 0);
            dump_element(out, v->hash.at[i].value, '=', false);
        }
        break;
    case TYPE_SORTED_SET:
        dump_sorted_set(&v->sorted_set, out);
        break;
    }
}

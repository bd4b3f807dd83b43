/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JSON in: a text becomes an array of nodes, parents before their children. Strict RFC 8259, and stricter: numbers are
 * finite, no key stands twice in an object, and sizes are limited. Failures name the file, the line and the path of the
 * value, as "box.json:12: contacts[3].normal: ...".
 */
#ifndef ABUT_SRC_JSON_READ_H
#define ABUT_SRC_JSON_READ_H

#include "abut/base.h"

enum {
    ABUT_JSON_READ_BYTES = 1 << 26,
    ABUT_JSON_READ_DEPTH = 64,
    ABUT_JSON_READ_MEMBERS = 1024 /* of one object */
};

typedef enum AbutJsonKind {
    ABUT_JSON_NULL = 0,
    ABUT_JSON_FALSE,
    ABUT_JSON_TRUE,
    ABUT_JSON_NUMBER,
    ABUT_JSON_STRING,
    ABUT_JSON_ARRAY,
    ABUT_JSON_OBJECT
} AbutJsonKind;

typedef struct AbutJsonNode {
    AbutJsonKind kind;
    int32_t parent, next; /* -1: none */
    int32_t count;        /* of elements or members; the first follows its parent */
    uint32_t hash;        /* of the key */
    const char *key;      /* of a member, else NULL; zero-terminated, as strings are */
    const char *string;
    double number;
    const char *where; /* in the text */
} AbutJsonNode;

typedef struct AbutJsonText {
    char name[256];
    char *text;    /* as read */
    char *strings; /* decoded */
    size_t size, string_count;
    AbutJsonNode *nodes; /* the first is the whole value */
    size_t capacity;
    int32_t count;
} AbutJsonText;

/* On failure *out is empty. Free with abut_json_text_free. */
AbutStatus abut_json_parse(const void *bytes, size_t count, const char *name, AbutJsonText *out, AbutError *error);
/* The same, but `text` from abut_alloc, with room for one byte more, becomes part of *out or is freed. */
AbutStatus abut_json_parse_owned(char *text, size_t count, const char *name, AbutJsonText *out, AbutError *error);
void abut_json_text_free(AbutJsonText *json);

/* First element or member, the one behind, a member by its key; NULL when there is none. */
const AbutJsonNode *abut_json_first(const AbutJsonNode *node);
const AbutJsonNode *abut_json_next(const AbutJsonText *json, const AbutJsonNode *node);
const AbutJsonNode *abut_json_member(const AbutJsonText *json, const AbutJsonNode *node, const char *key);

/* "an array", for messages. */
const char *abut_json_kind_name(AbutJsonKind kind);

/* Is every key of an object one of `count` known ones? Fails at the first that is not, with the nearest known;
 * those that begin with an underscore are skipped. */
AbutStatus abut_json_check_keys(
    const AbutJsonText *json, const AbutJsonNode *object, int count, const char *const *keys, AbutError *error);

/* The numbers of an array of exactly `count` of them. */
AbutStatus abut_json_read_numbers(
    const AbutJsonText *json, const AbutJsonNode *array, int32_t count, double *out, AbutError *error);

/* Failure at a node. */
AbutStatus abut_json_fail(const AbutJsonText *json, const AbutJsonNode *node, AbutError *error, AbutStatus status,
    const char *format, ...) ABUT_PRINTF(5, 6);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* json: JSON texts out, to a stream or to memory, and the values of a text one after the other. */
#ifndef ABUT_JSON_H
#define ABUT_JSON_H

#include <stdio.h>

#include "abut/math.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ABUT_JSON_DEPTH 64

/*
 * A writer of one JSON value, to a stream or to memory. Calls follow the structure: begin, key, value, end. Nothing
 * fails on the way: the first failure (memory, a full disk, a call that makes no JSON) is kept, later calls do nothing,
 * and abut_json_finish tells. NaN and infinity become null; bytes of a string that are not UTF-8 become U+FFFD.
 */
typedef struct AbutJson {
    FILE *file; /* NULL: to memory */
    int indent; /* spaces per level; 0: all on one line */
    char *text; /* what is not in the file yet, or the whole text, zero-terminated after abut_json_finish */
    size_t count, capacity;
    AbutStatus status;
    int depth, wants_value; /* wants_value: behind a key */
    unsigned char level[ABUT_JSON_DEPTH + 1];
} AbutJson;

/* Writes to a file, which stays the caller's; NULL: to memory. */
ABUT_API AbutJson abut_json_to_file(FILE *file, int indent);

ABUT_API void abut_json_begin_object(AbutJson *json);
ABUT_API void abut_json_end_object(AbutJson *json);
ABUT_API void abut_json_begin_array(AbutJson *json);
ABUT_API void abut_json_end_array(AbutJson *json);
ABUT_API AbutJson *abut_json_key(AbutJson *json, const char *key); /* returns `json`, for the value that follows */
/* Arrays of numbers stay on one line. */
ABUT_API void abut_json_numbers(AbutJson *json, const double *values, int count);

/* A key and its value at once; without a key (NULL) the value alone. A text of NULL becomes null. */
ABUT_API void abut_json_put_number(AbutJson *json, const char *key, double value);
ABUT_API void abut_json_put_integer(AbutJson *json, const char *key, int64_t value);
ABUT_API void abut_json_put_bool(AbutJson *json, const char *key, int value);
ABUT_API void abut_json_put_string(AbutJson *json, const char *key, const char *text);
ABUT_API void abut_json_put_vec3(AbutJson *json, const char *key, AbutVec3 value);

/* Ends the text with a line feed and writes what is left. Fails with the first failure of any call before. */
ABUT_API AbutStatus abut_json_finish(AbutJson *json, AbutError *error);
ABUT_API void abut_json_free(AbutJson *json); /* the text in memory; leaves an empty writer */

/* One value of a text: a number, true, false, null, a string, or an array too long to be visited by element. */
typedef struct AbutJsonLeaf {
    const char *path; /* "residual.max", "normal.0"; "" for a text that is one value */
    const char *text; /* as it stands in the text; of a string what it says; "" for null and for an array */
    size_t count;     /* bytes of `text`, which may go on behind them */
    int is_string;
    int elements; /* of a long array; -1 otherwise */
} AbutJsonLeaf;

/*
 * Calls `visit` for every value of a JSON text, in its order; arrays with more than `longest` elements are one value.
 * Texts are checked before the first call: strict RFC 8259, finite numbers, no key twice in an object. `name` stands in
 * front of error messages. Paths are cut at 500 bytes.
 */
ABUT_API AbutStatus abut_json_leaves(const char *text, size_t count, const char *name, int longest,
    void (*visit)(const AbutJsonLeaf *leaf, void *user), void *user, AbutError *error);

#ifdef __cplusplus
}
#endif

#endif

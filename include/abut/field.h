/* SPDX-License-Identifier: Apache-2.0 */
/*
 * field: a table with a row per member of a result. These rows write text and JSON, make the records of Python and
 * the tables of docs/reference/json.md, so that a member is described once. Tables stand beside their structs,
 * `abut_NAME_record` in the header of the room.
 */
#ifndef ABUT_FIELD_H
#define ABUT_FIELD_H

#include <stddef.h>
#include <stdio.h>

#include "abut/json.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum AbutFieldKind {
    ABUT_FIELD_REAL = 0, /* double; JSON has null for a number that is not finite */
    ABUT_FIELD_INT,      /* int32_t */
    ABUT_FIELD_LONG,     /* int64_t */
    ABUT_FIELD_ULONG,    /* uint64_t */
    ABUT_FIELD_FLAG,     /* int32_t: no or yes; negative: not known, null */
    ABUT_FIELD_WORD,     /* int32_t: an enumerator, by its word in `words` */
    ABUT_FIELD_TEXT,     /* const char *; NULL: null */
    ABUT_FIELD_RECORD,   /* a struct of `record` */
    ABUT_FIELD_PICK,     /* the fields of such a struct that `pick` lists, as if they were members */
    ABUT_FIELD_PUT       /* what `put` writes */
} AbutFieldKind;

typedef struct AbutRecord AbutRecord;

/*
 * One member. `rows` 0: a single value; `columns` 0: `rows` of them; else a matrix. Rows of ABUT_FIELD_POINTER: the
 * member points to them, and NULL is null; without `count_at` to a single one. Offsets named *_at are 0 for none: no
 * such member comes first.
 */
typedef struct AbutField {
    const char *name, *unit, *sentence;
    AbutFieldKind kind;
    size_t offset;
    int rows, columns;
    const char *const *words; /* as abut_word takes them */
    const AbutRecord *record;
    void (*put)(AbutJson *json, const void *member);
    const char *pick;           /* "ub t from=begin": names with spaces between; KEY=NAME renames; NULL: all */
    size_t count_at, width_at;  /* of an int32_t: how many rows count, and how many columns there are */
    size_t shown_at, hidden_at; /* of an int: the key is left out where it is 0; where it is not 0 */
    size_t known_at;            /* of an int: null where it is 0 */
} AbutField;

#define ABUT_FIELD_POINTER (-1)

struct AbutRecord {
    const char *name;     /* "Clearance"; the name of the class in Python */
    const char *sentence; /* what the struct tells */
    size_t size;
    const AbutField *fields;
    int count;
};

/* Rows: `{ABUT_FIELD(AbutImpact, t, REAL, "s", "Time of the first contact")}`; further members follow in the braces.
 * _AS takes another name than the member's; _OF picks fields of a struct; _AT is a record that the member points to. */
#define ABUT_FIELD_AS(name_, T, member, kind_, unit_, sentence_)                                                       \
    .name = (name_), .unit = (unit_), .sentence = (sentence_), .kind = ABUT_FIELD_##kind_, .offset = offsetof(T, member)
#define ABUT_FIELD(T, member, kind_, unit_, sentence_) ABUT_FIELD_AS(#member, T, member, kind_, unit_, sentence_)
#define ABUT_FIELD_VEC3(T, member, unit_, sentence_) ABUT_FIELD(T, member, REAL, unit_, sentence_), .rows = 3
#define ABUT_FIELD_WORDS(T, member, words_, sentence_) ABUT_FIELD(T, member, WORD, "", sentence_), .words = (words_)
#define ABUT_FIELD_OF(T, member, record_, pick_)                                                                       \
    .kind = ABUT_FIELD_PICK, .offset = offsetof(T, member), .record = &(record_), .pick = (pick_)
#define ABUT_FIELD_AT(T, member, record_, sentence_)                                                                   \
    ABUT_FIELD(T, member, RECORD, "", sentence_), .record = &(record_), .rows = ABUT_FIELD_POINTER
#define ABUT_RECORD(name_, sentence_, T, fields_)                                                                      \
    { name_, sentence_, sizeof(T), fields_, (int)(sizeof(fields_) / sizeof(fields_)[0]) }

/* A key and a value for each field, into the object that is open. `pick` as in AbutField; NULL: all. */
ABUT_API void abut_record_put(AbutJson *json, const AbutRecord *record, const char *pick, const void *data);
ABUT_API void abut_record_put_object(AbutJson *json, const AbutRecord *record, const void *data); /* with its braces */

/*
 * Text with values in it: "{NAME}" or "{NAME:FORMAT}", where FORMAT is as for printf without the %; "{NAME?yes|no}" a
 * text by whether a flag is set, a number is not 0, and a text or record is there. Entries of arrays have a space
 * between. "{NAME~OTHERS:.9g}" prints 0 for what is rounding noise beside the largest entry of all; "{NAME~:.9g}"
 * beside 1. A line that prints a value that is absent is left out: a key that is not shown, null, NaN.
 */
ABUT_API void abut_record_print(FILE *file, const AbutRecord *record, const char *text, const void *data);

/* The keys that abut_record_put writes, as a table of Markdown under a comment with the name: docs/reference/json.md.
 */
ABUT_API void abut_record_print_keys(FILE *file, const AbutRecord *record);

#ifdef __cplusplus
}
#endif

#endif

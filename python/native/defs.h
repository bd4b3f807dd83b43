/* SPDX-License-Identifier: Apache-2.0 */
/* Structs of settings and descriptions as dictionaries: a table of fields fills a struct, and describes one. */
#ifndef ABUT_PYTHON_DEFS_H
#define ABUT_PYTHON_DEFS_H

#include <stddef.h>

#include "convert.h"

typedef enum DefKind {
    DEF_REAL = 0,
    DEF_REALS, /* `count` of them */
    DEF_INT,
    DEF_UINT,
    DEF_FLAG,
    DEF_VEC3,
    DEF_POSE,
    DEF_MAT3,
    DEF_TEXT,
    DEF_PATH, /* a text, or the bytes of a file name */
    DEF_WORD
} DefKind;

typedef struct DefField {
    const char *name;
    DefKind kind;
    size_t offset;
    int count;                /* of DEF_REALS; of the words of DEF_WORD */
    const char *const *words; /* of DEF_WORD */
} DefField;

typedef struct DefTable {
    const char *what; /* for messages: "body" */
    int count;
    const DefField *fields;
} DefTable;

#define DEF(T, m, kind)                                                                                                \
    { #m, kind, offsetof(T, m), 0, NULL }
#define DEF_TABLE(what, fields)                                                                                        \
    { what, (int)(sizeof(fields) / sizeof(fields)[0]), fields }

/* Sets the fields that the dictionary names; others stay. Texts are borrowed from it. 0, or -1 with an exception. */
int fill_def(PyObject *dict, const DefTable *table, void *def);

/* All fields as a dictionary. */
PyObject *def_dict(const DefTable *table, const void *def);

#endif

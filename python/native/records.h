/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Answers of the library as Python objects. A table of fields describes a C struct; from it come a class whose
 * attributes read the struct, and the dtype of a structured array of such structs, which the batches fill in place.
 */
#ifndef ABUT_PYTHON_RECORDS_H
#define ABUT_PYTHON_RECORDS_H

#include <stddef.h>

#include "convert.h"

typedef enum FieldKind { FIELD_F8 = 0, FIELD_I4, FIELD_I8, FIELD_FLAG, FIELD_WORD } FieldKind;

/* rows 0: a number; columns 0: `rows` numbers; else a matrix. */
typedef struct Field {
    const char *name;
    FieldKind kind;
    size_t offset;
    int rows, columns;
    const char *(*word)(int); /* of FIELD_WORD */
    size_t length_at;         /* not 0: offset of the int that says how many of the rows count */
} Field;

typedef struct Record {
    const char *name; /* "abut.Gap" */
    const char *doc;
    size_t size;
    int field_count;
    const Field *fields;
    PyTypeObject *type;
    PyObject *dtype;
    struct Gap *gaps; /* bytes of no field */
    int gap_count;
} Record;

/* Rows of the tables: the member `m` of the struct `T` under its own name, or a name for a member within a member. */
#define REAL(T, m)                                                                                                     \
    {                                                                                                                  \
#m, FIELD_F8, offsetof(T, m), 0, 0, NULL, 0                                                                    \
    }
#define VECTOR(T, m)                                                                                                   \
    {                                                                                                                  \
#m, FIELD_F8, offsetof(T, m), 3, 0, NULL, 0                                                                    \
    }
#define COUNT(T, m)                                                                                                    \
    {                                                                                                                  \
#m, FIELD_I4, offsetof(T, m), 0, 0, NULL, 0                                                                    \
    }
#define BIG_COUNT(T, m)                                                                                                \
    {                                                                                                                  \
#m, FIELD_I8, offsetof(T, m), 0, 0, NULL, 0                                                                    \
    }
#define FLAG(T, m)                                                                                                     \
    {                                                                                                                  \
#m, FIELD_FLAG, offsetof(T, m), 0, 0, NULL, 0                                                                  \
    }
#define WORD(T, m, words)                                                                                              \
    {                                                                                                                  \
#m, FIELD_WORD, offsetof(T, m), 0, 0, words, 0                                                                 \
    }
#define RECORD(name, doc, T, table)                                                                                    \
    {                                                                                                                  \
        "abut." name, doc, sizeof(T), (int)(sizeof(table) / sizeof(table)[0]), table, NULL, NULL, NULL, 0              \
    }

/* A function that gives the words of a list, and "unknown" beyond. */
#define WORDS(function, ...)                                                                                           \
    static const char *function(int i)                                                                                 \
    {                                                                                                                  \
        static const char *const words[] = {__VA_ARGS__};                                                              \
        return i >= 0 && i < (int)(sizeof words / sizeof words[0]) ? words[i] : "unknown";                             \
    }
#define NAMES(function, name, Type, count)                                                                             \
    static const char *function(int i)                                                                                 \
    {                                                                                                                  \
        return i >= 0 && i < (count) ? name((Type)i) : "unknown";                                                      \
    }

/* The regions that were asked about have a dimension; the struct of the library does not keep it. */
typedef struct Meeting {
    AbutIntersection x;
    int32_t dimension;
} Meeting;

extern Record record_gap, record_derivative, record_collision;
extern Record record_intersection, record_cast, record_nearest, record_report, record_mesh_nearest;
extern Record record_impact, record_clearance, record_sample, record_minimum, record_contact_time;
extern Record record_mode_result, record_force_result, record_step, record_contact, record_ik;
extern Record record_pressure, record_effort, record_plan_sample, record_event, record_scene_distance, record_facet,
    record_measure, record_kernel, record_phong;
extern Record record_soft, record_certificate, record_pair_certificate;

extern Record *const records[];
extern const int record_count;

/* A copy of the struct as an object. */
PyObject *record_new(const Record *record, const void *data);

/* The struct of such an object; NULL with an exception that names the argument. */
const void *record_data(const Record *record, PyObject *value, const char *name);

/* An array of `count` of them to be filled; 0, or -1 with an exception. */
int begin_records(const Record *record, Py_ssize_t count, NewArray *out);

/* Zeros what lies between the fields of the rows of such an array, or of one: equal answers have equal bytes. */
void clear_gaps(const NewArray *array);
void clear_row(const Record *record, char *row);

/* An array of copies of them. */
PyObject *array_of_records(const Record *record, const void *rows, size_t count);

int add_records(PyObject *module);

/* ---- many questions ---------------------------------------------------------------------------------------------- */

/* Answers question i. Called without the interpreter's lock, from any thread. */
typedef void Ask(Py_ssize_t i, void *user);

/* All questions 0 .. count-1 over so many threads (0: all processors), with a look at signals now and then. 0, or -1
 * with an exception, as after Ctrl-C. */
int ask_all(Py_ssize_t count, int threads, Ask *ask, void *user);

/* A dictionary of the functions of the extension; for tables of methods. */
extern PyMethodDef record_methods[];

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Answers of the library as Python objects. A table of fields (abut/field.h) describes a C struct; from it come a class
 * whose attributes read the struct, and the dtype of a structured array of such structs, which the batches fill in
 * place.
 */
#ifndef ABUT_PYTHON_RECORDS_H
#define ABUT_PYTHON_RECORDS_H

#include <stddef.h>

#include "convert.h"

/* A table of the library, or of the extension, and the class that is made from it. */
typedef struct Record {
    const AbutRecord *table;
    char *name, *doc; /* "abut.Gap" */
    PyTypeObject *type;
    PyObject *dtype;
    struct Gap *gaps; /* bytes of no field */
    int gap_count;
} Record;

/* Rows of tables whose fields the text of the record describes: the member `m` of the struct `T` under its own name. */
#define REAL(T, m)                                                                                                     \
    { ABUT_FIELD(T, m, REAL, "", "") }
#define VECTOR(T, m)                                                                                                   \
    { ABUT_FIELD_VEC3(T, m, "", "") }
#define COUNT(T, m)                                                                                                    \
    { ABUT_FIELD(T, m, INT, "", "") }
#define BIG_COUNT(T, m)                                                                                                \
    { ABUT_FIELD(T, m, LONG, "", "") }
#define FLAG(T, m)                                                                                                     \
    { ABUT_FIELD(T, m, FLAG, "", "") }
#define WORD(T, m, words)                                                                                              \
    { ABUT_FIELD_WORDS(T, m, words, "") }
#define RECORD(name_, doc_, T, fields_)                                                                                \
    { .table = &(const AbutRecord)ABUT_RECORD(name_, doc_, T, fields_) }
#define RECORD_OF(table_)                                                                                              \
    { .table = &(table_) }

/* Words as abut_word takes them. */
#define WORDS(name, ...) static const char *const name[] = {__VA_ARGS__, NULL};

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

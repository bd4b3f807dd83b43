/* SPDX-License-Identifier: Apache-2.0 */
/* Answers as objects and arrays: see records.h. A record is its struct behind the head of a Python object. */
#include "records.h"

#include <math.h>
#include <string.h>
#include <time.h>

typedef struct RecordObject {
    PyObject_HEAD const Record *record;
    double data[]; /* the struct; no field of any is aligned to more than a double */
} RecordObject;

static PyObject *small_type_error(const char *name, const char *expected, PyObject *got) {
    return PyErr_Format(PyExc_TypeError, "%s: expected %s, got %R", name, expected, got);
}

PyObject *record_new(const Record *record, const void *data) {
    RecordObject *self = PyObject_New(RecordObject, record->type);
    if (!self) return NULL;
    self->record = record;
    memcpy(self->data, data, record->table->size);
    return (PyObject *)self;
}

const void *record_data(const Record *record, PyObject *value, const char *name) {
    if (!PyObject_TypeCheck(value, record->type)) return small_type_error(name, record->name, value), NULL;
    return ((RecordObject *)value)->data;
}

int begin_records(const Record *record, Py_ssize_t count, NewArray *out) {
    int status = begin_array(record->dtype, 1, &count, out);
    out->record = record;
    return status;
}

struct Gap {
    size_t begin, size;
};

void clear_row(const Record *record, char *row) {
    for (int i = 0; i < record->gap_count; ++i) memset(row + record->gaps[i].begin, 0, record->gaps[i].size);
}

void clear_gaps(const NewArray *array) {
    char *end = (char *)array->data + array->view.len;
    for (char *row = array->data; row < end; row += array->record->table->size) clear_row(array->record, row);
}

PyObject *array_of_records(const Record *record, const void *rows, size_t count) {
    NewArray out;
    if (begin_records(record, (Py_ssize_t)count, &out) != 0) return NULL;
    if (count) memcpy(out.data, rows, count * record->table->size);
    return end_array(&out);
}

/* ---- attributes -------------------------------------------------------------------------------------------------- */

static PyObject *get_flag(int32_t value) {
    if (value < 0) Py_RETURN_NONE;
    return PyBool_FromLong(value);
}

static PyObject *get_number(const AbutField *field, const char *at) {
    switch (field->kind) {
    case ABUT_FIELD_REAL:
        return PyFloat_FromDouble(*(const double *)at);
    case ABUT_FIELD_INT:
        return PyLong_FromLong(*(const int32_t *)at);
    case ABUT_FIELD_LONG:
        return PyLong_FromLongLong(*(const int64_t *)at);
    case ABUT_FIELD_ULONG:
        return PyLong_FromUnsignedLongLong(*(const uint64_t *)at);
    case ABUT_FIELD_FLAG:
        return get_flag(*(const int32_t *)at);
    default:
        return PyUnicode_FromString(abut_word(field->words, *(const int32_t *)at));
    }
}

static int is_wide(const AbutField *field) {
    return field->kind == ABUT_FIELD_REAL || field->kind == ABUT_FIELD_LONG || field->kind == ABUT_FIELD_ULONG;
}

static const char *format_of(AbutFieldKind kind) {
    return kind == ABUT_FIELD_REAL ? "d" : kind == ABUT_FIELD_LONG ? "q" : kind == ABUT_FIELD_ULONG ? "Q" : "i";
}

/* How many of the rows of an array count. */
static int rows_of(const AbutField *field, const char *data) {
    if (!field->count_at) return field->rows;
    int32_t length = *(const int32_t *)(data + field->count_at);
    return length < 0 ? 0 : length < field->rows ? length : field->rows;
}

static PyObject *get_field(PyObject *self, void *closure) {
    const AbutField *field = closure;
    const char *data = (const char *)((RecordObject *)self)->data;
    if (field->rows == 0) return get_number(field, data + field->offset);
    Py_ssize_t shape[2] = {rows_of(field, data), field->columns};
    Py_ssize_t item = is_wide(field) ? 8 : 4;
    return view_array(self, data + field->offset, format_of(field->kind), item, field->columns ? 2 : 1, shape);
}

/* ---- as a whole -------------------------------------------------------------------------------------------------- */

static PyObject *as_dict(PyObject *self, PyObject *unused) {
    (void)unused;
    const Record *record = ((RecordObject *)self)->record;
    PyObject *dict = PyDict_New();
    for (int i = 0; dict && i < record->table->count; ++i) {
        PyObject *value = get_field(self, (void *)(uintptr_t)&record->table->fields[i]);
        if (!value || PyDict_SetItemString(dict, record->table->fields[i].name, value) != 0) Py_CLEAR(dict);
        Py_XDECREF(value);
    }
    return dict;
}

static PyObject *field_text(PyObject *self, const AbutField *field) {
    PyObject *value = get_field(self, (void *)(uintptr_t)field);
    PyObject *list = value && field->rows ? PyObject_CallMethod(value, "tolist", NULL) : Py_XNewRef(value);
    PyObject *text = list ? PyUnicode_FromFormat("%s=%R", field->name, list) : NULL;
    Py_XDECREF(list);
    Py_XDECREF(value);
    return text;
}

static PyObject *record_repr(PyObject *self) {
    const Record *record = ((RecordObject *)self)->record;
    PyObject *parts = PyList_New(0), *comma = PyUnicode_FromString(", "), *joined = NULL, *out = NULL;
    for (int i = 0; parts && i < record->table->count; ++i) {
        PyObject *text = field_text(self, &record->table->fields[i]);
        if (!text || PyList_Append(parts, text) != 0) Py_CLEAR(parts);
        Py_XDECREF(text);
    }
    if (parts && comma) joined = PyUnicode_Join(comma, parts);
    if (joined) out = PyUnicode_FromFormat("%s(%U)", record->table->name, joined);
    Py_XDECREF(joined);
    Py_XDECREF(comma);
    Py_XDECREF(parts);
    return out;
}

static int record_index(const Record *record) {
    int i = 0;
    while (records[i] != record) ++i;
    return i;
}

static PyObject *reduce(PyObject *self, PyObject *unused) {
    (void)unused;
    const RecordObject *object = (RecordObject *)self;
    PyObject *module = PyImport_ImportModule("abut._abut");
    PyObject *maker = module ? PyObject_GetAttrString(module, "record_from_bytes") : NULL;
    Py_XDECREF(module);
    if (!maker) return NULL;
    return Py_BuildValue("N(iy#)", maker, record_index(object->record), (const char *)object->data,
        (Py_ssize_t)object->record->table->size);
}

static PyObject *record_from_bytes(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    int index;
    if (expect_count("record_from_bytes", count, 2) != 0 || read_int(args[0], "index", &index) != 0) return NULL;
    const char *bytes;
    size_t size;
    if (read_bytes(args[1], "bytes", &bytes, &size) != 0) return NULL;
    if (index < 0 || index >= record_count || size != records[index]->table->size)
        return raise_text(ABUT_ERROR_FORMAT, "this record was pickled by another version of abut");
    return record_new(records[index], bytes);
}

static PyObject *get_self(PyObject *self, PyObject *unused) {
    (void)unused;
    return Py_NewRef(self);
}

/* The i-th number of a field as bits that are equal for equal numbers: 0 has no sign, and NaN is NaN. */
static uint64_t bits_of(const AbutField *field, const char *data, int i) {
    const char *at = data + field->offset;
    if (field->kind == ABUT_FIELD_LONG || field->kind == ABUT_FIELD_ULONG) return (uint64_t)((const int64_t *)at)[i];
    if (field->kind != ABUT_FIELD_REAL) return (uint64_t)((const int32_t *)at)[i];
    double x = ((const double *)at)[i];
    uint64_t bits;
    x = isnan(x) ? NAN : x == 0.0 ? 0.0 : x;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static int numbers_of(const AbutField *field, const char *data) {
    return field->rows ? rows_of(field, data) * (field->columns ? field->columns : 1) : 1;
}

static int same_field(const AbutField *field, const char *a, const char *b) {
    int count = numbers_of(field, a), i = 0;
    if (count != numbers_of(field, b)) return 0;
    while (i < count && bits_of(field, a, i) == bits_of(field, b, i)) ++i;
    return i == count;
}

static PyObject *record_compare(PyObject *self, PyObject *other, int operation) {
    const RecordObject *a = (RecordObject *)self, *b = (RecordObject *)other;
    if (Py_TYPE(self) != Py_TYPE(other) || (operation != Py_EQ && operation != Py_NE)) Py_RETURN_NOTIMPLEMENTED;
    int same = 1;
    for (int i = 0; same && i < a->record->table->count; ++i)
        same = same_field(&a->record->table->fields[i], (const char *)a->data, (const char *)b->data);
    return PyBool_FromLong(same == (operation == Py_EQ));
}

static Py_hash_t record_hash(PyObject *self) {
    const RecordObject *x = (RecordObject *)self;
    uint64_t hash = 14695981039346656037u;
    for (int i = 0; i < x->record->table->count; ++i) {
        const AbutField *field = &x->record->table->fields[i];
        for (int k = 0; k < numbers_of(field, (const char *)x->data); ++k) {
            hash = (hash ^ bits_of(field, (const char *)x->data, k)) * 1099511628211u;
            hash ^= hash >> 32;
        }
    }
    return (Py_hash_t)(hash >> 1);
}

static PyMethodDef object_methods[] = {
    {"as_dict", as_dict, METH_NOARGS, "The fields by name."},
    {"__reduce__", reduce, METH_NOARGS, NULL},
    {"__copy__", get_self, METH_NOARGS, NULL},
    {"__deepcopy__", get_self, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};

/* ---- types ------------------------------------------------------------------------------------------------------- */

/* The table of attributes lives as long as the module. */
static PyGetSetDef *make_getset(const Record *record) {
    PyGetSetDef *table = PyMem_Calloc((size_t)record->table->count + 1, sizeof *table);
    for (int i = 0; table && i < record->table->count; ++i) {
        table[i].name = record->table->fields[i].name;
        table[i].get = get_field;
        table[i].closure = (void *)(uintptr_t)&record->table->fields[i];
    }
    return table;
}

/* Does a byte of the struct belong to a field? */
static int is_of_field(const Record *record, size_t at) {
    for (int i = 0; i < record->table->count; ++i) {
        const AbutField *f = &record->table->fields[i];
        size_t count = (size_t)(f->rows ? f->rows : 1) * (size_t)(f->columns ? f->columns : 1);
        size_t size = count * (is_wide(f) ? 8 : 4);
        if (at >= f->offset && at < f->offset + size) return 1;
    }
    return 0;
}

/* Runs of bytes that do not: at most one before each field and one at the end. 0, or -1 without memory. */
static int find_gaps(Record *record) {
    record->gaps = PyMem_Calloc((size_t)record->table->count + 2, sizeof *record->gaps);
    if (!record->gaps) return -1;
    for (size_t at = 0; at < record->table->size; ++at) {
        struct Gap *last = record->gap_count ? &record->gaps[record->gap_count - 1] : NULL;
        if (is_of_field(record, at)) continue;
        if (last && last->begin + last->size == at)
            ++last->size;
        else
            record->gaps[record->gap_count++] = (struct Gap){at, 1};
    }
    return 0;
}

/* The text of the class: what the record is, then a line for each field that has one. NULL without memory. */
static char *make_doc(const AbutRecord *table) {
    size_t room = strlen(table->sentence) + 3, at;
    for (int i = 0; i < table->count; ++i)
        room += strlen(table->fields[i].name) + strlen(table->fields[i].unit) + strlen(table->fields[i].sentence) + 8;
    char *doc = PyMem_Malloc(room);
    if (!doc) return NULL;
    at = (size_t)snprintf(doc, room, "%s", table->sentence);
    for (int i = 0; i < table->count; ++i) {
        const AbutField *f = &table->fields[i];
        if (f->sentence[0])
            at += (size_t)snprintf(doc + at, room - at, "%s%s%s%s%s: %s", i ? "\n" : "\n\n", f->name,
                *f->unit ? " (" : "", f->unit, *f->unit ? ")" : "", f->sentence);
    }
    return doc;
}

static int add_record(PyObject *module, Record *record) {
    PyGetSetDef *getset = make_getset(record);
    size_t room = strlen(record->table->name) + sizeof "abut.";
    record->name = PyMem_Malloc(room);
    record->doc = make_doc(record->table);
    if (!getset || !record->name || !record->doc || find_gaps(record) != 0) return PyErr_NoMemory(), -1;
    snprintf(record->name, room, "abut.%s", record->table->name);
    PyType_Slot slots[] = {
        {Py_tp_doc, record->doc},
        {Py_tp_getset, getset},
        {Py_tp_methods, object_methods},
        {Py_tp_repr, record_repr},
        {Py_tp_richcompare, record_compare},
        {Py_tp_hash, record_hash},
        {Py_tp_dealloc, free_object},
        {0, NULL},
    };
    PyType_Spec spec = {record->name, (int)(sizeof(RecordObject) + record->table->size), 0,
        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
    record->type = add_type(module, &spec);
    return record->type ? 0 : -1;
}

int add_records(PyObject *module) {
    for (int i = 0; i < record_count; ++i)
        if (add_record(module, records[i]) != 0) return -1;
    return 0;
}

/* ---- dtypes ------------------------------------------------------------------------------------------------------ */

/* (name, kind, rows, columns, offset, unit, sentence) of each field, and the size. */
static PyObject *record_fields(PyObject *module, PyObject *unused) {
    (void)module, (void)unused;
    static const char *const kinds[] = {"f8", "i4", "i8", "u8", "flag", "word"};
    PyObject *out = PyDict_New();
    for (int k = 0; out && k < record_count; ++k) {
        const Record *record = records[k];
        PyObject *list = PyList_New(0);
        for (int i = 0; list && i < record->table->count; ++i) {
            const AbutField *f = &record->table->fields[i];
            PyObject *row = Py_BuildValue(
                "(ssiinss)", f->name, kinds[f->kind], f->rows, f->columns, (Py_ssize_t)f->offset, f->unit, f->sentence);
            if (!row || PyList_Append(list, row) != 0) Py_CLEAR(list);
            Py_XDECREF(row);
        }
        PyObject *pair = list ? Py_BuildValue("(Nn)", list, (Py_ssize_t)record->table->size) : NULL;
        if (!pair || PyDict_SetItemString(out, record->table->name, pair) != 0) Py_CLEAR(out);
        Py_XDECREF(pair);
    }
    return out;
}

static PyObject *set_dtypes(PyObject *module, PyObject *dtypes) {
    (void)module;
    for (int k = 0; k < record_count; ++k) {
        PyObject *dtype = PyMapping_GetItemString(dtypes, records[k]->table->name);
        if (!dtype) return NULL;
        Py_XDECREF(records[k]->dtype);
        records[k]->dtype = dtype;
    }
    Py_RETURN_NONE;
}

/* Words of the fields that have them: {"Distance": {"outcome": (...)}}. */
static PyObject *field_words(const AbutField *field) {
    PyObject *words = PyList_New(0);
    for (int i = 0; words && field->words[i]; ++i) {
        PyObject *text = PyUnicode_FromString(field->words[i]);
        if (!text || PyList_Append(words, text) != 0) Py_CLEAR(words);
        Py_XDECREF(text);
    }
    PyObject *tuple = words ? PyList_AsTuple(words) : NULL;
    Py_XDECREF(words);
    return tuple;
}

static PyObject *record_words(PyObject *module, PyObject *unused) {
    (void)module, (void)unused;
    PyObject *out = PyDict_New();
    for (int k = 0; out && k < record_count; ++k)
        for (int i = 0; out && i < records[k]->table->count; ++i) {
            const AbutField *field = &records[k]->table->fields[i];
            if (field->kind != ABUT_FIELD_WORD) continue;
            PyObject *words = field_words(field);
            PyObject *key = PyUnicode_FromFormat("%s.%s", records[k]->table->name, field->name);
            if (!words || !key || PyDict_SetItem(out, key, words) != 0) Py_CLEAR(out);
            Py_XDECREF(key);
            Py_XDECREF(words);
        }
    return out;
}

PyMethodDef record_methods[] = {
    FAST("record_from_bytes", record_from_bytes),
    PLAIN("record_fields", record_fields),
    PLAIN("record_words", record_words),
    {"set_dtypes", set_dtypes, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};

/* ---- many questions ---------------------------------------------------------------------------------------------- */

typedef struct Many {
    Ask *ask;
    void *user;
    Py_ssize_t first;
} Many;

static void ask_block(int begin, int end, int worker, void *user) {
    (void)worker;
    const Many *many = user;
    for (int i = begin; i < end; ++i) many->ask(many->first + i, many->user);
}

static double seconds_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* How many questions next, when n took so long: about a tenth of a second's worth, and no thread without one. */
static int next_chunk(int n, double took, int threads) {
    enum { GROWTH = 16, MOST = 1 << 20 };
    double wanted = took > 0.0 ? 0.1 * n / took : (double)GROWTH * n;
    double most = fmin((double)GROWTH * n, MOST);
    return (int)fmax(fmin(wanted, most), threads);
}

int ask_all(Py_ssize_t count, int threads, Ask *ask, void *user) {
    Many many = {ask, user, 0};
    const int workers = abut_thread_count(threads);
    int chunk = workers;
    while (many.first < count) {
        int n = count - many.first < chunk ? (int)(count - many.first) : chunk;
        double took = 0.0;
        Py_BEGIN_ALLOW_THREADS;
        took = seconds_now();
        abut_parallel_for(n, n < 64 ? 1 : n < 4096 ? 4 : 64, threads, ask_block, &many);
        took = seconds_now() - took;
        Py_END_ALLOW_THREADS;
        many.first += n;
        if (PyErr_CheckSignals() != 0) return -1;
        chunk = next_chunk(n, took, workers);
    }
    return 0;
}

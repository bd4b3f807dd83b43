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

static PyObject *small_type_error(const char *name, const char *expected, PyObject *got)
{
    return PyErr_Format(PyExc_TypeError, "%s: expected %s, got %R", name, expected, got);
}

PyObject *record_new(const Record *record, const void *data)
{
    RecordObject *self = PyObject_New(RecordObject, record->type);
    if (!self)
        return NULL;
    self->record = record;
    memcpy(self->data, data, record->size);
    return (PyObject *)self;
}

const void *record_data(const Record *record, PyObject *value, const char *name)
{
    if (!PyObject_TypeCheck(value, record->type))
        return small_type_error(name, record->name, value), NULL;
    return ((RecordObject *)value)->data;
}

int begin_records(const Record *record, Py_ssize_t count, NewArray *out)
{
    int status = begin_array(record->dtype, 1, &count, out);
    out->record = record;
    return status;
}

struct Gap {
    size_t begin, size;
};

void clear_row(const Record *record, char *row)
{
    for (int i = 0; i < record->gap_count; ++i)
        memset(row + record->gaps[i].begin, 0, record->gaps[i].size);
}

void clear_gaps(const NewArray *array)
{
    char *end = (char *)array->data + array->view.len;
    for (char *row = array->data; row < end; row += array->record->size)
        clear_row(array->record, row);
}

PyObject *array_of_records(const Record *record, const void *rows, size_t count)
{
    NewArray out;
    if (begin_records(record, (Py_ssize_t)count, &out) != 0)
        return NULL;
    if (count)
        memcpy(out.data, rows, count * record->size);
    return end_array(&out);
}

/* ---- attributes -------------------------------------------------------------------------------------------------- */

static PyObject *get_flag(int32_t value)
{
    if (value < 0)
        Py_RETURN_NONE;
    return PyBool_FromLong(value);
}

static PyObject *get_number(const Field *field, const char *at)
{
    switch (field->kind) {
    case FIELD_F8:
        return PyFloat_FromDouble(*(const double *)at);
    case FIELD_I4:
        return PyLong_FromLong(*(const int32_t *)at);
    case FIELD_I8:
        return PyLong_FromLongLong(*(const int64_t *)at);
    case FIELD_FLAG:
        return get_flag(*(const int32_t *)at);
    default:
        return PyUnicode_FromString(field->word(*(const int32_t *)at));
    }
}

static const char *format_of(FieldKind kind)
{
    return kind == FIELD_F8 ? "d" : kind == FIELD_I8 ? "q" : "i";
}

/* How many of the rows of an array count. */
static int rows_of(const Field *field, const char *data)
{
    if (!field->length_at)
        return field->rows;
    int32_t length = *(const int32_t *)(data + field->length_at);
    return length < 0 ? 0 : length < field->rows ? length : field->rows;
}

static PyObject *get_field(PyObject *self, void *closure)
{
    const Field *field = closure;
    const char *data = (const char *)((RecordObject *)self)->data;
    if (field->rows == 0)
        return get_number(field, data + field->offset);
    Py_ssize_t shape[2] = {rows_of(field, data), field->columns};
    Py_ssize_t item = field->kind == FIELD_F8 || field->kind == FIELD_I8 ? 8 : 4;
    return view_array(self, data + field->offset, format_of(field->kind), item, field->columns ? 2 : 1, shape);
}

/* ---- as a whole -------------------------------------------------------------------------------------------------- */

static PyObject *as_dict(PyObject *self, PyObject *unused)
{
    (void)unused;
    const Record *record = ((RecordObject *)self)->record;
    PyObject *dict = PyDict_New();
    for (int i = 0; dict && i < record->field_count; ++i) {
        PyObject *value = get_field(self, (void *)(uintptr_t)&record->fields[i]);
        if (!value || PyDict_SetItemString(dict, record->fields[i].name, value) != 0)
            Py_CLEAR(dict);
        Py_XDECREF(value);
    }
    return dict;
}

static PyObject *field_text(PyObject *self, const Field *field)
{
    PyObject *value = get_field(self, (void *)(uintptr_t)field);
    PyObject *list = value && field->rows ? PyObject_CallMethod(value, "tolist", NULL) : Py_XNewRef(value);
    PyObject *text = list ? PyUnicode_FromFormat("%s=%R", field->name, list) : NULL;
    Py_XDECREF(list);
    Py_XDECREF(value);
    return text;
}

static PyObject *record_repr(PyObject *self)
{
    const Record *record = ((RecordObject *)self)->record;
    PyObject *parts = PyList_New(0), *comma = PyUnicode_FromString(", "), *joined = NULL, *out = NULL;
    for (int i = 0; parts && i < record->field_count; ++i) {
        PyObject *text = field_text(self, &record->fields[i]);
        if (!text || PyList_Append(parts, text) != 0)
            Py_CLEAR(parts);
        Py_XDECREF(text);
    }
    if (parts && comma)
        joined = PyUnicode_Join(comma, parts);
    if (joined)
        out = PyUnicode_FromFormat("%s(%U)", strchr(record->name, '.') + 1, joined);
    Py_XDECREF(joined);
    Py_XDECREF(comma);
    Py_XDECREF(parts);
    return out;
}

static int record_index(const Record *record)
{
    int i = 0;
    while (records[i] != record)
        ++i;
    return i;
}

static PyObject *reduce(PyObject *self, PyObject *unused)
{
    (void)unused;
    const RecordObject *object = (RecordObject *)self;
    PyObject *module = PyImport_ImportModule("abut._abut");
    PyObject *maker = module ? PyObject_GetAttrString(module, "record_from_bytes") : NULL;
    Py_XDECREF(module);
    if (!maker)
        return NULL;
    return Py_BuildValue(
        "N(iy#)", maker, record_index(object->record), (const char *)object->data, (Py_ssize_t)object->record->size);
}

static PyObject *record_from_bytes(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    (void)module;
    int index;
    if (expect_count("record_from_bytes", count, 2) != 0 || read_int(args[0], "index", &index) != 0)
        return NULL;
    const char *bytes;
    size_t size;
    if (read_bytes(args[1], "bytes", &bytes, &size) != 0)
        return NULL;
    if (index < 0 || index >= record_count || size != records[index]->size)
        return raise_text(ABUT_ERROR_FORMAT, "this record was pickled by another version of abut");
    return record_new(records[index], bytes);
}

static PyObject *get_self(PyObject *self, PyObject *unused)
{
    (void)unused;
    return Py_NewRef(self);
}

/* The i-th number of a field as bits that are equal for equal numbers: 0 has no sign, and NaN is NaN. */
static uint64_t bits_of(const Field *field, const char *data, int i)
{
    const char *at = data + field->offset;
    if (field->kind == FIELD_I8)
        return (uint64_t)((const int64_t *)at)[i];
    if (field->kind != FIELD_F8)
        return (uint64_t)((const int32_t *)at)[i];
    double x = ((const double *)at)[i];
    uint64_t bits;
    x = isnan(x) ? NAN : x == 0.0 ? 0.0 : x;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static int numbers_of(const Field *field, const char *data)
{
    return field->rows ? rows_of(field, data) * (field->columns ? field->columns : 1) : 1;
}

static int same_field(const Field *field, const char *a, const char *b)
{
    int count = numbers_of(field, a), i = 0;
    if (count != numbers_of(field, b))
        return 0;
    while (i < count && bits_of(field, a, i) == bits_of(field, b, i))
        ++i;
    return i == count;
}

static PyObject *record_compare(PyObject *self, PyObject *other, int operation)
{
    const RecordObject *a = (RecordObject *)self, *b = (RecordObject *)other;
    if (Py_TYPE(self) != Py_TYPE(other) || (operation != Py_EQ && operation != Py_NE))
        Py_RETURN_NOTIMPLEMENTED;
    int same = 1;
    for (int i = 0; same && i < a->record->field_count; ++i)
        same = same_field(&a->record->fields[i], (const char *)a->data, (const char *)b->data);
    return PyBool_FromLong(same == (operation == Py_EQ));
}

static Py_hash_t record_hash(PyObject *self)
{
    const RecordObject *x = (RecordObject *)self;
    uint64_t hash = 14695981039346656037u;
    for (int i = 0; i < x->record->field_count; ++i) {
        const Field *field = &x->record->fields[i];
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
static PyGetSetDef *make_getset(const Record *record)
{
    PyGetSetDef *table = PyMem_Calloc((size_t)record->field_count + 1, sizeof *table);
    for (int i = 0; table && i < record->field_count; ++i) {
        table[i].name = record->fields[i].name;
        table[i].get = get_field;
        table[i].closure = (void *)(uintptr_t)&record->fields[i];
    }
    return table;
}

/* Does a byte of the struct belong to a field? */
static int is_of_field(const Record *record, size_t at)
{
    for (int i = 0; i < record->field_count; ++i) {
        const Field *f = &record->fields[i];
        size_t count = (size_t)(f->rows ? f->rows : 1) * (size_t)(f->columns ? f->columns : 1);
        size_t size = count * (f->kind == FIELD_F8 || f->kind == FIELD_I8 ? 8 : 4);
        if (at >= f->offset && at < f->offset + size)
            return 1;
    }
    return 0;
}

/* Runs of bytes that do not: at most one before each field and one at the end. 0, or -1 without memory. */
static int find_gaps(Record *record)
{
    record->gaps = PyMem_Calloc((size_t)record->field_count + 2, sizeof *record->gaps);
    if (!record->gaps)
        return -1;
    for (size_t at = 0; at < record->size; ++at) {
        struct Gap *last = record->gap_count ? &record->gaps[record->gap_count - 1] : NULL;
        if (is_of_field(record, at))
            continue;
        if (last && last->begin + last->size == at)
            ++last->size;
        else
            record->gaps[record->gap_count++] = (struct Gap){at, 1};
    }
    return 0;
}

static int add_record(PyObject *module, Record *record)
{
    PyGetSetDef *getset = make_getset(record);
    if (!getset || find_gaps(record) != 0)
        return PyErr_NoMemory(), -1;
    PyType_Slot slots[] = {
        {Py_tp_doc, (void *)(uintptr_t)record->doc},
        {Py_tp_getset, getset},
        {Py_tp_methods, object_methods},
        {Py_tp_repr, record_repr},
        {Py_tp_richcompare, record_compare},
        {Py_tp_hash, record_hash},
        {Py_tp_dealloc, free_object},
        {0, NULL},
    };
    PyType_Spec spec = {record->name, (int)(sizeof(RecordObject) + record->size), 0,
        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
    record->type = add_type(module, &spec);
    return record->type ? 0 : -1;
}

int add_records(PyObject *module)
{
    for (int i = 0; i < record_count; ++i)
        if (add_record(module, records[i]) != 0)
            return -1;
    return 0;
}

/* ---- dtypes ------------------------------------------------------------------------------------------------------ */

/* (name, kind, rows, columns, offset) of each field, and the size: what a dtype is made of. */
static PyObject *record_fields(PyObject *module, PyObject *unused)
{
    (void)module, (void)unused;
    static const char *const kinds[] = {"f8", "i4", "i8", "i4", "i4"};
    PyObject *out = PyDict_New();
    for (int k = 0; out && k < record_count; ++k) {
        const Record *record = records[k];
        PyObject *list = PyList_New(0);
        for (int i = 0; list && i < record->field_count; ++i) {
            const Field *f = &record->fields[i];
            PyObject *row =
                Py_BuildValue("(ssiin)", f->name, kinds[f->kind], f->rows, f->columns, (Py_ssize_t)f->offset);
            if (!row || PyList_Append(list, row) != 0)
                Py_CLEAR(list);
            Py_XDECREF(row);
        }
        PyObject *pair = list ? Py_BuildValue("(Nn)", list, (Py_ssize_t)record->size) : NULL;
        if (!pair || PyDict_SetItemString(out, strchr(record->name, '.') + 1, pair) != 0)
            Py_CLEAR(out);
        Py_XDECREF(pair);
    }
    return out;
}

static PyObject *set_dtypes(PyObject *module, PyObject *dtypes)
{
    (void)module;
    for (int k = 0; k < record_count; ++k) {
        PyObject *dtype = PyMapping_GetItemString(dtypes, strchr(records[k]->name, '.') + 1);
        if (!dtype)
            return NULL;
        Py_XDECREF(records[k]->dtype);
        records[k]->dtype = dtype;
    }
    Py_RETURN_NONE;
}

/* Words of the fields that have them: {"Distance": {"outcome": (...)}}. */
static PyObject *field_words(const Field *field)
{
    PyObject *words = PyList_New(0);
    for (int i = 0; words; ++i) {
        const char *word = field->word(i);
        if (!word || strcmp(word, "unknown") == 0)
            break;
        PyObject *text = PyUnicode_FromString(word);
        if (!text || PyList_Append(words, text) != 0)
            Py_CLEAR(words);
        Py_XDECREF(text);
    }
    PyObject *tuple = words ? PyList_AsTuple(words) : NULL;
    Py_XDECREF(words);
    return tuple;
}

static PyObject *record_words(PyObject *module, PyObject *unused)
{
    (void)module, (void)unused;
    PyObject *out = PyDict_New();
    for (int k = 0; out && k < record_count; ++k)
        for (int i = 0; out && i < records[k]->field_count; ++i) {
            const Field *field = &records[k]->fields[i];
            if (field->kind != FIELD_WORD)
                continue;
            PyObject *words = field_words(field);
            PyObject *key = PyUnicode_FromFormat("%s.%s", strchr(records[k]->name, '.') + 1, field->name);
            if (!words || !key || PyDict_SetItem(out, key, words) != 0)
                Py_CLEAR(out);
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

static void ask_block(int begin, int end, int worker, void *user)
{
    (void)worker;
    const Many *many = user;
    for (int i = begin; i < end; ++i)
        many->ask(many->first + i, many->user);
}

static double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* How many questions next, when n took so long: about a tenth of a second's worth, and no thread without one. */
static int next_chunk(int n, double took, int threads)
{
    enum { GROWTH = 16, MOST = 1 << 20 };
    double wanted = took > 0.0 ? 0.1 * n / took : (double)GROWTH * n;
    double most = fmin((double)GROWTH * n, MOST);
    return (int)fmax(fmin(wanted, most), threads);
}

int ask_all(Py_ssize_t count, int threads, Ask *ask, void *user)
{
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
        if (PyErr_CheckSignals() != 0)
            return -1;
        chunk = next_chunk(n, took, workers);
    }
    return 0;
}

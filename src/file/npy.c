/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Headers of NumPy arrays: "\x93NUMPY", version, length, then a Python dictionary with the keys descr, fortran_order
 * and shape, filled up with spaces to a multiple of 64 bytes. The reader takes versions 1 and 2, keys in any order,
 * rows last index fastest, and the types of AbutArrayType in the byte order of this machine.
 */
#include "file/npz.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    size_t bytes;
} types[] = {{"f8", 8}, {"f4", 4}, {"i4", 4}, {"i8", 8}, {"u1", 1}};

enum { TYPES = sizeof types / sizeof types[0], ALIGN = 64 };

size_t abut_array_bytes_each(AbutArrayType type) { return types[type].bytes; }

int64_t abut_array_count(const AbutArray *array) {
    ABUT_ASSERT(array);
    int64_t count = 1;
    for (int32_t i = 0; i < array->dimensions; ++i) count *= array->shape[i];
    return count;
}

AbutStatus abut_array_bytes(const AbutArray *array, size_t *out) {
    uint64_t bytes = types[array->type].bytes;
    int empty = 0;
    *out = 0;
    for (int32_t i = 0; i < array->dimensions; ++i) {
        int64_t n = array->shape[i];
        if (n < 0 || n > ABUT_NPZ_BYTES) return ABUT_ERROR_LIMIT;
        empty |= n == 0;
        bytes *= n ? (uint64_t)n : 1;
        if (bytes > ABUT_NPZ_BYTES) return ABUT_ERROR_LIMIT;
    }
    *out = empty ? 0 : (size_t)bytes;
    return ABUT_OK;
}

size_t abut_npy_write_header(const AbutArray *array, char header[ABUT_NPY_HEADER]) {
    char order = types[array->type].bytes == 1 ? '|' : ABUT_NPY_ORDER;
    memset(header, ' ', ABUT_NPY_HEADER);
    int n = 10 + snprintf(header + 10, ABUT_NPY_HEADER - 10, "{'descr': '%c%s', 'fortran_order': False, 'shape': (",
                     order, types[array->type].name);
    for (int32_t i = 0; i < array->dimensions; ++i)
        n += snprintf(header + n, (size_t)(ABUT_NPY_HEADER - n), i ? ", %lld" : "%lld", (long long)array->shape[i]);
    n += snprintf(header + n, (size_t)(ABUT_NPY_HEADER - n), array->dimensions == 1 ? ",), }" : "), }");
    header[n] = ' ';
    size_t length = ((size_t)n + 1 + ALIGN - 1) / ALIGN * ALIGN;
    header[length - 1] = '\n';
    memcpy(header, "\x93NUMPY\x01", 8);
    header[8] = (char)((length - 10) & 255);
    header[9] = (char)((length - 10) >> 8);
    return length;
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

typedef struct Header {
    const AbutText *text;
    const char *entry; /* name of the array in messages */
    const char *at, *end;
    AbutArray *array;
} Header;

static AbutStatus fail(const Header *h, AbutStatus status, const char *what) {
    return abut_name_fail(h->text, status, "array '%.60s': %s", h->entry, what);
}

static void skip_space(Header *h) {
    while (h->at < h->end && (*h->at == ' ' || *h->at == '\n')) ++h->at;
}

static int take(Header *h, const char *word) {
    size_t n = strlen(word);
    skip_space(h);
    if ((size_t)(h->end - h->at) < n || memcmp(h->at, word, n) != 0) return 0;
    h->at += n;
    return 1;
}

static AbutStatus read_type(Header *h) {
    for (int i = 0; i < TYPES; ++i) {
        char word[8];
        snprintf(word, sizeof word, "'%c%s'", types[i].bytes == 1 ? '|' : ABUT_NPY_ORDER, types[i].name);
        if (take(h, word)) {
            h->array->type = (AbutArrayType)i;
            return ABUT_OK;
        }
    }
    return fail(h, ABUT_ERROR_UNSUPPORTED, "expected type f8, f4, i4, i8 or u1 in the byte order of this machine");
}

static AbutStatus read_shape(Header *h) {
    AbutArray *array = h->array;
    if (!take(h, "(")) return fail(h, ABUT_ERROR_FORMAT, "expected a shape in brackets");
    for (array->dimensions = 0; !take(h, ")"); ++array->dimensions) {
        int64_t n = 0;
        int digits = 0;
        if (array->dimensions == ABUT_ARRAY_DIMENSIONS)
            return fail(h, ABUT_ERROR_UNSUPPORTED, "expected at most 4 dimensions");
        skip_space(h);
        for (; h->at < h->end && *h->at >= '0' && *h->at <= '9' && digits < 15; ++digits) n = 10 * n + (*h->at++ - '0');
        if (!digits || digits == 15) return fail(h, ABUT_ERROR_FORMAT, "expected a length in its shape");
        array->shape[array->dimensions] = n;
        if (!take(h, ",")) {
            ++array->dimensions;
            return take(h, ")") && array->dimensions > 1
                       ? ABUT_OK
                       : fail(h, ABUT_ERROR_FORMAT, "expected a comma or bracket in its shape");
        }
    }
    return ABUT_OK;
}

static AbutStatus read_dictionary(Header *h) {
    int seen = 0;
    if (!take(h, "{")) return fail(h, ABUT_ERROR_FORMAT, "expected a dictionary in its header");
    while (!take(h, "}")) {
        int key = take(h, "'descr'") ? 1 : take(h, "'fortran_order'") ? 2 : take(h, "'shape'") ? 4 : 0;
        if (!key || (seen & key) || !take(h, ":"))
            return fail(h, ABUT_ERROR_FORMAT, "expected descr, fortran_order and shape once each in its header");
        seen |= key;
        AbutStatus status = ABUT_OK;
        if (key == 2 && !take(h, "False"))
            status = fail(h, ABUT_ERROR_UNSUPPORTED, "expected fortran_order False");
        else if (key != 2)
            status = key == 1 ? read_type(h) : read_shape(h);
        if (status) return status;
        if (!take(h, ",") && !(h->at < h->end && *h->at == '}'))
            return fail(h, ABUT_ERROR_FORMAT, "expected a comma in its header");
    }
    skip_space(h);
    if (seen != 7 || h->at != h->end)
        return fail(h, ABUT_ERROR_FORMAT, "descr, fortran_order and shape, and nothing else, expected in its header");
    return ABUT_OK;
}

AbutStatus abut_npy_read_header(
    const AbutText *text, const char *entry, const unsigned char *bytes, size_t count, AbutArray *array, size_t *used) {
    Header h = {text, entry, NULL, NULL, array};
    if (count < 12 || memcmp(bytes, "\x93NUMPY", 6) != 0 || (bytes[6] != 1 && bytes[6] != 2) || bytes[7] != 0)
        return fail(&h, ABUT_ERROR_FORMAT, "expected a NumPy header of version 1 or 2");
    size_t front = bytes[6] == 1 ? 10 : 12, length = bytes[8] + 256u * bytes[9];
    if (front == 12) length += ((size_t)bytes[10] << 16) + ((size_t)bytes[11] << 24);
    if (length > count - front) return fail(&h, ABUT_ERROR_FORMAT, "the header ends behind the data");
    h.at = (const char *)bytes + front;
    h.end = h.at + length;
    *used = front + length;
    return read_dictionary(&h);
}

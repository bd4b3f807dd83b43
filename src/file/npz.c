/* SPDX-License-Identifier: Apache-2.0 */
/*
 * NumPy archives: a zip file with one entry NAME.npy per array. Written beside its place and renamed; read with every
 * size checked before memory is taken.
 */
#include "file/npz.h"

#include <stdio.h>
#include <string.h>

#include "abut/file.h"
#include "file/npz_zip.h"

static AbutStatus check_array(const char *path, const AbutArray *array, AbutError *error) {
    size_t bytes, n = 0;
    while (n < ABUT_ARRAY_NAME && array->name[n] > ' ' && array->name[n] < 127 && array->name[n] != '/') ++n;
    if (n == 0 || n == ABUT_ARRAY_NAME || array->name[n] != 0)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "%.300s: expected names of plain letters for arrays", path);
    if (array->dimensions < 0 || array->dimensions > ABUT_ARRAY_DIMENSIONS || (unsigned)array->type > ABUT_ARRAY_U1)
        return abut_fail(
            error, ABUT_ERROR_ARGUMENT, "%.300s: array '%s': expected type and dimensions", path, array->name);
    if (abut_array_bytes(array, &bytes) != ABUT_OK)
        return abut_fail(error, ABUT_ERROR_LIMIT, "%.300s: array '%s' is too large", path, array->name);
    if (bytes && !array->data)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "%.300s: array '%s' has no data", path, array->name);
    return ABUT_OK;
}

static AbutStatus add_array(AbutZipWriter *zip, const AbutArray *array) {
    char header[ABUT_NPY_HEADER], name[ABUT_ARRAY_NAME + 8];
    size_t bytes;
    ABUT_TRY(check_array(zip->path, array, zip->error));
    abut_array_bytes(array, &bytes);
    snprintf(name, sizeof name, "%s.npy", array->name);
    return abut_zip_add(zip, name, header, abut_npy_write_header(array, header), array->data, bytes);
}

AbutStatus abut_npz_write(const char *path, const AbutArray *arrays, int count, AbutError *error) {
    ABUT_ASSERT(arrays || count <= 0);
    if (!path || !*path || count < 0 || count > ABUT_NPZ_ARRAYS)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "expected a path and at most %d arrays", ABUT_NPZ_ARRAYS);
    for (int i = 0; i < count; ++i)
        for (int j = 0; j < i; ++j)
            if (strncmp(arrays[i].name, arrays[j].name, ABUT_ARRAY_NAME) == 0)
                return abut_fail(error, ABUT_ERROR_ARGUMENT, "%.300s: two arrays of one name", path);
    AbutFileOut out;
    ABUT_TRY(abut_file_out_open(&out, path, error));
    AbutZipWriter zip = {.file = out.file, .path = path, .error = error};
    AbutStatus status = ABUT_OK;
    for (int i = 0; i < count && !status; ++i) status = add_array(&zip, &arrays[i]);
    if (!status) status = abut_zip_end(&zip);
    abut_zip_free(&zip);
    if (status) {
        abut_file_out_cancel(&out);
        return status;
    }
    return abut_file_out_commit(&out, error);
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

static AbutStatus set_name(
    const AbutText *text, const AbutZipEntry *entry, const AbutArchive *archive, AbutArray *array) {
    size_t n = entry->name_length;
    if (n < 5 || n - 4 >= ABUT_ARRAY_NAME || memcmp(entry->name + n - 4, ".npy", 4) != 0)
        return abut_name_fail(text, ABUT_ERROR_FORMAT, "expected entries NAME.npy with short names");
    memcpy(array->name, entry->name, n - 4);
    array->name[n - 4] = 0;
    for (size_t i = 0; i < n - 4; ++i)
        if (array->name[i] <= ' ' || array->name[i] >= 127 || array->name[i] == '/')
            return abut_name_fail(text, ABUT_ERROR_FORMAT, "expected names of plain letters for arrays");
    if (abut_npz_find(archive, array->name))
        return abut_name_fail(text, ABUT_ERROR_FORMAT, "array '%s' stands there twice", array->name);
    return ABUT_OK;
}

/* Unpacks the entry and moves its data to the front, one zero byte behind it. */
static AbutStatus read_array(const AbutText *text, const AbutZipEntry *entry, AbutArray *array) {
    unsigned char *bytes = abut_alloc(entry->size + 1);
    if (!bytes) return abut_fail_memory(text->error);
    size_t used = 0, size = 0;
    AbutStatus status = abut_zip_unpack(text, entry, bytes);
    if (!status) status = abut_npy_read_header(text, array->name, bytes, entry->size, array, &used);
    if (!status && (abut_array_bytes(array, &size) != ABUT_OK || size != entry->size - used))
        status = abut_name_fail(text, ABUT_ERROR_FORMAT,
            "array '%s': its shape asks for other than the %zu bytes there", array->name, entry->size - used);
    if (status) {
        abut_free(bytes);
        return status;
    }
    memmove(bytes, bytes + used, size);
    bytes[size] = 0;
    array->data = bytes;
    return ABUT_OK;
}

static AbutStatus read_arrays(const AbutText *text, const AbutZipEntry *entries, int count, AbutArchive *out) {
    uint64_t total = 0;
    for (int i = 0; i < count; ++i) total += entries[i].size;
    if (total > ABUT_NPZ_BYTES)
        return abut_name_fail(
            text, ABUT_ERROR_LIMIT, "expected at most %lld bytes of arrays", (long long)ABUT_NPZ_BYTES);
    out->arrays = abut_alloc_array((size_t)count, sizeof *out->arrays);
    if (!out->arrays) return abut_fail_memory(text->error);
    for (int i = 0; i < count; ++i) {
        AbutArray array = {.data = NULL};
        ABUT_TRY(set_name(text, &entries[i], out, &array));
        ABUT_TRY(read_array(text, &entries[i], &array));
        out->arrays[out->count++] = array;
    }
    return ABUT_OK;
}

AbutStatus abut_npz_parse(const void *bytes, size_t count, const char *name, AbutArchive *out, AbutError *error) {
    ABUT_ASSERT(out && (bytes || count == 0));
    *out = (AbutArchive){0, NULL};
    AbutText text = {name ? name : "archive", bytes, bytes, bytes, error};
    if (count == 0 || !bytes) return abut_name_fail(&text, ABUT_ERROR_FORMAT, "expected NumPy archive, got 0 bytes");
    text.end = text.begin + count;
    AbutZipEntry *entries = abut_alloc_array(ABUT_NPZ_ARRAYS, sizeof *entries);
    int found = 0;
    AbutStatus status = entries ? abut_zip_read(&text, entries, ABUT_NPZ_ARRAYS, &found) : abut_fail_memory(text.error);
    if (!status) status = read_arrays(&text, entries, found, out);
    abut_free(entries);
    if (status) abut_npz_free(out);
    return status;
}

void abut_npz_free(AbutArchive *archive) {
    ABUT_ASSERT(archive);
    for (int32_t i = 0; i < archive->count; ++i) abut_free((void *)(uintptr_t)archive->arrays[i].data);
    abut_free(archive->arrays);
    *archive = (AbutArchive){0, NULL};
}

const AbutArray *abut_npz_find(const AbutArchive *archive, const char *name) {
    ABUT_ASSERT(archive && name);
    for (int32_t i = 0; i < archive->count; ++i)
        if (strcmp(archive->arrays[i].name, name) == 0) return &archive->arrays[i];
    return NULL;
}

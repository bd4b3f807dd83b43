/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Points from files: vertices of a PLY, a NumPy array of shape (n, 3), or a file of the Point Cloud Library
 * (points_pcd.c), told apart by content.
 */
#include "file/points.h"

#include "file/input.h"
#include "file/mesh_formats.h"
#include "file/npz.h"

AbutStatus abut_points_make(
    const AbutText *text, const char *where, int64_t count, int64_t left, int64_t each, AbutPoints *out) {
    if (count < 1 || count > ABUT_MESH_LIMIT)
        return abut_byte_fail(
            text, where, ABUT_ERROR_LIMIT, "expected 1 to %d points, got %lld", ABUT_MESH_LIMIT, (long long)count);
    if (count > left / each)
        return abut_byte_fail(text, where, ABUT_ERROR_FORMAT,
            "expected %lld points of at least %lld bytes, got %lld bytes", (long long)count, (long long)each,
            (long long)left);
    out->at = abut_alloc_array((size_t)count, sizeof *out->at);
    out->count = count;
    return out->at ? ABUT_OK : abut_fail_memory(text->error);
}

AbutStatus abut_points_set(const AbutText *text, const char *where, AbutVec3 *point, int axis, double value) {
    if (!isfinite(value))
        return abut_byte_fail(text, where, ABUT_ERROR_NUMBER, "expected finite %c coordinate, got %s", 'x' + axis,
            isnan(value) ? "nan" : "infinity");
    *(axis == 0 ? &point->x : axis == 1 ? &point->y : &point->z) = value;
    return ABUT_OK;
}

/* ---- PLY: vertices of a mesh ------------------------------------------------------------------------------------- */

static AbutStatus read_ply(AbutText *text, AbutPoints *out) {
    AbutMeshBuilder builder = abut_mesh_builder();
    AbutStatus status = abut_mesh_ply_points(text, &builder);
    if (!status && builder.vertex_count == 0)
        status = abut_name_fail(text, ABUT_ERROR_EMPTY, "expected element vertex with points, got none");
    if (!status) {
        *out = (AbutPoints){(int64_t)builder.vertex_count, builder.vertices};
        builder.vertices = NULL;
    }
    abut_mesh_builder_free(&builder);
    return status;
}

/* ---- NumPy ------------------------------------------------------------------------------------------------------- */

static int is_npy(const AbutText *text) {
    return text->end - text->begin >= 6 && memcmp(text->begin, "\x93NUMPY", 6) == 0;
}

static AbutStatus read_npy(const AbutText *text, AbutPoints *out) {
    AbutArray array = {.dimensions = 0};
    size_t head, size = (size_t)(text->end - text->begin);
    ABUT_TRY(abut_npy_read_header(text, "points", (const unsigned char *)text->begin, size, &array, &head));
    if (array.dimensions != 2 || array.shape[1] != 3 || array.type > ABUT_ARRAY_F4)
        return abut_name_fail(text, ABUT_ERROR_FORMAT,
            "expected an array of shape (n, 3) of type f8 or f4, got %d dimensions with %lld columns",
            (int)array.dimensions, (long long)(array.dimensions > 1 ? array.shape[1] : 0));
    int64_t each = (int64_t)abut_array_bytes_each(array.type), left = (int64_t)(size - head);
    const char *p = text->begin + head;
    ABUT_TRY(abut_points_make(text, p, array.shape[0], left, 3 * each, out));
    if (left != 3 * each * out->count)
        return abut_byte_fail(text, p + 3 * each * out->count, ABUT_ERROR_FORMAT,
            "expected end of file, got %lld more bytes", (long long)(left - 3 * each * out->count));
    for (int64_t i = 0; i < 3 * out->count; ++i, p += each) {
        double value;
        float single;
        memcpy(each == 8 ? (void *)&value : (void *)&single, p, (size_t)each);
        ABUT_TRY(abut_points_set(text, p, &out->at[i / 3], (int)(i % 3), each == 8 ? value : (double)single));
    }
    return ABUT_OK;
}

/* ---- entry ------------------------------------------------------------------------------------------------------- */

AbutStatus abut_points_read(
    const char *name, const void *bytes, size_t count, int64_t *point_count, AbutVec3 **out, AbutError *error) {
    ABUT_ASSERT(name && point_count && out);
    AbutPoints points = {0, NULL};
    char *own;
    *out = NULL;
    *point_count = 0;
    ABUT_TRY(abut_file_take(name, "points", SIZE_MAX, &bytes, &count, &own, error));
    const char *begin = count ? bytes : "";
    AbutText text = {name, begin, begin, begin + count, error};
    AbutStatus status;
    if (is_npy(&text))
        status = read_npy(&text, &points);
    else if (abut_points_is_pcd(&text))
        status = abut_points_pcd(&text, &points);
    else if (count && abut_mesh_ply.sniff(&text))
        status = read_ply(&text, &points);
    else
        status = abut_name_fail(&text, ABUT_ERROR_FORMAT, "expected points as PLY, PCD or a NumPy array, got %s",
            count ? "something else" : "0 bytes");
    abut_free(own);
    if (status)
        abut_free(points.at);
    else
        *out = points.at, *point_count = points.count;
    return status;
}

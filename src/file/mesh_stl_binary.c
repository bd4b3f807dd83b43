/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Binary STL: 80 bytes of header, a little-endian count n, n records of 50 bytes; the file is exactly 84 + 50 n bytes.
 * Normals are skipped (the winding counts); equal vertices are joined. Coordinates are floats.
 */
#include "file/mesh_formats.h"

#include <float.h>
#include <string.h>

enum { HEADER = 84, RECORD = 50 };

/* ---- in ---------------------------------------------------------------------------------------------------------- */

/* Surest when the size agrees with the count, whatever the header says. */
static int sniff_stl_binary(const AbutText *text) {
    size_t size = (size_t)(text->end - text->begin);
    if (size >= HEADER && HEADER + UINT64_C(50) * abut_load_u32(text->begin + 80) == size) return ABUT_SNIFF_SIZE;
    return abut_mesh_has_ending(text->name, ".stl") && abut_mesh_looks_binary(text) ? ABUT_SNIFF_NAME : 0;
}

/* Three vertices of a record; false when a coordinate is not finite. */
static inline int load_corners(const char *record, AbutVec3 corners[3]) {
    int finite = 1;
    for (int k = 0; k < 3; ++k) {
        const char *p = record + 12 + 12 * k;
        finite &= abut_load_float(p, &corners[k].x) & abut_load_float(p + 4, &corners[k].y) &
                  abut_load_float(p + 8, &corners[k].z);
    }
    return finite;
}

static AbutStatus fail_on_record(const AbutText *text, uint32_t triangle) {
    const char *p = text->begin + HEADER + (size_t)triangle * RECORD + 12;
    double value;
    while (abut_load_float(p, &value)) p += 4;
    return abut_byte_fail(text, p, ABUT_ERROR_NUMBER, "expected finite coordinate of triangle %u, got %s", triangle,
        value != value ? "nan" : "infinity");
}

static AbutStatus check_size(const AbutText *text, uint32_t *count) {
    size_t size = (size_t)(text->end - text->begin);
    if (size < HEADER)
        return abut_byte_fail(
            text, text->end, ABUT_ERROR_FORMAT, "expected binary STL header of 84 bytes, got end of file");
    uint32_t n = abut_load_u32(text->begin + 80);
    unsigned long long need = HEADER + (unsigned long long)RECORD * n;
    if (need != size)
        return abut_byte_fail(text, text->begin + 80, ABUT_ERROR_FORMAT,
            "expected a file of %llu bytes for %u triangles, got %zu bytes", need, n, size);
    if (n == 0) return abut_name_fail(text, ABUT_ERROR_EMPTY, "no triangles");
    if (n > ABUT_MESH_LIMIT)
        return abut_byte_fail(
            text, text->begin + 80, ABUT_ERROR_LIMIT, "expected at most %d triangles, got %u", ABUT_MESH_LIMIT, n);
    *count = n;
    return ABUT_OK;
}

static AbutStatus read_stl_binary(AbutText *text, AbutMeshBuilder *builder) {
    uint32_t count = 0;
    ABUT_TRY(check_size(text, &count));
    if (!abut_grow((void **)&builder->vertices, &builder->vertex_capacity, 3 * (size_t)count, sizeof(AbutVec3)) ||
        !abut_grow((void **)&builder->triangles, &builder->triangle_capacity, count, sizeof(AbutTriangle)))
        return abut_fail_memory(text->error);
    const char *record = text->begin + HEADER;
    for (uint32_t i = 0; i < count; ++i, record += RECORD) {
        int32_t first = (int32_t)(3 * i);
        builder->triangles[i] = (AbutTriangle){{first, first + 1, first + 2}};
        if (ABUT_UNLIKELY(!load_corners(record, builder->vertices + first))) return fail_on_record(text, i);
    }
    builder->vertex_count = 3 * (size_t)count, builder->triangle_count = count;
    return ABUT_OK;
}

/* ---- out --------------------------------------------------------------------------------------------------------- */

static void store_u32(unsigned char *bytes, uint32_t value) {
    for (int i = 0; i < 4; ++i) bytes[i] = (unsigned char)(value >> (8 * i));
}

static void store_vec3(unsigned char *bytes, AbutVec3 v) {
    float single[3] = {(float)v.x, (float)v.y, (float)v.z};
    for (int i = 0; i < 3; ++i) {
        uint32_t bits;
        memcpy(&bits, &single[i], sizeof bits);
        store_u32(bytes + 4 * i, bits);
    }
}

static int write_stl_binary(FILE *file, const AbutMesh *mesh) {
    unsigned char header[HEADER] = "binary STL written by abut", record[RECORD] = {0};
    store_u32(header + 80, (uint32_t)mesh->triangle_count);
    int good = fwrite(header, 1, sizeof header, file) == sizeof header;
    for (int i = 0; i < mesh->triangle_count && good; ++i) {
        const int32_t *v = mesh->triangles[i].v;
        AbutVec3 a = mesh->vertices[v[0]], b = mesh->vertices[v[1]], c = mesh->vertices[v[2]];
        store_vec3(record, abut_mesh_normal(a, b, c));
        store_vec3(record + 12, a);
        store_vec3(record + 24, b);
        store_vec3(record + 36, c);
        good = fwrite(record, 1, sizeof record, file) == sizeof record;
    }
    return good;
}

const AbutMeshFormat abut_mesh_stl_binary = {
    "stl-binary", ".stl", FLT_MAX, sniff_stl_binary, 1, read_stl_binary, write_stl_binary};

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * STL, ascii and binary. Normals are passed over (the winding counts); equal vertices are joined.
 *
 * Ascii: words in any case, any number of solids, facets with or without a normal. Binary: 80 bytes of header, a
 * little-endian count n, n records of 50 bytes; the file must be exactly 84 + 50 n bytes.
 */
#include "file/mesh_formats.h"

#include <string.h>

enum { HEADER = 84, RECORD = 50 };

/* ---- binary ------------------------------------------------------------------------------------------------------ */

/* A little-endian float at `bytes` as double; the return value is false for NaN and infinity. */
static inline int load_float(const char *bytes, double *out)
{
    uint32_t bits = abut_load_u32(bytes);
    float value;
    memcpy(&value, &bits, sizeof value);
    *out = value;
    return (bits & 0x7f800000u) != 0x7f800000u;
}

/* Three vertices of a record; false when a coordinate is not finite. */
static inline int load_corners(const char *record, AbutVec3 corners[3])
{
    int finite = 1;
    for (int k = 0; k < 3; ++k) {
        const char *p = record + 12 + 12 * k;
        finite &= load_float(p, &corners[k].x) & load_float(p + 4, &corners[k].y) & load_float(p + 8, &corners[k].z);
    }
    return finite;
}

static AbutStatus fail_on_record(const AbutText *text, uint32_t triangle)
{
    const char *p = text->begin + HEADER + (size_t)triangle * RECORD + 12;
    double value;
    while (load_float(p, &value))
        p += 4;
    return abut_byte_fail(text, p, ABUT_ERROR_NUMBER, "coordinate of triangle %u must be finite, found %s", triangle,
        value != value ? "nan" : "infinity");
}

static AbutStatus check_size(const AbutText *text, uint32_t *count)
{
    size_t size = (size_t)(text->end - text->begin);
    if (size < HEADER)
        return abut_byte_fail(
            text, text->end, ABUT_ERROR_FORMAT, "binary STL header of 84 bytes expected, found end of file");
    uint32_t n = abut_load_u32(text->begin + 80);
    unsigned long long need = HEADER + (unsigned long long)RECORD * n;
    if (need != size)
        return abut_byte_fail(text, text->begin + 80, ABUT_ERROR_FORMAT,
            "count of %u triangles needs a file of %llu bytes, found %zu bytes", n, need, size);
    if (n == 0)
        return abut_name_fail(text, ABUT_ERROR_EMPTY, "no triangles");
    if (n > ABUT_MESH_LIMIT)
        return abut_byte_fail(
            text, text->begin + 80, ABUT_ERROR_LIMIT, "at most %d triangles expected, found %u", ABUT_MESH_LIMIT, n);
    *count = n;
    return ABUT_OK;
}

AbutStatus abut_read_stl_binary(AbutText *text, AbutMesh *out, AbutMeshFileInfo *info)
{
    (void)info;
    uint32_t count = 0;
    AbutStatus status = check_size(text, &count);
    if (status == ABUT_OK)
        status = abut_mesh_create((int)(3 * count), (int)count, out, text->error);
    if (status)
        return status;
    const char *record = text->begin + HEADER;
    for (uint32_t i = 0; i < count; ++i, record += RECORD) {
        int32_t first = (int32_t)(3 * i);
        out->triangles[i] = (AbutTriangle){{first, first + 1, first + 2}};
        if (ABUT_UNLIKELY(!load_corners(record, out->vertices + first))) {
            abut_mesh_free(out);
            return fail_on_record(text, i);
        }
    }
    status = abut_mesh_weld(out, text->error);
    if (status)
        abut_mesh_free(out);
    return status;
}

/* ---- ascii ------------------------------------------------------------------------------------------------------- */

static AbutStatus fail_expected(AbutText *text, const char *expected)
{
    AbutFound found = abut_text_found(text, text->at);
    return abut_text_fail(text, text->at, ABUT_ERROR_FORMAT, "%s expected, found %s", expected, found.text);
}

/* Moves behind `word` when it comes next. */
static int take_word(AbutText *text, const char *word)
{
    abut_text_skip_space(text);
    if (!abut_text_is_word(text, word))
        return 0;
    text->at += strlen(word);
    return 1;
}

static AbutStatus need_word(AbutText *text, const char *word)
{
    return take_word(text, word) ? ABUT_OK : fail_expected(text, word);
}

static void skip_word(AbutText *text)
{
    abut_text_skip_space(text);
    while (text->at < text->end && !abut_is_space(*text->at))
        ++text->at;
}

static void skip_line(AbutText *text)
{
    while (text->at < text->end && *text->at != '\n' && *text->at != '\r')
        ++text->at;
}

static AbutStatus read_vertex(AbutText *text, AbutMeshBuilder *builder)
{
    double x[3] = {0.0, 0.0, 0.0};
    AbutStatus status = need_word(text, "vertex");
    for (int i = 0; i < 3 && status == ABUT_OK; ++i) {
        static const char *const names[3] = {"x coordinate", "y coordinate", "z coordinate"};
        abut_text_skip_space(text);
        status = abut_text_number(text, names[i], &x[i]);
    }
    if (status)
        return status;
    status = abut_mesh_builder_vertex(builder, abut_vec3(x[0], x[1], x[2]));
    return status ? abut_mesh_builder_fail(text, text->at, status, 0) : ABUT_OK;
}

/* From behind "facet" to behind "endfacet". */
static AbutStatus read_facet(AbutText *text, AbutMeshBuilder *builder)
{
    if (take_word(text, "normal"))
        for (int i = 0; i < 3; ++i) {
            abut_text_skip_space(text);
            if (abut_text_is_word(text, "outer"))
                break;
            skip_word(text);
        }
    AbutStatus status = need_word(text, "outer");
    if (status == ABUT_OK)
        status = need_word(text, "loop");
    int32_t first = (int32_t)builder->vertex_count;
    for (int i = 0; i < 3 && status == ABUT_OK; ++i)
        status = read_vertex(text, builder);
    if (status == ABUT_OK)
        status = need_word(text, "endloop");
    if (status == ABUT_OK)
        status = need_word(text, "endfacet");
    if (status)
        return status;
    status = abut_mesh_builder_reserve_triangles(builder, 1);
    if (status)
        return abut_mesh_builder_fail(text, text->at, status, 0);
    builder->triangles[builder->triangle_count++] = (AbutTriangle){{first, first + 1, first + 2}};
    return ABUT_OK;
}

/* From behind "solid" to behind "endsolid NAME". */
static AbutStatus read_solid(AbutText *text, AbutMeshBuilder *builder)
{
    skip_line(text);
    while (take_word(text, "facet")) {
        AbutStatus status = read_facet(text, builder);
        if (status)
            return status;
    }
    if (!take_word(text, "endsolid"))
        return fail_expected(text, "facet or endsolid");
    skip_line(text);
    return ABUT_OK;
}

AbutStatus abut_read_stl_ascii(AbutText *text, AbutMesh *out, AbutMeshFileInfo *info)
{
    (void)info;
    AbutMeshBuilder builder = abut_mesh_builder();
    AbutStatus status = ABUT_OK;
    for (abut_text_skip_space(text); status == ABUT_OK && text->at < text->end; abut_text_skip_space(text)) {
        status = need_word(text, "solid");
        if (status == ABUT_OK)
            status = read_solid(text, &builder);
    }
    if (status == ABUT_OK)
        status = abut_mesh_builder_finish(&builder, text, out);
    abut_mesh_builder_free(&builder);
    if (status == ABUT_OK && (status = abut_mesh_weld(out, text->error)) != ABUT_OK)
        abut_mesh_free(out);
    return status;
}

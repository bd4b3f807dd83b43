/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TRI, the text of the PolyDepth release: the word TRI, the number of vertices, the number of triangles, three
 * coordinates for each vertex, three vertices counted from 0 for each triangle. Words stand apart by any white space.
 */
#include "file/mesh_formats.h"
#include "base/number.h"

#include <string.h>

enum { LEAST_BYTES = 6 }; /* of a vertex or a triangle: "0 0 0" and a space */

static int sniff_tri(const AbutText *text) {
    AbutText at = *text;
    abut_mesh_skip_mark(&at);
    abut_text_skip_space(&at);
    if (abut_text_is_word(&at, "tri")) return ABUT_SNIFF_MARK;
    return abut_mesh_has_ending(text->name, ".tri") ? ABUT_SNIFF_NAME : 0;
}

/* An integer from 0 to `last`, behind white space. */
static AbutStatus read_integer(AbutText *text, const char *what, int64_t last, int32_t *out) {
    int64_t value = -1;
    abut_text_skip_space(text);
    const char *p = text->at;
    int good = abut_parse_integer(&p, text->end, &value) == ABUT_NUMBER_OK && (p == text->end || abut_is_space(*p));
    if (!good || value < 0 || value > last) {
        AbutFound found = abut_text_found(text, text->at);
        return abut_text_fail(
            text, text->at, ABUT_ERROR_FORMAT, "expected %s from 0 to %lld, got %s", what, (long long)last, found.text);
    }
    text->at = p;
    *out = (int32_t)value;
    return ABUT_OK;
}

/* Both counts, which the rest of the file must be long enough for. */
static AbutStatus read_counts(AbutText *text, int32_t *vertices, int32_t *triangles) {
    ABUT_TRY(read_integer(text, "number of vertices", ABUT_MESH_LIMIT, vertices));
    const char *where = text->at;
    ABUT_TRY(read_integer(text, "number of triangles", ABUT_MESH_LIMIT, triangles));
    int64_t need = LEAST_BYTES * ((int64_t)*vertices + *triangles), left = text->end - text->at;
    if (need > left)
        return abut_text_fail(text, where, ABUT_ERROR_FORMAT,
            "expected %lld bytes or more for %d vertices and %d triangles, got %lld", (long long)need, *vertices,
            *triangles, (long long)left);
    return *triangles == 0 ? abut_name_fail(text, ABUT_ERROR_EMPTY, "no triangles (%d vertices)", *vertices) : ABUT_OK;
}

static AbutStatus read_vertices(AbutText *text, int32_t count, AbutMeshBuilder *builder) {
    static const char *const names[3] = {"x coordinate", "y coordinate", "z coordinate"};
    for (int32_t i = 0; i < count; ++i) {
        double x[3];
        for (int k = 0; k < 3; ++k) {
            abut_text_skip_space(text);
            ABUT_TRY(abut_text_number(text, names[k], &x[k]));
        }
        builder->vertices[builder->vertex_count++] = abut_vec3(x[0], x[1], x[2]);
    }
    return ABUT_OK;
}

static AbutStatus read_triangles(AbutText *text, int32_t count, AbutMeshBuilder *builder) {
    for (int32_t i = 0; i < 3 * count; ++i)
        ABUT_TRY(read_integer(text, "vertex", (int64_t)builder->vertex_count - 1, &builder->triangles[i / 3].v[i % 3]));
    builder->triangle_count = (size_t)count;
    abut_text_skip_space(text);
    if (text->at == text->end) return ABUT_OK;
    AbutFound found = abut_text_found(text, text->at);
    return abut_text_fail(
        text, text->at, ABUT_ERROR_FORMAT, "expected end of file behind %d triangles, got %s", count, found.text);
}

static AbutStatus read_tri(AbutText *text, AbutMeshBuilder *builder) {
    int32_t vertices = 0, triangles = 0;
    abut_mesh_skip_mark(text);
    abut_text_skip_space(text);
    if (!abut_text_is_word(text, "tri")) {
        AbutFound found = abut_text_found(text, text->at);
        return abut_text_fail(text, text->at, ABUT_ERROR_FORMAT, "expected the word TRI, got %s", found.text);
    }
    text->at += strlen("tri");
    ABUT_TRY(read_counts(text, &vertices, &triangles));
    AbutStatus status = abut_mesh_builder_reserve_vertices(builder, (size_t)vertices);
    if (status == ABUT_OK) status = abut_mesh_builder_reserve_triangles(builder, (size_t)triangles);
    if (status) return abut_mesh_builder_fail(text, text->at, status, 0);
    ABUT_TRY(read_vertices(text, vertices, builder));
    return read_triangles(text, triangles, builder);
}

const AbutMeshFormat abut_mesh_tri = {"tri", ".tri", 0.0, sniff_tri, 0, read_tri, NULL};

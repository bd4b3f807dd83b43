/* SPDX-License-Identifier: Apache-2.0 */
/*
 * STL as text: words in any case, any number of solids, facets with or without a normal. Normals are skipped (the
 * winding counts); equal vertices are joined. Coordinates are written as the shortest decimals that read back to the
 * same double.
 */
#include "file/mesh_formats.h"

#include <float.h>
#include <string.h>

/* ---- in ---------------------------------------------------------------------------------------------------------- */

/* "solid" as the first word of a text; else by the ending. */
static int sniff_stl_ascii(const AbutText *text) {
    AbutText words = *text;
    abut_mesh_skip_mark(&words);
    abut_text_skip_space(&words);
    int binary = abut_mesh_looks_binary(text);
    if (!binary && abut_text_is_word(&words, "solid")) return ABUT_SNIFF_WORD;
    int named = abut_mesh_has_ending(text->name, ".stla") || (!binary && abut_mesh_has_ending(text->name, ".stl"));
    return named ? ABUT_SNIFF_NAME : 0;
}

static AbutStatus fail_expected(AbutText *text, const char *expected) {
    AbutFound found = abut_text_found(text, text->at);
    return abut_text_fail(text, text->at, ABUT_ERROR_FORMAT, "expected %s, got %s", expected, found.text);
}

/* Moves behind `word` when it comes next. */
static int take_word(AbutText *text, const char *word) {
    abut_text_skip_space(text);
    if (!abut_text_is_word(text, word)) return 0;
    text->at += strlen(word);
    return 1;
}

static AbutStatus need_word(AbutText *text, const char *word) {
    return take_word(text, word) ? ABUT_OK : fail_expected(text, word);
}

static void skip_word(AbutText *text) {
    abut_text_skip_space(text);
    while (text->at < text->end && !abut_is_space(*text->at)) ++text->at;
}

static void skip_line(AbutText *text) {
    while (text->at < text->end && *text->at != '\n' && *text->at != '\r') ++text->at;
}

static AbutStatus read_vertex(AbutText *text, AbutMeshBuilder *builder) {
    double x[3] = {0.0, 0.0, 0.0};
    AbutStatus status = need_word(text, "vertex");
    for (int i = 0; i < 3 && status == ABUT_OK; ++i) {
        static const char *const names[3] = {"x coordinate", "y coordinate", "z coordinate"};
        abut_text_skip_space(text);
        status = abut_text_number(text, names[i], &x[i]);
    }
    if (status) return status;
    status = abut_mesh_builder_vertex(builder, abut_vec3(x[0], x[1], x[2]));
    return status ? abut_mesh_builder_fail(text, text->at, status, 0) : ABUT_OK;
}

/* From behind "facet" to behind "endfacet". */
static AbutStatus read_facet(AbutText *text, AbutMeshBuilder *builder) {
    if (take_word(text, "normal"))
        for (int i = 0; i < 3; ++i) {
            abut_text_skip_space(text);
            if (abut_text_is_word(text, "outer")) break;
            skip_word(text);
        }
    ABUT_TRY(need_word(text, "outer"));
    ABUT_TRY(need_word(text, "loop"));
    int32_t first = (int32_t)builder->vertex_count;
    for (int i = 0; i < 3; ++i) ABUT_TRY(read_vertex(text, builder));
    ABUT_TRY(need_word(text, "endloop"));
    ABUT_TRY(need_word(text, "endfacet"));
    AbutStatus status = abut_mesh_builder_reserve_triangles(builder, 1);
    if (status) return abut_mesh_builder_fail(text, text->at, status, 0);
    builder->triangles[builder->triangle_count++] = (AbutTriangle){{first, first + 1, first + 2}};
    return ABUT_OK;
}

/* From behind "solid" to behind "endsolid NAME". */
static AbutStatus read_solid(AbutText *text, AbutMeshBuilder *builder) {
    skip_line(text);
    while (take_word(text, "facet")) ABUT_TRY(read_facet(text, builder));
    if (!take_word(text, "endsolid")) return fail_expected(text, "facet or endsolid");
    skip_line(text);
    return ABUT_OK;
}

static AbutStatus read_stl_ascii(AbutText *text, AbutMeshBuilder *builder) {
    abut_mesh_skip_mark(text);
    for (abut_text_skip_space(text); text->at < text->end; abut_text_skip_space(text)) {
        ABUT_TRY(need_word(text, "solid"));
        ABUT_TRY(read_solid(text, builder));
    }
    return ABUT_OK;
}

/* ---- out --------------------------------------------------------------------------------------------------------- */

static int write_stl_ascii(FILE *file, const AbutMesh *mesh) {
    int good = fputs("solid abut\n", file) >= 0;
    for (int i = 0; i < mesh->triangle_count && good; ++i) {
        const int32_t *v = mesh->triangles[i].v;
        AbutVec3 a = mesh->vertices[v[0]], b = mesh->vertices[v[1]], c = mesh->vertices[v[2]];
        good = abut_mesh_put_vec3(file, "facet normal", abut_mesh_normal(a, b, c)) &&
               fputs("outer loop\n", file) >= 0 && abut_mesh_put_vec3(file, "vertex", a) &&
               abut_mesh_put_vec3(file, "vertex", b) && abut_mesh_put_vec3(file, "vertex", c) &&
               fputs("endloop\nendfacet\n", file) >= 0;
    }
    return good && fputs("endsolid abut\n", file) >= 0;
}

const AbutMeshFormat abut_mesh_stl_ascii = {
    "stl-ascii", ".stla", DBL_MAX, sniff_stl_ascii, 1, read_stl_ascii, write_stl_ascii};

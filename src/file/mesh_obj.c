/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Wavefront OBJ, in and out. Positions (v) and faces (f) are read; normals, texture coordinates, groups and materials
 * are skipped without opening any other file; lines, points, curves and surfaces are counted as ignored.
 *
 * One pass over the bytes, statement by statement. A backslash at the end of a line continues the statement, except in
 * a comment. A face may name only vertices that stand before it.
 */
#include "file/mesh_formats.h"
#include "base/number.h"

#include <float.h>
#include <string.h>

static int is_line_end(const AbutText *text, const char *p) { return p == text->end || *p == '\n' || *p == '\r'; }

/* Length of a line end at p: 0, 1, or 2 for \r\n. */
static int line_end_length(const AbutText *text, const char *p) {
    if (p == text->end || (*p != '\n' && *p != '\r')) return 0;
    return *p == '\r' && p + 1 < text->end && p[1] == '\n' ? 2 : 1;
}

/* Spaces within a statement, continuations among them. */
static void skip_blanks(AbutText *text) {
    const char *p = text->at;
    for (; p < text->end; ++p) {
        if (*p == ' ' || *p == '\t' || *p == '\v' || *p == '\f') continue;
        int length = *p == '\\' ? line_end_length(text, p + 1) : 0;
        if (!length) break;
        p += length;
    }
    text->at = p;
}

/* Behind the line end of the statement at hand. */
static void skip_statement(AbutText *text) {
    const char *p = text->at;
    int comment = 0;
    for (;;) {
        for (; !is_line_end(text, p); ++p) comment |= *p == '#';
        int continued = !comment && p > text->at && p[-1] == '\\' && p < text->end;
        p += line_end_length(text, p);
        if (!continued) break;
    }
    text->at = p;
}

static AbutStatus read_vertex(AbutText *text, AbutMeshBuilder *builder) {
    double x[3] = {0.0, 0.0, 0.0};
    for (int i = 0; i < 3; ++i) {
        static const char *const names[3] = {"x coordinate", "y coordinate", "z coordinate"};
        skip_blanks(text);
        ABUT_TRY(abut_text_number(text, names[i], &x[i]));
    }
    AbutStatus status = abut_mesh_builder_vertex(builder, abut_vec3(x[0], x[1], x[2]));
    return status ? abut_mesh_builder_fail(text, text->at, status, 0) : ABUT_OK;
}

/* One corner: v, v/vt, v//vn or v/vt/vn. Gives the vertex from 0. */
static AbutStatus read_corner(AbutText *text, size_t vertex_count, int32_t *vertex) {
    const char *start = text->at, *p = start;
    int64_t index = 0, other;
    int good = abut_parse_integer(&p, text->end, &index) == ABUT_NUMBER_OK;
    for (int slash = 0; good && slash < 2 && p < text->end && *p == '/'; ++slash) {
        ++p;
        int empty = slash == 0 && p < text->end && *p == '/';
        int last = p == text->end || abut_is_space(*p); /* "7/" and "7/2/" are met in practice */
        good = empty || last || abut_parse_integer(&p, text->end, &other) == ABUT_NUMBER_OK;
    }
    if (!good || (p < text->end && !abut_is_space(*p) && *p != '\\' && *p != '#')) {
        AbutFound found = abut_text_found(text, start);
        return abut_text_fail(
            text, start, ABUT_ERROR_FORMAT, "expected corner as v, v/vt, v//vn or v/vt/vn, got %s", found.text);
    }
    int64_t count = (int64_t)vertex_count, place = index < 0 ? count + index : index - 1;
    if (place < 0 || place >= count) {
        AbutFound found = abut_text_found(text, start);
        return abut_text_fail(text, start, ABUT_ERROR_FORMAT,
            "expected vertex index from 1 to %lld (or negative as far), got %s", (long long)count, found.text);
    }
    *vertex = (int32_t)place;
    text->at = p;
    return ABUT_OK;
}

static AbutStatus read_face(AbutText *text, AbutMeshBuilder *builder) {
    builder->corner_count = 0;
    for (;;) {
        skip_blanks(text);
        if (is_line_end(text, text->at) || *text->at == '#') break;
        int32_t vertex = 0;
        ABUT_TRY(read_corner(text, builder->vertex_count, &vertex));
        AbutStatus status = abut_mesh_builder_corner(builder, vertex);
        if (status) return abut_mesh_builder_fail(text, text->at, status, 0);
    }
    if (builder->corner_count < 3)
        return abut_text_fail(
            text, text->at, ABUT_ERROR_FORMAT, "expected at least 3 corners of a face, got %zu", builder->corner_count);
    AbutStatus status = abut_mesh_builder_polygon(builder);
    return status ? abut_mesh_builder_fail(text, text->at, status, 0) : ABUT_OK;
}

/* Statements that are known and carry no face. */
static int is_passed_over(const char *word, size_t length) {
    static const char *const known[] = {"vt", "vn", "vp", "g", "o", "s", "mg", "usemtl", "mtllib", "usemap", "maplib",
        "lod", "bevel", "c_interp", "d_interp", "shadow_obj", "trace_obj", "ctech", "stech", "cstype", "deg", "bmat",
        "step", "parm", "trim", "hole", "scrv", "sp", "end", "con"};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; ++i)
        if (strlen(known[i]) == length && memcmp(known[i], word, length) == 0) return 1;
    return 0;
}

static int is_name(const char *word, size_t length) {
    for (size_t i = 0; i < length; ++i)
        if (!((word[i] | 0x20) >= 'a' && (word[i] | 0x20) <= 'z') && word[i] != '_' &&
            !(word[i] >= '0' && word[i] <= '9' && i))
            return 0;
    return length > 0 && length <= 32;
}

/* The statement that starts at text->at, which is neither blank nor a comment. */
static AbutStatus read_statement(AbutText *text, AbutMeshBuilder *builder) {
    const char *word = text->at, *p = word;
    while (p < text->end && !abut_is_space(*p) && *p != '\\') ++p;
    size_t length = (size_t)(p - word);
    text->at = p;
    if (length == 1 && *word == 'v') return read_vertex(text, builder);
    if (length == 1 && *word == 'f') return read_face(text, builder);
    if (is_passed_over(word, length)) return ABUT_OK;
    if (!is_name(word, length) && builder->vertex_count == 0) /* no mesh: what it holds is not repeated */
        return abut_text_fail(text, word, ABUT_ERROR_FORMAT,
            "expected a mesh (OBJ, STL, PLY, TRI, GLB or DAE), got a file of another kind");
    if (!is_name(word, length)) {
        AbutFound found = abut_text_found(text, word);
        return abut_text_fail(text, word, ABUT_ERROR_FORMAT, "expected OBJ statement (v, f, ...), got %s", found.text);
    }
    abut_mesh_builder_ignore(builder, 1);
    return ABUT_OK;
}

static AbutStatus read_obj(AbutText *text, AbutMeshBuilder *builder) {
    for (abut_mesh_skip_mark(text); text->at < text->end; skip_statement(text)) {
        skip_blanks(text);
        if (!is_line_end(text, text->at) && *text->at != '#') ABUT_TRY(read_statement(text, builder));
    }
    return ABUT_OK;
}

/* Nothing marks an OBJ: any text may be one. */
static int sniff_obj(const AbutText *text) {
    return abut_mesh_has_ending(text->name, ".obj") || !abut_mesh_looks_binary(text) ? ABUT_SNIFF_GUESS : 0;
}

/* ---- out --------------------------------------------------------------------------------------------------------- */

static int write_obj(FILE *file, const AbutMesh *mesh) {
    for (int i = 0; i < mesh->vertex_count; ++i)
        if (!abut_mesh_put_vec3(file, "v", mesh->vertices[i])) return 0;
    for (int i = 0; i < mesh->triangle_count; ++i) {
        const int32_t *v = mesh->triangles[i].v;
        if (fprintf(file, "f %d %d %d\n", v[0] + 1, v[1] + 1, v[2] + 1) < 0) return 0;
    }
    return 1;
}

const AbutMeshFormat abut_mesh_obj = {"obj", ".obj", DBL_MAX, sniff_obj, 0, read_obj, write_obj};

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mesh files in and out: the table of formats, the choice among them, and what several formats share. In: a path or
 * bytes. The format of a file is found by content, with the name's ending as a hint; that of a new file by its ending.
 */
#include "file/mesh_formats.h"

#include <float.h>
#include <string.h>

#include "file/input.h"

#define FORMAT_ROW(name) &abut_mesh_##name,
static const AbutMeshFormat *const formats[] = {ABUT_MESH_FORMATS(FORMAT_ROW)};
enum { FORMATS = sizeof formats / sizeof *formats };

/* ---- shared by formats ------------------------------------------------------------------------------------------- */

int abut_mesh_has_ending(const char *name, const char *lower) {
    size_t n = strlen(name), m = strlen(lower);
    if (n < m) return 0;
    for (size_t i = 0; i < m; ++i) {
        char c = name[n - m + i];
        if ((c >= 'A' && c <= 'Z' ? c + 32 : c) != lower[i]) return 0;
    }
    return 1;
}

/* Looks for bytes that no text has among the first 1024. */
int abut_mesh_looks_binary(const AbutText *text) {
    const char *end = text->end - text->begin > 1024 ? text->begin + 1024 : text->end;
    for (const char *p = text->begin; p < end; ++p)
        if ((unsigned char)*p < ' ' && !abut_is_space(*p)) return 1;
    return 0;
}

void abut_mesh_skip_mark(AbutText *text) { text->at = abut_text_begin(text->at, (size_t)(text->end - text->at)); }

int abut_mesh_put_vec3(FILE *file, const char *before, AbutVec3 v) {
    char line[4 * ABUT_DOUBLE_TEXT + 32];
    size_t n = (size_t)snprintf(line, 32, "%s", before);
    for (int i = 0; i < 3; ++i) {
        line[n++] = ' ';
        n += (size_t)abut_format_double(line + n, ABUT_DOUBLE_TEXT, i == 0 ? v.x : i == 1 ? v.y : v.z);
    }
    line[n++] = '\n';
    return fwrite(line, 1, n, file) == n;
}

AbutVec3 abut_mesh_normal(AbutVec3 a, AbutVec3 b, AbutVec3 c) {
    AbutVec3 u = abut_sub(b, a), v = abut_sub(c, a);
    double size = fmax(fmax(fmax(fabs(u.x), fabs(u.y)), fmax(fabs(u.z), fabs(v.x))), fmax(fabs(v.y), fabs(v.z)));
    if (!(size > 0.0 && size <= DBL_MAX)) return abut_zero();
    u = abut_vec3(u.x / size, u.y / size, u.z / size);
    v = abut_vec3(v.x / size, v.y / size, v.z / size);
    AbutVec3 n = abut_cross(u, v);
    double length = sqrt(abut_dot(n, n));
    return length > DBL_MIN ? abut_vec3(n.x / length, n.y / length, n.z / length) : abut_zero();
}

/* ---- choice ------------------------------------------------------------------------------------------------------ */

static const AbutMeshFormat *format_by_content(const AbutText *text) {
    const AbutMeshFormat *best = NULL;
    int surest = 0;
    for (int i = 0; i < FORMATS; ++i) {
        int sure = formats[i]->sniff(text);
        if (sure > surest) best = formats[i], surest = sure;
    }
    return best;
}

static const AbutMeshFormat *format_by_ending(const char *path) {
    for (int i = 0; i < FORMATS; ++i)
        if (abut_mesh_has_ending(path, formats[i]->ending)) return formats[i];
    return NULL;
}

int abut_mesh_name_fits(const char *path) {
    ABUT_ASSERT(path);
    return format_by_ending(path) != NULL;
}

/* ".obj, .stl or .stla": of all formats, or of those that can be written. */
static const char *list_endings(int written, char *text, size_t room) {
    int left = 0;
    size_t n = 0;
    for (int i = 0; i < FORMATS; ++i) left += !written || formats[i]->write;
    text[0] = 0;
    for (int i = 0; i < FORMATS && n < room; ++i)
        if (!written || formats[i]->write) {
            const char *behind = left > 2 ? ", " : left == 2 ? " or " : "";
            n += (size_t)snprintf(text + n, room - n, "%s%s", formats[i]->ending, behind);
            --left;
        }
    return text;
}

/* ---- in ---------------------------------------------------------------------------------------------------------- */

static AbutStatus read_format(const AbutMeshFormat *format, AbutText *text, AbutMesh *out, AbutMeshFileInfo *info) {
    AbutMeshBuilder builder = abut_mesh_builder();
    AbutStatus status = format->read(text, &builder);
    if (status == ABUT_OK) status = abut_mesh_builder_finish(&builder, text, out);
    *info = (AbutMeshFileInfo){format->name, builder.polygons_split, builder.elements_ignored};
    abut_mesh_builder_free(&builder);
    if (status == ABUT_OK && format->weld && (status = abut_mesh_weld(out, text->error)) != ABUT_OK)
        abut_mesh_free(out);
    return status;
}

AbutStatus abut_mesh_read(
    const char *name, const void *bytes, size_t count, AbutMesh *out, AbutMeshFileInfo *info, AbutError *error) {
    ABUT_ASSERT(out);
    AbutMeshFileInfo found = {NULL, 0, 0};
    char endings[200], *own;
    memset(out, 0, sizeof *out);
    if (info) *info = found;
    if (!bytes && (!name || !*name))
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "expected path of a mesh file, got none");
    ABUT_TRY(abut_file_take(name, "mesh", SIZE_MAX, &bytes, &count, &own, error));
    const char *begin = bytes;
    AbutText text = {name ? name : "mesh", begin, begin, begin + count, error};
    const AbutMeshFormat *format = count ? format_by_content(&text) : NULL;
    AbutStatus status;
    if (count == 0) {
        status = abut_name_fail(&text, ABUT_ERROR_FORMAT, "expected mesh, got 0 bytes");
    } else if (!format) {
        status = abut_name_fail(&text, ABUT_ERROR_FORMAT, "expected mesh file (%s), got something else",
            list_endings(0, endings, sizeof endings));
    } else {
        status = read_format(format, &text, out, &found);
    }
    if (info) *info = found;
    abut_free(own);
    return status;
}

/* ---- out --------------------------------------------------------------------------------------------------------- */

/* Indices in range, and coordinates that the file can hold. */
static AbutStatus check_mesh(const char *path, const AbutMesh *mesh, double largest, AbutError *error) {
    if (mesh->vertex_count < 0 || mesh->triangle_count < 1)
        return abut_fail(
            error, ABUT_ERROR_EMPTY, "%.300s: expected mesh with triangles, got %d", path, mesh->triangle_count);
    for (int i = 0; i < mesh->vertex_count; ++i) {
        AbutVec3 v = mesh->vertices[i];
        if (!(fabs(v.x) <= largest && fabs(v.y) <= largest && fabs(v.z) <= largest))
            return abut_fail(error, ABUT_ERROR_NUMBER,
                "%.300s: expected vertex %d finite and at most %g, got (%g, %g, %g)", path, i, largest, v.x, v.y, v.z);
    }
    for (int i = 0; i < mesh->triangle_count; ++i)
        for (int k = 0; k < 3; ++k)
            if (mesh->triangles[i].v[k] < 0 || mesh->triangles[i].v[k] >= mesh->vertex_count)
                return abut_fail(error, ABUT_ERROR_ARGUMENT,
                    "%.300s: expected vertex index below %d in triangle %d, got %d", path, mesh->vertex_count, i,
                    mesh->triangles[i].v[k]);
    return ABUT_OK;
}

AbutStatus abut_mesh_write(const char *path, const AbutMesh *mesh, AbutError *error) {
    ABUT_ASSERT(mesh);
    char endings[200];
    if (!path || !*path) return abut_fail(error, ABUT_ERROR_ARGUMENT, "expected path of a mesh file, got none");
    const AbutMeshFormat *format = format_by_ending(path);
    if (!format || !format->write)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "%.300s: expected name ending with %s", path,
            list_endings(1, endings, sizeof endings));
    ABUT_TRY(check_mesh(path, mesh, format->largest, error));
    AbutFileOut out;
    ABUT_TRY(abut_file_out_open(&out, path, error));
    format->write(out.file, mesh); /* a failure stays in the stream: the commit finds it */
    return abut_file_out_commit(&out, error);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Meshes to OBJ and STL. Coordinates in text are the shortest decimals that read back to the same double; binary STL
 * holds floats. Normals in STL are computed from the triangle, (0, 0, 0) where it has none.
 */
#include "file/file_out.h"
#include "file/mesh_formats.h"

#include <float.h>
#include <string.h>

static int put_vec3(FILE *file, const char *before, AbutVec3 v)
{
    char line[4 * ABUT_DOUBLE_TEXT + 32];
    size_t n = (size_t)snprintf(line, 32, "%s", before);
    for (int i = 0; i < 3; ++i) {
        line[n++] = ' ';
        n += (size_t)abut_format_double(line + n, ABUT_DOUBLE_TEXT, i == 0 ? v.x : i == 1 ? v.y : v.z);
    }
    line[n++] = '\n';
    return fwrite(line, 1, n, file) == n;
}

static int write_obj(FILE *file, const AbutMesh *mesh)
{
    for (int i = 0; i < mesh->vertex_count; ++i)
        if (!put_vec3(file, "v", mesh->vertices[i]))
            return 0;
    for (int i = 0; i < mesh->triangle_count; ++i) {
        const int32_t *v = mesh->triangles[i].v;
        if (fprintf(file, "f %d %d %d\n", v[0] + 1, v[1] + 1, v[2] + 1) < 0)
            return 0;
    }
    return 1;
}

/* Unit normal of a triangle of any size, or zero. */
static AbutVec3 normal_of(AbutVec3 a, AbutVec3 b, AbutVec3 c)
{
    AbutVec3 u = abut_sub(b, a), v = abut_sub(c, a);
    double size = fmax(fmax(fmax(fabs(u.x), fabs(u.y)), fmax(fabs(u.z), fabs(v.x))), fmax(fabs(v.y), fabs(v.z)));
    if (!(size > 0.0 && size <= DBL_MAX))
        return abut_zero();
    u = abut_vec3(u.x / size, u.y / size, u.z / size);
    v = abut_vec3(v.x / size, v.y / size, v.z / size);
    AbutVec3 n = abut_cross(u, v);
    double length = sqrt(abut_dot(n, n));
    return length > DBL_MIN ? abut_vec3(n.x / length, n.y / length, n.z / length) : abut_zero();
}

static int write_stl_ascii(FILE *file, const AbutMesh *mesh)
{
    int good = fputs("solid abut\n", file) >= 0;
    for (int i = 0; i < mesh->triangle_count && good; ++i) {
        const int32_t *v = mesh->triangles[i].v;
        AbutVec3 a = mesh->vertices[v[0]], b = mesh->vertices[v[1]], c = mesh->vertices[v[2]];
        good = put_vec3(file, "facet normal", normal_of(a, b, c)) && fputs("outer loop\n", file) >= 0 &&
               put_vec3(file, "vertex", a) && put_vec3(file, "vertex", b) && put_vec3(file, "vertex", c) &&
               fputs("endloop\nendfacet\n", file) >= 0;
    }
    return good && fputs("endsolid abut\n", file) >= 0;
}

static void store_u32(unsigned char *bytes, uint32_t value)
{
    for (int i = 0; i < 4; ++i)
        bytes[i] = (unsigned char)(value >> (8 * i));
}

static void store_vec3(unsigned char *bytes, AbutVec3 v)
{
    float single[3] = {(float)v.x, (float)v.y, (float)v.z};
    for (int i = 0; i < 3; ++i) {
        uint32_t bits;
        memcpy(&bits, &single[i], sizeof bits);
        store_u32(bytes + 4 * i, bits);
    }
}

static int write_stl_binary(FILE *file, const AbutMesh *mesh)
{
    unsigned char header[84] = "binary STL written by abut", record[50] = {0};
    store_u32(header + 80, (uint32_t)mesh->triangle_count);
    int good = fwrite(header, 1, sizeof header, file) == sizeof header;
    for (int i = 0; i < mesh->triangle_count && good; ++i) {
        const int32_t *v = mesh->triangles[i].v;
        AbutVec3 a = mesh->vertices[v[0]], b = mesh->vertices[v[1]], c = mesh->vertices[v[2]];
        store_vec3(record, normal_of(a, b, c));
        store_vec3(record + 12, a);
        store_vec3(record + 24, b);
        store_vec3(record + 36, c);
        good = fwrite(record, 1, sizeof record, file) == sizeof record;
    }
    return good;
}

int abut_mesh_write_stream(FILE *file, const AbutMesh *mesh, AbutMeshFormat format)
{
    switch (format) {
    case ABUT_MESH_FORMAT_OBJ:
        return write_obj(file, mesh);
    case ABUT_MESH_FORMAT_STL_ASCII:
        return write_stl_ascii(file, mesh);
    case ABUT_MESH_FORMAT_STL_BINARY:
        return write_stl_binary(file, mesh);
    default:
        return 0;
    }
}

/* The format that the name's ending asks for, in any case. */
static AbutMeshFormat format_of(const char *path)
{
    static const struct {
        const char *ending;
        AbutMeshFormat format;
    } known[] = {
        {".obj", ABUT_MESH_FORMAT_OBJ}, {".stl", ABUT_MESH_FORMAT_STL_BINARY}, {".stla", ABUT_MESH_FORMAT_STL_ASCII}};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof known / sizeof known[0]; ++i) {
        const char *p = dot, *q = known[i].ending;
        while (*p && *q && (*p >= 'A' && *p <= 'Z' ? *p + 32 : *p) == *q)
            ++p, ++q;
        if (!*p && !*q)
            return known[i].format;
    }
    return ABUT_MESH_FORMAT_UNKNOWN;
}

/* Indices in range, and coordinates that the file can hold. */
static AbutStatus check_mesh(const char *path, const AbutMesh *mesh, double largest, AbutError *error)
{
    if (mesh->vertex_count < 0 || mesh->triangle_count < 1)
        return abut_fail(
            error, ABUT_ERROR_EMPTY, "%.300s: mesh with triangles expected, found %d", path, mesh->triangle_count);
    for (int i = 0; i < mesh->vertex_count; ++i) {
        AbutVec3 v = mesh->vertices[i];
        if (!(fabs(v.x) <= largest && fabs(v.y) <= largest && fabs(v.z) <= largest))
            return abut_fail(error, ABUT_ERROR_NUMBER,
                "%.300s: vertex %d must be finite and at most %g, found (%g, %g, %g)", path, i, largest, v.x, v.y, v.z);
    }
    for (int i = 0; i < mesh->triangle_count; ++i)
        for (int k = 0; k < 3; ++k)
            if (mesh->triangles[i].v[k] < 0 || mesh->triangles[i].v[k] >= mesh->vertex_count)
                return abut_fail(error, ABUT_ERROR_ARGUMENT,
                    "%.300s: vertex index below %d expected in triangle %d, found %d", path, mesh->vertex_count, i,
                    mesh->triangles[i].v[k]);
    return ABUT_OK;
}

AbutStatus abut_mesh_write(const char *path, const AbutMesh *mesh, AbutError *error)
{
    if (!path || !*path)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "path of a mesh file expected, found none");
    AbutMeshFormat format = format_of(path);
    if (format == ABUT_MESH_FORMAT_UNKNOWN)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "%.300s: name ending with .obj, .stl or .stla expected", path);
    AbutStatus status =
        check_mesh(path, mesh, format == ABUT_MESH_FORMAT_STL_BINARY ? (double)FLT_MAX : DBL_MAX, error);
    AbutFileOut out;
    if (status == ABUT_OK)
        status = abut_file_out_open(&out, path, error);
    if (status)
        return status;
    abut_mesh_write_stream(out.file, mesh, format); /* a failure stays in the stream: the commit finds it */
    return abut_file_out_commit(&out, error);
}

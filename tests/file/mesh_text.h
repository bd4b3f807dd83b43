/* SPDX-License-Identifier: Apache-2.0 */
/* Small helpers of the mesh file tests: parse a text, compare meshes bit for bit, build binary files. */
#ifndef ABUT_TESTS_IO_MESH_TEXT_H
#define ABUT_TESTS_IO_MESH_TEXT_H

#include "abut/file.h"
#include "support/check.h"

#include <string.h>

/* A copy of exactly `count` bytes on the heap, so that a sanitizer sees any read behind the end. */
static inline AbutStatus parse_copy(
    const void *bytes, size_t count, const char *name, AbutMesh *mesh, AbutMeshFileInfo *info, AbutError *error) {
    void *copy = malloc(count ? count : 1);
    assert_non_null(copy);
    memcpy(copy, bytes, count);
    AbutStatus status = abut_mesh_read(name, copy, count, mesh, info, error);
    free(copy);
    if (status) {
        assert_true(mesh->vertex_count == 0 && mesh->triangle_count == 0 && !mesh->vertices && !mesh->triangles);
    } else {
        assert_true(mesh->triangle_count > 0);
        for (int i = 0; i < mesh->triangle_count; ++i)
            for (int k = 0; k < 3; ++k) assert_in_range(mesh->triangles[i].v[k], 0, mesh->vertex_count - 1);
        for (int i = 0; i < mesh->vertex_count; ++i)
            assert_true(
                isfinite(mesh->vertices[i].x) && isfinite(mesh->vertices[i].y) && isfinite(mesh->vertices[i].z));
    }
    return status;
}

/* A text that must parse. */
static inline AbutMesh parse_good(const char *text, const char *name, AbutMeshFileInfo *info) {
    AbutMesh mesh;
    AbutError error = {0};
    if (parse_copy(text, strlen(text), name, &mesh, info, &error)) fail_msg("%s", error.text);
    return mesh;
}

/* Bytes that must fail with this status and text. */
static inline void parse_bad(const void *bytes, size_t count, const char *name, AbutStatus status, const char *text) {
    AbutMesh mesh;
    AbutError error = {0};
    assert_int_equal(parse_copy(bytes, count, name, &mesh, NULL, &error), status);
    assert_string_equal(error.text, text);
    assert_int_equal(error.status, status);
}

static inline void text_bad(const char *text, const char *name, AbutStatus status, const char *message) {
    parse_bad(text, strlen(text), name, status, message);
}

static inline void same_mesh(const AbutMesh *a, const AbutMesh *b) {
    assert_int_equal(a->vertex_count, b->vertex_count);
    assert_int_equal(a->triangle_count, b->triangle_count);
    assert_memory_equal(a->vertices, b->vertices, (size_t)a->vertex_count * sizeof a->vertices[0]);
    assert_memory_equal(a->triangles, b->triangles, (size_t)a->triangle_count * sizeof a->triangles[0]);
}

static inline void triangle_is(const AbutMesh *mesh, int i, int a, int b, int c) {
    const int32_t *v = mesh->triangles[i].v;
    if (v[0] != a || v[1] != b || v[2] != c)
        fail_msg("triangle %d is %d %d %d, expected %d %d %d", i, v[0], v[1], v[2], a, b, c);
}

/* A binary file under construction. */
typedef struct Bytes {
    unsigned char data[4096];
    size_t count;
} Bytes;

static inline void add_text(Bytes *b, const char *text) {
    memcpy(b->data + b->count, text, strlen(text));
    b->count += strlen(text);
}

static inline void add_uint(Bytes *b, uint64_t value, int size, int big) {
    for (int i = 0; i < size; ++i) b->data[b->count++] = (unsigned char)(value >> (8 * (big ? size - 1 - i : i)));
}

static inline void add_float(Bytes *b, float value, int big) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    add_uint(b, bits, 4, big);
}

static inline void add_double(Bytes *b, double value, int big) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    add_uint(b, bits, 8, big);
}

/* Binary STL of the `count` first faces of a tetrahedron, with this header text. */
static inline Bytes binary_stl(const char *header, unsigned count) {
    static const float corners[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    static const int faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
    Bytes b = {{0}, 0};
    add_text(&b, header);
    b.count = 80;
    add_uint(&b, count, 4, 0);
    for (unsigned i = 0; i < count; ++i) {
        b.count += 12;
        for (int k = 0; k < 9; ++k) add_float(&b, corners[faces[i % 4][k / 3]][k % 3], 0);
        b.count += 2;
    }
    return b;
}

#endif

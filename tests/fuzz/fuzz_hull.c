/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hull, half-spaces and check on arbitrary bytes. First byte: 0 points as raw doubles, 1 points as small integers times
 * a scale, 2 points as a coarse grid with noise near the tolerance, 3 planes, 4 a block for the check.
 */
#include "fuzz.h"

#include "abut/shape.h"

#include <string.h>

enum { MAX_POINTS = 300 };

/* The block passes its own check, and no point is far outside a face. */
static void require_sound(const AbutPolyhedron *p, const AbutVec3 *points, int count) {
    FUZZ_REQUIRE(abut_polyhedron_check(p, (size_t)p->bytes, NULL) == ABUT_OK);
    double most = fmax(abut_max_abs(p->box.min), abut_max_abs(p->box.max));
    double slack = 1e-10 * abut_max_abs(abut_sub(p->box.max, p->box.min)) + 1e-12 * most + 1e-49;
    const AbutFace *faces = abut_polyhedron_faces(p);
    for (int f = 0; f < p->face_count; ++f)
        for (int i = 0; i < count; ++i)
            FUZZ_REQUIRE(abut_dot(faces[f].plane.normal, points[i]) <= faces[f].plane.offset + slack);
}

static void try_points(const AbutVec3 *points, int count) {
    AbutPolyhedron *p = NULL;
    AbutStatus status = abut_polyhedron_from_points(points, count, NULL, &p, NULL);
    FUZZ_REQUIRE((status == ABUT_OK) == (p != NULL));
    FUZZ_REQUIRE(
        status == ABUT_OK || status == ABUT_ERROR_EMPTY || status == ABUT_ERROR_NUMBER || status == ABUT_ERROR_LIMIT);
    if (p) require_sound(p, points, count);
    abut_polyhedron_free(p);
}

static void try_planes(const AbutPlane *planes, int count) {
    AbutPolyhedron *p = NULL;
    AbutStatus status = abut_polyhedron_from_planes(planes, count, &p, NULL);
    FUZZ_REQUIRE((status == ABUT_OK) == (p != NULL));
    if (p) FUZZ_REQUIRE(abut_polyhedron_check(p, (size_t)p->bytes, NULL) == ABUT_OK);
    abut_polyhedron_free(p);
}

static void try_block(const uint8_t *data, size_t size) {
    void *block = abut_alloc(size);
    if (!block) return;
    memcpy(block, data, size);
    (void)abut_polyhedron_check(block, size, NULL);
    abut_free(block);
}

static int small_points(const uint8_t *data, size_t size, int noisy, AbutVec3 *points) {
    if (size < 2) return 0;
    double scale = ldexp(1.0, (int8_t)data[0] / 4), grain = pow(10.0, -8.0 - data[1] % 10);
    int n = 0;
    for (size_t i = 2; i + 3 <= size && n < MAX_POINTS; i += 3) {
        double x[3];
        for (int k = 0; k < 3; ++k) {
            int value = (int8_t)data[i + (size_t)k];
            x[k] = noisy ? value / 64 + grain * (value % 64) / 64.0 : value;
        }
        points[n++] = abut_vec3(scale * x[0], scale * x[1], scale * x[2]);
    }
    return n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static AbutVec3 points[MAX_POINTS];
    static AbutPlane planes[MAX_POINTS];
    if (size < 1) return 0;
    int kind = data[0] % 5, n = 0;
    ++data;
    --size;
    if (kind == 0) {
        for (; n < MAX_POINTS && size >= ((size_t)n + 1) * sizeof *points; ++n)
            memcpy(&points[n], data + (size_t)n * sizeof *points, sizeof *points);
        try_points(points, n);
    } else if (kind < 3) {
        n = small_points(data, size, kind == 2, points);
        try_points(points, n);
    } else if (kind == 3) {
        for (; n < MAX_POINTS && size >= ((size_t)n + 1) * 4; ++n) {
            const int8_t *b = (const int8_t *)data + 4 * n;
            planes[n].normal = abut_vec3(b[0], b[1], b[2]);
            planes[n].offset = b[3];
        }
        try_planes(planes, n);
    } else {
        try_block(data, size);
    }
    return 0;
}

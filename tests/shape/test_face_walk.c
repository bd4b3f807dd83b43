/* SPDX-License-Identifier: Apache-2.0 */
/* Faces that are not wholly beyond a plane: the walk finds those that a look at all faces finds, from the lowest
 * corner. */
#include "shape/face_walk.h"
#include "support/check.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 600, FACES = 2 * MOST };

typedef struct Side {
    const AbutVec3 *vertex;
    AbutPlane plane;
    int asked[MOST];
} Side;

static int is_inside(int32_t v, void *user) {
    Side *side = user;
    ++side->asked[v];
    return abut_dot(side->plane.normal, side->vertex[v]) <= side->plane.offset;
}

static AbutPolyhedron *random_hull(AbutRng *rng, int points) {
    static AbutVec3 point[MOST];
    AbutVec3 axes = {1.0, 0.1 + abut_rng_unit(rng), 0.1 + abut_rng_unit(rng)};
    AbutPolyhedron *hull;
    AbutError error;
    for (int i = 0; i < points; ++i) point[i] = abut_mul(axes, abut_random_direction(rng));
    assert_int_equal(abut_polyhedron_from_points(point, points, NULL, &hull, &error), ABUT_OK);
    return hull;
}

/* Corners of a face, and whether one of them is inside, looked at one by one. */
static int has_inside(const AbutFaceWalk *w, const Side *side, int32_t f, int *corner) {
    int inside = 0;
    for (int32_t k = 0; k < w->face[f].count; ++k)
        inside |=
            abut_dot(side->plane.normal, w->vertex[w->half_edge[w->face[f].first + k].origin]) <= side->plane.offset;
    for (int32_t k = 0; k < w->face[f].count && inside; ++k) corner[w->half_edge[w->face[f].first + k].origin] = 1;
    return inside;
}

static void check_walk(const AbutPolyhedron *p, AbutPlane plane) {
    static int32_t mark[MOST], seen[FACES], corners[MOST], list[FACES];
    static uint32_t bits[(MOST + FACES) / 32 + 2];
    int corner[MOST] = {0};
    int32_t faces = 0, vertices = 0;
    Side side = {abut_polyhedron_vertices(p), plane, {0}};
    AbutFaceWalk w = {side.vertex, abut_polyhedron_half_edges(p), abut_polyhedron_faces(p), p->vertex_count,
        p->face_count, is_inside, &side, mark, seen, corners, list, bits, 0, 0};
    int32_t start = abut_face_walk_lowest(&w, plane.normal);
    double low = abut_dot(plane.normal, side.vertex[w.half_edge[start].origin]);
    for (int32_t v = 0; v < p->vertex_count; ++v) CHECK(abut_dot(plane.normal, side.vertex[v]) >= low - 1e-15);
    if (low > plane.offset) return;
    abut_face_walk(&w, w.half_edge[start].face);
    for (int32_t f = 0; f < p->face_count; ++f)
        if (has_inside(&w, &side, f, corner))
            CHECK(faces < w.count && list[faces++] == f && seen[f] == 0);
        else
            CHECK(seen[f] == -1);
    assert_int_equal(faces, w.count);
    for (int32_t v = 0; v < p->vertex_count; ++v) {
        CHECK(side.asked[v] == corner[v]);
        if (corner[v]) CHECK(vertices < w.corners && corners[vertices++] == v);
    }
    assert_int_equal(vertices, w.corners);
}

static void the_walk_finds_what_is_there(void **state) {
    (void)state;
    AbutRng rng = abut_rng(55, 0);
    for (int i = 0; i < check_cases(60); ++i) {
        AbutPolyhedron *hull = random_hull(&rng, i % 7 ? 4 + (int)abut_rng_below(&rng, 500) : 4);
        for (int k = 0; k < 20; ++k) {
            AbutVec3 n = abut_random_direction(&rng);
            check_walk(hull, (AbutPlane){n, abut_rng_between(&rng, -1.1, 1.1)});
            const AbutFace *faces = abut_polyhedron_faces(hull);
            check_walk(
                hull, faces[abut_rng_below(&rng, (uint32_t)hull->face_count)].plane); /* a whole face lies on it */
        }
        abut_polyhedron_free(hull);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_walk_finds_what_is_there)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Raw bytes as two vertex arrays and a pose: the overlap must be a closed polyhedron inside both bodies, or a named
 * outcome. */
#include "abut/literature.h"
#include "abut/query.h"
#include "fuzz.h"
#include "input.h"

#include <math.h>
#include <string.h>

enum { MAX_POINTS = 20 };

static AbutPolyhedron *next_hull(Input *in) {
    AbutVec3 points[MAX_POINTS];
    AbutPolyhedron *p = NULL;
    int count = 1 + next_byte(in) % MAX_POINTS;
    for (int i = 0; i < count; ++i) points[i] = next_vec3(in);
    return abut_polyhedron_from_points(points, count, NULL, &p, NULL) == ABUT_OK ? p : NULL;
}

static void require_polyhedron(const AbutPolyhedron *a, const AbutPolyhedron *b, const AbutOverlap *o) {
    double size = fmax(a->bound.radius, b->bound.radius);
    FUZZ_REQUIRE(o->vertex_count - o->corner_count / 2 + o->face_count == 2);
    FUZZ_REQUIRE(o->volume > 0.0 && o->area > 0.0 && abut_is_finite(o->centroid));
    FUZZ_REQUIRE(o->volume <= fmin(a->mass.volume, b->mass.volume) + 1e-9 * size * o->area);
    FUZZ_REQUIRE(fabs(abut_length(o->normal) - 1.0) < 1e-9);
    for (int f = 0; f < o->face_count; ++f) {
        const AbutPolyhedron *owner = o->face[f].owner ? b : a;
        FUZZ_REQUIRE(o->face[f].count >= 3 && o->face[f].first + o->face[f].count <= o->corner_count);
        FUZZ_REQUIRE(o->face[f].source >= 0 && o->face[f].source < owner->face_count);
    }
    for (int k = 0; k < o->corner_count; ++k) FUZZ_REQUIRE(o->corner[k] >= 0 && o->corner[k] < o->vertex_count);
    for (int v = 0; v < o->vertex_count; ++v)
        for (int f = 0; f < a->face_count; ++f) {
            AbutPlane plane = abut_polyhedron_faces(a)[f].plane;
            double far = size + abut_length(a->bound.center) + fabs(plane.offset);
            FUZZ_REQUIRE(abut_dot(plane.normal, o->vertex[v]) - plane.offset <= 1e-8 * far);
        }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Input in = {data, size, 0};
    in.tame = next_byte(&in) & 1 ? 0.125 : 0.0;
    AbutPolyhedron *a = next_hull(&in), *b = a ? next_hull(&in) : NULL;
    if (a && b) {
        AbutPose pose;
        pose.p = next_vec3(&in);
        pose.q.w = 1.0 + next_number(&in), pose.q.x = next_number(&in), pose.q.y = next_number(&in),
        pose.q.z = next_number(&in);
        AbutConvex body_a = abut_convex_polyhedron(a, 0.0), body_b = abut_convex_polyhedron(b, 0.0);
        size_t bytes = abut_overlap_workspace_size(&body_a, &body_b);
        void *memory = abut_alloc(bytes);
        FUZZ_REQUIRE(memory != NULL);
        AbutOverlap o = abut_overlap(&body_a, &body_b, pose, NULL, memory, bytes);
        FUZZ_REQUIRE(o.outcome <= ABUT_OVERLAP_INVALID && o.outcome != ABUT_OVERLAP_CAPACITY);
        if (o.outcome == ABUT_OVERLAP_VOLUME) require_polyhedron(a, b, &o);
        AbutOverlap dual = abut_overlap_by_duality(&body_a, &body_b, pose, memory, bytes);
        FUZZ_REQUIRE(dual.outcome <= ABUT_OVERLAP_INVALID);
        if (in.tame != 0.0 && dual.outcome == ABUT_OVERLAP_VOLUME && o.outcome == ABUT_OVERLAP_VOLUME)
            FUZZ_REQUIRE(
                fabs(dual.volume - o.volume) <= 1e-6 * (o.volume + fmax(a->bound.radius, b->bound.radius) * o.area));
        abut_free(memory);
    }
    abut_polyhedron_free(a);
    abut_polyhedron_free(b);
    return 0;
}

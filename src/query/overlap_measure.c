/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Integrals over an overlap: area vectors of its faces, volume and centroid by tetrahedra from one of its vertices, the
 * normal from A to B. In: vertices about an origin near the bodies, faces with planes and corners. Out: the numbers,
 * and the vertices in the frame of A.
 */
#include "query/overlap_clip.h"

#include <math.h>
#include <string.h>

static size_t align64(size_t bytes)
{
    return (bytes + 63) & ~(size_t)63;
}

size_t abut_overlap_result_size(int faces)
{
    size_t f = (size_t)faces + 8;
    return align64(3 * f * sizeof(AbutVec3)) + align64(f * sizeof(AbutOverlapFace)) + align64(9 * f * sizeof(int32_t));
}

AbutOverlapArrays abut_overlap_arrays(void *memory, int faces)
{
    size_t f = (size_t)faces + 8;
    char *at = memory;
    AbutOverlapArrays arrays;
    arrays.vertex = (AbutVec3 *)(void *)at;
    at += align64(3 * f * sizeof(AbutVec3));
    arrays.face = (AbutOverlapFace *)(void *)at;
    at += align64(f * sizeof(AbutOverlapFace));
    arrays.corner = (int32_t *)(void *)at;
    return arrays;
}

AbutPlane abut_overlap_plane(const AbutOverlapBodies *bodies, int owner, int source)
{
    AbutPlane plane = abut_polyhedron_faces(owner ? bodies->b : bodies->a)[source].plane;
    if (owner) {
        plane.normal = abut_quat_rotate(bodies->b_in_a.q, plane.normal);
        plane.offset += abut_dot(plane.normal, bodies->b_in_a.p);
    }
    return plane;
}

AbutOverlapOutcome abut_overlap_touch(const AbutOverlapBodies *bodies)
{
    AbutConvex a = abut_convex_polyhedron(bodies->a, 0.0), b = abut_convex_polyhedron(bodies->b, 0.0);
    AbutDistance d = abut_convex_distance(&a, &b, bodies->b_in_a, NULL);
    double scale = fmax(abut_overlap_scale(bodies->a, bodies->b), 1e-300);
    if (d.outcome == ABUT_INVALID)
        return ABUT_OVERLAP_INVALID;
    return d.distance <= 1e-10 * scale ? ABUT_OVERLAP_TOUCHING : ABUT_OVERLAP_DISJOINT;
}

typedef struct Sums {
    double volume6;    /* six times the volume */
    AbutVec3 moment24; /* 24 times the first moment about vertex 0 */
    double area;
    AbutVec3 area_a; /* area vectors of A's faces */
} Sums;

/* Fan of triangles over one face; all about vertex 0 of the overlap. */
static void add_face(const AbutOverlapArrays *arrays, AbutOverlapFace *face, Sums *sums)
{
    AbutVec3 o = arrays->vertex[0], twice = abut_zero();
    const int32_t *corner = arrays->corner + face->first;
    AbutVec3 u = abut_sub(arrays->vertex[corner[0]], o), v = abut_sub(arrays->vertex[corner[1]], o);
    for (int32_t k = 2; k < face->count; ++k) {
        AbutVec3 w = abut_sub(arrays->vertex[corner[k]], o);
        AbutVec3 c = abut_cross(abut_sub(v, u), abut_sub(w, u));
        double part = abut_dot(u, c);
        twice = abut_add(twice, c);
        sums->volume6 += part;
        sums->moment24 = abut_add_scaled(sums->moment24, abut_add(abut_add(u, v), w), part);
        v = w;
    }
    face->area = fmax(0.5 * abut_dot(twice, face->plane.normal), 0.0);
    sums->area += face->area;
    if (face->owner == 0)
        sums->area_a = abut_add_scaled(sums->area_a, face->plane.normal, face->area);
}

/* How far `other` reaches below each face plane of `own`; gives the least such depth and its face. */
static double least_depth(const AbutPolyhedron *own, const AbutPolyhedron *other, AbutPose other_in_own, int *best)
{
    const AbutFace *face = abut_polyhedron_faces(own);
    const AbutVec3 *vertex = abut_polyhedron_vertices(other);
    double least = INFINITY;
    for (int f = 0; f < own->face_count; ++f) {
        AbutVec3 n = abut_quat_rotate_inv(other_in_own.q, face[f].plane.normal);
        double low = INFINITY;
        for (int i = 0; i < other->vertex_count; ++i)
            low = fmin(low, abut_dot(n, vertex[i]));
        double depth = face[f].plane.offset - low - abut_dot(face[f].plane.normal, other_in_own.p);
        if (depth < least) {
            least = depth;
            *best = f;
        }
    }
    return least;
}

static AbutVec3 normal_of_least_depth(const AbutOverlapBodies *bodies)
{
    int face_a = 0, face_b = 0;
    double depth_a = least_depth(bodies->a, bodies->b, bodies->b_in_a, &face_a);
    double depth_b = least_depth(bodies->b, bodies->a, abut_pose_inv(bodies->b_in_a), &face_b);
    if (depth_a <= depth_b)
        return abut_polyhedron_faces(bodies->a)[face_a].plane.normal;
    return abut_quat_rotate(bodies->b_in_a.q, abut_neg(abut_polyhedron_faces(bodies->b)[face_b].plane.normal));
}

static void forget(AbutOverlap *out)
{
    AbutOverlap touching = {0};
    touching.outcome = ABUT_OVERLAP_TOUCHING;
    *out = touching;
}

void abut_overlap_measure(const AbutOverlapBodies *bodies, AbutOverlapArrays arrays, AbutOverlap *out)
{
    Sums sums = {0.0, {0, 0, 0}, 0.0, {0, 0, 0}};
    for (int32_t f = 0; f < out->face_count; ++f)
        add_face(&arrays, &arrays.face[f], &sums);
    out->outcome = ABUT_OVERLAP_VOLUME;
    out->volume = sums.volume6 / 6.0;
    out->area = sums.area;
    /* the largest ball inside has a radius between volume / area and three times that */
    if (!(out->volume > 1e-12 * abut_overlap_scale(bodies->a, bodies->b) * out->area)) {
        forget(out);
        return;
    }
    out->centroid =
        abut_add(abut_add(arrays.vertex[0], bodies->origin), abut_scale(sums.moment24, 0.25 / sums.volume6));
    out->area_vector = sums.area_a;
    out->normal_from_depth = abut_length(sums.area_a) < 1e-9 * sums.area;
    out->normal = out->normal_from_depth ? normal_of_least_depth(bodies) : abut_normalize(sums.area_a);
    for (int32_t v = 0; v < out->vertex_count; ++v)
        arrays.vertex[v] = abut_add(arrays.vertex[v], bodies->origin);
}

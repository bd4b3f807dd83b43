/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Integrals over an overlap: area vectors of its faces, volume and centroid by tetrahedra from one of its vertices, the
 * normal from A to B. In: vertices about an origin near the bodies, faces with planes and corners. Out: the numbers,
 * and the vertices in the frame of A.
 */
#include "query/overlap.h"
#include "query/tolerance.h"

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

typedef struct Sums {
    double volume6;    /* six times the volume */
    AbutVec3 moment24; /* 24 times the first moment about vertex 0 */
    double area;
    AbutVec3 area_of[2]; /* area vectors of the faces of A and of B */
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
    sums->area_of[face->owner] = abut_add_scaled(sums->area_of[face->owner], face->plane.normal, face->area);
}

/* How far `other` reaches below each face plane of `own`; gives the least such depth and its face. */
static double least_depth(const AbutFaceted *own, const AbutFaceted *other, int *best)
{
    double least = INFINITY;
    for (int f = 0; f < own->face_count && other->vertex_count > 0; ++f) {
        AbutPlane plane = own->face[f].plane;
        AbutVec3 normal = abut_mat3_apply(own->turn, plane.normal), n = abut_mat3_apply_t(other->turn, normal);
        double low = INFINITY;
        for (int i = 0; i < other->vertex_count; ++i) {
            double value = abut_dot(n, other->vertex[i]);
            low = value < low ? value : low;
        }
        double depth = plane.offset - low - abut_dot(normal, abut_sub(other->shift, own->shift));
        if (depth < least) {
            least = depth;
            *best = f;
        }
    }
    return least;
}

static AbutVec3 normal_of_least_depth(const AbutOverlapBodies *bodies)
{
    const AbutFaceted *a = &bodies->body[0], *b = &bodies->body[1];
    int face_a = 0, face_b = 0;
    double depth_a = least_depth(a, b, &face_a), depth_b = least_depth(b, a, &face_b);
    return depth_a <= depth_b ? abut_overlap_plane(bodies, 0, face_a).normal
                              : abut_neg(abut_overlap_plane(bodies, 1, face_b).normal);
}

static void forget(AbutOverlap *out)
{
    AbutOverlap touching = {0};
    touching.outcome = ABUT_OVERLAP_TOUCHING;
    *out = touching;
}

void abut_overlap_measure(const AbutOverlapBodies *bodies, AbutOverlapArrays arrays, AbutOverlap *out)
{
    Sums sums = {0.0, {0, 0, 0}, 0.0, {{0, 0, 0}, {0, 0, 0}}};
    for (int32_t f = 0; f < out->face_count; ++f)
        add_face(&arrays, &arrays.face[f], &sums);
    out->outcome = ABUT_OVERLAP_VOLUME;
    out->volume = sums.volume6 / 6.0;
    out->area = sums.area;
    /* the largest ball inside has a radius between volume / area and three times that */
    if (!(out->volume > ABUT_OVERLAP_THIN * bodies->scale * out->area)) {
        forget(out);
        return;
    }
    out->centroid =
        abut_add(abut_add(arrays.vertex[0], bodies->origin), abut_scale(sums.moment24, 0.25 / sums.volume6));
    /* a half-space has one face, whose normal is exact */
    out->area_vector = bodies->body[1].vertex_count > 0 ? sums.area_of[0] : abut_neg(sums.area_of[1]);
    out->normal_from_depth = abut_length(out->area_vector) < ABUT_OVERLAP_NO_SIDE * sums.area;
    out->normal = out->normal_from_depth ? normal_of_least_depth(bodies) : abut_normalize(out->area_vector);
    for (int32_t v = 0; v < out->vertex_count; ++v)
        arrays.vertex[v] = abut_add(arrays.vertex[v], bodies->origin);
}

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

static size_t align64(size_t bytes) { return (bytes + 63) & ~(size_t)63; }

size_t abut_overlap_result_size(int faces) {
    size_t f = (size_t)faces + 8;
    return align64(3 * f * sizeof(AbutVec3)) + align64(f * sizeof(AbutOverlapFace)) + align64(9 * f * sizeof(int32_t));
}

AbutOverlapArrays abut_overlap_arrays(void *memory, int faces) {
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

/* A vector in the first three of four lanes. */
typedef double Lanes __attribute__((vector_size(4 * sizeof(double))));

typedef struct Sums {
    double volume6; /* six times the volume */
    Lanes moment24; /* 24 times the first moment about vertex 0 */
    double area;
    Lanes area_of[2]; /* area vectors of the faces of A and of B */
} Sums;

/* Three numbers at `p` and the one behind them, which all arrays of a result have. */
#define LOAD(to, p) memcpy(&(to), (p), sizeof(Lanes))
#define TURN(v, i, j, k) __builtin_shufflevector(v, v, i, j, k, 3)
#define CROSS(p, q) (TURN(p, 1, 2, 0) * TURN(q, 2, 0, 1) - TURN(p, 2, 0, 1) * TURN(q, 1, 2, 0))
#define SUM3(v) ((v)[0] + (v)[1] + (v)[2])

/* Fans of triangles over all faces, about vertex 0 of the overlap. */
static inline __attribute__((always_inline)) void sum_faces(const AbutOverlapArrays *to, int32_t count, Sums *sums) {
    Lanes o, normal, moment24 = sums->moment24;
    double volume6 = sums->volume6;
    LOAD(o, to->vertex);
    for (int32_t f = 0; f < count; ++f) {
        AbutOverlapFace *face = &to->face[f];
        const int32_t *corner = to->corner + face->first;
        Lanes u, v, w, twice = {0.0, 0.0, 0.0, 0.0};
        LOAD(u, to->vertex + corner[0]);
        LOAD(v, to->vertex + corner[1]);
        u -= o, v -= o;
        for (int32_t k = 2; k < face->count; ++k) {
            LOAD(w, to->vertex + corner[k]);
            w -= o;
            Lanes p = v - u, q = w - u, c = CROSS(p, q), uc = u * c;
            double part = SUM3(uc);
            twice += c;
            volume6 += part;
            moment24 += (u + v + w) * part;
            v = w;
        }
        LOAD(normal, &face->plane);
        twice *= normal;
        face->area = abut_larger(0.5 * SUM3(twice), 0.0);
        sums->area += face->area;
        sums->area_of[face->owner] += normal * face->area;
    }
    sums->volume6 = volume6;
    sums->moment24 = moment24;
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static void sum_avx2(const AbutOverlapArrays *to, int32_t count, Sums *sums) {
    sum_faces(to, count, sums);
}
#endif

/* By the vector unit where there is one; the bits are the same. */
static void sum_all(const AbutOverlapArrays *to, int32_t count, Sums *sums) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2"))
        sum_avx2(to, count, sums);
    else
#endif
        sum_faces(to, count, sums);
}

static AbutVec3 vector_of(const Lanes *v) { return abut_vec3((*v)[0], (*v)[1], (*v)[2]); }

/* How far `other` reaches below each face plane of `own`; gives the least such depth and its face. A face that is
 * deeper than the best is left at the first vertex that shows it: most at the vertex that was lowest for the face
 * before. */
static double least_depth(const AbutFaceted *own, const AbutFaceted *other, int *best) {
    double least = INFINITY;
    int lowest = 0;
    for (int f = 0; f < own->face_count && other->vertex_count > 0; ++f) {
        AbutPlane plane = own->face[f].plane;
        AbutVec3 normal = abut_mat3_apply(own->turn, plane.normal), n = abut_mat3_apply_t(other->turn, normal);
        double base = abut_dot(normal, abut_sub(other->shift, own->shift));
        double low = abut_dot(n, other->vertex[lowest]);
        for (int i = 0; i < other->vertex_count && plane.offset - low - base < least; ++i) {
            double value = abut_dot(n, other->vertex[i]);
            lowest = value < low ? i : lowest;
            low = value < low ? value : low;
        }
        double depth = plane.offset - low - base;
        if (depth < least) {
            least = depth;
            *best = f;
        }
    }
    return least;
}

static AbutVec3 normal_of_least_depth(const AbutOverlapBodies *bodies) {
    const AbutFaceted *a = &bodies->body[0], *b = &bodies->body[1];
    int face_a = 0, face_b = 0;
    double depth_a = least_depth(a, b, &face_a), depth_b = least_depth(b, a, &face_b);
    return depth_a <= depth_b ? abut_overlap_plane(bodies, 0, face_a).normal
                              : abut_neg(abut_overlap_plane(bodies, 1, face_b).normal);
}

static void forget(AbutOverlap *out) {
    AbutOverlap touching = {0};
    touching.outcome = ABUT_OVERLAP_TOUCHING;
    *out = touching;
}

int abut_overlap_integrate(
    AbutVec3 origin, double scale, int b_has_vertices, AbutOverlapArrays arrays, AbutOverlap *out) {
    Sums sums = {0};
    sum_all(&arrays, out->face_count, &sums);
    out->outcome = ABUT_OVERLAP_VOLUME;
    out->volume = sums.volume6 / 6.0;
    out->area = sums.area;
    /* the largest ball inside has a radius between volume / area and three times that */
    if (!(out->volume > ABUT_OVERLAP_THIN * scale * out->area)) {
        forget(out);
        return 1;
    }
    AbutVec3 moment24 = vector_of(&sums.moment24);
    out->centroid = abut_add(abut_add(arrays.vertex[0], origin), abut_scale(moment24, 0.25 / sums.volume6));
    /* a half-space has one face, whose normal is exact */
    out->area_vector = b_has_vertices ? vector_of(&sums.area_of[0]) : abut_neg(vector_of(&sums.area_of[1]));
    double length = abut_length(out->area_vector);
    out->normal_from_depth = length < ABUT_OVERLAP_NO_SIDE * sums.area;
    out->normal = abut_normalize_or(out->area_vector, abut_axis(2));
    for (int32_t v = 0; v < out->vertex_count; ++v) arrays.vertex[v] = abut_add(arrays.vertex[v], origin);
    return !out->normal_from_depth;
}

void abut_overlap_measure(const AbutOverlapBodies *bodies, AbutOverlapArrays arrays, AbutOverlap *out) {
    if (!abut_overlap_integrate(bodies->origin, bodies->scale, bodies->body[1].vertex_count > 0, arrays, out))
        out->normal = normal_of_least_depth(bodies);
}

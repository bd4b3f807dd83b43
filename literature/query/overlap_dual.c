/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Overlap of two bodies with faces by duality (Muller and Preparata). About the center c of the largest ball in both
 * bodies every face plane n.x <= d becomes the point n / (d - n.c). The hull of these points is the dual of the
 * overlap: its vertices are the faces of the overlap, its faces the vertices. Slower than clipping and it allocates; it
 * shares no step with it, so each can be checked by the other.
 */
#include "query/contract.h"
#include "query/overlap.h"
#include "query/tolerance.h"
#include "shape/polyhedron.h"

#include "abut/literature.h"
#include "literature/solve/chebyshev.h"

#include <math.h>
#include <string.h>

/* Everything that one call allocates. */
typedef struct Dual {
    double *rows;     /* 4 numbers each: planes of A, then of B, about the origin */
    double *lp;       /* normals, offsets */
    AbutVec3 *points; /* dual points */
    int32_t *around;  /* per dual vertex: a half-edge that starts there */
    void *workspace;
    AbutPolyhedron *hull;
} Dual;

static void release(Dual *d) {
    abut_free(d->rows);
    abut_free(d->lp);
    abut_free(d->points);
    abut_free(d->around);
    abut_free(d->workspace);
    abut_polyhedron_free(d->hull);
}

static int reserve(Dual *d, int count) {
    size_t n = (size_t)count;
    d->rows = abut_alloc_array(n, 4 * sizeof(double));
    d->lp = abut_alloc_array(n, 4 * sizeof(double));
    d->points = abut_alloc_array(n, sizeof(AbutVec3));
    d->around = abut_alloc_array(n, sizeof(int32_t));
    d->workspace = abut_alloc(abut_lp_chebyshev_workspace_size(3, count));
    return d->rows && d->lp && d->points && d->around && d->workspace;
}

/* Center of the largest common ball; its radius is negative when there is none. False when it could not be found. */
static int common_ball(Dual *d, int count, AbutVec3 *center, double *radius) {
    double *normals = d->lp, *offsets = d->lp + 3 * (size_t)count;
    for (int i = 0; i < count; ++i) {
        memcpy(normals + 3 * i, d->rows + 4 * i, 3 * sizeof(double));
        offsets[i] = d->rows[4 * i + 3];
    }
    AbutLp lp = {3, count, normals, offsets, NULL, 1, 0.0};
    AbutLpResult ball = abut_lp_chebyshev(&lp, d->workspace, abut_lp_chebyshev_workspace_size(3, count));
    *center = abut_vec3(ball.x[0], ball.x[1], ball.x[2]);
    *radius = ball.outcome == ABUT_LP_OPTIMAL ? ball.value : -1.0;
    return ball.outcome == ABUT_LP_OPTIMAL || ball.outcome == ABUT_LP_INFEASIBLE;
}

/* Which plane a dual vertex came from. */
static int source_of(const Dual *d, int count, AbutVec3 vertex) {
    int best = 0;
    double least = INFINITY;
    for (int i = 0; i < count; ++i) {
        double distance = abut_max_abs(abut_sub(d->points[i], vertex));
        if (distance < least) {
            least = distance;
            best = i;
        }
    }
    return best;
}

/* The face of the overlap that dual vertex v stands for. Around v the dual faces run clockwise, so corners are turned.
 */
static void write_face(
    const Dual *d, const AbutOverlapBodies *bodies, int count, int v, AbutOverlapArrays to, AbutOverlap *out) {
    const AbutHalfEdge *edge = abut_polyhedron_half_edges(d->hull);
    int source = source_of(d, count, abut_polyhedron_vertices(d->hull)[v]), faces_a = bodies->body[0].face_count;
    AbutOverlapFace *face = &to.face[out->face_count++];
    face->owner = source >= faces_a;
    face->source = source - (face->owner ? faces_a : 0);
    face->plane = abut_overlap_plane(bodies, face->owner, face->source);
    face->first = out->corner_count;
    int32_t h = d->around[v];
    do {
        to.corner[out->corner_count++] = edge[h].face;
        h = abut_polyhedron_next(d->hull, edge[h].twin);
    } while (h != d->around[v]);
    face->count = out->corner_count - face->first;
    for (int32_t i = face->first, k = out->corner_count - 1; i < k; ++i, --k) {
        int32_t swap = to.corner[i];
        to.corner[i] = to.corner[k];
        to.corner[k] = swap;
    }
}

static void write_polyhedron(Dual *d, const AbutOverlapBodies *bodies, int count, AbutVec3 center, double radius,
    AbutOverlapArrays to, AbutOverlap *out) {
    const AbutHalfEdge *edge = abut_polyhedron_half_edges(d->hull);
    const AbutFace *face = abut_polyhedron_faces(d->hull);
    for (int32_t f = 0; f < d->hull->face_count; ++f)
        to.vertex[out->vertex_count++] = abut_add_scaled(center, face[f].plane.normal, radius / face[f].plane.offset);
    for (int32_t h = 0; h < d->hull->half_edge_count; ++h) d->around[edge[h].origin] = h;
    for (int v = 0; v < d->hull->vertex_count; ++v) write_face(d, bodies, count, v, to, out);
    abut_overlap_measure(bodies, to, out);
}

/* A face plane about the origin. */
static void write_row(const AbutOverlapBodies *bodies, int owner, int face, double *row) {
    AbutPlane plane = abut_overlap_plane(bodies, owner, face);
    row[0] = plane.normal.x, row[1] = plane.normal.y, row[2] = plane.normal.z;
    row[3] = plane.offset - abut_dot(plane.normal, bodies->origin);
}

static void solve(Dual *d, const AbutOverlapBodies *bodies, void *memory, AbutOverlap *out) {
    int faces_a = bodies->body[0].face_count, count = faces_a + bodies->body[1].face_count;
    AbutVec3 center;
    for (int i = 0; i < count; ++i)
        write_row(bodies, i >= faces_a, i >= faces_a ? i - faces_a : i, d->rows + 4 * (size_t)i);
    double radius;
    out->outcome = ABUT_OVERLAP_FAILED;
    if (!common_ball(d, count, &center, &radius)) return;
    if (!(radius > ABUT_OVERLAP_THIN * bodies->scale)) {
        out->outcome = abut_overlap_touch(bodies);
        return;
    }
    for (int i = 0; i < count; ++i) {
        AbutVec3 n = abut_vec3(d->rows[4 * i], d->rows[4 * i + 1], d->rows[4 * i + 2]);
        d->points[i] = abut_scale(n, radius / (d->rows[4 * i + 3] - abut_dot(n, center))); /* in units of 1 / radius */
    }
    AbutHullDef def = {.solid_only = 1};
    if (abut_polyhedron_from_points(d->points, count, &def, &d->hull, NULL) != ABUT_OK) return;
    AbutOverlapArrays to = abut_overlap_arrays(memory, count);
    out->vertex = to.vertex, out->face = to.face, out->corner = to.corner;
    write_polyhedron(d, bodies, count, center, radius, to, out);
}

AbutOverlap abut_overlap_by_duality(
    const AbutConvex *a, const AbutConvex *b, AbutPose b_in_a, void *workspace, size_t workspace_size) {
    ABUT_ASSERT(abut_convex_is_set(a) && abut_convex_is_set(b));
    AbutOverlap out = {0};
    AbutOverlapBodies bodies;
    Dual dual = {0};
    out.outcome = abut_overlap_view(&bodies, a, b, b_in_a);
    if (out.outcome != ABUT_OVERLAP_VOLUME) return out;
    out.outcome = ABUT_OVERLAP_CAPACITY;
    if (workspace && workspace_size >= abut_overlap_workspace_size(a, b)) {
        if (reserve(&dual, bodies.body[0].face_count + bodies.body[1].face_count))
            solve(&dual, &bodies, workspace, &out);
        release(&dual);
    }
    return out;
}

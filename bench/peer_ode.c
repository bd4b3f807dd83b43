/* SPDX-License-Identifier: Apache-2.0 */
/* ODE: dCollide of convex, box and capsule geoms. It offers contacts only; the depth is that of the deepest contact. */
#include "bench/engine.h"

#include <ode/ode.h>
#include <stdlib.h>

enum { CONTACTS = 32 };

/* ODE keeps pointers into these. */
typedef struct Convex {
    dReal *planes, *points;
    unsigned int *polygons;
} Convex;

typedef struct State {
    const BenchSet *set;
    dGeomID *geoms;
    Convex *convex;
} State;

static dGeomID make_convex(const AbutPolyhedron *p, Convex *out) {
    const AbutFace *faces = abut_polyhedron_faces(p);
    const AbutHalfEdge *half_edges = abut_polyhedron_half_edges(p);
    const AbutVec3 *vertices = abut_polyhedron_vertices(p);
    out->planes = bench_memory((size_t)(4 * p->face_count), sizeof *out->planes);
    out->points = bench_memory((size_t)(3 * p->vertex_count), sizeof *out->points);
    out->polygons = bench_memory((size_t)(p->face_count + p->half_edge_count), sizeof *out->polygons);
    for (int i = 0; i < p->vertex_count; ++i)
        for (int k = 0; k < 3; ++k) out->points[3 * i + k] = abut_get(vertices[i], k);
    for (int f = 0, at = 0; f < p->face_count; ++f) {
        for (int k = 0; k < 3; ++k) out->planes[4 * f + k] = abut_get(faces[f].plane.normal, k);
        out->planes[4 * f + 3] = faces[f].plane.offset;
        out->polygons[at++] = (unsigned int)faces[f].count;
        for (int k = 0; k < faces[f].count; ++k)
            out->polygons[at++] = (unsigned int)half_edges[faces[f].first + k].origin;
    }
    return dCreateConvex(
        0, out->planes, (unsigned int)p->face_count, out->points, (unsigned int)p->vertex_count, out->polygons);
}

static dGeomID make_geom(const AbutConvex *shape, Convex *convex) {
    if (shape->kind == ABUT_CONVEX_BOX)
        return dCreateBox(0, 2.0 * shape->p[0].x, 2.0 * shape->p[0].y, 2.0 * shape->p[0].z);
    if (shape->kind == ABUT_CONVEX_SEGMENT) return dCreateCapsule(0, shape->radius, 2.0 * shape->p[1].z);
    return make_convex(shape->polyhedron, convex);
}

static void *open_state(const BenchSet *set) {
    if (set->question == BENCH_DISTANCE || set->warm) return NULL;
    dInitODE2(0);
    State *state = bench_memory(1, sizeof *state);
    state->set = set;
    state->geoms = bench_memory((size_t)set->shape_count, sizeof *state->geoms);
    state->convex = bench_memory((size_t)set->shape_count, sizeof *state->convex);
    for (int i = 0; i < set->shape_count; ++i) state->geoms[i] = make_geom(&set->shapes[i], &state->convex[i]);
    return state;
}

static BenchAnswer ask(void *user, int pair, int pose) {
    State *state = user;
    const BenchPair *p = &state->set->pairs[pair];
    AbutPose b = p->b_in_a[pose];
    dQuaternion q = {b.q.w, b.q.x, b.q.y, b.q.z};
    dGeomSetPosition(state->geoms[p->b], b.p.x, b.p.y, b.p.z);
    dGeomSetQuaternion(state->geoms[p->b], q);
    dContactGeom contacts[CONTACTS];
    int limit = state->set->question == BENCH_MEET ? 1 : CONTACTS;
    int count = dCollide(state->geoms[p->a], state->geoms[p->b], limit, contacts, sizeof contacts[0]);
    BenchAnswer answer = {0.0, count > 0, 0};
    for (int i = 0; i < count; ++i) answer.distance = fmin(answer.distance, -contacts[i].depth);
    return answer;
}

static void close_state(void *user) {
    State *state = user;
    for (int i = 0; i < state->set->shape_count; ++i) {
        dGeomDestroy(state->geoms[i]);
        free(state->convex[i].planes);
        free(state->convex[i].points);
        free(state->convex[i].polygons);
    }
    free(state->geoms);
    free(state->convex);
    free(state);
    dCloseODE();
}

const BenchEngine bench_ode = {"ODE", 0, open_state, ask, close_state};

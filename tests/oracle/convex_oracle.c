/* SPDX-License-Identifier: Apache-2.0 */
/* The bodies of the reference and its signed distance; see convex_oracle.h for the method. */
#include "oracle/convex_oracle.h"
#include "shape/polyhedron.h"

#include <stdlib.h>

#include "oracle/oracle_vec.h"

/* ---- bodies ------------------------------------------------------------------------------------------------------ */

static void *take(int count, size_t bytes_each) {
    void *memory = calloc((size_t)count + 1, bytes_each);
    if (!memory) abort();
    return memory;
}

static void allocate(OracleBody *body, int vertices, int edges, int faces, int triangles) {
    body->vertex_count = vertices;
    body->edge_count = edges;
    body->face_count = faces;
    body->triangle_count = triangles;
    body->vertices = take(vertices, sizeof *body->vertices);
    body->edges = take(edges, sizeof *body->edges);
    body->normals = take(faces, sizeof *body->normals);
    body->triangles = take(triangles, sizeof *body->triangles);
}

void oracle_body_free(OracleBody *body) {
    free(body->vertices);
    free(body->edges);
    free(body->normals);
    free(body->triangles);
    OracleBody none = {0};
    *body = none;
}

static void set_edge(OracleBody *body, int index, int v0, int v1, int f0, int f1) {
    OracleEdge edge = {{v0, v1}, {f0, f1}, {0, 0, 0}};
    body->edges[index] = edge;
}

static void polyhedron_body(OracleBody *body, const AbutPolyhedron *p) {
    const AbutHalfEdge *half_edges = abut_polyhedron_half_edges(p);
    const AbutFace *faces = abut_polyhedron_faces(p);
    int edges = p->half_edge_count / 2, triangles = p->half_edge_count - 2 * p->face_count;
    if (p->dimension < 2) edges = p->dimension, triangles = 0;
    allocate(body, p->vertex_count, edges, p->dimension < 2 ? 0 : p->face_count, triangles);
    for (int i = 0; i < p->vertex_count; ++i) body->vertices[i] = ov_from(abut_polyhedron_vertices(p)[i]);
    if (p->dimension < 2) {
        if (p->dimension == 1) set_edge(body, 0, 0, 1, -1, -1);
        return;
    }
    for (int i = 0; i < edges; ++i) {
        const AbutHalfEdge *h = &half_edges[abut_polyhedron_edges(p)[i]], *twin = &half_edges[h->twin];
        set_edge(body, i, h->origin, twin->origin, h->face, twin->face);
    }
    for (int f = 0, t = 0; f < p->face_count; ++f) {
        const AbutHalfEdge *loop = half_edges + faces[f].first;
        for (int k = 1; k + 1 < faces[f].count; ++k, ++t) {
            OracleVec o = body->vertices[loop[0].origin];
            OracleVec u = ov_sub(body->vertices[loop[k].origin], o), v = ov_sub(body->vertices[loop[k + 1].origin], o);
            body->normals[f] = ov_add(body->normals[f], ov_cross(u, v));
            body->triangles[t][0] = loop[0].origin;
            body->triangles[t][1] = loop[k].origin;
            body->triangles[t][2] = loop[k + 1].origin;
        }
    }
}

static void box_body(OracleBody *body, AbutVec3 half) {
    static const int quads[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    allocate(body, 8, 12, 6, 12);
    for (int i = 0; i < 8; ++i) {
        OracleVec v = {i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z};
        body->vertices[i] = v;
    }
    int edge = 0;
    for (int axis = 0; axis < 3; ++axis) {
        int u = (axis + 1) % 3, v = (axis + 2) % 3;
        for (int i = 0; i < 8; ++i)
            if (!(i >> axis & 1)) /* faces 2 k and 2 k + 1 are the low and high sides of axis k */
                set_edge(body, edge++, i, i | 1 << axis, 2 * u + (i >> u & 1), 2 * v + (i >> v & 1));
    }
    for (int f = 0; f < 6; ++f) {
        long double s = f & 1 ? 1 : -1;
        OracleVec n = {f / 2 == 0 ? s : 0, f / 2 == 1 ? s : 0, f / 2 == 2 ? s : 0};
        body->normals[f] = n;
        for (int t = 0; t < 2; ++t)
            for (int k = 0; k < 3; ++k) body->triangles[2 * f + t][k] = quads[f][k == 0 ? 0 : k + t];
    }
}

static void simplex_body(OracleBody *body, const AbutVec3 *p, int count) {
    allocate(body, count, count == 3 ? 3 : count - 1, count == 3 ? 2 : 0, count == 3 ? 1 : 0);
    for (int i = 0; i < count; ++i) body->vertices[i] = ov_from(p[i]);
    for (int i = 0; i < body->edge_count; ++i)
        set_edge(body, i, i, (i + 1) % count, count == 3 ? 0 : -1, count == 3 ? 1 : -1);
    if (count < 3) return;
    OracleVec o = body->vertices[0];
    body->normals[0] = ov_cross(ov_sub(body->vertices[1], o), ov_sub(body->vertices[2], o));
    body->normals[1] = ov_scale(body->normals[0], -1);
    for (int k = 0; k < 3; ++k) body->triangles[0][k] = k;
}

/* Rotation by a quaternion that is made unit in long double. */
static OracleVec place(AbutPose pose, OracleVec v) {
    AbutQuat d = pose.q;
    long double s =
        1 / sqrtl((long double)d.w * d.w + (long double)d.x * d.x + (long double)d.y * d.y + (long double)d.z * d.z);
    OracleVec u = {d.x * s, d.y * s, d.z * s};
    OracleVec t = ov_scale(ov_cross(u, v), 2);
    return ov_add(ov_from(pose.p), ov_add(ov_add(v, ov_scale(t, d.w * s)), ov_cross(u, t)));
}

static int farthest(const OracleBody *body, OracleVec n) {
    int best = 0;
    long double best_dot = ov_dot(n, body->vertices[0]);
    for (int i = 1; i < body->vertex_count; ++i) {
        long double dot = ov_dot(n, body->vertices[i]);
        if (dot > best_dot) best_dot = dot, best = i;
    }
    return best;
}

static void finish(OracleBody *body, AbutPose pose) {
    AbutPose turn = pose;
    turn.p = abut_zero();
    for (int i = 0; i < body->vertex_count; ++i) {
        body->vertices[i] = place(pose, body->vertices[i]);
        body->middle = ov_add(body->middle, ov_scale(body->vertices[i], 1.0L / body->vertex_count));
    }
    for (int i = 0; i < body->vertex_count; ++i)
        body->size = fmaxl(body->size, ov_length(ov_sub(body->vertices[i], body->middle)));
    body->size += body->radius;
    for (int i = 0; i < ORACLE_EXTREMES; ++i) {
        int k = i < 13 ? i : i + 1; /* the 26 directions of a 3 x 3 x 3 grid */
        body->extreme[i] = farthest(body, ov(k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1));
    }
    for (int f = 0; f < body->face_count; ++f) body->normals[f] = ov_unit(place(turn, body->normals[f]));
    for (int i = 0; i < body->edge_count; ++i) {
        OracleEdge *edge = &body->edges[i];
        edge->direction = ov_unit(ov_sub(body->vertices[edge->vertex[1]], body->vertices[edge->vertex[0]]));
    }
}

OracleBody oracle_body(const AbutConvex *convex, AbutPose pose) {
    OracleBody body = {0};
    body.radius = convex->radius;
    switch (convex->kind) {
    case ABUT_CONVEX_POINT:
    case ABUT_CONVEX_SEGMENT:
    case ABUT_CONVEX_TRIANGLE:
        simplex_body(&body, convex->p, 1 + (int)convex->kind - (int)ABUT_CONVEX_POINT);
        break;
    case ABUT_CONVEX_BOX:
        box_body(&body, convex->p[0]);
        break;
    case ABUT_CONVEX_POLYHEDRON:
        polyhedron_body(&body, convex->polyhedron);
        break;
    default:
        abort();
    }
    finish(&body, pose);
    return body;
}

/* ---- support ----------------------------------------------------------------------------------------------------- */

/* Without the radii. */
static long double push_core(const OracleBody *a, const OracleBody *b, OracleVec n) {
    return ov_dot(n, ov_sub(a->vertices[farthest(a, n)], b->vertices[farthest(b, ov_scale(n, -1))]));
}

long double oracle_push(const OracleBody *a, const OracleBody *b, OracleVec n) {
    return push_core(a, b, n) + a->radius + b->radius;
}

/* ---- separated --------------------------------------------------------------------------------------------------- */

/* The point of D = B - A of smallest norm by Wolfe's method; *lower is a proven lower bound of the norm. */
static OracleVec nearest_difference(const OracleBody *a, const OracleBody *b, long double scale, long double *lower) {
    OracleVec set[4];
    int count = 0;
    OracleVec x = ov_sub(b->vertices[0], a->vertices[0]);
    set[count++] = x;
    *lower = 0;
    for (int step = 0; step < 500; ++step) {
        long double norm = ov_length(x);
        if (norm <= 1e-18L * scale) break;
        OracleVec w = ov_sub(b->vertices[farthest(b, ov_scale(x, -1))], a->vertices[farthest(a, x)]);
        *lower = fmaxl(*lower, ov_dot(x, w) / norm);
        if (norm - *lower <= 1e-17L * scale) break;
        for (int i = 0; i < count; ++i)
            if (ov_length(ov_sub(w, set[i])) == 0) return x;
        if (count == 4) return x;
        set[count++] = w;
        x = ov_simplex_nearest(set, &count);
    }
    return x;
}

static void keep_shortest(OracleVec *best, OracleVec candidate) {
    if (ov_dot(candidate, candidate) < ov_dot(*best, *best)) *best = candidate;
}

/* From the nearest point of the body's triangles, edges and vertices to p. */
static OracleVec from_body(const OracleBody *body, OracleVec p, OracleVec best) {
    OracleVec set[3];
    for (int t = 0; t < body->triangle_count; ++t) {
        int count = 3;
        for (int k = 0; k < 3; ++k) set[k] = ov_sub(p, body->vertices[body->triangles[t][k]]);
        keep_shortest(&best, ov_simplex_nearest(set, &count));
    }
    for (int e = 0; e < body->edge_count && body->triangle_count == 0; ++e) {
        int count = 2;
        for (int k = 0; k < 2; ++k) set[k] = ov_sub(p, body->vertices[body->edges[e].vertex[k]]);
        keep_shortest(&best, ov_simplex_nearest(set, &count));
    }
    for (int v = 0; v < body->vertex_count && body->edge_count == 0; ++v)
        keep_shortest(&best, ov_sub(p, body->vertices[v]));
    return best;
}

/* Shortest vector from A to B over all pairs of features. */
static OracleVec nearest_exhaustive(const OracleBody *a, const OracleBody *b) {
    OracleVec best = ov_sub(b->vertices[0], a->vertices[0]);
    for (int i = 0; i < b->vertex_count; ++i) best = from_body(a, b->vertices[i], best);
    for (int i = 0; i < a->vertex_count; ++i) best = ov_scale(from_body(b, a->vertices[i], ov_scale(best, -1)), -1);
    for (int i = 0; i < a->edge_count; ++i)
        for (int j = 0; j < b->edge_count; ++j) {
            const int *va = a->edges[i].vertex, *vb = b->edges[j].vertex;
            keep_shortest(&best,
                ov_segment_nearest(a->vertices[va[0]], a->vertices[va[1]], b->vertices[vb[0]], b->vertices[vb[1]]));
        }
    return best;
}

long double oracle_point_outside(const OracleBody *body, AbutVec3 point) {
    AbutConvex shape = abut_convex_point(point, 0.0);
    OracleBody p = oracle_body(&shape, abut_pose_identity());
    OracleDistance d = oracle_distance(body, &p, 0);
    oracle_body_free(&p);
    return d.distance > 0 ? d.distance : 0;
}

/* ---- overlap ----------------------------------------------------------------------------------------------------- */

static void offer(const OracleBody *a, const OracleBody *b, OracleVec n, OracleDistance *best) {
    if (ov_dot(n, n) < 0.5L) return; /* the normal of a face without area */
    long double depth = push_core(a, b, n);
    if (depth < -best->distance) {
        if (ov_dot(n, best->normal) < 1 - 1e-6L) best->runner_up = -best->distance;
        best->distance = -depth;
        best->normal = n;
    } else if (depth < best->runner_up && ov_dot(n, best->normal) < 1 - 1e-6L) {
        best->runner_up = depth;
    }
}

/* Which side of the plane across each edge of `e` has each face normal of `f`: 1, -1, or 0 within a margin. These are
 * the two ends of a Gauss arc against the great circle of another. */
static signed char *side_table(const OracleBody *e, const OracleBody *f) {
    const long double margin = 1e-7L;
    signed char *table = take(e->edge_count * f->face_count, 1);
    for (int i = 0; i < e->edge_count; ++i)
        for (int k = 0; k < f->face_count; ++k) {
            long double dot = ov_dot(e->edges[i].direction, f->normals[k]);
            table[i * f->face_count + k] = (signed char)((dot > margin) - (dot < -margin));
        }
    return table;
}

/* An edge between two faces that do not face opposite ways has an arc of its own on the Gauss sphere. */
static int has_arc(const OracleBody *body, const OracleEdge *edge) {
    return edge->face[0] >= 0 && ov_dot(body->normals[edge->face[0]], body->normals[edge->face[1]]) > -0.99L;
}

static int same_side(const signed char *row, const OracleEdge *edge) {
    return row[edge->face[0]] * row[edge->face[1]] == 1;
}

/* A lower bound of the support value, from some vertices of each body. */
static long double push_at_least(const OracleBody *a, const OracleBody *b, OracleVec n) {
    long double high = -INFINITY, low = INFINITY;
    for (int i = 0; i < ORACLE_EXTREMES; ++i) {
        high = fmaxl(high, ov_dot(n, a->vertices[a->extreme[i]]));
        low = fminl(low, ov_dot(n, b->vertices[b->extreme[i]]));
    }
    return high - low;
}

static void offer_edge_pair(
    const OracleBody *a, const OracleBody *b, const OracleEdge *ea, const OracleEdge *eb, OracleDistance *best) {
    OracleVec n = ov_cross(ea->direction, eb->direction);
    if (ov_dot(n, n) < 1e-26L) return; /* parallel: its facet has a face normal */
    n = ov_unit(n);
    long double low = ov_dot(n, ov_sub(a->vertices[ea->vertex[0]], b->vertices[eb->vertex[0]]));
    /* The support value is not below that of any one pair of vertices. */
    if (low < best->runner_up && push_at_least(a, b, n) < best->runner_up) offer(a, b, n, best);
    n = ov_scale(n, -1);
    if (-low < best->runner_up && push_at_least(a, b, n) < best->runner_up) offer(a, b, n, best);
}

/* Edges whose Gauss arcs (of A and of -B) are clearly apart make no facet of the difference: skipped unless `plain`. */
static void offer_edges(const OracleBody *a, const OracleBody *b, int plain, OracleDistance *best) {
    signed char *a_on_b = side_table(a, b), *b_on_a = side_table(b, a);
    for (int i = 0; i < a->edge_count; ++i) {
        int arc = !plain && has_arc(a, &a->edges[i]);
        for (int j = 0; j < b->edge_count; ++j) {
            const OracleEdge *ea = &a->edges[i], *eb = &b->edges[j];
            int apart = arc && eb->face[0] >= 0 &&
                        (same_side(a_on_b + i * b->face_count, eb) || same_side(b_on_a + j * a->face_count, ea));
            if (!apart || !has_arc(b, eb)) offer_edge_pair(a, b, ea, eb, best);
        }
    }
    free(a_on_b);
    free(b_on_a);
}

/* Smallest support value over all facet directions; distance is minus that. */
static OracleDistance depth(const OracleBody *a, const OracleBody *b, int plain) {
    OracleDistance best = {-INFINITY, {0, 0, 0}, INFINITY, 0};
    for (int f = 0; f < a->face_count; ++f) offer(a, b, a->normals[f], &best);
    for (int f = 0; f < b->face_count; ++f) offer(a, b, ov_scale(b->normals[f], -1), &best);
    offer_edges(a, b, plain, &best);
    if (isinf(best.distance)) { /* no facet direction at all: the difference is a segment or a point */
        OracleVec e = a->edge_count ? a->edges[0].direction : ov_from(abut_axis(0));
        if (!a->edge_count && b->edge_count) e = b->edges[0].direction;
        offer(a, b, ov_perpendicular(e), &best);
    }
    return best;
}

/* ---- both -------------------------------------------------------------------------------------------------------- */

static OracleDistance separated(OracleVec x, long double lower) {
    long double norm = ov_length(x);
    OracleDistance d = {norm, ov_scale(x, 1 / norm), INFINITY, norm - lower};
    return d;
}

OracleDistance oracle_distance(const OracleBody *a, const OracleBody *b, int plain) {
    long double scale = a->size + b->size + ov_length(ov_sub(a->middle, b->middle)), lower;
    OracleVec x = nearest_difference(a, b, scale, &lower);
    OracleDistance d;
    if (lower > 0 && ov_length(x) > 1e-18L * scale && ov_length(x) - lower <= 1e-16L * scale) {
        d = separated(x, lower);
    } else {
        d = depth(a, b, plain);
        int line = a->edge_count + b->edge_count < 2; /* a segment or a point: no facets */
        if (d.distance > 0 || line) { /* a facet plane separates them, but the fast path could not prove its answer */
            lower = d.distance;
            x = nearest_exhaustive(a, b);
            long double norm = ov_length(x);
            lower = norm > 0 ? fmaxl(lower, -push_core(a, b, ov_scale(x, 1 / norm))) : lower;
            if (norm > 0) d = separated(x, lower);
        }
    }
    d.distance -= a->radius + b->radius;
    d.runner_up += a->radius + b->radius;
    return d;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The convolution of two closed meshes: facets of the Minkowski difference {a - b}, each with a whole multiplicity.
 *
 * In: meshes A and B, a pose of B, a ball. Out: facets within the ball. A face of A goes with the vertices b of B where
 * its normal turned round has an index other than 0, a face of B likewise, and two edges where their arcs of normals
 * cross. With all signs the facets form a closed chain, whose winding number is the Euler characteristic of the
 * overlap; with tops and convex edges alone they hold the whole boundary of the difference, and sheets inside it.
 * Method: a walk through two trees of balls with caps of normals. Parallel faces and edges are told apart by turning B
 * by 1e-9 about a fixed axis for the signs; places are computed with B as it stands.
 */
#include "literature/minkowski/convolution.h"
#include "math/functions.h"

#include <string.h>

/* ---- index of a vertex ------------------------------------------------------------------------------------------- */

typedef struct Crossing {
    double angle;
    int up, seen;
} Crossing;

/* Where the ring of v crosses the plane at right angles to n, as angles in that plane; gives their number. */
static int crossings_of(const AbutRings *r, const AbutVec3 *vertex, int32_t v, AbutVec3 n, Crossing *out) {
    AbutVec3 u = abut_perpendicular(n), w = abut_cross(n, u);
    int32_t first = r->ring_start[v], size = r->ring_start[v + 1] - first;
    int count = 0;
    for (int32_t k = 0; k < size && count < ABUT_RING_CROSSINGS; ++k) { /* more of a flat ring are rounding */
        AbutVec3 p = abut_sub(vertex[r->ring_vertex[first + k]], vertex[v]),
                 q = abut_sub(vertex[r->ring_vertex[first + (k + 1) % size]], vertex[v]);
        double a = abut_dot(n, p), b = abut_dot(n, q);
        if ((a > 0.0) == (b > 0.0)) continue;
        AbutVec3 c = abut_sub(abut_scale(q, a), abut_scale(p, b));
        c = a > 0.0 ? c : abut_neg(c);
        out[count++] = (Crossing){abut_atan2(abut_dot(c, w), abut_dot(c, u)), b > 0.0, 0};
    }
    return count;
}

/* The next crossing clockwise from `from`, or -1. */
static int clockwise(const Crossing *x, int count, int from) {
    int best = -1;
    double least = INFINITY;
    for (int j = 0; j < count; ++j) {
        double turn = x[from].angle - x[j].angle;
        turn += turn <= 0.0 ? 2.0 * ABUT_PI : 0.0;
        if (j != from && turn < least) least = turn, best = j;
    }
    return best;
}

/* 1 - number of parts of the solid above the plane, next to a vertex where it goes up and down more than once. */
static int saddle_index(const AbutRings *r, const AbutVec3 *vertex, int32_t v, AbutVec3 n) {
    Crossing x[ABUT_RING_CROSSINGS];
    int count = crossings_of(r, vertex, v, n, x), parts = 0;
    for (int i = 0; i < count; ++i) {
        if (!x[i].up || x[i].seen) continue;
        ++parts;
        for (int c = i; c >= 0 && x[c].up && !x[c].seen;) {
            x[c].seen = 1;
            c = clockwise(x, count, (c + 1) % count);
        }
    }
    return 1 - parts;
}

int abut_vertex_index(
    const AbutRings *r, const AbutVec3 *vertex, const AbutVec3 *normal, int32_t v, AbutVec3 n, int support) {
    int32_t first = r->ring_start[v], end = r->ring_start[v + 1];
    double level = abut_dot(n, vertex[v]);
    int before = abut_dot(n, vertex[r->ring_vertex[end - 1]]) > level, changes = 0;
    if (support && before) return 0;
    for (int32_t k = first; k < end; ++k) {
        int above = abut_dot(n, vertex[r->ring_vertex[k]]) > level;
        if (support && above) return 0;
        changes += above != before;
        before = above;
    }
    if (changes == 0) return abut_dot(n, normal[v]) > 0.0;
    return changes == 2 ? 0 : saddle_index(r, vertex, v, n);
}

/* ---- facets ------------------------------------------------------------------------------------------------------ */

int abut_edge_facet(const AbutConvolution *c, int32_t edge_a, int32_t edge_b, int convex, AbutVec3 *normal) {
    const int32_t *va = c->a.edge[edge_a], *vb = c->b.edge[edge_b];
    int sign_a = c->a.edge_sign[edge_a], sign_b = c->b.edge_sign[edge_b];
    if (convex ? sign_a <= 0 || sign_b <= 0 : sign_a == 0 || sign_b == 0) return 0;
    AbutVec3 along_a = abut_sub(c->a.vertex[va[1]], c->a.vertex[va[0]]);
    AbutVec3 along_b = abut_sub(c->b_turned[vb[1]], c->b_turned[vb[0]]);
    AbutVec3 n3 = abut_neg(c->b_face_normal[c->b.edge_face[edge_b][0]]),
             n4 = abut_neg(c->b_face_normal[c->b.edge_face[edge_b][1]]);
    double left = abut_dot(n3, along_a);
    if (left * abut_dot(n4, along_a) >= 0.0) return 0;
    AbutVec3 n1 = c->a.face_normal[c->a.edge_face[edge_a][0]], n2 = c->a.face_normal[c->a.edge_face[edge_a][1]];
    double right = abut_dot(n2, along_b);
    if (abut_dot(n1, along_b) * right >= 0.0 || left * right * sign_a * sign_b <= 0.0) return 0;
    AbutVec3 n = abut_normalize(abut_cross(along_a, along_b));
    *normal = abut_dot(n, abut_add(abut_add(n1, n2), abut_add(n3, n4))) < 0.0 ? abut_neg(n) : n;
    return sign_a * sign_b;
}

int abut_facet_corners(const AbutConvolution *c, const AbutFacet *f, AbutFacetCorner out[4]) {
    int count = f->kind == ABUT_FACET_EDGES ? 4 : 3;
    ABUT_ASSERT(c && f && out);
    for (int k = 0; k < count; ++k) {
        int32_t a = f->a, b = f->b;
        if (f->kind == ABUT_FACET_FACE_VERTEX)
            a = c->a.face[f->a].v[k];
        else if (f->kind == ABUT_FACET_VERTEX_FACE)
            b = c->b.face[f->b].v[k];
        else
            a = c->a.edge[f->a][k == 1 || k == 2], b = c->b.edge[f->b][k >= 2];
        out[k] = (AbutFacetCorner){a, b, abut_sub(c->a.vertex[a], c->b_vertex[b])};
    }
    AbutVec3 n = abut_cross(abut_sub(out[1].place, out[0].place), abut_sub(out[2].place, out[0].place));
    if (abut_dot(n, f->normal) < 0.0) {
        AbutFacetCorner kept = out[1];
        out[1] = out[count - 1];
        out[count - 1] = kept;
    }
    return count;
}

/* ---- walk -------------------------------------------------------------------------------------------------------- */

typedef struct Walk {
    const AbutConvolution *c;
    AbutVec3 center;
    double radius;
    int whole; /* with signs */
    void (*task)(const AbutFacet *, void *);
    void *user;
} Walk;

static void tell(const Walk *w, int32_t kind, int32_t a, int32_t b, int sign, AbutVec3 normal) {
    AbutFacet facet = {kind, a, b, sign, normal};
    if (sign != 0) w->task(&facet, w->user);
}

/* Everything that two triangles own. */
static void tell_pair(const Walk *w, int32_t f, int32_t g) {
    const AbutConvolution *c = w->c;
    AbutVec3 normal = abut_zero(), na = c->a.face_normal[f], nb = abut_neg(c->b_face_normal[g]);
    for (int k = 0; k < 3; ++k) {
        int32_t vb = c->b.face[g].v[k], va = c->a.face[f].v[k];
        if (c->b.vertex_owner[vb] == g)
            tell(w, ABUT_FACET_FACE_VERTEX, f, vb,
                abut_vertex_index(&c->b, c->b_turned, c->b_normal, vb, abut_neg(na), !w->whole), na);
        if (c->a.vertex_owner[va] == f)
            tell(w, ABUT_FACET_VERTEX_FACE, va, g,
                abut_vertex_index(&c->a, c->a.vertex, c->a.normal, va, nb, !w->whole), nb);
    }
    for (int k = 0; k < 9; ++k) {
        int32_t ea = c->a.face_edge[f][k / 3], eb = c->b.face_edge[g][k % 3];
        if (c->a.edge_owner[ea] == f && c->b.edge_owner[eb] == g) {
            int sign = abut_edge_facet(c, ea, eb, !w->whole, &normal);
            tell(w, ABUT_FACET_EDGES, ea, eb, sign, normal);
        }
    }
}

/* Can the normals under two nodes be opposite, and their places that near? */
static int may_meet(const Walk *w, int32_t i, int32_t j) {
    const AbutConvolution *c = w->c;
    double reach = c->a.node[i].radius + c->b.node[j].radius + w->radius;
    AbutVec3 off = abut_sub(abut_sub(c->a.node[i].center, c->b_center[j]), w->center);
    if (abut_length_sq(off) > reach * reach * (1.0 + 1e-12)) return 0;
    double angle = c->a.cap[i].angle + c->b.cap[j].angle;
    return angle >= ABUT_PI || -abut_dot(c->a.cap[i].axis, c->b_axis[j]) >= abut_cos(angle);
}

static void walk(const Walk *w, int32_t i, int32_t j) {
    const AbutBallNode *a = &w->c->a.node[i], *b = &w->c->b.node[j];
    if (!may_meet(w, i, j)) return;
    if (a->right < 0 && b->right < 0)
        tell_pair(w, w->c->a.item[a->first], w->c->b.item[b->first]);
    else if (b->right < 0 || (a->right >= 0 && a->radius > b->radius)) {
        walk(w, i + 1, j);
        walk(w, a->right, j);
    } else {
        walk(w, i, j + 1);
        walk(w, i, b->right);
    }
}

void abut_convolution_facets(const AbutConvolution *c, AbutVec3 center, double radius, int whole,
    void (*task)(const AbutFacet *, void *), void *user) {
    ABUT_ASSERT(c && task);
    Walk w = {c, center, radius > 0.0 ? radius : 0.0, whole, task, user};
    walk(&w, 0, 0);
}

/* ---- measure ----------------------------------------------------------------------------------------------------- */

typedef struct Measure {
    const AbutConvolution *c;
    AbutConvolutionMeasure out;
    AbutVec3 sum;
} Measure;

/* Solid angle of a triangle seen from the origin. */
static double solid_angle(AbutVec3 a, AbutVec3 b, AbutVec3 c) {
    double x = abut_length(a), y = abut_length(b), z = abut_length(c);
    return 2.0 *
           abut_atan2(abut_triple(a, b, c), x * y * z + abut_dot(a, b) * z + abut_dot(b, c) * x + abut_dot(c, a) * y);
}

static void measure_facet(const AbutFacet *facet, void *user) {
    Measure *m = user;
    AbutFacetCorner p[4];
    int count = abut_facet_corners(m->c, facet, p);
    for (int k = 2; k < count; ++k) {
        AbutVec3 a = p[0].place, b = p[k - 1].place, c = p[k].place;
        AbutVec3 area = abut_scale(abut_cross(abut_sub(b, a), abut_sub(c, a)), 0.5);
        m->out.area += abut_length(area);
        m->out.volume += facet->sign * abut_dot(a, area) / 3.0;
        m->out.winding += facet->sign * solid_angle(a, b, c) / (4.0 * ABUT_PI);
        m->sum = abut_add_scaled(m->sum, area, facet->sign);
    }
    ++m->out.facets;
}

double abut_convolution_reach(const AbutConvolution *c) {
    return 4.0 * (c->a.radius + c->b.radius + abut_length(c->pose.p));
}

AbutConvolutionMeasure abut_convolution_measure_ball(const AbutConvolution *c, AbutVec3 center, double radius) {
    Measure m = {.c = c};
    abut_convolution_facets(c, center, radius, 1, measure_facet, &m);
    m.out.open = m.out.area > 0.0 ? abut_length(m.sum) / m.out.area : 0.0;
    return m.out;
}

AbutConvolutionMeasure abut_convolution_measure(const AbutConvolution *c) {
    ABUT_ASSERT(c);
    return abut_convolution_measure_ball(c, abut_zero(), abut_convolution_reach(c));
}

/* ---- object ------------------------------------------------------------------------------------------------------ */

int abut_convolution_place(AbutConvolution *c, AbutPose b_in_a) {
    ABUT_ASSERT(c);
    if (!abut_pose_is_finite(b_in_a) || fabs(abut_quat_dot(b_in_a.q, b_in_a.q) - 1.0) > 1e-9) return 0;
    AbutVec3 axis = abut_normalize(abut_vec3(0.36, 0.48, 0.8017));
    AbutPose turned = abut_pose(b_in_a.p, abut_quat_mul(abut_quat_axis_angle(axis, ABUT_TIE_TURN), b_in_a.q));
    AbutMat3 r = abut_quat_to_mat3(turned.q), exact = abut_quat_to_mat3(b_in_a.q);
    c->pose = b_in_a;
    for (int32_t v = 0; v < c->b.vertex_count; ++v) {
        c->b_vertex[v] = abut_add(abut_mat3_apply(exact, c->b.vertex[v]), b_in_a.p);
        c->b_turned[v] = abut_add(abut_mat3_apply(r, c->b.vertex[v]), b_in_a.p);
        c->b_normal[v] = abut_mat3_apply(r, c->b.normal[v]);
    }
    for (int32_t f = 0; f < c->b.face_count; ++f) c->b_face_normal[f] = abut_mat3_apply(r, c->b.face_normal[f]);
    for (int32_t n = 0; n < c->b.node_count; ++n) {
        c->b_center[n] = abut_add(abut_mat3_apply(exact, c->b.node[n].center), b_in_a.p);
        c->b_axis[n] = abut_mat3_apply(r, c->b.cap[n].axis);
    }
    return 1;
}

void abut_convolution_free(AbutConvolution *c) {
    if (!c) return;
    abut_rings_free(&c->a);
    abut_rings_free(&c->b);
    void *all[] = {c->b_vertex, c->b_turned, c->b_normal, c->b_face_normal, c->b_center, c->b_axis};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; ++i) abut_free(all[i]);
    abut_free(c);
}

static int take_memory(AbutConvolution *c) {
    size_t v = (size_t)c->b.vertex_count, n = (size_t)c->b.node_count;
    c->b_vertex = abut_alloc_array(v, sizeof *c->b_vertex);
    c->b_turned = abut_alloc_array(v, sizeof *c->b_turned);
    c->b_normal = abut_alloc_array(v, sizeof *c->b_normal);
    c->b_face_normal = abut_alloc_array((size_t)c->b.face_count, sizeof *c->b_face_normal);
    c->b_center = abut_alloc_array(n, sizeof *c->b_center);
    c->b_axis = abut_alloc_array(n, sizeof *c->b_axis);
    return c->b_vertex && c->b_turned && c->b_normal && c->b_face_normal && c->b_center && c->b_axis;
}

AbutStatus abut_convolution_create(const AbutMesh *a, const AbutMesh *b, AbutConvolution **out, AbutError *error) {
    ABUT_ASSERT(a && b && out);
    *out = NULL;
    AbutConvolution *c = abut_alloc(sizeof *c);
    if (!c) return abut_fail_memory(error);
    memset(c, 0, sizeof *c);
    AbutStatus status = abut_rings_create(a, &c->a, error);
    if (status == ABUT_OK) status = abut_rings_create(b, &c->b, error);
    if (status == ABUT_OK && !take_memory(c)) status = abut_fail_memory(error);
    if (status == ABUT_OK) (void)abut_convolution_place(c, abut_pose_identity());
    if (status == ABUT_OK)
        *out = c;
    else
        abut_convolution_free(c);
    return status;
}

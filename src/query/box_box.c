/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Penetration of two boxes: the facets of their Minkowski difference have only fifteen directions (three face
 * directions of each box, nine products of edges), each in two senses, and the sense that faces the other box is the
 * nearer one. The least support value over them is the depth. Edge directions win only when they are better by more
 * than rounding, so that faces are preferred when both describe the same facet.
 *
 * Witness points: a facet is a parallelogram. Against a face its sides belong to that face, across two edges one to
 * each box, and of boxes with parallel axes to whichever box ends first; the foot of the origin on it gives two
 * coordinates, and three of its corners carry the foot. Any other case (a face turned on a face, an edge lying
 * in one) goes to the search over the vertices of the facet.
 */
#include "math/matrix.h"
#include "query/support.h"
#include "query/tolerance.h"

#include <float.h>

/* The pair as numbers by axis: index 0 is A, 1 is B. */
typedef struct Boxes {
    double half[2][3];
    double cosine[3][3]; /* axis i of A . axis j of B */
    double size[3][3];   /* their absolute values */
    double middle[2][3]; /* from the middle of A to that of B, along the axes of A and of B */
} Boxes;

/* The direction of least overlap: face `axis` of box `own` (edge < 0), or across edge `axis` of A and `edge` of B. */
typedef struct Direction {
    int own, axis, edge;
    double depth;
    AbutVec3 normal; /* unit, from A to B */
} Direction;

static inline void spread(AbutVec3 v, double out[3]) {
    out[0] = v.x;
    out[1] = v.y;
    out[2] = v.z;
}

static inline Boxes read_boxes(const AbutPairView *pair) {
    Boxes b;
    AbutVec3 axis_b[3] = {pair->rotation.x, pair->rotation.y, pair->rotation.z};
    spread(pair->a.convex->p[0], b.half[0]);
    spread(pair->b.convex->p[0], b.half[1]);
    spread(pair->position, b.middle[0]);
    for (int j = 0; j < 3; ++j) {
        b.middle[1][j] = abut_dot(axis_b[j], pair->position);
        b.cosine[0][j] = axis_b[j].x, b.cosine[1][j] = axis_b[j].y, b.cosine[2][j] = axis_b[j].z;
        b.size[0][j] = fabs(axis_b[j].x), b.size[1][j] = fabs(axis_b[j].y), b.size[2][j] = fabs(axis_b[j].z);
    }
    return b;
}

/* Half extent of a box with half sizes h along n, the box axes being the columns of r. */
static inline double extent(AbutVec3 h, AbutMat3 r, AbutVec3 n) {
    return h.x * fabs(abut_dot(r.x, n)) + h.y * fabs(abut_dot(r.y, n)) + h.z * fabs(abut_dot(r.z, n));
}

/* Overlap along a unit direction. */
static inline double overlap_along(const AbutPairView *pair, AbutVec3 n) {
    AbutVec3 ha = pair->a.convex->p[0];
    return ha.x * fabs(n.x) + ha.y * fabs(n.y) + ha.z * fabs(n.z) + extent(pair->b.convex->p[0], pair->rotation, n) -
           fabs(abut_dot(n, pair->position));
}

/* ---- faces ------------------------------------------------------------------------------------------------------- */

static inline double face_overlap(const Boxes *b, int own, int k) {
    const double *other = b->half[!own];
    double reach = own ? other[0] * b->size[0][k] + other[1] * b->size[1][k] + other[2] * b->size[2][k]
                       : other[0] * b->size[k][0] + other[1] * b->size[k][1] + other[2] * b->size[k][2];
    return b->half[own][k] + reach - fabs(b->middle[own][k]);
}

static AbutVec3 face_normal(const AbutPairView *pair, const Boxes *b, const Direction *d) {
    AbutVec3 axis_b[3] = {pair->rotation.x, pair->rotation.y, pair->rotation.z};
    AbutVec3 n = d->own ? axis_b[d->axis] : abut_axis(d->axis);
    return b->middle[d->own][d->axis] < 0.0 ? abut_neg(n) : n;
}

/* The six face directions; stops at the first gap. */
static inline void try_faces(const Boxes *b, double touch, Direction *best) {
    for (int own = 0; own < 2; ++own)
        for (int k = 0; k < 3; ++k) {
            double depth = face_overlap(b, own, k);
            if (depth < best->depth) {
                best->depth = depth;
                best->own = own;
                best->axis = k;
                if (depth < -touch) return;
            }
        }
}

/* ---- edges ------------------------------------------------------------------------------------------------------- */

/*
 * Can the direction across edge i of A and j of B, of squared length `square`, be no better than `depth`? Its overlap
 * before the division by its length, which is at most 1, tells, but for edges so nearly parallel that rounding decides.
 * Parallel edges span nothing.
 */
static inline int edges_cannot_win(const Boxes *b, int i, int j, double square, double depth) {
    static const int after[3] = {1, 2, 0};
    int i1 = after[i], i2 = after[i1], j1 = after[j], j2 = after[j1];
    double reach_a = b->half[0][i1] * b->size[i2][j] + b->half[0][i2] * b->size[i1][j];
    double reach_b = b->half[1][j1] * b->size[i][j2] + b->half[1][j2] * b->size[i][j1];
    double overlap =
        reach_a + reach_b - fabs(b->middle[0][i2] * b->cosine[i1][j] - b->middle[0][i1] * b->cosine[i2][j]);
    return square == 0.0 || (depth > 0.0 && overlap >= depth && square > ABUT_QUERY_BOX_SLANTED);
}

/* The direction itself is exact however nearly parallel the edges are: its coordinates are those of the edge of B. */
static inline void try_edges(const AbutPairView *pair, const Boxes *b, Direction *best) {
    AbutVec3 axis_b[3] = {pair->rotation.x, pair->rotation.y, pair->rotation.z};
    double slack = ABUT_QUERY_BOX_FACE * pair->noise;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            AbutVec3 n = abut_cross(abut_axis(i), axis_b[j]);
            double square = abut_length_sq(n);
            if (edges_cannot_win(b, i, j, square, best->depth)) continue;
            n = abut_scale(n, 1.0 / sqrt(square));
            double depth = overlap_along(pair, n);
            if (depth < best->depth - slack) {
                best->depth = depth;
                best->axis = i;
                best->edge = j;
                best->normal = abut_dot(n, pair->position) < 0.0 ? abut_neg(n) : n;
            }
        }
}

/* Least overlap over the fifteen directions; stops at the first face direction with a gap. */
static inline Direction least_overlap(const AbutPairView *pair, const Boxes *b) {
    Direction best = {0, 0, -1, INFINITY, {0, 0, 0}};
    try_faces(b, pair->touch, &best);
    if (best.depth >= -pair->touch) try_edges(pair, b, &best);
    if (best.edge < 0) best.normal = face_normal(pair, b, &best);
    return best;
}

/* ---- witness points ---------------------------------------------------------------------------------------------- */

/* A facet as a parallelogram: the corner where both sides begin, the bit of the corner number that each side sets in
 * which box, and the place of the foot of the origin along the sides. */
typedef struct Patch {
    int32_t corner[2]; /* of A, of B */
    int box[2];
    int32_t bit[2];
    double place[2];
} Patch;

static AbutDifference patch_corner(const AbutPairView *pair, const Patch *p, int first, int second) {
    int32_t corner[2] = {p->corner[0], p->corner[1]};
    if (first) corner[p->box[0]] |= p->bit[0];
    if (second) corner[p->box[1]] |= p->bit[1];
    return abut_pair_vertex(pair, corner[0], corner[1]);
}

static void add_corner(const AbutPairView *pair, const Patch *p, int first, int second, double weight, AbutSimplex *s) {
    if (weight <= ABUT_EPA_NO_WEIGHT) return;
    s->p[s->count] = patch_corner(pair, p, first, second);
    s->weight[s->count++] = weight;
}

/* The three corners of the half of the patch that holds the foot. False when the foot is not on the patch. */
static int patch_simplex(const AbutPairView *pair, const Patch *p, AbutSimplex *s) {
    double u = p->place[0], v = p->place[1];
    if (!(u >= -ABUT_QUERY_BOX_FOOT && u <= 1.0 + ABUT_QUERY_BOX_FOOT && v >= -ABUT_QUERY_BOX_FOOT &&
            v <= 1.0 + ABUT_QUERY_BOX_FOOT))
        return 0;
    u = abut_smaller(1.0, abut_larger(0.0, u));
    v = abut_smaller(1.0, abut_larger(0.0, v));
    int far = u + v > 1.0;
    s->count = 0;
    add_corner(pair, p, far, far, far ? u + v - 1.0 : 1.0 - u - v, s);
    add_corner(pair, p, 1, 0, far ? 1.0 - v : u, s);
    add_corner(pair, p, 0, 1, far ? 1.0 - u : v, s);
    return s->count > 0;
}

/* Axis k of `own` times axis j of the other box. */
static inline double cosine_of(const Boxes *b, int own, int k, int j) {
    return own ? b->cosine[j][k] : b->cosine[k][j];
}

/* A corner of the other box on a face of `own`. */
static void corner_on_face(const Boxes *b, int own, int k, double sense, Patch *p) {
    double sign[3];
    for (int j = 0; j < 3; ++j) { /* the farthest corner against the face's outward normal */
        sign[j] = sense * cosine_of(b, own, k, j) > 0.0 ? -1.0 : 1.0;
        p->corner[!own] |= sign[j] > 0.0 ? 1 << j : 0;
    }
    p->corner[own] |= sense > 0.0 ? 1 << k : 0;
    for (int side = 0; side < 2; ++side) {
        int i = (k + 1 + side) % 3;
        double at = own ? -b->middle[1][i] : b->middle[0][i];
        for (int j = 0; j < 3; ++j) at += sign[j] * b->half[!own][j] * cosine_of(b, own, i, j);
        p->box[side] = own;
        p->bit[side] = 1 << i;
        p->place[side] = 0.5 * (at / b->half[own][i] + 1.0);
    }
}

/* The axis of the other box along axis k of `own`, to rounding; -1 when there is none. */
static int along(const Boxes *b, int own, int k) {
    int found = -1, across = 0;
    for (int j = 0; j < 3; ++j) {
        if (fabs(cosine_of(b, own, k, j)) <= 8.0 * DBL_EPSILON)
            ++across;
        else
            found = j;
    }
    return across == 2 ? found : -1;
}

/* A face on a face, all axes parallel: the corner of their common rectangle where the coordinates are least. */
static int face_on_face(const Boxes *b, int own, int k, double sense, Patch *p) {
    for (int i = 0; i < 3; ++i) {
        int j = along(b, own, i), side = (i + 2 - k) % 3;
        if (j < 0) return 0;
        int turned = cosine_of(b, own, i, j) < 0.0;
        if (i == k) { /* the two faces */
            p->corner[own] |= sense > 0.0 ? 1 << i : 0;
            p->corner[!own] |= (sense < 0.0) != turned ? 1 << j : 0;
            continue;
        }
        double h = b->half[own][i], g = b->half[!own][j];
        double at = (own ? -b->middle[1][i] : b->middle[0][i]) - g + h; /* from the least end of own to that of other */
        int ends = at > 0.0;                                            /* the other box ends within this one */
        p->box[side] = ends ? own : !own;
        p->bit[side] = 1 << (ends ? i : j);
        p->place[side] = ends ? 0.5 * at / h : -0.5 * at / g;
        if (turned && ends) /* the least end has the bit set */
            p->corner[!own] |= 1 << j;
        else if (turned)
            p->place[side] = 1.0 - p->place[side];
    }
    return 1;
}

static int face_patch(const AbutPairView *pair, const Boxes *b, const Direction *d, Patch *p) {
    double slack = ABUT_FACET_THICK * pair->size + pair->noise, sense = b->middle[d->own][d->axis] < 0.0 ? -1.0 : 1.0;
    int level = 0; /* axes of the other box that lie in the face */
    sense = d->own ? -sense : sense;
    for (int j = 0; j < 3; ++j) level += fabs(cosine_of(b, d->own, d->axis, j)) * b->half[!d->own][j] <= slack;
    if (level == 2) return face_on_face(b, d->own, d->axis, sense, p);
    corner_on_face(b, d->own, d->axis, sense, p);
    return level == 0;
}

/* Edges that cross: the 2x2 system of their directions. */
static int edge_patch(const AbutPairView *pair, const Boxes *b, const Direction *d, Patch *p) {
    int i = d->axis, j = d->edge;
    AbutVec3 axis_b[3] = {pair->rotation.x, pair->rotation.y, pair->rotation.z};
    for (int k = 0; k < 3; ++k) {
        p->corner[0] |= k != i && abut_get(d->normal, k) > 0.0 ? 1 << k : 0;
        p->corner[1] |= k != j && abut_dot(d->normal, axis_b[k]) < 0.0 ? 1 << k : 0;
    }
    p->box[0] = 0, p->box[1] = 1;
    p->bit[0] = 1 << i, p->bit[1] = 1 << j;
    AbutVec3 r = abut_sub(abut_scale(d->normal, d->depth), patch_corner(pair, p, 0, 0).w);
    double ra = abut_get(r, i), rb = abut_dot(r, axis_b[j]), c = b->cosine[i][j];
    double u = b->cosine[(i + 1) % 3][j], v = b->cosine[(i + 2) % 3][j], sine_sq = u * u + v * v;
    p->place[0] = 0.5 * (ra - c * rb) / (sine_sq * b->half[0][i]);
    p->place[1] = 0.5 * (c * ra - rb) / (sine_sq * b->half[1][j]);
    return 1;
}

/* ---- entries ----------------------------------------------------------------------------------------------------- */

/* Is there a gap along a face direction? The direction, or zero. */
static AbutVec3 face_gap(const AbutPairView *pair) {
    AbutVec3 ha = pair->a.convex->p[0], hb = pair->b.convex->p[0], c = pair->position, far = abut_abs(c);
    AbutVec3 axis_b[3] = {pair->rotation.x, pair->rotation.y, pair->rotation.z};
    AbutVec3 x = abut_abs(axis_b[0]), y = abut_abs(axis_b[1]), z = abut_abs(axis_b[2]);
    double touch = pair->touch;
    if (far.x - ha.x - (hb.x * x.x + hb.y * y.x + hb.z * z.x) > touch) return abut_vec3(copysign(1.0, c.x), 0.0, 0.0);
    if (far.y - ha.y - (hb.x * x.y + hb.y * y.y + hb.z * z.y) > touch) return abut_vec3(0.0, copysign(1.0, c.y), 0.0);
    if (far.z - ha.z - (hb.x * x.z + hb.y * y.z + hb.z * z.z) > touch) return abut_vec3(0.0, 0.0, copysign(1.0, c.z));
    for (int j = 0; j < 3; ++j) {
        double middle = abut_dot(axis_b[j], c);
        if (fabs(middle) - abut_get(hb, j) - abut_dot(ha, abut_abs(axis_b[j])) > touch)
            return middle < 0.0 ? abut_neg(axis_b[j]) : axis_b[j];
    }
    return abut_zero();
}

int abut_boxes_meet(const AbutPairView *pair, AbutVec3 *normal) {
    if (abut_length_sq(*normal) > 0.0 && overlap_along(pair, *normal) < -pair->touch) return 0;
    *normal = face_gap(pair);
    if (abut_length_sq(*normal) > 0.0) return 0;
    Boxes b = read_boxes(pair);
    Direction d = least_overlap(pair, &b);
    *normal = d.normal;
    return d.depth >= -pair->touch;
}

void abut_box_facet(AbutPairView *pair, AbutFacet *out) {
    Patch patch = {{0, 0}, {0, 0}, {0, 0}, {0.0, 0.0}};
    Boxes b = read_boxes(pair);
    Direction d = least_overlap(pair, &b);
    out->found = 1;
    out->gap = 0.0;
    out->depth = d.depth;
    out->normal = d.normal;
    out->simplex.count = 0;
    out->rival = abut_zero();
    if (d.depth >= -pair->touch &&
        !((d.edge < 0 ? face_patch(pair, &b, &d, &patch) : edge_patch(pair, &b, &d, &patch)) &&
            patch_simplex(pair, &patch, &out->simplex)))
        out->simplex = abut_facet_witness(pair, d.normal, d.depth);
}

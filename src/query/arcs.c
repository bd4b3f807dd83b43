/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Penetration depth of two polyhedra with faces, by a search over all facets of their Minkowski difference A - B that
 * never looks at two edges that do not meet.
 *
 * In: a pair whose interiors overlap, and the best direction known. Out: the facet of least support value, and a lower
 * bound of the depth, so that the answer comes with its gap. Frame of A.
 *
 * On the sphere of normals a face is a point, an edge the arc between its two faces, a vertex the cell between its
 * edges. The support value n.w of a vertex pair is concave over the common part of their cells where it is positive, so
 * its least value stands at a corner: a face of A, a face of B, or a crossing of two arcs.
 *   1 faces: the vertex of the other body opposite to a face is found by climbing from the last one found in that part
 *     of the sphere; any vertex whose value is not below the best settles the face at once.
 *   2 edges of A: along its arc the difference is a convex polygon, and the nearest side is searched as the expanding
 *     polytope does in space: the chord of two known corners bounds the arc between them from below; chords that may
 *     hold something nearer are split at the support point across them.
 * The work grows with the number of vertices and of crossings that are nearer than the best direction. Nothing is
 * stored per vertex.
 */
#include "query/support.h"
#include "query/tolerance.h"

enum { CELLS = 8, MAX_PENDING = 64 };

/* One body (`own`) whose faces and edges are directions, and the other, whose vertices lie opposite. Frame of `own`. */
typedef struct Side {
    const AbutPolyhedron *own, *other;
    AbutMat3 turn; /* other to own */
    AbutVec3 shift;
    int32_t last;                     /* vertex of `other` found last */
    int32_t found[6 * CELLS * CELLS]; /* the same by part of the sphere; -1: none yet */
} Side;

typedef struct Search {
    AbutPairView *pair;
    AbutFacet *best;
    double low; /* least of the bounds that settled a face or a part of an arc */
    Side side;
} Search;

/* A direction on an arc with its support point of the difference. */
typedef struct Stop {
    AbutVec3 n, w;
    int32_t vertex; /* of the other body */
} Stop;

static int sphere_cell(AbutVec3 d) {
    double x[3] = {d.x, d.y, d.z}, most = abut_max_abs(d);
    int axis = fabs(d.x) == most ? 0 : (fabs(d.y) == most ? 1 : 2);
    double u = x[(axis + 1) % 3] / most, v = x[(axis + 2) % 3] / most;
    int i = (int)((u + 1.0) * (0.5 * CELLS)), j = (int)((v + 1.0) * (0.5 * CELLS));
    i = i < CELLS ? i : CELLS - 1;
    j = j < CELLS ? j : CELLS - 1;
    return ((2 * axis + (x[axis] > 0.0)) * CELLS + i) * CELLS + j;
}

/* Vertex of the other body in the frame of this one. */
static AbutVec3 place(const Side *side, int32_t vertex) {
    return abut_add(abut_mat3_apply(side->turn, abut_polyhedron_vertices(side->other)[vertex]), side->shift);
}

/* The difference at corner `c` of this body against the vertex of the other farthest along -n. */
static Stop stop_at(Search *s, AbutVec3 c, AbutVec3 n, int32_t from) {
    Stop out;
    ++s->pair->supports;
    out.n = n;
    out.vertex = abut_polyhedron_climb(s->side.other, abut_neg(abut_mat3_apply_t(s->side.turn, n)), from);
    out.w = abut_sub(c, place(&s->side, out.vertex));
    return out;
}

/* The vertex opposite to directions like n that was found last. */
static int32_t nearby(const Side *side, AbutVec3 n) {
    int32_t found = side->found[sphere_cell(n)];
    return found >= 0 ? found : side->last;
}

/* The same, climbing from vertex `from` or from what was found nearby. */
static Stop stop_near(Search *s, AbutVec3 corner, AbutVec3 n, int32_t from) {
    Side *side = &s->side;
    int32_t other = nearby(side, n);
    int closer = from != other && abut_dot(n, place(side, from)) < abut_dot(n, place(side, other));
    Stop out = stop_at(s, corner, n, closer ? from : other);
    side->last = side->found[sphere_cell(n)] = out.vertex;
    return out;
}

/* The support value of the pair along n, as a candidate; vertices to climb from. */
static void try_here(Search *s, AbutVec3 n, int32_t own, int32_t other) {
    s->pair->a.hint = own;
    s->pair->b.hint = other;
    abut_facet_try(s->pair, n, s->best);
}

/* ---- faces ------------------------------------------------------------------------------------------------------- */

static void start_side(Side *side, const AbutPairView *pair, int swapped) {
    side->own = (swapped ? pair->b : pair->a).convex->polyhedron;
    side->other = (swapped ? pair->a : pair->b).convex->polyhedron;
    side->turn = swapped ? abut_mat3_transpose(pair->rotation) : pair->rotation;
    side->shift = swapped ? abut_neg(abut_mat3_apply(side->turn, pair->position)) : pair->position;
    side->last = 0;
    for (int i = 0; i < 6 * CELLS * CELLS; ++i) side->found[i] = -1;
}

static int32_t face_vertex(const AbutPolyhedron *p, int f) {
    return abut_polyhedron_half_edges(p)[abut_polyhedron_faces(p)[f].first].origin;
}

static void try_face(Search *s, int f, int swapped) {
    Side *side = &s->side;
    int32_t vertex = face_vertex(side->own, f);
    AbutVec3 corner = abut_polyhedron_vertices(side->own)[vertex], n = abut_polyhedron_faces(side->own)[f].plane.normal;
    int32_t from = nearby(side, n);
    if (abut_dot(n, abut_sub(corner, place(side, from))) >= s->best->depth) return;
    Stop stop = stop_near(s, corner, n, from);
    if (abut_dot(n, stop.w) >= s->best->depth) return;
    if (swapped)
        try_here(s, abut_neg(abut_mat3_apply(s->pair->rotation, n)), stop.vertex, vertex);
    else
        try_here(s, n, vertex, stop.vertex);
}

static int try_faces(Search *s, int swapped) {
    start_side(&s->side, s->pair, swapped);
    for (int f = 0; f < s->side.own->face_count; ++f) {
        if (s->pair->supports >= s->pair->budget) return 0;
        try_face(s, f, swapped);
    }
    return 1;
}

/* ---- edges of A -------------------------------------------------------------------------------------------------- */

/* An edge of A as an arc: one of its ends, its direction. */
typedef struct Arc {
    int32_t vertex;
    AbutVec3 corner, along;
} Arc;

/* Can what lies between two tried directions be left alone, where no value is below `bound`? */
static int settled(const Search *s, double bound) { return s->best->depth > 0.0 && bound >= s->best->depth; }

/*
 * The part of an arc between two stops, left to right: the direction across their chord bounds it from below. Gives 1
 * and the support point there when the chord is no side of the polygon and may hide something nearer.
 */
static int split(Search *s, const Arc *arc, const Stop *left, const Stop *right, Stop *middle) {
    if (left->vertex == right->vertex) return 0;
    AbutVec3 n = abut_cross(arc->along, abut_sub(right->w, left->w));
    double length = abut_length(n);
    if (length <= s->pair->noise) return 0; /* one corner of the polygon */
    n = abut_scale(n, abut_dot(n, abut_add(left->n, right->n)) < 0.0 ? -1.0 / length : 1.0 / length);
    double bound = abut_smaller(abut_dot(n, left->w), abut_dot(n, right->w));
    if (settled(s, bound)) return 0;
    *middle = stop_near(s, arc->corner, n, right->vertex);
    double value = abut_dot(n, middle->w);
    if (value < s->best->depth) try_here(s, n, arc->vertex, middle->vertex);
    if (value - bound > s->pair->noise && middle->vertex != left->vertex && middle->vertex != right->vertex) return 1;
    s->low = abut_smaller(s->low, bound);
    return 0;
}

static void search_arc(Search *s, const Arc *arc, Stop left, Stop right) {
    Stop pending[MAX_PENDING], middle;
    int count = 0;
    pending[count++] = right;
    while (count > 0) {
        if (split(s, arc, &left, &pending[count - 1], &middle)) {
            if (count == MAX_PENDING || s->pair->supports >= s->pair->budget) {
                s->low = -INFINITY; /* what is left of the arc has no bound */
                return;
            }
            pending[count++] = middle;
        } else {
            left = pending[--count];
        }
    }
}

/* The arc from face f over its half-edge h; wide ones, as of flat bodies, in two parts. */
static void search_edge(Search *s, const Stop *start, int32_t h) {
    const AbutPolyhedron *p = s->side.own;
    const AbutHalfEdge *half = abut_polyhedron_half_edges(p);
    const AbutVec3 *v = abut_polyhedron_vertices(p);
    int32_t twin = half[h].twin, from = half[h].origin;
    AbutVec3 n0 = start->n, n1 = abut_polyhedron_faces(p)[half[twin].face].plane.normal;
    Arc arc = {from, v[from], abut_normalize(abut_sub(v[half[twin].origin], v[from]))};
    Stop left = {n0, abut_sub(arc.corner, place(&s->side, start->vertex)), start->vertex};
    int wide = abut_dot(n0, n1) < -0.5;
    s->low = abut_smaller(s->low, abut_dot(n0, left.w));
    if (!wide && settled(s, abut_dot(n1, left.w))) return;
    if (wide) {
        AbutVec3 across = abut_add(abut_cross(arc.along, n0), abut_cross(n1, arc.along));
        Stop middle = stop_near(s, arc.corner, abut_normalize(across), left.vertex);
        if (abut_dot(middle.n, middle.w) < s->best->depth) try_here(s, middle.n, arc.vertex, middle.vertex);
        search_arc(s, &arc, left, middle);
        left = middle;
    }
    Stop right = stop_near(s, arc.corner, n1, left.vertex);
    s->low = abut_smaller(s->low, abut_dot(n1, right.w));
    search_arc(s, &arc, left, right);
}

static int try_edges(Search *s) {
    const AbutPolyhedron *p;
    start_side(&s->side, s->pair, 0);
    p = s->side.own;
    for (int f = 0; f < p->face_count; ++f) {
        const AbutFace *face = &abut_polyhedron_faces(p)[f];
        AbutVec3 n = face->plane.normal, corner = abut_polyhedron_vertices(p)[face_vertex(p, f)];
        Stop stop = stop_near(s, corner, n, s->side.last);
        for (int32_t h = face->first; h < face->first + face->count; ++h)
            if (h < abut_polyhedron_half_edges(p)[h].twin) search_edge(s, &stop, h);
        if (s->pair->supports >= s->pair->budget) return 0;
    }
    return 1;
}

int abut_arcs_fit(const AbutPairView *pair) {
    const AbutConvex *a = pair->a.convex, *b = pair->b.convex;
    return a->kind == ABUT_CONVEX_POLYHEDRON && b->kind == ABUT_CONVEX_POLYHEDRON && a->polyhedron->dimension > 1 &&
           b->polyhedron->dimension > 1;
}

void abut_arc_search(AbutPairView *pair, AbutFacet *best) {
    Search s = {.pair = pair, .best = best, .low = INFINITY};
    double known = best->depth < INFINITY ? best->depth - best->gap : 0.0;
    int done = try_faces(&s, 0) && try_faces(&s, 1) && try_edges(&s) && s.low > -INFINITY;
    double low = done ? s.low : known;
    best->found = done;
    best->gap = abut_larger(0.0, best->depth - low);
}

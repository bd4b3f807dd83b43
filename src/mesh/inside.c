/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rays against a mesh: which side of the surface is a point on, and what does a ray hit first?
 *
 * In: a tree and a point or ray in its frame. Out: winding number or parity of the crossings, or the first hit. Method:
 * vertices are projected along the ray; a triangle is crossed where the three sides turn the same way around the
 * origin. The turns are exact for the projected vertices, which are the same numbers in every triangle that shares
 * them, and a turn of zero counts as -1 with the ends of the side in one fixed order: this is the projection of a point
 * moved by an infinitely small step, so that a ray through a side or a vertex crosses a closed surface as often as any
 * other (Edelsbrunner and Muecke, Simulation of simplicity, 1990).
 */
#include "mesh/kernels.h"
#include "mesh/mesh_pair.h"
#include "mesh/tolerance.h"
#include "shape/exact.h"

enum { MOST_LOOKED_AT = 2048 }; /* triangles */

/* A ray from the origin of its own coordinates along the first axis. */
typedef struct Ray {
    AbutVec3 origin;
    AbutMat3 turn; /* rows: the axes */
    double scale;  /* brings all coordinates within 1 */
    double exact_scale;
} Ray;

typedef struct Crossing {
    int way;  /* 1: the ray leaves through the back of the triangle, -1: enters through its front, 0: none */
    double x; /* along the ray */
} Crossing;

/* Which way does the side from p to q turn around the origin, seen along the ray? */
static int turn_of(AbutVec3 p, AbutVec3 q) {
    int swap = q.y < p.y || (q.y == p.y && q.z < p.z);
    int turn = swap ? abut_exact_area(q.y, q.z, p.y, p.z) : abut_exact_area(p.y, p.z, q.y, q.z);
    turn = turn == 0 ? -1 : turn;
    return swap ? -turn : turn;
}

static AbutVec3 clean(AbutVec3 p) {
    const double dust = 0x1p-400;
    return abut_vec3(p.x, fabs(p.y) < dust ? 0.0 : p.y, fabs(p.z) < dust ? 0.0 : p.z);
}

static Crossing cross_triangle(const Ray *ray, const AbutVec3 *v) {
    Crossing none = {0, 0.0};
    AbutVec3 p[3];
    for (int k = 0; k < 3; ++k) {
        AbutVec3 w = abut_scale(abut_sub(v[k], ray->origin), ray->scale);
        p[k] = clean(abut_vec3(abut_dot(ray->turn.x, w), abut_dot(ray->turn.y, w), abut_dot(ray->turn.z, w)));
    }
    int turn = turn_of(p[0], p[1]);
    if (turn_of(p[1], p[2]) != turn || turn_of(p[2], p[0]) != turn) return none;
    double e0 = p[0].y * p[1].z - p[0].z * p[1].y, e1 = p[1].y * p[2].z - p[1].z * p[2].y;
    double e2 = p[2].y * p[0].z - p[2].z * p[0].y, area = e0 + e1 + e2;
    Crossing out = {turn, 0.0};
    out.x = area != 0.0 ? (e1 * p[0].x + e2 * p[1].x + e0 * p[2].x) / area : (p[0].x + p[1].x + p[2].x) / 3.0;
    out.x /= ray->scale;
    return out;
}

static Ray ray_from(const AbutMeshTree *t, AbutVec3 origin, AbutVec3 u) {
    AbutVec3 v = u.x == 1.0 ? abut_axis(1) : abut_perpendicular(u);
    double size = abut_point_distance(t->center, origin) + t->radius,
           reach = abut_length(origin) + abut_length(t->center);
    int exponent = 0, exact = 0;
    (void)frexp(size, &exponent);
    (void)frexp(reach + size, &exact);
    Ray ray = {origin, abut_mat3(u, v, abut_cross(u, v)), ldexp(1.0, exponent > -900 ? -exponent : 900),
        ldexp(1.0, exact > -900 ? -exact : 900)};
    return ray;
}

/* Is the crossing with a triangle in front of the point? Exact, by the side of the plane on which the point lies. */
static int in_front(const Ray *ray, const AbutVec3 *v, int turn) {
    double s = ray->exact_scale;
    int side =
        abut_exact_side(abut_scale(v[0], s), abut_scale(v[1], s), abut_scale(v[2], s), abut_scale(ray->origin, s));
    return side * turn < 0;
}

/* A ray on its way through a tree, and what it has found. */
typedef struct Cast {
    AbutTreeVisit visit;
    Ray ray;
    double unit, best; /* best: along the unit direction */
    double grain;      /* of a first hit: crossings this near to each other are one: a common side, or a vertex */
    int32_t slot;
    int way;            /* of the crossing in `slot` */
    int winding, count; /* sum of the ways, and number: of the crossings in front, or of those at the hit */
} Cast;

/* Boxes on the ray by where they begin. */
static unsigned rank_on_ray(AbutTreeVisit *visit, const AbutMeshBoxes *boxes, int count, float key[8]) {
    unsigned lanes = 0;
    (void)visit;
    for (int i = 0; i < count; ++i) {
        int on = boxes->low[1][i] <= 0.0F && boxes->high[1][i] >= 0.0F && boxes->low[2][i] <= 0.0F &&
                 boxes->high[2][i] >= 0.0F && boxes->high[0][i] >= 0.0F;
        lanes |= (unsigned)on << i;
        key[i] = boxes->low[0][i];
    }
    return lanes;
}

/* The far end of what is left of the ray, in its frame. */
static float end_of(const Cast *c) {
    return c->best * c->unit < 4.0 ? (float)(c->best * c->unit) + c->visit.frame.spare : 4.0F;
}

static void cast_along(Cast *c, const AbutMeshTree *t, AbutVec3 origin, AbutVec3 u, double best) {
    c->ray = ray_from(t, origin, u), c->best = best, c->slot = -1, c->winding = c->count = 0;
    c->visit.tree = t, c->visit.rank = rank_on_ray, c->visit.done = 0;
    c->visit.frame = abut_mesh_frame_alone(t, u, origin, abut_point_distance(origin, t->center) + t->radius, &c->unit);
    c->visit.limit = end_of(c);
    abut_tree_visit(&c->visit);
}

static void count_crossing(AbutTreeVisit *visit, int32_t slot) {
    Cast *cast = (Cast *)visit;
    const AbutVec3 *v = abut_tree_vertices(visit->tree) + 3 * (size_t)slot;
    Crossing c = cross_triangle(&cast->ray, v);
    if (c.way != 0 && in_front(&cast->ray, v, c.way)) cast->winding += c.way, ++cast->count;
}

/* Crossings of the surface in front of p along the first axis; 0: there are none, p is outside the box. */
static int count_crossings(const AbutMeshTree *t, AbutVec3 p, Cast *out) {
    if (!(p.x >= t->box.min.x && p.y >= t->box.min.y && p.z >= t->box.min.z && p.x <= t->box.max.x &&
            p.y <= t->box.max.y && p.z <= t->box.max.z))
        return 0;
    out->visit.look = count_crossing;
    cast_along(out, t, p, abut_axis(0), INFINITY);
    return out->count;
}

int abut_mesh_inside(const AbutMeshTree *t, AbutVec3 p) {
    Cast c;
    if (t->inside == ABUT_MESH_OPEN) return -1;
    if (!count_crossings(t, p, &c)) return 0;
    return t->inside == ABUT_MESH_WINDING ? c.winding != 0 : c.count % 2;
}

int abut_mesh_winding(const AbutMeshTree *t, AbutVec3 p) {
    Cast c;
    return count_crossings(t, p, &c) ? c.winding : 0;
}

/* Least and largest winding number just beside a triangle; triangles that are too thin to tell do not count. */
static void look_beside(const AbutMeshTree *tree, const AbutMesh *mesh, int32_t i, int *least, int *most) {
    const int32_t *v = mesh->triangles[i].v;
    AbutVec3 a = mesh->vertices[v[0]], e = abut_sub(mesh->vertices[v[1]], a), f = abut_sub(mesh->vertices[v[2]], a);
    AbutVec3 n = abut_cross(e, f), middle = abut_add_scaled(a, abut_add(e, f), 1.0 / 3.0);
    double side = sqrt(abut_larger(abut_length_sq(e), abut_length_sq(f))), area = abut_length(n);
    if (!(area > ABUT_PIECES_BESIDE_WIDTH * tree->radius * side)) return;
    for (int way = -1; way <= 1; way += 2) {
        double step = way * ABUT_PIECES_BESIDE * tree->radius / area;
        int winding = abut_mesh_winding(tree, abut_add_scaled(middle, n, step));
        *least = winding < *least ? winding : *least;
        *most = winding > *most ? winding : *most;
    }
}

int abut_mesh_counts_once(const AbutMeshTree *tree, const AbutMesh *mesh) {
    int least = 0, most = 0;
    int32_t step = 1 + mesh->triangle_count / MOST_LOOKED_AT;
    for (int32_t i = 0; i < mesh->triangle_count; i += step) look_beside(tree, mesh, i, &least, &most);
    return most - least <= 1;
}

/* ---- first hit --------------------------------------------------------------------------------------------------- */

/* Among crossings at one place, the one that enters through a front is the hit, so that no ray over a ridge hits the
 * back of the slope behind it; else the first triangle. */
static int is_better(const Cast *c, Crossing x, int32_t slot) {
    const int32_t *source = abut_tree_source(c->visit.tree);
    return x.way != c->way ? x.way < c->way : source[slot] < source[c->slot];
}

static void keep_first(AbutTreeVisit *visit, int32_t slot) {
    Cast *c = (Cast *)visit;
    Crossing x = cross_triangle(&c->ray, abut_tree_vertices(visit->tree) + 3 * (size_t)slot);
    if (x.way == 0 || !(x.x >= 0.0 && x.x <= (c->slot < 0 ? c->best : c->best + c->grain))) return;
    int first = c->slot < 0 || x.x < c->best - c->grain;
    if (first) c->winding = c->count = 0;
    if (first || is_better(c, x, slot)) c->slot = slot, c->way = x.way;
    if (first || x.x < c->best) c->best = x.x + 0.0; /* no -0 */
    c->winding += x.way, ++c->count;
    visit->limit = end_of(c);
}

/* Does the ray leave a closed surface where it meets it? Then it only touches. */
static int is_grazing(const Cast *c) {
    int inside = c->visit.tree->inside;
    return inside == ABUT_MESH_WINDING ? c->winding == 0 : inside == ABUT_MESH_PARITY && c->count % 2 == 0;
}

static AbutMeshHit hit_at(const AbutMeshTree *tree, int32_t slot, double t, AbutVec3 point, AbutVec3 direction) {
    const AbutVec3 *v = abut_tree_vertices(tree) + 3 * (size_t)slot;
    AbutVec3 n = abut_exact_normal(v[0], v[1], v[2]);
    return (AbutMeshHit){abut_tree_source(tree)[slot], 0, t, point, abut_dot(n, direction) > 0.0 ? abut_neg(n) : n};
}

AbutMeshHit abut_mesh_ray(const AbutMeshTree *t, AbutVec3 origin, AbutVec3 direction, double limit, double touch) {
    AbutMeshHit out = {-1, 0, INFINITY, abut_zero(), abut_zero()};
    double length = abut_length(direction), grain = ABUT_MESH_ON_SURFACE * (abut_max_abs(origin) + t->radius);
    if (t->triangle_count == 0 || !abut_is_finite(origin) || !abut_is_finite(direction) || !(limit >= 0.0) ||
        abut_max_abs(origin) > ABUT_QUERY_LARGEST || !(length < ABUT_QUERY_LARGEST))
        return out;
    double square = (touch + grain) * (touch + grain);
    int32_t slot = abut_mesh_walk()->nearest(t, origin, &square, &out.point);
    if (slot >= 0) return hit_at(t, slot, 0.0, origin, direction);
    out.point = abut_zero();
    if (!(length > 0.0)) return out;
    AbutVec3 u = abut_scale(direction, 1.0 / length);
    Cast c;
    c.visit.look = keep_first, c.grain = grain;
    cast_along(&c, t, origin, u, limit * length);
    if (c.slot < 0) return out;
    out = hit_at(t, c.slot, c.best / length, abut_add_scaled(origin, u, c.best), direction);
    out.grazing = is_grazing(&c);
    return out;
}

/* ---- nesting of two meshes --------------------------------------------------------------------------------------- */

/* Is a vertex of a component of the tree, moved by r and t, inside the other? */
static int component_inside(const AbutMeshTree *part, const AbutMeshTree *other, AbutMat3 r, AbutVec3 t) {
    for (int32_t i = 0; i < part->component_count; ++i) {
        AbutVec3 p = abut_tree_vertices(part)[3 * (size_t)abut_tree_components(part)[i]];
        if (abut_mesh_inside(other, abut_add(abut_mat3_apply(r, p), t)) == 1) return 1;
    }
    return 0;
}

AbutGapOutcome abut_mesh_pair_nesting(const AbutMeshPair *q, int *known) {
    AbutVec3 t = abut_scale(q->t, 1.0 / q->scale);
    *known = q->a->inside != ABUT_MESH_OPEN && q->b->inside != ABUT_MESH_OPEN;
    if (q->b->inside != ABUT_MESH_OPEN &&
        component_inside(q->a, q->b, abut_mat3_transpose(q->r), abut_neg(abut_mat3_apply_t(q->r, t))))
        return ABUT_A_IN_B;
    if (q->a->inside != ABUT_MESH_OPEN && component_inside(q->b, q->a, q->r, t)) return ABUT_B_IN_A;
    return ABUT_SEPARATED;
}

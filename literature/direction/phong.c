/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The Phong distance of two meshes (Lee 2017, chapter V), corrected, without building the Minkowski difference.
 *
 * In: two closed meshes, a pose, the last answer. Out: a foot point q on the boundary of the difference M = {a - b}
 * whose Phong normal points along the way to the origin, and that normal: the direction in which B parts from A.
 * Method: a vertex of M is a pair (a, b); the facets around it, its fan, follow from the rings of a and b alone. From
 * the pairs of the last answer outward, fans are made, their triangles tried, and roots kept where B moved by q is
 * free. When nothing is found nearby, the facets in growing balls are the start. Nothing is allocated after the object
 * is made.
 */
#include "literature/direction/phong_fan.h"
#include "mesh/kernels.h"
#include "literature/direction/phong_triangle.h"
#include "math/functions.h"

#include <string.h>

enum { REACH = 120, ROOTS = 32 };

/* ---- roots ------------------------------------------------------------------------------------------------------- */

typedef struct Search {
    AbutPhong *p;
    AbutPose pose;
    AbutVec3 reference;   /* the root nearest to this is taken */
    int literal, stop_at; /* pairs at which to stop after a root, 0: none yet */
    double nearest;
    AbutVec3 root[ROOTS];
    int32_t corner[3];
    AbutPhongDistance out;
} Search;

static double premise_of(const AbutVec3 n[3]) {
    double x = abut_angle_between(n[0], n[1]), y = abut_angle_between(n[1], n[2]), z = abut_angle_between(n[2], n[0]);
    return abut_larger(x, abut_larger(y, z));
}

/* Is B apart from A when it is moved by q and a hair more? */
static int is_free(const Search *s, AbutVec3 q, AbutVec3 normal) {
    AbutPose moved = s->pose;
    moved.p = abut_add(moved.p, abut_add_scaled(q, normal, ABUT_PHONG_FREE * s->p->size));
    return abut_mesh_collide(s->p->tree[0], s->p->tree[1], moved, NULL).outcome == ABUT_SEPARATED;
}

/* Counts a root unless it was found before, on the other side of an edge. */
static void count_root(Search *s, AbutVec3 q) {
    int32_t known = s->out.solutions < ROOTS ? s->out.solutions : ROOTS;
    for (int32_t i = 0; i < known; ++i)
        if (abut_point_distance(s->root[i], q) <= 1e-6 * s->p->size) return;
    if (known < ROOTS) s->root[known] = q;
    ++s->out.solutions;
}

static void keep_root(
    Search *s, const AbutPairTriangle *t, const AbutVec3 n[3], AbutVec3 q, AbutVec3 normal, double value) {
    double away = abut_point_distance(q, s->reference);
    count_root(s, q);
    if (away >= s->nearest) return;
    int outside = is_free(s, q, normal);
    if (!outside && !s->literal) return;
    s->nearest = away;
    s->out.found = 1, s->out.free = outside;
    s->out.foot = q, s->out.direction = normal, s->out.residual = value;
    s->out.premise = premise_of(n);
    s->out.premise_ok = s->out.premise < ABUT_PHONG_PREMISE;
    memcpy(s->corner, t->corner, sizeof s->corner);
    s->stop_at = s->stop_at ? s->stop_at : s->p->pairs;
}

/* Where nothing is found: the triangle that comes nearest to having a root at its middle. */
static void keep_residual(Search *s, const AbutPairTriangle *t, const AbutPhongTriangle *tri) {
    static const double middle[3] = {1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0};
    AbutVec3 q = abut_scale(abut_add(abut_add(tri->corner[0], tri->corner[1]), tri->corner[2]), 1.0 / 3.0);
    AbutVec3 n = abut_phong_normal(tri, middle, t->normal);
    double sine = abut_length(abut_cross(n, abut_normalize(q)));
    if (s->out.found || sine >= s->out.residual) return;
    s->out.residual = sine, s->out.foot = q, s->out.direction = n;
}

static void try_triangle(Search *s, int32_t number) {
    AbutPhong *p = s->p;
    AbutPairTriangle *t = &p->triangle[number];
    AbutVec3 corner[3], normal[3];
    if (t->tried) return;
    t->tried = 1;
    for (int k = 0; k < 3; ++k) {
        abut_phong_make_fan(p, t->corner[k]);
        const AbutPairVertex *v = &p->pair[t->corner[k]];
        if (v->count < 3) return;
        corner[k] = v->place, normal[k] = v->normal;
    }
    AbutPhongTriangle tri;
    double l[3], value[2];
    abut_phong_triangle(corner, normal, &tri);
    ++s->out.tried;
    if (!abut_phong_excluded(&tri) && abut_phong_root(&tri, p->size, l)) {
        AbutVec3 q =
            abut_add(abut_add(abut_scale(corner[0], l[0]), abut_scale(corner[1], l[1])), abut_scale(corner[2], l[2]));
        abut_phong_value(&tri, l[0], l[1], value, NULL);
        keep_root(s, t, normal, q, abut_phong_normal(&tri, l, t->normal), abut_hypot(value[0], value[1]));
    } else
        keep_residual(s, t, &tri);
}

/* From the pairs that are there outward, at most `limit` of them. */
static void spread(Search *s, int32_t limit, int to_the_end) {
    AbutPhong *p = s->p;
    for (int32_t i = 0; i < p->pairs && i < limit; ++i) {
        if (s->stop_at && !to_the_end && i > s->stop_at) break;
        abut_phong_make_fan(p, i);
        for (int32_t k = 0; k < p->pair[i].count; ++k) try_triangle(s, p->member[p->pair[i].first + k]);
    }
}

typedef struct Seeding {
    AbutPhong *p;
    AbutVec3 center;
    double radius;
} Seeding;

static double triangle_distance(AbutVec3 p, AbutVec3 a, AbutVec3 b, AbutVec3 c) {
    AbutConvex point = abut_convex_segment(p, p, 0.0), triangle = abut_convex_triangle(a, b, c, 0.0);
    return abut_convex_distance(&point, &triangle, abut_pose_identity(), NULL, NULL).distance;
}

/* All corners of the facets that come into the ball: large ones have none inside it. */
static void seed_facet(const AbutFacet *facet, void *user) {
    Seeding *s = user;
    AbutFacetCorner corner[4];
    int count = abut_facet_corners(s->p->c, facet, corner), near = 0;
    for (int k = 2; k < count && !near; ++k)
        near = triangle_distance(s->center, corner[0].place, corner[k - 1].place, corner[k].place) <= s->radius;
    for (int k = 0; k < count && near; ++k) (void)abut_phong_pair(s->p, corner[k].a, corner[k].b);
}

static void seed_ball(AbutPhong *p, AbutVec3 center, double radius) {
    Seeding s = {p, center, radius};
    abut_phong_clear(p);
    abut_convolution_facets(p->c, center, radius, 0, seed_facet, &s);
}

/* ---- modes ------------------------------------------------------------------------------------------------------- */

static Search open_search(AbutPhong *p, AbutPose pose, AbutVec3 reference, int literal) {
    Search s;
    memset(&s, 0, sizeof s);
    s.p = p, s.pose = pose, s.reference = reference, s.literal = literal;
    s.nearest = s.out.residual = INFINITY;
    return s;
}

/* Around the pairs of the last answer. */
static Search track(AbutPhong *p, AbutPose pose, int literal) {
    Search s = open_search(p, pose, p->last, literal);
    abut_phong_clear(p);
    for (int k = 0; k < 3; ++k) (void)abut_phong_pair(p, p->corner_a[k], p->corner_b[k]);
    spread(&s, REACH, 0);
    return s;
}

/* In balls about `center` that grow to half the size, from `radius` on. */
static Search search_balls(AbutPhong *p, AbutPose pose, AbutVec3 center, double radius, int literal) {
    double most = 0.5 * p->size;
    for (;; radius *= 2.0) {
        Search s = open_search(p, pose, center, literal);
        radius = abut_smaller(radius, most);
        seed_ball(p, center, radius);
        spread(&s, p->pairs + REACH, 0);
        if (s.out.found || radius >= most || p->full) return s;
    }
}

/* The foot point of the Euclidean distance or, in overlap, of the depth. */
static AbutVec3 euclidean_foot(const AbutPhong *p, AbutPose pose, int meet) {
    if (!meet) {
        AbutGap d = abut_mesh_distance(p->tree[0], p->tree[1], pose, NULL, NULL);
        return abut_sub(d.point_a, d.point_b);
    }
    AbutGap d = abut_mesh_depth(p->tree[0], p->tree[1], pose, NULL, NULL);
    return abut_scale(d.normal, -d.distance);
}

/* Has B moved so little since a search failed that another one would, too? */
static int is_hopeless(const AbutPhong *p, AbutPose pose) {
    if (!p->gave_up) return 0;
    AbutQuat turn = abut_quat_mul(pose.q, abut_quat_conj(p->gave_up_at.q));
    double move = abut_point_distance(pose.p, p->gave_up_at.p) + p->c->b.radius * abut_length(abut_quat_log(turn));
    return move < p->gave_up_reach;
}

static void remember(AbutPhong *p, const Search *s, AbutPose pose) {
    p->has_last = s->out.found;
    p->gave_up = !s->out.found;
    p->gave_up_at = pose;
    p->gave_up_reach = 0.05 * abut_length(s->reference);
    for (int k = 0; k < 3 && s->out.found; ++k) {
        p->corner_a[k] = p->pair[s->corner[k]].a;
        p->corner_b[k] = p->pair[s->corner[k]].b;
    }
    if (s->out.found) p->last = s->out.foot;
}

static Search follow(AbutPhong *p, AbutPose pose, int meet, int literal) {
    double least = p->tree[0]->mean_side + p->tree[1]->mean_side;
    int started = p->has_last;
    if (started) {
        Search s = track(p, pose, literal);
        if (s.out.found) return s;
    }
    Search none = open_search(p, pose, p->last, literal);
    none.out.lost = 1;
    if (is_hopeless(p, pose)) return none;
    AbutVec3 center = started ? p->last : euclidean_foot(p, pose, meet);
    Search s = search_balls(p, pose, center, abut_larger(0.3 * abut_length(center), least), literal);
    s.out.lost = started || p->gave_up;
    return s;
}

/* The root nearest to the origin, in balls about it that reach beyond the Euclidean foot point by more and more, at
 * most half the size. */
static Search least_of_all(AbutPhong *p, AbutPose pose, int meet, int literal) {
    double foot = abut_length(euclidean_foot(p, pose, meet)), side = p->tree[0]->mean_side + p->tree[1]->mean_side;
    double most = 0.5 * p->size, beyond = abut_larger(abut_smaller(0.1 * foot, 0.1 * p->size), 0.25 * side - foot);
    for (;; beyond *= 4.0) {
        Search s = open_search(p, pose, abut_zero(), literal);
        beyond = abut_smaller(beyond, most);
        seed_ball(p, abut_zero(), foot + beyond);
        spread(&s, p->pairs, 1);
        if (s.out.found || beyond >= most || p->full) return s;
    }
}

/* ---- entry ------------------------------------------------------------------------------------------------------- */

AbutPhongDistance abut_phong_distance(AbutPhong *phong, AbutPose b_in_a, const AbutPhongDef *def) {
    static const AbutPhongDef usual = {ABUT_PHONG_TRACK, 0};
    AbutPhongDistance invalid;
    ABUT_ASSERT(phong);
    memset(&invalid, 0, sizeof invalid);
    invalid.distance = NAN;
    def = def ? def : &usual;
    AbutCollision collision = abut_mesh_collide(phong->tree[0], phong->tree[1], b_in_a, NULL);
    if (collision.outcome == ABUT_INVALID || !abut_convolution_place(phong->c, b_in_a)) return invalid;
    int meet = collision.outcome != ABUT_SEPARATED;
    Search s = def->mode == ABUT_PHONG_LEAST ? least_of_all(phong, b_in_a, meet, def->literal)
                                             : follow(phong, b_in_a, meet, def->literal);
    s.out.overlap = meet;
    s.out.full = phong->full;
    s.out.distance = s.out.found ? (meet ? -1.0 : 1.0) * abut_length(s.out.foot) : NAN;
    s.out.residual = isfinite(s.out.residual) ? s.out.residual : 1.0;
    if (def->mode == ABUT_PHONG_TRACK && !is_hopeless(phong, b_in_a)) remember(phong, &s, b_in_a);
    return s.out;
}

void abut_phong_restart(AbutPhong *phong) {
    ABUT_ASSERT(phong);
    phong->has_last = phong->gave_up = 0;
}

void abut_phong_free(AbutPhong *p) {
    if (!p) return;
    abut_convolution_free(p->c);
    abut_mesh_tree_free(p->tree[0]);
    abut_mesh_tree_free(p->tree[1]);
    void *all[] = {p->pair, p->triangle, p->member, p->pair_slot, p->triangle_slot};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; ++i) abut_free(all[i]);
    abut_free(p);
}

static AbutStatus fill(AbutPhong *p, const AbutMesh *a, const AbutMesh *b, AbutError *error) {
    AbutStatus status = abut_convolution_create(a, b, &p->c, error);
    if (status == ABUT_OK) status = abut_mesh_tree_create(a, 0, &p->tree[0], error);
    if (status == ABUT_OK) status = abut_mesh_tree_create(b, 0, &p->tree[1], error);
    if (status != ABUT_OK) return status;
    p->size = p->tree[0]->radius + p->tree[1]->radius;
    p->pair = abut_alloc_array(ABUT_PHONG_PAIRS, sizeof *p->pair);
    p->triangle = abut_alloc_array(ABUT_PHONG_TRIANGLES, sizeof *p->triangle);
    p->member = abut_alloc_array(ABUT_PHONG_MEMBERS, sizeof *p->member);
    p->pair_slot = abut_alloc_array(ABUT_PHONG_SLOTS, sizeof *p->pair_slot);
    p->triangle_slot = abut_alloc_array(ABUT_PHONG_SLOTS, sizeof *p->triangle_slot);
    return p->pair && p->triangle && p->member && p->pair_slot && p->triangle_slot ? ABUT_OK : abut_fail_memory(error);
}

AbutStatus abut_phong_create(const AbutMesh *a, const AbutMesh *b, AbutPhong **out, AbutError *error) {
    ABUT_ASSERT(a && b && out);
    *out = NULL;
    AbutPhong *p = abut_alloc(sizeof *p);
    if (!p) return abut_fail_memory(error);
    memset(p, 0, sizeof *p);
    AbutStatus status = fill(p, a, b, error);
    if (status == ABUT_OK)
        *out = p;
    else
        abut_phong_free(p);
    return status;
}

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
#include "direction/convolution.h"
#include "direction/phong_triangle.h"

#include <string.h>

enum { PAIRS = 8192, TRIANGLES = 16384, MEMBERS = 1 << 17, SLOTS = 1 << 15, FAN = 512, REACH = 120, ROOTS = 32 };

typedef struct PairVertex {
    int32_t a, b;
    AbutVec3 place, normal;
    int32_t first, count, done; /* of its fan, in `member` */
} PairVertex;

typedef struct PairTriangle {
    int32_t corner[3];
    int32_t tried;
    AbutVec3 normal;
} PairTriangle;

struct AbutPhong {
    AbutConvolution *c;
    AbutMeshTree *tree[2];
    double size;
    PairVertex *pair;
    PairTriangle *triangle;
    int32_t *member, *pair_slot, *triangle_slot; /* slots hold number + 1; 0: free */
    int32_t pairs, triangles, members, full;
    int32_t has_last, corner_a[3], corner_b[3];
    AbutVec3 last;
    int32_t gave_up; /* a search found nothing at this pose */
    AbutPose gave_up_at;
    double gave_up_reach;
};

/* ---- tables ------------------------------------------------------------------------------------------------------ */

static uint32_t slot_of(uint32_t x, uint32_t y)
{
    uint64_t h = (((uint64_t)x << 32) | y) * 0x9E3779B97F4A7C15ull;
    return (uint32_t)(h >> 40) & (SLOTS - 1);
}

static void clear(AbutPhong *p)
{
    memset(p->pair_slot, 0, SLOTS * sizeof *p->pair_slot);
    memset(p->triangle_slot, 0, SLOTS * sizeof *p->triangle_slot);
    p->pairs = p->triangles = p->members = p->full = 0;
}

/* The number of a pair, made where it is new; -1 when there is no more room. */
static int32_t get_pair(AbutPhong *p, int32_t a, int32_t b)
{
    uint32_t s = slot_of((uint32_t)a, (uint32_t)b);
    for (; p->pair_slot[s]; s = (s + 1) & (SLOTS - 1)) {
        const PairVertex *v = &p->pair[p->pair_slot[s] - 1];
        if (v->a == a && v->b == b)
            return p->pair_slot[s] - 1;
    }
    if (p->pairs == PAIRS) {
        p->full = 1;
        return -1;
    }
    p->pair[p->pairs] = (PairVertex){a, b, abut_sub(p->c->a.vertex[a], p->c->b_vertex[b]), abut_zero(), 0, 0, 0};
    p->pair_slot[s] = ++p->pairs;
    return p->pairs - 1;
}

static int32_t get_triangle(AbutPhong *p, int32_t x, int32_t y, int32_t z, AbutVec3 normal)
{
    while (x > y || x > z) { /* the smallest first, the order kept */
        int32_t first = x;
        x = y, y = z, z = first;
    }
    uint32_t s = slot_of((uint32_t)x * 8191u + (uint32_t)y, (uint32_t)z);
    for (; p->triangle_slot[s]; s = (s + 1) & (SLOTS - 1)) {
        const int32_t *v = p->triangle[p->triangle_slot[s] - 1].corner;
        if (v[0] == x && v[1] == y && v[2] == z)
            return p->triangle_slot[s] - 1;
    }
    if (p->triangles == TRIANGLES) {
        p->full = 1;
        return -1;
    }
    p->triangle[p->triangles] = (PairTriangle){{x, y, z}, 0, normal};
    p->triangle_slot[s] = ++p->triangles;
    return p->triangles - 1;
}

/* ---- fans -------------------------------------------------------------------------------------------------------- */

typedef struct Fan {
    AbutPhong *p;
    int32_t self, count, member[FAN];
} Fan;

static void add_triangle(Fan *fan, const int32_t v[3], AbutVec3 normal)
{
    if (v[0] < 0 || v[1] < 0 || v[2] < 0 || fan->count == FAN ||
        (v[0] != fan->self && v[1] != fan->self && v[2] != fan->self))
        return;
    int32_t t = get_triangle(fan->p, v[0], v[1], v[2], normal);
    if (t >= 0)
        fan->member[fan->count++] = t;
}

/* The triangles of a facet that hold the pair; parallelograms are cut along the shorter diagonal. */
static void add_facet(Fan *fan, const AbutFacet *facet)
{
    AbutFacetCorner corner[4];
    int32_t v[4];
    int count = abut_facet_corners(fan->p->c, facet, corner);
    for (int k = 0; k < count; ++k)
        v[k] = get_pair(fan->p, corner[k].a, corner[k].b);
    if (count == 3) {
        add_triangle(fan, v, facet->normal);
        return;
    }
    int odd = abut_distance(corner[0].place, corner[2].place) > abut_distance(corner[1].place, corner[3].place);
    const int32_t first[3] = {v[odd], v[odd + 1], v[odd + 2]}, second[3] = {v[odd], v[odd + 2], v[(odd + 3) % 4]};
    add_triangle(fan, first, facet->normal);
    add_triangle(fan, second, facet->normal);
}

static void add_faces(Fan *fan, int32_t a, int32_t b)
{
    const AbutConvolution *c = fan->p->c;
    for (int32_t k = c->a.ring_start[a]; k < c->a.ring_start[a + 1]; ++k) {
        AbutFacet f = {ABUT_FACET_FACE_VERTEX, c->a.ring_face[k], b, 1, c->a.face_normal[c->a.ring_face[k]]};
        if (abut_vertex_index(&c->b, c->b_turned, c->b_normal, b, abut_neg(f.normal), 1))
            add_facet(fan, &f);
    }
    for (int32_t k = c->b.ring_start[b]; k < c->b.ring_start[b + 1]; ++k) {
        AbutFacet f = {ABUT_FACET_VERTEX_FACE, a, c->b.ring_face[k], 1, abut_neg(c->b_face_normal[c->b.ring_face[k]])};
        if (abut_vertex_index(&c->a, c->a.vertex, c->a.normal, a, f.normal, 1))
            add_facet(fan, &f);
    }
}

static void add_edges(Fan *fan, int32_t a, int32_t b)
{
    const AbutConvolution *c = fan->p->c;
    for (int32_t k = c->a.ring_start[a]; k < c->a.ring_start[a + 1]; ++k)
        for (int32_t m = c->b.ring_start[b]; m < c->b.ring_start[b + 1]; ++m) {
            AbutFacet f = {ABUT_FACET_EDGES, c->a.ring_edge[k], c->b.ring_edge[m], 1, abut_zero()};
            if (abut_edge_facet(c, f.a, f.b, 1, &f.normal))
                add_facet(fan, &f);
        }
}

/* The normal of a pair: mean of its fan, weighted by angles. */
static AbutVec3 fan_normal(const Fan *fan)
{
    AbutVec3 sum = abut_zero();
    const PairVertex *pair = fan->p->pair;
    for (int32_t i = 0; i < fan->count; ++i) {
        const PairTriangle *t = &fan->p->triangle[fan->member[i]];
        int k = t->corner[0] == fan->self ? 0 : (t->corner[1] == fan->self ? 1 : 2);
        AbutVec3 x = abut_sub(pair[t->corner[(k + 1) % 3]].place, pair[fan->self].place),
                 y = abut_sub(pair[t->corner[(k + 2) % 3]].place, pair[fan->self].place);
        sum = abut_add_scaled(sum, t->normal, abut_atan2(abut_length(abut_cross(x, y)), abut_dot(x, y)));
    }
    return abut_normalize(sum);
}

static void make_fan(AbutPhong *p, int32_t number)
{
    if (p->pair[number].done)
        return;
    Fan fan = {.p = p, .self = number};
    add_faces(&fan, p->pair[number].a, p->pair[number].b);
    add_edges(&fan, p->pair[number].a, p->pair[number].b);
    PairVertex *v = &p->pair[number];
    if (p->members + fan.count > MEMBERS)
        p->full = 1, fan.count = 0;
    v->normal = fan_normal(&fan);
    v->first = p->members, v->count = fan.count, v->done = 1;
    memcpy(p->member + p->members, fan.member, (size_t)fan.count * sizeof *fan.member);
    p->members += fan.count;
}

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

static double premise_of(const AbutVec3 n[3])
{
    double x = abut_angle_between(n[0], n[1]), y = abut_angle_between(n[1], n[2]), z = abut_angle_between(n[2], n[0]);
    return abut_larger(x, abut_larger(y, z));
}

/* Is B apart from A when it is moved by q and a hair more? */
static int is_free(const Search *s, AbutVec3 q, AbutVec3 normal)
{
    AbutPose moved = s->pose;
    moved.p = abut_add(moved.p, abut_add_scaled(q, normal, ABUT_PHONG_FREE * s->p->size));
    return abut_mesh_collide(s->p->tree[0], s->p->tree[1], moved, NULL).meeting == ABUT_MESH_APART;
}

/* Counts a root unless it was found before, on the other side of an edge. */
static void count_root(Search *s, AbutVec3 q)
{
    int32_t known = s->out.solutions < ROOTS ? s->out.solutions : ROOTS;
    for (int32_t i = 0; i < known; ++i)
        if (abut_distance(s->root[i], q) <= 1e-6 * s->p->size)
            return;
    if (known < ROOTS)
        s->root[known] = q;
    ++s->out.solutions;
}

static void keep_root(Search *s, const PairTriangle *t, const AbutVec3 n[3], AbutVec3 q, AbutVec3 normal, double value)
{
    double away = abut_distance(q, s->reference);
    count_root(s, q);
    if (away >= s->nearest)
        return;
    int outside = is_free(s, q, normal);
    if (!outside && !s->literal)
        return;
    s->nearest = away;
    s->out.found = 1, s->out.free = outside;
    s->out.foot = q, s->out.direction = normal, s->out.residual = value;
    s->out.premise = premise_of(n);
    s->out.premise_ok = s->out.premise < ABUT_PHONG_PREMISE;
    memcpy(s->corner, t->corner, sizeof s->corner);
    s->stop_at = s->stop_at ? s->stop_at : s->p->pairs;
}

/* Where nothing is found: the triangle that comes nearest to having a root at its middle. */
static void keep_residual(Search *s, const PairTriangle *t, const AbutPhongTriangle *tri)
{
    static const double middle[3] = {1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0};
    AbutVec3 q = abut_scale(abut_add(abut_add(tri->corner[0], tri->corner[1]), tri->corner[2]), 1.0 / 3.0);
    AbutVec3 n = abut_phong_normal(tri, middle, t->normal);
    double sine = abut_length(abut_cross(n, abut_normalize(q)));
    if (s->out.found || sine >= s->out.residual)
        return;
    s->out.residual = sine, s->out.foot = q, s->out.direction = n;
}

static void try_triangle(Search *s, int32_t number)
{
    AbutPhong *p = s->p;
    PairTriangle *t = &p->triangle[number];
    AbutVec3 corner[3], normal[3];
    if (t->tried)
        return;
    t->tried = 1;
    for (int k = 0; k < 3; ++k) {
        make_fan(p, t->corner[k]);
        const PairVertex *v = &p->pair[t->corner[k]];
        if (v->count < 3)
            return;
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
static void spread(Search *s, int32_t limit, int to_the_end)
{
    AbutPhong *p = s->p;
    for (int32_t i = 0; i < p->pairs && i < limit; ++i) {
        if (s->stop_at && !to_the_end && i > s->stop_at)
            break;
        make_fan(p, i);
        for (int32_t k = 0; k < p->pair[i].count; ++k)
            try_triangle(s, p->member[p->pair[i].first + k]);
    }
}

typedef struct Seeding {
    AbutPhong *p;
    AbutVec3 center;
    double radius;
} Seeding;

static double triangle_distance(AbutVec3 p, AbutVec3 a, AbutVec3 b, AbutVec3 c)
{
    AbutConvex point = abut_convex_segment(p, p, 0.0), triangle = abut_convex_triangle(a, b, c, 0.0);
    return abut_convex_distance(&point, &triangle, abut_pose_identity(), NULL).distance;
}

/* All corners of the facets that come into the ball: large ones have none inside it. */
static void seed_facet(const AbutFacet *facet, void *user)
{
    Seeding *s = user;
    AbutFacetCorner corner[4];
    int count = abut_facet_corners(s->p->c, facet, corner), near = 0;
    for (int k = 2; k < count && !near; ++k)
        near = triangle_distance(s->center, corner[0].place, corner[k - 1].place, corner[k].place) <= s->radius;
    for (int k = 0; k < count && near; ++k)
        (void)get_pair(s->p, corner[k].a, corner[k].b);
}

static void seed_ball(AbutPhong *p, AbutVec3 center, double radius)
{
    Seeding s = {p, center, radius};
    clear(p);
    abut_convolution_facets(p->c, center, radius, 0, seed_facet, &s);
}

/* ---- modes ------------------------------------------------------------------------------------------------------- */

static Search open_search(AbutPhong *p, AbutPose pose, AbutVec3 reference, int literal)
{
    Search s;
    memset(&s, 0, sizeof s);
    s.p = p, s.pose = pose, s.reference = reference, s.literal = literal;
    s.nearest = s.out.residual = INFINITY;
    return s;
}

/* Around the pairs of the last answer. */
static Search track(AbutPhong *p, AbutPose pose, int literal)
{
    Search s = open_search(p, pose, p->last, literal);
    clear(p);
    for (int k = 0; k < 3; ++k)
        (void)get_pair(p, p->corner_a[k], p->corner_b[k]);
    spread(&s, REACH, 0);
    return s;
}

/* In balls about `center` that grow to half the size; `least` 1: the root nearest to the origin of all in the last one.
 */
static Search search_balls(AbutPhong *p, AbutPose pose, AbutVec3 center, double radius, int least, int literal)
{
    Search s = open_search(p, pose, least ? abut_zero() : center, literal);
    double most = 0.5 * p->size;
    for (;; radius *= 2.0) {
        radius = abut_smaller(radius, most);
        s = open_search(p, pose, s.reference, literal);
        seed_ball(p, center, radius);
        spread(&s, least ? p->pairs : p->pairs + REACH, least);
        if (s.out.found || radius >= most || p->full)
            return s;
    }
}

/* The foot point of the Euclidean distance or, in overlap, of the depth. */
static AbutVec3 euclidean_foot(const AbutPhong *p, AbutPose pose, int meet)
{
    if (!meet) {
        AbutMeshDistance d = abut_mesh_distance(p->tree[0], p->tree[1], pose, NULL, NULL);
        return abut_sub(d.point_a, d.point_b);
    }
    AbutMeshDepth d = abut_mesh_depth(p->tree[0], p->tree[1], pose, NULL, NULL);
    return abut_scale(d.direction, d.depth);
}

/* Has B moved so little since a search failed that another one would, too? */
static int is_hopeless(const AbutPhong *p, AbutPose pose)
{
    if (!p->gave_up)
        return 0;
    AbutQuat turn = abut_quat_mul(pose.q, abut_quat_conj(p->gave_up_at.q));
    double move = abut_distance(pose.p, p->gave_up_at.p) + p->c->b.radius * abut_length(abut_quat_log(turn));
    return move < p->gave_up_reach;
}

static void remember(AbutPhong *p, const Search *s, AbutPose pose)
{
    p->has_last = s->out.found;
    p->gave_up = !s->out.found;
    p->gave_up_at = pose;
    p->gave_up_reach = 0.05 * abut_length(s->reference);
    for (int k = 0; k < 3 && s->out.found; ++k) {
        p->corner_a[k] = p->pair[s->corner[k]].a;
        p->corner_b[k] = p->pair[s->corner[k]].b;
    }
    if (s->out.found)
        p->last = s->out.foot;
}

static Search follow(AbutPhong *p, AbutPose pose, int meet, int literal)
{
    double least = p->tree[0]->mean_side + p->tree[1]->mean_side;
    int started = p->has_last;
    if (started) {
        Search s = track(p, pose, literal);
        if (s.out.found)
            return s;
    }
    Search none = open_search(p, pose, p->last, literal);
    none.out.lost = 1;
    if (is_hopeless(p, pose))
        return none;
    AbutVec3 center = started ? p->last : euclidean_foot(p, pose, meet);
    Search s = search_balls(p, pose, center, abut_larger(0.3 * abut_length(center), least), 0, literal);
    s.out.lost = started || p->gave_up;
    return s;
}

static Search least_of_all(AbutPhong *p, AbutPose pose, int meet, int literal)
{
    double foot = abut_length(euclidean_foot(p, pose, meet)), side = p->tree[0]->mean_side + p->tree[1]->mean_side;
    return search_balls(p, pose, abut_zero(), abut_larger(1.1 * foot, 0.25 * side), 1, literal);
}

/* ---- entry ------------------------------------------------------------------------------------------------------- */

AbutPhongDistance abut_phong_distance(AbutPhong *phong, AbutPose b_in_a, const AbutPhongDef *def)
{
    static const AbutPhongDef usual = {ABUT_PHONG_TRACK, 0};
    AbutPhongDistance invalid;
    ABUT_ASSERT(phong);
    memset(&invalid, 0, sizeof invalid);
    invalid.distance = NAN;
    def = def ? def : &usual;
    AbutMeshCollision collision = abut_mesh_collide(phong->tree[0], phong->tree[1], b_in_a, NULL);
    if (collision.meeting == ABUT_MESH_INVALID || !abut_convolution_place(phong->c, b_in_a))
        return invalid;
    int meet = collision.meeting != ABUT_MESH_APART;
    Search s = def->mode == ABUT_PHONG_LEAST ? least_of_all(phong, b_in_a, meet, def->literal)
                                             : follow(phong, b_in_a, meet, def->literal);
    s.out.overlap = meet;
    s.out.full = phong->full;
    s.out.distance = s.out.found ? (meet ? -1.0 : 1.0) * abut_length(s.out.foot) : NAN;
    s.out.residual = isfinite(s.out.residual) ? s.out.residual : 1.0;
    if (def->mode == ABUT_PHONG_TRACK && !is_hopeless(phong, b_in_a))
        remember(phong, &s, b_in_a);
    return s.out;
}

void abut_phong_restart(AbutPhong *phong)
{
    ABUT_ASSERT(phong);
    phong->has_last = phong->gave_up = 0;
}

void abut_phong_free(AbutPhong *p)
{
    if (!p)
        return;
    abut_convolution_free(p->c);
    abut_mesh_tree_free(p->tree[0]);
    abut_mesh_tree_free(p->tree[1]);
    void *all[] = {p->pair, p->triangle, p->member, p->pair_slot, p->triangle_slot};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; ++i)
        abut_free(all[i]);
    abut_free(p);
}

static AbutStatus fill(AbutPhong *p, const AbutMesh *a, const AbutMesh *b, AbutError *error)
{
    AbutStatus status = abut_convolution_create(a, b, &p->c, error);
    if (status == ABUT_OK)
        status = abut_mesh_tree_create(a, 0, &p->tree[0], error);
    if (status == ABUT_OK)
        status = abut_mesh_tree_create(b, 0, &p->tree[1], error);
    if (status != ABUT_OK)
        return status;
    p->size = p->tree[0]->radius + p->tree[1]->radius;
    p->pair = abut_alloc_array(PAIRS, sizeof *p->pair);
    p->triangle = abut_alloc_array(TRIANGLES, sizeof *p->triangle);
    p->member = abut_alloc_array(MEMBERS, sizeof *p->member);
    p->pair_slot = abut_alloc_array(SLOTS, sizeof *p->pair_slot);
    p->triangle_slot = abut_alloc_array(SLOTS, sizeof *p->triangle_slot);
    return p->pair && p->triangle && p->member && p->pair_slot && p->triangle_slot
               ? ABUT_OK
               : abut_fail(error, ABUT_ERROR_MEMORY, "Phong distance: no memory");
}

AbutStatus abut_phong_create(const AbutMesh *a, const AbutMesh *b, AbutPhong **out, AbutError *error)
{
    ABUT_ASSERT(a && b && out);
    *out = NULL;
    AbutPhong *p = abut_alloc(sizeof *p);
    if (!p)
        return abut_fail(error, ABUT_ERROR_MEMORY, "Phong distance: no memory");
    memset(p, 0, sizeof *p);
    AbutStatus status = fill(p, a, b, error);
    if (status == ABUT_OK)
        *out = p;
    else
        abut_phong_free(p);
    return status;
}

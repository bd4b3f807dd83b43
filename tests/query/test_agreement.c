/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The queries of the room agree with each other: signed distance, yes/no, the three intersection methods on polyhedra
 * and on their half-spaces, and the overlap, on the same random pairs from far apart to deep inside, at scales from
 * 1e-6 to 1e6. Within 1e-8 of the size about contact either answer may come; such pairs are counted and few.
 */
#include "abut/literature.h"
#include "abut/query.h"
#include "support/check.h"
#include "support/random_bodies.h"

enum { BODIES = 10, PAIRS_PER_BATCH = 100, BATCHES = 1000, MAX_ROWS = 200 };

typedef struct Batch {
    AbutPolyhedron *hull[BODIES];
    double scale, away; /* away: of the bodies from their origin, in scales */
    size_t bytes;
    void *memory;
} Batch;

typedef struct Count {
    int pairs, meet, apart, near, inside, regions;
} Count;

static AbutPolyhedron *random_body(AbutRng *rng, double scale, double away) {
    AbutVec3 points[32], shift = abut_scale(abut_random_direction(rng), away);
    AbutVec3 axes = abut_vec3(1.0, abut_rng_between(rng, 0.2, 1.0), abut_rng_between(rng, 0.05, 1.0));
    int count = 4 + (int)abut_rng_below(rng, 29), box = abut_rng_below(rng, 4) == 0;
    AbutQuat q = box ? abut_quat_identity() : abut_random_quat(rng);
    if (box) count = 8;
    for (int i = 0; i < count; ++i) {
        AbutVec3 p = box ? abut_vec3((i & 1) ? 1 : -1, (i & 2) ? 1 : -1, (i & 4) ? 1 : -1) : abut_random_direction(rng);
        points[i] = abut_scale(abut_add(abut_quat_rotate(q, abut_mul(p, axes)), shift), scale);
    }
    return hull_of(points, count);
}

static Batch make_batch(AbutRng *rng) {
    Batch batch = {
        {NULL}, pow(10.0, abut_rng_between(rng, -6.0, 6.0)), abut_rng_below(rng, 4) == 0 ? 100.0 : 0.2, 0, NULL};
    for (int i = 0; i < BODIES; ++i)
        batch.hull[i] = random_body(rng, i < 7 ? batch.scale : 0.1 * batch.scale, batch.away);
    for (int i = 0; i < BODIES; ++i)
        for (int j = 0; j < BODIES; ++j) {
            AbutConvex first = abut_convex_polyhedron(batch.hull[i], 0.0);
            AbutConvex second = abut_convex_polyhedron(batch.hull[j], 0.0);
            size_t a = abut_overlap_workspace_size(&first, &second);
            size_t b = abut_intersect_polyhedra_workspace_size(batch.hull[i], batch.hull[j]);
            batch.bytes = a > batch.bytes ? a : batch.bytes;
            batch.bytes = b > batch.bytes ? b : batch.bytes;
        }
    size_t rows = abut_intersect_workspace_size(3, 2 * MAX_ROWS);
    batch.bytes = rows > batch.bytes ? rows : batch.bytes;
    batch.memory = abut_alloc(batch.bytes);
    assert_non_null(batch.memory);
    return batch;
}

static void free_batch(Batch *batch) {
    for (int i = 0; i < BODIES; ++i) abut_polyhedron_free(batch->hull[i]);
    abut_free(batch->memory);
}

/* B somewhere from concentric to three sizes away; now and then turned like A and on a grid, so that faces coincide. */
static AbutPose pose_near(AbutRng *rng, const AbutPolyhedron *a, const AbutPolyhedron *b, double scale) {
    int grid = abut_rng_below(rng, 8) == 0;
    AbutQuat q = grid ? abut_quat_identity() : abut_random_quat(rng);
    AbutVec3 at = abut_scale(abut_random_direction(rng), abut_rng_between(rng, 0.0, 3.0) * scale);
    if (grid)
        at = abut_scale(abut_vec3((double)abut_rng_below(rng, 5) - 2, (double)abut_rng_below(rng, 5) - 2, 0), scale);
    AbutVec3 p = abut_sub(abut_add(a->mass.centroid, at), abut_quat_rotate(q, b->mass.centroid));
    return abut_pose(p, q);
}

/* ---- one pair ---------------------------------------------------------------------------------------------------- */

typedef struct Pair {
    const AbutPolyhedron *a, *b;
    AbutPose pose;
    double distance, size;
    int sign; /* 1 apart, -1 meet, 0 too near to contact to say */
} Pair;

static void check_sign(const Pair *pair, int meets, const char *who) {
    if (pair->sign == 0 || meets == (pair->sign < 0)) return;
    print_error("%s says %s at distance %.3g, size %.3g\n", who, meets ? "meet" : "apart", pair->distance, pair->size);
    fail();
}

/* The proof of an intersection answer, against the vertices. */
static void check_certificate(const Pair *pair, const AbutIntersection *r, const char *who) {
    double slack = 1e-8 * pair->size;
    CHECK(r->outcome == ABUT_INTERSECT_MEET || r->outcome == ABUT_INTERSECT_APART);
    check_sign(pair, r->outcome == ABUT_INTERSECT_MEET, who);
    AbutVec3 n = abut_vec3(r->plane[0], r->plane[1], r->plane[2]),
             x = abut_vec3(r->witness[0], r->witness[1], r->witness[2]);
    AbutConvex a = abut_convex_polyhedron(pair->a, 0.0), b = abut_convex_polyhedron(pair->b, 0.0);
    if (r->outcome == ABUT_INTERSECT_APART) {
        AbutVec3 nb = abut_neg(abut_quat_rotate_inv(pair->pose.q, n));
        AbutVec3 low = abut_pose_apply(pair->pose, abut_convex_farthest(&b, nb));
        CHECK(abut_dot(n, abut_convex_farthest(&a, n)) <= r->plane_offset + slack);
        CHECK(abut_dot(n, low) >= r->plane_offset - slack);
        CHECK(r->gap <= pair->distance + slack); /* no slab is wider than the distance */
    } else {
        AbutConvex point = abut_convex_point(x, 0.0);
        AbutPose back = abut_pose_inv(pair->pose);
        CHECK(abut_convex_distance(&a, &point, abut_pose_identity(), NULL, NULL).distance <= slack);
        CHECK(abut_convex_distance(&b, &point, back, NULL, NULL).distance <= slack);
    }
}

static void check_methods(const Pair *pair, const Batch *batch, int method) {
    static const char *const names[] = {"default", "ren", "lp", "gjk"};
    AbutIntersectDef def = {.search = abut_intersect_ren};
    def.method = (AbutIntersectMethod)method;
    AbutIntersection r = abut_intersect_polyhedra(pair->a, pair->b, pair->pose, &def, batch->memory, batch->bytes);
    check_certificate(pair, &r, names[method]);
}

/* The face planes of both bodies as rows in the frame of A. */
static int check_regions(const Pair *pair, const Batch *batch) {
    double normal[2][3 * MAX_ROWS], offset[2][MAX_ROWS];
    const AbutPolyhedron *body[2] = {pair->a, pair->b};
    if (pair->a->face_count > MAX_ROWS || pair->b->face_count > MAX_ROWS) return 0;
    for (int k = 0; k < 2; ++k)
        for (int f = 0; f < body[k]->face_count; ++f) {
            AbutPlane plane = abut_polyhedron_faces(body[k])[f].plane;
            AbutPose pose = k ? pair->pose : abut_pose_identity();
            AbutVec3 n = abut_quat_rotate(pose.q, plane.normal);
            normal[k][3 * f] = n.x, normal[k][3 * f + 1] = n.y, normal[k][3 * f + 2] = n.z;
            offset[k][f] = plane.offset + abut_dot(n, pose.p);
        }
    AbutRegion a = {pair->a->face_count, normal[0], offset[0]}, b = {pair->b->face_count, normal[1], offset[1]};
    AbutIntersection r = abut_intersect_regions(3, &a, &b, NULL, batch->memory, batch->bytes);
    check_sign(pair, r.outcome == ABUT_INTERSECT_MEET, "rows");
    return 1;
}

static void check_overlap(const Pair *pair, const Batch *batch, Count *count) {
    AbutConvex a = abut_convex_polyhedron(pair->a, 0.0), b = abut_convex_polyhedron(pair->b, 0.0);
    AbutOverlap o = abut_overlap(&a, &b, pair->pose, NULL, batch->memory, batch->bytes);
    CHECK(o.outcome <= ABUT_OVERLAP_DISJOINT);
    check_sign(pair, o.outcome != ABUT_OVERLAP_DISJOINT, "overlap");
    if (o.outcome != ABUT_OVERLAP_VOLUME) return;
    double least = fmin(pair->a->mass.volume, pair->b->mass.volume), depth = -pair->distance, slack = 1e-8 * pair->size;
    CHECK(o.volume > 0.0 && o.volume <= least * (1.0 + 1e-8));
    count->inside += o.volume > least * (1.0 - 1e-8);
    /* the extent of the overlap along any direction is at most what has to be pushed out along it */
    double high = -INFINITY, low = INFINITY;
    for (int i = 0; i < o.vertex_count; ++i) {
        high = fmax(high, abut_dot(o.normal, o.vertex[i]));
        low = fmin(low, abut_dot(o.normal, o.vertex[i]));
    }
    AbutVec3 nb = abut_neg(abut_quat_rotate_inv(pair->pose.q, o.normal));
    double push = abut_dot(o.normal, abut_convex_farthest(&a, o.normal)) -
                  abut_dot(o.normal, abut_pose_apply(pair->pose, abut_convex_farthest(&b, nb)));
    CHECK(high - low <= push + slack && push >= depth - slack);
}

static void check_pair(const Batch *batch, AbutRng *rng, Count *count) {
    Pair pair = {batch->hull[abut_rng_below(rng, BODIES)], batch->hull[abut_rng_below(rng, BODIES)],
        abut_pose_identity(), 0, 0, 0};
    pair.pose = pose_near(rng, pair.a, pair.b, batch->scale);
    pair.size = pair.a->bound.radius + pair.b->bound.radius;
    AbutConvex a = abut_convex_polyhedron(pair.a, 0.0), b = abut_convex_polyhedron(pair.b, 0.0);
    AbutConvexCache cache = {0};
    AbutGap d = abut_convex_distance(&a, &b, pair.pose, NULL, &cache);
    CHECK(d.outcome == ABUT_SEPARATED || d.outcome == ABUT_TOUCHING || d.outcome == ABUT_PENETRATING);
    pair.distance = d.distance;
    pair.sign = d.distance > 1e-8 * pair.size ? 1 : (d.distance < -1e-8 * pair.size ? -1 : 0);
    check_sign(&pair, abut_convex_meet(&a, &b, pair.pose, NULL), "meet");
    check_sign(&pair, abut_convex_meet(&a, &b, pair.pose, &cache), "meet with a cache");
    check_methods(&pair, batch, count->pairs % 4);
    count->regions += check_regions(&pair, batch);
    check_overlap(&pair, batch, count);
    ++count->pairs;
    count->apart += pair.sign > 0;
    count->meet += pair.sign < 0;
    count->near += pair.sign == 0;
}

static void queries_agree(void **state) {
    (void)state;
    Count count = {0};
    int batches = check_cases(BATCHES);
    for (int i = 0; i < batches; ++i) {
        AbutRng rng = abut_rng(31, (uint64_t)i);
        Batch batch = make_batch(&rng);
        for (int k = 0; k < PAIRS_PER_BATCH; ++k) check_pair(&batch, &rng, &count);
        free_batch(&batch);
    }
    print_message("%d pairs: %d meet, %d apart, %d at contact, %d inside, %d as rows\n", count.pairs, count.meet,
        count.apart, count.near, count.inside, count.regions);
    CHECK(count.meet >= count.pairs / 5 && count.apart >= count.pairs / 5 && count.near <= count.pairs / 50);
    CHECK(count.inside >= count.pairs / 100 && count.regions >= count.pairs / 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(queries_agree)};
    return cmocka_run_group_tests_name("queries agree", tests, NULL, NULL);
}

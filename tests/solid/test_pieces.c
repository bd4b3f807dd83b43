/* SPDX-License-Identifier: Apache-2.0 */
/* Rays, casts, nearest points and times of impact of convex pieces: the least over the pieces, asked one by one. */
#include "abut/solid.h"
#include "solid/cast.h"
#include "support/casts.h"
#include "support/check.h"
#include "support/meshes.h"
#include "support/random_bodies.h"
#include "support/random_motion.h"

enum { PIECES = 5 };

/* Hulls scattered around the origin; some overlap. */
typedef struct Heap {
    AbutPolyhedron *hull[PIECES];
    AbutConvex convex[PIECES];
    AbutPieces pieces;
} Heap;

static void make_heap(AbutRng *rng, Heap *h) {
    for (int i = 0; i < PIECES; ++i) {
        AbutVec3 point[12], center = random_arm(rng, 1.0);
        for (int k = 0; k < 12; ++k) point[k] = abut_add_scaled(center, abut_random_direction(rng), 0.4);
        AbutError error;
        good(abut_polyhedron_from_points(point, 12, NULL, &h->hull[i], &error), &error);
        h->convex[i] = abut_convex_polyhedron(h->hull[i], 0);
    }
    h->pieces = (AbutPieces){.count = PIECES, .piece = h->hull};
}

static void free_heap(Heap *h) {
    for (int i = 0; i < PIECES; ++i) abut_polyhedron_free(h->hull[i]);
}

static void rays_and_points_are_the_least(void **state) {
    (void)state;
    AbutRng rng = abut_rng(911, 1);
    int hits = 0, starts = 0, inside = 0, cases = check_cases(2000);
    for (int i = 0; i < cases; ++i) {
        Heap heap;
        make_heap(&rng, &heap);
        AbutPlaced body = {abut_solid_pieces(&heap.pieces), random_pose(&rng, 2)};
        AbutVec3 from = abut_add(body.pose.p, random_arm(&rng, 4)), to = abut_add(body.pose.p, random_arm(&rng, 1));
        AbutRay ray = {from, abut_scale(abut_sub(to, from), 1.5)};
        AbutCastHit found = abut_ray(&body, ray), first = {.t = 2, .body = -1};
        AbutNearestPoint near = abut_nearest_point(&body, from), nearest = {.distance = INFINITY};
        for (int k = 0; k < PIECES; ++k) {
            AbutPlaced piece = {abut_solid_convex(&heap.convex[k]), body.pose};
            AbutCastHit one = abut_ray(&piece, ray);
            AbutNearestPoint point = abut_nearest_point(&piece, from);
            if (one.body >= 0 && one.t < first.t) first = one, first.feature = k;
            if (point.distance < nearest.distance) nearest = point, nearest.feature = k;
        }
        assert_true(found.body == first.body && (found.body < 0 || found.t == first.t));
        if (found.body >= 0) assert_true(found.outcome == first.outcome && found.feature == first.feature);
        CHECK_VEC_NEAR(found.point, first.point, 0);
        CHECK_VEC_NEAR(found.normal, first.normal, 0);
        assert_true(near.distance == nearest.distance && near.feature == nearest.feature && near.body == 0);
        hits += found.outcome == ABUT_IMPACT_HIT, starts += found.outcome == ABUT_IMPACT_AT_START;
        inside += near.distance < 0;
        free_heap(&heap);
    }
    CHECK(hits > cases / 4 && starts > cases / 100 && inside > cases / 100);
}

/* The first of all pairs of the parts of two solids. */
static AbutImpact first_of_pairs(
    int count_a, const AbutMover *a, int count_b, const AbutMover *b, const AbutImpactDef *def) {
    AbutImpact best = abut_time_of_impact(&a[0], &b[0], def);
    for (int k = 1; k < count_a * count_b; ++k) {
        AbutImpact x = abut_time_of_impact(&a[k / count_b], &b[k % count_b], def);
        int none = x.outcome == ABUT_IMPACT_NONE, had_none = best.outcome == ABUT_IMPACT_NONE;
        if (had_none ? !none || x.distance < best.distance : !none && fabs(x.t - def->from) < fabs(best.t - def->from))
            best = x;
    }
    return best;
}

/* Each pair of kinds with pieces in it, forward and backward, and with a level. */
static void impacts_are_the_first(void **state) {
    (void)state;
    AbutRng rng = abut_rng(912, 1);
    AbutMeshTree *torus = made_tree("torus", 200);
    int hits = 0, none = 0, cases = check_cases(200);
    for (int i = 0; i < cases; ++i) {
        Heap heap[2];
        AbutMover mover[2], part[2][PIECES];
        int counts[2] = {PIECES, PIECES};
        for (int k = 0; k < 2; ++k) {
            make_heap(&rng, &heap[k]);
            mover[k].solid = abut_solid_pieces(&heap[k].pieces);
            mover[k].motion = random_motion(&rng, k ? abut_scale(abut_random_direction(&rng), 5) : abut_zero(), 1, 2);
        }
        int other = i % 3, side = i % 2; /* of the solid that is not made of pieces */
        if (other) mover[side].solid = other == 1 ? abut_solid_mesh(torus) : abut_solid_convex(&heap[side].convex[0]);
        for (int k = 0; k < 2; ++k)
            for (int p = 0; p < PIECES; ++p)
                part[k][p] = (AbutMover){abut_solid_convex(&heap[k].convex[p]), mover[k].motion};
        if (other) counts[side] = 1, part[side][0] = mover[side];
        AbutImpactDef def = {.from = i % 5 ? 0 : 1, .to = i % 5 ? 1 : 0, .tolerance = 1e-6, .level = i % 7 ? 0 : 0.05};
        AbutImpact x = abut_time_of_impact(&mover[0], &mover[1], &def);
        AbutImpact y = first_of_pairs(counts[0], part[0], counts[1], part[1], &def);
        assert_true(x.outcome == y.outcome && x.t == y.t && x.t_lo == y.t_lo && x.t_hi == y.t_hi);
        assert_true(x.distance == y.distance && x.approach == y.approach);
        CHECK_VEC_NEAR(x.point_a, y.point_a, 0);
        CHECK_VEC_NEAR(x.normal, y.normal, 0);
        assert_true(other && side == 0 ? x.part_a == y.part_a : x.part_a >= 0 && x.part_a < PIECES);
        hits += x.outcome == ABUT_IMPACT_HIT, none += x.outcome == ABUT_IMPACT_NONE;
        free_heap(&heap[0]), free_heap(&heap[1]);
    }
    CHECK(hits > cases / 4 && none > 0);
    abut_mesh_tree_free(torus);
}

/* Pieces in sets, with a tree and without, and as what is moved; none at all is invalid. */
static void pieces_in_sets(void **state) {
    (void)state;
    enum { COUNT = 20 };
    AbutRng rng = abut_rng(913, 1);
    Heap heap;
    AbutConvex ball = abut_convex_point(abut_zero(), 0.3);
    AbutPlaced body[COUNT];
    AbutBodyTree *tree;
    AbutError error;
    make_heap(&rng, &heap);
    for (int i = 0; i < COUNT; ++i)
        body[i] =
            (AbutPlaced){i % 2 ? abut_solid_pieces(&heap.pieces) : abut_solid_convex(&ball), random_pose(&rng, 8)};
    good(abut_body_tree_create(COUNT, body, &tree, &error), &error);
    AbutBodySet plain = {COUNT, body, NULL, NULL, NULL}, with_tree = {COUNT, body, NULL, NULL, tree};
    int hits = 0, cases = check_cases(300);
    for (int i = 0; i < cases; ++i) {
        AbutPlaced moved = {abut_solid_pieces(&heap.pieces), random_pose(&rng, 8)};
        AbutRay ray = {moved.pose.p, random_arm(&rng, 12)};
        AbutCastHit a = first_ray(&plain, ray), b = first_ray(&with_tree, ray);
        assert_true(a.outcome == b.outcome && a.body == b.body && a.t == b.t && a.feature == b.feature);
        a = first_cast(&plain, &moved, ray.way, 1e-6), b = first_cast(&with_tree, &moved, ray.way, 1e-6);
        assert_true(a.outcome == b.outcome && a.body == b.body && a.t == b.t && a.feature == b.feature);
        hits += a.body >= 0;
        AbutNearestPoint p = nearest_of_set(&plain, ray.origin), q = nearest_of_set(&with_tree, ray.origin);
        assert_true(p.body == q.body && p.distance == q.distance && p.feature == q.feature);
    }
    CHECK(hits > cases / 4);
    abut_body_tree_free(tree);
    AbutPieces none = {0};
    AbutPlaced empty = {abut_solid_pieces(&none), abut_pose_identity()};
    assert_int_equal(abut_ray(&empty, (AbutRay){{0, 0, 0}, {1, 0, 0}}).outcome, ABUT_IMPACT_INVALID);
    assert_int_equal(abut_cast_moved(&empty, &body[0], abut_axis(0), 0).outcome, ABUT_IMPACT_INVALID);
    assert_int_equal(abut_nearest_point(&empty, abut_zero()).body, -1);
    assert_int_equal(abut_body_tree_create(1, &empty, &tree, &error), ABUT_ERROR_ARGUMENT);
    free_heap(&heap);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rays_and_points_are_the_least),
        cmocka_unit_test(impacts_are_the_first),
        cmocka_unit_test(pieces_in_sets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

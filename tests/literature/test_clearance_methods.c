/* SPDX-License-Identifier: Apache-2.0 */
/* The methods of the literature beside the front search: certified ones bracket, others say so; numbers of distances;
 * counterexamples; unions of pieces are cheap and continuous. */
#include "clearance/clearance_support.h"
#include "abut/literature.h"

typedef struct Bodies {
    AbutConvex shape[2];
    AbutClearanceBody *body[2];
    AbutClearanceSpace *space;
} Bodies;

static Bodies make_bodies(AbutConvex a, AbutConvex b) {
    Bodies out = {{a, b}, {NULL, NULL}, new_space()};
    for (int k = 0; k < 2; ++k) out.body[k] = body_of_pieces(1, &out.shape[k]);
    return out;
}

static void free_bodies(Bodies *b) {
    abut_clearance_body_free(b->body[0]);
    abut_clearance_body_free(b->body[1]);
    abut_clearance_space_free(b->space);
}

static const AbutClearanceMethod certified[] = {ABUT_CLEARANCE_FRONT, ABUT_CLEARANCE_ADVANCE, ABUT_CLEARANCE_HYBRID,
    ABUT_CLEARANCE_SUBDIVIDE, ABUT_CLEARANCE_SAMPLING, ABUT_CLEARANCE_BEST_FIRST};

/* Every method against the front search at a much smaller eps. */
static void compare(
    Bodies *bodies, int cases, double eps, double mean[ABUT_CLEARANCE_METHOD_COUNT], int *golden_wrong) {
    AbutRng rng = abut_rng(801, (uint64_t)bodies->shape[0].kind);
    *golden_wrong = 0;
    memset(mean, 0, sizeof(double) * ABUT_CLEARANCE_METHOD_COUNT);
    for (int i = 0; i < cases; ++i) {
        FreeMotion m;
        AbutMover a = {abut_solid_prepared(bodies->body[0]), random_free_motion(&rng, 0, 0.6, 0.5, &m)};
        AbutMover b = {abut_solid_prepared(bodies->body[1]), abut_motion_static(abut_pose_identity())};
        AbutClearanceDef def = over_unit(eps), fine = over_unit(1e-7);
        AbutClearance truth = abut_clearance(&a, &b, &fine, bodies->space);
        for (int k = 0; k < ABUT_CLEARANCE_METHOD_COUNT; ++k) {
            AbutClearance x = abut_clearance_by((AbutClearanceMethod)k, &a, &b, &def, bodies->space);
            int proved = 0;
            for (size_t c = 0; c < sizeof certified / sizeof certified[0]; ++c)
                proved |= certified[c] == (AbutClearanceMethod)k;
            assert_true(x.ub >= truth.lb - 1e-9 && x.lb <= truth.ub + 1e-9);
            if (proved) assert_true(x.certified && x.ub - x.lb <= eps);
            if (k == ABUT_CLEARANCE_GOLDEN || k == ABUT_CLEARANCE_SUBDIVIDE_THESIS)
                assert_true(!x.certified && x.lb == -INFINITY);
            if (k == ABUT_CLEARANCE_SUBDIVIDE || k == ABUT_CLEARANCE_BEST_FIRST) { /* never more than sampling, twice */
                double way = abut_motion_speed(&a.motion, 0, 1, NULL, abut_zero(), 0.5);
                assert_true((double)x.evaluations <= way / eps + 2);
            }
            *golden_wrong += k == ABUT_CLEARANCE_GOLDEN && x.ub > truth.ub + 1e-3;
            mean[k] += (double)x.evaluations / cases;
        }
    }
}

static void methods_agree_on_capsules(void **state) {
    (void)state;
    AbutConvex capsule = abut_convex_segment(abut_vec3(0, 0, -0.2), abut_vec3(0, 0, 0.2), 0.08);
    Bodies bodies = make_bodies(capsule, capsule);
    double mean[ABUT_CLEARANCE_METHOD_COUNT];
    int wrong, cases = check_cases(120);
    compare(&bodies, cases, 1e-3, mean, &wrong);
    for (int k = 0; k < ABUT_CLEARANCE_METHOD_COUNT; ++k)
        print_message("%s %.1f\n", abut_word(abut_clearance_method_names, k), mean[k]);
    if (cases >= 100) {
        assert_true(wrong > 0); /* golden section ends in the wrong valley now and then */
        assert_true(mean[ABUT_CLEARANCE_HYBRID] <= 40 && mean[ABUT_CLEARANCE_SUBDIVIDE] <= 15);
        assert_true(mean[ABUT_CLEARANCE_FRONT] <= 25 && mean[ABUT_CLEARANCE_BEST_FIRST] <= 15);
        assert_true(mean[ABUT_CLEARANCE_SAMPLING] >= 100 * mean[ABUT_CLEARANCE_SUBDIVIDE]);
    }
    compare(&bodies, check_cases(20), 1e-2, mean, &wrong);
    free_bodies(&bodies);
}

/* Conservative advancement and the certified hybrid keep every tolerance. */
static void advancement_keeps_its_tolerance(void **state) {
    (void)state;
    AbutConvex capsule = abut_convex_segment(abut_vec3(0, 0, -0.2), abut_vec3(0, 0, 0.2), 0.08);
    Bodies bodies = make_bodies(capsule, capsule);
    AbutRng rng = abut_rng(804, 1);
    static const double eps[3] = {1e-2, 1e-3, 1e-4};
    for (int i = 0; i < check_cases(100); ++i)
        for (int k = 0; k < 3; ++k) {
            FreeMotion m;
            AbutMover a = {abut_solid_prepared(bodies.body[0]), random_free_motion(&rng, 0, 0.6, 0.5, &m)};
            AbutMover b = {abut_solid_prepared(bodies.body[1]), abut_motion_static(abut_pose_identity())};
            AbutClearanceDef def = over_unit(eps[k]), fine = over_unit(1e-7);
            AbutClearance truth = abut_clearance(&a, &b, &fine, bodies.space);
            AbutClearance x = abut_clearance_by(ABUT_CLEARANCE_ADVANCE, &a, &b, &def, bodies.space);
            AbutClearance y = abut_clearance_by(ABUT_CLEARANCE_HYBRID, &a, &b, &def, bodies.space);
            assert_true(x.certified && x.ub - x.lb <= eps[k] && x.ub - truth.lb <= eps[k] && x.lb <= truth.ub + 1e-9);
            assert_true(y.certified && y.ub - y.lb <= eps[k] && y.ub - truth.lb <= eps[k] && y.lb <= truth.ub + 1e-9);
        }
    free_bodies(&bodies);
}

static void methods_agree_on_boxes(void **state) {
    (void)state;
    Bodies bodies =
        make_bodies(abut_convex_box(abut_vec3(0.1, 0.15, 0.05), 0), abut_convex_box(abut_vec3(0.2, 0.1, 0.1), 0));
    double mean[ABUT_CLEARANCE_METHOD_COUNT];
    int wrong, cases = check_cases(60);
    compare(&bodies, cases, 1e-3, mean, &wrong);
    for (int k = 0; k < ABUT_CLEARANCE_METHOD_COUNT; ++k)
        print_message("%s %.1f\n", abut_word(abut_clearance_method_names, k), mean[k]);
    if (cases >= 50)
        assert_true(mean[ABUT_CLEARANCE_SUBDIVIDE] <= 15 &&
                    mean[ABUT_CLEARANCE_SAMPLING] >= 100 * mean[ABUT_CLEARANCE_SUBDIVIDE]);
    free_bodies(&bodies);
}

static void meshes_by_other_methods(void **state) {
    (void)state;
    AbutMeshTree *tree[2] = {made_tree("knot", 100), made_tree("torus", 100)};
    AbutClearanceBody *body[2] = {body_of_mesh(tree[0]), body_of_mesh(tree[1])};
    AbutClearanceSpace *space = new_space();
    AbutRng rng = abut_rng(802, 1);
    for (int i = 0; i < check_cases(10); ++i) {
        FreeMotion m;
        AbutMover a = {abut_solid_prepared(body[0]), random_free_motion(&rng, 1.1, 0.2, 0.3, &m)};
        AbutMover b = {abut_solid_prepared(body[1]), abut_motion_static(abut_pose_identity())};
        AbutClearanceDef def = over_unit(1e-2);
        AbutClearance x = abut_clearance(&a, &b, &def, space);
        for (size_t k = 0; k < sizeof certified / sizeof certified[0]; ++k) {
            AbutClearance y = abut_clearance_by(certified[k], &a, &b, &def, space);
            assert_true(y.lb <= x.ub && x.lb <= y.ub && (y.certified || y.ub <= 0));
        }
    }
    for (int k = 0; k < 2; ++k) {
        abut_clearance_body_free(body[k]);
        abut_mesh_tree_free(tree[k]);
    }
    abut_clearance_space_free(space);
}

/* A parabola in time: the lower level rises and the upper falls, and they never cross. */
static void swapped_updates_would_fail(void **state) {
    (void)state;
    AbutConvex ball = abut_convex_point(abut_zero(), 0.1);
    Bodies bodies = make_bodies(ball, ball);
    AbutMotion m = abut_motion_static(abut_pose(abut_vec3(0.45, 0, 0), abut_quat_identity()));
    m.path[0] = abut_vec3(-1, 0, 0), m.path[1] = abut_vec3(1, 0, 0); /* (t - 1/2)^2 + 0.2 */
    AbutMover a = {abut_solid_prepared(bodies.body[0]), m};
    AbutMover b = {abut_solid_prepared(bodies.body[1]), abut_motion_static(abut_pose_identity())};
    AbutClearanceDef def = over_unit(1e-4);
    for (size_t k = 0; k < sizeof certified / sizeof certified[0]; ++k) {
        AbutClearance x = abut_clearance_by(certified[k], &a, &b, &def, bodies.space);
        assert_true(x.certified && x.lb <= 1e-12 && x.ub >= -1e-12 && x.ub <= 1e-4);
    }
    AbutClearance golden = abut_clearance_by(ABUT_CLEARANCE_GOLDEN, &a, &b, &def, bodies.space);
    CHECK_NEAR(golden.t, 0.5, 1e-3);
    assert_true(golden.evaluations <= 18);
    assert_int_equal(abut_word_find(abut_clearance_method_names, "hybrid-classic"), ABUT_CLEARANCE_HYBRID_CLASSIC);
    assert_int_equal(abut_word_find(abut_clearance_method_names, "none"), -1);
    assert_string_equal(abut_word(abut_clearance_method_names, ABUT_CLEARANCE_SUBDIVIDE_THESIS), "as-thesis");
    assert_string_equal(abut_word(abut_clearance_method_names, ABUT_CLEARANCE_METHOD_COUNT), "unknown");
    free_bodies(&bodies);
}

/*
 * A point rises from a floor to 0.01 m below a ceiling and falls back, as high as a quintic can that never moves faster
 * than 1 m/s. The cone of the speed bound (4.8 of the thesis) is sound; raised by the hump of the frozen nearest points
 * (4.9) it would stand far above the truth, since the ceiling becomes the nearest feature.
 */
static void another_feature_becomes_the_nearest(void **state) {
    (void)state;
    const double r = sqrt(2), start = 0.3606, hump = r / 4, ceiling = start + hump + 0.01;
    AbutVec3 corner[2][8];
    AbutPolyhedron *plate[2];
    AbutConvex piece[2], point = abut_convex_point(abut_zero(), 0);
    for (int k = 0; k < 2; ++k) {
        for (int i = 0; i < 8; ++i)
            corner[k][i] = abut_vec3((i & 1) ? 1 : -1, (i & 2) ? 1 : -1, (k ? ceiling : -0.1) + ((i & 4) ? 0.1 : 0));
        plate[k] = hull_of(corner[k], 8);
        piece[k] = abut_convex_polyhedron(plate[k], 0);
    }
    AbutClearanceBody *room = body_of_pieces(2, piece), *body = body_of_pieces(1, &point);
    AbutClearanceSpace *space = new_space();
    AbutCurvePiece height = {0, {start, 0.5 * r, 1.5 * r, -4 * r, 2 * r, 0}};
    AbutChainJoint joint = {
        .parent = -1, .kind = ABUT_CHAIN_SLIDE, .fixed = abut_pose_identity(), .axis = abut_axis(2)};
    joint.curve[0] = (AbutCurve){1, &height, 1};
    AbutChain chain = {1, &joint};
    AbutMotion m;
    AbutError error;
    good(abut_motion_chain(&chain, 0, &m, &error), &error);
    AbutMover p = {abut_solid_prepared(body), m},
              q = {abut_solid_prepared(room), abut_motion_static(abut_pose_identity())};
    AbutClearanceDef def = over_unit(1e-4);
    const int steps = 100000;
    double truth = INFINITY, top = 0, fastest = 0, before = start, z = start;
    for (int k = 0; k <= steps; ++k, before = z) {
        z = abut_curve_value(&joint.curve[0], (double)k / steps);
        truth = abut_smaller(truth, abut_smaller(z, ceiling - z));
        top = abut_larger(top, z);
        fastest = abut_larger(fastest, fabs(z - before) * steps);
    }
    CHECK_NEAR(fastest, 1, 1e-8);
    CHECK_NEAR(z, start, 1e-12);
    CHECK_NEAR(truth, 0.01, 1e-9);
    CHECK_NEAR(0.5 * (start + z - fastest), -0.139, 5e-4);
    CHECK_NEAR(0.5 * (start + z - (fastest - 2 * (top - start))), 0.214, 5e-4);
    for (size_t k = 0; k < sizeof certified / sizeof certified[0]; ++k) {
        AbutClearance x = abut_clearance_by(certified[k], &p, &q, &def, space);
        assert_true(x.certified && x.ub - x.lb <= 1e-4 && x.lb <= truth + 1e-9 && x.ub >= truth - 1e-9);
    }
    assert_false(abut_clearance_by(ABUT_CLEARANCE_SUBDIVIDE_THESIS, &p, &q, &def, space).certified);
    abut_clearance_body_free(room);
    abut_clearance_body_free(body);
    abut_polyhedron_free(plate[0]);
    abut_polyhedron_free(plate[1]);
    abut_clearance_space_free(space);
}

/* A peg that turns in a slot: the distance of the pieces never jumps, as the true depth does. */
static void pegs_in_slots_are_continuous(void **state) {
    (void)state;
    AbutVec3 corner[8];
    AbutPolyhedron *wall[2];
    AbutConvex piece[2], peg = abut_convex_box(abut_vec3(0.5, 0.5, 0.5), 0);
    for (int k = 0; k < 2; ++k) {
        for (int i = 0; i < 8; ++i)
            corner[i] = abut_vec3((k ? 0.51 : -1.51) + ((i & 1) ? 1 : 0), (i & 2) ? 1.5 : -1.5, (i & 4) ? 1.5 : -1.5);
        wall[k] = hull_of(corner, 8);
        piece[k] = abut_convex_polyhedron(wall[k], 0);
    }
    AbutClearanceBody *slot = body_of_pieces(2, piece), *body = body_of_pieces(1, &peg);
    AbutClearanceSpace *space = new_space();
    AbutMotion turn = abut_motion_screw(abut_pose_identity(), abut_zero(), abut_axis(2), 0.1, 0);
    AbutMover a = {abut_solid_prepared(body), turn},
              b = {abut_solid_prepared(slot), abut_motion_static(abut_pose_identity())};
    double before = 0;
    for (int k = 0; k <= 50; ++k) {
        AbutClearanceDef at = {.from = k / 50.0, .to = k / 50.0, .eps = 1e-9};
        AbutClearance x = abut_clearance(&a, &b, &at, space);
        if (k > 0) assert_true(fabs(x.ub - before) <= 0.1 / 50 * sqrt(0.75) + 1e-8);
        before = x.ub;
    }
    assert_true(before < 0 && before > -0.1);
    abut_clearance_body_free(slot);
    abut_clearance_body_free(body);
    abut_polyhedron_free(wall[0]);
    abut_polyhedron_free(wall[1]);
    abut_clearance_space_free(space);
}

static double mean_evaluations(int pieces, int cases) {
    AbutRng rng = abut_rng(803, (uint64_t)pieces);
    AbutClearanceSpace *space = new_space();
    double sum = 0;
    for (int i = 0; i < cases; ++i) {
        AbutPolyhedron *hull[2][16];
        AbutConvex piece[2][16];
        AbutClearanceBody *body[2];
        FreeMotion m;
        for (int k = 0; k < 2; ++k) {
            for (int p = 0; p < pieces; ++p) {
                double angle = 2 * ABUT_PI * p / pieces;
                AbutVec3 points[8], h = abut_vec3(abut_rng_between(&rng, 0.02, 0.05), 0.06, 0.03);
                AbutQuat q = abut_quat_mul(abut_quat_axis_angle(abut_axis(2), angle),
                    abut_quat_axis_angle(abut_random_direction(&rng), abut_rng_between(&rng, -0.3, 0.3)));
                AbutPose at = abut_pose(abut_vec3(0.25 * cos(angle), 0.25 * sin(angle) * (k ? 0.6 : 1), 0), q);
                for (int c = 0; c < 8; ++c)
                    points[c] = abut_pose_apply(
                        at, abut_mul(h, abut_vec3((c & 1) ? 1 : -1, (c & 2) ? 1 : -1, (c & 4) ? 1 : -1)));
                hull[k][p] = hull_of(points, 8);
                piece[k][p] = abut_convex_polyhedron(hull[k][p], 0);
            }
            body[k] = body_of_pieces(pieces, piece[k]);
        }
        AbutMover a = {
            abut_solid_prepared(body[0]), random_free_motion(&rng, abut_rng_between(&rng, 0, 0.7), 0.2, 0.5, &m)};
        AbutMover b = {abut_solid_prepared(body[1]), abut_motion_static(abut_pose_identity())};
        AbutClearanceDef def = over_unit(1e-3);
        AbutClearance x = abut_clearance(&a, &b, &def, space);
        assert_true(x.certified);
        sum += (double)x.evaluations / cases;
        for (int k = 0; k < 2; ++k) {
            abut_clearance_body_free(body[k]);
            for (int p = 0; p < pieces; ++p) abut_polyhedron_free(hull[k][p]);
        }
    }
    abut_clearance_space_free(space);
    return sum;
}

static void unions_need_few_distances(void **state) {
    (void)state;
    double few = mean_evaluations(5, check_cases(60)), many = mean_evaluations(16, check_cases(60));
    print_message("distances of pieces: 5 x 5 %.1f, 16 x 16 %.1f\n", few, many);
    assert_true(few <= 100 && many <= 50);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(methods_agree_on_capsules),
        cmocka_unit_test(advancement_keeps_its_tolerance),
        cmocka_unit_test(methods_agree_on_boxes),
        cmocka_unit_test(meshes_by_other_methods),
        cmocka_unit_test(swapped_updates_would_fail),
        cmocka_unit_test(another_feature_becomes_the_nearest),
        cmocka_unit_test(pegs_in_slots_are_continuous),
        cmocka_unit_test(unions_need_few_distances),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

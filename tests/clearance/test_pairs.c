/* SPDX-License-Identifier: Apache-2.0 */
/* Many pairs: the same answers as one by one, for any number of threads; the worst pair; links of one chain; hundreds
 * of bodies with a care distance; bad input. */
#include "clearance_support.h"

enum { LINKS = 8, MOST_PAIRS = LINKS * (LINKS - 1) / 2 };

/* An arm of hinges with a capsule or a mesh on each link. */
typedef struct Arm {
    AbutCurvePiece piece[LINKS];
    AbutChainJoint joint[LINKS];
    AbutChain chain;
    AbutMeshTree *tree;
    AbutClearanceBody *body;
    AbutMover mover[LINKS];
    AbutPair pair[MOST_PAIRS];
    int32_t pair_count;
} Arm;

static void make_arm(AbutRng *rng, Arm *arm, int meshes) {
    AbutError error;
    AbutConvex capsule = abut_convex_segment(abut_zero(), abut_vec3(0.15, 0, 0), 0.03);
    memset(arm, 0, sizeof *arm);
    arm->chain = (AbutChain){LINKS, arm->joint};
    arm->tree = meshes ? made_tree("knot", 150) : NULL;
    arm->body = meshes ? body_of_mesh(arm->tree) : body_of_pieces(1, &capsule);
    double step = meshes ? 2.2 * arm->tree->radius : 0.2;
    for (int j = 0; j < LINKS; ++j) {
        AbutChainJoint *q = &arm->joint[j];
        *q = (AbutChainJoint){.parent = j - 1, .kind = ABUT_CHAIN_HINGE, .axis = abut_axis(j % 3)};
        q->fixed = abut_pose(abut_vec3(j > 0 ? step : 0, 0, 0), abut_random_quat(rng));
        q->curve[0] = random_curve(rng, 0, 0.5, &arm->piece[j]);
    }
    for (int j = 0; j < LINKS; ++j) {
        good(abut_motion_chain(&arm->chain, j, &arm->mover[j].motion, &error), &error);
        arm->mover[j].solid = abut_solid_prepared(arm->body);
    }
    for (int b = 2; b < LINKS; ++b) /* not neighbors */
        for (int a = 0; a < b - 1; ++a) arm->pair[arm->pair_count++] = (AbutPair){a, b};
}

static void free_arm(Arm *arm) {
    abut_clearance_body_free(arm->body);
    abut_mesh_tree_free(arm->tree);
}

static void pairs_are_as_one_by_one(void **state) {
    (void)state;
    AbutRng rng = abut_rng(701, 1);
    AbutClearanceSpace *space = new_space();
    for (int i = 0; i < check_cases(12); ++i) {
        static Arm arm;
        AbutClearance out[3][MOST_PAIRS];
        AbutClearanceWorst worst[3];
        AbutError error;
        AbutClearanceDef def = over_unit(1e-3);
        def.care = i % 3 == 2 ? 0.1 : 0;
        make_arm(&rng, &arm, i % 2);
        for (int k = 0; k < 3; ++k) {
            static const int threads[3] = {1, 2, 8};
            memset(out[k], 0, sizeof out[k]);
            good(abut_clearance_pairs(LINKS, arm.mover, arm.pair_count, arm.pair, &def, out[k], threads[k], &error),
                &error);
            good(abut_clearance_worst(LINKS, arm.mover, arm.pair_count, arm.pair, &def, threads[k], &worst[k], &error),
                &error);
        }
        assert_memory_equal(out[0], out[1], sizeof out[0]);
        assert_memory_equal(out[0], out[2], sizeof out[0]);
        assert_memory_equal(&worst[0], &worst[1], sizeof worst[0]);
        assert_memory_equal(&worst[0], &worst[2], sizeof worst[0]);
        double least = INFINITY;
        for (int k = 0; k < arm.pair_count; ++k) {
            AbutClearance x = abut_clearance(&arm.mover[arm.pair[k].a], &arm.mover[arm.pair[k].b], &def, space);
            assert_true(x.ub == out[0][k].ub && x.t == out[0][k].t);
            assert_true(isfinite(x.ub) ? x.lb == out[0][k].lb : out[0][k].lb >= def.care);
            assert_true(out[0][k].certified);
            least = abut_smaller(least, x.ub);
        }
        assert_true(worst[0].certified && worst[0].lb <= least + 1e-12);
        if (isfinite(least) && least > 0) {
            assert_true(worst[0].clearance.ub <= least + 1e-3 && worst[0].clearance.ub >= worst[0].lb);
            assert_true(worst[0].clearance.ub - worst[0].lb <= 1.0000001e-3);
            assert_true(fabs(out[0][worst[0].pair].ub - least) <= 1e-3);
        } else if (isfinite(least)) { /* one that touches, not always the deepest */
            assert_true(worst[0].clearance.ub <= 0 && worst[0].clearance.ub >= worst[0].lb);
            assert_true(out[0][worst[0].pair].ub <= 1e-3);
        }
        free_arm(&arm);
    }
    abut_clearance_space_free(space);
}

/* Spheres that fly on straight lines: the care distance leaves few pairs to search, and loses none. */
static void hundreds_of_bodies(void **state) {
    (void)state;
    enum { BODIES = 150, PAIRS = BODIES * (BODIES - 1) / 2 };
    AbutRng rng = abut_rng(702, 1);
    AbutConvex ball = abut_convex_point(abut_zero(), 0.1);
    AbutClearanceBody *body = body_of_pieces(1, &ball);
    static AbutMover mover[BODIES];
    static AbutPair pair[PAIRS];
    static AbutClearance out[PAIRS];
    AbutVec3 from[BODIES], way[BODIES];
    AbutError error;
    for (int i = 0; i < BODIES; ++i) {
        from[i] = abut_scale(abut_random_direction(&rng), abut_rng_between(&rng, 0, 10));
        way[i] = abut_scale(abut_random_direction(&rng), abut_rng_between(&rng, 0, 4));
        mover[i] = (AbutMover){
            abut_solid_prepared(body), abut_motion_translation(abut_pose(from[i], abut_quat_identity()), way[i])};
    }
    for (int32_t a = 0, k = 0; a < BODIES; ++a)
        for (int32_t b = a + 1; b < BODIES; ++b) pair[k++] = (AbutPair){a, b};
    AbutClearanceDef def = over_unit(1e-6);
    def.care = 0.5;
    good(abut_clearance_pairs(BODIES, mover, PAIRS, pair, &def, out, 0, &error), &error);
    int near = 0, searched = 0;
    for (int k = 0; k < PAIRS; ++k) { /* the least distance of two points on lines, in closed form */
        AbutVec3 p = abut_sub(from[pair[k].b], from[pair[k].a]), v = abut_sub(way[pair[k].b], way[pair[k].a]);
        double t = abut_smaller(1, abut_larger(0, -abut_dot(p, v) / abut_length_sq(v)));
        double truth = abut_length(abut_add_scaled(p, v, t)) - 0.2;
        assert_true(out[k].certified && out[k].lb <= truth + 1e-12);
        if (truth < 0.5 - 1e-6)
            CHECK_NEAR(out[k].ub, truth, 1.1e-6);
        else
            assert_true(out[k].lb >= 0.5 - 1e-6);
        near += truth < 0.5;
        searched += out[k].evaluations > 0;
    }
    assert_true(near > 10 && searched < PAIRS / 4);
    abut_clearance_body_free(body);
}

static void bad_pairs_are_refused(void **state) {
    (void)state;
    AbutRng rng = abut_rng(703, 1);
    static Arm arm;
    AbutClearance out[MOST_PAIRS];
    AbutClearanceWorst worst;
    AbutError error;
    AbutClearanceDef def = over_unit(1e-3), bad = def;
    make_arm(&rng, &arm, 0);
    bad.eps = -1;
    assert_int_equal(
        abut_clearance_pairs(LINKS, arm.mover, arm.pair_count, arm.pair, &bad, out, 1, &error), ABUT_ERROR_NUMBER);
    assert_int_equal(
        abut_clearance_worst(LINKS, arm.mover, arm.pair_count, arm.pair, &bad, 1, &worst, &error), ABUT_ERROR_NUMBER);
    arm.pair[3].b = LINKS;
    assert_int_equal(
        abut_clearance_pairs(LINKS, arm.mover, arm.pair_count, arm.pair, &def, out, 1, &error), ABUT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, "pair 3"));
    arm.piece[2].c[0] = NAN;
    assert_int_equal(abut_clearance_worst(LINKS, arm.mover, 2, arm.pair, &def, 1, &worst, &error), ABUT_ERROR_NUMBER);
    assert_non_null(strstr(error.text, "joint 2"));
    arm.piece[2].c[0] = 0;
    good(abut_clearance_worst(LINKS, arm.mover, 0, arm.pair, &def, 1, &worst, &error), &error);
    assert_int_equal(worst.pair, -1);
    arm.mover[1].solid.prepared = NULL;
    assert_int_equal(abut_clearance_pairs(LINKS, arm.mover, 2, arm.pair, &def, out, 1, &error), ABUT_ERROR_ARGUMENT);
    assert_string_equal(error.text, "mover 1: its solid is not prepared");
    assert_int_equal(abut_clearance_worst(LINKS, arm.mover, 2, arm.pair, &def, 1, &worst, &error), ABUT_ERROR_ARGUMENT);
    free_arm(&arm);
}

/* Two half-spaces have no clearance: the worst there is, wherever the pair stands. */
static void a_pair_without_numbers_is_the_worst(void **state) {
    (void)state;
    AbutConvex ball = abut_convex_point(abut_zero(), 0.1),
               half = abut_convex_half_space((AbutPlane){abut_axis(2), 0}, 0);
    AbutClearanceBody *body[2] = {body_of_pieces(1, &ball), body_of_pieces(1, &half)};
    AbutMover mover[4];
    AbutPair pair[2][3] = {{{0, 1}, {0, 2}, {2, 3}}, {{2, 3}, {0, 1}, {0, 2}}};
    AbutClearanceDef def = over_unit(1e-3);
    AbutClearanceWorst worst;
    AbutError error;
    for (int i = 0; i < 4; ++i)
        mover[i] = (AbutMover){abut_solid_prepared(body[i / 2]),
            abut_motion_static(abut_pose(abut_vec3(0.5 * i, 0, i < 2 ? 1 : 0), abut_quat_identity()))};
    for (int k = 0; k < 2; ++k) {
        good(abut_clearance_worst(4, mover, 3, pair[k], &def, 1, &worst, &error), &error);
        assert_int_equal(worst.pair, k == 0 ? 2 : 0);
        assert_true(worst.clearance.status == ABUT_CLEARANCE_INVALID && isnan(worst.lb) && !worst.certified);
        good(abut_clearance_worst(4, mover, 2, pair[k] + k, &def, 1, &worst, &error), &error);
        assert_true(worst.clearance.status == ABUT_CLEARANCE_CLEAR && worst.lb > 0.2);
    }
    abut_clearance_body_free(body[0]);
    abut_clearance_body_free(body[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_are_as_one_by_one),
        cmocka_unit_test(hundreds_of_bodies),
        cmocka_unit_test(a_pair_without_numbers_is_the_worst),
        cmocka_unit_test(bad_pairs_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

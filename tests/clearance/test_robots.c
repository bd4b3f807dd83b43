/* SPDX-License-Identifier: Apache-2.0 */
/* Robots that move: pairs of links of a built-in biped, and the nineteen pairs of TALOS where it is at hand, as unions
 * of hulls, as meshes and as capsules, against samples; the same robots seen in a mirror; any number of threads. */
#include "abut/import.h"
#include "mesh/kernels.h"
#include "clearance_support.h"
#include "support/moving_robot.h"
#include "support/optional_data.h"

static const char *const biped_pairs[][2] = {{"left_thigh", "right_thigh"}, {"left_shin", "right_shin"},
    {"left_foot", "right_foot"}, {"left_foot", "right_shin"}, {"left_shin", "trunk"}, {"right_foot", "trunk"}};

enum { BIPED_PAIRS = sizeof biped_pairs / sizeof biped_pairs[0] };

/* Distance of two bodies at a time, measured in full: of meshes and capsules. */
static double distance_at(const MovingRobot *r, AbutPair p, double t) {
    AbutPose pose = pose_of_b_in_a(&r->mover[p.a], &r->mover[p.b], t);
    if (!r->tree[p.a]) {
        AbutConvex a = abut_convex_segment(r->capsule[p.a].a, r->capsule[p.a].b, r->capsule[p.a].radius),
                   b = abut_convex_segment(r->capsule[p.b].a, r->capsule[p.b].b, r->capsule[p.b].radius);
        return abut_convex_distance(&a, &b, pose, NULL, NULL).distance;
    }
    return abut_mesh_distance(r->tree[p.a], r->tree[p.b], pose, NULL, NULL).distance;
}

/* Brackets of all pairs, against samples where the links are meshes or capsules. */
static void check_motion(const MovingRobot *r, int sampled, double eps, AbutClearance *answer) {
    AbutClearance again[ROBOT_PAIRS];
    AbutClearanceDef def = over_unit(eps);
    AbutClearanceWorst worst;
    AbutError error;
    double least = INFINITY;
    good(abut_clearance_pairs(r->model->body_count, r->mover, r->pair_count, r->pair, &def, answer, 1, &error), &error);
    good(abut_clearance_pairs(r->model->body_count, r->mover, r->pair_count, r->pair, &def, again, 3, &error), &error);
    good(abut_clearance_worst(r->model->body_count, r->mover, r->pair_count, r->pair, &def, 2, &worst, &error), &error);
    for (int32_t i = 0; i < r->pair_count; ++i) {
        const AbutClearance *x = &answer[i];
        assert_true(x->certified && x->ub - x->lb <= eps);
        assert_true(x->ub == again[i].ub && x->lb == again[i].lb && x->t == again[i].t);
        least = abut_smaller(least, x->ub);
        for (int k = 0; k < 30 && sampled; ++k)
            assert_true(distance_at(r, r->pair[i], sample_time(k, 15, 30, x->t)) >= x->lb - 1e-12);
    }
    if (least > 0.0)
        assert_true(worst.certified && worst.lb <= least && worst.clearance.ub <= least + eps);
    else
        assert_true(worst.clearance.ub <= 0.0); /* after contact nothing more is asked */
}

static void check_robot(const AbutModel *model, int pairs, const char *const names[][2], int cases) {
    static MovingRobot robot[5]; /* hulls, meshes, capsules; the first two in the mirror */
    static AbutClearance answer[5][ROBOT_PAIRS];
    AbutError error;
    const double eps = 1e-3;
    for (int k = 0; k < 5; ++k) {
        assert_true(moving_robot_make(model, (RobotForm)(k % 3), k / 3, &robot[k], &error));
        moving_robot_pairs(&robot[k], pairs, names);
        assert_int_equal(robot[k].pair_count, pairs);
    }
    for (int i = 0; i < cases; ++i) {
        for (int k = 0; k < 5; ++k) {
            AbutRng rng = abut_rng(1001, (uint64_t)i);
            moving_robot_curves(&robot[k], &rng, i % 2 ? 0.5 : 1.2);
            check_motion(&robot[k], k % 3 != ROBOT_OF_HULLS, eps, answer[k]);
        }
        for (int32_t p = 0; p < pairs; ++p) {
            for (int k = 0; k < 2; ++k) /* a mirror changes no distance */
                assert_true(fabs(answer[k][p].ub - answer[k + 3][p].ub) <= eps &&
                            answer[k][p].lb <= answer[k + 3][p].ub && answer[k + 3][p].lb <= answer[k][p].ub);
            assert_true(answer[2][p].lb <= answer[0][p].ub); /* a capsule holds its hulls */
            /* hulls that overlap have depth, their surfaces do not; apart they are equally far */
            if (answer[0][p].lb > 0)
                assert_true(answer[0][p].lb <= answer[1][p].ub + 1e-9 && answer[1][p].lb <= answer[0][p].ub + 1e-9);
            else
                assert_true(answer[1][p].lb <= eps);
        }
    }
    for (int k = 0; k < 5; ++k) moving_robot_free(&robot[k]);
}

static void bipeds_move(void **state) {
    (void)state;
    AbutModel *model;
    AbutError error;
    good(abut_model_build("biped", 1, &model, &error), &error);
    check_robot(model, BIPED_PAIRS, biped_pairs, check_cases(20));
    abut_model_free(model);
}

static void talos_moves(void **state) {
    (void)state;
    char path[1024];
    AbutModel *model;
    AbutError error;
    const char *folder = optional_data("robots");
    if (!folder) {
        print_message("TALOS is not here\n");
        skip();
    }
    snprintf(path, sizeof path, "%s/pal_talos/talos.xml", folder);
    AbutModelReadOptions options = {.without_visuals = 1};
    good(abut_model_read(path, &options, &model, &error), &error);
    check_robot(model, TALOS_PAIRS, talos_pairs, check_cases(2));
    abut_model_free(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(bipeds_move), cmocka_unit_test(talos_moves)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Plans and certificates above a height field. The oracle measures the closed mesh of the same ground at many times. */
#include "abut/mesh.h"
#include "plan_support.h"
#include "mesh/kernels.h"

#include "proof/certify.h"

enum { SIDE = 25, SAMPLES = 200 };

/* A field whose middle stands up as a ridge, under an arm. */
typedef struct Ground {
    double heights[SIDE * SIDE];
    AbutPose pose;
    AbutMeshTree *tree;
} Ground;

static AbutModel *make_ground(AbutRng *rng, double ridge, Ground *ground) {
    AbutModel *model = no_obstacles();
    AbutBodyDef body = abut_body_default();
    AbutShapeDef shape = abut_shape_default();
    AbutMesh mesh;
    AbutError error;
    for (int i = 0; i < SIDE * SIDE; ++i) {
        double x = (i % SIDE) / (SIDE - 1.0), top = exp(-50.0 * (x - 0.5) * (x - 0.5));
        ground->heights[i] = 0.05 + ridge * top + abut_rng_between(rng, 0.0, 0.02);
    }
    AbutHeightField field = {SIDE, SIDE, 0.4, 0.3, 0.0, ground->heights};
    ground->pose = abut_pose(abut_vec3(0.55, 0.0, 0.0), abut_quat_axis_angle(abut_axis(2), 0.5 * ABUT_PI));
    body.kind = ABUT_BODY_STATIC;
    body.name = "ground";
    body.pose = ground->pose;
    shape.form.kind = ABUT_SHAPE_HEIGHT_FIELD;
    shape.form.field = &field;
    good(abut_model_add_body(model, &body, &shape.body, &error), &error);
    good(abut_model_add_shape(model, &shape, NULL, &error), &error);
    good(abut_height_field_mesh(&field, &mesh, &error), &error);
    good(abut_mesh_tree_create(&mesh, 1, &ground->tree, &error), &error);
    abut_mesh_free(&mesh);
    return model;
}

/* Least distance of the links in question, -1 for all, and the ground; 0 where they meet. */
static double ground_distance(const World *w, const Ground *ground, const double *joints, int32_t link) {
    AbutPose poses[PLAN_JOINTS + 1];
    AbutError error;
    double least = INFINITY;
    good(abut_plan_link_poses(w->problem, joints, poses, &error), &error);
    for (int32_t k = 0; k < w->robot->shape_count; ++k) {
        const AbutShapeDef *shape = &w->robot->shapes[k];
        AbutConvex body = abut_plan_exact_convex(shape->geometry);
        AbutPose at = abut_pose_between(ground->pose, abut_pose_mul(poses[shape->body], shape->pose));
        if (!shape->visual && body.kind != ABUT_CONVEX_HALF_SPACE && (link < 0 || shape->body == link))
            least = fmin(least, abut_mesh_convex_distance(ground->tree, &body, at, NULL, NULL).distance);
    }
    return least;
}

static double least_over(const World *w, const Ground *ground, const AbutTrajectory *t, int32_t link) {
    double joints[PLAN_JOINTS], least = INFINITY;
    for (int i = 0; i <= SAMPLES; ++i) {
        abut_trajectory_value(t, t->times[0] + (t->times[t->piece_count] - t->times[0]) * i / SAMPLES, 0, joints);
        least = fmin(least, ground_distance(w, ground, joints, link));
    }
    return least;
}

static World ground_world(AbutRng *rng, double ridge, Ground *ground) {
    AbutPlanDef def = abut_plan_def_default();
    def.neighbors = 100; /* the ground alone */
    return make_world("arm6", make_ground(rng, ridge, ground), &def);
}

static void certificates_agree_with_samples(void **state) {
    (void)state;
    AbutRng rng = abut_rng(161, 0);
    Ground ground;
    World w = ground_world(&rng, 0.3, &ground);
    AbutPairCertificate pairs[20];
    AbutError error;
    int clear = 0, contact = 0, trials = check_cases(12);
    assert_true(abut_plan_pair_count(w.problem) > 0 && abut_plan_pair_count(w.problem) <= 20);
    for (int trial = 0; trial < trials; ++trial) {
        AbutTrajectory t = random_trajectory(&rng, &w, (AbutInterpolation)(trial % 3), 2);
        AbutCertifyDef def = {trial % 2 ? 0.0 : 0.01, 0, 0};
        AbutCertificate x;
        double joints[PLAN_JOINTS];
        good(abut_plan_certify(w.problem, &t, &def, &x, pairs, &error), &error);
        for (int32_t i = 0; i < abut_plan_pair_count(w.problem); ++i) {
            int32_t link = abut_plan_pair(w.problem, i).a;
            abut_trajectory_value(&t, pairs[i].t, 0, joints);
            double there = ground_distance(&w, &ground, joints, link);
            if (pairs[i].status == ABUT_CERTIFICATE_CLEAR)
                CHECK(pairs[i].lb > def.level && pairs[i].lb <= least_over(&w, &ground, &t, link) + 1e-9);
            else if (pairs[i].status == ABUT_CERTIFICATE_CONTACT)
                CHECK(there <= def.level + 1e-9);
            clear += pairs[i].status == ABUT_CERTIFICATE_CLEAR;
            contact += pairs[i].status == ABUT_CERTIFICATE_CONTACT;
        }
        abut_trajectory_free(&t);
    }
    CHECK(trials < 10 || (clear > trials && contact > trials / 2));
    abut_mesh_tree_free(ground.tree);
    free_world(&w);
}

/* The straight way goes through the ridge; the plan does not, and keeps off the ground between its samples, too. */
static void plan_over_a_ridge(void **state) {
    (void)state;
    AbutRng rng = abut_rng(162, 0);
    Ground ground;
    World w = ground_world(&rng, 0.3, &ground);
    double start[6] = {-0.6, 0.6, 1.5, 0.0, 0.3, 0.0}, goal[6] = {0.6, 0.6, 1.5, 0.0, 0.3, 0.0};
    AbutPlanQuery query = {.start = start, .goal = goal};
    AbutPlanSettings settings = abut_plan_settings_default();
    AbutCertifyDef def = {settings.level, 0, 0};
    AbutCertificate x;
    AbutPlan plan;
    AbutError error;
    settings.budget = 1e6;
    AbutTrajectory t = straight(&w, start, goal, 1.0);
    good(abut_plan_certify(w.problem, &t, &def, &x, NULL, &error), &error);
    assert_int_equal(x.status, ABUT_CERTIFICATE_CONTACT);
    abut_trajectory_free(&t);
    good(abut_plan_solve(w.problem, &query, &settings, &plan, &error), &error);
    assert_int_equal(plan.status, ABUT_PLAN_CERTIFIED);
    double least = least_over(&w, &ground, &plan.trajectory, -1);
    CHECK(least > settings.level && plan.certificate.lb <= least + 1e-9);
    abut_plan_free(&plan);
    abut_mesh_tree_free(ground.tree);
    free_world(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(certificates_agree_with_samples),
        cmocka_unit_test(plan_over_a_ridge),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

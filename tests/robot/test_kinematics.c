/* SPDX-License-Identifier: Apache-2.0 */
/* Poses, velocities, Jacobians and the tangent space of random trees against the oracle. */
#include "robot/robot_support.h"

#include <string.h>

#include "oracle/tree_oracle.h"

static void check_pose(const Case *item, int body) {
    long double q[ROBOT_NUMBERS], p[3], r[9];
    for (int i = 0; i < item->nq; ++i) q[i] = item->q[i];
    tree_oracle_pose(item->model, q, body, p, r);
    AbutPose pose = abut_configuration_body_pose(item->c, body);
    AbutMat3 axes = abut_quat_to_mat3(pose.q);
    CHECK_VEC_NEAR(pose.p, abut_vec3((double)p[0], (double)p[1], (double)p[2]), 1e-12);
    CHECK_VEC_NEAR(axes.x, abut_vec3((double)r[0], (double)r[3], (double)r[6]), 1e-12);
    CHECK_VEC_NEAR(axes.z, abut_vec3((double)r[2], (double)r[5], (double)r[8]), 1e-12);
}

static void check_velocity(const Case *item, int body) {
    double local[3] = {0.3, -0.2, 0.1}, linear[3], angular[3];
    static double jacobian[6 * ROBOT_NUMBERS];
    AbutPose pose = abut_configuration_body_pose(item->c, body);
    AbutVec3 point = abut_pose_apply(pose, abut_vec3(local[0], local[1], local[2]));
    tree_oracle_velocity(item->model, item->q, item->v, body, local, linear, angular);
    abut_configuration_jacobian(item->c, body, point, jacobian);
    double product[6] = {0};
    for (int k = 0; k < 6; ++k)
        for (int d = 0; d < item->nv; ++d) product[k] += jacobian[k * item->nv + d] * item->v[d];
    CHECK_VEC_NEAR(abut_vec3(product[0], product[1], product[2]), abut_vec3(linear[0], linear[1], linear[2]), 1e-11);
    CHECK_VEC_NEAR(abut_vec3(product[3], product[4], product[5]), abut_vec3(angular[0], angular[1], angular[2]), 1e-11);
}

static void test_random_trees(void **state) {
    (void)state;
    AbutRng rng = abut_rng(3, 0);
    int cases = check_cases(200);
    for (int i = 0; i < cases; ++i) {
        Case item = case_of(&rng, random_tree(&rng, 1 + (int)abut_rng_below(&rng, 14)));
        for (int b = 0; b < item.model->body_count; ++b) {
            check_pose(&item, b);
            check_velocity(&item, b);
        }
        AbutPose body = abut_configuration_body_pose(item.c, item.model->frames[0].body);
        AbutPose frame = abut_pose_mul(body, item.model->frames[0].pose);
        CHECK_VEC_NEAR(abut_configuration_frame_pose(item.c, 0).p, frame.p, 0);
        static double a[6 * ROBOT_NUMBERS], b[6 * ROBOT_NUMBERS];
        abut_configuration_frame_jacobian(item.c, 0, a);
        abut_configuration_jacobian(item.c, item.model->frames[0].body, frame.p, b);
        assert_memory_equal(a, b, 6 * (size_t)item.nv * sizeof *a);
        case_free(&item);
    }
}

static void test_tangent_space(void **state) {
    (void)state;
    AbutRng rng = abut_rng(4, 0);
    for (int i = 0; i < check_cases(200); ++i) {
        Case item = case_of(&rng, random_tree(&rng, 1 + (int)abut_rng_below(&rng, 10)));
        double moved[ROBOT_NUMBERS], back[ROBOT_NUMBERS];
        long double exact[ROBOT_NUMBERS];
        abut_configuration_integrate(item.c, item.q, item.v, 0.3, moved);
        tree_oracle_integrate(item.model, item.q, item.v, 0.3, exact);
        for (int k = 0; k < item.nq; ++k) CHECK_NEAR(moved[k], (double)exact[k], 1e-14);
        abut_configuration_difference(item.c, item.q, moved, back);
        for (int k = 0; k < item.nv; ++k) CHECK_NEAR(back[k], 0.3 * item.v[k], 1e-14);
        case_free(&item);
    }
}

static void test_state(void **state) {
    (void)state;
    AbutRng rng = abut_rng(5, 0);
    AbutModel *model = random_tree(&rng, 6);
    AbutError error = {0};
    double q[ROBOT_NUMBERS] = {0}, one = 1.0, before[ROBOT_NUMBERS];
    AbutKeyframeDef key = {
        .name = "home", .position_count = abut_model_number_count(model, ABUT_NUMBERS_POSITIONS), .positions = q};
    for (int i = 0; i < key.position_count; ++i) q[i] = 0.5;
    good(abut_model_add_keyframe(model, &key, NULL, &error), &error);
    key.position_count += 1;
    assert_int_equal(abut_model_add_keyframe(model, &key, NULL, &error), ABUT_ERROR_ARGUMENT);
    Case item = case_of(&rng, model);
    memcpy(before, abut_configuration_positions(item.c), (size_t)item.nq * sizeof *before);
    assert_int_equal(abut_configuration_set(item.c, item.nq + 1, q, 0, NULL, &error), ABUT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, "positions: "));
    assert_int_equal(abut_configuration_set(item.c, item.nq, q, 1, &one, &error), ABUT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, "velocities: "));
    q[0] = NAN;
    assert_int_equal(abut_configuration_set(item.c, item.nq, q, 0, NULL, &error), ABUT_ERROR_NUMBER);
    assert_memory_equal(before, abut_configuration_positions(item.c), (size_t)item.nq * sizeof *before);
    good(abut_configuration_set_keyframe(item.c, abut_model_find(model, ABUT_MODEL_KEYFRAME, "home"), &error), &error);
    CHECK_NEAR(abut_configuration_velocities(item.c)[0], 0.0, 0);
    abut_configuration_reset(item.c);
    for (int b = 0; b < model->body_count; ++b)
        if (model->bodies[b].parent < 0)
            CHECK_VEC_NEAR(abut_configuration_body_pose(item.c, b).p, model->bodies[b].pose.p, 1e-15);
    case_free(&item);
}

/* A link that moves and weighs nothing is refused by name; what has armature may be a rod about its own axis. */
static void test_refused(void **state) {
    (void)state;
    AbutModel *model;
    AbutConfiguration *c;
    AbutError error = {0};
    for (int round = 0; round < 3; ++round) {
        AbutBodyDef body = abut_body_default();
        AbutJointDef joint = abut_joint_default();
        good(abut_model_create(&model, &error), &error);
        body.kind = ABUT_BODY_LINK;
        body.name = "rod";
        body.source = (AbutSource){"arm.xml", 7};
        body.mass = round ? 1.0 : 0.0;
        body.inertia = abut_mat3_diagonal(1.0, 1.0, 0.0);
        good(abut_model_add_body(model, &body, NULL, &error), &error);
        joint.body = 0;
        joint.armature = round == 2 ? 0.1 : 0.0;
        good(abut_model_add_joint(model, &joint, NULL, &error), &error);
        AbutStatus status = configuration_of(model, &c, &error);
        assert_int_equal(status, round == 2 ? ABUT_OK : ABUT_ERROR_DEGENERATE);
        if (status) assert_non_null(strstr(error.text, "arm.xml:7: body 'rod'"));
        abut_configuration_free(c);
        abut_model_free(model);
    }
    abut_configuration_free(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_trees), cmocka_unit_test(test_tangent_space),
        cmocka_unit_test(test_state), cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

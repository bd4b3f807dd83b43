/* SPDX-License-Identifier: Apache-2.0 */
/* Misuse of configurations asserts where assertions are built in. */
#include "abut/robot.h"
#include "robot/robot_support.h"
#include "support/asserts.h"

static void misuse_asserts(void **state) {
    (void)state;
    if (ABUT_ASSERT_LEVEL < 1) skip();
    static double numbers[64];
    static AbutConfiguration *none;
    static AbutIkResult result;
    AbutModel *model = hinge_chain(1);
    static const AbutTree *tree;
    good(abut_tree_create(model, &tree, NULL), NULL);
    ASSERTS(abut_tree_create(NULL, &tree, NULL));
    ASSERTS(abut_tree_create(model, NULL, NULL));
    ASSERTS((abut_tree_coupling(tree, 1), 0));
    ASSERTS(abut_configuration_create(NULL, &none, NULL));
    ASSERTS(abut_configuration_create(tree, NULL, NULL));
    ASSERTS(abut_configuration_set(NULL, 0, NULL, 0, NULL, NULL));
    ASSERTS(abut_configuration_position_count(NULL));
    ASSERTS(abut_configuration_velocity_count(NULL));
    ASSERTS(abut_configuration_mass(NULL));
    ASSERTS((abut_configuration_reset(NULL), 0));
    ASSERTS((abut_configuration_bias(NULL, numbers), 0));
    ASSERTS((abut_configuration_mass_matrix(NULL, numbers), 0));
    ASSERTS((abut_configuration_solve(NULL, numbers), 0));
    ASSERTS((abut_configuration_center_jacobian(NULL, numbers), 0));
    ASSERTS(abut_configuration_ik(NULL, 1, NULL, NULL, &result, NULL));
    ASSERTS(abut_robot_motion_create(NULL, 1, numbers, numbers, NULL, NULL));
    ASSERTS(abut_robot_motion_create_curves(tree, 1, NULL, NULL, NULL));
    ASSERTS((abut_robot_motion_body(NULL, 0), 0));
    ASSERTS(abut_robot_motion_joint(NULL, 0));
    ASSERTS(abut_model_add_frame(model, NULL, NULL, NULL));
    ASSERTS(abut_model_add_tendon(NULL, NULL, NULL, NULL));
    ASSERTS(abut_model_add_actuator(model, NULL, NULL, NULL));
    ASSERTS(abut_model_add_equality(model, NULL, NULL, NULL));
    ASSERTS(abut_model_add_keyframe(model, NULL, NULL, NULL));
    ASSERTS(abut_model_find(NULL, ABUT_MODEL_JOINT, "a"));
    ASSERTS(abut_model_number_count(NULL, ABUT_NUMBERS_POSITIONS));
    abut_tree_release(tree);
    abut_model_free(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(misuse_asserts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Frames, tendons, actuators, equalities and keyframes of a model: kept as given, refused when they cannot be. */
#include "support/check.h"

#include <string.h>

#include "abut/model.h"
#include "support/random_trees.h"

static AbutError error;

static void test_kept(void **state) {
    (void)state;
    AbutModel *model = hinge_chain(3);
    char name[] = "tool";
    int32_t number, joints[2] = {0, 2};
    double coefficients[2] = {1.0, -0.5};
    AbutFrameDef frame = abut_frame_default();
    frame.name = name;
    frame.body = 2;
    good(abut_model_add_frame(model, &frame, &number, &error), &error);
    name[0] = 'f'; /* the model has its own copy */
    assert_int_equal(abut_model_find(model, ABUT_MODEL_FRAME, "tool"), number);
    assert_int_equal(abut_model_find(model, ABUT_MODEL_FRAME, "fool"), -1);
    AbutTendonDef tendon = {0};
    tendon.count = 2;
    tendon.joints = joints;
    tendon.coefficients = coefficients;
    good(abut_model_add_tendon(model, &tendon, NULL, &error), &error);
    coefficients[0] = 7.0;
    CHECK_NEAR(model->tendons[0].coefficients[0], 1.0, 0);
    AbutActuatorDef motor = abut_actuator_default();
    motor.target = ABUT_TARGET_TENDON;
    motor.number = 0;
    good(abut_model_add_actuator(model, &motor, NULL, &error), &error);
    AbutEqualityDef equality = abut_equality_default();
    equality.a = 0;
    equality.b = 1;
    good(abut_model_add_equality(model, &equality, NULL, &error), &error);
    AbutKeyframeDef key = {.name = "home", .control_count = 1, .controls = coefficients};
    good(abut_model_add_keyframe(model, &key, NULL, &error), &error);
    assert_int_equal(abut_model_find(model, ABUT_MODEL_KEYFRAME, "home"), 0);
    assert_int_equal(model->keyframes[0].position_count, 0);
    abut_model_free(model);
}

static void test_refused(void **state) {
    (void)state;
    AbutModel *model = hinge_chain(2);
    int32_t joints[2] = {0, 5};
    double coefficients[2] = {1.0, 1.0};
    AbutFrameDef frame = abut_frame_default();
    frame.body = 2;
    assert_int_equal(abut_model_add_frame(model, &frame, NULL, &error), ABUT_ERROR_ARGUMENT);
    AbutTendonDef tendon = {0};
    assert_int_equal(abut_model_add_tendon(model, &tendon, NULL, &error), ABUT_ERROR_ARGUMENT);
    tendon.count = 2;
    tendon.joints = joints;
    tendon.coefficients = coefficients;
    assert_int_equal(abut_model_add_tendon(model, &tendon, NULL, &error), ABUT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, "joint 5"));
    AbutActuatorDef motor = abut_actuator_default();
    assert_int_equal(abut_model_add_actuator(model, &motor, NULL, &error), ABUT_ERROR_ARGUMENT);
    motor.number = 0;
    motor.control_limited = 1;
    motor.control_range[0] = 1.0;
    assert_int_equal(abut_model_add_actuator(model, &motor, NULL, &error), ABUT_ERROR_ARGUMENT);
    motor.control_limited = 0;
    motor.gain = NAN;
    assert_int_equal(abut_model_add_actuator(model, &motor, NULL, &error), ABUT_ERROR_NUMBER);
    motor.target = ABUT_TARGET_BODY;
    motor.gain = 1.0;
    assert_int_equal(abut_model_add_actuator(model, &motor, NULL, &error), ABUT_ERROR_ARGUMENT);
    AbutEqualityDef equality = abut_equality_default();
    equality.a = equality.b = 1;
    assert_int_equal(abut_model_add_equality(model, &equality, NULL, &error), ABUT_ERROR_ARGUMENT);
    equality.kind = ABUT_EQUALITY_WELD;
    equality.b = 9;
    assert_int_equal(abut_model_add_equality(model, &equality, NULL, &error), ABUT_ERROR_ARGUMENT);
    AbutKeyframeDef key = {.position_count = 3, .positions = coefficients};
    assert_int_equal(abut_model_add_keyframe(model, &key, NULL, &error), ABUT_ERROR_ARGUMENT);
    assert_int_equal(model->frame_count + model->tendon_count + model->actuator_count + model->equality_count +
                         model->keyframe_count,
        0);
    abut_model_free(model);
}

/* Names of kinds, and limits of bodies and joints that came with robots. */
static void test_checks(void **state) {
    (void)state;
    AbutModel *model = hinge_chain(1);
    AbutBodyDef body = abut_body_default();
    AbutJointDef joint = abut_joint_default();
    body.damping = -1.0;
    assert_int_equal(abut_model_add_body(model, &body, NULL, &error), ABUT_ERROR_ARGUMENT);
    body.damping = 0.0;
    body.gravity_compensation = NAN;
    assert_int_equal(abut_model_add_body(model, &body, NULL, &error), ABUT_ERROR_ARGUMENT);
    joint.body = 0;
    joint.force_limited = 1;
    joint.force_range[0] = 1.0;
    assert_int_equal(abut_model_add_joint(model, &joint, NULL, &error), ABUT_ERROR_ARGUMENT);
    assert_string_equal(abut_word(abut_target_names, ABUT_TARGET_FRAME), "frame");
    assert_string_equal(abut_word(abut_equality_kind_names, ABUT_EQUALITY_WELD), "weld");
    assert_int_equal(abut_model_number_count(model, ABUT_NUMBERS_POSITIONS), 1);
    assert_int_equal(abut_model_number_count(model, ABUT_NUMBERS_VELOCITIES), 1);
    abut_model_free(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kept), cmocka_unit_test(test_refused), cmocka_unit_test(test_checks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

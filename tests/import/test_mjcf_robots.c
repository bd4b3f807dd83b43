/* SPDX-License-Identifier: Apache-2.0 */
/* Models of real robots, where they lie beside the checkout: the whole tree is read, with its joints and actuators. */
#include "support/check.h"

#include <string.h>

#include "abut/import.h"
#include "support/optional_data.h"

static const struct {
    const char *file;
    int bodies, joints, actuators; /* joints: the free ones included; counted in the files by another program */
} robots[] = {
    {"pal_talos/talos.xml", 46, 45, 0},
    {"pal_talos/scene_motor.xml", 46, 45, 32},
    {"pal_talos/scene_position.xml", 46, 45, 32},
    {"trossen_wx250s/wx250s.xml", 10, 8, 7},
    {"trossen_wx250s/scene.xml", 10, 8, 7},
    {"wonik_allegro/right_hand.xml", 22, 16, 16},
    {"wonik_allegro/left_hand.xml", 22, 16, 16},
    {"wonik_allegro/scene_right.xml", 23, 17, 16},
    {"wonik_allegro/scene_left.xml", 23, 17, 16},
};

static int warned;

static void on_warning(const char *text, void *user) {
    (void)user;
    assert_non_null(strstr(text, ".xml:"));
    ++warned;
}

static void check_model(const AbutModel *model, const char *file) {
    for (int i = 0; i < model->body_count; ++i)
        if (model->bodies[i].parent >= i || !abut_pose_is_finite(model->bodies[i].pose))
            fail_msg("%s: body %d", file, i);
    for (int i = 0; i < model->joint_count; ++i) {
        const AbutJointDef *joint = &model->joints[i];
        CHECK_NEAR(abut_length(joint->axis), 1.0, 1e-12);
        CHECK(joint->limited && joint->range[0] < joint->range[1]); /* all of these robots limit all joints */
    }
}

/* Of these, the world and the free joints have no number in a model. */
static void check_counts(const AbutModel *model, int robot) {
    int actuators = model->actuator_count, free_joints = 0;
    for (int k = 0; k < model->body_count; ++k) free_joints += model->bodies[k].kind == ABUT_BODY_DYNAMIC;
    int bodies = model->body_count + (abut_model_find(model, ABUT_MODEL_BODY, "world") < 0),
        joints = model->joint_count;
    if (bodies != robots[robot].bodies || joints + free_joints != robots[robot].joints ||
        actuators != robots[robot].actuators)
        fail_msg("%s: %d bodies, %d joints, %d actuators", robots[robot].file, bodies, joints + free_joints, actuators);
}

static void test_robots(void **state) {
    (void)state;
    const char *found = optional_data("robots");
    if (!found) skip();
    char folder[4096];
    strcpy(folder, found);
    for (int i = 0; i < (int)(sizeof robots / sizeof robots[0]); ++i) {
        char path[5000];
        AbutModel *model;
        AbutModelReadOptions options = {.warn = on_warning, .without_meshes = 1};
        AbutError error = {0};
        snprintf(path, sizeof path, "%s/%s", folder, robots[i].file);
        warned = 0;
        good(abut_model_read(path, &options, &model, &error), &error);
        check_counts(model, i);
        check_model(model, robots[i].file);
        assert_true(warned > 0);
        AbutScene *scene = NULL;
        assert_int_equal(abut_scene_create(&scene, NULL), ABUT_OK);
        if (!strstr(robots[i].file, "wonik")) { /* the masses of that one come from meshes, which are left out here */
            good(abut_scene_add_model(scene, model, abut_pose_identity(), NULL, &error), &error);
            assert_int_equal(abut_scene_robot_count(scene), 1);
        }
        abut_model_free(model);
        abut_scene_free(scene);
    }
}

static void test_details(void **state) {
    (void)state;
    const char *found = optional_data("robots");
    if (!found) skip();
    char path[5000];
    AbutModel *model;
    AbutError error = {0};
    snprintf(path, sizeof path, "%s/trossen_wx250s/wx250s.xml", found);
    good(abut_model_read(path, NULL, &model, &error), &error);
    assert_string_equal(model->name, "wx250s");
    const AbutShapeDef *base = &model->shapes[0];
    assert_int_equal(base->form.kind, ABUT_SHAPE_POLYHEDRON);
    CHECK_VEC_NEAR(base->geometry->polyhedron->box.max, abut_vec3(0.0765, 0.157, 0.0716),
        1e-4); /* scaled by 0.001: from its default class */
    assert_string_equal(model->joints[1].name, "shoulder");
    CHECK_VEC_NEAR(model->joints[1].axis, abut_axis(1), 0); /* from the child class */
    CHECK_NEAR(model->joints[1].armature, 0.1, 0);
    CHECK_NEAR(model->joints[1].range[1], 1.98968, 0);
    const AbutActuatorDef *waist = &model->actuators[0];
    assert_string_equal(waist->name, "waist");
    assert_int_equal(waist->target, ABUT_TARGET_JOINT);
    assert_int_equal(waist->number, 0);
    CHECK_NEAR(waist->gain, 50.0, 0); /* from its class */
    CHECK_NEAR(waist->bias[1], -50.0, 0);
    assert_int_equal(model->equality_count, 1);
    assert_int_equal(model->equalities[0].kind, ABUT_EQUALITY_JOINT);
    assert_int_equal(model->keyframe_count, 1);
    assert_int_equal(model->keyframes[0].position_count, abut_model_number_count(model, ABUT_NUMBERS_POSITIONS));
    abut_model_free(model);
}

int main(void) {
#ifndef ABUT_TEST_XML
    return 77;
#endif
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_robots), cmocka_unit_test(test_details)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Models of real robots, where they lie beside the checkout: the whole tree is read, with its joints and actuators. */
#include "support/check.h"

#include <string.h>

#include "abut/file.h"
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

static void on_warning(const char *text, void *user)
{
    (void)user;
    assert_non_null(strstr(text, ".xml:"));
    ++warned;
}

static void check_model(const AbutMjcfModel *model, const char *file)
{
    for (int i = 1; i < model->body_count; ++i)
        if (model->bodies[i].parent < 0 || model->bodies[i].parent >= i || !abut_pose_is_finite(model->bodies[i].pose))
            fail_msg("%s: body %d", file, i);
    for (int i = 0; i < model->joint_count; ++i) {
        const AbutMjcfJoint *joint = &model->joints[i];
        if (joint->type == ABUT_MJCF_FREE)
            continue;
        CHECK_NEAR(abut_length(joint->axis), 1.0, 1e-12);
        CHECK(joint->limited && joint->range[0] < joint->range[1]); /* all of these robots limit all joints */
    }
}

static void test_robots(void **state)
{
    (void)state;
    const char *found = optional_data("robots");
    if (!found)
        skip();
    char folder[4096];
    strcpy(folder, found);
    for (size_t i = 0; i < sizeof robots / sizeof robots[0]; ++i) {
        char path[5000];
        AbutMjcfModel model;
        AbutError error = {0};
        snprintf(path, sizeof path, "%s/%s", folder, robots[i].file);
        warned = 0;
        good(abut_mjcf_read_model(path, &model, on_warning, NULL, &error), &error);
        int actuators = 0;
        for (int k = 0; k < model.element_count; ++k)
            actuators += strcmp(model.elements[k].section, "actuator") == 0;
        if (model.body_count != robots[i].bodies || model.joint_count != robots[i].joints ||
            actuators != robots[i].actuators)
            fail_msg("%s: %d bodies, %d joints, %d actuators", robots[i].file, model.body_count, model.joint_count,
                actuators);
        check_model(&model, robots[i].file);
        assert_true(warned > 0);
        abut_mjcf_free(&model);
        /* as a scene it is refused, and the text says why */
        AbutScene *scene = NULL;
        assert_int_equal(abut_scene_create(&scene, NULL), ABUT_OK);
        assert_int_equal(abut_scene_read_mjcf(path, scene, NULL, NULL, NULL, &error), ABUT_ERROR_UNSUPPORTED);
        assert_non_null(strstr(error.text, "is not simulated yet"));
        abut_scene_free(scene);
    }
}

static void test_details(void **state)
{
    (void)state;
    const char *found = optional_data("robots");
    if (!found)
        skip();
    char path[5000];
    AbutMjcfModel model;
    snprintf(path, sizeof path, "%s/trossen_wx250s/wx250s.xml", found);
    assert_int_equal(abut_mjcf_read_model(path, &model, NULL, NULL, NULL), ABUT_OK);
    assert_string_equal(model.name, "wx250s");
    assert_string_equal(model.meshes[0].place.name, "wx250s_1_base");
    assert_string_equal(model.meshes[0].path, "assets/wx250s_1_base.stl");
    CHECK_NEAR(model.meshes[0].scale.x, 0.001, 0); /* from its default class */
    assert_string_equal(model.joints[1].place.name, "shoulder");
    CHECK_VEC_NEAR(model.joints[1].axis, abut_axis(1), 0); /* from the child class */
    CHECK_NEAR(model.joints[1].armature, 0.1, 0);
    CHECK_NEAR(model.joints[1].range[1], 1.98968, 0);
    const AbutMjcfElement *waist = NULL;
    for (int i = 0; i < model.element_count; ++i)
        if (strcmp(model.elements[i].place.name, "waist") == 0)
            waist = &model.elements[i];
    assert_non_null(waist);
    assert_string_equal(waist->tag, "position");
    assert_string_equal(abut_mjcf_attribute(waist, "kp"), "50"); /* from its class */
    assert_null(abut_mjcf_attribute(waist, "gain"));
    abut_mjcf_free(&model);
}

int main(void)
{
#ifndef ABUT_TEST_XML
    return 77;
#endif
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_robots), cmocka_unit_test(test_details)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

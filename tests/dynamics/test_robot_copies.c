/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Many robots of one model: they share their geometry, stand in islands of their own, and give exactly the contacts of
 * one, many times over. A finger that is pressed into a groove steeper than friction lets it leave takes
 * no more energy than the push gives.
 */
#include "dynamics/robot_world.h"
#include "import/parse.h"

#include "abut/import.h"

#include <string.h>

static AbutSimulation *simulate(AbutScene *scene) {
    AbutSimulationDef def = abut_simulation_default();
    AbutSimulation *simulation;
    AbutError error;
    good(abut_simulation_create(scene, &def, &simulation, &error), &error);
    return simulation;
}

/* A trunk on two legs with meshes for feet. */
static AbutModel *walker(void) {
    static const char text[] =
        "<mujoco><asset><mesh name='foot' vertex='-.1 -.05 0 .1 -.05 0 .1 .05 0 -.1 .05 0 -.05 0 .06 .05 0 "
        ".06'/></asset>"
        "<worldbody><body pos='0 0 .56'><freejoint/><geom type='box' size='.1 .2 .1'/><body pos='0 .1 -.1'><joint "
        "axis='0 1 0' stiffness='500' damping='5'/><geom type='capsule' fromto='0 0 -.05 0 0 -.3' size='.04'/><geom "
        "type='mesh' mesh='foot' pos='0 0 -.46'/></body><body pos='0 -.1 -.1'><joint axis='0 1 0' stiffness='500' "
        "damping='5'/><geom type='capsule' fromto='0 0 -.05 0 0 -.3' size='.04'/><geom type='mesh' mesh='foot' pos='0 "
        "0 "
        "-.46'/></body></body></worldbody></mujoco>";
    AbutModel *model;
    AbutError error;
    good(abut_model_parse_mjcf(text, strlen(text), "walker.xml", NULL, &model, &error), &error);
    return model;
}

static AbutScene *scene_of(const AbutModel *model, int copies) {
    AbutScene *scene;
    AbutError error;
    good(abut_scene_create(&scene, &error), &error);
    for (int i = 0; i < copies; ++i) {
        AbutPose at = abut_pose(abut_vec3(5.0 * (i % 5), 5.0 * (i / 5), 0), abut_quat_identity());
        good(abut_scene_add_model(scene, model, at, NULL, &error), &error);
    }
    return scene;
}

static void check_sharing(const AbutScene *scene, int copies) {
    int each = abut_scene_body_count(scene) / copies;
    for (int b = each; b < abut_scene_body_count(scene); ++b) {
        AbutBodyId one = abut_scene_body_at(scene, b % each), other = abut_scene_body_at(scene, b);
        assert_int_equal(abut_scene_shape_count(scene, other), abut_scene_shape_count(scene, one));
        for (int s = 0; s < abut_scene_shape_count(scene, one); ++s) {
            AbutShapeDef x, y;
            assert_true(abut_scene_get_shape(scene, abut_scene_shape_at(scene, one, s), &x, NULL));
            assert_true(abut_scene_get_shape(scene, abut_scene_shape_at(scene, other, s), &y, NULL));
            assert_ptr_equal(x.geometry, y.geometry);
        }
    }
}

/* Contacts of one after some steps, and of twenty. */
static void twenty_are_twenty_times_one(void **state) {
    (void)state;
#ifndef ABUT_TEST_XML
    skip();
#endif
    AbutModel *model = walker();
    AbutError error;
    AbutStepReport report[2];
    AbutShapeDef ground = abut_shape_default();
    ground.form.kind = ABUT_SHAPE_HALF_SPACE;
    for (int many = 0; many < 2; ++many) {
        AbutScene *scene = scene_of(model, many ? 20 : 1);
        check_sharing(scene, many ? 20 : 1);
        add_shape(scene, add_body(scene, ABUT_BODY_STATIC, abut_pose_identity()), &ground);
        AbutSimulation *simulation = simulate(scene);
        for (int i = 0; i < 100; ++i) good(abut_simulation_step(simulation, 0.002, &report[many], &error), &error);
        abut_simulation_free(simulation);
        abut_scene_free(scene);
    }
    CHECK(report[0].contacts >= 2);
    assert_int_equal(report[1].contacts, 20 * report[0].contacts);
    assert_int_equal(report[1].vertices, 20 * report[0].vertices);
    assert_int_equal(report[1].islands, 20 * report[0].islands);
    assert_int_equal(report[1].sweeps, report[0].sweeps);
    abut_model_free(model);
}

#define PUSH 200.0

/* Two walls of this slope that nearly meet at the bottom, and a finger of two links over them. */
static AbutModel *groove(double slope, double offset, double friction) {
    char text[2000];
    double x = 0.5 * cos(slope * ABUT_PI / 180.0) + 0.03, z = 0.5 * sin(slope * ABUT_PI / 180.0);
    AbutModel *model;
    AbutError error;
    snprintf(text, sizeof text,
        "<mujoco><default><geom friction='%g 0 0'/></default><worldbody>"
        "<geom type='box' size='.5 .3 .02' pos='%g 0 %g' euler='0 %g 0'/><geom type='box' size='.5 .3 .02' pos='%g 0 "
        "%g' "
        "euler='0 %g 0'/><body pos='%g 0 1.3'><joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 0 "
        "1'/><joint "
        "axis='0 1 0'/><geom type='box' size='.08 .05 .12' mass='1'/><body pos='0 0 -.2'><joint axis='0 1 0' "
        "stiffness='5' damping='.05'/><geom type='capsule' fromto='0 -.05 0 0 .05 0' size='.06' "
        "mass='.3'/></body></body>"
        "</worldbody><actuator><motor joint='z'/></actuator></mujoco>",
        friction, -x, z, slope, x, z, -slope, offset);
    char *name = strstr(text, "axis='0 0 1'/>");
    assert_non_null(name);
    memmove(name + 9, name, strlen(name) + 1);
    memcpy(name, "name='z' ", 9);
    good(abut_model_parse_mjcf(text, strlen(text), "groove.xml", NULL, &model, &error), &error);
    return model;
}

/* Energy with the work of the push, which never grows but for the errors of a step. */
static void press(double slope, double offset, double friction) {
    AbutModel *model = groove(slope, offset, friction);
    AbutScene *scene;
    AbutError error;
    AbutStepReport report;
    double push = -PUSH, q[8], v[8], least = INFINITY, most = 0.0;
    good(abut_scene_create(&scene, &error), &error);
    good(abut_scene_add_model(scene, model, abut_pose_identity(), NULL, &error), &error);
    AbutSimulation *simulation = simulate(scene);
    good(abut_simulation_set_control(simulation, 0, 1, &push, &error), &error);
    for (int i = 0; i < 1000; ++i) {
        good(abut_simulation_step(simulation, 0.001, &report, &error), &error);
        assert_true(abut_scene_get_joints(scene, 0, q, v));
        double energy = report.kinetic + report.potential + PUSH * q[1];
        most = fmax(most, energy - fmin(least, energy));
        least = fmin(least, energy);
    }
    CHECK(fabs(q[1]) < 1.5); /* it is still in the groove */
    if (!(most < 0.05 * 1.3 * PUSH)) fail_msg("slope %g, friction %g: gained %g J", slope, friction, most);
    CHECK(report.kinetic < 1e-2 * PUSH);
    abut_simulation_free(simulation);
    abut_scene_free(scene);
    abut_model_free(model);
}

static void fingers_in_grooves_keep_their_energy(void **state) {
    (void)state;
#ifndef ABUT_TEST_XML
    skip();
#endif
    static const double slopes[] = {50, 60, 70, 80};
    for (int i = 0; i < 4; ++i)
        for (int k = 0; k < 2; ++k) press(slopes[i], 0.01 * k, k ? 2.0 : 1.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(twenty_are_twenty_times_one),
        cmocka_unit_test(fingers_in_grooves_keep_their_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

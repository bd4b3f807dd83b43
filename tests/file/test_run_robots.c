/* SPDX-License-Identifier: Apache-2.0 */
/* Joints in the log of a run: names, numbers, files with and without them, and what contradicts. */
#include "support/check.h"

#include <string.h>
#include <unistd.h>

#include "abut/abut.h"
#include "support/tool.h"

static AbutError error;

typedef struct Recorded {
    AbutScene *scene;
    AbutSimulation *simulation;
    AbutRun *run;
    double q[3][40], v[3][40], force[3][40]; /* of the first robot, as they were */
} Recorded;

/* Three steps of so many built-in robots, side by side. */
static Recorded *record(const char *name, int robots, AbutRunKeep keep) {
    Recorded *r = calloc(1, sizeof *r);
    AbutSimulationDef def = abut_simulation_default();
    AbutModel *model;
    good(abut_scene_create(&r->scene, &error), &error);
    good(abut_model_build(name, 1, &model, &error), &error);
    for (int i = 0; i < robots; ++i) {
        AbutPose at = abut_pose_identity();
        at.p.x = 3.0 * i;
        good(abut_scene_add_model(r->scene, model, at, NULL, &error), &error);
    }
    abut_model_free(model);
    good(abut_simulation_create(r->scene, &def, &r->simulation, &error), &error);
    good(abut_run_create_of_scene(r->scene, NULL, NULL, &r->run, &error), &error);
    r->run->keep = keep;
    for (int i = 0; i < 3; ++i) {
        AbutStepReport report;
        AbutRobotForces forces = {.actuator = r->force[i]};
        good(abut_simulation_step(r->simulation, 1e-3, &report, &error), &error);
        good(abut_run_record(r->run, r->simulation, &report, &error), &error);
        abut_scene_get_joints(r->scene, 0, r->q[i], r->v[i]);
        abut_simulation_get_robot_forces(r->simulation, 0, &forces);
    }
    return r;
}

static void discard(Recorded *r) {
    abut_run_free(r->run);
    abut_simulation_free(r->simulation);
    abut_scene_free(r->scene);
    free(r);
}

static void check_numbers(const Recorded *r, const AbutRun *run) {
    assert_int_equal(run->positions, 19);
    assert_int_equal(run->velocities, 18);
    assert_int_equal(run->actuators, 12);
    for (int t = 0; t < 3; ++t) {
        assert_memory_equal(abut_run_f8(run, ABUT_RUN_JOINT_POSITION) + 19 * t, r->q[t], 19 * sizeof(double));
        assert_memory_equal(abut_run_f8(run, ABUT_RUN_JOINT_VELOCITY) + 18 * t, r->v[t], 18 * sizeof(double));
        assert_memory_equal(abut_run_f8(run, ABUT_RUN_ACTUATOR_FORCE) + 12 * t, r->force[t], 12 * sizeof(double));
    }
    char name[40];
    abut_run_number_name(run, ABUT_RUN_JOINT_POSITION, 7, sizeof name, name);
    assert_string_equal(name, "left_yaw");
    abut_run_number_name(run, ABUT_RUN_JOINT_VELOCITY, 2, sizeof name, name);
    assert_string_equal(name, "trunk.vz");
    abut_run_number_name(run, ABUT_RUN_ACTUATOR_FORCE, 11, sizeof name, name);
    assert_string_equal(name, "right_foot.force");
    abut_run_number_name(run, ABUT_RUN_ACTUATOR_FORCE, 12, sizeof name, name);
    assert_string_equal(name, "");
    abut_run_number_name(run, ABUT_RUN_JOINT_POSITION, 7, 5, name);
    assert_string_equal(name, "left");
}

static void joints_come_back(void **state) {
    (void)state;
    Tool tool = tool_open();
    char path[400];
    Recorded *r = record("biped", 1, ABUT_RUN_KEEP_ALL);
    AbutRun *back;
    snprintf(path, sizeof path, "%s/run.npz", tool.folder);
    check_numbers(r, r->run);
    good(abut_run_write(path, r->run, &error), &error);
    good(abut_run_read(path, NULL, 0, &back, &error), &error);
    check_numbers(r, back);
    assert_string_equal(back->position_names, r->run->position_names);
    abut_run_free(back);
    unlink(path);
    discard(r);
    tool_close(&tool);
}

/* Of several robots each has its number; poses alone keep positions. A run without robots has no such arrays. */
static void several_and_none(void **state) {
    (void)state;
    char name[40];
    Recorded *r = record("planar-arm:3", 2, ABUT_RUN_KEEP_POSES);
    assert_int_equal(abut_run_number_count(r->run, ABUT_RUN_JOINT_POSITION), 6);
    assert_int_equal(abut_run_number_count(r->run, ABUT_RUN_JOINT_VELOCITY), 0);
    assert_null(abut_run_f8(r->run, ABUT_RUN_JOINT_VELOCITY));
    assert_null(abut_run_f8(r->run, ABUT_RUN_ACTUATOR_FORCE));
    abut_run_number_name(r->run, ABUT_RUN_JOINT_POSITION, 3, sizeof name, name);
    CHECK(strncmp(name, "r1.", 3) == 0);
    CHECK(memcmp(abut_run_f8(r->run, ABUT_RUN_JOINT_POSITION) + 12, r->q[2], 3 * sizeof(double)) == 0);
    discard(r);
    AbutScene *scene;
    AbutRun *run;
    good(abut_scene_create(&scene, &error), &error);
    good(abut_scene_build(scene, "stack:2", 1, &error), &error);
    good(abut_run_create_of_scene(scene, NULL, NULL, &run, &error), &error);
    assert_int_equal(run->positions + run->velocities + run->actuators, 0);
    assert_null(abut_run_f8(run, ABUT_RUN_JOINT_POSITION));
    assert_string_equal(run->position_names, "");
    abut_run_free(run);
    abut_scene_free(scene);
}

/* Names tell how many numbers there are: an array of another width is refused. */
static void contradictions(void **state) {
    (void)state;
    Tool tool = tool_open();
    char path[400], fixed[400], command[2000];
    Recorded *r = record("planar-arm:2", 1, ABUT_RUN_KEEP_ALL);
    AbutRun *back;
    snprintf(path, sizeof path, "%s/run.npz", tool.folder);
    snprintf(fixed, sizeof fixed, "%s/bad.npz", tool.folder);
    good(abut_run_write(path, r->run, &error), &error);
    snprintf(command, sizeof command,
        "python3 -c \"import zipfile\n"
        "a=zipfile.ZipFile('%s'); b=zipfile.ZipFile('%s','w')\n"
        "for n in a.namelist(): b.writestr(n, a.read(n).replace(b'link1', b'li\\nk1') if n=='position_names.npy' else "
        "a.read(n))\n"
        "b.close()\"",
        path, fixed);
    assert_int_equal(system(command), 0);
    AbutStatus status = abut_run_read(fixed, NULL, 0, &back, &error);
    if (status != ABUT_ERROR_FORMAT || !strstr(error.text, "joint_position"))
        fail_msg("found %d, %s", (int)status, error.text);
    unlink(path);
    unlink(fixed);
    discard(r);
    tool_close(&tool);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joints_come_back),
        cmocka_unit_test(several_and_none),
        cmocka_unit_test(contradictions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Motion without contacts beside MuJoCo's Runge-Kutta steps: a tree with a free base, a ball, hinges, a slide, springs,
 * damping, armature, a tendon that rests where its joints do, and motors. Needs MuJoCo; without it the test is skipped.
 */
#include "dynamics/robot_world.h"
#include "import/parse.h"

#ifndef ABUT_HAVE_MUJOCO
int main(void) { return 77; }
#else

#include <string.h>

#include <mujoco/mujoco.h>

#include "abut/import.h"

static const char text[] =
    "<mujoco><compiler angle='radian'/><option timestep='1e-4' integrator='RK4' gravity='0 0 -9.81'/><worldbody>"
    "<body name='arm' pos='0 0 1'><joint type='hinge' axis='0 1 0' damping='0.05' armature='0.01'/>"
    "<inertial pos='0.2 0 0' mass='1' diaginertia='0.01 0.02 0.03'/>"
    "<body pos='0.4 0 0'><joint type='ball'/><inertial pos='0.1 0.05 0' mass='0.5' diaginertia='0.004 0.005 0.003'/>"
    "<body pos='0.2 0 0'><joint name='out' type='slide' axis='1 0 0' stiffness='50' springref='0.02' damping='1'/>"
    "<joint name='turn' type='hinge' axis='0 0 1' pos='0.01 0 0'/>"
    "<inertial pos='0.05 0 0.02' mass='0.3' diaginertia='0.002 0.001 0.002'/></body></body></body>"
    "<body name='drone' pos='2 0 1'><freejoint/><inertial pos='0.01 0 0' mass='1.5' diaginertia='0.02 0.03 0.01'/>"
    "<body pos='0.1 0 0'><joint name='tail' type='hinge' axis='1 1 0'/>"
    "<inertial pos='0.1 0 0' mass='0.2' diaginertia='0.001 0.001 0.002'/></body></body></worldbody>"
    "<tendon><fixed stiffness='20'><joint joint='out' coef='1'/><joint joint='turn' coef='0.1'/></fixed></tendon>"
    "<actuator><motor joint='turn' gear='0.5'/><motor joint='tail'/></actuator></mujoco>";

static mjModel *load(void) {
    mjVFS vfs;
    char why[1000] = "";
    mj_defaultVFS(&vfs);
    mj_makeEmptyFileVFS(&vfs, "tree.xml", (int)strlen(text));
    memcpy(vfs.filedata[0], text, strlen(text));
    mjModel *m = mj_loadXML("tree.xml", &vfs, why, sizeof why);
    mj_deleteVFS(&vfs);
    if (!m) fail_msg("MuJoCo: %s", why);
    return m;
}

/* Largest difference of a position after a quarter of a second at steps of dt. */
static double difference(const mjModel *m, double dt) {
    static const double v[] = {1.0, 0.5, -1.0, 2.0, 0.1, 1.0, 0.3, -0.2, 2.0, 1.0, -2.0, 0.5, 3.0}, u[] = {0.05, -0.02};
    AbutModel *model;
    AbutError error;
    AbutSimulationDef def = abut_simulation_default();
    mjData *d = mj_makeData(m);
    memcpy(d->qvel, v, sizeof v);
    memcpy(d->ctrl, u, sizeof u);
    for (int i = 0; i < 2500; ++i) mj_step(m, d);
    good(abut_model_parse_mjcf(text, strlen(text), "tree.xml", NULL, &model, &error), &error);
    def.gravity = model->gravity;
    World world = world_of_model(model, &def);
    double q[64], worst = 0.0;
    abut_scene_get_joints(world.scene, 0, q, NULL);
    set_joints(&world, q, v);
    set_control(&world, u);
    world_run(&world, dt, (int)(0.25 / dt + 0.5));
    abut_scene_get_joints(world.scene, 0, q, NULL);
    for (int i = 0; i < m->nq; ++i) worst = fmax(worst, fabs(q[i] - d->qpos[i]));
    mj_deleteData(d);
    world_free(&world);
    return worst;
}

static void motion_is_that_of_mujoco(void **state) {
    (void)state;
    mjModel *m = load();
    assert_int_equal(m->nv, 13);
    double coarse = difference(m, 1e-3), fine = difference(m, 1e-4);
    CHECK(coarse < 1e-2);
    CHECK(fine < 0.15 * coarse);
    mj_deleteModel(m);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(motion_is_that_of_mujoco)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
#endif
